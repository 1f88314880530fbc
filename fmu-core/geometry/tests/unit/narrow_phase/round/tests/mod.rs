//! Balls against round shapes.
//!
//! - [`placed`]: gaps and normals known by construction or by a search of its own
//! - [`stated`]: degenerate positions with stated results
//! - [`invariants`]: swap, rigid motion, noise, derivatives, warm starts

mod invariants;
mod placed;
mod stated;

use crate::math::{Mat3, Pose, Vec3};
use crate::narrow_phase::round::{from_ellipsoid, root};
use crate::narrow_phase::{Feature, Proximity, query};
use crate::shapes::samples::{posed, shapes};
use crate::shapes::{Core, RoundedShape};

const BALL_RADIUS: f64 = 0.2;

/// The shapes about 1 m large that this module serves.
fn round_shapes() -> Vec<RoundedShape> {
    let mut shapes = shapes();
    shapes.retain(|shape| {
        !matches!(
            shape.core,
            Core::Box(_) | Core::Hull(_) | Core::RoundCone(_)
        )
    });
    shapes
}

/// Flat, thin and blunt ones.
fn extreme_shapes() -> Vec<RoundedShape> {
    vec![
        RoundedShape::ellipsoid(&[2.0, 2.0, 2e-3]),
        RoundedShape::ellipsoid(&[2e-3, 2.0, 2e-3]),
        RoundedShape::ellipsoid(&[2.0, 0.5, 2e-4]),
        RoundedShape::ellipsoid(&[1.0, 1.0 + 1e-9, 1.0 - 1e-12]),
        RoundedShape::cylinder(1.0, 1e-3, 0.0),
        RoundedShape::cylinder(1e-3, 1.0, 1e-4),
        RoundedShape::cone(1.0, 0.0, 1e-2, 0.0),
        RoundedShape::cone(1e-2, 0.0, 1.0, 0.0),
        RoundedShape::cone(0.0, 0.6, 0.3, 1e-3),
        RoundedShape::beam(1.0, 1e-3, 0.3, 0.0),
        RoundedShape::beam(0.01, 1.0, 1e-2, 1e-3),
    ]
}

fn ball(center: Vec3) -> (RoundedShape, Pose) {
    let pose = posed(center, Mat3::identity());
    (RoundedShape::sphere(2.0 * BALL_RADIUS), pose)
}

/// The shape and a ball of [`BALL_RADIUS`] with this centre.
fn near(shape: &RoundedShape, pose: &Pose, center: Vec3) -> Proximity {
    let (ball, at) = ball(center);
    query(shape, pose, &ball, &at, &Feature::None)
}
