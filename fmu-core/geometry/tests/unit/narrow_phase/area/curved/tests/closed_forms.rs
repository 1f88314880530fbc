//! Closed forms: k times the volume under the plane, at its centroid.

use super::help::*;
use crate::math::{Pose, Vec3};
use std::f64::consts::{FRAC_PI_2, PI};

const R: f64 = 0.05;
const H: f64 = 0.03;

#[test]
fn standing_cylinder_carries_its_area_times_the_depth() {
    let d = 1e-4;
    for core in [cylinder(R, H), cone([-H, 0.07], [R, 0.02])] {
        let load = load(&core, &pose([0.0, 0.0, H - d], [0.0; 3]), &ground());
        let force = K * PI * R * R * d;
        if matches!(core, crate::shapes::Core::Cylinder(_)) {
            close(load.force.z, force, 1e-13 * force);
            close(load.energy, 0.5 * force * d, 1e-12 * force * d);
        }
        // Opposite nodes cancel.
        let rest = [
            load.force.x,
            load.force.y,
            load.torque.x,
            load.torque.y,
            load.torque.z,
        ];
        assert!(
            rest.iter().all(|rest| rest.abs() <= 1e-17 * load.force.z),
            "{rest:?}"
        );
    }
}

#[test]
fn tilted_standing_cylinder_has_the_moment_of_its_face() {
    for (d, slope) in [(1e-3, 0.01), (1e-4, 0.0012)] {
        // Plane over the base: depth d + slope x, so F = k V, M = k slope pi R^4/4.
        let angle = f64::atan(slope);
        let rotation = tilt(angle);
        // The middle of the base is d under the ground, measured along the axis.
        let position = Vec3::new(0.0, 0.0, -d * angle.cos()) + rotation * Vec3::new(0.0, 0.0, H);
        let pose = Pose { position, rotation };
        let load = load(&cylinder(R, H), &pose, &ground());
        let force = K * PI * R * R * d;
        close(load.force.z, force, 1e-12 * force);
        // Centroid in body axes.
        let x = slope * R * R / (4.0 * d);
        let z = 0.5 * (d + slope * slope * R * R / (4.0 * d)) - H;
        let center = position + rotation * Vec3::new(x, 0.0, z);
        close(load.torque.y, -center.x * force, 1e-12 * force * R);
        // Energy: k cos/2 integral of depth^2 dA.
        let energy =
            0.5 * K * angle.cos() * (PI * R * R * d * d + slope * slope * PI * R.powi(4) / 4.0);
        close(load.energy, energy, 1e-12 * energy);
    }
}

#[test]
fn lying_cylinder_carries_its_segment() {
    for d in [1e-6, 1e-4, 0.02, 0.05, 0.08, 0.0999] {
        let mut pose = pose([0.01, 0.02, R - d], [FRAC_PI_2, 0.0, 0.0]);
        pose.rotation = crate::math::Mat3::new(1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0);
        let load = load(&cylinder(R, H), &pose, &ground());
        // Closed forms, or where those cancel integrals over chords 2 sqrt(2 R h - h^2) at a height
        // h = d s^2 over the lowest generator.
        let moment = |power: i32| {
            if d >= 0.02 {
                let c: f64 = R - d;
                let w = (R * R - c * c).sqrt();
                let area = R * R * (c / R).acos() - c * w;
                return [area, 2.0 / 3.0 * w * w * w - c * area][power as usize];
            }
            integrate(0.0, 1.0, 50, |s| {
                let h = d * s * s;
                2.0 * (h * (2.0 * R - h)).sqrt() * (d - h).powi(power) * 2.0 * s * d
            })
        };
        let force = K * 2.0 * H * moment(0);
        let relative = 1e-12 + 1e-15 * R / d;
        close(load.force.z, force, relative * force);
        close(load.torque.x, 0.02 * force, 2.0 * relative * R * force);
        close(load.torque.y, -0.01 * force, 2.0 * relative * R * force);
        let energy = K * 2.0 * H * moment(1);
        close(load.energy, energy, 3.0 * relative * energy);
    }
}

#[test]
fn spinning_disc_brakes_with_two_thirds_of_its_radius() {
    let load = load(
        &cylinder(R, H),
        &pose([0.0, 0.0, H - 1e-6], [0.0; 3]),
        &ground(),
    );
    // Slip of a unit spin about z at the nodes of the base, whose normal is -z.
    let base = load
        .nodes
        .list()
        .into_iter()
        .filter(|node| node.normal.z == -1.0);
    let torque: f64 = base.map(|node| node.force * node.point.xy().norm()).sum();
    let closed = 2.0 / 3.0 * R * load.force.z;
    close(torque, closed, 1e-13 * closed);
}

#[test]
fn rim_carries_its_wedge() {
    for (angle, d) in [
        (0.3, 1e-5),
        (0.8, 1e-3),
        (1.2, 2e-3),
        (0.05, 1e-3),
        (1.5, 1e-4),
    ] {
        let rotation = tilt(angle);
        // Lowest point of the bottom rim is (R, 0, -H) in body axes.
        let low = rotation * Vec3::new(R, 0.0, -H);
        let pose = Pose {
            position: Vec3::new(0.0, 0.0, -d) - low,
            rotation,
        };
        // Depth along the axis over the base is m (x - c).
        let (m, c) = (angle.tan(), R - d / angle.sin());
        if m * (R - c) > 2.0 * H {
            continue;
        }
        // Integrals over the base of height^i x^j, height = m (x - c), x = c + (R - c)(1 - s^2).
        let moment = |i: i32, j: i32| {
            integrate(0.0, 1.0, 100, |s| {
                let (over, under) = ((R - c) * (1.0 - s * s), (R - c) * s * s);
                let width = 2.0 * (under * (2.0 * R - under)).sqrt();
                (m * over).powi(i) * (c + over).powi(j) * width * 2.0 * s * (R - c)
            })
        };
        let (volume, first, second) = (moment(1, 0), moment(1, 1), 0.5 * moment(2, 0));
        let load = load(&cylinder(R, H), &pose, &ground());
        let force = K * volume;
        let relative = 1e-12 + 1e-14 * R / d;
        close(load.force.z, force, relative * force);
        let center = Vec3::new(first / volume, 0.0, second / volume - H);
        let center = pose.position + rotation * center;
        close(load.torque.y, -center.x * force, relative * R * force);
        // U = k integral of depth over the wedge = k volume times the depth of the centroid.
        let expected = -center.z * force;
        close(load.energy, expected, 1e-11 * force * d + 1e-15 * force * R);
    }
}

#[test]
fn apex_carries_its_cone() {
    // Apex at the bottom; half angle b.
    for (tan, d) in [(0.5_f64, 0.01), (2.0, 1e-3)] {
        let height = 0.1;
        let core = cone([0.0, height], [0.0, tan * height]);
        let load = load(&core, &pose([0.0, 0.0, -d], [0.0; 3]), &ground());
        let force = K * PI / 3.0 * tan * tan * d * d * d;
        close(load.force.z, force, 1e-12 * force);
        close(load.energy, force * d / 4.0, 1e-12 * force * d);
        // Tilted by t: the section is an ellipse; V = pi/3 d^3 T^2 cos t/(cos^2 t - T^2 sin^2
        // t)^1.5
        // with T = tan b, d the depth of the apex below the plane.
        for t in [0.1_f64, 0.25] {
            let pose = Pose {
                position: Vec3::new(0.0, 0.0, -d),
                rotation: tilt(t),
            };
            let load = super::help::load(&core, &pose, &ground());
            let (s, c) = t.sin_cos();
            let q = c * c - tan * tan * s * s;
            let force = K * PI / 3.0 * d * d * d * tan * tan / (q * q.sqrt());
            close(load.force.z, force, 1e-12 * force);
        }
    }
}
