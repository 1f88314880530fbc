//! Forms of shapes in words.

use super::{short, vector};
use crate::number::{counted, rounded};
use contact_geometry::shapes::Axis;
use contact_laws::quantity::Keyword;
use contact_model::scene::Grains;
use contact_model::scene::description::Form;
use std::fmt::Write;

/// Form and sizes in words.
pub(crate) fn form_words(form: &Form) -> String {
    let along = |axis: &Axis| axis.word();
    match form {
        Form::Sphere { diameter } => format!("sphere, diameter {} m", short(*diameter)),
        Form::Ellipsoid { lengths } => format!("ellipsoid, diameters {} m", vector(lengths)),
        Form::Box { lengths } => format!("box {} m", vector(lengths)),
        Form::Cylinder {
            diameter,
            length,
            axis,
            inner_diameter,
        } => {
            let mut text = format!(
                "cylinder along {}, diameter {} m, length {} m",
                along(axis),
                short(*diameter),
                short(*length)
            );
            if *inner_diameter > 0.0 {
                let bore = short(*inner_diameter);
                let _ = write!(text, ", bore {bore} m (without contact)");
            }
            text
        }
        Form::Cone {
            diameter,
            top_diameter,
            length,
            axis,
        } => cone_words([*diameter, *top_diameter, *length], along(axis)),
        Form::Capsule {
            diameter,
            length,
            axis,
        } => format!(
            "capsule along {}, diameter {} m, length {} m without its ends",
            along(axis),
            short(*diameter),
            short(*length)
        ),
        Form::TaperedCapsule {
            diameter,
            top_diameter,
            length,
            axis,
        } => format!(
            "tapered capsule along {}, diameter {} m, top diameter {} m, length {} m between the centres",
            along(axis),
            short(*diameter),
            short(*top_diameter),
            short(*length)
        ),
        Form::Beam {
            length,
            width,
            thickness,
            axis,
        } => format!(
            "beam along {}, length {} m without its ends, width {} m, thickness {} m",
            along(axis),
            short(*length),
            short(*width),
            short(*thickness)
        ),
        Form::Hull { solid, part } => format!(
            "convex hull of {} vertices between {} m and {} m",
            part.vertices.len(),
            vector(&solid.lower),
            vector(&solid.upper)
        ),
        Form::Mesh { solid, parts } => format!(
            "mesh of {} between {} m and {} m",
            counted(parts.len(), "convex part"),
            vector(&solid.lower),
            vector(&solid.upper)
        ),
        Form::Compound { parts } => format!("compound of {}", counted(parts.len(), "part")),
        Form::HalfSpace => "half-space".to_owned(),
    }
}

/// Words of a cone, or of a frustum if its top has a diameter, by its sizes [m].
fn cone_words([diameter, top_diameter, length]: [f64; 3], axis: &str) -> String {
    let (word, top) = match top_diameter {
        0.0 => ("cone", String::new()),
        top => ("frustum", format!("top diameter {} m, ", short(top))),
    };
    format!(
        "{word} along {axis}, diameter {} m, {top}length {} m",
        short(diameter),
        short(length)
    )
}

/// `10000 balls of diameter 0.005 m`, or of diameters between two.
pub(crate) fn group_words(group: &Grains) -> String {
    let sizes = group.diameters.iter().copied();
    let least = sizes.clone().fold(f64::INFINITY, f64::min);
    let most = sizes.fold(0.0, f64::max);
    let [least, most] = [least, most].map(|size| rounded(size, 6));
    let count = group.len();
    match least == most {
        true => format!("{count} balls of diameter {least} m"),
        false => format!("{count} balls of diameters from {least} m to {most} m"),
    }
}
