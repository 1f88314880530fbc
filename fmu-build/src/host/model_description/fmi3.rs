//! What FMI 3.0 writes in its own way: each variable is an element named after its type, and
//! elements name each other by value references. Source: [FMI 3.0] sections 2.4.4 to 2.4.8.

use super::variable::{DataType, Dimension, Typed, Variable};
use super::xml::Element;
use super::{Parts, Structure};
use fmu_core::instance::Standard;
use std::collections::BTreeMap;

const STANDARD: Standard = Standard::Fmi3;

pub(super) fn read(root: &Element) -> Result<Parts, String> {
    let types: BTreeMap<&str, Typed<'_>> = root
        .children_of("TypeDefinitions")
        .iter()
        .filter_map(|element| {
            let data_type = DataType::from_name(STANDARD, element.name.strip_suffix("Type")?)?;
            Some((element.attribute("name")?, typed(element, data_type)))
        })
        .collect();
    let elements: Vec<Typed<'_>> = root
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
    for (variable, Typed { element, .. }) in variables.iter_mut().zip(&elements) {
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

fn typed(element: &Element, data_type: DataType) -> Typed<'_> {
    Typed {
        element,
        body: element,
        data_type,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{DefaultExperiment, ModelDescription};

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
