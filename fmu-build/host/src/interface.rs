//! Complete simulation by either interface type of an FMU.

use super::co_simulation::simulate_cs;
use super::error::HostError;
use super::fmu::Fmu;
use super::model_description::ModelDescription;
use super::model_exchange::simulate_me;
use super::run::{Options, Run};
use fmu_core::instance::Kind;

/// Interface type of an FMU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interface {
    /// The FMU integrates.
    CoSimulation,
    /// This program integrates.
    ModelExchange,
}

impl Interface {
    /// All interface types.
    pub const ALL: [Interface; 2] = [Interface::CoSimulation, Interface::ModelExchange];

    /// Name in FMI.
    pub fn name(self) -> &'static str {
        match self {
            Interface::CoSimulation => "Co-Simulation",
            Interface::ModelExchange => "Model Exchange",
        }
    }

    /// Interface type of the core.
    pub fn kind(self) -> Kind {
        match self {
            Interface::CoSimulation => Kind::CoSimulation,
            Interface::ModelExchange => Kind::ModelExchange,
        }
    }

    /// Co-Simulation if available, else Model Exchange.
    pub fn usual(description: &ModelDescription) -> Interface {
        match (&description.co_simulation, &description.model_exchange) {
            (None, Some(_)) => Interface::ModelExchange,
            _ => Interface::CoSimulation,
        }
    }

    /// Simulates this interface of an FMU.
    ///
    /// # Errors
    /// See [`simulate_cs`] and [`simulate_me`].
    pub fn simulate(self, fmu: &Fmu, options: &Options) -> Result<Run, HostError> {
        match self {
            Interface::CoSimulation => simulate_cs(fmu, options),
            Interface::ModelExchange => simulate_me(fmu, options),
        }
    }
}
