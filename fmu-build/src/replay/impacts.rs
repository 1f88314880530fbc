//! Where contacts begin. An impact of stiff bodies takes less time than passes between two frames, so
//! that no frame has it; its place is that of the nearest points at the time of the event, with the
//! bodies on straight ways between the frames.

use crate::host::ContactEvent;
use crate::host::frames::{BodyPose, Frames};
use crate::host::messages::Touching;
use contact_geometry::math::{Pose, Vec3, rotation_matrix};
use contact_geometry::narrow_phase::{Feature, query};
use contact_laws::index::ShapeId;
use contact_model::scene::Scene;
use std::collections::BTreeMap;

/// For each event the place where two shapes begin to touch, or exert an impulse [m]; none of other
/// events.
pub fn places(scene: &Scene, frames: &Frames, events: &[ContactEvent]) -> Vec<Option<[f64; 3]>> {
    let shapes = scene.shapes().keys();
    let shapes: BTreeMap<String, ShapeId> = shapes
        .map(|shape| (scene.shape_name(shape), shape))
        .collect();
    let place = |event: &ContactEvent| {
        let begins = match event.touching {
            Touching::Pair => event.impact_speed.is_some(),
            Touching::Impulse => true,
            Touching::Stop | Touching::Latch(_) | Touching::Jump => false,
        };
        if !begins {
            return None;
        }
        let (one, two) = event.pair.split_once(':')?;
        let pair = [*shapes.get(one)?, *shapes.get(two)?];
        let placed = |shape: ShapeId| {
            let known = &scene.shapes()[shape];
            let body = frames.pose_at(event.time, usize::from(known.body))?;
            Some(pose(&body).then(&known.pose_b))
        };
        let [pose_1, pose_2] = [placed(pair[0])?, placed(pair[1])?];
        let [form_1, form_2] = scene.forms_of(pair);
        let near = query(form_1, &pose_1, form_2, &pose_2, &Feature::None);
        let point: Vec3 = near.contact_point_w();
        point.iter().all(|c| c.is_finite()).then(|| point.into())
    };
    events.iter().map(place).collect()
}

/// A pose of a frame as a pose with a rotation matrix.
pub fn pose(of: &BodyPose) -> Pose {
    Pose {
        position: Vec3::from(of.position),
        rotation: rotation_matrix(&of.orientation),
    }
}
