//! Poses and velocities of all bodies and shapes at one state, for any scalar.

use crate::dynamics::Model;
use crate::math::{Mat3, Pose, Real, Vec3, rotation_matrix};
use crate::scene::StateLayout;

/// Position and motion of a body.
#[derive(Clone, Copy, Debug)]
pub struct BodyState<T: Real> {
    /// Body frame in the world.
    pub pose: Pose<T>,
    /// Velocity of the origin, world axes [m/s].
    pub velocity_w: Vec3<T>,
    /// Angular velocity, body axes [rad/s].
    pub omega_b: Vec3<T>,
    /// Angular velocity, world axes [rad/s].
    pub omega_w: Vec3<T>,
    /// Contact force, world axes [N].
    pub force_w: Vec3<T>,
    /// Contact torque about the origin, world axes [N.m].
    pub torque_w: Vec3<T>,
}

impl<T: Real> BodyState<T> {
    /// A body that does not move.
    fn at_rest(pose: &Pose) -> Self {
        BodyState {
            pose: Pose {
                position: pose.position.map(T::from),
                rotation: pose.rotation.map(T::from),
            },
            velocity_w: Vec3::zeros(),
            omega_b: Vec3::zeros(),
            omega_w: Vec3::zeros(),
            force_w: Vec3::zeros(),
            torque_w: Vec3::zeros(),
        }
    }

    /// Velocity of the body's material point at a world point [m/s].
    pub fn velocity_at(&self, point_w: &Vec3<T>) -> Vec3<T> {
        self.velocity_w + self.omega_w.cross(&(point_w - self.pose.position))
    }
}

/// Work arrays of an evaluation; allocated once for a model.
#[derive(Clone, Debug)]
pub struct Workspace<T: Real> {
    /// Bodies in scene order.
    pub bodies: Vec<BodyState<T>>,
    /// Pose of each shape in the world.
    pub shape_poses: Vec<Pose<T>>,
    /// Gap of each contact of the ledger [m], in its order; written with the forces.
    pub contact_gaps: Vec<T>,
    /// Power that contacts take from the mechanical energy [W].
    pub dissipation: T,
}

impl<T: Real> Workspace<T> {
    /// Arrays for a model, its fixed bodies placed.
    pub fn new(model: &Model) -> Self {
        let scene = &model.scene;
        let bodies: Vec<BodyState<T>> = model
            .bodies
            .iter()
            .map(|body| BodyState::at_rest(&body.pose))
            .collect();
        let shape_poses = scene
            .shapes()
            .iter()
            .map(|shape| bodies[shape.body].pose.then(&shape.pose_b))
            .collect();
        Workspace {
            bodies,
            shape_poses,
            contact_gaps: Vec::with_capacity(scene.indicator_count()),
            dissipation: T::zero(),
        }
    }

    /// Places the free bodies and their shapes by the states.
    pub fn place(&mut self, model: &Model, states: &[T]) {
        let scene = &model.scene;
        for (index, body) in self.bodies.iter_mut().enumerate() {
            let Some(offset) = scene.layout().body(index) else {
                continue;
            };
            let x = &states[offset..offset + crate::scene::layout::FREE_BODY_STATES];
            body.pose.position = vector(&x[StateLayout::position(0)]);
            body.pose.rotation = rotation_matrix(&[x[3], x[4], x[5], x[6]]);
            body.velocity_w = vector(&x[StateLayout::velocity(0)]);
            body.omega_b = vector(&x[StateLayout::angular_velocity(0)]);
            body.omega_w = body.pose.rotation * body.omega_b;
        }
        for (pose, shape) in self.shape_poses.iter_mut().zip(scene.shapes()) {
            if scene.layout().body(shape.body).is_none() {
                continue;
            }
            let body = &self.bodies[shape.body].pose;
            *pose = if is_identity(&shape.pose_b) {
                *body
            } else {
                body.then(&shape.pose_b)
            };
        }
    }
}

fn vector<T: Real>(x: &[T]) -> Vec3<T> {
    Vec3::new(x[0], x[1], x[2])
}

fn is_identity(pose: &Pose) -> bool {
    pose.position == Vec3::zeros() && pose.rotation == Mat3::identity()
}
