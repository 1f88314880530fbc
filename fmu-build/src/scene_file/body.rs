//! `[[body]]`.

use super::joint::Children;
use super::material::Library;
use super::walker::{Field, Section};
use super::{pose, shape};
use contact_laws::quantity::Key;
use contact_model::scene::SceneItem;
use contact_model::scene::description::body::BODY;
use contact_model::scene::description::{BodyDescription, Motion};

const NO_MOTION: (&str, &str) = (
    "motion is missing",
    "write motion = \"free\", \"fixed\", \"driven\" or \"prescribed\", or name the body as child of a [[joint]]",
);

/// Reads all bodies; `smoothing` is the scene's smoothing radius [m]. A body that is the child of a
/// joint needs no `motion`.
pub fn read_all(
    root: &mut Section<'_>,
    library: &Library,
    smoothing: f64,
    mut children: Children<'_>,
) -> Vec<BodyDescription> {
    let sections = root.tables("body", SceneItem::Body);
    let names: Vec<&str> = sections.iter().filter_map(|s| s.peek("name")).collect();
    // A joint whose child is misspelt is meant for one of the bodies without motion.
    children.open |= children.names.iter().any(|child| !names.contains(child));
    let read = |(index, section)| read_body(section, index, library, smoothing, &children);
    sections.into_iter().enumerate().map(read).collect()
}

fn read_body(
    mut section: Section<'_>,
    index: usize,
    library: &Library,
    smoothing: f64,
    children: &Children<'_>,
) -> BodyDescription {
    let mut body = BodyDescription::default();
    let (mut known_motion, mut shell) = (None, None);
    section.rows(&BODY, &mut body, |section, key, body| match key.key {
        "motion" => {
            known_motion = motion(section, children);
            body.motion = known_motion.unwrap_or(Motion::Fixed);
        }
        "orientation" => body.orientation = pose::orientation(section),
        "inertia" => body.mass.inertia = section.optional(key.key, pose::inertia),
        "orientation_input" => {
            let given = of_drive(section, key, known_motion);
            body.drive.orientation = given
                .and_then(Field::keyword)
                .unwrap_or(body.drive.orientation);
        }
        "wrench_axes" => {
            let given = of_drive(section, key, known_motion);
            body.drive.wrench_axes = given
                .and_then(Field::keyword)
                .unwrap_or(body.drive.wrench_axes);
        }
        "shell" => shell = section.checked_number(key),
        // Read with the orientation.
        _ => {}
    });
    let shapes = section.tables("shape", |shape| SceneItem::Shape(index, shape));
    section.finish();
    body.shapes = shape::read_all(shapes, library, shell, smoothing);
    body
}

/// `motion`; that of the child of a joint may be left away.
fn motion(section: &mut Section<'_>, children: &Children<'_>) -> Option<Motion> {
    if let Some(field) = section.field("motion") {
        return field.keyword();
    }
    let is_child = section
        .peek("name")
        .is_some_and(|name| children.names.contains(&name));
    if is_child || children.open {
        return Some(Motion::Joint);
    }
    section.missing("motion", NO_MOTION);
    None
}

/// What a driven body alone has.
fn of_drive<'a>(section: &mut Section<'a>, key: Key, motion: Option<Motion>) -> Option<Field<'a>> {
    let field = section.field(key.key)?;
    if motion.is_some_and(|motion| motion != Motion::Driven) {
        let text = "has a meaning only with motion = \"driven\"";
        field.fail_at(field.key_span(), (text, "remove it or change the motion"));
        return None;
    }
    Some(field)
}
