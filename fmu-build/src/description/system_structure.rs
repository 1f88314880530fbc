//! SystemStructure.ssd and the parameter set of an SSP: the model as a component whose inputs and
//! outputs are those of the system. By SSP 1.0; with an FMU of FMI 3.0, which SSP knows since
//! then, by SSP 2.0. Variables are scalars.

use super::model_description::units;
use super::template::{self, Record, TemplateError};
use super::{number, start, tool};
use contact_model::scene::Scene;
use fmu_core::instance::Standard;
use fmu_core::instance::variables::describe::Describer;
use fmu_core::instance::variables::{Causality, DataType, Variable, VariableTable};

const SYSTEM: &str = include_str!("../../../modelDescription.templates/SystemStructure.ssd");
const PARAMETERS: &str = include_str!("../../../modelDescription.templates/parameters.ssv");

/// Width of the component, and its distance from the border of the system [mm].
const WIDTH: f64 = 100.0;
const BORDER: f64 = 50.0;
/// Height of the component for each connector on its fuller side [mm].
const PITCH: f64 = 5.0;

/// Paths and contents of the documents; the FMU belongs into `resources/`.
///
/// # Errors
/// A broken template.
pub(crate) fn files(
    scene: &Scene,
    standard: Standard,
) -> Result<Vec<(String, Vec<u8>)>, TemplateError> {
    let table = VariableTable::new(scene, standard);
    let variables = Describer::new(scene, &table).variables(&[]);
    let of = |causality| variables.iter().filter(move |v| v.causality == causality);
    let side = |causality| side(scene.name(), causality, of(causality).collect());
    let [inputs, outputs] = [Causality::Input, Causality::Output].map(side);
    let height = PITCH * inputs.len().max(outputs.len()).max(1) as f64;
    let connectors: Vec<Record> = inputs.into_iter().chain(outputs).collect();
    let experiment = scene.experiment();
    let record = Record::new()
        .text("model", scene.name())
        .text("tool", tool())
        .text(
            "ssp_version",
            match standard {
                Standard::Fmi2 => "1.0",
                Standard::Fmi3 => "2.0",
            },
        )
        .optional("has_connectors", (!connectors.is_empty()).then(String::new))
        .list("connectors", connectors)
        .list("parameters", of(Causality::Parameter).map(typed).collect())
        .list("units", units())
        .text("left", number(BORDER))
        .text("bottom", number(BORDER))
        .text("right", number(BORDER + WIDTH))
        .text("top", number(BORDER + height))
        .text("width", number(2.0 * BORDER + WIDTH))
        .text("height", number(2.0 * BORDER + height))
        .text("start_time", number(experiment.start_time))
        .text("stop_time", number(experiment.stop_time));
    let system = template::fill(SYSTEM, &record)?;
    let parameters = template::fill(PARAMETERS, &record)?;
    Ok(vec![
        ("SystemStructure.ssd".to_owned(), system.into()),
        (format!("resources/{}.ssv", scene.name()), parameters.into()),
    ])
}

/// The connectors on one side, from top to bottom: inputs left, outputs right. Coordinates go from
/// 0, 0 at the lower left to 1, 1 at the upper right of the component.
fn side(model: &str, causality: Causality, variables: Vec<&Variable>) -> Vec<Record<'static>> {
    let count = variables.len() as f64;
    let is_input = causality == Causality::Input;
    let x = if is_input { 0.0 } else { 1.0 };
    let ends = |is_inside: bool| is_inside.then(|| model.to_owned());
    let connector = |(index, variable): (usize, &Variable)| {
        typed(variable)
            .text("kind", causality.word())
            .text("x", number(x))
            .text("y", number(1.0 - (index as f64 + 0.5) / count))
            .optional("start_element", ends(!is_input))
            .optional("end_element", ends(is_input))
    };
    variables.into_iter().enumerate().map(connector).collect()
}

fn typed(variable: &Variable) -> Record<'static> {
    let is = |data_type| (variable.data_type == data_type).then(String::new);
    let unit = variable.declared_type.and_then(|declared| declared.unit);
    Record::new()
        .text("name", &variable.name)
        .optional("real", is(DataType::Float64))
        .optional("integer", is(DataType::Int32).or(is(DataType::Int64)))
        .optional("boolean", is(DataType::Boolean))
        .optional("unit", unit.map(str::to_owned))
        .optional("start", start(variable))
}
