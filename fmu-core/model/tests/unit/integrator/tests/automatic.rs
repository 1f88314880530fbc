//! The formula that is chosen, and linear equations with a sparse Jacobian.

use super::super::{Integrator, LegEnd, Memory, Settings, Solver};
use super::{Outcome, Problem, Run};
use crate::hybrid::{Along, Blocks, Direction, EvaluationError, EventOutcome, HybridSystem};
use crate::integrator::automatic::Automatic;
use crate::integrator::evaluator::Method;
use crate::integrator::jacobian::{Factors, Rows};
use nalgebra::{DMatrix, DVector};

fn settings(rtol: f64) -> Settings {
    Settings::new(rtol).unwrap()
}

fn run<M: Method>(problem: Problem, settings: Settings, states: &[f64]) -> Run<M> {
    Run::with_method(problem, settings, states)
}

/// x'' = -omega^2 x - 2 d x', a steel ball at rest, about a place that moves as sin t.
fn resting() -> Problem {
    Problem::new(&[1e-6, 1e-2], |t, x, f| {
        (f[0], f[1]) = (x[1], -6e4 * 6e4 * (x[0] - 1e-6 * t.sin()) - 9810.0 * x[1]);
        Ok(())
    })
}

#[test]
fn a_ball_at_rest_takes_the_steps_of_what_moves_it() {
    let mut run: Run<Automatic> = run(resting(), settings(1e-6), &[3e-6, 0.0]);
    run.to(1.0);
    assert!(run.memory.is_implicit());
    let before = run.memory.statistics().steps;
    run.to(100.0);
    // An oscillation of 1 rad/s takes 5 steps a radian at this tolerance; stability 3e5 a second.
    let steps = run.memory.statistics().steps - before;
    assert!(steps < 1000, "{steps} steps");
    // The spring is so stiff that the place is followed to d/omega^2.
    assert!((run.states[0] - 1e-6 * 100.0_f64.sin()).abs() < 1e-11);
}

#[test]
fn what_accuracy_limits_is_left_to_the_explicit_formula() {
    for rtol in [1e-3, 1e-6, 1e-9] {
        let oscillator = || {
            Problem::new(&[1.0, 1.0], |_, x, f| {
                (f[0], f[1]) = (x[1], -x[0]);
                Ok(())
            })
        };
        let counts = [Solver::Auto, Solver::Explicit].map(|solver| {
            let settings = settings(rtol).with_solver(solver);
            let mut run: Run<Automatic> = run(oscillator(), settings, &[1.0, 0.0]);
            run.to(1000.0);
            assert!(!run.memory.is_implicit());
            run.memory.statistics().derivative_calls as f64
        });
        assert!(counts[0] < 1.02 * counts[1], "{rtol}: {counts:?}");
    }
}

/// The equation of van der Pol with mu = 1e3, whose slow branches are stiff and whose jumps are not.
fn relaxation() -> Problem {
    Problem::new(&[1.0, 1.0], |_, x, f| {
        (f[0], f[1]) = (x[1], 1e6 * ((1.0 - x[0] * x[0]) * x[1] - x[0]));
        Ok(())
    })
}

#[test]
fn a_run_that_changes_formulas_is_resumed_to_the_bit() {
    let follow = |run: &mut Run<Automatic>, from: usize| {
        (from..=400).map(|i| run.to(0.005 * i as f64)).count();
    };
    let new = || run::<Automatic>(relaxation(), settings(1e-6), &[2.0, 0.0]);
    let mut whole = new();
    follow(&mut whole, 0);
    // F. Mazzia, C. Magherini, Test Set for Initial Value Problem Solvers, release 2.4 (2008).
    assert!((whole.states[0] - 0.1706167732170483e1).abs() < 1e-4);
    assert!(whole.memory.statistics().steps < 10_000);
    // Before, at and after changes of the formula: in the first legs there is one.
    for middle in [1, 2, 3, 50, 170, 330] {
        let mut first = new();
        (0..middle).map(|i| first.to(0.005 * i as f64)).count();
        let bytes = postcard::to_stdvec(&first.memory).unwrap();
        let mut second = new();
        second.memory = postcard::from_bytes(&bytes).unwrap();
        second.time = first.time;
        second.states.clone_from(&first.states);
        follow(&mut second, middle);
        assert_eq!(second.memory, whole.memory, "{middle}");
        let bits = |run: &Run<Automatic>| [0, 1].map(|i| run.states[i].to_bits());
        assert_eq!(bits(&second), bits(&whole), "{middle}");
    }
}

#[test]
fn either_formula_may_be_asked_for() {
    for (solver, implicit) in [(Solver::Explicit, false), (Solver::Implicit, true)] {
        let settings = settings(1e-6).with_solver(solver);
        let mut run: Run<Automatic> = run(resting(), settings, &[3e-6, 0.0]);
        assert_eq!(run.to(0.01), LegEnd::End);
        let columns = run.memory.statistics().direction_calls;
        assert_eq!(columns > 0, implicit);
    }
}

/// A decay so stiff that the implicit formula is wanted, without derivatives along a direction
/// from some time on.
struct Opaque {
    from: f64,
}

impl HybridSystem for Opaque {
    fn state_count(&self) -> usize {
        1
    }
    fn indicator_count(&self) -> usize {
        0
    }
    fn nominals(&self, nominals: &mut [f64]) {
        nominals.fill(1.0);
    }
    fn derivatives(&mut self, _: f64, x: &[f64], f: &mut [f64]) -> Outcome<()> {
        f[0] = -1e4 * x[0];
        Ok(())
    }
    fn indicators(&mut self, _: f64, _: &[f64], _: &mut [f64]) -> Outcome<()> {
        Ok(())
    }
    fn completed_step(&mut self, _: f64, _: &[f64]) -> Outcome<bool> {
        Ok(false)
    }
    fn update_event(&mut self, _: f64, _: &mut [f64]) -> Outcome<EventOutcome> {
        Ok(EventOutcome::default())
    }
    fn derivatives_along(
        &mut self,
        time: f64,
        _: &[f64],
        directions: &[Direction<'_>],
        along: &mut [Along<'_>],
    ) -> Outcome<()> {
        if time >= self.from {
            return Err(EvaluationError::error("no derivative"));
        }
        for (direction, along) in directions.iter().zip(along) {
            along.rates[0] = -1e4 * direction.states[0];
        }
        Ok(())
    }
}

#[test]
fn a_system_without_a_jacobian_is_left_to_the_explicit_formula_unless_the_other_was_asked_for() {
    let run = |solver: Solver, from: f64| {
        let settings = settings(1e-6)
            .with_solver(solver)
            .with_max_step(0.01)
            .unwrap();
        let mut integrator = Integrator::new(1, 0, settings);
        let (mut memory, mut time, mut states) = (Memory::default(), 0.0, [1.0]);
        let system = &mut Opaque { from };
        integrator.advance(system, &mut memory, &mut time, &mut states, 1.0, None)
    };
    // Never there, and gone in the middle of a leg by implicit steps.
    assert_eq!(run(Solver::Auto, 0.0), Ok(LegEnd::End));
    assert_eq!(run(Solver::Auto, 0.5), Ok(LegEnd::End));
    assert!(
        run(Solver::Implicit, 0.5)
            .unwrap_err()
            .message
            .contains("no derivative")
    );
}

/// x_i' = -k (x_i - x_next), a chain of stiff and soft springs in blocks of two states.
struct Chain {
    blocks: usize,
    /// How many derivatives along a direction were asked for.
    calls: usize,
}

impl Chain {
    fn rate(&self, i: usize, x: &[f64]) -> f64 {
        let next = x.get(i + 2).copied().unwrap_or(0.0);
        let beside = x[i ^ 1];
        -(1.0 + (i % 5) as f64 * 1e3) * (x[i] - 0.5 * next - 0.2 * beside)
    }
}

impl HybridSystem for Chain {
    fn state_count(&self) -> usize {
        2 * self.blocks
    }
    fn indicator_count(&self) -> usize {
        0
    }
    fn nominals(&self, nominals: &mut [f64]) {
        nominals.fill(1.0);
    }
    fn derivatives(&mut self, _: f64, x: &[f64], f: &mut [f64]) -> Outcome<()> {
        (0..f.len()).for_each(|i| f[i] = self.rate(i, x));
        Ok(())
    }
    fn indicators(&mut self, _: f64, _: &[f64], _: &mut [f64]) -> Outcome<()> {
        Ok(())
    }
    fn completed_step(&mut self, _: f64, _: &[f64]) -> Outcome<bool> {
        Ok(false)
    }
    fn update_event(&mut self, _: f64, _: &mut [f64]) -> Outcome<EventOutcome> {
        Ok(EventOutcome::default())
    }
    fn blocks(&self, blocks: &mut Blocks) {
        blocks.of_states.extend((0..2 * self.blocks).map(|i| i / 2));
        blocks.depends.extend((1..self.blocks).map(|b| [b - 1, b]));
    }
    fn depends_on_time(&self) -> bool {
        false
    }
    fn derivatives_along(
        &mut self,
        _: f64,
        _: &[f64],
        directions: &[Direction<'_>],
        along: &mut [Along<'_>],
    ) -> Outcome<()> {
        // The rates are linear.
        self.calls += directions.len();
        for (direction, along) in directions.iter().zip(along) {
            (0..along.rates.len()).for_each(|i| along.rates[i] = self.rate(i, direction.states));
        }
        Ok(())
    }
}

#[test]
fn blocks_that_nothing_joins_share_evaluations() {
    let mut chain = Chain {
        blocks: 40,
        calls: 0,
    };
    let mut integrator = Integrator::new(80, 0, settings(1e-8).with_solver(Solver::Implicit));
    let (mut memory, mut time) = (Memory::default(), 0.0);
    let mut states: Vec<f64> = (0..80).map(|i| 1.0 + 0.1 * f64::from(i % 7)).collect();
    let start = DVector::from_column_slice(&states);
    let end = 0.01;
    let result = integrator.advance(&mut chain, &mut memory, &mut time, &mut states, end, None);
    result.unwrap();
    let work = memory.statistics();
    // Each block depends on the next one: two colours of two states.
    assert_eq!(work.direction_calls, chain.calls as u64);
    assert_eq!(work.direction_calls, 4 * work.steps);
    // exp(J t) by nalgebra.
    let unit = |j: usize| -> Vec<f64> { (0..80).map(|i| f64::from(u8::from(i == j))).collect() };
    let jacobian = DMatrix::from_fn(80, 80, |i, j| chain.rate(i, &unit(j)));
    let expected = (jacobian * end).exp() * start;
    for (found, expected) in states.iter().zip(&expected) {
        assert!((found - expected).abs() < 1e-6, "{found} {expected}");
    }
}

/// Numbers in -1..1 that look random.
fn numbers() -> impl FnMut() -> f64 {
    let mut seed = 1_u64;
    move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

#[test]
fn sparse_equations_have_the_solution_of_dense_ones() {
    let mut next = numbers();
    let mut elimination = Factors::default();
    for (n, share) in [
        (1, 1.0),
        (2, 1.0),
        (13, 1.0),
        (70, 0.05),
        (150, 0.02),
        (64, 0.3),
    ] {
        let mut dense = DMatrix::zeros(n, n);
        let mut pattern = Rows::default();
        pattern.clear();
        let mut values = Vec::new();
        for row in 0..n {
            for column in 0..n {
                if next().abs() < share {
                    let value = next();
                    dense[(row, column)] = value;
                    pattern.columns.push(column);
                    values.push(value);
                }
            }
            pattern.end_row();
        }
        assert!(elimination.analyse(&pattern));
        for shift in [20.0, 3e3] {
            assert!(elimination.factor(shift, &pattern, &values));
            let side = DVector::from_fn(n, |_, _| next());
            let mut found = side.clone();
            elimination.solve(found.as_mut_slice());
            let rest = &found * shift - &dense * &found - side;
            assert!(rest.amax() < 1e-13, "{n} {shift}: {}", rest.amax());
        }
    }
}

#[test]
fn equations_without_a_solution_are_refused() {
    // s - J = [[0, -1], [-1, 0]] has no pivot in this order; [[1, 1], [1, 1]] has no solution.
    let mut pattern = Rows::default();
    pattern.clear();
    for _ in 0..2 {
        pattern.columns.extend([0, 1]);
        pattern.end_row();
    }
    let mut elimination = Factors::default();
    assert!(elimination.analyse(&pattern));
    assert!(!elimination.factor(1.0, &pattern, &[0.9, -0.3, -0.3, 0.1]));
    assert!(!elimination.factor(1.0, &pattern, &[1.0, 1.0, 1.0, 1.0]));
    assert!(!elimination.factor(1.0, &pattern, &[0.0, -1.0, -1.0, 0.0]));
    assert!(!elimination.factor(f64::NAN, &pattern, &[0.0; 4]));
    assert!(elimination.factor(2.0, &pattern, &[1.0, 1.0, 1.0, 0.0]));
}
