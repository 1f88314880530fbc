//! Libraries with contact laws of the user: checked, put into an FMU, listed.
//!
//! Each file goes to `resources/<platform>/<file>`. That of the platform of this program is loaded
//! here where a law calls it, so that a missing function or another version is found when the FMU is
//! built; none with `--no-user-code`.

use crate::host::Fmu;
use crate::host::library::is_user_code_forbidden;
use crate::package::archive::Archive;
use crate::package::binaries::Binary;
use crate::package::platform::Platform;
use crate::scene_file::{LibraryPath, LoadedScene};
use contact_laws::response::user::UserLibrary;
use contact_model::scene::user::own_platform;
use contact_model::scene::{Scene, SceneDescription, UserFunctions};
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// What is wrong with a library of the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LibraryError {
    /// Index of the library in the scene; none where no single one is meant.
    pub index: Option<usize>,
    /// What was found and what is wanted; names the file.
    pub reason: String,
}

/// The functions that the laws of a scene call, from the files of the platform of this program.
/// Where a library has none for it, no function is loaded: the FMU is for other platforms. None where
/// code of users is forbidden.
///
/// # Errors
/// A file does not load, is of another version or lacks a function.
pub fn load(scene: &Scene, paths: &[LibraryPath]) -> Result<Arc<UserFunctions>, LibraryError> {
    let own = own_platform();
    let own_path = |library: &str| {
        let mut own_files = paths.iter().filter(|p| p.file.platform == own);
        own_files.find(|p| p.library == library)
    };
    let mut used = scene.user_functions().iter();
    if is_user_code_forbidden() || used.any(|function| own_path(&function.library).is_none()) {
        return Ok(UserFunctions::not_loaded(scene));
    }
    // One by one first, so that the one at fault is known.
    for (index, library) in scene.libraries().iter().enumerate() {
        let functions = scene.user_functions().iter();
        let mut symbols = functions
            .filter(|function| function.library == library.name)
            .map(|function| function.symbol.as_str())
            .peekable();
        if let (Some(found), true) = (own_path(&library.name), symbols.peek().is_some()) {
            check(&found.path, symbols).map_err(|reason| LibraryError {
                index: Some(index),
                reason,
            })?;
        }
    }
    UserFunctions::load(scene, |library| {
        let path = own_path(&library.name).map(|found| found.path.clone());
        path.ok_or_else(|| format!("library {:?} has no file for {own}", library.name))
    })
    .map_err(|reason| LibraryError {
        index: None,
        reason,
    })
}

/// Loads a library and looks for its functions.
fn check<'a>(path: &Path, symbols: impl Iterator<Item = &'a str>) -> Result<(), String> {
    let library = UserLibrary::open(path)?;
    for symbol in symbols {
        library.function(symbol)?;
    }
    Ok(())
}

/// Puts the files of a scene's libraries into an FMU.
///
/// # Errors
/// A file cannot be read, or is not for its platform.
pub fn add(
    archive: &mut Archive,
    scene: &Scene,
    paths: &[LibraryPath],
) -> Result<(), LibraryError> {
    for (path, bytes) in files(scene, paths)? {
        archive.add(format!("resources/{path}"), bytes);
    }
    Ok(())
}

/// The files by their path beside the scene, `<platform>/<file>`.
///
/// # Errors
/// A file cannot be read, or is not for its platform.
pub fn files(scene: &Scene, paths: &[LibraryPath]) -> Result<Vec<(String, Vec<u8>)>, LibraryError> {
    let mut files = Vec::with_capacity(paths.len());
    for LibraryPath {
        path,
        file,
        library,
    } in paths
    {
        let refused = |reason| LibraryError {
            index: scene.libraries().iter().position(|l| l.name == *library),
            reason,
        };
        let bytes = fs::read(path).map_err(|error| {
            refused(format!(
                "cannot read user library {}: {error}",
                path.display()
            ))
        })?;
        if !Platform::named(&file.platform).is_some_and(|platform| platform.owns(&bytes)) {
            return Err(refused(format!(
                "user library {} is not a shared library for {}",
                path.display(),
                file.platform
            )));
        }
        files.push((format!("{}/{}", file.platform, file.file), bytes));
    }
    Ok(files)
}

/// A line for each library and each platform that has a binary in the FMU but no file of the library.
pub fn lacking(loaded: &LoadedScene, binaries: &[Binary]) -> Vec<String> {
    let mut lines = Vec::new();
    for library in loaded.scene.libraries() {
        for platform in binaries.iter().map(|binary| binary.platform.name) {
            if !library.files.iter().any(|file| file.platform == platform) {
                lines.push(format!(
                    "library {:?} has no file for {platform}, so the FMU does not start there; add \
                     one to the scene, or leave the platform out with --platform",
                    library.name
                ));
            }
        }
    }
    lines
}

/// A line for each library: name, files, functions.
pub fn lines(description: &SceneDescription) -> Vec<String> {
    let line = |library: &contact_model::scene::description::LibraryDescription| {
        let files = library.files.iter();
        let files: Vec<String> = files
            .map(|f| format!("{} for {}", f.file, f.platform))
            .collect();
        let functions = description.functions.iter();
        let functions: Vec<&str> = functions
            .filter(|f| f.library == library.name)
            .map(|f| f.symbol.as_str())
            .collect();
        let functions = match functions.as_slice() {
            [] => "no function used".to_owned(),
            some => some.join(", "),
        };
        let loaded = match is_user_code_forbidden() {
            true => ", not loaded (--no-user-code)",
            false => "",
        };
        format!(
            "{}: {functions} in {}{loaded}",
            library.name,
            files.join(", ")
        )
    };
    description.libraries.iter().map(line).collect()
}

/// A line for each file in the resources of an FMU that lies in the folder of a platform.
pub fn in_fmu(fmu: &Fmu) -> Vec<String> {
    let files = fmu.platform_resources();
    files
        .into_iter()
        .map(|(platform, file)| format!("{file} for {platform}"))
        .collect()
}
