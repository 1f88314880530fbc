//! Parameters and start values of states that the user sets before a run: 64-bit scalars or array entries,
//! integers and enumerations.
#![allow(unsafe_code)]

use super::error::HostError;
use super::inputs::SETTERS;
use super::instance::LiveInstance;
use super::model_description::{DataType, ModelDescription, Variable};
use fmu_core::instance::Standard;

/// Settable number: a parameter or the start value of a state, or an entry of an array.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry<'a> {
    /// Name, with indices from 1 for an entry of an array.
    pub name: String,
    /// Variable of the number.
    pub variable: &'a Variable,
    /// Index of the entry, from 0.
    index: usize,
    /// Number of entries of the variable.
    size: usize,
}

/// Value of a parameter before initialization, with all entries of an array.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterStart {
    reference: u32,
    data_type: DataType,
    values: Vec<f64>,
}

/// All settable numbers of an FMU, in document order.
///
/// # Errors
/// An array of unknown size.
pub fn entries(description: &ModelDescription) -> Result<Vec<Entry<'_>>, HostError> {
    let is_settable = |v: &&Variable| {
        let is_of_type = matches!(
            v.data_type,
            DataType::Float64 | DataType::Int32 | DataType::Enumeration
        );
        let is_state = v.variability == "continuous" && v.start.is_some();
        (v.causality == "parameter" || is_state && v.causality != "input") && is_of_type
    };
    let mut entries = Vec::new();
    for variable in description.variables.iter().filter(is_settable) {
        let names = description.entry_names(variable).map_err(HostError::Run)?;
        let size = names.len();
        entries.extend(names.into_iter().enumerate().map(|(index, name)| Entry {
            name,
            variable,
            index,
            size,
        }));
    }
    Ok(entries)
}

impl ParameterStart {
    /// Parameters with these entry values; other entries keep their start values.
    pub fn of<'a>(values: impl Iterator<Item = (&'a Entry<'a>, f64)>) -> Vec<ParameterStart> {
        let mut list: Vec<ParameterStart> = Vec::new();
        for (entry, value) in values {
            let reference = entry.variable.reference;
            let data_type = entry.variable.data_type;
            // In FMI 2.0 variables of different types may have one reference.
            let is_same = |start: &ParameterStart| {
                start.reference == reference && start.data_type == data_type
            };
            let known = list.iter().position(is_same);
            let place = known.unwrap_or_else(|| {
                let values = entry.variable.starts(entry.size).collect();
                list.push(ParameterStart {
                    reference,
                    data_type,
                    values,
                });
                list.len() - 1
            });
            list[place].values[entry.index] = value;
        }
        list
    }
}

/// Sets parameters of an instance before initialization.
///
/// # Errors
/// A refusal of the FMU; a setter that the library lacks.
pub(super) fn set(instance: &LiveInstance, starts: &[ParameterStart]) -> Result<(), HostError> {
    let of = |data_type| {
        starts
            .iter()
            .filter(move |start| start.data_type == data_type)
    };
    let (numbers, integers, items) = (
        of(DataType::Float64),
        of(DataType::Int32),
        of(DataType::Enumeration),
    );
    let standard = instance.library().standard();
    let int32 = |value| value as i32;
    // SAFETY: the names are those of the version's setters of 64-bit numbers, and of integers, as
    // which enumerations are set: [FMI 2.0] 2.2.7, [FMI 3.0] 2.2.6.2.
    unsafe {
        set_all(instance, SETTERS, numbers, |value| value)?;
        let setters = ["fmi2SetInteger", "fmi3SetInt32"];
        match standard {
            Standard::Fmi2 => set_all(instance, setters, integers.chain(items), int32),
            Standard::Fmi3 => {
                set_all(instance, setters, integers, int32)?;
                set_all(instance, ["", "fmi3SetInt64"], items, |value| value as i64)
            }
        }
    }
}

/// Sets parameters by one call, unless there are none.
///
/// # Safety
/// `names` are the setters of both versions for values of type `T`.
unsafe fn set_all<'s, T>(
    instance: &LiveInstance,
    names: [&'static str; 2],
    starts: impl Iterator<Item = &'s ParameterStart>,
    of_number: impl Fn(f64) -> T,
) -> Result<(), HostError> {
    let (mut references, mut values) = (Vec::new(), Vec::new());
    for start in starts {
        references.push(start.reference);
        values.extend(start.values.iter().map(|value| of_number(*value)));
    }
    if references.is_empty() {
        return Ok(());
    }
    // SAFETY: as the caller promises, and the instance keeps its library open; there is a value for
    // each entry.
    unsafe {
        let setter = instance.library().access(names)?;
        instance.set(&setter, &references, &values)
    }
}
