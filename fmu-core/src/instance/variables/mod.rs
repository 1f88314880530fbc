//! The variable table: every variable of the FMU, produced once from the scene. The writer of
//! modelDescription.xml, the C API and the tests read this table; nothing else knows a value
//! reference.
//!
//! Value references are 1, 2, 3 ... in document order:
//! [time (FMI 3.0) | states | state derivatives | parameters | contact force and torque of each body |
//! number of contacts | kinetic, potential, elastic energy | event indicators]. So a reference and
//! a meaning are found from each other by arithmetic, and an instance is made without touching a
//! string; names and texts are made on demand.
//!
//! - this file: [`VariableTable`], reference <-> [`Quantity`]
//! - [`describe`]: names, texts, start values
//! - [`structure`]: what depends on what
//! - [`units`]: units and declared types

pub mod describe;
pub mod structure;
pub mod units;

use crate::instance::modes::Standard;
use crate::scene::Scene;
use units::DeclaredType;

/// What a variable means; its address for reading and writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// The independent variable [s].
    Time,
    /// State by index.
    State(usize),
    /// Derivative of the state with this index.
    Derivative(usize),
    /// Parameter by index in the scene's list.
    Parameter(usize),
    /// Contact force on a body (its index), component 0..3, world axes [N].
    ContactForce(usize, usize),
    /// Contact torque on a body (its index) about its origin, component 0..3, world axes [N.m].
    ContactTorque(usize, usize),
    /// Number of pairs in contact.
    ContactCount,
    /// Kinetic energy [J].
    KineticEnergy,
    /// Potential energy [J].
    PotentialEnergy,
    /// Energy stored in the contacts [J].
    ElasticEnergy,
    /// Event indicator by slot [m].
    Indicator(usize),
}

/// Type of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataType {
    /// 64-bit floating point.
    Float64,
    /// 32-bit signed integer.
    Int32,
}

/// Causality in the words of FMI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Causality {
    /// The independent variable.
    Independent,
    /// Set by the user.
    Parameter,
    /// For other models.
    Output,
    /// Inner variable.
    Local,
}

impl Causality {
    /// The word of FMI.
    pub fn word(self) -> &'static str {
        match self {
            Causality::Independent => "independent",
            Causality::Parameter => "parameter",
            Causality::Output => "output",
            Causality::Local => "local",
        }
    }
}

/// Variability in the words of FMI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variability {
    /// Constant after initialisation.
    Fixed,
    /// Constant between events, where the user may change it.
    Tunable,
    /// Changes at events only.
    Discrete,
    /// Changes at any time.
    Continuous,
}

impl Variability {
    /// The word of FMI.
    pub fn word(self) -> &'static str {
        match self {
            Variability::Fixed => "fixed",
            Variability::Tunable => "tunable",
            Variability::Discrete => "discrete",
            Variability::Continuous => "continuous",
        }
    }
}

/// Where the value after initialisation comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Initial {
    /// From the start value.
    Exact,
    /// Computed.
    Calculated,
}

impl Initial {
    /// The word of FMI.
    pub fn word(self) -> &'static str {
        match self {
            Initial::Exact => "exact",
            Initial::Calculated => "calculated",
        }
    }
}

impl Quantity {
    /// Type of the variable.
    pub fn data_type(self) -> DataType {
        match self {
            Quantity::ContactCount => DataType::Int32,
            _ => DataType::Float64,
        }
    }

    /// Causality of the variable. States are outputs: a pose is what another model asks for.
    pub fn causality(self) -> Causality {
        match self {
            Quantity::Time => Causality::Independent,
            Quantity::Parameter(_) => Causality::Parameter,
            Quantity::Derivative(_) | Quantity::Indicator(_) => Causality::Local,
            Quantity::State(_)
            | Quantity::ContactForce(..)
            | Quantity::ContactTorque(..)
            | Quantity::ContactCount
            | Quantity::KineticEnergy
            | Quantity::PotentialEnergy
            | Quantity::ElasticEnergy => Causality::Output,
        }
    }

    /// Where the value after initialisation comes from; none for the independent variable.
    pub fn initial(self) -> Option<Initial> {
        match self {
            Quantity::Time => None,
            Quantity::State(_) | Quantity::Parameter(_) => Some(Initial::Exact),
            _ => Some(Initial::Calculated),
        }
    }

    /// Whether the importer may ask for the variable between communication points: continuous
    /// outputs, [FMI 3.0] section 2.3.1 (requiredIntermediateVariables).
    pub fn has_intermediate_values(self) -> bool {
        self.causality() == Causality::Output && self != Quantity::ContactCount
    }

    /// What `initial` is where modelDescription.xml leaves it away [FMI 3.0], table "Definition of initial".
    pub fn default_initial(self) -> Option<Initial> {
        match self.causality() {
            Causality::Independent => None,
            Causality::Parameter => Some(Initial::Exact),
            Causality::Output | Causality::Local => Some(Initial::Calculated),
        }
    }
}

/// One variable as modelDescription.xml tells it.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Structured name, unique.
    pub name: String,
    /// Value reference: 1, 2, 3 ... in document order.
    pub reference: u32,
    /// Meaning; gives type, causality and initial.
    pub quantity: Quantity,
    /// When the value may change.
    pub variability: Variability,
    /// The declared type, which carries unit and quantity; none for an integer.
    pub declared_type: Option<DeclaredType>,
    /// Start value, where `initial` is exact.
    pub start: Option<f64>,
    /// Nominal magnitude of a state.
    pub nominal: Option<f64>,
    /// For a state derivative: value reference of the state.
    pub derivative_of: Option<u32>,
    /// Ends with unit, point and axes.
    pub description: String,
}

/// Number of contact outputs of a body: force (3) and torque (3).
const WRENCH: usize = 6;

/// References and meanings of all variables of a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableTable {
    standard: Standard,
    /// Parameters may change during a run.
    tunable: bool,
    states: usize,
    parameters: usize,
    /// Bodies with contact force and torque: the free ones and those with a shape that can touch.
    contact_bodies: Vec<usize>,
    indicators: usize,
}

impl VariableTable {
    /// The table of a scene for importers of an FMI version.
    pub fn new(scene: &Scene, standard: Standard) -> Self {
        let mut has_outputs: Vec<bool> = scene.bodies().iter().map(|b| b.is_free()).collect();
        for shape in scene.shapes() {
            has_outputs[shape.body] = true;
        }
        VariableTable {
            standard,
            tunable: scene.interface().tunable,
            states: scene.layout().count(),
            parameters: scene.parameters().len(),
            contact_bodies: (0..has_outputs.len()).filter(|b| has_outputs[*b]).collect(),
            indicators: scene.indicator_count(),
        }
    }

    /// FMI version of the importers that the table is for.
    pub fn standard(&self) -> Standard {
        self.standard
    }

    /// Whether the independent variable is one of the variables: in FMI 3.0 it must be; in FMI 2.0
    /// it is left away, where some tools have a variable `time` of their own.
    fn has_time(&self) -> bool {
        self.standard == Standard::Fmi3
    }

    /// Number of variables; the largest reference.
    pub fn count(&self) -> usize {
        self.first_indicator() + self.indicators - 1
    }

    /// Number of parameters.
    pub fn parameter_count(&self) -> usize {
        self.parameters
    }

    /// Meaning of a reference; none where no variable has it.
    pub fn quantity(&self, reference: u32) -> Option<Quantity> {
        let mut index = (reference as usize).checked_sub(1)?;
        if self.has_time() {
            if index == 0 {
                return Some(Quantity::Time);
            }
            index -= 1;
        }
        if index < self.states {
            return Some(Quantity::State(index));
        }
        index -= self.states;
        if index < self.states {
            return Some(Quantity::Derivative(index));
        }
        index -= self.states;
        if index < self.parameters {
            return Some(Quantity::Parameter(index));
        }
        index -= self.parameters;
        if let Some(body) = self.contact_bodies.get(index / WRENCH) {
            let component = index % WRENCH;
            return Some(match component.checked_sub(3) {
                None => Quantity::ContactForce(*body, component),
                Some(component) => Quantity::ContactTorque(*body, component),
            });
        }
        index -= WRENCH * self.contact_bodies.len();
        match index {
            0 => Some(Quantity::ContactCount),
            1 => Some(Quantity::KineticEnergy),
            2 => Some(Quantity::PotentialEnergy),
            3 => Some(Quantity::ElasticEnergy),
            _ if index - 4 < self.indicators => Some(Quantity::Indicator(index - 4)),
            _ => None,
        }
    }

    /// Reference of a meaning; none where the scene has no such variable.
    pub fn reference(&self, quantity: Quantity) -> Option<u32> {
        let reference = match quantity {
            Quantity::Time if self.has_time() => 1,
            Quantity::State(i) if i < self.states => self.first_state() + i,
            Quantity::Derivative(i) if i < self.states => self.first_state() + self.states + i,
            Quantity::Parameter(i) if i < self.parameters => self.first_parameter() + i,
            Quantity::ContactForce(body, component) if component < 3 => {
                self.first_wrench(body)? + component
            }
            Quantity::ContactTorque(body, component) if component < 3 => {
                self.first_wrench(body)? + 3 + component
            }
            Quantity::ContactCount => self.first_indicator() - 4,
            Quantity::KineticEnergy => self.first_indicator() - 3,
            Quantity::PotentialEnergy => self.first_indicator() - 2,
            Quantity::ElasticEnergy => self.first_indicator() - 1,
            Quantity::Indicator(i) if i < self.indicators => self.first_indicator() + i,
            _ => return None,
        };
        u32::try_from(reference).ok()
    }

    /// All meanings with their references, in document order.
    pub fn quantities(&self) -> impl Iterator<Item = (u32, Quantity)> + '_ {
        (1..=self.count() as u32).filter_map(|r| Some((r, self.quantity(r)?)))
    }

    /// Variability of a variable.
    pub fn variability(&self, quantity: Quantity) -> Variability {
        match quantity {
            Quantity::Parameter(_) if self.tunable => Variability::Tunable,
            Quantity::Parameter(_) => Variability::Fixed,
            Quantity::ContactCount => Variability::Discrete,
            _ => Variability::Continuous,
        }
    }

    fn first_state(&self) -> usize {
        1 + usize::from(self.has_time())
    }

    fn first_parameter(&self) -> usize {
        self.first_state() + 2 * self.states
    }

    fn first_wrench(&self, body: usize) -> Option<usize> {
        let index = self.contact_bodies.binary_search(&body).ok()?;
        Some(self.first_parameter() + self.parameters + WRENCH * index)
    }

    fn first_indicator(&self) -> usize {
        self.first_parameter() + self.parameters + WRENCH * self.contact_bodies.len() + 4
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::fixtures::{ball, plate, steel_scene};
    use crate::scene::SceneDescription;

    /// A free steel ball, a second one of the same kind, and a steel plate below them.
    pub(crate) fn two_balls() -> SceneDescription {
        let mut first = ball("ball", [0.0, 0.0, 1.1]);
        first.velocity = [0.5, 0.0, 0.0];
        first.angular_velocity = [0.0, 0.0, 1e-9];
        let mut ground = plate();
        ground.name = "ground".into();
        let other = ball("other", [0.5, 0.0, 1.1]);
        let mut description = steel_scene(vec![ground, first, other]);
        description.name = "two_balls".into();
        description.energy_balance = true;
        description
    }

    pub(crate) fn scene() -> Scene {
        Scene::new(two_balls()).unwrap()
    }

    #[test]
    fn references_run_from_1_and_give_their_meaning_back() {
        let table = VariableTable::new(&scene(), Standard::Fmi3);
        // time; 27 states and derivatives; 3 gravity, 7 fixed pose, 2 x 10 mass, 2 material,
        // 5 pair, 2 contact; 3 bodies x 6; count; 3 energies; 3 pairs
        let parameters = 3 + 7 + 20 + 2 + 5 + 2;
        assert_eq!(table.count(), 1 + 54 + parameters + 18 + 4 + 3);
        assert_eq!(table.quantity(0), None);
        assert_eq!(table.quantity(1), Some(Quantity::Time));
        assert_eq!(table.quantity(table.count() as u32 + 1), None);
        assert_eq!(table.quantity(u32::MAX), None);
        let mut seen = 0;
        for (reference, quantity) in table.quantities() {
            seen += 1;
            assert_eq!(reference, seen);
            assert_eq!(table.reference(quantity), Some(reference), "{quantity:?}");
        }
        assert_eq!(seen as usize, table.count());
    }

    #[test]
    fn meanings_that_the_scene_does_not_have_have_no_reference() {
        let table = VariableTable::new(&scene(), Standard::Fmi3);
        for quantity in [
            Quantity::State(27),
            Quantity::Derivative(27),
            Quantity::Parameter(39),
            Quantity::ContactForce(3, 0),
            Quantity::ContactForce(0, 3),
            Quantity::ContactTorque(0, 3),
            Quantity::Indicator(3),
        ] {
            assert_eq!(table.reference(quantity), None, "{quantity:?}");
        }
    }

    #[test]
    fn a_fixed_body_without_a_shape_that_can_touch_has_no_contact_outputs() {
        let mut description = two_balls();
        description.bodies[0].shapes[0].collision = false;
        description.bodies[1].shapes[0].collision = false;
        let table = VariableTable::new(&Scene::new(description).unwrap(), Standard::Fmi3);
        assert_eq!(table.reference(Quantity::ContactForce(0, 0)), None);
        assert!(table.reference(Quantity::ContactForce(1, 0)).is_some());
    }
}
