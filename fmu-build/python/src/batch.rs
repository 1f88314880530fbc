//! Many instances of one FMU, which threads step side by side.

use crate::kept::{Event, Kept, Shared, State, error, event, failure, locked};
use fmu_host::{HostError, STACK, Start};
use numpy::ndarray::{ArrayView1, Axis};
use numpy::{AllowTypeChange, PyArray1, PyArray2, PyArrayLike2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::Mutex;
use std::thread;

/// Instances of an FMU.
#[pyclass(subclass, frozen, module = "contact_fmu._native")]
pub(crate) struct Batch {
    of: Shared,
    all: Mutex<Vec<Kept>>,
    threads: usize,
    y: Py<PyArray2<f64>>,
}

/// What has failed, by the number of the instance.
type Failures = BTreeMap<usize, HostError>;

/// Does a task for each instance, on so many threads; the instance whose FMU has failed is ended, its outputs are NaN.
fn each<'a>(
    instances: impl Iterator<Item = (usize, &'a mut Kept)>,
    threads: usize,
    task: impl Fn(usize, &mut Kept) -> Result<(), HostError> + Sync,
) -> io::Result<Failures> {
    let mut instances: Vec<_> = instances.collect();
    let share = instances.len().div_ceil(threads).max(1);
    // A thread does its own share first, whose memory is near it, and then helps the others.
    let shares = instances
        .chunks_mut(share)
        .map(|own| Mutex::new(own.iter_mut()));
    let (shares, failures) = (shares.collect::<Vec<_>>(), Mutex::new(Failures::new()));
    let work = |first: usize| {
        for share in shares[first..].iter().chain(&shares[..first]) {
            loop {
                let Some((number, kept)) = locked(share).next() else {
                    break;
                };
                if let Err(failed) = task(*number, kept) {
                    if !kept.session.is_ready() {
                        kept.ended = true;
                        kept.values.fill(f64::NAN);
                    }
                    locked(&failures).insert(*number, failed);
                }
            }
        }
    };
    let started: io::Result<()> = thread::scope(|scope| {
        for share in 1..shares.len() {
            let thread = thread::Builder::new().stack_size(STACK);
            thread.spawn_scoped(scope, move || work(share))?;
        }
        work(0);
        Ok(())
    });
    started?;
    Ok(failures.into_inner().unwrap_or_default())
}

type Inputs<'py> = Option<PyArrayLike2<'py, f64, AllowTypeChange>>;

/// A row for each instance.
fn rows(u: Inputs<'_>) -> Option<Vec<Vec<f64>>> {
    u.map(|u| {
        u.as_array()
            .rows()
            .into_iter()
            .map(|row| row.to_vec())
            .collect()
    })
}

impl Batch {
    /// Works without Python's lock; then `y` has the outputs.
    fn work(
        &self,
        py: Python<'_>,
        task: impl FnOnce(&mut [Kept]) -> io::Result<Failures> + Send,
    ) -> PyResult<Py<PyArray2<f64>>> {
        let failures = py.detach(|| task(&mut locked(&self.all)))?;
        {
            let y = self.y.bind(py).try_readwrite();
            let mut y = y.map_err(|e| failure(py, "other", e.to_string()))?;
            let mut y = y.as_array_mut();
            for (mut row, kept) in y.axis_iter_mut(Axis(0)).zip(locked(&self.all).iter()) {
                row.assign(&ArrayView1::from(&kept.values[..]));
            }
        }
        match failures.first_key_value() {
            None => Ok(self.y.clone_ref(py)),
            Some((number, failed)) => {
                let others = match failures.len() - 1 {
                    0 => String::new(),
                    count => format!(" (and {count} more)"),
                };
                Err(error(py, failed, &format!("instance {number}{others}: ")))
            }
        }
    }
}

#[pymethods]
impl Batch {
    #[new]
    fn new(
        py: Python<'_>,
        fmu: PathBuf,
        count: usize,
        threads: usize,
        interface: Option<&str>,
        inputs: Option<Vec<String>>,
        outputs: Option<Vec<String>>,
    ) -> PyResult<Batch> {
        let chosen = [inputs.as_deref(), outputs.as_deref()];
        let (of, all) = Shared::open(py, &fmu, interface, chosen, count)?;
        let y = PyArray2::zeros(py, [count, of.outputs().len()], false);
        y.readwrite().as_array_mut().fill(f64::NAN);
        let (all, y) = (Mutex::new(all), y.unbind());
        Ok(Batch {
            of,
            all,
            threads,
            y,
        })
    }

    /// Names of the inputs, in the order of the columns of `u`.
    #[getter]
    fn inputs(&self) -> Vec<String> {
        self.of.inputs()
    }

    /// Names of the outputs, in the order of the columns of `y`.
    #[getter]
    fn outputs(&self) -> Vec<String> {
        self.of.outputs()
    }

    /// Units of inputs and outputs by name, None for a pure number.
    #[getter]
    fn units<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.of.units(py)
    }

    /// Time that each instance has reached [s].
    #[getter]
    fn time<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let times = |all: &[Kept]| all.iter().map(|kept| kept.session.time()).collect();
        PyArray1::from_vec(py, py.detach(|| times(&locked(&self.all))))
    }

    /// Whether each instance has ended or failed, so that steps leave it out until it is reset.
    #[getter]
    fn ended<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let ended = |all: &[Kept]| all.iter().map(|kept| kept.ended).collect();
        PyArray1::from_vec(py, py.detach(|| ended(&locked(&self.all))))
    }

    /// Outputs at the times reached, a row for each instance, an array that later calls write to.
    #[getter]
    fn y(&self, py: Python<'_>) -> Py<PyArray2<f64>> {
        self.y.clone_ref(py)
    }

    /// `set` has parameters for each instance that starts again.
    fn _reset(
        &self,
        py: Python<'_>,
        set: BTreeMap<usize, Vec<String>>,
        u: Inputs<'_>,
        start: f64,
        stop: Option<f64>,
        tolerance: Option<f64>,
    ) -> PyResult<Py<PyArray2<f64>>> {
        let mut parameters = BTreeMap::new();
        for (number, set) in &set {
            parameters.insert(*number, self.of.parameters(py, set)?);
        }
        let u = rows(u);
        self.work(py, |all| {
            let chosen = all.iter_mut().enumerate();
            let chosen = chosen.filter(|(number, _)| parameters.contains_key(number));
            each(chosen, self.threads, |number, kept| {
                let start = Start {
                    parameters: &parameters[&number],
                    start,
                    stop,
                    tolerance,
                };
                kept.reset(&start, u.as_ref().map(|u| &u[number][..]))
            })
        })
    }

    fn _step(&self, py: Python<'_>, h: f64, u: Inputs<'_>) -> PyResult<Py<PyArray2<f64>>> {
        let u = rows(u);
        if py.detach(|| locked(&self.all).iter().all(|kept| kept.ended)) {
            let message = "all instances have ended; reset them first".to_owned();
            return Err(failure(py, "simulation", message));
        }
        self.work(py, |all| {
            let going = all.iter_mut().enumerate().filter(|(_, kept)| !kept.ended);
            each(going, self.threads, |number, kept| {
                kept.step(h, u.as_ref().map(|u| &u[number][..]))
            })
        })
    }

    /// Saves the state of each instance.
    fn save(&self, py: Python<'_>) -> PyResult<Vec<State>> {
        let save = || -> Result<Vec<State>, (usize, HostError)> {
            let mut all = locked(&self.all);
            let saved = all.iter_mut().map(Kept::save).enumerate();
            saved
                .map(|(number, saved)| saved.map_err(|failed| (number, failed)))
                .collect()
        };
        py.detach(save)
            .map_err(|(number, failed)| error(py, &failed, &format!("instance {number}: ")))
    }

    /// Returns to saved states, one for each instance, and returns the outputs there.
    fn restore(&self, py: Python<'_>, states: Vec<Py<State>>) -> PyResult<Py<PyArray2<f64>>> {
        let count = py.detach(|| locked(&self.all).len());
        if states.len() != count {
            let message = format!("there are {} states of {count} instances", states.len());
            return Err(failure(py, "usage", message));
        }
        self.work(py, |all| {
            let with_states = all.iter_mut().enumerate();
            each(with_states, self.threads, |number, kept| {
                kept.restore(states[number].get())
            })
        })
    }

    /// Contacts of each instance that started or ended since the reset or the last call.
    fn _events(&self, py: Python<'_>) -> PyResult<Vec<Vec<Event>>> {
        let take = || {
            locked(&self.all)
                .iter_mut()
                .map(|kept| kept.session.take_events())
                .collect()
        };
        let taken: Result<Vec<_>, HostError> = py.detach(take);
        let taken = taken.map_err(|failed| error(py, &failed, ""))?;
        Ok(taken
            .iter()
            .map(|events| events.iter().map(event).collect())
            .collect())
    }
}
