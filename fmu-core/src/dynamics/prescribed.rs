//! Bodies that move over time as the scene says.
//!
//! With the place p_0 and the rotation R_0 that the scene gives a body, a displacement d(t) and a
//! rotation vector r(t) along a fixed axis, world axes: p = p_0 + d, R = exp(r) R_0, velocity d',
//! angular velocity w_w = r', accelerations d'' and r''.
//! - constant: d = v (t - t_0), r = w (t - t_0) with the start time t_0 of the default experiment;
//!   where only the surface moves d = 0, r = 0 while the velocities are v and w
//! - sine: d = D s, r = A s with s = sin(omega t + phase)
//! - table: d(t) and the angle about the axis through given values; beyond them the body rests

use crate::dynamics::Model;
use crate::dynamics::workspace::{Twist, Workspace};
use crate::math::{Pose, Real, Vec3, exponential};
use crate::scene::motions::Course;
use crate::scene::{MotionItem, Scene};

/// The numbers of a prescribed motion that are parameters; those of a table are none.
#[derive(Clone, Debug, PartialEq)]
pub struct PrescribedBody {
    /// Index of the body.
    pub body: usize,
    /// Index of its motion.
    motion: usize,
    /// Velocity [m/s] or largest displacement [m], world axes.
    linear: Vec3,
    /// Angular velocity [rad/s] or largest rotation [rad], world axes.
    angular: Vec3,
    /// Angular frequency of a sine [rad/s].
    angular_frequency: f64,
    /// Phase of a sine [rad].
    phase: f64,
}

/// A displacement [m] or rotation vector [rad] over time with two derivatives, world axes.
#[derive(Clone, Copy)]
struct Way {
    value: Vec3,
    rate: Vec3,
    acceleration: Vec3,
}

impl PrescribedBody {
    /// Sets a number.
    pub fn set(&mut self, item: MotionItem, component: usize, value: f64) {
        match item {
            MotionItem::Velocity | MotionItem::Displacement => self.linear[component] = value,
            MotionItem::AngularVelocity | MotionItem::Rotation => self.angular[component] = value,
            MotionItem::AngularFrequency => self.angular_frequency = value,
            MotionItem::Phase => self.phase = value,
        }
    }

    /// Displacement and rotation vector at a time [s].
    fn ways(&self, scene: &Scene, time: f64) -> [Way; 2] {
        let zero = Vec3::zeros();
        match &scene.motions()[self.motion].course {
            Course::Constant { surface, .. } => {
                let elapsed = match surface {
                    true => 0.0,
                    false => time - scene.experiment().start_time,
                };
                [self.linear, self.angular].map(|rate| Way {
                    value: rate * elapsed,
                    rate,
                    acceleration: zero,
                })
            }
            Course::Sine { .. } => {
                let omega = self.angular_frequency;
                let (sine, cosine) = (omega * time + self.phase).sin_cos();
                [self.linear, self.angular].map(|amplitude| Way {
                    value: amplitude * sine,
                    rate: amplitude * (omega * cosine),
                    acceleration: amplitude * (-omega * omega * sine),
                })
            }
            Course::Table { curve, axis } => {
                let values = curve.at(time);
                let [rates, accelerations] = curve.derivatives_at(time);
                let linear = |[x, y, z, _]: [f64; 4]| Vec3::new(x, y, z);
                let angular = |[_, _, _, angle]: [f64; 4]| axis * angle;
                [
                    Way {
                        value: linear(values),
                        rate: linear(rates),
                        acceleration: linear(accelerations),
                    },
                    Way {
                        value: angular(values),
                        rate: angular(rates),
                        acceleration: angular(accelerations),
                    },
                ]
            }
        }
    }

    /// Pose and velocities at a time [s].
    pub fn motion(&self, scene: &Scene, time: f64) -> (Pose, Twist<f64>) {
        let start = scene.bodies()[self.body].start_pose();
        let [displacement, turning] = self.ways(scene, time);
        let rotation = exponential(&turning.value) * start.rotation;
        let pose = Pose {
            position: start.position + displacement.value,
            rotation,
        };
        let twist = Twist {
            velocity_w: displacement.rate,
            omega_b: rotation.tr_mul(&turning.rate),
            omega_w: turning.rate,
        };
        (pose, twist)
    }

    /// Acceleration at a time [s], world axes: of the rotation [rad/s2], and of the origin [m/s2].
    pub fn acceleration(&self, scene: &Scene, time: f64) -> [Vec3; 2] {
        let [displacement, turning] = self.ways(scene, time);
        [turning.acceleration, displacement.acceleration]
    }
}

/// The prescribed bodies of a scene, in the order of its motions, with the numbers that it gives.
pub fn start(scene: &Scene) -> Vec<PrescribedBody> {
    let motions = scene.motions().iter().enumerate();
    let of = |(index, motion): (usize, &crate::scene::PrescribedMotion)| {
        let mut body = PrescribedBody {
            body: motion.body,
            motion: index,
            linear: Vec3::zeros(),
            angular: Vec3::zeros(),
            angular_frequency: 0.0,
            phase: 0.0,
        };
        for (item, component, value) in motion.numbers() {
            body.set(item, component, value);
        }
        body
    };
    motions.map(of).collect()
}

/// Places the prescribed bodies by the time, and writes their accelerations where there are joints.
pub fn place<T: Real>(model: &Model, work: &mut Workspace<T>) {
    for prescribed in &model.prescribed {
        let (pose, twist) = prescribed.motion(&model.scene, work.time);
        work.frames[prescribed.body] = pose.lift();
        work.twists[prescribed.body] = twist.lift();
        if let Some(acceleration) = work.accelerations.get_mut(prescribed.body) {
            let [angular, linear] = prescribed.acceleration(&model.scene, work.time);
            acceleration.angular = angular.map(T::from);
            acceleration.linear = linear.map(T::from);
        }
    }
}

#[cfg(test)]
mod tests;
