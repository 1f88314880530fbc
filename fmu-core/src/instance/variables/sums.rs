//! Variables of a sum over the contacts of two bodies or shapes: one row each.
//!
//! As for a pair, forces, moments and impulses act on the second body, their negatives on the first.

use super::words::{DataType, indexed};
use contact_laws::quantity::units;
use contact_laws::quantity::units::DeclaredType;
use contact_model::contact::Impacts;
use contact_model::dynamics::SumReport;
use contact_model::islands::StepLoad;

/// Present values of a sum.
pub(in crate::instance) struct SumValues<'a> {
    pub report: &'a SumReport,
    /// Smallest gap [m].
    pub gap: f64,
    pub impacts: &'a Impacts,
    pub load: &'a StepLoad,
}

/// What a number of a sum is among [`OutputPlaces`](contact_model::dynamics::OutputPlaces).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::instance) enum SumNumber {
    /// The distance of the named pair.
    Gap,
    /// A number of the sum.
    Own(usize),
    /// Changes at events and communication points only.
    Discrete,
}

struct SumRow {
    name: &'static str,
    /// 3 for a vector, world axes.
    size: usize,
    data_type: DataType,
    declared: Option<DeclaredType>,
    /// Place of the first component.
    number: SumNumber,
    /// `{1}` and `{2}` are the names, `{body}` that of the second body, `{axis}` the component.
    text: &'static str,
    value: fn(&SumValues, usize) -> f64,
}

#[rustfmt::skip]
static ROWS: [SumRow; 11] = {
    use DataType::{Boolean, Float64, Int32};
    use SumNumber::{Discrete, Gap, Own};
    [
        row("in_contact", 1, Boolean, None, Discrete, "True while any shapes of {1} and {2} are in contact",
            |of, _| f64::from(u8::from(of.report.contacts > 0))),
        row("contacts", 1, Int32, None, Discrete, "Number of pairs of shapes of {1} and {2} in contact",
            |of, _| of.report.contacts as f64),
        row("gap", 1, Float64, Some(units::LENGTH), Gap,
            "Smallest gap between shapes of {1} and {2}, negative if they overlap", |of, _| of.gap),
        row("force", 3, Float64, Some(units::FORCE), Own(0), "Sum of the contact forces of {1} on {2} along {axis}",
            |of, i| of.report.force_w[i]),
        row("moment", 3, Float64, Some(units::TORQUE), Own(3),
            "Sum of the moments of the contact forces of {1} on {2} about the origin of {body}, about {axis}",
            |of, i| of.report.moment_w[i]),
        row("power", 1, Float64, Some(units::POWER), Own(6),
            "Power that the contacts of {1} and {2} deliver to both, negative while they take energy",
            |of, _| of.report.power),
        row("count", 1, Int32, None, Discrete,
            "Number of contacts between {1} and {2} that have started, including those at the start of the run",
            |of, _| f64::from(of.impacts.count)),
        row("last_impact_time", 1, Float64, Some(units::TIME), Discrete,
            "Time at which the last contact between {1} and {2} started, 0 before the first",
            |of, _| of.impacts.last_time),
        row("last_impact_speed", 1, Float64, Some(units::VELOCITY), Discrete,
            "Normal speed at which the last contact between {1} and {2} started, 0 before the first",
            |of, _| of.impacts.last_speed),
        row("impulse", 3, Float64, Some(units::IMPULSE), Discrete,
            "Integral of the sum of the contact forces of {1} on {2} along {axis} over the last communication step, \
             impulses without duration included; in Model Exchange those of the last event",
            |of, i| of.load.impulse[i]),
        row("peak_force", 1, Float64, Some(units::FORCE), Discrete,
            "Largest magnitude of the sum of the contact forces between {1} and {2} in the last communication step; \
             0 in Model Exchange",
            |of, _| of.load.peak_force),
    ]
};

const fn row(
    name: &'static str,
    size: usize,
    data_type: DataType,
    declared: Option<DeclaredType>,
    number: SumNumber,
    text: &'static str,
    value: fn(&SumValues, usize) -> f64,
) -> SumRow {
    SumRow {
        name,
        size,
        data_type,
        declared,
        number,
        text,
        value,
    }
}

/// Number of elements of a sum.
pub(super) const SUM_ITEMS: usize = 17;

/// An element of a sum: its row and component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SumItem {
    row: u8,
    component: u8,
}

impl SumItem {
    /// The element at a place, < [`SUM_ITEMS`].
    pub(super) fn at(place: usize) -> Self {
        let mut before = 0;
        for (row, of) in ROWS.iter().enumerate() {
            if place < before + of.size {
                return SumItem {
                    row: row as u8,
                    component: (place - before) as u8,
                };
            }
            before += of.size;
        }
        SumItem::at(0)
    }

    pub(super) fn place(self) -> usize {
        let before = ROWS[..usize::from(self.row)].iter().map(|row| row.size);
        before.sum::<usize>() + usize::from(self.component)
    }

    fn row(self) -> &'static SumRow {
        &ROWS[usize::from(self.row)]
    }

    pub(in crate::instance) fn number(self) -> SumNumber {
        match self.row().number {
            SumNumber::Own(first) => SumNumber::Own(first + usize::from(self.component)),
            other => other,
        }
    }

    pub(super) fn is_discrete(self) -> bool {
        self.row().number == SumNumber::Discrete
    }

    /// Returns true if the contacts of the last steps and events give the value.
    pub(super) fn is_of_past(self) -> bool {
        matches!(self.row().name, "impulse" | "peak_force")
    }

    pub(super) fn data_type(self) -> DataType {
        self.row().data_type
    }

    pub(super) fn declared_type(self) -> Option<DeclaredType> {
        self.row().declared
    }

    /// Index in the vector; `None` for a scalar.
    pub(super) fn component(self) -> Option<usize> {
        (self.row().size > 1).then_some(usize::from(self.component))
    }

    pub(super) fn name(self) -> String {
        indexed(self.row().name, self.component())
    }

    pub(super) fn text(self, [one, two]: [&str; 2], axis: &str) -> String {
        let body = two.split_once('.').map_or(two, |(body, _)| body);
        let text = self.row().text.replace("{1}", one).replace("{2}", two);
        text.replace("{body}", body).replace("{axis}", axis)
    }

    pub(in crate::instance) fn value(self, of: &SumValues) -> f64 {
        (self.row().value)(of, usize::from(self.component))
    }
}
