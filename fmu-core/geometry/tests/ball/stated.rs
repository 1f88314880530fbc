//! Closed forms, numbers of others, faces cut into pieces.

use super::pressed::{MODULUS, block, body, hertz, pressed};
use super::quadrature::integral;
use crate::cells::meshes::{Mesh, prism, slab};
use crate::random::Random;
use contact_geometry::math::Vec3;
use contact_geometry::narrow_phase::area::RoundPressure;
use std::f64::consts::{PI, TAU};

/// Exponent and factor of a pressure, and with them depths [m], forces [N] and energies [J] of a ball of
/// 0.05 m on a plane.
const PLANE: [(f64, f64, [[f64; 3]; 2]); 2] = [
    (
        0.5,
        156431328223.55542,
        [
            [1e-6, 32.76250761441845, 1.310504797774558e-5],
            [1e-5, 1035.9295653813997, 0.004143860348916481],
        ],
    ),
    (
        1.0,
        1e13,
        [
            [1e-6, 1.5707753828438726, 5.235935396105428e-7],
            [1e-5, 157.05868872846574, 0.0005235464157207393],
        ],
    ),
];

#[test]
fn a_plane_face_has_the_stated_force_and_energy() {
    let (floor, radius) = (block([0.4, 0.4, 0.2]), 0.05);
    for (exponent, factor, rows) in PLANE {
        for [depth, force, energy] in rows {
            let pressure = RoundPressure { factor, exponent };
            let center = Vec3::new(0.01, 0.02, radius - depth);
            let found = pressed(&floor, center, radius, &pressure);
            // The depth is off by the rounding of the height.
            let part = 1e-12 + 3.0 * 7e-18 / depth;
            assert_eq!((found.nodes, found.force.xy().amax()), (1, 0.0));
            assert!((found.force.z / force - 1.0).abs() < part);
            assert!((found.energy / energy - 1.0).abs() < part);
        }
    }
}

#[test]
fn hertz_force_lacks_the_known_part_at_any_depth() {
    let (floor, radius) = (block([0.4, 0.4, 0.2]), 0.05);
    let pressure = hertz(radius);
    for part in [1e-8, 1e-6, 1e-4, 1e-2, 0.5, 0.999] {
        let center = Vec3::new(0.0, 0.0, radius * (1.0 - part));
        let depth = radius - center.z;
        let found = pressed(&floor, center, radius, &pressure);
        let point = 4.0 / 3.0 * MODULUS * radius.sqrt() * depth.powf(1.5);
        let wanted = point * (1.0 - 0.6 * depth / radius);
        assert!((found.force.z / wanted - 1.0).abs() < 1e-14, "{part}");
        let energy = point * depth * (0.4 - 6.0 / 35.0 * depth / radius);
        assert!((found.energy / energy - 1.0).abs() < 1e-14, "{part}");
        // The other half of the ball, with its centre below the face.
        let below = pressed(&floor, -center, radius, &pressure);
        assert!((below.force.z / wanted - 1.0).abs() < 1e-14, "{part}");
        let all = 4.0 * PI * hertz_of_ball(radius);
        assert!(
            (below.energy / (all - energy) - 1.0).abs() < 1e-13,
            "{part}"
        );
    }
}

/// Integral of the pressure times r^2 over the radius.
fn hertz_of_ball(radius: f64) -> f64 {
    hertz(radius).factor * integral([0.0, radius], |r| (radius - r).sqrt() * r * r)
}

/// Floor of n x n squares, cut in two, whose faces stay apart: at each vertex of the rim more than three planes
/// meet.
pub fn floor(n: u32, size: f64, random: &mut Random) -> Mesh {
    let mut mesh = slab(n, size / f64::from(n), 0.1, |_, _| 0.0);
    let is_inner = |v: &Vec3| v.xy().amax() < 0.5 * size - 1e-9;
    for v in mesh.vertices.iter_mut() {
        let off = Vec3::new(random.between(-0.3, 0.3), random.between(-0.3, 0.3), 0.0);
        if v.z < 0.0 {
            *v += off * (0.3 * size / f64::from(n));
        } else if is_inner(v) {
            *v += off * (size / f64::from(n));
        }
    }
    mesh
}

#[test]
fn a_floor_of_triangles_has_no_seams() {
    let (radius, depth, mut random) = (0.05, 1.163e-6, Random::new(5));
    let pressure = hertz(radius);
    let wanted = pressed(
        &block([0.8, 0.8, 0.2]),
        Vec3::new(0.0, 0.0, radius - depth),
        radius,
        &pressure,
    );
    for (n, size) in [(1, 0.4), (8, 0.4), (8, 2.4e-3)] {
        let mesh = body(&floor(n, size, &mut random));
        let mut most = 0;
        for k in 0..60 {
            let share = f64::from(k) / 60.0 - 0.5;
            // Along a line of vertices at the border and across all else.
            let place = [share, 0.1 * (40.0 * share).sin()].map(|c| c * 0.6 * size);
            let center = Vec3::new(place[0], place[1], radius - depth);
            let found = pressed(&mesh, center, radius, &pressure);
            let off = (found.force - wanted.force).norm() / wanted.force.z;
            assert!(off < 1e-13, "{n} {size}: {off:e}");
            let off = (found.energy / wanted.energy - 1.0).abs();
            assert!(off < 1e-13, "{n} {size}: energy {off:e}");
            most = most.max(found.nodes);
        }
        assert!(most >= 2, "{n} {size}: {most} faces");
    }
}

#[test]
fn a_foot_on_a_vertex_or_an_edge_of_the_floor_is_no_other() {
    let (radius, pressure) = (0.05, hertz(0.05));
    let mut random = Random::new(6);
    let mut mesh = floor(2, 2e-3, &mut random);
    mesh.vertices
        .iter_mut()
        .filter(|v| v.z == 0.0 && v.norm() < 9e-4)
        .for_each(|v| *v *= 0.0);
    let plane = Vec3::new(0.0, 0.0, radius - 1e-6);
    let wanted = pressed(&block([0.4, 0.4, 0.2]), plane, radius, &pressure)
        .force
        .z;
    let mesh = body(&mesh);
    for off in [0.0, 1e-320, 1e-18, -1e-17, 1e-16, 1e-12, -1e-9, 1e-7, 1e-5] {
        for way in [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.3, -0.7], [-1.0, 1.0]] {
            let center = Vec3::new(way[0] * off, way[1] * off, plane.z);
            let found = pressed(&mesh, center, radius, &pressure);
            assert!((found.force.z / wanted - 1.0).abs() < 1e-13, "{center:?}");
            assert!(found.nodes >= 4);
        }
    }
}

/// Facets of a race, each with its number, below a profile that is cut off.
fn race(radius: f64, count: u32, facets: std::ops::RangeInclusive<i32>) -> Mesh {
    let turn = TAU / f64::from(count);
    let outer = radius / (0.5 * turn).cos();
    let angles = (*facets.start() - 1..=*facets.end()).rev();
    let angles = angles.map(|k| turn * (f64::from(k) + 0.5));
    let mut outline: Vec<[f64; 2]> = angles
        .map(|angle| [outer * angle.sin(), -outer * angle.cos()])
        .collect();
    let (right, left) = (outline[0][0], outline[outline.len() - 1][0]);
    let below = -1.4 * radius;
    outline.extend([[left, below], [0.5 * (left + right), below], [right, below]]);
    let n = outline.len() as u32;
    let middle = n - 2;
    let others = (0..n).filter(|k| *k != middle && (*k + 1) % n != middle);
    let face: Vec<[u32; 3]> = others.map(|k| [middle, k, (k + 1) % n]).collect();
    prism(&outline, &face, 6e-3)
}

/// Force of a ball in a smooth race, by integration over the race.
fn smooth(race: f64, radius: f64, depth: f64, pressure: &RoundPressure) -> f64 {
    let from_axis = race - radius + depth;
    let most = (depth * (2.0 * radius - depth)).sqrt();
    // Over half of the patch, mirrored.
    let gap = |angle: f64| {
        let (x, y) = (race * angle.sin(), race * angle.cos() - from_axis);
        radius * radius - x * x - y * y
    };
    let widest = (2.0 * race * from_axis).recip()
        * (radius * radius - (race - from_axis) * (race - from_axis));
    let widest = 2.0 * (0.5 * widest).sqrt().asin();
    assert!(gap(widest).abs() < 1e-9 * most);
    let strip = |angle: f64| {
        let rest = gap(angle).max(0.0);
        let half = rest.sqrt();
        let u = |y: f64| {
            let square = (half - y) * (half + y);
            square / (radius + (radius * radius - square).sqrt())
        };
        angle.cos() * integral([0.0, half], |y| u(y).max(0.0).powf(pressure.exponent))
    };
    4.0 * pressure.factor * race * integral([0.0, widest], strip)
}

#[test]
fn a_race_of_facets_tends_to_the_smooth_race() {
    let (race_radius, radius, depth) = (0.05, 0.01, 1e-6);
    let pressure = hertz(radius);
    let wanted = smooth(race_radius, radius, depth, &pressure);
    // Stated are parts of a force that a rule found, which was 1.000073589 of that of a parabolic gap; the
    // integral is 0.999926751 of it.
    let rule = 1.000073589 / 0.999926751;
    for (count, range) in [
        (512_u32, [0.217, 0.894]),
        (2048, [0.9700, 0.9713]),
        (8192, [0.9979, 0.9981]),
    ] {
        let turn = TAU / f64::from(count);
        let facets = (2.5e-4 / (turn * race_radius)).ceil() as i32 + 2;
        let mesh = body(&race(race_radius, count, -facets..=facets + 1));
        let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
        for k in 0..=40 {
            let angle = turn * f64::from(k) / 40.0;
            let way = Vec3::new(angle.sin(), -angle.cos(), 0.0);
            let center = way * (race_radius - radius + depth);
            let found = pressed(&mesh, center, radius, &pressure);
            let part = -found.force.dot(&way) / wanted;
            (least, most) = (least.min(part), most.max(part));
        }
        // Stated with three or four digits.
        let digit = if count == 512 { 1e-3 } else { 1e-4 };
        let off = [least / rule - range[0], most / rule - range[1]].map(f64::abs);
        assert!(
            off.iter().all(|off| *off <= 0.5 * digit),
            "{count} facets {least} .. {most}"
        );
    }
}
