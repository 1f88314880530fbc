//! Gap, normal and witness points of two shapes.
//!
//! A [`query`] has two steps. [`find_feature`] decides, on values alone, which part of each shape
//! is nearest (the feature pair). [`proximity`] solves the closed conditions of that feature pair
//! for any scalar, so that dual numbers give exact derivatives without differentiating the search.
//! [`gap`] is for event indicators, which need nothing else. A [`PairRoutine`] does the same for a
//! pair whose routine is looked up once.
//!
//! - [`routines`]: the table of the routine of each two kinds of cores
//! - [`point`]: point against point, box and half-space; closed forms
//! - [`round`]: point against segment, beam, cylinder, cone and ellipsoid; closed forms, one root
//! - [`segments`]: segment against segment; closed form
//! - [`polytope`]: polytopes against each other; a search
//! - [`curved`]: everything else; a search
//! - [`gjk`]: the search for cores that are apart
//! - [`expand`]: the search for cores that overlap
//! - [`area`]: pressure over an area, where faces meet; no search
//! - [`overlap`]: the intersection of two polyhedra, beside the routines
//!
//! Gaps are signed distances between the outer surfaces: distance between the cores less both
//! radii. They are formed from the relative position, so noise grows with the distance between the
//! shape frames, not with their distance from the world origin.

pub mod area;
pub mod curved;
pub mod expand;
pub mod gjk;
pub mod overlap;
pub mod point;
pub mod polytope;
pub mod round;
pub mod routines;
pub mod segments;

pub use routines::PairRoutine;

use crate::math::{Pose, Real, Vec3};
use crate::shapes::{Kind, RoundedShape};
use serde::{Deserialize, Serialize};

/// Which parts of two shapes are nearest to each other.
///
/// The one found for a pair at a nearby state is the warm start of the next search; one that does
/// not fit costs time only, even one with numbers that belong to other shapes.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
pub enum Feature {
    /// Nothing is known yet.
    #[default]
    None,
    /// Two different points.
    Points,
    /// Two points at the same position: the normal is +x by convention.
    CoincidentPoints,
    /// A point over a face of a box, or inside and nearest to it: axis and side, -1 or 1.
    Face(usize, f64),
    /// A point off an edge or a corner of a box; for each axis the side it lies on, 0 where it lies
    /// between the faces. Two non-zero sides are an edge, three a corner.
    EdgeOrCorner([f64; 3]),
    /// A half-space and a point.
    Plane,
    /// A half-space and the lowest part of a core over it.
    Lowest(point::Lowest),
    /// A point and a part of a round core.
    Round(round::RoundFeature),
    /// Two segments.
    Segments(segments::Meeting),
    /// Two polytopes.
    Polytope(polytope::Corners),
    /// Two cores of which one at least is curved.
    Curved(curved::StratumPair),
}

/// Gap, normal and points of two shapes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proximity<T: Real = f64> {
    /// Signed distance [m], negative where the shapes overlap.
    pub gap: T,
    /// Unit normal from 1 to 2, world axes.
    pub normal_w: Vec3<T>,
    /// Witness points on 1 and on 2, world frame [m].
    pub points_w: [Vec3<T>; 2],
}

impl<T: Real> Proximity<T> {
    /// Contact point: the middle of the witness points [m].
    pub fn contact_point_w(&self) -> Vec3<T> {
        (self.points_w[0] + self.points_w[1]) * T::from(0.5)
    }

    /// Of two shapes that touch at a point over which this gap [m] is not uniform.
    pub fn at(gap: T, point_w: Vec3<T>, normal_w: Vec3<T>) -> Self {
        Proximity {
            gap,
            normal_w,
            points_w: [point_w; 2],
        }
    }

    /// Of two shapes that never touch.
    fn never(pose_1: &Pose<T>, pose_2: &Pose<T>) -> Self {
        Proximity {
            gap: T::from(f64::INFINITY),
            normal_w: Vec3::x(),
            points_w: [pose_1.position, pose_2.position],
        }
    }

    /// The same pair seen with 1 and 2 exchanged.
    fn swapped(self) -> Self {
        Proximity {
            gap: self.gap,
            normal_w: -self.normal_w,
            points_w: [self.points_w[1], self.points_w[0]],
        }
    }
}

/// Whether the search for the nearest features of cores of these kinds gains by a warm start:
/// where it iterates. Closed forms do not read it.
pub fn uses_warm_start(kind_1: Kind, kind_2: Kind) -> bool {
    PairRoutine::of(kind_1, kind_2).uses_warm_start()
}

/// Gap, normal and points of two shapes at two poses: [`proximity`] of [`find_feature`], the
/// frequent pairs inlined. `last` is the feature pair found at a nearby state, or none.
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

/// The gap alone [m], equal to that of [`query`] to the bit.
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

/// The nearest features of two shapes at two poses. `last` is as for [`query`].
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

/// Gap, normal and points for a feature pair that [`find_feature`] found.
///
/// For [`Feature::None`] the gap is infinite: such a pair never touches.
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
