//! A polyhedron placed in the frame in which two are intersected.

use super::polyhedron::Polyhedron;
use crate::math::{Pose, Real, Vec3};

/// A plane: unit normal n and n.x [m] of its points x.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane<T: Real> {
    /// Outward unit normal.
    pub normal: Vec3<T>,
    /// n.x of its points [m].
    pub offset: T,
}

impl<T: Real> Plane<T> {
    /// Height of a point over the plane [m].
    #[inline(always)]
    pub fn height(&self, point: &Vec3<T>) -> T {
        self.normal.dot(point) - self.offset
    }

    fn values(&self) -> Plane<f64> {
        Plane {
            normal: self.normal.map(Real::value),
            offset: self.offset.value(),
        }
    }
}

/// Vertices and planes of a polyhedron in the frame of the first of two; work arrays.
#[derive(Clone, Debug)]
pub struct Placed<T: Real> {
    /// Vertices [m].
    pub vertices: Vec<Vec3<T>>,
    /// Planes of the faces.
    pub planes: Vec<Plane<T>>,
    /// The vertices without derivatives [m].
    pub points: Vec<Vec3>,
    /// The planes without derivatives.
    pub walls: Vec<Plane<f64>>,
    /// Centre of the polyhedron [m]; the origin of its frame for a half-space.
    pub center: Vec3<T>,
}

impl<T: Real> Placed<T> {
    /// Empty arrays.
    pub fn new() -> Self {
        Placed {
            vertices: Vec::new(),
            planes: Vec::new(),
            points: Vec::new(),
            walls: Vec::new(),
            center: Vec3::zeros(),
        }
    }

    /// Fills the arrays.
    pub fn place(&mut self, shape: &Polyhedron, pose: &Pose<T>) {
        let moved = |v: &Vec3| pose.rotation * v.map(T::from) + pose.position;
        self.vertices.clear();
        self.vertices.extend(shape.vertices().iter().map(moved));
        self.center = moved(shape.center());
        self.planes.clear();
        self.planes.extend(shape.faces().iter().map(|face| {
            let normal = pose.rotation * face.normal.map(T::from);
            Plane {
                normal,
                offset: normal.dot(&pose.position) + T::from(face.offset),
            }
        }));
        self.points.clear();
        let values = |v: &Vec3<T>| v.map(Real::value);
        self.points.extend(self.vertices.iter().map(values));
        self.walls.clear();
        self.walls.extend(self.planes.iter().map(Plane::values));
    }
}

impl<T: Real> Default for Placed<T> {
    fn default() -> Self {
        Placed::new()
    }
}
