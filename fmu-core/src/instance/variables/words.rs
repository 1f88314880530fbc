//! Words of FMI for a variable, and its text, which ends with unit, reference point and axes.

use crate::instance::modes::Standard;
use contact_model::scene::Scene;
use contact_model::scene::description::ForceAxes;

/// Type of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataType {
    /// 64-bit floating point.
    Float64,
    /// 32-bit signed integer.
    Int32,
    /// 64-bit signed integer; in FMI 2.0, which has none, one of 32 bits.
    Int64,
    /// Truth value.
    Boolean,
}

/// Causality in the words of FMI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Causality {
    /// The independent variable.
    Independent,
    /// Set by the user.
    Parameter,
    /// From other models.
    Input,
    /// For other models.
    Output,
    /// Inner variable.
    Local,
}

impl Causality {
    /// The word of FMI.
    pub fn word(self) -> &'static str {
        match self {
            Causality::Independent => "independent",
            Causality::Parameter => "parameter",
            Causality::Input => "input",
            Causality::Output => "output",
            Causality::Local => "local",
        }
    }
}

/// Variability in the words of FMI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variability {
    /// Constant after initialisation.
    Fixed,
    /// Constant between events, where the user may change it.
    Tunable,
    /// Changes at events only.
    Discrete,
    /// Changes at any time.
    Continuous,
}

impl Variability {
    /// The word of FMI.
    pub fn word(self) -> &'static str {
        match self {
            Variability::Fixed => "fixed",
            Variability::Tunable => "tunable",
            Variability::Discrete => "discrete",
            Variability::Continuous => "continuous",
        }
    }
}

/// Where the value after initialisation comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Initial {
    /// From the start value.
    Exact,
    /// Computed.
    Calculated,
}

impl Initial {
    /// The word of FMI.
    pub fn word(self) -> &'static str {
        match self {
            Initial::Exact => "exact",
            Initial::Calculated => "calculated",
        }
    }
}

impl DataType {
    /// The type of the functions that get and set it.
    pub(crate) fn of_calls(self, standard: Standard) -> DataType {
        match (self, standard) {
            (DataType::Int64, Standard::Fmi2) => DataType::Int32,
            _ => self,
        }
    }
}

/// A name with the index from 1 of an element of a vector.
pub(super) fn indexed(name: &str, component: Option<usize>) -> String {
    match component {
        Some(i) => format!("{name}[{}]", i + 1),
        None => name.into(),
    }
}

pub(super) const AXES: &[&str] = &["x", "y", "z"];
pub(super) const QUATERNION: &[&str] = &["w", "x", "y", "z"];

/// What a variable is, with its point and axes where they matter.
pub(super) struct Text {
    /// Starts with a capital.
    what: String,
    point: String,
    axes: &'static str,
}

impl Text {
    pub(super) fn new(what: String) -> Self {
        Text {
            what,
            point: String::new(),
            axes: "",
        }
    }

    pub(super) fn scalar(what: &str) -> Self {
        Text::new(what.to_owned())
    }

    pub(super) fn at(self, point: impl Into<String>) -> Self {
        Text {
            point: point.into(),
            ..self
        }
    }

    pub(super) fn in_axes(self, axes: &'static str) -> Self {
        Text { axes, ..self }
    }

    /// `Position x [m], body origin, world axes`; without brackets if the unit is empty.
    pub(super) fn with_unit(self, unit: &str) -> String {
        let mut text = match unit {
            "" => self.what,
            _ => format!("{} [{unit}]", self.what),
        };
        for part in [self.point.as_str(), self.axes] {
            if !part.is_empty() {
                text.push_str(", ");
                text.push_str(part);
            }
        }
        text
    }
}

pub(super) fn axes(axes: ForceAxes) -> &'static str {
    match axes {
        ForceAxes::World => "world axes",
        ForceAxes::Body => "body axes",
    }
}

/// Text of the time derivative of a state.
pub(super) fn time_derivative(text: Text) -> Text {
    let mut letters = text.what.chars();
    let first = letters.next().map(|c| c.to_ascii_lowercase());
    let what = first.into_iter().chain(letters).collect::<String>();
    Text {
        what: format!("Time derivative of {what}"),
        ..text
    }
}

/// Words for scalars or for arrays.
pub(super) struct Words<'a> {
    pub scene: &'a Scene,
    pub is_array: bool,
}

impl Words<'_> {
    /// `x`, or `(x, y, z)` for an array.
    pub(super) fn component(&self, names: &[&str], index: usize) -> String {
        match self.is_array {
            true => format!("({})", names.join(", ")),
            false => names[index].to_owned(),
        }
    }

    /// The word in the number that the components have.
    pub(super) fn number(&self, singular: &'static str, plural: &'static str) -> &'static str {
        match self.is_array {
            true => plural,
            false => singular,
        }
    }
}
