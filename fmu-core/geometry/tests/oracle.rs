//! Global maximum of the separation function by branch and bound over the sphere of directions.
//!
//! With c the place of body 2 as seen from body 1, y(n) = x1(n) - x2(-n) the point of the
//! difference of the bodies farthest along n, and v(n) = c - y(n):
//!   s(n) = n.v(n) = min over k of n.v(n_k) for any set of directions that holds n.
//! The largest s is the signed distance: positive apart, the negative of the minimum translation
//! where the bodies overlap. Three directions span a triangle of the sphere; a point of it is
//! n = w/|w| with w = sum u_j n_j, sum u_j = 1, u_j >= 0, and for any weights l_k
//!   min_k w.v_k <= sum_k l_k w.v_k <= max_j sum_k l_k M_kj,   M_kj = v_k.n_j.
//! The least of the right sides is the value of the matrix game M: an upper bound of s over the
//! triangle, second order in its size even across a ridge of s. Triangles whose bound exceeds the
//! best value found are cut in four until none is left. Nothing is assumed on curvature, and no
//! local maximum can pass for the global one.

use crate::solid::Turned;
use contact_geometry::math::Vec3;

/// Where s is largest.
#[derive(Clone, Copy, Debug)]
pub struct Best {
    /// Unit direction from 1 to 2.
    pub normal: Vec3,
    /// s there [m]; no direction has more than this plus the tolerance.
    pub separation: f64,
}

/// Triangles alive at one level at most: more means that s is level over much of the sphere.
const MOST_TRIANGLES: usize = 30_000;
/// Levels at most: triangles are then smaller than rounding.
const MOST_LEVELS: usize = 45;

/// The farthest point of the difference of the two bodies along `n`.
pub fn difference(a: &Turned, b: &Turned, n: &Vec3) -> Vec3 {
    a.farthest(n) - b.farthest(&-n)
}

/// s(n) [m] of the bodies, without the balls that sweep them.
pub fn separation(a: &Turned, b: &Turned, c: &Vec3, n: &Vec3) -> f64 {
    n.dot(&(c - difference(a, b, n)))
}

struct Triangle {
    n: [Vec3; 3],
    v: [Vec3; 3],
}

/// The largest s to within `tolerance` [m], not less than `known`; none where too many directions
/// come close to it.
pub fn largest_separation(
    a: &Turned,
    b: &Turned,
    c: &Vec3,
    tolerance: f64,
    known: Option<Best>,
) -> Option<Best> {
    let mut best = known.unwrap_or(Best {
        normal: Vec3::x(),
        separation: f64::NEG_INFINITY,
    });
    let offer = |n: &Vec3, best: &mut Best| -> Vec3 {
        let v = c - difference(a, b, n);
        let separation = n.dot(&v);
        if separation > best.separation {
            *best = Best {
                normal: *n,
                separation,
            };
        }
        v
    };
    let mut alive: Vec<Triangle> = Vec::new();
    for n in icosahedron() {
        let v = n.map(|n| offer(&n, &mut best));
        alive.push(Triangle { n, v });
    }
    for _ in 0..MOST_LEVELS {
        for triangle in &alive {
            for n in triangle.candidates() {
                offer(&n, &mut best);
            }
        }
        alive.retain(|triangle| triangle.bound() > best.separation + tolerance);
        if alive.is_empty() {
            return Some(best);
        }
        if alive.len() > MOST_TRIANGLES {
            return None;
        }
        let mut next = Vec::with_capacity(4 * alive.len());
        for Triangle { n, v } in alive {
            let m = [0, 1, 2].map(|i| (n[i] + n[(i + 1) % 3]).normalize());
            let u = m.map(|m| offer(&m, &mut best));
            for (n, v) in [
                ([n[0], m[0], m[2]], [v[0], u[0], u[2]]),
                ([m[0], n[1], m[1]], [u[0], v[1], u[1]]),
                ([m[2], m[1], n[2]], [u[2], u[1], v[2]]),
                (m, u),
            ] {
                next.push(Triangle { n, v });
            }
        }
        alive = next;
    }
    None
}

impl Triangle {
    /// Upper bound of s over the triangle.
    fn bound(&self) -> f64 {
        let value = game_value(&self.v, &self.n);
        if value <= 0.0 {
            // |w| <= 1
            return value;
        }
        // |w| is at least the distance of the plane of the triangle.
        let cross = (self.n[1] - self.n[0]).cross(&(self.n[2] - self.n[0]));
        value * cross.norm() / cross.dot(&self.n[0]).abs()
    }

    /// Directions where one, two or three of the linear pieces n.v_k are largest together.
    fn candidates(&self) -> impl Iterator<Item = Vec3> {
        let [a, b, c] = self.v;
        let ridge = |a: Vec3, b: Vec3| {
            let d = a - b;
            a - d * (a.dot(&d) / d.norm_squared())
        };
        let face = (a - b).cross(&(b - c));
        let toward = face * face.dot(&(self.n[0] + self.n[1] + self.n[2])).signum();
        [a, ridge(a, b), ridge(b, c), ridge(c, a), toward]
            .into_iter()
            .map(|v| v / v.norm())
            .filter(|v| v.x.is_finite())
    }
}

/// Value of the game with the matrix v_k.n_j: least over the weights of k of the largest over j.
fn game_value(v: &[Vec3; 3], n: &[Vec3; 3]) -> f64 {
    let rows: [[f64; 3]; 3] = [0, 1, 2].map(|k| [0, 1, 2].map(|j| v[k].dot(&n[j])));
    let largest = |weights: [f64; 3]| {
        [0, 1, 2]
            .map(|j| (0..3).map(|k| weights[k] * rows[k][j]).sum::<f64>())
            .into_iter()
            .fold(f64::NEG_INFINITY, f64::max)
    };
    let mut value = f64::INFINITY;
    for k in 0..3 {
        let mut pure = [0.0; 3];
        pure[k] = 1.0;
        value = value.min(largest(pure));
        // Two rows, weighted so that two columns are equal.
        let l = (k + 1) % 3;
        for j in 0..3 {
            let i = (j + 1) % 3;
            let (p, q) = (rows[k][i] - rows[k][j], rows[l][j] - rows[l][i]);
            let weight = q / (p + q);
            if weight > 0.0 && weight < 1.0 {
                let mut mixed = [0.0; 3];
                (mixed[k], mixed[l]) = (weight, 1.0 - weight);
                value = value.min(largest(mixed));
            }
        }
    }
    // All three rows, weighted so that all columns are equal.
    let column = |j: usize| Vec3::new(rows[0][j], rows[1][j], rows[2][j]);
    let weights = (column(0) - column(1)).cross(&(column(1) - column(2)));
    let weights = weights / weights.sum();
    if weights.iter().all(|w| *w >= 0.0) {
        value = value.min(largest(weights.into()));
    }
    value
}

/// The triangles of a regular icosahedron.
fn icosahedron() -> Vec<[Vec3; 3]> {
    let golden = 0.5 * (1.0 + 5f64.sqrt());
    let mut corners = Vec::new();
    for (s, t) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
        corners.push(Vec3::new(0.0, s, t * golden));
        corners.push(Vec3::new(s, t * golden, 0.0));
        corners.push(Vec3::new(s * golden, 0.0, t));
    }
    // Edges are 2 long, all other distances more.
    let joined = |a: &Vec3, b: &Vec3| (a - b).norm() < 2.1;
    let mut triangles = Vec::new();
    for i in 0..12 {
        for j in i + 1..12 {
            for k in j + 1..12 {
                let [a, b, c] = [corners[i], corners[j], corners[k]];
                if joined(&a, &b) && joined(&b, &c) && joined(&c, &a) {
                    triangles.push([a, b, c].map(|v| v.normalize()));
                }
            }
        }
    }
    assert_eq!(triangles.len(), 20);
    triangles
}
