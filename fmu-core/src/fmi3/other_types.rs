//! Variables of types that no variable of these FMUs has. A reference of one is a wrong reference,
//! an error by [FMI 3.0] section 2.2.3; an empty list is fine where variables may be accessed.

use super::types::*;
use crate::border::guard::guard;
use crate::border::pointers::values;
use crate::instance::Call;

/// Getter and setter of a type.
macro_rules! no_variables {
    ($get:ident, $set:ident, $value:ty, $type_name:literal) => {
        no_variables!(@one $get, GetVariables, *mut $value, $type_name);
        no_variables!(@one $set, SetVariables, *const $value, $type_name);
    };
    (@one $name:ident, $call:ident, $values:ty, $type_name:literal) => {
        #[doc = concat!("There are no variables of type ", $type_name, ": any reference is refused.")]
        ///
        /// # Safety
        /// As [FMI 3.0] section 2.2.6.2 says of an importer.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            instance: fmi3Instance,
            valueReferences: *const fmi3ValueReference,
            nValueReferences: usize,
            _values: $values,
            _nValues: usize,
        ) -> fmi3Status {
            // SAFETY: section 2.2.6.2: the array of references has the given length.
            unsafe {
                guard(instance, stringify!($name), |instance| {
                    let references = values(valueReferences, nValueReferences, "valueReferences")?;
                    instance.no_variables_of_type(Call::$call, $type_name, references)
                })
            }
        }
    };
}

no_variables!(fmi3GetFloat32, fmi3SetFloat32, fmi3Float32, "Float32");
no_variables!(fmi3GetInt8, fmi3SetInt8, fmi3Int8, "Int8");
no_variables!(fmi3GetUInt8, fmi3SetUInt8, fmi3UInt8, "UInt8");
no_variables!(fmi3GetInt16, fmi3SetInt16, fmi3Int16, "Int16");
no_variables!(fmi3GetUInt16, fmi3SetUInt16, fmi3UInt16, "UInt16");
no_variables!(fmi3GetUInt32, fmi3SetUInt32, fmi3UInt32, "UInt32");
no_variables!(fmi3GetUInt64, fmi3SetUInt64, fmi3UInt64, "UInt64");
no_variables!(fmi3GetString, fmi3SetString, fmi3String, "String");

/// There are no variables of type Binary: any reference is refused.
///
/// # Safety
/// As [FMI 3.0] section 2.2.6.2 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetBinary(
    instance: fmi3Instance,
    valueReferences: *const fmi3ValueReference,
    nValueReferences: usize,
    _valueSizes: *mut usize,
    _values: *mut fmi3Binary,
    _nValues: usize,
) -> fmi3Status {
    // SAFETY: section 2.2.6.2: the array of references has the given length.
    unsafe {
        guard(instance, "fmi3GetBinary", |instance| {
            let references = values(valueReferences, nValueReferences, "valueReferences")?;
            instance.no_variables_of_type(Call::GetVariables, "Binary", references)
        })
    }
}

/// There are no variables of type Binary: any reference is refused.
///
/// # Safety
/// As [FMI 3.0] section 2.2.6.2 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetBinary(
    instance: fmi3Instance,
    valueReferences: *const fmi3ValueReference,
    nValueReferences: usize,
    _valueSizes: *const usize,
    _values: *const fmi3Binary,
    _nValues: usize,
) -> fmi3Status {
    // SAFETY: section 2.2.6.2: the array of references has the given length.
    unsafe {
        guard(instance, "fmi3SetBinary", |instance| {
            let references = values(valueReferences, nValueReferences, "valueReferences")?;
            instance.no_variables_of_type(Call::SetVariables, "Binary", references)
        })
    }
}
