//! Pairs of cells of two bodies that may have common points.
//!
//! Cells near the other body are found in the tree of a mesh, and those of both whose boxes meet by a sweep
//! along an axis. A pair is left out where no point of both boxes lies below both faces, or where the sum of
//! the depths is negative, as between faces that face each other at a distance.
//!
//! Of two meshes the pairs that are nearer than a margin are kept in a list. It holds while no point that
//! both may have in common has moved by more than the margin: points of the smaller body move in the frame of
//! the larger one by an affine function of their place. Each pair is decided from the present poses, and the
//! order is that of the cells, so that the age of a list changes no bit.

use crate::math::{Mat3, Pose, Vec3};
use crate::narrow_phase::area::planes::{Linear, OUTER};
use crate::shapes::mesh::cells::Cells;
use crate::shapes::mesh::tree::TreeNode;
use crate::shapes::{Aabb, Mesh};
use std::array::from_fn;
use std::sync::Arc;

/// Relative distance up to which points and lines may coincide.
pub(super) const NEAR: f64 = 1e-9;
/// Index of a cell that is to be placed.
pub(super) const MET: usize = OUTER - 1;
/// Margin of a list relative to the length of a face of average area: with less it is made again more often, with
/// more it has more pairs that do not meet.
const MARGIN: f64 = 0.1;
/// Number of lists to begin with and at most: of pairs of meshes in contact at the same time. It doubles when a
/// list would be made again that has not been used since it was made, as where pairs take turns.
const LISTS: [usize; 2] = [4, 64];

/// Cell whose box meets the other body.
#[derive(Clone, Debug)]
pub(super) struct NearCell {
    pub(super) bounds: Aabb,
    /// Its face, and its number among the cells of that.
    pub(super) face: usize,
    pub(super) part: usize,
    /// Depth below its face [m], not negative in the cell.
    pub(super) depth: Linear,
    /// Index of the placed cell; [`OUTER`] if it is not placed.
    pub(super) cell: usize,
}

/// Pairs of cells of two meshes that were nearer than the margin at a pose of the smaller one in the frame of
/// the larger one.
#[derive(Clone, Debug)]
struct PairList {
    meshes: Option<[Arc<Mesh>; 2]>,
    pose: Pose,
    margin: f64,
    /// Least shift of faces for which it holds [m].
    inset: f64,
    /// Number of the search that used it last, and whether one did after it was made.
    used: usize,
    is_used_again: bool,
    /// Faces with parts.
    cells: [Vec<[usize; 2]>; 2],
    /// Indices in `cells`.
    pairs: Vec<[usize; 2]>,
}

/// A mesh where it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct PosedMesh<'a> {
    pub(super) mesh: &'a Arc<Mesh>,
    pub(super) pose: &'a Pose,
    /// Inward shift of its faces [m].
    pub(super) inset: f64,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Candidates {
    pub(super) near: [Vec<NearCell>; 2],
    /// Cells that may have common points, in their order.
    pub(super) pairs: Vec<[usize; 2]>,
    /// Indices of near cells along the axis of the sweep.
    order: [Vec<usize>; 2],
    lists: Vec<PairList>,
    searches: usize,
    /// Number of lists made: a work counter.
    pub(super) made: usize,
}

/// Distance that contains the outward shift of an edge, or of a corner that is not very sharp [m].
pub(super) fn outset(inset: f64) -> f64 {
    4.0 * (-inset).max(0.0)
}

impl PosedMesh<'_> {
    /// Returns false if cells of a face have no pressure.
    pub(super) fn is_pressed(&self, face: usize) -> bool {
        let cells = self.mesh.cells();
        cells.parts(face) > 1 || cells.faces[face].depth > self.inset
    }

    fn near_cell(&self, face: usize, part: usize) -> NearCell {
        let (cells, pose, outset) = (self.mesh.cells(), self.pose, outset(self.inset));
        let mut bounds = Aabb::EMPTY;
        cells.for_each_point(face, part, |point| {
            bounds = bounds.with(&(pose.position + pose.rotation * point));
        });
        let of = &cells.faces[face];
        let normal = pose.rotation * of.normal;
        NearCell {
            bounds: bounds.grown(outset),
            face,
            part,
            depth: Linear {
                gradient: -normal,
                at_0: of.height + normal.dot(&pose.position) + outset,
            },
            cell: OUTER,
        }
    }

    /// Returns true if a cell lies above the plane of the other body's cell.
    fn is_under(&self, own: &NearCell, other: &NearCell) -> bool {
        let depth = &other.depth;
        let seen = Linear {
            gradient: self.pose.rotation.tr_mul(&depth.gradient),
            at_0: depth.at(&self.pose.position),
        };
        let spare = NEAR * (other.bounds.upper - other.bounds.lower).amax();
        let level = -outset(self.inset) - spare;
        self.mesh.cells().is_under(own.face, &seen, level)
    }

    /// Length of a face of average area [m].
    fn length(&self) -> f64 {
        let Cells { bounds, faces, .. } = self.mesh.cells();
        (bounds.upper - bounds.lower).amax() / (faces.len() as f64).sqrt()
    }
}

impl PairList {
    fn empty() -> Self {
        PairList {
            meshes: None,
            pose: Pose::identity(),
            margin: 0.0,
            inset: 0.0,
            used: 0,
            is_used_again: true,
            cells: from_fn(|_| Vec::new()),
            pairs: Vec::new(),
        }
    }

    /// Returns true if it has all pairs of cells with common points in a box.
    fn holds(
        &self,
        meshes: &[PosedMesh<'_>; 2],
        [small, large]: [usize; 2],
        within: &Aabb,
    ) -> bool {
        let is_of =
            |own: &[Arc<Mesh>; 2]| (0..2).all(|side| Arc::ptr_eq(&own[side], meshes[side].mesh));
        if !self.meshes.as_ref().is_some_and(is_of) || meshes.iter().any(|of| of.inset < self.inset)
        {
            return false;
        }
        let present = relative(meshes, [small, large]);
        let (center, half) = middle(within);
        let center = center - meshes[large].pose.position;
        let turn = self.pose.rotation * present.rotation.transpose();
        let before = turn * (center - present.position) + self.pose.position;
        let off = (Mat3::identity() - turn).abs() * half;
        (center - before).norm() + off.norm() <= self.margin
    }
}

/// Pose of the smaller mesh in the frame of the larger one, whose axes are those of the coordinates.
fn relative(meshes: &[PosedMesh<'_>; 2], [small, large]: [usize; 2]) -> Pose {
    let [one, other] = [small, large].map(|side| meshes[side].pose);
    Pose {
        position: one.position - other.position,
        rotation: one.rotation,
    }
}

impl Candidates {
    /// Capacity for this many cells of each body in an ordinary contact.
    pub(super) fn reserve(&mut self, cells: usize) {
        for (near, order) in self.near.iter_mut().zip(&mut self.order) {
            near.reserve(cells);
            order.reserve(cells);
        }
        self.pairs.reserve(4 * cells);
    }

    pub(super) fn clear(&mut self) {
        self.near.iter_mut().for_each(Vec::clear);
        self.pairs.clear();
    }

    /// Finds the pairs of two meshes, in coordinates with the axes of the larger one.
    pub(super) fn find(&mut self, meshes: [PosedMesh<'_>; 2], small: usize) {
        let sides = [small, 1 - small];
        let boxes = meshes.map(|of| moved(of.mesh.bounds(), of.pose).grown(outset(of.inset)));
        let within = boxes[0].common(&boxes[1]);
        self.clear();
        if within.is_empty() {
            return;
        }
        let known = self
            .lists
            .iter()
            .position(|list| list.holds(&meshes, sides, &within));
        let is_new = known.is_none();
        let known = known.unwrap_or_else(|| self.make(&meshes, sides, boxes));
        self.clear();
        self.searches += 1;
        let list = &mut self.lists[known];
        (list.used, list.is_used_again) = (self.searches, !is_new);
        let list = &self.lists[known];
        for (side, of) in meshes.iter().enumerate() {
            let cells = list.cells[side].iter();
            self.near[side].extend(cells.map(|[face, part]| of.near_cell(*face, *part)));
        }
        for pair in &list.pairs {
            let both: [&NearCell; 2] = from_fn(|side| &self.near[side][pair[side]]);
            let is_pressed = (0..2).all(|side| meshes[side].is_pressed(both[side].face));
            let is_apart =
                || meshes[0].is_under(both[0], both[1]) || meshes[1].is_under(both[1], both[0]);
            if is_pressed && may_meet(both[0], both[1], 0.0) && !is_apart() {
                self.pairs.push(*pair);
            }
        }
        self.mark();
    }

    /// Place for a list: that of the one unused for the longest.
    fn place(&mut self) -> usize {
        let oldest = (0..self.lists.len()).min_by_key(|k| self.lists[*k].used);
        match oldest {
            Some(k) if self.lists[k].is_used_again || self.lists.len() >= LISTS[1] => k,
            _ => {
                let count = self.lists.len();
                let more = count.max(LISTS[0]);
                self.lists.resize_with(count + more, PairList::empty);
                count
            }
        }
    }

    /// Makes a list, and returns its place.
    #[inline(never)]
    fn make(&mut self, meshes: &[PosedMesh<'_>; 2], sides: [usize; 2], boxes: [Aabb; 2]) -> usize {
        let [small, large] = sides;
        let lengths = meshes.each_ref().map(PosedMesh::length);
        let margin = MARGIN * lengths[0].min(lengths[1]);
        let [one, two] = boxes.map(|bounds| bounds.grown(margin));
        let own = self.gather(&meshes[small], small, &one.common(&two), |_, _| true);
        let all = self.gather(&meshes[large], large, &own.grown(margin), |_, _| true);
        self.sweep(all.upper - all.lower, margin);
        let place = self.place();
        self.made += 1;
        let list = &mut self.lists[place];
        list.meshes = Some(meshes.map(|of| of.mesh.clone()));
        list.pose = relative(meshes, sides);
        list.margin = margin;
        list.inset = meshes[0].inset.min(meshes[1].inset);
        for (near, kept) in self.near.iter_mut().zip(&mut list.cells) {
            kept.clear();
            for cell in near.iter_mut().filter(|cell| cell.cell == MET) {
                cell.cell = kept.len();
                kept.push([cell.face, cell.part]);
            }
        }
        list.pairs.clear();
        let number = |pair: &[usize; 2]| from_fn(|side| self.near[side][pair[side]].cell);
        list.pairs.extend(self.pairs.iter().map(number));
        // All grow at once, so that the next ones allocate no more.
        let most = |of: fn(&PairList) -> usize| self.lists.iter().map(of).max().unwrap_or(0);
        let pairs = most(|list| list.pairs.len());
        let cells = most(|list| list.cells[0].len().max(list.cells[1].len()));
        for list in &mut self.lists {
            list.pairs.reserve(pairs.saturating_sub(list.pairs.len()));
            for own in &mut list.cells {
                own.reserve(cells.saturating_sub(own.len()));
            }
        }
        place
    }

    /// Finds the cells of a mesh with points in a box, where a part of it satisfies `reaches`, and returns the
    /// box around the parts of their boxes in there.
    #[inline(never)]
    pub(super) fn gather(
        &mut self,
        of: &PosedMesh<'_>,
        side: usize,
        within: &Aabb,
        reaches: impl Fn(usize, &Aabb) -> bool,
    ) -> Aabb {
        let (cells, pose) = (of.mesh.cells(), of.pose);
        let back = Pose {
            position: -pose.rotation.tr_mul(&pose.position),
            rotation: pose.rotation.transpose(),
        };
        let met = |face: usize, bounds: &Aabb| {
            let common = bounds.common(within);
            (!common.is_empty() && reaches(face, &common)).then_some(common)
        };
        let near = &mut self.near[side];
        let mut reached = Aabb::EMPTY;
        let reach = moved(within, &back).grown(outset(of.inset));
        let here = |bounds: &Aabb| moved(bounds, pose).grown(outset(of.inset));
        // Along both axes: around a thin slab one of the boxes is wide.
        let enters = |node: &TreeNode| {
            let own = node.around_cells();
            !own.common(&reach).is_empty() && !here(&own).common(within).is_empty()
        };
        cells.tree.for_each_leaf(enters, |leaf| {
            for face in cells.tree.faces(leaf) {
                let bounds = cells.faces[face].bounds.wide();
                if bounds.common(&reach).is_empty() || met(face, &here(&bounds)).is_none() {
                    continue;
                }
                for part in 0..cells.parts(face) {
                    let cell = of.near_cell(face, part);
                    if let Some(common) = met(face, &cell.bounds) {
                        reached = reached.with(&common.lower).with(&common.upper);
                        near.push(cell);
                    }
                }
            }
        });
        reached
    }

    /// Finds the pairs of near cells that may meet, if one moves by a margin [m], in their order.
    pub(super) fn sweep(&mut self, size: Vec3, margin: f64) {
        let axis = size.imax();
        for (near, order) in self.near.iter().zip(&mut self.order) {
            order.clear();
            order.extend(0..near.len());
            let lower = |index: &usize| near[*index].bounds.lower[axis];
            order.sort_unstable_by(|a, b| lower(a).total_cmp(&lower(b)));
        }
        let mut next = [0; 2];
        loop {
            let first = |side: usize| {
                let number = *self.order[side].get(next[side])?;
                Some((number, &self.near[side][number]))
            };
            let (Some(one), Some(two)) = (first(0), first(1)) else {
                break;
            };
            let side = usize::from(two.1.bounds.lower[axis] < one.1.bounds.lower[axis]);
            let (number, own) = if side == 0 { one } else { two };
            for index in &self.order[1 - side][next[1 - side]..] {
                let other = &self.near[1 - side][*index];
                if other.bounds.lower[axis] > own.bounds.upper[axis] + margin {
                    break;
                }
                if may_meet(own, other, margin) {
                    let pair = [number, *index];
                    self.pairs.push([pair[side], pair[1 - side]]);
                }
            }
            next[side] += 1;
        }
        self.pairs.sort_unstable();
        self.mark();
    }

    /// Marks the cells that are in pairs.
    fn mark(&mut self) {
        for pair in &self.pairs {
            for (near, number) in self.near.iter_mut().zip(pair) {
                let cell = &mut near[*number].cell;
                *cell = (*cell).min(MET);
            }
        }
    }
}

/// Returns false if it shows that two cells have no common point, even if one moves by a margin [m].
#[inline(always)]
fn may_meet(one: &NearCell, other: &NearCell, margin: f64) -> bool {
    let common = one.bounds.common(&other.bounds.grown(margin));
    if common.is_empty() {
        return false;
    }
    let (center, half) = middle(&common);
    let least = -NEAR * (center.amax() + half.amax()) - margin;
    let reaches = |depth: &Linear| {
        let (at_center, off) = depth.range(&center, &half);
        at_center + off >= least
    };
    let sum = Linear {
        gradient: one.depth.gradient + other.depth.gradient,
        at_0: one.depth.at_0 + other.depth.at_0,
    };
    reaches(&sum) && reaches(&one.depth) && reaches(&other.depth)
}

#[inline(always)]
pub(crate) fn middle(bounds: &Aabb) -> (Vec3, Vec3) {
    (bounds.middle(), bounds.half())
}

/// Box around a box that is moved.
pub(crate) fn moved(bounds: &Aabb, pose: &Pose) -> Aabb {
    if pose.rotation == Pose::identity().rotation {
        return Aabb {
            lower: bounds.lower + pose.position,
            upper: bounds.upper + pose.position,
        };
    }
    let (center, half) = middle(bounds);
    let center = pose.position + pose.rotation * center;
    let half = pose.rotation.abs() * half;
    Aabb {
        lower: center - half,
        upper: center + half,
    }
}
