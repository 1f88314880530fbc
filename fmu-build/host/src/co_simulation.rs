//! Co-Simulation of an instance: the FMU integrates from one communication point to the next. Order of calls
//! by [FMI 2.0] section 4.2.4 and [FMI 3.0] section 4.2.

use super::error::HostError;
use super::fmu::Fmu;
use super::inputs::{Side, Writer};
use super::instance::LiveInstance;
use super::model_description::ModelDescription;
use super::run::{EventGuard, Options, Reached, Recorder};
use super::start::{self, Start};
use fmu_core::instance::{Kind, Standard};

/// Instantiates Co-Simulation. With `event_mode` the importer handles events and gets early returns for them.
///
/// # Errors
/// The FMU has no Co-Simulation, no required Event Mode, or no binary for this platform; a missing function;
/// a refusal of the FMU.
pub(super) fn instantiate(fmu: &Fmu, event_mode: bool) -> Result<LiveInstance, HostError> {
    let interface = fmu.co_simulation()?;
    let standard = fmu.description().standard;
    if event_mode && !(standard == Standard::Fmi3 && interface.can("hasEventMode")) {
        return Err(HostError::Run(
            "Co-Simulation of this FMU has no Event Mode".into(),
        ));
    }
    let library = fmu.load(interface)?;
    start::instantiate(fmu, library, Kind::CoSimulation, event_mode)
}

/// Initializes an instance. Returns true if the FMU requests the end of the run.
///
/// # Errors
/// A failed call.
pub(super) fn initialize(
    instance: &LiveInstance,
    event_mode: bool,
    start: &Start<'_>,
    inputs: &mut Writer,
) -> Result<bool, HostError> {
    start.initialize(instance, inputs)?;
    if event_mode {
        if instance.update_discrete_states(start.start)?.terminate {
            return Ok(true);
        }
        instance.enter_step_mode()?;
    }
    Ok(false)
}

/// Simulates a begun instance, with a row at each communication point.
///
/// # Errors
/// See [`super::simulate_cs`].
pub(super) fn simulate(
    instance: &LiveInstance,
    _: &ModelDescription,
    options: &Options,
    inputs: &mut Writer,
    recorder: &mut Recorder,
) -> Result<Reached, HostError> {
    let (event_mode, start) = (options.event_mode, options.start_of(&recorder.experiment));
    let mut is_end = initialize(instance, event_mode, &start, inputs)?;
    let mut time = start.start;
    recorder.record(instance, time)?;
    let mut guard = EventGuard::new(time);
    for index in 1..=recorder.experiment.steps {
        if is_end || recorder.ends() {
            break;
        }
        let end = recorder.experiment.time(index);
        if index > 1 {
            inputs.write(instance, time, Side::After)?;
        }
        (time, is_end) = advance(instance, event_mode, time, end, &mut guard)?;
        recorder.record(instance, time)?;
    }
    Ok(Reached {
        time,
        is_end,
        work: None,
    })
}

/// Advances from `time` to `end` [s], handling `events` if they are the importer's part. Returns the time
/// reached, and true if the FMU requests the end of the run.
pub(super) fn advance(
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
