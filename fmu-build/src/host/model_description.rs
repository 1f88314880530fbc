//! modelDescription.xml of FMI 3.0 as far as an importer needs it. Source: [FMI 3.0] section 2.4.
//!
//! Read into plain data by [`ModelDescription::parse`]; every reference between elements is
//! checked there, so that users can rely on it.

pub use super::variable::{DataType, Dimension, Variable};
use super::xml::{self, Element};
use std::collections::{BTreeMap, BTreeSet};

/// What an FMU says about itself.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelDescription {
    /// FMI version, `3.0`.
    pub fmi_version: String,
    /// Name of the model.
    pub model_name: String,
    /// Token that the binary wants to see.
    pub instantiation_token: String,
    /// Description of the model.
    pub description: Option<String>,
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
    /// Value references of the outputs, in the order of ModelStructure.
    pub outputs: Vec<u32>,
    /// Value references of the state derivatives, in the order of the state vector.
    pub state_derivatives: Vec<u32>,
    /// Value references of the event indicators, in the order of the indicator vector.
    pub event_indicators: Vec<u32>,
    /// Value references of the unknowns at initialisation.
    pub initial_unknowns: Vec<u32>,
    by_reference: BTreeMap<u32, usize>,
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
const CAPABILITY_WORDS: [&str; 5] = ["can", "has", "might", "needs", "provides"];

/// Values that one array variable has at most: 8 GiB of them is no model but a mistake.
const MAX_VALUES: usize = 1 << 30;

impl ModelDescription {
    /// Reads modelDescription.xml.
    ///
    /// # Errors
    /// Not well-formed, not a model description, a missing or unreadable attribute, a reference to
    /// nothing. An FMU of another FMI version gives its version only: see [`fmi_version`].
    pub fn parse(text: &str) -> Result<Self, String> {
        let root = root(text)?;
        let fmi_version = root.required("fmiVersion")?;
        let types = declared_types(&root);
        let mut variables = Vec::new();
        for element in root.children_of("ModelVariables") {
            if let Some(data_type) = DataType::from_name(&element.name) {
                variables.push(Variable::read(element, data_type, &types)?);
            }
        }
        let mut by_reference = BTreeMap::new();
        for (index, variable) in variables.iter().enumerate() {
            if by_reference.insert(variable.reference, index).is_some() {
                return Err(format!(
                    "value reference {} of variable {:?} is taken already",
                    variable.reference, variable.name
                ));
            }
        }
        let mut description = ModelDescription {
            model_name: root.required("modelName")?,
            instantiation_token: root.required("instantiationToken")?,
            description: root.attribute("description").map(str::to_owned),
            generation_tool: root.attribute("generationTool").map(str::to_owned),
            model_exchange: interface(&root, "ModelExchange")?,
            co_simulation: interface(&root, "CoSimulation")?,
            has_scheduled_execution: root.child("ScheduledExecution").is_some(),
            log_categories: log_categories(&root)?,
            experiment: experiment(&root)?,
            outputs: Vec::new(),
            state_derivatives: Vec::new(),
            event_indicators: Vec::new(),
            initial_unknowns: Vec::new(),
            fmi_version,
            variables,
            by_reference,
        };
        for unknown in root.children_of("ModelStructure") {
            let reference = unknown.number("valueReference")?;
            if description.variable(reference).is_none() {
                return Err(format!(
                    "<{}> in ModelStructure names value reference {reference}, which no variable has",
                    unknown.name
                ));
            }
            match unknown.name.as_str() {
                "Output" => description.outputs.push(reference),
                "ContinuousStateDerivative" => description.state_derivatives.push(reference),
                "EventIndicator" => description.event_indicators.push(reference),
                "InitialUnknown" => description.initial_unknowns.push(reference),
                _ => {}
            }
        }
        description.check_references()?;
        Ok(description)
    }

    fn check_references(&self) -> Result<(), String> {
        for variable in &self.variables {
            let named = variable.dimensions.iter().filter_map(|d| match d {
                Dimension::Parameter(reference) => Some(*reference),
                Dimension::Fixed(_) => None,
            });
            for reference in named.chain(variable.derivative_of) {
                if self.variable(reference).is_none() {
                    return Err(format!(
                        "variable {:?} names value reference {reference}, which no variable has",
                        variable.name
                    ));
                }
            }
            self.size(variable)?;
        }
        Ok(())
    }

    /// The variable with a value reference.
    pub fn variable(&self, reference: u32) -> Option<&Variable> {
        self.by_reference
            .get(&reference)
            .map(|i| &self.variables[*i])
    }

    /// Extents of a variable with the start values of structural parameters; empty for a scalar.
    ///
    /// # Errors
    /// A structural parameter without usable start value.
    pub fn extents(&self, variable: &Variable) -> Result<Vec<usize>, String> {
        let extent = |dimension: &Dimension| match dimension {
            Dimension::Fixed(extent) => Ok(*extent),
            Dimension::Parameter(reference) => {
                let parameter = self.variable(*reference);
                let start = parameter.and_then(|p| p.start.as_deref());
                start.and_then(|s| s.trim().parse().ok()).ok_or_else(|| {
                    format!(
                        "a dimension of variable {:?} is value reference {reference}, whose start \
                         value {start:?} is not a size",
                        variable.name
                    )
                })
            }
        };
        variable.dimensions.iter().map(extent).collect()
    }

    /// Number of values of a variable; 1 for a scalar.
    ///
    /// # Errors
    /// As [`Self::extents`]; more than 2^30 values.
    pub fn size(&self, variable: &Variable) -> Result<usize, String> {
        let extents = self.extents(variable)?;
        let size = extents.iter().try_fold(1_usize, |n, e| n.checked_mul(*e));
        size.filter(|n| *n <= MAX_VALUES)
            .ok_or_else(|| format!("variable {:?} is too large: {extents:?}", variable.name))
    }

    /// Number of values of the variables with these references, which the document names.
    pub fn count(&self, references: &[u32]) -> usize {
        let size = |r: &u32| {
            self.variable(*r)
                .and_then(|v| self.size(v).ok())
                .unwrap_or(0)
        };
        references.iter().map(size).sum()
    }
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

fn declared_types(root: &Element) -> BTreeMap<&str, &Element> {
    let types = root.children_of("TypeDefinitions").iter();
    types
        .filter_map(|t| t.attribute("name").map(|name| (name, t)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Typed by hand from the standard's description of the elements.
    const TEXT: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="Ball &amp; co" instantiationToken="{t}" generationTool="hand">
  <ModelExchange modelIdentifier="ball" needsCompletedIntegratorStep="true" canSerializeFMUState="false"/>
  <CoSimulation modelIdentifier="ball_cs" hasEventMode="1"/>
  <TypeDefinitions><Float64Type name="Length" unit="m" nominal="1e-3" description="A length"/></TypeDefinitions>
  <LogCategories><Category name="contacts"/><Category name="errors" description="e"/></LogCategories>
  <DefaultExperiment startTime="0.5" tolerance="1e-8"/>
  <ModelVariables>
    <Float64 name="time" valueReference="1" causality="independent"/>
    <Float64 name="h" valueReference="2" causality="output" declaredType="Length" start="1.5"><Alias name="height"/></Float64>
    <Float64 name="der(h)" valueReference="3" derivative="2"/>
    <UInt64 name="n" valueReference="4" causality="structuralParameter" start="3"/>
    <Float64 name="a" valueReference="5" unit="N" nominal="7"><Dimension start="2"/><Dimension valueReference="4"/></Float64>
    <String name="s" valueReference="6" causality="parameter"><Start value="x"/></String>
    <Int32 name="count" valueReference="7" causality="output"/>
  </ModelVariables>
  <ModelStructure>
    <Output valueReference="2" dependencies=""/><Output valueReference="7"/>
    <ContinuousStateDerivative valueReference="3"/>
    <InitialUnknown valueReference="3"/>
    <EventIndicator valueReference="5"/>
  </ModelStructure>
</fmiModelDescription>"#;

    #[test]
    fn the_parts_of_a_model_description_are_read() {
        let d = ModelDescription::parse(TEXT).unwrap();
        assert_eq!(
            (d.fmi_version.as_str(), d.model_name.as_str()),
            ("3.0", "Ball & co")
        );
        assert_eq!(d.instantiation_token, "{t}");
        let me = d.model_exchange.as_ref().unwrap();
        assert!(me.can("needsCompletedIntegratorStep") && !me.can("canSerializeFMUState"));
        let cs = d.co_simulation.as_ref().unwrap();
        assert_eq!(cs.model_identifier, "ball_cs");
        assert!(cs.can("hasEventMode"));
        assert!(!d.has_scheduled_execution);
        assert_eq!(d.log_categories, ["contacts", "errors"]);
        let experiment = DefaultExperiment {
            start_time: Some(0.5),
            stop_time: None,
            tolerance: Some(1e-8),
            step_size: None,
        };
        assert_eq!(d.experiment, experiment);
        assert_eq!(d.outputs, [2, 7]);
        assert_eq!(d.state_derivatives, [3]);
        assert_eq!(d.initial_unknowns, [3]);
        assert_eq!(d.event_indicators, [5]);
    }

    #[test]
    fn a_variable_takes_unit_and_nominal_from_its_declared_type_unless_it_has_its_own() {
        let d = ModelDescription::parse(TEXT).unwrap();
        let h = d.variable(2).unwrap();
        assert_eq!((h.unit.as_deref(), h.nominal), (Some("m"), Some(1e-3)));
        assert_eq!(h.description.as_deref(), Some("A length"));
        let a = d.variable(5).unwrap();
        assert_eq!((a.unit.as_deref(), a.nominal), (Some("N"), Some(7.0)));
    }

    #[test]
    fn defaults_follow_type_and_causality() {
        let d = ModelDescription::parse(TEXT).unwrap();
        let kind = |r| {
            let v = d.variable(r).unwrap();
            (v.causality.as_str(), v.variability.as_str())
        };
        assert_eq!(kind(3), ("local", "continuous"));
        assert_eq!(kind(4), ("structuralParameter", "fixed"));
        assert_eq!(kind(6), ("parameter", "fixed"));
        assert_eq!(kind(7), ("output", "discrete"));
        assert_eq!(d.variable(6).unwrap().start.as_deref(), Some("x"));
        assert_eq!(d.variable(3).unwrap().derivative_of, Some(2));
    }

    #[test]
    fn sizes_of_arrays_follow_fixed_extents_and_structural_parameters() {
        let d = ModelDescription::parse(TEXT).unwrap();
        assert_eq!(d.extents(d.variable(5).unwrap()), Ok(vec![2, 3]));
        assert_eq!(d.count(&d.event_indicators), 6);
        assert_eq!(d.count(&d.outputs), 2);
    }

    #[test]
    fn what_is_missing_or_wrong_is_named() {
        let cases = [
            (
                "instantiationToken=\"{t}\"",
                "",
                "no attribute instantiationToken",
            ),
            (
                "valueReference=\"7\" caus",
                "valueReference=\"x\" caus",
                "valueReference=\"x\"",
            ),
            (
                "valueReference=\"7\" caus",
                "valueReference=\"2\" caus",
                "is taken already",
            ),
            (
                "declaredType=\"Length\"",
                "declaredType=\"Mass\"",
                "declaredType=\"Mass\"",
            ),
            (
                "Indicator valueReference=\"5\"",
                "Indicator valueReference=\"50\"",
                "reference 50",
            ),
            ("derivative=\"2\"", "derivative=\"20\"", "reference 20"),
            ("start=\"3\"", "start=\"-3\"", "is not a size"),
            ("start=\"3\"", "start=\"300000000000000000\"", "too large"),
            (
                "identifier=\"ball_cs\"",
                "identifier=\"../b\"",
                "is not an identifier",
            ),
            (
                "tolerance=\"1e-8\"",
                "tolerance=\"tight\"",
                "tolerance=\"tight\"",
            ),
        ];
        for (old, new, expected) in cases {
            let old = old.replace("identifier", "Identifier");
            let new = new.replace("identifier", "Identifier");
            assert_eq!(TEXT.matches(&old).count(), 1, "{old}");
            let error = ModelDescription::parse(&TEXT.replace(&old, &new)).unwrap_err();
            assert!(error.contains(expected), "{new}: {error}");
        }
        let error = ModelDescription::parse("<html/>").unwrap_err();
        assert!(error.contains("<html>"), "{error}");
    }

    #[test]
    fn the_version_is_read_where_the_rest_cannot_be() {
        let two = "<fmiModelDescription fmiVersion='2.0' guid='g'/>";
        assert_eq!(fmi_version(two).as_deref(), Ok("2.0"));
        assert!(ModelDescription::parse(two).is_err());
    }
}
