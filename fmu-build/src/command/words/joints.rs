//! Joints and what acts in them in words.

use super::{short, vector};
use contact_model::scene::Joint;
use contact_model::scene::description::{Coordinate, CoordinateForces, JointStops};
use std::f64::consts::TAU;

/// Axes, and what it has beside its coordinates: `, axis (0, 0, 1), reaction is an output`.
pub(crate) fn joint_details(joint: &Joint) -> String {
    let mut text = String::new();
    let [axis, second, _] = joint.axes.map(|axis| vector(axis.as_slice()));
    match joint.kind.axis_count() {
        0 => {}
        1 => text += &format!(", axis {axis}"),
        _ => text += &format!(", axes {axis} and {second}"),
    }
    if joint.kind.has_pitch() {
        text += &format!(", pitch {} m", short(TAU * joint.lead));
    }
    if joint.kind.is_ball() {
        text += &format!(", orientation {}", vector(&joint.positions));
        text += &format!(", {} rad/s", vector(&joint.rates));
        if joint.ball.damping > 0.0 {
            text += &format!(", damping {} N.m.s/rad", short(joint.ball.damping));
        }
        if joint.ball.input {
            text += ", torque is an input";
        }
    }
    if joint.reaction {
        text += ", reaction is an output";
    }
    if joint.power {
        text += ", power is an output";
    }
    text
}

/// Start values of a coordinate, and what acts along it.
pub(crate) fn coordinate_in_words(joint: &Joint, index: usize, coordinate: &Coordinate) -> String {
    let (length, force) = match coordinate.is_angle() {
        true => ("rad", "N.m"),
        false => ("m", "N"),
    };
    let (start, rate) = (short(joint.positions[index]), short(joint.rates[index]));
    let mut parts = vec![format!("{start} {length}, {rate} {length}/s")];
    let CoordinateForces {
        spring,
        damping,
        friction,
        stops,
        input,
    } = &joint.forces[index];
    if let Some(spring) = spring {
        let (stiffness, rest) = (short(spring.stiffness), short(spring.rest));
        parts.push(format!(
            "spring {stiffness} {force}/{length} from {rest} {length}"
        ));
    }
    if *damping > 0.0 {
        parts.push(format!("damping {} {force}.s/{length}", short(*damping)));
    }
    if let Some(friction) = friction {
        let (limit, speed) = (short(friction.limit), short(friction.speed));
        parts.push(format!(
            "friction {limit} {force}, full above {speed} {length}/s"
        ));
    }
    if let Some(stops) = stops {
        parts.push(stops_in_words(stops, length, force));
    }
    if *input {
        parts.push(format!("{} is an input", coordinate.force_key));
    }
    format!("{} {}", coordinate.key, parts.join("; "))
}

fn stops_in_words(stops: &JointStops, length: &str, force: &str) -> String {
    let places = match (stops.lower, stops.upper) {
        (Some(lower), Some(upper)) => {
            format!("stops at {} and {} {length}", short(lower), short(upper))
        }
        (Some(lower), None) => format!("stop below {} {length}", short(lower)),
        (None, upper) => format!("stop above {} {length}", short(upper.unwrap_or_default())),
    };
    format!(
        "{places}, {} {force}/{length}, restitution {}",
        short(stops.stiffness),
        short(stops.restitution)
    )
}
