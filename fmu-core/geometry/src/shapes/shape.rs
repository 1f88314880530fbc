//! A shape is a convex core swept by a ball of radius r.
//!
//! Sphere: point + r. Capsule: segment + r. Tapered capsule: the hull of a point and a ball of the difference
//! of its radii + r. Shapes with edges: the shape shrunk by the smoothing radius r on every side (all points
//! at least r inside), so that the outer size stays and edges become round. Ellipsoids are smooth already: r
//! = 0. While two shapes overlap by less than r1 + r2 their cores stay apart, so gap and normal are those of
//! the distance between the cores and stay smooth through touching.
//!
//! Cores of revolution have their axis along z of the core frame; [`axis_rotation`] turns it to another one.

use crate::math::real::hypot;
use crate::math::{Mat3, Pose, Real, Vec3};
use crate::shapes::beam::{Beam, Point, Segment};
use crate::shapes::bounds::Aabb;
use crate::shapes::cuboid::{Cuboid, HalfSpace};
use crate::shapes::hull::Hull;
use crate::shapes::mesh::Mesh;
use crate::shapes::revolved::{Cone, Cylinder, Ellipsoid, RoundCone};
use crate::shapes::strata::{Footprint, Solid};
use std::sync::Arc;

/// Core of a shape in its own frame. In the order of [`Kind`], so that the kind is read, not looked up.
#[derive(Clone, Debug, PartialEq)]
pub enum Core {
    /// All points with z <= 0.
    HalfSpace,
    /// Closed triangle mesh, which need not be convex.
    Mesh(Arc<Mesh>),
    /// Convex polyhedron.
    Hull(Arc<Hull>),
    /// Box about the origin.
    Box(Cuboid),
    /// Stadium with a thickness.
    Beam(Beam),
    /// Cylinder about z.
    Cylinder(Cylinder),
    /// Cone or frustum about z.
    Cone(Cone),
    /// Hull of a ball and a point.
    RoundCone(RoundCone),
    /// Ellipsoid about the origin.
    Ellipsoid(Ellipsoid),
    /// Segment along z.
    Segment(Segment),
    /// The origin.
    Point,
}

/// Kind of a core. Routines for two cores take them in this order.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// [`Core::HalfSpace`].
    HalfSpace,
    /// [`Core::Mesh`].
    Mesh,
    /// [`Core::Hull`].
    Hull,
    /// [`Core::Box`].
    Box,
    /// [`Core::Beam`].
    Beam,
    /// [`Core::Cylinder`].
    Cylinder,
    /// [`Core::Cone`].
    Cone,
    /// [`Core::RoundCone`].
    RoundCone,
    /// [`Core::Ellipsoid`].
    Ellipsoid,
    /// [`Core::Segment`].
    Segment,
    /// [`Core::Point`].
    Point,
}

impl Kind {
    /// Number of kinds.
    pub const COUNT: usize = Kind::Point as usize + 1;
}

/// Evaluates an expression on the [`Solid`] of a core of any type.
macro_rules! with_solid {
    ($core:expr, $solid:ident => $value:expr) => {
        match $core {
            Core::HalfSpace => {
                let $solid = &HalfSpace;
                $value
            }
            Core::Mesh(mesh) => {
                let $solid: &Mesh = mesh;
                $value
            }
            Core::Hull(hull) => {
                let $solid: &Hull = hull;
                $value
            }
            Core::Box($solid) => $value,
            Core::Beam($solid) => $value,
            Core::Cylinder($solid) => $value,
            Core::Cone($solid) => $value,
            Core::RoundCone($solid) => $value,
            Core::Ellipsoid($solid) => $value,
            Core::Segment($solid) => $value,
            Core::Point => {
                let $solid = &Point;
                $value
            }
        }
    };
}

impl Core {
    #[inline(always)]
    pub(crate) fn kind(&self) -> Kind {
        match self {
            Core::HalfSpace => Kind::HalfSpace,
            Core::Mesh(_) => Kind::Mesh,
            Core::Hull(_) => Kind::Hull,
            Core::Box(_) => Kind::Box,
            Core::Beam(_) => Kind::Beam,
            Core::Cylinder(_) => Kind::Cylinder,
            Core::Cone(_) => Kind::Cone,
            Core::RoundCone(_) => Kind::RoundCone,
            Core::Ellipsoid(_) => Kind::Ellipsoid,
            Core::Segment(_) => Kind::Segment,
            Core::Point => Kind::Point,
        }
    }

    /// The rarely called functions that are not generic over the scalar.
    #[inline(never)]
    pub fn solid(&self) -> &dyn Solid {
        with_solid!(self, solid => solid)
    }

    /// [`Solid::support`].
    #[inline(always)]
    pub fn support(&self, d: &Vec3) -> Vec3 {
        with_solid!(self, solid => solid.support(d))
    }

    #[inline(always)]
    pub(crate) fn support_function<T: Real>(&self, d: &Vec3<T>) -> T {
        with_solid!(self, solid => solid.support_function(d))
    }

    #[inline(always)]
    pub(crate) fn soft_support<T: Real>(&self, d: &Vec3<T>) -> Vec3<T> {
        with_solid!(self, solid => solid.soft_support(d))
    }

    pub(crate) fn footprint<T: Real>(
        &self,
        d: &Vec3<T>,
        basis: &[Vec3<T>; 2],
    ) -> Option<Footprint<T>> {
        with_solid!(self, solid => solid.footprint(d, basis))
    }

    pub(crate) fn clamped<T: Real>(&self, d: &Vec3<T>, p: Vec3<T>) -> Vec3<T> {
        with_solid!(self, solid => solid.clamped(d, p))
    }
}

/// Shape: a core swept by a ball.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundedShape {
    /// The core.
    pub core: Core,
    /// Radius of the ball [m], >= 0.
    pub radius: f64,
}

/// Largest smoothing radius relative to a shape's smallest dimension [1].
pub(super) const LARGEST_SMOOTHING: f64 = 0.1;

/// Axis of a frame.
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

/// Rotation that maps the core frame to a frame in which the core's axis is along `axis`; the other two
/// follow in cyclic order.
pub fn axis_rotation(axis: Axis) -> Mat3 {
    match axis {
        Axis::X => Mat3::new(0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0),
        Axis::Y => Mat3::new(0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0),
        Axis::Z => Mat3::identity(),
    }
}

/// Smoothing radius [m] of a shape with this smallest dimension [m].
pub(super) fn smoothing_used(wanted: f64, smallest_dimension: f64) -> f64 {
    wanted.min(LARGEST_SMOOTHING * smallest_dimension)
}

impl RoundedShape {
    /// Kind of the core.
    #[inline(always)]
    pub fn kind(&self) -> Kind {
        self.core.kind()
    }

    /// Returns true for a ball about the origin.
    #[inline(always)]
    pub fn is_ball(&self) -> bool {
        self.kind() == Kind::Point
    }

    /// Radius R [m] of a round shape, whose pressure p = c u^n on a plane face has the force
    /// 2 pi R c d^(n+1)/(n+1) at a small depth d: of a ball or the end of a capsule its radius, of an ellipsoid
    /// the mean radius of curvature where its support has the height [`Ellipsoid::length`].
    pub fn round_radius(&self) -> Option<f64> {
        match &self.core {
            Core::Point | Core::Segment(_) => Some(self.radius),
            Core::Ellipsoid(of) => Some(of.semi_axes.product() / (of.length() * of.length())),
            _ => None,
        }
    }

    /// Whether the shape is a half-space.
    #[inline(always)]
    pub fn is_half_space(&self) -> bool {
        self.kind() == Kind::HalfSpace
    }

    /// Sphere of the given diameter [m].
    pub fn sphere(diameter: f64) -> Self {
        RoundedShape {
            core: Core::Point,
            radius: 0.5 * diameter,
        }
    }

    /// Capsule along z: cylinder of the given length [m] with half spheres at both ends.
    pub fn capsule(diameter: f64, length: f64) -> Self {
        RoundedShape {
            core: Core::Segment(Segment { half: 0.5 * length }),
            radius: 0.5 * diameter,
        }
    }

    /// Tapered capsule along z: the hull of two spheres with centres at z = -length/2 and length/2 [m], where
    /// length is more than half the difference of the diameters [m].
    pub fn tapered_capsule(diameter: f64, top_diameter: f64, length: f64) -> Self {
        if diameter == top_diameter {
            return RoundedShape::capsule(diameter, length);
        }
        let half = 0.5 * length;
        let ball = if diameter > top_diameter { -half } else { half };
        RoundedShape {
            core: Core::RoundCone(RoundCone {
                radius: 0.5 * (diameter - top_diameter).abs(),
                z: [ball, -ball],
            }),
            radius: 0.5 * diameter.min(top_diameter),
        }
    }

    /// Ellipsoid with the given diameters along its axes [m].
    pub fn ellipsoid(lengths: &[f64; 3]) -> Self {
        RoundedShape {
            core: Core::Ellipsoid(Ellipsoid {
                semi_axes: Vec3::from(*lengths) * 0.5,
            }),
            radius: 0.0,
        }
    }

    /// Box with outer edge lengths [m]; the smoothing radius `smoothing` [m] is limited to
    /// [`LARGEST_SMOOTHING`] of the smallest edge.
    pub fn cuboid(lengths: &[f64; 3], smoothing: f64) -> Self {
        let radius = smoothing_used(smoothing, lengths[0].min(lengths[1]).min(lengths[2]));
        RoundedShape {
            core: Core::Box(Cuboid {
                half: Vec3::from(*lengths) * 0.5 - Vec3::repeat(radius),
            }),
            radius,
        }
    }

    /// Cylinder along z, centred at the origin; outer sizes and smoothing radius in [m].
    pub fn cylinder(diameter: f64, length: f64, smoothing: f64) -> Self {
        let radius = smoothing_used(smoothing, diameter.min(length));
        RoundedShape {
            core: Core::Cylinder(Cylinder {
                radius: 0.5 * diameter - radius,
                half: 0.5 * length - radius,
            }),
            radius,
        }
    }

    /// Cone or frustum along z from the base circle about the origin to the top circle at z = `length`; outer
    /// sizes and smoothing radius in [m]. Smoothing removes the sharp apex.
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
            core: Core::Cone(Cone { z, radii }),
            radius,
        }
    }

    /// Beam along z: box of `length` (z), `width` (x) and `thickness` (y) with half cylinders at both ends in
    /// z; outer sizes and smoothing radius in [m].
    pub fn beam(length: f64, width: f64, thickness: f64, smoothing: f64) -> Self {
        let radius = smoothing_used(smoothing, width.min(thickness));
        RoundedShape {
            core: Core::Beam(Beam {
                half: 0.5 * length,
                radius: 0.5 * width - radius,
                half_thickness: 0.5 * thickness - radius,
            }),
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

    /// Closed triangle mesh with sharp edges.
    pub fn mesh(mesh: impl Into<Arc<Mesh>>) -> Self {
        RoundedShape {
            core: Core::Mesh(mesh.into()),
            radius: 0.0,
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

impl Aabb {
    /// Bounds of a shape at a pose.
    ///
    /// A half-space is bounded only where its normal is along a world axis to rounding; in every other
    /// direction, and if tilted, it reaches to infinity.
    pub fn of(shape: &RoundedShape, pose: &Pose) -> Self {
        let [lower, upper] = shape.core.solid().bounds(&pose.rotation);
        Aabb {
            lower: pose.position + lower.add_scalar(-shape.radius),
            upper: pose.position + upper.add_scalar(shape.radius),
        }
    }

    /// Faster, possibly larger bounds: for a hull from the box about it in its own frame; for any other shape
    /// equal to [`Self::of`].
    pub fn around(shape: &RoundedShape, pose: &Pose) -> Self {
        let Some([lower, upper]) = shape.core.solid().own_box() else {
            return Aabb::of(shape, pose);
        };
        let (middle, half) = (0.5 * (lower + upper), 0.5 * (upper - lower));
        let center = pose.position + pose.rotation * middle;
        let extent = (pose.rotation.abs() * half).add_scalar(shape.radius);
        Aabb {
            lower: center - extent,
            upper: center + extent,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rotation_matrix;

    #[test]
    fn turned_box_is_bounded_by_its_diagonal() {
        let h = (std::f64::consts::PI / 8.0).sin_cos();
        let pose = Pose {
            position: Vec3::new(1.0, 2.0, 3.0),
            rotation: rotation_matrix(&[h.1, 0.0, 0.0, h.0]),
        };
        let bounds = Aabb::of(&RoundedShape::cuboid(&[2.0, 2.0, 2.0], 0.0), &pose);
        let d = std::f64::consts::SQRT_2;
        assert!((bounds.upper - Vec3::new(1.0 + d, 2.0 + d, 4.0)).amax() < 1e-15);
        assert!((bounds.lower - Vec3::new(1.0 - d, 2.0 - d, 2.0)).amax() < 1e-15);
    }

    #[test]
    fn distance_is_that_of_the_nearest_corners() {
        let unit = |x, y, z| Aabb {
            lower: Vec3::new(x, y, z),
            upper: Vec3::new(x + 1.0, y + 1.0, z + 1.0),
        };
        assert_eq!(unit(0.0, 0.0, 0.0).distance(&unit(4.0, 5.0, 0.5)), 5.0);
        assert_eq!(unit(0.0, 0.0, 0.0).distance(&unit(0.5, 0.5, 0.5)), 0.0);
    }

    #[test]
    fn level_half_space_is_bounded_above_only() {
        let ground = Aabb::of(&RoundedShape::half_space(), &Pose::identity());
        let ball = Pose {
            position: Vec3::new(7.0, -3.0, 2.0),
            rotation: crate::math::Mat3::identity(),
        };
        assert_eq!(
            Aabb::of(&RoundedShape::sphere(1.0), &ball).distance(&ground),
            1.5
        );
        assert_eq!(ground.lower.z, f64::NEG_INFINITY);
    }
}
