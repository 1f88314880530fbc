//! Options, time grid and result of a simulation.

use super::error::HostError;
use super::extended_xyz::BodyWriter;
use super::frames::Frames;
use super::inputs::InputTable;
use super::instance::LiveInstance;
use super::model_description::{DefaultExperiment, ModelDescription, Variable};
use super::parameters::ParameterStart;
use super::start::{self, Start};
use super::states::{FrameMaker, Look};
use super::trajectory::{Experiment, Live, Seen, Trajectory};
use super::values::Reader;
use contact_model::integrator::{Solver, Statistics};
use fmu_core::instance::Kind;
use fmu_core::instance::record::ContactEvent;
use std::path::PathBuf;
use std::sync::Arc;

/// Default number of communication steps if neither the user nor the FMU gives a step size: enough for a
/// smooth plot.
const DEFAULT_STEPS: f64 = 500.0;
/// Relative tolerance [1] of Model Exchange if neither the user nor the FMU gives one.
pub(crate) const DEFAULT_TOLERANCE: f64 = 1e-6;
/// Maximum number of values of a trajectory: 1 GiB, and some 3 GiB as text in the CSV file.
const MOST_VALUES: f64 = 1.34e8;
/// Remainder of a step, relative to it, that is rounding and makes no further step.
pub(super) const ROUNDING_REST: f64 = 1e-9;
/// Maximum number of events at one instant; more are endless.
const MOST_EVENTS_AT_INSTANT: u32 = 1000;
/// Events are simultaneous while time moves less than this many roundings.
const INSTANT_ROUNDINGS: f64 = 64.0;
/// Maximum number of events in a run: a day of waiting, and a sign of endless events.
const MOST_EVENTS: u32 = 10_000_000;

/// Options of a run; defaults come from the FMU's default experiment.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Start time [s]; 0 if the FMU has none.
    pub start: Option<f64>,
    /// Stop time [s].
    pub stop: Option<f64>,
    /// Time between two rows of the result, and communication step size in Co-Simulation [s]; 1/500 of the
    /// duration if the FMU has none.
    pub step: Option<f64>,
    /// Time between the rows that are kept [s]: at the first step that reaches each multiple of it. All rows
    /// by default.
    pub every: Option<f64>,
    /// File for the balls of groups at the rows that are kept.
    pub bodies: Option<PathBuf>,
    /// Relative tolerance [1].
    pub tolerance: Option<f64>,
    /// Co-Simulation: whether this program handles the events instead of the FMU.
    pub event_mode: bool,
    /// Input values over the entire run; constant start values by default.
    pub inputs: Option<InputTable>,
    /// Parameters with values other than the FMU's start values.
    pub parameters: Vec<ParameterStart>,
    /// Shared view of the running simulation, which may end it.
    pub live: Option<Arc<Live>>,
    /// Model Exchange: integration formula of this program.
    pub solver: Solver,
    /// Model Exchange: maximum number of attempts at a step, for each row of the result.
    pub max_steps: Option<u64>,
    /// Names of the variables to record; by default the outputs, and with an input table the inputs.
    pub recorded: Option<Vec<String>>,
    /// Interface type of the replay instance, to record frames.
    pub frames: Option<Kind>,
}

impl Options {
    /// Values before a run of these times and tolerance.
    pub(crate) fn start_of(&self, experiment: &Experiment) -> Start<'_> {
        Start {
            parameters: &self.parameters,
            start: experiment.start,
            stop: Some(experiment.stop),
            tolerance: experiment.tolerance,
        }
    }

    /// Times and tolerance of a run: the options, completed by the FMU.
    ///
    /// # Errors
    /// No stop time; times, step or tolerance out of range; too many values to keep.
    pub(crate) fn experiment(
        &self,
        of_fmu: &DefaultExperiment,
        columns: usize,
    ) -> Result<Experiment, HostError> {
        let start = self.start.or(of_fmu.start_time).unwrap_or(0.0);
        let stop = self.stop.or(of_fmu.stop_time).ok_or_else(|| {
            HostError::Argument("neither the FMU nor you give a stop time; use --stop".into())
        })?;
        let refuse = |text: String| Err(HostError::Argument(text));
        let tolerance = self.tolerance.or(of_fmu.tolerance);
        start::check(start, Some(stop), tolerance)?;
        let duration = stop - start;
        let step = self.step.or(of_fmu.step_size);
        let step = step.unwrap_or(duration / DEFAULT_STEPS);
        if !(step > 0.0 && step.is_finite()) {
            return refuse(format!("step is {step} s; it must be > 0 and finite"));
        }
        let steps = (duration / step - ROUNDING_REST).ceil().max(1.0);
        if let Some(every) = self.every
            && !(every > 0.0 && every.is_finite())
        {
            return refuse(format!(
                "every {every} s is to be kept; it must be > 0 and finite"
            ));
        }
        let kept = self
            .every
            .map_or(steps, |every| steps.min(duration / every));
        if kept * (columns + 1) as f64 > MOST_VALUES {
            return refuse(format!(
                "{kept:.0} rows of {columns} variables are too many to keep, one each {step} s; use \
                 --every, --only or a longer --step"
            ));
        }
        Ok(Experiment {
            start,
            stop,
            step,
            tolerance,
            steps: steps as usize,
            every: self.every,
        })
    }
}

/// Finished simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Times and tolerance.
    pub experiment: Experiment,
    /// Outputs over time; with an input table also the inputs, as the FMU has them when its outputs are read.
    pub trajectory: Trajectory,
    /// Contacts that started or ended, as logged by the FMU.
    pub contacts: Vec<ContactEvent>,
    /// Work of the integrator, if known.
    pub work: Option<Statistics>,
    /// Time at which the FMU requested the end of the run [s], if it did.
    pub ended_by_fmu: Option<f64>,
    /// Time at which the user ended the run before its stop time [s], if so.
    pub interrupted: Option<f64>,
    /// Texts of warnings and worse logged by the FMU.
    pub warnings: Vec<String>,
}

impl Run {
    /// Takes the rows, contacts and warnings of an incomplete run; `None` without a row.
    pub fn so_far(live: &Live) -> Option<Run> {
        let mut seen = live.seen();
        let experiment = seen.experiment?;
        seen.trajectory.times().last()?;
        let columns = seen.trajectory.columns().to_vec();
        let run = Run::take(&mut seen, experiment);
        seen.trajectory = Trajectory::new(columns);
        Some(run)
    }

    fn take(seen: &mut Seen, experiment: Experiment) -> Run {
        Run {
            experiment,
            trajectory: std::mem::take(&mut seen.trajectory),
            contacts: std::mem::take(&mut seen.contacts),
            work: None,
            ended_by_fmu: None,
            interrupted: None,
            warnings: std::mem::take(&mut seen.warnings),
        }
    }
}

pub(super) struct Recorder {
    pub(crate) experiment: Experiment,
    reader: Reader,
    row: Vec<f64>,
    bodies: Option<BodyWriter>,
    frames: Option<FrameMaker>,
    rhythm: Rhythm,
    /// Shared data recorded so far.
    live: Arc<Live>,
}

impl Recorder {
    pub(crate) fn new(
        instance: &LiveInstance,
        description: &ModelDescription,
        options: &Options,
    ) -> Result<Recorder, HostError> {
        let causalities: &[&str] = match options.inputs {
            Some(_) => &["output", "input"],
            None => &["output"],
        };
        let chosen = chosen(description, options.recorded.as_deref(), causalities)?;
        let reader = Reader::new(instance.library(), description, &chosen)?;
        let live = instance.live();
        live.begin(reader.columns().to_vec());
        let frames = match options.frames {
            Some(kind) => Some(FrameMaker::new(instance, kind)?),
            None => None,
        };
        live.seen().trajectory.frames = frames.as_ref().map(FrameMaker::frames);
        let bodies = match &options.bodies {
            Some(file) => Some(BodyWriter::new(instance, description, file)?),
            None => None,
        };
        if let Some(temporary) = bodies.as_ref().and_then(BodyWriter::temporary) {
            live.note_temporary(temporary.to_owned());
        }
        let columns = reader.columns().len();
        let mut experiment = options.experiment(&description.experiment, columns)?;
        if instance.kind == Kind::ModelExchange {
            experiment.tolerance.get_or_insert(DEFAULT_TOLERANCE);
        }
        live.plan(&experiment);
        Ok(Recorder {
            row: vec![0.0; columns],
            bodies,
            frames,
            rhythm: Rhythm {
                every: experiment.every,
                start: experiment.start,
                kept: 0,
            },
            live,
            reader,
            experiment,
        })
    }

    /// Adds the present values as the row of `time`, if it is kept.
    pub(crate) fn record(&mut self, instance: &LiveInstance, time: f64) -> Result<(), HostError> {
        if self.rhythm.takes(time) {
            self.add(instance, time)?;
        }
        self.live.reached(time);
        Ok(())
    }

    pub(crate) fn finish(&mut self, instance: &LiveInstance, time: f64) -> Result<(), HostError> {
        if self.last().is_none_or(|last| last < time) {
            self.add(instance, time)?;
        }
        let frames = |frames: &Frames| frames.last_row();
        let row = self.live.seen().trajectory.frames.as_ref().and_then(frames);
        let look = self.look(instance, time, row)?;
        let live = Arc::clone(&self.live);
        self.keep_frame(&mut live.seen().trajectory, look);
        self.stop()
    }

    fn add(&mut self, instance: &LiveInstance, time: f64) -> Result<(), HostError> {
        if let Some(bodies) = &mut self.bodies {
            bodies.write(instance, time)?;
        }
        let next = |frames: &mut Frames| frames.next_row();
        let row = self.live.seen().trajectory.frames.as_mut().and_then(next);
        let look = self.look(instance, time, row)?;
        self.reader.read(instance, time, &mut self.row)?;
        // Together, as the user may end the run between any two calls.
        let live = Arc::clone(&self.live);
        let trajectory = &mut live.seen().trajectory;
        trajectory.push(time, &self.row);
        self.keep_frame(trajectory, look);
        Ok(())
    }

    /// Data of a row's frame, if it has one.
    fn look(
        &mut self,
        instance: &LiveInstance,
        time: f64,
        row: Option<usize>,
    ) -> Result<Option<(Look, usize)>, HostError> {
        match self.frames.as_mut().zip(row) {
            Some((maker, row)) => Ok(Some((maker.look(instance, time)?, row))),
            None => Ok(None),
        }
    }

    fn keep_frame(&mut self, trajectory: &mut Trajectory, look: Option<(Look, usize)>) {
        let room = self.frames.as_mut().zip(trajectory.frames.as_mut());
        if let Some(((maker, frames), (look, row))) = room.zip(look) {
            maker.add(frames, look, row);
        }
    }

    /// Returns true if the user has requested the end of the run.
    pub(crate) fn ends(&self) -> bool {
        self.live.ends()
    }

    /// Ends without a further row.
    pub(crate) fn stop(&mut self) -> Result<(), HostError> {
        match &mut self.bodies {
            Some(bodies) => bodies.finish(),
            None => Ok(()),
        }
    }

    /// Time of the last row [s].
    pub(crate) fn last(&self) -> Option<f64> {
        self.live.seen().trajectory.times().last().copied()
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Rhythm {
    /// Time between two [s]; all if `None`.
    every: Option<f64>,
    start: f64,
    /// Number of the next one that is due.
    kept: u64,
}

impl Rhythm {
    /// Returns true if the row of a time [s] is kept.
    fn takes(&mut self, time: f64) -> bool {
        let Some(every) = self.every else {
            return true;
        };
        // A step that misses its time by rounding reaches it.
        let reached = ((time - self.start) / every + ROUNDING_REST).floor();
        let is_due = reached >= self.kept as f64;
        if is_due {
            self.kept = reached as u64 + 1;
        }
        is_due
    }
}

/// Variables with these names, or in document order those of the causalities.
///
/// # Errors
/// There is no variable of a name.
pub(super) fn chosen<'a>(
    description: &'a ModelDescription,
    names: Option<&[String]>,
    causalities: &[&str],
) -> Result<Vec<&'a Variable>, HostError> {
    let variables = &description.variables;
    let Some(names) = names else {
        let is_chosen = |v: &&Variable| causalities.contains(&v.causality.as_str());
        return Ok(variables.iter().filter(is_chosen).collect());
    };
    let named = |name: &String| {
        let found = variables.iter().find(|v| v.name == *name);
        found.ok_or_else(|| HostError::Run(format!("there is no variable {name:?}")))
    };
    names.iter().map(named).collect()
}

/// How far a run has come.
pub(super) struct Reached {
    /// Time [s].
    pub(crate) time: f64,
    /// The FMU requested the end there.
    pub(crate) is_end: bool,
    /// Work of the integrator in this program.
    pub(crate) work: Option<Statistics>,
}

/// Ends a run: its last row, the call of the FMU, its result.
pub(super) fn finish(
    instance: &LiveInstance,
    mut recorder: Recorder,
    reached: &Reached,
) -> Result<Run, HostError> {
    let Reached { time, is_end, work } = *reached;
    let experiment = recorder.experiment;
    let by_user = !is_end && time < experiment.stop;
    // In Model Exchange the integration has passed the last row, and rows stay at equal distances.
    let is_past = by_user && instance.kind == Kind::ModelExchange;
    match is_past {
        true => recorder.stop()?,
        false => recorder.finish(instance, time)?,
    }
    instance.terminate()?;
    let last = match is_past {
        true => recorder.last(),
        false => Some(time),
    };
    Ok(Run {
        ended_by_fmu: is_end.then_some(time),
        interrupted: last.filter(|_| by_user),
        ..result(experiment, &instance.live(), work)?
    })
}

/// Result of a run from recorded and logged data.
fn result(experiment: Experiment, live: &Live, work: Option<Statistics>) -> Result<Run, HostError> {
    let mut seen = live.seen();
    settle(&mut seen)?;
    Ok(Run {
        work: seen.work.or(work),
        ..Run::take(&mut seen, experiment)
    })
}

/// Counts the messages that were not kept among the warnings.
///
/// # Errors
/// A record of the FMU that cannot be read.
pub(super) fn settle(seen: &mut Seen) -> Result<(), HostError> {
    if let Some(reason) = seen.unreadable.take() {
        return Err(HostError::Run(reason));
    }
    if let dropped @ 1.. = std::mem::take(&mut seen.dropped) {
        let text = format!("{dropped} further messages of the FMU were not kept");
        seen.warnings.push(text);
    }
    Ok(())
}

pub(super) struct EventGuard {
    instant: f64,
    at_instant: u32,
    total: u32,
}

impl EventGuard {
    pub(crate) fn new(time: f64) -> EventGuard {
        EventGuard {
            instant: time,
            at_instant: 0,
            total: 0,
        }
    }

    /// # Errors
    /// Too many events at one instant, or in total.
    pub(crate) fn count(&mut self, time: f64) -> Result<(), HostError> {
        if time - self.instant > INSTANT_ROUNDINGS * f64::EPSILON * time.abs() {
            self.at_instant = 0;
        }
        self.instant = time;
        self.at_instant += 1;
        self.total += 1;
        if self.at_instant > MOST_EVENTS_AT_INSTANT {
            return Err(HostError::Run(format!(
                "events without end: more than {MOST_EVENTS_AT_INSTANT} in a row at t = {time} s"
            )));
        }
        if self.total > MOST_EVENTS {
            return Err(HostError::Run(format!(
                "more than {MOST_EVENTS} events up to t = {time} s"
            )));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Status;
    use crate::logger::{Logger, Message};

    const OF_FMU: DefaultExperiment = DefaultExperiment {
        start_time: Some(1.0),
        stop_time: Some(2.0),
        tolerance: Some(1e-8),
        step_size: Some(0.1),
    };

    #[test]
    fn what_the_user_does_not_give_comes_from_the_fmu() {
        let experiment = Options::default().experiment(&OF_FMU, 1).unwrap();
        let expected = Experiment {
            start: 1.0,
            stop: 2.0,
            step: 0.1,
            tolerance: Some(1e-8),
            steps: 10,
            every: None,
        };
        assert_eq!(experiment, expected);
        let options = Options {
            start: Some(0.0),
            stop: Some(0.5),
            step: Some(0.2),
            tolerance: Some(1e-3),
            ..Options::default()
        };
        let experiment = options.experiment(&OF_FMU, 1).unwrap();
        assert_eq!((experiment.start, experiment.stop), (0.0, 0.5));
        assert_eq!((experiment.steps, experiment.tolerance), (3, Some(1e-3)));
    }

    #[test]
    fn the_grid_ends_at_the_stop_time_to_the_bit() {
        let options = Options {
            start: Some(0.0),
            stop: Some(0.3),
            ..Options::default()
        };
        // 3 x 0.1 is not 0.3 in binary numbers.
        let experiment = options.experiment(&OF_FMU, 1).unwrap();
        assert_eq!(experiment.steps, 3);
        assert_eq!(experiment.time(3), 0.3);
        assert_eq!(experiment.time(1), 0.1);
        let options = Options {
            step: Some(7.0),
            ..options
        };
        let experiment = options.experiment(&OF_FMU, 1).unwrap();
        assert_eq!((experiment.steps, experiment.time(1)), (1, 0.3));
    }

    #[test]
    fn of_many_rows_those_that_reach_a_multiple_are_kept() {
        let mut rhythm = Rhythm {
            every: Some(0.3),
            start: 1.0,
            kept: 0,
        };
        // Steps of 0.1 s from 1 s on; 0.1 and 0.3 are no binary numbers.
        let times = (0..=10).map(|i| 1.0 + f64::from(i) * 0.1);
        let kept: Vec<usize> = times
            .enumerate()
            .filter_map(|(i, time)| rhythm.takes(time).then_some(i))
            .collect();
        assert_eq!(kept, [0, 3, 6, 9]);
        // Steps that are longer than the distance are all kept.
        rhythm.kept = 0;
        let kept = [1.0, 1.5, 2.0, 2.5].map(|time| rhythm.takes(time));
        assert_eq!(kept, [true; 4]);
    }

    #[test]
    fn without_any_stop_time_there_is_no_run() {
        let error = Options::default().experiment(&DefaultExperiment::default(), 1);
        assert!(error.unwrap_err().to_string().contains("--stop"));
    }

    #[test]
    fn options_out_of_range_are_refused_with_their_value() {
        let base = Options::default();
        let cases = [
            (
                Options {
                    stop: Some(1.0),
                    ..base.clone()
                },
                "stop time is 1 s",
            ),
            (
                Options {
                    stop: Some(f64::NAN),
                    ..base.clone()
                },
                "stop time is NaN s",
            ),
            (
                Options {
                    step: Some(0.0),
                    ..base.clone()
                },
                "step is 0 s",
            ),
            (
                Options {
                    step: Some(f64::INFINITY),
                    ..base.clone()
                },
                "step is inf s",
            ),
            (
                Options {
                    step: Some(1e-15),
                    ..base.clone()
                },
                "too many",
            ),
            (
                Options {
                    tolerance: Some(0.0),
                    ..base.clone()
                },
                "tolerance is 0e0",
            ),
            (
                Options {
                    tolerance: Some(f64::NAN),
                    ..base.clone()
                },
                "tolerance is NaN",
            ),
        ];
        for (options, expected) in cases {
            let error = options.experiment(&OF_FMU, 1).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn events_at_one_instant_end_in_an_error_and_others_do_not() {
        let mut guard = EventGuard::new(1.0);
        for _ in 0..MOST_EVENTS_AT_INSTANT {
            guard.count(1.0).unwrap();
        }
        assert!(
            guard
                .count(1.0)
                .unwrap_err()
                .to_string()
                .contains("t = 1 s")
        );
        let mut guard = EventGuard::new(1.0);
        for i in 0..10 * MOST_EVENTS_AT_INSTANT {
            guard.count(1.0 + f64::from(i) * 1e-6).unwrap();
        }
    }

    #[test]
    fn messages_become_contacts_work_and_warnings() {
        let live = Arc::new(Live::default());
        let logger = Logger::new(Arc::clone(&live));
        let log = |status, category: &str, text: &str| {
            logger.add(Message {
                status,
                category: category.into(),
                text: text.into(),
            });
        };
        log(
            Status::Ok,
            "contacts",
            "contact start: t=1 pair=a:b speed=2",
        );
        log(Status::Ok, "events", "contact start: t=2 pair=a:b speed=2");
        log(Status::Warning, "errors", "odd");
        log(
            Status::Ok,
            "integrator",
            "integrator: steps=1 rejected=2 derivative_calls=3 direction_calls=0 indicator_calls=4 events=5",
        );
        live.seen().dropped = 7;
        let experiment = Options::default().experiment(&OF_FMU, 1).unwrap();
        let run = result(experiment, &live, None).unwrap();
        assert_eq!(run.contacts.len(), 1);
        assert_eq!(run.contacts[0].time, 1.0);
        assert_eq!(run.work.map(|w| w.derivative_calls), Some(3));
        assert_eq!(run.warnings.len(), 2);
        assert!(run.warnings[1].starts_with("7 further"));
        let damaged = "contact start: t=1 pair=a:b";
        log(Status::Ok, "contacts", damaged);
        let error = result(experiment, &live, None).unwrap_err();
        assert!(error.to_string().contains(damaged), "{error}");
    }
}
