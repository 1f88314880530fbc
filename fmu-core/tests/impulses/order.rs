//! In which order contacts are hit, and that what is done is done once.

use super::*;
use crate::fmi3::importer::{Fmu, reference};
use crate::running::{DividedRun, Run};
use contact_laws::index::DrivenId;
use fmu_core::fmi3::fmi3EnterEventMode;
use fmu_core::fmi3::fmi3Status::fmi3OK;

/// Balls of 1 kg in a row along x that touch, with these speeds [m/s].
fn row(name: &str, y: f64, speeds: &[f64]) -> Vec<BodyDescription> {
    let ball = |(i, speed): (usize, &f64)| {
        let place = [i as f64 * (0.2 - 1.5e-8), y, 0.0];
        let mut ball = ball_of(&format!("{name}{i}"), 0.2, 1.0, place);
        ball.velocity[0] = *speed;
        ball
    };
    speeds.iter().enumerate().map(ball).collect()
}

/// Speeds right after the start, e = 1/2.
fn after(bodies: Vec<BodyDescription>) -> Vec<f64> {
    let law = law(0.5, 0.0);
    let run = Run::new(scene(bodies, law), 1e-9);
    run.states.chunks(13).map(|x| x[7]).collect()
}

/// What is the same from both sides ends so, and momentum stays zero.
#[test]
fn a_row_hit_from_both_sides_parts_symmetrically() {
    for count in [3, 4, 5, 7] {
        let mut speeds = vec![0.0; count];
        (speeds[0], speeds[count - 1]) = (1.0, -1.0);
        let found = after(row("b", 0.0, &speeds));
        for (left, right) in found.iter().zip(found.iter().rev()) {
            assert!((left + right).abs() < 1e-12, "{found:?}");
        }
        assert!(found.windows(2).all(|pair| pair[1] - pair[0] > -1e-3));
    }
}

/// A row ends as it does alone, whatever starts elsewhere at the same instant.
#[test]
fn an_impact_elsewhere_changes_nothing() {
    let own = row("b", 0.0, &[1.0, 0.0, -0.3]);
    let alone = after(own.clone());
    let mut bodies = row("a", 5.0, &[2.0, 0.0]);
    bodies.extend(own);
    assert_eq!(after(bodies)[2..], alone);
}

/// A ball of 1 kg falls on a driven plate.
fn driven_plate(balls: &[(&str, [f64; 3])]) -> SceneDescription {
    let mut plate = plate_of(4.0);
    plate.motion = Motion::Driven;
    let ball = |(name, place): &(&str, [f64; 3])| {
        let mut ball = ball_of(name, 0.2, 1.0, *place);
        ball.velocity[2] = -1.0;
        ball
    };
    let mut bodies = vec![plate];
    bodies.extend(balls.iter().map(ball));
    scene(bodies, ELASTIC)
}

/// The last impulse on a body that two islands share is that of the later one, whatever their order.
#[test]
fn impulses_on_a_driven_body_are_summed_and_the_latest_is_timed() {
    let late = ("late", [-1.0, 0.0, 0.4]);
    let early = ("early", [1.0, 0.0, 0.3]);
    for balls in [[late, early], [early, late]] {
        let mut run = DividedRun::new(driven_plate(&balls), 1e-9);
        run.to(0.5, 0.5);
        let strike = run.system.ledger().strikes()[DrivenId::from(0_usize)];
        assert!((strike.time - 0.3).abs() < 1e-6, "{strike:?}");
        assert!((strike.impulse[2] + 4.0).abs() < 1e-9, "{strike:?}");
    }
}

/// An importer that sets something at the event and updates again still reads the impulse of the first
/// update.
#[test]
fn an_event_that_is_updated_again_keeps_its_impulse_on_a_driven_body() {
    let fmu = Fmu::new(driven_plate(&[("ball", [0.0, 0.0, 0.3])]));
    let importer = fmu.integrating();
    let mut states = importer.continuous_states();
    states[2] = 0.1 - 2e-8;
    importer.fine(importer.set_time(0.2));
    importer.fine(importer.set_states(&states));
    importer.ok(fmi3EnterEventMode);
    let impulse = reference(&fmu, "plate.impulse[3]");
    for _ in 0..2 {
        let (status, ..) = importer.update();
        assert_eq!(status, fmi3OK);
        assert!((importer.continuous_states()[9] - 1.0).abs() < 1e-12);
        assert!((importer.value(impulse) + 2.0).abs() < 1e-12);
        importer.fine(importer.set(&[reference(&fmu, "plate.velocity[1]")], &[0.0]));
    }
}

/// A slide across the motion of what pushes it cannot yield: the ball beside it bounces all the same.
#[test]
fn what_cannot_yield_does_not_keep_others_from_bouncing() {
    let mut slide = crate::fixtures::joint(
        contact_model::scene::description::JointKind::Prismatic,
        None,
        "slider",
    );
    slide.axis = [1.0, 0.0, 0.0];
    let mut slider = body("slider", Motion::Joint, sphere(0.2), [0.0; 3]);
    slider.mass.mass = Some(1.0);
    let at = [0.0, 0.0, 0.2 - 1.5e-8];
    let mut pusher = body("pusher", Motion::Driven, sphere(0.2), at);
    pusher.velocity[2] = -1.0;
    let mut bodies = vec![slider, pusher];
    bodies.extend(row("b", 5.0, &[1.0, 0.0]));
    let mut description = scene(bodies, ELASTIC);
    description.joints = vec![slide];
    let run = Run::new(description, 1e-9);
    let free = |ball: usize| run.states[run.states.len() - 26 + 13 * ball + 7];
    let joint_first = [run.states[7], run.states[20]];
    let found = [free(0), free(1)];
    let expected = [0.0, 1.0];
    let near = |v: [f64; 2]| v.iter().zip(&expected).all(|(v, e)| (v - e).abs() < 1e-12);
    assert!(near(found) || near(joint_first), "{:?}", run.states);
}
