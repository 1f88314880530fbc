//! Jumps of velocities against the formulas of the report, momentum, and drivers of small scenes.

use crate::direct::object::{Object, at, open};
use crate::fixtures::*;
use contact_geometry::math::{exponential, quaternion};

/// Radius of the balls [m].
const RADIUS: f64 = 0.1;
/// An overlap [m] that an event finds, and at which no force acts.
const OVERLAP: f64 = 1.5e-8;

/// Springs between all bodies, with this restitution and friction.
fn springs(bodies: Vec<BodyDescription>, restitution: f64, friction: f64) -> SceneDescription {
    let mut description = scene_of(steel(), restitution, bodies);
    description.contact.law.restitution = RestitutionRule::Constant;
    description.contact.initial_overlap = InitialOverlap::Accept;
    let small = 0.01;
    let response = LawChanges {
        normal: Some(NormalKind::Spring),
        friction: Some(FrictionKind::Regularized),
        response: Some(Response::Impulse),
        numbers: vec![
            (Number::Restitution, restitution),
            (Number::Stiffness, 1e4),
            (Number::SlidingFriction, friction),
            (Number::RollingResistance, 0.0),
            (Number::VSmall, small),
            (Number::WSmall, small),
        ],
        ..LawChanges::default()
    };
    description.material_pairs[0].response = PairResponse::Law(response);
    description
}

/// A driven ball with its centre at a place in the body.
fn driven(name: &str, place: [f64; 3], centre: [f64; 3]) -> BodyDescription {
    let mut body = ball(name, place);
    body.motion = Motion::Driven;
    body.shapes[0].position = centre;
    body
}

const FAR: [[f64; 3]; 3] = [[-5.0, 0.0, 1.0], [5.0, 0.0, 1.0], [0.0, 5.0, 1.0]];
/// Centres of the balls in two bodies.
const CENTRES: [[f64; 3]; 2] = [[0.03, -0.02, 0.05], [-0.04, 0.06, 0.01]];
/// Masses of two bodies without any symmetry.
#[rustfmt::skip]
const MASSES: [[f64; 10]; 2] = [
    [1.3, 0.02, 0.05, -0.03, 0.02, 0.03, 0.025, 0.002, -0.003, 0.004],
    [0.7, -0.06, 0.01, 0.04, 0.01, 0.012, 0.015, -0.001, 0.002, 0.0015],
];

/// A body as the formulas have it.
struct Known {
    origin: Vec3,
    rotation: Mat3,
    mass: f64,
    center: Vec3,
    inertia: Mat3,
    velocity: Vec3,
    omega: Vec3,
}

impl Known {
    fn new(motion: &[f64; 13], mass: &[f64; 10]) -> Self {
        let [m, cx, cy, cz, xx, yy, zz, xy, xz, yz] = *mass;
        let q = [motion[3], motion[4], motion[5], motion[6]];
        let rotation = rotation_matrix(&q);
        let arm = rotation * Vec3::new(cx, cy, cz);
        let omega = rotation * Vec3::from_row_slice(&motion[10..]);
        let origin = Vec3::from_row_slice(&motion[..3]);
        let inertia_b = Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
        Known {
            origin,
            rotation,
            mass: m,
            center: origin + arm,
            inertia: rotation * inertia_b * rotation.transpose(),
            velocity: Vec3::from_row_slice(&motion[7..10]) + omega.cross(&arm),
            omega,
        }
    }

    fn velocity_at(&self, point: &Vec3) -> Vec3 {
        self.velocity + self.omega.cross(&(point - self.center))
    }

    fn momentum(&self) -> Vec3 {
        self.velocity * self.mass
    }

    /// About the world's origin.
    fn angular_momentum(&self) -> Vec3 {
        self.center.cross(&self.momentum()) + self.inertia * self.omega
    }

    fn energy(&self) -> f64 {
        0.5 * self.mass * self.velocity.norm_squared()
            + 0.5 * self.omega.dot(&(self.inertia * self.omega))
    }
}

fn vector(row: &[f64], first: usize) -> Vec3 {
    Vec3::from_row_slice(&row[first..first + 3])
}

fn add(motions: &[[f64; 13]], jumps: &[[f64; 12]]) -> Vec<[f64; 13]> {
    let sum = |(motion, jump): (&[f64; 13], &[f64; 12])| {
        let mut sum = *motion;
        for (value, jump) in sum[7..].iter_mut().zip(jump) {
            *value += jump;
        }
        sum
    };
    motions.iter().zip(jumps).map(sum).collect()
}

/// Two bodies that tumble, their balls in touch along no axis, body 2 above; they approach.
fn tumbling() -> Vec<[f64; 13]> {
    let direction = Vec3::new(2.0, -1.0, 2.0) / 3.0;
    let turns = [Vec3::new(0.3, 0.5, -0.9), Vec3::new(-1.1, 0.2, 0.7)];
    let middle = Vec3::new(0.5, -0.3, 2.0);
    let mut motions = Vec::new();
    for (index, sign) in [-1.0, 1.0].into_iter().enumerate() {
        let rotation = exponential(&turns[index]);
        let centre = middle + direction * (sign * (RADIUS - 0.5 * OVERLAP));
        let position = centre - rotation * Vec3::from(CENTRES[index]);
        let q = quaternion(&rotation);
        let velocity = direction * (-sign * 1.7) + Vec3::new(0.3, sign, 0.4);
        let omega = Vec3::new(2.0 * sign, -1.0, 3.0);
        let mut row = [0.0; 13];
        row[..3].copy_from_slice(position.as_slice());
        row[3..7].copy_from_slice(&q);
        row[7..10].copy_from_slice(velocity.as_slice());
        row[10..].copy_from_slice(omega.as_slice());
        motions.push(row);
    }
    motions
}

fn two_balls(name: &str, restitution: f64, friction: f64) -> Object {
    let bodies = vec![
        driven("one", FAR[0], CENTRES[0]),
        driven("two", FAR[1], CENTRES[1]),
    ];
    open(name, &springs(bodies, restitution, friction)).unwrap()
}

#[track_caller]
fn near(found: Vec3, expected: Vec3, bound: f64) {
    assert!((found - expected).amax() < bound, "{found} {expected}");
}

/// [Engelson 2000] section 2.1, with n from 1 to 2 and u_n = n.(v_2 - v_1) at p:
/// J = -(1 + e) u_n/(1/m_1 + 1/m_2 + sum n.((I^-1 (r x n)) x r)), m_2 dv_2 = J n, m_1 dv_1 = -J n,
/// I_2 dw_2 = r_2 x J n, I_1 dw_1 = -r_1 x J n.
#[test]
fn the_impulse_of_two_tumbling_bodies_is_that_of_the_report() {
    let e = 0.6;
    let object = two_balls("report", e, 0.0);
    let motions = tumbling();
    let bodies = [0, 1].map(|i| Known::new(&motions[i], &MASSES[i]));
    let centres = [0, 1].map(|i| bodies[i].origin + bodies[i].rotation * Vec3::from(CENTRES[i]));
    let point = (centres[0] + centres[1]) * 0.5;
    let n = (centres[1] - centres[0]).normalize();
    let u_n = n.dot(&(bodies[1].velocity_at(&point) - bodies[0].velocity_at(&point)));
    assert!(u_n < -1.0);
    let part = |body: &Known| {
        let r = point - body.center;
        let inverse = body.inertia.try_inverse().unwrap();
        1.0 / body.mass + n.dot(&(inverse * r.cross(&n)).cross(&r))
    };
    let j = -(1.0 + e) * u_n / (part(&bodies[0]) + part(&bodies[1]));
    for alone in [false, true] {
        let jumps = object.impulses(0.0, &motions, &MASSES, alone).unwrap();
        for ((body, row), sign) in bodies.iter().zip(&jumps).zip([-1.0, 1.0]) {
            let impulse = n * (sign * j);
            let r = point - body.center;
            near(vector(row, 6), impulse, 1e-13);
            near(vector(row, 9), r.cross(&impulse), 1e-13);
            let omega = body.inertia.try_inverse().unwrap() * r.cross(&impulse);
            near(body.rotation * vector(row, 3), omega, 1e-12);
            let origin = impulse / body.mass - omega.cross(&(body.center - body.origin));
            near(vector(row, 0), origin, 1e-12);
        }
    }
}

#[test]
fn momentum_and_angular_momentum_stay_and_energy_does_not_grow() {
    for (restitution, friction) in [(1.0, 0.0), (0.6, 0.0), (0.6, 0.3), (0.0, 5.0)] {
        let object = two_balls("momentum", restitution, friction);
        let motions = tumbling();
        let jumps = object.impulses(0.0, &motions, &MASSES, true).unwrap();
        let sums = |motions: &[[f64; 13]]| {
            let bodies = [0, 1].map(|i| Known::new(&motions[i], &MASSES[i]));
            let [a, b] = &bodies;
            (
                a.momentum() + b.momentum(),
                a.angular_momentum() + b.angular_momentum(),
                a.energy() + b.energy(),
            )
        };
        let (before, after) = (sums(&motions), sums(&add(&motions, &jumps)));
        near(after.0, before.0, 1e-13);
        near(after.1, before.1, 1e-13);
        let loss = (before.2 - after.2) / before.2;
        match restitution == 1.0 {
            true => assert!(loss.abs() < 1e-13, "{loss}"),
            false => assert!(loss > 0.01, "{loss}"),
        }
        assert!(vector(&jumps[0], 6) == -vector(&jumps[1], 6));
        // What it has parted does not approach.
        let parted = add(&motions, &jumps);
        let again = object.impulses(0.0, &parted, &MASSES, true).unwrap();
        assert_eq!(again, [[0.0; 12]; 2]);
    }
}

/// Sliding throughout: the friction impulse is mu J along the slip.
#[test]
fn the_impulse_of_friction_is_mu_times_that_of_the_normal_or_less() {
    let (mu, e) = (0.1, 0.8);
    let bodies = vec![plate(), driven("ball", FAR[0], [0.0; 3])];
    let object = open("friction", &springs(bodies, e, mu)).unwrap();
    let (m, inertia) = (2.0, 0.4 * 2.0 * RADIUS * RADIUS);
    let mass = [[m, 0.0, 0.0, 0.0, inertia, inertia, inertia, 0.0, 0.0, 0.0]];
    let mut motion = at([0.1, 0.2, RADIUS - OVERLAP]);
    (motion[7], motion[9]) = (3.0, -1.5);
    let jumps = object.impulses(0.0, &[motion], &mass, true).unwrap();
    let j = (1.0 + e) * m * 1.5;
    near(vector(&jumps[0], 6), Vec3::new(-mu * j, 0.0, j), 1e-13);
    let arm = RADIUS - 0.5 * OVERLAP;
    let expected = Vec3::new(0.0, arm * mu * j, 0.0);
    near(vector(&jumps[0], 9), expected, 1e-13);
    let (dv, dw) = (-mu * j / m, arm * mu * j / inertia);
    let velocity = Vec3::new(dv, 0.0, (1.0 + e) * 1.5);
    near(vector(&jumps[0], 0), velocity, 1e-13);
    near(vector(&jumps[0], 3), Vec3::new(0.0, dw, 0.0), 1e-12);
}

#[test]
fn a_body_of_mass_0_does_not_yield_and_takes_the_impulse() {
    let object = two_balls("held", 0.5, 0.0);
    let motions = tumbling();
    let mut masses = MASSES;
    masses[0] = [0.0; 10];
    let jumps = object.impulses(0.0, &motions, &masses, true).unwrap();
    assert_eq!(jumps[0][..6], [0.0; 6]);
    assert!(vector(&jumps[0], 6) == -vector(&jumps[1], 6));
    assert!(vector(&jumps[1], 6).norm() > 0.1);
}

/// Balls 2 and 3 touch since the start; ball 1 of the same mass hits 2: all of its speed goes to 3.
#[test]
fn bodies_that_touch_pass_an_impulse_on() {
    let names = ["one", "two", "three"];
    let bodies = (0..3).map(|i| driven(names[i], FAR[i], [0.0; 3]));
    let object = open("cradle", &springs(bodies.collect(), 1.0, 0.0)).unwrap();
    let mass = [1.0, 0.0, 0.0, 0.0, 0.01, 0.01, 0.01, 0.0, 0.0, 0.0];
    let step = 2.0 * RADIUS - OVERLAP;
    let mut motions = [0.0, step, 2.0 * step].map(|x| at([x, 0.0, 1.0]));
    motions[0][0] = -0.1;
    motions[0][7] = 2.0;
    let none = object.impulses(0.0, &motions, &[mass; 3], false).unwrap();
    assert_eq!(none, [[0.0; 12]; 3]);
    motions[0][0] = 0.0;
    let jumps = object.impulses(0.05, &motions, &[mass; 3], false).unwrap();
    for (row, expected) in jumps.iter().zip([-2.0, 0.0, 2.0]) {
        near(vector(row, 0), Vec3::new(expected, 0.0, 0.0), 1e-13);
        near(vector(row, 3), Vec3::zeros(), 1e-12);
    }
    // An iteration at the same event gets the same answer, the event after it none.
    let again = object.impulses(0.05, &motions, &[mass; 3], false).unwrap();
    assert_eq!(again, jumps);
    let after = add(&motions, &jumps);
    let after = object.impulses(0.05, &after, &[mass; 3], false).unwrap();
    assert_eq!(after, [[0.0; 12]; 3]);
}

/// The first time from `start` on at which an indicator changes between > 0 and <= 0, by bisection
/// between looks `step` apart; none before `end`.
fn next_event(
    object: &Object,
    [start, end, step]: [f64; 3],
    motions: impl Fn(f64) -> Vec<[f64; 13]>,
) -> Option<f64> {
    let apart = |time: f64| -> Vec<bool> {
        let found = object.indicators(time, &motions(time)).unwrap();
        found.iter().map(|z| *z > 0.0).collect()
    };
    let known = apart(start);
    let (mut low, mut high) = (start, start);
    while apart(high) == known {
        if high >= end {
            return None;
        }
        (low, high) = (high, high + step);
    }
    while low.next_up() < high {
        let middle = 0.5 * (low + high);
        match apart(middle) == known {
            true => low = middle,
            false => high = middle,
        }
    }
    Some(high)
}

/// [Engelson 2000] section 2.4: h = 10 m, g = 9.8 m/s2, e = 0.8: impacts at 10/7 s and, each flight
/// 0.8 times as long as the one before and the first 2*0.8*10/7 s long, at 3.714286, 5.542857 s.
#[test]
fn the_bouncing_ball_of_the_report_hits_the_ground_when_it_says() {
    let (h, g) = (10.0, 9.8);
    let bodies = vec![plate(), driven("ball", FAR[0], [0.0; 3])];
    let object = open("bounce", &springs(bodies, 0.8, 0.0)).unwrap();
    let mass = [[1.0, 0.0, 0.0, 0.0, 0.004, 0.004, 0.004, 0.0, 0.0, 0.0]];
    let (mut time, mut height, mut velocity) = (0.0, h, 0.0);
    let mut impacts = Vec::new();
    let mut motion = at([0.0, 0.0, RADIUS + height]);
    object.impulses(0.0, &[motion], &mass, false).unwrap();
    while impacts.len() < 5 {
        let (t0, z0, v0) = (time, height, velocity);
        let flight = |t: f64| {
            let mut row = at([
                0.0,
                0.0,
                RADIUS + z0 + v0 * (t - t0) - 0.5 * g * (t - t0).powi(2),
            ]);
            row[9] = v0 - g * (t - t0);
            vec![row]
        };
        time = next_event(&object, [time, 20.0, 1e-3], flight).expect("an event");
        motion = flight(time)[0];
        let jumps = object.impulses(time, &[motion], &mass, false).unwrap();
        if jumps[0][2] != 0.0 {
            impacts.push(time);
        }
        height = motion[2] - RADIUS;
        velocity = motion[9] + jumps[0][2];
    }
    // The contact starts at an overlap of 2e-8 m: 1.4e-9 s later at 14 m/s, 3.5e-9 s at 5.7 m/s.
    let mut expected = 10.0 / 7.0;
    for (flight, found) in (1..).zip(&impacts) {
        assert!((found - expected).abs() < 3e-8, "{found} {expected}");
        expected += 2.0 * 10.0 / 7.0 * 0.8_f64.powi(flight);
    }
    for (found, printed) in impacts.iter().zip(["1.428571", "3.714286", "5.542857"]) {
        assert_eq!(format!("{found:.6}"), printed);
    }
}

/// [Engelson 2000] section 7.3: four cubes of 1 kg in empty space, e = 1. They turn steadily between
/// impacts, since their inertia is that of a ball.
#[test]
fn four_cubes_keep_momentum_angular_momentum_and_energy() {
    let side = 0.894_427;
    #[rustfmt::skip]
    let cubes = [
        ([-2.0, 0.1, 0.05], [1.0, 2.0, 3.0], 50.0_f64, [1.6, 0.0, 0.0], [0.3, 0.5, -0.2]),
        ([2.0, -0.1, -0.05], [3.0, -1.0, 2.0], 70.0, [-1.4, 0.0, 0.0], [-0.4, 0.2, 0.6]),
        ([0.1, 1.45, 0.1], [2.0, 1.0, -1.0], 35.0, [0.0; 3], [0.0; 3]),
        (
            [-0.1, -1.45, -0.1],
            [-1.0, 3.0, 1.0],
            60.0,
            [0.0, 0.3, 0.0],
            [0.0; 3],
        ),
    ];
    let bodies = (0..4).map(|i| {
        let form = cuboid([side; 3]);
        let mut cube = body(&format!("cube{i}"), Motion::Driven, form, cubes[i].0);
        cube.shapes[0].smoothing_radius = Some(0.05);
        cube
    });
    let object = open("cubes", &springs(bodies.collect(), 1.0, 0.0)).unwrap();
    let i = 0.133333;
    let masses = [[1.0, 0.0, 0.0, 0.0, i, i, i, 0.0, 0.0, 0.0]; 4];
    let mut motions: Vec<[f64; 13]> = Vec::new();
    for (place, axis, angle, velocity, omega) in cubes {
        let turn = Vec3::from(axis).normalize() * angle.to_radians();
        let mut row = at(place);
        row[3..7].copy_from_slice(&quaternion(&exponential(&turn)));
        row[7..10].copy_from_slice(&velocity);
        row[10..].copy_from_slice(&omega);
        motions.push(row);
    }
    let sums = |motions: &[[f64; 13]]| {
        let bodies = motions
            .iter()
            .zip(&masses)
            .map(|(m, mass)| Known::new(m, mass));
        let start = (Vec3::zeros(), Vec3::zeros(), 0.0);
        bodies.fold(start, |(p, l, e), body| {
            (
                p + body.momentum(),
                l + body.angular_momentum(),
                e + body.energy(),
            )
        })
    };
    let before = sums(&motions);
    let (mut time, mut impacts) = (0.0, 0);
    object.impulses(0.0, &motions, &masses, false).unwrap();
    loop {
        let (t0, from) = (time, motions.clone());
        let fly = |t: f64| -> Vec<[f64; 13]> {
            let moved = |row: &[f64; 13]| {
                let mut moved = *row;
                for k in 0..3 {
                    moved[k] += (t - t0) * row[7 + k];
                }
                let start = rotation_matrix(&[row[3], row[4], row[5], row[6]]);
                let rotation = start * exponential(&(vector(row, 10) * (t - t0)));
                moved[3..7].copy_from_slice(&quaternion(&rotation));
                moved
            };
            from.iter().map(moved).collect()
        };
        let Some(event) = next_event(&object, [time, 6.0, 0.01], fly) else {
            break;
        };
        time = event;
        motions = fly(time);
        let jumps = object.impulses(time, &motions, &masses, false).unwrap();
        impacts += usize::from(jumps.iter().flatten().any(|jump| *jump != 0.0));
        motions = add(&motions, &jumps);
    }
    let after = sums(&motions);
    assert!(impacts >= 3, "{impacts}");
    near(after.0, before.0, 1e-13);
    near(after.1, before.1, 1e-12);
    near!(after.2, before.2, 1e-12);
}

#[test]
fn masses_and_laws_that_cannot_be_used_are_refused_by_name() {
    let object = two_balls("refused", 0.6, 0.0);
    let motions = tumbling();
    for (place, value, part) in [
        (0, -1.0, "must be finite, the mass >= 0"),
        (2, f64::NAN, "must be finite"),
        (4, 0.0, "positive definite"),
        (7, 1.0, "positive definite"),
    ] {
        let mut masses = MASSES;
        masses[1][place] = value;
        for alone in [true, false] {
            let refused = object.impulses(0.0, &motions, &masses, alone).unwrap_err();
            assert!(refused.starts_with("error: two: "), "{refused}");
            assert!(refused.contains(part), "{refused}");
        }
    }
    let bodies = vec![
        driven("one", FAR[0], CENTRES[0]),
        driven("two", FAR[1], CENTRES[1]),
    ];
    let mut description = springs(bodies, 0.6, 0.0);
    law_of(&mut description).response = None;
    let object = open("no_impulse", &description).unwrap();
    let refused = object.impulses(0.0, &motions, &MASSES, false).unwrap_err();
    let expected = "error: no pair of the scene has response = \"impulse\"";
    assert_eq!(refused, expected);
    // Nothing has changed: the contact still starts.
    let again = object.impulses(0.0, &motions, &MASSES, false).unwrap_err();
    assert_eq!(again, refused);
}
