//! A point against a beam: a stadium in the plane x, z, thick along y.
//!
//! With sigma the signed distance from the stadium in its plane and tau that from the slab
//! |y| <= half_thickness, the beam is the product of both: over a flat face the distance is tau,
//! around the stadium sigma, off a rim the root of both squared. Inside it is the larger one; where
//! equal, the way out by the face, and in the middle by the side at +x, +y.

use crate::math::{Real, Vec3};
use crate::narrow_phase::round::Nearest;
use serde::{Deserialize, Serialize};

/// Part of the surface and the sides on which the point is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Region {
    place: Place,
    /// Side along x and along y, -1 or 1.
    sides: [i8; 2],
    /// The half disc at this end of the stadium, -1 or 1; 0 beside the rectangle.
    end: i8,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum Place {
    /// Flat face across y.
    Face,
    /// Side face or round end.
    Around,
    /// Edge between them.
    Rim,
}

/// The part of a beam nearest to `c`; sizes [m] as of [`crate::shapes::Core::Beam`].
#[inline(always)]
pub fn part(half: f64, radius: f64, half_thickness: f64, c: &Vec3) -> Region {
    let side = |v: f64| if v < 0.0 { -1 } else { 1 };
    let sides = [side(c.x), side(c.y)];
    let end = i8::from(c.z > half) - i8::from(c.z < -half);
    let sigma = stadium(half, radius, c, sides[0], end).0;
    let tau = c.y.abs() - half_thickness;
    let place = if sigma <= 0.0 && tau >= sigma {
        Place::Face
    } else if tau <= 0.0 {
        Place::Around
    } else {
        Place::Rim
    };
    Region { place, sides, end }
}

/// Distance, normal and nearest point for the part.
#[inline(always)]
pub fn solve<T: Real>(
    half: f64,
    radius: f64,
    half_thickness: f64,
    c: &Vec3<T>,
    part: &Region,
) -> Nearest<T> {
    let side = f64::from(part.sides[1]);
    let tau = c.y * side - half_thickness;
    let face = Vec3::y() * T::from(side);
    let (distance, normal) = match part.place {
        Place::Face => (tau, face),
        Place::Around => stadium(half, radius, c, part.sides[0], part.end),
        Place::Rim => {
            let (sigma, around) = stadium(half, radius, c, part.sides[0], part.end);
            let distance = (sigma * sigma + tau * tau).sqrt();
            (distance, (around * sigma + face * tau) / distance)
        }
    };
    Nearest {
        distance,
        normal,
        point: c - normal * distance,
    }
}

/// sigma and the direction of its growth.
#[inline(always)]
fn stadium<T: Real>(half: f64, radius: f64, c: &Vec3<T>, side: i8, end: i8) -> (T, Vec3<T>) {
    if end == 0 {
        let side = f64::from(side);
        (c.x * side - radius, Vec3::x() * T::from(side))
    } else {
        let z = c.z - T::from(half * f64::from(end));
        let rho = (c.x * c.x + z * z).sqrt();
        (rho - radius, Vec3::new(c.x / rho, T::zero(), z / rho))
    }
}
