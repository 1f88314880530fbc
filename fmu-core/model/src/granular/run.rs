//! Steps from one communication point to the next.
//!
//! Contacts begin with those of the ledger, in pair order, and grains with the states, so that what
//! follows depends on states and ledger alone: a run from a saved state has the same bits. Forces
//! are summed in the order of the contacts, whoever computed them.
//!
//! # Length of a step, from the stiffest contact
//!
//! A pair with the effective mass m [kg] that meets at [`REFERENCE_SPEED`] stores all energy at the
//! depth delta of its law; with the stiffness k = df/d(delta) there, its contact lasts about
//! T = pi sqrt(m/k), longer where the force starts softly: 1.28 T with Hertz. The step is T over
//! [`STEPS_PER_CONTACT`], the least of all pairs. Of a body whose contact point is not in line with
//! its centre of mass m is that of the farthest point of its shape, the least that it can be.
//! Friction that holds is a spring too, with the effective mass across the normal, 2/7 m for balls:
//! a step is at most pi sqrt(m/k) of that over [`STEPS_IN_SHEAR`].
//!
//! The velocity Verlet rule is stable up to sqrt(4 m/k) = 0.64 T. Customary are a tenth to a fifth
//! of the time in which a Rayleigh wave passes a grain, [Ning, Ghadiri 2006] Distinct element
//! analysis of attrition of granular solids under shear deformation, Chemical Engineering Science
//! 61, 5991-6001, or a twentieth to a fiftieth of the contact time. The first says what an elastic
//! body can follow; what a law of contact asks for is the second, which holds for springs too.
//!
//! # When which pair may touch
//!
//! The list has all pairs nearer than a reach, [Allen, Tildesley 2017] section 5.3, and is made anew
//! when a point may have moved by half of that. The odometer is the sum of the largest ways of any
//! point over the steps since then: a gap g cannot close before it has gone on by g/2. So a pair
//! out of contact is looked at no sooner: it waits in the bucket of a ring that the odometer
//! reaches then, and is looked at in each step only where it may touch within the present bucket. Balls
//! that fly far from all others cost no look at all. What is found does not depend on when the
//! list was made: a contact starts in the first step in which its rule says so.
//!
//! # Threads that share the forces of a span
//!
//! They live no longer than that, see [`crate::threads`].
//!
//! Each thread computes a part of the contacts into a list of its own; one alone moves the grains
//! and sums the forces, in the order of the contacts, so the bits do not depend on the number of
//! threads. They meet before and after each evaluation.

use crate::broad_phase::{Cells, Neighbours};
use crate::contact::{Ledger, Started};
use crate::dynamics::scale::REFERENCE_SPEED;
use crate::dynamics::{Model, System};
use crate::granular::balls::{NO_GRAIN, Surroundings};
use crate::granular::contacts::{GrainContacts, Held, Start, ThreadPart};
use crate::granular::lanes::{Push, Sampling};
use crate::hybrid::EvaluationError;
use crate::scene::Pair;
use crate::threads;
use contact_geometry::math::{Exact, Vec3};
use contact_laws::index::{InputId, PairId, ReportId, ShapeId, TiSlice};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, RwLock};

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
    pub(super) contacts: GrainContacts,
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
            contacts: GrainContacts::new(model, &around),
            around,
            started: Vec::new(),
            longest: longest(model),
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
        let (inputs, since) = system.inputs();
        self.load(model, inputs, since, span.start, states);
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
        let finite = share(self, model, span, count, length, record);
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

    /// Moves all bodies over a step [s] to `time` [s], with a kick over `kick` [s] before.
    pub(super) fn drift(&mut self, model: &Model, kick: f64, step: f64, time: f64) {
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
        first: usize,
        pushes: &[Push],
        step: f64,
        weight: f64,
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

/// Steps in pi sqrt(m/k) of the stiffest contact. With 25 the largest penetration of an impact is
/// within 3e-4 of the one that the motion has, and its sample within 2e-3 of it.
const STEPS_PER_CONTACT: f64 = 25.0;
/// Steps in pi sqrt(m/k) of the stiffest tangential spring: half as many, for no impact loads it at
/// once. The stiffness that is derived from the normal one asks for no shorter step than that.
const STEPS_IN_SHEAR: f64 = 12.5;
/// Step where nothing exerts a force on anything [s].
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

/// Least effective masses [kg] with which a pair can meet, along the normal and across it.
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
        // Of a ball about its centre the norm is sqrt(3) times the inverse about one axis.
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

/// Buckets of the way that a list lasts, half of the reach.
const BUCKETS: usize = 128;
/// Added to each way for its rounding [1].
const ROUNDING: f64 = 1e-9;

/// The list and its clock.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    cells: Cells,
    reach: f64,
    /// Way over a bucket [m].
    quantum: f64,
    /// Way since the list was made [m]; infinite before the first.
    odometer: f64,
    list: Vec<Neighbours>,
    /// Round grains of each pair and the sum of their radii [m]; [`NO_GRAIN`] twice of others.
    balls: Vec<([u32; 2], f64)>,
    /// Places in the list of pairs that are looked at in each step.
    near: Vec<u32>,
    /// Those that are looked at now.
    due: Vec<u32>,
    /// Those that wait, by the bucket in which the odometer is when they may touch; behind the last
    /// a new list is made before.
    ring: Vec<Vec<u32>>,
    /// Buckets that the odometer has passed.
    passed: usize,
    /// Lists made so far.
    pub lists: u64,
}

impl Watch {
    /// No list is made yet.
    pub(crate) fn new(model: &Model, around: &Surroundings) -> Self {
        let cells = Cells::new(&model.scene, &around.placed(model));
        let reach = cells.typical_reach();
        Watch {
            reach,
            quantum: 0.5 * reach / BUCKETS as f64,
            cells,
            odometer: f64::INFINITY,
            list: Vec::new(),
            balls: Vec::new(),
            near: Vec::new(),
            due: Vec::new(),
            ring: vec![Vec::new(); BUCKETS + 1],
            passed: 0,
            lists: 0,
        }
    }

    /// Notes how far a point has moved at most [m].
    fn note_way(&mut self, way: f64) {
        self.odometer += way * (1.0 + ROUNDING);
    }

    /// Forgets the list.
    pub(crate) fn forget(&mut self) {
        self.odometer = f64::INFINITY;
    }

    /// Writes the pairs that begin to touch, ascending, with their places in the list. `held` tells
    /// the pairs in contact, ascending; it is asked if a new list is made, and true is returned
    /// then: places are other ones.
    pub(crate) fn look(
        &mut self,
        model: &Model,
        around: &Surroundings,
        held: impl FnOnce() -> Vec<PairId>,
        started: &mut Vec<(u32, Neighbours)>,
    ) -> bool {
        // A way that is no number makes it stale, too.
        let stale = !matches!(self.odometer, way if way < 0.5 * self.reach);
        if stale {
            self.make(model, around, &held());
        }
        started.clear();
        let now = (self.odometer / self.quantum) as usize;
        std::mem::swap(&mut self.near, &mut self.due);
        for bucket in self.passed + 1..=now {
            self.due.append(&mut self.ring[bucket]);
        }
        self.passed = now;
        let rule = model.scene.contact().law.rule;
        for place in self.due.drain(..) {
            let gap = match &self.balls[place as usize] {
                ([NO_GRAIN, _], _) => around.gap(model, self.list[place as usize].shapes),
                (grains, radii) => around.gap_of_balls(*grains, *radii),
            };
            if rule.indicator(gap, false) <= 0.0 {
                started.push((place, self.list[place as usize]));
                continue;
            }
            let bucket = ((self.odometer + 0.5 * gap) / self.quantum) as usize;
            if bucket <= now {
                self.near.push(place);
            } else if let Some(waiting) = self.ring.get_mut(bucket) {
                waiting.push(place);
            }
        }
        started.sort_unstable_by_key(|(_, pair)| pair.pair);
        stale
    }

    /// A pair of the list has ended its contact.
    pub(crate) fn release(&mut self, place: u32) {
        self.near.push(place);
    }

    /// Place in the list of a pair; none if it is not there.
    pub(crate) fn place(&self, pair: PairId) -> Option<u32> {
        let found = self.list.binary_search_by_key(&pair, |other| other.pair);
        found.ok().map(|place| place as u32)
    }

    fn make(&mut self, model: &Model, around: &Surroundings, held: &[PairId]) {
        self.lists += 1;
        (self.odometer, self.passed) = (0.0, 0);
        self.near.clear();
        self.ring.iter_mut().for_each(Vec::clear);
        let (list, balls, near) = (&mut self.list, &mut self.balls, &mut self.near);
        list.clear();
        balls.clear();
        let mut held = held.iter().copied().peekable();
        let (reach, placed) = (self.reach, around.placed(model));
        self.cells.gather(&model.scene, &placed, reach, |pair| {
            while held.next_if(|other| *other < pair.pair).is_some() {}
            if held.next_if_eq(&pair.pair).is_none() {
                near.push(list.len() as u32);
            }
            list.push(pair);
            balls.push(around.balls(model, pair.shapes));
        });
    }
}

/// Looks at a meeting place before others get the processor [1].
const LOOKS: u32 = 2000;

/// Where threads wait for each other.
struct Barrier {
    /// How many meet; nobody passes before it is known.
    count: AtomicUsize,
    /// How many are here.
    here: AtomicUsize,
    /// How often all have met.
    met: AtomicUsize,
    /// One of them will never come.
    broken: AtomicBool,
}

impl Barrier {
    /// Waits for all others. Returns false if one will never come.
    fn wait(&self) -> bool {
        let met = self.met.load(Ordering::Acquire);
        if self.here.fetch_add(1, Ordering::AcqRel) + 1 == self.count.load(Ordering::Acquire) {
            self.here.store(0, Ordering::Release);
            self.met.store(met.wrapping_add(1), Ordering::Release);
            return !self.broken.load(Ordering::Acquire);
        }
        let mut looks = 0;
        while self.met.load(Ordering::Acquire) == met {
            if self.broken.load(Ordering::Acquire) {
                return false;
            }
            looks += 1;
            match looks < LOOKS {
                true => std::hint::spin_loop(),
                false => std::thread::yield_now(),
            }
        }
        true
    }
}

/// Tells the others where a thread ends in the middle.
struct BarrierGuard<'a>(&'a Barrier);

impl Drop for BarrierGuard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.broken.store(true, Ordering::Release);
        }
    }
}

/// Contacts whose forces are summed at once: what they do stays in the nearest memory.
const CHUNK: usize = 256;

/// What the threads share.
struct Shared<'a> {
    model: &'a Model,
    granular: RwLock<&'a mut Granular>,
    /// What the contacts of each thread do.
    parts: Vec<Mutex<ThreadPart>>,
    meeting: Barrier,
    done: AtomicBool,
    /// Bits of the time over which deflections are moved on [s].
    ahead: AtomicU64,
    /// Steps in a second [1/s].
    steps: f64,
}

impl Shared<'_> {
    /// Computes the part of a thread.
    fn compute(&self, thread: usize) {
        let granular = self.granular.read();
        let granular = granular.unwrap_or_else(PoisonError::into_inner);
        let count = granular.contacts.list.len();
        let threads = self.parts.len();
        let own = thread * count / threads..(thread + 1) * count / threads;
        let mut part = self.parts[thread].lock();
        let part = part.as_mut().unwrap_or_else(|poisoned| poisoned.get_mut());
        let at = Sampling {
            ahead: f64::from_bits(self.ahead.load(Ordering::Acquire)),
            steps: self.steps,
        };
        let contacts = &granular.contacts;
        contacts.push_all(self.model, &granular.around, own, at, part);
    }

    /// A thread that helps.
    fn help(&self, thread: usize) {
        let _presence = BarrierGuard(&self.meeting);
        while self.meeting.wait() && !self.done.load(Ordering::Acquire) {
            self.compute(thread);
            if !self.meeting.wait() {
                return;
            }
        }
    }
}

/// Steps over a span of `count` steps of a length [s]. Returns false if a state is not finite.
fn share(
    granular: &mut Granular,
    model: &Model,
    span: &Span,
    count: u64,
    length: f64,
    record: &mut impl Record,
) -> bool {
    if span.threads <= 1 {
        let mut part = ThreadPart::default();
        return walk(span, count, length, |step, ahead, weight| {
            let at = Sampling {
                ahead,
                steps: length.recip(),
            };
            begin(granular, model, step, record);
            granular.begin_sums();
            let count = granular.contacts.list.len();
            for first in (0..count).step_by(CHUNK) {
                let own = first..count.min(first + CHUNK);
                let contacts = &granular.contacts;
                contacts.push_all(model, &granular.around, own, at, &mut part);
                granular.add(model, first, &part.pushes, ahead, weight, record);
            }
            granular.take_sums(model, ahead, record);
            true
        }) && granular.end(model, 0.5 * length);
    }
    let shared = Shared {
        model,
        granular: RwLock::new(granular),
        parts: (0..span.threads).map(|_| Mutex::default()).collect(),
        meeting: Barrier {
            count: AtomicUsize::new(usize::MAX),
            here: AtomicUsize::new(0),
            met: AtomicUsize::new(0),
            broken: AtomicBool::new(false),
        },
        done: AtomicBool::new(false),
        ahead: AtomicU64::new(0),
        steps: length.recip(),
    };
    let shared = &shared;
    let helpers = (1..span.threads).map(|thread| move || shared.help(thread));
    threads::share(helpers, |running| {
        let _presence = BarrierGuard(&shared.meeting);
        shared.meeting.count.store(running + 1, Ordering::Release);
        let whole = lead(shared, span, count, length, record);
        shared.done.store(true, Ordering::Release);
        shared.meeting.wait();
        let granular = shared.granular.write();
        let mut granular = granular.unwrap_or_else(PoisonError::into_inner);
        whole && granular.end(model, 0.5 * length)
    })
}

/// The thread that moves the grains and sums.
fn lead(
    shared: &Shared<'_>,
    span: &Span,
    count: u64,
    length: f64,
    record: &mut impl Record,
) -> bool {
    walk(span, count, length, |step, ahead, weight| {
        {
            let granular = shared.granular.write();
            let mut granular = granular.unwrap_or_else(PoisonError::into_inner);
            begin(&mut granular, shared.model, step, record);
        }
        shared.ahead.store(ahead.to_bits(), Ordering::Release);
        let met = shared.meeting.wait();
        // Its own part, and those of threads that the system has not given.
        let running = shared.meeting.count.load(Ordering::Relaxed);
        (running..shared.parts.len())
            .chain([0])
            .for_each(|thread| shared.compute(thread));
        if !(met && shared.meeting.wait()) {
            return false;
        }
        let granular = shared.granular.write();
        let mut granular = granular.unwrap_or_else(PoisonError::into_inner);
        granular.begin_sums();
        let mut first = 0;
        for part in &shared.parts {
            let part = part.lock().unwrap_or_else(PoisonError::into_inner);
            granular.add(shared.model, first, &part.pushes, ahead, weight, record);
            first += part.pushes.len();
        }
        granular.take_sums(shared.model, ahead, record);
        true
    })
}

/// One of the steps.
#[derive(Clone, Copy)]
struct Step {
    /// Its number; 0 is the start, to which nothing moves.
    number: u64,
    /// Kick before it and its length [s].
    kick: f64,
    length: f64,
    /// Time at its end [s].
    time: f64,
}

/// Moves all bodies to the end of a step and finds the contacts that start there.
fn begin(granular: &mut Granular, model: &Model, step: Step, record: &mut impl Record) {
    if step.number > 0 {
        granular.drift(model, step.kick, step.length, step.time);
    }
    granular.detect(model, step.number, record);
}

/// Calls `take` with the start and each step, the time over which deflections are moved on [s] and
/// the weight of the forces there in an integral [s], until it returns false.
fn walk(
    span: &Span,
    count: u64,
    length: f64,
    mut take: impl FnMut(Step, f64, f64) -> bool,
) -> bool {
    (0..=count).all(|number| {
        let is_end = number == 0 || number == count;
        let step = Step {
            number,
            kick: if number == 1 { 0.5 * length } else { length },
            length,
            time: match number == count {
                true => span.end,
                false => span.start + number as f64 * length,
            },
        };
        let ahead = if number == 0 { 0.0 } else { length };
        take(step, ahead, if is_end { 0.5 * length } else { length })
    })
}
