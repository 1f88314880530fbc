//! Islands: links that are stepped together over a window of time, independently of all others.
//!
//! Over a window [t0, t1] the links are divided into islands so that no pair of shapes of two islands touches
//! in it. That is known afterwards, not before: every shape has a reference motion, and its deviation, the
//! largest distance of its points from that, is bounded while the islands are stepped ([`division`]). A pair
//! whose gap along the reference motions exceeds both deviations has not touched. Otherwise the pair is
//! watched, its islands are merged, and they are stepped over the window again. Contacts within an island are
//! found as in one system: by event indicators, which are bounded over each step. So no contact is missed.
//!
//! The division affects where steps end, and so results within the tolerance. It is a function of the states,
//! the ledger and the window, and an island a function of its states: neither the order of islands nor
//! parallel execution enters.
//!
//! - [`division`]: links and pairs of each island over a window; free flight in closed form
//! - [`system`]: exchange of states between a [`System`](crate::dynamics::System) over an island and the
//!   whole system, and conditions under which contacts that start or end within a step need no event

pub mod division;
pub mod system;

pub(crate) use division::{Division, Island, Reference};
