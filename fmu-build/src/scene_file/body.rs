//! `[[body]]` and its shapes.

use super::joint::Children;
use super::{form, polyhedron, pose};
use crate::scene_file::material::Library;
use crate::scene_file::walker::{Field, Section};
use contact_laws::quantity::Key;
use contact_model::scene::SceneItem;
use contact_model::scene::description::body::{BODY, SHAPE};
use contact_model::scene::description::{BodyDescription, Form, Motion, ShapeDescription};
use std::collections::{BTreeMap, HashSet};

const NO_MOTION: (&str, &str) = (
    "motion is missing",
    "write motion = \"free\", \"fixed\", \"driven\" or \"prescribed\", or name the body as child of a [[joint]]",
);

/// Reads all bodies; `smoothing` is the scene's smoothing radius [m]. A body that is the child of a
/// joint needs no `motion`.
pub(crate) fn read_all(
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
    body.shapes = read_shapes(shapes, library, shell, smoothing);
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
        field.refuse((text, "remove it or change the motion"));
        return None;
    }
    Some(field)
}

// `[[body.shape]]`.

/// Reads the shapes of a body, which may give them a `shell` [m]; `smoothing` is the scene's
/// smoothing radius [m].
pub(crate) fn read_shapes(
    sections: Vec<Section<'_>>,
    library: &Library,
    shell: Option<f64>,
    smoothing: f64,
) -> Vec<ShapeDescription> {
    let (mut shapes, unnamed): (Vec<_>, Vec<_>) = sections
        .into_iter()
        .map(|section| read_shape(section, library, shell, smoothing))
        .unzip();
    name_shapes(&mut shapes, &unnamed);
    shapes
}

/// A shape, and what its name is to be made of where the file does not name it.
fn read_shape(
    mut section: Section<'_>,
    library: &Library,
    shell: Option<f64>,
    smoothing: f64,
) -> (ShapeDescription, Option<&'static str>) {
    let unnamed = (!section.has("name")).then(|| form::default_name(&section));
    let mut form = form::read(&mut section);
    let mut shape = ShapeDescription {
        name: String::new(),
        form: Form::Sphere { diameter: 1.0 },
        position: [0.0; 3],
        orientation: [1.0, 0.0, 0.0, 0.0],
        material: String::new(),
        contact_material: None,
        collision: true,
        shell: shell.unwrap_or(0.0),
        smoothing_radius: None,
        contact_sphere_radius: None,
        flat: None,
    };
    section.rows(&SHAPE, &mut shape, |section, key, shape| {
        // What no branch reads is not asked for, and so reported as unknown.
        match key.key {
            "orientation" => shape.orientation = pose::orientation(section),
            "material" => {
                let name = section.key(key).and_then(|field| library.name(field));
                shape.material = name.unwrap_or_default();
            }
            "contact_material" => {
                shape.contact_material = section.key(key).and_then(|field| library.name(field));
            }
            "collision" => {
                let given = section.key(key).and_then(Field::boolean);
                shape.collision = given.unwrap_or(true);
            }
            "flat" => shape.flat = section.key(key).and_then(Field::boolean),
            // Read with the orientation.
            _ => {}
        }
    });
    if form.as_ref().is_some_and(has_bore) && shape.collision {
        let message = format!(
            "{}inner_diameter counts for the mass only: in contact the cylinder is full, with a lid over the bore",
            section.subject()
        );
        let help = "let boxes or a mesh touch and write collision = false here";
        section.notes().warn(section.item(), "", (message, help));
    }
    if let Some(Form::Surface { .. }) = form
        && shape.smoothing_radius > Some(0.0)
    {
        let message = format!(
            "{}smoothing_radius has no effect: what touches is the surface itself, with its sharp edges",
            section.subject()
        );
        let help = match section.has("mesh") {
            true => "remove it; contact = \"hull\" has rounded edges, but fills all hollows",
            false => "remove it",
        };
        let finding = (message, help);
        section
            .notes()
            .warn(section.item(), "smoothing_radius", finding);
    }
    let smoothing = shape.smoothing_radius.unwrap_or(smoothing);
    if let Some(form) = form.as_mut().filter(|_| smoothing.is_finite())
        && let Err(reason) = polyhedron::smooth(form, smoothing)
    {
        let message = format!("{}form: {reason}", section.subject());
        let finding = (message, "write smoothing_radius = 0");
        section
            .notes()
            .fail(section.item(), "smoothing_radius", finding);
    }
    section.finish();
    shape.form = form.unwrap_or(shape.form);
    (shape, unnamed)
}

/// True if it has a bore, which contact does not see.
fn has_bore(form: &Form) -> bool {
    match form {
        Form::Cylinder { inner_diameter, .. } => *inner_diameter > 0.0,
        Form::Compound { parts } => parts.iter().any(|part| has_bore(&part.form)),
        _ => false,
    }
}

/// Makes the names of unnamed shapes unique: `box`, `box_2`, `box_3`.
fn name_shapes(shapes: &mut [ShapeDescription], unnamed: &[Option<&'static str>]) {
    let named = shapes
        .iter()
        .zip(unnamed)
        .filter(|(_, kind)| kind.is_none());
    let taken: HashSet<String> = named.map(|(shape, _)| shape.name.clone()).collect();
    let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
    for (shape, kind) in shapes.iter_mut().zip(unnamed) {
        let Some(kind) = kind else {
            continue;
        };
        let count = counts.entry(kind).or_default();
        loop {
            *count += 1;
            shape.name = match *count {
                1 => (*kind).to_owned(),
                number => format!("{kind}_{number}"),
            };
            if !taken.contains(&shape.name) {
                break;
            }
        }
    }
}
