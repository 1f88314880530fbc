//! The world, the experiment and the interface of a scene, as plain data, and their keys.
//!
//! # Groups of equal free bodies, as plain data, and their keys
//!
//! A group of N balls is N free bodies without N tables: where they start is a list of points. A
//! scene file says how the points are found; here are the points, so that the same file gives the
//! same bodies whatever program reads it.

use contact_laws::quantity;
use contact_laws::quantity::{Feeds, Key, Keyword, ParameterRow, Range, Row, Value, units};
use serde::{Deserialize, Serialize};
use std::slice::from_mut;

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

    /// Its parameters.
    pub(crate) fn integration(&self) -> Integration {
        Integration {
            max_steps: self.max_steps,
            max_step: self.max_step,
            solver: self.solver.number(),
        }
    }

    /// Sets its parameters.
    pub fn set_integration(&mut self, own: Integration) {
        self.max_steps = own.max_steps;
        self.max_step = own.max_step;
        self.solver = own.solver();
    }
}

/// Parameters of the integrator of Co-Simulation.
#[derive(Clone, Copy, Debug)]
pub struct Integration {
    /// Largest number of internal steps of one communication step [1].
    pub max_steps: f64,
    /// Longest internal step [s]; 0: accuracy and events limit it.
    pub max_step: f64,
    solver: f64,
}

impl Integration {
    /// Formula of the internal steps.
    pub fn solver(&self) -> Solver {
        Solver::of_number(self.solver).unwrap_or_default()
    }
}

impl Solver {
    /// Its number as a value of the parameter: 1 for the first of the words.
    pub fn number(self) -> f64 {
        let place = Self::WORDS.iter().position(|(_, solver)| *solver == self);
        place.map_or(f64::NAN, |place| (place + 1) as f64)
    }

    /// The one with a number; none if there is none.
    fn of_number(number: f64) -> Option<Solver> {
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
pub(crate) const GRAVITY_CENTER: Key = Key::new(
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
pub(crate) const MAX_STEP: Key = Key::new(
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

/// Parameters of gravity: of a point, or uniform.
#[rustfmt::skip]
pub(crate) static GRAVITY_PARAMETERS: [ParameterRow<Gravity>; 3] = [
    ParameterRow::new(&Key { key: "gravity_mu", ..GRAVITATIONAL_PARAMETER }, Feeds::GRAVITY,
        |g| match g { Gravity::Point { mu, .. } => Some(from_mut(mu)), _ => None }),
    ParameterRow::new(&Key { key: "gravity_center", ..GRAVITY_CENTER }, Feeds::GRAVITY,
        |g| match g { Gravity::Point { center, .. } => Some(center), _ => None }),
    ParameterRow::new(&GRAVITY, Feeds::GRAVITY, |g| match g { Gravity::Uniform(g) => Some(g), _ => None }),
];
/// Parameters of the integrator of Co-Simulation.
#[rustfmt::skip]
pub(crate) static INTEGRATION: [ParameterRow<Integration>; 3] = [
    ParameterRow::new(&MAX_STEPS, Feeds::NOTHING, |e| Some(from_mut(&mut e.max_steps))),
    ParameterRow::new(&MAX_STEP, Feeds::NOTHING, |e| Some(from_mut(&mut e.max_step))),
    ParameterRow::new(&SOLVER, Feeds::NOTHING, |e| Some(from_mut(&mut e.solver))),
];

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
    quantity::number(
        Key::new("start_time", "Start time", Value::Number(units::TIME, Range::ANY), "0").unless("0"),
        |e| Some(e.start_time), |e, v| e.start_time = v,
    ),
    quantity::number(
        Key::new("stop_time", "Stop time, after the start time", Value::Number(units::TIME, Range::ANY), "\"3 s\""),
        |e| Some(e.stop_time), |e, v| e.stop_time = v,
    ),
    quantity::number(
        Key::new("tolerance", "Relative tolerance", Value::Number(units::COEFFICIENT, TOLERANCES), "1e-8")
            .unless("1e-8 to 1e-7, from the resting penetration and the start speeds; 1e-6 if nothing can touch"),
        |e| e.tolerance, |e, v| e.tolerance = Some(v),
    ),
    quantity::number(
        Key::new("step_size", "Communication step size", Value::Number(units::TIME, Range::POSITIVE), "\"2 ms\"")
            .unless("1/500 of the duration"),
        |e| e.step_size, |e, v| e.step_size = Some(v),
    ),
    quantity::number(MAX_STEPS, |e| Some(e.max_steps), |e, v| e.max_steps = v),
    quantity::number(MAX_STEP, |e| Some(e.max_step), |e, v| e.max_step = v),
    quantity::word::<_, Solver>("solver", SOLVER_TEXT, "\"auto\"", |e, v| e.solver = Solver::WORDS[v].1),
    quantity::number(THREADS, |e| Some(e.threads), |e, v| e.threads = v),
    quantity::flag("statistics", "Steps, evaluations and events of Co-Simulation so far are outputs", |e, v| e.statistics = v),
];

/// `[interface]`, without `expose` and `parameter_inputs`.
#[rustfmt::skip]
pub const INTERFACE: [Row<InterfaceOptions>; 7] = [
    quantity::flag("arrays", "Vectors are array variables in FMI 3.0: ball.position with 3 elements", |i, v| i.arrays = v),
    quantity::word::<_, Naming>("naming", "Names of variables: ball.position[1], or ball_position_1", "\"structured\"",
        |i, v| i.naming = Naming::WORDS[v].1),
    quantity::flag("tunable", "Parameters may change during a run, at events", |i, v| i.tunable = v),
    quantity::flag("strict", "Refuses calls that the standard does not allow", |i, v| i.strict = v),
    quantity::flag("terminals", "Terminals: inputs and outputs by the body, joint or contact they are of", |i, v| i.terminals = v),
    quantity::word::<_, Guard>("guard", "What protects Model Exchange from steps over a contact: indicators that are the smallest gaps since the last step, a time event at each contact too, or nothing",
        "\"importer\"", |i, v| i.guard = Guard::WORDS[v].1),
    quantity::flag("expose_parameters", "Parameters are shown only where a pattern of expose matches", |i, v| i.expose_parameters = v),
];
/// Patterns of outputs and parameters, of `[interface]`.
pub const EXPOSE: Key = Key::new(
    "expose",
    "Patterns of the names of outputs that are shown, with expose_parameters of parameters too, ! before a name hides it",
    Value::List(&Value::Text),
    "[\"ball.*\", \"!ball.contact_torque\"]",
)
.unless("all that are shown by default");
/// Parameters that are inputs, of `[interface]`.
pub const PARAMETER_INPUTS: Key = Key::new(
    "parameter_inputs",
    "Names of parameters that are continuous inputs instead, arrays as a whole: they act at once, with derivatives",
    Value::List(&Value::Text),
    "[\"ball.mass\", \"world.gravity\"]",
)
.unless("[]");

/// Free balls of one material that a scene names together; body `i` of the group `sand` is
/// `sand[i]`, from 1.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct GrainsDescription {
    /// Unique name, among those of bodies and joints too.
    pub name: String,
    /// Material of all balls; its name.
    pub material: String,
    /// Centres at start, world axes [m].
    pub positions: Vec<[f64; 3]>,
    /// Diameter of each ball [m], > 0.
    pub diameters: Vec<f64>,
    /// Velocity of all at start, world axes [m/s].
    pub velocity: [f64; 3],
    /// Boxes in which balls are counted.
    pub regions: Vec<RegionDescription>,
}

/// A box in which the balls of a group are counted by their centres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RegionDescription {
    /// Unique in its group.
    pub name: String,
    /// Lower and upper bound along x, y, z of the world [m], a centre on the lower one is inside;
    /// infinite where the box is open.
    pub bounds: [[f64; 2]; 3],
}

impl Default for RegionDescription {
    /// All of space.
    fn default() -> Self {
        RegionDescription {
            name: String::new(),
            bounds: [[f64::NEG_INFINITY, f64::INFINITY]; 3],
        }
    }
}

/// Sizes that a spread of diameters has: few, so that pairs of one law stay few.
pub const SIZES: usize = 8;
/// Diameter of the balls, or the bounds of a spread.
const DIAMETERS: Value = Value::Either(&[
    Value::Number(units::LENGTH, Range::POSITIVE),
    Value::Several(&Value::Number(units::LENGTH, Range::POSITIVE), 2),
]);
/// Distances of a lattice.
const SPACING: Value = Value::Either(&[
    Value::Number(units::LENGTH, Range::POSITIVE),
    Value::Several(&Value::Number(units::LENGTH, Range::POSITIVE), 3),
]);
/// Whole numbers from 1.
const FROM_ONE: Range = Range::whole(1.0, 4e9, "in 1..4e9");
/// Numbers that a generator starts from.
const SEEDS: Range = Range::whole(0.0, 4294967295.0, "in 0..4294967295");

/// Name of a group or of a region of it.
const NAME: Key = Key::new(
    "name",
    "Unique name: a letter, then letters, digits and underscores",
    Value::Name,
    "\"sand\"",
);
/// Diameter of the balls of a group.
pub const DIAMETER: Key = Key::new(
    "diameter",
    "Diameter of the balls; two: 8 sizes evenly spread between them, each as likely",
    DIAMETERS,
    "\"5 mm\"",
)
.unless("those of the file");
/// Material of a group.
pub const MATERIAL: Key = Key::new(
    "material",
    "Material of the balls, of their density and their contact data",
    Value::Text,
    "\"Steel\"",
);
/// Balls at the points of a lattice.
#[rustfmt::skip]
pub const LATTICE: [Key; 3] = [
    Key::new("counts", "Number of points along x, y, z", Value::Several(&Value::Count(FROM_ONE), 3), "[10, 10, 20]"),
    Key::new("spacing", "Distance of neighbours, or the distances along x, y, z", SPACING, "\"6 mm\"")
        .unless("1.01 times the largest diameter, and twice the jitter"),
    Key::new("origin", "Position of the first point, the lowest one, along", Value::Numbers(units::POSITION, 3), "[0, 0, \"3 mm\"]")
        .at("world axes").unless("[0, 0, 0]"),
];
/// Balls in a box, layer by layer.
#[rustfmt::skip]
pub const FILL: [Key; 5] = [
    Key::new("lower", "Corner of the box, which holds the balls entirely", Value::Numbers(units::POSITION, 3), "[-0.1, -0.1, 0]")
        .at("world axes"),
    Key::new("upper", "The opposite corner", Value::Numbers(units::POSITION, 3), "[0.1, 0.1, 0.5]").at("world axes"),
    Key::new("radius", "Only balls within a vertical cylinder of this radius about the middle of the box",
        Value::Number(units::LENGTH, Range::POSITIVE), "0.1").unless("the box"),
    Key::new("spacing", "Distance of neighbours, or the distances along x, y, z", SPACING, "\"6 mm\"")
        .unless("1.01 times the largest diameter, and twice the jitter"),
    Key::new("count", "Number of balls, the lowest ones; an error if there is no room for them",
        Value::Count(FROM_ONE), "10000").unless("as many as the box holds"),
];
/// A box in which balls are counted.
#[rustfmt::skip]
pub const REGION: [Row<RegionDescription>; 7] = [
    quantity::text(Key { text: "Name, unique in the group", example: "\"out\"", ..NAME }, |r, v| r.name = v.into()),
    quantity::number(bound("x_min", "Lower bound along x, of the world"), |r| given(r.bounds[0][0]), |r, v| r.bounds[0][0] = v),
    quantity::number(bound("x_max", "Upper bound along x, of the world"), |r| given(r.bounds[0][1]), |r, v| r.bounds[0][1] = v),
    quantity::number(bound("y_min", "Lower bound along y, of the world"), |r| given(r.bounds[1][0]), |r, v| r.bounds[1][0] = v),
    quantity::number(bound("y_max", "Upper bound along y, of the world"), |r| given(r.bounds[1][1]), |r, v| r.bounds[1][1] = v),
    quantity::number(bound("z_min", "Lower bound along z, of the world"), |r| given(r.bounds[2][0]), |r, v| r.bounds[2][0] = v),
    quantity::number(bound("z_max", "Upper bound along z, of the world"), |r| given(r.bounds[2][1]), |r, v| r.bounds[2][1] = v),
];

const fn bound(key: &'static str, text: &'static str) -> Key {
    Key::new(
        key,
        text,
        Value::Number(units::POSITION, Range::ANY),
        "\"-10 mm\"",
    )
    .unless("none")
}

/// A bound, where there is one.
fn given(bound: f64) -> Option<f64> {
    bound.is_finite().then_some(bound)
}

/// `[[grains]]`; `lattice`, `fill` or `file` must be there.
#[rustfmt::skip]
pub const GRAINS: [Row<GrainsDescription>; 10] = [
    quantity::text(NAME, |g, v| g.name = v.into()),
    quantity::own(DIAMETER),
    quantity::own(MATERIAL),
    quantity::vector(
        Key::new("velocity", "Velocity of all balls at the start along", Value::Numbers(units::VELOCITY, 3), "[0, 0, \"-1 m/s\"]")
            .at("world axes").unless("[0, 0, 0]"),
        |g| Some(g.velocity), |g, v| g.velocity = v,
    ),
    quantity::own(Key::new("lattice", "Balls at the points of a lattice, x fastest, z slowest", Value::Table(|| LATTICE.to_vec()), "")
        .unless("none")),
    quantity::own(Key::new("fill", "Balls at the points of a lattice in a box or cylinder, from its floor up",
        Value::Table(|| FILL.to_vec()), "").unless("none")),
    quantity::own(Key::new("file", "Balls where those of this name are at the end of a file of simulate --bodies",
        Value::Text, "\"settled.xyz\"").unless("none")),
    quantity::own(Key::new("jitter", "Each coordinate of each ball is moved by at most this, evenly spread",
        Value::Number(units::LENGTH, Range::NOT_NEGATIVE), "\"0.1 mm\"").unless("0")),
    quantity::own(Key::new("seed", "Number that jitter and spread of diameters follow from", Value::Count(SEEDS), "1").unless("1")),
    quantity::own(Key::new("region", "Boxes in which balls are counted, as outputs",
        Value::List(&Value::Table(|| quantity::keys(&REGION))), "").unless("none")),
];
