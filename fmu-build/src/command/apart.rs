//! Runs this program in a child process when a command calls user code: a law that crashes or exits kills
//! only the child, and this process names the library and removes the child's files.
//!
//! The child has the same arguments and streams. Its temporary files are in a folder named by the variable
//! [`FOLDER`]; its last action is to create the file [`DONE`] there. If only this process gets a signal to
//! end it creates the file [`END`], at which the child interrupts itself; so it does when parent or folder
//! are gone.

use super::watch::{self, INTERRUPTED, Leftover};
use crate::scene_file;
use contact_model::scene::user::own_platform;
pub(crate) use fmu_host::forbid_user_code;
use signal_hook::consts::SIGINT;
use signal_hook::low_level::raise;
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::time::Duration;
use std::{env, io, thread};
use zip::ZipArchive;

/// Environment variable with the folder of a child.
const FOLDER: &str = "FMU_BUILD_APART";
/// Variables for the folder of temporary files on different systems.
const TEMPORARY: [&str; 3] = ["TMPDIR", "TMP", "TEMP"];
/// File that marks a completed child.
const DONE: &str = "done";
/// File with which the parent ends its child.
const END: &str = "end";
/// Interval at which the parent polls the child.
const PATIENCE: Duration = Duration::from_millis(10);
/// Interval at which the child polls the folder.
const LOOK: Duration = Duration::from_millis(100);

/// Returns true if a command that reads this file must run in a child: a scene that may name a library, or an
/// FMU that has one for this platform. False in a child.
pub(crate) fn is_wanted(input: &Path) -> bool {
    // A pipe can be read once only.
    env::var_os(FOLDER).is_none()
        && input.is_file()
        && (!in_fmu(input).is_empty()
            || fs::read_to_string(input).is_ok_and(|text| text.contains("library")))
}

/// Runs the child by the words of a program and arguments; its exit code.
///
/// # Errors
/// Text: no process, or an incomplete child.
pub(crate) fn run(
    input: &Path,
    program: &[OsString],
    arguments: &[OsString],
) -> Result<u8, String> {
    let no_process = |error: io::Error| format!("no process for {}: {error}", input.display());
    let folder = tempfile::tempdir().map_err(no_process)?;
    let _leftover = Leftover::new(folder.path());
    watch::listen();
    let mut child = Command::new(&program[0])
        .args(&program[1..])
        .args(arguments)
        .env(FOLDER, folder.path())
        .envs(TEMPORARY.map(|name| (name, folder.path())))
        .spawn()
        .map_err(no_process)?;
    let status = wait(&mut child, &folder.path().join(END)).map_err(no_process)?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    match code {
        Some(code) if folder.path().join(DONE).exists() => Ok(code),
        _ if watch::interruptions() > 0 => Ok(INTERRUPTED),
        _ => Err(format!(
            "{}: the program ended by {status} while it ran code of {}: a law must return, and neither crash nor \
             end the program; --no-user-code checks and builds without it",
            input.display(),
            names(input)
        )),
    }
}

/// Waits for the child, and passes on a request to end.
fn wait(child: &mut Child, end: &Path) -> io::Result<ExitStatus> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if watch::interruptions() > 0 && !end.exists() {
            File::create(end)?;
        }
        thread::sleep(PATIENCE);
    }
}

/// In a child: starts polling for requests of its parent.
pub(crate) fn listen() {
    let Some(folder) = env::var_os(FOLDER).map(PathBuf::from) else {
        return;
    };
    let parent = parent();
    thread::spawn(move || {
        while parent == self::parent() && folder.exists() && !folder.join(END).exists() {
            thread::sleep(LOOK);
        }
        // The same signal may have come to both.
        thread::sleep(LOOK);
        if watch::interruptions() == 0 {
            let _ = raise(SIGINT);
        }
    });
}

/// Identifier of the parent process, which changes when that has ended; `None` on systems without one.
fn parent() -> Option<u32> {
    #[cfg(unix)]
    return Some(std::os::unix::process::parent_id());
    #[cfg(not(unix))]
    None
}

/// In a child: marks completion.
pub(crate) fn done() {
    if let Some(folder) = env::var_os(FOLDER) {
        let _ = File::create(Path::new(&folder).join(DONE));
    }
}

/// Files of user libraries in an FMU for this platform.
fn in_fmu(path: &Path) -> Vec<String> {
    let folder = format!("resources/{}/", own_platform());
    let archive = File::open(path)
        .map_err(Into::into)
        .and_then(ZipArchive::new);
    let Ok(archive) = archive else {
        return Vec::new();
    };
    let names = archive.file_names().filter_map(Result::ok);
    let files = names.filter_map(|name| Some(name.strip_prefix(&folder)?.to_owned()));
    files.filter(|file| !file.is_empty()).collect()
}

/// Files of the libraries that a child may have loaded, for a message.
fn names(input: &Path) -> String {
    let mut files = in_fmu(input);
    if files.is_empty()
        && let Ok(loaded) = scene_file::read(input)
    {
        files = loaded
            .libraries
            .into_iter()
            .map(|library| library.file.file)
            .collect();
    }
    match files.as_slice() {
        [] => "a user".to_owned(),
        some => some.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenes_that_may_have_a_library_are_run_apart() {
        let folder = tempfile::tempdir().unwrap();
        let [with, without] = ["with.toml", "without.toml"].map(|name| folder.path().join(name));
        fs::write(&with, "[[library]]").unwrap();
        fs::write(&without, "format = 1").unwrap();
        assert!(is_wanted(&with));
        assert!(!is_wanted(&without) && !is_wanted(Path::new("-")));
        assert!(!is_wanted(Path::new("none.fmu")) && !is_wanted(Path::new("none.toml")));
    }
}
