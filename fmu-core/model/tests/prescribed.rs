//! Bodies on a conveyor and on a shaker, integrated from event to event, against closed forms.

use crate::fixtures::*;
use crate::running::Run;

const G: f64 = 9.81;

/// A ball of 1 kg that rests on the plate at z = 0 as deep as its weight presses it in, and cannot
/// be turned; the plate moves.
fn on_plate(profile: MotionProfile) -> SceneDescription {
    // k = 4/3 sqrt(r) E/(2 (1 - nu^2)); the depth counts from twice 1e-8 m.
    let k = 4.0 / 3.0 * f64::sqrt(0.1) * 2e11 / (2.0 * 0.91);
    let depth = (G / k).powf(2.0 / 3.0) + 2e-8;
    let mut ground = plate();
    ground.motion = Motion::Prescribed;
    let mut body = ball("ball", [0.0, 0.0, 0.1 - depth]);
    body.mass.mass = Some(1.0);
    body.mass.inertia = Some([1e9, 1e9, 1e9, 0.0, 0.0, 0.0]);
    let mut description = steel_scene(vec![ground, body]);
    description.motions = vec![motion_of("plate", profile)];
    description
}

/// A run whose ball moves with the plate at the start.
fn carried(description: SceneDescription, upward: f64) -> Run {
    let scene = valid(description);
    let mut states = scene.start_states();
    states[9] = upward;
    let run = Run::from(start_of(&scene), states, 1e-9);
    assert_eq!(run.system.ledger().contacts().len(), 1);
    run
}

/// A run whose bodies do not touch at the start.
fn apart(description: SceneDescription) -> Run {
    let run = Run::new(description, 1e-9);
    assert!(run.system.ledger().contacts().is_empty());
    run
}

/// Goes on to a time [s]; answers the time of the first end of the contact.
fn parted(run: &mut Run, end: f64) -> Option<f64> {
    let mut parted = None;
    while run.reach_event(end) {
        run.handle_event();
        if run.system.ledger().contacts().is_empty() {
            parted.get_or_insert(run.time);
        }
    }
    parted
}

/// Sliding friction mu m g gives v = mu g t, and mu g t^2/2, until the ball is as fast as the belt,
/// less the speed 0.01 m/s below which friction is not whole. The belt itself stays where it is.
#[test]
fn a_body_on_a_conveyor_is_as_fast_as_the_belt_after_v_over_mu_g() {
    let belt = 1.0;
    let conveyor = MotionProfile::Constant {
        velocity: [belt, 0.0, 0.0],
        angular_velocity: [0.0; 3],
        surface: true,
    };
    let mut run = carried(on_plate(conveyor), 0.0);
    let acceleration = 0.5 * G;
    for time in [0.05, 0.1, 0.2] {
        assert_eq!(parted(&mut run, time), None);
        let (x, v) = (run.states[0], run.states[7]);
        assert!((v / (acceleration * time) - 1.0).abs() < 1e-6, "{time} {v}");
        assert!((x / (0.5 * acceleration * time * time) - 1.0).abs() < 1e-6);
    }
    assert!(run.states[7] < belt - 0.01);
    assert_eq!(parted(&mut run, belt / acceleration + 0.02), None);
    assert!((run.states[7] - belt).abs() < 1e-6, "{}", run.states[7]);
    let (pose, _) = run.system.body_here(0.into()).expect("the belt");
    assert_eq!(pose.position.x, 0.0);
}

/// z = A sin omega t: the plate carries the ball with m (g - A omega^2 sin omega t), and pulls away
/// where that is zero. The gap then grows with the jerk j = A omega^3 cos omega t of the plate as
/// j tau^3/6, and the contact ends where that is the width of the hysteresis, 2e-8 m.
#[test]
fn a_ball_stays_on_a_shaker_below_1_g_and_leaves_it_above_where_the_closed_form_says() {
    let omega = 20.0;
    for (strength, leaves) in [(0.95, false), (1.1, true)] {
        let amplitude = strength * G / (omega * omega);
        let shaker = sine([0.0, 0.0, amplitude], [0.0; 3], omega, 0.0);
        let mut run = carried(on_plate(shaker), amplitude * omega);
        if leaves {
            let expected = (1.0_f64 / strength).asin() / omega;
            assert_eq!(parted(&mut run, expected - 5e-3), None);
            let outputs = run.system.outputs(run.time, &run.states);
            let found = outputs.expect("outputs").contact_forces[BodyId::from(1)][2];
            // The contact opens by (F/k)^(2/3), which bends by less than 1e-3 m/s2 here.
            let carried = G - amplitude * omega * omega * (omega * run.time).sin();
            assert!((found - carried).abs() < 2e-3, "{found} {carried}");
            let end = parted(&mut run, 0.12).expect("an end of the contact");
            // An unloaded gap needs (6 2e-8 m/jerk)^(1/3) = 1.10 ms; the speed at which the
            // contact opens shortens that to 1.05004 ms, from an integration of the one equation by
            // LSODA to 1e-7 with v0 of the law found by bisection.
            let parted = end - expected;
            assert!((parted - 1.05004e-3).abs() < 1e-6, "{parted}");
            continue;
        }
        assert_eq!(parted(&mut run, 0.7), None, "{strength}");
    }
}

/// Without gravity nothing moves but the plate, upwards at 1 m/s from 10 mm below the ball: the
/// plate is infinitely heavy, so the ball flies off with (1 + e) 1 m/s, however long the run is.
#[test]
fn a_ball_at_rest_is_hit_by_a_body_that_passes_it_in_one_long_run() {
    for (speed, end) in [(1.0, 0.05), (1.0, 0.5), (1.0, 50.0), (0.5, 3.0)] {
        let mut description = on_plate(uniform([0.0, 0.0, speed], [0.0; 3]));
        description.gravity = Gravity::None;
        description.bodies[1].position = [0.0, 0.0, 0.11];
        let changes = law_of(&mut description);
        changes.normal = Some(NormalKind::Spring);
        changes.numbers.push((Number::Stiffness, 1e6));
        let mut run = apart(description);
        run.to(end);
        // The restitution that is asked for is regularized: 0.001 + 0.699 (1 - 0.01^(v/v_small)).
        let rebound = 1.7 * speed;
        close!(run.states[9], rebound, 1e-6, "{end}");
    }
}

/// Nothing pushes a slug along its slide, so it stays where it is in the world while its cart goes
/// 1 m along it and back: the slide opens by -x(t) at the speed -x'(t). The integrator
/// keeps 1e-9 of them in each of some ten steps.
#[test]
fn a_slug_on_a_frictionless_slide_stays_where_it_is_while_its_cart_moves() {
    let clamped = Some(EndSpeeds::default());
    // Inside the spline the acceleration has kinks, which are no events: steps that go across them
    // err by more than the tolerance.
    for (interpolation, ends, error) in [
        (Interpolation::Quintic, None, 1e-8),
        (Interpolation::Trapezoid, None, 1e-8),
        (Interpolation::Spline, clamped, 1e-6),
    ] {
        let mut description = on_plate(MotionProfile::Table(MotionTable {
            times: vec![0.5, 1.5, 2.0, 2.5],
            displacements: [0.0, 1.0, 1.0, 0.0].map(|x| [x, 0.0, 0.0]).to_vec(),
            axis: [0.0, 0.0, 1.0],
            angles: Vec::new(),
            interpolation,
            ends,
        }));
        description.bodies[1].motion = Motion::Joint;
        description.bodies[1].position = [0.0; 3];
        description.bodies[1].shapes[0].collision = false;
        let mut slide = joint(JointKind::Prismatic, Some("plate"), "ball");
        slide.axis = [1.0, 0.0, 0.0];
        description.joints = vec![slide];
        let mut run = apart(description);
        let scene = Arc::clone(run.system.scene());
        for time in [0.4, 0.7, 1.0, 1.4, 1.7, 2.2, 3.0] {
            while let Some(kink) = scene.next_kink(run.time).filter(|kink| *kink < time) {
                run.to(kink);
            }
            run.to(time);
            for (body, moves) in [(0, true), (1, false)] {
                let (pose, twist) = run.system.body_here(body.into()).expect("a body");
                let (x, v) = (pose.position.x, twist.velocity_w.x);
                // The cart is away from its place between the first and the last time.
                assert_eq!(moves && time > 0.5 && time < 2.5, x.abs() > 1e-3, "{x}");
                if !moves {
                    assert!(
                        x.abs() < error && v.abs() < 10.0 * error,
                        "{interpolation:?} {x} {v}"
                    );
                }
            }
        }
    }
}
