//! Poses and velocities of the links of trees, parents first.
//!
//! With o the origin of a body, w its angular velocity, P the axes of the joint's frame on the
//! parent p and K those on the child c, A and B the origins of these frames, d the displacement in
//! P axes: A = o_p + R_p a, B = A + P d, o_c = B - rho, so r = o_c - o_p = R_p a + P d - rho. A
//! rate q'_i turns the child about s_i, slides it along s_i, or as a screw of the lead h does both,
//! the slide by h s_i. Axes of slides and screws are fixed to p, and so are those of turns save
//! that one on the child is turned by the turn before it, and those of a quaternion joint are fixed
//! to c.
//! With u the sum of the slides and s_2 the axis on the child, if there is one:
//! - w_c = w_p + w_rel, w_rel = sum s_i q'_i
//! - v_c = v_p + w_p x r + u + rho x w_rel
//! - alpha_c = alpha_p + sum s_i q''_i + g, g = w_p x w_rel + s_1 x s_2 q'_1 q'_2
//! - a_c = a_p + alpha_p x r + sum (s_i, rho x s_i or h s_i + rho x s_i) q''_i
//!   + w_p x (w_p x (r + rho)) + 2 w_p x u + rho x g - w_c x (w_c x rho)

use crate::dynamics::Model;
use crate::dynamics::rigid::{self, FREE_STATES, free_states};
use crate::dynamics::tree_work::JointMotion;
use crate::dynamics::twist::Twist;
use crate::dynamics::workspace::Workspace;
use crate::scene::Joint;
use crate::scene::description::{CoordinateMotion, Freedom};
use contact_geometry::math::{Mat3, Pose, Real, Spatial, Vec3};
use contact_laws::index::LinkId;

/// Places a link of a tree by the states and writes how it moves; its parent is placed.
pub fn place<T: Real>(model: &Model, index: LinkId, work: &mut Workspace<T>, states: &[T]) {
    let link = &model.links.all[index];
    let joint = &model.scene.links()[link.joint];
    let motion = &mut work.tree.motions[model.links.index_in_trees(index)];
    (work.frames[link.body.frame()], work.twists[link.body]) = if link.is_free {
        place_root(joint, &free_states(link, states), motion)
    } else {
        let world;
        let parent = match joint.parent {
            Some(parent) => (&work.frames[parent.frame()], &work.twists[parent]),
            None => {
                world = (Pose::identity(), Twist::at_rest());
                (&world.0, &world.1)
            }
        };
        let (positions, rates) = (&states[link.positions.clone()], &states[link.rates.clone()]);
        place_child(joint, parent, (positions, rates), motion)
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
    let frames = JointFrames {
        on_parent: &Mat3::identity(),
        on_child: &pose.rotation,
        arm_w: &Vec3::zeros(),
    };
    write_columns(joint, &frames, &states[7..], &mut motion.columns);
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
    let frames = JointFrames {
        on_parent: &on_parent,
        on_child: &on_child,
        arm_w: &arm_w,
    };
    let [turning, sliding] = write_columns(joint, &frames, rates, &mut motion.columns);

    let omega_p = &parent_twist.omega_w;
    let omega_w = omega_p + turning;
    let velocity_w =
        parent_twist.velocity_w + omega_p.cross(&offset_w) + sliding + arm_w.cross(&turning);
    let mut angular = omega_p.cross(&turning);
    if let Some(carried) = carried_axis(joint, &motion.columns, rates) {
        angular += carried;
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

/// The axes and the arm that the columns of a joint follow from.
struct JointFrames<'a, T: Real> {
    /// Axes of the joint's frame on the parent.
    on_parent: &'a Mat3<T>,
    /// Axes of the joint's frame on the child.
    on_child: &'a Mat3<T>,
    /// rho, from the child's origin to the joint's frame on it [m].
    arm_w: &'a Vec3<T>,
}

impl<T: Real> JointFrames<'_, T> {
    /// Motion of the child's origin that turns the child about an axis.
    #[inline(always)]
    fn turn(&self, axis_w: Vec3<T>) -> Spatial<T> {
        Spatial {
            angular: axis_w,
            linear: self.arm_w.cross(&axis_w),
        }
    }
}

/// Motion of the child's origin that slides the child along a direction.
#[inline(always)]
fn slide<T: Real>(direction_w: Vec3<T>) -> Spatial<T> {
    Spatial {
        angular: Vec3::zeros(),
        linear: direction_w,
    }
}

/// Writes the motion of the child's origin for a unit of each velocity state. Returns the angular
/// velocity of the child against the parent, w_rel, and the velocity of its slides, u, for these
/// rates.
#[inline(always)]
fn write_columns<T: Real>(
    joint: &Joint,
    frames: &JointFrames<'_, T>,
    rates: &[T],
    columns: &mut [Spatial<T>; 6],
) -> [Vec3<T>; 2] {
    let (mut turning, mut sliding) = (Vec3::zeros(), Vec3::zeros());
    match joint.kind.row().freedom {
        Freedom::Coordinates(list) => {
            for ((coordinate, column), rate) in list.iter().zip(columns).zip(rates) {
                let axis = joint.axes[coordinate.axis as usize].map(T::from);
                let axis_w = match coordinate.motion {
                    CoordinateMotion::TurnOnChild => frames.on_child * axis,
                    _ => frames.on_parent * axis,
                };
                if coordinate.is_angle() {
                    *column = frames.turn(axis_w);
                    turning += axis_w * *rate;
                } else {
                    *column = slide(axis_w);
                    sliding += axis_w * *rate;
                }
                if coordinate.motion == CoordinateMotion::Screw {
                    let along = axis_w * T::from(joint.lead);
                    column.linear += along;
                    sliding += along * *rate;
                }
            }
        }
        Freedom::Quaternion { with_position } => {
            let part = |axes: &Mat3<T>, i: usize| -> Vec3<T> { axes.column(i).into_owned() };
            let slides = if with_position { 3 } else { 0 };
            for i in 0..slides {
                columns[i] = slide(part(frames.on_parent, i));
                sliding += columns[i].linear * rates[i];
            }
            for i in 0..3 {
                columns[slides + i] = frames.turn(part(frames.on_child, i));
                turning += columns[slides + i].angular * rates[slides + i];
            }
        }
    }
    [turning, sliding]
}

/// How fast the axis of a turn on the child is turned by the turns before it, times the rate about
/// that axis; none if the last motion is another one.
#[inline(always)]
fn carried_axis<T: Real>(joint: &Joint, columns: &[Spatial<T>; 6], rates: &[T]) -> Option<Vec3<T>> {
    let [before @ .., last] = joint.kind.coordinates() else {
        return None;
    };
    if last.motion != CoordinateMotion::TurnOnChild {
        return None;
    }
    let own = before.len();
    let turned = (0..own).filter(|i| before[*i].is_angle());
    let terms =
        turned.map(|i| columns[i].angular.cross(&columns[own].angular) * (rates[i] * rates[own]));
    terms.reduce(|sum, term| sum + term)
}
