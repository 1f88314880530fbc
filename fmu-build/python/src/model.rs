//! An FMU that is loaded once and kept: reset, stepped, saved and restored, without Python's lock while it works.

use crate::kept::{
    Event, Kept, PANIC, Shared, State, TICK, columns, error, event, failure, length, locked, vector,
};
use fmu_host::{HostError, InputTable, Live, Options, Run, STACK, Start};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread;

/// An instance of an FMU.
#[pyclass(subclass, frozen, module = "contact_fmu._native")]
pub(crate) struct Model {
    of: Shared,
    /// Variables chosen as outputs.
    chosen: Option<Vec<String>>,
    kept: Mutex<Kept>,
    y: Py<PyArray1<f64>>,
}

impl Model {
    /// Works without Python's lock; then `y` has the outputs.
    fn work(
        &self,
        py: Python<'_>,
        task: impl FnOnce(&mut Kept) -> Result<(), HostError> + Send,
    ) -> PyResult<Py<PyArray1<f64>>> {
        let done = py.detach(|| {
            let mut kept = locked(&self.kept);
            task(&mut kept).map(|()| kept.values.clone())
        });
        let values = done.map_err(|failed| error(py, &failed, ""))?;
        let y = self.y.bind(py).try_readwrite();
        let mut y = y.map_err(|e| failure(py, "other", e.to_string()))?;
        y.as_slice_mut()?.copy_from_slice(&values);
        Ok(self.y.clone_ref(py))
    }
}

#[pymethods]
impl Model {
    #[new]
    fn new(
        py: Python<'_>,
        fmu: PathBuf,
        interface: Option<&str>,
        inputs: Option<Vec<String>>,
        outputs: Option<Vec<String>>,
    ) -> PyResult<Model> {
        let chosen = [inputs.as_deref(), outputs.as_deref()];
        let (of, mut all) = Shared::open(py, &fmu, interface, chosen, 1)?;
        let kept = all.remove(0);
        let y = PyArray1::from_slice(py, &kept.values).unbind();
        let kept = Mutex::new(kept);
        Ok(Model {
            of,
            chosen: outputs,
            kept,
            y,
        })
    }

    /// Names of the inputs, in the order of `u`.
    #[getter]
    fn inputs(&self) -> Vec<String> {
        self.of.inputs()
    }

    /// Names of the outputs, in the order of `y`.
    #[getter]
    fn outputs(&self) -> Vec<String> {
        self.of.outputs()
    }

    /// Units of inputs and outputs by name, None for a pure number.
    #[getter]
    fn units<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.of.units(py)
    }

    /// Time reached [s].
    #[getter]
    fn time(&self, py: Python<'_>) -> f64 {
        py.detach(|| locked(&self.kept).session.time())
    }

    /// Whether the FMU has asked for the end of the run.
    #[getter]
    fn ended(&self, py: Python<'_>) -> bool {
        py.detach(|| locked(&self.kept).ended)
    }

    /// Outputs at the time reached, an array that later calls write to.
    #[getter]
    fn y(&self, py: Python<'_>) -> Py<PyArray1<f64>> {
        self.y.clone_ref(py)
    }

    fn _reset(
        &self,
        py: Python<'_>,
        set: Vec<String>,
        u: Option<Bound<'_, PyAny>>,
        start: f64,
        stop: Option<f64>,
        tolerance: Option<f64>,
    ) -> PyResult<Py<PyArray1<f64>>> {
        let parameters = self.of.parameters(py, &set)?;
        let inputs = vector(py, u)?;
        let start = Start {
            parameters: &parameters,
            start,
            stop,
            tolerance,
        };
        self.work(py, |kept| kept.reset(&start, inputs.as_deref()))
    }

    /// Sets the inputs `u`, which hold until they are given again, takes a step of the length `h` [s], and
    /// returns the outputs `y`.
    #[pyo3(signature = (h, u = None))]
    fn step(
        &self,
        py: Python<'_>,
        h: &Bound<'_, PyAny>,
        u: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyArray1<f64>>> {
        let (length, inputs) = (length(py, h)?, vector(py, u)?);
        self.work(py, |kept| kept.step(length, inputs.as_deref()))
    }

    /// Saves the state; the FMU keeps it as long as it is referred to.
    fn save(&self, py: Python<'_>) -> PyResult<State> {
        let saved = py.detach(|| locked(&self.kept).save());
        saved.map_err(|failed| error(py, &failed, ""))
    }

    /// Returns to a saved state of this model, and returns the outputs there.
    fn restore(&self, py: Python<'_>, state: &State) -> PyResult<Py<PyArray1<f64>>> {
        self.work(py, |kept| kept.restore(state))
    }

    /// Warnings in the log of the FMU since the reset or the last look.
    #[getter]
    fn logged(&self, py: Python<'_>) -> Vec<String> {
        py.detach(|| locked(&self.kept).session.take_warnings())
    }

    /// Contacts that started or ended since the reset or the last call.
    fn _events(&self, py: Python<'_>) -> PyResult<Vec<Event>> {
        let events = py.detach(|| locked(&self.kept).session.take_events());
        let events = events.map_err(|failed| error(py, &failed, ""))?;
        Ok(events.iter().map(event).collect())
    }

    #[pyo3(signature = (set, input, stop, step, tolerance))]
    fn _run<'py>(
        &self,
        py: Python<'py>,
        set: Vec<String>,
        input: Option<PathBuf>,
        stop: Option<f64>,
        step: Option<f64>,
        tolerance: Option<f64>,
    ) -> PyResult<(Bound<'py, PyDict>, Vec<String>)> {
        let live = Arc::new(Live::default());
        let table = input.as_deref().map(InputTable::from_file).transpose();
        let options = Options {
            stop,
            step,
            tolerance,
            parameters: self.of.parameters(py, &set)?,
            inputs: table.map_err(|reason| failure(py, "other", reason))?,
            recorded: self.chosen.clone(),
            live: Some(Arc::clone(&live)),
            ..Options::default()
        };
        let run = self
            .watched(py, &live, &options)?
            .map_err(|failed| error(py, &failed, ""))?;
        Ok((columns(py, &run)?, run.warnings))
    }
}

impl Model {
    /// Runs in a thread, which is ended at Ctrl-C.
    fn watched(
        &self,
        py: Python<'_>,
        live: &Live,
        options: &Options,
    ) -> PyResult<Result<Run, HostError>> {
        thread::scope(|scope| {
            let (done, mut wait) = mpsc::channel();
            let run = move || done.send(locked(&self.kept).session.run(options)).is_ok();
            let thread = thread::Builder::new().stack_size(STACK);
            let thread = thread.spawn_scoped(scope, run)?;
            let mut interrupt = None;
            loop {
                let channel = &mut wait;
                match py.detach(move || channel.recv_timeout(TICK)) {
                    Ok(run) => return interrupt.map_or(Ok(run), Err),
                    Err(RecvTimeoutError::Disconnected) => {
                        // What it has raised is on standard error.
                        let _ = thread.join();
                        return Err(failure(py, "other", PANIC.to_owned()));
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                }
                if let Err(raised) = py.check_signals() {
                    live.end();
                    interrupt = Some(raised);
                }
            }
        })
    }
}
