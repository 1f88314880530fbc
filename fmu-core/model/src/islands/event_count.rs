//! Notices events that follow each other without end.

/// Events at one instant at most. One pair changes at most twice at an instant; chains of impacts
/// through a pile stay below this.
const MOST_EVENTS_AT_INSTANT: u32 = 100;
/// Events closer than this many roundings of the time are at one instant.
const INSTANT_ROUNDINGS: f64 = 64.0;
/// Events of one island in a window, or of the whole in a communication step, at most; far beyond
/// what anybody waits for.
const MOST_EVENTS_PER_STEP: u32 = 100_000;

/// Notices events that follow each other without end.
pub struct EventCount {
    instant: f64,
    at_instant: u32,
    in_step: u32,
}

impl EventCount {
    /// None yet, at a time [s].
    pub fn new(time: f64) -> Self {
        EventCount {
            instant: time,
            at_instant: 0,
            in_step: 0,
        }
    }

    /// Counts an event; words for what was exceeded, if anything.
    pub fn count(&mut self, time: f64) -> Option<String> {
        if time - self.instant > INSTANT_ROUNDINGS * f64::EPSILON * time.abs() {
            self.at_instant = 0;
        }
        self.instant = time;
        self.at_instant += 1;
        self.in_step += 1;
        if self.at_instant > MOST_EVENTS_AT_INSTANT {
            return Some(format!(
                "more than {MOST_EVENTS_AT_INSTANT} events in a row"
            ));
        }
        (self.in_step > MOST_EVENTS_PER_STEP)
            .then(|| format!("more than {MOST_EVENTS_PER_STEP} events"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_at_one_instant_are_counted_until_time_moves_on() {
        let mut guard = EventCount::new(1.0);
        for _ in 0..MOST_EVENTS_AT_INSTANT {
            assert_eq!(guard.count(1.0), None);
        }
        assert!(guard.count(1.0).is_some());
        assert_eq!(guard.count(1.0 + 1e-9), None);
    }

    #[test]
    fn events_that_creep_by_roundings_are_at_one_instant() {
        let mut guard = EventCount::new(1.0);
        let mut time = 1.0;
        let exceeded = (0..=MOST_EVENTS_AT_INSTANT).any(|_| {
            time += 8.0 * f64::EPSILON;
            guard.count(time).is_some()
        });
        assert!(exceeded);
    }
}
