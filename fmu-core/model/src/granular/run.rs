//! Steps from one communication point to the next.
//!
//! Contacts begin with those of the ledger, in pair order, and grains with the states, so that what
//! follows depends on states and ledger alone: a run from a saved state has the same bits. Forces
//! are summed in the order of the contacts, whoever computed them.

use crate::broad_phase::Neighbours;
use crate::contact::{Ledger, Started};
use crate::dynamics::Model;
use crate::dynamics::System;
use crate::granular::contacts::{Contacts, Held, Push, Start};
use crate::granular::crew;
use crate::granular::step;
use crate::granular::surroundings::Surroundings;
use crate::granular::watch::Watch;
use crate::hybrid::EvaluationError;
use contact_geometry::math::{Exact, Vec3};
use contact_laws::index::{InputId, ReportId, TiSlice};

/// Steps after which the nearest features that searches start from are found anew.
const HINTED: u64 = 16;

/// A communication step, or a part of one.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// Start [s].
    pub start: f64,
    /// End [s].
    pub end: f64,
    /// Longest step [s].
    pub longest: f64,
    /// Threads that share the work.
    pub threads: usize,
}

/// What happens inside of a span.
pub trait Record {
    /// A contact started.
    fn started(&mut self, start: Start);
    /// The contact of a pair ended at a time [s].
    fn ended(&mut self, pair: contact_laws::index::PairId, time: f64);
    /// Over a time [s] the contact of a reported pair exerted this force on 2 [N].
    fn pushed(&mut self, report: ReportId, force: &Vec3, time: f64);
    /// So many steps are done, at a time [s].
    fn stepped(&mut self, steps: u64, time: f64);
}

/// What was done in a span.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// Number of steps.
    pub steps: u64,
    /// Length of each [s].
    pub step: f64,
    /// Largest overlap of two shapes in contact [m].
    pub largest_overlap: f64,
    /// Lists of neighbours made.
    pub lists: u64,
}

/// Everything that granular mode has beside states and ledger; none of it changes what it does.
#[derive(Debug)]
pub struct Granular {
    pub(super) around: Surroundings,
    pub(super) contacts: Contacts,
    watch: Watch,
    started: Vec<(u32, Neighbours)>,
    longest: f64,
    /// Energy lost so far in the span [J], and the power at the last evaluation [W].
    lost: f64,
    power: f64,
    new_power: f64,
    largest_overlap: f64,
    /// Contacts that end, ascending.
    ending: Vec<u32>,
    /// Some pair is reported.
    reports: bool,
    /// Most contacts without an indicator slot that were warned of.
    pub warned: usize,
}

impl Granular {
    /// For a model.
    ///
    /// # Errors
    /// The scene has what this mode does not, by name.
    pub fn new(model: &Model) -> Result<Self, EvaluationError> {
        if let Some((_, _, flaw)) = model.scene.granular_flaws().first() {
            return Err(EvaluationError::error(flaw.to_string()));
        }
        let around = Surroundings::new(model);
        Ok(Granular {
            watch: Watch::new(model, &around),
            contacts: Contacts::new(model, &around),
            around,
            started: Vec::new(),
            longest: step::longest(model),
            lost: 0.0,
            power: 0.0,
            new_power: 0.0,
            largest_overlap: 0.0,
            ending: Vec::new(),
            reports: !model.scene.reported().is_empty(),
            warned: 0,
        })
    }

    /// The longest step that resolves each contact [s].
    pub fn longest_step(&self) -> f64 {
        self.longest
    }

    /// Number of steps in a span, and the length of each [s].
    pub fn steps(&self, span: &Span) -> (u64, f64) {
        /// What rounding leaves over is no step of its own [1].
        const PART_OF_STEP: f64 = 1e-6;
        let length = span.end - span.start;
        let count = (length / self.longest.min(span.longest) - PART_OF_STEP).ceil();
        let count = count.max(1.0);
        (count as u64, length / count)
    }

    /// Steps over a span: changes the states, and the contacts that [`Self::store`] gives.
    ///
    /// # Errors
    /// A state that is not finite: bodies far too deep in each other, or a force without a bound.
    pub fn advance(
        &mut self,
        system: &System,
        span: &Span,
        held: &[Held],
        states: &mut [f64],
        record: &mut impl Record,
    ) -> Result<Summary, EvaluationError> {
        let model = system.model();
        self.load(model, system.inputs(), span.start, states);
        // Which pairs the list of neighbours leaves out because they are in contact.
        let known = self.contacts.pairs();
        if !known.iter().eq(held.iter().map(|held| &held.started.pair)) {
            self.watch.forget();
        }
        self.contacts.clear();
        for held in held {
            self.contacts.resume(model, &self.around, held);
        }
        let lists = self.watch.lists;
        let (count, length) = self.steps(span);
        let finite = crew::share(self, model, span, (count, length), record);
        if !finite {
            let grains = &self.around.grains;
            let worst = grains
                .first_not_finite()
                .map_or("a body", |body| model.scene.bodies()[body].name.as_str());
            return Err(EvaluationError::error(format!(
                "the states of {worst} are not finite at {} s, after {count} steps of {length:e} s: \
                 bodies that overlap far too deep, or a force without a bound; shorter steps, \
                 experiment.max_step, may help",
                Exact(span.end)
            )));
        }
        self.around.grains.store(states);
        if let Some(work) = model.scene.layout().work() {
            states[work] += self.lost;
        }
        Ok(Summary {
            steps: count,
            step: length,
            largest_overlap: self.largest_overlap,
            lists: self.watch.lists - lists,
        })
    }

    /// Writes the contacts into a ledger and their deflections into the states. Returns those for
    /// which the ledger has no slot.
    pub fn store(&self, model: &Model, ledger: &mut Ledger, states: &mut [f64]) -> Vec<Held> {
        let layout = model.scene.layout();
        let held = self.contacts.held();
        ledger.take_contacts(&model.scene, held.iter().map(|held| held.started));
        states[layout.contacts()].fill(0.0);
        let mut beyond = Vec::new();
        for held in held {
            match ledger.contact(held.started.pair) {
                Some(known) => {
                    if let Some(own) = layout.deflection_of(known.pair, known.slot) {
                        states[layout.deflection(own)].copy_from_slice(&held.deflection);
                    }
                }
                None => beyond.push(held),
            }
        }
        beyond
    }

    /// The contacts of a ledger with their deflections, and those beyond it, ascending.
    pub fn held(model: &Model, ledger: &Ledger, beyond: &[Held], states: &[f64]) -> Vec<Held> {
        let layout = model.scene.layout();
        let known = ledger.contacts().iter().map(|contact| {
            let own = layout.deflection_of(contact.pair, contact.slot);
            let own = own.map(|own| &states[layout.deflection(own)]);
            Held {
                started: Started {
                    pair: contact.pair,
                    impact_speed: contact.impact_speed,
                    frozen: contact.frozen,
                    stepped: contact.stepped,
                },
                deflection: own.map_or([0.0; 3], |own| [own[0], own[1], own[2]]),
            }
        });
        // An event update may have given a slot to one that was beyond: that has its deflection.
        let mut all: Vec<Held> = beyond.iter().copied().chain(known).collect();
        all.sort_by_key(|held| held.started.pair);
        all.dedup_by_key(|held| held.started.pair);
        all
    }

    fn load(
        &mut self,
        model: &Model,
        (inputs, since): (&TiSlice<InputId, f64>, Option<f64>),
        time: f64,
        states: &[f64],
    ) {
        let around = &mut self.around;
        around.work.inputs.copy_from_slice(inputs);
        around.work.inputs_since = since;
        let way = around.grains.load(states) + around.place_others(model, time);
        around.place_rotors(model);
        self.watch.note_way(way);
        (self.lost, self.power, self.largest_overlap) = (0.0, 0.0, 0.0);
    }

    /// Moves all bodies over a step [s] to `time` [s], with a kick over `kick` [s] before.
    pub(super) fn drift(&mut self, model: &Model, (kick, step): (f64, f64), time: f64) {
        let around = &mut self.around;
        let way = around.grains.kick_and_drift(&model.gravity, kick, step);
        let way = way.max(around.place_others(model, time));
        around.place_rotors(model);
        self.watch.note_way(way);
    }

    /// Starts the contacts that begin at the present poses, `step` steps after the start.
    pub(super) fn detect(&mut self, model: &Model, step: u64, record: &mut impl Record) {
        record.stepped(step, self.around.work.time);
        let (contacts, around) = (&mut self.contacts, &mut self.around);
        let held = || contacts.pairs();
        if self.watch.look(model, around, held, &mut self.started) || step == 0 {
            for contact in &mut contacts.list {
                contact.place = self.watch.place(contact.started.pair);
            }
        }
        if step.is_multiple_of(HINTED) {
            contacts.find_hints(model, around);
        }
        for (place, pair) in &self.started {
            let started = contacts.start(model, around, pair.pair);
            if let Some(contact) = contacts.list.last_mut() {
                contact.place = Some(*place);
            }
            record.started(Start {
                pair: pair.pair,
                time: around.work.time,
                speed: started.impact_speed,
            });
        }
    }

    /// Forgets the sums over contacts.
    pub(super) fn begin_sums(&mut self) {
        self.around.grains.clear_forces();
        self.new_power = 0.0;
    }

    /// Adds what the contacts from `first` on do. `step` [s] is the length of the step that led
    /// here, 0 at the start.
    pub(super) fn add(
        &mut self,
        model: &Model,
        (first, pushes): (usize, &[Push]),
        (step, weight): (f64, f64),
        record: &mut impl Record,
    ) {
        let rule = model.scene.contact().law.rule;
        let grains = &mut self.around.grains;
        for (index, push) in (first..).zip(pushes) {
            let pair = self.contacts.rounds[index].grains;
            grains.add(pair, &push.force, &push.torques);
            self.new_power += push.dissipation;
            self.largest_overlap = self.largest_overlap.max(-push.gap);
            if self.reports
                && let Some(report) = self.contacts.list[index].report
            {
                record.pushed(report, &push.force, weight);
            }
            self.contacts.stretch(index, push, step);
            if rule.indicator(push.gap, true) > 0.0 {
                self.ending.push(index as u32);
            }
        }
    }

    /// Takes the sums, and ends the contacts that end.
    pub(super) fn take_sums(&mut self, model: &Model, step: f64, record: &mut impl Record) {
        self.lost += 0.5 * step * (self.power + self.new_power);
        self.power = self.new_power;
        while let Some(index) = self.ending.pop() {
            let (contact, energy) = self.contacts.end(index as usize);
            self.lost += energy;
            if let Some(place) = contact.place {
                self.watch.release(place);
            }
            record.ended(contact.started.pair, self.around.work.time);
        }
        if !self.around.grains.driven.is_empty() {
            self.around.apply_forces(model);
        }
    }

    /// The last kick. Returns false if a state is not finite.
    pub(super) fn end(&mut self, model: &Model, kick: f64) -> bool {
        self.around.grains.kick(&model.gravity, kick)
    }
}
