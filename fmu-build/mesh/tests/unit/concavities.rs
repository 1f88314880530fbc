//! Convex surfaces up to 1e-9 of their extent, and how far hulls stand out of others.

use super::super::concavity::{Concavity, concavity};
use super::super::hull::{EXACT, Surface, convex_hull};
use super::super::solid::Mesh;
use super::{cuboid, join, l_shape, ring, single, sphere_points, tetrahedron, turned};
use contact_geometry::math::Vec3;

fn found(surface: &Surface) -> Option<Concavity> {
    Mesh::new(surface, 1.0).unwrap().concavity
}

/// Distance, volume and share of a concave surface; the distance is found to 1 %.
fn check(surface: &Surface, distance: f64, volume: f64, share: f64) {
    let found = found(surface).unwrap();
    let least = 0.99 * distance;
    assert!(
        (least..=distance + 1e-12).contains(&found.distance),
        "{found:?}"
    );
    assert!((found.volume - volume).abs() < 1e-12, "{found:?}");
    assert!((found.share - share).abs() < 1e-12, "{found:?}");
}

/// The unit cube with the pyramid of this depth over its upper face cut out.
fn dented(depth: f64) -> Surface {
    let mut dented = cuboid([1.0, 1.0, 1.0]);
    dented.triangles.retain(|t| t.iter().any(|v| *v < 4));
    dented.vertices.push(Vec3::new(0.0, 0.0, 0.5 - depth));
    let slopes = [[4, 5, 8], [5, 6, 8], [6, 7, 8], [7, 4, 8]];
    dented.triangles.extend(slopes);
    dented
}

/// The unit cube with two opposite upper corners raised, the upper face cut along the other two: all
/// corners are on the hull.
fn saddle(height: f64) -> Surface {
    let mut saddle = cuboid([1.0, 1.0, 1.0]);
    saddle.triangles.retain(|t| t.iter().any(|v| *v < 4));
    saddle.triangles.extend([[4, 5, 7], [5, 6, 7]]);
    saddle.vertices[4].z += height;
    saddle.vertices[6].z += height;
    saddle
}

fn turn(surface: &Surface) -> Surface {
    let mut turn = surface.clone();
    for vertex in &mut turn.vertices {
        *vertex = turned() * *vertex + Vec3::new(0.3, -0.7, 1.1);
    }
    turn
}

#[test]
fn convex_solids_are_convex_wherever_they_lie() {
    let sphere = convex_hull(&sphere_points(500), EXACT).unwrap();
    let mut needle = cuboid([1.0, 1e-3, 1e-3]);
    needle.vertices[0].y -= 1e-4;
    for surface in [cuboid([1.0, 2.0, 3.0]), tetrahedron(), sphere, needle] {
        assert_eq!(found(&surface), None);
        assert_eq!(found(&turn(&surface)), None);
    }
}

#[test]
fn a_dent_or_a_fold_counts_from_1e_9_of_the_extent_on() {
    for make in [dented, saddle] {
        for depth in [0.0, 1e-10, 0.4e-9] {
            assert_eq!(found(&make(depth)), None, "{depth}");
            assert_eq!(found(&turn(&make(depth))), None, "{depth}");
        }
        for depth in [1e-8, 1e-6, 1e-3] {
            assert!(found(&make(depth)).is_some(), "{depth}");
            assert!(found(&turn(&make(depth))).is_some(), "{depth}");
        }
    }
}

/// A dome of this height over the upper face of a unit cube, or a bowl below it with a negative one: a
/// paraboloid over n x n squares.
fn bowl(height: f64, n: u32) -> Surface {
    let mut bowl = cuboid([1.0, 1.0, 1.0]);
    bowl.triangles.retain(|t| t.iter().any(|v| *v < 4));
    let mut corners = Vec::new();
    for j in 0..=n {
        for i in 0..=n {
            let [x, y] = [i, j].map(|k| f64::from(k) / f64::from(n) - 0.5);
            // On the sides the face is straight.
            let z = 0.5 + 16.0 * height * (0.25 - x * x) * (0.25 - y * y);
            corners.push(bowl.vertices.len() as u32);
            bowl.vertices.push(Vec3::new(x, y, z));
        }
    }
    for j in 0..n {
        for i in 0..n {
            let at = |i: u32, j: u32| corners[(j * (n + 1) + i) as usize];
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            bowl.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    bowl
}

/// The bowl turns by 3e-9 in all over 30 edges: no edge dips by 1e-9 of the extent, but its bottom does.
#[test]
fn many_small_folds_add_up() {
    assert_eq!(found(&bowl(0.0, 30)), None);
    assert!(found(&bowl(-4e-9, 30)).is_some());
    assert_eq!(found(&bowl(-4e-10, 30)), None);
}

/// A file of single precision moves corners by up to 1e-7 of the coordinates off a turned face.
#[test]
fn the_rounding_of_single_precision_makes_no_surface_concave() {
    let file = |surface: &Surface| Surface {
        vertices: single(&turn(surface).vertices),
        triangles: surface.triangles.clone(),
    };
    for surface in [cuboid([1.0, 2.0, 3.0]), bowl(0.0, 30), saddle(0.0)] {
        assert_eq!(found(&file(&surface)), None);
    }
    // What is deeper is seen.
    for surface in [dented(1e-6), saddle(1e-6)] {
        assert!(found(&file(&surface)).is_some());
    }
}

#[test]
fn the_hull_of_an_l_stands_out_by_half_a_diagonal() {
    // On the hull's slope from (2, 1) to (1, 3), farthest from the faces y = 1 and x = 1: where both are
    // equally far, (1 + t, 1 + t) with t = 2/3. It fills a triangle of area 1.
    check(&l_shape(), 2.0 / 3.0, 0.5, 0.25);
}

/// The point in the middle of the upper face is the farthest, h cos(a) from each of the four slopes, which
/// have tan(a) = 2 h. The pyramid has a third of h.
#[test]
fn the_hull_of_a_dented_cube_stands_out_from_the_slopes() {
    for depth in [1e-3, 0.1_f64] {
        let distance = depth / (1.0 + 4.0 * depth * depth).sqrt();
        let volume = depth / 3.0;
        check(&dented(depth), distance, volume, volume / (1.0 - volume));
    }
}

/// A ring of n quadrilateral prisms between radii 1 and 2, height 1: the middle of the lid over the hole is
/// the radius of the inscribed circle away from the rim; hole and ring have the volumes 1 : 3.
#[test]
fn the_hull_of_a_ring_stands_out_in_the_hole() {
    let n = 24;
    let hole = 0.5 * f64::from(n) * (std::f64::consts::TAU / f64::from(n)).sin();
    let inner = (std::f64::consts::PI / f64::from(n)).cos();
    check(&ring(n), inner, hole, 1.0 / 3.0);
}

#[test]
fn separate_solids_and_cavities_are_concave_though_all_their_corners_are_on_the_hull() {
    let mut other = cuboid([1.0, 1.0, 1.0]);
    other.vertices.iter_mut().for_each(|vertex| vertex.x += 3.0);
    check(&join(&cuboid([1.0, 1.0, 1.0]), &other), 1.0, 2.0, 1.0);
    let mut hole = cuboid([1.0, 2.0, 1.0]);
    hole.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    check(&join(&cuboid([3.0, 4.0, 5.0]), &hole), 0.0, 2.0, 2.0 / 58.0);
}

#[test]
fn a_hull_that_leaves_corners_out_makes_no_surface_concave() {
    // As of a file with single precision far from the origin.
    let hull = convex_hull(&sphere_points(500), 1e-2).unwrap();
    let sphere = convex_hull(&sphere_points(500), EXACT).unwrap();
    assert!(hull.vertices.len() < sphere.vertices.len());
    assert_eq!(concavity(&sphere, &hull, false), None);
}
