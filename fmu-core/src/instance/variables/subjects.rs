//! What a variable is of: a body, a joint, a contact ... A list of variables is grouped by it.

use super::Quantity;
use super::describe::StateMeaning;
use super::names::contact_prefix;
use contact_laws::index::{
    BodyId, ForceId, JointId, LatchId, LawId, MaterialId, MeasurementId, ReportId,
};
use contact_model::scene::outputs::Owner;
use contact_model::scene::{GrainsId, Input, Parameter, Scene};

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
