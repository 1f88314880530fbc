//! Decompositions: exact where planes make them so, within the tolerance elsewhere.

use super::super::decompose::{Limits, Piece, decompose};
use super::super::hull::{EXACT, Surface, bounds};
use super::super::solid::{Mesh, Pieces};
use super::{cuboid, farthest_outside, join, l_shape, prism, ring, torus, turned};
use crate::decompose::deviation;
use contact_geometry::math::Vec3;
use std::f64::consts::TAU;

fn pieces(surface: &Surface, max_parts: usize, tolerance: f64) -> Vec<Piece> {
    let limits = Limits {
        max_parts,
        tolerance,
        max_outside: None,
    };
    let pieces = decompose(surface, EXACT, &limits);
    assert!(pieces.len() <= max_parts);
    // The pieces are the solid: their volumes add up to its own, and so hulls miss none of it.
    let volume: f64 = pieces.iter().map(|piece| piece.surface.volume()).sum();
    assert!((volume / surface.volume() - 1.0).abs() < 1e-12);
    for piece in &pieces {
        assert!(farthest_outside(&piece.hull, &piece.surface.vertices) < 1e-11);
    }
    pieces
}

fn excess(pieces: &[Piece]) -> f64 {
    pieces.iter().map(|piece| piece.excess).sum()
}

#[test]
fn an_l_is_two_boxes_wherever_it_lies() {
    let found = pieces(&l_shape(), 32, 0.01);
    let mut boxes: Vec<[[f64; 3]; 2]> = found
        .iter()
        .map(|piece| {
            let (lower, upper) = bounds(&piece.hull.vertices);
            [lower.into(), upper.into()]
        })
        .collect();
    boxes.sort_by(|one, two| one[1][0].total_cmp(&two[1][0]));
    // The two bars, one of them whole.
    assert_eq!(boxes.len(), 2);
    assert_eq!(
        found.iter().map(|p| p.hull.vertices.len()).sum::<usize>(),
        16
    );
    assert_eq!(excess(&found), 0.0);
    let mut moved = l_shape();
    for vertex in &mut moved.vertices {
        *vertex = turned() * *vertex * 1e-2 + Vec3::new(3.0, -7.0, 11.0);
    }
    let found = pieces(&moved, 32, 0.01);
    assert_eq!(found.len(), 2);
    assert!(excess(&found) < 1e-9 * moved.volume());
}

#[test]
fn bodies_of_plane_faces_come_apart_exactly() {
    // A box with a box-shaped cavity; the volume is known and six planes at most cut it.
    let mut hole = cuboid([1.0, 2.0, 1.0]);
    for triangle in &mut hole.triangles {
        triangle.swap(0, 1);
    }
    let hollow = join(&cuboid([3.0, 4.0, 5.0]), &hole);
    let found = pieces(&hollow, 32, 1e-6);
    assert!(found.len() <= 6, "{}", found.len());
    assert!(excess(&found) < 1e-12 * hollow.volume());
    // A U and a star of five points.
    let u = [
        [0., 0.],
        [3., 0.],
        [3., 2.],
        [2., 2.],
        [2., 1.],
        [1., 1.],
        [1., 2.],
        [0., 2.],
    ];
    let triangles = [
        [0, 5, 7],
        [5, 6, 7],
        [0, 1, 5],
        [1, 4, 5],
        [1, 2, 4],
        [2, 3, 4],
    ];
    let u = prism(&u, &triangles, [0.0, 1.0]);
    let found = pieces(&u, 32, 1e-6);
    assert!(found.len() <= 3, "{}", found.len());
    assert!(excess(&found) < 1e-12);
    let corner = |i: u32| {
        let radius = if i.is_multiple_of(2) { 2.0 } else { 0.7 };
        let angle = TAU * f64::from(i) / 10.0;
        [radius * angle.cos(), radius * angle.sin()]
    };
    let star: Vec<[f64; 2]> = (0..10).map(corner).collect();
    let mut triangles = vec![[1, 3, 5], [1, 5, 7], [1, 7, 9]];
    triangles.extend((0..5).map(|i| [2 * i, 2 * i + 1, (2 * i + 9) % 10]));
    let star = prism(&star, &triangles, [0.0, 1.0]);
    let found = pieces(&star, 32, 1e-6);
    assert!(found.len() <= 6, "{}", found.len());
    assert!(excess(&found) < 1e-12);
}

#[test]
#[ignore = "long: decompositions of meshes"]
fn a_ring_comes_apart_within_the_tolerance() {
    for (n, tolerance, most) in [(24, 0.05, 8), (24, 0.01, 16), (64, 0.05, 8), (64, 0.01, 16)] {
        let ring = ring(n);
        let found = pieces(&ring, 64, tolerance);
        assert!(excess(&found) <= tolerance * ring.volume());
        assert!(found.len() <= most, "{n} {tolerance}: {}", found.len());
    }
    // A piece for each segment is exact.
    assert!(excess(&pieces(&ring(8), 64, 0.0)) < 1e-12);
}

#[test]
#[ignore = "long: decompositions of meshes"]
fn a_curved_ring_comes_apart_within_the_tolerance() {
    let torus = torus(32, 16, 1.0, 0.3);
    let found = pieces(&torus, 32, 0.05);
    assert!(excess(&found) <= 0.05 * torus.volume());
    assert!(found.len() <= 24, "{}", found.len());
}

#[test]
#[ignore = "long: decompositions of meshes"]
fn few_parts_are_as_good_as_their_number_allows() {
    let all = [1, 2, 4, 8, 16].map(|most| excess(&pieces(&ring(32), most, 0.0)));
    assert!(all.windows(2).all(|two| two[1] <= two[0]), "{all:?}");
    // One part is the hull: the hole, a third of the ring's volume.
    assert!((all[0] / ring(32).volume() - 1.0 / 3.0).abs() < 1e-12);
    // Separate components are put together where there are too many.
    let mut apart = cuboid([1.0, 1.0, 1.0]);
    for i in 1..6 {
        let mut next = cuboid([1.0, 1.0, 1.0]);
        for vertex in &mut next.vertices {
            vertex.x += 1.5 * f64::from(i);
        }
        apart = join(&apart, &next);
    }
    assert_eq!(pieces(&apart, 32, 0.01).len(), 6);
    let three = pieces(&apart, 3, 0.01);
    assert_eq!(three.len(), 3);
    // Three pairs, or one of the same cost: three gaps of 0.5 filled.
    assert!((excess(&three) - 1.5).abs() < 1e-12);
}

#[test]
fn the_farthest_point_of_the_l_s_hull_is_half_a_diagonal_away() {
    // On the hull's slope from (2, 1) to (1, 3), farthest from the faces y = 1 and x = 1: where
    // both are equally far, (1 + t, 1 + t) with t = 2/3.
    let piece = pieces(&l_shape(), 1, 0.0).remove(0);
    let found = deviation([&piece], 3.0, None).bound;
    assert!((2.0 / 3.0..=2.0 / 3.0 * 1.1).contains(&found), "{found}");
}

#[test]
#[ignore = "long: decompositions of meshes"]
fn the_same_mesh_gives_the_same_parts() {
    let mesh = Mesh::new(&torus(24, 12, 1.0, 0.3), 1.0).unwrap();
    let limits = Limits {
        max_parts: 16,
        tolerance: 0.02,
        max_outside: None,
    };
    let one = mesh.decompose(&limits);
    assert_eq!(one, mesh.decompose(&limits));
    assert!(one.share <= 0.02 || one.hulls.len() == 16);
    let line = one.report();
    assert!(line.contains(" convex parts, at most "), "{line}");
    let l = Mesh::new(&l_shape(), 1.0).unwrap().decompose(&limits);
    assert_eq!(l.report(), "2 convex parts, exact");
    let cube = Mesh::new(&cuboid([1.0, 1.0, 1.0]), 1.0).unwrap();
    assert_eq!(cube.decompose(&limits).report(), "1 convex part, exact");
}

/// Parts of a mesh whose volume may be anything, but not how far they reach out of it [m].
fn bounded(surface: &Surface, max_parts: usize, most: f64) -> Pieces {
    let limits = Limits {
        max_parts,
        tolerance: 10.0,
        max_outside: Some(most),
    };
    Mesh::new(surface, 1.0).unwrap().decompose(&limits)
}

/// The hull of the L reaches 2/3 out of it, see above; its two bars do not at all.
#[test]
fn a_bound_for_the_distance_is_kept_by_more_parts_or_known_to_be_exceeded() {
    assert_eq!(bounded(&l_shape(), 32, 0.67).hulls.len(), 1);
    for most in [0.66, 0.1, 1e-6] {
        let two = bounded(&l_shape(), 32, most);
        assert_eq!((two.hulls.len(), two.exceeds_bound), (2, false));
        assert_eq!(two.deviation, 0.0);
        let one = bounded(&l_shape(), 1, most);
        assert_eq!((one.hulls.len(), one.exceeds_bound), (1, true));
        assert!((2.0 / 3.0..=2.0 / 3.0 * 1.01).contains(&one.deviation));
        assert!((0.66..=2.0 / 3.0 + 1e-12).contains(&one.found));
    }
}

/// A cube of side 1 with the pyramid over its upper face cut out to the depth h. The hull is the
/// cube; its point in the middle of that face is the farthest, h cos(a) from each of the four
/// slopes, which have tan(a) = 2 h. At h = 1e-6 the pyramid has 3e-7 of the volume. Rounding: 1e-16
/// of 1e-6.
#[test]
#[ignore = "long: decompositions of meshes"]
fn the_distance_from_a_shallow_dent_is_that_of_its_slopes() {
    for depth in [1e-6, 1e-3, 0.1] {
        let mut dented = cuboid([1.0, 1.0, 1.0]);
        dented.triangles.retain(|t| t.iter().any(|v| *v < 4));
        dented.vertices.push(Vec3::new(0.0, 0.0, 0.5 - depth));
        let slopes = [[4, 5, 8], [5, 6, 8], [6, 7, 8], [7, 4, 8]];
        dented.triangles.extend(slopes);
        let distance = depth / (1.0 + 4.0 * depth * depth).sqrt();
        for share in [0.1, 0.99] {
            let found = bounded(&dented, 1, share * distance);
            assert!(found.exceeds_bound);
            let ratio = found.found / distance;
            assert!((0.99..=1.0 + 1e-9).contains(&ratio), "{depth}: {ratio}");
            assert!(found.deviation >= (1.0 - 1e-9) * distance);
        }
        let found = bounded(&dented, 1, 2e-3_f64.max(1.5 * distance));
        assert!(!found.exceeds_bound, "{depth}");
    }
}

/// A ring of 64 flat segments about a hole of inner radius r. A part that spans an angle 2 a
/// reaches r (1 - cos a) into the hole, but for the flatness of the segments, r (1 - cos(pi/64)) =
/// 0.0012 r: so a bound d needs at least pi / acos(1 - (d + 0.0012 r) / r) parts. Points of the
/// parts are asked for their distance from the hole's wall.
#[test]
#[ignore = "long: decompositions of meshes"]
fn parts_of_a_ring_leave_the_hole_free_within_the_bound() {
    let ring = ring(64);
    let radius = |v: &Vec3| v.x.hypot(v.y);
    let r = ring
        .vertices
        .iter()
        .map(radius)
        .fold(f64::INFINITY, f64::min);
    assert!(bounded(&ring, 64, 2.0 * r).hulls.len() == 1);
    let mut last = 1;
    for share in [0.3, 0.1, 0.03] {
        let most = share * r;
        let found = bounded(&ring, 64, most);
        assert!(!found.exceeds_bound);
        let least = std::f64::consts::PI / (1.0 - share - 0.0012).acos();
        let count = found.hulls.len();
        assert!(count as f64 >= least && count > last, "{share}: {count}");
        last = count;
        let mut deepest = 0.0_f64;
        for hull in &found.hulls {
            // Points on all edges between corners, which reach deepest into the hole.
            for one in &hull.vertices {
                for two in &hull.vertices {
                    let middle = (one + two) * 0.5;
                    deepest = deepest.max(r * (TAU / 128.0).cos() - radius(&middle));
                }
            }
        }
        assert!(
            deepest > 0.2 * most && deepest <= most,
            "{share}: {deepest}"
        );
        let few = bounded(&ring, last / 2, most);
        assert!(few.exceeds_bound && few.deviation > most, "{share}");
    }
}

/// A star cut into its parts, in the 32 bits of a file: the hull of a part has other triangles on the
/// plane ends than the part.
#[test]
fn parts_that_are_exact_do_not_stand_out_by_any_bound() {
    let corners = 60;
    let polygon: Vec<[f64; 2]> = (0..corners)
        .map(|i| f64::from(i) / f64::from(corners) * TAU)
        .map(|angle| [0.1 * angle.cos(), 0.1 * angle.sin()])
        .collect();
    // Strips, where a hull has a fan.
    let mut triangles = Vec::new();
    let (mut low, mut high) = (0, corners as u32 - 1);
    while low + 1 < high {
        triangles.push([low, low + 1, high]);
        low += 1;
        if low + 1 < high {
            triangles.push([low, high - 1, high]);
            high -= 1;
        }
    }
    let mut surface = prism(&polygon, &triangles, [0.0, 0.01]);
    for vertex in &mut surface.vertices {
        *vertex = (turned() * *vertex).map(|x| f64::from(x as f32));
    }
    let limits = Limits {
        max_parts: 64,
        tolerance: 0.01,
        max_outside: Some(2e-6),
    };
    let found = decompose(&surface, EXACT, &limits);
    assert_eq!(found.len(), 1);
    let outside = deviation(&found, 0.2, limits.max_outside);
    assert!(outside.bound <= 2e-6, "{outside:?}");
}
