//! Initialisation: validates the start values, binds the parameters, finds the first contacts.
//!
//! An orientation q is a start value like any other and becomes q/|q| when initialisation ends; |q| outside
//! 0.5..2 is rejected as a mistake. Values computed before are those of q/|q| too.
//!
//! # Inputs
//!
//! In Model Exchange, and before initialisation ends, the inputs apply at the current time; setting them
//! costs a copy and is no event, since some importers set them at each evaluation. In Co-Simulation they are
//! those of the instant at which they were last set: driven bodies are extrapolated from there with their
//! velocities. If only some of them are set, the others have been extrapolated to the current time, so
//! nothing jumps back.
//!
//! In Co-Simulation an input that changed between two steps is an event: a driven body may overlap another
//! one now. Contacts are updated, from those of the communication point, when something is evaluated there or
//! the next step begins, and the integrator restarts. Invalid values (not finite, an orientation that is no
//! rotation) are rejected when they are set, if one number suffices to detect it, and otherwise by
//! evaluations, until better ones are set: an importer may set four components by four calls.

use crate::instance::lifecycle::Instance;
use crate::instance::log::{Category, Failure};
use crate::instance::modes::{Call, Kind, Mode};
use crate::instance::state::InputChange;
use crate::instance::variables::Family;
use contact_geometry::math::{Exact, LARGEST_NUMBER, LARGEST_NUMBER_IN_WORDS, quaternion};
use contact_laws::index::{BodyId, InputId, LatchId, PairId, StopId, TiSlice};
use contact_model::dynamics::{Change, ContactChange, StopChange};
use contact_model::hybrid::HybridSystem;
use contact_model::integrator::Settings;
use contact_model::scene::{Address, Input, StateLayout};

/// Accepted norm of an orientation at start.
const ORIENTATION_NORM: std::ops::RangeInclusive<f64> = 0.5..=2.0;
/// Deviation of that norm from 1 that is not logged: the printed digits of a quaternion.
const SILENT_DEVIATION: f64 = 1e-6;

impl Instance {
    /// Starts initialisation at `start_time` [s] of a run up to `stop_time` [s], if known, with a relative
    /// tolerance, if given.
    ///
    /// # Errors
    /// Not allowed now; times that are not finite, a stop before the start; a tolerance that is not positive,
    /// or in Co-Simulation one the integrator cannot keep.
    pub fn enter_initialization(
        &mut self,
        tolerance: Option<f64>,
        start_time: f64,
        stop_time: Option<f64>,
    ) -> Result<(), Failure> {
        self.allow(Call::EnterInitialization)?;
        self.set_experiment(tolerance, start_time, stop_time)?;
        self.begin_initialization();
        Ok(())
    }

    /// Sets times [s] and tolerance for [`Self::enter_initialization_as_set_up`].
    ///
    /// # Errors
    /// Those of [`Self::enter_initialization`].
    pub(crate) fn setup_experiment(
        &mut self,
        tolerance: Option<f64>,
        start_time: f64,
        stop_time: Option<f64>,
    ) -> Result<(), Failure> {
        self.allow(Call::SetupExperiment)?;
        self.set_experiment(tolerance, start_time, stop_time)?;
        self.run.set_up = true;
        Ok(())
    }

    /// Starts initialisation with the times and the tolerance set before. An importer that set none gets
    /// those of the scene, without a stop time; a strict instance rejects that.
    ///
    /// # Errors
    /// Not allowed now.
    pub(crate) fn enter_initialization_as_set_up(&mut self) -> Result<(), Failure> {
        self.allow(Call::EnterInitialization)?;
        if !self.run.set_up && self.rules().strict {
            return Err(Failure::error(
                "the experiment was not set up: set start time and tolerance first",
            ));
        }
        self.begin_initialization();
        Ok(())
    }

    fn begin_initialization(&mut self) {
        self.start.valid = false;
        self.touch();
        self.enter(Mode::Initialization);
    }

    fn set_experiment(
        &mut self,
        tolerance: Option<f64>,
        start_time: f64,
        stop_time: Option<f64>,
    ) -> Result<(), Failure> {
        if !start_time.is_finite() {
            return Err(Failure::error(format!(
                "start time is {start_time} s; it must be finite",
                start_time = Exact(start_time)
            )));
        }
        if let Some(stop) = stop_time
            && !(stop >= start_time && stop.is_finite())
        {
            return Err(Failure::error(format!(
                "stop time is {stop} s; it must be finite and not before the start time, \
                 {start_time} s",
                stop = Exact(stop),
                start_time = Exact(start_time)
            )));
        }
        if start_time < self.scene.experiment().start_time
            && let Some((time, body)) = self.scene.last_carried_jump(start_time)
        {
            return Err(Failure::error(format!(
                "start time is {start_time} s, and the velocity of {:?} jumps at {time} s, which would drag along \
                 what it carries on joints without a force; this FMU was built for a start at {} s: start \
                 at {time} s or later",
                self.scene.bodies()[body].name,
                self.scene.experiment().start_time,
                start_time = Exact(start_time),
                time = Exact(time)
            )));
        }
        if let Some(given) = tolerance {
            if !(given > 0.0 && given.is_finite()) {
                return Err(Failure::error(format!(
                    "tolerance is {given}; it must be > 0 and finite",
                    given = Exact(given)
                )));
            }
            if self.options.kind == Kind::CoSimulation {
                Settings::new(given)?;
            }
        }
        self.run.time = start_time;
        self.run.stop_time = stop_time;
        self.run.tolerance = tolerance;
        self.start.valid = false;
        self.touch();
        Ok(())
    }

    /// Ends initialisation: the start values become the present ones, the first contacts are found.
    ///
    /// # Errors
    /// Not allowed now; a start value or parameter out of range, by name; bodies that start in too deep
    /// overlap; nothing is changed. A warning for an orientation that was not of unit norm, or a start
    /// velocity locked by a latch.
    pub fn exit_initialization(&mut self) -> Result<(), Failure> {
        self.allow(Call::ExitInitialization)?;
        self.ready()?;
        self.system.go_to(self.run.time, &self.start.states)?;
        self.check_overlaps_here()?;
        let warning = self.deviations();
        // Impulses at the start: the first update tells an importer that keeps its start values.
        self.run.states_changed = self.run.states != self.start.states;
        self.run.states.copy_from_slice(&self.start.states);
        self.run.memory.restart();
        self.run.memories.restart();
        if self.run.tolerance.is_none() {
            let of_scene = self.scene.experiment().tolerance;
            self.run.tolerance = of_scene.or_else(|| Some(self.system.suggested_tolerance()));
        }
        self.run.first_event_mode = self.options.event_mode_used;
        self.run.updated = false;
        self.entry.copy_from(self.system.ledger());
        self.enter(if self.options.event_mode_used {
            Mode::Event
        } else {
            Mode::Step
        });
        self.start_inputs();
        self.log_event();
        self.note_impulses();
        self.log_overlaps()?;
        self.watch_distances()?;
        match warning {
            None => Ok(()),
            Some(text) => Err(Failure::warning(text)),
        }
    }

    /// Prepares the system for evaluations at the current time and states.
    pub(super) fn ready(&mut self) -> Result<(), Failure> {
        match self.run.mode {
            Mode::Instantiated | Mode::Initialization if !self.start.valid => self.make_start(),
            _ if self.run.parameters_changed => {
                self.bind()?;
                self.find_contacts_again()?;
                self.run.parameters_changed = false;
                self.run.nominals_changed = true;
                self.run.inputs.settle();
                Ok(())
            }
            _ if self.run.inputs.change == InputChange::Pending => {
                self.bind()?;
                self.take_inputs()
            }
            _ => self.bind(),
        }
    }

    fn bind(&mut self) -> Result<(), Failure> {
        if self.bound {
            while let Some(element) = self.unbound.last() {
                self.system
                    .rebind_element(*element, &self.run.parameters)
                    .map_err(|flaw| Failure::discard(flaw.message))?;
                self.unbound.pop();
            }
            return Ok(());
        }
        self.system.rebind(&self.run.parameters)?;
        self.unbound.clear();
        self.windows = None;
        self.granular = None;
        self.bound = true;
        self.touch();
        Ok(())
    }

    /// Creates start states and ledger from the start values.
    fn make_start(&mut self) -> Result<(), Failure> {
        let is_good = |x: &f64| x.abs() <= LARGEST_NUMBER;
        if let Some(i) = self.run.states.iter().position(|x| !is_good(x)) {
            let name = self.element_name(Family::State.of(i));
            let value = self.run.states[i];
            let allowed = match value.is_finite() {
                true => LARGEST_NUMBER_IN_WORDS,
                false => "finite",
            };
            return Err(Failure::error(format!(
                "start value of {name} is {value}; it must be {allowed}",
                value = Exact(value)
            )));
        }
        self.start.states.copy_from_slice(&self.run.states);
        for (body, q) in orientations(self.scene.layout(), self.scene.bodies().len()) {
            let q = &mut self.start.states[q];
            let norm = norm(q);
            if !ORIENTATION_NORM.contains(&norm) {
                return Err(Failure::error(format!(
                    "start value of {}.orientation is {q:?}, of norm {norm}; it must be a unit \
                     quaternion (w, x, y, z), body to world",
                    self.scene.bodies()[body].name
                )));
            }
            // Division by exactly 1 keeps what the scene has already made of unit norm.
            q.iter_mut().for_each(|c| *c /= norm);
        }
        self.bind()?;
        self.system.clear_ledger();
        self.system
            .hold_latched(self.run.time, &mut self.start.states);
        self.system.allow_surplus(self.is_granular());
        // No smaller step helps at the start, and a discard is not reported if logging is off.
        self.system
            .update_event(self.run.time, &mut self.start.states)
            .map_err(|refused| Failure::error(refused.message))?;
        self.start.valid = true;
        self.touch();
        Ok(())
    }

    /// Detects the contacts again after parameters, states or time were set. In Event Mode this reverts an
    /// earlier update; in the first one, new values count as start values. Otherwise pairs in contact stay in
    /// contact, with the damping of their impact.
    pub(super) fn find_contacts_again(&mut self) -> Result<(), Failure> {
        let before: Vec<PairId> = self.pairs_in_contact().collect();
        let stopped: Vec<StopId> = self.stops_in_contact().collect();
        let triggered = self.system.ledger().triggers().to_owned();
        if self.run.first_event_mode {
            self.system.revert_contacts(None);
            self.entry.copy_from(self.system.ledger());
        } else if self.run.mode == Mode::Event {
            self.system.revert_contacts(Some(&self.entry));
        }
        self.system.allow_surplus(self.is_granular());
        let outcome = self
            .system
            .update_event(self.run.time, &mut self.run.states)?;
        self.run.states_changed |= outcome.states_changed;
        self.note_impulses();
        self.run.memory.restart();
        self.run.memories.restart();
        self.touch();
        self.log_changes(|change| matches!(change, Change::Jump(_)));
        let ended = before
            .iter()
            .filter(|pair| !self.pairs_in_contact().any(|p| p == **pair));
        for pair in ended {
            let change = ContactChange {
                pair: *pair,
                impact_speed: None,
            };
            self.log_change(self.run.time, &Change::Contact(change));
        }
        self.log_changes(
            |change| matches!(change, Change::Contact(c) if !before.contains(&c.pair)),
        );
        let freed = stopped
            .iter()
            .filter(|stop| !self.stops_in_contact().any(|s| s == **stop));
        for stop in freed {
            let change = StopChange {
                stop: *stop,
                impact_speed: None,
            };
            self.log_change(self.run.time, &Change::Stop(change));
        }
        self.log_changes(|change| match change {
            Change::Stop(change) => !stopped.contains(&change.stop),
            Change::Latch(_) => true,
            _ => false,
        });
        let triggers = self.system.ledger().triggers().iter_enumerated();
        for (trigger, &is_on) in triggers.filter(|(trigger, is_on)| triggered[*trigger] != **is_on)
        {
            self.log_change(self.run.time, &Change::Trigger { trigger, is_on });
        }
        Ok(())
    }

    fn stops_in_contact(&self) -> impl Iterator<Item = StopId> + '_ {
        let stops = self.system.ledger().stops().iter_enumerated();
        stops
            .filter(|(_, contact)| contact.is_some())
            .map(|(stop, _)| stop)
    }

    fn pairs_in_contact(&self) -> impl Iterator<Item = PairId> + '_ {
        self.system.ledger().contacts().iter().map(|c| c.pair)
    }

    /// States locked by latches from the start on: the rates of their joints.
    pub(super) fn held_states(&self) -> impl Iterator<Item = (LatchId, usize)> + '_ {
        let latches = self.scene.latches().iter_enumerated();
        let closed = self.system.ledger().latches();
        let held = latches.filter(|(index, latch)| latch.starts_closed && closed[*index].is_closed);
        held.flat_map(|(index, latch)| {
            let rates = self.scene.layout().joint_rates(latch.joint);
            rates.map(move |state| (index, state))
        })
    }

    /// Remarks about start orientations that were not of unit norm, and about rates locked by a latch.
    fn deviations(&self) -> Option<String> {
        let mut texts: Vec<String> = orientations(self.scene.layout(), self.scene.bodies().len())
            .filter_map(|(body, q)| {
                let q = &self.run.states[q];
                let norm = norm(q);
                ((norm - 1.0).abs() > SILENT_DEVIATION).then(|| {
                    format!(
                        "start value of {}.orientation, {q:?}, has norm {norm}; it was made unit",
                        self.scene.bodies()[body].name
                    )
                })
            })
            .collect();
        let held = self.held_states();
        texts.extend(held.filter(|held| self.run.states[held.1] != 0.0).map(|(latch, state)| {
            let latch = &self.scene.latches()[latch];
            format!(
                "start value of {} is {value}; 0 was taken, since latch {:?} holds joint {:?} from the start on: \
                 leave it at 0, or let the latch start open",
                self.element_name(Family::State.of(state)),
                latch.name,
                self.scene.joints()[latch.joint].name,
                value = Exact(self.run.states[state])
            )
        }));
        (!texts.is_empty()).then(|| texts.join("; "))
    }
}

pub(super) fn norm(q: &[f64]) -> f64 {
    q.iter().map(|c| c * c).sum::<f64>().sqrt()
}

/// Index of each free body with the range of its orientation states.
pub(super) fn orientations(
    layout: &StateLayout,
    bodies: usize,
) -> impl Iterator<Item = (BodyId, std::ops::Range<usize>)> + '_ {
    let bodies = (0..bodies).map(BodyId::from);
    bodies.filter_map(|b| Some((b, StateLayout::orientation(layout.body(b)?))))
}

impl Instance {
    /// Checks that an input may be set to a value now, [`Self::set_input`].
    ///
    /// # Errors
    /// A value that is not finite, or for a parameter out of range: a discard in a running simulation, where the
    /// importer may take a smaller step.
    pub(super) fn check_input(&self, index: InputId, value: f64) -> Result<(), Failure> {
        let allowed = match self.scene.inputs()[index] {
            _ if !value.is_finite() => Some("finite"),
            Input::Parameter(address) => self.scene.parameter_row(address).range.violated(value),
            _ => None,
        };
        let Some(allowed) = allowed else {
            return Ok(());
        };
        let name = self.element_name(Family::Input.of(index.into()));
        let text = format!("value of input {name} is {value}; it must be {allowed}");
        Err(match self.run.mode {
            Mode::Instantiated | Mode::Initialization => Failure::error(text),
            _ => Failure::discard(text),
        })
    }

    /// Sets an input; the last one of a call must be followed by [`Self::hold_inputs`].
    pub(super) fn set_input(&mut self, index: InputId, value: f64) {
        self.move_inputs_on();
        let inputs = &mut self.run.inputs;
        inputs.values[index] = value;
        if inputs.held[index].to_bits() == value.to_bits() {
            return;
        }
        inputs.held[index] = value;
        match self.run.mode {
            Mode::Event => self.states_moved(),
            Mode::Step => {
                if inputs.change == InputChange::None {
                    self.entry.copy_from(self.system.ledger());
                }
                inputs.change = InputChange::Pending;
            }
            Mode::Instantiated | Mode::Initialization => self.start.valid = false,
            _ => {}
        }
        if let Input::Parameter(address) = self.scene.inputs()[index] {
            self.set_parameter_input(address, value);
        }
    }

    /// Takes the value of a parameter. In continuous time the element alone is bound again, without allocating.
    fn set_parameter_input(&mut self, address: Address, value: f64) {
        let Some(index) = self.scene.parameter_at(address) else {
            return;
        };
        self.run.parameters.set(&self.scene, index, value);
        let runs = matches!(self.run.mode, Mode::ContinuousTime | Mode::Event);
        if self.options.kind == Kind::CoSimulation || !runs {
            self.bound = false;
        } else if !self.unbound.contains(&address.element) {
            self.unbound.push(address.element);
        }
    }

    pub(super) fn hold_inputs(&mut self) {
        let since = self.holds_inputs().then_some(self.run.inputs.since);
        self.system.set_inputs(&self.run.inputs.held.raw, since);
        self.touch();
    }

    /// Compares the pose inputs set since the last call with the velocities, and warns of inconsistent
    /// bodies. For completed steps and events.
    pub(super) fn watch_driven_bodies(&mut self) {
        let (inputs, time) = (&self.run.inputs.held, self.run.inputs.since);
        let driven = &self.system.model().driven;
        for (fit, body) in self.run.velocity_fits.iter_mut().zip(driven) {
            let name = &self.scene.bodies()[body.body].name;
            if let Some(text) = fit.watch(body, inputs, time, name) {
                self.log.warning(Category::Contacts, || text);
            }
        }
    }

    fn holds_inputs(&self) -> bool {
        let starts = matches!(self.run.mode, Mode::Instantiated | Mode::Initialization);
        self.options.kind == Kind::CoSimulation && !starts
    }

    pub(super) fn inputs_have_moved(&self) -> bool {
        self.holds_inputs() && self.run.inputs.since != self.run.time
    }

    pub(super) fn start_inputs(&mut self) {
        self.run.inputs.since = self.run.time;
        self.hold_inputs();
    }

    /// Extrapolates the inputs of driven bodies to the current time, before one is set.
    fn move_inputs_on(&mut self) {
        let have_moved = self.inputs_have_moved();
        self.run.inputs.since = self.run.time;
        if !have_moved {
            return;
        }
        let mut held = std::mem::take(&mut self.run.inputs.held);
        self.move_on(&mut held);
        self.run.inputs.held = held;
    }

    pub(super) fn write_moved_inputs(&mut self, moved: &mut TiSlice<InputId, f64>) {
        moved.copy_from_slice(&self.run.inputs.held);
        self.move_on(moved);
    }

    /// Extrapolates inputs of driven bodies to the current time.
    fn move_on(&mut self, held: &mut TiSlice<InputId, f64>) {
        // An invalid pose cannot be extrapolated.
        let there = self.system.go_to(self.run.time, &self.run.states);
        if there.is_err() {
            return;
        }
        for (input, held) in self.scene.inputs().iter().zip(held) {
            let mut pose = |body| self.system.body_here(body).ok().map(|(pose, _)| pose);
            let moved = match *input {
                Input::Position(body, i) => pose(body).map(|pose| pose.position[i]),
                Input::Orientation(body, i) => pose(body).map(|p| quaternion(&p.rotation)[i]),
                Input::Rotation(body, i) => pose(body).map(|p| p.rotation[(i / 3, i % 3)]),
                _ => None,
            };
            *held = moved.unwrap_or(*held);
        }
    }

    /// Updates the contacts for inputs that were set since the last communication step.
    ///
    /// # Errors
    /// Invalid inputs; they wait for better ones.
    pub(super) fn take_inputs(&mut self) -> Result<(), Failure> {
        self.system.set_ledger(&self.entry);
        self.handle_event()?;
        self.run.inputs.settle();
        Ok(())
    }
}
