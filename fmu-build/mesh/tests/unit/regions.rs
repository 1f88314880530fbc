//! Facets of cylinders, cones and spheres are named with the exact radius; other surfaces have none.

use super::super::hull::{Surface, convex_hull};
use super::super::regions::{Region, regions, regions_and_visits, report};
use super::super::solid::Mesh;
use super::{cuboid, join, l_shape, prism, ring, single, sphere_points, torus, turned};
use contact_geometry::math::{Mat3, Vec3, rotation_matrix};
use std::f64::consts::{FRAC_PI_2, TAU};

/// The one region of a surface, also where it lies turned and in single precision.
fn only(surface: &Surface) -> Region {
    let mut tilted = surface.clone();
    let vertices: Vec<Vec3> = surface.vertices.iter().map(|v| turned() * v).collect();
    tilted.vertices = single(&vertices);
    let [found, rounded] = [surface, &tilted].map(|surface| {
        let mut found = regions(surface);
        assert_eq!(
            found.len(),
            1,
            "{:?}",
            found.iter().map(Region::report).collect::<Vec<_>>()
        );
        found.remove(0)
    });
    assert_eq!(found.facets, rounded.facets);
    let size = surface.bounds().1.amax();
    assert!((found.radius - rounded.radius).abs() < 1e-6 * size);
    assert!(found.deviation < 1e-14 && rounded.deviation < 1e-6 * size);
    assert_eq!(
        (found.is_hollow, found.is_whole),
        (rounded.is_hollow, rounded.is_whole)
    );
    found
}

/// Circles about the z axis as (radius, height), each of n corners; ends of radius zero are points.
fn turned_part(circles: &[[f64; 2]], n: u32) -> Surface {
    let mut surface = Surface::default();
    let mut rows: Vec<Vec<u32>> = Vec::new();
    for [r, z] in circles {
        let count = if *r == 0.0 { 1 } else { n };
        let first = surface.vertices.len() as u32;
        rows.push((0..n).map(|i| first + i % count).collect());
        for i in 0..count {
            let (sin, cos) = (f64::from(i) / f64::from(n) * TAU).sin_cos();
            surface.vertices.push(Vec3::new(r * cos, r * sin, *z));
        }
    }
    for pair in rows.windows(2) {
        for i in 0..n as usize {
            let j = (i + 1) % n as usize;
            let [a, b, c, d] = [pair[0][i], pair[0][j], pair[1][j], pair[1][i]];
            if a != b {
                surface.triangles.push([a, b, c]);
            }
            if c != d {
                surface.triangles.push([a, c, d]);
            }
        }
    }
    surface
}

/// A square plate with a bore of n facets.
fn plate(n: u32, radius: f64, half: f64, thickness: f64) -> Surface {
    let mut surface = ring(n);
    for (index, vertex) in surface.vertices.iter_mut().enumerate() {
        let (sin, cos) = (f64::from(index as u32 / 4) / f64::from(n) * TAU).sin_cos();
        let r = if index % 4 < 2 {
            radius
        } else {
            half / cos.abs().max(sin.abs())
        };
        *vertex = Vec3::new(r * cos, r * sin, vertex.z * thickness);
    }
    surface
}

#[test]
fn a_bore_in_a_plate_is_named() {
    let bore = only(&plate(48, 0.01, 0.03, 0.005));
    assert!((bore.radius - 0.01).abs() < 1e-15);
    assert_eq!((bore.facets, bore.triangles.len()), (48, 96));
    assert!(bore.is_hollow && bore.is_whole);
    let beta = TAU / 48.0;
    assert!((bore.turn - beta).abs() < 1e-12);
    assert!((bore.sagitta - 0.01 * beta * beta / 8.0).abs() < 1e-15);
    let line = bore.report();
    // 10 mm (7.5 degrees)^2 / 8, and 7.5 degrees in rad times 1 m/s.
    let start = "bore of 20.000 mm, 48 facets: sagitta 0.0214 mm, speed jumps of 131 mm/s at 1 m/s, vertices within ";
    assert!(line.starts_with(start), "{line}");
    let report = Mesh::new(&plate(48, 10.0, 30.0, 5.0), 0.001)
        .unwrap()
        .report();
    assert!(
        report.iter().any(|line| line.starts_with(start)),
        "{report:?}"
    );
}

#[test]
fn pins_cones_and_balls_are_named() {
    let pin = only(&turned_part(
        &[
            [0.0, 0.0],
            [0.02, 0.0],
            [0.02, 0.01],
            [0.02, 0.05],
            [0.0, 0.05],
        ],
        36,
    ));
    assert!((pin.radius - 0.02).abs() < 1e-15);
    assert_eq!((pin.facets, pin.triangles.len()), (36, 144));
    assert!(pin.report().starts_with("pin of 40.000 mm, 36 facets"));

    for circles in [
        vec![[0.0, 0.0], [0.02, 0.0], [0.01, 0.03], [0.0, 0.03]],
        vec![[0.0, 0.0], [0.02, 0.0], [0.0, 0.06]],
    ] {
        let cone = only(&turned_part(&circles, 40));
        assert!((cone.form.slope - 1.0 / 3.0).abs() < 1e-12);
        assert!((cone.form.point - Vec3::new(0.0, 0.0, 0.06)).norm() < 1e-14);
        assert!((cone.radius - 0.02).abs() < 1e-14 && cone.facets == 40);
        assert!(
            cone.report()
                .starts_with("cone of at most 40.000 mm, 40 facets")
        );
    }
    // A globe of circles of latitude, and points on a spiral.
    let circles: Vec<[f64; 2]> = (0..=20)
        .map(|i| {
            let (sin, cos) = (f64::from(i) / 20.0 * 0.5 * TAU).sin_cos();
            [if i % 20 == 0 { 0.0 } else { 0.5 * sin }, -0.5 * cos]
        })
        .collect();
    for ball in [
        turned_part(&circles, 40),
        convex_hull(&sphere_points(300), 1e-12).unwrap(),
    ] {
        let radius = ball.vertices[0].norm();
        let found = only(&ball);
        assert!((found.radius - radius).abs() < 1e-14);
        assert_eq!(found.triangles.len(), ball.triangles.len());
        assert!(found.report().starts_with("ball of ") && found.is_whole);
        // The plane nearest to the centre: of a hull it is that of a triangle around its foot.
        let depth = |[a, b, c]: [Vec3; 3]| radius - (b - a).cross(&(c - a)).normalize().dot(&a);
        let corners = ball.triangles.iter().map(|t| ball.corners(t));
        let sagitta = corners.map(depth).fold(0.0, f64::max);
        assert!((found.sagitta / sagitta - 1.0).abs() < 1e-9, "{sagitta}");
    }
    // Inside and outside of a ring.
    let both = regions(&ring(24));
    let seen: Vec<[bool; 2]> = both.iter().map(|r| [r.is_hollow, r.radius > 1.5]).collect();
    assert_eq!(seen, [[true, false], [false, true]]);
}

#[test]
fn a_fillet_and_a_rounding_are_named_apart_from_their_planes() {
    let arc = |center: [f64; 2], from: f64| {
        (0..=12).map(move |i| {
            let (sin, cos) = (from + f64::from(i) / 12.0 * FRAC_PI_2).sin_cos();
            [center[0] + 0.005 * cos, center[1] + 0.005 * sin]
        })
    };
    // A square of 30 mm with one corner rounded, and an L whose inner corner is filled.
    let mut round = vec![[0.0, 0.0], [0.03, 0.0]];
    round.extend(arc([0.025, 0.025], 0.0));
    round.push([0.0, 0.03]);
    let mut filled: Vec<[f64; 2]> = arc([0.015, 0.015], FRAC_PI_2 * 2.0).collect();
    filled.extend([
        [0.03, 0.01],
        [0.03, 0.0],
        [0.0, 0.0],
        [0.0, 0.03],
        [0.01, 0.03],
    ]);
    filled.reverse();
    // Fans about a corner that sees all others: (0, 0).
    for (polygon, hub, is_hollow) in [(round, 0, false), (filled, 2, true)] {
        let n = polygon.len() as u32;
        let area: f64 = (0..polygon.len())
            .map(|i| {
                let [a, b] = [polygon[i], polygon[(i + 1) % polygon.len()]];
                0.5 * (a[0] * b[1] - a[1] * b[0])
            })
            .sum();
        let polygon: Vec<[f64; 2]> = if area > 0.0 {
            polygon
        } else {
            polygon.into_iter().rev().collect()
        };
        let hub = if area > 0.0 { hub } else { n - 1 - hub };
        assert_eq!(polygon[hub as usize], [0.0, 0.0]);
        let fan: Vec<[u32; 3]> = (1..n - 1)
            .map(|i| [hub, (hub + i) % n, (hub + i + 1) % n])
            .collect();
        let found = only(&prism(&polygon, &fan, [0.0, 0.02]));
        assert!((found.radius - 0.005).abs() < 1e-15, "{found:?}");
        assert_eq!(
            (found.facets, found.is_hollow, found.is_whole),
            (12, is_hollow, false)
        );
    }
}

#[test]
fn surfaces_of_other_forms_name_nothing() {
    let mut seed = 5_u64;
    let mut random = || {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (seed >> 11) as f64 / (1u64 << 53) as f64
    };
    let mut hills = torus(30, 20, 1.0, 0.4);
    for vertex in &mut hills.vertices {
        *vertex *= 1.0 + 0.02 * random();
    }
    for surface in [
        cuboid([1.0, 2.0, 3.0]),
        l_shape(),
        torus(40, 20, 2.0, 0.5),
        hills,
    ] {
        let found = regions(&surface);
        assert!(found.is_empty(), "{}", found[0].report());
    }
}

/// Any smooth surface has circles and spheres that fit a few of its facets.
#[test]
fn a_cam_and_an_ellipsoid_are_not_named_by_circles_that_fit_a_part() {
    let at = |i: u32| f64::from(i).to_radians();
    let radius = |i: u32| 0.034 - 0.004 * at(i).cos();
    let outline = (0..360).map(|i| [radius(i) * at(i).cos(), radius(i) * at(i).sin()]);
    let outline: Vec<[f64; 2]> = outline.collect();
    let fan: Vec<[u32; 3]> = (1..359).map(|i| [0, i, i + 1]).collect();
    let cam = prism(&outline, &fan, [-0.005, 0.005]);
    let circles: Vec<[f64; 2]> = (0..=100)
        .map(|i| {
            let (sin, cos) = (f64::from(i) / 100.0 * 0.5 * TAU).sin_cos();
            [if i % 100 == 0 { 0.0 } else { 0.1 * sin }, -0.11 * cos]
        })
        .collect();
    for surface in [cam, turned_part(&circles, 200)] {
        let found = regions(&surface);
        assert!(found.is_empty(), "{}", found[0].report());
    }
}

/// The rims of a cylinder lie on a sphere, which holds the triangles between rims that are turned, too.
#[test]
fn the_outside_of_a_nut_is_no_ball() {
    let circles = [[0.0, 0.0], [0.015, 0.0], [0.015, 0.003], [0.0, 0.003]];
    let nut = turned_part(&circles, 80);
    assert!(
        only(&nut)
            .report()
            .starts_with("pin of 30.000 mm, 80 facets")
    );
    let mut turned = nut;
    let half: Mat3 = rotation_matrix(&[(TAU / 320.0).cos(), 0.0, 0.0, (TAU / 320.0).sin()]);
    let upper = turned.vertices.iter_mut().filter(|v| v.z > 0.0);
    upper.for_each(|v| *v = half * *v);
    for region in regions(&turned) {
        assert!(region.form.axis != Vec3::zeros(), "{}", region.report());
    }
}

#[test]
fn the_ten_largest_regions_are_listed() {
    let mut all = Surface::default();
    for i in 1..=13_u32 {
        let r = 0.001 * f64::from(i);
        let mut pin = turned_part(&[[0.0, 0.0], [r, 0.0], [r, 0.02], [0.0, 0.02]], 24);
        pin.vertices.iter_mut().for_each(|v| v.x += f64::from(i));
        all = join(&all, &pin);
    }
    let lines = report(&all);
    let first = |line: &String| line.split(',').next().unwrap().to_owned();
    let expected = (4..=13_u32)
        .rev()
        .map(|i| format!("pin of {}.000 mm", 2 * i));
    let expected: Vec<String> = expected
        .chain(["and 3 smaller curved regions".to_owned()])
        .collect();
    assert_eq!(lines.iter().map(first).collect::<Vec<_>>(), expected);
}

#[test]
fn work_grows_with_the_triangles_of_a_flat_face() {
    for n in [30_u32, 100] {
        // A square of 100 mm, 2 n^2 triangles, of which no plane holds all corners after rounding.
        let at = |i: u32| 0.1 * f64::from(i) / f64::from(n);
        let flat = (0..=n).flat_map(|i| (0..=n).map(move |j| Vec3::new(at(i), at(j), 0.0)));
        let vertices: Vec<Vec3> = flat.map(|v| turned() * v).collect();
        let cell = |k: u32| {
            let a = k / n * (n + 1) + k % n;
            let [b, c, d] = [a + n + 1, a + n + 2, a + 1];
            [[a, b, c], [a, c, d]]
        };
        let surface = Surface {
            vertices: single(&vertices),
            triangles: (0..n * n).flat_map(cell).collect(),
        };
        let (found, visits) = regions_and_visits(&surface);
        assert!(found.is_empty());
        let each = visits / surface.triangles.len();
        assert!(each < 100, "{each} visits for each triangle");
    }
}
