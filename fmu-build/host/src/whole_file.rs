//! File that is written completely or not at all: written beside its target under another name, then renamed.
//! A pipe or a device gets the bytes directly, and stays what it is.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

pub(crate) struct WholeFile(Destination);

enum Destination {
    /// Written beside the path and renamed at the end.
    File(NamedTempFile, PathBuf),
    /// Pipe or character device, written directly.
    Stream(File),
}

/// Writes a file, replacing an older one.
///
/// # Errors
/// The folder does not exist or cannot be written, the target is a folder, the disk is full. The target is
/// then unchanged, and nothing else is left.
pub fn write_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = WholeFile::create(path)?;
    file.write_all(content)?;
    file.finish()
}

impl WholeFile {
    /// Creates a file. Opening a pipe waits for its reader.
    ///
    /// # Errors
    /// The folder does not exist or cannot be written, the target is neither file nor stream.
    pub(crate) fn create(path: &Path) -> io::Result<WholeFile> {
        if is_stream(path) {
            let stream = OpenOptions::new().write(true).open(path)?;
            return Ok(WholeFile(Destination::Stream(stream)));
        }
        let path = replaceable(path)?;
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".fmu-build-");
        // Without this the file would be readable by its owner only.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(folder)?;
        Ok(WholeFile(Destination::File(file, path)))
    }

    pub(crate) fn temporary(&self) -> Option<&Path> {
        match &self.0 {
            Destination::File(file, _) => Some(file.path()),
            Destination::Stream(_) => None,
        }
    }

    /// Renames the file to its path.
    ///
    /// # Errors
    /// The disk is full, the target has become a folder.
    pub(crate) fn finish(self) -> io::Result<()> {
        if let Destination::File(file, path) = self.0 {
            file.as_file().sync_all()?;
            file.persist(path)?;
        }
        Ok(())
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Destination::File(file, _) => file.write(bytes),
            Destination::Stream(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Destination::File(file, _) => file.flush(),
            Destination::Stream(stream) => stream.flush(),
        }
    }
}

/// Returns true for a pipe or a character device, following links. False for a block device: bytes written to
/// one overwrite a disk.
fn is_stream(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let kind = fs::metadata(path).map(|found| found.file_type());
        kind.is_ok_and(|kind| kind.is_fifo() || kind.is_char_device())
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

/// Path, following links, that a renamed file may replace: a regular file or nothing.
///
/// # Errors
/// Something else is there.
pub fn replaceable(path: &Path) -> io::Result<PathBuf> {
    let reason = match fs::metadata(path) {
        Ok(found) if found.is_file() && path.is_symlink() => return path.canonicalize(),
        Ok(found) if found.is_file() => return Ok(path.to_owned()),
        Ok(found) if found.is_dir() => "it is a folder; give another name",
        Ok(_) => "it is there and is no regular file; give another name",
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        Err(_) if path.is_symlink() => "it is a link to nothing; remove it or give another name",
        Err(_) => return Ok(path.to_owned()),
    };
    Err(io::Error::new(ErrorKind::AlreadyExists, reason))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::os::unix::fs::{FileTypeExt, symlink};
    use std::os::unix::net::UnixListener;
    use std::process::Command;
    use std::thread;
    use tempfile::TempDir;

    fn names(folder: &TempDir) -> usize {
        fs::read_dir(folder.path()).unwrap().count()
    }

    #[test]
    fn a_pipe_gets_the_bytes_and_stays_a_pipe() {
        let folder = TempDir::new().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(
            Command::new("mkfifo")
                .arg(&pipe)
                .status()
                .unwrap()
                .success()
        );
        let link = folder.path().join("link");
        symlink(&pipe, &link).unwrap();
        for path in [&pipe, &link] {
            let reader = thread::spawn({
                let pipe = pipe.clone();
                move || fs::read(pipe).unwrap()
            });
            write_whole(path, b"bytes").unwrap();
            assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo());
            assert_eq!(reader.join().unwrap(), b"bytes");
        }
        assert!(link.is_symlink());
        assert_eq!(names(&folder), 2);
    }

    /// Only an administrator makes devices; the one made here swallows what it gets.
    #[test]
    fn a_device_stays_a_device() {
        let folder = TempDir::new().unwrap();
        let device = folder.path().join("null");
        let mut mknod = Command::new("mknod");
        let made = mknod.arg(&device).args(["c", "1", "3"]).output();
        if !made.unwrap().status.success() {
            return;
        }
        // A mount without devices refuses to open it.
        let _ = write_whole(&device, b"bytes");
        let kind = fs::symlink_metadata(&device).unwrap().file_type();
        assert!(kind.is_char_device());
        assert_eq!(names(&folder), 1);
    }

    #[test]
    fn a_link_stays_and_its_file_is_replaced() {
        let folder = TempDir::new().unwrap();
        let [file, link] = ["file", "link"].map(|name| folder.path().join(name));
        fs::write(&file, "old").unwrap();
        symlink("file", &link).unwrap();
        write_whole(&link, b"new").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        fs::remove_file(&file).unwrap();
        let message = write_whole(&link, b"x").unwrap_err().to_string();
        assert!(message.contains("link to nothing"), "{message}");
        assert_eq!(names(&folder), 1);
    }

    #[test]
    fn what_is_neither_file_nor_stream_is_refused() {
        let folder = TempDir::new().unwrap();
        let socket = folder.path().join("socket");
        let _listener = UnixListener::bind(&socket).unwrap();
        for (path, part) in [(&*socket, "no regular file"), (folder.path(), "a folder")] {
            let message = write_whole(path, b"x").unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
        assert!(fs::metadata(&socket).unwrap().file_type().is_socket());
    }
}
