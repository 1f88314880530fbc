//! Normals of cylinders, cones and beams, and the ends of their slices.

use super::{farthest_on, normal_at};
use crate::math::Vec3;
use crate::narrow_phase::area::Linear;
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

/// Through the axis at the angle t a cylinder has an ellipse with the semi-axes r and r/cos t, along it a rectangle.
#[test]
fn slices_of_a_cylinder_end_where_an_ellipse_and_a_rectangle_end() {
    let (r, half) = (0.03, 0.05);
    let core = RoundedShape::cylinder(2.0 * r, 2.0 * half, 0.0).core;
    let end = |plane: &Linear, way: &Vec3, least: f64| {
        let found = farthest_on(&core, way, plane, least)?;
        assert!(plane.at(&found.point).abs() < 1e-16, "{way:?}");
        Some(found.point.dot(way))
    };
    let near = |found: Option<f64>, expected: f64| {
        let off = (found.unwrap() - expected).abs();
        assert!(off < 1e-16, "{off:e} of {expected}");
    };
    for degree in 0..60 {
        let (sin, cos) = f64::from(degree).to_radians().sin_cos();
        let (x, y) = (Vec3::x(), Vec3::y());
        let tilt: f64 = 0.7;
        let (up, gradient) = (
            y * tilt.cos() + Vec3::z() * tilt.sin(),
            Vec3::z() * tilt.cos() - y * tilt.sin(),
        );
        let oblique = Linear {
            gradient,
            at_0: 0.0,
        };
        let (way, axis) = (x * cos + up * sin, r / tilt.cos());
        let expected = (r * cos).hypot(axis * sin);
        near(end(&oblique, &way, f64::NEG_INFINITY), expected);
        near(end(&oblique, &way, expected * (1.0 - 1e-9)), expected);
        assert_eq!(end(&oblique, &way, expected * (1.0 + 1e-9)), None);
        let upright = Linear {
            gradient: y,
            at_0: -0.018,
        };
        let way = x * cos + Vec3::z() * sin;
        near(
            end(&upright, &way, f64::NEG_INFINITY),
            0.024 * cos + half * sin,
        );
        let beside = Linear {
            gradient: y,
            at_0: -0.031,
        };
        assert_eq!(end(&beside, &way, f64::NEG_INFINITY), None);
    }
}
