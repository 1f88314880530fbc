//! Sources of events: anything that can switch during a motion.
//!
//! A source has event indicators, finds where on a path a positive one may cease to be so, changes the
//! discrete state at an event and reports its changes. The system iterates over its sources,
//! [`Sources`](crate::dynamics::system::Sources), whose indicators follow each other.

pub(crate) mod contacts;
pub(crate) mod jumps;
pub(crate) mod latches;
pub(crate) mod stops;
pub(crate) mod triggers;

use crate::contact::Strike;
use crate::dynamics::contacts::Mode;
use crate::dynamics::path::Path;
use crate::dynamics::search::{Bounded, first_entry, least_value};
use crate::dynamics::stage::Stage;
use crate::dynamics::workspace::Workspace;
use crate::hybrid::{DIRECTIONS, Entry, EvaluationError};
use contact_geometry::math::{Dual, Spatial, Vec3};
use contact_laws::index::{BodyId, DrivenId, LatchId, PairId, StopId, TriggerId};

/// Number with a derivative along each direction.
pub(crate) type Tangential = Dual<DIRECTIONS>;

/// K: factor by which the present indicator exceeds the minimum since the anchor before that shows [1].
/// Large, so that few paths are examined closely.
pub(crate) const STEEPNESS: f64 = 16.0;

/// Anything that can switch during a motion.
pub(crate) trait EventSource {
    fn count(&self, mode: &Mode) -> usize {
        let _ = mode;
        0
    }

    /// Writes its indicators at the stage, where the bodies are placed.
    fn indicators(&self, stage: &mut Stage, indicators: &mut [f64]) {
        let _ = (stage, indicators);
    }

    /// Calls `set` with indicators and their derivatives, from a workspace with forces and states. The
    /// derivatives of all others are zero.
    fn indicators_along(
        &self,
        mode: &Mode,
        work: &Workspace<Tangential>,
        states: &[Tangential],
        set: &mut dyn FnMut(usize, Tangential),
    ) {
        let _ = (mode, work, states, set);
    }

    /// Searches a path for each indicator that may cease to be positive.
    fn look_ahead(&self, mode: &Mode, path: &mut Path, ahead: &mut LookAhead<'_>) {
        let _ = (mode, path, ahead);
    }

    /// Changes velocities at an event at a time [s], before contact detection. Leaves the stage at the states
    /// after it.
    ///
    /// # Errors
    /// A velocity that is not finite.
    fn strike(&mut self, stage: &mut Stage, time: f64) -> Result<Struck, EvaluationError> {
        let _ = (stage, time);
        Ok(Struck::default())
    }

    /// Switches contacts at an event at a time [s]. Bodies are placed, inertias of trees known.
    ///
    /// # Errors
    /// More pairs in contact than indicator slots.
    fn switch(&mut self, stage: &mut Stage, time: f64) -> Result<(), EvaluationError> {
        let _ = (stage, time);
        Ok(())
    }

    /// Evaluates the states after an event, when velocities have their impulses. Its changes act on nothing.
    fn settle(&mut self, stage: &mut Stage) {
        let _ = stage;
    }

    /// Appends the changes of the last event.
    fn log(&self, changes: &mut Vec<Change>);
}

/// Effects of a source before contact detection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Struck {
    /// Whether a state, or the motion of a prescribed body, has changed.
    pub states: bool,
    /// Whether velocities have jumped, so that lasting contacts may approach.
    pub velocities: bool,
}

pub(crate) struct LookAhead<'a> {
    pub goal: Goal<'a>,
    pub looks: &'a mut u64,
}

/// Goal of a search along a path, with the indicators of one source.
pub(crate) enum Goal<'a> {
    Entry {
        start: &'a [f64],
        /// The first entry so far.
        first: &'a mut Option<Entry>,
    },
    /// The minima, which replace the indicators at the end of the path.
    Least(&'a mut [f64]),
}

impl Goal<'_> {
    /// Searches the function on the path that an indicator is.
    pub(crate) fn meet(&mut self, index: usize, function: &mut impl Bounded) {
        match self {
            Goal::Entry { start, first } => {
                if start[index] > 0.0 {
                    meet(first, function);
                }
            }
            Goal::Least(now) => {
                let z = &mut now[index];
                let enough = z.max(0.0) / STEEPNESS;
                *z = held(*z, least_value(function, *z, enough));
            }
        }
    }
}

pub(crate) fn meet<B: Bounded>(first: &mut Option<Entry>, function: &mut B) {
    let limit = first.map_or(1.0, |entry| entry.after);
    if let Some(found) = first_entry(function, limit) {
        let before = first.map_or(1.0, |entry| entry.before);
        *first = Some(Entry {
            before: before.min(found.before),
            after: found.after,
        });
    }
}

/// Indicator for an importer, from the plain one `now` and its minimum `least` since the anchor.
pub(crate) fn held(now: f64, least: f64) -> f64 {
    match least > 0.0 {
        true => now.min(STEEPNESS * least),
        false => least,
    }
}

/// Change by an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// The velocity of a prescribed body jumped.
    Jump(MotionJump),
    /// A contact started or ended.
    Contact(ContactChange),
    /// The contact with an end stop started or ended.
    Stop(StopChange),
    /// A latch closed or opened.
    Latch(LatchChange),
    /// Velocities jumped by the impulse of a pair.
    Impulse(PairImpulse),
    /// A trigger switched.
    Trigger {
        /// The trigger.
        trigger: TriggerId,
        /// It is on now.
        is_on: bool,
    },
}

impl Change {
    /// Returns true if forces change: at a contact, a stop or a latch.
    pub fn is_switch(&self) -> bool {
        matches!(
            self,
            Change::Contact(_) | Change::Stop(_) | Change::Latch(_)
        )
    }
}

/// Contact that started or ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactChange {
    /// The pair.
    pub pair: PairId,
    /// Impact speed if the contact started [m/s]; `None` if it ended.
    pub impact_speed: Option<f64>,
}

/// End stop whose contact started or ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StopChange {
    /// Index among [`Scene::stops`](crate::scene::Scene::stops).
    pub stop: StopId,
    /// Impact speed if the contact started [m/s] or [rad/s]; `None` if it ended.
    pub impact_speed: Option<f64>,
}

/// Latch that closed or opened or that had an impulse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatchChange {
    /// The latch.
    pub latch: LatchId,
    /// Whether it is closed now.
    pub is_closed: bool,
    /// Whether it was closed before: then the event has stopped its joint again.
    pub was_closed: bool,
    /// Impulse on the child of its joint, world axes [N.s].
    pub impulse_w: Vec3,
    /// Moment of that impulse about the origin of the joint's frame on the child [N.m.s].
    pub moment_w: Vec3,
}

/// Velocity jump of a prescribed body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionJump {
    /// The body.
    pub body: BodyId,
    /// Jump of its angular velocity [rad/s] and of the velocity of its origin [m/s], world axes.
    pub jump: Spatial,
    /// Reaction of its trees: moment of impulse about its origin [N.m.s] and impulse [N.s], world axes.
    pub impulse: Spatial,
}

/// Impulse of a pair at an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairImpulse {
    /// The pair.
    pub pair: PairId,
    /// Impulse on body 2, world axes [N.s]; its negative acts on body 1.
    pub impulse_w: Vec3,
    /// Point of application, world axes [m].
    pub point_w: Vec3,
    /// Additional moment of impulse on body 2, of an area and of rolling and spinning resistance [N.m.s].
    pub moment_w: Vec3,
    /// Effects on driven bodies.
    pub strikes: [Option<(DrivenId, Strike)>; 2],
}
