//! Options shared by several commands, and parsers of their values.

use super::settings::Setting;
use crate::scene_file::si_value;
use crate::scene_file::world::{InterfaceOverrides, PROFILES};
use clap::Args;
use clap::builder::{PathBufValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use contact_model::integrator::{Settings, Solver};
use contact_model::scene::description::{Guard, Naming};
use fmu_core::instance::Standard;
use fmu_host::{Interface, Limits, MIB};
use std::path::PathBuf;

/// Options that replace those of the scene file; a bare flag means true.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct InterfaceFlags {
    /// Vectors as array variables instead of scalars (FMI 3 only)
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub arrays: Option<bool>,
    /// Names of variables
    #[arg(long, ignore_case = true, value_parser = word(NAMINGS))]
    naming: Option<Naming>,
    /// Parameters may change during a run, at events
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    tunable: Option<bool>,
    /// Refuse calls that importers make beside the standard; for checkers
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    strict: Option<bool>,
    /// Terminals, for importers that take them: inputs and outputs by what they are of
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    terminals: Option<bool>,
    /// Who sees a contact that starts and ends again within one step of Model Exchange
    #[arg(long, ignore_case = true, value_parser = word(GUARDS))]
    guard: Option<Guard>,
    /// Parameters are shown only where a pattern of expose matches
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    expose_parameters: Option<bool>,
    /// Options for an importer, unless they are given: for openmodelica flat names, as outputs poses and velocities
    /// unless the scene has expose, no parameters but those that a pattern of expose matches
    #[arg(long, value_name = "IMPORTER", value_parser = profile())]
    profile: Option<InterfaceOverrides>,
}

impl InterfaceFlags {
    /// Overrides of the scene file's options.
    pub(crate) fn overrides(self) -> InterfaceOverrides {
        InterfaceOverrides {
            arrays: self.arrays,
            naming: self.naming,
            tunable: self.tunable,
            strict: self.strict,
            terminals: self.terminals,
            guard: self.guard,
            expose_parameters: self.expose_parameters,
            expose_motion: false,
        }
        .or(self.profile.unwrap_or_default())
    }
}

fn profile() -> impl TypedValueParser<Value = InterfaceOverrides> {
    PossibleValuesParser::new(PROFILES.map(|(name, _)| name)).map(|given| {
        let found = PROFILES.into_iter().find(|(name, _)| *name == given);
        found.map_or_else(InterfaceOverrides::default, |(_, options)| options)
    })
}

/// Word of the command line: spelling, explanation, value.
type Word<T> = (&'static str, &'static str, T);

/// Parses one of a few words.
pub(crate) fn word<T: Copy + Send + Sync>(
    words: &'static [Word<T>],
) -> impl TypedValueParser<Value = T> {
    let shown = words
        .iter()
        .map(|(word, help, _)| PossibleValue::new(*word).help(*help));
    PossibleValuesParser::new(shown).try_map(|given| {
        let mut words = words.iter();
        let found = words.find(|(word, ..)| word.eq_ignore_ascii_case(&given));
        found.map(|(.., value)| *value).ok_or("is not known")
    })
}

const GUARDS: &[Word<Guard>] = &[
    (
        "importer",
        "Every importer: event indicators are the smallest gaps since the last step",
        Guard::Importer,
    ),
    (
        "off",
        "Only one that looks inside its steps: event indicators are the present gaps",
        Guard::Off,
    ),
    (
        "time",
        "Also one that looks too late: where the next contact starts there is a time event",
        Guard::Time,
    ),
];
const NAMINGS: &[Word<Naming>] = &[
    ("structured", "ball.position[1]", Naming::Structured),
    ("flat", "ball_position_1", Naming::Flat),
];
pub(crate) const STANDARDS: &[Word<Standard>] = &[
    ("2", "FMI 2.0", Standard::Fmi2),
    ("3", "FMI 3.0", Standard::Fmi3),
];
pub(crate) const INTERFACES: &[Word<Interface>] = &[
    ("cs", "Co-Simulation", Interface::CoSimulation),
    ("me", "Model Exchange", Interface::ModelExchange),
];
pub(crate) const SOLVERS: &[Word<Solver>] = &[
    (
        "auto",
        "Explicit, and implicit where stiff contact would limit the steps and the FMU has directional derivatives",
        Solver::Auto,
    ),
    (
        "explicit",
        "Runge-Kutta of order 5 (Dormand-Prince)",
        Solver::Explicit,
    ),
    (
        "implicit",
        "Linearly implicit, order 5 (Rodas5P)",
        Solver::Implicit,
    ),
];

/// Limits for FMUs of unknown origin.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct LimitFlags {
    /// Size that an FMU unpacks to at most [MiB]
    #[arg(long, value_name = "MIB", default_value_t = Limits::USUAL.unpacked / MIB)]
    max_unpacked: u64,
    /// Size of modelDescription.xml at most [MiB]
    #[arg(long, value_name = "MIB", default_value_t = Limits::USUAL.description / MIB)]
    max_description: u64,
    /// Values of all variables of an FMU at most, each entry of an array counted
    #[arg(long, value_name = "N", default_value_t = Limits::USUAL.values)]
    max_values: usize,
}

impl Default for LimitFlags {
    fn default() -> Self {
        LimitFlags {
            max_unpacked: Limits::USUAL.unpacked / MIB,
            max_description: Limits::USUAL.description / MIB,
            max_values: Limits::USUAL.values,
        }
    }
}

impl LimitFlags {
    pub(crate) fn limits(self) -> Limits {
        Limits {
            unpacked: self.max_unpacked.saturating_mul(MIB),
            description: self.max_description.saturating_mul(MIB),
            values: self.max_values,
        }
    }
}

/// Start values of parameters.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct StartValues {
    /// Start value of a parameter by its name in the FMU, such as ball.mass=2 or "ball.mass=500 g";
    /// may be given for several parameters
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub settings: Vec<Setting>,
}

/// Parses the path of a scene: for a folder the scene file in it, named as by `new`.
pub(crate) fn scene_path() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().map(|path| {
        if !path.is_dir() {
            return path;
        }
        let name = path.file_name().map(|name| name.to_string_lossy());
        let of_new = name.map(|name| path.join(format!("{name}.toml")));
        let of_new = of_new.filter(|file| file.is_file());
        let scene = path.join("scene.toml");
        match of_new {
            Some(file) if !scene.is_file() => file,
            _ => scene,
        }
    })
}

/// Parses a relative tolerance that the integrator can keep.
pub(crate) fn tolerance(text: &str) -> Result<f64, String> {
    let value = text.parse().map_err(|_| "expected a number such as 1e-8")?;
    Settings::new(value).map_err(|error| error.message)?;
    Ok(value)
}

/// Parses a positive time [s], as a number or with a unit.
pub(crate) fn step(text: &str) -> Result<f64, String> {
    time(text).and_then(positive)
}

/// Parses a positive speed [m/s], as a number or with a unit.
pub(crate) fn speed(text: &str) -> Result<f64, String> {
    with_unit(text, "m/s").and_then(positive)
}

/// Parses a time [s], as a number or with a unit.
pub(crate) fn time(text: &str) -> Result<f64, String> {
    with_unit(text, "s")
}

/// A whole number >= 1, also as 1e3.
pub(crate) fn count(text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|x| (1.0..1e18).contains(x));
    let whole = number.filter(|x: &f64| x.fract() == 0.0);
    let count = whole.map(|x| x as u64);
    count.ok_or_else(|| "must be a whole number >= 1".to_owned())
}

fn positive(value: f64) -> Result<f64, String> {
    (value > 0.0)
        .then_some(value)
        .ok_or_else(|| "must be positive".into())
}

fn with_unit(text: &str, unit: &str) -> Result<f64, String> {
    si_value(text, Some(unit)).map_err(|wrong| wrong[1..].trim_start().to_owned())
}
