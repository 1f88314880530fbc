//! A ball that drops with spin, and rolling and spinning resistance.

use super::*;

/// A ball of 1 kg and R = 0.5 m that falls with 1 m/s, and its inertia.
fn ball(spin: Vec3) -> (Body, f64, f64) {
    let (mass, radius) = (1.0, 0.5);
    let inertia = 0.4 * mass * radius * radius;
    let body = Body {
        mass,
        inertia: [inertia; 3],
        velocity: Vec3::new(0.0, 0.0, -1.0),
        spin,
    };
    (body, radius, inertia)
}

fn dropped(spin: Vec3, touch: Touch) -> (Vec3, Vec3, Outcome) {
    let (body, radius, _) = ball(spin);
    let points = [Vec3::new(0.0, 0.0, -radius)];
    let case = body.case(&points, vec![touch]);
    let mut last = None;
    for hypothesis in HYPOTHESES {
        for multi in [MultiImpact::Propagate, MultiImpact::Together] {
            let found = case.solve(hypothesis, multi).unwrap();
            assert!(found.checks.cone <= 1.0 + 1e-14);
            assert!(!found.capped);
            if multi == MultiImpact::Propagate {
                last = Some(found);
            }
        }
    }
    let found = last.unwrap();
    let (velocity, spin) = body.after(&points, &found.impulses);
    (velocity, spin, found)
}

#[test]
fn ball_with_much_spin_slides_and_loses_spin_to_friction_and_rolling() {
    let (e, mu, rolling) = (0.6, 0.2, 0.01);
    let spin = 30.0;
    let (_, radius, inertia) = ball(Vec3::zeros());
    let touch = Touch {
        rolling,
        ..touch(e, mu)
    };
    for spinning in [None, Some(0.02)] {
        let touch = Touch { spinning, ..touch };
        let (velocity, after, _) = dropped(Vec3::new(0.0, spin, 0.0), touch);
        let p_n = 1.0 + e;
        let left = spin - (radius * mu + rolling) * p_n / inertia;
        assert!((velocity - Vec3::new(mu * p_n, 0.0, e)).amax() < 1e-13);
        assert!((after - Vec3::new(0.0, left, 0.0)).amax() < 1e-12);
    }
}

#[test]
fn ball_with_little_spin_begins_to_roll_and_rolling_resistance_goes_on() {
    let (e, mu, rolling, spin) = (0.6, 0.4, 0.02, 1.0);
    let (_, radius, inertia) = ball(Vec3::zeros());
    let touch = Touch {
        rolling,
        ..touch(e, mu)
    };
    // Slides until v = R omega: v = mu x, omega = spin - (R mu + rolling) x/I.
    let x = radius * spin / (mu + radius * (radius * mu + rolling) / inertia);
    // Then rolls: (I + m R^2) d omega/dx = -rolling.
    let omega = spin - (radius * mu + rolling) * x / inertia;
    let left = omega - rolling * (1.0 + e - x) / (inertia + radius * radius);
    assert!(x < 1.0 && left > 0.0);
    let (velocity, after, found) = dropped(Vec3::new(0.0, spin, 0.0), touch);
    assert!((velocity - Vec3::new(radius * left, 0.0, e)).amax() < 1e-13);
    assert!((after - Vec3::new(0.0, left, 0.0)).amax() < 1e-13);
    assert!(found.velocities[1].abs() < 1e-14);
}

#[test]
fn spin_about_the_normal_has_its_own_limit_or_that_of_rolling() {
    let (e, spin) = (0.5, 4.0);
    let (_, _, inertia) = ball(Vec3::zeros());
    for (spinning, limit) in [(Some(0.03), 0.03), (None, 0.01)] {
        let touch = Touch {
            rolling: 0.01,
            spinning,
            ..touch(e, 0.3)
        };
        let (_, after, _) = dropped(Vec3::new(0.0, 0.0, spin), touch);
        let left = spin - limit * (1.0 + e) / inertia;
        assert!((after - Vec3::new(0.0, 0.0, left)).amax() < 1e-13);
        // And stops where it is slow.
        let (_, after, _) = dropped(Vec3::new(0.0, 0.0, 0.1), touch);
        assert!(after.amax() < 1e-14);
    }
}

#[test]
fn ball_that_rolls_and_spins_in_any_direction_loses_energy_by_all_of_it() {
    let mut random = Random(5);
    for _ in 0..100 {
        let mut any = || random.between(-5.0, 5.0);
        let spin = Vec3::new(any(), any(), any());
        for spinning in [None, Some(0.05)] {
            let touch = Touch {
                rolling: 0.03,
                spinning,
                ..touch(0.5, 0.4)
            };
            let (_, after, found) = dropped(spin, touch);
            assert!(after.norm() < spin.norm());
            let off = (found.velocities[0] - 0.5).abs();
            assert!(off < 1e-12, "{:e}", found.velocities[0] - 0.5);
            assert!(found.checks.energy_change < 0.0);
        }
    }
}
