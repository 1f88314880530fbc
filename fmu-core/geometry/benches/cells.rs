//! Patch and gap of bodies with faces and of meshes, in contact and apart, and how long a mesh takes to be made.
//!
//! `cargo bench -p contact-geometry --bench cells` prints microseconds, the least of some rounds. With the name of
//! a case, `patch` or `gap`, and a count it repeats just that, for tools that count instructions:
//! `valgrind --tool=callgrind --toggle-collect='*measured*' target/release/deps/cells-* "box on a plane" patch 100`,
//! compiled with `CARGO_PROFILE_BENCH_STRIP=none`.

use contact_geometry::math::{Pose, Vec3, rotation_matrix};
use contact_geometry::narrow_phase::area::{Patch, RoundPressure};
use contact_geometry::narrow_phase::{Feature, find_feature, gap};
use contact_geometry::shapes::{Hull, Mesh, RoundedShape};
use std::f64::consts::PI;
use std::hint::black_box;
use std::time::Instant;

/// Pressure over depth of each layer [N/m3].
const STIFFNESS: f64 = 2e12;
/// Pressure of a ball.
const HERTZ: RoundPressure = RoundPressure {
    factor: 1e11,
    exponent: 0.5,
};
const ROUNDS: usize = 5;
/// Seconds of a round.
const ROUND: f64 = 0.05;

type Triangles = (Vec<[f64; 3]>, Vec<[u32; 3]>);
type Solid = (RoundedShape, Pose);
type Case = (&'static str, fn() -> [Solid; 2]);

fn at(position: [f64; 3], axis: [f64; 3], angle: f64) -> Pose {
    let [x, y, z] = axis.map(|c| c * (0.5 * angle).sin());
    Pose {
        position: Vec3::from(position),
        rotation: rotation_matrix(&[(0.5 * angle).cos(), x, y, z]),
    }
}

fn upright(position: [f64; 3]) -> Pose {
    at(position, [0.0, 0.0, 1.0], 0.0)
}

/// Closed slab of 1 m with n by n squares on top, whose height is a function of the place.
fn slab(n: usize, height: impl Fn(f64, f64) -> f64) -> Triangles {
    let (m, mut points, mut triangles) = (n + 1, Vec::new(), Vec::new());
    for (j, i) in (0..m).flat_map(|j| (0..m).map(move |i| (j, i))) {
        let [x, y] = [i, j].map(|k| k as f64 / n as f64 - 0.5);
        points.push([x, y, height(x, y)]);
    }
    let number = |i: usize, j: usize| (j * m + i) as u32;
    for (j, i) in (0..n).flat_map(|j| (0..n).map(move |i| (j, i))) {
        let [a, b] = [number(i, j), number(i + 1, j + 1)];
        triangles.push([a, number(i + 1, j), b]);
        triangles.push([a, b, number(i, j + 1)]);
    }
    let mut rim: Vec<u32> = (0..n).map(|i| number(i, 0)).collect();
    rim.extend((0..n).map(|j| number(n, j)));
    rim.extend((1..=n).rev().map(|i| number(i, n)));
    rim.extend((1..=n).rev().map(|j| number(0, j)));
    let base = points.len() as u32;
    for vertex in &rim {
        let [x, y, _] = points[*vertex as usize];
        points.push([x, y, -0.3]);
    }
    let middle = points.len() as u32;
    points.push([0.0, 0.0, -0.3]);
    for k in 0..rim.len() {
        let next = (k + 1) % rim.len();
        let [below, behind] = [k, next].map(|k| base + k as u32);
        triangles.extend([
            [below, behind, rim[next]],
            [below, rim[next], rim[k]],
            [behind, below, middle],
        ]);
    }
    (points, triangles)
}

/// Waves of 20 mm.
fn waves(n: usize, phase: f64) -> Triangles {
    let (wide, long) = (9.0, 7.0);
    slab(n, |x, y| 0.02 * (wide * x + phase).sin() * (long * y).cos())
}

/// Ball of 0.1 m with bumps of 5 mm and 4 n (n - 1) triangles, 2 n of them at each pole.
fn bumpy(n: usize) -> Triangles {
    let m = 2 * n;
    let mut points = vec![[0.0, 0.0, -0.1]];
    for (i, j) in (1..n).flat_map(|i| (0..m).map(move |j| (i, j))) {
        let [a, b] = [i, j].map(|k| PI * k as f64 / n as f64);
        let a = a - 0.5 * PI;
        let q = 0.1 * (1.0 + 0.05 * (9.0 * b).sin() * (7.0 * a).cos() * a.cos());
        points.push([q * a.cos() * b.cos(), q * a.cos() * b.sin(), q * a.sin()]);
    }
    points.push([0.0, 0.0, 0.1]);
    let last = points.len() as u32 - 1;
    let number = |i: usize, j: usize| (1 + (i - 1) * m + j % m) as u32;
    let mut triangles = Vec::new();
    for j in 0..m {
        triangles.push([0, number(1, j + 1), number(1, j)]);
        triangles.push([last, number(n - 1, j), number(n - 1, j + 1)]);
        for i in 1..n - 1 {
            let [a, b] = [number(i, j), number(i + 1, j + 1)];
            triangles.extend([[a, number(i, j + 1), b], [a, b, number(i + 1, j)]]);
        }
    }
    (points, triangles)
}

fn mesh((points, triangles): Triangles) -> RoundedShape {
    RoundedShape::mesh(Mesh::new(points, triangles).expect("a closed surface"))
}

/// A mesh of the example of gears, whose file is in millimetres.
fn gear(file: &str) -> RoundedShape {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/gears_mesh/");
    let text = std::fs::read_to_string(format!("{folder}{file}")).expect("a readable file");
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |k: usize| words[k].parse::<f64>().expect("a number");
        match words.first() {
            Some(&"v") => points.push([1, 2, 3].map(|k| 1e-3 * number(k))),
            Some(&"f") => {
                let corner = |k: usize| number(k) as u32 - 1;
                let fan = (3..words.len()).map(|k| [corner(1), corner(k - 1), corner(k)]);
                triangles.extend(fan);
            }
            _ => (),
        }
    }
    mesh((points, triangles))
}

/// Prism of as many sides as give this number of faces, which lies on one of them.
fn drum(faces: usize) -> Triangles {
    let sides = faces - 2;
    let angle = |k: usize| 2.0 * PI * (k as f64 + 0.5) / sides as f64 - 0.5 * PI;
    let ring = |z: f64| (0..sides).map(move |k| [0.1 * angle(k).cos(), z, 0.1 * angle(k).sin()]);
    let points: Vec<[f64; 3]> = ring(-0.05).chain(ring(0.05)).collect();
    let mut triangles = Vec::new();
    for k in 0..sides {
        let [a, b] = [k, (k + 1) % sides].map(|k| k as u32);
        let up = sides as u32;
        triangles.extend([[a, a + up, b], [b, a + up, b + up]]);
        if k > 1 {
            let before = k as u32 - 1;
            triangles.extend([[0, before, a], [up, up + a, up + before]]);
        }
    }
    (points, triangles)
}

/// Play of a nut on its bolt [m].
const PLAY: f64 = 1e-4;

/// Thread of 24 sectors, pitch 2.5 mm and flanks of 45 degrees between two heights: of a bolt of 20 mm, or of a nut
/// with an outer radius.
fn thread(ends: [f64; 2], outer: Option<f64>) -> Triangles {
    const PITCH: f64 = 2.5e-3;
    const SECTORS: usize = 24;
    // Height over the pitch, and radius of a bolt [m].
    let profile = [(0.0, 10e-3), (0.22, 10e-3), (0.5, 9.3e-3), (0.72, 9.3e-3)];
    let play = if outer.is_some() { PLAY } else { 0.0 };
    let (mut points, mut triangles) = (Vec::<[f64; 3]>::new(), Vec::new());
    let radius = |turns: f64| {
        let at = turns.rem_euclid(1.0);
        let k = profile
            .iter()
            .rposition(|(height, _)| *height <= at)
            .expect("a height");
        let ((from, one), (to, other)) = (
            profile[k],
            profile.get(k + 1).copied().unwrap_or((1.0, profile[0].1)),
        );
        play + one + (other - one) * (at - from) / (to - from)
    };
    let mut number = |[r, angle, z]: [f64; 3]| {
        let point = [r * angle.cos(), r * angle.sin(), z];
        let is_same = |other: &[f64; 3]| (0..3).all(|k| (other[k] - point[k]).abs() < 1e-9);
        let known = points.iter().position(is_same);
        known.unwrap_or_else(|| {
            points.push(point);
            points.len() - 1
        }) as u32
    };
    let at_row = |row: i64, sector: usize| {
        let turn = sector as f64 / SECTORS as f64;
        let turns = row.div_euclid(4) as f64 + profile[row.rem_euclid(4) as usize].0;
        let z = (PITCH * (turns + turn)).clamp(ends[0], ends[1]);
        [radius(z / PITCH - turn + 1e-12), 2.0 * PI * turn, z]
    };
    let mut quad = |corners: [[f64; 3]; 4]| {
        let [a, b, c, d] = corners.map(&mut number);
        let both = if outer.is_some() {
            [[a, c, b], [a, d, c]]
        } else {
            [[a, b, c], [a, c, d]]
        };
        triangles.extend(
            both.into_iter()
                .filter(|[a, b, c]| a != b && b != c && c != a),
        );
    };
    let rows = ends.map(|z| 4 * (z / PITCH).floor() as i64);
    for sector in 0..SECTORS {
        let (one, two) = (sector, sector + 1);
        let row = |row: i64| {
            [
                at_row(row, one),
                at_row(row, two),
                at_row(row + 1, two),
                at_row(row + 1, one),
            ]
        };
        (rows[0] - 8..rows[1] + 8).for_each(|k| quad(row(k)));
        let turned = |r: f64, k: usize, z: f64| [r, 2.0 * PI * k as f64 / SECTORS as f64, z];
        let rim = |k: usize, end: usize| {
            let far = outer.unwrap_or(0.0);
            let near = radius(ends[end] / PITCH - k as f64 / SECTORS as f64 + 1e-12);
            [turned(near, k, ends[end]), turned(far, k, ends[end])]
        };
        let [[low, far_low], [next_low, next_far_low]] = [one, two].map(|k| rim(k, 0));
        let [[high, far_high], [next_high, next_far_high]] = [one, two].map(|k| rim(k, 1));
        quad([far_low, next_far_low, next_low, low]);
        quad([high, next_high, next_far_high, far_high]);
        if outer.is_some() {
            quad([far_high, next_far_high, next_far_low, far_low]);
        }
    }
    (points, triangles)
}

/// The nut is lower by its axial play and an overlap [m].
fn nut_on_bolt(overlap: f64) -> [Solid; 2] {
    let bolt = mesh(thread([-4.156e-3, 3.844e-3], None));
    let nut = mesh(thread([-1.656e-3, 1.344e-3], Some(15e-3)));
    [
        (bolt, upright([0.0; 3])),
        (nut, upright([0.0, 0.0, -PLAY - overlap])),
    ]
}

fn hull((points, triangles): Triangles) -> RoundedShape {
    RoundedShape::hull(Hull::new(points, triangles).expect("a hull"), 0.0)
}

/// A roller that is wider than a drum of 360 sides, on it.
fn on_drum(drum: RoundedShape) -> [Solid; 2] {
    let roller = RoundedShape::cylinder(0.016, 0.2, 0.0);
    let place = at([0.0, 0.0, 0.108], [1.0, 0.0, 0.0], 0.5 * PI);
    pressed((drum, upright([0.0; 3])), roller, place, -5e-6)
}

/// The second body moved along z until the gap is a given one.
fn pressed(one: Solid, other: RoundedShape, pose: Pose, wanted: f64) -> [Solid; 2] {
    let moved = |z: f64| {
        let mut moved = pose;
        moved.position.z += z;
        moved
    };
    let found = |z: f64| {
        let pose = moved(z);
        let feature = find_feature(&one.0, &one.1, &other, &pose, &Feature::None);
        gap(&one.0, &one.1, &other, &pose, &feature)
    };
    let (mut low, mut high) = (-0.1, 0.1);
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        if found(middle) > wanted {
            high = middle;
        } else {
            low = middle;
        }
    }
    let pose = moved(low);
    [one, (other, pose)]
}

fn on_plane(shape: RoundedShape, pose: Pose, depth: f64) -> [Solid; 2] {
    let plane = (RoundedShape::half_space(), upright([0.0; 3]));
    pressed(plane, shape, pose, -depth)
}

fn gears() -> [Solid; 2] {
    let (pinion, wheel) = (gear("pinion.obj"), gear("wheel.obj"));
    // Half of the play of the teeth, and 2 um, on the base circle of the wheel.
    let lead = (0.02e-3 * 20.0_f64.to_radians().cos() * 2.0 + 2e-6) / 0.037588;
    let turn = PI / 40.0 + PI + lead;
    [
        (pinion, upright([0.0; 3])),
        (wheel, at([0.06, 0.0, 0.0], [0.0, 0.0, 1.0], turn)),
    ]
}

/// Names and pairs; where the first has no contact its patch takes the time of finding none.
fn cases() -> Vec<Case> {
    fn cube() -> RoundedShape {
        RoundedShape::cuboid(&[0.1; 3], 0.0)
    }
    fn mesh_cube() -> RoundedShape {
        let (points, triangles) = slab(1, |_, _| 0.0);
        let all = points.iter().map(|p| [0, 1, 2].map(|k| 0.1 * p[k]));
        mesh((all.collect(), triangles))
    }
    fn table() -> Solid {
        let shape = RoundedShape::cuboid(&[1.0, 1.0, 0.2], 0.0);
        (shape, upright([0.0, 0.0, -0.1]))
    }
    fn turned(angle: f64) -> Pose {
        at([0.01, 0.02, 0.05], [0.0, 0.0, 1.0], angle)
    }
    vec![
        ("box on a plane", || on_plane(cube(), turned(0.3), 1e-6)),
        ("box deep in a plane", || {
            on_plane(cube(), turned(0.3), 1e-5)
        }),
        ("box on a table", || {
            pressed(table(), cube(), turned(0.3), -1e-6)
        }),
        ("box flush on an equal one", || {
            let below = (cube(), upright([0.0, 0.0, -0.05]));
            pressed(below, cube(), upright([0.0, 0.0, 0.05]), -1e-6)
        }),
        ("box turned on an equal one", || {
            let below = (cube(), upright([0.0, 0.0, -0.05]));
            let above = at([0.0, 0.0, 0.05], [0.0, 0.0, 1.0], 0.4);
            pressed(below, cube(), above, -1e-6)
        }),
        ("hull of 20 faces on a plane", || {
            on_plane(hull(drum(20)), upright([0.0, 0.0, 0.1]), 1e-6)
        }),
        ("hull of 100 faces on a plane", || {
            on_plane(hull(drum(100)), upright([0.0, 0.0, 0.1]), 1e-6)
        }),
        ("roller on a hull of 362 faces", || on_drum(hull(drum(362)))),
        ("roller on a mesh of 362 faces", || on_drum(mesh(drum(362)))),
        ("ball on 20,000 triangles", || {
            let ball = RoundedShape::sphere(0.1);
            let place = upright([0.123, 0.045, 0.05]);
            pressed(
                (mesh(waves(99, 1.0)), upright([0.0; 3])),
                ball,
                place,
                -1e-5,
            )
        }),
        ("ball over 20,000 triangles", || {
            let ball = RoundedShape::sphere(0.1);
            let place = upright([0.123, 0.045, 0.05]);
            pressed((mesh(waves(99, 1.0)), upright([0.0; 3])), ball, place, 1e-3)
        }),
        ("20,000 triangles on a plane", || {
            let below = at([0.0; 3], [1.0, 0.0, 0.0], PI);
            on_plane(mesh(waves(99, 1.0)), below, 1e-5)
        }),
        ("20,000 triangles flat on a plane", || {
            let below = at([0.0; 3], [1.0, 0.0, 0.0], PI);
            let flat = |x: f64, y: f64| 1e-5 * (9.0 * x).sin() * (7.0 * y).cos();
            on_plane(mesh(slab(99, flat)), below, 1e-4)
        }),
        ("5,000 triangles on 5,000", || {
            let below = at([0.013, 0.021, 0.04], [1.0, 0.0, 0.0], PI);
            let (one, other) = (mesh(waves(47, 1.0)), mesh(waves(47, 2.0)));
            pressed((one, upright([0.0; 3])), other, below, -1e-5)
        }),
        ("5,000 triangles over 5,000", || {
            let below = at([0.013, 0.021, 0.04], [1.0, 0.0, 0.0], PI);
            let (one, other) = (mesh(waves(47, 1.0)), mesh(waves(47, 2.0)));
            pressed((one, upright([0.0; 3])), other, below, 1e-3)
        }),
        ("cube beside an equal one", || {
            let beside = |x: f64| (mesh_cube(), upright([x, 0.0, 0.01 * x]));
            [beside(0.0), beside(0.1)]
        }),
        ("gears", gears),
        ("12,300 triangles tip on a plane", || {
            on_plane(mesh(bumpy(56)), upright([0.0; 3]), 3e-4)
        }),
        ("49,700 triangles tip on a plane", || {
            on_plane(mesh(bumpy(112)), upright([0.0; 3]), 3e-4)
        }),
        ("49,700 triangles tip on a table", || {
            let ball = mesh(bumpy(112));
            pressed(table(), ball, upright([0.0, 0.0, 0.1]), -3e-4)
        }),
        ("nut on bolt", || nut_on_bolt(1e-6)),
    ]
}

fn find(patch: &mut Patch<f64>, [one, other]: &[Solid; 2]) {
    let bodies = [(&one.0, &one.1), (&other.0, &other.1)];
    if other.0.is_ball() {
        patch.find_round(bodies, &HERTZ, 0.0);
    } else {
        patch.find(bodies, [STIFFNESS; 2], 0.0);
    }
}

#[inline(never)]
fn measured(pair: &[Solid; 2], what: &str, count: usize) {
    let mut patch = Patch::<f64>::with_room(0);
    let [one, other] = pair;
    let mut feature = Feature::None;
    for _ in 0..count {
        if what == "patch" {
            find(&mut patch, black_box(pair));
            black_box(&patch.energy);
        } else {
            feature = find_feature(&one.0, &one.1, &other.0, black_box(&other.1), &feature);
            black_box(gap(&one.0, &one.1, &other.0, &other.1, &feature));
        }
    }
}

/// Microseconds of one of many.
fn microseconds(pair: &[Solid; 2], what: &str) -> f64 {
    let seconds = |count: usize| {
        let begin = Instant::now();
        measured(pair, what, count);
        begin.elapsed().as_secs_f64() / count as f64
    };
    seconds(2);
    let count = (ROUND / seconds(10)).ceil().max(5.0) as usize;
    let all = (0..ROUNDS).map(|_| seconds(count));
    1e6 * all.fold(f64::INFINITY, f64::min)
}

fn facets(pair: &[Solid; 2]) -> usize {
    let mut patch = Patch::<f64>::with_room(0);
    find(&mut patch, pair);
    patch.nodes.facets().count()
}

fn main() {
    let arguments = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with("--"));
    let arguments: Vec<String> = arguments.collect();
    if let [name, what, count] = &arguments[..] {
        let found = cases().into_iter().find(|(case, _)| case == name);
        let (_, make) = found.expect("the name of a case");
        measured(&make(), what, count.parse().expect("a count"));
        return;
    }
    println!(
        "{:34} {:>6} {:>9} {:>9}",
        "", "facets", "patch/us", "gap/us"
    );
    for (name, make) in cases() {
        let pair = make();
        let [patch, gap] = ["patch", "gap"].map(|what| microseconds(&pair, what));
        println!("{name:34} {:6} {patch:9.2} {gap:9.2}", facets(&pair));
    }
    for n in [99, 222] {
        let (points, triangles) = waves(n, 1.0);
        let (count, begin) = (triangles.len(), Instant::now());
        let mesh = Mesh::new(points, triangles).expect("a closed surface");
        let time = 1e3 * begin.elapsed().as_secs_f64();
        let bytes = mesh.cells().bytes() / count;
        println!("mesh of {count} triangles: {time:.0} ms, {bytes} bytes each");
    }
}
