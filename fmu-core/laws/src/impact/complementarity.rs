//! Normal impulses of several contacts without friction: p >= 0, w = q + D p >= 0, p.w = 0, with D
//! symmetric and positive semidefinite.
//!
//! That is the minimum of p.D p/2 + q.p over p >= 0, found by an active set as by [Lawson 1974] C. L.
//! Lawson, R. J. Hanson, Solving Least Squares Problems, ch. 23: each round solves for the impulses of a
//! set of contacts and lessens what is minimised, so no set comes twice. With redundant contacts, as four
//! corners of a box, D is singular: w is unique, p is not. D + eps makes p unique, nearly that of least
//! norm; repeated with q - eps p it takes eps from w (proximal point method). If the contacts that carry
//! stay the same, p is then exactly the one of least norm, D_A^+ (-q_A).

use nalgebra::{DMatrix, DVector};

/// eps relative to the mean of the diagonal of D [1]: far above rounding, far below 1.
const SHIFT: f64 = 1e-9;
/// Repetitions that take eps from w, each to the part eps over the least eigenvalue of D but zero.
const REPETITIONS: usize = 4;
/// Pivot, relative to the largest, below which D has a direction without inertia [1].
const SINGULAR: f64 = 1e-11;
/// Part of w that is rounding, relative to its terms [1].
const SLIGHT: f64 = 1e-13;

/// p. Rows of D whose diagonal is not positive have none.
pub fn solve(d: &DMatrix<f64>, q: &DVector<f64>) -> DVector<f64> {
    let n = q.len();
    let positive = (0..n).filter(|i| d[(*i, *i)] > 0.0).count();
    let shift = SHIFT * d.trace() / positive.max(1) as f64;
    let mut p = DVector::zeros(n);
    for _ in 0..REPETITIONS {
        p = shifted(d, shift, &(q - &p * shift));
    }
    least(d, q, &p).unwrap_or(p)
}

/// Of D + shift.
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
            // As far towards the solution as no impulse pulls.
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

/// (D_A + shift)^-1 (-q_A) for a set A; none if it has no inverse.
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

/// L^-1 b.
fn forward(l: &DMatrix<f64>, mut b: DVector<f64>) -> DVector<f64> {
    for i in 0..b.len() {
        let known: f64 = (0..i).map(|k| l[(i, k)] * b[k]).sum();
        b[i] = (b[i] - known) / l[(i, i)];
    }
    b
}

/// L^-T b.
fn back(l: &DMatrix<f64>, mut b: DVector<f64>) -> DVector<f64> {
    for i in (0..b.len()).rev() {
        let known: f64 = (i + 1..b.len()).map(|k| l[(k, i)] * b[k]).sum();
        b[i] = (b[i] - known) / l[(i, i)];
    }
    b
}

/// The solution of least norm with the contacts that carry in `p`; none if one of them would pull, or
/// one of the others approach.
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

/// F with F F^T = D, of as many columns as D has rank: Cholesky's method with the largest pivot first.
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

/// Orthonormal columns that span those of a matrix, by the method of Gram and Schmidt, each column twice.
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
