//! The load is the gradient of one energy.

use super::help::*;
use crate::math::{Dual, Pose, Real, Vec3, exponential};
use crate::narrow_phase::area::Plane;
use crate::shapes::Core;

fn lifted(planes: &[Plane<f64>]) -> Vec<Plane<Dual>> {
    let lift = |plane: &Plane<f64>| Plane {
        normal: plane.normal.map(Dual::from),
        offset: Dual::from(plane.offset),
    };
    planes.iter().map(lift).collect()
}

/// A pose whose derivative is the motion of one of six directions about the frame's origin.
fn moving(pose: &Pose, direction: usize) -> Pose<Dual> {
    let mut v = Vec3::zeros();
    let mut w = Vec3::zeros();
    if direction < 3 {
        v[direction] = 1.0;
    } else {
        w[direction - 3] = 1.0;
    }
    let position = v + w.cross(&pose.position);
    crate::shapes::samples::moving(pose, &position, &w)
}

struct Case {
    z: [f64; 2],
    radii: [f64; 2],
    position: [f64; 3],
    turn: [f64; 3],
    half: [f64; 3],
}

/// A cylinder and a cone over, beside and across edges and corners of a box whose top is z = 0.
fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut seed = 12345_u64;
    let mut random = move || {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    for i in 0..40 {
        let radii = match i % 3 {
            0 => [0.5, 0.5],
            1 => [0.6, 0.2],
            _ => [0.0, 0.5],
        };
        let mut r = |a: f64, b: f64| a + (b - a) * random();
        cases.push(Case {
            z: [-0.4, 0.5],
            radii,
            position: [r(0.2, 0.9), r(0.2, 0.9), r(0.1, 0.35)],
            turn: [r(-3.0, 3.0), r(-3.0, 3.0), r(-1.0, 1.0)],
            half: [0.6, 0.7, 0.5],
        });
    }
    cases
}

#[test]
fn energy_and_load_are_those_of_the_volume() {
    for case in cases() {
        let planes = cuboid(case.half, [0.0, 0.0, -case.half[2]]);
        let core = cone(case.z, case.radii);
        let at = pose(case.position, case.turn);
        let load = load(&core, &at, &planes);
        let energy = energy_by_volume(case.z, case.radii, &at, &planes, 40);
        // What the composite rule of the reference leaves where the field has kinks.
        close(load.energy, energy, 1e-3 * energy);
        if load.energy > 1e3 {
            close(load.energy, energy, 5e-5 * energy);
        }
    }
}

/// Compares the load with the derivatives of the energy by dual numbers, and its own derivatives
/// with differences; returns its size [N].
fn check_gradient(core: &Core, at: &Pose, planes: &[Plane<f64>]) -> f64 {
    check_gradient_to(1e-14, core, at, planes)
}

/// The same to this share of the size.
fn check_gradient_to(rounding: f64, core: &Core, at: &Pose, planes: &[Plane<f64>]) -> f64 {
    let value = load(core, at, planes);
    let mut worst = 0.0_f64;
    let mut jacobian = 0.0_f64;
    for k in 0..6 {
        let dual = load(core, &moving(at, k), &lifted(planes));
        let wrench = if k < 3 {
            value.force[k]
        } else {
            value.torque[k - 3]
        };
        worst = worst.max((dual.energy.derivative(0) + wrench).abs());
        let step = 1e-6;
        let moved = |s: f64| {
            let mut v = Vec3::zeros();
            v[k % 3] = s;
            match k < 3 {
                true => Pose {
                    position: at.position + v,
                    rotation: at.rotation,
                },
                false => {
                    let turn = exponential(&v);
                    Pose {
                        position: turn * at.position,
                        rotation: turn * at.rotation,
                    }
                }
            }
        };
        let [p, m] = [step, -step].map(|s| load(core, &moved(s), planes));
        let fd = (p.force - m.force) / (2.0 * step);
        jacobian = jacobian.max((fd - dual.force.map(|x| x.derivative(0))).norm());
    }
    let size = value.force.norm();
    assert!(worst <= rounding * size, "{worst:e} of {size:e}");
    let found = size;
    // A difference over 1e-6 m has this error unless little touches.
    let size = size.max(1e3);
    assert!(jacobian <= 1e-6 * size, "{jacobian:e} of {size:e}");
    found
}

#[test]
fn energy_differentiated_is_the_load() {
    for case in cases() {
        let planes = cuboid(case.half, [0.0, 0.0, -case.half[2]]);
        let core = cone(case.z, case.radii);
        check_gradient(&core, &pose(case.position, case.turn), &planes);
    }
}

#[test]
fn energy_of_a_beam_differentiated_is_the_load() {
    let mut pressed = 0;
    for case in cases() {
        let planes = cuboid(case.half, [0.0, 0.0, -case.half[2]]);
        for core in [beam(0.5, 0.3, 0.15), beam(0.2, 0.4, 0.35)] {
            let size = check_gradient(&core, &pose(case.position, case.turn), &planes);
            pressed += usize::from(size > 0.0);
        }
    }
    assert!(pressed > 40, "{pressed}");
}

#[test]
fn bodies_over_a_post_that_reach_beyond_five_faces_have_the_gradient_of_their_energy() {
    let mut pressed = 0;
    for case in cases() {
        // Wider than the post, over its top and its four sides, but not below its bottom.
        let planes = cuboid([0.2, 0.25, 0.6], [0.0, 0.0, -0.6]);
        let down = |core: &Core| Vec3::new(0.0, 0.0, core.solid().support(&-Vec3::z()).z);
        for core in [cone([-0.4, 0.5], [0.6, 0.6]), cone([-0.4, 0.5], [0.6, 0.2])] {
            let turn = pose([0.0; 3], case.turn.map(|angle| 0.1 * angle)).rotation;
            let [x, y, z] = case.position;
            let at = Pose {
                position: Vec3::new(0.2 * x - 0.1, 0.2 * y - 0.1, -0.2 * z) - turn * down(&core),
                rotation: turn,
            };
            let size = check_gradient(&core, &at, &planes);
            let sides = planes.iter().enumerate().filter(|(j, _)| {
                let value = load(&core, &at, &planes);
                let near = |x: &Vec3, plane: &Plane<f64>| plane.offset - plane.normal.dot(x);
                let mut nodes = value.nodes.list().into_iter();
                nodes.any(|node| {
                    let depths = planes.iter().map(|plane| near(&node.point, plane));
                    let least = depths.fold(f64::INFINITY, f64::min);
                    near(&node.point, &planes[*j]) <= least
                })
            });
            pressed += usize::from(size > 0.0 && sides.count() > 3);
        }
    }
    assert!(pressed > 20, "{pressed}");
}

/// Planes of a pyramid of `sides` faces with its tip at the origin, r wide where it is h high.
fn pyramid(sides: usize, r: f64, h: f64) -> Vec<Plane<f64>> {
    let face = |i: usize| {
        let (sin, cos) = Real::sin_cos(std::f64::consts::TAU * (i as f64 + 0.3) / sides as f64);
        Plane {
            normal: Vec3::new(h * cos, h * sin, r).normalize(),
            offset: 0.0,
        }
    };
    (0..sides).map(face).collect()
}

/// U = C d^4, so U = F d/4, steep and blunt; the force is along the axis of the pyramid.
#[test]
fn a_pyramid_that_presses_an_end_with_its_tip_has_its_closed_form() {
    let core = cone([0.0, 0.5], [0.4, 0.4]);
    for sides in [3, 4, 5, 8, 13] {
        for (r, h) in [(0.1, 0.1), (0.1, 0.3), (0.03, 0.3), (0.3, 0.1)] {
            let planes = pyramid(sides, r, h);
            let d = 1e-3;
            let at = pose([0.05, 0.02, -d], [0.0; 3]);
            let found = load(&core, &at, &planes);
            close(found.energy, found.force.z * d / 4.0, 1e-12 * found.energy);
            // Rounding of places of 0.05 m, in patches that are 0.1 mm wide.
            let mut tilted = pose([0.0; 3], [0.1, 0.05, 0.0]);
            tilted.position = tilted.rotation * at.position;
            check_gradient_to(1e-11, &core, &tilted, &planes);
        }
    }
}

/// Faces without a common point: the energy is exact but for the rule over the nodes.
#[test]
fn the_energy_on_the_side_of_a_prism_of_many_faces_has_the_load_as_its_gradient() {
    let sides = 16;
    let face = |i: usize| {
        let (sin, cos) = Real::sin_cos(std::f64::consts::TAU * i as f64 / sides as f64);
        Plane {
            normal: Vec3::new(sin, 0.0, cos),
            offset: 0.1,
        }
    };
    let ends = [1.0, -1.0].map(|side| Plane {
        normal: Vec3::new(0.0, side, 0.0),
        offset: 0.3,
    });
    let planes: Vec<Plane<f64>> = (0..sides).map(face).chain(ends).collect();
    let core = cone([0.0, 0.5], [0.4, 0.4]);
    for depth in [1e-3, 3e-3, 1e-2] {
        let at = pose([0.05, 0.02, 0.1 - depth], [0.0; 3]);
        let value = load(&core, &at, &planes);
        let dual = load(&core, &moving(&at, 2), &lifted(&planes));
        let off = (dual.energy.derivative(0) / value.force.z + 1.0).abs();
        // What the rule over the nodes leaves of kinks along the rays.
        assert!(off < 2e-2, "{depth}: {off:e}");
    }
}
