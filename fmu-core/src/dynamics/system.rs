//! The model with its ledger of contacts, as a hybrid system.
//!
//! Evaluations at the same state share their work: placing the bodies is done once, and the gaps
//! of the pairs in contact that the forces needed serve the event indicators too.

use crate::contact::detect::{Detection, Placement};
use crate::contact::{Contact, Ledger};
use crate::dynamics::workspace::Workspace;
use crate::dynamics::{Model, energy, forces, motion, scale};
use crate::hybrid::{EvaluationError, EventOutcome, HybridSystem};
use crate::math::Dual;
use crate::response::PairLaw;
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

/// How much of the workspace belongs to the present state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
enum Stage {
    Nothing,
    Placed,
    Forces,
}

/// The value of an indicator slot that watches no pair [m].
const UNUSED_INDICATOR: f64 = 1.0;

/// The model with its ledger of contacts.
pub struct System {
    model: Model,
    ledger: Ledger,
    /// Laws of the contacts of the ledger, in its order.
    laws: Vec<PairLaw>,
    stage: Stage,
    states: Vec<f64>,
    work: Workspace<f64>,
    detection: Detection,
    changes: Vec<ContactChange>,
    before: Vec<Contact>,
    outputs: Outputs,
}

impl System {
    /// Binds a scene and parameter values.
    ///
    /// # Errors
    /// A parameter out of range; the message names it.
    pub fn new(scene: Arc<Scene>, parameters: &Parameters) -> Result<Self, EvaluationError> {
        let model = Model::bind(&scene, parameters)?;
        let slots = scene.indicator_count();
        Ok(System {
            ledger: Ledger::new(&scene),
            laws: Vec::with_capacity(slots),
            stage: Stage::Nothing,
            states: vec![0.0; scene.layout().count()],
            work: Workspace::new(&model),
            detection: Detection::default(),
            changes: Vec::new(),
            before: Vec::with_capacity(slots),
            outputs: Outputs {
                contact_forces: vec![[0.0; 3]; scene.bodies().len()],
                contact_torques: vec![[0.0; 3]; scene.bodies().len()],
                ..Outputs::default()
            },
            model,
        })
    }

    /// Takes new parameter values; the ledger stays. On error nothing changed.
    ///
    /// # Errors
    /// A parameter out of range; the message names it.
    pub fn rebind(&mut self, parameters: &Parameters) -> Result<(), EvaluationError> {
        self.model = Model::bind(&self.model.scene, parameters)?;
        self.work = Workspace::new(&self.model);
        self.ledger_changed();
        Ok(())
    }

    /// The scene.
    pub fn scene(&self) -> &Arc<Scene> {
        &self.model.scene
    }

    /// The bound model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The discrete state: which pairs are in contact and monitored.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Replaces the discrete state by one taken from [`Self::ledger`] of the same scene.
    pub fn set_ledger(&mut self, ledger: &Ledger) {
        self.ledger.copy_from(ledger);
        self.ledger_changed();
    }

    /// Forgets all contacts, as before initialisation.
    pub fn clear_ledger(&mut self) {
        self.ledger = Ledger::new(&self.model.scene);
        self.ledger_changed();
    }

    /// Quantities beside the derivative at (t, x); shares the work of the other evaluations.
    pub fn outputs(&mut self, _time: f64, states: &[f64]) -> Result<&Outputs, EvaluationError> {
        self.compute_forces(states)?;
        for (index, body) in self.work.bodies.iter().enumerate() {
            self.outputs.contact_forces[index] = body.force_w.into();
            self.outputs.contact_torques[index] = body.torque_w.into();
        }
        self.outputs.contact_count = self.ledger.contacts().len();
        self.outputs.kinetic_energy = energy::kinetic(&self.model, &self.work);
        self.outputs.potential_energy = energy::potential(&self.model, &self.work);
        self.outputs.elastic_energy =
            energy::elastic(self.ledger.contacts(), &self.laws, &self.work);
        Ok(&self.outputs)
    }

    /// What the last event update changed, in pair order; starts and ends.
    pub fn contact_changes(&self) -> &[ContactChange] {
        &self.changes
    }

    /// Relative tolerance that resolves the contacts of this scene, for the default experiment.
    pub fn suggested_tolerance(&self) -> f64 {
        scale::suggested_tolerance(&self.model)
    }

    fn ledger_changed(&mut self) {
        self.laws.clear();
        self.laws.extend(
            self.ledger
                .contacts()
                .iter()
                .map(|contact| self.model.law(contact.pair as usize)),
        );
        self.stage = Stage::Nothing;
    }

    /// Places bodies and shapes, unless they already stand there.
    fn place(&mut self, states: &[f64]) -> Result<(), EvaluationError> {
        if self.stage >= Stage::Placed && self.states == states {
            return Ok(());
        }
        if let Some(index) = states.iter().position(|x| !x.is_finite()) {
            let name = self.model.scene.state_name(index);
            return Err(EvaluationError::discard(format!(
                "state {name} is {}; must be finite",
                states[index]
            )));
        }
        self.states.copy_from_slice(states);
        self.work.place(&self.model, states);
        self.stage = Stage::Placed;
        Ok(())
    }

    fn compute_forces(&mut self, states: &[f64]) -> Result<(), EvaluationError> {
        self.place(states)?;
        if self.stage < Stage::Forces {
            forces::apply(
                &self.model,
                self.ledger.contacts(),
                &self.laws,
                &mut self.work,
            );
            self.stage = Stage::Forces;
        }
        Ok(())
    }

    fn note_changes(&mut self) {
        self.changes.clear();
        let now = self.ledger.contacts();
        let is_in = |contacts: &[Contact], pair: u32| {
            contacts.binary_search_by_key(&pair, |c| c.pair).is_ok()
        };
        for old in self.before.iter().filter(|old| !is_in(now, old.pair)) {
            self.changes.push(ContactChange {
                pair: old.pair as usize,
                impact_speed: None,
            });
        }
        for new in now.iter().filter(|new| !is_in(&self.before, new.pair)) {
            self.changes.push(ContactChange {
                pair: new.pair as usize,
                impact_speed: Some(new.impact_speed),
            });
        }
        self.changes.sort_unstable_by_key(|change| change.pair);
    }
}

impl HybridSystem for System {
    fn state_count(&self) -> usize {
        self.model.scene.layout().count()
    }

    fn indicator_count(&self) -> usize {
        self.model.scene.indicator_count()
    }

    fn nominals(&self, nominals: &mut [f64]) {
        scale::nominals(&self.model, nominals);
    }

    fn derivatives(
        &mut self,
        _time: f64,
        states: &[f64],
        derivatives: &mut [f64],
    ) -> Result<(), EvaluationError> {
        self.compute_forces(states)?;
        motion::derivatives(&self.model, &self.work, states, derivatives);
        if let Some(index) = derivatives.iter().position(|rate| !rate.is_finite()) {
            let name = self.model.scene.state_name(index);
            return Err(EvaluationError::discard(format!(
                "derivative of {name} is {}",
                derivatives[index]
            )));
        }
        Ok(())
    }

    fn indicators(
        &mut self,
        _time: f64,
        states: &[f64],
        indicators: &mut [f64],
    ) -> Result<(), EvaluationError> {
        self.place(states)?;
        let rule = self.model.scene.contact().law.rule;
        let placement = Placement {
            scene: &self.model.scene,
            shape_poses: &self.work.shape_poses,
        };
        for (slot, z) in self.ledger.slots().iter().zip(indicators.iter_mut()) {
            *z = match slot {
                Some(pair) if self.ledger.contact(*pair).is_none() => {
                    rule.indicator(placement.gap(*pair), false)
                }
                _ => UNUSED_INDICATOR,
            };
        }
        for (index, contact) in self.ledger.contacts().iter().enumerate() {
            let gap = match self.stage {
                Stage::Forces => self.work.contact_gaps[index],
                _ => placement.gap(contact.pair),
            };
            indicators[contact.slot as usize] = rule.indicator(gap, true);
        }
        Ok(())
    }

    fn completed_step(&mut self, _time: f64, states: &[f64]) -> Result<bool, EvaluationError> {
        if self.model.scene.monitors_all_pairs() {
            return Ok(false);
        }
        self.place(states)?;
        let placement = Placement {
            scene: &self.model.scene,
            shape_poses: &self.work.shape_poses,
        };
        Ok(self.detection.completed_step(&placement, &mut self.ledger))
    }

    fn update_event(
        &mut self,
        _time: f64,
        states: &mut [f64],
    ) -> Result<EventOutcome, EvaluationError> {
        self.place(states)?;
        self.before.clear();
        self.before.extend_from_slice(self.ledger.contacts());
        let (model, work) = (&self.model, &self.work);
        let placement = Placement {
            scene: &model.scene,
            shape_poses: &work.shape_poses,
        };
        self.detection
            .update_event(&placement, &mut self.ledger, |pair, near| {
                let motion = forces::motion_of(near, model.pair_bodies(pair as usize), work);
                let speed = motion.compression_rate().abs();
                (speed, model.law(pair as usize).damping(speed))
            })
            .map_err(|too_many| EvaluationError::error(too_many.0))?;
        self.note_changes();
        self.ledger_changed();
        Ok(EventOutcome::default())
    }

    /// Exact, by dual numbers: one evaluation for each state.
    fn jacobian(
        &mut self,
        _time: f64,
        states: &[f64],
        jacobian: &mut [f64],
    ) -> Result<(), EvaluationError> {
        self.place(states)?;
        let n = states.len();
        let mut work = Workspace::<Dual>::new(&self.model);
        let mut x: Vec<Dual> = states.iter().map(|v| Dual::from(*v)).collect();
        let mut rates = vec![Dual::from(0.0); n];
        for column in 0..n {
            x[column].eps = 1.0;
            work.place(&self.model, &x);
            forces::apply(&self.model, self.ledger.contacts(), &self.laws, &mut work);
            motion::derivatives(&self.model, &work, &x, &mut rates);
            x[column].eps = 0.0;
            for (entry, rate) in jacobian[column * n..(column + 1) * n]
                .iter_mut()
                .zip(&rates)
            {
                *entry = rate.eps;
            }
        }
        Ok(())
    }
}
