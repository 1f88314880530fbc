//! Sources of events: what can switch during a motion.
//!
//! A source has event indicators, says where on a path one that is positive may cease to be so, changes
//! the discrete state at an event and tells what it changed. The system walks the list of its sources,
//! [`Sources`](crate::dynamics::system::Sources); the indicators of each follow those of the one before.

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

/// A number with a derivative along each direction.
pub(crate) type Tangential = Dual<DIRECTIONS>;

/// K: how often the least value on the way from the anchor must fit into the present one to show
/// [1]. Large, so that few ways are looked at closely.
pub(crate) const STEEPNESS: f64 = 16.0;

/// What can switch during a motion.
pub(crate) trait EventSource {
    /// Number of its event indicators.
    fn count(&self, mode: &Mode) -> usize {
        let _ = mode;
        0
    }

    /// Writes its indicators at the place of the stage, where the bodies are placed.
    fn indicators(&self, stage: &Stage, indicators: &mut [f64]) {
        let _ = (stage, indicators);
    }

    /// Calls `set` with indicators and their derivatives, from a workspace with forces and states.
    /// Those that it leaves out have derivatives of zero.
    fn indicators_along(
        &self,
        mode: &Mode,
        work: &Workspace<Tangential>,
        states: &[Tangential],
        set: &mut dyn FnMut(usize, Tangential),
    ) {
        let _ = (mode, work, states, set);
    }

    /// Looks along a path at each indicator that may cease to be positive.
    fn look_ahead(&self, mode: &Mode, path: &mut Path, ahead: &mut LookAhead<'_>) {
        let _ = (mode, path, ahead);
    }

    /// Changes velocities at an event at a time [s], before contacts are looked for. Leaves the stage
    /// at the states after it.
    ///
    /// # Errors
    /// A velocity that is not finite.
    fn strike(&mut self, stage: &mut Stage, time: f64) -> Result<Struck, EvaluationError> {
        let _ = (stage, time);
        Ok(Struck::default())
    }

    /// Finds at an event at a time [s] what is in contact. Bodies are placed, inertias of trees known.
    ///
    /// # Errors
    /// More pairs in contact than indicator slots.
    fn switch(&mut self, stage: &mut Stage, time: f64) -> Result<(), EvaluationError> {
        let _ = (stage, time);
        Ok(())
    }

    /// Looks at the states after an event: velocities have their impulses. What it changes acts on nothing.
    fn settle(&mut self, stage: &mut Stage) {
        let _ = stage;
    }

    /// Appends what the last event changed.
    fn log(&self, changes: &mut Vec<Change>);
}

/// What a source has done before contacts are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Struck {
    /// A state, or how a prescribed body moves, has changed.
    pub states: bool,
    /// Velocities have jumped, so that contacts that last may approach.
    pub velocities: bool,
}

/// What is sought on a path.
pub(crate) struct LookAhead<'a> {
    /// What for.
    pub goal: Goal<'a>,
    /// How often gaps were looked at.
    pub looks: &'a mut u64,
}

/// What a path is looked at for; with the indicators of one source.
pub(crate) enum Goal<'a> {
    /// The first entry, by the indicators at the start of the path.
    Entry {
        /// Indicators at the start.
        start: &'a [f64],
        /// The first entry so far.
        first: &'a mut Option<Entry>,
    },
    /// The least values, which the indicators at the end of the path get.
    Least(&'a mut [f64]),
}

impl Goal<'_> {
    /// Looks at the function on the path that an indicator is.
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

/// Takes the first entry of a function if it is before the first so far.
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

/// What an importer sees if the plain indicator is `now` and the least one on the way was `least`.
pub(crate) fn held(now: f64, least: f64) -> f64 {
    match least > 0.0 {
        true => now.min(STEEPNESS * least),
        false => least,
    }
}

// What an event changes.

/// What an event changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// The velocity of a prescribed body jumped.
    Jump(MotionJump),
    /// A contact started or ended.
    Contact(ContactChange),
    /// The contact with an end stop did.
    Stop(StopChange),
    /// A latch closed or opened.
    Latch(LatchChange),
    /// Velocities jumped where a pair met.
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
    /// Returns true if other forces act after it than before: those of a contact, a stop or a latch.
    pub fn is_switch(&self) -> bool {
        matches!(
            self,
            Change::Contact(_) | Change::Stop(_) | Change::Latch(_)
        )
    }
}

/// A contact that started or ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactChange {
    /// The pair.
    pub pair: PairId,
    /// Impact speed if the contact started [m/s]; none if it ended.
    pub impact_speed: Option<f64>,
}

/// A stop whose contact started or ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StopChange {
    /// Index among [`Scene::stops`](crate::scene::Scene::stops).
    pub stop: StopId,
    /// Impact speed if the contact started [m/s] or [rad/s]; none if it ended.
    pub impact_speed: Option<f64>,
}

/// A latch that closed or opened or that had an impulse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatchChange {
    /// The latch.
    pub latch: LatchId,
    /// It is closed now.
    pub is_closed: bool,
    /// It was so before: it is closed and something else has moved its joint.
    pub was_closed: bool,
    /// Impulse on the child of its joint, world axes [N.s].
    pub impulse_w: Vec3,
    /// Moment of that impulse about the origin of the joint's frame on the child [N.m.s].
    pub moment_w: Vec3,
}

/// A jump of the velocity of a prescribed body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionJump {
    /// The body.
    pub body: BodyId,
    /// Jump of its angular velocity [rad/s] and of the velocity of its origin [m/s], world axes.
    pub jump: Spatial,
    /// What its trees do to it: moment of impulse about its origin [N.m.s] and impulse [N.s], world
    /// axes.
    pub impulse: Spatial,
}

/// The impulse of a pair at an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairImpulse {
    /// The pair.
    pub pair: PairId,
    /// Impulse on body 2, world axes [N.s]; its negative acts on body 1.
    pub impulse_w: Vec3,
    /// Where it acts, world axes [m].
    pub point_w: Vec3,
    /// Moment of impulse on body 2 beside it, of an area and of rolling and spinning resistance [N.m.s].
    pub moment_w: Vec3,
    /// What it does to the bodies if they are driven.
    pub strikes: [Option<(DrivenId, Strike)>; 2],
}
