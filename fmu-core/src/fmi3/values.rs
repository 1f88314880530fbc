//! Variables of types Float64, Int32, Int64 and Boolean: [FMI 3.0] section 2.2.6.2.
//!
//! # Variables of types that no variable of these FMUs has
//!
//! A reference of one is a wrong reference, an error by [FMI 3.0] section 2.2.3; an empty list is
//! fine where variables may be accessed.
//!
//! # Functions of features that the model description does not offer
//!
//! Clocks, configuration modes, scheduled execution. Each logs so and returns fmi3Error.
//!
//! # Partial derivatives
//!
//! [FMI 3.0] section 2.2.11, and derivatives of outputs by time, section 2.2.12.
//!
//! # What depends on what, at run time: [FMI 3.0] section 2.2.8
//!
//! Elements of arrays count from 1; 0 means the variable itself, here for each scalar. No
//! dependency is claimed to be linear.

use super::types::*;
use crate::border::{self, functions, values, values_out, write};
use crate::instance::{Call, Failure};

/// Getter and setter of a type, whose values are taken for `$own`.
macro_rules! variables {
    ($get:ident => $getter:ident, $set:ident => $setter:ident, $value:ty as $own:ty, $type_name:literal) => {
        functions! { instance: fmi3Instance => fmi3Status, "FMI 3.0";
            #[doc = concat!("Reads variables of type ", $type_name, ".")]
            $get(valueReferences: *const fmi3ValueReference, nValueReferences: usize, values: *mut $value,
                nValues: usize), "2.2.6.2", |instance| {
                let references = self::values(valueReferences, nValueReferences, "valueReferences")?;
                instance.$getter(references, values_out(values.cast::<$own>(), nValues, "values")?)
            };
            #[doc = concat!("Sets variables of type ", $type_name, ".")]
            $set(valueReferences: *const fmi3ValueReference, nValueReferences: usize, values: *const $value,
                nValues: usize), "2.2.6.2", |instance| {
                let references = self::values(valueReferences, nValueReferences, "valueReferences")?;
                instance.$setter(references, self::values(values.cast::<$own>(), nValues, "values")?)
            };
        }
    };
}

variables!(fmi3GetFloat64 => get_float64, fmi3SetFloat64 => set_float64, fmi3Float64 as f64, "Float64");
variables!(fmi3GetInt32 => get_int32, fmi3SetInt32 => set_int32, fmi3Int32 as i32, "Int32");
variables!(fmi3GetInt64 => get_int64, fmi3SetInt64 => set_int64, fmi3Int64 as i64, "Int64");
// As bytes: what the importer has left in them may be no truth value.
variables!(fmi3GetBoolean => get_boolean, fmi3SetBoolean => set_boolean, fmi3Boolean as u8, "Boolean");

/// Getter and setter of a type.
macro_rules! no_variables {
    ($get:ident, $set:ident, $value:ty, $type_name:literal) => {
        no_variables!(@one $get, GetVariables, *mut $value, $type_name);
        no_variables!(@one $set, SetVariables, *const $value, $type_name);
    };
    (@one $name:ident, $call:ident, $values:ty, $type_name:literal) => {
        functions! { instance: fmi3Instance => fmi3Status, "FMI 3.0";
            #[doc = concat!("There are no variables of type ", $type_name, ": any reference is refused.")]
            $name(valueReferences: *const fmi3ValueReference, nValueReferences: usize, _values: $values,
                _nValues: usize), "2.2.6.2", |instance| {
                let references = values(valueReferences, nValueReferences, "valueReferences")?;
                instance.no_variables_of_type(Call::$call, $type_name, references)
            };
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

functions! { instance: fmi3Instance => fmi3Status, "FMI 3.0";
    /// There are no variables of type Binary: any reference is refused.
    fmi3GetBinary(valueReferences: *const fmi3ValueReference, nValueReferences: usize,
        _valueSizes: *mut usize, _values: *mut fmi3Binary, _nValues: usize), "2.2.6.2",
        |instance| {
            let references = values(valueReferences, nValueReferences, "valueReferences")?;
            instance.no_variables_of_type(Call::GetVariables, "Binary", references)
        };
    /// There are no variables of type Binary: any reference is refused.
    fmi3SetBinary(valueReferences: *const fmi3ValueReference, nValueReferences: usize,
        _valueSizes: *const usize, _values: *const fmi3Binary, _nValues: usize), "2.2.6.2",
        |instance| {
            let references = values(valueReferences, nValueReferences, "valueReferences")?;
            instance.no_variables_of_type(Call::SetVariables, "Binary", references)
        };
}

/// A function that is not supported, for the reason given.
macro_rules! unsupported {
    ($reason:literal: $($name:ident($($argument:ident: $kind:ty),*);)+) => {
        functions! { instance: fmi3Instance => fmi3Status, "FMI 3.0"; $(
            #[doc = concat!("Not supported: ", $reason, ".")]
            $name($($argument: $kind),*), "2.3.1", |_| {
                // No argument beside the instance is looked at.
                $(let _ = $argument;)*
                Err(Failure::error(concat!("not supported: ", $reason)))
            };
        )+ }
    };
}

unsupported! { "this FMU has no clocks":
    fmi3GetClock(valueReferences: *const fmi3ValueReference, nValueReferences: usize,
        values: *mut fmi3Clock);
    fmi3SetClock(valueReferences: *const fmi3ValueReference, nValueReferences: usize,
        values: *const fmi3Clock);
    fmi3GetIntervalDecimal(valueReferences: *const fmi3ValueReference, nValueReferences: usize,
        intervals: *mut fmi3Float64, qualifiers: *mut fmi3IntervalQualifier);
    fmi3GetIntervalFraction(valueReferences: *const fmi3ValueReference, nValueReferences: usize,
        counters: *mut fmi3UInt64, resolutions: *mut fmi3UInt64,
        qualifiers: *mut fmi3IntervalQualifier);
    fmi3GetShiftDecimal(valueReferences: *const fmi3ValueReference, nValueReferences: usize,
        shifts: *mut fmi3Float64);
    fmi3GetShiftFraction(valueReferences: *const fmi3ValueReference, nValueReferences: usize,
        counters: *mut fmi3UInt64, resolutions: *mut fmi3UInt64);
    fmi3SetIntervalDecimal(valueReferences: *const fmi3ValueReference, nValueReferences: usize,
        intervals: *const fmi3Float64);
    fmi3SetIntervalFraction(valueReferences: *const fmi3ValueReference, nValueReferences: usize,
        counters: *const fmi3UInt64, resolutions: *const fmi3UInt64);
    fmi3SetShiftDecimal(valueReferences: *const fmi3ValueReference, nValueReferences: usize,
        shifts: *const fmi3Float64);
    fmi3SetShiftFraction(valueReferences: *const fmi3ValueReference, nValueReferences: usize,
        counters: *const fmi3UInt64, resolutions: *const fmi3UInt64);
}

unsupported! { "this FMU has no structural parameters":
    fmi3EnterConfigurationMode();
    fmi3ExitConfigurationMode();
}

unsupported! { "this FMU has no Scheduled Execution":
    fmi3ActivateModelPartition(clockReference: fmi3ValueReference, activationTime: fmi3Float64);
}

functions! { instance: fmi3Instance => fmi3Status, "FMI 3.0";
    /// The product of the Jacobian of the unknowns by the knowns with a seed.
    fmi3GetDirectionalDerivative(unknowns: *const fmi3ValueReference, nUnknowns: usize,
        knowns: *const fmi3ValueReference, nKnowns: usize, seed: *const fmi3Float64,
        nSeed: usize, sensitivity: *mut fmi3Float64, nSensitivity: usize), "2.2.11", |instance| {
        let unknowns = values(unknowns, nUnknowns, "unknowns")?;
        let knowns = values(knowns, nKnowns, "knowns")?;
        let seed = values(seed, nSeed, "seed")?;
        let sensitivity = values_out(sensitivity, nSensitivity, "sensitivity")?;
        instance.directional_derivative([unknowns, knowns], seed, sensitivity)
    };
    /// The product of the transpose of that Jacobian with a seed.
    fmi3GetAdjointDerivative(unknowns: *const fmi3ValueReference, nUnknowns: usize,
        knowns: *const fmi3ValueReference, nKnowns: usize, seed: *const fmi3Float64,
        nSeed: usize, sensitivity: *mut fmi3Float64, nSensitivity: usize), "2.2.11", |instance| {
        let unknowns = values(unknowns, nUnknowns, "unknowns")?;
        let knowns = values(knowns, nKnowns, "knowns")?;
        let seed = values(seed, nSeed, "seed")?;
        let sensitivity = values_out(sensitivity, nSensitivity, "sensitivity")?;
        instance.adjoint_derivative([unknowns, knowns], seed, sensitivity)
    };
    /// First derivatives of continuous outputs by time.
    fmi3GetOutputDerivatives(valueReferences: *const fmi3ValueReference, nValueReferences: usize,
        orders: *const fmi3Int32, values: *mut fmi3Float64, nValues: usize), "2.2.12",
        |instance| {
            let references = border::values(valueReferences, nValueReferences, "valueReferences")?;
            let orders = border::values(orders, nValueReferences, "orders")?;
            let values = values_out(values, nValues, "values")?;
            instance.output_derivatives(references, orders, values)
        };
    /// Number of dependencies of the elements of a variable.
    fmi3GetNumberOfVariableDependencies(valueReference: fmi3ValueReference,
        nDependencies: *mut usize), "2.2.8", |instance| {
        let count = instance.dependencies(valueReference)?.len();
        write(nDependencies, count, "nDependencies")
    };
    /// The elements that the elements of a variable depend on.
    fmi3GetVariableDependencies(dependent: fmi3ValueReference,
        elementIndicesOfDependent: *mut usize, independents: *mut fmi3ValueReference,
        elementIndicesOfIndependents: *mut usize, dependencyKinds: *mut fmi3DependencyKind,
        nDependencies: usize), "2.2.8", |instance| {
        let found = instance.dependencies(dependent)?;
        if found.len() != nDependencies {
            return Err(Failure::error(format!(
                "nDependencies is {nDependencies}; the variable with value reference \
                 {dependent} has {} dependencies",
                found.len()
            )));
        }
        let n = nDependencies;
        let of_dependent = values_out(elementIndicesOfDependent, n, "elementIndicesOfDependent")?;
        let references = values_out(independents, n, "independents")?;
        let of_known =
            values_out(elementIndicesOfIndependents, n, "elementIndicesOfIndependents")?;
        let kinds = values_out(dependencyKinds.cast::<i32>(), n, "dependencyKinds")?;
        for (i, dependency) in found.iter().enumerate() {
            of_dependent[i] = dependency.element;
            references[i] = dependency.known;
            of_known[i] = dependency.known_element;
        }
        // As integers: what the importer's array holds before need not be a valid kind.
        kinds.fill(fmi3DependencyKind::fmi3Dependent as i32);
        Ok(())
    };
}
