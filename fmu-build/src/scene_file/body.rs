//! `[[body]]`.

use super::material::Library;
use super::units::Quantity;
use super::walker::Section;
use super::{pose, shape};
use fmu_core::scene::SceneItem;
use fmu_core::scene::description::{BodyDescription, Drive, GivenMass, Motion};

/// Words for the values of `motion`.
pub const MOTIONS: &[(&str, Motion)] = &[("free", Motion::Free), ("fixed", Motion::Fixed)];

/// Reads all bodies; `smoothing` is the scene's smoothing radius [m].
pub fn read_all(root: &mut Section<'_>, library: &Library, smoothing: f64) -> Vec<BodyDescription> {
    let sections = root.tables("body", SceneItem::Body);
    let read = |(index, section)| read_body(section, index, library, smoothing);
    sections.into_iter().enumerate().map(read).collect()
}

fn read_body(
    mut section: Section<'_>,
    index: usize,
    library: &Library,
    smoothing: f64,
) -> BodyDescription {
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
    let shell = section.optional("shell", |f| f.quantity(Quantity::Length));
    let shapes = section.tables("shape", |shape| SceneItem::Shape(index, shape));
    section.finish();
    let shapes = shape::read_all(shapes, library, shell, smoothing);
    BodyDescription {
        name: name.unwrap_or_default().to_owned(),
        // A fixed body needs no mass and no contact data: no further problem follows.
        motion: motion.unwrap_or(Motion::Fixed),
        position,
        orientation,
        velocity: velocity.unwrap_or([0.0; 3]),
        angular_velocity: angular_velocity.unwrap_or([0.0; 3]),
        mass,
        drive: Drive::default(),
        collision_group: collision_group.map(str::to_owned),
        shapes,
    }
}
