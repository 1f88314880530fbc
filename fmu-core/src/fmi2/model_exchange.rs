//! Functions of Model Exchange: [FMI 2.0] sections 3.2.1 and 3.2.2.
//!
//! # Functions of Co-Simulation: [FMI 2.0] section 4.2
//!
//! A communication step is over when fmi2DoStep returns; it never returns fmi2Pending. So there is
//! no step to cancel, and no status of a running one.

use super::types::*;
use crate::border::{check_out, functions, values, values_out, write};
use crate::instance::{Call, Failure, Instance};

functions! { c: fmi2Component => fmi2Status, "FMI 2.0";
    /// Enters Event Mode.
    fmi2EnterEventMode(), "3.2.2", |instance| instance.enter_event_mode();
    /// Leaves Event Mode.
    fmi2EnterContinuousTimeMode(), "3.2.2", |instance| instance.enter_continuous_time_mode();
    /// Reads all states.
    fmi2GetContinuousStates(x: *mut fmi2Real, nx: usize), "3.2.1",
        |instance| instance.continuous_states(values_out(x, nx, "x")?);
    /// Nominal values of all states.
    fmi2GetNominalsOfContinuousStates(x_nominal: *mut fmi2Real, nx: usize), "3.2.1",
        |instance| instance.nominals(values_out(x_nominal, nx, "x_nominal")?);
    /// Derivatives of all states.
    fmi2GetDerivatives(derivatives: *mut fmi2Real, nx: usize), "3.2.1",
        |instance| instance.derivatives(values_out(derivatives, nx, "derivatives")?);
    /// Event indicators.
    fmi2GetEventIndicators(eventIndicators: *mut fmi2Real, ni: usize), "3.2.1",
        |instance| instance.indicators(values_out(eventIndicators, ni, "eventIndicators")?);
    /// Sets the time.
    fmi2SetTime(time: fmi2Real), "3.2.1", |instance| instance.set_time(time);
    /// Sets all states.
    fmi2SetContinuousStates(x: *const fmi2Real, nx: usize), "3.2.1",
        |instance| instance.set_continuous_states(values(x, nx, "x")?);
    /// Handles the event at the current time; one call is enough.
    fmi2NewDiscreteStates(fmi2eventInfo: *mut fmi2EventInfo), "3.2.2", |instance| {
        check_out(fmi2eventInfo, "fmi2eventInfo")?;
        let update = instance.update_discrete_states()?;
        let answer = fmi2EventInfo {
            newDiscreteStatesNeeded: fmi2False,
            terminateSimulation: fmi2False,
            nominalsOfContinuousStatesChanged: update.nominals_changed.into(),
            valuesOfContinuousStatesChanged: update.states_changed.into(),
            nextEventTimeDefined: update.next_event_time.is_some().into(),
            nextEventTime: update.next_event_time.unwrap_or(0.0),
        };
        write(fmi2eventInfo, answer, "fmi2eventInfo")
    };
    /// Called when a step of the importer's integrator was accepted.
    fmi2CompletedIntegratorStep(_noSetFMUStatePriorToCurrentPoint: fmi2Boolean,
        enterEventMode: *mut fmi2Boolean, terminateSimulation: *mut fmi2Boolean), "3.2.2",
        |instance| {
            check_out(enterEventMode, "enterEventMode")?;
            check_out(terminateSimulation, "terminateSimulation")?;
            let asked = instance.completed_integrator_step()?;
            write(enterEventMode, asked.into(), "enterEventMode")?;
            write(terminateSimulation, fmi2False, "terminateSimulation")
        };
    /// Takes a communication step. One that fails inside is fmi2Discard, by section 4.2.2: a part of it
    /// was computed, up to fmi2LastSuccessfulTime.
    fmi2DoStep(currentCommunicationPoint: fmi2Real, communicationStepSize: fmi2Real,
        _noSetFMUStatePriorToCurrentPoint: fmi2Boolean), "4.2.2", |instance| {
        let before = instance.time();
        match instance.do_step(currentCommunicationPoint, communicationStepSize) {
            Ok(_) => Ok(()),
            Err(failure) if instance.time() > before => Err(Failure::discard(failure.message)),
            Err(failure) => Err(failure),
        }
    };
    /// Refused: no step goes on after fmi2DoStep has returned.
    fmi2CancelStep(), "4.2.2",
        |_| {
            let reason = "there is no step to cancel: fmi2DoStep of this FMU never returns fmi2Pending";
            Err(Failure::error(reason))
        };
}

/// A function that asks for a status of the last step: `$value` for `$kind`, no other one.
macro_rules! status {
    ($(#[$doc:meta])* $name:ident, $type:ty $(, $kind:ident: $value:expr)?) => {
        functions! { c: fmi2Component => fmi2Status, "FMI 2.0";
            $(#[$doc])*
            $name(s: fmi2StatusKind, value: *mut $type), "4.2.3", |instance| {
                instance.allow(Call::GetStepStatus)?;
                match s {
                    $($kind => {
                        let answer: fn(&Instance) -> $type = $value;
                        write(value, answer(instance), "value")
                    })?
                    _ => {
                        let _ = value;
                        Err(no_status(s))
                    }
                }
            };
        }
    };
}

status! {
    /// No status of a step: none goes on after fmi2DoStep has returned.
    fmi2GetStatus, fmi2Status
}
status! {
    /// Time up to which the last step succeeded.
    fmi2GetRealStatus, fmi2Real, fmi2LastSuccessfulTime: Instance::time
}
status! {
    /// There is no status of type Integer.
    fmi2GetIntegerStatus, fmi2Integer
}
status! {
    /// True if the instance requests the end of the run: never.
    fmi2GetBooleanStatus, fmi2Boolean, fmi2Terminated: |_| fmi2False
}
status! {
    /// No words on a step: none goes on after fmi2DoStep has returned.
    fmi2GetStringStatus, fmi2String
}

/// The answer of a function that does not answer for this kind of status.
fn no_status(kind: fmi2StatusKind) -> Failure {
    let pending =
        "asks for a step that goes on, and fmi2DoStep of this FMU never returns fmi2Pending";
    Failure::discard(match kind {
        fmi2DoStepStatus => format!("fmi2DoStepStatus {pending}"),
        fmi2PendingStatus => format!("fmi2PendingStatus {pending}"),
        fmi2LastSuccessfulTime => {
            "fmi2LastSuccessfulTime is of type Real; fmi2GetRealStatus returns it".into()
        }
        fmi2Terminated => {
            "fmi2Terminated is of type Boolean; fmi2GetBooleanStatus returns it".into()
        }
        _ => {
            return Failure::error(format!(
                "argument s is {kind}; a status kind is {fmi2DoStepStatus} to {fmi2Terminated}"
            ));
        }
    })
}
