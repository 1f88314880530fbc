//! Surfaces that do not fit together are closed without moving a vertex; what cannot be closed is located.

use super::super::hull::Surface;
use super::super::solid::Mesh;
use super::{cuboid, join, turned};
use contact_geometry::math::{Mat3, Vec3};
use std::collections::BTreeSet;

/// Numbers from 0 to 1.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Cuts a rectangle into two at a random place, and each of them, and so on; every rectangle becomes two
/// triangles that know nothing of their neighbours.
fn cut(
    rectangle: [[f64; 2]; 2],
    depth: u32,
    random: &mut Random,
    put: &mut impl FnMut([[f64; 2]; 4]),
) {
    let [[x, y], [u, v]] = rectangle;
    if depth == 0 {
        return put([[x, y], [u, y], [u, v], [x, v]]);
    }
    let share = 0.2 + 0.6 * random.next();
    let (m, n) = (x + share * (u - x), y + share * (v - y));
    let halves = match random.next() < 0.5 {
        true => [[[x, y], [m, v]], [[m, y], [u, v]]],
        false => [[[x, y], [u, n]], [[x, n], [u, v]]],
    };
    for half in halves {
        cut(half, depth - 1, random, put);
    }
}

/// A box, centre in the origin, each face cut at random as often as `depth` of (axis, upper) says.
fn cut_box(
    lengths: [f64; 3],
    depth: impl Fn(usize, bool) -> u32,
    random: &mut Random,
    rotation: &Mat3,
) -> Surface {
    let mut surface = Surface::default();
    for axis in 0..3 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for upper in [false, true] {
            let half = [0.5 * lengths[u], 0.5 * lengths[v]];
            let level = if upper { 0.5 } else { -0.5 } * lengths[axis];
            let put = &mut |corners: [[f64; 2]; 4]| {
                let first = surface.vertices.len() as u32;
                for [a, b] in corners {
                    let mut corner = Vec3::zeros();
                    (corner[axis], corner[u], corner[v]) = (level, a, b);
                    surface.vertices.push(rotation * corner);
                }
                for [a, b, c] in [[0, 1, 2], [0, 2, 3]] {
                    let triangle = if upper { [a, b, c] } else { [a, c, b] };
                    surface.triangles.push(triangle.map(|k| first + k));
                }
            };
            let whole = [[-half[0], -half[1]], half];
            cut(whole, depth(axis, upper), random, put);
        }
    }
    surface
}

fn places(surface: &Surface) -> BTreeSet<[u64; 3]> {
    let key = |v: &Vec3| [v.x + 0.0, v.y + 0.0, v.z + 0.0].map(f64::to_bits);
    surface.vertices.iter().map(key).collect()
}

#[test]
fn boxes_with_t_junctions_are_closed_and_keep_every_vertex() {
    let mut random = Random(7);
    for round in 0..30 {
        let lengths = [(); 3].map(|()| 0.1 + 3.0 * random.next());
        let is_turned = round % 3 == 2;
        let rotation = if is_turned {
            turned()
        } else {
            Mat3::identity()
        };
        // One face only, all but one, and each in its own way.
        let depth = |axis: usize, upper: bool| match round % 4 {
            0 if (axis, upper) == (2, true) => 5,
            0 => 0,
            1 if (axis, upper) == (0, false) => 0,
            1 => 4,
            _ => (axis as u32 + round / 4) % 6,
        };
        let read = cut_box(lengths, depth, &mut random, &rotation);
        let mesh = Mesh::new(&read, 1.0).unwrap();
        assert!(mesh.is_closed(), "round {round}: {:?}", mesh.report());
        let expected: f64 = lengths.iter().product();
        let volume = mesh.surface.volume();
        assert!((volume / expected - 1.0).abs() < 1e-12, "{round}: {volume}");
        assert!(mesh.repairs.split > 0 && mesh.repairs.branched_edges == 0);
        assert_eq!(mesh.repairs.components, 1);
        // Those that rounding tells apart were joined before.
        if !is_turned {
            assert_eq!(places(&mesh.surface), places(&read));
        }
        // Nothing is covered twice.
        let area: f64 = mesh
            .surface
            .triangles
            .iter()
            .map(|t| {
                let [a, b, c] = mesh.surface.corners(t);
                0.5 * (b - a).cross(&(c - a)).norm()
            })
            .sum();
        let [x, y, z] = lengths;
        let expected = 2.0 * (x * y + y * z + z * x);
        assert!((area / expected - 1.0).abs() < 1e-12, "{round}: {area}");
    }
}

#[test]
fn a_floor_of_single_precision_with_finer_strips_is_closed() {
    let mut random = Random(3);
    let depth = |axis: usize, upper: bool| if (axis, upper) == (2, true) { 8 } else { 0 };
    let mut read = cut_box([20.0, 10.0, 0.2], depth, &mut random, &turned());
    read.vertices = super::single(&read.vertices);
    let mesh = Mesh::new(&read, 1.0).unwrap();
    assert!(mesh.is_closed(), "{:?}", mesh.report());
    // Eight roundings of 1e-6 m, each over the surface of 400 m2 at most.
    assert!((mesh.surface.volume() - 40.0).abs() < 8e-6 * 400.0);
}

#[test]
fn a_triangle_without_area_goes_and_its_neighbour_is_split() {
    // A cube whose edge 0-1 has a vertex in its middle for one of the two faces, and a triangle without area
    // between them.
    let mut read = cuboid([1.0, 1.0, 1.0]);
    let middle = read.vertices.len() as u32;
    read.vertices
        .push((read.vertices[0] + read.vertices[1]) * 0.5);
    let index = read
        .triangles
        .iter()
        .position(|t| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]].contains(&[0, 1]));
    let triangle = read.triangles.remove(index.unwrap());
    let apex = *triangle.iter().find(|v| **v > 1).unwrap();
    read.triangles
        .extend([[0, middle, apex], [middle, 1, apex], [0, 1, middle]]);
    let mesh = Mesh::new(&read, 1.0).unwrap();
    assert_eq!((mesh.repairs.flat, mesh.repairs.split), (1, 1));
    assert_eq!((mesh.surface.triangles.len(), mesh.repairs.turned), (14, 0));
    assert!(mesh.is_closed());
    assert!((mesh.surface.volume() - 1.0).abs() < 1e-15);
    let report = mesh.report();
    assert_eq!(
        report[2..4],
        [
            "triangles dropped that have no area: 1",
            "triangles split at vertices on their sides: 1"
        ]
    );
}

#[test]
fn a_hole_keeps_its_edges_and_says_where_it_is() {
    let mut random = Random(11);
    let mut read = cut_box(
        [2.0, 2.0, 2.0],
        |axis, _| axis as u32,
        &mut random,
        &Mat3::identity(),
    );
    // Of the lower face along x, which has two triangles.
    let removed = read.triangles.remove(0);
    let corners = read.corners(&removed);
    let mesh = Mesh::new(&read, 0.001).unwrap();
    assert!(!mesh.is_closed());
    let line = &mesh.report()[1];
    let place = line.split(['(', ')']).nth(1).unwrap();
    let place: Vec<f64> = place.split(", ").map(|c| c.parse().unwrap()).collect();
    let place = Vec3::from_column_slice(&place) * 1000.0;
    let off = (0..3).map(|k| {
        let (a, b) = (corners[k], corners[(k + 1) % 3]);
        (b - a).cross(&(place - a)).norm() / (b - a).norm()
    });
    assert!(off.fold(f64::INFINITY, f64::min) < 1e-5, "{line}");
}

#[test]
fn edges_of_more_than_two_triangles_are_located() {
    // Two cubes that touch in the edge x = y = 1/2.
    let cube = cuboid([1.0, 1.0, 1.0]);
    let mut other = cube.clone();
    for vertex in &mut other.vertices {
        *vertex += Vec3::new(1.0, 1.0, 0.0);
    }
    let mesh = Mesh::new(&join(&cube, &other), 2.0).unwrap();
    assert!(mesh.is_closed());
    let expected = "1 edges with more than two triangles, one at (1, 1, 0) m";
    assert!(
        mesh.report().iter().any(|line| line == expected),
        "{:?}",
        mesh.report()
    );
    // A fin on an edge of a cube.
    let mut fin = cube.clone();
    fin.vertices.push(Vec3::new(-3.0, -3.0, 0.0));
    fin.triangles.push([0, 4, 8]);
    let mesh = Mesh::new(&fin, 1.0).unwrap();
    assert_eq!(
        (mesh.repairs.open_edges, mesh.repairs.branched_edges),
        (3, 1)
    );
}
