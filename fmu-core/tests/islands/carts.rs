//! Fifty carts in a row on a line, of which the first runs into the second, and so on: islands of
//! two that merge and split one after the other.

use crate::fixtures::*;
use crate::running::DividedRun;

const CARTS: usize = 50;
const GAP: f64 = 0.01;
const SPEED: f64 = 2.0;

fn carts(restitution: f64) -> SceneDescription {
    let cart = |i: usize| ball(&format!("c{i}"), [i as f64 * (0.2 + GAP), 0.0, 0.0]);
    let mut bodies: Vec<_> = (0..CARTS).map(cart).collect();
    bodies[0].velocity[0] = SPEED;
    let mut description = steel_scene(bodies);
    description.gravity = Gravity::None;
    description.material_pairs[0].response = PairResponse::Law(LawChanges {
        friction: Some(FrictionKind::Off),
        restitution: Some(RestitutionRule::Constant),
        normal: Some(NormalKind::Spring),
        numbers: vec![
            (Number::Restitution, restitution),
            (Number::Stiffness, 1e9),
            (Number::Exponent, 1.5),
        ],
        ..LawChanges::default()
    });
    description
}

/// Time by which the last cart moves, with room [s].
const END: f64 = 0.5;

/// With equal masses and restitution 1 each cart hands its speed on and stays.
#[test]
fn each_cart_hands_its_speed_on_and_no_impact_is_missed() {
    for step in [1e-3, 0.02, END] {
        let mut run = DividedRun::new(carts(1.0), 1e-8);
        run.to(END, step);
        let starts = run.changes.iter().filter(|(_, change)| {
            matches!(change, Change::Contact(contact) if contact.impact_speed.is_some())
        });
        let starts: Vec<f64> = starts.map(|(time, _)| *time).collect();
        assert_eq!(starts.len(), CARTS - 1, "step {step}");
        assert!(starts.is_sorted());
        let speeds: Vec<f64> = (0..CARTS).map(|i| run.states[13 * i + 7]).collect();
        assert!((speeds[CARTS - 1] / SPEED - 1.0).abs() < 1e-4, "{speeds:?}");
        assert!(
            speeds[..CARTS - 1].iter().all(|v| v.abs() < 1e-3),
            "{speeds:?}"
        );
        let momentum: f64 = speeds.iter().sum();
        assert!((momentum / SPEED - 1.0).abs() < 1e-9, "{momentum}");
        // Most of the time a few carts step together.
        if step < 0.01 {
            let small = run
                .sizes
                .iter()
                .filter(|(largest, _)| *largest <= 3)
                .count();
            let least = 9 * run.sizes.len();
            assert!(10 * small > least, "{small} of {}", run.sizes.len());
        }
    }
}

#[test]
fn a_run_resumed_from_what_it_remembers_is_equal_to_the_bit() {
    let end = 0.1;
    let mut through = DividedRun::new(carts(0.9), 1e-7);
    through.to(end, 1e-3);
    let mut first = DividedRun::new(carts(0.9), 1e-7);
    // In the middle of an impact.
    for _ in 0..47 {
        let next = first.time + 1e-3;
        first.to(next, 1e-3);
    }
    let bytes = postcard::to_stdvec(&(&first.memories, &first.memory)).expect("bytes");
    let mut second = DividedRun::new(carts(0.9), 1e-7);
    (second.memories, second.memory) = postcard::from_bytes(&bytes).expect("what was written");
    second.system.set_ledger(first.system.ledger());
    (second.time, second.states) = (first.time, first.states.clone());
    let steps = |run: &mut DividedRun| {
        while run.time < end {
            let next = (run.time + 1e-3).min(end);
            run.to(next, 1e-3);
        }
        run.states.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
    };
    assert_eq!(steps(&mut first), steps(&mut second));
    assert_eq!(first.system.ledger(), second.system.ledger());
}
