//! A mesh against a point, another mesh and any convex core.
//!
//! Where the surfaces do not meet the gap is their distance: that of two faces, or of a face and a convex
//! core, found by [`gjk`] and solved by [`polytope`], of a round core by [`beside`]. Boxes of the trees bound
//! it from below and the last faces, as the first ones tried, from above. With a point it is the distance of the
//! nearest point of the faces, negative inside: the sign is that of the normal there, of an edge or a vertex the sum of the normals
//! of its faces weighted with their angles (Baerentzen, Aanaes, IEEE TVCG 11, 2005).
//!
//! A round core is rigid: where it meets the surface the gap is its largest depth in a cell ([`inside`]),
//! negative; of a segment none but its radius, so that a capsule has the gap -R. An ellipsoid has that of its own
//! field of depths, see [`ellipsoid`].
//!
//! Where two polyhedra meet it is -2 t, with t the largest depth that is equal in both bodies. Within a cell depths are
//! linear and its planes are constraints, so t is the largest depth d_a with d_b >= d_a in the cells: a linear
//! programme. A convex core is one cell, whose depth is the least below its faces. Face on face t is half of
//! the overlap; at edges and corners of one body it is less, but zero only where the distance is. Bodies that
//! overlap by more than their layers have at least the thickness of one.

use crate::math::{Mat3, Pose, Real, Vec3};
use crate::narrow_phase::area::{middle, moved};
use crate::narrow_phase::curved::beside::{self, EdgeFeature, RoundCore};
use crate::narrow_phase::ellipsoid::{self, EllipsoidPart};
use crate::narrow_phase::gjk::{self, Difference, NO_VERTEX, Support};
use crate::narrow_phase::inside::{self, CellFeature};
use crate::narrow_phase::polytope::{self, VertexPairs};
use crate::narrow_phase::programme::{Partner, Programme};
use crate::narrow_phase::proximity::{Nearest, Proximity, in_core};
use crate::narrow_phase::surface::{is_below, nearest_of_face, on_edge};
use crate::shapes::mesh::cells::{CellFace, Cells};
use crate::shapes::mesh::tree::{DEPTH, FaceTree, TreeNode};
use crate::shapes::{Aabb, Core, Mesh, RoundedShape};
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::ops::Range;

/// Relative difference of two distances that counts as none.
pub(super) const SAME: f64 = 1e-14;

/// Relative difference of the bounds of a distance at which the search hands over to [`beside`].
const HAND_OVER: f64 = 1e-3;

/// Nearest parts of a mesh and another core.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum MeshFeature {
    /// A face, and a point or a round core over or under it.
    Face(u32),
    /// The part of the surface that is deepest in an ellipsoid.
    InEllipsoid(EllipsoidPart),
    /// An edge, and a round core.
    Beside {
        /// The edge.
        edge: EdgeFeature,
        /// Whether the core is inside.
        is_nested: bool,
    },
    /// An edge between two vertices, or a vertex if they are equal, of a face, and a point outside or inside.
    Edge {
        /// A face there.
        face: u32,
        /// Vertices of the cells.
        ends: [u32; 2],
        /// Whether the point is inside.
        is_inside: bool,
    },
    /// Two faces, or a face and a convex core, that are apart.
    Apart {
        /// Faces.
        faces: [u32; 2],
        /// Their nearest vertices.
        pairs: VertexPairs,
        /// Whether one body lies in the other.
        is_nested: bool,
    },
    /// Two cells that overlap.
    Overlap {
        /// Faces that meet.
        faces: [u32; 2],
        /// Faces of the cells, and their parts.
        cells: [[u32; 2]; 2],
        /// Planes on which the deepest point lies.
        planes: [u32; 3],
    },
    /// A cell, and a round core that overlaps with it.
    Inside(CellFeature),
    /// Two faces that touch.
    Touch([u32; 2]),
}

impl MeshFeature {
    fn faces(&self) -> [u32; 2] {
        match self {
            MeshFeature::Face(face)
            | MeshFeature::Edge { face, .. }
            | MeshFeature::InEllipsoid(EllipsoidPart { face, .. }) => [*face, 0],
            MeshFeature::Beside { edge, .. } => [edge.face, 0],
            MeshFeature::Inside(feature) => [feature.cell[0], 0],
            MeshFeature::Apart { faces, .. }
            | MeshFeature::Overlap { faces, .. }
            | MeshFeature::Touch(faces) => *faces,
        }
    }

    /// Least thickness [m] of the layers of the meshes among two cores, where a feature is if one is known; `None`
    /// without a mesh.
    pub fn layer(feature: Option<&MeshFeature>, cores: [&Core; 2]) -> Option<f64> {
        let faces = feature.map(|feature| match feature {
            MeshFeature::Overlap { cells, .. } => cells.map(|[face, _]| face),
            _ => feature.faces(),
        });
        let meshes = cores.into_iter().filter_map(|core| match core {
            Core::Mesh(mesh) => Some(mesh.cells()),
            _ => None,
        });
        let layers = meshes
            .enumerate()
            .map(|(k, cells)| cells.thickness_at(faces.map(|of| of[k])));
        layers.reduce(f64::min)
    }
}

impl<'a> Partner<'a> {
    fn of(core: &'a Core) -> Self {
        match core {
            Core::Mesh(mesh) => Partner::Mesh(mesh.cells()),
            _ => Partner::Convex(core),
        }
    }

    /// The core, unless it is a polyhedron.
    fn round(&self) -> Option<&'a Core> {
        match self {
            Partner::Convex(Core::Box(_) | Core::Hull(_)) | Partner::Mesh(_) => None,
            Partner::Convex(core) => Some(core),
        }
    }

    fn tree(&self) -> Option<&'a FaceTree> {
        match self {
            Partner::Mesh(cells) => Some(&cells.tree),
            Partner::Convex(_) => None,
        }
    }

    /// Number of faces; a convex core is one.
    pub(super) fn count(&self) -> usize {
        match self {
            Partner::Mesh(cells) => cells.faces.len(),
            Partner::Convex(_) => 1,
        }
    }

    fn set(&self, face: usize) -> Convex<'a> {
        match self {
            Partner::Mesh(cells) => Convex::Face(cells, face),
            Partner::Convex(core) => Convex::Core(core),
        }
    }
}

/// Convex part of a core: a face of a mesh, or an entire core, of a mesh its hull.
#[derive(Clone, Copy)]
pub enum Convex<'a> {
    /// Cells of a mesh, and a face of these.
    Face(&'a Cells, usize),
    /// All of a core.
    Core(&'a Core),
}

impl Support for Convex<'_> {
    #[inline(never)]
    fn farthest(&self, direction: &Vec3, near: u32) -> (Vec3, u32) {
        match self {
            Convex::Face(cells, face) => {
                let (mut best, mut most) = ((Vec3::zeros(), 0), f64::NEG_INFINITY);
                for number in cells.corners(*face) {
                    let point = cells.vertex(*number).point;
                    let along = point.dot(direction);
                    if along > most {
                        (best, most) = ((point, *number), along);
                    }
                }
                best
            }
            Convex::Core(Core::Hull(hull)) => Support::farthest(&**hull, direction, near),
            Convex::Core(Core::Box(cuboid)) => Support::farthest(&cuboid.half, direction, near),
            Convex::Core(core) => (core.support(direction), NO_VERTEX),
        }
    }
}

impl Convex<'_> {
    /// Least and largest x.d [m] of its points x.
    fn range(&self, d: &Vec3) -> [f64; 2] {
        match self {
            Convex::Face(cells, face) => {
                let along = |number: &u32| cells.vertex(*number).point.dot(d);
                let all = cells.corners(*face).iter().map(along);
                let none = [f64::INFINITY, f64::NEG_INFINITY];
                all.fold(none, |[least, most], x| [least.min(x), most.max(x)])
            }
            Convex::Core(_) => {
                let [least, most] = [-d, *d].map(|way| self.farthest(&way, 0).0.dot(d));
                [least, most]
            }
        }
    }
}

#[inline(never)]
pub(super) fn nearest(
    mesh: &Mesh,
    pose: &Pose,
    core: &Core,
    core_pose: &Pose,
    last: Option<&MeshFeature>,
) -> MeshFeature {
    if let Core::Point = core {
        let first = last.map(|last| last.faces()[0]);
        return nearest_part(mesh.cells(), &in_core(pose, core_pose), first);
    }
    Bodies::new(mesh, pose, core, core_pose).nearest(core, last)
}

/// Work of the search of a mesh and another core.
pub fn work(
    mesh: &Mesh,
    pose: &Pose,
    core: &Core,
    core_pose: &Pose,
    last: Option<&MeshFeature>,
) -> SearchWork {
    let pair = Bodies::new(mesh, pose, core, core_pose);
    pair.nearest(core, last);
    pair.work.get()
}

/// The part of the surface nearest to a point.
fn nearest_part(cells: &Cells, point: &Vec3, first: Option<u32>) -> MeshFeature {
    let mut best = (MeshFeature::Face(0), f64::INFINITY);
    let corner = |v: u32| cells.vertex(v).point;
    let look = |face: usize, best: &mut (MeshFeature, f64)| {
        let of = &cells.faces[face];
        let height = of.normal.dot(point) - of.height;
        let near = nearest_of_face(
            cells.corners(face),
            corner,
            &of.normal,
            height,
            point,
            best.1,
        );
        if let Some((ends, squared)) = near {
            let face = face as u32;
            let part = match ends {
                None => MeshFeature::Face(face),
                Some(ends) => MeshFeature::Edge {
                    face,
                    ends,
                    is_inside: false,
                },
            };
            *best = (part, squared);
        }
    };
    if let Some(face) = first.filter(|face| (*face as usize) < cells.faces.len()) {
        look(face as usize, &mut best);
    }
    let bound = |node: &TreeNode| {
        let Aabb { lower, upper } = node.bounds();
        let off = (lower - point).sup(&(point - upper)).sup(&Vec3::zeros());
        off.norm_squared()
    };
    cells.tree.minimize(best.1, bound, |leaf, _| {
        for face in cells.tree.faces(leaf) {
            look(face, &mut best);
        }
        best.1
    });
    let mut part = best.0;
    if let MeshFeature::Edge {
        ends, is_inside, ..
    } = &mut part
    {
        let at = on_edge(&ends.map(|v| cells.vertex(v).point), point);
        *is_inside = is_below(cells, &at, &(point - at));
    }
    part
}

/// Returns true if a point near a face is inside.
fn is_inside(cells: &Cells, point: &Vec3, face: u32) -> bool {
    match nearest_part(cells, point, Some(face)) {
        MeshFeature::Edge { is_inside, .. } => is_inside,
        part => {
            let of = &cells.faces[part.faces()[0] as usize];
            of.normal.dot(point) < of.height
        }
    }
}

/// A mesh and another body.
pub(super) struct Bodies<'a> {
    pub(super) a: &'a Cells,
    pub(super) b: Partner<'a>,
    /// Pose of b in the frame of a, and of a in that of b.
    pub(super) pose: Pose,
    pub(super) back: Pose,
    /// Magnitudes of the rotation of b.
    pub(super) turn: Mat3,
    /// Box around b, in its frame.
    pub(super) box_b: Aabb,
    work: Cell<SearchWork>,
    /// Face of a convex core that bounded a depth last.
    pub(super) lowest: Cell<usize>,
}

/// Work of a search for the nearest features of a mesh and another polyhedron.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SearchWork {
    /// Pairs of nodes of the trees whose bounds were nearer than what was known.
    pub nodes: usize,
    /// Pairs of faces that were tried.
    pub faces: usize,
    /// Linear programmes.
    pub programmes: usize,
}

/// Nearest parts of two faces, or of a face and a convex core.
struct NearFaces {
    /// `None` where it is known only that they are too far apart.
    part: Option<MeshFeature>,
    /// Nearest point of a, frame of a, and the vector from there to b.
    point: Vec3,
    vector: Vec3,
}

impl<'a> Bodies<'a> {
    pub(super) fn new(mesh: &'a Mesh, pose: &Pose, core: &'a Core, core_pose: &Pose) -> Self {
        let relative = gjk::relative_pose(pose, core_pose);
        Bodies {
            a: mesh.cells(),
            b: Partner::of(core),
            box_b: match core {
                Core::Mesh(mesh) => mesh.cells().bounds,
                _ => {
                    let [lower, upper] = core.solid().bounds(&Pose::identity().rotation);
                    Aabb { lower, upper }
                }
            },
            turn: relative.rotation.abs(),
            pose: relative,
            back: gjk::relative_pose(core_pose, pose),
            work: Cell::default(),
            lowest: Cell::default(),
        }
    }

    fn nearest(&self, core: &Core, last: Option<&MeshFeature>) -> MeshFeature {
        let hint = last.map(MeshFeature::faces);
        let last_edge = match last {
            Some(MeshFeature::Beside { edge, .. }) => Some(edge),
            _ => None,
        };
        match self.distance(hint, last_edge) {
            Ok(apart) => apart,
            Err(faces) if self.b.round().is_some() => self.deepest_round(core, hint, faces),
            Err(faces) => {
                let hint = match last {
                    Some(MeshFeature::Overlap { cells, .. }) => Some(*cells),
                    _ => None,
                };
                self.deepest(hint, faces)
            }
        }
    }

    pub(super) fn count(&self, add: impl Fn(&mut SearchWork)) {
        let mut work = self.work.get();
        add(&mut work);
        self.work.set(work);
    }

    /// Faces that are apart; those that meet as the error.
    fn distance(
        &self,
        hint: Option<[u32; 2]>,
        last_edge: Option<&EdgeFeature>,
    ) -> Result<MeshFeature, [u32; 2]> {
        let (mut best, mut least, mut meeting) = (None::<NearFaces>, f64::INFINITY, None);
        let way = Cell::new(None);
        // Along which the last pair was too far apart: often its neighbours are, too.
        let mut aside = None;
        let mut look = |faces: [usize; 2], least: &mut f64| {
            if meeting.is_some() || self.near(&self.face_boxes(faces), *least).is_none() {
                return;
            }
            self.count(|work| work.faces += 1);
            let is_behind = |way: &Vec3| self.along(faces, way) >= *least * (1.0 - SAME);
            let is_far =
                way.get().as_ref().is_some_and(is_behind) || aside.as_ref().is_some_and(is_behind);
            if is_far || self.clearance(faces) >= *least {
                return;
            }
            match self.between(faces, *least, last_edge) {
                Some(found) => {
                    let distance = found.vector.norm();
                    if found.part.is_some() && distance < *least {
                        way.set(Some(found.vector / distance));
                        (best, *least) = (Some(found), distance);
                    } else {
                        aside = Some(found.vector / distance);
                    }
                }
                None => {
                    meeting = Some(faces.map(|face| face as u32));
                    *least = f64::NEG_INFINITY;
                }
            }
        };
        if let Some(faces) = hint {
            let counts = [self.a.faces.len(), self.b.count()];
            let known = [0, 1].map(|side| (faces[side] as usize).min(counts[side] - 1));
            look(known, &mut least);
        }
        let near = |nodes, _, least| self.near(&self.boxes(nodes), least);
        let is_left = |nodes, least: f64| {
            way.get().is_none_or(|way| {
                let [own, far] = self.boxes(nodes);
                let turned = self.pose.rotation.tr_mul(&way);
                let apart = way.dot(&self.pose.position) - far.most(&-turned) - own.most(&way);
                apart < least * (1.0 - SAME)
            })
        };
        self.descend(least, near, is_left, |nodes, _, mut least| {
            let ranges = self.faces(nodes);
            for one in ranges[0].clone() {
                for other in ranges[1].clone() {
                    look([one, other], &mut least);
                }
            }
            least
        });
        if let Some(faces) = meeting {
            return Err(faces);
        }
        let Some(NearFaces {
            part: Some(mut part),
            point,
            vector,
        }) = best
        else {
            return Err([0; 2]);
        };
        if let MeshFeature::Apart { is_nested, .. } | MeshFeature::Beside { is_nested, .. } =
            &mut part
        {
            *is_nested = self.is_nested(&point, &vector);
        }
        Ok(part)
    }

    /// Returns true if the nearest point of one, the vector leading from that of a, lies inside the other.
    fn is_nested(&self, point: &Vec3, vector: &Vec3) -> bool {
        is_below(self.a, point, vector)
            || match self.b {
                Partner::Mesh(cells) => {
                    let turned = |v: &Vec3| self.pose.rotation.tr_mul(v);
                    let point_b = turned(&(point + vector - self.pose.position));
                    is_below(cells, &point_b, &turned(&-vector))
                }
                Partner::Convex(_) => false,
            }
    }

    /// Lower bound of the distance of two faces: how far they are apart along the unit vector between others,
    /// the nearest known. It leaves out all of two surfaces that bulge towards each other.
    fn along(&self, [one, other]: [usize; 2], vector: &Vec3) -> f64 {
        let own = Convex::Face(self.a, one).farthest(vector, 0).0;
        let turned = self.pose.rotation.tr_mul(vector);
        let far = self.b.set(other).farthest(&-turned, 0).0;
        vector.dot(&(self.pose.position - own)) + turned.dot(&far)
    }

    /// Lower bound of the distance of two faces: that of one from the plane of the other.
    fn clearance(&self, [one, other]: [usize; 2]) -> f64 {
        let apart = |cells: &Cells, face: usize, set: &Convex<'_>, pose: &Pose| {
            let of = &cells.faces[face];
            let normal = pose.rotation.tr_mul(&of.normal);
            let height = of.normal.dot(&pose.position) - of.height;
            let [least, most] = set.range(&normal);
            (height + least).max(-height - most)
        };
        let set = self.b.set(other);
        let first = apart(self.a, one, &set, &self.pose);
        match self.b {
            Partner::Mesh(cells) => {
                let own = Convex::Face(self.a, one);
                first.max(apart(cells, other, &own, &self.back))
            }
            Partner::Convex(_) => first,
        }
    }

    /// `None` if they meet; ends early if they are not nearer than `least`.
    fn between(
        &self,
        faces: [usize; 2],
        least: f64,
        last: Option<&EdgeFeature>,
    ) -> Option<NearFaces> {
        let sets = Difference {
            set_1: &Convex::Face(self.a, faces[0]),
            set_2: &self.b.set(faces[1]),
            pose: self.pose,
        };
        let round = self.b.round();
        let tolerance = if round.is_some() { HAND_OVER } else { 0.0 };
        let found = gjk::distance_below(&sets, &[], &self.pose.position, tolerance, least);
        if found.overlapping {
            return None;
        }
        if let Some(core) = round {
            if found.lower_bound >= least {
                return Some(NearFaces {
                    part: None,
                    point: Vec3::zeros(),
                    vector: found.vector,
                });
            }
            let pose = &self.pose;
            let core = RoundCore { core, pose };
            let near = core.nearest_of(self.a, faces[0], &found.vector, last)?;
            let part = match near.edge {
                None => MeshFeature::Face(faces[0] as u32),
                Some(edge) => MeshFeature::Beside {
                    edge,
                    is_nested: false,
                },
            };
            return Some(NearFaces {
                part: Some(part),
                point: near.point,
                vector: near.vector,
            });
        }
        let all = found.simplex.corners().iter().zip(found.simplex.weights());
        let part = MeshFeature::Apart {
            faces: faces.map(|face| face as u32),
            pairs: VertexPairs::of(&found),
            is_nested: false,
        };
        Some(NearFaces {
            part: Some(part),
            point: all.map(|(corner, weight)| corner.point_1 * *weight).sum(),
            vector: found.vector,
        })
    }

    /// Lower bound of the distance of what two boxes contain, along the axes of both; `None` if it is not less
    /// than `least`.
    #[inline(always)]
    pub(super) fn near(&self, boxes: &[Aabb; 2], least: f64) -> Option<f64> {
        let ((own, half), (far, far_half)) = (middle(&boxes[0]), middle(&boxes[1]));
        let (rotation, turn) = (&self.pose.rotation, &self.turn);
        let off = self.pose.position + rotation * far - own;
        let (mut in_a, mut in_b) = (0.0, 0.0);
        for k in 0..3 {
            let out = off[k].abs() - half[k] - turn.row(k).tr_dot(&far_half);
            if out >= least {
                return None;
            }
            in_a += out.max(0.0) * out.max(0.0);
        }
        for k in 0..3 {
            let along = rotation.column(k).dot(&off).abs();
            let out = along - far_half[k] - turn.column(k).dot(&half);
            if out >= least {
                return None;
            }
            in_b += out.max(0.0) * out.max(0.0);
        }
        Some(in_a.max(in_b).sqrt()).filter(|distance| *distance < least)
    }

    /// Boxes around the cells of two faces.
    #[inline(always)]
    pub(super) fn face_boxes(&self, [one, other]: [usize; 2]) -> [Aabb; 2] {
        let second = match self.b {
            Partner::Mesh(cells) => cells.faces[other].bounds.wide(),
            Partner::Convex(_) => self.box_b,
        };
        [self.a.faces[one].bounds.wide(), second]
    }

    /// Boxes of a node of each.
    #[inline(always)]
    fn boxes(&self, [one, other]: [usize; 2]) -> [Aabb; 2] {
        let second = match self.b {
            Partner::Mesh(cells) => cells.tree.nodes()[other].bounds(),
            Partner::Convex(_) => self.box_b,
        };
        [self.a.tree.nodes()[one].bounds(), second]
    }

    /// Boxes around the cells of a node of each.
    pub(super) fn cell_boxes(&self, [one, other]: [usize; 2]) -> [Aabb; 2] {
        let second = match self.b {
            Partner::Mesh(cells) => cells.tree.nodes()[other].around_cells(),
            Partner::Convex(_) => self.box_b,
        };
        [self.a.tree.nodes()[one].around_cells(), second]
    }

    /// Calls `look` with pairs of leaves whose `bound` is below the least number known, which it takes
    /// and returns; those with a lower bound first. What `is_left` refuses then is left out too. Bounds are made
    /// of two nodes, the bound of those above, and the least number; `look` has that of its leaves.
    #[inline(always)]
    pub(super) fn descend(
        &self,
        mut least: f64,
        bound: impl Fn([usize; 2], f64, f64) -> Option<f64>,
        is_left: impl Fn([usize; 2], f64) -> bool,
        mut look: impl FnMut([usize; 2], f64, f64) -> f64,
    ) {
        let mut stack = [([0; 2], f64::NEG_INFINITY); 2 * DEPTH + 1];
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let ([one, other], from) = stack[count];
            if from >= least || !is_left([one, other], least) {
                continue;
            }
            self.count(|work| work.nodes += 1);
            let second = self.b.tree();
            let halves = [
                self.a.tree.children(one),
                second.and_then(|tree| tree.children(other)),
            ];
            let pairs = match halves {
                [None, None] => {
                    least = look([one, other], from, least);
                    continue;
                }
                [Some(of), None] => of.map(|child| [child, other]),
                [None, Some(of)] => of.map(|child| [one, child]),
                [Some(of_a), Some(of_b)] => {
                    let sizes = self.boxes([one, other]).map(|b| b.upper - b.lower);
                    if sizes[0].amax() >= sizes[1].amax() {
                        of_a.map(|child| [child, other])
                    } else {
                        of_b.map(|child| [one, child])
                    }
                }
            };
            let near = |nodes| (nodes, bound(nodes, from, least).unwrap_or(f64::INFINITY));
            let [first, second] = [near(pairs[0]), near(pairs[1])];
            let order = if second.1 < first.1 {
                [first, second]
            } else {
                [second, first]
            };
            for pair in order.into_iter().filter(|pair| pair.1 < least) {
                stack[count] = pair;
                count += 1;
            }
        }
    }

    /// Sets of two faces.
    pub(super) fn sets(&self, [one, other]: [usize; 2]) -> [Convex<'a>; 2] {
        [Convex::Face(self.a, one), self.b.set(other)]
    }

    /// Faces of two leaves.
    pub(super) fn faces(&self, [one, other]: [usize; 2]) -> [Range<usize>; 2] {
        let second = self.b.tree().map_or(0..1, |tree| tree.faces(other));
        [self.a.tree.faces(one), second]
    }

    /// The cell in which a round core is deepest; none for one whose depth is that of its radius.
    fn deepest_round(&self, core: &Core, hint: Option<[u32; 2]>, faces: [u32; 2]) -> MeshFeature {
        let (mut best, mut most) = (MeshFeature::Touch(faces), 0.0);
        if let Core::Ellipsoid(of) = core {
            let is_inside = is_inside(self.a, &self.pose.position, faces[0]);
            let part = ellipsoid::deepest(self.a, of, &self.pose, faces[0], is_inside);
            return MeshFeature::InEllipsoid(part);
        }
        if let Core::Segment(_) | Core::RoundCone(_) = core {
            return best;
        }
        let mut look = |face: usize| {
            for part in 0..self.a.parts(face) {
                let cell = [face as u32, part as u32];
                if let Some((value, feature)) =
                    inside::deepest(self.a, cell, core, &self.pose, most)
                {
                    (best, most) = (MeshFeature::Inside(feature), value);
                }
            }
        };
        if let Some([face, _]) = hint {
            look((face as usize).min(self.a.faces.len() - 1));
        }
        self.a
            .for_each_face_near(&moved(&self.box_b, &self.pose), look);
        best
    }
}

#[inline(never)]
pub(super) fn solve<T: Real>(
    a: &RoundedShape,
    pose_a: &Pose<T>,
    b: &RoundedShape,
    pose_b: &Pose<T>,
    feature: &MeshFeature,
) -> Proximity<T> {
    let never = || Proximity::never(pose_a, pose_b);
    let Core::Mesh(mesh) = &a.core else {
        return never();
    };
    let cells = mesh.cells();
    let radii = a.radius + b.radius;
    let at_depth = |gap: T, normal: Vec3<T>, point: Vec3<T>| {
        let (normal_w, point_w) = (
            pose_a.rotation * normal,
            pose_a.position + pose_a.rotation * point,
        );
        let gap = gap - radii;
        let half = normal_w * (gap * 0.5);
        Proximity {
            gap,
            normal_w,
            points_w: [point_w - half, point_w + half],
        }
    };
    match feature {
        MeshFeature::Face(face) if !b.is_ball() => match cells.faces.get(*face as usize) {
            Some(of) => over_face(cells, of, pose_a, b, pose_b),
            None => never(),
        },
        MeshFeature::Face(_) | MeshFeature::Edge { .. } => {
            let c = in_core(pose_a, pose_b);
            match from_part(cells, &c, feature) {
                Some(near) => near.swept(a.radius, pose_a, b.radius, pose_b),
                None => never(),
            }
        }
        MeshFeature::Apart {
            pairs, is_nested, ..
        } => {
            let near = polytope::solve(a, pose_a, b, pose_b, pairs);
            nested(near, *is_nested, radii, cells, &b.core)
        }
        MeshFeature::InEllipsoid(part) => match &b.core {
            Core::Ellipsoid(of) => ellipsoid::solve(cells, pose_a, of, pose_b, part),
            _ => never(),
        },
        MeshFeature::Beside { edge, is_nested } => {
            match beside::solve_edge(cells, pose_a, b, pose_b, edge) {
                Some(near) => nested(near, *is_nested, radii, cells, &b.core),
                None => never(),
            }
        }
        MeshFeature::Overlap {
            cells: numbers,
            planes,
            ..
        } => {
            let b = Partner::of(&b.core);
            let local = Pose {
                position: pose_a.rotation.tr_mul(&(pose_b.position - pose_a.position)),
                rotation: pose_a.rotation.tr_mul(&pose_b.rotation),
            };
            let programme = Programme {
                a: cells,
                b,
                cells: *numbers,
            };
            let (depth, normal, point) = programme.deepest(&local, planes);
            at_depth(depth * -2.0, normal, point)
        }
        MeshFeature::Inside(feature) => {
            let near = inside::at_deepest(cells, pose_a, &b.core, pose_b, feature);
            at_depth(near.distance, near.normal, near.point)
        }
        MeshFeature::Touch([face, _]) => {
            let face = (*face as usize).min(cells.faces.len() - 1);
            let normal = cells.faces[face].normal.map(T::from);
            let corners = cells.corners(face).iter();
            let sum: Vec3 = corners.map(|v| cells.vertex(*v).point).sum();
            let middle = sum / cells.corners(face).len() as f64;
            at_depth(T::zero(), normal, middle.map(T::from))
        }
    }
}

/// `near` of bodies of which one lies in the other.
fn nested<T: Real>(
    mut near: Proximity<T>,
    is_nested: bool,
    radii: f64,
    cells: &Cells,
    core: &Core,
) -> Proximity<T> {
    if is_nested {
        near.gap = -(near.gap + radii) - (least_inside(cells, core) + radii);
        near.normal_w = -near.normal_w;
    }
    near
}

/// Least depth of a core inside a mesh.
fn least_inside(cells: &Cells, core: &Core) -> f64 {
    match core {
        Core::Segment(_) | Core::RoundCone(_) => 0.0,
        Core::Ellipsoid(of) => 2.0 * of.length(),
        _ => cells.thickness(),
    }
}

/// A face (1) and a round core (2) over or under it.
fn over_face<T: Real>(
    cells: &Cells,
    face: &CellFace,
    pose: &Pose<T>,
    round: &RoundedShape,
    round_pose: &Pose<T>,
) -> Proximity<T> {
    let core = &round.core;
    let normal_w = pose.rotation * face.normal.map(T::from);
    let own = round_pose.rotation.tr_mul(&normal_w);
    let middle = normal_w.dot(&(round_pose.position - pose.position)) - face.height;
    let highest = middle + core.support_function(&own);
    let (distance, toward) = if highest.value() < 0.0 {
        (highest - least_inside(cells, core), own)
    } else {
        (middle - core.support_function(&-own), -own)
    };
    let gap = distance - round.radius;
    let point_w = round_pose.position + round_pose.rotation * core.soft_support(&toward);
    let height = normal_w.dot(&(point_w - pose.position)) - face.height;
    let point_w = point_w - normal_w * height;
    Proximity {
        gap,
        normal_w,
        points_w: [point_w, point_w + normal_w * gap],
    }
}

/// The part of the surface nearest to a point c.
fn from_part<T: Real>(cells: &Cells, c: &Vec3<T>, part: &MeshFeature) -> Option<Nearest<T>> {
    let of = cells.faces.get(part.faces()[0] as usize)?;
    let normal = of.normal.map(T::from);
    match part {
        MeshFeature::Edge {
            ends, is_inside, ..
        } => {
            let point = on_edge(&ends.map(|v| cells.vertex(v).point.map(T::from)), c);
            let away = c - point;
            let squared = away.dot(&away);
            if squared.value() == 0.0 {
                return Some(Nearest {
                    distance: normal.dot(&away),
                    normal,
                    point,
                });
            }
            let sign = if *is_inside { -1.0 } else { 1.0 };
            let distance = squared.sqrt() * sign;
            Some(Nearest {
                distance,
                normal: away / distance,
                point,
            })
        }
        _ => {
            let distance = normal.dot(c) - of.height;
            Some(Nearest {
                distance,
                normal,
                point: c - normal * distance,
            })
        }
    }
}
