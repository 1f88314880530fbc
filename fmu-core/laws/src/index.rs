//! Index types, so that the index of a body cannot index shapes.
//!
//! The lists are [`TiVec`] or [`TiSlice`] of the index type. An index has 32 bits, a pair index 64: 93,000
//! balls have more pairs than 32 bits can number; other lists are far shorter. Indices are serialised as
//! numbers. States and event indicators are positions in vectors of the integrator and remain `usize`, like
//! indices used in one file only.

use serde::{Deserialize, Serialize};
use std::ops::Range;
pub use typed_index_collections::{TiSlice, TiVec, ti_vec};

/// The only conversion from a list position. One out of range becomes an index that no list has.
#[inline(always)]
fn checked(index: usize) -> u32 {
    debug_assert!(u32::try_from(index).is_ok(), "{index} is no index");
    u32::try_from(index).unwrap_or(u32::MAX)
}

macro_rules! indices {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        #[repr(transparent)]
        pub struct $name(u32);

        indices!(@places $name, checked);

        impl From<$name> for u32 {
            #[inline(always)]
            fn from(index: $name) -> u32 {
                index.0
            }
        }
    )*};
    (@places $name:ident, $checked:expr) => {
        impl $name {
            /// Index of the first entry.
            pub const FIRST: Self = $name(0);

            /// Index `places` later.
            #[inline(always)]
            pub fn plus(self, places: usize) -> Self {
                Self::from(usize::from(self) + places)
            }

            /// Index `places` earlier, which must exist.
            #[inline(always)]
            pub fn minus(self, places: usize) -> Self {
                Self::from(usize::from(self) - places)
            }
        }

        impl From<usize> for $name {
            #[inline(always)]
            fn from(index: usize) -> Self {
                $name($checked(index))
            }
        }

        impl From<$name> for usize {
            #[inline(always)]
            fn from(index: $name) -> usize {
                index.0 as usize
            }
        }
    };
}

indices! {
    /// Body of a scene.
    BodyId;
    /// Shape in contact detection: a convex part or a mesh that touches as it is; compounds have several.
    ShapeId;
    /// Frame of an evaluation: bodies, then shapes with their own frame.
    FrameId;
    /// Material used by shapes in contact detection.
    MaterialId;
    /// Contact law of a scene: of material pairs, then of named pairs.
    LawId;
    /// Law bound to the numbers of a model, shared by equal pairs.
    BoundLawId;
    /// Class of shapes that have the same law in contact with any third shape.
    SurfaceKindId;
    /// Prescribed force, or force input.
    ForceId;
    /// Prescribed motion, with its body.
    MotionId;
    /// Driven body.
    DrivenId;
    /// Parameter: a number of a scene that an importer may set.
    ParameterId;
    /// Input of a scene.
    InputId;
    /// Output other than states and contact.
    OutputId;
    /// Measured relative motion.
    MeasurementId;
    /// Pair of bodies or shapes named in a scene.
    NamedPairId;
    /// Report of a contact: pairs first, then sums over two bodies or shapes.
    ReportId;
    /// Sum over the contacts of two bodies or shapes.
    SumId;
    /// Pair with an intersection output.
    IntersectionId;
    /// Joint of a scene.
    JointId;
    /// Link in the order of states: free bodies, then joints; see `Scene::links` of `contact_model`.
    StateLinkId;
    /// Link in the order of evaluation: rigid links, then tree links, parents before children; see
    /// `Links::all` of `contact_model`.
    LinkId;
    /// Tree link, see `Links::of_trees` of `contact_model`.
    TreeLinkId;
    /// End stop of a joint.
    StopId;
    /// Latch of a joint.
    LatchId;
    /// Trigger: a monitored output.
    TriggerId;
    /// Part: links that act on each other until the next event.
    PartId;
    /// Mover of a shape, see `Travel` of `contact_model`; the first one is for everything fixed.
    MoverId;
    /// Shape as described, consisting of one or more convex parts.
    GroupId;
    /// Indicator slot: an event indicator of a pair.
    SlotId;
    /// Deflection of a contact, in the order of its states.
    DeflectionId;
    /// Pair in contact, in pair order; see `Contacts` of `contact_model`.
    ActiveId;
}

/// Index of a pair of shapes that can touch, see `Pairs` of `contact_model`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[repr(transparent)]
pub struct PairId(u64);

indices!(@places PairId, |index| index as u64);

impl BodyId {
    /// Frame of the body: body frames come first.
    #[inline(always)]
    pub fn frame(self) -> FrameId {
        FrameId(self.0)
    }
}

/// Indices of a range, in order.
#[inline(always)]
pub fn each<I>(range: Range<I>) -> impl ExactSizeIterator<Item = I> + DoubleEndedIterator + Clone
where
    I: From<usize> + Into<usize>,
{
    (range.start.into()..range.end.into()).map(I::from)
}
