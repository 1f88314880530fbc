//! Normal impulses of several contacts without friction: p >= 0, w = q + D p >= 0, p.w = 0, with D symmetric
//! and positive semidefinite.
//!
//! That is the minimum of p.D p/2 + q.p over p >= 0, found by an active set as by [Lawson 1974] C. L. Lawson,
//! R. J. Hanson, Solving Least Squares Problems, ch. 23: each round solves for the impulses of a set of
//! contacts and reduces the objective, so no set recurs. With redundant contacts, as four corners of a box, D
//! is singular: w is unique, p is not. D + eps makes p unique, nearly the one of least norm; repetition with
//! q - eps p removes eps from w (proximal point method). If the set of loaded contacts does not change, p is
//! then exactly the one of least norm, D_A^+ (-q_A).
//!
//! # One contact of several, for given impulses of all others
//!
//! Its impulse p satisfies p_n >= floor, u_n >= bound, (p_n - floor) (u_n - bound) = 0, and the resistance
//! opposes the motion, bounded by its limit times p_n.
//!
//! With q the velocity without p, u = q + W p. For each p_n the resistance r(p_n) is the minimum of r.W r/2 +
//! r.(q + W_n p_n), [`TouchResistance::holding`], and u_n a continuous function of p_n: its rise for large
//! p_n is that of an impact from rest, du_n/dp_n >= 0. The root of u_n = bound is between there and the
//! floor, where u_n < bound. There may be three if slip drives the contact together; the Illinois rule always
//! finds the same one.

use crate::impact::path::Bracket;
use crate::impact::resistance::{Six, Six2, TouchResistance};
use nalgebra::{DMatrix, DVector};

/// eps relative to the mean of the diagonal of D [1]: far above rounding, far below 1.
const SHIFT: f64 = 1e-9;
/// Number of repetitions that remove eps from w, each by the factor eps over the smallest nonzero eigenvalue
/// of D.
const REPETITIONS: usize = 4;
/// Pivot, relative to the largest, below which D has a direction without inertia [1].
const SINGULAR: f64 = 1e-11;
/// Rounding of w relative to its terms [1].
const SLIGHT: f64 = 1e-13;

/// Solution p; zero in rows of D whose diagonal is not positive.
pub(super) fn solve(d: &DMatrix<f64>, q: &DVector<f64>) -> DVector<f64> {
    let n = q.len();
    let positive = (0..n).filter(|i| d[(*i, *i)] > 0.0).count();
    let shift = SHIFT * d.trace() / positive.max(1) as f64;
    let mut p = DVector::zeros(n);
    for _ in 0..REPETITIONS {
        p = shifted(d, shift, &(q - &p * shift));
    }
    least(d, q, &p).unwrap_or(p)
}

fn shifted(d: &DMatrix<f64>, shift: f64, q: &DVector<f64>) -> DVector<f64> {
    let n = q.len();
    let mut p: DVector<f64> = DVector::zeros(n);
    let mut carries = vec![false; n];
    // The active sets that can follow each other are many, those that do are about n.
    for _ in 0..100 * (n + 1) {
        let w = q + d * &p + &p * shift;
        let slight = |i: usize| {
            let terms: f64 = (0..n).map(|j| (d[(i, j)] * p[j]).abs()).sum();
            SLIGHT * (q[i].abs() + terms)
        };
        let enters = (0..n)
            .filter(|&i| !carries[i] && d[(i, i)] > 0.0 && w[i] < -slight(i))
            .min_by(|&i, &j| w[i].total_cmp(&w[j]));
        let Some(enters) = enters else {
            break;
        };
        carries[enters] = true;
        for _ in 0..=n {
            let set: Vec<usize> = (0..n).filter(|&i| carries[i]).collect();
            let Some(wanted) = solve_set(d, shift, q, &set) else {
                carries[enters] = false;
                return p;
            };
            let mut part = 1.0;
            for (&i, x) in set.iter().zip(wanted.iter()) {
                if *x <= 0.0 {
                    part = f64::min(part, p[i] / (p[i] - x));
                }
            }
            for (&i, x) in set.iter().zip(wanted.iter()) {
                p[i] += part * (x - p[i]);
                if *x <= 0.0 && p[i] <= f64::MIN_POSITIVE.max(SLIGHT * x.abs()) {
                    p[i] = 0.0;
                    carries[i] = false;
                }
            }
            if part == 1.0 {
                break;
            }
        }
    }
    p
}

/// (D_A + shift)^-1 (-q_A) for a set A; `None` if singular.
fn solve_set(
    d: &DMatrix<f64>,
    shift: f64,
    q: &DVector<f64>,
    set: &[usize],
) -> Option<DVector<f64>> {
    let n = set.len();
    let mut matrix = DMatrix::from_fn(n, n, |i, j| d[(set[i], set[j])]);
    for i in 0..n {
        matrix[(i, i)] += shift;
    }
    let l = cholesky(matrix)?;
    let b = DVector::from_fn(n, |i, _| -q[set[i]]);
    Some(back(&l, forward(&l, b)))
}

/// L with L L^T the matrix.
fn cholesky(mut a: DMatrix<f64>) -> Option<DMatrix<f64>> {
    let n = a.nrows();
    for j in 0..n {
        for i in j..n {
            let known: f64 = (0..j).map(|k| a[(i, k)] * a[(j, k)]).sum();
            let rest = a[(i, j)] - known;
            a[(i, j)] = match i == j {
                true if rest > 0.0 => rest.sqrt(),
                true => return None,
                false => rest / a[(j, j)],
            };
        }
    }
    Some(a)
}

fn forward(l: &DMatrix<f64>, mut b: DVector<f64>) -> DVector<f64> {
    for i in 0..b.len() {
        let known: f64 = (0..i).map(|k| l[(i, k)] * b[k]).sum();
        b[i] = (b[i] - known) / l[(i, i)];
    }
    b
}

fn back(l: &DMatrix<f64>, mut b: DVector<f64>) -> DVector<f64> {
    for i in (0..b.len()).rev() {
        let known: f64 = (i + 1..b.len()).map(|k| l[(k, i)] * b[k]).sum();
        b[i] = (b[i] - known) / l[(i, i)];
    }
    b
}

/// The solution of least norm with the loaded contacts of `p`; `None` if one of them would pull, or another
/// one approach.
fn least(d: &DMatrix<f64>, q: &DVector<f64>, p: &DVector<f64>) -> Option<DVector<f64>> {
    let largest = p.amax();
    let set: Vec<usize> = (0..p.len()).filter(|&i| p[i] > 1e-9 * largest).collect();
    let n = set.len();
    if n == 0 {
        return None;
    }
    let matrix = DMatrix::from_fn(n, n, |i, j| d[(set[i], set[j])]);
    let basis = orthogonal(&factor(&matrix));
    // D = Q S Q^T on its range, D^+ = Q S^-1 Q^T.
    let s = basis.transpose() * &matrix * &basis;
    let l = cholesky(s)?;
    let inverse = |b: &DVector<f64>| &basis * back(&l, forward(&l, basis.transpose() * b));
    let b = DVector::from_fn(n, |i, _| -q[set[i]]);
    let mut x = inverse(&b);
    x += inverse(&(&b - &matrix * &x));
    let mut found = DVector::zeros(p.len());
    for (&i, x) in set.iter().zip(x.iter()) {
        found[i] = *x;
    }
    let worst = |p: &DVector<f64>| {
        let w = q + d * p;
        let each = (0..p.len()).map(|i| match p[i] > 0.0 {
            true => w[i].abs(),
            false => -w[i],
        });
        each.fold(0.0, f64::max)
    };
    let slight = SLIGHT * q.amax();
    (found.min() >= 0.0 && worst(&found) <= worst(p).max(slight)).then_some(found)
}

/// F with F F^T = D and as many columns as the rank of D: Cholesky factorisation with pivoting.
fn factor(d: &DMatrix<f64>) -> DMatrix<f64> {
    let n = d.nrows();
    let mut rest = d.clone();
    let mut f = DMatrix::zeros(n, 0);
    let largest = d.diagonal().max();
    for column in 0..n {
        let mut pivot = 0;
        for i in 1..n {
            if rest[(i, i)] > rest[(pivot, pivot)] {
                pivot = i;
            }
        }
        if rest[(pivot, pivot)] <= SINGULAR * largest {
            break;
        }
        let along = rest.column(pivot) / rest[(pivot, pivot)].sqrt();
        rest -= &along * along.transpose();
        f = f.insert_column(column, 0.0);
        f.set_column(column, &along);
    }
    f
}

/// Orthonormal basis of the column space (Gram-Schmidt, applied twice).
fn orthogonal(f: &DMatrix<f64>) -> DMatrix<f64> {
    let mut q = f.clone();
    for j in 0..q.ncols() {
        let mut column = q.column(j).into_owned();
        for _ in 0..2 {
            for k in 0..j {
                let along = q.column(k).dot(&column);
                column -= q.column(k) * along;
            }
        }
        let size = column.norm();
        if size > 0.0 {
            column /= size;
        }
        q.set_column(j, &column);
    }
    q
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NormalLimits {
    /// Minimum normal impulse [N s], >= 0.
    pub floor: f64,
    /// Minimum normal velocity [m/s].
    pub bound: f64,
}

const DOUBLINGS: usize = 60;
/// Relative reduction of the approach by a doubling that justifies another [1].
const GAIN: f64 = 1e-3;
/// Maximum steps of the Illinois rule; one if nothing slips, else about eight.
const STEPS: usize = 100;
/// Rounding of a velocity relative to its terms [1].
const CONE_ROUNDING: f64 = 1e-16;
/// Relative approach that counts as ended [1]: rounding, where friction alone holds.
const ENDED: f64 = 1e-14;

/// Impulse p. If friction alone holds the contact and no impulse ends an approach, the smallest that cannot
/// be improved.
pub(super) fn solve_cone(
    w: &Six2,
    q: &Six,
    resistance: &TouchResistance,
    limits: NormalLimits,
) -> Six {
    let at = |p_n: f64| {
        let b = q + w.column(0) * p_n;
        let mut p = resistance.holding(w, &b, p_n, |_| true);
        p[0] = p_n;
        let u_n = q[0] + w.row(0).transpose().dot(&p);
        let above = u_n - limits.bound;
        Trial { p, above }
    };
    let mut low = at(limits.floor);
    let w_nn = w[(0, 0)];
    if low.above >= 0.0 || w_nn <= 0.0 {
        return low.p;
    }
    let enough = ENDED * low.above;
    let mut high = limits.floor - low.above / w_nn;
    for _ in 0..DOUBLINGS {
        let next = at(high);
        if next.above >= enough {
            let slight = CONE_ROUNDING * (q[0].abs() + limits.bound.abs() + w_nn * high);
            return root(at, &low, next, slight);
        }
        let is_found = high > low.p[0] && low.p[0] > limits.floor;
        if next.above < (1.0 - GAIN) * low.above && is_found {
            return low.p;
        }
        low = next;
        high = limits.floor + 2.0 * (high - limits.floor);
    }
    low.p
}

/// Impulses for a normal impulse.
struct Trial {
    p: Six,
    /// u_n less its bound [m/s].
    above: f64,
}

/// p with u_n at its bound, between two trials.
fn root(at: impl Fn(f64) -> Trial, low: &Trial, high: Trial, slight: f64) -> Six {
    let mut ends = Bracket::new([low.p[0], high.p[0]], [low.above, high.above]);
    let mut found = high.p;
    for _ in 0..STEPS {
        if ends.values[1] <= slight {
            break;
        }
        let Some(x) = ends.next() else { break };
        let next = at(x);
        if next.above.abs() <= slight {
            return next.p;
        }
        if ends.put(x, next.above) {
            found = next.p;
        }
    }
    found
}
