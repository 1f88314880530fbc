//! Mass properties do not depend on how a solid is cut, turned, or in which order its pieces are
//! added; seeded random sizes, cuts and poses.

use super::polyhedra::Surface;
use super::*;
use crate::shapes::samples::posed;

const CASES: usize = 500;

/// splitmix64 [Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014].
struct Random(u64);

impl Random {
    /// Uniform in 0..1.
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn between(&mut self, lower: f64, upper: f64) -> f64 {
        lower + (upper - lower) * self.unit()
    }

    fn vector(&mut self, size: f64) -> Vec3 {
        Vec3::from_fn(|_, _| self.between(-size, size))
    }

    fn pose(&mut self, size: f64) -> Pose {
        let q: [f64; 4] = std::array::from_fn(|_| self.between(-1.0, 1.0));
        let norm = q.iter().map(|c| c * c).sum::<f64>().sqrt();
        posed(self.vector(size), rotation_matrix(&q.map(|c| c / norm)))
    }
}

/// A solid of each kind.
fn solids(random: &mut Random) -> Vec<MassProperties> {
    let [a, b, c] = std::array::from_fn(|_| random.between(0.05, 2.0));
    vec![
        MassProperties::sphere(a, 700.0),
        MassProperties::ellipsoid(&[a, b, c], 700.0),
        MassProperties::cuboid(&[a, b, c], 700.0),
        MassProperties::cylinder(a, 0.3 * a, b, 700.0),
        MassProperties::cone(a, b, c, 700.0),
        MassProperties::capsule(a, b, 700.0),
        MassProperties::tapered_capsule(a, b, 0.5 * (a - b).abs() + c, 700.0),
        MassProperties::beam(a, b, c, 700.0),
    ]
}

#[test]
fn a_solid_cut_in_two_is_the_whole() {
    let mut random = Random(1);
    for _ in 0..CASES {
        let [a, b, length] = std::array::from_fn(|_| random.between(0.05, 2.0));
        let cut = random.between(0.02, 0.98);
        let (low, high) = (cut * length, (1.0 - cut) * length);
        // A frustum, at the height `low`.
        let middle = a + (b - a) * cut;
        let both = MassProperties::cone(a, middle, low, 700.0)
            .combined(&lifted(MassProperties::cone(middle, b, high, 700.0), low));
        let whole = MassProperties::cone(a, b, length, 700.0);
        assert_close(&both, &whole, 5e-15, "frustum");
        // A tube and a box, about their own centres.
        let tube = |length| MassProperties::cylinder(a, 0.4 * a, length, 700.0);
        let cuboid = |length| MassProperties::cuboid(&[a, b, length], 700.0);
        for (name, part) in [
            ("tube", &tube as &dyn Fn(f64) -> MassProperties),
            ("box", &cuboid),
        ] {
            let both = lifted(part(low), 0.5 * (low - length))
                .combined(&lifted(part(high), 0.5 * (length - high)));
            assert_close(&both, &part(length), 5e-15, name);
        }
        // A tube and what was bored out.
        let core = MassProperties::cylinder(0.4 * a, 0.0, length, 700.0);
        let full = MassProperties::cylinder(a, 0.0, length, 700.0);
        assert_close(&tube(length).combined(&core), &full, 5e-15, "bore");
    }
}

#[test]
fn turning_keeps_the_mass_and_the_principal_moments() {
    let mut random = Random(2);
    for _ in 0..CASES {
        let pose = random.pose(3.0);
        for solid in solids(&mut random) {
            let turned = solid.placed(&pose);
            assert_eq!(turned.mass, solid.mass);
            let sorted = |tensor: &Mat3| {
                let mut moments: [f64; 3] = tensor.symmetric_eigenvalues().into();
                moments.sort_by(f64::total_cmp);
                Vec3::from(moments)
            };
            let (before, after) = (sorted(&solid.inertia), sorted(&turned.inertia));
            assert!((before - after).amax() <= 1e-14 * before.amax());
            assert_eq!(inertia_flaw(&turned.inertia), None);
        }
    }
}

#[test]
fn placing_twice_is_placing_at_the_pose_of_poses() {
    let mut random = Random(3);
    for _ in 0..CASES {
        let (outer, inner) = (random.pose(1.0), random.pose(1.0));
        for solid in solids(&mut random) {
            let twice = solid.placed(&inner).placed(&outer);
            let once = solid.placed(&outer.then(&inner));
            assert_close(&twice, &once, 2e-14, "placed");
        }
    }
}

#[test]
fn pieces_add_up_in_any_order_and_turned_together_or_apart() {
    let mut random = Random(4);
    for _ in 0..CASES {
        let pieces: Vec<MassProperties> = solids(&mut random)
            .into_iter()
            .map(|solid| {
                let pose = random.pose(1.0);
                solid.placed(&pose)
            })
            .collect();
        let sum = |pieces: &mut dyn Iterator<Item = MassProperties>| {
            pieces.fold(MassProperties::zero(), |sum, piece| sum.combined(&piece))
        };
        let whole = sum(&mut pieces.iter().copied());
        let backwards = sum(&mut pieces.iter().rev().copied());
        assert_close(&backwards, &whole, 2e-14, "backwards");
        let pose = random.pose(2.0);
        let apart = sum(&mut pieces.iter().map(|piece| piece.placed(&pose)));
        assert_close(&apart, &whole.placed(&pose), 2e-14, "turned");
    }
}

#[test]
fn polyhedra_cut_and_turned_are_the_same_solid() {
    let mut random = Random(5);
    for _ in 0..CASES {
        let mut corners: [Vec3; 4] = std::array::from_fn(|_| random.vector(1.0));
        let edges = [1, 2, 3].map(|i| corners[i] - corners[0]);
        let volume = edges[0].dot(&edges[1].cross(&edges[2])) / 6.0;
        if volume.abs() < 0.02 {
            // Slivers lose digits to the rounding of their corners.
            continue;
        }
        if volume < 0.0 {
            corners.swap(0, 1);
        }
        let surface = |corners: [Vec3; 4]| Surface::tetrahedron(corners.map(Into::into));
        let whole = surface(corners).properties(700.0);
        // Cut through a point of the edge from the first to the second corner.
        let cut = corners[0] + (corners[1] - corners[0]) * random.between(0.1, 0.9);
        let [a, b, c, d] = corners;
        let both = surface([a, cut, c, d])
            .properties(700.0)
            .combined(&surface([cut, b, c, d]).properties(700.0));
        assert_close(&both, &whole, 2e-14, "cut");
        // Corners some 10 m away are rounded to 2e-15 m.
        let pose = random.pose(10.0);
        let turned = surface(corners.map(|corner| pose.position + pose.rotation * corner));
        let expected = &whole.placed(&pose);
        assert_close(&turned.properties(700.0), expected, 2e-13, "turned");
    }
}
