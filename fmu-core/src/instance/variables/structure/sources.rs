//! What each element of a scene has that may enter a quantity: states, parameters, inputs, and the
//! time where something prescribed changes with it.

use crate::instance::variables::describe::StateMeaning;
use crate::instance::variables::joints::JointState;
use crate::instance::variables::{Quantity, VariableTable};
use contact_laws::index::{BodyId, InputId, JointId, LawId, MaterialId, TiVec, ti_vec};
use contact_laws::quantity::Feeds;
use contact_model::scene::{Input, Parameter, Scene};
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
pub(super) enum Kind {
    Time,
    State,
    Parameter,
    Input,
}

/// Knowns of an element that enter the same.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub kind: Kind,
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
    pub(super) fn new(scene: &Scene, table: &VariableTable, meanings: &[StateMeaning]) -> Self {
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

    pub(super) fn of(&self, element: Element) -> &[Source] {
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
