//! Motion of scenes over time, as the project's own integrator runs them. One executable, because linking
//! each file alone took longer than running it.
//!
//! - [`fixtures`]: small scenes, also for unit tests, benchmarks and the tests of fmu-core
//! - [`running`]: runs of a scene over events
//! - [`counting`], [`random`]: the allocator, which counts; seeded numbers and poses
//! - [`area`], [`thresholds`], [`impacts`], [`contacts_at_rest`], [`stick`], [`stiff`], [`prescribed`], [`trees`],
//!   [`screws`], [`joint_power`], [`stops`], [`energy`], [`passing`]: motion over time
//! - [`derivatives`]: exact derivatives along directions of states and inputs, sparsity by part
//! - [`event_cost`]: what is made at an event
//! - [`allocations`]: that evaluations make none
//! - [`symmetry`]: what must not matter
//! - [`sums`]: sums over the contacts of two bodies

mod allocations;
mod area;
mod contacts_at_rest;
#[path = "../../geometry/tests/counting.rs"]
mod counting;
mod derivatives;
mod energy;
mod event_cost;
mod fixtures;
mod impacts;
mod joint_power;
mod passing;
mod prescribed;
#[path = "../../geometry/tests/random.rs"]
mod random;
mod running;
mod screws;
mod stick;
mod stiff;
mod stops;
mod sums;
mod symmetry;
mod thresholds;
mod trees;
