//! Triangle meshes, and sums over a patch.

use crate::random::Random;
use contact_geometry::math::{Pose, Real, Vec3};
use contact_geometry::narrow_phase::area::{Patch, Stiffness};
use contact_geometry::shapes::{self, RoundedShape};

/// Vertices and triangles.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    pub vertices: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
}

impl Mesh {
    /// Number of the vertex here, a new one if there is none.
    pub fn vertex(&mut self, point: Vec3) -> u32 {
        let near = |v: &Vec3| (v - point).norm() < 1e-9;
        let found = self.vertices.iter().position(near);
        let number = found.unwrap_or(self.vertices.len());
        if found.is_none() {
            self.vertices.push(point);
        }
        number as u32
    }

    /// Two triangles of four corners, counter-clockwise.
    pub fn quad(&mut self, [a, b, c, d]: [u32; 4]) {
        self.triangles.extend([[a, b, c], [a, c, d]]);
    }
}

pub fn body(mesh: &Mesh) -> RoundedShape {
    let vertices = mesh.vertices.iter().map(|v| (*v).into()).collect();
    let mesh = shapes::Mesh::new(vertices, mesh.triangles.clone());
    RoundedShape::mesh(mesh.expect("a closed mesh"))
}

pub fn cuboid(lengths: [f64; 3]) -> RoundedShape {
    RoundedShape::cuboid(&lengths, 0.0)
}

/// Box as a mesh.
pub fn block([x, y, z]: [f64; 3]) -> RoundedShape {
    let [x, y] = [0.5 * x, 0.5 * y];
    let outline = [[-x, -y], [x, -y], [x, y], [-x, y]];
    body(&prism(&outline, &[[0, 1, 2], [0, 2, 3]], z))
}

/// Box with n x n squares a face, their inner corners moved at random in the face.
pub fn grid_box(lengths: [f64; 3], n: u32, random: &mut Random) -> Mesh {
    let mut mesh = Mesh::default();
    for axis in 0..3 {
        let (u, w) = ((axis + 1) % 3, (axis + 2) % 3);
        for side in [-0.5, 0.5] {
            let mut grid = Vec::new();
            for i in 0..=n {
                for j in 0..=n {
                    let mut point = Vec3::zeros();
                    point[axis] = side * lengths[axis];
                    let is_inner = (1..n).contains(&i) && (1..n).contains(&j);
                    for (k, number) in [(u, i), (w, j)] {
                        let off = if is_inner {
                            random.between(-0.17, 0.17)
                        } else {
                            0.0
                        };
                        let share = (f64::from(number) + off) / f64::from(n) - 0.5;
                        point[k] = lengths[k] * share;
                    }
                    grid.push(mesh.vertex(point));
                }
            }
            let at = |i: u32, j: u32| grid[(i * (n + 1) + j) as usize];
            for i in 0..n {
                for j in 0..n {
                    let mut four = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
                    if side < 0.0 {
                        four.reverse();
                    }
                    mesh.quad(four);
                }
            }
        }
    }
    mesh
}

/// Prism over a polygon, counter-clockwise, with the triangles of its face.
pub fn prism(outline: &[[f64; 2]], face: &[[u32; 3]], width: f64) -> Mesh {
    let n = outline.len() as u32;
    let mut mesh = Mesh::default();
    for z in [-0.5, 0.5] {
        let points = outline.iter().map(|[x, y]| Vec3::new(*x, *y, z * width));
        mesh.vertices.extend(points);
    }
    for [a, b, c] in face {
        mesh.triangles.extend([[*c, *b, *a], [a + n, b + n, c + n]]);
    }
    for i in 0..n {
        let j = (i + 1) % n;
        mesh.quad([i, j, j + n, i + n]);
    }
    mesh
}

/// Two legs with an inner corner at (0.1, 0.1).
pub fn ell() -> Mesh {
    let outline = [
        [0.0, 0.0],
        [0.2, 0.0],
        [0.2, 0.1],
        [0.1, 0.1],
        [0.1, 0.2],
        [0.0, 0.2],
    ];
    prism(&outline, &[[0, 1, 2], [0, 2, 3], [0, 3, 5], [3, 4, 5]], 0.1)
}

/// H of 0.15 m x 0.15 m with legs of 0.05 m.
pub fn notched() -> Mesh {
    let outline = [
        [0.0, 0.0],
        [1.0, 0.0],
        [1.0, 1.0],
        [2.0, 1.0],
        [2.0, 0.0],
        [3.0, 0.0],
        [3.0, 3.0],
        [2.0, 3.0],
        [2.0, 2.0],
        [1.0, 2.0],
        [1.0, 3.0],
        [0.0, 3.0],
    ];
    let face = [
        [0, 1, 2],
        [0, 2, 9],
        [0, 9, 11],
        [9, 10, 11],
        [2, 3, 8],
        [2, 8, 9],
        [3, 4, 5],
        [3, 5, 8],
        [5, 6, 8],
        [6, 7, 8],
    ];
    prism(&outline.map(|point| point.map(|c| 0.05 * c)), &face, 0.1)
}

/// Plate of 0.15 m x 0.15 m x 0.1 m with a square hole of 0.05 m.
pub fn holed() -> Mesh {
    let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let outer = square.map(|corner| corner.map(|c| 0.15 * c));
    let inner = square.map(|corner| corner.map(|c| 0.05 + 0.05 * c));
    let mut mesh = Mesh::default();
    for z in [-0.05, 0.05] {
        let points = outer.iter().chain(&inner);
        let points = points.map(|[x, y]| Vec3::new(*x, *y, z));
        mesh.vertices.extend(points);
    }
    for i in 0..4 {
        let j = (i + 1) % 4;
        mesh.quad([i, j, j + 8, i + 8]);
        mesh.quad([j + 4, i + 4, i + 12, j + 12]);
        mesh.quad([i + 8, j + 8, j + 12, i + 12]);
        mesh.quad([j, i, i + 4, j + 4]);
    }
    mesh
}

/// Slab of 2 `depth` with n x n squares of width w, cut in two, on its upper face, at heights from (i, j).
pub fn slab(n: u32, w: f64, depth: f64, height: impl Fn(u32, u32) -> f64) -> Mesh {
    let mut mesh = Mesh::default();
    let mut grid = Vec::new();
    let middle = 0.5 * w * f64::from(n);
    for i in 0..=n {
        for j in 0..=n {
            let [x, y] = [i, j].map(|k| w * f64::from(k) - middle);
            grid.push(mesh.vertex(Vec3::new(x, y, height(i, j))));
        }
    }
    let at = |i: u32, j: u32| grid[(i * (n + 1) + j) as usize];
    for i in 0..n {
        for j in 0..n {
            mesh.quad([at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    let mut rim = Vec::new();
    rim.extend((0..n).map(|k| at(k, 0)));
    rim.extend((0..n).map(|k| at(n, k)));
    rim.extend((0..n).map(|k| at(n - k, n)));
    rim.extend((0..n).map(|k| at(0, n - k)));
    let lower = |mesh: &mut Mesh, v: u32| {
        let mut point = mesh.vertices[v as usize];
        point.z = -2.0 * depth;
        mesh.vertex(point)
    };
    let below = mesh.vertex(Vec3::new(0.0, 0.0, -2.0 * depth));
    for k in 0..rim.len() {
        let (a, b) = (rim[k], rim[(k + 1) % rim.len()]);
        let (c, d) = (lower(&mut mesh, a), lower(&mut mesh, b));
        mesh.quad([c, d, b, a]);
        mesh.triangles.push([d, c, below]);
    }
    mesh
}

/// Slab with saddle vertices.
pub fn bumpy() -> Mesh {
    slab(6, 0.02, 0.02, |i, j| {
        let (i, j) = (f64::from(i), f64::from(j));
        6e-4 * (1.3 * i).sin() * (0.9 * j + 0.3 * i).cos()
    })
}

/// Force on the first body, torque about the origin of the world, energy.
pub fn sums<T: Real>(
    bodies: [&RoundedShape; 2],
    poses: [&Pose<T>; 2],
    k: Stiffness,
    hysteresis: f64,
) -> (Vec3<T>, Vec3<T>, T) {
    let mut patch = Patch::with_room(0);
    let placed = [0, 1].map(|side| (bodies[side], poses[side]));
    patch.find(placed, k, hysteresis);
    let (mut force, mut torque) = (Vec3::zeros(), Vec3::zeros());
    for node in patch.nodes.list() {
        let on_1 = -node.normal * node.force;
        force += on_1;
        torque += (node.point + patch.origin_w).cross(&on_1);
    }
    (force, torque, patch.energy)
}

pub type Wrench = (Vec3, Vec3, f64);

pub fn wrench(bodies: [&RoundedShape; 2], poses: [Pose; 2], k: Stiffness) -> Wrench {
    sums(bodies, poses.each_ref(), k, 0.0)
}

/// Asserts a force and a torque to this part of the force, at an arm [m].
pub fn close(found: &Wrench, force: &Vec3, torque: &Vec3, arm: f64, part: f64) {
    let size = force.norm();
    assert!(size > 0.0);
    let off = [(found.0 - force).norm(), (found.1 - torque).norm() / arm];
    assert!(
        off.iter().all(|off| *off <= part * size),
        "{found:?} is not {force:?}, {torque:?}: {off:?} of {size}"
    );
}
