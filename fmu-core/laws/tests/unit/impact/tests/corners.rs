//! A block that lands on its corners.

use super::*;

#[test]
fn box_lands_flat_on_four_corners_without_spin() {
    let body = Body {
        mass: 2.0,
        inertia: [0.3, 0.4, 0.5],
        velocity: Vec3::new(0.0, 0.0, -1.0),
        spin: Vec3::zeros(),
    };
    let points = [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]]
        .map(|[x, y]| Vec3::new(0.5 * x, 0.4 * y, -0.2));
    for mu in [0.0, 0.3] {
        let case = body.case(&points, vec![touch(0.5, mu); 4]);
        for multi in [MultiImpact::Propagate, MultiImpact::Together] {
            for hypothesis in HYPOTHESES {
                let found = case.solve(hypothesis, multi).unwrap();
                let (velocity, spin) = body.after(&points, &found.impulses);
                assert!((velocity - Vec3::new(0.0, 0.0, 0.5)).amax() < 1e-13);
                assert!(spin.amax() < 1e-13);
                // The least norm: each corner carries the same.
                for p in found.impulses.chunks(COMPONENTS) {
                    assert_near(p, &[0.75, 0.0, 0.0, 0.0, 0.0, 0.0], 1e-12);
                }
                assert!(!found.capped);
            }
        }
    }
}

#[test]
fn block_rocks_over_as_housner_says() {
    // omega+/omega- = 1 - 3/2 sin^2 alpha, tan alpha = b/h, G. W. Housner, Bull. Seism. Soc. Am. 53
    // (1963): the angular momentum about the new corner is kept.
    for (b, h, ratio) in [(0.2, 1.0, 0.942308), (0.5, 1.0, 0.7), (1.0, 1.0, 0.25)] {
        let inertia = (b * b + h * h) / 3.0;
        let omega = 0.7;
        // Turning about -y lowers the corner at -x: v = omega x r from the old corner at +x.
        let spin = Vec3::new(0.0, -omega, 0.0);
        let body = Body {
            mass: 1.0,
            inertia: [1.0, inertia, 1.0],
            velocity: spin.cross(&Vec3::new(-b, 0.0, h)),
            spin,
        };
        let points = [Vec3::new(-b, 0.0, -h), Vec3::new(b, 0.0, -h)];
        let old = Touch {
            starts: false,
            ..touch(0.0, 5.0)
        };
        let case = body.case(&points, vec![touch(0.0, 5.0), old]);
        for multi in [MultiImpact::Propagate, MultiImpact::Together] {
            for hypothesis in HYPOTHESES {
                let found = case.solve(hypothesis, multi).unwrap();
                let (_, after) = body.after(&points, &found.impulses);
                let sin = b / b.hypot(h);
                let exact = 1.0 - 1.5 * sin * sin;
                assert!((exact - ratio).abs() < 5e-7);
                let off = (after.y / -omega - exact).abs();
                assert!(off < 1e-12, "{multi:?} {after}");
                assert_near(&found.impulses[COMPONENTS..], &[0.0; 6], 1e-13);
                assert!(found.velocities[COMPONENTS] > 0.0);
            }
        }
    }
}

#[test]
fn box_that_lands_on_corners_with_friction_keeps_the_rules_whatever_their_order() {
    boxes_keep_the_rules(20);
}

#[test]
#[ignore = "long: a hundred boxes"]
fn many_boxes_that_land_on_corners_with_friction_keep_the_rules_whatever_their_order() {
    boxes_keep_the_rules(100);
}

fn boxes_keep_the_rules(count: usize) {
    let mut random = Random(3);
    let points = [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]]
        .map(|[x, y]| Vec3::new(0.5 * x, 0.4 * y, -0.3));
    for _ in 0..count {
        let mut any = |size: f64| random.between(-size, size);
        let body = Body {
            mass: 2.0,
            inertia: [0.2, 0.25, 0.3],
            velocity: Vec3::new(any(1.0), any(1.0), any(0.5) - 1.0),
            spin: Vec3::new(any(0.5), any(0.5), any(1.0)),
        };
        let touches = vec![touch(0.5, 0.4 + any(0.3)); 4];
        let case = body.case(&points, touches.clone());
        let mut turned = points;
        turned.rotate_left(1);
        turned.swap(0, 1);
        let other = body.case(&turned, touches);
        for hypothesis in HYPOTHESES {
            let [a, b] = [&case, &other].map(|x| x.solve(hypothesis, MultiImpact::Together));
            let [a, b] = [a, b].map(Option::unwrap);
            for found in [&a, &b] {
                assert!(!found.capped, "{body:?} {found:?}");
                assert!(found.checks.energy_change < 0.0);
                assert!(found.checks.cone <= 1.0 + 1e-12);
                assert!(found.checks.deepest_approach < 1e-9);
            }
            let [a, b] = [
                body.after(&points, &a.impulses),
                body.after(&turned, &b.impulses),
            ];
            // Not unique with redundant contacts: 1e-14 where sweeps of all at once converge.
            assert!((a.0 - b.0).amax() < 1e-3, "{} {}", a.0, b.0);
            assert!((a.1 - b.1).amax() < 1e-3, "{} {}", a.1, b.1);
        }
    }
}

#[test]
fn body_squeezed_by_prescribed_motion_is_hit_until_the_bound() {
    // Walls close on a block from both sides: no impulse ends both approaches.
    let mut w = DMatrix::zeros(2 * COMPONENTS, 2 * COMPONENTS);
    for (i, j, x) in [(0, 0, 1.0), (0, 6, -1.0), (6, 0, -1.0), (6, 6, 1.0)] {
        w[(i, j)] = x;
    }
    let mut u = vec![0.0; 2 * COMPONENTS];
    u[0] = -1.0;
    u[COMPONENTS] = -2.0;
    let case = Case {
        w,
        u,
        touches: vec![touch(0.5, 0.3); 2],
    };
    for multi in [
        MultiImpact::Propagate,
        MultiImpact::Together,
        MultiImpact::Compliant,
    ] {
        let found = case.solve(Hypothesis::Poisson, multi).unwrap();
        assert!(found.capped);
        assert!(found.impulses.iter().all(|x| x.is_finite()));
    }
}
