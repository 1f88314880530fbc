//! The solution inside one accepted step, to order 4.
//!
//! With theta = (t - t0)/(t1 - t0) and the coefficient vectors r1..r5 of the step,
//!   x(t) = r1 + theta (r2 + (1-theta) (r3 + theta (r4 + (1-theta) r5))).
//! It meets x0, x1 and both end derivatives. Source: [Hairer, Nørsett, Wanner I] II.6.

use crate::math::Quartic;

/// One step of an integrator.
#[derive(Clone, Copy, Debug)]
pub struct DenseStep<'a> {
    t0: f64,
    t1: f64,
    start: &'a [f64],
    end: &'a [f64],
    rows: &'a [f64],
}

impl<'a> DenseStep<'a> {
    /// A step from (t0, start) to (t1, end) with the coefficients r1 to r5 of each state, `rows`, one
    /// row after the other.
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

    /// Writes the states at `time` in [t0, t1]; at both ends exactly those of the step. Outside
    /// the polynomial is continued, with an error that grows fast.
    pub fn interpolate(&self, time: f64, states: &mut [f64]) {
        if time == self.t0 {
            states.copy_from_slice(self.start);
        } else if time == self.t1 {
            states.copy_from_slice(self.end);
        } else {
            evaluate(self.rows, (time - self.t0) / (self.t1 - self.t0), states);
        }
    }

    /// The polynomial of one state over the step. In Bernstein form of degree 4 theta has the
    /// coefficients (0, 1/4, 1/2, 3/4, 1), theta (1-theta) has (0, 1/4, 1/3, 1/4, 0),
    /// theta^2 (1-theta) has (0, 0, 1/6, 1/4, 0), and theta^2 (1-theta)^2 has (0, 0, 1/6, 0, 0).
    pub fn quartic(&self, state: usize) -> Quartic {
        let n = self.start.len();
        let [r1, r2, r3, r4, r5] = [0, 1, 2, 3, 4].map(|row| self.rows[row * n + state]);
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

/// The dense polynomial at theta = `fraction` of the step.
pub fn evaluate(rows: &[f64], fraction: f64, states: &mut [f64]) {
    let n = states.len();
    let (r1, rest) = rows.split_at(n);
    let (r2, rest) = rest.split_at(n);
    let (r3, rest) = rest.split_at(n);
    let (r4, r5) = rest.split_at(n);
    let r5 = &r5[..n];
    let theta = fraction;
    let remaining = 1.0 - theta;
    for i in 0..n {
        states[i] =
            r1[i] + theta * (r2[i] + remaining * (r3[i] + theta * (r4[i] + remaining * r5[i])));
    }
}
