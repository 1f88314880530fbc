//! Functions of Model Exchange: [FMI 3.0] sections 2.3.2 to 2.3.5 and 3.2.1.

use super::types::*;
use crate::border::guard::guard;
use crate::border::pointers::{check_out, values, values_out, write};

/// Sets the time.
///
/// # Safety
/// As [FMI 3.0] section 3.2.1 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetTime(instance: fmi3Instance, time: fmi3Float64) -> fmi3Status {
    // SAFETY: section 2.3.1.
    unsafe { guard(instance, "fmi3SetTime", |instance| instance.set_time(time)) }
}

/// Sets all states.
///
/// # Safety
/// As [FMI 3.0] section 3.2.1 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetContinuousStates(
    instance: fmi3Instance,
    continuousStates: *const fmi3Float64,
    nContinuousStates: usize,
) -> fmi3Status {
    // SAFETY: section 3.2.1: the array has the given length.
    unsafe {
        guard(instance, "fmi3SetContinuousStates", |instance| {
            let states = values(continuousStates, nContinuousStates, "continuousStates")?;
            instance.set_continuous_states(states)
        })
    }
}

/// Reads all states.
///
/// # Safety
/// As [FMI 3.0] section 2.3.3 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetContinuousStates(
    instance: fmi3Instance,
    continuousStates: *mut fmi3Float64,
    nContinuousStates: usize,
) -> fmi3Status {
    // SAFETY: section 2.3.3: the array has the given length.
    unsafe {
        guard(instance, "fmi3GetContinuousStates", |instance| {
            let states = values_out(continuousStates, nContinuousStates, "continuousStates")?;
            instance.continuous_states(states)
        })
    }
}

/// Nominal values of all states.
///
/// # Safety
/// As [FMI 3.0] section 2.3.3 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetNominalsOfContinuousStates(
    instance: fmi3Instance,
    nominals: *mut fmi3Float64,
    nContinuousStates: usize,
) -> fmi3Status {
    // SAFETY: section 2.3.3: the array has the given length.
    unsafe {
        guard(instance, "fmi3GetNominalsOfContinuousStates", |instance| {
            let nominals = values_out(nominals, nContinuousStates, "nominals")?;
            instance.nominals(nominals)
        })
    }
}

/// Derivatives of all states.
///
/// # Safety
/// As [FMI 3.0] section 3.2.1 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetContinuousStateDerivatives(
    instance: fmi3Instance,
    derivatives: *mut fmi3Float64,
    nContinuousStates: usize,
) -> fmi3Status {
    // SAFETY: section 3.2.1: the array has the given length.
    unsafe {
        guard(instance, "fmi3GetContinuousStateDerivatives", |instance| {
            let derivatives = values_out(derivatives, nContinuousStates, "derivatives")?;
            instance.derivatives(derivatives)
        })
    }
}

/// Event indicators.
///
/// # Safety
/// As [FMI 3.0] section 3.2.1 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetEventIndicators(
    instance: fmi3Instance,
    eventIndicators: *mut fmi3Float64,
    nEventIndicators: usize,
) -> fmi3Status {
    // SAFETY: section 3.2.1: the array has the given length.
    unsafe {
        guard(instance, "fmi3GetEventIndicators", |instance| {
            let indicators = values_out(eventIndicators, nEventIndicators, "eventIndicators")?;
            instance.indicators(indicators)
        })
    }
}

/// Number of states.
///
/// # Safety
/// As [FMI 3.0] section 2.3.2 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetNumberOfContinuousStates(
    instance: fmi3Instance,
    nContinuousStates: *mut usize,
) -> fmi3Status {
    // SAFETY: section 2.3.2: the pointer is that of a variable of the importer.
    unsafe {
        guard(instance, "fmi3GetNumberOfContinuousStates", |instance| {
            write(
                nContinuousStates,
                instance.state_count()?,
                "nContinuousStates",
            )
        })
    }
}

/// Number of event indicators.
///
/// # Safety
/// As [FMI 3.0] section 2.3.2 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetNumberOfEventIndicators(
    instance: fmi3Instance,
    nEventIndicators: *mut usize,
) -> fmi3Status {
    // SAFETY: section 2.3.2: the pointer is that of a variable of the importer.
    unsafe {
        guard(instance, "fmi3GetNumberOfEventIndicators", |instance| {
            let count = instance.indicator_count()?;
            write(nEventIndicators, count, "nEventIndicators")
        })
    }
}

/// Called when a step of the importer's integrator was accepted.
///
/// # Safety
/// As [FMI 3.0] section 3.2.1 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3CompletedIntegratorStep(
    instance: fmi3Instance,
    _noSetFMUStatePriorToCurrentPoint: fmi3Boolean,
    enterEventMode: *mut fmi3Boolean,
    terminateSimulation: *mut fmi3Boolean,
) -> fmi3Status {
    // SAFETY: section 3.2.1: the pointers are those of variables of the importer.
    unsafe {
        guard(instance, "fmi3CompletedIntegratorStep", |instance| {
            check_out(enterEventMode, "enterEventMode")?;
            check_out(terminateSimulation, "terminateSimulation")?;
            let asked = instance.completed_integrator_step()?;
            write(enterEventMode, asked, "enterEventMode")?;
            write(terminateSimulation, false, "terminateSimulation")
        })
    }
}
