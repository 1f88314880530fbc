//! `[[motion]]`: motions of prescribed bodies over time: constant velocity, a sine, or a table.

use super::force::{angular_frequency, times};
use super::pose;
use super::walker::{Field, Section};
use contact_laws::quantity::units;
use contact_model::scene::description::force::{
    ANGULAR_VELOCITY, DISPLACEMENT, MOTIONS, PHASE, VELOCITY,
};
use contact_model::scene::description::{
    EndSpeeds, Interpolation, MotionDescription, MotionProfile, MotionTable, VelocityJump,
};

const SINE: &str = "{ displacement = [0, 0, \"5 mm\"], frequency = \"50 Hz\" }";
const TABLE: &str = "{ times = [0, 1], displacement = [[0, 0, 0], [0.2, 0, 0]] }";
const END_SPEEDS: &str = "0 for rest at both ends, or speeds at the first and the last time such as { velocity = [[0, 0, 0], [1, 0, 0]], \
                          angular_speed = [0, 1] }";
const NO_PROFILE: (&str, &str) = (
    "says neither velocity, angular_velocity, sine nor table",
    "write velocity = [1, 0, 0], or a sine or a table",
);
const TWO_PROFILES: (&str, &str) = (
    "says more than one of constant velocities, sine, table",
    "keep one of them: a body has one motion",
);

/// Reads a motion.
pub(super) fn read(mut section: Section<'_>) -> MotionDescription {
    let body = section.key(MOTIONS[0]).and_then(Field::string);
    let profile = profile(&mut section);
    let jump = jump(&mut section);
    section.finish();
    MotionDescription {
        body: body.unwrap_or_default().to_owned(),
        jump,
        // In place of one that could not be read, so that the scene finds no fault with it.
        profile: profile.unwrap_or(MotionProfile::Constant {
            velocity: [0.0; 3],
            angular_velocity: [0.0; 3],
            surface: false,
        }),
    }
}

/// The time profile that is given; none where there is not exactly one, or where it has problems.
fn profile(section: &mut Section<'_>) -> Option<MotionProfile> {
    let constant = section.has("velocity") || section.has("angular_velocity");
    let (has_sine, has_table) = (section.has("sine"), section.has("table"));
    let [velocity, angular_velocity] = [VELOCITY, ANGULAR_VELOCITY].map(|key| section.vector(key));
    let surface = section.field("surface");
    let sine = section.optional("sine", sine);
    let table = section.optional("table", table);
    if let (Some(field), false) = (&surface, constant) {
        field.refuse((
            "has a meaning only beside velocity or angular_velocity",
            "remove it",
        ));
    }
    match (constant, has_sine, has_table) {
        (true, false, false) => Some(MotionProfile::Constant {
            velocity: velocity.unwrap_or_default(),
            angular_velocity: angular_velocity.unwrap_or_default(),
            surface: surface.and_then(|f| f.boolean()).unwrap_or(false),
        }),
        (false, true, false) => sine,
        (false, false, true) => table,
        (false, false, false) => {
            section.missing("velocity", NO_PROFILE);
            None
        }
        _ => {
            section.missing("velocity", TWO_PROFILES);
            None
        }
    }
}

/// What a jump of the velocity does; only a table has any.
fn jump(section: &mut Section<'_>) -> VelocityJump {
    let has_table = section.has("table");
    let Some(field) = section.field("jump") else {
        return VelocityJump::default();
    };
    if !has_table {
        field.refuse((
            "has a meaning only beside table: other motions have no jumps",
            "remove it",
        ));
    }
    field.keyword().unwrap_or_default()
}

/// `sine = { displacement, rotation, frequency or angular_frequency, phase }`.
fn sine(field: Field<'_>) -> Option<MotionProfile> {
    let mut section = field.table(SINE)?;
    let neither = !section.has("displacement") && !section.has("rotation");
    let displacement = section.vector(DISPLACEMENT);
    let rotation = section.optional("rotation", pose::turn);
    if neither {
        let path = section.path().trim_end_matches('.');
        let message = format!("{path} says neither displacement nor rotation");
        let help = "write at least one, such as displacement = [0, 0, \"5 mm\"]";
        section.missing("sine", (message, help));
    }
    let angular_frequency = angular_frequency(&mut section);
    let phase = section.number(PHASE);
    section.finish();
    let (axis, angle) = rotation.unwrap_or_default();
    Some(MotionProfile::Sine {
        displacement: displacement.unwrap_or_default(),
        rotation: axis.map(|c| c * angle),
        angular_frequency: angular_frequency?,
        phase: phase.unwrap_or(0.0),
    })
}

/// `table = { times, displacement, axis, angle, interpolation, end_speeds }`.
fn table(field: Field<'_>) -> Option<MotionProfile> {
    let mut section = field.table(TABLE)?;
    let times = times(&mut section);
    const ROWS: &str = "an array of vectors such as [[0, 0, 0], [0.2, 0, 0]]";
    const ANGLES: &str = "an array of angles such as [0, \"30 deg\"]";
    let displacements = section.optional_list("displacement", ROWS, |f| f.vector(units::POSITION));
    let turns = section.has("angle");
    let angles = section.optional_list("angle", ANGLES, |f| f.quantity(units::ANGLE));
    let axis = match turns {
        true => section.required(
            "axis",
            "write the axis that the body turns about, such as axis = [0, 0, 1]",
            |f| f.vector(units::DIRECTION),
        ),
        false => {
            if let Some(field) = section.field("axis") {
                field.refuse(("has a meaning only beside angle", "remove it"));
            }
            Some([0.0, 0.0, 1.0])
        }
    };
    let interpolation = match section.field("interpolation") {
        Some(field) => field.keyword(),
        None => Some(Interpolation::Linear),
    };
    // Left out is as good as read: no end speeds.
    let ends = section
        .field("end_speeds")
        .map_or(Some(None), |field| end_speeds(field).map(Some));
    section.finish();
    Some(MotionProfile::Table(MotionTable {
        times: times?,
        displacements: displacements?,
        axis: axis?,
        angles: angles?,
        interpolation: interpolation?,
        ends: ends?,
    }))
}

/// `end_speeds = 0`, or `{ velocity, angular_speed }` with values of both ends.
fn end_speeds(field: Field<'_>) -> Option<EndSpeeds> {
    if field.is_integer(0) {
        return Some(EndSpeeds::default());
    }
    if !field.is_table() {
        field.wrong(END_SPEEDS);
        return None;
    }
    let mut section = field.table(END_SPEEDS)?;
    let velocity = section.field("velocity").map(|field| {
        let rows = field.elements::<2>("[[0, 0, 0], [1, 0, 0]]")?;
        let [first, last] = rows.map(|f| f.vector(units::VELOCITY));
        Some([first?, last?])
    });
    let angular_speed = section
        .field("angular_speed")
        .map(|field| field.quantities::<2>(units::ANGULAR_VELOCITY, "[0, 1]"));
    section.finish();
    Some(EndSpeeds {
        velocities: velocity.unwrap_or(Some(Default::default()))?,
        angular_speeds: angular_speed.unwrap_or(Some(Default::default()))?,
    })
}
