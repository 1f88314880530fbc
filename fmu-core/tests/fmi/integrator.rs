//! The integrator of Co-Simulation as an importer sees it: formula and longest step as parameters,
//! its work as outputs.

use super::importer::*;
use crate::fixtures::*;

in_each_version!(
    the_formula_that_was_set_runs_and_the_statistics_tell_it,
    a_run_saved_and_restored_amid_implicit_steps_tells_the_same_to_the_bit,
    a_reset_restores_formula_and_longest_step_and_begins_to_count_anew,
    no_step_is_longer_than_the_longest_one_allowed,
    tunable_parameters_change_formula_and_longest_step_between_communication_steps,
    fixed_parameters_of_the_integrator_are_set_before_initialisation_ends,
    wrong_values_are_refused_with_what_is_allowed,
);

pub const AUTO: i32 = 1;
pub const EXPLICIT: i32 = 2;
pub const IMPLICIT: i32 = 3;

/// A ball of steel that falls 1 mm onto a plate of steel, with statistics.
pub fn resting_ball() -> SceneDescription {
    let mut description = steel_scene(vec![plate(), ball("ball", [0.0, 0.0, 0.101])]);
    description.experiment.statistics = true;
    description.experiment.stop_time = 10.0;
    description
}

/// The statistics of an instance.
#[derive(Debug, PartialEq)]
pub struct Work {
    pub counts: [i64; 5],
    last_step: u64,
    implicit: bool,
}

impl Work {
    pub fn of<V: Version>(fmu: &Fmu, importer: &Importer<V>) -> Work {
        let named = |name: &str| V::reference(fmu, &format!("experiment.statistics.{name}"));
        let counts = [
            "steps",
            "rejected_steps",
            "evaluations",
            "directions",
            "events",
        ];
        Work {
            counts: counts.map(|name| importer.count(named(name))),
            last_step: importer.value(named("last_step")).to_bits(),
            implicit: importer.boolean(named("implicit")),
        }
    }

    pub fn last_step(&self) -> f64 {
        f64::from_bits(self.last_step)
    }

    pub fn nothing() -> Work {
        Work {
            counts: [0; 5],
            last_step: 0,
            implicit: false,
        }
    }
}

/// An instance with a formula and a longest step, initialized.
pub fn started<V: Version>(fmu: &Fmu, solver: i32, max_step: f64) -> Importer<V> {
    let importer = V::co_simulation(fmu);
    importer.enter_initialization();
    set_up(fmu, &importer, solver, max_step);
    importer.ok(V::EXIT_INITIALIZATION);
    importer.log();
    importer
}

pub fn set_up<V: Version>(fmu: &Fmu, importer: &Importer<V>, solver: i32, max_step: f64) {
    let status = importer.set_int32(V::reference(fmu, "experiment.solver"), solver);
    assert_eq!(status, V::OK, "{:?}", importer.log());
    let status = importer.set(&[V::reference(fmu, "experiment.max_step")], &[max_step]);
    assert_eq!(status, V::OK, "{:?}", importer.log());
}

/// Communication steps of 1/64 s from `from` on.
pub fn run<V: Version>(importer: &Importer<V>, from: u32, count: u32) {
    importer.steps(1.0 / 64.0, from, count);
}

fn the_formula_that_was_set_runs_and_the_statistics_tell_it<V: Version>() {
    let fmu = Fmu::new(resting_ball());
    for solver in [AUTO, EXPLICIT, IMPLICIT] {
        let importer = started::<V>(&fmu, solver, 0.0);
        let found = importer.int32(V::reference(&fmu, "experiment.solver"));
        assert_eq!(found, solver);
        assert_eq!(Work::of(&fmu, &importer), Work::nothing());
        run(&importer, 0, 1);
        // Free flight asks for nothing but the explicit formula.
        let flying = Work::of(&fmu, &importer);
        assert_eq!(flying.implicit, solver == IMPLICIT, "{flying:?}");
        assert_eq!(flying.counts[3] > 0, solver == IMPLICIT, "{flying:?}");
        // At rest, after 3 s, stability limits it.
        run(&importer, 1, 200);
        let resting = Work::of(&fmu, &importer);
        assert_eq!(resting.implicit, solver != EXPLICIT, "{resting:?}");
        assert_eq!(resting.counts[3] > 0, solver != EXPLICIT, "{resting:?}");
        assert!(resting.counts[0] > 200 && resting.last_step() <= 1.0 / 64.0);
        // It fell and bounced: an event each time it touched.
        assert!(resting.counts[4] > 4, "{resting:?}");
        assert!(
            resting
                .counts
                .iter()
                .zip(flying.counts)
                .all(|(new, old)| *new >= old)
        );
        // The log says the same.
        importer.ok(V::TERMINATE);
        let [steps, rejected, evaluations, directions, events] = resting.counts;
        let log = importer.logged("integrator").remove(0);
        let start = format!(
            "integrator: steps={steps} rejected={rejected} derivative_calls={evaluations} \
             direction_calls={directions} indicator_calls="
        );
        assert!(log.starts_with(&start), "{log} {start}");
        assert!(log.ends_with(&format!("events={events}")), "{log}");
    }
}

fn a_run_saved_and_restored_amid_implicit_steps_tells_the_same_to_the_bit<V: Version>() {
    let fmu = Fmu::new(resting_ball());
    for solver in [AUTO, IMPLICIT] {
        let importer = started::<V>(&fmu, solver, 0.01);
        run(&importer, 0, 200);
        let (saved, before) = (importer.state(), Work::of(&fmu, &importer));
        assert!(before.implicit);
        let bytes = importer.serialize(saved);
        run(&importer, 200, 50);
        let expected = (Work::of(&fmu, &importer), importer.state_variables());
        assert_ne!(expected.0, before);

        importer.set_state(saved);
        assert_eq!(Work::of(&fmu, &importer), before);
        run(&importer, 200, 50);
        let again = (Work::of(&fmu, &importer), importer.state_variables());
        assert_eq!(again, expected);

        // In another instance, which has other parameters until then.
        let other = started::<V>(&fmu, EXPLICIT, 1e-3);
        let state = other.deserialize(&bytes).unwrap();
        assert_eq!(other.set_state(state), V::OK);
        assert_eq!(Work::of(&fmu, &other), before);
        assert_eq!(other.int32(V::reference(&fmu, "experiment.solver")), solver);
        assert_eq!(other.value(V::reference(&fmu, "experiment.max_step")), 0.01);
        run(&other, 200, 50);
        let elsewhere = (Work::of(&fmu, &other), other.state_variables());
        assert_eq!(elsewhere, expected);
        other.free_state(state);
        importer.free_state(saved);
    }
}

fn a_reset_restores_formula_and_longest_step_and_begins_to_count_anew<V: Version>() {
    let fmu = Fmu::new(resting_ball());
    let fresh = V::stepping(&fmu);
    run(&fresh, 0, 100);
    let importer = started::<V>(&fmu, IMPLICIT, 1e-3);
    run(&importer, 0, 20);
    assert_ne!(Work::of(&fmu, &importer), Work::nothing());
    importer.ok(V::RESET);
    importer.initialize();
    assert_eq!(Work::of(&fmu, &importer), Work::nothing());
    let found = importer.int32(V::reference(&fmu, "experiment.solver"));
    assert_eq!(found, AUTO);
    assert_eq!(
        importer.value(V::reference(&fmu, "experiment.max_step")),
        0.0
    );
    run(&importer, 0, 100);
    assert_eq!(Work::of(&fmu, &importer), Work::of(&fmu, &fresh));
}

fn no_step_is_longer_than_the_longest_one_allowed<V: Version>() {
    let fmu = Fmu::new(resting_ball());
    for solver in [AUTO, EXPLICIT, IMPLICIT] {
        // Free flight of 1 mm takes 14 ms; 2^-10 s is exact.
        let longest = 1.0 / 1024.0;
        let importer = started::<V>(&fmu, solver, longest);
        importer.whole_step(0.0, 1.0 / 128.0);
        let told = Work::of(&fmu, &importer);
        assert!(told.last_step() <= longest, "{told:?}");
        assert!(told.counts[0] >= 8, "{told:?}");
        let free = started::<V>(&fmu, solver, 0.0);
        free.whole_step(0.0, 1.0 / 128.0);
        assert!(Work::of(&fmu, &free).counts[0] < 8);
    }
}

fn tunable_parameters_change_formula_and_longest_step_between_communication_steps<V: Version>() {
    let mut description = resting_ball();
    description.interface.tunable = true;
    let fmu = Fmu::new(description);
    let importer = started::<V>(&fmu, EXPLICIT, 0.0);
    run(&importer, 0, 200);
    let explicit = Work::of(&fmu, &importer);
    assert!(!explicit.implicit);
    set_up(&fmu, &importer, IMPLICIT, 1.0 / 1024.0);
    run(&importer, 200, 1);
    let implicit = Work::of(&fmu, &importer);
    assert!(implicit.implicit && implicit.last_step() <= 1.0 / 1024.0);
    // Nothing else has changed: no event, and the ball stays at rest.
    assert_eq!(implicit.counts[4], explicit.counts[4]);
    set_up(&fmu, &importer, AUTO, 0.0);
    run(&importer, 201, 1);
    set_up(&fmu, &importer, EXPLICIT, 0.0);
    run(&importer, 202, 1);
    assert!(!Work::of(&fmu, &importer).implicit);
}

fn fixed_parameters_of_the_integrator_are_set_before_initialisation_ends<V: Version>() {
    let fmu = Fmu::new(resting_ball());
    let importer = started::<V>(&fmu, AUTO, 0.0);
    let solver = V::reference(&fmu, "experiment.solver");
    assert_eq!(importer.set_int32(solver, EXPLICIT), V::ERROR);
    let reason = importer.reason();
    let text = "experiment.solver (value reference ";
    assert!(reason.contains(text), "{reason}");
    assert!(
        reason.contains("is a fixed parameter and cannot be set"),
        "{reason}"
    );
}

fn wrong_values_are_refused_with_what_is_allowed<V: Version>() {
    let fmu = Fmu::new(resting_ball());
    for wrong in [0, 5, -1, i32::MAX] {
        let importer = V::co_simulation(&fmu);
        importer.enter_initialization();
        set_up(&fmu, &importer, wrong, 0.0);
        assert_eq!(importer.call(V::EXIT_INITIALIZATION), V::ERROR);
        let reason = importer.says(&["parameter experiment.solver is "]);
        let allowed = "must be 1 (auto), 2 (explicit), 3 (implicit) or 4 (dem)";
        assert!(reason.ends_with(allowed), "{reason}");
        // The right one makes it good.
        set_up(&fmu, &importer, IMPLICIT, 0.0);
        importer.ok(V::EXIT_INITIALIZATION);
    }
    let importer = V::co_simulation(&fmu);
    importer.enter_initialization();
    set_up(&fmu, &importer, AUTO, -1e-3);
    assert_eq!(importer.call(V::EXIT_INITIALIZATION), V::ERROR);
    let reason = importer.says(&["parameter experiment.max_step is -0.001"]);
    assert!(reason.ends_with("must be >= 0"), "{reason}");

    let solver = V::reference(&fmu, "experiment.solver");
    assert_eq!(importer.set(&[solver], &[1.0]), V::ERROR);
    importer.says(&[&format!("is of type {}, not {}", V::TYPES[1], V::TYPES[0])]);
}
