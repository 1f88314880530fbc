//! Velocity jumps of prescribed bodies as sources of events, and their effect on the joints on these bodies.
//!
//! At a kink of its table the motion of a body, w and v of its origin, jumps by a = (dw, dv). The joints on
//! the body transmit impulses, none along a free coordinate; so the rates of all joints of the trees on it
//! jump as in [`Jumps`]. The impulse on the body is -sum(I_i a_i) over its trees, with the inertia I_i and
//! the jump a_i of each of their bodies, all about the origin of the body.
//!
//! A jump is taken once, at the first event update at its time or later: the time up to which all are taken
//! is part of the discrete state. Until then the body continues as before, also beyond the time of the jump,
//! so that nothing jumps between two events ([`PrescribedBody::hold`]). The first update of a run takes none:
//! the start values give the joints their rates.
//!
//! [`PrescribedBody::hold`]: crate::dynamics::model::driven::PrescribedBody::hold
//!
//! Contacts with impulses that approach after it follow at the same event,
//! [`Impulses`](crate::dynamics::impulses::Impulses).
//!
//! LIMITATION: all other contacts exert no impulses. If an update comes before the jump by less than a
//! rounding of the time, contacts that start at it use the body's velocity before the jump. At a late update
//! the body jumps to the pose of its table.

use crate::dynamics::Model;
use crate::dynamics::source::{Change, EventSource, MotionJump, Struck};
use crate::dynamics::stage::Stage;
use crate::dynamics::tree::Jumps;
use crate::dynamics::workspace::Workspace;
use crate::hybrid::EvaluationError;
use crate::scene::Scene;
use crate::scene::forces::with_rounding;
use crate::scene::motions::PrescribedMotion;
use contact_geometry::math::Spatial;
use contact_laws::index::{BodyId, LinkId, TiVec, ti_vec};
use std::sync::Arc;

/// Velocity jumps of a scene, and which are taken.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionJumps {
    /// Times of all jumps with impulses [s], ascending.
    times: Vec<f64>,
    /// Time up to which all are taken [s]; `None` before the first event update.
    taken_to: Option<f64>,
    last: Vec<MotionJump>,
}

impl MotionJumps {
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

    pub fn taken_to(&self) -> Option<f64> {
        self.taken_to
    }

    /// Restores the value of [`Self::taken_to`] of the same scene.
    pub(crate) fn set_taken_to(&mut self, time: Option<f64>) {
        self.taken_to = time;
        self.last.clear();
    }

    /// Jumps of the last event update, in the order of the motions.
    pub fn last(&self) -> &[MotionJump] {
        &self.last
    }

    /// Returns true if a jump up to this time [s] has not been taken.
    pub fn is_due(&self, time: f64) -> bool {
        let Some(taken_to) = self.taken_to else {
            return false;
        };
        let next = self.times.partition_point(|jump| *jump <= taken_to);
        (self.times.get(next)).is_some_and(|jump| *jump <= with_rounding(time))
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

/// Holds the motion of prescribed bodies until a jump with impulses is taken; all up to `taken_to` [s] have
/// been, or all if `None`.
pub(crate) fn hold(model: &mut Arc<Model>, taken_to: Option<f64>) {
    let mut bodies = model.prescribed.iter();
    if bodies.any(|body| !body.is_held(&model.scene, taken_to)) {
        let Model {
            scene, prescribed, ..
        } = Arc::make_mut(model);
        for body in prescribed {
            body.hold(scene, taken_to);
        }
    }
}

impl EventSource for MotionJumps {
    fn strike(&mut self, stage: &mut Stage, time: f64) -> Result<Struck, EvaluationError> {
        self.last.clear();
        if !stage.mode.scope.is_all() {
            return Ok(Struck::default());
        }
        let reached = with_rounding(time);
        let is_due = self.is_due(time);
        if is_due {
            let from = self.taken_to.unwrap_or(reached);
            self.last = due(&stage.mode.model, from, reached);
            stage.place();
            stage.factor();
            self.solve(&stage.mode.model, &stage.work, &mut stage.states)?;
            // The bodies move differently now, even if no state has changed.
            stage.forget();
        }
        let taken_to = self.taken_to.map_or(reached, |taken| taken.max(reached));
        if self.taken_to != Some(taken_to) {
            self.taken_to = Some(taken_to);
            hold(&mut stage.mode.model, self.taken_to);
        }
        let scene = &stage.mode.model.scene;
        let bends = !scene.motions().is_empty() && scene.has_kink_at(time);
        Ok(Struck {
            states: is_due,
            velocities: is_due || bends,
        })
    }

    fn log(&self, changes: &mut Vec<Change>) {
        changes.extend(self.last.iter().copied().map(Change::Jump));
    }
}

/// Jumps after one time up to another one [s], one for each body.
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

/// Links of all trees on these bodies, ascending.
fn hanging(model: &Model, jumps: &[MotionJump]) -> Vec<LinkId> {
    let links = &model.links;
    let is_on = |link: &LinkId| {
        let base = links.all[links.roots[*link]].parent_body;
        jumps.iter().any(|jump| base == Some(jump.body))
    };
    links.tree_indices.iter().copied().filter(is_on).collect()
}

/// Momentum gained by each body with its trees: moment of momentum about its origin [N.m.s] and momentum
/// [N.s]; for bodies without states, only by the trees.
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
