//! Linear complementarity problems of normal impulses.

use super::super::complementarity;
use super::*;

#[test]
fn random_problems_are_solved_with_redundant_contacts_too() {
    let mut random = Random(7);
    for round in 0..400 {
        let n = 1 + round % 12;
        let rank = 1 + (random.unit() * n as f64) as usize;
        let b = DMatrix::from_fn(n, rank, |_, _| random.between(-1.0, 1.0));
        let d = &b * b.transpose();
        // In the range of B, as velocities of a system are.
        let q = &b * DVector::from_fn(rank, |_, _| random.between(-1.0, 1.0));
        let p = complementarity::solve(&d, &q);
        let w = &q + &d * &p;
        assert!(p.min() >= 0.0);
        assert!(w.min() > -1e-11, "{round}: {w}");
        let across: f64 = p.iter().zip(w.iter()).map(|(p, w)| (p * w).abs()).sum();
        assert!(across < 1e-11 * (1.0 + p.amax()), "{round}: {across}");
    }
}

#[test]
fn redundant_contacts_share_by_the_least_norm() {
    // Three corners in a row carry a straight load evenly, a tilted one linearly.
    let b = DMatrix::from_row_slice(3, 2, &[1.0, -1.0, 1.0, 0.0, 1.0, 1.0]);
    let d = &b * b.transpose();
    for (load, expected) in [
        ([-3.0, 0.0], [1.0, 1.0, 1.0]),
        ([-3.0, -1.0], [0.5, 1.0, 1.5]),
    ] {
        let p = complementarity::solve(&d, &(&b * DVector::from_row_slice(&load)));
        assert_near(p.as_slice(), &expected, 1e-13);
    }
}

#[test]
fn nothing_approaches_nothing_carries() {
    let d = DMatrix::identity(3, 3);
    let p = complementarity::solve(&d, &DVector::from_row_slice(&[0.0, 1.0, 2.0]));
    assert_eq!(p.as_slice(), [0.0; 3]);
}
