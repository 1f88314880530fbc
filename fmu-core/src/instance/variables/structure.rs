//! What depends on what: the model structure as [FMI 3.0] section 2.4.8 asks for it.
//!
//! Dependencies are structural, from the scene alone. Known in continuous time and at events are
//! the states (there is no input; nothing depends on time; parameters are fixed). Known in
//! Initialization Mode are all variables with `initial = exact`: states and parameters. Two bodies
//! feel each other where two of their shapes form a candidate pair. In the formulas q is position
//! and orientation, v velocity and angular velocity:
//!
//! - position' = velocity; orientation' from orientation and angular velocity of the same body
//! - velocity', contact force and torque from q, v of the body and of all it can touch
//! - indicators, number of contacts and elastic energy from the q of the bodies in the pairs
//! - kinetic energy from orientation and v, potential energy from q of all free bodies
//! - dissipated power from q, v of all bodies in pairs

use super::describe::{StateMeaning, state_meanings};
use super::{Causality, Initial, Quantity, VariableTable};
use crate::scene::{Parameter, Scene, StateLayout};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// An unknown and the value references it depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// Value reference of the unknown.
    pub reference: u32,
    /// Value references of the knowns that enter it, ascending; may be empty.
    pub dependencies: Vec<u32>,
}

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
        let mut last = (Origin::Nothing, Knowns::default());
        for (reference, quantity) in table.quantities() {
            let list = match quantity {
                Quantity::Derivative(_) => &mut structure.state_derivatives,
                Quantity::Indicator(_) => &mut structure.event_indicators,
                _ if quantity.causality() == Causality::Output => &mut structure.outputs,
                _ => continue,
            };
            let origin = finder.origin(quantity);
            if origin != last.0 {
                last = (origin, finder.knowns(origin));
            }
            let Knowns { states, parameters } = &last.1;
            list.push(Unknown {
                reference,
                dependencies: states.iter().copied().collect(),
            });
            // Event indicators are for debugging only in Initialization Mode and not listed there.
            if quantity.initial() == Some(Initial::Calculated)
                && !matches!(quantity, Quantity::Indicator(_))
            {
                // States come before parameters in the document, so this is ascending.
                structure.initial_unknowns.push(Unknown {
                    reference,
                    dependencies: states.iter().chain(parameters).copied().collect(),
                });
            }
        }
        structure
    }
}

/// What a quantity is computed from; quantities of one origin have the same dependencies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    Nothing,
    State(usize),
    /// Orientation and angular velocity of a body.
    Rotation(usize),
    /// All forces on a body.
    Motion(usize),
    /// Contact forces on a body.
    Wrench(usize),
    Kinetic,
    Potential,
    Elastic,
    Dissipated,
    /// Gap of a pair.
    Gap(usize),
    /// Gaps of all pairs.
    Gaps,
}

/// References of the states and parameters that a quantity depends on.
#[derive(Default)]
struct Knowns {
    states: BTreeSet<u32>,
    parameters: BTreeSet<u32>,
}

struct Finder<'a> {
    scene: &'a Scene,
    meanings: Vec<StateMeaning>,
    first_state: u32,
    parameters: HashMap<Parameter, u32>,
    /// For each body the candidate pairs that it takes part in.
    pairs_of: Vec<Vec<usize>>,
}

impl<'a> Finder<'a> {
    fn new(scene: &'a Scene, table: &VariableTable) -> Self {
        let mut pairs_of = vec![Vec::new(); scene.bodies().len()];
        for (index, pair) in scene.pairs().iter().enumerate() {
            for shape in pair.shapes {
                pairs_of[scene.shapes()[shape].body].push(index);
            }
        }
        let parameters = scene.parameters().iter().enumerate();
        Finder {
            scene,
            meanings: state_meanings(scene),
            first_state: table.reference(Quantity::State(0)).unwrap_or(0),
            parameters: parameters
                .filter_map(|(i, p)| Some((*p, table.reference(Quantity::Parameter(i))?)))
                .collect(),
            pairs_of,
        }
    }

    fn origin(&self, quantity: Quantity) -> Origin {
        match quantity {
            Quantity::Time | Quantity::Parameter(_) => Origin::Nothing,
            Quantity::State(i) => Origin::State(i),
            Quantity::Derivative(i) => match self.meanings[i] {
                StateMeaning::Position(b, i) => match self.scene.layout().body(b) {
                    Some(offset) => Origin::State(StateLayout::velocity(offset).start + i),
                    None => Origin::Nothing,
                },
                StateMeaning::Orientation(b, _) => Origin::Rotation(b),
                StateMeaning::Velocity(b, _) | StateMeaning::AngularVelocity(b, _) => {
                    Origin::Motion(b)
                }
                StateMeaning::Work => Origin::Dissipated,
            },
            Quantity::ContactForce(b, _) | Quantity::ContactTorque(b, _) => Origin::Wrench(b),
            Quantity::ContactCount => Origin::Gaps,
            Quantity::KineticEnergy => Origin::Kinetic,
            Quantity::PotentialEnergy => Origin::Potential,
            Quantity::ElasticEnergy => Origin::Elastic,
            Quantity::Indicator(i) if self.scene.monitors_all_pairs() => Origin::Gap(i),
            Quantity::Indicator(_) => Origin::Gaps,
        }
    }

    fn knowns(&self, origin: Origin) -> Knowns {
        let mut knowns = Knowns::default();
        let k = &mut knowns;
        let bodies = 0..self.scene.bodies().len();
        let pairs = 0..self.scene.pairs().len();
        match origin {
            Origin::Nothing => {}
            Origin::State(i) => self.states(k, i..i + 1),
            Origin::Rotation(body) => {
                self.states_of(k, body, StateLayout::orientation);
                self.states_of(k, body, StateLayout::angular_velocity);
            }
            Origin::Motion(body) => {
                self.pose(k, body);
                self.motion(k, body);
                self.mass(k, body);
                self.inertia(k, body);
                self.gravity(k);
                self.wrench(k, body);
            }
            Origin::Wrench(body) => self.wrench(k, body),
            Origin::Kinetic => {
                for body in bodies.filter(|b| self.scene.bodies()[*b].is_free()) {
                    self.states_of(k, body, StateLayout::orientation);
                    self.motion(k, body);
                    self.mass(k, body);
                    self.inertia(k, body);
                }
            }
            Origin::Potential => {
                self.gravity(k);
                if !k.parameters.is_empty() {
                    for body in bodies.filter(|b| self.scene.bodies()[*b].is_free()) {
                        self.pose(k, body);
                        self.mass(k, body);
                    }
                }
            }
            Origin::Elastic => pairs.for_each(|pair| {
                self.gap(k, pair);
                self.stiffness(k, pair);
            }),
            Origin::Dissipated => pairs.for_each(|pair| self.force(k, pair)),
            Origin::Gap(pair) => self.gap(k, pair),
            Origin::Gaps => pairs.for_each(|pair| self.gap(k, pair)),
        }
        knowns
    }

    fn states(&self, knowns: &mut Knowns, states: Range<usize>) {
        let references = states.map(|i| self.first_state + i as u32);
        knowns.states.extend(references);
    }

    fn states_of(&self, knowns: &mut Knowns, body: usize, which: fn(usize) -> Range<usize>) {
        if let Some(offset) = self.scene.layout().body(body) {
            self.states(knowns, which(offset));
        }
    }

    /// The given parameters, as far as the scene has them.
    fn parameters(&self, knowns: &mut Knowns, list: impl IntoIterator<Item = Parameter>) {
        let references = list.into_iter().filter_map(|p| self.parameters.get(&p));
        knowns.parameters.extend(references);
    }

    /// Position and orientation of a body, states or parameters.
    fn pose(&self, knowns: &mut Knowns, body: usize) {
        self.states_of(knowns, body, StateLayout::position);
        self.states_of(knowns, body, StateLayout::orientation);
        self.parameters(knowns, (0..3).map(|i| Parameter::FixedPosition(body, i)));
        self.parameters(knowns, (0..4).map(|i| Parameter::FixedOrientation(body, i)));
    }

    /// Velocity and angular velocity of a body.
    fn motion(&self, knowns: &mut Knowns, body: usize) {
        self.states_of(knowns, body, StateLayout::velocity);
        self.states_of(knowns, body, StateLayout::angular_velocity);
    }

    fn mass(&self, knowns: &mut Knowns, body: usize) {
        self.parameters(knowns, [Parameter::Mass(body)]);
        self.parameters(knowns, (0..3).map(|i| Parameter::CenterOfMass(body, i)));
    }

    fn inertia(&self, knowns: &mut Knowns, body: usize) {
        self.parameters(knowns, (0..6).map(|i| Parameter::Inertia(body, i)));
    }

    fn gravity(&self, knowns: &mut Knowns) {
        self.parameters(knowns, [Parameter::GravitationalParameter]);
        self.parameters(knowns, (0..3).map(Parameter::Gravity));
        self.parameters(knowns, (0..3).map(Parameter::GravityCenter));
    }

    fn bodies_of(&self, pair: usize) -> [usize; 2] {
        let shapes = self.scene.pairs()[pair].shapes;
        shapes.map(|shape| self.scene.shapes()[shape].body)
    }

    fn gap(&self, knowns: &mut Knowns, pair: usize) {
        for body in self.bodies_of(pair) {
            self.pose(knowns, body);
        }
    }

    /// What the elastic force of a pair depends on beside the gap.
    fn stiffness(&self, knowns: &mut Knowns, pair: usize) {
        for shape in self.scene.pairs()[pair].shapes {
            let material = self.scene.shapes()[shape].material;
            let list = [
                Parameter::YoungsModulus(material),
                Parameter::PoissonsRatio(material),
                Parameter::KRed,
            ];
            self.parameters(knowns, list);
        }
    }

    fn force(&self, knowns: &mut Knowns, pair: usize) {
        self.gap(knowns, pair);
        for body in self.bodies_of(pair) {
            self.motion(knowns, body);
        }
        self.stiffness(knowns, pair);
        let material_pair = self.scene.pairs()[pair].material_pair;
        let list = [
            Parameter::Restitution(material_pair),
            Parameter::SlidingFriction(material_pair),
            Parameter::RollingResistance(material_pair),
            Parameter::VSmall(material_pair),
            Parameter::WSmall(material_pair),
            Parameter::DMax,
        ];
        self.parameters(knowns, list);
    }

    fn wrench(&self, knowns: &mut Knowns, body: usize) {
        for pair in &self.pairs_of[body] {
            self.force(knowns, *pair);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::System;
    use crate::hybrid::HybridSystem;
    use crate::instance::variables::describe::Describer;
    use crate::instance::variables::tests::{scene, two_balls};
    use crate::scene::Parameters;
    use crate::scene::description::{Gravity, SceneDescription};
    use std::sync::Arc;

    /// The four lists with names instead of references.
    struct Named {
        outputs: Vec<(String, Vec<String>)>,
        derivatives: Vec<(String, Vec<String>)>,
        initial: Vec<(String, Vec<String>)>,
        indicators: Vec<(String, Vec<String>)>,
    }

    fn named(scene: &Scene) -> Named {
        let table = VariableTable::new(scene);
        let describer = Describer::new(scene, &table);
        let name = |r: &u32| describer.name(table.quantity(*r).unwrap());
        let list = |unknowns: &[Unknown]| {
            let one = |u: &Unknown| {
                let dependencies = u.dependencies.iter().map(name).collect();
                (name(&u.reference), dependencies)
            };
            unknowns.iter().map(one).collect()
        };
        let structure = ModelStructure::new(scene, &table);
        Named {
            outputs: list(&structure.outputs),
            derivatives: list(&structure.state_derivatives),
            initial: list(&structure.initial_unknowns),
            indicators: list(&structure.event_indicators),
        }
    }

    fn of<'a>(list: &'a [(String, Vec<String>)], name: &str) -> &'a [String] {
        &list.iter().find(|(n, _)| n == name).expect(name).1
    }

    fn components(names: &[(&str, usize)]) -> Vec<String> {
        let one = |(name, n): &(&str, usize)| -> Vec<String> {
            (1..=*n).map(|i| format!("{name}[{i}]")).collect()
        };
        names.iter().flat_map(one).collect()
    }

    fn without_contact() -> SceneDescription {
        let mut description = two_balls();
        for body in &mut description.bodies {
            body.shapes[0].collision = false;
        }
        description
    }

    #[test]
    fn the_lists_hold_what_the_standard_asks_for() {
        let scene = scene();
        let table = VariableTable::new(&scene);
        let structure = ModelStructure::new(&scene, &table);
        let references = |list: &[Unknown]| list.iter().map(|u| u.reference).collect::<Vec<_>>();
        let having = |good: &dyn Fn(Quantity) -> bool| {
            let all = table.quantities().filter(|(_, q)| good(*q));
            all.map(|(r, _)| r).collect::<Vec<_>>()
        };
        let output = |q: Quantity| q.causality() == Causality::Output;
        assert_eq!(references(&structure.outputs), having(&output));
        assert_eq!(
            references(&structure.state_derivatives),
            having(&|q| matches!(q, Quantity::Derivative(_)))
        );
        assert_eq!(
            references(&structure.event_indicators),
            having(&|q| matches!(q, Quantity::Indicator(_)))
        );
        // Outputs that are states start exactly; derivatives never do.
        assert_eq!(
            references(&structure.initial_unknowns),
            having(&|q| output(q) && !matches!(q, Quantity::State(_))
                || matches!(q, Quantity::Derivative(_)))
        );
    }

    #[test]
    fn dependencies_ascend_and_name_knowns_only() {
        let scene = scene();
        let table = VariableTable::new(&scene);
        let structure = ModelStructure::new(&scene, &table);
        let check = |list: &[Unknown], parameters: bool| {
            for unknown in list {
                let found = &unknown.dependencies;
                assert!(found.windows(2).all(|w| w[0] < w[1]), "{found:?}");
                for reference in found {
                    assert!(match table.quantity(*reference).unwrap() {
                        Quantity::State(_) => true,
                        Quantity::Parameter(_) => parameters,
                        _ => false,
                    });
                }
            }
        };
        check(&structure.outputs, false);
        check(&structure.state_derivatives, false);
        check(&structure.event_indicators, false);
        check(&structure.initial_unknowns, true);
    }

    #[test]
    fn a_state_that_is_an_output_depends_on_itself() {
        let named = named(&scene());
        assert_eq!(of(&named.outputs, "ball.position[3]"), ["ball.position[3]"]);
    }

    #[test]
    fn kinematics_depend_on_the_own_body_only() {
        let named = named(&scene());
        for list in [&named.derivatives, &named.initial] {
            assert_eq!(of(list, "der(ball.position[2])"), ["ball.velocity[2]"]);
            assert_eq!(
                of(list, "der(other.orientation[1])"),
                components(&[("other.orientation", 4), ("other.angular_velocity", 3)])
            );
        }
    }

    #[test]
    fn forces_depend_on_every_body_that_can_be_touched() {
        let named = named(&scene());
        let every = components(&[
            ("ball.position", 3),
            ("ball.orientation", 4),
            ("ball.velocity", 3),
            ("ball.angular_velocity", 3),
            ("other.position", 3),
            ("other.orientation", 4),
            ("other.velocity", 3),
            ("other.angular_velocity", 3),
        ]);
        assert_eq!(of(&named.derivatives, "der(ball.velocity[1])"), every);
        assert_eq!(of(&named.derivatives, "der(energy.dissipated)"), every);
        assert_eq!(of(&named.outputs, "ground.contact_torque[3]"), every);
    }

    #[test]
    fn a_body_that_touches_nothing_depends_on_itself_only() {
        let named = named(&Scene::new(without_contact()).unwrap());
        assert_eq!(
            of(&named.derivatives, "der(ball.angular_velocity[3])"),
            components(&[
                ("ball.position", 3),
                ("ball.orientation", 4),
                ("ball.velocity", 3),
                ("ball.angular_velocity", 3),
            ])
        );
        assert!(of(&named.outputs, "ball.contact_force[1]").is_empty());
        assert!(of(&named.outputs, "contact.count").is_empty());
        assert!(of(&named.outputs, "energy.contact_elastic").is_empty());
    }

    #[test]
    fn an_indicator_of_a_fixed_slot_depends_on_the_poses_of_its_pair() {
        let named = named(&scene());
        let ball = components(&[("ball.position", 3), ("ball.orientation", 4)]);
        assert_eq!(of(&named.indicators, "contact.indicator[1]"), ball);
        let both = components(&[
            ("ball.position", 3),
            ("ball.orientation", 4),
            ("other.position", 3),
            ("other.orientation", 4),
        ]);
        assert_eq!(of(&named.indicators, "contact.indicator[3]"), both);
        assert_eq!(of(&named.outputs, "contact.count"), both);
    }

    #[test]
    fn an_indicator_of_a_shared_slot_depends_on_all_bodies_it_may_hold() {
        let mut description = two_balls();
        description.contact.nz_max = Some(1);
        let named = named(&Scene::new(description).unwrap());
        assert_eq!(
            of(&named.indicators, "contact.indicator[1]"),
            components(&[
                ("ball.position", 3),
                ("ball.orientation", 4),
                ("other.position", 3),
                ("other.orientation", 4),
            ])
        );
    }

    #[test]
    fn initial_unknowns_depend_on_parameters_too() {
        let named = named(&scene());
        let acceleration = of(&named.initial, "der(ball.velocity[3])");
        for parameter in [
            "world.gravity[3]",
            "ball.mass",
            "ball.inertia[2,3]",
            "ground.position[3]",
            "material.Steel.youngs_modulus",
            "material_pair.Steel.Steel.sliding_friction",
            "contact.d_max",
        ] {
            assert!(acceleration.iter().any(|n| n == parameter), "{parameter}");
        }
        // The force on a body does not know the mass of the body it comes from.
        assert!(!acceleration.iter().any(|n| n == "other.mass"));
        let force = of(&named.initial, "ball.contact_force[1]");
        assert!(!force.iter().any(|n| n == "ball.mass"));
        let gravity = components(&[("world.gravity", 3)]);
        let potential = of(&named.initial, "energy.potential");
        assert_eq!(potential.iter().filter(|n| gravity.contains(n)).count(), 3);
    }

    #[test]
    fn without_gravity_the_potential_energy_depends_on_nothing() {
        let mut description = two_balls();
        description.gravity = Gravity::None;
        let named = named(&Scene::new(description).unwrap());
        assert!(of(&named.outputs, "energy.potential").is_empty());
        assert!(of(&named.initial, "energy.potential").is_empty());
    }

    /// Values of all variables of a scene at some states, with contacts found there.
    fn values(scene: &Arc<Scene>, parameters: &Parameters, at: &[f64], states: &[f64]) -> Vec<f64> {
        let mut system = System::new(Arc::clone(scene), parameters).unwrap();
        system.update_event(0.0, &mut at.to_vec()).unwrap();
        let mut derivatives = vec![0.0; system.state_count()];
        let mut indicators = vec![0.0; system.indicator_count()];
        system.derivatives(0.0, states, &mut derivatives).unwrap();
        system.indicators(0.0, states, &mut indicators).unwrap();
        let outputs = system.outputs(0.0, states).unwrap();
        let value = |quantity| match quantity {
            Quantity::Time => 0.0,
            Quantity::State(i) => states[i],
            Quantity::Derivative(i) => derivatives[i],
            Quantity::Parameter(i) => parameters.get(i),
            Quantity::ContactForce(b, i) => outputs.contact_forces[b][i],
            Quantity::ContactTorque(b, i) => outputs.contact_torques[b][i],
            Quantity::ContactCount => outputs.contact_count as f64,
            Quantity::KineticEnergy => outputs.kinetic_energy,
            Quantity::PotentialEnergy => outputs.potential_energy,
            Quantity::ElasticEnergy => outputs.elastic_energy,
            Quantity::Indicator(i) => indicators[i],
        };
        let table = VariableTable::new(scene);
        table.quantities().map(|(_, q)| value(q)).collect()
    }

    /// Disturbs every state and every parameter of a scene in which everything touches, and asks
    /// that whatever changes lists what was disturbed.
    fn assert_changes_are_listed(gravity: Gravity) {
        let mut description = two_balls();
        description.gravity = gravity;
        for (body, x) in [(1, 0.0), (2, 0.1999)] {
            let body = &mut description.bodies[body];
            body.position = [x, 0.01, 0.0999];
            body.orientation = [0.5, 0.5, -0.5, 0.5];
            body.velocity = [0.1, 0.2, -0.3];
            body.angular_velocity = [1.0, -2.0, 3.0];
            body.mass.center_of_mass = Some([0.01, 0.02, -0.01]);
            body.mass.inertia = Some([0.2, 0.3, 0.25, 0.01, -0.02, 0.03]);
        }
        description.bodies[2].velocity = [-0.2, 0.1, -0.4];
        let scene = Arc::new(Scene::new(description).unwrap());
        let parameters = Parameters::start(&scene);
        let states = scene.start_states();
        let table = VariableTable::new(&scene);
        let structure = ModelStructure::new(&scene, &table);
        let before = values(&scene, &parameters, &states, &states);
        let count = table.reference(Quantity::ContactCount).unwrap() as usize - 1;
        assert_eq!(before[count], 3.0, "everything touches");

        let mut disturbances = Vec::new();
        for i in 0..states.len() {
            let mut moved = states.clone();
            moved[i] += 1e-7;
            let after = values(&scene, &parameters, &states, &moved);
            disturbances.push((Quantity::State(i), after));
        }
        for i in 0..scene.parameters().len() {
            let mut changed = parameters.clone();
            let value = changed.get(i);
            changed.set(&scene, i, value - 1e-3 * value.abs().max(1e-4));
            let after = values(&scene, &changed, &states, &states);
            disturbances.push((Quantity::Parameter(i), after));
        }
        let mut changes = 0;
        for (disturbed, after) in disturbances {
            let known = table.reference(disturbed).unwrap();
            let lists = match disturbed {
                Quantity::State(_) => vec![
                    &structure.outputs,
                    &structure.state_derivatives,
                    &structure.initial_unknowns,
                    &structure.event_indicators,
                ],
                _ => vec![&structure.initial_unknowns],
            };
            for unknown in lists.into_iter().flatten() {
                let index = unknown.reference as usize - 1;
                if after[index] != before[index] {
                    changes += 1;
                    assert!(
                        unknown.dependencies.contains(&known),
                        "{:?} changes with {disturbed:?}",
                        table.quantity(unknown.reference)
                    );
                }
            }
        }
        assert!(changes > 500, "{changes}");
    }

    #[test]
    fn whatever_changes_with_a_state_or_a_parameter_lists_it() {
        assert_changes_are_listed(Gravity::None);
        assert_changes_are_listed(Gravity::Uniform([1.0, 2.0, -9.81]));
        assert_changes_are_listed(Gravity::Point {
            mu: 5.0,
            center: [0.1, 0.2, -3.0],
        });
    }
}
