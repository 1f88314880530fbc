//! Reference results inside an FMU, in `extra/org.fmi-standard.fmi-ls-ref/`, by the draft
//! 1.0.0-alpha.1 of the layered standard FMI-LS-REF of the Modelica Association.

use super::number;
use super::template::{self, Record, TemplateError};

/// Folder inside the FMU.
const FOLDER: &str = "extra/org.fmi-standard.fmi-ls-ref/";
/// Name that FMI 3.0 gives the manifest of a layered standard.
const MANIFEST: &str = "fmi-ls-manifest.xml";
const EXPERIMENTS: &str = "experiments.exp";

const MANIFEST_TEMPLATE: &str =
    include_str!("../../../modelDescription.templates/fmi-ls-manifest.xml");
const EXPERIMENTS_TEMPLATE: &str =
    include_str!("../../../modelDescription.templates/experiments.xml");

/// A run of one interface type with its reference.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// Interface type, in words.
    pub kind: &'static str,
    /// Start time [s].
    pub start: f64,
    /// Stop time [s].
    pub stop: f64,
    /// Relative tolerance [1].
    pub tolerance: f64,
    /// Communication step size, in Model Exchange the time between two rows [s].
    pub step: f64,
    /// File name and content of the results.
    pub results: (String, String),
}

/// Paths and contents of the files for an FMU; `stimuli` are file name and content of the inputs.
///
/// # Errors
/// A broken template.
pub fn files(
    model: &str,
    references: &[Reference],
    stimuli: Option<&(String, String)>,
) -> Result<Vec<(String, Vec<u8>)>, TemplateError> {
    let record = |reference: &Reference| {
        Record::new()
            .text("kind", reference.kind)
            .text("start_time", number(reference.start))
            .text("stop_time", number(reference.stop))
            .text("tolerance", number(reference.tolerance))
            .text("step_size", number(reference.step))
            .text("reference", &reference.results.0)
            .optional("stimuli", stimuli.map(|(name, _)| name.clone()))
    };
    let record = Record::new()
        .text("model", model)
        .text("experiments", EXPERIMENTS)
        .list("references", references.iter().map(record).collect());
    let manifest = template::fill(MANIFEST_TEMPLATE, &record)?;
    let experiments = template::fill(EXPERIMENTS_TEMPLATE, &record)?;
    let own = [
        (MANIFEST.to_owned(), manifest),
        (EXPERIMENTS.to_owned(), experiments),
    ];
    let results = references.iter().map(|reference| reference.results.clone());
    let all = own.into_iter().chain(results).chain(stimuli.cloned());
    let inside = |(name, content): (String, String)| (format!("{FOLDER}{name}"), content.into());
    Ok(all.map(inside).collect())
}
