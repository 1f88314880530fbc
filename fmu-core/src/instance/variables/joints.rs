//! Texts and types of the variables of joints.

use contact_laws::quantity::units::{self, DeclaredType};
use contact_model::scene::description::{Coordinate, JointKind};

/// What a state of a joint is: a coordinate, or part of a vector or quaternion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JointState {
    Coordinate(&'static Coordinate),
    Position(usize),
    Orientation(usize),
    Velocity(usize),
    AngularVelocity(usize),
}

impl JointState {
    /// The state at a place among the position states of a kind, or among its velocity states.
    pub(super) fn of(kind: JointKind, is_rate: bool, place: usize) -> Self {
        if let Some(coordinate) = kind.coordinates().get(place) {
            return JointState::Coordinate(coordinate);
        }
        let free = kind.is_free();
        match (is_rate, free, place) {
            (false, true, i @ 0..3) => JointState::Position(i),
            (false, true, i) => JointState::Orientation(i - 3),
            (false, false, i) => JointState::Orientation(i),
            (true, true, i @ 0..3) => JointState::Velocity(i),
            (true, true, i) => JointState::AngularVelocity(i - 3),
            (true, false, i) => JointState::AngularVelocity(i),
        }
    }

    /// Index in the vector that the state is an element of; none for a coordinate.
    pub(super) fn component(self) -> Option<usize> {
        match self {
            JointState::Coordinate(_) => None,
            JointState::Position(i)
            | JointState::Orientation(i)
            | JointState::Velocity(i)
            | JointState::AngularVelocity(i) => Some(i),
        }
    }

    pub(super) fn declared_type(self, is_rate: bool) -> DeclaredType {
        match self {
            JointState::Coordinate(coordinate) => match (coordinate.is_angle(), is_rate) {
                (true, false) => units::ANGLE,
                (true, true) => units::ANGULAR_VELOCITY,
                (false, false) => units::POSITION,
                (false, true) => units::VELOCITY,
            },
            JointState::Position(_) => units::POSITION,
            JointState::Orientation(_) => units::QUATERNION,
            JointState::Velocity(_) => units::VELOCITY,
            JointState::AngularVelocity(_) => units::ANGULAR_VELOCITY,
        }
    }

    /// Type of its time derivative.
    pub(super) fn rate_type(self, is_rate: bool) -> DeclaredType {
        match self {
            JointState::Coordinate(coordinate) => match (coordinate.is_angle(), is_rate) {
                (true, false) => units::ANGULAR_VELOCITY,
                (true, true) => units::ANGULAR_ACCELERATION,
                (false, false) => units::VELOCITY,
                (false, true) => units::ACCELERATION,
            },
            JointState::Position(_) => units::VELOCITY,
            JointState::Orientation(_) => units::QUATERNION_RATE,
            JointState::Velocity(_) => units::ACCELERATION,
            JointState::AngularVelocity(_) => units::ANGULAR_ACCELERATION,
        }
    }
}

/// What a coordinate is, in words that follow `Angle of the joint` and the like.
pub(super) fn coordinate_text(coordinate: &Coordinate, is_rate: bool) -> String {
    let what = match coordinate.is_angle() {
        true => ["Angle", "Angular velocity"],
        false => ["Displacement", "Velocity"],
    };
    format!("{} {}", what[usize::from(is_rate)], coordinate.place)
}
