//! Names, texts and start values of the variables. Made on demand: when an FMU is built, when a
//! message names a variable.
//!
//! Names are structured, `ball.position[1]`, `der(ball.position[1])`; indices count from 1; the
//! scene names states and parameters. A text ends with unit, reference point and axes. No state
//! carries `reinit`: contact forces are compliant, an event changes which pairs are in contact and
//! never a state.

use super::units::{self, DeclaredType};
use super::{Quantity, Variable, VariableTable};
use crate::scene::parameters::INERTIA_ENTRIES;
use crate::scene::{Parameter, Parameters, Scene, StateLayout};
use std::collections::BTreeMap;
use std::fmt;

const AXES: [&str; 3] = ["x", "y", "z"];
const QUATERNION: [&str; 4] = ["w", "x", "y", "z"];

/// What a state is; body by index, component from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StateMeaning {
    Position(usize, usize),
    Orientation(usize, usize),
    Velocity(usize, usize),
    AngularVelocity(usize, usize),
    Work,
}

/// Meaning of each state of a scene.
pub(super) fn state_meanings(scene: &Scene) -> Vec<StateMeaning> {
    let layout = scene.layout();
    let mut meanings = vec![StateMeaning::Work; layout.count()];
    for body in 0..scene.bodies().len() {
        let Some(offset) = layout.body(body) else {
            continue;
        };
        for i in 0..3 {
            meanings[StateLayout::position(offset).start + i] = StateMeaning::Position(body, i);
            meanings[StateLayout::velocity(offset).start + i] = StateMeaning::Velocity(body, i);
            meanings[StateLayout::angular_velocity(offset).start + i] =
                StateMeaning::AngularVelocity(body, i);
        }
        for i in 0..4 {
            meanings[StateLayout::orientation(offset).start + i] =
                StateMeaning::Orientation(body, i);
        }
    }
    meanings
}

/// Two variables that a tool cannot tell apart once it has replaced the characters that its own
/// names may not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameClash {
    /// The variable that comes first in the document.
    pub first: String,
    /// The other one.
    pub second: String,
    /// What both names become.
    pub replaced: String,
}

impl fmt::Display for NameClash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "variables {:?} and {:?} both become {:?} where a tool replaces `. [ ] ( ) ,` by `_`; \
             rename a body or a material",
            self.first, self.second, self.replaced
        )
    }
}

impl std::error::Error for NameClash {}

/// Writes out the variables of a scene.
pub struct Describer<'a> {
    scene: &'a Scene,
    table: &'a VariableTable,
    meanings: Vec<StateMeaning>,
    states: Vec<f64>,
    parameters: Parameters,
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
        }
    }

    /// All variables in document order. `nominals` has the nominal magnitude of each state.
    pub fn variables(&self, nominals: &[f64]) -> Vec<Variable> {
        self.table
            .quantities()
            .map(|(reference, quantity)| self.variable(reference, quantity, nominals))
            .collect()
    }

    /// Checks that names stay distinct where a tool replaces each of `. [ ] ( ) ,` and space by an
    /// underscore.
    pub fn check_names(&self) -> Result<(), NameClash> {
        let mut seen = BTreeMap::new();
        for (_, quantity) in self.table.quantities() {
            let second = self.name(quantity);
            let replaced = second.replace(['.', '[', ']', '(', ')', ',', ' '], "_");
            if let Some(first) = seen.insert(replaced.clone(), second.clone()) {
                return Err(NameClash {
                    first,
                    second,
                    replaced,
                });
            }
        }
        Ok(())
    }

    fn variable(&self, reference: u32, quantity: Quantity, nominals: &[f64]) -> Variable {
        Variable {
            name: self.name(quantity),
            reference,
            quantity,
            variability: self.table.variability(quantity),
            declared_type: self.declared_type(quantity),
            start: match quantity {
                Quantity::State(i) => Some(self.states[i]),
                Quantity::Parameter(i) => Some(self.parameters.get(i)),
                _ => None,
            },
            nominal: match quantity {
                Quantity::State(i) => nominals.get(i).copied(),
                _ => None,
            },
            derivative_of: match quantity {
                Quantity::Derivative(i) => self.table.reference(Quantity::State(i)),
                _ => None,
            },
            description: self.description(quantity),
        }
    }

    /// Name of a variable.
    pub fn name(&self, quantity: Quantity) -> String {
        match quantity {
            Quantity::Time => "time".into(),
            Quantity::State(i) => self.scene.state_name(i),
            Quantity::Derivative(i) => format!("der({})", self.scene.state_name(i)),
            Quantity::Parameter(i) => self.scene.parameter_name(i),
            Quantity::ContactForce(b, i) => format!("{}.contact_force[{}]", self.body(b), i + 1),
            Quantity::ContactTorque(b, i) => format!("{}.contact_torque[{}]", self.body(b), i + 1),
            Quantity::ContactCount => "contact.count".into(),
            Quantity::KineticEnergy => "energy.kinetic".into(),
            Quantity::PotentialEnergy => "energy.potential".into(),
            Quantity::ElasticEnergy => "energy.contact_elastic".into(),
            Quantity::Indicator(i) => format!("contact.indicator[{}]", i + 1),
        }
    }

    fn body(&self, body: usize) -> &str {
        &self.scene.bodies()[body].name
    }

    fn declared_type(&self, quantity: Quantity) -> Option<DeclaredType> {
        Some(match quantity {
            Quantity::Time => units::TIME,
            Quantity::State(i) => match self.meanings[i] {
                StateMeaning::Position(..) => units::POSITION,
                StateMeaning::Orientation(..) => units::QUATERNION,
                StateMeaning::Velocity(..) => units::VELOCITY,
                StateMeaning::AngularVelocity(..) => units::ANGULAR_VELOCITY,
                StateMeaning::Work => units::ENERGY,
            },
            Quantity::Derivative(i) => match self.meanings[i] {
                StateMeaning::Position(..) => units::VELOCITY,
                StateMeaning::Orientation(..) => units::QUATERNION_RATE,
                StateMeaning::Velocity(..) => units::ACCELERATION,
                StateMeaning::AngularVelocity(..) => units::ANGULAR_ACCELERATION,
                StateMeaning::Work => units::POWER,
            },
            Quantity::Parameter(i) => match self.scene.parameters()[i] {
                Parameter::Gravity(_) => units::ACCELERATION,
                Parameter::GravitationalParameter => units::GRAVITATIONAL_PARAMETER,
                Parameter::GravityCenter(_)
                | Parameter::FixedPosition(..)
                | Parameter::CenterOfMass(..) => units::POSITION,
                Parameter::FixedOrientation(..) => units::QUATERNION,
                Parameter::Mass(_) => units::MASS,
                Parameter::Inertia(..) => units::INERTIA,
                Parameter::YoungsModulus(_) => units::MODULUS,
                Parameter::VSmall(_) => units::VELOCITY,
                Parameter::WSmall(_) => units::ANGULAR_VELOCITY,
                Parameter::DMax => units::DAMPING,
                Parameter::PoissonsRatio(_)
                | Parameter::Restitution(_)
                | Parameter::SlidingFriction(_)
                | Parameter::RollingResistance(_)
                | Parameter::KRed => units::COEFFICIENT,
            },
            Quantity::ContactForce(..) => units::FORCE,
            Quantity::ContactTorque(..) => units::TORQUE,
            Quantity::KineticEnergy | Quantity::PotentialEnergy | Quantity::ElasticEnergy => {
                units::ENERGY
            }
            Quantity::Indicator(_) => units::LENGTH,
            Quantity::ContactCount => return None,
        })
    }

    fn description(&self, quantity: Quantity) -> String {
        let (text, axes) = match quantity {
            Quantity::Time => ("Time".into(), ""),
            Quantity::State(i) => self.state_text(self.meanings[i]),
            Quantity::Derivative(i) => {
                let (text, axes) = self.state_text(self.meanings[i]);
                let mut letters = text.chars();
                let first = letters.next().map(|c| c.to_ascii_lowercase());
                let text = first.into_iter().chain(letters).collect::<String>();
                (format!("Time derivative of {text}"), axes)
            }
            Quantity::Parameter(i) => self.parameter_text(self.scene.parameters()[i]),
            Quantity::ContactForce(_, i) => (
                format!("Contact force on the body along {}", AXES[i]),
                "world axes",
            ),
            Quantity::ContactTorque(_, i) => (
                format!(
                    "Contact torque on the body about {} through its origin",
                    AXES[i]
                ),
                "world axes",
            ),
            Quantity::ContactCount => ("Number of pairs in contact".into(), ""),
            Quantity::KineticEnergy => ("Kinetic energy of all bodies".into(), ""),
            Quantity::PotentialEnergy => (
                "Potential energy of all bodies in the gravity field".into(),
                "",
            ),
            Quantity::ElasticEnergy => ("Elastic energy of all contacts".into(), ""),
            Quantity::Indicator(i) if self.scene.monitors_all_pairs() => (
                format!("Event indicator of {}: gap", self.scene.pair_name(i)),
                "",
            ),
            Quantity::Indicator(i) => (
                format!(
                    "Event indicator: gap of the pair monitored in slot {}",
                    i + 1
                ),
                "",
            ),
        };
        let unit = self
            .declared_type(quantity)
            .map_or("1", |declared| declared.unit_text());
        if axes.is_empty() {
            format!("{text} [{unit}]")
        } else {
            format!("{text} [{unit}], {axes}")
        }
    }

    /// Text and axes of a state; the text starts with a capital.
    fn state_text(&self, state: StateMeaning) -> (String, &'static str) {
        match state {
            StateMeaning::Position(_, i) => (
                format!("Position {} of the body origin", AXES[i]),
                "world axes",
            ),
            StateMeaning::Orientation(_, i) => (
                format!("Orientation, component {} of the quaternion", QUATERNION[i]),
                "body to world axes",
            ),
            StateMeaning::Velocity(_, i) => (
                format!("Velocity of the body origin along {}", AXES[i]),
                "world axes",
            ),
            StateMeaning::AngularVelocity(_, i) => (
                format!("Angular velocity of the body about {}", AXES[i]),
                "body axes",
            ),
            StateMeaning::Work => ("Energy dissipated in all contacts".into(), ""),
        }
    }

    fn parameter_text(&self, parameter: Parameter) -> (String, &'static str) {
        match parameter {
            Parameter::Gravity(i) => (
                format!("Gravitational acceleration along {}", AXES[i]),
                "world axes",
            ),
            Parameter::GravitationalParameter => {
                ("Gravitational parameter of the attracting point".into(), "")
            }
            Parameter::GravityCenter(i) => (
                format!("Position {} of the attracting point", AXES[i]),
                "world axes",
            ),
            Parameter::FixedPosition(b, i) => self.state_text(StateMeaning::Position(b, i)),
            Parameter::FixedOrientation(b, i) => self.state_text(StateMeaning::Orientation(b, i)),
            Parameter::Mass(_) => ("Mass of the body".into(), ""),
            Parameter::CenterOfMass(_, i) => (
                format!(
                    "Position {} of the centre of mass from the body origin",
                    AXES[i]
                ),
                "body axes",
            ),
            Parameter::Inertia(_, i) => {
                let (row, column) = INERTIA_ENTRIES[i];
                (
                    format!(
                        "Inertia tensor entry {}{} about the centre of mass",
                        AXES[row], AXES[column]
                    ),
                    "body axes",
                )
            }
            Parameter::YoungsModulus(_) => ("Young's modulus".into(), ""),
            Parameter::PoissonsRatio(_) => ("Poisson's ratio".into(), ""),
            Parameter::Restitution(_) => ("Coefficient of restitution".into(), ""),
            Parameter::SlidingFriction(_) => ("Coefficient of sliding friction".into(), ""),
            Parameter::RollingResistance(_) => ("Coefficient of rolling resistance".into(), ""),
            Parameter::VSmall(_) => (
                "Speed below which friction and restitution are regularized".into(),
                "",
            ),
            Parameter::WSmall(_) => (
                "Angular speed below which rolling resistance is regularized".into(),
                "",
            ),
            Parameter::KRed => ("Factor on all contact stiffnesses".into(), ""),
            Parameter::DMax => ("Largest damping coefficient of a contact".into(), ""),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::modes::Standard;
    use crate::instance::variables::Initial;
    use crate::instance::variables::tests::{scene, two_balls};
    use crate::scene::description::{Gravity, MaterialPair};

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
    fn names_follow_the_structured_convention() {
        let variables = all(&scene());
        for name in [
            "time",
            "ball.position[1]",
            "ball.orientation[4]",
            "other.velocity[3]",
            "other.angular_velocity[1]",
            "energy.dissipated",
            "der(ball.position[1])",
            "der(energy.dissipated)",
            "world.gravity[3]",
            "ground.position[3]",
            "ground.orientation[1]",
            "ball.mass",
            "ball.center_of_mass[2]",
            "ball.inertia[1,1]",
            "ball.inertia[2,3]",
            "material.Steel.youngs_modulus",
            "material.Steel.poissons_ratio",
            "material_pair.Steel.Steel.restitution",
            "material_pair.Steel.Steel.sliding_friction",
            "material_pair.Steel.Steel.rolling_resistance",
            "material_pair.Steel.Steel.v_small",
            "material_pair.Steel.Steel.w_small",
            "contact.k_red",
            "contact.d_max",
            "ground.contact_force[1]",
            "ball.contact_torque[3]",
            "contact.count",
            "energy.kinetic",
            "energy.potential",
            "energy.contact_elastic",
            "contact.indicator[3]",
        ] {
            find(&variables, name);
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
        let mu = find(&variables, "world.gravitational_parameter");
        assert_eq!(mu.start, Some(4e14));
        assert_eq!(find(&variables, "world.gravity_center[3]").start, Some(3.0));
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
            ("contact.d_max", 1000.0),
        ] {
            assert_eq!(find(&variables, name).start, Some(start), "{name}");
        }
        // m = 8000 pi d^3/6 for a ball of diameter 0.2 m
        let mass = find(&variables, "ball.mass").start.unwrap();
        assert!((mass - 33.510321638291124).abs() < 1e-12, "{mass}");
    }

    #[test]
    fn exactly_the_variables_with_an_exact_start_have_one() {
        for variable in all(&scene()) {
            let exact = variable.quantity.initial() == Some(Initial::Exact);
            assert_eq!(variable.start.is_some(), exact, "{}", variable.name);
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

    #[test]
    fn descriptions_end_with_unit_and_axes() {
        let variables = all(&scene());
        for (name, text) in [
            (
                "ball.velocity[3]",
                "Velocity of the body origin along z [m/s], world axes",
            ),
            (
                "der(ball.velocity[3])",
                "Time derivative of velocity of the body origin along z [m/s2], world axes",
            ),
            (
                "ball.angular_velocity[1]",
                "Angular velocity of the body about x [rad/s], body axes",
            ),
            (
                "ball.inertia[1,3]",
                "Inertia tensor entry xz about the centre of mass [kg.m2], body axes",
            ),
            ("contact.count", "Number of pairs in contact [1]"),
            (
                "contact.indicator[1]",
                "Event indicator of ground:ball: gap [m]",
            ),
        ] {
            assert_eq!(find(&variables, name).description, text);
        }
        for variable in &variables {
            let unit = variable.declared_type.map_or("1", |t| t.unit_text());
            let (_, end) = variable.description.rsplit_once(" [").unwrap();
            let (found, axes) = end.split_once(']').unwrap();
            assert_eq!(found, unit, "{}", variable.name);
            assert!(
                axes.is_empty() || axes.ends_with(" axes"),
                "{}",
                variable.name
            );
        }
    }

    #[test]
    fn names_stay_distinct_when_special_characters_become_underscores() {
        let scene = scene();
        let table = VariableTable::new(&scene, Standard::Fmi3);
        assert_eq!(Describer::new(&scene, &table).check_names(), Ok(()));
    }

    #[test]
    fn names_that_would_become_equal_are_named_both() {
        // Material pairs (A_B, C) and (A, B_C).
        let mut description = two_balls();
        let steel = description.materials[0].clone();
        let response = description.material_pairs[0].response;
        let names = ["A_B", "C", "A", "B_C"];
        for (name, shape) in names.iter().zip(0..4) {
            let mut material = steel.clone();
            material.name = (*name).into();
            description.materials.push(material);
            if shape >= 2 {
                let copy = description.bodies[1].shapes[0].clone();
                description.bodies[shape - 1].shapes.push(copy);
            }
            description.material_pairs.push(MaterialPair {
                materials: [(*name).into(), (*name).into()],
                response,
            });
        }
        let bodies = &mut description.bodies;
        bodies[1].shapes[0].material = "A_B".into();
        bodies[1].shapes[1].material = "A".into();
        bodies[1].shapes[1].name = "second".into();
        bodies[2].shapes[0].material = "C".into();
        bodies[2].shapes[1].material = "B_C".into();
        bodies[2].shapes[1].name = "second".into();
        let scene = Scene::new(description).unwrap();
        let table = VariableTable::new(&scene, Standard::Fmi3);
        let clash = Describer::new(&scene, &table).check_names().unwrap_err();
        assert_eq!(
            (clash.first.as_str(), clash.second.as_str()),
            (
                "material_pair.A_B.C.restitution",
                "material_pair.A.B_C.restitution"
            )
        );
        assert_eq!(clash.replaced, "material_pair_A_B_C_restitution");
    }
}
