//! Indices as types, so that the index of a body cannot index shapes.
//!
//! A list that one of them indexes is a [`TiVec`] or [`TiSlice`] of that type. An index has 32 bits: a
//! scene with more pairs is refused when it is built, and all other lists are far shorter.

use serde::{Deserialize, Serialize};
use std::ops::Range;
pub use typed_index_collections::{TiSlice, TiVec, ti_vec};

/// The only conversion from a place in a list. One that does not fit becomes an index that no list has.
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

        impl $name {
            /// The index so many places on.
            #[inline(always)]
            pub fn plus(self, places: usize) -> Self {
                Self::from(usize::from(self) + places)
            }
        }

        impl From<usize> for $name {
            #[inline(always)]
            fn from(index: usize) -> Self {
                $name(checked(index))
            }
        }

        impl From<$name> for usize {
            #[inline(always)]
            fn from(index: $name) -> usize {
                index.0 as usize
            }
        }

        impl From<$name> for u32 {
            #[inline(always)]
            fn from(index: $name) -> u32 {
                index.0
            }
        }
    )*};
}

indices! {
    /// Number of a pair of shapes that can touch, see [`Pairs`](crate::scene::Pairs).
    PairId;
    /// Indicator slot: an event indicator of a pair.
    SlotId;
    /// Contact slot: room for a contact behind the indicator slot of its pair.
    ContactSlotId;
    /// Deflection of a contact, in the order of their states.
    DeflectionId;
    /// Pair in contact, in pair order: of the ledger and of [`Contacts`](crate::dynamics::contacts::Contacts).
    ActiveId;
    /// Contact of the pairs in contact, one after the other.
    ContactId;
}

/// The indices of a range, in order.
#[inline(always)]
pub fn each<I>(range: Range<I>) -> impl Iterator<Item = I> + Clone
where
    I: From<usize> + Into<usize>,
{
    (range.start.into()..range.end.into()).map(I::from)
}
