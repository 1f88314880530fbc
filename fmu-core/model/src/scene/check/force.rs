//! Prescribed forces: the body they act on, their numbers, the times of tables.

use super::checker::Checker;
use crate::scene::SceneItem;
use crate::scene::description::contact::PLATFORMS;
use crate::scene::description::force::FORCES;
use crate::scene::description::{ForceProfile, ForceTable};
use crate::scene::flaw::unknown;
use contact_geometry::math::Exact;
use contact_laws::quantity::{Keyword, checks};
use contact_laws::response::choice::{FrictionKind, NormalKind};
use contact_laws::response::number::USER_NUMBERS;
use contact_laws::response::{LawChanges, Number};

/// What is said of a force that has neither.
const NO_FORCE: (&str, &str) = (
    "neither force nor torque is given",
    "give at least one of them",
);

impl Checker<'_> {
    pub(super) fn force(&mut self, index: usize) {
        let (item, force) = (SceneItem::Force(index), &self.scene.forces[index]);
        let list = &self.scene.forces;
        self.name(index, list, SceneItem::Force, |f| &f.name, "another force");
        self.target(item, &force.body);
        self.rows(item, const { &checks(&FORCES) }, force);
        match &force.profile {
            ForceProfile::Constant(vectors) if !vectors.is_any() => {
                self.fail(item, "force", NO_FORCE)
            }
            ForceProfile::Sine { amplitude, .. } if !amplitude.is_any() => {
                self.fail(item, "sine", NO_FORCE)
            }
            ForceProfile::Input {
                force: false,
                torque: false,
            } => self.fail(item, "input", NO_FORCE),
            ForceProfile::Table(table) => self.table(item, table),
            _ => {}
        }
        self.parameters(item, const { &ForceProfile::PARAMETERS }, &force.profile);
    }

    /// The body must be there, and forces must accelerate it.
    fn target(&mut self, item: SceneItem, name: &str) {
        if self.is_partial {
            return;
        }
        let bodies = &self.scene.bodies;
        let free = bodies.iter().filter(|body| body.motion.is_dynamic());
        let names: Vec<&str> = free.map(|body| body.name.as_str()).collect();
        let known = match names.is_empty() {
            true => "there is no free one".to_owned(),
            false => format!("bodies that forces move: {}", names.join(", ")),
        };
        match bodies.iter().find(|body| body.name == name) {
            None => {
                self.fail(item, "body", format!("body {name:?} is not known; {known}"));
            }
            Some(body) if !body.motion.is_dynamic() => {
                let motion = body.motion.word();
                let message = format!("body {name:?} is {motion}, so no force moves it");
                self.fail(item, "body", (message, known));
            }
            Some(_) => {}
        }
    }

    fn table(&mut self, item: SceneItem, table: &ForceTable) {
        let times = &table.times;
        self.times(item, times);
        if table.forces.is_empty() && table.torques.is_empty() {
            self.fail(item, "table", NO_FORCE);
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
            let message = format!("times are {}; must be at least 2", times.len());
            self.fail(item, "times", message);
        }
        if let Some(time) = times.iter().find(|time| !time.is_finite()) {
            let message = format!("times has {} s in it; must be finite", Exact(*time));
            self.fail(item, "times", message);
        } else if let Some(i) = times.windows(2).position(|pair| pair[0] >= pair[1]) {
            let (number, before, time) = (i + 2, times[i], times[i + 1]);
            let message =
                format!("times[{number}] is {time} s after {before} s; times must ascend");
            let help = match item {
                SceneItem::Force(_) => "where the force jumps, let it rise within a short time",
                _ => "where the body jumps, let it move within a short time",
            };
            self.fail(item, "times", (message, help));
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
        if found != 0 {
            self.counts(item, field, [(field, found), ("times", wanted)]);
        }
    }

    /// Two things of which there are as many entries; true if there are.
    pub(super) fn counts(
        &mut self,
        item: SceneItem,
        field: &'static str,
        [(what, found), (other, wanted)]: [(&str, usize); 2],
    ) -> bool {
        let is_good = found == wanted;
        if !is_good {
            let counts = format!("{what} has {found} entries, {other} has {wanted}");
            self.fail(item, field, counts + "; must be as many");
        }
        is_good
    }
}

// Libraries and functions of the user.

impl Checker<'_> {
    /// Names, platforms and file names of the libraries, names of the functions.
    pub(super) fn libraries(&mut self) {
        let libraries = &self.scene.libraries;
        for (index, library) in libraries.iter().enumerate() {
            let item = SceneItem::Library(index);
            self.name(
                index,
                libraries,
                SceneItem::Library,
                |l| &l.name,
                "another library",
            );
            if library.files.is_empty() {
                let help = "write file = \"...\" or files = { x86_64-linux = \"...\" }";
                self.fail(item, "file", ("there is no file", help));
            }
            for (place, file) in library.files.iter().enumerate() {
                if !PLATFORMS.contains(&file.platform.as_str()) {
                    let known = PLATFORMS.into_iter();
                    self.fail(item, "files", unknown("platform", &file.platform, known));
                }
                let twice = |other: &&str| *other == file.platform;
                let before = library.files[..place].iter().map(|f| f.platform.as_str());
                if before.clone().any(|other| twice(&other)) {
                    let message = format!("platform {:?} is given twice", file.platform);
                    self.fail(item, "files", message);
                }
                let name = &file.file;
                let bad = |c: char| c.is_control() || "/\\:*?\"<>|".contains(c);
                if name.is_empty() || name == "." || name == ".." || name.contains(bad) {
                    self.fail(item, "files", format!("{name:?} is not the name of a file"));
                }
                let mut others = libraries[..index].iter();
                if let Some(other) = others.find(|other| other.files.contains(file)) {
                    let (platform, other) = (&file.platform, &other.name);
                    let finding = (
                        format!(
                            "{name} for {platform} is the name of a file of library {other:?} too"
                        ),
                        "inside the FMU both would be one file: rename it, or use one library",
                    );
                    self.fail(item, "files", finding);
                }
            }
        }
        for function in &self.scene.functions {
            let known = libraries.iter().position(|l| l.name == function.library);
            let item = known.map_or(SceneItem::Scene, SceneItem::Library);
            if known.is_none() {
                let names = libraries.iter().map(|l| l.name.as_str());
                self.fail(
                    item,
                    "library",
                    unknown("library", &function.library, names),
                );
            }
            let mut letters = function.symbol.chars();
            let first = |c: char| c.is_ascii_alphabetic() || c == '_';
            let good = letters.next().is_some_and(first)
                && letters.all(|c| first(c) || c.is_ascii_digit());
            if !good {
                let message = format!("{:?} is not the name of a C function", function.symbol);
                self.fail(item, "name", message);
            }
        }
        if !self.is_partial {
            let law = self.scene.contact.law;
            self.functions(SceneItem::Contact, Some(law.normal), Some(law.friction));
        }
    }

    /// Functions and numbers of the user that the law of a pair names.
    pub(super) fn user_law(&mut self, item: SceneItem, changes: &LawChanges) {
        self.functions(item, changes.normal, changes.friction);
        for (number, _) in &changes.numbers {
            if let Number::User(i) = number
                && usize::from(*i) >= USER_NUMBERS
            {
                let number = (u16::from(*i) + 1).to_string();
                let message = format!("number {number:?} is not known; there are {USER_NUMBERS}");
                self.fail(item, "user", message);
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
                let message = format!("function {number:?} is not known; there are {count}");
                self.fail(item, field, message);
            }
        }
    }
}
