//! Which pairs may be near, from bounding boxes and from how far shapes moved.
//!
//! - [`tree`]: which boxes meet a given box
//! - [`travel`]: how far the moving shapes have come
//! - [`candidates`]: the pairs that may be among the nearest, with bounds of their gaps
//! - [`neighbours`]: all pairs nearer than a reach, by cells

pub mod candidates;
pub mod neighbours;
pub mod travel;
pub mod tree;

pub use candidates::{Candidate, Candidates, Poses, TOUCHING, Work};
pub use neighbours::{Cells, Neighbours};
