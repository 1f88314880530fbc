//! Kinds of joints: a row for each, from which everything about a kind follows.
//!
//! The position states of a joint are coordinates of one number each, or end with a quaternion.
//! Each coordinate moves the child's frame along or about an axis; the motions follow each other
//! in the order of the list. [`Joint::transform`](crate::scene::Joint::transform) has the formulas.

use contact_laws::quantity::Keyword;
use serde::{Deserialize, Serialize};

/// Which motions a joint leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum JointKind {
    /// None.
    Fixed,
    /// Turning about the axis.
    Revolute,
    /// Sliding along the axis.
    Prismatic,
    /// Sliding along the axis and turning about it.
    Cylindrical,
    /// Turning about the axis, which the parent carries, then about the second one, which the child
    /// carries.
    Universal,
    /// Turning about a point.
    Spherical,
    /// Sliding in the plane at right angles to the axis and turning about it.
    Planar,
    /// All six.
    Free,
    /// Turning about the axis and sliding along it by the pitch for each turn.
    Screw,
}

/// What is said of a kind.
#[derive(Clone, Copy, Debug)]
pub struct JointKindRow {
    /// The kind.
    pub kind: JointKind,
    /// The word that a scene file gives it.
    pub key: &'static str,
    /// Its position states.
    pub freedom: Freedom,
}

/// The position states of a kind, and the motions that they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freedom {
    /// Coordinates of one number each, in the order of the states; their rates are the velocity
    /// states.
    Coordinates(&'static [Coordinate]),
    /// Orientation of the child (w, x, y, z). Velocity states are the angular velocity of the child
    /// against the parent in child axes [rad/s].
    Quaternion {
        /// The position comes before it [m], and the velocity before the angular velocity [m/s];
        /// parent axes.
        with_position: bool,
    },
}

/// A coordinate of a joint that is one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coordinate {
    /// The key that a scene file gives it, and the last part of the state's name.
    pub key: &'static str,
    /// The last part of the name of its rate.
    pub rate_key: &'static str,
    /// The last part of the name of a force or torque along it.
    pub force_key: &'static str,
    /// Words that follow `Angle` or `Displacement`.
    pub place: &'static str,
    /// Along or about which axis of the joint it moves the child.
    pub axis: JointAxis,
    /// How it moves the child.
    pub motion: CoordinateMotion,
}

/// An axis of a joint, by its index among [`Joint::axes`](crate::scene::Joint::axes).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointAxis {
    /// `axis`.
    First = 0,
    /// `second_axis`.
    Second = 1,
    /// `axis` x `second_axis`.
    Cross = 2,
}

/// How a coordinate moves the child. The axes of slides are carried by the parent, and so is that
/// of a turn if nothing else is said; a kind has one turn of these at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoordinateMotion {
    /// It slides the child along the axis [m].
    Slide,
    /// It turns the child about the axis [rad].
    Turn,
    /// It turns the child about an axis that the child carries [rad]; the last motion of its kind.
    TurnOnChild,
    /// It turns the child about the axis [rad] and slides it along by the pitch of the joint for
    /// each turn.
    Screw,
}

const DISPLACEMENT: Coordinate = Coordinate {
    key: "displacement",
    rate_key: "velocity",
    force_key: "force",
    place: "along the axis of the joint",
    axis: JointAxis::First,
    motion: CoordinateMotion::Slide,
};
const DISPLACEMENT_1: Coordinate = Coordinate {
    key: "displacement_1",
    rate_key: "velocity_1",
    force_key: "force_1",
    place: "along the first direction of the plane of the joint",
    axis: JointAxis::Second,
    motion: CoordinateMotion::Slide,
};
const DISPLACEMENT_2: Coordinate = Coordinate {
    key: "displacement_2",
    rate_key: "velocity_2",
    force_key: "force_2",
    place: "along the second direction of the plane of the joint",
    axis: JointAxis::Cross,
    motion: CoordinateMotion::Slide,
};
const ANGLE: Coordinate = Coordinate {
    key: "angle",
    rate_key: "angular_velocity",
    force_key: "torque",
    place: "about the axis of the joint",
    axis: JointAxis::First,
    motion: CoordinateMotion::Turn,
};
const ANGLE_1: Coordinate = Coordinate {
    key: "angle_1",
    rate_key: "angular_velocity_1",
    force_key: "torque_1",
    place: "about the first axis of the joint",
    axis: JointAxis::First,
    motion: CoordinateMotion::Turn,
};
const ANGLE_2: Coordinate = Coordinate {
    key: "angle_2",
    rate_key: "angular_velocity_2",
    force_key: "torque_2",
    place: "about the second axis of the joint",
    axis: JointAxis::Second,
    motion: CoordinateMotion::TurnOnChild,
};

/// All kinds, in the order of [`JointKind`].
#[rustfmt::skip]
static ROWS: [JointKindRow; 9] = [
    row(JointKind::Fixed, "fixed", Freedom::Coordinates(&[])),
    row(JointKind::Revolute, "revolute", Freedom::Coordinates(&[ANGLE])),
    row(JointKind::Prismatic, "prismatic", Freedom::Coordinates(&[DISPLACEMENT])),
    row(JointKind::Cylindrical, "cylindrical", Freedom::Coordinates(&[DISPLACEMENT, ANGLE])),
    row(JointKind::Universal, "universal", Freedom::Coordinates(&[ANGLE_1, ANGLE_2])),
    row(JointKind::Spherical, "spherical", Freedom::Quaternion { with_position: false }),
    row(JointKind::Planar, "planar", Freedom::Coordinates(&[DISPLACEMENT_1, DISPLACEMENT_2, ANGLE])),
    row(JointKind::Free, "free", Freedom::Quaternion { with_position: true }),
    row(JointKind::Screw, "screw", Freedom::Coordinates(&[Coordinate { motion: CoordinateMotion::Screw, ..ANGLE }])),
];

const fn row(kind: JointKind, key: &'static str, freedom: Freedom) -> JointKindRow {
    JointKindRow { kind, key, freedom }
}

impl Coordinate {
    /// Returns true if it is an angle [rad]; a displacement [m] otherwise.
    #[inline(always)]
    pub fn is_angle(&self) -> bool {
        self.motion != CoordinateMotion::Slide
    }

    /// Returns true if it slides the child.
    #[inline(always)]
    pub fn slides(&self) -> bool {
        matches!(
            self.motion,
            CoordinateMotion::Slide | CoordinateMotion::Screw
        )
    }
}

impl Keyword for JointKind {
    const WORDS: &'static [(&'static str, Self)] = &{
        let mut words = [("", JointKind::Fixed); ROWS.len()];
        let mut i = 0;
        while i < words.len() {
            words[i] = (ROWS[i].key, ROWS[i].kind);
            i += 1;
        }
        words
    };
}

impl JointKind {
    /// All kinds.
    pub const ALL: [JointKind; ROWS.len()] = {
        let mut all = [JointKind::Fixed; ROWS.len()];
        let mut i = 0;
        while i < all.len() {
            all[i] = ROWS[i].kind;
            i += 1;
        }
        all
    };

    /// What is said of it.
    #[inline(always)]
    pub fn row(self) -> &'static JointKindRow {
        &ROWS[self as usize]
    }

    /// Coordinates that are one number each, in the order of the states; none if the
    /// coordinates hold a quaternion.
    #[inline(always)]
    pub fn coordinates(self) -> &'static [Coordinate] {
        match self.row().freedom {
            Freedom::Coordinates(list) => list,
            Freedom::Quaternion { .. } => &[],
        }
    }

    /// The coordinates of all kinds, each key once.
    pub fn all_coordinates() -> impl Iterator<Item = &'static Coordinate> {
        let all = || ROWS.iter().flat_map(|row| row.kind.coordinates());
        let first = move |key| all().position(|c| c.key == key);
        let listed = all().enumerate();
        listed.filter_map(move |(index, c)| (first(c.key) == Some(index)).then_some(c))
    }

    /// Index among the position states of the first component of a quaternion, if it has one.
    #[inline(always)]
    pub fn quaternion(self) -> Option<usize> {
        match self.row().freedom {
            Freedom::Coordinates(_) => None,
            Freedom::Quaternion { with_position } => Some(if with_position { 3 } else { 0 }),
        }
    }

    /// How the position or velocity state of this index moves the child; each component of an
    /// orientation turns it.
    pub fn motion(self, index: usize) -> CoordinateMotion {
        match self.row().freedom {
            Freedom::Coordinates(list) => list[index].motion,
            Freedom::Quaternion { with_position } => match with_position && index < 3 {
                true => CoordinateMotion::Slide,
                false => CoordinateMotion::Turn,
            },
        }
    }

    /// Number of position states: the coordinates, or components of position and orientation.
    pub fn position_count(self) -> usize {
        self.quaternion()
            .map_or(self.coordinates().len(), |first| first + 4)
    }

    /// Number of velocity states, the degrees of freedom: rates of the coordinates, or components
    /// of velocity and angular velocity.
    pub fn rate_count(self) -> usize {
        self.quaternion()
            .map_or(self.coordinates().len(), |first| first + 3)
    }

    /// Returns true if it leaves all turns and no slide, so that it has
    /// [`BallForces`](super::BallForces).
    pub fn is_ball(self) -> bool {
        self.quaternion() == Some(0)
    }

    /// Returns true if it leaves all six motions, so that it exerts nothing.
    pub fn is_free(self) -> bool {
        self.quaternion() == Some(3)
    }

    /// Number of axes that a description must give it, `axis` first: 0, 1 or 2.
    pub fn axis_count(self) -> usize {
        let given = |c: &Coordinate| match c.axis {
            JointAxis::First => 1,
            JointAxis::Second | JointAxis::Cross => 2,
        };
        self.coordinates().iter().map(given).max().unwrap_or(0)
    }

    /// Returns true if a description must give it a pitch.
    pub fn has_pitch(self) -> bool {
        let mut coordinates = self.coordinates().iter();
        coordinates.any(|c| c.motion == CoordinateMotion::Screw)
    }

    /// Returns true if parent and child may touch unless the joint says so. If the joint holds a
    /// point of them together, because it leaves no slide, they overlap there by design.
    pub fn may_collide(self) -> bool {
        self.is_free() || self.coordinates().iter().any(Coordinate::slides)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_its_row_and_its_word() {
        for (index, row) in ROWS.iter().enumerate() {
            assert_eq!(row.kind as usize, index);
            let others = ROWS.iter().filter(|other| other.key == row.key);
            assert_eq!(others.count(), 1, "{}", row.key);
        }
    }

    /// What the formulas of the motion take for granted.
    #[test]
    fn one_turn_at_most_is_about_an_axis_of_the_parent_and_one_of_the_child_comes_last() {
        for (_, kind) in JointKind::WORDS {
            let motions: Vec<_> = kind.coordinates().iter().map(|c| c.motion).collect();
            let on_parent = [CoordinateMotion::Turn, CoordinateMotion::Screw];
            let on_parent = motions.iter().filter(|motion| on_parent.contains(motion));
            assert!(on_parent.count() <= 1, "{kind:?}");
            let before = motions.iter().rev().skip(1);
            let early = before.filter(|motion| **motion == CoordinateMotion::TurnOnChild);
            assert_eq!(early.count(), 0, "{kind:?}");
        }
    }

    #[test]
    fn kinds_have_the_states_and_axes_of_the_page_of_the_format() {
        let counts = JointKind::WORDS.iter().map(|(word, kind)| {
            let states = [kind.position_count(), kind.rate_count()];
            (*word, states, kind.axis_count(), kind.may_collide())
        });
        let expected = [
            ("fixed", [0, 0], 0, false),
            ("revolute", [1, 1], 1, false),
            ("prismatic", [1, 1], 1, true),
            ("cylindrical", [2, 2], 1, true),
            ("universal", [2, 2], 2, false),
            ("spherical", [4, 3], 0, false),
            ("planar", [3, 3], 2, true),
            ("free", [7, 6], 0, true),
            ("screw", [1, 1], 1, true),
        ];
        assert_eq!(counts.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn coordinates_of_several_kinds_are_listed_once() {
        let keys: Vec<&str> = JointKind::all_coordinates().map(|c| c.key).collect();
        let expected = [
            "angle",
            "displacement",
            "angle_1",
            "angle_2",
            "displacement_1",
            "displacement_2",
        ];
        assert_eq!(keys, expected);
    }
}
