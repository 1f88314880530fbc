//! Driven bodies against closed forms.

use crate::dynamics::link::Twist;
use crate::fixtures::*;
use crate::hybrid::Severity;
use contact_geometry::math::norm;

fn driven_ball(orientation: OrientationInput, wrench_axes: ForceAxes) -> BodyDescription {
    let mut ball = ball("hammer", [0.0, 0.0, 1.0]);
    ball.motion = Motion::Driven;
    ball.drive = Drive {
        orientation,
        wrench_axes,
    };
    ball
}

fn system(description: SceneDescription) -> System {
    let scene = valid(description);
    let parameters = Parameters::start(&scene);
    System::new(scene, &parameters).expect("valid parameters")
}

/// A driven ball over a plate.
fn over_plate(orientation: OrientationInput, wrench_axes: ForceAxes) -> System {
    let hammer = driven_ball(orientation, wrench_axes);
    system(steel_scene(vec![plate(), hammer]))
}

fn by_quaternion() -> System {
    over_plate(OrientationInput::Quaternion, ForceAxes::World)
}

/// Position, quaternion, velocity and angular velocity in the order of the inputs.
fn inputs(p: [f64; 3], q: [f64; 4], v: [f64; 3], w: [f64; 3]) -> Vec<f64> {
    [&p[..], &q, &v, &w].concat()
}

const UPRIGHT: [f64; 4] = [1.0, 0.0, 0.0, 0.0];
/// A third of a turn about (1, 1, 1): x to y to z.
const TURN: [f64; 4] = [0.5, 0.5, 0.5, 0.5];

/// Where the driven body stands: pose and velocities.
fn placed(system: &mut System) -> (Pose, Twist<f64>) {
    system.body_here(1.into()).expect("good inputs")
}

#[test]
fn at_start_the_inputs_are_what_the_scene_says_of_the_body() {
    let mut hammer = driven_ball(OrientationInput::Matrix, ForceAxes::World);
    hammer.orientation = TURN;
    hammer.velocity = [1.0, 2.0, 3.0];
    hammer.angular_velocity = [4.0, 5.0, 6.0];
    let mut system = system(steel_scene(vec![plate(), hammer]));
    let (pose, twist) = placed(&mut system);
    assert_eq!(pose.position, Vec3::new(0.0, 0.0, 1.0));
    assert!((pose.rotation * Vec3::x() - Vec3::y()).amax() < 1e-15);
    assert_eq!(twist.velocity_w, Vec3::new(1.0, 2.0, 3.0));
    assert_eq!(twist.omega_b, Vec3::new(4.0, 5.0, 6.0));
    // x to y to z to x.
    assert!((twist.omega_w - Vec3::new(6.0, 4.0, 5.0)).amax() < 1e-14);
}

#[test]
fn quaternion_and_matrix_of_one_orientation_place_alike_and_their_errors_are_taken_off() {
    let (p, v, w) = ([0.1, 0.2, 0.3], [1.0, 0.0, -1.0], [0.5, -0.7, 2.0]);
    let q = [0.1, 0.7, -0.5, 0.5];
    let mut first = by_quaternion();
    first.set_inputs(&inputs(p, q.map(|c| 1.9 * c), v, w), None);
    let mut second = over_plate(OrientationInput::Matrix, ForceAxes::World);
    let matrix = rotation_matrix(&q);
    // The same strain along all axes leaves the nearest rotation as it is.
    let rows = (matrix * 1.0004).transpose();
    second.set_inputs(&[&p[..], rows.as_slice(), &v, &w].concat(), None);
    for system in [&mut first, &mut second] {
        let (pose, twist) = placed(system);
        assert!((pose.rotation - matrix).amax() < 1e-15);
        assert!((twist.omega_w - matrix * Vec3::from(w)).amax() < 1e-15);
        assert_eq!(pose.position, Vec3::from(p));
    }
}

/// A body that turns about z with w while it flies with v, from a start a third of a turn about
/// (1, 1, 1): R = Q(z, w t) R_0, and in body axes w stays R_0^T z w = (0, w, 0)... which is the
/// axis that R_0 maps to z.
#[test]
fn between_communication_points_the_body_keeps_both_velocities_in_the_world() {
    let mut system = by_quaternion();
    let (p, v) = ([1.0, 2.0, 3.0], [0.5, -1.0, 2.0]);
    // R_0 maps y to z.
    system.set_inputs(&inputs(p, TURN, v, [0.0, 1.7, 0.0]), Some(2.0));
    assert!(system.stage.depends_on_time());
    for elapsed in [0.0, 1e-9, 0.1, 3.0] {
        let before = system.moves();
        system.go_to(2.0 + elapsed, &[]).expect("good inputs");
        assert!(system.moves() > before || elapsed == 0.0);
        let (pose, twist) = placed(&mut system);
        let elapsed = (2.0 + elapsed) - 2.0;
        let angle = 1.7 * elapsed;
        let (c, s) = (angle.cos(), angle.sin());
        // Columns of R_0 are y, z, x; Q(z, a) turns x to (c, s, 0) and y to (-s, c, 0).
        let expected = Mat3::new(-s, 0.0, c, c, 0.0, s, 0.0, 1.0, 0.0);
        assert!((pose.rotation - expected).amax() < 1e-14, "{elapsed}");
        let expected = Vec3::from(p) + Vec3::from(v) * elapsed;
        assert!((pose.position - expected).amax() < 1e-15);
        assert!((twist.omega_w - Vec3::new(0.0, 0.0, 1.7)).amax() < 1e-15);
        assert_eq!(twist.omega_b, Vec3::new(0.0, 1.7, 0.0));
    }
    // Set for the present time, the same inputs know nothing of a start.
    system.set_inputs(&inputs(p, TURN, v, [0.0, 1.7, 0.0]), None);
    assert!(!system.stage.depends_on_time());
    assert_eq!(placed(&mut system).0.position, Vec3::from(p));
}

#[test]
fn inputs_that_are_no_pose_are_refused_by_name_until_good_ones_come() {
    let good = inputs([0.0, 0.0, 1.0], UPRIGHT, [0.0; 3], [0.0; 3]);
    let mut system = by_quaternion();
    let mut numbers = [0.0; 1];
    let mut refused = |system: &mut System, values: &[f64], text: &str| {
        system.set_inputs(values, None);
        let z = system.indicators_here(&mut numbers).err();
        for error in [
            system.derivatives_here(&mut []).err(),
            z,
            system.go_to(0.0, &[]).err(),
            system.outputs_here().err(),
            system.update_event(0.0, &mut []).err(),
        ] {
            let error = error.expect("a refusal");
            assert_eq!(error.severity, Severity::Discard);
            assert_eq!(error.message, text);
        }
    };
    let mut small = good.clone();
    small[3] = 0.25;
    refused(
        &mut system,
        &small,
        "input hammer.orientation is the quaternion [0.25, 0.0, 0.0, 0.0] of norm 0.25; must have norm 1; \
         from 0.5 on it is scaled to 1",
    );
    for (index, text) in [
        (0, "input hammer.position[1] is NaN; must be finite"),
        (5, "input hammer.orientation[3] is NaN; must be finite"),
        (9, "input hammer.velocity[3] is NaN; must be finite"),
        (
            12,
            "input hammer.angular_velocity[3] is NaN; must be finite",
        ),
    ] {
        let mut bad = good.clone();
        bad[index] = f64::NAN;
        refused(&mut system, &bad, text);
    }
    system.set_inputs(&good, None);
    assert!(system.outputs_here().is_ok());
    let mut system = over_plate(OrientationInput::Matrix, ForceAxes::World);
    let mut sheared = vec![0.0, 0.0, 1.0];
    sheared.extend([1.0, 0.01, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    sheared.extend([0.0; 6]);
    refused(
        &mut system,
        &sheared,
        "input hammer.rotation is, row by row, [1.0, 0.01, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0], off a \
         rotation by 0.01; its columns must be right-handed, at right angles and of length 1 within 0.001",
    );
    sheared[4] = 0.0;
    sheared[3] = -1.0;
    refused(
        &mut system,
        &sheared,
        "input hammer.rotation is, row by row, [-1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0], no \
         rotation but a reflection; its columns must be right-handed, at right angles and of length 1 \
         within 0.001",
    );
}

/// F = 4/3 sqrt(r) E/(2 (1 - nu^2)) d^1.5 (1 + u(e)/v_0 v) with the depth d less
/// twice z_eps = 1e-8 m and u(0.7) = 0.6348282812664168 from bisection in 60 digits, see the
/// damping of contacts.
#[test]
fn a_ball_pushed_into_a_plate_feels_the_force_of_hertz_and_its_damping() {
    let mut system = by_quaternion();
    let (speed, depth) = (0.5, 1e-5);
    let down = |depth: f64, speed: f64| {
        inputs(
            [0.0, 0.0, 0.1 - depth],
            UPRIGHT,
            [0.0, 0.0, -speed],
            [0.0; 3],
        )
    };
    system.set_inputs(&down(1e-6, speed), None);
    system.update_event(0.0, &mut []).expect("an event update");
    assert_eq!(system.ledger().contacts().len(), 1);
    let k = 4.0 / 3.0 * f64::sqrt(0.1) * 2e11 / (2.0 * 0.91);
    for rate in [speed, 0.0, -0.2] {
        system.set_inputs(&down(depth, rate), None);
        let damped = 1.0 + 0.6348282812664168 / speed * rate;
        let expected = k * (depth - 2e-8_f64).powf(1.5) * damped;
        let outputs = system.outputs_here().expect("outputs");
        let force = outputs.contact_forces[BodyId::from(1)];
        assert!((force[2] / expected - 1.0).abs() < 1e-9, "{force:?}");
        assert_eq!(outputs.contact_forces[BodyId::from(0)][2], -force[2]);
    }
}

#[test]
fn contact_force_and_torque_come_in_the_axes_that_the_body_states() {
    let pose = inputs(
        [0.0, 0.0, 0.1 - 1e-5],
        TURN,
        [0.1, 0.2, -0.5],
        [1.0, 0.0, 0.0],
    );
    let mut wrench = |axes| {
        let mut system = over_plate(OrientationInput::Quaternion, axes);
        system.set_inputs(&pose, None);
        system.update_event(0.0, &mut []).expect("an event update");
        let outputs = system.outputs_here().expect("outputs");
        [
            outputs.contact_forces[BodyId::from(1)],
            outputs.contact_torques[BodyId::from(1)],
        ]
    };
    let [world, body] = [ForceAxes::World, ForceAxes::Body].map(&mut wrench);
    for (world, body) in world.into_iter().zip(body) {
        assert!(norm(&Vec3::from(world)) > 1.0);
        // The body's x axis points along the world's y, its y along z, its z along x.
        let expected = [world[1], world[2], world[0]];
        for (found, expected) in body.iter().zip(expected) {
            assert!((found - expected).abs() <= 1e-12 * expected.abs().max(1.0));
        }
    }
}

/// The masses of a driven body and of what it meets are not those of the scene to know.
#[test]
fn a_driven_body_without_mass_against_a_fixed_one_has_finite_scales() {
    let mut description = steel_scene(vec![
        plate(),
        driven_ball(OrientationInput::Quaternion, ForceAxes::World),
    ]);
    description.materials[0].density = 0.0;
    let system = system(description);
    let model = system.model();
    assert_eq!(
        (
            model.bodies[BodyId::from(1)].mass,
            model.effective_mass([0.into(), 1.into()])
        ),
        (0.0, 1.0)
    );
    // (5/4 m v^2/k)^(2/5) for 1 kg at 1 m/s.
    let k = 4.0 / 3.0 * f64::sqrt(0.1) * 2e11 / (2.0 * 0.91);
    let mass = model.effective_mass([0.into(), 1.into()]);
    let depth = model.law(0.into()).depth_after_impact(mass, 1.0);
    assert!((depth.expect("a depth") / (1.25 / k).powf(0.4) - 1.0).abs() < 1e-12);
    assert_eq!(system.suggested_tolerance(), 1e-6);
}

/// Two systems that differ only in whether a ball is free or driven exert the same forces on the
/// other ball, which is free: the contact starts as they touch, where no energy is stored that the
/// mass of the other one would enter by.
#[test]
fn a_free_ball_feels_a_driven_one_as_it_would_a_free_one() {
    let deep = [0.05, 0.1, 0.16];
    let touching = (0.2 - 2.1e-8) / norm(&Vec3::from(deep));
    let mut other = ball("other", deep.map(|x| x * touching));
    other.velocity = [0.3, 0.0, 0.2];
    let hit = |first: BodyDescription| {
        let mut description = steel_scene(vec![other.clone(), first]);
        // What a driven body has whatever the scene says.
        description.contact.law.damping = Damping::Exact;
        let mut system = system(description);
        let mut states = system.scene().start_states();
        update(&mut system, 0.0, &mut states);
        assert_eq!(system.ledger().contacts().len(), 1);
        states[..3].copy_from_slice(&deep);
        let rates = rates(&mut system, 0.0, &states);
        rates[..13].to_vec()
    };
    let mut hammer = driven_ball(OrientationInput::Matrix, ForceAxes::World);
    hammer.position = [0.0, 0.0, 0.0];
    hammer.orientation = TURN;
    hammer.velocity = [0.1, 0.5, 1.0];
    hammer.angular_velocity = [1.0, 2.0, 3.0];
    let mut free = hammer.clone();
    free.motion = Motion::Free;
    for (driven, free) in hit(hammer).iter().zip(hit(free)) {
        assert!((driven - free).abs() <= 1e-9 * free.abs().max(1.0));
    }
}
