//! Hulls: closed forms of the volume, the check that fmu-core makes, and what has no hull.

use super::super::hull::{EXACT, HullError, Surface, bounds, convex_hull};
use super::{box_grid, farthest_outside, single, sphere_points, turned};
use contact_geometry::math::Vec3;
use contact_geometry::shapes::Hull;

/// The hull of points that all lie in it within `miss` [m], accepted by fmu-core.
fn checked(points: &[Vec3], tolerance: f64, miss: f64) -> Surface {
    let hull = convex_hull(points, tolerance).unwrap();
    let vertices = hull.vertices.iter().map(|v| (*v).into()).collect();
    Hull::new(vertices, hull.triangles.clone()).unwrap();
    let outside = farthest_outside(&hull, points);
    assert!(outside <= miss, "{outside}");
    assert!(hull.vertices.iter().all(|v| points.contains(v)));
    hull
}

#[test]
fn a_grid_on_the_faces_of_a_box_leaves_its_eight_corners() {
    let plates = [[1.0, 1.0, 1e-4], [1.0, 1e-4, 1e-4], [1.0, 1e-6, 1e-2]];
    let sizes = [1e-3, 1.0, 1e3].map(|size| [size, 0.7 * size, 0.5 * size]);
    for lengths in plates.into_iter().chain(sizes) {
        for n in [1, 5, 20] {
            let straight = box_grid(lengths, n);
            let rotated: Vec<Vec3> = straight.iter().map(|p| turned() * p).collect();
            let volume = lengths.iter().product::<f64>();
            for points in [straight, rotated] {
                let hull = checked(&points, EXACT, 1e-12 * lengths[0]);
                assert_eq!(hull.vertices.len(), 8, "{lengths:?} {n}");
                assert_eq!(hull.triangles.len(), 12);
                // Rounding is relative to the products of coordinates that the volume sums.
                let error = (hull.volume() - volume).abs();
                assert!(
                    error < 1e-15 * lengths[0].powi(3),
                    "{lengths:?} {n}: {error:e}"
                );
            }
        }
    }
}

#[test]
fn the_noise_of_single_precision_leaves_eight_corners_at_its_tolerance() {
    for n in [1, 5, 20, 40] {
        let points: Vec<Vec3> = box_grid([1.0, 0.7, 0.5], n)
            .iter()
            .map(|p| turned() * p)
            .collect();
        // Rounding of a coordinate below 1 is at most 2^-25, of a distance sqrt(3) of that.
        let hull = checked(&single(&points), 2.0_f64.powi(-22), 4e-7);
        assert_eq!(hull.vertices.len(), 8, "{n}");
        assert!((hull.volume() / 0.35 - 1.0).abs() < 4e-7);
    }
}

#[test]
fn noise_above_the_tolerance_stays_a_valid_hull() {
    for tolerance in [EXACT, 1e-9, 1e-8] {
        for n in [5, 20] {
            let points: Vec<Vec3> = box_grid([1.0, 0.7, 0.5], n)
                .iter()
                .map(|p| turned() * p)
                .collect();
            let hull = convex_hull(&single(&points), tolerance).unwrap();
            assert!((hull.volume() / 0.35 - 1.0).abs() < 1e-6);
            let vertices = hull.vertices.iter().map(|v| (*v).into()).collect();
            Hull::new(vertices, hull.triangles).unwrap();
        }
    }
}

#[test]
#[ignore = "long: hulls of thousands of points"]
fn every_point_of_a_sphere_is_a_vertex() {
    for count in [12, 100, 1000] {
        for radius in [1e-3, 1.0, 1e3] {
            let points: Vec<Vec3> = sphere_points(count).iter().map(|p| p * radius).collect();
            let hull = checked(&points, EXACT, 1e-12 * radius);
            assert_eq!(hull.vertices.len(), count);
            // Euler: a closed surface of triangles about a ball has 2 n - 4 of them.
            assert_eq!(hull.triangles.len(), 2 * count - 4);
        }
    }
}

#[test]
fn points_inside_and_points_given_twice_change_nothing() {
    let corners = box_grid([2.0, 1.0, 1.0], 1);
    let alone = checked(&corners, EXACT, 0.0);
    let inner = sphere_points(50).into_iter().map(|p| p * 0.4);
    let more: Vec<Vec3> = corners
        .iter()
        .copied()
        .chain(inner)
        .chain(corners.clone())
        .collect();
    let hull = checked(&more, EXACT, 0.0);
    assert_eq!(hull.vertices, alone.vertices);
    assert!((hull.volume() - 2.0).abs() < 1e-15);
}

#[test]
fn a_thin_wedge_keeps_its_edge_at_a_coarse_tolerance() {
    // Half angle 1e-3 at the edge: points 1e-6 beyond both planes would be 1e-3 beyond the edge.
    let mut points = vec![Vec3::new(0.0, 0.0, 1e-3), Vec3::new(0.0, 0.0, -1e-3)];
    points.extend([1.0, 0.999, 0.998].map(|x| Vec3::new(x, 0.0, 0.0)));
    points.extend([1.0, 0.999, 0.998].map(|x| Vec3::new(x, 1.0, 0.0)));
    points.extend([Vec3::new(0.0, 1.0, 1e-3), Vec3::new(0.0, 1.0, -1e-3)]);
    let hull = checked(&points, 1e-6, 1e-6);
    assert_eq!(bounds(&hull.vertices).1.x, 1.0);
    assert_eq!(hull.vertices.len(), 6);
}

#[test]
fn what_bounds_no_volume_is_refused_in_words() {
    let text = |points: &[[f64; 3]]| {
        let points: Vec<Vec3> = points.iter().map(|p| Vec3::from(*p)).collect();
        convex_hull(&points, EXACT).unwrap_err().to_string()
    };
    let p = [0.0, 0.0, 0.0];
    assert_eq!(text(&[]), "has 0 different points; a solid has at least 4");
    assert_eq!(
        text(&[p, p, p, p, p]),
        "has 1 different point; a solid has at least 4"
    );
    let line = [p, [1.0, 1.0, 1.0], [2.0, 2.0, 2.0], [3.0, 3.0, 3.0]];
    assert_eq!(
        text(&line),
        "has all points on one line; a solid needs a thickness"
    );
    let plane = [
        p,
        [1.0, 0.0, 1.0],
        [0.0, 1.0, 0.0],
        [1.0, 1.0, 1.0],
        [0.3, 0.1, 0.3],
    ];
    let message = text(&plane);
    assert!(
        message.starts_with("has all points in one plane (within "),
        "{message}"
    );
    assert_eq!(
        text(&[p, [1.0, 0.0, f64::NAN], [0.0, 1.0, 0.0], [1.0, 1.0, 1.0]]),
        "has a point, number 2, that is not finite"
    );
    let flat = vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z() * 1e-10];
    assert!(matches!(convex_hull(&flat, EXACT), Err(HullError::Flat(_))));
    let thin = vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z() * 1e-8];
    assert!((convex_hull(&thin, EXACT).unwrap().volume() / (1e-8 / 6.0) - 1.0).abs() < 1e-12);
}

#[test]
fn the_order_of_points_changes_no_vertex() {
    let points = sphere_points(200);
    let reversed: Vec<Vec3> = points.iter().rev().copied().collect();
    let sorted = |points: &[Vec3]| {
        let mut vertices = convex_hull(points, EXACT).unwrap().vertices;
        vertices.sort_by(|a, b| a.as_slice().partial_cmp(b.as_slice()).unwrap());
        vertices
    };
    assert_eq!(sorted(&points), sorted(&reversed));
}
