//! Parameters that the user sets before a run: scalars of 64 bits, or entries of arrays of them.
#![allow(unsafe_code)]

use super::error::HostError;
use super::inputs::setter_name;
use super::instance::core::LiveInstance;
use super::model_description::{DataType, ModelDescription, Variable};

/// A number that can be set: a parameter, or an entry of one that is an array.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry<'a> {
    /// Name, with indices from 1 for an entry of an array.
    pub name: String,
    /// The parameter.
    pub variable: &'a Variable,
    /// Index of the entry, from 0.
    index: usize,
    /// Number of entries of the parameter.
    size: usize,
}

/// Value of a parameter before initialization, all entries of an array.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterStart {
    reference: u32,
    values: Vec<f64>,
}

/// All numbers of an FMU that [`ParameterStart::of`] takes, in document order.
///
/// # Errors
/// An array of unknown size.
pub fn entries(description: &ModelDescription) -> Result<Vec<Entry<'_>>, HostError> {
    let is_settable =
        |v: &&Variable| v.causality == "parameter" && v.data_type == DataType::Float64;
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
    /// The parameters that entries with values make up; other entries keep their start values.
    pub fn of<'a>(values: impl Iterator<Item = (&'a Entry<'a>, f64)>) -> Vec<ParameterStart> {
        let mut list: Vec<ParameterStart> = Vec::new();
        for (entry, value) in values {
            let reference = entry.variable.reference;
            let known = list.iter().position(|start| start.reference == reference);
            let place = known.unwrap_or_else(|| {
                let values = entry.variable.starts(entry.size).collect();
                list.push(ParameterStart { reference, values });
                list.len() - 1
            });
            list[place].values[entry.index] = value;
        }
        list
    }
}

/// Sets parameters of an instance that is not initialized yet.
///
/// # Errors
/// The FMU refuses; the library lacks the setter.
pub(super) fn set(instance: &LiveInstance, starts: &[ParameterStart]) -> Result<(), HostError> {
    if starts.is_empty() {
        return Ok(());
    }
    let library = instance.library();
    let name = setter_name(library.standard());
    let references: Vec<u32> = starts.iter().map(|start| start.reference).collect();
    let values: Vec<f64> = starts
        .iter()
        .flat_map(|start| start.values.clone())
        .collect();
    // SAFETY: the name is that of the version's setter of 64-bit numbers, and the instance keeps
    // its library open; there is a value for each entry.
    unsafe {
        let setter = library.setter(name)?;
        instance.set(name, &setter, &references, &values)
    }
}
