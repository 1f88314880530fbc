//! Joints of a scene in the order of their trees, and what a tree may not be.
//!
//! Every joint has one child, every child one joint, and following joints from child to parent ends
//! at a body that is no child: the root of the tree. Two ways from one body to another are a loop,
//! and so are two ways to fixed or prescribed bodies.

use crate::scene::description::{
    JointDescription, Motion, MotionProfile, SceneDescription, SceneItem,
};
use crate::scene::flaw::SceneError;
use crate::scene::joint::{Joint, axes, pose};
use contact_laws::finding::Finding;
use contact_laws::index::{BodyId, JointId, TiSlice, TiVec, ti_vec};
use contact_laws::quantity::Keyword;
use contact_laws::response::flaws::Flaw;
use std::f64::consts::TAU;

/// The joints of a description whose numbers were checked, and their order: parents before
/// children. Adds what is wrong with the trees.
pub(super) fn build(
    description: &SceneDescription,
    errors: &mut Vec<SceneError>,
) -> (TiVec<JointId, Joint>, Vec<JointId>) {
    let found = Finder { description }.problems();
    let broken = !found.is_empty();
    errors.extend(found);
    if broken {
        return (TiVec::new(), Vec::new());
    }
    let joints: TiVec<JointId, Joint> = description
        .joints
        .iter()
        .filter_map(|given| joint(description, given))
        .collect();
    let order = order(&joints);
    (joints, order)
}

fn joint(description: &SceneDescription, given: &JointDescription) -> Option<Joint> {
    let mut positions = given.positions.clone();
    let mut made = Joint {
        name: given.name.clone(),
        kind: given.kind,
        parent: match &given.parent {
            Some(name) => Some(description.body_id(name)?),
            None => None,
        },
        child: description.body_id(&given.child)?,
        parent_frame: pose(&given.parent_frame),
        child_frame: pose(&given.child_frame),
        axes: axes([given.axis, given.second_axis]),
        lead: given.pitch / TAU,
        positions: Vec::new(),
        rates: given.rates.clone(),
        forces: given.forces.clone(),
        ball: given.ball,
        can_collide: given.can_collide.unwrap_or(given.kind.may_collide()),
        reaction: given.reaction,
        power: given.power,
    };
    if let Some(start) = made.kind.quaternion() {
        let q = &mut positions[start..start + 4];
        let norm = q.iter().map(|c| c * c).sum::<f64>().sqrt();
        q.iter_mut().for_each(|c| *c /= norm);
    }
    made.positions = positions;
    Some(made)
}

/// Parents before children; joints whose parents are placed keep the order of the scene.
fn order(joints: &TiSlice<JointId, Joint>) -> Vec<JointId> {
    let last = joints.iter().map(|joint| usize::from(joint.child)).max();
    let mut joint_of: TiVec<BodyId, _> = ti_vec![None; last.map_or(0, |last| last + 1)];
    for (index, joint) in joints.iter_enumerated() {
        joint_of[joint.child] = Some(index);
    }
    let above = |joint: JointId| *joint_of.get(joints[joint].parent?)?;
    let mut depths: TiVec<JointId, Option<usize>> = ti_vec![None; joints.len()];
    for index in joints.keys() {
        // Up to a joint whose depth is known, and down again: each joint is met twice at most.
        let mut way = vec![index];
        let mut depth = 0;
        while let Some(next) = above(way[way.len() - 1]) {
            if let Some(known) = depths[next] {
                depth = known + 1;
                break;
            }
            way.push(next);
        }
        for joint in way.into_iter().rev() {
            depths[joint] = Some(depth);
            depth += 1;
        }
    }
    let mut levels: Vec<Vec<JointId>> = Vec::new();
    for (joint, depth) in depths.iter_enumerated() {
        let depth = depth.unwrap_or(0);
        levels.resize_with(levels.len().max(depth + 1), Vec::new);
        levels[depth].push(joint);
    }
    levels.concat()
}

struct Finder<'a> {
    description: &'a SceneDescription,
}

impl Finder<'_> {
    fn problems(&self) -> Vec<SceneError> {
        let mut errors = Vec::new();
        for (index, joint) in self.description.joints.iter().enumerate() {
            if let Some((field, flaw)) = self.flaw_of_ends(joint) {
                errors.push(self.error(index, field, flaw));
            }
        }
        if !errors.is_empty() {
            return errors;
        }
        errors.extend(self.loops());
        for (index, body) in self.description.bodies.iter().enumerate() {
            let mut joints = self.description.joints.iter();
            if body.motion == Motion::Joint && joints.all(|joint| joint.child != body.name) {
                let item = SceneItem::Body(index);
                let message = "motion is \"joint\", but no joint has it as child";
                let finding = (
                    message,
                    format!("add a [[joint]] with child = {:?}", body.name),
                );
                errors.push(SceneError::new(self.description, item, "motion", finding));
            }
        }
        errors
    }

    fn error(&self, joint: usize, field: &'static str, finding: impl Into<Finding>) -> SceneError {
        SceneError::new(self.description, SceneItem::Joint(joint), field, finding)
    }

    fn motion(&self, body: &str) -> Option<Motion> {
        let mut bodies = self.description.bodies.iter();
        Some(bodies.find(|known| known.name == body)?.motion)
    }

    /// What is wrong with the two bodies of a joint by themselves.
    fn flaw_of_ends(&self, joint: &JointDescription) -> Option<Flaw> {
        let bodies = self.description.bodies.iter();
        let names: Vec<&str> = bodies.map(|b| b.name.as_str()).collect();
        let unknown = |end: &'static str, name: &str, world| {
            let known = format!("{world}{}", names.join(", "));
            let message = format!("{end} {name:?} is not a body; known: {known}");
            Some((end, message.into()))
        };
        let child = &joint.child;
        match self.motion(child) {
            None => return unknown("child", child, ""),
            Some(Motion::Joint) => {}
            Some(motion) => {
                let message = format!("its child {child:?} has motion = {:?}", motion.word());
                let help = "write motion = \"joint\" there, or leave motion away";
                let swap = match motion {
                    Motion::Free => "",
                    _ => ", or swap parent and child",
                };
                return Some(("child", (message, format!("{help}{swap}")).into()));
            }
        }
        let parent = joint.parent.as_ref()?;
        let finding = if parent == child {
            let message = format!("parent and child are both {parent:?}");
            (message, "name two bodies")
        } else {
            match self.motion(parent) {
                None => return unknown("parent", parent, "world, "),
                Some(Motion::Driven) => (
                    format!(
                        "its parent {parent:?} is driven: its acceleration is not among its inputs, so nothing can \
                         hang on it"
                    ),
                    "drive the child too, or put both bodies into one model",
                ),
                // Jumps of its velocity are refused when its time profile is built.
                Some(Motion::Prescribed) if self.is_surface(parent) => (
                    format!("its parent {parent:?} is prescribed: only its surface moves"),
                    "join the child to the world",
                ),
                Some(_) => return None,
            }
        };
        Some(("parent", finding.into()))
    }

    /// Returns true if only the surface of a prescribed body moves.
    fn is_surface(&self, body: &str) -> bool {
        let mut motions = self.description.motions.iter();
        let motion = motions.find(|motion| motion.body == body);
        let profile = motion.map(|motion| &motion.profile);
        matches!(profile, Some(MotionProfile::Constant { surface: true, .. }))
    }

    /// Joints that close a loop, and bodies with two joints above them.
    fn loops(&self) -> Vec<SceneError> {
        let mut errors = Vec::new();
        let joints = &self.description.joints;
        let mut connected = Connected::new(self.description.bodies.len() + 1);
        for (index, joint) in joints.iter().enumerate() {
            let before = &joints[..index];
            let ends = [joint.parent.as_deref(), Some(joint.child.as_str())];
            let ends = ends.map(|body| self.node_index(body));
            // The way is looked for only if there is one, because that takes long.
            let closed = !connected.join(ends);
            if closed && let Some(path) = self.path(before, joint.parent.as_deref(), &joint.child) {
                let path = path.join(", ");
                let finding = (
                    format!("closes a loop through the bodies {path}; joints must form trees"),
                    "remove one joint of the loop, or hold its bodies together by a contact or by stiff forces",
                );
                errors.push(self.error(index, "", finding));
                return errors;
            }
            let taken = before.iter().find(|other| other.child == joint.child);
            if let Some(other) = taken {
                let (child, other) = (&joint.child, &other.name);
                let finding = (
                    format!(
                        "its child {child:?} is the child of joint {other:?} too; a body has one joint above it"
                    ),
                    "swap parent and child of one of them (angles and displacements change their sign)",
                );
                errors.push(self.error(index, "child", finding));
            }
        }
        errors
    }

    /// A fixed, driven or prescribed body is one node with the world.
    fn node<'b>(&self, body: Option<&'b str>) -> Option<&'b str> {
        let own =
            |name: &&str| matches!(self.motion(name), Some(Motion::Free | Motion::Joint) | None);
        body.filter(own)
    }

    /// Number of a node: that of its body, or the first number behind all bodies for the world.
    fn node_index(&self, body: Option<&str>) -> usize {
        let bodies = self.description.bodies.len();
        let index = self
            .node(body)
            .and_then(|name| self.description.body_id(name));
        index.map_or(bodies, usize::from)
    }

    /// The bodies on the way from one body to another through joints; none if there is no way.
    fn path(
        &self,
        joints: &[JointDescription],
        from: Option<&str>,
        to: &str,
    ) -> Option<Vec<String>> {
        let label = |body: Option<&str>| body.unwrap_or("world").to_owned();
        let start = self.node(from);
        let goal = self.node(Some(to));
        let mut reached: Vec<(Option<&str>, Vec<String>)> = vec![(start, vec![label(from)])];
        let mut next = 0;
        while let Some((node, path)) = reached.get(next).cloned() {
            if node == goal {
                return Some(path);
            }
            next += 1;
            for joint in joints {
                let ends = [joint.parent.as_deref(), Some(joint.child.as_str())];
                for (near, far) in [(ends[0], ends[1]), (ends[1], ends[0])] {
                    let target = self.node(far);
                    if self.node(near) == node && reached.iter().all(|(n, _)| *n != target) {
                        let mut way = path.clone();
                        if way.last() != Some(&label(near)) {
                            way.push(label(near));
                        }
                        way.push(label(far));
                        reached.push((target, way));
                    }
                }
            }
        }
        None
    }
}

/// Which nodes are connected by joints: each points to another one of its group, the last to
/// itself.
struct Connected(Vec<usize>);

impl Connected {
    fn new(count: usize) -> Self {
        Connected((0..count).collect())
    }

    fn group(&mut self, mut node: usize) -> usize {
        while self.0[node] != node {
            // Half the way for the next time.
            self.0[node] = self.0[self.0[node]];
            node = self.0[node];
        }
        node
    }

    /// Connects two nodes; false if they were connected already.
    fn join(&mut self, nodes: [usize; 2]) -> bool {
        let [a, b] = nodes.map(|node| self.group(node));
        self.0[a] = b;
        a != b
    }
}

/// Returns true if a joint keeps its bodies rigidly together.
pub(super) fn is_rigid(joint: &Joint) -> bool {
    joint.kind.rate_count() == 0
}

#[cfg(test)]
#[path = "../../tests/unit/scene/tree/tests.rs"]
mod tests;
