//! Runs this program once more where a command comes to call code of a user: a law that crashes or ends
//! the program takes only that child with it, and this process says which library it was and removes what
//! the child has left.
//!
//! The child has the same arguments and streams. Its temporary files are in a folder that the variable
//! [`FOLDER`] names; the last thing it does is to make the file [`DONE`] there. Where only this process gets
//! a signal to end it makes the file [`END`], at which the child interrupts itself; so it does where parent
//! or folder are gone.

use super::watch::{self, INTERRUPTED, Leftover};
use crate::scene_file;
use contact_model::scene::user::own_platform;
pub(crate) use fmu_host::forbid_user_code;
use signal_hook::consts::SIGINT;
use signal_hook::low_level::raise;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::time::Duration;
use std::{env, io, thread};
use zip::ZipArchive;

/// Environment variable with the folder of a child.
const FOLDER: &str = "FMU_BUILD_APART";
/// Variables that name the folder for temporary files on one system or the other.
const TEMPORARY: [&str; 3] = ["TMPDIR", "TMP", "TEMP"];
/// File of a child that has come to its end.
const DONE: &str = "done";
/// File of a parent that wants its child to end.
const END: &str = "end";
/// Wall time between two looks of the parent at the child.
const PATIENCE: Duration = Duration::from_millis(10);
/// Wall time between two looks of the child at the folder.
const LOOK: Duration = Duration::from_millis(100);

/// Whether a command that reads this file is to run in a child: a scene that may name a library, an FMU that
/// has one for this platform. Never in a child.
pub(crate) fn is_wanted(input: &Path) -> bool {
    // A pipe can be read once only.
    env::var_os(FOLDER).is_none()
        && input.is_file()
        && (!in_fmu(input).is_empty()
            || fs::read_to_string(input).is_ok_and(|text| text.contains("library")))
}

/// Runs the child; its exit code.
///
/// # Errors
/// In words: there is no process to be had, or the child did not come to its end.
pub(crate) fn run(input: &Path) -> Result<u8, String> {
    let no_process = |error: io::Error| format!("no process for {}: {error}", input.display());
    let folder = tempfile::tempdir().map_err(no_process)?;
    let _leftover = Leftover::new(folder.path());
    watch::listen();
    let mut child = Command::new(env::current_exe().map_err(no_process)?)
        .args(env::args_os().skip(1))
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

/// Waits for the child, and asks it to end where this process is.
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

/// In a child: listens to its parent from now on.
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

/// Number of the parent process, another one once that has ended; always none where a system has none.
fn parent() -> Option<u32> {
    #[cfg(unix)]
    return Some(std::os::unix::process::parent_id());
    #[cfg(not(unix))]
    None
}

/// In a child: it has come to its end.
pub(crate) fn done() {
    if let Some(folder) = env::var_os(FOLDER) {
        let _ = File::create(Path::new(&folder).join(DONE));
    }
}

/// The files of a user's libraries in an FMU for this platform.
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

/// The files of the libraries that a child may have loaded, for a message.
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
