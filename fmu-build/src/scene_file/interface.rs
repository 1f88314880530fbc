//! `[interface]`: what an importer sees of the model. The command line may override each key, and has
//! sets of them for importers, [`PROFILES`].

use super::force::all;
use super::walker::Section;
use contact_model::scene::description::world::{EXPOSE, INTERFACE};
use contact_model::scene::description::{Guard, InterfaceOptions, Motion, Naming};
use contact_model::scene::{Scene, SceneDescription, SceneItem};
use fmu_core::instance::Standard;
use fmu_core::instance::variables::VariableTable;

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
    /// Parameters are shown only where a pattern of `expose` matches.
    pub expose_parameters: Option<bool>,
    /// `expose` is [`motion`] in a scene without.
    pub expose_motion: bool,
}

/// Named sets of options, each for an importer.
///
/// OpenModelica stacks the connectors of all outputs beside the icon of an imported FMU, and shows all
/// parameters in one list.
pub const PROFILES: [(&str, InterfaceOverrides); 1] = [(
    "openmodelica",
    InterfaceOverrides {
        arrays: Some(false),
        naming: Some(Naming::Flat),
        tunable: None,
        strict: None,
        terminals: Some(false),
        guard: None,
        expose_parameters: Some(true),
        expose_motion: true,
    },
)];

impl InterfaceOverrides {
    /// These options, and those of `others` that these leave open.
    pub fn or(self, others: InterfaceOverrides) -> InterfaceOverrides {
        InterfaceOverrides {
            arrays: self.arrays.or(others.arrays),
            naming: self.naming.or(others.naming),
            tunable: self.tunable.or(others.tunable),
            strict: self.strict.or(others.strict),
            terminals: self.terminals.or(others.terminals),
            guard: self.guard.or(others.guard),
            expose_parameters: self.expose_parameters.or(others.expose_parameters),
            expose_motion: self.expose_motion || others.expose_motion,
        }
    }

    /// The options of a file with these in their place.
    pub fn over(self, file: InterfaceOptions) -> InterfaceOptions {
        InterfaceOptions {
            arrays: self.arrays.unwrap_or(file.arrays),
            naming: self.naming.unwrap_or(file.naming),
            tunable: self.tunable.unwrap_or(file.tunable),
            strict: self.strict.unwrap_or(file.strict),
            terminals: self.terminals.unwrap_or(file.terminals),
            guard: self.guard.unwrap_or(file.guard),
            expose_parameters: self.expose_parameters.unwrap_or(file.expose_parameters),
        }
    }
}

/// Patterns of `expose` for poses and velocities of bodies and coordinates of joints, and for what acts on
/// driven bodies.
pub fn motion(description: &SceneDescription, scene: &Scene) -> Vec<String> {
    let outputs = ["position", "orientation", "velocity", "angular_velocity"];
    let outputs = outputs.into_iter().chain(["angle", "displacement"]);
    let mut patterns: Vec<String> = outputs.map(|output| format!("*.{output}")).collect();
    // Parameters of these names.
    patterns.push("!motion.*".to_owned());
    for body in &description.bodies {
        match body.motion {
            Motion::Fixed => patterns.push(format!("!{}.*", body.name)),
            Motion::Driven => {
                let outputs = ["contact_*", "impulse*"];
                patterns.extend(outputs.map(|output| format!("{}.{output}", body.name)));
            }
            Motion::Free | Motion::Joint | Motion::Prescribed => {}
        }
    }
    // A pattern without an output is an error.
    for standard in [Standard::Fmi2, Standard::Fmi3] {
        let table = VariableTable::new(scene, standard);
        patterns.retain(|pattern| {
            let pattern = std::slice::from_ref(pattern);
            table.check_patterns(scene, pattern).is_ok()
        });
    }
    patterns
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
