//! Contact over an area.
//!
//! - [`curved`]: a body with curved surfaces against a convex polytope

pub mod curved;

use crate::math::{Real, Vec3};

/// Plane of a face of a polytope: its inside is where normal . x <= offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane<T: Real> {
    /// Unit normal, out of the polytope.
    pub normal: Vec3<T>,
    /// normal . x of the points of the plane [m].
    pub offset: T,
}

/// A quadrature node of a patch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node<T: Real> {
    /// Where it is [m].
    pub point: Vec3<T>,
    /// Unit normal, out of the curved body A.
    pub normal: Vec3<T>,
    /// Elastic pressure times area [N], >= 0.
    pub force: T,
}
