//! One step of the explicit Runge-Kutta formula of Dormand and Prince, order 5(4), seven stages,
//! first same as last.
//!
//! With k_1 = f(t0, x0), step h:
//!   k_s = f(t0 + c_s h, x0 + h sum_{r<s} a_sr k_r),  s = 2..7,
//!   x1 = x0 + h sum b_s k_s (the argument of k_7, so that k_7 is k_1 of the next step),
//!   error estimate h sum e_s k_s, the difference from the embedded formula of order 4,
//!   dense output of order 4 from k_1, k_3..k_7 and x0, x1, see [`contact_geometry::math::dense`].
//!
//! Source: J. R. Dormand, P. J. Prince: A family of embedded Runge-Kutta formulae, J. Comp. Appl.
//! Math. 6 (1980) 19-26; dense output: E. Hairer, S. P. Nørsett, G. Wanner: Solving Ordinary
//! Differential Equations I, 2nd ed. (1993), II.6.

use super::evaluator::{Evaluator, Method, Units};
use crate::hybrid::{EvaluationError, HybridSystem, Role};
use contact_geometry::math::{A2, A3, A4, A5, A6, B, E};

const STAGES: usize = 7;
/// Nodes of stages 2 to 6, as parts of the step.
const C: [f64; 5] = [0.2, 0.3, 0.8, 8.0 / 9.0, 1.0];
/// Weights of the slopes in the last coefficient of the dense output.
const D: [f64; STAGES] = [
    -12715105075.0 / 11282082432.0,
    0.0,
    87487479700.0 / 32700410799.0,
    -10690763975.0 / 1880347072.0,
    701980252875.0 / 199316789632.0,
    -1453857185.0 / 822651844.0,
    69997945.0 / 29380423.0,
];

/// For x' = t^(3/2) from t = 0: (sum b_s c_s^(3/2) - 2/5)/sum e_s c_s^(3/2) = 4.5e-4/4.0e-5. Without it the
/// energy error of an elastic bounce is 20 times the tolerance, nearly all of it in this step.
const ONSET_RATIO: f64 = 11.3;

pub(crate) struct DormandPrince {
    k: [Vec<f64>; STAGES],
    argument: Vec<f64>,
    end: Vec<f64>,
}

impl DormandPrince {
    /// Estimate of the spectral radius of df/dx [1/s] from the difference of f between the arguments of the
    /// last two stages, both at the end ([Hairer, Wanner: Solving Ordinary Differential Equations II] IV.2):
    /// the ratio of both differences, which for oscillations is accurate at some phases only, unless
    /// positions and velocities are in units of equal energies; or the root of accelerations over positions
    /// if that is more, which is accurate at any phase.
    pub(super) fn spectral_radius(&self, units: Units<'_>) -> f64 {
        let (mut positions, mut accelerations) = (0.0, 0.0);
        let (mut states, mut rates) = (0.0, 0.0);
        for (i, nominal) in units.nominals.iter().enumerate() {
            let state = (self.end[i] - self.argument[i]) / nominal;
            let rate = self.k[6][i] - self.k[5][i];
            states += state * state;
            rates += (rate / nominal) * (rate / nominal);
            match units.roles[i] {
                Role::Position => positions += state * state,
                Role::Velocity(of) => accelerations += (rate / of) * (rate / of),
                Role::Other => {}
            }
        }
        let of = |rates: f64, states: f64| if states > 0.0 { rates / states } else { 0.0 };
        of(rates, states)
            .max(of(accelerations, positions).sqrt())
            .sqrt()
    }
}

impl Method for DormandPrince {
    /// The embedded formula has order 4.
    const ERROR_ORDER: f64 = 5.0;
    const DENSE_ROWS: usize = 5;

    fn new(state_count: usize) -> Self {
        DormandPrince {
            k: std::array::from_fn(|_| vec![0.0; state_count]),
            argument: vec![0.0; state_count],
            end: vec![0.0; state_count],
        }
    }

    /// Evaluates k_1.
    fn start<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        t0: f64,
        x0: &[f64],
    ) -> Result<(), EvaluationError> {
        evaluator.derivatives(t0, x0, &mut self.k[0])
    }

    /// Makes k_7 the k_1 of the next step.
    fn go_on<S: HybridSystem + ?Sized>(
        &mut self,
        _: &mut Evaluator<'_, S>,
        _: f64,
        _: &[f64],
    ) -> Result<(), EvaluationError> {
        self.k.swap(0, 6);
        Ok(())
    }

    fn onset_ratio(&self) -> f64 {
        ONSET_RATIO
    }

    fn start_derivatives(&self) -> &[f64] {
        &self.k[0]
    }

    /// From k_1 the stages k_2..k_6 and x1; five derivative calls.
    fn step<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        t0: f64,
        t1: f64,
        x0: &[f64],
    ) -> Result<(), EvaluationError> {
        let h = t1 - t0;
        let DormandPrince { k, argument, end } = self;
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

    fn end(&self) -> &[f64] {
        &self.end
    }

    /// Evaluates k_7.
    fn finish<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        t1: f64,
    ) -> Result<(), EvaluationError> {
        evaluator.derivatives(t1, &self.end, &mut self.k[6])
    }

    fn error_rates(&self, rates: &mut [f64]) {
        let n = rates.len();
        let k: [&[f64]; STAGES] = std::array::from_fn(|s| &self.k[s][..n]);
        for (i, rate) in rates.iter_mut().enumerate() {
            let mut estimate = E[0] * k[0][i];
            for s in 2..STAGES {
                estimate += E[s] * k[s][i];
            }
            *rate = estimate;
        }
    }

    fn dense(&self, h: f64, x0: &[f64], rows: &mut [f64]) {
        let n = x0.len();
        let k: [&[f64]; STAGES] = std::array::from_fn(|s| &self.k[s][..n]);
        let end = &self.end[..n];
        let (r1, rest) = rows.split_at_mut(n);
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

    /// Exchanges k_2..k_6 and x1.
    fn exchange(&mut self, other: &mut Self) {
        self.k[1..6].swap_with_slice(&mut other.k[1..6]);
        std::mem::swap(&mut self.end, &mut other.end);
    }
}

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
