use super::*;
use crate::math::{Mat3, rotation_matrix};
use crate::narrow_phase::{Feature, find_feature, proximity, query};
use crate::shapes::samples::{Random, lift, moved, moving, posed};

const GAPS: [f64; 14] = [
    1.0, 1e-1, 1e-2, 1e-3, 1e-5, 1e-7, 1e-9, 0.0, -1e-9, -1e-7, -1e-5, -1e-4, -1e-3, -1e-2,
];

/// Angles [rad] from parallel to square.
const ANGLES: [f64; 12] = [
    0.0,
    1e-15,
    1e-12,
    1e-9,
    1e-7,
    1e-5,
    1e-4,
    1e-3,
    1e-2,
    0.1,
    1.0,
    std::f64::consts::FRAC_PI_2,
];

fn near(p: &RoundedShape, at: &Pose, q: &RoundedShape, there: &Pose) -> Proximity {
    query(p, at, q, there, &Feature::None)
}

/// Two capsules placed with a known nearest pair of points.
struct Placed {
    shapes: [RoundedShape; 2],
    poses: [Pose; 2],
    normal: Vec3,
    /// Whether the nearest points are inside both segments.
    inside: bool,
}

impl Placed {
    /// The pair whose distance between the axes is `distance`, the segments at an angle.
    fn at(random: &mut Random, distance: impl Fn(f64) -> f64, angle: f64, stratum: usize) -> Self {
        let frame = random.pose(1.0);
        let shapes =
            [0, 1].map(|_| RoundedShape::capsule(0.1 + 0.2 * random.weight(), random.weight()));
        let halves = [0, 1].map(|i| half_length(&shapes[i].core));
        let normal = Vec3::z();
        // Axes at the angle in the plane across the normal; ends may rise away from the other one.
        let turn = random.next();
        let flip = random.next().signum();
        let (mut a, mut b) = (
            Vec3::new(turn.cos(), turn.sin(), 0.0),
            Vec3::new((turn + angle).cos(), (turn + angle).sin(), 0.0) * flip,
        );
        let mut places = [0, 1].map(|i| 0.9 * halves[i] * random.next());
        let lift = [random.weight(), random.weight()];
        if stratum % 3 >= 1 {
            // The end at +half of 1: its axis rises towards 2 and ends there.
            places[0] = halves[0];
            a = (a + normal * lift[0]).normalize();
        }
        if stratum % 3 == 2 {
            places[1] = -halves[1];
            b = (b + normal * lift[1]).normalize();
        }
        let between =
            a * places[0] + normal * distance(shapes[0].radius + shapes[1].radius) - b * places[1];
        let with_axis = |axis: &Vec3, random: &mut Random| {
            let x = axis.cross(&random.vector()).normalize();
            frame.rotation * Mat3::from_columns(&[x, axis.cross(&x), *axis])
        };
        let poses = [
            posed(frame.position, with_axis(&a, random)),
            posed(
                frame.position + frame.rotation * between,
                with_axis(&b, random),
            ),
        ];
        Placed {
            shapes,
            poses,
            normal: frame.rotation * normal,
            inside: stratum.is_multiple_of(3),
        }
    }

    fn query(&self) -> Proximity {
        near(
            &self.shapes[0],
            &self.poses[0],
            &self.shapes[1],
            &self.poses[1],
        )
    }
}

/// How well the normal [rad] is determined by axes that are rounded to `rounding`: the nearest
/// place moves by rounding/angle^2 at most from end to end, and the normal turns by angle with it.
fn known_to(angle: f64, rounding: f64) -> f64 {
    1e-13 + 20.0 * angle.min(rounding / angle)
}

#[test]
fn capsules_have_the_gap_and_normal_they_were_placed_with() {
    let mut random = Random(1);
    for round in 0..60 {
        for angle in ANGLES {
            for gap in GAPS {
                let placed = Placed::at(&mut random, |radii| radii + gap, angle, round);
                let found = placed.query();
                let error = (found.gap - gap).abs();
                assert!(error <= 2e-15, "gap off by {error} at {gap}, {angle} rad");
                let off = (found.normal_w - placed.normal).norm();
                let most = known_to(angle, 1e-16);
                assert!(off <= most, "normal off by {off} at {gap}, {angle} rad");
                let between = found.points_w[1] - found.points_w[0];
                assert!((between - found.normal_w * found.gap).amax() < 1e-15);
            }
        }
    }
}

#[test]
fn crossing_axes_keep_the_gap_to_the_last_digit_and_a_unit_normal() {
    // Distances of the axes down to nothing: the normal of skew ones stays exact.
    let mut random = Random(2);
    for round in 0..60 {
        for angle in [1e-3, 0.1, 1.0] {
            for distance in [1e-2, 1e-5, 1e-9, 1e-13, 0.0] {
                let placed = Placed::at(&mut random, |_| distance, angle, round);
                let found = placed.query();
                let radii = placed.shapes[0].radius + placed.shapes[1].radius;
                let error = (found.gap + radii - distance).abs();
                assert!(
                    error <= 2e-15,
                    "gap off by {error} at {distance}, {angle} rad"
                );
                assert!((found.normal_w.norm() - 1.0).abs() < 1e-14);
                if placed.inside {
                    let off = found.normal_w.cross(&placed.normal).norm();
                    assert!(
                        off < 1e-12,
                        "normal off by {off} at {distance}, {angle} rad"
                    );
                }
            }
        }
    }
}

#[test]
fn exactly_crossing_touching_and_collinear_segments_have_the_stated_normal() {
    let capsule = RoundedShape::capsule(0.2, 2.0);
    let h = std::f64::consts::FRAC_1_SQRT_2;
    let along_z = Pose::identity();
    let along_x = |position| posed(position, rotation_matrix(&[h, 0.0, h, 0.0]));
    // z x x = y.
    let crossing = near(&capsule, &along_z, &capsule, &along_x(Vec3::zeros()));
    assert!((crossing.gap + 0.2).abs() < 1e-16);
    assert!((crossing.normal_w - Vec3::y()).amax() < 1e-15);
    let back = near(&capsule, &along_x(Vec3::zeros()), &capsule, &along_z);
    assert!((back.normal_w + Vec3::y()).amax() < 1e-15);
    // The end of 2 touches the middle of 1.
    let touching = near(&capsule, &along_z, &capsule, &along_x(Vec3::x()));
    assert!((touching.gap + 0.2).abs() < 1e-15);
    assert!((touching.normal_w - Vec3::y()).amax() < 1e-15);
    // In line and overlapping, wholly and in part.
    for shift in [0.0, 0.3, 1.9] {
        let mut pose = along_z;
        pose.position.z = shift;
        let inside = near(&capsule, &along_z, &capsule, &pose);
        assert_eq!((inside.gap, inside.normal_w), (-0.2, Vec3::x()));
    }
    // In line, one behind the other.
    let mut pose = along_z;
    pose.position.z = 2.25;
    let behind = near(&capsule, &along_z, &capsule, &pose);
    assert!((behind.gap - 0.05).abs() < 1e-15);
    assert_eq!(behind.normal_w, Vec3::z());
}

#[test]
fn no_two_points_of_random_segments_are_closer_than_the_answer() {
    let mut random = Random(3);
    for _ in 0..300 {
        let shapes = [0, 1].map(|_| RoundedShape::capsule(0.1, 2.0 * random.weight()));
        let poses = [random.pose(1.0), random.pose(1.0)];
        let halves = [0, 1].map(|i| half_length(&shapes[i].core));
        let on =
            |i: usize, t: f64| poses[i].position + poses[i].rotation * Vec3::z() * (t * halves[i]);
        // Distance from a point of 1 to the segment 2, by a closed form of its own.
        let beyond = |s: f64| {
            let p = on(0, s) - poses[1].position;
            let axis = poses[1].rotation * Vec3::z();
            let t = p.dot(&axis).clamp(-halves[1], halves[1]);
            (p - axis * t).norm()
        };
        // Golden-section search of this convex function.
        let (mut low, mut high) = (-1.0, 1.0);
        let ratio = 0.5 * (5f64.sqrt() - 1.0);
        for _ in 0..100 {
            let (m, n) = (high - ratio * (high - low), low + ratio * (high - low));
            if beyond(m) < beyond(n) {
                high = n;
            } else {
                low = m;
            }
        }
        let least = beyond(low).min(beyond(1.0)).min(beyond(-1.0)) - 0.1;
        let found = near(&shapes[0], &poses[0], &shapes[1], &poses[1]);
        let off = (found.gap - least).abs();
        assert!(off < 1e-14, "{} for {least}", found.gap);
    }
}

#[test]
fn swap_flips_the_normal_and_nothing_else() {
    let mut random = Random(4);
    for round in 0..40 {
        for angle in ANGLES {
            let placed = Placed::at(&mut random, |radii| radii - 1e-3, angle, round);
            let ([s, t], [p, q]) = (&placed.shapes, &placed.poses);
            let (forth, back) = (near(s, p, t, q), near(t, q, s, p));
            assert!((forth.gap - back.gap).abs() <= 1e-15);
            assert!((forth.normal_w + back.normal_w).amax() <= 1e-14);
            let moved = forth.contact_point_w() - back.contact_point_w();
            // The place along nearly parallel axes is known to rounding over the blend.
            assert!(moved.amax() <= 1e-10, "{moved} at {angle} rad");
        }
    }
}

#[test]
fn rigid_motion_changes_nothing_beyond_rounding() {
    let mut random = Random(5);
    for round in 0..40 {
        for angle in ANGLES {
            for away in [1.0, 1e4] {
                let placed = Placed::at(&mut random, |radii| radii + 1e-4, angle, round);
                let motion = random.pose(away);
                let [p, q] = [0, 1].map(|i| motion.then(&placed.poses[i]));
                let there = near(&placed.shapes[0], &p, &placed.shapes[1], &q);
                let error = (there.gap - 1e-4).abs();
                assert!(error < 1e-15 * 5.0 * away, "{error} at {angle} rad");
                let turned = motion.rotation * placed.normal;
                let off = (turned - there.normal_w).norm();
                // Positions are rounded to 1e-16 of the way from the origin.
                let known = known_to(angle, 1e-16) + 5e-15 * away;
                assert!(off < known, "{off} at {angle} rad");
            }
        }
    }
}

#[test]
fn gap_is_free_of_noise_through_touching() {
    let mut random = Random(6);
    for round in 0..30 {
        for angle in ANGLES {
            let placed = Placed::at(&mut random, |radii| radii - 100e-9, angle, round);
            let [p, mut q] = placed.poses;
            let start = q.position;
            let mut last = placed.query().gap;
            for k in 1..200 {
                q.position = start + placed.normal * (1e-9 * f64::from(k));
                let gap = near(&placed.shapes[0], &p, &placed.shapes[1], &q).gap;
                let jump = gap - last - 1e-9;
                assert!(jump.abs() <= 2e-15, "jump {jump} at {angle} rad");
                last = gap;
            }
        }
    }
}

/// The contact point of capsules lying one upon the other, the upper one turned about the normal
/// by `skew` and tipped about the axis across.
fn tipped(skew: f64, tip: f64) -> Vec3 {
    let lower = RoundedShape::capsule(0.2, 1.0);
    let upper = RoundedShape::capsule(0.1, 0.6);
    // Axes along x; the upper one reaches from -0.1 to 0.5, which is the end of the lower one.
    let axis = Vec3::new(skew.cos() * tip.cos(), skew.sin() * tip.cos(), tip.sin());
    let y = Vec3::z().cross(&axis).normalize();
    let pose = posed(
        Vec3::new(0.2, 0.0, 0.15 - 1e-4),
        Mat3::from_columns(&[y.cross(&axis), y, axis].map(|v| v)),
    );
    let level = posed(
        Vec3::zeros(),
        Mat3::new(0.0, 0.0, 1.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0),
    );
    near(&lower, &level, &upper, &pose).contact_point_w()
}

#[test]
fn contact_point_wanders_from_the_middle_to_the_end_without_a_jump() {
    assert!((tipped(0.0, 0.0).x - 0.2).abs() < 1e-12);
    // Beyond the blend it is at the end that is lower.
    assert!((tipped(0.0, 2e-4).x + 0.1).abs() < 1e-3);
    assert!((tipped(0.0, -2e-4).x - 0.5).abs() < 1e-3);
    // At half the overlap from the middle per BLEND, and rounding.
    let slope = 1.01 * 0.3 / BLEND;
    for skew in [0.0, 1e-9, 1e-6, 1e-4, 1e-3, 1e-2, 0.029, 0.0301, 0.1] {
        let step = 1e-7;
        let mut last = tipped(skew, -3e-4);
        for k in -2999..3000 {
            let now = tipped(skew, f64::from(k) * step);
            let moved = (now - last).norm();
            assert!(moved <= slope * step, "{moved} at skew {skew}, step {k}");
            last = now;
        }
    }
    // And about the normal through parallel, tipped or not.
    for tip in [0.0, 1e-6, 3e-5, 1e-4, 1e-3] {
        let step = 1e-5;
        let mut last = tipped(-0.05, tip);
        for k in -4999..5000 {
            let now = tipped(f64::from(k) * step, tip);
            let moved = (now - last).norm();
            assert!(moved <= slope * step, "{moved} at tip {tip}, step {k}");
            last = now;
        }
    }
}

#[test]
fn blended_contact_point_lies_hardly_higher_than_the_nearest() {
    // The gap of the surfaces over the contact point, less the least: at most BLEND * 0.6 m.
    for skew in [0.0, 1e-3, 3e-3, 1e-2, 2e-2] {
        for tip in [0.0, 2e-5, 5e-5, 1e-4, 1e-3] {
            let x = tipped(skew, tip).x - 0.2;
            // Distance of the axes at x less the least of any x within the overlap.
            let at = |x: f64| (0.15 - 1e-4 + tip.tan() * x).hypot(skew.tan() * x);
            let least = (0..=6000).map(|k| at(f64::from(k) * 1e-4 - 0.3));
            let higher = at(x) - least.fold(f64::INFINITY, f64::min);
            assert!(higher < 0.6 * BLEND, "{higher} at skew {skew}, tip {tip}");
        }
    }
}

#[test]
fn derivatives_are_those_of_differences() {
    let mut random = Random(7);
    for round in 0..60 {
        for angle in [1e-3, 0.02, 0.3, 1.2] {
            let placed = Placed::at(&mut random, |radii| radii - 1e-3, angle, round);
            let [s, t] = &placed.shapes;
            let [p, q] = placed.poses;
            let (rate, spin) = (random.vector(), random.vector());
            let dual = moving(&q, &rate, &spin);
            let feature = find_feature(s, &p, t, &q, &Feature::None);
            let exact = proximity(s, &lift(&p), t, &dual, &feature);
            assert!((exact.gap.re - placed.query().gap).abs() < 1e-15);
            let h = 1e-7 * angle;
            let [low, high] = [-h, h].map(|h| near(s, &p, t, &moved(&q, &rate, &spin, h)));
            let differ = |low: f64, high: f64, exact: f64| ((high - low) / (2.0 * h) - exact).abs();
            // Rounding over the step.
            assert!(differ(low.gap, high.gap, exact.gap.eps[0]) < 3e-15 / h + 1e-6);
            for i in 0..3 {
                let normal = differ(low.normal_w[i], high.normal_w[i], exact.normal_w[i].eps[0]);
                assert!(normal < 3e-14 / h / angle + 1e-5, "{normal} at {angle}");
                let point = exact.contact_point_w()[i].eps[0];
                let point = differ(low.contact_point_w()[i], high.contact_point_w()[i], point);
                assert!(point < 1e-12 / h / angle + 1e-4, "{point} at {angle}");
            }
        }
    }
}

#[test]
fn derivative_of_the_gap_is_the_normal_even_where_the_axes_cross() {
    let mut random = Random(8);
    for round in 0..60 {
        for distance in [0.1, 1e-9, 0.0] {
            let placed = Placed::at(&mut random, |_| distance, 0.7, 3 * round);
            let ([s, t], [p, q]) = (&placed.shapes, &placed.poses);
            let feature = find_feature(s, p, t, q, &Feature::None);
            for axis in 0..3 {
                let mut moved = lift(q);
                moved.position[axis].eps[0] = 1.0;
                let found = proximity(s, &lift(p), t, &moved, &feature);
                let error = found.gap.eps[0] - found.normal_w[axis].re;
                assert!(error.abs() < 1e-14, "{error} at {distance}");
            }
        }
    }
}

#[test]
fn a_hint_changes_no_bit_and_nan_comes_to_an_end() {
    let mut random = Random(9);
    let capsule = RoundedShape::capsule(0.2, 1.0);
    for _ in 0..100 {
        let (p, mut q) = (random.pose(1.0), random.pose(1.0));
        let hint = find_feature(&capsule, &q, &capsule, &p, &Feature::None);
        let cold = near(&capsule, &p, &capsule, &q);
        assert_eq!(query(&capsule, &p, &capsule, &q, &hint), cold);
        q.position.x = f64::NAN;
        assert!(near(&capsule, &p, &capsule, &q).gap.is_nan());
    }
}
