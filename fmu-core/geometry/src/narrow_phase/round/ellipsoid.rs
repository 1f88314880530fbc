//! A point against an ellipsoid.
//!
//! With semi-axes e_i, e_m the smallest, and y the point, its nearest point is x_i = e_i^2 g_i with
//! g_i = y_i/(s + d_i), d_i = e_i^2 - e_m^2, and g the gradient of sum (x_i/e_i)^2/2: the normal is
//! g/|g| and the distance (s - e_m^2) |g|. The number s >= 0 solves
//!
//! S(s) = sum (e_i y_i)^2/(s + d_i)^2 = 1,
//!
//! and the root with s >= 0 is the nearest of all points, inside as outside (D. Eberly, Distance
//! from a Point to an Ellipse, an Ellipsoid, or a Hyperellipsoid, Geometric Tools 2013). To count s
//! from the pole at -e_m^2 keeps the digits of flat ellipsoids and of points near the middle.
//! 1/sqrt(S) is concave and nearly straight, so Newton's method on it from below, where each term
//! is at most 1 and one of them is 1, runs up to the root without ever passing it.
//!
//! Where y_m = 0, S(0) may be less than 1: then s = 0 and g_m is what is missing, (g_m e_m)^2 =
//! 1 - S(0), of either sign; positive is taken. Of equal smallest axes it is the first, so that
//! the centre of a ball leaves along +x.

use crate::math::{Real, Vec3, norm};
use crate::narrow_phase::round::Nearest;
use serde::{Deserialize, Serialize};

/// The nearest point of an ellipsoid.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Root {
    /// s [m^2], > 0.
    Regular(f64),
    /// s = 0: the way out is along the smallest axis.
    Middle,
}

/// Distance from the middle plane, relative to the axis, that counts as none.
const IN_THE_MIDDLE: f64 = 1e-100;

/// Newton's method gains a factor 3/2 at least per step and squares the error in the end. The
/// longest way, from [`IN_THE_MIDDLE`], takes fewer steps than this; the usual one four.
const MAX_STEPS: usize = 250;

/// A step of this part of s is followed by one below rounding.
const LAST_STEP: f64 = 1e-9;

/// Finds s for the point `y` [m].
#[inline(always)]
pub fn root(semi_axes: &Vec3, y: &Vec3) -> Root {
    let (_, d) = from_smallest(semi_axes);
    let c = semi_axes.zip_map(y, |e, y| {
        let c = e * y.abs();
        if c < IN_THE_MIDDLE * e * e { 0.0 } else { c }
    });
    // Each term at most 1.
    let mut s = (c - d).max().max(0.0);
    for _ in 0..MAX_STEPS {
        let (mut sum, mut slope) = (0.0, 0.0);
        for i in 0..3 {
            if c[i] != 0.0 {
                let term = c[i] / (s + d[i]);
                sum += term * term;
                slope += term * term / (s + d[i]);
            }
        }
        let beyond = sum > 1.0;
        if !beyond {
            break;
        }
        let step = sum * (sum - 1.0) / ((sum.sqrt() + 1.0) * slope);
        s += step;
        if step <= LAST_STEP * s {
            break;
        }
    }
    if s > 0.0 {
        Root::Regular(s)
    } else {
        Root::Middle
    }
}

/// Distance, normal and nearest point for the root.
#[inline(always)]
pub fn solve<T: Real>(semi_axes: &Vec3, y: &Vec3<T>, root: &Root) -> Nearest<T> {
    let (smallest, d) = from_smallest(semi_axes);
    let least = semi_axes[smallest];
    let (s, g) = match root {
        Root::Regular(s) => regular(semi_axes, &d, y, *s),
        Root::Middle => middle(semi_axes, smallest, &d, y),
    };
    let length = norm(&g);
    Nearest {
        distance: (s - least * least) * length,
        normal: g / length,
        point: g.zip_map(semi_axes, |g, e| g * (e * e)),
    }
}

/// s by one Newton step on S in the scalar of y, from its value; and g.
#[inline(always)]
fn regular<T: Real>(semi_axes: &Vec3, d: &Vec3, y: &Vec3<T>, s: f64) -> (T, Vec3<T>) {
    let (mut sum, mut slope) = (T::zero(), 0.0);
    for i in 0..3 {
        let term = y[i] * (semi_axes[i] / (s + d[i]));
        sum += term * term;
        slope += term.value() * term.value() / (s + d[i]);
    }
    let s = (sum - T::one()) / (2.0 * slope) + T::from(s);
    (s, y.zip_map(d, |y, d| y / (s + T::from(d))))
}

/// s and g in the middle plane, near the centre.
#[inline(always)]
fn middle<T: Real>(semi_axes: &Vec3, smallest: usize, d: &Vec3, y: &Vec3<T>) -> (T, Vec3<T>) {
    let least = semi_axes[smallest];
    let missing = |g: &Vec3<T>| {
        let terms = g.zip_map(semi_axes, |g, e| g * e);
        T::one() - terms.dot(&terms)
    };
    let across = |s: T| {
        y.zip_map(d, |y, d| {
            if d == 0.0 {
                T::zero()
            } else {
                y / (s + T::from(d))
            }
        })
    };
    let g_m = missing(&across(T::zero())).value().max(0.0).sqrt() / least;
    if g_m == 0.0 {
        return (T::zero(), across(T::zero()));
    }
    // s = y_m/g_m is zero, but not its derivative.
    let s = y[smallest] / g_m;
    let mut g = across(s);
    g[smallest] = missing(&g).sqrt() / least;
    (s, g)
}

/// The first of the smallest axes, and d_i [m^2].
#[inline(always)]
fn from_smallest(semi_axes: &Vec3) -> (usize, Vec3) {
    let smallest = semi_axes.imin();
    let least = semi_axes[smallest];
    (smallest, semi_axes.map(|e| (e - least) * (e + least)))
}
