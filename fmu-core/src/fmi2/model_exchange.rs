//! Functions of Model Exchange: [FMI 2.0] sections 3.2.1 and 3.2.2.

use super::types::*;
use crate::border::guard::guard;
use crate::border::pointers::{check_out, values, values_out, write};
use crate::instance::Instance;

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
