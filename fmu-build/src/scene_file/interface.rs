//! `[interface]`: what an importer sees of the model. The command line may override each key.

use super::force::all;
use super::walker::Section;
use fmu_core::scene::SceneItem;
use fmu_core::scene::description::world::{EXPOSE, INTERFACE};
use fmu_core::scene::description::{Guard, InterfaceOptions, Naming};

/// Options that replace those of a scene file; none keeps what the file says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InterfaceOverrides {
    /// Vectors are array variables.
    pub arrays: Option<bool>,
    /// How variables are named.
    pub naming: Option<Naming>,
    /// Parameters may change during a run.
    pub tunable: Option<bool>,
    /// Refuses calls that the standard does not allow.
    pub strict: Option<bool>,
    /// Terminals are in the FMU.
    pub terminals: Option<bool>,
    /// Who sees a contact within a step of Model Exchange.
    pub guard: Option<Guard>,
}

impl InterfaceOverrides {
    /// The options of a file with these in their place.
    pub fn over(self, file: InterfaceOptions) -> InterfaceOptions {
        InterfaceOptions {
            arrays: self.arrays.unwrap_or(file.arrays),
            naming: self.naming.unwrap_or(file.naming),
            tunable: self.tunable.unwrap_or(file.tunable),
            strict: self.strict.unwrap_or(file.strict),
            terminals: self.terminals.unwrap_or(file.terminals),
            guard: self.guard.unwrap_or(file.guard),
        }
    }
}

/// Reads `[interface]`: the options, and the patterns of `expose`.
pub fn read(root: &mut Section<'_>) -> (InterfaceOptions, Option<Vec<String>>) {
    let Some(mut section) = root.table("interface", SceneItem::Scene) else {
        return (InterfaceOptions::default(), None);
    };
    let mut options = InterfaceOptions::default();
    section.rows(&INTERFACE, &mut options, |_, _, _| {});
    let expose = section.key(EXPOSE).and_then(|f| {
        let patterns = f.list(&format!("an array of patterns such as {}", EXPOSE.example))?;
        all(patterns, |f| f.string().map(str::to_owned))
    });
    section.finish();
    (options, expose)
}
