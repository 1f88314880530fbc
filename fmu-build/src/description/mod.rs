//! Descriptions inside an FMU, made from the variable table and the templates.
//!
//! - [`template`]: fills a template
//! - [`model_description`]: the file modelDescription.xml of FMI 2.0 and FMI 3.0
//! - [`facts`]: what is said of the elements of a scene
//! - [`documentation`]: the page documentation/index.html
//! - [`system_structure`]: the documents of an SSP

pub(crate) mod documentation;
pub(crate) mod facts;
pub(crate) mod model_description;
#[cfg(test)]
#[path = "../../tests/unit/description/sample.rs"]
mod sample;
pub(crate) mod system_structure;
pub(crate) mod template;

use contact_model::scene::Scene;
use contact_model::scene::description::About;
use fmu_core::instance::Standard;
use fmu_core::instance::variables::{DataType, Variable, VariableTable};
use fmu_view::number::rounded;

/// A model as its documents describe it.
pub(crate) struct ModelFacts<'a> {
    /// The scene.
    pub scene: &'a Scene,
    /// The variable table of the scene for the FMI version that the documents are for.
    pub table: &'a VariableTable,
    /// The variables of the table, with the nominal magnitude of each state.
    pub variables: &'a [Variable],
    /// Relative tolerance that the contacts ask of a solver [1].
    pub suggested_tolerance: f64,
    /// Instantiation token.
    pub token: &'a str,
    /// What the scene says about itself.
    pub about: &'a About,
}

/// Name of this tool.
pub(crate) const TOOL: &str = env!("CARGO_PKG_NAME");
/// Version of this tool.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Description of a model that has none.
const DESCRIPTION: &str =
    "Rigid bodies in contact; units and frames are in the description of each variable";

/// Relative tolerance for solvers of importers [1]: what the scene states is enough for Co-Simulation, and a
/// solver without its error control needs the suggested one if that is finer.
pub(crate) fn importer_tolerance(scene: &Scene, suggested: f64) -> f64 {
    let own = scene.experiment().tolerance;
    own.map_or(suggested, |own| own.min(suggested))
}

impl ModelFacts<'_> {
    /// Relative tolerance of the default experiment [1].
    pub(crate) fn tolerance(&self) -> f64 {
        importer_tolerance(self.scene, self.suggested_tolerance)
    }

    /// Communication step size of the default experiment [s].
    pub(crate) fn step_size(&self) -> f64 {
        self.scene.experiment().communication_step()
    }

    /// The fields that all documents share.
    fn record<'r>(&self) -> template::Record<'r> {
        let experiment = self.scene.experiment();
        template::Record::new()
            .text("model", self.scene.name())
            .text(
                "about",
                self.about.description.as_deref().unwrap_or(DESCRIPTION),
            )
            .optional("author", self.about.author.clone())
            .optional("copyright", self.about.copyright.clone())
            .optional("license", self.about.license.clone())
            .optional("version", self.about.version.clone())
            .text("tool", tool())
            .text("fmi_version", version(self.table.standard()))
            .text("state_count", self.scene.layout().count().to_string())
            .text("indicator_count", self.scene.indicator_count().to_string())
            .text("start_time", number(experiment.start_time))
            .text("stop_time", number(experiment.stop_time))
            .text("tolerance", number(self.tolerance()))
            .text("step_size", number(self.step_size()))
    }
}

/// Name and version of the tool, as the documents name it.
fn tool() -> String {
    format!("{TOOL} {VERSION}")
}

/// An FMI version as model descriptions write it.
pub(crate) fn version(standard: Standard) -> &'static str {
    match standard {
        Standard::Fmi2 => "2.0",
        Standard::Fmi3 => "3.0",
    }
}

/// Start values separated by spaces; none where the variable has no start.
fn start(variable: &Variable) -> Option<String> {
    let value = |value: &f64| match variable.data_type {
        DataType::Float64 => number(*value),
        _ => format!("{value}"),
    };
    let values: Vec<String> = variable.start.iter().map(value).collect();
    (!values.is_empty()).then(|| values.join(" "))
}

/// Digits for reading: all that a scene gives, without those that units and angles bring in.
const DIGITS: usize = 12;

/// The same for reading, `3` where `number` has `3.0`.
fn readable(variable: &Variable) -> Option<String> {
    let values: Vec<String> = variable.start.iter().map(|v| rounded(*v, DIGITS)).collect();
    (!values.is_empty()).then(|| values.join(" "))
}

/// The shortest text that reads back as the same number, `1e-8`, `0.5`; valid as xs:double.
fn number(value: f64) -> String {
    format!("{value:?}")
}
