//! Variables of a reported pair: what they are called, of which type, what they say.
//!
//! The elements of a pair follow each other in the order of [`ITEMS`]. The pair (1, 2) is ordered as
//! the scene orders its shapes, and its name says so; the normal points from 1 to 2, forces and
//! torques act on 2, their negatives on 1.

use super::units::{self, DeclaredType};
use super::{DataType, Variability};
use crate::contact::Impacts;
use crate::dynamics::report::ContactReport;
use crate::instance::impulse::StepLoad;

/// One element of what is reported of a pair; vectors by component 0..3, world axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// Whether the contact acts.
    InContact,
    /// Gap [m], negative where the shapes overlap.
    Gap,
    /// -gap where the shapes overlap, zero elsewhere [m].
    Penetration,
    /// Time derivative of the gap [m/s].
    GapRate,
    /// Contact point, the middle of the nearest points of both shapes, world frame [m].
    Point(usize),
    /// Unit normal from 1 to 2.
    Normal(usize),
    /// Force on 2 along the normal [N].
    NormalForce,
    /// Force on 2 across the normal [N].
    TangentialForce(usize),
    /// Whole force on 2 [N].
    Force(usize),
    /// Speed at which 2 slides over 1 [m/s].
    SlipSpeed,
    /// Torque of rolling and spinning resistance on 2 [N.m].
    Torque(usize),
    /// Number of contacts that have started.
    Count,
    /// Time at which the last one started [s].
    LastImpactTime,
    /// Speed at which the last one started [m/s].
    LastImpactSpeed,
    /// Integral of the force on 2 over the communication step [N.s].
    Impulse(usize),
    /// Largest magnitude of the force in the communication step [N].
    PeakForce,
}

use Item::*;

/// Elements of a reported pair in document order.
#[rustfmt::skip]
pub const ITEMS: [Item; 28] = [
    InContact,
    Gap,
    Penetration,
    GapRate,
    Point(0), Point(1), Point(2),
    Normal(0), Normal(1), Normal(2),
    NormalForce,
    TangentialForce(0), TangentialForce(1), TangentialForce(2),
    Force(0), Force(1), Force(2),
    SlipSpeed,
    Torque(0), Torque(1), Torque(2),
    Count,
    LastImpactTime,
    LastImpactSpeed,
    Impulse(0), Impulse(1), Impulse(2),
    PeakForce,
];

impl Item {
    /// Place among [`ITEMS`]; none for a component that there is not.
    pub(super) fn place(self) -> Option<usize> {
        ITEMS.iter().position(|item| *item == self)
    }

    /// The value, 1 for true, from the present state, the history and the last communication step.
    pub(in crate::instance) fn value(
        self,
        report: &ContactReport,
        impacts: &Impacts,
        load: &StepLoad,
    ) -> f64 {
        match self {
            InContact => f64::from(u8::from(report.in_contact)),
            Gap => report.gap,
            Penetration => (-report.gap).max(0.0),
            GapRate => report.gap_rate,
            Point(i) => report.point_w[i],
            Normal(i) => report.normal_w[i],
            NormalForce => report.normal_force,
            TangentialForce(i) => report.tangential_force_w[i],
            Force(i) => report.force_w[i],
            SlipSpeed => report.slip_speed,
            Torque(i) => report.torque_w[i],
            Count => f64::from(impacts.count),
            LastImpactTime => impacts.last_time,
            LastImpactSpeed => impacts.last_speed,
            Impulse(i) => load.impulse[i],
            PeakForce => load.peak_force,
        }
    }

    /// Type of the variable.
    pub fn data_type(self) -> DataType {
        match self {
            InContact => DataType::Boolean,
            Count => DataType::Int32,
            _ => DataType::Float64,
        }
    }

    /// When the value may change: what happens at events, and what is summed up over a
    /// communication step, is discrete.
    pub fn variability(self) -> Variability {
        match self {
            InContact | Count | LastImpactTime | LastImpactSpeed | Impulse(_) | PeakForce => {
                Variability::Discrete
            }
            _ => Variability::Continuous,
        }
    }

    /// Index in the vector that this is an element of; none for a scalar.
    pub(super) fn component(self) -> Option<usize> {
        match self {
            Point(i) | Normal(i) | TangentialForce(i) | Force(i) | Torque(i) | Impulse(i) => {
                Some(i)
            }
            _ => None,
        }
    }

    /// Last part of the name, with the index of an element.
    pub(super) fn name(self) -> String {
        let name = match self {
            InContact => "in_contact",
            Gap => "gap",
            Penetration => "penetration",
            GapRate => "gap_rate",
            Point(_) => "point",
            Normal(_) => "normal",
            NormalForce => "normal_force",
            TangentialForce(_) => "tangential_force",
            Force(_) => "force",
            SlipSpeed => "slip_speed",
            Torque(_) => "torque",
            Count => "count",
            LastImpactTime => "last_impact_time",
            LastImpactSpeed => "last_impact_speed",
            Impulse(_) => "impulse",
            PeakForce => "peak_force",
        };
        match self.component() {
            Some(i) => format!("{name}[{}]", i + 1),
            None => name.into(),
        }
    }

    /// The declared type; none for what is no floating-point number.
    pub(super) fn declared_type(self) -> Option<DeclaredType> {
        Some(match self {
            InContact | Count => return None,
            Gap | Penetration => units::LENGTH,
            GapRate | SlipSpeed | LastImpactSpeed => units::VELOCITY,
            Point(_) => units::POSITION,
            Normal(_) => units::DIRECTION,
            NormalForce | TangentialForce(_) | Force(_) | PeakForce => units::FORCE,
            Torque(_) => units::TORQUE,
            LastImpactTime => units::TIME,
            Impulse(_) => units::IMPULSE,
        })
    }

    /// What this is of shapes `one` and `two`; `axis` names the components.
    pub(super) fn text(self, [one, two]: [&str; 2], axis: &str) -> String {
        let between = format!("between {one} and {two}");
        match self {
            InContact => format!("Whether {one} and {two} are in contact"),
            Gap => format!("Gap {between}, negative where they overlap"),
            Penetration => format!("Penetration {between}, zero where they do not overlap"),
            GapRate => format!("Time derivative of the gap {between}"),
            Point(_) => {
                format!("Contact point {axis}, middle of the nearest points of {one} and {two}")
            }
            Normal(_) => format!("Contact normal from {one} to {two}, component {axis}"),
            NormalForce => format!("Normal contact force {between}, positive where it pushes"),
            TangentialForce(_) => {
                format!("Contact force of {one} on {two} across the normal, along {axis}")
            }
            Force(_) => format!("Contact force of {one} on {two} along {axis}"),
            SlipSpeed => {
                format!("Speed of {two} against {one} across the normal, at the contact point")
            }
            Torque(_) => {
                format!("Torque of rolling and spinning resistance of {one} on {two} about {axis}")
            }
            Count => format!(
                "Number of contacts {between} that have started, those at the start of the run \
                 included"
            ),
            LastImpactTime => {
                format!("Time at which the last contact {between} started, 0 before the first")
            }
            LastImpactSpeed => format!(
                "Normal speed at which the last contact {between} started, 0 before the first"
            ),
            Impulse(_) => format!(
                "Integral of the contact force of {one} on {two} along {axis} over the last \
                 communication step; 0 in Model Exchange"
            ),
            PeakForce => format!(
                "Largest magnitude of the contact force {between} in the last communication step; \
                 0 in Model Exchange"
            ),
        }
    }

    /// Where the vector is taken; empty for a scalar.
    pub(super) fn axes(self) -> &'static str {
        match self.component() {
            Some(_) => "world axes",
            None => "",
        }
    }
}
