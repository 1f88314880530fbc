//! The tables of allowed calls, [FMI 2.0] sections 3.2.3 (Model Exchange)
//! and 4.2.4 (Co-Simulation): each function in each state, of a lenient and of a strict instance.
//!
//! Of the states of 4.2.4 there are no stepInProgress, stepFailed and stepCanceled here: no step is
//! asynchronous, and a step that fails leaves stepComplete.

use crate::fmi2::importer::*;
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

/// Rows: function, states of Model Exchange, of Co-Simulation, beyond the standard; a call.
macro_rules! rows {
    ($($name:ident $exchange:literal $simulation:literal $lenient:literal: $call:expr;)*) => {
        &[$(Row {
            name: stringify!($name),
            call: $call,
            exchange: $exchange,
            simulation: $simulation,
            lenient: $lenient,
        }),*]
    };
}

fn with_state(importer: &Importer, call: impl FnOnce(fmi2FMUstate) -> fmi2Status) -> fmi2Status {
    let state = importer.state();
    let status = call(state);
    importer.free_state(state);
    status
}

/// Status of a state's way to bytes and back.
fn copied(importer: &Importer, state: fmi2FMUstate) -> fmi2Status {
    match importer.deserialize(&importer.serialize(state)) {
        Ok(copy) => {
            importer.free_state(copy);
            fmi2OK
        }
        Err(status) => status,
    }
}

/// A status function with the status kind it answers for.
fn real_status(importer: &Importer) -> fmi2Status {
    let mut value = 0.0;
    // SAFETY: the pointer is that of a local variable.
    unsafe { fmi2GetRealStatus(importer.instance, fmi2LastSuccessfulTime, &raw mut value) }
}

fn boolean_status(importer: &Importer) -> fmi2Status {
    let mut value = 7;
    // SAFETY: the pointer is that of a local variable.
    unsafe { fmi2GetBooleanStatus(importer.instance, fmi2Terminated, &raw mut value) }
}

// SAFETY of the calls below: the instance lives, arrays are empty or of the length told.
const TABLE: &[Row] = rows! {
    fmi2SetDebugLogging "INECT" "INST" "":
        |i| unsafe { fmi2SetDebugLogging(i.instance, fmi2True, 0, null()) };
    fmi2SetupExperiment "I" "I" "": |i| i.setup(None, 0.0, None);
    fmi2EnterInitializationMode "I" "I" "": |i| i.call(fmi2EnterInitializationMode);
    fmi2ExitInitializationMode "N" "N" "": |i| i.call(fmi2ExitInitializationMode);
    fmi2Terminate "EC" "S" "": |i| i.call(fmi2Terminate);
    fmi2Reset "INECT" "INST" "": |i| i.call(fmi2Reset);
    fmi2GetReal "NECT" "NST" "I": |i| i.get(&[1], &mut [0.0]);
    fmi2GetInteger "NECT" "NST" "I": |i| unsafe { fmi2GetInteger(i.instance, null(), 0, null_mut()) };
    fmi2GetBoolean "NECT" "NST" "I": |i| unsafe { fmi2GetBoolean(i.instance, null(), 0, null_mut()) };
    fmi2GetString "NECT" "NST" "I": |i| unsafe { fmi2GetString(i.instance, null(), 0, null_mut()) };
    fmi2SetReal "INEC" "INS" "": |i| i.set(&[], &[]);
    fmi2SetInteger "INE" "INS" "C": |i| unsafe { fmi2SetInteger(i.instance, null(), 0, null()) };
    fmi2SetBoolean "INE" "INS" "C": |i| unsafe { fmi2SetBoolean(i.instance, null(), 0, null()) };
    fmi2SetString "INE" "INS" "C": |i| unsafe { fmi2SetString(i.instance, null(), 0, null()) };
    fmi2GetFMUstate "INECT" "INST" "": |i| with_state(i, |_| fmi2OK);
    fmi2SetFMUstate "INECT" "INST" "": |i| with_state(i, |state| i.set_state(state));
    fmi2SerializeFMUstate "INECT" "INST" "": |i| with_state(i, |state| copied(i, state));
    fmi2EnterEventMode "EC" "" "": |i| i.call(fmi2EnterEventMode);
    fmi2NewDiscreteStates "E" "" "": |i| Two::update(i.instance).0;
    fmi2EnterContinuousTimeMode "E" "" "": |i| i.call(fmi2EnterContinuousTimeMode);
    fmi2CompletedIntegratorStep "C" "" "": |i| Two::completed_step(i.instance).0;
    fmi2SetTime "EC" "" "I": |i| i.set_time(0.0);
    fmi2SetContinuousStates "C" "" "E": set_states;
    fmi2GetEventIndicators "NECT" "" "": |i| i.try_vector(fmi2GetEventIndicators, i.indicators).0;
    fmi2GetContinuousStates "NECT" "" "": |i| i.try_vector(fmi2GetContinuousStates, i.states).0;
    fmi2GetDerivatives "NECT" "" "": |i| i.try_vector(fmi2GetDerivatives, i.states).0;
    // In I by 2.0 to 2.0.2, in N since 2.0.3.
    fmi2GetNominalsOfContinuousStates "INECT" "" "":
        |i| i.try_vector(fmi2GetNominalsOfContinuousStates, i.states).0;
    fmi2DoStep "" "S" "": |i| i.step(0.0, 0.01);
    fmi2GetRealStatus "" "ST" "": real_status;
    fmi2GetBooleanStatus "" "ST" "": boolean_status;
    // stepInProgress only.
    fmi2CancelStep "" "" "": |i| i.call(fmi2CancelStep);
};

fn set_states(importer: &Importer) -> fmi2Status {
    let mut states = vec![0.0; importer.states];
    states[3] = 1.0;
    states[POSITION + 2] = 1.0;
    importer.set_states(&states)
}

/// A new instance in a state.
fn in_state(fmu: &Fmu, kind: fmi2Type, state: char) -> Importer {
    let importer = Importer::of(fmu, kind == fmi2ModelExchange);
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
    check(&Fmu::strict(), false);
}

#[test]
fn a_refusal_changes_nothing() {
    let fmu = Fmu::falling_ball();
    for (kind, states) in [(fmi2ModelExchange, "INECT"), (fmi2CoSimulation, "INST")] {
        for state in states.chars() {
            let importer = in_state(&fmu, kind, state);
            let before = importer.bytes();
            for row in TABLE {
                let allowed = [row.exchange, row.simulation, row.lenient];
                if allowed.iter().all(|states| !states.contains(state)) {
                    assert_eq!((row.call)(&importer), fmi2Error, "{} in {state}", row.name);
                    assert_eq!(importer.bytes(), before, "{} in {state}", row.name);
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
    for (fmu, lenient) in [(Fmu::falling_ball(), true), (Fmu::strict(), false)] {
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
