//! `[[body]]` and `[[body.shape]]`.

use super::material::Library;
use super::pose;
use super::units::Quantity;
use super::walker::{Field, Section};
use fmu_core::scene::SceneItem;
use fmu_core::scene::description::{BodyDescription, Form, GivenMass, Motion, ShapeDescription};
use std::collections::HashSet;

/// Words for the values of `motion`.
pub const MOTIONS: &[(&str, Motion)] = &[("free", Motion::Free), ("fixed", Motion::Fixed)];

/// Keys of the forms; a shape has exactly one of them.
const FORMS: [&str; 3] = ["sphere", "box", "half_space"];
const FORM_HINT: &str =
    "write one of sphere = { diameter = 0.2 }, box = { lengths = [1, 1, 0.1] }, half_space = {}";

/// Reads all bodies.
pub fn read_all(root: &mut Section<'_>, library: &Library) -> Vec<BodyDescription> {
    let sections = root.tables("body", SceneItem::Body);
    let read = |(index, section)| read_body(section, index, library);
    sections.into_iter().enumerate().map(read).collect()
}

fn read_body(mut section: Section<'_>, index: usize, library: &Library) -> BodyDescription {
    let name = section.required("name", "write name = \"...\"", |f| f.string());
    let motion = section.required(
        "motion",
        "write motion = \"free\" or motion = \"fixed\"",
        |f| f.choice(MOTIONS),
    );
    let position = pose::position(&mut section);
    let orientation = pose::orientation(&mut section);
    let velocity = section.optional("velocity", |f| f.vector(Quantity::Velocity));
    let angular_velocity =
        section.optional("angular_velocity", |f| f.vector(Quantity::AngularVelocity));
    let mass = GivenMass {
        mass: section.optional("mass", |f| f.quantity(Quantity::Mass)),
        center_of_mass: section.optional("center_of_mass", |f| f.vector(Quantity::Length)),
        inertia: section.optional("inertia", pose::inertia),
    };
    let collision_group = section.optional("collision_group", |f| f.string());
    let shapes = section.tables("shape", |shape| SceneItem::Shape(index, shape));
    section.finish();
    let (mut shapes, given): (Vec<_>, Vec<bool>) = shapes
        .into_iter()
        .map(|section| read_shape(section, library))
        .unzip();
    name_shapes(&mut shapes, &given);
    BodyDescription {
        name: name.unwrap_or_default().to_owned(),
        // A fixed body needs no mass and no contact data: no further problem follows.
        motion: motion.unwrap_or(Motion::Fixed),
        position,
        orientation,
        velocity: velocity.unwrap_or([0.0; 3]),
        angular_velocity: angular_velocity.unwrap_or([0.0; 3]),
        mass,
        collision_group: collision_group.map(str::to_owned),
        shapes,
    }
}

/// A shape, and whether the file names it; otherwise its name is still to be made.
fn read_shape(mut section: Section<'_>, library: &Library) -> (ShapeDescription, bool) {
    let named = section.has("name");
    let name = section.optional("name", |f| f.string());
    let form = read_form(&mut section);
    let position = pose::position(&mut section);
    let orientation = pose::orientation(&mut section);
    let material = section.required("material", "write material = \"Steel\" or another", |f| {
        library.name(f)
    });
    let contact_material = section.optional("contact_material", |f| library.name(f));
    let collision = section.optional("collision", |f| f.boolean());
    let smoothing_radius = section.optional("smoothing_radius", |f| f.quantity(Quantity::Length));
    let contact_sphere_radius =
        section.optional("contact_sphere_radius", |f| f.quantity(Quantity::Length));
    let flat = section.optional("flat", |f| f.boolean());
    let readable = form.is_some()
        && collision.is_some() == section.has("collision")
        && contact_material.is_some() == section.has("contact_material");
    section.finish();
    let form = form.unwrap_or(Form::Sphere { diameter: 1.0 });
    let shape = ShapeDescription {
        name: name.unwrap_or_default().to_owned(),
        form,
        position,
        orientation,
        material: material.unwrap_or_default(),
        contact_material,
        // What could not be read meets nothing: no further problem follows.
        collision: collision.unwrap_or(true) && readable,
        smoothing_radius,
        contact_sphere_radius,
        flat,
    };
    (shape, named)
}

/// Index in [`FORMS`].
fn form_index(form: &Form) -> usize {
    match form {
        Form::Sphere { .. } => 0,
        Form::Box { .. } => 1,
        _ => 2,
    }
}

/// Makes the names of unnamed shapes unique: `box`, `box_2`, `box_3`.
fn name_shapes(shapes: &mut [ShapeDescription], given: &[bool]) {
    let named = shapes.iter().zip(given).filter(|(_, given)| **given);
    let taken: HashSet<String> = named.map(|(shape, _)| shape.name.clone()).collect();
    let mut counts = [0; FORMS.len()];
    for (shape, given) in shapes.iter_mut().zip(given) {
        if *given {
            continue;
        }
        let form = form_index(&shape.form);
        loop {
            counts[form] += 1;
            shape.name = match counts[form] {
                1 => FORMS[form].to_owned(),
                number => format!("{}_{number}", FORMS[form]),
            };
            if !taken.contains(&shape.name) {
                break;
            }
        }
    }
}

fn read_form(section: &mut Section<'_>) -> Option<Form> {
    let mut fields: Vec<Field<'_>> = FORMS
        .into_iter()
        .filter_map(|key| section.field(key))
        .collect();
    fields.sort_by_key(|field| field.key_span().start);
    let [first, others @ ..] = fields.as_slice() else {
        section.missing("form", format!("has no form; {FORM_HINT}"));
        return None;
    };
    for other in others {
        other.fail_at(
            other.key_span(),
            format!("and {} are both given; a shape has one form", first.name()),
        );
    }
    let mut forms = fields.iter().map(|field| {
        let key = field.name().to_owned();
        let mut inner = field.clone().table(form_example(&key))?;
        let form = match key.as_str() {
            "sphere" => read_sphere(&mut inner),
            "box" => read_box(&mut inner),
            _ => Some(Form::HalfSpace),
        };
        inner.finish();
        form
    });
    let form = forms.next().flatten();
    if forms.count() > 0 { None } else { form }
}

fn form_example(key: &str) -> &'static str {
    match key {
        "sphere" => "{ diameter = 0.2 }",
        "box" => "{ lengths = [1, 1, 0.1] }",
        _ => "{}",
    }
}

fn read_sphere(inner: &mut Section<'_>) -> Option<Form> {
    let both = inner.has("diameter") && inner.has("radius");
    let radius = inner.field_as("radius", "diameter");
    let diameter = inner.field("diameter");
    if let (true, Some(field)) = (both, &radius) {
        field.fail_at(
            field.key_span(),
            "and sphere.diameter are both given; keep one of the two".to_owned(),
        );
        return None;
    }
    let diameter = match (diameter, radius) {
        (Some(field), _) => field.quantity(Quantity::Length)?,
        (None, Some(field)) => 2.0 * field.quantity(Quantity::Length)?,
        (None, None) => {
            inner.missing(
                "diameter",
                "sphere.diameter is missing; write diameter = 0.2 or radius = 0.1".to_owned(),
            );
            return None;
        }
    };
    Some(Form::Sphere { diameter })
}

fn read_box(inner: &mut Section<'_>) -> Option<Form> {
    let lengths = inner.required(
        "lengths",
        "write the edge lengths, such as lengths = [1, 1, 0.1]",
        |f| f.quantities(Quantity::Length, "[1, 1, 0.1]"),
    );
    Some(Form::Box { lengths: lengths? })
}
