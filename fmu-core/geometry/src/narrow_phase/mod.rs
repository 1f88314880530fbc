//! Narrow phase: gap, normal and witness points of two shapes.
//!
//! A [`query`] has two steps. [`find_feature`] decides, on values alone, which part of each shape is nearest
//! (the feature pair). [`proximity`] solves the closed conditions of that feature pair for any scalar, so
//! that dual numbers give exact derivatives without differentiating the search. [`gap`] is for event
//! indicators, which need nothing else. A [`PairRoutine`] does the same for a pair whose routine is looked up
//! once.
//!
//! - [`proximity`]: gap, normal and points, the result of a query
//! - [`point`]: point against point, box and half-space; closed forms
//! - [`round`]: point against segment, beam, cylinder, cone and ellipsoid; closed forms, one root
//! - [`segments`]: segment against segment; closed form
//! - [`gjk`]: the search for cores that are apart
//! - [`expand`]: the search for cores that overlap
//! - [`polytope`]: polytopes against each other; a search
//! - [`curved`]: everything else with convex cores; a search
//! - [`deepest`]: the overlapping cells that are deepest; branch and bound
//! - [`programme`]: the deepest point of two overlapping cells; a linear programme
//! - [`ellipsoid`]: an ellipsoid that meets a mesh; a search over the faces within it
//! - [`surface`]: a point and the surface of a mesh
//! - [`inside`]: the deepest point of a round core in a cell
//! - [`slice`]: planes and lines through a round core
//! - [`mesh`]: a mesh against point, mesh and convex cores; searches in trees of boxes
//! - [`parts`]: bounds of the gap of a mesh from those of its convex parts
//! - [`routines`]: the feature pair, and the table of routines by kinds of cores
//! - [`area`]: pressure over an area, where faces meet; no search
//! - [`overlap`]: the intersection of two polyhedra, beside the routines
//!
//! Gaps are signed distances between the outer surfaces: distance between the cores less both radii. They are
//! formed from the relative position, so noise grows with the distance between the shape frames, not with
//! their distance from the world origin.

pub mod area;
mod curved;
mod deepest;
mod ellipsoid;
mod expand;
mod gjk;
mod inside;
mod mesh;
pub mod overlap;
mod parts;
mod point;
mod polytope;
mod programme;
mod proximity;
mod round;
mod routines;
mod segments;
mod slice;
mod surface;

pub use mesh::{Convex, MeshFeature, SearchWork, work as search_work};
pub use parts::least_of_parts;
pub use point::points;
pub use proximity::Proximity;
pub use routines::{Feature, PairRoutine};

use crate::math::{Pose, Real};
use crate::shapes::{Kind, RoundedShape};

/// Returns true if the search for cores of these kinds gains by a warm start, because it iterates; closed
/// forms ignore it.
pub fn uses_warm_start(kind_1: Kind, kind_2: Kind) -> bool {
    PairRoutine::of(kind_1, kind_2).uses_warm_start()
}

/// Gap, normal and points of two shapes: [`proximity`] of [`find_feature`], with frequent pairs inlined.
/// `last` is the feature pair at a nearby state, or [`Feature::None`].
#[inline(always)]
pub fn query<T: Real>(
    shape_1: &RoundedShape,
    pose_1: &Pose<T>,
    shape_2: &RoundedShape,
    pose_2: &Pose<T>,
    last: &Feature,
) -> Proximity<T> {
    let routine = PairRoutine::of(shape_1.kind(), shape_2.kind());
    routine.query(shape_1, pose_1, shape_2, pose_2, last)
}

/// Gap [m], identical to the gap of [`query`] to the bit.
#[inline(always)]
pub fn gap(
    shape_1: &RoundedShape,
    pose_1: &Pose,
    shape_2: &RoundedShape,
    pose_2: &Pose,
    last: &Feature,
) -> f64 {
    let routine = PairRoutine::of(shape_1.kind(), shape_2.kind());
    routine.gap(shape_1, pose_1, shape_2, pose_2, || last)
}

/// Nearest features of two shapes. `last` is as for [`query`].
#[inline(always)]
pub fn find_feature(
    shape_1: &RoundedShape,
    pose_1: &Pose,
    shape_2: &RoundedShape,
    pose_2: &Pose,
    last: &Feature,
) -> Feature {
    let routine = PairRoutine::of(shape_1.kind(), shape_2.kind());
    routine.find_feature(shape_1, pose_1, shape_2, pose_2, last)
}

/// Gap, normal and points of a feature pair from [`find_feature`]; the gap of [`Feature::None`] is infinite.
#[inline(always)]
pub fn proximity<T: Real>(
    shape_1: &RoundedShape,
    pose_1: &Pose<T>,
    shape_2: &RoundedShape,
    pose_2: &Pose<T>,
    feature: &Feature,
) -> Proximity<T> {
    let routine = PairRoutine::of(shape_1.kind(), shape_2.kind());
    routine.proximity(shape_1, pose_1, shape_2, pose_2, feature)
}

#[cfg(test)]
#[path = "../../tests/unit/narrow_phase/tests.rs"]
mod tests;
