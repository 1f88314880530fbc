//! A file that is written completely or not at all: written beside its target under another name,
//! then renamed.

use std::io::{self, Write};
use std::path::Path;

/// Writes a file, replacing an older one.
///
/// # Errors
/// The folder does not exist or cannot be written, the target is a folder, the disk is full. The
/// target is as it was, and nothing else is left.
pub fn write_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".fmu-build-");
    // Without this the file would be readable by its owner only.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(content)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use tempfile::TempDir;

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
