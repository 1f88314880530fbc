//! One instance of an FMU: the functions of the standard as methods that check the status.
//!
//! OK and Warning are good; any other status is a [`HostError::Call`] with the function's name and
//! what the FMU logged. The methods are in no version's words; the versions implement them with the
//! functions of their standard. Methods that belong to one interface type exist on its trait only.
//! The order of calls is the user's: `co_simulation` and `model_exchange` follow it.
//!
//! - [`core`]: what an instance of any version is made of
//! - `fmi2`, `fmi3`: the versions
//! - `resources`: where the resources are, as the versions want to hear it

use self::core::LiveInstance;
use super::error::HostError;
use super::fmu::Fmu;
use fmu_core::instance::Standard;
use std::ffi::CString;

/// Methods of Model Exchange whose functions have the same prototypes in all versions.
macro_rules! continuous_time {
    () => {
        fn enter_continuous_time_mode(&self) -> Result<(), HostError> {
            self.core.call(self.functions.enter_continuous_time_mode)
        }

        fn set_time(&self, time: f64) -> Result<(), HostError> {
            let function = self.functions.set_time;
            // SAFETY: the instance lives.
            let status = unsafe { (function.call)(self.core.pointer(), time) };
            self.core.check(function.name, status)
        }

        fn set_states(&self, states: &[f64]) -> Result<(), HostError> {
            let function = self.functions.set_continuous_states;
            self.core.write_vector(function, states)
        }

        fn states(&self, states: &mut [f64]) -> Result<(), HostError> {
            let function = self.functions.get_continuous_states;
            self.core.read_vector(function, states)
        }

        fn derivatives(&self, derivatives: &mut [f64]) -> Result<(), HostError> {
            let function = self.functions.get_derivatives;
            self.core.read_vector(function, derivatives)
        }

        fn indicators(&self, indicators: &mut [f64]) -> Result<(), HostError> {
            let function = self.functions.get_event_indicators;
            self.core.read_vector(function, indicators)
        }

        fn nominals(&self, nominals: &mut [f64]) -> Result<(), HostError> {
            let function = self.functions.get_nominals;
            self.core.read_vector(function, nominals)
        }
    };
}

pub mod core;
mod fmi2;
mod fmi3;
mod resources;

/// Event iterations at one instant at most. Real models need a few; an FMU that asks for more has
/// no consistent discrete state.
pub const MOST_EVENT_ITERATIONS: usize = 1000;

/// Result of a completed event update.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct DiscreteUpdate {
    /// The FMU asks to end the simulation.
    pub terminate: bool,
    /// Nominal values of states are new.
    pub nominals_changed: bool,
    /// Values of states are new.
    pub states_changed: bool,
    /// Time of the next time event [s].
    pub next_event_time: Option<f64>,
}

/// How a communication step ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepAnswer {
    /// There is an event to be handled at `time`.
    pub event_handling_needed: bool,
    /// The FMU asks to end the simulation.
    pub terminate: bool,
    /// The step ended before its end.
    pub early_return: bool,
    /// Time reached [s].
    pub time: f64,
}

/// An instance of any interface type.
pub trait Instance {
    /// What it is made of.
    fn core(&self) -> &LiveInstance;

    /// From Instantiated to Initialization Mode. `tolerance` is relative [1], times in [s].
    fn enter_initialization_mode(
        &self,
        tolerance: Option<f64>,
        start: f64,
        stop: f64,
    ) -> Result<(), HostError>;

    /// Ends Initialization Mode.
    fn exit_initialization_mode(&self) -> Result<(), HostError>;

    /// Ends the run; values stay readable.
    fn terminate(&self) -> Result<(), HostError>;
}

/// An instance whose events the importer handles.
pub trait EventMode: Instance {
    /// Enters Event Mode.
    fn enter_event_mode(&self) -> Result<(), HostError>;

    /// Name of the function that updates the discrete states.
    fn update_function(&self) -> &'static str;

    /// Updates the discrete states once, in Event Mode. Returns also whether they need one more
    /// update.
    fn update_discrete_states_once(&self) -> Result<(DiscreteUpdate, bool), HostError>;

    /// Updates the discrete states at `time` [s], in Event Mode, until they need no more updates.
    ///
    /// # Errors
    /// A failed call; more than [`MOST_EVENT_ITERATIONS`]; a next event before `time`.
    fn update_discrete_states(&self, time: f64) -> Result<DiscreteUpdate, HostError> {
        let name = self.update_function();
        let mut sum = DiscreteUpdate::default();
        for _ in 0..MOST_EVENT_ITERATIONS {
            let (update, again) = self.update_discrete_states_once()?;
            sum.terminate |= update.terminate;
            sum.nominals_changed |= update.nominals_changed;
            sum.states_changed |= update.states_changed;
            sum.next_event_time = update.next_event_time;
            if !again || sum.terminate {
                return match sum.next_event_time {
                    Some(next) if next.is_nan() || next < time => Err(HostError::Run(format!(
                        "{name} announces the next event for {next} s; it is {time} s already"
                    ))),
                    _ => Ok(sum),
                };
            }
        }
        Err(HostError::Run(format!(
            "the event at {time} s has no end: after {MOST_EVENT_ITERATIONS} calls of {name} the \
             FMU still asks for another one"
        )))
    }
}

/// An instance that the importer integrates.
pub trait ModelExchange: EventMode {
    /// Number of continuous states, by the binary if its version reports it.
    fn number_of_states(&self) -> Result<usize, HostError>;

    /// Number of event indicators, by the binary if its version reports it.
    fn number_of_indicators(&self) -> Result<usize, HostError>;

    /// From Event Mode to Continuous-Time Mode.
    fn enter_continuous_time_mode(&self) -> Result<(), HostError>;

    /// Sets the time [s].
    fn set_time(&self, time: f64) -> Result<(), HostError>;

    /// Sets the continuous states, all of them.
    fn set_states(&self, states: &[f64]) -> Result<(), HostError>;

    /// Reads the continuous states, all of them.
    fn states(&self, states: &mut [f64]) -> Result<(), HostError>;

    /// Reads the state derivatives at the time and states set last.
    fn derivatives(&self, derivatives: &mut [f64]) -> Result<(), HostError>;

    /// Reads the derivatives of `unknowns` along the direction `seed` of `knowns`, variables by
    /// their value references, at the time and states set last. An array counts with all elements.
    ///
    /// # Errors
    /// Those of the call; the binary has no such function.
    fn directional_derivative(
        &self,
        unknowns: &[u32],
        knowns: &[u32],
        seed: &[f64],
        sensitivity: &mut [f64],
    ) -> Result<(), HostError>;

    /// Reads the event indicators at the time and states set last.
    fn indicators(&self, indicators: &mut [f64]) -> Result<(), HostError>;

    /// Reads the nominal values of the states.
    fn nominals(&self, nominals: &mut [f64]) -> Result<(), HostError>;

    /// Reports the end of an integrator step to the FMU. Returns whether it wants Event Mode, and
    /// whether it wants the simulation to end.
    fn completed_integrator_step(&self) -> Result<(bool, bool), HostError>;
}

/// An instance that integrates.
pub trait CoSimulation: Instance {
    /// The instance with its Event Mode; none where it handles its events itself.
    fn events(&self) -> Option<&dyn StepEvents>;

    /// Name of the function that takes a communication step.
    fn step_function(&self) -> &'static str;

    /// Runs from the communication point `time` [s] over `length` [s].
    fn do_step(&self, time: f64, length: f64) -> Result<StepAnswer, HostError>;
}

/// Co-Simulation whose events the importer handles.
pub trait StepEvents: EventMode {
    /// From Event Mode to Step Mode.
    fn enter_step_mode(&self) -> Result<(), HostError>;
}

/// Instantiates Model Exchange, with the log switched to what this tool reads; with `is_watched` the
/// FMU also logs how it goes on, if it can.
///
/// # Errors
/// The FMU has no Model Exchange or no binary for this platform, a function is missing, the FMU
/// refuses.
pub fn model_exchange(fmu: &Fmu, is_watched: bool) -> Result<Box<dyn ModelExchange>, HostError> {
    let library = fmu.load(fmu.model_exchange()?)?;
    Ok(match library.standard() {
        Standard::Fmi2 => Box::new(fmi2::ModelExchangeInstance::new(fmu, library, is_watched)?),
        Standard::Fmi3 => Box::new(fmi3::ModelExchangeInstance::new(fmu, library, is_watched)?),
    })
}

/// Instantiates Co-Simulation, with the log switched to what this tool reads. With `event_mode`
/// the user handles events and gets early returns for them; with `is_watched` the FMU also logs how it
/// goes on, if it can.
///
/// # Errors
/// The FMU has no Co-Simulation, none with Event Mode if that is asked for, or no binary for this
/// platform; a function is missing; the FMU refuses.
pub fn co_simulation(
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
        Standard::Fmi2 => Box::new(fmi2::CoSimulationInstance::new(fmu, library, is_watched)?),
        Standard::Fmi3 => Box::new(fmi3::CoSimulationInstance::new(
            fmu, library, event_mode, is_watched,
        )?),
    })
}

/// A text as C wants it.
fn c_text(text: &str) -> Result<CString, HostError> {
    CString::new(text).map_err(|_| HostError::Run(format!("{text:?} has a null character in it")))
}
