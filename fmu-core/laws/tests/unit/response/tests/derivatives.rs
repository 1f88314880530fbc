//! Derivatives of force and torque by dual numbers against differences: inside the regimes of each
//! law, at touching, at rest and where the regimes join.

use super::*;
use crate::response::choice::{Damping, FrictionKind, NormalKind, Step};
use crate::response::law::Onset;
use crate::response::normal::NormalLaw;
use contact_geometry::math::Dual;

/// Gap, velocity, angular velocity.
type Inputs = [f64; 7];

fn with<T: Real>(x: &[T; 7]) -> ContactMotion<T> {
    motion(
        x[0],
        Vec3::new(x[1], x[2], x[3]),
        Vec3::new(x[4], x[5], x[6]),
    )
}

/// Force on 2 and torque.
fn outputs<T: Real>(law: &PairLaw, x: &[T; 7]) -> [T; 6] {
    let motion = with(x);
    // Friction moves the contact along the normal too.
    let frozen = Onset {
        number: 0.4,
        coupling: [0.4, 0.2, -0.3],
    };
    let force = law.force(&motion, frozen);
    let (f, t) = (force.on_2(&motion.normal), force.torque);
    [f.x, f.y, f.z, t.x, t.y, t.z]
}

fn exact(law: &PairLaw, x: &Inputs, direction: &Inputs) -> [f64; 6] {
    let dual = std::array::from_fn(|i| Dual::new(x[i], direction[i]));
    outputs(law, &dual).map(|f| f.eps[0])
}

/// Central difference, with the terms of order 2 and 4 taken away.
fn difference(law: &PairLaw, x: &Inputs, direction: &Inputs, h: f64) -> [f64; 6] {
    let at = |s: f64| outputs(law, &std::array::from_fn(|i| x[i] + s * direction[i]));
    let central = |h: f64| -> [f64; 6] {
        let (up, down) = (at(h), at(-h));
        std::array::from_fn(|i| (up[i] - down[i]) / (2.0 * h))
    };
    let (one, two, four) = (central(h), central(2.0 * h), central(4.0 * h));
    std::array::from_fn(|i| {
        let (a, b) = (
            (4.0 * one[i] - two[i]) / 3.0,
            (4.0 * two[i] - four[i]) / 3.0,
        );
        (16.0 * a - b) / 15.0
    })
}

fn size(v: &[f64; 6]) -> f64 {
    v.iter().fold(0.0, |m, c| c.abs().max(m))
}

fn distance(a: &[f64; 6], b: &[f64; 6]) -> f64 {
    size(&std::array::from_fn(|i| a[i] - b[i]))
}

const V_S: f64 = 0.02;
const V_D: f64 = 0.3;
const DEPTH: f64 = 1e-4;

/// All combinations, with the depth from where this rule says.
fn laws_under(rule: ContactRule) -> Vec<PairLaw> {
    use FrictionKind::{Coulomb, CoulombDynamic, Regularized};
    let mut laws = Vec::new();
    for normal in [
        (NormalKind::Hertz, 1.5),
        (NormalKind::Spring, 1.0),
        (NormalKind::Spring, 1.3),
        (NormalKind::Spring, 2.0),
        (NormalKind::Spring, 2.5),
        (NormalKind::Spring, 3.0),
        (NormalKind::Spring, 3.7),
        (NormalKind::Impact, 1.2),
        (NormalKind::Poisson, 1.0),
        (NormalKind::Volume, 1.0),
    ] {
        for friction in [Regularized, Coulomb, CoulombDynamic] {
            for step in [Step::Cubic, Step::Quintic] {
                let options = LawOptions {
                    normal: normal.0,
                    friction,
                    step,
                    rule,
                    ..LATCHED
                };
                let numbers = [
                    (Number::Stiffness, 1e8),
                    (Number::Exponent, normal.1),
                    (Number::StaticFriction, 0.5),
                    (Number::StaticSpeed, V_S),
                    (Number::DynamicSpeed, V_D),
                    (Number::VSmall, V_S),
                    (Number::RollingResistance, 0.01),
                    (Number::SpinningResistance, 0.02),
                    (Number::DampingDepth, DEPTH),
                    (Number::TransitionSpeed, 0.1),
                ];
                laws.push(law(options, &numbers));
                // With the 0.4 that these laws take for d as the effective mass. Higher exponents
                // store so little here that no difference resolves the speed it belongs to.
                if normal.1 <= 2.0 {
                    let damping = Damping::Inferred;
                    laws.push(law(LawOptions { damping, ..options }, &numbers));
                }
            }
        }
    }
    laws
}

fn is_inferred(law: &PairLaw) -> bool {
    matches!(law.normal, NormalLaw::Inferred { .. })
}

fn laws() -> Vec<PairLaw> {
    laws_under(LATCHED.rule)
}

/// Slip of this speed, across the normal.
fn slip(speed: f64) -> Vec3 {
    Vec3::new(0.8, 0.0, -0.6) * speed
}

fn inputs(depth: f64, rate: f64, slip: Vec3, turn: Vec3) -> Inputs {
    let v = slip - Vec3::from(NORMAL) * rate;
    [-depth - DEPTH_STARTS, v.x, v.y, v.z, turn.x, turn.y, turn.z]
}

#[test]
fn dual_numbers_agree_with_differences_inside_the_regimes() {
    let mut random = Random(0x0f0f_1e1e_2d2d_3c3c);
    for law in laws() {
        for regime in [0.3 * V_S, 0.5 * (V_S + V_D), 4.0 * V_D] {
            for _ in 0..20 {
                let depth = DEPTH * random.between(0.1, 0.9);
                let mut rate = random.between(-0.08, 0.08);
                let mut step = 2e-3;
                if is_inferred(&law) {
                    // Its damping turns over within the speed s of the stored energy, down
                    // to 1e-8 m/s here: off that, and with steps on the scale of the rate.
                    rate += 0.02_f64.copysign(rate);
                    step = 1e-4;
                }
                // About and across the normal, both far from w_small.
                let turn =
                    Vec3::from(NORMAL) * random.between(0.5, 2.0) + slip(random.between(0.5, 2.0));
                let x = inputs(depth, rate, slip(regime * random.between(0.8, 1.2)), turn);
                // All inputs at once, each on its scale.
                let (v, w) = (random.vector(regime), random.vector(0.5));
                let gap = depth * random.between(-1.0, 1.0);
                let direction = [gap, v.x, v.y, v.z, w.x, w.y, w.z];
                let exact = exact(&law, &x, &direction);
                let found = difference(&law, &x, &direction, step);
                let error = distance(&exact, &found);
                assert!(error <= 1e-7 * size(&exact), "{law:?} {x:?}: {error:e}");
            }
        }
    }
}

#[test]
fn dual_numbers_agree_with_differences_where_regimes_join() {
    let turn = Vec3::new(0.3, -0.2, 0.5);
    for law in laws() {
        for speed in [V_S, V_D] {
            for (depth, rate) in [(0.4 * DEPTH, 0.03), (DEPTH, 0.1), (DEPTH, -0.1)] {
                let x = inputs(depth, rate, slip(speed), turn);
                let v = slip(speed) - Vec3::from(NORMAL) * 0.1;
                let direction = [depth, v.x, v.y, v.z, 0.1, 0.1, 0.1];
                let exact = exact(&law, &x, &direction);
                // C1: second derivatives may jump, so the difference is right to its step.
                let found = difference(&law, &x, &direction, 1e-7);
                let error = distance(&exact, &found);
                assert!(error <= 1e-5 * size(&exact), "{law:?} {x:?}: {error:e}");
            }
        }
    }
}

#[test]
fn at_rest_there_is_no_friction_and_its_derivative_is_that_of_creep() {
    for law in laws() {
        let x = inputs(0.5 * DEPTH, 0.0, Vec3::zeros(), Vec3::zeros());
        let motion = with(&x);
        let force = law.force(&motion, 0.4);
        let expected = (Vec3::zeros(), Vec3::zeros());
        assert_eq!((force.friction, force.torque), expected);
        for direction in [
            inputs(-DEPTH_STARTS, 0.0, slip(1.0), Vec3::zeros()),
            inputs(-DEPTH_STARTS, 0.0, Vec3::zeros(), Vec3::new(1.0, 2.0, 3.0)),
            inputs(-DEPTH_STARTS, 1.0, Vec3::zeros(), Vec3::zeros()),
        ] {
            let exact = exact(&law, &x, &direction);
            let step = if is_inferred(&law) { 1e-8 } else { 1e-6 };
            let found = difference(&law, &x, &direction, step);
            assert!(distance(&exact, &found) <= 1e-6 * size(&found), "{law:?}");
        }
    }
}

#[test]
fn at_touching_force_and_derivative_are_finite_and_zero_but_for_a_linear_spring() {
    for law in laws() {
        for (rate, slip) in [(0.3, slip(0.01)), (0.0, Vec3::zeros()), (-0.3, slip(1.0))] {
            let x = inputs(0.0, rate, slip, Vec3::new(0.1, 0.0, 0.0));
            assert_eq!(outputs(&law, &x), [0.0; 6]);
            let deeper = exact(&law, &x, &[-1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
            assert_eq!(deeper, [0.0; 6], "{law:?}");
            let faster = exact(&law, &x, &[0.0, 1.0, -2.0, 0.5, 1.0, 1.0, 1.0]);
            assert_eq!(faster, [0.0; 6], "{law:?}");
        }
    }
}

#[test]
fn numbers_near_the_smallest_give_finite_derivatives() {
    let tinies = [5e-324, 1e-310, 1e-200, 1e-160, 1e-154, 1e-101, 1e-99, 1e-30];
    for law in laws() {
        for tiny in tinies {
            let x = inputs(1e-5, tiny, slip(tiny), Vec3::new(tiny, 0.0, tiny));
            let d = exact(&law, &x, &[1.0; 7]);
            assert!(d.iter().all(|d| d.is_finite()), "{law:?} {tiny}: {d:?}");
        }
    }
    // The depth from the surface comes near to zero.
    for law in laws_under(LawOptions::MODIA3D_0_12.rule) {
        for tiny in tinies {
            let mut x = inputs(0.0, 0.1, slip(0.1), Vec3::new(1.0, 0.0, 0.0));
            x[0] = -tiny;
            let d = exact(&law, &x, &[1.0; 7]);
            assert!(d.iter().all(|d| d.is_finite()), "{law:?} {tiny}: {d:?}");
        }
    }
}
