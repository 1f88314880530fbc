//! Tree of bounding boxes: which of them meet a given box, without looking at all.
//!
//! The tree is parry's; no other file knows its types. Which boxes are found does not depend on how
//! the tree grew. A visit allocates only in a tree deeper than 32 levels.

use contact_geometry::shapes::Aabb;
use parry3d_f64::bounding_volume::Aabb as Bounds;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, TraversalAction};

/// Boxes by number, from 0 on.
#[derive(Clone, Default)]
pub struct Tree(Bvh);

impl Tree {
    /// A tree of finite boxes, number 0 first.
    pub fn new<'a>(boxes: impl Iterator<Item = &'a Aabb>) -> Self {
        Tree(Bvh::from_iter(
            BvhBuildStrategy::Binned,
            boxes.map(bounds).enumerate(),
        ))
    }

    /// Refits the tree to moved boxes, all of them in the same order; its topology is unchanged.
    pub fn refit<'a>(&mut self, boxes: impl Iterator<Item = &'a Aabb>) {
        for (index, aabb) in boxes.enumerate() {
            self.0
                .insert_or_update_partially(bounds(aabb), index as u32, 0.0);
        }
        self.0.refit_without_opt();
    }

    /// Calls `found` with the number of each box that meets `query`, in any order. Returns the
    /// number of nodes looked at.
    pub fn visit(&self, query: &Aabb, mut found: impl FnMut(usize)) -> u64 {
        let (lower, upper): ([f64; 3], [f64; 3]) = (query.lower.into(), query.upper.into());
        let mut nodes = 0;
        self.0.traverse(|node| {
            nodes += 1;
            let (low, high) = (node.mins().to_array(), node.maxs().to_array());
            if (0..3).any(|i| low[i] > upper[i] || high[i] < lower[i]) {
                return TraversalAction::Prune;
            }
            if let Some(index) = node.leaf_data() {
                found(index as usize);
            }
            TraversalAction::Continue
        });
        nodes
    }
}

impl std::fmt::Debug for Tree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tree of {} boxes", self.0.leaf_count())
    }
}

fn bounds(aabb: &Aabb) -> Bounds {
    let (lower, upper): ([f64; 3], [f64; 3]) = (aabb.lower.into(), aabb.upper.into());
    Bounds::new(lower.into(), upper.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use contact_geometry::math::Vec3;

    #[test]
    fn a_visit_finds_what_looking_at_every_box_finds() {
        let mut seed = 3u64;
        let mut random = || {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1u64 << 53) as f64
        };
        let mut some_box = |size: f64| {
            let lower = Vec3::new(random(), random(), random());
            Aabb {
                lower,
                upper: lower + Vec3::new(random(), random(), random()) * size,
            }
        };
        for count in [0, 1, 2, 3, 50, 1000] {
            let mut boxes: Vec<Aabb> = (0..count).map(|_| some_box(0.1)).collect();
            let mut tree = Tree::new(boxes.iter());
            for round in 0..4 {
                for _ in 0..20 {
                    let query = some_box(0.2);
                    let mut found = Vec::new();
                    let nodes = tree.visit(&query, |index| found.push(index));
                    found.sort_unstable();
                    let met: Vec<usize> = (0..count)
                        .filter(|i| boxes[*i].distance(&query) == 0.0)
                        .collect();
                    assert_eq!(found, met, "{count} boxes, round {round}");
                    if count == 1000 && round == 0 {
                        assert!(nodes < 600, "{nodes} nodes");
                    }
                }
                boxes.fill_with(|| some_box(0.1));
                tree.refit(boxes.iter());
            }
        }
    }
}
