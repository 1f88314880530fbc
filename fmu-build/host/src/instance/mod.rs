//! One instance of an FMU: the functions of the standard as methods that check the status.
//!
//! OK and Warning are good; any other status is a [`HostError::Call`] with the function's name and
//! what the FMU logged. The methods are in no version's words; the versions implement them with the
//! functions of their standard. Methods that belong to one interface type exist on its trait only.
//! The order of calls is the user's: `co_simulation` and `model_exchange` follow it.
//!
//! - [`core`]: what an instance of any version is made of, and its methods
//! - `fmi2`, `fmi3`: the versions

use self::core::{CoSimulation, ModelExchange};
use self::fmi2::Fmi2Instance;
use self::fmi3::Fmi3Instance;
use super::error::HostError;
use super::fmu::Fmu;
use fmu_core::instance::Standard;

pub(crate) mod core;
mod fmi2;
mod fmi3;

/// Instantiates Model Exchange, with the log switched to what this tool reads; with `is_watched` the
/// FMU also logs how it goes on, if it can.
///
/// # Errors
/// The FMU has no Model Exchange or no binary for this platform, a function is missing, the FMU
/// refuses.
pub(crate) fn model_exchange(
    fmu: &Fmu,
    is_watched: bool,
) -> Result<Box<dyn ModelExchange>, HostError> {
    let library = fmu.load(fmu.model_exchange()?)?;
    Ok(match library.standard() {
        Standard::Fmi2 => Box::new(Fmi2Instance::model_exchange(fmu, library, is_watched)?),
        Standard::Fmi3 => Box::new(Fmi3Instance::model_exchange(fmu, library, is_watched)?),
    })
}

/// Instantiates Co-Simulation, with the log switched to what this tool reads. With `event_mode`
/// the user handles events and gets early returns for them; with `is_watched` the FMU also logs how it
/// goes on, if it can.
///
/// # Errors
/// The FMU has no Co-Simulation, none with Event Mode if that is asked for, or no binary for this
/// platform; a function is missing; the FMU refuses.
pub(crate) fn co_simulation(
    fmu: &Fmu,
    event_mode: bool,
    is_watched: bool,
) -> Result<Box<dyn CoSimulation>, HostError> {
    let interface = fmu.co_simulation()?;
    let standard = fmu.description().standard;
    if event_mode && !(standard == Standard::Fmi3 && interface.can("hasEventMode")) {
        return Err(HostError::Run(
            "Co-Simulation of this FMU has no Event Mode".into(),
        ));
    }
    let library = fmu.load(interface)?;
    Ok(match standard {
        Standard::Fmi2 => Box::new(Fmi2Instance::co_simulation(fmu, library, is_watched)?),
        Standard::Fmi3 => Box::new(Fmi3Instance::co_simulation(
            fmu, library, event_mode, is_watched,
        )?),
    })
}
