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
use crate::instance::variables::quantity::{Quantity, StateMeaning};
use crate::instance::variables::reports::JointState;
use contact_laws::index::{BodyId, InputId, JointId, LawId, MaterialId, TiVec, ti_vec};
use contact_laws::quantity::Feeds;
use contact_model::scene::description::Motion;
use contact_model::scene::{self, Address, Input, Scene};
use std::ops::Range;

/// What a known is a number of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    Scene,
    Body(BodyId),
    Joint(JointId),
    Law(LawId),
    Material(MaterialId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KnownKind {
    Time,
    State,
    Parameter,
    Input,
}

/// Knowns of an element that enter the same.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(crate) kind: KnownKind,
    /// Elements of the table of variables.
    pub known: Range<u32>,
    pub feeds: Feeds,
    /// Index of the coordinate of a joint; 0 for a joint without, and elsewhere.
    pub coordinate: usize,
}

/// The sources of all elements.
pub(super) struct Sources {
    scene: Vec<Source>,
    bodies: TiVec<BodyId, Vec<Source>>,
    joints: TiVec<JointId, Vec<Source>>,
    laws: TiVec<LawId, Vec<Source>>,
    materials: TiVec<MaterialId, Vec<Source>>,
}

impl Sources {
    /// Those of a scene; `meanings` has one entry for each state.
    pub(crate) fn new(scene: &Scene, table: &VariableTable, meanings: &[StateMeaning]) -> Self {
        let mut made = Sources {
            scene: Vec::new(),
            bodies: ti_vec![Vec::new(); scene.bodies().len()],
            joints: ti_vec![Vec::new(); scene.joints().len()],
            laws: ti_vec![Vec::new(); scene.laws().len()],
            materials: ti_vec![Vec::new(); scene.materials().len()],
        };
        let first = |quantity| table.element(quantity).unwrap_or(0);
        let first_state = first(Quantity::State(0));
        for (known, index) in (first_state..).zip(0..meanings.len()) {
            made.add_state(scene, known, index, meanings[index]);
        }
        for (index, parameter) in scene.parameters().iter_enumerated() {
            // The scene may show not all of them.
            if let Some(known) = table.element(Quantity::Parameter(index)) {
                let (owner, coordinate) = owner(scene, *parameter);
                made.add(
                    owner,
                    KnownKind::Parameter,
                    known,
                    parameter.feeds(),
                    coordinate,
                );
            }
        }
        let first_input = first(Quantity::Input(InputId::FIRST));
        for (known, input) in (first_input..).zip(scene.inputs()) {
            made.add_input(scene, known, *input);
        }
        if let Some(time) = table.element(Quantity::Time) {
            for force in scene.forces().iter().filter(|f| f.depends_on_time()) {
                made.add(
                    Element::Body(force.body),
                    KnownKind::Time,
                    time,
                    Feeds::LOAD,
                    0,
                );
            }
            for motion in scene.motions().iter().filter(|m| m.depends_on_time()) {
                let feeds = Feeds::POSE | Feeds::MOTION;
                made.add(Element::Body(motion.body), KnownKind::Time, time, feeds, 0);
            }
        }
        made
    }

    pub(crate) fn of(&self, element: Element) -> &[Source] {
        match element {
            Element::Scene => &self.scene,
            Element::Body(body) => &self.bodies[body],
            Element::Joint(joint) => &self.joints[joint],
            Element::Law(law) => &self.laws[law],
            Element::Material(material) => &self.materials[material],
        }
    }

    fn add(&mut self, of: Element, kind: KnownKind, known: u32, feeds: Feeds, coordinate: usize) {
        let list = match of {
            Element::Scene => &mut self.scene,
            Element::Body(body) => &mut self.bodies[body],
            Element::Joint(joint) => &mut self.joints[joint],
            Element::Law(law) => &mut self.laws[law],
            Element::Material(material) => &mut self.materials[material],
        };
        let alike = |last: &&mut Source| {
            (last.kind, last.known.end, last.feeds, last.coordinate)
                == (kind, known, feeds, coordinate)
        };
        match list.last_mut().filter(alike) {
            Some(last) => last.known.end += 1,
            None => list.push(Source {
                kind,
                known: known..known + 1,
                feeds,
                coordinate,
            }),
        }
    }

    /// Deflections and the dissipated work are of no element.
    fn add_state(&mut self, scene: &Scene, known: u32, index: usize, meaning: StateMeaning) {
        let (of, feeds, coordinate) = match meaning {
            StateMeaning::Position(b, _) => (Element::Body(b), Feeds::POSITION, 0),
            StateMeaning::Orientation(b, _) => (Element::Body(b), Feeds::ORIENTATION, 0),
            StateMeaning::Velocity(b, _) => (Element::Body(b), Feeds::VELOCITY, 0),
            StateMeaning::AngularVelocity(b, _) => (Element::Body(b), Feeds::ANGULAR_VELOCITY, 0),
            StateMeaning::Joint(joint, state, is_rate) => {
                let feeds = match state {
                    JointState::Coordinate(_) if is_rate => Feeds::VELOCITY,
                    JointState::Coordinate(_) | JointState::Position(_) => Feeds::POSITION,
                    JointState::Orientation(_) => Feeds::ORIENTATION,
                    JointState::Velocity(_) => Feeds::VELOCITY,
                    JointState::AngularVelocity(_) => Feeds::ANGULAR_VELOCITY,
                };
                let coordinate = match (state, is_rate) {
                    (JointState::Coordinate(_), false) => {
                        index - scene.layout().joint_positions(joint).start
                    }
                    (JointState::Coordinate(_), true) => {
                        index - scene.layout().joint_rates(joint).start
                    }
                    _ => 0,
                };
                (Element::Joint(joint), feeds, coordinate)
            }
            StateMeaning::Deflection(..) | StateMeaning::Work => return,
        };
        self.add(of, KnownKind::State, known, feeds, coordinate);
    }

    fn add_input(&mut self, scene: &Scene, known: u32, input: Input) {
        let (of, feeds, coordinate) = match input {
            Input::Position(b, _)
            | Input::Orientation(b, _)
            | Input::Rotation(b, _)
            | Input::Velocity(b, _)
            | Input::AngularVelocity(b, _) => (Element::Body(b), Feeds::POSE | Feeds::MOTION, 0),
            Input::Force(f, _) | Input::Torque(f, _) => {
                (Element::Body(scene.forces()[f].body), Feeds::LOAD, 0)
            }
            Input::Joint(j, coordinate) => (Element::Joint(j), Feeds::LOAD, coordinate),
            Input::BallTorque(j, _) => (Element::Joint(j), Feeds::LOAD, 0),
            // It has an effect at events only.
            Input::Latch(_) => return,
        };
        self.add(of, KnownKind::Input, known, feeds, coordinate);
    }
}

/// What a parameter is a number of, and of which coordinate.
fn owner(scene: &Scene, parameter: Address) -> (Element, usize) {
    let element = match parameter.element {
        scene::Element::Body(body) => Element::Body(body),
        scene::Element::Force(force) => Element::Body(scene.forces()[force].body),
        scene::Element::Motion(motion) => Element::Body(scene.motions()[motion].body),
        scene::Element::Joint(joint, place) => return (Element::Joint(joint), place.into()),
        scene::Element::Law(law) => Element::Law(law),
        scene::Element::Material(material) => Element::Material(material),
        _ => Element::Scene,
    };
    (element, 0)
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
