//! A point (the core of a sphere) against segment, cylinder, cone, beam and ellipsoid.
//!
//! The point is brought into the frame of the core; there the nearest part of its surface follows
//! from a few comparisons, and distance, normal and nearest point from that part. Inside the core
//! the distance is negative: the shortest way out, found the same way, so that all is continuous
//! through the surface. Where several ways are the shortest, the first named part is taken.
//!
//! - [`revolved`]: segment, cylinder and cone in the plane through their axis and the point
//! - [`beam`]: beam, a stadium times its thickness
//! - [`ellipsoid`]: ellipsoid, the root of one function

pub mod beam;
pub mod ellipsoid;
pub mod revolved;

use crate::math::{Pose, Real, Vec3};
use crate::narrow_phase::{Feature, Proximity};
use crate::shapes::{Beam, Cone, Core, Cylinder, Ellipsoid, RoundedShape, Segment};
use serde::{Deserialize, Serialize};

/// The part of a round core nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum RoundFeature {
    /// Of a segment, a cylinder or a cone.
    Revolved(revolved::Region),
    /// Of a beam.
    Beam(beam::Region),
    /// Of an ellipsoid.
    Ellipsoid(ellipsoid::Root),
}

/// Distance of a point from a core, in the frame of the core.
pub struct Nearest<T: Real> {
    /// Signed distance from the core [m].
    distance: T,
    /// Unit vector out of the core.
    normal: Vec3<T>,
    /// Nearest point of the core [m].
    point: Vec3<T>,
}

/// Finds it. Cores that this module does not serve have none.
#[inline(always)]
pub fn feature(core: &Core, pose: &Pose, point_pose: &Pose) -> Feature {
    let c = in_core(pose, point_pose);
    Feature::Round(match core {
        Core::Segment(Segment { half }) => RoundFeature::Revolved(revolved::of_segment(*half, &c)),
        Core::Cylinder(Cylinder { radius, half }) => RoundFeature::Revolved(revolved::part(
            &revolved::Profile::cylinder(*radius, *half),
            &c,
        )),
        Core::Cone(Cone { z, radii }) => {
            RoundFeature::Revolved(revolved::part(&revolved::Profile::cone(z, radii), &c))
        }
        Core::Beam(Beam {
            half,
            radius,
            half_thickness,
        }) => RoundFeature::Beam(beam::part(*half, *radius, *half_thickness, &c)),
        Core::Ellipsoid(Ellipsoid { semi_axes }) => {
            RoundFeature::Ellipsoid(ellipsoid::root(semi_axes, &c))
        }
        _ => return Feature::None,
    })
}

/// A round core (1) swept by its ball against a point (2) swept by one of radius `r_point` [m].
#[inline(always)]
pub fn solve<T: Real>(
    shape: &RoundedShape,
    pose: &Pose<T>,
    r_point: f64,
    point_pose: &Pose<T>,
    part: &RoundFeature,
) -> Proximity<T> {
    let c = in_core(pose, point_pose);
    let nearest = match (&shape.core, part) {
        (Core::Segment(Segment { half }), RoundFeature::Revolved(part)) => {
            revolved::solve(&revolved::Profile::cylinder(0.0, *half), &c, part)
        }
        (Core::Cylinder(Cylinder { radius, half }), RoundFeature::Revolved(part)) => {
            revolved::solve(&revolved::Profile::cylinder(*radius, *half), &c, part)
        }
        (Core::Cone(Cone { z, radii }), RoundFeature::Revolved(part)) => {
            revolved::solve(&revolved::Profile::cone(z, radii), &c, part)
        }
        (
            Core::Beam(Beam {
                half,
                radius,
                half_thickness,
            }),
            RoundFeature::Beam(part),
        ) => beam::solve(*half, *radius, *half_thickness, &c, part),
        (Core::Ellipsoid(Ellipsoid { semi_axes }), RoundFeature::Ellipsoid(root)) => {
            ellipsoid::solve(semi_axes, &c, root)
        }
        // A part of another core: of this one nothing is near.
        _ => Nearest {
            distance: T::from(f64::INFINITY),
            normal: Vec3::x(),
            point: Vec3::zeros(),
        },
    };
    let normal_w = pose.rotation * nearest.normal;
    let on_core = nearest.point + nearest.normal * T::from(shape.radius);
    Proximity {
        gap: nearest.distance - (shape.radius + r_point),
        normal_w,
        points_w: [
            pose.position + pose.rotation * on_core,
            point_pose.position - normal_w * T::from(r_point),
        ],
    }
}

/// The point in the frame of the core.
#[inline(always)]
fn in_core<T: Real>(pose: &Pose<T>, point_pose: &Pose<T>) -> Vec3<T> {
    pose.rotation.tr_mul(&(point_pose.position - pose.position))
}

#[cfg(test)]
#[path = "../../tests/unit/narrow_phase/round/tests/mod.rs"]
mod tests;
