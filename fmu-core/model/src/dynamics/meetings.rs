//! Where bodies in contact meet, and how fast: what an impact needs of a contact.
//!
//! Each contact whose law has an impulse has its point p, an orthonormal frame (normal from 1 to 2, direction of
//! slip, the direction across both) and the velocity and angular velocity of 2 against 1 at p, by
//! components as [`impact`](contact_laws::impact) has them.
//!
//! A contact over an area is met at the centre of its pressure where it is pressed deepest: with the shapes closer
//! by the depth d at which the elastic energy is that of the approach, U(d) = 1/2 m v^2. At first touch a face
//! lands on an edge or a corner, however small its tilt is, while the force of its law would act at the middle of
//! the face by the time that it has any size.

use crate::dynamics::Model;
use crate::dynamics::contact_forces;
use crate::dynamics::contacts::ActiveContact;
use crate::dynamics::frozen::Frozen;
use crate::dynamics::tree::response;
use crate::dynamics::workspace::Workspace;
use contact_geometry::math::{Vec3, norm};
use contact_geometry::narrow_phase::Proximity;
use contact_geometry::narrow_phase::area::Patch;
use contact_laws::impact::{COMPONENTS, Touch};
use contact_laws::index::{BodyId, PairId, ShapeId};
use contact_laws::response::PairLaw;
use contact_laws::response::area;
use contact_laws::response::law::ImpulseLaw;
use contact_laws::response::power::PowerLaw;

/// Elastic force of a law that knows none, which no impact asks for: a scene with springs in place of
/// impulses and such a law is refused.
const UNKNOWN: PowerLaw = PowerLaw {
    stiffness: 1.0,
    exponent: 1.0,
};

/// A contact that may transmit an impulse.
#[derive(Clone, Debug)]
pub struct Meeting {
    /// The pair.
    pub pair: PairId,
    /// Bodies 1 and 2.
    pub bodies: [BodyId; 2],
    /// Contact point, world axes [m].
    pub point_w: Vec3,
    /// Normal from 1 to 2 and two tangents, world axes.
    pub axes_w: [Vec3; 3],
    /// Velocities of 2 against 1 [m/s, rad/s].
    pub velocities: [f64; COMPONENTS],
    /// What it transmits.
    pub touch: Touch,
}

impl Meeting {
    /// That of a contact, which `starts` now or has lasted; none if its law has no impulse. The bodies are
    /// placed.
    pub fn of(
        frozen: &Frozen<'_>,
        contact: &ActiveContact,
        work: &Workspace<f64>,
        starts: bool,
        patch: &mut Patch<f64>,
    ) -> Option<Meeting> {
        let law = frozen.contacts.law(contact);
        let touch = touch(law, law.impulse?, starts);
        let mut near = contact_forces::nearest(frozen, contact, &work.frames);
        let bodies = (contact.bodies, contact.fixed);
        let mut motion = contact_forces::motion_of(&near, bodies, work);
        if contact.over_area {
            let pair = (contact.shapes, contact.bodies);
            near = deepest(frozen.model, law, pair, near, work, patch);
            motion = contact_forces::motion_of(&near, bodies, work);
        }
        let mut meeting = Meeting {
            pair: contact.pair,
            bodies: contact.bodies,
            point_w: motion.point,
            axes_w: axes(&motion.normal, &motion.velocity),
            velocities: [0.0; COMPONENTS],
            touch,
        };
        meeting.velocities = meeting.components(&motion.velocity, &motion.angular_velocity);
        Some(meeting)
    }

    /// Components of a velocity and an angular velocity, or of an impulse and a moment, world axes.
    pub fn components(&self, linear_w: &Vec3, angular_w: &Vec3) -> [f64; COMPONENTS] {
        let [n, s, t] = &self.axes_w;
        let (v, w) = (linear_w, angular_w);
        [n.dot(v), s.dot(v), t.dot(v), n.dot(w), s.dot(w), t.dot(w)]
    }

    /// The impulse and the moment of these components, world axes.
    pub fn wrench(&self, components: &[f64]) -> [Vec3; 2] {
        let sum = |from: usize| {
            let parts = self.axes_w.iter().zip(&components[from..]);
            parts.fold(Vec3::zeros(), |sum, (axis, part)| sum + axis * *part)
        };
        [sum(0), sum(3)]
    }
}

/// Where a pair over an area presses: the centre of its pressure with the shapes closer by the depth at which
/// the elastic energy of the law is that of the approach. `near` are the nearest points of the shapes.
pub fn deepest(
    model: &Model,
    law: &PairLaw,
    (shapes, bodies): ([ShapeId; 2], [BodyId; 2]),
    mut near: Proximity,
    work: &Workspace<f64>,
    patch: &mut Patch<f64>,
) -> Proximity {
    let fixed = bodies.map(|body| model.scene.bodies()[body].is_fixed());
    let motion = contact_forces::motion_of(&near, (bodies, fixed), work);
    let speed = motion.compression_rate();
    let moves = bodies.iter().any(|b| model.links.of_bodies[*b].is_some());
    let elastic = law.normal.elastic().filter(|_| speed > 0.0 && moves);
    let depth = elastic.map_or(0.0, |elastic| {
        let (point, normal) = (&motion.point, &motion.normal);
        let mass = response::along_normal(model, work, bodies, point, normal);
        elastic.depth_after_impact(mass, speed)
    });
    let poses = shapes.map(|shape| &work.frames[model.frames.of_shapes[shape]]);
    for depth in [0.0, depth] {
        contact_forces::find_patch(model, law, (shapes, poses), -depth, patch);
        if let Some((center, normal)) = area::center(patch) {
            near = Proximity::at(near.gap, patch.origin_w + center, normal);
        }
    }
    near
}

fn touch(law: &PairLaw, impulse: ImpulseLaw, starts: bool) -> Touch {
    Touch {
        restitution: law.damping.restitution,
        friction: impulse.friction,
        rolling: law.resistance.rolling,
        spinning: law.resistance.spinning,
        rest_speed: impulse.rest_speed,
        starts,
        elastic: law.normal.elastic().copied().unwrap_or(UNKNOWN),
    }
}

/// The normal, the direction of slip, or any across the normal if there is none, and the one across
/// both.
fn axes(normal: &Vec3, velocity: &Vec3) -> [Vec3; 3] {
    let slip = velocity - normal * normal.dot(velocity);
    let size = norm(&slip);
    let along = match size > f64::EPSILON * norm(velocity) {
        true => slip / size,
        false => {
            // The axis that is farthest from the normal.
            let least = normal.iamin();
            let axis = Vec3::from_fn(|i, _| if i == least { 1.0 } else { 0.0 });
            let across = axis - normal * normal.dot(&axis);
            across / norm(&across)
        }
    };
    [*normal, along, normal.cross(&along)]
}
