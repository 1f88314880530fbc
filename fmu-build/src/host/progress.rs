//! Tells how far a run has come.

use std::time::{Duration, Instant};

/// Gets the time reached and the stop time [s].
pub type Progress = fn(f64, f64);

/// Wall time between two reports: a display need not be smoother.
const INTERVAL: Duration = Duration::from_millis(100);

/// Reports a run at its rows, ten times a second at most.
pub(super) struct Reporter {
    progress: Option<Progress>,
    stop: f64,
    last: Instant,
}

impl Reporter {
    /// Of a run until `stop` [s]; silent if nobody listens.
    pub fn new(progress: Option<Progress>, stop: f64) -> Reporter {
        Reporter {
            progress,
            stop,
            last: Instant::now(),
        }
    }

    /// The run has come to `time` [s]; its stop time is always reported.
    pub fn reached(&mut self, time: f64) {
        let Some(report) = self.progress else {
            return;
        };
        if time >= self.stop || self.last.elapsed() >= INTERVAL {
            self.last = Instant::now();
            report(time, self.stop);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn the_stop_time_is_always_reported_and_rows_in_quick_succession_are_not() {
        static REPORTED: Mutex<Vec<(f64, f64)>> = Mutex::new(Vec::new());
        let mut reporter = Reporter::new(
            Some(|t, stop| REPORTED.lock().unwrap().push((t, stop))),
            2.0,
        );
        reporter.last = Instant::now() + Duration::from_secs(3600);
        for time in [0.5, 1.0, 2.0] {
            reporter.reached(time);
        }
        assert_eq!(*REPORTED.lock().unwrap(), [(2.0, 2.0)]);
        reporter.last = Instant::now() - INTERVAL;
        reporter.reached(1.5);
        assert_eq!(REPORTED.lock().unwrap().last(), Some(&(1.5, 2.0)));
    }
}
