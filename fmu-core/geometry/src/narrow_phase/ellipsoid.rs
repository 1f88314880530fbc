//! An ellipsoid that meets the surface of a mesh: its gap is that of its own field of depths, l (1 - |S x|) at the
//! deepest part x of the surface, relative to its centre; l is [`Ellipsoid::length`], S the inverse of its axes.
//! That part is the nearest one to the centre where the map S makes the ellipsoid a ball; planes stay planes.

use crate::math::{Pose, Real, Vec3};
use crate::narrow_phase::proximity::Proximity;
use crate::narrow_phase::surface::{nearest_of_face, on_edge};
use crate::shapes::mesh::cells::Cells;
use crate::shapes::{Aabb, Ellipsoid, Solid};
use serde::{Deserialize, Serialize};

/// Face, edge or vertex that is deepest in an ellipsoid.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EllipsoidPart {
    /// The face, or one there.
    pub(super) face: u32,
    /// Vertices of the edge, or twice the vertex.
    ends: Option<[u32; 2]>,
    /// Whether the centre is inside the mesh.
    is_inside: bool,
}

/// The part of the surface deepest in an ellipsoid that meets a face: the part nearest to its centre, where a
/// linear map makes it a ball, which is inside the mesh or not.
pub(super) fn deepest(
    cells: &Cells,
    of: &Ellipsoid,
    pose: &Pose,
    face: u32,
    is_inside: bool,
) -> EllipsoidPart {
    let corner = |v: u32| {
        let own = pose
            .rotation
            .tr_mul(&(cells.vertex(v).point - pose.position));
        own.component_div(&of.semi_axes)
    };
    let (mut best, mut least) = ((face, None), f64::INFINITY);
    let mut look = |face: usize| {
        let (normal, corners) = (cells.faces[face].normal, cells.corners(face));
        let own = pose.rotation.tr_mul(&normal);
        let normal = own.component_mul(&of.semi_axes).normalize();
        let height = -normal.dot(&corner(corners[0]));
        let near = nearest_of_face(corners, corner, &normal, height, &Vec3::zeros(), least);
        if let Some((ends, squared)) = near {
            (best, least) = ((face as u32, ends), squared);
        }
    };
    look(face as usize);
    let [lower, upper] = of.bounds(&pose.rotation).map(|end| end + pose.position);
    cells.for_each_face_near(&Aabb { lower, upper }, look);
    EllipsoidPart {
        face: best.0,
        ends: best.1,
        is_inside,
    }
}

/// Gap, normal and points at the deepest part.
pub(super) fn solve<T: Real>(
    cells: &Cells,
    pose: &Pose<T>,
    of: &Ellipsoid,
    round_pose: &Pose<T>,
    part: &EllipsoidPart,
) -> Proximity<T> {
    let scaled = |v: Vec3<T>, by: fn(f64) -> f64| v.zip_map(&of.semi_axes, |c, a| c * by(a));
    let local = |point: Vec3<T>| {
        let point_w = pose.position + pose.rotation * point;
        let own = round_pose.rotation.tr_mul(&(point_w - round_pose.position));
        scaled(own, f64::recip)
    };
    let edge = part.ends.map(|ends| {
        let ends = ends.map(|v| local(cells.vertex(v).point.map(T::from)));
        on_edge(&ends, &Vec3::zeros())
    });
    let (distance, at, normal_w) = match edge.filter(|at| at.dot(at).value() > 0.0) {
        Some(at) => {
            let sign = if part.is_inside { -1.0 } else { 1.0 };
            let toward = round_pose.rotation * scaled(at, f64::recip);
            let normal_w = toward * (toward.dot(&toward).sqrt().recip() * -sign);
            (at.dot(&at).sqrt() * sign, at, normal_w)
        }
        None => {
            let face = (part.face as usize).min(cells.faces.len() - 1);
            let normal_w = pose.rotation * cells.faces[face].normal.map(T::from);
            let normal = scaled(round_pose.rotation.tr_mul(&normal_w), |a| a);
            let normal = normal * normal.dot(&normal).sqrt().recip();
            let corner = &cells.vertex(cells.corners(face)[0]).point;
            let height = normal.dot(&local(corner.map(T::from)));
            (-height, normal * height, normal_w)
        }
    };
    let gap = (distance - 1.0) * of.length();
    let point_w = round_pose.position + round_pose.rotation * scaled(at, |a| a);
    Proximity {
        gap,
        normal_w,
        points_w: [point_w, point_w + normal_w * gap],
    }
}
