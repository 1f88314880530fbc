//! Friction of patches that slide and turn, against adaptive integration, closed forms and
//! differences.

use crate::response::area::{AreaMotion, center};
use crate::response::choice::Step;
use crate::response::friction::FrictionLaw;
use crate::response::sliding::{PatchLoad, Profile, sliding};
use crate::response::tests::Random;
use contact_geometry::math::spatial::exponential;
use contact_geometry::math::{Dual, Pose, Real, Vec3};
use contact_geometry::narrow_phase::area::Patch;
use contact_geometry::shapes::{Hull, RoundedShape};
use std::f64::consts::{FRAC_PI_2, TAU};

type Point = [f64; 2];

/// Overlap [m], stiffness of both layers in series [N/m3], speed of turning [rad/s].
const DEPTH: f64 = 1e-9;
const K: f64 = 1e9;
const TURNING: f64 = 20.0;

/// Integral over a triangle, which is divided where a feature is nearer than its size, down to
/// `least` [m].
fn integrate(
    [a, b, c]: [Point; 3],
    least: f64,
    feature: &dyn Fn(Point) -> f64,
    f: &dyn Fn(Point) -> [f64; 3],
) -> [f64; 3] {
    let mix = |p: Point, q: Point, t: f64| [0, 1].map(|k| p[k] + t * (q[k] - p[k]));
    let long = |p: Point, q: Point| (p[0] - q[0]).hypot(p[1] - q[1]);
    let size = long(a, b).max(long(b, c)).max(long(c, a));
    let mut sum = [0.0; 3];
    if size > least && feature(mix(mix(a, b, 0.5), c, 1.0 / 3.0)) < 1.5 * size {
        let [ab, bc, ca] = [mix(a, b, 0.5), mix(b, c, 0.5), mix(c, a, 0.5)];
        for part in [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]] {
            let own = integrate(part, least, feature, f);
            (0..3).for_each(|k| sum[k] += own[k]);
        }
        return sum;
    }
    let twice = ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])).abs();
    let rule = [
        (0.069_431_844_202_973_7, 0.173_927_422_568_727),
        (0.330_009_478_207_571_9, 0.326_072_577_431_273),
        (0.669_990_521_792_428_1, 0.326_072_577_431_273),
        (0.930_568_155_797_026_3, 0.173_927_422_568_727),
    ];
    for (r, w_r) in rule {
        for (t, w_t) in rule {
            let own = f(mix(a, mix(b, c, t), r));
            (0..3).for_each(|k| sum[k] += own[k] * (w_r * w_t * r * twice));
        }
    }
    sum
}

/// Friction per area at a place for a turning about `center`, and its moment about the origin, over
/// mu and the pressure.
fn friction(mu: &dyn Fn(f64) -> f64, center: Point, [x, y]: Point) -> [f64; 3] {
    let v = [(center[1] - y) * TURNING, (x - center[0]) * TURNING];
    let s = v[0].hypot(v[1]);
    let [f, g] = v.map(|v| -v / s * mu(s));
    [f, g, x * g - y * f]
}

/// A pair that touches near z = 0, the second from above.
fn patch<T: Real>(shapes: [&RoundedShape; 2], [one, two]: [Pose; 2]) -> Patch<T> {
    let pose = |pose: Pose| Pose {
        position: pose.position.map(T::from),
        rotation: pose.rotation.map(T::from),
    };
    let mut patch = Patch::with_room(12);
    let placed = [(shapes[0], &pose(one)), (shapes[1], &pose(two))];
    patch.find(placed, [2.0 * K; 2], 0.0);
    patch
}

/// Force along x and y, moment about z through the origin for a turning about a centre, and the
/// normal force.
fn found(patch: &Patch<f64>, center: Point, profile: &Profile<'_>) -> ([f64; 3], f64) {
    let turning = Vec3::new(0.0, 0.0, TURNING);
    let from = patch.origin_w - Vec3::new(center[0], center[1], 0.0);
    let motion = AreaMotion {
        velocity: turning.cross(&from),
        angular_velocity: turning,
    };
    let load = PatchLoad::new(Vec3::z(), 0.0, &motion, None);
    let own = sliding(patch, &load, &motion, profile);
    let moment = own.moment + patch.origin_w.cross(&own.force);
    let size = patch.nodes.sum(0.0, |node| node.force * node.normal.z);
    ([own.force.x, own.force.y, moment.z], size)
}

fn compare(found: ([f64; 3], f64), expected: [f64; 3], most: f64, what: &str) {
    let (own, size) = found;
    for (k, arm) in [1.0, 1.0, 0.1].into_iter().enumerate() {
        let off = (own[k] - expected[k]).abs() / (0.3 * size * arm);
        assert!(off < most, "{what}, {k}: off by {off:e} of mu N");
    }
}

fn laws(v: f64) -> [FrictionLaw; 3] {
    let step = Step::Cubic;
    [
        FrictionLaw::Regularized {
            sliding: 0.3,
            v_small: v,
        },
        FrictionLaw::Coulomb {
            coefficients: [0.5, 0.3],
            speeds: [0.4 * v, v],
            step,
        },
        FrictionLaw::CoulombDynamic {
            sliding: 0.3,
            speed: v,
            step,
        },
    ]
}

const ORIGIN: Pose = Pose {
    position: Vec3::new(0.0, 0.0, 0.0),
    rotation: contact_geometry::math::Mat3::new(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0),
};

fn above(height: f64, turn: [f64; 3]) -> Pose {
    Pose {
        position: Vec3::new(0.0, 0.0, height),
        rotation: exponential(&Vec3::from(turn)),
    }
}

#[test]
#[ignore = "long: integrals over thousands of points"]
fn friction_of_plane_faces_is_the_integral_wherever_they_turn_about() {
    let ground = RoundedShape::half_space();
    let mut random = Random(7);
    // Lengths, and the slope of the depth along x.
    for ([l_x, l_y], slope) in [
        ([0.2, 0.2], 0.0),
        ([0.4, 0.1], 0.0),
        ([0.2, 0.2], 1e-8),
        ([0.2, 0.01], 0.0),
        ([0.2, 1e-4], 0.0),
    ] {
        let cuboid = RoundedShape::cuboid(&[l_x, l_y, 0.1], 0.0);
        let pose = above(0.05 - DEPTH, [0.0, slope, 0.0]);
        let patch = patch([&ground, &cuboid], [ORIGIN, pose]);
        let pressure = |[x, _]: Point| K * (DEPTH + slope * x);
        let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
            .map(|[x, y]| [0.5 * l_x * x, 0.5 * l_y * y]);
        let [first, second, third] = laws(0.05 * TURNING);
        let constant = FrictionLaw::Off;
        for law in [&constant, &first, &second, &third] {
            let mu = |s: f64| match law {
                FrictionLaw::Off => 0.3,
                law => law.per_speed(s) * s,
            };
            let profile = law.profile().unwrap_or(Profile::constant(0.3));
            for place in 0..7 {
                let reach = if place < 5 { 0.6 } else { 3.0 };
                let center = [l_x, l_y].map(|l| random.between(-reach * l, reach * l));
                // Near the centre, and where mu has another formula.
                let feature = |[x, y]: Point| {
                    let off = (x - center[0]).hypot(y - center[1]);
                    let kinks = [0.02, 0.05].map(|r| (off - r).abs().max(2e-3));
                    off.min(kinks[0]).min(kinks[1])
                };
                let f = |p: Point| friction(&mu, center, p).map(|f| f * pressure(p));
                let halves = [[0, 1, 2], [0, 2, 3]]
                    .map(|half| integrate(half.map(|k| corners[k]), 3e-4, &feature, &f));
                let expected = [0, 1, 2].map(|k| halves[0][k] + halves[1][k]);
                let what = format!("{l_x} {l_y} {slope} {law:?} {center:?}");
                compare(found(&patch, center, &profile), expected, 5e-5, &what);
            }
        }
    }
}

#[test]
fn a_rectangle_that_spins_on_the_spot_has_the_torque_of_its_closed_form() {
    let ground = RoundedShape::half_space();
    for [l_x, l_y] in [[0.2_f64, 0.2_f64], [0.4, 0.1]] {
        let cuboid = RoundedShape::cuboid(&[l_x, l_y, 0.1], 0.0);
        let patch = patch([&ground, &cuboid], [ORIGIN, above(0.05 - DEPTH, [0.0; 3])]);
        // Mean distance from the middle.
        let [a, b] = [0.5 * l_x, 0.5 * l_y];
        let d = a.hypot(b);
        let arm = (2.0 * d + b * b / a * ((a + d) / b).ln() + a * a / b * ((b + d) / a).ln()) / 6.0;
        let (own, size) = found(&patch, [0.0; 2], &Profile::constant(0.3));
        let torque = own[2] / (-0.3 * size * arm);
        assert!((torque - 1.0).abs() < 1e-7, "{torque}");
        assert!(own[0].hypot(own[1]) < 1e-12 * size);
    }
}

#[test]
fn friction_of_round_bodies_is_the_integral_too() {
    let ground = RoundedShape::half_space();
    let (radius, length) = (0.1, 0.2);
    let cylinder = RoundedShape::cylinder(2.0 * radius, length, 0.0);
    let [law, _, _] = laws(0.2);
    let mu = |s: f64| law.per_speed(s) * s;
    let profile = law.profile().expect("a profile");
    let stands = patch([&ground, &cylinder], [ORIGIN, above(0.1 - DEPTH, [0.0; 3])]);
    for off in [0.0, 0.03, 0.07, 0.095, 0.1, 0.12, 0.2, 0.6] {
        let center = [0.8 * off, -0.6 * off];
        // Midpoints in polar coordinates.
        let (rays, rings) = (600, 300);
        let mut expected = [0.0; 3];
        for ray in 0..rays {
            let (sin, cos) = ((ray as f64 + 0.5) / rays as f64 * TAU).sin_cos();
            for ring in 0..rings {
                let r = (ring as f64 + 0.5) / rings as f64 * radius;
                let part = K * DEPTH * r * TAU / rays as f64 * radius / rings as f64;
                let own = friction(&mu, center, [r * cos, r * sin]);
                (0..3).for_each(|k| expected[k] += own[k] * part);
            }
        }
        let (found, what) = (found(&stands, center, &profile), format!("stands {off}"));
        compare(found, expected, 1e-4, &what);
    }
    // Lying along x: the depth below the plane along the width.
    let depth = 1e-6;
    let pose = above(radius - depth, [0.0, FRAC_PI_2, 0.0]);
    let lies = patch([&ground, &cylinder], [ORIGIN, pose]);
    let width = (depth * (2.0 * radius - depth)).sqrt();
    let pressure = |y: f64| K * ((radius * radius - y * y).sqrt() - (radius - depth));
    for center in [
        [0.098, 0.0],
        [0.1, 1e-4],
        [0.103, -0.001],
        [0.0, 2e-4],
        [0.04, 0.01],
        [0.3, 0.1],
    ] {
        let feature = |[x, y]: Point| (x - center[0]).hypot(y - center[1]);
        let f = |p: Point| friction(&mu, center, p).map(|f| f * pressure(p[1]));
        let mut expected = [0.0; 3];
        for i in 0..100 {
            let x = [i, i + 1].map(|i| 0.002 * f64::from(i) - 0.1);
            for half in [
                [[x[0], -width], [x[1], -width], [x[1], width]],
                [[x[0], -width], [x[1], width], [x[0], width]],
            ] {
                let own = integrate(half, 1e-4, &feature, &f);
                (0..3).for_each(|k| expected[k] += own[k]);
            }
        }
        let (found, what) = (found(&lies, center, &profile), format!("lies {center:?}"));
        compare(found, expected, 1e-4, &what);
    }
}

/// Over any way of the centre of rotation, in and out of a triangle, and for its pose.
#[test]
fn derivatives_of_friction_of_a_patch_are_those_of_differences() {
    let ground = RoundedShape::half_space();
    let corners = vec![[0.0; 3], [0.2, 0.0, 0.0], [0.0, 0.15, 0.0], [0.0, 0.0, 0.1]];
    let triangles = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    let hull = RoundedShape::hull(Hull::new(corners, triangles).expect("a hull"), 0.0);
    let tilt = [3e-9, -2e-9, 0.0];
    let own = patch::<f64>([&ground, &hull], [ORIGIN, above(-DEPTH, tilt)]);
    let dual = patch::<Dual>([&ground, &hull], [ORIGIN, above(-DEPTH, tilt)]);
    let size = own.nodes.sum(0.0, |node| node.force);
    let mut random = Random(5);
    let law = FrictionLaw::CoulombDynamic {
        sliding: 1.0,
        speed: 0.1,
        step: Step::Quintic,
    };
    for profile in [Profile::constant(1.0), law.profile().expect("a profile")] {
        for _ in 0..300 {
            let center = [random.between(-0.3, 0.6), random.between(-0.3, 0.6)];
            let (turn, ways) = (random.vector(0.3), [random.vector(1.0), random.vector(9.0)]);
            let turning = turn + Vec3::new(0.0, 0.0, TURNING);
            let velocity = Vec3::new(center[1], -center[0], 1e-3) * TURNING;
            let plain = |t: f64| {
                let motion = AreaMotion {
                    velocity: velocity + ways[0] * t,
                    angular_velocity: turning + ways[1] * t,
                };
                friction_of(&own, motion, &profile)
            };
            let with = |v: Vec3, way: Vec3| v.zip_map(&way, Dual::new);
            let motion = AreaMotion {
                velocity: with(velocity, ways[0]),
                angular_velocity: with(turning, ways[1]),
            };
            let exact = friction_of(&dual, motion, &profile);
            let (low, high) = (plain(-1e-6), plain(1e-6));
            for k in 0..6 {
                let slope = (high[k] - low[k]) / 2e-6;
                let off = (exact[k].eps[0] - slope).abs() / size;
                assert!(off < 3e-5, "{center:?} {k}: {slope} {:?}", exact[k]);
                // A radian per second at 20 is a twentieth of mu N at most.
                assert!(slope.abs() < 5.0 * size, "{slope}");
            }
        }
    }
}

fn friction_of<T: Real>(patch: &Patch<T>, motion: AreaMotion<T>, profile: &Profile<'_>) -> [T; 6] {
    let normal = Vec3::new(T::zero(), T::zero(), T::one());
    let load = PatchLoad::new(normal, T::from(0.2), &motion, None);
    let own = sliding(patch, &load, &motion, profile);
    let ([x, y, z], [a, b, c]) = (own.force.into(), own.moment.into());
    [x, y, z, a, b, c]
}

/// Four crates on each other met this at 1e-30 J: a root of the energy was no number.
#[test]
fn an_overlap_that_is_rounding_presses_nothing() {
    let ground = RoundedShape::half_space();
    let cuboid = RoundedShape::cuboid(&[0.2, 0.2, 0.1], 0.0);
    let mut patch: Patch<f64> = patch([&ground, &cuboid], [ORIGIN, above(0.05 - DEPTH, [0.0; 3])]);
    assert!(center(&patch).is_some());
    for energy in [0.0, -4e-30] {
        patch.energy = energy;
        assert_eq!(center(&patch), None);
    }
}
