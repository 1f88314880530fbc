//! The patch of a pair: its points of contact, each with gap, normal, witness points and weight.
//!
//! A routine with several points gives each an index below the capacity of the pair, the same at
//! every pose for the same part of the shapes (an end of a capsule, say): what a contact keeps in
//! time is kept by pair and index. A point that a pose does not have is left out. The weights, each
//! the share of the contact that the point is to carry, sum to 1. The nearest point of a patch is
//! that of a query.
//!
//! Points are passed to a function one by one, not stored in an array of the largest capacity: a
//! patch of one point then is a query and an inlined call, and writes nothing else.

use crate::geometry::RoundedShape;
use crate::math::{Pose, Real};
use crate::narrow_phase::routines::{PairRoutine, Routine};
use crate::narrow_phase::{Feature, Proximity};

impl PairRoutine {
    /// Largest number of points of a patch of the pair.
    pub fn capacity(self) -> usize {
        #[cfg(test)]
        if tests::has_ends(self) {
            return 2;
        }
        use Routine::{Box, Curved, Lowest, Never, Plane, Points, Polytope, Round, Segments};
        match self.routine {
            Never | Points | Box | Plane | Lowest | Round | Segments | Polytope | Curved => 1,
        }
    }

    /// Calls `visit` with index, point and weight [1] of each point of the patch of two shapes, in
    /// the order of the indices. The other arguments are those of [`Self::query`].
    #[inline(always)]
    pub fn for_each_point<T: Real>(
        self,
        shape_1: &RoundedShape,
        pose_1: &Pose<T>,
        shape_2: &RoundedShape,
        pose_2: &Pose<T>,
        last: &Feature,
        mut visit: impl FnMut(usize, &Proximity<T>, T),
    ) {
        #[cfg(test)]
        if tests::has_ends(self) {
            return tests::for_each_end(self, (shape_1, pose_1), (shape_2, pose_2), visit);
        }
        visit(
            0,
            &self.query(shape_1, pose_1, shape_2, pose_2, last),
            T::one(),
        );
    }
}

#[cfg(test)]
#[path = "../../tests/unit/narrow_phase/patch/tests.rs"]
pub(crate) mod tests;
