//! terminalsAndIcons/terminalsAndIcons.xml: inputs and outputs by what they are of, each group a
//! terminal, [FMI 3.0] section 2.4.9; FMI 2.0.4 takes the same file, which says FMI 3.0 there too.
//!
//! A terminal has the name of its body, joint, contact, force or measurement, and a member the rest
//! of the structured name, so that poses and velocities of two FMUs match by `position[1]`. The
//! rule is `bus`: a driven body lacks members that another terminal has. All variables are signals:
//! the standard's `inflow` and `outflow` are for scalars, not for forces in space.

use super::ModelFacts;
use super::template::{self, Record, TemplateError};
use contact_model::scene::Scene;
use fmu_core::instance::variables::subjects::Subject;
use fmu_core::instance::variables::{Causality, Variable};
use std::collections::{BTreeMap, BTreeSet};

const TEMPLATE: &str = include_str!("../../../modelDescription.templates/terminalsAndIcons.xml");

/// Half the side of the icon, which is about the origin.
const ICON: f64 = 100.0;
/// Half the side of a terminal at most.
const TERMINAL: f64 = 8.0;

/// What a terminal is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TerminalKind {
    /// A body that inputs place.
    Driven,
    /// A body that moves or touches.
    Body,
    /// A force that is an input.
    Force,
    /// A group of balls.
    Grains,
    /// A joint.
    Joint,
    /// A reported contact.
    Contact,
    /// A relative motion.
    Measurement,
}

impl TerminalKind {
    /// The kind of what variables are of; none where they have no terminal.
    fn of(scene: &Scene, subject: Subject) -> Option<Self> {
        Some(match subject {
            Subject::Body(body) if scene.bodies()[body].is_driven() => TerminalKind::Driven,
            Subject::Body(_) => TerminalKind::Body,
            Subject::Grains(_) => TerminalKind::Grains,
            Subject::Force(_) => TerminalKind::Force,
            Subject::Joint(_) => TerminalKind::Joint,
            Subject::Contact(_) => TerminalKind::Contact,
            Subject::Measurement(_) => TerminalKind::Measurement,
            Subject::Scene | Subject::Latch(_) | Subject::Law(_) | Subject::Material(_) => {
                return None;
            }
        })
    }

    /// Base name of its picture.
    pub fn icon(self) -> &'static str {
        match self {
            TerminalKind::Driven => "driven",
            TerminalKind::Body => "body",
            TerminalKind::Grains => "grains",
            TerminalKind::Force => "force",
            TerminalKind::Joint => "joint",
            TerminalKind::Contact => "contact",
            TerminalKind::Measurement => "measurement",
        }
    }

    fn text(self) -> &'static str {
        match self {
            TerminalKind::Driven => "Driven body: pose and velocities in, contact force out",
            TerminalKind::Body => "Body: pose, velocities, contact force",
            TerminalKind::Grains => {
                "Group of balls: number, centre of mass, energy, balls in regions"
            }
            TerminalKind::Force => "Force and torque",
            TerminalKind::Joint => "Joint: coordinates, forces, reaction",
            TerminalKind::Contact => "Contact of two shapes",
            TerminalKind::Measurement => "Motion of one frame relative to another",
        }
    }
}

/// A group of inputs and outputs.
#[derive(Clone, Debug)]
pub struct Terminal<'a> {
    /// Unique name.
    pub name: String,
    /// What it is of.
    pub kind: TerminalKind,
    /// Its variables.
    pub members: Vec<&'a Variable>,
}

impl Terminal<'_> {
    fn has_inputs(&self) -> bool {
        self.members.iter().any(|v| v.causality == Causality::Input)
    }
}

/// The terminals of an FMU, in the order of the scene.
pub fn terminals<'a>(facts: &ModelFacts<'a>) -> Vec<Terminal<'a>> {
    let mut groups: BTreeMap<Subject, Vec<&Variable>> = BTreeMap::new();
    for variable in facts.variables {
        if matches!(variable.causality, Causality::Input | Causality::Output) {
            groups.entry(variable.subject).or_default().push(variable);
        }
    }
    let mut names = BTreeSet::new();
    let groups = groups.into_iter().filter_map(|(subject, members)| {
        let kind = TerminalKind::of(facts.scene, subject)?;
        let mut name = subject.name(facts.scene);
        // A body and a joint may share a name.
        if !names.insert(name.clone()) {
            name = format!("{}.{name}", kind.icon());
            names.insert(name.clone());
        }
        Some(Terminal {
            name,
            kind,
            members,
        })
    });
    groups.collect()
}

/// The text of terminalsAndIcons.xml.
pub fn terminals_and_icons(terminals: &[Terminal]) -> Result<String, TemplateError> {
    let (left, right): (Vec<&Terminal>, Vec<&Terminal>) =
        terminals.iter().partition(|terminal| terminal.has_inputs());
    let side = |list: &[&Terminal], x: f64| -> Vec<Record<'static>> {
        let count = list.len() as f64;
        let half = TERMINAL.min(0.8 * ICON / count);
        let records = list.iter().enumerate().map(|(index, terminal)| {
            // From the top downwards, evenly.
            let y = ICON - 2.0 * ICON * (index as f64 + 0.5) / count;
            record(terminal, [x, y], half)
        });
        records.collect()
    };
    let mut records = side(&left, -ICON);
    records.extend(side(&right, ICON));
    let record = Record::new()
        .optional("has_terminals", (!records.is_empty()).then(String::new))
        .list("terminals", records);
    template::fill(TEMPLATE, &record)
}

fn record(terminal: &Terminal, [x, y]: [f64; 2], half: f64) -> Record<'static> {
    let members = terminal.members.iter().map(|variable| {
        Record::new()
            .text("variable", &variable.name)
            .text("member", &variable.member)
    });
    let place = |value: f64| crate::number::rounded(value, 6);
    Record::new()
        .text("terminal", &terminal.name)
        .text("description", terminal.kind.text())
        .list("members", members.collect())
        .text("x1", place(x - half))
        .text("y1", place(y - half))
        .text("x2", place(x + half))
        .text("y2", place(y + half))
        .text("icon", terminal.kind.icon())
}
