//! The model with its ledger of contacts, at a present time and states.
//!
//! Evaluations at the same time and states share their work: bodies are placed once, and the gaps
//! of the pairs in contact that the forces needed serve the event indicators too.
//! [`System::set_time_and_states`] sets the present time and states; functions whose names end in
//! `_here` evaluate there. The functions of [`HybridSystem`](crate::hybrid::HybridSystem) set the
//! time and states that they are given, unless these are the present ones; if nothing depends on
//! time, another time changes nothing.

use crate::contact::{Detection, Ledger};
use crate::dynamics::contacts::{Contacts, Frozen, Progress};
use crate::dynamics::event::{ContactChange, Events, MotionJumps};
use crate::dynamics::guard::{Anchor, StepGuard};
use crate::dynamics::impulses::Impulses;
use crate::dynamics::latches::{self, LatchChange, Latches, StopChange};
use crate::dynamics::outputs::Results;
use crate::dynamics::parts::Workspace;
use crate::dynamics::tangent::Tangent;
use crate::dynamics::watchers::Watchers;
use crate::dynamics::{Model, pipeline, prescribed, pressing, scale};
use crate::hybrid::{EvaluationError, Role};
use crate::scene::{Parameters, Scene, UserFunctions};
use contact_geometry::math::{all_finite, same_bits};
use contact_laws::index::{ActiveId, InputId, ReportId, TiSlice};
use contact_laws::response::choice::ContactRule;
use std::sync::Arc;

/// The model with its ledger of contacts.
pub struct System {
    pub(super) model: Model,
    pub(super) ledger: Ledger,
    pub(super) contacts: Contacts,
    pub(super) watchers: Watchers,
    /// Some slots have hints that change at completed steps.
    pub(super) hinted: bool,
    pub(super) progress: Progress,
    /// The present states.
    pub(super) states: Vec<f64>,
    /// Nominal magnitudes of the states, for the solver of Co-Simulation and for importers.
    pub(super) nominals: [Vec<f64>; 2],
    /// What each state is.
    pub(super) roles: Vec<Role>,
    pub(super) rule: ContactRule,
    pub(super) guard: StepGuard,
    pub(super) anchor: Anchor,
    /// Indicators hold the minimum since the anchor.
    pub(super) guarded: bool,
    /// How often the present time or states changed.
    pub(super) moves: u64,
    pub(super) work: Workspace<f64>,
    /// Why the inputs cannot be used.
    pub(super) input_flaw: Option<String>,
    pub(super) events: Events,
    pub(super) impulses: Impulses,
    pub(super) latches: Latches,
    pub(super) motion_jumps: MotionJumps,
    /// More contacts than indicator slots are no error, see [`Self::allow_surplus`].
    pub(super) surplus: bool,
    pub(super) results: Results,
    /// Work arrays of derivatives; none before the first.
    pub(super) tangent: Option<Box<Tangent>>,
    /// Reported pairs in contact: index among the contacts and among the reported pairs.
    pub(super) reported: Vec<(ActiveId, ReportId)>,
}

/// What an evaluation reads and that stays between two events; a macro, because it borrows a part
/// of the system only.
macro_rules! frozen {
    ($system:expr) => {
        Frozen {
            model: &$system.model,
            contacts: &$system.contacts,
            ledger: &$system.ledger,
        }
    };
}
pub(super) use frozen;

impl System {
    /// Binds a scene and parameter values.
    ///
    /// # Errors
    /// A parameter out of range; the message names it.
    pub fn new(scene: Arc<Scene>, parameters: &Parameters) -> Result<Self, EvaluationError> {
        let functions = UserFunctions::not_loaded(&scene);
        Self::with_functions(scene, parameters, &functions)
    }

    /// Binds a scene and parameter values, with the functions of the user that laws of the scene
    /// call.
    ///
    /// # Errors
    /// A parameter out of range; the message names it.
    pub fn with_functions(
        scene: Arc<Scene>,
        parameters: &Parameters,
        functions: &Arc<UserFunctions>,
    ) -> Result<Self, EvaluationError> {
        let model = pressing::bind(&scene, parameters, functions)?;
        let nominals = scale::both_nominals(&model);
        let mut system = System {
            ledger: Ledger::new(&scene),
            contacts: Contacts::default(),
            watchers: Watchers::default(),
            hinted: false,
            progress: Progress::Nothing,
            states: scene.start_states(),
            roles: scale::roles(&model, &nominals[0]),
            nominals,
            rule: scene.contact().law.rule,
            guard: StepGuard::new(&model),
            anchor: Anchor::unknown(&scene),
            guarded: false,
            moves: 0,
            work: Workspace::new(&model),
            input_flaw: None,
            events: Events::new(&model),
            impulses: Impulses::new(&model),
            latches: Latches::new(&model),
            motion_jumps: MotionJumps::new(&scene),
            surplus: false,
            results: Results::new(&model),
            tangent: None,
            reported: Vec::with_capacity(scene.reported().len()),
            model,
        };
        system.contacts_changed(true);
        Ok(system)
    }

    /// Takes new parameter values; the ledger stays. On error nothing changed.
    ///
    /// # Errors
    /// A parameter out of range; the message names it.
    pub fn rebind(&mut self, parameters: &Parameters) -> Result<(), EvaluationError> {
        self.model = pressing::rebind(&self.model, parameters)?;
        self.hold_motions();
        let mut work = Workspace::new(&self.model);
        work.take_inputs(&self.work);
        self.work = work;
        self.tangent = None;
        self.nominals = scale::both_nominals(&self.model);
        self.roles = scale::roles(&self.model, &self.nominals[0]);
        self.guard = StepGuard::new(&self.model);
        // Fixed bodies may have moved.
        self.events.detection = Detection::default();
        self.contacts_changed(true);
        Ok(())
    }

    /// Whether event updates leave contacts out for which there is no indicator slot, instead of
    /// refusing them: granular mode finds these itself.
    pub fn allow_surplus(&mut self, surplus: bool) {
        self.surplus = surplus;
    }

    /// Threads that may share a communication step: those that the scene asks for, one if it calls
    /// functions of the user, which need not bear more.
    pub fn threads(&self) -> usize {
        match self.model.scene.user_functions().is_empty() {
            true => self.model.scene.experiment().threads as usize,
            false => 1,
        }
    }

    /// Nominal magnitudes of the states for solvers of importers.
    pub fn importer_nominals(&self) -> &[f64] {
        &self.nominals[1]
    }

    /// The scene.
    pub fn scene(&self) -> &Arc<Scene> {
        &self.model.scene
    }

    /// The bound model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Present time [s].
    pub fn time(&self) -> f64 {
        self.work.time
    }

    /// Number of links.
    pub(crate) fn link_count(&self) -> usize {
        self.model.links.all.len()
    }

    /// Number of trees, of which a free body that nothing hangs on is one.
    pub fn tree_count(&self) -> usize {
        let roots = self.model.links.roots.iter_enumerated();
        roots.filter(|(link, root)| link == *root).count()
    }

    /// The discrete state: which pairs are in contact and monitored.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Replaces the discrete state by one taken from [`Self::ledger`] of the same scene.
    pub fn set_ledger(&mut self, ledger: &Ledger) {
        self.ledger.copy_from(ledger);
        self.guard.forget_chosen();
        self.contacts_changed(false);
    }

    /// Contacts exert what their laws say, no longer what steps of a fixed length have left.
    pub fn forget_steps(&mut self) {
        if self.ledger.forget_steps() {
            self.contacts_changed(false);
        }
    }

    /// Forgets the impulses on driven bodies, at a communication point.
    pub fn clear_strikes(&mut self) {
        self.ledger.clear_strikes();
    }

    /// Takes the contacts back to those of a ledger, or, without one, to none as at the start of a run, for an
    /// event that is updated again. What has changed velocities stays: see [`Ledger::keep_done`].
    pub fn revert_contacts(&mut self, ledger: Option<&Ledger>) {
        let done = self.ledger.clone();
        match ledger {
            Some(ledger) => self.set_ledger(ledger),
            None => self.clear_ledger(),
        }
        self.ledger
            .keep_done(&self.model.scene, &done, ledger.is_none());
    }

    /// Sets whether the event indicators hold the minimum since the last completed step.
    pub fn set_guarded(&mut self, guarded: bool) {
        self.guarded = guarded;
        self.anchor.forget();
    }

    /// Time, states and inputs of the last completed step or event, if the indicators hold the
    /// minimum since then.
    pub fn anchor(&self) -> &Anchor {
        &self.anchor
    }

    /// Replaces it by one taken from [`Self::anchor`] of the same scene.
    pub fn set_anchor(&mut self, anchor: &Anchor) {
        self.anchor.copy_from(anchor);
    }

    /// How many gaps were computed inside steps so far.
    pub fn guard_looks(&self) -> u64 {
        self.guard.looks()
    }

    /// Jumps of prescribed motions: which are taken is the rest of the discrete state.
    pub fn motion_jumps(&self) -> &MotionJumps {
        &self.motion_jumps
    }

    /// Sets the time [s] up to which these are taken, by [`MotionJumps::taken_to`].
    pub fn set_jumps_taken_to(&mut self, time: Option<f64>) {
        self.motion_jumps.set_taken_to(time);
        self.hold_motions();
        self.forget();
    }

    /// Has prescribed bodies go on as they move until a jump with impulses is taken.
    pub(super) fn hold_motions(&mut self) {
        let taken_to = self.motion_jumps.taken_to();
        for body in &mut self.model.prescribed {
            body.hold(&self.model.scene, taken_to);
        }
    }

    /// Forgets all contacts, as before initialisation, and that any jump is taken: the next event
    /// update is the start of a run.
    pub fn clear_ledger(&mut self) {
        self.set_jumps_taken_to(None);
        self.anchor.forget();
        self.guard.forget_chosen();
        self.ledger = Ledger::new(&self.model.scene);
        self.contacts_changed(false);
    }

    /// Sets the time [s] of the present states, if nothing else depends on it.
    #[inline(always)]
    pub fn note_time(&mut self, time: f64) {
        self.work.time = time;
    }

    /// Sets the present time [s] and states.
    ///
    /// # Errors
    /// The index of a state that is not finite; then nothing is changed.
    #[inline(always)]
    pub fn set_time_and_states(&mut self, time: f64, states: &[f64]) -> Result<(), usize> {
        if !all_finite(states) {
            return Err(first_not_finite(states));
        }
        self.work.time = time;
        self.states.copy_from_slice(states);
        self.forget();
        self.moves += 1;
        Ok(())
    }

    /// Sets all inputs, in the order of [`Scene::inputs`]. With `since` [s] they were set then, and
    /// driven bodies move on from there by their velocities; without they are those of the present
    /// time. With values that cannot be used each evaluation is refused.
    pub fn set_inputs(&mut self, inputs: &[f64], since: Option<f64>) {
        let inputs = TiSlice::from_ref(inputs);
        self.work.inputs.copy_from_slice(inputs);
        self.work.inputs_since = since;
        self.input_flaw = prescribed::flaw(&self.model, inputs);
        self.forget();
        self.moves += 1;
    }

    /// Values of all inputs, and when they were set [s] if driven bodies move on by their
    /// velocities from then on.
    pub(crate) fn inputs(&self) -> (&TiSlice<InputId, f64>, Option<f64>) {
        (&self.work.inputs, self.work.inputs_since)
    }

    /// Returns true if anything but the time itself depends on time.
    pub(crate) fn depends_on_time(&self) -> bool {
        self.model.depends_on_time
            || (self.work.inputs_since.is_some() && !self.model.driven.is_empty())
    }

    /// The first time event after `time` [s]: a kink of a prescribed force or motion; none if there
    /// is none.
    pub fn next_event_time(&self, time: f64) -> Option<f64> {
        self.model.scene.next_kink(time)
    }

    /// How often the present time, states or inputs were set: while the number is the same, so are
    /// they.
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// How many contacts were made so far: an event makes those that it starts, new parameter
    /// values make all.
    pub fn contacts_made(&self) -> u64 {
        self.contacts.made()
    }

    /// What the last event update changed, in pair order; starts and ends.
    pub fn contact_changes(&self) -> &[ContactChange] {
        self.events.contacts()
    }

    /// What the last event update changed of end stops, in the order of [`Scene::stops`].
    pub fn stop_changes(&self) -> &[StopChange] {
        self.events.stops()
    }

    /// Latches that the last event update closed and opened, in the order of [`Scene::latches`].
    pub fn latch_changes(&self) -> &[LatchChange] {
        self.latches.changes()
    }

    /// Takes the rates that latches hold from the start on to zero, at a start time [s].
    pub fn hold_latched(&self, time: f64, states: &mut [f64]) {
        let inputs = &self.work.inputs;
        latches::hold_at_start(&self.model, &self.ledger, inputs, time, states);
    }

    /// Impulses of the last event update, in pair order, and what they did.
    pub fn impulses(&self) -> &Impulses {
        &self.impulses
    }

    /// Relative tolerance that resolves the contacts of this scene, for the default experiment.
    pub fn suggested_tolerance(&self) -> f64 {
        scale::suggested_tolerance(&self.model)
    }

    /// Updates what follows from the contacts of the ledger, which changed, or, if `rebound`, the
    /// numbers of the model.
    pub(super) fn contacts_changed(&mut self, rebound: bool) {
        let (model, ledger) = (&self.model, &self.ledger);
        if rebound {
            self.contacts.forget();
        }
        self.contacts.update(model, &model.links.indices, ledger);
        self.reported.clear();
        let reported = model.scene.reported();
        if !reported.is_empty() {
            let contacts = self.contacts.list().iter_enumerated();
            self.reported
                .extend(contacts.filter_map(|(index, contact)| {
                    let report = reported.binary_search(&contact.pair).ok()?;
                    Some((index, report))
                }));
        }
        self.work.forget_contacts();
        if let Some(tangent) = &mut self.tangent {
            tangent.forget_contacts();
        }
        self.slots_changed();
    }

    /// Updates what follows from slots and hints, which changed.
    pub(super) fn slots_changed(&mut self) {
        self.slots_taken();
        self.forget();
    }

    /// Updates which pairs are watched and whether any has a hint.
    pub(super) fn slots_taken(&mut self) {
        self.watchers.update(&self.model, &self.ledger);
        let mut contacts = self.contacts.list().iter();
        self.hinted = self.ledger.has_hints()
            && (self.watchers.use_warm_starts()
                || contacts.any(|contact| contact.routine.uses_warm_start()));
    }

    /// Forgets what is computed.
    #[inline(always)]
    pub(super) fn forget(&mut self) {
        self.progress = Progress::Nothing;
        self.results.forget();
    }

    /// Sets the present time [s] and states, unless they are these.
    ///
    /// # Errors
    /// A state that is not finite, or inputs that cannot be used, by name; then nothing
    /// is changed.
    pub fn go_to(&mut self, time: f64, states: &[f64]) -> Result<(), EvaluationError> {
        self.go_to_inlined(time, states)
    }

    /// [`Self::go_to`] for the two functions that an integrator calls most.
    #[inline(always)]
    pub(super) fn go_to_inlined(
        &mut self,
        time: f64,
        states: &[f64],
    ) -> Result<(), EvaluationError> {
        self.check_inputs()?;
        let same_time = time == self.work.time || !self.depends_on_time();
        if same_time && same_bits(&self.states, states) {
            self.work.time = time;
            return Ok(());
        }
        match self.set_time_and_states(time, states) {
            Ok(()) => Ok(()),
            Err(index) => Err(self.refuse_state(states, index)),
        }
    }

    #[cold]
    fn refuse_state(&self, states: &[f64], index: usize) -> EvaluationError {
        let name = self.model.scene.state_name(index);
        EvaluationError::discard(format!("state {name} is {}; must be finite", states[index]))
    }

    /// Places bodies and shapes.
    #[inline]
    pub(super) fn place(&mut self) {
        if self.progress == Progress::Nothing {
            let (model, links) = (&self.model, &self.model.links.indices);
            pipeline::place(model, links, &mut self.work, &self.states);
            self.progress = Progress::Placed;
        }
    }

    /// Computes forces and accelerations of trees.
    #[inline]
    pub(super) fn accelerate(&mut self) {
        if self.progress < Progress::Accelerated {
            let (work, states) = (&mut self.work, &self.states);
            frozen!(self).accelerate(self.progress, work, states);
            self.progress = Progress::Accelerated;
        }
    }

    /// Notes for the guard which gap no pair without a slot is below.
    pub(super) fn note_chosen(&mut self, time: f64, states: &[f64]) {
        let nearest = self.events.detection.nearest_without_slot();
        self.guard.note_chosen(time, states, nearest);
    }

    /// Computes the inertias of trees, from which effective masses follow; bodies are placed.
    pub(super) fn factor(&mut self) {
        if self.progress < Progress::Accelerated {
            let trees = &self.model.links.tree_indices;
            pipeline::factor(&self.model, trees, self.ledger.latches(), &mut self.work);
        }
    }

    /// # Errors
    /// Inputs that cannot be used, by name.
    #[inline]
    pub(super) fn check_inputs(&self) -> Result<(), EvaluationError> {
        match &self.input_flaw {
            None => Ok(()),
            Some(flaw) => Err(refuse_inputs(flaw)),
        }
    }
}

#[cold]
fn refuse_inputs(flaw: &str) -> EvaluationError {
    EvaluationError::discard(flaw)
}

#[cold]
pub(super) fn first_not_finite(numbers: &[f64]) -> usize {
    let first = numbers.iter().position(|x| !x.is_finite());
    first.unwrap_or(0)
}
