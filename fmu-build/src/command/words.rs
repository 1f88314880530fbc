//! Texts shared by `check` and the page in an FMU; and the effects of a contact law at its most demanding
//! pair of shapes: impacts over impact speed, rest depth, sticking friction.

use crate::command::laws::bounce::Impact;
use crate::command::laws::{LawFacts, Meeting};
use crate::description::documentation::{ImpactRow, LawNote};
use contact_geometry::math::real::{atan, sin, tan};
use contact_laws::index::LawId;
use contact_laws::response::flaws::stiffness_unit;
use contact_laws::response::friction::FrictionLaw;
use contact_laws::response::normal::NormalLaw;
use contact_model::scene::Scene;
use fmu_mesh::solid::short;
use fmu_view::number::{rounded, with_unit};

/// Names of the two materials of a law.
pub(crate) fn material_names(scene: &Scene, law: LawId) -> [&str; 2] {
    let indices = scene.laws()[law].materials;
    indices.map(|index| scene.materials()[index].name.as_str())
}

/// Default impact speeds [m/s].
pub(crate) const USUAL_SPEEDS: [f64; 5] = [1e-3, 1e-2, 0.1, 1.0, 10.0];
/// Slope on which friction is judged [deg].
const SLOPE: f64 = 10.0;

/// Effects of a law at these impact speeds [m/s], or the reason why there are none: no pair has it, or its
/// force is unknown.
pub(crate) fn consequences(facts: &LawFacts, speeds: &[f64]) -> LawNote {
    let rows = facts
        .meeting
        .as_ref()
        .map(|meeting| impacts(facts, meeting, speeds));
    let rows = rows.unwrap_or_default();
    let nothing = |at: String| LawNote {
        name: facts.name.clone(),
        at,
        impacts: rows.clone(),
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
        let unit = stiffness_unit(law.exponent);
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
        impacts: rows,
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

/// A row for each number of an impact, with a cell for each speed.
fn impacts(facts: &LawFacts, meeting: &Meeting, speeds: &[f64]) -> Vec<ImpactRow> {
    let impacts = Vec::from_iter(speeds.iter().map(|v| meeting.impact(*v)));
    let row =
        |key, label, value: &dyn Fn(f64, &Impact) -> Option<f64>, text: &dyn Fn(f64) -> String| {
            let values = speeds.iter().zip(&impacts);
            let values = values.map(|(speed, impact)| value(*speed, impact.as_ref()?));
            let values = Vec::from_iter(values);
            let cells = values.iter().map(|value| value.map_or(String::new(), text));
            ImpactRow {
                key,
                label,
                cells: cells.collect(),
                values,
            }
        };
    let restitution = |e| rounded(e, 4);
    let mut rows = vec![
        row("speed", "impact speed", &|v, _| Some(v), &|v| {
            format!("{} m/s", rounded(v, 4))
        }),
        row(
            "restitution_asked",
            "restitution asked",
            &|v, _| facts.asks_restitution().then(|| meeting.asked(v)),
            &restitution,
        ),
        row(
            "restitution",
            "restitution obtained",
            &|v, _| meeting.obtained(v),
            &restitution,
        ),
        row("duration", "contact time", &|_, i| Some(i.duration), &|t| {
            with_unit(t, "s")
        }),
        row(
            "penetration",
            "largest penetration",
            &|_, i| Some(meeting.penetration(i.largest_depth)),
            &|depth| with_unit(depth, "m"),
        ),
        row(
            "force",
            "largest force",
            &|_, i| Some(i.largest_force),
            &|f| with_unit(f, "N"),
        ),
    ];
    for (at, impact) in impacts.iter().enumerate() {
        rows[0].values[at] = Some(speeds[at]);
        if impact
            .as_ref()
            .is_some_and(|impact| impact.restitution.is_none())
        {
            rows[3].cells[at].insert(0, '>');
        }
        if impact.is_some() && rows[2].values[at].is_none() {
            rows[2].cells[at] = "creeps".to_owned();
        }
    }
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
