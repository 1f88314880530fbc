//! `build`: a scene becomes an FMU.
//!
//! The FMU contains the scene as data in `resources/`, the prebuilt library for each platform under the name
//! of the model, modelDescription.xml, terminals and a documentation page generated from the variable table,
//! pictures of the scene, and the licences. Nothing is compiled.

use super::answer::{Cause, Failure};
use super::laws::{Laws, warnings};
use super::page::{IconError, page};
use super::scene::{self, Ready};
use super::settings::{LibraryError, Setting};
use super::{page, settings};
use crate::description::documentation::{Page, documentation};
use crate::description::model_description::model_description;
use crate::description::template::TemplateError;
use crate::description::{ModelFacts, version};
use crate::package;
pub use crate::package::binaries::Choice;
use crate::package::binaries::{self, Binary, BinaryError, Found};
use crate::package::{Archive, MODEL_DESCRIPTION, write_archive};
pub(crate) use crate::scene_file::world::InterfaceOverrides;
use crate::scene_file::{Diagnostics, GivenScene, LibraryPath, LoadedScene, unmatched};
use contact_laws::quantity::Keyword;
use contact_model::dynamics::System;
use contact_model::hybrid::EvaluationError;
use contact_model::scene::checked::SceneBytesError;
use contact_model::scene::description::{About, Guard, InterfaceOptions};
use contact_model::scene::{Parameters, Scene, SceneDescription, SceneError, SceneItem, checked};
use fmu_core::instance::Standard;
use fmu_core::instance::lifecycle::SCENE_FILE;
use fmu_core::instance::variables::VariableTable;
use fmu_core::instance::variables::describe::Describer;
use fmu_core::instance::variables::names::NameClash;
use fmu_core::instance::variables::names::UnmatchedPattern;
use fmu_host::binary::whole;
use fmu_host::{Fmu, Interface, Limits, MIB, Options};
use fmu_view::replay::visual::{self, Visual};
use fmu_view::report::{figure, plot};
use std::fmt;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use zip::ZipArchive;

/// Licence texts of the library and its crates, for `documentation/licenses/`; `license.txt` is the entry
/// required by FMI.
const LICENSES: [(&str, &str); 4] = [
    (
        "license.txt",
        "The binary of this FMU is part of contact-fmu and may be used under the MIT License \
         (LICENSE-MIT) or the Apache License, Version 2.0 (LICENSE-APACHE), at your choice.\n\
         It contains software of others: third-party.txt lists it with its licences.\n",
    ),
    ("LICENSE-APACHE", include_str!("../../../LICENSE-APACHE")),
    ("LICENSE-MIT", include_str!("../../../LICENSE-MIT")),
    ("third-party.txt", include_str!("../../licenses/fmu.txt")),
];

/// FMU in memory, with data for the report.
#[derive(Clone, Debug, PartialEq)]
pub struct BuiltFmu {
    /// Content of the .fmu file.
    pub archive: Vec<u8>,
    /// FMI version.
    pub standard: Standard,
    /// Model identifier, the name of the scene.
    pub model: String,
    /// Interface options.
    pub interface: InterfaceOptions,
    /// Relative tolerance of the default experiment, for importers [1].
    pub tolerance: f64,
    /// Tolerance of the scene, used in Co-Simulation if the importer gives none [1].
    pub(crate) own_tolerance: Option<f64>,
    pub(crate) states: usize,
    /// Number of event indicators.
    pub indicators: usize,
    /// Number of parameters.
    pub parameters: usize,
    /// Instantiation token.
    pub token: String,
    /// Platform and origin of each library.
    pub binaries: Vec<(&'static str, String)>,
    /// Line about each library with user-defined laws.
    pub user_libraries: Vec<String>,
}

impl BuiltFmu {
    /// # Errors
    /// Text: the archive is damaged.
    pub(crate) fn model_description(&self) -> Result<String, String> {
        let read = || -> Result<String, Box<dyn std::error::Error>> {
            let mut archive = ZipArchive::new(Cursor::new(self.archive.as_slice()))?;
            Ok(std::io::read_to_string(
                archive.by_name(MODEL_DESCRIPTION)?,
            )?)
        };
        read().map_err(|error| format!("cannot read the FMU that was built: {error}"))
    }

    /// Interface as text, `scalars, structured names, fixed parameters`.
    fn interface_text(&self) -> String {
        let options = self.interface;
        let vectors = match options.arrays && self.standard == Standard::Fmi3 {
            true => "arrays",
            false => "scalars",
        };
        let naming = options.naming.word();
        let parameters = match options.tunable {
            true => "tunable",
            false => "fixed",
        };
        let strict = match options.strict {
            true => ", strict",
            false => "",
        };
        let terminals = match options.terminals {
            true => ", terminals",
            false => "",
        };
        let guard = match options.guard {
            Guard::Importer => "",
            Guard::Off => ", no guard",
            Guard::Time => ", time events at contacts",
        };
        format!("{vectors}, {naming} names, {parameters} parameters{strict}{terminals}{guard}")
    }
}

/// Report on a written FMU.
#[derive(Clone, Debug, PartialEq)]
pub struct BuildReport {
    /// Path of the file.
    pub file: PathBuf,
    /// The written FMU.
    pub fmu: BuiltFmu,
    /// Warnings about the scene file.
    pub warnings: Diagnostics,
}

impl fmt::Display for BuildReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fmu = &self.fmu;
        writeln!(f, "{} ({} bytes)", self.file.display(), fmu.archive.len())?;
        writeln!(f, "  FMI         {}", version(fmu.standard))?;
        writeln!(f, "  interface   {}", fmu.interface_text())?;
        for (platform, source) in &fmu.binaries {
            writeln!(f, "  binary      {platform} from {source}")?;
        }
        for line in &fmu.user_libraries {
            writeln!(f, "  user laws   {line}")?;
        }
        writeln!(f, "  states      {}", fmu.states)?;
        writeln!(f, "  indicators  {}", fmu.indicators)?;
        writeln!(f, "  parameters  {}", fmu.parameters)?;
        let own = fmu.own_tolerance.filter(|own| *own != fmu.tolerance);
        let own = own.map(|own| format!(", the scene's {own:e} in Co-Simulation"));
        let own = own.unwrap_or_default();
        writeln!(f, "  tolerance   {:e} for importers{own}", fmu.tolerance)?;
        write!(f, "  token       {}", fmu.token)
    }
}

/// Requested kind of FMU.
#[derive(Clone, Debug)]
pub struct Target<'a> {
    /// FMI version.
    pub standard: Standard,
    /// Overrides of the scene file's options.
    pub interface: InterfaceOverrides,
    /// Start values of parameters, as given with `--set`.
    pub settings: &'a [Setting],
    /// Libraries to include.
    pub binaries: Choice,
    /// Whether to run the default experiment and show its plot on the documentation page.
    pub plot: bool,
    /// Scene in place of the file.
    pub given: Option<&'a GivenScene>,
}

/// FMI 3.0 with the libraries that this program finds.
impl Default for Target<'_> {
    fn default() -> Self {
        Target {
            standard: Standard::Fmi3,
            interface: InterfaceOverrides::default(),
            settings: &[],
            binaries: Choice::default(),
            plot: false,
            given: None,
        }
    }
}

/// Message about FMI 2.0 with arrays.
pub(crate) const ARRAYS_IN_FMI2: &str =
    "FMI 2.0 has no array variables; leave --arrays away, or build for FMI 3.0 with --fmi 3";

/// Reason why there is no FMU.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// Problems of the scene file.
    #[error(transparent)]
    SceneFile(#[from] Diagnostics),
    /// Problems of a description without a file.
    #[error("{}", super::start_values::in_lines(.0))]
    Scene(Vec<SceneError>),
    /// Invalid start value of `--set`.
    #[error("{0}")]
    Setting(String),
    /// FMI 2.0 has no arrays.
    #[error("{ARRAYS_IN_FMI2}")]
    ArraysInFmi2,
    /// A number of the scene is out of range.
    #[error(transparent)]
    Model(#[from] EvaluationError),
    /// The scene cannot be written as bytes.
    #[error(transparent)]
    Bytes(#[from] SceneBytesError),
    /// Two variables with names that importers cannot distinguish.
    #[error(transparent)]
    Names(#[from] NameClash),
    /// A pattern of `expose` matches no output.
    #[error(transparent)]
    Exposed(#[from] UnmatchedPattern),
    /// No library for the FMU.
    #[error(transparent)]
    Binary(#[from] BinaryError),
    /// Unusable library with user-defined laws.
    #[error(transparent)]
    UserLibrary(#[from] LibraryError),
    /// A template is broken.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// The visual description cannot be written.
    #[error("cannot describe the shapes: {0}")]
    Visual(String),
    /// The icons cannot be made.
    #[error(transparent)]
    Icon(#[from] IconError),
    /// The default experiment fails, or cannot be drawn.
    #[error(
        "the default experiment, which --plot shows, fails: {0}; build without --plot, or see fmu-build simulate"
    )]
    Plot(String),
    /// The archive cannot be made.
    #[error("cannot make the archive: {0}")]
    Archive(#[from] zip::result::ZipError),
    /// The FMU would overwrite its scene file.
    #[error(
        "{}: the FMU would replace the scene file; give -o another name, such as {}",
        .0.display(),
        .0.with_extension("fmu").display()
    )]
    SameFile(PathBuf),
    /// The file cannot be written.
    #[error("{0}")]
    Write(String),
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Self {
        match error {
            BuildError::SceneFile(problems) => problems.into(),
            BuildError::Setting(reason) => Cause::Setting(reason).into(),
            other => other.to_string().into(),
        }
    }
}

/// Builds an FMU from a scene file; in a folder it has the name of the scene.
///
/// # Errors
/// See [`BuildError`]; no file is written.
pub fn build_fmu(scene: &Path, output: &Path, target: &Target) -> Result<BuildReport, BuildError> {
    if target.standard == Standard::Fmi2 && target.interface.arrays == Some(true) {
        return Err(BuildError::ArraysInFmi2);
    }
    let ready = scene::read(scene, target.given, target.interface)?;
    let mut ready = ready.with(target.settings).map_err(BuildError::Setting)?;
    let binaries = binaries_for(&mut ready, &target.binaries)?;
    let output = match output.is_dir() {
        true => output.join(format!("{}.fmu", ready.loaded.scene.name())),
        false => output.to_owned(),
    };
    if is_same_file(scene, &output) {
        return Err(BuildError::SameFile(output));
    }
    let mut fmu = build_ready(&ready, target.standard, &binaries, Extras::default())?;
    if target.plot {
        let extras = Extras {
            plot: Some(experiment_plot(&fmu).map_err(BuildError::Plot)?),
            ..Extras::default()
        };
        fmu = build_ready(&ready, target.standard, &binaries, extras)?;
    }
    ready.loaded.warn(too_large(&fmu).into_iter().collect());
    write_archive(&output, &fmu.archive).map_err(BuildError::Write)?;
    Ok(BuildReport {
        file: output,
        fmu,
        warnings: ready.loaded.warnings,
    })
}

/// Complete libraries for the FMU of a scene; adds warnings about the scene's laws and about them.
pub(super) fn binaries_for(ready: &mut Ready, choice: &Choice) -> Result<Vec<Binary>, BinaryError> {
    let loaded = &mut ready.loaded;
    warnings::add(loaded, &ready.laws, &[warnings::USUAL_SPEED]);
    let Found { binaries, left_out } = binaries::find(choice)?;
    for (name, file) in &choice.given {
        let of_it = |binary: &&Binary| binary.platform.name == name;
        if let Some(package::Content::Bytes(bytes)) =
            binaries.iter().find(of_it).map(|b| &b.content)
        {
            whole(bytes).map_err(|reason| BinaryError::Unreadable(file.clone(), reason))?;
        }
    }
    loaded.warn(left_out);
    loaded.warn(settings::lacking(loaded, &binaries));
    Ok(binaries)
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// Remark about a description that importers may refuse, as this program does with foreign ones.
fn too_large(fmu: &BuiltFmu) -> Option<String> {
    let size = fmu.model_description().map_or(0, |text| text.len() as u64);
    (size > Limits::USUAL.description).then(|| {
        format!(
            "modelDescription.xml has {} MiB, which importers may refuse, and so do simulate and inspect of the FMU \
             without --max-description; hide outputs with interface.expose, or exclude pairs that never touch: friction \
             that sticks has states for each",
            size.div_ceil(MIB)
        )
    })
}

/// Results of a run of the FMU itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Extras {
    /// Additional files: path inside the FMU and content.
    pub files: Vec<(String, Vec<u8>)>,
    /// Plot of the default experiment, an SVG element.
    pub plot: Option<String>,
}

pub(super) fn opened(fmu: &BuiltFmu) -> Result<Fmu, String> {
    let folder = tempfile::tempdir().map_err(|e| format!("no temporary folder: {e}"))?;
    let file = folder.path().join(format!("{}.fmu", fmu.model));
    write_archive(&file, &fmu.archive)?;
    Fmu::open_within(&file, &Limits::NONE).map_err(|e| e.to_string())
}

/// Plot of the default experiment in Co-Simulation, an SVG element.
fn experiment_plot(fmu: &BuiltFmu) -> Result<String, String> {
    let run = Interface::CoSimulation.simulate(&opened(fmu)?, &Options::default());
    let run = run.map_err(|e| e.to_string())?;
    plot::small_svg(&figure::of_run(&fmu.model, &run, &[]))
}

/// Builds an FMU of a scene file in memory.
///
/// # Errors
/// See [`BuildError`].
pub(super) fn build_ready(
    ready: &Ready,
    standard: Standard,
    binaries: &[Binary],
    extras: Extras,
) -> Result<BuiltFmu, BuildError> {
    let loaded = &ready.loaded;
    let scene = Arc::new(loaded.scene.clone());
    let description = &loaded.description;
    let text = Some(loaded.text.as_str());
    let content = FmuContent {
        page: &Page {
            plot: extras.plot,
            ..page(&scene, description, &ready.laws, text, &ready.settings)
        },
        scene: &scene,
        description,
        about: &loaded.about,
        user_libraries: &loaded.libraries,
        binaries,
        more_files: extras.files,
    };
    assemble(content, standard).map_err(|error| in_file(error, loaded))
}

/// Adds the scene file to an error of the scene.
fn in_file(error: BuildError, loaded: &LoadedScene) -> BuildError {
    let of_scene = |field, message| loaded.problem(SceneItem::Scene, field, message);
    BuildError::SceneFile(match error {
        BuildError::Model(error) => of_scene("", error.message),
        BuildError::Bytes(error) => of_scene("", error.to_string()),
        BuildError::Exposed(error) => loaded.problem(SceneItem::Scene, "expose", unmatched(&error)),
        BuildError::Names(clash) => scene::name_clash(loaded, &clash),
        BuildError::UserLibrary(error) => scene::library_problem(loaded, error),
        other => return other,
    })
}

/// Builds an FMU in memory, without the library files named in the description.
///
/// # Errors
/// See [`BuildError`].
pub fn build_from_description(
    description: &SceneDescription,
    standard: Standard,
    binaries: &[Binary],
) -> Result<BuiltFmu, BuildError> {
    let scene = Scene::new(description.clone()).map_err(BuildError::Scene)?;
    let functions = settings::load(&scene, &[])?;
    let laws = Laws::of(&scene, &functions)?;
    let content = FmuContent {
        page: &page(&scene, description, &laws, None, &[]),
        scene: &Arc::new(scene),
        description,
        about: &About::default(),
        user_libraries: &[],
        binaries,
        more_files: Vec::new(),
    };
    assemble(content, standard)
}

struct FmuContent<'a> {
    scene: &'a Arc<Scene>,
    description: &'a SceneDescription,
    about: &'a About,
    user_libraries: &'a [LibraryPath],
    page: &'a Page,
    binaries: &'a [Binary],
    more_files: Vec<(String, Vec<u8>)>,
}

fn assemble(content: FmuContent, standard: Standard) -> Result<BuiltFmu, BuildError> {
    let FmuContent {
        scene,
        description,
        about,
        user_libraries,
        page,
        binaries,
        more_files,
    } = content;
    let functions = settings::load(scene, user_libraries)?;
    let parameters = Parameters::start(scene);
    let system = System::with_functions(Arc::clone(scene), &parameters, &functions)?;
    let nominals = system.importer_nominals().to_vec();
    let table = VariableTable::new(scene, standard);
    let describer = Describer::new(scene, &table);
    table.check_names(scene)?;
    table.check_exposed(scene)?;
    let scene_bytes = checked::encode(description)?;
    let token = checked::token(&scene_bytes);
    let facts = ModelFacts {
        scene,
        table: &table,
        variables: &describer.variables(&nominals),
        suggested_tolerance: system.suggested_tolerance(),
        token: &token,
        about,
    };
    let mut archive = Archive::new();
    archive.add(MODEL_DESCRIPTION, model_description(&facts)?);
    archive.add("documentation/index.html", documentation(&facts, page)?);
    page::add(&mut archive, &facts, scene, description)?;
    let visual = Visual::of(scene, description, facts.variables);
    archive.add(visual::FILE, visual.to_json().map_err(BuildError::Visual)?);
    for (name, text) in LICENSES {
        archive.add(format!("documentation/licenses/{name}"), text);
    }
    for binary in binaries {
        let path = format!(
            "binaries/{}/{}.{}",
            binary.platform.folder(standard),
            scene.name(),
            binary.platform.extension
        );
        archive.add(path, binary.content.clone());
    }
    archive.add(format!("resources/{SCENE_FILE}"), scene_bytes);
    settings::add(&mut archive, scene, user_libraries)?;
    for (path, content) in more_files {
        archive.add(path, content);
    }
    Ok(BuiltFmu {
        archive: archive.to_bytes()?,
        standard,
        model: scene.name().to_owned(),
        interface: *scene.interface(),
        tolerance: facts.tolerance(),
        own_tolerance: scene.experiment().tolerance,
        states: scene.layout().count(),
        indicators: scene.indicator_count(),
        parameters: table.parameter_count(),
        token,
        binaries: binaries
            .iter()
            .map(|binary| (binary.platform.name, binary.source.clone()))
            .collect(),
        user_libraries: settings::lines(description),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene_file;
    use contact_model::scene::description::Naming;
    use std::fs;
    use std::io::{Cursor, Read};
    use tempfile::TempDir;

    const SCENE: &str = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../examples/bouncing_ball/scene.toml"
    );

    fn binaries() -> Vec<Binary> {
        binaries::find(&Choice::default()).unwrap().binaries
    }

    fn built_for(standard: Standard) -> BuiltFmu {
        let ready = scene::read(Path::new(SCENE), None, InterfaceOverrides::default()).unwrap();
        build_ready(&ready, standard, &binaries(), Extras::default()).unwrap()
    }

    fn built() -> BuiltFmu {
        built_for(Standard::Fmi3)
    }

    fn content(archive: &[u8], path: &str) -> Vec<u8> {
        let mut zip = ZipArchive::new(Cursor::new(archive)).unwrap();
        let mut content = Vec::new();
        let mut file = zip.by_name(path).unwrap();
        file.read_to_end(&mut content).unwrap();
        content
    }

    #[test]
    fn the_archive_has_the_layout_of_the_standard() {
        for standard in [Standard::Fmi2, Standard::Fmi3] {
            let fmu = built_for(standard);
            let zip = ZipArchive::new(Cursor::new(&fmu.archive)).unwrap();
            let platform = binaries()[0].platform;
            let binary = format!(
                "binaries/{}/bouncing_ball.{}",
                platform.folder(standard),
                platform.extension
            );
            let names: Vec<_> = zip.file_names().map(|n| n.unwrap().into_owned()).collect();
            let mut expected = vec![
                "modelDescription.xml",
                &binary,
                "documentation/index.html",
                "documentation/licenses/LICENSE-APACHE",
                "documentation/licenses/LICENSE-MIT",
                "documentation/licenses/license.txt",
                "documentation/licenses/third-party.txt",
                visual::FILE,
            ];
            // The icon of FMI 2.0.
            expected.extend((standard == Standard::Fmi2).then_some("model.png"));
            expected.extend([
                "resources/scene.bin",
                "terminalsAndIcons/icon.png",
                "terminalsAndIcons/icon.svg",
            ]);
            assert_eq!(names, expected);
            assert_eq!(
                content(&fmu.archive, &binary),
                *binaries()[0].content.bytes().unwrap()
            );
        }
    }

    #[test]
    fn the_scene_in_the_archive_is_the_one_that_the_token_names() {
        for (standard, name) in [
            (Standard::Fmi2, "guid"),
            (Standard::Fmi3, "instantiationToken"),
        ] {
            let fmu = built_for(standard);
            let scene = content(&fmu.archive, "resources/scene.bin");
            let loaded = scene_file::read(Path::new(SCENE)).unwrap();
            assert_eq!(checked::decode(&scene).unwrap(), loaded.scene);
            assert_eq!(checked::token(&scene), fmu.token);
            let xml = content(&fmu.archive, MODEL_DESCRIPTION);
            let xml = String::from_utf8(xml).unwrap();
            assert!(xml.contains(&format!("{name}=\"{}\"", fmu.token)));
        }
    }

    #[test]
    fn a_scene_built_twice_gives_the_same_bytes() {
        assert_eq!(built(), built());
    }

    #[test]
    fn the_report_counts_states_indicators_and_parameters() {
        // One free body of 13 states, one pair. Parameters: gravity 3, fixed pose 7, mass 10,
        // material 2, material pair 5, contact 1, integrator 3.
        let fmu = built();
        assert_eq!((fmu.states, fmu.indicators, fmu.parameters), (13, 1, 31));
        let report = BuildReport {
            file: "out/ball.fmu".into(),
            warnings: scene_file::read(Path::new(SCENE)).unwrap().warnings,
            fmu: BuiltFmu {
                tolerance: 1e-8,
                own_tolerance: Some(1e-6),
                ..fmu
            },
        };
        let text = report.to_string();
        for part in [
            "out/ball.fmu",
            "FMI         3.0",
            "interface   scalars, structured names, fixed parameters\n",
            "states      13",
            "indicators  1",
            "parameters  31",
            "tolerance   1e-8 for importers, the scene's 1e-6 in Co-Simulation\n",
            &report.fmu.token,
            &format!("{} bytes", report.fmu.archive.len()),
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }

    #[test]
    fn a_file_is_written_with_what_is_built_in_memory() {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("ball.fmu");
        let report = build_fmu(Path::new(SCENE), &file, &Target::default()).unwrap();
        assert_eq!(fs::read(&file).unwrap(), built().archive);
        assert_eq!(report.fmu, built());
    }

    #[test]
    fn options_of_the_command_line_replace_those_of_the_scene_file() {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("ball.fmu");
        let plain = built();
        let build = |standard, interface| {
            let target = Target {
                standard,
                interface,
                ..Target::default()
            };
            build_fmu(Path::new(SCENE), &file, &target)
        };
        let all = InterfaceOverrides {
            arrays: Some(true),
            naming: Some(Naming::Flat),
            tunable: Some(true),
            strict: Some(true),
            terminals: Some(true),
            guard: Some(Guard::Off),
            expose_parameters: Some(false),
            expose_motion: false,
        };
        let report = build(Standard::Fmi3, all).unwrap();
        let line =
            "interface   arrays, flat names, tunable parameters, strict, terminals, no guard\n";
        assert!(report.to_string().contains(line), "{report}");
        let scene = checked::decode(&content(&report.fmu.archive, "resources/scene.bin")).unwrap();
        assert_eq!(*scene.interface(), all.over(InterfaceOptions::default()));
        assert_ne!(report.fmu.token, plain.token);
        // FMI 2.0 has no arrays: an error where they are asked for, scalars where the file has
        // them.
        fs::remove_file(&file).unwrap();
        let error = build(Standard::Fmi2, all).unwrap_err().to_string();
        assert_eq!(error, ARRAYS_IN_FMI2);
        assert!(!file.exists());
        let mut loaded = scene_file::read(Path::new(SCENE)).unwrap();
        loaded.description.interface.arrays = true;
        let arrays =
            build_from_description(&loaded.description, Standard::Fmi2, &binaries()).unwrap();
        assert_eq!(
            arrays.interface_text(),
            "scalars, structured names, fixed parameters"
        );
    }

    #[test]
    fn the_scene_file_is_never_replaced_by_its_fmu() {
        let folder = TempDir::new().unwrap();
        let scene = folder.path().join("scene.toml");
        fs::copy(SCENE, &scene).unwrap();
        let other_name = folder.path().join(".").join("scene.toml");
        for output in [&scene, &other_name] {
            let message = build_fmu(&scene, output, &Target::default())
                .unwrap_err()
                .to_string();
            assert!(message.contains("scene.fmu"), "{message}");
        }
        assert_eq!(fs::read(&scene).unwrap(), fs::read(SCENE).unwrap());
    }

    #[test]
    fn the_plot_of_the_default_experiment_is_in_the_page_where_it_is_asked_for() {
        let folder = TempDir::new().unwrap();
        let page = |plot| {
            let target = Target {
                plot,
                ..Target::default()
            };
            let report = build_fmu(Path::new(SCENE), folder.path(), &target).unwrap();
            let page = content(&report.fmu.archive, "documentation/index.html");
            (report.fmu.archive, String::from_utf8(page).unwrap())
        };
        let ((with, shown), (_, without)) = (page(true), page(false));
        assert!(!without.contains("class=\"paper\""));
        let (_, plot) = shown.split_once("class=\"paper\"").unwrap();
        // Axis and lines of the ball's height.
        assert!(plot.contains("position z [m]") && plot.contains("<polyline"));
        assert!(shown.len() < 300_000);
        assert_eq!(page(true).0, with);
    }

    #[test]
    fn an_error_names_its_cause_and_writes_nothing() {
        let folder = TempDir::new().unwrap();
        let scene = folder.path().join("scene.toml");
        let output = folder.path().join("ball.fmu");
        let good = fs::read_to_string(SCENE).unwrap();
        let fails = |text: &str, output: &Path, given: &[(String, PathBuf)]| {
            fs::write(&scene, text).unwrap();
            let target = Target {
                binaries: Choice {
                    given: given.to_vec(),
                    ..Choice::default()
                },
                ..Target::default()
            };
            build_fmu(&scene, output, &target).unwrap_err().to_string()
        };
        let message = fails(&good.replace("200 mm", "-1 mm"), &output, &[]);
        assert!(message.contains("scene.toml:"), "{message}");
        let given = [("x86_64-linux".to_owned(), folder.path().join("none.so"))];
        let message = fails(&good, &output, &given);
        assert!(message.contains("none.so"), "{message}");
        let nowhere = folder.path().join("none/ball.fmu");
        let message = fails(&good, &nowhere, &[]);
        assert!(message.contains("none/ball.fmu"), "{message}");
        let nothing = folder.path().join("no.toml");
        let missing = build_fmu(&nothing, &output, &Target::default()).unwrap_err();
        assert!(missing.to_string().contains("no.toml"));
        let left: Vec<_> = fs::read_dir(folder.path())
            .unwrap()
            .map(|e| e.unwrap().file_name())
            .collect();
        assert_eq!(left, ["scene.toml"]);
    }
}
