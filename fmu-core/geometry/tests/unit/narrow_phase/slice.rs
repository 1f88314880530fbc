//! Normals of cylinders, cones and beams.

use super::normal_at;
use crate::math::Vec3;
use crate::shapes::RoundedShape;

/// At rims, tips and on the axis too: along the normal no point of the core is farther.
#[test]
fn a_normal_is_a_unit_vector_along_which_the_point_is_farthest() {
    let at = Vec3::new;
    let cylinder = RoundedShape::cylinder(0.06, 0.1, 0.0);
    let tip = RoundedShape::cone(0.06, 0.0, 0.08, 0.0);
    let top = RoundedShape::cone(0.0, 0.06, 0.08, 0.0);
    let beam = RoundedShape::beam(0.1, 0.04, 0.02, 0.0);
    let places = [
        (&cylinder, at(0.0, 0.0, 0.05)),
        (&cylinder, at(0.0, 0.0, -0.05)),
        (&cylinder, at(0.03, 0.0, 0.05)),
        (&cylinder, at(0.0, -0.03, 0.01)),
        (&tip, at(0.0, 0.0, 0.08)),
        (&tip, at(0.0, 0.0, 0.0)),
        (&tip, at(0.03, 0.0, 0.0)),
        (&tip, at(0.0, 0.015, 0.04)),
        (&top, at(0.0, 0.0, 0.0)),
        (&top, at(0.0, 0.0, 0.08)),
        (&top, at(-0.03, 0.0, 0.08)),
        (&beam, at(0.0, 0.01, 0.0)),
        (&beam, at(0.02, -0.01, 0.03)),
        (&beam, at(0.02, 0.0, 0.01)),
        (&beam, at(0.0, 0.0, 0.07)),
    ];
    for (shape, point) in places {
        let normal = normal_at(&shape.core, &point);
        assert!((normal.norm() - 1.0).abs() < 1e-15, "{point:?}: {normal:?}");
        let farthest = shape.core.support(&normal).dot(&normal);
        let off = farthest - point.dot(&normal);
        assert!(off.abs() < 1e-17, "{point:?}: {normal:?} {off:e}");
    }
}
