//! Surfaces of shapes against the closed forms of their volumes.

use super::shapes::{Surface, surface};
use contact_geometry::math::Vec3;
use contact_geometry::shapes::{Hull, RoundedShape};
use std::collections::BTreeMap;
use std::f64::consts::PI;

/// Volume by the divergence theorem: the sum of the tetrahedra over the origin.
fn volume(surface: &Surface) -> f64 {
    let corners = |t: [u32; 3]| t.map(|v| surface.vertices[v as usize]);
    let tetrahedron = |[p, q, r]: [Vec3; 3]| p.dot(&q.cross(&r)) / 6.0;
    surface.triangles().map(|t| tetrahedron(corners(t))).sum()
}

/// A cube of edge 2 a with half the edges taken off at one corner: seven vertices, a triangle and
/// pentagons among its faces.
fn cut_cube(a: f64) -> RoundedShape {
    let mut points: Vec<[f64; 3]> = (0..7)
        .map(|i| [0, 1, 2].map(|axis| if i >> axis & 1 == 1 { a } else { -a }))
        .collect();
    points.extend([[0.0, a, a], [a, 0.0, a], [a, a, 0.0]]);
    // 0 ---, 1 +--, 2 -+-, 3 ++-, 4 --+, 5 +-+, 6 -++, and 7, 8, 9 around the cut corner.
    let triangles = vec![
        [0, 2, 3],
        [0, 3, 1],
        [0, 1, 5],
        [0, 5, 4],
        [0, 4, 6],
        [0, 6, 2],
        [1, 3, 9],
        [1, 9, 8],
        [1, 8, 5],
        [2, 6, 7],
        [2, 7, 9],
        [2, 9, 3],
        [4, 5, 8],
        [4, 8, 7],
        [4, 7, 6],
        [7, 8, 9],
    ];
    RoundedShape::hull(Hull::new(points, triangles).unwrap(), 0.0)
}

/// Volume of a convex polyhedron of volume `v`, surface `s` and mean width sum `m` (over the edges,
/// length times the angle between the normals, halved) swept by a ball, by Steiner's formula.
fn steiner(v: f64, s: f64, m: f64, r: f64) -> f64 {
    v + s * r + m * r * r + 4.0 / 3.0 * PI * r.powi(3)
}

/// Each kind of shape with its volume in closed form.
fn shapes() -> Vec<(&'static str, RoundedShape, f64)> {
    let sphere = |r: f64| 4.0 / 3.0 * PI * r.powi(3);
    // Two balls R and r at a distance d: caps and the frustum between the circles where the lateral
    // surface touches, whose normal rises by asin((R - r)/d).
    let tapered = |large: f64, small: f64, d: f64| {
        let s = (large - small) / d;
        let c = (1.0 - s * s).sqrt();
        let frustum = |a: f64, b: f64, h: f64| PI * h / 3.0 * (a * a + a * b + b * b);
        let cap = |r: f64, h: f64| PI * h * h / 3.0 * (3.0 * r - h);
        let height = d + small * s - large * s;
        cap(large, large * (1.0 + s))
            + cap(small, small * (1.0 - s))
            + frustum(large * c, small * c, height)
    };
    // Cylinder of radius a and half height h swept by a ball: Steiner with the integral of the mean
    // curvature of a cylinder, pi (2 h + pi a).
    let round_cylinder = |a: f64, h: f64, r: f64| {
        let surface = 2.0 * PI * a * a + 4.0 * PI * a * h;
        steiner(2.0 * PI * a * a * h, surface, PI * (2.0 * h + PI * a), r)
    };
    let round_box = |[a, b, c]: [f64; 3], r: f64| {
        let surface = 2.0 * (a * b + b * c + c * a);
        steiner(a * b * c, surface, PI * (a + b + c), r)
    };
    let mut sharp_cone = RoundedShape::cone(0.4, 0.0, 0.5, 0.0);
    sharp_cone.radius = 0.0;
    let mut cut = cut_cube(0.2);
    let cut_volume = 0.4_f64.powi(3) - 0.2_f64.powi(3) / 6.0;
    let sharp_cut = cut.clone();
    cut.radius = 0.05;
    // Edges of the cut cube: nine whole ones of 0.4 and three halves, at right angles; three
    // diagonals of 0.2 sqrt(2), where the normals (1, 1, 1)/sqrt(3) and an axis enclose acos(1/sqrt(3)).
    let diagonal = 0.2 * 2.0_f64.sqrt();
    let edges = 0.5 * ((9.0 * 0.4 + 3.0 * 0.2) * PI / 2.0)
        + 0.5 * 3.0 * diagonal * (1.0 / 3.0_f64.sqrt()).acos();
    let cut_surface = 6.0 * 0.16 - 3.0 * 0.02 + 0.25 * 3.0_f64.sqrt() * diagonal * diagonal;
    let round_cut = steiner(cut_volume, cut_surface, edges, 0.05);
    vec![
        ("sphere", RoundedShape::sphere(0.4), sphere(0.2)),
        (
            "ellipsoid",
            RoundedShape::ellipsoid(&[0.2, 0.4, 0.6]),
            PI / 6.0 * 0.2 * 0.4 * 0.6,
        ),
        (
            "sharp box",
            RoundedShape::cuboid(&[0.2, 0.4, 0.6], 0.0),
            0.2 * 0.4 * 0.6,
        ),
        (
            "round box",
            RoundedShape::cuboid(&[0.2, 0.4, 0.6], 0.02),
            round_box([0.16, 0.36, 0.56], 0.02),
        ),
        (
            "sharp cylinder",
            RoundedShape::cylinder(0.4, 0.6, 0.0),
            PI * 0.04 * 0.6,
        ),
        (
            "round cylinder",
            RoundedShape::cylinder(0.4, 0.6, 0.04),
            round_cylinder(0.16, 0.26, 0.04),
        ),
        ("cone", sharp_cone, PI * 0.04 * 0.5 / 3.0),
        (
            "frustum",
            RoundedShape::cone(0.4, 0.2, 0.5, 0.0),
            PI * 0.5 / 3.0 * (0.04 + 0.02 + 0.01),
        ),
        (
            "frustum upside down",
            RoundedShape::cone(0.2, 0.4, 0.5, 0.0),
            PI * 0.5 / 3.0 * (0.04 + 0.02 + 0.01),
        ),
        (
            "capsule",
            RoundedShape::capsule(0.2, 0.5),
            sphere(0.1) + PI * 0.01 * 0.5,
        ),
        (
            "tapered capsule",
            RoundedShape::tapered_capsule(0.4, 0.2, 0.5),
            tapered(0.2, 0.1, 0.5),
        ),
        (
            "tapered capsule upside down",
            RoundedShape::tapered_capsule(0.2, 0.4, 0.5),
            tapered(0.2, 0.1, 0.5),
        ),
        (
            "sharp beam",
            RoundedShape::beam(0.6, 0.2, 0.1, 0.0),
            0.6 * 0.2 * 0.1 + PI * 0.01 * 0.1,
        ),
        (
            // A cylinder about y and its two halves apart: what is between them has the profile of
            // the rounded rectangle of width and thickness, in the length of the box.
            "round beam",
            RoundedShape::beam(0.6, 0.2, 0.1, 0.01),
            round_cylinder(0.09, 0.04, 0.01) + 0.6 * (0.2 * 0.1 - (4.0 - PI) * 1e-4),
        ),
        ("sharp hull", sharp_cut, cut_volume),
        ("round hull", cut, round_cut),
    ]
}

#[test]
fn volumes_converge_to_their_closed_forms() {
    for (name, shape, expected) in shapes() {
        let error = |tolerance: f64| {
            let found = volume(&surface(&shape, tolerance).unwrap());
            (found / expected - 1.0).abs()
        };
        let errors = [1e-2, 1e-3, 1e-4].map(error);
        assert!(errors[2] < 5e-3, "{name}: {errors:?}");
        // A sharp polyhedron is exact at once.
        assert!(
            errors[2] < 0.1 * errors[0] || errors[0] < 1e-12,
            "{name}: {errors:?}"
        );
    }
}

#[test]
fn every_edge_has_a_face_on_either_side() {
    for (name, shape, _) in shapes() {
        for tolerance in [1e-2, 1e-3] {
            let surface = surface(&shape, tolerance).unwrap();
            let mut edges: BTreeMap<[u32; 2], i32> = BTreeMap::new();
            for face in &surface.faces {
                assert!(face.len() > 2, "{name}");
                for (i, a) in face.iter().enumerate() {
                    *edges.entry([*a, face[(i + 1) % face.len()]]).or_default() += 1;
                }
            }
            for ([a, b], count) in &edges {
                assert_eq!(
                    (*count, edges.get(&[*b, *a])),
                    (1, Some(&1)),
                    "{name}: {a} {b}"
                );
            }
            // Euler's polyhedron formula for one piece without holes.
            let (v, e, f) = (surface.vertices.len(), edges.len() / 2, surface.faces.len());
            assert_eq!(v + f, e + 2, "{name}");
        }
    }
}

/// The farthest point of the shape along the normal of a face lies on the face, or above it by no
/// more than a few times the tolerance; no corner lies outside the shape.
#[test]
fn faces_touch_the_shape_from_inside_and_face_outwards() {
    for (name, shape, _) in shapes() {
        let tolerance = 1e-3;
        let surface = surface(&shape, tolerance).unwrap();
        for face in &surface.faces {
            let normal = surface.normal(face);
            // Slivers between arcs of different numbers of pieces have no direction.
            if normal.norm() < 1e-9 {
                continue;
            }
            let n = normal.normalize();
            let reach = shape.core.support(&n).dot(&n) + shape.radius;
            // Pieces of round corners may be skew.
            let below = 6.0 * tolerance + 0.6 * shape.radius;
            for corner in face {
                let height = surface.vertices[*corner as usize].dot(&n);
                assert!(
                    height < reach + 1e-12 && height > reach - below,
                    "{name}: {height} of {reach} along {n}"
                );
            }
        }
    }
}

#[test]
fn a_half_space_has_no_surface() {
    assert_eq!(surface(&RoundedShape::half_space(), 1e-3), None);
}
