//! Jumps of velocities under impulses: momentum is conserved along every velocity state.
//!
//! An impulse acts in no time, so poses stay and all finite forces and velocity-dependent terms
//! drop out of the equations of motion: with the wrench J of impulses on a body, its inertia I and
//! the jump a of its motion, the joint transmits f = I a - J. That is the equation of the
//! articulated-body algorithm with jumps for accelerations and p = -J, and joint forces of zero,
//! since nothing along a free coordinate is impulsive. So the factors of
//! [`articulated::factor`](crate::dynamics::tree::articulated::factor) serve here as well. A latch may
//! add an impulse tau along a free coordinate, and where it holds a joint the jumps d of the rates are
//! given: a = a' + s d, so f = I a' + p' with p' = p + I s d. Bodies
//! without states take any impulse; if the velocity of one jumps, [`Jumps::of_bodies`] says so
//! before. R. Featherstone: Rigid Body Dynamics Algorithms, Springer 2008, chapters 7 and 11.

use crate::dynamics::Model;
use crate::dynamics::link::Link;
use crate::dynamics::tree::articulated;
use crate::dynamics::tree_work::JointMotion;
use crate::dynamics::workspace::Workspace;
use contact_geometry::math::{Spatial, Vec3};
use contact_laws::index::{BodyId, LinkId, TiVec, TreeLinkId, ti_vec};

/// Impulses on bodies and the jumps of velocities that they cause. Zero but for the links of the
/// last [`Jumps::solve`].
#[derive(Clone, Debug, Default)]
pub struct Jumps {
    /// Impulse on each body about its origin, world axes: moment [N.m.s] and impulse [N.s].
    pub impulses: TiVec<BodyId, Spatial>,
    /// Jump of the motion of each body: angular velocity [rad/s] and velocity of the origin [m/s],
    /// world axes. Of a body without states it is given before [`Jumps::solve`].
    pub of_bodies: TiVec<BodyId, Spatial>,
    /// Jump of each velocity state of each link [m/s] or [rad/s].
    pub of_rates: TiVec<LinkId, [f64; 6]>,
    /// Of a joint that no latch holds the impulse along each velocity state [N.s] or [N.m.s]; of one
    /// that is held the jump of each [m/s] or [rad/s].
    pub along: TiVec<TreeLinkId, [f64; 6]>,
    biases: TiVec<BodyId, Spatial>,
    forces: TiVec<TreeLinkId, [f64; 6]>,
}

impl Jumps {
    /// None, for a model.
    pub fn new(model: &Model) -> Self {
        Jumps {
            impulses: ti_vec![Spatial::zero(); model.bodies.len()],
            of_bodies: ti_vec![Spatial::zero(); model.bodies.len()],
            of_rates: ti_vec![[0.0; 6]; model.links.all.len()],
            along: ti_vec![[0.0; 6]; model.links.of_trees().len()],
            biases: ti_vec![Spatial::zero(); model.bodies.len()],
            forces: ti_vec![[0.0; 6]; model.links.of_trees().len()],
        }
    }

    /// Adds an impulse [N.s] at a world point [m] and a moment of impulse [N.m.s] on a body at
    /// `origin_w` [m].
    pub fn add(
        &mut self,
        (body, origin_w): (BodyId, &Vec3),
        point_w: &Vec3,
        impulse_w: &Vec3,
        moment_w: &Vec3,
    ) {
        let own = &mut self.impulses[body];
        own.linear += impulse_w;
        own.angular += (point_w - origin_w).cross(impulse_w) + moment_w;
    }

    /// Takes back the impulses on the bodies of these links, and their jumps.
    pub fn clear(&mut self, model: &Model, links: &[LinkId]) {
        for link in links {
            let body = model.links.all[*link].body;
            self.impulses[body] = Spatial::zero();
            self.of_bodies[body] = Spatial::zero();
            self.of_rates[*link] = [0.0; 6];
            if !model.links.is_rigid(*link) {
                self.along[model.links.index_in_trees(*link)] = [0.0; 6];
            }
        }
    }

    /// Solves for the jumps of these links, ascending, whole trees, from the impulses on their
    /// bodies. The links are placed, trees factored.
    pub fn solve(&mut self, model: &Model, links: &[LinkId], work: &Workspace<f64>) {
        for index in links {
            let body = model.links.all[*index].body;
            self.biases[body] = self.impulses[body].scaled(-1.0);
        }
        for index in links.iter().rev() {
            if !model.links.is_rigid(*index) {
                self.rise(model, *index, work);
            }
        }
        for index in links {
            match model.links.is_rigid(*index) {
                true => self.push(model, *index, work),
                false => self.descend(model, *index, work),
            }
        }
    }

    /// Takes the velocity states of a link out of f = I a + p and passes p on to its parent.
    fn rise(&mut self, model: &Model, index: LinkId, work: &Workspace<f64>) {
        let link = &model.links.all[index];
        let in_trees = model.links.index_in_trees(index);
        let motion = &work.tree.motions[in_trees];
        let mut bias = self.biases[link.body];
        let along = &self.along[in_trees];
        let is_locked = work.tree.locked[in_trees];
        if is_locked {
            bias.add(&work.tree.inertias[link.body].times(&jump_of(link, motion, along)));
        } else {
            let columns = motion.columns.iter().zip(&work.tree.eliminations[in_trees]);
            let columns = columns.zip(along).take(link.rates.len()).enumerate();
            for (dof, ((column, known), along)) in columns.rev() {
                let mut known = *known;
                articulated::eliminate(&mut known, column, *along, &mut bias);
                self.forces[in_trees][dof] = known.force;
            }
        }
        // A joint that leaves all motions transmits what its latch drives apart.
        let transmits = is_locked || along.iter().any(|impulse| *impulse != 0.0);
        if let Some(parent) = link.carrier_if(transmits) {
            self.biases[parent].add(&bias.wrench_from(&motion.offset_w));
        }
    }

    /// The jumps of a link, from that of its parent.
    fn descend(&mut self, model: &Model, index: LinkId, work: &Workspace<f64>) {
        let link = &model.links.all[index];
        let in_trees = model.links.index_in_trees(index);
        let motion = &work.tree.motions[in_trees];
        let mut jump = match link.parent_body {
            Some(parent) => self.of_bodies[parent].motion_at(&motion.offset_w),
            None => Spatial::zero(),
        };
        if work.tree.locked[in_trees] {
            jump.add(&jump_of(link, motion, &self.along[in_trees]));
            self.of_rates[index] = self.along[in_trees];
            self.of_bodies[link.body] = jump;
            return;
        }
        let columns = motion.columns.iter().zip(&work.tree.eliminations[in_trees]);
        for (dof, (column, known)) in columns.take(link.rates.len()).enumerate() {
            let rate = (self.forces[in_trees][dof] - known.wrench.dot(&jump)) / known.pivot;
            self.of_rates[index][dof] = rate;
            jump.add(&column.scaled(rate));
        }
        self.of_bodies[link.body] = jump;
    }

    /// Moment of impulse [N.m.s] and impulse [N.s] that the joint of a link of a tree has transmitted to
    /// it, about its origin, world axes: f = I a + p.
    pub fn transmitted(&self, model: &Model, index: LinkId, work: &Workspace<f64>) -> Spatial {
        let body = model.links.all[index].body;
        let mut wrench = work.tree.inertias[body].times(&self.of_bodies[body]);
        wrench.add(&self.biases[body]);
        wrench
    }

    /// The jumps of a rigid link: with r from its origin to its centre of mass, J and M its impulse
    /// and moment about the origin, I w = M - r x J and v = J/m - w x r.
    fn push(&mut self, model: &Model, index: LinkId, work: &Workspace<f64>) {
        let body = model.links.all[index].body;
        let (numbers, pose) = (&model.bodies[body], &work.frames[body.frame()]);
        let (center_w, impulse) = (
            pose.rotation * numbers.center_of_mass_b,
            &self.impulses[body],
        );
        let moment_w = impulse.angular - center_w.cross(&impulse.linear);
        let omega_b = numbers.inverse_inertia_b * pose.rotation.tr_mul(&moment_w);
        let omega_w = pose.rotation * omega_b;
        let velocity_w = impulse.linear / numbers.mass - omega_w.cross(&center_w);
        self.of_bodies[body] = Spatial {
            angular: omega_w,
            linear: velocity_w,
        };
        let (v, w) = (velocity_w, omega_b);
        self.of_rates[index] = [v.x, v.y, v.z, w.x, w.y, w.z];
    }

    /// Adds the jumps of the velocity states of these links to the states.
    pub fn write(&self, model: &Model, links: &[LinkId], states: &mut [f64]) {
        for index in links {
            let own = &mut states[model.links.all[*index].rates.clone()];
            let jumps = own.iter_mut().zip(&self.of_rates[*index]);
            jumps.for_each(|(rate, jump)| *rate += jump);
        }
    }
}

/// Jump of the motion of a link against its parent, by given jumps of its rates.
fn jump_of(link: &Link, motion: &JointMotion<f64>, jumps: &[f64; 6]) -> Spatial {
    let mut sum = Spatial::zero();
    let columns = motion.columns.iter().zip(jumps).take(link.rates.len());
    columns.for_each(|(column, jump)| sum.add(&column.scaled(*jump)));
    sum
}
