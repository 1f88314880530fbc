//! A shape is a convex core swept by a ball of radius r.
//!
//! Sphere: point + r. Box: a box shrunk by the smoothing radius r on every side, so that the outer
//! size stays and edges become round. Half-space: all points with z <= 0, r = 0. While two shapes
//! overlap by less than r1 + r2 their cores stay apart, so gap and normal are those of the
//! distance between the cores and stay smooth through touching.

use crate::math::Vec3;

/// Core of a shape in the shape's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Core {
    /// The origin.
    Point,
    /// Box about the origin with the given half edge lengths [m], >= 0.
    Box {
        /// Half edge lengths along x, y, z [m].
        half: Vec3,
    },
    /// All points with z <= 0; outward normal +z.
    HalfSpace,
}

/// A core swept by a ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundedShape {
    /// The core.
    pub core: Core,
    /// Radius of the ball [m], >= 0.
    pub radius: f64,
}

/// Largest part of a shape's smallest dimension that smoothing may take [1].
pub const LARGEST_SMOOTHING: f64 = 0.1;

impl RoundedShape {
    /// Sphere of the given diameter [m].
    pub fn sphere(diameter: f64) -> Self {
        RoundedShape {
            core: Core::Point,
            radius: 0.5 * diameter,
        }
    }

    /// Box of outer edge lengths [m] whose edges are rounded by `smoothing` [m], limited to
    /// [`LARGEST_SMOOTHING`] of the smallest edge.
    pub fn cuboid(lengths: &[f64; 3], smoothing: f64) -> Self {
        let smallest = lengths[0].min(lengths[1]).min(lengths[2]);
        let radius = smoothing.min(LARGEST_SMOOTHING * smallest);
        RoundedShape {
            core: Core::Box {
                half: Vec3::from(*lengths) * 0.5 - Vec3::repeat(radius),
            },
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

impl Core {
    /// Word for messages.
    pub fn word(&self) -> &'static str {
        match self {
            Core::Point => "sphere",
            Core::Box { .. } => "box",
            Core::HalfSpace => "half-space",
        }
    }

    /// Whether contact between two cores is implemented; the narrow phase has a row for each.
    pub fn can_meet(&self, other: &Core) -> bool {
        !matches!(
            (self, other),
            (Core::Box { .. }, Core::Box { .. }) | (Core::HalfSpace, Core::HalfSpace)
        )
    }
}
