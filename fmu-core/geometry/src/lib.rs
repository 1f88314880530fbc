//! Shapes and pairs of shapes: gap, normal, contact points, intersection, and the patch over which two
//! soft bodies press on each other. Bodies and forces are not known here.
//!
//! In this order: a [`shapes::Shape`] is a convex core and a radius; its mass, bounds and support mapping
//! follow from the core. [`narrow_phase`] takes two shapes with their poses, finds the nearest features on
//! plain numbers, and solves their closed conditions for any scalar, so that dual numbers give exact
//! derivatives. Shapes that touch over an area have a patch in place of a point.
//!
//! Modules are listed bottom up: each knows those above it in this list, never those below.
//! - [`math`]: vectors, quaternions and poses over a generic scalar
//! - [`shapes`]: shapes as core and radius, without bodies
//! - [`narrow_phase`]: gap, normal and contact points of two shapes
//!
//! Conventions of all crates: SI units and radians; vector names end in `_w` (world axes) or `_b` (body
//! axes); `rotation_wb` maps body axes to world axes; a pair is (1, 2) and its normal points from 1 to 2.
//!
//! Glossary:
//! - core: convex set of a shape; the shape is all points within the radius of it
//! - stratum: part of a core's boundary with one kind of normal cone: vertex, edge, face, rim, lateral
//! - gap: signed distance of the surfaces of two shapes [m], negative if they overlap
//! - normal: unit vector from shape 1 to shape 2 of a pair
//! - patch: nodes with normal and force where two shapes press on each other over an area
//! - warm start (hint): nearest features at an earlier state, where the search begins
//! - frame: origin and axes fixed in a body, a shape or a joint
//! - pose: position and rotation of a frame

// A panic inside an importer ends the importer's work: what may fail returns an error. Functions
// whose last bits follow the platform are called through `math::real`.
#![cfg_attr(
    not(test),
    deny(
        clippy::disallowed_methods,
        clippy::disallowed_types,
        clippy::expect_used,
        clippy::panic,
        clippy::todo,
        clippy::too_many_lines,
        clippy::unimplemented,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

pub mod math;
pub mod narrow_phase;
pub mod shapes;
