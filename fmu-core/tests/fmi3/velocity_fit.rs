//! The warning about velocity inputs of driven bodies that do not fit their poses.

use crate::fmi3::importer::*;
use crate::fmi3::inputs::{hammer, references};

const STEP: f64 = 0.01;
const STEPS: u32 = 100;

/// The ball 0.6 m up, swinging with 0.05 m along x and 0.5 rad about z at 8 rad/s: position,
/// quaternion, velocity, angular velocity. The velocities are multiplied by two factors.
struct Hammer {
    references: [Vec<u32>; 4],
    factors: [f64; 2],
}

impl Hammer {
    fn new(fmu: &Fmu, factors: [f64; 2]) -> Self {
        let names = ["position", "orientation", "velocity", "angular_velocity"];
        Hammer {
            references: names.map(|name| references(fmu, &format!("hammer.{name}"))),
            factors,
        }
    }

    fn set(&self, importer: &Importer, time: f64) {
        let (s, c) = (8.0 * time).sin_cos();
        let [v, w] = [0.05, 0.5].map(|amplitude| amplitude * 8.0 * c);
        let (sine, cosine) = (0.25 * s).sin_cos();
        let values: [&[f64]; 4] = [
            &[0.05 * s, 0.0, 0.6],
            &[cosine, 0.0, 0.0, sine],
            &[v * self.factors[0], 0.0, 0.0],
            &[0.0, 0.0, w * self.factors[1]],
        ];
        for (references, values) in self.references.iter().zip(values) {
            importer.fine(importer.set(references, values));
        }
    }
}

fn told(importer: &Importer) -> Vec<String> {
    let log = importer.log().into_iter();
    let warnings = log.filter(|(status, ..)| *status == fmi3Warning);
    warnings
        .map(|(_, category, text)| {
            assert_eq!(category, "contacts");
            text
        })
        .collect()
}

fn co_simulation(factors: [f64; 2]) -> Vec<String> {
    let fmu = Fmu::new(hammer());
    let inputs = Hammer::new(&fmu, factors);
    let importer = fmu.stepping();
    for step in 0..STEPS {
        let time = f64::from(step) * STEP;
        inputs.set(&importer, time);
        importer.whole_step(time, STEP);
    }
    told(&importer)
}

/// When an importer sets the inputs.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Order {
    /// Those of the present time before it tells that a step is complete.
    Before,
    /// Those of the present time after that, as solvers that hold inputs over a step do.
    After,
    /// Those of the step before.
    Late,
}

fn model_exchange(factors: [f64; 2], order: Order) -> Vec<String> {
    let fmu = Fmu::new(hammer());
    let inputs = Hammer::new(&fmu, factors);
    let importer = fmu.integrating();
    let mut before = 0.0;
    for step in 0..STEPS {
        // Steps of 8 to 12 ms.
        let time = f64::from(step) * STEP + 0.002 * (f64::from(step) * 0.5).sin();
        importer.fine(importer.set_time(time));
        match order {
            Order::Before => inputs.set(&importer, time),
            Order::After => {}
            Order::Late => inputs.set(&importer, before),
        }
        assert!(!importer.completed_step());
        if order == Order::After {
            inputs.set(&importer, time);
        }
        before = time;
    }
    told(&importer)
}

#[test]
fn velocities_that_fit_are_not_told_whenever_inputs_are_set() {
    assert_eq!(co_simulation([1.0; 2]), [""; 0]);
    for order in [Order::Before, Order::After, Order::Late] {
        assert_eq!(model_exchange([1.0; 2], order), [""; 0], "{order:?}");
    }
}

/// Once each, by name, with the wrong one of the two velocities.
#[test]
fn velocities_that_do_not_fit_are_told_once_for_each_body() {
    for (factors, what) in [
        ([0.0, 1.0], "velocity"),
        ([-1.0, 1.0], "velocity"),
        ([1.0, 0.0], "angular_velocity"),
        ([1.0, -1.0], "angular_velocity"),
    ] {
        let mut runs = vec![co_simulation(factors)];
        for order in [Order::Before, Order::After, Order::Late] {
            runs.push(model_exchange(factors, order));
        }
        for run in runs {
            let [text] = &run[..] else {
                panic!("{factors:?}: {run:?}");
            };
            assert!(text.starts_with("inputs do not fit: t=0."), "{text}");
            let advice = format!("follow hammer.{what}: set it to the derivative of ");
            assert!(
                text.contains(" body=hammer ") && text.contains(&advice),
                "{text}"
            );
        }
    }
}

/// The hammer flies at 0.3 m/s along x and says that it rests. A stretch ends with the first sample
/// that is 1 % of the size on, which for a ball is at most sqrt(3) times its radius; five are told
/// when the next sample comes.
#[test]
fn the_warning_has_both_velocities_in_it() {
    let fmu = Fmu::new(hammer());
    let position = references(&fmu, "hammer.position");
    let importer = fmu.stepping();
    for step in 0..10 {
        let time = f64::from(step) * STEP;
        let values = [0.3 * time, 0.0, 0.6];
        // 3 mm each: a stretch of its own.
        importer.fine(importer.set(&position, &values));
        importer.whole_step(time, STEP);
    }
    let told = told(&importer);
    let [text] = &told[..] else {
        panic!("{told:?}");
    };
    let start = "inputs do not fit: t=0.05 body=hammer from=0.04 position changes by [";
    let speed = text
        .strip_prefix(start)
        .and_then(|rest| rest.split(',').next());
    let speed: f64 = speed.and_then(|speed| speed.parse().ok()).expect(text);
    assert!((speed - 0.3).abs() < 1e-14, "{text}");
    assert!(
        text.contains(" m/s, velocity says [0.0, 0.0, 0.0]; "),
        "{text}"
    );
}

#[test]
fn a_restored_run_tells_what_the_first_one_told() {
    let fmu = Fmu::new(hammer());
    let inputs = Hammer::new(&fmu, [0.0, 1.0]);
    let importer = fmu.stepping();
    let run = |steps: std::ops::Range<u32>| {
        for step in steps {
            let time = f64::from(step) * STEP;
            inputs.set(&importer, time);
            importer.whole_step(time, STEP);
        }
        told(&importer)
    };
    assert_eq!(run(0..4), [""; 0]);
    let saved = importer.state();
    let first = run(4..20);
    assert_eq!(first.len(), 1);
    importer.fine(importer.set_state(saved));
    assert_eq!(run(4..20), first);
    importer.free_state(saved);
}

/// At an event the body is put elsewhere; its velocities are those that it has there.
#[test]
fn a_body_put_elsewhere_at_an_event_is_not_told() {
    let fmu = Fmu::new(hammer());
    let inputs = Hammer::new(&fmu, [1.0; 2]);
    let importer = fmu.integrating();
    for step in 0..STEPS {
        let time = f64::from(step) * STEP;
        let at = |jumps: u32| time + 0.3 * f64::from(jumps);
        importer.fine(importer.set_time(time));
        inputs.set(&importer, at(step / 3));
        importer.completed_step();
        if step % 3 == 2 {
            importer.ok(fmi3EnterEventMode);
            inputs.set(&importer, at(step / 3 + 1));
            importer.update();
            importer.ok(fmi3EnterContinuousTimeMode);
        }
    }
    assert_eq!(told(&importer), [""; 0]);
}
