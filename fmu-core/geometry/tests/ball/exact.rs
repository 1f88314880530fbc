//! The energy with the centre or the axis on an edge or a vertex of a mesh, and walls in the plane of an end.

use super::gradient::{RADIUS, pressures};
use super::pressed::{body, hertz, placed};
use super::round::tilted;
use crate::cells::meshes::{Mesh, bumpy, ell, prism};
use crate::random::{Random, posed};
use contact_geometry::math::{Mat3, Vec3};
use contact_geometry::shapes::RoundedShape;
use std::f64::consts::PI;

/// A block, an L, a plate and saddles, with a vertex of each and the other end of an edge there.
fn meshes() -> Vec<(Mesh, Vec3, Vec3)> {
    let outline = [[-0.2, -0.2], [0.2, -0.2], [0.2, 0.2], [-0.2, 0.2]];
    let cuboid = |height: f64| prism(&outline, &[[0, 1, 2], [0, 2, 3]], height);
    let bumpy = bumpy();
    let top = bumpy.triangles.iter().flatten().copied();
    let tip = top.max_by(|a, b| {
        let z = [a, b].map(|v| bumpy.vertices[*v as usize].z);
        z[0].total_cmp(&z[1])
    });
    let tip = tip.expect("a vertex");
    let beside = bumpy.triangles.iter().find(|t| t.contains(&tip));
    let beside = beside.expect("its triangle").iter().copied();
    let beside = beside.clone().find(|v| *v != tip).expect("an edge");
    let [tip, beside] = [tip, beside].map(|v| bumpy.vertices[v as usize]);
    let corner = |z: f64| [Vec3::new(0.2, 0.2, z), Vec3::new(0.2, -0.2, z)];
    let [a, b] = corner(0.2);
    let [c, d] = corner(0.001);
    let [e, f] = [0.15, -0.15].map(|z| Vec3::new(0.1, 0.1, z));
    vec![
        (cuboid(0.4), a, b),
        (cuboid(0.002), c, d),
        (ell(), e, f),
        (bumpy, tip, beside),
    ]
}

/// The mesh turned or mirrored.
fn mapped(mesh: &Mesh, by: &Mat3) -> RoundedShape {
    let mut mesh = mesh.clone();
    mesh.vertices.iter_mut().for_each(|v| *v = by * *v);
    if by.determinant() < 0.0 {
        mesh.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    }
    body(&mesh)
}

/// Rotations and reflections: at first the identity and a reflection.
fn maps(count: usize, random: &mut Random) -> Vec<Mat3> {
    let mirror = Mat3::from_diagonal(&Vec3::new(-1.0, 1.0, 1.0));
    let turned = (0..count).map(|number| {
        let turn = random.rotation();
        let turn = if number < 2 { Mat3::identity() } else { turn };
        if number % 2 == 1 { turn * mirror } else { turn }
    });
    turned.collect()
}

#[test]
fn the_energy_on_an_edge_or_a_vertex_is_the_work_of_the_force() {
    let mut random = Random::new(61);
    let rounds = [
        (RoundedShape::sphere(2.0 * RADIUS), 0.0),
        (RoundedShape::ellipsoid(&[0.06, 0.1, 0.16]), 0.0),
        // Its middle, and one end of its axis.
        (RoundedShape::capsule(2.0 * RADIUS, 0.16), 0.0),
        (RoundedShape::capsule(2.0 * RADIUS, 0.16), 0.08),
    ];
    for (number, (mesh, vertex, other)) in meshes().iter().enumerate() {
        for (trial, by) in maps(3, &mut random).iter().enumerate() {
            let own = mapped(mesh, by);
            let pressure = pressures()[trial / 2];
            // Energy of an entire ball: what rounding may have a part of.
            let n = pressure.exponent;
            let all = 8.0 * PI / ((n + 1.0) * (n + 2.0) * (n + 3.0));
            let source = all * pressure.factor * RADIUS.powf(n + 3.0);
            for (kind, (round, end)) in rounds.iter().enumerate() {
                let share = [0.0, 0.5, 0.37][(trial + kind) % 3];
                let on = by * (vertex + (other - vertex) * share);
                let (turn, way) = (random.rotation(), random.direction());
                let end = turn.column(2) * *end;
                let at = |place: Vec3| placed(&own, round, &posed(place - end, turn), &pressure);
                // Simpson's rule over 1 % of the radius: its error is some 1e-11.
                let step = 0.01 * RADIUS / 8.0;
                let weights = [1.0, 4.0, 2.0, 4.0, 2.0, 4.0, 2.0, 4.0, 1.0];
                let force = |k: usize| at(on + way * (k as f64 * step)).force.dot(&way);
                let work: f64 = (0..9).map(|k| weights[k] * force(k) * step / 3.0).sum();
                let wanted = at(on + way * (8.0 * step)).energy + work;
                for off in [0.0, 3e-16, 1e-14, 1e-10, 1e-9, 1e-8, 4.9e-7, 5.1e-7] {
                    let found = at(on + random.direction() * off);
                    let error = (found.energy - wanted).abs() - off * found.force.norm();
                    assert!(
                        error <= 1e-9 * wanted + 1e-10 * source,
                        "{number} {trial} {kind} {share} {off:e}: {} is not {wanted}",
                        found.energy
                    );
                }
            }
        }
    }
}

#[test]
fn a_wall_in_the_plane_of_an_end_presses_as_beside_it() {
    let mut random = Random::new(62);
    let outline = [[-0.4, -0.4], [0.4, -0.4], [0.4, 0.4], [-0.4, 0.4]];
    let mesh = prism(&outline, &[[0, 1, 2], [0, 2, 3]], 0.4);
    let capsule = RoundedShape::capsule(2.0 * RADIUS, 0.16);
    for (trial, by) in maps(100, &mut random).iter().enumerate() {
        let own = mapped(&mesh, by);
        let mirrored = Mat3::from_diagonal(&Vec3::new(by.determinant().signum(), 1.0, 1.0));
        let depth = [1e-5, 1e-3, 0.03, 0.06][trial % 4];
        let y = [0.03, 0.39, 0.4, -0.4][trial / 4 % 4];
        let at = |x: f64| {
            let place = Vec3::new(0.4 - 0.08 + x, y, 0.2 + RADIUS - depth);
            let pose = posed(by * place, by * mirrored * tilted(0.0, 0.0));
            placed(&own, &capsule, &pose, &hertz(RADIUS))
        };
        let (on, near, past) = (at(0.0), at(-1e-9), at(1e-9));
        let size = on.force.norm();
        let off = [
            (on.force - (near.force + past.force) * 0.5).norm() / size,
            (on.torque - (near.torque + past.torque) * 0.5).norm() / (size * RADIUS),
            on.energy * 2.0 / (near.energy + past.energy) - 1.0,
        ];
        let is_close = off.iter().all(|off| off.abs() < 1e-9);
        assert!(is_close, "{trial} {depth} {y}: {off:?}");
    }
}
