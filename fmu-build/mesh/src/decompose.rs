//! Convex decomposition: a closed surface is cut by planes until the hulls of the pieces exceed it by no more
//! than a fraction of its volume.
//!
//! The excess of a piece is the volume of its hull less its own. While the sum of them is above the
//! tolerance, the piece with the largest is cut, by the best of these planes:
//! - both faces at an edge whose solid angle is above 180 degrees (an inward edge), which cut a polyhedron
//!   into its exact parts, as an L into two boxes;
//! - the plane that halves the angle there, which cuts a ring across;
//! - planes normal to the axes of the piece.
//!
//! With a limit on the deviation of a hull from the mesh, pieces that exceed it are cut too, whatever their
//! volume: a thin lid over a hole has little.
//!
//! The best has the smallest excess of both parts afterwards, relative to that before; secondary criteria are
//! the remaining inward edges (length times angle), since a cut can be needed that gains nothing at first,
//! and unequal parts. A piece that falls apart is several. Finally pieces whose common hull has no more
//! volume than theirs are merged, and others, those that cost least, while there are more than allowed.
//!
//! All pieces together are the solid, so their hulls cover it; their excess volume is bounded by the sum of
//! the excesses and reported, with the farthest point. No voxels: faces stay in place to rounding. (Voxel
//! decompositions such as V-HACD miss an L of two boxes by 3 % of the volume at 64 voxels along the longest
//! edge, and by other cuts at other numbers.)
//!
//! # Deviation of a piece's hull
//!
//! The largest distance of a point of the hull's surface from the piece, by branch and bound:
//!
//! Two bounds hold over a triangle of the hull. The distance from a surface changes no faster than the point
//! moves: it is bounded by that at the centroid plus the distance of the farthest corner from there. And the
//! distance from one triangle of the surface is convex: it is bounded by that of a corner from the triangle
//! nearest to the centroid. The triangle with the highest bound is cut in four until its bound is near the
//! largest distance found.
//!
//! A common face may be triangulated differently in hull and piece. There both bounds are as large as patches
//! across edges of the piece, so a triangle of the hull is first compared with all triangles of the piece
//! that lie on it: see [`cover`].

use super::cut::{Plane, cut};
use super::hull::{compact, convex_hull, extent, hull_volume};
use super::repair::components;
use crate::hull::{Surface, bounds, distance_to_triangle, normal};
use contact_geometry::math::real::atan2;
use contact_geometry::math::{Mat3, Vec3};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};

/// Default maximum number of parts.
pub const MAX_PARTS: usize = 32;
/// Default excess of all parts, as a fraction of the volume [1].
pub const TOLERANCE: f64 = 0.01;

/// Distance from a plane within which a vertex lies on it [1], relative to the extent: above the rounding of
/// repeated cuts, below every feature.
const ON_PLANE: f64 = 1e-9;
/// Weight of the remaining inward edges, and of unequal parts.
const EDGE_WEIGHT: f64 = 0.3;
const BALANCE_WEIGHT: f64 = 0.05;
/// Advantage that a bisecting plane, or one normal to an axis, needs over a face.
const HALVING_BIAS: f64 = 0.01;
const AXIS_BIAS: f64 = 0.02;
/// Maximum number of triangles examined for each cut; bounds the time.
const WORK: usize = 300_000;
/// Range of the number of planes tried for each cut.
const PLANES: std::ops::RangeInclusive<usize> = 8..=32;
/// Number of vertices of a piece above which tentative cuts use hulls with a tolerance of this kind [1]: to
/// choose by, not to use.
const MANY: usize = 1000;
const COARSE: f64 = 1e-4;
/// Angle [rad] below which an inward edge is flat.
const FLAT_ANGLE: f64 = 1e-4;
/// Increase of the excess, as a fraction of the total volume, that counts as zero [1].
const NOTHING: f64 = 1e-9;

/// Limits of a decomposition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Maximum number of parts, >= 1.
    pub max_parts: usize,
    /// Maximum volume of the parts' hulls beyond the mesh, as a fraction of its volume [1]; >= 0.
    pub tolerance: f64,
    /// Maximum distance of a hull's points from the mesh [m], > 0; `None`: no limit.
    pub max_outside: Option<f64>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Piece {
    pub surface: Surface,
    /// Convex hull that represents it.
    pub hull: Surface,
    /// Volume of the hull in excess of the surface's [m3].
    pub excess: f64,
}

/// Cuts the solid inside a closed surface into nearly convex pieces; `tolerance` is that of hulls of its
/// vertices, relative to the extent. All pieces together are the solid, except for slivers without thickness.
pub(crate) fn decompose(surface: &Surface, tolerance: f64, limits: &Limits) -> Vec<Piece> {
    let whole = surface.volume();
    let scale = Scale {
        on_plane: ON_PLANE * extent(&surface.vertices),
        tolerance,
    };
    let mut open = scale.pieces(surface);
    let mut done: Vec<Piece> = Vec::new();
    loop {
        let total: f64 = open.iter().chain(&done).map(|piece| piece.excess).sum();
        if total <= limits.tolerance * whole || open.len() + done.len() >= limits.max_parts {
            break;
        }
        let largest = (0..open.len()).max_by(|one, two| {
            open[*one]
                .excess
                .total_cmp(&open[*two].excess)
                .then(two.cmp(one))
        });
        let Some(largest) = largest else {
            break;
        };
        let piece = open.remove(largest);
        match scale.split(&piece) {
            Some((below, above)) if piece.excess > NOTHING * whole => {
                open.extend(scale.pieces(&below));
                open.extend(scale.pieces(&above));
            }
            _ => done.push(piece),
        }
    }
    if let Some(most) = limits.max_outside {
        scale.cut_what_stands_out(&mut open, &mut done, whole, limits.max_parts, most);
    }
    done.extend(open);
    scale.put_together(&mut done, whole, limits.max_parts);
    done
}

/// Lengths that count as zero.
struct Scale {
    on_plane: f64,
    tolerance: f64,
}

struct InwardEdge {
    ends: [u32; 2],
    normals: [Vec3; 2],
    angle: f64,
}

impl Scale {
    /// Separate components of a surface as pieces; one if a component is a cavity. Slivers without thickness
    /// are left out.
    fn pieces(&self, surface: &Surface) -> Vec<Piece> {
        let mut groups: BTreeMap<usize, Vec<[u32; 3]>> = BTreeMap::new();
        for (triangle, component) in components(&surface.triangles).into_iter().enumerate() {
            let triangle = surface.triangles[triangle];
            groups.entry(component).or_default().push(triangle);
        }
        let groups = groups.into_values();
        let mut parts: Vec<Surface> = groups.map(|g| compact(&surface.vertices, &g)).collect();
        if parts.iter().any(|part| part.volume() < 0.0) {
            parts = vec![surface.clone()];
        }
        parts.into_iter().filter_map(|p| self.piece(p)).collect()
    }

    fn piece(&self, surface: Surface) -> Option<Piece> {
        let hull = convex_hull(&surface.vertices, self.tolerance).ok()?;
        let excess = (hull.volume() - surface.volume()).max(0.0);
        Some(Piece {
            surface,
            hull,
            excess,
        })
    }

    /// Cuts the pieces with hulls that deviate by more than `most` [m], the first ones first, within the
    /// maximum number.
    fn cut_what_stands_out(
        &self,
        open: &mut Vec<Piece>,
        done: &mut Vec<Piece>,
        whole: f64,
        max_parts: usize,
        most: f64,
    ) {
        let mut queue: VecDeque<Piece> = std::mem::take(open).into();
        while let Some(piece) = queue.pop_front() {
            let may_cut = queue.len() + done.len() + 1 < max_parts;
            let must_cut = piece.excess > NOTHING * whole && stands_out(&piece, most);
            match (may_cut && must_cut).then(|| self.split(&piece)).flatten() {
                Some((below, above)) => {
                    queue.extend(self.pieces(&below));
                    queue.extend(self.pieces(&above));
                }
                None => done.push(piece),
            }
        }
    }

    fn split(&self, piece: &Piece) -> Option<(Surface, Surface)> {
        let edges = inward_edges(&piece.surface);
        let count = WORK / piece.surface.triangles.len().max(1);
        let count = count.clamp(*PLANES.start(), *PLANES.end());
        let mut tried: Vec<(f64, Plane)> = Vec::new();
        for (plane, bias) in self.planes(piece, &edges, count) {
            if let Some(score) = self.score(piece, &edges, &plane) {
                tried.push((score + bias, plane));
            }
        }
        // Stable: of equal ones the first.
        tried.sort_by(|one, two| one.0.total_cmp(&two.0));
        let cuts = tried.iter();
        cuts.map(|(_, plane)| cut(&piece.surface, plane, self.on_plane))
            .find_map(|cut| cut)
    }

    /// Planes to try, each with its bias, those of the longest and sharpest inward edges first.
    fn planes(&self, piece: &Piece, edges: &[InwardEdge], count: usize) -> Vec<(Plane, f64)> {
        let vertices = &piece.surface.vertices;
        // Planes are the same where normal and offset are, to about a thousandth.
        let size = extent(vertices);
        let mut found: BTreeMap<[i64; 4], (f64, Plane, f64)> = BTreeMap::new();
        for edge in edges {
            let [p, q] = edge.ends.map(|v| vertices[v as usize]);
            let [one, two] = edge.normals;
            let weight = (q - p).norm() * edge.angle;
            let halving = (q - p).cross(&(one + two));
            for (normal, bias) in [(one, 0.0), (two, 0.0), (halving, HALVING_BIAS)] {
                let length = normal.norm();
                if length <= f64::MIN_POSITIVE {
                    continue;
                }
                let mut normal = normal / length;
                if normal[normal.iamax()] < 0.0 {
                    normal = -normal;
                }
                let offset = normal.dot(&((p + q) * 0.5));
                let [x, y, z]: [f64; 3] = normal.into();
                let key = [x, y, z, offset / size].map(|c| (c * 1e3).round() as i64);
                let plane = Plane { normal, offset };
                let entry = found.entry(key).or_insert((0.0, plane, bias));
                entry.0 += weight;
                if bias < entry.2 {
                    (entry.1, entry.2) = (plane, bias);
                }
            }
        }
        let mut found: Vec<(f64, Plane, f64)> = found.into_values().collect();
        found.sort_by(|one, two| two.0.total_cmp(&one.0));
        found.truncate(count);
        let mut planes: Vec<(Plane, f64)> = found.iter().map(|f| (f.1, f.2)).collect();
        let middle = vertices.iter().sum::<Vec3>() / vertices.len() as f64;
        let spread = vertices
            .iter()
            .map(|v| (v - middle) * (v - middle).transpose());
        let axes = spread.sum::<Mat3>().symmetric_eigen().eigenvectors;
        for axis in 0..3 {
            let normal: Vec3 = axes.column(axis).into();
            let along = vertices.iter().map(|v| normal.dot(v));
            let (low, high) = along.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), a| {
                (a.min(l), a.max(h))
            });
            let offset = 0.5 * (low + high);
            planes.push((Plane { normal, offset }, AXIS_BIAS));
        }
        planes
    }

    /// Score of a cut: 0 if both parts are convex, about 1 without a gain.
    fn score(&self, piece: &Piece, edges: &[InwardEdge], plane: &Plane) -> Option<f64> {
        let vertices = &piece.surface.vertices;
        let side = plane.sides(vertices, self.on_plane);
        if !side.contains(&1) || !side.contains(&-1) {
            return None;
        }
        let mut points = [Vec::new(), Vec::new()];
        for (vertex, side) in vertices.iter().zip(&side) {
            if *side <= 0 {
                points[0].push(*vertex);
            }
            if *side >= 0 {
                points[1].push(*vertex);
            }
        }
        for triangle in &piece.surface.triangles {
            for k in 0..3 {
                let (from, to) = (triangle[k], triangle[(k + 1) % 3]);
                // Each edge is met by two triangles, one each way.
                if from < to && side[from as usize] * side[to as usize] < 0 {
                    let meet = plane.meet(&vertices[from as usize], &vertices[to as usize]);
                    points[0].push(meet);
                    points[1].push(meet);
                }
            }
        }
        let tolerance = match vertices.len() > MANY {
            true => self.tolerance.max(COARSE),
            false => self.tolerance,
        };
        let [below, above] = points.map(|points| hull_volume(&points, tolerance));
        let excess = (below + above - piece.surface.volume()).max(0.0) / piece.excess;
        let weight = |edge: &InwardEdge| {
            let [p, q] = edge.ends.map(|v| vertices[v as usize]);
            (q - p).norm() * edge.angle
        };
        let on_plane = |edge: &&InwardEdge| edge.ends.iter().all(|v| side[*v as usize] == 0);
        let all: f64 = edges.iter().map(weight).sum();
        let gone: f64 = edges.iter().filter(on_plane).map(weight).sum();
        let left = if all > 0.0 { 1.0 - gone / all } else { 1.0 };
        let unequal = (below - above).abs() / (below + above);
        Some(excess + EDGE_WEIGHT * left + BALANCE_WEIGHT * unequal)
    }

    /// Merges pieces whose common hull costs nothing, and further ones while there are too many.
    fn put_together(&self, pieces: &mut Vec<Piece>, whole: f64, max_parts: usize) {
        loop {
            let mut best: Option<(f64, usize, usize)> = None;
            for one in 0..pieces.len() {
                for two in one + 1..pieces.len() {
                    let points: Vec<Vec3> = [one, two]
                        .iter()
                        .flat_map(|p| pieces[*p].hull.vertices.iter().copied())
                        .collect();
                    let own = pieces[one].hull.volume() + pieces[two].hull.volume();
                    let cost = hull_volume(&points, self.tolerance) - own;
                    if best.is_none_or(|(least, _, _)| cost < least) {
                        best = Some((cost, one, two));
                    }
                }
            }
            match best {
                Some((cost, one, two)) if cost <= NOTHING * whole || pieces.len() > max_parts => {
                    let second = pieces.remove(two);
                    let first = &pieces[one];
                    let mut surface = first.surface.clone();
                    let count = surface.vertices.len() as u32;
                    surface.vertices.extend(second.surface.vertices);
                    let triangles = second.surface.triangles.iter();
                    surface
                        .triangles
                        .extend(triangles.map(|t| t.map(|v| v + count)));
                    match self.piece(surface) {
                        Some(piece) => pieces[one] = piece,
                        None => return,
                    }
                }
                _ => return,
            }
        }
    }
}

/// Inward edges of a closed surface, among those with two triangles.
fn inward_edges(surface: &Surface) -> Vec<InwardEdge> {
    let mut sides: Vec<(u32, u32, usize)> = Vec::new();
    let mut normals = Vec::with_capacity(surface.triangles.len());
    for (index, triangle) in surface.triangles.iter().enumerate() {
        let [a, b, c] = surface.corners(triangle);
        normals.push(normal(&a, &b, &c).try_normalize(0.0));
        for k in 0..3 {
            let (from, to) = (triangle[k], triangle[(k + 1) % 3]);
            sides.push((from.min(to), from.max(to), index));
        }
    }
    sides.sort_unstable();
    let mut edges = Vec::new();
    for edge in sides.chunk_by(|one, two| (one.0, one.1) == (two.0, two.1)) {
        let [(from, to, one), (_, _, two)] = *edge else {
            continue;
        };
        let (Some(n), Some(m)) = (normals[one], normals[two]) else {
            continue;
        };
        let angle = atan2(n.cross(&m).norm(), n.dot(&m));
        // The corner of the other triangle lies above the plane of this one.
        let corner = surface.triangles[two]
            .iter()
            .find(|v| **v != from && **v != to);
        let height = corner.map_or(0.0, |corner| {
            let [corner, base] = [*corner, from].map(|v| surface.vertices[v as usize]);
            n.dot(&(corner - base))
        });
        if angle > FLAT_ANGLE && height > 0.0 {
            edges.push(InwardEdge {
                ends: [from, to],
                normals: [n, m],
                angle,
            });
        }
    }
    edges
}

/// Relative accuracy of the bound [1].
const NEAR: f64 = 0.1;
/// Relative accuracy for a hull that deviates more than allowed: users choose their limit by that number.
const CLOSE: f64 = 0.01;
/// Distance that counts as zero without a limit, as a fraction of the extent [1].
const SMALL: f64 = 1e-3;
/// Maximum number of points measured; bounds the time.
const POINTS: usize = 30_000;
/// Triangles of a piece that are clipped in the time of a point.
const CLIPS_PER_POINT: usize = 16;
/// Depth up to which a piece lies on its hull, as a fraction of the triangle's longest side [1]: files have
/// 32 bits, 6e-8 of the coordinates.
const ON_FACE: f64 = 1e-5;

struct Patch {
    bound: f64,
    corners: [Vec3; 3],
    /// Whether the triangle is one of the hull, not yet compared with the piece.
    is_whole: bool,
}

impl PartialEq for Patch {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Patch {}

impl PartialOrd for Patch {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Patch {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bound.total_cmp(&other.bound)
    }
}

/// Deviation of hulls from their pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Deviation {
    /// Largest distance found [m]: a lower bound.
    pub found: f64,
    pub bound: f64,
}

/// Distance of the hulls' points from their pieces, with the limit `most` [m]. The bound is within 10 % of
/// the largest distance found, or 1 % if that exceeds `most`, or the lesser of `most` and 1e-3 of `size` [m];
/// if that takes too many points, as along the edges of a wide flat dent, it is larger.
pub(crate) fn deviation<'a>(
    pieces: impl IntoIterator<Item = &'a Piece>,
    size: f64,
    most: Option<f64>,
) -> Deviation {
    let most = most.unwrap_or(f64::INFINITY);
    let enough = most.min(SMALL * size);
    let is_near = |bound: f64, best: f64| match best > most {
        true => bound <= (1.0 + CLOSE) * best,
        false => bound <= most && bound <= (1.0 + NEAR) * best,
    };
    let mut all = Deviation::default();
    for piece in pieces {
        let is_done = |bound, best| bound <= enough || is_near(bound, best);
        all.bound = all.bound.max(measure(piece, is_done, &mut all.found));
    }
    all
}

/// Returns true if a point of the hull may be farther from its piece than `most` [m], > 0. False is certain.
pub(crate) fn stands_out(piece: &Piece, most: f64) -> bool {
    measure(piece, |bound, best| bound <= most || best > most, &mut 0.0) > most
}

/// Bound for one piece [m] that satisfies `is_done` together with the largest distance found yet, `best` [m],
/// if the points suffice. It is irrelevant below `best`.
fn measure(piece: &Piece, is_done: impl Fn(f64, f64) -> bool, best: &mut f64) -> f64 {
    let mut left = POINTS;
    let surface = Nearest::new(&piece.surface);
    let mut patches: BinaryHeap<Patch> = BinaryHeap::new();
    let add = |corners: [Vec3; 3], is_whole, patches: &mut BinaryHeap<Patch>| {
        let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
        let (distance, [a, b, c]) = surface.find(&middle);
        let largest =
            |measure: &dyn Fn(&Vec3) -> f64| corners.iter().map(measure).fold(0.0, f64::max);
        let moved = distance + largest(&|corner| (corner - middle).norm());
        let bound = moved.min(largest(&|corner| distance_to_triangle(corner, &a, &b, &c)));
        patches.push(Patch {
            bound,
            corners,
            is_whole,
        });
        distance
    };
    for triangle in &piece.hull.triangles {
        *best = best.max(add(piece.hull.corners(triangle), true, &mut patches));
    }
    while let Some(patch) = patches.pop() {
        let Patch { bound, corners, .. } = patch;
        if is_done(bound, *best) || left < 4 {
            return bound.max(*best);
        }
        if patch.is_whole {
            left = left.saturating_sub(piece.surface.triangles.len() / CLIPS_PER_POINT);
            patches.push(Patch {
                bound: bound.min(cover(&piece.surface, &corners)),
                corners,
                is_whole: false,
            });
            continue;
        }
        left -= 4;
        let [a, b, c] = corners;
        let [ab, bc, ca] = [(a + b) * 0.5, (b + c) * 0.5, (c + a) * 0.5];
        for part in [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]] {
            *best = best.max(add(part, false, &mut patches));
        }
    }
    *best
}

/// Bound [m] of the distance of a hull's triangle from the triangles of a surface that lie on it: the depth
/// of the deepest, and s sqrt(m), s its longest side, m the fraction of its area that they leave free: around
/// a point as far as r from all of them the free part is at least as large as the triangle shrunk to that
/// point by r/s. Infinite for a triangle without an area. They do not overlap, except for folds as thin as
/// [`ON_FACE`].
fn cover(surface: &Surface, corners: &[Vec3; 3]) -> f64 {
    let [a, b, c] = corners;
    let across = normal(a, b, c);
    let Some(normal_w) = across.try_normalize(0.0) else {
        return f64::INFINITY;
    };
    let sides = [[a, b], [b, c], [c, a]];
    let inward = sides.map(|[from, to]| (from, normal_w.cross(&(to - from))));
    let longest = sides.map(|[from, to]| (to - from).norm());
    let longest = longest.into_iter().fold(0.0, f64::max);
    let (mut covered, mut deepest) = (0.0, 0.0_f64);
    for triangle in &surface.triangles {
        let triangle = surface.corners(triangle);
        if normal(&triangle[0], &triangle[1], &triangle[2]).dot(&normal_w) <= 0.0 {
            continue;
        }
        let clipped = inward
            .iter()
            .fold(triangle.to_vec(), |polygon, (from, inward)| {
                clip(&polygon, |point| inward.dot(&(point - *from)))
            });
        let depths = clipped.iter().map(|point| normal_w.dot(&(a - point)).abs());
        let depth = depths.fold(0.0, f64::max);
        if depth > ON_FACE * longest {
            continue;
        }
        deepest = deepest.max(depth);
        for pair in clipped.windows(2).skip(1) {
            let [first, second] = [pair[0] - clipped[0], pair[1] - clipped[0]];
            covered += first.cross(&second).dot(&normal_w);
        }
    }
    let free = (1.0 - covered / across.norm()).max(0.0);
    deepest + longest * free.sqrt()
}

/// Part of a convex polygon in which a linear function is not negative.
fn clip(polygon: &[Vec3], value: impl Fn(&Vec3) -> f64) -> Vec<Vec3> {
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (i, from) in polygon.iter().enumerate() {
        let to = &polygon[(i + 1) % polygon.len()];
        let [first, second] = [value(from), value(to)];
        if first >= 0.0 {
            kept.push(*from);
        }
        if (first < 0.0) != (second < 0.0) {
            kept.push(from + (to - from) * (first / (first - second)));
        }
    }
    kept
}

const LEAF: usize = 4;

/// Box of the tree with its triangles, followed by its halves.
struct SplitNode {
    lower: Vec3,
    upper: Vec3,
    /// Range of the triangles, in the order of the tree.
    first: usize,
    end: usize,
    /// Index of the second half; the first follows the node. `None` in a leaf.
    second: Option<usize>,
}

/// Triangles of a surface in a tree of boxes, for distance queries.
pub(crate) struct Nearest {
    triangles: Vec<[Vec3; 3]>,
    nodes: Vec<SplitNode>,
}

impl Nearest {
    pub(crate) fn new(surface: &Surface) -> Self {
        let triangles = surface.triangles.iter().map(|t| surface.corners(t));
        let mut nearest = Nearest {
            triangles: triangles.collect(),
            nodes: Vec::new(),
        };
        nearest.build(0, nearest.triangles.len());
        nearest
    }

    /// Adds the node of a range of triangles, halved at the median along the longest edge of its box.
    fn build(&mut self, first: usize, end: usize) {
        let range = &mut self.triangles[first..end];
        let (lower, upper) = bounds(range.as_flattened());
        let index = self.nodes.len();
        self.nodes.push(SplitNode {
            lower,
            upper,
            first,
            end,
            second: None,
        });
        if end - first > LEAF {
            let axis = (upper - lower).imax();
            let along = |t: &[Vec3; 3]| t[0][axis] + t[1][axis] + t[2][axis];
            range.sort_by(|one, two| along(one).total_cmp(&along(two)));
            let middle = (first + end) / 2;
            self.build(first, middle);
            self.nodes[index].second = Some(self.nodes.len());
            self.build(middle, end);
        }
    }

    /// Distance of a point from the nearest triangle, and that triangle; infinite without triangles.
    pub(crate) fn find(&self, point: &Vec3) -> (f64, [Vec3; 3]) {
        let (mut least, mut nearest) = (f64::INFINITY, [*point; 3]);
        let mut open = vec![0];
        while let Some(index) = open.pop() {
            let node = &self.nodes[index];
            if self.to_box(index, point) >= least {
                continue;
            }
            match node.second {
                None => {
                    for triangle in &self.triangles[node.first..node.end] {
                        let [a, b, c] = triangle;
                        let distance = distance_to_triangle(point, a, b, c);
                        if distance < least {
                            (least, nearest) = (distance, *triangle);
                        }
                    }
                }
                Some(second) => {
                    let first = index + 1;
                    // The nearer half last, to be looked at first.
                    if self.to_box(first, point) < self.to_box(second, point) {
                        open.extend([second, first]);
                    } else {
                        open.extend([first, second]);
                    }
                }
            }
        }
        (least, nearest)
    }

    fn to_box(&self, index: usize, point: &Vec3) -> f64 {
        let node = &self.nodes[index];
        let outside = (node.lower - point).sup(&(point - node.upper));
        outside.sup(&Vec3::zeros()).norm()
    }
}
