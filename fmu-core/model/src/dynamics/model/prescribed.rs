//! Bodies that move over time as the scene says.
//!
//! With the position p_0 and the rotation R_0 that the scene gives a body, a displacement d(t) and
//! a rotation vector r(t) along a fixed axis, world axes: p = p_0 + d, R = exp(r) R_0, velocity d',
//! angular velocity w_w = r', accelerations d'' and r''.
//! - constant: d = v (t - t_0), r = w (t - t_0) with the start time t_0 of the default experiment;
//!   where only the surface moves d = 0, r = 0 while the velocities are v and w
//! - sine: d = D s, r = A s with s = sin(omega t + phase)
//! - table: d(t) and the angle about the axis through given values; beyond them the body rests

use crate::dynamics::twist::Twist;
use crate::scene::Scene;
use crate::scene::motions::{self, MotionNumbers, Way, WayBounds};
use contact_geometry::math::spatial::cross_matrix;
use contact_geometry::math::{Pose, Real, Vec3};
use contact_laws::index::{BodyId, MotionId, TiVec};

/// A prescribed body and the numbers of its motion.
#[derive(Clone, Debug, PartialEq)]
pub struct PrescribedBody {
    /// Index of the body.
    pub body: BodyId,
    /// Index of its motion.
    motion: MotionId,
    /// Numbers that are parameters.
    pub numbers: MotionNumbers,
    /// The first jump of its velocity with impulses that is not taken yet [s]; infinite if there is
    /// none. Until an event takes it, the motion goes on as before.
    next_jump: f64,
}

impl PrescribedBody {
    /// Displacement and rotation vector at a time [s].
    fn ways(&self, scene: &Scene, time: f64) -> [Way; 2] {
        let times = (time, self.next_jump);
        scene.motions()[self.motion].ways(&self.numbers, scene.experiment().start_time, times)
    }

    /// Has the motion go on as it is until the next jump with impulses is taken; all up to
    /// `taken_to` [s] are, or, without it, all.
    pub fn hold(&mut self, scene: &Scene, taken_to: Option<f64>) {
        let motion = &scene.motions()[self.motion];
        let next = taken_to.filter(|_| motion.has_impulses()).and_then(|to| {
            let mut times = motion.velocity_jumps().map(|(time, _)| time);
            times.find(|time| *time > to)
        });
        self.next_jump = next.unwrap_or(f64::INFINITY);
    }

    /// Pose and velocities at a time [s].
    pub fn motion(&self, scene: &Scene, time: f64) -> (Pose, Twist<f64>) {
        let [displacement, turning] = self.ways(scene, time);
        let given = scene.bodies()[self.body].given_pose();
        let pose = motions::moved(&given, &displacement, &turning);
        let twist = Twist {
            velocity_w: displacement.rate,
            omega_b: pose.rotation.tr_mul(&turning.rate),
            omega_w: turning.rate,
        };
        (pose, twist)
    }

    /// Returns true if the pose moves, not just the surface.
    pub fn moves(&self, scene: &Scene) -> bool {
        scene.motions()[self.motion].depends_on_time()
    }

    /// Sine of the angle between a unit vector fixed in the body and the axis about which it turns
    /// [1].
    pub fn across(&self, scene: &Scene, direction_b: &Vec3) -> f64 {
        let axis = scene.motions()[self.motion].axis(&self.numbers);
        let given = scene.bodies()[self.body].given_pose().rotation;
        axis.cross(&(given * direction_b)).norm()
    }

    /// Bounds of how the pose moves between two times [s].
    pub fn bound(&self, scene: &Scene, from: f64, to: f64) -> WayBounds {
        scene.motions()[self.motion].bounds(&self.numbers, from, to)
    }

    /// Acceleration at a time [s], world axes: of the rotation [rad/s2], and of the origin [m/s2].
    pub fn acceleration(&self, scene: &Scene, time: f64) -> [Vec3; 2] {
        let [displacement, turning] = self.ways(scene, time);
        [turning.acceleration, displacement.acceleration]
    }

    /// [`Self::motion`] at a time [s] that may change.
    pub fn motion_along<T: Real>(&self, scene: &Scene, time: T) -> (Pose<T>, Twist<T>) {
        let (pose, twist) = self.motion(scene, time.value());
        if time.is_constant() {
            return (pose.lift(), twist.lift());
        }
        // The axis is fixed, so R' = w_w x R and w_b' = R^T w_w'. A surface that moves alone turns
        // and shifts no pose.
        let poses = if self.moves(scene) { 1.0 } else { 0.0 };
        let [angular, linear] = self.acceleration(scene, time.value());
        let turn = cross_matrix(&twist.omega_w) * pose.rotation;
        let along = |value: &Vec3, rate: &Vec3| changing(value, rate, time);
        (
            Pose {
                position: along(&pose.position, &(twist.velocity_w * poses)),
                rotation: pose
                    .rotation
                    .zip_map(&(turn * poses), |value, rate| at_rate(value, rate, time)),
            },
            Twist {
                velocity_w: along(&twist.velocity_w, &linear),
                omega_b: along(&twist.omega_b, &pose.rotation.tr_mul(&angular)),
                omega_w: along(&twist.omega_w, &angular),
            },
        )
    }

    /// [`Self::acceleration`] at a time [s] that may change.
    pub fn acceleration_along<T: Real>(&self, scene: &Scene, time: T) -> [Vec3<T>; 2] {
        let [angular, linear] = self.acceleration(scene, time.value());
        if time.is_constant() {
            return [angular, linear].map(|vector| vector.map(T::from));
        }
        let [displacement, turning] =
            scene.motions()[self.motion].jerks(&self.numbers, (time.value(), self.next_jump));
        [
            changing(&angular, &turning, time),
            changing(&linear, &displacement, time),
        ]
    }
}

/// A number at a time that may change, by its rate.
fn at_rate<T: Real>(value: f64, rate: f64, time: T) -> T {
    T::with_derivatives(value, |lane| rate * time.derivative(lane))
}

/// A vector at a time that may change, by its rate.
fn changing<T: Real>(value: &Vec3, rate: &Vec3, time: T) -> Vec3<T> {
    value.zip_map(rate, |value, rate| at_rate(value, rate, time))
}

/// The prescribed bodies of a scene, in the order of its motions, with the numbers that it gives.
pub fn start(scene: &Scene) -> TiVec<MotionId, PrescribedBody> {
    let motions = scene.motions().iter_enumerated();
    let of = |(index, motion): (MotionId, &crate::scene::PrescribedMotion)| PrescribedBody {
        body: motion.body,
        motion: index,
        numbers: motion.start_numbers(),
        next_jump: f64::INFINITY,
    };
    motions.map(of).collect()
}
