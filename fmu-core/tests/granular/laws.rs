//! Contacts of balls several at once beside the laws of the pairs one by one, and friction that
//! steps of a fixed length do not resolve.

use super::*;
use crate::running::Run;
use contact_model::contact::Started;
use contact_model::granular::Held;
use contact_model::granular::balls::Surroundings;
use contact_model::granular::contacts::GrainContacts;
use contact_model::granular::lanes::Sampling;
use contact_model::threads::Crew;

/// Five balls of 0.2 m over a plane, far from each other.
fn apart(changes: LawChanges) -> SceneDescription {
    let mut bodies = vec![ground()];
    bodies.extend((0..5).map(|i| kilogram(&format!("b{i}"), [f64::from(i), 0.0, 1.0], [0.0; 3])));
    let mut description = steel_scene(bodies);
    description.material_pairs[0].response = PairResponse::Law(changes);
    description
}

/// Laws that are computed several at once, and one that is not.
fn laws() -> Vec<LawChanges> {
    let mut all = Vec::new();
    for exponent in [1.0, 1.5, 2.0, 1.7] {
        for friction in [
            FrictionKind::Off,
            FrictionKind::Regularized,
            FrictionKind::Stick,
        ] {
            for (rolling, step) in [(0.0, Step::Cubic), (0.05, Step::Quintic)] {
                let mut numbers = vec![
                    (Number::Restitution, 0.6),
                    (Number::Stiffness, 1e6),
                    (Number::Exponent, exponent),
                    (Number::RollingResistance, rolling),
                    (Number::WSmall, 0.3),
                ];
                match friction {
                    FrictionKind::Regularized => numbers.push((Number::VSmall, 0.1)),
                    FrictionKind::Stick => numbers.extend([
                        (Number::StaticFriction, 0.3 + 4.0 * rolling),
                        (Number::StaticSpeed, 0.1),
                        (Number::DynamicSpeed, 0.5),
                    ]),
                    _ => {}
                }
                if friction != FrictionKind::Off {
                    numbers.push((Number::SlidingFriction, 0.3));
                }
                all.push(LawChanges {
                    normal: Some(NormalKind::Spring),
                    damping: Some(Damping::Exact),
                    restitution: Some(RestitutionRule::Constant),
                    friction: Some(friction),
                    step: (friction == FrictionKind::Stick).then_some(step),
                    pulling: Some(match rolling > 0.0 {
                        true => Pulling::Signed,
                        false => Pulling::Clamped,
                    }),
                    numbers,
                    ..LawChanges::default()
                });
            }
        }
    }
    all
}

#[test]
fn contacts_computed_together_have_the_forces_of_their_laws() {
    let mut seed = 5;
    for changes in laws() {
        let mut description = apart(changes.clone());
        if seed % 2 == 0 {
            description.contact.law.rule = ContactRule::Hysteresis {
                z_eps: 1e-8,
                depth: DepthRule::Whole,
            };
        }
        let scene = valid(description);
        let system = start_of(&scene);
        let model = system.model();
        let mut around = Surroundings::new(model);
        let mut states = scene.start_states();
        for _ in 0..40 {
            let mut r = || signed_fraction(&mut seed);
            for own in states.chunks_exact_mut(13) {
                // Balls of 0.1 m in a heap of a few overlaps, some of them in the plane.
                let place = [0.08 * r(), 0.08 * r(), 0.1 + 0.05 * r()];
                own[..3].copy_from_slice(&place);
                let scale = 10_f64.powf(2.0 * r() - 1.0);
                own[7..13].iter_mut().for_each(|v| *v = scale * r());
            }
            around.grains.load(&states);
            let mut contacts = GrainContacts::new(model, &around);
            let held = (0..scene.pairs().len()).map(|index| Held {
                started: Started {
                    pair: contact_laws::index::PairId::from(index),
                    impact_speed: 1.0,
                    frozen: (1.0 + r()).into(),
                    stepped: None,
                },
                deflection: [1e-3 * r(), 1e-3 * r(), 1e-4 * r()],
            });
            let held: Vec<Held> = held.collect();
            contacts.resume(&Crew::new(2), model, &around, &held);
            let kept = 10_f64.powf(4.0 + 2.0 * r());
            let at = Sampling {
                ahead: 1e-4,
                steps: kept,
            };
            let both = contacts.both_ways(model, &around, at);
            for (index, [found, expected]) in both.into_iter().enumerate() {
                let close = |a: &Vec3, b: &Vec3, scale: f64| {
                    let error = (a - b).norm();
                    assert!(error <= 1e-11 * scale, "{changes:?} {index}: {a:?} {b:?}");
                };
                let size = expected.force.norm() + 1e6 * 1e-3;
                close(&found.force, &expected.force, size);
                // What acts on the plane goes nowhere, so nobody computes it.
                let in_plane = usize::from(index < 5);
                for side in in_plane..2 {
                    close(&found.torques[side], &expected.torques[side], size);
                }
                close(&found.rate, &expected.rate, 1.0 + expected.rate.norm());
                assert!((found.gap - expected.gap).abs() < 1e-15);
                let lost = (found.dissipation - expected.dissipation).abs();
                assert!(lost <= 1e-11 * (size * 30.0), "{changes:?} {lost}");
            }
        }
    }
}

/// A ball that slides over a plane with friction that holds, with these numbers beside it.
fn sliding(numbers: &[(Number, f64)]) -> SceneDescription {
    let bodies = vec![
        ground(),
        kilogram("b", [0.0, 0.0, 0.1005], [0.3, 0.0, -0.5]),
    ];
    let mut description = steel_scene(bodies);
    description.gravity = Gravity::None;
    let mut all = vec![
        (Number::Restitution, 0.7),
        (Number::Stiffness, 1e6),
        (Number::Exponent, 1.0),
        (Number::SlidingFriction, 0.4),
    ];
    all.extend_from_slice(numbers);
    description.material_pairs[0].response = PairResponse::Law(LawChanges {
        normal: Some(NormalKind::Spring),
        damping: Some(Damping::Exact),
        restitution: Some(RestitutionRule::Constant),
        friction: Some(FrictionKind::Stick),
        numbers: all,
        ..LawChanges::default()
    });
    description
}

/// The tangential spring of a ball carries 2/7 of its mass: 1/(1/m + r^2/(2/5 m r^2)).
#[test]
fn a_stiff_tangential_spring_shortens_the_step_and_is_resolved() {
    for stiffness in [1e6, 1e9] {
        let given = [(Number::TangentialStiffness, stiffness)];
        let mut run = Dem::new(sliding(&given), f64::INFINITY);
        let pi = std::f64::consts::PI;
        let in_shear = pi * (2.0 / 7.0 / stiffness).sqrt() / 12.5;
        let along = pi * 1e-3 / 25.0;
        let expected = f64::min(in_shear, along);
        let found = run.granular.longest_step();
        assert!((found / expected - 1.0).abs() < 1e-3, "{found} {expected}");
        let mut exact = Run::new(sliding(&given), 1e-9);
        exact.to(0.01);
        run.to(0.01);
        // Steps of this length weaken the damper; shorter ones have all of it.
        let mut fine = Dem::new(sliding(&given), found / 8.0);
        fine.to(0.01);
        let turning = |states: &[f64]| Vec3::from_column_slice(&states[10..13]).norm();
        let wanted = turning(&exact.states);
        for (run, allowed) in [(&run, 0.1), (&fine, 0.01)] {
            let ratio = turning(&run.states) / wanted;
            assert!((ratio - 1.0).abs() < allowed, "{stiffness}: {ratio}");
            assert!((run.states[7] - exact.states[7]).abs() < allowed * 0.3);
            assert!((run.states[9] - exact.states[9]).abs() < 2e-3);
        }
    }
}

/// A damper that stops a ball within far less than a step takes its slip away within some steps: the
/// ball rolls, with 5/7 of the speed that it slid with.
#[test]
fn a_strong_tangential_damper_brings_a_ball_to_roll_and_never_throws_it() {
    for damping in [1e3, 1e6, 1e9] {
        let mut description = sliding(&[(Number::TangentialDamping, damping)]);
        description.gravity = Gravity::Uniform([0.0, 0.0, -9.81]);
        description.bodies[1].velocity = [0.3, 0.0, 0.0];
        let mut run = Dem::new(description, f64::INFINITY);
        run.to(0.5);
        let (speed, turning) = (run.states[7], run.vector(10).norm());
        let off = (speed / (0.3 * 5.0 / 7.0) - 1.0).abs();
        assert!(off < 2e-2, "{damping}: {speed}");
        let off = (turning * 0.1 / speed - 1.0).abs();
        assert!(off < 2e-2, "{damping}: {turning}");
    }
}
