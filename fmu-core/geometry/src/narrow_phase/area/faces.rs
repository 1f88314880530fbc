//! The faces of polytopes as planes.

use crate::math::{Pose, Real, Vec3};
use crate::narrow_phase::area::Plane;
use crate::shapes::Core;

/// A face of a polytope at a pose, moved inwards by `inset` [m]. Opposite faces of a box follow
/// each other.
#[inline(always)]
pub fn plane<T: Real>(core: &Core, face: usize, pose: &Pose<T>, inset: f64) -> Plane<T> {
    let (normal, offset): (Vec3<T>, f64) = match core {
        Core::Box(cuboid) => {
            let axis = face / 2;
            let normal: Vec3<T> = pose.rotation.column(axis).into();
            let outward = if face.is_multiple_of(2) {
                normal
            } else {
                -normal
            };
            (outward, cuboid.half[axis])
        }
        Core::Hull(hull) => {
            let (normal, offset) = hull.faces().plane(face);
            (pose.rotation * normal.map(T::from), offset)
        }
        // Of the other polytope, a half-space.
        _ => (pose.rotation.column(2).into(), 0.0),
    };
    Plane {
        normal,
        offset: normal.dot(&pose.position) + (offset - inset),
    }
}

/// Number of faces of a polytope; 0 of other cores.
pub fn count(core: &Core) -> usize {
    match core {
        Core::HalfSpace => 1,
        Core::Box(_) => 6,
        Core::Hull(hull) => hull.faces().count(),
        _ => 0,
    }
}
