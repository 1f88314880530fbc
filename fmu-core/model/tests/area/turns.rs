//! Bodies that stick while they turn and roll, and an impact with friction at an edge.

use super::*;

/// Numbers of friction that holds.
fn holds(mu: f64) -> [(Number, f64); 2] {
    [(Number::SlidingFriction, mu), (Number::StaticFriction, mu)]
}

#[test]
fn a_cylinder_that_sticks_rolls_straight_down_a_slope() {
    let (r, length, angle) = (0.05, 0.1, 0.1_f64);
    let form = cylinder(2.0 * r, length, Axis::Y);
    for ground in grounds() {
        let at = [-0.5, 0.0, r - STARTS];
        let roller = body("roller", Motion::Free, form.clone(), at);
        // The front of the patch comes in and the rear goes out, which must not brake it.
        let numbers = [&[(Number::Restitution, 0.3)][..], &holds(0.5)].concat();
        let mut description = scene(vec![ground, roller], FrictionKind::Stick, &numbers);
        description.gravity = on_slope(angle);
        let mut run = Run::new(description, 1e-8);
        run.to(0.2);
        let start = run.states[7];
        run.to(1.0);
        let gain = (run.states[7] - start) / 0.8;
        let expected = G * angle.sin() / 1.5;
        assert!((gain / expected - 1.0).abs() < 1e-3, "{gain} {expected}");
        // A deflection that turned with the cylinder would come to lie along the normal and turn
        // it: with half of its turning 3e-3 rad/s and 7e-4 m/s were found.
        let aside = [run.states[1], run.states[8], run.states[12]];
        assert!(aside.iter().all(|v| v.abs() < 1e-7), "{aside:?}");
    }
}

/// Plates of 2 mm until they stop. Distances along and aside and turning: the equations of a rigid
/// body under the integral of uniform pressure, integrated over the outline with 4000 points.
#[test]
fn a_puck_that_spins_goes_as_far_as_the_integral_says() {
    let disc = cylinder(0.2, 0.002, Axis::Z);
    let plate = cuboid([0.4, 0.1, 0.002]);
    let cases = [
        (&disc, 0.5, 20.0, [0.227_25, 0.0, 8.120_5]),
        (&disc, 1.0, 5.0, [0.271_33, 0.0, 1.749_0]),
        (&plate, 1.0, 5.0, [0.308_26, -0.013_503, 1.775_5]),
    ];
    for (form, speed, spin, [along, aside, turn]) in cases {
        let depth = 16.0 * G / STIFFNESS;
        let at = [0.0, 0.0, 0.001 - STARTS - depth];
        let mut puck = body("puck", Motion::Free, form.clone(), at);
        puck.velocity = [speed, 0.0, 0.0];
        puck.angular_velocity = [0.0, 0.0, spin];
        let numbers = [
            (Number::Restitution, 0.3),
            (Number::SlidingFriction, 0.2),
            (Number::RollingResistance, 0.0),
            (Number::VSmall, 1e-4),
        ];
        let [ground, _] = grounds();
        let description = scene(vec![ground, puck], FrictionKind::Regularized, &numbers);
        let mut run = Run::new(description, 1e-7);
        run.to(0.9);
        let [x, y] = [run.states[0], run.states[1]];
        // Aside, friction below the middle moves the pressure by mu h = 0.2 mm, 0.2 % of the radius.
        let most = 1e-3 * along;
        assert!(
            (x - along).abs() < most && (y - aside).abs() < 2.0 * most,
            "{x} {y}"
        );
        let half = 0.5 * turn;
        let (w, z) = (run.states[3], run.states[6]);
        let off = 2.0 * (z * half.cos() - w * half.sin()).abs();
        let most = 1e-3 * turn;
        assert!(off < most, "{form:?}: turned by {off} too much or less");
    }
}

/// It rolls as fast as without losses, and without friction its spin stays.
#[test]
fn damping_neither_brakes_a_drum_that_rolls_nor_one_that_spins_in_place() {
    let r = 0.05;
    let form = cylinder(2.0 * r, 0.1, Axis::Y);
    for (mu, speed, spin) in [(0.5, 0.2, 0.2 / r), (0.0, 0.0, 4.0), (0.0, 0.1, -3.0)] {
        for ground in grounds() {
            let mut drum = body("drum", Motion::Free, form.clone(), [-0.3, 0.0, r]);
            drum.velocity = [speed, 0.0, 0.0];
            drum.angular_velocity = [0.0, spin, 0.0];
            let numbers = [(Number::Restitution, 0.3), (Number::SlidingFriction, mu)];
            let mut description = scene(vec![ground, drum], FrictionKind::Regularized, &numbers);
            description.energy_balance = true;
            let mut run = Run::new(description, 1e-8);
            let work = run.system.scene().layout().work().expect("a balance");
            let start = run.energy();
            run.to(1.0);
            let error = run.energy() + run.states[work] - start;
            assert!(error.abs() < 1e-7, "{mu}: energy {error:e}");
            let found = [run.states[7], run.states[11]];
            for (found, expected) in found.into_iter().zip([speed, spin]) {
                // With friction it creeps while it settles.
                let off = if mu > 0.0 {
                    3e-4 * expected.abs()
                } else {
                    1e-9
                };
                assert!((found - expected).abs() < off, "{mu}: {found} {expected}");
            }
        }
    }
}

/// A disc that leans on its rim and rolls in a circle: the spin about its axis, the turning about the
/// vertical and the way along the plane change nothing that overlaps, so it loses to damping
/// no more than without, where drilling friction of the rim remains. Its precession is that of
/// steady rolling, W^2 = g r cos t/(sin t (r b + I_a b/r + I_t cos t)), with the tilt t of its
/// plane, the circle b of its centre, and I_a = r^2/2, I_t = r^2/4 + h^2/12 over the mass.
#[test]
fn a_coin_that_rolls_on_its_rim_loses_to_friction_alone() {
    let (r, h, b, tilt) = (0.012, 0.002, 0.01, 1.0_f64);
    let (sine, cosine) = (tilt.sin(), tilt.cos());
    let (axial, across) = (0.5 * r * r, 0.25 * r * r + h * h / 12.0);
    let square = G * r * cosine / (sine * (r * b + axial * b / r + across * cosine));
    let turning = square.sqrt();
    let spin = -turning * (b + r * cosine) / r;
    let kept = |restitution: f64| {
        let at = [b, 0.0, r * sine + 0.5 * h * cosine - 1e-6];
        let mut coin = body("coin", Motion::Free, cylinder(2.0 * r, h, Axis::Z), at);
        let half = 0.5 * tilt;
        coin.orientation = [half.cos(), 0.0, half.sin(), 0.0];
        coin.velocity = [0.0, turning * b, 0.0];
        coin.angular_velocity = [-turning * sine, 0.0, spin + turning * cosine];
        let numbers = [
            (Number::Restitution, restitution),
            (Number::StiffnessPerArea, 5e9),
            (Number::SlidingFriction, 0.5),
            (Number::VSmall, 1e-3),
        ];
        let [ground, _] = grounds();
        let mut description = scene(vec![ground, coin], FrictionKind::Regularized, &numbers);
        description.energy_balance = true;
        let mut run = Run::new(description, 1e-6);
        let start = run.energy();
        run.to(0.25);
        let work = run.system.scene().layout().work().expect("a balance");
        let error = run.energy() + run.states[work] - start;
        assert!(error.abs() < 1e-4 * start, "energy {error:e}");
        run.energy() / start
    };
    let (free, damped) = (kept(1.0), kept(0.5));
    assert!(free > 0.95, "{free}");
    assert!(free - damped < 0.004, "{free} {damped}");
}

/// A steel cone that rolls about its apex at 5 rad/s: explicit steps are limited by stability,
/// 30,000 a second, and implicit ones ten times as long pay.
#[test]
#[ignore = "long: thousands of implicit steps"]
fn a_cone_that_rolls_on_its_side_takes_implicit_steps() {
    let at = [-0.142_302_494_707_577, 0.0, 0.047_434_143_902_525_66];
    let mut cone = body("cone", Motion::Free, cone(0.1, 0.0, 0.15, Axis::Z), at);
    cone.orientation = [0.584_710_284_663_765, 0.0, 0.811_242_185_175_560_8, 0.0];
    cone.velocity = [0.0, 0.237_170_824_512_628_33, 0.0];
    cone.angular_velocity = [1.581_138_830_084_189, 0.0, -4.743_416_490_252_569];
    let ground = body("ground", Motion::Fixed, Form::HalfSpace, [0.0; 3]);
    let mut description = steel_scene(vec![ground, cone]);
    description.contact.law.friction = FrictionKind::Stick;
    let mut run = Run::new(description, 1e-8);
    run.to(0.06);
    let steps = run.memory.statistics().steps;
    assert!(steps < 500, "{steps}");
    assert!((run.states[12] + 4.743_4).abs() < 0.1, "{}", run.states[12]);
}

/// A torque that varies as a sine.
struct Twist {
    /// Amplitude [N.m].
    torque: f64,
    /// Angular frequency [rad/s].
    omega: f64,
}

/// Largest turn [rad], largest error of the energy, exchanged and lost work [J] of a brick on the
/// ground within 0.4 s of a torque about the vertical.
fn twist(side: f64, mu: f64, tangential: f64, twist: &Twist) -> [f64; 4] {
    let Twist { torque, omega } = *twist;
    let depth = 8.0 * G / (1e9 * side * side);
    let brick = crate_of("brick", [side; 3], [0.0, 0.0, 0.5 * side - STARTS - depth]);
    let numbers = [
        (Number::StiffnessPerArea, 1e9),
        (Number::Restitution, 0.5),
        (Number::TangentialStiffness, tangential),
    ];
    let numbers = [&numbers[..], &holds(mu)].concat();
    let [ground, _] = grounds();
    let mut description = scene(vec![ground, brick], FrictionKind::Stick, &numbers);
    let profile = ForceProfile::Sine {
        amplitude: vectors(None, Some([0.0, 0.0, torque])),
        angular_frequency: omega,
        phase: 0.0,
    };
    description.forces = vec![force("twist", "brick", profile)];
    description.energy_balance = true;
    let mut run = Run::new(description, 1e-9);
    let work = run.system.scene().layout().work().expect("a balance");
    let start = run.energy();
    let (mut put_in, mut exchanged, mut before) = (0.0, 0.0, 0.0);
    let (mut worst, mut most) = (0.0_f64, 0.0_f64);
    // Simpson's rule over the power.
    let h = 2e-5;
    for i in 1..=10_000 {
        let mut power_at = |t: f64| {
            run.to(t);
            torque * (omega * t).sin() * run.states[12]
        };
        let t = 2.0 * h * f64::from(i);
        let (middle, end) = (power_at(t - h), power_at(t));
        let more = h / 3.0 * (before + 4.0 * middle + end);
        put_in += more;
        exchanged += more.abs();
        before = end;
        most = most.max(run.states[6].abs() * 2.0);
        if i % 100 == 0 {
            worst = worst.max((run.energy() + run.states[work] - start - put_in).abs());
        }
    }
    [most, worst, exchanged, run.states[work]]
}

#[test]
#[ignore = "long: a quadrature of some thousand steps"]
fn a_brick_that_sticks_and_turns_keeps_its_balance_under_a_varying_torque() {
    let (side, mu, omega, k) = (0.1, 0.4, 30.0_f64, 1e6);
    let (mass, weight) = (8.0_f64, 8.0 * G);
    let c = side * (2.0_f64.sqrt() + (1.0 + 2.0_f64.sqrt()).ln()) / 6.0;
    let limit = mu * weight * c;
    let held = Twist {
        torque: 0.5 * limit,
        omega,
    };
    let [turn, error, exchanged, _] = twist(side, mu, k, &held);
    assert!(error < 1e-9 * exchanged, "{error:e} of {exchanged:e}");
    // An oscillator: spring k c^2, damper sqrt(k m) c^2, inertia m a^2/6.
    let (spring, inertia) = (k * c * c, mass * side * side / 6.0);
    let stiff = spring - inertia * omega * omega;
    let viscous = (k * mass).sqrt() * c * c * omega;
    let expected = held.torque / stiff.hypot(viscous);
    close!(turn, expected, 1e-3);
    // Above the limit it slips to and fro.
    let slips = Twist {
        torque: 1.1 * limit,
        omega,
    };
    let [turn, error, exchanged, lost] = twist(side, mu, k, &slips);
    assert!(error < 1e-8 * exchanged, "{error:e} of {exchanged:e}");
    assert!(
        turn > 2.0 * slips.torque / spring && lost > 0.5 * exchanged,
        "{turn} {lost}"
    );
}

/// Velocities vx, vz [m/s] and angular velocity [rad/s] of a block of m, I after its edge at r from
/// the middle has hit, with the impulse P along z and -mu P along x, so large that the edge moves
/// off with e times its speed.
fn after_an_edge(m: f64, inertia: f64, r: [f64; 2], v: [f64; 2], mu: f64, e: f64) -> [f64; 3] {
    let [rx, rz] = r;
    let turns = (rz * -mu - rx) / inertia;
    let impulse = -(1.0 + e) * v[1] / (1.0 / m - rx * turns);
    [v[0] - mu * impulse / m, v[1] + impulse / m, turns * impulse]
}

#[test]
fn a_block_that_hits_with_an_edge_and_slides_leaves_as_a_rigid_one() {
    let (lengths, turn, v) = ([0.1, 0.2, 0.15], 0.3_f64, [4.0, -1.0]);
    let m = 8000.0 * lengths.iter().product::<f64>();
    let inertia = m * (lengths[0] * lengths[0] + lengths[2] * lengths[2]) / 12.0;
    let (s, c) = turn.sin_cos();
    let [x, z] = [0.5 * lengths[0], -0.5 * lengths[2]];
    let r = [c * x + s * z, c * z - s * x];
    let after = |k: f64, e: f64, mu: f64| {
        let mut block = crate_of("block", lengths, [0.0, 0.0, -r[1] + 1e-6]);
        block.orientation = quaternion(&exponential(&Vec3::new(0.0, turn, 0.0)));
        block.velocity = [v[0], 0.0, v[1]];
        let numbers = [
            (Number::StiffnessPerArea, k),
            (Number::Restitution, e),
            (Number::SlidingFriction, mu),
            (Number::RollingResistance, 0.0),
            (Number::VSmall, 1e-4),
        ];
        let [ground, _] = grounds();
        let mut description = scene(vec![ground, block], FrictionKind::Regularized, &numbers);
        description.gravity = Gravity::None;
        let mut run = Run::new(description, 1e-9);
        let mut touched = false;
        run.until(1.0, |system| {
            let touches = !system.ledger().contacts().is_empty();
            touched |= touches;
            touched && !touches
        });
        [run.states[7], run.states[9], run.states[11]]
    };
    for (e, mu) in [(1.0, 0.0), (1.0, 0.3), (0.7, 0.0), (0.7, 0.3)] {
        // What the depth changes goes with its size, k^(-1/3): a tenth from the one to the other.
        let [soft, stiff] = [1e11, 1e14].map(|k| after(k, e, mu));
        let rigid: Vec<f64> = (0..3)
            .map(|i| stiff[i] + (stiff[i] - soft[i]) / 9.0)
            .collect();
        let expected = after_an_edge(m, inertia, r, v, mu, e);
        for (i, size) in [1.0, 1.0, 15.0].into_iter().enumerate() {
            let error = (rigid[i] - expected[i]).abs();
            let most = 2e-4 * size;
            assert!(error < most, "{e} {mu} {i}: {} {}", rigid[i], expected[i]);
        }
    }
}

/// Largest way aside [m], turn out of the plane [rad] and speed aside [m/s] of a tall block that
/// rocks and slides on a ground, a plane problem.
fn aside(ground: BodyDescription) -> [f64; 3] {
    let lengths = [0.06, 0.06, 0.2];
    let mut block = crate_of("block", lengths, [0.0, 0.0, 0.1 + 1e-6]);
    block.velocity = [0.1, 0.0, 0.0];
    block.angular_velocity = [0.0, 1.0, 0.0];
    let numbers = [(Number::StiffnessPerArea, 2e10), (Number::Restitution, 0.3)];
    let numbers = [&numbers[..], &holds(0.6)].concat();
    let mut run = Run::new(
        scene(vec![ground, block], FrictionKind::Stick, &numbers),
        1e-8,
    );
    let mut most = [0.0_f64; 3];
    for step in 1..=50 {
        run.to(0.01 * f64::from(step));
        let x = &run.states;
        let turn = 2.0 * x[4].hypot(x[6]);
        for (most, now) in most.iter_mut().zip([x[1].abs(), turn, x[8].abs()]) {
            *most = most.max(now);
        }
    }
    most
}

#[test]
fn a_plane_problem_stays_plane_where_friction_holds() {
    for ground in grounds() {
        let found = aside(ground);
        assert!(found.iter().all(|off| *off < 1e-13), "{found:?}");
    }
}

#[test]
fn faces_that_hold_give_along_by_mindlins_share_of_their_stiffness() {
    let disc = cylinder(0.2, 0.01, Axis::Z);
    let shapes = [
        (cuboid([0.5, 0.1, 0.01]), 0.05, 0.01),
        (cuboid([0.3, 0.3, 0.002]), 0.09, 0.002),
        (cuboid([0.1, 0.1, 0.1]), 0.01, 0.1),
        (cuboid([0.03, 0.2, 0.02]), 0.006, 0.02),
        (disc, std::f64::consts::PI * 0.01, 0.01),
    ];
    for (form, area, height) in shapes {
        for ground in grounds() {
            let mut run = pushed((ground, form.clone()), (area, height));
            run.to(0.1);
            let weight = 8000.0 * area * height * G;
            // Steel: 2 (1 - nu)/(2 - nu) with nu = 0.3.
            let expected = 0.1 * weight / (1e9 * area * 1.4 / 1.7);
            let found = run.states[0];
            close!(found, expected, 1e-2, "{form:?}");
        }
    }
}

/// A body of some height [m] at rest on its face of some area [m2], with a force of a tenth of its
/// weight along x at the face.
fn pushed((ground, form): (BodyDescription, Form), (area, height): (f64, f64)) -> Run {
    let weight = 8000.0 * area * height * G;
    let depth = weight / (1e9 * area);
    let at = [0.0, 0.0, 0.5 * height - STARTS - depth];
    let body = body("body", Motion::Free, form, at);
    let numbers = [(Number::StiffnessPerArea, 1e9), (Number::Restitution, 0.5)];
    let numbers = [&numbers[..], &holds(0.5)].concat();
    let mut description = scene(vec![ground, body], FrictionKind::Stick, &numbers);
    let push = 0.1 * weight;
    let profile = ForceProfile::Table(ForceTable {
        times: vec![0.0, 0.01, 1.0],
        forces: vec![[0.0; 3], [push, 0.0, 0.0], [push, 0.0, 0.0]],
        torques: [0.0, 1.0, 1.0]
            .map(|part| [0.0, -0.5 * height * push * part, 0.0])
            .to_vec(),
        interpolation: Interpolation::Linear,
    });
    description.forces = vec![force("push", "body", profile)];
    Run::new(description, 1e-8)
}

/// Way along and across [m] and turn [rad] of a thin puck to its stop on the ground.
fn puck(form: Form, weight_over_area: f64, speed: f64, spin: f64) -> [f64; 3] {
    let depth = weight_over_area / 1e9;
    let [ground, _] = grounds();
    let at = [0.0, 0.0, 1e-3 - STARTS - depth];
    let mut puck = body("puck", Motion::Free, form, at);
    puck.velocity = [speed, 0.0, 0.0];
    puck.angular_velocity = [0.0, 0.0, spin];
    let numbers = [(Number::StiffnessPerArea, 1e9), (Number::Restitution, 0.5)];
    let numbers = [&numbers[..], &holds(0.2)].concat();
    let mut run = Run::new(
        scene(vec![ground, puck], FrictionKind::Stick, &numbers),
        1e-7,
    );
    let (mut turn, mut before) = (0.0, 0.0);
    for step in 1..=20 {
        run.to(0.05 * f64::from(step));
        let now = 2.0 * run.states[6].atan2(run.states[3]);
        turn += (now - before + std::f64::consts::PI).rem_euclid(std::f64::consts::TAU)
            - std::f64::consts::PI;
        before = now;
    }
    assert!(run.states[7].abs() < 1e-6 && run.states[12].abs() < 1e-5);
    [run.states[0], run.states[1], turn]
}

#[test]
fn a_puck_that_slides_and_turns_comes_to_its_stop_where_the_integral_of_friction_says() {
    let disc = cylinder(0.2, 0.002, Axis::Z);
    let lengths = [0.4, 0.1, 0.002];
    // From m v' = -mu g, integral of v/|v| over uniform pressure, by another program (Runge-Kutta
    // with 1e-8, 28,800 points of a disc and 57,600 of a rectangle).
    let cases = [
        (disc.clone(), 0.5, 20.0, [0.227247, 0.0, 8.12063]),
        (disc, 1.0, 5.0, [0.271333, 0.0, 1.74904]),
        (cuboid(lengths), 1.0, 5.0, [0.308259, -0.0135032, 1.775524]),
    ];
    for (form, speed, spin, expected) in cases {
        let found = puck(form, 8000.0 * 0.002 * G, speed, spin);
        for ((found, expected), scale) in found.iter().zip(expected).zip([0.3, 0.3, expected[2]]) {
            near!(*found, expected, 1e-3 * scale);
        }
    }
}
