//! Partial derivatives, [FMI 3.0] section 2.2.11, and derivatives of outputs by time, section
//! 2.2.12.

use super::types::*;
use crate::border::guard::guard;
use crate::border::pointers::{values, values_out};

/// The product of the Jacobian of the unknowns by the knowns with a seed.
///
/// # Safety
/// As [FMI 3.0] section 2.2.11 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetDirectionalDerivative(
    instance: fmi3Instance,
    unknowns: *const fmi3ValueReference,
    nUnknowns: usize,
    knowns: *const fmi3ValueReference,
    nKnowns: usize,
    seed: *const fmi3Float64,
    nSeed: usize,
    sensitivity: *mut fmi3Float64,
    nSensitivity: usize,
) -> fmi3Status {
    // SAFETY: section 2.2.11: the arrays have the given lengths.
    unsafe {
        guard(instance, "fmi3GetDirectionalDerivative", |instance| {
            let unknowns = values(unknowns, nUnknowns, "unknowns")?;
            let knowns = values(knowns, nKnowns, "knowns")?;
            let seed = values(seed, nSeed, "seed")?;
            let sensitivity = values_out(sensitivity, nSensitivity, "sensitivity")?;
            instance.directional_derivative([unknowns, knowns], seed, sensitivity)
        })
    }
}

/// The product of the transpose of that Jacobian with a seed.
///
/// # Safety
/// As [FMI 3.0] section 2.2.11 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetAdjointDerivative(
    instance: fmi3Instance,
    unknowns: *const fmi3ValueReference,
    nUnknowns: usize,
    knowns: *const fmi3ValueReference,
    nKnowns: usize,
    seed: *const fmi3Float64,
    nSeed: usize,
    sensitivity: *mut fmi3Float64,
    nSensitivity: usize,
) -> fmi3Status {
    // SAFETY: section 2.2.11: the arrays have the given lengths.
    unsafe {
        guard(instance, "fmi3GetAdjointDerivative", |instance| {
            let unknowns = values(unknowns, nUnknowns, "unknowns")?;
            let knowns = values(knowns, nKnowns, "knowns")?;
            let seed = values(seed, nSeed, "seed")?;
            let sensitivity = values_out(sensitivity, nSensitivity, "sensitivity")?;
            instance.adjoint_derivative([unknowns, knowns], seed, sensitivity)
        })
    }
}

/// First derivatives of continuous outputs by time.
///
/// # Safety
/// As [FMI 3.0] section 2.2.12 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetOutputDerivatives(
    instance: fmi3Instance,
    valueReferences: *const fmi3ValueReference,
    nValueReferences: usize,
    orders: *const fmi3Int32,
    values: *mut fmi3Float64,
    nValues: usize,
) -> fmi3Status {
    // SAFETY: section 2.2.12: the arrays have the given lengths.
    unsafe {
        guard(instance, "fmi3GetOutputDerivatives", |instance| {
            let references = self::values(valueReferences, nValueReferences, "valueReferences")?;
            let orders = self::values(orders, nValueReferences, "orders")?;
            let values = values_out(values, nValues, "values")?;
            instance.output_derivatives(references, orders, values)
        })
    }
}
