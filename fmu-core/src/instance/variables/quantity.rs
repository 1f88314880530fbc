//! What a variable means, what it is of, its structured name, and whether the scene exposes it.
//!
//! # Which outputs a scene exposes
//!
//! And which parameters where it says so. Patterns of structured names, one after the other.
//!
//! In a pattern `*` matches any text, and a leading `!` excludes what matches; a later pattern
//! overrides an earlier one. A list that starts with `!` starts from all outputs, another one from
//! none. A pattern that matches the name of a vector without indices, `ball.position`, matches all
//! its components. Where variables are arrays, one matching component exposes the entire array.

use super::grains::{self, GrainItem, IntersectionItem};
use super::reports::{JointState, ReportItem, Statistic};
use super::sums::SumItem;
use super::words::Causality;
use contact_laws::index::{
    BodyId, DeflectionId, ForceId, InputId, IntersectionId, JointId, LatchId, LawId, MaterialId,
    MeasurementId, NamedPairId, OutputId, ParameterId, ReportId, SumId,
};
use contact_model::scene::outputs::Owner;
use contact_model::scene::{Element, GrainsId, Input, Scene, StateLayout};
use std::fmt;

/// What a variable means; its address for reading and writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// The independent variable [s].
    Time,
    /// State by index.
    State(usize),
    /// Derivative of the state with this index.
    Derivative(usize),
    /// Parameter by index in the scene's list.
    Parameter(ParameterId),
    /// Input by index in the scene's list.
    Input(InputId),
    /// Contact force on a body (its index), component 0..3 [N]; world axes, of a driven body those
    /// that the scene states.
    ContactForce(BodyId, usize),
    /// Contact torque on a body (its index) about its origin, component 0..3 [N.m], in the same
    /// axes.
    ContactTorque(BodyId, usize),
    /// Number of pairs in contact.
    ContactCount,
    /// Kinetic energy [J].
    KineticEnergy,
    /// Potential energy [J].
    PotentialEnergy,
    /// Energy stored in the contacts [J].
    ElasticEnergy,
    /// One of the smallest distances among the monitored pairs, ascending [m].
    ClosestDistance(usize),
    /// Distance of a named pair, by its index [m].
    PairDistance(NamedPairId),
    /// Pose, reaction or measurement by index in [`Scene::outputs`].
    Output(OutputId),
    /// What is reported of a pair, by its place among [`Scene::reported`].
    Report(ReportId, ReportItem),
    /// What is reported of a sum of contacts, by its place among [`Scene::sums`].
    Sum(SumId, SumItem),
    /// What is reported of the intersection of a pair, by its place among
    /// [`Scene::intersections`].
    Intersection(IntersectionId, IntersectionItem),
    /// What Co-Simulation has done so far.
    Statistic(Statistic),
    /// What there is of a group of balls, beside its states.
    Grain(GrainsId, GrainItem),
    /// Event indicator by its number: slots of pairs, then end stops [m], [rad].
    Indicator(usize),
}

impl Quantity {
    /// Causality of the variable where the scene exposes it. States are outputs: a pose is what
    /// another model asks for.
    pub(super) fn causality_if_exposed(self) -> Causality {
        match self {
            Quantity::Time => Causality::Independent,
            Quantity::Parameter(_) => Causality::Parameter,
            Quantity::Input(_) => Causality::Input,
            Quantity::Derivative(_) | Quantity::Indicator(_) => Causality::Local,
            Quantity::State(_)
            | Quantity::ContactForce(..)
            | Quantity::ContactTorque(..)
            | Quantity::ContactCount
            | Quantity::KineticEnergy
            | Quantity::PotentialEnergy
            | Quantity::ElasticEnergy
            | Quantity::ClosestDistance(_)
            | Quantity::PairDistance(_)
            | Quantity::Output(_)
            | Quantity::Report(..)
            | Quantity::Sum(..)
            | Quantity::Intersection(..)
            | Quantity::Statistic(_) => Causality::Output,
            Quantity::Grain(_, item) => item.causality(),
        }
    }
}

/// What a state is; body by index, component from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StateMeaning {
    Position(BodyId, usize),
    Orientation(BodyId, usize),
    Velocity(BodyId, usize),
    AngularVelocity(BodyId, usize),
    /// Joint by index, state, true if it is a velocity state.
    Joint(JointId, JointState, bool),
    /// Deflection by its index, component from 0.
    Deflection(DeflectionId, usize),
    Work,
}

impl StateMeaning {
    /// Index in the vector that the state is an element of; none for a scalar.
    pub(super) fn component(self) -> Option<usize> {
        match self {
            StateMeaning::Position(_, i)
            | StateMeaning::Orientation(_, i)
            | StateMeaning::Velocity(_, i)
            | StateMeaning::AngularVelocity(_, i)
            | StateMeaning::Deflection(_, i) => Some(i),
            StateMeaning::Joint(_, state, _) => state.component(),
            StateMeaning::Work => None,
        }
    }
}

/// Meaning of each state of a scene.
pub(super) fn state_meanings(scene: &Scene) -> Vec<StateMeaning> {
    let layout = scene.layout();
    let mut meanings = vec![StateMeaning::Work; layout.count()];
    for body in scene.bodies().keys() {
        let Some(offset) = layout.body(body) else {
            continue;
        };
        for i in 0..3 {
            meanings[StateLayout::position(offset).start + i] = StateMeaning::Position(body, i);
            meanings[StateLayout::velocity(offset).start + i] = StateMeaning::Velocity(body, i);
            meanings[StateLayout::angular_velocity(offset).start + i] =
                StateMeaning::AngularVelocity(body, i);
        }
        for i in 0..4 {
            meanings[StateLayout::orientation(offset).start + i] =
                StateMeaning::Orientation(body, i);
        }
    }
    for (index, joint) in scene.joints().iter_enumerated() {
        let mut name = |states: std::ops::Range<usize>, is_rate| {
            for (place, state) in states.enumerate() {
                let own = JointState::of(joint.kind, is_rate, place);
                meanings[state] = StateMeaning::Joint(index, own, is_rate);
            }
        };
        name(layout.joint_positions(index), false);
        name(layout.joint_rates(index), true);
    }
    for index in layout.all_deflections() {
        for (i, state) in layout.deflection(index).enumerate() {
            meanings[state] = StateMeaning::Deflection(index, i);
        }
    }
    meanings
}

/// Index in the vector or matrix that a quantity is an element of, from 0; none for a scalar.
pub(super) fn component(
    scene: &Scene,
    states: &[StateMeaning],
    quantity: Quantity,
) -> Option<usize> {
    match quantity {
        Quantity::State(i) | Quantity::Derivative(i) => states[i].component(),
        Quantity::Parameter(i) => scene.parameters()[i].component(),
        Quantity::Input(i) => scene.inputs()[i].component(),
        Quantity::Output(i) => scene.outputs()[i].component(),
        Quantity::ContactForce(_, i) | Quantity::ContactTorque(_, i) => Some(i),
        Quantity::Indicator(i) | Quantity::ClosestDistance(i) => Some(i),
        Quantity::Report(_, item) => item.component(),
        Quantity::Sum(_, item) => item.component(),
        Quantity::Intersection(_, item) => item.component(),
        Quantity::Grain(_, item) => item.component(),
        _ => None,
    }
}

/// Structured name of an element.
pub(super) fn structured(scene: &Scene, quantity: Quantity) -> String {
    let body = |body: BodyId| &scene.bodies()[body].name;
    match quantity {
        Quantity::Time => "time".into(),
        Quantity::State(i) => state_name(scene, i),
        Quantity::Derivative(i) => format!("der({})", state_name(scene, i)),
        Quantity::Parameter(i) => scene.parameter_name(i),
        Quantity::Input(i) => scene.input_name(i),
        Quantity::Output(i) => scene.output_name(i),
        Quantity::ContactForce(b, i) => format!("{}.contact_force[{}]", body(b), i + 1),
        Quantity::ContactTorque(b, i) => format!("{}.contact_torque[{}]", body(b), i + 1),
        Quantity::ContactCount => "contact.count".into(),
        Quantity::KineticEnergy => "energy.kinetic".into(),
        Quantity::PotentialEnergy => "energy.potential".into(),
        Quantity::ElasticEnergy => "energy.contact_elastic".into(),
        Quantity::ClosestDistance(i) => format!("contact.closest_distance[{}]", i + 1),
        Quantity::PairDistance(i) => {
            let [a, b] = &scene.named_pairs()[i].between;
            let [a, b] = [a, b].map(|name| name.to_string().replace('.', "_"));
            format!("contact.distance.{a}.{b}")
        }
        Quantity::Report(report, item) => {
            format!("{}.{}", contact_prefix(scene, report), item.name())
        }
        Quantity::Sum(sum, item) => {
            format!(
                "{}.{}",
                contact_prefix(scene, scene.report_of(sum)),
                item.name()
            )
        }
        Quantity::Intersection(index, item) => {
            let report = scene.intersections()[index];
            format!("{}.{}", contact_prefix(scene, report), item.name())
        }
        Quantity::Statistic(statistic) => format!("experiment.statistics.{}", statistic.name()),
        Quantity::Grain(group, item) => {
            let group = &scene.grains()[group];
            format!("{}.{}", group.name, item.name(group))
        }
        Quantity::Indicator(i) => format!("contact.indicator[{}]", i + 1),
    }
}

fn state_name(scene: &Scene, state: usize) -> String {
    match scene.grains_of_state(state) {
        Some(group) => {
            let group = &scene.grains()[group];
            grains::state_name(group, state - group.states.start)
        }
        None => scene.state_name(state),
    }
}

/// What structured names of a reported contact begin with.
fn contact_prefix(scene: &Scene, report: ReportId) -> String {
    let names = scene.report_names(report);
    let [a, b] = names.map(|name| flat(&name));
    format!("contact.{a}.{b}")
}

/// `der(ball.position[1])` without `[1]`; `contact.slot[7].deflection[1]` without the last.
pub(super) fn without_indices(name: &str) -> String {
    match name.rsplit_once('[') {
        Some((before, rest)) => {
            let after = rest.split_once(']').map_or("", |(_, after)| after);
            format!("{before}{after}")
        }
        None => name.to_owned(),
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

// What a variable is of: a body, a joint, a contact ... A list of variables is grouped by it.

/// What a variable is of.
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
            Subject::Contact(report) => contact_prefix(scene, report),
            Subject::Law(law) => scene.law_prefix(law),
            Subject::Material(material) => format!("material.{}", scene.materials()[material].name),
        }
    }

    fn of_parameter(scene: &Scene, element: Element) -> Subject {
        match element {
            Element::Body(body) => Subject::Body(body),
            Element::Motion(motion) => Subject::Body(scene.motions()[motion].body),
            Element::Material(material) => Subject::Material(material),
            Element::Law(law) => Subject::Law(law),
            Element::Force(force) => Subject::Force(force),
            Element::Joint(joint, _) => Subject::Joint(joint),
            Element::World | Element::Contact | Element::Experiment => Subject::Scene,
        }
    }

    pub(super) fn of(scene: &Scene, states: &[StateMeaning], quantity: Quantity) -> Subject {
        match quantity {
            Quantity::State(i) | Quantity::Derivative(i) => match scene.grains_of_state(i) {
                Some(group) => Subject::Grains(group),
                None => of_state(states[i]),
            },
            Quantity::Grain(group, _) => Subject::Grains(group),
            Quantity::Parameter(i) => Self::of_parameter(scene, scene.parameters()[i].element),
            Quantity::Input(i) => of_input(scene.inputs()[i]),
            Quantity::ContactForce(body, _) | Quantity::ContactTorque(body, _) => {
                Subject::Body(body)
            }
            Quantity::Output(i) => match scene.outputs()[i].owner {
                Owner::Body(body) => Subject::Body(body),
                Owner::Joint(joint) => Subject::Joint(joint),
                Owner::Measurement(measurement) => Subject::Measurement(measurement),
                Owner::Latch(latch) => Subject::Latch(latch),
                Owner::Trigger(_) => Subject::Scene,
            },
            Quantity::Report(report, _) => Subject::Contact(report),
            Quantity::Sum(sum, _) => Subject::Contact(scene.report_of(sum)),
            Quantity::Intersection(index, _) => Subject::Contact(scene.intersections()[index]),
            Quantity::Time
            | Quantity::ContactCount
            | Quantity::KineticEnergy
            | Quantity::PotentialEnergy
            | Quantity::ElasticEnergy
            | Quantity::ClosestDistance(_)
            | Quantity::PairDistance(_)
            | Quantity::Statistic(_)
            | Quantity::Indicator(_) => Subject::Scene,
        }
    }
}

fn of_state(state: StateMeaning) -> Subject {
    match state {
        StateMeaning::Position(body, _)
        | StateMeaning::Orientation(body, _)
        | StateMeaning::Velocity(body, _)
        | StateMeaning::AngularVelocity(body, _) => Subject::Body(body),
        StateMeaning::Joint(joint, ..) => Subject::Joint(joint),
        StateMeaning::Deflection(..) | StateMeaning::Work => Subject::Scene,
    }
}

fn of_input(input: Input) -> Subject {
    match input {
        Input::Position(body, _)
        | Input::Orientation(body, _)
        | Input::Rotation(body, _)
        | Input::Velocity(body, _)
        | Input::AngularVelocity(body, _) => Subject::Body(body),
        Input::Force(force, _) | Input::Torque(force, _) => Subject::Force(force),
        Input::Joint(joint, _) | Input::BallTorque(joint, _) => Subject::Joint(joint),
        Input::Latch(latch) => Subject::Latch(latch),
    }
}

/// Patterns of a scene.
pub(super) struct Exposed<'a> {
    scene: &'a Scene,
    patterns: &'a [String],
}

impl<'a> Exposed<'a> {
    /// `None` if the scene has no patterns: everything is exposed.
    pub(super) fn of(scene: &'a Scene) -> Option<Self> {
        Some(Self::by(scene, scene.expose()?))
    }

    /// By patterns that need not be of the scene.
    pub(super) fn by(scene: &'a Scene, patterns: &'a [String]) -> Self {
        Exposed { scene, patterns }
    }

    /// Returns true if a variable is exposed.
    pub(super) fn shows(&self, quantity: Quantity) -> bool {
        is_shown(self.patterns, &structured(self.scene, quantity))
    }

    /// Checks that each pattern matches one of these variables.
    pub(super) fn check(
        &self,
        variables: impl Iterator<Item = Quantity>,
    ) -> Result<(), UnmatchedPattern> {
        let (parameters, outputs): (Vec<_>, Vec<_>) =
            variables.partition(|q| matches!(q, Quantity::Parameter(_)));
        let names = |of: Vec<Quantity>| of.into_iter().map(|q| structured(self.scene, q));
        let output_count = outputs.len();
        let mut names: Vec<String> = names(outputs).chain(names(parameters)).collect();
        for pattern in self.patterns {
            let (_, text) = split(pattern);
            if !names.iter().any(|name| matches_name(text, name)) {
                // Without it a pattern has no effect on parameters.
                if !self.scene.interface().expose_parameters {
                    names.truncate(output_count);
                }
                return Err(UnmatchedPattern {
                    pattern: pattern.clone(),
                    nearest: nearest(text, &names),
                });
            }
        }
        Ok(())
    }
}

/// Returns true if patterns show what has a name.
pub fn is_shown(patterns: &[String], name: &str) -> bool {
    let mut shown = patterns.first().is_some_and(|p| p.starts_with('!'));
    for pattern in patterns {
        let (is_shown, text) = split(pattern);
        if matches_name(text, name) {
            shown = is_shown;
        }
    }
    shown
}

/// Returns true if a pattern exposes, false if it excludes, and the pattern without its sign.
fn split(pattern: &str) -> (bool, &str) {
    match pattern.strip_prefix('!') {
        Some(rest) => (false, rest),
        None => (true, pattern),
    }
}

/// Returns true if a pattern without its sign matches a name, that of a vector without indices too.
pub fn matches_name(pattern: &str, name: &str) -> bool {
    is_match(pattern, name) || name.contains('[') && is_match(pattern, &without_indices(name))
}

/// Returns true if a text matches a pattern: it starts with what precedes the first `*`, ends with
/// what follows the last one, and contains the pieces between in order; the first occurrence of
/// each suffices.
fn is_match(pattern: &str, text: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let Some(mut text) = text.strip_prefix(first) else {
        return false;
    };
    let (middle, last) = rest.rsplit_once('*').unwrap_or(("", rest));
    for piece in middle.split('*') {
        match text.find(piece) {
            Some(place) => text = &text[place + piece.len()..],
            None => return false,
        }
    }
    text.ends_with(last)
}

/// Names, without indices, with the fewest changes of letters from the pattern.
fn nearest(pattern: &str, names: &[String]) -> Vec<String> {
    let mut found: Vec<(usize, String)> = Vec::new();
    for name in names {
        let name = without_indices(name);
        if found.iter().all(|(_, known)| *known != name) {
            found.push((changes(pattern, &name), name));
        }
    }
    let mut nearest = Vec::new();
    for _ in 0..SUGGESTIONS.min(found.len()) {
        let least = (0..found.len()).min_by_key(|i| &found[*i]).unwrap_or(0);
        nearest.push(found.swap_remove(least).1);
    }
    nearest
}

/// Names that an error suggests.
const SUGGESTIONS: usize = 3;

/// Letters to insert, remove or replace to make one text of the other [Levenshtein distance].
fn changes(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut before = i;
        let mut left = i + 1;
        for (y, above) in b.iter().zip(&mut row[1..]) {
            let replaced = before + usize::from(x != *y);
            before = *above;
            left = replaced.min(before + 1).min(left + 1);
            *above = left;
        }
        row[0] = i + 1;
    }
    row.last().copied().unwrap_or(0)
}

/// A pattern that matches no output or parameter of the scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnmatchedPattern {
    /// The pattern as the scene has it.
    pub pattern: String,
    /// Outputs and parameters with the most similar names, vectors without indices.
    pub nearest: Vec<String>,
}

impl fmt::Display for UnmatchedPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "interface.expose: {:?} matches no output or parameter",
            self.pattern
        )?;
        if !self.nearest.is_empty() {
            write!(f, "; nearest names: {}", self.nearest.join(", "))?;
        }
        f.write_str("; `*` matches any text, a leading `!` excludes outputs")
    }
}

impl std::error::Error for UnmatchedPattern {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::modes::Standard;
    use crate::instance::variables::VariableTable;
    use crate::instance::variables::describe::Describer;
    use crate::instance::variables::tests::scene_with;
    use contact_model::scene::description::{InterfaceOptions, Naming};

    #[test]
    fn names_of_variables_are_those_of_their_subjects_and_a_member() {
        for (naming, arrays) in [(Naming::Structured, false), (Naming::Flat, true)] {
            let scene = scene_with(InterfaceOptions {
                naming,
                arrays,
                ..InterfaceOptions::default()
            });
            let table = VariableTable::new(&scene, Standard::Fmi3);
            let nominals = vec![1.0; scene.layout().count()];
            let variables = Describer::new(&scene, &table).variables(&nominals);
            let mut members = Vec::new();
            for variable in &variables {
                let subject = variable.subject.name(&scene);
                let flat = |name: &str| {
                    name.replace(['.', '[', ',', '('], "_")
                        .replace([']', ')'], "")
                };
                match variable.quantity {
                    // der(ball.position[1]) has the subject in the middle.
                    Quantity::Derivative(_) => {
                        assert!(flat(&variable.name).contains(&flat(&subject)));
                    }
                    _ if variable.subject == Subject::Scene => {
                        assert_eq!(flat(&variable.member), flat(&variable.name));
                    }
                    _ => {
                        let whole = flat(&format!("{subject}.{}", variable.member));
                        assert_eq!(whole, flat(&variable.name));
                    }
                }
                members.push((subject, variable.member.clone()));
            }
            let vector = if arrays { "position" } else { "position[1]" };
            for (subject, member) in [
                ("ball", vector),
                ("other", "mass"),
                ("material.Steel", "youngs_modulus"),
                ("material_pair.Steel.Steel", "restitution"),
            ] {
                let found = members
                    .iter()
                    .filter(|(s, m)| (s.as_str(), m.as_str()) == (subject, member));
                assert_eq!(found.count(), 1, "{subject}.{member}");
            }
        }
    }
}

#[cfg(test)]
mod expose_tests {
    use super::*;
    use crate::instance::modes::Standard;
    use crate::instance::variables::tests::two_balls;
    use crate::instance::variables::{Causality, VariableTable};

    #[test]
    fn a_star_matches_any_text() {
        for (pattern, text, expected) in [
            ("ball.position", "ball.position", true),
            ("ball.position", "ball.positions", false),
            ("ball.*", "ball.mass", true),
            ("ball.*", "other.ball.mass", false),
            ("*.contact_force[3]", "ball.contact_force[3]", true),
            ("*a*b*", "xxaxxbxx", true),
            ("*a*b*", "xxbxxaxx", false),
            ("a*a", "a", false),
            ("a*a", "aa", true),
            ("*", "", true),
        ] {
            assert_eq!(is_match(pattern, text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn changes_are_those_of_the_textbook() {
        // The example of the usual definition: k -> s, e -> i, + g.
        assert_eq!(changes("kitten", "sitting"), 3);
        assert_eq!(changes("", "abc"), 3);
        assert_eq!(changes("flaw", "lawn"), 2);
    }

    /// Names of outputs, and of states that are local.
    fn shown(patterns: &[&str], arrays: bool) -> (Vec<String>, usize) {
        let mut description = two_balls();
        description.interface.arrays = arrays;
        description.expose = Some(patterns.iter().map(|p| (*p).to_owned()).collect());
        let scene = Scene::new(description).unwrap();
        let table = VariableTable::new(&scene, Standard::Fmi3);
        // References run from 1 and lead back, whatever is left out.
        for (index, (reference, quantity)) in table.quantities().enumerate() {
            assert_eq!(reference as usize, index + 1);
            assert_eq!(table.reference(quantity), Some(reference));
            for element in table.elements(reference) {
                let meaning = table.meaning(element).unwrap();
                assert_eq!(table.element(meaning), Some(element));
            }
        }
        assert_eq!(table.quantity(table.count() as u32 + 1), None);
        let of = |causality| -> Vec<Quantity> {
            let all = table.quantities().map(|(_, quantity)| quantity);
            all.filter(|q| table.causality(*q) == causality).collect()
        };
        let hidden = of(Causality::Local);
        let states = hidden.iter().filter(|q| matches!(q, Quantity::State(_)));
        let outputs = of(Causality::Output);
        let names = outputs.iter().map(|q| structured(&scene, *q));
        (names.collect(), states.count())
    }

    #[test]
    fn outputs_that_match_stay_and_states_that_do_not_are_local() {
        let (names, hidden) = shown(&["ball.position", "*.contact_force[3]"], false);
        let expected = [
            "ball.position[1]",
            "ball.position[2]",
            "ball.position[3]",
            "ground.contact_force[3]",
            "ball.contact_force[3]",
            "other.contact_force[3]",
        ];
        assert_eq!(names, expected);
        // Two balls with 13 states each and the dissipated work.
        assert_eq!(hidden, 27 - 3);
    }

    #[test]
    fn a_leading_exclamation_mark_takes_away_and_the_last_pattern_wins() {
        let (names, hidden) = shown(&["!ball.*", "!energy.*", "ball.velocity"], false);
        assert!(names.iter().all(|n| !n.starts_with("energy")));
        let of_ball = names.iter().filter(|n| n.starts_with("ball."));
        assert_eq!(of_ball.count(), 3);
        assert!(names.contains(&"contact.count".to_owned()));
        assert_eq!(hidden, 13 - 3 + 1);
        assert_eq!(shown(&["energy.*", "!*.kinetic"], false).0.len(), 3);
    }

    #[test]
    fn one_component_exposes_the_entire_array() {
        let (names, hidden) = shown(&["ball.position[2]", "ball.contact_force[1]"], true);
        assert_eq!(names, ["ball.position[1]", "ball.contact_force[1]"]);
        assert_eq!(hidden, 8);
    }

    #[test]
    fn a_pattern_that_matches_nothing_is_an_error_with_the_nearest_names() {
        let mut description = two_balls();
        description.expose = Some(vec!["ball.*".into(), "!ball.positoin".into()]);
        let scene = Scene::new(description).unwrap();
        let table = VariableTable::new(&scene, Standard::Fmi3);
        let error = table.check_exposed(&scene).unwrap_err();
        assert_eq!(error.nearest[0], "ball.position");
        let text = error.to_string();
        assert!(text.starts_with(
            "interface.expose: \"!ball.positoin\" matches no output or parameter; nearest"
        ));
    }

    #[test]
    fn parameters_are_exposed_by_the_same_patterns_where_the_scene_says_so() {
        let names = |patterns: Option<&[&str]>, expose_parameters| {
            let mut description = two_balls();
            description.interface.expose_parameters = expose_parameters;
            description.expose = patterns.map(|p| p.iter().map(|p| (*p).to_owned()).collect());
            let scene = Scene::new(description).unwrap();
            let table = VariableTable::new(&scene, Standard::Fmi3);
            assert_eq!(table.check_exposed(&scene), Ok(()));
            let all = table.quantities().map(|(_, quantity)| quantity);
            let parameters = all.filter(|q| table.causality(*q) == Causality::Parameter);
            let names: Vec<String> = parameters.map(|q| structured(&scene, q)).collect();
            assert_eq!(names.len(), table.parameter_count());
            (names, scene.parameters().len())
        };
        let patterns: &[&str] = &["ball.position", "*.mass", "!other.mass"];
        assert_eq!(names(Some(patterns), true).0, ["ball.mass"]);
        assert!(names(None, true).0.is_empty());
        for patterns in [Some(patterns), None] {
            let (shown, all) = names(patterns, false);
            assert_eq!(shown.len(), all);
        }
    }
}
