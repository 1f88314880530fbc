//! Forces of both calls against closed forms.

use crate::direct::object::{at, open, row};
use crate::fixtures::{ball, plate, scene_of, steel};
use fmu_core::response::options::NormalKind;
use fmu_core::response::{LawChanges, Number};
use fmu_core::scene::SceneDescription;
use fmu_core::scene::description::{ForceAxes, Motion, OrientationInput, PairResponse};

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
        assert!(
            (f - e).abs() < 1e-9 * scale,
            "{found:?} is not {expected:?}"
        );
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
