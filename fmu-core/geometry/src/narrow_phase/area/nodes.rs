//! The nodes of a patch, facet by facet, and what the nodes of a facet stand for.

use crate::math::{Real, Vec2, Vec3};

/// A node of the quadrature of a patch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node<T: Real> {
    /// Where it is, from the origin of the patch [m].
    pub point: Vec3<T>,
    /// Unit normal of the patch, from 1 to 2.
    pub normal: Vec3<T>,
    /// Elastic pressure times area [N], >= 0.
    pub force: T,
}

/// A line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line<T: Real> {
    /// One of its points, from the origin of the patch [m].
    pub point: Vec3<T>,
    /// Unit vector along it.
    pub direction: Vec3<T>,
}

impl<T: Real> Line<T> {
    /// Torque about the line of a unit force along `normal` at a point [m].
    #[inline(always)]
    pub fn lever(&self, point: &Vec3<T>, normal: &Vec3<T>) -> T {
        self.direction.cross(&(point - self.point)).dot(normal)
    }
}

/// What the nodes of a facet stand for, beside themselves.
#[derive(Clone, Copy, Debug)]
pub enum Extent<T: Real> {
    /// Nothing.
    Nodes,
    /// A straight line: two nodes in the Gauss points, or three, the middle one first.
    Line,
    /// A plane region.
    Region(Outline<T>),
}

/// A convex plane region with linear pressure.
#[derive(Clone, Copy, Debug)]
pub struct Outline<T: Real> {
    /// A point inside, the origin of its axes, from the origin of the patch [m].
    pub middle: Vec3<T>,
    /// Unit vectors in the plane.
    pub axes: [Vec3<T>; 2],
    /// Elastic pressure in the middle [Pa].
    pub pressure: T,
    /// Its gradient along the axes [Pa/m].
    pub gradient: Vec2<T>,
    /// Indices of its corners, counter-clockwise about the cross product of the axes.
    corners: (usize, usize),
}

/// A corner of a plane region, where an edge begins.
#[derive(Clone, Copy, Debug)]
pub struct OutlineCorner<T: Real> {
    /// Place along the axes [m].
    pub place: Vec2<T>,
    /// Centre of the circle, if the edge is an arc.
    pub center: Option<Vec2>,
}

/// Nodes, facet by facet.
///
/// Sums over them are taken in pairs, then over a facet, then over all: opposite facets and the
/// opposite nodes of a facet follow each other, so that what cancels by symmetry does so exactly. A
/// crate that lands flat is not turned by rounding, which each bounce would enlarge ten thousand
/// times.
#[derive(Clone, Debug)]
pub struct Nodes<T: Real> {
    list: Vec<Node<T>>,
    /// Where facets end in the list, and what they are.
    ends: Vec<(usize, Extent<T>)>,
    corners: Vec<OutlineCorner<T>>,
}

impl<T: Real> Default for Nodes<T> {
    fn default() -> Self {
        Nodes {
            list: Vec::new(),
            ends: Vec::new(),
            corners: Vec::new(),
        }
    }
}

impl<T: Real> Nodes<T> {
    /// All nodes.
    pub(crate) fn list(&self) -> &[Node<T>] {
        &self.list
    }

    /// Room for so many nodes, facets and corners.
    pub(super) fn reserve(&mut self, nodes: usize) {
        self.list.reserve(nodes);
        self.ends.reserve(nodes);
        self.corners.reserve(nodes);
    }

    /// No nodes.
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.ends.clear();
        self.corners.clear();
    }

    /// Adds a node to the facet that is being made.
    #[inline(always)]
    pub(super) fn push(&mut self, node: Node<T>) {
        self.list.push(node);
    }

    /// Ends the facet that is being made, if it has a node.
    pub(super) fn end_facet(&mut self, extent: Extent<T>) {
        if self.ends.last().map_or(0, |(end, _)| *end) < self.list.len() {
            self.ends.push((self.list.len(), extent));
        }
    }

    /// Adds the corners of a region.
    pub(super) fn outline(
        &mut self,
        middle: Vec3<T>,
        axes: [Vec3<T>; 2],
        pressure: T,
        gradient: Vec2<T>,
        corners: impl Iterator<Item = OutlineCorner<T>>,
    ) -> Extent<T> {
        let start = self.corners.len();
        self.corners.extend(corners);
        Extent::Region(Outline {
            middle,
            axes,
            pressure,
            gradient,
            corners: (start, self.corners.len()),
        })
    }

    /// The corners of a region.
    pub fn corners(&self, of: &Outline<T>) -> &[OutlineCorner<T>] {
        &self.corners[of.corners.0..of.corners.1]
    }

    /// The facets: their nodes, and what these stand for.
    pub fn facets(&self) -> impl Iterator<Item = (&[Node<T>], &Extent<T>)> {
        let mut start = 0;
        self.ends.iter().map(move |(end, extent)| {
            let nodes = &self.list[start..*end];
            start = *end;
            (nodes, extent)
        })
    }

    /// Changes the sign of all normals.
    pub(super) fn flip(&mut self) {
        for node in &mut self.list {
            node.normal = -node.normal;
        }
    }

    /// Sum of what the nodes give.
    #[inline(always)]
    pub fn sum<S: Copy + std::ops::Add<Output = S>>(
        &self,
        zero: S,
        mut of: impl FnMut(&Node<T>) -> S,
    ) -> S {
        let facets = self.facets();
        facets.fold(zero, |all, (nodes, _)| all + in_pairs(nodes, zero, &mut of))
    }
}

/// Sum of what the nodes of a facet give.
#[inline(always)]
pub fn in_pairs<T: Real, S: Copy + std::ops::Add<Output = S>>(
    nodes: &[Node<T>],
    zero: S,
    mut of: impl FnMut(&Node<T>) -> S,
) -> S {
    let mut facet = zero;
    let (twos, rest) = nodes.as_chunks::<2>();
    for [one, other] in twos {
        facet = facet + (of(one) + of(other));
    }
    for one in rest {
        facet = facet + of(one);
    }
    facet
}
