//! Impacts at the ends of windows, and pairs that touch although nothing watched them.

use crate::fixtures::*;
use crate::islands::comparing::moving;
use crate::running::DividedRun;

/// A ball that comes down with 5 m/s and touches the plate, whose top is at z = 0, at a time [s].
fn meets_at(time: f64) -> SceneDescription {
    let falling = moving("b", [0.0, 0.0, 0.1 + 5.0 * time], [0.0, 0.0, -5.0]);
    let mut description = steel_scene(vec![plate(), falling, ball("far", [0.9, 0.9, 50.0])]);
    description.gravity = Gravity::None;
    description
}

/// A step may be longer than a window by so little that the window is stretched to its end.
#[test]
fn an_impact_in_the_last_ten_millionth_of_a_step_is_not_missed() {
    for late in [1e-7, 2e-7, 5e-7, 1e-6, 2e-6] {
        for back in [0.1, 0.5, 0.9] {
            // The second window may be four times as long as the first one.
            let end = 0.5 + late;
            let mut run = DividedRun::new(meets_at(end - back * late), 1e-8);
            run.to(0.1, 0.1);
            run.to(end, end - 0.1);
            run.to(0.52, 0.01);
            assert!(run.changes.len() >= 2, "{late:e} {back}");
            assert!(
                run.states[2] > 0.1 && run.states[9] > 0.0,
                "{late:e} {back}"
            );
        }
    }
}

/// In the middle of an impact the contact is taken away: the pair overlaps and is none.
#[test]
fn a_pair_that_overlaps_without_a_contact_becomes_one() {
    let mut run = DividedRun::new(meets_at(0.1), 1e-8);
    run.to(0.1001, 0.01);
    assert_eq!(run.system.ledger().contacts().len(), 1);
    assert!(run.states[2] < 0.1);
    run.system.clear_ledger();
    run.to(0.12, 1e-3);
    assert!(
        run.states[2] > 0.1 && run.states[9] > 0.0,
        "{:?}",
        &run.states[..13]
    );
}

/// Beside the walls of a notch, 0.1 mm from each, a ball comes down to its bottom: nearest is what it does not meet.
#[test]
fn a_ball_that_enters_a_concave_body_meets_its_bottom_in_time() {
    let size = 0.1001 / 0.4;
    let outline = NOTCH.map(|corner| corner.map(|c| size * c));
    let notched = body(
        "n",
        Motion::Free,
        prism_of(&outline, &NOTCHED, 0.5),
        [0.0; 3],
    );
    let falling = moving("b", [0.0, 0.0, 0.05], [0.0, 0.0, -2.0]);
    let mut description = steel_scene(vec![notched, falling]);
    description.gravity = Gravity::None;
    let time = (0.05 - 0.1 + 0.5 * size) / 2.0;
    for step in [1e-4, 5e-4, 1e-3, 2e-3] {
        let mut run = DividedRun::new(description.clone(), 1e-8);
        let start = run.energy();
        run.to(0.04, step);
        assert!(
            (run.changes[0].0 - time).abs() < 1e-6,
            "{step} {:?}",
            run.changes
        );
        run.to(0.06, step);
        assert!(run.changes.len() >= 2 && run.energy() < start, "{step}");
    }
}
