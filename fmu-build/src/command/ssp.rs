//! `ssp`: a scene becomes a system in SSP format, with its FMU as the only component.

use super::answer::{Answer, Cause, Failure};
use super::build::{BuildError, BuiltFmu, Extras, binaries_for, build_ready};
use super::scene;
use super::settings::Setting;
use crate::description::system_structure;
use crate::package::binaries::Choice;
use crate::package::{Archive, write_archive};
use crate::scene_file::InterfaceOverrides;
use fmu_core::instance::Standard;
use std::path::Path;

/// Writes the SSP of a scene. Its variables are always scalars, like connectors of SSP. The answer has the
/// file and a summary.
///
/// # Errors
/// A bad scene, no binary, a file that cannot be written.
pub(crate) fn run(
    scene: &Path,
    output: &Path,
    standard: Standard,
    settings: &[Setting],
    choice: &Choice,
) -> Result<Answer, Failure> {
    let scalars = InterfaceOverrides {
        arrays: Some(false),
        ..InterfaceOverrides::default()
    };
    let ready = scene::read(scene, None, scalars)?;
    let mut ready = ready.with(settings).map_err(Cause::Setting)?;
    let binaries = binaries_for(&mut ready, choice).map_err(|e| e.to_string())?;
    let fmu = build_ready(&ready, standard, &binaries, Extras::default())?;
    let documents =
        system_structure::files(&ready.loaded.scene, standard).map_err(|e| e.to_string())?;
    let content = pack(&fmu, documents).map_err(|e| e.to_string())?;
    write_archive(output, &content)?;
    Ok(Answer {
        text: format!(
            "{} ({} bytes)\n  SystemStructure.ssd\n  resources/{}.fmu\n  resources/{}.ssv, {} parameters",
            output.display(),
            content.len(),
            fmu.model,
            fmu.model,
            fmu.parameters
        ),
        warnings: Some(ready.loaded.warnings),
        files: vec![output.to_owned()],
        ..Answer::default()
    })
}

fn pack(fmu: &BuiltFmu, documents: Vec<(String, Vec<u8>)>) -> Result<Vec<u8>, BuildError> {
    let mut archive = Archive::new();
    archive.add(format!("resources/{}.fmu", fmu.model), fmu.archive.clone());
    for (path, content) in documents {
        archive.add(path, content);
    }
    archive.to_bytes().map_err(BuildError::Archive)
}
