//! Impacts of steel in Co-Simulation do not depend on the communication step: 1 ms and 20 ms at a
//! tolerance of 1e-10 give the same impacts, velocities after each and rest.
//!
//! Every start and end of a contact is an event at which the step returns early, so velocities are
//! those right after a contact, whatever the communication step.

use crate::fixtures::*;
use crate::fmi3::importer::*;

const TOLERANCE: f64 = 1e-10;
/// States of a free body: position, orientation, velocity, angular velocity.
const STATES: usize = 13;

/// What a run gives.
struct Run {
    /// Pairs in the order in which their contacts started.
    starts: Vec<String>,
    /// Pairs in the order in which their contacts ended, with all states right after.
    ends: Vec<(String, Vec<f64>)>,
    /// States at the end.
    last: Vec<f64>,
}

/// The pair a line of the log tells of.
fn pair(line: &str) -> String {
    let rest = line.split("pair=").nth(1).unwrap();
    rest.split(' ').next().unwrap().to_owned()
}

fn simulate(fmu: &Fmu, step: f64, stop: f64) -> Run {
    let importer = fmu.with_event_mode(true);
    importer.fine(Three::enter(importer.instance, Some(TOLERANCE), 0.0, None));
    importer.ok(fmi3ExitInitializationMode);
    importer.ok(fmi3EnterStepMode);
    importer.log();
    let (mut starts, mut ends) = (Vec::new(), Vec::new());
    let (mut time, mut point) = (0.0, 1_u32);
    while time < stop {
        let end = f64::from(point) * step;
        let (status, [event, _, early], reached) = importer.step(time, end - time);
        importer.fine(status);
        time = reached;
        point += u32::from(!early);
        if !event {
            continue;
        }
        importer.event(fmi3EnterStepMode);
        for line in importer.logged("contacts") {
            if line.starts_with("contact start") {
                starts.push(pair(&line));
            } else {
                ends.push((pair(&line), importer.state_variables()));
            }
        }
    }
    let last = importer.state_variables();
    Run { starts, ends, last }
}

/// Greatest difference in units of the greatest value.
fn deviation(one: &[f64], other: &[f64]) -> f64 {
    let greatest = one.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let differences = one.iter().zip(other).map(|(x, y)| (x - y).abs());
    differences.fold(0.0_f64, f64::max) / greatest
}

/// Runs at both communication steps until `stop` [s], which must be at rest, and compares.
fn impacts_are_the_same(description: SceneDescription, stop: f64, least_impacts: usize) {
    let fmu = Fmu::new(description);
    let (fine, coarse) = (simulate(&fmu, 1e-3, stop), simulate(&fmu, 20e-3, stop));
    assert_eq!(fine.starts, coarse.starts);
    assert_eq!(fine.ends.len(), coarse.ends.len());
    assert!(fine.ends.len() >= least_impacts, "{}", fine.ends.len());
    for ((pair, one), (same, other)) in fine.ends.iter().zip(&coarse.ends) {
        assert_eq!(pair, same);
        // The whole velocity, and the small vertical one that makes the next impact, of all bodies:
        // where two balls touch almost at once, one of them may be left with nearly none.
        for range in [7..10, 9..10] {
            let [x, y] = [one, other].map(|states| -> Vec<f64> {
                let bodies = states.chunks(STATES);
                bodies
                    .flat_map(|body| body[range.clone()].to_vec())
                    .collect()
            });
            let deviation = deviation(&x, &y);
            assert!(deviation < 1e-6, "{pair}, {range:?}: {deviation:e}");
        }
    }
    for (x, y) in fine.last.chunks(STATES).zip(coarse.last.chunks(STATES)) {
        assert!(
            x[7..].iter().chain(&y[7..]).all(|v| v.abs() < 1e-6),
            "{x:?} {y:?}"
        );
        for (x, y) in x[..7].iter().zip(&y[..7]) {
            assert!((x - y).abs() < 1e-6, "{x} {y}");
        }
    }
}

#[test]
fn a_steel_ball_bounces_to_rest_on_a_box_the_same_with_1_ms_and_20_ms() {
    let falling = ball("ball", [0.0, 0.0, 0.2]);
    impacts_are_the_same(steel_scene(vec![plate(), falling]), 2.0, 10);
}

#[test]
fn a_spinning_steel_ball_bounces_and_rolls_to_rest_the_same_with_1_ms_and_20_ms() {
    let ground = body("ground", Motion::Fixed, Form::HalfSpace, [0.0; 3]);
    let mut thrown = ball("ball", [0.0, 0.0, 0.2]);
    thrown.velocity = [0.3, -0.2, 0.0];
    thrown.angular_velocity = [5.0, 3.0, 2.0];
    let mut description = steel_scene(vec![ground, thrown]);
    let law = law_of(&mut description);
    let numbers = law.numbers.iter_mut();
    for (_, value) in numbers.filter(|(n, _)| *n == Number::RollingResistance) {
        *value = 0.05;
    }
    impacts_are_the_same(description, 4.0, 10);
}

#[test]
fn a_steel_ball_upon_another_bounces_to_rest_the_same_with_1_ms_and_20_ms() {
    let (lower, upper) = (
        ball("lower", [0.0, 0.0, 0.2]),
        ball("upper", [0.0, 0.0, 0.45]),
    );
    impacts_are_the_same(steel_scene(vec![plate(), lower, upper]), 2.0, 20);
}
