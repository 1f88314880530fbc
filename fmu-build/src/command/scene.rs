//! A scene file with derived data for commands. Every problem names the file, with line and column.

use super::laws::Laws;
use super::settings::{self, Known, LibraryError, Other, Setting};
use super::start_values::{self, StateStart};
use crate::modelica::is_keyword;
use crate::scene_file::{
    self, Diagnostic, Diagnostics, GivenScene, InterfaceOverrides, LoadedScene, Severity,
    named_items,
};
use contact_laws::index::ParameterId;
use contact_laws::quantity::Keyword;
use contact_model::dynamics::System;
use contact_model::scene::description::world::SOLVER;
use contact_model::scene::description::{Naming, Solver};
use contact_model::scene::{Parameters, Scene, SceneDescription, SceneItem};
use fmu_core::instance::Standard;
use fmu_core::instance::variables::names::NameClash;
use fmu_core::instance::variables::{Family, VariableTable};
use std::path::Path;
use std::sync::Arc;

pub(crate) struct Ready {
    pub loaded: LoadedScene,
    pub laws: Laws,
    /// Overrides of start values.
    pub settings: Vec<Setting>,
}

/// Reads a scene file, or the scene that is given in its place.
///
/// # Errors
/// Problems of the file.
pub(super) fn read(
    path: &Path,
    given: Option<&GivenScene>,
    interface: InterfaceOverrides,
) -> Result<Ready, Diagnostics> {
    let loaded = given.map_or_else(|| scene_file::read(path), scene_file::read_given);
    let mut loaded = loaded?.with_interface(interface)?;
    let table = VariableTable::new(&loaded.scene, Standard::Fmi3);
    let clash = table.check_names(&loaded.scene).err();
    let clash = clash.map(|clash| name_clash(&loaded, &clash));
    let functions = settings::load(&loaded.scene, &loaded.libraries);
    let functions = match (functions, clash) {
        (Ok(functions), None) => functions,
        (Ok(_), Some(clash)) => return Err(clash),
        (Err(error), clash) => {
            let mut problems = library_problem(&loaded, error);
            problems.list.extend(clash.into_iter().flat_map(|x| x.list));
            return Err(problems);
        }
    };
    let laws = Laws::of(&loaded.scene, &functions)
        .map_err(|error| loaded.problem(SceneItem::Scene, "", error.message))?;
    loaded.warnings.list.extend(keywords(&loaded));
    Ok(Ready {
        loaded,
        laws,
        settings: Vec::new(),
    })
}

/// Warnings about names that are Modelica keywords, if variables have them as parts of their names.
fn keywords(loaded: &LoadedScene) -> Vec<Diagnostic> {
    let scene = &loaded.description;
    if scene.interface.naming == Naming::Flat {
        return Vec::new();
    }
    let words = named_items(scene)
        .into_iter()
        .filter(|(_, name)| is_keyword(name));
    let warnings = words.flat_map(|(item, name)| {
        let message = format!(
            "name = {name:?} is a word of Modelica, at which tools of that language may stop when they import the FMU"
        );
        let help = "choose another name, or naming = \"flat\" in [interface]";
        loaded.problem(item, "name", (message, help)).list
    });
    let as_warning = |problem| Diagnostic {
        severity: Severity::Warning,
        ..problem
    };
    warnings.map(as_warning).collect()
}

impl Ready {
    /// Applies start values of parameters and states.
    ///
    /// # Errors
    /// Text: an unknown name, or a value that is invalid or out of range, with the message to an importer.
    pub(crate) fn with(self, settings: &[Setting]) -> Result<Ready, String> {
        if settings.is_empty() {
            return Ok(self);
        }
        let mut loaded = self.loaded;
        let scene = Arc::new(loaded.scene.clone());
        let chosen = choose(settings, &scene)?;
        let mut wanted = Parameters::start(&scene);
        for (index, value) in &chosen.parameters {
            wanted.set(&scene, *index, *value);
        }
        let functions = settings::load(&scene, &loaded.libraries).map_err(|error| error.reason)?;
        System::with_functions(Arc::clone(&scene), &wanted, &functions)
            .map_err(|error| format!("--set: {}", error.message))?;
        let given: Vec<ParameterId> = chosen.parameters.iter().map(|(index, _)| *index).collect();
        (loaded.description, loaded.scene) =
            start_values::described(&loaded.description, &scene, &wanted, &given)?;
        (loaded.description, loaded.scene) =
            start_values::with_states(&loaded.description, &loaded.scene, &chosen.states)?;
        let laws = Laws::of(&loaded.scene, &functions)
            .map_err(|error| format!("--set: {}", error.message))?;
        Ok(Ready {
            loaded,
            laws,
            settings: settings.to_vec(),
        })
    }
}

/// Parameters and states selected by settings.
struct Chosen {
    parameters: Vec<(ParameterId, f64)>,
    states: Vec<StateStart>,
}

/// Selects parameters and states by their names in FMI 3.0.
fn choose(settings: &[Setting], scene: &Scene) -> Result<Chosen, String> {
    let table = VariableTable::new(scene, Standard::Fmi3);
    let name = |index: ParameterId| {
        let quantity = Family::Parameter.of(index.into());
        let array = table.reference(quantity).and_then(|r| table.dimension(r));
        match array.and(scene.parameters()[index].component()) {
            // Brackets with flat names too; the entries of an inertia are a vector.
            Some(i) => format!("{}[{}]", table.name(scene, quantity), i + 1),
            None => table.element_name(scene, quantity),
        }
    };
    let parameters = scene.parameters().iter_enumerated();
    let known = parameters.map(|(index, parameter)| {
        let unit = scene.parameter_row(*parameter).declared.unit;
        Known {
            name: name(index),
            unit: unit.map(str::to_owned),
            words: match parameter.key() == SOLVER.key {
                true => solver_words(),
                false => Vec::new(),
            },
            is_integer: false,
        }
    });
    let states = start_values::stated(scene);
    let known_states = states.iter().map(|state| Known {
        name: table.element_name(scene, Family::State.of(*state)),
        unit: Family::State.of(*state).unit(scene).map(str::to_owned),
        words: Vec::new(),
        is_integer: false,
    });
    let known: Vec<Known> = known.chain(known_states).collect();
    let other = |wanted: &str| {
        let mut quantities = table.quantities();
        let (reference, found) = quantities.find(|(_, quantity)| {
            table.name(scene, *quantity) == wanted || table.element_name(scene, *quantity) == wanted
        })?;
        Some(Other {
            causality: table.causality(scene, found).word().to_owned(),
            is_array: table.dimension(reference).is_some(),
        })
    };
    let chosen = settings::choose(settings, &known, other)?;
    let count = scene.parameters().len();
    let (parameters, of_states): (Vec<_>, Vec<_>) =
        chosen.into_iter().partition(|(i, _)| *i < count);
    let parameter = |(i, value)| (ParameterId::from(i), value);
    let state = |(i, value): (usize, f64)| StateStart {
        state: states[i - count],
        value,
    };
    Ok(Chosen {
        parameters: parameters.into_iter().map(parameter).collect(),
        states: of_states.into_iter().map(state).collect(),
    })
}

fn solver_words() -> Vec<(String, f64)> {
    let words = Solver::WORDS.iter();
    words
        .map(|(word, solver)| ((*word).to_owned(), solver.number()))
        .collect()
}

/// Problem of two names that importers cannot distinguish, at the element of the second one.
pub(crate) fn name_clash(loaded: &LoadedScene, clash: &NameClash) -> Diagnostics {
    let item = item_of(&loaded.description, &clash.second);
    loaded.problem(item, "name", clash.to_string())
}

/// Element of a variable with a structured name, `ball` for `ball.position[1]` and `tip` for
/// `measure.tip.distance`.
fn item_of(description: &SceneDescription, variable: &str) -> SceneItem {
    let mut words = variable
        .split(['.', '(', ')'])
        .filter(|word| *word != "der");
    let (first, second) = (words.next(), words.next());
    let items = named_items(description);
    let find = |word: Option<&str>, is_kind: fn(&SceneItem) -> bool| {
        let mut items = items.iter();
        let found = items.find(|(item, name)| word == Some(*name) && is_kind(item));
        found.map(|(item, _)| *item)
    };
    let latch = find(second, |item| matches!(item, SceneItem::Latch(_)));
    let found = match first {
        Some("latch") if latch.is_some() => latch,
        Some("force") => find(second, |item| matches!(item, SceneItem::Force(_))),
        Some("measure") => find(second, |item| matches!(item, SceneItem::Measurement(_))),
        _ => find(first, |item| matches!(item, SceneItem::Body(_)))
            .or_else(|| find(first, |item| matches!(item, SceneItem::Joint(_))))
            .or_else(|| find(first, |item| matches!(item, SceneItem::Grains(_)))),
    };
    found.unwrap_or(SceneItem::Scene)
}

/// Problem of a user library, at its file.
pub(crate) fn library_problem(loaded: &LoadedScene, error: LibraryError) -> Diagnostics {
    let item = error.index.map_or(SceneItem::Scene, SceneItem::Library);
    loaded.problem(item, "file", error.reason)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use tempfile::TempDir;

    /// Warnings of the double pendulum with other names, as lines.
    fn warnings(changes: &[(&str, &str)]) -> Vec<String> {
        let scene = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../examples/double_pendulum/scene.toml"
        );
        let mut text = fs::read_to_string(scene).unwrap();
        for (old, new) in changes {
            assert!(text.contains(old), "{old}");
            text = text.replace(old, new);
        }
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("scene.toml");
        fs::write(&file, text).unwrap();
        let ready = read(&file, None, InterfaceOverrides::default()).unwrap();
        let warnings = ready.loaded.warnings.to_string();
        let heads = warnings.lines().filter(|line| !line.starts_with(' '));
        heads.map(str::to_owned).collect()
    }

    #[test]
    fn names_that_are_words_of_modelica_are_warned_of_where_they_stand() {
        let keywords = [("\"upper\"", "\"end\""), ("\"elbow\"", "\"model\"")];
        let lines = warnings(&keywords);
        assert_eq!(lines.len(), 2, "{lines:?}");
        for (line, name) in lines.iter().zip(["\"end\"", "\"model\""]) {
            assert!(
                line.contains("scene.toml:") && line.contains(name),
                "{line}"
            );
        }
        let flat = (
            "[experiment]",
            "[interface]\nnaming = \"flat\"\n[experiment]",
        );
        assert_eq!(warnings(&[keywords[0], keywords[1], flat]), [""; 0]);
        assert_eq!(warnings(&[("\"upper\"", "\"ends\"")]), [""; 0]);
    }
}
