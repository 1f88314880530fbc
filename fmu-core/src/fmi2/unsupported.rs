//! Functions of features that the model description does not offer: derivatives of inputs with
//! respect to time. Each logs so and returns fmi2Error.

use super::types::*;
use crate::border::guard::guard;
use crate::instance::Failure;

/// Not supported: canInterpolateInputs of this FMU is false.
///
/// # Safety
/// As [FMI 2.0] section 2.1.5 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetRealInputDerivatives(
    c: fmi2Component,
    _vr: *const fmi2ValueReference,
    _nvr: usize,
    _order: *const fmi2Integer,
    _value: *const fmi2Real,
) -> fmi2Status {
    // SAFETY: section 2.1.5.
    unsafe {
        guard(c, "fmi2SetRealInputDerivatives", |_| {
            Err(Failure::error(
                "not supported: canInterpolateInputs of this FMU is false",
            ))
        })
    }
}
