//! The wrench of capsules and ellipsoids is the gradient of their energy, and the frame does not matter.

use super::gradient::{RADIUS, found, pressures};
use super::pressed::{block, body, hertz, placed};
use super::round::tilted;
use crate::cells::meshes::{bumpy, ell};
use crate::counting::count;
use crate::random::{Random, lifted, moved, posed};
use contact_geometry::math::{Dual, Pose, Real, Vec3};
use contact_geometry::narrow_phase::area::Patch;
use contact_geometry::shapes::RoundedShape;

/// Name, mesh, round shape and its pose.
struct Place {
    name: &'static str,
    mesh: RoundedShape,
    round: RoundedShape,
    pose: Pose,
}

fn places() -> Vec<Place> {
    let capsule = || RoundedShape::capsule(2.0 * RADIUS, 0.16);
    let stone = || RoundedShape::ellipsoid(&[0.06, 0.1, 0.16]);
    let cube = || block([0.4, 0.4, 0.4]);
    let at = |x: f64, y: f64, z: f64| Vec3::new(x, y, z);
    let place = |name, mesh, round, position: Vec3, tilt, turn| Place {
        name,
        mesh,
        round,
        pose: posed(position, tilted(tilt, turn)),
    };
    vec![
        place(
            "across an edge",
            cube(),
            capsule(),
            at(0.19, 0.02, RADIUS - 1e-4),
            0.0,
            0.4,
        ),
        place(
            "square across it",
            cube(),
            capsule(),
            at(0.19, 0.02, RADIUS - 1e-4),
            1e-5,
            0.0,
        ),
        place(
            "along an edge",
            cube(),
            capsule(),
            at(0.2001, 0.0, RADIUS - 1e-4),
            1e-4,
            1.5706,
        ),
        place(
            "over a corner",
            cube(),
            capsule(),
            at(0.2, 0.21, RADIUS - 2e-4),
            0.001,
            0.9,
        ),
        place(
            "tilted beyond an edge",
            cube(),
            capsule(),
            at(0.23, 0.0, RADIUS - 0.01),
            -0.5,
            0.2,
        ),
        place(
            "in an inner corner",
            body(&ell()),
            capsule(),
            at(0.15 - 1e-5, 0.15 - 2e-5, 0.03),
            1.5,
            0.3,
        ),
        place(
            "across an inner corner",
            body(&ell()),
            capsule(),
            at(0.182, 0.182, 0.0),
            0.0,
            -0.75,
        ),
        place(
            "on saddles",
            body(&bumpy()),
            capsule(),
            at(0.004, -0.007, RADIUS + 3e-4),
            0.01,
            0.3,
        ),
        place(
            "ellipsoid on a face",
            cube(),
            stone(),
            at(0.1, 0.02, 0.05),
            0.5,
            0.4,
        ),
        place(
            "ellipsoid on an edge",
            cube(),
            stone(),
            at(0.2, 0.02, 0.046),
            0.5,
            0.4,
        ),
        place(
            "ellipsoid in an inner corner",
            body(&ell()),
            stone(),
            at(0.147, 0.15, 0.02),
            1.2,
            0.3,
        ),
        place(
            "ellipsoid on saddles",
            body(&bumpy()),
            stone(),
            at(0.004, -0.007, 0.05),
            0.3,
            0.3,
        ),
    ]
}

#[test]
fn the_wrench_is_the_gradient_of_the_energy_by_differences() {
    for place in places() {
        for pressure in pressures() {
            let at = |pose: &Pose| placed(&place.mesh, &place.round, pose, &pressure);
            let found = at(&place.pose);
            let size = found.force.norm();
            assert!(size > 0.0, "{}", place.name);
            for k in 0..6 {
                let mut ways = [Vec3::zeros(); 2];
                ways[k / 3][k % 3] = 1.0;
                let [linear, angular] = ways;
                let wanted = found.force.dot(&linear) + found.torque.dot(&angular);
                let arm = if k < 3 { 1.0 } else { RADIUS };
                let energy = |by: f64| at(&moved(&place.pose, &linear, &angular, by)).energy;
                let off = [2e-6, 1e-6, 5e-7, 2e-7].map(|h| {
                    let h = h / arm;
                    let way = |part: f64| energy(part * h);
                    let slope =
                        (8.0 * (way(1.0) - way(-1.0)) - (way(2.0) - way(-2.0))) / (12.0 * h);
                    (slope + wanted).abs() / (size * arm)
                });
                let least = off.into_iter().fold(f64::INFINITY, f64::min);
                assert!(
                    least < 1e-6,
                    "{} {} {k}: {off:?}",
                    place.name,
                    pressure.exponent
                );
            }
        }
    }
}

#[test]
fn exchanged_bodies_a_turned_world_and_a_mirrored_shape_feel_the_same() {
    let mut random = Random::new(41);
    for Place {
        name,
        mesh,
        round,
        pose,
    } in places()
    {
        let fixed = Pose::identity();
        let one = found([(&mesh, &fixed), (&round, &pose)], 0.0);
        let other = found([(&round, &pose), (&mesh, &fixed)], 0.0);
        assert_eq!(
            (other.force, other.energy),
            (-one.force, one.energy),
            "{name}"
        );
        let world = random.pose(0.3);
        let turned = found([(&mesh, &world), (&round, &world.then(&pose))], 0.0);
        let size = one.force.norm();
        let off = (turned.force - world.rotation * one.force).norm() / size;
        assert!(off < 1e-8, "{name}: {off:e}");
        let off = (turned.torque - world.rotation * one.torque).norm() / (size * RADIUS);
        assert!(off < 1e-8, "{name}: torque {off:e}");
        // Turned by half a turn about x the shape is the same.
        let mut back = pose;
        for k in [1, 2] {
            back.rotation.column_mut(k).neg_mut();
        }
        let back = found([(&mesh, &fixed), (&round, &back)], 0.0);
        let off = (back.force - one.force).norm() / size;
        assert!(off < 1e-9, "{name}: turned {off:e}");
        let off = (back.torque - one.torque).norm() / (size * RADIUS);
        assert!(off < 1e-9, "{name}: torque of turned {off:e}");
    }
}

#[test]
fn a_closed_path_with_turns_takes_no_work() {
    let mesh = body(&ell());
    let shapes = [
        RoundedShape::capsule(2.0 * RADIUS, 0.16),
        RoundedShape::ellipsoid(&[0.1, 0.1, 0.12]),
    ];
    for round in &shapes {
        let (mut work, mut all) = (0.0, 0.0);
        let steps = 3000;
        for k in 0..steps {
            let angle = std::f64::consts::TAU * f64::from(k) / f64::from(steps);
            let (s, c) = angle.sin_cos();
            let center = Vec3::new(0.149 + 6e-4 * c, 0.149 + 6e-4 * s, 3e-4 * s);
            let start = posed(center, tilted(1.5, 0.3));
            // Turned about x by the angle 0.01 cos.
            let pose = moved(&start, &Vec3::zeros(), &Vec3::x(), 0.01 * c);
            let rate = Vec3::new(-6e-4 * s, 6e-4 * c, 3e-4 * c);
            let spin = Vec3::x() * (-0.01 * s);
            let found = placed(&mesh, round, &pose, &hertz(RADIUS));
            let power = found.force.dot(&rate) + found.torque.dot(&spin);
            work += power;
            all += power.abs();
        }
        assert!(all > 0.0 && work.abs() < 1e-9 * all, "{work:e} of {all:e}");
    }
}

#[test]
fn dual_numbers_give_the_derivatives_of_wrench_and_energy() {
    let mut random = Random::new(42);
    for Place {
        name,
        mesh,
        round,
        pose,
    } in places()
    {
        let of_mesh = random.pose(0.1);
        let at = of_mesh.then(&pose);
        let [linear, angular, own, spin] = [(); 4].map(|()| random.vector());
        let after = |time: f64| {
            let of_mesh = moved(&of_mesh, &linear, &angular, time);
            let at = moved(&at, &own, &spin, time);
            let found = found([(&mesh, &of_mesh), (&round, &at)], 0.0);
            (found.force, found.torque / RADIUS)
        };
        let poses: [Pose<Dual>; 2] = [
            lifted(&of_mesh, &linear, &angular),
            lifted(&at, &own, &spin),
        ];
        let exact = found([(&mesh, &poses[0]), (&round, &poses[1])], 0.0);
        let rates = [exact.force, exact.torque / Dual::from(RADIUS)].map(|v| v.map(|c| c.eps[0]));
        let off = [1e-6, 3e-7, 1e-7].map(|h| {
            let [fore, back, far, rear] = [1.0, -1.0, 2.0, -2.0].map(|part| after(part * h));
            let slope = |of: fn(&(Vec3, Vec3)) -> Vec3| {
                ((of(&fore) - of(&back)) * 8.0 - (of(&far) - of(&rear))) / (12.0 * h)
            };
            let size = rates[0].norm();
            (slope(|v| v.0) - rates[0]).norm() / size + (slope(|v| v.1) - rates[1]).norm() / size
        });
        let least = off.into_iter().fold(f64::INFINITY, f64::min);
        assert!(least < 1e-6, "{name}: {off:?}");
        // The power of the wrench along the motion relative to the mesh.
        let arm = at.position - of_mesh.position;
        let relative = own - linear - angular.cross(&arm);
        let [force, torque] = [exact.force, exact.torque].map(|v| v.map(Real::value));
        let power = force.dot(&relative) + torque.dot(&(spin - angular));
        let off = (exact.energy.eps[0] + power).abs() / (force.norm() * relative.norm());
        assert!(off < 1e-8, "{name}: {off:e}");
    }
}

#[test]
fn a_second_patch_allocates_nothing_and_nan_does_not_panic() {
    let (mut patch, fixed) = (Patch::with_room(0), Pose::identity());
    for Place {
        name,
        mesh,
        round,
        pose,
    } in places()
    {
        let mut find = |pose: &Pose| {
            let before = count();
            patch.find_round([(&mesh, &fixed), (&round, pose)], &hertz(RADIUS), 0.0);
            count() - before
        };
        find(&pose);
        assert_eq!(find(&pose), 0, "{name}");
        for flaw in [f64::NAN, f64::INFINITY] {
            let mut flawed = pose;
            flawed.position.y = flaw;
            find(&flawed);
            flawed = pose;
            flawed.rotation[(1, 2)] = flaw;
            find(&flawed);
        }
    }
}
