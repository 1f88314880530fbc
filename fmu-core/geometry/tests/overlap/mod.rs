//! Intersections of convex polyhedra.
//!
//! - [`cases`]: pairs whose intersection others found
//! - [`properties`]: invariance, additivity, touching, containment, thin intersections
//! - [`derivatives`]: dual numbers against vector areas and differences
//! - [`sparsify`]: which contacts are kept, in any order

mod cases;
mod derivatives;
mod properties;
mod sparsify;

use crate::random::at;
use contact_geometry::math::Pose;
use contact_geometry::narrow_phase::overlap::{GEOMETRIC_EPSILON, Overlap, Polyhedron, Workspace};
use contact_geometry::shapes::RoundedShape;

fn polyhedron(shape: &RoundedShape) -> Polyhedron {
    Polyhedron::of(&shape.core).expect("a polyhedron")
}

fn cuboid(lengths: [f64; 3]) -> Polyhedron {
    polyhedron(&RoundedShape::cuboid(&lengths, 0.0))
}

fn overlap(shapes: [&Polyhedron; 2], poses: [&Pose; 2]) -> Overlap {
    Workspace::default().overlap(shapes, poses, GEOMETRIC_EPSILON)
}
