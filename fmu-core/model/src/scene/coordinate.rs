//! The numbers of a coordinate of a joint: spring, damper, friction and end stops. One table from which
//! the keys of scene files, the names, types and texts of FMI parameters, ranges and setters come.

use crate::scene::description::CoordinateForces;
use contact_laws::quantity::{
    DeclaredType, Feeds, Key, Need, ParameterFacts, Quantity, Range, Value, units,
};

/// A number of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointItem {
    /// Stiffness of the spring [N/m], [N.m/rad].
    SpringStiffness,
    /// Rest coordinate of the spring (zero force) [m], [rad].
    SpringRest,
    /// Viscous friction [N.s/m], [N.m.s/rad].
    Damping,
    /// Coulomb friction while sliding [N], [N.m].
    Friction,
    /// Speed above which that has its full value [m/s], [rad/s].
    FrictionSpeed,
    /// Position of the lower stop [m], [rad].
    LowerStop,
    /// Position of the upper stop [m], [rad].
    UpperStop,
    /// Stiffness of the stops [N/m], [N.m/rad].
    StopStiffness,
    /// Coefficient of restitution of the stops [1].
    StopRestitution,
}

impl JointItem {
    /// What is said of it; the damping of a spherical joint is that of an angle.
    pub fn row(self) -> &'static CoordinateRow {
        &ROWS[self as usize]
    }
}

/// What acts along a coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForceElement {
    /// A linear spring.
    Spring,
    /// Viscous friction.
    Damper,
    /// Coulomb friction.
    Friction,
    /// End stops.
    Stop,
}

impl ForceElement {
    /// Its table below that of the coordinate; none for a key of the coordinate itself.
    pub fn table(self) -> Option<&'static str> {
        match self {
            ForceElement::Spring => Some("spring"),
            ForceElement::Damper => None,
            ForceElement::Friction => Some("friction"),
            ForceElement::Stop => Some("stop"),
        }
    }
}

/// A number of a coordinate. Of two entries the first is that of a displacement, the second that of an
/// angle.
#[derive(Clone, Copy, Debug)]
pub struct CoordinateRow {
    /// The number.
    pub item: JointItem,
    /// What it is a number of.
    pub element: ForceElement,
    keys: [&'static str; 2],
    /// Last part of the name of the FMI parameter: the keys of the scene file below the coordinate.
    names: [&'static str; 2],
    /// What it is, as the text of the FMI parameter.
    pub text: &'static str,
    types: [DeclaredType; 2],
    /// Allowed values.
    pub range: Range,
    /// Whether the force element must have it; otherwise it is 0, or a stop is not there.
    pub is_required: bool,
    examples: [&'static str; 2],
    /// What it enters.
    pub feeds: Feeds,
    /// The number; `None` if the coordinate does not have it.
    pub at: fn(&mut CoordinateForces) -> Option<&mut f64>,
    /// Sets it; makes its force element if there is none.
    pub set: fn(&mut CoordinateForces, f64),
}

impl CoordinateRow {
    /// Its key in the table of the force element.
    pub fn key(&self, is_angle: bool) -> &'static str {
        self.keys[usize::from(is_angle)]
    }

    /// An example of it in a scene file.
    pub fn example(&self, is_angle: bool) -> &'static str {
        self.examples[usize::from(is_angle)]
    }

    /// Its type, with the unit.
    pub fn declared(&self, is_angle: bool) -> DeclaredType {
        self.types[usize::from(is_angle)]
    }

    /// What is said of it as a parameter.
    pub(crate) fn parameter(&self, is_angle: bool) -> ParameterFacts {
        let quantity = Quantity {
            key: self.name(is_angle),
            text: self.text,
            frame: "",
            declared: self.declared(is_angle),
            range: self.range,
        };
        ParameterFacts {
            quantity,
            size: None,
            feeds: self.feeds,
        }
    }

    /// The last part of the name of the FMI parameter.
    pub fn name(&self, is_angle: bool) -> &'static str {
        self.names[usize::from(is_angle)]
    }
}

/// All numbers, in the order of [`JointItem`].
#[rustfmt::skip]
pub static ROWS: [CoordinateRow; 9] = [
    CoordinateRow {
        item: JointItem::SpringStiffness, element: ForceElement::Spring, keys: ["stiffness"; 2], names: ["spring_stiffness"; 2],
        text: "Stiffness of the spring", types: [units::STIFFNESS, units::ROTATIONAL_STIFFNESS],
        range: Range::NOT_NEGATIVE, is_required: true, examples: ["\"1 N/mm\"", "\"10 N.m/rad\""],
        feeds: Feeds::SPRING,
        at: |forces| forces.spring.as_mut().map(|spring| &mut spring.stiffness),
        set: |forces, value| forces.spring.get_or_insert_default().stiffness = value,
    },
    CoordinateRow {
        item: JointItem::SpringRest, element: ForceElement::Spring, keys: ["rest"; 2], names: ["spring_rest"; 2],
        text: "Rest coordinate (zero force)", types: [units::POSITION, units::ANGLE],
        range: Range::ANY, is_required: false, examples: ["0"; 2],
        feeds: Feeds::SPRING,
        at: |forces| forces.spring.as_mut().map(|spring| &mut spring.rest),
        set: |forces, value| forces.spring.get_or_insert_default().rest = value,
    },
    // A parameter wherever anything else acts or it is not zero itself.
    CoordinateRow {
        item: JointItem::Damping, element: ForceElement::Damper, keys: ["damping"; 2], names: ["damping"; 2],
        text: "Viscous damping coefficient", types: [units::LINEAR_DAMPING, units::ROTATIONAL_DAMPING],
        range: Range::NOT_NEGATIVE, is_required: false, examples: ["\"5 N.s/m\"", "\"0.1 N.m.s/rad\""],
        feeds: Feeds::FRICTION,
        at: |forces| (*forces != CoordinateForces::default()).then_some(&mut forces.damping),
        set: |forces, value| forces.damping = value,
    },
    CoordinateRow {
        item: JointItem::Friction, element: ForceElement::Friction, keys: ["force", "torque"], names: ["friction_force", "friction_torque"],
        text: "Coulomb friction while sliding", types: [units::FORCE, units::TORQUE],
        range: Range::NOT_NEGATIVE, is_required: true, examples: ["\"1 N\"", "\"1 N.m\""],
        feeds: Feeds::FRICTION,
        at: |forces| forces.friction.as_mut().map(|friction| &mut friction.limit),
        set: |forces, value| forces.friction.get_or_insert_default().limit = value,
    },
    CoordinateRow {
        item: JointItem::FrictionSpeed, element: ForceElement::Friction, keys: ["speed"; 2], names: ["friction_speed"; 2],
        text: "Speed above which friction has its full value", types: [units::VELOCITY, units::ANGULAR_VELOCITY],
        range: Range::POSITIVE, is_required: true, examples: ["\"1 mm/s\"", "\"0.01 rad/s\""],
        feeds: Feeds::FRICTION,
        at: |forces| forces.friction.as_mut().map(|friction| &mut friction.speed),
        set: |forces, value| forces.friction.get_or_insert_default().speed = value,
    },
    CoordinateRow {
        item: JointItem::LowerStop, element: ForceElement::Stop, keys: ["lower"; 2], names: ["stop_lower"; 2],
        text: "Coordinate of the lower stop", types: [units::POSITION, units::ANGLE],
        range: Range::ANY, is_required: false, examples: ["0", "\"-90 deg\""],
        feeds: Feeds::LOWER_STOP,
        at: |forces| forces.stops.as_mut()?.lower.as_mut(),
        set: |forces, value| forces.stops.get_or_insert_default().lower = Some(value),
    },
    CoordinateRow {
        item: JointItem::UpperStop, element: ForceElement::Stop, keys: ["upper"; 2], names: ["stop_upper"; 2],
        text: "Coordinate of the upper stop", types: [units::POSITION, units::ANGLE],
        range: Range::ANY, is_required: false, examples: ["\"10 cm\"", "\"90 deg\""],
        feeds: Feeds::UPPER_STOP,
        at: |forces| forces.stops.as_mut()?.upper.as_mut(),
        set: |forces, value| forces.stops.get_or_insert_default().upper = Some(value),
    },
    CoordinateRow {
        item: JointItem::StopStiffness, element: ForceElement::Stop, keys: ["stiffness"; 2], names: ["stop_stiffness"; 2],
        text: "Stiffness of the stops", types: [units::STIFFNESS, units::ROTATIONAL_STIFFNESS],
        range: Range::POSITIVE, is_required: true, examples: ["\"1 kN/mm\"", "\"1e5 N.m/rad\""],
        feeds: Feeds::ELASTIC,
        at: |forces| forces.stops.as_mut().map(|stops| &mut stops.stiffness),
        set: |forces, value| forces.stops.get_or_insert_default().stiffness = value,
    },
    CoordinateRow {
        item: JointItem::StopRestitution, element: ForceElement::Stop, keys: ["restitution"; 2], names: ["stop_restitution"; 2],
        text: "Coefficient of restitution of the stops", types: [units::COEFFICIENT; 2],
        range: Range::FRACTION, is_required: true, examples: ["0.5"; 2],
        feeds: Feeds::LAW,
        at: |forces| forces.stops.as_mut().map(|stops| &mut stops.restitution),
        set: |forces, value| forces.stops.get_or_insert_default().restitution = value,
    },
];

/// Keys of a coordinate.
pub fn keys(is_angle: bool) -> Vec<Key> {
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
            false => Need::Unless(match row.item {
                JointItem::LowerStop | JointItem::UpperStop => "none",
                _ => "0",
            }),
        };
        Key { need, ..key }
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_has_its_row_and_its_place() {
        let mut forces = CoordinateForces::default();
        for (index, row) in ROWS.iter().enumerate() {
            assert_eq!(row.item as usize, index);
            assert_eq!((row.at)(&mut CoordinateForces::default()), None);
            (row.set)(&mut forces, index as f64 + 1.0);
        }
        for (index, row) in ROWS.iter().enumerate() {
            let found = (row.at)(&mut forces).copied();
            assert_eq!(found, Some(index as f64 + 1.0), "{:?}", row.item);
        }
    }

    #[test]
    fn names_are_the_keys_of_the_scene_file() {
        for row in &ROWS {
            for is_angle in [false, true] {
                let key = row.key(is_angle);
                let table = row.element.table();
                let name = table.map_or(key.to_owned(), |table| format!("{table}_{key}"));
                assert_eq!(row.parameter(is_angle).quantity.key, name);
            }
        }
    }
}
