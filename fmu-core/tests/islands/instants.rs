//! Events of several islands at the same instant.

use crate::fixtures::*;
use crate::islands::comparing::*;

/// Balls that fall from the same height at places far apart land at the same time,
/// t = sqrt(2 h/g), and do the same from there on; none is lost or counted twice.
#[test]
fn balls_that_fall_alike_land_at_one_instant_each() {
    const COUNT: usize = 4;
    let mut bodies = vec![body("ground", Motion::Fixed, Form::HalfSpace, [0.0; 3])];
    for index in 0..COUNT {
        let at = [0.5 * index as f64, 0.0, 0.15];
        bodies.push(ball(&format!("b{index}"), at));
    }
    let description = scene(bodies, Some(FrictionKind::Off));
    for step in [1e-3, 0.01, 0.3] {
        let mut both = Both::new("alike", description.clone(), [FINE, TOLERANCE]);
        both.to(0.3, step);
        both.meet_the_same(1e-6);
        both.are_at_the_same(STATES);
        let first = starts_of(&both.divided, "ground", "b0");
        let landing = (2.0 * (0.05 + 2e-8) / 9.81_f64).sqrt();
        assert!((first[0] - landing).abs() < 1e-9, "{first:?}");
        for index in 1..COUNT {
            let own = starts_of(&both.divided, "ground", &format!("b{index}"));
            assert_eq!(own.len(), first.len());
            for (one, other) in own.iter().zip(&first) {
                assert!((one - other).abs() < 1e-7, "{own:?} {first:?}");
            }
        }
        let starts = events_of(&both.divided).iter().filter(|e| e.starts).count();
        assert_eq!(starts, COUNT * first.len());
    }
}

/// Two pairs of balls meet at the same instant, and their second balls then run into a fifth one
/// from both sides at once, which so stays where it is.
#[test]
fn impacts_of_two_islands_at_one_instant_then_join_both() {
    let bodies = vec![
        moving("left", [-1.0, 0.0, 0.0], [4.0, 0.0, 0.0]),
        ball("left_hit", [-0.5, 0.0, 0.0]),
        ball("middle", [0.0, 0.0, 0.0]),
        ball("right_hit", [0.5, 0.0, 0.0]),
        moving("right", [1.0, 0.0, 0.0], [-4.0, 0.0, 0.0]),
    ];
    for step in [1e-3, 0.01, 0.3] {
        let description = without_gravity(scene(bodies.clone(), Some(FrictionKind::Off)));
        let mut both = Both::new("both sides", description, [FINE, TOLERANCE]);
        both.to(0.3, step);
        both.were_divided();
        both.meet_the_same(1e-6);
        both.are_at_the_same(STATES);
        let expected = (0.3 + 2e-8) / 4.0;
        for pair in [["left", "left_hit"], ["right_hit", "right"]] {
            let found = starts_of(&both.divided, pair[0], pair[1]);
            assert!((found[0] - expected).abs() < 1e-9, "{pair:?}: {found:?}");
        }
        let hits =
            ["left_hit", "right_hit"].map(|name| starts_of(&both.divided, name, "middle").len());
        assert!(hits[0] > 0 && hits[0] == hits[1], "{hits:?}");
        let x = both.divided.states[26];
        assert!(x.abs() < 1e-9, "the middle one is at {x:e} m");
    }
}
