//! Calls allowed in each mode: the state machines of Model Exchange and Co-Simulation as tables, one for each
//! FMI version, with leniencies.
//!
//! Sources: [FMI 3.0] sections 2.3 (common states), 3.2 (Model Exchange) and 4.2 (Co-Simulation), the lists
//! "Allowed Function Calls"; [FMI 2.0] sections 3.2.3 and 4.2.4, the tables below the state machines.
//! Configuration and reconfiguration modes need structural parameters and do not exist here. A refused call
//! changes nothing: the standard changes an instance to Terminated after an error, where its importer may
//! only do what is allowed here in any mode, so staying is harmless.
//!
//! A leniency is a call made by real importers against the standard, tolerated if harmless. A strict instance
//! rejects them all.

use crate::instance::log::Failure;
use serde::{Deserialize, Serialize};

/// FMI version of the importer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standard {
    /// FMI 2.0.
    Fmi2,
    /// FMI 3.0.
    Fmi3,
}

/// Interface type of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// The importer integrates.
    ModelExchange,
    /// The instance integrates.
    CoSimulation,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::ModelExchange => "Model Exchange",
            Kind::CoSimulation => "Co-Simulation",
        }
    }
}

/// Mode of an instance: a state of the standard's state machines.
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
    /// The run has ended; values may be read.
    Terminated,
    /// A communication step has stopped inside; values may be read. Co-Simulation.
    IntermediateUpdate,
}

impl Mode {
    const ALL: [Mode; 7] = [
        Mode::Instantiated,
        Mode::Initialization,
        Mode::Event,
        Mode::ContinuousTime,
        Mode::Step,
        Mode::Terminated,
        Mode::IntermediateUpdate,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Mode::Instantiated => "Instantiated",
            Mode::Initialization => "Initialization Mode",
            Mode::Event => "Event Mode",
            Mode::ContinuousTime => "Continuous-Time Mode",
            Mode::Step => "Step Mode",
            Mode::Terminated => "Terminated",
            Mode::IntermediateUpdate => "Intermediate Update Mode",
        }
    }

    fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// Call to an instance, independent of the FMI version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// Switches the log.
    SetDebugLogging,
    /// Returns to the start.
    Reset,
    /// Frees the instance.
    Free,
    /// Copies the state.
    GetState,
    /// Restores a state.
    SetState,
    /// Converts a state to bytes or back.
    SerializeState,
    /// Sets times and tolerance before initialisation; FMI 2.0.
    SetupExperiment,
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
    /// Writes variables, subject to [`setting`].
    SetVariables,
    /// Writes variables of types that never vary continuously.
    SetDiscreteVariables,
    /// Reads the dependencies of variables.
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
    /// Evaluates derivatives of unknowns with respect to knowns.
    GetPartialDerivatives,
    /// Number of states or of event indicators.
    GetCounts,
    /// A step of the importer's integrator was accepted.
    CompletedStep,
    /// Takes a communication step.
    DoStep,
    /// Evaluates derivatives of outputs with respect to time.
    GetOutputDerivatives,
    /// Reads how the last communication step ended; FMI 2.0.
    GetStepStatus,
}

impl Call {
    /// In the order of their numbers.
    const ALL: [Call; 31] = [
        Call::SetDebugLogging,
        Call::Reset,
        Call::Free,
        Call::GetState,
        Call::SetState,
        Call::SerializeState,
        Call::SetupExperiment,
        Call::EnterInitialization,
        Call::ExitInitialization,
        Call::EnterEvent,
        Call::UpdateDiscreteStates,
        Call::EvaluateDiscreteStates,
        Call::EnterContinuousTime,
        Call::EnterStep,
        Call::Terminate,
        Call::GetVariables,
        Call::SetVariables,
        Call::SetDiscreteVariables,
        Call::GetDependencies,
        Call::SetTime,
        Call::SetContinuousStates,
        Call::GetContinuousStates,
        Call::GetNominals,
        Call::GetDerivatives,
        Call::GetIndicators,
        Call::GetPartialDerivatives,
        Call::GetCounts,
        Call::CompletedStep,
        Call::DoStep,
        Call::GetOutputDerivatives,
        Call::GetStepStatus,
    ];
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
const U: u8 = 1 << Mode::IntermediateUpdate as u8;
const NEVER: u8 = 0;
/// The super state FMU State Settable, which excludes Intermediate Update Mode.
const SETTABLE: u8 = I | N | E | C | S | T;

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

/// Table of FMI 3.0: modes by the standard in Model Exchange, in Co-Simulation; then the leniencies.
///
/// I Instantiated, N Initialization, E Event, C Continuous-Time, S Step, T Terminated, U Intermediate Update.
fn rule_of_fmi3(call: Call) -> Rule {
    match call {
        Call::SetDebugLogging => allow(SETTABLE, SETTABLE),
        Call::Reset => allow(SETTABLE, SETTABLE),
        Call::Free => allow(SETTABLE, SETTABLE),
        Call::GetState => allow(SETTABLE, SETTABLE),
        Call::SetState => allow(SETTABLE, SETTABLE),
        Call::SerializeState => allow(SETTABLE, SETTABLE),
        Call::GetDependencies => allow(SETTABLE, SETTABLE),
        Call::SetupExperiment => allow(NEVER, NEVER),
        Call::EnterInitialization => allow(I, I),
        Call::ExitInitialization => allow(N, N),
        // Some importers enter Event Mode once more for each reason of an event.
        Call::EnterEvent => allow(C, S).lenient(E, E),
        Call::UpdateDiscreteStates => allow(E, E),
        Call::EvaluateDiscreteStates => allow(E, E),
        Call::EnterContinuousTime => allow(E, NEVER),
        Call::EnterStep => allow(NEVER, E),
        Call::Terminate => allow(E | C, E | S),
        Call::GetVariables => allow(I | N | E | C | T, I | N | E | S | T | U),
        Call::SetVariables | Call::SetDiscreteVariables => allow(I | N | E | C, I | N | E | S),
        // Some importers set the time of the event after entering Event Mode.
        Call::SetTime => allow(C, NEVER).lenient(E, NEVER),
        Call::SetContinuousStates => allow(C, NEVER),
        Call::GetContinuousStates => allow(N | E | C | T, NEVER),
        Call::GetNominals => allow(N | E | C | T, NEVER),
        Call::GetDerivatives => allow(N | E | C | T, NEVER),
        Call::GetIndicators => allow(N | E | C | T, NEVER),
        // At an inner point of a step they are as well defined as the values.
        Call::GetPartialDerivatives => allow(N | E | C | T, N | E | S | T).lenient(NEVER, U),
        // The numbers are fixed; some importers ask when they make their integrator.
        Call::GetCounts => allow(I | E, NEVER).lenient(N | C | T, NEVER),
        Call::CompletedStep => allow(C, NEVER),
        Call::DoStep => allow(NEVER, S),
        Call::GetOutputDerivatives => allow(NEVER, S | T | U),
        Call::GetStepStatus => allow(NEVER, NEVER),
    }
}

/// Table of FMI 2.0, as [`rule_of_fmi3`]. Co-Simulation has no Event Mode; Step Mode here is the standard's
/// stepComplete: a step that fails or is refused leaves the instance ready for another one.
fn rule_of_fmi2(call: Call) -> Rule {
    match call {
        Call::SetDebugLogging => allow(SETTABLE, SETTABLE),
        Call::Reset => allow(SETTABLE, SETTABLE),
        Call::Free => allow(SETTABLE, SETTABLE),
        Call::GetState => allow(SETTABLE, SETTABLE),
        Call::SetState => allow(SETTABLE, SETTABLE),
        Call::SerializeState => allow(SETTABLE, SETTABLE),
        Call::GetDependencies => allow(NEVER, NEVER),
        Call::SetupExperiment => allow(I, I),
        Call::EnterInitialization => allow(I, I),
        Call::ExitInitialization => allow(N, N),
        Call::EnterEvent => allow(E | C, NEVER),
        Call::UpdateDiscreteStates => allow(E, NEVER),
        Call::EvaluateDiscreteStates => allow(NEVER, NEVER),
        Call::EnterContinuousTime => allow(E, NEVER),
        Call::EnterStep => allow(NEVER, NEVER),
        Call::Terminate => allow(E | C, S),
        // Some importers read start values before initialisation.
        Call::GetVariables => allow(N | E | C | T, N | S | T).lenient(I, I),
        Call::SetVariables => allow(I | N | E | C, I | N | S),
        // Some importers set all types wherever they set one, even if only empty lists.
        Call::SetDiscreteVariables => allow(I | N | E, I | N | S).lenient(C, NEVER),
        // Some importers tell the start time this way, as the code example of 3.2.4 does.
        Call::SetTime => allow(E | C, NEVER).lenient(I, NEVER),
        // Some importers write back the states of the event before or after handling it.
        Call::SetContinuousStates => allow(C, NEVER).lenient(E, NEVER),
        Call::GetContinuousStates => allow(N | E | C | T, NEVER),
        // In Instantiated by 2.0 to 2.0.2, in Initialization Mode since 2.0.3.
        Call::GetNominals => allow(I | N | E | C | T, NEVER),
        Call::GetDerivatives => allow(N | E | C | T, NEVER),
        Call::GetIndicators => allow(N | E | C | T, NEVER),
        Call::GetPartialDerivatives => allow(N | E | C | T, N | S | T),
        // The numbers are in the model description.
        Call::GetCounts => allow(NEVER, NEVER),
        Call::CompletedStep => allow(C, NEVER),
        Call::DoStep => allow(NEVER, S),
        Call::GetOutputDerivatives => allow(NEVER, S | T),
        Call::GetStepStatus => allow(NEVER, S | T),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rules {
    pub standard: Standard,
    pub(crate) kind: Kind,
    /// Whether leniencies are off.
    pub strict: bool,
}

/// Table of allowed calls, computed once: it is read at each call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Gate {
    rules: Rules,
    modes: [u8; Call::ALL.len()],
}

impl Gate {
    pub(crate) fn new(rules: Rules) -> Self {
        let allowed = |call: Call| {
            let (standard, lenient) = modes(call, rules);
            standard | if rules.strict { NEVER } else { lenient }
        };
        Gate {
            rules,
            modes: Call::ALL.map(allowed),
        }
    }

    pub(crate) fn rules(&self) -> Rules {
        self.rules
    }

    /// Checks that `call` is allowed; the error has the modes in which it is.
    #[inline(always)]
    pub(crate) fn check(&self, call: Call, mode: Mode) -> Result<(), Failure> {
        if self.modes[call as usize] & mode.bit() != 0 {
            return Ok(());
        }
        Err(refusal(call, self.rules, mode))
    }
}

/// Modes in which a call is allowed by the standard, and by leniency.
fn modes(call: Call, rules: Rules) -> (u8, u8) {
    let rule = match rules.standard {
        Standard::Fmi2 => rule_of_fmi2(call),
        Standard::Fmi3 => rule_of_fmi3(call),
    };
    match rules.kind {
        Kind::ModelExchange => (rule.exchange, rule.exchange_lenient),
        Kind::CoSimulation => (rule.simulation, rule.simulation_lenient),
    }
}

#[cold]
fn refusal(call: Call, rules: Rules, mode: Mode) -> Failure {
    let kind = rules.kind;
    let (standard, _) = modes(call, rules);
    if standard == NEVER {
        return Failure::error(format!(
            "does not belong to {}, for which this instance was made",
            kind.name()
        ));
    }
    let names: Vec<&str> = Mode::ALL
        .into_iter()
        .filter(|m| standard & m.bit() != 0)
        .filter(|m| match kind {
            Kind::ModelExchange => !matches!(m, Mode::Step | Mode::IntermediateUpdate),
            Kind::CoSimulation => *m != Mode::ContinuousTime,
        })
        .filter(|m| {
            let no_event_mode = (Standard::Fmi2, Kind::CoSimulation);
            *m != Mode::Event || (rules.standard, kind) != no_event_mode
        })
        .map(Mode::name)
        .collect();
    Failure::error(format!(
        "not allowed in {}; allowed in {}",
        mode.name(),
        names.join(", ")
    ))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Settable {
    /// Continuous-time state; exact initial value, not re-initialised.
    State,
    FixedParameter,
    TunableParameter,
    Input,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Setting {
    Now,
    AtNextEvent,
    Refused,
}

/// Effect of setting a value now. `first_event_mode`: in the Event Mode that follows initialisation;
/// `event_mode_used`: Co-Simulation has Event Mode.
///
/// [FMI 3.0]: states by sections 2.3.2, 2.3.3 (initial exact), 2.3.5 (no reinit; Model Exchange) and 3.2.1; fixed parameters by 2.3.2 and 2.3.3; tunable ones also in Event Mode (2.3.5), and in Step Mode of an importer that does not use Event Mode (4.2.1); continuous inputs in all modes but the last. [FMI 2.0]: the notes below the tables of 3.2.3 and 4.2.4, which allow states before initialisation ends and in Continuous-Time Mode, tunable parameters in Event Mode and between steps, continuous inputs in all of these.
///
/// Leniencies: fixed parameters in the first Event Mode, where everything derived from them can still be
/// recomputed; states of FMI 2.0 in Event Mode, as in FMI 3.0; tunable parameters at any time of a run,
/// stored until the next event.
pub(crate) fn setting(
    variable: Settable,
    rules: Rules,
    mode: Mode,
    first_event_mode: bool,
    event_mode_used: bool,
) -> Setting {
    let now = |allowed: bool| {
        if allowed {
            Setting::Now
        } else {
            Setting::Refused
        }
    };
    let exchange = rules.kind == Kind::ModelExchange;
    match (mode, variable) {
        (Mode::Instantiated | Mode::Initialization, _) => Setting::Now,
        (Mode::ContinuousTime, Settable::State) => Setting::Now,
        (Mode::Event | Mode::ContinuousTime | Mode::Step, Settable::Input) => Setting::Now,
        (Mode::Event, Settable::State) => {
            now(exchange && (rules.standard == Standard::Fmi3 || !rules.strict))
        }
        (Mode::Event, Settable::FixedParameter) => now(first_event_mode && !rules.strict),
        (Mode::Event, Settable::TunableParameter) => Setting::Now,
        (Mode::Step, Settable::TunableParameter) if !event_mode_used => Setting::Now,
        (Mode::ContinuousTime | Mode::Step, Settable::TunableParameter) if !rules.strict => {
            Setting::AtNextEvent
        }
        _ => Setting::Refused,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(call: Call, rules: Rules, mode: Mode) -> Result<(), Failure> {
        Gate::new(rules).check(call, mode)
    }

    #[test]
    fn the_gate_keeps_calls_in_the_order_of_their_numbers() {
        for (number, call) in Call::ALL.into_iter().enumerate() {
            assert_eq!(call as usize, number);
        }
    }

    const EXCHANGE: Rules = Rules {
        standard: Standard::Fmi3,
        kind: Kind::ModelExchange,
        strict: false,
    };
    const STRICT: Rules = Rules {
        strict: true,
        ..EXCHANGE
    };

    #[test]
    fn a_refusal_names_the_mode_and_where_the_call_is_allowed() {
        let refused = check(Call::SetTime, EXCHANGE, Mode::Instantiated).unwrap_err();
        assert_eq!(
            refused.message,
            "not allowed in Instantiated; allowed in Continuous-Time Mode"
        );
        let refused = check(Call::DoStep, EXCHANGE, Mode::ContinuousTime).unwrap_err();
        assert!(refused.message.contains("Model Exchange"), "{refused}");
    }

    #[test]
    fn leniencies_are_allowed_but_not_advertised_and_a_strict_instance_has_none() {
        assert!(check(Call::EnterEvent, EXCHANGE, Mode::Event).is_ok());
        for (rules, mode) in [(EXCHANGE, Mode::Terminated), (STRICT, Mode::Event)] {
            let refused = check(Call::EnterEvent, rules, mode).unwrap_err();
            assert!(refused.message.ends_with("allowed in Continuous-Time Mode"));
        }
    }

    #[test]
    fn fixed_parameters_are_closed_after_the_first_event_mode() {
        let parameter = |rules, mode, first| {
            setting(Settable::FixedParameter, rules, mode, first, true) == Setting::Now
        };
        assert!(parameter(EXCHANGE, Mode::Initialization, false));
        assert!(parameter(EXCHANGE, Mode::Event, true));
        assert!(!parameter(STRICT, Mode::Event, true));
        assert!(!parameter(EXCHANGE, Mode::Event, false));
        assert!(!parameter(EXCHANGE, Mode::ContinuousTime, true));
        assert!(!parameter(EXCHANGE, Mode::Terminated, true));
    }

    #[test]
    fn tunable_parameters_wait_for_an_event_where_the_standard_has_no_place_for_them() {
        let parameter =
            |rules, mode, events| setting(Settable::TunableParameter, rules, mode, false, events);
        assert_eq!(parameter(EXCHANGE, Mode::Event, true), Setting::Now);
        let continuous = Mode::ContinuousTime;
        assert_eq!(parameter(EXCHANGE, continuous, true), Setting::AtNextEvent);
        assert_eq!(parameter(STRICT, continuous, true), Setting::Refused);
        let simulation = Rules {
            kind: Kind::CoSimulation,
            ..EXCHANGE
        };
        assert_eq!(parameter(simulation, Mode::Step, false), Setting::Now);
        assert_eq!(
            parameter(simulation, Mode::Step, true),
            Setting::AtNextEvent
        );
        assert_eq!(
            parameter(simulation, Mode::Terminated, true),
            Setting::Refused
        );
    }
}
