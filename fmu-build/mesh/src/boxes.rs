//! Bounding-volume tree: boxes that meet a box, what is nearest to a point, how far points reach. It is parry's,
//! which the model has already; no other file of the crate knows its types.

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

/// Points, for the farthest along directions.
pub(crate) struct Farthest<'a> {
    points: &'a [Vec3],
    boxes: Boxes,
}

impl Farthest<'_> {
    pub(crate) fn new(points: &[Vec3]) -> Farthest<'_> {
        let boxes = Boxes::new(points.iter().map(|point| [*point; 2]));
        Farthest { points, boxes }
    }

    /// Largest direction . point [m]; negative infinity without points.
    pub(crate) fn along(&self, direction: &Vec3) -> f64 {
        let of_box = |node: &BvhNode, _| {
            let (lower, upper) = (node.mins(), node.maxs());
            let most = |k: usize| (direction[k] * lower[k]).max(direction[k] * upper[k]);
            -(most(0) + most(1) + most(2))
        };
        let of_point = |index, _| Some(-direction.dot(&self.points[index as usize]));
        let found = self.boxes.0.find_best(f64::INFINITY, of_box, of_point);
        found.map_or(f64::NEG_INFINITY, |(_, least)| -least)
    }
}

fn aabb(corners: [Vec3; 2]) -> Aabb {
    let [lower, upper] = corners.map(<[f64; 3]>::from);
    Aabb::new(lower.into(), upper.into())
}
