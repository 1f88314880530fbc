//! A point (the core of a sphere) against a point, a box and a half-space. Closed forms.
//!
//! # A half-space and any other core
//!
//! One contact, at the deepest part of the core.
//!
//! With d the direction into the half-space in axes of the core, h(d) the support function of the core and c
//! the height of its frame over the plane, gap = c - h(d) - r_plane - r_core, exactly. The contact point lies
//! under the soft support point along d ([`soft`]), so that it moves across a face or an edge as that passes
//! through parallel instead of jumping.
//!
//! [`soft`]: crate::shapes::strata

use crate::math::{Pose, Real, Vec3, norm};
use crate::narrow_phase::proximity::{Nearest, Proximity, in_core};
use crate::shapes::RoundedShape;

/// Two balls, concentric if their positions are equal; see [`to_point`].
#[inline(always)]
pub fn points<T: Real>(r_1: f64, pose_1: &Pose<T>, r_2: f64, pose_2: &Pose<T>) -> Proximity<T> {
    let same = |axis: usize| pose_1.position[axis].value() == pose_2.position[axis].value();
    to_point(r_1, pose_1, r_2, pose_2, same(0) && same(1) && same(2))
}

/// Two points with radii r_1 and r_2 [m].
#[inline(always)]
pub(super) fn to_point<T: Real>(
    r_1: f64,
    pose_1: &Pose<T>,
    r_2: f64,
    pose_2: &Pose<T>,
    coincident: bool,
) -> Proximity<T> {
    let between = pose_2.position - pose_1.position;
    let (distance, normal_w) = if coincident {
        (T::zero(), Vec3::x())
    } else {
        let distance = norm(&between);
        (distance, between / distance)
    };
    Proximity {
        gap: distance - (r_1 + r_2),
        normal_w,
        points_w: [
            pose_1.position + normal_w * T::from(r_1),
            pose_2.position - normal_w * T::from(r_2),
        ],
    }
}

pub(super) enum BoxPart {
    /// Axis and side, -1 or 1.
    Face(usize, f64),
    /// The side along each axis, 0 where the point lies between the faces.
    EdgeOrCorner([f64; 3]),
}

#[inline(always)]
pub(super) fn part_of_box(half: &Vec3, box_pose: &Pose, point_pose: &Pose) -> BoxPart {
    part_at(half, &in_core(box_pose, point_pose))
}

/// [`part_of_box`] for a point c in box axes.
#[inline(always)]
fn part_at(half: &Vec3, c: &Vec3) -> BoxPart {
    // Distance to the nearer face of each axis, positive outside.
    let d = c.abs() - half;
    let side = |axis: usize| if c[axis] < 0.0 { -1.0 } else { 1.0 };
    // Over a face the other two are not positive; inside it is the shortest way out, the first of
    // equal ones.
    if d.y <= 0.0 && d.z <= 0.0 && d.x >= d.y && d.x >= d.z {
        BoxPart::Face(0, side(0))
    } else if d.x <= 0.0 && d.z <= 0.0 && d.y >= d.z {
        BoxPart::Face(1, side(1))
    } else if d.x <= 0.0 && d.y <= 0.0 {
        BoxPart::Face(2, side(2))
    } else {
        // Not by a closure over an array, which stays a call.
        let beyond = |axis: usize| if d[axis] > 0.0 { side(axis) } else { 0.0 };
        BoxPart::EdgeOrCorner([beyond(0), beyond(1), beyond(2)])
    }
}

#[inline(always)]
pub(super) fn distance_to_box(half: &Vec3, box_pose: &Pose, point_pose: &Pose) -> f64 {
    let d = in_core(box_pose, point_pose).abs() - half;
    let outside = [d.x > 0.0, d.y > 0.0, d.z > 0.0].map(u8::from);
    if outside[0] + outside[1] + outside[2] < 2 {
        // Over a face, or inside.
        return d.x.max(d.y).max(d.z);
    }
    norm(&d.map(|v| v.max(0.0)))
}

/// Box (1) against a point (2), with radii `r_box` and `r_point` [m], for a known nearest part of the box.
#[inline(always)]
pub(super) fn to_box<T: Real>(
    half: &Vec3,
    r_box: f64,
    box_pose: &Pose<T>,
    r_point: f64,
    point_pose: &Pose<T>,
    part: Option<BoxPart>,
) -> Proximity<T> {
    let c = in_core(box_pose, point_pose);
    from_box(&c, half, part).swept(r_box, box_pose, r_point, point_pose)
}

/// [`to_box`] with [`part_of_box`], in one: the part stays in registers.
#[inline(always)]
pub(super) fn box_and_point<T: Real>(
    half: &Vec3,
    r_box: f64,
    box_pose: &Pose<T>,
    r_point: f64,
    point_pose: &Pose<T>,
) -> Proximity<T> {
    let c = in_core(box_pose, point_pose);
    let part = part_at(half, &Vec3::new(c.x.value(), c.y.value(), c.z.value()));
    from_box(&c, half, Some(part)).swept(r_box, box_pose, r_point, point_pose)
}

/// Distance of a point c in box axes.
#[inline(always)]
fn from_box<T: Real>(c: &Vec3<T>, half: &Vec3, part: Option<BoxPart>) -> Nearest<T> {
    match part {
        Some(BoxPart::Face(0, side)) => over_face::<T, 0>(c, half, side),
        Some(BoxPart::Face(1, side)) => over_face::<T, 1>(c, half, side),
        Some(BoxPart::Face(_, side)) => over_face::<T, 2>(c, half, side),
        Some(BoxPart::EdgeOrCorner(sides)) => off_edge(*c, half, sides),
        None => Nearest {
            distance: T::zero(),
            normal: Vec3::zeros(),
            point: *c,
        },
    }
}

/// Over a face the distance is exact without a square root.
#[inline(always)]
fn over_face<T: Real, const AXIS: usize>(c: &Vec3<T>, half: &Vec3, side: f64) -> Nearest<T> {
    let (mut point, mut normal) = (*c, Vec3::zeros());
    point[AXIS] = T::from(side * half[AXIS]);
    normal[AXIS] = T::from(side);
    Nearest {
        distance: c[AXIS] * side - half[AXIS],
        normal,
        point,
    }
}

#[inline(always)]
fn off_edge<T: Real>(c: Vec3<T>, half: &Vec3, sides: [f64; 3]) -> Nearest<T> {
    let mut point = c;
    for i in 0..3 {
        if sides[i] != 0.0 {
            point[i] = T::from(sides[i] * half[i]);
        }
    }
    let away = c - point;
    let distance = norm(&away);
    Nearest {
        distance,
        normal: away / distance,
        point,
    }
}

/// Half-space (1), its surface raised by `r_plane` [m], against a point (2) with radius `r_point` [m].
#[inline(always)]
pub(super) fn to_half_space<T: Real>(
    r_plane: f64,
    plane: &Pose<T>,
    r_point: f64,
    point_pose: &Pose<T>,
) -> Proximity<T> {
    let normal_w: Vec3<T> = plane.rotation.column(2).into();
    let height = normal_w.dot(&(point_pose.position - plane.position));
    Proximity {
        gap: height - (r_plane + r_point),
        normal_w,
        points_w: [
            point_pose.position - normal_w * (height - r_plane),
            point_pose.position - normal_w * T::from(r_point),
        ],
    }
}

/// Half-space (1), its surface raised by `r_plane` [m], against any other shape (2).
#[inline(always)]
pub(super) fn lowest<T: Real>(
    r_plane: f64,
    plane: &Pose<T>,
    shape: &RoundedShape,
    pose: &Pose<T>,
) -> Proximity<T> {
    let normal_w: Vec3<T> = plane.rotation.column(2).into();
    let down = -pose.rotation.tr_mul(&normal_w);
    let center = pose.position - plane.position;
    let gap = normal_w.dot(&center)
        - shape.core.support_function(&down)
        - T::from(r_plane + shape.radius);
    let soft = pose.rotation * shape.core.soft_support(&down);
    let foot_w = pose.position + soft - normal_w * normal_w.dot(&(center + soft));
    Proximity {
        gap,
        normal_w,
        points_w: [
            foot_w + normal_w * T::from(r_plane),
            foot_w + normal_w * (gap + r_plane),
        ],
    }
}

#[cfg(test)]
#[path = "../../tests/unit/narrow_phase/lowest/tests.rs"]
mod tests;
