//! Motion of the bodies under gravity and contact.

use crate::contact::Ledger;
use crate::hybrid::{EvaluationError, EventOutcome, HybridSystem};
use crate::scene::{Parameters, Scene};
use std::sync::Arc;

/// Quantities computed from a state beside its derivative.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Outputs {
    /// Contact force on each body, world axes [N].
    pub contact_forces: Vec<[f64; 3]>,
    /// Contact torque on each body about its origin, world axes [N.m].
    pub contact_torques: Vec<[f64; 3]>,
    /// Number of pairs in contact.
    pub contact_count: usize,
    /// Kinetic energy [J].
    pub kinetic_energy: f64,
    /// Potential energy in the gravity field [J].
    pub potential_energy: f64,
    /// Energy stored in the contacts [J].
    pub elastic_energy: f64,
}

/// A contact that started or ended at the last event update.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactChange {
    /// Index of the pair.
    pub pair: usize,
    /// Impact speed where the contact started [m/s]; none where it ended.
    pub impact_speed: Option<f64>,
}

/// The model with its ledger of contacts.
pub struct System {
    scene: Arc<Scene>,
}

impl System {
    /// Binds a scene and parameter values; an error names the parameter out of range.
    pub fn new(scene: Arc<Scene>, _parameters: &Parameters) -> Result<Self, EvaluationError> {
        Ok(System { scene })
    }

    /// Takes new parameter values; the ledger stays. On error nothing changed.
    pub fn rebind(&mut self, _parameters: &Parameters) -> Result<(), EvaluationError> {
        unimplemented!()
    }

    /// The scene.
    pub fn scene(&self) -> &Arc<Scene> {
        &self.scene
    }

    /// The discrete state: which pairs are in contact and monitored.
    pub fn ledger(&self) -> &Ledger {
        unimplemented!()
    }

    /// Replaces the discrete state by one taken from [`Self::ledger`] of the same scene.
    pub fn set_ledger(&mut self, _ledger: &Ledger) {
        unimplemented!()
    }

    /// Forgets all contacts, as before initialisation.
    pub fn clear_ledger(&mut self) {
        unimplemented!()
    }

    /// First event update, at the end of initialisation: finds the contacts at the start.
    pub fn initialize(
        &mut self,
        _time: f64,
        _states: &mut [f64],
    ) -> Result<EventOutcome, EvaluationError> {
        unimplemented!()
    }

    /// Quantities beside the derivative at (t, x); cached for the same state as the last call.
    pub fn outputs(&mut self, _time: f64, _states: &[f64]) -> Result<&Outputs, EvaluationError> {
        unimplemented!()
    }

    /// What the last event update changed, in pair order.
    pub fn contact_changes(&self) -> &[ContactChange] {
        unimplemented!()
    }

    /// Relative tolerance that resolves the contacts of this scene, for the default experiment.
    pub fn suggested_tolerance(&self) -> f64 {
        unimplemented!()
    }
}

impl HybridSystem for System {
    fn state_count(&self) -> usize {
        unimplemented!()
    }
    fn indicator_count(&self) -> usize {
        unimplemented!()
    }
    fn nominals(&self, _nominals: &mut [f64]) {
        unimplemented!()
    }
    fn derivatives(
        &mut self,
        _time: f64,
        _states: &[f64],
        _derivatives: &mut [f64],
    ) -> Result<(), EvaluationError> {
        unimplemented!()
    }
    fn indicators(
        &mut self,
        _time: f64,
        _states: &[f64],
        _indicators: &mut [f64],
    ) -> Result<(), EvaluationError> {
        unimplemented!()
    }
    fn completed_step(&mut self, _time: f64, _states: &[f64]) -> Result<bool, EvaluationError> {
        unimplemented!()
    }
    fn update_event(
        &mut self,
        _time: f64,
        _states: &mut [f64],
    ) -> Result<EventOutcome, EvaluationError> {
        unimplemented!()
    }
}
