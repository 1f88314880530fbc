//! Frames of a run for its replay, from states of its instance.
//!
//! Variables of an FMU need not give the data of a replay. So after each row the FMU serialises its state
//! ([FMI 2.0] section 2.1.8, [FMI 3.0] section 2.2.6.4), and an instance of the same scene in this program
//! restores it: that works with FMUs of this version of the program only. The run is not affected.
#![allow(unsafe_code)]

use super::c_api::Function;
use super::error::HostError;
use super::frames::{BodyPose, Frame, FrameContact, Frames};
use super::instance::LiveInstance;
use super::library::Library;
use contact_laws::index::PairId;
use fmu_core::instance::values::ContactForce;
use fmu_core::instance::{Failure, Instance, Kind, Log, Options, Standard, lifecycle};
use std::collections::BTreeMap;
use std::ffi::{c_int, c_void};
use std::ptr;

pub(crate) type StatePointer = *mut c_void;
pub(crate) type GetState = unsafe extern "C" fn(*mut c_void, *mut StatePointer) -> c_int;
pub(crate) type StateSize = unsafe extern "C" fn(*mut c_void, StatePointer, *mut usize) -> c_int;
pub(crate) type SerializeState =
    unsafe extern "C" fn(*mut c_void, StatePointer, *mut u8, usize) -> c_int;

/// Functions with the same prototypes in both versions.
#[derive(Clone, Copy)]
struct StateFunctions {
    get: Function<GetState>,
    free: Function<GetState>,
    size: Function<StateSize>,
    serialize: Function<SerializeState>,
}

pub(super) struct StateReader {
    functions: StateFunctions,
    bytes: Vec<u8>,
}

impl StateReader {
    /// # Errors
    /// A function that the library lacks.
    pub(crate) fn new(library: &Library) -> Result<StateReader, HostError> {
        let [get, free, size, serialize] = match library.standard() {
            Standard::Fmi2 => [
                "fmi2GetFMUstate",
                "fmi2FreeFMUstate",
                "fmi2SerializedFMUstateSize",
                "fmi2SerializeFMUstate",
            ],
            Standard::Fmi3 => [
                "fmi3GetFMUState",
                "fmi3FreeFMUState",
                "fmi3SerializedFMUStateSize",
                "fmi3SerializeFMUState",
            ],
        };
        // SAFETY: these prototypes are those of both versions; a reader is used with an instance, which
        // keeps its library open.
        let functions = unsafe {
            StateFunctions {
                get: library.function(get)?,
                free: library.function(free)?,
                size: library.function(size)?,
                serialize: library.function(serialize)?,
            }
        };
        Ok(StateReader {
            functions,
            bytes: Vec::new(),
        })
    }

    /// Present state of an instance.
    ///
    /// # Errors
    /// A failed call.
    pub(crate) fn read(&mut self, instance: &LiveInstance) -> Result<&[u8], HostError> {
        let StateFunctions {
            get,
            free,
            size,
            serialize,
        } = self.functions;
        let pointer = instance.pointer();
        let mut state: StatePointer = ptr::null_mut();
        // SAFETY: the instance lives; a null state asks for a new one.
        instance.check(get.name, unsafe { (get.call)(pointer, &raw mut state) })?;
        let mut count = 0;
        // SAFETY: the state is one of the instance, until it is freed below.
        let status = unsafe { (size.call)(pointer, state, &raw mut count) };
        let mut result = instance.check(size.name, status);
        if result.is_ok() {
            self.bytes.resize(count, 0);
            // SAFETY: as above; the FMU writes `count` bytes.
            let status =
                unsafe { (serialize.call)(pointer, state, self.bytes.as_mut_ptr(), count) };
            result = instance.check(serialize.name, status);
        }
        // SAFETY: as above; it is not used again.
        let freed = unsafe { (free.call)(pointer, &raw mut state) };
        result.and_then(|()| instance.check(free.name, freed))?;
        Ok(&self.bytes)
    }
}

pub(super) struct FrameMaker {
    states: StateReader,
    twin: Instance,
    known: BTreeMap<PairId, usize>,
}

impl FrameMaker {
    /// # Errors
    /// An FMU of another program or another version; one that cannot save its state.
    pub(crate) fn new(instance: &LiveInstance, kind: Kind) -> Result<FrameMaker, HostError> {
        let library = instance.library();
        let refuse = |reason: String| {
            HostError::Run(format!(
                "a replay shows FMUs of this version of fmu-build only: {reason}"
            ))
        };
        let resources = lifecycle::open(library.folder()).map_err(refuse)?;
        let options = Options {
            standard: library.standard(),
            kind,
            event_mode_used: true,
            early_return_allowed: false,
        };
        let twin = Instance::new(options, resources, Log::new(None, false));
        Ok(FrameMaker {
            states: StateReader::new(library)?,
            twin: twin.map_err(|failure| refuse(failure.message))?,
            known: BTreeMap::new(),
        })
    }

    pub(crate) fn frames(&self) -> Frames {
        let bodies = self.twin.scene().bodies().iter();
        Frames::new(bodies.filter(|body| !body.is_fixed()).count())
    }

    /// Restores the present state of an instance.
    ///
    /// # Errors
    /// A failed call; a state that is not of this scene.
    pub(crate) fn look(&mut self, instance: &LiveInstance, time: f64) -> Result<Look, HostError> {
        let refuse = |failure: Failure| {
            HostError::Run(format!(
                "no frame for the replay at {time} s: {}",
                failure.message
            ))
        };
        let bytes = self.states.read(instance)?;
        let twin = &mut self.twin;
        let state = twin.state_from_bytes(bytes).map_err(refuse)?;
        twin.set_state(&state).map_err(refuse)?;
        let mut poses = Vec::with_capacity(twin.scene().bodies().len());
        twin.each_pose(|pose| poses.push(BodyPose::of(pose)))
            .map_err(refuse)?;
        let mut contacts = Vec::new();
        twin.each_contact_force(|contact| contacts.push(contact))
            .map_err(refuse)?;
        let energies = twin.energies().map_err(refuse)?;
        Ok(Look {
            time,
            poses,
            contacts,
            energies: [energies.kinetic, energies.potential, energies.elastic],
        })
    }

    /// Adds data as the frame of a row.
    pub(crate) fn add(&mut self, frames: &mut Frames, look: Look, row: usize) {
        let (scene, known) = (self.twin.scene(), &mut self.known);
        let contacts = look.contacts.into_iter().map(|contact| {
            let name = || scene.pair_name(contact.pair);
            let pair = frames.pair(name, known.get(&contact.pair).copied());
            known.insert(contact.pair, pair);
            FrameContact {
                pair,
                point: contact.point_w,
                force: contact.force_w,
            }
        });
        let contacts = contacts.collect();
        frames.push(Frame {
            time: look.time,
            row,
            poses: look.poses,
            contacts,
            energies: Some(look.energies),
        });
    }
}

pub(super) struct Look {
    time: f64,
    poses: Vec<BodyPose>,
    contacts: Vec<ContactForce>,
    energies: [f64; 3],
}
