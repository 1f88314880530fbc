//! What an element of a variable means, what it is of and computed from, and the words of FMI for it.

use crate::instance::modes::Standard;
use contact_laws::index::{
    BodyId, ForceId, JointId, LatchId, LawId, MaterialId, MeasurementId, NamedPairId, PairId,
    ReportId, StopId, SumId,
};
use contact_laws::quantity::Feeds;
use contact_laws::quantity::units::DeclaredType;
use contact_model::scene::description::ForceAxes;
use contact_model::scene::{GrainsId, Scene};

/// Families of variables in document order: the rows of [`FAMILIES`](super::families::FAMILIES).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// The independent variable.
    Time,
    /// States by index.
    State,
    /// Their derivatives.
    Derivative,
    /// Parameters by index.
    Parameter,
    /// Inputs by index.
    Input,
    /// Contact force (0..3) and torque (3..6) on a body.
    Wrench,
    /// Numbers about the entire scene.
    Sum,
    /// The smallest distances among the monitored pairs, ascending.
    ClosestDistance,
    /// Distances of named pairs.
    PairDistance,
    /// Poses, reactions, measurements: outputs of the scene by index.
    Output,
    /// Reports of pairs.
    Report,
    /// Sums over the contacts of two bodies or shapes.
    ContactSum,
    /// Intersections of reported pairs.
    Intersection,
    /// Statistics of Co-Simulation.
    Statistic,
    /// Arrays and sums of groups of balls.
    Grain,
    /// Event indicators by index.
    Indicator,
}

/// Meaning of an element of a variable; its address for reading and writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantity {
    /// Its family.
    pub family: Family,
    /// Index of the state, parameter, body, report ... that has it.
    pub of: usize,
    /// Place among the elements that each of these has.
    pub item: usize,
}

impl Family {
    /// The element, or the first one, of what has this index.
    pub const fn of(self, of: usize) -> Quantity {
        self.at(of, 0)
    }

    /// An element of what has the index `of`.
    pub const fn at(self, of: usize, item: usize) -> Quantity {
        Quantity {
            family: self,
            of,
            item,
        }
    }
}

/// What a variable is of; a list of variables is grouped by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// All of the scene.
    Scene,
    /// A body.
    Body(BodyId),
    /// A group of balls.
    Grains(GrainsId),
    /// A joint.
    Joint(JointId),
    /// A force.
    Force(ForceId),
    /// A measurement.
    Measurement(MeasurementId),
    /// A latch.
    Latch(LatchId),
    /// A reported contact.
    Contact(ReportId),
    /// A contact law.
    Law(LawId),
    /// The elastic data of a material.
    Material(MaterialId),
}

impl Subject {
    /// Its name, as structured names of its variables begin: `ball`, `force.push`,
    /// `contact.ball.table_cushion`; empty for the scene.
    pub fn name(self, scene: &Scene) -> String {
        match self {
            Subject::Scene => String::new(),
            Subject::Body(body) => scene.bodies()[body].name.clone(),
            Subject::Grains(group) => scene.grains()[group].name.clone(),
            Subject::Joint(joint) => scene.joints()[joint].name.clone(),
            Subject::Force(force) => format!("force.{}", scene.forces()[force].name),
            Subject::Measurement(index) => format!("measure.{}", scene.measurements()[index].name),
            Subject::Latch(latch) => format!("latch.{}", scene.latches()[latch].name),
            Subject::Contact(report) => {
                let [a, b] = scene.report_names(report).map(|name| flat(&name));
                format!("contact.{a}.{b}")
            }
            Subject::Law(law) => scene.law_prefix(law),
            Subject::Material(material) => format!("material.{}", scene.materials()[material].name),
        }
    }
}

/// `der(ball.position[1])` as `der_ball_position_1`.
pub(super) fn flat(structured: &str) -> String {
    let is_end = |c: char| c == ']' || c == ')';
    let letters = structured.chars().filter(|c| !is_end(*c));
    letters
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect()
}

/// What a quantity is computed from; quantities of one origin have the same dependencies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    pub(super) of: Of,
    pub(super) reads: Feeds,
}

/// Of what a quantity reads something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    Nothing,
    State(usize),
    Body(BodyId),
    /// A body and all that it is accelerated with, and the forces on them.
    Tree(BodyId),
    Joint(JointId),
    Stop(StopId),
    LatchTrigger(LatchId),
    /// What moves with a latch, its command and the time.
    Latch(LatchId),
    /// Bodies of both frames.
    Measurement(MeasurementId),
    /// Contact forces on a body.
    Wrench(BodyId),
    /// All bodies that forces accelerate.
    Bodies,
    /// All that stores energy in the gravity field and in springs.
    Fields,
    /// All contacts and end stops, with their states; if the law is read, also friction of joints.
    Contacts,
    /// Gap, motion or force of a pair.
    Pair(PairId),
    /// The same, and the time.
    PairAtEvent(PairId),
    /// The same of all pairs.
    Pairs,
    NamedPair(NamedPairId),
    ContactSum(SumId),
    /// The same, and the time.
    ContactSumAtEvent(SumId),
}

impl Of {
    pub(super) const fn reads(self, reads: Feeds) -> Origin {
        Origin { of: self, reads }
    }
}

pub(super) const NOTHING: Origin = Of::Nothing.reads(Feeds::NOTHING);
/// Pose and velocity of an element.
pub(super) const TWIST: Feeds = Feeds::POSE.and(Feeds::MOTION);
/// What the force of a pair reads.
pub(super) const FORCE: Feeds = TWIST.and(Feeds::CONTACT);

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

impl DataType {
    /// The type of the functions that get and set it.
    pub(crate) fn of_calls(self, standard: Standard) -> DataType {
        match (self, standard) {
            (DataType::Int64, Standard::Fmi2) => DataType::Int32,
            _ => self,
        }
    }
}

/// An enumeration of words of FMI.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$said:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$said])* $variant,)*
        }

        impl $name {
            /// The word of FMI.
            pub fn word(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)*
                }
            }
        }
    };
}

words! {
    /// Causality in the words of FMI.
    Causality {
        /// The independent variable.
        Independent = "independent",
        /// Set by the user.
        Parameter = "parameter",
        /// From other models.
        Input = "input",
        /// For other models.
        Output = "output",
        /// Inner variable.
        Local = "local",
    }
}

words! {
    /// Variability in the words of FMI.
    Variability {
        /// Constant after initialisation.
        Fixed = "fixed",
        /// Constant between events, where the user may change it.
        Tunable = "tunable",
        /// Changes at events only.
        Discrete = "discrete",
        /// Changes at any time.
        Continuous = "continuous",
    }
}

words! {
    /// Where the value after initialisation comes from.
    Initial {
        /// From the start value.
        Exact = "exact",
        /// Computed.
        Calculated = "calculated",
    }
}

/// What a number is, with unit, point and axes where they matter.
#[derive(Clone, Default)]
pub(super) struct Text {
    /// Starts with a capital.
    what: String,
    point: String,
    axes: &'static str,
    /// The declared type; none if it is no floating-point number.
    pub(super) declared: Option<DeclaredType>,
}

impl Text {
    pub(super) fn new(what: impl Into<String>, declared: impl Into<Option<DeclaredType>>) -> Self {
        Text {
            what: what.into(),
            declared: declared.into(),
            ..Text::default()
        }
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

    /// With names in place of their marks.
    pub(super) fn with(self, names: &[(&str, &str)]) -> Self {
        let what = names
            .iter()
            .fold(self.what, |what, (mark, name)| what.replace(mark, name));
        Text { what, ..self }
    }

    /// Text of the time derivative of a state, of its own type.
    pub(super) fn time_derivative(self, declared: DeclaredType) -> Text {
        let (first, rest) = self.what.split_at(1);
        Text {
            what: format!("Time derivative of {}{rest}", first.to_lowercase()),
            declared: Some(declared),
            ..self
        }
    }

    /// `Position x [m], body origin, world axes`; a truth value has no unit.
    pub(super) fn with_unit(self, data_type: DataType) -> String {
        let unit = self.declared.map_or("1", |declared| declared.unit_text());
        let mut text = match data_type {
            DataType::Boolean => self.what,
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

pub(super) const AXES: &[&str] = &["x", "y", "z"];
pub(super) const QUATERNION: &[&str] = &["w", "x", "y", "z"];

pub(super) fn axes(axes: ForceAxes) -> &'static str {
    match axes {
        ForceAxes::World => "world axes",
        ForceAxes::Body => "body axes",
    }
}

/// Words for scalars or for arrays.
pub(super) struct Words<'a> {
    pub(super) scene: &'a Scene,
    /// Number of elements of an array; none for a scalar.
    pub(super) size: Option<usize>,
}

impl Words<'_> {
    /// A text with the component of these names, or with all of them for an array, in place of `{axis}`;
    /// `{components}` and `{entries}` become words in the right number.
    pub(super) fn fill(&self, text: &str, names: &[&str], index: usize) -> String {
        let all = format!("({})", names.join(", "));
        let [axis, components, entries] = match self.size {
            Some(_) => [all.as_str(), "components", "entries"],
            None => [names[index], "component", "entry"],
        };
        text.replace("{axis}", axis)
            .replace("{components}", components)
            .replace("{entries}", entries)
    }
}
