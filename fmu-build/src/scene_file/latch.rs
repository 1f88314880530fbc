//! `[[latch]]`: what holds the coordinates of joints and lets them go.

use super::walker::{Field, Section};
use contact_laws::quantity::units;
use contact_model::scene::SceneItem;
use contact_model::scene::description::latch::LATCH;
use contact_model::scene::description::{JointDescription, LatchDescription};

/// Reads all latches of these joints.
pub fn read_all(root: &mut Section<'_>, joints: &[JointDescription]) -> Vec<LatchDescription> {
    let sections = root.tables("latch", SceneItem::Latch);
    let read = |section| read_latch(section, joints);
    sections.into_iter().map(read).collect()
}

fn read_latch(mut section: Section<'_>, joints: &[JointDescription]) -> LatchDescription {
    let mut latch = LatchDescription::default();
    section.rows(&LATCH, &mut latch, |section, key, latch| match key.key {
        "closed" => latch.closed = section.key(key).and_then(Field::boolean),
        "coordinate" => {
            let name = section.key(key).and_then(Field::string);
            latch.coordinate = name.map(str::to_owned);
        }
        // What needs the coordinate, which may follow.
        _ => {}
    });
    let first = is_angle(None, &latch.joint, joints);
    let impulse = section.optional("release_impulse", |f| match first {
        true => f.quantity(units::ANGULAR_IMPULSE),
        false => f.quantity(units::IMPULSE),
    });
    latch.release_impulse = impulse.unwrap_or(0.0);
    let is_angle = is_angle(latch.coordinate.as_deref(), &latch.joint, joints);
    latch.close_at = section.optional("close_at", |f| match is_angle {
        true => f.quantity(units::ANGLE),
        false => f.quantity(units::LENGTH),
    });
    section.finish();
    latch
}

/// Returns true if a coordinate of a joint, the first one unless its key is given, is an angle; what is
/// unknown is none.
fn is_angle(key: Option<&str>, joint: &str, joints: &[JointDescription]) -> bool {
    let mut joints = joints.iter();
    let joint = joints.find(|known| known.name == joint);
    let mut coordinates = joint
        .map_or(&[][..], |joint| joint.kind.coordinates())
        .iter();
    let coordinate = match key {
        Some(key) => coordinates.find(|known| known.key == key),
        None => coordinates.next(),
    };
    coordinate.is_some_and(|coordinate| coordinate.is_angle())
}
