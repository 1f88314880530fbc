//! Balls in a row and in a ring, without friction.

use super::*;

#[test]
fn cradle_passes_the_impulse_on_one_hit_after_the_other() {
    for count in [2, 3, 5, 12] {
        for hypothesis in HYPOTHESES {
            let case = Case::row(count, 1.0);
            let found = case.solve(hypothesis, MultiImpact::Propagate).unwrap();
            let mut expected = vec![0.0; count];
            expected[count - 1] = 1.0;
            assert_near(&of_row(&found, count), &expected, 1e-14);
            assert_eq!((found.hits as usize, found.capped), (count - 1, false));
        }
    }
}

#[test]
fn cradle_propagates_with_the_restitution_of_each_hit() {
    // Three balls, e = 0.7: hits give (0.15, 0.85, 0), then (0.15, 0.1275, 0.7225), then the first two
    // once more: (1 -+ e)/2 of their difference 0.0225.
    let found = Case::row(3, 0.7).solve(Hypothesis::Newton, MultiImpact::Propagate);
    let found = found.unwrap();
    let sum = 0.15 + 0.1275;
    let (first, second) = (0.5 * (sum - 0.7 * 0.0225), 0.5 * (sum + 0.7 * 0.0225));
    assert_near(&of_row(&found, 3), &[first, second, 0.7225], 1e-14);
    assert_eq!(found.hits, 3);
}

#[test]
fn cradle_solved_at_once_moves_on_together() {
    // Momentum and the one equation for the first contact, u+ = e, all others at rest:
    // v_1 = v_2 - e, (n - 1) v_2 + v_1 = 1.
    for (count, e) in [(3, 1.0), (5, 1.0), (3, 0.7), (5, 0.7), (8, 0.2)] {
        let rest = (1.0 + e) / count as f64;
        let mut expected = vec![rest; count];
        expected[0] = rest - e;
        for hypothesis in HYPOTHESES {
            let found = Case::row(count, e).solve(hypothesis, MultiImpact::Together);
            let found = found.unwrap();
            let velocities = of_row(&found, count);
            assert_near(&velocities, &expected, 1e-13);
            assert!(found.checks.energy_change <= 1e-15);
        }
    }
    let found = Case::row(5, 1.0).solve(Hypothesis::Poisson, MultiImpact::Together);
    let expected = &[-0.6, 0.4, 0.4, 0.4, 0.4];
    assert_near(&of_row(&found.unwrap(), 5), expected, 1e-13);
}

/// Velocities of balls of 1 kg after hits, the fastest first, until no approach exceeds 1e-12 of that at
/// first, and how many hits that takes.
fn hit_in_turn(v: &mut [f64], e: f64) -> u32 {
    let approach = |v: &[f64], i: usize| v[i] - v[i + 1];
    let fastest = |v: &[f64]| {
        let each = 0..v.len() - 1;
        each.max_by(|&i, &j| approach(v, i).total_cmp(&approach(v, j)))
            .unwrap()
    };
    let least = 1e-12 * approach(v, fastest(v));
    let mut hits = 0;
    loop {
        let i = fastest(v);
        let p = 0.5 * (1.0 + e) * approach(v, i);
        if approach(v, i) <= least {
            return hits;
        }
        v[i] -= p;
        v[i + 1] += p;
        hits += 1;
    }
}

#[test]
fn collapsing_balls_are_hit_until_nothing_but_rounding_approaches() {
    // Inelastic collapse: hits of three balls have no end below 7 - 4 sqrt(3) = 0.0718.
    for (e, collapses) in [(0.5, false), (0.08, false), (0.06, true), (0.03, true)] {
        let mut case = Case::row(3, e);
        case.u[COMPONENTS] = -0.9;
        let found = case.solve(Hypothesis::Newton, MultiImpact::Propagate);
        let found = found.unwrap();
        let mut v = [1.0, 0.0, -0.9];
        let hits = hit_in_turn(&mut v, e);
        let [p, q] = [0, COMPONENTS].map(|i| found.impulses[i]);
        assert_near(&[1.0 - p, p - q, q - 0.9], &v, 1e-13);
        assert_eq!((found.hits, found.capped), (hits, false));
        assert_eq!(hits > 20, collapses, "{e}: {hits}");
    }
}

#[test]
fn hits_without_end_are_cut_and_all_end_without_expansion() {
    let count = 60;
    let found = Case::row(count, 0.8).solve(Hypothesis::Poisson, MultiImpact::Propagate);
    let found = found.unwrap();
    let velocities = of_row(&found, count);
    assert!(found.capped);
    assert_eq!(found.hits, 1001);
    assert!(found.checks.deepest_approach < 1e-12);
    assert!(found.checks.energy_change < 0.0);
    assert!((velocities.iter().sum::<f64>() - 1.0).abs() < 1e-12);
}

/// Three balls of 1 kg that touch each other, each moving to the middle with 1 m/s.
fn ring(e: f64, starts: bool) -> (Case, DMatrix<f64>, DVector<f64>) {
    let place = |i: usize| {
        let angle = std::f64::consts::TAU * (i % 3) as f64 / 3.0;
        Vec3::new(angle.cos(), angle.sin(), 0.0)
    };
    let mut a = DMatrix::zeros(3 * COMPONENTS, 9);
    let mut v = DVector::zeros(9);
    for i in 0..3 {
        let j = (i + 1) % 3;
        let n = (place(j) - place(i)).normalize();
        for k in 0..3 {
            a[(COMPONENTS * i, 3 * i + k)] = -n[k];
            a[(COMPONENTS * i, 3 * j + k)] = n[k];
            v[3 * i + k] = -place(i)[k];
        }
    }
    let touch = Touch {
        starts,
        ..touch(e, 0.0)
    };
    let case = Case {
        w: &a * a.transpose(),
        u: (&a * &v).as_slice().to_vec(),
        touches: vec![touch; 3],
    };
    (case, a, v)
}

#[test]
fn three_balls_that_meet_part_as_they_came() {
    for starts in [true, false] {
        for e in [1.0, 0.5] {
            let (case, a, v) = ring(e, starts);
            for multi in [
                MultiImpact::Propagate,
                MultiImpact::Together,
                MultiImpact::Compliant,
            ] {
                for hypothesis in HYPOTHESES {
                    let found = case.solve(hypothesis, multi).unwrap();
                    let after = &v + a.transpose() * DVector::from_vec(found.impulses);
                    // Each spring sees a mass of its own, so a damped one obtains another restitution.
                    if multi == MultiImpact::Compliant {
                        let back = after.dot(&v) / v.dot(&v);
                        assert!((&after - &v * back).amax() < 1e-8);
                        assert!(e < 1.0 || (back + 1.0).abs() < 1e-7);
                    } else {
                        assert!((&after + &v * e).amax() < 1e-13);
                        assert_eq!(found.hits, 1);
                    }
                }
            }
        }
    }
}
