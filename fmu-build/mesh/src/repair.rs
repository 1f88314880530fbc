//! Repair of the triangles of a file to the closed, outward surface of a solid, with a record of the changes.
//!
//! 1. Equal vertices are merged. If edges stay open, also vertices within [`JOIN`] of the size.
//! 2. Degenerate and repeated triangles are dropped.
//! 3. Triangles without area (a corner on the opposite side) are dropped, and triangles with a vertex on an
//!    open edge (a T-junction) are split there. No vertex moves.
//! 4. Neighbours that run through their edge the same way are reversed, from triangle to triangle.
//! 5. The surface is reversed if it is inside out, then each separate component that is; a component inside
//!    out within another is a cavity and stays.
//!
//! Where the surface crosses itself, the volume counts as often as it is enclosed.

use super::boxes::Boxes;
use super::hull::{Surface, bounds};
use contact_geometry::math::Vec3;
use contact_geometry::math::real::atan2;
use contact_geometry::shapes::mass::surface_edges;
use std::collections::{BTreeMap, BTreeSet};

/// Distance within which vertices of an open surface are merged, relative to the largest coordinate [1]:
/// several roundings of single precision, below every feature.
pub(crate) const JOIN: f64 = 1e-6;
/// Rounding of the coordinates of a mesh [1], relative to the largest of them: files have single precision,
/// 2^-24, and a vertex deviates by sqrt(3) of it to either side of a flat face.
pub(crate) const SINGLE: f64 = 1.0 / (1u32 << 22) as f64;
/// Number of vertices of a component that are tested for lying inside another.
const SAMPLES: usize = 16;

/// Record of the repairs.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Repairs {
    /// Triangles of the file.
    pub(crate) read: usize,
    /// Dropped triangles with a repeated corner.
    pub degenerate: usize,
    /// Dropped triangles with the same corners as another.
    pub doubled: usize,
    /// Vertices merged within the tolerance, without equal ones.
    pub joined: usize,
    /// Dropped triangles without area.
    pub flat: usize,
    /// Triangles split at vertices on their sides.
    pub split: usize,
    /// Reversed triangles.
    pub turned: usize,
    /// Edges with an odd number of triangles; 0 for a closed surface.
    pub open_edges: usize,
    /// Those with one triangle.
    pub lone_edges: usize,
    /// Vertices of one of them, of one with one triangle if there is any.
    pub open_at: Option<[u32; 2]>,
    /// Edges with more than two triangles.
    pub branched_edges: usize,
    /// Vertices of one of them.
    pub branched_at: Option<[u32; 2]>,
    /// Components that share no edge, including cavities.
    pub components: usize,
    /// Components inside out within another.
    pub(crate) cavities: usize,
    /// Components within another that are not inside out, so that their volume counts twice.
    pub nested: usize,
}

impl Repairs {
    /// Adds what was done to the triangles of the file before.
    pub(crate) fn add(&mut self, before: &Repairs) {
        self.read = before.read;
        self.degenerate += before.degenerate;
        self.doubled += before.doubled;
        self.joined += before.joined;
        self.flat += before.flat;
        self.split += before.split;
    }
}

/// Surface of a solid.
///
/// # Errors
/// Text for triangles at an edge that cannot face the same way.
pub(crate) fn repair(read: &Surface) -> Result<(Surface, Repairs), String> {
    let mut repairs = Repairs {
        read: read.triangles.len(),
        ..Repairs::default()
    };
    let mut surface = join_equal(read);
    clean(&mut surface.triangles, &mut repairs);
    let open = |surface: &Surface| surface_edges(&surface.triangles).open;
    if open(&surface) > 0 {
        let (joined, count) = join_near(&surface);
        let mut dropped = Repairs::default();
        let mut near = Surface {
            triangles: joined,
            vertices: surface.vertices.clone(),
        };
        clean(&mut near.triangles, &mut dropped);
        // Only where it helps.
        if open(&near) < open(&surface) {
            surface = near;
            repairs.joined = count;
            repairs.degenerate += dropped.degenerate;
            repairs.doubled += dropped.doubled;
        }
    }
    let flat = flat_triangles(&surface);
    for drop in [&flat[..], &[]] {
        if drop.is_empty() && open(&surface) == 0 {
            break;
        }
        let (triangles, split) = split_at_vertices(&surface, drop);
        let mut tried = Surface {
            triangles,
            vertices: surface.vertices.clone(),
        };
        let mut dropped = Repairs::default();
        clean(&mut tried.triangles, &mut dropped);
        let (before, after) = (open(&surface), open(&tried));
        if after < before || after == before && !drop.is_empty() {
            surface = tried;
            (repairs.flat, repairs.split) = (drop.len(), split);
            repairs.doubled += dropped.doubled;
            break;
        }
    }
    drop_unused(&mut surface);
    for edge in sides(&surface.triangles).chunk_by(|one, two| (one.0, one.1) == (two.0, two.1)) {
        let ends = Some([edge[0].0, edge[0].1]);
        if edge.len() % 2 == 1 {
            repairs.open_edges += 1;
            let is_first = repairs.lone_edges == 0;
            repairs.lone_edges += usize::from(edge.len() == 1);
            if repairs.open_at.is_none() || is_first && edge.len() == 1 {
                repairs.open_at = ends;
            }
        }
        if edge.len() > 2 {
            repairs.branched_edges += 1;
            repairs.branched_at = repairs.branched_at.or(ends);
        }
    }
    if repairs.open_edges == 0 {
        orient(&mut surface, &mut repairs)?;
    } else {
        repairs.components = count_components(&components(&surface.triangles));
    }
    Ok((surface, repairs))
}

/// Merges equal vertices, in the order of their first use.
fn join_equal(read: &Surface) -> Surface {
    let mut order: Vec<u32> = (0..read.vertices.len() as u32).collect();
    let key = |index: &u32| {
        let v = read.vertices[*index as usize];
        // Adding zero makes -0 to 0.
        [v.x + 0.0, v.y + 0.0, v.z + 0.0].map(f64::to_bits)
    };
    order.sort_by_key(|index| (key(index), *index));
    let mut first: Vec<u32> = vec![0; order.len()];
    for group in order.chunk_by(|one, two| key(one) == key(two)) {
        for index in group {
            first[*index as usize] = group[0];
        }
    }
    Surface {
        vertices: read.vertices.clone(),
        triangles: read
            .triangles
            .iter()
            .map(|t| t.map(|v| first[v as usize]))
            .collect(),
    }
}

/// Triangles with vertices merged within the tolerance, and the number of merged vertices.
fn join_near(surface: &Surface) -> (Vec<[u32; 3]>, usize) {
    let used: BTreeSet<u32> = surface.triangles.iter().flatten().copied().collect();
    let tolerance = JOIN * surface.largest();
    let mut cells: BTreeMap<[i64; 3], Vec<u32>> = BTreeMap::new();
    let mut representative: BTreeMap<u32, u32> = BTreeMap::new();
    for vertex in used {
        let position = surface.vertices[vertex as usize];
        let cell: [i64; 3] = (position / tolerance).map(|c| c.floor() as i64).into();
        let mut found = None;
        for neighbour in 0..27 {
            let at = [neighbour % 3, neighbour / 3 % 3, neighbour / 9];
            let key = [0, 1, 2].map(|k| cell[k] + at[k] - 1);
            for other in cells.get(&key).into_iter().flatten() {
                if (surface.vertices[*other as usize] - position).norm() <= tolerance {
                    found = found.min(Some(*other)).or(Some(*other));
                }
            }
        }
        match found {
            Some(other) => representative.insert(vertex, other),
            None => {
                cells.entry(cell).or_default().push(vertex);
                representative.insert(vertex, vertex)
            }
        };
    }
    let joined = representative.iter().filter(|(v, r)| v != r).count();
    let triangles = surface.triangles.iter();
    (
        triangles.map(|t| t.map(|v| representative[&v])).collect(),
        joined,
    )
}

/// Drops triangles with a repeated vertex, and those with the vertices of another.
fn clean(triangles: &mut Vec<[u32; 3]>, repairs: &mut Repairs) {
    let before = triangles.len();
    triangles.retain(|[a, b, c]| a != b && b != c && c != a);
    repairs.degenerate += before - triangles.len();
    // The smallest vertex first; what remains tells the way round.
    let rolled = |[a, b, c]: [u32; 3]| match a.min(b).min(c) {
        least if least == a => [a, b, c],
        least if least == b => [b, c, a],
        _ => [c, a, b],
    };
    let sorted = |[a, b, c]: [u32; 3]| [a, b.min(c), b.max(c)];
    let mut order: Vec<usize> = (0..triangles.len()).collect();
    let key = |index: &usize| sorted(rolled(triangles[*index]));
    order.sort_by_key(|index| (key(index), *index));
    let mut keep = vec![true; triangles.len()];
    for group in order.chunk_by(|one, two| key(one) == key(two)) {
        if group.len() < 2 {
            continue;
        }
        // Opposite ones bound nothing between them; of equal ones the first stays.
        let balance: i32 = group
            .iter()
            .map(|index| {
                let triangle = rolled(triangles[*index]);
                if triangle == sorted(triangle) { 1 } else { -1 }
            })
            .sum();
        let survivor = group.iter().find(|index| {
            let triangle = rolled(triangles[**index]);
            balance != 0 && (triangle == sorted(triangle)) == (balance > 0)
        });
        for index in group {
            keep[*index] = Some(index) == survivor;
        }
    }
    let before = triangles.len();
    let mut flags = keep.iter();
    triangles.retain(|_| flags.next().copied().unwrap_or(true));
    repairs.doubled += before - triangles.len();
}

/// Position along a side from `a` to `b`, from 0 to 1, of a point within `reach` of it and not of its ends.
fn along(point: &Vec3, [a, b]: [Vec3; 2], reach: f64) -> Option<f64> {
    let (side, offset) = (b - a, point - a);
    let length = side.norm();
    let distance = offset.dot(&side) / length;
    let is_between = distance > reach && length - distance > reach;
    let height = offset - side * (distance / length);
    (is_between && height.norm() <= reach).then_some(distance / length)
}

/// Triangles with a corner on the opposite side, up to rounding: in ascending order.
fn flat_triangles(surface: &Surface) -> Vec<usize> {
    let reach = SINGLE * surface.largest();
    let is_flat = |triangle: &[u32; 3]| {
        let [a, b, c] = surface.corners(triangle);
        [(a, b, c), (b, c, a), (c, a, b)]
            .iter()
            .any(|(a, b, c)| along(c, [*a, *b], reach).is_some())
    };
    let triangles = surface.triangles.iter().enumerate();
    triangles
        .filter(|(_, triangle)| is_flat(triangle))
        .map(|(index, _)| index)
        .collect()
}

/// Triangles but for those in `drop`, split at the vertices that lie on open edges, and the number of those
/// split.
fn split_at_vertices(surface: &Surface, drop: &[usize]) -> (Vec<[u32; 3]>, usize) {
    let reach = JOIN * surface.largest();
    let kept = surface.triangles.iter().enumerate();
    let kept = kept.filter(|(index, _)| drop.binary_search(index).is_err());
    let kept: Vec<[u32; 3]> = kept.map(|(_, triangle)| *triangle).collect();
    let sides = sides(&kept);
    let open = sides.chunk_by(|one, two| (one.0, one.1) == (two.0, two.1));
    let open: Vec<[u32; 2]> = open
        .filter(|edge| edge.len() % 2 == 1)
        .map(|edge| [edge[0].0, edge[0].1])
        .collect();
    let ends: BTreeSet<u32> = open.iter().flatten().copied().collect();
    let ends: Vec<u32> = ends.into_iter().collect();
    let at = |vertex: u32| surface.vertices[vertex as usize];
    let tree = Boxes::new(ends.iter().map(|vertex| [at(*vertex); 2]));
    // Vertices on each open edge, from its smaller end.
    let mut on: BTreeMap<[u32; 2], Vec<u32>> = BTreeMap::new();
    for edge in open {
        let corners = edge.map(at);
        let (lower, upper) = bounds(&corners);
        let mut found: Vec<(f64, u32)> = Vec::new();
        tree.visit([lower.add_scalar(-reach), upper.add_scalar(reach)], |k| {
            found.extend(along(&at(ends[k]), corners, reach).map(|share| (share, ends[k])));
        });
        found.sort_by(|one, two| one.0.total_cmp(&two.0).then(one.1.cmp(&two.1)));
        if !found.is_empty() {
            on.insert(edge, found.into_iter().map(|(_, vertex)| vertex).collect());
        }
    }
    let (mut triangles, mut count) = (Vec::with_capacity(kept.len()), 0);
    for triangle in kept {
        let before = triangles.len();
        let mut left = vec![triangle];
        while let Some([a, b, c]) = left.pop() {
            let turns = [[a, b, c], [b, c, a], [c, a, b]];
            let split = turns.iter().find_map(|[a, b, c]| {
                let mut chain = on.get(&[*a.min(b), *a.max(b)])?.clone();
                if a > b {
                    chain.reverse();
                }
                chain.insert(0, *a);
                chain.push(*b);
                (!chain.contains(c)).then_some((chain, *c))
            });
            match split {
                // A fan about the corner opposite to the side.
                Some((chain, c)) => left.extend(chain.windows(2).map(|ab| [ab[0], ab[1], c])),
                None => triangles.push([a, b, c]),
            }
        }
        count += usize::from(triangles.len() > before + 1);
    }
    (triangles, count)
}

fn drop_unused(surface: &mut Surface) {
    let mut numbers: Vec<u32> = vec![u32::MAX; surface.vertices.len()];
    let mut vertices = Vec::new();
    for vertex in surface.triangles.iter_mut().flatten() {
        let number = &mut numbers[*vertex as usize];
        if *number == u32::MAX {
            *number = vertices.len() as u32;
            vertices.push(surface.vertices[*vertex as usize]);
        }
        *vertex = *number;
    }
    surface.vertices = vertices;
}

/// Side of a triangle: its edge from the smaller vertex, the triangle, and whether it runs from the smaller
/// vertex.
pub(crate) type Side = (u32, u32, usize, bool);

pub(crate) fn sides(triangles: &[[u32; 3]]) -> Vec<Side> {
    let mut sides: Vec<Side> = Vec::with_capacity(3 * triangles.len());
    for (index, [a, b, c]) in triangles.iter().enumerate() {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            sides.push((*from.min(to), *from.max(to), index, from < to));
        }
    }
    sides.sort_unstable();
    sides
}

/// Component of each triangle: the smallest index of its triangles.
pub(crate) fn components(triangles: &[[u32; 3]]) -> Vec<usize> {
    let mut parent: Vec<usize> = (0..triangles.len()).collect();
    fn root(parent: &mut [usize], mut of: usize) -> usize {
        while parent[of] != of {
            parent[of] = parent[parent[of]];
            of = parent[of];
        }
        of
    }
    for edge in sides(triangles).chunk_by(|one, two| (one.0, one.1) == (two.0, two.1)) {
        for side in &edge[1..] {
            let (one, two) = (root(&mut parent, edge[0].2), root(&mut parent, side.2));
            let least = one.min(two);
            parent[one] = least;
            parent[two] = least;
        }
    }
    (0..triangles.len())
        .map(|triangle| root(&mut parent, triangle))
        .collect()
}

fn count_components(components: &[usize]) -> usize {
    let roots = components.iter().enumerate();
    roots.filter(|(index, root)| index == *root).count()
}

/// Steps 4 and 5 on a surface without open edges.
fn orient(surface: &mut Surface, repairs: &mut Repairs) -> Result<(), String> {
    let given = surface.triangles.clone();
    if surface_edges(&surface.triangles).turned > 0 {
        make_consistent(&mut surface.triangles);
        let turned = surface_edges(&surface.triangles).turned;
        if turned > 0 {
            let sides = sides(&surface.triangles);
            let mut edges = sides.chunk_by(|one, two| (one.0, one.1) == (two.0, two.1));
            let same_way =
                |edge: &&[Side]| 2 * edge.iter().filter(|side| side.3).count() != edge.len();
            let edge = edges.find(same_way).unwrap_or_default();
            let ends = [edge[0].0, edge[0].1].map(|vertex| surface.vertices[vertex as usize]);
            let [x, y, z] = ((ends[0] + ends[1]) * 0.5).into();
            return Err(no_common_side(
                edge.len(),
                &format!("({x}, {y}, {z}) in the file"),
            ));
        }
    }
    let components = components(&surface.triangles);
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (triangle, component) in components.iter().enumerate() {
        groups.entry(*component).or_default().push(triangle);
    }
    let groups: Vec<Vec<usize>> = groups.into_values().collect();
    repairs.components = groups.len();
    if surface.volume() < 0.0 {
        for triangle in &mut surface.triangles {
            triangle.swap(1, 2);
        }
    }
    if groups.len() > 1 {
        let shells: Vec<Shell> = groups.iter().map(|g| Shell::new(surface, g)).collect();
        for (index, group) in groups.iter().enumerate() {
            let inner = &shells[index];
            let inside = groups.iter().zip(&shells).any(|(around, outer)| {
                outer.may_hold(inner) && lies_inside(surface, group, around)
            });
            match (inner.volume < 0.0, inside) {
                (true, true) => repairs.cavities += 1,
                (false, true) => repairs.nested += 1,
                (true, false) => {
                    for triangle in group {
                        surface.triangles[*triangle].swap(1, 2);
                    }
                }
                (false, false) => {}
            }
        }
    }
    let same_way = |one: &[u32; 3], two: &[u32; 3]| {
        let [a, b, c] = *one;
        [[a, b, c], [b, c, a], [c, a, b]].contains(two)
    };
    let pairs = given.iter().zip(&surface.triangles);
    repairs.turned = pairs.filter(|(one, two)| !same_way(one, two)).count();
    Ok(())
}

/// Why the triangles at an edge cannot face the same way.
pub(crate) fn no_common_side(triangles: usize, at: &str) -> String {
    match triangles {
        2 => format!(
            "has one side only, like a Moebius strip: a way over the surface through the edge at {at} comes back below \
             it; cut it there in the program it comes from"
        ),
        _ => format!(
            "has an edge at {at} where {triangles} triangles meet, which cannot all face outwards; part the walls that \
             meet there in the program it comes from"
        ),
    }
}

/// Size and position of a component.
struct Shell {
    volume: f64,
    lower: Vec3,
    upper: Vec3,
}

impl Shell {
    fn new(surface: &Surface, group: &[usize]) -> Shell {
        let corners = || {
            group
                .iter()
                .map(|t| surface.corners(&surface.triangles[*t]))
        };
        let points: Vec<Vec3> = corners().flatten().collect();
        let (lower, upper) = bounds(&points);
        let middle = (lower + upper) * 0.5;
        let sixfold = corners().map(|corners| {
            let [a, b, c] = corners.map(|corner| corner - middle);
            a.dot(&b.cross(&c))
        });
        Shell {
            volume: sixfold.sum::<f64>() / 6.0,
            lower,
            upper,
        }
    }

    /// Returns true if the box of another fits into this one's; false for itself.
    fn may_hold(&self, other: &Shell) -> bool {
        let inside = self.lower.inf(&other.lower) == self.lower
            && self.upper.sup(&other.upper) == self.upper;
        inside && self.volume.abs() > other.volume.abs()
    }
}

/// Reverses triangles so that neighbours across edges of two triangles run through them in opposite
/// directions.
pub(crate) fn make_consistent(triangles: &mut [[u32; 3]]) {
    let sides = sides(triangles);
    let mut neighbours: Vec<Vec<(usize, bool)>> = vec![Vec::new(); triangles.len()];
    for edge in sides.chunk_by(|one, two| (one.0, one.1) == (two.0, two.1)) {
        if let [one, two] = edge {
            let agree = one.3 != two.3;
            neighbours[one.2].push((two.2, agree));
            neighbours[two.2].push((one.2, agree));
        }
    }
    let mut turned: Vec<Option<bool>> = vec![None; triangles.len()];
    for start in 0..triangles.len() {
        if turned[start].is_some() {
            continue;
        }
        turned[start] = Some(false);
        let mut open = vec![start];
        let mut seen = Vec::new();
        while let Some(triangle) = open.pop() {
            seen.push(triangle);
            let is_turned = turned[triangle] == Some(true);
            for (next, agree) in &neighbours[triangle] {
                if turned[*next].is_none() {
                    turned[*next] = Some(is_turned == *agree);
                    open.push(*next);
                }
            }
        }
        // The majority is right.
        let minority = seen.iter().filter(|t| turned[**t] == Some(true)).count();
        if 2 * minority > seen.len() {
            for triangle in seen {
                turned[triangle] = turned[triangle].map(|turned| !turned);
            }
        }
    }
    for (triangle, turned) in triangles.iter_mut().zip(turned) {
        if turned == Some(true) {
            triangle.swap(1, 2);
        }
    }
}

/// Returns true if sampled vertices of one group of triangles all lie inside another.
fn lies_inside(surface: &Surface, inner: &[usize], outer: &[usize]) -> bool {
    let step = inner.len().div_ceil(SAMPLES);
    inner.iter().step_by(step).all(|triangle| {
        let corner = surface.corners(&surface.triangles[*triangle])[0];
        let triangles = outer
            .iter()
            .map(|t| surface.corners(&surface.triangles[*t]));
        winding(&corner, triangles).abs() > 0.5
    })
}

/// Winding number of triangles about a point: their solid angle over 4 pi [Van Oosterom 1983].
pub(crate) fn winding(point: &Vec3, triangles: impl Iterator<Item = [Vec3; 3]>) -> f64 {
    let angle = |corners: [Vec3; 3]| {
        let [a, b, c] = corners.map(|corner| corner - point);
        let [x, y, z] = [a.norm(), b.norm(), c.norm()];
        let sine = a.dot(&b.cross(&c));
        let cosine = x * y * z + a.dot(&b) * z + b.dot(&c) * x + c.dot(&a) * y;
        2.0 * atan2(sine, cosine)
    };
    triangles.map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
}
