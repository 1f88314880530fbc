//! Convex polyhedron: vertices and the triangles of its surface.
//!
//! Contact needs the vertices only, and who is whose neighbour, to find the farthest vertex of a
//! large hull without looking at all of them. Triangles are kept for checks and pictures.
//!
//! - `surface`: whether triangles are the surface of a convex polyhedron
//! - `faces`: faces, neighbours and size
//! - `polyhedron`: vertices, and the farthest of them
//! - `solid`: the polyhedron as the core of a shape

mod faces;
mod polyhedron;
mod solid;
mod surface;

pub use faces::Faces;
pub use polyhedron::Hull;
pub use surface::CONVEXITY_TOLERANCE;
