//! Degenerate pairs with stated results: coincident, parallel, just touching, one inside the other,
//! tiny beside huge.

use crate::errors::{assert_none, within};
use crate::oracle::largest_separation;
use crate::random::{Random, at, posed};
use crate::solid::{Solid, Turned};
use contact_geometry::math::{Mat3, Pose, Vec3, rotation_matrix};
use contact_geometry::narrow_phase::{Feature, Proximity, query};
use contact_geometry::shapes::{Axis, axis_rotation};

fn ask(s1: &Solid, p1: &Pose, s2: &Solid, p2: &Pose) -> Proximity {
    query(&s1.shape, p1, &s2.shape, p2, &Feature::None)
}

/// About y by an angle [rad].
fn tilt(angle: f64) -> Mat3 {
    let (s, c) = (0.5 * angle).sin_cos();
    rotation_matrix(&[c, 0.0, s, 0.0])
}

/// About x by an angle [rad].
fn roll(angle: f64) -> Mat3 {
    let (s, c) = (0.5 * angle).sin_cos();
    rotation_matrix(&[c, s, 0.0, 0.0])
}

#[test]
fn concentric_spheres_part_along_x_by_the_sum_of_their_radii() {
    for (d1, d2) in [(1.0, 0.5), (0.25, 0.25), (0.1, 2.0)] {
        let pose = at(0.3, -0.2, 0.7);
        let found = ask(&Solid::sphere(d1), &pose, &Solid::sphere(d2), &pose);
        assert_eq!((found.gap, found.normal_w), (-0.5 * (d1 + d2), Vec3::x()));
    }
}

#[test]
fn coincident_shapes_part_by_their_smallest_width() {
    // Smallest width of each; two equal cones part along their base's normal or across: the width
    // across a cone of base d and height l is less than both where it is steep.
    let r = 1e-3;
    let table = [
        ("box", Solid::cuboid([1.0, 0.7, 0.4], r), 0.4),
        ("sharp box", Solid::cuboid([0.5, 0.7, 0.6], 0.0), 0.5),
        ("cube", Solid::cuboid([0.5; 3], r), 0.5),
        ("cylinder", Solid::cylinder(0.6, 0.8, r), 0.6),
        ("disc", Solid::cylinder(1.0, 0.1, r), 0.1),
        ("ellipsoid", Solid::ellipsoid([1.0, 0.7, 0.4]), 0.4),
        ("capsule", Solid::capsule(0.3, 0.8), 0.3),
        ("beam", Solid::beam(0.6, 0.4, 0.2, r), 0.2),
        ("flat cone", Solid::cone(1.0, 0.0, 0.2, 0.0), 0.2),
        ("flat frustum", Solid::cone(1.0, 0.8, 0.2, r), 0.2),
        ("plate as hull", Solid::prism(4, 0.1, 0.0), 0.2),
    ];
    let pose = posed(Vec3::new(0.1, 0.2, 0.3), tilt(0.7) * roll(0.4));
    let mut failures = Vec::new();
    for (name, solid, width) in &table {
        for pose in [at(0.0, 0.0, 0.0), pose] {
            let found = ask(solid, &pose, solid, &pose);
            let error = (found.gap + width).abs();
            let length = (found.normal_w.norm() - 1.0).abs();
            if !(error <= 1e-13 && length <= 1e-14) {
                failures.push(format!("{name}: {found:?} for {width}"));
            }
        }
    }
    assert_none(&failures);
}

/// Bodies and attitudes in which a face or a line of them lies level below.
fn resting() -> Vec<(&'static str, Solid, Mat3)> {
    let r = 1e-3;
    let upright = Mat3::identity();
    let lying = axis_rotation(Axis::X);
    // The lateral line of a cone of slope 0.3/0.8 turned level.
    let on_side = tilt(std::f64::consts::PI - std::f64::consts::FRAC_PI_2 - 0.375f64.atan());
    let on_edge = roll(std::f64::consts::FRAC_PI_4);
    vec![
        ("box", Solid::cuboid([0.3, 0.2, 0.1], r), upright),
        ("sharp box", Solid::cuboid([0.3, 0.2, 0.1], 0.0), upright),
        ("box on edge", Solid::cuboid([0.3, 0.2, 0.2], r), on_edge),
        ("cylinder", Solid::cylinder(0.3, 0.2, r), upright),
        ("lying cylinder", Solid::cylinder(0.2, 0.3, r), lying),
        ("cone", Solid::cone(0.3, 0.0, 0.2, r), upright),
        ("frustum", Solid::cone(0.2, 0.3, 0.2, r), upright),
        ("cone on its side", Solid::cone(0.6, 0.0, 0.8, r), on_side),
        ("lying capsule", Solid::capsule(0.1, 0.3), lying),
        (
            "beam",
            Solid::beam(0.3, 0.2, 0.1, r),
            roll(std::f64::consts::FRAC_PI_2),
        ),
        ("beam on its side", Solid::beam(0.3, 0.2, 0.1, r), lying),
        ("prism", Solid::prism(6, 0.1, r), upright),
        ("lying prism", Solid::prism(4, 0.1, r), on_edge * lying),
    ]
}

fn plates() -> Vec<(&'static str, Solid, f64)> {
    vec![
        ("half-space", Solid::half_space(), 0.0),
        ("box plate", Solid::cuboid([1.0, 1.0, 0.2], 1e-3), 0.1),
        ("sharp box plate", Solid::cuboid([1.0, 1.0, 0.2], 0.0), 0.1),
        ("round plate", Solid::cylinder(1.0, 0.2, 1e-3), 0.1),
        ("hull plate", Solid::prism_of(8, 0.6, 0.1, 0.0), 0.1),
    ]
}

/// Asks for each body over each plate, level, hanging over the rim, at gaps through touching.
fn each_resting(mut check: impl FnMut(&str, [&Solid; 2], [Pose; 2], f64, Proximity)) {
    for (plate_name, plate, top) in plates() {
        for (name, body, rotation) in resting() {
            let turned = Turned {
                solid: &body,
                rotation,
            };
            let below = body.radius - turned.farthest(&-Vec3::z()).z;
            for gap in [1e-2, 1e-5, 0.0, -1e-9, -1e-4, -5e-3] {
                for x in [0.0, 0.31] {
                    let place = posed(Vec3::new(x, 0.05, top + below + gap), rotation);
                    let plate_pose = Pose::identity();
                    let found = ask(&plate, &plate_pose, &body, &place);
                    let label = format!("{name} at x = {x} over {plate_name}, gap {gap:e}");
                    check(&label, [&plate, &body], [plate_pose, place], gap, found);
                }
            }
        }
    }
}

#[test]
fn parallel_faces_and_lines_have_the_exact_gap_and_normal_and_a_point_of_the_overlap() {
    let mut failures = Vec::new();
    each_resting(|label, solids, poses, gap, found| {
        let mut outside = [0.0; 2];
        for side in 0..2 {
            let turned = Turned {
                solid: solids[side],
                rotation: poses[side].rotation,
            };
            let point = found.points_w[side] - poses[side].position;
            outside[side] = turned.outside(&point) - solids[side].radius;
        }
        let errors = [
            (found.gap - gap).abs(),
            (found.normal_w - Vec3::z()).norm(),
            (found.points_w[1] - found.points_w[0] - found.normal_w * found.gap).norm(),
        ];
        let right = errors[0] <= 1e-13 && errors[1] <= 1e-9 && errors[2] <= 1e-13;
        if !(right && outside.iter().all(|o| *o <= 1e-13)) {
            failures.push(format!(
                "{label}: errors of gap, normal, points {errors:?}, outside by {outside:?}: {found:?}"
            ));
        }
    });
    assert_none(&failures);
}

#[test]
fn contact_point_of_parallel_faces_stays_under_noise_of_the_pose() {
    let mut random = Random::new(51);
    let mut failures = Vec::new();
    each_resting(|label, [plate, body], [plate_pose, place], gap, found| {
        for _ in 0..10 {
            let v = random.vector() * 1e-12;
            let nudged = posed(
                place.position + random.vector() * 1e-12,
                rotation_matrix(&[1.0, v.x, v.y, v.z]) * place.rotation,
            );
            let other = ask(plate, &plate_pose, body, &nudged);
            let moved = [0, 1].map(|i| (other.points_w[i] - found.points_w[i]).norm());
            let turned = (other.normal_w - found.normal_w).norm();
            let error = (other.gap - gap).abs();
            if !(moved[0].max(moved[1]) < 1e-6 && turned < 1e-8 && error < 1e-11) {
                failures.push(format!(
                    "{label}: points move {moved:?}, normal turns {turned:.1e}, gap off {error:.1e}"
                ));
                break;
            }
        }
    });
    assert_none(&failures);
}

#[test]
fn contact_point_moves_without_a_jump_as_a_body_tips_through_parallel() {
    // 2e-6 rad a step. Bodies are 0.4 m across at most; a point that wanders across one while it
    // tips by some 1e-4 rad moves by a few millimetres a step, one that jumps by much more.
    const STEP: f64 = 2e-6;
    const JUMP: f64 = 0.03;
    let mut failures = Vec::new();
    each_resting(|label, [plate, body], [plate_pose, place], gap, _| {
        if ![1e-5, -1e-4, -5e-3].contains(&gap) {
            return;
        }
        let (mut worst, mut at_angle) = (0.0, 0.0);
        let mut last: Option<[Vec3; 2]> = None;
        for step in -150..=150 {
            let angle = STEP * f64::from(step);
            let tipped = posed(
                place.position,
                rotation_matrix(&[1.0, 0.2 * angle, 0.45 * angle, 0.1 * angle]) * place.rotation,
            );
            let points = ask(plate, &plate_pose, body, &tipped).points_w;
            if let Some(before) = last {
                let moved = [0, 1].map(|i| (points[i] - before[i]).norm());
                let most = moved[0].max(moved[1]);
                if moved.iter().any(|m| m.is_nan()) || most > worst {
                    (worst, at_angle) = (most, angle);
                }
            }
            last = Some(points);
        }
        if !within(worst, JUMP) {
            failures.push(format!(
                "{label}: jump of {worst:.3} m at {at_angle:.1e} rad"
            ));
        }
    });
    assert_none(&failures);
}

#[test]
fn crossed_edges_meet_in_their_crossing_and_parallel_ones_in_their_overlap() {
    let r = 1e-3;
    let below = Solid::cuboid([0.6, 0.2, 0.2], r);
    let above = Solid::cuboid([0.4, 0.3, 0.3], r);
    let on_edge = roll(std::f64::consts::FRAC_PI_4);
    let quarter = rotation_matrix(&[0.5f64.sqrt(), 0.0, 0.0, 0.5f64.sqrt()]);
    // Half diagonals of the cores and both radii.
    let reach = (0.099 + 0.149) * 2f64.sqrt() + 2.0 * r;
    for (rotation, crossed) in [(quarter * on_edge, true), (on_edge, false)] {
        for gap in [1e-2, 1e-6, 0.0, -1e-6, -1e-3] {
            let pose_1 = posed(Vec3::zeros(), on_edge);
            let pose_2 = posed(Vec3::new(0.25, 0.0, reach + gap), rotation);
            let found = ask(&below, &pose_1, &above, &pose_2);
            assert!((found.gap - gap).abs() <= 1e-14, "{gap}: {found:?}");
            assert!((found.normal_w - Vec3::z()).norm() <= 1e-9, "{found:?}");
            let x = found.contact_point_w().x;
            if crossed {
                assert!((x - 0.25).abs() <= 1e-12, "{found:?}");
            } else {
                assert!((0.05 - 1e-12..=0.3 + 1e-12).contains(&x), "{found:?}");
            }
        }
    }
}

#[test]
fn parallel_capsules_meet_between_the_ends_of_both() {
    let (a, b) = (Solid::capsule(0.2, 1.0), Solid::capsule(0.1, 0.6));
    for gap in [1e-2, 0.0, -1e-3, -0.1] {
        for (z, low, high) in [(0.0, -0.3, 0.3), (0.5, 0.2, 0.5), (-0.6, -0.5, -0.3)] {
            let found = ask(&a, &at(0.0, 0.0, 0.0), &b, &at(0.0, 0.15 + gap, z));
            assert!((found.gap - gap).abs() <= 1e-15, "{found:?}");
            assert!((found.normal_w - Vec3::y()).norm() <= 1e-12, "{found:?}");
            let z = found.contact_point_w().z;
            assert!((low - 1e-12..=high + 1e-12).contains(&z), "{found:?}");
        }
    }
}

#[test]
fn a_shape_inside_another_leaves_by_the_nearest_side() {
    let r = 1e-3;
    let bodies = [
        Solid::sphere(0.1),
        Solid::cuboid([0.2, 0.1, 0.1], r),
        Solid::cuboid([0.2, 0.1, 0.1], 0.0),
        Solid::cylinder(0.1, 0.1, r),
        Solid::cone(0.1, 0.0, 0.1, r),
        Solid::cone(0.1, 0.05, 0.1, r),
        Solid::ellipsoid([0.2, 0.1, 0.1]),
        Solid::capsule(0.1, 0.1),
        Solid::beam(0.1, 0.1, 0.1, r),
        Solid::prism(5, 0.05, r),
    ];
    // Outer shapes with their reach along +x.
    let outer = [
        (Solid::cuboid([2.0, 3.0, 3.0], r), 1.0),
        (Solid::prism_of(8, 2.0, 2.0, 0.0), f64::NAN),
        (Solid::cylinder(3.0, 4.0, r), 1.5),
        (Solid::ellipsoid([3.0, 4.0, 4.0]), f64::NAN),
        (Solid::sphere(3.0), f64::NAN),
        (Solid::beam(2.0, 2.0, 3.0, r), f64::NAN),
        (Solid::cone(4.0, 3.0, 4.0, r), f64::NAN),
        (Solid::capsule(2.0, 2.0), f64::NAN),
    ];
    let mut failures = Vec::new();
    for (around, reach) in &outer {
        for body in &bodies {
            for rotation in [Mat3::identity(), tilt(0.3) * roll(0.2)] {
                let place = posed(Vec3::new(0.6, 0.1, 0.15), rotation);
                let found = ask(around, &Pose::identity(), body, &place);
                let [a, b] = [(around, Mat3::identity()), (body, rotation)]
                    .map(|(solid, rotation)| Turned { solid, rotation });
                let radii = around.radius + body.radius;
                let exact = largest_separation(&a, &b, &place.position, 1e-11, None)
                    .map_or(f64::NAN, |best| best.separation - radii);
                // Where the side is flat or the body touches it with one point, in closed form.
                let closed = 0.6 - reach - body.radius + b.farthest(&-Vec3::x()).x;
                let agree = reach.is_nan() || exact.is_nan() || {
                    matches!(around.body, crate::solid::Body::Cylinder { .. })
                        || (exact - closed).abs() < 2e-11
                };
                assert!(agree, "{:?}: {exact} and {closed}", body.body);
                if !within((found.gap - exact).abs(), 2e-11) {
                    failures.push(format!(
                        "{:?} in {:?} turned {rotation:?}: gap {:e} for {exact:e}, normal {:?}",
                        body.body, around.body, found.gap, found.normal_w
                    ));
                }
            }
        }
    }
    assert_none(&failures);
}

#[test]
fn millimetre_parts_meet_a_kilometre_of_ground_to_rounding() {
    let r = 1e-4;
    let parts = [
        (Solid::sphere(1e-3), 0.5e-3),
        (Solid::cuboid([1e-3; 3], r), 0.5e-3),
        (Solid::cuboid([1e-3; 3], 0.0), 0.5e-3),
        (Solid::cylinder(1e-3, 1e-3, r), 0.5e-3),
        (Solid::cone(1e-3, 0.0, 1e-3, r), 0.0),
        (Solid::cone(1e-3, 0.5e-3, 1e-3, r), 0.0),
        (Solid::ellipsoid([2e-3, 1.5e-3, 1e-3]), 0.5e-3),
        (Solid::beam(1e-3, 1e-3, 1e-3, r), 1e-3),
        (Solid::prism_of(6, 1e-3, 0.5e-3, 0.0), 0.5e-3),
    ];
    let grounds = [
        (Solid::cuboid([1e3, 1e3, 1.0], 1e-3), 0.5),
        (Solid::prism_of(4, 1e3, 0.5, 0.0), 0.5),
        (Solid::half_space(), 0.0),
    ];
    let mut failures = Vec::new();
    for (ground, top) in &grounds {
        for (part, below) in &parts {
            for gap in [1.0, 1e-4, 0.0, -1e-6, -1e-4] {
                let pose = at(312.5, -250.25, top + below + gap);
                let found = ask(ground, &Pose::identity(), part, &pose);
                let error = (found.gap - gap).abs();
                let turn = (found.normal_w - Vec3::z()).norm();
                let across = (found.contact_point_w() - pose.position).xy().norm();
                if !(error <= 1e-13 && turn <= 1e-9 && across < 1.5e-3) {
                    failures.push(format!(
                        "{:?} over {:?}: gap {gap:e} off {error:.1e}, normal {turn:.1e}, point {across:.1e} m aside",
                        part.body, ground.body
                    ));
                }
            }
        }
    }
    assert_none(&failures);
}
