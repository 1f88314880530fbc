//! Texts shared by `check` and the page in an FMU; and the effects of a contact law at its most demanding
//! pair of shapes: impacts over impact speed, rest depth, sticking friction.

use crate::command::laws::bounce::Impact;
use crate::command::laws::{LawFacts, Meeting};
use crate::description::documentation::LawNote;
use contact_geometry::math::real::{atan, sin, tan};
use contact_geometry::shapes::Axis;
use contact_laws::index::LawId;
use contact_laws::quantity::Keyword;
use contact_laws::response::friction::FrictionLaw;
use contact_laws::response::normal::NormalLaw;
use contact_model::scene::description::{Coordinate, CoordinateForces, Form, JointStops};
use contact_model::scene::{Grains, Joint, Scene};
pub(crate) use fmu_mesh::solid::{inertia, seen, short};
use fmu_view::number::{counted, rounded, with_unit};
use std::collections::HashMap;
use std::f64::consts::TAU;
use std::fmt::Write;

pub(crate) fn vector(values: &[f64]) -> String {
    let values: Vec<String> = seen(values).map(short).collect();
    format!("({})", values.join(", "))
}

/// Text of a report, line by line.
#[derive(Default)]
pub(crate) struct Listing(pub(crate) String);

impl Listing {
    pub(crate) fn line(&mut self, text: impl AsRef<str>) {
        self.0.push_str(text.as_ref());
        self.0.push('\n');
    }

    pub(crate) fn heading(&mut self, text: impl AsRef<str>) {
        self.0.push('\n');
        self.line(text);
    }

    /// Adds a heading with the number of entries and an indented line for each; nothing without entries.
    pub(crate) fn list(&mut self, title: &str, entries: impl ExactSizeIterator<Item = String>) {
        if entries.len() > 0 {
            self.heading(format!("{title} ({})", entries.len()));
            entries.for_each(|entry| self.line(format!("  {entry}")));
        }
    }

    /// Adds the remark after the first entries of a list with more than `most`.
    pub(crate) fn more(&mut self, count: usize, most: usize) {
        if count > most {
            self.line(format!("  and {} more", count - most));
        }
    }
}

#[derive(Default)]
pub(crate) struct Entry {
    pub(crate) name: String,
    /// Common part, on the line of its name.
    pub(crate) kind: String,
    /// Individual part.
    pub(crate) own: String,
    /// Lines below, also common.
    pub(crate) below: String,
}

/// Number of equal entries from which on they are listed together.
const CLASS: usize = 6;
/// Maximum number of names given for a class.
const NAMED: usize = 3;

impl Listing {
    /// Lists entries, those of one kind in the place of the first of them unless `all` are requested.
    pub(crate) fn classes(&mut self, entries: Vec<Entry>, all: bool) {
        let mut classes: HashMap<(&str, &str), Vec<usize>> = HashMap::new();
        for (i, entry) in entries.iter().enumerate() {
            classes
                .entry((&entry.kind, &entry.below))
                .or_default()
                .push(i);
        }
        for (i, entry) in entries.iter().enumerate() {
            let class = &classes[&(&entry.kind[..], &entry.below[..])];
            let (names, own) = match all || class.len() < CLASS {
                true => (entry.name.clone(), &entry.own[..]),
                false if class[0] != i => continue,
                false => {
                    let named: Vec<&str> = class[..NAMED]
                        .iter()
                        .map(|i| &entries[*i].name[..])
                        .collect();
                    (
                        format!("{} and {} more", named.join(", "), class.len() - NAMED),
                        "",
                    )
                }
            };
            self.line(format!("  {names}{}{own}", entry.kind));
            self.0.push_str(&entry.below);
        }
    }
}

/// Unit of a stiffness with an exponent.
pub(crate) fn unit(exponent: f64) -> String {
    match exponent {
        1.0 => "N/m".to_owned(),
        _ => format!("N/m^{}", short(exponent)),
    }
}

/// Names of the two materials of a law.
pub(crate) fn material_names(scene: &Scene, law: LawId) -> [&str; 2] {
    let indices = scene.laws()[law].materials;
    indices.map(|index| scene.materials()[index].name.as_str())
}

/// Form and sizes as text.
pub(crate) fn form_words(form: &Form) -> String {
    let along = |axis: &Axis| axis.word();
    match form {
        Form::Sphere { diameter } => format!("sphere, diameter {} m", short(*diameter)),
        Form::Ellipsoid { lengths } => format!("ellipsoid, diameters {} m", vector(lengths)),
        Form::Box { lengths } => format!("box {} m", vector(lengths)),
        Form::Cylinder {
            diameter,
            length,
            axis,
            inner_diameter,
        } => {
            let mut text = format!(
                "cylinder along {}, diameter {} m, length {} m",
                along(axis),
                short(*diameter),
                short(*length)
            );
            if *inner_diameter > 0.0 {
                let bore = short(*inner_diameter);
                let _ = write!(text, ", bore {bore} m (without contact)");
            }
            text
        }
        Form::Cone {
            diameter,
            top_diameter,
            length,
            axis,
        } => cone_words([*diameter, *top_diameter, *length], along(axis)),
        Form::Capsule {
            diameter,
            length,
            axis,
        } => format!(
            "capsule along {}, diameter {} m, length {} m without its ends",
            along(axis),
            short(*diameter),
            short(*length)
        ),
        Form::TaperedCapsule {
            diameter,
            top_diameter,
            length,
            axis,
        } => format!(
            "tapered capsule along {}, diameter {} m, top diameter {} m, length {} m between the centres",
            along(axis),
            short(*diameter),
            short(*top_diameter),
            short(*length)
        ),
        Form::Beam {
            length,
            width,
            thickness,
            axis,
        } => format!(
            "beam along {}, length {} m without its ends, width {} m, thickness {} m",
            along(axis),
            short(*length),
            short(*width),
            short(*thickness)
        ),
        Form::Hull { solid, part } => format!(
            "convex hull of {} vertices between {} m and {} m",
            part.vertices.len(),
            vector(&solid.lower),
            vector(&solid.upper)
        ),
        Form::Mesh { solid, parts } => format!(
            "mesh of {} between {} m and {} m",
            counted(parts.len(), "convex part"),
            vector(&solid.lower),
            vector(&solid.upper)
        ),
        Form::Compound { parts } => format!("compound of {}", counted(parts.len(), "part")),
        Form::HalfSpace => "half-space".to_owned(),
    }
}

/// Text of a cone, or of a frustum if its top has a diameter, with its sizes [m].
fn cone_words([diameter, top_diameter, length]: [f64; 3], axis: &str) -> String {
    let (word, top) = match top_diameter {
        0.0 => ("cone", String::new()),
        top => ("frustum", format!("top diameter {} m, ", short(top))),
    };
    format!(
        "{word} along {axis}, diameter {} m, {top}length {} m",
        short(diameter),
        short(length)
    )
}

/// `10000 balls of diameter 0.005 m`, or of diameters between two.
pub(crate) fn group_words(group: &Grains) -> String {
    let sizes = group.diameters.iter().copied();
    let least = sizes.clone().fold(f64::INFINITY, f64::min);
    let most = sizes.fold(0.0, f64::max);
    let [least, most] = [least, most].map(|size| rounded(size, 6));
    let count = group.len();
    match least == most {
        true => format!("{count} balls of diameter {least} m"),
        false => format!("{count} balls of diameters from {least} m to {most} m"),
    }
}

/// Axes, and properties other than its coordinates: `, axis (0, 0, 1), reaction is an output`.
pub(crate) fn joint_details(joint: &Joint) -> String {
    let mut text = String::new();
    let [axis, second, _] = joint.axes.map(|axis| vector(axis.as_slice()));
    match joint.kind.axis_count() {
        0 => {}
        1 => text += &format!(", axis {axis}"),
        _ => text += &format!(", axes {axis} and {second}"),
    }
    if joint.kind.has_pitch() {
        text += &format!(", pitch {} m", short(TAU * joint.lead));
    }
    if joint.kind.is_ball() {
        text += &format!(", orientation {}", vector(&joint.positions));
        text += &format!(", {} rad/s", vector(&joint.rates));
        if joint.ball.damping > 0.0 {
            text += &format!(", damping {} N.m.s/rad", short(joint.ball.damping));
        }
        if joint.ball.input {
            text += ", torque is an input";
        }
    }
    if joint.reaction {
        text += ", reaction is an output";
    }
    if joint.power {
        text += ", power is an output";
    }
    text
}

/// Start values of a coordinate, and the forces along it.
pub(crate) fn coordinate_in_words(joint: &Joint, index: usize, coordinate: &Coordinate) -> String {
    let (length, force) = match coordinate.is_angle() {
        true => ("rad", "N.m"),
        false => ("m", "N"),
    };
    let (start, rate) = (short(joint.positions[index]), short(joint.rates[index]));
    let mut parts = vec![format!("{start} {length}, {rate} {length}/s")];
    let CoordinateForces {
        spring,
        damping,
        friction,
        stops,
        input,
    } = &joint.forces[index];
    if let Some(spring) = spring {
        let (stiffness, rest) = (short(spring.stiffness), short(spring.rest));
        parts.push(format!(
            "spring {stiffness} {force}/{length} from {rest} {length}"
        ));
    }
    if *damping > 0.0 {
        parts.push(format!("damping {} {force}.s/{length}", short(*damping)));
    }
    if let Some(friction) = friction {
        let (limit, speed) = (short(friction.limit), short(friction.speed));
        parts.push(format!(
            "friction {limit} {force}, full above {speed} {length}/s"
        ));
    }
    if let Some(stops) = stops {
        parts.push(stops_in_words(stops, length, force));
    }
    if *input {
        parts.push(format!("{} is an input", coordinate.force_key));
    }
    format!("{} {}", coordinate.key, parts.join("; "))
}

fn stops_in_words(stops: &JointStops, length: &str, force: &str) -> String {
    let places = match (stops.lower, stops.upper) {
        (Some(lower), Some(upper)) => {
            format!("stops at {} and {} {length}", short(lower), short(upper))
        }
        (Some(lower), None) => format!("stop below {} {length}", short(lower)),
        (None, upper) => format!("stop above {} {length}", short(upper.unwrap_or_default())),
    };
    format!(
        "{places}, {} {force}/{length}, restitution {}",
        short(stops.stiffness),
        short(stops.restitution)
    )
}

/// Default impact speeds [m/s].
pub(crate) const USUAL_SPEEDS: [f64; 5] = [1e-3, 1e-2, 0.1, 1.0, 10.0];
/// Slope on which friction is judged [deg].
const SLOPE: f64 = 10.0;

/// Effects of a law at these impact speeds [m/s], or the reason why there are none: no pair has it, or its
/// force is unknown.
pub(crate) fn consequences(facts: &LawFacts, speeds: &[f64]) -> LawNote {
    let nothing = |at: String| LawNote {
        name: facts.name.clone(),
        at,
        ..LawNote::default()
    };
    let Some(meeting) = &facts.meeting else {
        return nothing("no two shapes have it".to_owned());
    };
    if meeting.law.normal == NormalLaw::Observer {
        return nothing("an event and a line in the log, no force".to_owned());
    }
    if !meeting.has_known_force() {
        return nothing(format!(
            "at {}, a function of the user: it has no library for this computer, or gives no force when it is explored \
             along the normal",
            meeting.pair
        ));
    }
    let elastic = meeting.law.normal.elastic().map(|law| {
        let unit = unit(law.exponent);
        let over = over_faces(meeting).unwrap_or_default();
        format!(", stiffness {} {unit}{over}", short(law.stiffness))
    });
    let mut notes = Vec::new();
    if let Some(impulse) = meeting.law.impulse {
        let speed = with_unit(impulse.rest_speed, "m/s");
        notes.push(format!(
            "response = \"impulse\": faster than {speed} velocities jump with the restitution asked, and no time passes; the \
             force acts below"
        ));
    }
    if let Some(depth) = meeting.rest_depth() {
        let weight = with_unit(meeting.load(), "N");
        notes.push(format!(
            "at rest {} deep under {weight}",
            with_unit(meeting.penetration(depth), "m")
        ));
    }
    notes.push(friction(meeting));
    LawNote {
        name: facts.name.clone(),
        at: format!(
            "at {}, effective mass {} kg{}",
            meeting.pair,
            short(meeting.mass),
            elastic.unwrap_or_default()
        ),
        impacts: impacts(facts, meeting, speeds),
        notes,
    }
}

/// ` = 2e12 N/m^3 x 0.01 m2`, for flat contact.
fn over_faces(meeting: &Meeting) -> Option<String> {
    let area = meeting.area.as_ref()?;
    let flat = area.flat.as_ref()?;
    let [k, area] = [area.stiffness, flat.area].map(short);
    Some(format!(" = {k} N/m^3 x {area} m2 of faces that meet flat"))
}

/// Cells for the speeds.
fn impacts(
    facts: &LawFacts,
    meeting: &Meeting,
    speeds: &[f64],
) -> Vec<(&'static str, Vec<String>)> {
    let impacts: Vec<Option<Impact>> = speeds.iter().map(|v| meeting.impact(*v)).collect();
    let of_speed = |value: &dyn Fn(f64) -> String| speeds.iter().map(|v| value(*v)).collect();
    let of_impact = |value: &dyn Fn(&Impact) -> String| -> Vec<String> {
        let cells = impacts.iter();
        cells
            .map(|i| i.as_ref().map_or(String::new(), value))
            .collect()
    };
    let time = |impact: &Impact| match impact.restitution {
        Some(_) => with_unit(impact.duration, "s"),
        None => format!(">{}", with_unit(impact.duration, "s")),
    };
    let obtained = |v: f64| {
        let restitution = meeting.obtained(v);
        restitution.map_or("creeps".to_owned(), |e| rounded(e, 4))
    };
    let mut rows = vec![(
        "impact speed",
        of_speed(&|v| format!("{} m/s", rounded(v, 4))),
    )];
    if facts.asks_restitution() {
        let asked = of_speed(&|v| rounded(meeting.asked(v), 4));
        rows.push(("restitution asked", asked));
    }
    rows.push(("restitution obtained", of_speed(&obtained)));
    rows.push(("contact time", of_impact(&time)));
    let depth = |i: &Impact| with_unit(meeting.penetration(i.largest_depth), "m");
    rows.push(("largest penetration", of_impact(&depth)));
    rows.push((
        "largest force",
        of_impact(&|i| with_unit(i.largest_force, "N")),
    ));
    rows
}

fn friction(meeting: &Meeting) -> String {
    if !meeting.has_known_friction() {
        return "friction is a function of the user, which is not called here".to_owned();
    }
    let slope = tan(SLOPE.to_radians());
    let creeps = |load| meeting.creep_speed(load).map(|v| with_unit(v, "m/s"));
    if let FrictionLaw::Stick(law) = &meeting.law.friction {
        let steepest = atan(law.coefficients[0]);
        let text = format!(
            "sticks without creeping on slopes of up to {} deg; what is round rolls",
            rounded(steepest.to_degrees(), 3)
        );
        if meeting.weight == 0.0 {
            return text;
        }
        let gives = meeting.weight * sin(steepest) / law.stiffness;
        return format!("{text}; gives by {} there", with_unit(gives, "m"));
    }
    let limit = meeting.friction(meeting.peak_speed());
    if limit == 0.0 {
        return "slides without friction".to_owned();
    }
    match (creeps(slope), creeps(0.5 * limit)) {
        (Some(speed), _) => format!("creeps at {speed} on a slope of {SLOPE} deg"),
        (None, Some(speed)) => format!(
            "slides on a slope of {SLOPE} deg; creeps at {speed} on one of {} deg, half the limit",
            rounded(atan(0.5 * limit).to_degrees(), 3)
        ),
        (None, None) => format!("slides on a slope of {SLOPE} deg"),
    }
}
