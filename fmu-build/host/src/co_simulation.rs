//! Simulation by Co-Simulation: the FMU integrates from one communication point to the next. Order of calls
//! by [FMI 2.0] section 4.2.4 and [FMI 3.0] section 4.2.

use super::error::HostError;
use super::fmu::Fmu;
use super::inputs::{Side, Writer};
use super::instance::LiveInstance;
use super::parameters;
use super::run::{self, Ended, EventGuard, Options, Recorder, Run};
use super::start;
use super::trajectory::Live;
use fmu_core::instance::{Kind, Standard};
use std::sync::Arc;

/// Simulates the Co-Simulation interface of an FMU and records its outputs at each communication point.
/// Inputs are set at communication points and held until the next one. [`Options::live`] can end the run at a
/// communication point.
///
/// Events are handled inside the FMU, or, with [`Options::event_mode`] and an FMU that supports it, by this
/// program.
///
/// # Errors
/// No Co-Simulation or no binary for this platform, options out of range, a failed call, an output that is
/// not a number, endless events.
pub fn simulate_cs(fmu: &Fmu, options: &Options) -> Result<Run, HostError> {
    let instance = instantiate(fmu, options.event_mode, options.live.as_ref())?;
    let run = walk(&instance, fmu, options);
    run.map_err(|error| error.with_messages(instance.live().seen().warnings.clone()))
}

/// Instantiates Co-Simulation, with the log categories that this tool reads. With `event_mode` the importer
/// handles events and gets early returns for them; with `is_watched` the FMU also logs its progress, if it
/// can.
///
/// # Errors
/// The FMU has no Co-Simulation, no required Event Mode, or no binary for this platform; a missing function;
/// a refusal of the FMU.
fn instantiate(
    fmu: &Fmu,
    event_mode: bool,
    watched: Option<&Arc<Live>>,
) -> Result<LiveInstance, HostError> {
    let interface = fmu.co_simulation()?;
    let standard = fmu.description().standard;
    if event_mode && !(standard == Standard::Fmi3 && interface.can("hasEventMode")) {
        return Err(HostError::Run(
            "Co-Simulation of this FMU has no Event Mode".into(),
        ));
    }
    let library = fmu.load(interface)?;
    start::instantiate(fmu, library, Kind::CoSimulation, event_mode, watched)
}

fn walk(instance: &LiveInstance, fmu: &Fmu, options: &Options) -> Result<Run, HostError> {
    let description = fmu.description();
    let mut recorder = Recorder::new(instance, description, options)?;
    let experiment = options.experiment(&description.experiment, recorder.columns())?;
    recorder.keep(&experiment);
    let mut inputs = Writer::new(
        instance.library(),
        description,
        options.inputs.as_ref(),
        experiment.start,
        experiment.stop,
    )?;
    parameters::set(instance, &options.parameters)?;
    instance.enter_initialization_mode(experiment.tolerance, experiment.start, experiment.stop)?;
    inputs.write(instance, experiment.start, Side::After)?;
    instance.exit_initialization_mode()?;
    let mut terminate = false;
    if options.event_mode {
        terminate = instance.update_discrete_states(experiment.start)?.terminate;
        if !terminate {
            instance.enter_step_mode()?;
        }
    }
    let mut time = experiment.start;
    recorder.record(instance, time)?;
    let is_interrupted = || options.live.as_ref().is_some_and(|live| live.ends());
    let mut guard = EventGuard::new(time);
    for index in 1..=experiment.steps {
        if terminate || is_interrupted() {
            break;
        }
        let end = experiment.time(index);
        if index > 1 {
            inputs.write(instance, time, Side::After)?;
        }
        (time, terminate) = advance(instance, options.event_mode, time, end, &mut guard)?;
        recorder.record(instance, time)?;
    }
    recorder.finish(instance, time)?;
    instance.terminate()?;
    run::finish(
        experiment,
        &instance.live(),
        None,
        Ended {
            by_fmu: terminate.then_some(time),
            by_user: (!terminate && time < experiment.stop).then_some(time),
        },
    )
}

/// Advances from `time` to `end` [s], handling `events` if they are the importer's part. Returns the time
/// reached, and true if the FMU requests the end of the run.
fn advance(
    instance: &LiveInstance,
    event_mode: bool,
    mut time: f64,
    end: f64,
    guard: &mut EventGuard,
) -> Result<(f64, bool), HostError> {
    loop {
        let answer = instance.do_step(time, end - time)?;
        if answer.early_return {
            // Written so that NaN is refused too.
            if !(answer.time >= time && answer.time <= end) {
                return Err(HostError::Run(format!(
                    "{} from {time} s to {end} s says that it reached {} s",
                    instance.step_function(),
                    answer.time
                )));
            }
            if !event_mode && !answer.terminate {
                return Err(HostError::Run(format!(
                    "{} from {time} s to {end} s returned early at {} s, which it was not allowed \
                     to",
                    instance.step_function(),
                    answer.time
                )));
            }
            time = answer.time;
        } else {
            time = end;
        }
        if answer.terminate {
            return Ok((time, true));
        }
        if event_mode && answer.event_handling_needed {
            instance.enter_event_mode()?;
            if instance.update_discrete_states(time)?.terminate {
                return Ok((time, true));
            }
            instance.enter_step_mode()?;
        }
        if time >= end {
            return Ok((time, false));
        }
        guard.count(time)?;
    }
}
