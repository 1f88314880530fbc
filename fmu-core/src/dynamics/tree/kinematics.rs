//! Poses and velocities of the links of trees, parents first.
//!
//! With o the origin of a body, w its angular velocity, P the axes of the joint's frame on the
//! parent p and K those on the child c, A and B the origins of these frames, d the displacement in
//! P axes: A = o_p + R_p a, B = A + P d, o_c = B - rho, so r = o_c - o_p = R_p a + P d - rho. A
//! rate q'_i turns the child about s_i or slides it along s_i, so with u the sum of the slides w_c
//! = w_p + w_rel, w_rel = sum s_i q'_i, v_c = v_p + w_p x r + u + rho x w_rel. Axes of slides are
//! fixed to p, and so are those of turns save that the second one of a universal joint is turned by
//! the first, and those of a quaternion joint are fixed to c, which gives alpha_c = alpha_p + sum
//! s_i q''_i + g, g = w_p x w_rel + s_1 x s_2 q'_1 q'_2 (universal only), a_c = a_p + alpha_p x r +
//! sum (s_i or rho x s_i) q''_i
//!       + w_p x (w_p x (r + rho)) + 2 w_p x u + rho x g - w_c x (w_c x rho).

use crate::dynamics::Model;
use crate::dynamics::rigid::{self, FREE_STATES, free_states};
use crate::dynamics::tree_work::JointMotion;
use crate::dynamics::twist::Twist;
use crate::dynamics::workspace::Workspace;
use crate::index::LinkId;
use crate::math::{Mat3, Pose, Real, Spatial, Vec3};
use crate::scene::Joint;
use crate::scene::description::JointKind;

/// Places a link of a tree by the states and writes how it moves; its parent is placed.
pub fn place<T: Real>(model: &Model, index: LinkId, work: &mut Workspace<T>, states: &[T]) {
    let link = &model.links.all[index];
    let joint = &model.scene.links()[link.joint];
    let motion = &mut work.tree.motions[model.links.index_in_trees(index)];
    (work.frames[link.body.frame()], work.twists[link.body]) = if link.is_free {
        place_root(joint, &free_states(link, states), motion)
    } else {
        let (pose, twist) = match joint.parent {
            Some(parent) => (work.frames[parent.frame()], work.twists[parent]),
            None => (Pose::identity(), Twist::at_rest()),
        };
        let (positions, rates) = (&states[link.positions.clone()], &states[link.rates.clone()]);
        place_child(joint, (&pose, &twist), (positions, rates), motion)
    };
}

/// Pose and velocities of a free body on which joints hang: its states are in world axes and, the
/// angular velocity, in its own.
fn place_root<T: Real>(
    joint: &Joint,
    states: &[T; FREE_STATES],
    motion: &mut JointMotion<T>,
) -> (Pose<T>, Twist<T>) {
    let (pose, twist) = rigid::kinematics(states);
    let axes = (&Mat3::identity(), &pose.rotation);
    write_columns(joint, axes, &Vec3::zeros(), &mut motion.columns);
    motion.bias = Spatial::zero();
    (motion.offset_w, motion.arm_w) = (pose.position, Vec3::zeros());
    (pose, twist)
}

/// Pose and velocities of the child for these position and velocity states; writes its motion,
/// which is large, where it is kept.
pub fn place_child<T: Real>(
    joint: &Joint,
    (parent, parent_twist): (&Pose<T>, &Twist<T>),
    (positions, rates): (&[T], &[T]),
    motion: &mut JointMotion<T>,
) -> (Pose<T>, Twist<T>) {
    let lift = |m: &Mat3| -> Mat3<T> { m.map(T::from) };
    let on_parent = parent.rotation * lift(&joint.parent_frame.rotation);
    let moved = joint.transform(positions);
    let on_child = on_parent * moved.rotation;
    let rotation = on_child * lift(&joint.child_frame.rotation.transpose());
    let arm_w = rotation * joint.child_frame.position.map(T::from);
    let to_joint =
        parent.rotation * joint.parent_frame.position.map(T::from) + on_parent * moved.position;
    let offset_w = to_joint - arm_w;
    let columns = &mut motion.columns;
    write_columns(joint, (&on_parent, &on_child), &arm_w, columns);

    let omega_p = &parent_twist.omega_w;
    let slides = slide_count(joint.kind);
    let (mut turning, mut sliding) = (Vec3::zeros(), Vec3::zeros());
    for (dof, (column, rate)) in columns.iter().zip(rates).enumerate() {
        match dof < slides {
            true => sliding += column.linear * *rate,
            false => turning += column.angular * *rate,
        }
    }
    let omega_w = omega_p + turning;
    let velocity_w =
        parent_twist.velocity_w + omega_p.cross(&offset_w) + sliding + arm_w.cross(&turning);
    let mut angular = omega_p.cross(&turning);
    if let (JointKind::Universal, [first, second]) = (joint.kind, rates) {
        angular += columns[0].angular.cross(&columns[1].angular) * (*first * *second);
    }
    let linear = omega_p.cross(&(omega_p.cross(&to_joint) + sliding * T::from(2.0)))
        + arm_w.cross(&angular)
        - omega_w.cross(&omega_w.cross(&arm_w));
    let pose = Pose {
        position: parent.position + offset_w,
        rotation,
    };
    let twist = Twist {
        velocity_w,
        omega_b: rotation.tr_mul(&omega_w),
        omega_w,
    };
    motion.bias = Spatial { angular, linear };
    (motion.offset_w, motion.arm_w) = (offset_w, arm_w);
    (pose, twist)
}

/// How many of the velocity states of a joint, the first ones, are slides; the others are turns.
pub fn slide_count(kind: JointKind) -> usize {
    match kind {
        JointKind::Fixed | JointKind::Revolute | JointKind::Universal | JointKind::Spherical => 0,
        JointKind::Prismatic | JointKind::Cylindrical => 1,
        JointKind::Planar => 2,
        JointKind::Free => 3,
    }
}

/// Writes the motion of the child's origin for a unit of each velocity state, by the axes of the
/// joint's frames on parent and child and the arm from the child's origin to the frame there.
fn write_columns<T: Real>(
    joint: &Joint,
    (on_parent, on_child): (&Mat3<T>, &Mat3<T>),
    arm_w: &Vec3<T>,
    columns: &mut [Spatial<T>; 6],
) {
    let slide = |direction_w: Vec3<T>| Spatial {
        angular: Vec3::zeros(),
        linear: direction_w,
    };
    let turn = |axis_w: Vec3<T>| Spatial {
        angular: axis_w,
        linear: arm_w.cross(&axis_w),
    };
    let axis = |place: usize| -> Vec3<T> { joint.axes[place].map(T::from) };
    let part = |axes: &Mat3<T>, i: usize| -> Vec3<T> { axes.column(i).into_owned() };
    match joint.kind {
        JointKind::Fixed => {}
        JointKind::Revolute => columns[0] = turn(on_parent * axis(0)),
        JointKind::Prismatic => columns[0] = slide(on_parent * axis(0)),
        JointKind::Cylindrical => {
            let axis_w = on_parent * axis(0);
            columns[0] = slide(axis_w);
            columns[1] = turn(axis_w);
        }
        JointKind::Universal => {
            columns[0] = turn(on_parent * axis(0));
            columns[1] = turn(on_child * axis(1));
        }
        JointKind::Planar => {
            columns[0] = slide(on_parent * axis(1));
            columns[1] = slide(on_parent * axis(0).cross(&axis(1)));
            columns[2] = turn(on_parent * axis(0));
        }
        JointKind::Spherical => {
            for (i, column) in columns.iter_mut().take(3).enumerate() {
                *column = turn(part(on_child, i));
            }
        }
        JointKind::Free => {
            for i in 0..3 {
                columns[i] = slide(part(on_parent, i));
                columns[i + 3] = turn(part(on_child, i));
            }
        }
    }
}
