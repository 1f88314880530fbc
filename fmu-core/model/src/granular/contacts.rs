//! Contacts and their forces, those of [`contact_laws::response`].
//!
//! Steps of a fixed length do not resolve every damping: a contact hit slowly has a damping
//! coefficient that stops it within a step. A force opposite to a velocity v is therefore at most
//! [`KEPT`] m |v|/(n h), with the effective mass m of the two bodies and n contacts of the one that
//! has more: all of them together take no more than that part of v away in a step h. Where the law asks
//! for less, it is the law alone.
//!
//! Of friction that holds the damper is weakened to that, its spring and its limit are the law.
//! Friction that follows from the slip speed changes its direction within v_small/(mu f/m), so it acts
//! through the same damper and a spring beside it, [`FrictionLaw::behind`]: that of [Cundall, Strack
//! 1979], as stiff as the steps resolve. At rest and in steady sliding nothing of that
//! is seen, and the shorter the steps the less of it elsewhere. Spring forces and the forces of the last
//! step are part of the ledger: outputs at a communication point are the forces that acted.

use crate::contact::{Started, Stepped};
use crate::dynamics::Model;
use crate::dynamics::contacts::Laws;
use crate::dynamics::source::contacts;
use crate::granular::balls::{NO_GRAIN, Surroundings};
use crate::granular::lanes::{
    IN_PLANE, Kinematics, LANES, OTHER, Plane, Push, Round, RoundLaw, SPRING, Sampling, Stretch,
    each,
};
use crate::scene::Scene;
use contact_geometry::math::{Vec3, all_finite, rotation_matrix};
use contact_geometry::narrow_phase::area::Patch;
use contact_geometry::narrow_phase::{Feature, PairRoutine};
use contact_geometry::shapes::Core;
use contact_laws::index::{BodyId, BoundLawId, PairId, ReportId, ShapeId, TiVec};
use contact_laws::response::PairLaw;
#[cfg(doc)]
use contact_laws::response::friction::FrictionLaw;
use contact_laws::response::law::{ContactMotion, Limits};
use contact_laws::response::stick::Bristle;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Part of a velocity that the contacts of a grain together take away in a step at most [1]. That of
/// a ball between others is 5/7 of it in slip, and the others lose as much.
const KEPT: f64 = 0.8;

/// A contact as the ledger and the states know it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Held {
    /// Its pair, impact speed and what its law froze.
    pub started: Started,
    /// Deflection of friction that holds, world axes [m]; zero without one.
    pub deflection: [f64; 3],
}

impl Held {
    /// Returns true if it can be a contact of a scene.
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

/// A contact that started.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start {
    /// Its pair.
    pub pair: PairId,
    /// Time [s].
    pub time: f64,
    /// Impact speed [m/s].
    pub speed: f64,
}

/// A contact: what is read where it starts and ends, and of pairs that [`RoundLaw`] does not have.
#[derive(Clone, Debug)]
pub(crate) struct GrainContact {
    /// Pair, impact speed, what the law froze.
    pub started: Started,
    /// Place of the pair in the list of neighbours, if it is there.
    pub place: Option<u32>,
    /// Index among the reported pairs.
    pub report: Option<ReportId>,
    shapes: [ShapeId; 2],
    /// Grains of the shapes, or [`NO_GRAIN`].
    grains: [u32; 2],
    bodies: [BodyId; 2],
    law: BoundLawId,
    routine: PairRoutine,
    radii: [f64; 2],
    /// Nearest features, where the search for them gains by that.
    hint: Option<Box<Feature>>,
}

/// A part of the contacts, which one thread computes.
#[derive(Debug, Default)]
pub struct ThreadPart {
    /// What the contacts do.
    pub pushes: Vec<Push>,
    /// Contacts of each class that wait until there are [`LANES`] of them.
    waiting: Vec<(usize, [u32; LANES])>,
}

/// All contacts and their laws, in arrays of one order: a new contact at the end, the last one in
/// the place of one that ends.
#[derive(Debug)]
pub struct GrainContacts {
    /// What is read where a contact starts and ends.
    pub(crate) list: Vec<GrainContact>,
    /// What is read in each step.
    pub rounds: Vec<Round>,
    /// Deflections; zero without friction that holds.
    stretches: Vec<Stretch>,
    /// How many contacts each grain has; none the one behind the last.
    counts: Vec<u32>,
    laws: Laws,
    /// The laws as contacts of balls have them.
    round_laws: TiVec<BoundLawId, Option<RoundLaw>>,
    /// Planes at rest, and the index of each among them.
    planes: Vec<Plane>,
    plane_shapes: Vec<ShapeId>,
    patch: Patch<f64>,
}

impl GrainContacts {
    /// No contact.
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
            counts: vec![0; around.grains.all.len() + 1],
            laws: Laws::default(),
            round_laws: TiVec::new(),
            planes: plane_shapes.iter().map(plane).collect(),
            plane_shapes,
            patch: Patch::with_room(model.scene.most_faces()),
        }
    }

    /// Forgets all contacts.
    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.rounds.clear();
        self.stretches.clear();
        self.counts.fill(0);
    }

    /// Pairs in contact, ascending.
    pub(crate) fn pairs(&self) -> Vec<PairId> {
        let mut pairs: Vec<PairId> = self.list.iter().map(|c| c.started.pair).collect();
        pairs.sort_unstable();
        pairs
    }

    /// The contacts as ledger and states know them, ascending.
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

    /// Adds a contact that was known before.
    pub fn resume(&mut self, model: &Model, around: &Surroundings, held: &Held) {
        let pair = model.scene.pairs().get(held.started.pair);
        let bodies = model.bodies_of(&pair);
        let forms = model.scene.forms_of(pair.shapes);
        let known = crate::contact::Contact {
            pair: held.started.pair,
            slot: contact_laws::index::SlotId::FIRST,
            impact_speed: held.started.impact_speed,
            frozen: held.started.frozen,
            stepped: None,
        };
        let law = self.laws.of_contact(model, &known);
        let routine = model.routine_of(&pair);
        let mut contact = GrainContact {
            started: held.started,
            place: None,
            report: model.scene.reported().binary_search(&known.pair).ok(),
            shapes: pair.shapes,
            grains: bodies.map(|body| around.grains.of_bodies[body]),
            bodies,
            law,
            routine,
            radii: forms.map(|form| form.radius),
            hint: routine.uses_warm_start().then(Box::default),
        };
        contact.find_hint(model, around);
        for known in &self.laws.bound[self.round_laws.next_key()..] {
            self.round_laws.push(RoundLaw::of(known));
        }
        let nobody = around.grains.all.len() as u32;
        let (class, plane) = self.class_of(around, &contact);
        let grains = contact.grains.map(|grain| grain.min(nobody));
        for grain in grains.into_iter().filter(|grain| *grain != nobody) {
            self.counts[grain as usize] += 1;
        }
        self.rounds.push(Round {
            radii: contact.radii,
            frozen: held.started.frozen.number,
            masses: masses(model, around, &contact),
            grains,
            class,
            plane,
        });
        let spring = held.started.stepped.map_or([0.0; 3], |known| known.spring);
        self.stretches.push(Stretch {
            deflection: Vec3::from(held.deflection) + Vec3::from(spring),
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

    /// Starts the contact of a pair at the present poses and velocities.
    pub(crate) fn start(
        &mut self,
        model: &Model,
        around: &mut Surroundings,
        pair: PairId,
    ) -> Started {
        let shapes = model.scene.pairs().get(pair).shapes;
        for shape in shapes {
            let grain = around.round[shape];
            if grain != NO_GRAIN {
                around.place(model, grain as usize);
            }
        }
        let routine = model.routine_of(&model.scene.pairs().get(pair));
        let radii = model.scene.forms_of(shapes).map(|form| form.radius);
        let near = around.nearest(model, shapes, routine, radii, &Feature::None);
        let (impact_speed, frozen) =
            contacts::start(model, &around.work, pair, &near, &mut self.patch);
        let started = Started {
            pair,
            impact_speed,
            frozen,
            stepped: None,
        };
        let deflection = [0.0; 3];
        self.resume(
            model,
            around,
            &Held {
                started,
                deflection,
            },
        );
        started
    }

    /// What a contact takes away at most, [`KEPT`] over its share of steps of which there are so many in
    /// a second [1/s].
    #[inline(always)]
    fn kept(&self, round: &Round, steps: f64) -> f64 {
        let [one, two] = round.grains.map(|grain| self.counts[grain as usize]);
        KEPT * steps / f64::from(one.max(two).max(1))
    }

    /// Writes what the contacts of a range do.
    pub fn push_all(
        &self,
        model: &Model,
        around: &Surroundings,
        range: Range<usize>,
        at: Sampling,
        part: &mut ThreadPart,
    ) {
        let ThreadPart { pushes, waiting } = part;
        waiting.resize(2 * self.round_laws.len(), (0, [0; LANES]));
        pushes.resize(range.len(), Push::NOTHING);
        let start = range.start;
        for index in range {
            let class = self.rounds[index].class;
            if class == OTHER {
                pushes[index - start] = self.push(model, around, index, at);
                continue;
            }
            let kind = (class & !IN_PLANE) as usize * 2 + (class >> 31) as usize;
            let (count, indices) = &mut waiting[kind];
            indices[*count] = index as u32;
            *count += 1;
            if *count == LANES {
                *count = 0;
                let indices = *indices;
                self.push_lanes(around, indices, at, start, pushes);
            }
        }
        for (count, indices) in waiting {
            if *count > 0 {
                // Lanes that are left over repeat one that is not.
                let (used, rest) = indices.split_at_mut(*count);
                rest.fill(used[0]);
                *count = 0;
                self.push_lanes(around, *indices, at, start, pushes);
            }
        }
    }

    #[inline(always)]
    fn push_lanes(
        &self,
        around: &Surroundings,
        indices: [u32; LANES],
        at: Sampling,
        start: usize,
        pushes: &mut [Push],
    ) {
        let rounds = each(indices, |index| &self.rounds[index as usize]);
        let stretches = each(indices, |index| &self.stretches[index as usize]);
        let law = BoundLawId::from((rounds[0].class & !IN_PLANE) as usize);
        if let Some(law) = &self.round_laws[law] {
            let place = Kinematics::of(rounds, &around.grains, &self.planes);
            let kept = each(rounds, |round| self.kept(round, at.steps));
            law.push(rounds, stretches, &place, at, kept, |lane, push| {
                pushes[indices[lane] as usize - start] = push;
            });
        }
    }

    /// What the contact at an index does, of any law.
    pub fn push(&self, model: &Model, around: &Surroundings, index: usize, at: Sampling) -> Push {
        let Sampling { ahead, steps } = at;
        let contact = &self.list[index];
        let law = &self.laws.bound[contact.law];
        let hint = contact.hint.as_deref().unwrap_or(&Feature::None);
        let (routine, radii) = (contact.routine, contact.radii);
        let near = around.nearest(model, contact.shapes, routine, radii, hint);
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
        let stretch = &self.stretches[index];
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
            gap: near.gap,
            dissipation: exerted.dissipation,
            rate,
        }
    }

    /// Keeps what a contact does and moves its deflection on over `step` [s].
    #[inline(always)]
    pub(crate) fn stretch(&mut self, index: usize, push: &Push, step: f64) {
        let stretch = &mut self.stretches[index];
        stretch.deflection += (stretch.rate + push.rate) * (0.5 * step);
        stretch.rate = push.rate;
        stretch.force = push.force;
    }

    /// Takes a contact out. Returns it and the energy lost with its deflection [J].
    pub(crate) fn end(&mut self, index: usize) -> (GrainContact, f64) {
        let contact = self.list.swap_remove(index);
        let round = self.rounds.swap_remove(index);
        for grain in round.grains {
            let count = &mut self.counts[grain as usize];
            *count = count.saturating_sub(1);
        }
        let stretch = self.stretches.swap_remove(index);
        let law: &PairLaw = &self.laws.bound[contact.law];
        let stick = law.friction.stick();
        let lost = stick.map_or(0.0, |law| law.energy(&stretch.deflection.into()));
        (contact, lost)
    }

    /// Finds the nearest features anew where searches start from them.
    pub(crate) fn find_hints(&mut self, model: &Model, around: &Surroundings) {
        for contact in &mut self.list {
            contact.find_hint(model, around);
        }
    }
}

impl GrainContact {
    fn find_hint(&mut self, model: &Model, around: &Surroundings) {
        let Some(hint) = &mut self.hint else { return };
        let [form_1, form_2] = model.scene.forms_of(self.shapes);
        let [pose_1, pose_2] = self.shapes.map(|shape| around.pose(model, shape));
        **hint = self
            .routine
            .find_feature(form_1, &pose_1, form_2, &pose_2, hint);
    }
}

/// Torque [N.m] of a force [N] at a point [m] with a torque beside it about the centre of mass of a
/// grain.
#[inline(always)]
fn torque_on(around: &Surroundings, grain: u32, point: &Vec3, force: &Vec3, torque: &Vec3) -> Vec3 {
    match grain {
        NO_GRAIN => Vec3::zeros(),
        grain => (point - around.grains.now[grain as usize].position).cross(force) + torque,
    }
}

/// Effective masses [kg] of a contact along its normal, and across it with the effective inertia
/// [kg.m2] the least that they can be; infinite where nothing moves.
fn masses(model: &Model, around: &Surroundings, contact: &GrainContact) -> [f64; 3] {
    let hint = contact.hint.as_deref().unwrap_or(&Feature::None);
    let (routine, radii) = (contact.routine, contact.radii);
    let near = around.nearest(model, contact.shapes, routine, radii, hint);
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
