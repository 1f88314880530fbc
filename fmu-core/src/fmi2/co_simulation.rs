//! Functions of Co-Simulation: [FMI 2.0] section 4.2.
//!
//! A communication step is over when fmi2DoStep returns; it never returns fmi2Pending. So there is
//! no step to cancel, and no status of a running one.

use super::types::*;
use crate::border::guard::guard;
use crate::border::pointers::write;
use crate::instance::{Call, Failure, Instance};

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
