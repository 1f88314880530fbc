use super::*;
use crate::narrow_phase::{find_feature, gap, proximity};
use crate::shapes::samples::{Random, lift, moved, moving, surface};

#[test]
fn swap_flips_the_normal_and_nothing_else() {
    let mut random = Random(11);
    for shape in round_shapes() {
        for _ in 0..100 {
            let pose = random.pose(1.0);
            let (ball, at) = ball(random.vector());
            let forth = query(&shape, &pose, &ball, &at, &Feature::None);
            let back = query(&ball, &at, &shape, &pose, &Feature::None);
            assert_eq!((forth.gap, forth.normal_w), (back.gap, -back.normal_w));
            assert_eq!(forth.points_w, [back.points_w[1], back.points_w[0]]);
            assert_eq!(gap(&shape, &pose, &ball, &at, &Feature::None), forth.gap);
        }
    }
}

#[test]
fn rigid_motion_changes_nothing_beyond_rounding() {
    let mut random = Random(12);
    for shape in round_shapes() {
        for away in [1.0, 1e4] {
            for _ in 0..100 {
                let pose = random.pose(1.0);
                let (ball, at) = ball(random.vector());
                let here = query(&shape, &pose, &ball, &at, &Feature::None);
                let moved = random.pose(away);
                let (p, q) = (moved.then(&pose), moved.then(&at));
                let there = query(&shape, &p, &ball, &q, &Feature::None);
                // Positions are rounded to 1e-16 of the way from the origin.
                let word = format!("{:?}", shape.kind());
                let error = (here.gap - there.gap).abs();
                assert!(error < 1e-15 * away.max(3.0), "{word}: {error}");
                let off = (moved.rotation * here.normal_w - there.normal_w).norm();
                assert!(off < 1e-13 * away, "{word}: {off}");
            }
        }
    }
}

#[test]
fn gap_is_free_of_noise() {
    let mut random = Random(13);
    for shape in round_shapes().into_iter().chain(extreme_shapes()) {
        for stratum in 0..60 {
            let (q, direction) = surface(&shape.core, &mut random, stratum);
            let pose = random.pose(1.0);
            let normal = pose.rotation * direction;
            let touching = q + direction * (shape.radius + BALL_RADIUS);
            let start = pose.position + pose.rotation * touching;
            let at = |h: f64| near(&shape, &pose, start + normal * h).gap;
            let word = format!("{:?}", shape.kind());
            for h in [1.0, 0.1, 1e-3, 0.0, -1e-3, -0.1] {
                let noise = at(h + 1e-7) - at(h) - 1e-7;
                assert!(noise.abs() <= 2e-15, "{word} {stratum}: {noise} at {h}");
            }
            let mut last = at(-100e-9);
            for k in -99..100 {
                let now = at(f64::from(k) * 1e-9);
                let jump = now - last - 1e-9;
                assert!(jump.abs() <= 2e-15, "{word} {stratum}: {jump} at {k}");
                last = now;
            }
        }
    }
}

#[test]
fn derivatives_are_those_of_differences() {
    let mut random = Random(14);
    for shape in round_shapes() {
        for round in 0..200 {
            let pose = random.pose(0.3);
            let (ball, at) = ball(random.vector() * 0.6);
            let (rate, spin) = (random.vector(), random.vector());
            let dual = moving(&pose, &rate, &spin);
            let feature = find_feature(&shape, &pose, &ball, &at, &Feature::None);
            let exact = proximity(&shape, &dual, &ball, &lift(&at), &feature);
            let h = 1e-6;
            let [low, high] = [-h, h].map(|h| {
                query(
                    &shape,
                    &moved(&pose, &rate, &spin, h),
                    &ball,
                    &at,
                    &Feature::None,
                )
            });
            let here = query(&shape, &pose, &ball, &at, &Feature::None);
            assert!((exact.gap.re - here.gap).abs() < 1e-15);
            let differ = |low: f64, high: f64, exact: f64| {
                ((high - low) / (2.0 * h) - exact).abs() / (1.0 + exact.abs())
            };
            // Deep inside an ellipsoid the curvature of its distance is large: h^2 times that.
            let word = format!("{:?}", shape.kind());
            let error = differ(low.gap, high.gap, exact.gap.eps[0]);
            assert!(error < 1e-8, "{word} {round}: gap {error}");
            for i in 0..3 {
                let normal = differ(low.normal_w[i], high.normal_w[i], exact.normal_w[i].eps[0]);
                assert!(normal < 1e-6, "{word} {round}: normal {normal}");
                let point = exact.contact_point_w()[i].eps[0];
                let point = differ(low.contact_point_w()[i], high.contact_point_w()[i], point);
                assert!(point < 1e-6, "{word} {round}: point {point}");
            }
        }
    }
}

#[test]
fn derivative_of_the_gap_is_the_normal_on_axes_and_in_middle_planes_too() {
    let places = [
        Vec3::zeros(),
        Vec3::new(0.0, 0.0, 0.1),
        Vec3::new(0.1, 0.0, 0.0),
        Vec3::new(0.0, -0.05, 0.02),
        Vec3::new(0.0, 0.0, 2.0),
        Vec3::new(0.0, 0.0, -2.0),
    ];
    for shape in round_shapes() {
        for center in places {
            let (ball, at) = ball(center);
            let pose = Pose::identity();
            let feature = find_feature(&shape, &pose, &ball, &at, &Feature::None);
            for axis in 0..3 {
                let mut moved = lift(&at);
                moved.position[axis].eps[0] = 1.0;
                let found = proximity(&shape, &lift(&pose), &ball, &moved, &feature);
                let error = found.gap.eps[0] - found.normal_w[axis].re;
                let word = format!("{:?}", shape.kind());
                assert!(error.abs() < 1e-14, "{word} at {center}: {error}");
                assert!(
                    found
                        .points_w
                        .iter()
                        .flatten()
                        .all(|c| c.eps[0].is_finite())
                );
            }
        }
    }
}

#[test]
fn a_hint_changes_no_bit() {
    let mut random = Random(15);
    let shapes = round_shapes();
    for shape in &shapes {
        for other in &shapes {
            let pose = random.pose(1.0);
            let (ball, at) = ball(random.vector());
            let hint = find_feature(other, &random.pose(1.0), &ball, &at, &Feature::None);
            let cold = query(shape, &pose, &ball, &at, &Feature::None);
            assert_eq!(query(shape, &pose, &ball, &at, &hint), cold);
        }
    }
}
