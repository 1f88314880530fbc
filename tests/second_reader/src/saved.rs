//! The state of a Co-Simulation instance, saved in the middle of the grid. FMI 2.0 only: for
//! FMI 3.0 the crate has no such calls.

use crate::Failure;
use crate::co_simulation::{start_fmi2, steps_fmi2};
use crate::grid::Grid;
use crate::versions::References;
use fmi::fmi2::instance::InstanceCS;
use fmi::traits::FmiStatus;
use std::fs;
use std::path::Path;

/// Saves the state in the middle, runs on, restores it and runs on again; answers the motion with
/// the second of both, which must be equal to the first.
///
/// # Errors
/// The FMU refuses a call; the motions differ.
pub fn state(
    instance: &mut InstanceCS,
    references: &References,
    grid: &Grid,
) -> Result<Vec<Vec<f64>>, Failure> {
    let (first, second) = grid.halves();
    let mut rows = start_fmi2(instance, references, grid)?;
    rows.extend(steps_fmi2(instance, references, first)?);
    let saved = instance.get_fmu_state()?;
    let unbroken = steps_fmi2(instance, references, second)?;
    instance.set_fmu_state(&saved).ok()?;
    let restored = steps_fmi2(instance, references, second)?;
    if restored != unbroken {
        return Err("the motion after restoring the state differs".into());
    }
    rows.extend(restored);
    Ok(rows)
}

/// Writes the state in the middle to a file; answers the whole motion.
///
/// # Errors
/// The FMU refuses a call; the file cannot be written.
pub fn save_bytes(
    instance: &mut InstanceCS,
    references: &References,
    grid: &Grid,
    file: &Path,
) -> Result<Vec<Vec<f64>>, Failure> {
    let (first, second) = grid.halves();
    let mut rows = start_fmi2(instance, references, grid)?;
    rows.extend(steps_fmi2(instance, references, first)?);
    let saved = instance.get_fmu_state()?;
    fs::write(file, instance.serialize_fmu_state(&saved)?)?;
    rows.extend(steps_fmi2(instance, references, second)?);
    Ok(rows)
}

/// Reads the state from a file into a new instance; answers the motion after the middle.
///
/// # Errors
/// The FMU refuses a call; the file cannot be read.
pub fn load_bytes(
    instance: &mut InstanceCS,
    references: &References,
    grid: &Grid,
    file: &Path,
) -> Result<Vec<Vec<f64>>, Failure> {
    let saved = instance.deserialize_fmu_state(&fs::read(file)?)?;
    instance.set_fmu_state(&saved).ok()?;
    steps_fmi2(instance, references, grid.halves().1)
}
