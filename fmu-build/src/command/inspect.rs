//! `inspect`: content of an FMU's description as text. Its binary is not loaded, so FMUs for other platforms
//! can be inspected.

use super::answer::Answer;
use super::settings;
use fmu_host::model_description::{InterfaceDescription, ModelDescription, Variable};
use fmu_host::{Fmu, HostError};
pub use fmu_host::{Limits, MIB};
use fmu_view::number::exact;
use fmu_view::report::summary::aligned;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;

/// Causalities in the order of the list, with their plural.
const CAUSALITIES: [(&str, &str); 7] = [
    ("structuralParameter", "structural parameters"),
    ("parameter", "parameters"),
    ("calculatedParameter", "calculated parameters"),
    ("input", "inputs"),
    ("output", "outputs"),
    ("local", "local variables"),
    ("independent", "independent variables"),
];
/// Causalities whose variables are listed; others are internal.
const LISTED: [&str; 4] = ["structuralParameter", "parameter", "input", "output"];
/// Maximum number of characters of a start value; longer ones, of large arrays, are cut.
const START_CHARACTERS: usize = 24;

/// Describes the FMU in `path`.
///
/// # Errors
/// Text: the file is not an FMU of FMI 2.0 or FMI 3.0, or exceeds the limits.
pub fn run(path: &Path, limits: &Limits) -> Result<Answer, String> {
    let fmu = Fmu::open_within(path, limits).map_err(|e| not_opened(path, &e))?;
    Ok(Answer {
        text: format!("{}\n{}", path.display(), about(&fmu)),
        data: Some(data(path, &fmu)),
        ..Answer::default()
    })
}

/// Reason why no FMU was opened; for a scene, the command to use instead.
fn not_opened(path: &Path, error: &HostError) -> String {
    let is_scene = path.is_dir() || path.extension().is_some_and(|end| end == "toml");
    match is_scene && path.exists() {
        true => format!(
            "{}: is no FMU; fmu-build check shows a scene, fmu-build build makes an FMU of it",
            path.display()
        ),
        false => format!("{}: {error}", path.display()),
    }
}

/// The text as data, with all variables.
fn data(path: &Path, fmu: &Fmu) -> Value {
    let description = fmu.description();
    let interface = |interface: Option<&InterfaceDescription>| {
        let known = |known: &InterfaceDescription| json!({"model_identifier": known.model_identifier, "capabilities": known.capabilities});
        interface.map(known)
    };
    let variable = |variable: &Variable| {
        json!({
            "name": variable.name,
            "type": variable.data_type.name(description.standard),
            "dimensions": description.extents(variable).unwrap_or_default(),
            "causality": variable.causality,
            "variability": variable.variability,
            "unit": variable.unit,
            "start": variable.start,
            "description": variable.description,
        })
    };
    let experiment = &description.experiment;
    json!({
        "type": "fmu",
        "file": path.display().to_string(),
        "model": description.model_name,
        "description": description.description,
        "version": description.version,
        "author": description.author,
        "copyright": description.copyright,
        "license": description.license,
        "generation_tool": description.generation_tool,
        "fmi_version": description.fmi_version,
        "token": description.instantiation_token,
        "platforms": fmu.platforms(),
        "model_exchange": interface(description.model_exchange.as_ref()),
        "co_simulation": interface(description.co_simulation.as_ref()),
        "experiment": {
            "start_time": experiment.start_time,
            "stop_time": experiment.stop_time,
            "tolerance": experiment.tolerance,
            "step_size": experiment.step_size,
        },
        "log_categories": description.log_categories,
        "user_libraries": settings::in_fmu(fmu),
        "states": description.state_count(),
        "event_indicators": description.indicator_count,
        "variables": description.variables.iter().map(variable).collect::<Vec<_>>(),
    })
}

fn about(fmu: &Fmu) -> String {
    let description = fmu.description();
    let mut text = head(description, fmu.platforms());
    for line in settings::in_fmu(fmu) {
        // Writing to a String never fails.
        let _ = writeln!(text, "user library      {line}");
    }
    for (causality, plural) in CAUSALITIES {
        if LISTED.contains(&causality) {
            let variables = description.variables.iter();
            let variables: Vec<&Variable> =
                variables.filter(|v| v.causality == causality).collect();
            text += &list(description, plural, &variables);
        }
    }
    text
}

fn head(description: &ModelDescription, platforms: &[String]) -> String {
    let or_none = |text: &Option<String>| text.clone().unwrap_or_else(|| "not given".into());
    let or_zero = |texts: &[String]| match texts {
        [] => "none".to_owned(),
        some => some.join(", "),
    };
    let mut rows = vec![
        ("model", description.model_name.clone()),
        ("description", or_none(&description.description)),
    ];
    let about = [
        ("version", &description.version),
        ("author", &description.author),
        ("copyright", &description.copyright),
        ("licence", &description.license),
    ];
    rows.extend(
        about
            .into_iter()
            .filter_map(|(name, text)| Some((name, text.clone()?))),
    );
    rows.extend([
        ("made by", or_none(&description.generation_tool)),
        ("FMI version", description.fmi_version.clone()),
        ("token", description.instantiation_token.clone()),
        ("platforms", or_zero(platforms)),
        (
            "Model Exchange",
            interface(description.model_exchange.as_ref()),
        ),
        (
            "Co-Simulation",
            interface(description.co_simulation.as_ref()),
        ),
        ("experiment", experiment(description)),
        ("log categories", or_zero(&description.log_categories)),
        ("states", description.state_count().to_string()),
        ("event indicators", description.indicator_count.to_string()),
        ("variables", counts(&description.variables)),
    ]);
    let rows: Vec<[String; 2]> = rows
        .into_iter()
        .map(|(name, value)| [name.to_owned(), value])
        .collect();
    aligned(&rows, [false, false])
}

fn interface(interface: Option<&InterfaceDescription>) -> String {
    let Some(interface) = interface else {
        return "no".into();
    };
    let mut text = interface.model_identifier.clone();
    let capabilities: Vec<&str> = interface.capabilities.iter().map(String::as_str).collect();
    if !capabilities.is_empty() {
        text += ": ";
        text += &capabilities.join(", ");
    }
    text
}

fn experiment(description: &ModelDescription) -> String {
    let experiment = &description.experiment;
    let parts = [
        ("start", experiment.start_time, " s"),
        ("stop", experiment.stop_time, " s"),
        ("tolerance", experiment.tolerance, ""),
        ("step", experiment.step_size, " s"),
    ];
    let given = parts
        .into_iter()
        .filter_map(|(name, value, unit)| value.map(|v| format!("{name} {}{unit}", exact(v))));
    match given.collect::<Vec<String>>().join(", ") {
        none if none.is_empty() => "not given".into(),
        text => text,
    }
}

fn counts(variables: &[Variable]) -> String {
    let mut text = variables.len().to_string();
    let mut separator = ": ";
    for (causality, plural) in CAUSALITIES {
        let count = variables
            .iter()
            .filter(|v| v.causality == causality)
            .count();
        if count > 0 {
            // All plurals here end in one letter more than the word itself.
            let words = if count == 1 {
                &plural[..plural.len() - 1]
            } else {
                plural
            };
            // Writing to a String never fails.
            let _ = write!(text, "{separator}{count} {words}");
            separator = ", ";
        }
    }
    text
}

fn list(description: &ModelDescription, plural: &str, variables: &[&Variable]) -> String {
    if variables.is_empty() {
        return String::new();
    }
    let mut rows = vec![["name", "type", "unit", "start", "description"].map(str::to_owned)];
    for variable in variables {
        let extents = description.extents(variable).unwrap_or_default();
        let extents: Vec<String> = extents.iter().map(|e| format!("[{e}]")).collect();
        rows.push([
            variable.name.clone(),
            variable.data_type.name(description.standard).to_owned() + &extents.concat(),
            variable.unit.clone().unwrap_or_default(),
            cut(variable.start.as_deref().unwrap_or_default()),
            variable.description.clone().unwrap_or_default(),
        ]);
    }
    let table = aligned(&rows, [false, false, false, true, false]);
    format!("\n{plural} ({})\n{table}", variables.len())
}

fn cut(text: &str) -> String {
    if text.chars().count() <= START_CHARACTERS {
        return text.to_owned();
    }
    let head: String = text.chars().take(START_CHARACTERS - 3).collect();
    format!("{head}...")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::io::Write as _;
    use tempfile::TempDir;
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    const DOCUMENT: &str = r#"<fmiModelDescription fmiVersion="3.0" modelName="m" instantiationToken="t">
  <CoSimulation modelIdentifier="m" hasEventMode="true" canSerializeFMUState="true"/>
  <DefaultExperiment stopTime="3" tolerance="1e-8"/>
  <ModelVariables>
    <Float64 name="k" valueReference="1" causality="parameter" unit="N/m" start="1e3" description="Stiffness"/>
    <Float64 name="u" valueReference="2" causality="input" start="0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"><Dimension start="15"/></Float64>
    <Int32 name="n" valueReference="3" causality="output"/>
    <Float64 name="x" valueReference="4"/>
    <Float64 name="d" valueReference="5" derivative="4"/>
  </ModelVariables>
  <ModelStructure><Output valueReference="3"/><ContinuousStateDerivative valueReference="5"/></ModelStructure>
</fmiModelDescription>"#;

    const DOCUMENT2: &str = r#"<fmiModelDescription fmiVersion="2.0" modelName="m" guid="t" numberOfEventIndicators="3">
  <ModelExchange modelIdentifier="m" canGetAndSetFMUstate="true"/>
  <ModelVariables>
    <ScalarVariable name="k" valueReference="1" causality="parameter" description="Stiffness"><Real unit="N/m" start="1e3"/></ScalarVariable>
    <ScalarVariable name="n" valueReference="1" causality="parameter"><Integer start="4"/></ScalarVariable>
    <ScalarVariable name="x" valueReference="4"><Real/></ScalarVariable>
    <ScalarVariable name="d" valueReference="5"><Real derivative="3"/></ScalarVariable>
  </ModelVariables>
  <ModelStructure><Derivatives><Unknown index="4"/></Derivatives></ModelStructure>
</fmiModelDescription>"#;

    /// What `inspect` says of an FMU with this document, without the first line.
    fn told(document: &str) -> String {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("m.fmu");
        let mut writer = ZipWriter::new(File::create(&path).unwrap());
        for (name, content) in [
            ("modelDescription.xml", document),
            ("binaries/os/m.so", "x"),
        ] {
            writer
                .start_file(name, SimpleFileOptions::default())
                .unwrap();
            writer.write_all(content.as_bytes()).unwrap();
        }
        writer.finish().unwrap();
        let text = run(&path, &Limits::USUAL).unwrap().text;
        let tail = text.strip_prefix(&path.display().to_string());
        tail.unwrap().to_owned()
    }

    #[test]
    fn an_fmu_is_told_with_its_head_and_its_tables() {
        let expected = "
  model             m
  description       not given
  made by           not given
  FMI version       3.0
  token             t
  platforms         os
  Model Exchange    no
  Co-Simulation     m: canSerializeFMUState, hasEventMode
  experiment        stop 3 s, tolerance 1e-8
  log categories    none
  states            1
  event indicators  0
  variables         5: 1 parameter, 1 input, 1 output, 2 local variables

parameters (1)
  name  type     unit  start  description
  k     Float64  N/m     1e3  Stiffness

inputs (1)
  name  type         unit                     start  description
  u     Float64[15]        0 0 0 0 0 0 0 0 0 0 0...

outputs (1)
  name  type   unit  start  description
  n     Int32
";
        assert_eq!(told(DOCUMENT), expected);
    }

    #[test]
    fn an_fmu_of_fmi_2_is_told_in_the_words_of_its_version() {
        let expected = "
  model             m
  description       not given
  made by           not given
  FMI version       2.0
  token             t
  platforms         os
  Model Exchange    m: canGetAndSetFMUstate
  Co-Simulation     no
  experiment        not given
  log categories    none
  states            1
  event indicators  3
  variables         4: 2 parameters, 2 local variables

parameters (2)
  name  type     unit  start  description
  k     Real     N/m     1e3  Stiffness
  n     Integer            4
";
        assert_eq!(told(DOCUMENT2), expected);
    }
}
