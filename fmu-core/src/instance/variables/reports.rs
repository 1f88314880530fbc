//! Variables of a reported pair: name, type, variability and description.
//!
//! The elements of a pair follow each other in the order of [`ITEMS`]. The pair (1, 2) is ordered
//! as the scene orders its shapes, and its name says so; the normal points from 1 to 2, forces and
//! torques act on 2, their negatives on 1.
//!
//! # What Co-Simulation has done since the run began, as outputs
//!
//! The counters of the integrator and its last step. They change in communication steps only, and
//! depend on nothing that an importer can name; in Model Exchange, which has no integrator, they
//! are 0 and false. The scene asks for them, `[experiment] statistics`.
//!
//! A saved state has them, so a resumed run counts on; a reset begins anew.

use super::words::{DataType, Variability, indexed};
use ReportItem::*;
use Statistic::*;
use contact_laws::quantity::units;
use contact_laws::quantity::units::DeclaredType;
use contact_model::contact::Impacts;
use contact_model::dynamics::{ContactReport, ReportNumber};
use contact_model::integrator::Memory;
use contact_model::islands::StepLoad;
use contact_model::scene::description::{Coordinate, JointKind};

/// One element of what is reported of a pair; vectors by component 0..3, world axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportItem {
    /// True while the contact acts.
    InContact,
    /// Gap [m], negative if the shapes overlap.
    Gap,
    /// -gap if the shapes overlap, else zero [m].
    Penetration,
    /// Time derivative of the gap [m/s].
    GapRate,
    /// Contact point, the middle of the nearest points of both shapes, world frame [m].
    Point(usize),
    /// Unit normal from 1 to 2.
    Normal(usize),
    /// Force on 2 along the normal [N].
    NormalForce,
    /// Tangential force on 2 [N].
    TangentialForce(usize),
    /// Total force on 2 [N].
    Force(usize),
    /// Sliding speed of 2 relative to 1 [m/s].
    SlipSpeed,
    /// Torque of rolling and spinning resistance on 2 [N.m].
    Torque(usize),
    /// Number of contacts that have started.
    Count,
    /// Time at which the last one started [s].
    LastImpactTime,
    /// Speed at which the last one started [m/s].
    LastImpactSpeed,
    /// Integral of the force on 2 over the communication step, with impulses without duration [N.s]; in
    /// Model Exchange those of the last event.
    Impulse(usize),
    /// Largest magnitude of the force in the communication step [N].
    PeakForce,
}

/// Elements of a reported pair in document order.
#[rustfmt::skip]
pub(crate) const ITEMS: [ReportItem; 28] = [
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

impl ReportItem {
    /// Index in [`ITEMS`]; none for a component that does not exist.
    pub(super) fn place(self) -> Option<usize> {
        ITEMS.iter().position(|item| *item == self)
    }

    /// The value, 1 for true, from the current state, the history and the last communication step.
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

    /// The number of the report that this is; none for what is discrete, and for the penetration.
    pub(in crate::instance) fn number(self) -> Option<ReportNumber> {
        Some(match self {
            Gap => ReportNumber::Gap,
            GapRate => ReportNumber::GapRate,
            Point(i) => ReportNumber::Point(i),
            Normal(i) => ReportNumber::Normal(i),
            NormalForce => ReportNumber::NormalForce,
            TangentialForce(i) => ReportNumber::TangentialForce(i),
            Force(i) => ReportNumber::Force(i),
            SlipSpeed => ReportNumber::SlipSpeed,
            Torque(i) => ReportNumber::Torque(i),
            InContact | Penetration | Count | LastImpactTime | LastImpactSpeed | Impulse(_)
            | PeakForce => return None,
        })
    }

    /// Type of the variable.
    pub(crate) fn data_type(self) -> DataType {
        match self {
            InContact => DataType::Boolean,
            Count => DataType::Int32,
            _ => DataType::Float64,
        }
    }

    /// Discrete if the value changes at events or communication points only.
    pub(crate) fn variability(self) -> Variability {
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
        indexed(name, self.component())
    }

    /// The declared type; none if it is no floating-point number.
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

    /// Description for the shapes `one` and `two`; `axis` names the components.
    pub(super) fn text(self, [one, two]: [&str; 2], axis: &str) -> String {
        let between = format!("between {one} and {two}");
        match self {
            InContact => format!("True while {one} and {two} are in contact"),
            Gap => format!("Gap {between}, negative if they overlap"),
            Penetration => format!("Penetration {between}, zero if they do not overlap"),
            GapRate => format!("Time derivative of the gap {between}"),
            Point(_) => {
                format!("Contact point {axis}, middle of the nearest points of {one} and {two}")
            }
            Normal(_) => format!("Contact normal from {one} to {two}, component {axis}"),
            NormalForce => format!("Normal contact force {between}, positive if repulsive"),
            TangentialForce(_) => {
                format!("Tangential contact force of {one} on {two} along {axis}")
            }
            Force(_) => format!("Contact force of {one} on {two} along {axis}"),
            SlipSpeed => {
                format!("Sliding speed of {two} relative to {one} at the contact point")
            }
            Torque(_) => {
                format!("Torque of rolling and spinning resistance of {one} on {two} about {axis}")
            }
            Count => format!(
                "Number of contacts {between} that have started, including those at the start of \
                 the run"
            ),
            LastImpactTime => {
                format!("Time at which the last contact {between} started, 0 before the first")
            }
            LastImpactSpeed => format!(
                "Normal speed at which the last contact {between} started, 0 before the first"
            ),
            Impulse(_) => format!(
                "Integral of the contact force of {one} on {two} along {axis} over the last \
                 communication step, impulses without duration included; in Model Exchange those \
                 of the last event"
            ),
            PeakForce => format!(
                "Largest magnitude of the contact force {between} in the last communication step; \
                 0 in Model Exchange"
            ),
        }
    }
}

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

/// All of them in document order.
pub(crate) const STATISTICS: [Statistic; 8] = [
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

// Texts and types of the variables of joints.

/// What a state of a joint is: a coordinate, or part of a vector or quaternion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JointState {
    Coordinate(&'static Coordinate),
    Position(usize),
    Orientation(usize),
    Velocity(usize),
    AngularVelocity(usize),
}

impl JointState {
    /// The state at a place among the position states of a kind, or among its velocity states.
    pub(super) fn of(kind: JointKind, is_rate: bool, place: usize) -> Self {
        if let Some(coordinate) = kind.coordinates().get(place) {
            return JointState::Coordinate(coordinate);
        }
        let free = kind.is_free();
        match (is_rate, free, place) {
            (false, true, i @ 0..3) => JointState::Position(i),
            (false, true, i) => JointState::Orientation(i - 3),
            (false, false, i) => JointState::Orientation(i),
            (true, true, i @ 0..3) => JointState::Velocity(i),
            (true, true, i) => JointState::AngularVelocity(i - 3),
            (true, false, i) => JointState::AngularVelocity(i),
        }
    }

    /// Index in the vector that the state is an element of; none for a coordinate.
    pub(super) fn component(self) -> Option<usize> {
        match self {
            JointState::Coordinate(_) => None,
            JointState::Position(i)
            | JointState::Orientation(i)
            | JointState::Velocity(i)
            | JointState::AngularVelocity(i) => Some(i),
        }
    }

    pub(super) fn declared_type(self, is_rate: bool) -> DeclaredType {
        match self {
            JointState::Coordinate(coordinate) => match (coordinate.is_angle(), is_rate) {
                (true, false) => units::ANGLE,
                (true, true) => units::ANGULAR_VELOCITY,
                (false, false) => units::POSITION,
                (false, true) => units::VELOCITY,
            },
            JointState::Position(_) => units::POSITION,
            JointState::Orientation(_) => units::QUATERNION,
            JointState::Velocity(_) => units::VELOCITY,
            JointState::AngularVelocity(_) => units::ANGULAR_VELOCITY,
        }
    }

    /// Type of its time derivative.
    pub(super) fn rate_type(self, is_rate: bool) -> DeclaredType {
        match self {
            JointState::Coordinate(coordinate) => match (coordinate.is_angle(), is_rate) {
                (true, false) => units::ANGULAR_VELOCITY,
                (true, true) => units::ANGULAR_ACCELERATION,
                (false, false) => units::VELOCITY,
                (false, true) => units::ACCELERATION,
            },
            JointState::Position(_) => units::VELOCITY,
            JointState::Orientation(_) => units::QUATERNION_RATE,
            JointState::Velocity(_) => units::ACCELERATION,
            JointState::AngularVelocity(_) => units::ANGULAR_ACCELERATION,
        }
    }
}

/// What a coordinate is, in words that follow `Angle of the joint` and the like.
pub(super) fn coordinate_text(coordinate: &Coordinate, is_rate: bool) -> String {
    let what = match coordinate.is_angle() {
        true => ["Angle", "Angular velocity"],
        false => ["Displacement", "Velocity"],
    };
    format!("{} {}", what[usize::from(is_rate)], coordinate.place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{ball, plate, steel_scene, terrain};
    use crate::instance::modes::Standard;
    use crate::instance::variables::describe::Describer;
    use crate::instance::variables::{Initial, Quantity, Variable, VariableTable};
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
        description.interface = interface;
        Scene::new(description).expect("a good scene")
    }

    /// The variables of reports, of names that are distinct.
    fn variables(scene: &Scene, standard: Standard) -> Vec<Variable> {
        let table = VariableTable::new(scene, standard);
        let describer = Describer::new(scene, &table);
        describer.check_names().expect("distinct names");
        let all = describer.variables(&vec![1.0; scene.layout().count()]);
        let of_report = |v: &Variable| matches!(v.quantity, Quantity::Report(..));
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
                Quantity::Report(20.into(), Gap),
                Quantity::Report(0.into(), Point(3)),
                Quantity::Report(1_000_000.into(), Gap),
            ] {
                assert_eq!(table.reference(unknown), None);
            }
        }
    }

    #[test]
    fn types_and_variabilities_are_those_of_what_changes_when() {
        let scene = scene(InterfaceOptions::default());
        let table = VariableTable::new(&scene, Standard::Fmi2);
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
            let initial = table.initial(variable.quantity);
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
