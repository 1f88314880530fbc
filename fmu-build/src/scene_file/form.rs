//! Forms: the one key of a shape, or of a part of a compound, that says what it is and how large.

use super::units::Quantity;
use super::walker::{Field, Section};
use super::{polyhedron, pose};
use fmu_core::scene::SceneItem;
use fmu_core::scene::description::{Axis, CompoundPart, Form};

/// Words for the values of `axis`.
pub const AXES: &[(&str, Axis)] = &[("x", Axis::X), ("y", Axis::Y), ("z", Axis::Z)];

/// A form as a scene file gives it.
struct FormKey {
    /// The key.
    key: &'static str,
    /// The field that problems of the scene name.
    field: &'static str,
    /// What the key means.
    value: Value,
}

/// The value of the key of a form.
enum Value {
    /// A table of sizes: an example, and how it is read.
    Table(&'static str, fn(&mut Section<'_>) -> Option<Form>),
    /// An array of tables, each a part of a compound.
    Parts,
}

const fn table(
    key: &'static str,
    example: &'static str,
    read: fn(&mut Section<'_>) -> Option<Form>,
) -> FormKey {
    FormKey {
        key,
        field: key,
        value: Value::Table(example, read),
    }
}

/// All forms; a shape has exactly one of these keys.
const FORMS: &[FormKey] = &[
    table("sphere", "{ diameter = 0.2 }", sphere),
    table("ellipsoid", "{ lengths = [0.1, 0.2, 0.3] }", ellipsoid),
    table("box", "{ lengths = [1, 1, 0.1] }", cuboid),
    table("cylinder", "{ diameter = 0.2, length = 0.5 }", cylinder),
    table("cone", "{ diameter = 0.2, length = 0.5 }", cone),
    table("capsule", "{ diameter = 0.2, length = 0.5 }", capsule),
    table(
        "tapered_capsule",
        "{ diameter = 0.2, top_diameter = 0.1, length = 0.5 }",
        tapered_capsule,
    ),
    table("beam", "{ length = 1, width = 0.4, thickness = 0.2 }", beam),
    table(
        "hull",
        "{ points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]] }",
        polyhedron::hull,
    ),
    table(
        "mesh",
        "{ file = \"part.stl\", unit = \"mm\" }",
        polyhedron::mesh,
    ),
    table("half_space", "{}", |_| Some(Form::HalfSpace)),
    FormKey {
        key: "part",
        field: "compound",
        value: Value::Parts,
    },
];

/// Reads the form of a shape or of a part of a compound; a part has no parts.
pub fn read(section: &mut Section<'_>) -> Option<Form> {
    let is_part = matches!(section.item(), SceneItem::Part(..));
    let mut given: Vec<(Field<'_>, &Value)> = FORMS
        .iter()
        .filter(|form| !(is_part && matches!(form.value, Value::Parts)))
        .filter_map(|form| Some((section.field_as(form.key, form.field)?, &form.value)))
        .collect();
    given.sort_by_key(|(field, _)| field.key_span().start);
    let [(first, _), others @ ..] = given.as_slice() else {
        section.missing("form", format!("has no form; {}", hint(is_part)));
        return None;
    };
    for (other, _) in others {
        other.fail_at(
            other.key_span(),
            format!("and {} are both given; a shape has one form", first.name()),
        );
    }
    // All are read, so that each reports its problems.
    let mut forms: Vec<Option<Form>> = given
        .into_iter()
        .map(|(field, value)| match value {
            Value::Table(example, read) => {
                let mut inner = field.table(example)?;
                let form = read(&mut inner);
                inner.finish();
                form
            }
            Value::Parts => compound(field),
        })
        .collect();
    match forms.as_mut_slice() {
        [form] => form.take(),
        _ => None,
    }
}

/// The name of a shape unless it has one of its own: its form, read well or not.
pub fn default_name(section: &Section<'_>) -> &'static str {
    let given = FORMS.iter().find(|form| section.has(form.key));
    given.map_or("shape", |form| form.field)
}

/// The keys of all forms, without that of parts.
pub fn keys() -> impl Iterator<Item = &'static str> {
    FORMS.iter().filter_map(|form| match form.value {
        Value::Table(..) => Some(form.key),
        Value::Parts => None,
    })
}

/// What to write where there is no form.
fn hint(is_part: bool) -> String {
    let keys: Vec<&str> = keys().collect();
    let parts = if is_part {
        ""
    } else {
        ", or tables [[body.shape.part]]"
    };
    format!(
        "write one of {}, such as sphere = {{ diameter = 0.2 }}{parts}",
        keys.join(", ")
    )
}

fn sphere(inner: &mut Section<'_>) -> Option<Form> {
    let diameter = required_diameter(inner)?;
    Some(Form::Sphere { diameter })
}

fn ellipsoid(inner: &mut Section<'_>) -> Option<Form> {
    let lengths = inner.required(
        "lengths",
        "write the diameters, such as lengths = [0.1, 0.2, 0.3]",
        |f| f.quantities(Quantity::Length, "[0.1, 0.2, 0.3]"),
    )?;
    Some(Form::Ellipsoid { lengths })
}

fn cuboid(inner: &mut Section<'_>) -> Option<Form> {
    let lengths = inner.required(
        "lengths",
        "write the edge lengths, such as lengths = [1, 1, 0.1]",
        |f| f.quantities(Quantity::Length, "[1, 1, 0.1]"),
    )?;
    Some(Form::Box { lengths })
}

fn cylinder(inner: &mut Section<'_>) -> Option<Form> {
    let diameter = required_diameter(inner);
    let length = size(inner, "length", "write it, such as length = 0.5");
    let axis = axis(inner);
    let inner_diameter = optional_diameter(inner, "inner_diameter", "inner_radius");
    Some(Form::Cylinder {
        diameter: diameter?,
        length: length?,
        axis,
        inner_diameter: inner_diameter?,
    })
}

fn cone(inner: &mut Section<'_>) -> Option<Form> {
    let diameter = required_diameter(inner);
    let top_diameter = optional_diameter(inner, "top_diameter", "top_radius");
    let length = size(
        inner,
        "length",
        "write the distance from base to top, such as length = 0.5",
    );
    let axis = axis(inner);
    Some(Form::Cone {
        diameter: diameter?,
        top_diameter: top_diameter?,
        length: length?,
        axis,
    })
}

fn capsule(inner: &mut Section<'_>) -> Option<Form> {
    let diameter = required_diameter(inner);
    let length = size(
        inner,
        "length",
        "write it without the half spheres, such as length = 0.5",
    );
    let axis = axis(inner);
    Some(Form::Capsule {
        diameter: diameter?,
        length: length?,
        axis,
    })
}

fn tapered_capsule(inner: &mut Section<'_>) -> Option<Form> {
    let diameter = required_diameter(inner);
    let top_diameter = required_as(inner, "top_diameter", "top_radius");
    let length = size(
        inner,
        "length",
        "write the distance between the centres of the spheres, such as length = 0.5",
    );
    let axis = axis(inner);
    Some(Form::TaperedCapsule {
        diameter: diameter?,
        top_diameter: top_diameter?,
        length: length?,
        axis,
    })
}

fn beam(inner: &mut Section<'_>) -> Option<Form> {
    let length = size(
        inner,
        "length",
        "write it without the half cylinders, such as length = 1",
    );
    let width = size(
        inner,
        "width",
        "write the diameter of the half cylinders, such as width = 0.4",
    );
    let thickness = size(inner, "thickness", "write it, such as thickness = 0.2");
    let axis = axis(inner);
    Some(Form::Beam {
        length: length?,
        width: width?,
        thickness: thickness?,
        axis,
    })
}

fn compound(field: Field<'_>) -> Option<Form> {
    let SceneItem::Shape(body, shape) = field.item() else {
        return None;
    };
    let sections = field.tables(|part| SceneItem::Part(body, shape, part));
    // All are read before the first that failed ends it.
    let parts: Vec<Option<CompoundPart>> = sections.into_iter().map(part).collect();
    let parts: Option<Vec<CompoundPart>> = parts.into_iter().collect();
    Some(Form::Compound { parts: parts? })
}

fn part(mut section: Section<'_>) -> Option<CompoundPart> {
    let form = read(&mut section);
    let position = pose::position(&mut section);
    let orientation = pose::orientation(&mut section);
    section.finish();
    Some(CompoundPart {
        form: form?,
        position,
        orientation,
    })
}

/// `axis`, z unless given.
fn axis(inner: &mut Section<'_>) -> Axis {
    let given = inner.optional("axis", |f| f.choice(AXES));
    given.unwrap_or_default()
}

fn size(inner: &mut Section<'_>, key: &'static str, hint: &str) -> Option<f64> {
    inner.required(key, hint, |f| f.quantity(Quantity::Length))
}

/// A size that may be given.
enum Given {
    Value(f64),
    Nothing,
    Bad,
}

fn required_diameter(inner: &mut Section<'_>) -> Option<f64> {
    required_as(inner, "diameter", "radius")
}

/// A diameter that must be given.
fn required_as(
    inner: &mut Section<'_>,
    diameter_key: &'static str,
    radius_key: &'static str,
) -> Option<f64> {
    match diameter_or_radius(inner, diameter_key, radius_key) {
        Given::Value(diameter) => Some(diameter),
        Given::Nothing => {
            let path = inner.path();
            inner.missing(
                diameter_key,
                format!(
                    "{path}{diameter_key} is missing; write {diameter_key} = 0.2 or {radius_key} = 0.1"
                ),
            );
            None
        }
        Given::Bad => None,
    }
}

/// A diameter that is 0 unless given.
fn optional_diameter(
    inner: &mut Section<'_>,
    diameter_key: &'static str,
    radius_key: &'static str,
) -> Option<f64> {
    match diameter_or_radius(inner, diameter_key, radius_key) {
        Given::Value(diameter) => Some(diameter),
        Given::Nothing => Some(0.0),
        Given::Bad => None,
    }
}

/// A diameter under its own name, or as a radius under another.
fn diameter_or_radius(
    inner: &mut Section<'_>,
    diameter_key: &'static str,
    radius_key: &'static str,
) -> Given {
    let diameter = inner.field(diameter_key);
    let radius = inner.field_as(radius_key, diameter_key);
    let value = match (diameter, radius) {
        (Some(diameter), Some(radius)) => {
            radius.fail_at(
                radius.key_span(),
                format!(
                    "and {} are both given; keep one of the two",
                    diameter.name()
                ),
            );
            None
        }
        (Some(field), None) => field.quantity(Quantity::Length),
        (None, Some(field)) => field.quantity(Quantity::Length).map(|radius| 2.0 * radius),
        (None, None) => return Given::Nothing,
    };
    value.map_or(Given::Bad, Given::Value)
}
