//! The faces of polytopes as planes, and a box around what two shapes have in common.

use crate::geometry::{Aabb, Core};
use crate::math::{Pose, Real, Vec3};
use crate::narrow_phase::area::Plane;

/// Writes the faces of a polytope at a pose, moved inwards by `inset` [m]: those of a box in pairs
/// of opposite ones.
pub fn of<T: Real>(core: &Core, pose: &Pose<T>, inset: f64, faces: &mut Vec<Plane<T>>) {
    faces.clear();
    let mut push = |normal: Vec3<T>, offset: f64| {
        let offset = normal.dot(&pose.position) + (offset - inset);
        faces.push(Plane { normal, offset });
    };
    match core {
        Core::HalfSpace => push(pose.rotation.column(2).into(), 0.0),
        Core::Box(cuboid) => {
            for axis in 0..3 {
                let normal: Vec3<T> = pose.rotation.column(axis).into();
                push(normal, cuboid.half[axis]);
                push(-normal, cuboid.half[axis]);
            }
        }
        Core::Hull(hull) => hull.faces().for_each(|normal, edges| {
            let rim = edges
                .iter()
                .map(|[v, _]| hull.vertices()[*v as usize].dot(normal));
            let offset = rim.sum::<f64>() / edges.len() as f64;
            push(pose.rotation * normal.map(T::from), offset);
        }),
        _ => {}
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

/// A box with axes of the world that contains all points of both polytopes; none if they have none.
pub fn common_bounds<T: Real>(cores: [&Core; 2], poses: &[Pose<T>; 2]) -> Option<Aabb> {
    let mut common = Aabb {
        lower: Vec3::repeat(f64::NEG_INFINITY),
        upper: Vec3::repeat(f64::INFINITY),
    };
    for (core, pose) in cores.iter().zip(poses) {
        if matches!(core, Core::HalfSpace) {
            continue;
        }
        let place = pose.position.map(Real::value);
        let [lower, upper] = core.solid().bounds(&pose.rotation.map(Real::value));
        common.lower = common.lower.sup(&(place + lower));
        common.upper = common.upper.inf(&(place + upper));
    }
    let some = (0..3).all(|i| common.lower[i] < common.upper[i]);
    some.then_some(common)
}
