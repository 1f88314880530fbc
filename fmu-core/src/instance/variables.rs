//! The variable table: every variable of the FMU, produced once from the scene. The writer of
//! modelDescription.xml, the C API and the tests read this table; nothing else knows a value
//! reference.

use crate::scene::Parameter;

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
    /// Component of the contact force on a body, world axes [N].
    ContactForce(usize, usize),
    /// Component of the contact torque on a body about its origin, world axes [N.m].
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

/// Variability in the words of FMI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variability {
    /// Constant after initialisation.
    Fixed,
    /// Changes at events only.
    Discrete,
    /// Changes at any time.
    Continuous,
}

/// Where the value after initialisation comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Initial {
    /// From the start value.
    Exact,
    /// Computed.
    Calculated,
}

/// One variable as modelDescription.xml tells it.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Structured name, unique.
    pub name: String,
    /// Value reference: 1, 2, 3 ... in document order.
    pub reference: u32,
    /// Meaning.
    pub quantity: Quantity,
    /// Type.
    pub data_type: DataType,
    /// Name of the declared type, which carries unit and quantity; none where dimensionless
    /// without a type.
    pub declared_type: Option<&'static str>,
    /// Causality.
    pub causality: Causality,
    /// Variability.
    pub variability: Variability,
    /// Where the initial value comes from; none for the independent variable.
    pub initial: Option<Initial>,
    /// Start value, where `initial` is exact.
    pub start: Option<f64>,
    /// Nominal magnitude of a state.
    pub nominal: Option<f64>,
    /// For a state derivative: value reference of the state.
    pub derivative_of: Option<u32>,
    /// The state may jump at an event.
    pub reinit: bool,
    /// Ends with unit, point and axes.
    pub description: String,
    /// For outputs, derivatives and indicators: value references of the continuous-time states
    /// the value depends on, ascending.
    pub dependencies: Vec<u32>,
}

#[allow(unused)]
fn contract(_: Parameter) {}
