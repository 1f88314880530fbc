//! Derivatives of gap, normal and points by dual numbers against differences.
//!
//! A central difference D(h) = (f(h) - f(-h))/2h errs by h^2 f'''/6; (4 D(h/2) - D(h))/3 is free of
//! that [Richardson 1911]. Where D(h) and D(h/2) differ by more than smooth functions do, the
//! feature pair changes within h and nothing is compared.

use crate::errors::assert_none;
use crate::kind::Kind;
use crate::placing::Placing;
use crate::random::{Random, lifted, moved};
use contact_geometry::narrow_phase::{Feature, Proximity, find_feature, proximity, query};

const POSES: usize = 10;
/// Step of position [m] and angle [rad].
const STEP: f64 = 2e-5;
/// Of a derivative per metre or radian, relative to 1 + its size: noise 1e-14/STEP and the rest of
/// the truncation.
const TOLERANCE: f64 = 2e-6;

fn numbers<T: Copy + contact_geometry::math::Real>(p: &Proximity<T>) -> [T; 10] {
    let [p1, p2] = p.points_w;
    let n = p.normal_w;
    [p.gap, n.x, n.y, n.z, p1.x, p1.y, p1.z, p2.x, p2.y, p2.z]
}

#[test]
fn dual_numbers_give_the_derivatives_of_gap_normal_and_points() {
    let mut failures = Vec::new();
    for kinds in Kind::pairs() {
        let mut random = Random::new(31);
        let (mut compared, mut left_out) = (0, 0);
        for _ in 0..POSES {
            let placing = Placing::next(kinds, &mut random);
            let [s1, s2] = &placing.solids;
            for gap in [1e-1, -2e-2] {
                if !placing.covers(gap) || placing.normal_sensitivity(gap) > 20.0 {
                    continue;
                }
                let poses = [placing.pose_1, placing.pose_2(gap)];
                let rates = [(); 2].map(|()| [random.vector(), random.vector()]);
                let at = |time: f64| {
                    let [p1, p2] =
                        [0, 1].map(|i| moved(&poses[i], &rates[i][0], &rates[i][1], time));
                    numbers(&query(&s1.shape, &p1, &s2.shape, &p2, &Feature::None))
                };
                let difference = |h: f64| {
                    let (ahead, behind) = (at(h), at(-h));
                    std::array::from_fn::<f64, 10, _>(|i| (ahead[i] - behind[i]) / (2.0 * h))
                };
                let (coarse, fine) = (difference(STEP), difference(0.5 * STEP));
                let [d1, d2] = [0, 1].map(|i| lifted(&poses[i], &rates[i][0], &rates[i][1]));
                let [p1, p2] = poses;
                let feature = find_feature(&s1.shape, &p1, &s2.shape, &p2, &Feature::None);
                let values = numbers(&proximity(&s1.shape, &p1, &s2.shape, &p2, &feature));
                let duals = numbers(&proximity(&s1.shape, &d1, &s2.shape, &d2, &feature));
                for i in 0..10 {
                    let exact = (4.0 * fine[i] - coarse[i]) / 3.0;
                    let scale = TOLERANCE * (1.0 + exact.abs());
                    if (fine[i] - coarse[i]).abs() > scale {
                        left_out += 1;
                        continue;
                    }
                    compared += 1;
                    let off = (duals[i].eps[0] - exact).abs();
                    let shifted = (duals[i].re - values[i]).abs();
                    // Points along an edge or a face solve an equation of their own.
                    let rounding = if i < 4 { 1e-15 } else { 1e-9 };
                    if !(off <= scale && shifted <= rounding) {
                        failures.push(format!(
                            "{kinds:?} gap {gap} number {i}: {} for {exact}; value off {shifted:e}",
                            duals[i].eps[0]
                        ));
                    }
                }
            }
        }
        println!("{kinds:?}: {compared} compared, {left_out} left out");
        assert!(
            compared >= 50 && left_out <= compared / 10,
            "{kinds:?}: {compared} compared, {left_out} left out"
        );
    }
    assert_none(&failures);
}
