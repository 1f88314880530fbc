//! A slender rod of 1 kg and 1 m whose lower left end hits a floor, its centre at (v_x, -1) m/s without
//! spin, e = 0.5: piecewise linear paths computed independently (a script in Python with numpy).

use super::*;

/// Angle to the floor [deg], v_x, mu; then for each hypothesis p_n, p_t, u_n+, u_t+ and the loss [J].
type Row = ([f64; 3], [[f64; 5]; 3]);

#[rustfmt::skip]
const ROWS: [Row; 7] = [
    // slip, reversal, slip
    (
        [45.0, 0.3, 0.1],
        [
            [0.616413373860, 0.027355623100, 0.5, -0.556231003040, 0.157608022838],
            [0.605471124620, 0.026261398176, 0.474285714286, -0.542553191489, 0.162337302870],
            [0.607781480871, 0.026492433801, 0.479715051476, -0.545441136803, 0.161360944779],
        ],
    ),
    (
        [45.0, 0.3, 0.3],
        [
            [0.673170731707, 0.121951219512, 0.5, -0.404878048780, 0.174687685901],
            [0.643902439024, 0.113170731707, 0.44, -0.382926829268, 0.184985127900],
            [0.648400755563, 0.114520226669, 0.449221548904, -0.386300566672, 0.183504162148],
        ],
    ),
    // slip, stick
    (
        [45.0, 0.3, 0.8],
        [
            [0.825, 0.375, 0.5, 0.0, 0.15],
            [0.76875, 0.34125, 0.41, 0.0, 0.17559375],
            [0.773411434755, 0.344046860853, 0.417458295607, 0.0, 0.173665178571],
        ],
    ),
    // slip throughout
    (
        [45.0, -0.3, 0.3],
        [[0.731707317073, 0.219512195122, 0.5, -0.848780487805, 0.309012492564]; 3],
    ),
    // slip, stick
    (
        [45.0, -0.3, 0.8],
        [
            [1.05, 0.75, 0.5, 0.0, 0.375],
            [1.10625, 0.78375, 0.59, 0.0, 0.34434375],
            [1.082610942307, 0.769566565384, 0.552177507691, 0.0, 0.35784375],
        ],
    ),
    // stick
    (
        [60.0, 0.0, 0.8],
        [[1.21875, 0.487139289629, 0.5, 0.0, 0.3046875]; 3],
    ),
    // slip, stick
    (
        [75.0, 0.2, 0.2],
        [
            [1.387139289629, 0.221201905284, 0.5, 0.0, 0.324664631879],
            [1.368389289629, 0.217500310404, 0.480258160641, 0.0, 0.333854552135],
            [1.369748587446, 0.217768660796, 0.481689362729, 0.0, 0.333200765550],
        ],
    ),
];

fn rod(angle: f64, v_x: f64, touch: Touch) -> Case {
    let (sin, cos) = angle.to_radians().sin_cos();
    let (x, y) = (-0.5 * cos, -0.5 * sin);
    // 1/m + (r x d)(r x d')/I with I = 1/12
    let tn = -12.0 * x * y;
    let w = [[1.0 + 12.0 * y * y, tn], [tn, 1.0 + 12.0 * x * x]];
    Case::planar(w, [v_x, -1.0], touch)
}

#[test]
fn rod_slips_reverses_and_sticks_as_piecewise_linear_paths_do() {
    for ([angle, v_x, mu], expected) in ROWS {
        for (hypothesis, expected) in HYPOTHESES.into_iter().zip(expected) {
            let case = rod(angle, v_x, touch(0.5, mu));
            let found = case.solve(hypothesis, MultiImpact::Propagate).unwrap();
            let [p, u] = [&found.impulses, &found.velocities];
            let found_row = [p[0], p[1], u[0], u[1], -found.checks.energy_change];
            assert_near(&found_row, &expected, 1e-12);
            assert_eq!((found.hits, found.capped), (1, false));
            assert!(found.checks.cone <= 1.0 + 1e-14);
        }
    }
}

#[test]
fn rod_sticks_from_the_ratio_of_inverse_masses_on() {
    for (angle, limit) in [(45.0, 0.6), (60.0, 0.3997), (30.0, 0.7423), (75.0, 0.1974)] {
        for (factor, sticks) in [(0.999, false), (1.001, true)] {
            let case = rod(angle, 0.0, touch(0.5, limit * factor));
            let found = case.solve(Hypothesis::Poisson, MultiImpact::Propagate);
            let slip = found.unwrap().velocities[1];
            assert_eq!(slip.abs() < 1e-14, sticks, "{angle} {factor}: {slip}");
        }
    }
}

#[test]
fn rod_that_jams_is_compressed_until_it_sticks() {
    // Painleve: W_nn - mu |W_tn| < 0, from mu = 4/3 at tan = 2 on; it slips towards its lower end.
    let angle = 2.0_f64.atan().to_degrees();
    let (mu, v_x) = (1.6, -0.3);
    let case = rod(angle, v_x, touch(0.5, mu));
    let (tt, tn, nn) = (case.w[(1, 1)], case.w[(0, 1)], case.w[(0, 0)]);
    assert!(nn - mu * tn.abs() < 0.0);
    // Slip ends after x, then it sticks: (p_n - x) (nn - tn^2/tt) = -u_n.
    let x = -v_x / (tn + mu * tt);
    let u_n = -1.0 + (nn + mu * tn) * x;
    let p_c = x - u_n / (nn - tn * tn / tt);
    for (v_x, sign) in [(v_x, 1.0), (-v_x, -1.0)] {
        let mut case = rod(angle, v_x, touch(0.5, mu));
        if sign < 0.0 {
            case.w[(0, 1)] *= sign;
            case.w[(1, 0)] *= sign;
        }
        let found = case.solve(Hypothesis::Poisson, MultiImpact::Propagate);
        let found = found.unwrap();
        assert!((found.impulses[0] - 1.5 * p_c).abs() < 1e-12);
        assert!(found.velocities[1].abs() < 1e-14);
    }
}

#[test]
fn impact_without_tangential_coupling_loses_what_restitution_says() {
    let mut random = Random(1);
    for _ in 0..200 {
        let (m, speed) = (random.between(0.1, 10.0), random.between(0.01, 10.0));
        let (e, slip) = (random.unit(), random.between(-1.0, 1.0));
        let case = Case::planar([[3.0, 0.0], [0.0, 1.0 / m]], [slip, -speed], touch(e, 0.0));
        for hypothesis in HYPOTHESES {
            let found = case.solve(hypothesis, MultiImpact::Propagate).unwrap();
            let before = 0.5 * m * speed * speed;
            let loss = -found.checks.energy_change;
            assert!((loss - (1.0 - e * e) * before).abs() < 1e-12 * before);
            assert_near(&found.velocities[..2], &[e * speed, slip], 1e-12 * speed);
        }
    }
}

#[test]
fn contact_that_rests_parts_or_cannot_be_moved_gets_no_impulse() {
    let resting = Touch {
        rest_speed: 0.01,
        ..touch(0.5, 0.3)
    };
    let w = [[2.0, 0.5], [0.5, 1.0]];
    let hypothesis = Hypothesis::Poisson;
    for multi in [
        MultiImpact::Propagate,
        MultiImpact::Together,
        MultiImpact::Compliant,
    ] {
        for (u_n, w) in [
            (-0.009, w),
            (0.0, w),
            (1.0, w),
            (-1.0, [[2.0, 0.0], [0.0, 0.0]]),
            (-1.0, [[2.0, 0.0], [0.0, 1e-17]]),
        ] {
            let case = Case::planar(w, [0.3, u_n], resting);
            assert_eq!(case.solve(hypothesis, multi), None);
        }
        let case = Case::planar(w, [0.3, -0.011], resting);
        assert!(case.solve(hypothesis, multi).is_some());
    }
}
