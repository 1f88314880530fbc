//! The patch of two convex polytopes, and its energy.
//!
//! With l_i the pressure of face i, k_A (d_i - n_i.x), min(p_A, p_B) is the least of all l_i. The
//! cells where one of them is the least are convex, and where two cells meet, l_i = l_j, lies a
//! convex polygon: cut from the plane l_i = l_j by l_i <= l_m of all others and l_i >= 0.
//!
//! - patch: the polygons between a face of A and one of B. The pressure is linear on each, so its
//!   wrench, and that of a damping p d v_n too, follow exactly from a rule of degree 4
//! - energy: with the divergence theorem on a cell, whose l_i has the gradient -k n_i,
//!   integral of l_i dV = -1/(2 k) sum over its polygons of (N.n_i) integral of l_i^2 dA, N out of
//!   the cell. So a polygon between cells i and j adds (N.n_j/k_j - N.n_i/k_i)/2 integral of l^2,
//!   with N from i to j: those of two faces of one body too.
//!
//! A plane that stands for [`flush`](super::flush) faces of both is A's by a part a of its cell, so
//! of the pressure on a polygon A has what its cells on both sides have of A, less each other.
//!
//! Faces that cannot be the least anywhere are left out first: [`Region`].

use crate::math::{Pose, Real};
use crate::narrow_phase::area::facet::{Facet, Frame};
use crate::narrow_phase::area::flush::Mixed;
use crate::narrow_phase::area::linear::Linear;
use crate::narrow_phase::area::polygon::{Half, Polygon};
use crate::narrow_phase::area::region::Region;
use crate::narrow_phase::area::{Extent, Nodes, Stiffness, faces};
use crate::shapes::Core;

/// Part of the size of the overlap by which two planes may differ that count as one: some rounding.
const TWIN: f64 = 1e-13;

/// A face that may carry pressure.
#[derive(Clone, Copy, Debug)]
struct Face<T: Real> {
    /// Of which body.
    side: usize,
    pressure: Linear<T>,
    /// The same in values.
    values: Linear<f64>,
    /// The same in the axes of the region.
    in_region: Linear,
    /// Pressure over depth [N/m3].
    stiffness: f64,
    /// Which of the planes of flush faces it is, if it is one.
    mixed: Option<usize>,
}

/// Work arrays.
#[derive(Clone, Debug)]
pub struct Work<T: Real> {
    faces: Vec<Face<T>>,
    polygon: Polygon,
    lines: Vec<Half<T>>,
    /// Corners of the facets and pressures there, one facet after the other.
    corners: Vec<[T; 2]>,
    pressures: Vec<T>,
    facets: Vec<Facet<T>>,
    mixed: Vec<Mixed<T>>,
}

impl<T: Real> Default for Work<T> {
    fn default() -> Self {
        Work {
            faces: Vec::new(),
            polygon: Polygon::default(),
            lines: Vec::new(),
            corners: Vec::new(),
            pressures: Vec::new(),
            facets: Vec::new(),
            mixed: Vec::new(),
        }
    }
}

impl<T: Real> Work<T> {
    /// Room for two bodies with so many faces together.
    pub fn reserve(&mut self, faces: usize) {
        self.faces.reserve(faces);
        self.polygon.reserve(faces + 1);
        self.lines.reserve(faces + 5);
        self.corners.reserve(CORNERS * faces);
        self.pressures.reserve(CORNERS * faces);
        self.facets.reserve(4 * faces);
        self.mixed.reserve(faces);
    }

    /// Pushes the nodes of two bodies that overlap in `region` and whose faces are moved inwards by
    /// `inset` [m], and returns the energy [J].
    pub fn find(
        &mut self,
        cores: [&Core; 2],
        poses: &[Pose<T>; 2],
        (stiffness, inset, region): (Stiffness, f64, &Region),
        nodes: &mut Nodes<T>,
    ) -> T {
        self.place(cores, poses, (stiffness, inset, region));
        self.corners.clear();
        self.pressures.clear();
        self.facets.clear();
        let mut energy = T::zero();
        let least = region.least_of(self.faces.iter().map(|face| (face.side, &face.in_region)));
        for i in 0..self.faces.len() {
            for j in i + 1..self.faces.len() {
                let Some(frame) = self.cut((i, j), least, region) else {
                    continue;
                };
                let start = self.push_corners(i, &frame);
                let mut facet = Facet::new(
                    frame,
                    (start, &self.corners[start..], &self.pressures[start..]),
                    &self.faces[i].pressure,
                );
                // Of bodies that are made larger, the box does not know.
                if inset >= 0.0 && !region.contains(&facet.middle()) {
                    self.corners.truncate(start);
                    self.pressures.truncate(start);
                    continue;
                }
                let (one, other) = (self.faces[i], self.faces[j]);
                // N.n/k of a face is -N.gradient/k^2.
                let along = [one, other].map(|face| {
                    let gradient = &face.pressure.gradient;
                    let along = facet.frame.normal.dot(gradient);
                    match face.mixed {
                        None => along / (face.stiffness * face.stiffness),
                        Some(_) => along / gradient.dot(gradient),
                    }
                });
                let squares = facet.squares(&self.corners[start..], &self.pressures[start..]);
                energy += squares * ((along[0] - along[1]) * 0.5);
                let is_kept = match (one.mixed, other.mixed) {
                    (None, None) => one.side != other.side,
                    _ => self.share(&mut facet, (start, [i, j]), (along, squares)),
                };
                if is_kept {
                    self.facets.push(facet);
                } else {
                    self.corners.truncate(start);
                    self.pressures.truncate(start);
                }
            }
        }
        let total: f64 = self.facets.iter().map(|facet| facet.force).sum();
        for facet in &self.facets {
            facet.push_nodes((&self.corners, &self.pressures), total, nodes);
        }
        for mixed in &self.mixed {
            mixed.push_nodes(nodes);
        }
        nodes.end_facet(Extent::Nodes);
        energy
    }

    /// Shares out the pressure on a facet of the plane of flush faces; false if A has none of it.
    /// Its first corner has the index `start`; of its pressure the square has the integral `squares`,
    /// and its normal has these parts along the slopes of both faces.
    fn share(
        &mut self,
        facet: &mut Facet<T>,
        (start, faces): (usize, [usize; 2]),
        (along, squares): ([T; 2], T),
    ) -> bool {
        let pressures = &mut self.pressures[start..];
        let pressed = facet.pressed((&self.corners[start..], pressures));
        let [one, other] = faces.map(|face| &self.faces[face]);
        let mut part = T::zero();
        for (face, along, sign) in [(one, along[0], 1.0), (other, along[1], -1.0)] {
            part += match face.mixed {
                Some(index) => {
                    let mixed = &mut self.mixed[index];
                    mixed.add_facet(pressed, squares, along * sign);
                    mixed.share
                }
                None if face.side == 0 => T::one(),
                None => T::zero(),
            } * sign;
        }
        facet.carry(part, pressures);
        part.value() != 0.0
    }

    /// Takes the faces that matter, without those that lie in the plane of one before: the cell
    /// belongs to the first.
    fn place(
        &mut self,
        cores: [&Core; 2],
        poses: &[Pose<T>; 2],
        (stiffness, inset, region): (Stiffness, f64, &Region),
    ) {
        let reach = region.reach();
        self.faces.clear();
        self.mixed.clear();
        for candidate in &region.faces {
            let (side, own) = (candidate.side, &candidate.pressure);
            let k = stiffness[side];
            let twin = |face: &Face<T>| {
                let off = (own.at_0 - face.in_region.at_0).abs();
                let most = TWIN * face.stiffness * reach;
                let turn = || (own.gradient - face.in_region.gradient).norm();
                off <= most && off + turn() * reach <= most
            };
            if self.faces.iter().any(twin) {
                continue;
            }
            let pressure_of = |side: usize, face: usize| {
                let plane = faces::plane(cores[side], face, &poses[side], inset);
                Linear {
                    gradient: plane.normal * T::from(-stiffness[side]),
                    at_0: plane.offset * stiffness[side],
                }
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
            self.faces.push(Face {
                side,
                values: pressure.values(),
                pressure,
                in_region: *own,
                stiffness: k,
                mixed,
            });
        }
    }

    /// The pressure of a face less that of another one.
    #[inline(always)]
    fn less(&self, one: usize, other: usize) -> Linear<T> {
        let [one, other] = [one, other].map(|face| &self.faces[face]);
        let of_pair = match (one.mixed, other.mixed) {
            (Some(a), Some(b)) => self.mixed[a].less(&self.mixed[b]),
            _ => None,
        };
        of_pair.unwrap_or_else(|| one.pressure.less(&other.pressure))
    }

    /// Cuts the polygon between the cells of two faces; none if the cells do not meet.
    fn cut(
        &mut self,
        (i, j): (usize, usize),
        least: [Option<usize>; 2],
        region: &Region,
    ) -> Option<Frame<T>> {
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
        let frame = Frame::between(&one.pressure, &other.pressure, &self.less(i, j));
        let origin = frame.origin.map(Real::value);
        let axes = frame.axes.map(|axis| axis.map(Real::value));
        self.polygon.start(region.reach());
        let count = self.faces.len();
        // Zero pressure bounds the facet too.
        if !self.polygon.cut(&one.values.half(&origin, &axes), count) {
            return None;
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
                return None;
            }
        }
        Some(frame)
    }

    /// Adds the corners of the polygon of face i and its pressures there; returns the index of the
    /// first.
    fn push_corners(&mut self, i: usize, frame: &Frame<T>) -> usize {
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
        let (start, count, first) = (self.corners.len(), self.polygon.len(), self.polygon.first());
        let pressure = one.half(&frame.origin, &frame.axes);
        for k in 0..count {
            let corner = self.polygon.corner((first + k) % count, &self.lines);
            self.corners.push(corner);
            self.pressures.push(pressure.at(corner));
        }
        start
    }
}

/// Room for the corners of facets, per face.
const CORNERS: usize = 12;
