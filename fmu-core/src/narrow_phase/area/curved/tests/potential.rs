//! The load is the gradient of one energy.

use super::help::*;
use crate::math::{Dual, Pose, Real, Vec3, exponential};
use crate::narrow_phase::area::Plane;

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
    let rotation = w.cross_matrix() * pose.rotation;
    Pose {
        position: pose.position.zip_map(&position, Dual::new),
        rotation: pose.rotation.zip_map(&rotation, Dual::new),
    }
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

#[test]
fn energy_differentiated_is_the_load() {
    for case in cases() {
        let planes = cuboid(case.half, [0.0, 0.0, -case.half[2]]);
        let core = cone(case.z, case.radii);
        let at = pose(case.position, case.turn);
        let value = load(&core, &at, &planes);
        let mut worst = 0.0_f64;
        let mut jacobian = 0.0_f64;
        for k in 0..6 {
            let dual = load(&core, &moving(&at, k), &lifted(&planes));
            let wrench = if k < 3 {
                value.force[k]
            } else {
                value.torque[k - 3]
            };
            worst = worst.max((Real::derivative(dual.energy) + wrench).abs());
            let step = 1e-5;
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
            let [p, m] = [step, -step].map(|s| load(&core, &moved(s), &planes));
            let fd = (p.force - m.force) / (2.0 * step);
            jacobian = jacobian.max((fd - dual.force.map(Real::derivative)).norm());
        }
        let size = value.force.norm();
        assert!(worst <= 1e-14 * size, "{worst:e} of {size:e}");
        // A difference of 1e-5 has this error.
        assert!(jacobian <= 1e-6 * size, "{jacobian:e} of {size:e}");
    }
}
