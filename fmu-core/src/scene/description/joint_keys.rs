//! The keys of `[[joint]]`.

use super::body::{ORIENTATION, POSITION, ROTATION};
use super::motion::FRAME;
use crate::quantity::row::Need;
use crate::quantity::{Key, Range, Value, units};
use crate::scene::coordinate::{ForceElement, ROWS};

/// Keys of a joint.
#[rustfmt::skip]
pub const JOINT: [Key; 10] = [
    Key::new("name", "Unique name: a letter, then letters, digits and underscores; no body has it", Value::Name, "\"hinge\""),
    Key::new("type", "Kind of the joint", Value::Text, "\"revolute\""),
    Key::new("parent", "Body that the joint hangs on, or \"world\"", Value::Text, "\"ground\""),
    Key::new("child", "Body that the joint moves", Value::Text, "\"arm\""),
    Key::new("parent_frame", "Frame of the joint in the parent", Value::Table(|| FRAME.to_vec()), "").unless("that of the parent"),
    Key::new("child_frame", "Frame of the joint in the child", Value::Table(|| FRAME.to_vec()), "").unless("that of the child"),
    Key::new("axis", "Axis in the frames of the joint", Value::Numbers(units::DIRECTION, 3), "[0, 1, 0]").unless("[0, 0, 1]"),
    Key::new("second_axis", "Second axis of a universal joint, first direction of a planar one, at right angles to axis",
        Value::Numbers(units::DIRECTION, 3), "[1, 0, 0]").unless("the coordinate axis after axis"),
    Key::new("can_collide", "Parent and child may touch", Value::Flag, "true").unless("by type"),
    Key::new("reaction", "Force and torque on the child are outputs", Value::Flag, "true").unless("false"),
];

/// Keys of a joint that has no coordinates of one number each.
#[rustfmt::skip]
pub const BALL: [Key; 7] = [
    POSITION,
    ORIENTATION,
    ROTATION,
    Key::new("velocity", "Velocity at the start along", Value::Numbers(units::VELOCITY, 3), "[1, 0, 0]")
        .at("joint frame of the child, axes of the parent").unless("[0, 0, 0]"),
    Key::new("angular_velocity", "Angular velocity at the start about", Value::Numbers(units::ANGULAR_VELOCITY, 3), "[0, 0, 1]")
        .at("joint frame of the child").unless("[0, 0, 0]"),
    Key::new("damping", "Viscous damping coefficient", Value::Number(units::ROTATIONAL_DAMPING, Range::NOT_NEGATIVE),
        "\"0.1 N.m.s/rad\"").unless("0"),
    Key::new("input", "A torque on the child is an input", Value::Flag, "true").unless("false"),
];

/// Keys of a coordinate.
pub fn coordinate(is_angle: bool) -> Vec<Key> {
    let [position, rate] = match is_angle {
        true => [units::ANGLE, units::ANGULAR_VELOCITY],
        false => [units::POSITION, units::VELOCITY],
    };
    let tables: [fn() -> Vec<Key>; 3] = match is_angle {
        true => [
            || numbers(ForceElement::Spring, true),
            || numbers(ForceElement::Friction, true),
            || numbers(ForceElement::Stop, true),
        ],
        false => [
            || numbers(ForceElement::Spring, false),
            || numbers(ForceElement::Friction, false),
            || numbers(ForceElement::Stop, false),
        ],
    };
    let element = |key, text, index: usize| {
        Key::new(key, text, Value::Table(tables[index]), "").unless("none")
    };
    let number = |key, text, declared| {
        Key::new(key, text, Value::Number(declared, Range::ANY), "0").unless("0")
    };
    let mut keys = vec![
        number("start", "Coordinate at the start", position),
        number("speed", "Its rate at the start", rate),
    ];
    keys.extend(numbers(ForceElement::Damper, is_angle));
    keys.extend([
        element("spring", "Linear spring", 0),
        element("friction", "Coulomb friction", 1),
        element("stop", "End stops", 2),
        Key::new(
            "input",
            "Force or torque along it is an input",
            Value::Flag,
            "true",
        )
        .unless("false"),
    ]);
    keys
}

/// Keys of a force element along a coordinate.
fn numbers(element: ForceElement, is_angle: bool) -> Vec<Key> {
    let rows = ROWS.iter().filter(|row| row.element == element);
    rows.map(|row| {
        let value = Value::Number(row.declared(is_angle), row.range);
        let key = Key::new(row.key(is_angle), row.text, value, row.example(is_angle));
        let need = match row.is_required {
            true => Need::Required,
            false => Need::Unless("none"),
        };
        Key { need, ..key }
    })
    .collect()
}
