//! The integrator of Co-Simulation by the calls of FMI 2.0: the formula is an integer, and so is
//! each count.

use crate::fmi2::importer::*;
use crate::fmi3::importer::Fmu;
use crate::fmi3::integrator::resting_ball;
use fmu_core::fmi2::fmi2Status::*;
use fmu_core::fmi2::*;

/// Steps, rejected ones, evaluations, directions and events; the bits of the last step; whether it
/// was implicit.
type Told = ([i32; 5], u64, bool);

fn told(fmu: &Fmu, importer: &Importer) -> Told {
    let named = |name: &str| reference(fmu, &format!("experiment.statistics.{name}"));
    let counts = [
        "steps",
        "rejected_steps",
        "evaluations",
        "directions",
        "events",
    ];
    (
        counts.map(|name| importer.integer(named(name))),
        importer.value(named("last_step")).to_bits(),
        importer.boolean(named("implicit")),
    )
}

fn started(fmu: &Fmu, solver: i32, max_step: f64) -> Importer {
    let importer = co_simulation(fmu);
    importer.enter_initialization();
    let status = importer.set_integer(reference(fmu, "experiment.solver"), solver);
    assert_eq!(status, fmi2OK, "{:?}", importer.log());
    let status = importer.set(&[reference(fmu, "experiment.max_step")], &[max_step]);
    assert_eq!(status, fmi2OK);
    importer.ok(fmi2ExitInitializationMode);
    importer
}

fn run(importer: &Importer, from: u32, count: u32) {
    for i in from..from + count {
        importer.whole_step(f64::from(i) / 64.0, 1.0 / 64.0);
    }
}

#[test]
fn an_integer_sets_the_formula_and_integers_tell_the_work() {
    let fmu = Fmu::new(resting_ball());
    for (solver, implicit) in [(1, true), (2, false), (3, true)] {
        let importer = started(&fmu, solver, 0.0);
        assert_eq!(
            importer.integer(reference(&fmu, "experiment.solver")),
            solver
        );
        assert_eq!(told(&fmu, &importer), ([0; 5], 0, false));
        run(&importer, 0, 200);
        let (counts, last_step, is_implicit) = told(&fmu, &importer);
        assert_eq!(
            (is_implicit, counts[3] > 0),
            (implicit, implicit),
            "{counts:?}"
        );
        assert!(counts[0] >= 200 && f64::from_bits(last_step) <= 1.0 / 64.0);
    }
}

#[test]
fn saved_states_and_resets_keep_what_they_have_to() {
    let fmu = Fmu::new(resting_ball());
    let importer = started(&fmu, 3, 0.01);
    run(&importer, 0, 150);
    let (saved, before) = (importer.state(), told(&fmu, &importer));
    let bytes = importer.serialize(saved);
    run(&importer, 150, 30);
    let expected = (told(&fmu, &importer), importer.state_variables());
    assert_eq!(importer.set_state(saved), fmi2OK);
    assert_eq!(told(&fmu, &importer), before);
    let other = started(&fmu, 2, 0.0);
    let state = other.deserialize(&bytes).unwrap();
    assert_eq!(other.set_state(state), fmi2OK);
    for resumed in [&importer, &other] {
        run(resumed, 150, 30);
        assert_eq!((told(&fmu, resumed), resumed.state_variables()), expected);
    }
    other.free_state(state);
    importer.free_state(saved);
    importer.ok(fmi2Reset);
    importer.initialize();
    assert_eq!(told(&fmu, &importer), ([0; 5], 0, false));
    assert_eq!(importer.integer(reference(&fmu, "experiment.solver")), 1);
}

#[test]
fn a_wrong_formula_and_a_wrong_type_are_refused() {
    let fmu = Fmu::new(resting_ball());
    let importer = co_simulation(&fmu);
    importer.enter_initialization();
    let solver = reference(&fmu, "experiment.solver");
    assert_eq!(importer.set_integer(solver, 5), fmi2OK);
    assert_eq!(importer.call(fmi2ExitInitializationMode), fmi2Error);
    let reason = importer.reason();
    let text =
        "parameter experiment.solver is 5; must be 1 (auto), 2 (explicit), 3 (implicit) or 4 (dem)";
    assert!(reason.ends_with(text), "{reason}");
    assert_eq!(importer.set(&[solver], &[1.0]), fmi2Error);
    assert!(importer.reason().contains("is of type Integer, not Real"));
}
