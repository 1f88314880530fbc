//! Forms: the one key of a shape, or of a part of a compound, that says what it is and how large.

use super::walker::{Field, Section};
use super::{height_field, polyhedron, pose};
use contact_laws::quantity::{Access, Key, Row, units};
use contact_model::scene::SceneItem;
use contact_model::scene::description::form::{
    HEIGHT_FIELD, HEIGHT_FIELD_EXAMPLE, MESH, MESH_EXAMPLE, POINTS, SIZED_FORMS, SizeRow,
    SizedForm, Sizes,
};
use contact_model::scene::description::{CompoundPart, Form};

/// A form as a scene file gives it.
#[derive(Clone, Copy)]
enum Written {
    /// A table of sizes.
    Sized(&'static SizedForm),
    /// A table: an example, and how it is read.
    Table(&'static str, fn(&mut Section<'_>) -> Option<Form>),
    /// An array of tables, each a part of a compound.
    Parts,
}

/// All forms: the key, the field that problems of the scene name, and how it is written. A shape has
/// exactly one of these keys.
fn all() -> impl Iterator<Item = (&'static str, &'static str, Written)> {
    let sized = SIZED_FORMS
        .iter()
        .map(|form| (form.key, form.key, Written::Sized(form)));
    let table = |key, example, read: fn(&mut Section<'_>) -> Option<Form>| {
        (key, key, Written::Table(example, read))
    };
    sized.chain([
        table("hull", POINTS.example, polyhedron::hull),
        table("mesh", MESH_EXAMPLE, polyhedron::mesh),
        (
            "height_field",
            "mesh",
            Written::Table(HEIGHT_FIELD_EXAMPLE, height_field::read),
        ),
        table("half_space", "{}", |_| Some(Form::HalfSpace)),
        ("part", "compound", Written::Parts),
    ])
}

/// Reads the form of a shape or of a part of a compound; a part has no parts.
pub(super) fn read(section: &mut Section<'_>) -> Option<Form> {
    let is_part = matches!(section.item(), SceneItem::Part(..));
    let mut given: Vec<(Field<'_>, Written)> = all()
        .filter(|(_, _, written)| !(is_part && matches!(written, Written::Parts)))
        .filter_map(|(key, field, written)| Some((section.field_as(key, field)?, written)))
        .collect();
    given.sort_by_key(|(field, _)| field.key_span().start);
    let [(first, _), others @ ..] = given.as_slice() else {
        let finding = ("has no form", hint(is_part));
        section.missing_one_of(keys().collect(), "form", finding);
        return None;
    };
    for (other, _) in others {
        other.refuse_beside(first, "keep one: a shape has one form", "the first one");
    }
    // All are read, so that each reports its problems.
    let mut forms: Vec<Option<Form>> = given
        .into_iter()
        .map(|(field, written)| match written {
            Written::Sized(form) => {
                let mut inner = field.table(&example(form))?;
                let read = sized(form, &mut inner);
                inner.finish();
                read
            }
            Written::Table(example, read) => {
                let mut inner = field.table(example)?;
                let form = read(&mut inner);
                inner.finish();
                form
            }
            Written::Parts => compound(field),
        })
        .collect();
    match forms.as_mut_slice() {
        [form] => form.take(),
        _ => None,
    }
}

/// The name of a shape unless it has one of its own: its form, read well or not.
pub(crate) fn default_name(section: &Section<'_>) -> &'static str {
    let given = all().find(|(key, ..)| section.has(key));
    given.map_or("shape", |(key, field, written)| match written {
        Written::Parts => field,
        _ => key,
    })
}

/// The keys of all forms, without that of parts.
pub(crate) fn keys() -> impl Iterator<Item = &'static str> {
    let single = all().filter(|(_, _, written)| !matches!(written, Written::Parts));
    single.map(|(key, ..)| key)
}

/// A form that is a table.
pub(crate) struct FormTable {
    pub key: &'static str,
    pub(crate) text: &'static str,
    pub keys: Vec<Key>,
}

/// The tables of all forms, without that of parts.
pub(crate) fn tables() -> impl Iterator<Item = FormTable> {
    let table = |key, text, keys| FormTable { key, text, keys };
    let mesh = "Solid inside the triangles of a file, in its coordinates";
    let heights = "Solid below heights over a grid, x to the east, y to the north";
    let half_space = "Solid where z <= 0, outward normal +z; on fixed bodies only";
    let sized = SIZED_FORMS.iter();
    let sized = sized.map(move |form| table(form.key, form.text, form.keys()));
    sized.chain([
        table("hull", "Convex hull of points", vec![POINTS]),
        table("mesh", mesh, MESH.to_vec()),
        table("height_field", heights, HEIGHT_FIELD.to_vec()),
        table("half_space", half_space, Vec::new()),
    ])
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

/// `{ diameter = 0.2, length = 0.5 }`: what a form must have.
fn example(form: &SizedForm) -> String {
    let required = form.keys().into_iter().filter(Key::is_required);
    let sizes: Vec<String> = required
        .map(|key| format!("{} = {}", key.key, key.example))
        .collect();
    format!("{{ {} }}", sizes.join(", "))
}

/// Reads the sizes of a form.
fn sized(form: &SizedForm, inner: &mut Section<'_>) -> Option<Form> {
    let (mut sizes, mut is_readable) = (Sizes::default(), true);
    for SizeRow { row, radius } in form.sizes() {
        let is_given = match radius {
            Some(radius) => diameter_or_radius(inner, &row, &radius, &mut sizes),
            None => inner.row(&row, &mut sizes),
        };
        is_readable &= is_given;
    }
    is_readable.then(|| (form.make)(&sizes))
}

/// Reads a diameter under its own name, or as a radius under another; false if it is needed and not
/// there, or cannot be read.
fn diameter_or_radius(
    inner: &mut Section<'_>,
    row: &Row<Sizes>,
    radius: &Key,
    sizes: &mut Sizes,
) -> bool {
    let key = row.key.key;
    let full = inner.field(key);
    let half = inner.field_as(radius.key, key);
    let value = match (full, half) {
        (Some(full), Some(half)) => {
            half.refuse_beside(&full, "keep one of the two", "the other one");
            None
        }
        (Some(full), None) => full.quantity(units::LENGTH),
        (None, Some(half)) => half.quantity(units::LENGTH).map(|half| 2.0 * half),
        (None, None) if !row.key.is_required() => return true,
        (None, None) => {
            let message = format!("{}{key} is missing", inner.path());
            let help = format!(
                "write {key} = {example} or {radius} = {half}",
                example = row.key.example,
                radius = radius.key,
                half = radius.example
            );
            inner.missing(key, (message, help));
            None
        }
    };
    match (value, row.access) {
        (Some(value), Access::Number(_, set)) => {
            set(sizes, value);
            true
        }
        _ => false,
    }
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
