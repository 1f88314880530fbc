//! Links: the bodies with states, each with the joint that it is the child of.
//!
//! A free body is the child of a joint of kind `free` to the world. Without joints on it, it is rigid: it
//! follows the Newton-Euler equations in body axes. All other links form trees.

use crate::contact::LatchState;
use crate::scene::description::{BallForces, CoordinateForces, JointKind};
use crate::scene::{Input, Scene, Trigger};
use contact_geometry::math::{Real, Vec3};
use contact_laws::index::{
    BodyId, ForceId, InputId, JointId, LatchId, LinkId, ShapeId, StateLinkId, StopId, TiSlice,
    TiVec, TreeLinkId, TriggerId, each, ti_vec,
};
use std::ops::Range;

/// Link with the numbers of its joint and the ranges of its states, forces and inputs. Frames and axes are
/// those of the scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    pub joint: StateLinkId,
    pub(crate) body: BodyId,
    /// Link on which its joint is fixed; `None` for the world or a body without states.
    pub parent: Option<LinkId>,
    /// Body on which its joint is fixed; `None` for the world.
    pub(crate) parent_body: Option<BodyId>,
    /// Body that carries its inertia; `None` without a parent link, or for a joint with six degrees of
    /// freedom and no latch.
    pub carrier: Option<BodyId>,
    /// Whether its joint has six degrees of freedom, so that the carrier carries its inertia only while a
    /// latch is closed.
    pub(crate) is_loose: bool,
    pub latch: Option<LatchId>,
    pub is_free: bool,
    pub(crate) forces: Vec<CoordinateForces>,
    pub ball: BallForces,
    pub positions: Range<usize>,
    pub rates: Range<usize>,
    /// Range among the velocity states of all tree links; empty if it is rigid.
    pub(crate) dofs: Range<usize>,
    pub inputs: Vec<Option<InputId>>,
    /// Its shapes with a separate frame, among [`Links::shapes`].
    pub(crate) shapes: Range<usize>,
    /// Its prescribed forces, among [`Links::applied`].
    pub(crate) applied: Range<usize>,
    /// Its end stops, among [`Scene::stops`].
    pub stops: Range<StopId>,
}

/// Links of a scene: rigid links in scene order, then tree links, parents before children.
#[derive(Clone, Debug, PartialEq)]
pub struct Links {
    pub all: TiVec<LinkId, Link>,
    pub(crate) rigid_count: usize,
    pub indices: Vec<LinkId>,
    pub(crate) tree_indices: Vec<LinkId>,
    /// Link of each body; `None` for bodies without states.
    pub of_bodies: TiVec<BodyId, Option<LinkId>>,
    pub of_joints: TiVec<JointId, LinkId>,
    /// First link of the tree of each link: itself if it is rigid.
    pub roots: TiVec<LinkId, LinkId>,
    /// Links whose motion each trigger watches, at least one.
    pub(crate) of_triggers: TiVec<TriggerId, Vec<LinkId>>,
    /// Shapes with frames other than the body's, by link.
    pub(crate) shapes: Vec<ShapeId>,
    /// Prescribed forces by link, in scene order on each.
    pub(crate) applied: Vec<ForceId>,
}

impl Link {
    /// Carrier of its inertia for a closed or open latch.
    #[inline(always)]
    pub(crate) fn carrier_if(&self, is_locked: bool) -> Option<BodyId> {
        match self.is_loose && !is_locked {
            true => None,
            false => self.carrier,
        }
    }

    #[inline(always)]
    pub(crate) fn is_locked(&self, latches: &TiSlice<LatchId, LatchState>) -> bool {
        self.latch.is_some_and(|latch| latches[latch].is_closed)
    }

    pub(crate) fn states(&self) -> std::ops::Range<usize> {
        self.positions.start..self.rates.end
    }

    #[inline(always)]
    pub(crate) fn first_state(&self) -> usize {
        self.positions.start
    }
}

impl Links {
    pub(crate) fn new(scene: &Scene, own_frames: &[ShapeId]) -> Self {
        let free = StateLinkId::FIRST..scene.layout().link_of_joint(JointId::FIRST);
        let bodies = scene.bodies().len();
        let mut carries: TiVec<BodyId, bool> = ti_vec![false; bodies];
        for parent in scene.joints().iter().filter_map(|joint| joint.parent) {
            carries[parent] = true;
        }
        let (roots, rigid): (Vec<StateLinkId>, Vec<StateLinkId>) =
            each(free).partition(|joint| carries[scene.links()[*joint].child]);
        let rigid_count = rigid.len();
        let jointed = scene.tree_order().iter();
        let order = rigid.into_iter().chain(roots);
        let order = order.chain(jointed.map(|joint| scene.layout().link_of_joint(*joint)));
        let of_body = |shape: &ShapeId| (scene.shapes()[*shape].body, *shape);
        let shapes: TiVec<BodyId, Vec<ShapeId>> = grouped(bodies, own_frames.iter().map(of_body));
        let forces = scene.forces().iter_enumerated();
        let applied: TiVec<BodyId, Vec<ForceId>> =
            grouped(bodies, forces.map(|(index, force)| (force.body, index)));
        let stops = scene.stops().iter_enumerated();
        let joint_count = scene.joints().len();
        let stops: TiVec<JointId, Vec<StopId>> =
            grouped(joint_count, stops.map(|(index, stop)| (stop.joint, index)));
        let mut links = Links {
            all: TiVec::with_capacity(scene.links().len()),
            rigid_count,
            indices: (0..scene.links().len()).map(LinkId::from).collect(),
            tree_indices: (rigid_count..scene.links().len())
                .map(LinkId::from)
                .collect(),
            of_bodies: ti_vec![None; bodies],
            of_joints: ti_vec![LinkId::FIRST; joint_count],
            roots: TiVec::with_capacity(scene.links().len()),
            of_triggers: TiVec::new(),
            shapes: Vec::new(),
            applied: Vec::new(),
        };
        let mut dofs = 0;
        for joint in order {
            let index = links.all.next_key();
            let known = &scene.links()[joint];
            let body = known.child;
            let own = scene.layout().joint_of_link(joint);
            links.of_bodies[body] = Some(index);
            if let Some(own) = own {
                links.of_joints[own] = index;
            }
            let rates = scene.layout().rates(joint);
            let dof_count = if links.is_rigid(index) {
                0
            } else {
                rates.len()
            };
            let stops = own.map_or(&[][..], |own| &stops[own]);
            let first_stop = stops.first().copied().unwrap_or(StopId::FIRST);
            let parent = known.parent.and_then(|parent| links.of_bodies[parent]);
            let latch = own.and_then(|own| scene.latches().position(|latch| latch.joint == own));
            let root = parent.map_or(index, |parent| links.roots[parent]);
            links.roots.push(root);
            links.all.push(Link {
                joint,
                body,
                parent,
                parent_body: known.parent,
                carrier: (known.parent)
                    .filter(|_| parent.is_some() && (!known.kind.is_free() || latch.is_some())),
                is_loose: known.kind.is_free(),
                latch,
                is_free: own.is_none(),
                forces: known.forces.clone(),
                ball: known.ball,
                positions: scene.layout().positions(joint),
                dofs: dofs..dofs + dof_count,
                inputs: inputs(scene, own, known.kind, rates.len()),
                rates,
                shapes: append(&mut links.shapes, &shapes[body]),
                applied: append(&mut links.applied, &applied[body]),
                stops: first_stop..first_stop.plus(stops.len()),
            });
            dofs += dof_count;
        }
        links.with_triggers(scene)
    }

    fn with_triggers(mut self, scene: &Scene) -> Self {
        let links_of = |trigger: &Trigger| {
            let links = trigger.bodies.iter();
            links.filter_map(|body| self.of_bodies[*body]).collect()
        };
        self.of_triggers = scene.triggers().iter().map(links_of).collect();
        self
    }

    pub(crate) fn of_trees(&self) -> &TiSlice<TreeLinkId, Link> {
        TiSlice::from_ref(&self.all.raw[self.rigid_count..])
    }

    pub(crate) fn rigid(&self) -> impl Iterator<Item = LinkId> + use<> {
        (0..self.rigid_count).map(LinkId::from)
    }

    #[inline(always)]
    pub(crate) fn index_in_trees(&self, link: LinkId) -> TreeLinkId {
        TreeLinkId::from(usize::from(link) - self.rigid_count)
    }

    #[inline(always)]
    pub(crate) fn is_rigid(&self, link: LinkId) -> bool {
        usize::from(link) < self.rigid_count
    }
}

/// Input force along each velocity state of a joint; `None` for a free body.
fn inputs(
    scene: &Scene,
    joint: Option<JointId>,
    kind: JointKind,
    count: usize,
) -> Vec<Option<InputId>> {
    let input_of = |dof: usize| {
        let wanted = match kind.is_ball() {
            true => Input::BallTorque(joint?, dof),
            false => Input::Joint(joint?, dof),
        };
        scene.inputs().position(|input| *input == wanted)
    };
    (0..count).map(input_of).collect()
}

/// Items by group, in order.
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

fn append<I: Copy>(list: &mut Vec<I>, items: &[I]) -> Range<usize> {
    let start = list.len();
    list.extend_from_slice(items);
    start..list.len()
}

#[derive(Clone, Copy, Debug)]
pub struct Twist<T: Real> {
    /// Velocity of the origin, world axes [m/s].
    pub velocity_w: Vec3<T>,
    /// Angular velocity, body axes [rad/s].
    pub omega_b: Vec3<T>,
    /// Angular velocity, world axes [rad/s].
    pub omega_w: Vec3<T>,
}

impl<T: Real> Twist<T> {
    pub(crate) fn at_rest() -> Self {
        Twist {
            velocity_w: Vec3::zeros(),
            omega_b: Vec3::zeros(),
            omega_w: Vec3::zeros(),
        }
    }
}

impl Twist<f64> {
    pub(crate) fn lift<T: Real>(&self) -> Twist<T> {
        Twist {
            velocity_w: self.velocity_w.map(T::from),
            omega_b: self.omega_b.map(T::from),
            omega_w: self.omega_w.map(T::from),
        }
    }
}

impl<T: Real> Twist<T> {
    /// Velocity of the material point at a world point [m/s], for the body at `position_w` [m].
    #[inline(always)]
    pub fn velocity_at(&self, position_w: &Vec3<T>, point_w: &Vec3<T>) -> Vec3<T> {
        self.velocity_w + self.omega_w.cross(&(point_w - position_w))
    }
}
