//! Judges one FMU in a process of its own, so that one that ends it, or never comes back, is a
//! failure of this FMU alone.

use super::run::{self, Judgement, Verdict};
use crate::host::Limits;
use crate::host::library::is_user_code_forbidden;
use crate::host::limits::MIB;
use crate::number::counted;
use std::env;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle, sleep};
use std::time::{Duration, Instant};

/// Name of the command that judges one FMU.
pub const ONE: &str = "judge-one";
/// Time between two looks at a process.
const PATIENCE: Duration = Duration::from_millis(10);
/// Time that the output of a process may take after its end: a process that an FMU has started may
/// keep it open for ever.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// Bytes that an FMU may say; of more the last ones are kept.
const MOST_BYTES: usize = 64 * 1024;

/// Judges an FMU within a time limit.
///
/// # Errors
/// In words: there is no process or no temporary folder to be had.
pub fn judge(fmu: &Path, limits: &Limits, time_limit: Duration) -> Result<Judgement, String> {
    let no_process = |e: io::Error| format!("cannot run {}: {e}", fmu.display());
    let folder = tempfile::tempdir().map_err(no_process)?;
    let verdict = folder.path().join("verdict");
    let (reader, output) = io::pipe().map_err(no_process)?;
    let errors = output.try_clone().map_err(no_process)?;
    let mut child = Command::new(env::current_exe().map_err(no_process)?)
        .args(["crosscheck", ONE])
        .arg(fmu)
        .arg(&verdict)
        .args(["--max-unpacked", &(limits.unpacked / MIB).to_string()])
        .args(["--max-description", &(limits.description / MIB).to_string()])
        .args(["--max-values", &limits.values.to_string()])
        .args(is_user_code_forbidden().then_some("--no-user-code"))
        // What an FMU that ends the process leaves goes with this folder.
        .envs(["TMPDIR", "TMP", "TEMP"].map(|name| (name, folder.path())))
        .stdin(Stdio::null())
        .stdout(output)
        .stderr(errors)
        .spawn()
        .map_err(no_process)?;
    let said = Tail::of(reader);
    let status = wait(&mut child, time_limit).map_err(no_process)?;
    Ok(match (written(&verdict), status) {
        (Some(judgement), _) => judgement,
        (None, None) => (
            Verdict::Failed,
            format!(
                "did not come to its end in {} s; --time-limit allows more",
                time_limit.as_secs_f64()
            ),
        ),
        (None, Some(status)) => {
            let ended = format!("the FMU ended the process: {status}");
            (Verdict::Failed, format!("{ended}\n{}", said.text()))
        }
    })
}

/// What the process wrote into the file of its verdict; the FMU has its words in it.
fn written(verdict: &Path) -> Option<Judgement> {
    let mut content = Vec::new();
    let mut file = File::open(verdict).ok()?.take(MOST_BYTES as u64);
    file.read_to_end(&mut content).ok()?;
    run::read(&String::from_utf8_lossy(&content))
}

/// Waits for the end of a process; ends it when its time is over, and answers none then.
fn wait(child: &mut Child, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        sleep(PATIENCE);
    }
}

/// The last bytes of a stream, read in a thread of its own.
struct Tail {
    kept: Arc<Mutex<Kept>>,
    thread: JoinHandle<()>,
}

#[derive(Default)]
struct Kept {
    bytes: Vec<u8>,
    left_out: usize,
}

impl Kept {
    fn add(&mut self, block: &[u8]) {
        self.bytes.extend_from_slice(block);
        let surplus = self.bytes.len().saturating_sub(MOST_BYTES);
        self.bytes.drain(..surplus);
        self.left_out += surplus;
    }
}

impl Tail {
    fn of(mut stream: impl Read + Send + 'static) -> Tail {
        let kept = Arc::new(Mutex::new(Kept::default()));
        let own = Arc::clone(&kept);
        let thread = thread::spawn(move || {
            let mut block = [0; 8192];
            loop {
                match stream.read(&mut block) {
                    Ok(0) => return,
                    Ok(size) => {
                        let mut kept = own.lock().unwrap_or_else(PoisonError::into_inner);
                        kept.add(&block[..size]);
                    }
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Err(_) => return,
                }
            }
        });
        Tail { kept, thread }
    }

    /// What was said, once its process has ended.
    fn text(self) -> String {
        let start = Instant::now();
        while !self.thread.is_finished() && start.elapsed() < LAST_WORDS {
            sleep(PATIENCE);
        }
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&kept.bytes);
        match kept.left_out {
            0 => text.trim_end().to_owned(),
            more => format!(
                "[{} before this left out]\n{}",
                counted(more, "byte"),
                text.trim_end()
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_much_output_the_last_64_kb_are_kept_and_the_others_counted() {
        let said = [vec![b'a'; 100_000], vec![b'b'; 64 * 1024]].concat();
        let text = Tail::of(io::Cursor::new(said)).text();
        let (head, rest) = text.split_once('\n').unwrap();
        assert_eq!(head, "[100000 bytes before this left out]");
        assert_eq!(rest, "b".repeat(64 * 1024));
        assert_eq!(Tail::of(&b"short\n"[..]).text(), "short");
    }

    /// An end that stays open, as one of a process that an FMU leaves running.
    #[test]
    fn output_that_stays_open_holds_nobody_up() {
        let (reader, mut writer) = io::pipe().unwrap();
        io::Write::write_all(&mut writer, b"bye").unwrap();
        let start = Instant::now();
        assert_eq!(Tail::of(reader).text(), "bye");
        assert!(start.elapsed() < 3 * LAST_WORDS);
        drop(writer);
    }
}
