//! The cells of a closed triangle mesh.
//!
//! 1. triangles in one plane are one group; a vertex where only two groups meet lies on a straight edge, and
//!    one of a single group in a face
//! 2. offset vectors of the vertices
//! 3. a group whose corners all have an exact one becomes convex polygons: a reflex corner is cut to the
//!    next edge, along a plane through the corner and its offset vector. The end of the cut is a vertex with
//!    an offset vector in the walls of both, so every wall is a plane. (A diagonal between two reflex corners
//!    has none: both ends move along their own offset vectors.) Other groups stay triangles.
//! 4. faces in the order of the tree
//! 5. thickness: before an edge of a face has no length at its depth, before a tetrahedron has no volume,
//!    and before the cells of two faces without a common vertex meet. The latter is bounded from the planes
//!    that separate the faces, along their normals and perpendicular to an edge of each; it is half of the
//!    distance of parallel faces.

use crate::math::{Mat3, Vec3};
use crate::shapes::Aabb;
use crate::shapes::mesh::cells::{CellFace, CellVertex, Cells};
use crate::shapes::mesh::tree::{FaceTree, SmallBox};

/// Distance from a plane, relative to the largest extent, up to which a vertex lies in it.
const COPLANAR: f64 = 1e-9;
/// Length of the difference of two unit normals below which they are one.
const SAME_PLANE: f64 = 1e-9;
/// Misfit of n.m = 1 up to which an offset vector is exact: the accuracy of the planes.
const EXACT: f64 = 1e-9;
/// Sine of the turn at a corner up to which it is straight.
const STRAIGHT_TURN: f64 = 1e-9;
/// Distance of a cut from the nearest vertex, relative to the largest extent, that is too near.
const CLOSE: f64 = 1e-6;
/// Ratio of the gradient of a pressure to that of a plane face from which on a vertex is refused.
const STEEPEST: f64 = 3.0;
/// Part of the volume of a tetrahedron of a thin layer that one of a thick layer keeps.
const KEPT: f64 = 0.1;
/// Step by which the layer is made thinner.
const THINNER: f64 = 0.8;
/// Number of faces above which a layer is thinner than half the size, so that the cells of a face meet those
/// of few others.
const MANY: f64 = 200.0;
const NONE: u32 = u32::MAX;

impl Cells {
    /// Layer of cells under a closed surface, whose triangles are counter-clockwise seen from outside.
    ///
    /// # Errors
    /// Text that begins with a verb for: an index out of range, a number that is not finite, a surface that is
    /// not closed, an edge of more than two triangles, a triangle without area, and a vertex from which no
    /// direction leads below all faces there.
    pub fn new(points: &[Vec3], triangles: &[[u32; 3]]) -> Result<Cells, String> {
        let surface = Surface::new(points, triangles)?;
        let mut build = LayerBuild::new(&surface)?;
        let loops = surface.loops();
        build.add_polygons(&loops);
        build.add_triangles()?;
        build.arrange();
        build.find_thickness();
        build.finish();
        Ok(build.cells)
    }
}

/// Closed triangle mesh and its groups of coplanar triangles.
struct Surface<'a> {
    points: &'a [Vec3],
    triangles: &'a [[u32; 3]],
    /// Directed edges with their triangles, sorted, and where those from each vertex start.
    edges: Vec<[u32; 3]>,
    starts: Vec<usize>,
    bounds: Aabb,
    size: f64,
    /// Group of each triangle.
    group: Vec<u32>,
    /// Unit normal of each group, and its height [m].
    planes: Vec<(Vec3, f64)>,
}

impl<'a> Surface<'a> {
    fn new(points: &'a [Vec3], triangles: &'a [[u32; 3]]) -> Result<Self, String> {
        if points.iter().any(|p| !p.iter().all(|c| c.is_finite())) {
            return Err("has a coordinate that is not a finite number".into());
        }
        let mut starts = vec![0; points.len() + 1];
        let mut bounds = Aabb::EMPTY;
        for (index, triangle) in triangles.iter().enumerate() {
            for vertex in triangle {
                let Some(point) = points.get(*vertex as usize) else {
                    return Err(format!("names vertex {vertex} in triangle {index}"));
                };
                bounds = bounds.with(point);
                starts[*vertex as usize + 1] += 1;
            }
        }
        for vertex in 0..points.len() {
            starts[vertex + 1] += starts[vertex];
        }
        let (mut edges, mut free) = (vec![[0; 3]; 3 * triangles.len()], starts.clone());
        for (index, triangle) in triangles.iter().enumerate() {
            for side in 0..3 {
                let place = &mut free[triangle[side] as usize];
                edges[*place] = [triangle[side], triangle[(side + 1) % 3], index as u32];
                *place += 1;
            }
        }
        for of in starts.windows(2) {
            edges[of[0]..of[1]].sort_unstable();
        }
        let mut surface = Surface {
            points,
            triangles,
            edges,
            starts,
            bounds,
            size: (bounds.upper - bounds.lower).amax(),
            group: vec![NONE; triangles.len()],
            planes: Vec::new(),
        };
        let twice = |two: &&[[u32; 3]]| two[0][..2] == two[1][..2];
        let twice = surface.edges.windows(2).find(twice).map(|two| two[0]);
        if let Some([a, b, _]) = twice {
            let is_it = |edge: &&[u32; 3]| edge[..2] == [a, b] || edge[..2] == [b, a];
            let count = surface.edges.iter().filter(is_it).count();
            if count > 2 {
                let [x, y, z] = (0.5 * (points[a as usize] + points[b as usize])).into();
                return Err(format!(
                    "has an edge at ({x}, {y}, {z}) m with {count} triangles"
                ));
            }
        }
        let open = |[a, b, _]: &[u32; 3]| surface.edge(*b, *a).is_none();
        if triangles.is_empty() || twice.is_some() || surface.edges.iter().any(open) {
            return Err("has a surface that is not closed".into());
        }
        surface.find_planes()?;
        Ok(surface)
    }

    fn edge(&self, a: u32, b: u32) -> Option<usize> {
        let start = self.starts[a as usize];
        let from_a = &self.edges[start..self.starts[a as usize + 1]];
        let found = from_a.binary_search_by_key(&b, |[_, b, _]| *b);
        found.ok().map(|place| start + place)
    }

    /// Triangle of the directed edge from a to b, which the closed surface has.
    fn at(&self, a: u32, b: u32) -> usize {
        self.edge(a, b)
            .map_or(0, |edge| self.edges[edge][2] as usize)
    }

    fn corners(&self, triangle: usize) -> [Vec3; 3] {
        self.triangles[triangle].map(|v| self.points[v as usize])
    }

    /// Groups triangles by planes: first those of the largest one.
    fn find_planes(&mut self) -> Result<(), String> {
        let area = |[p, q, r]: [Vec3; 3]| (q - p).cross(&(r - p));
        let areas: Vec<Vec3> = (0..self.group.len())
            .map(|t| area(self.corners(t)))
            .collect();
        let mut order: Vec<usize> = (0..areas.len()).collect();
        order.sort_by(|a, b| {
            areas[*b]
                .norm_squared()
                .total_cmp(&areas[*a].norm_squared())
        });
        for seed in order {
            if self.group[seed] != NONE {
                continue;
            }
            let (normal, at) = (areas[seed].normalize(), self.corners(seed)[0]);
            if !normal.iter().all(|c| c.is_finite()) {
                return Err(without_area(at));
            }
            let (mut sum, mut height, mut found) = (Vec3::zeros(), 0.0, vec![seed]);
            let number = self.planes.len() as u32;
            self.group[seed] = number;
            let mut done = 0;
            while let Some(triangle) = found.get(done).copied() {
                done += 1;
                sum += areas[triangle];
                let [a, b, c] = self.triangles[triangle];
                for (a, b) in [(a, b), (b, c), (c, a)] {
                    let other = self.at(b, a);
                    let off = |v: &Vec3| normal.dot(&(v - at)).abs();
                    let is_in = self.group[other] == NONE
                        && areas[other].dot(&normal) >= -COPLANAR * self.size * self.size
                        && self
                            .corners(other)
                            .iter()
                            .all(|v| off(v) <= COPLANAR * self.size);
                    if is_in {
                        self.group[other] = number;
                        found.push(other);
                    }
                }
            }
            let normal = sum.normalize();
            for triangle in &found {
                height += self.corners(*triangle).iter().sum::<Vec3>().dot(&normal) / 3.0;
            }
            self.planes.push((normal, height / found.len() as f64));
        }
        Ok(())
    }

    /// Next edge of the rim of a group after the edge from a to b: around b.
    fn next_on_rim(&self, group: u32, [mut a, b]: [u32; 2]) -> [u32; 2] {
        loop {
            let triangle = self.triangles[self.at(a, b)];
            let side = triangle.iter().position(|v| *v == b).unwrap_or(0);
            let c = triangle[(side + 1) % 3];
            if self.group[self.at(c, b)] != group {
                return [b, c];
            }
            a = c;
        }
    }

    /// Loops of edges around each group, with the group.
    fn loops(&self) -> Vec<(u32, Vec<u32>)> {
        let group = |edge: &[u32; 3]| self.group[edge[2] as usize];
        let is_rim = |edge: &[u32; 3]| group(edge) != self.group[self.at(edge[1], edge[0])];
        let mut left: Vec<bool> = self.edges.iter().map(is_rim).collect();
        let mut loops = Vec::new();
        for start in &self.edges {
            let [mut a, mut b, _] = *start;
            let mut found = Vec::new();
            while let Some(edge) = self.edge(a, b).filter(|edge| left[*edge]) {
                left[edge] = false;
                found.push(a);
                [a, b] = self.next_on_rim(group(start), [a, b]);
            }
            if !found.is_empty() {
                loops.push((group(start), found));
            }
        }
        loops.sort_by_key(|(group, _)| *group);
        loops
    }
}

fn without_area(corner: Vec3) -> String {
    let [x, y, z] = corner.into();
    format!("has a triangle without area at ({x}, {y}, {z}) m")
}

/// Offset vector of planes with these normals: the least one with the least squares of n.m - 1.
fn offset(normals: &[Vec3]) -> Vec3 {
    /// Added to the squares, and taken out again by repetition.
    const MORE: f64 = 1e-12;
    let squares: Mat3 = normals.iter().map(|n| n * n.transpose()).sum();
    // In factors: rounding loses the determinant of normals in one or two directions.
    let Some(factors) = (squares + Mat3::identity() * MORE).cholesky() else {
        return Vec3::zeros();
    };
    let mut m = Vec3::zeros();
    for _ in 0..8 {
        let missing = normals.iter().map(|n| n * (1.0 - n.dot(&m)));
        m += factors.solve(&missing.sum::<Vec3>());
    }
    m
}

struct LayerBuild<'a> {
    surface: &'a Surface<'a>,
    /// Offset vector of each vertex of the mesh, and whether it is exact.
    offsets: Vec<(Vec3, bool)>,
    /// Number of groups at each vertex.
    planes: Vec<u32>,
    /// Number of each vertex of the mesh among those of the cells.
    numbers: Vec<u32>,
    /// Whether each group is made of polygons.
    polygons: Vec<bool>,
    cells: Cells,
}

impl<'a> LayerBuild<'a> {
    fn new(surface: &'a Surface<'a>) -> Result<Self, String> {
        let count = surface.points.len();
        let mut build = LayerBuild {
            surface,
            offsets: vec![(Vec3::zeros(), true); count],
            planes: vec![0; count],
            numbers: vec![NONE; count],
            polygons: vec![false; surface.planes.len()],
            cells: Cells {
                vertices: Vec::new(),
                faces: Vec::new(),
                corners: Vec::new(),
                bounds: surface.bounds,
                tree: FaceTree::default(),
                thickness: f64::INFINITY,
                steepness: 1.0,
                steepest: Vec3::zeros(),
            },
        };
        let (mut groups, mut normals): (Vec<u32>, Vec<Vec3>) = Default::default();
        for edges in surface.edges.chunk_by(|one, other| one[0] == other[0]) {
            groups.clear();
            groups.extend(edges.iter().map(|edge| surface.group[edge[2] as usize]));
            groups.sort_unstable();
            groups.dedup();
            normals.clear();
            for group in &groups {
                let normal = surface.planes[*group as usize].0;
                if !normals.iter().any(|n| (n - normal).norm() < SAME_PLANE) {
                    normals.push(normal);
                }
            }
            let m = offset(&normals);
            let along = normals.iter().map(|n| n.dot(&m));
            let [least, most] = [f64::min, f64::max].map(|of| along.clone().fold(1.0, of));
            let vertex = edges[0][0] as usize;
            let [x, y, z] = surface.points[vertex].into();
            if least <= 0.0 {
                return Err(format!(
                    "has faces at ({x}, {y}, {z}) m that no direction leads below"
                ));
            }
            let steepness = least.recip();
            if steepness > STEEPEST {
                return Err(format!(
                    "has faces that meet at too sharp an angle at ({x}, {y}, {z}) m: pressures there would be \
                     {steepness:.1} times too large"
                ));
            }
            if steepness > build.cells.steepness {
                (build.cells.steepness, build.cells.steepest) = (steepness, surface.points[vertex]);
            }
            let is_exact = least > 1.0 - EXACT && most < 1.0 + EXACT;
            build.offsets[vertex] = (m, is_exact);
            build.planes[vertex] = groups.len() as u32;
        }
        Ok(build)
    }

    fn is_corner(&self, vertex: u32) -> bool {
        self.planes[vertex as usize] > 2
    }

    /// Number of a vertex of the mesh.
    fn number(&mut self, vertex: u32) -> u32 {
        let of = vertex as usize;
        if self.numbers[of] == NONE {
            self.numbers[of] = self.cells.vertices.len() as u32;
            self.cells.vertices.push(CellVertex {
                point: self.surface.points[of],
                offset: self.offsets[of].0,
                thickness: 0.5 * self.surface.size,
            });
        }
        self.numbers[of]
    }

    fn add_face(&mut self, group: u32, corners: &[u32], depth: f64) {
        let (normal, height) = self.surface.planes[group as usize];
        self.cells.corners.extend(corners);
        self.cells.faces.push(CellFace {
            normal,
            height,
            depth,
            bounds: SmallBox::around(&Aabb::EMPTY),
            corners: self.cells.corners.len() as u32,
        });
    }

    /// Groups with exact corners, as convex polygons.
    fn add_polygons(&mut self, loops: &[(u32, Vec<u32>)]) {
        for rims in loops.chunk_by(|one, other| one.0 == other.0) {
            let group = rims[0].0;
            let corners = |rim: &Vec<u32>| -> Vec<u32> {
                rim.iter().copied().filter(|v| self.is_corner(*v)).collect()
            };
            let mut loops: Vec<Vec<u32>> = rims.iter().map(|(_, rim)| corners(rim)).collect();
            let is_exact = |v: &u32| self.offsets[*v as usize].1;
            if !loops
                .iter()
                .all(|rim| rim.len() > 2 && rim.iter().all(is_exact))
            {
                continue;
            }
            for corner in loops.iter_mut().flatten() {
                *corner = self.number(*corner);
            }
            let count = self.cells.vertices.len();
            let mut notches = Notches {
                normal: self.surface.planes[group as usize].0,
                close: CLOSE * self.surface.size,
                vertices: &mut self.cells.vertices,
                loops,
            };
            if !notches.cut_all() {
                self.cells.vertices.truncate(count);
                continue;
            }
            let loops = notches.loops;
            self.polygons[group as usize] = true;
            for corners in &loops {
                self.add_face(group, corners, f64::INFINITY);
            }
        }
    }

    fn is_polygon(&self, triangle: usize) -> bool {
        self.polygons[self.surface.group[triangle] as usize]
    }

    fn add_triangles(&mut self) -> Result<(), String> {
        for (index, triangle) in self.surface.triangles.iter().enumerate() {
            if self.is_polygon(index) {
                continue;
            }
            let [p, q, r] = self.surface.corners(index);
            let longest = [q - p, r - q, p - r].map(|edge| edge.norm());
            let longest = longest.into_iter().fold(0.0, f64::max);
            if (q - p).cross(&(r - p)).norm() <= COPLANAR * self.surface.size * longest {
                return Err(without_area(p));
            }
            let corners = triangle.map(|v| self.number(v));
            self.add_face(self.surface.group[index], &corners, 0.0);
        }
        Ok(())
    }

    /// Numbers faces in the order of the tree's leaves.
    fn arrange(&mut self) {
        let cells = &mut self.cells;
        let boxes: Vec<Aabb> = (0..cells.faces.len())
            .map(|face| cells.own_box(face))
            .collect();
        let (mut tree, order) = FaceTree::new(&boxes);
        let (mut faces, mut corners) = (Vec::new(), Vec::new());
        for face in &order {
            corners.extend(cells.corners(*face as usize));
            faces.push(CellFace {
                corners: corners.len() as u32,
                ..cells.faces[*face as usize]
            });
        }
        (cells.faces, cells.corners) = (faces, corners);
        tree.set_vertices(cells.vertices.len(), |face| cells.corners(face));
        cells.tree = tree;
    }

    fn thin(&mut self, face: usize, limit: f64) {
        for k in 0..self.cells.corners(face).len() {
            let vertex = self.cells.corners(face)[k] as usize;
            let thickness = &mut self.cells.vertices[vertex].thickness;
            *thickness = thickness.min(limit);
        }
    }

    fn find_thickness(&mut self) {
        let (touch, count) = (COPLANAR * self.surface.size, self.cells.faces.len());
        let most = 0.5 * self.surface.size * (MANY / count as f64).sqrt();
        for face in 0..count {
            self.thin(face, self.cells.collapse(face).min(most));
        }
        for face in 0..count {
            self.cells.faces[face].bounds = SmallBox::around(&self.cells.around(face));
        }
        let mut tree = std::mem::take(&mut self.cells.tree);
        // Of the cells, which is narrower than how far they reach to all sides.
        tree.fit(|face| [self.cells.faces[face].bounds.wide(); 2]);
        tree.for_each_pair(|pair| {
            let [one, other] = pair.map(|face| &self.cells.faces[face].bounds);
            if one.meets(other)
                && let Some(limit) = self.cells.meeting(pair, touch)
            {
                pair.into_iter().for_each(|face| self.thin(face, limit));
            }
        });
        self.cells.tree = tree;
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for face in 0..self.cells.faces.len() {
                if self.cells.faces[face].depth == 0.0 && self.cells.is_inverted(face) {
                    let corners = self.cells.corners(face).iter();
                    let all = corners.map(|v| self.cells.vertices[*v as usize].thickness);
                    let most = all.fold(0.0, f64::max);
                    self.thin(face, most * THINNER);
                    is_changed = true;
                }
            }
        }
    }

    /// Depths and boxes of the faces.
    fn finish(&mut self) {
        let cells = &mut self.cells;
        for face in 0..cells.faces.len() {
            if cells.faces[face].depth > 0.0 {
                let corners = cells.corners(face).iter();
                let all = corners.map(|v| cells.vertices[*v as usize].thickness);
                cells.faces[face].depth = all.fold(f64::INFINITY, f64::min);
            }
            cells.faces[face].bounds = SmallBox::around(&cells.around(face));
        }
        let all = cells.vertices.iter().map(|vertex| vertex.thickness);
        cells.thickness = all.fold(f64::INFINITY, f64::min);
        cells.fit();
    }
}

impl Cells {
    /// Least depth at which an edge of a face has no length.
    fn collapse(&self, face: usize) -> f64 {
        let corners = self.corners(face);
        let mut least = f64::INFINITY;
        for (k, corner) in corners.iter().enumerate() {
            let next = corners[(k + 1) % corners.len()];
            let [a, b] = [*corner, next].map(|v| &self.vertices[v as usize]);
            let along = b.point - a.point;
            let rate = (b.offset - a.offset).dot(&along);
            if rate > 0.0 {
                least = least.min(along.norm_squared() / rate);
            }
        }
        least
    }

    fn fit(&mut self) {
        let mut tree = std::mem::take(&mut self.tree);
        tree.fit(|face| [self.own_box(face), self.faces[face].bounds.wide()]);
        tree.bound_depths(
            |face| self.faces[face].normal,
            |face, slope| self.highest(face, slope),
            |face| self.lean(face),
        );
        self.tree = tree;
    }

    /// Box around the cells of a face.
    fn around(&self, face: usize) -> Aabb {
        let corners = self.corners(face).iter();
        corners.fold(Aabb::EMPTY, |bounds, v| {
            let vertex = &self.vertices[*v as usize];
            bounds.with(&vertex.point).with(&vertex.inner())
        })
    }

    /// Thickness up to which the cells of two faces surely do not meet; `None` if the layer there is thinner
    /// already, and for neighbours, which share a vertex or touch to within a distance.
    fn meeting(&self, pair: [usize; 2], touch: f64) -> Option<f64> {
        let corners = pair.map(|face| self.corners(face));
        if corners[0].iter().any(|v| corners[1].contains(v)) {
            return None;
        }
        let vertices = |side: usize| corners[side].iter().map(|v| self.vertex(*v));
        let all = vertices(0).chain(vertices(1));
        let thickness = all.map(|vertex| vertex.thickness).fold(0.0, f64::max);
        // Thickness at which planes across a direction no longer separate the cells.
        let apart = |u: Vec3| {
            let none = [f64::INFINITY, f64::NEG_INFINITY];
            let [one, other] = [0, 1].map(|side| {
                let along = vertices(side).map(|vertex| vertex.point.dot(&u));
                along.fold(none, |[least, most], x| [least.min(x), most.max(x)])
            });
            let (ahead, behind) = (other[0] - one[1], one[0] - other[1]);
            let (apart, sign) = if ahead > behind {
                (ahead, 1.0)
            } else {
                (behind, -1.0)
            };
            if apart <= 0.0 || apart <= touch * u.norm() {
                return f64::NEG_INFINITY;
            }
            let rate = |side: usize, sign: f64| {
                let all = vertices(side).map(|vertex| vertex.offset.dot(&u) * sign);
                all.fold(0.0, f64::max)
            };
            apart / (rate(0, -sign) + rate(1, sign))
        };
        let middle = |side: usize| {
            vertices(side).map(|v| v.point).sum::<Vec3>() / corners[side].len() as f64
        };
        if apart(middle(1) - middle(0)) >= thickness {
            return None;
        }
        let mut best = f64::NEG_INFINITY;
        let mut is_enough = |direction: Vec3| {
            best = best.max(apart(direction));
            best >= thickness
        };
        let edges = |side: usize| {
            let corners = corners[side];
            let next = |k: usize| corners[(k + 1) % corners.len()];
            let point = |v: u32| self.vertices[v as usize].point;
            (0..corners.len()).map(move |k| point(next(k)) - point(corners[k]))
        };
        for (side, face) in pair.iter().enumerate() {
            let normal = self.faces[*face].normal;
            if is_enough(normal) || edges(side).any(|edge| is_enough(normal.cross(&edge))) {
                return None;
            }
        }
        if edges(0).any(|one| edges(1).any(|other| is_enough(one.cross(&other)))) {
            return None;
        }
        Some(best).filter(|best| *best > 0.0)
    }

    /// Returns true if a tetrahedron of a triangle is thinner than the layer.
    fn is_inverted(&self, face: usize) -> bool {
        let mut numbers = [0, 1, 2].map(|k| self.corners(face)[k]);
        numbers.sort_unstable();
        let [a, b, c] = numbers.map(|v| &self.vertices[v as usize]);
        let below =
            |m: &CellVertex, b: Vec3, c: Vec3| m.offset.dot(&(b - a.point).cross(&(c - a.point)));
        let thin = [b, a].map(|vertex| below(vertex, b.point, c.point));
        let thick = [below(b, b.point, c.inner()), below(a, b.inner(), c.inner())];
        thin.into_iter()
            .zip(thick)
            .any(|(thin, thick)| thick / thin < KEPT)
    }
}

/// Plane polygon with reflex corners.
struct Notches<'a> {
    normal: Vec3,
    /// Distance from a vertex that is too near [m].
    close: f64,
    vertices: &'a mut Vec<CellVertex>,
    /// Counter-clockwise, holes clockwise.
    loops: Vec<Vec<u32>>,
}

/// Cut from a corner to a point on the edge of a loop.
#[derive(Clone, Copy)]
struct NotchCut {
    clearance: f64,
    of: usize,
    edge: usize,
    end: Vec3,
}

impl Notches<'_> {
    /// Cuts until all corners are convex; returns false if a cut would be too near to a vertex.
    fn cut_all(&mut self) -> bool {
        while let Some((of, corner)) = self.reflex() {
            match self.best_cut(of, corner) {
                Some(cut) if cut.clearance > self.close => self.cut(of, corner, cut),
                _ => return false,
            }
        }
        for of in 0..self.loops.len() {
            let count = self.loops[of].len();
            let is_kept = |k: &usize| self.turn(of, *k) > STRAIGHT_TURN;
            let kept = (0..count).filter(is_kept).map(|k| self.loops[of][k]);
            let kept: Vec<u32> = kept.collect();
            if kept.len() < 3 {
                return false;
            }
            self.loops[of] = kept;
        }
        true
    }

    fn point(&self, of: usize, k: usize) -> Vec3 {
        let corners = &self.loops[of];
        self.vertices[corners[k % corners.len()] as usize].point
    }

    /// Corner k and its neighbours.
    fn around(&self, of: usize, k: usize) -> [Vec3; 3] {
        let before = k + self.loops[of].len() - 1;
        [before, k, k + 1].map(|k| self.point(of, k))
    }

    /// Sine of the turn to the left at a corner.
    fn turn(&self, of: usize, k: usize) -> f64 {
        let [a, b, c] = self.around(of, k);
        let (before, after) = (b - a, c - b);
        let (sine, cosine) = (self.normal.dot(&before.cross(&after)), before.dot(&after));
        let size = before.norm() * after.norm();
        // Back along the edge is the most that it can turn, to the right.
        if cosine < 0.0 && sine <= STRAIGHT_TURN * size {
            -1.0
        } else {
            sine / size
        }
    }

    fn reflex(&self) -> Option<(usize, usize)> {
        let all = self.loops.iter().enumerate();
        let mut all = all.flat_map(|(of, corners)| (0..corners.len()).map(move |k| (of, k)));
        all.find(|(of, k)| self.turn(*of, *k) < -STRAIGHT_TURN)
    }

    /// The cut from a corner that stays farthest from all vertices, of some directions.
    fn best_cut(&self, of: usize, corner: usize) -> Option<NotchCut> {
        let [before, at, after] = self.around(of, corner);
        let (on, back) = ((at - before).normalize(), (at - after).normalize());
        let mut best: Option<NotchCut> = None;
        for part in [0.0, 1.0, 0.5, 0.25, 0.75] {
            let ray = (on * (1.0 - part) + back * part).normalize();
            let Some(mut cut) = self.hit(self.loops[of][corner], at, ray) else {
                continue;
            };
            let way = cut.end - at;
            for v in self
                .loops
                .iter()
                .flatten()
                .filter(|v| **v != self.loops[of][corner])
            {
                let off = self.vertices[*v as usize].point - at;
                let share = (off.dot(&way) / way.norm_squared()).clamp(0.0, 1.0);
                cut.clearance = cut.clearance.min((off - way * share).norm());
            }
            if best.is_none_or(|best| cut.clearance > best.clearance) {
                best = Some(cut);
            }
        }
        best
    }

    /// The first edge that a ray meets from its inner side.
    fn hit(&self, start: u32, at: Vec3, ray: Vec3) -> Option<NotchCut> {
        let cross = |a: Vec3, b: Vec3| self.normal.dot(&a.cross(&b));
        let (mut least, mut found) = (f64::INFINITY, None);
        for (of, corners) in self.loops.iter().enumerate() {
            for (k, a) in corners.iter().enumerate() {
                let b = corners[(k + 1) % corners.len()];
                let (from, along) = (self.point(of, k), self.point(of, k + 1) - self.point(of, k));
                let facing = cross(ray, along);
                if *a == start || b == start || facing <= STRAIGHT_TURN * along.norm() {
                    continue;
                }
                let share = cross(from - at, ray) / facing;
                let far = cross(from - at, along) / facing;
                if (0.0..=1.0).contains(&share) && far > 0.0 && far < least {
                    least = far;
                    found = Some(NotchCut {
                        clearance: f64::INFINITY,
                        of,
                        edge: k,
                        end: from + along * share,
                    });
                }
            }
        }
        found
    }

    fn cut(&mut self, of: usize, corner: usize, cut: NotchCut) {
        let vertex = |of: usize, k: usize| {
            let corners = &self.loops[of];
            self.vertices[corners[k % corners.len()] as usize]
        };
        let wall = |from: CellVertex, to: Vec3| from.offset.cross(&(to - from.point));
        let hit = wall(vertex(cut.of, cut.edge), self.point(cut.of, cut.edge + 1));
        let m = hit.cross(&wall(vertex(of, corner), cut.end));
        let end = self.vertices.len() as u32;
        let new = CellVertex {
            point: cut.end,
            offset: m / m.dot(&self.normal),
            thickness: vertex(of, corner).thickness,
        };
        self.vertices.push(new);
        let mut own = std::mem::take(&mut self.loops[of]);
        own.rotate_left(corner);
        let start = own[0];
        if cut.of == of {
            let edge = (cut.edge + own.len() - corner) % own.len();
            let mut rest = own.split_off(edge + 1);
            own.push(end);
            rest.splice(0..0, [start, end]);
            self.loops[of] = own;
            self.loops.push(rest);
        } else {
            let mut other = std::mem::take(&mut self.loops[cut.of]);
            let next = (cut.edge + 1) % other.len();
            other.rotate_left(next);
            self.loops[of] = [vec![start, end], other, vec![end], own].concat();
            self.loops.remove(cut.of);
        }
    }
}
