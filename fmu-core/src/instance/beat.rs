//! Heartbeat of a communication step, for who watches a long one: log category `progress`. In Model
//! Exchange, where the importer knows how far it has come, the stiffest contact comes by the same way.
//!
//! A message comes after so many accepted internal steps, counted and not timed, so that a log is the
//! same on each machine. It says how far the step has come, how long the last internal step was, and
//! what keeps internal steps short, the first of
//! - events, if there is one in four steps or more often, with what changed last;
//! - the longest step that is allowed;
//! - the stiffest contact, if a step is not short against the time in which its force changes;
//! - the error of a state, told with the stiffest contact beside it.
//!
//! Nobody asks for the state of the system between two steps without this category, and what is asked
//! for changes nothing: the numbers are the same with and without it.

use crate::instance::lifecycle::Instance;
use crate::instance::log::{Category, Log};
use contact_model::dynamics::stiffest::Stiffest;
use contact_model::hybrid::HybridSystem;
use contact_model::islands::Beat;

/// Values of states that steps between two messages write: a message costs little beside them.
const VALUES_PER_BEAT: usize = 20_000;
/// Steps between two messages at most.
const MOST_STEPS: usize = 1000;
/// Events limit the steps if there is one in at most so many.
const STEPS_PER_EVENT: u64 = 4;
/// The longest step allowed limits them if the last one was at least this part of it.
const NEARLY: f64 = 0.5;
/// A contact limits the steps if they take at least this part of the time in which its force changes.
/// Accuracy asks for a tenth or so of that in an impact, stability for some three times as much at
/// rest.
const PART_OF_CHANGE: f64 = 0.03;

/// Counters at the last message.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LastBeat {
    steps: u64,
    events: u64,
    /// Model Exchange: end of the last completed step [s].
    time: f64,
}

/// Steps from one message to the next for so many states; 0 if nobody listens.
pub(super) fn steps_per_beat(log: &Log, state_count: usize) -> u64 {
    match log.hears(Category::Progress) {
        true => (VALUES_PER_BEAT / state_count.max(1)).clamp(1, MOST_STEPS) as u64,
        false => 0,
    }
}

/// A message of steps in an island, which knows of its own work only, after `steps` and `events`
/// before.
pub(super) fn log_beat(log: &Log, beat: &Beat, (steps, events): (u64, u64)) {
    log.info(Category::Progress, || {
        let limit = limit_of(beat.step, beat.stiffest.as_ref(), beat.state.as_deref());
        format!(
            "progress: t={:?} step={:?} steps={} events={}{limit}",
            beat.time,
            beat.step,
            steps + beat.steps,
            events + beat.events
        )
    });
}

impl Instance {
    /// Steps from one message to the next; 0 if nobody listens.
    pub(super) fn steps_per_beat(&self) -> u64 {
        steps_per_beat(&self.log, self.run.states.len())
    }

    /// Logs how a communication step goes on, if it is time to.
    pub(super) fn beat(&mut self) {
        let every = self.steps_per_beat();
        if every == 0 {
            return;
        }
        let work = *self.run.memory.statistics();
        if work.steps < self.last_beat.steps {
            // An earlier state was restored.
            self.last_beat = LastBeat::default();
        }
        if work.steps / every == self.last_beat.steps / every || self.is_granular() {
            return;
        }
        let limit = self.limit();
        self.last_beat = LastBeat {
            steps: work.steps,
            events: work.events,
            time: self.run.time,
        };
        let (time, step) = (self.run.time, self.run.memory.last_step().length);
        self.log.info(Category::Progress, || {
            format!(
                "progress: t={time:?} step={step:?} steps={} events={}{limit}",
                work.steps, work.events
            )
        });
    }

    /// Model Exchange: counts a completed step, and logs the stiffest contact if it is time to.
    pub(super) fn beat_of_importer(&mut self) {
        let every = self.steps_per_beat();
        if every == 0 {
            return;
        }
        let time = self.run.time;
        let step = time - self.last_beat.time;
        self.last_beat.time = time;
        self.last_beat.steps += 1;
        let steps = self.last_beat.steps;
        if !steps.is_multiple_of(every) {
            return;
        }
        let stiffest = self.system.stiffest(time, &self.run.states);
        self.touch();
        self.log.info(Category::Progress, || {
            let limit = limit_of(step, stiffest.as_ref(), None);
            format!("progress: t={time:?} step={step:?} steps={steps} events=0{limit}")
        });
    }

    /// What keeps internal steps short, as fields of the message.
    fn limit(&mut self) -> String {
        let work = self.run.memory.statistics();
        let steps = work.steps - self.last_beat.steps;
        let events = work.events.saturating_sub(self.last_beat.events);
        let step = self.run.memory.last_step().length;
        if events * STEPS_PER_EVENT >= steps {
            return match self.last_change() {
                Some(name) => format!(" limit=events name={name}"),
                None => " limit=events".to_owned(),
            };
        }
        let longest = self.integrator.settings().max_step();
        if longest.is_some_and(|longest| step >= NEARLY * longest) {
            return " limit=max_step".to_owned();
        }
        let stiffest = self.system.stiffest(self.run.time, &self.run.states);
        self.touch();
        let state = self.integrator.limiting_state();
        let state = state.filter(|state| *state < self.system.state_count());
        let state = state.map(|state| self.system.state_name(state));
        limit_of(step, stiffest.as_ref(), state.as_deref())
    }

    /// The contact, stop or latch that the last event changed.
    fn last_change(&self) -> Option<String> {
        if let Some(change) = self.system.contact_changes().first() {
            return Some(self.scene.pair_name(change.pair));
        }
        if let Some(change) = self.system.stop_changes().first() {
            return Some(self.scene.stop_names(change.stop).join(":"));
        }
        let impulses = self.system.impulses();
        if let Some(impulse) = impulses.list().first() {
            return Some(self.scene.pair_name(impulse.pair));
        }
        let latch = self.system.latch_changes().first()?;
        Some(self.scene.latches()[latch.latch].name.clone())
    }
}

/// What keeps a step [s] short: the stiffest contact, or the error of a state.
fn limit_of(step: f64, stiffest: Option<&Stiffest>, state: Option<&str>) -> String {
    let contact = stiffest.map_or(String::new(), |stiffest| {
        format!(
            " name={} depth={:?} stiffness={:?} duration={:?} angular={}",
            stiffest.key,
            stiffest.depth,
            stiffest.stiffness,
            1.0 / stiffest.rate(),
            u8::from(stiffest.is_angular)
        )
    });
    match (stiffest, state) {
        (Some(stiffest), _) if step * stiffest.rate() >= PART_OF_CHANGE => {
            format!(" limit=contact{contact}")
        }
        (_, Some(state)) => format!(" limit=error state={state}{contact}"),
        _ => String::new(),
    }
}
