//! Does an indicator change its domain inside a step, even if it is back at the end?
//!
//! The indicators are sampled on the dense output of the step: at both ends, at two points
//! inside, and wherever the samples leave a doubt, until a domain change is met or no doubt is
//! left. Let u = |z| in the domain of the start, and [a, b] an interval between neighbouring
//! samples. A dip to zero in it has a falling and a rising flank, smooth or with a kink between
//! them as when a body flies through a thin plate. The samples before a and those after b show
//! how the flanks come. Continued over the interval, as a line and, where three samples are known,
//! as a parabola, a flank of a dip to zero comes to zero before the interval ends. So there is no
//! doubt where a flank known by three samples stays above zero, nor where the chords of the two
//! continued flanks meet well above zero. The next sample goes to where they meet, or, by turns, to
//! the vertex of a parabola through three samples: a kink is hit by the former, a smooth dip by
//! the latter.

use super::bracket::any_differs;
use crate::hybrid::EvaluationError;

/// Inner points of the first four samples, as parts of the step. Unequal intervals: what
/// oscillates with the period of one is no constant on the others.
const FIRST_SAMPLES: [f64; 2] = [0.36, 0.71];
/// Samples per step at most: enough for a near miss by 1e-6 of the height at the ends of the step,
/// which takes more samples than a hit.
const CAPACITY: usize = 32;
/// Allowance for what a parabola does not show of a flank, as part of what it shows beyond a line.
const FLANK_MARGIN: f64 = 0.5;
/// A flank continued over an interval of the first four samples falls below the lowest of them by
/// less than this times their spread r: the line by 0.36/0.35 r, and the parabola with its margin
/// by (1 + 1/2) (1/0.29 + 1/0.35) 0.36 0.71/0.64 r = 3.8 r more at most.
const FARTHEST_FLANK: f64 = 5.0;
/// Two flanks that meet at this part of their depth below the chord, or lower, are a doubt.
const MEETING_MARGIN: f64 = 0.5;
/// A sample keeps this part of its interval from both ends, so that each divides in earnest.
const LEAST_PART: f64 = 1.0 / 16.0;
/// Intervals below this part of the step are not divided.
const LEAST_INTERVAL: f64 = 1e-12;

/// Samples of all indicators over one step, in the order of time.
pub(super) struct Search {
    count: usize,
    /// Number of samples taken.
    length: usize,
    /// Times as parts of the step, ascending.
    parts: [f64; CAPACITY],
    /// Where the values of each sample lie.
    slots: [usize; CAPACITY],
    /// Indicator values, `count` per slot.
    values: Vec<f64>,
    /// Indicators near enough to zero for a dip.
    near: Vec<usize>,
}

/// Two neighbouring samples between which the first domain change lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Change {
    sample: usize,
    /// Last sample without a change, as part of the step.
    pub before: f64,
    /// First sample with a change, as part of the step.
    pub after: f64,
}

impl Search {
    /// Room for the samples of `count` indicators.
    pub fn new(count: usize) -> Self {
        Search {
            count,
            length: 0,
            parts: [0.0; CAPACITY],
            slots: [0; CAPACITY],
            values: vec![0.0; CAPACITY * count],
            near: Vec::with_capacity(count),
        }
    }

    /// Indicator values before a change.
    pub fn values_before(&self, change: &Change) -> &[f64] {
        self.sample(change.sample - 1)
    }

    /// Indicator values after a change.
    pub fn values_after(&self, change: &Change) -> &[f64] {
        self.sample(change.sample)
    }

    /// Samples the step whose end values are `start` and `end`; `indicators` gives the values at a
    /// part of the step on the dense output. Answers the first change.
    pub fn run(
        &mut self,
        start: &[f64],
        end: &[f64],
        mut indicators: impl FnMut(f64, &mut [f64]) -> Result<(), EvaluationError>,
    ) -> Result<Option<Change>, EvaluationError> {
        self.length = 0;
        self.insert(0, 0.0).copy_from_slice(start);
        self.insert(1, 1.0).copy_from_slice(end);
        for (i, part) in FIRST_SAMPLES.into_iter().enumerate() {
            indicators(part, self.insert(i + 1, part))?;
        }
        self.select_near();
        let mut changed = (1..self.length).find(|&i| self.has_changed(i));
        let mut interval = 0;
        while self.length < CAPACITY {
            // The interval that ends with the change needs no doubt.
            if interval >= changed.unwrap_or(self.length).saturating_sub(1) {
                break;
            }
            let Some(part) = self.doubt(interval) else {
                interval += 1;
                continue;
            };
            indicators(part, self.insert(interval + 1, part))?;
            changed = if self.has_changed(interval + 1) {
                Some(interval + 1)
            } else {
                changed.map(|i| i + 1)
            };
            // The new sample speaks on the interval before it, too.
            interval = interval.saturating_sub(1);
        }
        Ok(changed.map(|sample| Change {
            sample,
            before: self.parts[sample - 1],
            after: self.parts[sample],
        }))
    }

    /// Makes room for a sample at position `i`; answers the room for its values.
    fn insert(&mut self, i: usize, part: f64) -> &mut [f64] {
        let slot = self.length;
        self.parts.copy_within(i..slot, i + 1);
        self.slots.copy_within(i..slot, i + 1);
        self.parts[i] = part;
        self.slots[i] = slot;
        self.length += 1;
        &mut self.values[slot * self.count..(slot + 1) * self.count]
    }

    fn sample(&self, i: usize) -> &[f64] {
        let from = self.slots[i] * self.count;
        &self.values[from..from + self.count]
    }

    fn has_changed(&self, i: usize) -> bool {
        any_differs(self.sample(0), self.sample(i))
    }

    /// Selects the indicators whose first samples leave room for a doubt, see [`FARTHEST_FLANK`].
    fn select_near(&mut self) {
        self.near.clear();
        let [z0, z1, z2, z3] =
            std::array::from_fn(|slot| &self.values[slot * self.count..(slot + 1) * self.count]);
        for j in 0..self.count {
            let largest = z0[j].max(z1[j]).max(z2[j].max(z3[j]));
            let smallest = z0[j].min(z1[j]).min(z2[j].min(z3[j]));
            let distance = if z0[j] > 0.0 { smallest } else { -largest };
            if distance <= FARTHEST_FLANK * (largest - smallest) {
                self.near.push(j);
            }
        }
    }

    /// Where in the interval from sample `i` to the next an indicator may leave its domain.
    fn doubt(&self, i: usize) -> Option<f64> {
        let (from, width) = (self.parts[i], self.parts[i + 1] - self.parts[i]);
        if width < LEAST_INTERVAL {
            return None;
        }
        let before = |k: usize| i.checked_sub(k);
        let after = |k: usize| Some(i + 1 + k).filter(|&sample| sample < self.length);
        self.near.iter().find_map(|&j| {
            let (a, b) = (self.height(i, j), self.height(i + 1, j));
            let falling = self.flank(i, before(1), before(2), i + 1, j);
            let rising = self.flank(i + 1, after(1), after(2), i, j);
            // By turns, so that no kind of dip is approached in small strides only.
            let at_kink = dip(a, b, falling, rising, self.length % 4 >= 2)?;
            let at_vertex = if self.length % 2 == 1 {
                self.vertex(i, j)
            } else {
                None
            };
            let part = at_vertex.unwrap_or(at_kink);
            Some(from + width * part.clamp(LEAST_PART, 1.0 - LEAST_PART))
        })
    }

    /// u of indicator `j` at sample `i`.
    fn height(&self, i: usize, j: usize) -> f64 {
        let z = self.values[self.slots[i] * self.count + j];
        let positive = self.values[self.slots[0] * self.count + j] > 0.0;
        if positive { z } else { -z }
    }

    /// The flank of indicator `j` that comes over the samples `outer`, `inner` and `near`,
    /// continued to sample `to`; none without an inner sample.
    fn flank(
        &self,
        near: usize,
        inner: Option<usize>,
        outer: Option<usize>,
        to: usize,
        j: usize,
    ) -> Option<Flank> {
        let inner = inner?;
        let (t2, u2) = (self.parts[near], self.height(near, j));
        let (t1, u1) = (self.parts[inner], self.height(inner, j));
        let t = self.parts[to];
        let slope = (u2 - u1) / (t2 - t1);
        let line = u2 + slope * (t - t2);
        let Some(outer) = outer else {
            return Some(Flank {
                end: line,
                has_curvature: false,
            });
        };
        let (t0, u0) = (self.parts[outer], self.height(outer, j));
        let slope_before = (u1 - u0) / (t1 - t0);
        let bend = (slope - slope_before) / (t2 - t0) * (t - t2) * (t - t1);
        Some(Flank {
            end: line + bend.min(0.0) - FLANK_MARGIN * bend.abs(),
            has_curvature: true,
        })
    }

    /// Lowest point of the parabola of indicator `j` through the samples `i`, `i + 1` and the lower
    /// one of their neighbours, as part of the interval between them; none if it lies outside.
    fn vertex(&self, i: usize, j: usize) -> Option<f64> {
        let right_is_lower =
            i == 0 || (i + 2 < self.length && self.height(i + 2, j) < self.height(i - 1, j));
        let first = if right_is_lower { i } else { i - 1 };
        let [t0, t1, t2] = [0, 1, 2].map(|k| self.parts[first + k]);
        let [u0, u1, u2] = [0, 1, 2].map(|k| self.height(first + k, j));
        let (slope_01, slope_12) = ((u1 - u0) / (t1 - t0), (u2 - u1) / (t2 - t1));
        let curvature = (slope_12 - slope_01) / (t2 - t0);
        let lowest = 0.5 * (t0 + t1) - 0.5 * slope_01 / curvature;
        let part = (lowest - self.parts[i]) / (self.parts[i + 1] - self.parts[i]);
        (curvature > 0.0 && (0.0..=1.0).contains(&part)).then_some(part)
    }
}

/// A flank continued over the interval next to it.
#[derive(Clone, Copy)]
struct Flank {
    /// Its lower estimate at the far end of the interval.
    end: f64,
    /// Three samples show it, not only two.
    has_curvature: bool,
}

/// Where u may be <= 0 between u(0) = `a` and u(1) = `b`, with the flank that comes from before and
/// the one that comes, backwards, from after; none: nowhere. Of a lone flank the answer is where it
/// meets its mirror image or, if `beyond`, half way from its zero to the other end, where the
/// other flank shows itself.
fn dip(a: f64, b: f64, falling: Option<Flank>, rising: Option<Flank>, beyond: bool) -> Option<f64> {
    let alone = |near: f64, far: f64, end: f64| {
        let other = if beyond { 0.0 } else { far };
        0.5 + 0.5 * (near - other) / (near - end)
    };
    match (falling, rising) {
        (Some(left), None) => (left.end <= 0.0).then(|| alone(a, b, left.end)),
        (None, Some(right)) => (right.end <= 0.0).then(|| 1.0 - alone(b, a, right.end)),
        (Some(left), Some(right)) => {
            let (falls, rises) = (left.end <= 0.0, right.end <= 0.0);
            let is_possible = match (left.has_curvature, right.has_curvature) {
                (true, true) => falls && rises,
                (true, false) => falls,
                (false, true) => rises,
                (false, false) => falls || rises,
            };
            if !is_possible {
                return None;
            }
            if !(falls && rises) {
                return Some(0.5);
            }
            let part = (a - right.end) / (a - left.end + b - right.end);
            let meeting = a + (left.end - a) * part;
            let depth = a + (b - a) * part - meeting;
            let is_known = left.has_curvature && right.has_curvature;
            (!is_known || meeting <= MEETING_MARGIN * depth).then_some(part)
        }
        (None, None) => Some(0.5),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Change of one function of the part of the step, and the number of samples.
    fn search(f: &dyn Fn(f64) -> f64) -> (Option<Change>, usize) {
        let mut search = Search::new(1);
        let change = search
            .run(&[f(0.0)], &[f(1.0)], |part, z| {
                z[0] = f(part);
                Ok(())
            })
            .unwrap();
        (change, search.length)
    }

    /// Uniform numbers in [0, 1) from a linear congruential generator (Knuth's MMIX constants).
    fn uniform(seed: &mut u64) -> f64 {
        *seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 11) as f64 / (1_u64 << 53) as f64
    }

    type Dip = Box<dyn Fn(f64) -> f64>;

    /// Functions with one dip to -depth: flight through a plate, with slopes that differ, with
    /// flanks that bend, a smooth dip, a smooth one that is no parabola, flight past a post.
    fn dips(seed: &mut u64, depth: f64) -> [Dip; 6] {
        let c = uniform(seed);
        let bend = 4.0 * uniform(seed) - 2.0;
        // The bent flank has no second zero in the step.
        let gentle = bend / 2.1;
        let width = 0.01 * 100.0_f64.powf(uniform(seed));
        let ratio = 25.0_f64.powf(uniform(seed));
        [
            Box::new(move |t| (t - c).abs() - depth),
            Box::new(move |t| (c - t).max(ratio * (t - c)) - depth),
            Box::new(move |t| ((t - c) * (1.0 + gentle * (t - c))).abs() - depth),
            Box::new(move |t| (t - c).powi(2) - depth),
            Box::new(move |t| (t - c).powi(2) * (1.0 + 0.4 * bend * (t - c)) - depth),
            Box::new(move |t| (t - c).hypot(width) - width - depth),
        ]
    }

    #[test]
    fn each_dip_below_zero_is_found() {
        let mut seed = 1;
        for depth in [0.1, 1e-2, 1e-4, 1e-6] {
            for _ in 0..2000 {
                for (kind, f) in dips(&mut seed, depth).iter().enumerate() {
                    for sign in [1.0, -1.0] {
                        // A rise above zero is the mirror image; there 0 belongs to the start.
                        let g = |t: f64| sign * f(t);
                        if f(0.0) > 0.0 && f(1.0) > 0.0 {
                            let change = search(&g).0.unwrap_or_else(|| {
                                panic!("dip of kind {kind}, depth {depth:e}, sign {sign} missed")
                            });
                            assert!(f(change.before) >= 0.0 && f(change.after) <= 0.0);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_near_miss_is_no_change_and_costs_no_more_the_farther_it_is() {
        let mut seed = 2;
        for (distance, most) in [(10.0, 0), (1.0, 4), (0.1, 8), (1e-2, 9), (1e-6, 28)] {
            for _ in 0..2000 {
                for f in &dips(&mut seed, -distance) {
                    let (change, samples) = search(f);
                    assert_eq!(change, None);
                    assert!(samples <= 4 + most, "{samples} samples at {distance:e}");
                }
            }
        }
    }

    #[test]
    fn the_first_of_two_dips_is_answered() {
        let f = |t: f64| (t - 0.2).abs().min((t - 0.6).abs()) - 0.01;
        let change = search(&f).0.unwrap();
        assert!(change.before < 0.19 && change.after > 0.19 && change.after <= 0.21);
    }

    #[test]
    fn a_change_at_the_end_needs_no_more_than_the_first_samples() {
        let (change, samples) = search(&|t| 0.9 - t);
        assert_eq!(samples, 4);
        let change = change.unwrap();
        assert_eq!((change.before, change.after), (0.71, 1.0));
    }
}
