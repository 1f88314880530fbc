//! What was learnt about a scene file while it was read: problems, places of items and their fields,
//! values that could not be read, and the libraries and meshes that it names.

use super::diagnostics::{Diagnostic, Places, Span};
use contact_laws::finding::Finding;
use contact_model::scene::SceneItem;
use contact_model::scene::description::{
    Form, FunctionDescription, LibraryDescription, LibraryFile,
};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Bytes of a value that is shown in what to write.
const LONGEST_QUOTED: usize = 60;

/// A mesh as a form, what to say of it, and what to warn of.
#[derive(Clone)]
pub(crate) struct ReadMesh {
    pub form: Form,
    pub lines: Vec<String>,
    pub warnings: Vec<Finding>,
    /// How its hull differs, where it touches as it is since it is concave.
    pub concave: Option<String>,
    pub(crate) doubt: Option<Doubt>,
}

/// Why the unit of a mesh may be wrong: to follow its name.
#[derive(Clone)]
pub(crate) struct Doubt {
    /// It is large, which it may be on a fixed body.
    pub(crate) is_large: bool,
    pub(crate) finding: Finding,
}

/// Where a file of a library lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LibraryPath {
    /// Name of the library.
    pub library: String,
    /// The file inside the FMU.
    pub file: LibraryFile,
    /// The file here.
    pub path: PathBuf,
}

/// The libraries of a scene file, and the functions that its laws named so far.
#[derive(Default)]
pub(crate) struct Libraries {
    pub(crate) list: Vec<LibraryDescription>,
    pub paths: Vec<LibraryPath>,
    /// The functions that laws name, by the places that they have in kinds of laws.
    pub functions: Vec<FunctionDescription>,
}

impl Libraries {
    /// The place of a function, which is added if it is new.
    pub(crate) fn place(&mut self, library: &str, symbol: &str) -> u16 {
        let wanted = FunctionDescription {
            library: library.to_owned(),
            symbol: symbol.to_owned(),
        };
        let place = self.functions.iter().position(|known| *known == wanted);
        let place = place.unwrap_or_else(|| {
            self.functions.push(wanted);
            self.functions.len() - 1
        });
        // There are far fewer pairs than that.
        place.try_into().unwrap_or(u16::MAX)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) diagnostic: Diagnostic,
    /// The keys of which one is missing, as opposed to wrong.
    pub missing: Vec<&'static str>,
}

impl From<Diagnostic> for Problem {
    fn from(diagnostic: Diagnostic) -> Self {
        Problem {
            diagnostic,
            missing: Vec::new(),
        }
    }
}

#[derive(Default)]
pub(crate) struct Notes {
    problems: RefCell<Vec<Problem>>,
    warnings: RefCell<Vec<Diagnostic>>,
    places: RefCell<Places<Span>>,
    unread: RefCell<Vec<(SceneItem, &'static str)>>,
    folder: PathBuf,
    /// The meshes that were read, by their files and options.
    pub meshes: RefCell<BTreeMap<String, Result<ReadMesh, String>>>,
    /// Items whose meshes touch as they are since they are concave, and how their hulls differ.
    concave: RefCell<Vec<(SceneItem, String)>>,
    /// Items with a mesh, which may touch by its hull.
    with_mesh: RefCell<Vec<SceneItem>>,
    /// Items with a mesh whose unit may be wrong.
    pub(crate) doubts: RefCell<Vec<(SceneItem, Doubt)>>,
    pub libraries: RefCell<Libraries>,
    /// What is to be said of items beside their values, in the order of reading.
    pub(crate) remarks: RefCell<Vec<(SceneItem, String)>>,
    text: String,
}

impl Notes {
    /// Nothing yet about a file with this text in a folder.
    pub(crate) fn in_folder(folder: &Path, text: &str) -> Self {
        Notes {
            text: text.to_owned(),
            folder: folder.to_owned(),
            ..Notes::default()
        }
    }

    /// A value as the document has it, or dots for a long one.
    pub(crate) fn source(&self, span: Span) -> &str {
        let text = self.text.get(span).unwrap_or_default();
        match text.len() > LONGEST_QUOTED || text.contains('\n') {
            true => "...",
            false => text,
        }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Place of a field, see [`Places::find`].
    pub(crate) fn place(&self, item: SceneItem, field: &'static str) -> Span {
        self.places.borrow().find(item, field).unwrap_or(0..0)
    }

    pub(crate) fn places(&self) -> Places<Span> {
        self.places.borrow().clone()
    }

    pub(crate) fn has(&self, item: SceneItem, field: &'static str) -> bool {
        self.places.borrow().has(item, field)
    }

    /// Whether a field could not be read, or with "" a key of the item is not known.
    pub(crate) fn is_unread(&self, item: SceneItem, field: &'static str) -> bool {
        self.unread.borrow().contains(&(item, field))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.problems.borrow().is_empty()
    }

    pub(crate) fn fail(&self, item: SceneItem, field: &'static str, finding: impl Into<Finding>) {
        let problem = Diagnostic::error(self.place(item, field), finding);
        self.problem(item, field, problem.into());
    }

    /// Records something that is allowed but deserves a word.
    pub(crate) fn warn(&self, item: SceneItem, field: &'static str, finding: impl Into<Finding>) {
        self.warn_at(self.place(item, field), finding);
    }

    pub(crate) fn warn_at(&self, span: Span, finding: impl Into<Finding>) {
        let warning = Diagnostic::warning(span, finding);
        self.warnings.borrow_mut().push(warning);
    }

    pub(crate) fn problem(&self, item: SceneItem, field: &'static str, problem: Problem) {
        self.unread.borrow_mut().push((item, field));
        self.problems.borrow_mut().push(problem);
    }

    /// Takes back that a key is missing in the table of a header: it is misspelt.
    pub(crate) fn is_not_missing(&self, header: &Span, key: &str) {
        let is_it = |problem: &Problem| {
            problem.diagnostic.span.as_ref() == Some(header) && problem.missing.contains(&key)
        };
        self.problems.borrow_mut().retain(|problem| !is_it(problem));
    }

    pub(crate) fn note_concave(&self, item: SceneItem, difference: String) {
        self.concave.borrow_mut().push((item, difference));
    }

    /// How the hulls of the meshes of a shape differ that touch as they are since they are concave.
    pub(crate) fn concave(&self, item: SceneItem) -> Option<String> {
        let all = self.concave.borrow();
        let found = all.iter().find(|(found, _)| is_of(*found, item));
        found.map(|(_, difference)| difference.clone())
    }

    pub(crate) fn note_mesh(&self, item: SceneItem) {
        self.with_mesh.borrow_mut().push(item);
    }

    /// Whether a shape or one of its parts is a mesh of a file of triangles.
    pub(crate) fn has_mesh(&self, item: SceneItem) -> bool {
        let all = self.with_mesh.borrow();
        all.iter().any(|found| is_of(*found, item))
    }

    pub(crate) fn locate(&self, item: SceneItem, field: &'static str, span: Span) {
        self.places.borrow_mut().insert(item, field, span);
    }

    pub(crate) fn problems(&self) -> Vec<Problem> {
        self.problems.borrow().clone()
    }

    pub(crate) fn warnings(&self) -> Vec<Diagnostic> {
        self.warnings.borrow().clone()
    }
}

/// Whether an item is a shape or a part of it.
fn is_of(found: SceneItem, item: SceneItem) -> bool {
    match found {
        SceneItem::Part(body, shape, _) => SceneItem::Shape(body, shape) == item,
        _ => found == item,
    }
}
