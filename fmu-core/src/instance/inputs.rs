//! Inputs: who may set them, and what that does to a run.
//!
//! In Model Exchange, and before initialisation ends, the inputs apply at the current time;
//! setting them costs a copy and is no event, since some importers set them at each evaluation. In
//! Co-Simulation they are those of the instant at which they were set last: driven bodies move on
//! from there with their velocities. If only some of them are set, the others have moved on to the
//! current time, so nothing jumps back.
//!
//! In Co-Simulation an input that was given another value between two steps is an event: a driven
//! body may overlap another one now. Contacts are updated, from those of the communication
//! point, when something is evaluated there or the next step begins, and the integrator restarts.
//! Values that cannot be used (not finite, an orientation that is no rotation) are rejected when
//! they are set, if one number suffices to see it, and otherwise by evaluations, until better ones
//! are set: an importer may set four components by four calls.

use crate::instance::failure::Failure;
use crate::instance::lifecycle::Instance;
use crate::instance::modes::{Kind, Mode};
use crate::instance::variables::Quantity;
use contact_geometry::math::quaternion;
use contact_laws::index::{InputId, TiSlice, TiVec};
use contact_model::scene::{Input, Scene};
use serde::{Deserialize, Serialize};

/// Inputs as last set, and when; in Co-Simulation driven bodies move by them from then on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Inputs {
    /// As last set.
    pub values: TiVec<InputId, f64>,
    /// What the model has at `since`: the same, or moved on to there.
    pub held: TiVec<InputId, f64>,
    /// When they were set last [s].
    pub since: f64,
    /// What they have done since the last communication step.
    pub change: InputChange,
}

/// What setting inputs between two communication steps has led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum InputChange {
    /// They have the values that the last step had.
    None,
    /// They have others, and contacts are still those of the communication point.
    Pending,
    /// Contacts were updated for them.
    Taken,
}

impl Inputs {
    /// As after instantiation.
    pub fn start(scene: &Scene) -> Self {
        Inputs {
            values: scene.start_inputs(),
            held: scene.start_inputs(),
            since: scene.experiment().start_time,
            change: InputChange::None,
        }
    }

    /// Contacts are those of the current inputs.
    pub fn settle(&mut self) {
        if self.change == InputChange::Pending {
            self.change = InputChange::Taken;
        }
    }

    /// Returns true if these can belong to `scene`.
    pub fn fits(&self, scene: &Scene) -> bool {
        let count = scene.inputs().len();
        self.values.len() == count && self.held.len() == count
    }
}

impl Instance {
    /// Checks that an input may be set to a value now, [`Self::set_input`].
    ///
    /// # Errors
    /// A value that is not finite: a discard in a running simulation, where the importer may take a
    /// smaller step.
    pub(super) fn check_input(&self, index: InputId, value: f64) -> Result<(), Failure> {
        if value.is_finite() {
            return Ok(());
        }
        let name = self.element_name(Quantity::Input(index));
        let text = format!("value of input {name} is {value}; it must be finite");
        Err(match self.run.mode {
            Mode::Instantiated | Mode::Initialization => Failure::error(text),
            _ => Failure::discard(text),
        })
    }

    /// Sets an input; [`Self::hold_inputs`] follows the last one of a call.
    pub(super) fn set_input(&mut self, index: InputId, value: f64) {
        self.move_inputs_on();
        let inputs = &mut self.run.inputs;
        inputs.values[index] = value;
        if inputs.held[index].to_bits() == value.to_bits() {
            return;
        }
        inputs.held[index] = value;
        match self.run.mode {
            Mode::Event => self.states_moved(),
            Mode::Step => {
                if inputs.change == InputChange::None {
                    self.entry.copy_from(self.system.ledger());
                }
                inputs.change = InputChange::Pending;
            }
            Mode::Instantiated | Mode::Initialization => self.start.valid = false,
            _ => {}
        }
    }

    /// Has the model see the inputs.
    pub(super) fn hold_inputs(&mut self) {
        let since = self.holds_inputs().then_some(self.run.inputs.since);
        self.system.set_inputs(&self.run.inputs.held.raw, since);
        self.touch();
    }

    /// Returns true if inputs are those of an instant, not of the current time.
    fn holds_inputs(&self) -> bool {
        let starts = matches!(self.run.mode, Mode::Instantiated | Mode::Initialization);
        self.options.kind == Kind::CoSimulation && !starts
    }

    /// Returns true if driven bodies have moved on since the inputs were set.
    pub(super) fn inputs_have_moved(&self) -> bool {
        self.holds_inputs() && self.run.inputs.since != self.run.time
    }

    /// When initialisation ends, driven bodies start to move.
    pub(super) fn start_inputs(&mut self) {
        self.run.inputs.since = self.run.time;
        self.hold_inputs();
    }

    /// The inputs of driven bodies moved on to the current time, before one is set.
    fn move_inputs_on(&mut self) {
        let have_moved = self.inputs_have_moved();
        self.run.inputs.since = self.run.time;
        if !have_moved {
            return;
        }
        let mut held = std::mem::take(&mut self.run.inputs.held);
        self.move_on(&mut held);
        self.run.inputs.held = held;
    }

    /// Writes the inputs that the model has, moved on to the current time.
    pub(super) fn write_moved_inputs(&mut self, moved: &mut TiSlice<InputId, f64>) {
        moved.copy_from_slice(&self.run.inputs.held);
        self.move_on(moved);
    }

    /// Moves inputs of driven bodies that the model has on to the current time.
    fn move_on(&mut self, held: &mut TiSlice<InputId, f64>) {
        // Where a pose cannot be used there is nothing to move on.
        let there = self.system.go_to(self.run.time, &self.run.states);
        if there.is_err() {
            return;
        }
        for (input, held) in self.scene.inputs().iter().zip(held) {
            let mut pose = |body| self.system.body_here(body).ok().map(|(pose, _)| pose);
            let moved = match *input {
                Input::Position(body, i) => pose(body).map(|pose| pose.position[i]),
                Input::Orientation(body, i) => pose(body).map(|p| quaternion(&p.rotation)[i]),
                Input::Rotation(body, i) => pose(body).map(|p| p.rotation[(i / 3, i % 3)]),
                _ => None,
            };
            *held = moved.unwrap_or(*held);
        }
    }

    /// Updates the contacts for inputs that were set since the last communication step.
    ///
    /// # Errors
    /// Inputs that cannot be used; they wait for better ones.
    pub(super) fn take_inputs(&mut self) -> Result<(), Failure> {
        self.system.set_ledger(&self.entry);
        self.handle_event()?;
        self.run.inputs.settle();
        Ok(())
    }
}
