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

use crate::geometry::Core;
use crate::math::Vec3;
use crate::math::transcendental::hypot;
use crate::narrow_phase::curved::search::{Found, Pair};
use crate::narrow_phase::curved::strata::{Element, Stratum};

/// Whether a solution for overlapping cores is proven to be the shortest way out.
pub fn is_shortest(pair: &Pair, found: &Found) -> bool {
    let points = pair.points(&found.guess);
    let radius = |body: usize| {
        let part = &found.guess.parts[body];
        let core = pair.cores[body];
        match part.element(core) {
            // The other's point is over the face.
            Element::Face { .. } => {
                let over = pair.common(1 - body, &points[1 - body]);
                inner_radius(core, part, &pair.local(body, &over))
            }
            _ => inner_radius(core, part, &points[body]),
        }
    };
    radius(0) + radius(1) >= -found.gap
}

/// Radius [m] of a ball inside a core that touches its surface in x, a point of the stratum or over
/// it; zero where none is known.
fn inner_radius(core: &Core, part: &Stratum, x: &Vec3) -> f64 {
    let Stratum::Ends { ends, flat } = part else {
        return 0.0;
    };
    let radius: f64 = match core {
        Core::Ellipsoid { semi_axes } => semi_axes.min() * semi_axes.min() / semi_axes.max(),
        Core::Box { half } if ends.iter().filter(|end| **end == 0).count() == 2 => (0..3)
            .map(|i| {
                if ends[i] == 0 {
                    half[i] - x[i].abs()
                } else {
                    half[i]
                }
            })
            .fold(f64::INFINITY, f64::min),
        Core::Cylinder { radius, half } if *flat => half.min(radius - hypot(x.x, x.y)),
        Core::Cylinder { radius, half } if ends[2] == 0 => radius.min(half - x.z.abs()),
        Core::Beam {
            half,
            radius,
            half_thickness,
        } => {
            let across = radius - hypot(x.x, (x.z.abs() - half).max(0.0));
            let along = half_thickness - x.y.abs();
            match (ends[1], ends[2]) {
                _ if *flat => half_thickness.min(across),
                (0, 0) => radius.min(along).min(half - x.z.abs()),
                (0, _) => radius.min(along),
                _ => 0.0,
            }
        }
        _ => 0.0,
    };
    radius.max(0.0)
}
