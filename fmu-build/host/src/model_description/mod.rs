//! modelDescription.xml of FMI 2.0 and FMI 3.0, as far as an importer needs it. Sources: [FMI 2.0] section
//! 2.2, [FMI 3.0] section 2.4.
//!
//! Read into plain data by [`ModelDescription::parse`]; every reference between elements is checked there, so
//! that users can rely on it.
//!
//! - `xml`: the document as a tree
//! - `variable`: one variable
//!
//! In FMI 2.0 (sections 2.2.3, 2.2.7 and 2.2.8) the type of a variable is the name of a child element, and
//! elements refer to variables by their position in the list, from 1. In FMI 3.0 (sections 2.4.4 to 2.4.8)
//! each variable is an element named after its type, and elements refer to each other by value references.
//!
//! An FMU comes from anywhere, and a small file can request any amount of disk and memory: hence [`Limits`],
//! far above what models need; command line options raise them.

mod xml;

pub use xml::{DataType, Dimension, Variable};

use self::xml::Element;
use fmu_core::instance::Standard;
use std::collections::{BTreeMap, BTreeSet};
use xml::TypedElement;

/// Limits for reading an FMU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum unpacked size [bytes].
    pub unpacked: u64,
    /// Maximum size of modelDescription.xml [bytes].
    pub description: u64,
    /// Maximum number of values of all variables, counting each entry of an array, and of states and event
    /// indicators.
    pub values: usize,
}

/// Bytes of a MiB, the unit of options and messages.
pub const MIB: u64 = 1 << 20;

impl Limits {
    /// Default limits. The tree of a description takes up to twelve times its size, and the temporary folder
    /// may be in memory.
    pub const USUAL: Limits = Limits {
        unpacked: 1024 * MIB,
        description: 64 * MIB,
        values: 4_000_000,
    };
    /// No limits: for an FMU that this program has just made of the user's own scene.
    pub const NONE: Limits = Limits {
        unpacked: u64::MAX,
        description: u64::MAX,
        values: usize::MAX,
    };
}

impl Default for Limits {
    fn default() -> Limits {
        Limits::USUAL
    }
}

/// Content of modelDescription.xml.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelDescription {
    /// FMI version.
    pub standard: Standard,
    /// FMI version as written, such as `3.0`.
    pub fmi_version: String,
    /// Name of the model.
    pub model_name: String,
    /// Token expected by the binary; `guid` in FMI 2.0.
    pub instantiation_token: String,
    /// Description of the model.
    pub description: Option<String>,
    /// Author of the model.
    pub author: Option<String>,
    /// Version of the model.
    pub version: Option<String>,
    /// Copyright of the model.
    pub copyright: Option<String>,
    /// Licence of the model.
    pub license: Option<String>,
    /// Tool that generated the FMU.
    pub generation_tool: Option<String>,
    /// Model Exchange, if the FMU has it.
    pub model_exchange: Option<InterfaceDescription>,
    /// Co-Simulation, if the FMU has it.
    pub co_simulation: Option<InterfaceDescription>,
    pub(crate) has_scheduled_execution: bool,
    /// Names of the log categories.
    pub log_categories: Vec<String>,
    /// Default experiment.
    pub experiment: DefaultExperiment,
    /// Variables in document order.
    pub variables: Vec<Variable>,
    /// Outputs, derivatives and other lists of ModelStructure.
    pub structure: Structure,
    /// Number of event indicators.
    pub indicator_count: usize,
}

/// Lists of ModelStructure, as indices into the list of variables.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Structure {
    /// Outputs.
    pub outputs: Vec<usize>,
    /// State derivatives, in the order of the state vector.
    pub state_derivatives: Vec<usize>,
    /// Event indicators, in the order of the indicator vector. Empty in FMI 2.0, where they are no variables.
    pub event_indicators: Vec<usize>,
    /// Unknowns at initialisation.
    pub initial_unknowns: Vec<usize>,
}

/// Model Exchange or Co-Simulation of an FMU.
#[derive(Clone, Debug, PartialEq)]
pub struct InterfaceDescription {
    /// File name of the binary, without extension.
    pub model_identifier: String,
    /// Names of the attributes that are true: `canSerializeFMUState` ...
    pub capabilities: BTreeSet<String>,
}

impl InterfaceDescription {
    pub(crate) fn can(&self, capability: &str) -> bool {
        self.capabilities.contains(capability)
    }
}

/// Default experiment, as far as the FMU gives it.
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

/// Prefixes of the boolean attributes of an interface; excludes numbers such as
/// `maxOutputDerivativeOrder="1"`.
const CAPABILITY_WORDS: [&str; 6] = ["can", "completed", "has", "might", "needs", "provides"];

pub(crate) fn standard(fmi_version: &str) -> Option<Standard> {
    match fmi_version.split('.').next() {
        Some("2") => Some(Standard::Fmi2),
        Some("3") => Some(Standard::Fmi3),
        _ => None,
    }
}

/// Parts that differ between the versions.
struct Parts {
    token: String,
    variables: Vec<Variable>,
    structure: Structure,
    /// Number of event indicators if they are not in the structure.
    indicator_count: Option<usize>,
}

impl ModelDescription {
    /// [`Self::parse_within`] with the usual limits.
    ///
    /// # Errors
    /// See there.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::parse_within(text, &Limits::USUAL)
    }

    /// Reads modelDescription.xml.
    ///
    /// # Errors
    /// Not well-formed, not a model description, a missing or unreadable attribute, an invalid reference,
    /// more values than the limit, an FMI version other than 2 and 3: see [`fmi_version`].
    pub fn parse_within(text: &str, limits: &Limits) -> Result<Self, String> {
        let root = root(text)?;
        let fmi_version = root.required("fmiVersion")?;
        let standard = standard(&fmi_version)
            .ok_or_else(|| format!("fmiVersion={fmi_version:?} is neither 2.0 nor 3.0"))?;
        let parts = match standard {
            Standard::Fmi2 => read_fmi2(&root)?,
            Standard::Fmi3 => read_fmi3(&root)?,
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
    /// As [`Self::extents`]; an overflow.
    pub(crate) fn size(&self, variable: &Variable) -> Result<usize, String> {
        let extents = self.extents(variable)?;
        let size = extents.iter().try_fold(1_usize, |n, e| n.checked_mul(*e));
        size.ok_or_else(|| format!("variable {:?} is too large: {extents:?}", variable.name))
    }

    /// Names of the entries of a variable, with indices from 1; its own name for a scalar.
    ///
    /// # Errors
    /// As [`Self::size`].
    pub fn entry_names(&self, variable: &Variable) -> Result<Vec<String>, String> {
        let extents = self.extents(variable)?;
        let entries = 0..self.size(variable)?;
        let name = |entry| entry_name(&variable.name, &extents, entry);
        Ok(entries.map(name).collect())
    }

    pub(crate) fn count(&self, indices: &[usize]) -> usize {
        let size = |i: &usize| self.size(&self.variables[*i]).unwrap_or(0);
        indices.iter().map(size).fold(0, usize::saturating_add)
    }

    /// Number of continuous states.
    pub fn state_count(&self) -> usize {
        self.count(&self.structure.state_derivatives)
    }
}

/// Name of an entry of an array, last index fastest by [FMI 3.0] 2.2.6.1.
pub(super) fn entry_name(name: &str, extents: &[usize], entry: usize) -> String {
    if extents.is_empty() {
        return name.to_owned();
    }
    let mut rest = entry;
    let mut indices: Vec<String> = Vec::with_capacity(extents.len());
    for extent in extents.iter().rev() {
        indices.push((rest % extent + 1).to_string());
        rest /= extent;
    }
    indices.reverse();
    format!("{name}[{}]", indices.join(","))
}

/// Rejects a number of values above the limit; `what` names them.
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

/// FMI version of a model description, also of an unsupported one.
///
/// # Errors
/// Not well-formed, not a model description, no version.
pub(crate) fn fmi_version(text: &str) -> Result<String, String> {
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

fn interface(root: &Element, name: &str) -> Result<Option<InterfaceDescription>, String> {
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
    Ok(Some(InterfaceDescription {
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

fn read_fmi2(root: &Element) -> Result<Parts, String> {
    let types: BTreeMap<&str, TypedElement<'_>> = elements(root, "TypeDefinitions", "SimpleType")
        .filter_map(|element| Some((element.attribute("name")?, typed_fmi2(element)?)))
        .collect();
    let mut variables = Vec::new();
    let mut derivatives: Vec<Option<usize>> = Vec::new();
    for element in elements(root, "ModelVariables", "ScalarVariable") {
        let typed_fmi2 = typed_fmi2(element).ok_or_else(|| {
            format!(
                "{} has none of the types Real, Integer, Boolean, String, Enumeration",
                element.label()
            )
        })?;
        variables.push(Variable::read(typed_fmi2, &types)?);
        derivatives.push(typed_fmi2.body.optional("derivative")?);
    }
    let count = variables.len();
    let find = |position: usize, whose: &str| match position.checked_sub(1) {
        Some(index) if index < count => Ok(index),
        _ => Err(format!(
            "{whose} names variable {position}; the variables are 1 to {count}"
        )),
    };
    for (variable, derivative_of) in variables.iter_mut().zip(derivatives) {
        let whose = format!("variable {:?}", variable.name);
        variable.derivative_of = derivative_of.map(|p| find(p, &whose)).transpose()?;
    }
    let list = |name: &str| -> Result<Vec<usize>, String> {
        let structure = root.child("ModelStructure");
        let unknowns = structure.map_or(&[][..], |s| s.children_of(name));
        unknowns
            .iter()
            .filter(|unknown| unknown.name == "Unknown")
            .map(|unknown| find(unknown.number("index")?, &format!("<{name}>")))
            .collect()
    };
    Ok(Parts {
        token: root.required("guid")?,
        structure: Structure {
            outputs: list("Outputs")?,
            state_derivatives: list("Derivatives")?,
            event_indicators: Vec::new(),
            initial_unknowns: list("InitialUnknowns")?,
        },
        variables,
        indicator_count: Some(root.optional("numberOfEventIndicators")?.unwrap_or(0)),
    })
}

fn elements<'a>(
    root: &'a Element,
    list: &str,
    name: &'static str,
) -> impl Iterator<Item = &'a Element> {
    let children = root.children_of(list).iter();
    children.filter(move |child| child.name == name)
}

/// Element with its child that is named after a type.
fn typed_fmi2(element: &Element) -> Option<TypedElement<'_>> {
    element.children.iter().find_map(|body| {
        Some(TypedElement {
            element,
            body,
            data_type: DataType::from_name(Standard::Fmi2, &body.name)?,
        })
    })
}

const STANDARD: Standard = Standard::Fmi3;

fn read_fmi3(root: &Element) -> Result<Parts, String> {
    let types: BTreeMap<&str, TypedElement<'_>> = root
        .children_of("TypeDefinitions")
        .iter()
        .filter_map(|element| {
            let data_type = DataType::from_name(STANDARD, element.name.strip_suffix("Type")?)?;
            Some((element.attribute("name")?, typed(element, data_type)))
        })
        .collect();
    let elements: Vec<TypedElement<'_>> = root
        .children_of("ModelVariables")
        .iter()
        .filter_map(|e| Some(typed(e, DataType::from_name(STANDARD, &e.name)?)))
        .collect();
    let mut variables = Vec::with_capacity(elements.len());
    let mut by_reference = BTreeMap::new();
    for (index, element) in elements.iter().enumerate() {
        let variable = Variable::read(*element, &types)?;
        if by_reference.insert(variable.reference, index).is_some() {
            return Err(format!(
                "value reference {} of variable {:?} is taken already",
                variable.reference, variable.name
            ));
        }
        variables.push(variable);
    }
    let find = |reference: u32, whose: &str| {
        by_reference.get(&reference).copied().ok_or_else(|| {
            format!("{whose} names value reference {reference}, which no variable has")
        })
    };
    for (variable, TypedElement { element, .. }) in variables.iter_mut().zip(&elements) {
        let whose = format!("variable {:?}", variable.name);
        let derivative_of: Option<u32> = element.optional("derivative")?;
        variable.derivative_of = derivative_of.map(|r| find(r, &whose)).transpose()?;
        for dimension in element.children.iter().filter(|c| c.name == "Dimension") {
            variable
                .dimensions
                .push(match dimension.optional("start")? {
                    Some(extent) => Dimension::Fixed(extent),
                    None => {
                        Dimension::Parameter(find(dimension.number("valueReference")?, &whose)?)
                    }
                });
        }
    }
    let mut structure = Structure::default();
    for unknown in root.children_of("ModelStructure") {
        let whose = format!("<{}> in ModelStructure", unknown.name);
        let index = find(unknown.number("valueReference")?, &whose)?;
        match unknown.name.as_str() {
            "Output" => structure.outputs.push(index),
            "ContinuousStateDerivative" => structure.state_derivatives.push(index),
            "EventIndicator" => structure.event_indicators.push(index),
            "InitialUnknown" => structure.initial_unknowns.push(index),
            _ => {}
        }
    }
    Ok(Parts {
        token: root.required("instantiationToken")?,
        variables,
        structure,
        indicator_count: None,
    })
}

fn typed(element: &Element, data_type: DataType) -> TypedElement<'_> {
    TypedElement {
        element,
        body: element,
        data_type,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_of_arrays_are_named_row_by_row_from_one() {
        assert_eq!(entry_name("a", &[], 0), "a");
        assert_eq!(entry_name("a", &[3], 2), "a[3]");
        let names: Vec<String> = (0..6).map(|i| entry_name("m", &[2, 3], i)).collect();
        assert_eq!(
            names,
            ["m[1,1]", "m[1,2]", "m[1,3]", "m[2,1]", "m[2,2]", "m[2,3]"]
        );
    }

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

#[cfg(test)]
mod fmi2_tests {
    use super::*;
    use super::{DefaultExperiment, ModelDescription};

    /// TypedElement by hand from the standard's description of the elements.
    const TEXT: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="Ball &amp; co" guid="{t}" generationTool="hand" numberOfEventIndicators="6">
  <ModelExchange modelIdentifier="ball" completedIntegratorStepNotNeeded="true" canGetAndSetFMUstate="false"><SourceFiles><File name="a.c"/></SourceFiles></ModelExchange>
  <CoSimulation modelIdentifier="ball_cs" canHandleVariableCommunicationStepSize="1" maxOutputDerivativeOrder="1"/>
  <TypeDefinitions>
    <SimpleType name="Length" description="A length"><Real unit="m" nominal="1e-3"/></SimpleType>
    <SimpleType name="Side"><Enumeration><Item name="left" value="1"/></Enumeration></SimpleType>
  </TypeDefinitions>
  <LogCategories><Category name="logEvents"/><Category name="contacts" description="e"/></LogCategories>
  <DefaultExperiment startTime="0.5" tolerance="1e-8"/>
  <ModelVariables>
    <ScalarVariable name="h" valueReference="7" causality="output"><Real declaredType="Length" start="1.5"/></ScalarVariable>
    <ScalarVariable name="height" valueReference="7" description="Same as h"><Real unit="cm" nominal="7"/></ScalarVariable>
    <ScalarVariable name="der(h)" valueReference="8"><Real derivative="1"/><Annotations><Tool name="t"/></Annotations></ScalarVariable>
    <ScalarVariable name="n" valueReference="7" causality="parameter" variability="tunable"><Integer start="3"/></ScalarVariable>
    <ScalarVariable name="on" valueReference="7" causality="output"><Boolean start="true"/></ScalarVariable>
    <ScalarVariable name="s" valueReference="1" causality="parameter"><String start="x"/></ScalarVariable>
    <ScalarVariable name="side" valueReference="8" causality="output"><Enumeration declaredType="Side"/></ScalarVariable>
  </ModelVariables>
  <ModelStructure>
    <Outputs><Unknown index="1" dependencies=""/><Unknown index="5"/><Unknown index="7"/></Outputs>
    <Derivatives><Unknown index="3" dependencies="1"/></Derivatives>
    <InitialUnknowns><Unknown index="3"/></InitialUnknowns>
  </ModelStructure>
</fmiModelDescription>"#;

    #[test]
    fn the_parts_of_a_model_description_are_read() {
        let d = ModelDescription::parse(TEXT).unwrap();
        assert_eq!(
            (d.standard, d.fmi_version.as_str(), d.model_name.as_str()),
            (Standard::Fmi2, "2.0", "Ball & co")
        );
        assert_eq!(d.instantiation_token, "{t}");
        let me = d.model_exchange.as_ref().unwrap();
        assert_eq!(me.model_identifier, "ball");
        assert!(me.can("completedIntegratorStepNotNeeded") && !me.can("canGetAndSetFMUstate"));
        let cs = d.co_simulation.as_ref().unwrap();
        assert_eq!(cs.model_identifier, "ball_cs");
        let capabilities: Vec<&str> = cs.capabilities.iter().map(String::as_str).collect();
        assert_eq!(capabilities, ["canHandleVariableCommunicationStepSize"]);
        assert_eq!(d.log_categories, ["logEvents", "contacts"]);
        let experiment = DefaultExperiment {
            start_time: Some(0.5),
            stop_time: None,
            tolerance: Some(1e-8),
            step_size: None,
        };
        assert_eq!(d.experiment, experiment);
        assert_eq!(d.structure.outputs, [0, 4, 6]);
        assert_eq!(d.structure.state_derivatives, [2]);
        assert_eq!(d.structure.initial_unknowns, [2]);
        assert_eq!((d.state_count(), d.indicator_count), (1, 6));
    }

    #[test]
    fn types_units_and_starts_are_those_of_the_element_inside() {
        let d = ModelDescription::parse(TEXT).unwrap();
        let types: Vec<&str> = d
            .variables
            .iter()
            .map(|v| v.data_type.name(Standard::Fmi2))
            .collect();
        assert_eq!(
            types,
            [
                "Real",
                "Real",
                "Real",
                "Integer",
                "Boolean",
                "String",
                "Enumeration"
            ]
        );
        let (h, height) = (&d.variables[0], &d.variables[1]);
        assert_eq!((h.unit.as_deref(), h.nominal), (Some("m"), Some(1e-3)));
        assert_eq!(h.description.as_deref(), Some("A length"));
        assert_eq!(h.start.as_deref(), Some("1.5"));
        assert_eq!(
            (height.unit.as_deref(), height.nominal),
            (Some("cm"), Some(7.0))
        );
        assert_eq!(height.description.as_deref(), Some("Same as h"));
        assert_eq!(d.variables[2].derivative_of, Some(0));
        assert_eq!(d.variables[3].variability, "tunable");
        assert_eq!(d.variables[5].variability, "fixed");
        assert_eq!(d.variables[5].start.as_deref(), Some("x"));
    }

    #[test]
    fn variables_may_share_a_value_reference() {
        let d = ModelDescription::parse(TEXT).unwrap();
        let shared = d.variables.iter().filter(|v| v.reference == 7);
        assert_eq!(shared.count(), 4);
    }

    #[test]
    fn without_a_number_of_event_indicators_there_are_none() {
        let text = TEXT.replace(" numberOfEventIndicators=\"6\"", "");
        assert_eq!(ModelDescription::parse(&text).unwrap().indicator_count, 0);
    }

    #[test]
    fn what_is_missing_or_wrong_is_named() {
        let cases = [
            ("guid=\"{t}\"", "", "no attribute guid"),
            ("valueReference=\"8\"><R", "valueReference=\"-1\"><R", "-1"),
            ("derivative=\"1\"", "derivative=\"8\"", "1 to 7"),
            ("derivative=\"1\"", "derivative=\"0\"", "names variable 0"),
            (
                "<Unknown index=\"5\"/>",
                "<Unknown index=\"0\"/>",
                "<Outputs>",
            ),
            ("<Unknown index=\"5\"/>", "<Unknown/>", "no attribute index"),
            ("<Boolean start=\"true\"/>", "<Float64/>", "name=\"on\""),
            (
                "declaredType=\"Length\"",
                "declaredType=\"Mass\"",
                "\"Mass\"",
            ),
            ("Indicators=\"6\"", "Indicators=\"-6\"", "\"-6\""),
            ("\"ball_cs\"", "\"../b\"", "is not an identifier"),
            ("\"1e-8\"", "\"tight\"", "tolerance=\"tight\""),
        ];
        for (old, new, expected) in cases {
            assert_eq!(TEXT.matches(old).count(), 1, "{old}");
            let error = ModelDescription::parse(&TEXT.replace(old, new)).unwrap_err();
            assert!(error.contains(expected), "{new}: {error}");
        }
    }
}

#[cfg(test)]
mod fmi3_tests {
    use super::{DefaultExperiment, ModelDescription};

    /// TypedElement by hand from the standard's description of the elements.
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
        assert_eq!(d.structure.outputs, [1, 6]);
        assert_eq!(d.structure.state_derivatives, [2]);
        assert_eq!(d.structure.initial_unknowns, [2]);
        assert_eq!(d.structure.event_indicators, [4]);
    }

    #[test]
    fn a_variable_takes_unit_and_nominal_from_its_declared_type_unless_it_has_its_own() {
        let d = ModelDescription::parse(TEXT).unwrap();
        let h = &d.variables[1];
        assert_eq!((h.unit.as_deref(), h.nominal), (Some("m"), Some(1e-3)));
        assert_eq!(h.description.as_deref(), Some("A length"));
        let a = &d.variables[4];
        assert_eq!((a.unit.as_deref(), a.nominal), (Some("N"), Some(7.0)));
    }

    #[test]
    fn defaults_follow_type_and_causality() {
        let d = ModelDescription::parse(TEXT).unwrap();
        let kind = |r: usize| {
            let v = &d.variables[r];
            (v.causality.as_str(), v.variability.as_str())
        };
        assert_eq!(kind(2), ("local", "continuous"));
        assert_eq!(kind(3), ("structuralParameter", "fixed"));
        assert_eq!(kind(5), ("parameter", "fixed"));
        assert_eq!(kind(6), ("output", "discrete"));
        assert_eq!(d.variables[5].start.as_deref(), Some("x"));
        assert_eq!(d.variables[2].derivative_of, Some(1));
    }

    #[test]
    fn sizes_of_arrays_follow_fixed_extents_and_structural_parameters() {
        let d = ModelDescription::parse(TEXT).unwrap();
        assert_eq!(d.extents(&d.variables[4]), Ok(vec![2, 3]));
        assert_eq!(d.indicator_count, 6);
        assert_eq!(d.count(&d.structure.outputs), 2);
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
            // 2 times that in a, and one in each of the four before it; u64 ends at 1.8e19.
            (
                "start=\"3\"",
                "start=\"300000000000000000\"",
                "600000000000000004; 4000000 are allowed",
            ),
            ("start=\"3\"", "start=\"10000000000000000000\"", "too large"),
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
    }
}
