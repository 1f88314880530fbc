//! Functions of Model Exchange: [FMI 2.0] sections 3.2.1 and 3.2.2.
//!
//! # Functions of Co-Simulation: [FMI 2.0] section 4.2
//!
//! A communication step is over when fmi2DoStep returns; it never returns fmi2Pending. So there is
//! no step to cancel, and no status of a running one.

use super::types::*;
use crate::border::{check_out, guard, values, values_out, write};
use crate::instance::{Call, Failure, Instance};

/// A function that takes the instance only.
macro_rules! plain {
    ($(#[$doc:meta])* $name:ident, $method:ident) => {
        $(#[$doc])*
        ///
        /// # Safety
        /// As [FMI 2.0] section 3.2.2 says of an importer.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(c: fmi2Component) -> fmi2Status {
            // SAFETY: section 2.1.5.
            unsafe { guard(c, stringify!($name), Instance::$method) }
        }
    };
}

plain! {
    /// Enters Event Mode.
    fmi2EnterEventMode, enter_event_mode
}
plain! {
    /// Leaves Event Mode.
    fmi2EnterContinuousTimeMode, enter_continuous_time_mode
}

/// A function that fills an array with as many numbers as there are states or indicators.
macro_rules! vector {
    ($(#[$doc:meta])* $name:ident, $values:ident, $count:ident, $method:ident) => {
        $(#[$doc])*
        ///
        /// # Safety
        /// As [FMI 2.0] section 3.2.1 says of an importer.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            c: fmi2Component,
            $values: *mut fmi2Real,
            $count: usize,
        ) -> fmi2Status {
            // SAFETY: section 3.2.1: the array has the given length.
            unsafe {
                guard(c, stringify!($name), |instance| {
                    instance.$method(values_out($values, $count, stringify!($values))?)
                })
            }
        }
    };
}

vector! {
    /// Reads all states.
    fmi2GetContinuousStates, x, nx, continuous_states
}
vector! {
    /// Nominal values of all states.
    fmi2GetNominalsOfContinuousStates, x_nominal, nx, nominals
}
vector! {
    /// Derivatives of all states.
    fmi2GetDerivatives, derivatives, nx, derivatives
}
vector! {
    /// Event indicators.
    fmi2GetEventIndicators, eventIndicators, ni, indicators
}

/// Sets the time.
///
/// # Safety
/// As [FMI 2.0] section 3.2.1 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetTime(c: fmi2Component, time: fmi2Real) -> fmi2Status {
    // SAFETY: section 2.1.5.
    unsafe { guard(c, "fmi2SetTime", |instance| instance.set_time(time)) }
}

/// Sets all states.
///
/// # Safety
/// As [FMI 2.0] section 3.2.1 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetContinuousStates(
    c: fmi2Component,
    x: *const fmi2Real,
    nx: usize,
) -> fmi2Status {
    // SAFETY: section 3.2.1: the array has the given length.
    unsafe {
        guard(c, "fmi2SetContinuousStates", |instance| {
            instance.set_continuous_states(values(x, nx, "x")?)
        })
    }
}

/// Handles the event at the current time; one call is enough.
///
/// # Safety
/// As [FMI 2.0] section 3.2.2 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2NewDiscreteStates(
    c: fmi2Component,
    fmi2eventInfo: *mut fmi2EventInfo,
) -> fmi2Status {
    // SAFETY: section 3.2.2: the pointer is that of a variable of the importer.
    unsafe {
        guard(c, "fmi2NewDiscreteStates", |instance| {
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
        })
    }
}

/// Called when a step of the importer's integrator was accepted.
///
/// # Safety
/// As [FMI 2.0] section 3.2.2 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2CompletedIntegratorStep(
    c: fmi2Component,
    _noSetFMUStatePriorToCurrentPoint: fmi2Boolean,
    enterEventMode: *mut fmi2Boolean,
    terminateSimulation: *mut fmi2Boolean,
) -> fmi2Status {
    // SAFETY: section 3.2.2: the pointers are those of variables of the importer.
    unsafe {
        guard(c, "fmi2CompletedIntegratorStep", |instance| {
            check_out(enterEventMode, "enterEventMode")?;
            check_out(terminateSimulation, "terminateSimulation")?;
            let asked = instance.completed_integrator_step()?;
            write(enterEventMode, asked.into(), "enterEventMode")?;
            write(terminateSimulation, fmi2False, "terminateSimulation")
        })
    }
}

/// Takes a communication step. One that fails inside is fmi2Discard, by section 4.2.2: a part of it
/// was computed, up to fmi2LastSuccessfulTime.
///
/// # Safety
/// As [FMI 2.0] section 4.2.2 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2DoStep(
    c: fmi2Component,
    currentCommunicationPoint: fmi2Real,
    communicationStepSize: fmi2Real,
    _noSetFMUStatePriorToCurrentPoint: fmi2Boolean,
) -> fmi2Status {
    // SAFETY: section 2.1.5.
    unsafe {
        guard(c, "fmi2DoStep", |instance| {
            let before = instance.time();
            match instance.do_step(currentCommunicationPoint, communicationStepSize) {
                Ok(_) => Ok(()),
                Err(failure) if instance.time() > before => Err(Failure::discard(failure.message)),
                Err(failure) => Err(failure),
            }
        })
    }
}

/// Refused: no step goes on after fmi2DoStep has returned.
///
/// # Safety
/// As [FMI 2.0] section 4.2.2 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2CancelStep(c: fmi2Component) -> fmi2Status {
    // SAFETY: section 2.1.5.
    unsafe {
        guard(c, "fmi2CancelStep", |_| {
            Err(Failure::error(
                "there is no step to cancel: fmi2DoStep of this FMU never returns fmi2Pending",
            ))
        })
    }
}

/// A function that asks for a status of the last step: `$value` for `$kind`, no other one.
macro_rules! status {
    ($(#[$doc:meta])* $name:ident, $type:ty $(, $kind:ident: $value:expr)?) => {
        $(#[$doc])*
        ///
        /// # Safety
        /// As [FMI 2.0] section 4.2.3 says of an importer.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            c: fmi2Component,
            s: fmi2StatusKind,
            value: *mut $type,
        ) -> fmi2Status {
            // SAFETY: section 4.2.3: the pointer is that of a variable of the importer.
            unsafe {
                guard(c, stringify!($name), |instance| {
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
                })
            }
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
