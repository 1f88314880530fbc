//! Functions of the user that the laws of a scene call, loaded from the files of one platform.

use crate::scene::Scene;
use crate::scene::description::{LibraryDescription, LibraryFile};
use contact_laws::response::choice::{FrictionKind, NormalKind};
use contact_laws::response::user::interface::CONTACT_LAW_VERSION;
use contact_laws::response::user::{UserFunction, UserLaw, UserLibrary};
use contact_laws::response::{LawChoice, Number};
use std::env::consts;
use std::ffi::CString;
use std::path::PathBuf;
use std::sync::Arc;

/// Functions in the order of [`Scene::user_functions`].
#[derive(Debug, Default)]
pub struct UserFunctions(Vec<UserFunction>);

/// Name of the platform of this program, as FMI 3.0 has it: `x86_64-linux`.
pub fn own_platform() -> String {
    let system = match consts::OS {
        "macos" => "darwin",
        other => other,
    };
    format!("{}-{system}", consts::ARCH)
}

/// The file of a library for the platform of this program.
///
/// # Errors
/// There is none; the text names the platforms that there are.
pub fn own_file(library: &LibraryDescription) -> Result<&LibraryFile, String> {
    let own = own_platform();
    let found = library.files.iter().find(|file| file.platform == own);
    found.ok_or_else(|| {
        let known = library.files.iter();
        let known: Vec<String> = known
            .map(|f| format!("{} for {}", f.file, f.platform))
            .collect();
        format!(
            "user library {:?} has no file for {own}, only {} (contact laws of version \
             {CONTACT_LAW_VERSION} are wanted)",
            library.name,
            known.join(", ")
        )
    })
}

impl UserFunctions {
    /// Loads what the scene names. `path` returns where a library lies here.
    ///
    /// # Errors
    /// The text of `path`; or that of a library that does not load, is of another version or lacks
    /// a function.
    pub fn load(
        scene: &Scene,
        path: impl Fn(&LibraryDescription) -> Result<PathBuf, String>,
    ) -> Result<Arc<Self>, String> {
        let mut libraries = Vec::new();
        let used = |name: &str| scene.user_functions().iter().any(|f| f.library == name);
        for library in scene.libraries().iter().filter(|l| used(&l.name)) {
            libraries.push((&library.name, UserLibrary::open(&path(library)?)?));
        }
        let mut functions = Vec::new();
        for function in scene.user_functions() {
            let library = libraries
                .iter()
                .find(|(name, _)| **name == function.library);
            functions.push(match library {
                Some((_, library)) => library.function(&function.symbol)?,
                None => UserFunction::missing(&function.library, &function.symbol, "no library"),
            });
        }
        Ok(Arc::new(UserFunctions(functions)))
    }

    /// The functions of a scene, none of them loaded: each refuses every call.
    pub fn not_loaded(scene: &Scene) -> Arc<Self> {
        let functions = scene.user_functions().iter();
        let missing = functions.map(|f| {
            let reason = format!(
                "user library {:?} with function {} is not loaded",
                f.library, f.symbol
            );
            UserFunction::missing(&f.library, &f.symbol, reason)
        });
        Arc::new(UserFunctions(missing.collect()))
    }

    /// The functions that are the normal force and the friction of a law, with its numbers.
    pub(crate) fn of_law(&self, name: &str, law: &LawChoice) -> [Option<Arc<UserLaw>>; 2] {
        let bound = |place: u16| {
            let count = law.kinds.user_numbers;
            Some(Arc::new(UserLaw {
                function: self.0.get(usize::from(place))?.clone(),
                // Names of materials, bodies and shapes are identifiers.
                name: CString::new(name).unwrap_or_default(),
                numbers: (0..count).map(|i| law.number(Number::User(i))).collect(),
            }))
        };
        let normal = match law.kinds.normal {
            NormalKind::User(place) => bound(place),
            _ => None,
        };
        let friction = match law.kinds.friction {
            FrictionKind::User(place) => bound(place),
            _ => None,
        };
        [normal, friction]
    }
}
