//! Gap, normal and points of all pairs of shapes against an independent oracle.
//!
//! - [`random`]: seeded numbers, directions and poses
//! - [`kind`]: which shapes there are
//! - [`solid`]: the shapes once more, from their outer definition
//! - [`oracle`]: certified global maximum of the separation function
//! - [`placing`]: two shapes whose gap and normal are known to rounding
//! - [`pairs`]: each pair of kinds at random poses
//! - [`tapered_capsule`]: tapered capsules against closed forms
//! - [`cases`]: pairs whose result others found
//! - [`contact_points`]: edges and faces that lie on each other
//! - [`noise`]: what an integrator feels
//! - [`invariance`]: swapped and moved pairs
//! - [`degenerate`]: coincident, parallel, contained, tiny beside huge
//! - [`derivatives`]: dual numbers against differences
//! - [`overlap`]: intersections of polyhedra
//! - [`cells`]: the patch of two bodies of cells
//! - [`ball`]: the patch of a ball and a mesh
//! - [`mesh`]: a mesh against other shapes
//! - [`allocations`]: that there are none
//! - [`counting`]: the allocator, which counts
//! - [`errors`]: the worst of many, and lists of failures

mod allocations;
mod ball;
mod cases;
mod cells;
mod contact_points;
mod counting;
mod degenerate;
mod derivatives;
mod errors;
mod invariance;
mod kind;
mod mesh;
mod noise;
mod oracle;
mod overlap;
mod pairs;
mod placing;
mod random;
mod solid;
mod tapered_capsule;
