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
//! Storage has fixed size on the stack, small at first, larger where that is full. If the largest is full the
//! result is the best translation found so far, which separates the sets but may not be the shortest.

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

/// Capacities (facets, corners) at first, and where these are full.
const SMALL: (usize, usize) = (64, 34);
const MIDDLE: (usize, usize) = (256, 130);
const LARGE: (usize, usize) = (2048, 1026);

#[derive(Clone, Copy, Default)]
struct OuterFace {
    normal: Vec3,
    /// n.w of the corners; minus infinity for a face without area.
    offset: f64,
    corners: [u16; 3],
    /// Face across the side from corner i to corner i + 1.
    neighbours: [u16; 3],
    visible: bool,
}

/// Side of a face, from its corner `side` to the next.
#[derive(Clone, Copy, Default)]
struct FaceSide {
    face: u16,
    side: u16,
}

/// Side on the horizon: its ends, counter-clockwise seen from outside, and the face that stays there.
#[derive(Clone, Copy, Default)]
struct Rim {
    start: u16,
    end: u16,
    outer: FaceSide,
}

struct ExpandingPolytope<'a> {
    faces: &'a mut [OuterFace],
    /// Offsets of the faces; minus infinity for those removed or never to be expanded.
    ranks: &'a mut [f64],
    face_count: usize,
    /// Indices of removed faces, for reuse.
    free: &'a mut [u16],
    free_count: usize,
    /// Sides of visible faces still to be crossed.
    crossings: &'a mut [FaceSide],
    horizon: &'a mut [Rim],
    corners: &'a mut [Corner],
    corner_count: usize,
    /// Length of the largest corner [m].
    scale: f64,
    best: LargestGap,
}

/// The largest gap along the normal of any face so far: a translation that separates.
#[derive(Clone, Copy)]
struct LargestGap {
    gap: f64,
    normal: Vec3,
    corners: [u16; 3],
}

enum Start {
    /// Four corners that span a volume.
    Volume([Corner; 4]),
    /// The difference is flat, and this is it.
    Flat(Facet),
}

/// Polytope to begin with: a tetrahedron, or one that has filled its store.
enum Seed<'a> {
    Start(&'a [Corner; 4]),
    Full(&'a ExpandingPolytope<'a>),
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
    expand_in::<{ SMALL.0 }, { SMALL.1 }>(sets, Seed::Start(&tetrahedron), tolerance)
}

/// Expands a polytope in a store of this size, then in the next. Not inlined: large ones have a large stack
/// frame.
#[inline(never)]
fn expand_in<const FACES: usize, const CORNERS: usize>(
    sets: &dyn Corners,
    origin: Seed,
    tolerance: f64,
) -> Facet {
    let mut crossings = [[FaceSide::default(); 2]; CORNERS];
    let mut polytope = ExpandingPolytope {
        faces: &mut [OuterFace::default(); FACES],
        ranks: &mut [0.0; FACES],
        face_count: 0,
        free: &mut [0; FACES],
        free_count: 0,
        crossings: crossings.as_flattened_mut(),
        horizon: &mut [Rim::default(); FACES],
        corners: &mut [Corner::default(); CORNERS],
        corner_count: 0,
        scale: 0.0,
        best: LargestGap {
            gap: f64::NEG_INFINITY,
            normal: Vec3::zeros(),
            corners: [0, 1, 2],
        },
    };
    match origin {
        Seed::Start(tetrahedron) => polytope.begin(tetrahedron),
        Seed::Full(other) => polytope.copy(other),
    }
    let found = polytope.expand(sets, tolerance);
    found.unwrap_or_else(|| match FACES {
        faces if faces == SMALL.0 => {
            expand_in::<{ MIDDLE.0 }, { MIDDLE.1 }>(sets, Seed::Full(&polytope), tolerance)
        }
        faces if faces == MIDDLE.0 => {
            expand_in::<{ LARGE.0 }, { LARGE.1 }>(sets, Seed::Full(&polytope), tolerance)
        }
        _ => polytope.facet(polytope.best.corners, polytope.best.normal),
    })
}

enum Growth {
    Grown,
    Full,
    /// The horizon is not a simple ring: rounding decided about faces.
    Torn,
}

impl ExpandingPolytope<'_> {
    fn begin(&mut self, tetrahedron: &[Corner; 4]) {
        self.corners[..4].copy_from_slice(tetrahedron);
        self.corner_count = 4;
        let lengths = tetrahedron.iter().map(|corner| corner.difference.norm());
        self.scale = lengths.fold(0.0, f64::max);
        // Normals point inwards: the face of p, q, r towards s.
        let [to_q, to_r, to_s] =
            [1, 2, 3].map(|i| tetrahedron[i].difference - tetrahedron[0].difference);
        if to_q.cross(&to_r).dot(&to_s) < 0.0 {
            self.corners.swap(1, 2);
        }
        let faces = [[0, 1, 2], [0, 2, 3], [0, 3, 1], [3, 2, 1]];
        let neighbours = [[2, 3, 1], [0, 3, 2], [1, 3, 0], [1, 0, 2]];
        for i in 0..4 {
            self.put(i, faces[i], neighbours[i]);
        }
        self.face_count = 4;
        self.best.normal = self.faces[0].normal;
    }

    fn copy(&mut self, other: &ExpandingPolytope) {
        self.faces[..other.face_count].copy_from_slice(&other.faces[..other.face_count]);
        self.ranks[..other.face_count].copy_from_slice(&other.ranks[..other.face_count]);
        self.free[..other.free_count].copy_from_slice(&other.free[..other.free_count]);
        self.corners[..other.corner_count].copy_from_slice(&other.corners[..other.corner_count]);
        (self.face_count, self.free_count) = (other.face_count, other.free_count);
        self.corner_count = other.corner_count;
        (self.scale, self.best) = (other.scale, other.best);
    }

    /// The nearest facet, or the best translation where rounding ends the search; `None` if the store is full.
    fn expand(&mut self, sets: &dyn Corners, tolerance: f64) -> Option<Facet> {
        for _ in 0..4 * self.corners.len() {
            let Some(index) = self.nearest() else {
                break;
            };
            let face = self.faces[index];
            let own = face.corners.map(|c| self.corners[c as usize].vertices);
            let corner = sets.corner(&face.normal, own[0]);
            let reached = face.normal.dot(&corner.difference);
            self.scale = self.scale.max(corner.difference.norm());
            if reached > self.best.gap {
                self.best = LargestGap {
                    gap: reached,
                    normal: face.normal,
                    corners: face.corners,
                };
            }
            let beyond = face.offset - reached;
            // NaN ends the search.
            let open = beyond > ROUNDING * self.scale && beyond > tolerance * face.offset.abs();
            if !open || corner.is_vertex() && own.contains(&corner.vertices) {
                return Some(self.facet(face.corners, face.normal));
            }
            let mut corners = self.corners[..self.corner_count].iter();
            if corner.is_vertex() && corners.any(|old| old.vertices == corner.vertices) {
                // A face so narrow that its normal is rounding only.
                self.ranks[index] = f64::NEG_INFINITY;
                continue;
            }
            match self.add(index, &corner, COPLANAR * self.scale) {
                Growth::Grown => (),
                Growth::Full => return None,
                Growth::Torn => break,
            }
        }
        Some(self.facet(self.best.corners, self.best.normal))
    }

    fn put(&mut self, place: usize, corners: [u16; 3], neighbours: [u16; 3]) {
        let [p, q, r] = corners.map(|corner| self.corners[corner as usize].difference);
        let normal = (q - p).cross(&(r - p));
        let length = normal.norm();
        let (normal, offset) = if length > 0.0 {
            let normal = normal / length;
            (normal, normal.dot(&p))
        } else {
            (Vec3::zeros(), f64::NEG_INFINITY)
        };
        self.faces[place] = OuterFace {
            normal,
            offset,
            corners,
            neighbours,
            visible: false,
        };
        self.ranks[place] = offset;
    }

    /// The next face to expand: nearest to the origin, or with the origin outside; `None` if none may be.
    fn nearest(&self) -> Option<usize> {
        let ranks = &self.ranks[..self.face_count];
        let larger = |a: f64, b: f64| if b > a { b } else { a };
        // Four maxima side by side.
        let mut most = [f64::NEG_INFINITY; 4];
        let fours = ranks.chunks_exact(4);
        for (most, rank) in most.iter_mut().zip(fours.remainder()) {
            *most = larger(*most, *rank);
        }
        for four in fours {
            for i in 0..4 {
                most[i] = larger(most[i], four[i]);
            }
        }
        let most = larger(larger(most[0], most[1]), larger(most[2], most[3]));
        let found = ranks.iter().position(|rank| *rank == most);
        found.filter(|_| most > f64::NEG_INFINITY)
    }

    fn facet(&self, corners: [u16; 3], normal: Vec3) -> Facet {
        facet_of(corners.map(|corner| self.corners[corner as usize]), normal)
    }

    /// Replaces the faces visible from `corner`, among them `seen`, by a fan about it.
    fn add(&mut self, seen: usize, corner: &Corner, tolerance: f64) -> Growth {
        if self.corner_count == self.corners.len() {
            return Growth::Full;
        }
        let (visible, sides) = self.look(seen, &corner.difference, tolerance);
        let end = self.free_count + visible;
        if sides == 0 {
            return Growth::Torn;
        }
        if self.face_count - end + sides > self.faces.len() {
            for index in &self.free[self.free_count..end] {
                self.faces[*index as usize].visible = false;
            }
            return Growth::Full;
        }
        for index in &self.free[self.free_count..end] {
            self.ranks[*index as usize] = f64::NEG_INFINITY;
        }
        self.free_count = end;
        self.corners[self.corner_count] = *corner;
        self.corner_count += 1;
        self.fan(sides)
    }

    /// Collects the faces visible from a point behind the free ones, and the sides between them and the others
    /// in the order of the ring; returns their numbers. No side if rounding decided.
    ///
    /// Depth first, the sides of each face in turn: so one side of the horizon begins where the last ends.
    fn look(&mut self, seen: usize, point: &Vec3, tolerance: f64) -> (usize, usize) {
        let mut visible = 0;
        let mut see = |faces: &mut [OuterFace], index: u16| {
            faces[index as usize].visible = true;
            self.free[self.free_count + visible] = index;
            visible += 1;
        };
        let seen = seen as u16;
        see(self.faces, seen);
        for side in 0..3 {
            self.crossings[side] = FaceSide {
                face: seen,
                side: 2 - side as u16,
            };
        }
        let (mut crossing_count, mut sides) = (3, 0);
        while crossing_count > 0 {
            crossing_count -= 1;
            let FaceSide { face, side } = self.crossings[crossing_count];
            let from = &self.faces[face as usize];
            let outer = from.neighbours[side as usize];
            let (start, end) = (
                from.corners[side as usize],
                from.corners[NEXT[side as usize] as usize],
            );
            let other = &self.faces[outer as usize];
            if other.visible {
                continue;
            }
            let back = usize::from(other.corners[0] != end) + usize::from(other.corners[2] == end);
            if other.normal.dot(point) < other.offset + tolerance {
                see(self.faces, outer);
                for (k, side) in [NEXT[NEXT[back] as usize], NEXT[back]]
                    .into_iter()
                    .enumerate()
                {
                    self.crossings[crossing_count + k] = FaceSide { face: outer, side };
                }
                crossing_count += 2;
            } else {
                let Some(rim) = self.horizon.get_mut(sides) else {
                    return (visible, 0);
                };
                *rim = Rim {
                    start,
                    end,
                    outer: FaceSide {
                        face: outer,
                        side: back as u16,
                    },
                };
                sides += 1;
            }
        }
        (visible, sides)
    }

    /// Adds the faces from the horizon to the last corner.
    fn fan(&mut self, sides: usize) -> Growth {
        let apex = (self.corner_count - 1) as u16;
        let mut first = 0;
        let mut last = 0;
        for k in 0..sides {
            let Rim { start, end, outer } = self.horizon[k];
            let before = self.horizon[if k > 0 { k - 1 } else { sides - 1 }];
            let again = self.horizon[..k].iter().any(|rim| rim.start == start);
            if before.end != start || again {
                return Growth::Torn;
            }
            let place = self.place();
            self.put(place as usize, [start, end, apex], [outer.face, 0, last]);
            self.faces[outer.face as usize].neighbours[outer.side as usize] = place;
            if k > 0 {
                self.faces[last as usize].neighbours[1] = place;
            } else {
                first = place;
            }
            last = place;
        }
        self.faces[first as usize].neighbours[2] = last;
        self.faces[last as usize].neighbours[1] = first;
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

/// The corner or side after corner or side i of a face.
const NEXT: [u16; 3] = [1, 2, 0];

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

/// Four corners that span a volume, using corners of `start` where possible; otherwise the flat difference as
/// a facet.
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
