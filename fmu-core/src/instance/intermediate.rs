//! Intermediate update: between the communication points of a step the importer is called after
//! each accepted internal step, may read variables there and may request an early return.
//!
//! A step with a listener stops at each of these points in Intermediate Update Mode, so that
//! nothing refers to the instance while the importer reads it: [`Instance::begin_step`] and
//! [`Instance::continue_step`] return [`Progress`]. Source: [FMI 3.0] section 4.2.2.

use crate::instance::co_simulation::StepOutcome;
use crate::instance::failure::Failure;
use crate::instance::lifecycle::Instance;
use crate::instance::modes::Mode;
use std::rc::Rc;

/// A point inside a communication step at which the importer may read variables. Events that the
/// instance handles itself are handled there already, as at a communication point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntermediatePoint {
    /// Time [s]; it never goes back.
    pub time: f64,
    /// The step may end before its end.
    pub can_return_early: bool,
}

/// Called at the points inside communication steps.
pub trait StepListener {
    /// Called at a point. Returns the time [s] of an early return, none if the step goes on. Reads
    /// the instance through its C functions, so no reference to it may exist meanwhile.
    fn intermediate_update(&self, point: IntermediatePoint) -> Option<f64>;
}

/// How far a communication step has come.
#[derive(Clone, Debug, PartialEq)]
pub enum Progress {
    /// It has stopped inside; tell the listener, then go on with [`Instance::continue_step`].
    Intermediate(IntermediatePoint),
    /// It has ended.
    Done(StepOutcome),
}

/// What the importer has said about intermediate updates.
#[derive(Default)]
pub(super) struct Intermediate {
    listener: Option<Rc<dyn StepListener>>,
    /// Value references of the variables the importer wants to read, ascending.
    required: Vec<u32>,
}

impl Instance {
    /// From now on communication steps stop at each accepted internal step for `listener`, who
    /// reads the variables `required` there; by leniency also others.
    ///
    /// # Errors
    /// An unknown value reference; for a strict instance also one of a variable that has no
    /// intermediate values.
    pub fn watch_steps(
        &mut self,
        listener: Option<Rc<dyn StepListener>>,
        required: &[u32],
    ) -> Result<(), Failure> {
        let refuse = |reason| {
            let argument = "argument requiredIntermediateVariables";
            Err(Failure::error(format!("{argument}: {reason}")))
        };
        for reference in required {
            let Some(quantity) = self.table.quantity(*reference) else {
                return refuse(self.unknown(*reference).message);
            };
            if self.rules().strict && !self.table.has_intermediate_values(quantity) {
                return refuse(format!(
                    "variable {} (value reference {reference}) has no intermediateUpdate in the \
                     model description",
                    self.name(quantity)
                ));
            }
        }
        let mut required = required.to_vec();
        required.sort_unstable();
        self.intermediate = Intermediate { listener, required };
        Ok(())
    }

    /// The listener of communication steps.
    pub fn step_listener(&self) -> Option<Rc<dyn StepListener>> {
        self.intermediate.listener.clone()
    }

    /// Refuses to read variables inside a communication step that were not announced, if the
    /// instance is strict.
    pub(super) fn check_intermediate(&self, references: &[u32]) -> Result<(), Failure> {
        if self.run.mode != Mode::IntermediateUpdate || !self.rules().strict {
            return Ok(());
        }
        let known = &self.intermediate.required;
        match references.iter().find(|r| known.binary_search(r).is_err()) {
            None => Ok(()),
            Some(reference) => Err(Failure::error(format!(
                "value reference {reference} is not in requiredIntermediateVariables, so it \
                 cannot be read in Intermediate Update Mode"
            ))),
        }
    }

    /// Returns true if communication steps stop at their inner points.
    pub(super) fn is_watched(&self) -> bool {
        self.intermediate.listener.is_some()
    }
}
