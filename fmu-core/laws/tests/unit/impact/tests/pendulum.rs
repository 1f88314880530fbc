//! A double pendulum whose tip hits a floor, of two uniform rods of 1 kg and 1 m: where Newton's
//! hypothesis makes energy. Piecewise linear paths computed independently (a script in Python with numpy).

use super::*;
use crate::impact::together;

/// Angles from the downward vertical [deg] and rates; the case and the kinetic energy before.
fn pendulum(angles: [f64; 2], rates: [f64; 2], touch: Touch) -> (Case, f64) {
    let [a, b] = angles.map(f64::to_radians);
    let c = 0.5 * (a - b).cos();
    let m = nalgebra::Matrix2::new(4.0 / 3.0, c, c, 1.0 / 3.0);
    // The tip is at (sin a + sin b, -cos a - cos b).
    let j = nalgebra::Matrix2::new(a.cos(), b.cos(), a.sin(), b.sin());
    let q = nalgebra::Vector2::from(rates);
    let w = j * m.try_inverse().unwrap() * j.transpose();
    let u = j * q;
    let w = [[w[(0, 0)], w[(0, 1)]], [w[(1, 0)], w[(1, 1)]]];
    (Case::planar(w, [u[0], u[1]], touch), 0.5 * q.dot(&(m * q)))
}

/// Ratio of the kinetic energies of the path as it is.
fn unscaled(case: &Case, energy: f64, hypothesis: Hypothesis) -> ([f64; 2], f64) {
    let w = case.w.fixed_view::<6, 6>(0, 0).into();
    let u = nalgebra::SVector::from_column_slice(&case.u);
    let p = together::path(&w, &u, &case.touches[0], hypothesis).end;
    ([p[1], p[0]], 1.0 + p.dot(&(u + w * p * 0.5)) / energy)
}

#[test]
fn paths_are_those_of_an_independent_computation() {
    let first = [1.298081258389, 0.599243467001, 0.658092731976];
    let second = [0.992954021361, 0.571673120359, 0.600091694265];
    for (e, ratios) in [(0.9, first), (0.7, second)] {
        let (case, energy) = pendulum([20.0, 30.0], [-0.1, -0.2], touch(e, 0.5));
        assert!((energy - 0.023181410863455).abs() < 1e-15);
        for (hypothesis, ratio) in HYPOTHESES.into_iter().zip(ratios) {
            let (_, found) = unscaled(&case, energy, hypothesis);
            assert!((found - ratio).abs() < 1e-11, "{hypothesis:?}: {found}");
        }
    }
    let (case, energy) = pendulum([-16.0, -23.0], [0.0, 0.6], touch(0.7, 0.5));
    let impulses = [
        [2.321511544847, 5.510918027193],
        [-0.051179277675, 0.316188182226],
        [0.067443691443, 0.575899338910],
    ];
    let ratios = [8.454882392222, 0.215806075399, 0.344212601618];
    for (i, hypothesis) in HYPOTHESES.into_iter().enumerate() {
        let (p, ratio) = unscaled(&case, energy, hypothesis);
        assert_near(&p, &impulses[i], 1e-11);
        assert!((ratio - ratios[i]).abs() < 1e-10, "{hypothesis:?}: {ratio}");
    }
}

#[test]
fn no_hypothesis_makes_energy() {
    for (angles, rates, e) in [
        ([20.0, 30.0], [-0.1, -0.2], 0.9),
        ([20.0, 30.0], [-0.1, -0.2], 0.7),
        ([-16.0, -23.0], [0.0, 0.6], 0.7),
    ] {
        let (case, energy) = pendulum(angles, rates, touch(e, 0.5));
        for hypothesis in HYPOTHESES {
            let (_, path) = unscaled(&case, energy, hypothesis);
            for multi in [MultiImpact::Propagate, MultiImpact::Together] {
                let found = case.solve(hypothesis, multi).unwrap();
                let ratio = 1.0 + found.checks.energy_change / energy;
                assert!(ratio <= 1.0 + 1e-14, "{hypothesis:?} {multi:?}: {ratio}");
                assert!(found.checks.cone <= 1.0 + 1e-14);
                assert!(found.checks.deepest_approach < 1e-14);
                if multi == MultiImpact::Propagate {
                    assert!((ratio - path.min(1.0)).abs() < 1e-12);
                }
            }
        }
    }
}
