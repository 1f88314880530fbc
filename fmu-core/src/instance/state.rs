//! The state of an instance as plain data. Copying and restoring it, or writing it to bytes and reading it
//! back, continues a run to the bit.
//!
//! Bytes: magic, format version (u32), token of the scene (64 ASCII digits), SHA-256 of the body, length of
//! the body (u64), body in postcard's format; integers little-endian. The hash detects damaged bytes before
//! any of them are used.
//!
//! # Sets of nominal values that events alternate between
//!
//! FMI has one way to make an importer restart its integrator where the derivatives jump but no state does:
//! nominal values that change ([FMI 3.0] section 2.3.5, `nominalsOfContinuousStatesChanged`). In set k of 0,
//! 1, 2 every nominal value is (1 + k/1024) times that of the model, so that the flag is true whenever it is
//! set. Three sets and not two: after two updates at one event the values still differ from those before it.
//! A change of an absolute tolerance by a thousandth is harmless. Only in the first Event Mode, before any
//! integrator starts, the set stays: there the flag says that parameters were set, from which nominal values
//! follow.

use crate::instance::modes::{Kind, Mode};
use crate::instance::velocity_fit::VelocityFit;
use contact_laws::index::{InputId, NamedPairId, PairId, ParameterId, ReportId, TiVec, ti_vec};
use contact_model::contact::Ledger;
use contact_model::dynamics::Anchor;
use contact_model::granular::Held;
use contact_model::integrator::Memory;
use contact_model::islands::{Memories, StepLoad};
use contact_model::scene::description::Motion;
use contact_model::scene::{Parameters, Scene};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use thiserror::Error;

/// State of an instance beside the ledger of its system.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Run {
    pub(crate) kind: Kind,
    pub mode: Mode,
    pub(crate) time: f64,
    /// End of the run [s], if given by the importer.
    pub stop_time: Option<f64>,
    /// Relative tolerance [1]; before initialisation ends, `None` unless given.
    pub tolerance: Option<f64>,
    /// Whether the importer has set times and tolerance in a separate call (FMI 2.0).
    pub set_up: bool,
    /// Continuous states, as last set or computed.
    pub(crate) states: Vec<f64>,
    pub parameters: Parameters,
    pub inputs: Inputs,
    /// Tunable parameters to take effect at the next event: index and value, in the order of the calls.
    pub waiting: Vec<(ParameterId, f64)>,
    /// Whether in the Event Mode that follows initialisation.
    pub(crate) first_event_mode: bool,
    /// Whether a parameter was set in Event Mode or Step Mode: contacts have to be detected again.
    pub(crate) parameters_changed: bool,
    /// Whether contacts found again changed a state, to be reported by the next update.
    pub states_changed: bool,
    /// Whether nominal values have changed since the last update.
    pub nominals_changed: bool,
    pub(crate) nominal_set: NominalSet,
    /// Whether the discrete state was updated since Event Mode was entered.
    pub updated: bool,
    /// Whether a communication step has ended at an event that is not handled yet.
    pub(crate) event_pending: bool,
    /// Whether named pairs were closer than their limit at the last check.
    pub(crate) too_close: TiVec<NamedPairId, bool>,
    /// Pairs in contact that were reported as deep in a mesh.
    pub deep: Vec<PairId>,
    /// Consistency of each driven body's inputs.
    pub(crate) velocity_fits: Vec<VelocityFit>,
    /// Loads of each reported pair's contact since the last communication point.
    pub(crate) step_loads: TiVec<ReportId, StepLoad>,
    pub memory: Memory,
    pub memories: Memories,
    /// Contacts of granular mode without a slot in the ledger, ascending.
    pub(crate) beyond_ledger: Vec<Held>,
}

impl Run {
    pub(crate) fn start(kind: Kind, scene: &Scene) -> Self {
        Run {
            kind,
            mode: Mode::Instantiated,
            time: scene.experiment().start_time,
            stop_time: None,
            tolerance: None,
            set_up: false,
            states: scene.start_states(),
            parameters: Parameters::start(scene),
            inputs: Inputs::start(scene),
            waiting: Vec::new(),
            first_event_mode: false,
            parameters_changed: false,
            states_changed: false,
            nominals_changed: false,
            nominal_set: NominalSet::default(),
            updated: false,
            event_pending: false,
            too_close: ti_vec![false; scene.named_pairs().len()],
            deep: Vec::new(),
            velocity_fits: vec![VelocityFit::default(); driven_count(scene)],
            step_loads: ti_vec![StepLoad::default(); scene.report_count()],
            memory: Memory::default(),
            memories: Memories::default(),
            beyond_ledger: Vec::new(),
        }
    }
}

fn driven_count(scene: &Scene) -> usize {
    let bodies = scene.bodies().iter();
    bodies.filter(|body| body.motion == Motion::Driven).count()
}

/// Inputs with the time when they were set; in Co-Simulation driven bodies are extrapolated from then on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Inputs {
    /// As last set.
    pub(crate) values: TiVec<InputId, f64>,
    /// Inputs of the model at `since`: the same, or extrapolated to it.
    pub held: TiVec<InputId, f64>,
    pub since: f64,
    /// Change since the last communication step.
    pub change: InputChange,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum InputChange {
    /// Same values as in the last step.
    None,
    /// New values; contacts are still those of the communication point.
    Pending,
    /// Contacts were updated for them.
    Taken,
}

impl Inputs {
    pub(crate) fn start(scene: &Scene) -> Self {
        Inputs {
            values: scene.start_inputs(),
            held: scene.start_inputs(),
            since: scene.experiment().start_time,
            change: InputChange::None,
        }
    }

    /// Marks the contacts as those of the current inputs.
    pub(crate) fn settle(&mut self) {
        if self.change == InputChange::Pending {
            self.change = InputChange::Taken;
        }
    }

    pub(crate) fn fits(&self, scene: &Scene) -> bool {
        let count = scene.inputs().len();
        self.values.len() == count && self.held.len() == count
    }
}

const SETS: u8 = 3;
/// Relative difference between sets [1], a power of two so that the factors are exact.
const PART: f64 = 1.0 / 1024.0;

/// Index of the present set of nominal values.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct NominalSet(u8);

impl NominalSet {
    pub(crate) fn advance(&mut self) {
        self.0 = (self.0 + 1) % SETS;
    }

    pub(crate) fn factor(self) -> f64 {
        1.0 + f64::from(self.0) * PART
    }

    /// Returns true if there is such a set; bytes from elsewhere may have another index.
    pub(crate) fn is_known(self) -> bool {
        self.0 < SETS
    }
}

/// Complete state of an instance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    pub(super) run: Run,
    pub(super) ledger: Ledger,
    /// Ledger from which updates of the present Event Mode start.
    pub(super) entry: Ledger,
    /// Start of the interval over which event indicators are minima.
    pub(super) anchor: Anchor,
    pub(super) jumps_taken_to: Option<f64>,
}

/// Reason why a state cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum StateError {
    #[error("not a state: it does not start with \"FMUSTATE\"")]
    NotAState,
    #[error("state format {0}; this binary reads format {own}", own = STATE_FORMAT)]
    Version(u32),
    /// Fewer bytes than a header has.
    #[error("a state has at least {own} bytes; there are {0}", own = HEADER)]
    Short(usize),
    /// Length by the header, and actual length.
    #[error("state has {1} bytes after its header, which announces {0}")]
    Length(u64, u64),
    /// Token of another scene, and of this instance.
    #[error("state of the scene with token {0}; this instance has the token {1}")]
    OtherScene(String, String),
    /// Interface type of the state, and of this instance.
    #[error("state of a {} instance; this is a {} instance", .0.name(), .1.name())]
    OtherKind(Kind, Kind),
    #[error("state bytes are corrupt: {0}")]
    Corrupt(String),
    /// Numbers that do not fit the scene.
    #[error(
        "state does not have the numbers of states, parameters, inputs, indicator slots, hints and reported pairs of this scene"
    )]
    DoesNotFit,
    /// The state is in Event Mode, the instance has none.
    #[error("state in Event Mode; this instance was made without event mode")]
    NoEventMode,
}

const MAGIC: [u8; 8] = *b"FMUSTATE";

/// Version of the byte format; raised whenever a field of the state or its encoding changes.
const STATE_FORMAT: u32 = 18;

const TOKEN: usize = 64;
const HASH: usize = 32;
const HEADER: usize = MAGIC.len() + 4 + TOKEN + HASH + 8;

impl State {
    pub(super) fn fits(&self, scene: &Scene) -> bool {
        let mode_of_kind = match self.run.mode {
            Mode::ContinuousTime => self.run.kind == Kind::ModelExchange,
            Mode::Step => self.run.kind == Kind::CoSimulation,
            // No state is ever taken there: half a step is no state.
            Mode::IntermediateUpdate => false,
            _ => true,
        };
        mode_of_kind
            && self.run.states.len() == scene.layout().count()
            && self.run.nominal_set.is_known()
            && self.run.parameters.fits(scene)
            && self.run.inputs.fits(scene)
            && self.run.too_close.len() == scene.named_pairs().len()
            && (self.run.deep.iter()).all(|pair| scene.pairs().has(*pair))
            && self.run.velocity_fits.len() == driven_count(scene)
            && self.run.step_loads.len() == scene.report_count()
            && self.run.memories.fit(scene.links().len())
            && (self.run.beyond_ledger)
                .is_sorted_by(|one, other| one.started.pair < other.started.pair)
            && (self.run.beyond_ledger.iter()).all(|held| held.fits(scene))
            && self
                .run
                .waiting
                .iter()
                .all(|(i, _)| *i < scene.parameters().next_key())
            && self.ledger.fits(scene)
            && self.entry.fits(scene)
            && self.anchor.fits(scene)
            && self.jumps_taken_to.is_none_or(f64::is_finite)
    }

    /// Serialises the state with the `token` of its scene.
    ///
    /// # Errors
    /// Never for a state of an instance; the encoder's text otherwise.
    pub(crate) fn to_bytes(&self, token: &str) -> Result<Vec<u8>, StateError> {
        let body =
            postcard::to_stdvec(self).map_err(|error| StateError::Corrupt(error.to_string()))?;
        let mut bytes = Vec::with_capacity(HEADER + body.len());
        bytes.extend_from_slice(&MAGIC);
        bytes.extend_from_slice(&STATE_FORMAT.to_le_bytes());
        bytes.extend_from_slice(&token_field(token));
        bytes.extend_from_slice(&Sha256::digest(&body));
        bytes.extend_from_slice(&(body.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&body);
        Ok(bytes)
    }

    /// Deserialises a state of the scene with this `token`.
    ///
    /// # Errors
    /// Bytes that are not a state, of another version, length or scene, or damaged.
    pub(crate) fn from_bytes(
        bytes: &[u8],
        token: &str,
        scene: &Scene,
    ) -> Result<State, StateError> {
        if !bytes.starts_with(&MAGIC) {
            return Err(StateError::NotAState);
        }
        let short = || StateError::Short(bytes.len());
        let rest = &bytes[MAGIC.len()..];
        let (version, rest) = rest.split_first_chunk::<4>().ok_or_else(short)?;
        let version = u32::from_le_bytes(*version);
        if version != STATE_FORMAT {
            return Err(StateError::Version(version));
        }
        let (found, rest) = rest.split_first_chunk::<TOKEN>().ok_or_else(short)?;
        let (hash, rest) = rest.split_first_chunk::<HASH>().ok_or_else(short)?;
        let (length, body) = rest.split_first_chunk::<8>().ok_or_else(short)?;
        if *found != token_field(token) {
            let found = String::from_utf8_lossy(found).into_owned();
            return Err(StateError::OtherScene(found, token.to_owned()));
        }
        let announced = u64::from_le_bytes(*length);
        if announced != body.len() as u64 {
            return Err(StateError::Length(announced, body.len() as u64));
        }
        if Sha256::digest(body).as_slice() != hash {
            return Err(StateError::Corrupt("the SHA-256 does not match".into()));
        }
        let state: State =
            postcard::from_bytes(body).map_err(|error| StateError::Corrupt(error.to_string()))?;
        if state.fits(scene) {
            Ok(state)
        } else {
            Err(StateError::DoesNotFit)
        }
    }
}

/// Token as a field of fixed length.
fn token_field(token: &str) -> [u8; TOKEN] {
    let mut field = [b' '; TOKEN];
    for (place, byte) in field.iter_mut().zip(token.bytes()) {
        *place = byte;
    }
    field
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_and_two_changes_leave_other_values_and_all_stay_within_two_thousandths() {
        let mut set = NominalSet::default();
        let mut factors = Vec::new();
        for _ in 0..5 {
            factors.push(set.factor());
            assert!(set.is_known());
            set.advance();
        }
        assert_eq!(
            factors,
            [1.0, 1025.0 / 1024.0, 1026.0 / 1024.0, 1.0, 1025.0 / 1024.0]
        );
        assert!(!NominalSet(SETS).is_known());
    }
}
