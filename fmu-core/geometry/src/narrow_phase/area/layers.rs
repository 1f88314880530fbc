//! The patch of two polyhedra, and its energy: the integral of the lesser pressure.
//!
//! Each body is a list of cells, convex pieces with one linear pressure l:
//! - mesh: the [cells](crate::shapes::Cells) under the faces that may meet the other body
//! - box, hull, half-space: for each face where its pressure is the least of all. Down to the depth where an
//!   edge has no length, walls through the edges of the face bound it; deeper, and where more than three
//!   faces meet at a corner, all other faces
//!
//! From these follow
//! - patch: for each cell i of one body and each cell j of the other the plane l_i = l_j, cut by the planes
//!   of both cells and l_i >= 0, each polygon a facet with a linear pressure, so that its wrench and that of a
//!   damping p d v_n follow exactly from a rule of degree 4
//! - energy: with the divergence theorem in the part of a cell where its pressure is the lesser one, integral
//!   of l dV = 1/2 sum over its polygons of (N.grad l)/|grad l|^2 integral of l^2 dA, N out of the cell.
//!   These polygons are the facets, and the walls of the cell
//!
//! # Walls
//!
//! In the layer walls need not be found: with the gradient a of a cell and the function w of a wall, w >= 0 in
//! the cell, the divergence theorem in its plane gives the integral of l^2 dA from that of l^3 over its edges.
//! Where l = 0 these are nothing, along a facet they are an edge of it, and a ray where two walls meet goes
//! from l = 0 to a corner of a facet, with the integral of l^3 from l^4 there. Where lines of both bodies meet
//! at a corner, rounding decides what an edge of a facet is, and where a facet reaches the bottom of the layer
//! there are other edges: walls are then cut out of their planes.
//!
//! # Convex bodies
//!
//! The lesser pressure is the least of the faces of both. So where the layer ends above some common points, where
//! rounding decides about edges, and beside flush faces one list of the faces of both takes the place of pairs of
//! cells: the facets, and the walls, are the polygons between two of them, cut by all others. A plane that
//! represents [`flush`](crate::narrow_phase::area::flush) faces belongs to A by a part a of its cell, so A's
//! share of the pressure on a polygon is the difference of the parts of the cells on its two sides.
//!
//! Pairs of cells that may meet are [candidates](super::candidates), and sums run in the order of the cells,
//! so that the result does not depend on which other pairs are tried. Coordinates have the axes of the
//! larger body, from the origin of the smaller one. Down to the thickness of the layer of a mesh the wrench
//! is the gradient of the energy; below it there is no pressure.

use crate::math::{Pose, Real, Vec3};
use crate::narrow_phase::area::candidates::{
    Candidates, MET, NEAR, NearCell, PosedMesh, middle, moved, outset,
};
use crate::narrow_phase::area::cutting::Cutting;
use crate::narrow_phase::area::facet::{FacetCorners, FacetFrame, PatchFacet, less};
use crate::narrow_phase::area::flush::Scale;
use crate::narrow_phase::area::list::FaceList;
use crate::narrow_phase::area::nodes::{Extent, Nodes};
use crate::narrow_phase::area::planes::{self, Linear, Stiffness, face_count, layer, plane, size};
use crate::narrow_phase::area::region::Around;
use crate::narrow_phase::area::section::{Cut, RayCorner, for_each_corner, has_corners};
use crate::shapes::{Aabb, Core, Mesh};
use std::iter;
use std::ops::Range;

#[derive(Clone, Debug)]
struct PlacedCell<T: Real> {
    pressure: Linear<T>,
    bounds: Aabb,
    /// Functions that are not negative in it.
    planes: Range<usize>,
    /// Corners of its face, if the walls through the edges are its first planes.
    ring: Range<usize>,
    /// Depth of its last plane below the face [m].
    depth: f64,
}

/// Cells and planes of one body that may meet the other one.
#[derive(Clone, Debug)]
struct PlacedLayer<T: Real> {
    stiffness: f64,
    /// Inward shift of the faces [m].
    inset: f64,
    /// Pressures of the faces of a convex body.
    faces: Vec<Linear<T>>,
    cells: Vec<PlacedCell<T>>,
    planes: Vec<Linear<T>>,
    ring: Vec<RayCorner>,
}

/// Pair of cells that may have common points, and a box around these.
#[derive(Clone, Copy, Debug)]
struct MetPair {
    cells: [usize; 2],
    around: Around,
}

#[derive(Clone, Debug)]
pub(super) struct LayerWork<T: Real> {
    layers: [PlacedLayer<T>; 2],
    pub(super) candidates: Candidates,
    /// Those that may have common points.
    met: Vec<MetPair>,
    /// Faces of both convex bodies, where pairs of cells do not do.
    pub(super) list: FaceList<T>,
    /// Planes of cells that cross the box around their common points.
    active: Vec<Linear<T>>,
    cutting: Cutting<T>,
    facets: Vec<PatchFacet<T>>,
    energy: T,
    /// Energy of facets alone [J].
    between: T,
    /// Whether the facets do not tell the energy of walls, as where lines of both bodies meet at a corner.
    has_crossings: bool,
}

impl<T: Real> Default for LayerWork<T> {
    fn default() -> Self {
        LayerWork {
            layers: [(); 2].map(|()| PlacedLayer {
                stiffness: 0.0,
                inset: 0.0,
                faces: Vec::new(),
                cells: Vec::new(),
                planes: Vec::new(),
                ring: Vec::new(),
            }),
            candidates: Candidates::default(),
            met: Vec::new(),
            list: FaceList::default(),
            active: Vec::new(),
            cutting: Cutting::default(),
            facets: Vec::new(),
            energy: T::zero(),
            between: T::zero(),
            has_crossings: false,
        }
    }
}

/// Relative addition to the stiffness of the second body: where faces of both lie flush, pressures would be equal
/// else, and the space below them part of both. A mesh on a [single](super::single) plane has no flush faces.
const UNEQUAL: f64 = 1e-11;
/// Square of the sine of the angle of a plane and a face below which it is no wall.
const PARALLEL_PLANE: f64 = 1e-20;
/// Initial capacity for planes of cells, for each face.
const PLANES: usize = 6;
/// Square of the ratio of the difference of two gradients to their size, up to which they are equal.
const PARALLEL: f64 = 1e-24;

impl<T: Real> LayerWork<T> {
    /// Capacity for two convex bodies with this many faces together.
    pub(super) fn reserve(&mut self, faces: usize) {
        for layer in &mut self.layers {
            layer.faces.reserve(faces);
            layer.cells.reserve(faces);
            layer.planes.reserve(PLANES * faces);
            layer.ring.reserve(PLANES * faces);
        }
        self.candidates.reserve(faces);
        self.met.reserve(4 * faces);
        self.list.reserve(faces);
        self.active.reserve(2 * faces);
        self.cutting.reserve(2 * faces);
        self.facets.reserve(4 * faces);
    }

    /// Appends the nodes of two polyhedra whose faces are moved inwards by `inset` [m], and returns the
    /// energy [J].
    pub(super) fn find(
        &mut self,
        cores: [&Core; 2],
        poses: &[Pose<T>; 2],
        stiffness: Stiffness,
        inset: f64,
        nodes: &mut Nodes<T>,
    ) -> T {
        let sizes = cores.map(size);
        let small = usize::from(sizes[1] < sizes[0]);
        let axes = poses[1 - small].rotation;
        let mut local = poses.each_ref().map(|pose| Pose {
            position: axes.tr_mul(&pose.position),
            rotation: axes.tr_mul(&pose.rotation),
        });
        local[1 - small].rotation = Pose::identity().rotation;
        let has_mesh = cores.iter().any(|core| matches!(core, Core::Mesh(_)));
        for side in 0..2 {
            let apart = if has_mesh && side == 1 { UNEQUAL } else { 0.0 };
            let k = stiffness[side] * (1.0 + apart);
            self.layers[side].start(cores[side], &local[side], k, inset);
        }
        self.clear();
        if has_mesh {
            self.place(cores, &local, small);
            self.add_pairs();
        } else {
            self.find_convex(cores, &local);
        }
        if self.has_crossings {
            self.energy = self.between;
            for pair in 0..self.met.len() {
                self.add_walls(self.met[pair]);
            }
        }
        let total: f64 = self.facets.iter().map(PatchFacet::force).sum();
        for facet in &mut self.facets {
            let frame = &mut facet.frame;
            (frame.normal, frame.origin) = (axes * frame.normal, axes * frame.origin);
            frame.axes = frame.axes.map(|axis| axes * axis);
            facet.push_nodes(&self.cutting.corners, total, nodes);
        }
        self.list.push_nodes(&axes, nodes);
        nodes.end_facet(Extent::Nodes);
        self.energy
    }

    fn clear(&mut self) {
        self.clear_facets();
        self.candidates.clear();
        self.met.clear();
        self.list.clear();
        self.has_crossings = false;
    }

    fn clear_facets(&mut self) {
        self.cutting.corners.truncate(0);
        self.facets.clear();
        self.energy = T::zero();
        self.between = T::zero();
    }

    /// Adds the facets of all pairs of cells.
    fn add_pairs(&mut self) {
        for pair in 0..self.candidates.pairs.len() {
            let [one, two] = self.candidates.pairs[pair];
            let [near_1, near_2] = &self.candidates.near;
            if let Some(pair) = self.meet([near_1[one].cell, near_2[two].cell]) {
                self.met.push(pair);
                self.add_facet(&pair);
            }
        }
    }

    /// Finds the facets and the energy of two convex bodies.
    fn find_convex(&mut self, cores: [&Core; 2], poses: &[Pose<T>; 2]) {
        let values = poses.each_ref().map(Pose::values);
        let stiffness = self.layers.each_ref().map(|layer| layer.stiffness);
        let inset = self.layers[0].inset;
        let scale = Scale::of(cores, stiffness);
        let radius = scale.map_or(0.0, |scale| scale.radius());
        let boxes = [0, 1].map(|side| around(cores[side], &values[side]).grown(outset(inset)));
        let common = boxes[0].common(&boxes[1]);
        if common.is_empty() {
            return;
        }
        let mut within = Around::new(&common.grown(radius));
        let [one, two] = &mut self.layers;
        let faces = [&mut one.faces, &mut two.faces];
        if let Some(scale) = scale
            && !self.list.join(faces, &scale, poses, &within)
        {
            return;
        }
        let mixed = self.list.mixed.iter().map(|mixed| &mixed.pressure);
        let all = self.layers.iter().flat_map(|layer| &layer.faces);
        if !within.shrink_all(all.chain(mixed).map(Linear::values)) {
            return;
        }
        let [one, two] = &self.layers;
        let bound = within.bound([&one.faces, &two.faces]) * (1.0 + NEAR);
        let most = [0, 1].map(|side| (layer(cores[side]) - inset) * stiffness[side]);
        // No facet is at the bottom of a cell.
        let bottom = 2.0 * bound;
        let mut is_simple =
            self.list.mixed.is_empty() && inset >= 0.0 && most.iter().all(|most| bottom < *most);
        if is_simple {
            for side in 0..2 {
                let (layer, near) = (&mut self.layers[side], &mut self.candidates.near[side]);
                let (core, pose) = (cores[side], &values[side]);
                is_simple &= layer.place_convex(core, pose, &within, bottom, false, near);
            }
        }
        if is_simple {
            self.candidates.sweep(within.half * 2.0, 0.0);
            self.add_pairs();
            if !std::mem::take(&mut self.has_crossings) {
                return;
            }
            self.clear_facets();
        }
        let [one, two] = &self.layers;
        self.list.make([&one.faces, &two.faces], &within, bound);
        self.energy = self.list.find(&within, &mut self.cutting, &mut self.facets);
    }

    /// Finds the pairs of cells, one of them of a mesh, and places these.
    fn place(&mut self, cores: [&Core; 2], poses: &[Pose<T>; 2], small: usize) {
        let values = poses.each_ref().map(Pose::values);
        let inset = self.layers[0].inset;
        let posed = |side: usize| match cores[side] {
            Core::Mesh(mesh) => Some(PosedMesh {
                mesh,
                pose: &values[side],
                inset,
            }),
            _ => None,
        };
        if let [Some(one), Some(two)] = [posed(0), posed(1)] {
            self.candidates.find([one, two], small);
        } else {
            let boxes = [0, 1].map(|side| around(cores[side], &values[side]).grown(outset(inset)));
            let (mut center, mut half) = middle(&boxes[0].common(&boxes[1]));
            for face in self.layers.iter().flat_map(|layer| &layer.faces) {
                let spare = NEAR * (center.norm() + half.norm());
                face.values().shrink(&mut center, &mut half, spare);
            }
            let mut common = Aabb {
                lower: center - half,
                upper: center + half,
            };
            for side in 0..2 {
                if let Some(mesh) = posed(side) {
                    let faces = &self.layers[1 - side].faces;
                    common = self
                        .candidates
                        .gather(&mesh, side, &common, |face, within| {
                            mesh.is_pressed(face) && reaches(faces, within)
                        });
                    if self.candidates.near[side].is_empty() {
                        return;
                    }
                }
            }
            let within = Around::new(&common);
            for side in 0..2 {
                let Some(mesh) = posed(1 - side) else {
                    continue;
                };
                let layer = &self.layers[side];
                let most = (planes::layer(cores[side]) - inset) * layer.stiffness;
                // The least of all pressures is nowhere above it.
                let mut bound = within.bound([&layer.faces, &[]]) * (1.0 + NEAR);
                if bound > most {
                    bound = bound.min(self.bound(side, &common, mesh.mesh, &poses[1 - side]));
                }
                let is_deep = bound > most;
                self.has_crossings |= is_deep;
                let (layer, near) = (&mut self.layers[side], &mut self.candidates.near[side]);
                layer.place_convex(cores[side], &values[side], &within, bound, is_deep, near);
            }
            self.candidates.sweep(common.upper - common.lower, 0.0);
        }
        for side in 0..2 {
            if let Core::Mesh(mesh) = cores[side] {
                let near = &mut self.candidates.near[side];
                self.layers[side].place_mesh(mesh, &poses[side], near);
            }
        }
    }

    /// Upper bound of the lesser pressure of a convex body and a mesh in a box, from the near cells of that.
    #[inline(never)]
    fn bound(&self, convex: usize, within: &Aabb, mesh: &Mesh, pose: &Pose<T>) -> f64 {
        let faces = &self.layers[convex].faces;
        let PlacedLayer {
            stiffness, inset, ..
        } = &self.layers[1 - convex];
        let near = self.candidates.near[1 - convex].iter();
        let bounds = near.map(|near| {
            let mut pressure = placed(&mesh.cells().depth(near.face, near.part), pose, *stiffness);
            pressure.at_0 -= T::from(stiffness * inset);
            Around::new(&near.bounds.common(within)).bound([faces, &[pressure]])
        });
        bounds.fold(0.0, f64::max) * (1.0 + NEAR)
    }

    /// Box around the common points of two cells where both pressures are positive; `None` if they surely
    /// have none. Inlined, these steps spill registers.
    #[inline(never)]
    fn meet(&self, cells: [usize; 2]) -> Option<MetPair> {
        let both = [0, 1].map(|side| &self.layers[side].cells[cells[side]]);
        let mut around = Around::new(&both[0].bounds.common(&both[1].bounds));
        let mut shrink = |of: &Linear<T>| around.shrink(&of.values());
        let mut is_met = both.iter().all(|cell| shrink(&cell.pressure));
        for (layer, cell) in self.layers.iter().zip(both) {
            is_met = is_met && layer.planes[cell.planes.clone()].iter().all(&mut shrink);
        }
        is_met.then_some(MetPair { cells, around })
    }

    /// Plane between two cells that may have common points; `None` if it has none of these.
    fn frame(&self, pair: &MetPair) -> Option<FacetFrame<T>> {
        let [p, q] = [0, 1].map(|side| &self.layers[side].cells[pair.cells[side]].pressure);
        let between = p.less(q);
        let Around { center, half, .. } = &pair.around;
        let (at_center, off) = between.values().range(center, half);
        let [square, p_2, q_2] = [&between, p, q].map(|of| of.values().gradient.norm_squared());
        if at_center.abs() > off || square <= PARALLEL * (p_2 + q_2) {
            return None;
        }
        Some(FacetFrame::between(p, q, &between))
    }

    /// Adds the facet between a cell of each, if there is one.
    fn add_facet(&mut self, pair: &MetPair) {
        let Some(frame) = self.frame(pair) else {
            return;
        };
        let [one, other] = [0, 1].map(|side| &self.layers[side].cells[pair.cells[side]]);
        let reach = pair.around.reach();
        let pressure = &one.pressure;
        let [p, q] = [one, other].map(|cell| cell.pressure.values());
        let [a, b] = [0, 1].map(|side| &self.layers[side].planes);
        let [a, b] = [&a[one.planes.clone()], &b[other.planes.clone()]];
        let lines = iter::once(pressure).chain(a.iter().chain(b));
        // From the corners of the smaller face, if there is one.
        let size = |cell: &PlacedCell<T>| (cell.bounds.upper - cell.bounds.lower).amax();
        let own = 1 + one.planes.len();
        let all = own + other.planes.len();
        let place = match [one, other].map(|cell| cell.ring.is_empty()) {
            [true, true] => None,
            [false, true] => Some(0),
            [true, false] => Some(1),
            [false, false] => Some(usize::from(size(other) < size(one))),
        };
        let Cutting { polygon, ring, .. } = &mut self.cutting;
        let cuts = match place {
            Some(place) => {
                let (cell, across) = if place == 0 { (one, &q) } else { (other, &p) };
                let numbers = [1..own, own..all];
                let cut = Cut {
                    other: *across,
                    axes: frame.axes.map(|axis| axis.map(Real::value)),
                    sign: if place == 0 { 1.0 } else { -1.0 },
                    stiffness: self.layers[place].stiffness,
                    depth: cell.depth,
                    zero: 0,
                    bottom: numbers[place].end - 1,
                };
                let corners = &self.layers[place].ring[cell.ring.clone()];
                ring.place_all(corners, &cut, numbers[place].start);
                if !ring.section(&cut, polygon) {
                    return;
                }
                numbers[1 - place].clone()
            }
            None => {
                polygon.start(reach);
                0..all
            }
        };
        let facet = (self.cutting).facet(&frame, lines, cuts, pressure, &pair.around);
        let Some(facet) = facet else {
            return;
        };
        self.has_crossings =
            self.has_crossings || (self.cutting).has_crossing(&frame, [a, b], &p, NEAR * reach);
        self.add_energy(&facet, pair.cells, own);
        self.facets.push(facet);
    }

    /// Adds the energy of the last facet and of the walls along it; lines of the second body have numbers
    /// from `second` on.
    fn add_energy(&mut self, facet: &PatchFacet<T>, pair: [usize; 2], second: usize) {
        let corners = &self.cutting.corners;
        let squares = facet.load.squares * 0.5;
        for (side, first, sign) in [(0, 1, 1.0), (1, second, -1.0)] {
            let layer = &self.layers[side];
            let cell = &layer.cells[pair[side]];
            let gradient = &cell.pressure.gradient;
            let along = facet.frame.normal.dot(gradient) / gradient.dot(gradient);
            let between = squares * along * sign;
            self.energy += between;
            self.between += between;
            let planes = &layer.planes[cell.planes.clone()];
            match walls(corners, facet, gradient, planes, first) {
                Some(walls) => self.energy += walls * sign,
                None => self.has_crossings = true,
            }
        }
    }

    /// Adds the energy of the walls of two cells.
    #[inline(never)]
    fn add_walls(&mut self, pair: MetPair) {
        let cells = [0, 1].map(|side| &self.layers[side].cells[pair.cells[side]]);
        let is_active = |plane: &&Linear<T>| pair.around.range(&plane.values())[0] < 0.0;
        let [one, other] = [0, 1].map(|side| &self.layers[side].planes[cells[side].planes.clone()]);
        self.active.clear();
        self.active.extend(one.iter().filter(is_active));
        let count = self.active.len();
        self.active.extend(other.iter().filter(is_active));
        let (one, other) = self.active.split_at(count);
        for (side, planes, across) in [(0, one, other), (1, other, one)] {
            let pressure = &cells[side].pressure;
            let less = cells[1 - side].pressure.less(pressure);
            let mut around = pair.around;
            if !around.shrink(&less.values()) {
                continue;
            }
            let (gradient, start) = (&pressure.gradient, self.cutting.corners.places.len());
            let lines = [*pressure, less];
            for wall in 0..planes.len() {
                let cell = [&lines[..], planes, across];
                if let Some(facet) = self.cutting.wall(wall, cell, &around) {
                    let along = facet.frame.normal.dot(gradient) / gradient.dot(gradient);
                    self.energy += facet.load.squares * along * 0.5;
                }
                self.cutting.corners.truncate(start);
            }
        }
    }
}

/// The energy that a cell owes to its walls along the last facet, by the lines from `first` on of its planes;
/// `None` if the facet reaches the bottom of the cell.
fn walls<T: Real>(
    corners: &FacetCorners<T>,
    facet: &PatchFacet<T>,
    gradient: &Vec3<T>,
    planes: &[Linear<T>],
    first: usize,
) -> Option<T> {
    let a = gradient.map(Real::value);
    let square = a.norm_squared();
    let count = facet.count();
    let start = corners.places.len() - count;
    let (places, pressures) = (&corners.places[start..], &corners.pressures[start..]);
    let lines = &corners.lines[start..];
    let most = pressures.iter().map(|p| p.value()).fold(0.0, f64::max);
    let is_surface = |p: T| p.value() <= NEAR * most;
    let wall = |k: usize| {
        let plane = planes.get(lines[k].checked_sub(first)?)?;
        let p = plane.gradient.map(Real::value);
        let across = p.cross(&a);
        Some((plane, p, across, across.norm_squared()))
    };
    let is_level = |p: &Vec3, size: f64| size <= PARALLEL_PLANE * square * p.norm_squared();
    let mut sum = T::zero();
    let mut before = wall(count - 1).filter(|(_, p, _, size)| !is_level(p, *size));
    for k in 0..count {
        let next = if k + 1 == count { 0 } else { k + 1 };
        let (p, q) = (pressures[k], pressures[next]);
        let mut after = wall(k);
        if let Some((plane, own, _, size)) = after {
            if is_level(&own, size) {
                if !is_surface(p + q) {
                    return None;
                }
                after = None;
            } else {
                let [x, y] = less(places[next], places[k]);
                let turn = gradient.cross(&plane.gradient);
                let [u, v] = facet.frame.axes.each_ref().map(|axis| axis.dot(&turn));
                let part = own.dot(&a) / (size * 24.0 * square);
                sum += (x * u + y * v) * ((p + q) * (p * p + q * q)) * part;
            }
        }
        if let (Some((_, one, across_one, size_one)), Some((_, two, across_two, size_two))) =
            (before, after)
        {
            let ray = one.cross(&two);
            let up = ray.dot(&a);
            if up * up <= PARALLEL_PLANE * square * ray.norm_squared() {
                if !is_surface(p) {
                    return None;
                }
            } else {
                let both = one.dot(&a) / size_one * ray.dot(&across_one)
                    - two.dot(&a) / size_two * ray.dot(&across_two);
                sum += (p * p) * (p * p) * (both / (24.0 * square * up));
            }
        }
        before = after;
    }
    Some(sum)
}

/// Box around a body.
fn around(core: &Core, pose: &Pose) -> Aabb {
    let [lower, upper] = match core {
        Core::HalfSpace => [Vec3::repeat(f64::NEG_INFINITY), Vec3::repeat(f64::INFINITY)],
        Core::Mesh(mesh) => return moved(mesh.bounds(), pose),
        _ => core.solid().bounds(&pose.rotation),
    };
    Aabb {
        lower: pose.position + lower,
        upper: pose.position + upper,
    }
}

/// Returns false if one of the pressures of some faces is not positive in a box.
fn reaches<T: Real>(faces: &[Linear<T>], within: &Aabb) -> bool {
    let (center, half) = middle(within);
    faces.iter().all(|face| {
        let (middle, off) = face.values().range(&center, &half);
        middle + off > 0.0
    })
}

impl<T: Real> PlacedLayer<T> {
    /// Starts with the faces of a convex body, if it is one.
    fn start(&mut self, core: &Core, pose: &Pose<T>, stiffness: f64, inset: f64) {
        (self.stiffness, self.inset) = (stiffness, inset);
        self.cells.clear();
        self.planes.clear();
        self.ring.clear();
        self.faces.clear();
        self.faces.extend((0..face_count(core)).map(|face| {
            let plane = plane(core, face, pose, inset);
            Linear {
                gradient: plane.normal * T::from(-stiffness),
                at_0: plane.offset * stiffness,
            }
        }));
    }

    /// Places the cells of a mesh that meet one of the other body.
    #[inline(never)]
    fn place_mesh(&mut self, mesh: &Mesh, pose: &Pose<T>, near: &mut [NearCell]) {
        let (cells, values) = (mesh.cells(), pose.values());
        for near in near.iter_mut().filter(|near| near.cell == MET) {
            near.cell = self.cells.len();
            let of = &cells.faces[near.face];
            let mut pressure = placed(&cells.depth(near.face, near.part), pose, self.stiffness);
            pressure.at_0 -= T::from(self.stiffness * self.inset);
            let (planes, ring) = (self.planes.len(), self.ring.len());
            cells.for_each_plane(near.face, near.part, |plane| {
                self.planes.push(placed(&plane, pose, 1.0));
            });
            if of.depth > 0.0 {
                for corner in cells.corners(near.face) {
                    let vertex = cells.vertex(*corner);
                    let ray = -(values.rotation * vertex.offset);
                    let point = values.position + values.rotation * vertex.point;
                    let point = point + ray * self.inset;
                    self.ring.push(RayCorner { point, ray });
                }
            }
            self.cells.push(PlacedCell {
                pressure,
                bounds: near.bounds,
                planes: planes..self.planes.len(),
                ring: ring..self.ring.len(),
                depth: of.depth - self.inset,
            });
        }
    }

    /// Places the cells of a convex body that can have a common point in a box: down to the pressure `bound`, at
    /// most where faces meet as at the edges, or `is_deep`, at any. Returns false if two neighbours are one face.
    fn place_convex(
        &mut self,
        core: &Core,
        pose: &Pose,
        within: &Around,
        bound: f64,
        is_deep: bool,
        near: &mut Vec<NearCell>,
    ) -> bool {
        let (common, depth) = (within.bounds(), bound / self.stiffness);
        let is_kept = |face: &Linear<T>| within.range(&face.values())[0] < bound;
        let mut is_simple = true;
        for (number, own) in self.faces.iter().enumerate() {
            if !is_kept(own) {
                continue;
            }
            let (planes, ring) = (self.planes.len(), self.ring.len());
            let mut bounds = common;
            if !is_deep && has_corners(core, number) {
                bounds = Aabb::EMPTY;
                for_each_corner(core, number, |vertex, offset, across| {
                    let ray = -(pose.rotation * offset);
                    let point = pose.position + pose.rotation * vertex + ray * self.inset;
                    bounds = bounds.with(&point).with(&(point + ray * depth));
                    self.ring.push(RayCorner { point, ray });
                    let wall = self.faces[across].less(own);
                    let size = self.stiffness * self.stiffness;
                    is_simple &= wall.values().gradient.norm_squared() > PARALLEL * size;
                    self.planes.push(wall);
                });
                bounds = bounds.common(&common);
            } else {
                let others = self.faces.iter().enumerate();
                let others = others.filter(|(other, face)| *other != number && is_kept(face));
                self.planes.extend(others.map(|(_, face)| face.less(own)));
            }
            if !is_deep && !matches!(core, Core::HalfSpace) {
                self.planes.push(Linear {
                    gradient: -own.gradient,
                    at_0: -own.at_0 + bound,
                });
            }
            let per_depth = 1.0 / self.stiffness;
            let values = own.values();
            near.push(NearCell {
                bounds,
                face: number,
                part: 0,
                depth: Linear {
                    gradient: values.gradient * per_depth,
                    at_0: values.at_0 * per_depth,
                },
                cell: self.cells.len(),
            });
            self.cells.push(PlacedCell {
                pressure: *own,
                bounds,
                planes: planes..self.planes.len(),
                ring: ring..self.ring.len(),
                depth,
            });
        }
        is_simple
    }
}

fn placed<T: Real>(of: &Linear, pose: &Pose<T>, factor: f64) -> Linear<T> {
    let gradient = pose.rotation * (of.gradient * factor).map(T::from);
    Linear {
        gradient,
        at_0: -gradient.dot(&pose.position) + of.at_0 * factor,
    }
}
