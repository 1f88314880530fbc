//! The wrench is the gradient of the energy.

use super::gears;
use super::meshes::{Wrench, block, body, bumpy, cuboid, ell, holed, notched, sums, wrench};
use crate::random::{Random, at, lifted, moved, posed as pose};
use contact_geometry::math::{Pose, Real, Vec3, exponential};
use contact_geometry::shapes::RoundedShape;

const K: [f64; 2] = [1e12, 2.5e12];

fn posed(position: [f64; 3], turn: [f64; 3]) -> Pose {
    Pose {
        position: position.into(),
        rotation: exponential(&Vec3::from(turn)),
    }
}

/// Cubes of 0.06 m on a face, on a face with an edge, on both faces of an inner corner, with an edge in
/// it, over saddles, over two notches and over a hole; saddles on saddles, and a pinion on a wheel.
fn contacts() -> [(RoundedShape, RoundedShape, Pose); 9] {
    let cube = || cuboid([0.06; 3]);
    let large = || block([0.5, 0.5, 0.2]);
    let [pinion, wheel] = gears::gears();
    let [of_pinion, of_wheel] = gears::poses(0.03, 20e-6);
    let back = of_wheel.rotation.transpose();
    let meshed = pose(
        back * (of_pinion.position - of_wheel.position),
        back * of_pinion.rotation,
    );
    [
        (
            cube(),
            large(),
            posed([0.01, 0.02, 0.1299], [0.0, 0.0, 0.3]),
        ),
        (cube(), large(), posed([0.01, 0.02, 0.142], [0.7, 0.0, 0.0])),
        (
            cube(),
            body(&ell()),
            posed([0.1295, 0.1292, 0.001], [0.01, -0.02, 0.015]),
        ),
        (
            cube(),
            body(&ell()),
            posed([0.1415, 0.1413, 0.002], [0.02, 0.01, 0.8354]),
        ),
        (
            cube(),
            body(&bumpy()),
            posed([0.004, -0.007, 0.0302], [0.012, -0.008, 0.3]),
        ),
        (
            cube(),
            body(&notched()),
            posed([0.055, 0.06, 0.0794], [0.004, -0.006, 0.3]),
        ),
        (
            cube(),
            body(&holed()),
            posed([0.055, 0.06, 0.0794], [0.004, -0.006, 0.3]),
        ),
        (
            body(&bumpy()),
            body(&bumpy()),
            posed([0.013, -0.008, 9e-4], [3.13, 0.012, 0.02]),
        ),
        (pinion, wheel, meshed),
    ]
}

#[test]
fn the_wrench_is_the_gradient_of_the_energy_by_differences() {
    for (number, (one, two, pose)) in contacts().iter().enumerate() {
        let energy = |pose: Pose| wrench([one, two], [pose, Pose::identity()], K).2;
        let (force, torque, _) = wrench([one, two], [*pose, Pose::identity()], K);
        let torque = torque - pose.position.cross(&force);
        let slope = |step: f64, of: &dyn Fn(f64) -> f64| {
            let [a, b] = [1.0, 2.0].map(|n| of(n * step) - of(-n * step));
            (8.0 * a - b) / (12.0 * step)
        };
        for axis in [Vec3::x(), Vec3::y(), Vec3::z()] {
            // The tooth of the pinion is 20 um deep in the wheel.
            let step = if number == 8 { 2e-7 } else { 2e-6 };
            let along = slope(step, &|s| {
                let mut moved = *pose;
                moved.position += axis * s;
                energy(moved)
            });
            let about = slope(2e-5, &|s| {
                let mut turned = *pose;
                turned.rotation = exponential(&(axis * s)) * pose.rotation;
                energy(turned)
            });
            let size = force.norm();
            let off = (force.dot(&axis) + along).abs() / size;
            let turn_off = (torque.dot(&axis) + about).abs() / (size * 0.03);
            assert!(
                off < 1e-6 && turn_off < 1e-6,
                "{number}: {off:e} {turn_off:e}"
            );
        }
    }
}

#[test]
fn the_derivative_of_the_energy_is_the_power_of_the_wrench() {
    let (linear, angular) = (Vec3::new(0.3, -0.5, 0.8), Vec3::new(3.0, 7.0, -4.0));
    for (number, (one, two, pose)) in contacts().iter().enumerate() {
        for hysteresis in [0.0, 1e-6] {
            let poses = [lifted(pose, &linear, &angular), at(0.0, 0.0, 0.0).lift()];
            let (force, torque, energy) = sums([one, two], poses.each_ref(), K, hysteresis);
            let [force, torque] = [force, torque].map(|v| v.map(Real::value));
            let power = force.dot(&linear) + (torque - pose.position.cross(&force)).dot(&angular);
            let off = (power + energy.derivative(0)).abs() / (force.norm() * linear.norm());
            assert!(off < 1e-9, "{number}: {off:e}");
        }
    }
}

#[test]
fn the_derivative_of_the_wrench_is_that_of_differences() {
    let (linear, angular) = (Vec3::new(0.3, -0.5, 0.8), Vec3::new(3.0, 7.0, -4.0));
    for (number, (one, two, pose)) in contacts().iter().enumerate() {
        let poses = [lifted(pose, &linear, &angular), at(0.0, 0.0, 0.0).lift()];
        let (force, torque, _) = sums([one, two], poses.each_ref(), K, 0.0);
        let found = |time: f64| {
            let pose = moved(pose, &linear, &angular, time);
            wrench([one, two], [pose, Pose::identity()], K)
        };
        let step = 1e-6;
        let [a, b] = [1.0, 2.0].map(|n| [found(n * step), found(-n * step)]);
        let slope = |of: &dyn Fn(&Wrench) -> Vec3| {
            let [a, b] = [&a, &b].map(|[after, before]| of(after) - of(before));
            (a * 8.0 - b) / (12.0 * step)
        };
        let rates = [force, torque].map(|v| v.map(|c| c.derivative(0)));
        let off = (slope(&|w| w.0) - rates[0]).norm() / rates[0].norm();
        let turn_off = (slope(&|w| w.1) - rates[1]).norm() / rates[1].norm();
        assert!(
            off < 1e-6 && turn_off < 1e-6,
            "{number}: {off:e} {turn_off:e}"
        );
    }
}

/// Where the change of the force differs most from one step to the next, a hundredth of a micrometre takes little
/// of it.
#[test]
fn the_force_never_jumps_on_random_paths() {
    let mut random = Random::new(5);
    for (number, (one, two, pose)) in contacts().iter().enumerate() {
        for _ in 0..4 {
            let (linear, angular) = (random.direction(), random.direction() * 20.0);
            let changes = |begin: f64, step: f64, count: u32| {
                let force = |n: u32| {
                    let pose = moved(pose, &linear, &angular, begin + step * f64::from(n));
                    wrench([one, two], [pose, Pose::identity()], K).0
                };
                let forces: Vec<Vec3> = (0..=count).map(force).collect();
                let pairs = forces.windows(2);
                pairs.map(|pair| pair[1] - pair[0]).collect::<Vec<_>>()
            };
            let largest = |of: &[Vec3]| of.iter().map(|v| v.norm()).fold(0.0, f64::max);
            let steps = changes(-1e-5, 1e-6, 20);
            let bend = |n: u32| (steps[n as usize + 1] - steps[n as usize]).norm();
            let place = (0..19).max_by(|a, b| bend(*a).total_cmp(&bend(*b)));
            let place = place.unwrap_or(0);
            let change = largest(&steps[place as usize..][..2]);
            let part = largest(&changes(1e-6 * f64::from(place) - 1e-5, 1e-8, 200));
            assert!(
                change > 0.0 && part < 0.04 * change,
                "{number}: {part} of {change}"
            );
        }
    }
}

#[test]
fn a_closed_path_returns_its_work() {
    let (cube, corner) = (cuboid([0.06; 3]), body(&ell()));
    let path = |u: f64| {
        let ((s, c), (s2, c2)) = (u.sin_cos(), (2.0 * u).sin_cos());
        posed(
            [0.1295 + 1e-3 * c, 0.1295 + 1e-3 * s + 5e-4 * c2, 0.02 * s],
            [0.02 * s, 0.03 * c, 0.04 * s2],
        )
    };
    let step = std::f64::consts::TAU / 500.0;
    let (mut sum, mut size) = (0.0, 0.0);
    for u in (0..500).map(|n| f64::from(n) * step) {
        let pose = path(u);
        let (force, torque, _) = wrench([&cube, &corner], [pose, Pose::identity()], [1e12; 2]);
        let [before, after] = [path(u - 1e-5), path(u + 1e-5)];
        let velocity = (after.position - before.position) / 2e-5;
        let spin = (after.rotation - before.rotation) / 2e-5 * pose.rotation.transpose();
        let omega = Vec3::new(spin[(2, 1)], spin[(0, 2)], spin[(1, 0)]);
        let power = force.dot(&velocity) + (torque - pose.position.cross(&force)).dot(&omega);
        sum += power;
        size += power.abs();
    }
    // The error of the sum as an integral is 6e-7.
    assert!(size > 0.0 && sum.abs() < 2e-6 * size, "{:e}", sum / size);
}
