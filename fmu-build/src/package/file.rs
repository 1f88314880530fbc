//! Writes an archive, completely or not at all, where nothing but an older one is.

use crate::whole_file::write_whole;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

/// What a ZIP archive begins with.
const ARCHIVE: &[u8] = b"PK";

/// Writes an archive, an FMU or an SSP, where nothing is or an older archive.
///
/// # Errors
/// In words: something else is there, a scene file say, there is no such folder, or see
/// [`write_whole`].
pub fn write_archive(path: &Path, content: &[u8]) -> Result<(), String> {
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

/// The first bytes of a file; none of what is no plain file, such as a pipe, which would wait.
fn head(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if path.is_file() {
        let file = fs::File::open(path)?;
        file.take(ARCHIVE.len() as u64).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
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
