//! Quadrature nodes of a patch, facet by facet, and the extent of each facet.

use crate::math::{Real, Vec2, Vec3};

/// Quadrature node of a patch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node<T: Real> {
    /// Position from the origin of the patch [m].
    pub point: Vec3<T>,
    /// Unit normal of the patch, from 1 to 2.
    pub normal: Vec3<T>,
    /// Weight: elastic pressure times area [N], >= 0.
    pub force: T,
}

/// Straight line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line<T: Real> {
    /// A point on it, from the origin of the patch [m].
    pub point: Vec3<T>,
    /// Unit direction vector.
    pub direction: Vec3<T>,
}

impl<T: Real> Line<T> {
    /// Torque about the line of a unit force along `normal` at a point [m].
    #[inline(always)]
    pub fn lever(&self, point: &Vec3<T>, normal: &Vec3<T>) -> T {
        self.direction.cross(&(point - self.point)).dot(normal)
    }
}

/// Geometry that the nodes of a facet represent.
#[derive(Clone, Copy, Debug)]
pub enum Extent<T: Real> {
    /// The nodes only.
    Nodes,
    /// Straight line: two Gauss points, or three, the middle one first.
    Line,
    /// Plane region.
    Region(Outline<T>),
    /// Polygon, whose nodes are made where they are needed: [`Nodes::over`].
    Polygon(FacetPolygon<T>),
}

/// Convex polygon with linear pressure, and its load.
#[derive(Clone, Copy, Debug)]
pub struct FacetPolygon<T: Real> {
    /// Its corners and pressure.
    pub outline: Outline<T>,
    /// Unit normal of the patch, from 1 to 2.
    pub normal: Vec3<T>,
    /// Integral of the pressure [N].
    pub force: T,
    /// Its first moment from the origin of the patch [N.m].
    pub first: Vec3<T>,
}

impl<T: Real> FacetPolygon<T> {
    /// Node at a place along the axes.
    #[inline(always)]
    fn node(&self, [x, y]: [T; 2], force: T) -> Node<T> {
        let [x_axis, y_axis] = &self.outline.axes;
        Node {
            point: self.outline.middle + x_axis * x + y_axis * y,
            normal: self.normal,
            force: force.positive_part(),
        }
    }
}

/// Convex plane region with linear pressure.
#[derive(Clone, Copy, Debug)]
pub struct Outline<T: Real> {
    /// Interior point and origin of the axes, from the origin of the patch [m].
    pub middle: Vec3<T>,
    /// Unit vectors in the plane.
    pub axes: [Vec3<T>; 2],
    /// Elastic pressure at `middle` [Pa].
    pub pressure: T,
    /// Pressure gradient along the axes [Pa/m].
    pub gradient: Vec2<T>,
    /// Range of its corner indices; counter-clockwise about the cross product of the axes.
    pub(super) corners: (usize, usize),
}

/// Corner of a plane region, where an edge begins.
#[derive(Clone, Copy, Debug)]
pub struct OutlineCorner<T: Real> {
    /// Position along the axes [m].
    pub place: Vec2<T>,
    /// Centre of the circle, if the edge is an arc.
    pub center: Option<Vec2>,
}

/// Nodes, facet by facet.
///
/// Sums over them are taken in pairs, then over a facet, then over all: opposite facets and the opposite
/// nodes of a facet are adjacent, so that contributions that cancel by symmetry do so exactly. A crate that
/// lands flat is not rotated by rounding, which each bounce would magnify ten thousand times.
#[derive(Clone, Debug)]
pub struct Nodes<T: Real> {
    list: Vec<Node<T>>,
    /// End index and extent of each facet.
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
    /// The nodes that are kept: all but the nodes of polygons.
    pub(super) fn kept(&self) -> &[Node<T>] {
        &self.list
    }

    /// All nodes, also of polygons, in a new list: for tests.
    pub fn list(&self) -> Vec<Node<T>> {
        let mut all = Vec::new();
        for (nodes, extent) in self.facets() {
            all.extend(nodes);
            if let Extent::Polygon(polygon) = extent {
                self.over(&polygon.outline, |place, force, _: &mut [T; 0]| {
                    all.push(polygon.node(place, force));
                });
            }
        }
        all
    }

    pub(super) fn reserve(&mut self, nodes: usize) {
        self.list.reserve(nodes);
        self.ends.reserve(nodes);
        self.corners.reserve(nodes);
    }

    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.ends.clear();
        self.corners.clear();
    }

    #[inline(always)]
    pub(super) fn push(&mut self, node: Node<T>) {
        self.list.push(node);
    }

    /// Closes the open facet unless it has no node.
    pub(super) fn end_facet(&mut self, extent: Extent<T>) {
        if self.ends.last().map_or(0, |(end, _)| *end) < self.list.len() {
            self.ends.push((self.list.len(), extent));
        }
    }

    /// Appends a polygon as a facet.
    #[inline(always)]
    pub(super) fn push_polygon(&mut self, polygon: FacetPolygon<T>) {
        self.end_facet(Extent::Nodes);
        self.ends.push((self.list.len(), Extent::Polygon(polygon)));
    }

    #[inline(always)]
    pub(super) fn outline(
        &mut self,
        middle: Vec3<T>,
        axes: [Vec3<T>; 2],
        pressure: T,
        gradient: Vec2<T>,
        corners: impl Iterator<Item = OutlineCorner<T>>,
    ) -> Outline<T> {
        Outline {
            middle,
            axes,
            pressure,
            gradient,
            corners: self.add_corners(corners),
        }
    }

    /// Appends the corners of a region and returns the range of their indices.
    #[inline(always)]
    pub(super) fn add_corners(
        &mut self,
        corners: impl Iterator<Item = OutlineCorner<T>>,
    ) -> (usize, usize) {
        let start = self.corners.len();
        self.corners.extend(corners);
        (start, self.corners.len())
    }

    /// Corners of a region.
    pub fn corners(&self, of: &Outline<T>) -> &[OutlineCorner<T>] {
        &self.corners[of.corners.0..of.corners.1]
    }

    /// Facets: nodes and extent of each; polygons without nodes.
    pub fn facets(&self) -> impl Iterator<Item = (&[Node<T>], &Extent<T>)> {
        let mut start = 0;
        self.ends.iter().map(move |(end, extent)| {
            let nodes = &self.list[start..*end];
            start = *end;
            (nodes, extent)
        })
    }

    pub(super) fn flip(&mut self) {
        for node in &mut self.list {
            node.normal = -node.normal;
        }
        for (_, extent) in &mut self.ends {
            if let Extent::Polygon(polygon) = extent {
                polygon.normal = -polygon.normal;
            }
        }
    }

    /// Sum of a function of the nodes, in the order described above.
    #[inline(always)]
    pub fn sum<S: Copy + std::ops::Add<Output = S>>(
        &self,
        zero: S,
        mut of: impl FnMut(&Node<T>) -> S,
    ) -> S {
        self.facets().fold(zero, |all, (nodes, extent)| {
            let Extent::Polygon(polygon) = extent else {
                return all + in_pairs(nodes, zero, &mut of);
            };
            // Six of a triangle, and of an opposite one.
            let (mut sum, mut own, mut pair, mut count) = (zero, zero, zero, 0);
            self.over(&polygon.outline, |place, force, _: &mut [T; 0]| {
                own = own + of(&polygon.node(place, force));
                count += 1;
                if count % 6 == 0 {
                    (pair, own) = (pair + own, zero);
                }
                if count % 12 == 0 {
                    (sum, pair) = (sum + pair, zero);
                }
            });
            all + (sum + pair)
        })
    }
}

/// Sum of a function of the nodes of one facet, in pairs.
#[inline(always)]
pub fn in_pairs<T: Real, S: Copy + std::ops::Add<Output = S>>(
    nodes: &[Node<T>],
    zero: S,
    mut of: impl FnMut(&Node<T>) -> S,
) -> S {
    // One call, so that it is inlined.
    nodes.chunks(2).fold(zero, |facet, pair| {
        facet + pair.iter().fold(zero, |sum, node| sum + of(node))
    })
}
