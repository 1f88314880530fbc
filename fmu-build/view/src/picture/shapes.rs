//! The surface of each kind of shape.
//!
//! # Surfaces of revolution, and beams, which are two halves of one moved apart
//!
//! The profile is a list of arcs from the bottom of the axis to its top. An arc has its centre at (rho, z)
//! and a radius r; its points are (rho + r cos a, z + r sin a), where a, the elevation of the outward normal,
//! grows from -pi/2 at the bottom to pi/2 at the top. Arcs are joined by straight lines.
//!
//! # Surfaces of convex polyhedra swept by a ball
//!
//! Each face moved outwards by the radius, a strip of a cylinder along each edge, a piece of the sphere at
//! each corner.

use contact_geometry::math::real::{atan2, cos, sin};
use contact_geometry::math::{Pose, Vec3};
use contact_geometry::shapes::{Core, Hull, RoundedShape};
use std::collections::BTreeMap;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Surface of a shape in its core's frame, within `tolerance` [m] > 0; `None` for a half-space.
pub(crate) fn surface(shape: &RoundedShape, tolerance: f64) -> Option<Surface> {
    let r = shape.radius;
    let about_z = |profile: &[_]| Some(revolved(profile, RevolutionAxis::Z, tolerance));
    match &shape.core {
        Core::HalfSpace => None,
        Core::Point => about_z(&ball(r)),
        Core::Segment(segment) => {
            let ends = [-segment.half, segment.half];
            about_z(&two_circles([0.0; 2], ends, [r; 2], 0.0))
        }
        Core::RoundCone(cone) => {
            // Balls of both radii, the lower one first. The lateral surface touches both, so that its normal
            // rises with the difference of the radii over the distance.
            let large = (cone.z[0], r + cone.radius);
            let (low, high) = match cone.z[0] < cone.z[1] {
                true => (large, (cone.z[1], r)),
                false => ((cone.z[1], r), large),
            };
            let sine = (low.1 - high.1) / (high.0 - low.0);
            let tilt = atan2(sine, (1.0 - sine * sine).sqrt());
            about_z(&two_circles(
                [0.0; 2],
                [low.0, high.0],
                [low.1, high.1],
                tilt,
            ))
        }
        Core::Cylinder(cylinder) => {
            let ends = [-cylinder.half, cylinder.half];
            about_z(&two_circles([cylinder.radius; 2], ends, [r; 2], 0.0))
        }
        Core::Cone(cone) => {
            let tilt = atan2(cone.radii[0] - cone.radii[1], cone.z[1] - cone.z[0]);
            about_z(&two_circles(cone.radii, cone.z, [r; 2], tilt))
        }
        Core::Ellipsoid(ellipsoid) => {
            let axes = &ellipsoid.semi_axes;
            let mut surface = revolved(&ball(1.0), RevolutionAxis::Z, tolerance / axes.max());
            for vertex in &mut surface.vertices {
                *vertex = vertex.component_mul(axes);
            }
            Some(surface)
        }
        Core::Beam(beam) => {
            let ends = [-beam.half_thickness, beam.half_thickness];
            let profile = two_circles([beam.radius; 2], ends, [r; 2], 0.0);
            Some(revolved(
                &profile,
                RevolutionAxis::YMoved(beam.half),
                tolerance,
            ))
        }
        Core::Box(cuboid) => Some(rounded(&box_of(-cuboid.half, cuboid.half), r, tolerance)),
        Core::Hull(hull) => Some(rounded(&polyhedron(hull), r, tolerance)),
        Core::Mesh(mesh) => Some(Surface {
            is_concave: true,
            vertices: mesh.vertices().to_vec(),
            faces: mesh.triangles().iter().map(|t| t.to_vec()).collect(),
        }),
    }
}

pub(super) fn box_between(lower: Vec3, upper: Vec3) -> Surface {
    rounded(&box_of(lower, upper), 0.0, 0.0)
}

fn box_of(lower: Vec3, upper: Vec3) -> Polyhedron {
    let corner = |i: usize| {
        let side = |axis: usize| match i >> axis & 1 {
            0 => lower[axis],
            _ => upper[axis],
        };
        Vec3::new(side(0), side(1), side(2))
    };
    let face = |axis: usize, up: bool| {
        let [one, other] = [1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3)];
        let from = if up { 1 << axis } else { 0 };
        let mut rim = vec![from, from + one, from + one + other, from + other];
        let mut normal = Vec3::zeros();
        normal[axis] = if up { 1.0 } else { -1.0 };
        if !up {
            rim.reverse();
        }
        (normal, rim)
    };
    Polyhedron {
        vertices: (0..8).map(corner).collect(),
        faces: (0..6).map(|i| face(i / 2, i % 2 == 1)).collect(),
    }
}

/// Faces of a hull, each as one polygon.
fn polyhedron(hull: &Hull) -> Polyhedron {
    let mut faces = Vec::new();
    hull.faces().for_each(|normal, edges| {
        let mut rim = vec![edges[0][0]];
        let mut at = edges[0][1];
        while at != rim[0] && rim.len() < edges.len() {
            rim.push(at);
            let next = edges.iter().find(|edge| edge[0] == at);
            at = next.map_or(rim[0], |edge| edge[1]);
        }
        faces.push((*normal, rim));
    });
    Polyhedron {
        vertices: hull.vertices().to_vec(),
        faces,
    }
}

/// Arc of a profile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arc {
    /// Centre: distance from the axis and position along it [m].
    pub center: [f64; 2],
    pub radius: f64,
    /// Elevation of the normal at its end [rad]; it begins where the previous arc ends, the first one at
    /// -pi/2.
    pub end: f64,
}

/// Axis of a surface of revolution.
#[derive(Clone, Copy, Debug)]
pub(super) enum RevolutionAxis {
    Z,
    /// The axis is y, and the halves on either side of z = 0 are moved apart by this much each [m].
    YMoved(f64),
}

/// Surface of a profile, within `tolerance` [m].
pub(super) fn revolved(profile: &[Arc], axis: RevolutionAxis, tolerance: f64) -> Surface {
    let points = points(profile, tolerance);
    let largest = points
        .iter()
        .fold(0.0_f64, |most, point| most.max(point[0]));
    let directions = directions(pieces_around(largest, tolerance), axis);
    let mut surface = Surface::default();
    let mut below: Option<Vec<u32>> = None;
    for [rho, z] in points {
        let mut place = |[x, y, shift]: [f64; 3]| {
            surface.add(match axis {
                RevolutionAxis::Z => Vec3::new(rho * x, rho * y, z),
                RevolutionAxis::YMoved(_) => Vec3::new(rho * y, z, rho * x + shift),
            })
        };
        // On the axis there is one point only.
        let ring: Vec<u32> = match rho <= 0.0 {
            true => vec![place([0.0, 0.0, 0.0])],
            false => directions
                .iter()
                .map(|direction| place(*direction))
                .collect(),
        };
        match &below {
            Some(below) => join(&mut surface, below, &ring),
            None if ring.len() > 1 => surface.faces.push(ring.iter().rev().copied().collect()),
            None => {}
        }
        below = Some(ring);
    }
    surface.faces.extend(below.filter(|ring| ring.len() > 1));
    surface
}

/// Points of the profile from bottom to top: distance from the axis, position along it [m].
fn points(profile: &[Arc], tolerance: f64) -> Vec<[f64; 2]> {
    let mut points: Vec<[f64; 2]> = Vec::new();
    let mut start = -FRAC_PI_2;
    for arc in profile {
        let [rho, z] = arc.center;
        let count = match arc.radius > 0.0 {
            true => pieces(arc.radius, arc.end - start, tolerance),
            false => 0,
        };
        for i in 0..=count {
            let angle = match i == count {
                true => arc.end,
                false => start + (arc.end - start) * i as f64 / count as f64,
            };
            // The ends of an arc about a point of the axis are on the axis.
            let across = match angle.abs() >= FRAC_PI_2 {
                true => rho,
                false => rho + arc.radius * cos(angle),
            };
            let point = [across, z + arc.radius * sin(angle)];
            if points.last() != Some(&point) {
                points.push(point);
            }
        }
        start = arc.end;
    }
    points
}

/// Cosine and sine around the axis, and displacement along the first direction [m].
fn directions(count: usize, axis: RevolutionAxis) -> Vec<[f64; 3]> {
    let at = |i: usize, shift: f64| {
        let angle = TAU * i as f64 / count as f64;
        [cos(angle), sin(angle), shift]
    };
    match axis {
        RevolutionAxis::Z => (0..count).map(|i| at(i, 0.0)).collect(),
        RevolutionAxis::YMoved(half) => {
            let quarter = count / 4;
            let right = 3 * quarter..=5 * quarter;
            let left = quarter..=3 * quarter;
            let right = right.map(|i| at(i, half));
            right.chain(left.map(|i| at(i, -half))).collect()
        }
    }
}

/// Adds the faces between two rings, either of which may be a point.
fn join(surface: &mut Surface, below: &[u32], above: &[u32]) {
    let count = below.len().max(above.len());
    let at = |ring: &[u32], i: usize| ring[i % ring.len()];
    for i in 0..count {
        let corners = [
            at(below, i),
            at(below, i + 1),
            at(above, i + 1),
            at(above, i),
        ];
        let mut face: Vec<u32> = corners.into();
        face.dedup();
        if face.len() > 2 {
            surface.faces.push(face);
        }
    }
}

pub(super) fn ball(radius: f64) -> [Arc; 1] {
    [Arc {
        center: [0.0, 0.0],
        radius,
        end: FRAC_PI_2,
    }]
}

/// Profile between two circles about the axis, swept by balls: radii [m] of the circles, positions [m] along
/// the axis, and radii [m] of the balls; `tilt` is the elevation of the normal between them [rad].
pub(super) fn two_circles(circles: [f64; 2], z: [f64; 2], balls: [f64; 2], tilt: f64) -> [Arc; 2] {
    let arc = |i: usize, end| Arc {
        center: [circles[i], z[i]],
        radius: balls[i],
        end,
    };
    [arc(0, tilt), arc(1, FRAC_PI_2)]
}

pub(super) struct Polyhedron {
    pub vertices: Vec<Vec3>,
    /// Outward unit normal of each face and its corners, counter-clockwise seen from outside.
    pub faces: Vec<(Vec3, Vec<u32>)>,
}

/// Surface of a polyhedron swept by a ball of this radius [m], within `tolerance` [m].
pub(super) fn rounded(polyhedron: &Polyhedron, radius: f64, tolerance: f64) -> Surface {
    if radius <= 0.0 {
        return Surface {
            vertices: polyhedron.vertices.clone(),
            faces: polyhedron
                .faces
                .iter()
                .map(|(_, rim)| rim.clone())
                .collect(),
            is_concave: false,
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
    /// Face with each directed edge in its rim.
    sides: BTreeMap<(u32, u32), usize>,
    /// Point of each corner of a face.
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

    /// Points around a corner, counter-clockwise seen from outside.
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

    /// Rings from the rim to the middle, or one polygon if no arc has interior points.
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

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Surface {
    pub vertices: Vec<Vec3>,
    /// Polygons by vertex, counter-clockwise seen from outside, each convex and nearly flat.
    pub faces: Vec<Vec<u32>>,
    /// Whether one face may hide another.
    pub is_concave: bool,
}

/// Minimum number of pieces of a circle: fewer are visible.
const LEAST_AROUND: usize = 12;
const MOST_PIECES: usize = 96;

/// Number of chords of an arc of this radius [m] and angle [rad] that stay within `tolerance` [m] of it: the
/// sagitta of a chord over the angle a is R (1 - cos(a/2)).
pub(super) fn pieces(radius: f64, angle: f64, tolerance: f64) -> usize {
    let cosine = (1.0 - tolerance / radius).clamp(-1.0, 1.0);
    let largest = (2.0 * angle_of(cosine)).clamp(1e-3, PI);
    ((angle / largest).ceil() as usize).clamp(1, MOST_PIECES)
}

pub(super) fn angle_of(cosine: f64) -> f64 {
    atan2((1.0 - cosine * cosine).max(0.0).sqrt(), cosine)
}

pub(super) fn pieces_around(radius: f64, tolerance: f64) -> usize {
    let least = pieces(radius, TAU, tolerance).max(LEAST_AROUND);
    least.next_multiple_of(4)
}

impl Surface {
    pub(crate) fn placed(&self, pose: &Pose) -> Surface {
        let place = |v: &Vec3| pose.position + pose.rotation * v;
        Surface {
            vertices: self.vertices.iter().map(place).collect(),
            faces: self.faces.clone(),
            is_concave: self.is_concave,
        }
    }

    /// Triangles by vertex, counter-clockwise seen from outside.
    pub(crate) fn triangles(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        self.faces.iter().flat_map(|face| {
            face.windows(2)
                .skip(1)
                .map(|pair| [face[0], pair[0], pair[1]])
        })
    }

    /// Outward normal of a polygon with twice its area as length [m2].
    pub(crate) fn normal(&self, face: &[u32]) -> Vec3 {
        let corner = |index: u32| self.vertices[index as usize];
        let first = corner(face[0]);
        face.windows(2).fold(Vec3::zeros(), |sum, pair| {
            sum + (corner(pair[0]) - first).cross(&(corner(pair[1]) - first))
        })
    }

    pub(crate) fn bounds(&self) -> [Vec3; 2] {
        let nothing = [f64::INFINITY, f64::NEG_INFINITY].map(Vec3::repeat);
        self.vertices
            .iter()
            .fold(nothing, |[lower, upper], v| [lower.inf(v), upper.sup(v)])
    }

    pub(super) fn add(&mut self, vertex: Vec3) -> u32 {
        self.vertices.push(vertex);
        self.vertices.len() as u32 - 1
    }
}
