//! Who never touches whom: bodies that do not move against each other, bodies that a joint holds
//! together, bodies of one collision group, what is excluded by name, and what has `law = "none"`,
//! of two materials or of a named pair. If several named pairs say something of the same two
//! shapes, the one that names more shapes counts.

use crate::scene::Scene;
use crate::scene::description::{Motion, PairResponse, SceneDescription, SceneItem, ShapeName};
use crate::scene::elements::Body;
use crate::scene::flaw::{Rule, SceneError, SceneFlaw, list};
use crate::scene::joint::Joint;
use crate::scene::pairs::Group;
use crate::scene::tree::is_rigid;
use contact_laws::index::{BodyId, GroupId, JointId, TiSlice, TiVec};
use std::collections::BTreeMap;
use std::fmt;

impl Scene {
    /// Pairs of groups that never touch though their bodies may.
    pub(super) fn excluded(
        &self,
        description: &SceneDescription,
        groups: &TiSlice<GroupId, Group>,
        errors: &mut Vec<SceneError>,
    ) -> Vec<[GroupId; 2]> {
        let named = |name: &ShapeName| -> Vec<GroupId> {
            let meant = |group: &Group| {
                let body = &self.bodies[group.body].name;
                name.names(body, &self.shapes[group.shapes.start].name)
            };
            groups.keys().filter(|g| meant(&groups[*g])).collect()
        };
        let of_material = |name: &String| -> Vec<GroupId> {
            let is_of = |g: &GroupId| self.materials()[groups[*g].material].name == *name;
            groups.keys().filter(is_of).collect()
        };
        let mut excluded = self.held_by_joints(groups);
        for names in &description.excluded {
            excluded.extend(products(names.each_ref().map(named)));
        }
        for pair in &description.material_pairs {
            if pair.response == PairResponse::None {
                excluded.extend(products(pair.materials.each_ref().map(of_material)));
            }
        }
        // What the most precise named pair says of two groups: its precision, and its index.
        let mut said: BTreeMap<[GroupId; 2], (usize, usize)> = BTreeMap::new();
        let is_none = |index: usize| description.pairs[index].response == Some(PairResponse::None);
        for (index, pair) in description.pairs.iter().enumerate() {
            if pair.response.is_none() {
                continue;
            }
            let precision = pair.between.iter().filter(|n| n.shape.is_some()).count();
            let mut twice = None;
            for two in products(pair.between.each_ref().map(named)) {
                let new = (precision, index);
                let old = said.entry(two).or_insert(new);
                if old.0 == precision && is_none(old.1) != is_none(index) {
                    twice = Some(old.1);
                }
                if precision > old.0 {
                    *old = new;
                }
            }
            if let Some(first) = twice {
                let flaw = SceneFlaw::broken(Rule::LawTwice, [&(first + 1).to_string()]);
                let item = SceneItem::Pair(index);
                errors.push(SceneError::new(description, item, "law", flaw));
            }
        }
        let never = said.into_iter().filter(|(_, (_, index))| is_none(*index));
        excluded.extend(never.map(|(two, _)| two));
        excluded
    }
}

impl Scene {
    /// Pairs of groups of the parent and the child of joints that do not let them touch. What fixed
    /// joints hold to one of them counts with it; what is fixed to the world does not.
    fn held_by_joints(&self, groups: &TiSlice<GroupId, Group>) -> Vec<[GroupId; 2]> {
        let rigid = rigid_groups(&self.bodies, self.joints(), self.tree_order());
        let with = |body: BodyId| -> Vec<GroupId> {
            let same = |g: &GroupId| {
                let other = groups[*g].body;
                other == body || (rigid[other] == rigid[body] && rigid[body] < self.bodies.len())
            };
            groups.keys().filter(same).collect()
        };
        let mut excluded = Vec::new();
        for joint in self.joints().iter().filter(|joint| !joint.can_collide) {
            if let Some(parent) = joint.parent {
                excluded.extend(products([with(parent), with(joint.child)]));
            }
        }
        excluded
    }
}

/// Every first with every second, the smaller first.
fn products([ones, others]: [Vec<GroupId>; 2]) -> impl Iterator<Item = [GroupId; 2]> {
    ones.into_iter().flat_map(move |a| {
        let others = others.clone();
        others.into_iter().map(move |b| [a.min(b), a.max(b)])
    })
}

/// Number of the rigid group of each body: bodies of one never move against each other, or their
/// motions are both given. Fixed and prescribed bodies are one group; every other body is one with
/// those that fixed joints hold it to.
pub(super) fn rigid_groups(
    bodies: &TiSlice<BodyId, Body>,
    joints: &TiSlice<JointId, Joint>,
    order: &[JointId],
) -> TiVec<BodyId, usize> {
    let given = bodies.len();
    let own = bodies
        .iter()
        .enumerate()
        .map(|(index, body)| match body.motion {
            Motion::Fixed | Motion::Prescribed => given,
            Motion::Free | Motion::Joint | Motion::Driven => index,
        });
    let mut groups: TiVec<BodyId, usize> = own.collect();
    for joint in order.iter().map(|j| &joints[*j]).filter(|j| is_rigid(j)) {
        groups[joint.child] = joint.parent.map_or(given, |parent| groups[parent]);
    }
    groups
}

/// Number of the collision group of each body.
pub(super) fn collision_groups(description: &SceneDescription) -> TiVec<BodyId, Option<usize>> {
    let mut names: Vec<&str> = Vec::new();
    let bodies = description.bodies.iter();
    let group = bodies.map(|body| {
        let name = body.collision_group.as_deref()?;
        let known = names.iter().position(|known| *known == name);
        Some(known.unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        }))
    });
    group.collect()
}

impl ShapeName {
    /// Returns true if this names a shape of a body, or all of them.
    pub fn names(&self, body: &str, shape: &str) -> bool {
        self.body == body && self.shape.as_deref().is_none_or(|own| own == shape)
    }
}

impl fmt::Display for ShapeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.shape {
            Some(shape) => write!(f, "{}.{shape}", self.body),
            None => f.write_str(&self.body),
        }
    }
}

/// What is wrong with two names.
pub(super) fn flaw(description: &SceneDescription, names: &[ShapeName; 2]) -> Option<SceneFlaw> {
    for name in names {
        let Some(body) = description.bodies.iter().find(|b| b.name == name.body) else {
            let known = description.bodies.iter().map(|body| body.name.as_str());
            return Some(SceneFlaw::unknown("body", &name.body, known));
        };
        if let Some(shape) = &name.shape
            && body.shapes.iter().all(|s| s.name != *shape)
        {
            let known = list(body.shapes.iter().map(|shape| shape.name.as_str()));
            let names = [name.body.as_str(), shape, &known];
            return Some(SceneFlaw::broken(Rule::NoShape, names));
        }
    }
    (names[0].body == names[1].body).then(|| {
        let [a, b] = names.each_ref().map(ShapeName::to_string);
        SceneFlaw::broken(Rule::OneBody, [&a, &b])
    })
}
