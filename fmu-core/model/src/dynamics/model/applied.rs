//! Prescribed forces and those that are inputs, with the numbers that are parameters.

use crate::scene::forces::TimeProfile;
use crate::scene::{Input, Scene};
use contact_geometry::math::transcendental::{sin, sin_cos};
use contact_geometry::math::{Real, Vec3, vec3};
use contact_laws::index::{ForceId, InputId, TiSlice, TiVec};

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
    inputs: [Option<InputId>; 2],
}

impl AppliedForce {
    /// Force and torque [N, N.m] at a time [s] with these inputs.
    pub fn at<T: Real>(
        &self,
        profile: &TimeProfile,
        time: T,
        inputs: &TiSlice<InputId, T>,
    ) -> [Vec3<T>; 2] {
        match profile {
            TimeProfile::Constant(_) => [self.force, self.torque].map(|vector| vec3(&vector)),
            TimeProfile::Sine { .. } => {
                let omega = self.angular_frequency;
                let angle = omega * time.value() + self.phase;
                let factor = sin(angle);
                // A plain number has no derivative, and then no cosine is wanted.
                let slope = match time.is_constant() {
                    true => 0.0,
                    false => omega * sin_cos(angle).1,
                };
                let at = |v: f64| {
                    T::with_derivatives(v * factor, |lane| v * slope * time.derivative(lane))
                };
                [self.force, self.torque].map(|vector| Vec3::from(vector.map(at)))
            }
            TimeProfile::Table(curve) => {
                let slopes = match time.is_constant() {
                    true => [0.0; 6],
                    false => curve.derivative_at(1, time.value()),
                };
                let values = curve.at(time.value());
                [0, 3].map(|first| {
                    Vec3::from_fn(|i, _| {
                        let slope = slopes[first + i];
                        T::with_derivatives(values[first + i], |lane| slope * time.derivative(lane))
                    })
                })
            }
            TimeProfile::Input { .. } => self.inputs.map(|first| match first {
                Some(first) => Vec3::from_fn(|i, _| inputs[first.plus(i)]),
                None => Vec3::zeros(),
            }),
        }
    }
}

/// The forces of a scene, with the numbers that it gives.
pub fn start(scene: &Scene) -> TiVec<ForceId, AppliedForce> {
    let forces = scene.forces().iter_enumerated();
    let first_input = |wanted: Input| scene.inputs().position(|input| *input == wanted);
    let of = |(index, force): (ForceId, &crate::scene::Force)| {
        let (vectors, (angular_frequency, phase)) = (force.vectors(), force.sine());
        AppliedForce {
            force: vectors.force.unwrap_or_default(),
            torque: vectors.torque.unwrap_or_default(),
            angular_frequency,
            phase,
            inputs: [Input::Force(index, 0), Input::Torque(index, 0)].map(first_input),
        }
    };
    forces.map(of).collect()
}
