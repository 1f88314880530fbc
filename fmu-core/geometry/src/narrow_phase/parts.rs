//! A mesh and another core, part by part: the cells of a face, or an entire convex core.
//!
//! Where two bodies fit into each other their hulls overlap, but any two convex parts have a direction of their own
//! along which they are apart. With points x at depths d(x) of part a and y of part b, s the steepness of a mesh (1
//! for a convex core), and a unit vector n from a to b,
//!   h_a(n) = max over a of n.x + d/s,   gap >= -(h_a(n) + h_b(-n)),
//! if that is positive. The gap of two bodies is the least of all pairs of parts, unless one lies in the other below the
//! layer of a mesh. Below zero s times this, s of the steeper one, bounds the depth of parts with plane faces; below
//! reflex edges the sign alone is certain.

use crate::math::{Pose, Vec3};
use crate::narrow_phase::mesh::{Bodies, Convex, MeshFeature};
use crate::shapes::mesh::cells::Cells;
use crate::shapes::{Aabb, Core};
use std::iter::once;

/// Pairs of parts that a bound looks at: beyond, many smaller bounds of the bodies as a whole cost less.
const MOST_PAIRS: usize = 300;

impl<'a> Convex<'a> {
    /// h(n) [m] with n of any length > 0: times the length.
    pub fn highest(&self, n: &Vec3) -> f64 {
        match *self {
            Convex::Face(cells, face) => {
                let (s, length) = (cells.steepness, n.norm());
                cells.highest(face, &(n * (s / length))) * (length / s)
            }
            Convex::Core(core) => n.dot(&core.support(n)),
        }
    }

    /// Outward normals of a face and of those beside it, in the frame of its core; none of a convex core.
    ///
    /// That beside an edge mirrors that of the face: their sum is along the offset vector of the vertices, which is
    /// 1 along both, less its part along the edge.
    pub fn normals(&self) -> impl Iterator<Item = Vec3> + use<'a> {
        let of = |cells: &'a Cells, face: usize| {
            let (normal, corners) = (cells.faces[face].normal, cells.corners(face));
            let beside = (0..corners.len()).map(move |k| {
                let [one, other] = [k, (k + 1) % corners.len()].map(|k| cells.vertex(corners[k]));
                let edge = (other.point - one.point).normalize();
                let across = one.offset - edge * edge.dot(&one.offset);
                (across * (2.0 / across.norm_squared()) - normal).normalize()
            });
            once(normal).chain(beside)
        };
        let face = match *self {
            Convex::Face(cells, face) => Some(of(cells, face)),
            Convex::Core(_) => None,
        };
        face.into_iter().flatten()
    }
}

/// Least value of `bound` [m] over the pairs of parts of two cores, one a mesh, and `least` [m]: a lower bound of the
/// gap on a way that begins with that gap, on which no point comes nearer to the other core than by `travel` [m].
/// Minus infinity if the cores may overlap by a layer, or if more than [`MOST_PAIRS`] come near.
pub fn least_of_parts(
    cores: [&Core; 2],
    poses: [&Pose; 2],
    travel: f64,
    mut least: f64,
    mut bound: impl FnMut([Convex<'_>; 2]) -> f64,
) -> f64 {
    let [a, b] = match cores[0] {
        Core::Mesh(_) => [0, 1],
        _ => [1, 0],
    };
    let Core::Mesh(mesh) = cores[a] else {
        return f64::NEG_INFINITY;
    };
    let bodies = Bodies::new(mesh, poses[a], cores[b], poses[b]);
    let near = |boxes: &[Aabb; 2], least: f64| {
        // Boxes that meet bound no depth.
        match bodies.near(boxes, (least + travel).max(f64::MIN_POSITIVE))? {
            0.0 => Some(f64::NEG_INFINITY),
            distance => Some(distance - travel),
        }
    };
    let bound_of = |nodes, _, least| near(&bodies.cell_boxes(nodes), least);
    let mut pairs = 0;
    bodies.descend(
        least,
        bound_of,
        |_, _| true,
        |nodes, _, _| {
            let [ones, others] = bodies.faces(nodes);
            for faces in ones.flat_map(|one| others.clone().map(move |other| [one, other])) {
                if near(&bodies.face_boxes(faces), least).is_some() {
                    pairs += 1;
                    if pairs > MOST_PAIRS {
                        least = f64::NEG_INFINITY;
                        return least;
                    }
                    let parts = bodies.sets(faces);
                    least = least.min(bound([parts[a], parts[b]]));
                }
            }
            least
        },
    );
    let layer = MeshFeature::layer(None, cores).unwrap_or(0.0);
    match travel.is_finite() && least > -layer {
        true => least,
        false => f64::NEG_INFINITY,
    }
}
