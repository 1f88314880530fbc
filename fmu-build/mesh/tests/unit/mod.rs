//! Tests of meshes on solids with closed forms.
//!
//! - `concavities`: convex surfaces to 1e-9, and how far hulls stand out of others
//! - `crossings`: surfaces that cross themselves, and clean ones
//! - `files`: formats, repairs, reports, problems
//! - `height_fields`: grids in two formats, the solid below them, problems
//! - `hulls`: hulls of points in difficult places
//! - `regions`: facets of cylinders, cones and spheres
//! - `repairs`: T-junctions, triangles without area, holes and walls that meet
//! - `rounding`: faces stay in place, edges are round
//! - `shells`: open surfaces with a thickness

mod concavities;
mod crossings;
mod files;
mod height_fields;
mod hulls;
mod regions;
mod repairs;
mod rounding;
mod shells;

use super::hull::{Surface, normal};
use contact_geometry::math::{Mat3, Vec3, rotation_matrix};

/// A rotation about no special axis.
fn turned() -> Mat3 {
    let q = [0.8, 0.1, -0.5, 0.316];
    let norm = q.iter().map(|c| c * c).sum::<f64>().sqrt();
    rotation_matrix(&q.map(|c| c / norm))
}

/// Points of a grid on the faces of a box, `n` steps along each edge, centre in the origin.
fn box_grid(lengths: [f64; 3], n: usize) -> Vec<Vec3> {
    let mut points = Vec::new();
    let step = |i: usize| i as f64 / n as f64 - 0.5;
    for i in 0..=n {
        for j in 0..=n {
            for k in 0..=n {
                if [i, j, k].iter().any(|at| *at == 0 || *at == n) {
                    let unit = Vec3::new(step(i), step(j), step(k));
                    points.push(unit.component_mul(&Vec3::from(lengths)));
                }
            }
        }
    }
    points
}

/// Points spread evenly over the unit sphere, on a spiral.
fn sphere_points(count: usize) -> Vec<Vec3> {
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let point = |i: usize| {
        let z = 1.0 - (2 * i + 1) as f64 / count as f64;
        let r = (1.0 - z * z).sqrt();
        let angle = golden * i as f64;
        Vec3::new(r * angle.cos(), r * angle.sin(), z)
    };
    (0..count).map(point).collect()
}

/// Points as a binary STL file keeps them.
fn single(points: &[Vec3]) -> Vec<Vec3> {
    points
        .iter()
        .map(|p| p.map(|c| f64::from(c as f32)))
        .collect()
}

/// How far a point lies outside of the planes of a closed convex surface [m].
fn farthest_outside(hull: &Surface, points: &[Vec3]) -> f64 {
    let mut farthest = 0.0_f64;
    for triangle in &hull.triangles {
        let [a, b, c] = hull.corners(triangle);
        let normal = normal(&a, &b, &c).normalize();
        for point in points {
            farthest = farthest.max(normal.dot(&(point - a)));
        }
    }
    farthest
}

/// The side walls and both ends of a prism from a polygon, counter-clockwise, and its triangles.
fn prism(polygon: &[[f64; 2]], triangles: &[[u32; 3]], z: [f64; 2]) -> Surface {
    let n = polygon.len() as u32;
    let mut surface = Surface::default();
    for z in z {
        let end = polygon.iter().map(|[x, y]| Vec3::new(*x, *y, z));
        surface.vertices.extend(end);
    }
    for [a, b, c] in triangles {
        surface.triangles.push([*a, *c, *b]);
        surface.triangles.push([a + n, b + n, c + n]);
    }
    for i in 0..n {
        let j = (i + 1) % n;
        surface.triangles.extend([[i, j, j + n], [i, j + n, i + n]]);
    }
    surface
}

/// A box, centre in the origin.
fn cuboid([a, b, c]: [f64; 3]) -> Surface {
    let [x, y, z] = [0.5 * a, 0.5 * b, 0.5 * c];
    let polygon = [[-x, -y], [x, -y], [x, y], [-x, y]];
    prism(&polygon, &[[0, 1, 2], [0, 2, 3]], [-z, z])
}

/// An L of two bars of width 1, 2 along x and 3 along y, 0.5 thick.
fn l_shape() -> Surface {
    let polygon = [
        [0.0, 0.0],
        [2.0, 0.0],
        [2.0, 1.0],
        [1.0, 1.0],
        [1.0, 3.0],
        [0.0, 3.0],
    ];
    let triangles = [[0, 1, 2], [0, 2, 3], [0, 3, 5], [3, 4, 5]];
    prism(&polygon, &triangles, [0.0, 0.5])
}

/// The corner of a cube.
fn tetrahedron() -> Surface {
    Surface {
        vertices: vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()],
        triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]],
    }
}

/// A ring of n segments between radii 1 and 2 about the z axis, height 1.
fn ring(n: u32) -> Surface {
    let mut surface = Surface::default();
    for i in 0..n {
        let angle = f64::from(i) / f64::from(n) * std::f64::consts::TAU;
        let (sin, cos) = angle.sin_cos();
        // Inner and outer, lower and upper: 4 i + 0, 1 inner, 2, 3 outer.
        for (r, z) in [(1.0, -0.5), (1.0, 0.5), (2.0, -0.5), (2.0, 0.5)] {
            surface.vertices.push(Vec3::new(r * cos, r * sin, z));
        }
        let (a, b) = (4 * i, 4 * ((i + 1) % n));
        let mut quad = |p, q, r, s| surface.triangles.extend([[p, q, r], [p, r, s]]);
        quad(a, a + 1, b + 1, b);
        quad(a + 2, b + 2, b + 3, a + 3);
        quad(a + 1, a + 3, b + 3, b + 1);
        quad(a, b, b + 2, a + 2);
    }
    surface
}

/// A torus of n by m quadrilaterals about the z axis.
fn torus(n: u32, m: u32, major: f64, minor: f64) -> Surface {
    let mut surface = Surface::default();
    let turn = |i: u32, of: u32| f64::from(i) / f64::from(of) * std::f64::consts::TAU;
    for i in 0..n {
        let (sin, cos) = turn(i, n).sin_cos();
        for j in 0..m {
            let (height, out) = turn(j, m).sin_cos();
            let r = major + minor * out;
            surface
                .vertices
                .push(Vec3::new(r * cos, r * sin, minor * height));
        }
    }
    for i in 0..n {
        for j in 0..m {
            let at = |i: u32, j: u32| (i % n) * m + j % m;
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            surface.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    surface
}

/// Two surfaces as one.
fn join(one: &Surface, two: &Surface) -> Surface {
    let mut all = one.clone();
    let first = all.vertices.len() as u32;
    all.vertices.extend(&two.vertices);
    let triangles = two.triangles.iter();
    all.triangles
        .extend(triangles.map(|t| t.map(|v| v + first)));
    all
}

fn ascii_stl(surface: &Surface) -> String {
    let mut text = "solid cube\n".to_owned();
    for triangle in &surface.triangles {
        text += "facet normal 0 0 0\n outer loop\n";
        for corner in surface.corners(triangle) {
            text += &format!("  vertex {:e} {} {}\n", corner.x, corner.y, corner.z);
        }
        text += " endloop\nendfacet\n";
    }
    text + "endsolid cube\n"
}

fn binary_stl(surface: &Surface, header: &str) -> Vec<u8> {
    let mut bytes = header.as_bytes().to_vec();
    bytes.resize(80, b' ');
    bytes.extend((surface.triangles.len() as u32).to_le_bytes());
    for triangle in &surface.triangles {
        bytes.extend([0; 12]);
        for corner in surface.corners(triangle) {
            for c in corner.iter() {
                bytes.extend((*c as f32).to_le_bytes());
            }
        }
        // Some programs keep a colour here.
        bytes.extend([0x12, 0x80]);
    }
    bytes
}

fn obj_text(surface: &Surface) -> String {
    let vertex = |v: &Vec3| format!("v {} {} {}\n", v.x, v.y, v.z);
    let face = |[a, b, c]: &[u32; 3]| format!("f {} {} {}\n", a + 1, b + 1, c + 1);
    let vertices = surface.vertices.iter().map(vertex);
    vertices.chain(surface.triangles.iter().map(face)).collect()
}
