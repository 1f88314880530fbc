//! Links: the bodies with states of their own, each with the joint that it is the child of.
//!
//! A free body is the child of a joint of kind `free` to the world. If no joint hangs on it, it is
//! rigid: its equations of motion are those of Newton and Euler in body axes. All other links form
//! trees.

use crate::index::{BodyId, ShapeId, TiVec, ti_vec};
use crate::scene::description::{BallForces, CoordinateForces, JointKind};
use crate::scene::{Input, JointItem, Scene};
use std::ops::Range;

/// A link with the numbers of its joint, and where its states, forces and inputs are. Frames and axes
/// are those of the scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// Index of its joint among [`Scene::links`].
    pub joint: usize,
    /// Index of the body.
    pub body: BodyId,
    /// Link that its joint is fixed to; none if that is the world or a body without states.
    pub parent: Option<usize>,
    /// Body that its joint is fixed to; none if that is the world.
    pub parent_body: Option<BodyId>,
    /// Body that feels its inertia; none if that is no link, or the joint leaves all six motions.
    pub carrier: Option<BodyId>,
    /// It is a free body.
    pub is_free: bool,
    /// What acts along each coordinate.
    pub forces: Vec<CoordinateForces>,
    /// What acts in a spherical joint.
    pub ball: BallForces,
    /// Position states.
    pub positions: Range<usize>,
    /// Velocity states.
    pub rates: Range<usize>,
    /// Its forces among those of all trees, one for each velocity state; empty if it is rigid.
    pub dofs: Range<usize>,
    /// Which input acts along each velocity state.
    pub inputs: Vec<Option<usize>>,
    /// Its shapes with a frame of their own, among [`Links::shapes`].
    pub shapes: Range<usize>,
    /// The prescribed forces on it, among [`Links::applied`].
    pub applied: Range<usize>,
    /// Its end stops, among [`Scene::stops`].
    pub stops: Range<usize>,
}

/// The links of a scene: rigid ones in scene order, then those of trees, parents before children.
#[derive(Clone, Debug, PartialEq)]
pub struct Links {
    /// All of them.
    pub all: Vec<Link>,
    /// Number of rigid ones.
    pub rigid_count: usize,
    /// Indices of those of trees.
    pub tree_indices: Vec<u32>,
    /// Link of each body; none for bodies without states.
    pub of_bodies: TiVec<BodyId, Option<usize>>,
    /// Link of each joint of [`Scene::joints`].
    pub of_joints: Vec<usize>,
    /// Shapes of links whose frame is not that of their body, by link.
    pub shapes: Vec<ShapeId>,
    /// Prescribed forces on links, by link, in scene order on each.
    pub applied: Vec<usize>,
}

impl Link {
    /// Index of the first state.
    #[inline(always)]
    pub fn first_state(&self) -> usize {
        self.positions.start
    }

    /// Sets a number of a coordinate, or of the joint itself. One that the joint does not have is
    /// none of its parameters.
    pub fn set(&mut self, coordinate: usize, item: JointItem, value: f64) {
        if item == JointItem::BallDamping {
            self.ball.damping = value;
            return;
        }
        let Some(forces) = self.forces.get_mut(coordinate) else {
            return;
        };
        let (spring, friction, stops) = (
            forces.spring.as_mut(),
            forces.friction.as_mut(),
            forces.stops.as_mut(),
        );
        let number = match item {
            JointItem::Damping => Some(&mut forces.damping),
            JointItem::SpringStiffness => spring.map(|s| &mut s.stiffness),
            JointItem::SpringRest => spring.map(|s| &mut s.rest),
            JointItem::Friction => friction.map(|f| &mut f.limit),
            JointItem::FrictionSpeed => friction.map(|f| &mut f.speed),
            JointItem::LowerStop => stops.and_then(|s| s.lower.as_mut()),
            JointItem::UpperStop => stops.and_then(|s| s.upper.as_mut()),
            JointItem::StopStiffness => stops.map(|s| &mut s.stiffness),
            JointItem::StopRestitution => stops.map(|s| &mut s.restitution),
            JointItem::BallDamping => None,
        };
        if let Some(number) = number {
            *number = value;
        }
    }
}

impl Links {
    /// The links of a scene with the numbers that it gives. `own_frames` are the shapes of moving bodies
    /// whose frame is not that of their body.
    pub fn new(scene: &Scene, own_frames: &[ShapeId]) -> Self {
        let first_joint = scene.link_of_joint(0);
        let bodies = scene.bodies().len();
        let mut carries: TiVec<BodyId, bool> = ti_vec![false; bodies];
        for parent in scene.joints().iter().filter_map(|joint| joint.parent) {
            carries[parent] = true;
        }
        let (roots, rigid): (Vec<usize>, Vec<usize>) =
            (0..first_joint).partition(|joint| carries[scene.links()[*joint].child]);
        let rigid_count = rigid.len();
        let jointed = scene.tree_order().iter();
        let order = rigid.into_iter().chain(roots);
        let order = order.chain(jointed.map(|joint| scene.link_of_joint(*joint)));
        let of_body = |shape: &ShapeId| (scene.shapes()[*shape].body, *shape);
        let shapes: TiVec<BodyId, Vec<ShapeId>> = grouped(bodies, own_frames.iter().map(of_body));
        let forces = scene.forces().iter().enumerate();
        let applied: TiVec<BodyId, Vec<usize>> =
            grouped(bodies, forces.map(|(index, force)| (force.body, index)));
        let stops = scene.stops().iter().enumerate();
        let joint_count = scene.joints().len();
        let stops: TiVec<usize, Vec<usize>> =
            grouped(joint_count, stops.map(|(index, stop)| (stop.joint, index)));
        let mut links = Links {
            all: Vec::with_capacity(scene.links().len()),
            rigid_count,
            tree_indices: (rigid_count as u32..scene.links().len() as u32).collect(),
            of_bodies: ti_vec![None; bodies],
            of_joints: vec![0; joint_count],
            shapes: Vec::new(),
            applied: Vec::new(),
        };
        let mut dofs = 0;
        for (index, joint) in order.enumerate() {
            let known = &scene.links()[joint];
            let body = known.child;
            let own = joint.checked_sub(first_joint);
            links.of_bodies[body] = Some(index);
            if let Some(own) = own {
                links.of_joints[own] = index;
            }
            let rates = scene.layout().rates(joint);
            let dof_count = if index < rigid_count { 0 } else { rates.len() };
            let stops = own.map_or(&[][..], |own| &stops[own]);
            let first_stop = stops.first().copied().unwrap_or(0);
            links.all.push(Link {
                joint,
                body,
                parent: known.parent.and_then(|parent| links.of_bodies[parent]),
                parent_body: known.parent,
                carrier: known.parent.filter(|parent| {
                    known.kind != JointKind::Free && links.of_bodies[*parent].is_some()
                }),
                is_free: own.is_none(),
                forces: known.forces.clone(),
                ball: known.ball,
                positions: scene.layout().positions(joint),
                dofs: dofs..dofs + dof_count,
                inputs: inputs(scene, own, known.kind, rates.len()),
                rates,
                shapes: append(&mut links.shapes, &shapes[body]),
                applied: append(&mut links.applied, &applied[body]),
                // The stops of a joint follow each other.
                stops: first_stop..first_stop + stops.len(),
            });
            dofs += dof_count;
        }
        links
    }

    /// Links of trees, parents before children.
    pub fn of_trees(&self) -> &[Link] {
        &self.all[self.rigid_count..]
    }

    /// Index of a link of a tree among [`Self::of_trees`].
    #[inline(always)]
    pub fn index_in_trees(&self, link: usize) -> usize {
        link - self.rigid_count
    }

    /// True if a link is rigid.
    #[inline(always)]
    pub fn is_rigid(&self, link: usize) -> bool {
        link < self.rigid_count
    }
}

/// Which input acts along each velocity state of a joint; none for a free body.
fn inputs(
    scene: &Scene,
    joint: Option<usize>,
    kind: JointKind,
    count: usize,
) -> Vec<Option<usize>> {
    let input_of = |dof: usize| {
        let wanted = match kind {
            JointKind::Spherical => Input::BallTorque(joint?, dof),
            _ => Input::Joint(joint?, dof),
        };
        scene.inputs().iter().position(|input| *input == wanted)
    };
    (0..count).map(input_of).collect()
}

/// The items of each group, in their order.
fn grouped<G: Into<usize>, I: Clone>(
    count: usize,
    items: impl Iterator<Item = (G, I)>,
) -> TiVec<G, Vec<I>> {
    let mut groups: TiVec<G, Vec<I>> = ti_vec![Vec::new(); count];
    for (group, item) in items {
        groups[group].push(item);
    }
    groups
}

/// Appends items to a list. Returns where they are.
fn append<I: Copy>(list: &mut Vec<I>, items: &[I]) -> Range<usize> {
    let start = list.len();
    list.extend_from_slice(items);
    start..list.len()
}
