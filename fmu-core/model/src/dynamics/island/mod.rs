//! Islands: links that are stepped together over a window of time, apart from all others.
//!
//! Over a window [t0, t1] the links are divided into islands so that no pair of shapes of two
//! islands touches in it. That is known afterwards, not before: every shape has a reference motion,
//! and its deviation, the largest distance of its points from that, is bounded while the islands are
//! stepped ([`division`]). A pair whose gap along the reference motions exceeds both deviations
//! has not touched. Where it may have, the pair is watched, its islands become one, and they are
//! stepped over the window again ([`division`]). What is watched in an island is found as in one
//! system: by event indicators, which are bounded over each step. So no contact is missed.
//!
//! Which links are in one island influences where steps end, and so results by no more than the
//! tolerance. The division is a function of the states, the ledger and the window, and an island of
//! its own states: neither the order of islands nor what runs beside it enters.
//!
//! - [`division`]: which links and pairs make an island over a window; free flight in closed form
//! - [`system`]: what a [`System`](crate::dynamics::System) over an island takes from the whole, what the
//!   whole takes from islands, and when contacts that start or end within a step need no event

pub mod division;
pub mod system;

pub(crate) use division::{Division, Island, Reference};
