//! Proof that a way out of an overlap is the shortest one.
//!
//! With D = {x1 - x2} the Minkowski difference, the depth is the distance of the origin from the
//! outside of D. Let a local solution have depth d along n, and let balls of radii r1 and r2 fit
//! into the cores so that they touch the surface from inside in the two contact points. Their
//! difference is a ball of radius r1 + r2 in D that touches the surface of D in the same point from
//! inside. If r1 + r2 >= d it holds the ball of radius d about the origin, so no way out is shorter
//! than d.
//!
//! The balls are simple lower bounds: of an ellipsoid the least radius of curvature, over faces and
//! laterals the distance to the other faces, zero at edges, on cones and on polyhedra.

use crate::narrow_phase::curved::search::{Found, Pair};
use crate::shapes::strata::{Element, Stratum};

/// Whether a solution for overlapping cores is proven to be the shortest way out.
pub fn is_shortest(pair: &Pair, found: &Found) -> bool {
    let points = pair.points(&found.guess);
    let radius = |body: usize| {
        // Of a polyhedron none is known.
        let Stratum::Ends(ends) = &found.guess.parts[body] else {
            return 0.0;
        };
        let x = match pair.element(&found.guess, body) {
            // The other's point is over the face.
            Element::Face { .. } => pair.local(body, &pair.common(1 - body, &points[1 - body])),
            _ => points[body],
        };
        pair.cores[body].solid().inner_radius(ends, &x).max(0.0)
    };
    radius(0) + radius(1) >= -found.gap
}
