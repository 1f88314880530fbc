//! Where the two versions of FMI differ for a reader of values: the type of a reference and the
//! name of the getter, and where the numbers of states and indicators stand.

use crate::Failure;
use fmi::fmi2::import::Fmi2Import;
use fmi::fmi2::instance::Common as Common2;
use fmi::fmi3::GetSet;
use fmi::fmi3::import::Fmi3Import;
use fmi::schema::fmi3::{AbstractVariableTrait, Variable};
use fmi::traits::{FmiImport, FmiModelExchange, FmiStatus, InstanceTag};
use fmi::{fmi2, fmi3};
use std::error::Error;

/// Value references of the wanted variables, and the sizes of the model's vectors.
pub struct References {
    /// One for each wanted variable.
    pub values: Vec<u32>,
    /// Number of continuous states in the description.
    pub states: usize,
    /// Number of event indicators in the description.
    pub indicators: usize,
}

impl References {
    /// Looks the variables up in a description of FMI 2.0.
    ///
    /// # Errors
    /// A variable is missing.
    pub fn of_fmi2(fmu: &Fmi2Import, names: &[String]) -> Result<Self, Failure> {
        let description = fmu.model_description();
        let values = names
            .iter()
            .map(|name| Ok(description.model_variable_by_name(name)?.value_reference))
            .collect::<Result<_, Failure>>()?;
        Ok(References {
            values,
            states: description.num_states(),
            indicators: description.num_event_indicators(),
        })
    }

    /// Looks the variables up in a description of FMI 3.0.
    ///
    /// # Errors
    /// A variable is missing.
    pub fn of_fmi3(fmu: &Fmi3Import, names: &[String]) -> Result<Self, Failure> {
        let description = fmu.model_description();
        let variables = &description.model_variables.variables;
        let find = |name: &String| {
            variables
                .iter()
                .find_map(|variable| match variable {
                    Variable::Float64(float) if float.name() == name => {
                        Some(float.value_reference())
                    }
                    _ => None,
                })
                .ok_or_else(|| Failure::from(format!("no Float64 variable {name:?}")))
        };
        Ok(References {
            values: names.iter().map(find).collect::<Result<_, _>>()?,
            states: description
                .model_structure
                .continuous_state_derivatives()
                .count(),
            indicators: description.model_structure.event_indicators().count(),
        })
    }

    /// A row of the result: the time [s] and the values at present.
    ///
    /// # Errors
    /// The FMU refuses.
    pub fn row(&self, instance: &mut impl Values, time: f64) -> Result<Vec<f64>, Failure> {
        let mut row = vec![time; self.values.len() + 1];
        instance.read(&self.values, &mut row[1..])?;
        Ok(row)
    }
}

/// An instance whose floating-point variables can be read.
pub trait Values {
    /// Reads variables by reference.
    ///
    /// # Errors
    /// The FMU refuses.
    fn read(&mut self, references: &[u32], values: &mut [f64]) -> Result<(), Failure>;
}

impl<Tag: InstanceTag> Values for fmi2::instance::Instance<Tag> {
    fn read(&mut self, references: &[u32], values: &mut [f64]) -> Result<(), Failure> {
        self.get_real(references, values)?;
        Ok(())
    }
}

impl<Tag> Values for fmi3::instance::Instance<Tag> {
    fn read(&mut self, references: &[u32], values: &mut [f64]) -> Result<(), Failure> {
        self.get_float64(references, values)?;
        Ok(())
    }
}

/// An instance for Model Exchange, of either version.
pub trait Model: Values + FmiModelExchange<Status: FmiStatus<Err: Error + 'static>> {}

impl<I> Model for I where I: Values + FmiModelExchange<Status: FmiStatus<Err: Error + 'static>> {}
