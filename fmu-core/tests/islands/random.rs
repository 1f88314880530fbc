//! Random scenes in which a body may pass through another one within a step, with two balls far away
//! that meet: islands by communication steps of any length have the first events of the whole at a
//! tolerance of 1e-10, so none is missed.

use super::random_scenes::{KINDS, Kind, Random, random_scene};
use crate::islands::comparing::*;

/// Events that are compared: later ones feel what the ones before were off.
const FIRST: usize = 6;
/// Difference of their times that counts as none [s].
const WITHIN: f64 = 1e-6;

fn agree(kind: Kind, seed: u64) -> usize {
    let mut random = Random::new(seed * 31 + kind as u64);
    let (mut description, _) = random_scene(kind, &mut random);
    let stop = description.experiment.stop_time;
    let length = stop * 1e-2_f64.powf(random.within(0.0, 1.0));
    let tolerance = 10f64.powf(random.within(-9.0, -7.0));
    let far = 300.0;
    let speed = 0.4 / stop;
    description.bodies.extend([
        moving("aside", [0.0, far, 0.0], [0.0; 3]),
        moving("meets", [0.4, far, 0.0], [-speed, 0.0, 0.0]),
    ]);
    let name = format!("{kind:?} seed {seed}, steps of {length:.1e} s, tolerance {tolerance:.1e}");
    let mut both = Both::new(&name, description, [FINE, tolerance]);
    let inputs = both.whole.system.scene().start_inputs().raw;
    if !inputs.is_empty() {
        both.set_inputs(&inputs);
    }
    // Kinks of tables end communication steps.
    while both.whole.time < stop {
        let kink = both.whole.system.next_event_time(both.whole.time);
        let end = kink.map_or(stop, |kink| kink.min(stop));
        both.to(end, length);
        if kink == Some(end) {
            both.update();
        }
    }
    both.were_divided();
    let sorted = |mut events: Vec<_>| {
        events.sort_by(|one: &Event, other: &Event| one.time.total_cmp(&other.time));
        events
    };
    let (found, expected) = (
        sorted(events_of(&both.divided)),
        sorted(both.expected.clone()),
    );
    assert!(!expected.is_empty(), "{name}: nothing touches");
    let count = expected.len().min(FIRST);
    for index in 0..count {
        let one = expected[index];
        let is_it = |other: &Event| {
            (other.touch, other.starts) == (one.touch, one.starts)
                && (other.time - one.time).abs() < WITHIN
        };
        assert!(
            found.iter().take(count + 2).any(is_it),
            "{name}: {one:?} is missed: {found:?} {expected:?}"
        );
    }
    count
}

#[test]
fn no_event_of_a_random_scene_of_each_kind_is_missed() {
    none_is_missed(1);
}

#[test]
#[ignore = "long: three seeds of each kind"]
fn no_event_of_some_random_scenes_is_missed() {
    none_is_missed(3);
}

fn none_is_missed(seeds: u64) {
    let mut events = 0;
    for seed in 0..seeds {
        for kind in KINDS {
            // Those of few indicators are stepped as a whole where islands need more.
            if !matches!(kind, Kind::FewIndicators) {
                events += agree(kind, seed);
            }
        }
    }
    assert!(events > 34 * seeds as usize, "{events}");
}
