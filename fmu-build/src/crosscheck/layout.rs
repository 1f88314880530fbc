//! Folders and file names, by sections 9.1.5 and 9.2.4 of the rules:
//! `fmus/{FMI version}/{cs|me}/{platform}/{tool}/{tool version}/{model}/{model}.fmu`.
//!
//! The rules end with FMI 2.0 and six platforms. An FMU of FMI 3.0 gets the same folders under
//! `3.0`; a platform that the rules do not name has its name of FMI 3.0, `aarch64-linux`.

use crate::host::Interface;
use fmu_core::instance::Standard;
use std::path::{self, Path, PathBuf};

/// Folder of the exported FMUs.
pub const EXPORTED: &str = "fmus";
/// Folder of what importers say.
const IMPORTED: &str = "results";
/// Settings of the reference: end of the file name after that of the model.
pub const OPTIONS: &str = "_ref.opt";
/// Reference: end of the file name after that of the model.
pub const REFERENCE: &str = "_ref.csv";
/// Inputs over time: end of the file name after that of the model.
pub const INPUTS: &str = "_in.csv";
/// Result of the vendor's own importer: end of the file name after that of the model.
pub const OWN_RESULT: &str = "_cc.csv";
/// Marks an exported FMU that keeps older rules only.
pub const NOT_COMPLIANT: &str = "notCompliantWithLatestRules";
/// End of the name of a file that stands for an FMU that is not public.
pub const NO_FMU: &str = "nofmu";
/// A text for people, in folders of both kinds.
pub const README: &str = "README.md";

/// FMI version that the rules know and this tool does not.
const OLD_VERSION: &str = "1.0";
/// Folders from `fmus` to the file.
const DEPTH: usize = 8;
/// The platforms of the rules with the names of FMI 3.0 for them; none for source code.
const PLATFORMS: [(&str, Option<&str>); 6] = [
    ("c-code", None),
    ("darwin64", Some("x86_64-darwin")),
    ("linux32", Some("x86-linux")),
    ("linux64", Some("x86_64-linux")),
    ("win32", Some("x86-windows")),
    ("win64", Some("x86_64-windows")),
];

/// Which FMU of which tool, as the folders say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// `2.0` or `3.0`.
    pub fmi_version: String,
    /// Interface type.
    pub interface: Interface,
    /// Platform, by the names of the rules.
    pub platform: String,
    /// Tool that made the FMU.
    pub tool: String,
    /// Its version.
    pub tool_version: String,
    /// Model, and name of the file.
    pub model: String,
}

/// Why a file has no [`Place`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unplaced {
    /// It keeps the rules, but is no FMU that this tool reads: why.
    Skipped(String),
    /// Its path has not the form of the rules: the fault.
    Misplaced(String),
}

/// Folder of an FMI version.
pub fn version_folder(standard: Standard) -> &'static str {
    match standard {
        Standard::Fmi2 => "2.0",
        Standard::Fmi3 => "3.0",
    }
}

/// Folder of an interface type.
pub fn interface_folder(interface: Interface) -> &'static str {
    match interface {
        Interface::CoSimulation => "cs",
        Interface::ModelExchange => "me",
    }
}

/// Name of a platform in the folders, of one with a name of FMI 3.0.
pub fn platform_folder(platform: &str) -> &str {
    let mut known = PLATFORMS.iter();
    let found = known.find(|(_, name)| *name == Some(platform));
    found.map_or(platform, |(folder, _)| folder)
}

/// Names that the folder of a platform may have in `binaries/` of an FMU.
pub fn binary_folders(platform: &str) -> Vec<&str> {
    let mut known = PLATFORMS.iter();
    let other = known
        .find(|(folder, _)| *folder == platform)
        .and_then(|(_, name)| *name);
    [Some(platform), other].into_iter().flatten().collect()
}

impl Place {
    /// What the path of an FMU says; a relative one goes on from the present folder.
    ///
    /// # Errors
    /// It is an FMU of FMI 1.0 or one that is not public, or the path has not the form of the rules.
    pub fn of_fmu(fmu: &Path) -> Result<Place, Unplaced> {
        let refuse = |what: String| {
            Err(Unplaced::Misplaced(format!(
                "{what}; the path of an FMU ends with \
                 fmus/{{2.0|3.0}}/{{cs|me}}/{{platform}}/{{tool}}/{{version}}/{{model}}/{{model}}.fmu"
            )))
        };
        let whole = match path::absolute(fmu) {
            Ok(whole) => whole,
            Err(error) => return refuse(format!("its folder cannot be had: {error}")),
        };
        let parts: Vec<String> = whole
            .iter()
            .map(|part| part.to_string_lossy().into_owned())
            .collect();
        let Some([root, version, kind, platform, tool, tool_version, model, _]) =
            parts.len().checked_sub(DEPTH).map(|from| &parts[from..])
        else {
            return refuse("its path is too short".into());
        };
        let folders = [root, version, kind, platform, tool, tool_version, model];
        if folders.iter().any(|folder| *folder == "..") {
            return refuse("\"..\" is one of its last folders; write it without".into());
        }
        if root != EXPORTED {
            return refuse(format!(
                "the folder {root:?} stands where {EXPORTED:?} belongs"
            ));
        }
        if version == OLD_VERSION {
            return Err(Unplaced::Skipped(format!("FMI {OLD_VERSION} is not read")));
        }
        let versions = [Standard::Fmi2, Standard::Fmi3].map(version_folder);
        if !versions.contains(&version.as_str()) {
            return refuse(format!(
                "the folder {version:?} stands where the FMI version belongs, {}",
                versions.join(" or ")
            ));
        }
        let mut kinds = Interface::ALL.into_iter();
        let Some(interface) = kinds.find(|known| interface_folder(*known) == kind) else {
            return refuse(format!("the folder {kind:?} stands where cs or me belongs"));
        };
        let known = PLATFORMS.iter().any(|(folder, _)| folder == platform);
        if !known && !platform.contains('-') {
            return refuse(format!("the folder {platform:?} is no platform"));
        }
        if fmu.file_stem().map(|stem| stem.to_string_lossy()) != Some(model.into()) {
            return refuse(format!("its folder is named {model:?}, not like the file"));
        }
        if fmu.extension().is_some_and(|end| end == NO_FMU) {
            return Err(Unplaced::Skipped(format!(
                "the FMU is not public (.{NO_FMU}); {README} says how to get it"
            )));
        }
        Ok(Place {
            fmi_version: version.clone(),
            interface,
            platform: platform.clone(),
            tool: tool.clone(),
            tool_version: tool_version.clone(),
            model: model.clone(),
        })
    }

    /// Folder of the FMU.
    pub fn exported(&self) -> PathBuf {
        let mut path = PathBuf::from(EXPORTED);
        path.extend(self.kind());
        path.extend([&self.tool, &self.tool_version, &self.model]);
        path
    }

    /// Folder of what an importer says of the FMU.
    pub fn imported(&self, importer: &str, version: &str) -> PathBuf {
        let mut path = PathBuf::from(IMPORTED);
        path.extend(self.kind());
        path.extend([importer, version]);
        path.extend([&self.tool, &self.tool_version, &self.model]);
        path
    }

    fn kind(&self) -> [&str; 3] {
        let kind = interface_folder(self.interface);
        [&self.fmi_version, kind, &self.platform]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "repo/fmus/2.0/me/linux64/Tool/1.2/Ball/Ball.fmu";

    /// The example of section 9.2.4 and that of 9.1.5 of the rules.
    #[test]
    fn a_path_of_the_rules_is_read_and_written() {
        let place = Place::of_fmu(Path::new(GOOD)).unwrap();
        assert_eq!(place.interface, Interface::ModelExchange);
        assert_eq!(place.platform, "linux64");
        let folder = Path::new("fmus/2.0/me/linux64/Tool/1.2/Ball");
        assert_eq!(place.exported(), folder);
        let folder = Path::new("results/2.0/me/linux64/Importer/3/Tool/1.2/Ball");
        assert_eq!(place.imported("Importer", "3"), folder);
    }

    #[test]
    fn a_path_of_another_form_is_refused_with_the_folder_at_fault() {
        for (old, new, part) in [
            ("fmus", "files", "\"files\" stands where \"fmus\""),
            ("2.0", "1.1", "\"1.1\" stands where the FMI version"),
            ("Tool", "..", "\"..\" is one of its last"),
            ("/1.2/", "/../", "\"..\" is one of its last"),
            ("/me/", "/both/", "\"both\" stands where cs or me"),
            ("linux64", "amiga", "\"amiga\" is no platform"),
            ("Ball.fmu", "Bell.fmu", "named \"Ball\""),
            ("repo/fmus/2.0/me/linux64/", "", "too short"),
        ] {
            // From the root, so that nothing of the present folder is in front.
            let path = format!("/{}", GOOD.replace(old, new));
            match Place::of_fmu(Path::new(&path)) {
                Err(Unplaced::Misplaced(error)) => assert!(error.contains(part), "{error}"),
                other => panic!("{path}: {other:?}"),
            }
        }
    }

    #[test]
    fn a_folder_of_fmi_1_and_an_fmu_that_is_not_public_are_skipped_and_no_fault() {
        for (old, new, part) in [
            ("2.0", "1.0", "FMI 1.0"),
            ("Ball.fmu", "Ball.nofmu", "not public"),
        ] {
            match Place::of_fmu(Path::new(&GOOD.replace(old, new))) {
                Err(Unplaced::Skipped(reason)) => assert!(reason.contains(part), "{reason}"),
                other => panic!("{new}: {other:?}"),
            }
        }
    }

    /// `..` above the folders of the rules names no folder of the results.
    #[test]
    fn a_path_may_go_up_before_fmus() {
        let path = format!("../{GOOD}");
        assert_eq!(
            Place::of_fmu(Path::new(&path)),
            Place::of_fmu(Path::new(GOOD))
        );
    }

    #[test]
    fn a_platform_has_the_name_of_the_rules_where_they_have_one() {
        assert_eq!(platform_folder("x86_64-windows"), "win64");
        assert_eq!(platform_folder("aarch64-darwin"), "aarch64-darwin");
        assert_eq!(binary_folders("linux64"), ["linux64", "x86_64-linux"]);
        assert_eq!(binary_folders("aarch64-linux"), ["aarch64-linux"]);
        assert_eq!(binary_folders("c-code"), ["c-code"]);
    }
}
