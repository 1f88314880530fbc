//! Spheres of ever more triangles, pressed into a half-space.

use super::meshes::{Mesh, body, wrench};
use crate::random::{Random, posed};
use contact_geometry::math::{Pose, Vec3};
use contact_geometry::shapes::RoundedShape;
use std::collections::BTreeMap;

const RADIUS: f64 = 0.1;
const DEPTH: f64 = 0.01;
/// The sphere is so stiff that its layer, thinner than its triangles, is deep enough.
const K: [f64; 2] = [1e12, 1e10];

/// An icosahedron, its triangles cut in four so many times, with all corners on the sphere.
fn sphere(cuts: usize) -> Mesh {
    let long = 0.5 * (1.0 + 5.0_f64.sqrt());
    let mut mesh = Mesh::default();
    for k in 0..3 {
        for [a, b] in [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]] {
            let mut corner = Vec3::zeros();
            (corner[k], corner[(k + 1) % 3]) = (a, b * long);
            mesh.vertices.push(corner);
        }
    }
    let at = |v: usize| mesh.vertices[v];
    let near = |a: usize, b: usize| (at(a) - at(b)).norm() < 2.1;
    for a in 0..12 {
        for b in a + 1..12 {
            for c in b + 1..12 {
                if near(a, b) && near(b, c) && near(c, a) {
                    let out = (at(b) - at(a)).cross(&(at(c) - at(a))).dot(&at(a)) > 0.0;
                    let [b, c] = if out { [b, c] } else { [c, b] };
                    mesh.triangles.push([a, b, c].map(|v| v as u32));
                }
            }
        }
    }
    for _ in 0..cuts {
        let mut middles = BTreeMap::new();
        for [a, b, c] in std::mem::take(&mut mesh.triangles) {
            let [ab, bc, ca] = [[a, b], [b, c], [c, a]].map(|[a, b]| {
                *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                    let middle = mesh.vertices[a as usize] + mesh.vertices[b as usize];
                    mesh.vertices.push(middle);
                    mesh.vertices.len() as u32 - 1
                })
            });
            let four = [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]];
            mesh.triangles.extend(four);
        }
        for vertex in &mut mesh.vertices {
            *vertex = vertex.normalize();
        }
    }
    for vertex in &mut mesh.vertices {
        *vertex = vertex.normalize() * RADIUS;
    }
    mesh
}

/// Force [N] of the smooth sphere: -dU/dz of U = integral of min(p_1, p_2), p_1 = k_1 (R - r) about its centre, p_2 =
/// k_2 times the depth. In directions at the angle of cosine u to the vertical p_1 is the lesser one from r(u) =
/// (k_1 R + k_2 (R - d))/(k_1 + k_2 u) to R, so F = 2 pi k_1/3 times the integral of (R^3 - r(u)^3) u du.
fn force_of_a_sphere() -> f64 {
    let [stiff, soft] = K;
    let integrand = |u: f64| {
        let r = (stiff * RADIUS + soft * (RADIUS - DEPTH)) / (stiff + soft * u);
        (RADIUS * RADIUS * RADIUS - r * r * r) * u
    };
    let (from, count) = (1.0 - DEPTH / RADIUS, 1000);
    let step = (1.0 - from) / f64::from(count);
    let simpson = |k: i32| match k {
        0 => 1.0,
        k if k == count => 1.0,
        k if k % 2 == 1 => 4.0,
        _ => 2.0,
    };
    let sum: f64 = (0..=count)
        .map(|k| simpson(k) * integrand(from + step * f64::from(k)))
        .sum();
    std::f64::consts::TAU * stiff / 3.0 * sum * step / 3.0
}

/// Root mean square of the relative error of the force over random orientations. All faces are in the sphere, and no
/// deeper than the middles of the triangles; the force grows with the square of the depth.
fn error(cuts: usize, rounds: u32) -> f64 {
    let mesh = sphere(cuts);
    let distances = mesh.triangles.iter().map(|triangle| {
        let [a, b, c] = triangle.map(|v| mesh.vertices[v as usize]);
        (b - a).cross(&(c - a)).normalize().dot(&a)
    });
    let deepest = RADIUS - distances.fold(RADIUS, f64::min);
    let (sphere, ground) = (body(&mesh), RoundedShape::half_space());
    let (mut random, expected) = (Random::new(11), force_of_a_sphere());
    let mut squares = 0.0;
    for _ in 0..rounds {
        let pose = posed(Vec3::new(0.0, 0.0, RADIUS - DEPTH), random.rotation());
        let (force, _, _) = wrench([&sphere, &ground], [pose, Pose::identity()], K);
        let off = force.z / expected - 1.0;
        assert!((-2.0 * deepest / DEPTH..1e-6).contains(&off), "{off}");
        squares += off * off;
    }
    (squares / f64::from(rounds)).sqrt()
}

/// Each cut halves the edges of the triangles.
fn has_order_two(cuts: [usize; 2], rounds: u32) {
    let [coarser, finer] = cuts.map(|cuts| error(cuts, rounds));
    let order = (coarser / finer).log2() / (cuts[1] - cuts[0]) as f64;
    assert!((order - 2.0).abs() < 0.1, "{order}: {coarser}, {finer}");
}

/// 1,280, 5,120 and 20,480 triangles.
#[test]
fn the_force_of_spheres_of_triangles_converges_with_order_two() {
    for cuts in [[3, 4], [4, 5]] {
        has_order_two(cuts, 20);
    }
}
