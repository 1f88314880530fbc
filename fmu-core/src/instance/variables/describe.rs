//! Types, start values and attributes of the variables. Computed on demand, when an FMU is built.
//!
//! Most contact forces are compliant: an event changes which pairs are in contact, and of the states
//! only deflections of contacts that end, and with them the dissipated work; these carry `reinit`.
//! Where contacts have impulses velocities do, too, and so do those of trees with a latch and of joints on a
//! body whose velocity may jump.

use super::names::{NameClash, Names};
use super::quantity::{Quantity, StateMeaning, Subject, state_meanings};
use super::reports::JointState;
use super::words::{
    AXES, Causality, DataType, Initial, QUATERNION, Text, Variability, Words, axes, time_derivative,
};
use super::{VariableTable, grains, reports};
use contact_laws::index::{BodyId, JointId, MeasurementId, ReportId, StopId};
use contact_laws::quantity::units;
use contact_laws::quantity::units::DeclaredType;
use contact_model::scene::description::Motion;
use contact_model::scene::description::body::INERTIA as INERTIA_KEY;
use contact_model::scene::description::form::ORIENTATION;
use contact_model::scene::forms::GRAIN_STATES;
use contact_model::scene::layout::Deflections;
use contact_model::scene::lists::latched_bodies;
use contact_model::scene::outputs::{Output, OutputShape, Owner};
use contact_model::scene::{Address, Element, Indicator, Input, Parameters, Scene};

/// One variable as modelDescription.xml describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Unique name, structured or flat.
    pub name: String,
    /// What it is of.
    pub subject: Subject,
    /// Its structured name within its subject, `position[1]`.
    pub member: String,
    /// Value reference: 1, 2, 3 ... in document order.
    pub reference: u32,
    /// Meaning, for an array that of its first element; gives causality and initial.
    pub quantity: Quantity,
    /// Its type.
    pub data_type: DataType,
    /// Number of elements of an array; none for a scalar.
    pub dimension: Option<usize>,
    /// The array is a matrix of so many columns, row by row.
    pub columns: Option<usize>,
    /// Who gives the value.
    pub causality: Causality,
    /// The importer may ask for it between communication points.
    pub intermediate: bool,
    /// When the value may change.
    pub variability: Variability,
    /// The declared type, which carries unit and quantity; none for an integer or a truth value.
    pub declared_type: Option<DeclaredType>,
    /// Start value of each element of an input, and where `initial` is exact; empty otherwise.
    pub start: Vec<f64>,
    /// Nominal magnitude of a state, the smallest of an array.
    pub nominal: Option<f64>,
    /// For a state derivative: value reference of the state.
    pub derivative_of: Option<u32>,
    /// An event may change this state.
    pub reinit: bool,
    /// Ends with unit, point and axes.
    pub description: String,
}

/// Describes the variables of a scene.
pub struct Describer<'a> {
    scene: &'a Scene,
    table: &'a VariableTable,
    meanings: Vec<StateMeaning>,
    states: Vec<f64>,
    parameters: Parameters,
    /// Bodies of trees with a latch, ascending.
    latched_bodies: Vec<BodyId>,
}

impl<'a> Describer<'a> {
    /// A describer of a scene; `table` must be of the same scene.
    pub fn new(scene: &'a Scene, table: &'a VariableTable) -> Self {
        Describer {
            scene,
            table,
            meanings: state_meanings(scene),
            states: scene.start_states(),
            parameters: Parameters::start(scene),
            latched_bodies: latched_bodies(scene),
        }
    }

    /// All variables in document order. `nominals` has the nominal magnitude of each state.
    pub fn variables(&self, nominals: &[f64]) -> Vec<Variable> {
        self.table
            .quantities()
            .map(|(reference, quantity)| self.variable(reference, quantity, nominals))
            .collect()
    }

    /// Checks that names are and remain distinct, as [`Names::check`].
    ///
    /// # Errors
    /// The first two variables with names that cannot be distinguished.
    pub fn check_names(&self) -> Result<(), NameClash> {
        Names::new(self.scene, self.table).check()
    }

    /// Name of a variable.
    pub fn name(&self, quantity: Quantity) -> String {
        Names::new(self.scene, self.table).variable(quantity)
    }

    fn variable(&self, reference: u32, quantity: Quantity, nominals: &[f64]) -> Variable {
        let elements = || {
            let elements = self.table.elements(reference);
            elements.filter_map(|element| self.table.meaning(element))
        };
        let start = |quantity| match quantity {
            Quantity::State(_) if self.table.initial(quantity) != Some(Initial::Exact) => None,
            Quantity::State(i) => Some(self.states[i]),
            Quantity::Parameter(i) => Some(self.parameters.get(i)),
            Quantity::Input(i) => Some(self.scene.input_start(self.scene.inputs()[i])),
            _ => None,
        };
        let nominal = |quantity| match quantity {
            Quantity::State(i) => nominals.get(i).copied(),
            _ => None,
        };
        let declared_type = self.declared_type(quantity);
        let subject = Subject::of(self.scene, &self.meanings, quantity);
        let names = Names::new(self.scene, self.table);
        Variable {
            name: names.variable(quantity),
            subject,
            member: names.member(quantity, &subject.name(self.scene)),
            reference,
            quantity,
            data_type: self.table.data_type(quantity),
            dimension: self.table.dimension(reference),
            columns: match quantity {
                Quantity::State(i) | Quantity::Derivative(i) => {
                    let of_group = self.scene.grains_of_state(i);
                    of_group.map(|_| GRAIN_STATES)
                }
                Quantity::Grain(_, item) => item.columns(),
                Quantity::Input(i) => {
                    let is_array = self.table.dimension(reference).is_some();
                    self.scene.inputs()[i].columns().filter(|_| is_array)
                }
                _ => None,
            },
            causality: self.table.causality(quantity),
            intermediate: self.table.has_intermediate_values(quantity),
            variability: self.table.variability(quantity),
            declared_type,
            start: elements().filter_map(start).collect(),
            nominal: elements().filter_map(nominal).reduce(f64::min),
            derivative_of: match quantity {
                Quantity::Derivative(i) => self.table.reference(Quantity::State(i)),
                _ => None,
            },
            reinit: match quantity {
                Quantity::State(i) => self.changes_at_events(self.meanings[i]),
                _ => false,
            },
            description: self.description(reference, quantity, declared_type),
        }
    }

    fn changes_at_events(&self, state: StateMeaning) -> bool {
        match state {
            StateMeaning::Deflection(..) => true,
            StateMeaning::Velocity(body, _) | StateMeaning::AngularVelocity(body, _) => {
                self.scene.has_impulses() || self.latched_bodies.contains(&body)
            }
            StateMeaning::Joint(joint, _, true) => {
                let child = self.scene.joints()[joint].child;
                self.scene.has_impulses()
                    || self.latched_bodies.contains(&child)
                    || self.jumps(joint)
            }
            StateMeaning::Work => {
                self.scene.has_impulses()
                    || self.scene.layout().deflection_count() > 0
                    || !self.scene.latches().is_empty()
            }
            _ => false,
        }
    }

    /// Returns true if a joint is in a tree on a prescribed body whose velocity jumps.
    fn jumps(&self, joint: JointId) -> bool {
        let joints = self.scene.joints();
        let carrier = |joint: JointId| {
            let parent = joints[joint].parent?;
            joints.position(|other| other.child == parent)
        };
        let mut root = joint;
        while let Some(next) = carrier(root) {
            root = next;
        }
        let mut motions = self.scene.motions().iter();
        motions.any(|motion| joints[root].parent == Some(motion.body) && motion.has_impulses())
    }

    /// Unit of a quantity; none for a pure number.
    pub fn unit(&self, quantity: Quantity) -> Option<&'static str> {
        self.declared_type(quantity)?.unit
    }

    fn declared_type(&self, quantity: Quantity) -> Option<DeclaredType> {
        Some(match quantity {
            Quantity::Time => units::TIME,
            // Of several units.
            Quantity::State(i) | Quantity::Derivative(i)
                if self.scene.grains_of_state(i).is_some() =>
            {
                units::COEFFICIENT
            }
            Quantity::State(i) => match self.meanings[i] {
                StateMeaning::Position(..) => units::POSITION,
                StateMeaning::Orientation(..) => units::QUATERNION,
                StateMeaning::Velocity(..) => units::VELOCITY,
                StateMeaning::AngularVelocity(..) => units::ANGULAR_VELOCITY,
                StateMeaning::Joint(_, state, is_rate) => state.declared_type(is_rate),
                StateMeaning::Deflection(..) => units::LENGTH,
                StateMeaning::Work => units::ENERGY,
            },
            Quantity::Derivative(i) => match self.meanings[i] {
                StateMeaning::Position(..) => units::VELOCITY,
                StateMeaning::Orientation(..) => units::QUATERNION_RATE,
                StateMeaning::Velocity(..) => units::ACCELERATION,
                StateMeaning::AngularVelocity(..) => units::ANGULAR_ACCELERATION,
                StateMeaning::Joint(_, state, is_rate) => state.rate_type(is_rate),
                StateMeaning::Deflection(..) => units::VELOCITY,
                StateMeaning::Work => units::POWER,
            },
            Quantity::Parameter(_) | Quantity::Output(_)
                if self.table.data_type(quantity) != DataType::Float64 =>
            {
                return None;
            }
            Quantity::Parameter(i) => {
                let parameter = self.scene.parameters()[i];
                self.scene.parameter_row(parameter).declared
            }
            Quantity::Input(i) => input_type(self.scene, self.scene.inputs()[i]),
            Quantity::Output(i) => self.scene.outputs()[i].item.row().declared,
            Quantity::Indicator(i) => self.type_of_indicator(i),
            Quantity::ContactForce(..) => units::FORCE,
            Quantity::ContactTorque(..) => units::TORQUE,
            Quantity::KineticEnergy | Quantity::PotentialEnergy | Quantity::ElasticEnergy => {
                units::ENERGY
            }
            Quantity::ClosestDistance(_) | Quantity::PairDistance(_) => units::LENGTH,
            Quantity::Report(_, item) => return item.declared_type(),
            Quantity::Sum(_, item) => return item.declared_type(),
            Quantity::Intersection(_, item) => item.declared_type(),
            Quantity::Grain(_, item) => return item.declared_type(),
            Quantity::Statistic(statistic) => return statistic.declared_type(),
            Quantity::ContactCount => return None,
        })
    }

    /// A gap, the distance of a coordinate from its stop, or of an output from where its trigger switches. An
    /// array of several units has none.
    fn type_of_indicator(&self, index: usize) -> DeclaredType {
        let type_of = |index: usize| {
            let is_angle = match self.scene.indicator(index) {
                Indicator::Slot(_) => false,
                Indicator::Stop(stop) => {
                    let stop = self.scene.stops()[stop];
                    let joint = &self.scene.joints()[stop.joint];
                    joint.kind.coordinates()[stop.coordinate].is_angle()
                }
                Indicator::Latch(latch) => {
                    let latch = &self.scene.latches()[latch];
                    let joint = &self.scene.joints()[latch.joint];
                    latch.trigger.is_some_and(|trigger| trigger.is_angle(joint))
                }
                Indicator::Trigger(trigger) => {
                    let declared = self.scene.triggers()[trigger].given.declared();
                    return declared.unwrap_or(units::COEFFICIENT);
                }
            };
            if is_angle {
                units::ANGLE
            } else {
                units::LENGTH
            }
        };
        let reference = self.table.reference(Quantity::Indicator(index));
        let size = reference.and_then(|reference| self.table.dimension(reference));
        let mut all = (index..index + size.unwrap_or(1)).map(type_of);
        let first = type_of(index);
        match all.all(|other| other == first) {
            true => first,
            false => units::COEFFICIENT,
        }
    }

    fn description(
        &self,
        reference: u32,
        quantity: Quantity,
        declared: Option<DeclaredType>,
    ) -> String {
        let size = self.table.dimension(reference);
        let words = Words {
            scene: self.scene,
            is_array: size.is_some(),
        };
        let text = words.text(quantity, &self.meanings, size);
        text.with_unit(declared.map_or("1", |declared| declared.unit_text()))
    }
}

/// Of a deflection; the last of faces that turn on each other, times their arm.
const DEFLECTION: &[&str] = &["x", "y", "z", "of turning"];
/// Entries of an inertia tensor in the order of their parameters.
const INERTIA: &[&str] = &["xx", "yy", "zz", "xy", "xz", "yz"];

impl Words<'_> {
    fn state(&self, state: StateMeaning) -> Text {
        match state {
            StateMeaning::Position(_, i) => {
                Text::new(format!("Position {}", self.component(AXES, i)))
                    .at("body origin")
                    .in_axes("world axes")
            }
            StateMeaning::Orientation(_, i) => Text::new(format!(
                "Orientation, {} {} of the quaternion",
                self.number("component", "components"),
                self.component(QUATERNION, i)
            ))
            .in_axes("body to world axes"),
            StateMeaning::Velocity(_, i) => {
                Text::new(format!("Velocity along {}", self.component(AXES, i)))
                    .at("body origin")
                    .in_axes("world axes")
            }
            StateMeaning::AngularVelocity(_, i) => Text::new(format!(
                "Angular velocity of the body about {}",
                self.component(AXES, i)
            ))
            .in_axes("body axes"),
            StateMeaning::Joint(_, state, is_rate) => self.joint_state(state, is_rate),
            StateMeaning::Deflection(index, i) => Text::new(format!(
                "Tangential deflection {} of {} {}",
                self.component(&DEFLECTION[..self.scene.layout().contact_states()], i),
                match self.scene.layout().deflections() {
                    Deflections::OfSlots(_) => "the contact in slot",
                    _ => "the contact",
                },
                self.scene.deflection_owner(index)
            ))
            .in_axes("world axes"),
            StateMeaning::Work => Text::scalar(match self.scene.joints().is_empty() {
                true => "Energy dissipated in all contacts",
                false => "Energy dissipated in all contacts and joints",
            }),
        }
    }

    fn joint_state(&self, state: JointState, is_rate: bool) -> Text {
        match state {
            JointState::Coordinate(coordinate) => {
                Text::new(reports::coordinate_text(coordinate, is_rate))
            }
            JointState::Position(i) => Text::new(format!("Position {}", self.component(AXES, i)))
                .at("joint frame of the child")
                .in_axes("joint frame of the parent"),
            JointState::Orientation(i) => Text::new(format!(
                "Orientation, {} {} of the quaternion",
                self.number("component", "components"),
                self.component(QUATERNION, i)
            ))
            .in_axes("joint frame of the child to that of the parent"),
            JointState::Velocity(i) => {
                Text::new(format!("Velocity along {}", self.component(AXES, i)))
                    .at("joint frame of the child")
                    .in_axes("joint frame of the parent")
            }
            JointState::AngularVelocity(i) => Text::new(format!(
                "Angular velocity of the child relative to the parent about {}",
                self.component(AXES, i)
            ))
            .in_axes("joint frame of the child"),
        }
    }

    fn parameter(&self, parameter: Address) -> Text {
        let row = self.scene.parameter_row(parameter);
        let text = row.text;
        let Some(i) = parameter.component() else {
            return Text::scalar(text).in_axes(row.frame);
        };
        match parameter.element {
            Element::Body(_) if row.key == INERTIA_KEY.key => Text::new(format!(
                "{text} {} {}; scales with the mass unless an entry was changed",
                self.number("entry", "entries"),
                self.component(INERTIA, i)
            ))
            .at("centre of mass")
            .in_axes("body axes"),
            // That of a state, which it stands in for.
            Element::Body(b) if row.key == ORIENTATION.key => {
                self.state(StateMeaning::Orientation(b, i))
            }
            Element::Force(f) => Text::new(format!("{text} {}", self.component(AXES, i)))
                .in_axes(axes(self.scene.forces()[f].axes)),
            _ => Text::new(format!("{text} {}", self.component(AXES, i))).in_axes(row.frame),
        }
    }
}

impl Words<'_> {
    /// What a quantity is; for an array, of its first element, with the size.
    fn text(&self, quantity: Quantity, meanings: &[StateMeaning], size: Option<usize>) -> Text {
        match quantity {
            Quantity::Time => Text::scalar("Time"),
            Quantity::State(i) if self.scene.grains_of_state(i).is_some() => grains::state_text(),
            Quantity::Derivative(i) if self.scene.grains_of_state(i).is_some() => {
                time_derivative(grains::state_text())
            }
            Quantity::State(i) => self.state(meanings[i]),
            Quantity::Derivative(i) => time_derivative(self.state(meanings[i])),
            Quantity::Parameter(i) => self.parameter(self.scene.parameters()[i]),
            Quantity::Input(i) => input_text(self, self.scene.inputs()[i]),
            Quantity::Output(i) => output_text(self, self.scene.outputs()[i]),
            Quantity::ContactForce(b, i) => {
                let which = self.component(AXES, i);
                Text::new(format!("Contact force on the body along {which}"))
                    .at("body origin")
                    .in_axes(self.axes_of_wrench(b))
            }
            Quantity::ContactTorque(b, i) => {
                let which = self.component(AXES, i);
                Text::new(format!("Contact torque on the body about {which}"))
                    .at("body origin")
                    .in_axes(self.axes_of_wrench(b))
            }
            Quantity::ContactCount => Text::scalar("Number of pairs in contact"),
            Quantity::KineticEnergy => Text::scalar("Kinetic energy of all bodies"),
            Quantity::PotentialEnergy => Text::scalar(match self.scene.joints().is_empty() {
                true => "Potential energy of all bodies in the gravity field",
                false => {
                    "Potential energy of all bodies in the gravity field and of all joint springs"
                }
            }),
            Quantity::ElasticEnergy => Text::scalar(match self.scene.stops().is_empty() {
                true => "Elastic energy of all contacts",
                false => "Elastic energy of all contacts and joint stops",
            }),
            Quantity::ClosestDistance(i) => Text::new(match size {
                None => format!(
                    "Distance between the shapes of the monitored pair of rank {}, nearest first",
                    i + 1
                ),
                Some(size) => {
                    format!("Distances of the {size} nearest monitored pairs, ascending")
                }
            }),
            Quantity::PairDistance(i) => {
                let [a, b] = &self.scene.named_pairs()[i].between;
                Text::new(format!(
                    "Distance between {a} and {b}, negative if they overlap"
                ))
            }
            Quantity::Report(report, item) => {
                let text = |names: [&str; 2], axis: &str| item.text(names, axis);
                self.of_pair(report, item.component(), text)
            }
            Quantity::Sum(sum, item) => {
                let text = |names: [&str; 2], axis: &str| item.text(names, axis);
                self.of_pair(self.scene.report_of(sum), item.component(), text)
            }
            Quantity::Intersection(index, item) => {
                let text = |names: [&str; 2], axis: &str| item.text(names, axis);
                self.of_pair(self.scene.intersections()[index], item.component(), text)
            }
            Quantity::Grain(group, item) => item.text(self, &self.scene.grains()[group]),
            Quantity::Statistic(statistic) => Text::scalar(statistic.text()),
            Quantity::Indicator(i) => Text::new(self.indicators(i, size)),
        }
    }

    /// What is reported of a pair, by the names of its shapes and of the component.
    fn of_pair(
        &self,
        report: ReportId,
        component: Option<usize>,
        text: impl FnOnce([&str; 2], &str) -> String,
    ) -> Text {
        let names = self.scene.report_names(report);
        let axis = self.component(AXES, component.unwrap_or(0));
        let text = text([names[0].as_str(), names[1].as_str()], &axis);
        let axes = if component.is_some() {
            "world axes"
        } else {
            ""
        };
        Text::new(text).in_axes(axes)
    }

    /// Axes of the contact force and torque of a body.
    fn axes_of_wrench(&self, body: BodyId) -> &'static str {
        let body = &self.scene.bodies()[body];
        match body.motion {
            Motion::Driven => axes(body.drive.wrench_axes),
            _ => "world axes",
        }
    }

    /// Text of an indicator, or of all of them as an array of this size.
    fn indicators(&self, first: usize, size: Option<usize>) -> String {
        let slots = self.scene.slot_count();
        let stop = |stop: StopId| {
            let stop = self.scene.stops()[stop];
            let joint = &self.scene.joints()[stop.joint];
            let side = if stop.is_upper { "upper" } else { "lower" };
            let coordinate = joint.kind.coordinates()[stop.coordinate];
            format!("the {side} stop of {}.{}", joint.name, coordinate.key)
        };
        let one = |index: usize| match self.scene.indicator(index) {
            Indicator::Stop(id) => stop(id),
            Indicator::Latch(id) => format!("the latch {}", self.scene.latches()[id].name),
            Indicator::Trigger(id) => {
                format!("the trigger {}", self.scene.triggers()[id].given.name)
            }
            Indicator::Slot(slot) => match self.scene.own_pair(slot) {
                Some(pair) => self.scene.pair_name(pair),
                None => format!("the pair monitored in slot {}", index + 1),
            },
        };
        match (size, self.scene.monitors_all_pairs()) {
            (None, false) if first < slots => format!("Event indicator: gap of {}", one(first)),
            (None, _) if first >= slots => {
                format!("Event indicator of {}: distance", one(first))
            }
            (None, _) => format!("Event indicator of {}: gap", one(first)),
            (Some(size), true) => {
                let names: Vec<String> = (0..size).map(one).collect();
                format!("Event indicators of ({}): gaps", names.join(", "))
            }
            (Some(size), false) => {
                let stops: Vec<String> = (slots..size).map(one).collect();
                let after = if stops.is_empty() { "" } else { ", then of " };
                format!(
                    "Event indicators: gaps of the pairs monitored in slots 1 to {slots}{after}{}",
                    stops.join(", ")
                )
            }
        }
    }
}

// Texts and types of inputs, and of outputs beside states and contact.

/// Entries of a rotation matrix, row by row.
const MATRIX: &[&str] = &["xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"];

/// Type of an input.
fn input_type(scene: &Scene, input: Input) -> DeclaredType {
    match input {
        Input::Position(..) => units::POSITION,
        Input::Orientation(..) => units::QUATERNION,
        Input::Rotation(..) | Input::Latch(_) => units::COEFFICIENT,
        Input::Velocity(..) => units::VELOCITY,
        Input::AngularVelocity(..) => units::ANGULAR_VELOCITY,
        Input::Force(..) => units::FORCE,
        Input::Torque(..) | Input::BallTorque(..) => units::TORQUE,
        Input::Joint(j, c) => match scene.joints()[j].kind.coordinates()[c].is_angle() {
            true => units::TORQUE,
            false => units::FORCE,
        },
    }
}

/// What an input is, in words.
fn input_text(words: &Words, input: Input) -> Text {
    let scene = words.scene;
    match input {
        Input::Position(_, i) => Text::new(format!("Position {}", words.component(AXES, i)))
            .at("body origin")
            .in_axes("world axes"),
        Input::Orientation(_, i) => Text::new(format!(
            "Orientation, {} {} of the quaternion",
            words.number("component", "components"),
            words.component(QUATERNION, i)
        ))
        .in_axes("body to world axes"),
        Input::Rotation(_, i) => Text::new(format!(
            "Orientation, {} {} of the rotation matrix",
            words.number("entry", "entries"),
            words.component(MATRIX, i)
        ))
        .in_axes("body to world axes"),
        Input::Velocity(_, i) => Text::new(format!("Velocity along {}", words.component(AXES, i)))
            .at("body origin")
            .in_axes("world axes"),
        Input::AngularVelocity(_, i) => Text::new(format!(
            "Angular velocity of the body about {}",
            words.component(AXES, i)
        ))
        .in_axes("body axes"),
        Input::Force(f, i) => {
            let force = &scene.forces()[f];
            let [x, y, z] = force.point;
            Text::new(format!(
                "Force on {} along {}",
                scene.bodies()[force.body].name,
                words.component(AXES, i)
            ))
            .at(format!("point ({x:?}, {y:?}, {z:?}) m in the body"))
            .in_axes(axes(force.axes))
        }
        Input::Torque(f, i) => {
            let force = &scene.forces()[f];
            let which = words.component(AXES, i);
            let body = &scene.bodies()[force.body].name;
            Text::new(format!("Torque on {body} about {which}")).in_axes(axes(force.axes))
        }
        Input::Joint(j, c) => {
            let joint = &scene.joints()[j];
            let coordinate = joint.kind.coordinates()[c];
            let what = match coordinate.is_angle() {
                true => "Torque about",
                false => "Force along",
            };
            Text::new(format!(
                "{what} the joint coordinate {}, on {}",
                coordinate.key,
                scene.bodies()[joint.child].name
            ))
        }
        Input::BallTorque(j, i) => Text::new(format!(
            "Torque of the joint on {} about {}",
            scene.bodies()[scene.joints()[j].child].name,
            words.component(AXES, i)
        ))
        .in_axes("joint frame of the child"),
        Input::Latch(_) => Text::scalar("Command of the latch: above 0.5 to be closed, else open"),
    }
}

/// What an output is, in words.
fn output_text(words: &Words, output: Output) -> Text {
    let row = output.item.row();
    let what = match output.owner {
        Owner::Measurement(m) => {
            let [from, to] = ends(words.scene, m);
            row.text.replace("{from}", &from).replace("{to}", &to)
        }
        Owner::Body(_) | Owner::Joint(_) | Owner::Latch(_) | Owner::Trigger(_) => {
            row.text.to_owned()
        }
    };
    let what = match row.shape {
        OutputShape::Scalar => what,
        OutputShape::Vector => format!("{what} {}", words.component(AXES, output.index)),
        OutputShape::Quaternion => format!(
            "{what}, {} {} of the quaternion",
            words.number("component", "components"),
            words.component(QUATERNION, output.index)
        ),
    };
    Text::new(what).at(row.point).in_axes(row.axes)
}

/// Both frames of a measurement: `the frame in ball`, `the frame in the world`.
fn ends(scene: &Scene, measurement: MeasurementId) -> [String; 2] {
    let frames = &scene.measurements()[measurement].frames;
    [&frames[0], &frames[1]].map(|(body, _)| match body {
        Some(body) => format!("the frame in {}", scene.bodies()[*body].name),
        None => "the frame in the world".into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::modes::Standard;
    use crate::instance::variables::tests::{scene, scene_with, two_balls};
    use contact_model::scene::description::{Gravity, InterfaceOptions};

    fn all(scene: &Scene) -> Vec<Variable> {
        let nominals: Vec<f64> = (0..scene.layout().count()).map(|i| i as f64).collect();
        let table = VariableTable::new(scene, Standard::Fmi3);
        Describer::new(scene, &table).variables(&nominals)
    }

    fn find<'a>(variables: &'a [Variable], name: &str) -> &'a Variable {
        variables.iter().find(|v| v.name == name).expect(name)
    }

    #[test]
    fn variables_stand_in_document_order_with_references_from_1() {
        for (index, variable) in all(&scene()).iter().enumerate() {
            assert_eq!(variable.reference as usize, index + 1);
        }
    }

    #[test]
    fn point_gravity_has_its_own_parameters() {
        let mut description = two_balls();
        description.gravity = Gravity::Point {
            mu: 4e14,
            center: [1.0, 2.0, 3.0],
        };
        let variables = all(&Scene::new(description).unwrap());
        let mu = find(&variables, "world.gravity_mu");
        assert_eq!(mu.start, [4e14]);
        assert_eq!(find(&variables, "world.gravity_center[3]").start, [3.0]);
        assert!(variables.iter().all(|v| v.name != "world.gravity[1]"));
    }

    #[test]
    fn start_values_are_those_of_the_scene() {
        let variables = all(&scene());
        for (name, start) in [
            ("ball.position[3]", 1.1),
            ("ball.orientation[1]", 1.0),
            ("ball.velocity[1]", 0.5),
            ("ball.angular_velocity[3]", 1e-9),
            ("other.position[1]", 0.5),
            ("energy.dissipated", 0.0),
            ("ground.position[3]", -0.05),
            ("world.gravity[3]", -9.81),
            ("material.Steel.youngs_modulus", 2e11),
            ("material_pair.Steel.Steel.restitution", 0.7),
            ("contact.k_red", 1.0),
        ] {
            assert_eq!(find(&variables, name).start, [start], "{name}");
        }
        // m = 8000 pi d^3/6 for a ball of diameter 0.2 m
        let mass = find(&variables, "ball.mass").start[0];
        assert!((mass - 33.510321638291124).abs() < 1e-12, "{mass}");
    }

    #[test]
    fn exactly_the_inputs_and_the_variables_with_an_exact_start_have_one() {
        for variable in all(&scene()) {
            let exact = VariableTable::new(&scene(), Standard::Fmi3).initial(variable.quantity)
                == Some(Initial::Exact);
            let given = exact || variable.causality == Causality::Input;
            assert_eq!(!variable.start.is_empty(), given, "{}", variable.name);
        }
    }

    #[test]
    fn states_have_nominals_and_derivatives_name_their_state() {
        let variables = all(&scene());
        let state = find(&variables, "ball.velocity[2]");
        assert_eq!(state.nominal, Some(8.0));
        let derivative = find(&variables, "der(ball.velocity[2])");
        assert_eq!(derivative.derivative_of, Some(state.reference));
        assert_eq!(derivative.nominal, None);
    }

    /// Ball over a plate, and a body on two joints with a stop each: of an angle and of a length.
    fn stopped(arrays: bool, contact: bool) -> Scene {
        use crate::fixtures::{joint, plain_body, steel_scene};
        use contact_model::scene::description::{GivenMass, JointKind, JointStops, Motion};
        let mass = || GivenMass {
            mass: Some(1.0),
            center_of_mass: Some([0.0; 3]),
            inertia: Some([1.0, 1.0, 1.0, 0.0, 0.0, 0.0]),
        };
        let mut description = match contact {
            true => two_balls(),
            false => steel_scene(Vec::new()),
        };
        description.interface.arrays = arrays;
        description
            .bodies
            .push(plain_body("arm", Motion::Joint, mass()));
        description
            .bodies
            .push(plain_body("slider", Motion::Joint, mass()));
        let mut hinge = joint(JointKind::Revolute, None, "arm");
        let mut rail = joint(JointKind::Prismatic, Some("arm"), "slider");
        for (one, name) in [(&mut hinge, "hinge"), (&mut rail, "rail")] {
            one.name = name.into();
            one.forces[0].stops = Some(JointStops {
                lower: None,
                upper: Some(1.0),
                stiffness: 1e5,
                restitution: 0.5,
            });
        }
        description.joints = vec![hinge];
        if contact {
            description.joints.push(rail);
        } else {
            description.bodies.pop();
        }
        Scene::new(description).unwrap()
    }

    #[test]
    fn indicators_of_stops_have_the_unit_of_their_coordinate_and_mixed_arrays_have_none() {
        let unit = |scene: &Scene, name: &str| {
            let variables = all(scene);
            let found = find(&variables, name);
            (
                found.description.clone(),
                found.declared_type.and_then(|t| t.unit),
            )
        };
        let scalars = stopped(false, true);
        for (name, text, expected) in [
            (
                "contact.indicator[4]",
                "Event indicator of the upper stop of hinge.angle: distance [rad]",
                "rad",
            ),
            (
                "contact.indicator[5]",
                "Event indicator of the upper stop of rail.displacement: distance [m]",
                "m",
            ),
        ] {
            assert_eq!(unit(&scalars, name), (text.into(), Some(expected)));
        }
        assert_eq!(unit(&scalars, "contact.indicator[3]").1, Some("m"));
        assert_eq!(unit(&stopped(true, true), "contact.indicator").1, None);
        assert_eq!(
            unit(&stopped(true, false), "contact.indicator").1,
            Some("rad")
        );
    }

    #[test]
    fn the_elastic_energy_includes_that_of_joint_stops_if_there_are_any() {
        for (scene, text) in [
            (scene(), "Elastic energy of all contacts [J]"),
            (
                stopped(false, true),
                "Elastic energy of all contacts and joint stops [J]",
            ),
        ] {
            let variables = all(&scene);
            assert_eq!(find(&variables, "energy.contact_elastic").description, text);
        }
    }

    #[test]
    fn descriptions_end_with_unit_point_and_axes() {
        let variables = all(&scene());
        for (name, text) in [
            (
                "ball.position[1]",
                "Position x [m], body origin, world axes",
            ),
            (
                "ball.velocity[3]",
                "Velocity along z [m/s], body origin, world axes",
            ),
            (
                "der(ball.velocity[3])",
                "Time derivative of velocity along z [m/s2], body origin, world axes",
            ),
            (
                "ball.angular_velocity[1]",
                "Angular velocity of the body about x [rad/s], body axes",
            ),
            (
                "ball.orientation[1]",
                "Orientation, component w of the quaternion [1], body to world axes",
            ),
            (
                "ball.inertia[1,3]",
                "Inertia tensor entry xz; scales with the mass unless an entry was changed [kg.m2], \
                 centre of mass, body axes",
            ),
            (
                "ball.mass",
                "Mass of the body; its inertia scales with it unless an entry was changed [kg]",
            ),
            (
                "ground.contact_torque[2]",
                "Contact torque on the body about y [N.m], body origin, world axes",
            ),
            ("contact.count", "Number of pairs in contact [1]"),
            (
                "contact.indicator[1]",
                "Event indicator of ground:ball: gap [m]",
            ),
        ] {
            assert_eq!(find(&variables, name).description, text);
        }
        assert_all_end_well(&variables);
    }

    /// Every text ends with the unit of the type; point and axes follow where a vector needs them.
    fn assert_all_end_well(variables: &[Variable]) {
        for variable in variables {
            let unit = variable.declared_type.map_or("1", |t| t.unit_text());
            let (_, end) = variable.description.rsplit_once(" [").unwrap();
            let (found, rest) = end.split_once(']').unwrap();
            assert_eq!(found, unit, "{}", variable.name);
            let parts: Vec<&str> = rest.split(", ").skip(1).collect();
            let good = match parts[..] {
                [] => true,
                [axes] => axes.ends_with(" axes"),
                [point, axes] => axes.ends_with(" axes") && !point.ends_with(" axes"),
                _ => false,
            };
            assert!(good, "{}: {rest}", variable.name);
            // An element of a vector in space has no meaning without axes.
            let is_vector = variable.name.contains(['[']) && !variable.name.contains("indicator");
            assert_eq!(!parts.is_empty(), is_vector, "{}", variable.name);
        }
    }

    #[test]
    fn an_array_lists_its_components_and_their_start_values() {
        let arrays = InterfaceOptions {
            arrays: true,
            ..InterfaceOptions::default()
        };
        let scene = scene_with(arrays);
        let variables = all(&scene);
        for (name, size, text) in [
            (
                "ball.position",
                3,
                "Position (x, y, z) [m], body origin, world axes",
            ),
            (
                "ball.orientation",
                4,
                "Orientation, components (w, x, y, z) of the quaternion [1], body to world axes",
            ),
            (
                "ball.inertia",
                6,
                "Inertia tensor entries (xx, yy, zz, xy, xz, yz); scales with the mass unless an \
                 entry was changed [kg.m2], centre of mass, body axes",
            ),
            (
                "contact.indicator",
                3,
                "Event indicators of (ground:ball, ground:other, ball:other): gaps [m]",
            ),
        ] {
            let variable = find(&variables, name);
            assert_eq!(variable.description, text);
            assert_eq!(variable.dimension, Some(size));
        }
        let position = find(&variables, "ball.position");
        assert_eq!(position.start, [0.0, 0.0, 1.1]);
        // The nominal values of `all` count up, so the smallest is that of the first element.
        let velocity = find(&variables, "ball.velocity");
        assert_eq!(velocity.nominal, Some(7.0));
        let derivative = find(&variables, "der(ball.velocity)");
        assert_eq!(derivative.derivative_of, Some(velocity.reference));
        let mass = find(&variables, "ball.mass");
        assert_eq!((mass.dimension, mass.start.len()), (None, 1));
        // The same numbers in the same order as the scalars.
        let starts = |variables: &[Variable]| -> Vec<f64> {
            variables.iter().flat_map(|v| v.start.clone()).collect()
        };
        assert_eq!(starts(&variables), starts(&all(&self::scene())));
    }
}
