//! The one evaluation, for any scalar: place, contact forces, applied forces, joint forces, stops,
//! accelerations, rates. Each part goes through all stages before the next one, so that what was
//! computed for a body is still in the cache.

use crate::contact::LatchState;
use crate::dynamics::frozen::{Frozen, Progress};
use crate::dynamics::link::Link;
use crate::dynamics::load::Load;
use crate::dynamics::parts::{Part, PartKind};
use crate::dynamics::rigid::FREE_STATES;
use crate::dynamics::tree::{articulated, forces, kinematics, rates as tree_rates};
use crate::dynamics::workspace::Workspace;
use crate::dynamics::{Model, applied, contact_forces, driven, prescribed, rigid, stops};
use contact_geometry::math::Real;
use contact_laws::index::{LatchId, LinkId, TiSlice};

impl Frozen<'_> {
    /// Writes the state derivatives of the links that the contacts were divided by, of the
    /// deflections of contacts and of the work. `from` is how far the workspace has come at these
    /// states; it holds forces and accelerations afterwards. Returns false if a derivative is not
    /// finite.
    #[inline]
    pub fn evaluate<T: Real>(
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
        // Measured: a call to look for nothing takes half as long as a flight.
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

    /// All stages of a part. Returns false if a derivative is not finite. A function of its own, so
    /// that what it keeps at hand does not slow [`Self::fly`].
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

    /// All stages of a part that is one rigid link on which nothing acts but gravity. Returns false
    /// if a derivative is not finite.
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
        let own = rigid::rates(self.model, numbers, (&pose, &twist), None, &x);
        rates[link.first_state()..link.first_state() + FREE_STATES].copy_from_slice(&own);
        work.frames[link.body.frame()] = pose;
        work.twists[link.body] = twist;
        if !link.shapes.is_empty() {
            work.place_shapes(self.model, &self.model.links.shapes[link.shapes.clone()]);
        }
        rigid::are_finite(&own)
    }

    /// All stages of a part that is one rigid link, with its pose, velocities and load at hand.
    /// Returns false if a derivative is not finite.
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
            work.place_shapes(self.model, &self.model.links.shapes[link.shapes.clone()]);
        }
        let mut load = Load::zero();
        let contacts = self.contacts.parts.contacts(part);
        let single = Some((&pose.position, &mut load));
        contact_forces::apply(self, contacts, (work, states), single);
        work.loads[link.body] = load;
        if !link.applied.is_empty() {
            applied::apply(self.model, link, work);
            load = load.with(&work.applied[link.body]);
        }
        let numbers = &self.model.bodies[link.body];
        let acting = load.acts.then_some(&load);
        let own = rigid::rates(self.model, numbers, (&pose, &twist), acting, &x);
        rates[link.first_state()..link.first_state() + FREE_STATES].copy_from_slice(&own);
        rigid::are_finite(&own)
    }

    /// Computes forces and accelerations of trees.
    pub fn accelerate<T: Real>(&self, from: Progress, work: &mut Workspace<T>, states: &[T]) {
        self.begin(from, work);
        for part in self.contacts.parts.list() {
            self.advance(part, from, work, states);
        }
        self.end(from, work, states);
    }

    /// What comes before all parts: bodies whose motion depends on no part.
    #[inline(always)]
    fn begin<T: Real>(&self, from: Progress, work: &mut Workspace<T>) {
        let model = self.model;
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

    /// What comes after all parts: contacts that act on no link, for outputs.
    #[inline(always)]
    fn end<T: Real>(&self, from: Progress, work: &mut Workspace<T>, states: &[T]) {
        let idle = self.contacts.parts.idle();
        if from < Progress::Accelerated && !idle.is_empty() {
            contact_forces::apply_to_part(self, idle, work, states);
        }
    }

    /// All stages of a part but the rates.
    #[inline(always)]
    fn advance<T: Real>(&self, part: &Part, from: Progress, work: &mut Workspace<T>, states: &[T]) {
        let (model, parts) = (self.model, &self.contacts.parts);
        let (rigid, trees) = (parts.rigid(part), parts.trees(part));
        if from < Progress::Placed {
            for link in rigid {
                place_rigid(model, *link, work, states);
            }
            for link in trees {
                place_in_tree(model, *link, work, states);
            }
        }
        if from == Progress::Accelerated {
            return;
        }
        let contacts = parts.contacts(part);
        if !contacts.is_empty() {
            for link in rigid.iter().chain(trees) {
                work.loads[model.links.all[*link].body] = Load::zero();
            }
            contact_forces::apply_to_part(self, contacts, work, states);
        }
        if !model.applied.is_empty() {
            for link in rigid.iter().chain(trees) {
                applied::apply(model, &model.links.all[*link], work);
            }
        }
        if trees.is_empty() {
            return;
        }
        for link in trees {
            let link = &model.links.all[*link];
            forces::apply(model, link, work, states);
            stops::apply(model, link, self.ledger.stops(), work, states);
        }
        articulated::factor(model, trees, self.ledger.latches(), work);
        articulated::load(model, trees, work);
        articulated::solve(model, trees, work);
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
        let (model, parts) = (self.model, &self.contacts.parts);
        for link in parts.rigid(part) {
            let link = &model.links.all[*link];
            let mut load = work.loads[link.body];
            if let Some(applied) = work.applied.get(link.body) {
                load = load.with(applied);
            }
            let numbers = &model.bodies[link.body];
            let placed = (&work.frames[link.body.frame()], &work.twists[link.body]);
            let x = rigid::free_states(link, states);
            let acting = load.acts.then_some(&load);
            let own = rigid::rates(model, numbers, placed, acting, &x);
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

/// Returns true if no number is infinite or NaN.
fn are_finite<T: Real>(numbers: &[T]) -> bool {
    numbers.iter().all(|number| number.value().is_finite())
}

/// Places the bodies of these links, ascending, whole trees, those without states, and their shapes,
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

/// Computes the inertias of trees of these links, parents before children, with these latches; bodies
/// are placed.
pub fn factor(
    model: &Model,
    trees: &[LinkId],
    latches: &TiSlice<LatchId, LatchState>,
    work: &mut Workspace<f64>,
) {
    work.tree.singular = false;
    articulated::factor(model, trees, latches, work);
}

/// Places driven and prescribed bodies and their shapes.
#[inline(never)]
pub fn place_others<T: Real>(model: &Model, work: &mut Workspace<T>) {
    driven::place(model, work);
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
    kinematics::place(model, index, work, states);
    let link = &model.links.all[index];
    work.place_shapes(model, &model.links.shapes[link.shapes.clone()]);
}
