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
use crate::dynamics::approach::Approach;
use crate::dynamics::event::{self, ContactChange};
use crate::dynamics::guard;
use crate::dynamics::island::Change;
use crate::dynamics::island::bench::Bench;
use crate::dynamics::island::system::IslandSystem;
use crate::dynamics::path::PathEnd;
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

impl IslandSystem<'_> {
    /// See [`HybridSystem::pass_over`](crate::hybrid::HybridSystem::pass_over).
    pub(super) fn pass_contacts_over(
        &mut self,
        step: &DenseStep<'_>,
        indicators: [&[f64]; 2],
    ) -> Result<Passing, EvaluationError> {
        let bench = &mut *self.bench;
        bench.path.follow(&self.system.model, step, &bench.work);
        let pairs = bench.shapes.len();
        let (of_pairs, of_stops) = (
            indicators.map(|values| &values[..pairs]),
            indicators.map(|values| &values[pairs..]),
        );
        if self.meets_stop(of_stops)
            || self.meets_trigger(of_stops)
            || !self.find_changes(step, of_pairs)
            || !self.ends_are_harmless(step, of_pairs)
        {
            return Ok(Passing::Event);
        }
        let passed = &self.bench.passed;
        if passed.found.is_empty() {
            let count = passed.started.len() + passed.ended.len();
            return Ok(Passing::Passed(count as u64));
        }
        match self.start_contacts(step)? {
            true => Ok(Passing::Repeat),
            false => Ok(Passing::Event),
        }
    }

    /// Returns true if an end stop starts or ends contact.
    fn meets_stop(&self, [start, end]: [&[f64]; 2]) -> bool {
        let bench = &*self.bench;
        let mut stops = bench.stops.iter().zip(start.iter().zip(end));
        stops.any(|(stop, (start, end))| {
            let mut entry = None;
            if bench.ledger.stops()[*stop].is_none() {
                guard::meet_stop(&mut entry, &bench.path, &self.system.model.stops[*stop]);
            }
            entry.is_some() || (*start > 0.0) != (*end > 0.0)
        })
    }

    /// Returns true if the trigger of an open latch changes its domain; the indicators are those of stops and
    /// triggers.
    fn meets_trigger(&self, [start, end]: [&[f64]; 2]) -> bool {
        let bench = &*self.bench;
        let behind = bench.stops.len();
        let values = start[behind..].iter().zip(&end[behind..]);
        let mut triggers = bench.triggers.iter().zip(values);
        triggers.any(|(latch, (start, end))| {
            let mut entry = None;
            if !bench.ledger.latches()[*latch].is_closed && *start > 0.0 {
                guard::meet_trigger(&mut entry, &bench.path, &self.system.model, *latch);
            }
            entry.is_some() || (*start > 0.0) != (*end > 0.0)
        })
    }

    /// Finds the contacts that end in the step and the entries of others. Returns false if an event
    /// is needed.
    fn find_changes(&mut self, step: &DenseStep<'_>, [start, end]: [&[f64]; 2]) -> bool {
        let (model, rule) = (&self.system.model, self.system.rule);
        let Bench {
            path,
            shapes,
            ledger,
            contacts,
            active,
            passed,
            looks,
            ..
        } = &mut *self.bench;
        passed.ended.clear();
        passed.found.clear();
        for (slot, shapes) in shapes.iter_enumerated() {
            let [start, end] = [start, end].map(|values| values[usize::from(slot)]);
            let mut approach = Approach {
                model,
                path,
                shapes,
                hint: ledger.hint(slot),
                rule,
                looks,
            };
            if let Some(index) = active[slot] {
                if end > 0.0 {
                    if !contacts.law(&contacts.list()[index]).starts_smoothly() {
                        return false;
                    }
                    let between = Entry {
                        before: passed.start_of(slot, step),
                        after: 1.0,
                    };
                    let part = guard::change_of(&mut approach, between, WIDTH, false);
                    passed.ended.push((slot, time_at(step, part)));
                }
                continue;
            }
            if start > 0.0 && start - shapes.travel(approach.path, PathEnd::Start) > 0.0 {
                continue;
            }
            let mut entry = None;
            guard::meet(&mut entry, &mut approach);
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
        if self.bench.passed.ended.is_empty() {
            return true;
        }
        self.place();
        let bench = &*self.bench;
        let length = step.t1() - step.t0();
        bench.passed.ended.iter().all(|(slot, _)| {
            let at = usize::from(*slot);
            let pair = self.island.pairs[at];
            let placement = event::placement(&self.system.model, &bench.work);
            let near = placement.proximity(pair, bench.ledger.hint(*slot));
            let speed = (end[at] - start[at]).abs() / length;
            self.is_harmless(pair, &near, speed, length)
        })
    }

    /// Starts the contacts found. Returns false if one needs an event.
    fn start_contacts(&mut self, step: &DenseStep<'_>) -> Result<bool, EvaluationError> {
        let (model, rule) = (&self.system.model, self.system.rule);
        let length = step.t1() - step.t0();
        let mut contacts: Vec<Contact> = self.bench.ledger.contacts().to_vec();
        for place in 0..self.bench.passed.found.len() {
            let (slot, entry) = self.bench.passed.found[place];
            let pair = self.island.pairs[usize::from(slot)];
            if !model.law(pair).starts_smoothly() {
                return Ok(false);
            }
            let Bench {
                path,
                shapes,
                ledger,
                looks,
                ..
            } = &mut *self.bench;
            let mut approach = Approach {
                model,
                path,
                shapes: &shapes[slot],
                hint: ledger.hint(slot),
                rule,
                looks,
            };
            let part = guard::change_of(&mut approach, entry, WIDTH, true);
            let time = time_at(step, part);
            let mut states = std::mem::take(&mut self.bench.passed.states);
            states.resize(step.start().len(), 0.0);
            step.interpolate(time, &mut states);
            let placed = self.go_to(time, &states);
            self.bench.passed.states = states;
            placed?;
            self.place();
            self.factor();
            let bench = &mut *self.bench;
            let near =
                event::placement(model, &bench.work).proximity(pair, bench.ledger.hint(slot));
            let (impact_speed, frozen) =
                event::start(model, &bench.work, pair, &near, &mut bench.patch);
            let law = model.law(pair);
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
            self.bench.passed.started.push((slot, time));
        }
        self.set_contacts(contacts);
        Ok(true)
    }

    /// Returns true if the kink of a contact that starts or ends with this speed [m/s] in a step of this
    /// length [s] is below the tolerance of the velocities of both bodies.
    fn is_harmless(&self, pair: PairId, near: &Proximity, speed: f64, length: f64) -> bool {
        let (model, bench) = (&self.system.model, &*self.bench);
        let Some(law) = model.law(pair).normal.elastic().copied() else {
            return false;
        };
        let impulse = KINK * law.force(speed * length) * length;
        let nominals = &self.system.nominals[0];
        model.pair_bodies(pair).iter().all(|body| {
            let Some(link) = model.links.of_bodies[*body] else {
                return true;
            };
            // Of joints it is not known what a force does.
            if !model.links.is_rigid(link) {
                return false;
            }
            let numbers = &model.bodies[*body];
            let arm = near.contact_point_w() - bench.work.frames[body.frame()].position;
            // Friction acts at the same arm as well, across the normal.
            let turning = impulse * arm.norm() * numbers.inverse_inertia_b.norm();
            let rates = &nominals[model.links.all[link].rates.clone()];
            impulse / numbers.mass <= bench.tolerance * rates[0]
                && turning <= bench.tolerance * rates[3]
        })
    }

    /// Takes out the contacts that [`Self::start_contacts`] has started. Returns true if there are
    /// any.
    pub(super) fn forget_started(&mut self) -> bool {
        let passed = &mut self.bench.passed;
        let started = std::mem::take(&mut passed.started);
        passed.clear();
        if started.is_empty() {
            return false;
        }
        let mut contacts = self.bench.ledger.contacts().to_vec();
        contacts.retain(|contact| started.iter().all(|(slot, _)| *slot != contact.slot));
        self.set_contacts(contacts);
        true
    }

    /// Changes the contacts for good at the end of a step.
    pub(super) fn take_passed(&mut self) {
        let passed = &mut self.bench.passed;
        if passed.started.is_empty() && passed.ended.is_empty() {
            return;
        }
        let (started, ended) = (
            std::mem::take(&mut passed.started),
            std::mem::take(&mut passed.ended),
        );
        let mut contacts = self.bench.ledger.contacts().to_vec();
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
                pair: self.island.pairs[usize::from(slot)],
                impact_speed,
            };
            self.island.changes.push((time, Change::Contact(change)));
        }
        contacts.retain(|contact| ended.iter().all(|(slot, _)| *slot != contact.slot));
        self.set_contacts(contacts);
    }

    fn set_contacts(&mut self, mut contacts: Vec<Contact>) {
        contacts.sort_unstable_by_key(|contact| contact.pair);
        self.bench.ledger.set_contacts(&contacts);
        self.bench.contacts_changed(self.system, self.island);
    }
}
