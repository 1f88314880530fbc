//! Variables by value reference: [FMI 2.0] section 2.1.7. There are variables of types Real,
//! Integer and Boolean; a reference of another type is a wrong reference, while an empty list is
//! fine.

use super::types::*;
use crate::border::guard::guard;
use crate::border::pointers::{values, values_out};
use crate::instance::Call;

/// Reads variables of type Real.
///
/// # Safety
/// As [FMI 2.0] section 2.1.7 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetReal(
    c: fmi2Component,
    vr: *const fmi2ValueReference,
    nvr: usize,
    value: *mut fmi2Real,
) -> fmi2Status {
    // SAFETY: section 2.1.7: both arrays have the given length.
    unsafe {
        guard(c, "fmi2GetReal", |instance| {
            let references = values(vr, nvr, "vr")?;
            instance.get_float64(references, values_out(value, nvr, "value")?)
        })
    }
}

/// Sets variables of type Real.
///
/// # Safety
/// As [FMI 2.0] section 2.1.7 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetReal(
    c: fmi2Component,
    vr: *const fmi2ValueReference,
    nvr: usize,
    value: *const fmi2Real,
) -> fmi2Status {
    // SAFETY: section 2.1.7: both arrays have the given length.
    unsafe {
        guard(c, "fmi2SetReal", |instance| {
            let references = values(vr, nvr, "vr")?;
            instance.set_float64(references, values(value, nvr, "value")?)
        })
    }
}

/// Reads variables of type Integer.
///
/// # Safety
/// As [FMI 2.0] section 2.1.7 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetInteger(
    c: fmi2Component,
    vr: *const fmi2ValueReference,
    nvr: usize,
    value: *mut fmi2Integer,
) -> fmi2Status {
    // SAFETY: section 2.1.7: both arrays have the given length.
    unsafe {
        guard(c, "fmi2GetInteger", |instance| {
            let references = values(vr, nvr, "vr")?;
            instance.get_int32(references, values_out(value, nvr, "value")?)
        })
    }
}

/// Sets variables of type Integer.
///
/// # Safety
/// As [FMI 2.0] section 2.1.7 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetInteger(
    c: fmi2Component,
    vr: *const fmi2ValueReference,
    nvr: usize,
    value: *const fmi2Integer,
) -> fmi2Status {
    // SAFETY: section 2.1.7: both arrays have the given length.
    unsafe {
        guard(c, "fmi2SetInteger", |instance| {
            let references = values(vr, nvr, "vr")?;
            instance.set_int32(references, values(value, nvr, "value")?)
        })
    }
}

/// Reads variables of type Boolean.
///
/// # Safety
/// As [FMI 2.0] section 2.1.7 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetBoolean(
    c: fmi2Component,
    vr: *const fmi2ValueReference,
    nvr: usize,
    value: *mut fmi2Boolean,
) -> fmi2Status {
    // SAFETY: section 2.1.7: both arrays have the given length.
    unsafe {
        guard(c, "fmi2GetBoolean", |instance| {
            let references = values(vr, nvr, "vr")?;
            instance.get_boolean(references, values_out(value, nvr, "value")?)
        })
    }
}

/// Sets variables of type Boolean.
///
/// # Safety
/// As [FMI 2.0] section 2.1.7 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetBoolean(
    c: fmi2Component,
    vr: *const fmi2ValueReference,
    nvr: usize,
    value: *const fmi2Boolean,
) -> fmi2Status {
    // SAFETY: section 2.1.7: both arrays have the given length.
    unsafe {
        guard(c, "fmi2SetBoolean", |instance| {
            let references = values(vr, nvr, "vr")?;
            instance.set_boolean(references, values(value, nvr, "value")?)
        })
    }
}

/// A getter or setter of a type that no variable has.
macro_rules! no_variables {
    ($name:ident, $call:ident, $values:ty, $type_name:literal) => {
        #[doc = concat!("There are no variables of type ", $type_name, ": any reference is refused.")]
        ///
        /// # Safety
        /// As [FMI 2.0] section 2.1.7 says of an importer.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            c: fmi2Component,
            vr: *const fmi2ValueReference,
            nvr: usize,
            _value: $values,
        ) -> fmi2Status {
            // SAFETY: section 2.1.7: the array of references has the given length.
            unsafe {
                guard(c, stringify!($name), |instance| {
                    let references = values(vr, nvr, "vr")?;
                    instance.no_variables_of_type(Call::$call, $type_name, references)
                })
            }
        }
    };
}

no_variables!(fmi2GetString, GetVariables, *mut fmi2String, "String");
no_variables!(
    fmi2SetString,
    SetDiscreteVariables,
    *const fmi2String,
    "String"
);
