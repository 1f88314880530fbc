//! Detection of contacts that start and end between two evaluations of the event indicators.
//!
//! In a step of the integrator: [`StepGuard::first_entry`] finds from where on a pair out of contact may
//! touch, or a joint may reach a stop.
//!
//! In Model Exchange importers evaluate indicators at the ends of their steps only. There the indicator of a
//! pair out of contact becomes its minimum since the last completed step or event, the anchor, along cubic
//! interpolants between the states and rates there and at present. It is the plain indicator at the anchor
//! and where it first reaches zero, so the root is the time of contact; and it stays negative after a body
//! has flown through another one, so the end of a step shows it. If the minimum m is positive, the importer
//! gets min(z, K m) with the plain indicator z and a large K: just z unless m is far below it. m is known to
//! a twentieth, so its visible part may jump by that much; at zero it is continuous. A step along which m is not known
//! for want of looks or of a finite bound has a negative indicator: it ends at an event without a contact, and the
//! next one begins there.
//!
//! With more pairs than slots all pairs that may come close are checked. If one without a slot touches, the
//! first slot out of contact becomes negative, and the event then finds it. If all slots are in contact none
//! is left to show it.
//!
//! # Meetings: contacts as input of an impact
//!
//! Each contact whose law has an impulse has its point p, an orthonormal frame (normal from 1 to 2, direction
//! of slip, the third axis) and the relative velocity and angular velocity of 2 at p, with the components of
//! [`impact`](contact_laws::impact).
//!
//! A contact over an area is represented by the centre of its pressure at the largest penetration: with the
//! shapes moved together by the depth d at which the elastic energy is that of the approach, U(d) = 1/2 m
//! v^2. At first touch a face lands on an edge or a corner, for the smallest tilt, while a force of
//! significant size would act at the middle of the face.

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

/// State of the scene at the last completed step or event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Anchor {
    time: Option<f64>,
    states: Vec<f64>,
    inputs: Vec<f64>,
}

impl Anchor {
    pub(crate) fn nowhere() -> Self {
        Anchor {
            time: None,
            states: Vec::new(),
            inputs: Vec::new(),
        }
    }

    pub(crate) fn unknown(scene: &Scene) -> Self {
        Anchor {
            time: None,
            states: vec![0.0; scene.layout().count()],
            inputs: vec![0.0; scene.inputs().len()],
        }
    }

    /// Returns true if its size fits `scene`.
    pub fn fits(&self, scene: &Scene) -> bool {
        self.states.len() == scene.layout().count() && self.inputs.len() == scene.inputs().len()
    }

    /// Sets it without allocating.
    pub(crate) fn set(&mut self, time: f64, states: &[f64], inputs: &[f64]) {
        self.time = Some(time);
        self.states.copy_from_slice(states);
        self.inputs.copy_from_slice(inputs);
    }

    pub(crate) fn copy_from(&mut self, other: &Anchor) {
        self.time = other.time;
        self.states.copy_from_slice(&other.states);
        self.inputs.copy_from_slice(&other.inputs);
    }

    pub(crate) fn forget(&mut self) {
        self.time = None;
    }
}

/// Guard with work arrays; results do not depend on earlier searches.
#[derive(Clone, Debug)]
pub(crate) struct StepGuard {
    pub path: Path,
    /// Pairs that may touch on the path, if not all have a slot.
    candidates: Option<Candidates>,
    slots: SlotOrder,
    chosen: Chosen,
    /// Lower bound of the gaps of pairs without a slot at the start of the path [m], if known.
    nearest: Option<f64>,
    frames: TiVec<FrameId, Pose>,
    near: Vec<PairId>,
    pub looks: u64,
}

/// State at the last assignment of slots to pairs.
#[derive(Clone, Debug)]
struct Chosen {
    time: f64,
    states: Vec<f64>,
    nearest: Option<f64>,
}

impl StepGuard {
    /// Guard of a model; `all` is a workspace with the fixed bodies placed, `None` for islands, which check
    /// no pairs without a slot.
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

    /// Allocates, at an event, for the search for pairs without a slot; poses of fixed bodies remain
    /// constant.
    pub(crate) fn prepare(&mut self, placement: &Placement) {
        if self.candidates.is_none() {
            self.candidates = Some(Candidates::new(placement.scene, placement));
            self.near.reserve(placement.scene.slot_count());
        }
    }

    /// Records that at a time [s] and states no pair without a slot has a gap below `nearest` [m], if known.
    pub(crate) fn note_chosen(&mut self, time: f64, states: &[f64], nearest: Option<f64>) {
        self.chosen.time = time;
        self.chosen.states.copy_from_slice(states);
        self.chosen.nearest = nearest;
    }

    pub(crate) fn forget_chosen(&mut self) {
        self.chosen.nearest = None;
    }

    fn find_nearest(&mut self, time: f64, states: &[f64]) {
        let here = time == self.chosen.time && states == self.chosen.states;
        self.nearest = self.chosen.nearest.filter(|_| here);
    }

    /// First point of a step where a positive indicator may cease to be positive, or a pair without a slot
    /// may touch; `indicators` are those at its start. `work` has the inputs.
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

    /// Lets a source search along the path.
    fn look_ahead(&mut self, mode: &Mode, source: &dyn EventSource, goal: Goal<'_>) {
        let mut ahead = LookAhead {
            goal,
            looks: &mut self.looks,
        };
        source.look_ahead(mode, &mut self.path, &mut ahead);
    }

    /// Returns true if an indicator of a source changes sign in the step that the path follows, or may do so
    /// inside; `indicators` are its own at the start and the end.
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

    /// Replaces the plain `indicators` at the present time and states by their minima since the anchor.
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

    /// Returns true if no pair can have been significantly closer on a path on which shapes travel up to
    /// `way` [m]: a shortcut for checking each pair.
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

/// Point of a path where a pair out of contact enters it, within `width` of an entry from [`meet`]; or where
/// one in contact leaves it between two points.
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

/// Placeholder for a law without a known elastic force, which no impact uses: compliant impacts refuse such
/// laws.
const UNKNOWN: PowerLaw = PowerLaw {
    stiffness: 1.0,
    exponent: 1.0,
};

/// Contact that may transmit an impulse.
#[derive(Clone, Debug)]
pub struct Meeting {
    pub(crate) pair: PairId,
    /// Bodies 1 and 2.
    pub bodies: [BodyId; 2],
    /// Contact point, world axes [m].
    pub point_w: Vec3,
    /// Normal from 1 to 2 and two tangents, world axes.
    pub axes_w: [Vec3; 3],
    /// Velocities of 2 relative to 1 [m/s, rad/s].
    pub velocities: [f64; COMPONENTS],
    /// Data of the contact for the impact.
    pub touch: Touch,
}

impl Meeting {
    /// Meeting of a contact, which `starts` now or lasts; `None` if its law has no impulse. The bodies are
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

    /// Impulse and moment with these components, world axes.
    pub(crate) fn wrench(&self, components: &[f64]) -> [Vec3; 2] {
        let sum = |from: usize| {
            let parts = self.axes_w.iter().zip(&components[from..]);
            parts.fold(Vec3::zeros(), |sum, (axis, part)| sum + axis * *part)
        };
        [sum(0), sum(3)]
    }
}

/// Point of a contact over an area: the centre of its pressure with the shapes moved together by the depth at
/// which the elastic energy is that of the approach. `near` are the nearest points of the shapes.
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

/// Normal, direction of slip (any tangent if there is none), and the third axis.
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

/// Contacts that start or end within the present step without an event.
#[derive(Clone, Debug, Default)]
pub(crate) struct Passed {
    /// Relative tolerance for contacts that start and end without an event; zero: none may.
    pub(crate) tolerance: f64,
    /// Changes by completed steps, with their times [s].
    pub(crate) changes: Vec<(f64, Change)>,
    /// Contacts that start, with their times [s]; already in the ledger.
    pub(crate) started: Vec<(SlotId, f64)>,
    /// Contacts that end, with their times [s]; in the ledger until the step is completed.
    pub(crate) ended: Vec<(SlotId, f64)>,
    pub(crate) found: Vec<(SlotId, Entry)>,
    pub(crate) states: Vec<f64>,
}

impl Passed {
    pub(crate) fn clear(&mut self) {
        self.started.clear();
        self.ended.clear();
    }

    /// Point of a step where the contact in a slot started; 0 if earlier.
    pub(crate) fn start_of(&self, slot: SlotId, step: &DenseStep<'_>) -> f64 {
        let mut started = self.started.iter();
        let known = started.find(|(other, _)| *other == slot);
        known.map_or(0.0, |(_, time)| {
            (time - step.t0()) / (step.t1() - step.t0())
        })
    }
}
