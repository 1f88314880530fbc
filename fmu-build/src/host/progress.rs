//! Tells how far a run has come.

use super::run::Experiment;
use std::time::{Duration, Instant};

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reached {
    /// Time reached [s].
    pub time: f64,
    /// Stop time [s].
    pub stop: f64,
    /// Part of the run that is done, in 0..=1.
    pub part: f64,
    /// Wall time that the rest takes at the speed so far [s].
    pub remaining: f64,
}

/// Gets how far a run has come.
pub type Progress = fn(Reached);

/// Wall time between two reports: a display need not be smoother.
const INTERVAL: Duration = Duration::from_millis(100);

/// Reports a run at its rows, ten times a second at most.
pub(super) struct Reporter {
    progress: Option<Progress>,
    start: f64,
    stop: f64,
    begin: Instant,
    last: Instant,
}

impl Reporter {
    /// Of a run that begins now; silent if nobody listens.
    pub fn new(progress: Option<Progress>, experiment: &Experiment) -> Reporter {
        let now = Instant::now();
        Reporter {
            progress,
            start: experiment.start,
            stop: experiment.stop,
            begin: now,
            last: now,
        }
    }

    /// The run has come to `time` [s]; its stop time is always reported.
    pub fn reached(&mut self, time: f64) {
        let Some(report) = self.progress else {
            return;
        };
        if time >= self.stop || self.last.elapsed() >= INTERVAL {
            self.last = Instant::now();
            let part = (time - self.start) / (self.stop - self.start);
            let spent = self.begin.elapsed().as_secs_f64();
            report(Reached {
                time,
                stop: self.stop,
                part,
                remaining: spent * (1.0 - part) / part,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::model_description::DefaultExperiment;
    use super::super::run::Options;
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn the_stop_time_is_always_reported_and_rows_in_quick_succession_are_not() {
        static REPORTED: Mutex<Vec<Reached>> = Mutex::new(Vec::new());
        let options = Options {
            start: Some(1.0),
            stop: Some(3.0),
            ..Options::default()
        };
        let experiment = Experiment::new(&options, &DefaultExperiment::default(), 1).unwrap();
        let mut reporter = Reporter::new(Some(|r| REPORTED.lock().unwrap().push(r)), &experiment);
        reporter.last = Instant::now() + Duration::from_secs(3600);
        for time in [1.5, 2.0, 3.0] {
            reporter.reached(time);
        }
        let all = REPORTED.lock().unwrap().clone();
        let end = Reached {
            time: 3.0,
            stop: 3.0,
            part: 1.0,
            remaining: 0.0,
        };
        assert_eq!(all, [end]);
        // A quarter of the run took 10 s, so the rest takes 30 s.
        reporter.begin = Instant::now() - Duration::from_secs(10);
        reporter.last = Instant::now() - INTERVAL;
        reporter.reached(1.5);
        let last = *REPORTED.lock().unwrap().last().unwrap();
        assert_eq!((last.time, last.part), (1.5, 0.25));
        assert!((30.0..31.0).contains(&last.remaining), "{last:?}");
    }
}
