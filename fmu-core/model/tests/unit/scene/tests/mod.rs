//! - `area`: which pairs touch over an area, and with which shapes
//! - `forms`: mass, contact sphere and convex shapes of every form
//! - `refusals`: what the check says of bad forms

mod area;
mod forms;
mod refusals;

use crate::fixtures::*;
use contact_geometry::shapes::Hull;
use contact_geometry::shapes::mass::solid_integrals;

const AXES: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

/// Every form that is given by sizes, along an axis where it has one.
fn sized_forms(axis: Axis) -> Vec<Form> {
    vec![
        sphere(0.4),
        ellipsoid([0.3, 0.5, 0.8]),
        cuboid([0.3, 0.5, 0.8]),
        cylinder(0.4, 0.9, axis),
        cone(0.4, 0.0, 0.7, axis),
        cone(0.4, 0.6, 0.7, axis),
        capsule(0.4, 0.6, axis),
        tapered_capsule(0.4, 0.25, 0.6, axis),
        Form::Beam {
            length: 0.6,
            width: 0.4,
            thickness: 0.1,
            axis,
        },
    ]
}

fn part(form: Form, position: [f64; 3]) -> CompoundPart {
    CompoundPart {
        form,
        position,
        orientation: [1.0, 0.0, 0.0, 0.0],
    }
}

/// Tetrahedron with its right angle at (1, 2, 3) and legs of 0.3, 0.4, 0.5 m, smoothed by nothing.
fn tetrahedron() -> (Solid, ConvexPart) {
    let part = ConvexPart {
        vertices: vec![
            [1.0, 2.0, 3.0],
            [1.3, 2.0, 3.0],
            [1.0, 2.4, 3.0],
            [1.0, 2.0, 3.5],
        ],
        triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
        radius: 0.0,
        sharp: None,
    };
    assert!(Hull::new(part.vertices.clone(), part.triangles.clone()).is_ok());
    let integrals = solid_integrals(&part.vertices, &part.triangles).unwrap();
    (Solid::from(&integrals), part)
}
