//! Indices as types, so that the index of a body cannot index shapes.
//!
//! A list that one of them indexes is a [`TiVec`] or [`TiSlice`] of that type. An index has 32
//! bits, that of a pair 64: 93,000 balls have more pairs than 32 bits number, and all other lists
//! are far shorter. It is serialised as its number. States and event indicators are places in
//! vectors of the integrator and stay `usize`, and so do indices that one file alone knows.

use serde::{Deserialize, Serialize};
use std::ops::Range;
pub use typed_index_collections::{TiSlice, TiVec, ti_vec};

/// The only conversion from a place in a list. One that does not fit becomes an index that no list
/// has.
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
            /// That of the first entry.
            pub const FIRST: Self = $name(0);

            /// The index so many places on.
            #[inline(always)]
            pub fn plus(self, places: usize) -> Self {
                Self::from(usize::from(self) + places)
            }

            /// The index so many places before, which must be there.
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
    /// Shape in contact detection: a convex part, so a mesh or compound has several.
    ShapeId;
    /// Frame of an evaluation: bodies, then shapes with a frame of their own.
    FrameId;
    /// Material of a scene that shapes in contact detection have.
    MaterialId;
    /// Law of contact of a scene: those of pairs of materials, then those of named pairs.
    LawId;
    /// Law bound to the numbers of a model, for pairs that are alike.
    BoundLawId;
    /// What shapes share that have the same law in contact with a third one.
    SurfaceKindId;
    /// Prescribed force of a scene, or one that is an input.
    ForceId;
    /// Prescribed motion of a scene, and the body that moves so.
    MotionId;
    /// Driven body, among these.
    DrivenId;
    /// Number of a scene that an importer may set.
    ParameterId;
    /// Input of a scene.
    InputId;
    /// Output of a scene beside states and contact.
    OutputId;
    /// Relative motion that is an output.
    MeasurementId;
    /// Two bodies or shapes that a scene names together.
    NamedPairId;
    /// Report of a contact: of a pair, or behind these the sum over two bodies or shapes.
    ReportId;
    /// Sum over the contacts of two bodies or shapes, among these.
    SumId;
    /// Pair whose intersection is an output, among these.
    IntersectionId;
    /// Joint of a scene.
    JointId;
    /// Link in the order of the states: free bodies, then joints; see
    /// `Scene::links` of `contact_model`.
    StateLinkId;
    /// Link in the order of evaluation: rigid ones, then those of trees, parents before children;
    /// see `Links::all` of `contact_model`.
    LinkId;
    /// Link of a tree, `Links::of_trees` of `contact_model`.
    TreeLinkId;
    /// End stop of a joint.
    StopId;
    /// Latch of a joint.
    LatchId;
    /// Trigger of a scene: an output that is watched.
    TriggerId;
    /// Part: links that act on each other until the next event.
    PartId;
    /// What moves a shape, see `Travel` of `contact_model`; the first one is for
    /// all that never move.
    MoverId;
    /// Shape of the description in contact detection, of whatever convex parts it consists.
    GroupId;
    /// Indicator slot: an event indicator of a pair.
    SlotId;
    /// Deflection of a contact, in the order of their states.
    DeflectionId;
    /// Pair in contact, in pair order; see `Contacts` of `contact_model`.
    ActiveId;
}

/// Number of a pair of shapes that can touch, see `Pairs` of `contact_model`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[repr(transparent)]
pub struct PairId(u64);

indices!(@places PairId, |index| index as u64);

impl BodyId {
    /// The frame of the body: those of bodies come first.
    #[inline(always)]
    pub fn frame(self) -> FrameId {
        FrameId(self.0)
    }
}

/// The indices of a range, in order.
#[inline(always)]
pub fn each<I>(range: Range<I>) -> impl ExactSizeIterator<Item = I> + DoubleEndedIterator + Clone
where
    I: From<usize> + Into<usize>,
{
    (range.start.into()..range.end.into()).map(I::from)
}
