//! The patch of a box, hull or mesh A that presses on a single plane of the other body B, and its energy: a face
//! on a floor, an edge or a corner on a face.
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
//!
//! A mesh presses cell by cell: with e the excess of l_B over the pressure l of a cell, the corners of a polygon
//! are where e = 0 on edges of the cell, and e < 0 at its bottom. Where l <= l_B the cell is the hull of the polygon
//! and of the feet of its corners, where l = 0 on the same edges. For the point x_0 of a foot, div(l (x - x_0)) =
//! 4 l, so 4 times the integral of l dV is (x - x_0).N times the force on the polygon, and the same over the walls.

use crate::math::{Pose, Real, Vec3};
use crate::narrow_phase::area::cells::depth_in;
use crate::narrow_phase::area::facet::{NOTHING, PlaneFacet, PlaneLoad, PressedCorner, opposite};
use crate::narrow_phase::area::nodes::{Extent, Nodes};
use crate::narrow_phase::area::planes::{Linear, Stiffness, face_count, layer, plane, size};
use crate::narrow_phase::area::section::{
    Walk, corner_count, for_each_corner, for_each_face_at, for_each_vertex, inset_corner,
    largest_offset, offset,
};
use crate::shapes::mesh::cells::Cells;
use crate::shapes::mesh::tree::TreeNode;
use crate::shapes::{Aabb, Core};
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
    /// Of one cell of a mesh.
    edges: Vec<CellEdge<T>>,
    feet: Vec<Vec3<T>>,
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
            edges: Vec::new(),
            feet: Vec::new(),
            near: Vec::new(),
        }
    }
}

/// Corner of a polygon in a cell, and its foot.
#[derive(Clone, Copy, Debug)]
struct CellCorner<T: Real> {
    pressed: PressedCorner<T>,
    foot: Vec3<T>,
}

/// Edge of a cell that begins at a corner of its face, where l = 0.
#[derive(Clone, Copy, Debug)]
struct CellEdge<T: Real> {
    point: Vec3,
    /// Displacement for each depth.
    ray: Vec3,
    /// e at the point, and its decrease along the ray.
    excess: T,
    rate: T,
    /// Increase of l along the ray.
    steepness: f64,
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
    /// Unit normal of the polygon of a cell whose pressure has this slope, out of the cell; `None` if both pressures
    /// have the same.
    fn normal(&self, slope: &Vec3) -> Option<Vec3<T>> {
        let apart = slope.map(T::from) - self.other.gradient;
        let (size, k) = (apart.dot(&apart), self.stiffness);
        (size.value() > 1e-24 * k * k).then(|| apart * size.sqrt().recip())
    }

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
                // Of a wide one most is elsewhere.
                Core::Mesh(mesh) if side == small => mesh.bounds().middle(),
                _ => return None,
            };
            if matches!(cores[other], Core::Mesh(_)) {
                return None;
            }
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
            for near in &mut self.near {
                near.at_0 -= spare;
            }
            self.corners.clear();
            self.flat.clear();
            self.facets.clear();
            let energy = match cores[side] {
                Core::Mesh(mesh) => self.press(&pressing, mesh.cells())?,
                _ if !self.sink(&pressing)? => return Some(T::zero()),
                _ if self.sunk.iter().all(|sunk| self.is_clear(&sunk.point, 0.0)) => {
                    self.add_facets(&pressing)?
                }
                _ => return None,
            };
            let all = self.near.is_empty()
                || self.corners.iter().all(|corner| {
                    self.is_clear(&corner.point.map(Real::value), corner.pressure.value())
                });
            all.then(|| {
                self.push_nodes(&pressing, side, nodes);
                energy
            })
        })
    }

    /// Returns true if no other plane of B has so low a pressure at a point.
    fn is_clear(&self, point: &Vec3, pressure: f64) -> bool {
        self.near.iter().all(|near| near.at(point) >= pressure)
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
            let normal = own.normal(&slope)?;
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

    /// Finds the facets of a mesh and returns the energy [J]; `None` if one reaches the bottom of a cell, or a corner
    /// beside the plane.
    fn press(&mut self, own: &Pressing<'_, T>, cells: &Cells) -> Option<T> {
        let other = own.other.values();
        let reaches = |bounds: &Aabb| {
            let (middle, off) = other.range(&bounds.middle(), &bounds.half());
            middle + off > 0.0
        };
        let mut energy = Some(T::zero());
        let enters = |node: &TreeNode| reaches(&node.around_cells());
        cells.tree.for_each_leaf(enters, |leaf| {
            for face in cells.tree.faces(leaf) {
                let of = &cells.faces[face];
                if reaches(&of.bounds.wide()) {
                    energy = energy.and_then(|sum| {
                        let more = match of.depth > 0.0 {
                            true => self.press_prism(own, cells, face),
                            false => self.press_tetrahedra(own, cells, face),
                        };
                        Some(sum + more?)
                    });
                }
            }
        });
        energy
    }

    /// Adds the facet of a face with one cell, and returns its energy [J].
    fn press_prism(&mut self, own: &Pressing<'_, T>, cells: &Cells, face: usize) -> Option<T> {
        let (of, k) = (&cells.faces[face], own.stiffness);
        let depth = of.depth - own.inset;
        if depth <= 0.0 {
            return Some(T::zero());
        }
        self.edges.clear();
        let mut is_apart = true;
        for corner in cells.corners(face) {
            let vertex = cells.vertex(*corner);
            let (point, ray) = (vertex.below(own.inset), -vertex.offset);
            let excess = own.other.at(&point.map(T::from));
            let steepness = -of.normal.dot(&ray) * k;
            let rate = -own.other.gradient.dot(&ray.map(T::from)) + steepness;
            if (excess - rate * depth).value() >= 0.0 {
                return None;
            }
            if excess.value() > 0.0 {
                is_apart = false;
                if !self.is_clear(&point, 0.0) {
                    return None;
                }
            }
            self.edges.push(CellEdge {
                point,
                ray,
                excess,
                rate,
                steepness,
            });
        }
        if is_apart {
            return Some(T::zero());
        }
        let start = self.corners.len();
        self.feet.clear();
        for (k, one) in self.edges.iter().enumerate() {
            let two = self.edges.get(k + 1).unwrap_or(&self.edges[0]);
            let is_in = [one, two].map(|edge| edge.excess.value() > 0.0);
            if is_in[0] {
                let depth = one.excess / one.rate;
                let foot = one.point.map(T::from);
                self.corners.push(PressedCorner {
                    point: foot + one.ray.map(|ray| depth * ray),
                    pressure: depth * one.steepness,
                });
                self.feet.push(foot);
            }
            if is_in[0] != is_in[1] {
                let [inside, outside] = if is_in[0] { [one, two] } else { [two, one] };
                let (point, _) = own.leaving([&inside.point, &outside.point]);
                let pressure = T::zero();
                self.corners.push(PressedCorner { point, pressure });
                self.feet.push(point);
            }
        }
        self.add_cell(own, start, &(of.normal * -k))
    }

    /// Adds the facets of a face with three cells, and returns their energy [J].
    fn press_tetrahedra(&mut self, own: &Pressing<'_, T>, cells: &Cells, face: usize) -> Option<T> {
        let (k, inset) = (own.stiffness, own.inset);
        let excess = |point: &Vec3, depth: f64| {
            own.other.at(&point.map(T::from)) - T::from(k * (depth - inset))
        };
        let mut is_apart = true;
        for corner in cells.corners(face) {
            let vertex = cells.vertex(*corner);
            if excess(&vertex.inner(), vertex.thickness).value() >= 0.0 {
                return None;
            }
            if excess(&vertex.point, 0.0).value() > 0.0 {
                is_apart = false;
                if !self.is_clear(&vertex.point, 0.0) {
                    return None;
                }
            }
        }
        if is_apart {
            return Some(T::zero());
        }
        let mut energy = T::zero();
        for part in 0..3 {
            let corners = cells.tetrahedron(face, part);
            let above = corners.map(|(point, depth)| excess(&point, depth));
            let (section, count) = section_of(&corners, &above);
            let corner = |[i, j]: [usize; 2]| {
                let [(from, _), (to, depth)] = [i, j].map(|k| corners[k]);
                let part = above[i] / (above[i] - above[j]);
                let (point, way) = (from.map(T::from), to - from);
                let at = point + way.map(|x| part * x);
                CellCorner {
                    pressed: PressedCorner {
                        point: at,
                        pressure: part * (k * depth) - T::from(k * inset),
                    },
                    foot: match depth > 0.0 {
                        true => point + (way * (inset / depth)).map(T::from),
                        false => at,
                    },
                }
            };
            let start = self.corners.len();
            self.feet.clear();
            let mut before = None;
            for edge in section[..count]
                .iter()
                .rev()
                .take(1)
                .chain(&section[..count])
            {
                let next = corner(*edge);
                if let Some(before) = before {
                    self.clip(&before, &next);
                }
                before = Some(next);
            }
            if self.feet.len() >= 3 {
                let slope = depth_in(&corners).gradient * k;
                energy += self.add_cell(own, start, &slope)?;
            } else {
                self.corners.truncate(start);
            }
        }
        Some(energy)
    }

    /// Appends the second of two corners in a row if its pressure is not negative, and the place between them where
    /// the pressure is zero.
    fn clip(&mut self, one: &CellCorner<T>, two: &CellCorner<T>) {
        let [p, q] = [one, two].map(|corner| corner.pressed.pressure);
        if (p.value() < 0.0) != (q.value() < 0.0) {
            let [from, to] = [one, two].map(|corner| corner.pressed.point);
            let point = from + (to - from) * (p / (p - q));
            let pressure = T::zero();
            self.corners.push(PressedCorner { point, pressure });
            self.feet.push(point);
        }
        if q.value() >= 0.0 {
            self.corners.push(two.pressed);
            self.feet.push(two.foot);
        }
    }

    /// Adds the facet of a cell of a mesh with the corners from `start` on, under a pressure with this slope, and
    /// returns its energy [J].
    fn add_cell(&mut self, own: &Pressing<'_, T>, start: usize, slope: &Vec3) -> Option<T> {
        let normal = own.normal(slope)?;
        let facet = self.flatten(start, normal, slope);
        let (corners, feet) = (&self.corners[start..], &self.feet);
        let origin = feet[0];
        let mut walls = T::zero();
        // Those of the first corner contain the origin.
        for k in 1..corners.len() - 1 {
            let ([one, two], foot) = ([corners[k], corners[k + 1]], feet[k]);
            let (up, across) = (one.point - foot, two.point - foot);
            let first = up.cross(&across) * (one.pressure + two.pressure);
            let second = across.cross(&(feet[k + 1] - foot)) * two.pressure;
            walls += (foot - origin).dot(&(first + second));
        }
        let top = normal.dot(&(corners[0].point - origin)) * facet.load.force;
        let under = (top + walls * (1.0 / 6.0)) * 0.25;
        let (k, squares) = (own.other_stiffness, facet.load.squares);
        self.facets.push(facet);
        Some(under - squares * normal.dot(&own.other.gradient) * (0.5 / (k * k)))
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

/// Edges of a tetrahedron from a corner where a function is positive to one where it is not, around the polygon
/// between them, counter-clockwise seen from the positive ones; and their number.
fn section_of<T: Real>(corners: &[(Vec3, f64); 4], values: &[T; 4]) -> ([[usize; 2]; 4], usize) {
    let (mut order, mut count) = ([0; 4], 0);
    for positive in [true, false] {
        for (k, value) in values.iter().enumerate() {
            if (value.value() > 0.0) == positive {
                order[count] = k;
                count += 1;
            }
        }
    }
    let positive = values.iter().filter(|value| value.value() > 0.0).count();
    let [i, j, k, l] = order;
    let (mut edges, count) = match positive {
        1 => ([[i, j], [i, k], [i, l], [i, l]], 3),
        2 => ([[i, k], [i, l], [j, l], [j, k]], 4),
        3 => ([[i, l], [j, l], [k, l], [k, l]], 3),
        _ => return ([[0; 2]; 4], 0),
    };
    let [o, x, y, z] = order.map(|k| corners[k].0);
    if (x - o).cross(&(y - o)).dot(&(z - o)) > 0.0 {
        edges[..count].reverse();
    }
    (edges, count)
}
