//! Partial derivatives, [FMI 2.0] section 2.1.9, and derivatives of outputs by time, section
//! 4.2.1.

use super::types::*;
use crate::border::guard::guard;
use crate::border::pointers::{values, values_out};

/// The product of the Jacobian of the unknowns by the knowns with a seed.
///
/// # Safety
/// As [FMI 2.0] section 2.1.9 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetDirectionalDerivative(
    c: fmi2Component,
    vUnknown_ref: *const fmi2ValueReference,
    nUnknown: usize,
    vKnown_ref: *const fmi2ValueReference,
    nKnown: usize,
    dvKnown: *const fmi2Real,
    dvUnknown: *mut fmi2Real,
) -> fmi2Status {
    // SAFETY: section 2.1.9: the arrays have the given lengths.
    unsafe {
        guard(c, "fmi2GetDirectionalDerivative", |instance| {
            let unknowns = values(vUnknown_ref, nUnknown, "vUnknown_ref")?;
            let knowns = values(vKnown_ref, nKnown, "vKnown_ref")?;
            let seed = values(dvKnown, nKnown, "dvKnown")?;
            let sensitivity = values_out(dvUnknown, nUnknown, "dvUnknown")?;
            instance.directional_derivative([unknowns, knowns], seed, sensitivity)
        })
    }
}

/// First derivatives of continuous outputs by time.
///
/// # Safety
/// As [FMI 2.0] section 4.2.1 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetRealOutputDerivatives(
    c: fmi2Component,
    vr: *const fmi2ValueReference,
    nvr: usize,
    order: *const fmi2Integer,
    value: *mut fmi2Real,
) -> fmi2Status {
    // SAFETY: section 4.2.1: the arrays have the given length.
    unsafe {
        guard(c, "fmi2GetRealOutputDerivatives", |instance| {
            let references = values(vr, nvr, "vr")?;
            let orders = values(order, nvr, "order")?;
            let values = values_out(value, nvr, "value")?;
            instance.output_derivatives(references, orders, values)
        })
    }
}
