//! Prescribed forces on the bodies, and those that are inputs.
//!
//! A force F at a point p of a body with origin o, with a torque M beside it, does to the body what
//! the force F and the torque (p - o) x F + M about o do. F and M are those of the present time, in
//! world axes or turned by the body's rotation R: F_w = R F_b; p - o = R p_b.

use crate::dynamics::Model;
use crate::dynamics::link::Link;
use crate::dynamics::load::Load;
use crate::dynamics::workspace::Workspace;
use crate::math::transcendental::sin;
use crate::math::{Real, Vec3, vec3};
use crate::scene::description::ForceAxes;
use crate::scene::forces::Course;
use crate::scene::{Input, Scene};

/// The numbers of a force that are parameters, and where its inputs are; those of a table are none.
#[derive(Clone, Debug, PartialEq)]
pub struct AppliedForce {
    /// Force, constant or amplitude, in its axes [N].
    pub force: [f64; 3],
    /// Torque, constant or amplitude, in the same axes [N.m].
    pub torque: [f64; 3],
    /// Angular frequency of a sine [rad/s].
    pub angular_frequency: f64,
    /// Phase of a sine [rad].
    pub phase: f64,
    /// Index of the first input of the force and of the torque, if these are inputs.
    inputs: [Option<usize>; 2],
}

impl AppliedForce {
    /// Force and torque [N, N.m] at a time [s] with these inputs.
    fn at<T: Real>(&self, course: &Course, time: f64, inputs: &[T]) -> [Vec3<T>; 2] {
        match course {
            Course::Constant(_) => [self.force, self.torque].map(|vector| vec3(&vector)),
            Course::Sine { .. } => {
                let factor = sin(self.angular_frequency * time + self.phase);
                [self.force, self.torque].map(|vector| vec3(&vector.map(|v| v * factor)))
            }
            Course::Table(curve) => {
                let [fx, fy, fz, tx, ty, tz] = curve.at(time);
                [vec3(&[fx, fy, fz]), vec3(&[tx, ty, tz])]
            }
            Course::Input { .. } => self.inputs.map(|first| match first {
                Some(first) => Vec3::from_fn(|i, _| inputs[first + i]),
                None => Vec3::zeros(),
            }),
        }
    }
}

/// The forces of a scene, with the numbers that it gives.
pub fn start(scene: &Scene) -> Vec<AppliedForce> {
    let forces = scene.forces().iter();
    let first_input = |wanted: Input| scene.inputs().iter().position(|input| *input == wanted);
    let of = |(index, force): (usize, &crate::scene::Force)| {
        let (vectors, (angular_frequency, phase)) = (force.vectors(), force.sine());
        AppliedForce {
            force: vectors.force.unwrap_or_default(),
            torque: vectors.torque.unwrap_or_default(),
            angular_frequency,
            phase,
            inputs: [Input::Force(index, 0), Input::Torque(index, 0)].map(first_input),
        }
    };
    forces.enumerate().map(of).collect()
}

/// Writes what these forces do to a link, which is placed, into the workspace.
pub fn apply<T: Real>(model: &Model, link: &Link, work: &mut Workspace<T>) {
    let rotation = work.frames[link.body].rotation;
    let mut load = Load::zero();
    for index in &model.links.applied[link.applied.clone()] {
        let force = &model.scene.forces()[*index];
        let numbers = &model.applied[*index];
        let [force_given, torque_given] = numbers.at(&force.course, work.time, &work.inputs);
        let turned = |vector: &Vec3<T>| -> Vec3<T> {
            match force.axes {
                ForceAxes::World => *vector,
                ForceAxes::Body => rotation * vector,
            }
        };
        let (force_w, torque_w) = (turned(&force_given), turned(&torque_given));
        let arm_w = rotation * force.point_b.map(T::from);
        load.acts = true;
        load.force_w += force_w;
        load.torque_w += arm_w.cross(&force_w) + torque_w;
    }
    work.applied[link.body] = load;
}

#[cfg(test)]
#[path = "../../tests/unit/dynamics/applied/tests.rs"]
mod tests;
