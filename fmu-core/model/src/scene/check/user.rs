//! Libraries and functions of the user.

use super::checker::Checker;
use crate::scene::SceneItem;
use crate::scene::description::library::PLATFORMS;
use crate::scene::flaw::{Rule, SceneFlaw};
use contact_laws::response::number::USER_NUMBERS;
use contact_laws::response::options::{FrictionKind, NormalKind};
use contact_laws::response::{LawChanges, Number};

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
