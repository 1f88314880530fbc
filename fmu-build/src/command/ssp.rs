//! `ssp`: a scene becomes a system in the format of SSP, with its FMU as the only component.

use super::build::{BuildError, BuiltFmu, build_loaded};
use super::laws::warnings;
use super::scene::{self, Ready};
use super::settings::Setting;
use crate::description::system_structure;
use crate::package::archive::Archive;
use crate::package::binaries::Places;
use crate::package::file::write_whole;
use crate::scene_file::InterfaceOverrides;
use fmu_core::instance::Standard;
use std::path::{Path, PathBuf};

/// What there is to say.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// File, and what is in it.
    pub text: String,
    /// Warnings about the scene; empty where there are none.
    pub warnings: String,
}

/// Writes the SSP of a scene. Its variables are scalars, whatever the scene says: connectors of SSP
/// are.
///
/// # Errors
/// In words: the scene is bad, there is no binary, the file cannot be written.
pub fn run(
    scene: &Path,
    output: &Path,
    standard: Standard,
    settings: &[Setting],
    binaries: &[(String, PathBuf)],
) -> Result<Answer, String> {
    let scalars = InterfaceOverrides {
        arrays: Some(false),
        ..InterfaceOverrides::default()
    };
    let ready = scene::read(scene, scalars).map_err(|problems| problems.to_string())?;
    let Ready { mut loaded, laws } = ready.with(settings)?;
    warnings::add(&mut loaded, &laws, &[warnings::USUAL_SPEED]);
    let places = Places::of_this_program(binaries).map_err(|e| e.to_string())?;
    let binaries = places.find().map_err(|e| e.to_string())?;
    let fmu = build_loaded(&loaded, standard, &binaries).map_err(|e| e.to_string())?;
    let documents = system_structure::files(&loaded.scene, standard).map_err(|e| e.to_string())?;
    let content = pack(&fmu, documents).map_err(|e| e.to_string())?;
    write_whole(output, &content).map_err(|e| format!("cannot write {}: {e}", output.display()))?;
    Ok(Answer {
        text: format!(
            "{} ({} bytes)\n  SystemStructure.ssd\n  resources/{}.fmu\n  resources/{}.ssv, {} parameters",
            output.display(),
            content.len(),
            fmu.model,
            fmu.model,
            fmu.parameters
        ),
        warnings: loaded.warnings.to_string(),
    })
}

fn pack(fmu: &BuiltFmu, documents: Vec<(String, Vec<u8>)>) -> Result<Vec<u8>, BuildError> {
    let mut archive = Archive::new();
    archive.add(
        format!("resources/{}.fmu", fmu.model),
        fmu.archive.as_slice(),
    );
    for (path, content) in documents {
        archive.add(path, content);
    }
    archive.to_bytes().map_err(BuildError::Archive)
}
