//! Libraries and functions of the user.

use super::Checker;
use crate::response::options::{FrictionKind, NormalKind};
use crate::response::{LawChanges, Number};
use crate::scene::SceneItem;
use crate::scene::user::PLATFORMS;

impl Checker<'_> {
    /// Names, platforms and file names of the libraries, names of the functions.
    pub(super) fn libraries(&mut self) {
        let libraries = &self.scene.libraries;
        for (index, library) in libraries.iter().enumerate() {
            let item = SceneItem::Library(index);
            self.identifier(item, &library.name);
            if libraries[..index].iter().any(|l| l.name == library.name) {
                self.fail(item, "name", "this name is taken by another library".into());
            }
            if library.files.is_empty() {
                let text =
                    "there is no file; write file = \"...\" or files = { x86_64-linux = \"...\" }";
                self.fail(item, "file", text.into());
            }
            for (place, file) in library.files.iter().enumerate() {
                if !PLATFORMS.contains(&file.platform.as_str()) {
                    let text = format!(
                        "platform {:?} is not known; known: {}",
                        file.platform,
                        PLATFORMS.join(", ")
                    );
                    self.fail(item, "files", text);
                }
                let twice = |other: &&str| *other == file.platform;
                let before = library.files[..place].iter().map(|f| f.platform.as_str());
                if before.clone().any(|other| twice(&other)) {
                    let text = format!("platform {:?} is given twice", file.platform);
                    self.fail(item, "files", text);
                }
                let name = &file.file;
                let bad = |c: char| c.is_control() || "/\\:*?\"<>|".contains(c);
                if name.is_empty() || name == "." || name == ".." || name.contains(bad) {
                    let text = format!("{name:?} is not the name of a file");
                    self.fail(item, "files", text);
                }
                let mut others = libraries[..index].iter();
                if let Some(other) = others.find(|other| other.files.contains(file)) {
                    let text = format!(
                        "{name} for {} is the name of a file of library {:?} too; inside the FMU both \
                         would be one file: rename it, or use one library",
                        file.platform, other.name
                    );
                    self.fail(item, "files", text);
                }
            }
        }
        for function in &self.scene.functions {
            let known = libraries.iter().position(|l| l.name == function.library);
            let item = known.map_or(SceneItem::Scene, SceneItem::Library);
            if known.is_none() {
                let text = format!(
                    "library {:?} of function {:?} is not known",
                    function.library, function.symbol
                );
                self.fail(item, "library", text);
            }
            let mut letters = function.symbol.chars();
            let first = |c: char| c.is_ascii_alphabetic() || c == '_';
            let good = letters.next().is_some_and(first)
                && letters.all(|c| first(c) || c.is_ascii_digit());
            if !good {
                let text = format!("{:?} is not the name of a C function", function.symbol);
                self.fail(item, "name", text);
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
                && usize::from(*i) >= crate::response::number::USER_NUMBERS
            {
                self.fail(item, "user", format!("there is no number {}", i + 1));
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
        if let Some(NormalKind::User(place)) = normal
            && usize::from(place) >= count
        {
            self.fail(item, "law", "its function of the user is not known".into());
        }
        if let Some(FrictionKind::User(place)) = friction
            && usize::from(place) >= count
        {
            self.fail(
                item,
                "friction",
                "its function of the user is not known".into(),
            );
        }
    }
}
