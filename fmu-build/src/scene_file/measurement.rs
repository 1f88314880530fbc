//! `[[measurement]]`: relative motion of two frames, as outputs.

use super::joint::{WORLD, placement};
use super::walker::{Field, Section};
use contact_model::scene::description::force::MEASUREMENT;
use contact_model::scene::description::{FrameName, LocalFrame, MeasurementDescription};

const FRAME: &str = "a body such as \"base\", or { body = \"base\", position = [0, 0, 0.1] }";

/// Reads a measurement.
pub fn read(mut section: Section<'_>) -> MeasurementDescription {
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
            let hint = format!("write {FRAME}; or \"world\"");
            if let Some(found) = section.required(key.key, &hint, frame) {
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
fn frame(field: Field<'_>) -> Option<FrameName> {
    let body = |name: &str| (name != WORLD).then(|| name.to_owned());
    if field.is_string() {
        return Some(FrameName {
            body: body(field.string()?),
            frame: LocalFrame::default(),
        });
    }
    if !field.is_table() {
        field.wrong(&format!("{FRAME}; or \"world\""));
        return None;
    }
    let mut section = field.table(FRAME)?;
    let has_body = section.has("body");
    let name = section.optional("body", |f| f.string());
    let frame = placement(section)?;
    (has_body == name.is_some()).then(|| FrameName {
        body: name.and_then(body),
        frame,
    })
}
