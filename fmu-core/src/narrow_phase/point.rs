//! A point (the core of a sphere) against a point, a box and a half-space. Closed forms.

use crate::math::{Pose, Real, Vec3, norm};
use crate::narrow_phase::{Feature, Proximity};

/// Feature of two points.
pub fn feature_to_point(pose_1: &Pose, pose_2: &Pose) -> Feature {
    if pose_1.position == pose_2.position {
        Feature::CoincidentPoints
    } else {
        Feature::Points
    }
}

/// Two points swept by balls of radius r_1 and r_2 [m].
pub fn to_point<T: Real>(
    r_1: f64,
    pose_1: &Pose<T>,
    r_2: f64,
    pose_2: &Pose<T>,
    feature: Feature,
) -> Proximity<T> {
    let between = pose_2.position - pose_1.position;
    let (distance, normal_w) = if feature == Feature::CoincidentPoints {
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

/// Nearest feature of a box with half edges `half` [m] to a point.
pub fn feature_to_box(half: &Vec3, box_pose: &Pose, point_pose: &Pose) -> Feature {
    let c = box_pose
        .rotation
        .tr_mul(&(point_pose.position - box_pose.position));
    let mut sides = [0; 3];
    for i in 0..3 {
        sides[i] = if c[i] > half[i] {
            1
        } else if c[i] < -half[i] {
            -1
        } else {
            0
        };
    }
    if sides != [0; 3] {
        return Feature::BoxOutside(sides);
    }
    // Inside: the shortest way out, the first of equal ones; +1 for a point in the middle.
    let mut axis = 0;
    for i in 1..3 {
        if half[i] - c[i].abs() < half[axis] - c[axis].abs() {
            axis = i;
        }
    }
    Feature::BoxInside(axis, if c[axis] < 0.0 { -1 } else { 1 })
}

/// A box (1) swept by a ball of radius `r_box` against a point (2) swept by one of radius
/// `r_point` [m].
pub fn to_box<T: Real>(
    half: &Vec3,
    r_box: f64,
    box_pose: &Pose<T>,
    r_point: f64,
    point_pose: &Pose<T>,
    feature: Feature,
) -> Proximity<T> {
    // The point in box axes, the nearest point q of the core, and the normal there.
    let c = box_pose
        .rotation
        .tr_mul(&(point_pose.position - box_pose.position));
    let mut q = c;
    let mut normal = Vec3::zeros();
    let distance;
    match feature {
        Feature::BoxInside(axis, side) => {
            distance = leave(&c, half, axis, side);
            q[axis] = T::from(f64::from(side) * half[axis]);
            normal[axis] = T::from(f64::from(side));
        }
        Feature::BoxOutside(sides) => {
            for i in 0..3 {
                if sides[i] != 0 {
                    q[i] = T::from(f64::from(sides[i]) * half[i]);
                }
            }
            if let Some((axis, side)) = only_side(sides) {
                // Over a face no root is needed: the distance is exact.
                distance = leave(&c, half, axis, side);
                normal[axis] = T::from(f64::from(side));
            } else {
                let away = c - q;
                distance = norm(&away);
                normal = away / distance;
            }
        }
        _ => distance = T::zero(),
    }
    let normal_w = box_pose.rotation * normal;
    Proximity {
        gap: distance - (r_box + r_point),
        normal_w,
        points_w: [
            box_pose.position + box_pose.rotation * (q + normal * T::from(r_box)),
            point_pose.position - normal_w * T::from(r_point),
        ],
    }
}

/// Signed distance of c to a face of the core, positive outside [m].
fn leave<T: Real>(c: &Vec3<T>, half: &Vec3, axis: usize, side: i8) -> T {
    c[axis] * f64::from(side) - half[axis]
}

/// The axis and side where exactly one side is non-zero.
fn only_side(sides: [i8; 3]) -> Option<(usize, i8)> {
    match sides {
        [s, 0, 0] => Some((0, s)),
        [0, s, 0] => Some((1, s)),
        [0, 0, s] => Some((2, s)),
        _ => None,
    }
}

/// A half-space (1) against a point (2) swept by a ball of radius `r_point` [m].
pub fn to_half_space<T: Real>(plane: &Pose<T>, r_point: f64, point_pose: &Pose<T>) -> Proximity<T> {
    let normal_w: Vec3<T> = plane.rotation.column(2).into();
    let height = normal_w.dot(&(point_pose.position - plane.position));
    Proximity {
        gap: height - r_point,
        normal_w,
        points_w: [
            point_pose.position - normal_w * height,
            point_pose.position - normal_w * T::from(r_point),
        ],
    }
}
