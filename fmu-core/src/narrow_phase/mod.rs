//! Gap, normal and witness points of two shapes.
//!
//! A [`query`] has two steps. [`find_feature`] decides, on values alone, which part of each shape is
//! nearest (the feature pair). [`proximity`] solves the closed conditions of that feature pair for
//! any scalar, so that dual numbers give exact derivatives without differentiating the search.
//! [`gap`] is for event indicators, which need nothing else.
//!
//! Which routine serves which cores (rows and columns in the order of [`rank`]):
//!
//! | | half-space | hull | box | beam | cylinder | cone | ellipsoid | segment | point |
//! |---|---|---|---|---|---|---|---|---|---|
//! | half-space | - | lowest | lowest | lowest | lowest | lowest | lowest | lowest | point |
//! | hull | | polytope | polytope | curved | curved | curved | curved | polytope | polytope |
//! | box | | | polytope | curved | curved | curved | curved | polytope | point |
//! | beam, cylinder, cone, ellipsoid | | | | curved | curved | curved | curved | curved | round |
//! | segment | | | | | | | | segments | round |
//! | point | | | | | | | | | point |
//!
//! - [`point`]: point against point, box and half-space; closed forms
//! - [`round`]: point against segment, beam, cylinder, cone and ellipsoid; closed forms, one root
//! - [`segments`]: segment against segment; closed form
//! - [`lowest`]: half-space against everything else; closed form
//! - [`soft`]: the point that stands for a whole face or edge, for the routines above and below
//! - [`polytope`]: polytopes against each other
//! - [`curved`]: everything else
//!
//! The last two search with [`gjk`] where cores are apart and with [`expand`] where they overlap.
//!
//! Gaps are signed distances between the outer surfaces: distance between the cores less both
//! radii. They are formed from the relative position, so noise grows with the distance between the
//! shape frames, not with their distance from the world origin.

pub mod curved;
pub mod expand;
pub mod gjk;
pub mod lowest;
pub mod point;
pub mod polytope;
pub mod round;
pub mod segments;
pub mod soft;

use crate::geometry::{Core, RoundedShape};
use crate::math::{Pose, Real, Vec3, norm};
use serde::{Deserialize, Serialize};

/// Which parts of two shapes are nearest to each other.
///
/// The one found for a pair at a nearby state is a hint for the next search; a hint that does not
/// fit costs time only, even one with numbers that belong to other shapes.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
pub enum Feature {
    /// Nothing is known yet.
    #[default]
    None,
    /// Two different points.
    Points,
    /// Two points in the same place: the normal is +x by convention.
    CoincidentPoints,
    /// A point over a face of a box, or inside and nearest to it: axis and side, -1 or 1.
    Face(usize, f64),
    /// A point off an edge or a corner of a box; for each axis the side it lies on, 0 where it lies
    /// between the faces. Two non-zero sides are an edge, three a corner.
    EdgeOrCorner([f64; 3]),
    /// A half-space and a point.
    Plane,
    /// A half-space and the lowest part of a core over it.
    Lowest(lowest::Lowest),
    /// A point and a part of a round core.
    Round(round::Part),
    /// Two segments.
    Segments(segments::Meeting),
    /// Two polytopes.
    Polytope(polytope::Parts),
    /// Two cores of which one at least is curved.
    Curved(curved::Parts),
}

/// Where two shapes stand to each other.
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

    /// The same pair seen with 1 and 2 exchanged.
    fn swapped(self) -> Self {
        Proximity {
            gap: self.gap,
            normal_w: -self.normal_w,
            points_w: [self.points_w[1], self.points_w[0]],
        }
    }
}

/// Place of a core in the order in which routines take their two cores.
#[inline(always)]
fn rank(core: &Core) -> u8 {
    match core {
        Core::HalfSpace => 0,
        Core::Hull(_) => 1,
        Core::Box { .. } => 2,
        Core::Beam { .. } => 3,
        Core::Cylinder { .. } => 4,
        Core::Cone { .. } => 5,
        Core::Ellipsoid { .. } => 6,
        Core::Segment { .. } => 7,
        Core::Point => 8,
    }
}

/// Whether the search for the nearest features of these cores gains by a hint: where it iterates.
/// Closed forms do not look at it.
pub fn uses_hint(core_1: &Core, core_2: &Core) -> bool {
    let ordered = rank(core_1) <= rank(core_2);
    match if ordered {
        (core_1, core_2)
    } else {
        (core_2, core_1)
    } {
        (Core::Hull(_), Core::Point) => true,
        (Core::HalfSpace, _) | (_, Core::Point) => false,
        (Core::Segment { .. }, Core::Segment { .. }) => false,
        _ => true,
    }
}

/// Gap, normal and points of two shapes at two poses: [`proximity`] of [`find_feature`], the
/// frequent pairs in line. `last` is the feature pair found at a nearby state, or none.
#[inline(always)]
pub fn query<T: Real>(
    shape_1: &RoundedShape,
    pose_1: &Pose<T>,
    shape_2: &RoundedShape,
    pose_2: &Pose<T>,
    last: &Feature,
) -> Proximity<T> {
    let (r_1, r_2) = (shape_1.radius, shape_2.radius);
    match (&shape_1.core, &shape_2.core) {
        (Core::Point, Core::Point) => point::points(r_1, pose_1, r_2, pose_2),
        (Core::Box { half }, Core::Point) => point::box_and_point(half, r_1, pose_1, r_2, pose_2),
        (Core::Point, Core::Box { half }) => {
            point::box_and_point(half, r_2, pose_2, r_1, pose_1).swapped()
        }
        _ => query_other(shape_1, pose_1, shape_2, pose_2, last),
    }
}

/// [`query`] of a shape and a ball of the given radius [m]: the ball is 2, and the frequent shapes
/// are in line. `last` is as there.
#[inline(always)]
pub fn query_ball<T: Real>(
    shape: &RoundedShape,
    pose: &Pose<T>,
    radius: f64,
    ball: &Pose<T>,
    last: &Feature,
) -> Proximity<T> {
    match &shape.core {
        Core::Point => point::points(shape.radius, pose, radius, ball),
        Core::Box { half } => point::box_and_point(half, shape.radius, pose, radius, ball),
        Core::HalfSpace => point::to_half_space(shape.radius, pose, radius, ball),
        _ => query_other(
            shape,
            pose,
            &RoundedShape {
                core: Core::Point,
                radius,
            },
            ball,
            last,
        ),
    }
}

/// [`query`] of all pairs, as a function of its own: so the frequent ones keep a small stack frame
/// and few saved registers.
#[inline(never)]
fn query_other<T: Real>(
    shape_1: &RoundedShape,
    pose_1: &Pose<T>,
    shape_2: &RoundedShape,
    pose_2: &Pose<T>,
    last: &Feature,
) -> Proximity<T> {
    let feature = find_feature(shape_1, &pose_1.values(), shape_2, &pose_2.values(), last);
    proximity(shape_1, pose_1, shape_2, pose_2, &feature)
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
    let radii = shape_1.radius + shape_2.radius;
    match (&shape_1.core, &shape_2.core) {
        (Core::Box { half }, Core::Point) => point::distance_to_box(half, pose_1, pose_2) - radii,
        (Core::Point, Core::Box { half }) => point::distance_to_box(half, pose_2, pose_1) - radii,
        (Core::Point, Core::Point) => norm(&(pose_2.position - pose_1.position)) - radii,
        _ => query_other(shape_1, pose_1, shape_2, pose_2, last).gap,
    }
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
    if rank(&shape_1.core) <= rank(&shape_2.core) {
        ordered_feature(&shape_1.core, pose_1, &shape_2.core, pose_2, last)
    } else {
        ordered_feature(&shape_2.core, pose_2, &shape_1.core, pose_1, last)
    }
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
    if rank(&shape_1.core) <= rank(&shape_2.core) {
        ordered_proximity(shape_1, pose_1, shape_2, pose_2, feature)
    } else {
        ordered_proximity(shape_2, pose_2, shape_1, pose_1, feature).swapped()
    }
}

/// [`find_feature`] for cores in the order of [`rank`].
#[inline(always)]
fn ordered_feature(a: &Core, pose_a: &Pose, b: &Core, pose_b: &Pose, last: &Feature) -> Feature {
    match (a, b) {
        (Core::Point, Core::Point) => point::feature_to_point(pose_a, pose_b),
        (Core::Box { half }, Core::Point) => point::feature_to_box(half, pose_a, pose_b),
        (Core::HalfSpace, Core::Point) => Feature::Plane,
        _ => other_feature(a, pose_a, b, pose_b, last),
    }
}

/// [`ordered_feature`] of all but the frequent pairs: a function of its own, so that those keep a
/// small stack frame and few saved registers.
#[inline(never)]
fn other_feature(a: &Core, pose_a: &Pose, b: &Core, pose_b: &Pose, last: &Feature) -> Feature {
    match (a, b) {
        (Core::HalfSpace, Core::HalfSpace) => Feature::None,
        (Core::HalfSpace, _) => lowest::feature(pose_a, b, pose_b),
        (Core::Segment { half: a }, Core::Segment { half: b }) => {
            segments::feature(*a, pose_a, *b, pose_b)
        }
        (Core::Hull(_) | Core::Box { .. }, Core::Hull(_) | Core::Box { .. })
        | (Core::Hull(_) | Core::Box { .. }, Core::Segment { .. })
        | (Core::Hull(_), Core::Point) => polytope::feature(a, pose_a, b, pose_b, last),
        (_, Core::Point) => round::feature(a, pose_a, pose_b),
        _ => curved::feature(a, pose_a, b, pose_b, last),
    }
}

/// [`proximity`] for cores in the order of [`rank`].
#[inline(always)]
fn ordered_proximity<T: Real>(
    a: &RoundedShape,
    pose_a: &Pose<T>,
    b: &RoundedShape,
    pose_b: &Pose<T>,
    feature: &Feature,
) -> Proximity<T> {
    let (r_a, r_b) = (a.radius, b.radius);
    match (&a.core, &b.core) {
        (Core::Point, Core::Point) => point::to_point(r_a, pose_a, r_b, pose_b, feature),
        (Core::Box { half }, Core::Point) => point::to_box(half, r_a, pose_a, r_b, pose_b, feature),
        (Core::HalfSpace, Core::Point) => point::to_half_space(r_a, pose_a, r_b, pose_b),
        _ => other_proximity(a, pose_a, b, pose_b, feature),
    }
}

/// [`ordered_proximity`] of all but the frequent pairs, a function of its own for the same reason
/// as [`other_feature`].
#[inline(never)]
fn other_proximity<T: Real>(
    a: &RoundedShape,
    pose_a: &Pose<T>,
    b: &RoundedShape,
    pose_b: &Pose<T>,
    feature: &Feature,
) -> Proximity<T> {
    match feature {
        Feature::Lowest(lowest) => lowest::solve(a.radius, pose_a, b, pose_b, lowest),
        Feature::Round(part) => round::solve(a, pose_a, b.radius, pose_b, part),
        Feature::Segments(meeting) => segments::solve(a, pose_a, b, pose_b, meeting),
        Feature::Polytope(parts) => polytope::solve(a, pose_a, b, pose_b, parts),
        Feature::Curved(parts) => curved::solve(a, pose_a, b, pose_b, parts),
        _ => Proximity {
            gap: T::from(f64::INFINITY),
            normal_w: Vec3::x(),
            points_w: [pose_a.position, pose_b.position],
        },
    }
}

#[cfg(test)]
#[path = "../../tests/unit/narrow_phase/samples.rs"]
mod samples;
#[cfg(test)]
#[path = "../../tests/unit/narrow_phase/tests.rs"]
mod tests;
