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
pub(crate) enum Mode {
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
    /// Names for messages, by number.
    const NAMES: [&str; 7] = [
        "Instantiated",
        "Initialization Mode",
        "Event Mode",
        "Continuous-Time Mode",
        "Step Mode",
        "Terminated",
        "Intermediate Update Mode",
    ];

    pub(crate) fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    fn bit(self) -> u8 {
        1 << self as u8
    }
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

/// Defines the calls and the table of their rules.
macro_rules! calls {
    ($($(#[$doc:meta])* $call:ident: $rules:expr;)*) => {
        /// Call to an instance, independent of the FMI version.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Call {
            $($(#[$doc])* $call,)*
        }

        /// Rules of each call in FMI 2.0 and in FMI 3.0.
        static RULES: [[Rule; 2]; CALLS] = [$($rules,)*];
        const CALLS: usize = [$(Call::$call,)*].len();
    };
}

// Modes in FMI 2.0 and in FMI 3.0: each by the standard in Model Exchange, in Co-Simulation; then the leniencies.
// Co-Simulation of FMI 2.0 has no Event Mode; Step Mode there is the standard's stepComplete: a step that
// fails or is refused leaves the instance ready for another one.
//
// I Instantiated, N Initialization, E Event, C Continuous-Time, S Step, T Terminated, U Intermediate Update.
calls! {
    /// Switches the log.
    SetDebugLogging: [allow(SETTABLE, SETTABLE), allow(SETTABLE, SETTABLE)];
    /// Returns to the start.
    Reset: [allow(SETTABLE, SETTABLE), allow(SETTABLE, SETTABLE)];
    /// Frees the instance.
    Free: [allow(SETTABLE, SETTABLE), allow(SETTABLE, SETTABLE)];
    /// Copies the state.
    GetState: [allow(SETTABLE, SETTABLE), allow(SETTABLE, SETTABLE)];
    /// Restores a state.
    SetState: [allow(SETTABLE, SETTABLE), allow(SETTABLE, SETTABLE)];
    /// Converts a state to bytes or back.
    SerializeState: [allow(SETTABLE, SETTABLE), allow(SETTABLE, SETTABLE)];
    /// Sets times and tolerance before initialisation; FMI 2.0.
    SetupExperiment: [allow(I, I), allow(NEVER, NEVER)];
    /// Starts initialisation.
    EnterInitialization: [allow(I, I), allow(I, I)];
    /// Ends initialisation.
    ExitInitialization: [allow(N, N), allow(N, N)];
    /// Starts event handling.
    // FMI 3.0: some importers enter Event Mode once more for each reason of an event.
    EnterEvent: [allow(E | C, NEVER), allow(C, S).lenient(E, E)];
    /// Updates the discrete state.
    UpdateDiscreteStates: [allow(E, NEVER), allow(E, E)];
    /// Evaluates the discrete state without an update.
    EvaluateDiscreteStates: [allow(NEVER, NEVER), allow(E, E)];
    /// Ends event handling in Model Exchange.
    EnterContinuousTime: [allow(E, NEVER), allow(E, NEVER)];
    /// Ends event handling in Co-Simulation.
    EnterStep: [allow(NEVER, NEVER), allow(NEVER, E)];
    /// Ends the run.
    Terminate: [allow(E | C, S), allow(E | C, E | S)];
    /// Reads variables.
    // FMI 2.0: some importers read start values before initialisation.
    GetVariables: [
        allow(N | E | C | T, N | S | T).lenient(I, I),
        allow(I | N | E | C | T, I | N | E | S | T | U)
    ];
    /// Writes variables, subject to [`setting`].
    SetVariables: [allow(I | N | E | C, I | N | S), allow(I | N | E | C, I | N | E | S)];
    /// Writes variables of types that never vary continuously.
    // FMI 2.0: some importers set all types wherever they set one, even if only empty lists.
    SetDiscreteVariables: [
        allow(I | N | E, I | N | S).lenient(C, NEVER),
        allow(I | N | E | C, I | N | E | S)
    ];
    /// Reads the dependencies of variables.
    GetDependencies: [allow(NEVER, NEVER), allow(SETTABLE, SETTABLE)];
    /// Sets the time.
    // FMI 2.0: some importers pass the start time this way, as the code example of 3.2.4 does.
    // FMI 3.0: some importers set the time of the event after entering Event Mode.
    SetTime: [allow(E | C, NEVER).lenient(I, NEVER), allow(C, NEVER).lenient(E, NEVER)];
    /// Sets all states.
    // FMI 2.0: some importers write back the states of the event before or after handling it.
    SetContinuousStates: [allow(C, NEVER).lenient(E, NEVER), allow(C, NEVER)];
    /// Reads all states.
    GetContinuousStates: [allow(N | E | C | T, NEVER), allow(N | E | C | T, NEVER)];
    /// Reads the nominal values of the states.
    // FMI 2.0: in Instantiated by 2.0 to 2.0.2, in Initialization Mode since 2.0.3.
    GetNominals: [allow(I | N | E | C | T, NEVER), allow(N | E | C | T, NEVER)];
    /// Evaluates the state derivatives.
    GetDerivatives: [allow(N | E | C | T, NEVER), allow(N | E | C | T, NEVER)];
    /// Evaluates the event indicators.
    GetIndicators: [allow(N | E | C | T, NEVER), allow(N | E | C | T, NEVER)];
    /// Evaluates derivatives of unknowns with respect to knowns.
    // FMI 3.0: at an inner point of a step they are as well defined as the values.
    GetPartialDerivatives: [
        allow(N | E | C | T, N | S | T),
        allow(N | E | C | T, N | E | S | T).lenient(NEVER, U)
    ];
    /// Number of states or of event indicators.
    // FMI 2.0: the numbers are in the model description.
    // FMI 3.0: the numbers are fixed; some importers ask when they make their integrator.
    GetCounts: [allow(NEVER, NEVER), allow(I | E, NEVER).lenient(N | C | T, NEVER)];
    /// A step of the importer's integrator was accepted.
    CompletedStep: [allow(C, NEVER), allow(C, NEVER)];
    /// Takes a communication step.
    DoStep: [allow(NEVER, S), allow(NEVER, S)];
    /// Evaluates derivatives of outputs with respect to time.
    GetOutputDerivatives: [allow(NEVER, S | T), allow(NEVER, S | T | U)];
    /// Reads how the last communication step ended; FMI 2.0.
    GetStepStatus: [allow(NEVER, S | T), allow(NEVER, NEVER)];
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
    modes: [u8; CALLS],
}

impl Gate {
    pub(crate) fn new(rules: Rules) -> Self {
        let allowed = |call| {
            let (standard, lenient) = modes(call, rules);
            standard | if rules.strict { NEVER } else { lenient }
        };
        Gate {
            rules,
            modes: std::array::from_fn(allowed),
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
fn modes(call: usize, rules: Rules) -> (u8, u8) {
    let rule = &RULES[call][rules.standard as usize];
    match rules.kind {
        Kind::ModelExchange => (rule.exchange, rule.exchange_lenient),
        Kind::CoSimulation => (rule.simulation, rule.simulation_lenient),
    }
}

#[cold]
fn refusal(call: Call, rules: Rules, mode: Mode) -> Failure {
    let kind = rules.kind;
    let (standard, _) = modes(call as usize, rules);
    if standard == NEVER {
        return Failure::error(format!(
            "does not belong to {}, for which this instance was made",
            kind.name()
        ));
    }
    let of_kind = match (kind, rules.standard) {
        (Kind::ModelExchange, _) => !(S | U),
        (Kind::CoSimulation, Standard::Fmi2) => !(C | E),
        (Kind::CoSimulation, Standard::Fmi3) => !C,
    };
    let modes = Mode::NAMES.iter().enumerate();
    let allowed = modes.filter(|(number, _)| standard & of_kind & 1 << number != 0);
    let names: Vec<&str> = allowed.map(|(_, name)| *name).collect();
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
/// [FMI 3.0]: states by sections 2.3.2, 2.3.3 (initial exact), 2.3.5 (no reinit; Model Exchange) and 3.2.1;
/// fixed parameters by 2.3.2 and 2.3.3; tunable ones also in Event Mode (2.3.5), and in Step Mode of an importer
/// that does not use Event Mode (4.2.1); continuous inputs in all modes but the last. [FMI 2.0]: the notes below
/// the tables of 3.2.3 and 4.2.4, which allow states before initialisation ends and in Continuous-Time Mode,
/// tunable parameters in Event Mode and between steps, continuous inputs in all of these.
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
