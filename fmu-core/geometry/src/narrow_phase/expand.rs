//! Penetration depth of two overlapping convex sets by the expanding polytope algorithm (van den Bergen
//! 2001).
//!
//! Where the sets overlap, the origin lies in their Minkowski difference D (see [`gjk`](super::gjk)). A
//! polytope inside D grows from a tetrahedron: of its facets the one nearest to the origin is asked for the
//! corner of D farthest beyond it. If there is none, it lies on the surface of D and is the result. Otherwise
//! the facets visible from that corner are replaced by a fan about it. For polytopes this ends after finitely
//! many corners with a facet of D, exactly; for curved sets it ends at a tolerance.
//!
//! A facet keeps the unit normal n that points into D, so that n points from 1 to 2 and the offset n.w of its
//! corners is the signed gap along n. The polytope need not hold the origin: a facet with the origin outside
//! has a positive offset and is expanded first. So a flat start simplex with the origin on it to rounding
//! only needs four corners that span a volume.
//!
//! Storage has fixed size on the stack, small at first, large if that is full. If both are full (deep overlap
//! of hulls with hundreds of vertices) the result is the best translation found so far, which separates the
//! sets but may not be the shortest.

use crate::math::Vec3;
use crate::narrow_phase::gjk::{Corner, Corners};

#[derive(Clone, Copy, Debug)]
pub(super) struct Facet {
    /// Corners, ordered so that (c1 - c0) x (c2 - c0) is along the normal.
    pub corners: [Corner; 3],
    pub weights: [f64; 3],
    /// Unit normal from 1 to 2, frame of 1.
    pub(crate) normal: Vec3,
    /// Gap along the normal [m]: the signed distance of the sets after convergence, within the tolerance.
    pub offset: f64,
}

/// Depth of a corner beyond a facet, relative to the largest corner, that can be rounding.
const ROUNDING: f64 = 1e-15;
/// Distance from a facet's plane, relative to the largest corner, within which a corner counts as coplanar;
/// such facets are replaced, or a fan could get facets without area.
const COPLANAR: f64 = 1e-14;
/// Relative height below which a start simplex counts as flat.
const FLAT: f64 = 1e-7;

/// Capacities (facets, corners) of the first attempt, then of the second.
const SMALL: (usize, usize) = (64, 34);
const LARGE: (usize, usize) = (2048, 1026);

#[derive(Clone, Copy)]
struct OuterFace {
    normal: Vec3,
    /// n.w of the corners; minus infinity for a face never to be expanded.
    offset: f64,
    corners: [u16; 3],
    /// Face across the side from corner i to corner i + 1.
    neighbours: [u16; 3],
    alive: bool,
    visible: bool,
}

const NO_FACE: OuterFace = OuterFace {
    normal: Vec3::new(0.0, 0.0, 0.0),
    offset: f64::NEG_INFINITY,
    corners: [0; 3],
    neighbours: [0; 3],
    alive: false,
    visible: false,
};

struct ExpandingPolytope<const FACES: usize, const CORNERS: usize> {
    faces: [OuterFace; FACES],
    face_count: usize,
    /// Indices of removed faces, for reuse.
    free: [u16; FACES],
    free_count: usize,
    corners: [Corner; CORNERS],
    corner_count: usize,
    /// For each corner, the new face whose side on the horizon starts there.
    starting: [u16; CORNERS],
}

enum Start {
    /// Four corners that span a volume.
    Volume([Corner; 4]),
    /// The difference is flat, and this is it.
    Flat(Facet),
}

enum End {
    Found(Facet),
    Full(Facet),
}

/// Facet of the Minkowski difference nearest to the origin.
///
/// `start` holds corners of the difference whose hull contains the origin, as left by the distance search.
/// The search ends when no corner lies deeper beyond the nearest facet than `tolerance` of its offset, or
/// than rounding.
pub(super) fn nearest_facet(sets: &dyn Corners, start: &[Corner], tolerance: f64) -> Facet {
    let tetrahedron = match spanning_corners(sets, start) {
        Start::Volume(corners) => corners,
        Start::Flat(facet) => return facet,
    };
    match expand::<{ SMALL.0 }, { SMALL.1 }>(sets, &tetrahedron, tolerance) {
        End::Found(facet) => facet,
        End::Full(_) => match expand::<{ LARGE.0 }, { LARGE.1 }>(sets, &tetrahedron, tolerance) {
            End::Found(facet) | End::Full(facet) => facet,
        },
    }
}

#[inline(never)]
fn expand<const FACES: usize, const CORNERS: usize>(
    sets: &dyn Corners,
    tetrahedron: &[Corner; 4],
    tolerance: f64,
) -> End {
    let mut polytope = ExpandingPolytope::<FACES, CORNERS>::new(tetrahedron);
    let mut scale = tetrahedron
        .iter()
        .map(|corner| corner.difference.norm())
        .fold(0.0, f64::max);
    // The largest gap along the normal of any face so far: a translation that separates.
    let mut best: Option<(f64, Facet)> = None;
    for _ in 0..4 * CORNERS {
        let Some(index) = polytope.nearest() else {
            break;
        };
        let face = polytope.faces[index];
        let near = polytope.corners[face.corners[0] as usize].vertices;
        let corner = sets.corner(&face.normal, near);
        let reached = face.normal.dot(&corner.difference);
        scale = scale.max(corner.difference.norm());
        if best.as_ref().is_none_or(|(gap, _)| reached > *gap) {
            best = Some((reached, polytope.facet(index)));
        }
        let known = polytope.corners[..polytope.corner_count]
            .iter()
            .position(|old| old.is_same(&corner));
        let own = known.is_some_and(|known| face.corners.contains(&(known as u16)));
        let beyond = face.offset - reached;
        // NaN ends the search.
        let open = beyond > ROUNDING * scale && beyond > tolerance * face.offset.abs();
        if own || !open {
            return End::Found(polytope.facet(index));
        }
        if known.is_some() {
            // A face so narrow that its normal is rounding only.
            polytope.faces[index].offset = f64::NEG_INFINITY;
            continue;
        }
        match polytope.add(index, &corner, COPLANAR * scale) {
            Growth::Grown => (),
            Growth::Full => break,
            Growth::Torn => return End::Found(best.map_or(polytope.facet(index), |(_, f)| f)),
        }
    }
    End::Full(best.map_or_else(|| polytope.facet(0), |(_, facet)| facet))
}

enum Growth {
    Grown,
    Full,
    /// The horizon is not a simple ring: rounding decided about faces.
    Torn,
}

impl<const FACES: usize, const CORNERS: usize> ExpandingPolytope<FACES, CORNERS> {
    fn new(tetrahedron: &[Corner; 4]) -> Self {
        let [p, q, r, s] = tetrahedron;
        let mut polytope = ExpandingPolytope {
            faces: [NO_FACE; FACES],
            face_count: 4,
            free: [0; FACES],
            free_count: 0,
            corners: [*p; CORNERS],
            corner_count: 4,
            starting: [0; CORNERS],
        };
        for (place, corner) in polytope.corners.iter_mut().zip(tetrahedron) {
            *place = *corner;
        }
        // Normals point inwards: the face of p, q, r towards s.
        let (to_q, to_r, to_s) = (
            q.difference - p.difference,
            r.difference - p.difference,
            s.difference - p.difference,
        );
        if to_q.cross(&to_r).dot(&to_s) < 0.0 {
            polytope.corners.swap(1, 2);
        }
        let faces = [[0, 1, 2], [0, 2, 3], [0, 3, 1], [3, 2, 1]];
        let neighbours = [[2, 3, 1], [0, 3, 2], [1, 3, 0], [1, 0, 2]];
        for i in 0..4 {
            polytope.faces[i] = polytope.face(faces[i], neighbours[i]);
        }
        polytope
    }

    fn face(&self, corners: [u16; 3], neighbours: [u16; 3]) -> OuterFace {
        let [p, q, r] = corners.map(|corner| self.corners[corner as usize].difference);
        let normal = (q - p).cross(&(r - p));
        let length = normal.norm();
        let (normal, offset) = if length > 0.0 {
            let normal = normal / length;
            (normal, normal.dot(&p))
        } else {
            (Vec3::zeros(), f64::NEG_INFINITY)
        };
        OuterFace {
            normal,
            offset,
            corners,
            neighbours,
            alive: true,
            visible: false,
        }
    }

    /// The next face to expand: nearest to the origin, or with the origin outside.
    fn nearest(&self) -> Option<usize> {
        let mut best = None;
        let mut offset = f64::NEG_INFINITY;
        for (index, face) in self.faces[..self.face_count].iter().enumerate() {
            if face.alive && face.offset > offset {
                (best, offset) = (Some(index), face.offset);
            }
        }
        best
    }

    fn facet(&self, index: usize) -> Facet {
        let face = &self.faces[index];
        facet_of(
            face.corners.map(|corner| self.corners[corner as usize]),
            face.normal,
        )
    }

    /// Replaces the faces visible from `corner`, among them `seen`, by a fan about it.
    fn add(&mut self, seen: usize, corner: &Corner, tolerance: f64) -> Growth {
        if self.corner_count == CORNERS {
            return Growth::Full;
        }
        let apex = self.corner_count as u16;
        self.corners[self.corner_count] = *corner;
        self.corner_count += 1;
        let mut visible = [0u16; FACES];
        visible[0] = seen as u16;
        self.faces[seen].visible = true;
        let (mut count, mut next) = (1, 0);
        let mut horizon = 0;
        while next < count {
            let face = self.faces[visible[next] as usize];
            next += 1;
            for neighbour in face.neighbours {
                let other = &mut self.faces[neighbour as usize];
                if other.visible {
                    continue;
                }
                if other.normal.dot(&corner.difference) < other.offset + tolerance {
                    other.visible = true;
                    visible[count] = neighbour;
                    count += 1;
                } else {
                    horizon += 1;
                }
            }
        }
        if self.face_count + horizon > FACES + self.free_count {
            return Growth::Full;
        }
        self.fan(&visible[..count], apex)
    }

    /// Replaces the `visible` faces by faces from the horizon to `apex`.
    fn fan(&mut self, visible: &[u16], apex: u16) -> Growth {
        let mut first: Option<u16> = None;
        let mut sides = 0;
        for &index in visible {
            let face = self.faces[index as usize];
            for side in 0..3 {
                if !self.faces[face.neighbours[side] as usize].visible {
                    let start = face.corners[side];
                    self.starting[start as usize] = u16::MAX;
                    first = first.or(Some(start));
                    sides += 1;
                }
            }
        }
        let Some(first) = first else {
            return Growth::Torn;
        };
        for &index in visible {
            self.faces[index as usize].alive = false;
        }
        for &index in visible {
            let face = self.faces[index as usize];
            for side in 0..3 {
                let outer = face.neighbours[side];
                if self.faces[outer as usize].visible {
                    continue;
                }
                let (start, end) = (face.corners[side], face.corners[(side + 1) % 3]);
                let place = self.place();
                let old = index;
                self.faces[place as usize] = self.face([start, end, apex], [outer, 0, 0]);
                let outer = &mut self.faces[outer as usize];
                for back in 0..3 {
                    if outer.neighbours[back] == old && outer.corners[back] == end {
                        outer.neighbours[back] = place;
                    }
                }
                if self.starting[start as usize] != u16::MAX {
                    return Growth::Torn;
                }
                self.starting[start as usize] = place;
            }
        }
        // Once around the ring, linking each new face to the next.
        let mut start = first;
        for step in 1..=sides {
            let place = self.starting[start as usize];
            let Some(face) = self.faces.get(place as usize) else {
                return Growth::Torn;
            };
            let end = face.corners[1];
            let following = self.starting[end as usize];
            let Some(next) = self.faces.get_mut(following as usize) else {
                return Growth::Torn;
            };
            next.neighbours[2] = place;
            self.faces[place as usize].neighbours[1] = following;
            start = end;
            if (start == first) != (step == sides) {
                return Growth::Torn;
            }
        }
        for &index in visible {
            self.faces[index as usize].visible = false;
            self.free[self.free_count] = index;
            self.free_count += 1;
        }
        Growth::Grown
    }

    fn place(&mut self) -> u16 {
        if self.free_count > 0 {
            self.free_count -= 1;
            self.free[self.free_count]
        } else {
            self.face_count += 1;
            (self.face_count - 1) as u16
        }
    }
}

fn facet_of(corners: [Corner; 3], normal: Vec3) -> Facet {
    let [p, q, r] = corners.map(|corner| corner.difference);
    let offset = normal.dot(&p);
    let foot = normal * offset;
    let (p, q, r) = (p - foot, q - foot, r - foot);
    let areas = [
        normal.dot(&q.cross(&r)).max(0.0),
        normal.dot(&r.cross(&p)).max(0.0),
        normal.dot(&p.cross(&q)).max(0.0),
    ];
    let sum: f64 = areas.iter().sum();
    Facet {
        corners,
        weights: if sum > 0.0 {
            areas.map(|area| area / sum)
        } else {
            [1.0, 0.0, 0.0]
        },
        normal,
        offset,
    }
}

/// Four corners that span a volume, as many as possible from `start`; else the flat difference itself as a
/// facet.
fn spanning_corners(sets: &dyn Corners, start: &[Corner]) -> Start {
    let first = match start.first() {
        Some(corner) => *corner,
        None => sets.corner(&Vec3::x(), [0, 0]),
    };
    let p = first.difference;
    let axes = [Vec3::x(), Vec3::y(), Vec3::z()];
    let both = |direction: Vec3| [direction, -direction];

    let length = |corner: &Corner| (corner.difference - p).norm();
    let second = farthest_of(start.iter().copied(), length)
        .filter(|found| found.1 > FLAT * p.norm())
        .or_else(|| {
            let around = axes.into_iter().flat_map(both);
            farthest_of(around.map(|d| sets.corner(&d, first.vertices)), length)
        });
    let Some((second, extent)) = second.filter(|found| found.1 > 0.0) else {
        return Start::Flat(facet_of([first; 3], Vec3::x()));
    };
    let edge = (second.difference - p) / extent;

    let width = |corner: &Corner| edge.cross(&(corner.difference - p)).norm();
    let third = farthest_of(start.iter().copied(), width)
        .filter(|found| found.1 > FLAT * extent)
        .or_else(|| {
            let across = edge.cross(&axes[edge.abs().imin()]).normalize();
            let around = [across, edge.cross(&across)].into_iter().flat_map(both);
            farthest_of(around.map(|d| sets.corner(&d, first.vertices)), width)
        });
    let across = edge.cross(&axes[edge.abs().imin()]).normalize();
    let Some((third, width)) = third.filter(|found| found.1 > 0.0) else {
        return Start::Flat(facet_of([first, second, second], across));
    };
    let normal = edge.cross(&(third.difference - p)) / width;

    let height = |corner: &Corner| normal.dot(&(corner.difference - p)).abs();
    let fourth = farthest_of(start.iter().copied(), height)
        .filter(|found| found.1 > FLAT * width)
        .or_else(|| {
            let around = both(normal).into_iter();
            farthest_of(around.map(|d| sets.corner(&d, first.vertices)), height)
        });
    match fourth.filter(|found| found.1 > 0.0) {
        Some((fourth, _)) => Start::Volume([first, second, third, fourth]),
        None => Start::Flat(facet_of([first, second, third], normal)),
    }
}

/// First corner with the largest measure, and that measure.
fn farthest_of(
    corners: impl Iterator<Item = Corner>,
    measure: impl Fn(&Corner) -> f64,
) -> Option<(Corner, f64)> {
    let mut best: Option<(Corner, f64)> = None;
    for corner in corners {
        let size = measure(&corner);
        if best.as_ref().is_none_or(|(_, largest)| size > *largest) {
            best = Some((corner, size));
        }
    }
    best
}
