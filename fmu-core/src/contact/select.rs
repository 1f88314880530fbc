//! The nearest pairs, exactly and without looking at all of them.
//!
//! Order of pairs: contacts first by pair index; then by indicator, then by pair index (the
//! DistanceKey of [Modia3D contact detection]). The indicator of a pair out of contact is its gap
//! plus a constant, so the gap ranks as well. A bounding box gives a lower bound of the gap; the
//! gap itself is asked only where the bound could still put the pair among the nearest.

/// Work arrays of the selection; no allocation after the first use with a number of pairs.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// (lower bound or gap, pair, whether the first is the gap).
    ranked: Vec<(f64, u32, bool)>,
}

impl Selection {
    /// Ranks all pairs of `0..pair_count` that `wanted` admits so that the `count` nearest come
    /// first in [`Self::nearest`] order, and every pair whose gap may be <= 0 has its gap known.
    ///
    /// `least_gap` bounds a gap from below [m]; `gap` is the gap [m].
    pub fn rank(
        &mut self,
        pair_count: usize,
        count: usize,
        wanted: impl Fn(u32) -> bool,
        least_gap: impl Fn(u32) -> f64,
        mut gap: impl FnMut(u32) -> f64,
    ) {
        let ranked = &mut self.ranked;
        ranked.clear();
        ranked.extend(
            (0..pair_count as u32)
                .filter(|p| wanted(*p))
                .map(|p| (least_gap(p), p, false)),
        );
        let count = count.min(ranked.len());
        // Ask the pairs that rank among the first `count` by what is known, until those are all
        // gaps: no bound above them hides a smaller gap.
        loop {
            if count > 0 && count < ranked.len() {
                ranked.select_nth_unstable_by(count - 1, order);
            }
            let mut all_known = true;
            for entry in ranked[..count].iter_mut().filter(|entry| !entry.2) {
                *entry = (gap(entry.1), entry.1, true);
                all_known = false;
            }
            if all_known {
                break;
            }
        }
        // More overlapping pairs than asked for: the caller wants to know them all.
        for entry in ranked[count..]
            .iter_mut()
            .filter(|entry| !entry.2 && entry.0 <= 0.0)
        {
            *entry = (gap(entry.1), entry.1, true);
        }
        ranked.sort_unstable_by(order);
    }

    /// Pairs with their gaps, nearest first; ends before the first whose gap was not asked.
    pub fn nearest(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        self.ranked
            .iter()
            .take_while(|entry| entry.2)
            .map(|entry| (entry.1, entry.0))
    }
}

fn order(a: &(f64, u32, bool), b: &(f64, u32, bool)) -> std::cmp::Ordering {
    a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_are_those_of_sorting_all_gaps() {
        let mut seed = 9u64;
        let mut random = || {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1u64 << 53) as f64
        };
        for count in [1, 2, 7, 30] {
            let gaps: Vec<f64> = (0..200).map(|_| random() * 2.0 - 0.02).collect();
            let bounds: Vec<f64> = gaps
                .iter()
                .map(|g| {
                    if random() < 0.3 {
                        f64::NEG_INFINITY
                    } else {
                        g - random()
                    }
                })
                .collect();
            let mut asked = 0;
            let mut selection = Selection::default();
            selection.rank(
                200,
                count,
                |p| p % 2 == 0,
                |p| bounds[p as usize],
                |p| {
                    asked += 1;
                    gaps[p as usize]
                },
            );
            let mut all: Vec<u32> = (0..200).filter(|p| p % 2 == 0).collect();
            all.sort_by(|a, b| gaps[*a as usize].total_cmp(&gaps[*b as usize]));
            let found: Vec<u32> = selection.nearest().map(|(p, _)| p).take(count).collect();
            assert_eq!(found, all[..count]);
            let overlapping = all.iter().filter(|p| gaps[**p as usize] <= 0.0).count();
            assert!(selection.nearest().filter(|(_, g)| *g <= 0.0).count() == overlapping);
            assert!(asked < 100, "asked {asked} of 100");
        }
    }
}
