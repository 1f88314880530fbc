//! What a mesh file amounts to: its surface in metres, the solid it bounds, its hull, its convex
//! pieces, and the lines of a report.

use super::decompose::{Limits, Piece, decompose};
use super::deviation::{deviation, stands_out};
use super::hull::{Surface, convex_hull, extent};
use super::repair::{JOIN, Repairs, repair};
use contact_geometry::shapes::mass::solid_integrals;
use contact_model::scene::description::Solid;

/// Rounding of the coordinates of a mesh [1], relative to the largest of them: files hold single
/// precision, 2^-24, and a vertex strays by sqrt(3) of it to either side of a flat face.
const SINGLE: f64 = 1.0 / (1u32 << 22) as f64;

/// Share of the volume [1] by which a hull may exceed its mesh where the mesh counts as convex.
const CONVEX: f64 = 1e-6;

/// A mesh in metres.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// The surface, closed and outward where `repairs.open_edges` is 0.
    pub surface: Surface,
    /// What was found and done.
    pub repairs: Repairs,
    /// Convex hull of the vertices.
    pub hull: Surface,
}

impl Mesh {
    /// Repairs the triangles of a file and brings them to metres; `factor` is the file's unit [m]
    /// times the scale.
    ///
    /// # Errors
    /// In words, to follow the name of the file: no solid comes of it.
    pub fn new(read: &Surface, factor: f64) -> Result<Mesh, String> {
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
        let hull = convex_hull(&surface.vertices, surface_tolerance(&surface))
            .map_err(|error| error.to_string())?;
        Ok(Mesh {
            surface,
            repairs,
            hull,
        })
    }

    /// Whether the surface bounds a solid.
    pub fn is_closed(&self) -> bool {
        self.repairs.open_edges == 0
    }

    /// Volume of the hull beyond that of the solid [m3] and as a share of the solid's [1]; zero
    /// where the mesh is convex but for rounding.
    pub fn excess(&self) -> (f64, f64) {
        let volume = self.surface.volume();
        let beyond = self.hull.volume() - volume;
        match beyond > CONVEX * volume {
            true => (beyond, beyond / volume),
            false => (0.0, 0.0),
        }
    }

    /// Convex pieces that stand for the mesh in contact.
    pub fn decompose(&self, limits: &Limits) -> Pieces {
        let pieces = decompose(&self.surface, surface_tolerance(&self.surface), limits);
        let size = extent(&self.surface.vertices);
        let volume = self.surface.volume();
        let excess: f64 = pieces.iter().map(|piece| piece.excess).sum();
        let most = limits.max_outside;
        // A wide dent of little depth has almost no volume, but may be deeper than the bound.
        let is_dented =
            |piece: &Piece| piece.excess > 0.0 && most.is_some_and(|most| stands_out(piece, most));
        let concave = |piece: &&Piece| piece.excess > CONVEX * volume || is_dented(piece);
        let deviation = deviation(pieces.iter().filter(concave), size, most);
        Pieces {
            exceeds_bound: most.is_some_and(|most| deviation.bound > most),
            share: excess / volume,
            deviation: deviation.bound,
            found: deviation.found,
            size,
            hulls: pieces.into_iter().map(|piece| piece.hull).collect(),
        }
    }

    /// What the file held and what was done to it, one line each; lengths in metres.
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
            count => format!("open: {count} edges without a second triangle"),
        });
        for (count, what) in [
            (
                repairs.degenerate,
                "triangles with two corners in one place dropped",
            ),
            (repairs.doubled, "triangles given twice dropped"),
            (repairs.cavities, "cavities"),
            (
                repairs.nested,
                "components lie within another; their volume counts twice",
            ),
        ] {
            if count > 0 {
                lines.push(format!("{count} {what}"));
            }
        }
        if repairs.joined > 0 {
            let share = JOIN;
            lines.push(format!(
                "{} vertices joined with another within {share:e} of the largest coordinate",
                repairs.joined
            ));
        }
        if self.is_closed() {
            let (beyond, share) = self.excess();
            lines.push(match share > 0.0 {
                false => "convex".to_owned(),
                true => format!(
                    "concave: the hull has {} m3 more ({} %)",
                    short(beyond),
                    short(100.0 * share)
                ),
            });
        }
        lines
    }
}

/// Convex pieces of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Pieces {
    /// Their hulls, which cover the mesh.
    pub hulls: Vec<Surface>,
    /// Volume of the hulls beyond the mesh, at most, as a share of its volume [1].
    pub share: f64,
    /// How far a hull stands out of the mesh, at most [m].
    pub deviation: f64,
    /// The farthest that a point of a hull was found out of the mesh [m].
    pub found: f64,
    /// True if one may stand out farther than it is allowed to.
    pub exceeds_bound: bool,
    /// Extent of the mesh [m].
    pub size: f64,
}

impl Pieces {
    /// A line of the report.
    pub fn report(&self) -> String {
        let count = self.hulls.len();
        let parts = if count == 1 { "part" } else { "parts" };
        match self.deviation > 0.0 {
            false => format!("{count} convex {parts}, exact"),
            true => format!(
                "{count} convex {parts}, at most {} % of the volume and {} m beyond the mesh",
                short(100.0 * self.share),
                short(self.deviation)
            ),
        }
    }
}

/// Tolerance of hulls of a mesh's vertices, relative to the extent [1].
pub fn surface_tolerance(surface: &Surface) -> f64 {
    let (lower, upper) = surface.bounds();
    let largest = lower.abs().sup(&upper.abs()).max();
    SINGLE * largest / (upper - lower).max()
}

/// The solid that a closed surface bounds.
///
/// # Errors
/// In words, where it bounds no volume.
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

/// Centre of mass and inertia of a solid of a density [kg/m3], as a line of the report.
pub fn balance(solid: &Solid, density: f64) -> String {
    let center = solid.centroid.map(short).join(", ");
    let names = ["xx", "yy", "zz", "xy", "xz", "yz"];
    let entries = names.iter().zip(solid.inertia);
    let inertia: Vec<String> = entries
        .map(|(name, value)| format!("{name} {}", short(density * value)))
        .collect();
    format!(
        "centre of mass ({center}) m, inertia {} kg.m2 about it",
        inertia.join(", ")
    )
}

/// Six significant digits, without trailing zeros.
pub fn short(value: f64) -> String {
    let rounded: f64 = format!("{value:.5e}").parse().unwrap_or(value);
    match rounded.abs() {
        0.0 => "0".to_owned(),
        1e-3..1e6 => format!("{rounded}"),
        _ => format!("{rounded:e}"),
    }
}
