//! The crate as its users see it: the interfaces that an importer calls, geometry, and scenes that
//! the project's own integrator runs. One executable, because linking each file alone took longer
//! than running it.
//!
//! - [`fixtures`]: small scenes, also for unit tests and benchmarks
//! - [`running`]: runs of a scene over events
//! - [`counting`]: the allocator, which counts
//! - [`geometry`]: gap, normal and points of all pairs of shapes
//! - [`area`], [`thresholds`], [`impacts`], [`contacts_at_rest`], [`stick`], [`prescribed`], [`motion_jumps`], [`trees`],
//!   [`screws`], [`joint_power`], [`stops`], [`energy`], [`passing`]: motion over time
//! - [`impulses`]: jumps of velocities where bodies meet
//! - [`latch`]: joints that are held and let go
//! - [`derivatives`]: exact derivatives along directions of states and inputs, sparsity by part
//! - [`event_cost`]: what is made at an event
//! - [`symmetry`]: what must not matter
//! - [`islands`]: parts that are stepped alone against the whole
//! - [`habits`]: Model Exchange by careful and careless importers
//! - [`fmi3`], [`fmi2`], [`direct`]: the C functions
//! - [`partial_derivatives`]: derivatives that an importer asks for
//! - [`allocations`]: that evaluations make none
//! - [`granular`]: steps of a fixed length
//! - [`large_scenes`]: what thousands of bodies take

mod allocations;
mod area;
mod contacts_at_rest;
mod counting;
mod derivatives;
mod direct;
mod energy;
mod event_cost;
mod fixtures;
mod fmi2;
mod fmi3;
mod geometry;
mod granular;
mod habits;
mod impacts;
mod impulses;
mod islands;
mod joint_power;
mod large_scenes;
mod latch;
mod motion_jumps;
mod partial_derivatives;
mod passing;
mod prescribed;
mod running;
mod screws;
mod stick;
mod stiff;
mod stops;
mod symmetry;
mod thresholds;
mod trees;
