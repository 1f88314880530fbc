//! A scene of driven bodies behind arrays of numbers: body motions in, contact loads out.
//!
//! Only bodies moved by the caller may move: a scene with states (free bodies, joints, deflections of `stick`
//! friction, an energy balance) needs an integrator and is refused; fixed and prescribed bodies are allowed.
//!
//! The pairs in contact are a discrete state that only [`DirectForces::update`] changes, as everywhere in
//! this library: forces between two events are smooth. The call of [Engelson 2000],
//! [`DirectForces::collide`], has no events: it finds the contacts at the given poses, of bodies at rest, and
//! does not change that discrete state. Likewise there are two calls for impulses:
//! [`DirectForces::update_with_impulses`] is an event update, after which contacts that have started transmit
//! impulses; [`DirectForces::impact`] treats all contacts at the given poses as starting.
//!
//! # Velocity jumps of bodies that the caller integrates
//!
//! The bodies are free, with mass m, centre of mass c and inertia I about it: an impulse J at p with the
//! moment K gives dv_c = J/m and dw = I^-1 ((p - c) x J + K). So for unit impulses e of contact k, contact i
//! on the same body, with the sign s = -1 on body 1 and +1 on body 2, has W_ik = s_i s_k (J_i.J_k/m + ((p_i -
//! c) x J_i + K_i).I^-1 ((p_k - c) x J_k + K_k)), summed over common bodies. For one contact without friction
//! the solution is J of [Engelson 2000] section 2.1, J = -(1 + e) u_n/(1/m_1 + 1/m_2 + ...). A body of mass 0
//! is unyielding.
//!
//! LIMITATION: joints of the caller are not known here; the effect of a contact impulse on a mechanism has to
//! be solved there.

use super::rows::{
    INPUT_COLUMNS, JUMP_COLUMNS, MASS_COLUMNS, MATRIX_COLUMNS, QUATERNION_COLUMNS, WRENCH_COLUMNS,
    collision_row, in_body_axes, in_world_axes, mass_row, motion_row, wrong_columns,
};
use crate::direct::rows::{BodyMotion, MassRow};
use crate::instance::Failure;
use crate::instance::lifecycle::Resources;
use contact_geometry::math::{Exact, Mat3, Vec3, rotation_matrix};
use contact_laws::impact;
use contact_laws::impact::{COMPONENTS, Impact, Touch};
use contact_laws::index::{BodyId, InputId, PairId, ParameterId, TiVec};
use contact_model::contact::Ledger;
use contact_model::dynamics::{Change, Meeting, System};
use contact_model::hybrid::HybridSystem;
use contact_model::scene::description::{ContactOptions, ForceAxes, Motion};
use contact_model::scene::{Input, Parameters, Scene};
use nalgebra::DMatrix;

/// Scene whose bodies are moved from outside.
pub(crate) struct DirectForces {
    system: System,
    parameters: Parameters,
    bodies: Vec<BodyId>,
    /// Index of the driven body of each scene input, if it belongs to one.
    owners: Vec<Option<usize>>,
    motions: Vec<BodyMotion>,
    inputs: TiVec<InputId, f64>,
    left_out: Vec<bool>,
    /// Row of each body in the array of the call without events.
    rows: Vec<Option<usize>>,
    /// Force and torque on each body, world axes, as last computed.
    wrenches: Vec<[[f64; 3]; 2]>,
    /// Contacts of the calls with events, while one without finds its own.
    kept: Ledger,
    /// Contacts of `kept` without excluded bodies.
    trimmed: Ledger,
    masses: Vec<MassRow>,
    /// Last update, if it was one with impulses.
    last: Option<LastUpdate>,
}

/// Event update with impulses, which a caller that iterates at an event may request again.
struct LastUpdate {
    time: f64,
    motions: Vec<BodyMotion>,
    masses: Vec<MassRow>,
    jumps: Vec<BodyJump>,
    next_event_time: Option<f64>,
}

impl DirectForces {
    /// Loads a scene.
    ///
    /// # Errors
    /// The scene has no driven body, or states, or a number out of range.
    pub(crate) fn new(resources: &Resources) -> Result<Self, Failure> {
        let scene = &resources.scene;
        let bodies: Vec<BodyId> = driven_bodies(scene).collect();
        if bodies.is_empty() {
            return Err(Failure::error(format!(
                "scene {:?} has no driven body; give motion = \"driven\" to each body that the \
                 caller moves",
                scene.name()
            )));
        }
        if scene.layout().count() > 0 {
            return Err(Failure::error(format!(
                "scene {:?} has states of its own, the first is {}; the direct interface takes \
                 driven, fixed and prescribed bodies, no friction \"stick\" and no energy balance; \
                 use its FMU instead",
                scene.name(),
                scene.state_name(0)
            )));
        }
        let parameters = Parameters::start(scene);
        let system = System::with_functions(scene.clone(), &parameters, &resources.functions)?;
        let place = |input: &Input| {
            let body = input.driven_body()?;
            bodies.iter().position(|driven| *driven == body)
        };
        Ok(DirectForces {
            owners: scene.inputs().iter().map(place).collect(),
            motions: bodies.iter().map(|body| at_start(scene, *body)).collect(),
            inputs: scene.start_inputs(),
            left_out: vec![false; bodies.len()],
            rows: vec![None; bodies.len()],
            wrenches: vec![[[0.0; 3]; 2]; bodies.len()],
            kept: system.ledger().clone(),
            trimmed: system.ledger().clone(),
            masses: Vec::with_capacity(bodies.len()),
            last: None,
            parameters,
            bodies,
            system,
        })
    }

    pub(crate) fn body_count(&self) -> usize {
        self.bodies.len()
    }

    pub(crate) fn body_name(&self, place: usize) -> Option<&str> {
        let body = self.bodies.get(place)?;
        let body = self.system.scene().bodies().get(*body)?;
        Some(&body.name)
    }

    pub(crate) fn indicator_count(&self) -> usize {
        self.system.indicator_count()
    }

    /// Sets a parameter by its structured name, as in an FMU of the scene.
    ///
    /// # Errors
    /// No parameter has the name, or the value is out of range; nothing is changed.
    pub(crate) fn set_parameter(&mut self, name: &str, value: f64) -> Result<(), Failure> {
        let scene = self.system.scene();
        let found = scene
            .parameters()
            .keys()
            .find(|i| scene.parameter_name(*i) == name);
        let index = found.ok_or_else(|| {
            Failure::error(format!(
                "scene {:?} has no parameter {name:?}; names are those of its FMU, such as {:?}",
                scene.name(),
                scene.parameter_name(ParameterId::FIRST)
            ))
        })?;
        let mut changed = self.parameters.clone();
        changed.set(scene, index, value);
        self.system.rebind(&changed)?;
        self.last = None;
        self.parameters = changed;
        Ok(())
    }

    /// The call of [Engelson 2000] section 7.3: elastic forces on bodies at rest at these poses. Force and
    /// torque are in body axes, the torque about the origin of the body, like `fb` and `tb` there, and act on
    /// the body.
    ///
    /// # Errors
    /// See [`collision_row`]; a body in two rows; a law that fails.
    pub(crate) fn collide(
        &mut self,
        time: f64,
        input: &[f64],
        output: &mut [f64],
    ) -> Result<(), Failure> {
        let count = self.bodies.len();
        self.rows.fill(None);
        for (row, values) in input.chunks_exact(INPUT_COLUMNS).enumerate() {
            let read = collision_row(values, row, count)?;
            if let Some(first) = self.rows[read.body].replace(row) {
                return Err(Failure::error(format!(
                    "collisionInput rows {} and {} both have id {}; each body has one row",
                    first + 1,
                    row + 1,
                    read.body + 1
                )));
            }
            self.motions[read.body] = read.motion;
            self.left_out[read.body] = read.left_out;
        }
        self.kept.copy_from(self.system.ledger());
        self.system.clear_ledger();
        let done = self.find_static(time);
        self.system.set_ledger(&self.kept);
        done?;
        let found = self.rows.iter().zip(&self.motions).zip(&self.wrenches);
        for ((row, motion), wrench) in found {
            if let Some(place) = row.and_then(|r| output.chunks_exact_mut(WRENCH_COLUMNS).nth(r)) {
                write_wrench(place, &in_body_axes(&motion.orientation, wrench));
            }
        }
        Ok(())
    }

    fn find_static(&mut self, time: f64) -> Result<(), Failure> {
        self.move_there(time)?;
        self.system.update_event(time, &mut [])?;
        if self.left_out.contains(&true) {
            self.trimmed.copy_from(self.system.ledger());
            let (model, bodies, left_out) = (self.system.model(), &self.bodies, &self.left_out);
            let is_out = |body: BodyId| {
                let place = bodies.iter().position(|driven| *driven == body);
                place.is_some_and(|place| left_out[place])
            };
            self.trimmed
                .leave_out(|pair| model.pair_bodies(pair).into_iter().any(is_out));
            self.system.set_ledger(&self.trimmed);
        }
        self.find_wrenches()
    }

    fn find_wrenches(&mut self) -> Result<(), Failure> {
        let outputs = self.system.outputs_here()?;
        for (body, wrench) in self.bodies.iter().zip(&mut self.wrenches) {
            *wrench = [
                outputs.contact_forces[*body],
                outputs.contact_torques[*body],
            ];
        }
        let scene = self.system.scene();
        let given = self.bodies.iter().zip(&self.motions);
        for ((body, motion), wrench) in given.zip(&mut self.wrenches) {
            if scene.bodies()[*body].drive.wrench_axes == ForceAxes::Body {
                *wrench = in_world_axes(&motion.orientation, wrench);
            }
        }
        Ok(())
    }

    /// Force on each driven body and torque about its origin, world axes, between events.
    ///
    /// # Errors
    /// See [`motion_row`]; a law that fails.
    pub(crate) fn evaluate(
        &mut self,
        time: f64,
        motions: &[f64],
        wrenches: &mut [f64],
    ) -> Result<(), Failure> {
        self.go_to(time, motions)?;
        self.find_wrenches()?;
        let rows = wrenches.chunks_exact_mut(WRENCH_COLUMNS);
        for (wrench, row) in self.wrenches.iter().zip(rows) {
            write_wrench(row, wrench);
        }
        Ok(())
    }

    pub(crate) fn indicators(
        &mut self,
        time: f64,
        motions: &[f64],
        indicators: &mut [f64],
    ) -> Result<(), Failure> {
        self.go_to(time, motions)?;
        Ok(self.system.indicators_here(indicators)?)
    }

    /// Event update: contacts from here on, with their impact speeds. Returns the time of the next time event
    /// [s].
    ///
    /// # Errors
    /// See [`motion_row`]; more contacts than the scene has indicators.
    pub(crate) fn update(&mut self, time: f64, motions: &[f64]) -> Result<Option<f64>, Failure> {
        self.go_to(time, motions)?;
        self.last = None;
        Ok(self.system.update_event(time, &mut [])?.next_event_time)
    }

    /// Event update, and velocity jumps by the impulses of contacts that start, with these masses, rows of
    /// [`MASS_COLUMNS`]. Returns the time of the next time event [s]. Repeated with the same numbers, it
    /// gives the same jumps.
    ///
    /// # Errors
    /// See [`motion_row`] and [`mass_row`]; more contacts than the scene has indicators; a scene without
    /// impulses; contacts and `jumps` are then unchanged. A warning, with jumps, if the limit of hits cut the
    /// impact short.
    pub(crate) fn update_with_impulses(
        &mut self,
        time: f64,
        motions: &[f64],
        masses: &[f64],
        jumps: &mut [f64],
    ) -> Result<(Option<f64>, Result<(), Failure>), Failure> {
        self.read_masses(masses)?;
        self.go_to(time, motions)?;
        let known = self.last.as_ref().filter(|last| {
            last.time == time && last.motions == self.motions && last.masses == self.masses
        });
        if let Some(last) = known {
            write_jumps(jumps, &last.jumps);
            return Ok((last.next_event_time, Ok(())));
        }
        self.kept.copy_from(self.system.ledger());
        let done = self.find_impulses(time, false);
        if done.is_err() {
            self.system.set_ledger(&self.kept);
        }
        let (found, capped, next_event_time) = done?;
        write_jumps(jumps, &found);
        self.last = Some(LastUpdate {
            time,
            motions: self.motions.clone(),
            masses: self.masses.clone(),
            jumps: found,
            next_event_time,
        });
        Ok((next_event_time, told(capped)))
    }

    /// Velocity jumps of bodies that overlap and approach, independent of earlier contacts; changes no
    /// contact.
    ///
    /// # Errors
    /// See [`Self::update_with_impulses`].
    pub(crate) fn impact(
        &mut self,
        time: f64,
        motions: &[f64],
        masses: &[f64],
        jumps: &mut [f64],
    ) -> Result<(), Failure> {
        self.read_masses(masses)?;
        self.go_to(time, motions)?;
        self.kept.copy_from(self.system.ledger());
        self.system.clear_ledger();
        let done = self.find_impulses(time, true);
        self.system.set_ledger(&self.kept);
        let (found, capped, _) = done?;
        write_jumps(jumps, &found);
        told(capped)
    }

    /// Updates the contacts. Returns the jumps of those that start, or of all, whether they were cut short,
    /// and the time of the next time event [s].
    fn find_impulses(
        &mut self,
        time: f64,
        all: bool,
    ) -> Result<(Vec<BodyJump>, bool, Option<f64>), Failure> {
        if !self.system.scene().has_impulses() {
            let text = "no pair of the scene has response = \"impulse\"";
            return Err(Failure::error(text));
        }
        let next = self.system.update_event(time, &mut [])?.next_event_time;
        let started = |change: &Change| match change {
            Change::Contact(change) if change.impact_speed.is_some() => Some(change.pair),
            _ => None,
        };
        let started: Vec<PairId> = self.system.changes().iter().filter_map(started).collect();
        if started.is_empty() {
            return Ok((vec![BodyJump::NONE; self.bodies.len()], false, next));
        }
        let starts = |pair: PairId| all || started.binary_search(&pair).is_ok();
        let meetings = self.system.meetings_here(starts)?;
        let given = self.motions.iter().zip(&self.masses);
        let bodies = self.bodies.iter().zip(given);
        let bodies = bodies.map(|(body, (motion, mass))| FreeBody::new(*body, motion, mass));
        let (jumps, capped) = solve(
            self.system.scene().contact(),
            &meetings,
            &bodies.collect::<Vec<_>>(),
        );
        Ok((jumps, capped, next))
    }

    fn read_masses(&mut self, masses: &[f64]) -> Result<(), Failure> {
        self.masses.clear();
        for (place, row) in masses.chunks_exact(MASS_COLUMNS).enumerate() {
            let name = self.body_name(place).unwrap_or_default();
            let read = mass_row(row, name)?;
            self.masses.push(read);
        }
        Ok(())
    }

    /// Completed step of the caller. Returns true if it must call [`Self::update`] now: pairs without an
    /// indicator overlap.
    ///
    /// # Errors
    /// See [`motion_row`].
    pub(crate) fn completed_step(&mut self, time: f64, motions: &[f64]) -> Result<bool, Failure> {
        self.go_to(time, motions)?;
        Ok(self.system.completed_step(time, &[])?)
    }

    fn go_to(&mut self, time: f64, motions: &[f64]) -> Result<(), Failure> {
        let columns = motions.len() / self.bodies.len();
        if columns != QUATERNION_COLUMNS && columns != MATRIX_COLUMNS {
            return Err(wrong_columns(columns));
        }
        for (place, row) in motions.chunks_exact(columns).enumerate() {
            let name = self.body_name(place).unwrap_or_default();
            let read = motion_row(row, name)?;
            self.motions[place] = read;
        }
        self.move_there(time)
    }

    fn move_there(&mut self, time: f64) -> Result<(), Failure> {
        if !time.is_finite() {
            return Err(Failure::discard(format!(
                "time is {time}; must be finite",
                time = Exact(time)
            )));
        }
        let inputs = self.system.scene().inputs().iter().zip(&self.owners);
        for ((input, owner), value) in inputs.zip(&mut self.inputs) {
            if let Some(motion) = owner.and_then(|owner| self.motions.get(owner)) {
                *value = value_of(*input, motion).unwrap_or(*value);
            }
        }
        self.system.set_inputs(&self.inputs.raw, None);
        // No state that could be refused.
        let _ = self.system.set_time_and_states(time, &[]);
        Ok(())
    }
}

/// Driven bodies of a scene, in its order: the bodies of the direct interface.
pub fn driven_bodies(scene: &Scene) -> impl Iterator<Item = BodyId> + '_ {
    let bodies = scene.bodies().iter_enumerated();
    bodies
        .filter(|(_, body)| body.motion == Motion::Driven)
        .map(|(index, _)| index)
}

fn at_start(scene: &Scene, body: BodyId) -> BodyMotion {
    let body = &scene.bodies()[body];
    BodyMotion {
        position: body.position.into(),
        orientation: body.orientation,
        velocity: body.velocity.into(),
        angular_velocity: body.angular_velocity.into(),
    }
}

/// Value of an input for this motion; `None` unless it is a motion input.
fn value_of(input: Input, motion: &BodyMotion) -> Option<f64> {
    match input {
        Input::Position(_, i) => motion.position.get(i).copied(),
        Input::Orientation(_, i) => motion.orientation.get(i).copied(),
        Input::Rotation(_, i) => {
            let rotation = rotation_matrix(&motion.orientation);
            rotation.get((i / 3, i % 3)).copied()
        }
        Input::Velocity(_, i) => motion.velocity.get(i).copied(),
        Input::AngularVelocity(_, i) => motion.angular_velocity.get(i).copied(),
        Input::Force(..)
        | Input::Torque(..)
        | Input::Joint(..)
        | Input::BallTorque(..)
        | Input::Latch(_)
        | Input::Parameter(_) => None,
    }
}

/// Warning if an impact was cut short.
fn told(capped: bool) -> Result<(), Failure> {
    match capped {
        false => Ok(()),
        true => Err(Failure::warning(
            "the impact has more hits than are solved at once; approach that is left is left to the \
             forces",
        )),
    }
}

fn write_jumps(rows: &mut [f64], jumps: &[BodyJump]) {
    for (row, jump) in rows.chunks_exact_mut(JUMP_COLUMNS).zip(jumps) {
        let parts = [jump.velocity_w, jump.omega_b, jump.impulse_w, jump.moment_w];
        for (place, part) in row.chunks_exact_mut(3).zip(&parts) {
            place.copy_from_slice(part.as_slice());
        }
    }
}

fn write_wrench(row: &mut [f64], wrench: &[[f64; 3]; 2]) {
    for (place, value) in row.iter_mut().zip(wrench.iter().flatten()) {
        *place = *value;
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FreeBody {
    pub(crate) body: BodyId,
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

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BodyJump {
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
    pub(crate) const NONE: BodyJump = BodyJump {
        velocity_w: Vec3::new(0.0, 0.0, 0.0),
        omega_b: Vec3::new(0.0, 0.0, 0.0),
        impulse_w: Vec3::new(0.0, 0.0, 0.0),
        moment_w: Vec3::new(0.0, 0.0, 0.0),
    };
}

impl FreeBody {
    pub(crate) fn new(body: BodyId, motion: &BodyMotion, mass: &MassRow) -> Self {
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

    /// Effect of an impulse at the centre of mass and a moment of impulse about it.
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

/// Unit impulses of a contact on a body, with their moments about the centre of mass.
struct Lever {
    meeting: usize,
    units: [[Vec3; 2]; COMPONENTS],
}

/// Impact of these contacts: effect on each of the bodies, and whether the limit of hits cut it short. Zeros
/// if no contact approaches.
pub(crate) fn solve(
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
