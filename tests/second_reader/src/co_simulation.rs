//! Co-Simulation: a communication step from each time of the grid to the next.

use crate::Failure;
use crate::grid::Grid;
use crate::versions::References;
use fmi::EventFlags;
use fmi::fmi2::instance::{CoSimulation as _, InstanceCS as Instance2};
use fmi::fmi3::CoSimulation as _;
use fmi::fmi3::instance::InstanceCS as Instance3;
use fmi::traits::{FmiEventHandler, FmiInstance};

/// FMI 2.0.
///
/// # Errors
/// The FMU refuses a call.
pub fn run_fmi2(
    instance: &mut Instance2,
    references: &References,
    grid: &Grid,
) -> Result<Vec<Vec<f64>>, Failure> {
    let mut rows = start_fmi2(instance, references, grid)?;
    rows.extend(steps_fmi2(instance, references, &grid.times)?);
    FmiInstance::terminate(instance)?;
    Ok(rows)
}

/// Initialises an instance of FMI 2.0; answers the row at the start.
///
/// # Errors
/// The FMU refuses a call.
pub fn start_fmi2(
    instance: &mut Instance2,
    references: &References,
    grid: &Grid,
) -> Result<Vec<Vec<f64>>, Failure> {
    FmiInstance::enter_initialization_mode(instance, None, grid.start(), Some(grid.stop()))?;
    FmiInstance::exit_initialization_mode(instance)?;
    Ok(vec![references.row(instance, grid.start())?])
}

/// Steps from each time to the next; answers the row after each step.
///
/// # Errors
/// The FMU refuses a call.
pub fn steps_fmi2(
    instance: &mut Instance2,
    references: &References,
    times: &[f64],
) -> Result<Vec<Vec<f64>>, Failure> {
    let mut rows = Vec::new();
    for pair in times.windows(2) {
        instance.do_step(pair[0], pair[1] - pair[0], true)?;
        rows.push(references.row(instance, pair[1])?);
    }
    Ok(rows)
}

/// FMI 3.0. With `events`, a step that returns early at an event is followed by Event Mode and by
/// another step to the same time of the grid.
///
/// # Errors
/// The FMU refuses a call or asks to end the run; with `events`, no step returned early.
pub fn run_fmi3(
    instance: &mut Instance3,
    references: &References,
    grid: &Grid,
    events: bool,
) -> Result<Vec<Vec<f64>>, Failure> {
    FmiInstance::enter_initialization_mode(instance, None, grid.start(), Some(grid.stop()))?;
    FmiInstance::exit_initialization_mode(instance)?;
    if events {
        update(instance)?;
        instance.enter_step_mode()?;
    }
    let mut rows = vec![references.row(instance, grid.start())?];
    let mut early_returns = 0;
    for pair in grid.times.windows(2) {
        let mut time = pair[0];
        while time < pair[1] {
            let (mut event, mut terminate, mut early, mut reached) = (false, false, false, time);
            instance.do_step(
                time,
                pair[1] - time,
                true,
                &mut event,
                &mut terminate,
                &mut early,
                &mut reached,
            )?;
            if terminate {
                return Err(format!("the FMU asks to end the run at {reached} s").into());
            }
            time = if early { reached } else { pair[1] };
            early_returns += usize::from(early);
            if event {
                FmiEventHandler::enter_event_mode(instance)?;
                update(instance)?;
                instance.enter_step_mode()?;
            }
        }
        rows.push(references.row(instance, time)?);
    }
    if events && early_returns == 0 {
        return Err("no step returned early at an event".into());
    }
    FmiInstance::terminate(instance)?;
    Ok(rows)
}

fn update(instance: &mut Instance3) -> Result<(), Failure> {
    let mut flags = EventFlags {
        discrete_states_need_update: true,
        ..EventFlags::default()
    };
    while flags.discrete_states_need_update {
        FmiEventHandler::update_discrete_states(instance, &mut flags)?;
    }
    Ok(())
}
