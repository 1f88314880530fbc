//! A closed surface of convex polygons, counter-clockwise seen from outside.

use contact_geometry::math::transcendental::atan2;
use contact_geometry::math::{Pose, Vec3};
use std::f64::consts::{PI, TAU};

/// The surface of a convex shape.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// Corners [m].
    pub vertices: Vec<Vec3>,
    /// Polygons by vertex, counter-clockwise seen from outside, each convex and nearly flat.
    pub faces: Vec<Vec<u32>>,
}

/// Pieces of a whole turn at least: coarser, a circle is a polygon to the eye.
const LEAST_AROUND: usize = 12;
/// Pieces of an arc at most.
const MOST_PIECES: usize = 96;

/// Number of chords of an arc of this radius [m] and angle [rad] that stay within `tolerance` [m]
/// of it: the sagitta of a chord over the angle a is R (1 - cos(a/2)).
pub(super) fn pieces(radius: f64, angle: f64, tolerance: f64) -> usize {
    let cosine = (1.0 - tolerance / radius).clamp(-1.0, 1.0);
    let largest = (2.0 * angle_of(cosine)).clamp(1e-3, PI);
    ((angle / largest).ceil() as usize).clamp(1, MOST_PIECES)
}

/// The angle [rad] of this cosine.
pub(super) fn angle_of(cosine: f64) -> f64 {
    atan2((1.0 - cosine * cosine).max(0.0).sqrt(), cosine)
}

/// Number of chords of a circle, a multiple of four.
pub(super) fn pieces_around(radius: f64, tolerance: f64) -> usize {
    let least = pieces(radius, TAU, tolerance).max(LEAST_AROUND);
    least.next_multiple_of(4)
}

impl Surface {
    /// The surface at a pose.
    pub fn placed(&self, pose: &Pose) -> Surface {
        let place = |v: &Vec3| pose.position + pose.rotation * v;
        Surface {
            vertices: self.vertices.iter().map(place).collect(),
            faces: self.faces.clone(),
        }
    }

    /// The polygons as triangles by vertex, counter-clockwise seen from outside.
    pub fn triangles(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        self.faces.iter().flat_map(|face| {
            face.windows(2)
                .skip(1)
                .map(|pair| [face[0], pair[0], pair[1]])
        })
    }

    /// Outward normal of a polygon, twice its area long [m2].
    pub fn normal(&self, face: &[u32]) -> Vec3 {
        let corner = |index: u32| self.vertices[index as usize];
        let first = corner(face[0]);
        face.windows(2).fold(Vec3::zeros(), |sum, pair| {
            sum + (corner(pair[0]) - first).cross(&(corner(pair[1]) - first))
        })
    }

    /// Lower and upper corner [m] of the box about the surface along the axes.
    pub fn bounds(&self) -> [Vec3; 2] {
        let nothing = [f64::INFINITY, f64::NEG_INFINITY].map(Vec3::repeat);
        self.vertices
            .iter()
            .fold(nothing, |[lower, upper], v| [lower.inf(v), upper.sup(v)])
    }

    pub(super) fn add(&mut self, vertex: Vec3) -> u32 {
        self.vertices.push(vertex);
        self.vertices.len() as u32 - 1
    }
}
