//! A shape is a convex core swept by a ball of radius r.
//!
//! Sphere: point + r. Capsule: segment + r. Shapes with edges: the shape shrunk by the smoothing
//! radius r on every side (all points at least r inside), so that the outer size stays and edges
//! become round. Ellipsoids are smooth already: r = 0. While two shapes overlap by less than
//! r1 + r2 their cores stay apart, so gap and normal are those of the distance between the cores
//! and stay smooth through touching.
//!
//! Cores with an axis have it along z of the core frame; [`axis_rotation`] turns it to another one.

use crate::geometry::hull::Hull;
use crate::math::transcendental::hypot;
use crate::math::{Mat3, Vec3};
use std::sync::Arc;

/// Core of a shape in the core's own frame. In the order of [`Kind`](crate::geometry::Kind), so
/// that the kind is read, not looked up.
#[derive(Clone, Debug, PartialEq)]
pub enum Core {
    /// All points with z <= 0; outward normal +z.
    HalfSpace,
    /// Convex polyhedron.
    Hull(Arc<Hull>),
    /// Box about the origin with the given half edge lengths [m], >= 0.
    Box {
        /// Half edge lengths along x, y, z [m].
        half: Vec3,
    },
    /// Stadium in the plane x, z (rectangle with two half discs at the ends in z), thick along y.
    Beam {
        /// Half length of the rectangle along z [m], > 0.
        half: f64,
        /// Radius of the half discs, half the width along x [m], > 0.
        radius: f64,
        /// Half thickness along y [m], > 0.
        half_thickness: f64,
    },
    /// Cylinder about z with its centre in the origin.
    Cylinder {
        /// Radius [m], > 0.
        radius: f64,
        /// Half length [m], > 0.
        half: f64,
    },
    /// Cone or frustum about z. Where it ends in an apex, that end has radius zero.
    Cone {
        /// z [m] of the bottom circle and of the top circle, the first less than the second.
        z: [f64; 2],
        /// Radius [m] of the bottom circle and of the top circle, >= 0, not both zero.
        radii: [f64; 2],
    },
    /// Ellipsoid about the origin.
    Ellipsoid {
        /// Semi-axes along x, y, z [m], > 0.
        semi_axes: Vec3,
    },
    /// Segment along z, from -half to half.
    Segment {
        /// Half length [m], > 0.
        half: f64,
    },
    /// The origin.
    Point,
}

/// A core swept by a ball.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundedShape {
    /// The core.
    pub core: Core,
    /// Radius of the ball [m], >= 0.
    pub radius: f64,
}

/// Largest part of a shape's smallest dimension that smoothing may take [1].
pub const LARGEST_SMOOTHING: f64 = 0.1;

/// An axis of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub enum Axis {
    /// x.
    X,
    /// y.
    Y,
    /// z.
    #[default]
    Z,
}

/// Rotation that maps the core frame to a frame in which the core's axis lies along `axis`; the
/// other two follow in cyclic order.
pub fn axis_rotation(axis: Axis) -> Mat3 {
    match axis {
        Axis::X => Mat3::new(0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0),
        Axis::Y => Mat3::new(0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0),
        Axis::Z => Mat3::identity(),
    }
}

/// The smoothing radius [m] that a shape of this smallest dimension [m] gets.
pub fn smoothing_used(wanted: f64, smallest_dimension: f64) -> f64 {
    wanted.min(LARGEST_SMOOTHING * smallest_dimension)
}

impl RoundedShape {
    /// Sphere of the given diameter [m].
    pub fn sphere(diameter: f64) -> Self {
        RoundedShape {
            core: Core::Point,
            radius: 0.5 * diameter,
        }
    }

    /// Capsule along z: cylinder of the given length [m] with a half sphere at either end.
    pub fn capsule(diameter: f64, length: f64) -> Self {
        RoundedShape {
            core: Core::Segment { half: 0.5 * length },
            radius: 0.5 * diameter,
        }
    }

    /// Ellipsoid with the given diameters along its axes [m].
    pub fn ellipsoid(lengths: &[f64; 3]) -> Self {
        RoundedShape {
            core: Core::Ellipsoid {
                semi_axes: Vec3::from(*lengths) * 0.5,
            },
            radius: 0.0,
        }
    }

    /// Box of outer edge lengths [m] whose edges are rounded by `smoothing` [m], limited to
    /// [`LARGEST_SMOOTHING`] of the smallest edge.
    pub fn cuboid(lengths: &[f64; 3], smoothing: f64) -> Self {
        let radius = smoothing_used(smoothing, lengths[0].min(lengths[1]).min(lengths[2]));
        RoundedShape {
            core: Core::Box {
                half: Vec3::from(*lengths) * 0.5 - Vec3::repeat(radius),
            },
            radius,
        }
    }

    /// Cylinder along z with its centre in the origin; outer sizes and smoothing in [m].
    pub fn cylinder(diameter: f64, length: f64, smoothing: f64) -> Self {
        let radius = smoothing_used(smoothing, diameter.min(length));
        RoundedShape {
            core: Core::Cylinder {
                radius: 0.5 * diameter - radius,
                half: 0.5 * length - radius,
            },
            radius,
        }
    }

    /// Cone or frustum along z from the base circle about the origin to the top circle at z =
    /// `length`; outer sizes and smoothing in [m]. Smoothing takes away the sharp apex.
    pub fn cone(diameter: f64, top_diameter: f64, length: f64, smoothing: f64) -> Self {
        let radius = smoothing_used(smoothing, diameter.max(top_diameter).min(length));
        let slope = 0.5 * (top_diameter - diameter) / length;
        // Radius of the shrunk lateral surface at z.
        let at = |z: f64| 0.5 * diameter + slope * z - radius * hypot(slope, 1.0);
        let (mut z, mut radii) = ([radius, length - radius], [0.0; 2]);
        for end in 0..2 {
            radii[end] = at(z[end]);
            if radii[end] < 0.0 {
                // The shrunk lateral surface closes before the shrunk end.
                z[end] -= radii[end] / slope;
                radii[end] = 0.0;
            }
        }
        RoundedShape {
            core: Core::Cone { z, radii },
            radius,
        }
    }

    /// Beam along z: box of `length` (z), `width` (x) and `thickness` (y) with half a cylinder at
    /// either end in z; outer sizes and smoothing in [m].
    pub fn beam(length: f64, width: f64, thickness: f64, smoothing: f64) -> Self {
        let radius = smoothing_used(smoothing, width.min(thickness));
        RoundedShape {
            core: Core::Beam {
                half: 0.5 * length,
                radius: 0.5 * width - radius,
                half_thickness: 0.5 * thickness - radius,
            },
            radius,
        }
    }

    /// Convex polyhedron swept by a ball of `radius` [m].
    pub fn hull(core: Hull, radius: f64) -> Self {
        RoundedShape {
            core: Core::Hull(Arc::new(core)),
            radius,
        }
    }

    /// Half-space z <= 0.
    pub fn half_space() -> Self {
        RoundedShape {
            core: Core::HalfSpace,
            radius: 0.0,
        }
    }
}
