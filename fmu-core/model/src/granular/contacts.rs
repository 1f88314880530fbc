//! Contacts of granular mode and their forces, by the laws of [`contact_laws::response`].
//!
//! Steps of fixed length cannot resolve every damping: a slow impact has a damping coefficient that stops it
//! within a step. A force opposite to a velocity v is therefore bounded by [`KEPT`] m |v|/(n h), with the
//! effective mass m of the two bodies and n contacts of the one that has more: all of them together remove no
//! more than that fraction of v in a step h. Smaller forces follow the law exactly.
//!
//! For sticking friction the damper is weakened to that; its spring and its limit follow the law. Friction
//! that depends on the slip speed reverses within v_small/(mu f/m), so it acts through the same damper and a
//! parallel spring, [`FrictionLaw::behind`], as in [Cundall, Strack 1979], as stiff as the steps resolve. At
//! rest and in steady sliding this has no effect, and elsewhere it decreases with the step. Spring forces and
//! the forces of the last step are part of the ledger: outputs at a communication point are the forces that
//! acted.
//!
//! # A ball on a mesh, as a contact in one point
//!
//! [`Patch::find_round`] gives the elastic force f of the ball's pressure on the faces in reach, the gradient of
//! an energy of the pose alone. The point law is given the direction of f as its normal, the depth at which its
//! elastic part is |f|, and the point at that depth on the line of f through the centre. So elastic forces do no
//! work on closed paths over edges and corners, faces in one plane are the plane however they are cut, and
//! friction and damping are those on a half-space; the nodes of the patch, one for each face, would brake spin
//! by how the faces are cut. What has two sides in one ball, such as a slot, has friction by the resultant only.

use crate::broad_phase::Neighbours;
use crate::contact::{Started, Stepped};
use crate::dynamics::Model;
use crate::dynamics::contact_forces::{find_patch, in_one_point};
use crate::dynamics::contacts::Laws;
use crate::dynamics::source::contacts;
use crate::granular::balls::{GRAINS, GrainLoad, NO_GRAIN, Surroundings};
use crate::granular::lanes::{
    IN_PLANE, Kinematics, LANES, OTHER, Plane, Push, Round, RoundLaw, SPRING, Sampling, Stretch,
    each,
};
use crate::scene::Scene;
use crate::threads::Crew;
use contact_geometry::math::{Vec3, all_finite, rotation_matrix};
use contact_geometry::narrow_phase::area::Patch;
use contact_geometry::narrow_phase::{Feature, PairRoutine, Proximity};
use contact_geometry::shapes::Core;
use contact_laws::index::{BodyId, BoundLawId, PairId, ReportId, ShapeId, TiVec};
use contact_laws::response::PairLaw;
#[cfg(doc)]
use contact_laws::response::friction::FrictionLaw;
use contact_laws::response::law::{ContactMotion, Limits};
use contact_laws::response::stick::Bristle;
use serde::{Deserialize, Serialize};

/// Largest fraction of a velocity that the contacts of a grain together remove in a step [1]. For a ball
/// between others 5/7 of it applies to slip, and the others lose as much.
const KEPT: f64 = 0.8;

/// Contact as stored in ledger and states.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Held {
    /// Pair, impact speed and frozen values.
    pub started: Started,
    /// Deflection of sticking friction, world axes [m]; zero for other friction.
    pub deflection: [f64; 3],
}

impl Held {
    /// Returns true if it is consistent with a scene.
    pub fn fits(&self, scene: &Scene) -> bool {
        let Started {
            pair,
            impact_speed,
            frozen,
            stepped,
        } = self.started;
        scene.pairs().has(pair)
            && impact_speed.is_finite()
            && frozen.is_finite()
            && stepped.is_none_or(|stepped| stepped.is_finite())
            && all_finite(&self.deflection)
    }
}

/// Contact that started.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start {
    /// Pair in contact.
    pub pair: PairId,
    /// Start time [s].
    pub time: f64,
    /// Impact speed [m/s].
    pub speed: f64,
}

/// Contact with the data for its start and end, and for pairs without a [`RoundLaw`].
#[derive(Clone, Debug)]
pub(crate) struct GrainContact {
    /// Pair, impact speed, frozen values.
    pub started: Started,
    /// Deflection and [`masses`] when it was added.
    deflection: Vec3,
    masses: [f64; 3],
    /// Index of the pair in the list of neighbours, if listed.
    pub place: Option<u32>,
    reports: Box<[ReportId]>,
    shapes: [ShapeId; 2],
    grains: [u32; 2],
    bodies: [BodyId; 2],
    law: BoundLawId,
    routine: PairRoutine,
    radii: [f64; 2],
    /// Nearest features, if the search for them uses a warm start.
    hint: Option<Box<Feature>>,
}

/// Minimum number of contacts per work item: each takes some 0.2 us, one that starts some 3.
const CONTACTS: usize = 32;
const STARTS: usize = 4;

/// Work arrays of a thread, and its results.
#[derive(Debug)]
pub struct ThreadPart {
    patch: Patch<f64>,
    /// Contacts that end, in any order, and the largest overlap [m].
    pub(crate) ending: Vec<u32>,
    pub(crate) largest_overlap: f64,
}

impl ThreadPart {
    /// Arrays for a model.
    pub fn new(model: &Model) -> Self {
        ThreadPart {
            patch: model.scene.patch(),
            ending: Vec::new(),
            largest_overlap: 0.0,
        }
    }
}

/// Contacts from an index on: their stretches, and where their loads go.
struct Piece<'a> {
    first: usize,
    stretches: &'a [Stretch],
    pushes: &'a mut [Push],
}

/// All contacts and their laws, in arrays of one order: a new contact is appended, the last one replaces one
/// that ends.
#[derive(Debug)]
pub struct GrainContacts {
    /// Data for start and end of contacts.
    pub(crate) list: Vec<GrainContact>,
    /// Data for each step.
    pub rounds: Vec<Round>,
    stretches: Vec<Stretch>,
    pushes: Vec<Push>,
    /// Number of contacts of each grain; zero for the one behind the last.
    counts: Vec<u32>,
    touching: Vec<Vec<u32>>,
    laws: Laws,
    /// Laws in the form for contacts of balls.
    round_laws: TiVec<BoundLawId, Option<RoundLaw>>,
    planes: Vec<Plane>,
    plane_shapes: Vec<ShapeId>,
}

impl GrainContacts {
    /// Starts without contacts.
    pub fn new(model: &Model, around: &Surroundings) -> Self {
        let shapes = model.scene.shapes().iter_enumerated();
        let flat = shapes.filter(|(_, shape)| {
            matches!(shape.form.core, Core::HalfSpace)
                && model.scene.bodies()[shape.body].is_fixed()
        });
        let plane_shapes: Vec<ShapeId> = flat.map(|(index, _)| index).collect();
        let plane = |index: &ShapeId| {
            let frame = &around.work.frames[model.frames.of_shapes[*index]];
            let normal: Vec3 = frame.rotation.column(2).into();
            let radius = model.scene.shapes()[*index].form.radius;
            (normal, normal.dot(&frame.position) + radius)
        };
        GrainContacts {
            list: Vec::new(),
            rounds: Vec::new(),
            stretches: Vec::new(),
            pushes: Vec::new(),
            counts: vec![0; around.grains.all.len() + 1],
            touching: vec![Vec::new(); around.grains.all.len()],
            laws: Laws::default(),
            round_laws: TiVec::new(),
            planes: plane_shapes.iter().map(plane).collect(),
            plane_shapes,
        }
    }

    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.rounds.clear();
        self.stretches.clear();
        self.counts.fill(0);
        self.touching.iter_mut().for_each(Vec::clear);
    }

    pub(crate) fn pairs(&self) -> Vec<PairId> {
        let mut pairs: Vec<PairId> = self.list.iter().map(|c| c.started.pair).collect();
        pairs.sort_unstable();
        pairs
    }

    /// Contacts as stored in ledger and states, ascending.
    pub(crate) fn held(&self) -> Vec<Held> {
        let all = self.list.iter().zip(&self.stretches);
        let held = all.map(|(contact, stretch)| {
            let stretched = stretch.deflection.into();
            let [spring, deflection] = match self.laws.bound[contact.law].friction.stick() {
                Some(_) => [[0.0; 3], stretched],
                None => [stretched, [0.0; 3]],
            };
            let force = stretch.force.into();
            Held {
                started: Started {
                    stepped: Some(Stepped { force, spring }),
                    ..contact.started
                },
                deflection,
            }
        });
        let mut held: Vec<Held> = held.collect();
        held.sort_unstable_by_key(|held| held.started.pair);
        held
    }

    /// Adds known contacts.
    pub fn resume(&mut self, crew: &Crew, model: &Model, around: &Surroundings, held: &[Held]) {
        let mut new = vec![None; held.len()];
        crew.pieces(&mut new[..], CONTACTS, |first, new| {
            for (held, new) in held[first..].iter().zip(new) {
                let spring = held.started.stepped.map_or([0.0; 3], |known| known.spring);
                let deflection = Vec3::from(held.deflection) + Vec3::from(spring);
                *new = Some(GrainContact::of(model, around, held.started, deflection));
            }
        });
        let new = new.into_iter().flatten();
        new.for_each(|new| self.add(model, around, new));
    }

    /// Binds the law of a contact and adds it.
    fn add(&mut self, model: &Model, around: &Surroundings, mut contact: GrainContact) {
        let started = contact.started;
        let known = crate::contact::Contact {
            pair: started.pair,
            slot: contact_laws::index::SlotId::FIRST,
            impact_speed: started.impact_speed,
            frozen: started.frozen,
            stepped: None,
        };
        contact.law = self.laws.of_contact(model, &known);
        for known in &self.laws.bound[self.round_laws.next_key()..] {
            self.round_laws.push(RoundLaw::of(known));
        }
        let nobody = around.grains.all.len() as u32;
        let (class, plane) = self.class_of(around, &contact);
        let grains = contact.grains.map(|grain| grain.min(nobody));
        for (side, grain) in grains.map(|grain| grain as usize).into_iter().enumerate() {
            if let Some(touching) = self.touching.get_mut(grain) {
                touching.push(side_of(self.list.len(), side));
                self.counts[grain] += 1;
            }
        }
        self.rounds.push(Round {
            radii: contact.radii,
            frozen: started.frozen.number,
            masses: contact.masses,
            grains,
            class,
            plane,
        });
        self.stretches.push(Stretch {
            deflection: contact.deflection,
            ..Stretch::default()
        });
        self.list.push(contact);
    }

    /// Class and plane of a contact in [`Round`].
    fn class_of(&self, around: &Surroundings, contact: &GrainContact) -> (u32, u32) {
        let rounds = contact.shapes.map(|shape| around.round[shape] != NO_GRAIN);
        let law = usize::from(contact.law) as u32;
        if self.round_laws[contact.law].is_none() || contact.started.frozen.couples() {
            return (OTHER, 0);
        }
        let plane = || self.plane_shapes.binary_search(&contact.shapes[0]).ok();
        match rounds {
            [true, true] => (law, 0),
            [false, true] => match plane() {
                Some(plane) => (law | IN_PLANE, plane as u32),
                None => (OTHER, 0),
            },
            _ => (OTHER, 0),
        }
    }

    /// Starts the contacts of pairs, with their indices in the list of neighbours, at the present poses and
    /// velocities. Returns these contacts.
    pub(crate) fn start(
        &mut self,
        crew: &Crew,
        parts: &mut [ThreadPart],
        model: &Model,
        around: &Surroundings,
        pairs: &[(u32, Neighbours)],
    ) -> &[GrainContact] {
        let first = self.list.len();
        let mut new = vec![None; pairs.len()];
        crew.each(parts, &mut new[..], STARTS, |part, first, new| {
            for ((place, near), new) in pairs[first..].iter().zip(new) {
                let Neighbours { pair, shapes } = *near;
                let routine = model.routine_of(&model.scene.pairs().get(pair));
                let radii = model.scene.forms_of(shapes).map(|form| form.radius);
                let near = around.nearest(model, shapes, routine, radii, &Feature::None);
                let (impact_speed, frozen) =
                    contacts::start(model, &around.work, pair, &near, &mut part.patch);
                let started = Started {
                    pair,
                    impact_speed,
                    frozen,
                    stepped: None,
                };
                let own = GrainContact::of(model, around, started, Vec3::zeros());
                new.insert(own).place = Some(*place);
            }
        });
        let new = new.into_iter().flatten();
        new.for_each(|new| self.add(model, around, new));
        &self.list[first..]
    }

    /// Evaluates all contacts, advances their deflections to the end of a step, and sums the load of each
    /// grain in the order of its contacts.
    pub(crate) fn exert(
        &mut self,
        crew: &Crew,
        parts: &mut [ThreadPart],
        model: &Model,
        around: &mut Surroundings,
        at: Sampling,
    ) {
        let mut stretches = std::mem::take(&mut self.stretches);
        let mut pushes = std::mem::take(&mut self.pushes);
        pushes.resize(self.list.len(), Push::NOTHING);
        let rule = model.scene.contact().law.rule;
        let (contacts, now) = (&*self, &*around);
        let rows = (&mut stretches[..], &mut pushes[..]);
        crew.each(parts, rows, CONTACTS, |part, first, (stretches, pushes)| {
            let piece = Piece {
                first,
                stretches,
                pushes,
            };
            contacts.push_all(model, now, piece, at, &mut part.patch);
            let all = (first..).zip(stretches).zip(pushes);
            for ((index, stretch), push) in all {
                stretch.take(push, at.ahead);
                part.largest_overlap = part.largest_overlap.max(-push.gap);
                if rule.indicator(push.gap, true) > 0.0 {
                    part.ending.push(index as u32);
                }
            }
        });
        let loads = &mut around.grains.load[..self.touching.len()];
        crew.pieces(loads, GRAINS, |first, loads| {
            for (touching, load) in self.touching[first..].iter().zip(loads) {
                let (mut force, mut torque) = (Vec3::zeros(), Vec3::zeros());
                for own in touching {
                    let (push, side) = (&pushes[(own >> 1) as usize], (own & 1) as usize);
                    force += push.force * [-1.0, 1.0][side];
                    torque += push.torques[side];
                }
                *load = GrainLoad { force, torque };
            }
        });
        (self.stretches, self.pushes) = (stretches, pushes);
    }

    /// Dissipated power at the last evaluation, summed in the order of the contacts [W].
    pub(crate) fn power(&self) -> f64 {
        let powers = self.pushes.iter().map(|push| push.dissipation);
        powers.fold(0.0, |sum, power| sum + power)
    }

    pub(crate) fn reported(&self) -> impl Iterator<Item = (&[ReportId], &Vec3)> {
        let all = self.list.iter().zip(&self.stretches);
        let reported = all.filter(|(contact, _)| !contact.reports.is_empty());
        reported.map(|(contact, stretch)| (&*contact.reports, &stretch.force))
    }

    /// Upper bound of the decay rate by a contact, [`KEPT`] over its share, for this number of steps per
    /// second [1/s].
    #[inline(always)]
    fn kept(&self, round: &Round, steps: f64) -> f64 {
        let [one, two] = round.grains;
        let count = self.counts[one as usize].max(self.counts[two as usize]);
        KEPT * steps / f64::from(count.max(1))
    }

    /// Loads of all contacts, computed in lanes and one by one.
    pub fn both_ways(&self, model: &Model, around: &Surroundings, at: Sampling) -> Vec<[Push; 2]> {
        let mut pushes = vec![Push::NOTHING; self.list.len()];
        let mut patch = ThreadPart::new(model).patch;
        let piece = Piece {
            first: 0,
            stretches: &self.stretches,
            pushes: &mut pushes,
        };
        self.push_all(model, around, piece, at, &mut patch);
        let stretches = self.stretches.iter().enumerate();
        let alone = stretches
            .map(|(index, stretch)| self.push(model, around, index, stretch, at, &mut patch));
        pushes.into_iter().zip(alone).map(|(p, q)| [p, q]).collect()
    }

    /// Writes the loads of contacts.
    fn push_all(
        &self,
        model: &Model,
        around: &Surroundings,
        piece: Piece<'_>,
        at: Sampling,
        patch: &mut Patch<f64>,
    ) {
        let Piece {
            first,
            stretches,
            pushes,
        } = piece;
        // Contacts of each class that wait until there are enough of them.
        let mut waiting = vec![(0, [0; LANES]); 2 * self.round_laws.len()];
        let compute = |places: [u32; LANES], pushes: &mut [Push]| {
            let rounds = each(places, |place| &self.rounds[first + place as usize]);
            let stretches = each(places, |place| &stretches[place as usize]);
            let law = BoundLawId::from((rounds[0].class & !IN_PLANE) as usize);
            if let Some(law) = &self.round_laws[law] {
                let meeting = Kinematics::of(rounds, &around.grains, &self.planes);
                let kept = each(rounds, |round| self.kept(round, at.steps));
                law.push(rounds, stretches, &meeting, at, kept, |lane, push| {
                    pushes[places[lane] as usize] = push;
                });
            }
        };
        for (place, stretch) in stretches.iter().enumerate() {
            let class = self.rounds[first + place].class;
            if class == OTHER {
                pushes[place] = self.push(model, around, first + place, stretch, at, patch);
                continue;
            }
            let kind = (class & !IN_PLANE) as usize * 2 + (class >> 31) as usize;
            let (count, places) = &mut waiting[kind];
            places[*count] = place as u32;
            *count += 1;
            if *count == LANES {
                *count = 0;
                compute(*places, pushes);
            }
        }
        for (count, places) in &mut waiting {
            if *count > 0 {
                // Lanes that are left over repeat one that is not.
                let (used, rest) = places.split_at_mut(*count);
                rest.fill(used[0]);
                *count = 0;
                compute(*places, pushes);
            }
        }
    }

    /// Load of the contact at an index, by any law.
    fn push(
        &self,
        model: &Model,
        around: &Surroundings,
        index: usize,
        stretch: &Stretch,
        at: Sampling,
        patch: &mut Patch<f64>,
    ) -> Push {
        let Sampling { ahead, steps } = at;
        let contact = &self.list[index];
        let law = &self.laws.bound[contact.law];
        let (near, gap) = match &law.area {
            None => {
                let near = contact.nearest(model, around);
                (near, near.gap)
            }
            Some(_) => contact.on_mesh(model, around, law, patch),
        };
        let point = near.contact_point_w();
        let [one, two] = contact.grains;
        let (v_1, w_1) = around.motion(one, contact.bodies[0], &point);
        let (v_2, w_2) = around.motion(two, contact.bodies[1], &point);
        let motion = ContactMotion {
            gap: near.gap,
            normal: near.normal_w,
            velocity: v_2 - v_1,
            angular_velocity: w_2 - w_1,
            point,
            time: around.work.time,
        };
        let frozen = contact.started.frozen;
        let kept = self.kept(&self.rounds[index], steps);
        let [normal, slip, turning] = self.rounds[index].masses.map(|mass| kept * mass);
        let limits = Limits {
            normal,
            slip,
            turning,
        };
        let bristle = Bristle {
            deflection: stretch.deflection + stretch.rate * ahead,
            spin: (w_1 + w_2).dot(&near.normal_w) * 0.5,
        };
        let (exerted, rate) = match law.friction.stick() {
            Some(stick) => law.force_of_bristle_within(stick, &motion, frozen, &limits, &bristle),
            None if law.friction.is_of_speed() => {
                let spring = SPRING * steps * slip;
                law.force_of_spring_within(&motion, frozen, &limits, spring, &bristle)
            }
            None => (law.force_within(&motion, frozen, &limits), Vec3::zeros()),
        };
        let force = exerted.on_2(&near.normal_w);
        let torque = &exerted.torque;
        Push {
            force,
            torques: [
                -torque_on(around, one, &point, &force, torque),
                torque_on(around, two, &point, &force, torque),
            ],
            gap,
            dissipation: exerted.dissipation,
            rate,
        }
    }

    /// Removes a contact. Returns it and the energy lost with its deflection [J].
    pub(crate) fn end(&mut self, index: usize) -> (GrainContact, f64) {
        let last = self.list.len() - 1;
        let contact = self.list.swap_remove(index);
        let round = self.rounds.swap_remove(index);
        for (side, grain) in round.grains.into_iter().enumerate() {
            if let Some(touching) = self.touching.get_mut(grain as usize) {
                touching.retain(|own| *own != side_of(index, side));
                self.counts[grain as usize] -= 1;
            }
        }
        // The last one is in its place.
        let moved = self.rounds.get(index).map(|round| round.grains);
        for (side, grain) in moved.into_iter().flatten().enumerate() {
            if let Some(touching) = self.touching.get_mut(grain as usize) {
                touching.retain(|own| *own != side_of(last, side));
                let place = touching.partition_point(|own| *own < side_of(index, side));
                touching.insert(place, side_of(index, side));
            }
        }
        let stretch = self.stretches.swap_remove(index);
        let law: &PairLaw = &self.laws.bound[contact.law];
        let stick = law.friction.stick();
        let lost = stick.map_or(0.0, |law| law.energy(&stretch.deflection.into()));
        (contact, lost)
    }

    /// Updates the nearest features that are warm starts.
    pub(crate) fn find_hints(&mut self, crew: &Crew, model: &Model, around: &Surroundings) {
        crew.pieces(&mut self.list[..], CONTACTS, |_, contacts| {
            for contact in contacts {
                contact.find_hint(model, around);
            }
        });
    }
}

impl GrainContact {
    /// Contact without its law, which is bound when it is added.
    fn of(model: &Model, around: &Surroundings, started: Started, deflection: Vec3) -> Self {
        let pair = model.scene.pairs().get(started.pair);
        let bodies = model.bodies_of(&pair);
        let routine = model.routine_of(&pair);
        let mut contact = GrainContact {
            started,
            deflection,
            masses: [0.0; 3],
            place: None,
            reports: model.scene.reports_with(started.pair).collect(),
            shapes: pair.shapes,
            grains: bodies.map(|body| around.grains.of_bodies[body]),
            bodies,
            law: BoundLawId::FIRST,
            routine,
            radii: model.scene.forms_of(pair.shapes).map(|form| form.radius),
            hint: routine.uses_warm_start().then(Box::default),
        };
        contact.find_hint(model, around);
        contact.masses = masses(model, around, &contact);
        contact
    }

    fn nearest(&self, model: &Model, around: &Surroundings) -> Proximity {
        let hint = self.hint.as_deref().unwrap_or(&Feature::None);
        around.nearest(model, self.shapes, self.routine, self.radii, hint)
    }

    /// Contact point, normal and gap in the law of a ball on a mesh, and the gap of both [m]: of the shapes without
    /// force, else that in the law.
    fn on_mesh(
        &self,
        model: &Model,
        around: &Surroundings,
        law: &PairLaw,
        patch: &mut Patch<f64>,
    ) -> (Proximity, f64) {
        let [one, two] = self.shapes.map(|shape| around.pose(model, shape));
        let begins = law.rule.overlap_without_force();
        find_patch(model, law, self.shapes, [&one, &two], begins, patch);
        let Some(near) = in_one_point(law, patch, self.radii) else {
            // Less overlap than that, what cancels, or a ball inside that no face reaches: without force.
            let near = self.nearest(model, around);
            let gap = law.rule.gap(0.0);
            return (Proximity { gap, ..near }, near.gap);
        };
        (near, near.gap)
    }

    fn find_hint(&mut self, model: &Model, around: &Surroundings) {
        let Some(hint) = &mut self.hint else { return };
        let [form_1, form_2] = model.scene.forms_of(self.shapes);
        let [pose_1, pose_2] = self.shapes.map(|shape| around.pose(model, shape));
        **hint = self
            .routine
            .find_feature(form_1, &pose_1, form_2, &pose_2, hint);
    }
}

/// Entry of a contact's side in the list of a grain.
fn side_of(index: usize, side: usize) -> u32 {
    (2 * index + side) as u32
}

/// Torque [N.m] about the centre of mass of a grain by a force [N] at a point [m] and a torque.
#[inline(always)]
fn torque_on(around: &Surroundings, grain: u32, point: &Vec3, force: &Vec3, torque: &Vec3) -> Vec3 {
    match grain {
        NO_GRAIN => Vec3::zeros(),
        grain => (point - around.grains.now[grain as usize].position).cross(force) + torque,
    }
}

/// Effective masses [kg] of a contact along and perpendicular to its normal, and effective inertia [kg.m2],
/// as lower bounds; infinite if nothing moves.
fn masses(model: &Model, around: &Surroundings, contact: &GrainContact) -> [f64; 3] {
    let near = contact.nearest(model, around);
    let (mut along, mut across, mut turning) = (0.0, 0.0, 0.0);
    for g in contact
        .grains
        .into_iter()
        .filter(|grain| *grain != NO_GRAIN)
    {
        let (g, grains) = (g as usize, &around.grains);
        let grain = &grains.all[g];
        let arm = near.contact_point_w() - grains.now[g].position;
        along += grain.inverse_mass;
        if !grain.round {
            let rotation = rotation_matrix(&grains.orientation[g]);
            let moment_b = rotation.tr_mul(&arm.cross(&near.normal_w));
            along += moment_b.dot(&(grain.inverse_inertia_b * moment_b));
        }
        across += grain.inverse_mass + arm.norm_squared() * grain.inverse_inertia;
        turning += grain.inverse_inertia;
    }
    [along, across, turning].map(f64::recip)
}
