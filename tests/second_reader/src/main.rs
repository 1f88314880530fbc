//! Runs an FMU through the crate `fmi` and writes what it gives along a reference.
//!
//! `second-reader MODE FMU REFERENCE RESULT`, as the drivers in tests/importers/drivers: REFERENCE
//! is a CSV file with the time [s] first, then variables by name; RESULT gets the same columns.
//! Modes: `check` (parses modelDescription.xml, loads the library and asks for its version), `me`,
//! `cs`; for FMI 3.0 `cs-events` (event mode and early return); for FMI 2.0 `state`, `bytes-save`
//! and `bytes-load` (the state in the middle; the bytes are in RESULT with the ending `state`).

mod co_simulation;
mod explicit;
mod grid;
mod model_exchange;
mod saved;
mod versions;

use fmi::fmi2::import::Fmi2Import;
use fmi::fmi3::Fmi3Model;
use fmi::fmi3::import::Fmi3Import;
use fmi::import::{from_path, peek_descr_path};
use fmi::schema::MajorVersion;
use fmi::schema::traits::FmiModelDescription;
use fmi::traits::FmiInstance;
use grid::Grid;
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use versions::References;

/// Whatever went wrong, with its text.
pub type Failure = Box<dyn Error>;

fn run() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [mode, fmu, reference, result] = arguments.as_slice() else {
        return Err("usage: second-reader MODE FMU REFERENCE RESULT".into());
    };
    let (grid, result) = (Grid::read(reference)?, Path::new(result));
    let rows = match peek_descr_path(fmu)?.major_version()? {
        MajorVersion::FMI2 => run_fmi2(
            &from_path(fmu)?,
            mode,
            &grid,
            &result.with_extension("state"),
        )?,
        MajorVersion::FMI3 => run_fmi3(&from_path(fmu)?, mode, &grid)?,
        other => return Err(format!("{other:?} is not an FMU of this project").into()),
    };
    grid.write(result, &rows)
}

fn run_fmi2(
    fmu: &Fmi2Import,
    mode: &str,
    grid: &Grid,
    bytes: &Path,
) -> Result<Vec<Vec<f64>>, Failure> {
    let references = References::of_fmi2(fmu, &grid.names)?;
    match mode {
        "check" => {
            let instance = fmu.instantiate_me("scene", false, false)?;
            expect_version(instance.get_version(), "2.0")
        }
        "me" => {
            let mut instance = fmu.instantiate_me("scene", false, false)?;
            model_exchange::run(&mut instance, &references, grid)
        }
        "cs" | "state" | "bytes-save" | "bytes-load" => {
            let instance = &mut fmu.instantiate_cs("scene", false, false)?;
            match mode {
                "cs" => co_simulation::run_fmi2(instance, &references, grid),
                "state" => saved::state(instance, &references, grid),
                "bytes-save" => saved::save_bytes(instance, &references, grid, bytes),
                _ => saved::load_bytes(instance, &references, grid, bytes),
            }
        }
        _ => Err(format!("FMI 2.0 has no mode {mode:?}").into()),
    }
}

fn run_fmi3(fmu: &Fmi3Import, mode: &str, grid: &Grid) -> Result<Vec<Vec<f64>>, Failure> {
    let references = References::of_fmi3(fmu, &grid.names)?;
    match mode {
        "check" => {
            let instance = fmu.instantiate_me("scene", false, false)?;
            expect_version(instance.get_version(), "3.0")
        }
        "me" => {
            let mut instance = fmu.instantiate_me("scene", false, false)?;
            model_exchange::run(&mut instance, &references, grid)
        }
        "cs" | "cs-events" => {
            let events = mode == "cs-events";
            let mut instance = fmu.instantiate_cs("scene", false, false, events, events, &[])?;
            co_simulation::run_fmi3(&mut instance, &references, grid, events)
        }
        _ => Err(format!("FMI 3.0 has no mode {mode:?}").into()),
    }
}

/// No rows, if the library answers the version of its description.
fn expect_version(found: &str, expected: &str) -> Result<Vec<Vec<f64>>, Failure> {
    if found == expected {
        Ok(Vec::new())
    } else {
        Err(format!("the library says FMI {found:?}, its description {expected:?}").into())
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("second-reader: {failure}");
            ExitCode::FAILURE
        }
    }
}
