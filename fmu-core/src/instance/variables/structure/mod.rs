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
mod tests;
