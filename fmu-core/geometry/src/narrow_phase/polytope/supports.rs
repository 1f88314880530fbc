//! Vertices and farthest vertices of the polytopes.
//!
//! Numbers of vertices: of a box by the signs of the coordinates, bit i set where coordinate i is
//! negative; of a segment 0 at -half and 1 at +half; of a hull as given.

use crate::math::Vec3;
use crate::narrow_phase::gjk::Support;
use crate::shapes::soft::BLEND;
use crate::shapes::{Core, Cuboid, Hull, Segment};

/// A support mapping onto numbered vertices.
pub trait Polytope: Support {
    /// Count of vertices, at least 1.
    fn vertex_count(&self) -> u32;
    /// The vertex with this number [m].
    fn vertex(&self, number: u32) -> Vec3;
    /// What is flat to the unit vector `outward` about the farthest vertices `farthest`.
    fn flat(&self, outward: &Vec3, farthest: &[u32]) -> Flat;
}

/// What of a polytope lies across a direction, to within [`PARALLEL`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Flat {
    /// A vertex alone.
    Vertex,
    /// One edge along this vector, beside which the surface falls off with this slope.
    Edge(Vec3, f64),
    /// More than that.
    Face,
}

/// Slope below which an edge counts as lying across: twice that where the contact point is moved.
pub const PARALLEL: f64 = 2.0 * BLEND;

/// The origin as a polytope.
pub struct Origin;

impl Support for Origin {
    #[inline(always)]
    fn farthest(&self, _direction: &Vec3, _near: u32) -> (Vec3, u32) {
        (Vec3::zeros(), 0)
    }
}

impl Polytope for Origin {
    fn vertex_count(&self) -> u32 {
        1
    }

    fn vertex(&self, _number: u32) -> Vec3 {
        Vec3::zeros()
    }

    fn flat(&self, _outward: &Vec3, _farthest: &[u32]) -> Flat {
        Flat::Vertex
    }
}

/// A box by its half edges.
impl Support for Vec3 {
    #[inline(always)]
    fn farthest(&self, direction: &Vec3, _near: u32) -> (Vec3, u32) {
        let point = self.zip_map(direction, f64::copysign);
        let sign = |c: f64| (c.to_bits() >> 63) as u32;
        let number = sign(direction.x) | sign(direction.y) << 1 | sign(direction.z) << 2;
        (point, number)
    }
}

impl Polytope for Vec3 {
    fn vertex_count(&self) -> u32 {
        8
    }

    #[inline(always)]
    fn vertex(&self, number: u32) -> Vec3 {
        let turned = |i: u32, c: f64| if number >> i & 1 == 1 { -c } else { c };
        Vec3::new(turned(0, self.x), turned(1, self.y), turned(2, self.z))
    }

    #[inline(always)]
    fn flat(&self, outward: &Vec3, _farthest: &[u32]) -> Flat {
        let across = outward.map(|c| c.abs() < PARALLEL);
        match (across.x, across.y, across.z) {
            (false, false, false) => Flat::Vertex,
            (true, false, false) => Flat::Edge(Vec3::x(), outward.y.abs().min(outward.z.abs())),
            (false, true, false) => Flat::Edge(Vec3::y(), outward.z.abs().min(outward.x.abs())),
            (false, false, true) => Flat::Edge(Vec3::z(), outward.x.abs().min(outward.y.abs())),
            _ => Flat::Face,
        }
    }
}

/// A segment by its half length.
impl Support for f64 {
    #[inline(always)]
    fn farthest(&self, direction: &Vec3, _near: u32) -> (Vec3, u32) {
        let up = direction.z > 0.0;
        (self.vertex(u32::from(up)), u32::from(up))
    }
}

impl Polytope for f64 {
    fn vertex_count(&self) -> u32 {
        2
    }

    #[inline(always)]
    fn vertex(&self, number: u32) -> Vec3 {
        Vec3::new(0.0, 0.0, if number == 1 { *self } else { -*self })
    }

    #[inline(always)]
    fn flat(&self, outward: &Vec3, _farthest: &[u32]) -> Flat {
        if outward.z.abs() < PARALLEL {
            Flat::Edge(Vec3::z(), 1.0)
        } else {
            Flat::Vertex
        }
    }
}

impl Support for Hull {
    #[inline(always)]
    fn farthest(&self, direction: &Vec3, near: u32) -> (Vec3, u32) {
        let number = self.farthest_near(direction, near as usize);
        (self.vertices()[number], number as u32)
    }
}

impl Polytope for Hull {
    fn vertex_count(&self) -> u32 {
        self.vertices().len() as u32
    }

    #[inline(always)]
    fn vertex(&self, number: u32) -> Vec3 {
        self.vertices()[number as usize]
    }

    #[inline(always)]
    fn flat(&self, outward: &Vec3, farthest: &[u32]) -> Flat {
        let mut edge: Option<Vec3> = None;
        for number in farthest {
            let at = self.vertex(*number);
            for neighbour in self.faces().neighbours(*number as usize) {
                let along = self.vertex(*neighbour) - at;
                let height = outward.dot(&along);
                if height * height >= PARALLEL * PARALLEL * along.norm_squared() {
                    continue;
                }
                if edge.is_none_or(|edge| edge == -along) {
                    edge = Some(along);
                } else if edge != Some(along) {
                    return Flat::Face;
                }
            }
        }
        match edge {
            Some(edge) => Flat::Edge(edge.normalize(), self.slope(outward, farthest)),
            None => Flat::Vertex,
        }
    }
}

impl Hull {
    /// Least slope of the edges at these vertices that do not lie across `outward`.
    fn slope(&self, outward: &Vec3, vertices: &[u32]) -> f64 {
        let mut slope = f64::INFINITY;
        for number in vertices {
            let at = self.vertex(*number);
            for neighbour in self.faces().neighbours(*number as usize) {
                let along = self.vertex(*neighbour) - at;
                let steep = outward.dot(&along).abs() / along.norm();
                if steep >= PARALLEL {
                    slope = slope.min(steep);
                }
            }
        }
        slope
    }
}

/// The vertex of a core with this number [m], core frame; the origin where it has none such.
#[inline(always)]
pub fn vertex_of(core: &Core, number: u32) -> Vec3 {
    match core {
        Core::Hull(hull) => hull
            .vertices()
            .get(number as usize)
            .copied()
            .unwrap_or_default(),
        Core::Box(Cuboid { half }) => half.vertex(number),
        Core::Segment(Segment { half }) => half.vertex(number),
        _ => Vec3::zeros(),
    }
}

/// Calls `look` with the outward unit normal and the edges, counter-clockwise seen from outside,
/// of each face of a hull or a box.
pub fn for_each_face(core: &Core, mut look: impl FnMut(&Vec3, &[[u32; 2]])) {
    match core {
        Core::Hull(hull) => hull.faces().for_each(look),
        Core::Box(_) => {
            for axis in 0..3 {
                for negative in [0u32, 1] {
                    let mut normal = Vec3::zeros();
                    normal[axis] = 1.0 - 2.0 * f64::from(negative);
                    let (u, v) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
                    let base = negative << axis;
                    // From + + to - + to - - to + -, the other way round on the negative side.
                    let rim = [base, base | u, base | u | v, base | v];
                    let edges = [0, 1, 2, 3].map(|i| {
                        let (a, b) = (rim[i], rim[(i + 1) % 4]);
                        if negative == 0 { [a, b] } else { [b, a] }
                    });
                    look(&normal, &edges);
                }
            }
        }
        _ => (),
    }
}

/// Largest extent of a core [m].
pub fn size_of(core: &Core) -> f64 {
    match core {
        Core::Hull(hull) => hull.faces().size,
        Core::Box(Cuboid { half }) => 2.0 * half.max(),
        Core::Segment(Segment { half }) => 2.0 * half,
        _ => 0.0,
    }
}

/// Centre of a core [m], core frame.
pub fn centre_of(core: &Core) -> Vec3 {
    match core {
        Core::Hull(hull) => hull.faces().center,
        _ => Vec3::zeros(),
    }
}
