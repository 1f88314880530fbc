//! Division of links and pairs into islands over a window.
//!
//! With the gap g and the normal n of a pair at the start, the reference motions of its bodies and the
//! deviations d of its shapes,
//!   gap(t) >= g + n.(v_2 - v_1) t + 1/2 n.(a_2 - a_1) t^2 - d_1 - d_2:
//! convex shapes are separated by two parallel planes with the distance g that follow the reference motions. A
//! pair whose bound is not positive all over the window is near, and so is one of a mesh, which need not be convex,
//! if g is not larger than the ways of both. Links with a near pair are in one island,
//! and so are the links of a tree. Before the window is stepped deviations are estimated; afterwards they are
//! known, and [`Division::check`] adds the pairs that are near with these.
//!
//! # Deviations of an island's shapes from their reference motions
//!
//! The origin of a free body has the reference motion p + v t + 1/2 a t^2 from the start of the window on,
//! its rotation none; a body on a joint is at rest. Over a step the origin is a polynomial ([`Path`]), so the
//! Bernstein coefficients of the difference bound its deviation; its rotation is bounded by the sum of the
//! bounds of the steps.
//!
//! # Free flight in closed form
//!
//! A free body under uniform gravity alone, whose origin is its centre of mass and whose inertia is that of a
//! ball, moves on a parabola and rotates about a fixed axis:
//!   p(t) = p + v t + 1/2 g t^2,  q(t) = q * (cos(|w| t/2), sin(|w| t/2) w/|w|),
//! with the quaternion q from body to world axes and the angular velocity w in body axes.

use crate::broad_phase::{Candidate, Candidates, Poses};
use crate::contact::{Contact, LatchState, Placement, StopContact};
use crate::dynamics::link::Link;
use crate::dynamics::path::{Path, PathEnd};
use crate::dynamics::rigid::FREE_STATES;
use crate::dynamics::source::Change;
use crate::dynamics::stage::Stage;
use crate::dynamics::system::System;
use crate::dynamics::{Model, rigid};
use crate::scene::description::Gravity;
use contact_geometry::math::real::{cos, sin};
use contact_geometry::math::spatial::multiply;
use contact_geometry::math::{Mat3, Vec3, norm};
use contact_geometry::narrow_phase::Feature;
use contact_geometry::shapes::{Kind, RoundedShape};
use contact_laws::index::{
    BodyId, LatchId, LinkId, PairId, ShapeId, StopId, TiSlice, TiVec, ti_vec,
};

/// Estimated deviation of a tree link over the distance that its origin travels at its speed.
const AROUND: f64 = 1.5;
/// Estimated change of a relative velocity by an impact, in closing speeds: 1 + e and some friction.
const PARTING: f64 = 1.8;
/// Candidates requested for each link.
const LISTED: usize = 4;
/// Travel in sizes of a shape for which a window is too long in scenes of more than [`MANY`] pairs.
const FAR: f64 = 2.0;
const MANY: usize = 20_000;
/// Rounding of travel, relative [1], and of gaps [m].
const ROUNDING: (f64, f64) = (1e-9, 1e-12);

#[derive(Clone, Copy, Debug, PartialEq)]
struct Encounter {
    /// Closing speed of the reference motions [m/s], 0 if only deviations allow contact.
    speed: f64,
    /// Time from there to the end of the window [s].
    time_left: f64,
}

/// Work arrays; results depend on the system's state, the ledger and the window.
pub(crate) struct Division {
    candidates: Option<Candidates>,
    path: Path,
    references: TiVec<LinkId, Reference>,
    turning: TiVec<LinkId, f64>,
    /// Acceleration by contacts at the start [m/s2].
    pressed: TiVec<LinkId, f64>,
    /// Deviations of the shapes over the window, estimated or found [m].
    deviations: TiVec<ShapeId, f64>,
    /// Bound of each shape's displacement from its start [m].
    reaches: TiVec<ShapeId, f64>,
    /// Whether links fly in closed form if nothing touches them.
    closed: TiVec<LinkId, bool>,
    /// Near pairs, ascending, and those found last.
    near: Vec<PairId>,
    found: Vec<PairId>,
    meetings: Vec<(PairId, Encounter)>,
    /// For each link another one of its island with a lower index, or itself.
    leader: TiVec<LinkId, LinkId>,
    place: TiVec<LinkId, usize>,
    too_far: bool,
    is_shortest: bool,
    window: f64,
    before: Vec<Island>,
}

impl Division {
    pub(crate) fn new(system: &System) -> Self {
        let model = system.model();
        let links = model.links.all.len();
        Division {
            candidates: None,
            path: Path::new(model),
            references: ti_vec![Reference::default(); links],
            turning: ti_vec![0.0; links],
            pressed: ti_vec![0.0; links],
            deviations: ti_vec![0.0; model.scene.shapes().len()],
            reaches: ti_vec![0.0; model.scene.shapes().len()],
            closed: model
                .links
                .all
                .keys()
                .map(|link| is_closed(model, link))
                .collect(),
            near: Vec::new(),
            found: Vec::new(),
            meetings: Vec::new(),
            leader: TiVec::new(),
            place: ti_vec![0; links],
            too_far: false,
            is_shortest: false,
            window: 0.0,
            before: Vec::new(),
        }
    }

    /// Takes the present time and states of a system, where windows start. Returns false if they are not
    /// usable.
    pub(crate) fn start(&mut self, system: &mut System) -> bool {
        system.stage.accelerate();
        let Stage { mode, work, .. } = &system.stage;
        let model = &*mode.model;
        for (index, link) in model.links.all.iter_enumerated() {
            let pose = &work.frames[link.body.frame()];
            let twist = &work.twists[link.body];
            self.turning[index] = twist.omega_b.norm();
            self.references[index] = Reference {
                position: pose.position,
                velocity: match link.is_free {
                    true => twist.velocity_w,
                    false => Vec3::zeros(),
                },
                acceleration: Vec3::zeros(),
            };
            self.pressed[index] = 0.0;
        }
        for index in model.links.rigid() {
            let (body, reference) = (model.links.all[index].body, &mut self.references[index]);
            reference.acceleration = rigid::gravity(&model.gravity, &reference.position);
            let load = &work.loads[body];
            if load.acts {
                let pressed = load.force_w / model.bodies[body].mass;
                reference.acceleration += pressed;
                self.pressed[index] = pressed.norm();
            }
        }
        let placed = work.placement(model);
        let candidates = self
            .candidates
            .get_or_insert_with(|| Candidates::new(placed.scene, &placed));
        candidates.take_place(&placed)
    }

    /// Divides the links for a window of this length [s]. Returns the number of links in islands of several
    /// parts that do not act on each other at its start.
    pub(crate) fn divide(&mut self, system: &System, window: f64, is_shortest: bool) -> usize {
        (self.window, self.is_shortest) = (window, is_shortest);
        self.near.clear();
        let contacts = system.ledger().contacts().iter();
        self.near.extend(contacts.map(|contact| contact.pair));
        self.expect(system);
        self.add_near(system);
        if self.expect_impacts(system.model()) {
            self.add_near(system);
        }
        self.join(system);
        self.joined(system)
    }

    /// The islands, in the order of their first links; existing ones with the same links and pairs are kept.
    /// `origins` gets the previous index of each, or `None`.
    pub(crate) fn make(
        &mut self,
        system: &System,
        islands: &mut Vec<Island>,
        origins: &mut Vec<Option<usize>>,
    ) {
        let model = system.model();
        std::mem::swap(islands, &mut self.before);
        Self::forget(islands);
        let mut count = 0;
        for index in model.links.all.keys() {
            if self.leader[index] == index {
                self.place[index] = count;
                count += 1;
            }
        }
        islands.resize_with(count, Island::default);
        for index in model.links.all.keys() {
            let place = self.place[self.leader[index]];
            self.place[index] = place;
            islands[place].links.push(index);
        }
        for pair in &self.near {
            let bodies = model.pair_bodies(*pair);
            let links = bodies.map(|body| model.links.of_bodies[body]);
            // What touches without a link is watched by the first one.
            let place = links[0].or(links[1]).map_or(0, |link| self.place[link]);
            islands[place].pairs.push(*pair);
        }
        origins.clear();
        let mut before = self.before.iter_mut().enumerate().peekable();
        for island in islands {
            let first = island.links.first();
            while before.next_if(|old| old.1.links.first() < first).is_some() {}
            let same = |old: &(usize, &mut Island)| {
                old.1.links == island.links && old.1.pairs == island.pairs
            };
            let old = before.next_if(same);
            origins.push(old.map(|(place, old)| {
                std::mem::swap(island, old);
                place
            }));
        }
    }

    pub(crate) fn forget(islands: &mut Vec<Island>) {
        for island in islands {
            island.links.clear();
            island.pairs.clear();
        }
    }

    /// Gravity [m/s2] if an island is a link in free flight with a closed form.
    pub(crate) fn flight(&self, system: &System, island: &Island) -> Option<Vec3> {
        let [link] = island.links[..] else {
            return None;
        };
        let is_flight = island.pairs.is_empty() && self.closed[link];
        let position = &self.references[link].position;
        is_flight.then(|| rigid::gravity(&system.model().gravity, position))
    }

    pub(crate) fn references(&self) -> &TiSlice<LinkId, Reference> {
        &self.references
    }

    /// Takes the deviations found by islands. Returns true if no unwatched pair may have touched; otherwise
    /// the links are divided again.
    pub(crate) fn check(&mut self, system: &System, islands: &[Island]) -> bool {
        for (shape, deviation) in islands.iter().flat_map(|island| &island.deviations) {
            self.deviations[*shape] = *deviation;
        }
        let known = self.near.len();
        self.add_near(system);
        if self.near.len() == known && !self.too_far {
            return true;
        }
        self.join(system);
        false
    }

    fn expect(&mut self, system: &System) {
        let (model, window) = (system.model(), self.window);
        self.path
            .follow_others(model, system.stage.work.time, window, &system.stage.work);
        for (index, shape) in model.scene.shapes().iter_enumerated() {
            let reach = self.path.reach(index);
            self.deviations[index] = match model.links.of_bodies[shape.body] {
                None if model.scene.bodies()[shape.body].is_fixed() => 0.0,
                None => self.path.travel(index, PathEnd::Start),
                Some(link) => {
                    let turned = turned(reach, self.turning[link] * window);
                    let speed = system.stage.work.twists[shape.body].velocity_w.norm();
                    match model.links.is_rigid(link) {
                        // As if the contacts ended, or pressed twice as much.
                        true => turned + 0.5 * self.pressed[link] * window * window,
                        false => turned + AROUND * speed * window,
                    }
                }
            };
        }
    }

    /// Bounds each shape's displacement from its start.
    fn find_reaches(&mut self, model: &Model) {
        for shape in model.scene.shapes().keys() {
            self.reaches[shape] = self.reach(model, shape);
        }
    }

    fn reach(&self, model: &Model, shape: ShapeId) -> f64 {
        let deviation = self.deviations[shape];
        let body = model.scene.shapes()[shape].body;
        let Some(link) = model.links.of_bodies[body] else {
            return deviation;
        };
        let (reference, t) = (&self.references[link], self.window);
        let way = reference.velocity.norm() * t + 0.5 * reference.acceleration.norm() * t * t;
        (way + deviation) * (1.0 + ROUNDING.0)
    }

    fn add_near(&mut self, system: &System) {
        let model = system.model();
        let placed = system.stage.placement();
        let Some(mut candidates) = self.candidates.take() else {
            return;
        };
        self.find_reaches(model);
        let needed = 2.0 * self.reaches.iter().copied().fold(0.0, f64::max);
        let farthest = FAR * candidates.typical_size();
        self.too_far = needed > farthest && model.scene.pairs().len() > MANY;
        // For the shortest windows the list is as long as necessary.
        if self.too_far && !self.is_shortest {
            self.candidates = Some(candidates);
            return;
        }
        self.too_far = false;
        if candidates.outside() <= needed {
            let count = LISTED * model.links.all.len();
            candidates.gather(placed.scene, &placed, count, needed);
        }
        self.found.clear();
        self.meetings.clear();
        for index in 0..candidates.list().len() {
            let candidate = candidates.list()[index];
            let reaches = candidate.shapes.map(|shape| self.reaches[shape]);
            let reach = reaches[0] + reaches[1] + ROUNDING.1;
            let (lower, _) = candidates.bounds(&candidate);
            if lower > reach || self.near.binary_search(&candidate.pair).is_ok() {
                continue;
            }
            let gap = |pair: &Candidate| placed.gap_between(pair.shapes, &Feature::None);
            if candidates.gap(index, gap) > reach {
                continue;
            }
            if let Some(meeting) = self.meeting(model, &placed, &candidate) {
                self.found.push(candidate.pair);
                self.meetings.push((candidate.pair, meeting));
            }
        }
        self.candidates = Some(candidates);
        self.near.append(&mut self.found);
        self.near.sort_unstable();
    }

    /// Possible contact of a pair within reach; `None` if its gap stays positive.
    fn meeting(
        &self,
        model: &Model,
        placed: &Placement,
        candidate: &Candidate,
    ) -> Option<Encounter> {
        let [form_1, form_2] = model.scene.forms_of(candidate.shapes);
        let [pose_1, pose_2] = candidate.shapes.map(|shape| placed.pose(shape));
        let near =
            contact_geometry::narrow_phase::query(form_1, pose_1, form_2, pose_2, &Feature::None);
        let motions = candidate
            .shapes
            .map(|shape| self.motion(model, model.scene.shapes()[shape].body));
        let speed = near.normal_w.dot(&(motions[1].0 - motions[0].0));
        let acceleration = near.normal_w.dot(&(motions[1].1 - motions[0].1));
        let at = |t: f64| speed * t + 0.5 * acceleration * t * t;
        let mut least = at(self.window).min(0.0);
        let turn = -speed / acceleration;
        if acceleration > 0.0 && 0.0 < turn && turn < self.window {
            least = least.min(at(turn));
        }
        let off: f64 = candidate
            .shapes
            .map(|shape| self.deviations[shape])
            .iter()
            .sum();
        let reached = near.gap + least * (1.0 + ROUNDING.0) - off * (1.0 + ROUNDING.0) - ROUNDING.1;
        // A body beside one wall of a concave one may meet another wall. What is no number is near.
        let kinds = [form_1, form_2].map(RoundedShape::kind);
        let may_meet = kinds.contains(&Kind::Mesh) && !kinds.contains(&Kind::HalfSpace);
        if reached > 0.0 && !may_meet {
            return None;
        }
        // The closing speed where the reference motions meet: v^2 - 2 a g.
        let square = speed * speed - 2.0 * acceleration * near.gap;
        let closing = if square > 0.0 { square.sqrt() } else { 0.0 };
        let time = 2.0 * near.gap / (closing - speed);
        let meets = near.gap > 0.0 && closing > speed && time < self.window;
        Some(Encounter {
            speed: if meets { closing } else { 0.0 },
            time_left: if meets { self.window - time } else { 0.0 },
        })
    }

    /// Adds the estimated effects of impacts between reference motions to the deviations. Returns true if
    /// there are any.
    fn expect_impacts(&mut self, model: &Model) -> bool {
        let mut any = false;
        for (pair, Encounter { speed, time_left }) in &self.meetings {
            let way = PARTING * speed * time_left;
            if way == 0.0 {
                continue;
            }
            any = true;
            let bodies = model.pair_bodies(*pair);
            let heavy = |body: BodyId| match model.links.of_bodies[body] {
                Some(_) => model.bodies[body].mass,
                None => f64::INFINITY,
            };
            let masses = bodies.map(heavy);
            for (place, body) in bodies.into_iter().enumerate() {
                if model.links.of_bodies[body].is_none() {
                    continue;
                }
                let share = 1.0 / (1.0 + masses[place] / masses[1 - place]);
                for shape in self.path.shapes_of(body) {
                    self.deviations[*shape] += share * way;
                }
            }
        }
        any
    }

    fn motion(&self, model: &Model, body: BodyId) -> (Vec3, Vec3) {
        match model.links.of_bodies[body] {
            Some(link) => {
                let reference = &self.references[link];
                (reference.velocity, reference.acceleration)
            }
            None => (Vec3::zeros(), Vec3::zeros()),
        }
    }

    fn join(&mut self, system: &System) {
        let links = &system.model().links;
        self.leader.clear();
        self.leader.extend(links.roots.iter().copied());
        for place in 0..self.near.len() {
            let bodies = system.model().pair_bodies(self.near[place]);
            if let [Some(one), Some(other)] = bodies.map(|body| links.of_bodies[body]) {
                self.unite([one, other]);
            }
        }
        for watched in &links.of_triggers {
            for link in &watched[1..] {
                self.unite([watched[0], *link]);
            }
        }
        for index in links.all.keys() {
            self.leader[index] = self.find(index);
        }
    }

    fn unite(&mut self, links: [LinkId; 2]) {
        let [one, other] = links.map(|link| self.find(link));
        self.leader[one.max(other)] = one.min(other);
    }

    fn find(&self, mut link: LinkId) -> LinkId {
        while self.leader[link] != link {
            link = self.leader[link];
        }
        link
    }

    /// Number of links in islands of several parts that do not act on each other; the maximum if the window
    /// is too long.
    pub(crate) fn joined(&self, system: &System) -> usize {
        if self.too_far {
            return usize::MAX;
        }
        let parts = system.stage.mode.contacts.parts.of_links();
        let is_mixed = |link: &LinkId| parts[*link] != parts[self.leader[*link]];
        // For each island whether a link has another part than the first one.
        let mut mixed: TiVec<LinkId, bool> = ti_vec![false; self.leader.len()];
        for link in self.leader.keys().filter(is_mixed) {
            mixed[self.leader[link]] = true;
        }
        let links = self.leader.keys();
        links.filter(|link| mixed[self.leader[*link]]).count()
    }
}

/// Relative rounding of a position [1].
const DEVIATION_ROUNDING: f64 = 32.0 * f64::EPSILON;

/// Reference motion of the origin of a link.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Reference {
    pub(crate) position: Vec3,
    pub velocity: Vec3,
    pub acceleration: Vec3,
}

/// Bound of a link's deviation from its reference motion.
#[derive(Clone, Debug, Default)]
pub(crate) struct Deviation {
    /// Deviation of a free body's origin [m].
    pub(super) origin: f64,
    pub(super) angle: f64,
    /// Travel of each shape of a link on a joint [m].
    pub(super) travel: Vec<f64>,
}

impl Deviation {
    pub(crate) fn start(&mut self, shapes: usize) {
        (self.origin, self.angle) = (0.0, 0.0);
        self.travel.clear();
        self.travel.resize(shapes, 0.0);
    }

    /// Adds the step that `path` follows, which starts `since` [s] after the window.
    pub(crate) fn add(
        &mut self,
        model: &Model,
        path: &Path,
        link: &Link,
        reference: &Reference,
        since: f64,
    ) {
        if !link.is_free {
            for (travel, shape) in self.travel.iter_mut().zip(path.shapes_of(link.body)) {
                *travel += path.travel(*shape, PathEnd::Start);
            }
            return;
        }
        debug_assert!(model.links.of_bodies[link.body].is_some());
        let h = path.duration();
        let first = link.first_state();
        let [x, y, z] = [0, 1, 2].map(|i| &path.coordinate(first + i).0);
        let Reference {
            position,
            velocity,
            acceleration,
        } = reference;
        let constant = position + velocity * since + acceleration * (0.5 * since * since);
        let linear = (velocity + acceleration * since) * h;
        let square = acceleration * (0.5 * h * h);
        // theta and theta^2 in Bernstein form of degree 4.
        const LINEAR: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
        const SQUARE: [f64; 5] = [0.0, 0.0, 1.0 / 6.0, 0.5, 1.0];
        for k in 0..5 {
            let expected = constant + linear * LINEAR[k] + square * SQUARE[k];
            let off = (Vec3::new(x[k], y[k], z[k]) - expected).norm();
            self.origin = self.origin.max(off + DEVIATION_ROUNDING * expected.amax());
        }
        self.angle += path.bound(link.body).turning.speed * h;
    }

    /// Deviation of the link's shape with this index [m].
    pub(crate) fn of_shape(&self, path: &Path, link: &Link, place: usize) -> f64 {
        if !link.is_free {
            return self.travel[place];
        }
        let reach = path.reach(path.shapes_of(link.body)[place]);
        self.origin + turned(reach, self.angle)
    }
}

/// Bound of the displacement of a point at the distance `reach` [m] from the origin by a rotation [m].
pub(crate) fn turned(reach: f64, angle: f64) -> f64 {
    match reach == 0.0 || angle == 0.0 {
        true => 0.0,
        false => (reach * angle).min(2.0 * reach),
    }
}

/// Deviations of the links of an island over a window.
#[derive(Clone, Debug, Default)]
pub(crate) struct Drift {
    start: f64,
    of_links: Vec<Deviation>,
}

impl Drift {
    pub(super) fn begin(&mut self, model: &Model, path: &Path, links: &[LinkId], start: f64) {
        self.start = start;
        self.of_links.resize_with(links.len(), Deviation::default);
        for (deviation, index) in self.of_links.iter_mut().zip(links) {
            let body = model.links.all[*index].body;
            deviation.start(path.shapes_of(body).len());
        }
    }

    /// Adds an accepted step, which the path follows from a time [s] on.
    pub(super) fn add(
        &mut self,
        model: &Model,
        path: &Path,
        links: &[LinkId],
        references: &TiSlice<LinkId, Reference>,
        from: f64,
    ) {
        let since = from - self.start;
        for (deviation, index) in self.of_links.iter_mut().zip(links) {
            let link = &model.links.all[*index];
            deviation.add(model, path, link, &references[*index], since);
        }
    }

    pub(super) fn of_shapes<'a>(
        &'a self,
        model: &'a Model,
        path: &'a Path,
        links: &'a [LinkId],
    ) -> impl Iterator<Item = (ShapeId, f64)> + 'a {
        links.iter().zip(&self.of_links).flat_map(|(index, own)| {
            let link = &model.links.all[*index];
            let shapes = path.shapes_of(link.body).iter().enumerate();
            shapes.map(|(place, shape)| (*shape, own.of_shape(path, link, place)))
        })
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Island {
    /// Ascending, complete trees.
    pub links: Vec<LinkId>,
    /// Pairs watched or in contact, ascending; pair i has slot i here.
    pub(crate) pairs: Vec<PairId>,
    /// States of its links, of the deflections that its pairs may have, by their slots here, and the work
    /// dissipated since the window began.
    pub(crate) states: Vec<f64>,
    /// Contacts, by the slots of the island.
    pub(super) contacts: Vec<Contact>,
    pub(super) hints: Vec<Feature>,
    pub(super) stops: Vec<(StopId, Option<StopContact>)>,
    pub(super) latches: Vec<(LatchId, LatchState)>,
    /// Bounds of its shapes' deviations from their reference motions [m].
    pub(super) deviations: Vec<(ShapeId, f64)>,
    /// Changes by its events, with their times [s].
    pub changes: Vec<(f64, Change)>,
}

/// Returns true if a link without contact flies in closed form, without an event that a trigger might cause.
fn is_closed(model: &Model, link: LinkId) -> bool {
    let known = &model.links.all[link];
    let body = &model.bodies[known.body];
    let inertia = &body.inertia_b;
    let is_ball = *inertia == Mat3::from_diagonal_element(inertia[(0, 0)]);
    let is_uniform = !matches!(model.gravity, Gravity::Point { .. });
    let mut watched = model.links.of_triggers.iter().flatten();
    model.links.is_rigid(link)
        && body.centered
        && is_ball
        && is_uniform
        && known.applied.is_empty()
        && watched.all(|own| *own != link)
}

/// States of such a link after a time [s].
pub(super) fn fly(gravity: &Vec3, states: &mut [f64], time: f64) {
    debug_assert_eq!(states.len(), FREE_STATES);
    for i in 0..3 {
        states[i] += time * (states[7 + i] + 0.5 * time * gravity[i]);
        states[7 + i] += time * gravity[i];
    }
    let omega = Vec3::new(states[10], states[11], states[12]);
    let speed = norm(&omega);
    if speed == 0.0 {
        return;
    }
    let half = 0.5 * speed * time;
    let (w, v) = (cos(half), omega * (sin(half) / speed));
    let start = [states[3], states[4], states[5], states[6]];
    states[3..7].copy_from_slice(&multiply(&start, &[w, v.x, v.y, v.z]));
}

#[cfg(test)]
mod tests {
    use super::*;
    use contact_geometry::math::rotation_matrix;

    #[test]
    fn a_body_falls_on_a_parabola_and_turns_about_its_axis() {
        let mut x = [
            1.0, 2.0, 3.0, 0.6, 0.0, 0.8, 0.0, 0.5, -1.0, 4.0, 0.3, -2.0, 1.1,
        ];
        let start = x;
        let omega = Vec3::new(0.3, -2.0, 1.1);
        fly(&Vec3::new(0.0, 0.0, -10.0), &mut x, 0.4);
        let expected = [1.2, 1.6, 3.8];
        for (found, expected) in x.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-15);
        }
        assert!((x[9] - 0.0).abs() < 1e-15);
        // The turn from start to end is one about the axis by its speed times the time.
        let turns = [&start, &x].map(|x| rotation_matrix(&[x[3], x[4], x[5], x[6]]));
        let turn = turns[0].transpose() * turns[1];
        let angle = 0.4 * omega.norm();
        assert!((turn * omega - omega).norm() < 1e-15 * 10.0);
        assert!((0.5 * (turn.trace() - 1.0) - angle.cos()).abs() < 1e-14);
        let sine = Vec3::new(
            turn[(2, 1)] - turn[(1, 2)],
            turn[(0, 2)] - turn[(2, 0)],
            turn[(1, 0)] - turn[(0, 1)],
        );
        assert!((sine - omega * (2.0 * angle.sin() / omega.norm())).norm() < 1e-14);
        let norm: f64 = x[3..7].iter().map(|c| c * c).sum();
        assert!((norm - 1.0).abs() < 1e-15);
    }
}
