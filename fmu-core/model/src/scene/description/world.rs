//! The world, the experiment and the interface of a scene, as plain data, and their keys.

use contact_laws::quantity::row::{self, Row};
use contact_laws::quantity::{Key, Keyword, Range, Value, units};
use serde::{Deserialize, Serialize};

/// Gravity of the world.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Gravity {
    /// No gravity.
    None,
    /// Acceleration in world axes [m/s2].
    Uniform([f64; 3]),
    /// Towards a point, by the inverse square of the distance.
    Point {
        /// Gravitational parameter G M [m3/s2], >= 0.
        mu: f64,
        /// Attracting point in world axes [m].
        center: [f64; 3],
    },
}

/// Default experiment; what is not given is computed from the scene.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Experiment {
    /// Start time [s].
    pub start_time: f64,
    /// Stop time [s], > start time.
    pub stop_time: f64,
    /// Relative tolerance [1], in [`TOLERANCES`].
    pub tolerance: Option<f64>,
    /// Communication step size [s], > 0; 1/500 of the duration unless given.
    pub step_size: Option<f64>,
    /// Internal steps of one communication step at most [1], see [`STEP_BUDGETS`].
    pub max_steps: f64,
    /// Longest internal step of Co-Simulation [s], >= 0; 0: accuracy and events limit it.
    pub max_step: f64,
    /// Formula of the internal steps of Co-Simulation.
    pub solver: Solver,
    /// Threads that share the work of a communication step with [`Solver::Dem`] [1].
    pub threads: f64,
    /// The work of Co-Simulation so far is among the outputs.
    pub statistics: bool,
}

/// Formula by which Co-Simulation integrates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Solver {
    /// The explicit one, and the implicit one where stability would limit the step.
    #[default]
    Auto,
    /// Dormand and Prince, order 5.
    Explicit,
    /// Rodas5P, linearly implicit, order 5.
    Implicit,
    /// Steps of a fixed length for very many free bodies, velocity Verlet: the discrete-element
    /// method.
    Dem,
}

/// What an importer sees of the model; the motion does not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct InterfaceOptions {
    /// Vectors are array variables in FMI 3.0, `ball.position` with 3 elements; FMI 2.0 has scalars
    /// only.
    pub arrays: bool,
    /// How variables are named.
    pub naming: Naming,
    /// Parameters may change during a run, at events.
    pub tunable: bool,
    /// Refuses calls that the standard does not allow but that real importers make.
    pub strict: bool,
    /// The FMU groups inputs and outputs as terminals. Not unless asked for: the FMI Library, and so
    /// OpenModelica, calls the file fatally wrong in FMI 2.0 and prints an error for each attribute
    /// of it in FMI 3.0.
    pub terminals: bool,
    /// Who sees a contact that starts and ends again within one step of Model Exchange.
    pub guard: Guard,
    /// The patterns of the scene choose parameters too; without patterns there are none.
    pub expose_parameters: bool,
}

/// Who sees, in Model Exchange, a contact that starts and ends again within one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Guard {
    /// Every importer: the event indicators are the smallest gaps since the last step.
    #[default]
    Importer,
    /// Only one that looks inside its steps: the event indicators are the present gaps.
    Off,
    /// Also one that does not look at the indicators at the end of each step, or says that a step is
    /// completed where it is not: where the next contact starts, the scene has a time event.
    Time,
}

/// How variables are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Naming {
    /// `ball.position[1]`, `der(ball.position[1])`: the structured naming convention of FMI.
    #[default]
    Structured,
    /// `ball_position_1`, `der_ball_position_1`: letters, digits and underscores only.
    Flat,
}

/// Relative tolerances that the integrator of Co-Simulation can keep [1].
pub const TOLERANCES: Range = Range::within(1e-14, 0.1, "in 1e-14..0.1");

impl Keyword for Solver {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("auto", Solver::Auto),
        ("explicit", Solver::Explicit),
        ("implicit", Solver::Implicit),
        ("dem", Solver::Dem),
    ];
}

/// Communication steps of a run where the scene gives no step size.
const DEFAULT_STEPS: f64 = 500.0;

impl Experiment {
    /// Communication step size [s].
    pub fn communication_step(&self) -> f64 {
        let duration = self.stop_time - self.start_time;
        self.step_size.unwrap_or(duration / DEFAULT_STEPS)
    }
}

impl Solver {
    /// Its number as a value of the parameter: 1 for the first of the words.
    pub fn number(self) -> f64 {
        let place = Self::WORDS.iter().position(|(_, solver)| *solver == self);
        place.map_or(f64::NAN, |place| (place + 1) as f64)
    }

    /// The one with a number; none if there is none.
    pub fn of_number(number: f64) -> Option<Solver> {
        let mut all = Self::WORDS.iter().map(|(_, solver)| *solver);
        all.find(|solver| solver.number() == number)
    }
}

impl Keyword for Guard {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("importer", Guard::Importer),
        ("off", Guard::Off),
        ("time", Guard::Time),
    ];
}

impl Keyword for Naming {
    const WORDS: &'static [(&'static str, Self)] =
        &[("structured", Naming::Structured), ("flat", Naming::Flat)];
}

/// Gravitational parameter of point gravity.
pub const GRAVITATIONAL_PARAMETER: Key = Key::new(
    "mu",
    "Gravitational parameter of the attracting point",
    Value::Number(units::GRAVITATIONAL_PARAMETER, Range::NOT_NEGATIVE),
    "3.986e14",
);
/// Attracting point.
pub const GRAVITY_CENTER: Key = Key::new(
    "center",
    "Position",
    Value::Numbers(units::POSITION, 3),
    "[0, 0, 0]",
)
.at("attracting point, world axes");
/// Uniform gravity.
pub const GRAVITY: Key = Key::new(
    "gravity",
    "Gravitational acceleration along",
    Value::Numbers(units::ACCELERATION, 3),
    "[0, 0, -9.81]",
)
.at("world axes");
/// Internal steps of one communication step.
pub const MAX_STEPS: Key = Key::new(
    "max_steps",
    "Maximum number of internal steps per communication step in Co-Simulation",
    Value::Number(units::COEFFICIENT, STEP_BUDGETS),
    "1e5",
)
.unless("1000000");
/// Longest internal step.
pub const MAX_STEP: Key = Key::new(
    "max_step",
    "Longest internal step in Co-Simulation, 0 for as long as accuracy and events allow",
    Value::Number(units::TIME, Range::NOT_NEGATIVE),
    "\"1 ms\"",
)
.unless("0");
/// Formula of the internal steps, as the number that importers see: OpenModelica gives an enumeration
/// of FMI 3.0 no start value and then refuses to run.
pub const SOLVER: Key = Key::new(
    "solver",
    "Formula of the internal steps in Co-Simulation: 1 (auto), 2 (explicit), 3 (implicit), 4 (dem)",
    Value::Number(units::COEFFICIENT, SOLVERS),
    "1",
);
const SOLVER_TEXT: &str = "Formula of the internal steps in Co-Simulation: explicit, implicit for stiff contact, or by turns; dem: fixed small steps for very many free bodies";
/// Threads of granular mode.
pub const THREADS: Key = Key::new(
    "threads",
    "Threads that share a communication step; the results do not depend on their number",
    Value::Number(
        units::COEFFICIENT,
        Range::whole(1.0, 64.0, "a whole number in 1..64"),
    ),
    "4",
)
.unless("1");
/// Numbers of the formulas.
const SOLVERS: Range = Range::whole(1.0, 4.0, "1 (auto), 2 (explicit), 3 (implicit) or 4 (dem)");
/// Budgets of internal steps that may be asked for [1].
const STEP_BUDGETS: Range = Range::whole(1.0, 1e12, "a whole number in 1..1e12");

/// Keys of point gravity.
pub const POINT_GRAVITY: [Key; 2] = [GRAVITATIONAL_PARAMETER, GRAVITY_CENTER];
/// `[world]`.
#[rustfmt::skip]
pub const WORLD: [Key; 1] = [
    Key::new("gravity", "Gravitational acceleration along x, y, z, world axes; or none; or a point that attracts", Value::Either(&[
        Value::Numbers(units::ACCELERATION, 3),
        Value::Word(|| vec!["none"]),
        Value::Table(|| POINT_GRAVITY.to_vec()),
    ]), "[0, 0, -9.81]"),
];

/// `[experiment]`.
#[rustfmt::skip]
pub const EXPERIMENT: [Row<Experiment>; 9] = [
    row::number(
        Key::new("start_time", "Start time", Value::Number(units::TIME, Range::ANY), "0").unless("0"),
        |e| Some(e.start_time), |e, v| e.start_time = v,
    ),
    row::number(
        Key::new("stop_time", "Stop time, after the start time", Value::Number(units::TIME, Range::ANY), "\"3 s\""),
        |e| Some(e.stop_time), |e, v| e.stop_time = v,
    ),
    row::number(
        Key::new("tolerance", "Relative tolerance", Value::Number(units::COEFFICIENT, TOLERANCES), "1e-8")
            .unless("1e-8 to 1e-7, from the resting penetration and the start speeds; 1e-6 if nothing can touch"),
        |e| e.tolerance, |e, v| e.tolerance = Some(v),
    ),
    row::number(
        Key::new("step_size", "Communication step size", Value::Number(units::TIME, Range::POSITIVE), "\"2 ms\"")
            .unless("1/500 of the duration"),
        |e| e.step_size, |e, v| e.step_size = Some(v),
    ),
    row::number(MAX_STEPS, |e| Some(e.max_steps), |e, v| e.max_steps = v),
    row::number(MAX_STEP, |e| Some(e.max_step), |e, v| e.max_step = v),
    row::word::<_, Solver>("solver", SOLVER_TEXT, "\"auto\"", |e, v| e.solver = Solver::WORDS[v].1),
    row::number(THREADS, |e| Some(e.threads), |e, v| e.threads = v),
    row::flag("statistics", "Steps, evaluations and events of Co-Simulation so far are outputs", |e, v| e.statistics = v),
];

/// `[interface]`, without `expose`.
#[rustfmt::skip]
pub const INTERFACE: [Row<InterfaceOptions>; 7] = [
    row::flag("arrays", "Vectors are array variables in FMI 3.0: ball.position with 3 elements", |i, v| i.arrays = v),
    row::word::<_, Naming>("naming", "Names of variables: ball.position[1], or ball_position_1", "\"structured\"",
        |i, v| i.naming = Naming::WORDS[v].1),
    row::flag("tunable", "Parameters may change during a run, at events", |i, v| i.tunable = v),
    row::flag("strict", "Refuses calls that the standard does not allow", |i, v| i.strict = v),
    row::flag("terminals", "Terminals: inputs and outputs by the body, joint or contact they are of", |i, v| i.terminals = v),
    row::word::<_, Guard>("guard", "What protects Model Exchange from steps over a contact: indicators that are the smallest gaps since the last step, a time event at each contact too, or nothing",
        "\"importer\"", |i, v| i.guard = Guard::WORDS[v].1),
    row::flag("expose_parameters", "Parameters are shown only where a pattern of expose matches", |i, v| i.expose_parameters = v),
];
/// Patterns of `[interface]`.
pub const EXPOSE: Key = Key::new(
    "expose",
    "Patterns of the names of outputs that are shown, with expose_parameters of parameters too, ! before a name hides it",
    Value::List(&Value::Text),
    "[\"ball.*\", \"!ball.contact_torque\"]",
)
.unless("all that are shown by default");
