//! Support function of a core, and the soft support point that represents an entire face or edge.
//!
//! The farthest point of a core along a unit direction d jumps from one end of an edge or a face to
//! the other as d passes through its normal; its distance h(d) = max d.x ([`support_function`])
//! does not. A contact point that jumps makes a solver take ever smaller steps, so within [`BLEND`]
//! of such a normal [`soft_support`] wanders along the edge or across the face, in its middle where
//! d is normal to it. With the odd cubic s(x) = x (3 - x^2)/2, held at -1 and 1 beyond:
//!
//! - segment of half length a along e: a s(d.e/BLEND) e
//! - disc of radius R: R s(|t|/BLEND) t/|t|, t the part of d in the plane of the disc
//! - sums of these (box, cylinder, beam): the sums
//! - cone: s of the cosine between d and the ruling blends between the two end circles, and the
//!   radius there is that of a disc
//! - polyhedron: mean of the vertices, each with weight (1 - depth/band)^2, depth [m] how far it
//!   lies behind the farthest one and band = BLEND times the largest extent. Across an edge shorter
//!   than the polyhedron that is an angle wider than BLEND, by the ratio of the two: the facets of
//!   a finely cut surface are crossed as smoothly as its long edges
//! - ellipsoid: the farthest point itself
//!
//! The soft point lies at most BLEND times the size of the face behind the farthest one, of a
//! polyhedron less than the band: no more than a loaded contact is deep, so the resultant of the
//! real pressure wanders as well. The price: within the band the force is not the exact gradient of
//! the elastic energy; a crate that tumbles to rest gains 1.3e-4 of its energy by it while it
//! rocks.

use crate::geometry::{Core, Hull};
use crate::math::transcendental::hypot;
use crate::math::{Real, Vec3, norm};

/// Angle [rad] from the normal of an edge or a face within which its soft point wanders.
pub const BLEND: f64 = 1e-4;

/// h(d) = max over the core of d.x [m] for the unit vector `direction`, core frame. Where d is
/// normal to a face or an edge its derivative is that of the middle.
///
/// A half-space has no such number; the result is zero.
#[inline(always)]
pub fn support_function<T: Real>(core: &Core, direction: &Vec3<T>) -> T {
    let d = direction;
    match core {
        Core::Point | Core::HalfSpace => T::zero(),
        Core::Segment { half } => size(d.z) * *half,
        Core::Box { half } => size(d.x) * half.x + size(d.y) * half.y + size(d.z) * half.z,
        Core::Cylinder { radius, half } => length(d.x, d.y) * *radius + size(d.z) * *half,
        Core::Cone { z, radii } => {
            let across = length(d.x, d.y);
            let [bottom, top] = [0, 1].map(|end| across * radii[end] + d.z * z[end]);
            if top.value() > bottom.value() {
                top
            } else {
                bottom
            }
        }
        Core::Ellipsoid { semi_axes } => norm(&d.zip_map(semi_axes, |d, a| d * a)),
        Core::Beam {
            half,
            radius,
            half_thickness,
        } => length(d.x, d.z) * *radius + size(d.y) * *half_thickness + size(d.z) * *half,
        Core::Hull(hull) => dot(&hull.vertices()[hull.farthest(&d.map(Real::value))], d),
    }
}

/// The soft support point for the unit vector `direction`, core frame [m].
///
/// A half-space has no such point; the result is the origin.
#[inline(always)]
pub fn soft_support<T: Real>(core: &Core, direction: &Vec3<T>) -> Vec3<T> {
    let d = direction;
    match core {
        Core::Point | Core::HalfSpace => Vec3::zeros(),
        Core::Segment { half } => Vec3::new(T::zero(), T::zero(), step(d.z) * *half),
        Core::Box { half } => d.zip_map(half, |d, half| step(d) * half),
        Core::Cylinder { radius, half } => {
            let [x, y] = on_disc(*radius, d.x, d.y);
            Vec3::new(x, y, step(d.z) * *half)
        }
        Core::Cone { z, radii } => on_cone(z, radii, d),
        Core::Ellipsoid { semi_axes } => {
            let stretched = d.zip_map(semi_axes, |d, a| d * a);
            let length = norm(&stretched);
            stretched.zip_map(semi_axes, |s, a| s * a / length)
        }
        Core::Beam {
            half,
            radius,
            half_thickness,
        } => {
            let [x, z] = on_disc(*radius, d.x, d.z);
            Vec3::new(x, step(d.y) * *half_thickness, z + step(d.z) * *half)
        }
        Core::Hull(hull) => on_hull(hull, d),
    }
}

/// s(cosine/BLEND), for the cosine of the angle between d and an edge.
#[inline(always)]
fn step<T: Real>(cosine: T) -> T {
    let x = cosine.value() / BLEND;
    if x.abs() < 1.0 {
        let x = cosine / BLEND;
        x * (T::from(3.0) - x * x) * 0.5
    } else {
        T::from(x.signum())
    }
}

/// Soft point of a disc of the given radius [m] in the plane of (x, y), parts of d.
#[inline(always)]
fn on_disc<T: Real>(radius: f64, x: T, y: T) -> [T; 2] {
    let squared = x * x + y * y;
    // s(|t|/BLEND)/|t|, without dividing by zero.
    let scale = if squared.value() < BLEND * BLEND {
        (T::from(3.0) - squared / (BLEND * BLEND)) * (0.5 * radius / BLEND)
    } else {
        T::from(radius) / squared.sqrt()
    };
    [x * scale, y * scale]
}

/// Soft point of a cone with end circles at `z` [m] of `radii` [m].
#[inline(always)]
fn on_cone<T: Real>(z: &[f64; 2], radii: &[f64; 2], d: &Vec3<T>) -> Vec3<T> {
    let (rise, spread) = (z[1] - z[0], radii[1] - radii[0]);
    let along_ruling = (length(d.x, d.y) * spread + d.z * rise) / hypot(rise, spread);
    let blend = (step(along_ruling) + T::from(1.0)) * 0.5;
    let [x, y] = on_disc(1.0, d.x, d.y);
    let radius = blend * spread + T::from(radii[0]);
    Vec3::new(x * radius, y * radius, blend * rise + T::from(z[0]))
}

/// Soft point of a polyhedron.
fn on_hull<T: Real>(hull: &Hull, d: &Vec3<T>) -> Vec3<T> {
    let direction = d.map(Real::value);
    let band = BLEND * hull.faces().size;
    let number = hull.farthest(&direction);
    let farthest = hull.vertices()[number];
    if !has_near(hull, number, &direction, band) {
        return farthest.map(T::from);
    }
    let (mut sum, mut weights) = (Vec3::zeros(), T::zero());
    for vertex in hull.vertices() {
        let behind = farthest - vertex;
        if behind.dot(&direction) < band {
            let weight = T::from(1.0) - dot(&behind, d) / band;
            let weight = weight * weight;
            // Relative to the farthest one, which is the exact point where it is alone.
            sum += behind.map(|c| weight * c);
            weights += weight;
        }
    }
    farthest.zip_map(&sum, |f, s| T::from(f) - s / weights)
}

/// Whether a vertex of a hull lies less than `band` [m] behind the one that is farthest along
/// `direction`, the vertex `farthest`. Then one of its neighbours does: the walk upwards along
/// edges from any other vertex ends there over one of them.
#[inline(always)]
fn has_near(hull: &Hull, farthest: usize, direction: &Vec3, band: f64) -> bool {
    let at = hull.vertices()[farthest];
    let neighbours = hull.faces().neighbours(farthest).iter();
    let mut behind = neighbours.map(|i| (at - hull.vertices()[*i as usize]).dot(direction));
    // NaN counts as near.
    let alone = behind.all(|behind| behind >= band);
    !alone
}

/// |v|; at zero its derivative is zero, that of the middle.
#[inline(always)]
fn size<T: Real>(v: T) -> T {
    if v.value() == 0.0 {
        T::zero()
    } else if v.value() < 0.0 {
        -v
    } else {
        v
    }
}

/// Length of (x, y); at zero its derivative is zero, that of the middle.
#[inline(always)]
fn length<T: Real>(x: T, y: T) -> T {
    let squared = x * x + y * y;
    if squared.value() == 0.0 {
        T::zero()
    } else {
        squared.sqrt()
    }
}

/// a.d of constants and scalars.
#[inline(always)]
fn dot<T: Real>(a: &Vec3, d: &Vec3<T>) -> T {
    d.x * a.x + d.y * a.y + d.z * a.z
}

#[cfg(test)]
#[path = "../../tests/unit/narrow_phase/soft/tests.rs"]
mod tests;
