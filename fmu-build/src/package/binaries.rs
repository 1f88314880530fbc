//! Finds the prebuilt library that an FMU carries for each platform.
//!
//! For the platform of this program the places are, in this order: `--binary PLATFORM=FILE`, the
//! folder of the executable, `deps/` in it (cargo leaves the library of the same build there), the
//! copy inside the executable (feature `embed`). `cargo build --workspace` also links the library
//! into the folder of the executable and later builds of the tool alone do not renew that link; so
//! of two files the newer one is taken. For any other platform the place is `--binary`.

use super::platform::Platform;
use std::borrow::Cow;
use std::env::consts;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A library for one platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binary {
    /// The platform.
    pub platform: Platform,
    /// The file.
    pub bytes: Cow<'static, [u8]>,
    /// Where it was found, for people.
    pub source: String,
}

/// Where to look.
#[derive(Clone, Debug)]
pub struct Places<'a> {
    /// Platform and file, as given with `--binary`.
    pub given: &'a [(String, PathBuf)],
    /// This program.
    pub executable: PathBuf,
    /// The copy inside this program.
    pub embedded: Option<&'static [u8]>,
}

/// Why there is no library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BinaryError {
    /// `--binary` names a platform that is not known.
    UnknownPlatform(String),
    /// `--binary` names a platform twice.
    Twice(String),
    /// A file cannot be read: file and reason.
    Unreadable(PathBuf, String),
    /// A file is not a library for its platform.
    WrongFormat(PathBuf, &'static str),
    /// This program does not know where it is, or what platform it runs on.
    UnknownHost(String),
    /// There is none in any of these places.
    Missing(&'static str, Vec<String>),
}

impl fmt::Display for BinaryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BinaryError::UnknownPlatform(name) => write!(
                f,
                "--binary {name}=...: platform {name:?} is not known; known: {}",
                Platform::names()
            ),
            BinaryError::Twice(name) => {
                write!(f, "--binary {name}=... is given twice; give it once")
            }
            BinaryError::Unreadable(file, reason) => {
                write!(f, "cannot read FMU binary {}: {reason}", file.display())
            }
            BinaryError::WrongFormat(file, platform) => {
                write!(f, "{} is not a library for {platform}", file.display())
            }
            BinaryError::UnknownHost(reason) => write!(f, "{reason}; use --binary PLATFORM=FILE"),
            BinaryError::Missing(platform, places) => {
                write!(f, "no FMU binary for {platform}; looked at:")?;
                for place in places {
                    write!(f, "\n  {place}")?;
                }
                write!(
                    f,
                    "\nbuild the whole workspace, or install with --features embed, or name the \
                     file with --binary {platform}=FILE"
                )
            }
        }
    }
}

impl std::error::Error for BinaryError {}

/// File name of the library on the platform of this program.
pub fn library_name() -> String {
    format!("{}contact_fmu{}", consts::DLL_PREFIX, consts::DLL_SUFFIX)
}

/// The copy of the library inside this program; none without feature `embed`.
pub const fn embedded() -> Option<&'static [u8]> {
    #[cfg(feature = "embed")]
    return Some(include_bytes!(env!("CONTACT_FMU_BINARY")));
    #[cfg(not(feature = "embed"))]
    None
}

impl<'a> Places<'a> {
    /// The places that this program looks at.
    ///
    /// # Errors
    /// The program does not know where it is.
    pub fn of_this_program(given: &'a [(String, PathBuf)]) -> Result<Self, BinaryError> {
        let executable = std::env::current_exe().map_err(|error| {
            BinaryError::UnknownHost(format!("this program does not know its place: {error}"))
        })?;
        Ok(Places {
            given,
            executable,
            embedded: embedded(),
        })
    }

    /// All libraries for an FMU, in the order of their platforms' names.
    ///
    /// The platform of this program is always looked for; where other platforms are given it may
    /// be missing.
    ///
    /// # Errors
    /// A `--binary` that is of no use, a file that cannot be read, or no library at all.
    pub fn find(&self) -> Result<Vec<Binary>, BinaryError> {
        let mut found = Vec::new();
        for (name, file) in self.given {
            let platform =
                Platform::named(name).ok_or_else(|| BinaryError::UnknownPlatform(name.clone()))?;
            if found.iter().any(|b: &Binary| b.platform == platform) {
                return Err(BinaryError::Twice(name.clone()));
            }
            found.push(read(file, platform)?);
        }
        let host = Platform::host();
        if !found.iter().any(|b| Some(b.platform) == host) {
            match self.find_host(host) {
                Ok(binary) => found.push(binary),
                Err(BinaryError::Missing(..) | BinaryError::UnknownHost(_))
                    if !found.is_empty() => {}
                Err(error) => return Err(error),
            }
        }
        found.sort_by_key(|binary| binary.platform.name);
        Ok(found)
    }

    fn find_host(&self, host: Option<Platform>) -> Result<Binary, BinaryError> {
        let platform = host.ok_or_else(|| {
            BinaryError::UnknownHost(format!(
                "FMI has no name here for platform {} {}",
                consts::ARCH,
                consts::OS
            ))
        })?;
        let mut places = vec![format!("--binary {}=FILE: not given", platform.name)];
        let folder = self.executable.parent().unwrap_or(Path::new("."));
        let name = library_name();
        let candidates = [folder.join(&name), folder.join("deps").join(&name)];
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
        places.extend(candidates.map(|file| format!("{}: not there", file.display())));
        match self.embedded {
            Some(bytes) => Ok(Binary {
                platform,
                bytes: Cow::Borrowed(bytes),
                source: "the copy inside this program".into(),
            }),
            None => {
                places.push("inside this program: built without feature embed".into());
                Err(BinaryError::Missing(platform.name, places))
            }
        }
    }
}

/// Time of the last change; none where there is no such file.
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
    Ok(Binary {
        platform,
        bytes: Cow::Owned(bytes),
        source: file.display().to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::time::Duration;
    use tempfile::TempDir;

    /// A library of the host platform whose last byte says where it is from.
    fn library(mark: u8) -> Vec<u8> {
        let mut bytes = fs::read(std::env::current_exe().unwrap()).unwrap();
        bytes.truncate(4096);
        bytes.push(mark);
        bytes
    }

    fn mark(binaries: &[Binary]) -> u8 {
        assert_eq!(binaries.len(), 1);
        *binaries[0].bytes.last().unwrap()
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

        fn places<'a>(
            &self,
            given: &'a [(String, PathBuf)],
            embedded: Option<&'static [u8]>,
        ) -> Places<'a> {
            Places {
                given,
                executable: self.path("fmu-build"),
                embedded,
            }
        }
    }

    #[test]
    fn a_given_file_comes_before_all_other_places() {
        let folder = Folder::new();
        folder.library("", b'B', 0);
        folder.library("deps", b'D', 0);
        fs::write(folder.path("mine"), library(b'G')).unwrap();
        let given = [(host(), folder.path("mine"))];
        let found = folder.places(&given, Some(b"E")).find().unwrap();
        assert_eq!(mark(&found), b'G');
    }

    #[test]
    fn beside_the_executable_comes_before_deps_and_that_before_the_embedded_copy() {
        let folder = Folder::new();
        let places = folder.places(&[], Some(b"E"));
        assert_eq!(mark(&places.find().unwrap()), b'E');
        folder.library("deps", b'D', 0);
        assert_eq!(mark(&places.find().unwrap()), b'D');
        folder.library("", b'B', 0);
        assert_eq!(mark(&places.find().unwrap()), b'B');
    }

    #[test]
    fn of_two_files_the_newer_one_is_taken() {
        let folder = Folder::new();
        folder.library("", b'B', 0);
        folder.library("deps", b'D', 1);
        assert_eq!(mark(&folder.places(&[], None).find().unwrap()), b'D');
    }

    #[test]
    fn a_missing_binary_is_an_error_that_names_every_place() {
        let folder = Folder::new();
        let message = folder.places(&[], None).find().unwrap_err().to_string();
        for place in [
            format!("--binary {}=FILE", host()),
            folder.path(&library_name()).display().to_string(),
            folder
                .path("deps")
                .join(library_name())
                .display()
                .to_string(),
            "feature embed".into(),
        ] {
            assert!(message.contains(&place), "{place} in {message}");
        }
    }

    #[test]
    fn the_host_may_be_missing_where_another_platform_is_given() {
        let folder = Folder::new();
        let mut windows = vec![0; 0x90];
        windows[..2].copy_from_slice(b"MZ");
        windows[0x3c] = 0x80;
        windows[0x80..0x86].copy_from_slice(b"PE\0\0\x64\x86");
        fs::write(folder.path("it.dll"), windows).unwrap();
        let given = [("x86_64-windows".to_owned(), folder.path("it.dll"))];
        let names = |binaries: Vec<Binary>| -> Vec<&str> {
            binaries.iter().map(|b| b.platform.name).collect()
        };
        let places = folder.places(&given, None);
        assert_eq!(names(places.find().unwrap()), ["x86_64-windows"]);
        folder.library("", b'B', 0);
        let mut both = vec![Platform::host().unwrap().name, "x86_64-windows"];
        both.sort_unstable();
        assert_eq!(names(places.find().unwrap()), both);
    }

    #[test]
    fn a_given_file_that_is_of_no_use_is_an_error() {
        let folder = Folder::new();
        folder.library("", b'B', 0);
        fs::write(folder.path("text"), "no library").unwrap();
        let find = |given: &[(&str, &str)]| {
            let given: Vec<_> = given
                .iter()
                .map(|(name, file)| ((*name).to_owned(), folder.path(file)))
                .collect();
            folder.places(&given, None).find().unwrap_err()
        };
        let name = host();
        assert!(matches!(
            find(&[("beos", "text")]),
            BinaryError::UnknownPlatform(_)
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
    }

    #[test]
    fn this_program_finds_the_library_of_its_own_build() {
        let places = Places::of_this_program(&[]).unwrap();
        let found = places.find().unwrap();
        let folder = places.executable.parent().unwrap();
        let library = folder.join(library_name()).display().to_string();
        assert_eq!(found[0].source, library);
    }
}
