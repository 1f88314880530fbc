//! Prescribed forces: the body they act on, their numbers, the times of tables.

use super::checker::Checker;
use crate::scene::SceneItem;
use crate::scene::description::contact::PLATFORMS;
use crate::scene::description::force::FORCES;
use crate::scene::description::{ForceProfile, ForceTable, ForceVectors};
use crate::scene::flaw::{Rule, SceneFlaw};
use contact_geometry::math::Exact;
use contact_laws::quantity::{Range, checks};
use contact_laws::response::choice::{FrictionKind, NormalKind};
use contact_laws::response::number::USER_NUMBERS;
use contact_laws::response::{LawChanges, Number};

impl Checker<'_> {
    pub(super) fn force(&mut self, index: usize) {
        let (item, force) = (SceneItem::Force(index), &self.scene.forces[index]);
        self.identifier(item, &force.name);
        let mut before = self.scene.forces[..index].iter();
        if before.any(|other| other.name == force.name) {
            self.broken(item, "name", Rule::NameTaken, ["another force"]);
        }
        self.target(item, &force.body);
        self.rows(item, const { &checks(&FORCES) }, force);
        match &force.profile {
            ForceProfile::Constant(vectors) => self.vectors(item, "force", vectors),
            ForceProfile::Sine {
                amplitude,
                angular_frequency,
                phase,
            } => {
                self.vectors(item, "sine", amplitude);
                let frequency = *angular_frequency;
                self.number(
                    item,
                    "angular_frequency",
                    frequency,
                    "rad/s",
                    Range::POSITIVE,
                );
                self.number(item, "phase", *phase, "rad", Range::ANY);
            }
            ForceProfile::Table(table) => self.table(item, table),
            ForceProfile::Input { force, torque } => {
                if !force && !torque {
                    self.broken(item, "input", Rule::NoForce, []);
                }
            }
        }
    }

    /// The body must be there, and forces must accelerate it.
    fn target(&mut self, item: SceneItem, name: &str) {
        let bodies = &self.scene.bodies;
        let free = bodies.iter().filter(|body| body.motion.is_dynamic());
        let names: Vec<&str> = free.map(|body| body.name.as_str()).collect();
        let known = match names.is_empty() {
            true => "there is no free one".to_owned(),
            false => format!("bodies that forces move: {}", names.join(", ")),
        };
        match bodies.iter().find(|body| body.name == name) {
            None => {
                let flaw = SceneFlaw::Unknown("body", name.into(), known);
                self.fail(item, "body", flaw);
            }
            Some(body) if !body.motion.is_dynamic() => {
                let flaw = SceneFlaw::Motion(name.into(), body.motion, known);
                self.fail(item, "body", flaw);
            }
            Some(_) => {}
        }
    }

    /// A force, a torque, or both; `field` is the key to report if there is neither.
    fn vectors(&mut self, item: SceneItem, field: &'static str, given: &ForceVectors) {
        if given.force.is_none() && given.torque.is_none() {
            self.broken(item, field, Rule::NoForce, []);
        }
        for (field, vector) in [("force", given.force), ("torque", given.torque)] {
            if let Some(vector) = vector {
                self.vector(item, field, &vector);
            }
        }
    }

    fn table(&mut self, item: SceneItem, table: &ForceTable) {
        let times = &table.times;
        self.times(item, times);
        if table.forces.is_empty() && table.torques.is_empty() {
            self.broken(item, "table", Rule::NoForce, []);
        }
        for (field, rows) in [("force", &table.forces), ("torque", &table.torques)] {
            self.row_count(item, field, rows.len(), times.len());
            if let Some(row) = rows.iter().find(|row| row.iter().any(|v| !v.is_finite())) {
                self.vector(item, field, row);
            }
        }
    }

    /// Times of a table: at least two, finite, ascending.
    pub(super) fn times(&mut self, item: SceneItem, times: &[f64]) {
        if times.len() < 2 {
            let count = times.len().to_string();
            self.broken(item, "times", Rule::TooFewTimes, [&count]);
        }
        if let Some(time) = times.iter().find(|time| !time.is_finite()) {
            let time = Exact(*time).to_string();
            self.broken(item, "times", Rule::TimeNotFinite, [&time]);
        } else if let Some(i) = times.windows(2).position(|pair| pair[0] >= pair[1]) {
            let flaw = SceneFlaw::Times(i + 2, [times[i], times[i + 1]]);
            self.fail(item, "times", flaw);
        }
    }

    /// A column of a table that is given has as many entries as there are times.
    pub(super) fn row_count(
        &mut self,
        item: SceneItem,
        field: &'static str,
        found: usize,
        wanted: usize,
    ) {
        if found != 0 && found != wanted {
            let flaw = SceneFlaw::Counts([(field, found), ("times", wanted)]);
            self.fail(item, field, flaw);
        }
    }
}

// Libraries and functions of the user.

impl Checker<'_> {
    /// Names, platforms and file names of the libraries, names of the functions.
    pub(super) fn libraries(&mut self) {
        let libraries = &self.scene.libraries;
        for (index, library) in libraries.iter().enumerate() {
            let item = SceneItem::Library(index);
            self.identifier(item, &library.name);
            if libraries[..index].iter().any(|l| l.name == library.name) {
                self.broken(item, "name", Rule::NameTaken, ["another library"]);
            }
            if library.files.is_empty() {
                self.broken(item, "file", Rule::NoFile, []);
            }
            for (place, file) in library.files.iter().enumerate() {
                if !PLATFORMS.contains(&file.platform.as_str()) {
                    let flaw =
                        SceneFlaw::unknown("platform", &file.platform, PLATFORMS.into_iter());
                    self.fail(item, "files", flaw);
                }
                let twice = |other: &&str| *other == file.platform;
                let before = library.files[..place].iter().map(|f| f.platform.as_str());
                if before.clone().any(|other| twice(&other)) {
                    self.broken(item, "files", Rule::PlatformTwice, [&file.platform]);
                }
                let name = &file.file;
                let bad = |c: char| c.is_control() || "/\\:*?\"<>|".contains(c);
                if name.is_empty() || name == "." || name == ".." || name.contains(bad) {
                    self.broken(item, "files", Rule::NotAName, [name, "file"]);
                }
                let mut others = libraries[..index].iter();
                if let Some(other) = others.find(|other| other.files.contains(file)) {
                    let names = [name, file.platform.as_str(), &other.name];
                    self.broken(item, "files", Rule::FileTwice, names);
                }
            }
        }
        for function in &self.scene.functions {
            let known = libraries.iter().position(|l| l.name == function.library);
            let item = known.map_or(SceneItem::Scene, SceneItem::Library);
            if known.is_none() {
                let names = libraries.iter().map(|l| l.name.as_str());
                let flaw = SceneFlaw::unknown("library", &function.library, names);
                self.fail(item, "library", flaw);
            }
            let mut letters = function.symbol.chars();
            let first = |c: char| c.is_ascii_alphabetic() || c == '_';
            let good = letters.next().is_some_and(first)
                && letters.all(|c| first(c) || c.is_ascii_digit());
            if !good {
                let names = [function.symbol.as_str(), "C function"];
                self.broken(item, "name", Rule::NotAName, names);
            }
        }
        let options = self.scene.contact.law;
        self.functions(
            SceneItem::Contact,
            Some(options.normal),
            Some(options.friction),
        );
    }

    /// Functions and numbers of the user that the law of a pair names.
    pub(super) fn user_law(&mut self, item: SceneItem, changes: &LawChanges) {
        self.functions(item, changes.normal, changes.friction);
        for (number, _) in &changes.numbers {
            if let Number::User(i) = number
                && usize::from(*i) >= USER_NUMBERS
            {
                let known = format!("there are {USER_NUMBERS}");
                let number = (u16::from(*i) + 1).to_string();
                self.fail(item, "user", SceneFlaw::Unknown("number", number, known));
            }
        }
    }

    fn functions(
        &mut self,
        item: SceneItem,
        normal: Option<NormalKind>,
        friction: Option<FrictionKind>,
    ) {
        let count = self.scene.functions.len();
        let normal = normal.and_then(|kind| match kind {
            NormalKind::User(place) => Some(("law", place)),
            _ => None,
        });
        let friction = friction.and_then(|kind| match kind {
            FrictionKind::User(place) => Some(("friction", place)),
            _ => None,
        });
        for (field, place) in normal.into_iter().chain(friction) {
            if usize::from(place) >= count {
                let number = (u32::from(place) + 1).to_string();
                let known = format!("there are {count}");
                self.fail(item, field, SceneFlaw::Unknown("function", number, known));
            }
        }
    }
}
