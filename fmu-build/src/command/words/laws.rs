//! What a contact law comes to at the pair of shapes that asks most of it: its impacts over impact
//! speed, how deep a body rests, how friction holds.

use super::short;
use crate::command::laws::bounce::Impact;
use crate::command::laws::{LawFacts, Meeting};
use crate::number::{rounded, with_unit};
use contact_geometry::math::transcendental::{atan, sin, tan};
use contact_laws::response::friction::FrictionLaw;
use contact_laws::response::normal::NormalLaw;

/// Impact speeds shown unless others are asked for [m/s].
pub(crate) const USUAL_SPEEDS: [f64; 5] = [1e-3, 1e-2, 0.1, 1.0, 10.0];
/// Slope on which friction is judged [deg].
const SLOPE: f64 = 10.0;

/// What a law comes to.
pub(crate) struct Consequences {
    /// The pair, its effective mass and stiffness.
    pub at: String,
    /// A label, and a cell for each impact speed; the speeds come first.
    pub impacts: Vec<(&'static str, Vec<String>)>,
    /// How deep a body rests, and how friction holds.
    pub notes: Vec<String>,
}

/// What a law comes to at these impact speeds [m/s].
///
/// # Errors
/// Why there is nothing to say: no pair has it, or it has no force that is known.
pub(crate) fn consequences(facts: &LawFacts, speeds: &[f64]) -> Result<Consequences, String> {
    let Some(meeting) = &facts.meeting else {
        return Err("no two shapes have it".to_owned());
    };
    if meeting.law.normal == NormalLaw::Observer {
        return Err("an event and a line in the log, no force".to_owned());
    }
    if !meeting.has_known_force() {
        return Err(format!(
            "at {}, a function of the user: it has no library for this computer, or gives no force when it is explored \
             along the normal",
            meeting.pair
        ));
    }
    let elastic = meeting.law.normal.elastic().map(|law| {
        let unit = match law.exponent {
            1.0 => "N/m".to_owned(),
            n => format!("N/m^{}", short(n)),
        };
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
    Ok(Consequences {
        at: format!(
            "at {}, effective mass {} kg{}",
            meeting.pair,
            short(meeting.mass),
            elastic.unwrap_or_default()
        ),
        impacts: impacts(facts, meeting, speeds),
        notes,
    })
}

/// ` = 2e12 N/m^3 x 0.01 m2`, where faces lie flat.
fn over_faces(meeting: &Meeting) -> Option<String> {
    let area = meeting.area.as_ref()?;
    let flat = area.flat.as_ref()?;
    let [k, area] = [area.stiffness, flat.area].map(short);
    Some(format!(" = {k} N/m^3 x {area} m2 of faces that meet flat"))
}

/// A cell for each speed.
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

/// How friction holds a body on a slope.
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
