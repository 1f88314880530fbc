//! `[[body]]`.

use super::force::FORCE_AXES;
use super::joint::Children;
use super::material::Library;
use super::units::Quantity;
use super::walker::Section;
use super::{pose, shape};
use fmu_core::scene::SceneItem;
use fmu_core::scene::description::{BodyDescription, Drive, GivenMass, Motion, OrientationInput};

/// Words for the values of `motion`.
pub const MOTIONS: &[(&str, Motion)] = &[
    ("free", Motion::Free),
    ("fixed", Motion::Fixed),
    ("joint", Motion::Joint),
    ("driven", Motion::Driven),
    ("prescribed", Motion::Prescribed),
];
/// Words for the values of `orientation_input`.
pub const ORIENTATION_INPUTS: &[(&str, OrientationInput)] = &[
    ("quaternion", OrientationInput::Quaternion),
    ("matrix", OrientationInput::Matrix),
];

const NO_MOTION: &str = "motion is missing; write motion = \"free\", \"fixed\", \"driven\" or \"prescribed\", or name the body as \
                         child of a [[joint]]";

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
    let name = section.required("name", "write name = \"...\"", |f| f.string());
    let motion = motion(&mut section, name, children);
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
    let drive = drive(&mut section, motion);
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
        drive,
        collision_group: collision_group.map(str::to_owned),
        shapes,
    }
}

/// `motion`; that of the child of a joint may be left away.
fn motion(
    section: &mut Section<'_>,
    name: Option<&str>,
    children: &Children<'_>,
) -> Option<Motion> {
    if let Some(field) = section.field("motion") {
        return field.choice(MOTIONS);
    }
    let is_child = name.is_some_and(|name| children.names.contains(&name));
    if is_child || children.open {
        return Some(Motion::Joint);
    }
    section.missing("motion", NO_MOTION.to_owned());
    None
}

/// What the inputs and outputs of a driven body are.
fn drive(section: &mut Section<'_>, motion: Option<Motion>) -> Drive {
    let orientation = section.field("orientation_input");
    let wrench = section.field("wrench_axes");
    if motion.is_some_and(|motion| motion != Motion::Driven) {
        for field in [&orientation, &wrench].into_iter().flatten() {
            let text =
                "has a meaning only with motion = \"driven\"; remove it or change the motion";
            field.fail_at(field.key_span(), text.to_owned());
        }
        return Drive::default();
    }
    let default = Drive::default();
    let orientation = orientation.and_then(|f| f.choice(ORIENTATION_INPUTS));
    let wrench = wrench.and_then(|f| f.choice(FORCE_AXES));
    Drive {
        orientation: orientation.unwrap_or(default.orientation),
        wrench_axes: wrench.unwrap_or(default.wrench_axes),
    }
}
