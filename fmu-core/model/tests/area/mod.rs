//! Faces on faces, against numbers that are not the FMU's own.
//!
//! Expected numbers are closed forms of rigid bodies or of elastic foundations; deviations of the
//! order of depth over width, 1e-6 or less with the stiffness taken in most scenes, belong to the
//! compliance.
//!
//! - [`faces`]: one body on the ground
//! - [`drops`]: boxes that fall flat onto a box, over its middle and over its edge
//! - [`jacobian`]: derivatives of the right-hand side
//! - [`stacks`]: stacks, towers and a slab on three supports
//! - [`grips`]: a load between two jaws
//! - [`held`]: balls that stick to meshes
//! - [`meshes`]: meshes that touch with their own surface
//! - [`swings`]: a plank that rocks, a coin that spins down, and their energy
//! - [`turns`]: bodies that stick while they turn and roll, and an impact with friction at an edge

mod drops;
mod faces;
mod grips;
mod held;
mod jacobian;
mod meshes;
mod stacks;
mod swings;
mod turns;

use crate::fixtures::*;
use crate::running::Run;

const G: f64 = 9.81;
/// Stiffness per area [N/m3] of most scenes.
const STIFFNESS: f64 = 1e10;
/// Overlap from which on there is force [m].
const STARTS: f64 = 2e-8;

fn crate_of(name: &str, lengths: [f64; 3], position: [f64; 3]) -> BodyDescription {
    body(name, Motion::Free, cuboid(lengths), position)
}

/// A fixed half-space z < 0, or the top of a box.
fn grounds() -> [BodyDescription; 2] {
    [
        body("ground", Motion::Fixed, Form::HalfSpace, [0.0; 3]),
        body(
            "ground",
            Motion::Fixed,
            cuboid([2.0, 3.0, 0.5]),
            [0.0, 0.0, -0.25],
        ),
    ]
}

fn scene(
    bodies: Vec<BodyDescription>,
    friction: FrictionKind,
    numbers: &[(Number, f64)],
) -> SceneDescription {
    let mut description = steel_scene(bodies);
    description.material_pairs[0].response = PairResponse::Law(LawChanges {
        restitution: Some(RestitutionRule::Constant),
        friction: Some(friction),
        numbers: match numbers.iter().any(|(n, _)| *n == Number::StiffnessPerArea) {
            true => numbers.to_vec(),
            false => [&[(Number::StiffnessPerArea, STIFFNESS)], numbers].concat(),
        },
        ..LawChanges::default()
    });
    description
}

/// Gravity on a slope of this angle [rad], down along x.
fn on_slope(angle: f64) -> Gravity {
    Gravity::Uniform([G * angle.sin(), 0.0, -G * angle.cos()])
}
