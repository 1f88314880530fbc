//! The .fmu file.
//!
//! - [`platform`]: platforms by their FMI name
//! - [`binaries`]: finds the prebuilt library for each platform
//!
//! An archive is a ZIP with deflate, forward slashes, modelDescription.xml first and the rest sorted by path,
//! fixed dates and permissions, so that equal content gives equal bytes.
//!
//! The pack has the FMU binaries of several platforms in one ZIP file, compressed once, when they are made
//! (`fmu-build/release/build-binaries`), so that an FMU includes them unchanged. Its files are
//! `<platform>/<library>`, as in `x86_64-linux/libcontact_fmu.so`; its comment is the text of
//! [`fmu_core::SOURCE`] in all of them.

pub mod binaries;
pub mod platform;

use fmu_host::whole_file::write_whole;
use platform::{PLATFORMS, Platform};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{Cursor, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::{fs, io};
use zip::result::ZipResult;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, System, ZipArchive, ZipWriter};

pub(crate) const MODEL_DESCRIPTION: &str = "modelDescription.xml";

/// Folder of the binaries, which get the best compression.
pub(crate) const BINARIES: &str = "binaries/";
/// Size of other files above which compression is fast rather than good.
const LONG: usize = 1 << 20;

/// Permissions of every file: readable by all, writable by the owner.
const PERMISSIONS: u32 = 0o644;

pub(crate) type Packed = ZipArchive<Cursor<Shared>>;

/// Shared bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shared(Arc<Cow<'static, [u8]>>);

impl Shared {
    /// Bytes of a file, or of this program.
    pub(crate) fn new(bytes: impl Into<Cow<'static, [u8]>>) -> Self {
        Shared(Arc::new(bytes.into()))
    }
}

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Content of a file in an archive.
#[derive(Clone, Debug)]
pub enum Content {
    /// These bytes.
    Bytes(Cow<'static, [u8]>),
    /// Entry of another archive with this name, compressed as it is there.
    Packed(Packed, String),
}

impl Content {
    /// Uncompressed bytes.
    ///
    /// # Errors
    /// A missing or damaged entry of the other archive.
    pub fn bytes(&self) -> ZipResult<Cow<'_, [u8]>> {
        match self {
            Content::Bytes(bytes) => Ok(Cow::Borrowed(bytes)),
            Content::Packed(archive, name) => {
                let mut bytes = Vec::new();
                archive.clone().by_name(name)?.read_to_end(&mut bytes)?;
                Ok(Cow::Owned(bytes))
            }
        }
    }
}

impl From<Vec<u8>> for Content {
    fn from(bytes: Vec<u8>) -> Self {
        Content::Bytes(Cow::Owned(bytes))
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        text.into_bytes().into()
    }
}

impl From<&'static str> for Content {
    fn from(text: &'static str) -> Self {
        Content::Bytes(Cow::Borrowed(text.as_bytes()))
    }
}

/// Files of an FMU by path.
#[derive(Clone, Debug, Default)]
pub struct Archive {
    files: BTreeMap<String, Content>,
}

impl Archive {
    /// No files yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file, replacing one with the same path; a path has forward slashes.
    pub fn add(&mut self, path: impl Into<String>, content: impl Into<Content>) {
        self.files.insert(path.into(), content.into());
    }

    /// Serialises the archive.
    ///
    /// # Errors
    /// A file or the archive exceeds the limit of ZIP without extensions (4 GiB), or an entry of another
    /// archive is unreadable.
    pub fn to_bytes(&self) -> ZipResult<Vec<u8>> {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::DEFAULT)
            .unix_permissions(PERMISSIONS)
            .system(System::Unix);
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        let (first, rest): (Vec<_>, Vec<_>) = self
            .files
            .iter()
            .partition(|(path, _)| *path == MODEL_DESCRIPTION);
        for (path, content) in first.into_iter().chain(rest) {
            match content {
                Content::Bytes(bytes) => {
                    // A long text of a large model: a third larger in a fifth of the time.
                    let level = (bytes.len() > LONG && !path.starts_with(BINARIES)).then_some(1);
                    writer.start_file(path, options.compression_level(level))?;
                    writer.write_all(bytes)?;
                }
                Content::Packed(archive, name) => {
                    let mut archive = archive.clone();
                    writer.raw_copy_file_rename(archive.by_name(name)?, path)?;
                }
            }
        }
        Ok(writer.finish()?.into_inner())
    }
}

/// Magic bytes of a ZIP archive.
const ARCHIVE: &[u8] = b"PK";

/// Writes an archive, an FMU or an SSP, completely or not at all, replacing only an older archive.
///
/// # Errors
/// Text: another kind of file exists there, such as a scene file, the folder is missing, or see
/// [`write_whole`].
pub(crate) fn write_archive(path: &Path, content: &[u8]) -> Result<(), String> {
    let place = path.display();
    // What cannot be read is left to the attempt to write.
    let before = head(path).unwrap_or_default();
    if !before.is_empty() && before != ARCHIVE {
        return Err(format!(
            "{place}: is there and is no archive, so it is not replaced; give -o another name"
        ));
    }
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    if folder.is_some_and(|folder| !folder.exists()) {
        return Err(format!(
            "cannot write {place}: there is no such folder; make it first"
        ));
    }
    write_whole(path, content).map_err(|error| format!("cannot write {place}: {error}"))
}

/// First bytes of a file; empty unless a plain file, since reading a pipe would wait.
fn head(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if path.is_file() {
        let file = fs::File::open(path)?;
        file.take(ARCHIVE.len() as u64).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Prefix of the stamp in a library and in the comment of a pack.
const MARK: &[u8] = b"contact-fmu source ";
/// Hexadecimal digits of a stamp.
const DIGITS: usize = 8;

/// Stamp of the sources of this program.
pub(crate) fn own_stamp() -> &'static str {
    &fmu_core::SOURCE[MARK.len()..][..DIGITS]
}

/// Stamp in a library; `None` unless a library of this project with a stamp.
pub(crate) fn stamp(library: &[u8]) -> Option<&str> {
    let after = memchr::memmem::find(library, MARK)? + MARK.len();
    std::str::from_utf8(library.get(after..after + DIGITS)?).ok()
}

/// Binaries of several platforms.
#[derive(Clone, Debug)]
pub(crate) struct Pack {
    archive: Packed,
    /// Stamp of the binaries' sources.
    pub stamp: String,
}

impl Pack {
    /// Reads a pack.
    ///
    /// # Errors
    /// Text: it is no ZIP archive, or was not made by `build-binaries`.
    pub(crate) fn read(bytes: Shared) -> Result<Pack, String> {
        let archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| error.to_string())?;
        let stamp = stamp(archive.comment())
            .ok_or("its comment does not say which sources it was made from")?
            .to_owned();
        Ok(Pack { archive, stamp })
    }

    pub(crate) fn binaries(&self) -> impl Iterator<Item = (Platform, Content)> {
        PLATFORMS.into_iter().filter_map(|platform| {
            let name = format!("{}/{}", platform.name, platform.library_file("contact_fmu"));
            let is_there = self.archive.index_for_name(&name).is_some();
            is_there.then(|| (platform, Content::Packed(self.archive.clone(), name)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;
    use zip::ZipArchive;

    fn archive() -> Archive {
        let mut archive = Archive::new();
        archive.add("resources/scene.bin", "scene");
        archive.add("binaries/x86_64-linux/m.so", vec![7; 10_000]);
        archive.add("documentation/index.html", "<html/>");
        archive.add(MODEL_DESCRIPTION, "<fmiModelDescription/>");
        archive
    }

    #[test]
    fn the_model_description_comes_first_and_the_rest_sorted() {
        let bytes = archive().to_bytes().unwrap();
        let mut zip = ZipArchive::new(Cursor::new(bytes)).unwrap();
        let mut names: Vec<(u64, String)> = Vec::new();
        for index in 0..zip.len() {
            let file = zip.by_index(index).unwrap();
            names.push((file.header_start(), file.name().unwrap().into_owned()));
        }
        let in_directory: Vec<_> = names.iter().map(|(_, n)| n.as_str()).collect();
        let expected = [
            "modelDescription.xml",
            "binaries/x86_64-linux/m.so",
            "documentation/index.html",
            "resources/scene.bin",
        ];
        assert_eq!(in_directory, expected);
        // The same order of the files themselves.
        assert!(names.is_sorted_by_key(|(start, _)| *start));
    }

    #[test]
    fn files_are_deflated_with_fixed_date_and_permissions() {
        let bytes = archive().to_bytes().unwrap();
        let mut zip = ZipArchive::new(Cursor::new(bytes)).unwrap();
        for index in 0..zip.len() {
            let file = zip.by_index(index).unwrap();
            assert_eq!(file.compression(), CompressionMethod::Deflated);
            let date = file.last_modified().unwrap();
            assert_eq!((date.year(), date.month(), date.day()), (1980, 1, 1));
            assert_eq!((date.hour(), date.minute(), date.second()), (0, 0, 0));
            assert_eq!(file.unix_mode().map(|mode| mode & 0o777), Some(0o644));
        }
    }

    /// [FMI 3.0] section 2.5.1: version needed to extract at most 2.0, no encryption; the first
    /// local header has them at bytes 4 and 6.
    #[test]
    fn the_archive_needs_no_newer_version_than_fmi_allows() {
        let bytes = archive().to_bytes().unwrap();
        assert_eq!(&bytes[..4], b"PK\x03\x04");
        assert!(u16::from_le_bytes([bytes[4], bytes[5]]) <= 20);
        assert_eq!(bytes[6] & 1, 0);
    }

    #[test]
    fn content_survives_and_equal_content_gives_equal_bytes() {
        let bytes = archive().to_bytes().unwrap();
        assert_eq!(bytes, archive().to_bytes().unwrap());
        let mut zip = ZipArchive::new(Cursor::new(bytes)).unwrap();
        let mut content = Vec::new();
        let mut file = zip.by_name("binaries/x86_64-linux/m.so").unwrap();
        file.read_to_end(&mut content).unwrap();
        assert_eq!(content, vec![7; 10_000]);
    }
}

#[cfg(test)]
mod file_tests {
    use super::*;
    use tempfile::TempDir;

    #[test]
    fn an_archive_replaces_an_archive_and_nothing_else() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("x");
        write_archive(&path, b"PK1").unwrap();
        write_archive(&path, b"PK2").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"PK2");
        fs::write(&path, "format = 1").unwrap();
        let message = write_archive(&path, b"PK3").unwrap_err();
        assert!(message.contains("is no archive"), "{message}");
        assert_eq!(fs::read(&path).unwrap(), b"format = 1");
        let message = write_archive(&folder.path().join("none/x"), b"PK").unwrap_err();
        assert!(message.contains("make it first"), "{message}");
        assert_eq!(names(&folder), ["x"]);
    }

    fn names(folder: &TempDir) -> Vec<String> {
        let entries = fs::read_dir(folder.path()).unwrap();
        let name = |e: io::Result<fs::DirEntry>| e.unwrap().file_name().into_string().unwrap();
        let mut names: Vec<_> = entries.map(name).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_written_and_replaced() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("a.fmu");
        write_whole(&path, b"first").unwrap();
        write_whole(&path, b"2nd").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"2nd");
        assert_eq!(names(&folder), ["a.fmu"]);
    }

    #[test]
    fn a_folder_as_target_is_an_error_and_leaves_nothing() {
        let folder = TempDir::new().unwrap();
        fs::create_dir(folder.path().join("a.fmu")).unwrap();
        assert!(write_whole(&folder.path().join("a.fmu"), b"x").is_err());
        assert_eq!(names(&folder), ["a.fmu"]);
        assert!(folder.path().join("a.fmu").is_dir());
    }

    #[test]
    fn a_folder_that_is_missing_or_a_file_is_an_error_and_leaves_nothing() {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("file"), "").unwrap();
        assert!(write_whole(&folder.path().join("file/a.fmu"), b"x").is_err());
        assert!(write_whole(&folder.path().join("none/a.fmu"), b"x").is_err());
        assert_eq!(names(&folder), ["file"]);
    }

    /// Permission bits do not stop an administrator, /proc stops everybody.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_folder_that_cannot_be_written_is_an_error() {
        assert!(write_whole(Path::new("/proc/a.fmu"), b"x").is_err());
    }

    #[test]
    #[cfg(unix)]
    fn the_file_can_be_read_by_others_as_far_as_the_user_allows() {
        use std::os::unix::fs::PermissionsExt;
        let folder = TempDir::new().unwrap();
        let (ours, plain) = (folder.path().join("a"), folder.path().join("b"));
        write_whole(&ours, b"x").unwrap();
        fs::write(&plain, "x").unwrap();
        let mode = |path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&ours), mode(&plain));
    }
}
