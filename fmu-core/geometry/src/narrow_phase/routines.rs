//! Table of the routines that find the nearest features, by kinds of the two cores, and their calls.
//!
//! A routine takes its cores in the order of [`Kind`]. [`PairRoutine`] is the only entry: it is looked up in
//! [`ROUTINES`] once, for a query or for the lifetime of a pair, and exchanges the shapes if they come in the
//! other order.

use crate::math::{Pose, Real, norm};
use crate::narrow_phase::curved::{self, StratumPair};
use crate::narrow_phase::mesh::{self, MeshFeature};
use crate::narrow_phase::point::{self, BoxPart};
use crate::narrow_phase::polytope::{self, VertexPairs};
use crate::narrow_phase::proximity::Proximity;
use crate::narrow_phase::round::{self, RoundFeature};
use crate::narrow_phase::segments::{self, Meeting};
use crate::shapes::{Core, Cuboid, Kind, RoundedShape};
use Routine::{Box, Curved, Lowest, Mesh, Never, Plane, Points, Polytope, Round, Segments};
use serde::{Deserialize, Serialize};

/// Nearest parts of two shapes (feature pair).
///
/// The feature pair at a nearby state is the warm start of the next search; an unsuitable one, even of other
/// shapes, only costs time.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
pub enum Feature {
    /// Unknown.
    #[default]
    None,
    /// Two distinct points.
    Points,
    /// Two coincident points: the normal is +x by convention.
    CoincidentPoints,
    /// A point over a face of a box, or inside and nearest to it: axis and side, -1 or 1.
    Face(usize, f64),
    /// A point beside an edge or a corner of a box: its side along each axis, 0 where it lies between the
    /// faces. Two non-zero sides are an edge, three a corner.
    EdgeOrCorner([f64; 3]),
    /// A half-space and a point.
    Plane,
    /// A half-space and the lowest part of a core.
    Lowest,
    /// A point and a part of a round core.
    Round(RoundFeature),
    /// Two segments.
    Segments(Meeting),
    /// Two polytopes.
    Polytope(VertexPairs),
    /// Two cores, at least one curved.
    Curved(StratumPair),
    /// A mesh and another core.
    Mesh(MeshFeature),
}

impl Feature {
    /// Returns true if a search that starts from it, where it was found, finds it again.
    pub fn is_found_again(&self) -> bool {
        let Feature::Mesh(of) = self else {
            return false;
        };
        matches!(of, MeshFeature::Apart { .. } | MeshFeature::Overlap { .. })
    }
}

/// Method that finds the nearest features, gap, normal and points: closed form in [`point`] (the first four
/// with a finite gap) and [`segments`], closed form or one root in [`round`], a search in [`polytope`],
/// [`curved`] and [`mesh`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Routine {
    Never,
    Points,
    Box,
    Plane,
    Lowest,
    Round,
    Segments,
    Polytope,
    Curved,
    Mesh,
}

type Table = [[Routine; Kind::COUNT]; Kind::COUNT];

/// Pairs of kinds, in the order of [`Kind`], with a special routine. Other pairs use [`Lowest`] with a
/// half-space, [`Curved`] with two bounded cores.
#[rustfmt::skip]
const OWN: [(Kind, Kind, Routine); 16] = [
    (Kind::HalfSpace, Kind::HalfSpace, Never),
    (Kind::HalfSpace, Kind::Point,     Plane),
    (Kind::Hull,      Kind::Hull,      Polytope),
    (Kind::Hull,      Kind::Box,       Polytope),
    (Kind::Hull,      Kind::Segment,   Polytope),
    (Kind::Hull,      Kind::Point,     Polytope),
    (Kind::Box,       Kind::Box,       Polytope),
    (Kind::Box,       Kind::Segment,   Polytope),
    (Kind::Box,       Kind::Point,     Box),
    (Kind::Beam,      Kind::Point,     Round),
    (Kind::Cylinder,  Kind::Point,     Round),
    (Kind::Cone,      Kind::Point,     Round),
    (Kind::Ellipsoid, Kind::Point,     Round),
    (Kind::Segment,   Kind::Segment,   Segments),
    (Kind::Segment,   Kind::Point,     Round),
    (Kind::Point,     Kind::Point,     Points),
];

const ROUTINES: &Table = &{
    let mut table = [[Curved; Kind::COUNT]; Kind::COUNT];
    let mut i = 0;
    while i < Kind::COUNT {
        table[Kind::HalfSpace as usize][i] = Lowest;
        table[i][Kind::HalfSpace as usize] = Lowest;
        i += 1;
    }
    let mut i = Kind::Mesh as usize;
    while i < Kind::COUNT {
        table[Kind::Mesh as usize][i] = Mesh;
        table[i][Kind::Mesh as usize] = Mesh;
        i += 1;
    }
    let mut i = 0;
    while i < OWN.len() {
        let (a, b, routine) = OWN[i];
        assert!(a as usize <= b as usize, "a pair in the wrong order");
        table[a as usize][b as usize] = routine;
        table[b as usize][a as usize] = routine;
        i += 1;
    }
    table
};

impl Routine {
    fn uses_warm_start(self) -> bool {
        matches!(self, Polytope | Curved | Mesh)
    }

    #[inline(always)]
    fn find(self, a: &Core, pose_a: &Pose, b: &Core, pose_b: &Pose, last: &Feature) -> Feature {
        match (self, a) {
            (Points, _) if pose_a.position == pose_b.position => Feature::CoincidentPoints,
            (Points, _) => Feature::Points,
            (Box, Core::Box(Cuboid { half })) => match point::part_of_box(half, pose_a, pose_b) {
                BoxPart::Face(axis, side) => Feature::Face(axis, side),
                BoxPart::EdgeOrCorner(sides) => Feature::EdgeOrCorner(sides),
            },
            (Plane, _) => Feature::Plane,
            _ => self.find_other(a, pose_a, b, pose_b, last),
        }
    }

    /// [`Self::find`] of rare pairs: a separate function, so that frequent ones keep a small stack frame and
    /// few saved registers.
    #[inline(never)]
    fn find_other(
        self,
        a: &Core,
        pose_a: &Pose,
        b: &Core,
        pose_b: &Pose,
        last: &Feature,
    ) -> Feature {
        match self {
            Lowest => Feature::Lowest,
            Round => round::part(a, pose_a, pose_b).map_or(Feature::None, Feature::Round),
            Segments => Feature::Segments(segments::meeting(a, pose_a, b, pose_b)),
            Polytope => {
                let last = match last {
                    Feature::Polytope(last) => Some(last),
                    _ => None,
                };
                let found = polytope::nearest(a, pose_a, b, pose_b, last);
                found.map_or(Feature::None, Feature::Polytope)
            }
            Curved => {
                let last = match last {
                    Feature::Curved(last) => Some(last),
                    _ => None,
                };
                Feature::Curved(curved::nearest(a, pose_a, b, pose_b, last))
            }
            Mesh => {
                let Core::Mesh(shape) = a else {
                    return Feature::None;
                };
                let last = match last {
                    Feature::Mesh(last) => Some(last),
                    _ => None,
                };
                Feature::Mesh(mesh::nearest(shape, pose_a, b, pose_b, last))
            }
            Never | Points | Box | Plane => Feature::None,
        }
    }

    #[inline(always)]
    fn solve<T: Real>(
        self,
        a: &RoundedShape,
        pose_a: &Pose<T>,
        b: &RoundedShape,
        pose_b: &Pose<T>,
        feature: &Feature,
    ) -> Proximity<T> {
        let (r_a, r_b) = (a.radius, b.radius);
        match (self, &a.core) {
            (Points, _) => {
                let coincident = *feature == Feature::CoincidentPoints;
                point::to_point(r_a, pose_a, r_b, pose_b, coincident)
            }
            (Box, Core::Box(Cuboid { half })) => {
                let part = match feature {
                    Feature::Face(axis, side) => Some(BoxPart::Face(*axis, *side)),
                    Feature::EdgeOrCorner(sides) => Some(BoxPart::EdgeOrCorner(*sides)),
                    _ => None,
                };
                point::to_box(half, r_a, pose_a, r_b, pose_b, part)
            }
            (Plane, _) => point::to_half_space(r_a, pose_a, r_b, pose_b),
            _ => solve_other(a, pose_a, b, pose_b, feature),
        }
    }
}

/// [`Routine::solve`] of rare pairs, separate like [`Routine::find_other`]. The feature has the name of its
/// routine.
#[inline(never)]
fn solve_other<T: Real>(
    a: &RoundedShape,
    pose_a: &Pose<T>,
    b: &RoundedShape,
    pose_b: &Pose<T>,
    feature: &Feature,
) -> Proximity<T> {
    match feature {
        Feature::Lowest => point::lowest(a.radius, pose_a, b, pose_b),
        Feature::Round(part) => round::solve(a, pose_a, b.radius, pose_b, part),
        Feature::Segments(meeting) => segments::solve(a, pose_a, b, pose_b, meeting),
        Feature::Polytope(parts) => polytope::solve(a, pose_a, b, pose_b, parts),
        Feature::Curved(parts) => curved::solve(a, pose_a, b, pose_b, parts),
        Feature::Mesh(parts) => mesh::solve(a, pose_a, b, pose_b, parts),
        _ => Proximity::never(pose_a, pose_b),
    }
}

/// Routine of two shapes and the order in which it takes them, known before any pose. Its methods take the
/// shapes it was made for, in that order; results for others are meaningless.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairRoutine {
    routine: Routine,
    /// The routine takes shape 2 first.
    swapped: bool,
}

impl PairRoutine {
    /// Routine for shapes 1 and 2 of these kinds.
    #[inline(always)]
    pub fn of(kind_1: Kind, kind_2: Kind) -> Self {
        PairRoutine {
            routine: ROUTINES[kind_1 as usize][kind_2 as usize],
            swapped: kind_1 > kind_2,
        }
    }

    /// Returns true if the routine is a search that uses a warm start.
    #[inline(always)]
    pub fn uses_warm_start(self) -> bool {
        self.routine.uses_warm_start()
    }

    /// Gap [m] of two balls, the most frequent shapes, with this sum of radii [m]; `None` for any other pair.
    #[inline(always)]
    pub fn gap_of_balls(self, radii: f64, pose_1: &Pose, pose_2: &Pose) -> Option<f64> {
        let distance = || norm(&(pose_2.position - pose_1.position));
        (self.routine == Points).then(|| distance() - radii)
    }

    /// Gap, normal and points of two balls with these radii [m]; `None` for any other pair.
    #[inline(always)]
    pub fn query_balls<T: Real>(
        self,
        radii: [f64; 2],
        pose_1: &Pose<T>,
        pose_2: &Pose<T>,
    ) -> Option<Proximity<T>> {
        (self.routine == Points).then(|| point::points(radii[0], pose_1, radii[1], pose_2))
    }

    /// See [`find_feature`](crate::narrow_phase::find_feature).
    #[inline(always)]
    pub fn find_feature(
        self,
        shape_1: &RoundedShape,
        pose_1: &Pose,
        shape_2: &RoundedShape,
        pose_2: &Pose,
        last: &Feature,
    ) -> Feature {
        let (core_1, core_2) = (&shape_1.core, &shape_2.core);
        if self.swapped {
            self.routine.find(core_2, pose_2, core_1, pose_1, last)
        } else {
            self.routine.find(core_1, pose_1, core_2, pose_2, last)
        }
    }

    /// See [`proximity`](crate::narrow_phase::proximity).
    #[inline(always)]
    pub fn proximity<T: Real>(
        self,
        shape_1: &RoundedShape,
        pose_1: &Pose<T>,
        shape_2: &RoundedShape,
        pose_2: &Pose<T>,
        feature: &Feature,
    ) -> Proximity<T> {
        if self.swapped {
            let near = self
                .routine
                .solve(shape_2, pose_2, shape_1, pose_1, feature);
            near.swapped()
        } else {
            self.routine
                .solve(shape_1, pose_1, shape_2, pose_2, feature)
        }
    }

    /// See [`query`](crate::narrow_phase::query).
    #[inline(always)]
    pub fn query<T: Real>(
        self,
        shape_1: &RoundedShape,
        pose_1: &Pose<T>,
        shape_2: &RoundedShape,
        pose_2: &Pose<T>,
        last: &Feature,
    ) -> Proximity<T> {
        let (r_1, r_2) = (shape_1.radius, shape_2.radius);
        match (self.routine, &shape_1.core, &shape_2.core) {
            (Points, ..) => point::points(r_1, pose_1, r_2, pose_2),
            (Box, Core::Box(Cuboid { half }), _) => {
                point::box_and_point(half, r_1, pose_1, r_2, pose_2)
            }
            (Box, _, Core::Box(Cuboid { half })) => {
                point::box_and_point(half, r_2, pose_2, r_1, pose_1).swapped()
            }
            (Plane, Core::HalfSpace, _) => point::to_half_space(r_1, pose_1, r_2, pose_2),
            (Segments, ..) => segments::query(shape_1, pose_1, shape_2, pose_2),
            _ => self.query_other(shape_1, pose_1, shape_2, pose_2, last),
        }
    }

    /// [`Self::query`] of rare pairs, separate like [`Routine::find_other`].
    #[inline(never)]
    fn query_other<T: Real>(
        self,
        shape_1: &RoundedShape,
        pose_1: &Pose<T>,
        shape_2: &RoundedShape,
        pose_2: &Pose<T>,
        last: &Feature,
    ) -> Proximity<T> {
        let poses = (&pose_1.values(), &pose_2.values());
        let feature = self.find_feature(shape_1, poses.0, shape_2, poses.1, last);
        self.proximity(shape_1, pose_1, shape_2, pose_2, &feature)
    }

    /// See [`gap`](crate::narrow_phase::gap) [m]. `last` is called only if the routine searches.
    #[inline(always)]
    pub fn gap<'a>(
        self,
        shape_1: &RoundedShape,
        pose_1: &Pose,
        shape_2: &RoundedShape,
        pose_2: &Pose,
        last: impl FnOnce() -> &'a Feature,
    ) -> f64 {
        let radii = shape_1.radius + shape_2.radius;
        match (self.routine, &shape_1.core, &shape_2.core) {
            (Points, ..) => norm(&(pose_2.position - pose_1.position)) - radii,
            (Box, Core::Box(Cuboid { half }), _) => {
                point::distance_to_box(half, pose_1, pose_2) - radii
            }
            (Box, _, Core::Box(Cuboid { half })) => {
                point::distance_to_box(half, pose_2, pose_1) - radii
            }
            (Plane, Core::HalfSpace, _) => {
                point::to_half_space(shape_1.radius, pose_1, shape_2.radius, pose_2).gap
            }
            (Segments, ..) => segments::query(shape_1, pose_1, shape_2, pose_2).gap,
            _ => {
                self.query_other(shape_1, pose_1, shape_2, pose_2, last())
                    .gap
            }
        }
    }
}
