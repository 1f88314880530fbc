//! `[[joint]]`: how a body moves against another one or the world; `[[latch]]`, which holds it there;
//! `[[trigger]]`, which watches an output; and `[[measurement]]`, relative motions as outputs.

use super::notes::Notes;
use super::pose;
use crate::scene_file::walker::{Field, Section};
use contact_laws::finding::Finding;
use contact_laws::quantity::{Key, Keyword, units};
use contact_model::scene::coordinate::{CoordinateRow, ForceElement, ROWS};
use contact_model::scene::description::force::MEASUREMENT;
use contact_model::scene::description::joint::{BALL, JOINT, LATCH, PITCH, TRIGGER};
use contact_model::scene::description::{
    BallForces, Coordinate, CoordinateForces, FrameName, Freedom, JointDescription, JointKind,
    LatchDescription, LocalFrame, MeasurementDescription, TriggerDescription,
};
use contact_model::scene::{JointItem, SceneItem};

/// What a joint or a measurement calls the world in place of a body.
pub(crate) const WORLD: &str = "world";

const FRAME: &str = "{ position = [0, 0, 1], rotation = { axis = [1, 0, 0], angle = \"30 deg\" } }";

/// The bodies that joints move, by name.
pub(crate) struct Children<'j> {
    /// Children of the joints, as far as they could be read.
    pub names: Vec<&'j str>,
    /// A joint, or the child of one, could not be read.
    pub open: bool,
}

impl<'j> Children<'j> {
    /// Those of joints that [`read_all`] returned.
    pub(crate) fn of(joints: &'j [JointDescription], root: &Section<'_>) -> Self {
        let is_list_unread = root.notes().is_unread(SceneItem::Scene, "joint");
        Children {
            names: joints.iter().map(|joint| joint.child.as_str()).collect(),
            open: is_list_unread || joints.iter().any(|joint| joint.child.is_empty()),
        }
    }
}

/// Reads a joint.
pub(crate) fn read(mut section: Section<'_>) -> JointDescription {
    let (mut joint, mut kind) = (JointDescription::default(), None);
    let frame = |f: Field<'_>| placement(f.table(FRAME)?);
    section.rows(&JOINT, &mut joint, |section, key, joint| match key.key {
        "type" => {
            kind = section.key(key).and_then(Field::keyword);
            joint.kind = kind.unwrap_or(joint.kind);
        }
        "parent" => {
            let name = section.key(key).and_then(Field::string);
            joint.parent = name.filter(|name| *name != WORLD).map(str::to_owned);
        }
        "parent_frame" => joint.parent_frame = section.optional(key.key, frame).unwrap_or_default(),
        "child_frame" => joint.child_frame = section.optional(key.key, frame).unwrap_or_default(),
        "axis" => [joint.axis, joint.second_axis] = axes(section, kind),
        "pitch" => joint.pitch = pitch(section, kind),
        "can_collide" => {
            let is_on_world = section.peek("parent") == Some(WORLD);
            let given = section.field(key.key);
            joint.can_collide = given.and_then(|field| can_collide(field, is_on_world));
        }
        // Read with the axis.
        _ => {}
    });
    coordinates(&mut section, kind, &mut joint);
    match kind.map(|kind| (kind, kind.row().freedom)) {
        Some((kind, Freedom::Quaternion { with_position })) => match with_position {
            true => free(&mut section, kind, &mut joint),
            false => spherical(&mut section, kind, &mut joint),
        },
        Some((kind, Freedom::Coordinates(_))) => BALL
            .iter()
            .for_each(|key| refuse(&mut section, key.key, kind)),
        // Which of them count is open.
        None => BALL.iter().for_each(|key| drop(section.field(key.key))),
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
pub(crate) fn warn(notes: &Notes, joints: &[JointDescription]) {
    for (index, joint) in joints.iter().enumerate() {
        let coordinates = joint.kind.coordinates().iter().zip(&joint.forces);
        for ((coordinate, forces), start) in coordinates.zip(&joint.positions) {
            let (key, angle) = (coordinate.key, coordinate.is_angle());
            let (length, slow) = match angle {
                true => ("rad", SLOW_FRICTION.1),
                false => ("m", SLOW_FRICTION.0),
            };
            let warn = |finding: Finding| {
                let finding = finding.of(&format!("joint {:?}: {key} ", joint.name));
                notes.warn(SceneItem::Joint(index), key, finding);
            };
            if let Some(stops) = forces.stops {
                let beyond = [
                    ("below its lower", stops.lower.filter(|lower| start < lower)),
                    ("above its upper", stops.upper.filter(|upper| start > upper)),
                ];
                for (side, stop) in beyond {
                    if let Some(stop) = stop {
                        let message = format!(
                            "starts at {start} {length}, {side} stop at {stop} {length}, which throws it back"
                        );
                        warn(message.into());
                    }
                }
            }
            let speed = forces.friction.map(|friction| friction.speed);
            match speed {
                Some(speed) if speed > slow => {
                    let found = format!("has its full friction above {speed} {length}/s only");
                    let message = format!("{found} and creeps below");
                    warn((message, format!("usual are 0.01 {length}/s")).into());
                }
                Some(speed) if speed > 0.0 && speed < STIFF_FRICTION => {
                    let found = format!("has its full friction above {speed} {length}/s already");
                    let message = format!("{found}, which makes its equations stiff");
                    warn((message, format!("usual are 0.01 {length}/s")).into());
                }
                _ => {}
            }
        }
    }
}

/// A frame in a body; the body's own unless given.
pub(crate) fn placement(mut section: Section<'_>) -> Option<LocalFrame> {
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
        section.optional(key, |f| f.vector(units::COEFFICIENT))
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
            (
                "second_axis is missing",
                format!(
                    "write it, at right angles to axis, such as second_axis = {next:?}: it has a default only where \
                     axis lies along x, y or z"
                ),
            ),
        );
    }
    [axis, next]
}

/// `pitch` of a joint that has one [m per turn].
fn pitch(section: &mut Section<'_>, kind: Option<JointKind>) -> f64 {
    let given = match kind {
        Some(kind) if kind.has_pitch() => section.number(PITCH),
        Some(kind) => {
            refuse(section, PITCH.key, kind);
            None
        }
        None => section.number(PITCH.unless("")),
    };
    given.unwrap_or(0.0)
}

/// `can_collide`, which has no meaning against the world.
fn can_collide(field: Field<'_>, is_on_world: bool) -> Option<bool> {
    if is_on_world {
        let text = "has no meaning where parent = \"world\", which has no shapes";
        let help = "remove it, or name bodies in exclude of [contact]";
        field.refuse((text, help));
        return None;
    }
    field.boolean()
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
    let word = kind.word();
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
    field.refuse((format!("has no meaning for a {word} joint"), own));
}

/// The kinds that have something, in words: `universal and planar joints`.
fn kinds_with(has: impl Fn(JointKind) -> bool) -> String {
    let kinds = JointKind::ALL.into_iter().filter(|kind| has(*kind));
    let words: Vec<&str> = kinds.map(JointKind::word).collect();
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
        true => (units::ANGLE, units::ANGULAR_VELOCITY),
        false => (units::LENGTH, units::VELOCITY),
    };
    let start = section.optional("start", |f| f.quantity(position));
    let rate = section.optional("speed", |f| f.quantity(rate));
    let row = JointItem::Damping.row();
    let quantity = row.declared(angle);
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
        let read = |f: Field<'_>| f.quantity(row.declared(angle));
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
    let damping = section.optional("damping", |f| f.quantity(units::ROTATIONAL_DAMPING));
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
    let velocity = section.optional("velocity", |f| f.vector(units::VELOCITY));
    joint.rates = velocity.unwrap_or_default().to_vec();
    joint.rates.extend(angular_velocity(section));
}

fn angular_velocity(section: &mut Section<'_>) -> [f64; 3] {
    let given = section.optional("angular_velocity", |f| f.vector(units::ANGULAR_VELOCITY));
    given.unwrap_or_default()
}

// `[[latch]]`: what holds the coordinates of joints and lets them go.

/// Reads a latch of one of these joints.
pub(crate) fn read_latch(
    mut section: Section<'_>,
    joints: &[JointDescription],
) -> LatchDescription {
    let mut latch = LatchDescription::default();
    section.rows(&LATCH, &mut latch, |section, key, latch| match key.key {
        "closed" => latch.closed = section.key(key).and_then(Field::boolean),
        "coordinate" => {
            let name = section.key(key).and_then(Field::string);
            latch.coordinate = name.map(str::to_owned);
        }
        // What needs the coordinate, which may follow.
        _ => {}
    });
    let first = is_angle(None, &latch.joint, joints);
    let impulse = section.optional("release_impulse", |f| match first {
        true => f.quantity(units::ANGULAR_IMPULSE),
        false => f.quantity(units::IMPULSE),
    });
    latch.release_impulse = impulse.unwrap_or(0.0);
    let is_angle = is_angle(latch.coordinate.as_deref(), &latch.joint, joints);
    latch.close_at = section.optional("close_at", |f| match is_angle {
        true => f.quantity(units::ANGLE),
        false => f.quantity(units::LENGTH),
    });
    section.finish();
    latch
}

/// Returns true if a coordinate of a joint, the first one unless its key is given, is an angle; what is
/// unknown is none.
fn is_angle(key: Option<&str>, joint: &str, joints: &[JointDescription]) -> bool {
    let mut joints = joints.iter();
    let joint = joints.find(|known| known.name == joint);
    let mut coordinates = joint
        .map_or(&[][..], |joint| joint.kind.coordinates())
        .iter();
    let coordinate = match key {
        Some(key) => coordinates.find(|known| known.key == key),
        None => coordinates.next(),
    };
    coordinate.is_some_and(|coordinate| coordinate.is_angle())
}

// `[[trigger]]`: outputs that are watched.

/// Reads a trigger; the unit of its numbers is that of its output.
pub(crate) fn read_trigger(mut section: Section<'_>) -> TriggerDescription {
    let mut trigger = TriggerDescription::default();
    section.rows(&TRIGGER, &mut trigger, |section, key, trigger| {
        let declared = trigger.declared();
        let example = match declared.and_then(|declared| declared.unit) {
            Some("m/s") => "\"1 mm/s\"",
            Some("rad") => "\"1 deg\"",
            Some("rad/s") => "\"1 deg/s\"",
            None if declared.is_some() => "0.001",
            _ => key.example,
        };
        let field = section.key(Key { example, ..key });
        let number = field.and_then(|field| field.quantity(declared?));
        let own = match key.key {
            "value" => &mut trigger.value,
            _ => &mut trigger.hysteresis,
        };
        *own = number.unwrap_or(*own);
    });
    section.finish();
    trigger
}

// `[[measurement]]`: relative motion of two frames, as outputs.

const MEASURED_FRAME: &str =
    "a body such as \"base\", or { body = \"base\", position = [0, 0, 0.1] }";

/// Reads a measurement.
pub(crate) fn read_measurement(mut section: Section<'_>) -> MeasurementDescription {
    // The world in place of a frame that cannot be read: the scene finds no fault with it.
    let world = || FrameName {
        body: None,
        frame: LocalFrame::default(),
    };
    let mut measurement = MeasurementDescription {
        name: String::new(),
        from: world(),
        to: world(),
    };
    section.rows(
        &MEASUREMENT,
        &mut measurement,
        |section, key, measurement| {
            let hint = format!("write {MEASURED_FRAME}; or \"world\"");
            if let Some(found) = section.required(key.key, &hint, measured_frame) {
                match key.key {
                    "from" => measurement.from = found,
                    "to" => measurement.to = found,
                    _ => {}
                }
            }
        },
    );
    section.finish();
    measurement
}

/// The frame of a body by the body's name, or a table with a place in the body, or in the world
/// where it names no body.
fn measured_frame(field: Field<'_>) -> Option<FrameName> {
    let body = |name: &str| (name != WORLD).then(|| name.to_owned());
    if field.is_string() {
        return Some(FrameName {
            body: body(field.string()?),
            frame: LocalFrame::default(),
        });
    }
    if !field.is_table() {
        field.wrong(&format!("{MEASURED_FRAME}; or \"world\""));
        return None;
    }
    let mut section = field.table(MEASURED_FRAME)?;
    let has_body = section.has("body");
    let name = section.optional("body", |f| f.string());
    let frame = placement(section)?;
    (has_body == name.is_some()).then(|| FrameName {
        body: name.and_then(body),
        frame,
    })
}
