//! Tables of variables: a row has name, type, text and the function that reads the value, so a new
//! number is a row here.
//!
//! - `WRENCH`, `SUMS`: contact loads of a body, numbers about the entire scene
//! - `REPORTS`: reported pairs. The pair (1, 2) is ordered as the scene orders its shapes, and its name says so;
//!   the normal points from 1 to 2, forces and torques act on 2, their negatives on 1.
//! - `CONTACT_SUMS`: sums over the contacts of two bodies or shapes, as of a pair
//! - `INTERSECTIONS`: intersections of reported pairs of polyhedra. Where the polyhedra are apart, volume and
//!   area are zero, centroids the middle of the nearest points, normals the direction of the distance, and gaps the
//!   distance.
//! - `STATISTICS`: counters of the integrator and its last step, as Co-Simulation has them since the run began.
//!   They change in communication steps only, and depend on nothing that an importer can name; in Model Exchange,
//!   which has no integrator, they are 0 and false. The scene asks for them, `[experiment] statistics`. A saved
//!   state has them, so a resumed run counts on; a reset begins anew.
//! - `GRAINS`: groups of balls
//!
//! # Groups of balls
//!
//! A ball has no variables of its own. In FMI 3.0 a group has its
//! states as one array, `sand.state` with a row of 13 for each ball, and their derivatives as
//! another; radii, positions and velocities are arrays for those who draw or count. What is meant
//! for other models are sums, scalars in both FMI versions: how many balls, where their centre of
//! mass is, their kinetic energy, and number and mass of those in each region.
//!
//! FMI 2.0 has no arrays: there a group has the sums only. In both versions such an FMU is for
//! Co-Simulation alone: of the 26,000 states of 2,000 balls no importer's solver makes a run.

use super::quantity::{AXES, DataType, FORCE, Of, Origin, TWIST, Text, Variability, Words};
use DataType::{Boolean, Int32, Int64};
use RowType::{Other, Real};
use Variability::{Continuous, Discrete, Fixed};
use contact_laws::index::{BodyId, PairId, SumId, TiVec};
use contact_laws::quantity::Feeds;
use contact_laws::quantity::units::{self, DeclaredType};
use contact_model::contact::Impacts;
use contact_model::dynamics::{
    ContactReport, Intersection, Model, Outputs, ReportNumber, SumReport, pipeline as sums,
};
use contact_model::integrator::Memory;
use contact_model::islands::StepLoad;
use contact_model::scene::forms::GRAIN_STATES;
use contact_model::scene::{Grains, StateLayout};

/// A number, or a vector in world axes, and how it is read.
pub(crate) struct Row<V> {
    pub(super) said: Said,
    pub(crate) own: V,
}

/// What is said of a row.
pub(super) struct Said {
    /// Last part of the name, without index.
    pub(super) name: &'static str,
    /// 3 for a vector, 1 for a number.
    size: usize,
    /// Discrete if the value changes at events or communication points only.
    pub(super) variability: Variability,
    kind: RowType,
    /// Description; `{axis}` is the component, other marks are names.
    text: &'static str,
}

/// Type of a row.
#[derive(Clone, Copy)]
enum RowType {
    /// A floating-point number.
    Real(DeclaredType),
    /// Of another type.
    Other(DataType),
}

const fn row<V>(
    name: &'static str,
    size: usize,
    variability: Variability,
    kind: RowType,
    text: &'static str,
    own: V,
) -> Row<V> {
    let said = Said {
        name,
        size,
        variability,
        kind,
        text,
    };
    Row { said, own }
}

/// An element of a row.
#[derive(Clone, Copy)]
pub(super) struct Cell {
    pub(super) said: &'static Said,
    pub(super) index: usize,
}

impl<V> Row<V> {
    pub(super) fn cell(&'static self, index: usize) -> Cell {
        Cell {
            said: &self.said,
            index,
        }
    }
}

impl Cell {
    /// Of a family that has no table.
    pub(super) const NONE: Cell = {
        static NONE: Row<()> = row("", 1, Continuous, Other(DataType::Float64), "", ());
        Cell {
            said: &NONE.said,
            index: 0,
        }
    };

    pub(super) fn data_type(self) -> DataType {
        match self.said.kind {
            Real(_) => DataType::Float64,
            Other(data_type) => data_type,
        }
    }

    /// The index if the row is a vector.
    pub(super) fn component(self) -> Option<usize> {
        (self.said.size > 1).then_some(self.index)
    }

    /// The name, with the index from 1 of an element of a vector.
    pub(super) fn name(self) -> String {
        match self.component() {
            Some(i) => format!("{}[{}]", self.said.name, i + 1),
            None => self.said.name.into(),
        }
    }

    pub(super) fn text(self, words: &Words<'_>) -> Text {
        let declared = match self.said.kind {
            Real(declared) => Some(declared),
            Other(_) => None,
        };
        let (component, axes) = match self.component() {
            Some(component) => (component, "world axes"),
            None => (0, ""),
        };
        Text::new(words.fill(self.said.text, AXES, component), declared).in_axes(axes)
    }
}

/// Row and component of each element of a table.
const fn elements<V, const N: usize>(rows: &[Row<V>]) -> [[usize; 2]; N] {
    let mut all = [[0, 0]; N];
    let (mut place, mut row) = (0, 0);
    while row < rows.len() {
        let mut index = 0;
        while index < rows[row].said.size {
            all[place] = [row, index];
            (place, index) = (place + 1, index + 1);
        }
        row += 1;
    }
    assert!(place == N, "the rows have so many elements");
    all
}

/// Reads a vector of each body.
type OfBodies = fn(&Outputs) -> &TiVec<BodyId, [f64; 3]>;

/// Contact force and torque of a body.
#[rustfmt::skip]
pub(crate) static WRENCH: [Row<OfBodies>; 2] = [
    row("contact_force", 3, Continuous, Real(units::FORCE), "Contact force on the body along {axis}",
        |outputs| &outputs.contact_forces),
    row("contact_torque", 3, Continuous, Real(units::TORQUE), "Contact torque on the body about {axis}",
        |outputs| &outputs.contact_torques),
];

/// How a number about the entire scene is read.
pub(crate) struct Sum {
    pub(crate) value: fn(&Outputs) -> f64,
    pub(super) origin: Origin,
}

const fn sum(value: fn(&Outputs) -> f64, origin: Origin) -> Sum {
    Sum { value, origin }
}

/// Numbers about the entire scene; the energies follow each other as in the model. `{springs}` and `{stops}` are
/// there where the scene has them.
#[rustfmt::skip]
pub(crate) static SUMS: [Row<Sum>; 4] = [
    row("contact.count", 1, Discrete, Other(Int32), "Number of pairs in contact",
        sum(|outputs| outputs.contact_count as f64, Of::Pairs.reads(Feeds::POSE))),
    row("energy.kinetic", 1, Continuous, Real(units::ENERGY), "Kinetic energy of all bodies",
        sum(|outputs| outputs.kinetic_energy,
            Of::Bodies.reads(Feeds::ORIENTATION.and(Feeds::MOTION).and(Feeds::MASSES)))),
    row("energy.potential", 1, Continuous, Real(units::ENERGY),
        "Potential energy of all bodies in the gravity field{springs}",
        sum(|outputs| outputs.potential_energy,
            Of::Fields.reads(Feeds::POSE.and(Feeds::MASS).and(Feeds::CENTER_OF_MASS)))),
    row("energy.contact_elastic", 1, Continuous, Real(units::ENERGY),
        "Elastic energy of all contacts{stops}",
        sum(|outputs| outputs.elastic_energy, Of::Contacts.reads(Feeds::POSE.and(Feeds::ELASTIC)))),
];

/// What is known of a reported pair: the current state, the history and the last communication step.
pub(crate) struct Reported<'a> {
    pub(crate) report: &'a ContactReport,
    pub(crate) impacts: &'a Impacts,
    pub(crate) load: &'a StepLoad,
}

/// How a number of a report is read.
pub(crate) struct Report {
    /// The value, 1 for true.
    pub(crate) value: fn(&Reported<'_>, usize) -> f64,
    /// The number that has a derivative; none if it changes at events only.
    pub(crate) number: fn(usize) -> Option<ReportNumber>,
    pub(super) of: fn(PairId) -> Of,
    /// What it reads of a contact in a point, and of one over an area, whose point and normal are those of its
    /// pressure.
    pub(super) reads: [Feeds; 2],
}

const fn report(
    value: fn(&Reported<'_>, usize) -> f64,
    number: fn(usize) -> Option<ReportNumber>,
    of: fn(PairId) -> Of,
    reads: [Feeds; 2],
) -> Report {
    Report {
        value,
        number,
        of,
        reads,
    }
}

/// Index of the penetration, the negative gap while the shapes overlap, among the elements of a report.
pub(crate) const PENETRATION: usize = 2;

/// What is reported of a pair. What has happened to it depends, at an event, on what makes the event; the sums
/// of a communication step are of the past.
#[rustfmt::skip]
static REPORTS: [Row<Report>; 16] = {
    use Of::{Pair, PairAtEvent};
    use ReportNumber as N;
    const GAP: [Feeds; 2] = [Feeds::POSE, Feeds::POSE];
    const PLACE: [Feeds; 2] = [Feeds::POSE, FORCE];
    const MOTION: [Feeds; 2] = [TWIST, FORCE];
    const LOAD: [Feeds; 2] = [FORCE, FORCE];
    const fn past(_: PairId) -> Of { Of::Nothing }
    const PAST: [Feeds; 2] = [Feeds::NOTHING; 2];
    [
        row("in_contact", 1, Discrete, Other(Boolean), "True while {1} and {2} are in contact",
            report(|x, _| f64::from(u8::from(x.report.in_contact)), |_| None, Pair, GAP)),
        row("gap", 1, Continuous, Real(units::LENGTH), "Gap between {1} and {2}, negative if they overlap",
            report(|x, _| x.report.gap, |_| Some(N::Gap), Pair, GAP)),
        row("penetration", 1, Continuous, Real(units::LENGTH),
            "Penetration between {1} and {2}, zero if they do not overlap",
            report(|x, _| (-x.report.gap).max(0.0), |_| Some(N::Gap), Pair, GAP)),
        row("gap_rate", 1, Continuous, Real(units::VELOCITY), "Time derivative of the gap between {1} and {2}",
            report(|x, _| x.report.gap_rate, |_| Some(N::GapRate), Pair, MOTION)),
        row("point", 3, Continuous, Real(units::POSITION),
            "Contact point {axis}, middle of the nearest points of {1} and {2}",
            report(|x, i| x.report.point_w[i], |i| Some(N::Point(i)), Pair, PLACE)),
        row("normal", 3, Continuous, Real(units::DIRECTION), "Contact normal from {1} to {2}, component {axis}",
            report(|x, i| x.report.normal_w[i], |i| Some(N::Normal(i)), Pair, PLACE)),
        row("normal_force", 1, Continuous, Real(units::FORCE),
            "Normal contact force between {1} and {2}, positive if repulsive",
            report(|x, _| x.report.normal_force, |_| Some(N::NormalForce), Pair, LOAD)),
        row("tangential_force", 3, Continuous, Real(units::FORCE),
            "Tangential contact force of {1} on {2} along {axis}",
            report(|x, i| x.report.tangential_force_w[i], |i| Some(N::TangentialForce(i)), Pair, LOAD)),
        row("force", 3, Continuous, Real(units::FORCE), "Contact force of {1} on {2} along {axis}",
            report(|x, i| x.report.force_w[i], |i| Some(N::Force(i)), Pair, LOAD)),
        row("slip_speed", 1, Continuous, Real(units::VELOCITY),
            "Sliding speed of {2} relative to {1} at the contact point",
            report(|x, _| x.report.slip_speed, |_| Some(N::SlipSpeed), Pair, MOTION)),
        row("torque", 3, Continuous, Real(units::TORQUE),
            "Torque of rolling and spinning resistance of {1} on {2} about {axis}",
            report(|x, i| x.report.torque_w[i], |i| Some(N::Torque(i)), Pair, LOAD)),
        row("count", 1, Discrete, Other(Int32),
            "Number of contacts between {1} and {2} that have started, including those at the start of the run",
            report(|x, _| f64::from(x.impacts.count), |_| None, Pair, GAP)),
        row("last_impact_time", 1, Discrete, Real(units::TIME),
            "Time at which the last contact between {1} and {2} started, 0 before the first",
            report(|x, _| x.impacts.last_time, |_| None, PairAtEvent, GAP)),
        row("last_impact_speed", 1, Discrete, Real(units::VELOCITY),
            "Normal speed at which the last contact between {1} and {2} started, 0 before the first",
            report(|x, _| x.impacts.last_speed, |_| None, Pair, MOTION)),
        row("impulse", 3, Discrete, Real(units::IMPULSE),
            "Integral of the contact force of {1} on {2} along {axis} over the last communication step, impulses \
             without duration included; in Model Exchange those of the last event",
            report(|x, i| x.load.impulse[i], |_| None, past, PAST)),
        row("peak_force", 1, Discrete, Real(units::FORCE),
            "Largest magnitude of the contact force between {1} and {2} in the last communication step; 0 in Model \
             Exchange",
            report(|x, _| x.load.peak_force, |_| None, past, PAST)),
    ]
};

/// Number of elements of a report.
pub(super) const OF_REPORT: usize = 28;

/// Row of an element of a report, and its component.
#[inline]
pub(crate) fn of_report(item: usize) -> (&'static Row<Report>, usize) {
    static ELEMENTS: [[usize; 2]; OF_REPORT] = elements(&REPORTS);
    let [row, index] = ELEMENTS[item];
    (&REPORTS[row], index)
}

/// What is known of a sum of contacts, as of a pair.
pub(crate) struct Summed<'a> {
    pub(crate) report: &'a SumReport,
    /// Smallest gap [m]; read by the row of it only.
    pub(crate) gap: f64,
    pub(crate) impacts: &'a Impacts,
    pub(crate) load: &'a StepLoad,
}

/// How a number of a sum of contacts is read.
pub(crate) struct OfSum {
    /// The value, 1 for true.
    pub(crate) value: fn(&Summed<'_>, usize) -> f64,
    /// Place of the first component among the numbers of a sum that have a derivative.
    pub(crate) number: Option<usize>,
    pub(super) of: fn(SumId) -> Of,
    pub(super) reads: Feeds,
}

const fn of_sum(
    value: fn(&Summed<'_>, usize) -> f64,
    number: Option<usize>,
    of: fn(SumId) -> Of,
    reads: Feeds,
) -> OfSum {
    OfSum {
        value,
        number,
        of,
        reads,
    }
}

/// Index of the smallest gap among the elements of a sum, which is the distance of its named pair.
pub(crate) const SUM_GAP: usize = 2;

/// What is reported of all contacts between two bodies or shapes; the times as of a pair. `{body}` is the second
/// body.
#[rustfmt::skip]
static CONTACT_SUMS: [Row<OfSum>; 11] = {
    use Of::{ContactSum, ContactSumAtEvent};
    const fn past(_: SumId) -> Of { Of::Nothing }
    [
        row("in_contact", 1, Discrete, Other(Boolean), "True while any shapes of {1} and {2} are in contact",
            of_sum(|x, _| f64::from(u8::from(x.report.contacts > 0)), None, ContactSum, Feeds::POSE)),
        row("contacts", 1, Discrete, Other(Int32), "Number of pairs of shapes of {1} and {2} in contact",
            of_sum(|x, _| x.report.contacts as f64, None, ContactSum, Feeds::POSE)),
        row("gap", 1, Continuous, Real(units::LENGTH),
            "Smallest gap between shapes of {1} and {2}, negative if they overlap",
            of_sum(|x, _| x.gap, None, ContactSum, Feeds::POSE)),
        row("force", 3, Continuous, Real(units::FORCE), "Sum of the contact forces of {1} on {2} along {axis}",
            of_sum(|x, i| x.report.force_w[i], Some(0), ContactSum, FORCE)),
        row("moment", 3, Continuous, Real(units::TORQUE),
            "Sum of the moments of the contact forces of {1} on {2} about the origin of {body}, about {axis}",
            of_sum(|x, i| x.report.moment_w[i], Some(3), ContactSum, FORCE)),
        row("power", 1, Continuous, Real(units::POWER),
            "Power that the contacts of {1} and {2} deliver to both, negative while they take energy",
            of_sum(|x, _| x.report.power, Some(6), ContactSum, FORCE)),
        row("count", 1, Discrete, Other(Int32),
            "Number of contacts between {1} and {2} that have started, including those at the start of the run",
            of_sum(|x, _| f64::from(x.impacts.count), None, ContactSum, Feeds::POSE)),
        row("last_impact_time", 1, Discrete, Real(units::TIME),
            "Time at which the last contact between {1} and {2} started, 0 before the first",
            of_sum(|x, _| x.impacts.last_time, None, ContactSumAtEvent, Feeds::POSE)),
        row("last_impact_speed", 1, Discrete, Real(units::VELOCITY),
            "Normal speed at which the last contact between {1} and {2} started, 0 before the first",
            of_sum(|x, _| x.impacts.last_speed, None, ContactSum, TWIST)),
        row("impulse", 3, Discrete, Real(units::IMPULSE),
            "Integral of the sum of the contact forces of {1} on {2} along {axis} over the last communication step, \
             impulses without duration included; in Model Exchange those of the last event",
            of_sum(|x, i| x.load.impulse[i], None, past, Feeds::NOTHING)),
        row("peak_force", 1, Discrete, Real(units::FORCE),
            "Largest magnitude of the sum of the contact forces between {1} and {2} in the last communication step; \
             0 in Model Exchange",
            of_sum(|x, _| x.load.peak_force, None, past, Feeds::NOTHING)),
    ]
};

/// Number of elements of a sum of contacts.
pub(super) const OF_CONTACT_SUM: usize = 17;

/// Row of an element of a sum of contacts, and its component.
pub(crate) fn of_contact_sum(item: usize) -> (&'static Row<OfSum>, usize) {
    static ELEMENTS: [[usize; 2]; OF_CONTACT_SUM] = elements(&CONTACT_SUMS);
    let [row, index] = ELEMENTS[item];
    (&CONTACT_SUMS[row], index)
}

/// Reads a number of an intersection; the second argument counts for what is kept only.
type OfIntersection = fn(&Intersection, bool, usize) -> f64;

/// What there is of an intersection; those that are smooth come first, in the order of
/// [`Intersection::for_each`].
#[rustfmt::skip]
static INTERSECTIONS: [Row<OfIntersection>; 11] = [
    row("overlap_volume", 1, Continuous, Real(units::VOLUME), "Volume of the intersection of {1} and {2}",
        |x, _, _| x.overlap.volume),
    row("overlap_area", 1, Continuous, Real(units::AREA),
        "Half of the surface area of the intersection of {1} and {2}", |x, _, _| x.overlap.area),
    row("overlap_gap", 1, Continuous, Real(units::LENGTH),
        "Distance between {1} and {2}, or less the smallest translation that parts them",
        |x, _, _| x.overlap.gap),
    row("overlap_published_gap", 1, Continuous, Real(units::LENGTH),
        "Distance between {1} and {2}, or gap along the normal by squares of areas",
        |x, _, _| x.published_gap),
    row("overlap_volume_centroid", 3, Continuous, Real(units::POSITION),
        "Centroid {axis} of the volume of the intersection of {1} and {2}",
        |x, _, i| x.overlap.volume_centroid_w[i]),
    row("overlap_surface_centroid", 3, Continuous, Real(units::POSITION),
        "Centroid {axis} of the surface of the intersection of {1} and {2}",
        |x, _, i| x.overlap.surface_centroid_w[i]),
    row("overlap_normal", 3, Continuous, Real(units::DIRECTION),
        "Normal by vector areas from {1} to {2}, component {axis}", |x, _, i| x.overlap.normal_w[i]),
    row("overlap_squared_normal", 3, Continuous, Real(units::DIRECTION),
        "Normal by squares of areas from {1} to {2}, component {axis}",
        |x, _, i| x.overlap.squared_normal_w[i]),
    row("overlap_surface_1", 1, Continuous, Real(units::FACE),
        "Number of the face of {1} nearest to the centroid of the surface of the intersection of {1} and {2}",
        |x, _, _| (x.overlap.surfaces[0] + 1) as f64),
    row("overlap_surface_2", 1, Continuous, Real(units::FACE),
        "Number of the face of {2} nearest to the centroid of the surface of the intersection of {1} and {2}",
        |x, _, _| (x.overlap.surfaces[1] + 1) as f64),
    row("overlap_kept", 1, Continuous, Real(units::TRUTH),
        "1 if the intersection of {1} and {2} is kept among those of their two bodies, else 0",
        |_, is_kept, _| f64::from(u8::from(is_kept))),
];

/// Number of elements of an intersection that are smooth.
pub(crate) const SMOOTH: usize = 16;
/// The last element of an intersection, which is there if the scene sparsifies: whether it is kept.
pub(crate) const KEPT: usize = 18;

/// Row of an element of an intersection, and its component.
pub(crate) fn of_intersection(item: usize) -> (&'static Row<OfIntersection>, usize) {
    static ELEMENTS: [[usize; 2]; KEPT + 1] = elements(&INTERSECTIONS);
    let [row, index] = ELEMENTS[item];
    (&INTERSECTIONS[row], index)
}

/// Reads a number of the integrator.
type OfMemory = fn(&Memory) -> f64;

/// Numbers of the integrator; 1 for true.
#[rustfmt::skip]
pub(crate) static STATISTICS: [Row<OfMemory>; 8] = [
    row("steps", 1, Discrete, Other(Int64),
        "Internal steps of Co-Simulation since the start of the run; 0 in Model Exchange",
        |memory| memory.statistics().steps as f64),
    row("rejected_steps", 1, Discrete, Other(Int64),
        "Internal steps of Co-Simulation that were tried and rejected since the start of the run; 0 in Model Exchange",
        |memory| memory.statistics().rejected_steps as f64),
    row("evaluations", 1, Discrete, Other(Int64),
        "Evaluations of the state derivatives in Co-Simulation since the start of the run, without those for the \
         Jacobian; 0 in Model Exchange",
        |memory| memory.statistics().derivative_calls as f64),
    row("directions", 1, Discrete, Other(Int64),
        "Evaluations for the Jacobian of the implicit formula in Co-Simulation since the start of the run, one for \
         each direction; 0 in Model Exchange",
        |memory| memory.statistics().direction_calls as f64),
    row("events", 1, Discrete, Other(Int64),
        "Internal steps of Co-Simulation since the start of the run that ended where a contact or a stop starts or \
         ends; 0 in Model Exchange",
        |memory| memory.statistics().events as f64),
    row("last_step", 1, Discrete, Real(units::TIME),
        "Length of the last internal step of Co-Simulation, 0 before the first; 0 in Model Exchange",
        |memory| memory.last_step().length),
    row("implicit", 1, Discrete, Other(Boolean),
        "True if the last internal step of Co-Simulation was one of the implicit formula; false in Model Exchange",
        |memory| f64::from(u8::from(memory.last_step().implicit))),
    row("largest_overlap", 1, Discrete, Real(units::LENGTH),
        "Largest overlap of two shapes since the start of the run with experiment.solver = 4 (dem); 0 with the other \
         solvers",
        |memory| memory.largest_overlap()),
];

// Groups of balls.

/// Components of a vector.
const VECTOR: usize = 3;

/// How a number of a group is read.
#[derive(Clone, Copy)]
pub(crate) struct OfGroup {
    /// The value at states; the last argument is the index in the row.
    pub(crate) value: fn(&Model, &Grains, &[f64], usize) -> f64,
    /// The derivative at states along changes of them; 0 of what is counted.
    pub(crate) slope: fn(&Model, &Grains, [&[f64]; 2], usize) -> f64,
    /// Numbers of the array for each ball; 0 for a sum.
    each: usize,
}

const fn array(each: usize, value: fn(&Model, &Grains, &[f64], usize) -> f64) -> OfGroup {
    OfGroup {
        value,
        slope: |_, _, _, _| 0.0,
        each,
    }
}

const fn counted(value: fn(&Model, &Grains, &[f64], usize) -> f64) -> OfGroup {
    array(0, value)
}

/// What there is of a group beside its states, in document order. The last two rows are those of each region, by
/// its index.
#[rustfmt::skip]
static GRAINS: [Row<OfGroup>; 8] = [
    row("radius", 1, Fixed, Real(units::LENGTH), "Radius of each ball",
        array(1, |_, group, _, i| 0.5 * group.diameters[i])),
    row("position", 1, Continuous, Real(units::POSITION), "Position of each ball, a row (x, y, z) for each", OfGroup {
        slope: |_, group, [_, changes], i| changes[position(group, i)],
        ..array(VECTOR, |_, group, states, i| states[position(group, i)])
    }),
    row("velocity", 1, Continuous, Real(units::VELOCITY), "Velocity of each ball, a row (x, y, z) for each", OfGroup {
        slope: |_, group, [_, changes], i| changes[velocity(group, i)],
        ..array(VECTOR, |_, group, states, i| states[velocity(group, i)])
    }),
    row("count", 1, Discrete, Other(Int32), "Number of balls", counted(|_, group, _, _| group.len() as f64)),
    row("center", VECTOR, Continuous, Real(units::POSITION), "Position {axis} of the centre of mass of all balls", OfGroup {
        slope: |model, group, [_, changes], i| sums::center(model, group, changes)[i],
        ..counted(|model, group, states, i| sums::center(model, group, states)[i])
    }),
    row("kinetic_energy", 1, Continuous, Real(units::ENERGY), "Kinetic energy of the balls", OfGroup {
        slope: |model, group, [states, changes], _| sums::energy_change(model, group, states, changes),
        ..counted(|model, group, states, _| sums::kinetic_energy(model, group, states))
    }),
    row("count", 1, Continuous, Real(units::COEFFICIENT), "Number of balls with their centre in {region}",
        counted(|model, group, states, i| sums::in_region(model, group, &group.regions[i], states).0 as f64)),
    row("mass", 1, Continuous, Real(units::MASS), "Mass of the balls with their centre in {region}",
        counted(|model, group, states, i| sums::in_region(model, group, &group.regions[i], states).1)),
];

/// Rows of a region.
const REGION: usize = 2;
/// First row of a region.
const FIRST_OF_REGION: usize = GRAINS.len() - REGION;

/// State that entry `i` of the positions is.
fn position(group: &Grains, i: usize) -> usize {
    StateLayout::position(group.state(i / VECTOR)).start + i % VECTOR
}

fn velocity(group: &Grains, i: usize) -> usize {
    StateLayout::velocity(group.state(i / VECTOR)).start + i % VECTOR
}

/// Elements of the arrays of a group, and of all.
pub(super) fn grain_counts(group: &Grains) -> [usize; 2] {
    let size = |row: &Row<OfGroup>| row.own.each * group.len();
    let arrays = GRAINS.iter().map(size).sum();
    let sums = GRAINS[..FIRST_OF_REGION]
        .iter()
        .filter(|row| row.own.each == 0);
    let sums: usize = sums.map(|row| row.said.size).sum();
    [arrays, arrays + sums + REGION * group.regions.len()]
}

/// An element of a group: its row and its index in that, or the index of its region.
#[derive(Clone, Copy)]
pub(crate) struct Grain {
    pub(crate) row: &'static Row<OfGroup>,
    pub(crate) index: usize,
    is_of_region: bool,
}

impl Grain {
    pub(super) fn cell(self) -> Cell {
        self.row.cell(self.index)
    }

    /// The element at a place.
    pub(crate) fn of(group: &Grains, mut item: usize) -> Self {
        for row in &GRAINS[..FIRST_OF_REGION] {
            let size = row.said.size.max(row.own.each * group.len());
            if item < size {
                return Grain {
                    row,
                    index: item,
                    is_of_region: false,
                };
            }
            item -= size;
        }
        Grain {
            row: &GRAINS[FIRST_OF_REGION + item % REGION],
            index: item / REGION,
            is_of_region: true,
        }
    }

    /// Index in the array that the element always is an entry of.
    pub(super) fn entry(self) -> Option<usize> {
        (self.row.own.each > 0).then_some(self.index)
    }

    /// Index in a vector that is an array where vectors are.
    pub(super) fn component(self) -> Option<usize> {
        self.entry().or(self.cell().component())
    }

    /// Columns of the array.
    pub(super) fn columns(self) -> Option<usize> {
        (self.row.own.each > 1).then_some(self.row.own.each)
    }

    /// Name, with that of the group: `sand.center[3]`, `sand.out.mass`.
    pub(super) fn name(self, group: &Grains) -> String {
        let (name, place) = (&group.name, self.cell().name());
        match self.columns() {
            _ if self.is_of_region => {
                let region = &group.regions[self.index].name;
                format!("{name}.{region}.{place}")
            }
            Some(columns) => entry(&format!("{name}.{place}"), self.index, columns),
            None => match self.entry() {
                Some(i) => format!("{name}.{place}[{}]", i + 1),
                None => format!("{name}.{place}"),
            },
        }
    }

    pub(super) fn text(self, words: &Words<'_>, group: &Grains) -> Text {
        let text = self.cell().text(words);
        match self.columns() {
            Some(_) => text.at("centre").in_axes("world axes"),
            None if self.is_of_region => {
                text.with(&[("{region}", &group.regions[self.index].name)])
            }
            None => text,
        }
    }
}

/// Name of an entry of a matrix, `sand.position[17,3]`.
fn entry(matrix: &str, index: usize, columns: usize) -> String {
    format!("{matrix}[{},{}]", index / columns + 1, index % columns + 1)
}

/// Name of an entry of the states of a group, `sand.state[17,9]`; `place` counts from its first state.
pub(super) fn grain_state_name(group: &Grains, place: usize) -> String {
    entry(&format!("{}.state", group.name), place, GRAIN_STATES)
}

/// What the states of a group are, of several units.
pub(super) fn grain_state_text() -> Text {
    let what = "States of each ball, a row for each: position (3), quaternion (4) and velocity (3) in \
                world axes, angular velocity (3) in body axes";
    Text::new(what, units::COEFFICIENT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{ball, plate, steel_scene, terrain};
    use crate::instance::modes::Standard;
    use crate::instance::variables::describe::Describer;
    use crate::instance::variables::{Family, Initial, Variable, VariableTable};
    use contact_model::scene::Scene;
    use contact_model::scene::description::{InterfaceOptions, Naming, Report};

    /// A ball over a table of two shapes and a ground of 18 convex parts.
    fn scene(interface: InterfaceOptions) -> Scene {
        let mut table = plate();
        table.name = "table".into();
        let mut cushion = table.shapes[0].clone();
        cushion.name = "cushion".into();
        table.shapes.push(cushion);
        let hills = terrain("hills", 3, 0.5);
        let mut description = steel_scene(vec![table, hills, ball("ball", [0.0, 0.0, 1.0])]);
        description.report = Report::All;
        description.contact.report_parts = true;
        description.interface = interface;
        Scene::new(description).expect("a good scene")
    }

    /// The variables of reports, of names that are distinct.
    fn variables(scene: &Scene, standard: Standard) -> Vec<Variable> {
        let table = VariableTable::new(scene, standard);
        let describer = Describer::new(scene, &table);
        table.check_names(scene).expect("distinct names");
        let all = describer.variables(&vec![1.0; scene.layout().count()]);
        let of_report = |v: &Variable| v.quantity.family == Family::Report;
        all.into_iter().filter(of_report).collect()
    }

    fn find<'a>(variables: &'a [Variable], name: &str) -> &'a Variable {
        variables.iter().find(|v| v.name == name).expect(name)
    }

    #[test]
    fn each_pair_has_its_variables_under_the_names_of_its_shapes() {
        let found = variables(&scene(InterfaceOptions::default()), Standard::Fmi3);
        assert_eq!(found.len(), 20 * 28);
        for pair in ["table_plate", "table_cushion", "hills_1", "hills_18"] {
            for last in [
                "in_contact",
                "gap",
                "penetration",
                "gap_rate",
                "point[1]",
                "normal[2]",
                "normal_force",
                "tangential_force[3]",
                "force[1]",
                "slip_speed",
                "torque[2]",
                "count",
                "last_impact_time",
                "last_impact_speed",
                "impulse[3]",
                "peak_force",
            ] {
                find(&found, &format!("contact.{pair}.ball.{last}"));
            }
        }
    }

    #[test]
    fn elements_and_meanings_of_reports_are_found_from_each_other() {
        let scene = scene(InterfaceOptions::default());
        for standard in [Standard::Fmi2, Standard::Fmi3] {
            let table = VariableTable::new(&scene, standard);
            for (reference, quantity) in table.quantities() {
                assert_eq!(table.reference(quantity), Some(reference), "{quantity:?}");
            }
            for unknown in [
                Family::Report.at(20, 1),
                Family::Report.at(0, OF_REPORT),
                Family::Report.at(1_000_000, 1),
            ] {
                assert_eq!(table.reference(unknown), None);
            }
        }
    }

    #[test]
    fn types_and_variabilities_are_those_of_what_changes_when() {
        let scene = scene(InterfaceOptions::default());
        let found = variables(&scene, Standard::Fmi2);
        for variable in &found {
            let last = variable.name.rsplit('.').next().expect("a name");
            let expected = match last {
                "in_contact" => DataType::Boolean,
                "count" => DataType::Int32,
                _ => DataType::Float64,
            };
            assert_eq!(variable.data_type, expected, "{last}");
            let is_number = expected == DataType::Float64;
            assert_eq!(variable.declared_type.is_some(), is_number, "{last}");
            let discrete = ["in_contact", "count", "last_", "impulse", "peak"];
            let discrete = discrete.iter().any(|start| last.starts_with(start));
            assert_eq!(
                variable.variability == Variability::Discrete,
                discrete,
                "{last}"
            );
            assert_eq!(variable.intermediate, !discrete, "{last}");
            let initial = variable.quantity.initial(&scene);
            assert_eq!(initial, Some(Initial::Calculated));
            assert!(variable.start.is_empty());
        }
    }

    #[test]
    fn texts_name_the_bodies_and_end_with_unit_and_axes() {
        let found = variables(&scene(InterfaceOptions::default()), Standard::Fmi3);
        for (name, text) in [
            (
                "in_contact",
                "True while table.cushion and ball are in contact",
            ),
            (
                "gap",
                "Gap between table.cushion and ball, negative if they overlap [m]",
            ),
            (
                "point[3]",
                "Contact point z, middle of the nearest points of table.cushion and ball [m], world axes",
            ),
            (
                "normal[1]",
                "Contact normal from table.cushion to ball, component x [1], world axes",
            ),
            (
                "tangential_force[2]",
                "Tangential contact force of table.cushion on ball along y [N], world axes",
            ),
            (
                "impulse[1]",
                "Integral of the contact force of table.cushion on ball along x over the last \
                 communication step, impulses without duration included; in Model Exchange those of \
                 the last event [N.s], world axes",
            ),
            (
                "last_impact_speed",
                "Normal speed at which the last contact between table.cushion and ball started, 0 \
                 before the first [m/s]",
            ),
        ] {
            let variable = find(&found, &format!("contact.table_cushion.ball.{name}"));
            assert_eq!(variable.description, text);
        }
        for variable in &found {
            let is_vector = variable.name.ends_with(']');
            assert_eq!(variable.description.ends_with(", world axes"), is_vector);
            let unit = variable.declared_type.map_or("1", |t| t.unit_text());
            let has_unit = variable.description.contains(&format!(" [{unit}]"));
            assert_eq!(has_unit, variable.data_type != DataType::Boolean);
        }
    }

    #[test]
    fn vectors_are_arrays_and_names_flat_where_asked_for() {
        let interface = InterfaceOptions {
            arrays: true,
            naming: Naming::Flat,
            ..InterfaceOptions::default()
        };
        let found = variables(&scene(interface), Standard::Fmi3);
        // Of 28 numbers 18 are the components of six vectors.
        assert_eq!(found.len(), 20 * (10 + 6));
        let force = find(&found, "contact_hills_2_ball_force");
        assert_eq!(force.dimension, Some(3));
        assert_eq!(
            force.description,
            "Contact force of hills[2] on ball along (x, y, z) [N], world axes"
        );
        let count = find(&found, "contact_table_plate_ball_count");
        assert_eq!(count.dimension, None);
    }
}

#[cfg(test)]
mod intersection_tests {
    use crate::fixtures::{ball, plate, steel_scene};
    use crate::instance::modes::Standard;
    use crate::instance::variables::describe::Describer;
    use crate::instance::variables::{DataType, Family, Variability, Variable, VariableTable};
    use contact_geometry::narrow_phase::overlap::Sparsification;
    use contact_model::scene::description::{Form, InterfaceOptions, Report};
    use contact_model::scene::{Scene, SceneDescription};

    /// Two boxes over a plate, all with sharp edges, and a ball; all pairs are reported.
    fn description(interface: InterfaceOptions) -> SceneDescription {
        let mut bodies = vec![
            plate(),
            ball("one", [0.0, 0.0, 1.0]),
            ball("two", [1.0, 0.0, 1.0]),
        ];
        for body in &mut bodies[1..] {
            body.shapes[0].form = Form::Box { lengths: [0.1; 3] };
        }
        for body in &mut bodies {
            body.shapes[0].smoothing_radius = Some(0.0);
        }
        bodies.push(ball("ball", [0.0, 1.0, 1.0]));
        let mut description = steel_scene(bodies);
        description.report = Report::All;
        description.overlap = Report::All;
        description.interface = interface;
        description
    }

    fn scene(interface: InterfaceOptions) -> Scene {
        Scene::new(description(interface)).expect("a good scene")
    }

    fn variables(scene: &Scene, standard: Standard) -> Vec<Variable> {
        let table = VariableTable::new(scene, standard);
        let describer = Describer::new(scene, &table);
        table.check_names(scene).expect("distinct names");
        let all = describer.variables(&vec![1.0; scene.layout().count()]);
        let wanted = |v: &Variable| v.quantity.family == Family::Intersection;
        all.into_iter().filter(wanted).collect()
    }

    #[test]
    fn pairs_of_polyhedra_have_their_variables_beside_those_of_their_report() {
        let scene = scene(InterfaceOptions::default());
        for standard in [Standard::Fmi2, Standard::Fmi3] {
            let found = variables(&scene, standard);
            assert_eq!(found.len(), 3 * 18);
            let volume = &found[2 * 18];
            assert_eq!(volume.name, "contact.one.two.overlap_volume");
            assert_eq!(
                volume.description,
                "Volume of the intersection of one and two [m3]"
            );
            let face = &found[3 * 18 - 1];
            assert_eq!(face.name, "contact.one.two.overlap_surface_2");
            assert!(face.description.starts_with("Number of the face of two"));
            let normal = &found[2 * 18 + 10];
            assert_eq!(normal.name, "contact.one.two.overlap_normal[1]");
            assert!(normal.description.ends_with("component x [1], world axes"));
            for variable in &found {
                assert_eq!(variable.data_type, DataType::Float64);
                assert_eq!(variable.variability, Variability::Continuous);
            }
            let table = VariableTable::new(&scene, standard);
            for (reference, quantity) in table.quantities() {
                assert_eq!(table.reference(quantity), Some(reference), "{quantity:?}");
            }
        }
    }

    #[test]
    fn a_scene_that_sparsifies_has_what_is_kept_as_the_last_element_of_each_pair() {
        let mut description = description(InterfaceOptions::default());
        description.contact.sparsification = Some(Sparsification::DEFAULT);
        let scene = Scene::new(description).expect("a good scene");
        let found = variables(&scene, Standard::Fmi2);
        assert_eq!(found.len(), 3 * 19);
        let kept = &found[3 * 19 - 1];
        assert_eq!(kept.name, "contact.one.two.overlap_kept");
        assert_eq!(
            kept.description,
            "1 if the intersection of one and two is kept among those of their two bodies, else 0 [1]"
        );
        assert_eq!(kept.data_type, DataType::Float64);
        let table = VariableTable::new(&scene, Standard::Fmi2);
        for (reference, quantity) in table.quantities() {
            assert_eq!(table.reference(quantity), Some(reference), "{quantity:?}");
        }
    }

    #[test]
    fn centroids_and_normals_are_arrays_where_asked_for() {
        let interface = InterfaceOptions {
            arrays: true,
            ..InterfaceOptions::default()
        };
        let found = variables(&scene(interface), Standard::Fmi3);
        assert_eq!(found.len(), 3 * 10);
        let vectors = found.iter().filter(|v| v.dimension == Some(3));
        assert_eq!(vectors.count(), 3 * 4);
    }
}
