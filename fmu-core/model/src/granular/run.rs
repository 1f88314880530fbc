//! Steps from one communication point to the next.
//!
//! Contacts start from the ledger, in pair order, and grains from the states, so that results depend on
//! states and ledger alone: a run from a saved state has the same bits. Forces are summed in the order of the
//! contacts, whichever thread computed them.
//!
//! # Length of a step, from the stiffest contact
//!
//! A pair with the effective mass m [kg] that meets at [`REFERENCE_SPEED`] stores all energy at the depth
//! delta of its law; with the stiffness k = df/d(delta) there, its contact lasts about T = pi sqrt(m/k),
//! longer for a soft onset: 1.28 T with Hertz. The step is T over [`STEPS_PER_CONTACT`], the minimum over all
//! pairs. For a body whose contact point is not in line with its centre of mass m is that of the farthest
//! point of its shape, the smallest possible. Sticking friction is a spring too, with the effective mass
//! perpendicular to the normal, 2/7 m for balls: its pi sqrt(m/k) over [`STEPS_IN_SHEAR`] bounds a step.
//!
//! The velocity Verlet rule is stable up to sqrt(4 m/k) = 0.64 T. Common choices are a tenth to a fifth of
//! the time in which a Rayleigh wave passes a grain, [Ning, Ghadiri 2006] Distinct element analysis of
//! attrition of granular solids under shear deformation, Chemical Engineering Science 61, 5991-6001, or a
//! twentieth to a fiftieth of the contact time. The first is what an elastic body can follow; a contact law
//! requires the second, which also holds for springs.
//!
//! # Pairs that may touch
//!
//! The list has all pairs closer than a reach, [Allen, Tildesley 2017] section 5.3, and is renewed when a
//! point may have moved by half of that. The odometer is the sum of the largest displacements of any point
//! over the steps since then: a gap g cannot close before it has advanced by g/2. A pair out of contact waits
//! in the bucket of a ring that the odometer reaches then, and is checked in each step only if it may touch
//! within the present bucket. Balls far from all others cost nothing. Results do not depend on when the list
//! was made: a contact starts in the first step in which its rule says so.
//!
//! # Threads that share a step
//!
//! A [`Crew`] moves the grains, evaluates and starts contacts and makes the lists. One thread sums the load
//! of a grain in the order of its contacts. Events of contacts, rotors, applied forces and the sum of
//! dissipated power are left to the calling thread.

use crate::broad_phase::{Cells, Neighbours};
use crate::contact::{Ledger, Started};
use crate::dynamics::scale::REFERENCE_SPEED;
use crate::dynamics::{Model, System};
use crate::granular::balls::{ALONE, NO_GRAIN, Surroundings};
use crate::granular::contacts::{GrainContacts, Held, Start, ThreadPart};
use crate::granular::lanes::Sampling;
use crate::hybrid::EvaluationError;
use crate::scene::Pair;
use crate::threads::Crew;
use contact_geometry::math::{Exact, Vec3};
use contact_laws::index::{InputId, PairId, ReportId, ShapeId, TiSlice, TiVec, ti_vec};
use contact_laws::response::stick::Deflection;

/// Number of steps after which the warm starts of searches are updated.
const HINTED: u64 = 16;

/// A communication step, or a part of one.
#[derive(Clone, Copy, Debug)]
pub struct Span<'a> {
    /// Start [s].
    pub start: f64,
    /// End [s].
    pub end: f64,
    /// Longest step [s].
    pub longest: f64,
    /// Threads that share the work.
    pub crew: &'a Crew,
}

/// Receiver of occurrences inside a span.
pub trait Record {
    /// A contact started.
    fn started(&mut self, start: Start);
    /// The contact of a pair ended at a time [s].
    fn ended(&mut self, pair: contact_laws::index::PairId, time: f64);
    /// A reported contact exerted this force on 2 [N] for a time [s].
    fn pushed(&mut self, report: ReportId, force: &Vec3, time: f64);
    /// This number of steps is done, at a time [s].
    fn stepped(&mut self, steps: u64, time: f64);
}

/// Work done in a span.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// Number of steps.
    pub steps: u64,
    /// Length of each step [s].
    pub step: f64,
    /// Largest overlap of two shapes in contact [m].
    pub largest_overlap: f64,
    /// Neighbour lists made.
    pub lists: u64,
}

/// Data of granular mode that are neither states nor ledger; none of it affects results.
#[derive(Debug)]
pub struct Granular {
    pub(super) around: Surroundings,
    pub(super) contacts: GrainContacts,
    parts: Vec<ThreadPart>,
    watch: Watch,
    started: Vec<(u32, Neighbours)>,
    longest: f64,
    /// Energy dissipated so far in the span [J], and the power at the last evaluation [W].
    lost: f64,
    power: f64,
    largest_overlap: f64,
    ending: Vec<u32>,
    /// Force on 2 in a step [N].
    reported: TiVec<ReportId, Vec3>,
    /// Largest number of contacts without an indicator slot that a warning has been given for.
    pub warned: usize,
}

impl Granular {
    /// Granular mode of a model.
    ///
    /// # Errors
    /// Unsupported elements of the scene, by name.
    pub fn new(model: &Model) -> Result<Self, EvaluationError> {
        if let Some((_, _, flaw)) = model.scene.granular_flaws().first() {
            return Err(EvaluationError::error(flaw.message.clone()));
        }
        let around = Surroundings::new(model);
        Ok(Granular {
            watch: Watch::new(model, &around),
            contacts: GrainContacts::new(model, &around),
            parts: Vec::new(),
            around,
            started: Vec::new(),
            longest: longest(model),
            lost: 0.0,
            power: 0.0,
            largest_overlap: 0.0,
            ending: Vec::new(),
            reported: ti_vec![Vec3::zeros(); model.scene.report_count()],
            warned: 0,
        })
    }

    /// Longest step that resolves each contact [s].
    pub fn longest_step(&self) -> f64 {
        self.longest
    }

    /// Number of steps in a span, and the length of each [s].
    pub fn steps(&self, span: &Span<'_>) -> (u64, f64) {
        /// Fraction of a step that is rounding [1].
        const PART_OF_STEP: f64 = 1e-6;
        let length = span.end - span.start;
        let count = (length / self.longest.min(span.longest) - PART_OF_STEP).ceil();
        let count = count.max(1.0);
        (count as u64, length / count)
    }

    /// Steps over a span: changes the states, and the contacts written by [`Self::store`].
    ///
    /// # Errors
    /// A state that is not finite: bodies in far too deep overlap, or an unbounded force.
    pub fn advance(
        &mut self,
        system: &System,
        span: &Span<'_>,
        held: &[Held],
        states: &mut [f64],
        record: &mut impl Record,
    ) -> Result<Summary, EvaluationError> {
        let model = system.model();
        let (inputs, since) = system.inputs();
        self.load(model, inputs, since, span.start, states);
        let mut span = *span;
        let alone = Crew::new(1);
        if self.around.grains.all.len() < ALONE {
            span.crew = &alone;
        }
        let span = &span;
        // Which pairs the list of neighbours leaves out because they are in contact.
        let known = self.contacts.pairs();
        if !known.iter().eq(held.iter().map(|held| &held.started.pair)) {
            self.watch.forget();
        }
        self.contacts.clear();
        self.contacts.resume(span.crew, model, &self.around, held);
        let lists = self.watch.lists;
        let new = || ThreadPart::new(model);
        self.parts.resize_with(span.crew.threads(), new);
        let finite = self.walk(model, span, record);
        let (count, length) = self.steps(span);
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

    /// Writes the contacts to a ledger and their deflections to the states. Returns the contacts without a
    /// slot in the ledger.
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
                        let along = Vec3::from(held.deflection);
                        Deflection::from(along).write(&mut states[layout.deflection(own)]);
                    }
                }
                None => beyond.push(held),
            }
        }
        beyond
    }

    /// Contacts of a ledger with their deflections, and those beyond it, ascending.
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
        inputs: &TiSlice<InputId, f64>,
        since: Option<f64>,
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

    /// Takes all steps of a span. Returns false if a state is not finite.
    fn walk(&mut self, model: &Model, span: &Span<'_>, record: &mut impl Record) -> bool {
        let (count, length) = self.steps(span);
        for number in 0..=count {
            let (is_start, is_end) = (number == 0, number == count);
            if !is_start {
                let kick = if number == 1 { 0.5 * length } else { length };
                let time = match is_end {
                    true => span.end,
                    false => span.start + number as f64 * length,
                };
                let (grains, crew) = (&mut self.around.grains, span.crew);
                let way = grains.kick_and_drift(crew, &model.gravity, kick, length);
                let way = way.max(self.around.place_others(model, time));
                self.around.place_rotors(model);
                self.watch.note_way(way);
            }
            self.detect(model, span.crew, number, record);
            let at = Sampling {
                ahead: if is_start { 0.0 } else { length },
                steps: length.recip(),
            };
            let (parts, around) = (&mut self.parts[..], &mut self.around);
            self.contacts.exert(span.crew, parts, model, around, at);
            let weight = match is_start || is_end {
                true => 0.5 * length,
                false => length,
            };
            self.take_sums(model, at.ahead, weight, record);
        }
        self.around.grains.kick(&model.gravity, 0.5 * length)
    }

    /// Starts the contacts that begin at the present poses, `step` steps after the start.
    fn detect(&mut self, model: &Model, crew: &Crew, step: u64, record: &mut impl Record) {
        record.stepped(step, self.around.work.time);
        let (contacts, around) = (&mut self.contacts, &mut self.around);
        let (watch, started) = (&mut self.watch, &mut self.started);
        let held = || contacts.pairs();
        if watch.look(crew, model, around, held, started) || step == 0 {
            crew.pieces(&mut contacts.list[..], PAIRS, |_, contacts| {
                for contact in contacts {
                    contact.place = watch.place(contact.started.pair);
                }
            });
        }
        if step.is_multiple_of(HINTED) {
            contacts.find_hints(crew, model, around);
        }
        for shape in started.iter().flat_map(|(_, pair)| pair.shapes) {
            let grain = around.round[shape];
            if grain != NO_GRAIN {
                around.place(model, grain as usize);
            }
        }
        for contact in contacts.start(crew, &mut self.parts, model, around, started) {
            record.started(Start {
                pair: contact.started.pair,
                time: around.work.time,
                speed: contact.started.impact_speed,
            });
        }
    }

    /// Collects the effects of the contacts at the end of a step [s], and ends those that end.
    fn take_sums(&mut self, model: &Model, step: f64, weight: f64, record: &mut impl Record) {
        if !self.reported.is_empty() {
            self.reported.fill(Vec3::zeros());
            for (reports, force) in self.contacts.reported() {
                reports
                    .iter()
                    .for_each(|report| self.reported[*report] += force);
            }
            let reported = self.reported.iter_enumerated();
            reported.for_each(|(report, force)| record.pushed(report, force, weight));
        }
        if model.scene.layout().work().is_some() {
            let power = self.contacts.power();
            self.lost += 0.5 * step * (self.power + power);
            self.power = power;
        }
        for part in &mut self.parts {
            let overlap = std::mem::take(&mut part.largest_overlap);
            self.largest_overlap = self.largest_overlap.max(overlap);
            self.ending.append(&mut part.ending);
        }
        self.ending.sort_unstable();
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
}

/// Steps in pi sqrt(m/k) of the stiffest contact. With 25 the largest penetration of an impact is within 3e-4
/// of the exact one, and its sample within 2e-3 of it.
const STEPS_PER_CONTACT: f64 = 25.0;
/// Steps in pi sqrt(m/k) of the stiffest tangential spring: half as many, since no impact loads it suddenly.
/// A stiffness derived from the normal one requires no shorter step.
const STEPS_IN_SHEAR: f64 = 12.5;
/// Step without forces [s].
const FREE_STEP: f64 = 1e-3;

/// Longest step [s] that resolves each contact of a model.
pub(crate) fn longest(model: &Model) -> f64 {
    let classes = model.pair_classes();
    let of_pair = |pair: Pair| {
        let law = model.law_of(&pair);
        let [mass, across] = least_masses(model, &pair);
        let depth = law.depth_after_impact(mass, REFERENCE_SPEED)?;
        let (stiffness, _) = law.slopes(depth, 0.0, law.frozen(REFERENCE_SPEED, mass));
        let period = |mass: f64, stiffness: f64| std::f64::consts::PI * (mass / stiffness).sqrt();
        let normal = period(mass, stiffness) / STEPS_PER_CONTACT;
        let held = law
            .friction
            .stick()
            .map(|stick| period(across, stick.stiffness) / STEPS_IN_SHEAR);
        let step = held.map_or(normal, |held| normal.min(held));
        (step > 0.0 && step.is_finite()).then_some(step)
    };
    let steps = classes.iter().filter_map(|class| of_pair(class.first()));
    steps.reduce(f64::min).unwrap_or(FREE_STEP)
}

/// Smallest effective masses [kg] with which a pair can meet, along and perpendicular to the normal.
fn least_masses(model: &Model, pair: &Pair) -> [f64; 2] {
    let inverse = |shape: ShapeId| {
        let body = model.scene.shapes()[shape].body;
        let numbers = &model.bodies[body];
        if !model.scene.bodies()[body].is_free() {
            return [0.0; 2];
        }
        let form = &model.scene.shapes()[shape];
        let off = (form.pose_b.position - numbers.center_of_mass_b).norm();
        let reach = off + form.form.core.solid().reach();
        let arm = if form.form.is_ball() { off } else { reach };
        let turning = numbers.inverse_inertia_b.norm();
        let axis = if arm == 0.0 {
            turning / 3f64.sqrt()
        } else {
            turning
        };
        let lever = reach + form.form.radius;
        let own = 1.0 / numbers.mass;
        [own + arm * arm * turning, own + lever * lever * axis]
    };
    let [one, two] = pair.shapes.map(inverse);
    [0, 1].map(|i| match one[i] + two[i] {
        0.0 => crate::dynamics::model::MASS_UNKNOWN,
        sum => 1.0 / sum,
    })
}

/// Number of buckets of the distance for which a list lasts, half of the reach.
const BUCKETS: usize = 128;
/// Relative rounding of a distance [1].
const ROUNDING: f64 = 1e-9;

/// Bucket of a pair in contact, which no check waits for.
const TOUCHES: usize = usize::MAX;
/// Minimum number of pairs per work item: a gap takes some 0.05 us.
const PAIRS: usize = 32;

#[derive(Clone, Copy, Debug)]
struct Listed {
    of: Neighbours,
    /// Round grains of the pair and the sum of their radii [m]; [`NO_GRAIN`] twice for other shapes.
    grains: [u32; 2],
    radii: f64,
}

/// Neighbour list with its odometer.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    cells: Cells,
    reach: f64,
    quantum: f64,
    /// Distance since the list was made [m]; infinite before the first.
    odometer: f64,
    list: Vec<Listed>,
    /// Indices in the list of pairs that are checked in each step.
    near: Vec<u32>,
    /// Pairs checked now, and the bucket of their next check: [`TOUCHES`] for never.
    due: Vec<u32>,
    buckets: Vec<usize>,
    /// Waiting pairs, by the bucket in which they may touch; beyond the last a new list is made before.
    ring: Vec<Vec<u32>>,
    /// Number of buckets that the odometer has passed.
    passed: usize,
    pub lists: u64,
}

impl Watch {
    pub(crate) fn new(model: &Model, around: &Surroundings) -> Self {
        let cells = Cells::new(&model.scene, &around.placed(model));
        let reach = cells.typical_reach();
        Watch {
            reach,
            quantum: 0.5 * reach / BUCKETS as f64,
            cells,
            odometer: f64::INFINITY,
            list: Vec::new(),
            near: Vec::new(),
            due: Vec::new(),
            buckets: Vec::new(),
            ring: vec![Vec::new(); BUCKETS + 1],
            passed: 0,
            lists: 0,
        }
    }

    /// Adds the largest displacement of a point [m].
    fn note_way(&mut self, way: f64) {
        self.odometer += way * (1.0 + ROUNDING);
    }

    pub(crate) fn forget(&mut self) {
        self.odometer = f64::INFINITY;
    }

    /// Writes the pairs that begin to touch, ascending, with their indices in the list. `held` gives the
    /// pairs in contact, ascending; it is called if a new list is made, and true is returned then: indices
    /// change.
    pub(crate) fn look(
        &mut self,
        crew: &Crew,
        model: &Model,
        around: &Surroundings,
        held: impl FnOnce() -> Vec<PairId>,
        started: &mut Vec<(u32, Neighbours)>,
    ) -> bool {
        // NaN makes it stale, too.
        let stale = !matches!(self.odometer, way if way < 0.5 * self.reach);
        if stale {
            self.make(crew, model, around, &held());
        }
        started.clear();
        let now = (self.odometer / self.quantum) as usize;
        std::mem::swap(&mut self.near, &mut self.due);
        for bucket in self.passed + 1..=now {
            self.due.append(&mut self.ring[bucket]);
        }
        self.passed = now;
        self.buckets.resize(self.due.len(), 0);
        let (list, due) = (&self.list, &self.due);
        let (way, quantum) = (self.odometer, self.quantum);
        let rule = model.scene.contact().law.rule;
        crew.pieces(&mut self.buckets[..], PAIRS, |first, buckets| {
            for (place, bucket) in due[first..].iter().zip(buckets) {
                let own = &list[*place as usize];
                let gap = match own.grains {
                    [NO_GRAIN, _] => around.gap(model, own.of.shapes),
                    grains => around.gap_of_balls(grains, own.radii),
                };
                *bucket = match rule.indicator(gap, false) <= 0.0 {
                    true => TOUCHES,
                    // Behind the last a new list is made before.
                    false => (((way + 0.5 * gap) / quantum) as usize).min(BUCKETS + 1),
                };
            }
        });
        for (place, bucket) in self.due.drain(..).zip(&self.buckets) {
            match *bucket {
                TOUCHES => started.push((place, self.list[place as usize].of)),
                bucket if bucket <= now => self.near.push(place),
                bucket => {
                    if let Some(waiting) = self.ring.get_mut(bucket) {
                        waiting.push(place);
                    }
                }
            }
        }
        started.sort_unstable_by_key(|(_, pair)| pair.pair);
        stale
    }

    /// Ends the contact of a listed pair.
    pub(crate) fn release(&mut self, place: u32) {
        self.near.push(place);
    }

    /// Index of a pair in the list, if listed.
    pub(crate) fn place(&self, pair: PairId) -> Option<u32> {
        let found = self.list.binary_search_by_key(&pair, |other| other.of.pair);
        found.ok().map(|place| place as u32)
    }

    fn make(&mut self, crew: &Crew, model: &Model, around: &Surroundings, held: &[PairId]) {
        self.lists += 1;
        (self.odometer, self.passed) = (0.0, 0);
        self.near.clear();
        self.ring.iter_mut().for_each(Vec::clear);
        let (reach, placed) = (self.reach, around.placed(model));
        let listed = |pair: Neighbours| {
            let (grains, radii) = around.balls(model, pair.shapes);
            Listed {
                of: pair,
                grains,
                radii,
            }
        };
        let lists = self
            .cells
            .gather(crew, &model.scene, &placed, reach, listed);
        self.list.clear();
        lists.iter().for_each(|list| self.list.extend(list));
        let mut held = held.iter().copied().peekable();
        for (place, Listed { of: pair, .. }) in self.list.iter().enumerate() {
            while held.next_if(|other| *other < pair.pair).is_some() {}
            if held.next_if_eq(&pair.pair).is_none() {
                self.near.push(place as u32);
            }
        }
    }
}
