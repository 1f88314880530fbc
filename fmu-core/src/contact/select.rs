//! The nearest pairs, exactly and with few gaps computed.
//!
//! Order of pairs: contacts first by pair index; then by indicator, then by pair index (the
//! DistanceKey of [Modia3D contact detection]). The indicator of a pair out of contact is its gap
//! plus a constant, so the gap ranks as well. Of each candidate bounds of the gap are known; the gap
//! itself is asked only where the bounds could still put the pair on either side of the cut between
//! the nearest and the rest. The cut moves little from one selection to the next, so all bounds are
//! compared with where it was, and only the pairs about there are ranked.

use crate::broad_phase::{Candidates, Poses, TOUCHING};
use crate::scene::Scene;

/// How far about the last cut pairs are ranked, in travel of the shapes since [1]: their gaps and
/// the cut change by at most two of it each.
const ABOUT: f64 = 4.0;
/// The same where nothing moved [m].
const ABOUT_REST: f64 = 1e-8;

/// A selection of pairs, and work arrays; no allocation once they have grown to the scene.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Pairs selected, ascending.
    nearest: Vec<u32>,
    /// Pairs that may overlap and their gaps [m], by pair.
    near: Vec<(u32, f64)>,
    /// For each candidate whether it is selected.
    selected: Vec<bool>,
    /// Candidates about the cut.
    middle: Vec<Ranked>,
    /// Indices of the candidates of `near`.
    touching: Vec<usize>,
    /// Where the cut was [m].
    cut: f64,
}

/// A candidate with bounds of its gap.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ranked {
    lower: f64,
    upper: f64,
    /// Index of the candidate, in the order of pairs.
    index: usize,
}

impl Selection {
    /// Selects the `count` nearest of all pairs but those `left_out` (ascending), as sorting all
    /// gaps would, and finds every pair that overlaps. `gap` is the gap of a pair [m].
    ///
    /// The place must have been taken, [`Candidates::take_place`], with the poses given here.
    pub fn select(
        &mut self,
        candidates: &mut Candidates,
        (scene, poses): (&Scene, &impl Poses),
        left_out: &[u32],
        count: usize,
        mut gap: impl FnMut(u32) -> f64,
    ) {
        let listed = count + left_out.len();
        let count = count.min(scene.pairs().len() - left_out.len());
        let about = ABOUT * candidates.step() + ABOUT_REST;
        let mut window = (self.cut - about, self.cut + about);
        if !(window.0 < window.1) {
            window = EVERYWHERE;
        }
        loop {
            match self.attempt(candidates, left_out, count, window, &mut gap) {
                Ok(cut) => {
                    self.cut = cut;
                    break;
                }
                Err(Flaw::Window) => window = EVERYWHERE,
                Err(Flaw::List(needed)) => candidates.gather(scene, poses, listed, needed),
            }
        }
        let chosen = candidates.list().iter().zip(&self.selected);
        self.nearest.clear();
        self.nearest
            .extend(chosen.filter(|(_, chosen)| **chosen).map(|(c, _)| c.pair));
        self.near.clear();
        for index in &self.touching {
            let gap = candidates.gap(*index, &mut gap);
            self.near.push((candidates.list()[*index].pair, gap));
        }
    }

    /// The pairs selected, ascending.
    pub fn nearest(&self) -> &[u32] {
        &self.nearest
    }

    /// All pairs, but those left out, that may overlap, with their gaps [m], ascending by pair.
    pub fn near(&self) -> &[(u32, f64)] {
        &self.near
    }

    /// Marks the selected candidates, where the cut lies in a window [m]. Answers the cut.
    fn attempt(
        &mut self,
        candidates: &mut Candidates,
        left_out: &[u32],
        count: usize,
        window: (f64, f64),
        gap: &mut impl FnMut(u32) -> f64,
    ) -> Result<f64, Flaw> {
        let inside = self.compare(candidates, left_out, window);
        let outside = candidates.outside();
        let Some(places) = count.checked_sub(inside) else {
            return Err(Flaw::Window);
        };
        if places > self.middle.len() {
            // Too few are nearer than the end of the window, or than the end of the list.
            return Err(if window == EVERYWHERE {
                Flaw::List(outside.max(TOUCHING))
            } else {
                Flaw::Window
            });
        }
        let cut = self.rank(candidates, places, window.1.min(outside), gap);
        let uppers = self.middle[..places].iter().map(|ranked| ranked.upper);
        let farthest = uppers.fold(TOUCHING.max(window.0), f64::max);
        // Those inside are nearer than the window begins, those left aside farther than it ends.
        if cut < window.0 || farthest > window.1 {
            return Err(Flaw::Window);
        }
        if farthest >= outside {
            return Err(Flaw::List(farthest));
        }
        for ranked in &self.middle[..places] {
            self.selected[ranked.index] = true;
        }
        Ok(cut)
    }

    /// Compares the bounds of all candidates with a window: marks those below, keeps those that may
    /// be in it, and those that may overlap. Answers how many are below.
    fn compare(
        &mut self,
        candidates: &Candidates,
        left_out: &[u32],
        (low, high): (f64, f64),
    ) -> usize {
        self.middle.clear();
        self.touching.clear();
        self.selected.clear();
        let mut left_out = left_out.iter().peekable();
        let mut inside = 0;
        for (index, candidate) in candidates.list().iter().enumerate() {
            while left_out.next_if(|pair| **pair < candidate.pair).is_some() {}
            if left_out.next_if(|pair| **pair == candidate.pair).is_some() {
                self.selected.push(false);
                continue;
            }
            let (lower, upper) = candidates.bounds(candidate);
            if lower <= TOUCHING {
                self.touching.push(index);
            }
            let below = upper < low;
            self.selected.push(below);
            if below {
                inside += 1;
            } else if lower <= high {
                self.middle.push(Ranked {
                    lower,
                    upper,
                    index,
                });
            }
        }
        inside
    }

    /// Brings the `count` nearest of the middle to its front; all others have gaps of `beyond` or
    /// more [m]. Answers a gap that none but the nearest is below.
    fn rank(
        &mut self,
        candidates: &mut Candidates,
        count: usize,
        beyond: f64,
        gap: &mut impl FnMut(u32) -> f64,
    ) -> f64 {
        // Whoever is among the first by the lower bound and may be farther than the next one is
        // asked, until there is none: then no lower bound behind them hides a smaller gap.
        loop {
            let next = if count < self.middle.len() {
                let (_, next, _) = self.middle.select_nth_unstable_by(count, Ranked::order);
                next.lower.min(beyond)
            } else {
                beyond
            };
            let mut settled = true;
            for ranked in &mut self.middle[..count] {
                if ranked.upper >= next && ranked.lower < ranked.upper {
                    let gap = candidates.gap(ranked.index, &mut *gap);
                    (ranked.lower, ranked.upper) = (gap, gap);
                    settled = false;
                }
            }
            if settled {
                return next;
            }
        }
    }
}

impl Ranked {
    fn order(&self, other: &Self) -> std::cmp::Ordering {
        self.lower
            .total_cmp(&other.lower)
            .then(self.index.cmp(&other.index))
    }
}

/// The window that no pair is outside of.
const EVERYWHERE: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

/// Why an attempt selected nothing.
enum Flaw {
    /// The cut is not in the window.
    Window,
    /// A pair beyond the list may be as near as this [m].
    List(f64),
}
