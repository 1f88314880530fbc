//! The model with its ledger of contacts, as a hybrid system.
//!
//! Evaluations at the same state share their work: placing the bodies is done once, and the gaps
//! of the pairs in contact that the forces needed serve the event indicators too. The system stands
//! at a time and states: [`System::stand_at`] goes there, and what ends in `_here` is evaluated
//! there. The functions of [`HybridSystem`] go where they are told, unless the system stands there
//! already; where nothing depends on time, another time is no other place.

use crate::contact::detect::{Detection, Placement};
use crate::contact::{Contact, Hints, Ledger};
use crate::dynamics::approach::ShapePair;
use crate::dynamics::distances::{self, NO_PAIR};
use crate::dynamics::forces::ActiveContact;
use crate::dynamics::guard::{Anchor, Guard, Watched};
use crate::dynamics::overlap::{self, Overlap};
use crate::dynamics::report::{self, ContactReport};
use crate::dynamics::stiffest::{self, Stiffest};
use crate::dynamics::stops::StopChange;
use crate::dynamics::tree::{self, articulated};
use crate::dynamics::workspace::{Load, Twist, Workspace};
use crate::dynamics::{
    Model, applied, deflections, driven, energy, forces, motion, observed, scale, stops,
};
use crate::geometry::Aabb;
use crate::hybrid::{Entry, EvaluationError, EventOutcome, HybridSystem};
use crate::math::dense::DenseStep;
use crate::math::{Dual, Pose, Vec3, all_finite};
use crate::narrow_phase::Feature;
use crate::response::options::ContactRule;
use crate::scene::description::ForceAxes;
use crate::scene::{Output, Parameters, Scene, UserFunctions};
use std::sync::Arc;

/// Quantities computed from a state beside its derivative.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Outputs {
    /// Contact force on each body, world axes; on a driven one in the axes that it states [N].
    pub contact_forces: Vec<[f64; 3]>,
    /// Contact torque on each body about its origin, in the same axes [N.m].
    pub contact_torques: Vec<[f64; 3]>,
    /// Number of pairs in contact.
    pub contact_count: usize,
    /// Kinetic energy [J].
    pub kinetic_energy: f64,
    /// Potential energy in the gravity field and of the springs of joints [J].
    pub potential_energy: f64,
    /// Energy stored in the contacts and end stops [J].
    pub elastic_energy: f64,
    /// The smallest distances among the monitored pairs [m], ascending; [`NO_PAIR`] where there are
    /// fewer pairs.
    pub closest_distances: Vec<f64>,
}

/// A contact that started or ended at the last event update.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactChange {
    /// Index of the pair.
    pub pair: usize,
    /// Impact speed where the contact started [m/s]; none where it ended.
    pub impact_speed: Option<f64>,
}

/// How much of the workspace belongs to the time and states that the system stands at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
enum Stage {
    Nothing,
    Placed,
    Forces,
    Accelerations,
    Outputs,
    Reports,
}

/// The value of an indicator slot that watches no pair [m].
const UNUSED_INDICATOR: f64 = 1.0;

/// A slot that watches a pair out of contact.
#[derive(Clone, Debug)]
struct Watcher {
    slot: usize,
    pair: u32,
    shapes: ShapePair,
}

impl Watcher {
    fn new(model: &Model, slot: usize, pair: u32) -> Self {
        Watcher {
            slot,
            pair,
            shapes: ShapePair::new(model, pair),
        }
    }

    /// Gap [m] with the shapes in these frames.
    #[inline(always)]
    fn gap(&self, frames: &[Pose], hints: &Hints) -> f64 {
        self.shapes.gap(frames, hints, self.slot)
    }
}

fn watched(watchers: &[Watcher]) -> impl Iterator<Item = Watched<'_>> + Clone {
    watchers.iter().map(|watcher| Watched {
        slot: watcher.slot,
        shapes: &watcher.shapes,
    })
}

/// The model with its ledger of contacts.
pub struct System {
    model: Model,
    ledger: Ledger,
    /// The contacts of the ledger, in the order of their free bodies where these are `apart`.
    contacts: Vec<ActiveContact>,
    /// Each body moves for itself: no two free bodies touch, no force is prescribed, and no other
    /// body moves.
    apart: bool,
    /// Slots that watch a pair out of contact.
    watched: Vec<Watcher>,
    /// Among the slots are some whose hints are made new at completed steps.
    hinted: bool,
    stage: Stage,
    /// Where the system stands.
    states: Vec<f64>,
    /// Nominal magnitudes of the states, for the solver of Co-Simulation and for importers.
    nominals: [Vec<f64>; 2],
    rule: ContactRule,
    guard: Guard,
    anchor: Anchor,
    /// Indicators hold the minimum since the anchor.
    guarded: bool,
    /// How often it went somewhere.
    moves: u64,
    work: Workspace<f64>,
    /// Why the inputs cannot be used.
    input_flaw: Option<String>,
    detection: Detection,
    changes: Vec<ContactChange>,
    stop_changes: Vec<StopChange>,
    before: Vec<Contact>,
    outputs: Outputs,
    /// Gaps of the slots, while the smallest are looked for.
    gaps: Vec<f64>,
    /// Boxes of shapes, while the distance of a named pair is looked for.
    bounds: Vec<Aabb>,
    /// What is told of each reported pair.
    reports: Vec<ContactReport>,
    /// Reported pairs in contact: place in the ledger and among the reported ones.
    reported: Vec<(usize, usize)>,
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
        let model = Model::bind(&scene, parameters, functions)?;
        let slots = scene.slot_count();
        let mut system = System {
            ledger: Ledger::new(&scene),
            contacts: Vec::with_capacity(slots),
            apart: true,
            watched: Vec::with_capacity(slots),
            hinted: false,
            stage: Stage::Nothing,
            states: scene.start_states(),
            nominals: nominals(&model),
            rule: scene.contact().law.rule,
            guard: Guard::new(&model),
            anchor: Anchor::unknown(&scene),
            guarded: false,
            moves: 0,
            work: Workspace::new(&model),
            input_flaw: None,
            detection: Detection::default(),
            changes: Vec::new(),
            stop_changes: Vec::with_capacity(scene.stops().len()),
            before: Vec::with_capacity(slots),
            outputs: Outputs {
                contact_forces: vec![[0.0; 3]; scene.bodies().len()],
                contact_torques: vec![[0.0; 3]; scene.bodies().len()],
                closest_distances: vec![0.0; scene.contact().closest_distances as usize],
                ..Outputs::default()
            },
            gaps: Vec::with_capacity(slots),
            bounds: Vec::new(),
            reports: vec![ContactReport::zero(); scene.reported().len()],
            reported: Vec::with_capacity(scene.reported().len()),
            model,
        };
        system.ledger_changed();
        Ok(system)
    }

    /// Takes new parameter values; the ledger stays. On error nothing changed.
    ///
    /// # Errors
    /// A parameter out of range; the message names it.
    pub fn rebind(&mut self, parameters: &Parameters) -> Result<(), EvaluationError> {
        self.model = self.model.rebind(parameters)?;
        let mut work = Workspace::new(&self.model);
        work.time = self.work.time;
        work.inputs = std::mem::take(&mut self.work.inputs);
        work.inputs_since = self.work.inputs_since;
        self.work = work;
        self.nominals = nominals(&self.model);
        self.guard = Guard::new(&self.model);
        // Fixed bodies may stand elsewhere.
        self.detection = Detection::default();
        self.ledger_changed();
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
        self.ledger_changed();
    }

    /// Has the event indicators hold the minimum since the last completed step, or not any more.
    pub fn set_guarded(&mut self, guarded: bool) {
        self.guarded = guarded;
        self.anchor.forget();
    }

    /// Where the last completed step or event has left the scene, where the indicators hold the minimum since then.
    pub fn anchor(&self) -> &Anchor {
        &self.anchor
    }

    /// Replaces it by one taken from [`Self::anchor`] of the same scene.
    pub fn set_anchor(&mut self, anchor: &Anchor) {
        self.anchor.copy_from(anchor);
    }

    /// How often gaps were looked at inside steps so far.
    pub fn guard_looks(&self) -> u64 {
        self.guard.looks()
    }

    /// Forgets all contacts, as before initialisation.
    pub fn clear_ledger(&mut self) {
        self.anchor.forget();
        self.guard.forget_chosen();
        self.ledger = Ledger::new(&self.model.scene);
        self.ledger_changed();
    }

    /// Notes the time [s] of the states where the system stands, where nothing else depends on it.
    #[inline(always)]
    pub fn note_time(&mut self, time: f64) {
        self.work.time = time;
    }

    /// Goes to a time [s] and states.
    ///
    /// # Errors
    /// The index of a state that is not finite; the system stays where it was.
    #[inline(always)]
    pub fn stand_at(&mut self, time: f64, states: &[f64]) -> Result<(), usize> {
        if !all_finite(states) {
            return Err(first_not_finite(states));
        }
        self.work.time = time;
        self.states.copy_from_slice(states);
        self.stage = Stage::Nothing;
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
        self.stage = Stage::Nothing;
        self.moves += 1;
    }

    /// Whether anything but the time itself depends on time.
    pub fn depends_on_time(&self) -> bool {
        self.model.depends_on_time
            || (self.work.inputs_since.is_some() && !self.model.driven.is_empty())
    }

    /// The first time event after `time` [s]: where a prescribed force has a kink.
    pub fn next_event_time(&self, time: f64) -> Option<f64> {
        self.model.scene.next_kink(time)
    }

    /// How often the system went elsewhere: whoever sees the same number again finds it where it
    /// was.
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// State derivatives where the system stands.
    ///
    /// # Errors
    /// A derivative that is not finite, by name; a smaller step may help.
    #[inline(always)]
    pub fn derivatives_here(&mut self, derivatives: &mut [f64]) -> Result<(), EvaluationError> {
        let (model, work) = (&self.model, &mut self.work);
        let finite = if self.stage == Stage::Nothing && self.apart {
            let (contacts, hints) = (&self.contacts, self.ledger.hints());
            let finite =
                motion::place_and_derive(model, contacts, hints, work, &self.states, derivatives);
            self.stage = Stage::Forces;
            finite
        } else {
            self.derive(derivatives)
        };
        if finite {
            return Ok(());
        }
        Err(self.refuse_rate(derivatives))
    }

    /// Event indicators where the system stands.
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
                watched(&self.watched),
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
        if self.watched.len() + self.contacts.len() < indicators.len() {
            indicators.fill(UNUSED_INDICATOR);
        }
        for watched in &self.watched {
            let gap = watched.gap(&self.work.frames, self.ledger.hints());
            indicators[watched.slot] = rule.indicator(gap, false);
        }
        for (index, contact) in self.ledger.contacts().iter().enumerate() {
            let slot = contact.slot as usize;
            let gap = match self.stage {
                Stage::Nothing | Stage::Placed => {
                    let hint = self.ledger.hint(slot);
                    placement(&self.model, &self.work).gap(contact.pair, hint)
                }
                _ => self.work.wrenches[index].gap,
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

    /// Quantities beside the derivative where the system stands.
    ///
    /// # Errors
    /// A function of the user gave no force; inputs that cannot be used.
    pub fn outputs_here(&mut self) -> Result<&Outputs, EvaluationError> {
        self.check_inputs()?;
        self.compute_accelerations();
        self.check_forces()?;
        if self.stage < Stage::Outputs {
            forces::load_fixed(&self.model, &self.contacts, &mut self.work);
            for (index, load) in self.work.loads.iter().enumerate() {
                self.outputs.contact_forces[index] = load.force_w.into();
                self.outputs.contact_torques[index] = load.torque_w.into();
            }
            for driven in &self.model.driven {
                let axes = self.model.scene.bodies()[driven.body].drive.wrench_axes;
                if axes == ForceAxes::Body {
                    let load = &self.work.loads[driven.body];
                    let rotation = &self.work.frames[driven.body].rotation;
                    let [force, torque] =
                        [load.force_w, load.torque_w].map(|v| rotation.tr_mul(&v));
                    self.outputs.contact_forces[driven.body] = force.into();
                    self.outputs.contact_torques[driven.body] = torque.into();
                }
            }
            self.outputs.contact_count = self.contacts.len();
            self.outputs.kinetic_energy = energy::kinetic(&self.model, &self.work);
            self.outputs.potential_energy = energy::potential(&self.model, &self.work)
                + tree::forces::spring_energy(&self.model, &self.states);
            self.outputs.elastic_energy = energy::elastic(&self.contacts, &self.work)
                + stops::energy(&self.model, self.ledger.stops(), &self.states);
            self.find_closest_distances();
            self.stage = Stage::Outputs;
        }
        Ok(&self.outputs)
    }

    fn find_closest_distances(&mut self) {
        if self.outputs.closest_distances.is_empty() {
            return;
        }
        self.gaps.clear();
        let wrenches = &self.work.wrenches[..self.contacts.len()];
        self.gaps.extend(wrenches.iter().map(|wrench| wrench.gap));
        for watched in &self.watched {
            let gap = watched.gap(&self.work.frames, self.ledger.hints());
            self.gaps.push(gap);
        }
        distances::smallest(&mut self.gaps, &mut self.outputs.closest_distances);
    }

    /// Distance of a pair of [`Scene::named_pairs`] where the system stands [m]; [`NO_PAIR`] where
    /// there is no such pair.
    pub fn distance_here(&mut self, named: usize) -> f64 {
        self.place();
        let (model, work) = (&self.model, &self.work);
        match model.scene.named_pairs().get(named) {
            Some(named) => {
                let placement = placement(model, work);
                distances::of_named_pair(&placement, named, &mut self.bounds)
            }
            None => NO_PAIR,
        }
    }

    /// Pose and velocities of a body where the system stands.
    ///
    /// # Errors
    /// Inputs that cannot be used, by name.
    pub fn body_here(&mut self, body: usize) -> Result<(Pose, Twist<f64>), EvaluationError> {
        self.check_inputs()?;
        self.place();
        Ok((self.work.frames[body], self.work.twists[body]))
    }

    /// Force [N] and torque [N.m] of a joint on its child at the origin of the joint's frame on the
    /// child, world axes, where the system stands.
    ///
    /// # Errors
    /// Inputs that cannot be used; a function of the user that gave no force.
    pub fn reaction_here(&mut self, joint: usize) -> Result<[Vec3; 2], EvaluationError> {
        self.check_inputs()?;
        self.compute_accelerations();
        self.check_forces()?;
        Ok(tree::reaction::on_child(&self.model, &self.work, joint))
    }

    /// Value of the output of [`Scene::outputs`] with this index where the system stands.
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

    /// Pairs in contact that overlap deeper where the system stands than their loads explain.
    pub fn deep_overlaps_here(&mut self) -> Vec<Overlap> {
        self.place();
        let placement = placement(&self.model, &self.work);
        let contacts = self.ledger.contacts().iter();
        let gap = |pair| placement.gap(pair, &Feature::None);
        let gaps = contacts.map(|contact| (contact.pair as usize, gap(contact.pair)));
        overlap::too_deep(&self.model, gaps)
    }

    /// The stiffest contact or end stop at a time [s] and states; none where nothing touches or the
    /// states cannot be used.
    pub fn stiffest(&mut self, time: f64, states: &[f64]) -> Option<Stiffest> {
        self.go_to(time, states).ok()?;
        self.place();
        if !self.model.joints.is_empty() {
            articulated::inward(&self.model, &mut self.work);
            self.stage = Stage::Placed;
        }
        stiffest::find(&self.model, &self.ledger, &self.work, &self.states)
    }

    /// What is told of each pair of [`Scene::reported`] where the system stands.
    ///
    /// # Errors
    /// A function of the user gave no force.
    pub fn reports_here(&mut self) -> Result<&[ContactReport], EvaluationError> {
        self.outputs_here()?;
        if self.stage < Stage::Reports {
            let (model, ledger, work) = (&self.model, &self.ledger, &self.work);
            for (report, pair) in self.reports.iter_mut().zip(model.scene.reported()) {
                *report = report::of_pair(model, ledger, work, *pair);
            }
            self.stage = Stage::Reports;
        }
        Ok(&self.reports)
    }

    /// Whether a reported pair is in contact.
    pub fn reports_contact(&self) -> bool {
        !self.reported.is_empty()
    }

    /// Tells the force on 2, world axes [N], of each reported pair in contact, by its place among the
    /// reported ones, where the system stands.
    ///
    /// # Errors
    /// A function of the user gave no force; inputs that cannot be used.
    pub fn reported_forces_here(
        &mut self,
        mut tell: impl FnMut(usize, Vec3),
    ) -> Result<(), EvaluationError> {
        self.check_inputs()?;
        self.compute_forces();
        self.check_forces()?;
        for (contact, place) in &self.reported {
            tell(*place, self.work.wrenches[*contact].force_w);
        }
        Ok(())
    }

    /// What the last event update changed, in pair order; starts and ends.
    pub fn contact_changes(&self) -> &[ContactChange] {
        &self.changes
    }

    /// What the last event update changed of end stops, in the order of [`Scene::stops`].
    pub fn stop_changes(&self) -> &[StopChange] {
        &self.stop_changes
    }

    /// Relative tolerance that resolves the contacts of this scene, for the default experiment.
    pub fn suggested_tolerance(&self) -> f64 {
        scale::suggested_tolerance(&self.model)
    }

    /// Contacts or parameters are others now.
    fn ledger_changed(&mut self) {
        let (model, ledger) = (&self.model, &self.ledger);
        let contacts = ledger.contacts().iter().enumerate();
        self.contacts.clear();
        self.contacts
            .extend(contacts.map(|(index, contact)| ActiveContact::new(model, index, contact)));
        let mut bodies = model.scene.bodies().iter();
        self.apart = bodies.all(|body| body.is_free() || body.is_fixed())
            && self.model.applied.is_empty()
            && self.contacts.iter().all(|c| c.ball_on_fixed().is_some());
        if self.apart {
            self.contacts
                .sort_unstable_by_key(|c| (c.ball_on_fixed(), c.index));
        }
        self.reported.clear();
        if !self.reports.is_empty() {
            let place = |pair: &u32| model.scene.reported().binary_search(pair).ok();
            let contacts = ledger.contacts().iter().enumerate();
            self.reported
                .extend(contacts.filter_map(|(i, contact)| Some((i, place(&contact.pair)?))));
        }
        self.work.loads.fill(Load::zero());
        self.work.refused = None;
        self.slots_changed();
        self.stage = Stage::Nothing;
    }

    /// Slots watch other pairs now.
    fn slots_changed(&mut self) {
        self.watched.clear();
        for (slot, pair) in self.ledger.slots().iter().enumerate() {
            if let Some(pair) = pair
                && self.ledger.contact(*pair).is_none()
            {
                self.watched.push(Watcher::new(&self.model, slot, *pair));
            }
        }
        self.hinted = self.ledger.uses_hints(&self.model.scene);
    }

    /// Slots out of contact watch other pairs now; the contacts are those of before.
    fn watched_changed(&mut self) {
        let slots = self.ledger.slots();
        let used = slots.iter().filter(|slot| slot.is_some()).count();
        let mut same = used == self.watched.len() + self.contacts.len();
        for watched in &mut self.watched {
            match slots[watched.slot] {
                Some(pair) if pair == watched.pair => {}
                Some(pair) => *watched = Watcher::new(&self.model, watched.slot, pair),
                None => same = false,
            }
        }
        if same {
            self.hinted = self.ledger.uses_hints(&self.model.scene);
        } else {
            self.slots_changed();
        }
    }

    /// Goes to `time` [s] and `states`, unless the system stands there.
    ///
    /// # Errors
    /// A state that is not finite, or inputs that cannot be used, by name; the system stays where it
    /// was.
    pub fn go_to(&mut self, time: f64, states: &[f64]) -> Result<(), EvaluationError> {
        let differ = |(a, b): (&f64, &f64)| a.to_bits() ^ b.to_bits();
        let difference = self.states.iter().zip(states).map(differ);
        let moved = difference.fold(0, |all, one| all | one) != 0;
        self.check_inputs()?;
        if !moved && (!self.depends_on_time() || time == self.work.time) {
            self.work.time = time;
            return Ok(());
        }
        self.stand_at(time, states).map_err(|index| {
            let name = self.model.scene.state_name(index);
            EvaluationError::discard(format!("state {name} is {}; must be finite", states[index]))
        })
    }

    /// Places bodies and shapes, unless they stand there already.
    #[inline]
    fn place(&mut self) {
        if self.stage == Stage::Nothing {
            self.work.place(&self.model, &self.states);
            self.stage = Stage::Placed;
        }
    }

    #[inline]
    fn compute_forces(&mut self) {
        self.place();
        if self.stage < Stage::Forces {
            let hints = self.ledger.hints();
            forces::apply(&self.model, &self.contacts, hints, &mut self.work);
            if !self.model.applied.is_empty() {
                applied::apply(&self.model, &mut self.work);
            }
            tree::forces::apply(&self.model, &mut self.work, &self.states);
            stops::apply(
                &self.model,
                self.ledger.stops(),
                &mut self.work,
                &self.states,
            );
            self.stage = Stage::Forces;
        }
    }

    /// Accelerates the bodies of trees.
    #[inline]
    fn compute_accelerations(&mut self) {
        self.compute_forces();
        if self.stage < Stage::Accelerations {
            articulated::accelerate(&self.model, &mut self.work);
            self.stage = Stage::Accelerations;
        }
    }

    /// Writes the derivatives where the bodies are placed already, or touch each other. Answers
    /// whether they are finite.
    #[inline(never)]
    fn derive(&mut self, derivatives: &mut [f64]) -> bool {
        if self.input_flaw.is_some() {
            return false;
        }
        self.compute_accelerations();
        motion::derivatives(&self.model, &self.work, &self.states, derivatives);
        all_finite(derivatives) && !self.work.tree.singular
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

    /// Where accelerations were computed: why they mean nothing, where they do not.
    fn refuse_singular(&self) -> Option<EvaluationError> {
        let is_singular = self.work.tree.singular;
        let reason = is_singular.then(|| tree::start::refusal(&self.model, &self.work))?;
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
    /// A function of the user gave no force where the system stands.
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
        self.compute_forces();
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
        let hints = self.ledger.hints();
        let reason = forces::refusal(&self.model, &self.contacts, hints, &self.work);
        EvaluationError::error(reason.unwrap_or_default())
    }

    fn note_changes(&mut self) {
        self.changes.clear();
        let now = self.ledger.contacts();
        let is_in = |contacts: &[Contact], pair: u32| {
            contacts.binary_search_by_key(&pair, |c| c.pair).is_ok()
        };
        for old in self.before.iter().filter(|old| !is_in(now, old.pair)) {
            self.changes.push(ContactChange {
                pair: old.pair as usize,
                impact_speed: None,
            });
        }
        for new in now.iter().filter(|new| !is_in(&self.before, new.pair)) {
            self.changes.push(ContactChange {
                pair: new.pair as usize,
                impact_speed: Some(new.impact_speed),
            });
        }
        self.changes.sort_unstable_by_key(|change| change.pair);
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

fn placement<'a>(model: &'a Model, work: &'a Workspace<f64>) -> Placement<'a> {
    Placement {
        scene: &model.scene,
        frames: &work.frames,
        shape_frames: &model.frames.of_shapes,
    }
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
            watched(&self.watched),
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
        let asked = self.detection.completed_step(&placement, &mut self.ledger);
        if !all {
            self.watched_changed();
            let nearest = self.detection.nearest_without_slot();
            self.guard.note_chosen(time, states, nearest);
        }
        if self.hinted {
            // What was found from the hints before is not what the ledger says now.
            self.stage = Stage::Placed;
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
        self.before.clear();
        self.before.extend_from_slice(self.ledger.contacts());
        if !self.model.joints.is_empty() {
            // Effective masses follow from the inertias of the trees.
            articulated::inward(&self.model, &mut self.work);
        }
        let (model, work) = (&self.model, &self.work);
        self.detection
            .update_event(&placement(model, work), &mut self.ledger, |pair, near| {
                let bodies = model.pair_bodies(pair as usize);
                let motion = forces::motion_of(near, bodies, work);
                let speed = motion.compression_rate().abs();
                let (point, normal) = (&motion.point, &motion.normal);
                let mass = tree::response::along_normal(model, work, bodies, point, normal);
                let law = model.law(pair as usize);
                // Of two bodies that no force moves no mass is known, and nothing can part them.
                let moved = bodies.iter().any(|b| model.scene.bodies()[*b].is_dynamic());
                let of_impact = match moved {
                    true => law.speed_of_impact(near.gap, speed, mass),
                    false => speed,
                };
                (speed, law.frozen(of_impact, mass))
            })
            .map_err(|too_many| EvaluationError::error(too_many.0))?;
        let (ledger, changes) = (&mut self.ledger, &mut self.stop_changes);
        stops::update(&self.model, &self.work, ledger, states, changes);
        self.note_changes();
        for change in &self.changes {
            if let Some(speed) = change.impact_speed {
                let (scene, pair) = (&self.model.scene, change.pair as u32);
                self.ledger.note_start(scene, pair, time, speed);
            }
        }
        let (contacts, before) = (&self.contacts, &self.before);
        let states_changed =
            deflections::release(&self.model, contacts, before, &self.ledger, states);
        self.ledger_changed();
        if states_changed {
            self.go_to(time, states)?;
        }
        if self.guarded {
            self.anchor.set(time, states, &self.work.inputs);
        }
        if !self.model.scene.monitors_all_pairs() {
            self.place();
            self.guard.prepare(&placement(&self.model, &self.work));
            let nearest = self.detection.nearest_without_slot();
            self.guard.note_chosen(time, states, nearest);
        }
        Ok(EventOutcome {
            states_changed,
            next_event_time: self.next_event_time(time),
        })
    }

    /// Exact, by dual numbers: one evaluation for each state.
    fn jacobian(
        &mut self,
        time: f64,
        states: &[f64],
        jacobian: &mut [f64],
    ) -> Result<(), EvaluationError> {
        self.go_to(time, states)?;
        if !self.model.joints.is_empty() {
            self.compute_accelerations();
            if let Some(refusal) = self.refuse_singular() {
                return Err(refusal);
            }
        }
        let n = states.len();
        let mut work = Workspace::<Dual>::new(&self.model);
        work.time = time;
        work.inputs.copy_from_slice(&self.work.inputs);
        work.inputs_since = self.work.inputs_since;
        let mut x: Vec<Dual> = states.iter().map(|v| Dual::from(*v)).collect();
        let mut rates = vec![Dual::from(0.0); n];
        for column in 0..n {
            x[column].eps = 1.0;
            work.place(&self.model, &x);
            forces::apply(&self.model, &self.contacts, self.ledger.hints(), &mut work);
            if work.refused.is_some() {
                return Err(self.refuse_jacobian());
            }
            applied::apply(&self.model, &mut work);
            tree::forces::apply(&self.model, &mut work, &x);
            stops::apply(&self.model, self.ledger.stops(), &mut work, &x);
            articulated::accelerate(&self.model, &mut work);
            motion::derivatives(&self.model, &work, &x, &mut rates);
            x[column].eps = 0.0;
            for (entry, rate) in jacobian[column * n..(column + 1) * n]
                .iter_mut()
                .zip(&rates)
            {
                *entry = rate.eps;
            }
        }
        Ok(())
    }
}
