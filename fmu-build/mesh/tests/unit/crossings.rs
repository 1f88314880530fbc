//! Surfaces that cross themselves are located; clean ones and parts that only touch raise no alarm.

use super::super::crossing::crossing;
use super::super::hull::{Surface, convex_hull};
use super::super::repair::repair;
use super::super::solid::Mesh;
use super::{
    cuboid, join, l_shape, prism, ring, single, sphere_points, tetrahedron, torus, turned,
};
use contact_geometry::math::Vec3;
use std::f64::consts::TAU;

fn moved(surface: &Surface, by: [f64; 3]) -> Surface {
    let mut moved = surface.clone();
    for vertex in &mut moved.vertices {
        *vertex += Vec3::from(by);
    }
    moved
}

/// Turns a surface about no special axis, and rounds it to single precision.
fn tilted(surface: &Surface) -> Surface {
    let mut tilted = surface.clone();
    let vertices: Vec<Vec3> = surface
        .vertices
        .iter()
        .map(|v| turned() * v + Vec3::new(2.0, -3.0, 5.0))
        .collect();
    tilted.vertices = single(&vertices);
    tilted
}

/// A solid from z = 0 up to a height over a grid of n by m steps on [0, 1] x [0, 1].
fn terrain(n: u32, m: u32, height: impl Fn(f64, f64) -> f64) -> Surface {
    let mut surface = Surface::default();
    for i in 0..=n {
        for j in 0..=m {
            let (x, y) = (f64::from(i) / f64::from(n), f64::from(j) / f64::from(m));
            surface
                .vertices
                .extend([Vec3::new(x, y, 0.0), Vec3::new(x, y, height(x, y))]);
        }
    }
    let at = |i: u32, j: u32| 2 * (i * (m + 1) + j);
    let mut quad = |[a, b, c, d]: [u32; 4]| surface.triangles.extend([[a, b, c], [a, c, d]]);
    for i in 0..n {
        for j in 0..m {
            let corners = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            quad(corners.map(|v| v + 1));
            let [a, b, c, d] = corners;
            quad([a, d, c, b]);
        }
    }
    for (a, b) in (0..n).flat_map(|i| [(at(i, 0), at(i + 1, 0)), (at(i + 1, m), at(i, m))]) {
        quad([a, b, b + 1, a + 1]);
    }
    for (a, b) in (0..m).flat_map(|j| [(at(n, j), at(n, j + 1)), (at(0, j + 1), at(0, j))]) {
        quad([a, b, b + 1, a + 1]);
    }
    surface
}

/// A star of n teeth with a hub that is a fan.
fn gear(n: u32) -> Surface {
    let corners = 4 * n;
    let mut polygon: Vec<[f64; 2]> = (0..corners)
        .map(|i| {
            let r = if i % 4 < 2 { 1.0 } else { 0.8 };
            let (sin, cos) = (f64::from(i) / f64::from(corners) * TAU).sin_cos();
            [r * cos, r * sin]
        })
        .collect();
    polygon.push([0.0, 0.0]);
    let fan: Vec<[u32; 3]> = (0..corners)
        .map(|i| [corners, i, (i + 1) % corners])
        .collect();
    let mut gear = prism(&polygon, &fan, [-0.2, 0.2]);
    // The walls from the last corner to the hub and back are none.
    let (last, hub, shift) = (corners - 1, corners, corners + 1);
    gear.triangles.truncate(gear.triangles.len() - 4);
    gear.triangles
        .extend([[last, 0, shift], [last, shift, last + shift]]);
    assert!(hub < shift);
    gear
}

fn sphere(count: usize) -> Surface {
    convex_hull(&sphere_points(count), 1e-12).unwrap()
}

#[test]
fn clean_surfaces_do_not_cross_themselves() {
    let cube = cuboid([1.0, 1.0, 1.0]);
    let waves = |x: f64, y: f64| 0.3 + 0.1 * (7.0 * x).sin() * (11.0 * y).cos();
    let spikes = |x: f64, y: f64| 0.5 + 0.4 * (1e4 * x * x + 3e4 * y).sin();
    let disc: Vec<[f64; 2]> = (0..1000)
        .map(|i| {
            let (sin, cos) = (f64::from(i) / 1000.0 * TAU).sin_cos();
            [cos, sin]
        })
        .collect();
    let fan: Vec<[u32; 3]> = (1..999).map(|i| [0, i, i + 1]).collect();
    let mut hollow = cuboid([3.0, 3.0, 3.0]);
    let mut inner = cube.clone();
    inner.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    hollow = join(&hollow, &inner);
    let clean = [
        cube.clone(),
        tetrahedron(),
        l_shape(),
        cuboid([1.0, 1.0, 1e-4]),
        ring(24),
        ring(200),
        torus(40, 20, 2.0, 0.5),
        torus(60, 30, 2.0, 1.99),
        sphere(50),
        sphere(500),
        terrain(30, 20, waves),
        terrain(25, 25, spikes),
        gear(12),
        gear(60),
        prism(&disc, &fan, [0.0, 1.0]),
        hollow,
        // Parts that touch with faces, an edge, a corner.
        join(&cube, &moved(&cube, [0.3, 0.2, 1.0])),
        join(&cube, &moved(&cube, [0.0, 1.0, 0.0])),
        join(&cube, &moved(&cube, [1.0, 1.0, 0.5])),
        join(&cube, &moved(&cube, [1.0, 1.0, 1.0])),
        join(
            &terrain(9, 7, |_, _| 1.0),
            &moved(&terrain(5, 4, |_, _| 0.5), [0.31, 0.17, 1.0]),
        ),
    ];
    for (number, surface) in clean.iter().enumerate() {
        for surface in [surface.clone(), tilted(surface)] {
            let (surface, repairs) = repair(&surface).unwrap();
            assert_eq!(repairs.open_edges, 0, "{number}");
            assert_eq!(crossing(&surface), None, "{number}");
        }
    }
}

#[test]
fn overlapping_cubes_cross_in_the_border_of_the_overlap() {
    let cube = cuboid([1.0, 1.0, 1.0]);
    let fine = terrain(4, 4, |_, _| 1.0);
    let cases = [
        (cube.clone(), [0.5, 0.5, 0.5]),
        (cube.clone(), [0.3, 0.2, 0.7]),
        // Sides in common planes.
        (cube.clone(), [0.5, 0.0, 0.0]),
        (cube.clone(), [0.25, 0.5, 0.0]),
        (cube.clone(), [0.001, 0.002, 0.003]),
        // The faces of one run through the edges of the other.
        (moved(&fine, [-0.5, -0.5, -0.5]), [0.5, 0.25, 0.5]),
        (moved(&fine, [-0.5, -0.5, -0.5]), [0.1, 0.2, 0.3]),
    ];
    for (one, by) in cases {
        let both = join(&one, &moved(&cube, by));
        let mesh = Mesh::new(&both, 1.0).unwrap();
        let found = mesh.crossing.unwrap_or_else(|| panic!("{by:?}"));
        assert!(found.triangles >= 4, "{by:?}: {found:?}");
        assert_eq!(found.solids, 2, "{by:?}");
        // The point is on the surface of both.
        for shift in [[0.0; 3], by] {
            let local = (found.at - Vec3::from(shift)).abs();
            assert!((local.max() - 0.5).abs() < 1e-9, "{by:?}: {found:?}");
        }
        let mesh = Mesh::new(&tilted(&both), 1.0).unwrap();
        assert!(mesh.crossing.is_some(), "{by:?} tilted");
        let line = mesh
            .report()
            .into_iter()
            .find(|line| line.contains("cross others, one at ("));
        assert!(line.is_some());
    }
}

/// A tube about a curve that meets itself: a figure of eight, in one component.
#[test]
fn a_tube_that_runs_through_itself_is_found_where_it_does() {
    let (n, m, r) = (200, 12, 0.1);
    let mut tube = torus(n, m, 1.0, r);
    for (index, vertex) in tube.vertices.iter_mut().enumerate() {
        let t = f64::from(index as u32 / m) / f64::from(n) * TAU;
        let out = vertex.x.hypot(vertex.y) - 1.0;
        // x = sin t, y = sin 2t / 2 crosses itself at t = 0 and pi; its normal carries the section.
        let (dx, dy) = (t.cos(), (2.0 * t).cos());
        let length = dx.hypot(dy);
        *vertex = Vec3::new(
            t.sin() - out * dy / length,
            0.5 * (2.0 * t).sin() + out * dx / length,
            vertex.z,
        );
    }
    let found = crossing(&tube).unwrap();
    // At right angles: every crossing lies within sqrt(2) r of the axis.
    assert!(found.at.x.hypot(found.at.y) < 1.5 * r, "{found:?}");
    assert!(found.triangles > 40);
    assert_eq!(found.solids, 0);
}

/// Every pair of triangles, by other means: an edge of one passes through the other.
#[test]
fn random_pairs_of_triangles_cross_where_an_edge_pierces() {
    let points = sphere_points(1000);
    let mut seed = 1_u32;
    let mut pick = || {
        seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
        points[(seed >> 8) as usize % points.len()]
    };
    let pierces = |[p, q]: [Vec3; 2], [a, b, c]: [Vec3; 3]| {
        let volume = |a: Vec3, b: Vec3, c: Vec3, d: Vec3| (b - a).cross(&(c - a)).dot(&(d - a));
        let sides = [volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a)];
        let one_way = sides.iter().all(|s| *s > 0.0) || sides.iter().all(|s| *s < 0.0);
        one_way && volume(a, b, c, p) * volume(a, b, c, q) < 0.0
    };
    let mut crossing_pairs = 0;
    for _ in 0..2000 {
        let mut corners: Vec<Vec3> = Vec::new();
        while corners.len() < 6 {
            let point = pick();
            if !corners.contains(&point) {
                corners.push(point);
            }
        }
        let [a, b] = [[0, 1, 2], [3, 4, 5]].map(|t: [usize; 3]| t.map(|k| corners[k]));
        let edges = |[a, b, c]: [Vec3; 3]| [[a, b], [b, c], [c, a]];
        let expected =
            edges(a).iter().any(|e| pierces(*e, b)) || edges(b).iter().any(|e| pierces(*e, a));
        let pair = Surface {
            vertices: corners,
            triangles: vec![[0, 1, 2], [3, 4, 5]],
        };
        assert_eq!(crossing(&pair).is_some(), expected);
        crossing_pairs += usize::from(expected);
    }
    assert!((200..1800).contains(&crossing_pairs), "{crossing_pairs}");
}

#[test]
#[ignore = "long: surfaces of 100,000 and 200,000 triangles"]
fn a_hundred_thousand_triangles_take_seconds() {
    let large = torus(500, 100, 2.0, 0.5);
    let both = join(&large, &moved(&large, [0.7, 0.3, 0.1]));
    assert_eq!(crossing(&large), None);
    let start = std::time::Instant::now();
    assert!(crossing(&both).is_some());
    let took = start.elapsed();
    assert!(cfg!(debug_assertions) || took.as_secs() < 5, "{took:?}");
}
