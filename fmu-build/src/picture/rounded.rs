//! Surfaces of convex polyhedra swept by a ball: each face moved outwards by the radius, a strip of
//! a cylinder along each edge, a piece of the sphere at each corner.

use super::surface::{Surface, angle_of, pieces};
use contact_geometry::math::Vec3;
use contact_geometry::math::transcendental::sin;
use std::collections::BTreeMap;

/// A convex polyhedron.
pub(super) struct Polyhedron {
    /// Corners [m].
    pub vertices: Vec<Vec3>,
    /// Outward unit normal of each face and its corners, counter-clockwise seen from outside.
    pub faces: Vec<(Vec3, Vec<u32>)>,
}

/// The surface of a polyhedron swept by a ball of this radius [m], within `tolerance` [m].
pub(super) fn rounded(polyhedron: &Polyhedron, radius: f64, tolerance: f64) -> Surface {
    if radius <= 0.0 {
        return Surface {
            vertices: polyhedron.vertices.clone(),
            faces: polyhedron
                .faces
                .iter()
                .map(|(_, rim)| rim.clone())
                .collect(),
        };
    }
    let mut sides = BTreeMap::new();
    let mut corners = BTreeMap::new();
    let mut surface = Surface::default();
    for (face, (normal, rim)) in polyhedron.faces.iter().enumerate() {
        for (i, vertex) in rim.iter().enumerate() {
            sides.insert((*vertex, rim[(i + 1) % rim.len()]), face);
            let corner = polyhedron.vertices[*vertex as usize] + normal * radius;
            corners.insert((*vertex, face), surface.add(corner));
        }
        let moved = rim.iter().map(|vertex| corners[&(*vertex, face)]);
        surface.faces.push(moved.collect());
    }
    let mut rounding = Rounding {
        polyhedron,
        radius,
        tolerance,
        sides,
        corners,
        arcs: BTreeMap::new(),
        surface,
    };
    rounding.edges();
    rounding.corners();
    rounding.surface
}

struct Rounding<'a> {
    polyhedron: &'a Polyhedron,
    radius: f64,
    tolerance: f64,
    /// The face with each directed edge in its rim.
    sides: BTreeMap<(u32, u32), usize>,
    /// The point of each corner of a face.
    corners: BTreeMap<(u32, usize), u32>,
    /// Points at a corner from one face to another, both included.
    arcs: BTreeMap<(u32, usize, usize), Vec<u32>>,
    surface: Surface,
}

impl Rounding<'_> {
    fn edges(&mut self) {
        let sides: Vec<_> = self
            .sides
            .iter()
            .map(|(edge, face)| (*edge, *face))
            .collect();
        for ((a, b), left) in sides {
            let Some(right) = self.sides.get(&(b, a)).copied() else {
                continue;
            };
            if a > b {
                continue;
            }
            let at_a = self.arc(a, left, right);
            let at_b = self.arc(b, left, right);
            for (on_a, on_b) in at_a.windows(2).zip(at_b.windows(2)) {
                self.surface
                    .faces
                    .push(vec![on_b[0], on_a[0], on_a[1], on_b[1]]);
            }
        }
    }

    /// Points on the arc at a corner from one face to another.
    fn arc(&mut self, vertex: u32, from: usize, to: usize) -> Vec<u32> {
        let [one, other] = [from, to].map(|face| self.polyhedron.faces[face].0);
        let angle = angle_of(one.dot(&other).clamp(-1.0, 1.0));
        let count = pieces(self.radius, angle, self.tolerance);
        let mut points = vec![self.corners[&(vertex, from)]];
        for i in 1..count {
            let part = i as f64 / count as f64;
            // Along the great circle, sin(angle) times the unit normal.
            let between = one * sin((1.0 - part) * angle) + other * sin(part * angle);
            points.push(self.at(vertex, &between));
        }
        points.push(self.corners[&(vertex, to)]);
        self.arcs.insert((vertex, from, to), points.clone());
        let back = points.iter().rev().copied().collect();
        self.arcs.insert((vertex, to, from), back);
        points
    }

    /// Adds the point with this normal, of any length, on the ball about a vertex.
    fn at(&mut self, vertex: u32, normal: &Vec3) -> u32 {
        let center = self.polyhedron.vertices[vertex as usize];
        self.surface.add(center + normal.normalize() * self.radius)
    }

    fn corners(&mut self) {
        for vertex in 0..self.polyhedron.vertices.len() as u32 {
            let rim = self.rim(vertex);
            if rim.len() > 2 {
                self.corner(vertex, rim);
            }
        }
    }

    /// The points around a corner, counter-clockwise seen from outside.
    fn rim(&self, vertex: u32) -> Vec<u32> {
        let next = |face: usize| {
            let rim = &self.polyhedron.faces[face].1;
            let place = rim.iter().position(|v| *v == vertex)?;
            let after = rim[(place + 1) % rim.len()];
            self.sides.get(&(after, vertex)).copied()
        };
        let mut around = self.corners.range((vertex, 0)..(vertex + 1, 0));
        let Some(((_, first), _)) = around.next() else {
            return Vec::new();
        };
        // The face across the edge that leaves the corner is the next one clockwise.
        let (mut rim, mut face) = (Vec::new(), *first);
        loop {
            let Some(after) = next(face) else {
                return Vec::new();
            };
            let Some(arc) = self.arcs.get(&(vertex, face, after)) else {
                return Vec::new();
            };
            rim.extend(&arc[1..]);
            face = after;
            if face == *first {
                break;
            }
        }
        rim.reverse();
        rim
    }

    /// Rings from the rim to the middle, or one polygon where no arc has points of its own.
    fn corner(&mut self, vertex: u32, rim: Vec<u32>) {
        let center = self.polyhedron.vertices[vertex as usize];
        let normal = |surface: &Surface, point: u32| surface.vertices[point as usize] - center;
        let faces = self.corners.range((vertex, 0)..(vertex + 1, 0)).count();
        let count = rim.len() / faces;
        if rim.len() == faces {
            self.surface.faces.push(rim);
            return;
        }
        let middle: Vec3 = rim.iter().map(|point| normal(&self.surface, *point)).sum();
        let middle = middle.normalize() * self.radius;
        let mut outer = rim.clone();
        for ring in 1..count {
            let part = ring as f64 / count as f64;
            let mut inner = Vec::new();
            for point in &rim {
                let between = normal(&self.surface, *point) * (1.0 - part) + middle * part;
                inner.push(self.at(vertex, &between));
            }
            for i in 0..rim.len() {
                let j = (i + 1) % rim.len();
                self.surface
                    .faces
                    .push(vec![outer[i], outer[j], inner[j], inner[i]]);
            }
            outer = inner;
        }
        let tip = self.at(vertex, &middle);
        for i in 0..outer.len() {
            let j = (i + 1) % outer.len();
            self.surface.faces.push(vec![outer[i], outer[j], tip]);
        }
    }
}
