//! Interface of a scope to an integrator: the stage, the sources of its events, and the guard between steps.
//!
//! [`System::set_time_and_states`] sets the present time and states; functions whose names end in `_here`
//! evaluate there. The functions of [`HybridSystem`] set the given time and states unless they are the
//! present ones; if nothing depends on time, a new time invalidates nothing.

use crate::contact::{Detection, Found, Ledger};
use crate::dynamics::contacts::{Mode, Progress};
use crate::dynamics::guard::{Anchor, Passed, StepGuard};
use crate::dynamics::impulses::Impulses;
use crate::dynamics::outputs::{OutputPlaces, Results};
use crate::dynamics::path::Instant;
use crate::dynamics::scale::Scales;
use crate::dynamics::scope::Scope;
use crate::dynamics::source::contacts::ContactEvents;
use crate::dynamics::source::jumps::{self, MotionJumps};
use crate::dynamics::source::latches::{self, Latches};
use crate::dynamics::source::stops::StopEvents;
use crate::dynamics::source::triggers::Triggers;
use crate::dynamics::source::{Change, EventSource, Struck};
use crate::dynamics::stage::Stage;
use crate::dynamics::tangent::{Tangent, add_blocks};
use crate::dynamics::workspace::Workspace;
use crate::dynamics::{Model, contact_forces, prescribed, pressing, scale};
use crate::hybrid::{
    Along, Blocks, DIRECTIONS, Direction, Entry, EvaluationError, EventOutcome, HybridSystem,
    Passing, Role,
};
use crate::scene::{Body, Element, Parameters, Scene, UserFunctions};
use contact_geometry::math::all_finite;
use contact_geometry::math::dense::DenseStep;
use contact_laws::index::{ActiveId, InputId, ReportId, TiSlice};
use std::sync::Arc;

/// A scope of a model with its discrete state: all of a scene, or an island.
pub struct System {
    pub(super) stage: Stage,
    pub(super) sources: Sources,
    pub(super) scales: Arc<Scales>,
    /// Whether slots have hints that change at completed steps.
    pub(super) hinted: bool,
    pub(super) guard: StepGuard,
    anchor: Anchor,
    /// Whether indicators are minima since the anchor.
    guarded: bool,
    /// Number of changes of the present time or states.
    moves: u64,
    pub(super) input_flaw: Option<String>,
    pub(super) impulses: Impulses,
    changes: Vec<Change>,
    /// Contacts that start or end within the present step without an event.
    pub(super) passed: Passed,
    pub(super) results: Results,
    /// Work arrays of derivatives; `None` before the first.
    tangent: Option<Box<Tangent>>,
    /// Reported pairs in contact: index among the contacts and among the reported pairs.
    pub(super) reported: Vec<(ActiveId, ReportId)>,
}

pub(crate) struct Sources {
    pub contacts: ContactEvents,
    stops: StopEvents,
    latches: Latches,
    triggers: Triggers,
    pub jumps: MotionJumps,
}

impl Sources {
    fn new(model: &Model) -> Self {
        Sources {
            contacts: ContactEvents::new(model),
            stops: StopEvents::default(),
            latches: Latches::new(model),
            triggers: Triggers::default(),
            jumps: MotionJumps::new(&model.scene),
        }
    }

    #[inline(always)]
    pub(crate) fn list(&self) -> [&dyn EventSource; 5] {
        [
            &self.contacts,
            &self.stops,
            &self.latches,
            &self.triggers,
            &self.jumps,
        ]
    }

    fn list_mut(&mut self) -> [&mut dyn EventSource; 5] {
        [
            &mut self.contacts,
            &mut self.stops,
            &mut self.latches,
            &mut self.triggers,
            &mut self.jumps,
        ]
    }
}

impl System {
    /// Binds a scene and parameter values.
    ///
    /// # Errors
    /// A parameter out of range; the message names it.
    pub fn new(scene: Arc<Scene>, parameters: &Parameters) -> Result<Self, EvaluationError> {
        let functions = UserFunctions::not_loaded(&scene);
        Self::with_functions(scene, parameters, &functions)
    }

    /// Binds a scene and parameter values, with the user functions of its laws.
    ///
    /// # Errors
    /// A parameter out of range; the message names it.
    pub fn with_functions(
        scene: Arc<Scene>,
        parameters: &Parameters,
        functions: &Arc<UserFunctions>,
    ) -> Result<Self, EvaluationError> {
        let model = Arc::new(pressing::bind(&scene, parameters, functions)?);
        let scales = Arc::new(Scales::of(&model));
        let scope = Scope::all(&model);
        let mut system = System::of(model, scope, scales);
        system.contacts_changed(true);
        Ok(system)
    }

    /// System to be loaded with the islands of this one in turn.
    pub(crate) fn for_islands(&self) -> Self {
        let model = Arc::clone(&self.stage.mode.model);
        System::of(model, Scope::nothing(), Arc::clone(&self.scales))
    }

    fn of(model: Arc<Model>, scope: Scope, scales: Arc<Scales>) -> Self {
        let stage = Stage::new(Arc::clone(&model), scope);
        let all = stage.mode.scope.is_all().then_some(&stage.work);
        System {
            sources: Sources::new(&model),
            scales,
            hinted: false,
            guard: StepGuard::new(&model, all),
            anchor: all.map_or_else(Anchor::nowhere, |_| Anchor::unknown(&model.scene)),
            guarded: false,
            moves: 0,
            input_flaw: None,
            impulses: Impulses::new(&model),
            changes: Vec::new(),
            passed: Passed::default(),
            results: Results::new(&model),
            tangent: None,
            reported: Vec::with_capacity(model.scene.report_count()),
            stage,
        }
    }

    /// Binds new parameter values and keeps the ledger. On error nothing changes.
    ///
    /// # Errors
    /// A parameter out of range; the message names it.
    pub fn rebind(&mut self, parameters: &Parameters) -> Result<(), EvaluationError> {
        let mut model = Arc::new(pressing::rebind(self.model(), parameters)?);
        jumps::hold(&mut model, self.sources.jumps.taken_to());
        let inputs = &self.stage.work;
        let mut work = Workspace::new(&model);
        work.take_inputs(inputs);
        self.stage.work = work;
        self.tangent = None;
        self.scales = Arc::new(Scales::of(&model));
        self.guard = StepGuard::new(&model, Some(&self.stage.work));
        self.stage.mode.model = model;
        // Fixed bodies may have moved.
        let surplus = self.sources.contacts.detection.surplus;
        self.sources.contacts.detection = Detection::default();
        self.allow_surplus(surplus);
        self.contacts_changed(true);
        Ok(())
    }

    /// Binds the values of one element again, without allocating; the ledger stays. Nominal values are those before.
    ///
    /// # Errors
    /// A parameter out of range; the message names it. The element is then to be bound again before evaluations.
    pub fn rebind_element(
        &mut self,
        element: Element,
        parameters: &Parameters,
    ) -> Result<(), EvaluationError> {
        let Mode {
            model, contacts, ..
        } = &mut self.stage.mode;
        self.moves += 1;
        Arc::make_mut(model).rebind_element(element, parameters)?;
        contacts.rebind(model);
        self.forget();
        Ok(())
    }

    /// Sets whether event updates drop contacts beyond the indicator slots instead of refusing them: granular
    /// mode finds these itself.
    pub fn allow_surplus(&mut self, surplus: bool) {
        self.sources.contacts.detection.surplus = surplus;
    }

    /// Number of threads for a communication step: as requested by the scene, one if it calls user functions,
    /// which need not be thread-safe.
    pub fn threads(&self) -> usize {
        match self.scene().user_functions().is_empty() {
            true => self.scene().experiment().threads as usize,
            false => 1,
        }
    }

    /// Nominal magnitudes of the states for solvers of importers.
    pub fn importer_nominals(&self) -> &[f64] {
        &self.scales.of_importers
    }

    /// Scene of the model.
    pub fn scene(&self) -> &Arc<Scene> {
        &self.stage.mode.model.scene
    }

    /// The bound model.
    pub fn model(&self) -> &Model {
        &self.stage.mode.model
    }

    /// Present time [s].
    pub fn time(&self) -> f64 {
        self.stage.work.time
    }

    pub(crate) fn link_count(&self) -> usize {
        self.model().links.all.len()
    }

    /// Number of trees, counting a free body without joints as one.
    pub fn tree_count(&self) -> usize {
        let roots = self.model().links.roots.iter_enumerated();
        roots.filter(|(link, root)| link == *root).count()
    }

    /// Discrete state.
    pub fn ledger(&self) -> &Ledger {
        &self.stage.mode.ledger
    }

    /// Restores a discrete state of the same scene.
    pub fn set_ledger(&mut self, ledger: &Ledger) {
        self.stage.mode.ledger.copy_from(ledger);
        self.guard.forget_chosen();
        self.contacts_changed(false);
    }

    /// Clears the states of steps of fixed length, so that contacts follow their laws alone.
    pub fn forget_steps(&mut self) {
        if self.stage.mode.ledger.forget_steps() {
            self.contacts_changed(false);
        }
    }

    /// Clears the impulses on driven bodies, at a communication point.
    pub fn clear_strikes(&mut self) {
        self.stage.mode.ledger.clear_strikes();
    }

    /// Restores the contacts of a ledger, or, without one, clears them as at the start of a run, for an event
    /// that is updated again. Effects on velocities remain: see [`Ledger::keep_done`].
    pub fn revert_contacts(&mut self, ledger: Option<&Ledger>) {
        let done = self.ledger().clone();
        match ledger {
            Some(ledger) => self.set_ledger(ledger),
            None => self.clear_ledger(),
        }
        let Mode {
            model, ledger: own, ..
        } = &mut self.stage.mode;
        own.keep_done(&model.scene, &done, ledger.is_none());
    }

    /// Sets whether the event indicators are minima since the last completed step.
    pub fn set_guarded(&mut self, guarded: bool) {
        self.guarded = guarded;
        self.anchor.forget();
    }

    /// Time, states and inputs of the last completed step or event, if the indicators are minima since then.
    pub fn anchor(&self) -> &Anchor {
        &self.anchor
    }

    /// Restores an anchor of the same scene.
    pub fn set_anchor(&mut self, anchor: &Anchor) {
        self.anchor.copy_from(anchor);
    }

    /// Number of gaps computed inside steps so far.
    pub fn guard_looks(&self) -> u64 {
        self.guard.looks
    }

    /// Jumps of prescribed motions: the rest of the discrete state.
    pub fn motion_jumps(&self) -> &MotionJumps {
        &self.sources.jumps
    }

    /// Restores the time [s] up to which jumps are taken, from [`MotionJumps::taken_to`].
    pub fn set_jumps_taken_to(&mut self, time: Option<f64>) {
        self.sources.jumps.set_taken_to(time);
        jumps::hold(&mut self.stage.mode.model, time);
        self.forget();
    }

    /// Clears all contacts and taken jumps, as before initialisation: the next event update is the start of a
    /// run.
    pub fn clear_ledger(&mut self) {
        self.set_jumps_taken_to(None);
        self.anchor.forget();
        self.guard.forget_chosen();
        self.stage.mode.ledger = Ledger::new(self.scene());
        self.contacts_changed(false);
    }

    /// Sets the time [s] of the present states, if nothing else depends on it.
    #[inline(always)]
    pub fn note_time(&mut self, time: f64) {
        self.stage.work.time = time;
    }

    /// Sets the present time [s] and states.
    ///
    /// # Errors
    /// Index of a state that is not finite; nothing is changed.
    #[inline(always)]
    pub fn set_time_and_states(&mut self, time: f64, states: &[f64]) -> Result<(), usize> {
        if !all_finite(states) {
            return Err(first_not_finite(states));
        }
        let Stage {
            mode,
            work,
            states: present,
            ..
        } = &mut self.stage;
        work.time = time;
        mode.scope.write(states, present);
        self.forget();
        self.moves += 1;
        Ok(())
    }

    /// Sets all inputs, in the order of [`Scene::inputs`]. With `since` [s] they were set then, and driven
    /// bodies are extrapolated from there; without it they hold at the present time. Invalid values make each
    /// evaluation fail.
    pub fn set_inputs(&mut self, inputs: &[f64], since: Option<f64>) {
        let inputs = TiSlice::from_ref(inputs);
        self.stage.work.inputs.copy_from_slice(inputs);
        self.stage.work.inputs_since = since;
        self.input_flaw = prescribed::flaw(self.model(), inputs);
        self.forget();
        self.moves += 1;
    }

    /// Values of all inputs, and when they were set [s] if driven bodies are extrapolated.
    pub(crate) fn inputs(&self) -> (&TiSlice<InputId, f64>, Option<f64>) {
        (&self.stage.work.inputs, self.stage.work.inputs_since)
    }

    /// Next time event after `time` [s]: a kink of a prescribed force or motion, if any.
    pub fn next_event_time(&self, time: f64) -> Option<f64> {
        self.scene().next_kink(time)
    }

    /// Number of times that the present time, states or inputs were set: they are unchanged while it is.
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// Number of contacts created so far: an event creates those that start, new parameter values create all.
    pub fn contacts_made(&self) -> u64 {
        self.stage.mode.contacts.made()
    }

    /// Changes of the last event update: contacts in pair order, end stops, latches, triggers and jumps of
    /// prescribed motions in scene order, impulses in pair order.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Zeros the rates locked by latches from the start on, at a start time [s].
    pub fn hold_latched(&self, time: f64, states: &mut [f64]) {
        let Stage { mode, work, .. } = &self.stage;
        latches::hold_at_start(&mode.model, &mode.ledger, &work.inputs, time, states);
    }

    /// Impulses of the last event update, in pair order, and their effect.
    pub fn impulses(&self) -> &Impulses {
        &self.impulses
    }

    /// Relative tolerance that resolves the contacts of this scene, for the default experiment.
    pub fn suggested_tolerance(&self) -> f64 {
        scale::suggested_tolerance(self.model())
    }

    /// Updates data derived from the contacts of the ledger, or, if `rebound`, from the numbers of the model.
    pub(super) fn contacts_changed(&mut self, rebound: bool) {
        let Mode {
            model,
            scope,
            ledger,
            contacts,
            ..
        } = &mut self.stage.mode;
        if rebound {
            contacts.forget();
        }
        contacts.update(model, &scope.links, ledger);
        self.reported.clear();
        if model.scene.report_count() > 0 {
            let contacts = contacts.list().iter_enumerated();
            self.reported.extend(contacts.flat_map(|(index, contact)| {
                let reports = model.scene.reports_with(contact.pair);
                reports.map(move |report| (index, report))
            }));
        }
        self.stage.work.forget_contacts(model, scope);
        if let Some(tangent) = &mut self.tangent {
            tangent.forget_contacts(&self.stage.mode);
        }
        self.slots_changed();
    }

    pub(super) fn slots_changed(&mut self) {
        self.slots_taken();
        self.forget();
    }

    /// Updates the watched pairs and whether any has a hint.
    fn slots_taken(&mut self) {
        let Mode {
            model,
            ledger,
            contacts,
            watchers,
            ..
        } = &mut self.stage.mode;
        watchers.update(model, ledger);
        let mut contacts = contacts.list().iter();
        self.hinted = ledger.has_hints()
            && (watchers.use_warm_starts() || contacts.any(|c| c.routine.uses_warm_start()));
    }

    #[inline(always)]
    pub(super) fn forget(&mut self) {
        self.stage.forget();
        self.results.forget();
    }

    /// Sets the present time [s] and states, unless unchanged.
    ///
    /// # Errors
    /// A state that is not finite, or invalid inputs, by name; nothing is changed.
    pub fn go_to(&mut self, time: f64, states: &[f64]) -> Result<(), EvaluationError> {
        self.go_to_inlined(time, states)
    }

    /// [`Self::go_to`] for the two functions that an integrator calls most.
    #[inline(always)]
    fn go_to_inlined(&mut self, time: f64, states: &[f64]) -> Result<(), EvaluationError> {
        self.check_inputs()?;
        let stage = &mut self.stage;
        let same_time = time == stage.work.time || !stage.depends_on_time();
        if same_time && stage.mode.scope.is_at(states, &stage.states) {
            stage.work.time = time;
            return Ok(());
        }
        match self.set_time_and_states(time, states) {
            Ok(()) => Ok(()),
            Err(index) => Err(self.refuse_state(states, index)),
        }
    }

    #[cold]
    fn refuse_state(&self, states: &[f64], index: usize) -> EvaluationError {
        let name = self.state_name(index);
        EvaluationError::discard(format!("state {name} is {}; must be finite", states[index]))
    }

    /// State derivatives at the present time and states.
    ///
    /// # Errors
    /// A derivative that is not finite, by name; a smaller step may help.
    #[inline(always)]
    pub fn derivatives_here(&mut self, derivatives: &mut [f64]) -> Result<(), EvaluationError> {
        self.check_inputs()?;
        let finite = self.stage.evaluate(derivatives);
        if finite && !self.stage.work.tree.singular {
            return Ok(());
        }
        Err(self.refuse_rate(derivatives))
    }

    /// Event indicators at the present time and states.
    ///
    /// # Errors
    /// Invalid inputs, by name.
    pub fn indicators_here(&mut self, indicators: &mut [f64]) -> Result<(), EvaluationError> {
        self.indicators_inlined(indicators)
    }

    #[inline(always)]
    fn indicators_inlined(&mut self, indicators: &mut [f64]) -> Result<(), EvaluationError> {
        self.check_inputs()?;
        self.stage.place();
        let mut rest = &mut *indicators;
        for source in self.sources.list() {
            let (own, behind) = rest.split_at_mut(source.count(&self.stage.mode));
            source.indicators(&mut self.stage, own);
            rest = behind;
            if rest.is_empty() {
                break;
            }
        }
        if self.guarded {
            let Stage {
                mode, work, states, ..
            } = &self.stage;
            let now = Instant::new(work.time, states, &work.inputs.raw);
            let sources = self.sources.list();
            (self.guard).remember(mode, &sources, &self.anchor, now, indicators);
        }
        Ok(())
    }

    /// Derivatives of state derivatives, event indicators and outputs along directions at the present time
    /// and states, as [`HybridSystem::derivatives_along`]. Exact, by dual numbers.
    ///
    /// # Errors
    /// Invalid inputs; a user function that fails here or close by; a derivative that is not finite.
    pub fn along_here(
        &mut self,
        directions: &[Direction<'_>],
        along: &mut [Along<'_>],
    ) -> Result<(), EvaluationError> {
        self.check_inputs()?;
        self.stage.accelerate();
        if let Some(refusal) = self.refuse_singular() {
            return Err(refusal);
        }
        let tangent = self
            .tangent
            .get_or_insert_with(|| Box::new(Tangent::new(&self.stage.mode.model)));
        let chunks = directions
            .chunks(DIRECTIONS)
            .zip(along.chunks_mut(DIRECTIONS));
        for (directions, along) in chunks {
            if !tangent.along(&self.stage, &self.sources.list(), directions, along) {
                return Err(self.refuse_jacobian());
            }
        }
        let mut numbers = along
            .iter()
            .flat_map(|of| [&*of.rates, &*of.indicators, &*of.outputs]);
        match numbers.all(all_finite) {
            true => Ok(()),
            false => Err(EvaluationError::discard(
                "a derivative along the direction is not finite",
            )),
        }
    }

    /// # Errors
    /// A failed user function; invalid inputs.
    pub(super) fn accelerate(&mut self) -> Result<(), EvaluationError> {
        self.check_inputs()?;
        self.stage.accelerate();
        self.check_forces()
    }

    /// # Errors
    /// Invalid inputs, by name.
    #[inline]
    pub(super) fn check_inputs(&self) -> Result<(), EvaluationError> {
        match &self.input_flaw {
            None => Ok(()),
            Some(flaw) => Err(refuse_inputs(flaw)),
        }
    }

    /// # Errors
    /// A failed user function at the present time and states.
    #[inline]
    fn check_forces(&self) -> Result<(), EvaluationError> {
        match self.stage.work.refused {
            None => Ok(()),
            Some(_) => Err(self.refuse_force()),
        }
    }

    #[cold]
    fn refuse_rate(&self, derivatives: &[f64]) -> EvaluationError {
        if let Err(refusal) = self.check_inputs().and_then(|()| self.check_forces()) {
            return refusal;
        }
        if let Some(refusal) = self.refuse_singular() {
            return refusal;
        }
        let index = first_not_finite(derivatives);
        EvaluationError::discard(format!(
            "derivative of {} is {}",
            self.state_name(index),
            derivatives[index]
        ))
    }

    /// Reason why the computed accelerations are invalid, if they are.
    fn refuse_singular(&self) -> Option<EvaluationError> {
        let Stage { mode, work, .. } = &self.stage;
        let is_singular = work.tree.singular;
        let reason = is_singular.then(|| pressing::refusal(&mode.model, work))?;
        reason.map(EvaluationError::discard)
    }

    /// Error for a user function that failed here, or close by, where its derivative is taken.
    #[cold]
    fn refuse_jacobian(&mut self) -> EvaluationError {
        match self.accelerate() {
            Err(refusal) => refusal,
            Ok(()) => contact_forces::refusal_of_derivative(),
        }
    }

    #[cold]
    fn refuse_force(&self) -> EvaluationError {
        let reason = contact_forces::refusal(&self.stage.mode, &self.stage.work);
        EvaluationError::error(reason.unwrap_or_default())
    }

    /// Passes the lower bound of gaps of pairs without a slot to the guard.
    fn note_chosen(&mut self, time: f64, states: &[f64]) {
        let nearest = self.sources.contacts.detection.nearest_without_slot();
        self.guard.note_chosen(time, states, nearest);
    }

    /// Returns true if completed steps reassign slots.
    fn chooses_slots(&self) -> bool {
        self.stage.mode.scope.is_all() && !self.scene().monitors_all_pairs()
    }

    /// Adds the impulses of contacts that start, or that approach because velocities were `struck`. Returns
    /// true if a state has changed.
    fn add_impulses(&mut self, struck: bool) -> bool {
        let Stage {
            mode, work, states, ..
        } = &mut self.stage;
        let contacts = &self.sources.contacts;
        let starts = |pair| contacts.started(pair);
        let changed = (self.impulses).respond(mode, work, states, starts, struck);
        for impulse in self.impulses.list() {
            for (body, strike) in impulse.strikes.iter().flatten() {
                mode.ledger.note_strike(*body, strike);
            }
        }
        changed
    }

    fn release_deflections(&mut self) -> bool {
        let Stage { mode, states, .. } = &mut self.stage;
        prescribed::release(mode, states)
    }

    fn log_changes(&mut self) {
        self.changes.clear();
        for source in self.sources.list() {
            source.log(&mut self.changes);
        }
        let impulses = self.impulses.list().iter().copied();
        self.changes.extend(impulses.map(Change::Impulse));
    }
}

impl HybridSystem for System {
    fn state_count(&self) -> usize {
        self.stage.mode.scope.state_count()
    }

    fn indicator_count(&self) -> usize {
        let mode = &self.stage.mode;
        self.sources.list().iter().map(|s| s.count(mode)).sum()
    }

    fn state_name(&self, index: usize) -> String {
        let state = self.stage.mode.scope.indices().nth(index);
        self.scene().state_name(state.unwrap_or(index))
    }

    fn nominals(&self, nominals: &mut [f64]) {
        self.stage.mode.scope.read(&self.scales.nominals, nominals);
    }

    fn roles(&self, roles: &mut [Role]) {
        let states = self.stage.mode.scope.indices();
        for (role, state) in roles.iter_mut().zip(states) {
            *role = self.scales.roles[state];
        }
    }

    fn derivatives(
        &mut self,
        time: f64,
        states: &[f64],
        derivatives: &mut [f64],
    ) -> Result<(), EvaluationError> {
        self.go_to_inlined(time, states)?;
        self.derivatives_here(derivatives)
    }

    fn indicators(
        &mut self,
        time: f64,
        states: &[f64],
        indicators: &mut [f64],
    ) -> Result<(), EvaluationError> {
        self.go_to_inlined(time, states)?;
        self.indicators_inlined(indicators)
    }

    fn first_entry(
        &mut self,
        step: &DenseStep<'_>,
        indicators: &[f64],
    ) -> Result<Option<Entry>, EvaluationError> {
        let Stage { mode, work, .. } = &self.stage;
        let sources = self.sources.list();
        Ok((self.guard).first_entry(mode, &sources, work, step, indicators))
    }

    fn pass_over(
        &mut self,
        step: &DenseStep<'_>,
        indicators: [&[f64]; 2],
    ) -> Result<Passing, EvaluationError> {
        match self.passed.tolerance > 0.0 {
            true => self.pass_contacts_over(step, indicators),
            false => Ok(Passing::Event),
        }
    }

    fn forget_passed(&mut self) -> bool {
        self.forget_started()
    }

    fn completed_step(&mut self, time: f64, states: &[f64]) -> Result<bool, EvaluationError> {
        self.take_passed();
        if self.guarded && all_finite(states) {
            let inputs = &self.stage.work.inputs.raw;
            self.anchor.set(time, states, inputs);
        }
        let chooses = self.chooses_slots();
        if !chooses && !self.hinted {
            return Ok(false);
        }
        self.go_to(time, states)?;
        self.stage.place();
        let Stage {
            mode, work, found, ..
        } = &mut self.stage;
        let placement = work.placement(&mode.model);
        let detection = &mut self.sources.contacts.detection;
        let mut asked = false;
        match mode.scope.is_all() {
            true => asked = detection.completed_step(&placement, &mut mode.ledger, found),
            false => mode.ledger.refresh_hints(&placement, found),
        }
        if chooses {
            self.note_chosen(time, states);
            self.slots_taken();
            // The closest pairs are those that are watched.
            self.results.forget();
        }
        if self.hinted {
            // Results from earlier hints do not match the ledger any more.
            self.stage.progress = Progress::Placed;
            self.results.forget();
        }
        Ok(asked)
    }

    fn update_event(
        &mut self,
        time: f64,
        states: &mut [f64],
    ) -> Result<EventOutcome, EvaluationError> {
        self.go_to(time, states)?;
        let mut struck = Struck::default();
        for source in self.sources.list_mut() {
            let own = source.strike(&mut self.stage, time)?;
            struck.states |= own.states;
            struck.velocities |= own.velocities;
        }
        self.stage.place();
        self.stage.factor();
        for source in self.sources.list_mut() {
            source.switch(&mut self.stage, time)?;
        }
        let mut changed = self.release_deflections() | struck.states;
        match self.sources.contacts.has_changed(self.ledger()) {
            true => self.contacts_changed(false),
            false => self.slots_changed(),
        }
        changed |= self.add_impulses(struck.velocities);
        if changed {
            let mode = &self.stage.mode;
            mode.scope.read(&self.stage.states, states);
            self.moves += 1;
            self.forget();
            if !all_finite(states) {
                return Err(self.refuse_state(states, first_not_finite(states)));
            }
        }
        for source in self.sources.list_mut() {
            source.settle(&mut self.stage);
        }
        self.log_changes();
        if self.guarded {
            let inputs = &self.stage.work.inputs.raw;
            self.anchor.set(time, states, inputs);
        }
        if self.chooses_slots() {
            self.stage.place();
            self.guard.prepare(&self.stage.placement());
            self.note_chosen(time, states);
        }
        if self.hinted && !self.stage.mode.scope.is_all() {
            let Stage { mode, work, .. } = &mut self.stage;
            let placement = work.placement(&mode.model);
            (mode.ledger).refresh_hints(&placement, &Found::default());
        }
        Ok(EventOutcome {
            states_changed: changed,
            next_event_time: match self.stage.mode.scope.is_all() {
                true => self.next_event_time(time),
                false => None,
            },
        })
    }

    fn input_count(&self) -> usize {
        self.scene().inputs().len()
    }

    fn output_count(&self) -> usize {
        OutputPlaces::new(self.model()).count()
    }

    fn blocks(&self, blocks: &mut Blocks) {
        add_blocks(&self.stage.mode, blocks);
    }

    /// Driven bodies are extrapolated from their inputs.
    fn depends_on_time(&self) -> bool {
        let mut bodies = self.scene().bodies().iter();
        self.model().depends_on_time || bodies.any(Body::is_driven)
    }

    fn set_carried(&mut self, t0: f64, t1: f64, states: &[f64], coefficients: [&mut [f64]; 3]) {
        prescribed::set_carried(&self.stage.mode, t0, t1, states, coefficients);
    }

    fn derivatives_along(
        &mut self,
        time: f64,
        states: &[f64],
        directions: &[Direction<'_>],
        along: &mut [Along<'_>],
    ) -> Result<(), EvaluationError> {
        self.go_to(time, states)?;
        self.along_here(directions, along)
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
