//! Integrates a [`HybridSystem`](crate::hybrid::HybridSystem) between events: explicit
//! Runge-Kutta of order 5 with step control, dense output and event location.
//!
//! - [`settings`]: tolerance and largest step
//! - [`memory`]: all that lives on between calls: the proposed step and the counters
//! - `evaluator`: the system, counted and guarded against NaN
//! - `dormand_prince`: the formula: stages, error estimate, dense coefficients
//! - [`dense`]: the solution inside one step, for observers and the search for events
//! - `control`: size of the first step, of the next one, of the last one before an end
//! - `bracket`: closes a bracket on the earliest of several roots
//! - `locate`: repeats the step up to the event, with the full formula
//! - [`advance`]: the loop over steps
//!
//! # Memory
//! The future of a run depends on (t, x, [`Memory`]) and the discrete state of the system only:
//! the derivative at the start of a step is made anew by each call of [`Integrator::advance`]. A
//! run resumed from saved values is equal to the bit.
//!
//! # Cost
//! Per step 6 derivative calls; at the start of each `advance` one more, after an event another for
//! the first step size. Per step of a system with indicators 2 indicator calls: one at the end of
//! the step, one after `completed_step`, which may give an indicator to another pair; and one
//! call of [`HybridSystem::first_entry`](crate::hybrid::HybridSystem::first_entry). Locating an event
//! takes 5 to 10 indicator calls on the dense output and 3 to 5 repeated steps of 5 derivative and 1
//! indicator call each.
//!
//! # Limits
//! An indicator that is positive at the start of a step, zero or less inside and positive at its end
//! is seen where the system bounds its indicators by `first_entry`: on the dense output, so that a
//! dip less deep than the tolerance of the step may be missed, or be found where the exact solution
//! has none. Of an indicator that is below zero at the start, a rise that is undone within the step is
//! not seen: a contact that parts for so short a time goes on.

pub mod advance;
mod bracket;
mod control;
mod dormand_prince;
mod evaluator;
mod locate;
pub mod memory;
pub mod settings;

#[cfg(test)]
#[path = "../../tests/unit/integrator/tests/mod.rs"]
mod tests;

pub use crate::math::dense::DenseStep;
pub use advance::{Integrator, Leg, Observer, Stop};
pub use memory::{Memory, Statistics};
pub use settings::Settings;
