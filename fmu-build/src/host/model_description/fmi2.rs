//! What FMI 2.0 writes in its own way: the type of a variable is the name of an element inside, and
//! elements name variables by their place in the list, from 1. Source: [FMI 2.0] sections 2.2.3,
//! 2.2.7 and 2.2.8.

use super::variable::{DataType, Typed, Variable};
use super::xml::Element;
use super::{Parts, Structure};
use fmu_core::instance::Standard;
use std::collections::BTreeMap;

pub(super) fn read(root: &Element) -> Result<Parts, String> {
    let types: BTreeMap<&str, Typed<'_>> = elements(root, "TypeDefinitions", "SimpleType")
        .filter_map(|element| Some((element.attribute("name")?, typed(element)?)))
        .collect();
    let mut variables = Vec::new();
    let mut derivatives: Vec<Option<usize>> = Vec::new();
    for element in elements(root, "ModelVariables", "ScalarVariable") {
        let typed = typed(element).ok_or_else(|| {
            format!(
                "{} has none of the types Real, Integer, Boolean, String, Enumeration",
                element.label()
            )
        })?;
        variables.push(Variable::read(typed, &types)?);
        derivatives.push(typed.body.optional("derivative")?);
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

/// Elements of one name in a list.
fn elements<'a>(
    root: &'a Element,
    list: &str,
    name: &'static str,
) -> impl Iterator<Item = &'a Element> {
    let children = root.children_of(list).iter();
    children.filter(move |child| child.name == name)
}

/// The element with the one inside that is named after a type.
fn typed(element: &Element) -> Option<Typed<'_>> {
    element.children.iter().find_map(|body| {
        Some(Typed {
            element,
            body,
            data_type: DataType::from_name(Standard::Fmi2, &body.name)?,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::{DefaultExperiment, ModelDescription};
    use super::*;

    /// Typed by hand from the standard's description of the elements.
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
