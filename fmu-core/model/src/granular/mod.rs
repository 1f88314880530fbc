//! Granular mode of Co-Simulation: fixed small steps for very many free bodies in contact.
//!
//! The discrete-element method [Cundall, Strack 1979] A discrete numerical model for granular
//! assemblies, Geotechnique 29, 47-65: a step that resolves the shortest contact, the true laws of
//! contact, no error control and no event location. Between communication points contacts are kept
//! here; at one they are in the ledger, and the deflections of friction are states, so that
//! states, outputs and saved states are what they are with the other solvers.
//!
//! - [`balls`]: free bodies in arrays, kicked, moved and turned, and their view for contacts
//! - [`lanes`]: contacts of balls and their forces by the frequent laws, several at once
//! - [`contacts`]: all contacts, and the forces of the others
//! - [`run`]: [`Granular`], the length of a step, when which pair may touch; steps from one communication point to the next
//!
//! # Threads that share the forces of a span
//!
//! They live no longer than that, see [`crate::threads`].
//!
//! Each thread computes a part of the contacts into a list of its own; one alone moves the grains
//! and sums the forces, in the order of the contacts, so the bits do not depend on the number of
//! threads. They meet before and after each evaluation.

pub mod balls;
pub mod contacts;
pub mod lanes;
pub mod run;

pub use contacts::{Held, Start};
pub use run::{Granular, Record, Span, Summary};

use crate::dynamics::Model;
use crate::granular::contacts::ThreadPart;
use crate::granular::lanes::Sampling;
use crate::threads;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, RwLock};

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
pub fn share(
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
