//! Work arrays of trees; all empty if a scene has no joints.

use crate::dynamics::Model;
use contact_geometry::math::{Real, Spatial, SpatialInertia, Vec3};
use contact_laws::index::{BodyId, TiVec, TreeLinkId, ti_vec};

/// How the child of a joint moves against the parent; world axes, about the origin of the child.
#[derive(Clone, Copy, Debug)]
pub struct JointMotion<T: Real> {
    /// Motion of the child for a unit of each velocity state; the rest is unused.
    pub columns: [Spatial<T>; 6],
    /// Acceleration of the child beside that of the parent and that by the accelerations of the
    /// coordinates.
    pub bias: Spatial<T>,
    /// From the parent's origin to the child's [m].
    pub(crate) offset_w: Vec3<T>,
    /// From the child's origin to that of its joint frame [m].
    pub arm_w: Vec3<T>,
}

/// One velocity state taken out of the equations of motion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elimination<T: Real> {
    /// Wrench that accelerates the child with everything on it by a unit of the state's rate, where
    /// the states after it in the same joint yield.
    pub wrench: Spatial<T>,
    /// What the state's rate feels as inertia [kg] or [kg.m2].
    pub pivot: T,
    /// Force along the state [N] or [N.m], less what the other motion needs; of the last solution.
    pub(crate) force: T,
}

/// Work arrays.
#[derive(Clone, Debug)]
pub struct TreeWork<T: Real> {
    /// Of each link of a tree, in their order.
    pub motions: TiVec<TreeLinkId, JointMotion<T>>,
    /// Of each link of a tree, in their order.
    pub(crate) eliminations: TiVec<TreeLinkId, [Elimination<T>; 6]>,
    /// A latch holds the coordinates of the joint of each link, as of the last factors.
    pub locked: TiVec<TreeLinkId, bool>,
    /// Wrench on each link of a tree that its velocity-dependent acceleration needs, if its
    /// velocity states yield.
    pub(crate) bias_wrenches: TiVec<TreeLinkId, Spatial<T>>,
    /// Inertia of each body with all that hangs on it, about its origin.
    pub inertias: TiVec<BodyId, SpatialInertia<T>>,
    /// From the origin of each body to its centre of mass, world axes [m].
    pub centers: TiVec<BodyId, Vec3<T>>,
    /// Wrench on each body that would keep it from accelerating, about its origin.
    pub(crate) biases: TiVec<BodyId, Spatial<T>>,
    /// A coordinate moves no inertia, so that accelerations mean nothing.
    pub singular: bool,
    /// How often an inertia was carried from a child to its parent, ever.
    pub shifts: u64,
}

impl<T: Real> JointMotion<T> {
    /// Nothing is known.
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
    /// Nothing is known.
    pub(crate) fn zero() -> Self {
        Elimination {
            wrench: Spatial::zero(),
            pivot: T::one(),
            force: T::zero(),
        }
    }
}

impl<T: Real> TreeWork<T> {
    /// Arrays for the trees of a model.
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
