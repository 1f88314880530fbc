//! Threads share the islands of a window; the bits are those of one thread.

use crate::fixtures::*;
use crate::islands::comparing::*;
use crate::islands::mechanisms::net;
use crate::running::DividedRun;

const TOLERANCE: f64 = 1e-8;
/// Numbers of threads that must give the bits of one.
const THREADS: [usize; 3] = [2, 4, 16];

/// A hundred balls on a plate, of which most bounce alone, some meet, and one row is run into.
fn bouncing() -> SceneDescription {
    let mut bodies = vec![plate_of(10.0)];
    for row in 0..10 {
        for place in 0..10 {
            let index = 10 * row + place;
            let height = 0.1 + 0.002 * f64::from(index % 7);
            let at = [
                0.4 * f64::from(row) - 2.0,
                0.4 * f64::from(place) - 2.0,
                height,
            ];
            let velocity = [0.0, if place == 0 { 3.0 } else { 0.0 }, 0.0];
            bodies.push(moving(&format!("b{index}"), at, velocity));
        }
    }
    let mut description = scene(bodies, Some(FrictionKind::Regularized));
    let of = |body: String| ShapeName { body, shape: None };
    let pairs = (0..30).map(|index| ["plate".into(), format!("b{index}")].map(of));
    description.report = Report::Pairs(pairs.collect());
    description
}

/// Sixteen chains side by side, always stepped, and a ball that flies into them.
fn wide_net() -> SceneDescription {
    let mut description = net(JointKind::Universal, 16);
    description.bodies.push(ball("far", [3.0, 0.0, 0.0]));
    description
}

/// Bits of the states at each communication point; changes, loads and ledger at the end.
struct Rows {
    states: Vec<Vec<u64>>,
    rest: [String; 3],
}

/// Steps with so many threads.
fn rows(run: &mut DividedRun, threads: usize, end: f64, step: f64) -> Rows {
    run.threads = threads;
    let mut states = Vec::new();
    let start = run.time;
    let count = ((end - start) / step).round() as u32;
    for index in 0..count {
        run.to(start + f64::from(index + 1) * step, step);
        states.push(run.states.iter().map(|x| x.to_bits()).collect());
    }
    let rest = [
        format!("{:?}", run.changes),
        format!("{:?}", run.loads),
        format!("{:?}", run.system.ledger()),
    ];
    Rows { states, rest }
}

fn resumed(description: &SceneDescription, from: &DividedRun) -> DividedRun {
    let bytes = postcard::to_stdvec(&(&from.memories, &from.memory)).expect("bytes");
    let mut run = DividedRun::new(description.clone(), TOLERANCE);
    (run.memories, run.memory) = postcard::from_bytes(&bytes).expect("what was written");
    run.system.set_ledger(from.system.ledger());
    (run.time, run.states) = (from.time, from.states.clone());
    run.changes.clone_from(&from.changes);
    run.loads.clone_from(&from.loads);
    run
}

#[test]
#[ignore = "long: six numbers of threads"]
fn any_number_of_threads_gives_the_bits_of_one() {
    for (name, description, end, step) in [
        ("bouncing", bouncing(), 0.2, 0.01),
        ("net", wide_net(), 0.1, 0.01),
    ] {
        let mut one = DividedRun::new(description.clone(), TOLERANCE);
        let expected = rows(&mut one, 1, end, step);
        assert!(one.changes.len() > 4, "{name}");
        for threads in THREADS {
            let mut other = DividedRun::new(description.clone(), TOLERANCE);
            let found = rows(&mut other, threads, end, step);
            assert!(found.states == expected.states, "{name}, {threads} threads");
            for (one, other) in found.rest.iter().zip(&expected.rest) {
                assert!(one == other, "{name}, {threads} threads");
            }
            assert_eq!(one.memory.statistics(), other.memory.statistics());
        }
    }
}

/// Saved in the middle of impacts by a run of two threads, resumed with sixteen.
#[test]
fn a_run_resumed_with_other_threads_is_equal_to_the_bit() {
    let (description, end, step) = (bouncing(), 80.0 / 512.0, 1.0 / 512.0);
    let mut one = DividedRun::new(description.clone(), TOLERANCE);
    let expected = rows(&mut one, 1, end, step);
    let mut first = DividedRun::new(description.clone(), TOLERANCE);
    rows(&mut first, 2, 40.0 / 512.0, step);
    assert!(first.system.ledger().contacts().len() > 3);
    for threads in [1, 16] {
        let mut second = resumed(&description, &first);
        let found = rows(&mut second, threads, end, step);
        assert!(
            expected.states.ends_with(&found.states),
            "{threads} threads"
        );
        for (one, other) in found.rest.iter().zip(&expected.rest) {
            assert_eq!(one, other, "{threads} threads");
        }
    }
}
