//! Joints bound to parameter values.

use crate::scene::description::{BallForces, CoordinateForces, JointKind};
use crate::scene::{Input, JointItem, Scene};
use std::ops::Range;

/// Numbers of a joint and where its states, forces and inputs are. Frames and axes are those of the
/// scene.
#[derive(Clone, Debug, PartialEq)]
pub struct JointModel {
    /// What acts along each coordinate.
    pub forces: Vec<CoordinateForces>,
    /// What acts in a spherical joint.
    pub ball: BallForces,
    /// Position states.
    pub positions: Range<usize>,
    /// Velocity states.
    pub rates: Range<usize>,
    /// Its forces among those of all joints, one for each velocity state.
    pub dofs: Range<usize>,
    /// Which input acts along each velocity state.
    pub inputs: Vec<Option<usize>>,
}

impl JointModel {
    /// Sets a number of a coordinate, or of the joint as a whole. One that the joint does not have
    /// is none of its parameters.
    pub fn set(&mut self, coordinate: usize, item: JointItem, value: f64) {
        if item == JointItem::BallDamping {
            self.ball.damping = value;
            return;
        }
        let Some(forces) = self.forces.get_mut(coordinate) else {
            return;
        };
        let (spring, friction, stops) = (
            forces.spring.as_mut(),
            forces.friction.as_mut(),
            forces.stops.as_mut(),
        );
        let number = match item {
            JointItem::Damping => Some(&mut forces.damping),
            JointItem::SpringStiffness => spring.map(|s| &mut s.stiffness),
            JointItem::SpringRest => spring.map(|s| &mut s.rest),
            JointItem::Friction => friction.map(|f| &mut f.limit),
            JointItem::FrictionSpeed => friction.map(|f| &mut f.speed),
            JointItem::LowerStop => stops.and_then(|s| s.lower.as_mut()),
            JointItem::UpperStop => stops.and_then(|s| s.upper.as_mut()),
            JointItem::StopStiffness => stops.map(|s| &mut s.stiffness),
            JointItem::StopRestitution => stops.map(|s| &mut s.restitution),
            JointItem::BallDamping => None,
        };
        if let Some(number) = number {
            *number = value;
        }
    }
}

/// The joints of a scene, in scene order, with the numbers that it gives.
pub fn start(scene: &Scene) -> Vec<JointModel> {
    let layout = scene.layout();
    let mut count = 0;
    let mut joints = Vec::with_capacity(scene.joints().len());
    for (index, joint) in scene.joints().iter().enumerate() {
        let rates = layout.joint_rates(index);
        let dofs = count..count + rates.len();
        count = dofs.end;
        let input_of = |place: usize| {
            let wanted = match joint.kind {
                JointKind::Spherical => Input::BallTorque(index, place),
                _ => Input::Joint(index, place),
            };
            scene.inputs().iter().position(|input| *input == wanted)
        };
        joints.push(JointModel {
            forces: joint.forces.clone(),
            ball: joint.ball,
            positions: layout.joint_positions(index),
            inputs: (0..rates.len()).map(input_of).collect(),
            rates,
            dofs,
        });
    }
    joints
}
