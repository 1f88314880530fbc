//! The surface of each kind of shape.

use super::revolved::{Axis, ball, revolved, two_circles};
use super::rounded::{Polyhedron, rounded};
use super::surface::Surface;
use contact_geometry::math::Vec3;
use contact_geometry::math::transcendental::atan2;
use contact_geometry::shapes::{Core, Hull, RoundedShape};

/// The surface of a shape in its core's frame, within `tolerance` [m] > 0; none of a half-space,
/// which has no end.
pub fn surface(shape: &RoundedShape, tolerance: f64) -> Option<Surface> {
    let r = shape.radius;
    let about_z = |profile: &[_]| Some(revolved(profile, Axis::Z, tolerance));
    match &shape.core {
        Core::HalfSpace => None,
        Core::Point => about_z(&ball(r)),
        Core::Segment(segment) => {
            let ends = [-segment.half, segment.half];
            about_z(&two_circles([0.0; 2], ends, [r; 2], 0.0))
        }
        Core::RoundCone(cone) => {
            // Balls of both radii, the lower one first. The lateral surface touches both, so that
            // its normal rises with the difference of the radii over the distance.
            let large = (cone.z[0], r + cone.radius);
            let (low, high) = match cone.z[0] < cone.z[1] {
                true => (large, (cone.z[1], r)),
                false => ((cone.z[1], r), large),
            };
            let sine = (low.1 - high.1) / (high.0 - low.0);
            let tilt = atan2(sine, (1.0 - sine * sine).sqrt());
            about_z(&two_circles(
                [0.0; 2],
                [low.0, high.0],
                [low.1, high.1],
                tilt,
            ))
        }
        Core::Cylinder(cylinder) => {
            let ends = [-cylinder.half, cylinder.half];
            about_z(&two_circles([cylinder.radius; 2], ends, [r; 2], 0.0))
        }
        Core::Cone(cone) => {
            let tilt = atan2(cone.radii[0] - cone.radii[1], cone.z[1] - cone.z[0]);
            about_z(&two_circles(cone.radii, cone.z, [r; 2], tilt))
        }
        Core::Ellipsoid(ellipsoid) => {
            let axes = &ellipsoid.semi_axes;
            let mut surface = revolved(&ball(1.0), Axis::Z, tolerance / axes.max());
            for vertex in &mut surface.vertices {
                *vertex = vertex.component_mul(axes);
            }
            Some(surface)
        }
        Core::Beam(beam) => {
            let ends = [-beam.half_thickness, beam.half_thickness];
            let profile = two_circles([beam.radius; 2], ends, [r; 2], 0.0);
            Some(revolved(&profile, Axis::YMoved(beam.half), tolerance))
        }
        Core::Box(cuboid) => Some(rounded(&box_of(-cuboid.half, cuboid.half), r, tolerance)),
        Core::Hull(hull) => Some(rounded(&polyhedron(hull), r, tolerance)),
    }
}

/// The surface of the box between two corners [m].
pub(super) fn box_between(lower: Vec3, upper: Vec3) -> Surface {
    rounded(&box_of(lower, upper), 0.0, 0.0)
}

fn box_of(lower: Vec3, upper: Vec3) -> Polyhedron {
    let corner = |i: usize| {
        let side = |axis: usize| match i >> axis & 1 {
            0 => lower[axis],
            _ => upper[axis],
        };
        Vec3::new(side(0), side(1), side(2))
    };
    let face = |axis: usize, up: bool| {
        let [one, other] = [1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3)];
        let from = if up { 1 << axis } else { 0 };
        let mut rim = vec![from, from + one, from + one + other, from + other];
        let mut normal = Vec3::zeros();
        normal[axis] = if up { 1.0 } else { -1.0 };
        if !up {
            rim.reverse();
        }
        (normal, rim)
    };
    Polyhedron {
        vertices: (0..8).map(corner).collect(),
        faces: (0..6).map(|i| face(i / 2, i % 2 == 1)).collect(),
    }
}

/// The faces of a hull, each as one polygon.
fn polyhedron(hull: &Hull) -> Polyhedron {
    let mut faces = Vec::new();
    hull.faces().for_each(|normal, edges| {
        let mut rim = vec![edges[0][0]];
        let mut at = edges[0][1];
        while at != rim[0] && rim.len() < edges.len() {
            rim.push(at);
            let next = edges.iter().find(|edge| edge[0] == at);
            at = next.map_or(rim[0], |edge| edge[1]);
        }
        faces.push((*normal, rim));
    });
    Polyhedron {
        vertices: hull.vertices().to_vec(),
        faces,
    }
}
