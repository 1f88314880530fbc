//! Bodies whose pose and velocities are inputs.
//!
//! The inputs of a body are its position p [m], its orientation, its velocity v [m/s] and its
//! angular velocity w_b [rad/s] in body axes. A quaternion q gives the rotation of q/|q|; a matrix
//! the rotation nearest to it. Where the inputs are those of an instant t0 and not of the present
//! time t, the body moves on with both velocities kept in world axes, w_w = R_0 w_b:
//! p + v (t - t0), R = exp(w_w (t - t0)) R_0. That leaves w_b as it is too.

use crate::dynamics::twist::Twist;
use crate::scene::description::{Motion, OrientationInput};
use crate::scene::{Input, Scene};
use contact_geometry::math::{
    Mat3, Pose, Real, Vec3, deviation_from_rotation, exponential, nearest_rotation, quaternion,
    rotation_matrix,
};
use contact_geometry::shapes::Aabb;
use contact_laws::index::{BodyId, DrivenId, InputId, TiSlice, TiVec};

/// Least norm of an orientation input [1]: half of what a unit quaternion has, far from the
/// rounding of any importer.
const LEAST_NORM: f64 = 0.5;
/// Largest entry of R^T R - I of a rotation input [1]: an integrator that carries the nine numbers
/// as states stays far below it.
const LARGEST_DEVIATION: f64 = 1e-3;

/// A driven body and where its inputs are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrivenBody {
    /// Index of the body.
    pub body: BodyId,
    /// No less than the distance of any point of its shapes from its origin [m], 1 m where they
    /// have no end; zero without shapes.
    pub reach: f64,
    /// Index of its first input; the others follow.
    first: InputId,
    orientation: OrientationInput,
}

/// What the inputs of a body say.
struct Given<'a, T: Real> {
    position: Vec3<T>,
    orientation: &'a [T],
    velocity_w: Vec3<T>,
    omega_b: Vec3<T>,
}

impl DrivenBody {
    /// Its orientation as given: a quaternion, or a matrix row by row.
    pub fn orientation<'a>(&self, inputs: &'a TiSlice<InputId, f64>) -> &'a [f64] {
        self.given(inputs).orientation
    }

    /// What is wrong with the orientation of these inputs, starting with the name of the input;
    /// none if it is a rotation.
    pub fn flaw(&self, inputs: &TiSlice<InputId, f64>) -> Option<String> {
        rotation(self.given(inputs).orientation).err()
    }

    fn given<'a, T: Real>(&self, inputs: &'a TiSlice<InputId, T>) -> Given<'a, T> {
        let vector = |at: InputId| Vec3::from_fn(|i, _| inputs[at.plus(i)]);
        let start = self.first.plus(3);
        let end = start.plus(match self.orientation {
            OrientationInput::Quaternion => 4,
            OrientationInput::Matrix => 9,
        });
        Given {
            position: vector(self.first),
            orientation: &inputs[start..end].raw,
            velocity_w: vector(end),
            omega_b: vector(end.plus(3)),
        }
    }

    /// Pose and velocities at a time `elapsed` [s] after these inputs; none if the orientation is
    /// no rotation.
    pub fn motion<T: Real>(
        &self,
        inputs: &TiSlice<InputId, T>,
        elapsed: T,
    ) -> Option<(Pose<T>, Twist<T>)> {
        let given = self.given(inputs);
        let start = rotation(given.orientation).ok()?;
        let omega_w = start * given.omega_b;
        let rotation = match elapsed.value() == 0.0 && elapsed.is_constant() {
            true => start,
            false => exponential(&(omega_w * elapsed)) * start,
        };
        let pose = Pose {
            position: given.position + given.velocity_w * elapsed,
            rotation,
        };
        let twist = Twist {
            velocity_w: given.velocity_w,
            omega_b: given.omega_b,
            omega_w,
        };
        Some((pose, twist))
    }

    /// Position [m] and unit quaternion of these inputs; none if the orientation is no rotation.
    pub fn coordinates(&self, inputs: &TiSlice<InputId, f64>) -> Option<[f64; 7]> {
        let (pose, _) = self.motion(inputs, 0.0)?;
        let ([w, a, b, c], p) = (quaternion(&pose.rotation), pose.position);
        Some([p.x, p.y, p.z, w, a, b, c])
    }
}

/// The rotation that an orientation input gives, or what is wrong with it.
fn rotation<T: Real>(given: &[T]) -> Result<Mat3<T>, String> {
    match *given {
        [w, x, y, z] => {
            let norm = (w * w + x * x + y * y + z * z).sqrt().value();
            if norm.is_finite() && norm >= LEAST_NORM {
                return Ok(rotation_matrix(&[w, x, y, z]));
            }
            Err(format!(
                "orientation is the quaternion {:?} of norm {norm}; must have norm 1; from \
                 {LEAST_NORM} on it is scaled to 1",
                values(given)
            ))
        }
        _ => {
            let matrix = Mat3::from_row_slice(given);
            let deviation = deviation_from_rotation(&matrix.map(T::value));
            if deviation <= LARGEST_DEVIATION {
                return Ok(nearest_rotation(&matrix));
            }
            let found = match deviation.is_finite() {
                true => format!("off a rotation by {deviation}"),
                false => "no rotation but a reflection".into(),
            };
            Err(format!(
                "rotation is, row by row, {:?}, {found}; its columns must be right-handed, at right \
                 angles and of length 1 within {LARGEST_DEVIATION}",
                values(given)
            ))
        }
    }
}

fn values<T: Real>(numbers: &[T]) -> Vec<f64> {
    numbers.iter().map(|number| number.value()).collect()
}

/// The driven bodies of a scene, in its order.
pub fn bodies(scene: &Scene) -> TiVec<DrivenId, DrivenBody> {
    let bodies = scene.bodies().iter_enumerated();
    let driven = bodies.filter(|(_, body)| body.motion == Motion::Driven);
    let of = |(index, body): (BodyId, &crate::scene::Body)| {
        let inputs = scene.inputs();
        let first = inputs.position(|input| *input == Input::Position(index, 0))?;
        Some(DrivenBody {
            body: index,
            reach: reach(scene, index),
            first,
            orientation: body.drive.orientation,
        })
    };
    driven.filter_map(of).collect()
}

fn reach(scene: &Scene, body: BodyId) -> f64 {
    let shapes = scene.shapes().iter().filter(|shape| shape.body == body);
    let reaches = shapes.map(|shape| {
        let bounds = Aabb::of(&shape.form, &shape.pose_b);
        bounds.lower.abs().sup(&bounds.upper.abs()).norm()
    });
    match reaches.fold(0.0, f64::max) {
        reach if reach.is_finite() => reach,
        _ => 1.0,
    }
}
