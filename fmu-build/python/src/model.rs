//! An FMU that is loaded once and kept: reset, stepped, saved and restored, without Python's lock while it works.

use crate::{PANIC, TICK, columns};
use fmu_build::command::simulate::starts;
use fmu_host::trajectory::Column;
use fmu_host::{
    Fmu, HostError, InputTable, Interface, Live, Options, ParameterStart, Run, STACK, Saved,
    Session, Start,
};
use numpy::{AllowTypeChange, PyArray1, PyArrayLike1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Exception of the package for a failure of this kind.
pub(crate) fn failure(py: Python<'_>, kind: &str, message: String) -> PyErr {
    let make = py.import("contact_fmu._errors");
    let made = make.and_then(|errors| errors.getattr("failed")?.call1((kind, message)));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// Exception for an error of the importer.
fn error(py: Python<'_>, error: HostError) -> PyErr {
    let kind = match error {
        HostError::Inputs(_) => "usage",
        _ => "simulation",
    };
    failure(py, kind, error.to_string())
}

/// Session with its last outputs.
struct Kept {
    session: Session,
    /// Outputs at the present time.
    values: Vec<f64>,
    ended: bool,
}

/// An instance of an FMU.
#[pyclass(subclass, frozen, module = "contact_fmu._native")]
pub(crate) struct Model {
    fmu: Arc<Fmu>,
    inputs: Vec<Column>,
    outputs: Vec<Column>,
    kept: Mutex<Kept>,
    y: Py<PyArray1<f64>>,
}

/// A saved state of a model.
#[pyclass(frozen, module = "contact_fmu")]
pub(crate) struct State(Mutex<(Saved, Vec<f64>, bool)>);

impl Kept {
    fn read(&mut self) -> Result<(), HostError> {
        self.session.read(&mut self.values)
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Model {
    fn parameters(&self, py: Python<'_>, set: &[String]) -> PyResult<Vec<ParameterStart>> {
        starts(self.fmu.description(), set).map_err(|reason| failure(py, "setting", reason))
    }

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
        let values = done.map_err(|failed| error(py, failed))?;
        let y = self.y.bind(py).try_readwrite();
        let mut y = y.map_err(|e| failure(py, "other", e.to_string()))?;
        y.as_slice_mut()?.copy_from_slice(&values);
        Ok(self.y.clone_ref(py))
    }
}

fn names(columns: &[Column]) -> Vec<String> {
    columns.iter().map(|column| column.name.clone()).collect()
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
        let refuse = |e: HostError| failure(py, "other", format!("{}: {e}", fmu.display()));
        let opened = Arc::new(py.detach(|| Fmu::open(&fmu)).map_err(refuse)?);
        let interface = match interface {
            Some("me") => Interface::ModelExchange,
            Some("cs") => Interface::CoSimulation,
            Some(other) => {
                let message = format!("interface is {other:?}; it is cs or me");
                return Err(failure(py, "usage", message));
            }
            None => Interface::usual(opened.description()),
        };
        let (inputs, outputs) = (inputs.as_deref(), outputs.as_deref());
        let open = || Session::open(&opened, interface, inputs, outputs, &Options::default());
        let session = py.detach(open).map_err(refuse)?;
        let [inputs, outputs] = [session.inputs(), session.outputs()].map(<[Column]>::to_vec);
        let count = outputs.len();
        let kept = Kept {
            session,
            values: vec![f64::NAN; count],
            ended: false,
        };
        Ok(Model {
            fmu: opened,
            inputs,
            outputs,
            kept: Mutex::new(kept),
            y: PyArray1::from_vec(py, vec![f64::NAN; count]).unbind(),
        })
    }

    /// Names of the inputs, in the order of `u`.
    #[getter]
    fn inputs(&self) -> Vec<String> {
        names(&self.inputs)
    }

    /// Names of the outputs, in the order of `y`.
    #[getter]
    fn outputs(&self) -> Vec<String> {
        names(&self.outputs)
    }

    /// Units of inputs and outputs by name, None for a pure number.
    #[getter]
    fn units<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let units = PyDict::new(py);
        for column in self.inputs.iter().chain(&self.outputs) {
            units.set_item(&column.name, &column.unit)?;
        }
        Ok(units)
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
        u: Option<PyArrayLike1<'_, f64, AllowTypeChange>>,
        start: f64,
        stop: Option<f64>,
        tolerance: Option<f64>,
    ) -> PyResult<Py<PyArray1<f64>>> {
        let parameters = self.parameters(py, &set)?;
        let inputs: Option<Vec<f64>> = u.map(|u| u.as_array().to_vec());
        let start = Start {
            parameters: &parameters,
            start,
            stop,
            tolerance,
        };
        self.work(py, |kept| {
            kept.session.reset(&start, inputs.as_deref())?;
            kept.ended = false;
            kept.read()
        })
    }

    /// Sets the inputs `u`, which hold until they are given again, takes a step of the length `h` [s], and
    /// returns the outputs `y`.
    #[pyo3(signature = (h, u = None))]
    fn step(
        &self,
        py: Python<'_>,
        h: f64,
        u: Option<PyArrayLike1<'_, f64, AllowTypeChange>>,
    ) -> PyResult<Py<PyArray1<f64>>> {
        let inputs: Option<Vec<f64>> = u.map(|u| u.as_array().to_vec());
        self.work(py, |kept| {
            kept.ended = kept.session.step(h, inputs.as_deref())?;
            kept.read()
        })
    }

    /// Saves the state; the FMU keeps it as long as it is referred to.
    fn save(&self, py: Python<'_>) -> PyResult<State> {
        let save = || {
            let mut kept = locked(&self.kept);
            let saved = kept.session.save()?;
            Ok(State(Mutex::new((saved, kept.values.clone(), kept.ended))))
        };
        py.detach(save).map_err(|failed| error(py, failed))
    }

    /// Returns to a saved state of this model, and returns the outputs there.
    fn restore(&self, py: Python<'_>, state: &State) -> PyResult<Py<PyArray1<f64>>> {
        self.work(py, |kept| {
            let state = locked(&state.0);
            kept.session.restore(&state.0)?;
            kept.values.copy_from_slice(&state.1);
            kept.ended = state.2;
            Ok(())
        })
    }

    /// Contacts that started or ended since the reset or the last call.
    fn _events(&self, py: Python<'_>) -> PyResult<Vec<crate::Event>> {
        let events = py.detach(|| locked(&self.kept).session.take_events());
        let events = events.map_err(|failed| error(py, failed))?;
        Ok(events.iter().map(crate::event).collect())
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
            parameters: self.parameters(py, &set)?,
            inputs: table.map_err(|reason| failure(py, "other", reason))?,
            recorded: Some(names(&self.outputs)),
            live: Some(Arc::clone(&live)),
            ..Options::default()
        };
        let run = self
            .watched(py, &live, &options)?
            .map_err(|failed| error(py, failed))?;
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
