//! A mesh in metres: its surface, the solid it bounds, its hull, and a report.
//!
//! # Rounding the edges of a convex polyhedron with its faces in place
//!
//! The core is the set of points at least r inside all face planes, and the core swept by a ball of radius r
//! is the polyhedron with its edges and corners rounded.
//!
//! r is the desired radius, limited to a tenth of the smallest dimension w, the smallest width along the
//! normals of the faces. The centroid lies at least w/4 inside of every face (a convex body's centroid
//! divides no width by less than 1 : 3 [Minkowski-Radon]), so it is inside the core.
//!
//! The core is the intersection of half-spaces n . (x - c) <= e = d - r about the centroid c, found by
//! duality: y = n/e are points whose hull has a face for every vertex of the core, the x with y . (x - c) = 1
//! for the three y of the face. Before, the axes are rotated and scaled so that the polyhedron reaches from
//! -1 to 1 along each, else the dual of a needle is a plate. A plane that touches the hull only in an edge or
//! a vertex, a product of rounding in the thinnest triangles, cuts nothing off: the core is r inside every
//! half-space that contains the hull.

use super::boxes::Farthest;
use super::concavity::{Concavity, concavity};
use super::crossing::{Crossing, crossing};
use super::regions;
use super::repair::{JOIN, Repairs, SINGLE, repair};
use crate::hull::{Surface, convex_hull, extent, normal};
use contact_geometry::math::{Mat3, Vec3};
use contact_geometry::shapes::mass::solid_integrals;
use contact_model::scene::description::Solid;

/// A mesh in metres.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// The surface, closed and outward if `repairs.open_edges` is 0.
    pub surface: Surface,
    /// Record of the repairs.
    pub repairs: Repairs,
    /// Where the surface crosses itself; `None` for an open surface.
    pub crossing: Option<Crossing>,
    /// Convex hull of the vertices.
    pub hull: Surface,
    /// Difference from the hull; `None` for a convex surface and an open one.
    pub concavity: Option<Concavity>,
}

impl Mesh {
    /// Repairs the triangles of a file and converts them to metres; `factor` is the file's unit [m] times the
    /// scale.
    ///
    /// # Errors
    /// Text to follow the name of the file: it gives no solid.
    pub fn new(read: &Surface, factor: f64) -> Result<Mesh, String> {
        let (surface, repairs) = repaired(read, factor)?;
        let mut coordinates = read.vertices.iter().flat_map(|vertex| vertex.iter());
        let is_single = coordinates.all(|c| f64::from(*c as f32) == *c);
        let hull = convex_hull(&surface.vertices, surface_tolerance(&surface))
            .map_err(|error| error.to_string())?;
        let is_closed = repairs.open_edges == 0;
        Ok(Mesh {
            crossing: is_closed.then(|| crossing(&surface)).flatten(),
            concavity: is_closed
                .then(|| concavity(&surface, &hull, is_single))
                .flatten(),
            surface,
            repairs,
            hull,
        })
    }

    /// Returns true if the surface bounds a solid.
    pub fn is_closed(&self) -> bool {
        self.repairs.open_edges == 0
    }

    /// The middle of an edge, to follow a count of edges.
    pub fn middle(&self, edge: Option<[u32; 2]>) -> String {
        let middle = |ends: [u32; 2]| {
            let [a, b] = ends.map(|vertex| self.surface.vertices[vertex as usize]);
            format!(", one at {}", place(&((a + b) * 0.5)))
        };
        edge.map_or_else(String::new, middle)
    }

    /// The edges at which the surface is not closed, with one of them.
    pub fn open_edges(&self) -> String {
        let repairs = &self.repairs;
        let edges = match repairs.lone_edges {
            0 => format!(
                "{} edges with an odd number of triangles, as where an inner wall meets the surface",
                repairs.open_edges
            ),
            1 => "an edge without a second triangle".to_owned(),
            count => format!("{count} edges without a second triangle"),
        };
        edges + &self.middle(repairs.open_at)
    }

    /// Content of the file and its repairs, in lines; lengths in metres.
    pub fn report(&self) -> Vec<String> {
        let repairs = &self.repairs;
        let mut lines = vec![format!(
            "{} triangles, {} vertices{}",
            self.surface.triangles.len(),
            self.surface.vertices.len(),
            match repairs.components {
                1 => String::new(),
                count => format!(", {count} separate components"),
            }
        )];
        let orientation = match repairs.turned {
            0 => "outwards".to_owned(),
            all if all == self.surface.triangles.len() => "inwards, turned outwards".to_owned(),
            some => format!("mixed, {some} triangles turned outwards"),
        };
        lines.push(match repairs.open_edges {
            0 => format!("closed, facing {orientation}"),
            _ => format!("open: {}", self.open_edges()),
        });
        for (count, what) in [
            (
                repairs.degenerate,
                "triangles dropped that have two corners in one place",
            ),
            (repairs.doubled, "triangles dropped that are given twice"),
            (repairs.flat, "triangles dropped that have no area"),
            (repairs.split, "triangles split at vertices on their sides"),
            (repairs.cavities, "cavities"),
            (
                repairs.nested,
                "components within another, whose volume counts twice",
            ),
        ] {
            if count > 0 {
                lines.push(format!("{what}: {count}"));
            }
        }
        if let Some(Crossing { triangles, at, .. }) = &self.crossing {
            let at = place(at);
            lines.push(format!("{triangles} triangles cross others, one at {at}"));
        }
        if repairs.branched_edges > 0 {
            let at = self.middle(repairs.branched_at);
            let count = repairs.branched_edges;
            lines.push(format!("{count} edges with more than two triangles{at}"));
        }
        if repairs.joined > 0 {
            let share = JOIN;
            lines.push(format!(
                "{} vertices joined with another within {share:e} of the largest coordinate",
                repairs.joined
            ));
        }
        if self.is_closed() {
            lines.push(match &self.concavity {
                None => "convex".to_owned(),
                Some(_) if self.crossing.is_some() => "concave".to_owned(),
                Some(concavity) => format!("concave: {}", excess(concavity)),
            });
            lines.extend(regions::report(&self.surface));
        }
        lines
    }
}

/// Repaired triangles of a file in metres.
pub(crate) fn repaired(read: &Surface, factor: f64) -> Result<(Surface, Repairs), String> {
    let (mut surface, repairs) = repair(read)?;
    // A division by a whole number is exact where a factor of 0.001 is not.
    let inverse = (1.0 / factor).round();
    let is_whole = factor < 1.0 && (inverse * factor - 1.0).abs() < f64::EPSILON;
    for vertex in &mut surface.vertices {
        *vertex = match is_whole {
            true => *vertex / inverse,
            false => *vertex * factor,
        };
    }
    Ok((surface, repairs))
}

/// Difference of a hull from its concave mesh, as a clause.
pub fn excess(concavity: &Concavity) -> String {
    let Concavity {
        distance,
        volume,
        share,
    } = *concavity;
    let [volume, percent] = [volume, 100.0 * share].map(short);
    if distance == 0.0 {
        return format!(
            "the hull stands out nowhere, but fills {volume} m3 of closed cavities ({percent} %)"
        );
    }
    let distance = short(distance);
    format!("the hull stands out by up to {distance} m, with {volume} m3 more ({percent} %)")
}

/// Tolerance of hulls of a mesh's vertices, relative to the extent [1].
pub(crate) fn surface_tolerance(surface: &Surface) -> f64 {
    let (lower, upper) = surface.bounds();
    let largest = lower.abs().sup(&upper.abs()).max();
    SINGLE * largest / (upper - lower).max()
}

/// Solid bounded by a closed surface.
///
/// # Errors
/// Text if it bounds no volume.
pub fn solid_of(surface: &Surface) -> Result<Solid, String> {
    let vertices: Vec<[f64; 3]> = surface.vertices.iter().map(|v| (*v).into()).collect();
    let integrals = solid_integrals(&vertices, &surface.triangles)?;
    let inertia = integrals.inertia;
    if integrals.volume.is_nan() || integrals.volume <= 0.0 {
        return Err(format!(
            "has the volume {:e} m3; must be > 0",
            integrals.volume
        ));
    }
    Ok(Solid {
        volume: integrals.volume,
        centroid: integrals.centroid.into(),
        inertia: [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)].map(|at| inertia[at]),
        lower: integrals.lower.into(),
        upper: integrals.upper.into(),
    })
}

/// A point [m] as text.
pub fn place(point: &Vec3) -> String {
    let numbers: Vec<String> = point.iter().map(|c| short(*c)).collect();
    format!("({}) m", numbers.join(", "))
}

/// Centre of mass and inertia of a solid with a density [kg/m3], as a line of the report.
pub fn balance(solid: &Solid, density: f64) -> String {
    let center = seen(&solid.centroid).map(short);
    let center: Vec<String> = center.collect();
    let inertia = inertia(solid.inertia.map(|value| density * value));
    format!(
        "centre of mass ({}) m, inertia {inertia}",
        center.join(", ")
    )
}

/// Inertia about the centre of mass [kg.m2] as text: xx, yy, zz, xy, xz, yz; products only if nonzero.
pub fn inertia(entries: [f64; 6]) -> String {
    let names = ["xx", "yy", "zz", "xy", "xz", "yz"];
    let all = names.iter().zip(seen(&entries)).enumerate();
    let shown = all.filter(|(i, (_, value))| *value != 0.0 || *i < 3);
    let shown: Vec<String> = shown
        .map(|(_, (name, value))| format!("{name} {}", short(value)))
        .collect();
    format!("{} kg.m2 about it", shown.join(", "))
}

/// Numbers of one vector or tensor, with zero for the rounding of a zero.
pub fn seen(values: &[f64]) -> impl Iterator<Item = f64> {
    /// Ratio to the largest number below which another one is rounding [1].
    const ROUNDING: f64 = 1e-12;
    let largest = values
        .iter()
        .fold(0.0_f64, |most, value| most.max(value.abs()));
    let seen = move |value: &f64| {
        if value.abs() < ROUNDING * largest {
            0.0
        } else {
            *value
        }
    };
    values.iter().map(seen)
}

/// Six significant digits, without trailing zeros. Powers of ten are written out from 1e-3 to 1e6.
pub fn short(value: f64) -> String {
    let rounded: f64 = format!("{value:.5e}").parse().unwrap_or(value);
    match rounded.abs() {
        0.0 => "0".to_owned(),
        1e-3..1e6 => format!("{rounded}"),
        _ => format!("{rounded:e}"),
    }
}

/// Largest radius relative to the smallest dimension [1].
const LARGEST_RADIUS: f64 = 0.1;
/// Tolerance [1] of the dual hull and of the hull of the core's vertices, relative to their size: above
/// rounding, and below the 1e-12 to which faces stay in place.
const TOLERANCE: f64 = 1e-13;
/// Error [1] of the position of a face, relative to the size, above which the result is rejected.
const FACE_ERROR: f64 = 1e-12;

/// Core with the radius of the ball that sweeps it.
#[derive(Clone, Debug, PartialEq)]
pub struct Rounded {
    /// The core.
    pub core: Surface,
    /// Radius of the ball [m].
    pub radius: f64,
}

/// Rounds a convex polyhedron by the desired radius [m], limited to a tenth of its smallest dimension.
///
/// # Errors
/// Text if rounding errors spoil the position of a face.
pub fn round(hull: &Surface, wanted: f64) -> Result<Rounded, String> {
    let size = extent(&hull.vertices);
    let center = centroid(hull)?;
    let relative: Vec<Vec3> = hull.vertices.iter().map(|v| v - center).collect();
    let farthest = Farthest::new(&relative);
    let mut planes = Vec::with_capacity(hull.triangles.len());
    let mut smallest = f64::INFINITY;
    for triangle in &hull.triangles {
        let [a, b, c] = hull.corners(triangle);
        let n = normal(&a, &b, &c).normalize();
        let high = farthest.along(&n);
        smallest = smallest.min(high + farthest.along(&-n));
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
    let relative: Vec<Vec3> = core.vertices.iter().map(|v| v - center).collect();
    let farthest = Farthest::new(&relative);
    for (n, d) in &planes {
        let moved = farthest.along(n) + radius - d;
        if moved > FACE_ERROR * size {
            return Err(format!(
                "rounding by {radius:e} m moves a face by {moved:e} m"
            ));
        }
    }
    Ok(Rounded { core, radius })
}

fn centroid(hull: &Surface) -> Result<Vec3, String> {
    let vertices: Vec<[f64; 3]> = hull.vertices.iter().map(|v| (*v).into()).collect();
    Ok(solid_integrals(&vertices, &hull.triangles)?.centroid)
}

/// Points whose hull is the intersection of the half-spaces n . x <= d - r; `body` are points that span the
/// same shape, about the origin.
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

/// Solution x of y . x = 1 for three y, by elimination and refinement with residuals in twice the precision:
/// thin triangles of the dual hull have condition numbers up to 1/tolerance.
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
