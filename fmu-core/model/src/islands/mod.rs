//! Steps of a scene island by island: parts that do not touch have step sizes and events of their
//! own, and an event restarts its island alone.
//!
//! - [`event_count`]: notices events that follow each other without end
//! - [`impulse`]: impulse and peak force of reported pairs
//! - [`memories`]: what the integrations of islands remember
//! - [`stepper`]: one island over a window
//! - [`crew`]: threads that share the islands of a window
//! - [`windows`]: all islands over a window, see [`crate::dynamics::island`]

pub mod crew;
pub mod event_count;
pub mod impulse;
pub mod memories;
pub mod stepper;
pub mod windows;

pub use event_count::EventCount;
pub use impulse::{Recorder, StepLoad};
pub use memories::Memories;
pub use stepper::Beat;
pub use windows::{Task, Window, Windows};
