//! `[[body.shape]]`.

use super::material::Library;
use super::walker::{Field, Section};
use super::{form, polyhedron, pose};
use contact_model::scene::description::shape::SHAPE;
use contact_model::scene::description::{Form, ShapeDescription};
use std::collections::{BTreeMap, HashSet};

/// Reads the shapes of a body, which may give them a `shell` [m]; `smoothing` is the scene's
/// smoothing radius [m].
pub fn read_all(
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
    let mut readable = form.is_some();
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
                if let Some(field) = section.key(key) {
                    shape.contact_material = library.name(field);
                    readable &= shape.contact_material.is_some();
                }
            }
            "collision" => {
                if let Some(field) = section.key(key) {
                    let given = field.boolean();
                    shape.collision = given.unwrap_or(true);
                    readable &= given.is_some();
                }
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
        let help = "let boxes or a mesh with contact = \"decomposition\" touch and write collision = false here";
        section.notes().warn(section.item(), "", (message, help));
    }
    if let Some(form) = &mut form
        && let Err(reason) = polyhedron::smooth(form, shape.smoothing_radius.unwrap_or(smoothing))
    {
        let message = format!("{}form: {reason}", section.subject());
        let finding = (message, "write smoothing_radius = 0");
        section
            .notes()
            .fail(section.item(), "smoothing_radius", finding);
    }
    section.finish();
    shape.form = form.unwrap_or(shape.form);
    // What could not be read meets nothing: no further problem follows.
    shape.collision &= readable;
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
