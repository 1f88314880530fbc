//! Rows of the arrays of the direct interface.
//!
//! A row of `collisionInput` has the 27 numbers of [Engelson 2000] section 7.3, in that order: `id, shape,
//! Form, extra, parmStlIndex, noCollision, size[3], rxvisobj[3], ryvisobj[3], rvisobj[3], Sa[1,:], Sa[2,:],
//! Sa[3,:]`. Of these the interface reads
//! - `id`: the body, from 1, by its place among the driven bodies of the scene
//! - `noCollision`: not 0 for a body without contact
//! - `rvisobj`: position of the origin of the body, world axes [m]
//! - `Sa`: rotation matrix, body to world: h0 = Sa ha, [ModelicaAdditions] `MultiBody.Interfaces`
//!
//! The other columns describe the visual object, whose frame is assumed to be the body's; the scene has its
//! own shapes.
//!
//! A row of a motion has position (3) [m], orientation body to world (quaternion w, x, y, z, or matrix row by
//! row), velocity of the origin in world axes (3) [m/s], angular velocity in body axes (3) [rad/s].
//!
//! A row of a mass has mass [kg], 0 for an unyielding body, centre of mass in the body's frame (3) [m],
//! inertia tensor about the centre of mass in body axes xx, yy, zz, xy, xz, yz [kg.m2], tensor entries with
//! their sign.

use crate::instance::Failure;
use contact_geometry::math::{Mat3, Vec3, all_finite, quaternion, rotation_matrix};

pub(crate) const INPUT_COLUMNS: usize = 27;

/// Columns of `collisionOutput` and of wrenches: force (3) [N], torque (3) [N.m].
pub(crate) const WRENCH_COLUMNS: usize = 6;

pub(crate) const QUATERNION_COLUMNS: usize = 13;

pub(crate) const MATRIX_COLUMNS: usize = 18;

pub(crate) const MASS_COLUMNS: usize = 10;

/// Columns of the jumps of a body: velocity (3) [m/s], angular velocity (3) [rad/s], impulse (3)
/// [N.s], moment of impulse (3) [N.m.s].
pub(crate) const JUMP_COLUMNS: usize = 12;

/// Minimum |q| that defines an orientation [1]: half of the nominal norm, far from the drift of any
/// integrator.
const SMALLEST_QUATERNION: f64 = 0.5;

/// Maximum deviation of a rotation matrix, largest entry of R'R - 1 [1]: above the drift of an integrator,
/// below any mistake such as an angle in degrees.
const LARGEST_DISTORTION: f64 = 1e-2;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BodyMotion {
    /// Position of the origin, world axes [m].
    pub(crate) position: [f64; 3],
    /// Unit quaternion (w, x, y, z), body to world.
    pub orientation: [f64; 4],
    /// Velocity of the origin, world axes [m/s].
    pub velocity: [f64; 3],
    /// Angular velocity, body axes [rad/s].
    pub angular_velocity: [f64; 3],
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MassRow {
    /// 1/m [1/kg]; 0 for an unyielding body.
    pub inverse_mass: f64,
    /// Centre of mass, body frame [m].
    pub center_of_mass: [f64; 3],
    /// I^-1 about the centre of mass, body axes [1/(kg.m2)]; 0 for an unyielding body.
    pub inverse_inertia: Mat3,
}

/// Row of `collisionInput`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CollisionRow {
    pub(crate) body: usize,
    /// Whether the body is without contact.
    pub left_out: bool,
    pub motion: BodyMotion,
}

/// Reads row `row` (from 0) of `collisionInput`; there are `count` bodies.
///
/// # Errors
/// A number that is not finite or an invalid rotation matrix: discard. An `id` without a body: error.
pub(crate) fn collision_row(
    values: &[f64],
    row: usize,
    count: usize,
) -> Result<CollisionRow, Failure> {
    let place = || format!("collisionInput row {}", row + 1);
    let (Some(id), Some(no_collision)) = (values.first(), values.get(5)) else {
        return Err(Failure::error(format!("{} is short", place())));
    };
    let body = (0..count).find(|body| *id == (*body + 1) as f64);
    let body = body.ok_or_else(|| {
        Failure::error(format!(
            "{}: id is {id}; must be 1 to {count}, the place of the body among the driven bodies of \
             the scene",
            place()
        ))
    })?;
    if no_collision.is_nan() {
        return Err(Failure::discard(format!(
            "{}: noCollision is NaN; must be 0 where the body takes part",
            place()
        )));
    }
    let [position, matrix] = [15..18, 18..27].map(|columns| values.get(columns).unwrap_or(&[]));
    let motion = BodyMotion {
        position: vector(position, || format!("{}: rvisobj", place()))?,
        orientation: of_matrix(matrix, || format!("{}: Sa", place()))?,
        velocity: [0.0; 3],
        angular_velocity: [0.0; 3],
    };
    Ok(CollisionRow {
        body,
        left_out: *no_collision != 0.0,
        motion,
    })
}

/// Reads the motion of the body `name` from [`QUATERNION_COLUMNS`] or [`MATRIX_COLUMNS`] values.
///
/// # Errors
/// A number that is not finite, a quaternion close to 0 or an invalid rotation matrix: discard. Another
/// number of values: error.
pub(crate) fn motion_row(values: &[f64], name: &str) -> Result<BodyMotion, Failure> {
    let (orientation, rest) = match values.len() {
        QUATERNION_COLUMNS => {
            let q = values.get(3..7).unwrap_or(&[]);
            (of_quaternion(q, || format!("{name}: quaternion"))?, 7)
        }
        MATRIX_COLUMNS => {
            let matrix = values.get(3..12).unwrap_or(&[]);
            let name = || format!("{name}: rotation matrix");
            (of_matrix(matrix, name)?, 12)
        }
        other => return Err(wrong_columns(other)),
    };
    let part = |first: usize, what: &str| {
        let values = values.get(first..first + 3).unwrap_or(&[]);
        vector(values, || format!("{name}: {what}"))
    };
    Ok(BodyMotion {
        position: part(0, "position")?,
        orientation,
        velocity: part(rest, "velocity")?,
        angular_velocity: part(rest + 3, "angular velocity")?,
    })
}

/// Reads the mass of the body `name` from [`MASS_COLUMNS`] values.
///
/// # Errors
/// A number that is not finite, a mass below 0, an inertia that is not positive definite.
pub(crate) fn mass_row(values: &[f64], name: &str) -> Result<MassRow, Failure> {
    let fails = |what: String| Failure::error(format!("{name}: {what}"));
    let [mass, cx, cy, cz, xx, yy, zz, xy, xz, yz] = *values else {
        let found = values.len();
        return Err(fails(format!(
            "mass has {found} numbers; must be {MASS_COLUMNS}"
        )));
    };
    if !all_finite(values) || mass < 0.0 {
        return Err(fails(format!(
            "mass, centre of mass and inertia are {values:?}; must be finite, the mass >= 0"
        )));
    }
    let mut row = MassRow {
        inverse_mass: 0.0,
        center_of_mass: [cx, cy, cz],
        inverse_inertia: Mat3::zeros(),
    };
    if mass > 0.0 {
        let inertia = Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
        let factors = inertia.cholesky().ok_or_else(|| {
            fails(format!(
                "inertia xx, yy, zz, xy, xz, yz is {:?} kg.m2; must be positive definite where the \
                 mass is not 0",
                [xx, yy, zz, xy, xz, yz]
            ))
        })?;
        row.inverse_mass = 1.0 / mass;
        row.inverse_inertia = factors.inverse();
    }
    Ok(row)
}

pub(crate) fn wrong_columns(columns: usize) -> Failure {
    Failure::error(format!(
        "columns is {columns}; a motion has {QUATERNION_COLUMNS} with a quaternion or \
         {MATRIX_COLUMNS} with a rotation matrix"
    ))
}

fn vector(values: &[f64], name: impl Fn() -> String) -> Result<[f64; 3], Failure> {
    match values {
        [x, y, z] if all_finite(values) => Ok([*x, *y, *z]),
        _ => Err(not_finite(values, name())),
    }
}

fn of_quaternion(values: &[f64], name: impl Fn() -> String) -> Result<[f64; 4], Failure> {
    let [w, x, y, z] = *values else {
        return Err(not_finite(values, name()));
    };
    if !all_finite(values) {
        return Err(not_finite(values, name()));
    }
    let norm = f64::sqrt(w * w + x * x + y * y + z * z);
    if norm.is_infinite() || norm < SMALLEST_QUATERNION {
        return Err(Failure::discard(format!(
            "{} has length {norm}; must be 1, is made unit from {SMALLEST_QUATERNION} on",
            name()
        )));
    }
    Ok([w, x, y, z].map(|c| c / norm))
}

fn of_matrix(values: &[f64], name: impl Fn() -> String) -> Result<[f64; 4], Failure> {
    if values.len() != 9 || !all_finite(values) {
        return Err(not_finite(values, name()));
    }
    let matrix = Mat3::from_row_slice(values);
    let distortion = (matrix.transpose() * matrix - Mat3::identity()).amax();
    if distortion > LARGEST_DISTORTION || matrix.determinant() < 0.0 {
        return Err(Failure::discard(format!(
            "{} is no rotation: largest entry of R'R - 1 is {distortion}, determinant {}; must be 0 \
             within {LARGEST_DISTORTION}, and 1",
            name(),
            matrix.determinant()
        )));
    }
    Ok(quaternion(&matrix))
}

fn not_finite(values: &[f64], name: String) -> Failure {
    Failure::discard(format!("{name} is {values:?}; must be finite"))
}

/// Rotates a wrench from world axes to the axes of a body with this orientation.
pub(crate) fn in_body_axes(orientation: &[f64; 4], wrench: &[[f64; 3]; 2]) -> [[f64; 3]; 2] {
    let rotation = rotation_matrix(orientation);
    wrench.map(|v| (rotation.transpose() * Vec3::from(v)).into())
}

/// Rotates a wrench from the axes of a body with this orientation to world axes.
pub(crate) fn in_world_axes(orientation: &[f64; 4], wrench: &[[f64; 3]; 2]) -> [[f64; 3]; 2] {
    let rotation = rotation_matrix(orientation);
    wrench.map(|v| (rotation * Vec3::from(v)).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0.9 rad about (1, 2, 3)/sqrt(14): no symmetry hides a transposed matrix. By Rodrigues'
    /// formula R = cos 1 + sin [n]x + (1 - cos) n n'.
    fn turned() -> Mat3 {
        let n = Vec3::new(1.0, 2.0, 3.0) / f64::sqrt(14.0);
        let (sin, cos) = f64::sin_cos(0.9);
        Mat3::identity() * cos + n.cross_matrix() * sin + n * n.transpose() * (1.0 - cos)
    }

    fn input(matrix: &Mat3) -> Vec<f64> {
        let mut row = vec![2.0, 7.0, 8.0, 9.0, 20.0, 0.0];
        row.extend([0.1, 0.2, 0.3, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 4.0, 5.0, 6.0]);
        row.extend(matrix.transpose().iter());
        row
    }

    #[test]
    fn the_columns_of_the_report_are_read_where_it_prints_them() {
        let matrix = turned();
        let row = collision_row(&input(&matrix), 0, 3).unwrap();
        assert_eq!((row.body, row.left_out), (1, false));
        assert_eq!(row.motion.position, [4.0, 5.0, 6.0]);
        let found = rotation_matrix(&row.motion.orientation);
        assert!((found - matrix).amax() < 1e-15, "{found}");
        let mut left_out = input(&matrix);
        left_out[5] = 1.0;
        assert!(collision_row(&left_out, 0, 3).unwrap().left_out);
    }

    #[test]
    fn a_motion_is_the_same_with_quaternion_and_with_matrix() {
        let matrix = turned();
        let half: f64 = 0.45;
        let n = Vec3::new(1.0, 2.0, 3.0) / f64::sqrt(14.0) * half.sin();
        // Twice as long: it is made unit.
        let q = [half.cos(), n.x, n.y, n.z].map(|c| 2.0 * c);
        let (position, velocities) = ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
        let short = [&position[..], &q, &velocities].concat();
        let rows: Vec<f64> = matrix.transpose().iter().copied().collect();
        let long = [&position[..], &rows, &velocities].concat();
        let (short, long) = (motion_row(&short, "a"), motion_row(&long, "a"));
        let (short, long) = (short.unwrap(), long.unwrap());
        for i in 0..4 {
            assert!((short.orientation[i] - long.orientation[i]).abs() < 1e-15);
        }
        assert_eq!(
            BodyMotion {
                orientation: long.orientation,
                ..short
            },
            long
        );
        assert_eq!(long.velocity, [4.0, 5.0, 6.0]);
        assert_eq!(long.angular_velocity, [7.0, 8.0, 9.0]);
    }

    #[test]
    fn a_wrench_in_body_axes_is_the_transposed_rotation_of_that_in_world_axes() {
        let q = quaternion(&turned());
        let wrench = [[1.0, -2.0, 3.0], [0.5, 0.0, -4.0]];
        let found = in_body_axes(&q, &wrench);
        for (b, w) in found.iter().zip(&wrench) {
            let expected = turned().transpose() * Vec3::from(*w);
            assert!((Vec3::from(*b) - expected).amax() < 1e-14);
        }
    }

    #[test]
    fn numbers_that_are_no_pose_are_refused_by_name() {
        let good = input(&turned());
        let refused = |index: usize, value: f64| {
            let mut row = good.clone();
            row[index] = value;
            collision_row(&row, 4, 3).unwrap_err().message
        };
        for (index, value, parts) in [
            (0, 0.0, ["row 5", "id is 0"]),
            (0, 4.0, ["row 5", "1 to 3"]),
            (0, 1.5, ["row 5", "id is 1.5"]),
            (5, f64::NAN, ["row 5", "noCollision"]),
            (16, f64::INFINITY, ["row 5", "rvisobj"]),
            (18, f64::NAN, ["row 5", "Sa"]),
            (20, 3.0, ["row 5", "no rotation"]),
        ] {
            let message = refused(index, value);
            assert!(parts.iter().all(|part| message.contains(part)), "{message}");
        }
        let mirrored = -turned();
        assert!(collision_row(&input(&mirrored), 0, 3).is_err());
        let zero = motion_row(&[0.0; QUATERNION_COLUMNS], "hammer").unwrap_err();
        assert!(zero.message.contains("hammer: quaternion"), "{zero}");
        assert!(motion_row(&[0.0; 14], "hammer").is_err());
    }
}
