//! Nominal magnitudes of the states of joints.
//!
//! A slide moves what hangs on it by as much as it changes, a turn by that times the arm: the
//! distance of the farthest surface of a body from the joint. The nominal of a slide is the least
//! penetration expected of the bodies on it, of a turn the least penetration over arm. Where a
//! coordinate has a stop it is at most the depth of an impact there.

use crate::dynamics::magnitudes::{ANGULAR_VELOCITY, FREE_POSITION, ORIENTATION, REFERENCE_SPEED};
use crate::dynamics::{Model, carried};
use crate::scene::Scene;
use crate::scene::description::CoordinateMotion;
use contact_geometry::math::Vec3;
use contact_geometry::shapes::Aabb;
use contact_laws::index::{BodyId, JointId, TiSlice, TiVec, ti_vec};

/// What is expected of the bodies that hang on a joint.
#[derive(Clone, Copy)]
struct Expected {
    /// Least penetration [m].
    depth: f64,
    /// Least penetration over arm [rad].
    angle: f64,
    /// Longest arm [m].
    arm: f64,
}

/// Writes the nominals of all joints. `penetrations` are those expected of each body [m], none for
/// one that touches nothing.
pub fn write(model: &Model, penetrations: &TiSlice<BodyId, Option<f64>>, nominals: &mut [f64]) {
    let expected = expected(model, penetrations);
    let numbers = model.links.of_joints.iter();
    let numbers = numbers.map(|link| &model.links.all[*link]);
    let joints = model.scene.joints().iter().zip(numbers);
    for ((joint, numbers), expected) in joints.zip(expected) {
        let (depth, angle, speed) = match expected {
            Some(Expected { depth, angle, arm }) => (
                depth,
                angle.min(ORIENTATION),
                (REFERENCE_SPEED / arm).max(ANGULAR_VELOCITY),
            ),
            None => (FREE_POSITION, ORIENTATION, ANGULAR_VELOCITY),
        };
        let mut write = |range: &std::ops::Range<usize>, slide: f64, turn: f64| {
            for (index, nominal) in nominals[range.clone()].iter_mut().enumerate() {
                *nominal = match joint.kind.motion(index) {
                    CoordinateMotion::Slide => slide,
                    _ => turn,
                };
            }
        };
        write(&numbers.positions, depth, angle);
        write(&numbers.rates, REFERENCE_SPEED, speed);
    }
    for (stop, carried) in model.stops.iter().zip(carried::by_stops(model)) {
        let depth = REFERENCE_SPEED * (carried.mass / stop.stiffness()).sqrt();
        let nominal = &mut nominals[stop.position()];
        *nominal = nominal.min(depth);
    }
}

fn expected(
    model: &Model,
    penetrations: &TiSlice<BodyId, Option<f64>>,
) -> TiVec<JointId, Option<Expected>> {
    let scene = &model.scene;
    let mut joint_of: TiVec<BodyId, _> = ti_vec![None; scene.bodies().len()];
    for (index, joint) in scene.joints().iter_enumerated() {
        joint_of[joint.child] = Some(index);
    }
    let mut list: TiVec<JointId, Option<Expected>> = ti_vec![None; scene.joints().len()];
    for (body, depth) in penetrations.iter_enumerated() {
        let Some(depth) = *depth else { continue };
        let mut above = joint_of[body];
        while let Some(index) = above {
            let joint = &scene.joints()[index];
            let frame = model.bodies[joint.child].pose.then(&joint.child_frame);
            // A screw moves all points by its lead too.
            let arm = arm(model, scene, body, &frame.position).max(joint.lead.abs());
            let angle = match arm > 0.0 {
                true => depth / arm,
                false => ORIENTATION,
            };
            let known = list[index].get_or_insert(Expected { depth, angle, arm });
            known.depth = known.depth.min(depth);
            known.angle = known.angle.min(angle);
            known.arm = known.arm.max(arm);
            // What a joint of all six motions carries is moved by that joint alone.
            above = match joint.kind.is_free() {
                true => None,
                false => joint.parent.and_then(|body| joint_of[body]),
            };
        }
    }
    list
}

/// Distance of the farthest corner of the boxes about a body's shapes from a point at start [m]; of
/// its origin, where no shape has an end.
fn arm(model: &Model, scene: &Scene, body: BodyId, point: &Vec3) -> f64 {
    let pose = &model.bodies[body].pose;
    let mut arm = (pose.position - point).norm();
    for shape in scene.shapes().iter().filter(|shape| shape.body == body) {
        let bounds = Aabb::of(&shape.form, &pose.then(&shape.pose_b));
        let far = (bounds.lower - point)
            .abs()
            .sup(&(bounds.upper - point).abs());
        if far.iter().all(|c| c.is_finite()) {
            arm = arm.max(far.norm());
        }
    }
    arm
}
