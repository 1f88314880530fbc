//! Location of the first event inside a step, and repetition of the step up to it.
//!
//! 1. [`HybridSystem::first_entry`] returns where an indicator that is positive at the start may have been
//!    zero or less inside the step; other changes are detected at its end.
//! 2. The bracket is narrowed on the dense output; this costs indicator calls only.
//! 3. The step is repeated with the full formula up to times near that root, with their indicator values the
//!    bracket is narrowed to rounding of the time. So states and time of the event have the accuracy of the
//!    formula, not that of its dense output, which may be less.
//!
//! A change on the dense output that the formula does not confirm is no event; the step then ends there, and
//! the next one searches the rest. So does a step in which something without an indicator needs an event: it
//! ends just past that, and the system requests the event when its `completed_step` is called.
//!
//! # Bracketing the earliest change of domain of several continuous functions of time
//!
//! The domains are z > 0 and z <= 0. At the lower end a no function has left the domain it had at the start,
//! at the upper end b at least one has. The next time is chosen by T. R. Chandrupatla's method (Advances in
//! Engineering Software 28 (1997) 145-149): inverse quadratic interpolation if the last three points allow
//! it, else bisection, which bounds the number of evaluations. Of the functions that changed within the
//! bracket the leader is the one whose chord meets zero first.

use super::evaluator::{Evaluator, Method};
use crate::hybrid::{EvaluationError, HybridSystem};
use contact_geometry::math::dense;
use contact_geometry::math::dense::DenseStep;

/// Width of the bracket on the dense output relative to the step: about its accuracy.
const DENSE_WIDTH: f64 = 1e-9;
/// Final width of the bracket, in roundings of the time.
const WIDTH_ROUNDINGS: f64 = 4.0;
/// An event is met if its indicators changed within this many roundings of the time before, by a chord ...
const MET_ROUNDINGS: f64 = 2.0;
/// ... over no more than this fraction of the step, where they are straight.
const STRAIGHT: f64 = 1e-6;
/// Maximum number of evaluations of each kind. Bisection alone closes a bracket of a step with 50; an
/// indicator with much rounding noise may need more, then a bracket as wide as its noise is enough.
const MOST_LOOKS: usize = 60;
/// Factor by which a step back to before the root overshoots it, so that both sides close in at once.
const OVERSHOOT: f64 = 2.0;
/// Roundings of the time by which a step forward passes the root, to see the change.
const PAST_ROUNDINGS: f64 = 1.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Ending {
    /// No domain changes: the full step is accepted.
    Full,
    /// A domain has changed at this time, and not at the number before within the bracket.
    Event(f64),
    /// The step was shortened to this time; no domain has changed.
    Short(f64),
}

pub(super) struct StepSpan<'a> {
    pub t0: f64,
    pub t1: f64,
    pub x0: &'a [f64],
    pub z0: &'a [f64],
    pub rows: &'a [f64],
}

/// Event locator with work arrays.
pub(super) struct Locator<M> {
    bracket: Bracket,
    /// Indicators at both ends of the first bracket.
    ends: [Vec<f64>; 2],
    /// The repeated step to the upper end of the bracket.
    upper: M,
    states: Vec<f64>,
}

impl<M: Method> Locator<M> {
    pub(crate) fn new(states: usize, indicators: usize) -> Self {
        Locator {
            bracket: Bracket::new(indicators),
            ends: [vec![0.0; indicators], vec![0.0; indicators]],
            upper: M::new(states),
            states: vec![0.0; states],
        }
    }

    /// Searches the step that `method` has finished, whose indicators at the end are `z1`. If the step is
    /// shortened, `method` and `z1` are those of the shorter step afterwards, which is not finished yet.
    pub(crate) fn run<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        span: &StepSpan<'_>,
        method: &mut M,
        z1: &mut [f64],
    ) -> Result<Ending, EvaluationError> {
        let StepSpan { t0, t1, rows, .. } = *span;
        let h = t1 - t0;
        let step = DenseStep::new(t0, t1, span.x0, method.end(), rows);
        let entry = evaluator.first_entry(&step, span.z0)?;
        let states = &mut self.states;
        let mut on_dense = |part: f64, z: &mut [f64]| {
            dense::evaluate(rows, part, states);
            evaluator.indicators(t0 + part * h, states, z)
        };
        let [at_start, at_end] = &mut self.ends;
        at_start.copy_from_slice(span.z0);
        at_end.copy_from_slice(z1);
        let (mut before, mut after) = (0.0, 1.0);
        if let Some(entry) = entry {
            if entry.after <= 0.0 {
                return Err(EvaluationError::discard(format!(
                    "nothing is known of contacts in the step from {t0} s to {t1} s"
                )));
            }
            after = entry.after;
            on_dense(after, at_end)?;
            if !any_differs(span.z0, at_end) {
                // What changes there has no indicator, or the formula has to decide.
                let seen = (t0 + after * h).max(t0.next_up());
                if seen < t1 {
                    self.bracket.start(t0, span.z0, seen, at_end);
                    return self.close(evaluator, span, method, z1, None);
                }
                (before, after) = (0.0, 1.0);
                at_end.copy_from_slice(z1);
                if !any_differs(span.z0, z1) {
                    return Ok(Ending::Full);
                }
            } else {
                before = entry.before;
                if before > 0.0 {
                    on_dense(before, at_start)?;
                }
                if any_differs(span.z0, at_start) {
                    // Something else has changed before.
                    (before, after) = (0.0, before);
                    at_end.copy_from_slice(at_start);
                    at_start.copy_from_slice(span.z0);
                }
            }
        } else if !any_differs(span.z0, z1) {
            return Ok(Ending::Full);
        }

        let bracket = &mut self.bracket;
        bracket.start(before, at_start, after, at_end);
        for _ in 0..MOST_LOOKS {
            let Some(part) = bracket.propose(DENSE_WIDTH) else {
                break;
            };
            on_dense(part, &mut bracket.trial)?;
            bracket.insert(part);
        }
        let leader = bracket.leader();
        let seen = if after < 1.0 {
            (t0 + after * h).max(t0.next_up())
        } else {
            t1
        };
        let root = Root {
            time: t0 + bracket.upper() * h,
            leader,
            slope: bracket.slope(leader) / h,
        };
        if seen < t1 {
            bracket.start(t0, span.z0, seen, at_end);
        } else {
            bracket.start(t0, span.z0, seen, z1);
        }
        self.close(evaluator, span, method, z1, Some(root))
    }

    /// Narrows the bracket from the start of the step to the detected change with repeated steps, from the
    /// root on the dense output if there is one.
    fn close<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        span: &StepSpan<'_>,
        method: &mut M,
        z1: &mut [f64],
        root: Option<Root>,
    ) -> Result<Ending, EvaluationError> {
        let StepSpan { t0, t1, x0, z0, .. } = *span;
        let Locator { bracket, upper, .. } = self;
        let seen = bracket.upper();
        // At the end of the step the formula itself has seen the change.
        let mut confirmed = seen == t1;
        if confirmed {
            method.exchange(upper);
        }
        // Evaluates one time with the full formula; keeps the step to the upper end.
        let mut look = |bracket: &mut Bracket, time: f64| -> Result<bool, EvaluationError> {
            method.step(evaluator, t0, time, x0)?;
            evaluator.indicators(time, method.end(), &mut bracket.trial)?;
            let changed = any_differs(z0, &bracket.trial);
            if changed {
                method.exchange(upper);
            }
            Ok(changed)
        };

        if let Some(root) = root.filter(|root| bracket.contains(root.time)) {
            confirmed |= look(bracket, root.time)?;
            bracket.insert(root.time);
            let way = -bracket.newest_value(root.leader) / root.slope;
            let next = match way > 0.0 {
                true => root.time + way + PAST_ROUNDINGS * f64::EPSILON * t0.abs().max(t1.abs()),
                false => root.time + OVERSHOOT * way,
            };
            if bracket.contains(next) {
                confirmed |= look(bracket, next)?;
                bracket.insert(next);
            }
        }
        if !confirmed {
            if !look(bracket, seen)? {
                z1.copy_from_slice(&bracket.trial);
                return Ok(Ending::Short(seen));
            }
            bracket.replace_upper_values();
        }
        let rounding = f64::EPSILON * t0.abs().max(t1.abs());
        let (tolerance, straight) = (WIDTH_ROUNDINGS * rounding, STRAIGHT * (t1 - t0));
        for _ in 0..MOST_LOOKS {
            if bracket.is_met(straight, MET_ROUNDINGS * rounding) {
                break;
            }
            let Some(time) = bracket.propose(tolerance) else {
                break;
            };
            // From one side the root is straight ahead: just past it the event is met.
            let past = time + PAST_ROUNDINGS * rounding;
            let time = if bracket.contains(past) { past } else { time };
            look(bracket, time)?;
            bracket.insert(time);
        }
        method.exchange(upper);
        z1.copy_from_slice(bracket.upper_values());
        Ok(Ending::Event(bracket.upper()))
    }
}

/// Root on the dense output: start of the repeated steps.
struct Root {
    time: f64,
    /// Indicator that is zero there.
    leader: usize,
    slope: f64,
}

pub(super) fn differs(before: f64, after: f64) -> bool {
    (before > 0.0) != (after > 0.0)
}

/// Returns true if any function has left its domain.
pub(super) fn any_differs(before: &[f64], after: &[f64]) -> bool {
    before.iter().zip(after).any(|(&b, &a)| differs(b, a))
}

struct Point {
    time: f64,
    values: Vec<f64>,
}

/// Bracket [a, b] with the values of all functions at a, b and the point dropped last.
pub(super) struct Bracket {
    a: Point,
    b: Point,
    /// End replaced by the newest point.
    dropped: Point,
    has_dropped: bool,
    newest_is_a: bool,
    /// Values at the evaluated point, to be filled before [`Self::insert`].
    pub trial: Vec<f64>,
}

impl Bracket {
    pub(crate) fn new(count: usize) -> Self {
        let point = || Point {
            time: 0.0,
            values: vec![0.0; count],
        };
        Bracket {
            a: point(),
            b: point(),
            dropped: point(),
            has_dropped: false,
            newest_is_a: true,
            trial: vec![0.0; count],
        }
    }

    /// Starts with the ends a and b and the values there.
    pub(crate) fn start(&mut self, a: f64, values_a: &[f64], b: f64, values_b: &[f64]) {
        self.a.time = a;
        self.a.values.copy_from_slice(values_a);
        self.b.time = b;
        self.b.values.copy_from_slice(values_b);
        self.has_dropped = false;
        self.newest_is_a = true;
    }

    pub(crate) fn upper(&self) -> f64 {
        self.b.time
    }

    fn upper_values(&self) -> &[f64] {
        &self.b.values
    }

    /// Returns true if the bracket is no wider than `width` and every function that has changed at its upper
    /// end was zero, by its chord, within `tolerance` before.
    fn is_met(&self, width: f64, tolerance: f64) -> bool {
        let own = self.b.time - self.a.time;
        let ends = self.a.values.iter().zip(&self.b.values);
        own <= width
            && ends
                .filter(|(za, zb)| differs(**za, **zb))
                .all(|(za, zb)| zb.abs() * own <= tolerance * (za - zb).abs())
    }

    pub(crate) fn contains(&self, time: f64) -> bool {
        time > self.a.time && time < self.b.time
    }

    /// Replaces estimated values at the upper end by those in `trial`.
    fn replace_upper_values(&mut self) {
        std::mem::swap(&mut self.b.values, &mut self.trial);
    }

    pub(crate) fn insert(&mut self, time: f64) -> bool {
        let changed = any_differs(&self.a.values, &self.trial);
        let end = if changed { &mut self.b } else { &mut self.a };
        std::mem::swap(end, &mut self.dropped);
        end.time = time;
        std::mem::swap(&mut end.values, &mut self.trial);
        self.has_dropped = true;
        self.newest_is_a = !changed;
        changed
    }

    /// Function whose chord over the bracket reaches zero first.
    pub(crate) fn leader(&self) -> usize {
        let mut leader = 0;
        let mut first = f64::INFINITY;
        for (j, (&za, &zb)) in self.a.values.iter().zip(&self.b.values).enumerate() {
            if differs(za, zb) {
                let part = za / (za - zb);
                if part < first {
                    (leader, first) = (j, part);
                }
            }
        }
        leader
    }

    pub(crate) fn slope(&self, j: usize) -> f64 {
        (self.b.values[j] - self.a.values[j]) / (self.b.time - self.a.time)
    }

    fn newest_value(&self, j: usize) -> f64 {
        if self.newest_is_a {
            self.a.values[j]
        } else {
            self.b.values[j]
        }
    }

    /// Next time, strictly inside; `None` when the bracket is no wider than `tolerance` or has no number
    /// inside.
    fn propose(&self, tolerance: f64) -> Option<f64> {
        let width = self.b.time - self.a.time;
        if width <= tolerance {
            return None;
        }
        let j = self.leader();
        let (one, two) = if self.newest_is_a {
            (&self.a, &self.b)
        } else {
            (&self.b, &self.a)
        };
        let (t1, f1) = (one.time, one.values[j]);
        let (t2, f2) = (two.time, two.values[j]);
        let part = if self.has_dropped {
            let (t3, f3) = (self.dropped.time, self.dropped.values[j]);
            let xi = (t1 - t2) / (t3 - t2);
            let phi = (f1 - f2) / (f3 - f2);
            if phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi {
                let alpha = (t3 - t1) / (t2 - t1);
                f1 / (f2 - f1) * (f3 / (f2 - f3)) + alpha * (f1 / (f3 - f1)) * (f2 / (f3 - f2))
            } else {
                0.5
            }
        } else {
            f1 / (f1 - f2)
        };
        // At least half a tolerance from both ends: from a good end this closes the bracket.
        let least = (0.5 * tolerance / width).min(0.5);
        let time = t1 + part.clamp(least, 1.0 - least) * (t2 - t1);
        if self.contains(time) {
            return Some(time);
        }
        let middle = self.a.time + 0.5 * width;
        self.contains(middle).then_some(middle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Closes a bracket on [0, 1]. Returns its upper end and the number of looks.
    fn close(functions: &[&dyn Fn(f64) -> f64]) -> (f64, usize) {
        let at = |t: f64| functions.iter().map(|f| f(t)).collect::<Vec<_>>();
        let mut bracket = Bracket::new(functions.len());
        bracket.start(0.0, &at(0.0), 1.0, &at(1.0));
        let mut looks = 0;
        while let Some(t) = bracket.propose(1e-15) {
            assert!(bracket.contains(t));
            bracket.trial.copy_from_slice(&at(t));
            bracket.insert(t);
            looks += 1;
            assert!(looks < 60, "bracket does not close");
        }
        (bracket.upper(), looks)
    }

    #[test]
    fn root_of_a_smooth_function_is_met_in_few_looks() {
        let (root, looks) = close(&[&|t: f64| (3.0 * t).cos()]);
        assert!((root - std::f64::consts::FRAC_PI_6).abs() <= 1e-15);
        assert!((3.0 * root).cos() <= 0.0);
        assert!(looks <= 9, "{looks} looks");
    }

    #[test]
    fn a_root_that_defeats_interpolation_is_met_by_bisection() {
        // Flat on one side, steep on the other; then a jump.
        let (root, _) = close(&[&|t: f64| 1e-9 - (t - 0.3).max(0.0).powi(9)]);
        assert!((root - 0.4).abs() <= 1e-15, "{root}");
        let (root, _) = close(&[&|t: f64| if t < 0.7 { 1e-12 } else { -1e9 }]);
        assert!((root - 0.7).abs() <= 1e-15, "{root}");
    }

    #[test]
    fn the_earliest_root_wins() {
        let (root, _) = close(&[&|t| t - 0.8, &|t| 2.0 - 8.0 * t, &|t| 0.5 - t]);
        assert!((0.25..=0.25 + 1e-15).contains(&root), "{root}");
    }
}
