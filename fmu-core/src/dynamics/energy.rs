//! Energies of the whole scene.

use crate::contact::Contact;
use crate::dynamics::Model;
use crate::dynamics::workspace::Workspace;
use crate::math::Vec3;
use crate::response::PairLaw;
use crate::scene::description::Gravity;

/// Kinetic energy [J]: 1/2 m v_c^2 + 1/2 w.I w over the free bodies.
pub fn kinetic(model: &Model, work: &Workspace<f64>) -> f64 {
    total(free_bodies(model, work).map(|(numbers, body)| {
        let center_w = body.pose.position + body.pose.rotation * numbers.center_of_mass_b;
        let velocity = body.velocity_at(&center_w);
        0.5 * numbers.mass * velocity.norm_squared()
            + 0.5 * body.omega_b.dot(&(numbers.inertia_b * body.omega_b))
    }))
}

/// Potential energy in the field of gravity [J]: -m g.r_c, zero at the world origin, or -m mu/|r|,
/// zero at infinity.
pub fn potential(model: &Model, work: &Workspace<f64>) -> f64 {
    total(free_bodies(model, work).map(|(numbers, body)| {
        let center_w = body.pose.position + body.pose.rotation * numbers.center_of_mass_b;
        match &model.gravity {
            Gravity::None => 0.0,
            Gravity::Uniform(g) => -numbers.mass * Vec3::from(*g).dot(&center_w),
            Gravity::Point { mu, center } => {
                -numbers.mass * mu / (center_w - Vec3::from(*center)).norm()
            }
        }
    }))
}

/// Energy stored in the contacts [J].
pub fn elastic(contacts: &[Contact], laws: &[PairLaw], work: &Workspace<f64>) -> f64 {
    let pairs = contacts.iter().zip(laws).zip(&work.contact_gaps);
    total(pairs.map(|((_, law), gap)| law.elastic_energy(*gap)))
}

/// Sum from +0: the sum of no floats is -0 in Rust, which a result file would show.
fn total(energies: impl Iterator<Item = f64>) -> f64 {
    energies.fold(0.0, std::ops::Add::add)
}

fn free_bodies<'a>(
    model: &'a Model,
    work: &'a Workspace<f64>,
) -> impl Iterator<
    Item = (
        &'a super::model::BodyModel,
        &'a super::workspace::BodyState<f64>,
    ),
> {
    let layout = model.scene.layout();
    let both = model.bodies.iter().zip(&work.bodies).enumerate();
    both.filter(move |(index, _)| layout.body(*index).is_some())
        .map(|(_, pair)| pair)
}
