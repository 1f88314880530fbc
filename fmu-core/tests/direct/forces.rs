//! Forces of both calls against closed forms.

use crate::direct::object::{at, open, row};
use crate::fixtures::*;
use crate::running::Run;

/// Stiffness of the linear law [N/m].
const STIFFNESS: f64 = 1e4;

/// Depth of overlap from which on it counts, 2 zEps [m].
const HYSTERESIS: f64 = 2e-8;

/// Where the ball's centre stands in its body [m].
const CENTRE: [f64; 3] = [0.03, -0.02, 0.05];

/// Radius of the balls [m].
const RADIUS: f64 = 0.1;

/// Two driven balls and a plate with its top at z = 0, all of them springs with restitution 0.6.
fn springs() -> SceneDescription {
    let mut bodies = vec![plate(), ball("one", [0.0; 3]), ball("two", [0.0; 3])];
    for (body, place) in bodies[1..]
        .iter_mut()
        .zip([[-5.0, 0.0, 1.0], [5.0, 0.0, 1.0]])
    {
        body.motion = Motion::Driven;
        body.position = place;
        body.shapes[0].position = CENTRE;
    }
    let mut description = scene_of(steel(), 0.6, bodies);
    if let PairResponse::Law(LawChanges {
        normal, numbers, ..
    }) = &mut description.material_pairs[0].response
    {
        *normal = Some(NormalKind::Spring);
        numbers.retain(|(number, _)| *number == Number::Restitution);
        numbers.push((Number::Stiffness, STIFFNESS));
        for number in [
            Number::SlidingFriction,
            Number::RollingResistance,
            Number::VSmall,
            Number::WSmall,
        ] {
            let small = matches!(number, Number::VSmall | Number::WSmall);
            numbers.push((number, if small { 0.01 } else { 0.0 }));
        }
    }
    description
}

/// Rotation matrix, rows, of 0.9 rad about (1, 2, 3)/sqrt(14), by Rodrigues' formula: no symmetry
/// hides a transposed matrix.
fn turned() -> [[f64; 3]; 3] {
    let n = [1.0, 2.0, 3.0].map(|c: f64| c / f64::sqrt(14.0));
    let (sin, cos) = f64::sin_cos(0.9);
    let cross = [[0.0, -n[2], n[1]], [n[2], 0.0, -n[0]], [-n[1], n[0], 0.0]];
    let entry = |i: usize, j: usize| {
        f64::from(u8::from(i == j)) * cos + sin * cross[i][j] + (1.0 - cos) * n[i] * n[j]
    };
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| entry(i, j)))
}

fn times(m: &[[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|i| (0..3).map(|j| m[i][j] * v[j]).sum())
}

fn transposed(m: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| m[j][i]))
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// Position of a body turned by `s` whose ball overlaps the plate by `depth` [m].
fn pressed(s: &[[f64; 3]; 3], depth: f64) -> [f64; 3] {
    let centre = times(s, CENTRE);
    [0.2, 0.1, RADIUS - depth - centre[2]]
}

#[track_caller]
fn assert_close(found: &[f64], expected: &[f64], scale: f64) {
    assert_eq!(found.len(), expected.len());
    for (f, e) in found.iter().zip(expected) {
        near!(*f, *e, 1e-9 * scale, "{found:?} {expected:?}");
    }
}

/// A row of `collisionInput` of a body turned by `s`.
fn turned_row(id: f64, position: [f64; 3], s: &[[f64; 3]; 3]) -> [f64; 27] {
    let mut row = row(id, position);
    row[18..27].copy_from_slice(s.as_flattened());
    row
}

const FAR: [f64; 3] = [9.0, 9.0, 9.0];

#[test]
fn the_call_of_the_report_gives_the_elastic_force_in_the_axes_of_the_body() {
    let object = open("elastic", &springs()).unwrap();
    let (s, depth) = (turned(), 2e-3);
    let input = [row(2.0, FAR), turned_row(1.0, pressed(&s, depth), &s)];
    let output = object.collide(&input).unwrap();
    assert_eq!(output[0], [0.0; 6]);
    // f = K delta up; the point of contact is under the centre of the ball.
    let force = [0.0, 0.0, STIFFNESS * (depth - HYSTERESIS)];
    let torque = cross(times(&s, CENTRE), force);
    let back = transposed(&s);
    let expected = [times(&back, force), times(&back, torque)];
    assert_close(&output[1], expected.as_flattened(), force[2]);
}

#[test]
fn the_elastic_force_of_two_bodies_is_equal_and_opposite() {
    let object = open("opposite", &springs()).unwrap();
    let depth = 1e-3;
    // Centres 2 R - depth apart along a direction that is no axis.
    let direction = [2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0];
    let [first, second] = [0.0, 2.0 * RADIUS - depth].map(|d: f64| {
        let centre = direction.map(|c| c * d);
        [0, 1, 2].map(|i| centre[i] - CENTRE[i] + [0.0, 0.0, 5.0][i])
    });
    let output = object
        .collide(&[row(1.0, first), row(2.0, second)])
        .unwrap();
    let f = STIFFNESS * (depth - HYSTERESIS);
    let on_second = direction.map(|c| c * f);
    assert_close(&output[1][..3], &on_second, f);
    assert_close(&output[0][..3], &on_second.map(|c| -c), f);
}

#[test]
fn a_body_that_is_left_out_touches_nothing_and_the_others_do() {
    let object = open("left_out", &springs()).unwrap();
    let flat = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let first = pressed(&flat, 1e-3);
    let second = [first[0] + 2.0 * RADIUS - 1e-3, first[1], first[2]];
    let mut input = [row(1.0, first), row(2.0, second)];
    let both = object.collide(&input).unwrap();
    assert!(both[1][0] > 1.0);
    input[0][5] = 1.0;
    let output = object.collide(&input).unwrap();
    assert_eq!(output[0], [0.0; 6]);
    let up = [0.0, 0.0, STIFFNESS * (1e-3 - HYSTERESIS)];
    assert_close(&output[1][..3], &up, up[2]);
}

/// d of f = K delta (1 + d delta'): (1 + e) u = ln((1 + u)/(1 - e u)) with u = d v0, bisected.
fn damping(e: f64, v0: f64) -> f64 {
    let (mut low, mut high) = (1e-6, 1.0 / e * (1.0 - 1e-12));
    for _ in 0..200 {
        let u = 0.5 * (low + high);
        let excess = f64::ln((1.0 + u) / (1.0 - e * u)) - (1.0 + e) * u;
        if excess < 0.0 { low = u } else { high = u }
    }
    low / v0
}

#[test]
fn the_extended_call_damps_by_the_speed_at_which_the_bodies_met() {
    let object = open("damped", &springs()).unwrap();
    let flat = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let moving = |depth: f64, speed: f64| {
        let mut motion = at(pressed(&flat, depth));
        motion[9] = speed;
        [motion, at(FAR)]
    };
    let v0 = 2.0;
    let next = object.update(0.0, &moving(3e-8, -v0)).unwrap();
    assert_eq!(next, f64::INFINITY);
    let d = damping(0.6, v0);
    for (depth, speed) in [(1e-3, -1.5), (2e-3, 0.0), (1.5e-3, 0.7)] {
        let output = object.evaluate(0.0, &moving(depth, speed)).unwrap();
        let f = STIFFNESS * (depth - HYSTERESIS) * (1.0 - d * speed);
        let torque = cross(CENTRE, [0.0, 0.0, f]);
        let expected = [0.0, 0.0, f, torque[0], torque[1], torque[2]];
        assert_close(&output[0], &expected, f);
        assert_eq!(output[1], [0.0; 6]);
    }
    // The call of the report has contacts of its own.
    let before = object.evaluate(0.0, &moving(1e-3, -1.5)).unwrap();
    object.collide(&[row(1.0, FAR), row(2.0, FAR)]).unwrap();
    assert_eq!(object.evaluate(0.0, &moving(1e-3, -1.5)).unwrap(), before);
    // And the contact lasts until the next update.
    let apart = moving(-1e-3, 1.0);
    assert_close(&object.indicators(0.0, &apart).unwrap()[..1], &[1e-3], 1e-3);
    assert_eq!(object.completed_step(0.0, &apart), Ok(false));
    object.update(0.0, &apart).unwrap();
    let gap = object.indicators(0.0, &apart).unwrap()[0];
    assert_close(&[gap], &[1e-3 + HYSTERESIS], 1e-6);
    assert_eq!(
        object.evaluate(0.0, &moving(1e-3, 0.0)).unwrap()[0],
        [0.0; 6]
    );
}

#[test]
fn forces_do_not_depend_on_how_the_fmu_of_the_scene_tells_poses_and_forces() {
    let (s, depth) = (turned(), 2e-3);
    let position = pressed(&s, depth);
    let half: f64 = 0.45;
    let [x, y, z] = [1.0, 2.0, 3.0].map(|c: f64| c / f64::sqrt(14.0) * half.sin());
    let mut short = at(position);
    short[3..7].copy_from_slice(&[half.cos(), x, y, z]);
    let mut long = [0.0; 18];
    long[..3].copy_from_slice(&position);
    long[3..12].copy_from_slice(s.as_flattened());
    let mut far = [0.0; 18];
    far[..3].copy_from_slice(&FAR);
    (far[3], far[7], far[11]) = (1.0, 1.0, 1.0);
    let force = [0.0, 0.0, STIFFNESS * (depth - HYSTERESIS)];
    let expected = [force, cross(times(&s, CENTRE), force)];
    for (orientation, wrench_axes) in [
        (OrientationInput::Quaternion, ForceAxes::World),
        (OrientationInput::Matrix, ForceAxes::Body),
    ] {
        let mut description = springs();
        for body in &mut description.bodies[1..] {
            body.drive.orientation = orientation;
            body.drive.wrench_axes = wrench_axes;
        }
        let object = open(&format!("told_{orientation:?}"), &description).unwrap();
        object.update(0.0, &[short, at(FAR)]).unwrap();
        for output in [
            object.evaluate(0.0, &[short, at(FAR)]).unwrap(),
            object.evaluate(0.0, &[long, far]).unwrap(),
        ] {
            assert_close(&output[0], expected.as_flattened(), force[2]);
        }
    }
}

/// A press of 2 kg, its ball `aside` of its centre of mass, hits a ball of 1 kg that lies on the plate:
/// how each moves. On a slide along z, or free with this moment of inertia.
fn press(motions: [Motion; 2], aside: f64, inertia: Option<f64>) -> SceneDescription {
    let mut description = springs();
    let depth = 9.81 / STIFFNESS;
    let [_, one, two] = &mut description.bodies[..] else {
        panic!("three bodies")
    };
    for (body, (motion, inertia)) in [one, two]
        .into_iter()
        .zip(motions.into_iter().zip([Some(4e-3), inertia]))
    {
        body.motion = motion;
        body.shapes[0].position = [0.0; 3];
        body.mass = GivenMass {
            mass: Some(1.0),
            center_of_mass: Some([0.0; 3]),
            inertia: inertia.map(|i| [i, i, i, 0.0, 0.0, 0.0]),
        };
    }
    let bodies = &mut description.bodies;
    bodies[1].position = [0.0, 0.0, RADIUS - depth];
    bodies[2].position = [-aside, 0.0, 3.0 * RADIUS + 0.01];
    bodies[2].shapes[0].position = [aside, 0.0, 0.0];
    bodies[2].mass.mass = Some(2.0);
    bodies[2].velocity = [0.0, 0.0, -1.0];
    if motions[1] == Motion::Joint {
        let mut slide = joint(JointKind::Prismatic, None, "two");
        slide.positions[0] = std::mem::take(&mut bodies[2].position)[2];
        slide.rates[0] = std::mem::take(&mut bodies[2].velocity)[2];
        description.joints.push(slide);
    }
    description
}

/// x, z, angle about y of both bodies, then their rates.
type Plane = [f64; 12];

/// The motions that the interface is told.
fn told(state: &Plane) -> [[f64; 13]; 2] {
    [0, 1].map(|b| {
        let [x, z, angle] = [0, 1, 2].map(|i| state[3 * b + i]);
        let [v_x, v_z, w] = [0, 1, 2].map(|i| state[6 + 3 * b + i]);
        let (sin, cos) = (0.5 * angle).sin_cos();
        [x, 0.0, z, cos, 0.0, sin, 0.0, v_x, 0.0, v_z, 0.0, w, 0.0]
    })
}

/// Moves both bodies outside of the scene, by the classical formula of Runge and Kutta in steps of 2 us.
fn move_outside(
    description: &SceneDescription,
    name: &str,
    inverse: [[f64; 3]; 2],
    end: f64,
) -> Plane {
    let object = open(name, description).unwrap();
    let [.., one, two] = &description.bodies[..] else {
        panic!("two bodies")
    };
    let mut state = [0.0; 12];
    for (b, body) in [one, two].into_iter().enumerate() {
        state[3 * b..3 * b + 2].copy_from_slice(&[body.position[0], body.position[2]]);
        state[7 + 3 * b] = body.velocity[2];
    }
    let rates = |state: &Plane| {
        let wrenches = object.evaluate(0.0, &told(state)).unwrap();
        let mut rates = [0.0; 12];
        rates[..6].copy_from_slice(&state[6..]);
        for (b, [f_x, _, f_z, _, torque, _]) in wrenches.into_iter().enumerate() {
            for (i, force) in [f_x, f_z, torque].into_iter().enumerate() {
                rates[6 + 3 * b + i] = force * inverse[b][i];
            }
            if inverse[b][1] > 0.0 {
                rates[7 + 3 * b] -= 9.81;
            }
        }
        rates
    };
    let h = 2e-6;
    let mut signs = Vec::new();
    for _ in 0..(end / h).round() as usize {
        let indicators = object.indicators(0.0, &told(&state)).unwrap();
        let now: Vec<bool> = indicators.into_iter().map(|z| z > 0.0).collect();
        if now != signs {
            object.update(0.0, &told(&state)).unwrap();
            signs = now;
        }
        let moved = |by: &Plane, h: f64| -> Plane { std::array::from_fn(|i| state[i] + h * by[i]) };
        let k_1 = rates(&state);
        let k_2 = rates(&moved(&k_1, 0.5 * h));
        let k_3 = rates(&moved(&k_2, 0.5 * h));
        let k_4 = rates(&moved(&k_3, h));
        let mean = std::array::from_fn(|i| (k_1[i] + 2.0 * (k_2[i] + k_3[i]) + k_4[i]) / 6.0);
        state = moved(&mean, h);
    }
    state
}

/// A contact that is loaded already when it is hit infers its damping, which needs the masses.
#[test]
fn a_machine_moves_outside_of_the_scene_as_inside_if_its_masses_are_given() {
    let end = 0.06;
    for (name, motion, aside, inertia, inverse) in [
        ("slide", Motion::Joint, 0.0, None, [0.0, 0.5, 0.0]),
        ("free", Motion::Free, 0.05, Some(0.01), [0.5, 0.5, 100.0]),
    ] {
        let given = match motion {
            Motion::Free => inertia,
            _ => None,
        };
        let outside = press([Motion::Driven; 2], aside, given);
        let outside = move_outside(&outside, name, [[1.0, 1.0, 250.0], inverse], end);
        let mut inside = Run::new(
            press([Motion::Free, motion], aside, inertia.or(Some(0.01))),
            1e-10,
        );
        inside.to(end);
        // Position, orientation, velocity and angular velocity of a free body; position and speed on the slide.
        let states = &inside.states;
        let inside = match motion {
            Motion::Free => [states[2], states[9], states[15], states[22], states[24]],
            _ => [states[2], states[9], states[13], states[14], 0.0],
        };
        let outside = [outside[1], outside[7], outside[4], outside[10], outside[11]];
        for (i, (a, b)) in inside.into_iter().zip(outside).enumerate() {
            assert!((a - b).abs() < 1e-6, "{name}, {i}: {a} inside, {b} outside");
        }
    }
}
