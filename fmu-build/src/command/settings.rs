//! `--set NAME=VALUE`: start values of parameters and states, by the names in importers.
//!
//! # User libraries with contact laws
//!
//! Each file goes to `resources/<platform>/<file>`. The file for the platform of this program is loaded here
//! if a law calls it, so that a missing function or another version is detected when the FMU is built; none
//! with `--no-user-code`.

use crate::package::Archive;
use crate::package::binaries::Binary;
use crate::package::platform::Platform;
use crate::scene_file::{LibraryPath, LoadedScene, si_value, suggestion};
use contact_laws::response::user::UserLibrary;
use contact_model::scene::user::own_platform;
use contact_model::scene::{Scene, SceneDescription, UserFunctions};
use fmu_host::{Fmu, is_user_code_forbidden};
use std::fs;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Name of the variable, `ball.mass` or `ball.position[3]`.
    pub(crate) name: String,
    /// Number in SI units, or with a unit as in a scene file; or a word.
    pub(crate) value: String,
}

impl FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => {
                Ok(Setting {
                    name: name.trim().to_owned(),
                    value: value.trim().to_owned(),
                })
            }
            _ => Err("must be NAME=VALUE, such as ball.mass=0.5 or \"ball.mass=500 g\"".into()),
        }
    }
}

pub(crate) struct Known {
    pub(crate) name: String,
    /// Symbol of its unit; `None` for a pure number.
    pub unit: Option<String>,
    /// Names of its values with their numbers; empty for a number.
    pub words: Vec<(String, f64)>,
    /// Whether it takes 32-bit integers only.
    pub(crate) is_integer: bool,
}

/// Variable that cannot be set.
pub(crate) struct Other {
    pub causality: String,
    /// Whether it is an array, with named entries.
    pub is_array: bool,
}

impl Other {
    fn reason(&self, name: &str) -> String {
        match (self.causality.as_str(), self.is_array) {
            ("parameter", true) => format!("is an array; name an entry, such as {name}[1]"),
            ("parameter", false) => {
                "is neither of type Float64 or Int32 nor an enumeration; only such parameters can be set"
                    .into()
            }
            (causality, _) => format!(
                "has causality {causality:?} and no start value; only parameters and states can be set"
            ),
        }
    }
}

/// Index in `known` and value in SI units of each setting. `other` finds variables that are not in `known`. A
/// repeated name is an error, like a repeated key in a scene file.
///
/// # Errors
/// Text with a line for each setting: an unknown or repeated name, or an invalid value.
pub(crate) fn choose(
    settings: &[Setting],
    known: &[Known],
    other: impl Fn(&str) -> Option<Other>,
) -> Result<Vec<(usize, f64)>, String> {
    let mut chosen: Vec<(usize, f64)> = Vec::new();
    let mut problems = Vec::new();
    for Setting { name, value } in settings {
        let Some(index) = known.iter().position(|parameter| parameter.name == *name) else {
            let reason = other(name).map(|other| other.reason(name));
            let reason = reason.unwrap_or_else(|| unknown(name, known));
            problems.push(format!("--set {name}: {reason}"));
            continue;
        };
        if chosen.iter().any(|(other, _)| *other == index) {
            problems.push(format!("--set {name}: is given twice; keep one of the two"));
            continue;
        }
        match known[index].value(value) {
            Ok(value) => chosen.push((index, value)),
            Err(reason) => problems.push(format!("--set {name}: is {value:?}{reason}")),
        }
    }
    match problems.is_empty() {
        true => Ok(chosen),
        false => Err(problems.join("\n")),
    }
}

fn unknown(name: &str, known: &[Known]) -> String {
    let names: Vec<&str> = known
        .iter()
        .map(|parameter| parameter.name.as_str())
        .collect();
    let guess = suggestion(name, &names);
    let guess = guess.map_or(String::new(), |likely| {
        format!("; did you mean {likely:?}?")
    });
    format!(
        "is not known{guess}; fmu-build inspect FILE.fmu lists all {} parameters and states of the FMU",
        known.len()
    )
}

impl Known {
    /// Value of a text, or its problem, to follow `is "500 s"`.
    fn value(&self, text: &str) -> Result<f64, String> {
        if self.words.is_empty() {
            let value = si_value(text, self.unit.as_deref())?;
            return match self.is_integer && f64::from(value as i32) != value {
                true => Err("; must be a whole number of 32 bits".to_owned()),
                false => Ok(value),
            };
        }
        let number = text.parse::<f64>().ok();
        let is_meant = |(word, value): &&(String, f64)| word == text || number == Some(*value);
        let meant = self.words.iter().find(is_meant);
        meant.map(|(_, value)| *value).ok_or_else(|| {
            let words = self.words.iter().map(|(word, _)| word.as_str());
            format!("; must be one of {}", words.collect::<Vec<_>>().join(", "))
        })
    }
}

/// Problem of a user library.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct LibraryError {
    pub(crate) index: Option<usize>,
    /// Finding and expectation, with the file.
    pub reason: String,
}

/// User functions of a scene's laws, from the files for the platform of this program. A library without such
/// a file gives no functions: the FMU is for other platforms. None at all if user code is forbidden.
///
/// # Errors
/// A file that cannot be loaded, has another version or lacks a function.
pub(crate) fn load(
    scene: &Scene,
    paths: &[LibraryPath],
) -> Result<Arc<UserFunctions>, LibraryError> {
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

fn check<'a>(path: &Path, symbols: impl Iterator<Item = &'a str>) -> Result<(), String> {
    let library = UserLibrary::open(path)?;
    for symbol in symbols {
        library.function(symbol)?;
    }
    Ok(())
}

/// Adds the files of a scene's libraries to an FMU.
///
/// # Errors
/// A file that cannot be read, or is not for its platform.
pub(crate) fn add(
    archive: &mut Archive,
    scene: &Scene,
    paths: &[LibraryPath],
) -> Result<(), LibraryError> {
    for (path, bytes) in files(scene, paths)? {
        archive.add(format!("resources/{path}"), bytes);
    }
    Ok(())
}

/// Files by their path beside the scene, `<platform>/<file>`.
///
/// # Errors
/// A file that cannot be read, or is not for its platform.
pub(crate) fn files(
    scene: &Scene,
    paths: &[LibraryPath],
) -> Result<Vec<(String, Vec<u8>)>, LibraryError> {
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

/// Line for each library and platform that has a binary in the FMU but no file of the library.
pub(crate) fn lacking(loaded: &LoadedScene, binaries: &[Binary]) -> Vec<String> {
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

/// Line for each library: name, files, functions.
pub(crate) fn lines(description: &SceneDescription) -> Vec<String> {
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

/// Line for each file in the platform folders of an FMU's resources.
pub(crate) fn in_fmu(fmu: &Fmu) -> Vec<String> {
    let files = fmu.platform_resources();
    files
        .into_iter()
        .map(|(platform, file)| format!("{file} for {platform}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(settings: &[&str]) -> Result<Vec<(usize, f64)>, String> {
        let known = [
            ("ball.mass", Some("kg")),
            ("world.gravity[3]", Some("m/s2")),
            ("contact.k_red", None),
            ("pump.torque", Some("Nm")),
            ("pump.side", None),
            ("pump.poles", None),
        ];
        let known = known.map(|(name, unit)| Known {
            name: name.to_owned(),
            unit: unit.map(str::to_owned),
            words: match name {
                "pump.side" => vec![("left".to_owned(), 1.0), ("right".to_owned(), 4.0)],
                _ => Vec::new(),
            },
            is_integer: name == "pump.poles",
        });
        let settings: Vec<Setting> = settings.iter().map(|text| text.parse().unwrap()).collect();
        choose(&settings, &known, |name| {
            let (causality, is_array) = match name {
                "ball.position[3]" => ("output", false),
                "world.gravity" => ("parameter", true),
                "switch" => ("parameter", false),
                _ => return None,
            };
            Some(Other {
                causality: causality.to_owned(),
                is_array,
            })
        })
    }

    #[test]
    fn a_value_is_a_number_or_has_a_unit_of_the_parameter() {
        assert_eq!(
            chosen(&[
                "world.gravity[3]=-1.62",
                "ball.mass = 500 g",
                "contact.k_red=50 %"
            ]),
            Ok(vec![(1, -1.62), (0, 0.5), (2, 0.5)])
        );
    }

    #[test]
    fn a_value_of_an_enumeration_is_a_word_or_its_number() {
        assert_eq!(chosen(&["pump.side=right"]), Ok(vec![(4, 4.0)]));
        assert_eq!(chosen(&["pump.side=1"]), Ok(vec![(4, 1.0)]));
        for wrong in ["2", "up", "left right", "1 mm"] {
            let found = chosen(&[&format!("pump.side={wrong}")]);
            let expected = format!("--set pump.side: is {wrong:?}; must be one of left, right");
            assert_eq!(found.unwrap_err(), expected);
        }
    }

    #[test]
    fn a_value_of_an_integer_is_whole() {
        assert_eq!(chosen(&["pump.poles=8"]), Ok(vec![(5, 8.0)]));
        for wrong in ["2.5", "3e9"] {
            let found = chosen(&[&format!("pump.poles={wrong}")]);
            let expected =
                format!("--set pump.poles: is {wrong:?}; must be a whole number of 32 bits");
            assert_eq!(found.unwrap_err(), expected);
        }
    }

    #[test]
    fn what_is_wrong_is_told_for_each_setting() {
        let found = chosen(&[
            "bal.mass=1",
            "ball.position[3]=1",
            "world.gravity=1",
            "switch=1",
            "ball.mass=500 s",
            "contact.k_red=inf",
            "pump.torque=2 Nm",
            "world.gravity[3]=1",
            "world.gravity[3]=1",
        ]);
        assert_eq!(
            found.unwrap_err(),
            "--set bal.mass: is not known; did you mean \"ball.mass\"?; fmu-build inspect FILE.fmu lists all 6 \
             parameters and states of the FMU\n\
             --set ball.position[3]: has causality \"output\" and no start value; only parameters and states can be \
             set\n\
             --set world.gravity: is an array; name an entry, such as world.gravity[1]\n\
             --set switch: is neither of type Float64 or Int32 nor an enumeration; only such parameters can be set\n\
             --set ball.mass: is \"500 s\"; \"s\" is a time unit, expected a mass; units of a mass: kg, g, mg, ug, t, lb, oz, slug\n\
             --set contact.k_red: is \"inf\"; must be a finite number\n\
             --set pump.torque: is \"2 Nm\"; expected a number in Nm without its unit, which this tool does not \
             know\n\
             --set world.gravity[3]: is given twice; keep one of the two"
        );
    }

    #[test]
    fn a_setting_has_a_name_and_a_value() {
        for text in ["ball.mass", "=1", "ball.mass=", " = "] {
            let error = text.parse::<Setting>().unwrap_err();
            assert!(error.starts_with("must be NAME=VALUE"), "{text}");
        }
    }
}
