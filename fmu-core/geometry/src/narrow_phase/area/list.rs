//! The faces of two convex bodies in one list, and the facets between them.
//!
//! The lesser pressure of both bodies is the least of all faces. The cells where one of them is the least are
//! convex, and where two cells meet lies a convex polygon, cut out of its plane by all other faces: a facet of
//! the patch, or a wall of one body. With N from i to j it adds (N.grad l_i/|grad l_i|^2 - N.grad l_j/|grad
//! l_j|^2)/2 times the integral of l^2 to the energy.
//!
//! A plane that represents [`flush`](crate::narrow_phase::area::flush) faces of both belongs to A by a part a
//! of its cell, so A's share of the pressure on a polygon is the difference of the parts of the cells on its
//! two sides: 1 for faces of A and 0 for those of B.

use crate::math::{Mat3, Pose, Real};
use crate::narrow_phase::area::cutting::Cutting;
use crate::narrow_phase::area::facet::PatchFacet;
use crate::narrow_phase::area::flush::{Flush, Mixed, Scale};
use crate::narrow_phase::area::nodes::Nodes;
use crate::narrow_phase::area::planes::Linear;
use crate::narrow_phase::area::region::Around;

/// Face of one of two convex bodies, or a plane of flush faces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listed<T: Real> {
    pressure: Linear<T>,
    values: Linear,
    /// Share of the first body.
    share: T,
    /// Number of the plane of flush faces, if it is one.
    mixed: Option<usize>,
}

#[derive(Clone, Debug)]
pub(super) struct FaceList<T: Real> {
    pub(super) faces: Vec<Listed<T>>,
    /// Differences of other faces from one, and their numbers.
    active: Vec<Linear<T>>,
    across: Vec<usize>,
    /// Planes of flush faces.
    pub(super) mixed: Vec<Mixed<T>>,
    /// Whether a face of a body is replaced by these.
    is_flush: [Vec<bool>; 2],
}

impl<T: Real> Default for FaceList<T> {
    fn default() -> Self {
        FaceList {
            faces: Vec::new(),
            active: Vec::new(),
            across: Vec::new(),
            mixed: Vec::new(),
            is_flush: [Vec::new(), Vec::new()],
        }
    }
}

/// Relative difference up to which two planes coincide: some rounding.
const TWIN: f64 = 1e-13;
/// Share of the radius of flush faces by which their common planes may lie outside both.
const SPARE: f64 = 4.0;

impl<T: Real> FaceList<T> {
    /// Capacity for this many faces.
    pub(super) fn reserve(&mut self, faces: usize) {
        self.faces.reserve(2 * faces);
        self.active.reserve(2 * faces);
        self.across.reserve(2 * faces);
        self.mixed.reserve(faces);
        self.is_flush
            .iter_mut()
            .for_each(|list| list.reserve(faces));
    }

    pub(super) fn clear(&mut self) {
        self.faces.clear();
        self.mixed.clear();
    }

    /// Replaces flush faces that may matter in a box by planes of both bodies; returns false if the bodies
    /// have no common points.
    pub(super) fn join(
        &mut self,
        faces: [&mut Vec<Linear<T>>; 2],
        scale: &Scale,
        poses: &[Pose<T>; 2],
        within: &Around,
    ) -> bool {
        let [one, two] = faces;
        let (mut within, spare) = (*within, SPARE * scale.softness());
        let faces = one.iter().chain(two.iter()).map(|face| {
            let face = face.values();
            Linear {
                at_0: face.at_0 + spare,
                ..face
            }
        });
        if !within.shrink_all(faces) {
            return false;
        }
        let bound = within.bound([&one[..], &two[..]]) + spare;
        let is_near = |face: &Linear<T>| within.range(&face.values())[0] < bound;
        let middles = scale.middles(poses);
        let middle_values = middles.map(|middle| middle.map(Real::value));
        for (is_flush, faces) in self.is_flush.iter_mut().zip([&*one, &*two]) {
            is_flush.clear();
            is_flush.resize(faces.len(), false);
        }
        for (i, face) in one.iter().enumerate() {
            if !is_near(face) {
                continue;
            }
            for (m, other) in two.iter().enumerate() {
                let values = [face.values(), other.values()];
                let ends = scale.ends(values.each_ref(), &middle_values);
                if ends.is_empty() || !is_near(other) {
                    continue;
                }
                for end in ends {
                    let flush = Flush {
                        faces: [i, m],
                        end: *end,
                    };
                    let pair = [*face, *other];
                    self.mixed.push(Mixed::new(pair, &middles, *scale, flush));
                }
                self.is_flush[0][i] = true;
                self.is_flush[1][m] = true;
            }
        }
        if !self.mixed.is_empty() {
            for (is_flush, faces) in self.is_flush.iter().zip([one, two]) {
                let mut is_flush = is_flush.iter();
                faces.retain(|_| is_flush.next() == Some(&false));
            }
        }
        true
    }

    /// Lists the faces of both convex bodies, and planes of flush ones, that can have the least pressure in a
    /// box: below `bound`. Of those in one plane one is enough.
    pub(super) fn make(&mut self, faces: [&[Linear<T>]; 2], within: &Around, bound: f64) {
        let [one, two] = faces;
        let mixed = self.mixed.iter().enumerate();
        let mixed = mixed.map(|(number, mixed)| (mixed.pressure, mixed.share, Some(number)));
        let one = one.iter().map(|face| (*face, T::one(), None));
        let two = two.iter().map(|face| (*face, T::zero(), None));
        for (pressure, share, mixed) in one.chain(two).chain(mixed) {
            let values = pressure.values();
            let is_twin = |other: &Listed<T>| {
                let apart = values.less(&other.values);
                let size = TWIN * within.reach() * values.gradient.norm();
                mixed.is_none() && within.range(&apart).iter().all(|off| off.abs() <= size)
            };
            if within.range(&values)[0] < bound && !self.faces.iter().any(is_twin) {
                self.faces.push(Listed {
                    pressure,
                    values,
                    share,
                    mixed,
                });
            }
        }
    }

    /// Adds the facets, and returns the energy [J].
    pub(super) fn find(
        &mut self,
        within: &Around,
        cutting: &mut Cutting<T>,
        facets: &mut Vec<PatchFacet<T>>,
    ) -> T {
        (0..self.faces.len()).fold(T::zero(), |sum, number| {
            sum + self.add_border(number, within, cutting, facets)
        })
    }

    /// Appends the nodes of planes of flush faces; `axes` are those of the coordinates.
    pub(super) fn push_nodes(&self, axes: &Mat3<T>, nodes: &mut Nodes<T>) {
        for mixed in &self.mixed {
            mixed.push_nodes(axes, nodes);
        }
    }

    /// Adds the facets between a face of the list and later ones, where the pressures of both are the least of
    /// all, and returns their energy.
    fn add_border(
        &mut self,
        number: usize,
        within: &Around,
        cutting: &mut Cutting<T>,
        facets: &mut Vec<PatchFacet<T>>,
    ) -> T {
        let mut energy = T::zero();
        let own = self.faces[number];
        let mut around = *within;
        let others = self.faces.iter().enumerate();
        let others = others.filter(|(other, _)| *other != number);
        let all = others
            .clone()
            .map(|(_, other)| other.values.less(&own.values));
        if !around.shrink(&own.values) || !around.shrink_all(all) {
            return energy;
        }
        self.active.clear();
        self.across.clear();
        for (number, other) in others {
            if around.range(&other.values.less(&own.values))[0] < 0.0 {
                self.across.push(number);
                self.active.push(match (other.mixed, own.mixed) {
                    (Some(one), Some(other)) => self.mixed[one].less(&self.mixed[other]),
                    _ => other.pressure.less(&own.pressure),
                });
            }
        }
        for wall in 0..self.active.len() {
            if self.across[wall] < number {
                continue;
            }
            let start = cutting.corners.places.len();
            let cell = [&[own.pressure][..], &self.active, &[]];
            let Some(mut facet) = cutting.wall(wall, cell, &around) else {
                continue;
            };
            let corners = &mut cutting.corners;
            let across = &self.faces[self.across[wall]];
            let squares = facet.load.squares;
            let normal = facet.frame.normal;
            let [out, back] = [own.pressure, across.pressure].map(|of| {
                let gradient = &of.gradient;
                normal.dot(gradient) / gradient.dot(gradient)
            });
            energy += squares * (out - back) * 0.5;
            let is_mixed = own.mixed.is_some() || across.mixed.is_some();
            if is_mixed {
                let (force, moment) = facet.pressed();
                for (mixed, along) in [(own.mixed, out), (across.mixed, -back)] {
                    if let Some(mixed) = mixed {
                        self.mixed[mixed].add_facet(force, moment, squares, along);
                    }
                }
            }
            let part = own.share - across.share;
            if part.value() != 0.0 {
                facet.carry(part, corners);
                facets.push(facet);
            } else {
                corners.truncate(start);
            }
        }
        energy
    }
}
