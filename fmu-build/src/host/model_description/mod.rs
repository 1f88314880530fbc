//! modelDescription.xml as far as an importer needs it, of FMI 2.0 and of FMI 3.0. Sources:
//! [FMI 2.0] section 2.2, [FMI 3.0] section 2.4.
//!
//! Read into plain data by [`ModelDescription::parse`]; every reference between elements is
//! checked there, so that users can rely on it.
//!
//! - `xml`: the document as a tree
//! - `variable`: one variable
//! - `fmi2`, `fmi3`: what the versions write in different ways

mod fmi2;
mod fmi3;
mod variable;
mod xml;

pub use self::variable::{DataType, Dimension, Variable};
use self::xml::Element;
use super::limits::Limits;
use fmu_core::instance::Standard;
use std::collections::BTreeSet;

/// What an FMU says about itself.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelDescription {
    /// FMI version.
    pub standard: Standard,
    /// FMI version as written, such as `3.0`.
    pub fmi_version: String,
    /// Name of the model.
    pub model_name: String,
    /// Token that the binary wants to see; FMI 2.0 calls it guid.
    pub instantiation_token: String,
    /// Description of the model.
    pub description: Option<String>,
    /// Who made the model.
    pub author: Option<String>,
    /// Version of the model.
    pub version: Option<String>,
    /// Whose the model is.
    pub copyright: Option<String>,
    /// Licence of the model.
    pub license: Option<String>,
    /// Tool that made the FMU.
    pub generation_tool: Option<String>,
    /// Model Exchange, if the FMU has it.
    pub model_exchange: Option<Interface>,
    /// Co-Simulation, if the FMU has it.
    pub co_simulation: Option<Interface>,
    /// Whether the FMU has Scheduled Execution.
    pub has_scheduled_execution: bool,
    /// Names of the log categories.
    pub log_categories: Vec<String>,
    /// Default experiment.
    pub experiment: DefaultExperiment,
    /// Variables in document order.
    pub variables: Vec<Variable>,
    /// Which variables are outputs, derivatives ...
    pub structure: Structure,
    /// Number of event indicators.
    pub indicator_count: usize,
}

/// What ModelStructure lists, as indices into the list of variables.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Structure {
    /// Outputs.
    pub outputs: Vec<usize>,
    /// State derivatives, in the order of the state vector.
    pub state_derivatives: Vec<usize>,
    /// Event indicators, in the order of the indicator vector. None in FMI 2.0, where they are no
    /// variables.
    pub event_indicators: Vec<usize>,
    /// Unknowns at initialisation.
    pub initial_unknowns: Vec<usize>,
}

/// Model Exchange or Co-Simulation of an FMU.
#[derive(Clone, Debug, PartialEq)]
pub struct Interface {
    /// File name of the binary, without extension.
    pub model_identifier: String,
    /// Attributes that are true, by name: `canSerializeFMUState` ...
    pub capabilities: BTreeSet<String>,
}

impl Interface {
    /// Whether a capability is declared.
    pub fn can(&self, capability: &str) -> bool {
        self.capabilities.contains(capability)
    }
}

/// Default experiment; what the FMU does not say is none.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct DefaultExperiment {
    /// Start time [s].
    pub start_time: Option<f64>,
    /// Stop time [s].
    pub stop_time: Option<f64>,
    /// Relative tolerance [1].
    pub tolerance: Option<f64>,
    /// Communication step size [s].
    pub step_size: Option<f64>,
}

/// How the names of boolean attributes of an interface start; a number such as
/// `maxOutputDerivativeOrder="1"` is none of them.
const CAPABILITY_WORDS: [&str; 6] = ["can", "completed", "has", "might", "needs", "provides"];

/// The version behind the attribute `fmiVersion`, if this program knows it.
pub fn standard(fmi_version: &str) -> Option<Standard> {
    match fmi_version.split('.').next() {
        Some("2") => Some(Standard::Fmi2),
        Some("3") => Some(Standard::Fmi3),
        _ => None,
    }
}

/// What the versions write in different ways.
struct Parts {
    token: String,
    variables: Vec<Variable>,
    structure: Structure,
    /// Number of event indicators where they are not in the structure.
    indicator_count: Option<usize>,
}

impl ModelDescription {
    /// As [`Self::parse_within`], with the usual limits.
    ///
    /// # Errors
    /// See there.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::parse_within(text, &Limits::USUAL)
    }

    /// Reads modelDescription.xml.
    ///
    /// # Errors
    /// Not well-formed, not a model description, a missing or unreadable attribute, a reference to
    /// nothing, more values than the limit, another FMI version than 2 and 3: see [`fmi_version`].
    pub fn parse_within(text: &str, limits: &Limits) -> Result<Self, String> {
        let root = root(text)?;
        let fmi_version = root.required("fmiVersion")?;
        let standard = standard(&fmi_version)
            .ok_or_else(|| format!("fmiVersion={fmi_version:?} is neither 2.0 nor 3.0"))?;
        let parts = match standard {
            Standard::Fmi2 => fmi2::read(&root)?,
            Standard::Fmi3 => fmi3::read(&root)?,
        };
        let mut description = ModelDescription {
            standard,
            fmi_version,
            model_name: root.required("modelName")?,
            instantiation_token: parts.token,
            description: root.attribute("description").map(str::to_owned),
            author: root.attribute("author").map(str::to_owned),
            version: root.attribute("version").map(str::to_owned),
            copyright: root.attribute("copyright").map(str::to_owned),
            license: root.attribute("license").map(str::to_owned),
            generation_tool: root.attribute("generationTool").map(str::to_owned),
            model_exchange: interface(&root, "ModelExchange")?,
            co_simulation: interface(&root, "CoSimulation")?,
            has_scheduled_execution: root.child("ScheduledExecution").is_some(),
            log_categories: log_categories(&root)?,
            experiment: experiment(&root)?,
            variables: parts.variables,
            structure: parts.structure,
            indicator_count: 0,
        };
        let mut values = 0_usize;
        for variable in &description.variables {
            values = values.saturating_add(description.size(variable)?);
            within(values, limits, &|| {
                format!("the values of the variables up to {:?}", variable.name)
            })?;
        }
        let listed = || description.count(&description.structure.event_indicators);
        description.indicator_count = parts.indicator_count.unwrap_or_else(listed);
        within(description.state_count(), limits, &|| "the states".into())?;
        within(description.indicator_count, limits, &|| {
            "the event indicators".into()
        })?;
        Ok(description)
    }

    /// Extents of a variable with the start values of structural parameters; empty for a scalar.
    ///
    /// # Errors
    /// A structural parameter without usable start value.
    pub fn extents(&self, variable: &Variable) -> Result<Vec<usize>, String> {
        let extent = |dimension: &Dimension| match dimension {
            Dimension::Fixed(extent) => Ok(*extent),
            Dimension::Parameter(index) => {
                let parameter = &self.variables[*index];
                let start = parameter.start.as_deref();
                start.and_then(|s| s.trim().parse().ok()).ok_or_else(|| {
                    format!(
                        "a dimension of variable {:?} is {:?}, whose start value {start:?} is not \
                         a size",
                        variable.name, parameter.name
                    )
                })
            }
        };
        variable.dimensions.iter().map(extent).collect()
    }

    /// Number of values of a variable; 1 for a scalar.
    ///
    /// # Errors
    /// As [`Self::extents`]; a number that no computer can count to.
    pub fn size(&self, variable: &Variable) -> Result<usize, String> {
        let extents = self.extents(variable)?;
        let size = extents.iter().try_fold(1_usize, |n, e| n.checked_mul(*e));
        size.ok_or_else(|| format!("variable {:?} is too large: {extents:?}", variable.name))
    }

    /// Number of values of the variables with these indices.
    pub fn count(&self, indices: &[usize]) -> usize {
        let size = |i: &usize| self.size(&self.variables[*i]).unwrap_or(0);
        indices.iter().map(size).fold(0, usize::saturating_add)
    }

    /// Number of continuous states.
    pub fn state_count(&self) -> usize {
        self.count(&self.structure.state_derivatives)
    }
}

/// Refuses a number of values above the limit; `what` names them.
fn within(values: usize, limits: &Limits, what: &dyn Fn() -> String) -> Result<(), String> {
    if values <= limits.values {
        return Ok(());
    }
    Err(format!(
        "{} are {values}; {} are allowed, --max-values allows more",
        what(),
        limits.values
    ))
}

/// The FMI version of a model description, also of one that [`ModelDescription::parse`] refuses
/// because its version is another.
///
/// # Errors
/// Not well-formed, not a model description, no version.
pub fn fmi_version(text: &str) -> Result<String, String> {
    root(text)?.required("fmiVersion")
}

fn root(text: &str) -> Result<Element, String> {
    let root = xml::parse(text)?;
    match root.name.as_str() {
        "fmiModelDescription" => Ok(root),
        other => Err(format!(
            "the root element is <{other}>; it must be <fmiModelDescription>"
        )),
    }
}

fn interface(root: &Element, name: &str) -> Result<Option<Interface>, String> {
    let Some(element) = root.child(name) else {
        return Ok(None);
    };
    let model_identifier = element.required("modelIdentifier")?;
    // It becomes a file name; a separator in it would leave the folder of the binaries.
    if model_identifier.is_empty() || model_identifier.contains(['/', '\\', ':', '\0']) {
        return Err(format!(
            "<{name}> has modelIdentifier={model_identifier:?}, which is not an identifier"
        ));
    }
    Ok(Some(Interface {
        model_identifier,
        capabilities: element
            .true_attributes()
            .filter(|name| CAPABILITY_WORDS.iter().any(|word| name.starts_with(word)))
            .map(str::to_owned)
            .collect(),
    }))
}

fn log_categories(root: &Element) -> Result<Vec<String>, String> {
    let categories = root.children_of("LogCategories").iter();
    categories
        .filter(|c| c.name == "Category")
        .map(|c| c.required("name"))
        .collect()
}

fn experiment(root: &Element) -> Result<DefaultExperiment, String> {
    let Some(element) = root.child("DefaultExperiment") else {
        return Ok(DefaultExperiment::default());
    };
    Ok(DefaultExperiment {
        start_time: element.optional("startTime")?,
        stop_time: element.optional("stopTime")?,
        tolerance: element.optional("tolerance")?,
        step_size: element.optional("stepSize")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_root_element_is_refused_by_name() {
        let error = ModelDescription::parse("<html/>").unwrap_err();
        assert!(error.contains("<html>"), "{error}");
    }

    #[test]
    fn the_version_is_read_where_the_rest_cannot_be() {
        let one = "<fmiModelDescription fmiVersion='1.0' guid='g'/>";
        assert_eq!(fmi_version(one).as_deref(), Ok("1.0"));
        let error = ModelDescription::parse(one).unwrap_err();
        assert!(error.contains("\"1.0\""), "{error}");
    }

    #[test]
    fn versions_are_known_by_their_first_number() {
        let cases = [
            ("2.0", Some(Standard::Fmi2)),
            ("3.0", Some(Standard::Fmi3)),
            ("3.0.1", Some(Standard::Fmi3)),
            ("1.0", None),
            ("30", None),
            ("", None),
        ];
        for (version, expected) in cases {
            assert_eq!(standard(version), expected, "{version}");
        }
    }
}
