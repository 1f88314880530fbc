//! Forces along the coordinates of joints: springs, viscous and Coulomb friction, inputs.
//!
//! Along a coordinate q with rate v: -k (q - q_0) - c v - F v/reg(|v|, v_s) + input; about each
//! axis of a spherical joint with angular velocity w: -c w + input. The force acts on the child,
//! its negative on the parent.

use crate::dynamics::Model;
use crate::dynamics::link::Link;
use crate::dynamics::workspace::Workspace;
use crate::scene::description::{CoordinateForces, JointFriction};
use contact_geometry::math::Real;
use contact_laws::response::regularize::reg;

/// Writes the forces along the coordinates of a link of a tree, and adds what friction takes from
/// the mechanical energy.
pub fn apply<T: Real>(model: &Model, link: &Link, work: &mut Workspace<T>, states: &[T]) {
    let mut lost = T::zero();
    let forces = &mut work.joint_forces[link.dofs.clone()];
    if link.is_free {
        // Its velocity states are those of a body; what acts on it are loads.
        forces.fill(T::zero());
        return;
    }
    let (positions, rates) = (&states[link.positions.clone()], &states[link.rates.clone()]);
    for (dof, (force, rate)) in forces.iter_mut().zip(rates).enumerate() {
        let (elastic, friction) = match (link.forces.get(dof), positions.get(dof)) {
            (Some(own), Some(q)) => (spring(own, *q), friction(own, *rate)),
            _ => (T::zero(), *rate * -link.ball.damping),
        };
        lost -= friction * *rate;
        *force = elastic + friction;
        if let Some(input) = link.inputs[dof] {
            *force += work.inputs[input];
        }
    }
    if model.energy_balance {
        work.dissipation += lost;
    }
}

fn spring<T: Real>(forces: &CoordinateForces, q: T) -> T {
    match forces.spring {
        Some(spring) => (q - spring.rest) * -spring.stiffness,
        None => T::zero(),
    }
}

fn friction<T: Real>(forces: &CoordinateForces, rate: T) -> T {
    let viscous = rate * -forces.damping;
    match forces.friction {
        Some(JointFriction { limit, speed }) => {
            // reg is flat at zero, so the kink of |v| there does not matter.
            let size = if rate.value() < 0.0 { -rate } else { rate };
            viscous - rate * limit / reg(size, speed)
        }
        None => viscous,
    }
}

/// Power [W] that the forces along the coordinates of a link, those of stops among them, deliver to
/// the bodies of its joint: f v for each coordinate of rate v.
pub fn power<T: Real>(link: &Link, work: &Workspace<T>, states: &[T]) -> T {
    let forces = work.joint_forces[link.dofs.clone()].iter();
    let both = forces.zip(&states[link.rates.clone()]);
    both.fold(T::zero(), |sum, (force, rate)| sum + *force * *rate)
}

/// Energy of the springs of all joints [J].
pub fn spring_energy<T: Real>(model: &Model, states: &[T]) -> T {
    let mut energy = T::zero();
    for link in model.links.of_trees() {
        let positions = &states[link.positions.clone()];
        for (forces, q) in link.forces.iter().zip(positions) {
            if let Some(spring) = forces.spring {
                let stretch = *q - spring.rest;
                energy += stretch * (0.5 * spring.stiffness) * stretch;
            }
        }
    }
    energy
}
