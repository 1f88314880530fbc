//! Pictures of a scene: the shapes of all bodies at their start, seen from one side, without
//! perspective.
//!
//! - `shapes`: the surface of each kind of shape
//! - [`drawing`]: the scene as flat pieces, farthest first
//! - [`svg`]: a drawing as SVG

pub mod drawing;
#[cfg(test)]
#[path = "../../tests/unit/picture/drawings.rs"]
mod drawings;
pub(crate) mod shapes;
#[cfg(test)]
#[path = "../../tests/unit/picture/surfaces.rs"]
mod surfaces;
pub mod svg;
