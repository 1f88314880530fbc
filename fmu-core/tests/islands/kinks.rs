//! What a step misses of a force with a kink inside it, which decides where contacts need no event.

use contact_model::dynamics::KINK;
use contact_model::hybrid::{EvaluationError, EventOutcome, HybridSystem};
use contact_model::integrator::{Integrator, LegEnd, Memory, Settings, Solver};

/// x_1' = 1, x_2' = (x_1 - kink)^(3/2) from the kink on, or before it.
struct Kink {
    at: f64,
    before: bool,
}

impl HybridSystem for Kink {
    fn state_count(&self) -> usize {
        2
    }
    fn indicator_count(&self) -> usize {
        0
    }
    fn nominals(&self, nominals: &mut [f64]) {
        // So large that the error asks for no shorter step.
        nominals.fill(1e12);
    }
    fn derivatives(&mut self, _: f64, x: &[f64], f: &mut [f64]) -> Result<(), EvaluationError> {
        let way = if self.before {
            self.at - x[0]
        } else {
            x[0] - self.at
        };
        (f[0], f[1]) = (1.0, way.max(0.0).powf(1.5));
        Ok(())
    }
    fn indicators(&mut self, _: f64, _: &[f64], _: &mut [f64]) -> Result<(), EvaluationError> {
        Ok(())
    }
    fn completed_step(&mut self, _: f64, _: &[f64]) -> Result<bool, EvaluationError> {
        Ok(false)
    }
    fn update_event(&mut self, _: f64, _: &mut [f64]) -> Result<EventOutcome, EvaluationError> {
        Ok(EventOutcome {
            states_changed: false,
            next_event_time: None,
        })
    }
}

/// The integral is (1 - kink)^(5/2)/(5/2), or kink^(5/2)/(5/2).
#[test]
fn a_step_over_a_kink_misses_no_more_of_the_momentum_than_said() {
    for (solver, least) in [(Solver::Explicit, 5e-3), (Solver::Implicit, 1e-3)] {
        let mut worst: f64 = 0.0;
        for place in 0..=1000 {
            for before in [false, true] {
                let at = f64::from(place) * 1e-3;
                let mut system = Kink { at, before };
                let settings = Settings::new(1e-3).expect("a tolerance");
                let mut integrator = Integrator::new(2, 0, settings.with_solver(solver));
                let mut memory = Memory::after_step(1.0);
                let (mut time, mut states) = (0.0, [0.0; 2]);
                let stop = integrator
                    .advance(&mut system, &mut memory, &mut time, &mut states, 1.0, None)
                    .expect("a step");
                assert_eq!((stop, memory.statistics().steps), (LegEnd::End, 1));
                let way = if before { at } else { 1.0 - at };
                worst = worst.max((states[1] - way.powf(2.5) / 2.5).abs());
            }
        }
        assert!(worst < KINK, "{solver:?}: {worst}");
        // The bound says something: a kink is not free.
        assert!(worst > least, "{solver:?}: {worst}");
    }
}
