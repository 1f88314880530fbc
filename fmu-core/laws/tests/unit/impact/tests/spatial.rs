//! Sliding in space.

use super::*;
use crate::impact::together;
use nalgebra::{SMatrix, SVector};

type Six = SVector<f64, 6>;
type Six2 = SMatrix<f64, 6, 6>;

/// A turn about the normal.
fn turn(angle: f64) -> DMatrix<f64> {
    let (s, c) = angle.sin_cos();
    let mut q = DMatrix::identity(6, 6);
    for i in [1, 4] {
        q[(i, i)] = c;
        q[(i, i + 1)] = -s;
        q[(i + 1, i)] = s;
        q[(i + 1, i + 1)] = c;
    }
    q
}

#[test]
fn planar_impact_turned_about_the_normal_is_the_turned_one() {
    let w = [[2.5, 1.5], [1.5, 2.5]];
    for (mu, slip) in [
        (0.1, -0.3),
        (0.3, -0.3),
        (0.8, -0.3),
        (0.3, 0.3),
        (0.8, 0.3),
        (0.8, 0.0),
    ] {
        let flat = Case::planar(w, [slip, -1.0], touch(0.5, mu));
        for hypothesis in HYPOTHESES {
            let plain = flat.solve(hypothesis, MultiImpact::Propagate).unwrap();
            for i in 1..20 {
                let q = turn(0.37 * f64::from(i));
                let turned = |x: &[f64]| (&q * DVector::from_column_slice(x)).as_slice().to_vec();
                let case = Case {
                    w: &q * &flat.w * q.transpose(),
                    u: turned(&flat.u),
                    touches: flat.touches.clone(),
                };
                let found = case.solve(hypothesis, MultiImpact::Propagate).unwrap();
                assert_near(&found.impulses, &turned(&plain.impulses), 1e-12);
                assert_near(&found.velocities, &turned(&plain.velocities), 1e-12);
            }
        }
    }
}

/// An inverse mass with all couplings of n, t1 and t2.
fn coupled() -> Six2 {
    let mut w = Six2::zeros();
    let rows = [[2.0, 0.5, -0.3], [0.5, 3.0, 0.8], [-0.3, 0.8, 1.6]];
    for (i, row) in rows.iter().enumerate() {
        for (j, x) in row.iter().enumerate() {
            w[(i, j)] = *x;
        }
    }
    w
}

/// Slides over a normal impulse in many equal steps of Runge and Kutta's classical formula.
fn slide(w: &Six2, u: &Six, mu: f64, p_n: f64) -> (Six, Six, f64) {
    let r = |u: &Six| {
        let size = u[1].hypot(u[2]);
        Six::new(1.0, -mu * u[1] / size, -mu * u[2] / size, 0.0, 0.0, 0.0)
    };
    let steps = 20_000;
    let h = p_n / f64::from(steps);
    let (mut u, mut p, mut work) = (*u, Six::zeros(), 0.0);
    for _ in 0..steps {
        let r1 = r(&u);
        let u2 = u + w * r1 * (0.5 * h);
        let r2 = r(&u2);
        let u3 = u + w * r2 * (0.5 * h);
        let r3 = r(&u3);
        let u4 = u + w * r3 * h;
        let r4 = r(&u4);
        let mean = (r1 + 2.0 * r2 + 2.0 * r3 + r4) / 6.0;
        work += h * (u[0] + 2.0 * u2[0] + 2.0 * u3[0] + u4[0]) / 6.0;
        p += mean * h;
        u += w * mean * h;
    }
    (u, p, work)
}

#[test]
fn coupled_sliding_is_that_of_many_small_steps() {
    let w = coupled();
    let (mu, e) = (0.3, 0.6);
    for (slip_1, slip_2) in [(1.5, 0.4), (-0.9, 1.3), (0.2, -2.0)] {
        let u = Six::new(-1.0, slip_1, slip_2, 0.0, 0.0, 0.0);
        let found = |hypothesis| together::path(&w, &u, &touch(e, mu), hypothesis);
        let [newton, poisson, energetic] = HYPOTHESES.map(found);
        let (at_c, p_c, work_c) = slide(&w, &u, mu, poisson.compression[0]);
        assert!(at_c[0].abs() < 1e-10, "{at_c}");
        assert!((p_c - poisson.compression).amax() < 1e-10);
        let (_, p, _) = slide(&w, &u, mu, (1.0 + e) * poisson.compression[0]);
        assert!((p - poisson.end).amax() < 1e-10);
        let (end, p, _) = slide(&w, &u, mu, newton.end[0]);
        assert!((end[0] - e).abs() < 1e-10);
        assert!((p - newton.end).amax() < 1e-10);
        let (_, p, work) = slide(&w, &u, mu, energetic.end[0]);
        assert!((work - (1.0 - e * e) * work_c).abs() < 1e-10);
        assert!((p - energetic.end).amax() < 1e-10);
    }
}

#[test]
fn slip_that_turns_and_stops_is_that_of_smooth_friction_with_a_small_speed() {
    // Stick holds where mu is large, slip goes on in another direction where it is small. Friction
    // -mu u/sqrt(|u|^2 + s^2) errs by about s.
    let w = coupled();
    for mu in [0.15, 0.5] {
        for (slip_1, slip_2) in [(0.1, 0.12), (-0.2, 0.1), (0.05, -0.3)] {
            let u = Six::new(-1.0, slip_1, slip_2, 0.0, 0.0, 0.0);
            let found = together::path(&w, &u, &touch(0.5, mu), Hypothesis::Poisson);
            let s_2 = 1e-5_f64 * 1e-5;
            let steps = 400_000;
            let h = found.end[0] / f64::from(steps);
            let (mut smooth, mut p) = (u, Six::zeros());
            for _ in 0..steps {
                // The midpoint rule with the speed of the last step, implicit in the friction alone.
                let size = (smooth[1] * smooth[1] + smooth[2] * smooth[2] + s_2).sqrt();
                let b = smooth + w.column(0) * h;
                let a = nalgebra::Matrix2::new(
                    1.0 + h * mu * w[(1, 1)] / size,
                    h * mu * w[(1, 2)] / size,
                    h * mu * w[(2, 1)] / size,
                    1.0 + h * mu * w[(2, 2)] / size,
                );
                let t = a.try_inverse().unwrap() * nalgebra::Vector2::new(b[1], b[2]);
                let step = Six::new(
                    h,
                    -h * mu * t[0] / size,
                    -h * mu * t[1] / size,
                    0.0,
                    0.0,
                    0.0,
                );
                p += step;
                smooth += w * step;
            }
            assert!((p - found.end).amax() < 1e-4, "{p} {}", found.end);
        }
    }
}
