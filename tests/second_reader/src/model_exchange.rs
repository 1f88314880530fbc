//! Model Exchange: the loop of an importer around the solver of `explicit`, for both versions.

use crate::Failure;
use crate::explicit::Solver;
use crate::grid::Grid;
use crate::versions::{Model, References};
use fmi::EventFlags;

/// Runs an instance along the grid.
///
/// # Errors
/// The FMU refuses a call or asks to end the run.
pub fn run(
    instance: &mut impl Model,
    references: &References,
    grid: &Grid,
) -> Result<Vec<Vec<f64>>, Failure> {
    instance.enter_initialization_mode(None, grid.start(), Some(grid.stop()))?;
    instance.exit_initialization_mode()?;
    update(instance)?;
    instance.enter_continuous_time_mode()?;

    let mut solver = Solver::new(instance, grid.start(), references)?;
    let mut rows = vec![references.row(instance, grid.start())?];
    for &target in &grid.times[1..] {
        while solver.time() < target {
            let at_event = solver.step(instance, target)?;
            let (mut wanted, mut terminate) = (false, false);
            instance.completed_integrator_step(true, &mut wanted, &mut terminate)?;
            if terminate {
                return Err(format!("the FMU asks to end the run at {} s", solver.time()).into());
            }
            if at_event || wanted {
                instance.enter_event_mode()?;
                update(instance)?;
                instance.enter_continuous_time_mode()?;
                solver.restart(instance)?;
            }
        }
        rows.push(references.row(instance, target)?);
    }
    instance.terminate()?;
    Ok(rows)
}

fn update(instance: &mut impl Model) -> Result<(), Failure> {
    let mut flags = EventFlags {
        discrete_states_need_update: true,
        ..EventFlags::default()
    };
    while flags.discrete_states_need_update {
        instance.update_discrete_states(&mut flags)?;
    }
    Ok(())
}
