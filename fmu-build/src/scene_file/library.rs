//! `[[library]]`: shared libraries with contact laws of the user; and the keys with which a law
//! names functions of them.

use super::notes::{Libraries, LibraryPath, Notes};
use super::walker::{Field, Section, suggestion};
use contact_laws::response::choice::{FrictionKind, NormalKind};
use contact_model::scene::SceneItem;
use contact_model::scene::description::contact::PLATFORMS;
use contact_model::scene::description::{LibraryDescription, LibraryFile};
use contact_model::scene::user::own_platform;
use std::cell::RefCell;
use std::path::PathBuf;

/// Keys with which a law names functions.
pub(crate) const KEYS: [&str; 3] = ["library", "normal_function", "friction_function"];
/// Functions that a law calls unless it names others.
const DEFAULTS: [&str; 2] = ["contact_normal_force", "contact_friction_force"];

/// Reads all libraries into the notes of the document.
pub(crate) fn read_all(root: &mut Section<'_>) {
    let notes = root.notes();
    for mut section in root.tables("library", SceneItem::Library) {
        let name = section.required("name", "write name = \"...\"", |f| f.string());
        let name = name.unwrap_or_default().to_owned();
        let mut files = Vec::new();
        let file = section.field("file");
        let several = section.field("files");
        match (file, several) {
            (Some(_), Some(several)) => several.refuse((
                    "and file both say what the library is",
                    "keep one of the two",
                ),
            ),
            (Some(file), None) => files.extend(path_of(file, notes, &own_platform())),
            (None, Some(several)) => {
                if let Some(mut table) = several.table("{ x86_64-linux = \"librubber.so\" }") {
                    for platform in PLATFORMS {
                        let file = table.field(platform);
                        files.extend(file.and_then(|f| path_of(f, notes, platform)));
                    }
                    table.finish();
                }
            }
            (None, None) => section.missing(
                "files",
                (
                    "file is missing",
                    "write file = \"...\", or files = { x86_64-linux = \"...\" } for several platforms",
                ),
            ),
        }
        section.finish();
        let mut libraries = notes.libraries.borrow_mut();
        libraries.list.push(LibraryDescription {
            name: name.clone(),
            files: files.iter().map(|(file, _)| file.clone()).collect(),
        });
        let paths = files.into_iter().map(|(file, path)| LibraryPath {
            library: name.clone(),
            file,
            path,
        });
        libraries.paths.extend(paths);
    }
}

/// The file that a value names, relative to the scene file.
fn path_of(field: Field<'_>, notes: &Notes, platform: &str) -> Option<(LibraryFile, PathBuf)> {
    let text = field.clone().string()?;
    let path = notes.folder().join(text);
    let name = path.file_name().and_then(|name| name.to_str());
    let (Some(name), true) = (name, path.is_file()) else {
        field.fail((
            format!("is {text:?}, which is no file"),
            "give the path from the folder of the scene file",
        ));
        return None;
    };
    let file = LibraryFile {
        platform: platform.to_owned(),
        file: name.to_owned(),
    };
    Some((file, path))
}

/// Reads the keys with which a law names functions, and puts these into its kinds.
pub(crate) fn read_functions(
    section: &mut Section<'_>,
    normal: &mut Option<NormalKind>,
    friction: &mut Option<FrictionKind>,
) {
    let libraries = &section.notes().libraries;
    let [library, normal_name, friction_name] = KEYS.map(|key| section.field(key));
    let user_normal = matches!(normal, Some(NormalKind::User(_)));
    let user_friction = matches!(friction, Some(FrictionKind::User(_)));
    for (field, used, with) in [
        (
            &library,
            user_normal || user_friction,
            "law = \"user\" or friction = \"user\"",
        ),
        (&normal_name, user_normal, "law = \"user\""),
        (&friction_name, user_friction, "friction = \"user\""),
    ] {
        if let (Some(field), false) = (field, used) {
            field.refuse((
                format!("has a meaning only with {with} beside it"),
                "remove it",
            ));
        }
    }
    if !user_normal && !user_friction {
        return;
    }
    let Some(library) = library else {
        section.missing(
            "library",
            (
                "library is missing",
                "name the [[library]] of the functions, such as library = \"rubber\"",
            ),
        );
        return;
    };
    let Some(library) = name_of(library, libraries) else {
        return;
    };
    let symbol = |field: Option<Field<'_>>, default: &'static str| match field {
        Some(field) => field.string().map(str::to_owned),
        None => Some(default.to_owned()),
    };
    if user_normal && let Some(symbol) = symbol(normal_name, DEFAULTS[0]) {
        *normal = Some(NormalKind::User(
            libraries.borrow_mut().place(&library, &symbol),
        ));
    }
    if user_friction && let Some(symbol) = symbol(friction_name, DEFAULTS[1]) {
        *friction = Some(FrictionKind::User(
            libraries.borrow_mut().place(&library, &symbol),
        ));
    }
}

/// The name of a library that must be known.
fn name_of(field: Field<'_>, libraries: &RefCell<Libraries>) -> Option<String> {
    let name = field.clone().string()?;
    let libraries = &libraries.borrow().list;
    let known: Vec<&str> = libraries.iter().map(|l| l.name.as_str()).collect();
    if known.contains(&name) {
        return Some(name.to_owned());
    }
    let guess = match suggestion(name, &known) {
        Some(likely) => format!("did you mean {likely:?}?"),
        None if known.is_empty() => "there is no [[library]]; add one".to_owned(),
        None => format!("known: {}", known.join(", ")),
    };
    field.fail((format!("is {name:?}, which is no library"), guess));
    None
}
