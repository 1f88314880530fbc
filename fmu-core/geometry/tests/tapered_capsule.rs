//! Tapered capsules against closed forms. With R and r the radii at the ends, L the distance of
//! their centres and sin a = (R - r)/L, the outward normals of the lateral surface rise at the angle
//! a to the plane across the axis, towards the smaller end.

use crate::random::{Random, posed};
use contact_geometry::math::{Mat3, Pose, Vec3};
use contact_geometry::narrow_phase::{Feature, Proximity, query};
use contact_geometry::shapes::RoundedShape;

/// Rounding of lengths about 1 m and of a few operations on them [m].
const ROUNDING: f64 = 1e-14;

/// A tapered capsule with the radii of its ends, before and behind the origin.
struct Tapered {
    radii: [f64; 2],
    length: f64,
}

#[rustfmt::skip]
const TAPERED: [Tapered; 5] = [
    Tapered { radii: [0.3, 0.1], length: 0.6 },
    Tapered { radii: [0.05, 0.4], length: 0.5 },
    Tapered { radii: [0.2, 0.19], length: 1.0 },
    Tapered { radii: [0.2, 0.2], length: 0.7 },
    Tapered { radii: [0.3, 0.02], length: 0.3 },
];

impl Tapered {
    fn shape(&self) -> RoundedShape {
        let [base, top] = self.radii;
        RoundedShape::tapered_capsule(2.0 * base, 2.0 * top, self.length)
    }

    /// Centres of the ends at a pose.
    fn centers(&self, pose: &Pose) -> [Vec3; 2] {
        let axis: Vec3 = pose.rotation.column(2).into();
        [-0.5, 0.5].map(|side| pose.position + axis * (side * self.length))
    }

    fn sine(&self) -> f64 {
        (self.radii[0] - self.radii[1]) / self.length
    }

    /// Signed distance of a point of its own frame and the outward normal there. In the plane
    /// through the axis the normals of the lateral surface on the two circles where it meets the
    /// spheres part the plane in three.
    fn distance(&self, p: &Vec3) -> (f64, Vec3) {
        let (sine, [base, top]) = (self.sine(), self.radii);
        let cosine = (1.0 - sine * sine).sqrt();
        let (beside, along) = (p.x.hypot(p.y), p.z + 0.5 * self.length);
        let around = Vec3::new(p.x, p.y, 0.0) / beside;
        let off = along * cosine - beside * sine;
        if off < 0.0 {
            let away = p + Vec3::z() * (0.5 * self.length);
            (away.norm() - base, away.normalize())
        } else if off > self.length * cosine {
            let away = p - Vec3::z() * (0.5 * self.length);
            (away.norm() - top, away.normalize())
        } else {
            let normal = around * cosine + Vec3::z() * sine;
            (beside * cosine + along * sine - base, normal)
        }
    }
}

fn nearest(a: &RoundedShape, pose_a: &Pose, b: &RoundedShape, pose_b: &Pose) -> Proximity {
    let found = query(a, pose_a, b, pose_b, &Feature::None);
    // In the other order it is the same pair.
    let swapped = query(b, pose_b, a, pose_a, &Feature::None);
    assert!((found.gap - swapped.gap).abs() < ROUNDING);
    assert!((found.normal_w + swapped.normal_w).amax() < 1e-12);
    found
}

fn at(position: Vec3) -> Pose {
    posed(position, Mat3::identity())
}

#[test]
fn a_sphere_has_the_distance_and_normal_of_the_closed_form() {
    let mut random = Random::new(11);
    for tapered in TAPERED {
        let shape = tapered.shape();
        for _ in 0..400 {
            let pose = random.pose(1.0);
            let p = random.vector() * 0.8;
            let (distance, normal) = tapered.distance(&p);
            // Near the middle of the large sphere the normal turns with the rounding of p.
            if distance < 0.02 - tapered.radii[0].max(tapered.radii[1]) {
                continue;
            }
            let sphere = RoundedShape::sphere(0.2);
            let center = pose.position + pose.rotation * p;
            let found = nearest(&shape, &pose, &sphere, &at(center));
            let error = (found.gap - (distance - 0.1)).abs();
            assert!(error < ROUNDING, "{p} {distance}");
            let off = (found.normal_w - pose.rotation * normal).amax();
            assert!(off < 1e-12, "{p} {distance}: {off}");
        }
    }
}

#[test]
fn normals_are_smooth_across_the_circles_where_the_lateral_surface_meets_the_spheres() {
    for tapered in TAPERED {
        let shape = tapered.shape();
        let sine = tapered.sine();
        let cosine = (1.0 - sine * sine).sqrt();
        let tangent = Vec3::new(-sine, 0.0, cosine);
        let normal = Vec3::new(cosine, 0.0, sine);
        for (end, radius) in tapered.radii.into_iter().enumerate() {
            let center = Vec3::z() * ([-0.5, 0.5][end] * tapered.length);
            for gap in [0.05, 1e-6, 0.0, -1e-6, -0.01] {
                let middle = center + normal * (radius + gap + 0.1);
                for step in [1e-3, 1e-6, 1e-9, 1e-12, 1e-14, 0.0] {
                    for side in [-1.0, 1.0] {
                        let p = middle + tangent * (side * step);
                        let (distance, expected) = tapered.distance(&p);
                        let sphere = RoundedShape::sphere(0.2);
                        let found = nearest(&shape, &at(Vec3::zeros()), &sphere, &at(p));
                        assert!((found.gap - (distance - 0.1)).abs() < ROUNDING);
                        let off = (found.normal_w - expected).amax();
                        assert!(off < 1e-12, "{step} {gap}: {off}");
                        // Turns by no more than the step over the smallest distance of the centre.
                        let turned = (found.normal_w - normal).norm();
                        assert!(turned <= step / (radius + gap + 0.1) + 1e-12);
                    }
                }
            }
        }
    }
}

#[test]
fn a_half_space_and_a_wide_box_meet_the_lower_of_the_two_spheres() {
    let mut random = Random::new(12);
    let plate = RoundedShape::cuboid(&[6.0, 6.0, 0.4], 0.0);
    for tapered in TAPERED {
        let shape = tapered.shape();
        for _ in 0..300 {
            let ground = random.pose(1.0);
            let up: Vec3 = ground.rotation.column(2).into();
            let pose = posed(
                ground.position + ground.rotation * (random.vector() * 0.5) + up * 0.7,
                random.rotation(),
            );
            let centers = tapered.centers(&pose);
            let height =
                |end: usize| up.dot(&(centers[end] - ground.position)) - tapered.radii[end];
            let gap = height(0).min(height(1));
            let top = posed(ground.position - up * 0.2, ground.rotation);
            for (other, at) in [(&RoundedShape::half_space(), ground), (&plate, top)] {
                // Deep in the plate the shortest way out need not be by its top.
                if gap < -0.1 {
                    continue;
                }
                let found = nearest(other, &at, &shape, &pose);
                assert!((found.gap - gap).abs() < ROUNDING, "{} {gap}", found.gap);
                assert!((found.normal_w - up).amax() < 1e-12);
            }
        }
    }
}

/// The normal from 1 to 2 of two lateral surfaces with the axes e1 and e2: n.e1 = sin a1,
/// -n.e2 = sin a2, of the two such normals that with n.side > 0. The gap is that of tangent planes
/// of the spheres, as far as the surfaces reach.
fn between_laterals(axes: [Vec3; 2], sines: [f64; 2], side: &Vec3) -> Vec3 {
    let across = axes[0].cross(&axes[1]);
    let square = across.norm_squared();
    let cosine = axes[0].dot(&axes[1]);
    let (s, t) = (sines[0], -sines[1]);
    let flat = (axes[0] * (s - t * cosine) + axes[1] * (t - s * cosine)) / square;
    let rest = ((1.0 - flat.norm_squared()) / square).sqrt();
    flat + across * (rest * across.dot(side).signum())
}

#[test]
fn two_lateral_surfaces_have_the_gap_of_their_common_tangent_planes() {
    let mut random = Random::new(13);
    for one in &TAPERED {
        for other in &TAPERED {
            for _ in 0..20 {
                // Along a normal from the middle of a ruling of one to that of the other.
                let pose_1 = random.pose(1.0);
                let rotation = random.rotation();
                let axes = [pose_1.rotation, rotation].map(|m| Vec3::from(m.column(2)));
                let sines = [one.sine(), other.sine()];
                if axes[0].cross(&axes[1]).norm() < 0.6 {
                    continue;
                }
                let normal = between_laterals(axes, sines, &random.direction());
                if !normal.x.is_finite() {
                    continue;
                }
                // Both spheres of each touch the tangent plane, so all of the ruling does.
                let ruling = |of: &Tapered, axis: &Vec3, n: &Vec3| {
                    let middle = 0.5 * (of.radii[0] + of.radii[1]);
                    assert!((n.dot(axis) - of.sine()).abs() < 1e-13);
                    n * middle
                };
                let on_1 = ruling(one, &axes[0], &normal);
                let on_2 = ruling(other, &axes[1], &-normal);
                for gap in [0.3, 1e-3, 1e-9, 0.0, -1e-9, -1e-3] {
                    let pose_2 = posed(pose_1.position + on_1 + normal * gap - on_2, rotation);
                    let found = nearest(&one.shape(), &pose_1, &other.shape(), &pose_2);
                    assert!((found.gap - gap).abs() < ROUNDING, "{} {gap}", found.gap);
                    let off = (found.normal_w - normal).amax();
                    assert!(off < 1e-12, "{gap}: {off}");
                }
            }
        }
    }
}

#[test]
fn the_ends_of_two_that_face_each_other_have_the_distance_of_spheres() {
    let mut random = Random::new(14);
    for one in &TAPERED {
        for other in &TAPERED {
            for _ in 0..10 {
                let pose_1 = random.pose(1.0);
                let axis: Vec3 = pose_1.rotation.column(2).into();
                // The top of 1 against the base of 2, both axes within 0.3 rad of the line between.
                let turn =
                    |v: Vec3, random: &mut Random| (v + random.direction() * 0.2).normalize();
                let normal = turn(axis, &mut random);
                let along = turn(axis, &mut random);
                let first = along.cross(&random.direction()).normalize();
                let rotation = Mat3::from_columns(&[first, along.cross(&first), along]);
                let [_, top] = one.centers(&pose_1);
                for gap in [0.2, 1e-6, 0.0, -1e-6, -1e-2] {
                    let base = top + normal * (one.radii[1] + gap + other.radii[0]);
                    let pose_2 = posed(base + along * (0.5 * other.length), rotation);
                    // Beyond the circles of both, where the spheres are the outermost.
                    if normal.dot(&axis) < one.sine() || normal.dot(&along) < -other.sine() {
                        continue;
                    }
                    let found = nearest(&one.shape(), &pose_1, &other.shape(), &pose_2);
                    assert!((found.gap - gap).abs() < ROUNDING, "{} {gap}", found.gap);
                    assert!((found.normal_w - normal).amax() < 1e-12);
                }
            }
        }
    }
}
