use super::*;
use crate::math::rotation_matrix;
use crate::narrow_phase::{Feature, proximity, query};
use crate::shapes::Core;
use crate::shapes::samples::{Random, lift, moved, moving, pose_of, posed, shapes, surface};

const GAPS: [f64; 14] = [
    1.0, 1e-1, 1e-2, 1e-3, 1e-5, 1e-7, 1e-9, 0.0, -1e-9, -1e-7, -1e-5, -1e-4, -1e-3, -1e-2,
];

fn at(plane: &Pose, shape: &RoundedShape, pose: &Pose) -> Proximity {
    query(
        &RoundedShape::half_space(),
        plane,
        shape,
        pose,
        &Feature::None,
    )
}

/// A shape whose surface point `q` with outward normal `m`, in its axes, hangs over the plane.
fn hang(
    plane: &Pose,
    q: &Vec3,
    m: &Vec3,
    shape: &RoundedShape,
    gap: f64,
    random: &mut Random,
) -> Pose {
    let down = -plane.rotation.column(2);
    // Any rotation that takes m to the direction into the plane, then any turn about that.
    let turn = random.pose(0.0).rotation;
    let from = turn * m;
    let axis = from.cross(&down);
    let rotation = rotation_matrix(&[1.0 + from.dot(&down), axis.x, axis.y, axis.z]) * turn;
    let along = plane.rotation * Vec3::new(random.next(), random.next(), 0.0);
    posed(
        plane.position + along - rotation * q - down * (gap + shape.radius),
        rotation,
    )
}

#[test]
fn every_shape_hung_over_a_plane_has_the_gap_and_points_it_was_placed_with() {
    let mut random = Random(1);
    for shape in shapes() {
        for stratum in 0..60 {
            let (q, m) = surface(&shape.core, &mut random, stratum);
            for gap in GAPS {
                for away in [1.0, 1e4] {
                    let mut plane = random.pose(1.0);
                    let pose = hang(&plane, &q, &m, &shape, gap, &mut random);
                    let mut pose = pose;
                    // The same far from the origin, where positions round to 1e-12 m.
                    plane.position += Vec3::repeat(away);
                    pose.position += Vec3::repeat(away);
                    let tolerance = if away > 1.0 { 4e-12 } else { 1e-14 };
                    let found = at(&plane, &shape, &pose);
                    let normal: Vec3 = plane.rotation.column(2).into();
                    let word = format!("{:?}", shape.kind());
                    let error = (found.gap - gap).abs();
                    assert!(
                        error <= tolerance,
                        "{word} {stratum}: off by {error} at {gap}"
                    );
                    assert_eq!(found.normal_w, normal);
                    let height = normal.dot(&(found.points_w[0] - plane.position));
                    assert!(
                        height.abs() <= tolerance,
                        "{word}: point off the plane by {height}"
                    );
                    let between = found.points_w[1] - found.points_w[0] - normal * found.gap;
                    assert!(between.amax() <= tolerance);
                }
            }
        }
    }
}

#[test]
fn a_thick_plane_is_raised_by_its_radius() {
    let mut random = Random(2);
    let raised = RoundedShape {
        core: Core::HalfSpace,
        radius: 0.1,
    };
    for shape in shapes() {
        let (plane, pose) = (random.pose(1.0), random.pose(1.0));
        let flat = at(&plane, &shape, &pose);
        let found = query(&raised, &plane, &shape, &pose, &Feature::None);
        assert!((found.gap - (flat.gap - 0.1)).abs() < 1e-15);
        let lift = flat.normal_w * 0.1;
        assert!((found.points_w[0] - flat.points_w[0] - lift).amax() < 1e-15);
        assert!((found.points_w[1] - flat.points_w[1]).amax() < 1e-15);
    }
}

#[test]
fn swap_and_rigid_motion_change_nothing_else() {
    let mut random = Random(3);
    let ground = RoundedShape::half_space();
    for shape in shapes() {
        for _ in 0..50 {
            let (plane, pose, moved) = (random.pose(1.0), random.pose(1.0), random.pose(5.0));
            let here = at(&plane, &shape, &pose);
            let back = query(&shape, &pose, &ground, &plane, &Feature::None);
            assert_eq!((here.gap, here.normal_w), (back.gap, -back.normal_w));
            assert_eq!(here.points_w, [back.points_w[1], back.points_w[0]]);
            let there = at(&moved.then(&plane), &shape, &moved.then(&pose));
            assert!((here.gap - there.gap).abs() < 1e-14);
            assert!((moved.rotation * here.normal_w - there.normal_w).amax() < 1e-15);
        }
    }
}

#[test]
fn gap_is_free_of_noise_through_touching() {
    let mut random = Random(4);
    for shape in shapes() {
        for stratum in 0..30 {
            let (q, m) = surface(&shape.core, &mut random, stratum);
            let plane = random.pose(1.0);
            let mut pose = hang(&plane, &q, &m, &shape, -100e-9, &mut random);
            let normal = plane.rotation.column(2).into_owned();
            let start = pose.position;
            let mut last = at(&plane, &shape, &pose).gap;
            for k in 1..200 {
                pose.position = start + normal * (1e-9 * f64::from(k));
                let gap = at(&plane, &shape, &pose).gap;
                assert!((gap - last - 1e-9).abs() <= 2e-15);
                last = gap;
            }
        }
    }
}

#[test]
fn derivatives_of_gap_and_point_are_those_of_differences() {
    let mut random = Random(5);
    let ground = RoundedShape::half_space();
    for shape in shapes() {
        for stratum in 0..30 {
            let (q, m) = surface(&shape.core, &mut random, stratum);
            // Off the normals of faces by 0.1 rad, where second differences are tame.
            let m = (m + m.cross(&random.vector()).normalize() * 0.1).normalize();
            let plane = random.pose(1.0);
            let pose = hang(&plane, &q, &m, &shape, 1e-3, &mut random);
            let (rate, spin) = (random.vector(), random.vector());
            let dual = moving(&pose, &rate, &spin);
            let exact = proximity(&ground, &lift(&plane), &shape, &dual, &Feature::Lowest);
            let [low, high] =
                [-1e-6, 1e-6].map(|t| at(&plane, &shape, &moved(&pose, &rate, &spin, t)));
            let gap_rate = (high.gap - low.gap) / 2e-6;
            let off = (gap_rate - exact.gap.eps[0]).abs();
            assert!(off < 1e-8, "{:?}", shape.kind());
            let point_rate = (high.contact_point_w() - low.contact_point_w()) / 2e-6;
            let error = point_rate - exact.contact_point_w().map(|c| c.eps[0]);
            assert!(error.amax() < 1e-7, "{:?} {error}", shape.kind());
        }
    }
}

#[test]
fn a_cylinder_lying_and_standing_touches_in_its_middle() {
    let shape = RoundedShape::cylinder(0.8, 0.6, 1e-3);
    let h = std::f64::consts::FRAC_1_SQRT_2;
    let standing = pose_of([0.1, 0.2, 0.3], [1.0, 0.0, 0.0, 0.0]);
    let found = at(&Pose::identity(), &shape, &standing);
    assert!(found.gap.abs() < 1e-16);
    assert!((found.points_w[1] - Vec3::new(0.1, 0.2, 0.0)).amax() < 1e-16);
    let lying = posed(Vec3::new(0.1, 0.2, 0.4), rotation_matrix(&[h, h, 0.0, 0.0]));
    let found = at(&Pose::identity(), &shape, &lying);
    assert!(found.gap.abs() < 1e-15);
    assert!((found.points_w[1] - Vec3::new(0.1, 0.2, 0.0)).amax() < 1e-12);
}

#[test]
fn contact_point_of_a_box_wanders_without_a_jump_as_it_tips_and_ends_in_the_corner() {
    let shape = RoundedShape::cuboid(&[1.0, 0.7, 0.4], 1e-3);
    let tipped = |angle: f64| {
        let (s, c) = (0.5 * angle).sin_cos();
        let pose = posed(Vec3::new(0.0, 0.0, 0.2), rotation_matrix(&[c, 0.0, s, 0.0]));
        at(&Pose::identity(), &shape, &pose)
    };
    assert_eq!(tipped(0.0).contact_point_w().x, 0.0);
    let mut last = tipped(-3e-4);
    for k in -299..300 {
        let now = tipped(f64::from(k) * 1e-6);
        // The corner is 0.5 m from the middle and the band 2e-4 rad wide, with slope 3/2 at most.
        let moved = (now.contact_point_w() - last.contact_point_w()).norm();
        assert!(moved <= 1.6 * 0.5 * 1e-6 / 1e-4, "{moved} at {k}");
        // The gap is that of the deepest corner throughout: 0.2 - 0.499 sin - 0.199 cos - 0.001.
        let (s, c) = (f64::from(k) * 1e-6).sin_cos();
        assert!((now.gap - (0.199 - 0.499 * s.abs() - 0.199 * c)).abs() < 1e-15);
        last = now;
    }
    // Tipped about y by a positive angle the corner at +x is the lowest.
    assert!((tipped(2e-4).contact_point_w().x - 0.499).abs() < 1e-3);
    assert!((tipped(-2e-4).contact_point_w().x + 0.499).abs() < 1e-3);
}
