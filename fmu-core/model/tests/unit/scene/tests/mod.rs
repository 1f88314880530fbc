//! - `area`: which pairs touch over an area, and with which shapes
//! - `forms`: mass, contact sphere and convex shapes of every form
//! - `refusals`: what the check says of bad forms

mod area;
mod forms;
mod refusals;

use crate::scene::description::{Axis, CompoundPart, ConvexPart, Form, Solid};
use contact_geometry::shapes::hull::Hull;
use contact_geometry::shapes::mass::solid_integrals;

const AXES: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

/// Every form that is given by sizes, along an axis where it has one.
fn sized_forms(axis: Axis) -> Vec<Form> {
    vec![
        Form::Sphere { diameter: 0.4 },
        Form::Ellipsoid {
            lengths: [0.3, 0.5, 0.8],
        },
        Form::Box {
            lengths: [0.3, 0.5, 0.8],
        },
        Form::Cylinder {
            diameter: 0.4,
            length: 0.9,
            axis,
            inner_diameter: 0.0,
        },
        Form::Cone {
            diameter: 0.4,
            top_diameter: 0.0,
            length: 0.7,
            axis,
        },
        Form::Cone {
            diameter: 0.4,
            top_diameter: 0.6,
            length: 0.7,
            axis,
        },
        Form::Capsule {
            diameter: 0.4,
            length: 0.6,
            axis,
        },
        Form::TaperedCapsule {
            diameter: 0.4,
            top_diameter: 0.25,
            length: 0.6,
            axis,
        },
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
