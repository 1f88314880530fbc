//! `[[force]]`: forces and torques on bodies: inputs, or prescribed over time: constant, a sine, or
//! a table.

use super::walker::{Field, Section};
use contact_laws::quantity::units;
use contact_model::scene::description::force::{
    ANGULAR_FREQUENCY, FORCE, FORCES, PHASE, TIMES, TORQUE,
};
use contact_model::scene::description::{
    ForceAxes, ForceDescription, ForceProfile, ForceTable, ForceVectors, Interpolation,
};
use std::f64::consts::TAU;

const SINE: &str = "{ force = [8, 0, 0], frequency = \"2 Hz\" }";
const TABLE: &str = "{ times = [0, 1], force = [[0, 0, 0], [8, 0, 0]] }";
const NO_PROFILE: (&str, &str) = (
    "says neither force, torque, sine, table nor input",
    "write force = [0, 0, 5], a sine or a table, or input = true",
);
const TWO_PROFILES: (&str, &str) = (
    "says more than one of constant force or torque, sine, table, input",
    "keep one of them in each [[force]]: several on one body add up",
);
const INPUT: &str = "true for a force, or which are inputs, such as [\"force\", \"torque\"]";

/// Reads a force.
pub(crate) fn read(mut section: Section<'_>) -> ForceDescription {
    let mut force = ForceDescription {
        name: String::new(),
        body: String::new(),
        point: [0.0; 3],
        axes: ForceAxes::World,
        // In place of one that cannot be read, so that the scene finds no fault with it.
        profile: ForceProfile::Constant(ForceVectors {
            force: Some([0.0; 3]),
            torque: None,
        }),
    };
    section.rows(&FORCES, &mut force, |_, _, _| {});
    if let Some(profile) = profile(&mut section) {
        force.profile = profile;
    }
    section.finish();
    force
}

/// The time profile that is given; none where there is not exactly one, or where it has problems.
fn profile(section: &mut Section<'_>) -> Option<ForceProfile> {
    let constant = section.has("force") || section.has("torque");
    let (has_sine, has_table) = (section.has("sine"), section.has("table"));
    let vectors = vectors(section);
    let sine = section.optional("sine", sine);
    let table = section.optional("table", table);
    let (has_input, input) = match section.field("input") {
        Some(field) => input(field),
        None => (false, None),
    };
    match (constant, has_sine, has_table, has_input) {
        (true, false, false, false) => vectors.map(ForceProfile::Constant),
        (false, true, false, false) => sine,
        (false, false, true, false) => table,
        (false, false, false, true) => input,
        (false, false, false, false) => {
            section.missing("force", NO_PROFILE);
            None
        }
        _ => {
            section.missing("force", TWO_PROFILES);
            None
        }
    }
}

/// `input`: whether it says that there is one, and which.
fn input(field: Field<'_>) -> (bool, Option<ForceProfile>) {
    let profile = |force, torque| Some(ForceProfile::Input { force, torque });
    if !field.is_array() {
        return match field.is_boolean() {
            true => match field.boolean() {
                Some(false) => (false, None),
                _ => (true, profile(true, false)),
            },
            false => {
                field.wrong(INPUT);
                (true, None)
            }
        };
    }
    let words = field.all(INPUT, |f| f.word(&["force", "torque"]));
    let input = words.and_then(|words| profile(words.contains(&0), words.contains(&1)));
    (true, input)
}

/// `force` and `torque`; none where one of them has a problem.
fn vectors(section: &mut Section<'_>) -> Option<ForceVectors> {
    let has = ["force", "torque"].map(|key| section.has(key));
    let [force, torque] = [FORCE, TORQUE].map(|key| section.vector(key));
    let read = has == [force.is_some(), torque.is_some()];
    read.then_some(ForceVectors { force, torque })
}

/// `sine = { force, torque, frequency or angular_frequency, phase }`.
fn sine(field: Field<'_>) -> Option<ForceProfile> {
    let mut section = field.table(SINE)?;
    let amplitude = vectors(&mut section);
    let angular_frequency = angular_frequency(&mut section);
    let phase = section.number(PHASE);
    section.finish();
    Some(ForceProfile::Sine {
        amplitude: amplitude?,
        angular_frequency: angular_frequency?,
        phase: phase.unwrap_or(0.0),
    })
}

/// Angular frequency [rad/s] from `frequency` or `angular_frequency`, of which one must be given.
pub(crate) fn angular_frequency(section: &mut Section<'_>) -> Option<f64> {
    let both = section.has("frequency") && section.has("angular_frequency");
    let neither = !section.has("frequency") && !section.has("angular_frequency");
    let turns = section.field_as("frequency", "angular_frequency");
    if let (true, Some(field)) = (both, &turns) {
        field.refuse((
            "and angular_frequency are both given",
            "keep one of the two",
        ));
    }
    let turns = turns.and_then(|f| f.quantity(units::FREQUENCY));
    let angular = section.number(ANGULAR_FREQUENCY);
    if neither {
        let message = format!("{}frequency is missing", section.path());
        let help = "write frequency = \"2 Hz\", or angular_frequency";
        section.missing("angular_frequency", (message, help));
    }
    angular.or(turns.map(|f| TAU * f))
}

/// `table = { times, force, torque, interpolation }`.
fn table(field: Field<'_>) -> Option<ForceProfile> {
    let mut section = field.table(TABLE)?;
    let times = times(&mut section);
    const ROWS: &str = "an array of vectors such as [[0, 0, 0], [8, 0, 0]]";
    let forces = section.optional_list("force", ROWS, |f| f.vector(units::FORCE));
    let torques = section.optional_list("torque", ROWS, |f| f.vector(units::TORQUE));
    let interpolation = section.optional("interpolation", Field::keyword);
    section.finish();
    Some(ForceProfile::Table(ForceTable {
        times: times?,
        forces: forces?,
        torques: torques?,
        interpolation: interpolation.unwrap_or(Interpolation::Linear),
    }))
}

/// The times of a table.
pub(crate) fn times(section: &mut Section<'_>) -> Option<Vec<f64>> {
    let times = section.key(TIMES)?;
    times.all("an array of times such as [0, 0.5, 1]", |f| {
        f.quantity(units::TIME)
    })
}
