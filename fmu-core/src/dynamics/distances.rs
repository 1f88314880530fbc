//! Distances as results: the smallest among the monitored pairs, and those of named pairs.
//!
//! A distance is the gap as contact sees it, thresholds taken off, and negative where shapes overlap.

use crate::broad_phase::Poses;
use crate::contact::Placement;
use crate::geometry::Aabb;
use crate::index::{ShapeId, each};
use crate::narrow_phase::{Feature, gap};
use crate::scene::NamedPair;

/// Distance [m] reported for a pair that does not exist, because fewer pairs exist than asked
/// for: farther than any real one.
pub const NO_PAIR: f64 = 1e9;

/// Writes the smallest of `gaps` [m] in ascending order; what is left over becomes [`NO_PAIR`].
/// Reorders `gaps`.
pub fn smallest(gaps: &mut [f64], smallest: &mut [f64]) {
    let count = smallest.len().min(gaps.len());
    if 0 < count && count < gaps.len() {
        gaps.select_nth_unstable_by(count - 1, f64::total_cmp);
    }
    smallest.fill(NO_PAIR);
    smallest[..count].copy_from_slice(&gaps[..count]);
    smallest[..count].sort_unstable_by(f64::total_cmp);
}

/// Distance of a named pair [m]: the smallest over its shapes and their parts. `bounds` is scratch.
pub fn of_named_pair(placement: &Placement, named: &NamedPair, bounds: &mut Vec<Aabb>) -> f64 {
    let shapes = placement.scene.shapes();
    let mut least = f64::INFINITY;
    for [first, second] in &named.parts {
        bounds.clear();
        let bound = |shape: ShapeId| Aabb::of(&shapes[shape].bounding_form, placement.pose(shape));
        bounds.extend(each(second.clone()).map(bound));
        for a in each(first.clone()) {
            let bound_a = bound(a);
            for (b, bound_b) in each(second.clone()).zip(bounds.iter()) {
                // Parts whose boxes are farther apart than others are cannot be the nearest.
                if bound_a.distance(bound_b) > least.max(0.0) {
                    continue;
                }
                let [form_a, form_b] = placement.scene.forms_of([a, b]);
                let (pose_a, pose_b) = (placement.pose(a), placement.pose(b));
                least = least.min(gap(form_a, pose_a, form_b, pose_b, &Feature::None));
            }
        }
    }
    least.min(NO_PAIR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_come_in_order_and_what_is_missing_is_far_away() {
        for (gaps, count, expected) in [
            (&[3.0, -1.0, 2.0, 0.5][..], 2, &[-1.0, 0.5][..]),
            (&[3.0, -1.0], 2, &[-1.0, 3.0]),
            (&[3.0], 3, &[3.0, NO_PAIR, NO_PAIR]),
            (&[], 1, &[NO_PAIR]),
            (&[1.0], 0, &[]),
        ] {
            let mut found = vec![f64::NAN; count];
            smallest(&mut gaps.to_vec(), &mut found);
            assert_eq!(found, expected);
        }
    }
}
