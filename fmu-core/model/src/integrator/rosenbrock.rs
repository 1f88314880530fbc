//! One step of the linearly implicit formula Rodas5P, order 5(4), eight stages, L-stable and stiffly
//! accurate.
//!
//! With J = df/dx and T = df/dt at the start, step h:
//!   (1/(gamma h) - J) k_s = f(t0 + c_s h, x0 + sum_{r<s} a_sr k_r) + sum_{r<s} c_sr k_r/h + d_s h T,
//!   s = 1..8; the arguments of stages 7 and 8 are those before plus k_6 and k_7,
//!   x1 = argument of stage 8 plus k_8; k_8 is the error estimate,
//!   dense output of order 4 with three sums of the k_s.
//! The arguments of the stages deviate from the solution by h^2 x''/2 times some factor. For linear equations
//! that cancels; but a body on an oscillating plate, or a cone rolling on its side, would leave the ground by
//! more than its depth, where the force changes. So the formula is applied to y(t) = x(t) - b (t - t0)^2/2
//! with the constant b = x''(t0) = J f + T,
//!   y' = f(t, y + b (t - t0)^2/2) - b (t - t0), which has the same J and, for T, T - b:
//! arguments then deviate by some h^3 x'''. For bodies carried by a prescribed motion its terms of (t - t0)^2
//! to (t - t0)^4 are subtracted instead. Linear equations with constant coefficients give the same x1 for any
//! b, since the formula integrates (t - t0)^2 exactly. At rest one linear equation suffices: if no state
//! moves by more than a small part of its tolerance, the step is that of order 1
//!   (1/h - J) k = f(t0, x0) + h T,  x1 = x0 + k
//! with the Jacobian of an earlier start, without an evaluation beside f(t0, x0). Where that Jacobian no
//! longer fits, the states start to move and the next step is one of order 5; after a thousand such steps the
//! next one is of order 5 in any case. If f depends on the time, motion that starts within the step is
//! detected at its end: with f1 = f(t1, x1) neither k nor
//!   (1/h - J) k' = f1 - k/h
//! may be more than that small part.
//!
//! Each stage solves linear equations with one matrix, exact and sparse: no iteration that may not converge.
//! A stiff component decays according to the equations, without a stability limit: at rest the step grows
//! until something else limits it.
//!
//! Source: G. Steinebach: Construction of Rosenbrock-Wanner method Rodas5P and numerical benchmarks within
//! the Julia Differential Equations package, BIT Numer. Math. 63 (2023) 27.

use super::evaluator::{Assessed, Evaluator, Method, Units};
use super::jacobian::Jacobian;
use super::memory::Stiffness;
use super::settings::Solver;
use crate::hybrid::{EvaluationError, HybridSystem, Severity};
use contact_geometry::math::all_finite;

const STAGES: usize = 8;
const GAMMA: f64 = 0.21193756319429014;
const C: [f64; STAGES] = [
    0.0,
    0.6358126895828704,
    0.4095798393397535,
    0.9769306725060716,
    0.4288403609558664,
    1.0,
    1.0,
    1.0,
];
const D: [f64; STAGES] = [
    GAMMA,
    -0.42387512638858027,
    -0.3384627126235924,
    1.8046452872882734,
    2.325825639765069,
    0.0,
    0.0,
    0.0,
];
/// Weights of the k in the arguments of stages 2 to 6.
const A: [&[f64]; 5] = [
    &[3.0],
    &[2.849394379747939, 0.45842242204463923],
    &[-6.954028509809101, 2.489845061869568, -10.358996098473584],
    &[
        2.8029986275628964,
        0.5072464736228206,
        -0.3988312541770524,
        -0.04721187230404641,
    ],
    &[
        -7.502846399306121,
        2.561846144803919,
        -11.627539656261098,
        -0.18268767659942256,
        0.030198172008377946,
    ],
];
/// Weights of the k over h on the right-hand sides of stages 2 to 8.
const COUPLING: [&[f64]; 7] = [
    &[-14.155112264123755],
    &[-17.97296035885952, -2.859693295451294],
    &[147.12150275711716, -1.41221402718213, 71.68940251302358],
    &[
        165.43517024871676,
        -0.4592823456491126,
        42.90938336958603,
        -5.961986721573306,
    ],
    &[
        24.854864614690072,
        -3.0009227002832186,
        47.4931110020768,
        5.5814197821558125,
        -0.6610691825249471,
    ],
    &[
        30.91273214028599,
        -3.1208243349937974,
        77.79954646070892,
        34.28646028294783,
        -19.097331116725623,
        -28.087943162872662,
    ],
    &[
        37.80277123390563,
        -3.2571969029072276,
        112.26918849496327,
        66.9347231244047,
        -40.06618937091002,
        -54.66780262877968,
        -9.48861652309627,
    ],
];
/// Weights of the k in the sums u, v, w of the dense output x0 + theta (x1 - x0) + theta (1 - theta) (u +
/// theta v + theta^2 w).
const DENSE: [[f64; STAGES]; 3] = [
    [
        25.948786856663858,
        -2.5579724845846235,
        10.433815404888879,
        -2.3679251022685204,
        0.524948541321073,
        1.1241088310450404,
        0.4272876194431874,
        -0.17202221070155493,
    ],
    [
        -9.91568850695171,
        -0.9689944594115154,
        3.0438037242978453,
        -24.495224566215796,
        20.176138334709044,
        15.98066361424651,
        -6.789040303419874,
        -6.710236069923372,
    ],
    [
        11.419903575922262,
        2.8879645146136994,
        72.92137995996029,
        80.12511834622643,
        -52.072871366152654,
        -59.78993625266729,
        -0.15582684282751913,
        4.883087185713722,
    ],
];
/// Largest movement of a state in a step, in units of its tolerance, after which a step at rest is tried.
const NEAR_REST: f64 = 0.01;

pub(crate) struct Rosenbrock {
    /// f, df/dx and df/dt at the start.
    f0: Vec<f64>,
    jacobian: Jacobian,
    time_derivative: Vec<f64>,
    /// b, the second derivative of the states at the start.
    curvature: Vec<f64>,
    k: [Vec<f64>; STAGES],
    argument: Vec<f64>,
    end: Vec<f64>,
    h: f64,
    /// Coefficients of theta^2, theta^3 and theta^4 subtracted in the last step.
    bend: [Vec<f64>; 3],
    at_rest: bool,
    /// Whether the Jacobian is that of the start.
    is_current: bool,
    /// Whether the next step may be one at rest with this Jacobian.
    keeps: bool,
    /// Jacobian of an earlier leg, at the start of the next one.
    handed: Vec<f64>,
}

impl Rosenbrock {
    pub(super) fn jacobian(&mut self) -> &mut Jacobian {
        &mut self.jacobian
    }

    pub(super) fn is_at_rest(&self) -> bool {
        self.at_rest
    }

    /// Makes the next step evaluate its own Jacobian.
    pub(super) fn forget_jacobian(&mut self) {
        self.keeps = false;
    }

    pub(super) fn linearize<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        t0: f64,
        x0: &[f64],
    ) -> Result<(), EvaluationError> {
        if self.is_current {
            return Ok(());
        }
        self.jacobian.evaluate(evaluator, t0, x0)?;
        self.evaluate_time_derivative(evaluator, t0, x0)?;
        self.jacobian.multiply(&self.f0, &mut self.curvature);
        for (b, t) in self.curvature.iter_mut().zip(&self.time_derivative) {
            *b += t;
        }
        let count = self.jacobian.values().len();
        self.handed.reserve(count);
        self.is_current = true;
        Ok(())
    }

    fn evaluate_time_derivative<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        t0: f64,
        x0: &[f64],
    ) -> Result<(), EvaluationError> {
        let time_derivative = &mut self.time_derivative;
        self.jacobian.by_time(evaluator, t0, x0, time_derivative)
    }

    fn find_bend<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        t0: f64,
        t1: f64,
        x0: &[f64],
    ) {
        let [squares, cubes, fourths] = &mut self.bend;
        for (c, b) in squares.iter_mut().zip(&self.curvature) {
            *c = 0.5 * (t1 - t0) * (t1 - t0) * b;
        }
        cubes.fill(0.0);
        fourths.fill(0.0);
        let system = &mut evaluator.system;
        if system.depends_on_time() {
            system.set_carried(t0, t1, x0, [squares, cubes, fourths]);
        }
    }

    fn place(&mut self, stage: usize, x0: &[f64]) {
        match stage {
            0 => self.argument.copy_from_slice(x0),
            1..=5 => {
                self.argument.copy_from_slice(x0);
                add(&mut self.argument, 1.0, A[stage - 1], &self.k);
            }
            _ => {
                for (x, k) in self.argument.iter_mut().zip(&self.k[stage - 1]) {
                    *x += k;
                }
            }
        }
    }
}

impl Method for Rosenbrock {
    /// The embedded formula has order 4.
    const ERROR_ORDER: f64 = 5.0;
    const DENSE_ROWS: usize = 5;

    fn new(state_count: usize) -> Self {
        let zeros = || vec![0.0; state_count];
        Rosenbrock {
            f0: zeros(),
            jacobian: Jacobian::default(),
            time_derivative: zeros(),
            curvature: zeros(),
            k: std::array::from_fn(|_| zeros()),
            argument: zeros(),
            end: zeros(),
            h: 0.0,
            bend: std::array::from_fn(|_| zeros()),
            at_rest: false,
            is_current: false,
            keeps: false,
            handed: Vec::new(),
        }
    }

    fn resume(&mut self, _: Stiffness, jacobian: &[f64], _: Solver) {
        self.keeps = false;
        self.handed.clear();
        self.handed.extend_from_slice(jacobian);
    }

    fn assess(&mut self, step: &Assessed, _: Units<'_>) -> f64 {
        self.keeps = step.movement <= NEAR_REST;
        0.0
    }

    fn kept_jacobian(&self) -> &[f64] {
        if self.keeps {
            self.jacobian.values()
        } else {
            &[]
        }
    }

    /// Evaluates f; J and T too, unless the next step may be one at rest.
    fn start<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        t0: f64,
        x0: &[f64],
    ) -> Result<(), EvaluationError> {
        evaluator.derivatives(t0, x0, &mut self.f0)?;
        self.is_current = false;
        if !self.handed.is_empty() {
            self.keeps = self.jacobian.resume(evaluator, &self.handed);
            self.handed.clear();
        }
        if self.keeps && self.jacobian.go_on(evaluator) {
            return self.evaluate_time_derivative(evaluator, t0, x0);
        }
        self.linearize(evaluator, t0, x0)
    }

    fn start_derivatives(&self) -> &[f64] {
        &self.f0
    }

    fn rest_step<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        t0: f64,
        t1: f64,
        x0: &[f64],
    ) -> Result<bool, EvaluationError> {
        let h = t1 - t0;
        if self.is_current || !self.jacobian.factor(h.recip()) {
            return Ok(false);
        }
        (self.h, self.at_rest) = (h, true);
        let [k, rest, ..] = &mut self.k;
        for (k, (f, t)) in k.iter_mut().zip(self.f0.iter().zip(&self.time_derivative)) {
            *k = f + h * t;
        }
        self.jacobian.solve(k);
        for (end, (x, k)) in self.end.iter_mut().zip(x0.iter().zip(&*k)) {
            *end = x + k;
        }
        if !all_finite(&self.end) {
            return Ok(false);
        }
        rest.fill(0.0);
        if evaluator.system.depends_on_time() {
            match evaluator.derivatives(t1, &self.end, rest) {
                Err(failure) if failure.severity == Severity::Discard => return Ok(false),
                result => result?,
            }
            for (rest, k) in rest.iter_mut().zip(&*k) {
                *rest -= k / h;
            }
            self.jacobian.solve(rest);
        }
        Ok(true)
    }

    /// All stages; seven derivative calls.
    fn step<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        t0: f64,
        t1: f64,
        x0: &[f64],
    ) -> Result<(), EvaluationError> {
        self.linearize(evaluator, t0, x0)?;
        let h = t1 - t0;
        (self.h, self.at_rest) = (h, false);
        if !self.jacobian.factor((GAMMA * h).recip()) {
            return Err(EvaluationError::discard(format!(
                "the linear equations of a step of {h:e} s are singular"
            )));
        }
        self.find_bend(evaluator, t0, t1, x0);
        for stage in 0..STAGES {
            self.place(stage, x0);
            let (before, rest) = self.k.split_at_mut(stage);
            let k = &mut rest[0];
            let theta = C[stage];
            for (i, x) in self.end.iter_mut().enumerate() {
                let [c, d, e] = self.bend.each_ref().map(|of| of[i]);
                *x = self.argument[i] + theta * theta * (c + theta * (d + theta * e));
            }
            match stage {
                0 => k.copy_from_slice(&self.f0),
                5.. => evaluator.derivatives(t1, &self.end, k)?,
                _ => evaluator.derivatives(t0 + theta * h, &self.end, k)?,
            }
            for (i, k) in k.iter_mut().enumerate() {
                let [c, d, e] = self.bend.each_ref().map(|of| of[i]);
                *k += D[stage] * (h * self.time_derivative[i] - 2.0 * c / h);
                *k -= theta * (2.0 * c + theta * (3.0 * d + theta * 4.0 * e)) / h;
            }
            if stage > 0 {
                add(k, h.recip(), COUPLING[stage - 1], before);
            }
            self.jacobian.solve(k);
        }
        for (i, end) in self.end.iter_mut().enumerate() {
            let [c, d, e] = self.bend.each_ref().map(|of| of[i]);
            *end = self.argument[i] + self.k[STAGES - 1][i] + (c + (d + e));
        }
        Ok(())
    }

    fn end(&self) -> &[f64] {
        &self.end
    }

    /// No effect: the last stage completes the data.
    fn finish<S: HybridSystem + ?Sized>(
        &mut self,
        _: &mut Evaluator<'_, S>,
        _: f64,
    ) -> Result<(), EvaluationError> {
        Ok(())
    }

    fn error_rates(&self, rates: &mut [f64]) {
        if self.at_rest {
            for (rate, (k, rest)) in rates.iter_mut().zip(self.k[0].iter().zip(&self.k[1])) {
                *rate = k.abs().max(rest.abs()) / self.h;
            }
            return;
        }
        for (rate, k) in rates.iter_mut().zip(&self.k[STAGES - 1]) {
            *rate = k / self.h;
        }
    }

    fn dense(&self, _: f64, x0: &[f64], rows: &mut [f64]) {
        let n = x0.len();
        for i in 0..n {
            let sum = |weights: &[f64; STAGES]| -> f64 {
                weights.iter().zip(&self.k).map(|(w, k)| w * k[i]).sum()
            };
            let mut sums = [0.0; 3];
            if !self.at_rest {
                sums = DENSE.each_ref().map(sum);
                // theta^(n + 1) is theta - theta (1 - theta) (1 + .. + theta^(n - 1)).
                let [c, d, e] = self.bend.each_ref().map(|of| of[i]);
                for (sum, term) in sums.iter_mut().zip([c + (d + e), d + e, e]) {
                    *sum -= term;
                }
            }
            let [u, v, w] = sums;
            // u + theta v + theta^2 w = u + theta (v + w - (1 - theta) w).
            let all = [x0[i], self.end[i] - x0[i], u, v + w, -w];
            for (row, value) in all.into_iter().enumerate() {
                rows[row * n + i] = value;
            }
        }
    }

    /// Exchanges the results of the step.
    fn exchange(&mut self, other: &mut Self) {
        self.k.swap_with_slice(&mut other.k);
        std::mem::swap(&mut self.end, &mut other.end);
        self.bend.swap_with_slice(&mut other.bend);
        std::mem::swap(&mut self.h, &mut other.h);
        std::mem::swap(&mut self.at_rest, &mut other.at_rest);
    }
}

fn add(out: &mut [f64], factor: f64, weights: &[f64], k: &[Vec<f64>]) {
    for (weight, k) in weights.iter().zip(k) {
        let weight = factor * weight;
        for (out, k) in out.iter_mut().zip(k) {
            *out += weight * k;
        }
    }
}
