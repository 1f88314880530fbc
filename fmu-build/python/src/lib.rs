//! The tool and its importer inside Python, as the module `contact_fmu._native`.
//!
//! A command line runs in a thread of its own without Python's lock. What it says comes to the thread that
//! called, which takes the lock to pass it on and to look for Ctrl-C.
//!
//! - `kept`: instances of an FMU with their last outputs; runs, events and failures as Python has them
//! - `model`: one that is stepped
//! - `batch`: many that are stepped side by side

mod batch;
mod kept;
mod model;

use fmu_build::cli::{self, Caller, Color, Inside};
use fmu_build::scene_file::GivenScene;
use fmu_host::STACK;
use kept::{PANIC, TICK, columns, failure};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// Time allowed for a requested end; then the thread is abandoned [s].
const GRACE: Duration = Duration::from_secs(3);

/// Output of a command.
enum Said {
    /// Part of the result.
    Result(String),
    /// Lines of errors, warnings, written files and progress.
    Remark(String),
}

/// Python as the caller of a command line.
struct InPython {
    said: Sender<Said>,
    ends: Arc<AtomicU32>,
    inside: Inside,
}

impl Caller for InPython {
    fn result(&self, text: &str) -> io::Result<()> {
        self.send(Said::Result(text.to_owned()));
        Ok(())
    }

    fn remark(&self, text: &str, _: Color) {
        self.send(Said::Remark(text.to_owned()));
    }

    fn ends(&self) -> u32 {
        self.ends.load(Ordering::Relaxed)
    }

    fn inside(&self) -> Option<Inside> {
        Some(self.inside.clone())
    }
}

impl InPython {
    fn send(&self, said: Said) {
        // Nobody hears a command that was left to itself.
        let _ = self.said.send(said);
    }
}

/// Runs a command line, whose first word is the name of the program. `scene` is the text of a scene in place
/// of standard input and the folder of the files that it names, `beside` the file beside which FMU
/// binaries lie, `scratch` a folder for the FMU of a run whose results are not written. `hear` gets each
/// text of errors, warnings and progress; if it raises, or at Ctrl-C, a run is ended. Returns exit code,
/// result, and of `simulate` the run.
#[pyfunction]
fn call<'py>(
    py: Python<'py>,
    arguments: Vec<OsString>,
    scene: Option<(String, PathBuf)>,
    beside: PathBuf,
    scratch: Option<PathBuf>,
    hear: &Bound<'py, PyAny>,
) -> PyResult<(u8, String, Option<Bound<'py, PyDict>>)> {
    let (said, mut heard) = mpsc::channel();
    let ends = Arc::new(AtomicU32::new(0));
    let caller = InPython {
        said,
        ends: Arc::clone(&ends),
        inside: Inside {
            scene: scene.map(|(text, folder)| GivenScene { text, folder }),
            beside: Some(beside),
            scratch,
        },
    };
    let command = thread::Builder::new().stack_size(STACK);
    // The caller goes with its thread, which closes the channel.
    let command = command.spawn(move || cli::call(&arguments, &caller))?;
    let mut text = String::new();
    if let Some(raised) = listen(py, &mut heard, &ends, &mut text, hear)? {
        return Err(raised);
    }
    let (code, run) = command
        .join()
        .map_err(|_| failure(py, "other", PANIC.to_owned()))?;
    let run = run.map(|run| columns(py, &run)).transpose()?;
    Ok((code, text, run))
}

/// Hears a command until it ends. Returns what an interrupt or `hear` has raised, after the command has ended
/// or its time for that is over.
fn listen(
    py: Python<'_>,
    heard: &mut Receiver<Said>,
    ends: &AtomicU32,
    text: &mut String,
    hear: &Bound<'_, PyAny>,
) -> PyResult<Option<PyErr>> {
    let mut failed: Option<(PyErr, Instant)> = None;
    loop {
        let channel = &mut *heard;
        let said = py.detach(move || channel.recv_timeout(TICK));
        let done = match said {
            Ok(_) if failed.is_some() => Ok(()),
            Ok(Said::Result(part)) => {
                text.push_str(&part);
                Ok(())
            }
            Ok(Said::Remark(lines)) => hear.call1((lines,)).map(drop),
            Err(RecvTimeoutError::Timeout) => py.check_signals(),
            Err(RecvTimeoutError::Disconnected) => break,
        };
        if let Err(failure) = done {
            if failed.is_some() {
                break;
            }
            ends.store(1, Ordering::Relaxed);
            failed = Some((failure, Instant::now()));
        }
        if failed
            .as_ref()
            .is_some_and(|(_, since)| since.elapsed() > GRACE)
        {
            break;
        }
    }
    Ok(failed.map(|(failure, _)| failure))
}

/// Runs the tool as a program, with standard streams and signals; the exit code. `program` are the words
/// that run it in another process.
#[pyfunction]
fn main(py: Python<'_>, arguments: Vec<OsString>, program: Vec<OsString>, beside: PathBuf) -> u8 {
    py.detach(|| cli::main(&arguments, &program, Some(beside)))
}

/// The tool `fmu-build` and the importer of FMUs.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<model::Model>()?;
    module.add_class::<batch::Batch>()?;
    module.add_class::<kept::State>()?;
    module.add_function(wrap_pyfunction!(call, module)?)?;
    module.add_function(wrap_pyfunction!(main, module)?)
}
