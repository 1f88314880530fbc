//! modelDescription.xml of FMI 3.0.
//!
//! Choices that real importers ask for: every variable of type Float64 names a declared type, which
//! carries unit, quantity and display unit; `initial` is left away where it has its default;
//! `dependencies` is always written, an empty list too; there is no time stamp, so a rebuild is
//! identical to the byte.

use super::template::{self, Record, TemplateError};
use super::{ModelFacts, number};
use fmu_core::instance::Category;
use fmu_core::instance::variables::describe::Describer;
use fmu_core::instance::variables::structure::{ModelStructure, Unknown};
use fmu_core::instance::variables::units::{TYPES, UNITS, Unit};
use fmu_core::instance::variables::{DataType, Variable};

const TEMPLATE: &str =
    include_str!("../../../modelDescription.templates/modelDescription.fmi3.xml");

/// The text of modelDescription.xml.
pub fn model_description(facts: &ModelFacts) -> Result<String, TemplateError> {
    let describer = Describer::new(facts.scene, facts.table);
    let variables = describer.variables(facts.nominals);
    let structure = ModelStructure::new(facts.scene, facts.table);
    let unknowns = |list: &[Unknown]| list.iter().map(unknown).collect();
    let record = facts
        .record()
        .text("token", facts.token)
        .list("units", units())
        .list("types", types())
        .list("log_categories", log_categories())
        .list("variables", variables.iter().map(variable).collect())
        .list("outputs", unknowns(&structure.outputs))
        .list("state_derivatives", unknowns(&structure.state_derivatives))
        .list("initial_unknowns", unknowns(&structure.initial_unknowns))
        .list("event_indicators", unknowns(&structure.event_indicators));
    template::fill(TEMPLATE, &record)
}

fn units() -> Vec<Record> {
    let exponent = |e: i32| (e != 0).then(|| e.to_string());
    let unit = |unit: &Unit| {
        let display = unit.display.iter().map(|display| {
            Record::new()
                .text("display_unit", display.name)
                .text("factor", number(display.factor))
        });
        Record::new()
            .text("unit", unit.name)
            .optional("kg", exponent(unit.kg))
            .optional("m", exponent(unit.m))
            .optional("s", exponent(unit.s))
            .optional("rad", exponent(unit.rad))
            .list("display_units", display.collect())
    };
    UNITS.iter().map(unit).collect()
}

fn types() -> Vec<Record> {
    let declared = TYPES.iter().map(|declared| {
        Record::new()
            .text("type", declared.name)
            .text("quantity", declared.quantity)
            .optional("unit", declared.unit.map(String::from))
            .optional("display_unit", declared.display_unit.map(String::from))
    });
    declared.collect()
}

fn log_categories() -> Vec<Record> {
    let description = |category| match category {
        Category::Events => "Events and what they changed",
        Category::Contacts => "Contacts that start and end",
        Category::Integrator => "Work of the built-in integrator in Co-Simulation",
        Category::States => "Mode changes of the instance",
        Category::Errors => "Calls that failed",
    };
    let record = |category: Category| {
        Record::new()
            .text("category", category.name())
            .text("description", description(category))
    };
    Category::ALL.into_iter().map(record).collect()
}

fn variable(variable: &Variable) -> Record {
    let quantity = variable.quantity;
    let is = |data_type| (quantity.data_type() == data_type).then(String::new);
    let initial = quantity
        .initial()
        .filter(|initial| quantity.default_initial() != Some(*initial));
    Record::new()
        .optional("float64", is(DataType::Float64))
        .optional("int32", is(DataType::Int32))
        .text("name", &variable.name)
        .text("reference", variable.reference.to_string())
        .text("causality", quantity.causality().word())
        .text("variability", quantity.variability().word())
        .optional("initial", initial.map(|i| i.word().into()))
        .optional("type", variable.declared_type.map(|t| t.name.into()))
        .optional("start", variable.start.map(number))
        .optional("nominal", variable.nominal.map(number))
        .optional("derivative", variable.derivative_of.map(|r| r.to_string()))
        .text("description", &variable.description)
}

fn unknown(unknown: &Unknown) -> Record {
    let mut dependencies = String::new();
    for reference in &unknown.dependencies {
        if !dependencies.is_empty() {
            dependencies.push(' ');
        }
        dependencies.push_str(&reference.to_string());
    }
    Record::new()
        .text("reference", unknown.reference.to_string())
        .text("dependencies", dependencies)
}
