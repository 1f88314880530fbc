//! Finding the nearest pairs against evaluating the equations: 1000 balls moving on a ground of
//! 10,082 flat prisms, 10.6 million candidate pairs, 12,000 event indicators.
//!
//! The balls fall 20 mm onto the hills, bounce and roll, integrated as Co-Simulation does it. Time is
//! taken around every call of the system. Of a step the evaluation is its derivative and indicator
//! calls, those of repeated steps and of the search for events included; pair finding is
//! `Detection::watch_nearest`, measured apart with work arrays of its own at the states of the
//! completed steps. Hints for the searches of the narrow phase, which a completed step also makes
//! new, are listed by themselves. Events count neither way.

#[path = "../tests/fixtures/mod.rs"]
mod fixtures;

use contact_model::contact::{Detection, Ledger, Placement};
use contact_model::dynamics::{Model, System, Workspace, pipeline, pressing};
use contact_model::hybrid::{EvaluationError, EventOutcome, HybridSystem};
use contact_model::integrator::{Integrator, LegEnd, Memory, Settings};
use contact_model::scene::{Parameters, Scene, UserFunctions};
use fixtures::{ball, steel_scene, terrain};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Balls along one side of their square; the last rows are not full.
const SIDE: usize = 32;
const BALLS: usize = 1000;
/// Squares along one side of the ground, two prisms each.
const SQUARES: usize = 71;
/// Completed steps at least.
const STEPS: u32 = 200;
/// Simulated time at most [s].
const END: f64 = 0.3;

/// Calls and their time.
#[derive(Clone, Copy, Default)]
struct Calls {
    count: u32,
    time: Duration,
}

impl Calls {
    fn around<T>(&mut self, call: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = call();
        self.count += 1;
        self.time += start.elapsed();
        result
    }

    fn line(&self, name: &str) {
        let each = self.time.as_secs_f64() * 1e6 / f64::from(self.count.max(1));
        println!(
            "{name:<28}{:>8} calls {:>10.1} us each {:>8.3} s",
            self.count,
            each,
            self.time.as_secs_f64()
        );
    }
}

/// A system with its calls timed.
struct Timed {
    system: System,
    model: Model,
    work: Workspace<f64>,
    detection: Detection,
    derivatives: Calls,
    indicators: Calls,
    completed_steps: Calls,
    pair_finding: Calls,
    events: Calls,
}

impl Timed {
    /// Finds the nearest pairs from the ledger of the system. Answers what the completed step does,
    /// and the ledger.
    fn find_pairs(&mut self, x: &[f64]) -> (bool, Ledger) {
        pipeline::place(&self.model, &self.model.links.indices, &mut self.work, x);
        let placement = Placement {
            scene: &self.model.scene,
            frames: &self.work.frames,
            shape_frames: &self.model.frames.of_shapes,
        };
        let mut ledger = self.system.ledger().clone();
        let detection = &mut self.detection;
        let asked = self
            .pair_finding
            .around(|| detection.watch_nearest(&placement, &mut ledger));
        (asked, ledger)
    }
}

impl HybridSystem for Timed {
    fn state_count(&self) -> usize {
        self.system.state_count()
    }

    fn indicator_count(&self) -> usize {
        self.system.indicator_count()
    }

    fn nominals(&self, nominals: &mut [f64]) {
        self.system.nominals(nominals);
    }

    fn derivatives(&mut self, t: f64, x: &[f64], rates: &mut [f64]) -> Result<(), EvaluationError> {
        let system = &mut self.system;
        self.derivatives.around(|| system.derivatives(t, x, rates))
    }

    fn indicators(&mut self, t: f64, x: &[f64], z: &mut [f64]) -> Result<(), EvaluationError> {
        let system = &mut self.system;
        self.indicators.around(|| system.indicators(t, x, z))
    }

    fn completed_step(&mut self, t: f64, x: &[f64]) -> Result<bool, EvaluationError> {
        let (asked, ledger) = self.find_pairs(x);
        let system = &mut self.system;
        let answer = self
            .completed_steps
            .around(|| system.completed_step(t, x))?;
        assert_eq!(asked, answer);
        assert_eq!(ledger.slots(), self.system.ledger().slots());
        Ok(answer)
    }

    fn update_event(&mut self, t: f64, x: &mut [f64]) -> Result<EventOutcome, EvaluationError> {
        let system = &mut self.system;
        self.events.around(|| system.update_event(t, x))
    }

    fn jacobian(&mut self, t: f64, x: &[f64], jacobian: &mut [f64]) -> Result<(), EvaluationError> {
        self.system.jacobian(t, x, jacobian)
    }
}

fn main() {
    let start = Instant::now();
    let mut bodies = vec![terrain("ground", SQUARES, 0.5)];
    // Over a point of the ground: a height that every ball falls from by about 20 mm.
    let height = |x: f64, y: f64| 0.15 * ((1.4 * x).sin() + (1.8 * y + 0.4 * x).cos());
    for i in 0..BALLS {
        let (x, y) = (
            0.7 + 1.08 * (i % SIDE) as f64,
            0.7 + 1.08 * (i / SIDE) as f64,
        );
        let mut one = ball(&format!("ball_{i}"), [x, y, height(x, y) + 0.14]);
        one.velocity = [(i as f64).sin(), (2.0 * i as f64).cos(), 0.0];
        bodies.push(one);
    }
    let description = steel_scene(bodies);
    println!("description {:.3} s", start.elapsed().as_secs_f64());
    let start = Instant::now();
    let scene = Arc::new(Scene::new(description).expect("a valid scene"));
    println!(
        "scene {:.3} s: {} pairs, {} indicators",
        start.elapsed().as_secs_f64(),
        scene.pairs().len(),
        scene.indicator_count()
    );
    let start = Instant::now();
    let parameters = Parameters::start(&scene);
    let system = System::new(Arc::clone(&scene), &parameters).expect("good parameters");
    println!("binding {:.3} s", start.elapsed().as_secs_f64());
    let start = Instant::now();
    let tolerance = system.suggested_tolerance();
    println!(
        "suggested tolerance {:.3} s: {tolerance}",
        start.elapsed().as_secs_f64()
    );
    let model = pressing::bind(&scene, &parameters, &UserFunctions::not_loaded(&scene))
        .expect("good parameters");
    let mut timed = Timed {
        work: Workspace::new(&model),
        model,
        system,
        detection: Detection::default(),
        derivatives: Calls::default(),
        indicators: Calls::default(),
        completed_steps: Calls::default(),
        pair_finding: Calls::default(),
        events: Calls::default(),
    };
    let mut x = scene.start_states();
    timed.update_event(0.0, &mut x).expect("an event update");
    timed.events.line("first event update");
    timed.events = Calls::default();
    timed.find_pairs(&x);
    timed.pair_finding.line("first list of pairs");
    timed.pair_finding = Calls::default();
    let settings = Settings::new(1e-5).expect("a good tolerance");
    let mut integrator = Integrator::new(x.len(), timed.indicator_count(), settings);
    let (mut memory, mut t) = (Memory::default(), 0.0);
    while t < END {
        let stop = integrator
            .advance(&mut timed, &mut memory, &mut t, &mut x, END, None)
            .expect("no failure");
        if !matches!(stop, LegEnd::End) {
            timed.update_event(t, &mut x).expect("an event update");
            memory.restart();
        }
        if timed.completed_steps.count >= STEPS {
            break;
        }
    }
    println!(
        "to {t:.4} s; {} contacts; {:?}",
        timed.system.ledger().contacts().len(),
        timed.detection.work()
    );
    timed.derivatives.line("derivatives");
    timed.indicators.line("indicators");
    timed.pair_finding.line("pair finding");
    timed.completed_steps.line("completed steps, with hints");
    timed.events.line("events");
    let evaluation = timed.derivatives.time + timed.indicators.time;
    println!(
        "pair finding / evaluation = {:.1} %",
        100.0 * timed.pair_finding.time.as_secs_f64() / evaluation.as_secs_f64()
    );
}
