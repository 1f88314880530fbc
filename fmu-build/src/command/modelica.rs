//! `modelica`: a scene becomes a Modelica package.
//!
//! The package is a folder with texts, the scene as bytes and the C library for each platform. It is written
//! under another name and then renamed, so that it is complete or absent.

use super::answer::Failure;
use super::settings;
use crate::description::importer_tolerance;
use crate::modelica::blocks::ParameterFacts;
use crate::modelica::package::{MADE_BY, PackageFacts, files};
use crate::modelica::{package_name, taken_name};
use crate::package::binaries::{self, Binary, Choice, Found};
use crate::scene_file::{self, Diagnostics, LoadedScene};
use contact_laws::index::{BodyId, ParameterId};
use contact_model::dynamics::System;
use contact_model::scene::{Element, Parameters, Scene, checked};
use fmu_core::direct::forces::driven_bodies;
use fmu_core::instance::Standard;
use fmu_core::instance::lifecycle::SCENE_FILE;
use fmu_core::instance::variables::describe::Describer;
use fmu_core::instance::variables::{Family, VariableTable};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fmt, fs, io};

/// Name of the C library, without the affixes of a platform.
const LIBRARY: &str = "contact_fmu";

/// Outputs of a driven body that the models connect: force and torque, three components each.
const CONTACT_OUTPUTS: usize = 6;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ModelicaReport {
    pub folder: PathBuf,
    pub files: Vec<PathBuf>,
    /// Predefined name of Modelica, if that keeps the package from being named like the scene.
    pub taken: Option<String>,
    /// Models in a package with the C library.
    pub models: Vec<&'static str>,
    pub bodies: Vec<String>,
    /// Reason why there is no model without the FMU, if so.
    pub(crate) fmu_only: Option<String>,
    /// Platform and origin of each C library.
    pub binaries: Vec<(&'static str, String)>,
    pub warnings: Diagnostics,
}

impl fmt::Display for ModelicaReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.folder.join("package.mo").display())?;
        if let Some(taken) = &self.taken {
            writeln!(
                f,
                "  name      {taken}Scene, since Modelica has a {taken} itself"
            )?;
        }
        let frames = self.bodies.iter().map(|body| format!("frame_{body}"));
        writeln!(f, "  frames    {}", frames.collect::<Vec<_>>().join(", "))?;
        match &self.fmu_only {
            None => write!(f, "  models    {}", self.models.join(", "))?,
            Some(reason) => write!(f, "  models    FmuContact; no Contact: {reason}")?,
        }
        for (platform, source) in &self.binaries {
            write!(f, "\n  library   {platform} from {source}")?;
        }
        Ok(())
    }
}

/// Writes the package of a scene file into the folder `output`, under its own name.
///
/// # Errors
/// Text: problems of the scene file, no driven body, no C library, something else at the target, a file that
/// cannot be written. Nothing is left then.
pub(crate) fn run(scene: &Path, output: &Path, choice: &Choice) -> Result<ModelicaReport, Failure> {
    let mut loaded = scene_file::read(scene)?;
    let bodies = driven_bodies(&loaded.scene);
    let bodies: Vec<String> = bodies
        .map(|body| loaded.scene.bodies()[body].name.clone())
        .collect();
    if bodies.is_empty() {
        let reason = format!(
            "{}: no body is driven, so there is nothing to connect; give motion = \"driven\" to each \
             body that the Modelica model moves",
            scene.display()
        );
        return Err(reason.into());
    }
    let of_file = |reason| format!("{}: {reason}", scene.display());
    check_outputs(&loaded.scene, &bodies).map_err(of_file)?;
    let direct = direct_scene(&loaded)?;
    let Found { binaries, left_out } = match &direct {
        Ok(_) => binaries::find(choice).map_err(|error| error.to_string())?,
        Err(_) => Found::default(),
    };
    loaded.warn(left_out);
    let content = content(&loaded, &direct, &binaries)?;
    let has_impulses = content.iter().any(|(path, _)| path == "ImpulseContact.mo");
    let folder = output.join(package_name(loaded.scene.name()));
    write(&folder, &content)?;
    let files = content.iter().map(|(file, _)| folder.join(file));
    Ok(ModelicaReport {
        files: files.collect(),
        folder,
        taken: taken_name(loaded.scene.name()),
        models: match has_impulses {
            false => vec!["Contact", "FmuContact", "Examples.FreeBodies"],
            true => vec!["ImpulseContact", "FmuContact", "Examples.ImpulsiveBodies"],
        },
        bodies,
        fmu_only: direct.err(),
        binaries: binaries
            .into_iter()
            .map(|binary| (binary.platform.name, binary.source))
            .collect(),
        warnings: loaded.warnings,
    })
}

/// Checks that the FMU of the scene exposes the loads on its driven bodies.
fn check_outputs(scene: &Scene, bodies: &[String]) -> Result<(), String> {
    let table = VariableTable::new(scene, Standard::Fmi2);
    let shown = |body: &String| {
        let references = 1..=table.count() as u32;
        let quantities = references.filter_map(|reference| table.meaning(reference));
        let own = quantities.filter(|quantity| {
            let is_wrench = quantity.family == Family::Wrench;
            is_wrench && scene.bodies()[BodyId::from(quantity.of)].name == *body
        });
        own.count() == CONTACT_OUTPUTS
    };
    match bodies.iter().find(|body| !shown(body)) {
        None => Ok(()),
        Some(body) => Err(format!(
            "interface.expose hides outputs that FmuContact connects; add \"{body}.contact_*\" to its patterns, and the \
             same for the other driven bodies"
        )),
    }
}

/// Scene and its bytes for the C library: with an indicator for each pair, since Modelica does not signal the
/// end of a step. Inner error: why the library cannot use it.
fn direct_scene(loaded: &LoadedScene) -> Result<Result<(Scene, Vec<u8>), String>, String> {
    if loaded.scene.layout().count() > 0 {
        return Ok(Err(format!(
            "the scene has states of its own, the first is {}",
            loaded.scene.state_name(0)
        )));
    }
    // Without parameters and indicators the model would have arrays of no size, which compilers differ on.
    if loaded.scene.pairs().is_empty() {
        return Ok(Err("no shape of the scene can touch another one".into()));
    }
    let mut description = loaded.description.clone();
    description.contact.nz_max = u32::try_from(loaded.scene.pairs().len()).ok();
    let bytes = checked::encode(&description).map_err(|error| error.to_string())?;
    let scene = checked::decode(&bytes).map_err(|error| error.to_string())?;
    Ok(Ok((scene, bytes)))
}

fn content(
    loaded: &LoadedScene,
    direct: &Result<(Scene, Vec<u8>), String>,
    binaries: &[Binary],
) -> Result<Vec<(String, Vec<u8>)>, String> {
    let scene = Arc::new(loaded.scene.clone());
    let functions = settings::load(&scene, &loaded.libraries).map_err(|e| e.reason)?;
    let parameters = Parameters::start(&scene);
    let system = System::with_functions(Arc::clone(&scene), &parameters, &functions)
        .map_err(|error| error.to_string())?;
    let suggested = system.suggested_tolerance();
    let facts = PackageFacts {
        scene: &scene,
        direct: direct
            .as_ref()
            .map(|(scene, _)| scene)
            .map_err(Clone::clone),
        parameters: parameter_facts(&scene, &system)?,
        tolerance: importer_tolerance(&scene, suggested),
        platforms: binaries
            .iter()
            .map(|binary| binary.platform.name.to_owned())
            .collect(),
    };
    let texts = files(&facts)?.into_iter();
    let mut content: Vec<_> = texts
        .map(|(path, text)| (path, text.into_bytes()))
        .collect();
    if let Ok((_, bytes)) = direct {
        content.push((format!("Resources/Data/{SCENE_FILE}"), bytes.clone()));
        let files = settings::files(&scene, &loaded.libraries).map_err(|e| e.reason)?;
        for (path, bytes) in files {
            content.push((format!("Resources/Data/{path}"), bytes));
        }
    }
    for binary in binaries {
        let path = format!(
            "Resources/Library/{}/{}",
            binary.platform.modelica_folder(),
            binary.platform.library_file(LIBRARY)
        );
        let bytes = binary
            .content
            .bytes()
            .map_err(|e| format!("{}: {e}", binary.source))?;
        content.push((path, bytes.into_owned()));
    }
    Ok(content)
}

/// Parameters of materials and contact, as in the FMU.
fn parameter_facts(scene: &Scene, system: &System) -> Result<Vec<ParameterFacts>, String> {
    let table = VariableTable::new(scene, Standard::Fmi2);
    let describer = Describer::new(scene, &table);
    table
        .check_names(scene)
        .map_err(|error| error.to_string())?;
    let mut facts = Vec::new();
    for variable in describer.variables(system.importer_nominals()) {
        if variable.quantity.family != Family::Parameter {
            continue;
        }
        let index = ParameterId::from(variable.quantity.of);
        let of_contact = matches!(
            scene.parameters()[index].element,
            Element::Material(_) | Element::Law(_) | Element::Contact
        );
        if let Some(start) = variable.start.first().filter(|_| of_contact) {
            let unit = variable.declared_type.and_then(|declared| declared.unit);
            facts.push(ParameterFacts {
                name: scene.parameter_name(index),
                unit: unit.map(str::to_owned),
                start: *start,
                description: variable.description,
            });
        }
    }
    Ok(facts)
}

/// Writes a complete package or none, replacing an older one of this program.
fn write(folder: &Path, content: &[(String, Vec<u8>)]) -> Result<(), String> {
    let fails = |error: io::Error| format!("cannot write {}: {error}", folder.display());
    if folder.exists() && !is_ours(folder) {
        return Err(format!(
            "{} exists and is no package of this program; remove it, or give -o another folder",
            folder.display()
        ));
    }
    let parent = folder.parent().unwrap_or(Path::new("."));
    let made = !parent.exists();
    let written = fs::create_dir_all(parent).and_then(|()| replace(parent, folder, content));
    if written.is_err() && made {
        // Goes away only if nothing is in it.
        let _ = fs::remove_dir(parent);
    }
    written.map_err(fails)
}

fn replace(parent: &Path, folder: &Path, content: &[(String, Vec<u8>)]) -> io::Result<()> {
    let workshop = tempfile::Builder::new()
        .prefix(".fmu-build-")
        .tempdir_in(parent)?;
    let fresh = workshop.path().join("new");
    for (path, bytes) in content {
        let file = fresh.join(path);
        if let Some(place) = file.parent() {
            fs::create_dir_all(place)?;
        }
        fs::write(&file, bytes)?;
    }
    let old = workshop.path().join("old");
    let had_one = folder.exists();
    if had_one {
        fs::rename(folder, &old)?;
    }
    let moved = fs::rename(&fresh, folder);
    if moved.is_err() && had_one {
        fs::rename(&old, folder)?;
    }
    moved
}

fn is_ours(folder: &Path) -> bool {
    fs::read_to_string(folder.join("package.mo")).is_ok_and(|text| text.contains(MADE_BY))
}
