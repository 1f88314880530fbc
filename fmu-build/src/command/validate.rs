//! `validate`: acceptance of an FMU by importers, from known rules of each. Those of the standard are checked
//! by FMPy.

use crate::modelica::is_keyword;
use clap::ValueEnum;
use fmu_core::instance::Standard;
use fmu_host::model_description::{DataType, Variable};
use fmu_host::{Fmu, Limits};
use std::path::Path;

/// A program that reads FMUs, or the library that some of them use for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Importer {
    /// OpenModelica's importFMU
    #[value(name = "openmodelica")]
    OpenModelica,
    /// FMI Library, of OpenModelica, PyFMI and others
    FmiLibrary,
    /// Modelica-FMI, for Dymola, SimulationX and other Modelica tools
    ModelicaFmi,
    /// FMI.jl and ModelingToolkit
    #[value(name = "fmi.jl")]
    FmiJl,
    /// FMU manipulation toolbox
    FmuToolbox,
    /// Simulink's FMU block
    Simulink,
}

struct Rule {
    importers: &'static [Importer],
    /// Effect and remedy.
    text: &'static str,
    /// Reference or observation.
    source: &'static str,
    /// Parts of an FMU that violate it.
    parts: fn(&Fmu) -> Vec<String>,
}

use Importer::{FmiJl, FmiLibrary, FmuToolbox, ModelicaFmi, OpenModelica, Simulink};

const RULES: [Rule; 8] = [
    Rule {
        importers: &[OpenModelica],
        text: "an enumeration of FMI 3.0 is given no start value; make it an integer",
        source: "omc of August 2026",
        parts: |fmu| match fmu.description().standard {
            Standard::Fmi2 => Vec::new(),
            Standard::Fmi3 => variables(fmu, |v| v.data_type == DataType::Enumeration),
        },
    },
    Rule {
        importers: &[OpenModelica, FmiLibrary],
        text: "each unknown attribute of the file is an error on the screen, in FMI 2.0 a fatal one; build without --terminals",
        source: "OpenModelica pull request 16447",
        parts: |fmu| {
            let file = "terminalsAndIcons/terminalsAndIcons.xml";
            let is_there = fmu.folder().join(file).exists();
            is_there.then(|| file.to_owned()).into_iter().collect()
        },
    },
    Rule {
        importers: &[OpenModelica, FmiJl, FmuToolbox],
        text: "arrays are not read; build without --arrays",
        source: "FMIImport.jl issue 133, fmu_manipulation_toolbox pull request 18",
        parts: |fmu| variables(fmu, |v| !v.dimensions.is_empty()),
    },
    Rule {
        importers: &[OpenModelica],
        text: "only Model Exchange of FMI 3.0 is imported; build with --fmi 2 for Co-Simulation",
        source: "OpenModelica pull request 16268",
        parts: |fmu| {
            let description = fmu.description();
            let has_none = description.model_exchange.is_none();
            let is_such = description.standard == Standard::Fmi3 && has_none;
            is_such
                .then(|| "no ModelExchange".to_owned())
                .into_iter()
                .collect()
        },
    },
    Rule {
        importers: &[OpenModelica, ModelicaFmi],
        text: "the name holds a word of Modelica; rename it, or build with --naming flat",
        source: "Modelica 3.6, section 2.3.3",
        parts: |fmu| {
            variables(fmu, |v| {
                v.name
                    .split(['.', '(', ')', '['])
                    .any(|part| part != "der" && is_keyword(part))
            })
        },
    },
    Rule {
        importers: &[ModelicaFmi],
        text: "variables of this type are left out; use Float64, Int32 or Boolean",
        source: "Modelica-FMI issues 21 and 31",
        parts: |fmu| {
            use DataType::{Boolean, Enumeration, Float32, Float64, Int32, Int64};
            let taken = [Boolean, Enumeration, Float32, Float64, Int32, Int64];
            variables(fmu, |v| !taken.contains(&v.data_type))
        },
    },
    Rule {
        importers: &[
            OpenModelica,
            FmiLibrary,
            ModelicaFmi,
            FmiJl,
            FmuToolbox,
            Simulink,
        ],
        text: "a parameter, input or constant needs a start value",
        source: "FMI 2.0 section 2.2.7, FMI 3.0 section 2.4.7.5",
        parts: |fmu| {
            variables(fmu, |v| {
                let is_given = matches!(v.causality.as_str(), "parameter" | "input")
                    || v.variability == "constant";
                let has_value = v.start.is_some() || v.data_type == DataType::Clock;
                is_given && !has_value
            })
        },
    },
    Rule {
        importers: &[Simulink],
        text: "names of more than 63 characters are cut; give the scene a shorter name",
        source: "MATLAB namelengthmax",
        parts: |fmu| {
            let description = fmu.description();
            let interfaces = [&description.model_exchange, &description.co_simulation];
            let names = interfaces
                .into_iter()
                .flatten()
                .map(|interface| &interface.model_identifier);
            let mut long: Vec<String> = names.filter(|name| name.len() > 63).cloned().collect();
            long.dedup();
            long
        },
    },
];

const NAMED: usize = 3;

fn variables(fmu: &Fmu, is_such: impl Fn(&Variable) -> bool) -> Vec<String> {
    let such = fmu.description().variables.iter().filter(|v| is_such(v));
    such.map(|v| v.name.clone()).collect()
}

/// Confirms that the importers accept the FMU in `path`; all known ones if none is named.
///
/// # Errors
/// Text with a line for each violated rule; or it is no FMU of FMI 2.0 or FMI 3.0, or exceeds the limits.
pub(crate) fn run(path: &Path, importers: &[Importer], limits: &Limits) -> Result<String, String> {
    let fmu = Fmu::open_within(path, limits).map_err(|e| format!("{}: {e}", path.display()))?;
    let all = Importer::value_variants();
    let asked = if importers.is_empty() { all } else { importers };
    let broken = RULES.iter().filter_map(|rule| {
        let concerned = asked.iter().filter(|one| rule.importers.contains(one));
        let names: Vec<String> = concerned.map(|one| one.name()).collect();
        let parts = (rule.parts)(&fmu);
        let is_broken = !names.is_empty() && !parts.is_empty();
        is_broken.then(|| problem(rule, &names, &parts))
    });
    let problems: Vec<String> = broken
        .map(|text| format!("{}: {text}", path.display()))
        .collect();
    if !problems.is_empty() {
        return Err(problems.join("\n"));
    }
    let names: Vec<String> = asked.iter().map(|one| one.name()).collect();
    Ok(format!(
        "{}: no known rule of {} is broken\n",
        path.display(),
        names.join(", ")
    ))
}

fn problem(rule: &Rule, importers: &[String], parts: &[String]) -> String {
    let named = &parts[..parts.len().min(NAMED)];
    let more = match parts.len() - named.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!(
        "{}: {}{more}: {} ({})",
        importers.join(", "),
        named.join(", "),
        rule.text,
        rule.source
    )
}

impl Importer {
    /// Name on the command line.
    fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or(String::new(), |value| value.get_name().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::io::Write;
    use tempfile::TempDir;
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    /// What `validate` says of an FMU of FMI 3.0 with these variables, without its path.
    fn told(interface: &str, variables: &str, files: &[&str], importers: &[Importer]) -> String {
        let document = format!(
            r#"<fmiModelDescription fmiVersion="3.0" modelName="m" instantiationToken="t">
  <{interface}/>
  <TypeDefinitions><EnumerationType name="E"><Item name="one" value="1"/></EnumerationType></TypeDefinitions>
  <ModelVariables>{variables}</ModelVariables><ModelStructure/></fmiModelDescription>"#
        );
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("m.fmu");
        let mut writer = ZipWriter::new(File::create(&path).unwrap());
        let files = files.iter().map(|name| (*name, "x"));
        let document = [("modelDescription.xml", document.as_str())];
        for (name, content) in document.into_iter().chain(files) {
            writer
                .start_file(name, SimpleFileOptions::default())
                .unwrap();
            writer.write_all(content.as_bytes()).unwrap();
        }
        writer.finish().unwrap();
        let answer = run(&path, importers, &Limits::USUAL);
        let text = answer.unwrap_or_else(|problems| problems);
        text.replace(&format!("{}: ", path.display()), "")
    }

    const ME: &str = r#"ModelExchange modelIdentifier="m""#;

    #[test]
    fn what_breaks_no_rule_is_told_with_the_importers_asked_for() {
        let variable =
            r#"<Float64 name="a.k" valueReference="1" causality="parameter" start="1"/>"#;
        assert_eq!(
            told(ME, variable, &[], &[Simulink, OpenModelica]),
            "no known rule of simulink, openmodelica is broken\n"
        );
        let all = "openmodelica, fmi-library, modelica-fmi, fmi.jl, fmu-toolbox, simulink";
        assert_eq!(
            told(ME, variable, &[], &[]),
            format!("no known rule of {all} is broken\n")
        );
    }

    /// Each FMU breaks one rule, so each rule is met.
    #[test]
    fn each_rule_finds_what_breaks_it() {
        let long = format!(r#"ModelExchange modelIdentifier="{}""#, "m".repeat(64));
        let float = |name: &str, rest: &str| {
            format!(r#"<Float64 name="{name}" valueReference="1" {rest}/>"#)
        };
        let broken = [
            (
                ME,
                r#"<Enumeration name="e" declaredType="E" valueReference="1"/>"#.to_owned(),
                "e: an enumeration",
            ),
            (
                ME,
                String::new(),
                "terminalsAndIcons/terminalsAndIcons.xml: each unknown",
            ),
            (
                ME,
                r#"<Float64 name="a" valueReference="1"><Dimension start="3"/></Float64>"#
                    .to_owned(),
                "a: arrays",
            ),
            (
                r#"CoSimulation modelIdentifier="m""#,
                String::new(),
                "no ModelExchange: only",
            ),
            (ME, float("arm.end", ""), "arm.end: the name"),
            (
                ME,
                r#"<Int8 name="i" valueReference="1"/>"#.to_owned(),
                "i: variables of",
            ),
            (ME, float("k", r#"causality="parameter""#), "k: a parameter"),
            (&long, String::new(), "mmm: names of"),
        ];
        assert_eq!(broken.len(), RULES.len());
        for ((interface, variables, expected), rule) in broken.into_iter().zip(&RULES) {
            let files: &[&str] = match expected.starts_with("terminals") {
                true => &["terminalsAndIcons/terminalsAndIcons.xml"],
                false => &[],
            };
            let found = told(interface, &variables, files, &[]);
            assert!(found.contains(expected), "{found}");
            assert!(
                found.contains(rule.source) && found.lines().count() == 1,
                "{found}"
            );
            for importer in Importer::value_variants() {
                let found = told(interface, &variables, files, &[*importer]);
                let is_told = found.contains(rule.text);
                assert_eq!(is_told, rule.importers.contains(importer), "{found}");
            }
        }
    }

    #[test]
    fn of_many_parts_some_are_named() {
        let parts = ["a", "b", "c", "d", "e"].map(str::to_owned);
        let text = problem(&RULES[0], &["openmodelica".to_owned()], &parts);
        assert!(
            text.starts_with("openmodelica: a, b, c and 2 more: an enumeration"),
            "{text}"
        );
    }
}
