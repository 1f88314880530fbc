//! Accelerations of all bodies of trees by the articulated-body algorithm, once from the leaves to the
//! roots and once back.
//!
//! The wrench f that a joint exerts on its child obeys f = I a + p, where I and p stand for the child
//! with all that hangs on it. A joint of several degrees of freedom is a row of joints of one each
//! without bodies between them: along the last column s the child moves against the next with
//! a = a' + s q'', and s.f = tau is the force of the joint, so with U = I s, D = s.U, u = tau - s.p
//! q'' = (u - U.a')/D, and f = I' a' + p' with I' = I - U U^T/D, p' = p + U u/D.
//! After the first column a' = X a_parent + b, with b of the kinematics, and the parent feels
//! X^T I' X and X^T (p' + I' b). A free body with states of its own hangs on the world by six columns
//! along the axes, and a joint that leaves all six motions exerts nothing.
//! R. Featherstone: Rigid Body Dynamics Algorithms, Springer 2008, chapter 7.

use crate::dynamics::Model;
use crate::dynamics::motion::gravity;
use crate::dynamics::tree::work::Elimination;
use crate::dynamics::workspace::Workspace;
use crate::math::{Mat3, Real, Spatial, SpatialInertia, Vec3};
use crate::scene::description::JointKind;

/// Writes the accelerations of the bodies and the rates of the velocity states of joints from a
/// workspace that holds kinematics, loads and joint forces. Accelerations of bodies that stand or
/// move by themselves are there.
pub fn accelerate<T: Real>(model: &Model, work: &mut Workspace<T>) {
    inward(model, work);
    for root in &model.floating_roots {
        work.accelerations[root.body] =
            accelerate_root(&work.tree.inertias[root.body], &work.tree.biases[root.body]);
    }
    for index in model.scene.tree_order() {
        let joint = &model.scene.joints()[*index];
        let motion = &work.tree.motions[*index];
        let mut acceleration = motion.bias;
        if let Some(parent) = joint.parent {
            acceleration.add(&work.accelerations[parent].motion_at(&motion.offset_w));
        }
        let dofs = model.joints[*index].dofs.clone();
        let rates = &mut work.joint_accelerations[dofs];
        let eliminations = &work.tree.eliminations[*index];
        for ((rate, column), known) in rates.iter_mut().zip(&motion.columns).zip(eliminations) {
            *rate = (known.force - known.wrench.dot(&acceleration)) / known.pivot;
            acceleration.add(&column.scaled(*rate));
        }
        work.accelerations[joint.child] = acceleration;
    }
}

/// Inertia along a coordinate that is rounding, relative to the terms that it is the sum of: some
/// hundred times the rounding of one.
const NO_INERTIA: f64 = 1e-13;

/// Whether the inertia of this size along a column is none but for rounding, or no number. The terms
/// that it is the sum of are at most twice a^2 tr R + b^2 tr M, because the whole is positive.
pub fn is_singular<T: Real>(pivot: T, column: &Spatial<T>, inertia: &SpatialInertia<T>) -> bool {
    let size = column.angular.dot(&column.angular).value() * inertia.rotational.trace().value()
        + column.linear.dot(&column.linear).value() * inertia.translational.trace().value();
    let pivot = pivot.value();
    pivot.is_nan() || pivot <= NO_INERTIA * size
}

/// Writes inertias and biases of all bodies with what hangs on them, the eliminations, and whether one
/// is singular.
pub fn inward<T: Real>(model: &Model, work: &mut Workspace<T>) {
    let free = model.floating_roots.iter().map(|root| root.body);
    let children = model.scene.joints().iter().map(|joint| joint.child);
    for body in free.chain(children) {
        (work.tree.inertias[body], work.tree.biases[body]) = alone(model, work, body);
    }
    work.tree.singular = false;
    for index in model.scene.tree_order().iter().rev() {
        let joint = &model.scene.joints()[*index];
        let motion = &work.tree.motions[*index];
        let mut inertia = work.tree.inertias[joint.child];
        let mut bias = work.tree.biases[joint.child];
        let forces = &work.joint_forces[model.joints[*index].dofs.clone()];
        let eliminations = &mut work.tree.eliminations[*index];
        let columns = motion.columns.iter().zip(forces).zip(eliminations);
        for ((column, force), known) in columns.rev() {
            *known = eliminate(&mut inertia, &mut bias, column, *force);
            let whole = &work.tree.inertias[joint.child];
            work.tree.singular |= is_singular(known.pivot, column, whole);
        }
        let dynamic = |body: &usize| model.scene.bodies()[*body].is_dynamic();
        let Some(parent) = joint.parent.filter(dynamic) else {
            continue;
        };
        if joint.kind == JointKind::Free {
            continue;
        }
        bias.add(&inertia.times(&motion.bias));
        let offset = &motion.offset_w;
        work.tree.inertias[parent].add(&inertia.seen_from(offset));
        work.tree.biases[parent].add(&bias.wrench_from(offset));
        work.tree.shifts += 1;
    }
}

/// Takes a motion along `column` with the force `force` out of f = I a + p.
#[inline(always)]
fn eliminate<T: Real>(
    inertia: &mut SpatialInertia<T>,
    bias: &mut Spatial<T>,
    column: &Spatial<T>,
    force: T,
) -> Elimination<T> {
    let wrench = inertia.times(column);
    let known = Elimination {
        wrench,
        pivot: column.dot(&wrench),
        force: force - column.dot(bias),
    };
    inertia.remove(&wrench, known.pivot);
    bias.add(&wrench.scaled(known.force / known.pivot));
    known
}

/// The acceleration with I a + p = 0.
pub fn accelerate_root<T: Real>(inertia: &SpatialInertia<T>, bias: &Spatial<T>) -> Spatial<T> {
    let (mut inertia, mut bias) = (*inertia, *bias);
    let axes: Mat3<T> = Mat3::identity();
    let column = |place: usize| {
        let mut column = Spatial::zero();
        let part = match place < 3 {
            true => &mut column.angular,
            false => &mut column.linear,
        };
        *part = axes.column(place % 3).into_owned();
        column
    };
    let mut known = [Elimination::zero(); 6];
    for place in (0..6).rev() {
        known[place] = eliminate(&mut inertia, &mut bias, &column(place), T::zero());
    }
    let mut acceleration = Spatial::zero();
    for (place, known) in known.iter().enumerate() {
        let rate = (known.force - known.wrench.dot(&acceleration)) / known.pivot;
        acceleration.add(&column(place).scaled(rate));
    }
    acceleration
}

/// Inertia of a body by itself and the wrench that would keep it from accelerating: with r from its
/// origin to its centre of mass, h = m w x (w x r) - m g - F and w x I_c w + r x (h + F) - M.
fn alone<T: Real>(
    model: &Model,
    work: &Workspace<T>,
    body: usize,
) -> (SpatialInertia<T>, Spatial<T>) {
    let (numbers, pose, twist) = (&model.bodies[body], &work.frames[body], &work.twists[body]);
    let rotation = &pose.rotation;
    let inertia_b: Mat3<T> = numbers.inertia_b.map(T::from);
    let center_w: Vec3<T> = rotation * numbers.center_of_mass_b.map(T::from);
    let inertia_w = rotation * inertia_b * rotation.transpose();
    let spin = rotation * twist.omega_b.cross(&(inertia_b * twist.omega_b));
    let mass = T::from(numbers.mass);
    let inertial = (twist.omega_w.cross(&twist.omega_w.cross(&center_w))
        - gravity(&model.gravity, &(pose.position + center_w)))
        * mass;
    let mut load = work.loads[body];
    if let Some(applied) = work.applied.get(body) {
        load = load.with(applied);
    }
    let bias = Spatial {
        angular: spin + center_w.cross(&inertial) - load.torque_w,
        linear: inertial - load.force_w,
    };
    let inertia = SpatialInertia::rigid(numbers.mass, &center_w, &inertia_w);
    (inertia, bias)
}
