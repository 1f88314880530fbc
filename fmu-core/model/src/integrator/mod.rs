//! Integrates a [`HybridSystem`](crate::hybrid::HybridSystem) between events by a one-step method with step
//! control, dense output and event location.
//!
//! - [`settings`]: tolerance and largest step
//! - [`memory`]: data kept between calls: the proposed step, the Jacobian at rest, the counters
//! - [`evaluator`]: the system, counted and guarded against NaN
//! - [`dormand_prince`]: explicit Runge-Kutta of order 5: stages, error estimate, dense coefficients
//! - [`rosenbrock`]: linearly implicit, of order 5, for stiff systems
//! - `jacobian`: df/dx, sparse; `elimination`: linear equations with it
//! - [`automatic`]: selection of the explicit or the implicit formula
//! - [`DenseStep`]: the solution inside one step, for observers and the search for events
//! - `locate`: finds the first event in a step and repeats the step up to it
//! - [`advance`]: the loop over steps
//!
//! # Memory
//! The future of a run depends on (t, x, [`Memory`]) and the discrete state of the system only: each call of
//! [`Integrator::advance`] evaluates the derivative at its start. A run resumed from saved values is equal to
//! the bit.
//!
//! # Cost
//! With [`Rosenbrock`] per step 8 derivative calls and the columns of the Jacobian, as many as coupled blocks
//! have states; at rest one call, and a second one if the time matters. With [`DormandPrince`] per step 6
//! derivative calls; at the start of each `advance` one more, after an event another for the first step size.
//! Per step of a system with indicators 2 indicator calls: one at the end of the step, one after
//! `completed_step`, which may give an indicator to another pair; and one call of
//! [`HybridSystem::first_entry`](crate::hybrid::HybridSystem::first_entry). Locating an event takes 5 to 10
//! indicator calls on the dense output and 2 to 4 repeated steps of 5 derivative calls and 1 indicator call
//! each.
//!
//! # Limits
//! An indicator that is positive at the start of a step, zero or less inside and positive at its end is
//! detected if the system bounds its indicators by `first_entry`: on the dense output, so that a dip below
//! the tolerance of the step may be missed, or be found where the exact solution has none. A rise of an
//! indicator that is below zero at both ends of a step is not seen: a contact that separates for so short a
//! time continues.

pub(crate) mod advance;
pub(crate) mod automatic;
pub(crate) mod dormand_prince;
pub(crate) mod evaluator;
mod jacobian;
mod locate;
pub(crate) mod memory;
pub(crate) mod rosenbrock;
pub mod settings;

#[cfg(test)]
#[path = "../../tests/unit/integrator/tests/mod.rs"]
mod tests;

pub use advance::{Integrator, Leg, LegEnd, Observer, Pace};
pub use contact_geometry::math::dense::DenseStep;
pub use memory::{LastStep, Memory, Statistics};
pub use settings::{Settings, Solver};
