//! Rounds the edges of a convex polyhedron and keeps its faces in place: the core is the set of
//! points at least r inside all face planes, and the core swept by a ball of radius r is the
//! polyhedron with its edges and corners rounded.
//!
//! r is the radius wanted, at most a tenth of the smallest dimension w, the least width along the
//! normals of the faces. The centroid lies at least w/4 inside of every face (a convex body's
//! centroid divides no width by less than 1 : 3 [Minkowski-Radon]), so it is inside the core.
//!
//! The core is the intersection of half-spaces n . (x - c) <= e = d - r about the centroid c, found
//! by duality: y = n/e are points whose hull has a face for every vertex of the core, the x with
//! y . (x - c) = 1 for the three y of the face. Before, the axes are turned and scaled so that the
//! polyhedron reaches from -1 to 1 along each, else the dual of a needle is a plate.
//!
//! A plane that touches the hull in an edge or a vertex only, as rounding makes of the thinnest
//! triangles, cuts nothing off: the core has r inside every half-space that holds the hull.

use super::hull::{Surface, convex_hull, extent, normal};
use contact_geometry::math::{Mat3, Vec3};
use contact_geometry::shapes::mass::solid_integrals;

/// Largest radius in terms of the smallest dimension [1].
const LARGEST_RADIUS: f64 = 0.1;
/// Tolerance [1] of the dual hull and of the hull of the core's vertices, relative to their size:
/// above rounding, and below the 1e-12 to which faces keep their place.
const TOLERANCE: f64 = 1e-13;
/// Error [1] of the place of a face, relative to the size, above which the result is not used.
const FACE_ERROR: f64 = 1e-12;

/// A core and the radius of the ball that sweeps it.
#[derive(Clone, Debug, PartialEq)]
pub struct Rounded {
    /// The core.
    pub core: Surface,
    /// Radius of the ball [m].
    pub radius: f64,
}

/// Rounds a convex polyhedron by the radius wanted [m], at most a tenth of its smallest dimension.
///
/// # Errors
/// In words, where rounding errors spoil the place of a face.
pub fn round(hull: &Surface, wanted: f64) -> Result<Rounded, String> {
    let size = extent(&hull.vertices);
    let center = centroid(hull)?;
    let relative: Vec<Vec3> = hull.vertices.iter().map(|v| v - center).collect();
    let mut planes = Vec::with_capacity(hull.triangles.len());
    let mut smallest = f64::INFINITY;
    for triangle in &hull.triangles {
        let [a, b, c] = hull.corners(triangle);
        let n = normal(&a, &b, &c).normalize();
        let along = relative.iter().map(|v| n.dot(v));
        let (low, high) = along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (value.min(low), value.max(high))
        });
        smallest = smallest.min(high - low);
        planes.push((n, high));
    }
    let radius = wanted.min(LARGEST_RADIUS * smallest);
    if radius <= 0.0 {
        return Ok(Rounded {
            core: hull.clone(),
            radius: 0.0,
        });
    }
    let vertices: Vec<Vec3> = intersection(&relative, &planes, radius)?
        .iter()
        .map(|v| v + center)
        .collect();
    let core = convex_hull(&vertices, TOLERANCE).map_err(|error| format!("its core {error}"))?;
    // Every plane that holds the core holds the swept core: it may not stand out anywhere.
    for (n, d) in &planes {
        let reach = core.vertices.iter().map(|v| n.dot(&(v - center)));
        let reach = reach.fold(f64::NEG_INFINITY, f64::max);
        if reach + radius - d > FACE_ERROR * size {
            return Err(format!(
                "rounding by {radius:e} m moves a face by {:e} m",
                reach + radius - d
            ));
        }
    }
    Ok(Rounded { core, radius })
}

fn centroid(hull: &Surface) -> Result<Vec3, String> {
    let vertices: Vec<[f64; 3]> = hull.vertices.iter().map(|v| (*v).into()).collect();
    Ok(solid_integrals(&vertices, &hull.triangles)?.centroid)
}

/// Points whose hull is the intersection of the half-spaces n . x <= d - r; `body` are points that
/// span the same shape, about the origin.
fn intersection(body: &[Vec3], planes: &[(Vec3, f64)], r: f64) -> Result<Vec<Vec3>, String> {
    let second = body.iter().map(|v| v * v.transpose()).sum::<Mat3>();
    let axes = second.symmetric_eigen().eigenvectors;
    let reach = body.iter().fold(Vec3::zeros(), |reach, v| {
        reach.sup(&(axes.transpose() * v).abs())
    });
    let dual: Vec<Vec3> = planes
        .iter()
        .map(|(n, d)| (axes.transpose() * n).component_mul(&reach) / (d - r))
        .collect();
    let faces = convex_hull(&dual, TOLERANCE).map_err(|error| format!("the dual {error}"))?;
    let vertex = |triangle| {
        let scaled = solve(&faces.corners(triangle))?;
        Some(axes * scaled.component_mul(&reach))
    };
    let vertices: Option<Vec<Vec3>> = faces.triangles.iter().map(vertex).collect();
    vertices.ok_or_else(|| "two faces are too nearly parallel".to_owned())
}

/// The point x with y . x = 1 for three y, by elimination and refinement with residuals in twice
/// the precision: thin triangles of the dual hull have condition numbers up to 1/tolerance.
fn solve(y: &[Vec3; 3]) -> Option<Vec3> {
    let rows = Mat3::from_rows(&y.map(|y| y.transpose()));
    let factors = rows.lu();
    let mut x = factors.solve(&Vec3::repeat(1.0))?;
    for _ in 0..10 {
        let residual = Vec3::from(y.map(|y| residual(&y, &x)));
        let step = factors.solve(&residual)?;
        x += step;
        if step.amax() <= f64::EPSILON * x.amax() {
            break;
        }
    }
    x.iter().all(|c| c.is_finite()).then_some(x)
}

/// 1 - y . x as if computed in twice the precision and then rounded [Ogita 2005].
fn residual(y: &Vec3, x: &Vec3) -> f64 {
    let (mut sum, mut lost) = (1.0, 0.0);
    for (y, x) in y.iter().zip(x.iter()) {
        let product = -y * x;
        let product_error = (-y).mul_add(*x, -product);
        let next = sum + product;
        let part = next - sum;
        lost += (sum - (next - part)) + (product - part) + product_error;
        sum = next;
    }
    sum + lost
}
