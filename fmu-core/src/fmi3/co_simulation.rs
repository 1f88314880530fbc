//! Functions of Co-Simulation: [FMI 3.0] section 4.2.1.

use super::types::*;
use crate::border::guard::guard;
use crate::border::pointers::{check_out, write};
use crate::instance::Failure;

/// Takes a communication step. The time reached is told even where the step fails.
///
/// # Safety
/// As [FMI 3.0] section 4.2.1 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3DoStep(
    instance: fmi3Instance,
    currentCommunicationPoint: fmi3Float64,
    communicationStepSize: fmi3Float64,
    _noSetFMUStatePriorToCurrentPoint: fmi3Boolean,
    eventHandlingNeeded: *mut fmi3Boolean,
    terminateSimulation: *mut fmi3Boolean,
    earlyReturn: *mut fmi3Boolean,
    lastSuccessfulTime: *mut fmi3Float64,
) -> fmi3Status {
    let flags = [
        (eventHandlingNeeded, "eventHandlingNeeded"),
        (terminateSimulation, "terminateSimulation"),
        (earlyReturn, "earlyReturn"),
    ];
    // SAFETY: section 4.2.1: the pointers are those of variables of the importer.
    unsafe {
        guard(instance, "fmi3DoStep", |instance| {
            for (pointer, argument) in flags {
                check_out(pointer, argument)?;
            }
            check_out(lastSuccessfulTime, "lastSuccessfulTime")?;
            let outcome = instance.do_step(currentCommunicationPoint, communicationStepSize);
            let answers = match &outcome {
                Ok(step) => [step.event_handling_needed, false, step.early_return],
                Err(_) => [false; 3],
            };
            for ((pointer, argument), answer) in flags.into_iter().zip(answers) {
                write(pointer, answer, argument)?;
            }
            write(lastSuccessfulTime, instance.time(), "lastSuccessfulTime")?;
            outcome.map(|_| ())
        })
    }
}

/// There are none: the model description does not offer them.
///
/// # Safety
/// As [FMI 3.0] section 4.2.1 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetOutputDerivatives(
    instance: fmi3Instance,
    _valueReferences: *const fmi3ValueReference,
    _nValueReferences: usize,
    _orders: *const fmi3Int32,
    _values: *mut fmi3Float64,
    _nValues: usize,
) -> fmi3Status {
    // SAFETY: section 2.3.1.
    unsafe {
        guard(instance, "fmi3GetOutputDerivatives", |_| {
            Err(Failure::error(
                "not supported: maxOutputDerivativeOrder of this FMU is 0",
            ))
        })
    }
}
