//! Motions of prescribed bodies of a checked scene, and when they have a kink.
//!
//! A motion is a function of the present time alone, so that a run may go back or start anywhere.
//! Constant velocity counts time from the start time of the default experiment, whatever start time
//! an importer chooses: at that time the body has its pose of the scene. At a kink the
//! velocity, the acceleration or the jerk jumps; kinks are time events.
//!
//! Coordinates of joints are relative to their parents. If the velocity of a body jumps and they
//! do not, all that it carries on joints gets the same velocity at once, without a force, even
//! along a slide that could exert none. So either no such jump may lie in a run, or at each the
//! rates of the joints jump too, by the impulses that the joints can transmit: the motion says
//! which. Constant velocities and sines have no jumps. A table may have some, between its first
//! and its last time and at both, since the body rests before and after. The start of a run is
//! none: the joints start with the speeds that they have against their parents then.

use crate::scene::curve::{Curve, Jump};
use crate::scene::description::{
    Interpolation, MotionProfile, MotionTable, SceneDescription, SceneItem, VelocityJump,
};
use crate::scene::flaw::SceneError;
use crate::scene::forces::{TOO_STEEP, with_rounding};
use crate::scene::joint::unit_vector;
use contact_geometry::math::real::sin_cos;
use contact_geometry::math::{Pose, Vec3, exponential, vec3};
use contact_laws::finding::Finding;
use contact_laws::index::{BodyId, MotionId, TiVec};
use std::sync::Arc;

/// The motion of a prescribed body.
#[derive(Clone, Debug, PartialEq)]
pub struct PrescribedMotion {
    /// Index of the body.
    pub body: BodyId,
    /// Motion over time.
    pub profile: MotionTimeProfile,
    /// Joints hang on the body.
    pub carries: bool,
    /// What a jump of its velocity does to these.
    pub jump: VelocityJump,
}

/// Derivatives of a displacement whose jumps are kinks: velocity, acceleration, and the jerk, at
/// which the force on what hangs on the body has a kink.
const KINK_DERIVATIVES: usize = 3;

/// Turns of a body with a given motion in one communication step [1] at most. Its contacts are looked for
/// some ten times a turn, so this is a tenth of a second of work for a pair.
pub const MOST_TURNS: f64 = 1e4;

/// A motion over time, with values of its parameters.
pub type MotionTimeProfile = MotionProfile<Arc<MotionCurve>>;

/// A motion through given values.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionCurve {
    /// Displacement [m], then the angle [rad].
    pub curve: Curve<4>,
    /// Axis of the rotation, a unit vector in world axes.
    pub axis: Vec3,
}

/// A displacement [m] or rotation vector [rad] over time with two derivatives, world axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    /// Displacement or rotation vector.
    pub(crate) value: Vec3,
    /// Velocity or angular velocity.
    pub rate: Vec3,
    /// Acceleration or angular acceleration.
    pub acceleration: Vec3,
}

/// Largest sizes of the derivatives of displacement and rotation vector.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WayBounds {
    /// Of the velocity [m/s].
    pub speed: f64,
    /// Of the acceleration [m/s2].
    pub acceleration: f64,
    /// Of the angular velocity [rad/s].
    pub angular_speed: f64,
    /// Of the angular acceleration [rad/s2].
    pub(crate) angular_acceleration: f64,
}

/// Pose of a body that the scene gives the pose `given`, after a displacement and a turn.
pub(crate) fn moved(given: &Pose, displacement: &Way, turning: &Way) -> Pose {
    Pose {
        position: given.position + displacement.value,
        rotation: exponential(&turning.value) * given.rotation,
    }
}

impl MotionTimeProfile {
    /// Displacement and rotation vector at a time [s], for the start time [s] of the default
    /// experiment. From `until` [s] on, which is a kink of a table or infinite, they go on as before
    /// that time.
    pub(crate) fn ways(&self, start_time: f64, time: f64, until: f64) -> [Way; 2] {
        match self {
            MotionProfile::Constant {
                velocity,
                angular_velocity,
                surface,
            } => {
                let elapsed = match surface {
                    true => 0.0,
                    false => time - start_time,
                };
                [velocity, angular_velocity].map(|rate| Way {
                    value: vec3(rate) * elapsed,
                    rate: vec3(rate),
                    acceleration: Vec3::zeros(),
                })
            }
            MotionProfile::Sine {
                displacement,
                rotation,
                angular_frequency: omega,
                phase,
            } => {
                let (sine, cosine) = sin_cos(omega * time + phase);
                [displacement, rotation].map(|amplitude| {
                    let amplitude: Vec3 = vec3(amplitude);
                    Way {
                        value: amplitude * sine,
                        rate: amplitude * (omega * cosine),
                        acceleration: amplitude * (-omega * omega * sine),
                    }
                })
            }
            MotionProfile::Table(table) => {
                let [values, rates, accelerations] = match time < until {
                    true => table.curve.with_derivatives_at(time),
                    false => table.curve.extrapolated_at(until, time),
                };
                let linear = |[x, y, z, _]: [f64; 4]| Vec3::new(x, y, z);
                let angular = |[_, _, _, angle]: [f64; 4]| table.axis * angle;
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

    /// Third derivatives of displacement and rotation vector at a time [s]; `until` as for
    /// [`Self::ways`].
    pub(crate) fn jerks(&self, time: f64, until: f64) -> [Vec3; 2] {
        match self {
            MotionProfile::Constant { .. } => [Vec3::zeros(); 2],
            MotionProfile::Sine {
                displacement,
                rotation,
                angular_frequency: omega,
                phase,
            } => {
                let (_, cosine) = sin_cos(omega * time + phase);
                let factor = -omega * omega * omega * cosine;
                [displacement, rotation].map(|amplitude| vec3(amplitude) * factor)
            }
            MotionProfile::Table(table) => {
                let [x, y, z, angle] = match time < until {
                    true => table.curve.derivative_at(3, time),
                    false => table.curve.extrapolated_jerk_at(until, time),
                };
                [Vec3::new(x, y, z), table.axis * angle]
            }
        }
    }

    /// Axis about which the body turns, a unit vector in world axes; zero if it does not turn.
    pub(crate) fn axis(&self) -> Vec3 {
        let of = |angular: &[f64; 3]| vec3(angular).try_normalize(0.0).unwrap_or(Vec3::zeros());
        match self {
            MotionProfile::Constant {
                angular_velocity, ..
            } => of(angular_velocity),
            MotionProfile::Sine { rotation, .. } => of(rotation),
            MotionProfile::Table(table) => table.axis,
        }
    }

    /// Bounds of how the pose changes between two times [s].
    pub fn bounds(&self, from: f64, to: f64) -> WayBounds {
        let size = |vector: &[f64; 3]| vec3::<f64>(vector).norm();
        match self {
            MotionProfile::Constant {
                velocity,
                angular_velocity,
                surface,
            } => {
                let moving = if *surface { 0.0 } else { 1.0 };
                WayBounds {
                    speed: moving * size(velocity),
                    acceleration: 0.0,
                    angular_speed: moving * size(angular_velocity),
                    angular_acceleration: 0.0,
                }
            }
            MotionProfile::Sine {
                displacement,
                rotation,
                angular_frequency: omega,
                ..
            } => {
                let [linear, angular] = [displacement, rotation].map(size);
                WayBounds {
                    speed: omega * linear,
                    acceleration: omega * omega * linear,
                    angular_speed: omega * angular,
                    angular_acceleration: omega * omega * angular,
                }
            }
            MotionProfile::Table(table) => {
                let [rates, accelerations] = table.curve.derivative_bounds(from, to);
                let size = |[x, y, z, _]: [f64; 4]| size(&[x, y, z]);
                WayBounds {
                    speed: size(rates),
                    acceleration: size(accelerations),
                    angular_speed: rates[3],
                    angular_acceleration: accelerations[3],
                }
            }
        }
    }
}

impl PrescribedMotion {
    /// Times [s] at which the velocity of a table jumps, ascending, and by how much: velocity of
    /// the origin [m/s] and angular velocity [rad/s], world axes.
    pub(crate) fn velocity_jumps(&self) -> impl Iterator<Item = (f64, [Vec3; 2])> + '_ {
        let table = match &self.profile {
            MotionProfile::Table(table) => Some(table),
            MotionProfile::Constant { .. } | MotionProfile::Sine { .. } => None,
        };
        table.into_iter().flat_map(|table| {
            table.curve.jumps(1).map(move |jump| {
                let [x, y, z, turn] =
                    std::array::from_fn(|k: usize| jump.after[k] - jump.before[k]);
                (jump.time, [Vec3::new(x, y, z), table.axis * turn])
            })
        })
    }

    /// Returns true if a jump of its velocity has the joints on it transmit impulses.
    pub fn has_impulses(&self) -> bool {
        self.carries && self.jump == VelocityJump::Impulse && self.velocity_jumps().next().is_some()
    }

    /// Returns true if the pose changes with time.
    pub fn depends_on_time(&self) -> bool {
        !matches!(self.profile, MotionProfile::Constant { surface: true, .. })
    }
}

/// The motions of a description, and the times of their kinks [s]. Those with `errors`
/// already are left out.
pub(super) fn build(
    description: &SceneDescription,
    errors: &mut Vec<SceneError>,
) -> (TiVec<MotionId, PrescribedMotion>, Vec<f64>) {
    let mut motions = TiVec::new();
    let mut kinks = Vec::new();
    for (index, given) in description.motions.iter().enumerate() {
        let item = SceneItem::Motion(index);
        let body = description.body_id(&given.body);
        let (Some(body), false) = (body, errors.iter().any(|error| error.item == item)) else {
            continue;
        };
        let mut refuse =
            |flaw: Finding| errors.push(SceneError::new(description, item, "table", flaw));
        let Some(profile) = given.profile.with_table(curve) else {
            refuse(TOO_STEEP.into());
            continue;
        };
        let mut joints = description.joints.iter();
        let joint = joints.find(|joint| joint.parent.as_ref() == Some(&given.body));
        if let MotionProfile::Table(table) = &profile {
            let curve = &table.curve;
            kinks.extend(curve.kinks(KINK_DERIVATIVES));
            let jump = first_jump(curve, description.experiment.start_time);
            if let (Some(joint), Some(jump), VelocityJump::Error) = (joint, jump, given.jump) {
                refuse(of_jump(jump, curve.interpolation(), &joint.name));
            }
        }
        motions.push(PrescribedMotion {
            body,
            profile,
            carries: joint.is_some(),
            jump: given.jump,
        });
    }
    (motions, kinks)
}

/// Refuses a jump under a joint.
fn of_jump(jump: Jump<4>, interpolation: Interpolation, joint: &str) -> Finding {
    let Jump {
        time,
        before,
        after,
    } = jump;
    let mut what = Vec::new();
    if before[..3] != after[..3] {
        let (from, to) = (&before[..3], &after[..3]);
        what.push(format!("the velocity jumps from {from:?} to {to:?} m/s"));
    }
    if before[3] != after[3] {
        let (from, to) = (before[3], after[3]);
        what.push(format!(
            "the angular speed jumps from {from:?} to {to:?} rad/s"
        ));
    }
    let what = what.join(" and ");
    let rest = match interpolation {
        Interpolation::Linear => {
            "write interpolation = \"quintic\" or \"trapezoid\", or \"spline\" with end_speeds = 0"
        }
        _ => {
            "the body rests before the first and after the last time: write end_speeds = 0 beside \
             interpolation = \"spline\""
        }
    };
    let message = format!(
        "table: at {time:?} s {what}; joint {joint:?} hangs on the body, so that what it carries would be dragged \
         along without a force"
    );
    let help = format!(
        "{rest}, or jump = \"impulse\" beside the table: then the joints transmit impulses"
    );
    (message, help).into()
}

/// The first jump of the velocities after a time [s].
fn first_jump(curve: &Curve<4>, time: f64) -> Option<Jump<4>> {
    curve.jumps(1).find(|jump| jump.time > with_rounding(time))
}

/// `None` for a table that has no curve.
fn curve(table: &MotionTable) -> Option<Arc<MotionCurve>> {
    let row = |i: usize| {
        let [x, y, z] = table.displacements.get(i).copied().unwrap_or_default();
        [x, y, z, table.angles.get(i).copied().unwrap_or_default()]
    };
    let rows: Vec<[f64; 4]> = (0..table.times.len()).map(row).collect();
    let ends = table.ends.map(|ends| {
        std::array::from_fn(|i| {
            let [x, y, z] = ends.velocities[i];
            [x, y, z, ends.angular_speeds[i]]
        })
    });
    Some(Arc::new(MotionCurve {
        curve: Curve::new(&table.times, &rows, table.interpolation, ends)?,
        axis: match table.angles.is_empty() {
            true => Vec3::z(),
            false => unit_vector(&table.axis),
        },
    }))
}
