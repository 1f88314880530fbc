//! The part of a scene with problems that has none: how its bodies start is known without guessing.
//!
//! A body is left out where it, one of its shapes, the joint or the motion that places it, or a material
//! of it has a problem, and so is what hangs on a body that is left out. There is no part where a
//! problem of a pair or of `[contact]` leaves open what touches.

use super::diagnostics::Diagnostic;
use super::material::contact_name;
use super::notes::Notes;
use super::overlap;
use contact_model::dynamics;
use contact_model::scene::description::{BodyDescription, Report, ShapeName};
use contact_model::scene::{Scene, SceneDescription, SceneError, SceneItem};
use std::sync::Arc;

/// A good part of a scene.
pub(crate) struct GoodPart {
    scene: Scene,
    description: SceneDescription,
    /// Places of its bodies, groups and joints in the whole scene.
    bodies: Vec<usize>,
    groups: Vec<usize>,
    joints: Vec<usize>,
}

impl GoodPart {
    /// That of a scene, with what is wrong with it beside what could not be read; none where it is not
    /// clear, or empty.
    pub(crate) fn of(
        notes: &Notes,
        whole: &SceneDescription,
        errors: &[SceneError],
    ) -> Option<Self> {
        let mut bad = notes.bad_items();
        bad.extend(errors.iter().map(|error| error.item));
        let is_bad = |item| bad.contains(&item);
        let leaves_open = |item: SceneItem, field: &str| match item {
            SceneItem::Contact | SceneItem::Pair(_) | SceneItem::Library(_) => true,
            SceneItem::MaterialPair(_) => true,
            SceneItem::Material(_) => field == "name",
            SceneItem::Scene => matches!(
                field,
                "body"
                    | "pair"
                    | "contact"
                    | "joint"
                    | "material"
                    | "material_pair"
                    | "motion"
                    | "library"
            ),
            SceneItem::Body(_) => matches!(field, "name" | "collision_group"),
            SceneItem::Joint(_) => matches!(field, "parent" | "child" | "can_collide"),
            _ => false,
        };
        let mut broken = errors.iter();
        if notes.any_bad(leaves_open) || broken.any(|error| leaves_open(error.item, error.field)) {
            return None;
        }
        let bodies = good_bodies(whole, &bad);
        let name = |index: &usize| whole.bodies[*index].name.as_str();
        let names: Vec<&str> = bodies.iter().map(name).collect();
        let groups: Vec<usize> = (0..whole.grains.len())
            .filter(|i| !is_bad(SceneItem::Grains(*i)))
            .collect();
        let joints: Vec<usize> = (0..whole.joints.len())
            .filter(|i| names.contains(&whole.joints[*i].child.as_str()))
            .collect();
        let mut description = whole.clone();
        description.bodies = bodies.iter().map(|i| whole.bodies[*i].clone()).collect();
        description.grains = groups.iter().map(|i| whole.grains[*i].clone()).collect();
        description.joints = joints.iter().map(|i| whole.joints[*i].clone()).collect();
        let is_known =
            |pair: &[ShapeName; 2]| pair.iter().all(|x| names.contains(&x.body.as_str()));
        description.pairs.retain(|pair| is_known(&pair.between));
        description.excluded.retain(is_known);
        description
            .motions
            .retain(|motion| names.contains(&motion.body.as_str()));
        // What tells nothing of the start.
        description.latches = Vec::new();
        description.triggers = Vec::new();
        description.forces = Vec::new();
        description.measurements = Vec::new();
        description.report = Report::default();
        description.overlap = Report::default();
        description.contact.sparsification = None;
        description.contact.overlap_epsilon = None;
        description.expose = None;
        let scene = Scene::new(description.clone()).ok()?;
        Some(GoodPart {
            scene,
            description,
            bodies,
            groups,
            joints,
        })
    }

    /// What is wrong with its start.
    pub(crate) fn problems(self, notes: &Notes) -> Vec<Diagnostic> {
        let joint = dynamics::pressing::flaw(&Arc::new(self.scene.clone()));
        let mut problems = Vec::new();
        if let Some((joint, flaw)) = joint {
            let joint: usize = joint.into();
            let place = notes.place(SceneItem::Joint(self.joints[joint]), "child");
            problems.push(Diagnostic::error(place, flaw));
        }
        if let Err(said) = overlap::start(self.scene, self.description) {
            problems.extend(said.into_iter().map(|(item, said)| {
                let item = match item {
                    SceneItem::Body(i) => SceneItem::Body(self.bodies[i]),
                    SceneItem::Grains(i) => SceneItem::Grains(self.groups[i]),
                    other => other,
                };
                Diagnostic::error(notes.place(item, "position"), said)
            }));
        }
        problems
    }
}

/// The bodies without a problem whose places are known.
fn good_bodies(whole: &SceneDescription, bad: &[SceneItem]) -> Vec<usize> {
    let is_bad = |item| bad.contains(&item);
    let is_bad_material = |name: &String| {
        let mut materials = whole.materials.iter().enumerate();
        materials.any(|(i, known)| known.name == *name && is_bad(SceneItem::Material(i)))
    };
    let has_bad_shape = |index: usize| {
        let mut shapes = whole.bodies[index].shapes.iter();
        let is_own = |item: &SceneItem| match item {
            SceneItem::Shape(body, _) | SceneItem::Part(body, ..) => *body == index,
            _ => false,
        };
        bad.iter().any(is_own)
            || shapes.any(|shape| {
                is_bad_material(&shape.material) || is_bad_material(contact_name(shape))
            })
    };
    let has_bad_motion = |body: &BodyDescription| {
        let mut motions = whole.motions.iter().enumerate();
        motions.any(|(i, motion)| motion.body == body.name && is_bad(SceneItem::Motion(i)))
    };
    let mut good: Vec<usize> = (0..whole.bodies.len())
        .filter(|index| {
            let body = &whole.bodies[*index];
            !is_bad(SceneItem::Body(*index)) && !has_bad_shape(*index) && !has_bad_motion(body)
        })
        .collect();
    // Until nothing hangs on what is left out.
    loop {
        let is_good = |name: &String| good.iter().any(|i| whole.bodies[*i].name == *name);
        let hangs = |index: &usize| {
            let mut joints = whole.joints.iter().enumerate();
            joints.any(|(i, joint)| {
                let is_parent_good = joint.parent.as_ref().is_none_or(is_good);
                joint.child == whole.bodies[*index].name
                    && (is_bad(SceneItem::Joint(i)) || !is_parent_good)
            })
        };
        let left: Vec<usize> = good.iter().copied().filter(|index| !hangs(index)).collect();
        if left.len() == good.len() {
            return good;
        }
        good = left;
    }
}
