//! What depends on what: the model structure as [FMI 3.0] section 2.4.8 asks for it.
//!
//! Dependencies are structural, from the scene alone. Known in continuous time and at events are
//! inputs and states; in FMI 3.0 also the independent variable and all parameters, fixed ones too.
//! The table of knowns in [FMI 3.0] section 2.4.8 counts these, the text on derivatives beside it
//! leaves out what cannot change in the current mode: the longer list is right by both, since it
//! only says what may enter. [FMI 2.0] section 2.2.8 counts no parameters. The time of an impact
//! and what a force acts on that changes with time depend on the independent variable. Known in
//! Initialization Mode are in both versions inputs, all variables with `initial = exact`, states
//! and parameters, and the independent variable again. The lists are about variables, so an array
//! depends on all that one of its elements depends on; [`dependencies`] distinguishes the elements.
//! Two bodies interact if two of their shapes form a candidate pair. In the formulas q is position
//! and orientation, v velocity and angular velocity:
//!
//! - position' = velocity; orientation' from orientation and angular velocity of the same body or
//!   joint; position' of any other coordinate of a joint is a velocity state
//! - velocity', contact force and torque from q, v of the body and of all it can touch; velocity'
//!   also from time where a force that changes with it acts on the body
//! - indicators, distances, number of contacts and elastic energy from the q of the bodies in the
//!   pairs
//! - kinetic energy from orientation and v, potential energy from q of all free bodies
//! - dissipated power from q, v of all bodies in pairs
//! - what is reported of a pair from q of its bodies, its motion and forces also from v
//!
//! Pose and velocity of a body in a tree of joints follow from those of the tree's root and from
//! the joints above the body; of a driven body from its inputs, which in Co-Simulation move on by
//! the velocities, so that the pose depends on these too; of a prescribed body from the time. The
//! accelerations of a tree depend on all states, loads, masses and joints of it, and so do its
//! reactions. An end stop's indicator depends on its coordinate and place.
//!
//! Where friction has deflections as states, forces of a contact, its dissipation and its elastic
//! energy depend on its deflection too, and the rate of a deflection depends on what the force
//! does. A deflection that belongs to a slot may be that of any pair.
//!
//! # What each element of a scene has that may enter a quantity
//!
//! States, parameters, inputs, and the time where something prescribed changes with it.
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

mod finder;

use super::{Causality, Initial};
use crate::instance::variables::describe::StateMeaning;
use crate::instance::variables::reports::JointState;
use crate::instance::variables::{Quantity, VariableTable};
use contact_laws::index::{BodyId, InputId, JointId, LawId, MaterialId, TiVec, ti_vec};
use contact_laws::quantity::Feeds;
use contact_model::scene::description::Motion;
use contact_model::scene::{Input, Parameter, Scene};
use finder::{Finder, Knowns, Origin};
use std::ops::Range;

/// An unknown and the value references it depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// Value reference of the unknown.
    pub reference: u32,
    /// Value references of the knowns that enter it, ascending; may be empty. None where it is not
    /// worth listing: it may depend on all knowns, see [`MOST_LISTED`].
    pub dependencies: Option<Vec<u32>>,
}

/// A list of more elements than this which has more than half of all knowns, or of all states and
/// inputs, is left out: a thousand
/// bodies that can all touch each other would fill gigabytes with it. What is left out says by the
/// standard that all knowns may enter.
pub const MOST_LISTED: usize = 512;

/// The four lists of unknowns, each in document order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelStructure {
    /// All outputs.
    pub outputs: Vec<Unknown>,
    /// Derivatives of all states, in state order.
    pub state_derivatives: Vec<Unknown>,
    /// Unknowns of Initialization Mode: outputs and state derivatives that are not known exactly.
    pub initial_unknowns: Vec<Unknown>,
    /// Event indicators, in slot order.
    pub event_indicators: Vec<Unknown>,
}

impl ModelStructure {
    /// The structure of a scene; `table` must be of the same scene.
    pub fn new(scene: &Scene, table: &VariableTable) -> Self {
        let finder = Finder::new(scene, table);
        let mut structure = ModelStructure {
            outputs: Vec::new(),
            state_derivatives: Vec::new(),
            initial_unknowns: Vec::new(),
            event_indicators: Vec::new(),
        };
        // Neighbours in the document, like the components of a force, mostly have one origin.
        let mut last = (Vec::new(), Knowns::default());
        for (reference, quantity) in table.quantities() {
            let list = match quantity {
                Quantity::Derivative(_) => &mut structure.state_derivatives,
                Quantity::Indicator(_) => &mut structure.event_indicators,
                // A start value that is computed.
                Quantity::State(_) if is_initial_unknown(table, quantity) => {
                    structure.initial_unknowns.push(Unknown {
                        reference,
                        dependencies: None,
                    });
                    continue;
                }
                _ if table.causality(quantity) == Causality::Output => &mut structure.outputs,
                _ => continue,
            };
            if !scene.grains().is_empty() {
                // By contact anything may depend on any ball.
                let unknown = Unknown {
                    reference,
                    dependencies: None,
                };
                list.push(unknown.clone());
                if is_initial_unknown(table, quantity) {
                    structure.initial_unknowns.push(unknown);
                }
                continue;
            }
            let elements = table.elements(reference);
            let origins = elements.filter_map(|e| Some(finder.origin(table.meaning(e)?)));
            let mut origins: Vec<Origin> = origins.collect();
            origins.dedup();
            if origins != last.0 {
                let mut knowns = Knowns::default();
                for origin in &origins {
                    finder.add(*origin, &mut knowns);
                }
                last = (origins, knowns);
            }
            let knowns = &last.1;
            list.push(Unknown {
                reference,
                dependencies: finder.listed(table, knowns, false),
            });
            if is_initial_unknown(table, quantity) {
                let mut knowns = knowns.clone();
                finder.add_start(&mut knowns);
                structure.initial_unknowns.push(Unknown {
                    reference,
                    dependencies: finder.listed(table, &knowns, true),
                });
            }
        }
        structure
    }
}

/// Returns true if a variable is listed as an unknown of Initialization Mode. Event indicators are for
/// debugging only then and not listed.
fn is_initial_unknown(table: &VariableTable, quantity: Quantity) -> bool {
    table.initial(quantity) == Some(Initial::Calculated)
        && !matches!(quantity, Quantity::Indicator(_))
}

/// References of the variables that have these elements, given in ascending order.
fn variables(table: &VariableTable, elements: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut references: Vec<u32> = elements.map(|e| table.variable_of(e)).collect();
    references.dedup();
    references
}

/// When dependencies are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Before initialisation ends.
    Start,
    /// Afterwards.
    Run,
}

/// An element of a variable, counted from 1; 0 for a scalar.
pub type ElementIndex = usize;

/// One dependency of one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// The element that depends.
    pub element: ElementIndex,
    /// Value reference of the variable that it depends on.
    pub known: u32,
    /// The element of that variable.
    pub known_element: ElementIndex,
}

/// What each element of a variable depends on, in document order; nothing if the variable is
/// known itself at this moment, or unknown to the table. Takes the time of one variable, not that
/// of the entire structure.
pub fn dependencies(
    scene: &Scene,
    table: &VariableTable,
    reference: u32,
    moment: Moment,
) -> Vec<Dependency> {
    let Some(quantity) = table.quantity(reference) else {
        return Vec::new();
    };
    let is_known = match moment {
        Moment::Start => table.initial(quantity) != Some(Initial::Calculated),
        Moment::Run => matches!(
            quantity,
            Quantity::Time | Quantity::Parameter(_) | Quantity::Input(_)
        ),
    };
    if is_known {
        return Vec::new();
    }
    // The lists of Initialization Mode have no event indicators; their own list is that of the run.
    let at_start = moment == Moment::Start && !matches!(quantity, Quantity::Indicator(_));
    let index = |variable: u32, element: u32| match table.dimension(variable) {
        Some(_) => (element - table.elements(variable).start) as usize + 1,
        None => 0,
    };
    let finder = Finder::new(scene, table);
    let mut list = Vec::new();
    for element in table.elements(reference) {
        let mut knowns = Knowns::default();
        if let Some(meaning) = table.meaning(element) {
            finder.add(finder.origin(meaning), &mut knowns);
        }
        if at_start {
            finder.add_start(&mut knowns);
        }
        list.extend(finder.list(&knowns, at_start).map(|known_element| {
            let known = table.variable_of(known_element);
            Dependency {
                element: index(reference, element),
                known,
                known_element: index(known, known_element),
            }
        }));
    }
    list
}

/// What a known is a number of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Element {
    Scene,
    Body(BodyId),
    Joint(JointId),
    Law(LawId),
    Material(MaterialId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Time,
    State,
    Parameter,
    Input,
}

/// Knowns of an element that enter the same.
#[derive(Clone, Debug)]
struct Source {
    pub kind: Kind,
    /// Elements of the table of variables.
    pub known: Range<u32>,
    pub feeds: Feeds,
    /// Index of the coordinate of a joint; 0 for a joint without, and elsewhere.
    pub coordinate: usize,
}

/// The sources of all elements.
struct Sources {
    scene: Vec<Source>,
    bodies: TiVec<BodyId, Vec<Source>>,
    joints: TiVec<JointId, Vec<Source>>,
    laws: TiVec<LawId, Vec<Source>>,
    materials: TiVec<MaterialId, Vec<Source>>,
}

impl Sources {
    /// Those of a scene; `meanings` has one entry for each state.
    fn new(scene: &Scene, table: &VariableTable, meanings: &[StateMeaning]) -> Self {
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
            made.add_state(scene, known, (index, meanings[index]));
        }
        for (index, parameter) in scene.parameters().iter_enumerated() {
            // The scene may show not all of them.
            if let Some(known) = table.element(Quantity::Parameter(index)) {
                let (owner, coordinate) = owner(scene, *parameter);
                made.add(owner, Kind::Parameter, known, parameter.feeds(), coordinate);
            }
        }
        let first_input = first(Quantity::Input(InputId::FIRST));
        for (known, input) in (first_input..).zip(scene.inputs()) {
            made.add_input(scene, known, *input);
        }
        if let Some(time) = table.element(Quantity::Time) {
            for force in scene.forces().iter().filter(|f| f.depends_on_time()) {
                made.add(Element::Body(force.body), Kind::Time, time, Feeds::LOAD, 0);
            }
            for motion in scene.motions().iter().filter(|m| m.depends_on_time()) {
                let feeds = Feeds::POSE | Feeds::MOTION;
                made.add(Element::Body(motion.body), Kind::Time, time, feeds, 0);
            }
        }
        made
    }

    fn of(&self, element: Element) -> &[Source] {
        match element {
            Element::Scene => &self.scene,
            Element::Body(body) => &self.bodies[body],
            Element::Joint(joint) => &self.joints[joint],
            Element::Law(law) => &self.laws[law],
            Element::Material(material) => &self.materials[material],
        }
    }

    fn add(&mut self, of: Element, kind: Kind, known: u32, feeds: Feeds, coordinate: usize) {
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
    fn add_state(&mut self, scene: &Scene, known: u32, (index, meaning): (usize, StateMeaning)) {
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
        self.add(of, Kind::State, known, feeds, coordinate);
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
        self.add(of, Kind::Input, known, feeds, coordinate);
    }
}

/// What a parameter is a number of, and of which coordinate.
fn owner(scene: &Scene, parameter: Parameter) -> (Element, usize) {
    let element = match parameter {
        Parameter::Gravity(_)
        | Parameter::GravitationalParameter
        | Parameter::GravityCenter(_)
        | Parameter::KRed
        | Parameter::DMax
        | Parameter::MaxSteps
        | Parameter::MaxStep
        | Parameter::Solver => Element::Scene,
        Parameter::FixedPosition(body, _)
        | Parameter::FixedOrientation(body, _)
        | Parameter::Mass(body)
        | Parameter::CenterOfMass(body, _)
        | Parameter::Inertia(body, _) => Element::Body(body),
        Parameter::YoungsModulus(material) | Parameter::PoissonsRatio(material) => {
            Element::Material(material)
        }
        Parameter::Law(law, _) => Element::Law(law),
        Parameter::Force(force, _)
        | Parameter::Torque(force, _)
        | Parameter::ForceFrequency(force)
        | Parameter::ForcePhase(force) => Element::Body(scene.forces()[force].body),
        Parameter::Motion(motion, _, _) => Element::Body(scene.motions()[motion].body),
        Parameter::Joint(joint, coordinate, _) => return (Element::Joint(joint), coordinate),
    };
    (element, 0)
}

/// Elements by index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ElementSet(Vec<u64>);

impl ElementSet {
    /// Adds an element, also one that is there.
    pub fn insert(&mut self, element: u32) {
        let word = element as usize / 64;
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (element % 64);
    }

    /// Returns true if an element is there.
    pub fn contains(&self, element: u32) -> bool {
        let word = self.0.get(element as usize / 64);
        word.is_some_and(|word| word >> (element % 64) & 1 == 1)
    }

    /// Number of elements.
    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The elements, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
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
struct Trees {
    trees: Vec<Tree>,
    /// Tree of each body, where joints accelerate it.
    of_bodies: TiVec<BodyId, Option<usize>>,
    /// Joint that each body is the child of.
    joint_of: TiVec<BodyId, Option<JointId>>,
}

impl Trees {
    fn new(scene: &Scene) -> Self {
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
    fn of_body(&self, body: BodyId) -> Option<usize> {
        self.of_bodies[body]
    }

    fn bodies(&self, tree: usize) -> &[BodyId] {
        &self.trees[tree].bodies
    }

    fn joints(&self, tree: usize) -> &[JointId] {
        &self.trees[tree].joints
    }

    /// Joints from a body up to its root.
    fn above(&self, scene: &Scene, body: BodyId) -> impl Iterator<Item = JointId> {
        let next = |joint: &JointId| scene.joints()[*joint].parent.and_then(|b| self.joint_of[b]);
        std::iter::successors(self.joint_of[body], next)
    }

    /// The body that everything above a child of a joint hangs on; none for the world.
    fn root(&self, scene: &Scene, body: BodyId) -> Option<BodyId> {
        let last = self.above(scene, body).last()?;
        let root = scene.joints()[last].parent;
        root.filter(|root| scene.bodies()[*root].motion != Motion::Joint)
    }
}

#[cfg(test)]
#[path = "../../../../tests/unit/instance/variables/structure/tests/mod.rs"]
mod tests;

#[cfg(test)]
mod elements_tests {
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
