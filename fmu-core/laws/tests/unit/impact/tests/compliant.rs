//! Springs in place of impulses, against an integration of the balls themselves at a tolerance of 1e-10
//! with an independent solution of the damping (a script in Python with scipy).

use super::*;

#[test]
fn hertzian_cradles_disperse_as_their_balls_do() {
    let rows: [(f64, &[f64]); 8] = [
        (1.0, &[-0.070952, 0.076403, 0.994549]),
        (0.9, &[-0.037692, 0.131988, 0.905704]),
        (0.5, &[0.071959, 0.310142, 0.617899]),
        (1.0, &[-0.071085, -0.030274, -0.014464, 0.127045, 0.988777]),
        (0.9, &[-0.038277, -0.003112, 0.016799, 0.188312, 0.836277]),
        (0.7, &[0.007452, 0.019757, 0.080548, 0.278141, 0.614101]),
        (0.5, &[0.023082, 0.051050, 0.146522, 0.305621, 0.473726]),
        (0.3, &[0.040541, 0.101817, 0.192382, 0.292680, 0.372581]),
    ];
    for (e, expected) in rows {
        let case = Case::row(expected.len(), e);
        let found = case.solve(Hypothesis::Energetic, MultiImpact::Compliant);
        let found = found.unwrap();
        assert_near(&of_row(&found, expected.len()), expected, 2e-5);
        assert!(!found.capped);
    }
}

#[test]
fn linear_springs_disperse_more_and_stiffness_does_not_matter() {
    for stiffness in [1e3, 1e9] {
        let mut case = Case::row(5, 1.0);
        for touch in &mut case.touches {
            touch.elastic = PowerLaw {
                stiffness,
                exponent: 1.0,
            };
        }
        let found = case.solve(Hypothesis::Energetic, MultiImpact::Compliant);
        let expected = [-0.1323, -0.0753, -0.0310, 0.2962, 0.9424];
        assert_near(&of_row(&found.unwrap(), 5), &expected, 1e-4);
    }
}

#[test]
fn single_spring_obtains_its_restitution_and_friction_slides() {
    for e in [0.01, 0.3, 0.7, 1.0] {
        let case = Case::planar([[3.0, 0.0], [0.0, 1.0]], [2.0, -1.0], touch(e, 0.1));
        let found = case.solve(Hypothesis::Energetic, MultiImpact::Compliant);
        let found = found.unwrap();
        let p_n = 1.0 + e;
        assert_near(&found.velocities[..2], &[e, 2.0 - 0.3 * p_n], 1e-5);
        assert!(found.checks.cone <= 1.0 + 1e-9);
    }
}

/// The end of a slender rod at 45 degrees, W_tt = W_nn = 2.5, W_tn = -1.5, e = 0.5: an integration over the
/// normal impulse with the energy as its state, dE/dp_n = v/(1 + d v), with scipy. The slip stays, stops or
/// turns round; where it stays the restitution is the asked one.
#[test]
fn friction_changes_the_mass_of_the_damping_of_an_eccentric_end() {
    // Slip, mu, tangential and normal velocity after.
    let rows = [
        (-0.3, 0.3, -0.84878, 0.5),
        (0.3, 0.1, -0.54600, 0.48077),
        (0.3, 0.3, -0.38718, 0.45163),
        (0.3, 0.8, 0.0, 0.42021),
        (-0.3, 0.8, 0.0, 0.55101),
    ];
    for (slip, friction, along, up) in rows {
        let w = [[2.5, -1.5], [-1.5, 2.5]];
        let case = Case::planar(w, [slip, -1.0], touch(0.5, friction));
        let found = case.solve(Hypothesis::Energetic, MultiImpact::Compliant);
        let found = found.unwrap();
        // Friction is not full below 1e-3 of the approach.
        assert_near(&found.velocities[..2], &[up, along], 2e-3);
        assert!((found.velocities[0] - up).abs() < 5e-4, "{friction}");
    }
}

#[test]
fn friction_that_holds_creeps_no_faster_than_its_small_speed() {
    // Sticks: slip of 0.1 m/s is stopped by a part of the impulse.
    let case = Case::planar([[3.0, 0.2], [0.2, 1.0]], [0.1, -1.0], touch(0.5, 0.5));
    let found = case.solve(Hypothesis::Energetic, MultiImpact::Compliant);
    let found = found.unwrap();
    assert!(found.velocities[1].abs() < 2e-3, "{:?}", found.velocities);
    assert!(found.checks.energy_change < 0.0);
    assert!(!found.capped);
}

/// The kinetic energy is 0.5 J: rounding is all that may grow, and 1e-7 of it all that the error takes.
#[test]
fn elastic_rows_make_no_energy_by_the_error_of_their_integration() {
    for count in [3, 5, 8, 12] {
        let case = Case::row(count, 1.0);
        let found = case.solve(Hypothesis::Energetic, MultiImpact::Compliant);
        let change = found.unwrap().checks.energy_change;
        assert!(
            (-5e-8..=1e-15).contains(&change),
            "{count} balls: {change:e}"
        );
    }
}
