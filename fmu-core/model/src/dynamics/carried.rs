//! What the end stops of a scene have to hold, at start.
//!
//! A unit rate of the coordinate moves the centres of mass of the bodies that hang on it by v_i and
//! turns them by w_i, all other joints held, so that it carries the mass M = sum m_i with the
//! inertia J = sum m_i v_i^2 + w_i.I_i w_i, and gravity loads it with at most F = sum m_i g_i
//! |v_i|, in whatever direction it turned. A stop of stiffness K yields by F/K under this load, and
//! by v sqrt(J/K) in an impact at the rate v; of a turn the rate is the speed over the radius of
//! gyration sqrt(J/M), which gives sqrt(M/K) for a speed of 1 m/s.

use crate::dynamics::parts::Workspace;
use crate::dynamics::rigid::gravity;
use crate::dynamics::{Model, pipeline};
use contact_geometry::math::Vec3;
use contact_laws::index::{BodyId, LinkId};

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
    pipeline::place(
        model,
        &model.links.indices,
        &mut work,
        &scene.start_states(),
    );
    let links = &model.links;
    let hangs_on = |body: BodyId, link: LinkId| {
        let above = |known: &LinkId| links.all[*known].parent;
        std::iter::successors(links.of_bodies[body], above).any(|known| known == link)
    };
    let stops = scene.stops().iter();
    let of = stops.map(|stop| {
        let link = links.of_joints[stop.joint];
        let motion = &work.tree.motions[links.index_in_trees(link)];
        let column = &motion.columns[stop.coordinate];
        let origin = work.frames[scene.joints()[stop.joint].child.frame()].position;
        let mut sum = Carried {
            mass: 0.0,
            inertia: 0.0,
            load: 0.0,
        };
        for (body, numbers) in model.bodies.iter_enumerated() {
            if !hangs_on(body, link) {
                continue;
            }
            let pose = &work.frames[body.frame()];
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
