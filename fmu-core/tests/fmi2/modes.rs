//! The tables of allowed calls, [FMI 2.0] sections 3.2.3 (Model Exchange)
//! and 4.2.4 (Co-Simulation): each function in each state, of a lenient and of a strict instance.
//!
//! Of the states of 4.2.4 there are no stepInProgress, stepFailed and stepCanceled here: no step is
//! asynchronous, and a step that fails leaves stepComplete.

use crate::fmi2::importer::*;
use crate::fmi3::importer::Fmu;
use fmu_core::fmi2::fmi2Status::*;
use fmu_core::fmi2::*;
use std::ptr::{null, null_mut};

/// A call with arguments that are fine, and the states it is allowed in: I instantiated, N
/// Initialization Mode, E Event Mode, C Continuous-Time Mode, S stepComplete, T terminated.
struct Row {
    name: &'static str,
    call: fn(&Importer) -> fmi2Status,
    exchange: &'static str,
    simulation: &'static str,
    /// Allowed beyond the standard, unless the instance is strict.
    lenient: &'static str,
}

const fn row(
    name: &'static str,
    call: fn(&Importer) -> fmi2Status,
    exchange: &'static str,
    simulation: &'static str,
) -> Row {
    Row {
        name,
        call,
        exchange,
        simulation,
        lenient: "",
    }
}

impl Row {
    const fn lenient(self, lenient: &'static str) -> Row {
        Row { lenient, ..self }
    }
}

fn with_state(importer: &Importer, call: impl FnOnce(fmi2FMUstate) -> fmi2Status) -> fmi2Status {
    let state = importer.state();
    let status = call(state);
    importer.free_state(state);
    status
}

/// A status function with the status kind it answers for.
fn real_status(importer: &Importer) -> fmi2Status {
    let mut value = 0.0;
    // SAFETY: the pointer is that of a local variable.
    unsafe { fmi2GetRealStatus(importer.component, fmi2LastSuccessfulTime, &raw mut value) }
}

fn boolean_status(importer: &Importer) -> fmi2Status {
    let mut value = 7;
    // SAFETY: the pointer is that of a local variable.
    unsafe { fmi2GetBooleanStatus(importer.component, fmi2Terminated, &raw mut value) }
}

// SAFETY of the calls below: the instance lives, arrays are empty or of the length told.
const TABLE: &[Row] = &[
    row(
        "fmi2SetDebugLogging",
        |i| unsafe { fmi2SetDebugLogging(i.component, fmi2True, 0, null()) },
        "INECT",
        "INST",
    ),
    row(
        "fmi2SetupExperiment",
        |i| i.setup(None, 0.0, None),
        "I",
        "I",
    ),
    row(
        "fmi2EnterInitializationMode",
        |i| i.call(fmi2EnterInitializationMode),
        "I",
        "I",
    ),
    row(
        "fmi2ExitInitializationMode",
        |i| i.call(fmi2ExitInitializationMode),
        "N",
        "N",
    ),
    row("fmi2Terminate", |i| i.call(fmi2Terminate), "EC", "S"),
    row("fmi2Reset", |i| i.call(fmi2Reset), "INECT", "INST"),
    row("fmi2GetReal", |i| i.get(&[1], &mut [0.0]), "NECT", "NST").lenient("I"),
    row(
        "fmi2GetInteger",
        |i| unsafe { fmi2GetInteger(i.component, null(), 0, null_mut()) },
        "NECT",
        "NST",
    )
    .lenient("I"),
    row(
        "fmi2GetBoolean",
        |i| unsafe { fmi2GetBoolean(i.component, null(), 0, null_mut()) },
        "NECT",
        "NST",
    )
    .lenient("I"),
    row(
        "fmi2GetString",
        |i| unsafe { fmi2GetString(i.component, null(), 0, null_mut()) },
        "NECT",
        "NST",
    )
    .lenient("I"),
    row("fmi2SetReal", |i| i.set(&[], &[]), "INEC", "INS"),
    row(
        "fmi2SetInteger",
        |i| unsafe { fmi2SetInteger(i.component, null(), 0, null()) },
        "INE",
        "INS",
    )
    .lenient("C"),
    row(
        "fmi2SetBoolean",
        |i| unsafe { fmi2SetBoolean(i.component, null(), 0, null()) },
        "INE",
        "INS",
    )
    .lenient("C"),
    row(
        "fmi2SetString",
        |i| unsafe { fmi2SetString(i.component, null(), 0, null()) },
        "INE",
        "INS",
    )
    .lenient("C"),
    row(
        "fmi2GetFMUstate",
        |i| with_state(i, |_| fmi2OK),
        "INECT",
        "INST",
    ),
    row(
        "fmi2SetFMUstate",
        |i| with_state(i, |state| i.set_state(state)),
        "INECT",
        "INST",
    ),
    row(
        "fmi2SerializeFMUstate",
        |i| {
            with_state(i, |state| {
                let made = i.deserialize(&i.serialize(state));
                made.map_or_else(
                    |status| status,
                    |made| {
                        i.free_state(made);
                        fmi2OK
                    },
                )
            })
        },
        "INECT",
        "INST",
    ),
    row(
        "fmi2EnterEventMode",
        |i| i.call(fmi2EnterEventMode),
        "EC",
        "",
    ),
    row("fmi2NewDiscreteStates", |i| i.try_update().0, "E", ""),
    row(
        "fmi2EnterContinuousTimeMode",
        |i| i.call(fmi2EnterContinuousTimeMode),
        "E",
        "",
    ),
    row(
        "fmi2CompletedIntegratorStep",
        |i| i.completed_step().0,
        "C",
        "",
    ),
    row("fmi2SetTime", |i| i.set_time(0.0), "EC", "").lenient("I"),
    row("fmi2SetContinuousStates", set_states, "C", "").lenient("E"),
    row(
        "fmi2GetEventIndicators",
        |i| i.vector(fmi2GetEventIndicators, i.indicators).0,
        "NECT",
        "",
    ),
    row(
        "fmi2GetContinuousStates",
        |i| i.vector(fmi2GetContinuousStates, i.states).0,
        "NECT",
        "",
    ),
    row(
        "fmi2GetDerivatives",
        |i| i.vector(fmi2GetDerivatives, i.states).0,
        "NECT",
        "",
    ),
    // In I by 2.0 to 2.0.2, in N since 2.0.3.
    row(
        "fmi2GetNominalsOfContinuousStates",
        |i| i.vector(fmi2GetNominalsOfContinuousStates, i.states).0,
        "INECT",
        "",
    ),
    row("fmi2DoStep", |i| i.step(0.0, 0.01), "", "S"),
    row("fmi2GetRealStatus", real_status, "", "ST"),
    row("fmi2GetBooleanStatus", boolean_status, "", "ST"),
    // stepInProgress only.
    row("fmi2CancelStep", |i| i.call(fmi2CancelStep), "", ""),
];

fn set_states(importer: &Importer) -> fmi2Status {
    let mut states = vec![0.0; importer.states];
    states[3] = 1.0;
    states[POSITION + 2] = 1.0;
    importer.set_states(&states)
}

/// A new instance in a state.
fn in_state(fmu: &Fmu, kind: fmi2Type, state: char) -> Importer {
    let importer = Importer::new(fmu, kind);
    assert_eq!(importer.setup(None, 0.0, None), fmi2OK);
    if state != 'I' {
        importer.ok(fmi2EnterInitializationMode);
    }
    if !"IN".contains(state) {
        importer.ok(fmi2ExitInitializationMode);
    }
    match state {
        'C' => importer.ok(fmi2EnterContinuousTimeMode),
        'T' => importer.ok(fmi2Terminate),
        _ => {}
    }
    importer.log();
    importer
}

fn check(fmu: &Fmu, lenient: bool) {
    for (kind, states) in [(fmi2ModelExchange, "INECT"), (fmi2CoSimulation, "INST")] {
        for row in TABLE {
            let standard = if kind == fmi2ModelExchange {
                row.exchange
            } else {
                row.simulation
            };
            // A leniency of the other interface type is none here.
            let lenient = lenient && !standard.is_empty();
            for state in states.chars() {
                let importer = in_state(fmu, kind, state);
                let status = (row.call)(&importer);
                let allowed = standard.contains(state) || lenient && row.lenient.contains(state);
                let case = format!("{} in {state} of kind {kind}", row.name);
                assert_eq!(status == fmi2OK, allowed, "{case}: {:?}", importer.log());
                if !allowed {
                    assert_eq!(status, fmi2Error, "{case}");
                    let reason = importer.reason();
                    assert!(reason.starts_with(row.name), "{case}: {reason}");
                }
            }
        }
    }
}

#[test]
fn a_lenient_instance_adds_its_leniencies_to_the_table_of_the_standard() {
    check(&Fmu::falling_ball(), true);
}

#[test]
fn a_strict_instance_allows_the_table_of_the_standard() {
    check(&strict(), false);
}

#[test]
fn a_refusal_changes_nothing() {
    let fmu = Fmu::falling_ball();
    for (kind, states) in [(fmi2ModelExchange, "INECT"), (fmi2CoSimulation, "INST")] {
        for state in states.chars() {
            let importer = in_state(&fmu, kind, state);
            let bytes = || {
                let saved = importer.state();
                let bytes = importer.serialize(saved);
                importer.free_state(saved);
                bytes
            };
            let before = bytes();
            for row in TABLE {
                let allowed = [row.exchange, row.simulation, row.lenient];
                if allowed.iter().all(|states| !states.contains(state)) {
                    assert_eq!((row.call)(&importer), fmi2Error, "{} in {state}", row.name);
                    assert_eq!(bytes(), before, "{} in {state}", row.name);
                }
            }
        }
    }
}

#[test]
fn a_refusal_names_the_function_the_mode_and_where_it_is_allowed() {
    let fmu = Fmu::falling_ball();
    let importer = in_state(&fmu, fmi2ModelExchange, 'I');
    assert_eq!(importer.call(fmi2Terminate), fmi2Error);
    assert_eq!(
        importer.reason(),
        "fmi2Terminate: not allowed in Instantiated; allowed in Event Mode, Continuous-Time Mode"
    );
    let importer = in_state(&fmu, fmi2CoSimulation, 'S');
    assert_eq!(importer.call(fmi2EnterEventMode), fmi2Error);
    assert_eq!(
        importer.reason(),
        "fmi2EnterEventMode: does not belong to Co-Simulation, for which this instance was made"
    );
}

/// Notes 1 to 6 below the tables: which variables can be set when. By note 5 of 3.2.3, clear since
/// FMI 2.0.1, states can be set in Continuous-Time Mode.
#[test]
fn states_and_fixed_parameters_are_set_before_initialisation_ends() {
    for (fmu, lenient) in [(Fmu::falling_ball(), true), (strict(), false)] {
        let parameter = reference(&fmu, "ball.mass");
        let computed = reference(&fmu, "energy.kinetic");
        for (kind, states) in [(fmi2ModelExchange, "INECT"), (fmi2CoSimulation, "INST")] {
            for state in states.chars() {
                let importer = in_state(&fmu, kind, state);
                let settable = |reference| importer.set(&[reference], &[0.5]) == fmi2OK;
                let start = "IN".contains(state);
                let running = state == 'C' || lenient && state == 'E';
                assert_eq!(settable(1), start || running, "state in {state}");
                let first_event = lenient && state == 'E';
                assert_eq!(settable(parameter), start || first_event, "mass in {state}");
                assert!(!settable(computed), "energy in {state}");
            }
        }
    }
}

/// Notes 3, 4 and 6: tunable parameters also in Event Mode and between steps.
#[test]
fn tunable_parameters_are_set_in_event_mode_and_between_steps() {
    for strict in [false, true] {
        let mut description = falling_ball();
        description.interface.tunable = true;
        description.interface.strict = strict;
        let fmu = Fmu::new(description);
        let mass = reference(&fmu, "ball.mass");
        for (kind, states) in [(fmi2ModelExchange, "INECT"), (fmi2CoSimulation, "INST")] {
            for state in states.chars() {
                let importer = in_state(&fmu, kind, state);
                let allowed = "INES".contains(state) || !strict && state == 'C';
                let status = importer.set(&[mass], &[0.5]);
                assert_eq!(status == fmi2OK, allowed, "{state}");
            }
        }
    }
}
