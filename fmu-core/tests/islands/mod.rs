//! Parts that are stepped alone against an integration of the whole.
//!
//! - [`comparing`]: a scene that is stepped both ways
//! - [`scenes`]: many small scenes, both ways
//! - [`piles`]: piles, racks and towers
//! - [`mechanisms`]: trees, end stops, grippers
//! - [`told`]: inputs that change at communication points
//! - [`forms`]: hulls, and shapes beside the origin of their body
//! - [`random`]: scenes in which a body may pass through another one
//! - [`reports`]: impulse, peak force and history of reported pairs
//! - [`instants`]: events of several islands at one instant
//! - [`interfaces`]: both ways behind the functions of FMI
//! - [`threads`]: the bits do not depend on their number
//! - [`carts`]: fifty carts that run into each other one by one
//! - [`ends`]: impacts at the ends of windows, and pairs that nothing watched
//! - [`kinks`]: what a step misses of a force with a kink
//! - [`alone`]: what an island does does not depend on the others
//! - [`resumed`]: states saved in the middle of an impact
//! - [`event_mode`]: early return at the earliest event

mod alone;
mod carts;
mod comparing;
mod ends;
mod event_mode;
mod forms;
mod instants;
mod interfaces;
mod kinks;
mod mechanisms;
mod piles;
mod random;
#[path = "../../model/tests/passing/scenes.rs"]
mod random_scenes;
mod reports;
mod resumed;
mod scenes;
mod threads;
mod told;
