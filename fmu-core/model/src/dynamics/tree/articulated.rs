//! Accelerations of the links of trees by the articulated-body algorithm: inertias from the leaves
//! to the roots, then forces from the leaves to the roots, and accelerations back.
//!
//! The wrench f that a joint exerts on its child obeys f = I a + p, where I and p are of the child
//! with all that hangs on it. A joint of several degrees of freedom is a row of joints of one each
//! without bodies between them: along the last column s the child moves against the next with
//! a = a' + s q'', and s.f = tau is the force of the joint, so with U = I s, D = s.U, u = tau - s.p
//! q'' = (u - U.a')/D, and f = I' a' + p' with I' = I - U U^T/D, p' = p + U u/D.
//! After the first column a' = X a_parent + b, with b of the kinematics, and the parent feels
//! X^T I' X and X^T (p' + I' b). A free body hangs on the world by all six columns, and a joint
//! that leaves all six motions exerts nothing. I, U and D follow from the poses alone: [`factor`]
//! computes them once, [`solve`] takes p and tau. While a latch holds a joint its
//! columns are left out: q'' = 0, I' = I, p' = p, and the parent carries the child as its own. R. Featherstone: Rigid Body Dynamics Algorithms,
//! Springer 2008, chapter 7.

use crate::contact::LatchState;
use crate::dynamics::Model;
use crate::dynamics::rigid::gravity;
use crate::dynamics::tree_work::Elimination;
use crate::dynamics::workspace::Workspace;
use contact_geometry::math::{Mat3, Real, Spatial, SpatialInertia, Vec3};
use contact_laws::index::{BodyId, LatchId, LinkId, TiSlice};

/// Inertia along a coordinate that is rounding, relative to the terms that it is the sum of: some
/// hundred times the rounding of one.
const NO_INERTIA: f64 = 1e-13;

/// Returns true if the inertia of this size along a column is zero but for rounding, or not a
/// number. The terms that it is the sum of are at most twice a^2 tr R + b^2 tr M, because the sum
/// is positive.
pub fn is_singular<T: Real>(pivot: T, column: &Spatial<T>, inertia: &SpatialInertia<T>) -> bool {
    let size = column.angular.dot(&column.angular).value() * inertia.rotational.trace().value()
        + column.linear.dot(&column.linear).value() * inertia.translational.trace().value();
    let pivot = pivot.value();
    pivot.is_nan() || pivot <= NO_INERTIA * size
}

/// Writes the inertias of these links, parents before children, with all that hangs on them, and
/// what eliminates the velocity states that no closed latch holds. The links are placed. Notes if a velocity state moves no
/// inertia.
pub fn factor<T: Real>(
    model: &Model,
    links: &[LinkId],
    latches: &TiSlice<LatchId, LatchState>,
    work: &mut Workspace<T>,
) {
    for index in links {
        let body = model.links.all[*index].body;
        (work.tree.inertias[body], work.tree.centers[body]) = own_inertia(model, work, body);
    }
    for index in links.iter().rev() {
        let link = &model.links.all[*index];
        let in_trees = model.links.index_in_trees(*index);
        let motion = &work.tree.motions[in_trees];
        let own = work.tree.inertias[link.body];
        let mut inertia = own;
        let is_locked = link.is_locked(latches);
        work.tree.locked[in_trees] = is_locked;
        let free = if is_locked { 0 } else { link.dofs.len() };
        let known = &mut work.tree.eliminations[in_trees][..free];
        for (column, known) in motion.columns.iter().zip(known).rev() {
            known.wrench = inertia.times(column);
            known.pivot = column.dot(&known.wrench);
            inertia.remove(&known.wrench, known.pivot);
            work.tree.singular |= is_singular(known.pivot, column, &own);
        }
        if let Some(parent) = link.carrier_if(is_locked) {
            work.tree.bias_wrenches[in_trees] = inertia.times(&motion.bias);
            work.tree.inertias[parent].add(&inertia.seen_from(&motion.offset_w));
            work.tree.shifts += 1;
        }
    }
}

/// Writes the wrenches that keep these links from accelerating, without what hangs on them:
/// inertial forces, gravity and loads.
pub fn load<T: Real>(model: &Model, links: &[LinkId], work: &mut Workspace<T>) {
    for index in links {
        let body = model.links.all[*index].body;
        work.tree.biases[body] = own_bias(model, work, body);
    }
}

/// Solves for the accelerations of these links, parents before children, and the rates of their
/// velocity states from the factors, the wrenches of [`load`] and the joint forces. The
/// accelerations of bodies without states are known.
pub fn solve<T: Real>(model: &Model, links: &[LinkId], work: &mut Workspace<T>) {
    for index in links.iter().rev() {
        let link = &model.links.all[*index];
        let in_trees = model.links.index_in_trees(*index);
        let motion = &work.tree.motions[in_trees];
        let mut bias = work.tree.biases[link.body];
        let is_locked = work.tree.locked[in_trees];
        if !is_locked {
            let forces = &work.joint_forces[link.dofs.clone()];
            let eliminations = &mut work.tree.eliminations[in_trees];
            let columns = motion.columns.iter().zip(forces).zip(eliminations);
            for ((column, force), known) in columns.rev() {
                eliminate(known, column, *force, &mut bias);
            }
        }
        if let Some(parent) = link.carrier_if(is_locked) {
            bias.add(&work.tree.bias_wrenches[in_trees]);
            work.tree.biases[parent].add(&bias.wrench_from(&motion.offset_w));
        }
    }
    for index in links {
        let link = &model.links.all[*index];
        let in_trees = model.links.index_in_trees(*index);
        let motion = &work.tree.motions[in_trees];
        let mut acceleration = motion.bias;
        if let Some(parent) = link.parent_body {
            acceleration.add(&work.accelerations[parent].motion_at(&motion.offset_w));
        }
        let rates = &mut work.joint_accelerations[link.dofs.clone()];
        if work.tree.locked[in_trees] {
            rates.fill(T::zero());
            work.accelerations[link.body] = acceleration;
            continue;
        }
        let eliminations = &work.tree.eliminations[in_trees];
        for ((rate, column), known) in rates.iter_mut().zip(&motion.columns).zip(eliminations) {
            *rate = (known.force - known.wrench.dot(&acceleration)) / known.pivot;
            acceleration.add(&column.scaled(*rate));
        }
        work.accelerations[link.body] = acceleration;
    }
}

/// Takes a velocity state with the force `force` along it out of f = I a + p: p' = p + U u/D.
#[inline(always)]
pub fn eliminate<T: Real>(
    known: &mut Elimination<T>,
    column: &Spatial<T>,
    force: T,
    bias: &mut Spatial<T>,
) {
    known.force = force - column.dot(bias);
    bias.add(&known.wrench.scaled(known.force / known.pivot));
}

/// Inertia of a body by itself about its origin, and from there to its centre of mass, world axes.
#[inline(always)]
fn own_inertia<T: Real>(
    model: &Model,
    work: &Workspace<T>,
    body: BodyId,
) -> (SpatialInertia<T>, Vec3<T>) {
    let numbers = &model.bodies[body];
    let rotation = &work.frames[body.frame()].rotation;
    let inertia_b: Mat3<T> = numbers.inertia_b.map(T::from);
    let center_w: Vec3<T> = rotation * numbers.center_of_mass_b.map(T::from);
    let inertia_w = rotation * inertia_b * rotation.transpose();
    let inertia = SpatialInertia::rigid(numbers.mass, &center_w, &inertia_w);
    (inertia, center_w)
}

/// The wrench that keeps a body from accelerating: with r from its origin to its centre of mass,
/// h = m w x (w x r) - m g - F and w x I_c w + r x (h + F) - M.
#[inline(always)]
fn own_bias<T: Real>(model: &Model, work: &Workspace<T>, body: BodyId) -> Spatial<T> {
    let (numbers, pose, twist) = (
        &model.bodies[body],
        &work.frames[body.frame()],
        &work.twists[body],
    );
    let rotation = &pose.rotation;
    let inertia_b: Mat3<T> = numbers.inertia_b.map(T::from);
    let center_w = work.tree.centers[body];
    let spin = rotation * twist.omega_b.cross(&(inertia_b * twist.omega_b));
    let inertial = (twist.omega_w.cross(&twist.omega_w.cross(&center_w))
        - gravity(&model.gravity, &(pose.position + center_w)))
        * T::from(numbers.mass);
    let mut load = work.loads[body];
    if let Some(applied) = work.applied.get(body) {
        load = load.with(applied);
    }
    Spatial {
        angular: spin + center_w.cross(&inertial) - load.torque_w,
        linear: inertial - load.force_w,
    }
}
