//! Bounds that say which pairs are worth a look: an axis-aligned box around every shape, and for
//! each pair the distance between the boxes, never more than the true gap.

use crate::geometry::{Aabb, RoundedShape};
use crate::math::Pose;

/// Boxes nearer than this [m] count as touching: far above rounding and above the gap that the rule
/// of Modia3D 0.12 still takes for contact, so no contact hides behind a bound.
const TOUCHING: f64 = 1e-9;

/// Bounds of all shapes of a scene at one state.
#[derive(Clone, Debug, Default)]
pub struct BroadPhase {
    bounds: Vec<Aabb>,
}

impl BroadPhase {
    /// Takes the poses of all shapes, in scene order.
    pub fn update<'a>(&mut self, placed: impl Iterator<Item = (&'a RoundedShape, &'a Pose)>) {
        self.bounds.clear();
        self.bounds
            .extend(placed.map(|(shape, pose)| Aabb::of(shape, pose)));
    }

    /// Lower bound [m] of the gap of two shapes: positive where their boxes are apart by more than
    /// [`TOUCHING`], otherwise nothing is known and it is minus infinity.
    pub fn least_gap(&self, shapes: [usize; 2]) -> f64 {
        let distance = self.bounds[shapes[0]].distance(&self.bounds[shapes[1]]);
        if distance > TOUCHING {
            distance
        } else {
            f64::NEG_INFINITY
        }
    }
}
