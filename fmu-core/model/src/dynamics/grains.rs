//! Sums over the balls of a group, from the states alone: the centre of a ball is the origin of its
//! body, and with the mass m and the moment of inertia I of each
//!
//! - centre of mass: sum m x / sum m
//! - kinetic energy: sum (m v.v + I w.w)/2
//! - number and mass of balls in a region: of those with their centre in it

use crate::dynamics::Model;
use crate::scene::description::RegionDescription;
use crate::scene::{Grains, StateLayout};
use contact_geometry::math::Vec3;
use contact_laws::index::each;
use std::ops::Range;

/// A ball at a state: mass [kg], moment of inertia [kg.m2], its first state.
struct Ball {
    mass: f64,
    inertia: f64,
    offset: usize,
}

fn balls<'a>(model: &'a Model, group: &'a Grains) -> impl Iterator<Item = Ball> + 'a {
    let bodies = each(group.bodies.clone());
    bodies.enumerate().map(|(place, body)| {
        let numbers = &model.bodies[body];
        Ball {
            mass: numbers.mass,
            inertia: numbers.inertia_b[(0, 0)],
            offset: group.state(place),
        }
    })
}

fn vector(states: &[f64], range: Range<usize>) -> Vec3 {
    Vec3::from_column_slice(&states[range])
}

/// Mass of all balls of a group [kg].
fn mass(model: &Model, group: &Grains) -> f64 {
    balls(model, group).map(|ball| ball.mass).sum()
}

/// Centre of mass of all balls, world axes [m]; of changes of the states, its change.
pub fn center(model: &Model, group: &Grains, states: &[f64]) -> Vec3 {
    let weighted = |ball: Ball| vector(states, StateLayout::position(ball.offset)) * ball.mass;
    let sum = balls(model, group)
        .map(weighted)
        .fold(Vec3::zeros(), |sum, one| sum + one);
    sum / mass(model, group)
}

/// Kinetic energy of the balls [J].
pub fn kinetic_energy(model: &Model, group: &Grains, states: &[f64]) -> f64 {
    0.5 * energy_change(model, group, states, states)
}

/// Change of the kinetic energy [J] with changes of the states.
pub fn energy_change(model: &Model, group: &Grains, states: &[f64], changes: &[f64]) -> f64 {
    let of_ball = |ball: Ball| {
        let product =
            |range: Range<usize>| vector(states, range.clone()).dot(&vector(changes, range));
        ball.mass * product(StateLayout::velocity(ball.offset))
            + ball.inertia * product(StateLayout::angular_velocity(ball.offset))
    };
    balls(model, group).map(of_ball).sum()
}

/// Number and mass [kg] of the balls with their centre in a region.
pub fn in_region(
    model: &Model,
    group: &Grains,
    region: &RegionDescription,
    states: &[f64],
) -> (usize, f64) {
    let is_inside = |ball: &Ball| {
        let center = &states[StateLayout::position(ball.offset)];
        let mut bounds = center.iter().zip(&region.bounds);
        bounds.all(|(c, [lower, upper])| lower <= c && c < upper)
    };
    let inside = balls(model, group).filter(is_inside);
    inside.fold((0, 0.0), |(count, mass), ball| {
        (count + 1, mass + ball.mass)
    })
}
