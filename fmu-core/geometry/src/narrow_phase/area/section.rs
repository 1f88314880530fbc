//! The polygon between the cell of a face and that of a face of the other body, corner by corner.
//!
//! The cell of a face is where its pressure is the least of its body. In the layer of the body it is bounded
//! by the face and a wall through each edge: the corner v of the face, moved inwards by t, is at v - t m with
//! n.m = 1 for the normals n of all faces there. The plane of equal pressures crosses these rays or the edges
//! of the face, wall by wall, so no polygon need be cut out of the plane but by faces of the other body.

use crate::math::Vec3;
use crate::narrow_phase::area::planes::{Linear, Polygon};
use crate::shapes::Core;
use std::ops::Range;

/// Corner of a face, moved inwards to where the pressure begins.
#[derive(Clone, Copy, Debug)]
struct RingCorner {
    point: Vec3,
    /// Displacement for each depth.
    ray: Vec3,
    /// Excess of the own pressure over the other one, there and at the bottom of the layer.
    top: f64,
    bottom: f64,
    /// Bits: 1 where the excess is not negative there, 2 at the bottom.
    signs: u8,
    /// Line of the edge that begins here.
    line: usize,
}

/// Corner of a face where its pressure begins, and its displacement for each depth.
#[derive(Clone, Copy, Debug)]
pub(super) struct RayCorner {
    pub(super) point: Vec3,
    pub(super) ray: Vec3,
}

/// Sides of a wall on which a polygon begins and ends there, by the signs of its first and second corner.
/// Around the wall as seen from outside they are: the ray of the first corner, the bottom, the ray of the
/// second, the edge of the face. The polygon has what is above on its left.
const TURNS: [Option<(u8, u8)>; 16] = {
    let mut turns = [None; 16];
    let mut signs = 1;
    while signs < 15 {
        // Top and bottom of the first, bottom and top of the second.
        let around = [signs & 1, signs >> 1 & 1, signs >> 3 & 1, signs >> 2 & 1];
        let (mut start, mut end, mut side) = (0, 0, 0);
        while side < 4 {
            match [around[side], around[(side + 1) % 4]] {
                [1, 0] => start = side as u8,
                [0, 1] => end = side as u8,
                _ => (),
            }
            side += 1;
        }
        turns[signs] = Some((start, end));
        signs += 1;
    }
    turns
};

/// The plane that cuts a cell.
pub(super) struct Cut {
    /// Pressure on its other side.
    pub(super) other: Linear,
    /// Axes in the plane.
    pub(super) axes: [Vec3; 2],
    /// The polygon runs counter-clockwise about the slope of `sign` times the excess of the own pressure.
    pub(super) sign: f64,
    /// Own stiffness per area [N/m3].
    pub(super) stiffness: f64,
    /// Depth of the layer [m].
    pub(super) depth: f64,
    /// Line of zero pressure.
    pub(super) zero: usize,
    /// Line of the bottom of the layer.
    pub(super) bottom: usize,
}

/// The corners of a face, counter-clockwise.
#[derive(Clone, Debug, Default)]
pub(super) struct Ring {
    corners: Vec<RingCorner>,
}

impl Ring {
    pub(super) fn reserve(&mut self, faces: usize) {
        self.corners.reserve(faces);
    }

    /// Takes corners with their rays; the edge that begins at each has the line of its place, from `first` on.
    pub(super) fn place_all(&mut self, corners: &[RayCorner], cut: &Cut, first: usize) {
        self.corners.clear();
        let placed = corners.iter().zip(first..);
        self.corners
            .extend(placed.map(|(corner, line)| cut.corner(corner.point, corner.ray, line)));
    }

    /// Starts a polygon and goes around it from wall to wall; returns false if there is none.
    pub(super) fn section(&self, cut: &Cut, polygon: &mut Polygon) -> bool {
        polygon.clear();
        let ring = &self.corners[..];
        let signs = ring.iter().map(|corner| corner.signs);
        let (any, all) = signs.fold((0, 3), |(any, all), signs| (any | signs, all & signs));
        if any == 0 || all == 3 {
            return false;
        }
        let count = ring.len();
        let after = |k: usize| if k + 1 == count { 0 } else { k + 1 };
        let turns = |k: usize| TURNS[usize::from(ring[k].signs | ring[after(k)].signs << 2)];
        let Some(first) = (0..count).find(|k| turns(*k).is_some()) else {
            return false;
        };
        let mut wall = first;
        for _ in 0..count {
            let Some((start, end)) = turns(wall) else {
                break;
            };
            let [one, two] = [&ring[wall], &ring[after(wall)]];
            let mut push = |side: u8, line: usize| {
                let point = crossing(one, two, side, cut.depth);
                polygon.push(cut.axes.map(|axis| axis.dot(&point)), line);
            };
            push(start, one.line);
            wall = match end {
                0 => (wall + count - 1) % count,
                2 => after(wall),
                _ => {
                    push(end, if end == 1 { cut.bottom } else { cut.zero });
                    let begins = |k: &usize| turns(*k).is_some_and(|(start, _)| start == end);
                    (0..count).find(begins).unwrap_or(first)
                }
            };
            if wall == first {
                break;
            }
        }
        polygon.len() >= 3
    }
}

impl Cut {
    #[inline(always)]
    fn corner(&self, point: Vec3, ray: Vec3, line: usize) -> RingCorner {
        let top = self.other.at(&point) * -self.sign;
        let slope = (self.other.gradient.dot(&ray) - self.stiffness) * -self.sign;
        let bottom = top + slope * self.depth;
        RingCorner {
            point,
            ray,
            signs: u8::from(top >= 0.0) | u8::from(bottom >= 0.0) << 1,
            top,
            bottom,
            line,
        }
    }
}

/// Point where a wall changes its sign, on one of its sides.
#[inline(always)]
fn crossing(one: &RingCorner, two: &RingCorner, side: u8, depth: f64) -> Vec3 {
    let bottom = |corner: &RingCorner| corner.point + corner.ray * depth;
    let between = |ends: [Vec3; 2], values: [f64; 2]| {
        ends[0] + (ends[1] - ends[0]) * (values[0] / (values[0] - values[1]))
    };
    match side {
        0 => one.point + one.ray * (depth * one.top / (one.top - one.bottom)),
        1 => between([one, two].map(bottom), [one.bottom, two.bottom]),
        2 => two.point + two.ray * (depth * two.top / (two.top - two.bottom)),
        _ => between([one.point, two.point], [one.top, two.top]),
    }
}

/// Returns true if a [`Ring`] can have the corners of a face.
pub(super) fn has_corners(core: &Core, face: usize) -> bool {
    match core {
        Core::Box(_) => true,
        Core::Hull(hull) => !hull.layer().corners(face).is_empty(),
        _ => false,
    }
}

/// Signs of the coordinates of the corners of a box.
const CORNERS: [[f64; 3]; 8] = {
    let mut all = [[1.0; 3]; 8];
    let mut corner = 0;
    while corner < 8 {
        let mut axis = 0;
        while axis < 3 {
            if corner >> axis & 1 == 1 {
                all[corner][axis] = -1.0;
            }
            axis += 1;
        }
        corner += 1;
    }
    all
};

/// Of the faces of a box: the corners, and the face across the edge that begins at each.
const BOX: [[(usize, usize); 4]; 6] = {
    let mut all = [[(0, 0); 4]; 6];
    let mut face = 0;
    while face < 6 {
        let axis = face / 2;
        // From the corner where both are positive, along the first one on the front.
        let sides = [(axis + 1 + face % 2) % 3, (axis + 2 - face % 2) % 3];
        let mut corner = (face % 2) << axis;
        let mut k = 0;
        while k < 4 {
            let [moving, fixed] = [sides[k % 2], sides[1 - k % 2]];
            all[face][k] = (corner, 2 * fixed + (corner >> fixed & 1));
            corner ^= 1 << moving;
            k += 1;
        }
        face += 1;
    }
    all
};

/// Calls `look` with the corners of a face, counter-clockwise: point and m of the corner, of which a vertex of a hull
/// may have several, and the number of the face across the edge that begins there.
#[inline(always)]
pub(super) fn for_each_corner(core: &Core, face: usize, mut look: impl FnMut(&Vec3, &Vec3, usize)) {
    match core {
        Core::Box(cuboid) => {
            for (corner, across) in &BOX[face] {
                let signs = Vec3::from(CORNERS[*corner]);
                look(&signs.component_mul(&cuboid.half), &signs, *across);
            }
        }
        Core::Hull(hull) => {
            let (layer, vertices) = (hull.layer(), hull.vertices());
            for corner in layer.corners(face) {
                let point = &layer.points[corner.point as usize];
                let (vertex, across) = (point.vertex as usize, corner.across as usize);
                look(&vertices[vertex], &point.m, across);
            }
        }
        _ => (),
    }
}

/// Numbers of the corners of a face of a box, counter-clockwise.
#[inline]
pub(super) fn box_corners(face: usize) -> [usize; 4] {
    BOX[face].map(|(corner, _)| corner)
}

/// Walk over the vertices of a body from the lowest one, with its work arrays.
#[derive(Clone, Debug, Default)]
pub(super) struct Walk {
    seen: Vec<bool>,
    open: Vec<u32>,
}

impl Walk {
    pub(super) fn reserve(&mut self, vertices: usize) {
        self.seen.reserve(vertices);
        self.open.reserve(vertices);
    }

    /// Calls `look` with the numbers of the corners of each vertex at least `height` along `down`: of neighbours of
    /// such vertices, from the farthest one on, if the surface is strictly convex.
    #[inline(always)]
    pub(super) fn down(
        &mut self,
        core: &Core,
        down: &Vec3,
        height: f64,
        mut look: impl FnMut(Range<usize>),
    ) {
        let hull = match core {
            Core::Hull(hull) => hull,
            _ => {
                let is_near = |number: &usize| corner(core, *number).0.dot(down) >= height;
                let near = (0..corner_count(core)).filter(is_near);
                return near.for_each(|number| look(number..number + 1));
            }
        };
        if !hull.can_walk() {
            let near = hull.above(down, height);
            return near.for_each(|vertex| look(hull.layer().points_of(vertex)));
        }
        let vertices = hull.vertices();
        self.seen.clear();
        self.seen.resize(vertices.len(), false);
        let lowest = hull.farthest(down);
        self.seen[lowest] = true;
        self.open.clear();
        self.open.push(lowest as u32);
        while let Some(number) = self.open.pop() {
            let number = number as usize;
            if vertices[number].dot(down) >= height {
                look(hull.layer().points_of(number));
                for neighbour in hull.faces().neighbours(number) {
                    if !std::mem::replace(&mut self.seen[*neighbour as usize], true) {
                        self.open.push(*neighbour);
                    }
                }
            }
        }
    }
}

/// Point and m of a corner of a box, hull or mesh.
#[inline(always)]
pub(super) fn corner(core: &Core, number: usize) -> (Vec3, Vec3) {
    match core {
        Core::Hull(hull) => {
            let point = &hull.layer().points[number];
            (hull.vertices()[point.vertex as usize], point.m)
        }
        Core::Mesh(mesh) => {
            let vertex = mesh.cells().vertex(number as u32);
            (vertex.point, vertex.offset)
        }
        Core::Box(cuboid) => {
            let signs = Vec3::from(CORNERS[number]);
            (signs.component_mul(&cuboid.half), signs)
        }
        _ => (Vec3::zeros(), Vec3::zeros()),
    }
}

/// Number of corners of a box, hull or mesh.
pub(super) fn corner_count(core: &Core) -> usize {
    match core {
        Core::Box(_) => CORNERS.len(),
        Core::Hull(hull) => hull.layer().points.len(),
        Core::Mesh(mesh) => mesh.cells().vertices.len(),
        _ => 0,
    }
}

/// No |m| is larger.
pub(super) fn largest_offset(core: &Core) -> f64 {
    match core {
        Core::Hull(hull) => hull.layer().reach,
        _ => 3f64.sqrt(),
    }
}

/// Calls `look` with the faces that meet at a corner.
#[inline(always)]
pub(super) fn for_each_face_at(core: &Core, corner: usize, mut look: impl FnMut(usize)) {
    match core {
        Core::Hull(hull) => {
            let faces = hull.layer().faces_at(corner);
            faces.iter().for_each(|face| look(*face as usize));
        }
        _ => (0..3).for_each(|axis| look(2 * axis + (corner >> axis & 1))),
    }
}
