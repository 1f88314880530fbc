//! The model with its ledger of contacts, as a hybrid system.
//!
//! Evaluations at the same time and states share their work: bodies are placed once, and the gaps of
//! the pairs in contact that the forces needed serve the event indicators too.
//! [`System::set_time_and_states`] sets the present time and states; functions whose names end in
//! `_here` evaluate there. The functions of [`HybridSystem`] set the time and states that they are
//! given, unless these are the present ones; if nothing depends on time, another time changes
//! nothing.

use crate::contact::{Detection, Ledger};
use crate::dynamics::contacts::Contacts;
use crate::dynamics::event::{ContactChange, Events, placement};
use crate::dynamics::frozen::{Frozen, Progress};
use crate::dynamics::guard::{Anchor, Guard};
use crate::dynamics::load::Load;
use crate::dynamics::outputs::{Outputs, Results, output_count};
use crate::dynamics::overlap::{self, Overlap};
use crate::dynamics::report::ContactReport;
use crate::dynamics::stiffest::{self, Stiffest};
use crate::dynamics::stops::StopChange;
use crate::dynamics::tangent::Tangent;
use crate::dynamics::twist::Twist;
use crate::dynamics::watchers::Watchers;
use crate::dynamics::workspace::Workspace;
use crate::dynamics::{
    Model, contact_forces, deflections, driven, observed, pipeline, scale, start, tree,
};
use crate::hybrid::{Along, Direction, Entry, EvaluationError, EventOutcome, HybridSystem};
use crate::math::dense::DenseStep;
use crate::math::{Pose, Vec3, all_finite, same_bits};
use crate::narrow_phase::Feature;
use crate::response::options::ContactRule;
use crate::scene::{ContactKey, Output, Parameters, Scene, UserFunctions};
use std::sync::Arc;

/// The value of an indicator slot that watches no pair [m].
const UNUSED_INDICATOR: f64 = 1.0;

/// The model with its ledger of contacts.
pub struct System {
    model: Model,
    ledger: Ledger,
    contacts: Contacts,
    watchers: Watchers,
    /// Some slots have hints that change at completed steps.
    hinted: bool,
    progress: Progress,
    /// The present states.
    states: Vec<f64>,
    /// Nominal magnitudes of the states, for the solver of Co-Simulation and for importers.
    nominals: [Vec<f64>; 2],
    rule: ContactRule,
    guard: Guard,
    anchor: Anchor,
    /// Indicators hold the minimum since the anchor.
    guarded: bool,
    /// How often the present time or states changed.
    moves: u64,
    work: Workspace<f64>,
    /// Why the inputs cannot be used.
    input_flaw: Option<String>,
    events: Events,
    results: Results,
    /// Work arrays of derivatives; none before the first.
    tangent: Option<Box<Tangent>>,
    /// Reported contacts of pairs in contact: index among the contacts and among the reported ones.
    reported: Vec<(usize, usize)>,
}

/// What an evaluation reads and that stays between two events; a macro, because it borrows a part of the
/// system only.
macro_rules! frozen {
    ($system:expr) => {
        Frozen {
            model: &$system.model,
            contacts: &$system.contacts,
            ledger: &$system.ledger,
        }
    };
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
        let model = start::bind(&scene, parameters, functions)?;
        let mut system = System {
            ledger: Ledger::new(&scene),
            contacts: Contacts::default(),
            watchers: Watchers::default(),
            hinted: false,
            progress: Progress::Nothing,
            states: scene.start_states(),
            nominals: nominals(&model),
            rule: scene.contact().law.rule,
            guard: Guard::new(&model),
            anchor: Anchor::unknown(&scene),
            guarded: false,
            moves: 0,
            work: Workspace::new(&model),
            input_flaw: None,
            events: Events::new(&model),
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
        self.model = start::rebind(&self.model, parameters)?;
        let mut work = Workspace::new(&self.model);
        work.take_inputs(&self.work);
        self.work = work;
        self.tangent = None;
        self.nominals = nominals(&self.model);
        self.guard = Guard::new(&self.model);
        // Fixed bodies may have moved.
        self.events.detection = Detection::default();
        self.contacts_changed(true);
        Ok(())
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

    /// Forgets all contacts, as before initialisation.
    pub fn clear_ledger(&mut self) {
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
        self.work.inputs.copy_from_slice(inputs);
        self.work.inputs_since = since;
        self.input_flaw = driven::flaw(&self.model, inputs);
        self.forget();
        self.moves += 1;
    }

    /// Returns true if anything but the time itself depends on time.
    pub fn depends_on_time(&self) -> bool {
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

    /// State derivatives at the present time and states.
    ///
    /// # Errors
    /// A derivative that is not finite, by name; a smaller step may help.
    #[inline(always)]
    pub fn derivatives_here(&mut self, derivatives: &mut [f64]) -> Result<(), EvaluationError> {
        self.check_inputs()?;
        let (work, states) = (&mut self.work, &self.states);
        let finite = frozen!(self).evaluate(self.progress, work, states, derivatives);
        self.progress = Progress::Accelerated;
        if finite && !self.work.tree.singular {
            return Ok(());
        }
        Err(self.refuse_rate(derivatives))
    }

    /// Event indicators at the present time and states.
    ///
    /// # Errors
    /// Inputs that cannot be used, by name.
    pub fn indicators_here(&mut self, indicators: &mut [f64]) -> Result<(), EvaluationError> {
        self.check_inputs()?;
        self.place();
        self.plain_indicators(indicators);
        if self.guarded {
            self.guard.remember(
                (&self.model, &self.ledger, &self.anchor),
                (self.work.time, &self.states, &self.work.inputs),
                self.watchers.watched(),
                indicators,
            );
        }
        Ok(())
    }

    /// Event indicators of the present time and states alone.
    #[inline(always)]
    fn plain_indicators(&mut self, indicators: &mut [f64]) {
        let rule = self.rule;
        let (indicators, stops) = indicators.split_at_mut(self.model.scene.slot_count());
        let known = self.model.stops.iter().zip(self.ledger.stops());
        for (indicator, (stop, contact)) in stops.iter_mut().zip(known) {
            *indicator = stop.indicator(&self.states, contact.is_some());
        }
        let contacts = self.contacts.list();
        if self.watchers.len() + contacts.len() < indicators.len() {
            indicators.fill(UNUSED_INDICATOR);
        }
        let frames = &self.work.frames;
        let hints = self.ledger.hints();
        self.watchers
            .each_gap(&self.model, frames, hints, |slot, gap| {
                indicators[slot] = rule.indicator(gap, false);
            });
        for contact in contacts {
            let slot = contact.slot as usize;
            let gap = match self.progress {
                Progress::Accelerated => contact_forces::gap_of(contact, &self.work),
                _ => {
                    let hint = self.ledger.hint(slot);
                    placement(&self.model, &self.work).gap(contact.pair, hint)
                }
            };
            indicators[slot] = rule.indicator(gap, true);
        }
    }

    /// Quantities beside the derivative at (t, x); shares the work of the other evaluations.
    ///
    /// # Errors
    /// A state that is not finite, by name.
    pub fn outputs(&mut self, time: f64, states: &[f64]) -> Result<&Outputs, EvaluationError> {
        self.go_to(time, states)?;
        self.outputs_here()
    }

    /// Quantities beside the derivative at the present time and states.
    ///
    /// # Errors
    /// A function of the user gave no force; inputs that cannot be used.
    pub fn outputs_here(&mut self) -> Result<&Outputs, EvaluationError> {
        self.check_inputs()?;
        self.accelerate();
        self.check_forces()?;
        let frozen = frozen!(self);
        let (work, states) = (&mut self.work, &self.states);
        Ok(self.results.outputs(&frozen, &self.watchers, work, states))
    }

    /// Distance of a pair of [`Scene::named_pairs`] at the present time and states [m];
    /// [`NO_PAIR`](crate::dynamics::distances::NO_PAIR) if there is no such pair.
    pub fn distance_here(&mut self, named: usize) -> f64 {
        self.place();
        let placement = placement(&self.model, &self.work);
        self.results.distance(&placement, named)
    }

    /// Pose and velocities of a body at the present time and states.
    ///
    /// # Errors
    /// Inputs that cannot be used, by name.
    pub fn body_here(&mut self, body: usize) -> Result<(Pose, Twist<f64>), EvaluationError> {
        self.check_inputs()?;
        self.place();
        Ok((self.work.frames[body], self.work.twists[body]))
    }

    /// Force [N] and torque [N.m] of a joint on its child at the origin of the joint's frame on the
    /// child, world axes, at the present time and states.
    ///
    /// # Errors
    /// Inputs that cannot be used; a function of the user that gave no force.
    pub fn reaction_here(&mut self, joint: usize) -> Result<[Vec3; 2], EvaluationError> {
        self.check_inputs()?;
        self.accelerate();
        self.check_forces()?;
        Ok(tree::reaction::on_child(&self.model, &self.work, joint))
    }

    /// Value of the output of [`Scene::outputs`] with this index at the present time and states.
    ///
    /// # Errors
    /// Inputs that cannot be used; a function of the user that gave no force.
    pub fn output_here(&mut self, index: usize) -> Result<f64, EvaluationError> {
        self.check_inputs()?;
        self.place();
        let output = self.model.scene.outputs()[index];
        match output {
            Output::ReactionForce(joint, i) => return Ok(self.reaction_here(joint)?[0][i]),
            Output::ReactionTorque(joint, i) => return Ok(self.reaction_here(joint)?[1][i]),
            _ => {}
        }
        match observed::value(&self.model, &self.work, output) {
            Some(value) => Ok(value),
            None => Err(EvaluationError::error(format!(
                "{} is not computed",
                self.model.scene.output_name(index)
            ))),
        }
    }

    /// Pairs in contact that overlap deeper at the present time and states than their loads
    /// explain.
    pub fn deep_overlaps_here(&mut self) -> Vec<Overlap> {
        self.place();
        let placement = placement(&self.model, &self.work);
        let contacts = self.ledger.contacts().iter();
        let gap = |pair| placement.gap(pair, &Feature::None);
        let gaps = contacts.map(|contact| (contact.pair as usize, gap(contact.pair)));
        overlap::too_deep(&self.model, gaps)
    }

    /// The stiffest contact or end stop at a time [s] and states; none if nothing touches or the
    /// states cannot be used.
    pub fn stiffest(&mut self, time: f64, states: &[f64]) -> Option<Stiffest> {
        self.go_to(time, states).ok()?;
        self.place();
        self.factor();
        stiffest::find(&self.model, &self.ledger, &self.work, &self.states)
    }

    /// What is reported of each pair of [`Scene::reported`] at the present time and states.
    ///
    /// # Errors
    /// A function of the user gave no force.
    pub fn reports_here(&mut self) -> Result<&[ContactReport], EvaluationError> {
        self.outputs_here()?;
        Ok(self.results.reports(&frozen!(self), &self.work))
    }

    /// Returns true if a reported pair is in contact.
    pub fn reports_contact(&self) -> bool {
        !self.reported.is_empty()
    }

    /// For each reported contact of a pair in contact, calls `report` with its index among the
    /// reported ones and the force on 2, world axes [N], at the present time and states.
    ///
    /// # Errors
    /// A function of the user gave no force; inputs that cannot be used.
    pub fn reported_forces_here(
        &mut self,
        mut report: impl FnMut(usize, Vec3),
    ) -> Result<(), EvaluationError> {
        self.check_inputs()?;
        self.accelerate();
        self.check_forces()?;
        for (contact, index) in &self.reported {
            report(*index, self.work.wrenches[*contact].force_w);
        }
        Ok(())
    }

    /// What the last event update changed, in pair order; starts and ends.
    pub fn contact_changes(&self) -> &[ContactChange] {
        self.events.contacts()
    }

    /// What the last event update changed of end stops, in the order of [`Scene::stops`].
    pub fn stop_changes(&self) -> &[StopChange] {
        self.events.stops()
    }

    /// Relative tolerance that resolves the contacts of this scene, for the default experiment.
    pub fn suggested_tolerance(&self) -> f64 {
        scale::suggested_tolerance(&self.model)
    }

    /// Updates what follows from the contacts of the ledger, which changed, or, if `rebound`, the
    /// numbers of the model.
    fn contacts_changed(&mut self, rebound: bool) {
        let (model, ledger) = (&self.model, &self.ledger);
        self.contacts.update(model, ledger, rebound);
        self.watchers.update(model, ledger);
        self.reported.clear();
        let reported = model.scene.reported();
        if !reported.is_empty() {
            let contacts = self.contacts.list().iter();
            let keys = contacts.flat_map(|contact| {
                let key = |index| ContactKey {
                    pair: contact.pair,
                    index,
                };
                (0..contact.count).map(move |index| (contact.first + index, key(index)))
            });
            let index_of = |key: &ContactKey| reported.binary_search(key).ok();
            self.reported
                .extend(keys.filter_map(|(index, key)| Some((index as usize, index_of(&key)?))));
        }
        self.work.loads.fill(Load::zero());
        self.work.deflection_rates.fill(Vec3::zeros());
        self.slots_changed();
    }

    /// Updates what follows from slots and hints, which changed; the contacts did not.
    fn slots_changed(&mut self) {
        self.hinted = self.ledger.uses_hints(&self.model.scene);
        self.forget();
    }

    /// Forgets what is computed.
    #[inline(always)]
    fn forget(&mut self) {
        self.progress = Progress::Nothing;
        self.results.forget();
    }

    /// Sets the present time [s] and states, unless they are these.
    ///
    /// # Errors
    /// A state that is not finite, or inputs that cannot be used, by name; then nothing
    /// is changed.
    pub fn go_to(&mut self, time: f64, states: &[f64]) -> Result<(), EvaluationError> {
        let moved = !same_bits(&self.states, states);
        self.check_inputs()?;
        if !moved && (!self.depends_on_time() || time == self.work.time) {
            self.work.time = time;
            return Ok(());
        }
        self.set_time_and_states(time, states).map_err(|index| {
            let name = self.model.scene.state_name(index);
            EvaluationError::discard(format!("state {name} is {}; must be finite", states[index]))
        })
    }

    /// Places bodies and shapes.
    #[inline]
    fn place(&mut self) {
        if self.progress == Progress::Nothing {
            pipeline::place_all(&self.model, &mut self.work, &self.states);
            self.progress = Progress::Placed;
        }
    }

    /// Computes forces and accelerations of trees.
    #[inline]
    fn accelerate(&mut self) {
        if self.progress < Progress::Accelerated {
            let (work, states) = (&mut self.work, &self.states);
            frozen!(self).accelerate(self.progress, work, states);
            self.progress = Progress::Accelerated;
        }
    }

    /// Notes for the guard which gap no pair without a slot is below.
    fn note_chosen(&mut self, time: f64, states: &[f64]) {
        let nearest = self.events.detection.nearest_without_slot();
        self.guard.note_chosen(time, states, nearest);
    }

    /// Computes the inertias of trees, from which effective masses follow; bodies are placed.
    fn factor(&mut self) {
        if self.progress < Progress::Accelerated {
            pipeline::factor_all(&self.model, &mut self.work);
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
            self.model.scene.state_name(index),
            derivatives[index]
        ))
    }

    /// Why the computed accelerations mean nothing; none if they mean something.
    fn refuse_singular(&self) -> Option<EvaluationError> {
        let is_singular = self.work.tree.singular;
        let reason = is_singular.then(|| start::refusal(&self.model, &self.work))?;
        reason.map(EvaluationError::discard)
    }

    /// # Errors
    /// Inputs that cannot be used, by name.
    #[inline]
    fn check_inputs(&self) -> Result<(), EvaluationError> {
        match &self.input_flaw {
            None => Ok(()),
            Some(flaw) => Err(EvaluationError::discard(flaw.as_str())),
        }
    }

    /// # Errors
    /// A function of the user gave no force at the present time and states.
    #[inline]
    fn check_forces(&self) -> Result<(), EvaluationError> {
        match self.work.refused {
            None => Ok(()),
            Some(_) => Err(self.refuse_force()),
        }
    }

    /// A function of the user gave no force here, or close by, where its derivative is taken.
    #[cold]
    fn refuse_jacobian(&mut self) -> EvaluationError {
        self.accelerate();
        match self.check_forces() {
            Err(refusal) => refusal,
            Ok(()) => EvaluationError::error(
                "a law of the user gives a force here, but none close by, where its derivative is \
                 taken",
            ),
        }
    }

    #[cold]
    fn refuse_force(&self) -> EvaluationError {
        let reason = contact_forces::refusal(&frozen!(self), &self.work);
        EvaluationError::error(reason.unwrap_or_default())
    }
}

fn nominals(model: &Model) -> [Vec<f64>; 2] {
    [scale::nominals(model), scale::importer_nominals(model)]
}

#[cold]
fn first_not_finite(numbers: &[f64]) -> usize {
    let first = numbers.iter().position(|x| !x.is_finite());
    first.unwrap_or(0)
}

impl HybridSystem for System {
    fn state_count(&self) -> usize {
        self.model.scene.layout().count()
    }

    fn indicator_count(&self) -> usize {
        self.model.scene.indicator_count()
    }

    fn state_name(&self, index: usize) -> String {
        self.model.scene.state_name(index)
    }

    fn nominals(&self, nominals: &mut [f64]) {
        nominals.copy_from_slice(&self.nominals[0]);
    }

    fn derivatives(
        &mut self,
        time: f64,
        states: &[f64],
        derivatives: &mut [f64],
    ) -> Result<(), EvaluationError> {
        self.go_to(time, states)?;
        self.derivatives_here(derivatives)
    }

    fn indicators(
        &mut self,
        time: f64,
        states: &[f64],
        indicators: &mut [f64],
    ) -> Result<(), EvaluationError> {
        self.go_to(time, states)?;
        self.indicators_here(indicators)
    }

    fn first_entry(
        &mut self,
        step: &DenseStep<'_>,
        indicators: &[f64],
    ) -> Result<Option<Entry>, EvaluationError> {
        Ok(self.guard.first_entry(
            (&self.model, &self.ledger, &self.work),
            self.watchers.watched(),
            (step, indicators),
        ))
    }

    fn completed_step(&mut self, time: f64, states: &[f64]) -> Result<bool, EvaluationError> {
        if self.guarded && all_finite(states) {
            self.anchor.set(time, states, &self.work.inputs);
        }
        let all = self.model.scene.monitors_all_pairs();
        if all && !self.hinted {
            return Ok(false);
        }
        self.go_to(time, states)?;
        self.place();
        let placement = placement(&self.model, &self.work);
        let detection = &mut self.events.detection;
        let asked = detection.completed_step(&placement, &mut self.ledger);
        if !all {
            self.note_chosen(time, states);
            self.watchers.update(&self.model, &self.ledger);
            self.hinted = self.ledger.uses_hints(&self.model.scene);
        }
        if self.hinted {
            // What was found from the hints before is not what the ledger says now.
            self.progress = Progress::Placed;
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
        self.place();
        self.factor();
        let (ledger, work) = (&mut self.ledger, &self.work);
        self.events
            .update(&self.model, ledger, work, (time, states))?;
        let states_changed =
            deflections::release(&self.model, &self.contacts, &self.ledger, states);
        self.contacts_changed(false);
        if states_changed {
            self.go_to(time, states)?;
        }
        if self.guarded {
            self.anchor.set(time, states, &self.work.inputs);
        }
        if !self.model.scene.monitors_all_pairs() {
            self.place();
            self.guard.prepare(&placement(&self.model, &self.work));
            self.note_chosen(time, states);
        }
        Ok(EventOutcome {
            states_changed,
            next_event_time: self.next_event_time(time),
        })
    }

    fn input_count(&self) -> usize {
        self.model.scene.inputs().len()
    }

    fn output_count(&self) -> usize {
        output_count(&self.model)
    }

    fn part_of_state(&self, state: usize) -> Option<usize> {
        self.contacts.part_of_state(&self.model, state)
    }

    /// Exact, by dual numbers.
    fn derivatives_along(
        &mut self,
        time: f64,
        states: &[f64],
        direction: &Direction<'_>,
        along: &mut Along<'_>,
    ) -> Result<(), EvaluationError> {
        self.go_to(time, states)?;
        self.accelerate();
        if let Some(refusal) = self.refuse_singular() {
            return Err(refusal);
        }
        let model = &self.model;
        let tangent = self
            .tangent
            .get_or_insert_with(|| Box::new(Tangent::new(model)));
        let here = (&self.work, &self.states[..]);
        match tangent.along(&frozen!(self), &self.watchers, here, direction, along) {
            true => Ok(()),
            false => Err(self.refuse_jacobian()),
        }
    }
}
