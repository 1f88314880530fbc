//! One step of the explicit Runge-Kutta formula of Dormand and Prince, order 5(4), seven stages,
//! first same as last.
//!
//! With k_1 = f(t0, x0), step h:
//!   k_s = f(t0 + c_s h, x0 + h sum_{r<s} a_sr k_r),  s = 2..7,
//!   x1 = x0 + h sum b_s k_s (the argument of k_7, so that k_7 is k_1 of the next step),
//!   error estimate h sum e_s k_s, the difference from the embedded formula of order 4,
//!   dense output of order 4 from k_1, k_3..k_7 and x0, x1, see [`super::dense`].
//!
//! Source: J. R. Dormand, P. J. Prince: A family of embedded Runge-Kutta formulae, J. Comp. Appl.
//! Math. 6 (1980) 19-26; dense output: E. Hairer, S. P. Nørsett, G. Wanner: Solving Ordinary
//! Differential Equations I, 2nd ed. (1993), II.6.

use super::evaluator::{Evaluator, first_not_finite};
use super::settings::Settings;
use crate::hybrid::{EvaluationError, HybridSystem};
use crate::math::Exact;
use crate::math::dormand_prince::{A2, A3, A4, A5, A6, B, E};

/// Number of stages.
pub(super) const STAGES: usize = 7;
/// Order of the formula that goes on.
pub(super) const ORDER: f64 = 5.0;
/// Coefficient vectors of the dense output.
pub(super) const DENSE_ROWS: usize = 5;

const C: [f64; 5] = [0.2, 0.3, 0.8, 8.0 / 9.0, 1.0];
const D: [f64; STAGES] = [
    -12715105075.0 / 11282082432.0,
    0.0,
    87487479700.0 / 32700410799.0,
    -10690763975.0 / 1880347072.0,
    701980252875.0 / 199316789632.0,
    -1453857185.0 / 822651844.0,
    69997945.0 / 29380423.0,
];

/// Work arrays of one step.
pub(super) struct Stages {
    /// Stage derivatives k_1..k_7.
    k: [Vec<f64>; STAGES],
    /// Argument of the stage being evaluated.
    argument: Vec<f64>,
    /// x1, the states at the end of the step.
    pub end: Vec<f64>,
}

impl Stages {
    /// Arrays for `n` states.
    pub fn new(n: usize) -> Self {
        Stages {
            k: std::array::from_fn(|_| vec![0.0; n]),
            argument: vec![0.0; n],
            end: vec![0.0; n],
        }
    }

    /// Evaluates k_1, the derivative at the start of the step.
    pub fn start<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        time: f64,
        states: &[f64],
    ) -> Result<(), EvaluationError> {
        evaluator.derivatives(time, states, &mut self.k[0])
    }

    /// From k_1 the stages k_2..k_6 and x1 at the time `t1`; five derivative calls.
    pub fn step<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        t0: f64,
        t1: f64,
        x0: &[f64],
    ) -> Result<(), EvaluationError> {
        let h = t1 - t0;
        let Stages { k, argument, end } = self;
        combine(argument, x0, h, &A2, k);
        evaluator.derivatives(t0 + C[0] * h, argument, &mut k[1])?;
        combine(argument, x0, h, &A3, k);
        evaluator.derivatives(t0 + C[1] * h, argument, &mut k[2])?;
        combine(argument, x0, h, &A4, k);
        evaluator.derivatives(t0 + C[2] * h, argument, &mut k[3])?;
        combine(argument, x0, h, &A5, k);
        evaluator.derivatives(t0 + C[3] * h, argument, &mut k[4])?;
        combine(argument, x0, h, &A6, k);
        evaluator.derivatives(t1, argument, &mut k[5])?;
        combine(end, x0, h, &B, k);
        Ok(())
    }

    /// Evaluates k_7, the derivative at the end of the step, which must be finite.
    pub fn finish<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        t1: f64,
    ) -> Result<(), EvaluationError> {
        if let Some((index, value)) = first_not_finite(&self.end) {
            return Err(EvaluationError::discard(format!(
                "{} is {value} at t = {t1} s; it must be finite",
                evaluator.system.state_name(index),
                t1 = Exact(t1)
            )));
        }
        evaluator.derivatives(t1, &self.end, &mut self.k[6])
    }

    /// Makes k_7 the k_1 of the next step.
    pub fn shift(&mut self) {
        self.k.swap(0, 6);
    }

    /// Exchanges k_2..k_6 and x1 with those of another step from the same start.
    pub fn exchange(&mut self, other: &mut Stages) {
        self.k[1..6].swap_with_slice(&mut other.k[1..6]);
        std::mem::swap(&mut self.end, &mut other.end);
    }

    /// k_1 and two scratch arrays that [`Self::step`] overwrites.
    pub fn scratch(&mut self) -> (&[f64], &mut [f64], &mut [f64]) {
        let (first, rest) = self.k.split_at_mut(1);
        (&first[0], &mut self.argument, &mut rest[0])
    }

    /// Largest error of a state in units of its tolerance w_i, see [`Settings`].
    pub fn error(&self, h: f64, x0: &[f64], nominals: &[f64], settings: &Settings) -> f64 {
        let magnitude = settings.magnitude();
        let n = x0.len();
        let k: [&[f64]; STAGES] = std::array::from_fn(|s| &self.k[s][..n]);
        let (end, nominals) = (&self.end[..n], &nominals[..n]);
        let mut largest = 0.0_f64;
        for i in 0..n {
            let mut estimate = E[0] * k[0][i];
            for s in 2..STAGES {
                estimate += E[s] * k[s][i];
            }
            let size = magnitude.of(nominals[i], x0[i].abs().max(end[i].abs()));
            largest = largest.max(estimate.abs() / size);
        }
        largest * h / settings.relative_tolerance()
    }

    /// State with the largest error, counted from 0.
    pub fn state_of_largest_error(
        &self,
        x0: &[f64],
        nominals: &[f64],
        settings: &Settings,
    ) -> usize {
        let magnitude = settings.magnitude();
        let ratio = |i: usize| {
            let estimate: f64 = (0..STAGES).map(|s| E[s] * self.k[s][i]).sum();
            estimate.abs() / magnitude.of(nominals[i], x0[i].abs().max(self.end[i].abs()))
        };
        let mut worst = 0;
        for i in 1..x0.len() {
            if ratio(i) > ratio(worst) {
                worst = i;
            }
        }
        worst
    }

    /// Coefficients of the dense output, row r of state i at `dense[r * n + i]`; k_7 must be known.
    pub fn dense(&self, h: f64, x0: &[f64], dense: &mut [f64]) {
        let n = x0.len();
        let k: [&[f64]; STAGES] = std::array::from_fn(|s| &self.k[s][..n]);
        let end = &self.end[..n];
        let (r1, rest) = dense.split_at_mut(n);
        let (r2, rest) = rest.split_at_mut(n);
        let (r3, rest) = rest.split_at_mut(n);
        let (r4, r5) = rest.split_at_mut(n);
        let r5 = &mut r5[..n];
        for i in 0..n {
            let difference = end[i] - x0[i];
            let bend = h * k[0][i] - difference;
            r1[i] = x0[i];
            r2[i] = difference;
            r3[i] = bend;
            r4[i] = difference - h * k[6][i] - bend;
            let mut sum = D[0] * k[0][i];
            for s in 2..STAGES {
                sum += D[s] * k[s][i];
            }
            r5[i] = h * sum;
        }
    }
}

/// out = x + h sum_s a_s k_s.
fn combine<const S: usize>(
    out: &mut [f64],
    x: &[f64],
    h: f64,
    a: &[f64; S],
    k: &[Vec<f64>; STAGES],
) {
    let n = x.len();
    let k: [&[f64]; S] = std::array::from_fn(|s| &k[s][..n]);
    let out = &mut out[..n];
    for i in 0..n {
        let mut sum = a[0] * k[0][i];
        for s in 1..S {
            sum += a[s] * k[s][i];
        }
        out[i] = x[i] + h * sum;
    }
}
