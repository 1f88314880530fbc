//! Contacts that start and end within a step without an event.
//!
//! The force of a contact that grows from zero like t^(3/2) or more smoothly has a kink at its start
//! and its end. In a step of length h that it goes with the speed u, its force is F(u h) at most, and
//! the formula misses less than [`KINK`] F(u h) h of its momentum, of which the error estimate sees a part
//! only. If that is below the tolerance of velocities no event is needed. So the step is repeated with the contact, whose force is zero up to its start, and
//! whose impact speed is that on the dense output there. A contact that has ended is taken out at
//! the end of the step. In an island of many bodies one of them starts or ends a contact in nearly every step,
//! and an event there would restart all.

use crate::contact::Contact;
use crate::dynamics::approach::{Approach, ShapePair};
use crate::dynamics::contacts::Watched;
use crate::dynamics::guard;
use crate::dynamics::path::PathEnd;
use crate::dynamics::source::contacts::start;
use crate::dynamics::source::meet;
use crate::dynamics::source::{Change, ContactChange};
use crate::dynamics::stage::Stage;
use crate::dynamics::system::System;
use crate::hybrid::{Entry, EvaluationError, Passing};
use contact_geometry::math::dense::DenseStep;
use contact_geometry::narrow_phase::Proximity;
use contact_laws::index::{PairId, SlotId};

/// Part of F(u h) h by which a step may be off [1]. With a force (t - t_0)^(3/2) that starts anywhere
/// in the step, or ends there, it is 0.0056 at most by the formula of Dormand and Prince; others have
/// as many stages.
pub const KINK: f64 = 0.02;
/// Width to which the start of a contact is closed in, as part of the step [1]; the dense output is
/// no better.
const WIDTH: f64 = 1e-9;

/// Time [s] at a part of a step.
fn time_at(step: &DenseStep<'_>, part: f64) -> f64 {
    step.t0() + part * (step.t1() - step.t0())
}

impl System {
    /// See [`HybridSystem::pass_over`](crate::hybrid::HybridSystem::pass_over).
    pub(in crate::dynamics) fn pass_contacts_over(
        &mut self,
        step: &DenseStep<'_>,
        indicators: [&[f64]; 2],
    ) -> Result<Passing, EvaluationError> {
        let Stage { mode, work, .. } = &self.stage;
        self.guard.path.follow(&mode.model, step, work);
        let [contacts, others @ ..] = self.sources.list();
        let mut at = contacts.count(mode);
        let of_pairs = indicators.map(|values| &values[..at]);
        for source in others {
            let own = at..at + source.count(mode);
            at = own.end;
            let own = indicators.map(|values| &values[own.clone()]);
            if self.guard.changes(mode, source, own) {
                return Ok(Passing::Event);
            }
        }
        if !self.find_changes(step, of_pairs) || !self.ends_are_harmless(step, of_pairs) {
            return Ok(Passing::Event);
        }
        if self.passed.found.is_empty() {
            let count = self.passed.started.len() + self.passed.ended.len();
            return Ok(Passing::Passed(count as u64));
        }
        match self.start_contacts(step)? {
            true => Ok(Passing::Repeat),
            false => Ok(Passing::Event),
        }
    }

    /// Finds the contacts that end in the step and the entries of others. Returns false if an event
    /// is needed.
    fn find_changes(&mut self, step: &DenseStep<'_>, [start, end]: [&[f64]; 2]) -> bool {
        let (mode, passed) = (&self.stage.mode, &mut self.passed);
        let rule = mode.model.scene.contact().law.rule;
        passed.ended.clear();
        passed.found.clear();
        for contact in mode.contacts.list() {
            let slot = contact.slot;
            if end[usize::from(slot)] <= 0.0 {
                continue;
            }
            if !mode.contacts.law(contact).starts_smoothly() {
                return false;
            }
            let between = Entry {
                before: passed.start_of(slot, step),
                after: 1.0,
            };
            let mut approach = Approach {
                model: &mode.model,
                path: &mut self.guard.path,
                shapes: &ShapePair::new(&mode.model, contact.pair),
                hint: mode.ledger.hint(slot),
                rule,
                looks: &mut self.guard.looks,
            };
            let part = guard::change_of(&mut approach, between, WIDTH, false);
            passed.ended.push((slot, time_at(step, part)));
        }
        for Watched { slot, shapes } in mode.watchers.watched() {
            let [start, end] = [start, end].map(|values| values[usize::from(slot)]);
            let path = &mut self.guard.path;
            if start > 0.0 && start - shapes.travel(path, PathEnd::Start) > 0.0 {
                continue;
            }
            let mut entry = None;
            let mut approach = Approach {
                model: &mode.model,
                path,
                shapes,
                hint: mode.ledger.hint(slot),
                rule,
                looks: &mut self.guard.looks,
            };
            meet(&mut entry, &mut approach);
            match entry {
                Some(entry) if start > 0.0 && entry.after > entry.before => {
                    passed.found.push((slot, entry));
                }
                None if end > 0.0 && start > 0.0 => {}
                _ => return false,
            }
        }
        true
    }

    /// Returns true if no contact that ends in the step, at whose end the bodies are placed, needs an
    /// event.
    fn ends_are_harmless(&mut self, step: &DenseStep<'_>, [start, end]: [&[f64]; 2]) -> bool {
        if self.passed.ended.is_empty() {
            return true;
        }
        self.stage.place();
        let length = step.t1() - step.t0();
        let placement = self.stage.placement();
        self.passed.ended.iter().all(|(slot, _)| {
            let (at, pair) = (usize::from(*slot), self.pair_in(*slot));
            let near = placement.proximity(pair, self.ledger().hint(*slot));
            let speed = (end[at] - start[at]).abs() / length;
            self.is_harmless(pair, &near, speed, length)
        })
    }

    /// The pair that a slot was given.
    fn pair_in(&self, slot: SlotId) -> PairId {
        self.ledger().slots()[slot].unwrap_or(PairId::FIRST)
    }

    /// Starts the contacts found. Returns false if one needs an event.
    fn start_contacts(&mut self, step: &DenseStep<'_>) -> Result<bool, EvaluationError> {
        let length = step.t1() - step.t0();
        let mut contacts: Vec<Contact> = self.ledger().contacts().to_vec();
        for place in 0..self.passed.found.len() {
            let (slot, entry) = self.passed.found[place];
            let pair = self.pair_in(slot);
            let law = self.model().law(pair);
            if !law.starts_smoothly() {
                return Ok(false);
            }
            let mode = &self.stage.mode;
            let mut approach = Approach {
                model: &mode.model,
                path: &mut self.guard.path,
                shapes: &ShapePair::new(&mode.model, pair),
                hint: mode.ledger.hint(slot),
                rule: mode.model.scene.contact().law.rule,
                looks: &mut self.guard.looks,
            };
            let part = guard::change_of(&mut approach, entry, WIDTH, true);
            let time = time_at(step, part);
            let mut states = std::mem::take(&mut self.passed.states);
            states.resize(step.start().len(), 0.0);
            step.interpolate(time, &mut states);
            let placed = self.go_to(time, &states);
            self.passed.states = states;
            placed?;
            self.stage.place();
            self.stage.factor();
            let Stage { mode, work, .. } = &self.stage;
            let near = self
                .stage
                .placement()
                .proximity(pair, mode.ledger.hint(slot));
            let patch = &mut self.sources.contacts.patch;
            let (impact_speed, frozen) = start(&mode.model, work, pair, &near, patch);
            let jumps = law.impulse.is_some_and(|i| impact_speed > i.rest_speed);
            if jumps || !self.is_harmless(pair, &near, impact_speed, length) {
                return Ok(false);
            }
            contacts.push(Contact {
                pair,
                slot,
                impact_speed,
                frozen,
                stepped: None,
            });
            self.passed.started.push((slot, time));
        }
        self.set_contacts(contacts);
        Ok(true)
    }

    /// Returns true if the kink of a contact that starts or ends with this speed [m/s] in a step of this
    /// length [s] is below the tolerance of the velocities of both bodies.
    fn is_harmless(&self, pair: PairId, near: &Proximity, speed: f64, length: f64) -> bool {
        let Stage { mode, work, .. } = &self.stage;
        let model = &*mode.model;
        let Some(law) = model.law(pair).normal.elastic().copied() else {
            return false;
        };
        let impulse = KINK * law.force(speed * length) * length;
        let (nominals, tolerance) = (&self.scales.nominals, self.passed.tolerance);
        model.pair_bodies(pair).iter().all(|body| {
            let Some(link) = model.links.of_bodies[*body] else {
                return true;
            };
            // Of joints it is not known what a force does.
            if !model.links.is_rigid(link) {
                return false;
            }
            let numbers = &model.bodies[*body];
            let arm = near.contact_point_w() - work.frames[body.frame()].position;
            // Friction acts at the same arm as well, across the normal.
            let turning = impulse * arm.norm() * numbers.inverse_inertia_b.norm();
            let rates = &nominals[model.links.all[link].rates.clone()];
            impulse / numbers.mass <= tolerance * rates[0] && turning <= tolerance * rates[3]
        })
    }

    /// Takes out the contacts that [`Self::start_contacts`] has started. Returns true if there are
    /// any.
    pub(in crate::dynamics) fn forget_started(&mut self) -> bool {
        let passed = &mut self.passed;
        let started = std::mem::take(&mut passed.started);
        passed.clear();
        if started.is_empty() {
            return false;
        }
        let mut contacts = self.ledger().contacts().to_vec();
        contacts.retain(|contact| started.iter().all(|(slot, _)| *slot != contact.slot));
        self.set_contacts(contacts);
        true
    }

    /// Changes the contacts for good at the end of a step.
    pub(in crate::dynamics) fn take_passed(&mut self) {
        let passed = &mut self.passed;
        if passed.started.is_empty() && passed.ended.is_empty() {
            return;
        }
        let (started, ended) = (
            std::mem::take(&mut passed.started),
            std::mem::take(&mut passed.ended),
        );
        let mut contacts = self.ledger().contacts().to_vec();
        let speed = |slot: SlotId| {
            let mut known = contacts.iter();
            known.find(|c| c.slot == slot).map(|c| c.impact_speed)
        };
        let starts = started
            .iter()
            .map(|(slot, time)| (*slot, *time, speed(*slot)));
        let ends = ended.iter().map(|(slot, time)| (*slot, *time, None));
        for (slot, time, impact_speed) in starts.chain(ends) {
            let change = ContactChange {
                pair: self.pair_in(slot),
                impact_speed,
            };
            self.passed.changes.push((time, Change::Contact(change)));
        }
        contacts.retain(|contact| ended.iter().all(|(slot, _)| *slot != contact.slot));
        self.set_contacts(contacts);
    }

    fn set_contacts(&mut self, mut contacts: Vec<Contact>) {
        contacts.sort_unstable_by_key(|contact| contact.pair);
        self.stage.mode.ledger.set_contacts(&contacts);
        self.contacts_changed(false);
    }
}
