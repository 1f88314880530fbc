//! Bounding-volume tree: boxes that meet a box, and what is nearest to a point. It is parry's, which the model
//! has already; no other file of the crate knows its types.

use contact_geometry::math::Vec3;
use parry3d_f64::bounding_volume::Aabb;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhNode};
use parry3d_f64::query::PointQuery;

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

    /// Number of the box whose content is nearest to a point, with the `distance` of that [m]; infinite without
    /// boxes.
    pub(crate) fn nearest(&self, point: &Vec3, distance: impl Fn(usize) -> f64) -> (usize, f64) {
        let point = <[f64; 3]>::from(*point).into();
        let to_box = |node: &BvhNode, _| node.aabb().distance_to_local_point(point, true);
        let to_content = |index, _| Some(distance(index as usize));
        let found = self.0.find_best(f64::INFINITY, to_box, to_content);
        found.map_or((0, f64::INFINITY), |(index, least)| (index as usize, least))
    }
}

fn aabb(corners: [Vec3; 2]) -> Aabb {
    let [lower, upper] = corners.map(<[f64; 3]>::from);
    Aabb::new(lower.into(), upper.into())
}
