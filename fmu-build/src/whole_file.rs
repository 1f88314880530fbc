//! A file that is written completely or not at all: written beside its target under another name,
//! then renamed.

use std::io::{self, Write};
use std::path::Path;
use tempfile::NamedTempFile;

/// Writes a file, replacing an older one.
///
/// # Errors
/// The folder does not exist or cannot be written, the target is a folder, the disk is full. The
/// target is as it was, and nothing else is left.
pub fn write_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = beside(path)?;
    file.write_all(content)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

/// A file beside a path, which is gone unless it is given the name of the path.
///
/// # Errors
/// The folder does not exist or cannot be written.
pub fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".fmu-build-");
    // Without this the file would be readable by its owner only.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}
