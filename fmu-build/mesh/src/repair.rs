//! Repair of the triangles of a file to the closed, outward surface of a solid, with a record of the changes.
//!
//! 1. Equal vertices are merged. If edges stay open, also vertices within [`JOIN`] of the size.
//! 2. Degenerate and repeated triangles are dropped.
//! 3. Neighbours that run through their edge the same way are reversed, from triangle to triangle.
//! 4. The surface is reversed if it is inside out, then each separate component that is; a component inside
//!    out within another is a cavity and stays.
//!
//! Self-intersections are not tested: there the volume counts as often as it is enclosed.

use super::hull::{Surface, bounds};
use contact_geometry::math::Vec3;
use contact_geometry::math::real::atan2;
use contact_geometry::shapes::mass::surface_edges;
use std::collections::BTreeMap;

/// Distance within which vertices of an open surface are merged, relative to the largest coordinate [1]:
/// several roundings of single precision, below every feature.
pub(crate) const JOIN: f64 = 1e-6;
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
    /// Vertices merged within the tolerance, beside equal ones.
    pub joined: usize,
    /// Reversed triangles.
    pub turned: usize,
    /// Edges with an odd number of triangles; 0 for a closed surface.
    pub open_edges: usize,
    /// Components that share no edge, including cavities.
    pub components: usize,
    /// Components inside out within another.
    pub(crate) cavities: usize,
    /// Components within another that are not inside out, so that their volume counts twice.
    pub nested: usize,
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
    if surface_edges(&surface.triangles).open > 0 {
        let (joined, count) = join_near(&surface);
        let mut dropped = Repairs::default();
        let mut near = Surface {
            triangles: joined,
            vertices: surface.vertices.clone(),
        };
        clean(&mut near.triangles, &mut dropped);
        // Only where it helps.
        let open = |surface: &Surface| surface_edges(&surface.triangles).open;
        if open(&near) < open(&surface) {
            surface = near;
            repairs.joined = count;
            repairs.degenerate += dropped.degenerate;
            repairs.doubled += dropped.doubled;
        }
    }
    drop_unused(&mut surface);
    repairs.open_edges = surface_edges(&surface.triangles).open;
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
    let used: std::collections::BTreeSet<u32> =
        surface.triangles.iter().flatten().copied().collect();
    let largest = used
        .iter()
        .map(|v| surface.vertices[*v as usize].amax())
        .fold(0.0, f64::max);
    let tolerance = JOIN * largest;
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
type Side = (u32, u32, usize, bool);

fn sides(triangles: &[[u32; 3]]) -> Vec<Side> {
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

/// Steps 3 and 4 on a surface without open edges.
fn orient(surface: &mut Surface, repairs: &mut Repairs) -> Result<(), String> {
    let given = surface.triangles.clone();
    if surface_edges(&surface.triangles).turned > 0 {
        make_consistent(&mut surface.triangles);
        let turned = surface_edges(&surface.triangles).turned;
        if turned > 0 {
            return Err(format!(
                "has {turned} edges whose triangles cannot all face outwards (walls that meet in an edge, or a surface \
                 with one side); repair it in the program it comes from"
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
fn make_consistent(triangles: &mut [[u32; 3]]) {
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
