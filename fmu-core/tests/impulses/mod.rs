//! Velocities that jump where bodies meet, `response = "impulse"`.
//!
//! - [`free`]: free bodies: momentum, energy, closed forms
//! - [`chains`]: bodies that touch each other when one is hit
//! - [`trees`]: bodies on joints, against equations that know nothing of trees
//! - [`rest`]: bouncing that ends
//! - [`divided`]: island by island as all at once
//! - [`order`]: in which order contacts are hit, and that it is done once

mod chains;
mod divided;
mod free;
mod order;
mod rest;
mod trees;

use crate::fixtures::*;

/// What the pair of materials has.
#[derive(Clone, Copy, Debug)]
struct Law {
    restitution: f64,
    friction: f64,
    rolling: f64,
    rest_speed: f64,
}

/// Restitution 1, nothing else.
const ELASTIC: Law = Law {
    restitution: 1.0,
    friction: 0.0,
    rolling: 0.0,
    rest_speed: 1e-3,
};

/// Restitution and Coulomb friction, nothing else.
const fn law(restitution: f64, friction: f64) -> Law {
    Law {
        restitution,
        friction,
        ..ELASTIC
    }
}

/// Bodies of steel without gravity, whose velocities jump.
fn scene(bodies: Vec<BodyDescription>, law: Law) -> SceneDescription {
    let mut description = steel_scene(bodies);
    description.gravity = Gravity::None;
    description.material_pairs[0].response = PairResponse::Law(LawChanges {
        response: Some(Response::Impulse),
        restitution: Some(RestitutionRule::Constant),
        friction: (law.friction == 0.0).then_some(FrictionKind::Off),
        numbers: [
            (Number::Restitution, law.restitution),
            (Number::SlidingFriction, law.friction),
            (Number::RollingResistance, law.rolling),
            (Number::RestSpeed, law.rest_speed),
        ]
        .into_iter()
        .filter(|(number, _)| law.friction > 0.0 || *number != Number::SlidingFriction)
        .collect(),
        ..LawChanges::default()
    });
    description
}

/// A free ball of this diameter [m] and mass [kg].
fn ball_of(name: &str, diameter: f64, mass: f64, position: [f64; 3]) -> BodyDescription {
    let mut ball = body(name, Motion::Free, sphere(diameter), position);
    ball.mass.mass = Some(mass);
    ball
}

/// Mass, centre of mass and inertia of a free body as given.
fn mass_of(given: &GivenMass) -> (f64, Vec3, contact_geometry::math::Mat3) {
    let [xx, yy, zz, xy, xz, yz] = given.inertia.expect("an inertia");
    (
        given.mass.expect("a mass"),
        given.center_of_mass.unwrap_or_default().into(),
        contact_geometry::math::Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz),
    )
}

/// Momentum [kg.m/s], angular momentum about the origin of the world [kg.m2/s] and kinetic energy [J]
/// of free bodies with these masses, states in scene order.
fn totals(bodies: &[GivenMass], states: &[f64]) -> (Vec3, Vec3, f64) {
    let (mut momentum, mut angular, mut energy) = (Vec3::zeros(), Vec3::zeros(), 0.0);
    for (given, x) in bodies.iter().zip(states.chunks(13)) {
        let (mass, center_b, inertia_b) = mass_of(given);
        let rotation = rotation_matrix(&[x[3], x[4], x[5], x[6]]);
        let omega_b = Vec3::new(x[10], x[11], x[12]);
        let velocity = Vec3::new(x[7], x[8], x[9]) + rotation * omega_b.cross(&center_b);
        let center = Vec3::new(x[0], x[1], x[2]) + rotation * center_b;
        momentum += velocity * mass;
        angular += center.cross(&velocity) * mass + rotation * (inertia_b * omega_b);
        energy += 0.5 * mass * velocity.norm_squared() + 0.5 * omega_b.dot(&(inertia_b * omega_b));
    }
    (momentum, angular, energy)
}
