//! Unpacks an .fmu into a folder.
//!
//! Names are checked before anything is written, so that no entry leaves the folder: relative,
//! forward slashes, no `..`, no drive, no link, not deeply nested.

use super::limits::MIB;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use zip::ZipArchive;

/// Bytes that an entry counts as at least, a usual block of a disk: empty files take room too.
const BLOCK: u64 = 4096;
/// Bytes of a name at most; systems take some 1000 (macOS) to 4096 (Linux) with the folder before
/// it.
const MAX_NAME: usize = 800;
/// Folders that an entry lies in at most. To remove a folder keeps one file open for each level.
const MAX_DEPTH: usize = 64;

/// Unpacks the archive `path` into `folder`, which exists; `limit` are the bytes that it may unpack
/// to.
///
/// # Errors
/// In words: not readable, not a ZIP archive, an entry that would leave the folder or is not a
/// plain file, too much data.
pub fn unpack(path: &Path, folder: &Path, limit: u64) -> Result<(), String> {
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

/// Refuses names that could leave the folder, on any system.
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
