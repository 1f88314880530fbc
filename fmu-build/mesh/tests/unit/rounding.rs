//! Rounded hulls: faces stay, edges and corners are round.

use super::super::hull::{EXACT, Surface, convex_hull, normal};
use super::{box_grid, single, sphere_points, turned};
use crate::solid::{Rounded, round};
use contact_geometry::math::Vec3;
use contact_geometry::shapes::Hull;

fn rounded(points: &[Vec3], tolerance: f64, wanted: f64) -> (Surface, Rounded) {
    let hull = convex_hull(points, tolerance).unwrap();
    let result = round(&hull, wanted).unwrap();
    let vertices = result.core.vertices.iter().map(|v| (*v).into()).collect();
    Hull::new(vertices, result.core.triangles.clone()).unwrap();
    (hull, result)
}

/// Farthest reach along a direction.
fn reach(vertices: &[Vec3], n: &Vec3) -> f64 {
    vertices
        .iter()
        .map(|v| n.dot(v))
        .fold(f64::NEG_INFINITY, f64::max)
}

/// Largest distance between the faces of a hull and of its rounded core.
fn face_error(hull: &Surface, rounded: &Rounded) -> f64 {
    let errors = hull.triangles.iter().map(|triangle| {
        let [a, b, c] = hull.corners(triangle);
        let n = normal(&a, &b, &c).normalize();
        (reach(&rounded.core.vertices, &n) + rounded.radius - reach(&hull.vertices, &n)).abs()
    });
    errors.fold(0.0, f64::max)
}

#[test]
fn a_rounded_box_has_a_box_as_its_core() {
    for lengths in [
        [1.0, 0.7, 0.5],
        [1e-3, 2e-3, 4e-3],
        [1e3, 10.0, 1.0],
        [1.0, 1.0, 1e-4],
    ] {
        let smallest = lengths.into_iter().fold(f64::INFINITY, f64::min);
        for share in [1e-6, 0.02, 0.1] {
            let radius = share * smallest;
            let points: Vec<Vec3> = box_grid(lengths, 3).iter().map(|p| turned() * p).collect();
            let (hull, result) = rounded(&points, EXACT, radius);
            assert_eq!(result.radius, radius);
            assert_eq!(result.core.vertices.len(), 8);
            let size = lengths.into_iter().fold(0.0, f64::max);
            assert!(face_error(&hull, &result) < 1e-14 * size);
            // Volume of the box less 2 r in each length.
            let volume: f64 = lengths.iter().map(|l| l - 2.0 * radius).product();
            let error = (result.core.volume() - volume).abs();
            assert!(
                error < 1e-14 * size.powi(3),
                "{lengths:?} {share}: {error:e}"
            );
        }
    }
}

#[test]
fn the_radius_is_at_most_a_tenth_of_the_least_width_of_the_faces() {
    let radius = |points: &[Vec3]| rounded(points, EXACT, 1.0).1.radius;
    assert!((radius(&box_grid([1.0, 0.7, 0.5], 1)) - 0.05).abs() < 1e-16);
    // A regular tetrahedron of edge sqrt(8) has the height 4/sqrt(3).
    let tetrahedron = [
        [1.0, 1.0, 1.0],
        [1.0, -1.0, -1.0],
        [-1.0, 1.0, -1.0],
        [-1.0, -1.0, 1.0],
    ];
    let tetrahedron = tetrahedron.map(Vec3::from);
    assert!((radius(&tetrahedron) - 0.4 / 3.0_f64.sqrt()).abs() < 1e-15);
}

#[test]
fn the_core_of_a_tetrahedron_is_a_smaller_one() {
    // Faces at 1/sqrt(3) from the centre move to 1/sqrt(3) - r: similar, about the centre.
    let points = [
        [1.0, 1.0, 1.0],
        [1.0, -1.0, -1.0],
        [-1.0, 1.0, -1.0],
        [-1.0, -1.0, 1.0],
    ];
    let (_, result) = rounded(&points.map(Vec3::from), EXACT, 0.1);
    let shrunk = 1.0 - 0.1 * 3.0_f64.sqrt();
    assert_eq!(result.core.vertices.len(), 4);
    for vertex in &result.core.vertices {
        assert!((vertex.abs() - Vec3::repeat(shrunk)).amax() < 1e-15);
    }
}

#[test]
#[ignore = "long: hulls of a thousand points"]
fn faces_of_many_sided_bodies_keep_their_place() {
    let spheres = [20, 200, 1000].map(sphere_points);
    let cone = |n: usize| {
        let rim = |i| {
            let angle = i as f64 / n as f64 * std::f64::consts::TAU;
            Vec3::new(angle.cos(), angle.sin(), 0.0)
        };
        (0..n)
            .map(rim)
            .chain([Vec3::new(0.1, 0.0, 2.0)])
            .collect::<Vec<_>>()
    };
    for points in spheres.into_iter().chain([5, 64, 500].map(cone)) {
        for radius in [1e-6, 1e-3] {
            let (hull, result) = rounded(&points, EXACT, radius);
            let error = face_error(&hull, &result);
            assert!(
                error < 1e-12,
                "{} points, {radius}: {error:e}",
                points.len()
            );
        }
    }
}

#[test]
fn noise_in_the_points_moves_no_face() {
    let points: Vec<Vec3> = box_grid([1.0, 0.7, 0.5], 6)
        .iter()
        .map(|p| turned() * p)
        .collect();
    for tolerance in [EXACT, 1e-9, 2.0_f64.powi(-22)] {
        let (hull, result) = rounded(&single(&points), tolerance, 1e-3);
        // Slivers along the edges are within the rounding; the six faces stay.
        for (axis, length) in [1.0, 0.7, 0.5].into_iter().enumerate() {
            for sign in [-1.0, 1.0] {
                let n = turned() * Vec3::ith(axis, sign);
                let stays = reach(&result.core.vertices, &n) + result.radius;
                // Twice the rounding to single precision, and the tolerance.
                let allowed = 1e-7 + tolerance;
                assert!(
                    (stays - 0.5 * length).abs() < allowed,
                    "{tolerance:e}: {stays}"
                );
                assert!(stays < reach(&hull.vertices, &n) + 1e-12);
            }
        }
    }
}

#[test]
fn no_smoothing_gives_the_hull_itself() {
    let hull = convex_hull(&sphere_points(50), EXACT).unwrap();
    for wanted in [0.0, -1.0] {
        let result = round(&hull, wanted).unwrap();
        assert_eq!(result.core, hull);
        assert_eq!(result.radius, 0.0);
    }
}
