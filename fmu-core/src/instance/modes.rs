//! Which call is allowed when: the state machines of Model Exchange and Co-Simulation as one
//! table.
//!
//! Source: [FMI 3.0] sections 2.3 (common states), 3.2 (Model Exchange) and 4.2 (Co-Simulation),
//! the lists "Allowed Function Calls". Configuration and reconfiguration modes need structural
//! parameters and do not exist here. A call that is refused changes nothing: the standard takes an
//! instance to Terminated after an error, where its importer may only do what is allowed here in
//! any mode, so staying is harmless.

use crate::instance::failure::Failure;
use serde::{Deserialize, Serialize};

/// Interface type of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// The importer integrates.
    ModelExchange,
    /// The instance integrates.
    CoSimulation,
}

impl Kind {
    /// Name for messages.
    pub fn name(self) -> &'static str {
        match self {
            Kind::ModelExchange => "Model Exchange",
            Kind::CoSimulation => "Co-Simulation",
        }
    }
}

/// Mode of an instance, a state of the standard's state machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mode {
    /// Start values may be set.
    Instantiated,
    /// Start values may be set, initial values computed.
    Initialization,
    /// Events are handled.
    Event,
    /// The importer integrates; Model Exchange.
    ContinuousTime,
    /// Communication steps are taken; Co-Simulation.
    Step,
    /// The run is over; values may be read.
    Terminated,
}

impl Mode {
    const ALL: [Mode; 6] = [
        Mode::Instantiated,
        Mode::Initialization,
        Mode::Event,
        Mode::ContinuousTime,
        Mode::Step,
        Mode::Terminated,
    ];

    /// Name for messages.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Instantiated => "Instantiated",
            Mode::Initialization => "Initialization Mode",
            Mode::Event => "Event Mode",
            Mode::ContinuousTime => "Continuous-Time Mode",
            Mode::Step => "Step Mode",
            Mode::Terminated => "Terminated",
        }
    }

    fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// A call to an instance, in no FMI version's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// Switches the log.
    SetDebugLogging,
    /// Back to the start.
    Reset,
    /// Copies the state out.
    GetState,
    /// Copies the state in.
    SetState,
    /// State to bytes and back.
    SerializeState,
    /// Starts initialisation.
    EnterInitialization,
    /// Ends initialisation.
    ExitInitialization,
    /// Starts event handling.
    EnterEvent,
    /// Updates the discrete state.
    UpdateDiscreteStates,
    /// Evaluates the discrete state without an update.
    EvaluateDiscreteStates,
    /// Ends event handling in Model Exchange.
    EnterContinuousTime,
    /// Ends event handling in Co-Simulation.
    EnterStep,
    /// Ends the run.
    Terminate,
    /// Reads variables.
    GetVariables,
    /// Writes variables; which ones, [`settable`] says.
    SetVariables,
    /// Reads what depends on what.
    GetDependencies,
    /// Sets the time.
    SetTime,
    /// Sets all states.
    SetContinuousStates,
    /// Reads all states.
    GetContinuousStates,
    /// Reads the nominal values of the states.
    GetNominals,
    /// Evaluates the state derivatives.
    GetDerivatives,
    /// Evaluates the event indicators.
    GetIndicators,
    /// Number of states or of event indicators.
    GetCounts,
    /// Tells that a step of the importer's integrator was accepted.
    CompletedStep,
    /// Takes a communication step.
    DoStep,
}

/// Modes in which a call is allowed: by the standard, and by leniency.
struct Rule {
    exchange: u8,
    simulation: u8,
    exchange_lenient: u8,
    simulation_lenient: u8,
}

const I: u8 = 1 << Mode::Instantiated as u8;
const N: u8 = 1 << Mode::Initialization as u8;
const E: u8 = 1 << Mode::Event as u8;
const C: u8 = 1 << Mode::ContinuousTime as u8;
const S: u8 = 1 << Mode::Step as u8;
const T: u8 = 1 << Mode::Terminated as u8;
const NEVER: u8 = 0;
const ALWAYS: u8 = I | N | E | C | S | T;

const fn allow(exchange: u8, simulation: u8) -> Rule {
    Rule {
        exchange,
        simulation,
        exchange_lenient: 0,
        simulation_lenient: 0,
    }
}

impl Rule {
    const fn lenient(self, exchange_lenient: u8, simulation_lenient: u8) -> Rule {
        Rule {
            exchange_lenient,
            simulation_lenient,
            ..self
        }
    }
}

/// The table: modes by the standard in Model Exchange, in Co-Simulation; then the leniencies.
///
/// I Instantiated, N Initialization, E Event, C Continuous-Time, S Step, T Terminated.
fn rule(call: Call) -> Rule {
    match call {
        Call::SetDebugLogging => allow(ALWAYS, ALWAYS),
        Call::Reset => allow(ALWAYS, ALWAYS),
        Call::GetState => allow(ALWAYS, ALWAYS),
        Call::SetState => allow(ALWAYS, ALWAYS),
        Call::SerializeState => allow(ALWAYS, ALWAYS),
        Call::GetDependencies => allow(ALWAYS, ALWAYS),
        Call::EnterInitialization => allow(I, I),
        Call::ExitInitialization => allow(N, N),
        // Some importers enter Event Mode once more for each reason of an event.
        Call::EnterEvent => allow(C, S).lenient(E, E),
        Call::UpdateDiscreteStates => allow(E, E),
        Call::EvaluateDiscreteStates => allow(E, E),
        Call::EnterContinuousTime => allow(E, NEVER),
        Call::EnterStep => allow(NEVER, E),
        Call::Terminate => allow(E | C, E | S),
        Call::GetVariables => allow(I | N | E | C | T, I | N | E | S | T),
        Call::SetVariables => allow(I | N | E | C, I | N | E | S),
        // Some importers set the time of the event after entering Event Mode.
        Call::SetTime => allow(C, NEVER).lenient(E, NEVER),
        Call::SetContinuousStates => allow(C, NEVER),
        Call::GetContinuousStates => allow(N | E | C | T, NEVER),
        Call::GetNominals => allow(N | E | C | T, NEVER),
        Call::GetDerivatives => allow(N | E | C | T, NEVER),
        Call::GetIndicators => allow(N | E | C | T, NEVER),
        // The numbers are fixed; some importers ask when they make their integrator.
        Call::GetCounts => allow(I | E, NEVER).lenient(N | C | T, NEVER),
        Call::CompletedStep => allow(C, NEVER),
        Call::DoStep => allow(NEVER, S),
    }
}

/// Whether `call` is allowed; otherwise an error that names the modes it is allowed in.
pub fn check(call: Call, kind: Kind, mode: Mode) -> Result<(), Failure> {
    let rule = rule(call);
    let (standard, lenient) = match kind {
        Kind::ModelExchange => (rule.exchange, rule.exchange_lenient),
        Kind::CoSimulation => (rule.simulation, rule.simulation_lenient),
    };
    if (standard | lenient) & mode.bit() != 0 {
        return Ok(());
    }
    if standard == NEVER {
        return Err(Failure::error(format!(
            "does not belong to {}, for which this instance was made",
            kind.name()
        )));
    }
    let names: Vec<&str> = Mode::ALL
        .into_iter()
        .filter(|m| standard & m.bit() != 0)
        .filter(|m| match kind {
            Kind::ModelExchange => *m != Mode::Step,
            Kind::CoSimulation => *m != Mode::ContinuousTime,
        })
        .map(Mode::name)
        .collect();
    Err(Failure::error(format!(
        "not allowed in {}; allowed in {}",
        mode.name(),
        names.join(", ")
    )))
}

/// A variable as far as it matters for setting it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settable {
    /// A continuous-time state; exact initial value, not re-initialised.
    State,
    /// A fixed parameter.
    Parameter,
}

/// Whether a variable of this sort may be set now. `first_event_mode`: in the Event Mode that
/// follows initialisation.
///
/// States: [FMI 3.0] sections 2.3.2, 2.3.3 (initial exact), 2.3.5 (no reinit; Model Exchange) and
/// 3.2.1. Fixed parameters: 2.3.2 and 2.3.3; by leniency also in the first Event Mode, where some
/// importers set them and everything derived from them can still be made anew.
pub fn settable(variable: Settable, kind: Kind, mode: Mode, first_event_mode: bool) -> bool {
    match (mode, variable) {
        (Mode::Instantiated | Mode::Initialization, _) => true,
        (Mode::Event, Settable::Parameter) => first_event_mode,
        (Mode::Event | Mode::ContinuousTime, Settable::State) => kind == Kind::ModelExchange,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_names_the_mode_and_where_the_call_is_allowed() {
        let refused = check(Call::SetTime, Kind::ModelExchange, Mode::Instantiated).unwrap_err();
        assert_eq!(
            refused.message,
            "not allowed in Instantiated; allowed in Continuous-Time Mode"
        );
        let refused = check(Call::DoStep, Kind::ModelExchange, Mode::ContinuousTime).unwrap_err();
        assert!(refused.message.contains("Model Exchange"), "{refused}");
    }

    #[test]
    fn leniencies_are_allowed_but_not_advertised() {
        assert!(check(Call::EnterEvent, Kind::ModelExchange, Mode::Event).is_ok());
        let refused = check(Call::EnterEvent, Kind::ModelExchange, Mode::Terminated).unwrap_err();
        assert!(refused.message.ends_with("allowed in Continuous-Time Mode"));
    }

    #[test]
    fn fixed_parameters_are_closed_after_the_first_event_mode() {
        let parameter =
            |mode, first| settable(Settable::Parameter, Kind::ModelExchange, mode, first);
        assert!(parameter(Mode::Initialization, false));
        assert!(parameter(Mode::Event, true));
        assert!(!parameter(Mode::Event, false));
        assert!(!parameter(Mode::ContinuousTime, true));
        assert!(!parameter(Mode::Terminated, true));
    }
}
