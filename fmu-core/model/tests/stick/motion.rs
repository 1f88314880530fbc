//! Blocks, slopes, rolling and turning bodies.

use super::*;

/// Exact Coulomb friction of a block of 1 kg under 8 cos t with mu = 0.8 from x(0) = 3: positions
/// [m], velocities [m/s], and times between which it sticks.
const POSITIONS: [(f64, f64); 3] = [
    (2.0, 3.00434856973),
    (5.0, 2.99130283312),
    (8.0, 3.00434856973),
];
const VELOCITIES: [(f64, f64); 3] = [
    (0.15, 0.01830505979),
    (3.15, -0.02104945090),
    (6.15, 0.00267534651),
];
const STICKING: [(f64, f64); 3] = [
    (0.338608, 2.946347),
    (3.532835, 6.087939),
    (6.674427, 9.229532),
];

/// Largest error of position and of velocity, and how far the block moves while it sticks, with a
/// tangential stiffness [N/m] and a deflection in each contact at the start [m].
fn block_under_8_cos_t(stiffness: f64, deflection: f64) -> [f64; 3] {
    let numbers = [
        (Number::SlidingFriction, 0.8),
        (Number::TangentialStiffness, stiffness),
    ];
    let bodies = vec![ground(), block([3.0, 0.0], 9.81)];
    let description = scene(bodies, FrictionKind::Stick, &numbers);
    let mut run = Run::pushed(description, 1e-8, |t, _| [8.0 * t.cos(), 0.0, 0.0]);
    // Along the ground: no couple shifts the load from one contact to another.
    run.pushed.arm = 0.05;
    for contact in 0..4 {
        run.states[13 + 3 * contact] = deflection;
    }
    let mut errors = [0.0_f64; 3];
    let mut held = [None; 3];
    for step in 1..=200 {
        let time = 0.05 * f64::from(step);
        run.to(time);
        let (x, v) = (run.own(0), run.own(7));
        let at = |known: &[(f64, f64)], value: f64| {
            let found = known.iter().find(|(t, _)| (t - time).abs() < 1e-9);
            found.map_or(0.0, |(_, expected)| (value - expected).abs())
        };
        errors[0] = errors[0].max(at(&POSITIONS, x));
        errors[1] = errors[1].max(at(&VELOCITIES, v));
        for (held, (from, to)) in held.iter_mut().zip(STICKING) {
            // Some milliseconds more, in which the springs swing in.
            if time > from + 0.005 && time < to {
                let (low, high) = held.unwrap_or((x, x));
                *held = Some((f64::min(low, x), f64::max(high, x)));
                errors[2] = errors[2].max(high.max(x) - low.min(x));
            }
        }
    }
    assert!(held.iter().all(Option::is_some));
    let (_, dissipated) = run.energies();
    assert!(dissipated > 0.0);
    errors
}

#[test]
fn a_block_under_8_cos_t_slides_and_sticks_as_the_exact_coulomb_law_says() {
    // Loaded springs at the start: mu m g/4 in each, as in the exact law, where friction is there
    // at once.
    let [x, v, held] = block_under_8_cos_t(1.6e7, 0.8 * 9.81 / 4.0 / 1.6e7);
    assert!(x < 1e-6 && v < 1e-6, "x {x}, v {v}");
    // The springs give by 8 N/(4 k_t) = 1.25e-7 m to either side.
    assert!(held < 2.6e-7, "moved by {held} m while it sticks");
}

#[test]
fn a_block_on_loose_springs_starts_with_the_speed_at_which_their_dampers_hold() {
    // Springs without load let the block go until damping alone is mu m g: c v = 7.848 N with
    // c = 4 sqrt(k_t m). It keeps that for the 0.34 s in which it slides.
    let stiffness = 2e8_f64;
    let gathered = 0.8 * 9.81 / (4.0 * stiffness.sqrt());
    let [x, v, held] = block_under_8_cos_t(stiffness, 0.0);
    assert!(v < gathered && x < 0.34 * gathered, "x {x}, v {v}");
    assert!(x < 1e-4 && held < 1e-6, "x {x}, moved by {held} m");
}

/// Speed after some time, and how far a block moves on a slope of 10 degrees from 1 s to `end`.
fn creep(friction: FrictionKind, numbers: &[(Number, f64)], end: f64) -> (f64, f64, Run) {
    let normal = 9.81 * 10_f64.to_radians().cos();
    let bodies = vec![ground(), block([0.0, 0.0], normal)];
    let mut run = Run::new(tilted(scene(bodies, friction, numbers), 10.0), 1e-8);
    run.to(1.0);
    let start = run.own(0);
    run.to(end);
    ((run.own(0) - start) / (end - 1.0), run.own(0), run)
}

#[test]
fn on_a_slope_coulomb_creeps_as_predicted_and_stick_does_not_move() {
    let slope = 10_f64.to_radians().tan();
    let mu_s = 0.3;
    let numbers = [
        (Number::StaticFriction, mu_s),
        (Number::SlidingFriction, 0.2),
        (Number::StaticSpeed, 0.01),
        (Number::DynamicSpeed, 0.1),
    ];
    // STEP(v, -v_s, -mu_s, v_s, mu_s) = mu_s r (3 - r^2)/2 = tan 10 deg at r = 0.4158.
    let (speed, ..) = creep(FrictionKind::Coulomb, &numbers, 3.0);
    assert!((speed / (0.4158 * 0.01) - 1.0).abs() < 2e-4, "{speed}");

    let (_, position, mut run) = creep(FrictionKind::Stick, &numbers, 10.0);
    assert!(position.abs() < 1e-6, "{position}");
    // Once it has swung in, it does not move at all.
    run.to(20.0);
    assert!((run.own(0) - position).abs() < 1e-12);

    // mu_k v/reg(v) = tan 10 deg, reg = v^2/v_s (1 - v/(3 v_s)) + v_s/3.
    let numbers = [(Number::SlidingFriction, 0.3), (Number::VSmall, 0.01)];
    let reg = |v: f64| v * v / 0.01 * (1.0 - v / 0.03) + 0.01 / 3.0;
    let (mut low, mut high) = (0.0, 0.003);
    for _ in 0..60 {
        let v = 0.5 * (low + high);
        if 0.3 * v / reg(v) < slope {
            low = v;
        } else {
            high = v;
        }
    }
    let (speed, ..) = creep(FrictionKind::Regularized, &numbers, 3.0);
    assert!((speed / low - 1.0).abs() < 0.05, "{speed} against {low}");
}

#[test]
fn beyond_its_limit_a_block_on_a_slope_slides_with_the_difference() {
    // g (sin 10 - 0.1 cos 10).
    let (_, position, run) = creep(FrictionKind::Stick, &[(Number::SlidingFriction, 0.1)], 2.0);
    let (sin, cos) = 10_f64.to_radians().sin_cos();
    let a = 9.81 * (sin - 0.1 * cos);
    assert!((run.own(7) / (2.0 * a) - 1.0).abs() < 1e-4);
    assert!((position / (2.0 * a) - 1.0).abs() < 1e-4);
}

/// A steel ball of radius 0.1 m at rest depth, its mass m = 8000 4/3 pi 0.1^3.
const BALL: f64 = 8000.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-3;

fn moving_ball(speed: f64, spin: f64) -> BodyDescription {
    let mut ball = ball("ball", [0.0, 0.0, 0.1 - rest_depth(0.1, BALL * 9.81)]);
    ball.velocity = [speed, 0.0, 0.0];
    ball.angular_velocity = [0.0, spin, 0.0];
    ball
}

#[test]
fn a_rolling_ball_loses_what_rolling_resistance_takes_and_nothing_else() {
    // Two metres are more than three revolutions.
    for mu_r in [0.0, 0.001] {
        let numbers = [(Number::RollingResistance, mu_r)];
        let bodies = vec![ground(), moving_ball(1.0, 10.0)];
        let mut run = Run::new(scene(bodies, FrictionKind::Stick, &numbers), 1e-9);
        let (start, _) = run.energies();
        run.to(2.0);
        let (end, dissipated) = run.energies();
        let kinetic = 0.7 * BALL;
        // mu_r R f_n turns against the way through the angle x/R.
        let resisted = mu_r * BALL * 9.81 * run.own(0);
        let lost = start - end;
        assert!((lost - resisted).abs() < 1e-6 * kinetic, "{mu_r}: {lost}");
        assert!((dissipated - resisted).abs() < 1e-6 * kinetic);
        assert!(run.own(0) > 1.9);
    }
}

#[test]
fn a_sliding_ball_rolls_after_two_sevenths_with_five_sevenths_of_its_speed() {
    let time = 2.0 / (7.0 * 0.5 * 9.81);
    for friction in [FrictionKind::Stick, FrictionKind::Regularized] {
        let numbers = [(Number::RollingResistance, 0.0)];
        let bodies = vec![ground(), moving_ball(1.0, 0.0)];
        let mut run = Run::new(scene(bodies, friction, &numbers), 1e-9);
        let slip = |run: &Run| run.own(7) - 0.1 * run.own(11);
        run.to(0.95 * time);
        // v - R w = v0 - 7/2 mu g t.
        assert!((slip(&run) / 0.05 - 1.0).abs() < 2e-3, "{}", slip(&run));
        run.to(1.1 * time);
        assert!(slip(&run).abs() < 1e-3);
        run.to(5.0 * time);
        // Friction acts on the arm r = R - depth/2: v = v0 m r^2/(m r^2 + I), 5/7 but for 1e-5.
        let r = 0.1 - 0.5 * rest_depth(0.1, BALL * 9.81);
        let rolling = r * r / (r * r + 0.4 * 0.01);
        assert!((rolling / (5.0 / 7.0) - 1.0).abs() < 2e-5);
        assert!((run.own(7) / rolling - 1.0).abs() < 1e-6, "{friction:?}");
        let off = (r * run.own(11) / rolling - 1.0).abs();
        assert!(off < 1e-6, "{friction:?}");
    }
}

#[test]
fn a_block_on_a_turning_plate_stays_where_it_is_on_the_plate() {
    // The plate is so heavy that nothing changes its motion; the weight is a force on the block.
    let form = cuboid([2.0, 2.0, 0.1]);
    let mut plate = body("plate", Motion::Free, form, [0.0, 0.0, -0.05]);
    const TURN: f64 = 3.0;
    plate.mass.mass = Some(1e9);
    plate.mass.inertia = Some([1e9, 1e9, 2e9, 0.0, 0.0, 0.0]);
    plate.angular_velocity = [0.0, 0.0, TURN];
    let mut block = block([0.2, 0.0], 9.81);
    block.velocity = [0.0, 0.2 * TURN, 0.0];
    block.angular_velocity = [0.0, 0.0, TURN];
    let numbers = [
        (Number::SlidingFriction, 0.5),
        (Number::TangentialStiffness, 1e5),
    ];
    let mut description = scene(vec![plate, block], FrictionKind::Stick, &numbers);
    description.gravity = Gravity::None;
    let mut run = Run::pushed(description, 1e-9, |_, _| [0.0, 0.0, -9.81]);
    let place = |run: &Run| {
        let (sin, cos) = (TURN * run.time).sin_cos();
        let (x, y) = (run.own(0), run.own(1));
        Vec3::new(cos * x + sin * y, cos * y - sin * x, 0.0)
    };
    run.to(1.0);
    let start = place(&run);
    // m r w^2 on four springs: the block is farther out by 1.8 N/4e5 N/m.
    assert!((start.x - 0.2 - 4.5e-6).abs() < 1e-8, "{start}");
    run.to(7.0);
    // A deflection that did not turn would let it creep at w s: 8e-5 m in this time.
    let off = (place(&run) - start).norm();
    assert!(off < 1e-8, "{}", place(&run) - start);
}

#[test]
fn a_pushed_block_swings_back_and_comes_to_rest_without_gaining_energy() {
    let mut moving = block([0.0, 0.0], 9.81);
    moving.velocity = [1e-4, 5e-5, 0.0];
    // A tenth of the damping that is derived, so that it swings.
    let numbers = [
        (Number::TangentialStiffness, 1.6e7),
        (Number::TangentialDamping, 400.0),
    ];
    let description = scene(vec![ground(), moving], FrictionKind::Stick, &numbers);
    let mut run = Run::new(description, 1e-10);
    let (mut energy, start) = (f64::INFINITY, run.energies().0);
    let (mut least, kinetic) = (0.0_f64, 0.5 * 1.25e-8);
    for step in 1..=400 {
        run.to(2e-5 * f64::from(step));
        let (mechanical, dissipated) = run.energies();
        assert!((mechanical + dissipated - start).abs() < 1e-4 * kinetic);
        assert!(mechanical <= energy + 1e-5 * kinetic);
        (energy, least) = (mechanical, least.min(run.own(7)));
    }
    // It swings at 8000 rad/s with a tenth of the critical damping.
    assert!(least < -3e-5, "no swing back: {least}");
    run.to(0.05);
    assert!(run.own(7).abs() < 1e-8 && run.own(8).abs() < 1e-8);
}

#[test]
fn rest_and_fast_sliding_cost_steps_of_the_order_of_those_of_regularized_friction() {
    let steps = |friction, speed: f64, time: f64| {
        let mut block = block([0.0, 0.0], 9.81);
        block.velocity = [speed, 0.0, 0.0];
        let numbers = [(Number::SlidingFriction, 0.05)];
        let mut run = Run::new(scene(vec![ground(), block], friction, &numbers), 1e-8);
        run.to(time);
        let work = run.work();
        work.steps + work.rejected_steps
    };
    for (speed, time) in [(0.0, 10.0), (1.0, 1.0), (30.0, 1.0)] {
        let [stick, regularized] = [FrictionKind::Stick, FrictionKind::Regularized]
            .map(|friction| steps(friction, speed, time));
        println!("{speed} m/s, {time} s: stick {stick}, regularized {regularized} steps");
        let most = 2 * regularized + 1000;
        assert!(stick < most, "{speed} m/s: {stick} and {regularized}");
    }
}

/// Work and states at 0.23 s of a steel capsule that rolls off a fixed one, both along y, from 0.05 rad on one
/// side of its top; the states of the side x < 0 as seen in a mirror. Order of the two bodies as given.
fn off_a_capsule(friction: FrictionKind, side: f64, is_first: bool) -> (u64, Vec<f64>) {
    let form = || Form::Capsule {
        diameter: 0.04,
        length: 0.2,
        axis: Axis::Y,
    };
    let place = |angle: f64| [0.04 * angle.sin(), 0.0, 0.04 * angle.cos()];
    let mut bodies = vec![
        body("lower", Motion::Fixed, form(), [0.0; 3]),
        body("upper", Motion::Free, form(), place(0.05 * side)),
    ];
    if is_first {
        bodies.reverse();
    }
    let mut description = steel_scene(bodies);
    description.contact.law.friction = friction;
    law_of(&mut description).numbers = vec![
        (Number::Restitution, 0.3),
        (Number::SlidingFriction, 0.4),
        (Number::RollingResistance, 0.0),
    ];
    let mut run = crate::running::Run::new(description, 1e-7);
    run.to(0.23);
    let mut own = run.states[..13].to_vec();
    for odd in [0, 7, 5, 11] {
        own[odd] *= side;
    }
    let work = run.memory.statistics();
    (work.derivative_calls + work.direction_calls, own)
}

#[test]
fn rolling_off_a_capsule_costs_what_it_costs_with_regularized_friction_on_either_side() {
    let (regularized, _) = off_a_capsule(FrictionKind::Regularized, 1.0, false);
    let (stick, states) = off_a_capsule(FrictionKind::Stick, 1.0, false);
    println!("stick {stick}, regularized {regularized} evaluations");
    assert!(stick < 2 * regularized, "{stick} and {regularized}");
    // Without slip v^2 = 2 g l (cos a_0 - cos a)/(1 + k), l the distance of the axes and k = I/(m r^2) of a
    // cylinder of 0.2 m with two half spheres. It falls in by 1.3e-6 m first.
    let (x, z) = (states[0], states[2]);
    let (l, cosine) = (x.hypot(z), z / x.hypot(z));
    let (cylinder, ball) = (0.2, 4.0 / 3.0 * 0.02);
    let k = (0.5 * cylinder + 0.4 * ball) / (cylinder + ball);
    let speed = (2.0 * 9.81 * l * (0.05_f64.cos() - cosine) / (1.0 + k)).sqrt();
    let found = states[7].hypot(states[9]);
    assert!(
        (found / speed - 1.0).abs() < 3e-4,
        "{found} m/s, not {speed}"
    );
    let others = [(-1.0, false), (1.0, true)].map(|(side, is_first)| {
        let (work, other) = off_a_capsule(FrictionKind::Stick, side, is_first);
        assert!(work < 2 * regularized, "{work} and {regularized}");
        other
    });
    for (own, other) in states
        .iter()
        .zip(&others[0])
        .chain(states.iter().zip(&others[1]))
    {
        assert!((own - other).abs() < 1e-6, "{own} {other}");
    }
}
