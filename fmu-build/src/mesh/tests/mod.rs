//! Tests of meshes on solids with closed forms.
//!
//! - `hulls`: hulls of points in difficult places
//! - `rounding`: faces stay in place, edges are round

mod hulls;
mod rounding;

use super::hull::{Surface, normal};
use fmu_core::math::{Mat3, Vec3, rotation_matrix};

/// A rotation about no special axis.
fn turned() -> Mat3 {
    let q = [0.8, 0.1, -0.5, 0.316];
    let norm = q.iter().map(|c| c * c).sum::<f64>().sqrt();
    rotation_matrix(&q.map(|c| c / norm))
}

/// Points of a grid on the faces of a box, `n` steps along each edge, centre in the origin.
fn box_grid(lengths: [f64; 3], n: usize) -> Vec<Vec3> {
    let mut points = Vec::new();
    let step = |i: usize| i as f64 / n as f64 - 0.5;
    for i in 0..=n {
        for j in 0..=n {
            for k in 0..=n {
                if [i, j, k].iter().any(|at| *at == 0 || *at == n) {
                    let unit = Vec3::new(step(i), step(j), step(k));
                    points.push(unit.component_mul(&Vec3::from(lengths)));
                }
            }
        }
    }
    points
}

/// Points spread evenly over the unit sphere, on a spiral.
fn sphere_points(count: usize) -> Vec<Vec3> {
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let point = |i: usize| {
        let z = 1.0 - (2 * i + 1) as f64 / count as f64;
        let r = (1.0 - z * z).sqrt();
        let angle = golden * i as f64;
        Vec3::new(r * angle.cos(), r * angle.sin(), z)
    };
    (0..count).map(point).collect()
}

/// Points as a binary STL file keeps them.
fn single(points: &[Vec3]) -> Vec<Vec3> {
    points
        .iter()
        .map(|p| p.map(|c| f64::from(c as f32)))
        .collect()
}

/// How far a point lies outside of the planes of a closed convex surface [m].
fn farthest_outside(hull: &Surface, points: &[Vec3]) -> f64 {
    let mut farthest = 0.0_f64;
    for triangle in &hull.triangles {
        let [a, b, c] = hull.corners(triangle);
        let normal = normal(&a, &b, &c).normalize();
        for point in points {
            farthest = farthest.max(normal.dot(&(point - a)));
        }
    }
    farthest
}
