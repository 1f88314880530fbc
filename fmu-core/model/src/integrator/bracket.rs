//! Closes a bracket on the earliest change of domain of several continuous functions of time.
//!
//! The domains are z > 0 and z <= 0. At the lower end a no function has left the domain it had at
//! the start, at the upper end b at least one has. The next time to look at is found by T. R.
//! Chandrupatla's method (Advances in Engineering Software 28 (1997) 145-149): inverse quadratic
//! interpolation if the last three points allow it, else bisection, which bounds the number of
//! looks. Of the functions that changed within the bracket the leader is the one whose chord meets
//! zero first.

/// Returns true if a value is not in the domain of another.
pub(super) fn differs(before: f64, after: f64) -> bool {
    (before > 0.0) != (after > 0.0)
}

/// Returns true if any function has left its domain.
pub(super) fn any_differs(before: &[f64], after: &[f64]) -> bool {
    before.iter().zip(after).any(|(&b, &a)| differs(b, a))
}

/// A time with the values of all functions.
struct Point {
    time: f64,
    values: Vec<f64>,
}

/// Bracket [a, b] with the values of all functions at a, b and the point dropped last.
pub(super) struct Bracket {
    a: Point,
    b: Point,
    /// The end that the newest point has replaced.
    dropped: Point,
    has_dropped: bool,
    newest_is_a: bool,
    /// Values at the point being looked at, to be filled before [`Self::insert`].
    pub trial: Vec<f64>,
}

impl Bracket {
    /// Room for brackets of `count` functions.
    pub fn new(count: usize) -> Self {
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
    pub fn start(&mut self, a: f64, values_a: &[f64], b: f64, values_b: &[f64]) {
        self.a.time = a;
        self.a.values.copy_from_slice(values_a);
        self.b.time = b;
        self.b.values.copy_from_slice(values_b);
        self.has_dropped = false;
        self.newest_is_a = true;
    }

    /// Upper end: at least one function has changed.
    pub fn upper(&self) -> f64 {
        self.b.time
    }

    /// Values at the upper end.
    pub fn upper_values(&self) -> &[f64] {
        &self.b.values
    }

    /// Returns true if the bracket is no wider than `width` and every function that has changed at
    /// its upper end met zero, by its chord, at most `tolerance` before.
    pub fn is_met(&self, width: f64, tolerance: f64) -> bool {
        let own = self.b.time - self.a.time;
        let ends = self.a.values.iter().zip(&self.b.values);
        own <= width
            && ends
                .filter(|(za, zb)| differs(**za, **zb))
                .all(|(za, zb)| zb.abs() * own <= tolerance * (za - zb).abs())
    }

    /// Returns true if a time lies strictly inside.
    pub fn contains(&self, time: f64) -> bool {
        time > self.a.time && time < self.b.time
    }

    /// Takes the values in `trial` as those at the upper end, in place of estimated ones.
    pub fn replace_upper_values(&mut self) {
        std::mem::swap(&mut self.b.values, &mut self.trial);
    }

    /// Takes the values in `trial` at a time within the bracket. Returns true if it became the
    /// upper end.
    pub fn insert(&mut self, time: f64) -> bool {
        let changed = any_differs(&self.a.values, &self.trial);
        let end = if changed { &mut self.b } else { &mut self.a };
        std::mem::swap(end, &mut self.dropped);
        end.time = time;
        std::mem::swap(&mut end.values, &mut self.trial);
        self.has_dropped = true;
        self.newest_is_a = !changed;
        changed
    }

    /// Function whose chord over the bracket meets zero first.
    pub fn leader(&self) -> usize {
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

    /// Slope of the chord of function `j`.
    pub fn slope(&self, j: usize) -> f64 {
        (self.b.values[j] - self.a.values[j]) / (self.b.time - self.a.time)
    }

    /// Value of function `j` at the newest point.
    pub fn newest_value(&self, j: usize) -> f64 {
        if self.newest_is_a {
            self.a.values[j]
        } else {
            self.b.values[j]
        }
    }

    /// Next time to look at, strictly inside; none when the bracket is no wider than `tolerance`
    /// or has no number inside.
    pub fn propose(&self, tolerance: f64) -> Option<f64> {
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
