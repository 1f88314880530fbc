//! Order of the formula and of the dense output, and orbits whose solution is known.

use super::super::Statistics;
use super::{Problem, Run, error_in_tolerances, order};
use crate::integrator::dormand_prince::DormandPrince;
use crate::integrator::evaluator::{Evaluator, Method};
use contact_geometry::math::dense::evaluate;

const ROWS: usize = DormandPrince::DENSE_ROWS;

/// x' = -2 t x^2 with x(0) = 1 has the solution 1/(1 + t^2).
fn bell() -> Problem {
    Problem::new(&[1.0], |t, x, f| {
        f[0] = -2.0 * t * x[0] * x[0];
        Ok(())
    })
}

fn bell_at(t: f64) -> f64 {
    1.0 / (1.0 + t * t)
}

/// One step from the exact solution at `t0`.
fn single_step(t0: f64, h: f64) -> (DormandPrince, f64) {
    let mut statistics = Statistics::default();
    let mut evaluator = Evaluator {
        system: &mut bell(),
        statistics: &mut statistics,
    };
    let x0 = bell_at(t0);
    let mut method = DormandPrince::new(1);
    method.start(&mut evaluator, t0, &[x0]).unwrap();
    method.step(&mut evaluator, t0, t0 + h, &[x0]).unwrap();
    method.finish(&mut evaluator, t0 + h).unwrap();
    (method, x0)
}

#[test]
fn global_error_falls_with_the_fifth_power_of_the_step() {
    let error = |h: f64| {
        let mut statistics = Statistics::default();
        let mut evaluator = Evaluator {
            system: &mut bell(),
            statistics: &mut statistics,
        };
        let (mut method, mut x) = (DormandPrince::new(1), [1.0]);
        let steps = (1.0 / h).round() as i32;
        for i in 0..steps {
            let (t0, t1) = (f64::from(i) * h, f64::from(i + 1) * h);
            method.start(&mut evaluator, t0, &x).unwrap();
            method.step(&mut evaluator, t0, t1, &x).unwrap();
            x[0] = method.end()[0];
        }
        (x[0] - bell_at(1.0)).abs()
    };
    let order = order(error, 1.0 / 32.0);
    assert!((order - 5.0).abs() < 0.1, "order {order}");
}

#[test]
fn error_estimate_falls_with_the_fifth_power_of_the_step() {
    // The estimate is the local error of the embedded formula of order 4.
    let estimate = |h: f64| {
        let (method, x0) = single_step(0.3, h);
        error_in_tolerances(&method, h, &[x0])
    };
    let order = order(estimate, 1.0 / 64.0);
    assert!((order - 5.0).abs() < 0.1, "order {order}");
}

#[test]
fn local_error_of_the_dense_output_falls_with_the_fifth_power_of_the_step() {
    // A local error of h^5 everywhere inside the step is order 4.
    let error = |h: f64| {
        let (method, x0) = single_step(0.3, h);
        let mut rows = [0.0; ROWS];
        method.dense(h, &[x0], &mut rows);
        (0..=20)
            .map(|i| {
                let part = f64::from(i) / 20.0;
                let mut x = [0.0];
                evaluate(&rows, part, &mut x);
                (x[0] - bell_at(0.3 + part * h)).abs()
            })
            .fold(0.0, f64::max)
    };
    let order = order(error, 1.0 / 32.0);
    assert!((order - 5.0).abs() < 0.15, "order {order}");
}

#[test]
fn dense_output_meets_states_and_derivatives_at_both_ends() {
    let h = 0.1;
    let (method, x0) = single_step(0.3, h);
    let mut rows = [0.0; ROWS];
    method.dense(h, &[x0], &mut rows);
    let at = |part: f64| {
        let mut x = [0.0];
        evaluate(&rows, part, &mut x);
        x[0]
    };
    let slope = |part: f64| (at(part + 1e-5) - at(part - 1e-5)) / (2e-5 * h);
    let rate = |t: f64, x: f64| -2.0 * t * x * x;
    assert!((at(1.0) - method.end()[0]).abs() < 1e-15);
    // Central differences of width 1e-5 of the step: rounding 1e-16/1e-6.
    assert!((slope(0.0) - rate(0.3, x0)).abs() < 1e-9);
    assert!((slope(1.0) - rate(0.4, method.end()[0])).abs() < 1e-9);
}

#[test]
fn harmonic_oscillator_keeps_to_the_tolerance_over_ten_periods() {
    let error = |rtol: f64| {
        let mut run = Run::new(
            Problem::new(&[1.0, 1.0], |_, x, f| {
                (f[0], f[1]) = (x[1], -x[0]);
                Ok(())
            }),
            rtol,
            &[1.0, 0.0],
        );
        let end = 20.0 * std::f64::consts::PI + 1.0;
        run.to(end);
        (run.states[0] - end.cos()).hypot(run.states[1] + end.sin())
    };
    // Each step may add 2 rtol (nominal 1 + |x| up to 1). At 1e-6 about 130 steps.
    assert!(error(1e-6) < 130.0 * 2e-6);
    // Proportional to the tolerance up to a factor of 4 in 1e4.
    let ratio = error(1e-6) / error(1e-10);
    assert!((0.25e4..4e4).contains(&ratio), "ratio {ratio:e}");
}

#[test]
fn kepler_orbit_meets_the_equation_of_kepler() {
    // Eccentricity 0.6, semi-major axis 1, period 2 pi, start at the pericentre.
    let eccentricity = 0.6_f64;
    let kepler = Problem::new(&[1.0; 4], |_, x, f| {
        let cube = x[0].hypot(x[1]).powi(3);
        (f[0], f[1], f[2], f[3]) = (x[2], x[3], -x[0] / cube, -x[1] / cube);
        Ok(())
    });
    let speed = ((1.0 + eccentricity) / (1.0 - eccentricity)).sqrt();
    let mut run = Run::new(kepler, 1e-12, &[1.0 - eccentricity, 0.0, 0.0, speed]);
    let end = 20.0;
    run.to(end);
    // Mean anomaly M = t = E - e sin E; position (cos E - e, sqrt(1 - e^2) sin E).
    let mut anomaly = end;
    for _ in 0..50 {
        anomaly -=
            (anomaly - eccentricity * anomaly.sin() - end) / (1.0 - eccentricity * anomaly.cos());
    }
    let x = anomaly.cos() - eccentricity;
    let y = (1.0 - eccentricity * eccentricity).sqrt() * anomaly.sin();
    let error = (run.states[0] - x).hypot(run.states[1] - y);
    // Errors along the orbit grow with time squared; 1e3 steps of 1e-12 and three revolutions.
    assert!(error < 1e-8, "error {error:e}");
}

#[test]
fn arenstorf_orbit_closes_after_its_period() {
    // Restricted three-body problem, numbers of [Hairer, Nørsett, Wanner I] II.0.
    let moon = 0.012277471_f64;
    let earth = 1.0 - moon;
    let arenstorf = Problem::new(&[1.0; 4], move |_, x, f| {
        let d1 = ((x[0] + moon).powi(2) + x[1] * x[1]).powf(1.5);
        let d2 = ((x[0] - earth).powi(2) + x[1] * x[1]).powf(1.5);
        f[0] = x[2];
        f[1] = x[3];
        f[2] = x[0] + 2.0 * x[3] - earth * (x[0] + moon) / d1 - moon * (x[0] - earth) / d2;
        f[3] = x[1] - 2.0 * x[2] - earth * x[1] / d1 - moon * x[1] / d2;
        Ok(())
    });
    let start = [0.994, 0.0, 0.0, -2.001_585_106_379_082_5];
    let mut run = Run::new(arenstorf, 1e-13, &start);
    run.to(17.065_216_560_157_964);
    let error = (run.states[0] - start[0]).hypot(run.states[1] - start[1]);
    assert!(error < 1e-5, "error {error:e}");
}
