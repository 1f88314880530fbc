//! FMU instances as importers see them. One executable, because linking each file alone took longer than
//! running it.
//!
//! - [`fixtures`], [`running`], [`counting`], [`random`]: scenes, runs, the counting allocator and seeded numbers
//!   of the crates below
//! - [`impulses`]: jumps of velocities where bodies meet
//! - [`latch`], [`motion_jumps`]: what is held and let go, and motions that jump
//! - [`triggers`]: outputs that are watched
//! - [`islands`]: parts that are stepped alone against the whole
//! - [`habits`]: Model Exchange by careful and careless importers
//! - [`fmi`]: the C functions of both versions of FMI, with one importer
//! - [`fmi3`], [`fmi2`], [`direct`]: the C functions that only one of them has
//! - [`parameter_inputs`]: parameters that are inputs
//! - [`partial_derivatives`]: derivatives that an importer asks for
//! - [`allocations`]: that evaluations make none
//! - [`granular`]: steps of a fixed length
//! - [`large_scenes`]: what thousands of bodies take

mod allocations;
#[path = "../geometry/tests/counting.rs"]
mod counting;
mod direct;
#[path = "../model/tests/fixtures/mod.rs"]
mod fixtures;
mod fmi;
mod fmi2;
mod fmi3;
mod granular;
mod habits;
mod impulses;
mod islands;
mod large_scenes;
mod latch;
mod motion_jumps;
mod parameter_inputs;
mod partial_derivatives;
#[path = "../geometry/tests/random.rs"]
mod random;
#[path = "../model/tests/running.rs"]
mod running;
mod triggers;
