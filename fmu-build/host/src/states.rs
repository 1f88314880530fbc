//! Frames of a run for its replay, from states of its instance.
//!
//! Variables of an FMU need not show what a replay does. So after each row the FMU writes its state as
//! bytes ([FMI 2.0] section 2.1.8, [FMI 3.0] section 2.2.6.4), and an instance of the same scene in this
//! program takes it and is asked: that works with FMUs of this version of the program only. The run itself
//! goes on as without frames.

use super::c_api::SavedState;
use super::error::HostError;
use super::frames::{BodyPose, Frame, FrameContact, Frames};
use super::instance::LiveInstance;
use contact_laws::index::PairId;
use fmu_core::instance::values::ContactForce;
use fmu_core::instance::{Failure, Instance, Kind, Log, Options, lifecycle};
use std::collections::BTreeMap;

/// The present state of an instance as bytes.
///
/// # Errors
/// A call that fails; a function that the library lacks.
fn saved(instance: &LiveInstance) -> Result<Vec<u8>, HostError> {
    // Asks for a new one.
    let mut state = SavedState::NONE;
    instance.get_state(&mut state)?;
    let (mut count, mut bytes) = (0, Vec::new());
    let written = instance.state_size(state, &mut count).and_then(|()| {
        bytes.resize(count, 0);
        instance.serialize_state(state, &mut bytes)
    });
    let freed = instance.free_state(&mut state);
    written.and(freed)?;
    Ok(bytes)
}

pub(super) struct FrameMaker {
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
        let bytes = saved(instance)?;
        let twin = &mut self.twin;
        let state = twin.state_from_bytes(&bytes).map_err(refuse)?;
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
