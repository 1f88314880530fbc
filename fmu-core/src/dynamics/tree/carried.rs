//! What the end stops of a scene have to hold, at start.
//!
//! A unit rate of the coordinate moves the centres of mass of the bodies that hang on it by v_i and
//! turns them by w_i, all other joints held, so that it carries the mass M = sum m_i with the inertia
//! J = sum m_i v_i^2 + w_i.I_i w_i, and gravity loads it with at most F = sum m_i g_i |v_i|, in
//! whatever direction it turned. A stop of stiffness K yields by F/K under this load, and by
//! v sqrt(J/K) in an impact at the rate v; of a turn the rate is the speed over the radius of
//! gyration sqrt(J/M), which gives sqrt(M/K) for a speed of 1 m/s.

use crate::dynamics::Model;
use crate::dynamics::motion::gravity;
use crate::dynamics::workspace::Workspace;
use crate::math::Vec3;

/// What a stop has to hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Carried {
    /// Mass of all that hangs on the coordinate [kg].
    pub mass: f64,
    /// Its inertia along the coordinate [kg] or [kg.m2].
    pub inertia: f64,
    /// Largest force of gravity along the coordinate [N] or [N.m].
    pub load: f64,
}

/// For each of the scene's stops, in their order.
pub fn by_stops(model: &Model) -> Vec<Carried> {
    let scene = &model.scene;
    if scene.stops().is_empty() {
        return Vec::new();
    }
    let mut work: Workspace<f64> = Workspace::new(model);
    work.place(model, &scene.start_states());
    let mut joint_of = vec![None; scene.bodies().len()];
    for (index, joint) in scene.joints().iter().enumerate() {
        joint_of[joint.child] = Some(index);
    }
    let hangs_on = |body: usize, joint: usize| {
        let above = |known: &usize| {
            scene.joints()[*known]
                .parent
                .and_then(|body| joint_of[body])
        };
        std::iter::successors(joint_of[body], above).any(|known| known == joint)
    };
    let stops = scene.stops().iter();
    let of = stops.map(|stop| {
        let column = &work.tree.motions[stop.joint].columns[stop.coordinate];
        let origin = work.frames[scene.joints()[stop.joint].child].position;
        let mut sum = Carried {
            mass: 0.0,
            inertia: 0.0,
            load: 0.0,
        };
        for (body, numbers) in model.bodies.iter().enumerate() {
            if !hangs_on(body, stop.joint) {
                continue;
            }
            let pose = &work.frames[body];
            let center: Vec3 = pose.position + pose.rotation * numbers.center_of_mass_b;
            let velocity = column.linear + column.angular.cross(&(center - origin));
            let turning = pose.rotation.tr_mul(&column.angular);
            sum.mass += numbers.mass;
            sum.inertia += numbers.mass * velocity.norm_squared()
                + turning.dot(&(numbers.inertia_b * turning));
            sum.load += numbers.mass * gravity(&model.gravity, &center).norm() * velocity.norm();
        }
        sum
    });
    of.collect()
}
