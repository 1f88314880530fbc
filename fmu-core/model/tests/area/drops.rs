//! A box of aluminium that falls flat onto a box: `TwoCollidingBoxes` of Modia3D, [Modia3D]
//! test/Collision/TwoCollidingBoxes.jl, where half of it lies over the edge, and the same over the
//! middle.
//!
//! Both boxes are turned by 90 degrees about the vertical, which is no rounded number. A law of
//! points makes a turn of that rounding at the first bounce; an area does not.

use super::*;

/// Side of the box that falls [m].
const SIDE: f64 = 0.5;
/// Top of the box that it falls on [m], along x, which is up.
const TOP: f64 = -1.5;

/// The scene, with the centre of the box over the edge, z = 0, or so far over the face [m].
fn boxes(height: f64, inwards: f64, numbers: &[(Number, f64)]) -> SceneDescription {
    let form = |lengths| cuboid(lengths);
    let place = [-3.0, 0.0, -2.5];
    let large = body("large", Motion::Fixed, form([3.0, 2.0, 5.0]), place);
    let at = [TOP + height + 0.5 * SIDE, 0.0, -inwards];
    let mut small = body("small", Motion::Free, form([SIDE; 3]), at);
    let half = std::f64::consts::FRAC_1_SQRT_2;
    small.orientation = [half, half, 0.0, 0.0];
    let aluminium = Material {
        density: 2700.0,
        ..steel()
    };
    let mut description = scene_of(aluminium, 0.7, vec![large, small]);
    description.gravity = Gravity::Uniform([-G, 0.0, 0.0]);
    let changes = law_of(&mut description);
    changes.restitution = Some(RestitutionRule::Constant);
    for (number, value) in numbers {
        changes.numbers.retain(|(other, _)| other != number);
        changes.numbers.push((*number, *value));
    }
    description
}

/// States after 3 s at each tolerance.
fn ends(height: f64, inwards: f64, numbers: &[(Number, f64)]) -> Vec<Vec<f64>> {
    let at = |tolerance| {
        let mut run = Run::new(boxes(height, inwards, numbers), tolerance);
        run.to(3.0);
        run.states
    };
    [1e-6, 1e-8, 1e-10].map(at).to_vec()
}

/// Largest difference of the first three states [m].
fn apart(one: &[f64], other: &[f64]) -> f64 {
    let pairs = one.iter().zip(other).take(3);
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn a_box_that_falls_3_m_onto_the_middle_bounces_without_a_turn_at_any_tolerance() {
    let (e, k) = (0.7, 1e14);
    let found = ends(3.0, 1.0, &[(Number::StiffnessPerArea, k)]);
    // Three flights, after impacts without duration; one of the elastic box takes 12 us.
    let mut speed = (2.0 * G * 3.0_f64).sqrt();
    let mut time = speed / G;
    for _ in 0..2 {
        speed *= e;
        time += 2.0 * speed / G;
    }
    let left = 3.0 - time;
    let height = TOP + 0.5 * SIDE + e * speed * left - 0.5 * G * left * left;
    for states in &found {
        assert!(apart(states, &found[2]) < 1e-4);
        assert!((states[0] - height).abs() < 1e-4, "{} {height}", states[0]);
        assert_eq!(states[8..10], [0.0; 2]);
        assert!(
            states[10..13].iter().all(|w| w.abs() < 1e-11),
            "{:?}",
            &states[10..13]
        );
    }
}

#[test]
fn a_box_that_falls_on_the_edge_tumbles_alike_at_any_tolerance() {
    let found = ends(1.25, 0.0, &[]);
    for states in &found {
        assert!(apart(states, &found[2]) < 1e-4);
        // It tumbles about the edge, y, alone; the edge turns it by some 8 rad/s.
        let [x, y, z] = [10, 11, 12].map(|i| states[i]);
        assert!(
            x.abs() < 1e-9 && y.abs() < 1e-9 && z.abs() > 5.0,
            "{x} {y} {z}"
        );
    }
}

/// Speed [m/s] and angular speed [rad/s] of a box after half of its face has hit a face flat with a
/// speed [m/s], its centre over the edge, without loss and friction.
///
/// With u the depth at the edge and t the turn the depth is u + t s at a distance s from it. The
/// pressure k times that, where positive, gives F = k L int (u + t s) ds over 0 < s < a/2, a the
/// side, and M = k L int (u + t s) s ds. Then m u'' = -F and m a^2/6 t'' = -M, by Runge-Kutta of
/// order four.
fn after_half_a_face(speed: f64) -> [f64; 2] {
    let half = 0.5 * SIDE;
    // Where u + t s is positive; the time is in units in which k L/m is 1.
    let rates = |[u, t, v, w]: [f64; 4]| {
        let zero = if t == 0.0 {
            0.0
        } else {
            (-u / t).clamp(0.0, half)
        };
        let (from, to) = match (u > 0.0, u + t * half > 0.0) {
            (true, true) => (0.0, half),
            (true, false) => (0.0, zero),
            (false, true) => (zero, half),
            (false, false) => (0.0, 0.0),
        };
        let power = |n: i32| (to.powi(n) - from.powi(n)) / f64::from(n);
        let force = u * power(1) + t * power(2);
        let moment = u * power(2) + t * power(3);
        [v, w, -force, -moment * 6.0 / (SIDE * SIDE)]
    };
    let step = |x: [f64; 4], h: f64, d: [f64; 4]| std::array::from_fn(|i| x[i] + h * d[i]);
    let (h, mut x) = (1e-3, [0.0, 0.0, speed, 0.0]);
    loop {
        let a = rates(x);
        let b = rates(step(x, 0.5 * h, a));
        let c = rates(step(x, 0.5 * h, b));
        let d = rates(step(x, h, c));
        x = std::array::from_fn(|i| x[i] + h / 6.0 * (a[i] + 2.0 * (b[i] + c[i]) + d[i]));
        if x[0] <= 0.0 && x[0] + x[1] * half <= 0.0 {
            return [-x[2], -x[3]];
        }
    }
}

#[test]
fn half_a_face_on_an_edge_turns_the_box_by_the_moment_of_its_pressure() {
    let speed = 5.0;
    let expected = after_half_a_face(speed);
    let found = [1e12, 1e14].map(|k| {
        let frictionless = [
            (Number::Restitution, 1.0),
            (Number::SlidingFriction, 0.0),
            (Number::RollingResistance, 0.0),
            (Number::StiffnessPerArea, k),
        ];
        let mut description = boxes(1e-6, 0.0, &frictionless);
        description.bodies[1].velocity = [-speed, 0.0, 0.0];
        description.gravity = Gravity::None;
        let mut run = Run::new(description, 1e-9);
        run.to(0.01);
        [run.states[7], run.states[12].abs()]
    });
    // What the depth changes goes with its size, k^-0.5: a tenth from the one to the other.
    for i in 0..2 {
        let rigid = found[1][i] + (found[1][i] - found[0][i]) / 9.0;
        close!(rigid, expected[i], 1e-6);
        assert!((found[1][i] / expected[i] - 1.0).abs() < 2e-4);
    }
}
