//! Motion of joint trees over time against closed forms, by the project's own integrator.

use crate::fixtures::*;
use crate::running::Run;
use contact_geometry::math::quaternion;
use std::f64::consts::{PI, TAU};

pub(crate) const G: f64 = 9.81;

pub(crate) fn near(value: f64, expected: f64, tolerance: f64) {
    let off = (value - expected).abs();
    assert!(off <= tolerance, "{value:e} is not {expected:e}");
}

/// Mass [kg], centre of mass [m] and principal moments [kg.m2].
pub(crate) fn mass(mass: f64, center: [f64; 3], [xx, yy, zz]: [f64; 3]) -> GivenMass {
    given_mass(mass, center, [xx, yy, zz, 0.0, 0.0, 0.0])
}

/// Bodies that hang on these joints, without gravity.
pub(crate) fn scene(
    bodies: &[(&str, GivenMass)],
    joints: Vec<JointDescription>,
) -> SceneDescription {
    let bodies = bodies.iter();
    let bodies = bodies.map(|(name, mass)| plain_body(name, Motion::Joint, *mass));
    let mut description = steel_scene(bodies.collect());
    description.gravity = Gravity::None;
    description.joints = joints;
    description
}

/// Arithmetic-geometric mean.
fn agm(mut a: f64, mut b: f64) -> f64 {
    for _ in 0..10 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    a
}

#[test]
fn a_physical_pendulum_swings_with_the_period_of_the_elliptic_integral() {
    // m = 2 kg, l = 0.7 m, I_c = 0.3 kg.m2: I = I_c + m l^2; angle from the lowest point.
    let (m, l) = (2.0, 0.7);
    let inertia = 0.3 + m * l * l;
    for amplitude in [0.01_f64, 1.0, 3.0] {
        let mut hinge = joint(JointKind::Revolute, None, "bob");
        hinge.axis = [1.0, 0.0, 0.0];
        hinge.positions = vec![amplitude];
        let bob = mass(m, [0.0, 0.0, -l], [0.3, 0.3, 0.1]);
        let mut description = scene(&[("bob", bob)], vec![hinge]);
        description.gravity = Gravity::Uniform([0.0, 0.0, -G]);
        let mut run = Run::new(description, 1e-11);
        // T = 2 pi sqrt(I/(m g l))/agm(1, cos(amplitude/2)).
        let small = TAU * (inertia / (m * G * l)).sqrt();
        let period = small / agm(1.0, (0.5 * amplitude).cos());
        run.smoothly_to(0.25 * period);
        near(run.states[0], 0.0, 1e-8);
        run.smoothly_to(0.5 * period);
        near(run.states[0], -amplitude, 1e-8);
        run.smoothly_to(period);
        near(run.states[0], amplitude, 1e-8);
        near(run.states[1], 0.0, 1e-7);
    }
}

#[test]
fn a_point_mass_on_a_massless_bar_meets_the_obstacle_when_it_should() {
    // V. Engelson, Linkoping 2000, 2.5: 50 kg at 0.5 m, from 1 rad off the upright position; the
    // end at 1 m is 0.5 m off the vertical at pi + asin(0.5), after 0.563757 s at 7.428614 rad/s.
    let mut hinge = joint(JointKind::Revolute, None, "bar");
    hinge.positions = vec![1.0];
    let bar = mass(50.0, [0.0, 0.5, 0.0], [0.0; 3]);
    let mut description = scene(&[("bar", bar)], vec![hinge]);
    description.gravity = Gravity::Uniform([0.0, -G, 0.0]);
    let mut run = Run::new(description, 1e-11);
    run.smoothly_to(0.563757);
    // The time is given to 5e-7 s.
    near(run.states[0], PI + 0.5_f64.asin(), 7.43 * 5e-7);
    near(run.states[1], 7.428614, 10.0 * 5e-7 + 5e-7);
}

#[test]
fn a_top_on_a_ball_joint_precesses_steadily() {
    // Axial inertia c, transverse one a about the tip, tilt t, precession p: the spin n about the
    // axis obeys a p^2 cos t - c n p + m g l = 0.
    let (m, l, c) = (1.5, 0.4, 0.05);
    let a = 0.08 + m * l * l;
    let (tilt, precession) = (0.6_f64, 2.0);
    let spin = (a * precession * precession * tilt.cos() + m * G * l) / (c * precession);
    let mut ball = joint(JointKind::Spherical, None, "top");
    // Tilted about x.
    let (half_sin, half_cos) = (0.5 * tilt).sin_cos();
    ball.positions = vec![half_cos, half_sin, 0.0, 0.0];
    // w = p z + (n - p cos t) e_3 in body axes, where z = (0, sin t, cos t).
    ball.rates = vec![0.0, precession * tilt.sin(), spin];
    let top = mass(m, [0.0, 0.0, l], [0.08, 0.08, c]);
    let mut description = scene(&[("top", top)], vec![ball]);
    description.gravity = Gravity::Uniform([0.0, 0.0, -G]);
    let mut run = Run::new(description, 1e-11);
    let end = 3.0;
    run.smoothly_to(end);
    let turn = |axis: [f64; 3], angle: f64| -> Mat3 {
        let (sin, cos) = (0.5 * angle).sin_cos();
        rotation_matrix(&[cos, axis[0] * sin, axis[1] * sin, axis[2] * sin])
    };
    let own = spin - precession * tilt.cos();
    let z = [0.0, 0.0, 1.0];
    let expected = turn(z, precession * end) * turn([1.0, 0.0, 0.0], tilt) * turn(z, own * end);
    let q = [0, 1, 2, 3].map(|i| run.states[i]);
    assert!((rotation_matrix(&q) - expected).amax() < 1e-7);
}

#[test]
fn two_bodies_on_a_spring_swing_about_their_centre_of_mass() {
    // A free body of 2 kg, one of 3 kg on a slide of it with k = 50 N/m: w^2 = k (1/m_1 + 1/m_2).
    let mut slide = joint(JointKind::Prismatic, Some("base"), "slider");
    slide.axis = [1.0, 0.0, 0.0];
    slide.positions = vec![0.3];
    slide.forces[0].spring = Some(joint_spring(50.0, 0.1));
    let slider = mass(3.0, [0.0; 3], [0.1; 3]);
    let mut description = scene(&[("slider", slider)], vec![slide]);
    let mut base = plain_body("base", Motion::Free, mass(2.0, [0.0; 3], [0.2; 3]));
    base.velocity = [0.0, 0.5, 0.0];
    description.bodies.push(base);
    // The base alone would go along y; the slider goes with it, since the joint starts at rest.
    let mut run = Run::new(description, 1e-11);
    let start = run.balance();
    let end = 1.7;
    run.smoothly_to(end);
    let w = f64::sqrt(50.0 * (1.0 / 2.0 + 1.0 / 3.0));
    let stretch = 0.2 * (w * end).cos();
    near(run.states[13], 0.1 + stretch, 1e-9);
    near(run.states[14], -0.2 * w * (w * end).sin(), 1e-8);
    // The centre of mass stays at x = 3/5 0.3.
    near(run.states[0], 0.6 * 0.3 - 0.6 * (0.1 + stretch), 1e-9);
    near(run.states[1], 0.5 * end, 1e-9);
    near(run.balance(), start, 1e-9);
}

#[test]
fn a_bead_on_a_massless_spoke_goes_straight() {
    // The spoke has no inertia about the axis, so nothing acts on the bead: it goes
    // along a straight line at w r_0, r^2 = r_0^2 + (w r_0 t)^2.
    let hub = mass(1.0, [0.0; 3], [0.0; 3]);
    let bead = mass(0.7, [0.0; 3], [0.0; 3]);
    let mut hinge = joint(JointKind::Revolute, None, "hub");
    hinge.rates = vec![4.0];
    let mut slide = joint(JointKind::Prismatic, Some("hub"), "bead");
    slide.axis = [1.0, 0.0, 0.0];
    slide.positions = vec![0.25];
    let mut run = Run::new(
        scene(&[("hub", hub), ("bead", bead)], vec![hinge, slide]),
        1e-11,
    );
    run.smoothly_to(1.5);
    let way = 4.0 * 0.25 * 1.5;
    near(run.states[2], f64::hypot(0.25, way), 1e-9);
    near(run.states[0], f64::atan2(way, 0.25), 1e-9);
}

#[test]
fn a_bead_on_a_heavy_spoke_keeps_energy_and_angular_momentum() {
    // r'^2 = L^2/m (1/(I + m r_0^2) - 1/(I + m r^2)), L = (I + m r_0^2) w_0.
    let (inertia, m, start, w) = (0.4, 0.7, 0.25, 4.0);
    let hub = mass(1.0, [0.0; 3], [inertia; 3]);
    let bead = mass(m, [0.0; 3], [0.0; 3]);
    let mut hinge = joint(JointKind::Revolute, None, "hub");
    hinge.rates = vec![w];
    let mut slide = joint(JointKind::Prismatic, Some("hub"), "bead");
    slide.axis = [1.0, 0.0, 0.0];
    slide.positions = vec![start];
    let mut run = Run::new(
        scene(&[("hub", hub), ("bead", bead)], vec![hinge, slide]),
        1e-11,
    );
    run.smoothly_to(0.8);
    let about = |r: f64| inertia + m * r * r;
    let momentum = about(start) * w;
    let r = run.states[2];
    near(run.states[1], momentum / about(r), 1e-9);
    let speed = momentum * ((1.0 / about(start) - 1.0 / about(r)) / m).sqrt();
    near(run.states[3], speed, 1e-9);
    assert!(r > 2.0 * start);
}

/// A body that moves by itself, with joints on it.
pub(crate) fn on_support(
    profile: MotionProfile,
    mut description: SceneDescription,
) -> SceneDescription {
    let support = plain_body("support", Motion::Prescribed, GivenMass::default());
    description.bodies.push(support);
    description.motions = vec![motion_of("support", profile)];
    description
}

#[test]
fn a_bead_on_a_spoke_at_constant_speed_goes_out_like_a_hyperbolic_cosine() {
    let mut slide = joint(JointKind::Prismatic, Some("support"), "bead");
    slide.axis = [1.0, 0.0, 0.0];
    slide.positions = vec![0.25];
    let bead = mass(0.7, [0.0; 3], [0.0; 3]);
    let spoke = uniform([0.3, -0.2, 0.1], [0.0, 0.0, 2.0]);
    let mut run = Run::new(
        on_support(spoke, scene(&[("bead", bead)], vec![slide])),
        1e-11,
    );
    run.smoothly_to(1.5);
    near(run.states[0], 0.25 * f64::cosh(3.0), 1e-8);
    near(run.states[1], 0.5 * f64::sinh(3.0), 1e-8);
    // The spoke pushes the bead aside by 2 m w r'.
    let [force, _] = run.system.reaction_here(0.into()).expect("a reaction");
    near(force.norm(), 2.0 * 0.7 * 2.0 * run.states[1], 1e-8);
}

#[test]
fn a_pendulum_feels_the_acceleration_of_its_support() {
    // A point mass at l below a support that goes to and fro along x and z and turns about the
    // hinge.
    let (l, t, angle) = (0.5, 0.4_f64, 0.7_f64);
    let mut hinge = joint(JointKind::Revolute, Some("support"), "bob");
    hinge.axis = [0.0, 1.0, 0.0];
    let bob = mass(1.3, [0.0, 0.0, -l], [0.0; 3]);
    let shaken = sine([0.1, 0.0, 0.05], [0.0, 0.3, 0.0], 3.0, 0.2);
    let mut description = on_support(shaken, scene(&[("bob", bob)], vec![hinge]));
    description.gravity = Gravity::Uniform([0.0, 0.0, -G]);
    let mut run = Run::new(description, 1e-9);
    let sine = (3.0 * t + 0.2).sin();
    let [a_x, a_z, turning] = [0.1, 0.05, 0.3].map(|size| -size * 9.0 * sine);
    let rates = rates(&mut run.system, t, &[angle, 1.1]);
    // With b the angle in the world the bob is at l (-sin b, -cos b): l b'' = a_x cos b - (g + a_z)
    // sin b.
    let b = angle + 0.3 * sine;
    let expected = (a_x * b.cos() - (G + a_z) * b.sin()) / l - turning;
    near(rates[1], expected, 1e-12);
}

/// A wheel of 0.5 kg.m2 on a hinge.
fn wheel(rate: f64) -> JointDescription {
    let mut hinge = joint(JointKind::Revolute, None, "wheel");
    hinge.rates = vec![rate];
    hinge
}

fn on_axle(hinge: JointDescription) -> Run {
    let wheel = mass(3.0, [0.0; 3], [0.5; 3]);
    let mut description = scene(&[("wheel", wheel)], vec![hinge]);
    description.energy_balance = true;
    Run::new(description, 1e-11)
}

#[test]
fn a_torque_input_turns_a_wheel_by_half_its_acceleration_times_time_squared() {
    let mut hinge = wheel(0.0);
    hinge.forces[0].input = true;
    let mut run = on_axle(hinge);
    run.system.set_inputs(&[0.2], None);
    run.smoothly_to(3.0);
    near(run.states[0], 0.5 * 0.2 / 0.5 * 9.0, 1e-10);
    near(run.states[1], 0.2 / 0.5 * 3.0, 1e-10);
}

#[test]
fn a_torque_input_of_a_ball_joint_acts_in_the_axes_of_the_child() {
    let mut ball = joint(JointKind::Spherical, None, "wheel");
    ball.ball.input = true;
    ball.positions = quaternion(&rotation_matrix(&[0.5, 0.5, 0.5, 0.5])).to_vec();
    let mut run = on_axle(ball);
    run.system.set_inputs(&[0.0, 0.2, 0.0], None);
    run.smoothly_to(2.0);
    // The joint's axes are those of the child, whose axis y stays where it is.
    let rates = Vec3::new(run.states[4], run.states[5], run.states[6]);
    assert!((rates - Vec3::new(0.0, 0.8, 0.0)).amax() < 1e-10);
}

#[test]
fn viscous_friction_slows_a_wheel_exponentially() {
    let mut hinge = wheel(5.0);
    hinge.forces[0].damping = 0.4;
    let mut run = on_axle(hinge);
    let start = run.balance();
    run.smoothly_to(2.0);
    near(run.states[1], 5.0 * (-0.4_f64 / 0.5 * 2.0).exp(), 1e-9);
    // What the speed lost is what friction took.
    near(run.balance(), start, 1e-9);
}

#[test]
fn viscous_friction_of_a_ball_joint_does_too() {
    let mut ball = joint(JointKind::Spherical, None, "wheel");
    ball.rates = vec![1.0, 2.0, -3.0];
    ball.ball.damping = 0.4;
    let mut run = on_axle(ball);
    let start = run.balance();
    run.smoothly_to(2.0);
    let factor = (-0.4_f64 / 0.5 * 2.0).exp();
    for (rate, first) in run.states[4..7].iter().zip([1.0, 2.0, -3.0]) {
        near(*rate, first * factor, 1e-9);
    }
    near(run.balance(), start, 1e-9);
}

#[test]
fn coulomb_friction_stops_a_wheel_at_a_constant_rate() {
    let mut hinge = wheel(5.0);
    hinge.forces[0].friction = Some(joint_friction(0.8, 0.01));
    let mut run = on_axle(hinge);
    let start = run.balance();
    // It is whole down to 0.01 rad/s: w = w_0 - F/I t.
    let end = (5.0 - 0.01) * 0.5 / 0.8;
    run.smoothly_to(end);
    near(run.states[1], 0.01, 1e-8);
    near(run.states[0], 5.0 * end - 0.5 * 0.8 / 0.5 * end * end, 1e-8);
    near(run.balance(), start, 1e-9);
    // Then it goes to rest and not back, but for what the implicit formula leaves far below the
    // tolerance: at least by F w_s/reg <= 1 per w/w_s.
    run.smoothly_to(end + 0.2);
    assert!(
        (-1e-20..1e-8).contains(&run.states[1]),
        "{:e}",
        run.states[1]
    );
}

#[test]
fn a_double_pendulum_keeps_its_energy() {
    // Two rods of 1 m and 1 kg, thrown from the horizontal: 10 s at 1e-10, kept to 1e-9 m g l.
    let rod = mass(1.0, [0.0, 0.0, -0.5], [1.0 / 12.0, 1.0 / 12.0, 0.0]);
    let mut upper = joint(JointKind::Revolute, None, "upper");
    upper.axis = [1.0, 0.0, 0.0];
    upper.positions = vec![0.5 * PI];
    let mut lower = joint(JointKind::Revolute, Some("upper"), "lower");
    lower.axis = [1.0, 0.0, 0.0];
    lower.parent_frame.position = [0.0, 0.0, -1.0];
    lower.positions = vec![0.5 * PI];
    let mut description = scene(&[("upper", rod), ("lower", rod)], vec![upper, lower]);
    description.gravity = Gravity::Uniform([0.0, 0.0, -G]);
    let mut run = Run::new(description, 1e-10);
    let start = run.balance();
    let mut worst = 0.0_f64;
    for second in 1..=10 {
        run.smoothly_to(f64::from(second));
        worst = worst.max((run.balance() - start).abs());
    }
    assert!(worst < 1e-9 * G, "{worst:e}");
}

/// A ball hangs on a fixed post: the two never touch, but the ball meets the floor, which is fixed
/// as the post is.
#[test]
fn a_joint_to_a_fixed_body_lets_its_child_touch_what_else_is_fixed() {
    let mut post = plate();
    post.name = "post".into();
    let mut ball = ball("ball", [0.0; 3]);
    ball.motion = Motion::Joint;
    let mut description = steel_scene(vec![plate(), post, ball]);
    description.joints = vec![joint(JointKind::Revolute, Some("post"), "ball")];
    let scene = Scene::new(description).expect("a valid scene");
    let pairs: Vec<[ShapeId; 2]> = scene.pairs().iter().map(|pair| pair.shapes).collect();
    assert_eq!(pairs, [[0, 2].map(ShapeId::from)]);
}
