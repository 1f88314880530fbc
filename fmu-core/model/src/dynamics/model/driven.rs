//! Bodies whose pose and velocities are inputs.
//!
//! The inputs of a body are its position p [m], its orientation, its velocity v [m/s] and its angular
//! velocity w_b [rad/s] in body axes. A quaternion q gives the rotation of q/|q|; a matrix the rotation
//! nearest to it. For inputs of an instant t0 other than the present time t the motion is extrapolated with
//! constant velocities in world axes, w_w = R_0 w_b: p + v (t - t0), R = exp(w_w (t - t0)) R_0, which leaves
//! w_b constant too.
//!
//! # Bodies with prescribed motion
//!
//! With the position p_0 and the rotation R_0 of the scene, a displacement d(t) and a rotation vector r(t)
//! along a fixed axis, world axes: p = p_0 + d, R = exp(r) R_0, velocity d', angular velocity w_w = r',
//! accelerations d'' and r''.
//! - constant: d = v (t - t_0), r = w (t - t_0) with the start time t_0 of the default experiment; for a
//!   moving surface d = 0, r = 0 while the velocities are v and w
//! - sine: d = D s, r = A s with s = sin(omega t + phase)
//! - table: d(t) and the angle about the axis interpolate given values; beyond them the body rests

use crate::dynamics::link::Twist;
use crate::scene::description::{Motion, OrientationInput};
use crate::scene::motions::{MotionTimeProfile, Way};
use crate::scene::{Input, Scene, motions};
use contact_geometry::math::spatial::cross_matrix;
use contact_geometry::math::{
    Mat3, Pose, Real, Vec3, deviation_from_rotation, exponential, nearest_rotation, quaternion,
    rotation_matrix,
};
use contact_geometry::shapes::Aabb;
use contact_laws::index::{BodyId, DrivenId, InputId, MotionId, TiSlice, TiVec};

/// Minimum norm of an orientation input [1]: half of a unit quaternion's, far from the rounding of any
/// importer.
const LEAST_NORM: f64 = 0.5;
/// Largest entry of R^T R - I of a rotation input [1]: an integrator with the nine numbers as states stays
/// far below it.
const LARGEST_DEVIATION: f64 = 1e-3;

/// Driven body with the position of its inputs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrivenBody {
    /// The driven body.
    pub body: BodyId,
    /// Bound of the distance of its shapes' points from its origin [m], 1 m for unbounded shapes; zero
    /// without shapes.
    pub reach: f64,
    /// Index of its first input; the others follow.
    first: InputId,
    orientation: OrientationInput,
}

struct Given<'a, T: Real> {
    position: Vec3<T>,
    orientation: &'a [T],
    velocity_w: Vec3<T>,
    omega_b: Vec3<T>,
}

impl DrivenBody {
    /// Orientation as given: a quaternion, or a matrix by rows.
    pub fn orientation<'a>(&self, inputs: &'a TiSlice<InputId, f64>) -> &'a [f64] {
        self.given(inputs).orientation
    }

    /// Problem with the orientation of these inputs, starting with the name of the input; `None` for a
    /// rotation.
    pub(crate) fn flaw(&self, inputs: &TiSlice<InputId, f64>) -> Option<String> {
        rotation(self.given(inputs).orientation).err()
    }

    fn given<'a, T: Real>(&self, inputs: &'a TiSlice<InputId, T>) -> Given<'a, T> {
        let vector = |at: InputId| Vec3::from_fn(|i, _| inputs[at.plus(i)]);
        let start = self.first.plus(3);
        let end = start.plus(match self.orientation {
            OrientationInput::Quaternion => 4,
            OrientationInput::Matrix => 9,
        });
        Given {
            position: vector(self.first),
            orientation: &inputs[start..end].raw,
            velocity_w: vector(end),
            omega_b: vector(end.plus(3)),
        }
    }

    /// Pose and velocities at a time `elapsed` [s] after these inputs; `None` if the orientation is no
    /// rotation.
    pub fn motion<T: Real>(
        &self,
        inputs: &TiSlice<InputId, T>,
        elapsed: T,
    ) -> Option<(Pose<T>, Twist<T>)> {
        let given = self.given(inputs);
        let start = rotation(given.orientation).ok()?;
        let omega_w = start * given.omega_b;
        let rotation = match elapsed.value() == 0.0 && elapsed.is_constant() {
            true => start,
            false => exponential(&(omega_w * elapsed)) * start,
        };
        let pose = Pose {
            position: given.position + given.velocity_w * elapsed,
            rotation,
        };
        let twist = Twist {
            velocity_w: given.velocity_w,
            omega_b: given.omega_b,
            omega_w,
        };
        Some((pose, twist))
    }

    /// Position [m] and unit quaternion of these inputs; `None` if the orientation is no rotation.
    pub(crate) fn coordinates(&self, inputs: &TiSlice<InputId, f64>) -> Option<[f64; 7]> {
        let (pose, _) = self.motion(inputs, 0.0)?;
        let ([w, a, b, c], p) = (quaternion(&pose.rotation), pose.position);
        Some([p.x, p.y, p.z, w, a, b, c])
    }
}

/// Rotation of an orientation input, or its problem.
fn rotation<T: Real>(given: &[T]) -> Result<Mat3<T>, String> {
    match *given {
        [w, x, y, z] => {
            let norm = (w * w + x * x + y * y + z * z).sqrt().value();
            if norm.is_finite() && norm >= LEAST_NORM {
                return Ok(rotation_matrix(&[w, x, y, z]));
            }
            Err(format!(
                "orientation is the quaternion {:?} of norm {norm}; must have norm 1; from \
                 {LEAST_NORM} on it is scaled to 1",
                values(given)
            ))
        }
        _ => {
            let matrix = Mat3::from_row_slice(given);
            let deviation = deviation_from_rotation(&matrix.map(T::value));
            if deviation <= LARGEST_DEVIATION {
                return Ok(nearest_rotation(&matrix));
            }
            let found = match deviation.is_finite() {
                true => format!("off a rotation by {deviation}"),
                false => "no rotation but a reflection".into(),
            };
            Err(format!(
                "rotation is, row by row, {:?}, {found}; its columns must be right-handed, at right \
                 angles and of length 1 within {LARGEST_DEVIATION}",
                values(given)
            ))
        }
    }
}

fn values<T: Real>(numbers: &[T]) -> Vec<f64> {
    numbers.iter().map(|number| number.value()).collect()
}

pub(crate) fn bodies(scene: &Scene) -> TiVec<DrivenId, DrivenBody> {
    let bodies = scene.bodies().iter_enumerated();
    let driven = bodies.filter(|(_, body)| body.motion == Motion::Driven);
    let of = |(index, body): (BodyId, &crate::scene::Body)| {
        let inputs = scene.inputs();
        let first = inputs.position(|input| *input == Input::Position(index, 0))?;
        Some(DrivenBody {
            body: index,
            reach: reach(scene, index),
            first,
            orientation: body.drive.orientation,
        })
    };
    driven.filter_map(of).collect()
}

fn reach(scene: &Scene, body: BodyId) -> f64 {
    let shapes = scene.shapes().iter().filter(|shape| shape.body == body);
    let reaches = shapes.map(|shape| {
        let bounds = Aabb::of(&shape.form, &shape.pose_b);
        bounds.lower.abs().sup(&bounds.upper.abs()).norm()
    });
    match reaches.fold(0.0, f64::max) {
        reach if reach.is_finite() => reach,
        _ => 1.0,
    }
}

/// Prescribed body with the numbers of its motion.
#[derive(Clone, Debug, PartialEq)]
pub struct PrescribedBody {
    /// The prescribed body.
    pub body: BodyId,
    motion: MotionId,
    /// Motion over time.
    pub profile: MotionTimeProfile,
    /// Time of the first velocity jump with impulses that has not been taken [s], or infinity. Until an event
    /// takes it, the motion continues as before.
    next_jump: f64,
}

impl PrescribedBody {
    fn ways(&self, scene: &Scene, time: f64) -> [Way; 2] {
        let start_time = scene.experiment().start_time;
        self.profile.ways(start_time, time, self.next_jump)
    }

    /// Holds the present motion until the next jump with impulses is taken; all up to `taken_to` [s] have
    /// been, or all if `None`.
    pub(crate) fn hold(&mut self, scene: &Scene, taken_to: Option<f64>) {
        self.next_jump = self.jump_after(scene, taken_to);
    }

    /// Returns true if it is held so already.
    pub(crate) fn is_held(&self, scene: &Scene, taken_to: Option<f64>) -> bool {
        self.next_jump == self.jump_after(scene, taken_to)
    }

    fn jump_after(&self, scene: &Scene, taken_to: Option<f64>) -> f64 {
        let motion = &scene.motions()[self.motion];
        let next = taken_to.filter(|_| motion.has_impulses()).and_then(|to| {
            let mut times = motion.velocity_jumps().map(|(time, _)| time);
            times.find(|time| *time > to)
        });
        next.unwrap_or(f64::INFINITY)
    }

    pub(crate) fn motion(&self, scene: &Scene, time: f64) -> (Pose, Twist<f64>) {
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

    pub(crate) fn moves(&self, scene: &Scene) -> bool {
        scene.motions()[self.motion].depends_on_time()
    }

    /// Sine of the angle between a body-fixed unit vector and the axis of rotation [1].
    pub(crate) fn across(&self, scene: &Scene, direction_b: &Vec3) -> f64 {
        let axis = self.profile.axis();
        let given = scene.bodies()[self.body].given_pose().rotation;
        axis.cross(&(given * direction_b)).norm()
    }

    /// Acceleration at a time [s], world axes: of the rotation [rad/s2], and of the origin [m/s2].
    pub(crate) fn acceleration(&self, scene: &Scene, time: f64) -> [Vec3; 2] {
        let [displacement, turning] = self.ways(scene, time);
        [turning.acceleration, displacement.acceleration]
    }

    /// [`Self::motion`], differentiable in time.
    pub(crate) fn motion_along<T: Real>(&self, scene: &Scene, time: T) -> (Pose<T>, Twist<T>) {
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

    /// [`Self::acceleration`], differentiable in time.
    pub(crate) fn acceleration_along<T: Real>(&self, scene: &Scene, time: T) -> [Vec3<T>; 2] {
        let [angular, linear] = self.acceleration(scene, time.value());
        if time.is_constant() {
            return [angular, linear].map(|vector| vector.map(T::from));
        }
        let [displacement, turning] = self.profile.jerks(time.value(), self.next_jump);
        [
            changing(&angular, &turning, time),
            changing(&linear, &displacement, time),
        ]
    }
}

/// Value with its rate as derivative by time.
fn at_rate<T: Real>(value: f64, rate: f64, time: T) -> T {
    T::with_derivatives(value, |lane| rate * time.derivative(lane))
}

fn changing<T: Real>(value: &Vec3, rate: &Vec3, time: T) -> Vec3<T> {
    value.zip_map(rate, |value, rate| at_rate(value, rate, time))
}

/// Prescribed bodies of a scene, in the order of its motions, with its numbers.
pub(crate) fn start(scene: &Scene) -> TiVec<MotionId, PrescribedBody> {
    let motions = scene.motions().iter_enumerated();
    let of = |(index, motion): (MotionId, &crate::scene::PrescribedMotion)| PrescribedBody {
        body: motion.body,
        motion: index,
        profile: motion.profile.clone(),
        next_jump: f64::INFINITY,
    };
    motions.map(of).collect()
}
