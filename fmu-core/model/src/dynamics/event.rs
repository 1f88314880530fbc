//! What an event changes: which pairs and end stops are in contact, and what their laws freeze.
//!
//! # Jumps of the velocity of prescribed bodies
//!
//! And what they do to the joints on these.
//!
//! At a kink of its table the motion of a body, w and v of its origin, jumps by a = (dw, dv). The
//! joints on the body transmit impulses, none along a free coordinate; so the rates of all joints of
//! the trees on it jump as [`Jumps`] says. On the body acts the impulse -sum(I_i a_i) of its trees,
//! with the inertia I_i and the jump a_i of each of their bodies, all about the origin of the body.
//!
//! A jump is taken at the first event update at its time or later, once: the time up to which all
//! are taken is part of the discrete state. Until then the body goes on as before, beyond the time of
//! the jump too, so that nothing jumps between two events ([`PrescribedBody::hold`]). The first
//! update of a run takes none: at the start the joints have the rates that the start values give them.
//!
//! [`PrescribedBody::hold`]: crate::dynamics::model::driven::PrescribedBody::hold
//!
//! Contacts with impulses that approach after it follow at the same event,
//! [`Impulses`](crate::dynamics::impulses::Impulses).
//!
//! LIMITATION: all other contacts exert no impulses. If an update comes before the jump by
//! less than a rounding of the time, contacts that start at it still see the velocity before of the
//! body itself. At an update that comes late the body gets the pose of its table at once.

use crate::contact::{Contact, Detection, Ledger, Placement};
use crate::dynamics::latches::StopChange;
use crate::dynamics::parts::Workspace;
use crate::dynamics::tree::Jumps;
use crate::dynamics::{Model, contact_forces, guard, latches, tree};
use crate::hybrid::EvaluationError;
use crate::scene::Scene;
use crate::scene::forces::with_rounding;
use crate::scene::motions::PrescribedMotion;
use contact_geometry::math::Spatial;
use contact_geometry::narrow_phase::Proximity;
use contact_geometry::narrow_phase::area::Patch;
use contact_laws::index::{BodyId, LinkId, PairId, TiVec, ti_vec};
use contact_laws::response::friction::FrictionLaw;
use contact_laws::response::law::Onset;
use contact_laws::response::normal::NormalLaw;

/// A contact that started or ended at the last event update.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactChange {
    /// The pair.
    pub pair: PairId,
    /// Impact speed if the contact started [m/s]; none if it ended.
    pub impact_speed: Option<f64>,
}

/// Detection, and what the last event update changed.
#[derive(Debug)]
pub(crate) struct Events {
    /// Detection of contacts.
    pub detection: Detection,
    contacts: Vec<ContactChange>,
    stops: Vec<StopChange>,
    /// Contacts before the update.
    before: Vec<Contact>,
    /// Patch of a contact over an area that starts.
    patch: Patch<f64>,
}

impl Events {
    /// Nothing has changed; room for the contacts and stops of a model.
    pub(crate) fn new(model: &Model) -> Self {
        Events {
            detection: Detection::default(),
            contacts: Vec::new(),
            stops: Vec::with_capacity(model.stops.len()),
            before: Vec::with_capacity(model.scene.slot_count()),
            patch: Patch::with_room(model.scene.most_faces()),
        }
    }

    /// Updates the ledger at a time [s] and states at which the bodies are placed and the inertias
    /// of trees are known.
    ///
    /// # Errors
    /// More pairs in contact than indicator slots.
    pub(crate) fn update(
        &mut self,
        model: &Model,
        ledger: &mut Ledger,
        work: &Workspace<f64>,
        time: f64,
        states: &[f64],
    ) -> Result<(), EvaluationError> {
        self.contacts.clear();
        self.stops.clear();
        self.before.clear();
        self.before.extend_from_slice(ledger.contacts());
        let patch = &mut self.patch;
        let start = |pair, near: &Proximity| start(model, work, pair, near, patch);
        self.detection
            .update_event(&placement(model, work), ledger, start)
            .map_err(|too_many| EvaluationError::error(too_many.0))?;
        let (all, changes) = (model.stops.keys(), &mut self.stops);
        latches::update(model, work, ledger, all, states, |change| {
            changes.push(change)
        });
        self.note_changes(ledger);
        for change in &self.contacts {
            if let Some(speed) = change.impact_speed {
                ledger.note_start(&model.scene, change.pair, time, speed);
            }
        }
        Ok(())
    }

    /// True if a contact started or ended, or one that lasts got another slot.
    pub(crate) fn changed_contacts(&self, ledger: &Ledger) -> bool {
        self.before != ledger.contacts()
    }

    /// Contacts that started and ended, in pair order.
    pub(crate) fn contacts(&self) -> &[ContactChange] {
        &self.contacts
    }

    /// Returns true if the contact of a pair started.
    pub(crate) fn started(&self, pair: PairId) -> bool {
        let found = self.contacts.binary_search_by_key(&pair, |c| c.pair);
        found.is_ok_and(|place| self.contacts[place].impact_speed.is_some())
    }

    /// Stops whose contact started or ended, in the order of
    /// [`Scene::stops`](crate::scene::Scene::stops).
    pub(crate) fn stops(&self) -> &[StopChange] {
        &self.stops
    }

    fn note_changes(&mut self, ledger: &Ledger) {
        self.contacts.clear();
        let mut before = self.before.iter().map(|contact| contact.pair).peekable();
        let ended = |pair: PairId| ContactChange {
            pair,
            impact_speed: None,
        };
        for new in ledger.contacts() {
            while let Some(pair) = before.next_if(|old| *old < new.pair) {
                self.contacts.push(ended(pair));
            }
            if before.next_if_eq(&new.pair).is_none() {
                self.contacts.push(ContactChange {
                    pair: new.pair,
                    impact_speed: Some(new.impact_speed),
                });
            }
        }
        self.contacts.extend(before.map(ended));
    }
}

/// Impact speed [m/s] of a contact that starts, and what its law freezes. The bodies are placed and
/// the inertias of trees known.
pub(crate) fn start(
    model: &Model,
    work: &Workspace<f64>,
    pair: PairId,
    near: &Proximity,
    patch: &mut Patch<f64>,
) -> (f64, Onset) {
    let bodies = model.pair_bodies(pair);
    let fixed = bodies.map(|body| model.scene.bodies()[body].is_fixed());
    let law = model.law(pair);
    let mut near = *near;
    let mut stored = law.energy_at_start(near.gap);
    if law.area.is_some() {
        let shapes = model.scene.pairs().get(pair).shapes;
        let poses = shapes.map(|shape| &work.frames[model.frames.of_shapes[shape]]);
        // Not where it touches first: faces meet at their middle.
        near = guard::deepest(model, &law, shapes, bodies, near, work, patch);
        contact_forces::find_patch(
            model,
            &law,
            shapes,
            poses,
            law.rule.overlap_without_force(),
            patch,
        );
        stored = patch.energy;
    }
    let motion = contact_forces::motion_of(&near, bodies, fixed, work);
    let speed = motion.compression_rate().abs();
    let mass = tree::along_normal(model, work, bodies, &motion.point, &motion.normal);
    // Of two bodies that no force moves no mass is known, and nothing can part them.
    let moved = bodies.iter().any(|b| model.scene.bodies()[*b].is_dynamic());
    let of_impact = match moved {
        true => speed_of_impact(speed, stored, mass),
        false => speed,
    };
    // Velocities jump where it is faster; the force goes on from there.
    let of_force = law
        .impulse
        .map_or(of_impact, |i| of_impact.min(i.rest_speed));
    let number = law.frozen(of_force, mass);
    let rubs = !matches!(law.friction, FrictionLaw::Off | FrictionLaw::User(_));
    let coupling = match matches!(law.normal, NormalLaw::Inferred { .. }) && rubs && moved {
        true => tree::coupling(model, work, bodies, &motion.point, &motion.normal),
        false => [0.0; 3],
    };
    (speed, Onset { number, coupling })
}

/// Speed [m/s] of the impact that a contact is part of which starts with this speed [m/s], this
/// elastic energy beyond that where contacts start [J] and this effective mass along the normal
/// [kg]: v0^2 = v^2 + 2 E/m. So bodies that start in each other part as after the impact that would
/// have brought them there without losses, and not the slower the deeper they are.
fn speed_of_impact(speed: f64, stored: f64, effective_mass: f64) -> f64 {
    match stored > 0.0 {
        true => (speed * speed + 2.0 * stored / effective_mass).sqrt(),
        false => speed,
    }
}

/// The shapes with the frames of a workspace.
pub(crate) fn placement<'a>(model: &'a Model, work: &'a Workspace<f64>) -> Placement<'a> {
    Placement {
        scene: &model.scene,
        frames: &work.frames,
        shape_frames: &model.frames.of_shapes,
    }
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

/// Which jumps there are, and which are taken.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionJumps {
    /// Times of all jumps that have impulses [s], ascending.
    times: Vec<f64>,
    /// All up to this time [s] are taken; none before the first event update.
    taken_to: Option<f64>,
    /// Those of the last update.
    last: Vec<MotionJump>,
}

impl MotionJumps {
    /// Those of a scene before the first event update.
    pub(crate) fn new(scene: &Scene) -> Self {
        let motions = scene.motions().iter();
        let jumping = motions.filter(|motion| motion.has_impulses());
        let times = jumping.flat_map(PrescribedMotion::velocity_jumps);
        let mut times: Vec<f64> = times.map(|(time, _)| time).collect();
        times.sort_unstable_by(f64::total_cmp);
        MotionJumps {
            times,
            taken_to: None,
            last: Vec::new(),
        }
    }

    /// The time [s] up to which all are taken; none before the first event update.
    pub fn taken_to(&self) -> Option<f64> {
        self.taken_to
    }

    /// Replaces it by that of [`Self::taken_to`] of the same scene.
    pub(crate) fn set_taken_to(&mut self, time: Option<f64>) {
        self.taken_to = time;
        self.last.clear();
    }

    /// Those of the last event update, in the order of the motions.
    pub fn last(&self) -> &[MotionJump] {
        &self.last
    }

    /// Returns true if there is one up to this time [s] that is not taken.
    pub fn is_due(&self, time: f64) -> bool {
        let Some(taken_to) = self.taken_to else {
            return false;
        };
        let next = self.times.partition_point(|jump| *jump <= taken_to);
        (self.times.get(next)).is_some_and(|jump| *jump <= with_rounding(time))
    }

    /// Takes those that are due at a time [s]: adds the jumps of the velocity states to `states`, at
    /// which the bodies are placed and the trees factored. Returns true if there is one.
    ///
    /// # Errors
    /// A jump that is not finite, since a tree cannot be accelerated.
    pub(crate) fn take(
        &mut self,
        model: &Model,
        work: &Workspace<f64>,
        time: f64,
        states: &mut [f64],
    ) -> Result<bool, EvaluationError> {
        self.last.clear();
        let reached = with_rounding(time);
        let is_due = self.is_due(time);
        if is_due {
            let from = self.taken_to.unwrap_or(reached);
            self.last = due(model, from, reached);
            self.solve(model, work, states)?;
        }
        self.taken_to = Some(self.taken_to.map_or(reached, |taken| taken.max(reached)));
        Ok(is_due)
    }

    fn solve(
        &mut self,
        model: &Model,
        work: &Workspace<f64>,
        states: &mut [f64],
    ) -> Result<(), EvaluationError> {
        let links = hanging(model, &self.last);
        let mut jumps = Jumps::new(model);
        for known in &self.last {
            jumps.of_bodies[known.body] = known.jump;
        }
        jumps.solve(model, &links, work);
        let rates = links.iter().flat_map(|link| &jumps.of_rates[*link]);
        if !rates.copied().all(f64::is_finite) {
            return Err(EvaluationError::error(
                "the velocity of a prescribed body jumps, and what hangs on it has no mass along a \
                 coordinate: the jump of its rate is not finite",
            ));
        }
        jumps.write(model, &links, states);
        let gains = momenta(model, &links, work, &jumps);
        for known in &mut self.last {
            known.impulse = gains[known.body].scaled(-1.0);
        }
        Ok(())
    }
}

/// The jumps after one time up to another one [s], one for each body.
fn due(model: &Model, from: f64, to: f64) -> Vec<MotionJump> {
    let motions = model.scene.motions().iter();
    let sum = |motion: &PrescribedMotion| {
        let jumps = motion.velocity_jumps();
        let own = jumps.filter(|(time, _)| from < *time && *time <= to);
        own.map(|(_, [linear, angular])| Spatial { angular, linear })
            .reduce(|mut sum, jump| {
                sum.add(&jump);
                sum
            })
            .map(|jump| MotionJump {
                body: motion.body,
                jump,
                impulse: Spatial::zero(),
            })
    };
    motions
        .filter(|m| m.has_impulses())
        .filter_map(sum)
        .collect()
}

/// The links of all trees on these bodies, ascending.
fn hanging(model: &Model, jumps: &[MotionJump]) -> Vec<LinkId> {
    let links = &model.links;
    let is_on = |link: &LinkId| {
        let base = links.all[links.roots[*link]].parent_body;
        jumps.iter().any(|jump| base == Some(jump.body))
    };
    links.tree_indices.iter().copied().filter(is_on).collect()
}

/// What each body and all that hang on it have gained: moment of momentum about its origin
/// [N.m.s] and momentum [N.s]; of bodies without states, what hangs on them alone.
fn momenta(
    model: &Model,
    links: &[LinkId],
    work: &Workspace<f64>,
    jumps: &Jumps,
) -> TiVec<BodyId, Spatial> {
    let mut gains = ti_vec![Spatial::zero(); model.bodies.len()];
    for index in links.iter().rev() {
        let link = &model.links.all[*index];
        let (numbers, jump) = (&model.bodies[link.body], &jumps.of_bodies[link.body]);
        let rotation = &work.frames[link.body.frame()].rotation;
        let center_w = rotation * numbers.center_of_mass_b;
        let linear = (jump.linear + jump.angular.cross(&center_w)) * numbers.mass;
        let omega_b = rotation.tr_mul(&jump.angular);
        let spin = rotation * (numbers.inertia_b * omega_b);
        gains[link.body].add(&Spatial {
            angular: spin + center_w.cross(&linear),
            linear,
        });
        if let Some(parent) = link.parent_body {
            let offset_w = &work.tree.motions[model.links.index_in_trees(*index)].offset_w;
            let own = gains[link.body].wrench_from(offset_w);
            gains[parent].add(&own);
        }
    }
    gains
}
