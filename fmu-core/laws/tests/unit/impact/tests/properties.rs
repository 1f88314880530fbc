//! What holds of every impact, over random contacts.

use super::*;

const MULTI: [MultiImpact; 2] = [MultiImpact::Propagate, MultiImpact::Together];

/// Contacts of a system with `freedoms` degrees of freedom and any coupling, each one pushed by friction
/// up to `friction`.
fn random_case(random: &mut Random, count: usize, freedoms: usize, friction: f64) -> Case {
    let n = COMPONENTS * count;
    let b = DMatrix::from_fn(n, freedoms, |_, _| random.between(-1.0, 1.0));
    let v = DVector::from_fn(freedoms, |_, _| random.between(-1.0, 1.0));
    let touches = (0..count).map(|i| Touch {
        rolling: friction * 0.1 * random.unit(),
        spinning: (i % 2 == 0).then(|| friction * 0.1 * random.unit()),
        starts: random.unit() < 0.5,
        rest_speed: if random.unit() < 0.5 { 0.0 } else { 0.05 },
        ..touch(random.unit(), friction * random.unit())
    });
    Case {
        touches: touches.collect(),
        w: &b * b.transpose(),
        u: (&b * v).as_slice().to_vec(),
    }
}

/// Contacts in another order.
fn permuted(case: &Case, order: &[usize]) -> Case {
    let rows: Vec<usize> = order
        .iter()
        .flat_map(|&i| COMPONENTS * i..COMPONENTS * (i + 1))
        .collect();
    Case {
        w: case.w.select_rows(&rows).select_columns(&rows),
        u: rows.iter().map(|&i| case.u[i]).collect(),
        touches: order.iter().map(|&i| case.touches[i]).collect(),
    }
}

/// What must hold of an outcome.
fn assert_physical(case: &Case, found: &Outcome, place: &str) {
    let terms = found.impulses.iter().zip(&case.u);
    let size: f64 = terms.map(|(p, u)| (p * u).abs()).sum();
    assert!(found.checks.energy_change <= 1e-11 * size, "{place}");
    assert!(found.checks.cone <= 1.0 + 1e-12, "{place}");
    for (i, touch) in case.touches.iter().enumerate() {
        let n = COMPONENTS * i;
        assert!(found.impulses[n] >= 0.0, "{place}");
        let left = -found.velocities[n] - touch.rest_speed;
        assert!(left <= 1e-9, "{i} approaches: {place}");
    }
}

#[test]
#[ignore = "long: hundreds of impacts"]
fn energy_never_grows_friction_keeps_its_limits_and_nothing_approaches() {
    let mut random = Random(11);
    for (friction, rounds) in [(0.0, 60), (0.3, 60), (1.5, 10)] {
        let (mut solved, mut capped) = (0, 0);
        for round in 0..rounds {
            let count = 1 + round % 5;
            let freedoms = 2 + (random.unit() * 6.0 * count as f64) as usize;
            let case = random_case(&mut random, count, freedoms, friction);
            for multi in MULTI {
                for hypothesis in HYPOTHESES {
                    if let Some(found) = case.solve(hypothesis, multi) {
                        solved += 1;
                        capped += usize::from(found.capped);
                        let place = format!("{round} {multi:?} {hypothesis:?} {found:?}");
                        assert_physical(&case, &found, &place);
                    }
                }
            }
        }
        // Friction wedges contacts of few degrees of freedom against each other.
        let most = match friction {
            0.0 => 0,
            x if x < 1.0 => solved / 50,
            _ => solved / 10,
        };
        assert!(
            solved > 30 && capped <= most,
            "{friction}: {capped} of {solved}"
        );
    }
}

#[test]
fn mirrored_impact_has_the_mirrored_outcome() {
    let mut random = Random(13);
    // Across t1: velocities along t1, spins about n and t2 change their signs.
    let sign = |i: usize| match i % COMPONENTS {
        1 | 3 | 5 => -1.0,
        _ => 1.0,
    };
    for round in 0..60 {
        let count = 1 + round % 3;
        let case = random_case(&mut random, count, 6 * count, 0.5);
        let mirrored = Case {
            w: DMatrix::from_fn(6 * count, 6 * count, |i, j| {
                sign(i) * sign(j) * case.w[(i, j)]
            }),
            u: case
                .u
                .iter()
                .enumerate()
                .map(|(i, x)| sign(i) * x)
                .collect(),
            touches: case.touches.clone(),
        };
        for multi in MULTI {
            for hypothesis in HYPOTHESES {
                let [a, b] = [&case, &mirrored].map(|x| x.solve(hypothesis, multi));
                let (Some(a), Some(b)) = (a, b) else {
                    continue;
                };
                for (i, (a, b)) in a.impulses.iter().zip(&b.impulses).enumerate() {
                    assert!((a - sign(i) * b).abs() < 1e-12, "{round} {a} {b}");
                }
            }
        }
    }
}

#[test]
fn order_of_contacts_does_not_matter() {
    let mut random = Random(17);
    for round in 0..60 {
        let count = 2 + round % 4;
        let friction = [0.0, 0.2][round % 2];
        let case = random_case(&mut random, count, 6 * count, friction);
        let mut order: Vec<usize> = (0..count).rev().collect();
        order.rotate_left(round % count);
        let other = permuted(&case, &order);
        for multi in MULTI {
            for hypothesis in HYPOTHESES {
                let [a, b] = [&case, &other].map(|x| x.solve(hypothesis, multi));
                let (Some(a), Some(b)) = (a, b) else {
                    continue;
                };
                for (at, &i) in order.iter().enumerate() {
                    let a = &a.velocities[COMPONENTS * i..][..COMPONENTS];
                    let b = &b.velocities[COMPONENTS * at..][..COMPONENTS];
                    let near = a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9);
                    assert!(near, "{round} {multi:?} {hypothesis:?} {a:?} {b:?}");
                }
            }
        }
    }
}
