//! Contact over an area: the nodes of pressure between two shapes that overlap, and their energy.
//!
//! Each shape carries a pressure field p_X(x) = k_X depth of x below the nearest face of X, and the
//! pair stores U = integral over the overlap of min(p_A, p_B) dV, a function of the relative pose
//! alone. Its gradient is the wrench of the pressure on the surface where both fields are equal:
//! let A move with the rigid velocity field v. At the boundary of the overlap the integrand is
//! zero, on S = {p_A = p_B} it is continuous, so dU/dt is the integral of dp_A/dt = -div(p_A v)
//! over the part where p_A < p_B, which is -integral of p N.v over S, N the unit normal out of that
//! part. So whatever path the poses take, in, along, tilted and out, the elastic work of a closed
//! path is zero. Equal pressures are those of the pressure field model of [Elandt 2019]; their
//! potential is the integral of the lesser field.
//!
//! - [`region`]: the faces that matter where two bodies overlap
//! - polytopes (box, hull, half-space): [`polytopes`], S consists of plane polygons, cut
//!   ([`region`]) by the linear pressures of other faces, each a facet with nodes; faces of both
//!   that lie flush ([`flat`]) are one face of both there
//! - a cylinder, cone or beam against a polytope: [`curved`], the curved body is rigid, p_A =
//!   infinity, so S is its own surface and U the integral of p_B over the overlap; k is that of
//!   both layers in series
//! - two faces that meet flat, for estimates: [`flat`]
//!
//! Faces that touch over the area A by the depth d have the force k A d with k = k_A k_B/(k_A +
//! k_B). Where a face reaches beyond the other one's edge there is a force of the part d/(2 w) of
//! the normal force along it, w the width that is covered: the energy that is set free there. It
//! comes smoothly where the edges were flush.
//!
//! [Elandt 2019] R. Elandt, E. Drumwright, M. Sherman, A. Ruina, A pressure field model for fast,
//! robust approximation of net contact force and moment between nominally rigid objects, IROS 2019

pub mod curved;
pub mod flat;
mod polytopes;
mod region;

pub use flat::radius as flush_radius;

use crate::math::{Pose, Real, Vec2, Vec3};
use crate::shapes::{Core, Kind, RoundedShape};
use region::Region;

/// Plane of a face: the inside is where normal . x <= offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane<T: Real> {
    /// Unit normal, out of the body.
    pub normal: Vec3<T>,
    /// Where it is along the normal [m].
    pub offset: T,
}

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
pub struct Corner<T: Real> {
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
    corners: Vec<Corner<T>>,
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
    pub fn list(&self) -> &[Node<T>] {
        &self.list
    }

    /// No nodes.
    pub fn clear(&mut self) {
        self.list.clear();
        self.ends.clear();
        self.corners.clear();
    }

    /// Adds a node to the facet that is being made.
    #[inline(always)]
    pub fn push(&mut self, node: Node<T>) {
        self.list.push(node);
    }

    /// Ends the facet that is being made, if it has a node.
    pub fn end_facet(&mut self, extent: Extent<T>) {
        if self.ends.last().map_or(0, |(end, _)| *end) < self.list.len() {
            self.ends.push((self.list.len(), extent));
        }
    }

    /// Adds the corners of a region.
    pub fn outline(
        &mut self,
        (middle, axes): (Vec3<T>, [Vec3<T>; 2]),
        (pressure, gradient): (T, Vec2<T>),
        corners: impl Iterator<Item = Corner<T>>,
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
    pub fn corners(&self, of: &Outline<T>) -> &[Corner<T>] {
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
    fn flip(&mut self) {
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

/// Pressure over depth [N/m3] of both layers.
pub type Stiffness = [f64; 2];

/// A shape and where it is.
pub type Placed<'a, T> = (&'a RoundedShape, &'a Pose<T>);

/// What two shapes do to each other over an area, and arrays for it; allocated once, then reused.
#[derive(Clone, Debug)]
pub struct Patch<T: Real> {
    /// Origin of the frame of the nodes, whose axes are those of the world [m].
    pub origin_w: Vec3<T>,
    /// The nodes.
    pub nodes: Nodes<T>,
    /// Stored energy [J].
    pub energy: T,
    /// Axis of the body of revolution, if one of both is one.
    pub axis: Option<Line<T>>,
    /// Where they overlap.
    region: Region,
    /// Faces there of the polytope that a curved shape touches.
    faces: Vec<Plane<T>>,
    polytopes: polytopes::Work<T>,
    curved: curved::Work<T>,
}

impl<T: Real> Patch<T> {
    /// No patch, with room for that of two boxes or of shapes with so many faces each that touch as
    /// they mostly do: finding it does not allocate then. Of hulls of many faces that are deep in
    /// each other it grows, and keeps that room.
    pub fn with_room(faces: usize) -> Self {
        let mut patch = Patch {
            origin_w: Vec3::zeros(),
            nodes: Nodes::default(),
            energy: T::zero(),
            axis: None,
            region: Region::default(),
            faces: Vec::new(),
            polytopes: polytopes::Work::default(),
            curved: curved::Work::default(),
        };
        patch.polytopes.reserve(2 * faces);
        patch.faces.reserve(faces);
        if faces > 0 {
            // With two planes for each pair of flush faces.
            patch.region.faces.reserve(4 * faces);
            patch.curved.reserve(faces);
            patch.nodes.list.reserve(NODES);
            patch.nodes.ends.reserve(NODES);
            patch.nodes.corners.reserve(NODES);
        }
        patch
    }
}

/// Room for nodes: those of two boxes need less.
const NODES: usize = 1024;

/// Returns true if a core is bounded by planes alone.
fn is_polytope(kind: Kind) -> bool {
    matches!(kind, Kind::HalfSpace | Kind::Hull | Kind::Box)
}

/// Which of two shapes has the face on which the force stands, as far as their kinds say: the
/// half-space, or the polytope that a curved body presses.
pub fn face_side(cores: [&Core; 2]) -> Option<usize> {
    let kinds = cores.map(Core::kind);
    let half_space = kinds.iter().position(|kind| *kind == Kind::HalfSpace);
    let curved = || kinds.iter().position(|kind| !is_polytope(*kind));
    half_space.or_else(|| curved().map(|side| 1 - side))
}

/// Number of plane faces of a polytope; 0 of other cores.
pub fn face_count(core: &Core) -> usize {
    count(core)
}

impl<T: Real> Patch<T> {
    /// Finds the nodes of two shapes without radius, of which one at least is a polytope. Pressures
    /// of faces begin where they overlap by `hysteresis` [m]: each face of two polytopes is moved
    /// inwards by half of it, each of a polytope that a curved body presses by all of it. Edges and
    /// corners begin a little deeper.
    pub fn find(&mut self, shapes: [Placed<'_, T>; 2], stiffness: Stiffness, hysteresis: f64) {
        let [(one, pose_1), (two, pose_2)] = shapes;
        self.nodes.clear();
        self.energy = T::zero();
        self.axis = None;
        // From the middle of the smaller shape, so that lengths are no larger than they must be.
        let [size_1, size_2] = [one, two].map(|shape| size(&shape.core));
        self.origin_w = match size_1 < size_2 {
            true => pose_1.position,
            false => pose_2.position,
        };
        let poses = [pose_1, pose_2].map(|pose| Pose {
            position: pose.position - self.origin_w,
            rotation: pose.rotation,
        });
        let cores = [&one.core, &two.core];
        let curved = cores.iter().position(|core| !is_polytope(core.kind()));
        let inset = match curved {
            Some(_) => hysteresis,
            None => 0.5 * hysteresis,
        };
        let values = [0, 1].map(|side| poses[side].values());
        if !self.region.find(cores, &values, stiffness, inset) {
            return;
        }
        let Some(rigid) = curved else {
            let given = (stiffness, inset, &self.region);
            self.energy = self.polytopes.find(cores, &poses, given, &mut self.nodes);
            return;
        };
        let soft = 1 - rigid;
        let near = self.region.faces.iter();
        let plane = |face: usize| plane(cores[soft], face, &poses[soft], inset);
        self.faces.clear();
        self.faces
            .extend(near.map(|candidate| plane(candidate.face)));
        let [k_1, k_2] = stiffness;
        let in_series = k_1 * k_2 / (k_1 + k_2);
        let (core, pose, planes) = (cores[rigid], &poses[rigid], &self.faces);
        if matches!(core.kind(), Kind::Cylinder | Kind::Cone) {
            self.axis = Some(Line {
                point: pose.position,
                direction: pose.rotation.column(2).into(),
            });
        }
        self.energy = curved::patch(
            core,
            pose,
            planes,
            in_series,
            &mut self.curved,
            &mut self.nodes,
        );
        if rigid == 1 {
            self.nodes.flip();
        }
    }
}

/// Largest coordinate [m]; infinite for a half-space.
fn size(core: &Core) -> f64 {
    match core {
        Core::HalfSpace => f64::INFINITY,
        bounded => bounded.solid().largest_coordinate(),
    }
}

// The faces of polytopes as planes.

/// A face of a polytope at a pose, moved inwards by `inset` [m]. Opposite faces of a box follow
/// each other.
#[inline(always)]
pub fn plane<T: Real>(core: &Core, face: usize, pose: &Pose<T>, inset: f64) -> Plane<T> {
    let (normal, offset): (Vec3<T>, f64) = match core {
        Core::Box(cuboid) => {
            let axis = face / 2;
            let normal: Vec3<T> = pose.rotation.column(axis).into();
            let outward = if face.is_multiple_of(2) {
                normal
            } else {
                -normal
            };
            (outward, cuboid.half[axis])
        }
        Core::Hull(hull) => {
            let (normal, offset) = hull.faces().plane(face);
            (pose.rotation * normal.map(T::from), offset)
        }
        // Of the other polytope, a half-space.
        _ => (pose.rotation.column(2).into(), 0.0),
    };
    Plane {
        normal,
        offset: normal.dot(&pose.position) + (offset - inset),
    }
}

/// Number of faces of a polytope; 0 of other cores.
pub fn count(core: &Core) -> usize {
    match core {
        Core::HalfSpace => 1,
        Core::Box(_) => 6,
        Core::Hull(hull) => hull.faces().count(),
        _ => 0,
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/narrow_phase/area/tests.rs"]
mod tests;
