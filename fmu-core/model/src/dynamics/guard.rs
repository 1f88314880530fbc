//! Contacts that start and end again between two looks at the event indicators.
//!
//! In a step of the integrator: [`StepGuard::first_entry`] says from where on a pair out of contact may
//! touch, or a joint may meet a stop.
//!
//! In Model Exchange importers look at the ends of their steps only. There the indicator of what is
//! out of contact becomes the least one since the last completed step or event, the anchor, on the
//! cubics from the states there to the present ones with the rates of both. It is the plain
//! indicator at the anchor; where it first comes to zero it is the plain one, so the root is the
//! time of contact; and it stays negative after a body has flown through another one, so the end of
//! a step shows it. If the least value m is positive, the importer sees min(z, K m) with the plain
//! one z and a large K: nothing but z unless m is far below it. m is known within a twentieth of
//! itself, so what is seen of it may jump by that much; at zero it is continuous.
//!
//! With more pairs than slots all pairs that may come near are looked at. One without a slot that
//! touches makes the first slot out of contact negative: the event it leads to finds it. If all
//! slots are in contact none is left to show it.
//!
//! # Where bodies in contact meet, and how fast
//!
//! What an impact needs of a contact.
//!
//! Each contact whose law has an impulse has its point p, an orthonormal frame (normal from 1 to 2, direction of
//! slip, the direction across both) and the velocity and angular velocity of 2 against 1 at p, by
//! components as [`impact`](contact_laws::impact) has them.
//!
//! A contact over an area is met at the centre of its pressure where it is pressed deepest: with the shapes closer
//! by the depth d at which the elastic energy is that of the approach, U(d) = 1/2 m v^2. At first touch a face
//! lands on an edge or a corner, however small its tilt is, while the force of its law would act at the middle of
//! the face by the time that it has any size.

use crate::broad_phase::{Candidate, Candidates};
use crate::contact::Placement;
use crate::contact::select::SlotOrder;
use crate::dynamics::approach::{Approach, ShapePair};
use crate::dynamics::contacts::{ActiveContact, Mode, Watched};
use crate::dynamics::path::{Instant, Path, PathEnd};
use crate::dynamics::search::{Bounded, least_value, root};
use crate::dynamics::source::{Change, EventSource, Goal, LookAhead, STEEPNESS, held, meet};
use crate::dynamics::workspace::Workspace;
use crate::dynamics::{Model, contact_forces, tree};
use crate::hybrid::Entry;
use crate::scene::Scene;
use contact_geometry::math::dense::DenseStep;
use contact_geometry::math::{Pose, Vec3, norm};
use contact_geometry::narrow_phase::area::Patch;
use contact_geometry::narrow_phase::{Feature, Proximity};
use contact_laws::impact::{COMPONENTS, Touch};
use contact_laws::index::{BodyId, FrameId, PairId, ShapeId, SlotId, TiVec};
use contact_laws::response::law::ImpulseLaw;
use contact_laws::response::normal::PowerLaw;
use contact_laws::response::{PairLaw, area};
use serde::{Deserialize, Serialize};

/// Where the last step of the importer, or the last event, has left the scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Anchor {
    /// Time [s]; none before the first event.
    time: Option<f64>,
    states: Vec<f64>,
    inputs: Vec<f64>,
}

impl Anchor {
    /// No place: nothing is ever anchored there.
    pub(crate) fn nowhere() -> Self {
        Anchor {
            time: None,
            states: Vec::new(),
            inputs: Vec::new(),
        }
    }

    /// Nothing is known of a scene.
    pub(crate) fn unknown(scene: &Scene) -> Self {
        Anchor {
            time: None,
            states: vec![0.0; scene.layout().count()],
            inputs: vec![0.0; scene.inputs().len()],
        }
    }

    /// Returns true if it can belong to `scene`.
    pub fn fits(&self, scene: &Scene) -> bool {
        self.states.len() == scene.layout().count() && self.inputs.len() == scene.inputs().len()
    }

    /// Sets it here, without allocating.
    pub(crate) fn set(&mut self, time: f64, states: &[f64], inputs: &[f64]) {
        self.time = Some(time);
        self.states.copy_from_slice(states);
        self.inputs.copy_from_slice(inputs);
    }

    /// Takes the values of another one of the same scene, without allocating.
    pub(crate) fn copy_from(&mut self, other: &Anchor) {
        self.time = other.time;
        self.states.copy_from_slice(&other.states);
        self.inputs.copy_from_slice(&other.inputs);
    }

    /// Forgets where it was.
    pub(crate) fn forget(&mut self) {
        self.time = None;
    }
}

/// Work arrays; what is found does not depend on what was looked at before.
#[derive(Clone, Debug)]
pub(crate) struct StepGuard {
    /// Where the bodies are over a step.
    pub path: Path,
    /// Pairs that may touch on the path, if not all have a slot.
    candidates: Option<Candidates>,
    /// Slots by their pairs.
    slots: SlotOrder,
    chosen: Chosen,
    /// No pair without a slot has a smaller gap at the start of the path [m], if that is known.
    nearest: Option<f64>,
    frames: TiVec<FrameId, Pose>,
    /// Pairs found, while they are looked at.
    near: Vec<PairId>,
    /// How often gaps were looked at.
    pub looks: u64,
}

/// Where slots were given to pairs last.
#[derive(Clone, Debug)]
struct Chosen {
    time: f64,
    states: Vec<f64>,
    /// No other pair had a smaller gap there [m].
    nearest: Option<f64>,
}

impl StepGuard {
    /// Work arrays for a model, of all of which a workspace has the fixed bodies placed; none for islands,
    /// which look at no pair without a slot.
    pub(crate) fn new(model: &Model, all: Option<&Workspace<f64>>) -> Self {
        StepGuard {
            path: Path::new(model),
            candidates: None,
            slots: SlotOrder::default(),
            chosen: Chosen {
                time: f64::NAN,
                states: all.map_or(Vec::new(), |_| vec![0.0; model.scene.layout().count()]),
                nearest: None,
            },
            nearest: None,
            frames: all.map_or(TiVec::new(), |work| work.frames.clone()),
            near: Vec::new(),
            looks: 0,
        }
    }

    /// Makes room, at an event, for the search for pairs without a slot; poses of fixed bodies stay
    /// as they are here.
    pub(crate) fn prepare(&mut self, placement: &Placement) {
        if self.candidates.is_none() {
            self.candidates = Some(Candidates::new(placement.scene, placement));
            self.near.reserve(placement.scene.slot_count());
        }
    }

    /// Notes that at a time [s] and states no pair without a slot has a gap below `nearest` [m];
    /// none if nothing is known.
    pub(crate) fn note_chosen(&mut self, time: f64, states: &[f64], nearest: Option<f64>) {
        self.chosen.time = time;
        self.chosen.states.copy_from_slice(states);
        self.chosen.nearest = nearest;
    }

    /// Forgets which pairs have slots.
    pub(crate) fn forget_chosen(&mut self) {
        self.chosen.nearest = None;
    }

    fn find_nearest(&mut self, time: f64, states: &[f64]) {
        let here = time == self.chosen.time && states == self.chosen.states;
        self.nearest = self.chosen.nearest.filter(|_| here);
    }

    /// Where in a step an indicator may cease to be positive that is so at its start, or a pair without
    /// a slot may touch; `indicators` are those there. `work` has the inputs.
    pub(crate) fn first_entry(
        &mut self,
        mode: &Mode,
        sources: &[&dyn EventSource],
        work: &Workspace<f64>,
        step: &DenseStep<'_>,
        indicators: &[f64],
    ) -> Option<Entry> {
        self.path.follow(&mode.model, step, work);
        self.find_nearest(step.t0(), step.start());
        let mut first: Option<Entry> = None;
        let mut rest = indicators;
        for source in sources {
            let (start, behind) = rest.split_at(source.count(mode));
            rest = behind;
            let goal = Goal::Entry {
                start,
                first: &mut first,
            };
            self.look_ahead(mode, *source, goal);
        }
        self.each_unwatched(mode, |approach| {
            if approach.value(0.0) > 0.0 {
                meet(&mut first, approach);
            }
        });
        first
    }

    /// Has a source look along the path.
    fn look_ahead(&mut self, mode: &Mode, source: &dyn EventSource, goal: Goal<'_>) {
        let mut ahead = LookAhead {
            goal,
            looks: &mut self.looks,
        };
        source.look_ahead(mode, &mut self.path, &mut ahead);
    }

    /// Returns true if an indicator of a source changes its domain in a step that the path follows,
    /// or may do so inside; `indicators` are its own at the start and the end.
    pub(crate) fn changes(
        &mut self,
        mode: &Mode,
        source: &dyn EventSource,
        [start, end]: [&[f64]; 2],
    ) -> bool {
        let mut first = None;
        let goal = Goal::Entry {
            start,
            first: &mut first,
        };
        self.look_ahead(mode, source, goal);
        let mut ends = start.iter().zip(end);
        first.is_some() || ends.any(|(start, end)| (*start > 0.0) != (*end > 0.0))
    }

    /// Has `indicators`, the plain ones at the present time and states, hold the minimum on the way
    /// from the anchor.
    pub(super) fn remember(
        &mut self,
        mode: &Mode,
        sources: &[&dyn EventSource],
        anchor: &Anchor,
        now: Instant<'_>,
        indicators: &mut [f64],
    ) {
        let Some(start) = anchor.time.filter(|start| *start < now.time) else {
            return;
        };
        let model = &mode.model;
        self.find_nearest(start, &anchor.states);
        let duration = now.time - start;
        let ways = self
            .path
            .bound_of_ways(model, duration, &anchor.states, now.states);
        if ways.is_some_and(|way| self.is_far(mode, indicators, way)) {
            return;
        }
        let from = Instant::new(start, &anchor.states, &anchor.inputs);
        self.path.join(model, from, now);
        let mut rest = &mut *indicators;
        for source in sources {
            let (own, behind) = rest.split_at_mut(source.count(mode));
            rest = behind;
            self.look_ahead(mode, *source, Goal::Least(own));
        }
        let mut least = f64::INFINITY;
        self.each_unwatched(mode, |approach| {
            let end = approach.value(1.0);
            least = least.min(least_value(approach, end, end.max(0.0) / STEEPNESS));
        });
        if let Some(first) = mode.watchers.watched().next() {
            let z = &mut indicators[usize::from(first.slot)];
            *z = z.min(held(f64::INFINITY, least));
        }
    }

    /// Whether nothing can have been nearer on a path than shows now if no shape goes farther than
    /// `way` [m]: what a look at each pair with its own ways would say too.
    fn is_far(&self, mode: &Mode, indicators: &[f64], way: f64) -> bool {
        let near = |watched: Watched<'_>| {
            let z = indicators[usize::from(watched.slot)];
            // What is no number is near.
            let is_far = z - 2.0 * way > z.max(0.0) / STEEPNESS;
            !is_far
        };
        let scene = &mode.model.scene;
        let known = scene.monitors_all_pairs() || self.nearest.is_some_and(|n| n > 2.0 * way);
        let others = indicators.len() > mode.ledger.slots().len();
        known && !others && !mode.watchers.watched().any(near)
    }

    /// Calls `visit` with each pair without a slot that may touch on the path.
    fn each_unwatched(&mut self, mode: &Mode, mut visit: impl FnMut(&mut Approach<'_>)) {
        let (model, ledger) = (&*mode.model, &mode.ledger);
        let scene = &model.scene;
        if scene.monitors_all_pairs() || !mode.scope.is_all() {
            return;
        }
        let farthest = 2.0 * self.path.largest_travel();
        if self.nearest.is_some_and(|nearest| nearest > farthest) {
            return;
        }
        for body in model.bodies.keys() {
            self.frames[body.frame()] = self.path.place(model, body, 0.0).0;
        }
        for (shape, frame) in scene.shapes().iter().zip(&model.frames.of_shapes) {
            if *frame != shape.body.frame() {
                self.frames[*frame] = self.frames[shape.body.frame()].then(&shape.pose_b);
            }
        }
        let travel_of = |shape: ShapeId| self.path.travel(shape, PathEnd::Start);
        let placed = Placement {
            scene,
            frames: &self.frames,
            shape_frames: &model.frames.of_shapes,
        };
        // Made at an event, but for a state that was restored since.
        let mut candidates = match self.candidates.take() {
            Some(candidates) => candidates,
            None => Candidates::new(scene, &placed),
        };
        let mut near = std::mem::take(&mut self.near);
        near.clear();
        if candidates.take_place(&placed) {
            if candidates.outside() <= farthest {
                candidates.gather(scene, &placed, scene.slot_count(), farthest);
            }
            self.slots.update(ledger.slots());
            let gap_of = |pair: &Candidate| placed.gap_between(pair.shapes, &Feature::None);
            for index in 0..candidates.list().len() {
                let candidate = &candidates.list()[index];
                let (pair, [a, b]) = (candidate.pair, candidate.shapes);
                let travel = travel_of(a) + travel_of(b);
                let (lower, _) = candidates.bounds(candidate);
                if lower > travel || self.slots.slot_of(pair).is_some() {
                    continue;
                }
                // A gap once computed serves the next paths, too.
                if candidates.gap(index, gap_of) <= travel {
                    near.push(pair);
                }
            }
        }
        self.candidates = Some(candidates);
        for pair in &near {
            visit(&mut Approach {
                model,
                path: &mut self.path,
                shapes: &ShapePair::new(model, *pair),
                hint: &Feature::None,
                rule: scene.contact().law.rule,
                looks: &mut self.looks,
            });
        }
        self.near = near;
    }
}

/// Where a pair out of contact enters it on a path, as part of it, within `width` of an entry from
/// [`meet`]; or where one in contact leaves it between two places.
pub(crate) fn change_of(
    approach: &mut Approach<'_>,
    between: Entry,
    width: f64,
    enters: bool,
) -> f64 {
    // Without contact the indicator of a gap of zero is this.
    let at_zero = approach.rule.indicator(0.0, false);
    let function = |theta| match enters {
        true => approach.value(theta),
        false => at_zero - approach.value(theta),
    };
    root(function, between, width)
}

/// Elastic force of a law that knows none, which no impact asks for: a scene with springs in place of
/// impulses and such a law is refused.
const UNKNOWN: PowerLaw = PowerLaw {
    stiffness: 1.0,
    exponent: 1.0,
};

/// A contact that may transmit an impulse.
#[derive(Clone, Debug)]
pub struct Meeting {
    /// The pair.
    pub(crate) pair: PairId,
    /// Bodies 1 and 2.
    pub bodies: [BodyId; 2],
    /// Contact point, world axes [m].
    pub point_w: Vec3,
    /// Normal from 1 to 2 and two tangents, world axes.
    pub axes_w: [Vec3; 3],
    /// Velocities of 2 against 1 [m/s, rad/s].
    pub velocities: [f64; COMPONENTS],
    /// What it transmits.
    pub touch: Touch,
}

impl Meeting {
    /// That of a contact, which `starts` now or has lasted; none if its law has no impulse. The bodies are
    /// placed.
    pub(crate) fn of(
        mode: &Mode,
        contact: &ActiveContact,
        work: &Workspace<f64>,
        starts: bool,
        patch: &mut Patch<f64>,
    ) -> Option<Meeting> {
        let law = mode.contacts.law(contact);
        let touch = touch(law, law.impulse?, starts);
        let mut near = contact_forces::nearest(mode, contact, &work.frames);
        let (bodies, fixed) = (contact.bodies, contact.fixed);
        let mut motion = contact_forces::motion_of(&near, bodies, fixed, work);
        if contact.over_area {
            near = deepest(&mode.model, law, contact.shapes, bodies, near, work, patch);
            motion = contact_forces::motion_of(&near, bodies, fixed, work);
        }
        let mut meeting = Meeting {
            pair: contact.pair,
            bodies: contact.bodies,
            point_w: motion.point,
            axes_w: axes(&motion.normal, &motion.velocity),
            velocities: [0.0; COMPONENTS],
            touch,
        };
        meeting.velocities = meeting.components(&motion.velocity, &motion.angular_velocity);
        Some(meeting)
    }

    /// Components of a velocity and an angular velocity, or of an impulse and a moment, world axes.
    pub(crate) fn components(&self, linear_w: &Vec3, angular_w: &Vec3) -> [f64; COMPONENTS] {
        let [n, s, t] = &self.axes_w;
        let (v, w) = (linear_w, angular_w);
        [n.dot(v), s.dot(v), t.dot(v), n.dot(w), s.dot(w), t.dot(w)]
    }

    /// The impulse and the moment of these components, world axes.
    pub(crate) fn wrench(&self, components: &[f64]) -> [Vec3; 2] {
        let sum = |from: usize| {
            let parts = self.axes_w.iter().zip(&components[from..]);
            parts.fold(Vec3::zeros(), |sum, (axis, part)| sum + axis * *part)
        };
        [sum(0), sum(3)]
    }
}

/// Where a pair over an area presses: the centre of its pressure with the shapes closer by the depth at which
/// the elastic energy of the law is that of the approach. `near` are the nearest points of the shapes.
pub(crate) fn deepest(
    model: &Model,
    law: &PairLaw,
    shapes: [ShapeId; 2],
    bodies: [BodyId; 2],
    mut near: Proximity,
    work: &Workspace<f64>,
    patch: &mut Patch<f64>,
) -> Proximity {
    let fixed = bodies.map(|body| model.scene.bodies()[body].is_fixed());
    let motion = contact_forces::motion_of(&near, bodies, fixed, work);
    let speed = motion.compression_rate();
    let moves = bodies.iter().any(|b| model.links.of_bodies[*b].is_some());
    let elastic = law.normal.elastic().filter(|_| speed > 0.0 && moves);
    let depth = elastic.map_or(0.0, |elastic| {
        let (point, normal) = (&motion.point, &motion.normal);
        let mass = tree::along_normal(model, work, bodies, point, normal);
        elastic.depth_after_impact(mass, speed)
    });
    let poses = shapes.map(|shape| &work.frames[model.frames.of_shapes[shape]]);
    for depth in [0.0, depth] {
        contact_forces::find_patch(model, law, shapes, poses, -depth, patch);
        if let Some((center, normal)) = area::center(patch) {
            near = Proximity::at(near.gap, patch.origin_w + center, normal);
        }
    }
    near
}

fn touch(law: &PairLaw, impulse: ImpulseLaw, starts: bool) -> Touch {
    Touch {
        restitution: law.damping.restitution,
        friction: impulse.friction,
        rolling: law.resistance.rolling,
        spinning: law.resistance.spinning,
        rest_speed: impulse.rest_speed,
        starts,
        elastic: law.normal.elastic().copied().unwrap_or(UNKNOWN),
    }
}

/// The normal, the direction of slip, or any across the normal if there is none, and the one across
/// both.
fn axes(normal: &Vec3, velocity: &Vec3) -> [Vec3; 3] {
    let slip = velocity - normal * normal.dot(velocity);
    let size = norm(&slip);
    let along = match size > f64::EPSILON * norm(velocity) {
        true => slip / size,
        false => {
            // The axis that is farthest from the normal.
            let least = normal.iamin();
            let axis = Vec3::from_fn(|i, _| if i == least { 1.0 } else { 0.0 });
            let across = axis - normal * normal.dot(&axis);
            across / norm(&across)
        }
    };
    [*normal, along, normal.cross(&along)]
}

// Contacts that the step under way starts and ends without an event.

/// What has started and ended in the step that is looked at.
#[derive(Clone, Debug, Default)]
pub(crate) struct Passed {
    /// Relative tolerance up to which contacts may start and end without an event; zero if none may.
    pub(crate) tolerance: f64,
    /// What completed steps have changed so, with the times [s].
    pub(crate) changes: Vec<(f64, Change)>,
    /// Contacts that start, with their times [s]. They are in the ledger.
    pub(crate) started: Vec<(SlotId, f64)>,
    /// Contacts that end, with their times [s]. They are in the ledger until the step is completed.
    pub(crate) ended: Vec<(SlotId, f64)>,
    /// Entries found, while they are looked at.
    pub(crate) found: Vec<(SlotId, Entry)>,
    /// States at such a time.
    pub(crate) states: Vec<f64>,
}

impl Passed {
    /// Nothing has.
    pub(crate) fn clear(&mut self) {
        self.started.clear();
        self.ended.clear();
    }

    /// Where in a step the contact in a slot has started, as part of it; 0 if it did before.
    pub(crate) fn start_of(&self, slot: SlotId, step: &DenseStep<'_>) -> f64 {
        let mut started = self.started.iter();
        let known = started.find(|(other, _)| *other == slot);
        known.map_or(0.0, |(_, time)| {
            (time - step.t0()) / (step.t1() - step.t0())
        })
    }
}
