//! The resources of an FMU: finds and reads the scene, and checks that it is the one the model
//! description was written for; and loads the shared libraries of the user, for the platform of
//! this one from `<platform>/` in the resources.
//!
//! The folder is the one the importer names. Where it names none, as [FMI 3.0] section 2.3.1
//! allows, the library looks for its own file: an FMU has its binary in `binaries/<platform>/`,
//! two folders beside `resources/`.

use contact_model::scene::{Scene, UserFunctions, bytes, user};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Name of the scene in the resources folder.
pub const SCENE_FILE: &str = "scene.bin";

/// A scene and the token of its bytes.
#[derive(Clone, Debug)]
pub struct Resources {
    /// The scene.
    pub scene: Arc<Scene>,
    /// Its token, 64 hexadecimal digits.
    pub token: Arc<str>,
    /// Functions of the user that its laws call.
    pub functions: Arc<UserFunctions>,
}

/// Reads the scene from `folder`, or from the library's own place where that is none, and compares
/// its token with the one of the model description.
///
/// # Errors
/// Text with the path tried, what was found and what is expected.
pub fn load(folder: Option<&Path>, token: Option<&str>) -> Result<Resources, String> {
    let folder = match folder {
        Some(given) => given.to_path_buf(),
        None => own_resources()?,
    };
    let path = folder.join(SCENE_FILE);
    let data = std::fs::read(&path).map_err(|error| {
        format!(
            "cannot read {}: {error}; the resource path must name the resources folder of the \
             unpacked FMU",
            path.display()
        )
    })?;
    let expected = bytes::token(&data);
    match token {
        Some(given) if given == expected => {}
        Some(given) => {
            return Err(format!(
                "instantiation token (guid in FMI 2.0) is {given:?}, that of {} with this binary is {expected:?}; \
                 modelDescription.xml and scene do not belong together, or one is damaged: build the FMU \
                 again",
                path.display()
            ));
        }
        None => {
            return Err(format!(
                "instantiation token (guid in FMI 2.0) is null; expected {expected:?}, as in modelDescription.xml"
            ));
        }
    }
    decode(&path, &data, expected)
}

/// Reads the scene at `place` without a model description: the bytes of a scene, or a folder with
/// [`SCENE_FILE`] in it, or an unpacked FMU.
///
/// # Errors
/// Text with the path tried, what was found and what is expected.
pub fn open(place: &Path) -> Result<Resources, String> {
    let path = match place.is_dir() {
        true => {
            let unpacked = place.join("resources").join(SCENE_FILE);
            match unpacked.is_file() {
                true => unpacked,
                false => place.join(SCENE_FILE),
            }
        }
        false => place.to_path_buf(),
    };
    let data = std::fs::read(&path).map_err(|error| {
        format!(
            "cannot read {}: {error}; the path must name {SCENE_FILE}, a folder that holds it, or an \
             unpacked FMU",
            path.display()
        )
    })?;
    decode(&path, &data, bytes::token(&data))
}

/// The scene of these bytes with their token, which are those at `path`, and the libraries beside it.
fn decode(path: &Path, data: &[u8], token: String) -> Result<Resources, String> {
    let scene = bytes::decode(data).map_err(|error| format!("{}: {error}", path.display()))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let functions = UserFunctions::load(&scene, |library| {
        let file = user::own_file(library)?;
        Ok(folder.join(&file.platform).join(&file.file))
    })?;
    Ok(Resources {
        functions,
        scene: Arc::new(scene),
        token: token.into(),
    })
}

/// `../../resources` as seen from the folder of the file that holds this code.
fn own_resources() -> Result<PathBuf, String> {
    let unknown = "no resource path was given, and this library does not know its own place";
    let library = own_file().ok_or_else(|| format!("{unknown}; pass the path"))?;
    let root = library.ancestors().nth(3).ok_or_else(|| {
        format!(
            "{unknown} inside an FMU: it is {}; pass the path",
            library.display()
        )
    })?;
    Ok(root.join("resources"))
}

/// The file mapped at the address of this function. Linux lists the mappings of a process, one a
/// line: `start-end permissions offset device inode path`.
#[cfg(target_os = "linux")]
fn own_file() -> Option<PathBuf> {
    let address = own_file as *const () as usize;
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    maps.lines().find_map(|line| {
        let (range, rest) = line.split_once(' ')?;
        let (start, end) = range.split_once('-')?;
        let start = usize::from_str_radix(start, 16).ok()?;
        let end = usize::from_str_radix(end, 16).ok()?;
        if !(start..end).contains(&address) {
            return None;
        }
        // The path is the only field that may hold blanks, and it starts with a slash.
        Some(PathBuf::from(&rest[rest.find('/')?..]))
    })
}

/// Elsewhere the standard library offers no way; the importer has to pass the path.
#[cfg(not(target_os = "linux"))]
fn own_file() -> Option<PathBuf> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn the_file_of_this_code_is_the_running_test() {
        assert_eq!(own_file(), std::env::current_exe().ok());
    }

    #[test]
    fn a_missing_scene_is_refused_with_its_path() {
        let refused = load(Some(Path::new("/nowhere/resources")), Some("x")).unwrap_err();
        assert!(
            refused.contains("/nowhere/resources/scene.bin"),
            "{refused}"
        );
    }
}
