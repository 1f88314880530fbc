//! Balls on meshes with friction `stick`: over the facets of a bowl, a floor in triangles, and in a groove.

use super::meshes::{apart, fixed};
use super::*;
use std::f64::consts::PI;

const RADIUS: f64 = 0.05;
const MU: f64 = 0.5;

/// A steel ball in a scene with these numbers of friction; `SlidingFriction` is [`MU`].
fn on(ground: BodyDescription, ball: BodyDescription, friction: FrictionKind) -> SceneDescription {
    let mut numbers = vec![(Number::SlidingFriction, MU), (Number::Restitution, 0.5)];
    if friction == FrictionKind::Regularized {
        numbers.push((Number::VSmall, 1e-3));
    }
    let mut description = scene(vec![ground, ball], friction, &numbers);
    description.energy_balance = true;
    description
}

fn ball_at(position: [f64; 3]) -> BodyDescription {
    body("ball", Motion::Free, sphere(2.0 * RADIUS), position)
}

/// A groove along y whose sides rise by `slope`, the bottom at z = 0.
fn groove(slope: f64) -> Form {
    let top = 0.2 * slope;
    let outline = [
        [-0.2, -0.1],
        [0.2, -0.1],
        [0.2, top],
        [0.0, 0.0],
        [-0.2, top],
    ];
    prism_of(&outline, &[[0, 1, 3], [1, 2, 3], [0, 3, 4]], 1.0)
}

/// A ball of rubber that falls into a bowl z = x^2 + y^2 of facets.
fn into_a_bowl(friction: FrictionKind) -> Run {
    let bowl = land(12, 0.3, 0.3, |x, y| x * x + y * y);
    let falling = body("ball", Motion::Free, sphere(0.01), [0.05, 0.03, 0.0105]);
    let mut description = on(fixed(bowl), falling, friction);
    let rubber = &mut description.materials[0];
    (rubber.density, rubber.youngs_modulus) = (1100.0, 1e6);
    let numbers = &mut law_of(&mut description).numbers;
    numbers.extend([(Number::RollingResistance, 0.05), (Number::WSmall, 0.01)]);
    Run::new(description, 1e-6)
}

#[test]
fn a_ball_that_sticks_rolls_over_facets_in_as_many_steps_as_one_with_regularized_friction() {
    let weight = 1100.0 * PI / 6.0 * 0.01_f64.powi(3) * G;
    let steps = [FrictionKind::Regularized, FrictionKind::Stick].map(|friction| {
        let mut run = into_a_bowl(friction);
        let all = run.balance();
        let mut energy = run.energy();
        for step in 1..=40 {
            run.to(0.01 * f64::from(step));
            let now = run.energy();
            assert!(
                now < energy + 1e-6 * all,
                "{friction:?} {step}: {now} {energy}"
            );
            energy = now;
        }
        near!(run.balance(), all, 1e-4 * all, "{friction:?}");
        let steps = run.memory.statistics().steps;
        run.to(4.0);
        let outputs = run.system.outputs(run.time, &run.states).expect("outputs");
        let borne = outputs.contact_forces[BodyId::FIRST][2];
        near!(borne, -weight, 1e-6 * weight, "{friction:?}");
        steps
    });
    let [regularized, stick] = steps;
    assert!(stick < 2 * regularized, "{stick} steps, not {regularized}");
}

#[test]
fn a_ball_that_sticks_rolls_down_triangles_however_a_slope_is_cut() {
    let (sin, cos) = 0.2_f64.sin_cos();
    let states = [Form::HalfSpace, floor(1, 2.0, 0.5), floor(8, 2.0, 0.5)].map(|form| {
        let mut slope = fixed(form);
        let (half_sin, half_cos) = 0.1_f64.sin_cos();
        slope.orientation = [half_cos, 0.6 * half_sin, 0.8 * half_sin, 0.0];
        let normal = [0.8 * sin, -0.6 * sin, cos];
        let mut ball = ball_at(normal.map(|n| n * (RADIUS - 1e-6)));
        ball.velocity = [0.3, 0.4, 0.0];
        ball.angular_velocity = [1.0, 0.0, 30.0];
        let mut run = Run::new(on(slope, ball, FrictionKind::Stick), 1e-10);
        [0.02, 0.1, 0.4].map(|time| {
            run.to(time);
            run.states[..13].to_vec()
        })
    });
    let [plane, two, many] = &states;
    assert!(
        (plane[2][..2].iter().map(|x| x * x).sum::<f64>()).sqrt() > 0.1,
        "it has rolled"
    );
    assert!(apart(two, many) < 1e-9, "{:e}", apart(two, many));
    // There the stiffness of the bristle does not follow the depth, so what is left of bounces differs.
    let off = (0..3).map(|i| (plane[2][i] - many[2][i]).abs());
    assert!(off.clone().all(|off| off < 2e-4), "{off:?}");
}

/// Angular acceleration about z [rad/s2] of a ball that spins about it, and the force on it up [N].
fn braked(ground: Form, height: f64, friction: FrictionKind) -> [f64; 2] {
    let mut ball = ball_at([0.0, 0.1, height]);
    ball.angular_velocity = [0.0, 0.0, 20.0];
    let (mut system, states) = at_event(on(fixed(ground), ball, friction));
    assert_eq!(system.ledger().contacts().len(), 1);
    let mass = system.model().bodies[BodyId::from(1)].mass;
    let rates = rates(&mut system, 0.0, &states);
    [rates[12], mass * (rates[9] + G)]
}

#[test]
fn both_sides_of_a_groove_brake_a_ball_that_spins_and_one_plane_does_not() {
    let mass = 8000.0 * 4.0 / 3.0 * PI * RADIUS.powi(3);
    let inertia = 0.4 * mass * RADIUS * RADIUS;
    let depth = 2e-6;
    for friction in [FrictionKind::Regularized, FrictionKind::Stick] {
        let height = (RADIUS - depth) * 2f64.sqrt();
        let [rate, load] = braked(groove(1.0), height, friction);
        assert!(load > 0.0);
        // mu times the force along its direction, on the arm of both sides.
        let expected = -MU * load * (RADIUS - depth) / 2f64.sqrt() / inertia;
        near!(rate, expected, 1e-4 * expected.abs(), "{friction:?}");
    }
    let [rate, load] = braked(floor(8, 1.0, 0.3), RADIUS - depth, FrictionKind::Stick);
    assert!(load > 0.0);
    near!(rate, 0.0, 1e-9 * load * RADIUS / inertia);
    // It stops, and stays.
    let mut ball = ball_at([0.0, 0.1, (RADIUS - depth) * 2f64.sqrt()]);
    ball.angular_velocity = [0.0, 0.0, 20.0];
    let mut run = Run::new(on(fixed(groove(1.0)), ball, FrictionKind::Stick), 1e-8);
    run.to(0.5);
    let still = run.states.clone();
    near!(still[12], 0.0, 1e-6);
    run.to(1.5);
    assert!(apart(&[still[..7].to_vec()], &[run.states[..7].to_vec()]) < 1e-9);
}

#[test]
fn forces_are_continuous_where_a_ball_meets_a_second_facet() {
    // Over the bottom of a flat groove, with deflections along the face and about the normal near the limit.
    let slope = 0.1_f64;
    let height = (RADIUS - 3e-6) * slope.hypot(1.0);
    let mut ball = ball_at([0.0, 0.1, height]);
    ball.velocity = [2e-5, 1e-5, 0.0];
    ball.angular_velocity = [0.0, 0.0, 3e-3];
    let (mut system, states) = at_event(on(fixed(groove(slope)), ball, FrictionKind::Stick));
    assert_eq!(states.len(), 13 + 4 + 1);
    // Along one side, so that the ball stays as deep in it and leaves the other.
    let mut largest = |count: i32| {
        let at = |k: i32| 3e-5 * f64::from(k) / f64::from(count);
        let mut last: Option<Vec<f64>> = None;
        let mut most = [0.0_f64; 2];
        for k in 0..=count {
            let mut moved = states.clone();
            moved[0] += at(k);
            moved[2] += slope * at(k);
            moved[13..17].copy_from_slice(&[2e-6, 0.0, 0.0, 2e-6]);
            let rates = rates(&mut system, 0.0, &moved);
            if let Some(last) = &last {
                for (part, most) in [7..13, 13..17].into_iter().zip(&mut most) {
                    let change = part.map(|i| (rates[i] - last[i]).abs()).fold(0.0, f64::max);
                    *most = most.max(change);
                }
            }
            last = Some(rates);
        }
        most
    };
    // What relaxes about the normal does so within some 1e-8 m, where the second facet has 1e-5 of the load.
    let (coarse, fine) = (largest(32_000), largest(128_000));
    for (coarse, fine) in coarse.into_iter().zip(fine) {
        assert!(coarse > 0.0 && fine < 0.35 * coarse, "{fine:e}, {coarse:e}");
    }
}

/// A body of 1 kg on two feet at the ends of a bar of 80 mm, with its load a quarter on the second one, that pivots
/// about the first: the angle, and how far the first has moved [m].
fn pivoted(in_one_shape: bool) -> [f64; 2] {
    const FOOT: f64 = 2e-3;
    let [a, b] = [0.04 - 0.5 * FOOT, 0.04 + 0.5 * FOOT];
    let outline = [
        [-b, 0.0],
        [-a, 0.0],
        [-a, 0.02],
        [a, 0.02],
        [a, 0.0],
        [b, 0.0],
        [b, 0.04],
        [-b, 0.04],
    ];
    let form = match in_one_shape {
        true => prism_of(&outline, &NOTCHED, FOOT),
        false => cuboid([FOOT, FOOT, 0.04]),
    };
    let mut feet = body("feet", Motion::Free, form, [0.0, 0.0, -2e-8]);
    if !in_one_shape {
        let mut other = feet.shapes[0].clone();
        other.name = "other".into();
        for (shape, x) in feet
            .shapes
            .iter_mut()
            .chain([&mut other])
            .zip([-0.04, 0.04])
        {
            shape.position = [x, 0.0, 0.02];
        }
        feet.shapes.push(other);
    }
    feet.mass = given_mass(1.0, [-0.02, 0.0, 0.0], [4e-4, 1e-3, 1.2e-3, 0.0, 0.0, 0.0]);
    (feet.velocity, feet.angular_velocity) = ([0.0, 0.08, 0.0], [0.0, 0.0, 2.0]);
    let numbers = [
        (Number::SlidingFriction, MU),
        (Number::Restitution, 0.5),
        (Number::StiffnessPerArea, 1e12),
    ];
    let bodies = vec![fixed(Form::HalfSpace), feet];
    let mut run = Run::new(scene(bodies, FrictionKind::Stick, &numbers), 1e-8);
    run.to(0.2);
    let [w, .., z] = [3, 4, 5, 6].map(|state| run.states[state]);
    let angle = 2.0 * z.atan2(w);
    let (sin, cos) = angle.sin_cos();
    [
        angle,
        (run.states[0] - 0.04 * cos + 0.04).hypot(run.states[1] - 0.04 * sin),
    ]
}

#[test]
fn a_body_on_two_feet_pivots_about_the_one_that_holds() {
    // Friction of the second foot on its arm, and of the first that turns on the spot: a square's mean distance.
    let (held, sliding, spot) = (0.75 * G, 0.25 * G, 0.382_598 * 2e-3);
    let torque = MU * (sliding * 0.08 + held * spot);
    let expected = 0.5 * (1.2e-3 + 0.02 * 0.02) * 2.0 * 2.0 / torque;
    for (in_one_shape, off) in [(false, 1e-3), (true, 0.02)] {
        let [angle, moved] = pivoted(in_one_shape);
        near!(angle, expected, off * expected, "{in_one_shape}");
        assert!(moved < 2e-6, "{in_one_shape}: {moved:e}");
    }
}

/// A trough about y whose bottom is z = 0, of plane faces that touch a circle of 1 m.
fn trough(count: u32) -> Form {
    let step = 0.24 / f64::from(count);
    let top = |i: u32| {
        let angle = step * f64::from(i) - 0.12;
        let radius = 1.0 / (0.5 * step).cos();
        [radius * angle.sin(), 1.0 - radius * angle.cos()]
    };
    let below = (0..=count).map(|i| [top(i)[0], -0.1]);
    let outline: Vec<_> = below.chain((0..=count).rev().map(&top)).collect();
    let last = 2 * count + 1;
    let faces = (0..count).flat_map(|i| [[i, i + 1, last - i], [i + 1, last - i - 1, last - i]]);
    prism_of(&outline, &faces.collect::<Vec<_>>(), 0.3)
}

#[test]
fn round_bodies_roll_over_many_small_faces_as_freely_as_over_one() {
    let (lengths, axis) = ([0.1, 0.14, 0.1], Axis::Y);
    let capsule = Form::Capsule {
        diameter: 0.1,
        length: 0.1,
        axis,
    };
    for form in [
        sphere(0.1),
        capsule,
        ellipsoid(lengths),
        ellipsoid([0.1; 3]),
    ] {
        // Faces of 2 mm, some four of them inside the patch.
        let (sin, cos) = 0.1_f64.sin_cos();
        let start = [0.95 * sin, 0.0, 1.0 - 0.95 * cos];
        let rolling = body("roller", Motion::Free, form, start);
        let mut description = on(fixed(trough(120)), rolling, FrictionKind::Stick);
        let rubber = &mut description.materials[0];
        (rubber.density, rubber.youngs_modulus) = (1100.0, 2e7);
        let numbers = &mut law_of(&mut description).numbers;
        numbers.retain(|(number, _)| *number != Number::Restitution);
        numbers.extend([(Number::Restitution, 0.3), (Number::RollingResistance, 0.0)]);
        let mut run = Run::new(description, 1e-6);
        // The impact from no gap at all is over.
        run.to(0.1);
        let energy = run.energy();
        run.to(0.6);
        let kinetic = run
            .system
            .outputs(run.time, &run.states)
            .expect("outputs")
            .kinetic_energy;
        let lost = (energy - run.energy()) / kinetic;
        assert!((0.0..2e-3).contains(&lost), "{lost} of the kinetic energy");
    }
}
