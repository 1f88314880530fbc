//! Bounding-volume tree: the boxes that meet a given box. It is parry's, which the model has already; no other
//! file of the crate knows its types.

use contact_geometry::math::Vec3;
use parry3d_f64::bounding_volume::Aabb;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy};

/// Boxes by lower and upper corner, numbered from 0.
pub(crate) struct Boxes(Bvh);

impl Boxes {
    pub(crate) fn new(boxes: impl Iterator<Item = [Vec3; 2]>) -> Boxes {
        let boxes = boxes.map(aabb).enumerate();
        Boxes(Bvh::from_iter(BvhBuildStrategy::Binned, boxes))
    }

    /// Calls `found` with the number of each box that meets another, in any order.
    pub(crate) fn visit(&self, query: [Vec3; 2], found: impl FnMut(usize)) {
        let query = aabb(query);
        let hits = self.0.intersect_aabb(&query);
        hits.map(|index| index as usize).for_each(found);
    }
}

fn aabb(corners: [Vec3; 2]) -> Aabb {
    let [lower, upper] = corners.map(<[f64; 3]>::from);
    Aabb::new(lower.into(), upper.into())
}
