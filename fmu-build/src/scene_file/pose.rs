//! Positions, orientations and inertia tensors of bodies and shapes.

use super::walker::{Field, Section};
use contact_geometry::math::real::sin_cos;
use contact_laws::quantity::units;
use contact_model::scene::description::body::TENSOR;
use contact_model::scene::description::form::{POSITION, TURN};

/// How far two entries of an inertia tensor that must be equal may differ, relative to the
/// largest one: rounding of a number that was converted or printed with ten digits.
const SYMMETRY_TOLERANCE: f64 = 1e-9;

/// `position`, the origin unless given [m].
pub(crate) fn position(section: &mut Section<'_>) -> [f64; 3] {
    section.vector(POSITION).unwrap_or_default()
}

/// Quaternion (w, x, y, z) from `orientation`, or from `rotation` with axis and angle; the
/// identity unless given.
pub(crate) fn orientation(section: &mut Section<'_>) -> [f64; 4] {
    const IDENTITY: [f64; 4] = [1.0, 0.0, 0.0, 0.0];
    let both = section.has("orientation") && section.has("rotation");
    let rotation = section.field_as("rotation", "orientation");
    let quaternion = section.field("orientation");
    if let (true, Some(field)) = (both, &rotation) {
        field.refuse(("and orientation are both given", "keep one of the two"));
    }
    let rotation = rotation.and_then(axis_angle);
    let quaternion =
        quaternion.and_then(|f| f.quantities(units::COEFFICIENT, "[1, 0, 0, 0] (w, x, y, z)"));
    quaternion.or(rotation).unwrap_or(IDENTITY)
}

/// q = (cos(angle/2), sin(angle/2) axis/|axis|).
fn axis_angle(field: Field<'_>) -> Option<[f64; 4]> {
    let ([x, y, z], angle) = turn(field)?;
    let (sine, cosine) = sin_cos(0.5 * angle);
    Some([cosine, sine * x, sine * y, sine * z])
}

/// Unit axis and angle [rad] of `{ axis, angle }`.
pub(crate) fn turn(field: Field<'_>) -> Option<([f64; 3], f64)> {
    let mut section = field.table("{ axis = [0, 0, 1], angle = \"30 deg\" }")?;
    let axis = section.key(TURN[0]).and_then(|f| {
        let axis = f.clone().vector(units::COEFFICIENT)?;
        // The largest entry is divided out, so that no square over- or underflows.
        let largest = axis.iter().fold(0.0_f64, |m, c| m.max(c.abs()));
        if largest == 0.0 {
            f.fail("is the zero vector, which has no direction");
            return None;
        }
        Some(axis.map(|c| c / largest))
    });
    let angle = section.number(TURN[1]);
    section.finish();
    let (axis, angle) = (axis?, angle?);
    let norm = axis.iter().map(|c| c * c).sum::<f64>().sqrt();
    Some((axis.map(|c| c / norm), angle))
}

/// Inertia tensor (xx, yy, zz, xy, xz, yz) [kg.m2] from three rows or from a table of entries.
pub(crate) fn inertia(field: Field<'_>) -> Option<[f64; 6]> {
    if field.is_table() {
        return inertia_entries(field);
    }
    let rows = field
        .clone()
        .elements::<3>("[[1, 0, 0], [0, 1, 0], [0, 0, 1]], or { xx = 1, yy = 1, zz = 1 }")?
        .map(|row| row.quantities::<3>(units::INERTIA, "[1, 0, 0]"));
    let [Some(x), Some(y), Some(z)] = rows else {
        return None;
    };
    let largest = [x, y, z]
        .iter()
        .flatten()
        .fold(0.0_f64, |m, c| m.max(c.abs()));
    let mut symmetric = true;
    for (place, upper, lower) in [
        ("xy and yx", x[1], y[0]),
        ("xz and zx", x[2], z[0]),
        ("yz and zy", y[2], z[1]),
    ] {
        if (upper - lower).abs() > SYMMETRY_TOLERANCE * largest {
            field.fail(format!(
                "is not symmetric: {place} are {upper} and {lower} kg.m2; must be equal"
            ));
            symmetric = false;
        }
    }
    symmetric.then_some([x[0], y[1], z[2], x[1], x[2], y[2]])
}

fn inertia_entries(field: Field<'_>) -> Option<[f64; 6]> {
    let mut section = field.table("{ xx = 1, yy = 1, zz = 1 }")?;
    let [xx, yy, zz, products @ ..] = TENSOR.map(|key| section.number(key));
    section.finish();
    let [xy, xz, yz] = products.map(|product| product.unwrap_or(0.0));
    Some([xx?, yy?, zz?, xy, xz, yz])
}
