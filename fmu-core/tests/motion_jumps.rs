//! Bodies on joints where the velocity of the body that carries them jumps.
//!
//! Formulas: no impulse acts along a free coordinate. For rods on parallel hinges about an axis n, a
//! rod of mass m with its centre of mass at r from its hinge and inertia I about it, whose hinge
//! gets the jump u: I dw = -m n.(r x u).

use crate::fixtures::*;
use crate::fmi3::importer::{Fmu, Importer};
use fmu_core::fmi3::fmi3Status::fmi3OK;
use fmu_core::fmi3::{fmi3EnterContinuousTimeMode, fmi3EnterEventMode, fmi3EnterStepMode};

/// Mass [kg], distance of the centre of mass from the hinge [m], and inertia about the hinge
/// [kg.m2] of a rod of 1 m.
const M: f64 = 1.5;
const C: f64 = 0.4;
const I: f64 = 0.3;

/// A motion through displacements [m] and angles [rad] about z at times 0 s, 1 s and 3 s.
fn table(body: &str, displacements: [[f64; 3]; 3], angles: [f64; 3]) -> MotionDescription {
    MotionDescription {
        body: body.into(),
        profile: MotionProfile::Table(MotionTable {
            times: vec![0.0, 1.0, 3.0],
            displacements: displacements.to_vec(),
            axis: [0.0, 0.0, 1.0],
            angles: angles.to_vec(),
            interpolation: Interpolation::Linear,
            ends: None,
        }),
        jump: VelocityJump::Impulse,
    }
}

/// A motion that stops dead at 1 s.
fn stopping(body: &str, velocity: [f64; 3], spin: f64) -> MotionDescription {
    table(body, [[0.0; 3], velocity, velocity], [0.0, spin, spin])
}

fn cart(name: &str) -> contact_model::scene::description::BodyDescription {
    plain_body(name, Motion::Prescribed, GivenMass::default())
}

/// A rod that hangs along -z from its origin at angle 0.
fn rod(name: &str) -> contact_model::scene::description::BodyDescription {
    let about_center = I - M * C * C;
    let inertia = [about_center, about_center, 1e-3, 0.0, 0.0, 0.0];
    let mass = given_mass(M, [0.0, 0.0, -C], inertia);
    plain_body(name, Motion::Joint, mass)
}

/// A hinge about -y: the lower end of a rod goes to x as its angle grows.
fn hinge(parent: &str, child: &str, place: [f64; 3], angle: f64, speed: f64) -> JointDescription {
    let mut hinge = joint(JointKind::Revolute, Some(parent), child);
    hinge.axis = [0.0, -1.0, 0.0];
    hinge.second_axis = [1.0, 0.0, 0.0];
    hinge.parent_frame.position = place;
    hinge.positions = vec![angle];
    hinge.rates = vec![speed];
    hinge
}

fn scene(
    bodies: Vec<contact_model::scene::description::BodyDescription>,
    joints: Vec<JointDescription>,
    motions: Vec<MotionDescription>,
) -> SceneDescription {
    let mut description = steel_scene(bodies);
    description.joints = joints;
    description.motions = motions;
    description.experiment.stop_time = 5.0;
    description
}

fn pendulum(motion: MotionDescription) -> SceneDescription {
    let hinge = hinge("cart", "rod", [0.2, 0.3, 0.1], 0.6, -0.7);
    scene(vec![cart("cart"), rod("rod")], vec![hinge], vec![motion])
}

/// A block of 2 kg on a slide along x on a cart.
fn slide(motion: MotionDescription) -> SceneDescription {
    let mass = given_mass(2.0, [0.0, 0.1, 0.3], [0.1, 0.2, 0.15, 0.0, 0.0, 0.0]);
    let mut slide = joint(JointKind::Prismatic, Some("cart"), "block");
    (slide.axis, slide.second_axis) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    let block = plain_body("block", Motion::Joint, mass);
    scene(vec![cart("cart"), block], vec![slide], vec![motion])
}

fn system(description: SceneDescription) -> System {
    let scene = valid(description);
    start_of(&scene)
}

/// States after the jump at 1 s of a scene with its start states, and the jumps.
fn jumped(description: SceneDescription) -> (Vec<f64>, Vec<MotionJump>) {
    let mut system = system(description);
    let mut states = system.scene().start_states();
    let start = system.update_event(0.0, &mut states).expect("a start");
    assert!(!start.states_changed, "the start is no jump");
    assert_eq!(start.next_event_time, Some(1.0));
    let outcome = system.update_event(1.0, &mut states).expect("an event");
    assert!(outcome.states_changed);
    let known = system.motion_jumps().last().to_vec();
    let again = states.clone();
    let outcome = system.update_event(1.0, &mut states).expect("an event");
    assert!(!outcome.states_changed, "the same instant has one jump");
    assert_eq!(states, again);
    assert!(system.motion_jumps().last().is_empty());
    (states, known)
}

fn near(found: f64, expected: f64, scale: f64) {
    let bound = 1e-14 * scale;
    assert!((found - expected).abs() < bound, "{found} {expected}");
}

#[test]
fn a_slide_keeps_its_absolute_velocity_when_its_cart_stops_dead() {
    let (states, known) = jumped(slide(stopping("cart", [2.0, 0.0, 0.0], 0.0)));
    assert_eq!(states, [0.0, 2.0]);
    assert_eq!(known[0].jump.linear, Vec3::new(-2.0, 0.0, 0.0));
    assert_eq!(known[0].impulse.linear.norm(), 0.0);
    // Across the slide the block stops with the cart and pushes it with m v, at its centre of mass.
    let (states, known) = jumped(slide(stopping("cart", [0.0, 3.0, 0.0], 0.0)));
    assert_eq!(states, [0.0, 0.0]);
    near(known[0].impulse.linear.y, 2.0 * 3.0, 10.0);
    near(known[0].impulse.angular.x, -0.3 * 2.0 * 3.0, 10.0);
}

/// I dw = m c cos(angle) dv, and the momentum that the rod loses goes to the cart.
#[test]
fn a_pendulum_swings_on_when_its_cart_stops() {
    let v = 2.5;
    let (states, known) = jumped(pendulum(stopping("cart", [v, 0.0, 0.0], 0.0)));
    let angle: f64 = 0.6;
    let jump = M * C * angle.cos() * v / I;
    near(states[0], angle, 1.0);
    near(states[1], -0.7 + jump, 10.0);
    let center = [C * angle.cos() * jump, C * angle.sin() * jump];
    near(known[0].impulse.linear.x, M * (v - center[0]), 10.0);
    near(known[0].impulse.linear.y, 0.0, 10.0);
    near(known[0].impulse.linear.z, -M * center[1], 10.0);
}

/// A jump along the bar does not turn it; one up turns it by -m c sin(angle) v/I.
#[test]
fn a_pendulum_on_a_lift_that_stops() {
    let v = 1.5;
    let (states, _) = jumped(pendulum(stopping("cart", [0.0, 0.0, v], 0.0)));
    let jump = M * C * 0.6_f64.sin() * v / I;
    near(states[1], -0.7 + jump, 10.0);
}

/// With absolute angular velocities w: M dw = -b du, with M_11 = I + m l^2, M_12 = m l c cos(a - b),
/// M_22 = I, b = ((m c + m l) cos a, m c cos b), solved by Cramer's rule; the joint rates are w_1 and
/// w_2 - w_1.
#[test]
fn a_double_pendulum_agrees_with_its_equations_in_absolute_angles() {
    let (l, v, a, b) = (1.0, 2.0, 0.5_f64, 1.3_f64);
    let joints = vec![
        hinge("cart", "rod", [0.0, 0.4, 0.0], a, 0.3),
        hinge("rod", "lower", [0.0, 0.0, -l], b - a, -1.1),
    ];
    let bodies = vec![cart("cart"), rod("rod"), rod("lower")];
    let motion = stopping("cart", [v, 0.0, 0.0], 0.0);
    let (states, known) = jumped(scene(bodies, joints, vec![motion]));
    let m = [
        [I + M * l * l, M * l * C * (a - b).cos()],
        [M * l * C * (a - b).cos(), I],
    ];
    let right = [(M * C + M * l) * a.cos() * v, M * C * b.cos() * v];
    let determinant = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    let w_1 = (right[0] * m[1][1] - right[1] * m[0][1]) / determinant;
    let w_2 = (right[1] * m[0][0] - right[0] * m[1][0]) / determinant;
    near(states[1], 0.3 + w_1, 100.0);
    near(states[3], -1.1 + w_2 - w_1, 100.0);
    let lost = 2.0 * M * v - (M * C + M * l) * a.cos() * w_1 - M * C * b.cos() * w_2;
    near(known[0].impulse.linear.x, lost, 100.0);
}

/// A turntable that spins about z stops: its hinge at R = (0.5, 0, 0) had the velocity W x R. With
/// the hinge about z, r from it to the centre of mass: I dw = -m n.(r x u), absolute, u = -W z x R;
/// the joint sees dw + W. The carriage of a radial slide keeps its radial speed.
#[test]
fn the_spin_of_a_turntable_stops() {
    let (spin, angle) = (3.0, 0.4_f64);
    let mass = given_mass(M, [C, 0.0, 0.0], [0.04, 0.05, I - M * C * C, 0.0, 0.0, 0.0]);
    let mut arm = joint(JointKind::Revolute, Some("cart"), "arm");
    arm.parent_frame.position = [0.5, 0.0, 0.0];
    (arm.positions, arm.rates) = (vec![angle], vec![0.2]);
    let mut slide = joint(JointKind::Prismatic, Some("cart"), "carriage");
    (slide.axis, slide.second_axis) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    (slide.positions, slide.rates) = (vec![0.7], vec![0.9]);
    let bodies = vec![
        cart("cart"),
        plain_body("arm", Motion::Joint, mass),
        plain_body("carriage", Motion::Joint, mass),
    ];
    let motion = stopping("cart", [0.0; 3], spin);
    let (states, known) = jumped(scene(bodies, vec![arm, slide], vec![motion]));
    assert_eq!(known[0].jump.angular, Vec3::new(0.0, 0.0, -spin));
    // At 1 s the table has turned by the spin, which turns r and u alike.
    let u_y = -spin * 0.5;
    let jump = -M * C * angle.cos() * u_y / I;
    near(states[1], 0.2 + jump + spin, 100.0);
    near(states[3], 0.9, 1.0);
}

/// A radial slide on a turntable that spins with W from the start until it stops at 1 s: with s the
/// distance of the centre of mass from the axis s'' = W^2 s, so s = s_0 cosh W t + v_0/W sinh W t, and
/// s' stays from 1 s on.
#[test]
fn a_radial_slide_on_a_turntable_runs_out_at_the_speed_it_has_when_the_table_stops() {
    let (w, q, v) = (1.2_f64, 0.7, 0.9);
    let mass = given_mass(M, [C, 0.0, 0.0], [0.04, 0.05, 0.06, 0.0, 0.0, 0.0]);
    let mut slide = joint(JointKind::Prismatic, Some("cart"), "carriage");
    (slide.axis, slide.second_axis) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    (slide.positions, slide.rates) = (vec![q], vec![v]);
    let bodies = vec![cart("cart"), plain_body("carriage", Motion::Joint, mass)];
    let motion = stopping("cart", [0.0; 3], w);
    let importer = Fmu::new(scene(bodies, vec![slide], vec![motion])).stepping();
    importer.whole_step(0.0, 2.0);
    let at_stop = (q + C) * w.cosh() + v / w * w.sinh();
    let speed = (q + C) * w * w.sinh() + v * w.cosh();
    let found = importer.state_variables();
    assert!((found[1] - speed).abs() < 1e-7, "{} {speed}", found[1]);
    let end = at_stop - C + speed;
    assert!((found[0] - end).abs() < 1e-7, "{} {end}", found[0]);
}

#[test]
fn two_carts_jump_at_one_instant_and_one_that_goes_on_does_not() {
    let bodies = vec![
        cart("a"),
        rod("rod_a"),
        cart("b"),
        rod("rod_b"),
        cart("c"),
        rod("rod_c"),
    ];
    let at = [[0.0; 3], [0.0, 2.0, 0.0], [0.0, 4.0, 0.0]];
    let joints = vec![
        hinge("a", "rod_a", at[0], 0.6, 0.0),
        hinge("b", "rod_b", at[1], 0.0, 0.0),
        hinge("c", "rod_c", at[2], 0.1, 0.0),
    ];
    let on = [[0.0; 3], [1.0, 0.0, 0.0], [3.0, 0.0, 0.0]];
    let motions = vec![
        stopping("a", [2.0, 0.0, 0.0], 0.0),
        table("b", [[0.0; 3], [0.0; 3], [2.0, 0.0, 0.0]], [0.0; 3]),
        table("c", on, [0.0; 3]),
    ];
    let (states, known) = jumped(scene(bodies, joints, motions));
    assert_eq!(known.len(), 2);
    near(states[1], M * C * 0.6_f64.cos() * 2.0 / I, 10.0);
    near(states[3], -M * C / I, 10.0);
    assert_eq!(states[5], 0.0);
}

/// The kinks between the last update and a late one are all taken, none of them twice.
#[test]
fn a_late_update_takes_all_jumps_since_the_last_one() {
    let way = [[0.0; 3], [2.0, 0.0, 0.0], [8.0, 0.0, 0.0]];
    let mut system = system(slide(table("cart", way, [0.0; 3])));
    let mut states = vec![0.0, 0.0];
    for (time, velocity) in [(0.0, 0.0), (0.9, 0.0), (3.5, 2.0), (4.0, 2.0)] {
        // 2 m/s, 3 m/s, at rest: the block keeps 2 m/s.
        system.update_event(time, &mut states).expect("an event");
        assert_eq!(states[1], velocity, "{time}");
    }
}

/// Without the option the scene is refused; a table without jumps needs none.
#[test]
fn a_jump_is_refused_unless_the_motion_says_impulse() {
    let mut motion = stopping("cart", [2.0, 0.0, 0.0], 0.0);
    motion.jump = VelocityJump::Error;
    let refused = Scene::new(pendulum(motion.clone())).unwrap_err();
    assert!(refused[0].to_string().contains("would be dragged along"));
    if let MotionProfile::Table(MotionTable {
        interpolation,
        ends,
        ..
    }) = &mut motion.profile
    {
        *interpolation = Interpolation::Spline;
        *ends = Some(EndSpeeds::default());
    }
    assert!(Scene::new(pendulum(motion)).is_ok());
}

/// A block of 2 m/s on a slide whose cart stops at 1 s, where its ball is 1.5e-8 m deep in a wall:
/// below the overlap from which the contact would have started by itself, above that from which an
/// event finds it.
fn against_a_wall() -> SceneDescription {
    let mut description = slide(stopping("cart", [2.0, 0.0, 0.0], 0.0));
    description.gravity = Gravity::None;
    let mut block = ball("block", [0.0; 3]);
    block.motion = Motion::Joint;
    description.bodies[1] = block;
    let place = [2.0 + 0.1 + 0.05 - 1.5e-8, 0.0, 0.0];
    let wall = body("wall", Motion::Fixed, cuboid([0.1, 1.0, 1.0]), place);
    description.bodies.push(wall);
    description
}

#[test]
fn a_contact_that_starts_at_the_instant_of_a_jump_sees_the_velocities_after_it() {
    let importer = Fmu::new(against_a_wall()).stepping();
    importer.whole_step(0.0, 1.0);
    let contacts = importer.logged("contacts");
    let start = contacts
        .iter()
        .find(|line| line.starts_with("contact start"));
    let start = start.expect("a contact");
    assert!(start.contains("t=1.0 "), "{start}");
    let (_, speed) = start.split_once("speed=").expect("a speed");
    let speed: f64 = speed.parse().expect("a number");
    near(speed, 2.0, 10.0);
    // It bounces back with the restitution of steel.
    importer.whole_step(1.0, 0.1);
    let speed = importer.state_variables()[1];
    assert!((speed + 2.0 * 0.7).abs() < 1e-2, "{speed}");
}

/// Closed form of a pendulum in a run is none; two runs that meet the jump in other ways must agree:
/// by one step, by steps that end near it but for roundings, by importers that handle events.
#[test]
fn co_simulation_takes_a_jump_once_however_steps_fall() {
    let fmu = Fmu::new(pendulum(stopping("cart", [2.5, 0.0, 0.0], 0.0)));
    let run = |importer: Importer, points: &[f64]| {
        let mut time = 0.0;
        for point in points {
            while time < *point {
                let (status, [event, ..], last) = importer.step(time, point - time);
                importer.fine(status);
                if event {
                    importer.event(fmi3EnterStepMode);
                }
                time = last;
            }
        }
        let jumps = importer.logged("contacts").into_iter();
        let jumps = jumps.filter(|line| line.starts_with("velocity jump"));
        assert_eq!(jumps.count(), 1);
        importer.state_variables()
    };
    let start = |importer: Importer, event_mode: bool| {
        importer.initialize();
        if event_mode {
            assert_eq!(importer.update().0, fmi3OK);
            importer.ok(fmi3EnterStepMode);
        }
        importer
    };
    let whole = run(start(fmu.co_simulation(), false), &[2.0]);
    let sum: Vec<f64> = (1..=20)
        .scan(0.0, |sum, _| {
            *sum += 0.1;
            Some(*sum)
        })
        .collect();
    assert_ne!(sum[9], 1.0, "a rounding before the jump");
    let last = [2.0];
    let before = [1.0_f64.next_down(), 2.0];
    let after = [1.0_f64.next_up(), 2.0];
    let mut rounded = sum[..19].to_vec();
    rounded.extend(last);
    for points in [&rounded[..], &before, &after, &[1.0, 2.0]] {
        for (importer, event_mode) in [
            (fmu.co_simulation(), false),
            (fmu.with_event_mode(false), true),
            (fmu.with_event_mode(true), true),
        ] {
            let found = run(start(importer, event_mode), points);
            for (found, whole) in found.iter().zip(&whole) {
                assert!((found - whole).abs() < 1e-6, "{found} {whole} {points:?}");
            }
        }
    }
}

/// Two pendulums on carts are two islands: each alone agrees with both.
#[test]
fn islands_take_jumps_as_the_whole() {
    let bodies = |names: &[&str]| -> Vec<_> {
        let of = |name: &&str| [cart(name), rod(&format!("rod_{name}"))];
        names.iter().flat_map(of).collect()
    };
    let hung = |name: &str, y: f64| hinge(name, &format!("rod_{name}"), [0.0, y, 0.0], 0.6, 0.0);
    let stops = |name: &str, v: f64| stopping(name, [v, 0.0, 0.0], 0.0);
    let end = |description: SceneDescription| {
        let importer = Fmu::new(description).stepping();
        importer.whole_step(0.0, 0.7);
        importer.whole_step(0.7, 1.0);
        importer.state_variables()
    };
    let both = end(scene(
        bodies(&["a", "b"]),
        vec![hung("a", 0.0), hung("b", 5.0)],
        vec![stops("a", 2.0), stops("b", -1.0)],
    ));
    let a = end(scene(
        bodies(&["a"]),
        vec![hung("a", 0.0)],
        vec![stops("a", 2.0)],
    ));
    let b = end(scene(
        bodies(&["b"]),
        vec![hung("b", 5.0)],
        vec![stops("b", -1.0)],
    ));
    for (found, alone) in both.iter().zip(a.iter().chain(&b)) {
        assert!((found - alone).abs() < 1e-6, "{found} {alone}");
    }
}

/// In Model Exchange the update at the time event changes states once; a saved state from before
/// the jump has it before it again, one from after has it behind it.
#[test]
fn model_exchange_takes_a_jump_at_its_time_event_once() {
    let importer = Fmu::new(pendulum(stopping("cart", [2.5, 0.0, 0.0], 0.0))).integrating();
    let angle: f64 = 0.6;
    let jump = M * C * angle.cos() * 2.5 / I;
    importer.fine(importer.set_time(0.5));
    assert!(!importer.completed_step());
    importer.fine(importer.set_time(1.0));
    assert!(
        importer.completed_step(),
        "an importer may miss the time event"
    );
    let before = importer.state();
    let event = || {
        importer.ok(fmi3EnterEventMode);
        let (status, [again, _, _, changed, ..], _) = importer.update();
        assert_eq!((status, again), (fmi3OK, false));
        changed
    };
    assert!(event());
    near(importer.continuous_states()[1], -0.7 + jump, 10.0);
    let (_, [_, _, _, changed, ..], _) = importer.update();
    assert!(!changed);
    near(importer.continuous_states()[1], -0.7 + jump, 10.0);
    importer.ok(fmi3EnterContinuousTimeMode);
    assert!(!importer.completed_step());
    let after = importer.state();
    // Back by a state that went through bytes.
    let bytes = importer.serialize(before);
    let read = importer.deserialize(&bytes).expect("a state");
    for (state, changes) in [(read, true), (after, false), (before, true)] {
        importer.fine(importer.set_state(state));
        assert_eq!(event(), changes);
        near(importer.continuous_states()[1], -0.7 + jump, 10.0);
        importer.ok(fmi3EnterContinuousTimeMode);
        importer.free_state(state);
    }
}

/// Rates of joints that jump are re-initialised by the model description, others are not.
#[test]
fn rates_that_jump_are_described_as_reinitialised() {
    use fmu_core::instance::Standard;
    use fmu_core::instance::variables::VariableTable;
    use fmu_core::instance::variables::describe::Describer;
    let reinit = |description: SceneDescription| -> Vec<String> {
        let fmu = Fmu::new(description);
        let table = VariableTable::new(&fmu.scene, Standard::Fmi3);
        let describer = Describer::new(&fmu.scene, &table);
        let nominals = vec![1.0; fmu.scene.layout().count()];
        let described = describer.variables(&nominals).into_iter();
        described.filter(|v| v.reinit).map(|v| v.name).collect()
    };
    let found = reinit(pendulum(stopping("cart", [2.5, 0.0, 0.0], 0.0)));
    assert_eq!(found, ["joint_rod.angular_velocity"]);
    let none = table("cart", [[0.0; 3]; 3], [0.0; 3]);
    assert!(reinit(pendulum(none)).is_empty());
}
