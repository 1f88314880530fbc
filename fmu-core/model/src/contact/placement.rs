//! The shapes of a scene at one state, and the gaps between them.

use crate::broad_phase::Poses;
use crate::scene::Scene;
use contact_geometry::math::Pose;
use contact_geometry::narrow_phase::{Feature, Proximity, gap, query};
use contact_geometry::shapes::RoundedShape;
use contact_laws::index::{FrameId, PairId, ShapeId, TiSlice};

/// The shapes of a scene at one state.
#[derive(Clone, Copy)]
pub struct Placement<'a> {
    /// The scene.
    pub scene: &'a Scene,
    /// Poses in the world, one or more of them shared by several shapes.
    pub frames: &'a TiSlice<FrameId, Pose>,
    /// Which of them is that of each shape.
    pub shape_frames: &'a TiSlice<ShapeId, FrameId>,
}

impl Placement<'_> {
    /// Gap, normal and points of a pair. The search starts from `hint`, here and below.
    pub fn proximity(&self, pair: PairId, hint: &Feature) -> Proximity {
        let [(form_a, pose_a), (form_b, pose_b)] = self.placed(pair);
        query(form_a, pose_a, form_b, pose_b, hint)
    }

    /// Gap of a pair [m].
    pub fn gap(&self, pair: PairId, hint: &Feature) -> f64 {
        self.gap_between(self.scene.pairs().get(pair).shapes, hint)
    }

    /// Gap of the pair of these shapes [m].
    #[inline(always)]
    pub fn gap_between(&self, shapes: [ShapeId; 2], hint: &Feature) -> f64 {
        let [form_1, form_2] = self.scene.forms_of(shapes);
        let [pose_1, pose_2] = shapes.map(|shape| self.pose(shape));
        gap(form_1, pose_1, form_2, pose_2, hint)
    }

    /// The shapes of a pair and their poses.
    #[inline(always)]
    pub fn placed(&self, pair: PairId) -> [(&RoundedShape, &Pose); 2] {
        let [a, b] = self.scene.pairs().get(pair).shapes;
        let [form_a, form_b] = self.scene.forms_of([a, b]);
        [(form_a, self.pose(a)), (form_b, self.pose(b))]
    }
}

impl Poses for Placement<'_> {
    fn pose(&self, shape: ShapeId) -> &Pose {
        &self.frames[self.shape_frames[shape]]
    }
}
