//! A ball on a mesh, and sums over its patch.

use crate::cells::meshes::{Mesh, prism};
use contact_geometry::math::{Pose, Real, Vec3};
use contact_geometry::narrow_phase::area::{Patch, RoundPressure};
use contact_geometry::shapes::{self, RoundedShape};

/// Reduced modulus of steel on steel [Pa].
pub const MODULUS: f64 = 1.0989e11;

pub fn body(mesh: &Mesh) -> RoundedShape {
    let vertices = mesh.vertices.iter().map(|v| (*v).into()).collect();
    let mesh = shapes::Mesh::new(vertices, mesh.triangles.clone());
    RoundedShape::mesh(mesh.expect("a closed mesh"))
}

/// Ring of 32 facets about the z axis: radii of 0.1 and 0.2 m, 0.05 m high above z = 0.
pub fn ring() -> Mesh {
    let mut mesh = Mesh::default();
    for i in 0..32 {
        let (s, c) = (std::f64::consts::TAU * f64::from(i) / 32.0).sin_cos();
        for (r, z) in [(0.1, 0.0), (0.2, 0.0), (0.2, 0.05), (0.1, 0.05)] {
            mesh.vertices.push(Vec3::new(r * c, r * s, z));
        }
    }
    let at = |i: u32, k: u32| 4 * (i % 32) + k % 4;
    for (i, k) in (0..32).flat_map(|i| (0..4).map(move |k| (i, k))) {
        let [a, b, c, d] = [at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1)];
        mesh.triangles.extend([[a, c, b], [a, d, c]]);
    }
    mesh
}

/// Block with its upper face at z = 0, about the z axis.
pub fn block(lengths: [f64; 3]) -> RoundedShape {
    let [x, y, z] = lengths.map(|length| 0.5 * length);
    let mut mesh = prism(
        &[[-x, -y], [x, -y], [x, y], [-x, y]],
        &[[0, 1, 2], [0, 2, 3]],
        2.0 * z,
    );
    mesh.vertices.iter_mut().for_each(|v| v.z -= z);
    body(&mesh)
}

/// Hertz' pressure of a steel ball.
pub fn hertz(radius: f64) -> RoundPressure {
    RoundPressure {
        factor: MODULUS / (std::f64::consts::PI * radius.sqrt()),
        exponent: 0.5,
    }
}

/// Sums over a patch of a mesh and a round shape.
#[derive(Clone, Copy, Debug)]
pub struct Pressed<T: Real> {
    /// On the round shape.
    pub force: Vec3<T>,
    /// On the round shape, about its centre.
    pub torque: Vec3<T>,
    pub energy: T,
    pub nodes: usize,
}

pub fn sums<T: Real>(patch: &Patch<T>) -> Pressed<T> {
    let nodes = || patch.nodes.facets().flat_map(|(nodes, _)| nodes);
    let (mut force, mut torque) = (Vec3::zeros(), Vec3::zeros());
    for node in nodes() {
        let on_ball = node.normal * node.force;
        force += on_ball;
        torque += node.point.cross(&on_ball);
    }
    Pressed {
        force,
        torque,
        energy: patch.energy,
        nodes: nodes().count(),
    }
}

/// The patch of a mesh in the frame of the world and a ball.
pub fn patch(
    mesh: &RoundedShape,
    center: Vec3,
    radius: f64,
    pressure: &RoundPressure,
) -> Patch<f64> {
    let ball = RoundedShape::sphere(2.0 * radius);
    let mut pose = Pose::identity();
    pose.position = center;
    let mut patch = Patch::with_room(0);
    patch.find_round([(mesh, &Pose::identity()), (&ball, &pose)], pressure, 0.0);
    assert_eq!(patch.origin_w, center);
    patch
}

pub fn pressed(
    mesh: &RoundedShape,
    center: Vec3,
    radius: f64,
    pressure: &RoundPressure,
) -> Pressed<f64> {
    sums(&patch(mesh, center, radius, pressure))
}

/// A round shape at a pose, pressed into a mesh in the frame of the world.
pub fn placed<T: Real>(
    mesh: &RoundedShape,
    round: &RoundedShape,
    pose: &Pose<T>,
    pressure: &RoundPressure,
) -> Pressed<T> {
    let mut patch = Patch::with_room(0);
    patch.find_round([(mesh, &Pose::identity()), (round, pose)], pressure, 0.0);
    sums(&patch)
}
