//! Co-Simulation: communication steps with the built-in integrator.
//!
//! A step ends at its end, or at an event if the importer handles events: then it returns early,
//! or, without leave to do so, only where the event falls on the end. All other events are handled
//! inside, by the same update, so both ways give the same motion.

use crate::instance::failure::Failure;
use crate::instance::lifecycle::Instance;
use crate::instance::modes::Call;
use crate::integrator::{Settings, Stop};

/// How a communication step ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepOutcome {
    /// There is an event at `time` that the importer has to handle.
    pub event_handling_needed: bool,
    /// The step ended before its end.
    pub early_return: bool,
    /// Time reached [s].
    pub time: f64,
}

/// Two times of importer and instance agree within this part of (|t| + step length): an importer
/// that adds up its steps is off by a rounding, 1e-16, for each, so ten million steps are fine.
const TIME_MATCH: f64 = 1e-9;
/// Tolerances are relative to at most so many nominals of a state. The nominal of a position is a
/// penetration: a body at rest 0.1 m from the origin is kept to its resting depth, not to 0.1 m.
/// A hundred leaves the steps of an impact as they are and the resting depth of 1 kg of steel within
/// 1.3e-7 of itself at a tolerance of 1e-8; without a reach it is 1.3e-6.
const TOLERANCE_REACH: f64 = 100.0;
/// Events at one instant at most. One pair changes at most twice at an instant; chains of impacts
/// through a pile stay below this.
const MOST_EVENTS_AT_INSTANT: u32 = 100;
/// Events closer than this many roundings of the time are at one instant.
const INSTANT_ROUNDINGS: f64 = 64.0;
/// Events in one communication step at most; far beyond what anybody waits for.
const MOST_EVENTS_PER_STEP: u32 = 100_000;

impl Instance {
    /// Integrates from the communication point `point` [s], which must be the present time, over
    /// `length` [s].
    ///
    /// # Errors
    /// Not allowed now. Arguments that [FMI 3.0] section 4.2.1 excludes, which 2.2.3 makes errors:
    /// a length that is not positive and finite, another communication point than the present
    /// time; an end past the stop time (2.3.2). An integration that cannot go on, or events
    /// without end: the instance then stays at the last accepted step, [`Self::time`].
    pub fn do_step(&mut self, point: f64, length: f64) -> Result<StepOutcome, Failure> {
        self.allow(Call::DoStep)?;
        let end = self.check_step(point, length)?;
        self.ready()?;
        self.integrator.set_settings(self.settings()?);
        self.touch();
        // An importer may go on without handling the event the last step ended at.
        if !self.run.waiting.is_empty() {
            self.apply_waiting_parameters();
            self.ready()?;
        }
        if self.run.event_pending {
            self.handle_event()?;
        }
        let mut guard = EventGuard::new(self.run.time);
        loop {
            let stop = self.integrator.advance(
                &mut self.system,
                &mut self.run.memory,
                &mut self.run.time,
                &mut self.run.states,
                end,
                None,
            );
            let time = self.run.time;
            let stop = stop.map_err(|error| {
                Failure::error(format!(
                    "the step from {point} s to {end} s failed at {time} s: {error}"
                ))
            })?;
            if stop == Stop::End {
                return Ok(StepOutcome {
                    event_handling_needed: false,
                    early_return: false,
                    time,
                });
            }
            let early = time < end;
            if self.options.event_mode_used && (self.options.early_return_allowed || !early) {
                self.run.event_pending = true;
                return Ok(StepOutcome {
                    event_handling_needed: true,
                    early_return: early,
                    time,
                });
            }
            self.handle_event()?;
            if let Some(what) = guard.count(time) {
                return Err(Failure::error(format!(
                    "{what} at {time} s in the step from {point} s to {end} s; the last one {}",
                    self.last_changes()
                )));
            }
        }
    }

    /// Checks the arguments of a step; its end [s].
    fn check_step(&self, point: f64, length: f64) -> Result<f64, Failure> {
        if !(length > 0.0 && length.is_finite()) {
            return Err(Failure::error(format!(
                "communication step size is {length} s; it must be > 0 and finite"
            )));
        }
        let now = self.run.time;
        let close = |a: f64, b: f64| (a - b).abs() <= TIME_MATCH * (b.abs() + length);
        if !close(point, now) {
            return Err(Failure::error(format!(
                "communication point is {point} s; this instance is at {now} s"
            )));
        }
        // From the importer's own numbers, so that its sum of them and the time here agree.
        let end = point + length;
        if !(end > now && end.is_finite()) {
            return Err(Failure::error(format!(
                "communication step size {length} s is below the resolution of the time, {now} s"
            )));
        }
        match self.run.stop_time {
            Some(stop) if end > stop && !close(end, stop) => Err(Failure::error(format!(
                "communication step from {point} s over {length} s ends past the stop time, \
                 {stop} s"
            ))),
            _ => Ok(end),
        }
    }

    fn settings(&self) -> Result<Settings, Failure> {
        let tolerance = self.run.tolerance;
        let tolerance = tolerance.unwrap_or_else(|| self.system.suggested_tolerance());
        Ok(Settings::new(tolerance)?.with_reach(TOLERANCE_REACH)?)
    }

    /// What the last event update changed, in words.
    fn last_changes(&self) -> String {
        let changes = self.system.contact_changes();
        if changes.is_empty() {
            return "changed no contact".into();
        }
        let texts: Vec<String> = changes
            .iter()
            .map(|change| {
                let verb = match change.impact_speed {
                    Some(_) => "started",
                    None => "ended",
                };
                format!("{verb} {}", self.scene.pair_name(change.pair))
            })
            .collect();
        texts.join(", ")
    }
}

/// Notices events that follow each other without end.
struct EventGuard {
    instant: f64,
    at_instant: u32,
    in_step: u32,
}

impl EventGuard {
    fn new(time: f64) -> Self {
        EventGuard {
            instant: time,
            at_instant: 0,
            in_step: 0,
        }
    }

    /// Counts an event; words for what was exceeded, if anything.
    fn count(&mut self, time: f64) -> Option<String> {
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
    use crate::scene::description::TOLERANCES;

    #[test]
    fn a_scene_may_ask_for_exactly_the_tolerances_that_the_integrator_keeps() {
        for kept in [*TOLERANCES.start(), 1e-8, *TOLERANCES.end()] {
            assert!(Settings::new(kept).is_ok(), "{kept}");
        }
        for outside in [TOLERANCES.start().next_down(), TOLERANCES.end().next_up()] {
            assert!(Settings::new(outside).is_err(), "{outside}");
        }
    }

    #[test]
    fn events_at_one_instant_are_counted_until_time_moves_on() {
        let mut guard = EventGuard::new(1.0);
        for _ in 0..MOST_EVENTS_AT_INSTANT {
            assert_eq!(guard.count(1.0), None);
        }
        assert!(guard.count(1.0).is_some());
        assert_eq!(guard.count(1.0 + 1e-9), None);
    }

    #[test]
    fn events_that_creep_by_roundings_are_at_one_instant() {
        let mut guard = EventGuard::new(1.0);
        let mut time = 1.0;
        let exceeded = (0..=MOST_EVENTS_AT_INSTANT).any(|_| {
            time += 8.0 * f64::EPSILON;
            guard.count(time).is_some()
        });
        assert!(exceeded);
    }
}
