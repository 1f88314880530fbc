//! The single evaluation pipeline, for any scalar. Each part passes all stages before the next one, so that
//! its data stay in the cache; [`Mode::advance`] has the stages in order. [`Mode::fly`] and [`Mode::touch`]
//! are the same for one rigid link, with its data in registers.
//!
//! # Sums over the balls of a group, from the states alone
//!
//! The centre of a ball is the origin of its body; with the mass m and the moment of inertia I of each:
//!
//! - centre of mass: sum m x / sum m
//! - kinetic energy: sum (m v.v + I w.w)/2
//! - number and mass of balls in a region: balls with their centre in it

use crate::contact::LatchState;
use crate::dynamics::contacts::{Contacts, Mode, Progress};
use crate::dynamics::link::Link;
use crate::dynamics::parts::{Part, PartKind};
use crate::dynamics::rigid::FREE_STATES;
use crate::dynamics::workspace::{Load, Workspace};
use crate::dynamics::{Model, contact_forces, prescribed, rigid, tree, tree as tree_rates};
use crate::scene::description::{Gravity, RegionDescription};
use crate::scene::{Grains, StateLayout};
use contact_geometry::math::{Mat3, Real, Vec3, norm, vec3};
use contact_laws::index::{BodyId, LatchId, LinkId, TiSlice, each};
use contact_laws::response::stick::Deflection;
use std::ops::Range;

impl Mode {
    /// Writes the state derivatives of the links that the contacts were divided by, of contact deflections
    /// and of the work. `from` is the progress of the workspace at these states; afterwards it holds forces
    /// and accelerations. Returns false if a derivative is not finite.
    #[inline]
    pub(crate) fn evaluate<T: Real>(
        &self,
        from: Progress,
        work: &mut Workspace<T>,
        states: &[T],
        rates: &mut [T],
    ) -> bool {
        let mut finite = true;
        self.begin(from, work);
        for part in self.contacts.parts.list() {
            finite &= match (from, part.kind) {
                (Progress::Nothing, PartKind::Flight(link)) => {
                    self.fly(&self.model.links.all[link], work, states, rates)
                }
                (Progress::Nothing, PartKind::Rigid(link)) => {
                    self.touch(part, &self.model.links.all[link], work, states, rates)
                }
                _ => self.evaluate_part(part, from, work, states, rates),
            };
        }
        self.end(from, work, states);
        let layout = self.model.scene.layout();
        // Measured: a call that finds nothing takes half as long as a flight.
        if !work.deflection_rates.is_empty() {
            let held = self.contacts.list().iter();
            for deflection in held.filter_map(|contact| contact.deflection) {
                let own = &mut rates[layout.deflection(deflection)];
                work.deflection_rates[deflection].write(own);
                finite &= are_finite(own);
            }
        }
        if let Some(work_state) = layout.work() {
            rates[work_state] = work.dissipation;
            finite &= work.dissipation.value().is_finite();
        }
        finite
    }

    /// All stages of a part. Returns false if a derivative is not finite. Not inlined, so that its variables
    /// do not slow [`Self::fly`].
    #[inline(never)]
    fn evaluate_part<T: Real>(
        &self,
        part: &Part,
        from: Progress,
        work: &mut Workspace<T>,
        states: &[T],
        rates: &mut [T],
    ) -> bool {
        self.advance(part, from, work, states);
        self.write_rates(part, work, states, rates)
    }

    /// All stages of a part that is one rigid link under gravity alone. Returns false if a derivative is not
    /// finite.
    #[inline(always)]
    fn fly<T: Real>(
        &self,
        link: &Link,
        work: &mut Workspace<T>,
        states: &[T],
        rates: &mut [T],
    ) -> bool {
        let x = rigid::free_states(link, states);
        let (pose, twist) = rigid::kinematics(&x);
        let numbers = &self.model.bodies[link.body];
        let own = rigid::rates(&self.model, numbers, &pose, &twist, None, &x);
        rates[link.first_state()..link.first_state() + FREE_STATES].copy_from_slice(&own);
        work.frames[link.body.frame()] = pose;
        work.twists[link.body] = twist;
        if !link.shapes.is_empty() {
            work.place_shapes(&self.model, &self.model.links.shapes[link.shapes.clone()]);
        }
        rigid::are_finite(&own)
    }

    /// All stages of a part that is one rigid link, with pose, velocities and load in registers. Returns
    /// false if a derivative is not finite.
    #[inline(always)]
    fn touch<T: Real>(
        &self,
        part: &Part,
        link: &Link,
        work: &mut Workspace<T>,
        states: &[T],
        rates: &mut [T],
    ) -> bool {
        let x = rigid::free_states(link, states);
        let (pose, twist) = rigid::kinematics(&x);
        (work.frames[link.body.frame()], work.twists[link.body]) = (pose, twist);
        if !link.shapes.is_empty() {
            work.place_shapes(&self.model, &self.model.links.shapes[link.shapes.clone()]);
        }
        let mut load = Load::zero();
        let contacts = self.contacts.parts.contacts(part);
        let single = Some((&pose.position, &mut load));
        contact_forces::apply(self, contacts, work, states, single);
        work.loads[link.body] = load;
        if !link.applied.is_empty() {
            prescribed::apply(&self.model, link, work);
            load = load.with(&work.applied[link.body]);
        }
        let numbers = &self.model.bodies[link.body];
        let acting = load.acts.then_some(&load);
        let own = rigid::rates(&self.model, numbers, &pose, &twist, acting, &x);
        rates[link.first_state()..link.first_state() + FREE_STATES].copy_from_slice(&own);
        rigid::are_finite(&own)
    }

    pub(crate) fn accelerate<T: Real>(
        &self,
        from: Progress,
        work: &mut Workspace<T>,
        states: &[T],
    ) {
        self.begin(from, work);
        for part in self.contacts.parts.list() {
            self.advance(part, from, work, states);
        }
        self.end(from, work, states);
    }

    /// Stages before all parts: bodies whose motion depends on no part.
    #[inline(always)]
    fn begin<T: Real>(&self, from: Progress, work: &mut Workspace<T>) {
        let model = &*self.model;
        let others = !model.driven.is_empty() || !model.prescribed.is_empty();
        if others && from < Progress::Placed {
            place_others(model, work);
        }
        if from < Progress::Accelerated {
            work.dissipation = T::zero();
            work.refused = None;
            work.tree.singular = false;
        }
    }

    /// Stages after all parts: contacts that act on no link, for outputs.
    #[inline(always)]
    fn end<T: Real>(&self, from: Progress, work: &mut Workspace<T>, states: &[T]) {
        let idle = self.contacts.parts.idle();
        if from < Progress::Accelerated && !idle.is_empty() {
            contact_forces::apply_to_part(self, idle, work, states);
        }
    }

    /// Stages of a part except the rates, in order.
    #[inline(always)]
    fn advance<T: Real>(&self, part: &Part, from: Progress, work: &mut Workspace<T>, states: &[T]) {
        if from < Progress::Placed {
            self.place_part(part, work, states);
        }
        if from < Progress::Accelerated {
            self.add_contact_forces(part, work, states);
            self.add_applied_forces(part, work);
            self.add_joint_forces(part, work, states);
            self.accelerate_trees(part, work);
        }
    }

    #[inline(always)]
    fn place_part<T: Real>(&self, part: &Part, work: &mut Workspace<T>, states: &[T]) {
        for link in self.contacts.parts.rigid(part) {
            place_rigid(&self.model, *link, work, states);
        }
        for link in self.contacts.parts.trees(part) {
            place_in_tree(&self.model, *link, work, states);
        }
    }

    #[inline(always)]
    fn add_contact_forces<T: Real>(&self, part: &Part, work: &mut Workspace<T>, states: &[T]) {
        let contacts = self.contacts.parts.contacts(part);
        if !contacts.is_empty() {
            for link in self.contacts.parts.of_part(part) {
                work.loads[self.model.links.all[*link].body] = Load::zero();
            }
            contact_forces::apply_to_part(self, contacts, work, states);
        }
    }

    /// Prescribed forces and force inputs on the bodies of a part.
    #[inline(always)]
    fn add_applied_forces<T: Real>(&self, part: &Part, work: &mut Workspace<T>) {
        let model = &*self.model;
        if !model.applied.is_empty() {
            for link in self.contacts.parts.of_part(part) {
                prescribed::apply(model, &model.links.all[*link], work);
            }
        }
    }

    /// Forces along the coordinates of a part's joints: springs, friction, inputs, end stops.
    #[inline(always)]
    fn add_joint_forces<T: Real>(&self, part: &Part, work: &mut Workspace<T>, states: &[T]) {
        let model = &*self.model;
        for link in self.contacts.parts.trees(part) {
            let link = &model.links.all[*link];
            tree::apply(model, link, work, states);
            tree::apply_stops(model, link, self.ledger.stops(), work, states);
        }
    }

    #[inline(always)]
    fn accelerate_trees<T: Real>(&self, part: &Part, work: &mut Workspace<T>) {
        let (model, trees) = (&*self.model, self.contacts.parts.trees(part));
        if !trees.is_empty() {
            tree::factor(model, trees, self.ledger.latches(), work);
            tree::load(model, trees, work);
            tree::solve(model, trees, work);
        }
    }

    /// Writes the rates of a part. Returns false if one is not finite.
    #[inline(always)]
    fn write_rates<T: Real>(
        &self,
        part: &Part,
        work: &Workspace<T>,
        states: &[T],
        rates: &mut [T],
    ) -> bool {
        let mut finite = true;
        let (model, parts) = (&*self.model, &self.contacts.parts);
        for link in parts.rigid(part) {
            let link = &model.links.all[*link];
            let mut load = work.loads[link.body];
            if let Some(applied) = work.applied.get(link.body) {
                load = load.with(applied);
            }
            let numbers = &model.bodies[link.body];
            let (pose, twist) = (&work.frames[link.body.frame()], &work.twists[link.body]);
            let x = rigid::free_states(link, states);
            let acting = load.acts.then_some(&load);
            let own = rigid::rates(model, numbers, pose, twist, acting, &x);
            rates[link.first_state()..link.first_state() + FREE_STATES].copy_from_slice(&own);
            finite &= rigid::are_finite(&own);
        }
        for link in parts.trees(part) {
            let link = &model.links.all[*link];
            tree_rates::write(model, link, work, states, rates);
            finite &= are_finite(&rates[link.positions.start..link.rates.end]);
        }
        finite
    }
}

fn are_finite<T: Real>(numbers: &[T]) -> bool {
    numbers.iter().all(|number| number.value().is_finite())
}

/// Places the bodies of these links (ascending, complete trees), the bodies without states, and their shapes
/// by states, inputs and time.
pub fn place<T: Real>(model: &Model, links: &[LinkId], work: &mut Workspace<T>, states: &[T]) {
    place_others(model, work);
    for link in links {
        match model.links.is_rigid(*link) {
            true => place_rigid(model, *link, work, states),
            false => place_in_tree(model, *link, work, states),
        }
    }
}

/// Computes the articulated-body inertias of these links, parents before children, with these latches; bodies
/// are placed.
pub(crate) fn factor(
    model: &Model,
    trees: &[LinkId],
    latches: &TiSlice<LatchId, LatchState>,
    work: &mut Workspace<f64>,
) {
    work.tree.singular = false;
    tree::factor(model, trees, latches, work);
}

#[inline(never)]
pub(crate) fn place_others<T: Real>(model: &Model, work: &mut Workspace<T>) {
    prescribed::place_driven(model, work);
    prescribed::place(model, work);
    work.place_shapes(model, &model.frames.of_others);
}

#[inline(always)]
fn place_rigid<T: Real>(model: &Model, link: LinkId, work: &mut Workspace<T>, states: &[T]) {
    let link = &model.links.all[link];
    let x = rigid::free_states(link, states);
    (work.frames[link.body.frame()], work.twists[link.body]) = rigid::kinematics(&x);
    work.place_shapes(model, &model.links.shapes[link.shapes.clone()]);
}

fn place_in_tree<T: Real>(model: &Model, index: LinkId, work: &mut Workspace<T>, states: &[T]) {
    tree::place(model, index, work, states);
    let link = &model.links.all[index];
    work.place_shapes(model, &model.links.shapes[link.shapes.clone()]);
}

/// Kinetic energy [J]: 1/2 m v_c^2 + 1/2 w.I w over the bodies that forces move.
pub(crate) fn kinetic<T: Real>(model: &Model, work: &Workspace<T>) -> T {
    total(moved(model).map(|body| {
        let (numbers, twist) = (&model.bodies[body], &work.twists[body]);
        // Not from the position in the world, which is rounded far away from its origin.
        let arm_w = work.frames[body.frame()].rotation * numbers.center_of_mass_b.map(T::from);
        let velocity = twist.velocity_w + twist.omega_w.cross(&arm_w);
        let inertia_b: Mat3<T> = numbers.inertia_b.map(T::from);
        velocity.dot(&velocity) * (0.5 * numbers.mass)
            + twist.omega_b.dot(&(inertia_b * twist.omega_b)) * 0.5
    }))
}

/// Gravitational potential energy [J]: -m g.r_c, zero at the world origin, or -m mu/|r|, zero at infinity.
pub(crate) fn potential<T: Real>(model: &Model, work: &Workspace<T>) -> T {
    total(moved(model).map(|body| {
        let mass = model.bodies[body].mass;
        let center_w = center_of_mass_w(model, work, body);
        match &model.gravity {
            Gravity::None => T::zero(),
            Gravity::Uniform(g) => vec3::<T>(g).dot(&center_w) * -mass,
            Gravity::Point { mu, center } => T::from(-mass * mu) / norm(&(center_w - vec3(center))),
        }
    }))
}

pub(crate) fn elastic<T: Real>(
    model: &Model,
    contacts: &Contacts,
    work: &Workspace<T>,
    states: &[T],
) -> T {
    total(contacts.list().iter_enumerated().map(|(index, contact)| {
        let normal = match contact.over_area {
            true => work.areas[index].energy,
            false => contacts
                .law(contact)
                .elastic_energy(work.wrenches[index].gap),
        };
        match contacts.bristle(contact) {
            Some((law, deflection)) => {
                let own = &states[model.scene.layout().deflection(deflection)];
                normal + law.energy(&Deflection::read(own))
            }
            None => normal,
        }
    }))
}

/// Bodies that forces accelerate.
fn moved(model: &Model) -> impl Iterator<Item = BodyId> {
    let bodies = model.scene.bodies().iter_enumerated();
    bodies
        .filter(|(_, b)| b.is_dynamic())
        .map(|(index, _)| index)
}

/// Sum starting at +0: the empty sum of floats is -0 in Rust, which a result file would show.
fn total<T: Real>(energies: impl Iterator<Item = T>) -> T {
    energies.fold(T::zero(), std::ops::Add::add)
}

fn center_of_mass_w<T: Real>(model: &Model, work: &Workspace<T>, body: BodyId) -> Vec3<T> {
    let pose = &work.frames[body.frame()];
    pose.position + pose.rotation * model.bodies[body].center_of_mass_b.map(T::from)
}

/// Ball at a state: mass [kg], moment of inertia [kg.m2], its first state.
struct Ball {
    mass: f64,
    inertia: f64,
    offset: usize,
}

fn balls<'a>(model: &'a Model, group: &'a Grains) -> impl Iterator<Item = Ball> + 'a {
    let bodies = each(group.bodies.clone());
    bodies.enumerate().map(|(place, body)| {
        let numbers = &model.bodies[body];
        Ball {
            mass: numbers.mass,
            inertia: numbers.inertia_b[(0, 0)],
            offset: group.state(place),
        }
    })
}

fn vector(states: &[f64], range: Range<usize>) -> Vec3 {
    Vec3::from_column_slice(&states[range])
}

fn mass(model: &Model, group: &Grains) -> f64 {
    balls(model, group).map(|ball| ball.mass).sum()
}

/// Centre of mass of all balls, world axes [m]; for changes of the states, its change.
pub fn center(model: &Model, group: &Grains, states: &[f64]) -> Vec3 {
    let weighted = |ball: Ball| vector(states, StateLayout::position(ball.offset)) * ball.mass;
    let sum = balls(model, group)
        .map(weighted)
        .fold(Vec3::zeros(), |sum, one| sum + one);
    sum / mass(model, group)
}

/// Kinetic energy of the balls [J].
pub fn kinetic_energy(model: &Model, group: &Grains, states: &[f64]) -> f64 {
    0.5 * energy_change(model, group, states, states)
}

/// Change of the kinetic energy [J] for changes of the states.
pub fn energy_change(model: &Model, group: &Grains, states: &[f64], changes: &[f64]) -> f64 {
    let of_ball = |ball: Ball| {
        let product =
            |range: Range<usize>| vector(states, range.clone()).dot(&vector(changes, range));
        ball.mass * product(StateLayout::velocity(ball.offset))
            + ball.inertia * product(StateLayout::angular_velocity(ball.offset))
    };
    balls(model, group).map(of_ball).sum()
}

/// Number and mass [kg] of the balls with their centre in a region.
pub fn in_region(
    model: &Model,
    group: &Grains,
    region: &RegionDescription,
    states: &[f64],
) -> (usize, f64) {
    let is_inside = |ball: &Ball| {
        let center = &states[StateLayout::position(ball.offset)];
        let mut bounds = center.iter().zip(&region.bounds);
        bounds.all(|(c, [lower, upper])| lower <= c && c < upper)
    };
    let inside = balls(model, group).filter(is_inside);
    inside.fold((0, 0.0), |(count, mass), ball| {
        (count + 1, mass + ball.mass)
    })
}
