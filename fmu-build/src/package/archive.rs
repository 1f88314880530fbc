//! The archive of an FMU as bytes: ZIP with deflate, forward slashes, modelDescription.xml first
//! and the rest sorted by path, fixed dates and permissions, so that equal content gives equal
//! bytes.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{Cursor, Read, Write};
use std::sync::Arc;
use zip::result::ZipResult;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, System, ZipArchive, ZipWriter};

/// Path of the model description.
pub const MODEL_DESCRIPTION: &str = "modelDescription.xml";

/// Folder of the binaries, which are compressed best.
pub const BINARIES: &str = "binaries/";
/// Size of other files from which on the time of compression matters more than the result.
const LONG: usize = 1 << 20;

/// Permissions of every file: readable by all, writable by the owner.
const PERMISSIONS: u32 = 0o644;

/// An archive that is read from memory; copies share its bytes.
pub type Packed = ZipArchive<Cursor<Shared>>;

/// Bytes that copies share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shared(Arc<Cow<'static, [u8]>>);

impl Shared {
    /// Bytes of a file, or of this program.
    pub fn new(bytes: impl Into<Cow<'static, [u8]>>) -> Self {
        Shared(Arc::new(bytes.into()))
    }
}

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// What a file of an archive holds.
#[derive(Clone, Debug)]
pub enum Content {
    /// These bytes.
    Bytes(Cow<'static, [u8]>),
    /// What another archive has under this name, compressed as it is there.
    Packed(Packed, String),
}

impl Content {
    /// The bytes, unpacked.
    ///
    /// # Errors
    /// The other archive does not have the file, or it is damaged there.
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

    /// Adds a file; a path has forward slashes. An earlier file of this path is replaced.
    pub fn add(&mut self, path: impl Into<String>, content: impl Into<Content>) {
        self.files.insert(path.into(), content.into());
    }

    /// The archive.
    ///
    /// # Errors
    /// A file or the whole is larger than ZIP without extensions can hold (4 GiB), or a file of
    /// another archive cannot be had.
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
