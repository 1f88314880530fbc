//! The patch of a box, hull or mesh A that presses on a single plane of the other body B, and its energy: a face
//! on a floor, an edge or a corner on a face.
//!
//! All in the frame of A, where its corners are constants. With l_B = c + g.x the pressure of the plane and e its
//! excess over the pressure l of a cell of A, the corners of the polygon between both are where e = 0 on edges of
//! the cell, e < 0 at its bottom: each is found from constants. From a corner b of A an edge goes
//! inwards along -m, n.m = 1 for the normals of all faces there, to q = b - t m, t = e(b)/(k_A + g.m).
//!
//! Where l <= l_B the cell is the hull of the polygon and of the feet of its corners, where l = 0 on the same edges.
//! For the point x_0 of a foot, div(l (x - x_0)) = 4 l, so 4 times the integral of l dV is (x - x_0).N times the
//! force on the polygon, and the same over the walls. That of l_B is as for
//! [`layers`](crate::narrow_phase::area::layers).
//!
//! That is all if no other plane of B is the least at any of these points, and no polygon reaches the bottom of a
//! cell.

use crate::math::{Pose, Real, Vec3};
use crate::narrow_phase::area::cells::depth_in;
use crate::narrow_phase::area::facet::{NOTHING, PlaneFacet, PlaneLoad, PressedCorner, opposite};
use crate::narrow_phase::area::nodes::{Extent, Nodes};
use crate::narrow_phase::area::planes::{Linear, Stiffness, face_count, layer, plane, size};
use crate::narrow_phase::area::section::{
    Walk, for_each_corner, for_each_face_at, largest_offset, offset,
};
use crate::shapes::mesh::cells::Cells;
use crate::shapes::mesh::tree::TreeNode;
use crate::shapes::{Aabb, Core};
use std::cell::Cell;
use std::ops::Range;

/// Distance that other planes of B have from the patch, over the size of A: more than the range in which
/// [`flush`](crate::narrow_phase::area::flush) faces are one.
const CLEAR: f64 = 0.01;

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
    /// Faces of a convex A that have a corner in B.
    pressed: Vec<u32>,
    is_pressed: Vec<bool>,
    walk: Walk,
    corners: Vec<PressedCorner<T>>,
    /// The same along the axes of their facet, from its middle.
    flat: Vec<([T; 2], T)>,
    facets: Vec<FloorFacet<T>>,
    /// Of one cell.
    edges: Vec<CellEdge<T>>,
    feet: Vec<Vec3<T>>,
    /// Other planes of B near A.
    near: Vec<Linear>,
}

impl<T: Real> Default for SingleWork<T> {
    fn default() -> Self {
        SingleWork {
            pressed: Vec::new(),
            is_pressed: Vec::new(),
            walk: Walk::default(),
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

    /// Edge of the cell below a face that begins at a corner of A before that is moved inwards.
    #[inline(always)]
    fn edge(&self, corner: &Vec3, offset: &Vec3, normal: &Vec3) -> CellEdge<T> {
        let point = corner - offset * self.inset;
        let steepness = normal.dot(offset) * self.stiffness;
        CellEdge {
            point,
            ray: -offset,
            excess: self.other.at(&point.map(T::from)),
            rate: self.other.gradient.dot(&offset.map(T::from)) + steepness,
            steepness,
        }
    }
}

impl<T: Real> SingleWork<T> {
    /// Capacity for two bodies with this many faces together.
    pub(super) fn reserve(&mut self, faces: usize) {
        // Three faces and more meet in a vertex, two on an edge.
        self.pressed.reserve(faces);
        self.is_pressed.reserve(faces);
        self.walk.reserve(2 * faces);
        self.edges.reserve(2 * faces);
        self.feet.reserve(4 * faces);
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
                Core::Mesh(mesh) if size(cores[side]) <= size(cores[other]) => {
                    mesh.bounds().middle()
                }
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
                // The others are beside all of A, or have higher pressures there.
                if depth(face) < nearest.0.max(0.0) + 2.0 * reach {
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
                _ => self.press_convex(&pressing)?,
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

    /// Finds the facets of a convex body and returns the energy [J]; `None` as for [`Self::press`].
    fn press_convex(&mut self, own: &Pressing<'_, T>) -> Option<T> {
        let (core, other) = (own.core, own.other.values());
        self.pressed.clear();
        self.is_pressed.clear();
        self.is_pressed.resize(face_count(core), false);
        // Change of the pressure of the plane for each depth, at most.
        let steepest = other.gradient.norm() * largest_offset(core);
        let (pressed, is_pressed) = (&mut self.pressed, &mut self.is_pressed);
        self.walk.down(core, &other.gradient, |vertex, corners| {
            let is_near = other.at(vertex) > -steepest * own.inset;
            for corner in corners.filter(|_| is_near) {
                if other.at(&(vertex - offset(core, corner) * own.inset)) > 0.0 {
                    for_each_face_at(core, corner, |face| {
                        if !std::mem::replace(&mut is_pressed[face], true) {
                            pressed.push(face as u32);
                        }
                    });
                }
            }
            is_near
        });
        // Neighbours of these have no facet unless one of these reaches the bottom.
        self.pressed.sort_unstable();
        (0..self.pressed.len()).try_fold(T::zero(), |sum, number| {
            let face = self.pressed[number] as usize;
            let normal = outward_normal(core, face);
            self.edges.clear();
            for_each_corner(core, face, |point, offset, _| {
                self.edges.push(own.edge(point, offset, &normal));
            });
            Some(sum + self.press_prism(own, &normal, layer(core))?)
        })
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

    /// Finds the facets of a mesh and returns the energy [J]; `None` if one reaches the bottom of a cell, or a corner
    /// beside the plane.
    fn press(&mut self, own: &Pressing<'_, T>, cells: &Cells) -> Option<T> {
        let other = own.other.values();
        let reaches = |bounds: &Aabb| {
            let (middle, off) = other.range(&bounds.middle(), &bounds.half());
            middle + off > 0.0
        };
        let energy = Cell::new(Some(T::zero()));
        let enters = |node: &TreeNode| energy.get().is_some() && reaches(&node.around_cells());
        cells.tree.for_each_leaf(enters, |leaf| {
            for face in cells.tree.faces(leaf) {
                let of = &cells.faces[face];
                if reaches(&of.bounds.wide()) {
                    energy.set(energy.get().and_then(|sum| {
                        if of.depth <= 0.0 {
                            return Some(sum + self.press_tetrahedra(own, cells, face)?);
                        }
                        if of.depth <= own.inset {
                            return Some(sum);
                        }
                        self.edges.clear();
                        self.edges.extend(cells.corners(face).iter().map(|corner| {
                            let vertex = cells.vertex(*corner);
                            own.edge(&vertex.point, &vertex.offset, &of.normal)
                        }));
                        Some(sum + self.press_prism(own, &of.normal, of.depth)?)
                    }));
                }
            }
        });
        energy.get()
    }

    /// Adds the facet of a face with one cell, which has the edges, down to a depth below the face, and returns its
    /// energy [J].
    fn press_prism(&mut self, own: &Pressing<'_, T>, normal: &Vec3, depth: f64) -> Option<T> {
        let depth = depth - own.inset;
        let mut is_apart = true;
        for edge in &self.edges {
            let excess = edge.excess.value();
            let is_in = excess > 0.0;
            if excess >= edge.rate.value() * depth || is_in && !self.is_clear(&edge.point, 0.0) {
                return None;
            }
            is_apart &= !is_in;
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
                let part = inside.excess / (inside.excess - outside.excess);
                let way = outside.point - inside.point;
                let point = inside.point.map(T::from) + way.map(|x| part * x);
                let pressure = T::zero();
                self.corners.push(PressedCorner { point, pressure });
                self.feet.push(point);
            }
        }
        self.add_cell(own, start, &(normal * -own.stiffness))
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

    /// Adds the facet of a cell with the corners from `start` on, under a pressure with this slope, and
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
