//! The cells of a mesh and of another polyhedron that overlap deepest.
//!
//! Branch and bound over pairs of nodes, then faces, then cells: those that may be deeper than the deepest known are
//! looked at, and those with the highest bound first; the deepest of the last search starts. A depth that is equal in
//! both is at most the mean of two linear functions, one above the depths in each, in the box where both may be. It
//! is known from above too, and no deeper in a the point is near its surface, so this box is small. Cells of two faces
//! are made only where neither an edge of one nor the largest depths at the corners show that there is none.

use crate::math::Vec3;
use crate::narrow_phase::area::{Linear, face_count, middle};
use crate::narrow_phase::mesh::{Bodies, MeshFeature, SAME};
use crate::narrow_phase::programme::{NOTHING, Partner, Programme, Reach, SeenCell, below, placed};
use crate::shapes::Aabb;
use crate::shapes::mesh::cells::CellFace;
use crate::shapes::mesh::tree::{FaceTree, LEAF};
use std::cell::Cell;
use std::ops::Range;

/// A face of few corners and its cells down to a depth, frame of a: the hull of its corners and of these moved by
/// offsets, or where that depth is in three cells the sum of the face and the offsets, which has them all.
struct Slab {
    points: [Vec3; CORNERS],
    offsets: [Vec3; CORNERS],
    count: usize,
    is_sum: bool,
    depth: Linear,
    face: usize,
    down: f64,
}

/// Number of corners up to which faces are compared by their edges.
const CORNERS: usize = 32;

impl Slab {
    const EMPTY: Slab = Slab {
        points: [Vec3::new(0.0, 0.0, 0.0); CORNERS],
        offsets: [Vec3::new(0.0, 0.0, 0.0); CORNERS],
        count: 0,
        is_sum: false,
        depth: NOTHING,
        face: usize::MAX,
        down: 0.0,
    };

    /// Largest v.x of its points x.
    fn most(&self, v: &Vec3) -> f64 {
        let all = self.points[..self.count].iter().zip(&self.offsets);
        let (mut most, mut more) = (f64::NEG_INFINITY, 0.0_f64);
        for (point, offset) in all {
            let (at, off) = (point.dot(v), offset.dot(v));
            let beyond = if self.is_sum { 0.0 } else { off.max(0.0) };
            (most, more) = (most.max(at + beyond), more.max(off));
        }
        if self.is_sum { most + more } else { most }
    }

    fn highest(&self, of: &Linear) -> f64 {
        of.at_0 + self.most(&of.gradient)
    }

    /// Returns true if it shows that no point of two is deeper than `most` in both.
    fn are_apart(pair: [&Slab; 2], most: f64) -> bool {
        if pair.iter().any(|of| of.count == 0) {
            return false;
        }
        let [one, other] = pair;
        let sum = Linear {
            gradient: one.depth.gradient + other.depth.gradient,
            at_0: one.depth.at_0 + other.depth.at_0,
        };
        other.highest(&one.depth) <= most
            || one.highest(&other.depth) <= most
            || pair.iter().any(|of| of.highest(&sum) <= 2.0 * most)
            || one.is_beside(other)
            || other.is_beside(one)
    }

    /// Returns true if an edge of the face shows that another one is beside it.
    fn is_beside(&self, other: &Slab) -> bool {
        let (points, others) = (&self.points[..self.count], &other.points[..other.count]);
        let center = others.iter().sum::<Vec3>() / other.count as f64;
        let mut start = points[self.count - 1];
        points.iter().any(|end| {
            let out = self.depth.gradient.cross(&(end - start));
            let is_near = out.dot(&(center - start)) <= 0.0;
            start = *end;
            !is_near && self.most(&out) < -other.most(&-out)
        })
    }
}

impl Bodies<'_> {
    /// Makes a slab of a face down to a depth, unless it is that already; of no corners for a convex core and a face
    /// that has many.
    fn set_slab(&self, side: usize, face: usize, down: f64, slab: &mut Slab) {
        if slab.face == face && slab.down == down {
            return;
        }
        (slab.face, slab.down, slab.count) = (face, down, 0);
        let (cells, pose) = match (side, self.b) {
            (0, _) => (self.a, None),
            (_, Partner::Mesh(cells)) => (cells, Some(&self.pose)),
            (_, Partner::Convex(_)) => return,
        };
        let (corners, of) = (cells.corners(face), &cells.faces[face]);
        if corners.len() > CORNERS {
            return;
        }
        let depth = Linear {
            gradient: -of.normal,
            at_0: of.height + cells.excess(face),
        };
        slab.depth = pose.map_or(depth, |pose| placed(&depth, pose));
        let is_deep = |v: &u32| cells.vertex(*v).thickness > down;
        slab.is_sum = of.depth == 0.0 && corners.iter().any(is_deep);
        slab.count = corners.len();
        for (k, corner) in corners.iter().enumerate() {
            let vertex = cells.vertex(*corner);
            let depth = if of.depth > 0.0 {
                of.depth.min(down)
            } else if slab.is_sum {
                down
            } else {
                vertex.thickness
            };
            let point = pose.map_or(vertex.point, |pose| {
                pose.position + pose.rotation * vertex.point
            });
            let inward = pose.map_or(vertex.offset, |pose| pose.rotation * vertex.offset);
            (slab.points[k], slab.offsets[k]) = (point, inward * -depth);
        }
    }

    /// Upper bound of a depth that is equal in cells below two nodes, where `known` is one; `None` if it is not more
    /// than `most`.
    #[inline(always)]
    fn ceiling(&self, nodes: [usize; 2], known: f64, most: f64) -> Option<f64> {
        let boxes = self.layers(nodes, known);
        let around = boxes[0].common(&self.placed(&boxes[1]));
        if around.is_empty() {
            return None;
        }
        let of = |tree: &FaceTree, node: usize| {
            let (gradient, at_0, most) = tree.nodes()[node].ceiling();
            (Linear { gradient, at_0 }, most)
        };
        let (own, mut highest) = of(&self.a.tree, nodes[0]);
        let mut of_b = own;
        if let Partner::Mesh(cells) = self.b {
            let (below, most) = of(&cells.tree, nodes[1]);
            (of_b, highest) = (placed(&below, &self.pose), highest.min(most));
        }
        let highest = highest.min(self.highest(&around, [&own, &of_b], most));
        let is_more = highest > most * (1.0 + SAME);
        (is_more && self.near(&boxes, f64::MIN_POSITIVE).is_some()).then_some(highest)
    }

    /// Boxes around the cells below two nodes, those of a down to a depth.
    #[inline(always)]
    fn layers(&self, nodes: [usize; 2], known: f64) -> [Aabb; 2] {
        let second = match self.b {
            Partner::Mesh(cells) => cells.tree.nodes()[nodes[1]].around_cells(),
            Partner::Convex(_) => self.box_b,
        };
        [self.a.tree.nodes()[nodes[0]].around_layer(known), second]
    }

    /// Box, in the frame of a, around one in that of b.
    #[inline(always)]
    fn placed(&self, of: &Aabb) -> Aabb {
        let center = self.pose.position + self.pose.rotation * of.middle();
        let half = self.turn * of.half();
        Aabb {
            lower: center - half,
            upper: center + half,
        }
    }

    /// Upper bound in a box of a depth that is equal in both, with bounds of both; of a convex core they are its faces.
    /// If it is not more than `most` it may be any that is not.
    #[inline(always)]
    fn highest(&self, around: &Aabb, [own, of_b]: [&Linear; 2], most: f64) -> f64 {
        let (center, half) = middle(around);
        let here = own.at(&center);
        let spread = |slope: &Vec3| slope.abs().dot(&half);
        // Equal depths are their mean, which hardly changes between faces that face each other.
        let with = |other: &Linear| {
            let there = other.at(&center);
            let mean = 0.5 * (here + there + spread(&(own.gradient + other.gradient)));
            mean.min(there + spread(&other.gradient))
        };
        let alone = here + spread(&own.gradient);
        let Partner::Convex(core) = self.b else {
            return alone.min(with(of_b));
        };
        let (mut least, count) = (alone, face_count(core));
        for k in 0..count {
            // The last one that was lowest is often that again.
            let face = (self.lowest.get() + k) % count;
            if least <= most {
                break;
            }
            let bound = with(&below(core, face, &self.pose));
            if bound < least {
                least = bound;
                self.lowest.set(face);
            }
        }
        least
    }

    /// Where a point in cells of a face may be that is at most so deep and in a box; `None` if nowhere.
    #[inline(always)]
    fn top(&self, side: usize, face: usize, down: f64, within: &Aabb) -> Option<Reach> {
        let (cells, pose) = match (side, self.b) {
            (0, _) => (self.a, None),
            (_, Partner::Mesh(cells)) => (cells, Some(&self.pose)),
            (_, Partner::Convex(_)) => {
                return Some(Reach {
                    bounds: self.placed(&self.box_b),
                    depth: NOTHING,
                });
            }
        };
        let here = |of: &Aabb| pose.map_or(*of, |_| self.placed(of)).common(within);
        let CellFace {
            normal,
            height,
            bounds,
            ..
        } = &cells.faces[face];
        let mut bounds = here(&bounds.wide());
        if !bounds.is_empty() && cells.corners(face).len() <= 4 && down < f64::INFINITY {
            let (own, [lower, upper]) = (cells.own_box(face), cells.lean(face));
            bounds = bounds.common(&here(&Aabb {
                lower: own.lower - lower * down,
                upper: own.upper + upper * down,
            }));
        }
        let depth = || {
            let of = Linear {
                gradient: -normal,
                at_0: height + cells.excess(face),
            };
            pose.map_or(of, |pose| placed(&of, pose))
        };
        let is_empty = bounds.is_empty();
        (!is_empty).then(|| Reach {
            bounds,
            depth: depth(),
        })
    }

    fn tops_of_b(&self, faces: &Range<usize>, within: &Aabb) -> [Option<Reach>; LEAF] {
        let mut all = [None; LEAF];
        for (place, face) in all.iter_mut().zip(faces.clone()) {
            *place = self.top(1, face, f64::INFINITY, within);
        }
        all
    }

    /// Makes the cells of a face and returns their number.
    fn make_sides(&self, side: usize, face: usize, sides: &mut [SeenCell; 3]) -> usize {
        let (cells, pose) = match (side, self.b) {
            (0, _) => (self.a, None),
            (_, Partner::Mesh(cells)) => (cells, Some(&self.pose)),
            (_, Partner::Convex(_)) => {
                sides[0] = SeenCell::around(self.placed(&self.box_b));
                return 1;
            }
        };
        let count = cells.parts(face);
        for (part, place) in sides[..count].iter_mut().enumerate() {
            place.set(cells, [face, part], pose);
        }
        count
    }

    /// Makes the cells of two faces and returns one of each; `None` if there are no such cells.
    fn make_pair<'s>(
        &self,
        cells: [[u32; 2]; 2],
        sides: [&'s mut [SeenCell; 3]; 2],
    ) -> Option<[&'s SeenCell; 2]> {
        let counts = [self.a.faces.len(), self.b.count()];
        let [own, of_b] = sides;
        let make = |side: usize, place: &'s mut [SeenCell; 3]| {
            let [face, part] = cells[side].map(|n| n as usize);
            (face < counts[side] && part < self.make_sides(side, face, place)).then(|| &place[part])
        };
        Some([make(0, own)?, make(1, of_b)?])
    }

    /// The cells that overlap deepest, of bodies of which two faces meet.
    pub(super) fn deepest(&self, hint: Option<[[u32; 2]; 2]>, faces: [u32; 2]) -> MeshFeature {
        let (mut best, most) = (MeshFeature::Touch(faces), Cell::new(0.0));
        let limit = || most.get() * (1.0 + SAME);
        let mut look = |cells: [[u32; 2]; 2], sides: [&SeenCell; 2], within: &Aabb| {
            let programme = Programme {
                a: self.a,
                b: self.b,
                cells,
            };
            let [own, of_b] = sides.map(|side| &side.of);
            let around = own.bounds.common(&of_b.bounds).common(within);
            if around.is_empty()
                || self.highest(&around, [&own.depth, &of_b.depth], limit()) <= limit()
                || SeenCell::are_apart(sides, limit())
            {
                return;
            }
            self.count(|work| work.programmes += 1);
            if let Some(found) = programme.solve(sides, &self.pose, limit()) {
                most.set(found.value);
                best = MeshFeature::Overlap {
                    faces,
                    cells,
                    planes: found.planes,
                };
            }
        };
        // Cells of a face of a, and of those of a leaf of b.
        let mut own = [SeenCell::around(Aabb::EMPTY); 3];
        let mut sides = [own; LEAF];
        let mut own_slab = Slab::EMPTY;
        let mut slabs = [Slab::EMPTY; LEAF];
        if let Some(cells) = hint
            && let Some(pair) = self.make_pair(cells, [&mut own, &mut sides[0]])
        {
            look(cells, pair, &pair[0].of.bounds);
        }
        let bound = |nodes, from: f64, least: f64| self.ceiling(nodes, -from, -least).map(|d| -d);
        let look_below = |nodes: [usize; 2], from: f64, _| {
            // No point of a is deeper than the bound of what is equal in both, while one of b may be.
            let known = -from;
            let boxes = self.layers(nodes, known);
            let within = boxes[0].common(&self.placed(&boxes[1]));
            let [ones, others] = self.faces(nodes);
            let of_b = self.tops_of_b(&others, &within);
            let mut made = [0; LEAF];
            for one in ones {
                let Some(reach) = self.top(0, one, known, &within) else {
                    continue;
                };
                let mut own_made = 0;
                for (k, other) in others.clone().enumerate() {
                    let Some(reach_b) = &of_b[k] else { continue };
                    let around = reach.bounds.common(&reach_b.bounds);
                    let depths = [&reach.depth, &reach_b.depth];
                    if around.is_empty() || self.highest(&around, depths, limit()) <= limit() {
                        continue;
                    }
                    self.set_slab(0, one, known, &mut own_slab);
                    self.set_slab(1, other, f64::INFINITY, &mut slabs[k]);
                    if Slab::are_apart([&own_slab, &slabs[k]], limit()) {
                        continue;
                    }
                    self.count(|work| work.faces += 1);
                    if own_made == 0 {
                        own_made = self.make_sides(0, one, &mut own);
                    }
                    if made[k] == 0 {
                        made[k] = self.make_sides(1, other, &mut sides[k]);
                    }
                    for (part, own) in own[..own_made].iter().enumerate() {
                        for (other_part, of_b) in sides[k][..made[k]].iter().enumerate() {
                            let cells = [[one, part], [other, other_part]];
                            let cells = cells.map(|cell| cell.map(|n| n as u32));
                            look(cells, [own, of_b], &around);
                        }
                    }
                }
            }
            -most.get()
        };
        self.descend(-most.get(), bound, |_, _| true, look_below);
        best
    }
}

#[cfg(test)]
#[path = "../../tests/unit/narrow_phase/deepest.rs"]
mod tests;
