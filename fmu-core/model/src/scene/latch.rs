//! Latches of a scene: what closes and opens the latch of a joint.
//!
//! A trigger has an event indicator z while the latch is open: with the value c of `close_at` and
//! the coordinate q, z = c - q where q comes from below, q - c from above; with the distance r of
//! `close_distance` and the way d from the parent's joint frame to the child's, z = |d| - r.

use crate::scene::description::{
    CloseFrom, Coordinate, CoordinateMotion, Freedom, LatchDescription, SceneDescription,
};
use crate::scene::joint::{Joint, unit_vector};
use contact_geometry::math::{Real, Vec3, length};
use contact_laws::index::{JointId, LatchId, TiSlice, TiVec};

/// A latch.
#[derive(Clone, Debug, PartialEq)]
pub struct Latch {
    /// Unique name.
    pub name: String,
    /// The joint whose coordinates it holds.
    pub joint: JointId,
    /// It is closed at start.
    pub starts_closed: bool,
    /// When it closes (true) and opens [s], ascending.
    pub schedule: Vec<(f64, bool)>,
    /// An input commands it.
    pub has_input: bool,
    /// Where it closes.
    pub trigger: Option<Trigger>,
    /// Impulse along each velocity state of the joint where it opens [N.s] or [N.m.s].
    pub release: [f64; 6],
}

/// Where a latch closes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Trigger {
    /// A coordinate comes to a value [m] or [rad]; `sign` is 1 from below and -1 from above.
    Coordinate {
        /// Index among those of the joint's kind.
        coordinate: usize,
        /// The value.
        place: f64,
        /// Side.
        sign: f64,
    },
    /// The origins of both frames of the joint are so near [m].
    Distance(f64),
}

impl Trigger {
    /// Event indicator of an open latch for these position states [m] or [rad].
    pub fn indicator<T: Real>(&self, joint: &Joint, positions: &[T]) -> T {
        match *self {
            Trigger::Coordinate {
                coordinate,
                place,
                sign,
            } => (positions[coordinate] - place) * -sign,
            Trigger::Distance(near) => length(&joint.transform(positions).position) - near,
        }
    }

    /// Returns true if the indicator is an angle.
    pub fn is_angle(&self, joint: &Joint) -> bool {
        match *self {
            Trigger::Coordinate { coordinate, .. } => {
                let coordinates = joint.kind.coordinates();
                coordinates
                    .get(coordinate)
                    .is_some_and(Coordinate::is_angle)
            }
            Trigger::Distance(_) => false,
        }
    }
}

/// Calls `visit` for each position state of a joint that slides its frame on the child against the one on
/// the parent, with its index and the way for a unit of it, axes of the latter.
pub fn each_slide(joint: &Joint, mut visit: impl FnMut(usize, Vec3)) {
    match joint.kind.row().freedom {
        Freedom::Coordinates(list) => {
            for (index, coordinate) in list.iter().enumerate() {
                let axis = joint.axes[coordinate.axis as usize];
                match coordinate.motion {
                    CoordinateMotion::Screw => visit(index, axis * joint.lead),
                    _ if coordinate.is_angle() => {}
                    _ => visit(index, axis),
                }
            }
        }
        Freedom::Quaternion { with_position } => {
            let count = if with_position { 3 } else { 0 };
            for (index, axis) in [Vec3::x(), Vec3::y(), Vec3::z()]
                .into_iter()
                .take(count)
                .enumerate()
            {
                visit(index, axis);
            }
        }
    }
}

/// The latches of a description without problems.
pub(super) fn build(
    description: &SceneDescription,
    joints: &TiSlice<JointId, Joint>,
) -> TiVec<LatchId, Latch> {
    let latches = description.latches.iter();
    let of = |given: &LatchDescription| {
        let joint = joints.position(|joint| joint.name == given.joint)?;
        Some(latch(given, joint, &joints[joint]))
    };
    latches.filter_map(of).collect()
}

fn latch(given: &LatchDescription, index: JointId, joint: &Joint) -> Latch {
    let opens = given.open_time.map(|time| (time, false));
    let closes = given.close_time.map(|time| (time, true));
    let mut schedule: Vec<(f64, bool)> = opens.into_iter().chain(closes).collect();
    schedule.sort_by(|one, other| one.0.total_cmp(&other.0));
    Latch {
        name: given.name.clone(),
        joint: index,
        starts_closed: given.starts_closed(),
        schedule,
        has_input: given.input,
        trigger: trigger(given, joint),
        release: release(given, joint),
    }
}

fn trigger(given: &LatchDescription, joint: &Joint) -> Option<Trigger> {
    let mut coordinates = joint.kind.coordinates().iter();
    let coordinate = match &given.coordinate {
        Some(key) => coordinates.position(|known| known.key == key).unwrap_or(0),
        None => 0,
    };
    let at = given.close_at.map(|place| Trigger::Coordinate {
        coordinate,
        place,
        sign: match given.close_from {
            CloseFrom::Below => 1.0,
            CloseFrom::Above => -1.0,
        },
    });
    at.or(given.close_distance.map(Trigger::Distance))
}

fn release(given: &LatchDescription, joint: &Joint) -> [f64; 6] {
    let mut along = [0.0; 6];
    if !joint.kind.is_free() {
        along[0] = given.release_impulse;
        return along;
    }
    let direction = unit_vector(&given.release_direction.unwrap_or([1.0, 0.0, 0.0]));
    for (along, part) in along.iter_mut().zip(direction.iter()) {
        *along = given.release_impulse * part;
    }
    along
}
