//! Integrates a [`HybridSystem`](crate::hybrid::HybridSystem) between events: explicit
//! Runge-Kutta of order 5 with step control, dense output and event location.
//!
//! - [`settings`]: tolerance and largest step
//! - [`memory`]: all that lives on between calls: the proposed step and the counters
//! - `evaluator`: the system, counted and guarded against NaN
//! - `dormand_prince`: the formula: stages, error estimate, dense coefficients
//! - [`dense`]: the solution inside one step, for observers and the search for events
//! - `control`: size of the first step, of the next one, of the last one before an end
//! - `search`: is there a change of domain inside a step, also one that is undone before its end
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
//! the first step size. Per step of a system with indicators 4 indicator calls: one at the end of
//! the step, two inside it, one after `completed_step`, which may give an indicator to another
//! pair; the last is at the same (t, x) as the first. Up to 28 more while an indicator bends so
//! strongly in the step that a dip to zero is possible. Locating an event takes 5 to 10 indicator
//! calls on the dense output and 3 to 5 repeated steps of 5 derivative and 1 indicator call each.
//!
//! # Limits
//! A domain change that is undone within the step is found when the indicator has one dip there
//! (or one rise, below zero) with flanks like parabolas, smooth or with a kink in between, as the
//! distance of a body from a convex obstacle has. Several dips within one step may hide from the
//! samples; for a system that has such steps at its tolerance there is
//! [`Settings::with_max_step`]. A dip less deep than the tolerance of the step is below what the
//! solution resolves.

pub mod advance;
mod bracket;
mod control;
pub mod dense;
mod dormand_prince;
mod evaluator;
mod locate;
pub mod memory;
mod search;
pub mod settings;

#[cfg(test)]
mod tests;

pub use advance::{Integrator, Leg, Observer, Stop};
pub use dense::DenseStep;
pub use memory::{Memory, Statistics};
pub use settings::Settings;
