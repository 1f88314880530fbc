//! Parts: the links divided into sets that do not act on each other between two events.
//!
//! Links act on each other if a joint or a contact connects them. Bodies without states - fixed,
//! driven and prescribed ones - connect nothing: their motion depends on nothing that a link does.
//! So the state derivatives of a part depend on its own states, on the inputs and on time alone.

use crate::dynamics::Model;
use crate::dynamics::link::{Links, Twist};
use crate::dynamics::load::{ContactWrench, Load};
use crate::dynamics::tree_work::TreeWork;
use contact_geometry::math::{Pose, Real, Spatial, Vec3};
use contact_geometry::narrow_phase::area::Patch;
use contact_laws::index::{
    ActiveId, BodyId, DeflectionId, FrameId, InputId, LinkId, PairId, PartId, ShapeId, TiSlice,
    TiVec, ti_vec,
};
use contact_laws::response::stick::Deflection;
use std::ops::Range;

/// Links that act on each other, as ranges of the lists of [`Parts`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// Rigid links.
    pub rigid: Range<usize>,
    /// Links of trees, parents before children.
    pub trees: Range<usize>,
    /// Contacts, in the order of the ledger.
    pub contacts: Range<usize>,
    /// What it consists of.
    pub(crate) kind: PartKind,
}

/// What a part consists of: most have one link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PartKind {
    /// One rigid link on which nothing acts but gravity.
    Flight(LinkId),
    /// One rigid link with contacts or applied forces.
    Rigid(LinkId),
    /// Links of trees, or several links.
    Links,
}

/// The parts of some links, in the order of their first links. Contacts between bodies without
/// states belong to none of them and come last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    list: TiVec<PartId, Part>,
    links: Vec<LinkId>,
    contacts: Vec<ActiveId>,
    /// Contacts that act on no link, among `contacts`.
    idle: Range<usize>,
    /// For each member another one of its part with a lower index, or itself; while they are
    /// divided.
    leader: TiVec<LinkId, LinkId>,
    /// Part of each member.
    part_of: TiVec<LinkId, PartId>,
}

impl Parts {
    /// Divides these links, ascending, whole trees. `contacts` are the links of the two bodies of
    /// each contact, in the order of the ledger; none for bodies without states.
    pub(crate) fn divide(
        &mut self,
        links: &Links,
        members: &[LinkId],
        contacts: impl Iterator<Item = [Option<LinkId>; 2]> + Clone,
    ) {
        self.lead(links, members, contacts.clone());
        self.list.clear();
        for index in members {
            let leader = self.find(*index);
            // The leader has the lowest index of its part, so its part is known.
            let part = match leader == *index {
                true => self.list.push_and_get_key(Part::empty()),
                false => self.part_of[leader],
            };
            self.part_of[*index] = part;
            let part = &mut self.list[part];
            // Lengths first; the ranges follow from them.
            match links.is_rigid(*index) {
                true => part.rigid.end += 1,
                false => part.trees.end += 1,
            }
        }
        let part_of = &self.part_of;
        let of_contact = |ends: [Option<LinkId>; 2]| {
            let link = ends[0].or(ends[1])?;
            Some(part_of[link])
        };
        for part in contacts.clone().filter_map(of_contact) {
            self.list[part].contacts.end += 1;
        }
        let (mut link, mut contact) = (0, 0);
        for part in &mut self.list {
            let counts = [part.rigid.len(), part.trees.len(), part.contacts.len()];
            // Empty for now: they grow as they are filled.
            part.rigid = link..link;
            part.trees = link + counts[0]..link + counts[0];
            part.contacts = contact..contact;
            link += counts[0] + counts[1];
            contact += counts[2];
        }
        self.idle = contact..contact;
        self.links.clear();
        self.links.resize(members.len(), LinkId::FIRST);
        for index in members {
            let part = &mut self.list[self.part_of[*index]];
            let range = match links.is_rigid(*index) {
                true => &mut part.rigid,
                false => &mut part.trees,
            };
            self.links[range.end] = *index;
            range.end += 1;
        }
        self.contacts.clear();
        self.contacts
            .resize(contacts.clone().count(), ActiveId::FIRST);
        for (index, ends) in contacts.enumerate() {
            let range = match of_contact(ends) {
                Some(part) => &mut self.list[part].contacts,
                None => &mut self.idle,
            };
            self.contacts[range.end] = ActiveId::from(index);
            range.end += 1;
        }
        for part in &mut self.list {
            part.kind = match &self.links[part.rigid.start..part.trees.end] {
                [link] if links.is_rigid(*link) => {
                    match part.contacts.is_empty() && links.all[*link].applied.is_empty() {
                        true => PartKind::Flight(*link),
                        false => PartKind::Rigid(*link),
                    }
                }
                _ => PartKind::Links,
            };
        }
    }

    /// Finds the first link of the part of each of these links.
    fn lead(
        &mut self,
        links: &Links,
        members: &[LinkId],
        contacts: impl Iterator<Item = [Option<LinkId>; 2]>,
    ) {
        if self.leader.len() != links.all.len() {
            self.leader.clear();
            self.leader.extend(links.all.keys());
            self.part_of.clear();
            self.part_of.resize(links.all.len(), PartId::FIRST);
        }
        for index in members {
            self.leader[*index] = *index;
        }
        for index in members {
            if let Some(parent) = links.all[*index].parent {
                self.join(*index, parent);
            }
        }
        for ends in contacts {
            if let [Some(one), Some(other)] = ends {
                self.join(one, other);
            }
        }
    }

    /// The parts.
    #[inline(always)]
    pub(crate) fn list(&self) -> &TiSlice<PartId, Part> {
        &self.list
    }

    /// Links that were divided last, by part.
    pub(crate) fn links(&self) -> &[LinkId] {
        &self.links
    }

    /// Rigid links of a part, as indices among [`Links::all`].
    #[inline(always)]
    pub(crate) fn rigid(&self, part: &Part) -> &[LinkId] {
        &self.links[part.rigid.clone()]
    }

    /// Links of trees of a part, parents before children.
    #[inline(always)]
    pub(crate) fn trees(&self, part: &Part) -> &[LinkId] {
        &self.links[part.trees.clone()]
    }

    /// Contacts of a part, in the order of the ledger.
    #[inline(always)]
    pub(crate) fn contacts(&self, part: &Part) -> &[ActiveId] {
        &self.contacts[part.contacts.clone()]
    }

    /// Contacts between bodies without states.
    pub(crate) fn idle(&self) -> &[ActiveId] {
        &self.contacts[self.idle.clone()]
    }

    /// Part of each link that was divided last.
    pub(crate) fn of_links(&self) -> &TiSlice<LinkId, PartId> {
        &self.part_of
    }

    fn find(&mut self, mut link: LinkId) -> LinkId {
        while self.leader[link] != link {
            let next = self.leader[link];
            self.leader[link] = self.leader[next];
            link = next;
        }
        link
    }

    fn join(&mut self, one: LinkId, other: LinkId) {
        let [one, other] = [self.find(one), self.find(other)];
        let [low, high] = [one.min(other), one.max(other)];
        self.leader[high] = low;
    }
}

impl Part {
    fn empty() -> Self {
        Part {
            rigid: 0..0,
            trees: 0..0,
            contacts: 0..0,
            kind: PartKind::Links,
        }
    }
}

// Work arrays of an evaluation at one time and state, for any scalar.

/// Work arrays of an evaluation; allocated once for a model.
#[derive(Clone, Debug)]
pub struct Workspace<T: Real> {
    /// Time [s].
    pub(crate) time: T,
    /// Values of the inputs, in the order of [`Scene::inputs`].
    ///
    /// [`Scene::inputs`]: crate::scene::Scene::inputs
    pub inputs: TiVec<InputId, T>,
    /// When they were set [s], if driven bodies move on by their velocities from then on; none
    /// if the inputs are always those of the present time.
    pub(crate) inputs_since: Option<f64>,
    /// Frames in the world, of bodies and shapes: those of [`Model::frames`].
    pub frames: TiVec<FrameId, Pose<T>>,
    /// Velocities of the bodies, in scene order.
    pub(crate) twists: TiVec<BodyId, Twist<T>>,
    /// What the contacts do to them.
    pub loads: TiVec<BodyId, Load<T>>,
    /// What the prescribed forces do to them; empty if there are none.
    pub(crate) applied: TiVec<BodyId, Load<T>>,
    /// Accelerations of the bodies, world axes: angular, and that of the origin; empty if there are
    /// no joints. Those of fixed bodies are zero; what places a prescribed body
    /// writes its own before the bodies of trees are accelerated.
    pub accelerations: TiVec<BodyId, Spatial<T>>,
    /// Force along each velocity state of the trees [N], [N.m], in the order of their links.
    pub(crate) joint_forces: Vec<T>,
    /// Rates of these states [m/s2], [rad/s2].
    pub(crate) joint_accelerations: Vec<T>,
    /// What the motion of trees needs.
    pub tree: TreeWork<T>,
    /// What each contact does, in pair order; the rest is unused.
    pub wrenches: TiVec<ActiveId, ContactWrench<T>>,
    /// What else a contact over an area does, by contact; empty if no pair touches so.
    pub areas: TiVec<ActiveId, AreaState<T>>,
    /// Contacts whose forces have no derivatives and are not evaluated; empty: all are evaluated.
    pub constant: TiVec<ActiveId, bool>,
    /// The patch of one such contact after the other.
    pub patch: Patch<T>,
    /// Power that contacts take from the mechanical energy [W], if the scene keeps a balance.
    pub dissipation: T,
    /// Rates of the deflections of contacts, world axes [m/s], in the order of the states; zero
    /// without a contact.
    pub(crate) deflection_rates: TiVec<DeflectionId, Deflection<T>>,
    /// Pair in contact whose law of the user gave no force.
    pub refused: Option<PairId>,
}

/// What a contact over an area has beside its wrench.
#[derive(Clone, Copy, Debug)]
pub struct AreaState<T: Real> {
    /// Elastic energy [J].
    pub energy: T,
    /// Direction of the elastic force, world axes, from 1 to 2; zero if no face presses.
    pub normal_w: Vec3<T>,
}

impl<T: Real> AreaState<T> {
    /// Nothing presses.
    pub(crate) fn zero() -> Self {
        AreaState {
            energy: T::zero(),
            normal_w: Vec3::zeros(),
        }
    }
}

impl<T: Real> Workspace<T> {
    /// Arrays for a model, its fixed bodies placed.
    pub fn new(model: &Model) -> Self {
        let scene = &model.scene;
        let mut frames: TiVec<FrameId, Pose<T>> = TiVec::with_capacity(model.frames.count);
        frames.extend(model.bodies.iter().map(|body| Pose {
            position: body.pose.position.map(T::from),
            rotation: body.pose.rotation.map(T::from),
        }));
        for (shape, frame) in scene.shapes().iter().zip(&model.frames.of_shapes) {
            if *frame != shape.body.frame() {
                frames.push(frames[shape.body.frame()].then(&shape.pose_b));
            }
        }
        let tree = TreeWork::new(model);
        let dofs = model.links.all.last().map_or(0, |link| link.dofs.end);
        Workspace {
            time: T::from(scene.experiment().start_time),
            inputs: scene.start_inputs().into_iter().map(T::from).collect(),
            inputs_since: None,
            frames,
            twists: ti_vec![Twist::at_rest(); model.bodies.len()],
            loads: ti_vec![Load::zero(); model.bodies.len()],
            applied: match model.applied.is_empty() {
                true => TiVec::new(),
                false => ti_vec![Load::zero(); model.bodies.len()],
            },
            accelerations: ti_vec![Spatial::zero(); tree.inertias.len()],
            joint_forces: vec![T::zero(); dofs],
            joint_accelerations: vec![T::zero(); dofs],
            tree,
            wrenches: ti_vec![ContactWrench::zero(); scene.slot_count()],
            areas: match scene.has_area() {
                true => ti_vec![AreaState::zero(); scene.slot_count()],
                false => TiVec::new(),
            },
            constant: match T::LANES {
                0 => TiVec::new(),
                _ => TiVec::with_capacity(scene.slot_count()),
            },
            patch: Patch::with_room(scene.most_faces()),
            dissipation: T::zero(),
            deflection_rates: ti_vec![Deflection::zero(); scene.layout().deflection_count()],
            refused: None,
        }
    }

    /// Places these shapes, which have a frame of their own.
    #[inline(always)]
    pub(crate) fn place_shapes(&mut self, model: &Model, shapes: &[ShapeId]) {
        for index in shapes {
            let shape = &model.scene.shapes()[*index];
            self.frames[model.frames.of_shapes[*index]] =
                self.frames[shape.body.frame()].then(&shape.pose_b);
        }
    }

    /// Forgets what contacts that have ended did: no evaluation writes it any more.
    pub(crate) fn forget_contacts(&mut self) {
        self.loads.fill(Load::zero());
        self.deflection_rates.fill(Deflection::zero());
    }

    /// Takes time and inputs of another workspace of the same model.
    pub(crate) fn take_inputs(&mut self, other: &Workspace<f64>) {
        self.time = T::from(other.time);
        for (input, value) in self.inputs.iter_mut().zip(&other.inputs) {
            *input = T::from(*value);
        }
        self.inputs_since = other.inputs_since;
    }
}

#[cfg(test)]
#[path = "../../tests/unit/dynamics/parts.rs"]
mod tests;
