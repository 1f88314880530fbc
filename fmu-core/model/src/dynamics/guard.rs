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
use crate::contact::select::SlotOrder;
use crate::contact::{Ledger, Placement};
use crate::dynamics::approach::{Approach, ShapePair};
use crate::dynamics::contacts::{ActiveContact, Frozen};
use crate::dynamics::latches::TriggerPath;
use crate::dynamics::model::StopModel;
use crate::dynamics::parts::Workspace;
use crate::dynamics::path::{Instant, Path, PathEnd};
use crate::dynamics::search::{Bounded, Known, first_entry, least_value, root};
use crate::dynamics::{Model, contact_forces, tree};
use crate::hybrid::Entry;
use crate::scene::Scene;
use contact_geometry::math::dense::DenseStep;
use contact_geometry::math::{Pose, Quartic, Vec3, norm};
use contact_geometry::narrow_phase::area::Patch;
use contact_geometry::narrow_phase::{Feature, Proximity};
use contact_laws::impact::{COMPONENTS, Touch};
use contact_laws::index::{BodyId, FrameId, LatchId, PairId, ShapeId, SlotId, TiSlice, TiVec};
use contact_laws::response::choice::ContactRule;
use contact_laws::response::law::ImpulseLaw;
use contact_laws::response::normal::PowerLaw;
use contact_laws::response::{PairLaw, area};
use serde::{Deserialize, Serialize};

/// K: how often the least value on the way from the anchor must fit into the present one to show
/// [1]. Large, so that few ways are looked at closely.
const STEEPNESS: f64 = 16.0;
/// How far below zero the indicator of a stop may be passed over [m] or [rad].
const STOP_PASSED_OVER: f64 = 1e-13;

/// What a pair out of contact needs.
pub(crate) struct Watched<'a> {
    /// Its slot.
    pub slot: SlotId,
    /// Its shapes.
    pub(crate) shapes: &'a ShapePair,
}

/// Where the last step of the importer, or the last event, has left the scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Anchor {
    /// Time [s]; none before the first event.
    time: Option<f64>,
    states: Vec<f64>,
    inputs: Vec<f64>,
}

impl Anchor {
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
    path: Path,
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
    /// Looks at gaps so far.
    looks: u64,
}

/// Where slots were given to pairs last.
#[derive(Clone, Debug)]
struct Chosen {
    time: f64,
    states: Vec<f64>,
    /// No other pair had a smaller gap there [m].
    nearest: Option<f64>,
}

/// Indicator of a stop out of contact over a path.
struct StopPath(Quartic);

impl Bounded for StopPath {
    type Look = f64;

    fn value(&mut self, theta: f64) -> f64 {
        self.0.at(theta)
    }

    fn look(&mut self, theta: f64) -> Option<Known<f64>> {
        Some(Known {
            value: self.0.at(theta),
            tolerance: STOP_PASSED_OVER,
            look: theta,
        })
    }

    fn bound(&self, theta: &f64, length: f64) -> f64 {
        self.0.part(*theta, theta + length).least()
    }
}

impl StepGuard {
    /// Work arrays for a model.
    pub(crate) fn new(model: &Model) -> Self {
        let work = Workspace::<f64>::new(model);
        StepGuard {
            path: Path::new(model),
            candidates: None,
            slots: SlotOrder::default(),
            chosen: Chosen {
                time: f64::NAN,
                states: vec![0.0; model.scene.layout().count()],
                nearest: None,
            },
            nearest: None,
            frames: work.frames,
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

    /// How often gaps were looked at so far.
    pub(crate) fn looks(&self) -> u64 {
        self.looks
    }

    /// Where in a step something out of contact may touch that does not at its start, or a trigger may
    /// close a latch; `indicators` are those there. `work` has the inputs.
    pub(crate) fn first_entry<'a>(
        &mut self,
        model: &Model,
        ledger: &Ledger,
        work: &Workspace<f64>,
        watched: impl Iterator<Item = Watched<'a>>,
        step: &DenseStep<'_>,
        indicators: &[f64],
    ) -> Option<Entry> {
        self.path.follow(model, step, work);
        self.find_nearest(step.t0(), step.start());
        let rule = model.scene.contact().law.rule;
        let mut first: Option<Entry> = None;
        let (indicators, others) = indicators.split_at(model.scene.slot_count());
        let (stops, triggers) = others.split_at(model.stops.len());
        let indicators = TiSlice::from_ref(indicators);
        for Watched { slot, shapes } in watched {
            let start = indicators[slot];
            if start <= 0.0 || start - shapes.travel(&self.path, PathEnd::Start) > 0.0 {
                continue;
            }
            let mut approach = self.approach(model, rule, shapes, ledger.hint(slot));
            meet(&mut first, &mut approach);
        }
        let known = model.stops.iter().zip(ledger.stops()).zip(stops);
        for ((stop, contact), start) in known {
            if contact.is_none() && *start > 0.0 {
                meet_stop(&mut first, &self.path, stop);
            }
        }
        for (latch, start) in model.scene.triggers().iter().zip(triggers) {
            if !ledger.latches()[*latch].is_closed && *start > 0.0 {
                meet_trigger(&mut first, &self.path, model, *latch);
            }
        }
        self.each_unwatched(model, ledger, |guard, pair| {
            let shapes = ShapePair::new(model, pair);
            let mut approach = guard.approach(model, rule, &shapes, &Feature::None);
            if approach.value(0.0) > 0.0 {
                meet(&mut first, &mut approach);
            }
        });
        first
    }

    /// Has `indicators`, the plain ones at the present time and states, hold the minimum on the way
    /// from the anchor.
    pub(super) fn remember<'a>(
        &mut self,
        model: &Model,
        ledger: &Ledger,
        anchor: &Anchor,
        now: Instant<'_>,
        watched: impl Iterator<Item = Watched<'a>> + Clone,
        indicators: &mut [f64],
    ) {
        let Some(start) = anchor.time.filter(|start| *start < now.time) else {
            return;
        };
        self.find_nearest(start, &anchor.states);
        let duration = now.time - start;
        let ways = self
            .path
            .bound_of_ways(model, duration, &anchor.states, now.states);
        if ways.is_some_and(|way| self.is_far(model, watched.clone(), indicators, way)) {
            return;
        }
        let from = Instant::new(start, &anchor.states, &anchor.inputs);
        self.path.join(model, from, now);
        let rule = model.scene.contact().law.rule;
        let (indicators, others) = indicators.split_at_mut(model.scene.slot_count());
        let (stops, triggers) = others.split_at_mut(model.stops.len());
        let indicators = TiSlice::from_mut(indicators);
        for Watched { slot, shapes } in watched.clone() {
            let z = &mut indicators[slot];
            let enough = z.max(0.0) / STEEPNESS;
            if *z - shapes.travel(&self.path, PathEnd::End) > enough {
                continue;
            }
            let hint = ledger.hint(slot);
            let mut approach = self.approach(model, rule, shapes, hint);
            *z = held(*z, least_value(&mut approach, *z, enough));
        }
        let known = model.stops.iter().zip(ledger.stops()).zip(stops);
        for ((stop, contact), z) in known {
            if contact.is_none() {
                let enough = z.max(0.0) / STEEPNESS;
                *z = held(
                    *z,
                    least_value(&mut stop_path(&self.path, stop), *z, enough),
                );
            }
        }
        for (latch, z) in model.scene.triggers().iter().zip(triggers) {
            let state = &ledger.latches()[*latch];
            let mut trigger = TriggerPath::new(model, *latch, &self.path);
            if !state.is_closed && trigger.value(0.0) > 0.0 {
                let enough = z.max(0.0) / STEEPNESS;
                *z = held(*z, least_value(&mut trigger, *z, enough));
            }
        }
        let mut least = f64::INFINITY;
        self.each_unwatched(model, ledger, |guard, pair| {
            let shapes = ShapePair::new(model, pair);
            let mut approach = guard.approach(model, rule, &shapes, &Feature::None);
            let end = approach.value(1.0);
            least = least.min(least_value(&mut approach, end, end.max(0.0) / STEEPNESS));
        });
        if let Some(first) = watched.map(|watched| watched.slot).next() {
            indicators[first] = indicators[first].min(held(f64::INFINITY, least));
        }
    }

    /// Whether nothing can have been nearer on a path than shows now if no shape goes farther than
    /// `way` [m]: what a look at each pair with its own ways would say too.
    fn is_far<'a>(
        &self,
        model: &Model,
        mut watched: impl Iterator<Item = Watched<'a>>,
        indicators: &[f64],
        way: f64,
    ) -> bool {
        let near = |watched: Watched<'_>| {
            let z = indicators[usize::from(watched.slot)];
            // What is no number is near.
            let is_far = z - 2.0 * way > z.max(0.0) / STEEPNESS;
            !is_far
        };
        let unwatched = !model.scene.monitors_all_pairs();
        let known = !unwatched || self.nearest.is_some_and(|nearest| nearest > 2.0 * way);
        let others = !model.stops.is_empty() || !model.scene.triggers().is_empty();
        known && !others && !watched.any(near)
    }

    fn approach<'a>(
        &'a mut self,
        model: &'a Model,
        rule: ContactRule,
        shapes: &'a ShapePair,
        hint: &'a Feature,
    ) -> Approach<'a> {
        Approach {
            model,
            path: &mut self.path,
            shapes,
            hint,
            rule,
            looks: &mut self.looks,
        }
    }

    /// Calls `visit` with each pair without a slot that may touch on the path.
    fn each_unwatched(
        &mut self,
        model: &Model,
        ledger: &Ledger,
        mut visit: impl FnMut(&mut Self, PairId),
    ) {
        let scene = &model.scene;
        if scene.monitors_all_pairs() {
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
            visit(self, *pair);
        }
        self.near = near;
    }
}

/// Where a pair out of contact enters it on a path, as part of it, within `width` of an entry from
/// [`meet`]; or where one in contact leaves it between two places.
pub(super) fn change_of(
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

/// As [`meet`], of a stop.
pub(super) fn meet_stop(first: &mut Option<Entry>, path: &Path, stop: &StopModel) {
    meet(first, &mut stop_path(path, stop));
}

/// As [`meet`], of the trigger of an open latch.
pub(super) fn meet_trigger(first: &mut Option<Entry>, path: &Path, model: &Model, latch: LatchId) {
    meet(first, &mut TriggerPath::new(model, latch, path));
}

/// Takes the first entry of a function if it is before the first so far.
pub(super) fn meet<B: Bounded>(first: &mut Option<Entry>, function: &mut B) {
    let limit = first.map_or(1.0, |entry| entry.after);
    if let Some(found) = first_entry(function, limit) {
        let before = first.map_or(1.0, |entry| entry.before);
        *first = Some(Entry {
            before: before.min(found.before),
            after: found.after,
        });
    }
}

fn stop_path(path: &Path, stop: &StopModel) -> StopPath {
    let coordinate = path.coordinate(stop.position());
    StopPath(Quartic(coordinate.0.map(|q| stop.indicator_at(q, false))))
}

/// What an importer sees if the plain indicator is `now` and the least one on the way was `least`.
fn held(now: f64, least: f64) -> f64 {
    match least > 0.0 {
        true => now.min(STEEPNESS * least),
        false => least,
    }
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
        frozen: &Frozen<'_>,
        contact: &ActiveContact,
        work: &Workspace<f64>,
        starts: bool,
        patch: &mut Patch<f64>,
    ) -> Option<Meeting> {
        let law = frozen.contacts.law(contact);
        let touch = touch(law, law.impulse?, starts);
        let mut near = contact_forces::nearest(frozen, contact, &work.frames);
        let (bodies, fixed) = (contact.bodies, contact.fixed);
        let mut motion = contact_forces::motion_of(&near, bodies, fixed, work);
        if contact.over_area {
            near = deepest(frozen.model, law, contact.shapes, bodies, near, work, patch);
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
