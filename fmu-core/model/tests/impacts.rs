//! Impacts of free bodies, integrated from event to event: restitution that is obtained, contact
//! time and depth of Hertz, and a bouncing ball against its recursion.

use crate::fixtures::*;
use crate::running::Run;

/// Where the depth of a contact starts [m]: twice the half-width of the hysteresis.
const DEPTH_STARTS: f64 = 2e-8;

/// Goes on to the next event. Returns the least height [m] of the body with its position from `height` on and its
/// velocity from `height + 7` on, found where its velocity changes sign.
fn next_event(run: &mut Run, height: usize) -> f64 {
    let mut lowest = f64::INFINITY;
    let mut found = vec![0.0; run.states.len()];
    let mut observe = |_: &mut System, step: &DenseStep<'_>| {
        if step.start()[height + 7] < 0.0 && step.end()[height + 7] >= 0.0 {
            let (mut down, mut up) = (step.t0(), step.t1());
            for _ in 0..60 {
                let middle = 0.5 * (down + up);
                step.interpolate(middle, &mut found);
                match found[height + 7] < 0.0 {
                    true => down = middle,
                    false => up = middle,
                }
            }
            step.interpolate(up, &mut found);
            lowest = lowest.min(found[height]);
        }
        Ok(())
    };
    let stop = run.leg(run.time + 1e3, Some(&mut observe));
    assert_eq!(stop, LegEnd::Event);
    run.handle_event();
    lowest
}

fn in_contact(run: &Run) -> bool {
    !run.system.ledger().contacts().is_empty()
}

/// Central impact of two free balls: a power law of this exponent that is `DEPTH` deep without
/// damping.
struct Impact {
    exponent: f64,
    restitution: f64,
    rule: RestitutionRule,
    masses: [f64; 2],
    speed: f64,
    d_max: f64,
}

/// Largest depth of an undamped impact here [m].
const DEPTH: f64 = 1e-3;

impl Impact {
    /// Speed of parting over speed of approach.
    fn obtained(&self) -> f64 {
        let [m_1, m_2] = self.masses;
        let reduced = m_1 * m_2 / (m_1 + m_2);
        let order = self.exponent + 1.0;
        // K depth^(n+1)/(n+1) = m v^2/2.
        let stiffness = 0.5 * order * reduced * self.speed * self.speed / DEPTH.powf(order);
        let mut one = ball("one", [-0.1 - 1e-4, 0.0, 0.0]);
        let mut two = ball("two", [0.1 + 1e-4, 0.0, 0.0]);
        (one.mass.mass, two.mass.mass) = (Some(m_1), Some(m_2));
        // The centre of mass stays where it is.
        one.velocity[0] = self.speed * reduced / m_1;
        two.velocity[0] = -self.speed * reduced / m_2;
        let mut description = steel_scene(vec![one, two]);
        description.gravity = Gravity::None;
        description.contact.law.d_max = self.d_max;
        description.material_pairs[0].response = PairResponse::Law(LawChanges {
            normal: Some(NormalKind::Spring),
            restitution: Some(self.rule),
            numbers: vec![
                (Number::Restitution, self.restitution),
                (Number::SlidingFriction, 0.5),
                (Number::Stiffness, stiffness),
                (Number::Exponent, self.exponent),
            ],
            ..LawChanges::default()
        });
        let mut run = Run::new(description, 1e-11);
        next_event(&mut run, 0);
        assert!(in_contact(&run));
        next_event(&mut run, 0);
        assert!(!in_contact(&run));
        (run.states[13 + 7] - run.states[7]) / self.speed
    }
}

const RESTITUTIONS: [f64; 9] = [0.01, 0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 1.0];

#[test]
fn obtained_restitution_is_the_requested_one_whatever_exponent_and_masses() {
    for exponent in [1.0, 1.5, 2.0] {
        for ratio in [1e-3, 0.1, 1.0, 1e3] {
            for restitution in RESTITUTIONS {
                let impact = Impact {
                    exponent,
                    restitution,
                    rule: RestitutionRule::Regularized,
                    masses: [1.0, ratio],
                    speed: 1.0,
                    d_max: 1000.0,
                };
                let error = impact.obtained() - restitution;
                assert!(
                    error.abs() < 1e-6,
                    "n {exponent}, masses 1:{ratio}, e {restitution}: {error:e}"
                );
            }
        }
    }
}

#[test]
fn obtained_restitution_is_the_requested_one_at_a_hundredth_with_the_cap_raised() {
    for exponent in [1.0, 1.5, 2.0] {
        for restitution in RESTITUTIONS {
            let impact = Impact {
                exponent,
                restitution,
                rule: RestitutionRule::Constant,
                masses: [1.0, 3.0],
                speed: 0.01,
                d_max: 1e5,
            };
            let error = impact.obtained() - restitution;
            let off = error.abs();
            assert!(off < 1e-6, "n {exponent}, e {restitution}: {error:e}");
        }
    }
}

/// 4/3 sqrt(r) c_res of a steel ball of 0.1 m radius on steel [N/m^1.5].
fn hertz_stiffness() -> f64 {
    4.0 / 3.0 * f64::sqrt(0.1) * 2e11 / (2.0 * 0.91)
}

/// A steel ball of 1 kg, `height` [m] over a steel plate.
fn ball_over_plate(height: f64, restitution: f64) -> SceneDescription {
    let mut moving = ball("ball", [0.0, 0.0, 0.1 + height]);
    moving.mass.mass = Some(1.0);
    scene_of(steel(), restitution, vec![plate(), moving])
}

#[test]
fn elastic_impact_of_hertz_has_its_contact_time_and_its_depth() {
    let k = hertz_stiffness();
    for v0 in [0.1, 1.0, 5.0_f64] {
        let mut description = ball_over_plate(1e-3, 1.0);
        description.gravity = Gravity::None;
        description.bodies[1].velocity[2] = -v0;
        let mut run = Run::new(description, 1e-12);
        next_event(&mut run, 2);
        let start = run.time;
        let lowest = next_event(&mut run, 2);
        // Depth (5 m v^2/(4 k))^(2/5). Time 2 depth/v times the integral of (1 - x^2.5)^(-1/2) over
        // 0..1, which is 0.4 B(0.4, 0.5): 3.2180654597 (m^2/(k^2 v))^(1/5). Both are counted from
        // 2 z_eps, which is left without force.
        let depth = (1.25 * v0 * v0 / k).powf(0.4);
        let time = 3.218_065_459_7 * (1.0 / (k * k * v0)).powf(0.2) + DEPTH_STARTS / v0;
        let found = run.time - start;
        // Times have the rounding of the start time, some 1e-18 s; positions some 1e-17 m.
        close!(found, time, 1e-8, "{v0}");
        let found = 0.1 - lowest - DEPTH_STARTS;
        close!(found, depth, 1e-8, "{v0}");
        assert!((run.states[2 + 7] / v0 - 1.0).abs() < 1e-9);
    }
}

#[test]
fn bouncing_ball_reaches_the_heights_of_impulses_with_the_same_restitution() {
    // cor_reg = e + (1e-3 - e) exp(ln(0.01) v/v_small): impulses reach the
    // height (cor_reg v)^2/(2 g).
    let (e, g, v_small) = (0.7, 9.81, 0.01);
    let cor_reg = |v: f64| e + (1e-3 - e) * (0.01_f64.ln() * v / v_small).exp();
    let height = 0.1;
    let mut run = Run::new(ball_over_plate(height, e), 1e-10);
    let mut v = f64::sqrt(2.0 * g * height);
    let (mut bounces, mut slack) = (0, 0.0);
    while v > 2.0 * v_small {
        next_event(&mut run, 2);
        let start = run.time;
        next_event(&mut run, 2);
        assert!(!in_contact(&run));
        v *= cor_reg(v);
        // The weight acts in the contact too: its impulse changes the speed by g t at most.
        slack += 2.0 * g * (run.time - start) / v;
        let rising = run.states[2 + 7];
        let (found, expected) = (rising * rising / (2.0 * g), v * v / (2.0 * g));
        close!(found, expected, slack, "{bounces} {slack}");
        bounces += 1;
    }
    // 1.4007 m/s times 0.7^k is below 0.02 m/s from k = 12 on.
    assert_eq!(bounces, 12);
}
