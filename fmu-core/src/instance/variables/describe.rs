//! Types, start values and attributes of the variables. Computed on demand, when an FMU is built.
//!
//! Most contact forces are compliant: an event changes which pairs are in contact, and of the states
//! only deflections of contacts that end, and with them the dissipated work; these carry `reinit`.
//! Where contacts have impulses velocities do, too, and so do those of trees with a latch and of joints on a
//! body whose velocity may jump.

use super::VariableTable;
use super::families::Starts;
use super::quantity::{
    Causality, DataType, Family, Initial, Quantity, Subject, Variability, Words,
};
use super::states::{StateItem, StateMeaning};
use contact_laws::index::{BodyId, JointId};
use contact_laws::quantity::units::DeclaredType;
use contact_model::scene::lists::latched_bodies;
use contact_model::scene::{Parameters, Scene};

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
    /// Where the value after initialisation comes from; none if it is from where it is by default, [FMI 3.0]
    /// table "Definition of initial": given for a parameter, computed for an output or a local variable.
    pub initial: Option<Initial>,
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
    table: &'a VariableTable,
    starts: Starts<'a>,
    /// Bodies of trees with a latch, ascending.
    latched_bodies: Vec<BodyId>,
}

impl<'a> Describer<'a> {
    /// A describer of a scene; `table` must be of the same scene.
    pub fn new(scene: &'a Scene, table: &'a VariableTable) -> Self {
        Describer {
            table,
            starts: Starts {
                scene,
                states: scene.start_states(),
                parameters: Parameters::start(scene),
            },
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

    fn variable(&self, reference: u32, quantity: Quantity, nominals: &[f64]) -> Variable {
        let (scene, row) = (self.starts.scene, quantity.row());
        let elements = || {
            let elements = self.table.elements(reference);
            elements.filter_map(|element| self.table.meaning(element))
        };
        let is_state = quantity.family == Family::State;
        let nominal = |of: Quantity| nominals.get(of.of).copied().filter(|_| is_state);
        let subject = quantity.subject(scene);
        let dimension = self.table.dimension(reference);
        let words = Words {
            scene,
            size: dimension,
        };
        let text = quantity.text(&words);
        Variable {
            name: self.table.name(scene, quantity),
            subject,
            member: self.member(quantity, &subject.name(scene)),
            reference,
            quantity,
            data_type: quantity.data_type(scene),
            dimension,
            columns: (row.columns)(scene, quantity).filter(|_| dimension.is_some()),
            causality: self.table.causality(scene, quantity),
            intermediate: self.table.has_intermediate_values(scene, quantity),
            variability: quantity.variability(scene),
            initial: quantity.initial(scene).filter(|initial| {
                let is_exact = *initial == Initial::Exact;
                is_exact != (quantity.family == Family::Parameter)
            }),
            declared_type: text.declared,
            start: elements()
                .filter_map(|q| (row.start)(&self.starts, q))
                .collect(),
            nominal: elements().filter_map(nominal).reduce(f64::min),
            derivative_of: match quantity.family {
                Family::Derivative => self.table.reference(Family::State.of(quantity.of)),
                _ => None,
            },
            reinit: is_state && self.changes_at_events(&StateMeaning::of(scene, quantity.of)),
            description: text.with_unit(quantity.data_type(scene)),
        }
    }

    /// Structured name of a variable within its subject, `position[1]`; all of it where it does not
    /// begin with the name of the subject.
    fn member(&self, quantity: Quantity, subject: &str) -> String {
        let name = self.table.structured(self.starts.scene, quantity);
        let member = name.strip_prefix(subject);
        let member = member.and_then(|rest| rest.strip_prefix('.'));
        member.map_or(name.clone(), str::to_owned)
    }

    fn changes_at_events(&self, state: &StateMeaning) -> bool {
        let scene = self.starts.scene;
        let (child, jumps) = match (state.subject, state.item) {
            (_, StateItem::Deflection(..)) => return true,
            (_, StateItem::Work) => {
                return scene.has_impulses()
                    || scene.layout().deflection_count() > 0
                    || !scene.latches().is_empty();
            }
            (Subject::Body(body), _) => (body, false),
            (Subject::Joint(joint), _) => (scene.joints()[joint].child, self.jumps(joint)),
            _ => return false,
        };
        let may_jump = scene.has_impulses() || self.latched_bodies.contains(&child) || jumps;
        state.is_rate && may_jump
    }

    /// Returns true if a joint is in a tree on a prescribed body whose velocity jumps.
    fn jumps(&self, joint: JointId) -> bool {
        let joints = self.starts.scene.joints();
        let carrier = |joint: JointId| {
            let parent = joints[joint].parent?;
            joints.position(|other| other.child == parent)
        };
        let mut root = joint;
        while let Some(next) = carrier(root) {
            root = next;
        }
        let mut motions = self.starts.scene.motions().iter();
        motions.any(|motion| joints[root].parent == Some(motion.body) && motion.has_impulses())
    }
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
            let exact = variable.quantity.initial(&scene()) == Some(Initial::Exact);
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
            if variable.data_type == DataType::Boolean {
                assert!(!variable.description.contains('['), "{}", variable.name);
                continue;
            }
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
