//! Latches: joints that are held and let go.
//!
//! - [`impulses`]: velocities after a latch has closed or opened, against closed forms
//! - [`motion`]: motion while a latch is closed, against rigid bodies and Newton's law
//! - [`triggers`]: where and when latches close
//! - [`interfaces`]: what importers see

mod impulses;
mod interfaces;
mod motion;
mod triggers;

use crate::fixtures::*;
use crate::running::Run;

/// A body on a joint with its centre of mass in its origin.
fn lump(name: &str, mass: f64) -> BodyDescription {
    let inertia = [0.3 * mass, 0.2 * mass, 0.25 * mass, 0.0, 0.0, 0.0];
    plain_body(name, Motion::Joint, given_mass(mass, [0.0; 3], inertia))
}

/// Bodies on joints with latches, without gravity.
fn scene(
    bodies: Vec<BodyDescription>,
    joints: Vec<JointDescription>,
    latches: Vec<LatchDescription>,
) -> SceneDescription {
    let mut description = steel_scene(bodies);
    description.gravity = Gravity::None;
    description.joints = joints;
    description.latches = latches;
    description
}

/// A joint that slides the child along x.
fn slide(parent: Option<&str>, child: &str, position: f64, speed: f64) -> JointDescription {
    let mut slide = joint(JointKind::Prismatic, parent, child);
    slide.axis = [1.0, 0.0, 0.0];
    slide.positions = vec![position];
    slide.rates = vec![speed];
    slide
}

/// A latch of the joint of a child, with its name.
fn latch(child: &str) -> LatchDescription {
    LatchDescription {
        name: child.into(),
        joint: format!("joint_{child}"),
        ..LatchDescription::default()
    }
}

/// Goes on to a time [s], over time events too.
fn go(run: &mut Run, end: f64) {
    loop {
        let next = run.system.next_event_time(run.time);
        let Some(event) = next.filter(|event| *event <= end) else {
            run.to(end);
            return;
        };
        run.to(event);
        update(&mut run.system, run.time, &mut run.states);
        run.memory.restart();
    }
}

fn is_closed(run: &Run, latch: usize) -> bool {
    run.system.ledger().latches()[LatchId::from(latch)].is_closed
}

/// Momentum [kg.m/s] and angular momentum about the origin of the world [kg.m2/s] of these bodies, by the
/// sums of their definition.
fn momenta(run: &mut Run) -> [Vec3; 2] {
    let result = run.system.go_to(run.time, &run.states);
    result.expect("good states");
    let (mut linear, mut angular) = (Vec3::zeros(), Vec3::zeros());
    let bodies: Vec<_> = run.system.scene().bodies().keys().collect();
    for body in bodies {
        let (pose, twist) = run.system.body_here(body).expect("a pose");
        let numbers = &run.system.model().bodies[body];
        let center = pose.position + pose.rotation * numbers.center_of_mass_b;
        let momentum = twist.velocity_at(&pose.position, &center) * numbers.mass;
        linear += momentum;
        angular += center.cross(&momentum) + pose.rotation * (numbers.inertia_b * twist.omega_b);
    }
    [linear, angular]
}

fn near(value: f64, expected: f64, tolerance: f64) {
    let off = (value - expected).abs();
    assert!(off <= tolerance, "{value:e} is not {expected:e}");
}

fn all_near(values: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(values.len(), expected.len());
    for (value, expected) in values.iter().zip(expected) {
        near(*value, *expected, tolerance);
    }
}
