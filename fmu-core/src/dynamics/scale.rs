//! Magnitudes that a solver needs: nominal values of states, and a relative tolerance.
//!
//! Importers take nominal x relative tolerance as absolute tolerance. Contact happens on the scale
//! of the penetration, so the nominal of a position is the penetration expected in an impact at
//! [`REFERENCE_SPEED`]; with a nominal of 1 m an importer at 1e-5 would step over impacts.

use crate::dynamics::Model;
use crate::scene::StateLayout;
use crate::scene::description::Gravity;

/// Impact speed that nominal penetrations belong to [m/s].
const REFERENCE_SPEED: f64 = 1.0;
/// Nominal position of a body that touches nothing [m].
const FREE_POSITION: f64 = 1.0;
/// Nominal orientation [1] and nominal angular velocity [rad/s]: a hundredth, because components of
/// a quaternion pass through zero, where the absolute tolerance alone decides. Measured with
/// CVODE's BDF on a free axisymmetric top against its closed form, relative tolerance 1e-8: error
/// 3.1e-5 rad/s after 5 s with nominals of 1, 4.5e-6 rad/s with these; smaller ones gain nothing.
const ORIENTATION: f64 = 1e-2;
/// See [`ORIENTATION`].
const ANGULAR_VELOCITY: f64 = 1e-2;
/// Part of the resting penetration that a solver should resolve [1].
const RESOLVED_PART: f64 = 1e-2;
/// Suggested tolerances stay between these: finer than 1e-10 a position of 1 m drowns in the
/// rounding of the solver, coarser than 1e-5 nobody needs.
const TOLERANCES: (f64, f64) = (1e-10, 1e-5);

/// Nominal magnitude of each state.
pub fn nominals(model: &Model) -> Vec<f64> {
    let layout = model.scene.layout();
    let mut nominals = vec![0.0; layout.count()];
    let penetrations = expected_penetrations(model);
    for (body, penetration) in penetrations.iter().enumerate() {
        let Some(offset) = layout.body(body) else {
            continue;
        };
        nominals[StateLayout::position(offset)].fill(penetration.unwrap_or(FREE_POSITION));
        nominals[StateLayout::orientation(offset)].fill(ORIENTATION);
        nominals[StateLayout::velocity(offset)].fill(REFERENCE_SPEED);
        nominals[StateLayout::angular_velocity(offset)].fill(ANGULAR_VELOCITY);
    }
    let deflection = penetrations.iter().flatten().copied().reduce(f64::min);
    nominals[layout.contacts()].fill(deflection.unwrap_or(FREE_POSITION));
    if let Some(work) = layout.work() {
        let mass: f64 = model.bodies.iter().map(|body| body.mass).sum();
        nominals[work] = if mass > 0.0 {
            0.5 * mass * REFERENCE_SPEED * REFERENCE_SPEED
        } else {
            1.0
        };
    }
    nominals
}

/// Relative tolerance [1] at which a solver resolves the resting penetration of every body: one
/// hundredth of it, relative to the largest start coordinate (at least 1 m), as a power of ten.
pub fn suggested_tolerance(model: &Model) -> f64 {
    let mut reach: f64 = 1.0;
    let mut depth = f64::INFINITY;
    for pair in model.scene.pairs().of_parts() {
        let law = model.law_of(&pair);
        for body in model
            .bodies_of(&pair)
            .into_iter()
            .filter(|b| model.scene.bodies()[*b].is_free())
        {
            let numbers = &model.bodies[body];
            let weight = numbers.mass * gravity_magnitude(model, body);
            let own = if weight > 0.0 {
                law.depth_under_force(weight)
            } else {
                law.depth_after_impact(numbers.mass, law.damping.restitution.v_small)
            };
            let Some(own) = own else {
                continue;
            };
            depth = depth.min(own);
            reach = reach.max(numbers.pose.position.amax());
        }
    }
    if depth.is_infinite() {
        // Nothing touches: smooth motion, for which this is customary.
        return 1e-6;
    }
    let wanted = RESOLVED_PART * depth / reach;
    10f64
        .powf(wanted.log10().floor())
        .clamp(TOLERANCES.0, TOLERANCES.1)
}

/// Least penetration [m] of each body in an impact at the reference speed, over its pairs.
fn expected_penetrations(model: &Model) -> Vec<Option<f64>> {
    let mut least: Vec<Option<f64>> = vec![None; model.bodies.len()];
    for pair in model.scene.pairs().of_parts() {
        let bodies = model.bodies_of(&pair);
        let law = model.law_of(&pair);
        let Some(depth) = law.depth_after_impact(model.effective_mass(bodies), REFERENCE_SPEED)
        else {
            continue;
        };
        for body in bodies {
            let known = &mut least[body];
            *known = Some(known.map_or(depth, |known| known.min(depth)));
        }
    }
    least
}

fn gravity_magnitude(model: &Model, body: usize) -> f64 {
    match &model.gravity {
        Gravity::None => 0.0,
        Gravity::Uniform(g) => crate::math::Vec3::from(*g).norm(),
        Gravity::Point { mu, center } => {
            mu / (model.bodies[body].pose.position - crate::math::Vec3::from(*center))
                .norm_squared()
        }
    }
}
