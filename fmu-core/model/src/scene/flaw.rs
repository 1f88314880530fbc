//! What is wrong with a description: the item, its field, what was found and what to write in a scene
//! file. A tool shows it at the place of the field; the log of an FMU whose bytes are broken has the text.

use crate::scene::description::{SceneDescription, SceneItem};
use contact_laws::finding::Finding;
use thiserror::Error;

/// One problem of a description.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{}", .finding.message)]
pub struct SceneError {
    /// The item with the problem.
    pub item: SceneItem,
    /// The field of the item, by its key; empty if the item itself is meant.
    pub field: &'static str,
    /// What is wrong and what to do; the message names the item.
    pub finding: Finding,
    /// The item that has the same in this field, where two are one too many.
    pub first: Option<SceneItem>,
}

impl SceneError {
    /// A problem of an item of a description.
    pub(super) fn new(
        description: &SceneDescription,
        item: SceneItem,
        field: &'static str,
        finding: impl Into<Finding>,
    ) -> Self {
        SceneError {
            item,
            field,
            finding: finding.into().of(&subject(description, item)),
            first: None,
        }
    }

    /// The same with the item that has it already.
    pub(super) fn after(self, first: SceneItem) -> Self {
        SceneError {
            first: Some(first),
            ..self
        }
    }
}

/// Names the item at the head of a message.
fn subject(scene: &SceneDescription, item: SceneItem) -> String {
    match item {
        SceneItem::Scene => String::new(),
        SceneItem::Contact => "contact: ".into(),
        SceneItem::Body(b) => format!("body {:?}: ", scene.bodies[b].name),
        SceneItem::Grains(g) => format!("grains {:?}: ", scene.grains[g].name),
        SceneItem::Shape(b, s) => {
            format!(
                "body {:?}, shape {:?}: ",
                scene.bodies[b].name, scene.bodies[b].shapes[s].name
            )
        }
        SceneItem::Part(b, s, p) => {
            let shape = subject(scene, SceneItem::Shape(b, s));
            format!("{}, part number {}: ", shape.trim_end_matches(": "), p + 1)
        }
        SceneItem::Material(m) => format!("material {:?}: ", scene.materials[m].name),
        SceneItem::MaterialPair(p) => {
            let [a, b] = &scene.material_pairs[p].materials;
            format!("material pair {a:?}, {b:?}: ")
        }
        SceneItem::Pair(p) => {
            let [a, b] = &scene.pairs[p].between;
            format!("pair {a}:{b}: ")
        }
        SceneItem::Library(l) => format!("library {:?}: ", scene.libraries[l].name),
        SceneItem::Force(f) => format!("force {:?}: ", scene.forces[f].name),
        SceneItem::Joint(j) => format!("joint {:?}: ", scene.joints[j].name),
        SceneItem::Latch(l) => format!("latch {:?}: ", scene.latches[l].name),
        SceneItem::Motion(m) => format!("motion of {:?}: ", scene.motions[m].body),
        SceneItem::Measurement(m) => format!("measurement {:?}: ", scene.measurements[m].name),
        SceneItem::Trigger(t) => format!("trigger {:?}: ", scene.triggers[t].name),
    }
}

/// Says that there is nothing of this kind and name, and what there is.
pub(super) fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str>) -> String {
    format!("{what} {name:?} is not known; known: {}", list(known))
}

/// Names in a row, or `none`.
pub(super) fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    match names.is_empty() {
        true => "none".into(),
        false => names.join(", "),
    }
}
