//! The wrench is the gradient of the energy, its derivatives are exact, and the frame does not matter.

use super::pressed::{Pressed, block, body, hertz, pressed, sums};
use crate::cells::meshes::{bumpy, ell};
use crate::counting::count;
use crate::random::{Random, lifted, moved, posed};
use contact_geometry::math::{Dual, Pose, Real, Vec3};
use contact_geometry::narrow_phase::area::{Patch, RoundPressure};
use contact_geometry::shapes::RoundedShape;

pub const RADIUS: f64 = 0.05;

/// Name, mesh and centre of a ball.
pub type Place = (&'static str, RoundedShape, Vec3);

pub fn places() -> Vec<Place> {
    let cube = || block([0.4, 0.4, 0.4]);
    let plate = || block([0.4, 0.4, 2e-3]);
    let at = |x: f64, y: f64, z: f64| Vec3::new(x, y, z);
    let inner = |x: f64, y: f64| at(0.1 + RADIUS - x, 0.1 + RADIUS - y, 0.003);
    vec![
        ("beyond an edge", cube(), at(0.2002, 0.0, RADIUS - 1e-5)),
        ("before an edge", cube(), at(0.1999, 0.0, RADIUS - 1e-5)),
        (
            "beyond a corner",
            cube(),
            at(0.2003, -0.2002, RADIUS - 1e-4),
        ),
        ("before a corner", cube(), at(0.1999, 0.1998, RADIUS - 3e-5)),
        ("over a corner", cube(), at(0.228, 0.228, 0.0287)),
        ("in an inner corner", body(&ell()), inner(1e-5, 2e-5)),
        ("on one wall of it", body(&ell()), inner(-1e-3, 2e-5)),
        ("rim of a plate", plate(), at(0.2001, 0.0, RADIUS - 3e-4)),
        (
            "corner of a plate",
            plate(),
            at(0.2001, 0.2, RADIUS - 2.5e-3),
        ),
        ("through a plate", plate(), at(0.17, 0.19, 0.011)),
        ("inside a cube", cube(), at(0.18, 0.17, -0.03)),
        ("near its surface", cube(), at(0.17, 0.19, -1e-3)),
        ("saddles", body(&bumpy()), at(0.004, -0.007, RADIUS + 3e-4)),
        (
            "many saddles",
            body(&bumpy()),
            at(0.014, 0.012, RADIUS - 2e-3),
        ),
    ]
}

pub fn pressures() -> [RoundPressure; 3] {
    let other = |exponent: f64, factor: f64| RoundPressure { factor, exponent };
    [hertz(RADIUS), other(1.0, 1e13), other(0.11, 1e11)]
}

#[test]
fn the_force_is_the_gradient_of_the_energy_by_differences() {
    for (name, mesh, center) in places() {
        for pressure in pressures() {
            let found = pressed(&mesh, center, RADIUS, &pressure);
            let size = found.force.norm();
            assert!(size > 0.0, "{name}");
            // The step of a difference that suits one force does not suit all.
            let energy = |off: Vec3| pressed(&mesh, center + off, RADIUS, &pressure).energy;
            let slope = |h: f64| {
                Vec3::from_fn(|k, _| {
                    let way = |part: f64| energy(Vec3::ith(k, part * h));
                    (8.0 * (way(1.0) - way(-1.0)) - (way(2.0) - way(-2.0))) / (12.0 * h)
                })
            };
            let off = [2e-6, 1e-6, 5e-7, 2e-7].map(|h| (slope(h) + found.force).norm() / size);
            let least = off.into_iter().fold(f64::INFINITY, f64::min);
            assert!(least < 1e-8, "{name} {}: {off:?}", pressure.exponent);
        }
    }
}

#[test]
fn no_torque_acts_about_the_centre() {
    for (name, mesh, center) in places() {
        for pressure in pressures() {
            let found = pressed(&mesh, center, RADIUS, &pressure);
            let part = found.torque.norm() / (found.force.norm() * RADIUS);
            assert!(part < 1e-12, "{name} {}: {part:e}", pressure.exponent);
        }
    }
}

#[test]
fn a_closed_path_takes_no_work() {
    let mesh = body(&ell());
    // About a place where the ball presses both walls of the inner corner, and beside an upper edge.
    for (middle, reach) in [
        (Vec3::new(0.15 - 1e-4, 0.15 - 1e-4, 0.0), 8e-5),
        (Vec3::new(0.1, 0.2 + RADIUS - 2e-4, 0.0), 1.5e-4),
    ] {
        let (mut work, mut all) = (0.0, 0.0);
        let steps = 400;
        for k in 0..steps {
            let angle = std::f64::consts::TAU * f64::from(k) / f64::from(steps);
            let center = middle + Vec3::new(angle.cos(), angle.sin(), 0.1 * angle.sin()) * reach;
            let rate = Vec3::new(-angle.sin(), angle.cos(), 0.1 * angle.cos());
            let power = pressed(&mesh, center, RADIUS, &hertz(RADIUS))
                .force
                .dot(&rate);
            work += power;
            all += power.abs();
        }
        assert!(all > 0.0 && work.abs() < 1e-9 * all, "{work:e} of {all:e}");
    }
}

pub fn found<T: Real>(shapes: [(&RoundedShape, &Pose<T>); 2], hysteresis: f64) -> Pressed<T> {
    let mut patch = Patch::with_room(0);
    patch.find_round(shapes, &hertz(RADIUS), hysteresis);
    sums(&patch)
}

#[test]
fn exchanged_bodies_and_a_turned_world_feel_the_same() {
    let mut random = Random::new(8);
    let ball = RoundedShape::sphere(2.0 * RADIUS);
    for (name, mesh, center) in places() {
        let (fixed, mut at) = (Pose::identity(), Pose::identity());
        at.position = center;
        let one = found([(&mesh, &fixed), (&ball, &at)], 0.0);
        let other = found([(&ball, &at), (&mesh, &fixed)], 0.0);
        // The sum is that on the second body.
        assert_eq!(other.force, -one.force, "{name}");
        assert_eq!(other.energy, one.energy, "{name}");
        let world = random.pose(0.3);
        let at = world.then(&at);
        let turned = found([(&mesh, &world), (&ball, &at)], 0.0);
        let off = (turned.force - world.rotation * one.force).norm() / one.force.norm();
        // A depth of 1e-5 m is off by the rounding of places.
        assert!(off < 1e-9, "{name}: {off:e}");
        let inset = found([(&mesh, &world), (&ball, &at)], 1e-6);
        let smaller = RoundedShape::sphere(2.0 * (RADIUS - 1e-6));
        let smaller = found([(&mesh, &world), (&smaller, &at)], 0.0);
        assert!((inset.force - smaller.force).norm() <= 1e-10 * one.force.norm());
    }
}

#[test]
fn dual_numbers_give_the_derivatives_of_force_and_energy() {
    let mut random = Random::new(9);
    let ball = RoundedShape::sphere(2.0 * RADIUS);
    for (name, mesh, center) in places() {
        let of_mesh = random.pose(0.1);
        let at = posed(
            of_mesh.position + of_mesh.rotation * center,
            random.rotation(),
        );
        let [linear, angular, own] = [(); 3].map(|()| random.vector());
        let after = |time: f64| {
            let of_mesh = moved(&of_mesh, &linear, &angular, time);
            let at = moved(&at, &own, &angular, time);
            found([(&mesh, &of_mesh), (&ball, &at)], 0.0).force
        };
        let lifted: [Pose<Dual>; 2] = [
            lifted(&of_mesh, &linear, &angular),
            lifted(&at, &own, &angular),
        ];
        let exact = found([(&mesh, &lifted[0]), (&ball, &lifted[1])], 0.0);
        let rate = exact.force.map(|c| c.eps[0]);
        let off = [1e-6, 3e-7, 1e-7].map(|h| {
            let way = |part: f64| after(part * h);
            let slope = ((way(1.0) - way(-1.0)) * 8.0 - (way(2.0) - way(-2.0))) / (12.0 * h);
            (slope - rate).norm() / rate.norm()
        });
        let least = off.into_iter().fold(f64::INFINITY, f64::min);
        assert!(least < 1e-7, "{name}: {off:?}");
        // The power of the force along the motion relative to the mesh.
        let arm = at.position - of_mesh.position;
        let relative = own - linear - angular.cross(&arm);
        let force = exact.force.map(Real::value);
        let off = (exact.energy.eps[0] + force.dot(&relative)).abs();
        assert!(
            off < 1e-9 * force.norm() * relative.norm(),
            "{name}: {off:e}"
        );
    }
}

#[test]
fn a_foot_on_a_vertex_has_the_derivatives_beside_it() {
    let ball = RoundedShape::sphere(2.0 * RADIUS);
    let mesh = block([0.4, 0.4, 0.4]);
    for way in [[1.0, 0.0], [0.0, -1.0], [0.3, 0.7], [-0.5, 0.5]] {
        let rate = |off: f64| {
            let [x, y] = way.map(|c| 0.2 + c * off);
            let mut at: Pose<Dual> = Pose::identity();
            let height = Dual::new(RADIUS - 1e-5, 0.2);
            at.position = Vec3::new(Dual::new(x, 0.4), Dual::new(y, -0.7), height);
            let found = found([(&mesh, &Pose::identity()), (&ball, &at)], 0.0);
            found.force.map(|c| c.eps[0])
        };
        let (beside, size) = (rate(1e-12), rate(1e-12).norm());
        for off in [0.0, 3e-17, 1e-16, 1e-14] {
            let off_by = (rate(off) - beside).norm() / size;
            assert!(off_by < 1e-7, "{way:?} {off:e}: {off_by:e}");
        }
    }
}

#[test]
fn a_second_patch_allocates_nothing_and_nan_does_not_panic() {
    let ball = RoundedShape::sphere(2.0 * RADIUS);
    let (mut patch, fixed) = (Patch::with_room(0), Pose::identity());
    for (name, mesh, center) in places() {
        let mut find = |center: Vec3| {
            let (mut at, before) = (Pose::identity(), count());
            at.position = center;
            patch.find_round([(&mesh, &fixed), (&ball, &at)], &hertz(RADIUS), 0.0);
            count() - before
        };
        find(center);
        assert_eq!(find(center), 0, "{name}");
        for flaw in [f64::NAN, f64::INFINITY] {
            find(Vec3::new(center.x, flaw, center.z));
            find(Vec3::repeat(flaw));
        }
    }
}
