//! What Co-Simulation has done since the run began, as outputs: the counters of the integrator and
//! its last step. They change in communication steps only, and depend on nothing that an importer
//! can name; in Model Exchange, which has no integrator, they are 0 and false. The scene asks for
//! them, `[experiment] statistics`.
//!
//! A saved state has them, so a resumed run counts on; a reset begins anew.

use super::DataType;
use contact_laws::quantity::units::{self, DeclaredType};
use contact_model::integrator::Memory;

/// A number of the integrator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statistic {
    /// Accepted steps.
    Steps,
    /// Attempts that were given up.
    RejectedSteps,
    /// Evaluations of the state derivatives.
    Evaluations,
    /// Derivatives along a direction, for the Jacobian.
    Directions,
    /// Steps that ended at an event of an indicator.
    Events,
    /// Length of the last accepted step [s].
    LastStep,
    /// The last accepted step was one of the implicit formula.
    Implicit,
    /// Largest overlap in granular mode [m].
    LargestOverlap,
}

use Statistic::*;

/// All of them in document order.
pub const STATISTICS: [Statistic; 8] = [
    Steps,
    RejectedSteps,
    Evaluations,
    Directions,
    Events,
    LastStep,
    Implicit,
    LargestOverlap,
];

impl Statistic {
    /// The value, 1 for true.
    pub(in crate::instance) fn value(self, memory: &Memory) -> f64 {
        let (work, last) = (memory.statistics(), memory.last_step());
        match self {
            Steps => work.steps as f64,
            RejectedSteps => work.rejected_steps as f64,
            Evaluations => work.derivative_calls as f64,
            Directions => work.direction_calls as f64,
            Events => work.events as f64,
            LastStep => last.length,
            Implicit => f64::from(u8::from(last.implicit)),
            LargestOverlap => memory.largest_overlap(),
        }
    }

    /// Type of the variable.
    pub(super) fn data_type(self) -> DataType {
        match self {
            LastStep | LargestOverlap => DataType::Float64,
            Implicit => DataType::Boolean,
            _ => DataType::Int64,
        }
    }

    /// The declared type; none if it is no floating-point number.
    pub(super) fn declared_type(self) -> Option<DeclaredType> {
        match self {
            LastStep => Some(units::TIME),
            LargestOverlap => Some(units::LENGTH),
            _ => None,
        }
    }

    /// Last part of the name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Steps => "steps",
            RejectedSteps => "rejected_steps",
            Evaluations => "evaluations",
            Directions => "directions",
            Events => "events",
            LastStep => "last_step",
            Implicit => "implicit",
            LargestOverlap => "largest_overlap",
        }
    }

    /// What it is.
    pub(super) fn text(self) -> &'static str {
        match self {
            Steps => {
                "Internal steps of Co-Simulation since the start of the run; 0 in Model Exchange"
            }
            RejectedSteps => {
                "Internal steps of Co-Simulation that were tried and rejected since the start of \
                 the run; 0 in Model Exchange"
            }
            Evaluations => {
                "Evaluations of the state derivatives in Co-Simulation since the start of the run, \
                 without those for the Jacobian; 0 in Model Exchange"
            }
            Directions => {
                "Evaluations for the Jacobian of the implicit formula in Co-Simulation since the \
                 start of the run, one for each direction; 0 in Model Exchange"
            }
            Events => {
                "Internal steps of Co-Simulation since the start of the run that ended where a \
                 contact or a stop starts or ends; 0 in Model Exchange"
            }
            LastStep => {
                "Length of the last internal step of Co-Simulation, 0 before the first; 0 in Model \
                 Exchange"
            }
            Implicit => {
                "True if the last internal step of Co-Simulation was one of the implicit formula; \
                 false in Model Exchange"
            }
            LargestOverlap => {
                "Largest overlap of two shapes since the start of the run with experiment.solver = 4 \
                 (dem); 0 with the other solvers"
            }
        }
    }
}
