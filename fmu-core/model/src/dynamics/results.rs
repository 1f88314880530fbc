//! Results of a [`System`] at its present time and states beside derivatives and indicators.

use crate::dynamics::contact_forces::Stiffest;
use crate::dynamics::guard::Meeting;
use crate::dynamics::intersections::{Intersection, Sparsified};
use crate::dynamics::link::Twist;
use crate::dynamics::outputs::{ContactReport, OutputPlaces, Outputs, SumReport};
use crate::dynamics::overlap::{Limit, Overlap};
use crate::dynamics::stage::Stage;
use crate::dynamics::system::System;
use crate::dynamics::{outputs, overlap, tree};
use crate::hybrid::EvaluationError;
use crate::scene::outputs::Reads;
use contact_geometry::math::{Pose, Vec3};
use contact_geometry::narrow_phase::Feature;
use contact_geometry::narrow_phase::overlap::Statistics;
use contact_laws::index::{
    BodyId, IntersectionId, JointId, NamedPairId, OutputId, PairId, ReportId, SumId, TiSlice,
};

impl System {
    /// Outputs at (t, x); shares the work of the other evaluations.
    ///
    /// # Errors
    /// A state that is not finite, by name.
    pub fn outputs(&mut self, time: f64, states: &[f64]) -> Result<&Outputs, EvaluationError> {
        self.go_to(time, states)?;
        self.outputs_here()
    }

    /// Outputs at the present time and states.
    ///
    /// # Errors
    /// A failed user function; invalid inputs.
    pub fn outputs_here(&mut self) -> Result<&Outputs, EvaluationError> {
        self.accelerate()?;
        let Stage {
            mode, work, states, ..
        } = &mut self.stage;
        Ok(self.results.outputs(mode, work, states))
    }

    /// Distance of a pair of [`Scene::named_pairs`] at the present time and states [m];
    /// [`NO_PAIR`](crate::dynamics::approach::NO_PAIR) if there is no such pair.
    pub fn distance_here(&mut self, named: NamedPairId) -> f64 {
        self.stage.place();
        self.results.distance(&self.stage.placement(), named)
    }

    /// Intersection of a pair of [`Scene::intersections`] at the present time and states.
    pub fn intersection_here(&mut self, index: IntersectionId) -> Intersection {
        self.stage.place();
        let Stage { mode, work, .. } = &self.stage;
        self.results.intersection(&mode.model, work, index)
    }

    /// Intersections kept of each two bodies at the present time and states, with their numbers; `None`
    /// without rules in the scene.
    pub fn sparsified_here(&mut self) -> (&Sparsified, Option<Statistics>) {
        self.stage.place();
        let Stage { mode, work, .. } = &self.stage;
        self.results.sparsified(&mode.model, work)
    }

    /// Pose and velocities of a body at the present time and states.
    ///
    /// # Errors
    /// Invalid inputs, by name.
    pub fn body_here(&mut self, body: BodyId) -> Result<(Pose, Twist<f64>), EvaluationError> {
        self.check_inputs()?;
        self.stage.place();
        let work = &self.stage.work;
        Ok((work.frames[body.frame()], work.twists[body]))
    }

    /// Force [N] and torque [N.m] of a joint on its child at the origin of the joint's frame on the child,
    /// world axes, at the present time and states.
    ///
    /// # Errors
    /// Invalid inputs; a failed user function.
    pub fn reaction_here(&mut self, joint: JointId) -> Result<[Vec3; 2], EvaluationError> {
        self.accelerate()?;
        let Stage { mode, work, .. } = &self.stage;
        Ok(tree::on_child(&mode.model, work, joint))
    }

    /// Value of an output of [`Scene::outputs`] at the present time and states.
    ///
    /// # Errors
    /// Invalid inputs; a failed user function.
    pub fn output_here(&mut self, index: OutputId) -> Result<f64, EvaluationError> {
        self.check_inputs()?;
        let output = self.scene().outputs()[index];
        match output.item.row().reads {
            Reads::Accelerations | Reads::JointForces => self.accelerate()?,
            Reads::Poses | Reads::Twists => self.stage.place(),
            Reads::Ledger => return Ok(outputs::of_ledger(self.model(), self.ledger(), output)),
        }
        let Stage {
            mode, work, states, ..
        } = &self.stage;
        Ok(outputs::value(&mode.model, work, states, output))
    }

    /// Calls `visit` with each contact that exerts a force at the present time and states, in pair order:
    /// pair, point [m] and force on body 2 [N], world frame.
    ///
    /// # Errors
    /// Invalid inputs; a failed user function.
    pub fn contact_forces_here(
        &mut self,
        mut visit: impl FnMut(PairId, Vec3, Vec3),
    ) -> Result<(), EvaluationError> {
        self.accelerate()?;
        let contacts = self.stage.mode.contacts.list().iter();
        for (contact, wrench) in contacts.zip(&self.stage.work.wrenches) {
            if wrench.force_w != Vec3::zeros() {
                visit(contact.pair, wrench.point_w, wrench.force_w);
            }
        }
        Ok(())
    }

    /// Contacts of the ledger whose laws have an impulse, at the present time and states, in pair order.
    /// `starts` returns true for a pair whose contact starts now.
    ///
    /// # Errors
    /// Invalid inputs.
    pub fn meetings_here(
        &mut self,
        starts: impl Fn(PairId) -> bool,
    ) -> Result<Vec<Meeting>, EvaluationError> {
        self.check_inputs()?;
        self.stage.place();
        let Stage { mode, work, .. } = &self.stage;
        let mut patch = mode.model.scene.patch();
        let meetings = mode.contacts.list().iter().filter_map(|contact| {
            Meeting::of(mode, contact, work, starts(contact.pair), &mut patch)
        });
        Ok(meetings.collect())
    }

    /// Indices of the outputs of [`Self::along_here`].
    pub fn output_places(&self) -> OutputPlaces {
        OutputPlaces::new(self.model())
    }

    /// Pairs in contact that overlap deeper at the present time and states than their loads explain.
    pub fn deep_overlaps_here(&mut self) -> Vec<Overlap> {
        self.stage.place();
        let placement = self.stage.placement();
        let contacts = self.ledger().contacts().iter();
        let gap = |pair| placement.gap(pair, &Feature::None);
        let gaps = contacts.map(|contact| (contact.pair, gap(contact.pair)));
        overlap::too_deep(self.model(), &placement, gaps)
    }

    /// Contacts of meshes deeper at the present time and states than half of what pushes them back, see
    /// [`Scene::half_depth`](crate::scene::Scene::half_depth); `beyond` are contacts without a slot, and no contact was
    /// deeper than `deepest` [m].
    pub fn deep_in_meshes_here(
        &mut self,
        beyond: impl Iterator<Item = PairId>,
        deepest: f64,
    ) -> Vec<Overlap> {
        self.stage.place();
        let Stage {
            mode, work, found, ..
        } = &mut self.stage;
        let (scene, placement) = (&mode.model.scene, work.placement(&mode.model));
        let known = mode.ledger.contacts().iter();
        let known = known.map(|contact| (contact.pair, mode.ledger.hint(contact.slot)));
        let beyond = beyond.map(|pair| (pair, &Feature::None));
        let deep = known.chain(beyond).filter_map(|(pair, hint)| {
            let half = |at: &Feature| scene.half_depth(&scene.pairs().get(pair), at);
            let least = half(&Feature::None).filter(|least| deepest > *least)?;
            let depth = -found.gap(&placement, pair, hint);
            let half = half(&found.of(pair).unwrap_or(*hint)).filter(|_| depth > least)?;
            let limit = Limit::Depth(2.0 * half);
            (depth > half).then_some(Overlap { pair, depth, limit })
        });
        deep.collect()
    }

    /// Stiffest contact or end stop at a time [s] and states; `None` without contact or for invalid states.
    pub fn stiffest(&mut self, time: f64, states: &[f64]) -> Option<Stiffest> {
        self.go_to(time, states).ok()?;
        self.stage.place();
        self.stage.factor();
        self.stage.stiffest()
    }

    /// Reports of the pairs of [`Scene::reported`] at the present time and states.
    ///
    /// # Errors
    /// A failed user function.
    pub fn reports_here(&mut self) -> Result<&TiSlice<ReportId, ContactReport>, EvaluationError> {
        self.outputs_here()?;
        Ok(self.results.reports(&self.stage.mode, &self.stage.work))
    }

    /// Reports of [`Scene::sums`] at the present time and states.
    ///
    /// # Errors
    /// As [`Self::reports_here`].
    pub fn sums_here(&mut self) -> Result<&TiSlice<SumId, SumReport>, EvaluationError> {
        self.outputs_here()?;
        Ok(self.results.sums(&self.stage.mode, &self.stage.work))
    }

    pub(crate) fn reports_contact(&self) -> bool {
        !self.reported.is_empty()
    }

    /// Calls `report` with each report of each contact and the force on 2, world axes [N], at the present
    /// time and states.
    ///
    /// # Errors
    /// Invalid inputs; a failed user function.
    pub(crate) fn reported_forces_here(
        &mut self,
        mut report: impl FnMut(ReportId, Vec3),
    ) -> Result<(), EvaluationError> {
        self.accelerate()?;
        for (contact, index) in &self.reported {
            report(*index, self.stage.work.wrenches[*contact].force_w);
        }
        Ok(())
    }
}
