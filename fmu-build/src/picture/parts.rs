//! The convex shapes of a scene, those without contact too.

use contact_geometry::math::{Pose, Vec3, rotation_matrix};
use contact_geometry::shapes::RoundedShape;
use contact_laws::index::{BodyId, each};
use contact_model::scene::description::ShapeDescription;
use contact_model::scene::{Scene, SceneDescription, convex_shapes};

/// A convex shape fixed to a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Its body.
    pub body: BodyId,
    /// The shape that it is, or is a part of, among those of the body; a ball of a group has none.
    pub of_shape: Option<usize>,
    /// Form and size, without a shell.
    pub shape: RoundedShape,
    /// Pose of the core's frame in the body frame.
    pub pose_b: Pose,
}

/// All parts in the order of the scene; the description is that of the scene.
pub fn parts(scene: &Scene, description: &SceneDescription) -> Vec<Part> {
    let smoothing = description.contact.smoothing_radius;
    let mut parts = Vec::new();
    for (index, body) in description.bodies.iter().enumerate() {
        for (place, shape) in body.shapes.iter().enumerate() {
            let smoothing = shape.smoothing_radius.unwrap_or(smoothing);
            let outer = pose(shape);
            // A polyhedron of a checked scene is one.
            let convex = convex_shapes(&shape.form, smoothing).unwrap_or_default();
            parts.extend(convex.into_iter().map(|(shape, inner)| Part {
                body: BodyId::from(index),
                of_shape: Some(place),
                shape,
                pose_b: outer.then(&inner),
            }));
        }
    }
    for (group, known) in description.grains.iter().zip(scene.grains()) {
        for (body, diameter) in each(known.bodies.clone()).zip(&group.diameters) {
            parts.push(Part {
                body,
                of_shape: None,
                shape: RoundedShape::sphere(*diameter),
                pose_b: Pose::identity(),
            });
        }
    }
    parts
}

fn pose(shape: &ShapeDescription) -> Pose {
    Pose {
        position: Vec3::from(shape.position),
        rotation: rotation_matrix(&shape.orientation),
    }
}
