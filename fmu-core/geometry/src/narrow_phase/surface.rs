//! A point and the surface of a mesh: the nearest part of a face, and the side on which the point is.

use crate::math::real::atan2;
use crate::math::{Real, Vec3};
use crate::shapes::Aabb;
use crate::shapes::mesh::cells::Cells;
use crate::shapes::mesh::tree::TreeNode;
use std::f64::consts::PI;

/// Distance, relative to the largest extent, up to which a point is on a face: a few times that up to which
/// vertices lie in its plane.
const ON_FACE: f64 = 4e-9;

/// More than one by much more than the rounding of a square.
const SURELY: f64 = 1.0 + 1e-12;

/// Edge or vertex of a face nearest to a point at a height over its plane, `None` if it is over the face, and the
/// square of the distance; `None` if that is not less than `least`.
#[inline(always)]
pub(super) fn nearest_of_face(
    corners: &[u32],
    corner: impl Fn(u32) -> Vec3,
    normal: &Vec3,
    height: f64,
    point: &Vec3,
    least: f64,
) -> Option<(Option<[u32; 2]>, f64)> {
    let flat = height * height;
    // NaN is not nearer.
    let is_nearer = flat < least;
    if !is_nearer {
        return None;
    }
    let (mut found, mut squared) = (None, f64::INFINITY);
    for (k, start) in corners.iter().enumerate() {
        let end = corners[if k + 1 == corners.len() { 0 } else { k + 1 }];
        let [a, b] = [*start, end].map(&corner);
        let (edge, off) = (b - a, point - a);
        let (inside, length) = (normal.cross(&edge).dot(&off), edge.norm_squared());
        if inside >= 0.0 {
            continue;
        }
        if inside * inside > (least - flat) * length * SURELY {
            return None;
        }
        let along = edge.dot(&off);
        let (ends, away) = if along <= 0.0 {
            ([*start; 2], off)
        } else if along >= length {
            ([end; 2], point - b)
        } else {
            ([*start, end], off - edge * (along / length))
        };
        let here = away.norm_squared();
        if here < squared {
            (found, squared) = (Some(ends), here);
        }
    }
    match found {
        None => Some((None, flat)),
        Some(_) => (squared < least).then_some((found, squared)),
    }
}

/// Point of the line through two points nearest to another one; the point itself if they are one.
pub(super) fn on_edge<T: Real>(ends: &[Vec3<T>; 2], point: &Vec3<T>) -> Vec3<T> {
    let (start, edge) = (ends[0], ends[1] - ends[0]);
    let length = edge.dot(&edge);
    if length.value() == 0.0 {
        return start;
    }
    start + edge * (edge.dot(&(point - start)) / length)
}

/// Returns true if the way `away` from a point of the surface, nearest to its end, leads inwards.
pub(super) fn is_below(cells: &Cells, at: &Vec3, away: &Vec3) -> bool {
    let near = ON_FACE * (cells.bounds.upper - cells.bounds.lower).amax();
    let around = Aabb {
        lower: at.add_scalar(-near),
        upper: at.add_scalar(near),
    };
    let mut sum = Vec3::zeros();
    let enters = |node: &TreeNode| !node.bounds().common(&around).is_empty();
    cells.tree.for_each_leaf(enters, |leaf| {
        for face in cells.tree.faces(leaf) {
            let normal = &cells.faces[face].normal;
            if (normal.dot(at) - cells.faces[face].height).abs() <= near {
                sum += normal * angle(cells, face, at, near);
            }
        }
    });
    sum.dot(away) < 0.0
}

/// Returns true if a point that is nearer than `reach` [m] to the surface is inside.
pub(super) fn is_inside(cells: &Cells, point: &Vec3, reach: f64) -> bool {
    let corner = |v: u32| cells.vertex(v).point;
    let (mut at, mut least) = (*point, f64::INFINITY);
    cells.for_each_face_within(reach, &Aabb::EMPTY.with(point), |face| {
        let of = &cells.faces[face];
        let height = of.normal.dot(point) - of.height;
        let corners = cells.corners(face);
        let near = nearest_of_face(corners, corner, &of.normal, height, point, least);
        if let Some((ends, squared)) = near {
            least = squared;
            at = match ends {
                None => point - of.normal * height,
                Some(ends) => on_edge(&ends.map(corner), point),
            };
        }
    });
    is_below(cells, &at, &(point - at))
}

/// Angle of a face about a point [rad], zero if the point is not in it.
fn angle(cells: &Cells, face: usize, at: &Vec3, near: f64) -> f64 {
    let normal = &cells.faces[face].normal;
    let corners = cells.corners(face);
    let count = corners.len();
    let corner = |k: usize| cells.vertex(corners[k % count]).point - at;
    let mut all = 2.0 * PI;
    for k in 0..count {
        let (a, b) = (corner(k), corner(k + 1));
        if a.norm() <= near {
            let before = corner(k + count - 1);
            return atan2(normal.dot(&b.cross(&before)), b.dot(&before)).abs();
        }
        let edge = b - a;
        let inside = normal.cross(&edge).dot(&-a);
        if inside < -near * edge.norm() && b.norm() > near {
            return 0.0;
        }
        if inside < near * edge.norm() {
            all = PI;
        }
    }
    all
}
