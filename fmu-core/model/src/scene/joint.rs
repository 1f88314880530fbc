//! A joint of a checked scene, and how its coordinates place the child's frame in the parent's.
//!
//! With p the joint's frame on the parent and c that on the child, the joint gives the position d
//! of c in p and the rotation R that maps c axes to p axes, the identity without any motion. Each
//! coordinate q along or about an axis e adds to these in its turn, by its row in
//! [`JointKind`]; Q(e, q) is the turn about e by q, h the lead:
//! - slide: d + q e
//! - turn: R Q(e, q)
//! - screw: d + h q e, R Q(e, q)
//!
//! A quaternion gives R, and the position before it, if there is one, d.
//!
//! # Latches of a scene
//!
//! What closes and opens the latch of a joint.
//!
//! A trigger has an event indicator z while the latch is open: with the value c of `close_at` and
//! the coordinate q, z = c - q where q comes from below, q - c from above; with the distance r of
//! `close_distance` and the way d from the parent's joint frame to the child's, z = |d| - r.

use crate::scene::description::{
    BallForces, CloseFrom, Coordinate, CoordinateForces, CoordinateMotion, Freedom, JointKind,
    LatchDescription, LocalFrame, SceneDescription,
};
use contact_geometry::math::{Mat3, Pose, Real, Vec3, length, rotation_matrix, vec3};
use contact_laws::index::{BodyId, JointId, LatchId, TiSlice, TiVec};

/// A joint between two bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Unique name.
    pub name: String,
    /// Which motions it leaves.
    pub kind: JointKind,
    /// Index of the parent body; none for the world.
    pub parent: Option<BodyId>,
    /// Index of the child body.
    pub child: BodyId,
    /// The joint's frame in the parent's body frame.
    pub parent_frame: Pose,
    /// The joint's frame in the child's body frame.
    pub child_frame: Pose,
    /// Unit vectors in the joint's frames, by [`JointAxis`](crate::scene::description::JointAxis).
    pub axes: [Vec3; 3],
    /// Lead of a screw: displacement along the axis for each radian about it [m/rad]; 0 for others.
    pub lead: f64,
    /// Position states at start, quaternions of norm 1.
    pub positions: Vec<f64>,
    /// Velocity states at start.
    pub rates: Vec<f64>,
    /// What acts along each coordinate, at start.
    pub forces: Vec<CoordinateForces>,
    /// What acts in a spherical joint, at start.
    pub ball: BallForces,
    /// Parent and child may touch.
    pub can_collide: bool,
    /// Force and torque on the child are outputs.
    pub reaction: bool,
    /// The power of what acts along the coordinates is an output.
    pub power: bool,
}

impl Joint {
    /// The joint of all six motions by which a free body moves in the world, with the name of the
    /// body. `positions` are position and orientation at start, `rates` velocity and angular
    /// velocity.
    pub(super) fn of_free(name: &str, child: BodyId, positions: [f64; 7], rates: [f64; 6]) -> Self {
        Joint {
            name: name.into(),
            kind: JointKind::Free,
            parent: None,
            child,
            parent_frame: Pose::identity(),
            child_frame: Pose::identity(),
            axes: [Vec3::z(), Vec3::x(), Vec3::y()],
            lead: 0.0,
            positions: positions.into(),
            rates: rates.into(),
            forces: Vec::new(),
            ball: BallForces::default(),
            can_collide: true,
            reaction: false,
            power: false,
        }
    }

    /// Pose of the child's joint frame in the parent's, for position states `q`, as many as
    /// [`JointKind::position_count`].
    #[inline(always)]
    pub(crate) fn transform<T: Real>(&self, q: &[T]) -> Pose<T> {
        match self.kind.row().freedom {
            // Most joints are hinges.
            Freedom::Coordinates([only]) if !only.slides() => Pose {
                position: Vec3::zeros(),
                rotation: turn(&self.axes[only.axis as usize], q[0]),
            },
            Freedom::Coordinates(list) => self.by_coordinates(list, q),
            Freedom::Quaternion { .. } => by_quaternion(q),
        }
    }

    fn by_coordinates<T: Real>(&self, list: &[Coordinate], q: &[T]) -> Pose<T> {
        // The first one is no sum or product with nothing, so that no sign of a zero changes.
        let moves = || list.iter().zip(q);
        let axis = |coordinate: &Coordinate| &self.axes[coordinate.axis as usize];
        let mut slides = moves().filter_map(|(coordinate, q)| {
            let length = self.length(coordinate.motion, *q)?;
            Some(axis(coordinate).map(T::from) * length)
        });
        let position = slides
            .next()
            .map(|first| slides.fold(first, |sum, way| sum + way));
        let mut turns = moves().filter(|(coordinate, _)| coordinate.is_angle());
        let rotation = match turns.next() {
            Some((coordinate, q)) => turns.fold(turn(axis(coordinate), *q), |before, (next, q)| {
                before * turn(axis(next), *q)
            }),
            None => Mat3::identity(),
        };
        Pose {
            position: position.unwrap_or_else(Vec3::zeros),
            rotation,
        }
    }

    /// How far a coordinate slides the child along its axis [m]; none if it only turns it.
    fn length<T: Real>(&self, motion: CoordinateMotion, q: T) -> Option<T> {
        match motion {
            CoordinateMotion::Slide => Some(q),
            CoordinateMotion::Screw => Some(q * self.lead),
            CoordinateMotion::Turn | CoordinateMotion::TurnOnChild => None,
        }
    }

    /// Pose of the child body, of a parent at `parent` (the world's own pose for no parent).
    pub(crate) fn place_child<T: Real>(&self, parent: &Pose<T>, q: &[T]) -> Pose<T> {
        let on_parent = parent.then(&self.parent_frame);
        let joint = self.transform(q);
        let on_child = Pose {
            position: on_parent.position + on_parent.rotation * joint.position,
            rotation: on_parent.rotation * joint.rotation,
        };
        let rotation = on_child.rotation * self.child_frame.rotation.transpose().map(T::from);
        Pose {
            position: on_child.position - rotation * self.child_frame.position.map(T::from),
            rotation,
        }
    }

    /// The last part of the name of a velocity or position state, by its place among them:
    /// `angle`, `orientation[2]`.
    pub(super) fn state_key(&self, is_rate: bool, place: usize) -> String {
        if let Some(coordinate) = self.kind.coordinates().get(place) {
            let key = match is_rate {
                true => coordinate.rate_key,
                false => coordinate.key,
            };
            return key.into();
        }
        let free = self.kind.is_free();
        let (field, component) = match (is_rate, place) {
            (false, i) if free && i < 3 => ("position", i),
            (false, i) if free => ("orientation", i - 3),
            (false, i) => ("orientation", i),
            (true, i) if free && i < 3 => ("velocity", i),
            (true, i) if free => ("angular_velocity", i - 3),
            (true, i) => ("angular_velocity", i),
        };
        format!("{field}[{}]", component + 1)
    }
}

/// Pose by orientation, or by position and orientation.
fn by_quaternion<T: Real>(q: &[T]) -> Pose<T> {
    let [place @ .., a, b, c, d] = q else {
        return Pose::identity();
    };
    Pose {
        position: match place {
            [x, y, z] => Vec3::new(*x, *y, *z),
            _ => Vec3::zeros(),
        },
        rotation: rotation_matrix(&[*a, *b, *c, *d]),
    }
}

/// Rotation about a unit vector e by an angle a [rad]: I + sin a [e]x + (1 - cos a) [e]x^2.
pub(crate) fn turn<T: Real>(axis: &Vec3, angle: T) -> Mat3<T> {
    let cross = axis.cross_matrix();
    let [once, twice] = [cross, cross * cross].map(|m| m.map(T::from));
    let (sine, cosine) = angle.sin_cos();
    Mat3::identity() + once * sine + twice * (T::one() - cosine)
}

/// The axes of a joint whose axis and second axis are given.
pub(super) fn axes(given: [[f64; 3]; 2]) -> [Vec3; 3] {
    let [axis, second] = given.map(|axis| unit_vector(&axis));
    [axis, second, axis.cross(&second)]
}

/// A vector made unit; the check has seen that it is not zero. The largest entry is divided out, so
/// that no square over- or underflows.
pub(super) fn unit_vector(v: &[f64; 3]) -> Vec3 {
    let v: Vec3 = vec3(v);
    let scaled = v / v.amax();
    scaled / scaled.norm()
}

/// The pose that a description gives.
pub(super) fn pose(placement: &LocalFrame) -> Pose {
    Pose {
        position: Vec3::from(placement.position),
        rotation: rotation_matrix(&placement.orientation),
    }
}

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
    pub(crate) schedule: Vec<(f64, bool)>,
    /// An input commands it.
    pub has_input: bool,
    /// Where it closes.
    pub trigger: Option<LatchTrigger>,
    /// Impulse along each velocity state of the joint where it opens [N.s] or [N.m.s].
    pub release: [f64; 6],
}

/// Where a latch closes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LatchTrigger {
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

impl LatchTrigger {
    /// Event indicator of an open latch for these position states [m] or [rad].
    pub(crate) fn indicator<T: Real>(&self, joint: &Joint, positions: &[T]) -> T {
        match *self {
            LatchTrigger::Coordinate {
                coordinate,
                place,
                sign,
            } => (positions[coordinate] - place) * -sign,
            LatchTrigger::Distance(near) => length(&joint.transform(positions).position) - near,
        }
    }

    /// Returns true if the indicator is an angle.
    pub fn is_angle(&self, joint: &Joint) -> bool {
        match *self {
            LatchTrigger::Coordinate { coordinate, .. } => {
                let coordinates = joint.kind.coordinates();
                coordinates
                    .get(coordinate)
                    .is_some_and(Coordinate::is_angle)
            }
            LatchTrigger::Distance(_) => false,
        }
    }
}

/// Calls `visit` for each position state of a joint that slides its frame on the child against the one on
/// the parent, with its index and the way for a unit of it, axes of the latter.
pub(crate) fn each_slide(joint: &Joint, mut visit: impl FnMut(usize, Vec3)) {
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

fn trigger(given: &LatchDescription, joint: &Joint) -> Option<LatchTrigger> {
    let mut coordinates = joint.kind.coordinates().iter();
    let coordinate = match &given.coordinate {
        Some(key) => coordinates.position(|known| known.key == key).unwrap_or(0),
        None => 0,
    };
    let at = given.close_at.map(|place| LatchTrigger::Coordinate {
        coordinate,
        place,
        sign: match given.close_from {
            CloseFrom::Below => 1.0,
            CloseFrom::Above => -1.0,
        },
    });
    at.or(given.close_distance.map(LatchTrigger::Distance))
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_PI_2;

    fn joint(kind: JointKind) -> Joint {
        Joint {
            name: "j".into(),
            kind,
            parent: None,
            child: 0.into(),
            parent_frame: Pose::identity(),
            child_frame: Pose::identity(),
            axes: [Vec3::z(), Vec3::x(), Vec3::y()],
            lead: 0.0,
            positions: vec![0.0; kind.position_count()],
            rates: vec![0.0; kind.rate_count()],
            forces: vec![CoordinateForces::default(); kind.coordinates().len()],
            ball: BallForces::default(),
            can_collide: kind.may_collide(),
            reaction: false,
            power: false,
        }
    }

    #[test]
    fn a_hinge_on_offset_frames_carries_the_child_on_a_circle() {
        let mut hinge = joint(JointKind::Revolute);
        hinge.parent_frame.position = Vec3::new(0.0, 0.0, 2.0);
        hinge.child_frame.position = Vec3::new(-1.0, 0.0, 0.0);
        let child = hinge.place_child(&Pose::identity(), &[FRAC_PI_2]);
        assert!((child.position - Vec3::new(0.0, 1.0, 2.0)).amax() < 1e-15);
        assert!((child.rotation * Vec3::x() - Vec3::y()).amax() < 1e-15);
    }

    #[test]
    fn a_universal_joint_turns_about_the_axis_of_the_parent_first() {
        let pose = joint(JointKind::Universal).transform(&[FRAC_PI_2, FRAC_PI_2]);
        // The first turn has brought the child's second axis x there.
        assert!((pose.rotation * Vec3::x() - Vec3::y()).amax() < 1e-15);
        assert!((pose.rotation * Vec3::y() - Vec3::z()).amax() < 1e-15);
    }

    #[test]
    fn a_planar_joint_slides_along_both_directions_of_its_plane() {
        let pose = joint(JointKind::Planar).transform(&[2.0, 3.0, FRAC_PI_2]);
        assert!((pose.position - Vec3::new(2.0, 3.0, 0.0)).amax() < 1e-15);
        assert!((pose.rotation * Vec3::x() - Vec3::y()).amax() < 1e-15);
    }
}
