//! The patch of a box or hull A that presses on a single plane of the other body B, and its energy: a face on
//! a floor, an edge or a corner on a face.
//!
//! All in the frame of A, where its corners are constants. With l_B = c + g.x the pressure of the plane, a
//! corner b of A that lies in B, c + g.b > 0, moves inwards along -m, n.m = 1 for the normals of all faces
//! there, to q = b - t m where both pressures are equal, t = (c + g.b)/(k_A + g.m). An edge of A that leaves B
//! does so in x with c + g.x = 0. The polygon between the cell of a face and that of the plane has these q and
//! x as corners: each is found once from constants, no polygon is cut.
//!
//! - energy of the patch: as for [`layers`](crate::narrow_phase::area::layers)
//! - of the walls of A: the one through an edge of the length L along e, with the angle theta between both
//!   normals, is a quadrilateral from its ends to the points of the pressures p and q on the rays of m and m';
//!   in both cells together it adds tan(theta/2)/(12 k_A^2) times
//!   L (p + q) (p^2 + q^2) - p q (p^2 + p q + q^2) (m' - m).e/k_A
//!
//! That is all if no other plane of B is the least at any of these points, and none of A's edges has lost its
//! length at the largest t.

use crate::math::{Pose, Real, Vec3};
use crate::narrow_phase::area::facet::{NOTHING, PlaneFacet, PlaneLoad, PressedCorner, opposite};
use crate::narrow_phase::area::nodes::{Extent, Nodes};
use crate::narrow_phase::area::planes::{Linear, Stiffness, face_count, layer, plane, size};
use crate::narrow_phase::area::section::{
    Walk, corner_count, for_each_corner, for_each_face_at, for_each_vertex, inset_corner,
    largest_offset, offset,
};
use crate::shapes::Core;
use std::ops::Range;

/// Distance that other planes of B have from the patch, over the size of A: more than the range in which
/// [`flush`](crate::narrow_phase::area::flush) faces are one.
const CLEAR: f64 = 0.01;

/// Corner of A that lies in B.
#[derive(Clone, Copy, Debug)]
struct Sunk<T: Real> {
    /// Where its pressures begin.
    point: Vec3,
    /// Where both are equal.
    pressed: PressedCorner<T>,
}

/// Corner of a face.
#[derive(Clone, Copy, Debug)]
struct FloorCorner {
    number: usize,
    /// Its place in the list of those that lie in B, and one; zero if it does not.
    sunk: u32,
    /// The face across the edge that begins here.
    across: usize,
}

impl FloorCorner {
    fn is_sunk(&self) -> bool {
        self.sunk > 0
    }
}

/// Polygon between a face of A and the plane, in the frame of A.
#[derive(Clone, Debug)]
struct FloorFacet<T: Real> {
    /// Range of its corners.
    corners: Range<usize>,
    middle: PressedCorner<T>,
    /// Unit normal out of A's cell.
    normal: Vec3<T>,
    axes: [Vec3<T>; 2],
    /// Slope of the pressure along the axes.
    gradient: [T; 2],
    load: PlaneLoad<T>,
}

#[derive(Clone, Debug)]
pub(super) struct SingleWork<T: Real> {
    sunk: Vec<Sunk<T>>,
    /// Of all corners of A, as in [`FloorCorner`].
    places: Vec<u32>,
    /// Faces of A that have one of these.
    pressed: Vec<u32>,
    is_pressed: Vec<bool>,
    walk: Walk,
    ring: Vec<FloorCorner>,
    corners: Vec<PressedCorner<T>>,
    /// The same along the axes of their facet, from its middle.
    flat: Vec<([T; 2], T)>,
    facets: Vec<FloorFacet<T>>,
    /// Other planes of B near A.
    near: Vec<Linear>,
}

impl<T: Real> Default for SingleWork<T> {
    fn default() -> Self {
        SingleWork {
            sunk: Vec::new(),
            places: Vec::new(),
            pressed: Vec::new(),
            is_pressed: Vec::new(),
            walk: Walk::default(),
            ring: Vec::new(),
            corners: Vec::new(),
            flat: Vec::new(),
            facets: Vec::new(),
            near: Vec::new(),
        }
    }
}

/// A, placed.
struct Pressing<'a, T: Real> {
    core: &'a Core,
    pose: &'a Pose<T>,
    stiffness: f64,
    inset: f64,
    /// l_B in its frame.
    other: Linear<T>,
    other_stiffness: f64,
}

/// Pressure of a face of the second body in the frame of the first.
fn pressure<T: Real>(
    core: &Core,
    face: usize,
    [own, other]: [&Pose<T>; 2],
    inset: f64,
    k: f64,
) -> Linear<T> {
    let plane = plane(core, face, other, inset);
    Linear {
        gradient: own.rotation.tr_mul(&(plane.normal * T::from(-k))),
        at_0: (plane.offset - plane.normal.dot(&own.position)) * k,
    }
}

/// Normal of a face of A.
fn outward_normal(core: &Core, face: usize) -> Vec3 {
    match core {
        Core::Hull(hull) => *hull.faces().plane(face).0,
        _ => {
            let mut normal = Vec3::zeros();
            normal[face / 2] = if face.is_multiple_of(2) { 1.0 } else { -1.0 };
            normal
        }
    }
}

impl<T: Real> Pressing<'_, T> {
    /// Where an edge between two points leaves B, and the distance from the first over its length.
    fn leaving(&self, [one, two]: [&Vec3; 2]) -> (Vec3<T>, T) {
        let (from, to) = (one.map(T::from), two.map(T::from));
        let (height, beyond) = (self.other.at(&from), self.other.at(&to));
        let part = height / (height - beyond);
        (from + (two - one).map(|x| part * x), part)
    }
}

impl<T: Real> SingleWork<T> {
    /// Capacity for two bodies with this many faces together.
    pub(super) fn reserve(&mut self, faces: usize) {
        // Three faces and more meet in a vertex, two on an edge.
        self.sunk.reserve(2 * faces);
        self.places.reserve(2 * faces);
        self.pressed.reserve(faces);
        self.is_pressed.reserve(faces);
        self.walk.reserve(2 * faces);
        self.ring.reserve(2 * faces);
        self.corners.reserve(8 * faces);
        self.flat.reserve(8 * faces);
        self.facets.reserve(faces);
        self.near.reserve(faces);
    }

    /// Appends the nodes of two bodies whose faces are moved inwards by `inset` >= 0 [m], and returns the
    /// energy [J]; `None` if one does not press on a single plane of the other.
    pub(super) fn find(
        &mut self,
        cores: [&Core; 2],
        poses: &[Pose<T>; 2],
        stiffness: Stiffness,
        inset: f64,
        nodes: &mut Nodes<T>,
    ) -> Option<T> {
        let small = usize::from(size(cores[1]) < size(cores[0]));
        let sides = [small, 1 - small];
        sides.into_iter().find_map(|side| {
            let other = 1 - side;
            let middle = match cores[side] {
                Core::Box(_) => Vec3::zeros(),
                Core::Hull(hull) if hull.layer().is_exact => hull.faces().center,
                _ => return None,
            };
            // The nearest plane of the other body.
            let values = [0, 1].map(|side| poses[side].values());
            let at = values[side].position + values[side].rotation * middle;
            let depth = |face: usize| {
                let plane = plane(cores[other], face, &values[other], inset);
                plane.offset - plane.normal.dot(&at)
            };
            let mut nearest = (f64::INFINITY, 0);
            for face in 0..face_count(cores[other]) {
                let depth = depth(face);
                if depth < nearest.0 {
                    nearest = (depth, face);
                }
            }
            let k = stiffness[other];
            let pressing = Pressing {
                core: cores[side],
                pose: &poses[side],
                stiffness: stiffness[side],
                inset,
                other: pressure(
                    cores[other],
                    nearest.1,
                    [side, other].map(|k| &poses[k]),
                    inset,
                    k,
                ),
                other_stiffness: k,
            };
            if !self.sink(&pressing)? {
                return Some(T::zero());
            }
            let reach = 3f64.sqrt() * size(cores[side]) + middle.norm();
            self.near.clear();
            for face in (0..face_count(cores[other])).filter(|face| *face != nearest.1) {
                // The others are beside all of A.
                if depth(face) < 2.0 * reach {
                    let poses = [side, other].map(|side| &values[side]);
                    self.near
                        .push(pressure(cores[other], face, poses, inset, k));
                }
            }
            let spare = CLEAR * k * size(cores[side]);
            let is_clear =
                |near: &Linear, point: &Vec3, pressure: f64| near.at(point) >= pressure + spare;
            for sunk in &self.sunk {
                if !self
                    .near
                    .iter()
                    .all(|near| is_clear(near, &sunk.point, 0.0))
                {
                    return None;
                }
            }
            let energy = self.add_facets(&pressing)?;
            let all = self.near.is_empty()
                || self.corners.iter().all(|corner| {
                    let (point, pressure) =
                        (corner.point.map(Real::value), corner.pressure.value());
                    self.near
                        .iter()
                        .all(|near| is_clear(near, &point, pressure))
                });
            all.then(|| {
                self.push_nodes(&pressing, side, nodes);
                energy
            })
        })
    }

    /// Loads the corners of A that lie in B, and the faces there; returns false if none does, `None` if polygons may
    /// have others.
    fn sink(&mut self, own: &Pressing<'_, T>) -> Option<bool> {
        let (k, other) = (own.stiffness, own.other.values());
        self.sunk.clear();
        self.places.clear();
        self.places.resize(corner_count(own.core), 0);
        self.pressed.clear();
        self.is_pressed.clear();
        self.is_pressed.resize(face_count(own.core), false);
        // Change of the pressure of the plane for each depth, at most.
        let steepest = other.gradient.norm() * largest_offset(own.core);
        let (mut deepest, mut highest, mut is_simple) = (0.0_f64, f64::NEG_INFINITY, true);
        let (pressed, is_pressed) = (&mut self.pressed, &mut self.is_pressed);
        self.walk
            .down(own.core, &other.gradient, |vertex, corners| {
                let height = other.at(vertex);
                let is_near = height > -steepest * own.inset;
                let mut is_out = !is_near;
                if is_near {
                    for corner in corners {
                        let m = offset(own.core, corner);
                        let point = vertex - m * own.inset;
                        let (height, rate) = (other.at(&point), k + other.gradient.dot(&m));
                        if height <= 0.0 {
                            is_out = true;
                            continue;
                        }
                        is_simple &= rate > 0.0;
                        deepest = deepest.max(height / rate);
                        let at = point.map(T::from);
                        let rate = own.other.gradient.dot(&m.map(T::from)) + k;
                        let depth = own.other.at(&at) / rate;
                        self.sunk.push(Sunk {
                            point,
                            pressed: PressedCorner {
                                point: at - m.map(|m| depth * m),
                                pressure: depth * k,
                            },
                        });
                        self.places[corner] = self.sunk.len() as u32;
                        for_each_face_at(own.core, corner, |face| {
                            if !std::mem::replace(&mut is_pressed[face], true) {
                                pressed.push(face as u32);
                            }
                        });
                    }
                }
                if is_out {
                    highest = highest.max(height);
                }
                is_near
            });
        if self.sunk.is_empty() {
            return Some(false);
        }
        let bottom = deepest + own.inset;
        if !is_simple || bottom >= layer(own.core) {
            return None;
        }
        // Corners outside of B stay above the plane as they move inwards.
        let far = -steepest * bottom;
        let mut stays = true;
        if highest >= far {
            for_each_vertex(own.core, |vertex, corners| {
                let height = other.at(vertex);
                for corner in corners {
                    let slope = other.gradient.dot(&offset(own.core, corner));
                    stays &= self.places[corner] > 0
                        || height < far
                        || height - slope * own.inset < (k + slope) * deepest;
                }
            });
        }
        stays.then_some(true)
    }

    /// Finds the facets and returns the energy [J].
    fn add_facets(&mut self, own: &Pressing<'_, T>) -> Option<T> {
        let (k, k_other) = (own.stiffness, own.other_stiffness);
        let [per_own, per_other] = [k, k_other].map(|k| 1.0 / (k * k));
        self.corners.clear();
        self.flat.clear();
        self.facets.clear();
        let (mut squares, mut walls) = (T::zero(), T::zero());
        self.pressed.sort_unstable();
        for number in 0..self.pressed.len() {
            let face = self.pressed[number] as usize;
            self.ring.clear();
            for_each_corner(own.core, face, |number, _, _, across| {
                self.ring.push(FloorCorner {
                    number,
                    sunk: self.places[number],
                    across,
                });
            });
            let outward = outward_normal(own.core, face);
            let slope = outward * -k;
            let apart = slope.map(T::from) - own.other.gradient;
            let size = apart.dot(&apart);
            if size.value() <= 1e-24 * k * k {
                return None;
            }
            let normal = apart * size.sqrt().recip();
            let start = self.corners.len();
            walls += self.add_corners(own, face, &outward);
            let facet = self.flatten(start, normal, &slope);
            let along = (slope * per_own).map(T::from) - own.other.gradient * T::from(per_other);
            squares += facet.load.squares * normal.dot(&along);
            self.facets.push(facet);
        }
        Some(squares * 0.5 + walls * (1.0 / (12.0 * k * k)))
    }

    /// Facet with a normal and the corners from `start` on, under a pressure with this slope.
    #[inline(always)]
    fn flatten(&mut self, start: usize, normal: Vec3<T>, slope: &Vec3) -> FloorFacet<T> {
        let corners = &self.corners[start..];
        let count = corners.len();
        let sum = opposite(count, [T::zero(); 4], |k| {
            let [x, y, z] = corners[k].point.into();
            [x, y, z, corners[k].pressure]
        });
        let [x, y, z, pressure] = sum.map(|sum| sum * (1.0 / count as f64));
        let point = Vec3::new(x, y, z);
        let least = normal.map(Real::value).iamin();
        let mut first = normal * -normal[least];
        first[least] += T::one();
        let first = first * first[least].sqrt().recip();
        // Counter-clockwise seen from outside of A.
        let axes = [first, first.cross(&normal)];
        let along = |v: &Vec3<T>| axes.each_ref().map(|axis| axis.dot(v));
        self.flat.extend(
            corners
                .iter()
                .map(|corner| (along(&(corner.point - point)), corner.pressure)),
        );
        let flat = &self.flat[start..];
        FloorFacet {
            corners: start..start + count,
            middle: PressedCorner { point, pressure },
            normal,
            gradient: along(&slope.map(T::from)),
            load: PlaneLoad::of(pressure, count, |k| flat[k]),
            axes,
        }
    }

    /// Appends the corners of the polygon of a face, and returns the part of its walls to faces with higher
    /// numbers, times 12 k^2.
    fn add_corners(&mut self, own: &Pressing<'_, T>, face: usize, outward: &Vec3) -> T {
        let (ring, core) = (&self.ring[..], own.core);
        let sunk = |corner: &FloorCorner| &self.sunk[corner.sunk as usize - 1];
        let mut walls = T::zero();
        for (k, one) in ring.iter().enumerate() {
            let two = ring.get(k + 1).unwrap_or(&ring[0]);
            let across = one.across;
            if one.is_sunk() {
                self.corners.push(sunk(one).pressed);
            }
            let mut wall = None;
            match (one.is_sunk(), two.is_sunk()) {
                (true, true) => {
                    if face < across {
                        let ends = [one, two].map(sunk);
                        let [p, q] = ends.map(|corner| corner.pressed.pressure);
                        let edge = ends[1].point - ends[0].point;
                        // Along the edge; where the faces of a vertex part, it grows from nothing.
                        let turn = offset(core, two.number) - offset(core, one.number);
                        let sign = if turn.dot(&edge) > 0.0 { 1.0 } else { -1.0 };
                        let turn = turn.norm() * (sign / own.stiffness);
                        let square = p * p + q * q;
                        let long = (p + q) * square * edge.norm();
                        wall = Some(long - p * q * turn * (square + p * q));
                    }
                }
                (false, false) => (),
                (is_first, _) => {
                    let [inside, outside] = if is_first { [one, two] } else { [two, one] };
                    let (inside, outside) =
                        (sunk(inside), inset_corner(core, outside.number, own.inset));
                    let (point, part) = own.leaving([&inside.point, &outside]);
                    let pressure = T::zero();
                    self.corners.push(PressedCorner { point, pressure });
                    if face < across {
                        let p = inside.pressed.pressure;
                        let length = (outside - inside.point).norm();
                        wall = Some(p * p * p * part * length);
                    }
                }
            }
            if let Some(wall) = wall {
                walls += match core {
                    Core::Box(_) => wall,
                    _ => {
                        let cosine = outward_normal(core, across).dot(outward);
                        wall * ((1.0 - cosine) / (1.0 + cosine)).sqrt()
                    }
                };
            }
        }
        walls
    }

    fn push_nodes(&self, own: &Pressing<'_, T>, side: usize, nodes: &mut Nodes<T>) {
        let forces = self.facets.iter().map(|facet| facet.load.force.value());
        let total: f64 = forces.sum();
        let rotation = &own.pose.rotation;
        let sign = if side == 0 { -1.0 } else { 1.0 };
        for facet in &self.facets {
            let share = facet.load.force.value() / total;
            // Not of a total of zero, either.
            if share.is_nan() || share <= NOTHING {
                continue;
            }
            let flat = &self.flat[facet.corners.clone()];
            let plane = PlaneFacet {
                middle: own.pose.position + rotation * facet.middle.point,
                axes: facet.axes.map(|axis| rotation * axis),
                normal: rotation * facet.normal * T::from(sign),
                pressure: facet.middle.pressure,
                gradient: facet.gradient,
                corners: flat.len(),
            };
            plane.push(&facet.load, share, |k| flat[k], nodes);
        }
        nodes.end_facet(Extent::Nodes);
    }
}
