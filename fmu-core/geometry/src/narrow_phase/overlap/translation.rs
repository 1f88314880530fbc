//! The smallest translation that parts two overlapping convex polyhedra.
//!
//! The points x2 - x1 of both form a convex polyhedron, the Minkowski difference; the origin is
//! inside of it as long as they overlap, and its nearest face is the smallest translation. Faces
//! have the normal of a face of 1, the opposite normal of a face of 2, or are spanned by an edge of
//! each: those whose arcs on the sphere of normals cross (D. Gregorius, The separating axis test
//! between convex polyhedra, Game Developers Conference 2013). All are compared.

use super::placed::Placed;
use super::polyhedron::Polyhedron;
use crate::math::{Real, Vec3, norm};

/// Which face of the Minkowski difference is nearest.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Nearest {
    /// A face of 1 or 2, by side and number.
    Face(usize, usize),
    /// An edge of each, and the sign that makes the product of their directions point outwards.
    Edges([usize; 2], f64),
}

/// The separation s of two polyhedra along the direction in which it is largest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Translation<T: Real> {
    /// Separation along `direction` [m]; its opposite is the depth of the overlap.
    pub separation: T,
    /// Unit vector along which 2 has to move away from 1.
    pub direction: Vec3<T>,
}

/// Smallest height of points over a plane, and the largest [m].
fn range(heights: impl Iterator<Item = f64>) -> [f64; 2] {
    heights.fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], h| {
        [least.min(h), most.max(h)]
    })
}

/// The smallest translation, and whether 1 contains 2 and 2 contains 1, to `rounding` [m]. Of two
/// translations that differ by rounding the one of a face counts.
pub fn smallest<T: Real>(
    shapes: [&Polyhedron; 2],
    placed: &[Placed<T>; 2],
    rounding: f64,
) -> (Translation<T>, [bool; 2]) {
    let mut best = (f64::NEG_INFINITY, Nearest::Face(0, 0));
    let mut contains = [true; 2];
    for side in 0..2 {
        let points = &placed[1 - side].points;
        if points.is_empty() {
            // A half-space reaches to infinity below any face.
            contains[side] = false;
            continue;
        }
        for (number, wall) in placed[side].walls.iter().enumerate() {
            let [least, most] = range(points.iter().map(|p| wall.height(p)));
            contains[side] &= most <= rounding;
            if least > best.0 + rounding {
                best = (least, Nearest::Face(side, number));
            }
        }
    }
    for (i, edge_1) in shapes[0].edges().iter().enumerate() {
        let [a, b] = edge_1.faces.map(|f| placed[0].walls[f as usize].normal);
        let [p, end] = edge_1.vertices.map(|v| placed[0].points[v as usize]);
        let along_1 = end - p;
        for (j, edge_2) in shapes[1].edges().iter().enumerate() {
            let [c, d] = edge_2.faces.map(|f| -placed[1].walls[f as usize].normal);
            // Both ends of an arc lie on either side of the plane of the other one.
            let [c_beside, d_beside] = [c.dot(&along_1), d.dot(&along_1)];
            if c_beside * d_beside >= 0.0 {
                continue;
            }
            let [q, end] = edge_2.vertices.map(|v| placed[1].points[v as usize]);
            let along_2 = end - q;
            let [a_beside, b_beside] = [a.dot(&along_2), b.dot(&along_2)];
            // Along 1 is along a x b, along 2 along d x c up to sign: the crossing is on the near
            // side of the sphere where the common normal has part of a and b, and of c and d.
            let cross = along_1.cross(&along_2);
            if a_beside * b_beside >= 0.0 {
                continue;
            }
            let sign = f64::copysign(1.0, cross.dot(&(a + b)));
            let normal = cross * (sign / cross.norm());
            if normal.dot(&(c + d)) <= 0.0 {
                continue;
            }
            let separation = normal.dot(&(q - p));
            if separation > best.0 + rounding {
                best = (separation, Nearest::Edges([i, j], sign));
            }
        }
    }
    (along(shapes, placed, best.1), contains)
}

/// Separation and direction of a face of the Minkowski difference.
fn along<T: Real>(
    shapes: [&Polyhedron; 2],
    placed: &[Placed<T>; 2],
    nearest: Nearest,
) -> Translation<T> {
    match nearest {
        Nearest::Face(side, number) => {
            let Some(plane) = placed[side].planes.get(number) else {
                return Translation {
                    separation: T::from(f64::NEG_INFINITY),
                    direction: Vec3::x(),
                };
            };
            let mut separation = T::from(f64::INFINITY);
            for height in placed[1 - side].vertices.iter().map(|v| plane.height(v)) {
                if height.value() < separation.value() {
                    separation = height;
                }
            }
            Translation {
                separation,
                direction: plane.normal * T::from(if side == 0 { 1.0 } else { -1.0 }),
            }
        }
        Nearest::Edges([i, j], sign) => {
            let ends = |side: usize, edge: usize| {
                let ends = shapes[side].edges()[edge].vertices;
                ends.map(|v| placed[side].vertices[v as usize])
            };
            let ([p, p_end], [q, q_end]) = (ends(0, i), ends(1, j));
            let cross = (p_end - p).cross(&(q_end - q));
            let direction = cross * (norm(&cross).recip() * sign);
            Translation {
                separation: direction.dot(&(q - p)),
                direction,
            }
        }
    }
}
