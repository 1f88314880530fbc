//! Measurements against differences in time, which know nothing of velocities.

use super::*;
use crate::fixtures::*;

fn unit(q: [f64; 4]) -> [f64; 4] {
    let norm = q.iter().map(|c| c * c).sum::<f64>().sqrt();
    q.map(|c| c / norm)
}

fn frame(body: Option<&str>, position: [f64; 3], orientation: [f64; 4]) -> FrameName {
    FrameName {
        body: body.map(str::to_owned),
        frame: LocalFrame {
            position,
            orientation: unit(orientation),
        },
    }
}

const FROM: ([f64; 3], [f64; 4]) = ([0.3, -0.2, 0.1], [0.4, 0.1, -0.7, 0.2]);
const TO: ([f64; 3], [f64; 4]) = ([-0.1, 0.5, 0.2], [0.9, -0.3, 0.2, 0.5]);

/// Two driven balls, measured between frames of both; the second also from the world.
fn system() -> System {
    let mut bodies = vec![plate(), ball("a", [0.0; 3]), ball("b", [3.0; 3])];
    bodies[1].motion = Motion::Driven;
    bodies[2].motion = Motion::Driven;
    let mut description = steel_scene(bodies);
    let named = |name: &str, from, to| MeasurementDescription {
        name: name.into(),
        from,
        to,
    };
    description.measurements = vec![
        named(
            "both",
            frame(Some("a"), FROM.0, FROM.1),
            frame(Some("b"), TO.0, TO.1),
        ),
        named(
            "one",
            frame(None, [1.0, 2.0, 3.0], [0.5, 0.5, 0.5, 0.5]),
            frame(Some("b"), [0.0; 3], [1.0, 0.0, 0.0, 0.0]),
        ),
    ];
    let scene = valid(description);
    let parameters = Parameters::start(&scene);
    System::new(scene, &parameters).expect("valid parameters")
}

/// Both bodies fly and turn on from these inputs.
#[rustfmt::skip]
const INPUTS: [[f64; 13]; 2] = [
    [1.0, 2.0, 3.0, 0.3, 0.5, -0.7, 0.4, 0.5, -1.0, 0.3, 1.0, -2.0, 0.7],
    [-1.0, 0.5, 2.0, 0.8, -0.2, 0.4, 0.1, -0.3, 0.2, 1.1, 0.4, 0.9, -1.5],
];

fn told(system: &mut System, time: f64) -> Vec<f64> {
    system.go_to(time, &[]).expect("good inputs");
    let count = system.scene().outputs().len();
    let outputs = (0..count).map(|i| system.output_here(i.into()).expect("an output"));
    outputs.collect()
}

/// Pose of a body and of a frame on it at the start.
fn placed(body: &[f64; 13], frame: ([f64; 3], [f64; 4])) -> (Vec3, Mat3) {
    let rotation = rotation_matrix(&[body[3], body[4], body[5], body[6]]);
    let at = Vec3::new(body[0], body[1], body[2]) + rotation * Vec3::from(frame.0);
    (at, rotation * rotation_matrix(&frame.1))
}

#[test]
fn a_measurement_is_the_pose_of_one_frame_in_the_other() {
    let mut system = system();
    system.set_inputs(INPUTS.concat().as_slice(), Some(0.0));
    let found = told(&mut system, 0.0);
    let ((p_a, r_a), (p_b, r_b)) = (placed(&INPUTS[0], FROM), placed(&INPUTS[1], TO));
    let position = r_a.transpose() * (p_b - p_a);
    assert!((Vec3::new(found[0], found[1], found[2]) - position).amax() < 1e-14);
    let rotation = rotation_matrix(&[found[3], found[4], found[5], found[6]]);
    assert!((rotation - r_a.transpose() * r_b).amax() < 1e-14);
    assert!(found[3] >= 0.0);
    assert!((found[13] - (p_b - p_a).norm()).abs() < 1e-14);
    // The world's frame at (1, 2, 3) has x along y, y along z, z along x.
    let expected = [0.5 - 2.0, 2.0 - 3.0, -1.0 - 1.0];
    for (found, expected) in found[14..17].iter().zip(expected) {
        assert!((found - expected).abs() < 1e-14);
    }
    let names = |i: usize| system.scene().output_name(i.into());
    assert_eq!(
        (names(10), names(13), names(14)),
        (
            "measure.both.angular_velocity[1]".into(),
            "measure.both.distance".into(),
            "measure.one.position[1]".into()
        )
    );
}

/// Central differences of position and orientation over the motion of the inputs, extrapolated:
/// velocity r', and [w]x = R' R^T with R from the second frame to the first.
#[test]
fn measured_velocities_are_the_time_derivatives_of_the_measured_pose() {
    let mut system = system();
    system.set_inputs(INPUTS.concat().as_slice(), Some(0.0));
    let pose = |values: &[f64]| {
        let rotation = rotation_matrix(&[values[3], values[4], values[5], values[6]]);
        (Vec3::new(values[0], values[1], values[2]), rotation)
    };
    let time = 0.4;
    let found = told(&mut system, time);
    for first in [0, 14] {
        let mut rate = |h: f64| {
            let [up, down] = [time + h, time - h].map(|t| pose(&told(&mut system, t)[first..]));
            ((up.0 - down.0) / (2.0 * h), (up.1 - down.1) / (2.0 * h))
        };
        let (fine, coarse) = (rate(1e-3), rate(2e-3));
        let velocity = (fine.0 * 4.0 - coarse.0) / 3.0;
        let turning = (fine.1 * 4.0 - coarse.1) / 3.0;
        let values = &found[first..];
        let cross = turning * pose(values).1.transpose();
        let omega = Vec3::new(cross[(2, 1)], cross[(0, 2)], cross[(1, 0)]);
        let told_velocity = Vec3::new(values[7], values[8], values[9]);
        let told_omega = Vec3::new(values[10], values[11], values[12]);
        assert!((told_velocity - velocity).amax() < 1e-9, "{velocity}");
        assert!((told_omega - omega).amax() < 1e-9, "{omega}");
        assert!(omega.norm() > 0.5 && velocity.norm() > 0.5);
    }
}
