//! End stops of joints as an importer meets them: the log, and states written in the middle.

use crate::fixtures::*;
use crate::fmi3::importer::*;

const SPEED: f64 = 1.0;
const PLACE: f64 = 0.1;
const RESTITUTION: f64 = 0.6;

/// A slider of 2 kg that runs into its upper stop.
fn slider() -> SceneDescription {
    let mut body = ball("slider", [0.0; 3]);
    body.motion = Motion::Joint;
    body.shapes[0].collision = false;
    body.mass.mass = Some(2.0);
    let mut description = steel_scene(vec![body]);
    description.gravity = Gravity::None;
    let mut rail = joint(JointKind::Prismatic, None, "slider");
    rail.name = "rail".into();
    (rail.axis, rail.second_axis) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    rail.rates = vec![SPEED];
    rail.forces[0].stops = Some(joint_stops(None, Some(PLACE), 1e5, RESTITUTION));
    description.joints = vec![rail];
    description
}

#[test]
fn a_stop_is_hit_inside_a_step_and_the_log_says_when_and_how_fast() {
    let fmu = Fmu::new(slider());
    let importer = fmu.stepping();
    importer.whole_step(0.0, 0.5);
    let lines = importer.logged("contacts");
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].starts_with("stop start: t="), "{lines:?}");
    assert!(lines[0].contains(" joint=rail side=upper speed="));
    assert!(lines[1].starts_with("stop end: t=") && lines[1].ends_with(" joint=rail side=upper"));
    assert!((number(&lines[0], "t=") - (PLACE + 2e-8) / SPEED).abs() < 1e-9);
    assert!((number(&lines[0], "speed=") - SPEED).abs() < 1e-9);
    let velocity = importer.value(reference(&fmu, "rail.velocity"));
    assert!((velocity + RESTITUTION * SPEED).abs() < 1e-4, "{velocity}");
}

#[test]
fn a_state_written_in_the_middle_of_a_stop_runs_on_to_the_bit() {
    let fmu = Fmu::new(slider());
    let importer = fmu.stepping();
    // The contact lasts from 100 ms for at least 14 ms.
    importer.steps(1e-3, 0, 105);
    assert!(importer.value(reference(&fmu, "energy.contact_elastic")) > 0.0);
    importer.runs_on_alike(|| importer.steps(1e-3, 105, 40));
}
