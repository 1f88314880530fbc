//! Variables of types Float64, Int32, Int64 and Boolean: [FMI 3.0] section 2.2.6.2.

use super::types::*;
use crate::border::guard::guard;
use crate::border::pointers::{values, values_out};

/// Reads variables of type Float64.
///
/// # Safety
/// As [FMI 3.0] section 2.2.6.2 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetFloat64(
    instance: fmi3Instance,
    valueReferences: *const fmi3ValueReference,
    nValueReferences: usize,
    values: *mut fmi3Float64,
    nValues: usize,
) -> fmi3Status {
    // SAFETY: section 2.2.6.2: the arrays have the given lengths.
    unsafe {
        guard(instance, "fmi3GetFloat64", |instance| {
            let references = self::values(valueReferences, nValueReferences, "valueReferences")?;
            let values = values_out(values, nValues, "values")?;
            instance.get_float64(references, values)
        })
    }
}

/// Sets variables of type Float64.
///
/// # Safety
/// As [FMI 3.0] section 2.2.6.2 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetFloat64(
    instance: fmi3Instance,
    valueReferences: *const fmi3ValueReference,
    nValueReferences: usize,
    values: *const fmi3Float64,
    nValues: usize,
) -> fmi3Status {
    // SAFETY: section 2.2.6.2: the arrays have the given lengths.
    unsafe {
        guard(instance, "fmi3SetFloat64", |instance| {
            let references = self::values(valueReferences, nValueReferences, "valueReferences")?;
            let values = self::values(values, nValues, "values")?;
            instance.set_float64(references, values)
        })
    }
}

/// Reads variables of type Int32.
///
/// # Safety
/// As [FMI 3.0] section 2.2.6.2 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetInt32(
    instance: fmi3Instance,
    valueReferences: *const fmi3ValueReference,
    nValueReferences: usize,
    values: *mut fmi3Int32,
    nValues: usize,
) -> fmi3Status {
    // SAFETY: section 2.2.6.2: the arrays have the given lengths.
    unsafe {
        guard(instance, "fmi3GetInt32", |instance| {
            let references = self::values(valueReferences, nValueReferences, "valueReferences")?;
            let values = values_out(values, nValues, "values")?;
            instance.get_int32(references, values)
        })
    }
}

/// Sets variables of type Int32.
///
/// # Safety
/// As [FMI 3.0] section 2.2.6.2 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetInt32(
    instance: fmi3Instance,
    valueReferences: *const fmi3ValueReference,
    nValueReferences: usize,
    values: *const fmi3Int32,
    nValues: usize,
) -> fmi3Status {
    // SAFETY: section 2.2.6.2: the arrays have the given lengths.
    unsafe {
        guard(instance, "fmi3SetInt32", |instance| {
            let references = self::values(valueReferences, nValueReferences, "valueReferences")?;
            let values = self::values(values, nValues, "values")?;
            instance.set_int32(references, values)
        })
    }
}

/// Reads variables of type Int64.
///
/// # Safety
/// As [FMI 3.0] section 2.2.6.2 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetInt64(
    instance: fmi3Instance,
    valueReferences: *const fmi3ValueReference,
    nValueReferences: usize,
    values: *mut fmi3Int64,
    nValues: usize,
) -> fmi3Status {
    // SAFETY: section 2.2.6.2: the arrays have the given lengths.
    unsafe {
        guard(instance, "fmi3GetInt64", |instance| {
            let references = self::values(valueReferences, nValueReferences, "valueReferences")?;
            let values = values_out(values, nValues, "values")?;
            instance.get_int64(references, values)
        })
    }
}

/// Sets variables of type Int64.
///
/// # Safety
/// As [FMI 3.0] section 2.2.6.2 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetInt64(
    instance: fmi3Instance,
    valueReferences: *const fmi3ValueReference,
    nValueReferences: usize,
    values: *const fmi3Int64,
    nValues: usize,
) -> fmi3Status {
    // SAFETY: section 2.2.6.2: the arrays have the given lengths.
    unsafe {
        guard(instance, "fmi3SetInt64", |instance| {
            let references = self::values(valueReferences, nValueReferences, "valueReferences")?;
            let values = self::values(values, nValues, "values")?;
            instance.set_int64(references, values)
        })
    }
}

/// Reads variables of type Boolean.
///
/// # Safety
/// As [FMI 3.0] section 2.2.6.2 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetBoolean(
    instance: fmi3Instance,
    valueReferences: *const fmi3ValueReference,
    nValueReferences: usize,
    values: *mut fmi3Boolean,
    nValues: usize,
) -> fmi3Status {
    // SAFETY: section 2.2.6.2: the arrays have the given lengths. Taken for bytes, since what the
    // importer has left in them may be no truth value.
    unsafe {
        guard(instance, "fmi3GetBoolean", |instance| {
            let references = self::values(valueReferences, nValueReferences, "valueReferences")?;
            let values = values_out(values.cast::<u8>(), nValues, "values")?;
            instance.get_boolean(references, values)
        })
    }
}

/// Sets variables of type Boolean.
///
/// # Safety
/// As [FMI 3.0] section 2.2.6.2 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetBoolean(
    instance: fmi3Instance,
    valueReferences: *const fmi3ValueReference,
    nValueReferences: usize,
    values: *const fmi3Boolean,
    nValues: usize,
) -> fmi3Status {
    // SAFETY: section 2.2.6.2: the arrays have the given lengths; bytes as in fmi3GetBoolean.
    unsafe {
        guard(instance, "fmi3SetBoolean", |instance| {
            let references = self::values(valueReferences, nValueReferences, "valueReferences")?;
            let values = self::values(values.cast::<u8>(), nValues, "values")?;
            instance.set_boolean(references, values)
        })
    }
}
