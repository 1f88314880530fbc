//! A scene file with what the commands need of it. Every problem names the file, with line and
//! column.

use super::laws::Laws;
use super::libraries::{self, LibraryError};
use crate::scene_file::{self, Diagnostics, InterfaceOverrides, LoadedScene};
use fmu_core::instance::Standard;
use fmu_core::instance::variables::VariableTable;
use fmu_core::instance::variables::describe::Describer;
use fmu_core::instance::variables::names::NameClash;
use fmu_core::scene::{SceneDescription, SceneItem};
use std::path::Path;

/// A scene that an FMU can be made of.
pub struct Ready {
    /// The scene.
    pub loaded: LoadedScene,
    /// What its laws mean.
    pub laws: Laws,
}

/// Reads a scene file.
///
/// # Errors
/// The problems of the file.
pub fn read(path: &Path, interface: InterfaceOverrides) -> Result<Ready, Diagnostics> {
    let loaded = scene_file::read(path)?.with_interface(interface)?;
    let table = VariableTable::new(&loaded.scene, Standard::Fmi3);
    Describer::new(&loaded.scene, &table)
        .check_names()
        .map_err(|clash| name_clash(&loaded, &clash))?;
    let functions = libraries::load(&loaded.scene, &loaded.libraries)
        .map_err(|error| library_problem(&loaded, error))?;
    let laws = Laws::of(&loaded.scene, &functions)
        .map_err(|error| loaded.problem(SceneItem::Scene, "", error.message))?;
    Ok(Ready { loaded, laws })
}

/// Two names that importers take for one, at the element that the second one is of.
pub fn name_clash(loaded: &LoadedScene, clash: &NameClash) -> Diagnostics {
    let item = item_of(&loaded.description, &clash.second);
    loaded.problem(item, "name", clash.to_string())
}

/// The element that a variable with a structured name belongs to, `ball` of `ball.position[1]` and
/// `tip` of `measure.tip.distance`.
fn item_of(description: &SceneDescription, variable: &str) -> SceneItem {
    let mut words = variable
        .split(['.', '(', ')'])
        .filter(|word| *word != "der");
    let (first, second) = (words.next(), words.next());
    let named = |name: &String, word: Option<&str>| word == Some(name.as_str());
    let body = description
        .bodies
        .iter()
        .position(|b| named(&b.name, first));
    let joint = description
        .joints
        .iter()
        .position(|j| named(&j.name, first));
    let force = description
        .forces
        .iter()
        .position(|f| named(&f.name, second));
    let mut measurements = description.measurements.iter();
    let measurement = measurements.position(|m| named(&m.name, second));
    match first {
        Some("force") => force.map(SceneItem::Force),
        Some("measure") => measurement.map(SceneItem::Measurement),
        _ => body.map(SceneItem::Body).or(joint.map(SceneItem::Joint)),
    }
    .unwrap_or(SceneItem::Scene)
}

/// What is wrong with a library of the user, at its file.
pub fn library_problem(loaded: &LoadedScene, error: LibraryError) -> Diagnostics {
    let item = error.index.map_or(SceneItem::Scene, SceneItem::Library);
    loaded.problem(item, "file", error.reason)
}
