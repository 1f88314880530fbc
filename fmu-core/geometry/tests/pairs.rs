//! Gap, normal and points of each pair of kinds at random poses, from far apart to overlapping.
//!
//! The gap is allowed 1e-14 m where a closed form exists or both cores are polytopes and 1e-13 m
//! elsewhere, on top of the rounding of the poses; the normal 1e-9 rad, between two curved shapes
//! 1e-8 rad. A rounding e of the poses turns the normal of two bodies at a distance d, whose
//! difference is curved with radius R where they are nearest, by e/(d + R): up to ten times that is
//! added, and where it exceeds 1e-3 rad (corners that touch) the normal is left alone. Witness
//! points lie on the surfaces to 1e-9 m, on the part of them that faces the other, and
//! p2 - p1 = gap n.

use crate::errors::{assert_none, raise};
use crate::kind::Kind;
use crate::placing::{POSE_ROUNDING, Placing};
use crate::random::{Random, soak};
use crate::solid::{Body, Solid};
use contact_geometry::math::{Pose, Vec3};
use contact_geometry::narrow_phase::{Feature, Proximity, find_feature, gap, proximity};

/// Gaps at which each pair of attitudes is queried [m].
pub const GAPS: [f64; 19] = [
    1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 0.0, -1e-9, -1e-8, -1e-7, -1e-6, -1e-5,
    -1e-4, -1e-3, -1e-2, -1e-1,
];
/// Poses of each pair.
const POSES: usize = 60;
/// Poses of each pair in the long run.
const MANY_POSES: usize = 1000;
/// Normals that rounding of the poses turns by more than this [rad] are not compared.
const UNDECIDED: f64 = 1e-3;
/// Normals that rounding of the poses turns by less than this [rad] enter the table.
const DECIDED: f64 = 1e-11;

/// Accuracy asked of a pair.
#[derive(Clone, Copy)]
pub struct Tolerance {
    /// Of the gap [m].
    pub gap: f64,
    /// Of the normal [rad].
    pub normal: f64,
    /// Of the difference of the witness points against gap and normal [m].
    pub between: f64,
    /// Of the witness points off their surfaces [m]: along an edge or a face they are the solution
    /// of an equation of their own, of which gap and normal do not depend.
    pub surface: f64,
}

impl Tolerance {
    pub fn of(kinds: [Kind; 2]) -> Self {
        let closed = kinds.iter().all(|k| k.is_flat())
            || kinds.contains(&Kind::HalfSpace)
            || kinds.contains(&Kind::Sphere);
        let curved = !kinds.iter().any(|k| k.is_flat() || *k == Kind::HalfSpace);
        let gap = if closed { 1e-14 } else { 1e-13 };
        Tolerance {
            gap,
            normal: if curved { 1e-8 } else { 1e-9 },
            between: 10.0 * gap,
            surface: 1e-9,
        }
    }
}

/// Errors of a result.
#[derive(Clone, Copy, Debug)]
struct Errors {
    /// [m].
    gap: f64,
    /// [rad]; zero where the poses do not determine it.
    normal: f64,
    /// p2 - p1 - gap n [m].
    between: f64,
    /// Points off their surfaces [m].
    surface: f64,
}

impl Errors {
    fn of(placing: &Placing, exact: f64, found: &Proximity) -> Self {
        let decided = POSE_ROUNDING * placing.normal_sensitivity(exact) <= UNDECIDED;
        let apart = found.points_w[1] - found.points_w[0];
        Errors {
            gap: (found.gap - exact).abs(),
            normal: if !decided {
                0.0
            } else if placing.is_crossing(exact) {
                // Either side is as near.
                found.normal_w.cross(&placing.normal).norm()
            } else {
                (found.normal_w - placing.normal).norm()
            },
            between: (apart - found.normal_w * found.gap).norm(),
            surface: off_surface(placing, exact, found),
        }
    }

    /// NaN is not within anything.
    fn are_within(&self, tolerance: &Tolerance, turn: f64) -> bool {
        self.gap <= tolerance.gap + POSE_ROUNDING
            && self.normal <= tolerance.normal + 10.0 * turn
            && self.between <= tolerance.between
            && self.surface <= tolerance.surface
    }
}

/// How far the witness points are off the surfaces, or off the part of them that faces the other.
fn off_surface(placing: &Placing, exact: f64, found: &Proximity) -> f64 {
    let turned = placing.turned();
    let origins = [placing.pose_1.position, placing.pose_2(exact).position];
    let mut off = 0.0;
    for side in 0..2 {
        let sign = [1.0, -1.0][side];
        let outward: Vec3 = placing.normal * sign;
        let point = found.points_w[side]
            - origins[side]
            - found.normal_w * (sign * placing.solids[side].radius);
        let errors = [
            turned[side].outside(&point).max(0.0),
            if matches!(placing.solids[side].body, Body::HalfSpace) {
                outward.dot(&point).abs()
            } else {
                outward
                    .dot(&(point - turned[side].farthest(&outward)))
                    .abs()
            },
        ];
        for error in errors {
            raise(&mut off, error);
        }
    }
    off
}

/// What the poses of a pair gave.
#[derive(Default)]
struct Tally {
    poses: usize,
    skipped: usize,
    queries: usize,
    /// Queries with overlapping cores.
    deep: usize,
    gap: f64,
    normal: f64,
    surface: f64,
    failures: usize,
    first_failures: Vec<String>,
}

impl Tally {
    fn take(
        &mut self,
        placing: &Placing,
        exact: f64,
        found: &Proximity,
        what: &str,
        tol: &Tolerance,
    ) {
        let errors = Errors::of(placing, exact, found);
        let turn = POSE_ROUNDING * placing.normal_sensitivity(exact);
        self.queries += 1;
        self.deep += usize::from(exact + placing.radii() < 0.0);
        raise(&mut self.gap, errors.gap);
        if turn < DECIDED {
            raise(&mut self.normal, errors.normal);
        }
        raise(&mut self.surface, errors.surface);
        raise(&mut self.surface, errors.between);
        if !errors.are_within(tol, turn) {
            self.failures += 1;
            if self.first_failures.len() < 3 {
                let place = |pose: &Pose| {
                    let rows: Vec<[f64; 3]> = pose
                        .rotation
                        .row_iter()
                        .map(|row| [row[0], row[1], row[2]])
                        .collect();
                    format!("{:?} turned {rows:?}", pose.position.data.0[0])
                };
                let [s1, s2] = &placing.solids;
                self.first_failures.push(format!(
                    "{what}: gap {exact:e}: {errors:?}, turn {turn:.1e}\n  \
                     found gap {:e} normal {:?} points {:?} {:?}; exact normal {:?}\n  \
                     1 {:?} + {} at {}\n  2 {:?} + {} at {}",
                    found.gap,
                    found.normal_w.data.0[0],
                    found.points_w[0].data.0[0],
                    found.points_w[1].data.0[0],
                    placing.normal.data.0[0],
                    s1.body,
                    s1.radius,
                    place(&placing.pose_1),
                    s2.body,
                    s2.radius,
                    place(&placing.pose_2(exact)),
                ));
            }
        }
    }

    fn line(&self, kinds: [Kind; 2]) -> String {
        format!(
            "{:<22} {:>5} poses {:>3} left out {:>6} queries {:>5} deep  gap {:7.1e} m  \
             normal {:7.1e} rad  points {:7.1e} m  {} failures",
            format!("{:?} {:?}", kinds[0], kinds[1]),
            self.poses,
            self.skipped,
            self.queries,
            self.deep,
            self.gap,
            self.normal,
            self.surface,
            self.failures
        )
    }
}

fn query(placing: &Placing, p1: &Pose, p2: &Pose, hint: &Feature) -> (Feature, Proximity) {
    let [s1, s2] = &placing.solids;
    let feature = find_feature(&s1.shape, p1, &s2.shape, p2, hint);
    let found = proximity(&s1.shape, p1, &s2.shape, p2, &feature);
    (feature, found)
}

/// Runs a pair of kinds over random poses and all gaps: cold, with the hint of the gap before, and
/// the gap alone.
fn run(
    kinds: [Kind; 2],
    poses: usize,
    mut next: impl FnMut(&mut Random) -> Option<Placing>,
) -> Tally {
    let tolerance = Tolerance::of(kinds);
    let mut random = Random::new(1000 * kinds[0] as u64 + kinds[1] as u64);
    let mut tally = Tally::default();
    let mut hint = Feature::None;
    while tally.poses < poses {
        let Some(placing) = next(&mut random) else {
            tally.skipped += 1;
            assert!(tally.skipped < 20 + poses / 10, "{kinds:?}: poses left out");
            continue;
        };
        tally.poses += 1;
        for exact in GAPS.into_iter().filter(|gap| placing.covers(*gap)) {
            let (p1, p2) = (placing.pose_1, placing.pose_2(exact));
            let (_, cold) = query(&placing, &p1, &p2, &Feature::None);
            tally.take(&placing, exact, &cold, "cold", &tolerance);
            let warm;
            (hint, warm) = query(&placing, &p1, &p2, &hint);
            tally.take(&placing, exact, &warm, "warm", &tolerance);
            let [s1, s2] = &placing.solids;
            let alone = gap(&s1.shape, &p1, &s2.shape, &p2, &Feature::None);
            let expected = cold.gap.to_bits();
            assert!(alone.to_bits() == expected, "{kinds:?}: gap alone {alone}");
        }
    }
    tally
}

/// Prints a line for each pair of kinds and fails if any has failures.
fn assert_no_failures(tallies: impl Iterator<Item = ([Kind; 2], Tally)>) {
    let mut failures = Vec::new();
    for (kinds, tally) in tallies {
        println!("{}", tally.line(kinds));
        if tally.failures > 0 {
            failures.push(tally.line(kinds));
            failures.extend(tally.first_failures);
        }
    }
    assert_none(&failures);
}

fn assert_pairs(pairs: impl Iterator<Item = [Kind; 2]>, poses: usize) {
    assert_no_failures(pairs.map(|kinds| {
        let tally = run(kinds, poses, |random| Placing::random(kinds, random));
        (kinds, tally)
    }));
}

macro_rules! pairs_meet_the_oracle {
    ($($name:ident: $kind:ident),* $(,)?) => {$(
        #[test]
        fn $name() {
            assert_pairs(Kind::$kind.and_later().map(|other| [Kind::$kind, other]), POSES);
        }
    )*};
}

pairs_meet_the_oracle! {
    spheres_meet_every_kind_as_the_oracle_says: Sphere,
    ellipsoids_meet_every_kind_as_the_oracle_says: Ellipsoid,
    boxes_meet_every_kind_as_the_oracle_says: Box,
    cylinders_meet_every_kind_as_the_oracle_says: Cylinder,
    cones_meet_every_kind_as_the_oracle_says: Cone,
    frustums_meet_every_kind_as_the_oracle_says: Frustum,
    capsules_meet_every_kind_as_the_oracle_says: Capsule,
    beams_meet_every_kind_as_the_oracle_says: Beam,
    hulls_meet_every_kind_as_the_oracle_says: Hull,
    mesh_parts_meet_each_other_as_the_oracle_says: MeshPart,
}

#[test]
fn half_spaces_meet_every_kind_as_the_oracle_says() {
    assert_pairs(
        Kind::CONVEX.into_iter().map(|kind| [Kind::HalfSpace, kind]),
        POSES,
    );
}

#[test]
fn a_hull_of_three_hundred_vertices_meets_every_kind_as_the_oracle_says() {
    let mut random = Random::new(300);
    let points: Vec<Vec3> = (0..300)
        .map(|_| random.direction().component_mul(&Vec3::new(0.5, 0.4, 0.2)))
        .collect();
    let hull = Solid::hull_of(&points, 0.0);
    assert_no_failures(Kind::CONVEX.into_iter().map(|kind| {
        let tally = run([Kind::Hull, kind], POSES / 4, |random| {
            Placing::of([hull.clone(), kind.solid(random)], random)
        });
        ([Kind::Hull, kind], tally)
    }));
}

#[test]
#[ignore = "long: a soak of a thousand poses of each pair"]
fn very_many_poses_of_each_pair_meet_the_oracle() {
    assert_pairs(Kind::pairs(), soak(MANY_POSES));
}
