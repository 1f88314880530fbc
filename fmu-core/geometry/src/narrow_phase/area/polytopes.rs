//! The patch of two convex polytopes, and its energy.
//!
//! With l_i the pressure of face i, k_A (d_i - n_i.x), min(p_A, p_B) is the least of all l_i. The cells where
//! one of them is the least are convex, and where two cells meet, l_i = l_j, lies a convex polygon: cut from
//! the plane l_i = l_j by l_i <= l_m of all others and l_i >= 0.
//!
//! - patch: the polygons between a face of A and one of B. The pressure is linear on each, so its wrench, and
//!   that of a damping p d v_n too, follow exactly from a rule of degree 4
//! - energy: with the divergence theorem on a cell, whose l_i has the gradient -k n_i, integral of l_i dV =
//!   -1/(2 k) sum over its polygons of (N.n_i) integral of l_i^2 dA, N out of the cell. So a polygon between
//!   cells i and j adds (N.n_j/k_j - N.n_i/k_i)/2 integral of l^2, with N from i to j.
//!
//! # Walls
//!
//! The polygons between two faces of one body, its walls, have a part in the energy of their cells. In the
//! layer under the surface they need not be found: with the gradients a and b of a cell and its neighbour,
//! both of length k, the divergence theorem in the plane of the wall gives integral of l^2 dA from that of
//! l^3 over its edges. Where l = 0 these are nothing, along a facet they are an edge of it, and a ray where
//! three cells of the body meet goes from l = 0 to a corner of a facet, with integral of l^3 from l^4 there.
//! A facet whose corners run counter-clockwise seen from outside of the cell a therefore adds
//!
//! - for an edge x from l = p to q on the wall to b: x.(b x a) (p + q) (p^2 + q^2)/(24 k^2 (k^2 + a.b))
//! - for a corner between such edges, on the walls to b and then d: with r = (a - b) x (a - d),
//!   l^4 r.((a x b)/(k^2 + a.b) - (a x d)/(k^2 + a.d))/(24 k^2 r.a)
//!
//! That holds where no four faces of a body meet below its surface: down to the depth where an edge has no
//! length. Deeper walls are polygons as all others; so are they where a wall of one body lies along a wall or
//! ray of the other one, as then rounding decides what an edge of a facet is, and beside flush faces.
//!
//! A plane that represents [`flush`](crate::narrow_phase::area::flush) faces of both belongs to A by a part a
//! of its cell, so A's share of the pressure on a polygon is the difference of the parts of the cells on its
//! two sides.
//!
//! Faces that cannot be the least anywhere are left out first: [`Region`]. In the layer polygons come from the
//! corners of a face: [`Ring`].

use crate::math::{Pose, Real};
use crate::narrow_phase::area::facet::{FacetCorners, FacetFrame, PatchFacet, less};
use crate::narrow_phase::area::flush::Mixed;
use crate::narrow_phase::area::nodes::{Extent, Nodes};
use crate::narrow_phase::area::planes::{
    Half, Linear, OUTER, Polygon, face_count, layer, plane, size,
};
use crate::narrow_phase::area::region::Region;
use crate::narrow_phase::area::section::{Cut, PlacedFace, Ring, has_corners};
use crate::shapes::Core;

/// Relative difference up to which two planes coincide: some rounding.
const TWIN: f64 = 1e-13;
/// Distance of a corner from a line, over the largest distance of a common point, up to which it may be on it.
const NEAR: f64 = 1e-9;

/// Face that may carry pressure.
#[derive(Clone, Copy, Debug)]
struct PressedFace<T: Real> {
    side: usize,
    /// Its number in the body.
    face: usize,
    pressure: Linear<T>,
    values: Linear<f64>,
    /// Pressure in the axes of the region.
    in_region: Linear,
    stiffness: f64,
    /// Index of the plane of flush faces that it is, if any.
    mixed: Option<usize>,
}

#[derive(Clone, Debug)]
pub(super) struct PolytopeWork<T: Real> {
    faces: Vec<PressedFace<T>>,
    /// Index in `faces` of each face of each body; [`OUTER`] if it is not there.
    numbers: [Vec<usize>; 2],
    ring: Ring,
    polygon: Polygon,
    lines: Vec<Half<T>>,
    corners: FacetCorners<T>,
    facets: Vec<PatchFacet<T>>,
    mixed: Vec<Mixed<T>>,
    /// Whether walls are found as polygons.
    has_walls: bool,
}

impl<T: Real> Default for PolytopeWork<T> {
    fn default() -> Self {
        PolytopeWork {
            faces: Vec::new(),
            numbers: [Vec::new(), Vec::new()],
            ring: Ring::default(),
            polygon: Polygon::default(),
            lines: Vec::new(),
            corners: FacetCorners::default(),
            facets: Vec::new(),
            mixed: Vec::new(),
            has_walls: false,
        }
    }
}

impl<T: Real> PolytopeWork<T> {
    /// Capacity for two bodies with this many faces together.
    pub(super) fn reserve(&mut self, faces: usize) {
        self.faces.reserve(faces);
        self.numbers.iter_mut().for_each(|list| list.reserve(faces));
        self.ring.reserve(faces + 4);
        self.polygon.reserve(faces + 1);
        self.lines.reserve(faces + 5);
        self.corners.places.reserve(CORNERS * faces);
        self.corners.pressures.reserve(CORNERS * faces);
        self.corners.lines.reserve(CORNERS * faces);
        self.facets.reserve(4 * faces);
        self.mixed.reserve(faces);
    }

    /// Appends the nodes of two bodies that overlap in `region` and returns the energy [J].
    pub(super) fn find(
        &mut self,
        cores: [&Core; 2],
        poses: &[Pose<T>; 2],
        region: &Region,
        nodes: &mut Nodes<T>,
    ) -> T {
        let is_deep = |side: usize| {
            let depth = region.bound / region.stiffness[side] + region.inset;
            depth >= layer(cores[side])
        };
        self.has_walls = region.inset < 0.0 || region.flush.is_some() || is_deep(0) || is_deep(1);
        self.place(cores, poses, region);
        let energy = loop {
            match self.add_facets(cores, poses, region) {
                Some(energy) => break energy,
                None => self.has_walls = true,
            }
        };
        let total: f64 = self.facets.iter().map(|facet| facet.force).sum();
        for facet in &self.facets {
            facet.push_nodes(&self.corners, total, nodes);
        }
        for mixed in &self.mixed {
            mixed.push_nodes(nodes);
        }
        nodes.end_facet(Extent::Nodes);
        energy
    }

    /// Finds the facets and returns the energy [J]; `None` if walls must be found for it.
    fn add_facets(
        &mut self,
        cores: [&Core; 2],
        poses: &[Pose<T>; 2],
        region: &Region,
    ) -> Option<T> {
        self.corners.truncate(0);
        self.facets.clear();
        let mut energy = T::zero();
        let least = region.least_of(self.faces.iter().map(|face| (face.side, &face.in_region)));
        for i in 0..self.faces.len() {
            for j in i + 1..self.faces.len() {
                if self.is_wall(i, j) {
                    continue;
                }
                let Some(frame) = self.frame(i, j, region) else {
                    continue;
                };
                let start = self.corners.places.len();
                let is_found = match self.source([i, j], cores) {
                    Some(place) => self.section([i, j], place, &frame, cores, poses, region),
                    None => self.cut(i, j, &frame, least, region),
                };
                if !is_found {
                    continue;
                }
                if !self.has_walls && self.has_crossing([i, j], &frame, region) {
                    return None;
                }
                self.push_corners(i, &frame);
                let pressure = &self.faces[i].pressure;
                let facet = PatchFacet::new(frame, &self.corners, start, pressure);
                // The box does not cover enlarged bodies.
                if region.inset < 0.0 || region.contains(&facet.middle()) {
                    energy += self.add_facet([i, j], facet, start);
                } else {
                    self.corners.truncate(start);
                }
            }
        }
        Some(energy)
    }

    /// Returns true if lines of both bodies meet at a corner of the polygon between two faces where one line
    /// would do: which ones are its own is rounding there, and with it the walls that it is an edge of.
    fn has_crossing(&self, pair: [usize; 2], frame: &FacetFrame<T>, region: &Region) -> bool {
        let count = self.polygon.len();
        let side = |line: usize| self.faces.get(line).map(|face| face.side);
        let mut has = [false; 2];
        for k in 0..count {
            if let Some(side) = self.polygon.line(k).and_then(side) {
                has[side] = true;
            }
        }
        let (origin, axes) = frame.values();
        let own = &self.faces[pair[0]].values;
        let pressure = own.half(&origin, &axes);
        let [k_1, k_2] = region.stiffness;
        let none = NEAR * region.reach() * k_1.max(k_2);
        self.faces.iter().enumerate().any(|(m, face)| {
            let other = 1 - face.side;
            if !has[other] || pair.contains(&m) {
                return false;
            }
            let above = face.values.less(own).half(&origin, &axes);
            (0..count).any(|k| {
                let place = self.polygon.place(k);
                above.at(place).abs() <= none && pressure.at(place) > none && {
                    let lines = self.polygon.lines(k);
                    !lines.contains(&m) && lines.iter().any(|line| side(*line) == Some(other))
                }
            })
        })
    }

    /// Adds a facet to the patch if it presses, and returns the energy that comes with it.
    #[inline(always)]
    fn add_facet(&mut self, pair: [usize; 2], mut facet: PatchFacet<T>, start: usize) -> T {
        // N.n/k of a face is -N.gradient/k^2.
        let along = pair.map(|face| {
            let (own, gradient) = (&self.faces[face], &self.faces[face].pressure.gradient);
            let along = facet.frame.normal.dot(gradient);
            match own.mixed {
                None => along / (own.stiffness * own.stiffness),
                Some(_) => along / gradient.dot(gradient),
            }
        });
        let squares = facet.squares(&self.corners);
        let energy = squares * ((along[0] - along[1]) * 0.5) + self.walls(pair, &facet, start);
        let faces = pair.map(|face| &self.faces[face]);
        let is_kept = match faces.map(|face| face.mixed) {
            [None, None] => faces[0].side != faces[1].side,
            _ => self.share(&mut facet, pair, along, squares),
        };
        match is_kept {
            true => self.facets.push(facet),
            false => self.corners.truncate(start),
        }
        energy
    }

    /// Returns true if between the cells of two faces lies a wall of one body, whose energy that of the facets
    /// along it contains.
    fn is_wall(&self, one: usize, other: usize) -> bool {
        let [one, other] = [one, other].map(|face| &self.faces[face]);
        one.side == other.side && !self.has_walls
    }

    /// The energy that both cells of a facet owe to their walls along it.
    #[inline(always)]
    fn walls(&self, pair: [usize; 2], facet: &PatchFacet<T>, start: usize) -> T {
        let FacetCorners {
            places,
            pressures,
            lines,
        } = &self.corners;
        let count = places.len();
        let mut sum = T::zero();
        for (cell, sign) in pair.into_iter().zip([1.0, -1.0]) {
            let own = &self.faces[cell];
            let (a, square) = (&own.values.gradient, own.stiffness * own.stiffness);
            let part = sign / (24.0 * square);
            let wall = |line: usize| {
                let face = self.faces.get(line)?;
                self.is_wall(cell, line).then_some(face)
            };
            let mut before = wall(lines[count - 1]);
            for corner in start..count {
                let Some(after) = wall(lines[corner]) else {
                    before = None;
                    continue;
                };
                let next = if corner + 1 == count {
                    start
                } else {
                    corner + 1
                };
                let [x, y] = less(places[next], places[corner]);
                let (p, q) = (pressures[corner], pressures[next]);
                let turn = after.pressure.gradient.cross(&own.pressure.gradient);
                let [u, v] = facet.frame.axes.each_ref().map(|axis| axis.dot(&turn));
                let d = &after.values.gradient;
                let by_d = square + a.dot(d);
                let cubes = (p + q) * (p * p + q * q);
                sum += (x * u + y * v) * cubes * (part / by_d);
                if let Some(before) = before {
                    let b = &before.values.gradient;
                    let ray = (a - b).cross(&(a - d));
                    let by_b = square + a.dot(b);
                    let walls = ray.dot(&a.cross(b)) * by_d - ray.dot(&a.cross(d)) * by_b;
                    let fourth = (p * p) * (p * p);
                    sum += fourth * (part * walls / (ray.dot(a) * by_b * by_d));
                }
                before = Some(after);
            }
        }
        sum
    }

    /// Assigns A its share of the pressure on a facet of the plane of flush faces; returns false if that is
    /// zero. `squares` is the integral of the pressure squared, `along` the components of the normal along
    /// the slopes of both faces.
    fn share(
        &mut self,
        facet: &mut PatchFacet<T>,
        faces: [usize; 2],
        along: [T; 2],
        squares: T,
    ) -> bool {
        let (force, moment) = facet.pressed(&self.corners);
        let [one, other] = faces.map(|face| &self.faces[face]);
        let mut part = T::zero();
        for (face, along, sign) in [(one, along[0], 1.0), (other, along[1], -1.0)] {
            part += match face.mixed {
                Some(index) => {
                    let mixed = &mut self.mixed[index];
                    mixed.add_facet(force, moment, squares, along * sign);
                    mixed.share
                }
                None if face.side == 0 => T::one(),
                None => T::zero(),
            } * sign;
        }
        facet.carry(part, &mut self.corners);
        part.value() != 0.0
    }

    /// Loads the faces that matter, without those coplanar with an earlier one, which gets the cell.
    fn place(&mut self, cores: [&Core; 2], poses: &[Pose<T>; 2], region: &Region) {
        let reach = region.reach();
        self.faces.clear();
        self.mixed.clear();
        for (list, core) in self.numbers.iter_mut().zip(cores) {
            list.clear();
            list.resize(face_count(core), OUTER);
        }
        for candidate in &region.faces {
            let (side, own) = (candidate.side, &candidate.pressure);
            let k = region.stiffness[side];
            let twin = |face: &PressedFace<T>| {
                let off = (own.at_0 - face.in_region.at_0).abs();
                let most = TWIN * face.stiffness * reach;
                let turn = || (own.gradient - face.in_region.gradient).norm();
                off <= most && off + turn() * reach <= most
            };
            let same = self.faces.iter().position(twin);
            self.numbers[side][candidate.face] = self.faces.len();
            if same.is_some() {
                self.has_walls = true;
                continue;
            }
            let pressure_of = |side: usize, face: usize| {
                let k = region.stiffness[side];
                pressure(cores[side], face, &poses[side], region.inset, k)
            };
            let mut mixed = None;
            let pressure = match (&candidate.flush, &region.flush) {
                (Some(flush), Some(scale)) => {
                    let pair = [0, 1].map(|side| pressure_of(side, flush.faces[side]));
                    let plane = Mixed::new(pair, &scale.middles(poses), *scale, *flush);
                    mixed = Some(self.mixed.len());
                    self.mixed.push(plane);
                    plane.pressure
                }
                _ => pressure_of(side, candidate.face),
            };
            self.faces.push(PressedFace {
                side,
                face: candidate.face,
                values: pressure.values(),
                pressure,
                in_region: *own,
                stiffness: k,
                mixed,
            });
        }
    }

    #[inline(always)]
    fn less(&self, one: usize, other: usize) -> Linear<T> {
        let [one, other] = [one, other].map(|face| &self.faces[face]);
        let of_pair = match (one.mixed, other.mixed) {
            (Some(a), Some(b)) => self.mixed[a].less(&self.mixed[b]),
            _ => None,
        };
        of_pair.unwrap_or_else(|| one.pressure.less(&other.pressure))
    }

    /// Plane between the cells of two faces; `None` if they surely do not meet.
    fn frame(&self, i: usize, j: usize, region: &Region) -> Option<FacetFrame<T>> {
        let (one, other) = (&self.faces[i], &self.faces[j]);
        let Region {
            center,
            half,
            bound,
            ..
        } = region;
        let (p, q) = (&one.in_region, &other.in_region);
        let difference = p.gradient - q.gradient;
        let middle = p.at_0 - q.at_0 + difference.dot(center);
        let scale = one.stiffness * one.stiffness + other.stiffness * other.stiffness;
        if middle.abs() > difference.abs().dot(half) || difference.norm_squared() <= 1e-24 * scale {
            return None;
        }
        // Both pressures are their mean there, and none is above the bound.
        let sum = p.gradient + q.gradient;
        let middle = p.at_0 + q.at_0 + sum.dot(center);
        if middle - sum.abs().dot(half) > 2.0 * bound {
            return None;
        }
        Some(FacetFrame::between(
            &one.pressure,
            &other.pressure,
            &self.less(i, j),
        ))
    }

    /// Cuts the polygon between the cells of two faces; returns false if these do not meet.
    fn cut(
        &mut self,
        i: usize,
        j: usize,
        frame: &FacetFrame<T>,
        least: [Option<usize>; 2],
        region: &Region,
    ) -> bool {
        let one = &self.faces[i];
        let (origin, axes) = frame.values();
        self.polygon.start(region.reach());
        let count = self.faces.len();
        // Zero pressure bounds the facet too.
        if !self.polygon.cut(&one.values.half(&origin, &axes), count) {
            return false;
        }
        // First those that leave least.
        let others = (0..count).filter(|m| !least.contains(&Some(*m)));
        for m in least.into_iter().flatten().chain(others) {
            if m == i || m == j {
                continue;
            }
            let above = match (self.faces[m].mixed, one.mixed) {
                (Some(_), Some(_)) => self.less(m, i).values(),
                _ => self.faces[m].values.less(&one.values),
            };
            let above = above.half(&origin, &axes);
            if !self.polygon.cut(&above, m) {
                return false;
            }
        }
        true
    }

    /// Appends the corners of the polygon of face i and the pressures there.
    fn push_corners(&mut self, i: usize, frame: &FacetFrame<T>) {
        let one = &self.faces[i].pressure;
        self.lines.clear();
        for k in 0..self.polygon.len() {
            let line = self.polygon.line(k).map(|m| match self.faces.get(m) {
                None => *one,
                Some(_) => self.less(m, i),
            });
            let half = line.map(|line| line.half(&frame.origin, &frame.axes));
            self.lines.push(half.unwrap_or(Half::all()));
        }
        let (count, first) = (self.polygon.len(), self.polygon.first());
        let pressure = one.half(&frame.origin, &frame.axes);
        for k in 0..count {
            let k = (first + k) % count;
            let corner = self.polygon.corner(k, &self.lines);
            let line = self.polygon.line(k).unwrap_or(OUTER);
            self.corners.push(corner, pressure.at(corner), line);
        }
    }

    /// The place in a pair of faces of the one whose cell has corners to begin with; `None` if there is none.
    fn source(&self, pair: [usize; 2], cores: [&Core; 2]) -> Option<usize> {
        if self.has_walls {
            return None;
        }
        let faces = pair.map(|face| &self.faces[face]);
        let sizes = faces.map(|face| size(cores[face.side]));
        let small = usize::from(sizes[1] < sizes[0]);
        [small, 1 - small].into_iter().find(|place| {
            let PressedFace { side, face, .. } = *faces[*place];
            has_corners(cores[side], face)
        })
    }

    /// Cuts the polygon between two faces out of the cell of one of them; returns false if there is none.
    fn section(
        &mut self,
        pair: [usize; 2],
        place: usize,
        frame: &FacetFrame<T>,
        cores: [&Core; 2],
        poses: &[Pose<T>; 2],
        region: &Region,
    ) -> bool {
        let [one, other] = [place, 1 - place].map(|place| &self.faces[pair[place]]);
        let side = one.side;
        let (origin, axes) = frame.values();
        let k = region.stiffness[side];
        let cut = Cut {
            other: other.values,
            axes,
            sign: if place == 0 { 1.0 } else { -1.0 },
            stiffness: k,
            depth: region.bound * (1.0 + NEAR) / k,
            zero: self.faces.len(),
            bottom: OUTER,
        };
        let placed = PlacedFace {
            core: cores[side],
            number: one.face,
            pose: poses[side].values(),
            inset: region.inset,
        };
        let line = |face: usize| self.numbers[side][face];
        self.ring.place(&placed, &cut, line);
        if !self.ring.section(&cut, &mut self.polygon) {
            return false;
        }
        let to = pair[1 - place];
        self.faces.iter().enumerate().all(|(m, of)| {
            m == to || of.side == side || {
                let above = of.values.less(&other.values).half(&origin, &axes);
                self.polygon.cut(&above, m)
            }
        })
    }
}

fn pressure<T: Real>(core: &Core, face: usize, pose: &Pose<T>, inset: f64, k: f64) -> Linear<T> {
    let plane = plane(core, face, pose, inset);
    Linear {
        gradient: plane.normal * T::from(-k),
        at_0: plane.offset * k,
    }
}

/// Initial capacity for corners, per face.
const CORNERS: usize = 12;
