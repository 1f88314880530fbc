//! Texts of the variables. A text ends with unit, reference point and axes.

use super::reports::JointState;
use super::{Quantity, describe, grains, reports};
use crate::instance::variables::describe::StateMeaning;
use crate::instance::variables::names::contact_prefix;
use contact_laws::index::{
    BodyId, ForceId, JointId, LatchId, LawId, MaterialId, MeasurementId, ReportId, StopId,
};
use contact_model::scene::description::{ForceAxes, Motion};
use contact_model::scene::layout::Deflections;
use contact_model::scene::outputs::Owner;
use contact_model::scene::{GrainsId, Indicator, Input, Parameter, Scene};

pub(super) const AXES: &[&str] = &["x", "y", "z"];
/// Of a deflection; the last of faces that turn on each other, times their arm.
const DEFLECTION: &[&str] = &["x", "y", "z", "of turning"];
pub(super) const QUATERNION: &[&str] = &["w", "x", "y", "z"];
/// Entries of an inertia tensor in the order of their parameters.
const INERTIA: &[&str] = &["xx", "yy", "zz", "xy", "xz", "yz"];

/// What a variable is, with its point and axes where they matter.
pub(super) struct Text {
    /// Starts with a capital.
    what: String,
    point: String,
    axes: &'static str,
}

impl Text {
    pub(super) fn new(what: String) -> Self {
        Text {
            what,
            point: String::new(),
            axes: "",
        }
    }

    pub(super) fn scalar(what: &str) -> Self {
        Text::new(what.to_owned())
    }

    pub(super) fn at(self, point: impl Into<String>) -> Self {
        Text {
            point: point.into(),
            ..self
        }
    }

    pub(super) fn in_axes(self, axes: &'static str) -> Self {
        Text { axes, ..self }
    }

    /// `Position x [m], body origin, world axes`.
    pub(super) fn with_unit(self, unit: &str) -> String {
        let mut text = format!("{} [{unit}]", self.what);
        for part in [self.point.as_str(), self.axes] {
            if !part.is_empty() {
                text.push_str(", ");
                text.push_str(part);
            }
        }
        text
    }
}

pub(super) fn axes(axes: ForceAxes) -> &'static str {
    match axes {
        ForceAxes::World => "world axes",
        ForceAxes::Body => "body axes",
    }
}

/// Text of the time derivative of a state.
fn time_derivative(text: Text) -> Text {
    let mut letters = text.what.chars();
    let first = letters.next().map(|c| c.to_ascii_lowercase());
    let what = first.into_iter().chain(letters).collect::<String>();
    Text {
        what: format!("Time derivative of {what}"),
        ..text
    }
}

/// Words for scalars or for arrays.
pub(super) struct Words<'a> {
    pub scene: &'a Scene,
    pub is_array: bool,
}

impl Words<'_> {
    /// `x`, or `(x, y, z)` for an array.
    pub(super) fn component(&self, names: &[&str], index: usize) -> String {
        match self.is_array {
            true => format!("({})", names.join(", ")),
            false => names[index].to_owned(),
        }
    }

    /// The word in the number that the components have.
    pub(super) fn number(&self, singular: &'static str, plural: &'static str) -> &'static str {
        match self.is_array {
            true => plural,
            false => singular,
        }
    }

    pub(super) fn state(&self, state: StateMeaning) -> Text {
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

    fn parameter(&self, parameter: Parameter) -> Text {
        let row = self.scene.parameter_row(parameter);
        let text = row.text;
        match parameter {
            // Those of a state, which they stand in for.
            Parameter::FixedPosition(b, i) => self.state(StateMeaning::Position(b, i)),
            Parameter::FixedOrientation(b, i) => self.state(StateMeaning::Orientation(b, i)),
            Parameter::Inertia(_, i) => Text::new(format!(
                "{text} {} {}; scales with the mass unless an entry was changed",
                self.number("entry", "entries"),
                self.component(INERTIA, i)
            ))
            .at("centre of mass")
            .in_axes("body axes"),
            Parameter::Force(f, i) | Parameter::Torque(f, i) => {
                Text::new(format!("{text} {}", self.component(AXES, i)))
                    .in_axes(axes(self.scene.forces()[f].axes))
            }
            _ => match parameter.component() {
                Some(i) => {
                    Text::new(format!("{text} {}", self.component(AXES, i))).in_axes(row.frame)
                }
                None => Text::scalar(text).in_axes(row.frame),
            },
        }
    }
}

impl Words<'_> {
    /// What a quantity is; for an array, of its first element, with the size.
    pub(super) fn text(
        &self,
        quantity: Quantity,
        meanings: &[StateMeaning],
        size: Option<usize>,
    ) -> Text {
        match quantity {
            Quantity::Time => Text::scalar("Time"),
            Quantity::State(i) if self.scene.grains_of_state(i).is_some() => grains::state_text(),
            Quantity::Derivative(i) if self.scene.grains_of_state(i).is_some() => {
                time_derivative(grains::state_text())
            }
            Quantity::State(i) => self.state(meanings[i]),
            Quantity::Derivative(i) => time_derivative(self.state(meanings[i])),
            Quantity::Parameter(i) => self.parameter(self.scene.parameters()[i]),
            Quantity::Input(i) => describe::input_text(self, self.scene.inputs()[i]),
            Quantity::Output(i) => describe::output_text(self, self.scene.outputs()[i]),
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
        let names = self.scene.pair_names(self.scene.reported()[report]);
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

// What a variable is of: a body, a joint, a contact ... A list of variables is grouped by it.

/// What a variable is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// All of the scene.
    Scene,
    /// A body.
    Body(BodyId),
    /// A group of balls.
    Grains(GrainsId),
    /// A joint.
    Joint(JointId),
    /// A force.
    Force(ForceId),
    /// A measurement.
    Measurement(MeasurementId),
    /// A latch.
    Latch(LatchId),
    /// A reported contact.
    Contact(ReportId),
    /// A contact law.
    Law(LawId),
    /// The elastic data of a material.
    Material(MaterialId),
}

impl Subject {
    /// Its name, as structured names of its variables begin: `ball`, `force.push`,
    /// `contact.ball.table_cushion`; empty for the scene.
    pub fn name(self, scene: &Scene) -> String {
        match self {
            Subject::Scene => String::new(),
            Subject::Body(body) => scene.bodies()[body].name.clone(),
            Subject::Grains(group) => scene.grains()[group].name.clone(),
            Subject::Joint(joint) => scene.joints()[joint].name.clone(),
            Subject::Force(force) => format!("force.{}", scene.forces()[force].name),
            Subject::Measurement(index) => format!("measure.{}", scene.measurements()[index].name),
            Subject::Latch(latch) => format!("latch.{}", scene.latches()[latch].name),
            Subject::Contact(report) => contact_prefix(scene, report),
            Subject::Law(law) => scene.law_prefix(law),
            Subject::Material(material) => format!("material.{}", scene.materials()[material].name),
        }
    }

    pub(super) fn of(scene: &Scene, states: &[StateMeaning], quantity: Quantity) -> Subject {
        match quantity {
            Quantity::State(i) | Quantity::Derivative(i) => match scene.grains_of_state(i) {
                Some(group) => Subject::Grains(group),
                None => of_state(states[i]),
            },
            Quantity::Grain(group, _) => Subject::Grains(group),
            Quantity::Parameter(i) => of_parameter(scene, scene.parameters()[i]),
            Quantity::Input(i) => of_input(scene.inputs()[i]),
            Quantity::ContactForce(body, _) | Quantity::ContactTorque(body, _) => {
                Subject::Body(body)
            }
            Quantity::Output(i) => match scene.outputs()[i].owner {
                Owner::Body(body) => Subject::Body(body),
                Owner::Joint(joint) => Subject::Joint(joint),
                Owner::Measurement(measurement) => Subject::Measurement(measurement),
                Owner::Latch(latch) => Subject::Latch(latch),
            },
            Quantity::Report(report, _) => Subject::Contact(report),
            Quantity::Intersection(index, _) => Subject::Contact(scene.intersections()[index]),
            Quantity::Time
            | Quantity::ContactCount
            | Quantity::KineticEnergy
            | Quantity::PotentialEnergy
            | Quantity::ElasticEnergy
            | Quantity::ClosestDistance(_)
            | Quantity::PairDistance(_)
            | Quantity::Statistic(_)
            | Quantity::Indicator(_) => Subject::Scene,
        }
    }
}

fn of_state(state: StateMeaning) -> Subject {
    match state {
        StateMeaning::Position(body, _)
        | StateMeaning::Orientation(body, _)
        | StateMeaning::Velocity(body, _)
        | StateMeaning::AngularVelocity(body, _) => Subject::Body(body),
        StateMeaning::Joint(joint, ..) => Subject::Joint(joint),
        StateMeaning::Deflection(..) | StateMeaning::Work => Subject::Scene,
    }
}

fn of_parameter(scene: &Scene, parameter: Parameter) -> Subject {
    match parameter {
        Parameter::FixedPosition(body, _)
        | Parameter::FixedOrientation(body, _)
        | Parameter::Mass(body)
        | Parameter::CenterOfMass(body, _)
        | Parameter::Inertia(body, _) => Subject::Body(body),
        Parameter::Motion(motion, ..) => Subject::Body(scene.motions()[motion].body),
        Parameter::YoungsModulus(material) | Parameter::PoissonsRatio(material) => {
            Subject::Material(material)
        }
        Parameter::Law(law, _) => Subject::Law(law),
        Parameter::Force(force, _)
        | Parameter::Torque(force, _)
        | Parameter::ForceFrequency(force)
        | Parameter::ForcePhase(force) => Subject::Force(force),
        Parameter::Joint(joint, ..) => Subject::Joint(joint),
        Parameter::Gravity(_)
        | Parameter::GravitationalParameter
        | Parameter::GravityCenter(_)
        | Parameter::KRed
        | Parameter::DMax
        | Parameter::MaxSteps
        | Parameter::MaxStep
        | Parameter::Solver => Subject::Scene,
    }
}

fn of_input(input: Input) -> Subject {
    match input {
        Input::Position(body, _)
        | Input::Orientation(body, _)
        | Input::Rotation(body, _)
        | Input::Velocity(body, _)
        | Input::AngularVelocity(body, _) => Subject::Body(body),
        Input::Force(force, _) | Input::Torque(force, _) => Subject::Force(force),
        Input::Joint(joint, _) | Input::BallTorque(joint, _) => Subject::Joint(joint),
        Input::Latch(latch) => Subject::Latch(latch),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::modes::Standard;
    use crate::instance::variables::VariableTable;
    use crate::instance::variables::describe::Describer;
    use crate::instance::variables::tests::scene_with;
    use contact_model::scene::description::{InterfaceOptions, Naming};

    #[test]
    fn names_of_variables_are_those_of_their_subjects_and_a_member() {
        for (naming, arrays) in [(Naming::Structured, false), (Naming::Flat, true)] {
            let scene = scene_with(InterfaceOptions {
                naming,
                arrays,
                ..InterfaceOptions::default()
            });
            let table = VariableTable::new(&scene, Standard::Fmi3);
            let nominals = vec![1.0; scene.layout().count()];
            let variables = Describer::new(&scene, &table).variables(&nominals);
            let mut members = Vec::new();
            for variable in &variables {
                let subject = variable.subject.name(&scene);
                let flat = |name: &str| {
                    name.replace(['.', '[', ',', '('], "_")
                        .replace([']', ')'], "")
                };
                match variable.quantity {
                    // der(ball.position[1]) has the subject in the middle.
                    Quantity::Derivative(_) => {
                        assert!(flat(&variable.name).contains(&flat(&subject)));
                    }
                    _ if variable.subject == Subject::Scene => {
                        assert_eq!(flat(&variable.member), flat(&variable.name));
                    }
                    _ => {
                        let whole = flat(&format!("{subject}.{}", variable.member));
                        assert_eq!(whole, flat(&variable.name));
                    }
                }
                members.push((subject, variable.member.clone()));
            }
            let vector = if arrays { "position" } else { "position[1]" };
            for (subject, member) in [
                ("ball", vector),
                ("other", "mass"),
                ("material.Steel", "youngs_modulus"),
                ("material_pair.Steel.Steel", "restitution"),
            ] {
                let found = members
                    .iter()
                    .filter(|(s, m)| (s.as_str(), m.as_str()) == (subject, member));
                assert_eq!(found.count(), 1, "{subject}.{member}");
            }
        }
    }
}
