//! The pairs of `convex_cases.txt`: both the library and the oracle of these tests give the stated
//! gap and normal.

use crate::errors::{assert_none, within};
use crate::oracle::largest_separation;
use crate::random::posed;
use crate::solid::{Solid, Turned};
use contact_geometry::math::{Mat3, Pose, Vec3};
use contact_geometry::narrow_phase::{Feature, query};

/// Of the gap, relative to the size of the larger shape [1].
const GAP: f64 = 1e-12;
/// Of the normal [rad].
const NORMAL: f64 = 1e-8;

pub struct Case {
    pub name: &'static str,
    pub solids: Vec<(Solid, Pose)>,
    size: f64,
    gap: f64,
    normal: Option<Vec3>,
}

fn numbers(line: &str) -> Vec<f64> {
    line.split_whitespace()
        .map(|word| word.parse().unwrap())
        .collect()
}

pub fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut lines = include_str!("convex_cases.txt")
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    while let Some(line) = lines.next() {
        let (word, rest) = line.split_once(' ').unwrap();
        if word == "case" {
            cases.push(Case {
                name: rest,
                solids: Vec::new(),
                size: 0.0,
                gap: f64::NAN,
                normal: None,
            });
            continue;
        }
        let values = numbers(rest);
        let case = cases.last_mut().unwrap();
        match word {
            "hull" => {
                let mut rows = |count: f64| -> Vec<Vec3> {
                    (0..count as usize)
                        .map(|_| Vec3::from_vec(numbers(lines.next().unwrap())))
                        .collect()
                };
                let points = rows(values[0]);
                let triangles: Vec<[u32; 3]> = rows(values[1])
                    .iter()
                    .map(|t| [t.x as u32, t.y as u32, t.z as u32])
                    .collect();
                let reach = points.iter().map(|p| 2.0 * p.norm()).fold(0.0, f64::max);
                case.size = case.size.max(reach);
                let solid = Solid::polyhedron(&points, &triangles, 0.0);
                case.solids.push((solid, Pose::identity()));
            }
            "sphere" => {
                case.size = case.size.max(2.0 * values[0]);
                let pose = posed(Vec3::from_column_slice(&values[1..]), Mat3::identity());
                case.solids.push((Solid::sphere(2.0 * values[0]), pose));
            }
            "ellipsoid" => {
                let lengths = [0, 1, 2].map(|i| 2.0 * values[i]);
                case.size = lengths.into_iter().fold(case.size, f64::max);
                let pose = posed(
                    Vec3::from_column_slice(&values[3..6]),
                    Mat3::from_row_slice(&values[6..]),
                );
                case.solids.push((Solid::ellipsoid(lengths), pose));
            }
            "gap" => case.gap = values[0],
            "normal" => case.normal = Some(Vec3::from_vec(values)),
            _ => panic!("{word}"),
        }
    }
    cases
}

#[test]
fn published_pairs_have_the_stated_gap_and_normal() {
    let mut failures = Vec::new();
    let all = cases();
    assert_eq!(all.len(), 35);
    for case in &all {
        let [(s1, p1), (s2, p2)] = case.solids.as_slice() else {
            panic!("{} has two shapes", case.name)
        };
        let found = query(&s1.shape, p1, &s2.shape, p2, &Feature::None);
        let off = (found.gap - case.gap).abs() / case.size;
        let turn = case.normal.map_or(0.0, |n| (n - found.normal_w).norm());
        if !(within(off, GAP) && within(turn, NORMAL)) {
            failures.push(format!(
                "{}: gap {:e} for {:e} (off {off:.1e} of size), normal {:?} for {:?} (off {turn:.1e} rad)",
                case.name, found.gap, case.gap, found.normal_w, case.normal
            ));
        }
    }
    assert_none(&failures);
}

#[test]
fn the_oracle_of_these_tests_agrees_with_them() {
    for case in cases() {
        let [(s1, p1), (s2, p2)] = case.solids.as_slice() else {
            panic!("{} has two shapes", case.name)
        };
        let turned = |solid, pose: &Pose| Turned {
            solid,
            rotation: pose.rotation,
        };
        let apart = p2.position - p1.position;
        let (a, b) = (turned(s1, p1), turned(s2, p2));
        let best = largest_separation(&a, &b, &apart, 1e-11, None).unwrap();
        let off = (best.separation - s1.radius - s2.radius - case.gap).abs();
        let turn = case.normal.map_or(0.0, |n| (n - best.normal).norm());
        println!("{:<30} gap {off:.1e}  normal {turn:.1e}", case.name);
        assert!(
            off <= 2e-11 && turn <= 2e-5,
            "{}: {off:e} {turn:e}",
            case.name
        );
    }
}
