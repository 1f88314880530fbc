//! One case of evaluations or events repeated, for tools that count instructions:
//! `valgrind --tool=callgrind --toggle-collect='*measured*' target/release/deps/instructions-* CASE COUNT`,
//! compiled with `CARGO_PROFILE_BENCH_STRIP=none`.
//! Without arguments, as `cargo bench` calls it, each case runs a few times and its time is printed.

#[path = "../tests/fixtures/mod.rs"]
mod fixtures;

use contact_model::dynamics::System;
use contact_model::hybrid::HybridSystem;
use contact_model::scene::{Parameters, Scene, SceneDescription};
use fixtures::{ball, chain, plate_of, steel_scene};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

/// Case, and evaluations where none are asked for.
const CASES: [(&str, usize); 10] = [
    ("flight", 100_000),
    ("contact", 100_000),
    ("two_balls", 100_000),
    ("pile_100", 1_000),
    ("pile_1000", 100),
    ("alone_100", 1_000),
    ("alone_1000", 100),
    ("chain_50", 1_000),
    ("event_100", 100),
    ("event_1000", 10),
];

/// Spheres of 0.2 m on a steel box, `pitch` apart, in layers of `side` by `side`; all overlap their
/// neighbours where the pitch is below their diameter.
fn spheres(count: usize, side: usize, pitch: f64, height: f64) -> SceneDescription {
    let mut bodies = vec![plate_of(40.0)];
    for i in 0..count {
        let (layer, place) = (i / (side * side), i % (side * side));
        let position = [
            pitch * (place % side) as f64,
            pitch * (place / side) as f64,
            height + pitch * layer as f64,
        ];
        let mut sphere = ball(&format!("ball_{i}"), position);
        sphere.velocity = [0.3, 0.2, -0.1];
        sphere.angular_velocity = [1.0, 2.0, 3.0];
        bodies.push(sphere);
    }
    let mut scene = steel_scene(bodies);
    scene.contact.nz_max = Some(8 * count as u32 + 8);
    scene
}

fn scene_of(case: &str) -> SceneDescription {
    let touching = 0.1 - 1e-5;
    match case {
        "flight" => spheres(1, 1, 0.2, 0.15),
        "contact" => spheres(1, 1, 0.2, touching),
        "two_balls" => spheres(2, 2, 0.2 - 1e-5, 5.0),
        "pile_100" | "event_100" => spheres(100, 5, 0.2 - 1e-5, touching),
        "pile_1000" | "event_1000" => spheres(1000, 10, 0.2 - 1e-5, touching),
        "alone_100" => spheres(100, 10, 0.3, touching),
        "alone_1000" => spheres(1000, 32, 0.3, touching),
        "chain_50" => chain(50),
        other => panic!("unknown case {other:?}"),
    }
}

#[inline(never)]
fn measured_evaluations(system: &mut System, x: &mut [f64], rates: &mut [f64], count: usize) {
    let mut z = vec![0.0; system.indicator_count()];
    for _ in 0..count {
        // Never the same state twice, so that nothing is answered from memory.
        x[0] += 1e-15;
        system
            .derivatives(0.0, black_box(x), rates)
            .expect("derivatives");
        system
            .indicators(0.0, black_box(x), &mut z)
            .expect("indicators");
        black_box((&rates, &z));
    }
}

/// The last sphere leaves and comes back, again and again.
#[inline(never)]
fn measured_events(system: &mut System, x: &mut [f64], count: usize) {
    let last = x.len() - 13 + 2;
    let height = x[last];
    for event in 0..count {
        x[last] = height + [1e-4, 0.0][event % 2];
        black_box(system.update_event(0.0, x).expect("an event update"));
    }
}

fn run(case: &str, count: usize) {
    let scene = Arc::new(Scene::new(scene_of(case)).expect("a valid scene"));
    let mut system =
        System::new(Arc::clone(&scene), &Parameters::start(&scene)).expect("valid parameters");
    let mut x = scene.start_states();
    system.update_event(0.0, &mut x).expect("an event update");
    let mut rates = vec![0.0; x.len()];
    let contacts = system.ledger().contacts().len();
    let begin = Instant::now();
    if case.starts_with("event") {
        measured_events(&mut system, &mut x, count);
    } else {
        measured_evaluations(&mut system, &mut x, &mut rates, count);
    }
    let each = begin.elapsed().as_secs_f64() / count as f64;
    println!("{case}: {contacts} contacts, {:.3} us each", each * 1e6);
}

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with("--"))
        .collect();
    match arguments.as_slice() {
        [case, count] => run(case, count.parse().expect("a count")),
        _ => CASES.iter().for_each(|(case, count)| run(case, *count)),
    }
}
