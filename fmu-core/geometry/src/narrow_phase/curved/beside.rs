//! A face of a mesh beside a convex core that is no polyhedron: segment, cylinder, cone, beam, ellipsoid.
//!
//! The distance of a convex polygon and a convex core that are apart is
//! - the height over the face of the core's nearest point along the normal, where that lies over the face;
//! - else the least distance of an edge, a segment, from the core by [`curved`].
//!
//! A face has two sides; its nearest point sees a body inside the mesh from below.

use crate::math::{Mat3, Pose, Real, Vec3};
use crate::narrow_phase::curved::newton::{Frame, tangents};
use crate::narrow_phase::curved::{StratumPair, conditions, nearest, solve};
use crate::narrow_phase::proximity::Proximity;
use crate::shapes::mesh::cells::Cells;
use crate::shapes::{Core, RoundedShape, Segment};
use serde::{Deserialize, Serialize};

/// Edge of a face nearest to a core.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EdgeFeature {
    pub(in crate::narrow_phase) face: u32,
    /// Vertices of the cells.
    ends: [u32; 2],
    parts: StratumPair,
}

/// Core at a pose in the frame of the mesh.
#[derive(Clone, Copy)]
pub(in crate::narrow_phase) struct RoundCore<'a> {
    pub(in crate::narrow_phase) core: &'a Core,
    pub(in crate::narrow_phase) pose: &'a Pose,
}

/// Nearest edge of a face, `None` if the core is over or under the face, with its nearest point and the
/// shortest vector from there to the core, frame of the mesh.
pub(in crate::narrow_phase) struct NearPart {
    pub(in crate::narrow_phase) edge: Option<EdgeFeature>,
    pub(in crate::narrow_phase) point: Vec3,
    pub(in crate::narrow_phase) vector: Vec3,
}

impl RoundCore<'_> {
    /// Point farthest along a direction, frame of the mesh.
    fn farthest(&self, direction: &Vec3) -> Vec3 {
        let own = self.pose.rotation.tr_mul(direction);
        self.pose.position + self.pose.rotation * self.core.support(&own)
    }

    /// Nearest part of a face that it does not meet; `way` leads roughly from there to the core. `None` if
    /// they meet to rounding.
    pub(in crate::narrow_phase) fn nearest_of(
        &self,
        cells: &Cells,
        face: usize,
        way: &Vec3,
        last: Option<&EdgeFeature>,
    ) -> Option<NearPart> {
        let of = &cells.faces[face];
        let is_over = |x: &Vec3| {
            let corners = cells.corners(face);
            (0..corners.len()).all(|k| {
                let [a, b] = [k, (k + 1) % corners.len()].map(|k| &cells.vertex(corners[k]).point);
                of.normal.cross(&(b - a)).dot(&(x - a)) >= 0.0
            })
        };
        for side in [1.0, -1.0] {
            let toward = of.normal * side;
            let x = self.farthest(&-toward);
            let height = of.normal.dot(&x) - of.height;
            if height * side > 0.0 && is_over(&x) {
                return Some(NearPart {
                    edge: None,
                    point: x - of.normal * height,
                    vector: of.normal * height,
                });
            }
        }
        let way = way.normalize();
        let base = way.dot(&self.farthest(&-way));
        let mut best: Option<(f64, NearPart)> = None;
        let corners = cells.corners(face);
        for (k, start) in corners.iter().enumerate() {
            let ends = [*start, corners[(k + 1) % corners.len()]];
            let points = ends.map(|v| cells.vertex(v).point);
            let bound = base - way.dot(&points[0]).max(way.dot(&points[1]));
            if best.as_ref().is_some_and(|(least, _)| bound >= *least) {
                continue;
            }
            let (edge, pose) = segment(&points);
            let known = last
                .filter(|last| last.ends == ends)
                .map(|last| &last.parts);
            let parts = nearest(&edge, &pose, self.core, self.pose, known);
            let frame = Frame {
                position: pose.rotation.tr_mul(&(self.pose.position - pose.position)),
                rotation: pose.rotation.tr_mul(&self.pose.rotation),
            };
            let found = conditions([&edge, self.core], &frame, &parts);
            if found.gap <= 0.0 {
                return None;
            }
            if best.as_ref().is_none_or(|(least, _)| found.gap < *least) {
                let edge = EdgeFeature {
                    face: face as u32,
                    ends,
                    parts,
                };
                let part = NearPart {
                    edge: Some(edge),
                    // Edges that touch to rounding have no other.
                    point: pose.position + pose.rotation * found.point.unwrap_or_default(),
                    vector: pose.rotation * (found.normal * found.gap),
                };
                best = Some((found.gap, part));
            }
        }
        best.map(|(_, part)| part)
    }
}

/// Segment between two points as a core, and its pose.
fn segment(points: &[Vec3; 2]) -> (Core, Pose) {
    let half = (points[1] - points[0]) * 0.5;
    let length = half.norm();
    let axis = half / length;
    let [x, y] = tangents(&axis);
    let pose = Pose {
        position: (points[0] + points[1]) * 0.5,
        rotation: Mat3::from_columns(&[x, y, axis]),
    };
    (Core::Segment(Segment { half: length }), pose)
}

/// Gap, normal and points of an edge (1) and a core (2); `None` if the mesh has no such edge.
pub(in crate::narrow_phase) fn solve_edge<T: Real>(
    cells: &Cells,
    pose: &Pose<T>,
    other: &RoundedShape,
    other_pose: &Pose<T>,
    feature: &EdgeFeature,
) -> Option<Proximity<T>> {
    let [a, b] = feature.ends.map(|v| cells.vertices.get(v as usize));
    let (core, local) = segment(&[a?.point, b?.point]);
    let edge = RoundedShape { core, radius: 0.0 };
    let pose = pose.then(&local);
    Some(solve(&edge, &pose, other, other_pose, &feature.parts))
}
