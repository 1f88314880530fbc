//! Work arrays of an evaluation at one time and state, for any scalar.

use crate::dynamics::Model;
use crate::dynamics::load::{ContactWrench, Load};
use crate::dynamics::tree_work::TreeWork;
use crate::dynamics::twist::Twist;
use contact_geometry::math::{Pose, Real, Spatial, Vec3};
use contact_geometry::narrow_phase::area::Patch;
use contact_laws::index::{
    ActiveId, BodyId, DeflectionId, FrameId, InputId, PairId, ShapeId, TiVec, ti_vec,
};
use contact_laws::response::stick::Deflection;

/// Work arrays of an evaluation; allocated once for a model.
#[derive(Clone, Debug)]
pub struct Workspace<T: Real> {
    /// Time [s].
    pub time: T,
    /// Values of the inputs, in the order of [`Scene::inputs`].
    ///
    /// [`Scene::inputs`]: crate::scene::Scene::inputs
    pub inputs: TiVec<InputId, T>,
    /// When they were set [s], if driven bodies move on by their velocities from then on; none
    /// if the inputs are always those of the present time.
    pub inputs_since: Option<f64>,
    /// Frames in the world, of bodies and shapes: those of [`Model::frames`].
    pub frames: TiVec<FrameId, Pose<T>>,
    /// Velocities of the bodies, in scene order.
    pub twists: TiVec<BodyId, Twist<T>>,
    /// What the contacts do to them.
    pub loads: TiVec<BodyId, Load<T>>,
    /// What the prescribed forces do to them; empty if there are none.
    pub applied: TiVec<BodyId, Load<T>>,
    /// Accelerations of the bodies, world axes: angular, and that of the origin; empty if there are
    /// no joints. Those of fixed bodies are zero; what places a prescribed body
    /// writes its own before the bodies of trees are accelerated.
    pub accelerations: TiVec<BodyId, Spatial<T>>,
    /// Force along each velocity state of the trees [N], [N.m], in the order of their links.
    pub joint_forces: Vec<T>,
    /// Rates of these states [m/s2], [rad/s2].
    pub joint_accelerations: Vec<T>,
    /// What the motion of trees needs.
    pub tree: TreeWork<T>,
    /// What each contact does, in pair order; the rest is unused.
    pub wrenches: TiVec<ActiveId, ContactWrench<T>>,
    /// What else a contact over an area does, by contact; empty if no pair touches so.
    pub areas: TiVec<ActiveId, AreaState<T>>,
    /// Contacts whose forces have no derivatives and are not evaluated; empty: all are evaluated.
    pub constant: TiVec<ActiveId, bool>,
    /// The patch of one such contact after the other.
    pub patch: Patch<T>,
    /// Power that contacts take from the mechanical energy [W], if the scene keeps a balance.
    pub dissipation: T,
    /// Rates of the deflections of contacts, world axes [m/s], in the order of the states; zero
    /// without a contact.
    pub deflection_rates: TiVec<DeflectionId, Deflection<T>>,
    /// Pair in contact whose law of the user gave no force.
    pub refused: Option<PairId>,
}

/// What a contact over an area has beside its wrench.
#[derive(Clone, Copy, Debug)]
pub struct AreaState<T: Real> {
    /// Elastic energy [J].
    pub energy: T,
    /// Direction of the elastic force, world axes, from 1 to 2; zero if no face presses.
    pub normal_w: Vec3<T>,
}

impl<T: Real> AreaState<T> {
    /// Nothing presses.
    pub fn zero() -> Self {
        AreaState {
            energy: T::zero(),
            normal_w: Vec3::zeros(),
        }
    }
}

impl<T: Real> Workspace<T> {
    /// Arrays for a model, its fixed bodies placed.
    pub fn new(model: &Model) -> Self {
        let scene = &model.scene;
        let mut frames: TiVec<FrameId, Pose<T>> = TiVec::with_capacity(model.frames.count);
        frames.extend(model.bodies.iter().map(|body| Pose {
            position: body.pose.position.map(T::from),
            rotation: body.pose.rotation.map(T::from),
        }));
        for (shape, frame) in scene.shapes().iter().zip(&model.frames.of_shapes) {
            if *frame != shape.body.frame() {
                frames.push(frames[shape.body.frame()].then(&shape.pose_b));
            }
        }
        let tree = TreeWork::new(model);
        let dofs = model.links.all.last().map_or(0, |link| link.dofs.end);
        Workspace {
            time: T::from(scene.experiment().start_time),
            inputs: scene.start_inputs().into_iter().map(T::from).collect(),
            inputs_since: None,
            frames,
            twists: ti_vec![Twist::at_rest(); model.bodies.len()],
            loads: ti_vec![Load::zero(); model.bodies.len()],
            applied: match model.applied.is_empty() {
                true => TiVec::new(),
                false => ti_vec![Load::zero(); model.bodies.len()],
            },
            accelerations: ti_vec![Spatial::zero(); tree.inertias.len()],
            joint_forces: vec![T::zero(); dofs],
            joint_accelerations: vec![T::zero(); dofs],
            tree,
            wrenches: ti_vec![ContactWrench::zero(); scene.slot_count()],
            areas: match scene.has_area() {
                true => ti_vec![AreaState::zero(); scene.slot_count()],
                false => TiVec::new(),
            },
            constant: match T::LANES {
                0 => TiVec::new(),
                _ => TiVec::with_capacity(scene.slot_count()),
            },
            patch: Patch::with_room(scene.most_faces()),
            dissipation: T::zero(),
            deflection_rates: ti_vec![Deflection::zero(); scene.layout().deflection_count()],
            refused: None,
        }
    }

    /// Places these shapes, which have a frame of their own.
    #[inline(always)]
    pub fn place_shapes(&mut self, model: &Model, shapes: &[ShapeId]) {
        for index in shapes {
            let shape = &model.scene.shapes()[*index];
            self.frames[model.frames.of_shapes[*index]] =
                self.frames[shape.body.frame()].then(&shape.pose_b);
        }
    }

    /// Forgets what contacts that have ended did: no evaluation writes it any more.
    pub fn forget_contacts(&mut self) {
        self.loads.fill(Load::zero());
        self.deflection_rates.fill(Deflection::zero());
    }

    /// Takes time and inputs of another workspace of the same model.
    pub fn take_inputs(&mut self, other: &Workspace<f64>) {
        self.time = T::from(other.time);
        for (input, value) in self.inputs.iter_mut().zip(&other.inputs) {
            *input = T::from(*value);
        }
        self.inputs_since = other.inputs_since;
    }
}
