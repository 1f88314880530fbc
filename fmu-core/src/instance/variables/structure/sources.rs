//! What each element of a scene has that may enter a quantity: states, parameters, inputs, and the time where
//! something prescribed changes with it.
//!
//! # A set of elements of variables
//!
//! A bit for each, since a thousand bodies that can all touch each other ask for millions of
//! insertions.
//!
//! # Bodies that accelerate each other through joints
//!
//! A body that forces do not accelerate (fixed, driven, prescribed) parts what hangs on it: each of
//! its joints starts a tree of its own. A free body is part of the tree below it.

use crate::instance::variables::VariableTable;
use crate::instance::variables::quantity::{Family, Quantity, Subject};
use crate::instance::variables::states::{StateItem, StateMeaning};
use contact_laws::index::{BodyId, JointId, TiVec, ti_vec};
use contact_laws::quantity::Feeds;
use contact_model::scene::description::Motion;
use contact_model::scene::{Address, Element, Input, Scene};
use std::ops::Range;

/// Knowns of an element that enter the same.
#[derive(Clone, Debug)]
pub(super) struct Source {
    /// Time, states, parameters or inputs.
    pub(crate) family: Family,
    /// Elements of the table of variables.
    pub known: Range<u32>,
    pub feeds: Feeds,
    /// Index of the coordinate of a joint; 0 for a joint without, and elsewhere.
    pub coordinate: usize,
}

/// The sources of all elements: of the scene, then of each body, joint, law and material.
pub(super) struct Sources {
    lists: Vec<Vec<Source>>,
    /// First list of bodies, joints, laws, materials, and the number of lists.
    firsts: [usize; 5],
}

impl Sources {
    pub(crate) fn new(scene: &Scene, table: &VariableTable) -> Self {
        let counts = [
            scene.bodies().len(),
            scene.joints().len(),
            scene.laws().len(),
            scene.materials().len(),
        ];
        let mut firsts = [1; 5];
        for (i, count) in counts.into_iter().enumerate() {
            firsts[i + 1] = firsts[i] + count;
        }
        let mut made = Sources {
            lists: vec![Vec::new(); firsts[4]],
            firsts,
        };
        for state in 0..scene.layout().count() {
            let meaning = StateMeaning::of(scene, state);
            let coordinate = match meaning.item {
                StateItem::Coordinate(_, place) => place,
                _ => 0,
            };
            let quantity = Family::State.of(state);
            // Deflections and the dissipated work are of no element.
            if let (Some(known), false) =
                (table.element(quantity), meaning.subject == Subject::Scene)
            {
                made.add(
                    meaning.subject,
                    quantity.family,
                    known,
                    meaning.kind.feeds,
                    coordinate,
                );
            }
        }
        for (index, parameter) in scene.parameters().iter_enumerated() {
            let quantity = Family::Parameter.of(index.into());
            let coordinate = coordinate_of(*parameter);
            // The scene may show not all of them.
            if let Some(known) = table.element(quantity) {
                let owner = owner(scene, quantity);
                made.add(owner, quantity.family, known, parameter.feeds(), coordinate);
            }
        }
        for (index, input) in scene.inputs().iter_enumerated() {
            let quantity = Family::Input.of(index.into());
            let (feeds, coordinate) = match *input {
                _ if input.driven_body().is_some() => (Feeds::POSE | Feeds::MOTION, 0),
                Input::Joint(_, coordinate) => (Feeds::LOAD, coordinate),
                // It has an effect at events only.
                Input::Latch(_) => continue,
                Input::Parameter(address) => (address.feeds(), coordinate_of(address)),
                _ => (Feeds::LOAD, 0),
            };
            if let Some(known) = table.element(quantity) {
                made.add(
                    owner(scene, quantity),
                    quantity.family,
                    known,
                    feeds,
                    coordinate,
                );
            }
        }
        if let Some(time) = table.element(Family::Time.of(0)) {
            for force in scene.forces().iter().filter(|f| f.depends_on_time()) {
                made.add(
                    Subject::Body(force.body),
                    Family::Time,
                    time,
                    Feeds::LOAD,
                    0,
                );
            }
            for motion in scene.motions().iter().filter(|m| m.depends_on_time()) {
                let feeds = Feeds::POSE | Feeds::MOTION;
                made.add(Subject::Body(motion.body), Family::Time, time, feeds, 0);
            }
        }
        made
    }

    /// Place of the list of an element; that of the scene for what has none of its own.
    fn place(&self, of: Subject) -> usize {
        let (first, index): (_, usize) = match of {
            Subject::Body(body) => (self.firsts[0], body.into()),
            Subject::Joint(joint) => (self.firsts[1], joint.into()),
            Subject::Law(law) => (self.firsts[2], law.into()),
            Subject::Material(material) => (self.firsts[3], material.into()),
            _ => (0, 0),
        };
        first + index
    }

    pub(crate) fn of(&self, element: Subject) -> &[Source] {
        &self.lists[self.place(element)]
    }

    fn add(&mut self, of: Subject, family: Family, known: u32, feeds: Feeds, coordinate: usize) {
        let place = self.place(of);
        let list = &mut self.lists[place];
        let alike = |last: &&mut Source| {
            (last.family, last.known.end, last.feeds, last.coordinate)
                == (family, known, feeds, coordinate)
        };
        match list.last_mut().filter(alike) {
            Some(last) => last.known.end += 1,
            None => list.push(Source {
                family,
                known: known..known + 1,
                feeds,
                coordinate,
            }),
        }
    }
}

fn coordinate_of(parameter: Address) -> usize {
    match parameter.element {
        Element::Joint(_, coordinate) => coordinate.into(),
        _ => 0,
    }
}

/// The element that a parameter or an input acts on: a force acts on its body.
fn owner(scene: &Scene, quantity: Quantity) -> Subject {
    match quantity.subject(scene) {
        Subject::Force(force) => Subject::Body(scene.forces()[force].body),
        subject => subject,
    }
}

/// Elements by index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ElementSet(Vec<u64>);

impl ElementSet {
    /// Adds an element, also one that is there.
    pub(crate) fn insert(&mut self, element: u32) {
        let word = element as usize / 64;
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (element % 64);
    }

    /// Returns true if an element is there.
    pub(crate) fn contains(&self, element: u32) -> bool {
        let word = self.0.get(element as usize / 64);
        word.is_some_and(|word| word >> (element % 64) & 1 == 1)
    }

    /// Number of elements.
    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The elements, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let words = self.0.iter().enumerate().filter(|(_, word)| **word != 0);
        words.flat_map(|(index, word)| {
            let bits = (0..64).filter(move |bit| word >> bit & 1 == 1);
            bits.map(move |bit| 64 * index as u32 + bit)
        })
    }
}

#[derive(Default)]
struct Tree {
    bodies: Vec<BodyId>,
    joints: Vec<JointId>,
}

/// Trees of a scene.
pub(super) struct Trees {
    trees: Vec<Tree>,
    /// Tree of each body, where joints accelerate it.
    of_bodies: TiVec<BodyId, Option<usize>>,
    /// Joint that each body is the child of.
    joint_of: TiVec<BodyId, Option<JointId>>,
}

impl Trees {
    pub(crate) fn new(scene: &Scene) -> Self {
        let bodies = scene.bodies().len();
        let mut made = Trees {
            trees: Vec::new(),
            of_bodies: ti_vec![None; bodies],
            joint_of: ti_vec![None; bodies],
        };
        for index in scene.tree_order() {
            made.add(scene, *index);
        }
        made
    }

    /// Adds a joint whose parent was added before.
    fn add(&mut self, scene: &Scene, index: JointId) {
        let joint = &scene.joints()[index];
        let is_moved = |body: &BodyId| scene.bodies()[*body].is_dynamic();
        let parent = joint.parent.filter(is_moved);
        let known = parent.and_then(|body| self.of_bodies[body]);
        let tree = known.unwrap_or_else(|| {
            self.trees.push(Tree::default());
            let tree = self.trees.len() - 1;
            if let Some(root) = parent {
                self.trees[tree].bodies.push(root);
                self.of_bodies[root] = Some(tree);
            }
            tree
        });
        self.trees[tree].bodies.push(joint.child);
        self.trees[tree].joints.push(index);
        self.of_bodies[joint.child] = Some(tree);
        self.joint_of[joint.child] = Some(index);
    }

    /// Tree that a body is accelerated with; none for one without joints.
    pub(crate) fn of_body(&self, body: BodyId) -> Option<usize> {
        self.of_bodies[body]
    }

    pub(crate) fn bodies(&self, tree: usize) -> &[BodyId] {
        &self.trees[tree].bodies
    }

    pub(crate) fn joints(&self, tree: usize) -> &[JointId] {
        &self.trees[tree].joints
    }

    /// Joints from a body up to its root.
    pub(crate) fn above(&self, scene: &Scene, body: BodyId) -> impl Iterator<Item = JointId> {
        let next = |joint: &JointId| scene.joints()[*joint].parent.and_then(|b| self.joint_of[b]);
        std::iter::successors(self.joint_of[body], next)
    }

    /// The body that everything above a child of a joint hangs on; none for the world.
    pub(crate) fn root(&self, scene: &Scene, body: BodyId) -> Option<BodyId> {
        let last = self.above(scene, body).last()?;
        let root = scene.joints()[last].parent;
        root.filter(|root| scene.bodies()[*root].motion != Motion::Joint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_come_back_once_and_in_order() {
        let mut set = ElementSet::default();
        for element in [64, 3, 0, 1000, 63, 3, 127, 128] {
            set.insert(element);
        }
        let expected = [0, 3, 63, 64, 127, 128, 1000];
        assert_eq!(set.iter().collect::<Vec<_>>(), expected);
        assert_eq!(set.len(), expected.len());
        assert!(set.contains(1000) && !set.contains(1) && !set.contains(5000));
    }
}
