//! Bounding-volume tree over the faces of a mesh.
//!
//! Faces are split at the median of their middles along the longest axis, down to leaves of [`LEAF`] faces.
//! Nodes lie in one array, each before its two children, so that a search without order needs no stack. The
//! faces of the mesh are numbered in the order of the leaves, so a node has a range of them. It has a range of
//! vertices too: those that no face before has.
//!
//! Boxes are around the faces alone, in single precision, rounded outwards. Small numbers beside a box are how far
//! the cells below the faces reach out of each of its sides, and how far per depth. Depths in these cells are at most
//! a linear function, and at most a number.

use crate::math::Vec3;
use crate::shapes::Aabb;
use std::array::from_fn;
use std::mem::size_of_val;
use std::ops::Range;

/// Largest number of faces of a leaf.
pub(crate) const LEAF: usize = 8;
/// Bound of the depth of a tree: halves of 2^32 faces.
pub(crate) const DEPTH: usize = 32;
/// Slope of 1 of a bound.
const FULL: f64 = i16::MAX as f64;
/// Unit of the distance to a side by which cells reach out of a box per depth; all are 255 where one is more.
const LEAN: f64 = 1.0 / 64.0;
/// Units of the farthest reach of cells.
const UNITS: f64 = 254.0;

/// Box in single precision, rounded outwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SmallBox {
    lower: [f32; 3],
    upper: [f32; 3],
}

/// Bound of depths: at most `at_middle` + s.(x - c) at x, c the middle of a node's box, and at most `most` [m].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Ceiling {
    /// s as parts of [`FULL`].
    slope: [i16; 3],
    at_middle: f32,
    most: f32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TreeNode {
    /// Around its faces.
    bounds: SmallBox,
    ceiling: Ceiling,
    /// Distances by which cells reach out of the box at the lower and the upper sides, in units of `reach` [m].
    out: [[u8; 3]; 2],
    reach: f32,
    /// Distances per depth, in units of [`LEAN`].
    lean: [[u8; 3]; 2],
    /// The node behind the last one below it.
    end: u32,
    face: u32,
    vertex: u32,
}

/// Ends with a node behind the last.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FaceTree {
    nodes: Vec<TreeNode>,
    /// Vertices in the order of the first faces that have them.
    vertices: Vec<u32>,
}

impl SmallBox {
    pub(crate) fn around(bounds: &Aabb) -> SmallBox {
        let out = |corner: Vec3| [corner.x, corner.y, corner.z].map(below);
        SmallBox {
            lower: out(bounds.lower),
            upper: out(-bounds.upper).map(|c| -c),
        }
    }

    #[inline(always)]
    pub(crate) fn wide(&self) -> Aabb {
        Aabb {
            lower: wide(self.lower),
            upper: wide(self.upper),
        }
    }

    /// Returns true if both have a common point.
    #[inline(always)]
    pub(super) fn meets(&self, other: &SmallBox) -> bool {
        let apart = |k: usize| self.lower[k] > other.upper[k] || other.lower[k] > self.upper[k];
        !(apart(0) || apart(1) || apart(2))
    }
}

impl TreeNode {
    /// Box around its faces.
    #[inline(always)]
    pub(crate) fn bounds(&self) -> Aabb {
        self.bounds.wide()
    }

    /// A linear bound of the depths in its cells, as gradient and value at the origin, and their largest.
    #[inline(always)]
    pub(crate) fn ceiling(&self) -> (Vec3, f64, f64) {
        let Ceiling {
            slope,
            at_middle,
            most,
        } = self.ceiling;
        let slope = slope_of(slope);
        let at_0 = f64::from(at_middle) - slope.dot(&self.bounds().middle());
        (slope, at_0, most.into())
    }

    #[inline(always)]
    pub(crate) fn around_cells(&self) -> Aabb {
        let (own, reach) = (self.bounds(), f64::from(self.reach));
        let wide = |[x, y, z]: [u8; 3]| Vec3::new(x.into(), y.into(), z.into()) * reach;
        Aabb {
            lower: own.lower - wide(self.out[0]),
            upper: own.upper + wide(self.out[1]),
        }
    }

    /// Box around its cells down to a depth.
    #[inline(always)]
    pub(crate) fn around_layer(&self, depth: f64) -> Aabb {
        if depth >= self.ceiling.most.into() || self.lean[0][0] == u8::MAX {
            return self.around_cells();
        }
        let (own, unit) = (self.bounds(), LEAN * depth);
        let wide = |[x, y, z]: [u8; 3]| Vec3::new(x.into(), y.into(), z.into()) * unit;
        Aabb {
            lower: own.lower - wide(self.lean[0]),
            upper: own.upper + wide(self.lean[1]),
        }
    }
}

fn small(slope: &Vec3) -> [i16; 3] {
    [slope.x, slope.y, slope.z].map(|c| (c * FULL) as i16)
}

#[inline(always)]
fn slope_of([x, y, z]: [i16; 3]) -> Vec3 {
    Vec3::new(x.into(), y.into(), z.into()) * (1.0 / FULL)
}

#[inline(always)]
fn wide([x, y, z]: [f32; 3]) -> Vec3 {
    Vec3::new(x.into(), y.into(), z.into())
}

/// The next number in single precision that is not less.
fn above(value: f64) -> f32 {
    -below(-value)
}

/// The next number in single precision that is not greater.
fn below(value: f64) -> f32 {
    let near = value as f32;
    if f64::from(near) > value {
        near.next_down()
    } else {
        near
    }
}

impl FaceTree {
    /// Tree of faces with these boxes, without boxes of its own, and the order of its leaves.
    pub(super) fn new(boxes: &[Aabb]) -> (FaceTree, Vec<u32>) {
        let middles: Vec<Vec3> = boxes.iter().map(|b| b.lower + b.upper).collect();
        let mut order: Vec<u32> = (0..boxes.len() as u32).collect();
        let mut tree = FaceTree::default();
        tree.split(&middles, &mut order, 0);
        tree.push(boxes.len());
        (tree, order)
    }

    fn push(&mut self, face: usize) {
        self.nodes.push(TreeNode {
            bounds: SmallBox::around(&Aabb::EMPTY),
            ceiling: Ceiling::default(),
            out: [[0; 3]; 2],
            reach: 0.0,
            lean: [[0; 3]; 2],
            end: self.nodes.len() as u32 + 1,
            face: face as u32,
            vertex: 0,
        });
    }

    fn split(&mut self, middles: &[Vec3], order: &mut [u32], first: usize) {
        let node = self.nodes.len();
        self.push(first);
        if order.len() > LEAF {
            let around = order.iter().fold(Aabb::EMPTY, |around, face| {
                around.with(&middles[*face as usize])
            });
            let axis = (around.upper - around.lower).imax();
            let half = order.len() / 2;
            order.select_nth_unstable_by(half, |a, b| {
                let [x, y] = [a, b].map(|face| middles[*face as usize][axis]);
                x.total_cmp(&y).then(a.cmp(b))
            });
            let (left, right) = order.split_at_mut(half);
            self.split(middles, left, first);
            self.split(middles, right, first + half);
        }
        self.nodes[node].end = self.nodes.len() as u32;
    }

    /// Gives its nodes their vertices, of `count`; `corners` are those of a face.
    pub(super) fn set_vertices<'a>(&mut self, count: usize, corners: impl Fn(usize) -> &'a [u32]) {
        let (mut is_known, mut first) = (vec![false; count], vec![0]);
        let faces = self.nodes.last().map_or(0, |node| node.face as usize);
        for face in 0..faces {
            for vertex in corners(face) {
                if !is_known[*vertex as usize] {
                    is_known[*vertex as usize] = true;
                    self.vertices.push(*vertex);
                }
            }
            first.push(self.vertices.len() as u32);
        }
        for node in &mut self.nodes {
            node.vertex = first[node.face as usize];
        }
    }

    /// Makes the boxes: `of` gives a face's own and one around its cells.
    pub(super) fn fit(&mut self, of: impl Fn(usize) -> [Aabb; 2]) {
        let mut with_cells = vec![Aabb::EMPTY; self.nodes().len()];
        for node in (0..self.nodes().len()).rev() {
            let union = |one: Aabb, other: Aabb| one.with(&other.lower).with(&other.upper);
            let both = |[one, of_one]: [Aabb; 2], [other, of_other]: [Aabb; 2]| {
                [union(one, other), union(of_one, of_other)]
            };
            let none = [Aabb::EMPTY; 2];
            let [own, cells] = match self.children(node) {
                Some(children) => children
                    .map(|child| [self.nodes[child].bounds(), with_cells[child]])
                    .into_iter()
                    .fold(none, both),
                None => self.faces(node).map(&of).fold(none, both),
            };
            with_cells[node] = cells;
            let node = &mut self.nodes[node];
            node.bounds = SmallBox::around(&own);
            let own = node.bounds();
            let outs = [own.lower - cells.lower, cells.upper - own.upper]
                .map(|out| out.sup(&Vec3::zeros()));
            node.reach = above(outs[0].max().max(outs[1].max()) / UNITS);
            let unit = f64::from(node.reach);
            node.out = outs.map(|out| [out.x, out.y, out.z].map(|out| (out / unit).ceil() as u8));
        }
    }

    /// Bounds depths: `normal` is that of a face, `highest` the largest d + slope.x of the corners x of its cells at
    /// depths d, `lean` the distances to the lower and upper sides by which they move per depth.
    pub(super) fn bound_depths(
        &mut self,
        normal: impl Fn(usize) -> Vec3,
        highest: impl Fn(usize, &Vec3) -> f64,
        lean: impl Fn(usize) -> [Vec3; 2],
    ) {
        let largest = |all: &mut dyn Iterator<Item = f64>| all.fold(f64::NEG_INFINITY, f64::max);
        for node in (0..self.nodes().len()).rev() {
            let middle = self.nodes[node].bounds().middle();
            let faces = self.faces(node);
            let ceiling = match self.children(node) {
                None => {
                    let sum: Vec3 = faces.clone().map(&normal).sum();
                    let slope = small(&(-sum / faces.len() as f64));
                    let top = |slope: Vec3| {
                        largest(&mut faces.clone().map(|face| highest(face, &-slope)))
                    };
                    Ceiling {
                        slope,
                        at_middle: above(top(slope_of(slope)) + slope_of(slope).dot(&middle)),
                        most: above(top(Vec3::zeros())),
                    }
                }
                Some(children) => {
                    let all = children.map(|child| {
                        let count = self.faces(child).len() as f64 / faces.len() as f64;
                        (self.nodes[child], count)
                    });
                    let slopes = all
                        .iter()
                        .map(|(of, part)| slope_of(of.ceiling.slope) * *part);
                    let slope = small(&slopes.sum());
                    // The slopes differ within the boxes around the cells of the children.
                    let at_middle = all.iter().map(|(of, _)| {
                        let around = of.around_cells();
                        let (own, at_0, _) = of.ceiling();
                        let at = at_0 + own.dot(&around.middle());
                        let off = slope_of(slope).dot(&(middle - around.middle()));
                        at + (own - slope_of(slope)).abs().dot(&around.half()) + off
                    });
                    let most = all.iter().map(|(of, _)| f64::from(of.ceiling.most));
                    Ceiling {
                        slope,
                        at_middle: above(largest(&mut { at_middle })),
                        most: largest(&mut { most }) as f32,
                    }
                }
            };
            let small = |of: Vec3| [of.x, of.y, of.z].map(|c| (c / LEAN).ceil() as u8);
            let larger = |one: [[u8; 3]; 2], other: [[u8; 3]; 2]| {
                from_fn(|side| from_fn(|k| one[side][k].max(other[side][k])))
            };
            let lean = match self.children(node) {
                None => faces
                    .map(|face| {
                        let of = lean(face);
                        let is_known = of[0].max().max(of[1].max()) < LEAN * f64::from(u8::MAX - 1);
                        if is_known {
                            of.map(small)
                        } else {
                            [[u8::MAX; 3]; 2]
                        }
                    })
                    .reduce(larger),
                Some(of) => of
                    .map(|child| self.nodes[child].lean)
                    .into_iter()
                    .reduce(larger),
            };
            self.nodes[node].lean = lean.unwrap_or_default();
            self.nodes[node].ceiling = ceiling;
        }
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.nodes[..]) + size_of_val(&self.vertices[..])
    }

    /// All nodes; the first one is around all faces.
    pub(crate) fn nodes(&self) -> &[TreeNode] {
        &self.nodes[..self.nodes.len().saturating_sub(1)]
    }

    /// `None` for a leaf.
    #[inline(always)]
    pub(crate) fn children(&self, node: usize) -> Option<[usize; 2]> {
        let end = self.nodes[node].end as usize;
        (end > node + 1).then(|| [node + 1, self.nodes[node + 1].end as usize])
    }

    #[inline(always)]
    pub(crate) fn faces(&self, node: usize) -> Range<usize> {
        let end = self.nodes[node].end as usize;
        self.nodes[node].face as usize..self.nodes[end].face as usize
    }

    #[inline(always)]
    pub(crate) fn vertices(&self, node: usize) -> &[u32] {
        let end = self.nodes[node].end as usize;
        &self.vertices[self.nodes[node].vertex as usize..self.nodes[end].vertex as usize]
    }

    /// Calls `look` with the leaves in their order, without those below a node that `enters` refuses.
    #[inline(always)]
    pub(crate) fn for_each_leaf(
        &self,
        enters: impl Fn(&TreeNode) -> bool,
        mut look: impl FnMut(usize),
    ) {
        let (mut node, count) = (0, self.nodes().len());
        while node < count {
            let here = &self.nodes[node];
            let end = here.end as usize;
            if !enters(here) {
                node = end;
                continue;
            }
            node += 1;
            if node == end {
                look(node - 1);
            }
        }
    }

    /// Calls `look` with the leaves that may have a face whose cells meet a box.
    #[inline(always)]
    pub(crate) fn for_each_leaf_near(&self, bounds: &Aabb, look: impl FnMut(usize)) {
        let enters = |node: &TreeNode| {
            let own = node.around_cells();
            let apart = |k: usize| own.lower[k] > bounds.upper[k] || own.upper[k] < bounds.lower[k];
            let far = apart(0) || apart(1) || apart(2);
            !far
        };
        self.for_each_leaf(enters, look);
    }

    /// Calls `look` once with each two faces of leaves whose boxes meet; the first has the lesser number.
    pub(super) fn for_each_pair(&self, mut look: impl FnMut([usize; 2])) {
        let mut stack = vec![[0; 2]];
        while let Some([one, other]) = stack.pop() {
            let [a, b] = [one, other].map(|node| &self.nodes[node]);
            if one != other && !a.bounds.meets(&b.bounds) {
                continue;
            }
            let sizes = [a.end as usize - one, b.end as usize - other];
            match [one, other].map(|node| self.children(node)) {
                [None, None] => {
                    for face in self.faces(one) {
                        let others = self.faces(other).filter(|other| *other > face);
                        others.for_each(|other| look([face, other]));
                    }
                }
                [Some([left, right]), _] if one == other => {
                    stack.extend([[left, left], [right, right], [left, right]]);
                }
                [Some(of), _] if sizes[0] >= sizes[1] => stack.extend(of.map(|one| [one, other])),
                [_, of] => stack.extend(of.into_iter().flatten().map(|other| [one, other])),
            }
        }
    }

    /// Branch and bound: calls `look` with the leaves whose `bound` is less than the least number known,
    /// those with the lower bound first. It takes this number and returns it or a lesser one.
    #[inline(always)]
    pub(crate) fn minimize(
        &self,
        mut least: f64,
        bound: impl Fn(&TreeNode) -> f64,
        mut look: impl FnMut(usize, f64) -> f64,
    ) {
        let mut stack = [(0, f64::NEG_INFINITY); DEPTH + 1];
        let mut count = usize::from(!self.nodes().is_empty());
        while count > 0 {
            count -= 1;
            let (node, from) = stack[count];
            // Equal ones are looked at, for a rule among them.
            if from > least {
                continue;
            }
            match self.children(node) {
                None => least = look(node, least),
                Some(children) => {
                    let [one, other] = children.map(|child| (child, bound(&self.nodes[child])));
                    let (near, far) = if other.1 < one.1 {
                        (other, one)
                    } else {
                        (one, other)
                    };
                    stack[count] = far;
                    stack[count + 1] = near;
                    count += 2;
                }
            }
        }
    }
}
