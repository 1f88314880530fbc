//! What a form amounts to: the convex shapes that touch, its mass properties, and the defaults of
//! its contact sphere radius [Modia3D].

use crate::geometry::shape::axis_rotation;
use crate::geometry::{Axis, Hull, MassProperties, RoundedShape};
use crate::math::{Pose, Vec3, rotation_matrix};
use crate::scene::description::{CompoundPart, ConvexPart, Form};

/// The convex shapes that a form consists of in contact, each with its pose in the frame of the
/// form. `smoothing` is the smoothing radius wanted [m].
///
/// # Errors
/// A polyhedron that is not one, in words.
pub(super) fn convex_shapes(
    form: &Form,
    smoothing: f64,
) -> Result<Vec<(RoundedShape, Pose)>, String> {
    let along = |axis: &Axis, shape| vec![(shape, turned(*axis))];
    Ok(match form {
        Form::Sphere { diameter } => along(&Axis::Z, RoundedShape::sphere(*diameter)),
        Form::Ellipsoid { lengths } => along(&Axis::Z, RoundedShape::ellipsoid(lengths)),
        Form::Box { lengths } => along(&Axis::Z, RoundedShape::cuboid(lengths, smoothing)),
        Form::Cylinder {
            diameter,
            length,
            axis,
            ..
        } => along(axis, RoundedShape::cylinder(*diameter, *length, smoothing)),
        Form::Cone {
            diameter,
            top_diameter,
            length,
            axis,
        } => along(
            axis,
            RoundedShape::cone(*diameter, *top_diameter, *length, smoothing),
        ),
        Form::Capsule {
            diameter,
            length,
            axis,
        } => along(axis, RoundedShape::capsule(*diameter, *length)),
        Form::Beam {
            length,
            width,
            thickness,
            axis,
        } => along(
            axis,
            RoundedShape::beam(*length, *width, *thickness, smoothing),
        ),
        Form::HalfSpace => along(&Axis::Z, RoundedShape::half_space()),
        Form::Hull { part, .. } => vec![convex_part(part)?],
        Form::Mesh { parts, .. } => parts.iter().map(convex_part).collect::<Result<_, _>>()?,
        Form::Compound { parts } => {
            let mut all = Vec::new();
            for part in parts {
                let outer = part_pose(part);
                for (shape, inner) in convex_shapes(&part.form, smoothing)? {
                    all.push((shape, outer.then(&inner)));
                }
            }
            all
        }
    })
}

/// Mass properties of a form of the given density [kg/m3], in its frame.
pub(super) fn mass_properties(form: &Form, density: f64) -> MassProperties {
    match form {
        Form::Sphere { diameter } => MassProperties::sphere(*diameter, density),
        Form::Box { lengths } => MassProperties::cuboid(lengths, density),
        _ => MassProperties::zero(),
    }
}

/// Contact sphere radius [m] and whether the form counts as flat, unless the scene says otherwise.
pub(super) fn contact_sphere(form: &Form) -> (f64, bool) {
    match form {
        Form::Sphere { diameter } | Form::Capsule { diameter, .. } => (0.5 * diameter, false),
        Form::Ellipsoid { lengths } => (0.5 * smallest(lengths), false),
        Form::Box { lengths } => (0.5 * smallest(lengths), true),
        Form::Cylinder {
            diameter, length, ..
        } => (0.5 * diameter.min(*length), false),
        Form::Cone {
            diameter,
            top_diameter,
            ..
        } => (0.25 * (diameter + top_diameter), false),
        Form::Beam {
            length,
            width,
            thickness,
            ..
        } => (0.5 * length.min(*width).min(*thickness), true),
        Form::HalfSpace => (f64::INFINITY, true),
        _ => (1.0, false),
    }
}

fn smallest(lengths: &[f64; 3]) -> f64 {
    lengths[0].min(lengths[1]).min(lengths[2])
}

fn turned(axis: Axis) -> Pose {
    Pose {
        position: Vec3::zeros(),
        rotation: axis_rotation(axis),
    }
}

fn part_pose(part: &CompoundPart) -> Pose {
    Pose {
        position: Vec3::from(part.position),
        rotation: rotation_matrix(&part.orientation),
    }
}

fn convex_part(part: &ConvexPart) -> Result<(RoundedShape, Pose), String> {
    let hull = Hull::new(part.vertices.clone(), part.triangles.clone())?;
    Ok((RoundedShape::hull(hull, part.radius), Pose::identity()))
}
