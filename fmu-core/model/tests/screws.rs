//! Screw joints against closed forms.
//!
//! With the lead h = pitch/(2 pi), the mass m and the inertia J of the child about the axis, the
//! kinetic energy on a parent at rest is (J + m h^2) angle'^2/2, and a displacement by h angle
//! along the axis has the potential energy m g h angle.

use crate::fixtures::*;
use crate::running::Run;
use crate::trees::{G, mass, near, on_support, scene};
use std::f64::consts::{PI, TAU};

const MASS: f64 = 3.0;
/// About the axis of each screw, whose direction is z [kg.m2].
const INERTIA: f64 = 0.5;
/// Right-handed and left-handed [m].
const PITCHES: [f64; 2] = [0.6, -1.5];

fn screw(parent: Option<&str>, child: &str, pitch: f64) -> JointDescription {
    JointDescription {
        pitch,
        ..joint(JointKind::Screw, parent, child)
    }
}

/// A nut whose centre of mass is off the axis, with a frame of the joint that is off its origin.
fn nut() -> GivenMass {
    let arm = 0.2_f64;
    mass(
        MASS,
        [0.1 + arm, 0.3, 0.0],
        [0.4, 0.6, INERTIA - MASS * arm * arm],
    )
}

fn on_screw(mut screw: JointDescription) -> SceneDescription {
    screw.child_frame.position = [0.1, 0.3, -0.4];
    screw.parent_frame.position = [0.5, -0.2, 0.7];
    let mut description = scene(&[("nut", nut())], vec![screw]);
    description.energy_balance = true;
    description
}

fn felt(pitch: f64) -> f64 {
    INERTIA + MASS * (pitch / TAU).powi(2)
}

#[test]
fn a_nut_on_a_vertical_screw_turns_down_at_a_constant_angular_acceleration() {
    for pitch in PITCHES {
        let mut description = on_screw(screw(None, "nut", pitch));
        description.gravity = Gravity::Uniform([0.0, 0.0, -G]);
        let mut run = Run::new(description, 1e-11);
        let start = run.balance();
        let height = |run: &mut Run| {
            let (pose, _) = run.system.body_here(0.into()).expect("a body");
            pose.position.z
        };
        run.smoothly_to(0.01);
        let from = (height(&mut run), run.states[0]);
        run.smoothly_to(1.5);
        let acceleration = -MASS * G * pitch / TAU / felt(pitch);
        near(run.states[0], 0.5 * acceleration * 2.25, 1e-9);
        near(run.states[1], acceleration * 1.5, 1e-9);
        near(run.balance(), start, 1e-9);
        // By the pitch for each turn, up where it is right-handed and the angle grows.
        let risen = height(&mut run) - from.0;
        near(risen, pitch * (run.states[0] - from.1) / TAU, 1e-12);
    }
}

/// What turns the nut is the thread, which does no work: torque about the axis and force along it
/// have the ratio -h; the centre of mass goes round at 0.2 m.
#[test]
fn the_thread_turns_the_nut_by_the_force_that_it_holds_it_with() {
    for pitch in PITCHES {
        let mut falling = screw(None, "nut", pitch);
        falling.rates = vec![2.0];
        let mut description = on_screw(falling);
        description.gravity = Gravity::Uniform([0.0, 0.0, -G]);
        let mut run = Run::new(description, 1e-11);
        run.smoothly_to(0.4);
        let [force, torque] = run.system.reaction_here(0.into()).expect("a reaction");
        let lead = pitch / TAU;
        let acceleration = -MASS * G * lead / felt(pitch);
        near(force.z, MASS * (G + lead * acceleration), 1e-10);
        near(torque.z, INERTIA * acceleration, 1e-10);
        near(torque.z + lead * force.z, 0.0, 1e-10);
        // Towards the axis m r w^2, along the way m r w'.
        let (out, along) = (run.states[1].powi(2), acceleration);
        near(force.x.hypot(force.y), MASS * 0.2 * out.hypot(along), 1e-9);
    }
}

#[test]
fn a_spring_about_a_screw_turns_the_nut_to_and_fro_with_mass_and_inertia() {
    for pitch in PITCHES {
        let mut screw = screw(None, "nut", pitch);
        screw.forces[0].spring = Some(joint_spring(40.0, 0.3));
        screw.positions = vec![1.0];
        let mut run = Run::new(on_screw(screw), 1e-11);
        let period = TAU * (felt(pitch) / 40.0).sqrt();
        run.smoothly_to(0.25 * period);
        near(run.states[0], 0.3, 1e-9);
        run.smoothly_to(0.5 * period);
        near(run.states[0], -0.4, 1e-9);
        run.smoothly_to(period);
        near(run.states[0], 1.0, 1e-9);
    }
}

#[test]
fn coulomb_friction_and_a_torque_input_of_a_screw_feel_mass_and_inertia() {
    for pitch in PITCHES {
        let mut screw = screw(None, "nut", pitch);
        screw.rates = vec![5.0];
        screw.forces[0].input = true;
        screw.forces[0].friction = Some(joint_friction(0.8, 0.01));
        let mut run = Run::new(on_screw(screw), 1e-11);
        run.system.set_inputs(&[0.2], None);
        let start = run.balance();
        run.smoothly_to(2.0);
        near(run.states[1], 5.0 - (0.8 - 0.2) / felt(pitch) * 2.0, 1e-9);
        // The input has done its work.
        near(run.balance() - start, 0.2 * run.states[0], 1e-9);
    }
}

/// On a support that goes up and down, the nut feels g + a; that the support turns about the axis
/// at a constant rate does not matter.
#[test]
fn a_nut_feels_the_acceleration_of_the_support_of_its_screw() {
    let pitch = PITCHES[0];
    let felt_by = MASS * pitch / TAU / felt(pitch);
    let (size, w, t) = (0.3, 3.0, 0.8_f64);
    let shaken = sine([0.0, 0.0, size], [0.0; 3], w, 0.0);
    let turning = uniform([0.1, 0.2, -0.3], [0.0, 0.0, 4.0]);
    // angle'' = -f (g - size w^2 sin w t), from rest at 0.
    let shaken_angle = -felt_by * (0.5 * G * t * t + size * ((w * t).sin() - w * t));
    for (profile, expected) in [
        (shaken, shaken_angle),
        (turning, -felt_by * 0.5 * G * t * t),
    ] {
        let nut = on_screw(screw(Some("support"), "nut", pitch));
        let mut description = on_support(profile, nut);
        // Round the axis of the screw.
        description.joints[0].parent_frame.position = [0.0; 3];
        description.gravity = Gravity::Uniform([0.0, 0.0, -G]);
        let mut run = Run::new(description, 1e-11);
        run.smoothly_to(t);
        near(run.states[0], expected, 1e-9);
    }
}

/// Without gravity a bolt and its nut keep momentum, angular momentum and energy, and the screw
/// keeps its speed: both centres of mass are on its axis.
#[test]
fn a_bolt_and_its_nut_in_flight_keep_momentum_and_angular_momentum() {
    let (pitch, rate) = (PITCHES[1], 7.0);
    let mut screw = screw(Some("bolt"), "nut", pitch);
    screw.rates = vec![rate];
    let on_axis = |m, j| mass(m, [0.0; 3], [0.3, 0.3, j]);
    let mut description = scene(&[("nut", on_axis(3.0, 0.2))], vec![screw]);
    let mut bolt = plain_body("bolt", Motion::Free, on_axis(2.0, 0.1));
    bolt.velocity = [0.0, 0.0, 0.5];
    bolt.angular_velocity = [0.0, 0.0, -1.0];
    description.bodies.push(bolt);
    let mut run = Run::new(description, 1e-11);
    let start = run.balance();
    let slide = pitch / TAU * rate;
    // v and w of the bolt, then of the nut.
    let kinetic =
        0.5 * (2.0 * 0.25 + 0.1 + 3.0 * (0.5 + slide).powi(2) + 0.2 * (rate - 1.0).powi(2));
    near(start, kinetic, 1e-12);
    run.smoothly_to(2.0);
    near(run.balance(), kinetic, 1e-9);
    let bodies = [1, 0].map(|body| run.system.body_here(body.into()).expect("a body").1);
    let momentum: Vec3 = bodies[0].velocity_w * 2.0 + bodies[1].velocity_w * 3.0;
    near(momentum.z, 2.0 * 0.5 + 3.0 * (0.5 + slide), 1e-9);
    let angular = 0.1 * bodies[0].omega_w.z + 0.2 * bodies[1].omega_w.z;
    near(angular, -0.1 + 0.2 * (rate - 1.0), 1e-9);
    near(run.states[13], rate * 2.0, 1e-9);
    near(bodies[1].omega_w.z - bodies[0].omega_w.z, rate, 1e-9);
}

/// A turn moves the nut by the pitch: one of 2 pi h is as far as `pitch`, to the last digits.
#[test]
fn a_full_turn_is_one_pitch() {
    let mut turned = screw(None, "nut", 0.6);
    turned.positions = vec![2.0 * TAU];
    let mut half = turned.clone();
    half.positions = vec![PI];
    for (screw, height) in [(turned, 1.2), (half, 0.3)] {
        let description = scene(&[("nut", nut())], vec![screw]);
        let mut run = Run::new(description, 1e-9);
        run.balance();
        let (pose, _) = run.system.body_here(0.into()).expect("a body");
        near(pose.position.z, height, 1e-15);
    }
}
