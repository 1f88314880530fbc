//! What the FMI border and the generality of the model cost, against a C mock of one scene.
//!
//! The scene: one free ball (13 states) and one fixed tilted box, with damping, friction and
//! rolling resistance, in flight and in contact with slip and spin. An evaluation is set states +
//! get derivatives + get indicators, through pointers from dlsym, at a state never seen before.
//! `mock.c` computes the same formulas for this scene alone, without any check. Both answer the
//! same numbers: [`compare`] sees to it before anything is timed.
//!
//! Samples of the two are interleaved, so that both meet the same machine. The goals: an
//! evaluation costs at most 1.2 times the mock's; instantiate and free at most 10 us.
//!
//! Arguments: none under `cargo test`, which compares only; `profile fmu|mock flight|contact`
//! evaluates a fixed number of times without a clock, for callgrind and perf.
#![allow(unsafe_code)]

mod calls;
mod fmu;
mod mock;

use calls::{Calls, STATES};
use contact_geometry::math::Vec3;
use contact_model::dynamics::System;
use contact_model::hybrid::HybridSystem;
use contact_model::scene::{Parameters, Scene, SceneDescription};
use fmu::Fmu;
use mock::Mock;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

/// Samples of each quantity; the median counts. A sample is far shorter than the slice of time that
/// a busy machine gives to a program, so that most samples run without a break.
const SAMPLES: usize = 1001;
/// Different states that are evaluated in turn.
const VARIANTS: usize = 64;
/// Rounds through these states in a sample.
const ROUNDS: usize = 20;
/// Instances in a sample.
const INSTANCES: usize = 20;
/// Rounds of `profile`.
const PROFILED: usize = 100_000;
/// Largest difference of the two, relative to the size of the vector [1]: rounding.
const AGREEMENT: f64 = 1e-12;
/// The cases with their gaps [m].
const CASES: [(&str, f64); 2] = [("flight", 0.05), ("contact", -1e-5)];

/// The scene with the ball at a gap [m] over the upper face of the plate.
fn scene(gap: f64) -> SceneDescription {
    let text = include_str!("scene.toml");
    let mut description = match fmu_build::scene_file::parse(text, "scene.toml") {
        Ok(loaded) => loaded.description,
        Err(problems) => panic!("{problems}"),
    };
    let scene = Scene::new(description.clone()).expect("a valid scene");
    let plate = scene.start_pose(0.into());
    let above = Vec3::new(0.2, -0.1, 0.05 + 0.1 + gap);
    let ball = &mut description.bodies[1];
    ball.position = (plate.position + plate.rotation * above).into();
    ball.orientation = [0.5, -0.5, 0.1, 0.7];
    ball.velocity = [0.3, 0.2, -0.1];
    ball.angular_velocity = [1.0, 2.0, 3.0];
    description
}

/// Mock and FMU with the same scene in the same discrete state.
struct Case {
    fmu_calls: Calls,
    mock_calls: Calls,
    states: [f64; STATES],
    fmu: Fmu,
    _mock: Mock,
    _folder: tempfile::TempDir,
}

impl Case {
    fn new(gap: f64) -> Self {
        let description = scene(gap);
        let folder = tempfile::tempdir().expect("a temporary folder");
        let scene = Arc::new(Scene::new(description.clone()).expect("a valid scene"));
        let start = Parameters::start(&scene);
        let mut system = System::new(Arc::clone(&scene), &start).expect("valid parameters");
        let mut states = scene.start_states();
        system
            .update_event(0.0, &mut states)
            .expect("an event update");
        assert_eq!(system.ledger().contacts().len(), usize::from(gap < 0.0));
        let parameters = mock::Parameters::of(&system).expect("the scene of the mock");
        let mut mock = Mock::new(folder.path(), &parameters);
        let fmu = Fmu::new(folder.path(), &description);
        Case {
            fmu_calls: fmu.start(fmu.instantiate()),
            mock_calls: mock.calls(),
            states: states.try_into().expect("one free body"),
            fmu,
            _mock: mock,
            _folder: folder,
        }
    }
}

/// Numbers in -1..1 that look random.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// Refuses a mock that computes something else: many states around the start, in every region
/// of the box, inside and outside, slow and fast. Answers the largest relative difference.
fn compare(case: &Case) -> f64 {
    let mut numbers = Numbers(7);
    let (mut fmu, mut mock) = ([0.0; STATES], [0.0; STATES]);
    let mut worst = 0.0_f64;
    for i in 0..10_000 {
        let reach = [1e-4, 1e-2, 1.0][i % 3];
        let states = case.states.map(|x| x + reach * numbers.next());
        let z = [
            case.fmu_calls.evaluate(&states, &mut fmu),
            case.mock_calls.evaluate(&states, &mut mock),
        ];
        let mut differ = |what: &str, fmu: &[f64], mock: &[f64], least: f64| {
            let size = mock.iter().fold(least, |size, v| size.max(v.abs()));
            for (a, b) in fmu.iter().zip(mock) {
                let difference = (a - b).abs() / size;
                assert!(
                    difference <= AGREEMENT,
                    "{what}: FMU {fmu:?}, mock {mock:?} at {states:?}"
                );
                worst = worst.max(difference);
            }
        };
        for part in [0..3, 3..7, 7..10, 10..13] {
            differ("derivatives", &fmu[part.clone()], &mock[part], 1.0);
        }
        // A gap is the difference of lengths of this size [m].
        differ("indicator", &z[..1], &z[1..], 0.1);
    }
    worst
}

/// States close to each other in turn, so that no answer is that of the call before. They are made
/// beforehand: a state written just before a call would add a wait for memory to both.
fn states_in_turn(case: &Case) -> Vec<[f64; STATES]> {
    (0..VARIANTS)
        .map(|i| case.states.map(|x| x + 1e-12 * i as f64))
        .collect()
}

fn evaluate(calls: &Calls, states: &[[f64; STATES]], rounds: usize) {
    let mut rates = [0.0; STATES];
    for _ in 0..rounds {
        for states in states {
            black_box(calls.evaluate(black_box(states), &mut rates));
            black_box(&rates);
        }
    }
}

fn median(samples: &mut [f64]) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

fn seconds(action: impl FnOnce()) -> f64 {
    let start = Instant::now();
    action();
    start.elapsed().as_secs_f64()
}

fn measure(name: &str, case: &Case) {
    let states = states_in_turn(case);
    let evaluations = (VARIANTS * ROUNDS) as f64;
    let (mut mock, mut fmu, mut ratio) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..SAMPLES {
        let sample = [case.mock_calls, case.fmu_calls]
            .map(|calls| seconds(|| evaluate(&calls, &states, ROUNDS)));
        mock.push(sample[0]);
        fmu.push(sample[1]);
        ratio.push(sample[1] / sample[0]);
    }
    println!(
        "{name:<12} mock {:7.1} ns   FMU {:7.1} ns   ratio {:.3}",
        median(&mut mock) * 1e9 / evaluations,
        median(&mut fmu) * 1e9 / evaluations,
        median(&mut ratio),
    );
}

fn measure_instantiation(case: &Case) {
    let mut times = Vec::new();
    for _ in 0..SAMPLES {
        times.push(seconds(|| {
            for _ in 0..INSTANCES {
                case.fmu.free(black_box(case.fmu.instantiate()));
            }
        }));
    }
    println!(
        "instantiate and free {:.2} us",
        median(&mut times) * 1e6 / INSTANCES as f64
    );
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if let ["profile", who, name, ..] = words[..] {
        let (_, gap) = CASES
            .iter()
            .find(|case| case.0 == name)
            .expect("flight or contact");
        let case = Case::new(*gap);
        let calls = if who == "fmu" {
            case.fmu_calls
        } else {
            case.mock_calls
        };
        evaluate(&calls, &states_in_turn(&case), PROFILED);
        return;
    }
    for (name, gap) in CASES {
        let case = Case::new(gap);
        println!("{name:<12} FMU and mock agree to {:.1e}", compare(&case));
        // Cargo passes this to a benchmark, and nothing to a test.
        if words.contains(&"--bench") {
            measure(name, &case);
            if gap > 0.0 {
                measure_instantiation(&case);
            }
        }
    }
}
