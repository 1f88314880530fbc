//! Finds the prebuilt library for each platform of an FMU.
//!
//! The places are, in this order: `--binary PLATFORM=FILE`; the pack beside the executable,
//! `binaries/contact-fmu.zip`; for the platform of this program the folder of the executable and `deps/` in
//! it (cargo leaves the library of the same build there); data inside the executable (feature `embed`): a
//! pack, or the library for its own platform. `cargo build --workspace` also links the library into the
//! folder of the executable and later builds of the tool alone do not renew that link; so of two files the
//! newer one is taken.
//!
//! Libraries of other sources than this program would give an FMU whose numbers depend on the platform: a
//! given one is refused, a pack is skipped with a warning.

use super::platform::Platform;
use super::{Content, Pack, Shared};
use crate::package;
use std::env::consts;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Path of the pack relative to the folder of the executable.
const PACK: &str = "binaries/contact-fmu.zip";

/// Library for one platform.
#[derive(Clone, Debug)]
pub struct Binary {
    /// The platform.
    pub platform: Platform,
    /// The file.
    pub content: Content,
    /// Origin, for users.
    pub source: String,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Embedded {
    /// Library for its platform.
    pub library: Option<&'static [u8]>,
    pub pack: Option<&'static [u8]>,
}

/// Selection of the libraries for an FMU.
#[derive(Clone, Debug, Default, PartialEq, Eq, clap::Args)]
pub struct Choice {
    /// FMU binary for a platform, such as x86_64-linux; may be given for several platforms
    #[arg(long = "binary", value_name = "PLATFORM=FILE", value_parser = platform_and_file)]
    pub given: Vec<(String, PathBuf)>,
    /// Platform that the FMU is for, such as x86_64-windows; may be given several times. All that
    /// there are binaries for unless given
    #[arg(long = "platform", value_name = "PLATFORM")]
    pub platforms: Vec<String>,
    /// File beside which libraries lie; the executable by default.
    #[arg(skip)]
    pub beside: Option<PathBuf>,
}

impl Choice {
    /// Returns true if it differs from all libraries that are found.
    pub(crate) fn is_limited(&self) -> bool {
        !self.given.is_empty() || !self.platforms.is_empty()
    }
}

fn platform_and_file(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((platform, file)) if !platform.is_empty() && !file.is_empty() => {
            Ok((platform.to_owned(), PathBuf::from(file)))
        }
        _ => Err("must be PLATFORM=FILE, such as x86_64-windows=contact_fmu.dll".into()),
    }
}

#[derive(Clone, Debug)]
pub(crate) struct SearchPlaces<'a> {
    pub choice: &'a Choice,
    pub executable: PathBuf,
    pub embedded: Embedded,
}

/// Result of the search.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Libraries in the order of their platforms' names.
    pub binaries: Vec<Binary>,
    /// Text for each skipped source, with the reason.
    pub left_out: Vec<String>,
}

/// Reason why there is no library.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BinaryError {
    /// Option with an unknown platform.
    #[error("{0}: platform {1:?} is not known; known: {names}", names = Platform::names())]
    UnknownPlatform(&'static str, String),
    /// Platform that occurs twice in `--binary`.
    #[error("--binary {0}=... is given twice; give it once")]
    Twice(String),
    /// `--binary` for a platform excluded by `--platform`.
    #[error(
        "--binary {0}=... is given, but --platform leaves {0} out; add --platform {0}, or leave --binary away"
    )]
    Unwanted(String),
    /// Unreadable file, with the reason.
    #[error("cannot read FMU binary {file}: {1}", file = .0.display())]
    Unreadable(PathBuf, String),
    /// File that is no library for its platform.
    #[error("{file} is not a library for {1}", file = .0.display())]
    WrongFormat(PathBuf, &'static str),
    /// Library compiled from other sources than this program, with its stamp.
    #[error("{} {}", .0.display(), other_sources(.1.as_deref()))]
    OtherSources(PathBuf, Option<String>),
    /// Unknown location or platform of this program.
    #[error("{0}; use --binary PLATFORM=FILE")]
    UnknownHost(String),
    /// No library in any of these places.
    #[error(
        "no FMU binary for {0}; looked at:\n  {places}\nbuild the whole workspace, or install with --features embed, or make \
         the binaries of other platforms with fmu-build/release/build-binaries, or name the file with --binary {0}=FILE",
        places = .1.join("\n  ")
    )]
    Missing(String, Vec<String>),
}

fn other_sources(stamp: Option<&str>) -> String {
    match stamp {
        None => "is no library of contact-fmu, or an older one: it does not say which sources it was compiled from"
            .to_owned(),
        Some(stamp) => format!(
            "was compiled from other sources ({stamp}) than this program ({}): an FMU with it would not give the same \
             numbers everywhere; compile both from the same ones",
            package::own_stamp()
        ),
    }
}

/// File name of the library on the platform of this program.
pub fn library_name() -> String {
    format!("{}contact_fmu{}", consts::DLL_PREFIX, consts::DLL_SUFFIX)
}

/// Data embedded in this program; empty without feature `embed`.
pub(crate) const fn embedded() -> Embedded {
    #[cfg(feature = "embed")]
    const fn any(bytes: &'static [u8]) -> Option<&'static [u8]> {
        if bytes.is_empty() { None } else { Some(bytes) }
    }
    #[cfg(feature = "embed")]
    return Embedded {
        library: any(include_bytes!(env!("CONTACT_FMU_BINARY"))),
        pack: any(include_bytes!(env!("CONTACT_FMU_PACK"))),
    };
    #[cfg(not(feature = "embed"))]
    Embedded {
        library: None,
        pack: None,
    }
}

/// Libraries found by this program.
///
/// # Errors
/// See [`SearchPlaces::find`]; or the location of the program is unknown.
pub fn find(choice: &Choice) -> Result<Found, BinaryError> {
    let executable = choice.beside.clone();
    let executable = executable.map_or_else(std::env::current_exe, Ok);
    let executable = executable.map_err(|error| {
        BinaryError::UnknownHost(format!("this program does not know its place: {error}"))
    })?;
    let embedded = embedded();
    SearchPlaces {
        choice,
        executable,
        embedded,
    }
    .find()
}

impl SearchPlaces<'_> {
    /// Libraries for an FMU: for all platforms that have one, or for the requested ones.
    ///
    /// # Errors
    /// An unusable `--binary` or `--platform`, a file that cannot be read, or no library.
    pub(crate) fn find(&self) -> Result<Found, BinaryError> {
        let mut found = Found::default();
        let wanted = self.wanted()?;
        let is_wanted = |platform| wanted.is_empty() || wanted.contains(&platform);
        self.add_given(&mut found, &wanted)?;
        self.add_packs(&mut found)?;
        found.binaries.retain(|binary| is_wanted(binary.platform));
        let host = Platform::host();
        if host.is_none_or(is_wanted) && !found.has(host) {
            match self.find_host(host) {
                Ok(binary) => found.binaries.push(binary),
                Err(BinaryError::Missing(..) | BinaryError::UnknownHost(_))
                    if wanted.is_empty() && !found.binaries.is_empty() => {}
                Err(error) => return Err(error),
            }
        }
        if let Some(missing) = wanted.iter().find(|p| !found.has(Some(**p))) {
            return Err(BinaryError::Missing(
                missing.name.into(),
                self.places_of(*missing),
            ));
        }
        found.binaries.sort_by_key(|binary| binary.platform.name);
        Ok(found)
    }

    fn wanted(&self) -> Result<Vec<Platform>, BinaryError> {
        let platform = |name: &String| {
            Platform::named(name)
                .ok_or_else(|| BinaryError::UnknownPlatform("--platform", name.clone()))
        };
        self.choice.platforms.iter().map(platform).collect()
    }

    fn add_given(&self, found: &mut Found, wanted: &[Platform]) -> Result<(), BinaryError> {
        for (name, file) in &self.choice.given {
            let platform = Platform::named(name)
                .ok_or_else(|| BinaryError::UnknownPlatform("--binary", name.clone()))?;
            if found.has(Some(platform)) {
                return Err(BinaryError::Twice(name.clone()));
            }
            if !wanted.is_empty() && !wanted.contains(&platform) {
                return Err(BinaryError::Unwanted(name.clone()));
            }
            found.binaries.push(read(file, platform)?);
        }
        Ok(())
    }

    /// Adds libraries of packs for platforms without one.
    fn add_packs(&self, found: &mut Found) -> Result<(), BinaryError> {
        let file = self.folder().join(PACK);
        if file.is_file() {
            let unreadable = |reason| BinaryError::Unreadable(file.clone(), reason);
            let bytes = std::fs::read(&file).map_err(|error| unreadable(error.to_string()))?;
            let pack = Pack::read(Shared::new(bytes)).map_err(unreadable)?;
            found.add_pack(&pack, &file.display().to_string());
        }
        if let Some(bytes) = self.embedded.pack {
            let inside = "inside this program";
            let pack = Pack::read(Shared::new(bytes))
                .map_err(|reason| BinaryError::Unreadable(inside.into(), reason))?;
            found.add_pack(&pack, inside);
        }
        Ok(())
    }

    fn folder(&self) -> &Path {
        self.executable.parent().unwrap_or(Path::new("."))
    }

    fn places_of(&self, platform: Platform) -> Vec<String> {
        let pack = self.folder().join(PACK);
        let has = if pack.is_file() {
            "has none"
        } else {
            "not there"
        };
        let inside = match self.embedded.pack {
            Some(_) => "has none",
            None => "built without binaries of other platforms",
        };
        vec![
            format!("--binary {}=FILE: not given", platform.name),
            format!("{}: {has}", pack.display()),
            format!("inside this program: {inside}"),
        ]
    }

    fn find_host(&self, host: Option<Platform>) -> Result<Binary, BinaryError> {
        let platform = host.ok_or_else(|| {
            BinaryError::UnknownHost(format!(
                "FMI has no name here for platform {} {}",
                consts::ARCH,
                consts::OS
            ))
        })?;
        let name = library_name();
        let candidates = [
            self.folder().join(&name),
            self.folder().join("deps").join(&name),
        ];
        let age = candidates.each_ref().map(|file| modified(file));
        let chosen = match age {
            [Some(beside), Some(deps)] if deps > beside => Some(1),
            [Some(_), _] => Some(0),
            [None, Some(_)] => Some(1),
            [None, None] => None,
        };
        if let Some(index) = chosen {
            return read(&candidates[index], platform);
        }
        match self.embedded.library {
            Some(bytes) => Ok(Binary {
                platform,
                content: Content::Bytes(bytes.into()),
                source: "the copy inside this program".into(),
            }),
            None => {
                let mut places = self.places_of(platform);
                let files = candidates.map(|file| format!("{}: not there", file.display()));
                places.splice(2..2, files);
                if let Some(inside) = places.last_mut() {
                    *inside = "inside this program: built without feature embed".into();
                }
                Err(BinaryError::Missing(platform.name.into(), places))
            }
        }
    }
}

impl Found {
    fn has(&self, platform: Option<Platform>) -> bool {
        self.binaries.iter().any(|b| Some(b.platform) == platform)
    }

    fn add_pack(&mut self, pack: &Pack, place: &str) {
        if pack.stamp != package::own_stamp() {
            self.left_out.push(format!(
                "{place}: left out, since it was made from other sources ({}) than this program \
                 ({}); run fmu-build/release/build-binaries again",
                pack.stamp,
                package::own_stamp()
            ));
            return;
        }
        for (platform, content) in pack.binaries() {
            if !self.has(Some(platform)) {
                self.binaries.push(Binary {
                    platform,
                    content,
                    source: place.to_owned(),
                });
            }
        }
    }
}

fn modified(file: &Path) -> Option<SystemTime> {
    let facts = std::fs::metadata(file).ok()?;
    // Where the system keeps no times, all files count as equally old.
    Some(facts.modified().unwrap_or(SystemTime::UNIX_EPOCH))
}

fn read(file: &Path, platform: Platform) -> Result<Binary, BinaryError> {
    let bytes = std::fs::read(file)
        .map_err(|error| BinaryError::Unreadable(file.to_owned(), error.to_string()))?;
    if !platform.owns(&bytes) {
        return Err(BinaryError::WrongFormat(file.to_owned(), platform.name));
    }
    let stamp = package::stamp(&bytes).map(str::to_owned);
    if stamp.as_deref() != Some(package::own_stamp()) {
        return Err(BinaryError::OtherSources(file.to_owned(), stamp));
    }
    Ok(Binary {
        platform,
        content: bytes.into(),
        source: file.display().to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io::{Cursor, Write};
    use std::time::Duration;
    use tempfile::TempDir;
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    const STAMP: &str = fmu_core::SOURCE;
    const OTHER: &str = "contact-fmu source 0badc0de\0";

    /// A library of the host platform, of these sources, whose last byte says where it is from.
    fn library(mark: u8) -> Vec<u8> {
        let mut bytes = fs::read(std::env::current_exe().unwrap()).unwrap();
        bytes.truncate(4096);
        bytes.extend(fmu_core::SOURCE.bytes());
        bytes.push(mark);
        bytes
    }

    /// The same for Windows: a header of the format, then stamp and mark.
    fn windows(stamp: &str, mark: u8) -> Vec<u8> {
        let mut bytes = vec![0; 0x90];
        bytes[..2].copy_from_slice(b"MZ");
        bytes[0x3c] = 0x80;
        bytes[0x80..0x86].copy_from_slice(b"PE\0\0\x64\x86");
        bytes.extend(stamp.bytes());
        bytes.push(mark);
        bytes
    }

    fn mark(found: &Found) -> u8 {
        assert_eq!(found.binaries.len(), 1);
        last(&found.binaries[0])
    }

    fn last(binary: &Binary) -> u8 {
        *binary.content.bytes().unwrap().last().unwrap()
    }

    fn names(found: &Found) -> Vec<&str> {
        found.binaries.iter().map(|b| b.platform.name).collect()
    }

    /// A pack as `build-binaries` writes it: platform and library each.
    fn pack_of(stamp: &str, libraries: &[(&str, Vec<u8>)]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in libraries {
            let platform = Platform::named(name).unwrap();
            let path = format!("{name}/{}", platform.library_file("contact_fmu"));
            writer
                .start_file(path, SimpleFileOptions::default())
                .unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.set_comment(stamp.trim_end_matches('\0')).unwrap();
        writer.finish().unwrap().into_inner()
    }

    /// Both platforms of the tests in the order of their names.
    fn both() -> Vec<&'static str> {
        let mut both = vec![Platform::host().unwrap().name, "x86_64-windows"];
        both.sort_unstable();
        both
    }

    fn host() -> String {
        Platform::host().unwrap().name.into()
    }

    struct Folder(TempDir);

    impl Folder {
        fn new() -> Self {
            let folder = TempDir::new().unwrap();
            fs::create_dir(folder.path().join("deps")).unwrap();
            Folder(folder)
        }

        fn path(&self, name: &str) -> PathBuf {
            self.0.path().join(name)
        }

        /// Writes a library that was last changed `seconds` after a fixed moment.
        fn library(&self, folder: &str, mark: u8, seconds: u64) {
            let path = self.path(folder).join(library_name());
            fs::write(&path, library(mark)).unwrap();
            let file = fs::File::options().write(true).open(&path).unwrap();
            let moment = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000 + seconds);
            file.set_modified(moment).unwrap();
        }

        /// Puts a pack beside the executable.
        fn pack(&self, bytes: &[u8]) {
            fs::create_dir_all(self.path("binaries")).unwrap();
            fs::write(self.path(PACK), bytes).unwrap();
        }

        fn find(
            &self,
            given: &[(&str, &str)],
            platforms: &[&str],
            embedded: Embedded,
        ) -> Result<Found, BinaryError> {
            let given = given.iter();
            SearchPlaces {
                choice: &Choice {
                    given: given
                        .map(|(name, file)| ((*name).to_owned(), self.path(file)))
                        .collect(),
                    platforms: platforms.iter().map(|name| (*name).to_owned()).collect(),
                    beside: None,
                },
                executable: self.path("fmu-build"),
                embedded,
            }
            .find()
        }
    }

    const NOTHING: Embedded = Embedded {
        library: None,
        pack: None,
    };
    const INSIDE: Embedded = Embedded {
        library: Some(b"E"),
        pack: None,
    };

    #[test]
    fn a_given_file_comes_before_all_other_places() {
        let folder = Folder::new();
        folder.library("", b'B', 0);
        folder.library("deps", b'D', 0);
        folder.pack(&pack_of(STAMP, &[(&host(), library(b'P'))]));
        fs::write(folder.path("mine"), library(b'G')).unwrap();
        let found = folder.find(&[(&host(), "mine")], &[], INSIDE);
        assert_eq!(mark(&found.unwrap()), b'G');
    }

    #[test]
    fn the_pack_comes_before_the_executables_folder_that_before_deps_and_that_before_the_inside() {
        let folder = Folder::new();
        let first = || mark(&folder.find(&[], &[], INSIDE).unwrap());
        assert_eq!(first(), b'E');
        folder.library("deps", b'D', 0);
        assert_eq!(first(), b'D');
        folder.library("", b'B', 0);
        assert_eq!(first(), b'B');
        folder.pack(&pack_of(STAMP, &[(&host(), library(b'P'))]));
        assert_eq!(first(), b'P');
    }

    #[test]
    fn of_two_files_the_newer_one_is_taken() {
        let folder = Folder::new();
        folder.library("", b'B', 0);
        folder.library("deps", b'D', 1);
        assert_eq!(mark(&folder.find(&[], &[], NOTHING).unwrap()), b'D');
    }

    #[test]
    fn a_missing_binary_is_an_error_that_names_every_place() {
        let folder = Folder::new();
        let text = |platforms: &[&str]| {
            let error = folder.find(&[], platforms, NOTHING).unwrap_err();
            error.to_string()
        };
        let pack = folder.path(PACK).display().to_string();
        for place in [
            format!("--binary {}=FILE", host()),
            pack.clone(),
            folder.path(&library_name()).display().to_string(),
            folder
                .path("deps")
                .join(library_name())
                .display()
                .to_string(),
            "feature embed".into(),
        ] {
            let message = text(&[]);
            assert!(message.contains(&place), "{place} in {message}");
        }
        folder.library("", b'B', 0);
        let message = text(&["x86_64-windows"]);
        for place in ["--binary x86_64-windows=FILE", &pack, "inside this program"] {
            assert!(message.contains(place), "{place} in {message}");
        }
    }

    #[test]
    fn all_platforms_of_a_pack_go_in_beside_that_of_the_program() {
        let folder = Folder::new();
        folder.library("", b'B', 0);
        folder.pack(&pack_of(STAMP, &[("x86_64-windows", windows(STAMP, b'W'))]));
        let found = folder.find(&[], &[], NOTHING).unwrap();
        assert_eq!(names(&found), both());
        let marks: Vec<u8> = found.binaries.iter().map(last).collect();
        assert!(marks.contains(&b'W') && marks.contains(&b'B'));
        assert!(found.left_out.is_empty());
    }

    #[test]
    fn the_pack_inside_serves_where_none_is_beside_the_program() {
        let folder = Folder::new();
        let pack = |mark| pack_of(STAMP, &[("x86_64-windows", windows(STAMP, mark))]);
        let inside = Embedded {
            library: Some(b"E"),
            pack: Some(Box::leak(pack(b'I').into_boxed_slice())),
        };
        let windows_mark = || {
            let found = folder.find(&[], &["x86_64-windows"], inside);
            mark(&found.unwrap())
        };
        assert_eq!(windows_mark(), b'I');
        folder.pack(&pack(b'F'));
        assert_eq!(windows_mark(), b'F');
        assert_eq!(names(&folder.find(&[], &[], inside).unwrap()), both());
    }

    #[test]
    fn only_the_platforms_that_are_named_go_in() {
        let folder = Folder::new();
        folder.library("", b'B', 0);
        folder.pack(&pack_of(STAMP, &[("x86_64-windows", windows(STAMP, b'W'))]));
        for name in both() {
            let found = folder.find(&[], &[name], NOTHING).unwrap();
            assert_eq!(names(&found), [name]);
        }
        assert_eq!(
            folder.find(&[], &["amiga"], NOTHING).unwrap_err(),
            BinaryError::UnknownPlatform("--platform", "amiga".into())
        );
        assert!(matches!(
            folder.find(&[], &["aarch64-darwin"], NOTHING).unwrap_err(),
            BinaryError::Missing(..)
        ));
    }

    #[test]
    fn libraries_of_other_sources_are_refused_or_left_out_with_a_word() {
        let folder = Folder::new();
        folder.library("", b'B', 0);
        folder.pack(&pack_of(OTHER, &[("x86_64-windows", windows(OTHER, b'W'))]));
        let found = folder.find(&[], &[], NOTHING).unwrap();
        assert_eq!(mark(&found), b'B');
        let [warning] = &found.left_out[..] else {
            panic!("{:?}", found.left_out);
        };
        assert!(warning.contains("0badc0de") && warning.contains(package::own_stamp()));
        for (name, text, stamp) in [("old.dll", OTHER, Some("0badc0de")), ("no.dll", "", None)] {
            fs::write(folder.path(name), windows(text, b'W')).unwrap();
            let found = folder.find(&[("x86_64-windows", name)], &[], NOTHING);
            assert_eq!(
                found.unwrap_err(),
                BinaryError::OtherSources(folder.path(name), stamp.map(str::to_owned))
            );
        }
    }

    #[test]
    fn a_pack_that_is_none_is_an_error_that_names_it() {
        let folder = Folder::new();
        folder.library("", b'B', 0);
        for bytes in [&b"no archive"[..], &pack_of("a comment", &[])] {
            folder.pack(bytes);
            let error = folder.find(&[], &[], NOTHING).unwrap_err();
            assert!(
                matches!(&error, BinaryError::Unreadable(file, _) if *file == folder.path(PACK))
            );
        }
    }

    #[test]
    fn the_host_may_be_missing_where_another_platform_is_given() {
        let folder = Folder::new();
        fs::write(folder.path("it.dll"), windows(STAMP, b'W')).unwrap();
        let given = [("x86_64-windows", "it.dll")];
        let found = || folder.find(&given, &[], NOTHING).unwrap();
        assert_eq!(names(&found()), ["x86_64-windows"]);
        folder.library("", b'B', 0);
        assert_eq!(names(&found()), both());
    }

    #[test]
    fn a_given_file_that_is_of_no_use_is_an_error() {
        let folder = Folder::new();
        folder.library("", b'B', 0);
        fs::write(folder.path("text"), "no library").unwrap();
        let find = |given: &[(&str, &str)]| folder.find(given, &[], NOTHING).unwrap_err();
        let name = host();
        assert!(matches!(
            find(&[("beos", "text")]),
            BinaryError::UnknownPlatform(..)
        ));
        assert!(matches!(
            find(&[(&name, "nowhere")]),
            BinaryError::Unreadable(..)
        ));
        assert!(matches!(
            find(&[(&name, "text")]),
            BinaryError::WrongFormat(..)
        ));
        let library = library_name();
        assert_eq!(
            find(&[(&name, &library), (&name, &library)]),
            BinaryError::Twice(name.clone())
        );
        let unwanted = folder.find(&[(&name, &library)], &["x86_64-windows"], NOTHING);
        assert_eq!(unwanted.unwrap_err(), BinaryError::Unwanted(name));
    }

    #[test]
    fn this_program_finds_the_library_of_its_own_build() {
        let found = find(&Choice::default()).unwrap();
        let executable = std::env::current_exe().unwrap();
        let library = executable.with_file_name(library_name());
        // As it is there, or in the pack that `tests/run` makes of it.
        let bytes = found.binaries[0].content.bytes().unwrap();
        assert!(*bytes == std::fs::read(library).unwrap());
    }
}
