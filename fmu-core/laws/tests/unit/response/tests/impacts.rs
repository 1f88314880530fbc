//! Impacts of a mass on a law, integrated here by an adaptive Runge-Kutta pair of order 5(4) with
//! the leaving found by bisection of the last step.

use super::*;
use crate::response::choice::{Damping, NormalKind, RestitutionRule, Step};
use crate::response::restitution::obtained;

/// Error per step relative to impact speed and largest depth [1].
const TOLERANCE: f64 = 1e-12;

/// Stages of Dormand and Prince: nodes of the mass at depth x and speed v.
#[rustfmt::skip]
const A: [[f64; 6]; 6] = [
    [1.0 / 5.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0, 0.0],
    [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0, 0.0, 0.0],
    [19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0, 0.0, 0.0],
    [9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0, 0.0],
    [35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];
/// Weights of the estimated error.
const E: [f64; 7] = [
    71.0 / 57600.0,
    0.0,
    -71.0 / 16695.0,
    71.0 / 1920.0,
    -17253.0 / 339200.0,
    22.0 / 525.0,
    -1.0 / 40.0,
];

/// One step of x' = v, v' = a(x, v); the new (x, v) and the error of both.
fn step(a: impl Fn(f64, f64) -> f64, (x, v): (f64, f64), h: f64) -> ((f64, f64), (f64, f64)) {
    let mut slopes = [(v, a(x, v)); 7];
    let mut end = (x, v);
    for (i, row) in A.iter().enumerate() {
        let sum = row
            .iter()
            .zip(&slopes)
            .fold((0.0, 0.0), |sum, (w, k)| (sum.0 + w * k.0, sum.1 + w * k.1));
        end = (x + h * sum.0, v + h * sum.1);
        slopes[i + 1] = (end.1, a(end.0, end.1));
    }
    let error = E
        .iter()
        .zip(&slopes)
        .fold((0.0, 0.0), |sum, (w, k)| (sum.0 + w * k.0, sum.1 + w * k.1));
    (end, (h * error.0, h * error.1))
}

/// Speed of leaving over speed `v0` [m/s] of the impact of a mass [kg].
fn bounce(law: &PairLaw, mass: f64, v0: f64) -> f64 {
    let frozen = law.frozen(v0, mass);
    let acceleration = |x: f64, v: f64| -law.force(&pressing(x, v), frozen).normal_force / mass;
    let elastic = law.normal.elastic().expect("a force");
    let depth = elastic.depth_after_impact(mass, v0);
    let (mut state, mut h) = ((0.0, v0), 1e-6 * depth / v0);
    for _ in 0..1_000_000 {
        let (next, error) = step(acceleration, state, h);
        let error = (error.0 / depth).abs().max((error.1 / v0).abs()) / TOLERANCE;
        if error <= 1.0 && next.0 < 0.0 {
            let (mut inside, mut outside) = (0.0, h);
            for _ in 0..60 {
                let middle = 0.5 * (inside + outside);
                match step(acceleration, state, middle).0.0 < 0.0 {
                    true => outside = middle,
                    false => inside = middle,
                }
            }
            return -step(acceleration, state, inside).0.1 / v0;
        }
        if error <= 1.0 {
            state = next;
        }
        h *= (0.9 * error.powf(-0.2)).clamp(0.2, 4.0);
    }
    panic!("the mass does not leave");
}

/// A law with a restitution that does not depend on speed.
fn constant(normal: NormalKind) -> LawOptions {
    latched(|o| (o.normal, o.restitution) = (normal, RestitutionRule::Constant))
}

/// A spring of this exponent with damping from a restitution that does not depend on speed.
fn damped(damping: Damping, restitution: f64, exponent: f64) -> PairLaw {
    let mut options = constant(NormalKind::Spring);
    (options.damping, options.d_max) = (damping, 1e9);
    let e = (Number::Restitution, restitution);
    law(options, &[e, (Number::Exponent, exponent)])
}

const EXPONENTS: [f64; 3] = [1.0, 1.5, 2.0];

#[test]
fn exact_damping_obtains_what_is_requested_at_any_exponent_mass_and_speed() {
    for exponent in [1.0, 1.3, 1.5, 2.0, 3.0] {
        for e in [0.01, 0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 1.0] {
            let law = damped(Damping::Exact, e, exponent);
            for (mass, v0) in [(1.0, 1.0), (1e-3, 0.01), (50.0, 7.0)] {
                let found = bounce(&law, mass, v0);
                assert!((found - e).abs() < 1e-8, "{exponent} {mass} {e}: {found}");
            }
        }
    }
}

#[test]
fn published_formulas_obtain_what_is_known_of_them_by_integration() {
    // Requested and obtained; from bisection of (1 + e) u = ln((1 + u)/(1 - e u)) in 60 digits.
    let rows = [
        (Damping::EngelsonFraction, 0.5, 0.5936),
        (Damping::EngelsonFraction, 0.505, 0.505 + 0.0936),
        (Damping::Flores, 0.5, 0.4704),
        (Damping::Flores, 0.1, 0.0694),
        (Damping::Flores, 0.240, 0.240 - 0.0454),
        (Damping::EngelsonPolynomial, 0.5, 0.5014),
        (Damping::EngelsonPolynomial, 1.0, 0.9521),
        (Damping::HuntCrossley, 0.5, 0.6630),
        (Damping::LankaraniNikravesh, 0.5, 0.7252),
        (Damping::Gonthier, 0.5, 0.4877),
        (Damping::HuGuo, 0.8, 0.7992),
        (Damping::HerbertMcWhannell, 0.5, 0.5936),
        (Damping::HerbertMcWhannell, 0.9, 0.9009),
    ];
    for (damping, requested, expected) in rows {
        for exponent in EXPONENTS {
            let found = bounce(&damped(damping, requested, exponent), 2.0, 0.8);
            let off = (found - expected).abs();
            assert!(off < 6e-5, "{damping:?} {requested}: {found}");
        }
    }
}

#[test]
fn closed_form_of_the_obtained_restitution_is_what_integration_gives() {
    for exponent in EXPONENTS {
        for d in [1e-3, 0.1, 1.0, 3.0, 20.0] {
            let constant = (NormalKind::Spring, Damping::Constant);
            let options = latched(|o| (o.normal, o.damping) = constant);
            let coefficient = (Number::DampingCoefficient, d);
            let law = law(options, &[coefficient, (Number::Exponent, exponent)]);
            for v0 in [0.1, 1.0, 4.0] {
                let found = bounce(&law, 1.0, v0);
                assert!((found - obtained(d * v0)).abs() < 1e-8, "{d} {v0}: {found}");
            }
        }
    }
}

#[test]
fn hertz_and_layers_obtain_what_is_requested_too() {
    for normal in [NormalKind::Hertz, NormalKind::Volume] {
        let options = LawOptions { normal, ..LATCHED };
        // At 1 m/s the regularized coefficient is the given one to rounding.
        let found = bounce(&law(options, &[(Number::Restitution, 0.6)]), 1.0, 1.0);
        assert!((found - 0.6).abs() < 1e-8, "{normal:?}: {found}");
    }
}

#[test]
fn poisson_law_comes_to_its_restitution_as_impacts_outgrow_the_transition_speed() {
    // Values of an independent integration for e = 0.5.
    let table = [
        (1.0, 0.652, 5e-4),
        (2.0, 0.551, 5e-4),
        (5.0, 0.508, 5e-4),
        (10.0, 0.502, 5e-4),
        (20.0, 0.5005, 5e-5),
    ];
    let options = constant(NormalKind::Poisson);
    let numbers = [(Number::Restitution, 0.5), (Number::TransitionSpeed, 0.1)];
    let law = law(options, &numbers);
    for (ratio, expected, digits) in table {
        let found = bounce(&law, 1.0, 0.1 * ratio);
        assert!((found - expected).abs() < digits, "{ratio}: {found}");
    }
}

#[test]
fn poisson_law_with_restitution_one_is_elastic_and_with_small_v_n_exact() {
    for step in [Step::Cubic, Step::Quintic] {
        let mut options = constant(NormalKind::Poisson);
        options.step = step;
        for (e, v_n, digits) in [(1.0, 0.1, 1e-9), (0.3, 1e-3, 1e-5), (0.8, 1e-3, 1e-5)] {
            let numbers = [(Number::Restitution, e), (Number::TransitionSpeed, v_n)];
            let found = bounce(&law(options, &numbers), 1.0, 1.0);
            assert!((found - e).abs() < digits, "{step:?} {e}: {found}");
        }
    }
}

fn impact(c_max: f64, depth: f64, exponent: f64, step: Step) -> PairLaw {
    let options = latched(|o| (o.normal, o.step) = (NormalKind::Impact, step));
    let numbers = [
        (Number::LargestDamping, c_max),
        (Number::DampingDepth, depth),
        (Number::Exponent, exponent),
    ];
    law(options, &numbers)
}

#[test]
fn impact_law_without_damping_is_elastic() {
    for exponent in EXPONENTS {
        let found = bounce(&impact(0.0, 1e-4, exponent, Step::Cubic), 1.0, 1.0);
        assert!((found - 1.0).abs() < 1e-9, "{found}");
    }
}

#[test]
fn impact_law_with_damping_from_the_surface_on_is_the_linear_damper() {
    // m x'' + c x' + k x = 0 until the force is zero, then free: with z = c/(2 sqrt(k m)) the force
    // ends at the phase pi - 2 asin z, and e = exp(-z (pi - 2 asin z)/sqrt(1 - z^2)).
    let (mass, k) = (1.0, 1e6_f64);
    for step in [Step::Cubic, Step::Quintic] {
        for z in [0.05_f64, 0.2, 0.6] {
            let c = 2.0 * z * (k * mass).sqrt();
            // Largest depth some 1e-3 m; the damping sets in within 1e-9 m.
            let found = bounce(&impact(c, 1e-9, 1.0, step), mass, 1.0);
            let phase = std::f64::consts::PI - 2.0 * z.asin();
            let expected = (-z * phase / (1.0 - z * z).sqrt()).exp();
            assert!((found - expected).abs() < 1e-5, "{z}: {found} {expected}");
        }
    }
}

#[test]
fn impact_law_whose_damping_depth_is_never_reached_loses_little() {
    // Energy lost is at most the damping at the largest depth times the way: with the step below
    // 3 (x/d)^2 and the largest depth x = v sqrt(m/k), c 3 (x/d)^2 v 2 x.
    let (c, d, x) = (300.0, 0.1, 1e-3);
    let found = bounce(&impact(c, d, 1.0, Step::Cubic), 1.0, 1.0);
    let loss = 0.5 * (1.0 - found * found);
    assert!(
        loss > 0.0 && loss < c * 3.0 * (x / d) * (x / d) * 2.0 * x,
        "{loss}"
    );
}

#[test]
fn the_cap_of_the_damping_coefficient_limits_what_is_obtained() {
    // e = 0.05 wants u = 20, at 0.01 m/s d = 2000 s/m; with d_max = 1000 u is 10: e = 0.0999816.
    let capped = |d_max: f64| {
        let mut options = constant(NormalKind::Spring);
        options.d_max = d_max;
        bounce(&law(options, &[(Number::Restitution, 0.05)]), 1.0, 0.01)
    };
    assert!((capped(1e4) - 0.05).abs() < 1e-8);
    assert!((capped(1e3) - 0.0999816248).abs() < 1e-8);
}
