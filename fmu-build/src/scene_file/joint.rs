//! `[[joint]]`: how a body moves against another one or the world.

use super::pose;
use super::units::Quantity;
use super::walker::{Field, Notes, Section};
use fmu_core::scene::coordinate::{CoordinateRow, ForceElement, ROWS};
use fmu_core::scene::description::{
    BallForces, Coordinate, CoordinateForces, Freedom, JointDescription, JointKind, LocalFrame,
};
use fmu_core::scene::{JointItem, SceneItem};
use std::f64::consts::TAU;

/// What a joint or a measurement calls the world in place of a body.
pub const WORLD: &str = "world";

/// Keys of a joint that has no coordinates of one number each.
const BALL_KEYS: [&str; 7] = [
    "position",
    "orientation",
    "rotation",
    "velocity",
    "angular_velocity",
    "damping",
    "input",
];
const FRAME: &str = "{ position = [0, 0, 1], rotation = { axis = [1, 0, 0], angle = \"30 deg\" } }";

/// The bodies that joints move, by name.
pub struct Children<'j> {
    /// Children of the joints, as far as they could be read.
    pub names: Vec<&'j str>,
    /// A joint, or the child of one, could not be read.
    pub open: bool,
}

impl<'j> Children<'j> {
    /// Those of joints that [`read_all`] returned.
    pub fn of(joints: &'j [JointDescription], root: &Section<'_>) -> Self {
        let is_joint = |item, field| match item {
            SceneItem::Scene => field == "joint",
            SceneItem::Joint(_) => field == "child",
            _ => false,
        };
        Children {
            names: joints.iter().map(|joint| joint.child.as_str()).collect(),
            open: root.notes().any_bad(is_joint),
        }
    }
}

/// Reads all joints.
pub fn read_all(root: &mut Section<'_>) -> Vec<JointDescription> {
    let sections = root.tables("joint", SceneItem::Joint);
    sections.into_iter().map(read_joint).collect()
}

fn read_joint(mut section: Section<'_>) -> JointDescription {
    let name = section.required("name", "write name = \"hinge\"", |f| f.string());
    let kind = section.required(
        "type",
        "write type = \"revolute\", or another kind of joint",
        |f| f.choice(&JointKind::ALL.map(|kind| (kind.key(), kind))),
    );
    let parent = section.required("parent", "name a body, or write parent = \"world\"", |f| {
        f.string()
    });
    let child = section.required("child", "name the body that the joint moves", |f| {
        f.string()
    });
    let frame = |f: Field<'_>| placement(f.table(FRAME)?);
    let parent_frame = section.optional("parent_frame", frame);
    let child_frame = section.optional("child_frame", frame);
    let [axis, second_axis] = axes(&mut section, kind);
    let pitch = pitch(&mut section, kind);
    let can_collide = section.optional("can_collide", |f| {
        if parent == Some(WORLD) {
            let text = "has no meaning where parent = \"world\", which has no shapes; remove it, or name bodies in \
                        exclude of [contact]";
            f.fail_at(f.key_span(), text.into());
            return None;
        }
        f.boolean()
    });
    let reaction = section.optional("reaction", |f| f.boolean());
    let power = section.optional("power", |f| f.boolean());
    let mut joint = JointDescription {
        name: name.unwrap_or_default().to_owned(),
        kind: kind.unwrap_or(JointKind::Fixed),
        parent: parent.filter(|name| *name != WORLD).map(str::to_owned),
        child: child.unwrap_or_default().to_owned(),
        parent_frame: parent_frame.unwrap_or_default(),
        child_frame: child_frame.unwrap_or_default(),
        axis,
        second_axis,
        pitch,
        positions: Vec::new(),
        rates: Vec::new(),
        forces: Vec::new(),
        ball: BallForces::default(),
        can_collide,
        reaction: reaction.unwrap_or(false),
        power: power.unwrap_or(false),
    };
    coordinates(&mut section, kind, &mut joint);
    match kind.map(|kind| (kind, kind.row().freedom)) {
        Some((kind, Freedom::Quaternion { with_position })) => match with_position {
            true => free(&mut section, kind, &mut joint),
            false => spherical(&mut section, kind, &mut joint),
        },
        Some((kind, Freedom::Coordinates(_))) => BALL_KEYS
            .iter()
            .for_each(|key| refuse(&mut section, key, kind)),
        // Which of them count is open.
        None => BALL_KEYS.iter().for_each(|key| drop(section.field(key))),
    }
    section.finish();
    joint
}

/// Speed from which on friction is hardly Coulomb's [m/s], [rad/s], and below which it makes the
/// equations stiff.
const SLOW_FRICTION: (f64, f64) = (0.1, 1.0);
/// See [`SLOW_FRICTION`].
const STIFF_FRICTION: f64 = 1e-6;

/// Warns of what is allowed in joints and hardly meant.
pub fn warn(notes: &Notes, joints: &[JointDescription]) {
    for (index, joint) in joints.iter().enumerate() {
        let coordinates = joint.kind.coordinates().iter().zip(&joint.forces);
        for ((coordinate, forces), start) in coordinates.zip(&joint.positions) {
            let (key, angle) = (coordinate.key, coordinate.is_angle());
            let (length, slow) = match angle {
                true => ("rad", SLOW_FRICTION.1),
                false => ("m", SLOW_FRICTION.0),
            };
            let warn = |text: String| {
                let message = format!("joint {:?}: {key} {text}", joint.name);
                notes.warn(SceneItem::Joint(index), key, message);
            };
            if let Some(stops) = forces.stops {
                let beyond = [
                    ("below its lower", stops.lower.filter(|lower| start < lower)),
                    ("above its upper", stops.upper.filter(|upper| start > upper)),
                ];
                for (side, stop) in beyond {
                    if let Some(stop) = stop {
                        warn(format!(
                            "starts at {start} {length}, {side} stop at {stop} {length}, which throws it back"
                        ));
                    }
                }
            }
            let speed = forces.friction.map(|friction| friction.speed);
            match speed {
                Some(speed) if speed > slow => warn(format!(
                    "has its full friction above {speed} {length}/s only and creeps below; usual are 0.01 {length}/s"
                )),
                Some(speed) if speed > 0.0 && speed < STIFF_FRICTION => warn(format!(
                    "has its full friction above {speed} {length}/s already, which makes its equations stiff; usual \
                     are 0.01 {length}/s"
                )),
                _ => {}
            }
        }
    }
}

/// A frame in a body; the body's own unless given.
pub fn placement(mut section: Section<'_>) -> Option<LocalFrame> {
    let position = pose::position(&mut section);
    let orientation = pose::orientation(&mut section);
    section.finish();
    Some(LocalFrame {
        position,
        orientation,
    })
}

/// `axis` and `second_axis`. The second one is, where the first lies along a coordinate axis, the
/// next one in cyclic order unless given.
fn axes(section: &mut Section<'_>, kind: Option<JointKind>) -> [[f64; 3]; 2] {
    const DEFAULTS: [[f64; 3]; 2] = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]];
    let Some(kind) = kind else {
        let _ = [section.field("axis"), section.field("second_axis")];
        return DEFAULTS;
    };
    let [has_axis, has_second] = [1, 2].map(|count| kind.axis_count() >= count);
    let mut read = |key: &'static str, has: bool| {
        if !has {
            refuse(section, key, kind);
            return None;
        }
        section.optional(key, |f| f.vector(Quantity::Number))
    };
    let given = read("axis", has_axis);
    let second = read("second_axis", has_second);
    let axis = given.unwrap_or(DEFAULTS[0]);
    if let Some(second) = second {
        return [axis, second];
    }
    let along = (0..3).find(|i| axis[*i] != 0.0 && (0..3).all(|j| j == *i || axis[j] == 0.0));
    let mut next = [0.0; 3];
    match along {
        Some(i) => next[(i + 1) % 3] = 1.0,
        None => next = perpendicular(&axis),
    }
    let known = axis.iter().any(|c| *c != 0.0) && (given.is_some() || !section.has("axis"));
    if has_second && known && along.is_none() && !section.has("second_axis") {
        section.missing(
            "second_axis",
            format!(
                "second_axis is missing; write it, at right angles to axis, such as second_axis = {next:?}: it has a \
                 default only where axis lies along x, y or z"
            ),
        );
    }
    [axis, next]
}

/// `pitch` of a joint that has one [m per turn].
fn pitch(section: &mut Section<'_>, kind: Option<JointKind>) -> f64 {
    let read = |f: Field<'_>| f.quantity(Quantity::Length);
    let given = match kind {
        Some(kind) if kind.has_pitch() => {
            let hint = "write pitch = \"5 mm\", the displacement of a turn";
            section.required("pitch", hint, read)
        }
        Some(kind) => {
            refuse(section, "pitch", kind);
            None
        }
        None => section.optional("pitch", read),
    };
    given.unwrap_or(0.0)
}

/// A direction at right angles to a vector: that vector times the coordinate axis farthest from it.
fn perpendicular(v: &[f64; 3]) -> [f64; 3] {
    let [x, y, z] = v.map(f64::abs);
    match (x <= y && x <= z, y <= z) {
        (true, _) => [0.0, v[2], -v[1]],
        (false, true) => [-v[2], 0.0, v[0]],
        (false, false) => [v[1], -v[0], 0.0],
    }
}

/// Reports a key that a joint of this kind does not have.
fn refuse(section: &mut Section<'_>, key: &'static str, kind: JointKind) {
    // Not asked for where it is not there, so that it is not listed as known.
    if !section.has(key) {
        return;
    }
    let Some(field) = section.field(key) else {
        return;
    };
    let word = kind.key();
    let coordinates: Vec<&str> = kind.coordinates().iter().map(|c| c.key).collect();
    let own = match (kind.row().freedom, coordinates.as_slice()) {
        _ if key == "axis" => "remove it".to_owned(),
        _ if key == "second_axis" => {
            format!(
                "{} have one; remove it",
                kinds_with(|kind| kind.axis_count() > 1)
            )
        }
        _ if key == "pitch" => {
            format!("{} have one; remove it", kinds_with(JointKind::has_pitch))
        }
        (
            Freedom::Quaternion {
                with_position: false,
            },
            _,
        ) => "its keys are orientation or rotation, angular_velocity, damping, input".to_owned(),
        (
            Freedom::Quaternion {
                with_position: true,
            },
            _,
        ) => {
            "its keys are position, orientation or rotation, velocity, angular_velocity".to_owned()
        }
        (_, []) => "it has no coordinates; remove it".to_owned(),
        (_, [only]) => {
            format!("its coordinate is {only}, as in {only} = {{ start = 0.5, damping = 0.1 }}")
        }
        (_, all) => format!(
            "its coordinates are {}, as in {} = {{ start = 0.5, damping = 0.1 }}",
            all.join(", "),
            all[0]
        ),
    };
    field.fail_at(
        field.key_span(),
        format!("has no meaning for a {word} joint; {own}"),
    );
}

/// The kinds that have something, in words: `universal and planar joints`.
fn kinds_with(has: impl Fn(JointKind) -> bool) -> String {
    let kinds = JointKind::ALL.into_iter().filter(|kind| has(*kind));
    let words: Vec<&str> = kinds.map(JointKind::key).collect();
    format!("{} joints", words.join(" and "))
}

/// The tables of the coordinates that the kind has.
fn coordinates(section: &mut Section<'_>, kind: Option<JointKind>, joint: &mut JointDescription) {
    let own = kind.map_or(&[][..], JointKind::coordinates);
    for coordinate in own {
        let given = section.optional(coordinate.key, |f| read_coordinate(f, coordinate));
        let (start, rate, forces) = given.unwrap_or_default();
        joint.positions.push(start);
        joint.rates.push(rate);
        joint.forces.push(forces);
    }
    for other in JointKind::all_coordinates() {
        match kind {
            Some(_) if own.iter().any(|coordinate| coordinate.key == other.key) => {}
            Some(kind) => refuse(section, other.key, kind),
            None => drop(section.optional(other.key, |f| read_coordinate(f, other))),
        }
    }
}

/// Start, rate at start and forces of a coordinate.
fn read_coordinate(
    field: Field<'_>,
    coordinate: &'static Coordinate,
) -> Option<(f64, f64, CoordinateForces)> {
    let angle = coordinate.is_angle();
    let example = match angle {
        true => "{ start = \"60 deg\", speed = 0, damping = 0.1 }",
        false => "{ start = \"10 cm\", speed = 0, damping = 5 }",
    };
    let mut section = field.table(example)?;
    let (position, rate) = match angle {
        true => (Quantity::Angle, Quantity::AngularVelocity),
        false => (Quantity::Length, Quantity::Velocity),
    };
    let (notes, joint) = (section.notes(), section.subject().to_owned());
    let start = section.optional("start", |f| {
        let (item, subject) = (f.item(), f.name().to_owned());
        let is_bare = !f.is_string();
        let value = f.quantity(position)?;
        if angle && is_bare && value.abs() > TAU {
            let turns = value.abs() / TAU;
            let message = format!(
                "{joint}{subject} is {value} rad, {turns:.1} turns: a bare number is in radians; write \"{value} deg\" if \
                 degrees are meant"
            );
            notes.warn(item, coordinate.key, message);
        }
        Some(value)
    });
    let rate = section.optional("speed", |f| f.quantity(rate));
    let row = JointItem::Damping.row();
    let quantity = Quantity::of(&row.declared(angle));
    let damping = section.optional(row.key(angle), |f| f.quantity(quantity));
    let input = section.optional("input", |f| f.boolean());
    let mut forces = CoordinateForces {
        damping: damping.unwrap_or(0.0),
        input: input.unwrap_or(false),
        ..CoordinateForces::default()
    };
    for element in [
        ForceElement::Spring,
        ForceElement::Friction,
        ForceElement::Stop,
    ] {
        if let Some(key) = element.table() {
            section.optional(key, |f| force_element(f, element, angle, &mut forces));
        }
    }
    section.finish();
    Some((start.unwrap_or(0.0), rate.unwrap_or(0.0), forces))
}

/// The table of what acts along a coordinate: `spring`, `friction` or `stop`. What could not be read in
/// full does not act.
fn force_element(
    field: Field<'_>,
    element: ForceElement,
    angle: bool,
    forces: &mut CoordinateForces,
) -> Option<()> {
    let rows = || ROWS.iter().filter(|row| row.element == element);
    let example = |row: &CoordinateRow| format!("{} = {}", row.key(angle), row.example(angle));
    let all: Vec<String> = rows().map(example).collect();
    let mut section = field.table(&format!("{{ {} }}", all.join(", ")))?;
    let (mut found, mut is_complete) = (*forces, true);
    for row in rows() {
        let (key, is_given) = (row.key(angle), section.has(row.key(angle)));
        let read = |f: Field<'_>| f.quantity(Quantity::of(&row.declared(angle)));
        let value = match row.is_required {
            true => {
                let hint = format!("write {} ({})", example(row), row.text);
                section.required(key, &hint, read)
            }
            false => section.optional(key, read),
        };
        is_complete &= value.is_some() || !(is_given || row.is_required);
        if let Some(value) = value {
            (row.set)(&mut found, value);
        }
    }
    section.finish();
    if is_complete {
        *forces = found;
    }
    Some(())
}

fn spherical(section: &mut Section<'_>, kind: JointKind, joint: &mut JointDescription) {
    for key in ["position", "velocity"] {
        refuse(section, key, kind);
    }
    joint.positions = pose::orientation(section).to_vec();
    joint.rates = angular_velocity(section).to_vec();
    let damping = section.optional("damping", |f| f.quantity(Quantity::RotationalDamping));
    let input = section.optional("input", |f| f.boolean());
    joint.ball = BallForces {
        damping: damping.unwrap_or(0.0),
        input: input.unwrap_or(false),
    };
}

fn free(section: &mut Section<'_>, kind: JointKind, joint: &mut JointDescription) {
    for key in ["damping", "input"] {
        refuse(section, key, kind);
    }
    joint.positions = pose::position(section).to_vec();
    joint.positions.extend(pose::orientation(section));
    let velocity = section.optional("velocity", |f| f.vector(Quantity::Velocity));
    joint.rates = velocity.unwrap_or_default().to_vec();
    joint.rates.extend(angular_velocity(section));
}

fn angular_velocity(section: &mut Section<'_>) -> [f64; 3] {
    let given = section.optional("angular_velocity", |f| f.vector(Quantity::AngularVelocity));
    given.unwrap_or_default()
}
