//! Gap, normal and points of two shapes: nanoseconds a query beside parry's `query::contact` in the
//! same run, and the errors of both against results that are exact by construction.
//!
//! `cargo bench -p contact-geometry --bench narrow_phase`. Environment: NARROW_PHASE_SCENES names a file of
//! cases (format in `scenes`), else cases are made; NARROW_PHASE_ONLY restricts to pairs whose name
//! holds that text; NARROW_PHASE_CASES is the count of cases a class, 64 by default.
//!
//! Queries start cold ([`Feature::None`]); the column `warm` has the feature of the same pose as a
//! warm start, which is what a solver's next evaluation brings. Figures are medians over rounds in which
//! the libraries take turns, so a busy machine disturbs all alike.

mod scenes;

use contact_geometry::math::{Pose, Vec3, rotation_matrix};
use contact_geometry::narrow_phase::{Feature, find_feature, query};
use contact_geometry::shapes::{Hull, RoundedShape};
use parry3d_f64::math::{Pose as ParryPose, Rotation, Vector};
use parry3d_f64::query::contact;
use parry3d_f64::shape::{Ball, Capsule, ConvexPolyhedron, Cuboid, Shape};
use scenes::{Case, Kind, Scenes};
use std::hint::black_box;
use std::time::Instant;

/// Rounds of a median.
const ROUNDS: usize = 21;
/// Queries a round.
const QUERIES: usize = 4000;
/// Distance up to which parry is to find contacts [m].
const PREDICTION: f64 = 10.0;

struct Item {
    case: Case,
    shapes: [RoundedShape; 2],
    poses: [Pose; 2],
    last: Feature,
    parry_shapes: [Box<dyn Shape>; 2],
    parry_poses: [ParryPose; 2],
}

fn main() {
    let scenes = match std::env::var("NARROW_PHASE_SCENES") {
        Ok(path) => scenes::read(&std::fs::read_to_string(path).expect("a readable file")),
        Err(_) => scenes::make(count("NARROW_PHASE_CASES", 64)),
    };
    let only = std::env::var("NARROW_PHASE_ONLY").unwrap_or_default();
    println!(
        "{:10} {:5} {:>8} {:>8} {:>8} {:>6}   {:>8} {:>8} {:>4}   {:>8} {:>8} {:>4}",
        "pair",
        "class",
        "ns",
        "warm",
        "parry",
        "ratio",
        "gap err",
        "normal",
        "miss",
        "parry",
        "normal",
        "miss"
    );
    let mut start = 0;
    while start < scenes.cases.len() {
        let key = |case: &Case| (case.pair.clone(), case.class.clone());
        let end = (start..scenes.cases.len())
            .find(|i| key(&scenes.cases[*i]) != key(&scenes.cases[start]))
            .unwrap_or(scenes.cases.len());
        if scenes.cases[start].pair.contains(&only) {
            let items: Vec<Item> = scenes.cases[start..end]
                .iter()
                .map(|case| item(&scenes, case))
                .collect();
            report(&items);
        }
        start = end;
    }
}

fn count(name: &str, default: usize) -> usize {
    std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
}

fn item(scenes: &Scenes, case: &Case) -> Item {
    let shapes = [0, 1].map(|i| ours(scenes, &case.kinds[i]));
    let poses = [0, 1].map(|i| Pose {
        position: Vec3::from(case.positions[i]),
        rotation: rotation_matrix(&case.quaternions[i]),
    });
    let last = find_feature(&shapes[0], &poses[0], &shapes[1], &poses[1], &Feature::None);
    Item {
        case: case.clone(),
        last,
        poses,
        shapes,
        parry_shapes: [0, 1].map(|i| parry(scenes, &case.kinds[i])),
        parry_poses: [0, 1].map(|i| {
            let [w, x, y, z] = case.quaternions[i];
            ParryPose::from_parts(
                Vector::from(case.positions[i]),
                Rotation::from_xyzw(x, y, z, w).normalize(),
            )
        }),
    }
}

fn ours(scenes: &Scenes, kind: &Kind) -> RoundedShape {
    match kind {
        Kind::Sphere(r) => RoundedShape::sphere(2.0 * r),
        Kind::Box(half) => RoundedShape::cuboid(&half.map(|half| 2.0 * half), 0.0),
        Kind::Capsule(r, half) => RoundedShape::capsule(2.0 * r, 2.0 * half),
        Kind::Hull(i) => {
            let (vertices, triangles) = scenes.hulls[*i].clone();
            RoundedShape::hull(Hull::new(vertices, triangles).expect("a hull"), 0.0)
        }
    }
}

fn parry(scenes: &Scenes, kind: &Kind) -> Box<dyn Shape> {
    match kind {
        Kind::Sphere(r) => Box::new(Ball::new(*r)),
        Kind::Box(half) => Box::new(Cuboid::new(Vector::from(*half))),
        Kind::Capsule(r, half) => Box::new(Capsule::new_z(*half, *r)),
        Kind::Hull(i) => {
            let (vertices, triangles) = scenes.hulls[*i].clone();
            let points = vertices.into_iter().map(Vector::from).collect();
            Box::new(ConvexPolyhedron::from_convex_mesh(points, &triangles).expect("a hull"))
        }
    }
}

/// Gap and normal of one case.
type Found = Option<(f64, Vec3)>;

fn report(items: &[Item]) {
    let cold = |item: &Item| ours_of(item, &Feature::None);
    let warm = |item: &Item| ours_of(item, &item.last);
    let mut times = [const { Vec::new() }; 3];
    for _ in 0..ROUNDS {
        times[0].push(nanoseconds(items, cold));
        times[1].push(nanoseconds(items, warm));
        times[2].push(nanoseconds(items, parry_of));
    }
    let [cold_time, warm_time, parry_time] = times.map(|mut t: Vec<f64>| {
        t.sort_by(f64::total_cmp);
        t[t.len() / 2]
    });
    let (gap, normal, missed) = worst(items, cold);
    let (parry_gap, parry_normal, parry_missed) = worst(items, parry_of);
    println!(
        "{:10} {:5} {cold_time:8.1} {warm_time:8.1} {parry_time:8.1} {:6.3}   {gap:8.1e} {normal:8.1e} {missed:4}   {parry_gap:8.1e} {parry_normal:8.1e} {parry_missed:4}",
        items[0].case.pair,
        items[0].case.class,
        cold_time / parry_time,
    );
}

fn ours_of(item: &Item, last: &Feature) -> Found {
    let found = query(
        &item.shapes[0],
        &item.poses[0],
        &item.shapes[1],
        &item.poses[1],
        black_box(last),
    );
    Some((found.gap, found.normal_w))
}

fn parry_of(item: &Item) -> Found {
    let found = contact(
        &item.parry_poses[0],
        &*item.parry_shapes[0],
        &item.parry_poses[1],
        &*item.parry_shapes[1],
        PREDICTION,
    );
    let found = found.ok().flatten()?;
    Some((found.dist, Vec3::from(found.normal1.to_array())))
}

fn nanoseconds(items: &[Item], query: impl Fn(&Item) -> Found) -> f64 {
    let rounds = QUERIES.div_ceil(items.len());
    let start = Instant::now();
    for _ in 0..rounds {
        for item in items {
            black_box(query(black_box(item)));
        }
    }
    start.elapsed().as_nanos() as f64 / (rounds * items.len()) as f64
}

/// Largest error of gap [m] and normal [rad], and the count of cases without a result, on the
/// wrong side or more than 10 % off, which are left out of the errors.
fn worst(items: &[Item], query: impl Fn(&Item) -> Found) -> (f64, f64, usize) {
    let (mut gap_error, mut normal_error, mut missed) = (0f64, 0f64, 0);
    for item in items {
        match query(item) {
            Some((gap, normal)) if (gap - item.case.gap).abs() < 0.1 * item.case.gap.abs() => {
                let exact = Vec3::from(item.case.normal);
                gap_error = gap_error.max((gap - item.case.gap).abs());
                let angle = normal.cross(&exact).norm().atan2(normal.dot(&exact));
                normal_error = normal_error.max(angle);
            }
            _ => missed += 1,
        }
    }
    (gap_error, normal_error, missed)
}
