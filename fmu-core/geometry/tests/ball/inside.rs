//! The energy of a capsule in a neck and over a rib, far from all faces at its ends, and of an ellipsoid whose centre
//! is nearest to a vertex.

use super::gradient::{RADIUS, pressures};
use super::pressed::{body, placed, pressed};
use super::quadrature::integral;
use crate::cells::meshes::{Mesh, prism};
use crate::random::{Random, posed, soak};
use contact_geometry::math::{Mat3, Vec3};
use contact_geometry::narrow_phase::area::RoundPressure;
use contact_geometry::shapes::{self, Ellipsoid, RoundedShape};
use std::f64::consts::{PI, TAU};

/// Half length of the axis of a capsule.
const HALF: f64 = 6.0 * RADIUS;

/// Integral of u^n over the part of a disc within heights of its centre, in polar coordinates.
fn of_disc(below: f64, above: f64, pressure: &RoundPressure) -> f64 {
    let mut cuts = vec![0.0, RADIUS];
    cuts.extend([below, above].map(|height| height.abs().min(RADIUS)));
    cuts.sort_by(f64::total_cmp);
    let ring = |r: f64| {
        let beyond = |height: f64| (height / r).clamp(-1.0, 1.0).acos();
        let angle = TAU - 2.0 * (beyond(above) + beyond(-below));
        (RADIUS - r).powf(pressure.exponent) * r * angle
    };
    let pieces = cuts.windows(2).filter(|cut| cut[0] < cut[1]);
    pieces.map(|cut| integral([cut[0], cut[1]], ring)).sum()
}

/// Along x, so that the axis has this height.
fn lying(round: &RoundedShape, mesh: &RoundedShape, y: f64, pressure: &RoundPressure) -> f64 {
    let axes = Mat3::from_columns(&[Vec3::y(), Vec3::z(), Vec3::x()]);
    let pose = posed(Vec3::new(0.01, y, 0.002), axes);
    placed(mesh, round, &pose, pressure).energy
}

#[test]
fn a_capsule_in_a_neck_has_the_energy_of_its_part_inside() {
    let (neck, lobe, end, most) = (2.0 * RADIUS, 3.0 * RADIUS, 8.0 * RADIUS, 0.6 * RADIUS);
    let outline = [
        [-end, -lobe],
        [-neck, -lobe],
        [-neck, -most],
        [neck, -most],
        [neck, -lobe],
        [end, -lobe],
        [end, lobe],
        [neck, lobe],
        [neck, most],
        [-neck, most],
        [-neck, lobe],
        [-end, lobe],
    ];
    let face = [
        [0, 1, 2],
        [0, 2, 9],
        [0, 9, 10],
        [0, 10, 11],
        [2, 3, 8],
        [2, 8, 9],
        [5, 6, 7],
        [5, 7, 8],
        [5, 8, 3],
        [5, 3, 4],
    ];
    let mesh = body(&prism(&outline, &face, 4.0 * RADIUS));
    let round = RoundedShape::capsule(2.0 * RADIUS, 2.0 * HALF);
    for pressure in pressures() {
        for y in [0.0, 0.1 * RADIUS, -0.5 * RADIUS] {
            let found = lying(&round, &mesh, y, &pressure);
            let power = |r: f64| (RADIUS - r).powf(pressure.exponent);
            let ball = 4.0 * PI * integral([0.0, RADIUS], |r| power(r) * r * r);
            let all = of_disc(-RADIUS, RADIUS, &pressure);
            let part = of_disc(-most - y, most - y, &pressure);
            let wanted = ball + 2.0 * (HALF - neck) * all + 2.0 * neck * part;
            let off = (found / (wanted * pressure.factor) - 1.0).abs();
            assert!(off < 1e-9, "{} at {y}: {off:e}", pressure.exponent);
        }
    }
}

#[test]
fn a_capsule_on_a_rib_has_the_energy_of_its_part_inside() {
    let width = 2.0 * RADIUS;
    let mut mesh = Mesh::default();
    for corner in 0..8_u32 {
        let side = |k: u32| f64::from(corner >> k & 1) - 0.5;
        let point = Vec3::new(side(0) * width, (side(1) - 0.5) * 0.2, side(2) * 0.4);
        mesh.vertices.push(point);
    }
    for quad in [
        [0, 4, 6, 2],
        [1, 3, 7, 5],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 2, 3, 1],
        [4, 5, 7, 6],
    ] {
        mesh.quad(quad);
    }
    let rib = body(&mesh);
    let round = RoundedShape::capsule(2.0 * RADIUS, 2.0 * HALF);
    for pressure in pressures() {
        for y in [0.99 * RADIUS, 0.3 * RADIUS, -0.3 * RADIUS] {
            let found = lying(&round, &rib, y, &pressure);
            let wanted = width * of_disc(-RADIUS, -y, &pressure) * pressure.factor;
            let off = (found / wanted - 1.0).abs();
            assert!(off < 1e-9, "{} at {y}: {off:e}", pressure.exponent);
        }
    }
}

const EDGES: u32 = 6;

/// Post with a star as its outline, whose tip is at the origin.
fn star(random: &mut Random) -> Mesh {
    let mut mesh = Mesh::default();
    mesh.vertices.extend([Vec3::zeros(), -Vec3::z() * 5.0]);
    for k in 0..EDGES {
        let (s, c) = (TAU * f64::from(k) / f64::from(EDGES)).sin_cos();
        let reach = random.between(0.05, 0.5);
        let height = random.between(-6.0, 0.5) * reach;
        let upper = Vec3::new(reach * c, reach * s, height);
        mesh.vertices
            .extend([upper, Vec3::new(upper.x, upper.y, -5.0)]);
        let [a, b] = [k, (k + 1) % EDGES].map(|k| 2 * k + 2);
        mesh.triangles.extend([[0, a, b], [1, b + 1, a + 1]]);
        mesh.quad([a, a + 1, b + 1, b]);
    }
    mesh
}

/// Height over the faces at the tip, weighted with their angles in the mesh or in another one.
fn weighted(mesh: &Mesh, angles: &Mesh, center: &Vec3) -> f64 {
    let edge = |mesh: &Mesh, k: u32| mesh.vertices[2 * (k % EDGES) as usize + 2];
    let of = |k: u32| {
        let normal = edge(mesh, k).cross(&edge(mesh, k + 1)).normalize();
        normal.dot(center) * edge(angles, k).angle(&edge(angles, k + 1))
    };
    (0..EDGES).map(of).sum()
}

/// Where the linear map of an ellipsoid to a ball moves the mesh too, energies are in the ratio of the volumes.
#[test]
fn an_ellipsoid_at_a_vertex_has_the_energy_of_a_ball_at_the_mapped_one() {
    let (mut random, semi_axes) = (Random::new(51), Vec3::new(0.01, 0.05, 0.2));
    let lengths = semi_axes * 2.0;
    let round = RoundedShape::ellipsoid(&lengths.into());
    let length = Ellipsoid { semi_axes }.length();
    let scale = semi_axes / length;
    let pressure = RoundPressure {
        factor: 1e9,
        exponent: 1.0,
    };
    let all = PI / 3.0 * pressure.factor * length.powi(4) * scale.product();
    let (mut compared, mut differing) = (0, 0);
    for _ in 0..soak(10000) {
        let (mesh, turn) = (star(&mut random), random.rotation());
        let map = |x: &Vec3| turn.tr_mul(x).component_div(&scale);
        let mut mapped = mesh.clone();
        mapped.vertices.iter_mut().for_each(|v| *v = map(v));
        // Faces that differ too much make no mesh.
        let (Some(own), Some(other)) = (made(&mesh), made(&mapped)) else {
            continue;
        };
        for _ in 0..20 {
            let mut center = random.direction() * random.between(1e-4, 3e-3);
            center.z = center.z.abs();
            let found = placed(&own, &round, &posed(center, turn), &pressure).energy;
            let seen = map(&center);
            let wanted = pressed(&other, seen, length, &pressure).energy * scale.product();
            let off = (found - wanted).abs() / all;
            assert!(off < 1e-9, "{found} is not {wanted} of {all}");
            let is_at_tip = mapped.vertices[2..].iter().all(|v| v.dot(&seen) < 0.0);
            let sides = [&mapped, &mesh].map(|angles| weighted(&mapped, angles, &seen) < 0.0);
            compared += usize::from(is_at_tip);
            differing += usize::from(is_at_tip && sides[0] != sides[1]);
        }
    }
    assert!(compared > 20 && differing > 0, "{differing} of {compared}");
}

fn made(mesh: &Mesh) -> Option<RoundedShape> {
    let vertices = mesh.vertices.iter().map(|v| (*v).into()).collect();
    let mesh = shapes::Mesh::new(vertices, mesh.triangles.clone());
    mesh.ok().map(RoundedShape::mesh)
}

#[test]
fn a_ball_beside_a_body_out_of_reach_has_no_energy() {
    let outline = [[0.3, 0.0], [0.0, 0.3], [-0.3, 0.0], [0.0, -0.3]];
    let square = body(&prism(&outline, &[[0, 1, 2], [0, 2, 3]], 0.4));
    // 1.27 of the radius from the nearest face, below the plane of the upper one.
    let off = 0.15 + 0.9 * RADIUS;
    let center = Vec3::new(off, off, 0.2 - 0.1 * RADIUS);
    for pressure in pressures() {
        assert_eq!(pressed(&square, center, RADIUS, &pressure).energy, 0.0);
    }
}
