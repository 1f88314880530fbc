//! Pictures of a scene: the shapes of all bodies at their start, seen from one side, without
//! perspective.
//!
//! - [`surface`]: a closed surface of convex polygons
//! - `revolved`: surfaces of shapes with an axis of revolution, and of beams
//! - `rounded`: surfaces of polyhedra with rounded edges
//! - [`shapes`]: the surface of each kind of shape
//! - [`parts`]: the convex shapes of a scene and where they stand
//! - [`camera`]: from where the scene is seen, and which part of it
//! - `order`: which part hides which
//! - [`drawing`]: the scene as flat pieces, farthest first
//! - [`svg`]: a drawing as SVG
//! - [`png`]: a drawing as PNG

pub mod camera;
pub mod drawing;
#[cfg(test)]
#[path = "../../tests/unit/picture/drawings.rs"]
mod drawings;
mod order;
pub mod parts;
pub mod png;
mod revolved;
mod rounded;
pub mod shapes;
pub mod surface;
#[cfg(test)]
#[path = "../../tests/unit/picture/surfaces.rs"]
mod surfaces;
pub mod svg;
