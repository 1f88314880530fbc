//! Jumps of the velocities of bodies that others integrate, where they meet.
//!
//! The bodies are free, with mass m, centre of mass c and inertia I about it: an impulse J at p with
//! the moment K beside it gives dv_c = J/m and dw = I^-1 ((p - c) x J + K). So contact i, with the
//! sign s = -1 on body 1 and +1 on body 2, sees of contact k on the same body with unit impulses e
//! W_ik = s_i s_k (J_i.J_k/m + ((p_i - c) x J_i + K_i).I^-1 ((p_k - c) x J_k + K_k)), summed over
//! bodies that both have. For one contact without friction the solution is J of [Engelson 2000] section 2.1,
//! J = -(1 + e) u_n/(1/m_1 + 1/m_2 + ...). A body of mass 0 is held by something that does not yield.
//!
//! LIMITATION: bodies that the caller holds by joints do not see these joints; what the impulse of a
//! contact does to a mechanism has to be solved there.

use super::rows::{BodyMotion, MassRow};
use contact_geometry::math::{Mat3, Vec3, rotation_matrix};
use contact_laws::impact::{self, COMPONENTS, Impact, Touch};
use contact_laws::index::BodyId;
use contact_model::dynamics::meetings::Meeting;
use contact_model::scene::description::ContactOptions;
use nalgebra::DMatrix;

/// A body that impulses move.
#[derive(Clone, Debug, PartialEq)]
pub struct FreeBody {
    /// The body in the scene.
    pub body: BodyId,
    /// Rotation, body to world.
    rotation: Mat3,
    /// Centre of mass from the origin, world axes [m].
    arm_w: Vec3,
    /// Centre of mass, world axes [m].
    center_w: Vec3,
    /// 1/m [1/kg], 0 if it does not move.
    inverse_mass: f64,
    /// I^-1 about the centre of mass, world axes [1/(kg.m2)], 0 if it does not move.
    inverse_inertia_w: Mat3,
}

/// What an impact does to a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyJump {
    /// Jump of the velocity of the origin, world axes [m/s].
    pub velocity_w: Vec3,
    /// Jump of the angular velocity, body axes [rad/s].
    pub omega_b: Vec3,
    /// Impulse, world axes [N.s].
    pub impulse_w: Vec3,
    /// Moment of impulse about the centre of mass, world axes [N.m.s].
    pub moment_w: Vec3,
}

impl BodyJump {
    /// None.
    pub const NONE: BodyJump = BodyJump {
        velocity_w: Vec3::new(0.0, 0.0, 0.0),
        omega_b: Vec3::new(0.0, 0.0, 0.0),
        impulse_w: Vec3::new(0.0, 0.0, 0.0),
        moment_w: Vec3::new(0.0, 0.0, 0.0),
    };
}

impl FreeBody {
    /// The body where it is now.
    pub fn new(body: BodyId, motion: &BodyMotion, mass: &MassRow) -> Self {
        let rotation = rotation_matrix(&motion.orientation);
        let arm_w = rotation * Vec3::from(mass.center_of_mass);
        FreeBody {
            body,
            rotation,
            arm_w,
            center_w: Vec3::from(motion.position) + arm_w,
            inverse_mass: mass.inverse_mass,
            inverse_inertia_w: rotation * mass.inverse_inertia * rotation.transpose(),
        }
    }

    /// What an impulse at the centre of mass and a moment of impulse about it do.
    fn jump(&self, impulse_w: Vec3, moment_w: Vec3) -> BodyJump {
        let omega_w = self.inverse_inertia_w * moment_w;
        BodyJump {
            velocity_w: impulse_w * self.inverse_mass - omega_w.cross(&self.arm_w),
            omega_b: self.rotation.tr_mul(&omega_w),
            impulse_w,
            moment_w,
        }
    }
}

/// A contact on a body: its unit impulses, with their moments about the centre of mass.
struct Lever {
    meeting: usize,
    /// Impulse and moment of each component on this body.
    units: [[Vec3; 2]; COMPONENTS],
}

/// Impact of these contacts: what it does to each of the bodies, and whether a bound on the number of
/// hits cut it short. Zeros if no contact approaches.
pub fn solve(
    options: &ContactOptions,
    meetings: &[Meeting],
    bodies: &[FreeBody],
) -> (Vec<BodyJump>, bool) {
    let mut jumps = vec![BodyJump::NONE; bodies.len()];
    let levers: Vec<Vec<Lever>> = bodies.iter().map(|body| levers(meetings, body)).collect();
    let velocities: Vec<f64> = meetings.iter().flat_map(|m| m.velocities).collect();
    let touches: Vec<Touch> = meetings.iter().map(|m| m.touch).collect();
    let outcome = impact::solve(&Impact {
        inverse_mass: &inverse_mass(meetings.len(), bodies, &levers),
        velocities: &velocities,
        touches: &touches,
        hypothesis: options.impact_law,
        multi: options.multi_impact,
    });
    let Some(outcome) = outcome else {
        return (jumps, false);
    };
    for ((jump, body), levers) in jumps.iter_mut().zip(bodies).zip(&levers) {
        let mut sum = [Vec3::zeros(); 2];
        for lever in levers {
            let own = &outcome.impulses[COMPONENTS * lever.meeting..][..COMPONENTS];
            for (unit, size) in lever.units.iter().zip(own) {
                sum[0] += unit[0] * *size;
                sum[1] += unit[1] * *size;
            }
        }
        *jump = body.jump(sum[0], sum[1]);
    }
    (jumps, outcome.capped)
}

fn levers(meetings: &[Meeting], body: &FreeBody) -> Vec<Lever> {
    let on = |(index, meeting): (usize, &Meeting)| {
        let side = meeting.bodies.iter().position(|own| *own == body.body)?;
        let sign = if side == 0 { -1.0 } else { 1.0 };
        let arm = meeting.point_w - body.center_w;
        let unit = |component: usize| {
            let axis = meeting.axes_w[component % 3] * sign;
            match component < 3 {
                true => [axis, arm.cross(&axis)],
                false => [Vec3::zeros(), axis],
            }
        };
        Some(Lever {
            meeting: index,
            units: std::array::from_fn(unit),
        })
    };
    meetings.iter().enumerate().filter_map(on).collect()
}

/// W of all contacts.
fn inverse_mass(count: usize, bodies: &[FreeBody], levers: &[Vec<Lever>]) -> DMatrix<f64> {
    let size = COMPONENTS * count;
    let mut matrix = DMatrix::zeros(size, size);
    for (body, levers) in bodies.iter().zip(levers) {
        for one in levers {
            for (j, [impulse, moment]) in one.units.iter().enumerate() {
                let velocity = impulse * body.inverse_mass;
                let omega = body.inverse_inertia_w * moment;
                for other in levers {
                    for (i, [linear, angular]) in other.units.iter().enumerate() {
                        let place = (COMPONENTS * other.meeting + i, COMPONENTS * one.meeting + j);
                        matrix[place] += linear.dot(&velocity) + angular.dot(&omega);
                    }
                }
            }
        }
    }
    // Symmetric but for rounding.
    (&matrix + matrix.transpose()) * 0.5
}
