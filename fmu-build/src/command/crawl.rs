//! Why a run crawls, and what to do about it: a line after [`AFTER`] of wall time without a row, or
//! where the rest will take longer than [`LONG`]; repeated rarely. All times are handed in, so nothing
//! here looks at a clock.

use super::watch::Reached;
use crate::host::live::{Limit, Strain};
use crate::number::rounded;
use std::time::Duration;

/// Wall time without a row, or from the start on, after which a run may be called slow.
const AFTER: Duration = Duration::from_secs(5);
/// Wall time of the rest from which on a run is called slow [s].
const LONG: f64 = 600.0;
/// Wall time from one line to the next, at least; it grows with the run.
const PAUSE: Duration = Duration::from_secs(60);
/// The longest step that is asked for limits the internal ones if they are at least this part of it.
const NEARLY: f64 = 0.5;

/// Decides when to speak.
#[derive(Debug, Default)]
pub struct Crawl {
    /// Time of the last row [s], and when it came.
    row: Option<(f64, Duration)>,
    /// When to speak next, at the earliest.
    next: Duration,
}

impl Crawl {
    /// What to say at `now` since the start of the run; mostly nothing.
    pub fn look(&mut self, reached: &Reached, now: Duration) -> Option<String> {
        let row = reached.row.unwrap_or(f64::NEG_INFINITY);
        let since = match self.row {
            Some((time, since)) if time == row => since,
            _ => {
                self.row = Some((row, now));
                now
            }
        };
        let is_stuck = now.saturating_sub(since) >= AFTER;
        let is_long = reached.remaining.is_some_and(|rest| rest > LONG);
        if now < AFTER.max(self.next) || !(is_stuck || is_long) {
            return None;
        }
        self.next = now + PAUSE.max(now);
        Some(reason(reached))
    }
}

/// Why it is slow, in one line.
fn reason(reached: &Reached) -> String {
    let head = format!("slow at t = {} s", rounded(reached.time, 6));
    let Some(pulse) = &reached.pulse else {
        return format!(
            "{head}: the FMU does not say why; fewer rows (--step) or a looser --tolerance may help"
        );
    };
    let step = format!("internal steps of {} s", rounded(pulse.step, 3));
    let why = match &pulse.limit {
        _ if pulse.step >= NEARLY * reached.step => {
            let step = rounded(reached.step, 3);
            return format!(
                "{head}: no step is longer than a row, {step} s; take a longer --step, and --every for \
                 fewer rows"
            );
        }
        Some(Limit::Contact(strain)) => format!(
            "limited by {}: make it softer (stiffness, k_red) or less damped, let the bodies start apart \
             or slower, or loosen the tolerance",
            of_strain(strain)
        ),
        Some(Limit::Error(state, strain)) => {
            // In contact it is mostly friction, whose sense changes within v_small.
            let (beside, cure) = match strain {
                Some(strain) => (
                    format!("; stiffest is {}", of_strain(strain)),
                    "let friction change over larger speeds (v_small, w_small) or make contacts softer (k_red)",
                ),
                None => (
                    String::new(),
                    "look for a stiff spring or damper, or a force that jumps",
                ),
            };
            format!(
                "limited by the error of {state}, of {}{beside}: loosen the tolerance, or {cure}",
                owner(state)
            )
        }
        Some(Limit::Events(who)) => {
            let who = who
                .as_deref()
                .map_or(String::new(), |who| format!(" of {who}"));
            let events = rounded(pulse.events as f64 / pulse.steps.max(1) as f64, 2);
            format!(
                "cut short by events{who}, {events} a step: something starts and ends again and again; more \
                 damping, less restitution or friction that regularizes over a larger speed calms it"
            )
        }
        Some(Limit::LongestStep) => {
            "as long as experiment.max_step allows: set it higher, or to 0 for no \
                                     limit"
                .to_owned()
        }
        Some(Limit::Fixed) => {
            "all of the length that the stiffest contact of granular mode needs: make the \
                               contacts softer or the smallest balls larger"
                .to_owned()
        }
        None => {
            "and the FMU does not say what limits them: a looser --tolerance may help".to_owned()
        }
    };
    format!("{head}: {step}, {why}")
}

/// A contact or stop with its numbers.
fn of_strain(strain: &Strain) -> String {
    let is_stop = [":lower", ":upper"]
        .iter()
        .any(|end| strain.name.ends_with(end));
    let what = if is_stop {
        "the end stop"
    } else {
        "the contact"
    };
    let [length, stiffness] = match strain.is_angular {
        true => ["rad", "N.m/rad"],
        false => ["m", "N/m"],
    };
    format!(
        "{what} {}, depth {} {length}, stiffness {} {stiffness}, whose force changes within {} s",
        strain.name,
        rounded(strain.depth, 3),
        rounded(strain.stiffness, 3),
        rounded(strain.duration, 2)
    )
}

/// The body or joint that a state belongs to, by its name.
fn owner(state: &str) -> String {
    let name = state.split('[').next().unwrap_or(state);
    match name.rsplit_once('.') {
        Some((owner, _)) => owner.to_owned(),
        None => name.to_owned(),
    }
}

/// What limits the steps, in a word or two.
pub fn limit_in_words(limit: &Limit) -> String {
    match limit {
        Limit::Contact(strain) => strain.name.clone(),
        Limit::Error(state, _) => owner(state),
        Limit::Events(Some(who)) => format!("events of {who}"),
        Limit::Events(None) => "events".to_owned(),
        Limit::LongestStep => "max_step".to_owned(),
        Limit::Fixed => "granular mode".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::live::Pulse;

    fn reached(row: f64, remaining: Option<f64>, limit: Option<Limit>) -> Reached {
        Reached {
            time: row,
            stop: 10.0,
            part: row / 10.0,
            row: Some(row),
            step: 0.01,
            remaining,
            speed: None,
            pulse: Some(Pulse {
                time: row,
                step: 1e-6,
                steps: 1000,
                events: 500,
                limit,
            }),
        }
    }

    fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn a_run_that_stands_still_for_five_seconds_says_so_once_a_minute_and_more_rarely_later() {
        let mut crawl = Crawl::default();
        let stuck = reached(1.0, None, None);
        let spoken: Vec<u64> = (0..600)
            .filter(|s| crawl.look(&stuck, at(*s)).is_some())
            .collect();
        assert_eq!(spoken, [5, 65, 130, 260, 520]);
    }

    #[test]
    fn a_run_whose_rows_come_is_slow_only_if_the_rest_takes_long() {
        let mut crawl = Crawl::default();
        for second in 0..100 {
            let row = second as f64 * 0.01;
            assert_eq!(
                crawl.look(&reached(row, Some(500.0), None), at(second)),
                None
            );
        }
        assert!(
            crawl
                .look(&reached(1.0, Some(601.0), None), at(100))
                .is_some()
        );
    }

    #[test]
    fn the_line_names_what_limits_the_steps_and_what_to_change() {
        let strain = Strain {
            name: "ball.ball:ground.plate".into(),
            depth: 2e-5,
            stiffness: 1e9,
            duration: 1e-6,
            is_angular: false,
        };
        let said = |limit| reason(&reached(1.0, None, limit));
        let text = said(Some(Limit::Contact(strain.clone())));
        for part in [
            "slow at t = 1 s",
            "internal steps of 1e-6 s",
            "the contact ball.ball:ground.plate, depth 2e-5 m",
            "stiffness 1e9 N/m",
            "softer",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let stop = Strain {
            name: "hinge:lower".into(),
            is_angular: true,
            ..strain.clone()
        };
        let text = said(Some(Limit::Contact(stop)));
        assert!(
            text.contains("the end stop hinge:lower") && text.contains("N.m/rad"),
            "{text}"
        );
        let text = said(Some(Limit::Error("arm.velocity[3]".into(), None)));
        assert!(text.contains("arm.velocity[3], of arm:"), "{text}");
        assert!(text.contains("spring or damper"), "{text}");
        let touching = Limit::Error("ball.angular_velocity[1]".into(), Some(strain.clone()));
        let text = said(Some(touching));
        assert!(
            text.contains("v_small") && text.contains("ball.ball:ground.plate"),
            "{text}"
        );
        let text = said(Some(Limit::Events(Some("a.b:c.d".into()))));
        assert!(text.contains("events of a.b:c.d, 0.5 a step"), "{text}");
        assert!(said(Some(Limit::LongestStep)).contains("experiment.max_step"));
        let mut tiny = reached(1.0, None, None);
        tiny.step = 1e-6;
        assert!(reason(&tiny).contains("a longer --step"));
    }
}
