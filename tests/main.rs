//! Tests of the whole workspace, in one executable.
//!
//! - [`structure`]: circles, names and sizes of the crates
//! - [`host`]: the tool's importer, and the command line around it
//! - [`counting`], [`random`]: the allocator, which counts; seeded numbers, also in the tests of other crates
//! - [`examples`]: each example against its reference
//! - [`area_examples`]: those of contact over an area
//! - [`mechanism_examples`]: those of mechanisms
//! - [`dependencies`]: what each quantity of an example depends on, against exact derivatives
//! - [`work`]: what the integrator does in each example
//! - [`resting_box`]: a crate that comes to rest
//! - [`silo`]: balls that flow from a silo, in granular mode
//! - [`user_law`]: user-defined contact laws
//! - [`licenses`]: licences of all that is linked

mod area_examples;
#[path = "../fmu-core/geometry/tests/counting.rs"]
mod counting;
mod dependencies;
mod examples;
mod host;
mod licenses;
mod mechanism_examples;
#[path = "../fmu-core/geometry/tests/random.rs"]
mod random;
mod resting_box;
mod silo;
mod structure;
mod user_law;
mod work;
