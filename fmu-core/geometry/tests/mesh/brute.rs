//! Distances by all triangles, and meshes.

use crate::cells::meshes::{Mesh, slab};
use crate::random::Random;
use contact_geometry::math::{Pose, Vec3};
use contact_geometry::shapes::{self, RoundedShape};

pub fn shape(mesh: &Mesh) -> RoundedShape {
    let vertices = mesh.vertices.iter().map(|v| (*v).into()).collect();
    RoundedShape::mesh(shapes::Mesh::new(vertices, mesh.triangles.clone()).expect("a closed mesh"))
}

pub fn corners(mesh: &Mesh, pose: &Pose) -> Vec<[Vec3; 3]> {
    let place = |v: u32| pose.position + pose.rotation * mesh.vertices[v as usize];
    mesh.triangles.iter().map(|t| t.map(place)).collect()
}

/// Ground with bumps and walls.
pub fn terrain(random: &mut Random) -> Mesh {
    slab(6, 0.02, 0.02, |i, j| match (i, j) {
        (2 | 3, 1..=4) => 0.02 + random_height(i, j),
        _ => random_height(i, j),
    })
    .shaken(random)
}

fn random_height(i: u32, j: u32) -> f64 {
    let (i, j) = (f64::from(i), f64::from(j));
    4e-3 * (1.3 * i).sin() * (0.9 * j + 0.3 * i).cos()
}

impl Mesh {
    fn shaken(mut self, random: &mut Random) -> Mesh {
        for v in &mut self.vertices {
            *v += random.vector() * 1e-3;
        }
        self
    }
}

/// Ring of n squares around m corners.
pub fn torus(n: u32, m: u32) -> Mesh {
    let mut mesh = Mesh::default();
    let turn = |k: u32, of: u32| f64::from(k % of) / f64::from(of) * std::f64::consts::TAU;
    let place = |i: u32, j: u32| {
        let (a, b) = (turn(i, n), turn(j, m));
        let r = 0.1 + 0.04 * b.cos();
        Vec3::new(r * a.cos(), r * a.sin(), 0.04 * b.sin())
    };
    for i in 0..n {
        for j in 0..m {
            let around = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)];
            let [a, b, c, d] = around.map(|(i, j)| mesh.vertex(place(i, j)));
            mesh.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    mesh
}

/// Point of a triangle nearest to another one (Ericson, Real-Time Collision Detection, 2005, 5.1.5).
fn nearest([a, b, c]: [Vec3; 3], p: &Vec3) -> Vec3 {
    let (ab, ac) = (b - a, c - a);
    let (d1, d2) = (ab.dot(&(p - a)), ac.dot(&(p - a)));
    if d1 <= 0.0 && d2 <= 0.0 {
        return a;
    }
    let (d3, d4) = (ab.dot(&(p - b)), ac.dot(&(p - b)));
    if d3 >= 0.0 && d4 <= d3 {
        return b;
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return a + ab * (d1 / (d1 - d3));
    }
    let (d5, d6) = (ab.dot(&(p - c)), ac.dot(&(p - c)));
    if d6 >= 0.0 && d5 <= d6 {
        return c;
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return a + ac * (d2 / (d2 - d6));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        return b + (c - b) * ((d4 - d3) / (d4 - d3 + (d5 - d6)));
    }
    a + ab * (vb / (va + vb + vc)) + ac * (vc / (va + vb + vc))
}

/// Signed distance of a point: sign by the winding number.
pub fn signed(triangles: &[[Vec3; 3]], p: &Vec3) -> f64 {
    let distances = triangles.iter().map(|t| (nearest(*t, p) - p).norm());
    let distance = distances.fold(f64::INFINITY, f64::min);
    // Van Oosterom, Strackee 1983.
    let solid = |t: &[Vec3; 3]| {
        let [a, b, c] = t.map(|v| v - p);
        let [x, y, z] = [a, b, c].map(|v| v.norm());
        let volume = a.dot(&b.cross(&c));
        2.0 * volume.atan2(x * y * z + a.dot(&b) * z + b.dot(&c) * x + c.dot(&a) * y)
    };
    let winding: f64 = triangles.iter().map(solid).sum::<f64>() / (4.0 * std::f64::consts::PI);
    assert!((winding - winding.round()).abs() < 1e-6, "{winding}");
    if winding.round() == 0.0 {
        distance
    } else {
        -distance
    }
}

/// Distance of two segments.
fn of_edges([p, q]: [Vec3; 2], [r, s]: [Vec3; 2]) -> f64 {
    let on = |a: Vec3, b: Vec3, p: &Vec3| {
        let share = (b - a).dot(&(p - a)) / (b - a).norm_squared();
        a + (b - a) * share.clamp(0.0, 1.0)
    };
    let ends = [(p, r, s), (q, r, s), (r, p, q), (s, p, q)];
    let ends = ends.map(|(p, a, b)| (on(a, b, &p) - p).norm());
    let least = ends.into_iter().fold(f64::INFINITY, f64::min);
    let (u, v, w) = (q - p, s - r, p - r);
    let (a, b, c, d, e) = (u.dot(&u), u.dot(&v), v.dot(&v), u.dot(&w), v.dot(&w));
    let det = a * c - b * b;
    let (x, y) = ((b * e - c * d) / det, (a * e - b * d) / det);
    if (0.0..=1.0).contains(&x) && (0.0..=1.0).contains(&y) {
        least.min((w + u * x - v * y).norm())
    } else {
        least
    }
}

/// Distance of two surfaces, zero where they meet.
pub fn between(one: &[[Vec3; 3]], other: &[[Vec3; 3]]) -> f64 {
    let mut least = f64::INFINITY;
    let edges = |t: [Vec3; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
    for s in one {
        for t in other {
            for (s, t) in [(s, t), (t, s)] {
                for p in s {
                    least = least.min((nearest(*t, p) - p).norm());
                }
                for [p, q] in edges(*s) {
                    let [a, b, c] = *t;
                    let normal = (b - a).cross(&(c - a));
                    let (x, y) = (normal.dot(&(p - a)), normal.dot(&(q - a)));
                    if x * y < 0.0 {
                        let at = p + (q - p) * (x / (x - y));
                        if (nearest(*t, &at) - at).norm() < 1e-14 {
                            return 0.0;
                        }
                    }
                }
            }
            for e in edges(*s) {
                for f in edges(*t) {
                    least = least.min(of_edges(e, f));
                }
            }
        }
    }
    least
}
