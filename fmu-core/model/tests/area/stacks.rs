//! Stacks of crates against statics: what stands, how it leans, what each face carries.
//!
//! Equal crates of a x a x h and mass m, their sides flush; faces that press with K times their depth d, so that the load W
//! off their middle by e, within a/6, turns them by W e/(K a^4/12).

use super::*;

/// Side a and height h of a crate [m].
const A: f64 = 3.0;
const H: f64 = 0.5;
/// Its mass [kg], of a density of 250 kg/m3.
const MASS: f64 = 250.0 * A * A * H;
/// Crates in a stack.
const COUNT: usize = 10;

/// Tangential stiffness of a face [N/m].
const TANGENTIAL: f64 = 5e6;

/// Crates on a half-space, the lowest first, with these offsets along x [m], each as deep as the
/// weight above it presses it where it stands straight.
fn stack(offsets: &[f64], k: f64) -> SceneDescription {
    let mut bodies = vec![body("floor", Motion::Fixed, Form::HalfSpace, [0.0; 3])];
    let mut z = -0.5 * H;
    for (i, x) in offsets.iter().enumerate() {
        let load = MASS * G * (offsets.len() - i) as f64;
        z += H - STARTS - load / (k * A * A);
        let mut one = crate_of(&format!("crate_{i}"), [A, A, H], [*x, 0.0, z]);
        one.mass.mass = Some(MASS);
        bodies.push(one);
    }
    let numbers = [
        (Number::StiffnessPerArea, k),
        (Number::Restitution, 0.3),
        (Number::TangentialStiffness, TANGENTIAL),
    ];
    scene(
        bodies,
        FrictionKind::Stick,
        &[&numbers[..], &HOLDS].concat(),
    )
}

/// Friction of all scenes.
const HOLDS: [(Number, f64); 2] = [
    (Number::SlidingFriction, 0.5),
    (Number::StaticFriction, 0.5),
];

/// Position of a crate, and how far it has turned about y [rad].
fn crate_at(run: &Run, index: usize) -> (Vec3, f64) {
    let own = &run.states[13 * index..][..7];
    let turn = rotation_matrix(&[own[3], own[4], own[5], own[6]]);
    let position = Vec3::new(own[0], own[1], own[2]);
    (position, turn[(0, 2)].atan2(turn[(2, 2)]))
}

/// Displacement [m] and turn [rad] of the uppermost crate under a force along x at its middle.
fn lean(force: f64, k: f64) -> (f64, f64) {
    let (mut turns, mut found) = ([0.0; COUNT], (0.0, 0.0));
    let shear = force / TANGENTIAL;
    // The weights add to the moment by what the crates lean.
    for _ in 0..60 {
        let (mut x, mut turn) = (0.0, 0.0);
        let (mut below, mut middles) = ([0.0; COUNT], [0.0; COUNT]);
        for i in 0..COUNT {
            turn += turns[i];
            below[i] = x + shear;
            middles[i] = below[i] + 0.5 * H * turn;
            x = below[i] + H * turn;
        }
        found = (middles[COUNT - 1], turn);
        for i in 0..COUNT {
            let height = H * ((COUNT - i) as f64 - 0.5);
            let weights: f64 = middles[i..]
                .iter()
                .map(|at| MASS * G * (at - below[i]))
                .sum();
            turns[i] = (force * height + weights) / (k * A.powi(4) / 12.0);
        }
    }
    found
}

#[test]
#[ignore = "long: crates over areas until they rest or fall"]
fn ten_crates_pushed_sideways_lean_by_statics_and_stand_a_minute_without_creep() {
    let (k, push) = (1e6, 20.0);
    let mut description = stack(&[0.0; COUNT], k);
    let profile = ForceProfile::Table(ForceTable {
        times: vec![0.0, 10.0],
        forces: vec![[0.0; 3], [push, 0.0, 0.0]],
        torques: Vec::new(),
        interpolation: Interpolation::Linear,
    });
    description.forces = vec![force("push", "crate_9", profile)];
    let mut run = Run::new(description, 1e-6);
    run.to(40.0);
    let before: Vec<(Vec3, f64)> = (0..COUNT).map(|i| crate_at(&run, i)).collect();
    run.to(60.0);
    for (i, (position, turn)) in before.iter().enumerate() {
        let (now, turn_now) = crate_at(&run, i);
        let moved = (now - position).norm();
        assert!(
            moved < 1e-6 && (turn_now - turn).abs() < 1e-6,
            "{i}: {moved:e}"
        );
    }
    // Depths of up to 12 mm of 3 m leave out strips round the faces: 4e-3 of the area, twice that
    // of its second moment.
    let (position, turn) = crate_at(&run, COUNT - 1);
    let (expected, expected_turn) = lean(push, k);
    close!(position.x, expected, 0.015);
    close!(turn, expected_turn, 0.015);
    assert!(position.y.abs() < 1e-9, "{:e}", position.y);
}

/// Turns [rad] of the two lowest and of the uppermost crate, 1.2 s after the stack with these
/// offsets [m] has been set down.
fn turns_of(offsets: &[f64], k: f64) -> [f64; 3] {
    let mut run = Run::new(stack(offsets, k), 1e-6);
    run.to(1.2);
    [0, 1, COUNT - 1].map(|i| crate_at(&run, i).1)
}

/// Largest offset [m] at which crates that hold together stand on a face of side a that gives, h
/// the height of their middle over it: with the weight W off by e it bears over the width c =
/// 3 (a/2 - e) and leans by t = 2 W/(K a c^2), e = s + h t; the largest s of all e.
fn stands_up_to(k: f64, crates: usize, a: f64) -> f64 {
    let (load, high) = (MASS * G * crates as f64, 0.5 * H * crates as f64);
    let rest = (4.0 * load * high / (9.0 * k * a)).cbrt();
    0.5 * a - rest - high * 2.0 * load / (9.0 * k * a * rest * rest)
}

// Set down without leaning they sway, which takes some more than leaning does; hence the parts of
// the limits below.

#[test]
#[ignore = "long: crates over areas until they rest or fall"]
fn a_tower_loses_its_uppermost_crate_where_the_middle_of_that_passes_the_edge() {
    let (k, below) = (1e7, A);
    let offsets = |off: f64| -> [f64; COUNT] {
        std::array::from_fn(|i| if i + 1 == COUNT { off } else { 0.0 })
    };
    let [.., turn] = turns_of(&offsets(0.93 * stands_up_to(k, 1, below)), k);
    assert!(turn.abs() < 0.02, "{turn}");
    let [_, low, turn] = turns_of(&offsets(0.5 * below + 0.03), k);
    assert!(turn > 0.5 && low.abs() < 0.01, "{low} {turn}");
}

#[test]
#[ignore = "long: crates over areas until they rest or fall"]
fn a_flight_of_steps_falls_off_its_lowest_crate_where_the_middle_of_nine_passes_its_edge() {
    let k = 1e7;
    // The middle of nine crates that each step out by d is 5 d off the one below them; that of all
    // ten is only 4.5 d off the middle of the lowest, which stays.
    let offsets = |step: f64| -> [f64; COUNT] { std::array::from_fn(|i| step * i as f64) };
    let turns = turns_of(&offsets(0.8 * stands_up_to(k, 9, A) / 5.0), k);
    assert!(turns.iter().all(|turn| turn.abs() < 0.02), "{turns:?}");
    let [lowest, second, uppermost] = turns_of(&offsets(0.5 * A / 5.0 + 0.015), k);
    assert!(lowest.abs() < 0.02 && second > 0.2, "{lowest} {second}");
    close!(uppermost, second, 0.1);
}

#[test]
#[ignore = "long: crates over areas until they rest or fall"]
fn a_slab_on_three_bricks_loads_them_by_statics() {
    let mut bodies = vec![body("floor", Motion::Fixed, Form::HalfSpace, [0.0; 3])];
    for (i, [x, y]) in [[-0.2, -0.15], [0.22, -0.1], [0.05, 0.17]]
        .iter()
        .enumerate()
    {
        bodies.push(crate_of(&format!("brick_{i}"), [0.1; 3], [*x, *y, 0.05]));
    }
    bodies.push(crate_of("slab", [0.6, 0.5, 0.1], [0.0, 0.0, 0.15]));
    let (brick, slab) = (0.25, 7.5);
    for body in &mut bodies[1..] {
        body.mass.mass = Some(if body.name == "slab" { slab } else { brick });
    }
    let numbers = [(Number::StiffnessPerArea, 1e8), (Number::Restitution, 0.3)];
    let numbers = [&numbers[..], &HOLDS].concat();
    let mut description = scene(bodies, FrictionKind::Stick, &numbers);
    description.report = Report::All;
    let mut run = Run::new(description, 1e-8);
    run.to(1.0);
    let _ = run.energy();
    let reports = run.system.reports_here().expect("reports");
    let loads = reports.iter().map(|r| r.normal_force);
    let loads: Vec<f64> = loads.filter(|load| *load > 0.0).collect();
    // Of all twelve heights and turns on a linear foundation by a program of its own (NumPy), which
    // leaves out what is of the order of depth over side, 1e-4: 20 um of 0.1 m.
    let expected = [25.582, 16.373, 31.620];
    for (i, carries) in expected.into_iter().enumerate() {
        let (floor, found) = (loads[i], loads[3 + i]);
        close!(found, carries, 2e-4, "{i}");
        let off = (floor - found - brick * G).abs();
        assert!(off < 1e-4, "{i}: {floor} {found}");
    }
    let all: f64 = loads[3..].iter().sum();
    assert!((all - slab * G).abs() < 1e-4, "{all}");
}

/// Equal boxes whose side faces are flush: a stack that lands crate on crate, one that slides along
/// a rail, a row of three on a floor of which the first falls against the second, two that meet
/// head-on, one that lands on the edge of a box and rocks.
fn flush_scenes(k: f64, friction: FrictionKind) -> [SceneDescription; 5] {
    let floor = || body("floor", Motion::Fixed, Form::HalfSpace, [0.0; 3]);
    let fixed = |lengths| body("base", Motion::Fixed, cuboid(lengths), [0.0; 3]);
    let brick = |name: &str, at, velocity| {
        let mut one = crate_of(name, [0.1, 0.2, 0.4], at);
        one.mass.mass = Some(4.0);
        one.velocity = velocity;
        one
    };
    let stack = (0..4).map(|i| {
        brick(
            &format!("b{i}"),
            [0.0, 0.0, 0.2 + 0.401 * i as f64],
            [0.0; 3],
        )
    });
    let mut row: Vec<_> = (0..3)
        .map(|i| brick(&format!("b{i}"), [0.2 * i as f64, 0.0, 0.2], [0.0; 3]))
        .collect();
    // About its lower edge.
    row[0].angular_velocity = [0.0, 4.0, 0.0];
    row[0].velocity = [0.8, 0.0, 0.2];
    let meet = [("b0", -1.0), ("b1", 1.0)]
        .map(|(name, x)| brick(name, [0.06 * x, 0.0, 0.2], [-0.5 * x, 0.0, 0.0]));
    let mut tilted = brick("b", [0.0, 0.0, 0.4005], [0.0; 3]);
    let (sin, cos) = 0.005_f64.sin_cos();
    tilted.orientation = [cos, 0.0, sin, 0.0];
    let mut numbers = vec![(Number::StiffnessPerArea, k), (Number::Restitution, 0.5)];
    match friction {
        FrictionKind::Stick => numbers.extend(HOLDS),
        _ => numbers.push((Number::SlidingFriction, 0.5)),
    }
    [
        [floor()].into_iter().chain(stack).collect(),
        vec![
            fixed([3.0, 0.2, 0.4]),
            brick("b", [0.0, 0.0, 0.401], [1.0, 0.0, 0.0]),
        ],
        [floor()].into_iter().chain(row).collect(),
        [floor()].into_iter().chain(meet).collect(),
        vec![fixed([0.1, 0.2, 0.4]), tilted],
    ]
    .map(|bodies| scene(bodies, friction, &numbers))
}

/// A cusp of the energy where they are flush would let what rounding leaves across grow.
#[test]
#[ignore = "long: crates over areas until they rest or fall"]
fn nine_flush_scenes_shifted_by_a_picometre_and_a_picoradian_move_as_before() {
    for (k, friction) in [
        (1e7, FrictionKind::Regularized),
        (1e10, FrictionKind::Stick),
    ] {
        let shifted = flush_scenes(k, friction).map(|mut description| {
            for (i, body) in description.bodies.iter_mut().enumerate() {
                let sign = if i % 2 == 0 { 1e-12 } else { -1e-12 };
                body.position = body.position.map(|x| x + sign);
                body.orientation[3] += 0.5 * sign;
            }
            description
        });
        for (i, pair) in flush_scenes(k, friction)
            .into_iter()
            .zip(shifted)
            .enumerate()
        {
            // Bricks that meet on a floor that holds them come 1e-6 m apart, for another reason than
            // the cusp.
            if (i, friction) == (3, FrictionKind::Stick) {
                continue;
            }
            let ends = [pair.0, pair.1].map(|description| {
                // At 1e-8 and 1e-10 steps that are chosen otherwise leave as much, up to 2.4e-8 and 1.1e-8; at
                // 1e-11 less than 2e-9 is left.
                let mut run = Run::new(description, 1e-11);
                run.to(0.25);
                run.states
            });
            let [one, other] = ends;
            for at in (0..one.len()).filter(|at| at % 13 < 7) {
                let off = (one[at] - other[at]).abs();
                assert!(off < 1e-8, "{k:e} {i} {at}: {off:e}");
            }
        }
    }
}
