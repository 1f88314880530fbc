//! Contact over an area: the pressure nodes of two overlapping shapes, and their energy.
//!
//! Each shape carries a pressure field p_X(x) = k_X depth of x below the nearest face of X, and the pair
//! stores U = integral over the overlap of min(p_A, p_B) dV, a function of the relative pose alone. Its
//! gradient is the wrench of the pressure on the surface where both fields are equal: let A move with the
//! rigid velocity field v. At the boundary of the overlap the integrand is zero, on S = {p_A = p_B} it is
//! continuous, so dU/dt is the integral of dp_A/dt = -div(p_A v) over the part where p_A < p_B, which is
//! -integral of p N.v over S, N the unit normal out of that part. So on any path of the poses, including
//! tilting, the elastic work of a closed path is zero. Equal pressures are those of the pressure field model
//! of [Elandt 2019]; their potential is the integral of the lesser field.
//!
//! - [`nodes`]: the nodes of a patch
//! - [`planes`]: faces as planes and their linear pressures; polygons cut by these
//! - [`facet`]: plane polygons of a patch, their integrals and nodes
//! - [`flush`]: faces of both bodies that lie flush, as one face of both
//! - [`single`]: the patch of a box, hull or mesh and a single plane of the other body
//! - [`section`]: the polygon between two cells, from the corners of a face
//! - [`region`]: the box around all common points of two bodies
//! - [`cells`]: pressures, corners and planes of the cells of a mesh
//! - [`candidates`]: the cells of two bodies that may meet
//! - [`cutting`]: facets cut out of their planes
//! - [`list`]: the faces of two convex bodies in one list
//! - [`layers`]: the patch of two polyhedra (box, hull, half-space, mesh). S consists of plane polygons, one
//!   between two cells, each a facet whose nodes are made where they are needed
//! - [`ball`]: the patch of a soft ball or ellipsoid and the faces of a mesh
//! - [`capsule`]: the patch of a soft capsule, whose ends are halves of balls
//! - a cylinder, cone or beam against a polytope or, cell by cell, a mesh: [`curved`], the curved body is
//!   rigid, p_A = infinity, so S is its own surface and U the integral of p_B over the overlap; k is the series
//!   stiffness of both layers
//! - two faces that meet flat, for estimates: [`flat`]
//!
//! Faces that touch over the area A by the depth d have the force k A d with k = k_A k_B/(k_A + k_B). Where a
//! face reaches beyond the other one's edge, a part d/(2 w) of the normal force acts along it, w the width
//! that is covered: the energy that is released there. Between boxes and hulls it sets in smoothly where the
//! edges were flush. Where one of both is a mesh it does not: a body that slides across the flush edge of one
//! of equal stiffness feels a force along the face that jumps from d/(2 w) of the normal force on one side to
//! -d/(2 w) on the other, and the energy has a kink there.
//!
//! Down to the least thickness of its layer a mesh has the pressure k times depth. Deeper it has none, so the
//! normal force falls: a mesh of thin parts must be stiff enough to stay above.
//!
//! [Elandt 2019] R. Elandt, E. Drumwright, M. Sherman, A. Ruina, A pressure field model for fast, robust
//! approximation of net contact force and moment between nominally rigid objects, IROS 2019

mod ball;
mod candidates;
mod capsule;
pub(crate) mod cells;
mod curved;
mod cutting;
mod facet;
mod flat;
mod flush;
mod layers;
mod list;
mod nodes;
mod planes;
mod region;
mod section;
mod single;

pub use ball::RoundPressure;
pub(crate) use candidates::{middle, moved};
pub use flat::FlatContact;
pub use flush::radius as flush_radius;
pub use nodes::{Extent, FacetPolygon, Line, Node, Nodes, Outline, OutlineCorner, in_pairs};
pub use planes::{Stiffness, face_count};

use crate::math::{Pose, Real, Vec3};
use crate::shapes::{Aabb, Core, Kind, RoundedShape};
use ball::{Ball, Stored};
use curved::cell::{CellWork, Pressed};
pub(crate) use planes::{Linear, plane};
use planes::{Plane, size};
use region::Around;

/// Ways to places beside a singular one, over the size of the round shape: some times the distance up to which a place
/// is singular, in directions that edges and faces rarely have.
const BESIDE: [[f64; 3]; 3] = [
    [0.74e-4, -0.66e-4, 0.11e-4],
    [-0.21e-4, 0.35e-4, 0.91e-4],
    [0.61e-4, 0.72e-4, -0.33e-4],
];

/// Shape with its pose.
pub type Placed<'a, T> = (&'a RoundedShape, &'a Pose<T>);

/// Patch between two shapes, with its work arrays: allocated once, then reused.
#[derive(Clone, Debug)]
pub struct Patch<T: Real> {
    /// Origin of the nodes' frame, whose axes are the world axes [m].
    pub origin_w: Vec3<T>,
    /// Nodes, relative to `origin_w`.
    pub nodes: Nodes<T>,
    /// Stored energy [J].
    pub energy: T,
    /// Axis of the body of revolution, if one of the shapes is one and no ball.
    pub axis: Option<Line<T>>,
    /// Whether one of the shapes is a ball about the origin, whose rotation does not change the overlap.
    pub has_ball: bool,
    /// Of a ball or an ellipsoid on a mesh, which has a node for each face: its largest radius [m], negative if the
    /// normals point into it.
    reach: Option<f64>,
    /// Faces within the overlap of the polytope that a curved shape touches.
    faces: Vec<Plane<T>>,
    single: single::SingleWork<T>,
    layers: layers::LayerWork<T>,
    curved: curved::CurvedWork<T>,
    cells: CellWork,
}

impl<T: Real> Default for Patch<T> {
    fn default() -> Self {
        Patch {
            origin_w: Vec3::zeros(),
            nodes: Nodes::default(),
            energy: T::zero(),
            axis: None,
            has_ball: false,
            reach: None,
            faces: Vec::new(),
            single: single::SingleWork::default(),
            layers: layers::LayerWork::default(),
            curved: curved::CurvedWork::default(),
            cells: CellWork::default(),
        }
    }
}

impl<T: Real> Patch<T> {
    /// Empty patch with capacity for 1,024 facets and nodes, and for convex shapes with this many faces in an
    /// ordinary contact: finding it then does not allocate. Deeply overlapping hulls of many faces make it grow
    /// once, as does a mesh with its vertices and the cells that it touches by.
    pub fn with_room(faces: usize) -> Self {
        let mut patch = Patch::default();
        patch.single.reserve(2 * faces);
        patch.layers.reserve(2 * faces);
        patch.faces.reserve(faces);
        if faces > 0 {
            patch.curved.reserve(faces);
        }
        patch.nodes.reserve(NODES);
        patch
    }

    /// Number of pairs of cells of two polyhedra that were tried last, none of faces in one list: a work counter.
    pub fn cell_pairs(&self) -> usize {
        self.layers.candidates.pairs.len()
    }

    /// Number of lists made of pairs of cells of two meshes: a work counter.
    pub fn pair_lists(&self) -> usize {
        self.layers.candidates.made
    }

    /// Integral of the pressure times its distance from an axis through its centre along N, the direction of its
    /// force [N.m]; of a ball or an ellipsoid on a mesh by the planes that it touches.
    pub fn arm(&self, center: &Vec3<T>, normal: &Vec3<T>) -> T {
        match self.reach {
            Some(reach) => self.nodes.arm_of_faces(center, normal, reach),
            None => self.nodes.arm(center, normal),
        }
    }

    /// Returns true if a node stands for a face: slip integrated over the nodes then knows how planes are cut.
    pub fn has_node_for_face(&self) -> bool {
        self.reach.is_some()
    }
}

/// Initial capacity for facets, for their nodes and for their corners; two boxes need less.
const NODES: usize = 1024;

fn is_polytope(kind: Kind) -> bool {
    matches!(kind, Kind::HalfSpace | Kind::Mesh | Kind::Hull | Kind::Box)
}

/// Index of the shape whose face carries the contact, as far as the kinds of the cores decide: the
/// half-space, or the polytope that a curved body presses.
pub fn face_side(cores: [&Core; 2]) -> Option<usize> {
    let kinds = cores.map(Core::kind);
    let half_space = kinds.iter().position(|kind| *kind == Kind::HalfSpace);
    let curved = || kinds.iter().position(|kind| !is_polytope(*kind));
    half_space.or_else(|| curved().map(|side| 1 - side))
}

impl<T: Real> Patch<T> {
    fn clear(&mut self) {
        self.nodes.clear();
        self.energy = T::zero();
        self.axis = None;
        self.has_ball = false;
        self.reach = None;
        self.layers.candidates.clear();
    }

    /// Finds the nodes of two shapes without radius, of which one or both are polytopes or meshes. Pressures
    /// of faces begin where they overlap by `hysteresis` [m]: each face of two polyhedra is moved inwards by
    /// half of it, each of a polytope or mesh that a curved body presses by all of it. Edges and corners begin
    /// a little deeper.
    pub fn find(&mut self, shapes: [Placed<'_, T>; 2], stiffness: Stiffness, hysteresis: f64) {
        let [(one, pose_1), (two, pose_2)] = shapes;
        self.clear();
        // From the middle of the smaller shape, so that lengths are no larger than they must be.
        let [size_1, size_2] = [one, two].map(|shape| size(&shape.core));
        self.origin_w = match size_1 < size_2 {
            true => pose_1.position,
            false => pose_2.position,
        };
        let moved = |pose: &Pose<T>| Pose {
            position: pose.position - self.origin_w,
            rotation: pose.rotation,
        };
        let poses = [moved(pose_1), moved(pose_2)];
        let cores = [&one.core, &two.core];
        let curved = cores.iter().position(|core| !is_polytope(core.kind()));
        let inset = match curved {
            Some(_) => hysteresis,
            None => 0.5 * hysteresis,
        };
        if let Some(rigid) = curved
            && matches!(cores[rigid], Core::Cylinder(_) | Core::Cone(_))
        {
            let pose = &poses[rigid];
            self.axis = Some(Line {
                point: pose.position,
                direction: pose.rotation.column(2).into(),
            });
        }
        if curved.is_none() && inset >= 0.0 {
            let (single, nodes) = (&mut self.single, &mut self.nodes);
            if let Some(energy) = single.find(cores, &poses, stiffness, inset, nodes) {
                self.energy = energy;
                return;
            }
        }
        if cores.iter().any(|core| core.kind() == Kind::Mesh) {
            self.find_on_mesh(cores, &poses, stiffness, inset, curved);
            return;
        }
        let Some(rigid) = curved else {
            let (layers, nodes) = (&mut self.layers, &mut self.nodes);
            self.energy = layers.find(cores, &poses, stiffness, inset, nodes);
            return;
        };
        let soft = 1 - rigid;
        let pressed = [rigid, soft].map(|side| (cores[side], &poses[side]));
        if !self.find_faces(pressed, inset) {
            return;
        }
        let (core, pose, planes) = (cores[rigid], &poses[rigid], &self.faces);
        self.energy = curved::patch(
            core,
            pose,
            planes,
            in_series(stiffness),
            &mut self.curved,
            &mut self.nodes,
        );
        if rigid == 1 {
            self.nodes.flip();
        }
    }

    /// Finds the faces of a polytope, the second body, that can be the nearest one to a common point with the
    /// first; returns false if there is none.
    fn find_faces(&mut self, bodies: [(&Core, &Pose<T>); 2], inset: f64) -> bool {
        let [(core, pose), (soft, soft_pose)] = bodies;
        let [values, own] = [pose, soft_pose].map(Pose::values);
        let middle = own.rotation.tr_mul(&(values.position - own.position));
        let bounds = core.solid().bounds(&own.rotation.tr_mul(&values.rotation));
        let [lower, upper] = bounds.map(|corner| middle + corner);
        let mut within = Around::new(&Aabb { lower, upper });
        let depth = |face: usize| {
            let plane = plane(soft, face, &Pose::identity(), inset);
            Linear {
                gradient: -plane.normal,
                at_0: plane.offset,
            }
        };
        let count = face_count(soft);
        if !within.shrink_all((0..count).map(depth)) {
            return false;
        }
        let most = (0..count).map(|face| within.range(&depth(face))[1]);
        let bound = most.fold(f64::INFINITY, f64::min);
        let near = (0..count).filter(|face| within.range(&depth(*face))[0] < bound);
        self.faces.clear();
        self.faces
            .extend(near.map(|face| plane(soft, face, soft_pose, inset)));
        true
    }

    /// [`Self::find`] of a mesh.
    fn find_on_mesh(
        &mut self,
        cores: [&Core; 2],
        poses: &[Pose<T>; 2],
        stiffness: Stiffness,
        inset: f64,
        curved: Option<usize>,
    ) {
        let nodes = &mut self.nodes;
        let Some(rigid) = curved else {
            self.energy = self.layers.find(cores, poses, stiffness, inset, nodes);
            return;
        };
        let Core::Mesh(mesh) = cores[1 - rigid] else {
            return;
        };
        let pressed = Pressed {
            core: cores[rigid],
            pose: &poses[rigid],
            mesh_pose: &poses[1 - rigid],
            inset,
            stiffness: in_series(stiffness),
        };
        let (cells, curved) = (mesh.cells(), &mut self.curved);
        self.energy = self.cells.press_mesh(&pressed, cells, curved, nodes);
        if rigid == 1 {
            self.nodes.flip();
        }
    }
}

/// Stiffness per area [N/m3] of two layers one upon the other.
fn in_series([k_1, k_2]: Stiffness) -> f64 {
    k_1 * k_2 / (k_1 + k_2)
}

impl<T: Real> Patch<T> {
    /// Finds the nodes of a round shape (ball, capsule, ellipsoid) and a mesh: of a ball or an ellipsoid one for
    /// each face inside it, at its centre of pressure, of a capsule those of its ends and two for the part
    /// between. The surface of the round shape is moved inwards by `hysteresis` [m]. A shape that reaches no
    /// face has no energy, even inside the mesh.
    pub fn find_round(
        &mut self,
        shapes: [Placed<'_, T>; 2],
        pressure: &RoundPressure,
        hysteresis: f64,
    ) {
        self.clear();
        let side = usize::from(shapes[0].0.round_radius().is_none());
        let ((round, at), (body, pose)) = (shapes[side], shapes[1 - side]);
        self.origin_w = at.position;
        let Core::Mesh(mesh) = &body.core else {
            return;
        };
        let local = Pose {
            position: pose.rotation.tr_mul(&(at.position - pose.position)),
            rotation: pose.rotation.tr_mul(&at.rotation),
        };
        let (axes, radius) = (&pose.rotation, round.radius - hysteresis);
        let (reach, axis) = match &round.core {
            Core::Segment(_) => (None, Some(2)),
            Core::Ellipsoid(of) => (Some(of.semi_axes.amax()), of.axis()),
            _ => (Some(radius), None),
        };
        self.reach = reach.map(|reach| if side == 0 { reach } else { -reach });
        self.has_ball = match &round.core {
            Core::Ellipsoid(of) => of.is_ball(),
            _ => round.is_ball(),
        };
        self.axis = axis.map(|axis| Line {
            point: Vec3::zeros(),
            direction: at.rotation.column(axis).into(),
        });
        let press = |aside: &Vec3, nodes: &mut Nodes<T>| {
            nodes.clear();
            let local = Pose {
                position: local.position + aside.map(T::from),
                rotation: local.rotation,
            };
            match &round.core {
                Core::Segment(segment) => {
                    capsule::press(segment, &local, radius, pressure, mesh, axes, nodes)
                }
                Core::Ellipsoid(of) => {
                    Ball::ellipsoid(of, &local, hysteresis, *pressure).press(mesh, axes, nodes)
                }
                _ => Ball::new(local.position, radius, *pressure).press(mesh, axes, nodes),
            }
        };
        let mut stored = press(&Vec3::zeros(), &mut self.nodes);
        if stored.is_singular {
            let size = match &round.core {
                Core::Ellipsoid(of) => of.semi_axes.min(),
                _ => radius,
            };
            for way in BESIDE {
                let aside = Vec3::from(way) * size;
                stored = beside(
                    &aside,
                    &(axes * aside.map(T::from)),
                    &press,
                    &mut self.nodes,
                );
                if !stored.is_singular {
                    break;
                }
            }
            press(&Vec3::zeros(), &mut self.nodes);
        }
        self.energy = stored.energy;
        if side == 0 {
            self.nodes.flip();
        }
    }
}

/// Energy of a round shape at a place from two beside it, on both sides, where U is smooth: half of their sum and a
/// quarter of the difference of their forces along the way, exact for cubic U.
fn beside<T: Real>(
    aside: &Vec3,
    aside_w: &Vec3<T>,
    press: &impl Fn(&Vec3, &mut Nodes<T>) -> Stored<T>,
    nodes: &mut Nodes<T>,
) -> Stored<T> {
    let mut sum = Stored::new();
    for side in [1.0, -1.0] {
        sum.add(&press(&(aside * side), nodes));
        for node in nodes.kept() {
            sum.energy += node.force * node.normal.dot(aside_w) * (0.5 * side);
        }
    }
    sum.energy *= T::from(0.5);
    sum
}

#[cfg(test)]
#[path = "../../../tests/unit/narrow_phase/area/tests.rs"]
mod tests;
