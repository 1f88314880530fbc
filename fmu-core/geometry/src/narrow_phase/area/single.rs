//! The patch of a box, hull or mesh A that presses on a single plane of the other body B, and its energy: a face
//! on a floor, an edge or a corner on a face.
//!
//! All in the frame of A, where its corners are constants. With l_B = c + g.x the pressure of the plane and e its
//! excess over the pressure l of a cell of A, the corners of the polygon between both are where e = 0 on edges of
//! the cell, e < 0 at its bottom: each is found from constants. From a corner b of A an edge goes
//! inwards along -m, n.m = 1 for the normals of all faces there, to q = b - t m, t = e(b)/(k_A + g.m): once for all
//! of these.
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
use crate::narrow_phase::area::facet::{
    NOTHING, PlaneFacet, PlaneLoad, PressedCorner, SHARE, opposite,
};
use crate::narrow_phase::area::nodes::{Extent, Node, Nodes};
use crate::narrow_phase::area::planes::{Linear, Stiffness, face_count, layer, plane, size};
use crate::narrow_phase::area::section::{
    Walk, box_corners, corner, corner_count, for_each_face_at, largest_offset,
};
use crate::shapes::mesh::cells::Cells;
use crate::shapes::mesh::tree::TreeNode;
use crate::shapes::{Aabb, Core};
use std::cell::Cell;

/// Distance that other planes of B have from the patch, over the size of A: more than the range in which
/// [`flush`](crate::narrow_phase::area::flush) faces are one.
const CLEAR: f64 = 0.01;

/// Polygon between a cell of A and the plane, in the frame of A; in the world's once its nodes are pushed.
#[derive(Clone, Debug)]
struct FloorFacet<T: Real> {
    plane: PlaneFacet<T>,
    load: PlaneLoad<T>,
    /// First of its corners.
    start: usize,
}

#[derive(Clone, Debug)]
pub(super) struct SingleWork<T: Real> {
    /// Faces of a convex A that have a corner in B.
    pressed: Vec<u32>,
    is_pressed: Vec<bool>,
    walk: Walk,
    edges: CellEdges<T>,
    /// Corners of a face: each the place of its edge, or the complement of its number if it is outside of B.
    ring: Vec<u32>,
    /// Corners of a polygon.
    corners: Vec<CellCorner<T>>,
    /// Corners of all polygons along the axes of their facet, from its middle, and the pressures there.
    flat: Vec<([T; 2], T)>,
    facets: Vec<FloorFacet<T>>,
    /// Other planes of B near A.
    near: Vec<Linear>,
}

impl<T: Real> Default for SingleWork<T> {
    fn default() -> Self {
        SingleWork {
            pressed: Vec::new(),
            is_pressed: Vec::new(),
            walk: Walk::default(),
            edges: CellEdges {
                places: Vec::new(),
                list: Vec::new(),
            },
            ring: Vec::new(),
            corners: Vec::new(),
            flat: Vec::new(),
            facets: Vec::new(),
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

impl<T: Real> CellCorner<T> {
    /// On the face of the cell.
    fn at_zero(foot: Vec3<T>) -> Self {
        let (point, pressure) = (foot, T::zero());
        CellCorner {
            pressed: PressedCorner { point, pressure },
            foot,
        }
    }
}

/// Edge between cells that begins at a corner of A.
#[derive(Clone, Copy, Debug)]
struct CellEdge<T: Real> {
    /// Number of the corner.
    number: u32,
    /// e where l = 0, and its decrease for each depth.
    excess: T,
    rate: f64,
    /// Where l = 0.
    foot: Vec3,
    /// Where e = 0, if the foot is in B.
    top: PressedCorner<T>,
}

impl<T: Real> CellEdge<T> {
    #[inline(always)]
    fn is_in(&self) -> bool {
        self.excess.value() > 0.0
    }
}

/// Edges found, each once.
#[derive(Clone, Debug)]
struct CellEdges<T: Real> {
    /// Places in the list by the numbers of corners; anything for corners without an edge.
    places: Vec<u32>,
    list: Vec<CellEdge<T>>,
}

impl<T: Real> CellEdges<T> {
    fn clear(&mut self, core: &Core) {
        self.list.clear();
        let count = corner_count(core).max(self.places.len());
        self.places.resize(count, 0);
    }

    #[inline(always)]
    fn known(&self, number: usize) -> Option<u32> {
        let place = self.places[number];
        let edge = self.list.get(place as usize)?;
        (edge.number as usize == number).then_some(place)
    }

    #[inline(always)]
    fn push(&mut self, edge: CellEdge<T>) -> u32 {
        let place = self.list.len() as u32;
        self.places[edge.number as usize] = place;
        self.list.push(edge);
        place
    }

    #[inline(never)]
    fn add(&mut self, own: &Pressing<'_, T>, number: usize) -> u32 {
        self.push(own.edge(number))
    }
}

/// A, placed.
struct Pressing<'a, T: Real> {
    core: &'a Core,
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
#[inline]
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
    #[inline(always)]
    fn normal(&self, slope: &Vec3) -> Option<Vec3<T>> {
        let apart = slope.map(T::from) - self.other.gradient;
        let (size, k) = (apart.dot(&apart), self.stiffness);
        (size.value() > 1e-24 * k * k).then(|| apart * size.sqrt().recip())
    }

    /// Edge that begins at a corner of A.
    #[inline(always)]
    fn edge(&self, number: usize) -> CellEdge<T> {
        let (corner, m) = corner(self.core, number);
        let foot = corner - m * self.inset;
        let excess = self.other.at(&foot.map(T::from));
        let rate = self.other.gradient.dot(&m.map(T::from)) + self.stiffness;
        let mut top = PressedCorner {
            point: foot.map(T::from),
            pressure: T::zero(),
        };
        if excess.value() > 0.0 {
            let depth = excess / rate;
            top.point -= m.map(|m| depth * m);
            top.pressure = depth * self.stiffness;
        }
        CellEdge {
            number: number as u32,
            rate: rate.value(),
            excess,
            foot,
            top,
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
        self.edges.places.reserve(2 * faces);
        self.edges.list.reserve(2 * faces);
        self.ring.reserve(faces);
        self.corners.reserve(4 * faces);
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
        let sizes = cores.map(size);
        let small = usize::from(sizes[1] < sizes[0]);
        for side in [small, 1 - small] {
            let energy = self.find_from(side, cores, poses, stiffness, inset);
            if energy.is_some() {
                self.push_nodes(&poses[side], side, nodes);
                return energy;
            }
        }
        None
    }

    /// Finds the facets of one of both bodies on a single plane of the other, and returns the energy [J].
    fn find_from(
        &mut self,
        side: usize,
        cores: [&Core; 2],
        poses: &[Pose<T>; 2],
        stiffness: Stiffness,
        inset: f64,
    ) -> Option<T> {
        let [own, other] = [cores[side], cores[1 - side]];
        let own_size = size(own);
        let middle = match own {
            Core::Box(_) => Vec3::zeros(),
            Core::Hull(hull) if hull.layer().is_exact => hull.faces().center,
            // Of a wide one most is elsewhere.
            Core::Mesh(mesh) if own_size <= size(other) => mesh.bounds().middle(),
            _ => return None,
        };
        if matches!(other, Core::Mesh(_)) {
            return None;
        }
        // The nearest plane of the other body.
        let values = [poses[side].values(), poses[1 - side].values()];
        let at = values[0].position + values[0].rotation * middle;
        let depth = |face: usize| {
            let plane = plane(other, face, &values[1], inset);
            plane.offset - plane.normal.dot(&at)
        };
        let (mut least, mut nearest) = (f64::INFINITY, 0);
        for face in 0..face_count(other) {
            let depth = depth(face);
            if depth < least {
                (least, nearest) = (depth, face);
            }
        }
        let k = stiffness[1 - side];
        let both = [&poses[side], &poses[1 - side]];
        let pressing = Pressing {
            core: own,
            stiffness: stiffness[side],
            inset,
            other: pressure(other, nearest, both, inset, k),
            other_stiffness: k,
        };
        let reach = 3f64.sqrt() * own_size + middle.norm();
        let spare = CLEAR * k * own_size;
        self.near.clear();
        for face in (0..face_count(other)).filter(|face| *face != nearest) {
            // The others are beside all of A, or have higher pressures there.
            if depth(face) < least.max(0.0) + 2.0 * reach {
                let mut near = pressure(other, face, values.each_ref(), inset, k);
                near.at_0 -= spare;
                self.near.push(near);
            }
        }
        self.edges.clear(own);
        self.flat.clear();
        self.facets.clear();
        match own {
            Core::Mesh(mesh) => self.press(&pressing, mesh.cells()),
            _ => self.press_convex(&pressing),
        }
    }

    /// Returns true if no other plane of B has so low a pressure at a corner of a polygon, or at its foot.
    fn is_clear(&self, corner: &CellCorner<T>) -> bool {
        let PressedCorner { point, pressure } = &corner.pressed;
        let ends = [(point, pressure.value()), (&corner.foot, 0.0)];
        let ends = ends.map(|(point, pressure)| (point.map(Real::value), pressure));
        let is_higher = |near: &Linear| ends.iter().all(|(point, low)| near.at(point) >= *low);
        self.near.iter().all(is_higher)
    }

    /// Finds the facets of a convex body and returns the energy [J]; `None` as for [`Self::press`].
    fn press_convex(&mut self, own: &Pressing<'_, T>) -> Option<T> {
        let (core, other) = (own.core, own.other.values());
        self.pressed.clear();
        self.is_pressed.clear();
        self.is_pressed.resize(face_count(core), false);
        // Change of the pressure of the plane over the inset, at most.
        let change = own.other_stiffness * largest_offset(core) * own.inset;
        let (pressed, is_pressed) = (&mut self.pressed, &mut self.is_pressed);
        let (edges, mut most) = (&mut self.edges, 0.0);
        self.walk
            .down(core, &other.gradient, -other.at_0 - change, |corners| {
                for number in corners {
                    let edge = own.edge(number);
                    if edge.is_in() {
                        let excess = edge.excess.value();
                        most = if excess > most { excess } else { most };
                        edges.push(edge);
                        for_each_face_at(core, number, |face| {
                            if !std::mem::replace(&mut is_pressed[face], true) {
                                pressed.push(face as u32);
                            }
                        });
                    }
                }
            });
        // At a depth d below all faces l = k_A d, and l_B is at most this less k_B d.
        if most >= (own.stiffness + own.other_stiffness) * (layer(core) - own.inset) {
            return None;
        }
        self.pressed.sort_unstable();
        let mut energy = T::zero();
        for number in 0..self.pressed.len() {
            let face = self.pressed[number] as usize;
            let edge = |corner: usize| match self.edges.known(corner) {
                Some(place) => place,
                None => !(corner as u32),
            };
            self.ring.clear();
            match core {
                Core::Hull(hull) => {
                    let corners = hull.layer().corners(face).iter();
                    let ring = corners.map(|corner| edge(corner.point as usize));
                    self.ring.extend(ring);
                }
                _ => self.ring.extend(box_corners(face).map(edge)),
            }
            energy += self.press_prism(own, &outward_normal(core, face))?;
        }
        Some(energy)
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
                if of.depth > 0.0 && of.depth <= own.inset || !reaches(&of.bounds.wide()) {
                    continue;
                }
                energy.set(energy.get().and_then(|sum| {
                    let more = match of.depth > 0.0 {
                        true => self.press_face(own, cells, face)?,
                        false => self.press_tetrahedra(own, cells, face)?,
                    };
                    Some(sum + more)
                }));
            }
        });
        energy.get()
    }

    /// Adds the facet of a face of a mesh with one cell, and returns its energy [J].
    #[inline(never)]
    fn press_face(&mut self, own: &Pressing<'_, T>, cells: &Cells, face: usize) -> Option<T> {
        let of = &cells.faces[face];
        let depth = of.depth - own.inset;
        let mut is_apart = true;
        self.ring.clear();
        for number in cells.corners(face) {
            let number = *number as usize;
            let place = match self.edges.known(number) {
                Some(place) => place,
                None => self.edges.add(own, number),
            };
            let edge = &self.edges.list[place as usize];
            if edge.excess.value() >= edge.rate * depth {
                return None;
            }
            is_apart &= !edge.is_in();
            self.ring.push(place);
        }
        match is_apart {
            true => Some(T::zero()),
            false => self.press_prism(own, &of.normal),
        }
    }

    /// Adds the facet of a cell whose face has this normal and the corners of the ring, and returns its energy [J].
    fn press_prism(&mut self, own: &Pressing<'_, T>, normal: &Vec3) -> Option<T> {
        let (edges, ring) = (&self.edges.list[..], &self.ring[..]);
        let (corners, last) = (&mut self.corners, ring[ring.len() - 1]);
        corners.clear();
        let inside = |place: u32| edges.get(place as usize).filter(|edge| edge.is_in());
        let (mut before, mut one) = (last, inside(last));
        for place in ring {
            let two = inside(*place);
            let crossing = match (one, two) {
                (Some(one), None) => Some((one, *place)),
                (None, Some(two)) => Some((two, before)),
                _ => None,
            };
            if let Some((inside, outside)) = crossing {
                let (end, excess) = match edges.get(outside as usize) {
                    Some(edge) => (edge.foot, edge.excess),
                    None => {
                        let edge = own.edge(!outside as usize);
                        (edge.foot, edge.excess)
                    }
                };
                let part = inside.excess / (inside.excess - excess);
                let way = end - inside.foot;
                let foot = inside.foot.map(T::from) + way.map(|x| part * x);
                corners.push(CellCorner::at_zero(foot));
            }
            if let Some(edge) = two {
                corners.push(CellCorner {
                    pressed: edge.top,
                    foot: edge.foot.map(T::from),
                });
            }
            (before, one) = (*place, two);
        }
        match corners.len() < 3 {
            true => Some(T::zero()),
            false => self.add_cell(own, &(normal * -own.stiffness)),
        }
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
            is_apart &= excess(&vertex.point, 0.0).value() <= 0.0;
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
            self.corners.clear();
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
            if self.corners.len() >= 3 {
                let slope = depth_in(&corners).gradient * k;
                energy += self.add_cell(own, &slope)?;
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
            let foot = from + (to - from) * (p / (p - q));
            self.corners.push(CellCorner::at_zero(foot));
        }
        if q.value() >= 0.0 {
            self.corners.push(*two);
        }
    }

    /// Adds the facet of a cell with the corners found, under a pressure with this slope, and returns its energy [J].
    #[inline(never)]
    fn add_cell(&mut self, own: &Pressing<'_, T>, slope: &Vec3) -> Option<T> {
        let (corners, count) = (&self.corners[..], self.corners.len());
        if !self.near.is_empty() && !corners.iter().all(|corner| self.is_clear(corner)) {
            return None;
        }
        let normal = own.normal(slope)?;
        let sum = opposite(count, [T::zero(); 4], |k| {
            let PressedCorner { point, pressure } = &corners[k].pressed;
            [point.x, point.y, point.z, *pressure]
        });
        let [x, y, z, pressure] = sum.map(|sum| sum * (1.0 / count as f64));
        let middle = Vec3::new(x, y, z);
        // Counter-clockwise seen from outside of A.
        let axes = across(&-normal);
        let along = |v: &Vec3<T>| axes.each_ref().map(|axis| axis.dot(v));
        let start = self.flat.len();
        self.flat.extend(corners.iter().map(|corner| {
            let PressedCorner { point, pressure } = &corner.pressed;
            (along(&(point - middle)), *pressure)
        }));
        let flat = &self.flat[start..];
        let load = PlaneLoad::of(pressure, count, |k| flat[k]);
        let origin = corners[0].foot;
        let mut walls = T::zero();
        // Those of the first corner contain the origin.
        let mut one = &corners[1];
        for two in &corners[2..] {
            let [p, q] = [one.pressed.pressure, two.pressed.pressure];
            if p.value() > 0.0 || q.value() > 0.0 {
                let foot = one.foot;
                let along = (two.foot - foot) * q - (one.pressed.point - foot) * (p + q);
                let wall = (two.pressed.point - foot).cross(&along);
                walls += (foot - origin).dot(&wall);
            }
            one = two;
        }
        let top = normal.dot(&(corners[0].pressed.point - origin)) * load.force;
        let under = (top + walls * (1.0 / 6.0)) * 0.25;
        let k = own.other_stiffness;
        let above = load.squares * normal.dot(&own.other.gradient) * (0.5 / (k * k));
        self.facets.push(FloorFacet {
            plane: PlaneFacet {
                gradient: along(&slope.map(T::from)),
                middle,
                axes,
                normal,
                pressure,
                corners: count,
            },
            load,
            start,
        });
        Some(under - above)
    }

    fn push_nodes(&mut self, pose: &Pose<T>, side: usize, nodes: &mut Nodes<T>) {
        let forces = self.facets.iter().map(|facet| facet.load.force.value());
        let total: f64 = forces.sum();
        let (rotation, sign) = (&pose.rotation, if side == 0 { -1.0 } else { 1.0 });
        for FloorFacet { plane, load, start } in &mut self.facets {
            let share = load.force.value() / total;
            // Not of a total of zero, either.
            if share.is_nan() || share <= NOTHING {
                continue;
            }
            let turned = rotation * plane.normal;
            let normal = turned * T::from(sign);
            if share < SHARE {
                let center = plane.point(load.first.map(|first| first / load.force));
                nodes.push(Node {
                    point: pose.position + rotation * center,
                    normal,
                    force: load.force,
                });
                continue;
            }
            let first = rotation * plane.axes[0];
            plane.middle = pose.position + rotation * plane.middle;
            (plane.axes, plane.normal) = ([first, first.cross(&turned)], normal);
            let flat = &self.flat[*start..*start + plane.corners];
            plane.push(load, share, |k| flat[k], nodes);
        }
        nodes.end_facet(Extent::Nodes);
    }
}

/// Unit vectors that form a right-handed basis with a unit vector, and turn with it by half a turn about an axis:
/// opposite facets then cancel exactly.
#[inline(always)]
fn across<T: Real>(v: &Vec3<T>) -> [Vec3<T>; 2] {
    let first = match v.x.value().abs() > v.z.value().abs() {
        true => Vec3::new(-v.y, v.x, T::zero()),
        false => Vec3::new(T::zero(), -v.z, v.y),
    };
    let first = first * first.dot(&first).sqrt().recip();
    [first, v.cross(&first)]
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
