//! `[interface]`: what an importer sees of the model. The command line may override each key.

use super::force::all;
use super::walker::Section;
use fmu_core::scene::SceneItem;
use fmu_core::scene::description::{Guard, InterfaceOptions, Naming};

/// Words for the values of `naming`; those of FMI.
pub const NAMINGS: &[(&str, Naming)] =
    &[("structured", Naming::Structured), ("flat", Naming::Flat)];

/// Words for the values of `guard`.
pub const GUARDS: &[(&str, Guard)] = &[("importer", Guard::Importer), ("off", Guard::Off)];

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
            guard: self.guard.unwrap_or(file.guard),
        }
    }
}

/// Reads `[interface]`: the options, and the patterns of `expose`.
pub fn read(root: &mut Section<'_>) -> (InterfaceOptions, Option<Vec<String>>) {
    let Some(mut section) = root.table("interface", SceneItem::Scene) else {
        return (InterfaceOptions::default(), None);
    };
    let given = InterfaceOverrides {
        arrays: section.optional("arrays", |f| f.boolean()),
        naming: section.optional("naming", |f| f.choice(NAMINGS)),
        tunable: section.optional("tunable", |f| f.boolean()),
        strict: section.optional("strict", |f| f.boolean()),
        guard: section.optional("guard", |f| f.choice(GUARDS)),
    };
    let expose = section.optional("expose", |f| {
        let patterns =
            f.list("an array of patterns such as [\"ball.*\", \"!ball.contact_torque\"]")?;
        all(patterns, |f| f.string().map(str::to_owned))
    });
    section.finish();
    (given.over(InterfaceOptions::default()), expose)
}
