//! An unpacked FMU, and unpacking.
//!
//! Names are checked before anything is written, so that no entry leaves the folder: relative, forward
//! slashes, no `..`, no drive, no link, not deeply nested.

use super::error::HostError;
use super::library::{Library, is_user_code_forbidden};
use super::model_description;
use super::model_description::{InterfaceDescription, Limits, MIB, ModelDescription};
use contact_model::scene::description::contact::PLATFORMS;
use contact_model::scene::user::own_platform;
use fmu_core::instance::Standard;
use std::env::consts;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::{fs, io};
use tempfile::TempDir;
use zip::ZipArchive;

const BINARIES: &str = "binaries";

/// FMU, unpacked into a folder that exists as long as the FMU and its instances.
#[derive(Debug)]
pub struct Fmu {
    folder: Arc<TempDir>,
    description: Arc<ModelDescription>,
    platforms: Vec<String>,
}

impl Fmu {
    /// [`Self::open_within`] with the usual limits.
    ///
    /// # Errors
    /// See there.
    pub fn open(path: &Path) -> Result<Fmu, HostError> {
        Fmu::open_within(path, &Limits::USUAL)
    }

    /// Unpacks an FMU and reads its model description.
    ///
    /// # Errors
    /// Not a readable archive; an entry that would leave the folder; no readable modelDescription.xml; an FMI
    /// version other than 2 and 3; exceeded limits. A missing binary is an error of [`Self::load`] only, so
    /// that FMUs for other platforms can be inspected.
    pub fn open_within(path: &Path, limits: &Limits) -> Result<Fmu, HostError> {
        let fail = HostError::Archive;
        let folder = tempfile::Builder::new()
            .prefix("fmu-build-")
            .tempdir()
            .map_err(|e| fail(format!("no temporary folder to unpack it: {e}")))?;
        unpack(path, folder.path(), limits.unpacked).map_err(fail)?;
        let document = folder.path().join("modelDescription.xml");
        if !document.is_file() {
            return Err(fail(
                "is not an FMU: no modelDescription.xml at the top of the archive".into(),
            ));
        }
        let fail = HostError::Description;
        let size = fs::metadata(&document).map_err(|e| fail(e.to_string()))?;
        if size.len() > limits.description {
            return Err(fail(format!(
                "has {} bytes; {} MiB are allowed, --max-description allows more",
                size.len(),
                limits.description / MIB
            )));
        }
        let text = fs::read(&document).map_err(|e| fail(e.to_string()))?;
        let text = String::from_utf8(text).map_err(|e| fail(format!("is not UTF-8: {e}")))?;
        let version = model_description::fmi_version(&text).map_err(fail)?;
        if model_description::standard(&version).is_none() {
            return Err(HostError::Version(version));
        }
        Ok(Fmu {
            description: Arc::new(ModelDescription::parse_within(&text, limits).map_err(fail)?),
            platforms: platforms(folder.path()),
            folder: Arc::new(folder),
        })
    }

    /// Model description.
    pub fn description(&self) -> &ModelDescription {
        &self.description
    }

    pub(crate) fn shared_description(&self) -> Arc<ModelDescription> {
        Arc::clone(&self.description)
    }

    /// Folder of the unpacked FMU, for abandoned runs that still use it.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Sorted names of the platforms with binaries.
    pub fn platforms(&self) -> &[String] {
        &self.platforms
    }

    /// Platform and name of each file in platform folders of the resources, sorted: shared libraries with
    /// user-defined contact laws.
    pub fn platform_resources(&self) -> Vec<(String, String)> {
        let resources = self.folder.path().join("resources");
        let mut found = Vec::new();
        for platform in PLATFORMS {
            let Ok(entries) = fs::read_dir(resources.join(platform)) else {
                continue;
            };
            let files = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
            found.extend(files.map(|file| (platform.to_owned(), file)));
        }
        found.sort();
        found
    }

    /// User libraries that the binary of this FMU loads on this platform.
    pub fn user_libraries(&self) -> Vec<String> {
        let own = own_platform();
        let all = self.platform_resources().into_iter();
        all.filter(|(platform, _)| *platform == own)
            .map(|(_, file)| file)
            .collect()
    }

    /// Model Exchange of this FMU.
    ///
    /// # Errors
    /// The FMU does not have it.
    pub fn model_exchange(&self) -> Result<&InterfaceDescription, HostError> {
        self.require(&self.description.model_exchange, "Model Exchange")
    }

    /// Co-Simulation of this FMU.
    ///
    /// # Errors
    /// The FMU does not have it.
    pub(crate) fn co_simulation(&self) -> Result<&InterfaceDescription, HostError> {
        self.require(&self.description.co_simulation, "Co-Simulation")
    }

    fn require<'a>(
        &self,
        interface: &'a Option<InterfaceDescription>,
        name: &'static str,
    ) -> Result<&'a InterfaceDescription, HostError> {
        let description = &self.description;
        let present = [
            (description.model_exchange.is_some(), "Model Exchange"),
            (description.co_simulation.is_some(), "Co-Simulation"),
            (description.has_scheduled_execution, "Scheduled Execution"),
        ];
        let present = present
            .into_iter()
            .filter_map(|(has, name)| has.then_some(name));
        interface
            .as_ref()
            .ok_or_else(|| HostError::NoInterface(name, present.collect()))
    }

    /// Loads the binary of an interface for this platform.
    ///
    /// # Errors
    /// No binary for this platform; a binary that the system cannot load; user libraries where they are
    /// forbidden.
    pub(crate) fn load(&self, interface: &InterfaceDescription) -> Result<Library, HostError> {
        if is_user_code_forbidden()
            && let Some(file) = self.user_libraries().first()
        {
            let reason = "--no-user-code refuses the FMU for it; leave that option out if you trust the library";
            let inside = format!("resources/{}/{file}", own_platform());
            return Err(HostError::Library(inside, reason.to_owned()));
        }
        let standard = self.description.standard;
        let file = format!("{}.{}", interface.model_identifier, consts::DLL_EXTENSION);
        let inside = |folder: &String| format!("{BINARIES}/{folder}/{file}");
        let folders = platform_folders(standard, consts::OS, consts::ARCH);
        let present = folders.iter().map(inside);
        let mut present = present.filter(|path| self.folder.path().join(path).is_file());
        let Some(inside) = present.next() else {
            return Err(HostError::NoBinary {
                wanted: folders.iter().map(inside).collect::<Vec<_>>().join(" or "),
                present: self.platforms.clone(),
            });
        };
        Library::open(&self.folder, inside, standard)
    }
}

/// Folder names of a platform, by preference: as listed in [FMI 2.0] section 2.3, or formed by [FMI 3.0]
/// section 2.5.1.4, `<architecture>-<system>`. The list of FMI 2.0 has x86 only; FMUs for other architectures
/// use the form of FMI 3.0, or on macOS a universal file.
fn platform_folders(standard: Standard, system: &str, architecture: &str) -> Vec<String> {
    let system = match system {
        "macos" => "darwin",
        other => other,
    };
    let formed = format!("{architecture}-{system}");
    match (standard, system, architecture) {
        (Standard::Fmi2, "linux", "x86_64") => vec!["linux64".into()],
        (Standard::Fmi2, "windows", "x86_64") => vec!["win64".into()],
        (Standard::Fmi2, "darwin", "x86_64") => vec!["darwin64".into()],
        (Standard::Fmi2, "darwin", _) => vec![formed, "darwin64".into()],
        _ => vec![formed],
    }
}

/// Sorted names of the non-empty folders in `binaries/`.
fn platforms(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder.join(BINARIES)) else {
        return Vec::new();
    };
    let has_files = |entry: &fs::DirEntry| {
        fs::read_dir(entry.path()).is_ok_and(|mut files| files.next().is_some())
    };
    let mut names: Vec<String> = entries
        .filter_map(Result::ok)
        .filter(has_files)
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// Minimum size counted for an entry [bytes], a usual disk block: empty files take space too.
const BLOCK: u64 = 4096;
/// Maximum length of a name [bytes]; systems limit paths to some 1000 (macOS) to 4096 (Linux).
const MAX_NAME: usize = 800;
/// Maximum folder depth of an entry. Removing a folder keeps one file open for each level.
const MAX_DEPTH: usize = 64;

/// Unpacks the archive `path` into `folder`, which exists; `limit` is the maximum unpacked size [bytes].
///
/// # Errors
/// Text: not readable, not a ZIP archive, an entry that would leave the folder or is not a plain file, too
/// much data.
pub(crate) fn unpack(path: &Path, folder: &Path, limit: u64) -> Result<(), String> {
    let file = File::open(path).map_err(|e| format!("cannot be opened: {e}"))?;
    let mut archive =
        ZipArchive::new(file).map_err(|e| format!("is not an FMU, not a ZIP archive: {e}"))?;
    let mut left = limit;
    for i in 0..archive.len() {
        let mut entry = archive
            .by_index(i)
            .map_err(|e| format!("entry {i} of the archive cannot be read: {e}"))?;
        let name = entry
            .name()
            .map_err(|e| format!("entry {i} of the archive has no readable name: {e}"))?
            .into_owned();
        check_name(&name)?;
        let too_much = || {
            format!(
                "unpacks to more than {} MiB at entry {name:?}; --max-unpacked allows more",
                limit / MIB
            )
        };
        left = left.checked_sub(BLOCK).ok_or_else(too_much)?;
        if entry.is_symlink() {
            return Err(format!(
                "entry {name:?} is a link; an FMU holds plain files"
            ));
        }
        let target = folder.join(&name);
        let fail = |e: io::Error| format!("entry {name:?} cannot be unpacked: {e}");
        if entry.is_dir() {
            fs::create_dir_all(&target).map_err(fail)?;
            continue;
        }
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent).map_err(fail)?;
        }
        // Two entries of one name are refused, as the second could hide what the first holds.
        let mut output = File::create_new(&target).map_err(fail)?;
        // The size in the header is a claim; what comes out is counted.
        let allowed = left.saturating_add(1);
        let written = io::copy(&mut entry.by_ref().take(allowed), &mut output).map_err(fail)?;
        left = left.checked_sub(written).ok_or_else(too_much)?;
    }
    Ok(())
}

/// Rejects names that could leave the folder, on any system.
fn check_name(name: &str) -> Result<(), String> {
    let reason = if name.is_empty() {
        "is empty"
    } else if name.contains('\0') {
        "has a null character"
    } else if name.contains('\\') {
        "has a backslash; names in a ZIP archive have forward slashes"
    } else if name.starts_with('/') || name.contains(':') {
        "is absolute"
    } else if name.split('/').any(|part| part == "..") {
        "leads out of the FMU"
    } else if name.len() > MAX_NAME {
        "is longer than 800 bytes"
    } else if name.split('/').count() > MAX_DEPTH {
        "has more than 64 levels of folders"
    } else {
        return Ok(());
    };
    let shown: String = name.chars().take(100).collect();
    Err(format!("entry {shown:?} is refused: its name {reason}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::io::Write;
    use std::path::PathBuf;
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    const HEAD: &str = "<fmiModelDescription fmiVersion='3.0' modelName='m' \
                        instantiationToken='t'><CoSimulation modelIdentifier='m'/>";

    fn fmu(files: &[(&str, &str)]) -> (TempDir, PathBuf) {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("m.fmu");
        let mut writer = ZipWriter::new(File::create(&path).unwrap());
        for (name, content) in files {
            writer
                .start_file(*name, SimpleFileOptions::default())
                .unwrap();
            writer.write_all(content.as_bytes()).unwrap();
        }
        writer.finish().unwrap();
        (folder, path)
    }

    #[test]
    fn an_archive_without_model_description_is_refused() {
        let (_folder, path) = fmu(&[("other.xml", "<a/>")]);
        let error = Fmu::open(&path).unwrap_err().to_string();
        assert!(error.contains("no modelDescription.xml"), "{error}");
    }

    #[test]
    fn other_fmi_versions_are_refused_by_name() {
        for version in ["1.0", "4.0", "20", "30"] {
            let text = format!("<fmiModelDescription fmiVersion='{version}' guid='g'/>");
            let (_folder, path) = fmu(&[("modelDescription.xml", &text)]);
            let error = Fmu::open(&path).unwrap_err();
            assert_eq!(error, HostError::Version(version.into()));
        }
    }

    #[test]
    fn a_binary_for_other_platforms_only_is_refused_when_it_is_loaded() {
        let text = format!("{HEAD}</fmiModelDescription>");
        let (_folder, path) = fmu(&[
            ("modelDescription.xml", &text),
            ("binaries/riscv64-linux/m.so", "x"),
            ("binaries/other-os/m.so", "x"),
        ]);
        let fmu = Fmu::open(&path).unwrap();
        assert_eq!(fmu.platforms(), ["other-os", "riscv64-linux"]);
        match fmu.load(fmu.co_simulation().unwrap()) {
            Err(HostError::NoBinary { present, .. }) => assert_eq!(present, fmu.platforms()),
            Err(other) => panic!("{other}"),
            Ok(_) => panic!("loaded"),
        }
        let error = fmu.model_exchange().unwrap_err().to_string();
        assert!(
            error == "has no Model Exchange; it has Co-Simulation",
            "{error}"
        );
    }

    #[test]
    fn a_file_that_is_no_library_is_an_error_that_names_it() {
        for (standard, version, token) in [
            (Standard::Fmi2, "2.0", "guid"),
            (Standard::Fmi3, "3.0", "instantiationToken"),
        ] {
            let text = format!(
                "<fmiModelDescription fmiVersion='{version}' modelName='m' {token}='t'>\
                 <CoSimulation modelIdentifier='m'/></fmiModelDescription>"
            );
            let folder = &platform_folders(standard, consts::OS, consts::ARCH)[0];
            let inside = format!("binaries/{folder}/m.{}", consts::DLL_EXTENSION);
            let (_folder, path) = fmu(&[("modelDescription.xml", &text), (&inside, "no library")]);
            let fmu = Fmu::open(&path).unwrap();
            let error = fmu.load(fmu.co_simulation().unwrap()).err().unwrap();
            assert!(error.to_string().contains(&inside), "{error}");
        }
    }

    /// Names from the lists and examples in the standards.
    #[test]
    fn each_version_has_its_own_names_for_a_platform() {
        let cases = [
            ("linux", "x86_64", "linux64", "x86_64-linux"),
            ("windows", "x86_64", "win64", "x86_64-windows"),
            ("macos", "x86_64", "darwin64", "x86_64-darwin"),
            ("linux", "aarch64", "aarch64-linux", "aarch64-linux"),
        ];
        for (system, architecture, two, three) in cases {
            let folders = |standard| platform_folders(standard, system, architecture);
            assert_eq!(folders(Standard::Fmi2), [two]);
            assert_eq!(folders(Standard::Fmi3), [three]);
        }
        let mac = platform_folders(Standard::Fmi2, "macos", "aarch64");
        assert_eq!(mac, ["aarch64-darwin", "darwin64"]);
    }
}

#[cfg(test)]
mod archive_tests {
    use super::*;
    use std::io::Write;
    use std::path::PathBuf;
    use tempfile::TempDir;
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    fn archive(folder: &TempDir, names: &[&str]) -> PathBuf {
        let path = folder.path().join("a.fmu");
        let mut writer = ZipWriter::new(File::create(&path).unwrap());
        for name in names {
            writer
                .start_file(*name, SimpleFileOptions::default())
                .unwrap();
            writer.write_all(name.as_bytes()).unwrap();
        }
        writer.finish().unwrap();
        path
    }

    #[test]
    fn files_and_folders_are_unpacked() {
        let folder = TempDir::new().unwrap();
        let path = archive(&folder, &["modelDescription.xml", "resources/a/b.bin"]);
        let target = folder.path().join("t");
        fs::create_dir(&target).unwrap();
        unpack(&path, &target, MIB).unwrap();
        let content = fs::read_to_string(target.join("resources/a/b.bin")).unwrap();
        assert_eq!(content, "resources/a/b.bin");
    }

    #[test]
    fn an_entry_that_leads_out_of_the_folder_is_refused_and_not_written() {
        for name in ["../evil", "a/../../evil", "/evil", "..\\evil", "C:/evil"] {
            let folder = TempDir::new().unwrap();
            let path = archive(&folder, &["good", name]);
            let target = folder.path().join("t");
            fs::create_dir(&target).unwrap();
            let error = unpack(&path, &target, MIB).unwrap_err();
            assert!(
                error.contains("refused") && error.contains("evil"),
                "{error}"
            );
            assert!(!folder.path().join("evil").exists());
        }
    }

    #[test]
    fn a_link_is_refused() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("a.fmu");
        let mut writer = ZipWriter::new(File::create(&path).unwrap());
        writer
            .add_symlink("resources", "/etc", SimpleFileOptions::default())
            .unwrap();
        writer.finish().unwrap();
        let error = unpack(&path, &folder.path().join("t"), MIB).unwrap_err();
        assert!(error.contains("link"), "{error}");
    }

    #[test]
    fn what_is_no_archive_is_refused() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("a.fmu");
        fs::write(&path, "not a zip").unwrap();
        let error = unpack(&path, folder.path(), MIB).unwrap_err();
        assert!(error.contains("not a ZIP archive"), "{error}");
        let error = unpack(&folder.path().join("none.fmu"), folder.path(), MIB).unwrap_err();
        assert!(error.contains("cannot be opened"), "{error}");
    }
}
