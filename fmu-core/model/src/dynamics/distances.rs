//! Distances as results: the smallest among the monitored pairs, and those of named pairs.
//!
//! A distance is the gap as contact sees it, thresholds taken off, and negative where shapes
//! overlap.

use crate::broad_phase::Poses;
use crate::contact::Placement;
use crate::scene::NamedPair;
use contact_geometry::math::Real;
use contact_geometry::narrow_phase::Feature;
use contact_geometry::shapes::Aabb;
use contact_laws::index::{ShapeId, each};

/// Distance [m] reported for a pair that does not exist, because fewer pairs exist than asked
/// for: farther than any real one.
pub const NO_PAIR: f64 = 1e9;

/// The `count` smallest of `gaps`, ascending; fewer if there are fewer. Reorders `gaps`.
pub fn smallest<T: Real>(gaps: &mut [T], count: usize) -> &[T] {
    let order = |a: &T, b: &T| a.value().total_cmp(&b.value());
    let count = count.min(gaps.len());
    if 0 < count && count < gaps.len() {
        gaps.select_nth_unstable_by(count - 1, order);
    }
    gaps[..count].sort_unstable_by(order);
    &gaps[..count]
}

/// Distance of a named pair [m]: the smallest over its shapes and their parts, and of which two
/// shapes that is; [`NO_PAIR`] and none if there are none. `bounds` is scratch.
pub fn of_named_pair(
    placement: &Placement,
    named: &NamedPair,
    bounds: &mut Vec<Aabb>,
) -> (f64, Option<[ShapeId; 2]>) {
    let shapes = placement.scene.shapes();
    let mut least = (NO_PAIR, None);
    for [first, second] in &named.parts {
        bounds.clear();
        let bound = |shape: ShapeId| Aabb::of(&shapes[shape].bounding_form, placement.pose(shape));
        bounds.extend(each(second.clone()).map(bound));
        for a in each(first.clone()) {
            let bound_a = bound(a);
            for (b, bound_b) in each(second.clone()).zip(bounds.iter()) {
                // Parts whose boxes are farther apart than others are cannot be the nearest.
                if bound_a.distance(bound_b) > least.0.max(0.0) {
                    continue;
                }
                let gap = placement.gap_between([a, b], &Feature::None);
                if gap < least.0 {
                    least = (gap, Some([a, b]));
                }
            }
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_come_in_order_and_no_more_than_there_are() {
        for (gaps, count, expected) in [
            (&[3.0, -1.0, 2.0, 0.5][..], 2, &[-1.0, 0.5][..]),
            (&[3.0, -1.0], 2, &[-1.0, 3.0]),
            (&[3.0], 3, &[3.0]),
            (&[], 1, &[]),
            (&[1.0], 0, &[]),
        ] {
            assert_eq!(smallest(&mut gaps.to_vec(), count), expected);
        }
    }
}
