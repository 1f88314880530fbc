//! Impact of a contact over an area: the force of its law while the bodies press, in stretched time.
//!
//! No single point of a landing face receives the impulse: friction tilts it onto its leading edge, and the
//! pressure that moves there prevents rotation. The result depends on the shape of the force-depth curve, not
//! on the stiffness. So the inverse mass W at the contact and the position of the contact stay constant, and
//! the pair moves by as little as it penetrates: with the components of an impulse p,
//!
//! ```text
//! u = u- + W p,  x' = u along n,  theta' = turning of u across n,  p' = force of the law at (x, theta, u)
//! ```
//!
//! from first touch on, by the formula of Dormand and Prince, until the pressure is zero. x and theta move
//! body 2 relative to 1. Force, damping, friction and its deflection are those of
//! [`contact_laws::response::area`]: if all of the force acts while the contact lasts, the impulse is that of
//! the force, at its stiffness, so that a tilt smaller than the depth of the hit still lands flat. The
//! hypothesis is that of the damping: energy.
//!
//! # Binding of parameter values, without joints whose motion moves no inertia
//!
//! A body on a joint may be a point mass, without inertia about its centre. If a motion of a joint moves no
//! mass at all its acceleration is undefined.

use crate::contact::LatchState;
use crate::dynamics::contacts::{ActiveContact, Mode};
use crate::dynamics::guard::Meeting;
use crate::dynamics::workspace::Workspace;
use crate::dynamics::{Model, contact_forces, pipeline, tree};
use crate::hybrid::EvaluationError;
use crate::scene::description::JointKind;
use crate::scene::{Parameters, Scene, UserFunctions};
use contact_geometry::math::real::powf;
use contact_geometry::math::spatial::exponential;
use contact_geometry::math::{A2, A3, A4, A5, A6, B, E, Pose, Vec3};
use contact_geometry::narrow_phase::area::Patch;
use contact_laws::impact::{COMPONENTS, Impact, Solution, without_gain};
use contact_laws::index::{JointId, ti_vec};
use contact_laws::response::PairLaw;
use contact_laws::response::area::{AreaBristle, AreaMotion};
use contact_laws::response::law::Onset;
use contact_laws::response::normal::NormalLaw;
use contact_laws::response::stick::Deflection;
use nalgebra::{DVector, SVector};
use std::sync::Arc;

/// Error of a step relative to the depth and the impulse of the approach [1].
const TOLERANCE: f64 = 1e-7;
/// Longest step relative to the depth of the hit over the normal velocity [1].
const LONGEST: f64 = 0.2;
/// Maximum number of steps, also repeated ones; a hundred is usual.
const STEPS: usize = 5000;

/// x [m], theta [rad], impulse [N s] and moment [N m s] in the axes of the meeting, deflection [m].
type State = SVector<f64, 16>;

struct Pressing<'a> {
    mode: &'a Mode,
    contact: &'a ActiveContact,
    law: &'a PairLaw,
    onset: Onset,
    meeting: &'a Meeting,
    impact: &'a Impact<'a>,
    before: DVector<f64>,
    poses: [Pose; 2],
    patch: &'a mut Patch<f64>,
}

/// Impulses of a contact over an area, alone in its impact; `None` if it has not separated within the maximum
/// number of steps.
pub(crate) fn solve(
    mode: &Mode,
    contact: &ActiveContact,
    meeting: &Meeting,
    impact: &Impact<'_>,
    work: &Workspace<f64>,
    patch: &mut Patch<f64>,
) -> Option<Solution> {
    let law = mode.contacts.law(contact);
    let near = contact_forces::nearest(mode, contact, &work.frames);
    let mut poses = contact.frames.map(|frame| work.frames[frame]);
    // From first touch: no approach has caused an earlier penetration.
    poses[1].position -= near.normal_w * near.gap;
    let w = impact.inverse_mass;
    let speed = -meeting.velocities[0];
    let mass = 1.0 / w[(0, 0)];
    let depth = meeting.touch.elastic.depth_after_impact(mass, speed);
    let mut pressing = Pressing {
        mode,
        contact,
        law,
        onset: match law.normal {
            NormalLaw::Inferred { .. } => contact.frozen,
            _ => Onset::from(law.frozen(speed, mass)),
        },
        meeting,
        impact,
        before: DVector::from_column_slice(impact.velocities),
        poses,
        patch,
    };
    let turning = (3..COMPONENTS).map(|i| w[(i, i)] * mass);
    let per_length = turning.fold(f64::MIN_POSITIVE, f64::max).sqrt();
    let mut scales = State::from_element(depth);
    for i in 0..3 {
        scales[3 + i] = depth * per_length;
        scales[6 + i] = mass * speed;
        scales[9 + i] = mass * speed / per_length;
    }
    let mut y = State::zeros();
    let mut longest = 0.01 * depth / speed;
    let (mut slope, mut has_pressed) = (pressing.rates(&y).0, false);
    for _ in 0..STEPS {
        let rate = pressing.velocities(&y)[0].abs();
        let h = longest.min(LONGEST * depth / rate);
        let (next, last, presses, error) = pressing.step(&y, &slope, h, &scales);
        longest = h * (0.9 * powf(error.max(1e-5), -0.2)).clamp(0.2, 5.0);
        if !error.is_finite() {
            return None;
        }
        if error <= 1.0 {
            (y, slope) = (next, last);
            if has_pressed && !presses {
                let p = DVector::from_column_slice(&y.as_slice()[6..12]);
                return Some(Solution {
                    p: without_gain(impact, p),
                    hits: 1,
                    capped: false,
                });
            }
            has_pressed |= presses;
        }
    }
    None
}

impl Pressing<'_> {
    fn velocities(&self, y: &State) -> DVector<f64> {
        &self.before + self.impact.inverse_mass * y.fixed_rows::<COMPONENTS>(6)
    }

    /// Rates of the state, and whether the bodies press.
    fn rates(&mut self, y: &State) -> (State, bool) {
        let [velocity, turning] = self.meeting.wrench(self.velocities(y).as_slice());
        let point = &self.meeting.point_w;
        let turned = exponential(&y.fixed_rows::<3>(3).into_owned());
        let mut moved = self.poses[1];
        moved.position = point + turned * (moved.position - point) + y.fixed_rows::<3>(0);
        moved.rotation = turned * moved.rotation;
        contact_forces::find_patch(
            &self.mode.model,
            self.law,
            self.contact.shapes,
            [&self.poses[0], &moved],
            self.law.rule.overlap_without_force(),
            self.patch,
        );
        // A patch is in the middle of the overlap, and its position on the bodies is constant.
        let origin = self.patch.origin_w - point - y.fixed_rows::<3>(0) * 0.5;
        let motion = AreaMotion {
            velocity: velocity + turning.cross(&origin),
            angular_velocity: turning,
        };
        let bristle = self.law.friction.stick().map(|law| AreaBristle {
            law,
            deflection: Deflection::read(&y.as_slice()[12..]),
            mean: Vec3::zeros(),
            of_face: Vec3::zeros(),
        });
        let (law, patch) = (self.law, &*self.patch);
        let found = law.force_over_area(patch, &motion, self.onset, bristle.as_ref());
        let mut rates = State::zeros();
        let [normal, ..] = &self.meeting.axes_w;
        let across = turning - normal * normal.dot(&turning);
        let along = normal * normal.dot(&velocity);
        rates.fixed_rows_mut::<3>(0).copy_from(&along);
        rates.fixed_rows_mut::<3>(3).copy_from(&across);
        if let Some((exerted, stretching)) = &found {
            let moment = exerted.torque + (origin + exerted.center).cross(&exerted.force);
            let components = self.meeting.components(&exerted.force, &moment);
            rates.as_mut_slice()[6..12].copy_from_slice(&components);
            stretching.write(&mut rates.as_mut_slice()[12..]);
        }
        (rates, found.is_some())
    }

    /// State after a step h [s], its rates, whether the bodies press there, and the error relative to the
    /// tolerance.
    fn step(
        &mut self,
        y: &State,
        slope: &State,
        h: f64,
        scales: &State,
    ) -> (State, State, bool, f64) {
        let rows: [&[f64]; 6] = [&A2, &A3, &A4, &A5, &A6, &B];
        let mut slopes = [*slope; 7];
        let (mut at, mut presses) = (*y, false);
        for (stage, row) in rows.iter().enumerate() {
            at = *y;
            for (a, k) in row.iter().zip(&slopes) {
                at += k * (h * a);
            }
            (slopes[stage + 1], presses) = self.rates(&at);
        }
        let mut estimate = State::zeros();
        for (e, k) in E.iter().zip(&slopes) {
            estimate += k * (h * e);
        }
        let each = estimate.iter().zip(scales);
        let error = each.map(|(x, scale)| x.abs() / (TOLERANCE * scale));
        (at, slopes[6], presses, error.fold(0.0, f64::max))
    }
}

/// Binds parameter values to a scene.
///
/// # Errors
/// A value out of range: the message names the parameter, the value and the range. A motion of a joint that
/// moves no inertia: the message names both.
pub fn bind(
    scene: &Arc<Scene>,
    parameters: &Parameters,
    functions: &Arc<UserFunctions>,
) -> Result<Model, EvaluationError> {
    checked(Model::bind(scene, parameters, functions)?)
}

/// Binds other values to the scene of a model, keeping valid tables.
///
/// # Errors
/// As for [`bind`].
pub(crate) fn rebind(model: &Model, parameters: &Parameters) -> Result<Model, EvaluationError> {
    checked(model.rebind(parameters)?)
}

fn checked(model: Model) -> Result<Model, EvaluationError> {
    match without_inertia(&model) {
        Some((_, flaw)) => Err(EvaluationError::error(flaw)),
        None => Ok(model),
    }
}

/// Problem of a scene at its start beyond its single values: a joint with a motion that moves no inertia, by
/// index and as text.
pub fn flaw(scene: &Arc<Scene>) -> Option<(JointId, String)> {
    let functions = UserFunctions::not_loaded(scene);
    // Invalid values are reported elsewhere.
    let model = Model::bind(scene, &Parameters::start(scene), &functions).ok()?;
    without_inertia(&model)
}

/// Joint whose inertia at the start is singular, with a text; `None` if all can be accelerated.
fn without_inertia(model: &Model) -> Option<(JointId, String)> {
    if model.links.of_trees().is_empty() {
        return None;
    }
    let mut work: Workspace<f64> = Workspace::new(model);
    let states = model.scene.start_states();
    pipeline::place(model, &model.links.indices, &mut work, &states);
    // Of a closed latch all have to be able to move when it opens.
    let open = ti_vec![LatchState::default(); model.scene.latches().len()];
    pipeline::factor(model, &model.links.tree_indices, &open, &mut work);
    let (index, motion) = singular(model, &work)?;
    let joint = &model.scene.joints()[index];
    let body = &model.scene.bodies()[joint.child].name;
    let text = format!(
        "joint {:?}: {motion} moves no inertia at start; give body {body:?}, or one that hangs on it, an \
         inertia that resists it",
        joint.name
    );
    Some((index, text))
}

/// Reason why the accelerations of a workspace are invalid, if they are.
pub(crate) fn refusal(model: &Model, work: &Workspace<f64>) -> Option<String> {
    let (joint, motion) = singular(model, work)?;
    Some(format!(
        "joint {:?}: {motion} moves no inertia in this position; its acceleration is undefined",
        model.scene.joints()[joint].name
    ))
}

/// Joint with a motion that moves no inertia, with a text naming it.
fn singular(model: &Model, work: &Workspace<f64>) -> Option<(JointId, String)> {
    // Leaves first: what hangs on a coordinate without inertia has none for its parents either.
    for (in_trees, link) in model.links.of_trees().iter_enumerated().rev() {
        let Some(index) = model.scene.layout().joint_of_link(link.joint) else {
            continue;
        };
        if work.tree.locked[in_trees] {
            continue;
        }
        let inertia = &work.tree.inertias[link.body];
        let columns = work.tree.motions[in_trees].columns.iter();
        let known = columns.zip(&work.tree.eliminations[in_trees]);
        for (coordinate, (column, known)) in known.take(link.rates.len()).enumerate().rev() {
            if tree::is_singular(known.pivot, column, inertia) {
                let kind = model.scene.joints()[index].kind;
                return Some((index, motion_name(kind, coordinate)));
            }
        }
    }
    None
}

fn motion_name(kind: JointKind, dof: usize) -> String {
    match kind.coordinates().get(dof) {
        Some(coordinate) => format!("coordinate {}", coordinate.key),
        None => "turning the child".into(),
    }
}
