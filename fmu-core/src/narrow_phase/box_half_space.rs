//! A rounded box over a half-space: one contact, at the deepest point of the box.
//!
//! With m the plane's normal in box axes, the deepest corner of the core is -sign(m_i) half_i.
//! Where an edge or a face is exactly parallel to the plane its middle is taken.

use crate::math::{Pose, Real, Vec3};
use crate::narrow_phase::{Feature, Proximity};

/// The deepest corner.
pub fn feature(plane: &Pose, box_pose: &Pose) -> Feature {
    let m = box_pose.rotation.tr_mul(&plane.rotation.column(2));
    let side = |v: f64| {
        if v > 0.0 {
            -1
        } else if v < 0.0 {
            1
        } else {
            0
        }
    };
    Feature::Corner([side(m.x), side(m.y), side(m.z)])
}

/// A half-space (1) against a box (2) with half edges `half` [m] swept by a ball of radius
/// `radius` [m].
pub fn solve<T: Real>(
    plane: &Pose<T>,
    half: &Vec3,
    radius: f64,
    box_pose: &Pose<T>,
    feature: Feature,
) -> Proximity<T> {
    let sides = if let Feature::Corner(sides) = feature {
        sides
    } else {
        [0; 3]
    };
    let corner = Vec3::new(
        T::from(f64::from(sides[0]) * half.x),
        T::from(f64::from(sides[1]) * half.y),
        T::from(f64::from(sides[2]) * half.z),
    );
    let normal_w: Vec3<T> = plane.rotation.column(2).into();
    let corner_w = box_pose.position + box_pose.rotation * corner;
    let height = normal_w.dot(&(corner_w - plane.position));
    Proximity {
        gap: height - radius,
        normal_w,
        points_w: [
            corner_w - normal_w * height,
            corner_w - normal_w * T::from(radius),
        ],
    }
}
