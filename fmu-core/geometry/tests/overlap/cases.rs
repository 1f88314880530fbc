//! The pairs of `cases.txt`.

use super::{overlap, polyhedron};
use crate::cases;
use crate::errors::{assert_none, within};
use contact_geometry::math::{Pose, Vec3};
use contact_geometry::narrow_phase::overlap::{GEOMETRIC_EPSILON, Polyhedron, Workspace};
use std::collections::BTreeMap;

/// Of measures relative to themselves, of points to the size of the intersection; and where the
/// depth is about 1e-4 m, where the reference has fewer digits.
const TOLERANCE: f64 = 1e-9;
const TOLERANCE_THIN: f64 = 1e-7;
/// Depth below which the second one counts [m].
const THIN: f64 = 3e-4;

struct Expected {
    name: String,
    numbers: BTreeMap<String, Vec<f64>>,
    /// Polyhedron, area [m^2] and normal of the face.
    triangles: Vec<(usize, f64, Vec3)>,
}

/// Published normal of triangles, each of polyhedron 0 or 1 with its area a [m^2] and the outward unit
/// normal n of its face: sum_1 a^2 n - sum_2 a^2 n, scaled to length one.
fn normal_by_squares(triangles: &[(usize, f64, Vec3)]) -> Vec3 {
    let each = triangles.iter().map(|(side, area, normal)| {
        let sign = if *side == 0 { 1.0 } else { -1.0 };
        normal * (area * area * sign)
    });
    each.sum::<Vec3>().normalize()
}

impl Expected {
    fn vector(&self, word: &str) -> Option<Vec3> {
        let numbers = self.numbers.get(word)?;
        Some(Vec3::from_column_slice(&numbers[..3]))
    }

    fn number(&self, word: &str) -> f64 {
        self.numbers[word][0]
    }

    fn tolerance(&self) -> f64 {
        match self.number("depth") < THIN {
            true => TOLERANCE_THIN,
            false => TOLERANCE,
        }
    }
}

fn expected() -> Vec<Expected> {
    let mut cases: Vec<Expected> = Vec::new();
    let lines = include_str!("cases.txt").lines();
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (word, rest) = line.split_once(' ').unwrap();
        if word == "case" {
            cases.push(Expected {
                name: rest.into(),
                numbers: BTreeMap::new(),
                triangles: Vec::new(),
            });
            continue;
        }
        let case = cases.last_mut().unwrap();
        let numbers: Vec<f64> = rest.split(' ').map(|n| n.parse().unwrap()).collect();
        if word == "triangle" {
            let corner = |i: usize| Vec3::from_column_slice(&numbers[i..i + 3]);
            let side = if numbers[0] > 0.0 { 0 } else { 1 };
            let [a, b, c] = [4, 7, 10].map(corner);
            let area = 0.5 * (b - a).cross(&(c - a)).norm();
            case.triangles.push((side, area, corner(1)));
        } else {
            case.numbers.insert(word.into(), numbers);
        }
    }
    cases
}

/// Each case with its two polyhedra and their poses.
fn for_each(mut look: impl FnMut(&Expected, [&Polyhedron; 2], [&Pose; 2])) {
    let inputs = cases::cases();
    let expected = expected();
    assert_eq!(expected.len(), 21);
    for case in &expected {
        let input = inputs.iter().find(|i| i.name == case.name).unwrap();
        let [(one, pose_1), (two, pose_2)] = input.solids.as_slice() else {
            panic!("{} has two shapes", case.name);
        };
        let [one, two] = [one, two].map(|solid| polyhedron(&solid.shape));
        look(case, [&one, &two], [pose_1, pose_2]);
    }
}

#[test]
fn published_intersections_have_the_stated_measures_points_and_normals() {
    let mut failures = Vec::new();
    for_each(|case, shapes, poses| {
        let mut work = Workspace::default();
        let found = work.overlap(shapes, poses, GEOMETRIC_EPSILON);
        let tolerance = case.tolerance();
        // Points to the size of the intersection, which is no larger than the root of its surface.
        let size = case.number("half_area").sqrt();
        let mut look = |what: &str, error: f64| {
            if !within(error, tolerance) {
                failures.push(format!("{}: {what} off {error:e}", case.name));
            }
        };
        let relative = |found: f64, word: &str| {
            let expected = case.number(word);
            (found - expected).abs() / expected.abs().max(f64::MIN_POSITIVE)
        };
        look("volume", relative(found.volume, "volume"));
        look("area", relative(found.area, "half_area"));
        let area = 2.0 * case.number("half_area");
        look(
            "shared",
            (found.shared_area - case.number("shared")).abs() / area,
        );
        let point = |p: Vec3, word: &str| (p - case.vector(word).unwrap()).norm() / size;
        look(
            "volume centroid",
            point(found.volume_centroid_w, "volume_centroid"),
        );
        look(
            "surface centroid",
            point(found.surface_centroid_w, "surface_centroid"),
        );
        look("gap", relative(-found.gap, "depth"));
        let mut direction = |what: &str, n: Vec3, word: &str| {
            if let Some(expected) = case.vector(word) {
                look(what, (n - expected).norm());
            }
        };
        direction("normal", found.normal_w, "vector_normal");
        direction("squared normal", found.squared_normal_w, "squared_normal");
        direction("direction", found.direction_w, "direction");
        if case.numbers.contains_key("gap_along") {
            let gap = work.gap_along(shapes, poses, &found.normal_w);
            look("gap along", relative(gap, "gap_along"));
        }
        let inside = case.name == "box_inside_box";
        assert_eq!(found.contains, [inside, false], "{}", case.name);
    });
    assert_none(&failures);
}

/// Solfec swells what it intersects: three times its epsilon times area over volume.
#[test]
fn solfec_finds_the_same_but_for_its_swelling() {
    let mut failures = Vec::new();
    for_each(|case, shapes, poses| {
        let found = overlap(shapes, poses);
        let swelling = 3.0 * case.number("solfec_swelling");
        let mut look = |what: &str, error: f64, allowed: f64| {
            if !within(error, allowed) {
                failures.push(format!("{}: {what} off {error:e}", case.name));
            }
        };
        let relative = |found: f64, word: &str| (found / case.number(word) - 1.0).abs();
        look("volume", relative(found.volume, "solfec_volume"), swelling);
        look("area", relative(found.area, "solfec_area"), swelling);
        let radius = shapes[0].radius().max(shapes[1].radius());
        let point = case.vector("solfec_point").unwrap();
        let off = (found.surface_centroid_w - point).norm();
        look("point", off, 1e-4 * 2.0 * radius);
        // Of several faces at one distance either may be given.
        for (side, word) in ["solfec_surface_1", "solfec_surface_2"].iter().enumerate() {
            let plane = &case.numbers[*word];
            let n = Vec3::from_column_slice(&plane[..3]);
            let p = Vec3::from_column_slice(&plane[3..6]);
            let other = n.dot(&(point - p)).abs();
            let face = &shapes[side].faces()[found.surfaces[side]];
            let pose = poses[side];
            let own = (pose.rotation * face.normal).dot(&(point - pose.position)) - face.offset;
            let allowed = 2.0 * off + 1e-12;
            look(word, own.abs() - other, allowed);
        }
        let Some(normal) = case.vector("solfec_normal") else {
            return;
        };
        let of_triangles = normal_by_squares(&case.triangles);
        look("normal", (of_triangles - normal).norm(), 1e-9);
    });
    assert_none(&failures);
}

#[test]
fn the_gap_along_the_published_normal_is_that_of_the_exact_intersection() {
    let mut failures = Vec::new();
    for_each(|case, shapes, poses| {
        let Some(normal) = case.vector("solfec_normal") else {
            return;
        };
        let mut work = Workspace::default();
        work.overlap(shapes, poses, GEOMETRIC_EPSILON);
        let gap = work.gap_along(shapes, poses, &normal);
        let off = (gap / case.number("solfec_exact_gap") - 1.0).abs();
        if !within(off, case.tolerance()) {
            failures.push(format!("{}: off {off:e}", case.name));
        }
    });
    assert_none(&failures);
}
