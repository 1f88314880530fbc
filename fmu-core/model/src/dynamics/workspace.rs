//! Work arrays of an evaluation at one time and state, for any scalar.

use crate::contact::Placement;
use crate::dynamics::Model;
use crate::dynamics::link::Twist;
use crate::dynamics::scope::Scope;
use contact_geometry::math::{Pose, Real, Spatial, SpatialInertia, Vec3};
use contact_geometry::narrow_phase::area::Patch;
use contact_laws::index::{
    ActiveId, BodyId, DeflectionId, FrameId, InputId, PairId, ShapeId, TiVec, TreeLinkId, ti_vec,
};
use contact_laws::response::law::{ContactForce, ContactMotion};
use contact_laws::response::stick::Deflection;

/// Work arrays of an evaluation; allocated once for a model.
#[derive(Clone, Debug)]
pub struct Workspace<T: Real> {
    pub(crate) time: T,
    /// Values of the inputs, in the order of [`Scene::inputs`].
    ///
    /// [`Scene::inputs`]: crate::scene::Scene::inputs
    pub inputs: TiVec<InputId, T>,
    /// Time when the inputs were set [s], if driven bodies are extrapolated; `None` if the inputs hold at the
    /// present time.
    pub(crate) inputs_since: Option<f64>,
    /// World poses of the frames of [`Model::frames`].
    pub frames: TiVec<FrameId, Pose<T>>,
    pub(crate) twists: TiVec<BodyId, Twist<T>>,
    /// Contact loads on the bodies.
    pub loads: TiVec<BodyId, Load<T>>,
    pub(crate) applied: TiVec<BodyId, Load<T>>,
    /// Accelerations of the bodies, world axes: angular, and of the origin; empty without joints. Zero for
    /// fixed bodies; written for prescribed bodies before the trees are accelerated.
    pub accelerations: TiVec<BodyId, Spatial<T>>,
    /// Force along each velocity state of the trees [N], [N.m], in the order of their links.
    pub(crate) joint_forces: Vec<T>,
    /// Rates of these states [m/s2], [rad/s2].
    pub(crate) joint_accelerations: Vec<T>,
    /// Work arrays for the motion of trees.
    pub tree: TreeWork<T>,
    /// Wrench of each contact, in pair order; the rest is unused.
    pub wrenches: TiVec<ActiveId, ContactWrench<T>>,
    /// Additional results of contacts over an area; empty if there are none.
    pub areas: TiVec<ActiveId, AreaState<T>>,
    /// Contacts without derivatives that are not evaluated; empty: all are evaluated.
    pub constant: TiVec<ActiveId, bool>,
    /// Patch, used for one such contact after the other.
    pub patch: Patch<T>,
    /// Power dissipated by contacts [W], if the scene keeps a balance.
    pub dissipation: T,
    /// Rates of the deflections of contacts, world axes [m/s], in the order of the states; zero without a
    /// contact.
    pub(crate) deflection_rates: TiVec<DeflectionId, Deflection<T>>,
    /// Pair in contact whose user-defined law failed.
    pub refused: Option<PairId>,
}

/// Results of an area contact other than its wrench.
#[derive(Clone, Copy, Debug)]
pub struct AreaState<T: Real> {
    /// Elastic energy [J].
    pub energy: T,
    /// Direction of the elastic force, world axes, from 1 to 2; zero without pressure.
    pub normal_w: Vec3<T>,
}

impl<T: Real> AreaState<T> {
    pub(crate) fn zero() -> Self {
        AreaState {
            energy: T::zero(),
            normal_w: Vec3::zeros(),
        }
    }
}

impl<T: Real> Workspace<T> {
    /// Arrays for a model, with its fixed bodies placed.
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
            patch: scene.patch(),
            dissipation: T::zero(),
            deflection_rates: ti_vec![Deflection::zero(); scene.layout().deflection_count()],
            refused: None,
        }
    }

    /// Places these shapes, which have separate frames.
    #[inline(always)]
    pub(crate) fn place_shapes(&mut self, model: &Model, shapes: &[ShapeId]) {
        for index in shapes {
            let shape = &model.scene.shapes()[*index];
            self.frames[model.frames.of_shapes[*index]] =
                self.frames[shape.body.frame()].then(&shape.pose_b);
        }
    }

    /// Clears the effects of ended contacts of a scope: no evaluation writes them any more.
    pub(crate) fn forget_contacts(&mut self, model: &Model, scope: &Scope) {
        for link in &scope.links {
            self.loads[model.links.all[*link].body] = Load::zero();
        }
        for deflection in &scope.deflections {
            self.deflection_rates[*deflection] = Deflection::zero();
        }
    }

    pub(crate) fn take_inputs(&mut self, other: &Workspace<f64>) {
        self.time = T::from(other.time);
        for (input, value) in self.inputs.iter_mut().zip(&other.inputs) {
            *input = T::from(*value);
        }
        self.inputs_since = other.inputs_since;
    }
}

impl Workspace<f64> {
    pub(crate) fn placement<'a>(&'a self, model: &'a Model) -> Placement<'a> {
        Placement {
            scene: &model.scene,
            frames: &self.frames,
            shape_frames: &model.frames.of_shapes,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Load<T: Real> {
    /// Force, world axes [N].
    pub force_w: Vec3<T>,
    /// Torque about the origin of the body, world axes [N.m].
    pub torque_w: Vec3<T>,
    /// Whether there is a load: adding zero force would still change the sign of a zero.
    pub acts: bool,
}

impl<T: Real> Load<T> {
    pub(crate) fn zero() -> Self {
        Load {
            force_w: Vec3::zeros(),
            torque_w: Vec3::zeros(),
            acts: false,
        }
    }

    pub(crate) fn with(&self, other: &Self) -> Self {
        Load {
            force_w: self.force_w + other.force_w,
            torque_w: self.torque_w + other.torque_w,
            acts: self.acts || other.acts,
        }
    }
}

/// Load of a contact at one state.
#[derive(Clone, Copy, Debug)]
pub struct ContactWrench<T: Real> {
    /// Gap [m]; zero over an area, where the patch does not give it.
    pub gap: T,
    /// Dissipated power [W], if the scene keeps a balance.
    pub dissipation: T,
    /// Point of application, world frame [m].
    pub point_w: Vec3<T>,
    /// Force on 2, world axes [N].
    pub force_w: Vec3<T>,
    /// Torque of rolling resistance on 2, world axes [N.m].
    pub torque_w: Vec3<T>,
}

impl<T: Real> ContactWrench<T> {
    pub(crate) fn zero() -> Self {
        ContactWrench {
            gap: T::zero(),
            dissipation: T::zero(),
            point_w: Vec3::zeros(),
            force_w: Vec3::zeros(),
            torque_w: Vec3::zeros(),
        }
    }

    #[inline(always)]
    pub(crate) fn exerted(
        energy_balance: bool,
        motion: &ContactMotion<T>,
        exerted: &ContactForce<T>,
    ) -> Self {
        ContactWrench {
            gap: motion.gap,
            dissipation: if energy_balance {
                exerted.dissipation
            } else {
                T::zero()
            },
            point_w: motion.point,
            force_w: exerted.on_2(&motion.normal),
            torque_w: exerted.torque,
        }
    }

    pub(crate) fn is_finite(&self) -> bool {
        let derivatives = |x: &T| (0..T::LANES).all(|lane| x.derivative(lane).is_finite());
        let finite = |v: &Vec3<T>| v.iter().all(|x| x.value().is_finite() && derivatives(x));
        finite(&self.force_w) && finite(&self.torque_w)
    }

    /// Adds this wrench to the load of a body at `position` [m]; `sign` is 1 for body 2 and -1 for body 1.
    #[inline(always)]
    pub(crate) fn load(&self, position: &Vec3<T>, sign: f64, load: &mut Load<T>) {
        let force = self.force_w * T::from(sign);
        load.acts = true;
        load.force_w += force;
        load.torque_w += (self.point_w - position).cross(&force) + self.torque_w * T::from(sign);
    }
}

/// Motion of a joint's child relative to the parent; world axes, about the origin of the child.
#[derive(Clone, Copy, Debug)]
pub struct JointMotion<T: Real> {
    /// Motion of the child for a unit of each velocity state; the rest is unused.
    pub columns: [Spatial<T>; 6],
    /// Bias acceleration of the child, without the contributions of the parent and of the coordinates.
    pub bias: Spatial<T>,
    /// From the parent's origin to the child's [m].
    pub(crate) offset_w: Vec3<T>,
    /// From the child's origin to its joint frame's origin [m].
    pub arm_w: Vec3<T>,
}

/// Elimination of a velocity state from the equations of motion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elimination<T: Real> {
    /// Wrench that accelerates the child's subtree by a unit of the state's rate, with the later states of
    /// the joint free.
    pub wrench: Spatial<T>,
    /// Articulated inertia along the state [kg] or [kg.m2].
    pub pivot: T,
    /// Force along the state [N] or [N.m], less the requirement of the other motion; of the last solution.
    pub(crate) force: T,
}

#[derive(Clone, Debug)]
pub struct TreeWork<T: Real> {
    /// By tree link.
    pub motions: TiVec<TreeLinkId, JointMotion<T>>,
    pub(crate) eliminations: TiVec<TreeLinkId, [Elimination<T>; 6]>,
    /// Whether a latch locks the joint of each link, as of the last factors.
    pub locked: TiVec<TreeLinkId, bool>,
    /// Wrench for the velocity-dependent acceleration of each tree link, with its velocity states free.
    pub(crate) bias_wrenches: TiVec<TreeLinkId, Spatial<T>>,
    pub inertias: TiVec<BodyId, SpatialInertia<T>>,
    /// From the origin of each body to its centre of mass, world axes [m].
    pub centers: TiVec<BodyId, Vec3<T>>,
    /// Bias wrench on each body that would keep it from accelerating, about its origin.
    pub(crate) biases: TiVec<BodyId, Spatial<T>>,
    /// Whether a coordinate moves no inertia, so that accelerations are invalid.
    pub singular: bool,
    pub shifts: u64,
}

impl<T: Real> JointMotion<T> {
    pub(crate) fn zero() -> Self {
        JointMotion {
            columns: [Spatial::zero(); 6],
            bias: Spatial::zero(),
            offset_w: Vec3::zeros(),
            arm_w: Vec3::zeros(),
        }
    }
}

impl<T: Real> Elimination<T> {
    pub(crate) fn zero() -> Self {
        Elimination {
            wrench: Spatial::zero(),
            pivot: T::one(),
            force: T::zero(),
        }
    }
}

impl<T: Real> TreeWork<T> {
    pub(crate) fn new(model: &Model) -> Self {
        let links = model.links.of_trees().len();
        let bodies = if links == 0 { 0 } else { model.bodies.len() };
        TreeWork {
            motions: ti_vec![JointMotion::zero(); links],
            eliminations: ti_vec![[Elimination::zero(); 6]; links],
            locked: ti_vec![false; links],
            bias_wrenches: ti_vec![Spatial::zero(); links],
            inertias: ti_vec![SpatialInertia::zero(); bodies],
            centers: ti_vec![Vec3::zeros(); bodies],
            biases: ti_vec![Spatial::zero(); bodies],
            singular: false,
            shifts: 0,
        }
    }
}
