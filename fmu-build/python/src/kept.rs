//! Instances of an FMU with their last outputs; runs, events and failures as Python has them.

use fmu_build::command::simulate::starts;
use fmu_host::trajectory::Column;
use fmu_host::{
    ContactEvent, Fmu, HostError, Interface, Options, ParameterStart, Run, Saved, Session, Start,
};
use numpy::{AllowTypeChange, PyArray1, PyArrayLike1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Message about a failed thread.
pub(crate) const PANIC: &str = "it ended by a panic, which standard error has";
/// Interval at which Ctrl-C is looked for.
pub(crate) const TICK: Duration = Duration::from_millis(50);

/// Exception of the package for a failure of this kind.
pub(crate) fn failure(py: Python<'_>, kind: &str, message: String) -> PyErr {
    let make = py.import("contact_fmu._errors");
    let made = make.and_then(|errors| errors.getattr("failed")?.call1((kind, message)));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// Exception for an error of the importer at `place`.
pub(crate) fn error(py: Python<'_>, error: &HostError, place: &str) -> PyErr {
    let kind = match error {
        HostError::Inputs(_) | HostError::Argument(_) => "usage",
        _ => "simulation",
    };
    failure(py, kind, format!("{place}{error}"))
}

pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// FMU with the inputs and outputs of its instances.
pub(crate) struct Shared {
    fmu: Fmu,
    inputs: Vec<Column>,
    outputs: Vec<Column>,
}

/// Inputs and outputs chosen by name.
type Chosen<'a> = [Option<&'a [String]>; 2];

impl Shared {
    /// Opens an FMU and instances of it.
    pub(crate) fn open(
        py: Python<'_>,
        path: &Path,
        interface: Option<&str>,
        [inputs, outputs]: Chosen<'_>,
        count: usize,
    ) -> PyResult<(Shared, Vec<Kept>)> {
        let refuse = |e: HostError| failure(py, "other", format!("{}: {e}", path.display()));
        let fmu = py.detach(|| Fmu::open(path)).map_err(refuse)?;
        let interface = match interface {
            Some("me") => Interface::ModelExchange,
            Some("cs") => Interface::CoSimulation,
            Some(other) => {
                let message = format!("interface is {other:?}; it is cs or me");
                return Err(failure(py, "usage", message));
            }
            None => Interface::usual(fmu.description()),
        };
        let open = || Session::open(&fmu, interface, inputs, outputs, &Options::default());
        let open_all = || (0..count).map(|_| open().map(Kept::new)).collect();
        let opened: Result<Vec<Kept>, HostError> = py.detach(open_all);
        let all = opened.map_err(refuse)?;
        let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
        if let Some(Kept { session, .. }) = all.first() {
            inputs.extend_from_slice(session.inputs());
            outputs.extend_from_slice(session.outputs());
        }
        let shared = Shared {
            fmu,
            inputs,
            outputs,
        };
        Ok((shared, all))
    }

    /// Names of the inputs.
    pub(crate) fn inputs(&self) -> Vec<String> {
        names(&self.inputs)
    }

    /// Names of the outputs.
    pub(crate) fn outputs(&self) -> Vec<String> {
        names(&self.outputs)
    }

    /// Units of inputs and outputs by name.
    pub(crate) fn units<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let units = PyDict::new(py);
        for column in self.inputs.iter().chain(&self.outputs) {
            units.set_item(&column.name, &column.unit)?;
        }
        Ok(units)
    }

    /// Parameters of texts, each a name with its value.
    pub(crate) fn parameters(
        &self,
        py: Python<'_>,
        set: &[String],
    ) -> PyResult<Vec<ParameterStart>> {
        starts(self.fmu.description(), set).map_err(|reason| failure(py, "setting", reason))
    }
}

fn names(columns: &[Column]) -> Vec<String> {
    columns.iter().map(|column| column.name.clone()).collect()
}

/// Length of a step [s].
pub(crate) fn length(py: Python<'_>, h: &Bound<'_, PyAny>) -> PyResult<f64> {
    let refuse = |_| failure(py, "usage", format!("h is {}; give a number [s]", shown(h)));
    h.extract().map_err(refuse)
}

/// A value of the user in a message.
fn shown(value: &Bound<'_, PyAny>) -> String {
    value
        .repr()
        .map_or_else(|_| String::new(), |text| format!("{text:.80}"))
}

/// Numbers of a vector.
pub(crate) fn vector(py: Python<'_>, u: Option<Bound<'_, PyAny>>) -> PyResult<Option<Vec<f64>>> {
    let Some(u) = u else {
        return Ok(None);
    };
    let numbers: Result<PyArrayLike1<'_, f64, AllowTypeChange>, _> = u.extract();
    let numbers = numbers.map_err(|_| {
        let message = format!(
            "inputs are {}; give a vector with a number for each",
            shown(&u)
        );
        failure(py, "usage", message)
    })?;
    Ok(Some(numbers.as_array().to_vec()))
}

/// Session with its last outputs.
pub(crate) struct Kept {
    pub(crate) session: Session,
    /// Outputs at the present time.
    pub(crate) values: Vec<f64>,
    pub(crate) ended: bool,
}

impl Kept {
    fn new(session: Session) -> Kept {
        let values = vec![f64::NAN; session.outputs().len()];
        Kept {
            session,
            values,
            ended: false,
        }
    }

    pub(crate) fn reset(&mut self, start: &Start<'_>, u: Option<&[f64]>) -> Result<(), HostError> {
        self.session.reset(start, u)?;
        self.ended = false;
        self.session.read(&mut self.values)
    }

    pub(crate) fn step(&mut self, h: f64, u: Option<&[f64]>) -> Result<(), HostError> {
        self.ended = self.session.step(h, u)?;
        self.session.read(&mut self.values)
    }

    pub(crate) fn save(&mut self) -> Result<State, HostError> {
        let saved = self.session.save()?;
        Ok(State(Mutex::new((saved, self.values.clone(), self.ended))))
    }

    pub(crate) fn restore(&mut self, state: &State) -> Result<(), HostError> {
        let state = locked(&state.0);
        self.session.restore(&state.0)?;
        self.values.copy_from_slice(&state.1);
        self.ended = state.2;
        Ok(())
    }
}

/// A saved state of an instance.
#[pyclass(frozen, module = "contact_fmu")]
pub(crate) struct State(Mutex<(Saved, Vec<f64>, bool)>);

/// A run as Python has it: the names of columns with their values, units and descriptions, and events.
pub(crate) fn columns<'py>(py: Python<'py>, run: &Run) -> PyResult<Bound<'py, PyDict>> {
    let trajectory = &run.trajectory;
    let [values, units, descriptions] = [(); 3].map(|()| PyDict::new(py));
    values.set_item("time", PyArray1::from_slice(py, trajectory.times()))?;
    units.set_item("time", "s")?;
    for (index, column) in trajectory.columns().iter().enumerate() {
        let numbers = PyArray1::from_iter(py, trajectory.column(index));
        values.set_item(&column.name, numbers)?;
        units.set_item(&column.name, &column.unit)?;
        descriptions.set_item(&column.name, &column.description)?;
    }
    let of = PyDict::new(py);
    of.set_item("columns", values)?;
    of.set_item("units", units)?;
    of.set_item("descriptions", descriptions)?;
    of.set_item("events", run.contacts.iter().map(event).collect::<Vec<_>>())?;
    Ok(of)
}

/// Fields of an event in the order of `contact_fmu.Event`.
pub(crate) type Event = (
    f64,
    &'static str,
    String,
    Option<f64>,
    Option<(f64, f64, f64)>,
);

pub(crate) fn event(of: &ContactEvent) -> Event {
    let impulse = of.impulse.map(|[x, y, z]| (x, y, z));
    (
        of.time,
        of.kind.name(),
        of.pair.clone(),
        of.impact_speed,
        impulse,
    )
}
