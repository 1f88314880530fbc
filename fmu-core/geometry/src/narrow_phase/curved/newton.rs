//! The stationary point of a pair of strata, by Newton's method.
//!
//! With c the position of core 2 seen from core 1 and R its rotation, n the unit normal from 1 to 2 and f1,
//! f2 the support functions of the two strata ([`Element`]),
//!
//!   F(n, p1, p2) = n.c - f1(n, p1) - f2(-R' n, p2)
//!
//! is the gap where it is stationary over the unit sphere and over the parameters: with X = dF/dn = x2 - x1
//! the vector between the points, X is along n, and n is perpendicular to both tangents. The unknowns are two
//! components of n along a tangent basis e1, e2 and up to two parameters; the matrix of second derivatives is
//! symmetric and holds lengths only, so it stays well conditioned through F = 0 and for F < 0:
//!
//!   M_jk = -e_j.(f1'' + R f2'' R') e_k - F delta_jk,  M_jp1 = -e_j.u1,  M_jp2 = e_j.R u2,
//!   M_pp = -d2f/dp2
//!
//! Errors of n and p enter F in second order, so F is exact to rounding.

use crate::math::real::hypot;
use crate::math::{Mat3, Real, Vec3};
use crate::shapes::strata::Element;

/// Maximum number of Newton steps; a start within the basin needs three to five.
const MOST_STEPS: usize = 14;
/// A step [rad, 1] below which the next one would be rounding.
const SMALL_STEP: f64 = 1e-8;
/// Rounding of a first derivative relative to the size of the pair.
const ROUNDING: f64 = 2e-16;
/// Longest step of the normal and of an angle [rad].
const LONGEST_TURN: f64 = 0.5;
/// Allowed overshoot of a straight stratum's parameter beyond its end before the search turns to the
/// neighbour: enough to come back.
const OVERSHOOT: f64 = 2.0;
/// Relative pivot that counts as zero: the unknown keeps its value.
const SMALLEST_PIVOT: f64 = 1e-13;

/// Position c [m] and rotation R of core 2 in the frame of core 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<T: Real = f64> {
    pub(crate) position: Vec3<T>,
    pub rotation: Mat3<T>,
}

/// Unknowns: normal n (frame of 1) and parameters p1, p2.
#[derive(Clone, Copy, Debug)]
pub(super) struct StationaryPoint<T: Real = f64> {
    pub(crate) normal: Vec3<T>,
    pub parameters: [T; 2],
}

/// F and its first derivatives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slope<T: Real = f64> {
    /// F [m].
    pub gap: T,
    /// f1 and f2 [m].
    pub heights: [T; 2],
    /// X [m].
    pub between: Vec3<T>,
    /// u1 and R u2, frame of 1 [m].
    pub tangents: [Vec3<T>; 2],
    /// -dF/dp1 and -dF/dp2 [m].
    pub along: [T; 2],
}

impl<T: Real> Slope<T> {
    #[inline(always)]
    fn values(&self) -> Slope {
        Slope {
            gap: self.gap.value(),
            heights: self.heights.map(Real::value),
            between: self.between.map(Real::value),
            tangents: self.tangents.map(|u| u.map(Real::value)),
            along: self.along.map(Real::value),
        }
    }
}

/// Arguments of the support functions: n in the frame of 1, -R' n in the frame of 2.
#[inline(always)]
pub(super) fn directions<T: Real>(frame: &Frame<T>, normal: &Vec3<T>) -> [Vec3<T>; 2] {
    [*normal, -frame.rotation.tr_mul(normal)]
}

#[inline(always)]
pub(super) fn slope<T: Real>(
    elements: &[Element; 2],
    frame: &Frame<T>,
    at: &StationaryPoint<T>,
) -> Slope<T> {
    let [d1, d2] = directions(frame, &at.normal);
    let first = elements[0].support(&d1, at.parameters[0]);
    let second = elements[1].support(&d2, at.parameters[1]);
    Slope {
        gap: at.normal.dot(&frame.position) - first.f - second.f,
        heights: [first.f, second.f],
        between: frame.position + frame.rotation * second.x - first.x,
        tangents: [first.u, frame.rotation * second.u],
        along: [d1.dot(&first.u), d2.dot(&second.u)],
    }
}

/// Two unit vectors that complete n to an orthonormal basis.
#[inline(always)]
pub(super) fn tangents(n: &Vec3) -> [Vec3; 2] {
    // Duff et al., Building an orthonormal basis, revisited, JCGT 6 (2017).
    let sign = 1.0f64.copysign(n.z);
    let a = -1.0 / (sign + n.z);
    let b = n.x * n.y * a;
    [
        Vec3::new(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x),
        Vec3::new(b, sign + n.y * n.y * a, -n.y),
    ]
}

/// Matrix M of second derivatives.
#[inline(always)]
fn curvature(
    elements: &[Element; 2],
    frame: &Frame,
    at: &StationaryPoint,
    slope: &Slope,
    basis: &[Vec3; 2],
) -> [[f64; 4]; 4] {
    let [d1, d2] = directions(frame, &at.normal);
    let turned = basis.map(|e| frame.rotation.tr_mul(&e));
    let mut m = [[0.0; 4]; 4];
    for k in 0..2 {
        let bent_1 = elements[0].bend(&d1, at.parameters[0], &basis[k]);
        let bent_2 = elements[1].bend(&d2, at.parameters[1], &turned[k]);
        for j in 0..=k {
            m[j][k] = -basis[j].dot(&bent_1) - turned[j].dot(&bent_2);
            m[k][j] = m[j][k];
        }
        m[k][k] -= slope.gap;
        m[k][2] = -basis[k].dot(&slope.tangents[0]);
        m[k][3] = basis[k].dot(&slope.tangents[1]);
        m[2][k] = m[k][2];
        m[3][k] = m[k][3];
    }
    m[2][2] = -elements[0].bend_of_parameter(&d1, slope.heights[0]);
    m[3][3] = -elements[1].bend_of_parameter(&d2, slope.heights[1]);
    m
}

/// Newton step of n along the basis and of the strata's parameters.
#[inline(always)]
fn step<T: Real>(
    elements: &[Element; 2],
    m: &[[f64; 4]; 4],
    slope: &Slope<T>,
    basis: &[Vec3; 2],
) -> [T; 4] {
    let dot = |e: &Vec3, x: &Vec3<T>| x.x * e.x + x.y * e.y + x.z * e.z;
    let b = [
        -dot(&basis[0], &slope.between),
        -dot(&basis[1], &slope.between),
        slope.along[0],
        slope.along[1],
    ];
    match elements.each_ref().map(Element::has_parameter) {
        [false, false] => solve(m, &b, [0, 1]),
        [true, false] => solve(m, &b, [0, 1, 2]),
        [false, true] => solve(m, &b, [0, 1, 3]),
        [true, true] => solve(m, &b, [0, 1, 2, 3]),
    }
}

#[inline(always)]
fn moved<T: Real>(at: &StationaryPoint<T>, step: &[T; 4], basis: &[Vec3; 2]) -> StationaryPoint<T> {
    let [e1, e2] = basis.map(|e| e.map(T::from));
    let normal = at.normal + e1 * step[0] + e2 * step[1];
    StationaryPoint {
        normal: normal / normal.dot(&normal).sqrt(),
        parameters: [at.parameters[0] + step[2], at.parameters[1] + step[3]],
    }
}

/// Stationary point near `start`; `None` without convergence. A parameter of a straight stratum may lie
/// beyond its end, by no more than [`OVERSHOOT`].
///
/// `size` is the largest length of the pair [m]: the search also ends where the first derivatives are down to
/// the rounding of such lengths, because the normal between two nearly touching edges is known no better.
pub(super) fn stationary(
    elements: &[Element; 2],
    frame: &Frame,
    start: &StationaryPoint,
    size: f64,
) -> Option<StationaryPoint> {
    let mut at = *start;
    let straight = elements
        .each_ref()
        .map(|element| matches!(element, Element::Line { .. }));
    for _ in 0..MOST_STEPS {
        let slope = slope(elements, frame, &at);
        let basis = tangents(&at.normal);
        let m = curvature(elements, frame, &at, &slope, &basis);
        let rest = basis
            .iter()
            .map(|e| e.dot(&slope.between).abs())
            .chain(slope.along.map(f64::abs))
            .fold(0.0, f64::max);
        let mut by = step(elements, &m, &slope, &basis);
        let turn = hypot(by[0], by[1]);
        let mut longest = turn;
        if turn > LONGEST_TURN {
            by[0] *= LONGEST_TURN / turn;
            by[1] *= LONGEST_TURN / turn;
        }
        for i in 0..2 {
            longest = longest.max(by[2 + i].abs());
            if !straight[i] {
                by[2 + i] = by[2 + i].clamp(-LONGEST_TURN, LONGEST_TURN);
            }
        }
        at = moved(&at, &by, &basis);
        for (i, straight) in straight.iter().enumerate() {
            if *straight {
                at.parameters[i] = at.parameters[i].clamp(-OVERSHOOT, OVERSHOOT);
            }
        }
        if longest < SMALL_STEP || rest <= ROUNDING * size {
            return Some(at);
        }
    }
    None
}

/// One step in any scalar from the stationary point in f64, with the matrix in f64: values stay, dual numbers
/// get the exact derivatives of the stationary point.
pub(super) fn polished<T: Real>(
    elements: &[Element; 2],
    frame: &Frame<T>,
    at: &StationaryPoint,
) -> StationaryPoint<T> {
    let values = Frame {
        position: frame.position.map(Real::value),
        rotation: frame.rotation.map(Real::value),
    };
    let lifted = StationaryPoint {
        normal: at.normal.map(T::from),
        parameters: at.parameters.map(T::from),
    };
    let slope = slope(elements, frame, &lifted);
    let basis = tangents(&at.normal);
    let m = curvature(elements, &values, at, &slope.values(), &basis);
    let by = step(elements, &m, &slope, &basis);
    moved(&lifted, &by, &basis)
}

/// Direction between two points, on the side of the previous normal; that normal for coincident points.
pub(super) fn between_points<T: Real>(
    elements: &[Element; 2],
    frame: &Frame<T>,
    at: &StationaryPoint,
) -> StationaryPoint<T> {
    let lifted = StationaryPoint {
        normal: at.normal.map(T::from),
        parameters: at.parameters.map(T::from),
    };
    let between = slope(elements, frame, &lifted).between;
    let length = between.dot(&between).sqrt();
    if length.value() > 0.0 {
        let side = between.map(Real::value).dot(&at.normal);
        StationaryPoint {
            normal: between * (T::from(1.0f64.copysign(side)) / length),
            parameters: lifted.parameters,
        }
    } else {
        lifted
    }
}

/// Solves M x = b for the unknowns `used` by elimination with row pivoting; an unknown without a pivot is
/// zero, like all others.
#[inline(always)]
#[expect(clippy::needless_range_loop, reason = "rows and columns by index")]
fn solve<T: Real, const N: usize>(m: &[[f64; 4]; 4], b: &[T; 4], used: [usize; N]) -> [T; 4] {
    let mut m = used.map(|row| used.map(|column| m[row][column]));
    let mut b = used.map(|row| b[row]);
    let largest = m.iter().flatten().fold(0.0, |a: f64, v| a.max(v.abs()));
    let mut inverse = [0.0; N];
    for k in 0..N {
        let mut row = k;
        for i in k + 1..N {
            if m[i][k].abs() > m[row][k].abs() {
                row = i;
            }
        }
        m.swap(k, row);
        b.swap(k, row);
        if m[k][k].abs() <= largest * SMALLEST_PIVOT {
            continue;
        }
        inverse[k] = 1.0 / m[k][k];
        for i in k + 1..N {
            let factor = m[i][k] * inverse[k];
            for j in k + 1..N {
                m[i][j] -= factor * m[k][j];
            }
            let part = b[k] * factor;
            b[i] -= part;
        }
    }
    let mut x = [T::zero(); 4];
    for k in (0..N).rev() {
        let mut rest = b[k];
        for j in k + 1..N {
            rest -= x[used[j]] * m[k][j];
        }
        x[used[k]] = rest * inverse[k];
    }
    x
}
