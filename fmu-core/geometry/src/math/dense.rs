//! Dense output: the solution inside one accepted step, whichever formula took it.
//!
//! With theta = (t - t0)/(t1 - t0) and the coefficient vectors r1, r2, ... of the step,
//!   x(t) = r1 + theta (r2 + (1-theta) (r3 + theta (r4 + (1-theta) (r5 + ...)))).
//! The factors of the rows, 1, theta, theta (1-theta), theta^2 (1-theta), ..., have the degrees 0,
//! 1, 2, 3, ...: R rows represent any polynomial of degree R - 1. r1 is x0, r1 + r2 is x1, further
//! rows vanish at both ends, from r5 on with their derivatives. Source: [Hairer, Nørsett, Wanner I]
//! II.6, where the formulas of orders 5 and 8 have 5 and 8 rows.

use crate::math::Quartic;

/// Dense output of one integrator step.
#[derive(Clone, Copy, Debug)]
pub struct DenseStep<'a> {
    t0: f64,
    t1: f64,
    start: &'a [f64],
    end: &'a [f64],
    rows: &'a [f64],
}

impl<'a> DenseStep<'a> {
    /// Step from (t0, start) to (t1, end); `rows` holds r1 of all states, then r2, and so on.
    pub fn new(
        t0: f64,
        t1: f64,
        start: &'a [f64],
        end: &'a [f64],
        rows: &'a [f64],
    ) -> DenseStep<'a> {
        DenseStep {
            t0,
            t1,
            start,
            end,
            rows,
        }
    }

    /// Time at the start of the step [s].
    pub fn t0(&self) -> f64 {
        self.t0
    }

    /// Time at the end of the step [s], > t0.
    pub fn t1(&self) -> f64 {
        self.t1
    }

    /// States at the start.
    pub fn start(&self) -> &'a [f64] {
        self.start
    }

    /// States at the end.
    pub fn end(&self) -> &'a [f64] {
        self.end
    }

    /// Interpolates the states at `time` in [t0, t1]; exact at both ends. Extrapolation is
    /// possible, with a fast growing error.
    pub fn interpolate(&self, time: f64, states: &mut [f64]) {
        if time == self.t0 {
            states.copy_from_slice(self.start);
        } else if time == self.t1 {
            states.copy_from_slice(self.end);
        } else {
            evaluate(self.rows, (time - self.t0) / (self.t1 - self.t0), states);
        }
    }

    /// Interpolant of one state. Above degree 4, the quartic with the same values and derivatives
    /// at both ends and the same value in the middle.
    ///
    /// In Bernstein form of degree 4 theta has the coefficients (0, 1/4, 1/2, 3/4, 1), theta
    /// (1-theta) has (0, 1/4, 1/3, 1/4, 0), theta^2 (1-theta) has (0, 0, 1/6, 1/4, 0), and theta^2
    /// (1-theta)^2 has (0, 0, 1/6, 0, 0). In the middle the factor of each row is half that of the
    /// row before.
    pub fn quartic(&self, state: usize) -> Quartic {
        let n = self.start.len();
        let row = |r: usize| self.rows.get(r * n + state).copied();
        let [r1, r2, r3, r4, mut r5] = [0, 1, 2, 3, 4].map(|r| row(r).unwrap_or(0.0));
        let mut factor = 0.5;
        for r in (5..).map_while(row) {
            r5 += factor * r;
            factor *= 0.5;
        }
        let quarter = 0.25 * (r2 + r3);
        Quartic([
            r1,
            r1 + quarter,
            r1 + 0.5 * r2 + r3 / 3.0 + (r4 + r5) / 6.0,
            r1 + 0.75 * r2 + 0.25 * (r3 + r4),
            r1 + r2,
        ])
    }
}

/// Evaluates the dense output at theta = `fraction`; needs at least one row.
pub fn evaluate(rows: &[f64], fraction: f64, states: &mut [f64]) {
    let n = states.len();
    if n == 0 {
        return;
    }
    let (theta, remaining) = (fraction, 1.0 - fraction);
    let (before, last) = rows.split_at(rows.len() - n);
    states.copy_from_slice(last);
    for (index, row) in before.chunks_exact(n).enumerate().rev() {
        let factor = if index % 2 == 0 { theta } else { remaining };
        for (x, r) in states.iter_mut().zip(row) {
            *x = r + factor * *x;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const END: [f64; 1] = [0.0];

    fn step(rows: &[f64]) -> DenseStep<'_> {
        DenseStep::new(0.0, 1.0, &END, &END, rows)
    }

    fn at(rows: &[f64], theta: f64) -> f64 {
        let mut x = [0.0];
        evaluate(rows, theta, &mut x);
        x[0]
    }

    #[test]
    fn rows_are_the_coefficients_of_the_nested_form() {
        let rows = [2.0, -1.0, 3.0, 0.5, -4.0, 7.0];
        for i in 0..=10 {
            let t = f64::from(i) / 10.0;
            let s = 1.0 - t;
            let terms = [1.0, t, t * s, t * t * s, t * t * s * s, t * t * t * s * s];
            for count in 1..=rows.len() {
                let sum: f64 = (0..count).map(|r| rows[r] * terms[r]).sum();
                assert!((at(&rows[..count], t) - sum).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn quartic_is_the_polynomial_of_up_to_five_rows() {
        let rows = [2.0, -1.0, 3.0, 0.5, -4.0];
        for count in 1..=rows.len() {
            let quartic = step(&rows[..count]).quartic(0);
            for i in 0..=10 {
                let t = f64::from(i) / 10.0;
                assert!((quartic.at(t) - at(&rows[..count], t)).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn quartic_of_more_rows_meets_both_ends_their_slopes_and_the_middle() {
        let rows = [2.0, -1.0, 3.0, 0.5, -4.0, 7.0, -2.5, 1.5];
        let quartic = step(&rows).quartic(0);
        for t in [0.0, 0.5, 1.0] {
            assert!((quartic.at(t) - at(&rows, t)).abs() < 1e-14);
        }
        for t in [0.0, 1.0] {
            // Central differences of a polynomial with a third derivative below 1e3.
            let slope = (at(&rows, t + 1e-5) - at(&rows, t - 1e-5)) / 2e-5;
            assert!((quartic.rate_at(t) - slope).abs() < 1e-7);
        }
    }
}
