//! Motion of bodies connected by joints.
//!
//! A tree is attached to the world, to a fixed or prescribed body, or to a free body, which then moves with
//! the tree. All vectors are in world axes and about the origins of the bodies, like loads and velocities
//! elsewhere; distances between bodies come from the frames of the joints, never as differences of positions
//! in the world, so that a distant scene loses no accuracy.
//!
//! # Accelerations of tree links by the articulated-body algorithm
//!
//! Articulated-body inertias from the leaves to the roots, then bias forces from the leaves to the roots, and
//! accelerations back. R. Featherstone: Rigid Body Dynamics Algorithms, Springer 2008, chapter 7.
//!
//! The wrench f of a joint on its child obeys f = I a + p, where I and p are of the child's subtree. A joint
//! with several degrees of freedom is a chain of joints with one each and massless bodies between them: along
//! the last column s the child moves relative to the next with a = a' + s q'', and s.f = tau is the force of
//! the joint, so with U = I s, D = s.U, u = tau - s.p q'' = (u - U.a')/D, and f = I' a' + p' with I' = I - U
//! U^T/D, p' = p + U u/D. After the first column a' = X a_parent + b, with b of the kinematics, and the
//! parent gets X^T I' X and X^T (p' + I' b). A free body is connected to the world by all six columns, and a
//! joint with six degrees of freedom exerts nothing. I, U and D follow from the poses alone: [`factor`]
//! computes them once, [`solve`] takes p and tau. While a latch locks a joint its columns are left out: q'' =
//! 0, I' = I, p' = p, and the child moves with its parent.
//!
//! # Forces along the coordinates of joints: springs, viscous and Coulomb friction, inputs
//!
//! Along a coordinate q with rate v: -k (q - q_0) - c v - F v/reg(|v|, v_s) + input; about each axis of a
//! spherical joint with angular velocity w: -c w + input. The force acts on the child, its negative on the
//! parent.
//!
//! # Velocity jumps under impulses
//!
//! An impulse acts instantaneously, so poses are unchanged and all finite forces and velocity-dependent terms
//! drop out of the equations of motion: with the wrench J of impulses on a body, its inertia I and the jump a
//! of its motion, the joint transmits f = I a - J. That is the equation of the articulated-body algorithm
//! with jumps for accelerations and p = -J, and zero joint forces, since nothing along a free coordinate is
//! impulsive. So the factors of [`factor`](factor) are reused. A latch may add an impulse tau along a free
//! coordinate, and where it locks a joint the jumps d of the rates are given: a = a' + s d, so f = I a' + p'
//! with p' = p + I s d. Bodies without states take any impulse; velocity jumps of one are given in
//! [`Jumps::of_bodies`]. R. Featherstone: chapters 7 and 11.
//!
//! # Poses and velocities of tree links, parents first
//!
//! With o the origin of a body, w its angular velocity, P the axes of the joint's frame on the parent p and K
//! those on the child c, A and B the origins of these frames, d the displacement in P axes: A = o_p + R_p a,
//! B = A + P d, o_c = B - rho, so r = o_c - o_p = R_p a + P d - rho. A rate q'_i turns the child about s_i,
//! slides it along s_i, or as a screw of the lead h does both, the slide by h s_i. Axes of slides and screws
//! are fixed to p, and so are axes of rotation, except that one on the child is turned by the rotation before
//! it, and axes of a quaternion joint are fixed to c. With u the sum of the slides and s_2 the axis on the
//! child, if there is one:
//! - w_c = w_p + w_rel, w_rel = sum s_i q'_i
//! - v_c = v_p + w_p x r + u + rho x w_rel
//! - alpha_c = alpha_p + sum s_i q''_i + g, g = w_p x w_rel + s_1 x s_2 q'_1 q'_2
//! - a_c = a_p + alpha_p x r + sum (s_i, rho x s_i or h s_i + rho x s_i) q''_i + w_p x (w_p x (r + rho)) + 2
//!   w_p x u + rho x g - w_c x (w_c x rho)
//!
//! # Effective mass of two bodies along a line, and of a coordinate
//!
//! With the unit forces f on body 2 and -f on body 1 along the normal at the contact point, and A the map
//! from velocities to the rate of the gap, 1/m = A M^-1 A^T. The articulated-body algorithm factors M, so
//! that 1/m is a sum over the velocity states from the bodies to the root: a state with the column s and the
//! pivot D adds u^2/D, where u = tau - s.p, p is the wrench from below, initially -f, and p + U u/D is passed
//! on. tau is 1 for the coordinate whose effective mass is computed, else 0. The paths of bodies of one tree
//! merge. A free body adds f^2/m + t.I^-1 t, with the moment t of the force about its centre of mass, and a
//! driven one with a given mass f^2/m, with all of its inertia; other moved bodies, and fixed ones, add
//! nothing. R. Featherstone: chapter 7.

use crate::contact::{LatchState, StopContact};
use crate::dynamics::link::{Link, Twist};
use crate::dynamics::model::MASS_UNKNOWN;
use crate::dynamics::rigid::{FREE_STATES, free_states, gravity};
use crate::dynamics::workspace::{Elimination, JointMotion, Workspace};
use crate::dynamics::{Model, rigid};
use crate::scene::Joint;
use crate::scene::description::{CoordinateForces, CoordinateMotion, Freedom, JointFriction};
use contact_geometry::math::reg;
use contact_geometry::math::{
    Mat3, Pose, Real, Spatial, SpatialInertia, Vec3, norm, quaternion_rate,
};
use contact_laws::index::{
    BodyId, JointId, LatchId, LinkId, StopId, TiSlice, TiVec, TreeLinkId, ti_vec,
};

/// Relative inertia along a coordinate that is rounding of the terms of its sum: some hundred times the
/// rounding of one.
const NO_INERTIA: f64 = 1e-13;

/// Returns true if the inertia along a column is zero up to rounding, or NaN. The sum is positive, so twice
/// a^2 tr R + b^2 tr M bounds its terms.
pub(crate) fn is_singular<T: Real>(
    pivot: T,
    column: &Spatial<T>,
    inertia: &SpatialInertia<T>,
) -> bool {
    let size = column.angular.dot(&column.angular).value() * inertia.rotational.trace().value()
        + column.linear.dot(&column.linear).value() * inertia.translational.trace().value();
    let pivot = pivot.value();
    pivot.is_nan() || pivot <= NO_INERTIA * size
}

/// Computes the articulated-body inertias of these links, parents before children, and the elimination of the
/// velocity states that no closed latch locks. The links are placed. Notes if a velocity state moves no
/// inertia.
pub(crate) fn factor<T: Real>(
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

/// Writes the wrenches that keep these links, without their subtrees, from accelerating: inertial forces,
/// gravity and loads.
pub(crate) fn load<T: Real>(model: &Model, links: &[LinkId], work: &mut Workspace<T>) {
    for index in links {
        let body = model.links.all[*index].body;
        work.tree.biases[body] = own_bias(model, work, body);
    }
}

/// Solves for the accelerations of these links, parents before children, and the rates of their velocity
/// states from the factors, the wrenches of [`load`] and the joint forces. The accelerations of bodies
/// without states are known.
pub(crate) fn solve<T: Real>(model: &Model, links: &[LinkId], work: &mut Workspace<T>) {
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

/// Eliminates a velocity state with the force `force` along it from f = I a + p: p' = p + U u/D.
#[inline(always)]
fn eliminate<T: Real>(
    known: &mut Elimination<T>,
    column: &Spatial<T>,
    force: T,
    bias: &mut Spatial<T>,
) {
    known.force = force - column.dot(bias);
    bias.add(&known.wrench.scaled(known.force / known.pivot));
}

/// Inertia of a single body about its origin, and the vector from there to its centre of mass, world axes.
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

/// Wrench that keeps a body from accelerating: with r from its origin to its centre of mass, h = m w x (w x
/// r) - m g - F and w x I_c w + r x (h + F) - M.
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

/// Writes the forces along the coordinates of a tree link, and adds the power dissipated by friction.
pub(crate) fn apply<T: Real>(model: &Model, link: &Link, work: &mut Workspace<T>, states: &[T]) {
    let mut lost = T::zero();
    let forces = &mut work.joint_forces[link.dofs.clone()];
    if link.is_free {
        // Its velocity states are those of a body; what acts on it are loads.
        forces.fill(T::zero());
        return;
    }
    let (positions, rates) = (&states[link.positions.clone()], &states[link.rates.clone()]);
    for (dof, (force, rate)) in forces.iter_mut().zip(rates).enumerate() {
        let (elastic, friction) = match (link.forces.get(dof), positions.get(dof)) {
            (Some(own), Some(q)) => (spring(own, *q), friction(own, *rate)),
            _ => (T::zero(), *rate * -link.ball.damping),
        };
        lost -= friction * *rate;
        *force = elastic + friction;
        if let Some(input) = link.inputs[dof] {
            *force += work.inputs[input];
        }
    }
    if model.energy_balance {
        work.dissipation += lost;
    }
}

fn spring<T: Real>(forces: &CoordinateForces, q: T) -> T {
    match forces.spring {
        Some(spring) => (q - spring.rest) * -spring.stiffness,
        None => T::zero(),
    }
}

fn friction<T: Real>(forces: &CoordinateForces, rate: T) -> T {
    let viscous = rate * -forces.damping;
    match forces.friction {
        Some(JointFriction { limit, speed }) => {
            // reg is flat at zero, so the kink of |v| there does not matter.
            let size = if rate.value() < 0.0 { -rate } else { rate };
            viscous - rate * limit / reg(size, speed)
        }
        None => viscous,
    }
}

/// Power [W] of the forces along the coordinates of a link, including stops, on the bodies of its joint: f v
/// for each coordinate of rate v.
pub(crate) fn power<T: Real>(link: &Link, work: &Workspace<T>, states: &[T]) -> T {
    let forces = work.joint_forces[link.dofs.clone()].iter();
    let both = forces.zip(&states[link.rates.clone()]);
    both.fold(T::zero(), |sum, (force, rate)| sum + *force * *rate)
}

pub(crate) fn spring_energy<T: Real>(model: &Model, states: &[T]) -> T {
    let mut energy = T::zero();
    for link in model.links.of_trees() {
        let positions = &states[link.positions.clone()];
        for (forces, q) in link.forces.iter().zip(positions) {
            if let Some(spring) = forces.spring {
                let stretch = *q - spring.rest;
                energy += stretch * (0.5 * spring.stiffness) * stretch;
            }
        }
    }
    energy
}

/// Impulses on bodies and the velocity jumps that they cause. Zero except for the links of the last
/// [`Jumps::solve`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Jumps {
    /// Impulse on each body about its origin, world axes: moment [N.m.s] and impulse [N.s].
    pub impulses: TiVec<BodyId, Spatial>,
    pub of_bodies: TiVec<BodyId, Spatial>,
    /// Jump of each velocity state of each link [m/s] or [rad/s].
    pub(crate) of_rates: TiVec<LinkId, [f64; 6]>,
    /// For a free joint the impulse along each velocity state [N.s] or [N.m.s]; for a locked one the jump of
    /// each [m/s] or [rad/s].
    pub along: TiVec<TreeLinkId, [f64; 6]>,
    biases: TiVec<BodyId, Spatial>,
    forces: TiVec<TreeLinkId, [f64; 6]>,
}

impl Jumps {
    pub(crate) fn new(model: &Model) -> Self {
        Jumps {
            impulses: ti_vec![Spatial::zero(); model.bodies.len()],
            of_bodies: ti_vec![Spatial::zero(); model.bodies.len()],
            of_rates: ti_vec![[0.0; 6]; model.links.all.len()],
            along: ti_vec![[0.0; 6]; model.links.of_trees().len()],
            biases: ti_vec![Spatial::zero(); model.bodies.len()],
            forces: ti_vec![[0.0; 6]; model.links.of_trees().len()],
        }
    }

    /// Adds an impulse [N.s] at a world point [m] and a moment of impulse [N.m.s] on a body at `origin_w`
    /// [m].
    pub(crate) fn add(
        &mut self,
        body: BodyId,
        origin_w: &Vec3,
        point_w: &Vec3,
        impulse_w: &Vec3,
        moment_w: &Vec3,
    ) {
        let own = &mut self.impulses[body];
        own.linear += impulse_w;
        own.angular += (point_w - origin_w).cross(impulse_w) + moment_w;
    }

    /// Clears the impulses on the bodies of these links, and their jumps.
    pub(crate) fn clear(&mut self, model: &Model, links: &[LinkId]) {
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

    /// Solves for the jumps of these links (ascending, complete trees) from the impulses on their bodies. The
    /// links are placed, trees factored.
    pub(crate) fn solve(&mut self, model: &Model, links: &[LinkId], work: &Workspace<f64>) {
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

    /// Eliminates the velocity states of a link from f = I a + p and passes p on to its parent.
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
                eliminate(&mut known, column, *along, &mut bias);
                self.forces[in_trees][dof] = known.force;
            }
        }
        // A joint with six degrees of freedom transmits the impulse of its latch.
        let transmits = is_locked || along.iter().any(|impulse| *impulse != 0.0);
        if let Some(parent) = link.carrier_if(transmits) {
            self.biases[parent].add(&bias.wrench_from(&motion.offset_w));
        }
    }

    /// Jumps of a link, from its parent's.
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

    /// Moment of impulse [N.m.s] and impulse [N.s] transmitted by the joint of a tree link to it, about its
    /// origin, world axes: f = I a + p.
    pub(crate) fn transmitted(
        &self,
        model: &Model,
        index: LinkId,
        work: &Workspace<f64>,
    ) -> Spatial {
        let body = model.links.all[index].body;
        let mut wrench = work.tree.inertias[body].times(&self.of_bodies[body]);
        wrench.add(&self.biases[body]);
        wrench
    }

    /// Jumps of a rigid link: with r from its origin to its centre of mass, J and M its impulse and moment
    /// about the origin, I w = M - r x J and v = J/m - w x r.
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
    pub(crate) fn write(&self, model: &Model, links: &[LinkId], states: &mut [f64]) {
        for index in links {
            let own = &mut states[model.links.all[*index].rates.clone()];
            let jumps = own.iter_mut().zip(&self.of_rates[*index]);
            jumps.for_each(|(rate, jump)| *rate += jump);
        }
    }
}

fn jump_of(link: &Link, motion: &JointMotion<f64>, jumps: &[f64; 6]) -> Spatial {
    let mut sum = Spatial::zero();
    let columns = motion.columns.iter().zip(jumps).take(link.rates.len());
    columns.for_each(|(column, jump)| sum.add(&column.scaled(*jump)));
    sum
}

/// Places a tree link by the states and writes its motion; its parent is placed.
pub(crate) fn place<T: Real>(model: &Model, index: LinkId, work: &mut Workspace<T>, states: &[T]) {
    let link = &model.links.all[index];
    let joint = &model.scene.links()[link.joint];
    let motion = &mut work.tree.motions[model.links.index_in_trees(index)];
    (work.frames[link.body.frame()], work.twists[link.body]) = if link.is_free {
        place_root(joint, &free_states(link, states), motion)
    } else {
        let world;
        let (parent, twist) = match joint.parent {
            Some(parent) => (&work.frames[parent.frame()], &work.twists[parent]),
            None => {
                world = (Pose::identity(), Twist::at_rest());
                (&world.0, &world.1)
            }
        };
        let (positions, rates) = (&states[link.positions.clone()], &states[link.rates.clone()]);
        place_child(joint, parent, twist, positions, rates, motion)
    };
}

/// Pose and velocities of a free body with joints on it: its states are in world axes, its angular velocity
/// in body axes.
fn place_root<T: Real>(
    joint: &Joint,
    states: &[T; FREE_STATES],
    motion: &mut JointMotion<T>,
) -> (Pose<T>, Twist<T>) {
    let (pose, twist) = rigid::kinematics(states);
    let frames = JointFrames {
        on_parent: &Mat3::identity(),
        on_child: &pose.rotation,
        arm_w: &Vec3::zeros(),
    };
    write_columns(joint, &frames, &states[7..], &mut motion.columns);
    motion.bias = Spatial::zero();
    (motion.offset_w, motion.arm_w) = (pose.position, Vec3::zeros());
    (pose, twist)
}

/// Pose and velocities of the child for these position and velocity states; writes its motion in place, since
/// it is large.
pub(crate) fn place_child<T: Real>(
    joint: &Joint,
    parent: &Pose<T>,
    parent_twist: &Twist<T>,
    positions: &[T],
    rates: &[T],
    motion: &mut JointMotion<T>,
) -> (Pose<T>, Twist<T>) {
    let lift = |m: &Mat3| -> Mat3<T> { m.map(T::from) };
    let on_parent = parent.rotation * lift(&joint.parent_frame.rotation);
    let moved = joint.transform(positions);
    let on_child = on_parent * moved.rotation;
    let rotation = on_child * lift(&joint.child_frame.rotation.transpose());
    let arm_w = rotation * joint.child_frame.position.map(T::from);
    let to_joint =
        parent.rotation * joint.parent_frame.position.map(T::from) + on_parent * moved.position;
    let offset_w = to_joint - arm_w;
    let frames = JointFrames {
        on_parent: &on_parent,
        on_child: &on_child,
        arm_w: &arm_w,
    };
    let [turning, sliding] = write_columns(joint, &frames, rates, &mut motion.columns);

    let omega_p = &parent_twist.omega_w;
    let omega_w = omega_p + turning;
    let velocity_w =
        parent_twist.velocity_w + omega_p.cross(&offset_w) + sliding + arm_w.cross(&turning);
    let mut angular = omega_p.cross(&turning);
    if let Some(carried) = carried_axis(joint, &motion.columns, rates) {
        angular += carried;
    }
    let linear = omega_p.cross(&(omega_p.cross(&to_joint) + sliding * T::from(2.0)))
        + arm_w.cross(&angular)
        - omega_w.cross(&omega_w.cross(&arm_w));
    let pose = Pose {
        position: parent.position + offset_w,
        rotation,
    };
    let twist = Twist {
        velocity_w,
        omega_b: rotation.tr_mul(&omega_w),
        omega_w,
    };
    motion.bias = Spatial { angular, linear };
    (motion.offset_w, motion.arm_w) = (offset_w, arm_w);
    (pose, twist)
}

/// Axes and arm from which the columns of a joint follow.
struct JointFrames<'a, T: Real> {
    /// Axes of the joint's frame on the parent.
    on_parent: &'a Mat3<T>,
    /// Axes of the joint's frame on the child.
    on_child: &'a Mat3<T>,
    /// rho, from the child's origin to the joint's frame on it [m].
    arm_w: &'a Vec3<T>,
}

impl<T: Real> JointFrames<'_, T> {
    #[inline(always)]
    fn turn(&self, axis_w: Vec3<T>) -> Spatial<T> {
        Spatial {
            angular: axis_w,
            linear: self.arm_w.cross(&axis_w),
        }
    }
}

#[inline(always)]
fn slide<T: Real>(direction_w: Vec3<T>) -> Spatial<T> {
    Spatial {
        angular: Vec3::zeros(),
        linear: direction_w,
    }
}

/// Writes the motion of the child's origin for a unit of each velocity state. Returns the angular velocity of
/// the child relative to the parent, w_rel, and the velocity of its slides, u, for these rates.
#[inline(always)]
fn write_columns<T: Real>(
    joint: &Joint,
    frames: &JointFrames<'_, T>,
    rates: &[T],
    columns: &mut [Spatial<T>; 6],
) -> [Vec3<T>; 2] {
    let (mut turning, mut sliding) = (Vec3::zeros(), Vec3::zeros());
    match joint.kind.row().freedom {
        Freedom::Coordinates(list) => {
            for ((coordinate, column), rate) in list.iter().zip(columns).zip(rates) {
                let axis = joint.axes[coordinate.axis as usize].map(T::from);
                let axis_w = match coordinate.motion {
                    CoordinateMotion::TurnOnChild => frames.on_child * axis,
                    _ => frames.on_parent * axis,
                };
                if coordinate.is_angle() {
                    *column = frames.turn(axis_w);
                    turning += axis_w * *rate;
                } else {
                    *column = slide(axis_w);
                    sliding += axis_w * *rate;
                }
                if coordinate.motion == CoordinateMotion::Screw {
                    let along = axis_w * T::from(joint.lead);
                    column.linear += along;
                    sliding += along * *rate;
                }
            }
        }
        Freedom::Quaternion { with_position } => {
            let part = |axes: &Mat3<T>, i: usize| -> Vec3<T> { axes.column(i).into_owned() };
            let slides = if with_position { 3 } else { 0 };
            for i in 0..slides {
                columns[i] = slide(part(frames.on_parent, i));
                sliding += columns[i].linear * rates[i];
            }
            for i in 0..3 {
                columns[slides + i] = frames.turn(part(frames.on_child, i));
                turning += columns[slides + i].angular * rates[slides + i];
            }
        }
    }
    [turning, sliding]
}

/// Rate of an axis of rotation on the child due to preceding rotations, times the rate about that axis;
/// `None` if the last motion is another one.
#[inline(always)]
fn carried_axis<T: Real>(joint: &Joint, columns: &[Spatial<T>; 6], rates: &[T]) -> Option<Vec3<T>> {
    let [before @ .., last] = joint.kind.coordinates() else {
        return None;
    };
    if last.motion != CoordinateMotion::TurnOnChild {
        return None;
    }
    let own = before.len();
    let turned = (0..own).filter(|i| before[*i].is_angle());
    let terms =
        turned.map(|i| columns[i].angular.cross(&columns[own].angular) * (rates[i] * rates[own]));
    terms.reduce(|sum, term| sum + term)
}

/// Writes the state derivatives of a link from a workspace that holds the accelerations.
pub(crate) fn write<T: Real>(
    model: &Model,
    link: &Link,
    work: &Workspace<T>,
    states: &[T],
    rates: &mut [T],
) {
    let (positions, velocities) = (&states[link.positions.clone()], &states[link.rates.clone()]);
    let own = &mut rates[link.positions.clone()];
    // Before a quaternion there are coordinates; its rate is by the last three velocities.
    let joint = &model.scene.links()[link.joint];
    let plain = joint.kind.quaternion().unwrap_or(own.len());
    own[..plain].copy_from_slice(&velocities[..plain]);
    if let ([w, x, y, z], [.., a, b, c]) = (&positions[plain..], velocities) {
        let rate = quaternion_rate(&[*w, *x, *y, *z], &Vec3::new(*a, *b, *c));
        own[plain..].copy_from_slice(&rate);
    }
    let accelerations = &work.joint_accelerations[link.dofs.clone()];
    rates[link.rates.clone()].copy_from_slice(accelerations);
}

/// Force [N] and torque [N.m] of a joint on its child, including a closed latch and the force along its
/// coordinates, at the origin of the joint's frame on the child, world axes; accelerations are known.
/// f = I a + p, moved there from the child's origin.
pub(crate) fn on_child<T: Real>(
    model: &Model,
    work: &Workspace<T>,
    joint: JointId,
) -> [Vec3<T>; 2] {
    let known = &model.scene.joints()[joint];
    let child = known.child;
    let in_trees = model.links.index_in_trees(model.links.of_joints[joint]);
    if known.kind.is_free() && !work.tree.locked[in_trees] {
        return [Vec3::zeros(); 2];
    }
    let mut wrench: Spatial<T> = work.tree.inertias[child].times(&work.accelerations[child]);
    wrench.add(&work.tree.biases[child]);
    let there = wrench.wrench_from(&-work.tree.motions[in_trees].arm_w);
    [there.linear, there.angular]
}

/// Negative of the wrench passed up to a body, about its origin.
#[derive(Clone, Copy)]
struct End {
    body: BodyId,
    bias: Spatial,
}

/// Effective mass [kg] of two bodies along the unit vector `normal_w` at `point_w`, from the inertias and
/// eliminations of [`factor`]. [`MASS_UNKNOWN`] if neither moves.
pub(crate) fn along_normal(
    model: &Model,
    work: &Workspace<f64>,
    bodies: [BodyId; 2],
    point_w: &Vec3,
    normal_w: &Vec3,
) -> f64 {
    mass(inverse_mass(model, work, bodies, point_w, normal_w))
}

/// n.W n [1/kg] of a vector n at a point; see [`along_normal`].
fn inverse_mass(
    model: &Model,
    work: &Workspace<f64>,
    bodies: [BodyId; 2],
    point_w: &Vec3,
    normal_w: &Vec3,
) -> f64 {
    let end = |body: BodyId, force: Vec3| {
        let arm = point_w - work.frames[body.frame()].position;
        let bias = Spatial {
            angular: -arm.cross(&force),
            linear: -force,
        };
        Some(End { body, bias })
    };
    let [one, two] = bodies;
    let mut inverse = 0.0;
    let mut ends = [end(one, -normal_w), end(two, *normal_w)];
    // Parents have lower indices than their children.
    let rank = |end: &End| model.links.of_bodies[end.body];
    loop {
        ends = match ends {
            [Some(a), Some(mut b)] if a.body == b.body => {
                b.bias.add(&a.bias);
                [None, Some(b)]
            }
            // Leaves first: so the paths of one tree merge.
            [Some(a), b] if b.is_none_or(|b| rank(&b) <= rank(&a)) => {
                [rise(model, work, a, None, &mut inverse), b]
            }
            [a, Some(b)] => [a, rise(model, work, b, None, &mut inverse)],
            _ => return inverse,
        };
    }
}

/// Motion perpendicular to the normal below which a normal force moves the contact along it [1]: rounding.
const STRAIGHT: f64 = 1e-9;

/// c = m W_tn [1], world axes: W n = (n + c)/m is the relative motion of the contact point whose component
/// along the unit vector n gives [`along_normal`]. By 4 a.W n = (n + a).W (n + a) - (n - a).W (n - a) along
/// each axis a. Zero where it is rounding, as for a ball.
pub(crate) fn coupling(
    model: &Model,
    work: &Workspace<f64>,
    bodies: [BodyId; 2],
    point_w: &Vec3,
    normal_w: &Vec3,
) -> [f64; 3] {
    let along = |direction: Vec3| inverse_mass(model, work, bodies, point_w, &direction);
    let motion = Vec3::from_fn(|i, _| {
        let axis = Vec3::ith(i, 1.0);
        0.25 * (along(normal_w + axis) - along(normal_w - axis))
    });
    let straight = motion.dot(normal_w);
    let coupling = motion / straight - normal_w;
    match straight > 0.0 && norm(&coupling) > STRAIGHT {
        true => coupling.into(),
        false => [0.0; 3],
    }
}

/// Effective mass [kg] or inertia [kg.m2] along a coordinate of a joint; see [`along_normal`].
pub(crate) fn along_coordinate(
    model: &Model,
    work: &Workspace<f64>,
    joint: JointId,
    coordinate: usize,
) -> f64 {
    let mut inverse = 0.0;
    let mut end = Some(End {
        body: model.scene.joints()[joint].child,
        bias: Spatial::zero(),
    });
    let mut pushed = Some(coordinate);
    while let Some(known) = end {
        end = rise(model, work, known, pushed.take(), &mut inverse);
    }
    mass(inverse)
}

fn mass(inverse: f64) -> f64 {
    match inverse > 0.0 && inverse.is_finite() {
        true => 1.0 / inverse,
        false => MASS_UNKNOWN,
    }
}

/// Passes a wrench from a body to its parent, with a unit force along the coordinate `pushed` of its joint,
/// and adds the compliance of the joint.
fn rise(
    model: &Model,
    work: &Workspace<f64>,
    end: End,
    pushed: Option<usize>,
    inverse: &mut f64,
) -> Option<End> {
    let End { body, mut bias } = end;
    let Some(index) = model.links.of_bodies[body] else {
        let known = &model.scene.bodies()[body];
        if known.is_driven() && known.is_mass_given {
            *inverse += of_rigid(model, work, body, &bias);
        }
        return None;
    };
    let link = &model.links.all[index];
    if model.links.is_rigid(index) {
        *inverse += of_rigid(model, work, body, &bias);
        return None;
    }
    let in_trees = model.links.index_in_trees(index);
    let motion = &work.tree.motions[in_trees];
    let is_locked = work.tree.locked[in_trees];
    let free = if is_locked { 0 } else { link.rates.len() };
    let columns = motion.columns.iter().zip(&work.tree.eliminations[in_trees]);
    for (dof, (column, known)) in columns.take(free).enumerate().rev() {
        let mut known = *known;
        let force = if pushed == Some(dof) { 1.0 } else { 0.0 };
        eliminate(&mut known, column, force, &mut bias);
        *inverse += known.force * known.force / known.pivot;
    }
    Some(End {
        body: link.carrier_if(is_locked)?,
        bias: bias.wrench_from(&motion.offset_w),
    })
}

/// Contribution of a rigid body to the inverse mass.
fn of_rigid(model: &Model, work: &Workspace<f64>, body: BodyId, bias: &Spatial) -> f64 {
    let (numbers, pose) = (&model.bodies[body], &work.frames[body.frame()]);
    let center_w = pose.rotation * numbers.center_of_mass_b;
    let moment_b = pose
        .rotation
        .tr_mul(&(bias.angular - center_w.cross(&bias.linear)));
    bias.linear.norm_squared() / numbers.mass
        + moment_b.dot(&(numbers.inverse_inertia_b * moment_b))
}

/// Adds the forces of a link's stops in contact to its joint, and their dissipated power, by the law of
/// [`StopModel`](crate::dynamics::model::StopModel).
pub(crate) fn apply_stops<T: Real>(
    model: &Model,
    link: &Link,
    contacts: &TiSlice<StopId, Option<StopContact>>,
    work: &mut Workspace<T>,
    states: &[T],
) {
    let stops = model.stops[link.stops.clone()].iter();
    for (stop, contact) in stops.zip(&contacts[link.stops.clone()]) {
        let Some(contact) = contact else { continue };
        let rate = stop.depth_rate(states);
        let (elastic, damped) = stop
            .law
            .forces(stop.depth(states), rate, contact.frozen, T::one());
        let force = damped.positive_part();
        work.joint_forces[stop.force] += force * stop.sign;
        if model.energy_balance {
            work.dissipation += (force - elastic) * rate;
        }
    }
}

pub(crate) fn stop_energy<T: Real>(
    model: &Model,
    contacts: &TiSlice<StopId, Option<StopContact>>,
    states: &[T],
) -> T {
    let stops = model.stops.iter().zip(contacts);
    let touched = stops.filter(|(_, contact)| contact.is_some());
    touched.fold(T::zero(), |sum, (stop, _)| {
        sum + stop.elastic.energy(stop.depth(states))
    })
}

#[cfg(test)]
#[path = "../../tests/unit/dynamics/tree/tests/mod.rs"]
mod tests;
