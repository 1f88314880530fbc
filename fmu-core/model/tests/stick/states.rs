//! Deflections as states: where they lie, how they are called, what an event does to them.

use super::*;
use contact_model::scene::layout::Deflections;

/// A plate of 0.4 m and a ball over it, at `gap` from it, `index` plates to the right.
fn ball_over_plate(index: usize, gap: f64) -> [BodyDescription; 2] {
    let x = index as f64;
    let plate = body(
        &format!("plate_{index}"),
        Motion::Fixed,
        cuboid([0.4, 0.4, 0.1]),
        [x, 0.0, -0.05],
    );
    [plate, ball(&format!("ball_{index}"), [x, 0.0, 0.1 + gap])]
}

fn balls_over_plates(gaps: &[f64], nz_max: Option<u32>) -> SceneDescription {
    let pairs = gaps.iter().enumerate();
    let bodies = pairs.flat_map(|(index, gap)| ball_over_plate(index, *gap));
    let mut description = scene(bodies.collect(), FrictionKind::Stick, &[]);
    description.contact.nz_max = nz_max;
    description
}

/// Which deflection the contact of a pair has.
fn deflection_of(scene: &Scene, contact: &Contact) -> Option<DeflectionId> {
    scene.layout().deflection_of(contact.pair, contact.slot)
}

#[test]
fn each_pair_that_sticks_has_three_states_with_its_name() {
    let mut bodies = vec![ground(), ball("ball", [0.0, 0.0, 1.0])];
    let mut second = bodies[1].shapes[0].clone();
    (second.name, second.position) = ("nose".into(), [0.1, 0.0, 0.0]);
    bodies[1].shapes.push(second);
    let (system, states) = system(scene(bodies, FrictionKind::Stick, &[]));
    let scene = system.scene();
    assert_eq!(states.len(), 13 + 2 * 3 + 1);
    let names: Vec<String> = (13..20).map(|state| scene.state_name(state)).collect();
    assert_eq!(names[0], "contact.ground.ball_ball.deflection[1]");
    assert_eq!(names[5], "contact.ground.ball_nose.deflection[3]");
    assert_eq!(names[6], "energy.dissipated");
    let mut nominals = vec![0.0; states.len()];
    system.nominals(&mut nominals);
    // That of the position: the penetration of an impact at 1 m/s.
    assert_eq!(nominals[13], nominals[0]);
}

#[test]
fn deflections_on_convex_parts_are_named_as_their_reports_are() {
    let bodies = vec![terrain("hills", 3, 0.5), ball("ball", [0.0, 0.0, 1.0])];
    let (system, states) = system(scene(bodies, FrictionKind::Stick, &[]));
    // Two prisms for each of 3 x 3 squares.
    assert_eq!(states.len(), 13 + 18 * 3 + 1);
    let names = [13, 16].map(|state| system.scene().state_name(state));
    let expected = [1, 2].map(|part| format!("contact.hills_{part}.ball.deflection[1]"));
    assert_eq!(names, expected);
}

#[test]
fn only_laws_that_stick_have_states() {
    let bodies = || vec![ground(), ball("ball", [0.0, 0.0, 1.0])];
    for (friction, states) in [
        (FrictionKind::Stick, 17),
        (FrictionKind::Coulomb, 14),
        (FrictionKind::Regularized, 14),
    ] {
        let scene = Scene::new(scene(bodies(), friction, &[])).expect("a scene");
        assert_eq!(scene.layout().count(), states);
    }
}

#[test]
fn exact_jacobian_equals_central_differences_while_holding_and_sliding() {
    for (speed, slides) in [(1e-5, false), (0.3, true)] {
        let depth = 1e-5;
        let mut moving = ball("ball", [0.1, -0.2, 0.1 - depth]);
        moving.velocity = [speed, -0.5 * speed, -0.05];
        moving.angular_velocity = [0.0, 0.0, 0.7];
        let (mut system, mut states) = at_event(scene(
            vec![ground(), moving],
            FrictionKind::Stick,
            &[(Number::TangentialStiffness, 2e7)],
        ));
        states[13..16].copy_from_slice(&[2e-7, 3e-7, 1e-8]);
        let n = states.len();
        let exact = jacobian(&mut system, 0.0, &states);
        let rate = rates(&mut system, 0.0, &states)[13];
        assert_eq!((rate - speed).abs() > 0.1 * speed, slides, "{rate}");
        for column in 0..n {
            // The force varies over the depth, the deflection, the small speed; a part in a
            // thousand of these leaves an error of 1e-6, and rounding one of 1e-8.
            let h = match column {
                0..3 => 1e-3 * depth,
                // Along the normal the damping varies over the rate, 0.05 m/s.
                9 => 1e-4 * speed,
                7..13 => 1e-3 * speed,
                13..16 => 1e-10,
                _ => 1e-4,
            };
            let (mut up, mut down) = (states.clone(), states.clone());
            up[column] += h;
            down[column] -= h;
            let width = up[column] - down[column];
            let (f, g) = (rates(&mut system, 0.0, &up), rates(&mut system, 0.0, &down));
            let entries = &exact[column * n..(column + 1) * n];
            let size = entries.iter().fold(0.0, |m: f64, e| m.max(e.abs()));
            for row in 0..n {
                let difference = (f[row] - g[row]) / width;
                assert!(
                    (entries[row] - difference).abs() <= 1e-5 * size,
                    "d f{row}/d x{column}: {} against {difference}",
                    entries[row]
                );
            }
        }
    }
}

#[test]
fn a_contact_that_ends_loses_its_deflection_and_the_energy_in_it_is_dissipated() {
    let (mut system, mut states) = system(balls_over_plates(&[-1e-5, -1e-5], None));
    let pairs = match system.scene().layout().deflections() {
        Deflections::OfPairs(pairs) => pairs.len(),
        other => panic!("{other:?}"),
    };
    // Two balls and two plates: four pairs with plates and one of balls.
    assert_eq!(pairs, 5);
    let first = system.update_event(0.0, &mut states).expect("contacts");
    assert!(!first.states_changed);
    let contacts = system.ledger().contacts().to_vec();
    let places = contacts
        .iter()
        .map(|contact| deflection_of(system.scene(), contact));
    let places: Vec<DeflectionId> = places.map(|index| index.expect("a deflection")).collect();
    let layout = system.scene().layout().clone();
    let s = [1e-6, -2e-6, 0.0];
    for place in &places {
        states[layout.deflection(*place)].copy_from_slice(&s);
    }
    let stored = |system: &mut System, states: &[f64]| {
        system.outputs(0.0, states).expect("outputs").elastic_energy
    };
    let before = stored(&mut system, &states);
    let same = system.update_event(0.0, &mut states).expect("an event");
    assert!(
        !same.states_changed,
        "contacts that last keep their deflections"
    );
    // The second ball leaves.
    states[13 + 2] += 1e-4;
    let gap_only = {
        let mut loose = states.clone();
        loose[layout.deflection(places[1])].fill(0.0);
        stored(&mut system, &states) - stored(&mut system, &loose)
    };
    let ended = system.update_event(0.0, &mut states).expect("an event");
    assert!(ended.states_changed);
    assert_eq!(states[layout.deflection(places[1])], [0.0; 3]);
    assert_eq!(states[layout.deflection(places[0])], s);
    let work = states[layout.work().expect("a balance")];
    assert!((work / gap_only - 1.0).abs() < 1e-9 && work < before);
    // 1/2 k_t s^2 with Mindlin's stiffness at the depth under the weight of the ball.
    let mass = 8000.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-3;
    let depth = rest_depth(0.1, mass * 9.81) - 2.0 * Z_EPS;
    let k_t = 1.5 * mass * 9.81 / depth * 1.4 / 1.7;
    assert!((work / (0.5 * k_t * 5e-12) - 1.0).abs() < 1e-9);
    let again = system.update_event(0.0, &mut states).expect("an event");
    assert!(!again.states_changed);
    // It has no rate while nothing touches.
    let rates = rates(&mut system, 0.0, &states);
    assert_eq!(rates[layout.deflection(places[1])], [0.0; 3]);
}

#[test]
fn a_deflection_set_at_the_start_stays_in_contact_and_vanishes_without() {
    let (mut system, mut states) = system(balls_over_plates(&[-1e-5, 0.01], None));
    let layout = system.scene().layout().clone();
    states[layout.contacts()].fill(1e-7);
    let outcome = system.update_event(0.0, &mut states).expect("contacts");
    assert!(outcome.states_changed);
    let contact = system.ledger().contacts()[0];
    let place = deflection_of(system.scene(), &contact);
    let held = layout.deflection(place.expect("a deflection"));
    for state in layout.contacts() {
        let expected = if held.contains(&state) { 1e-7 } else { 0.0 };
        assert_eq!(states[state], expected, "state {state}");
    }
    let start = rates(&mut system, 0.0, &states);
    assert!(start[7] < 0.0, "the spring pulls the ball back");
}

#[test]
fn with_fewer_slots_than_pairs_a_contact_keeps_its_deflection_while_others_come_and_go() {
    let (mut system, mut states) = system(balls_over_plates(&[-1e-5, 0.3, -2e-5, 0.4], Some(3)));
    let layout = system.scene().layout().clone();
    assert_eq!(*layout.deflections(), Deflections::OfSlots(3));
    let expected = "contact.slot[2].deflection[2]";
    assert_eq!(system.scene().state_name(4 * 13 + 3 + 1), expected);
    system.update_event(0.0, &mut states).expect("contacts");
    let pair_of = |system: &System, name: &str| {
        let mut pairs = system.scene().pairs().ids();
        let named = pairs.find(|pair| system.scene().pair_name(*pair) == name);
        named.expect("a pair")
    };
    let deflection = |system: &System, pair: PairId| {
        let contact = system.ledger().contact(pair)?;
        deflection_of(system.scene(), contact)
    };
    let names = ["plate_0:ball_0", "plate_2:ball_2", "plate_1:ball_1"];
    let [first, third, second] = names.map(|name| pair_of(&system, name));
    let kept = deflection(&system, third).expect("a contact");
    let lost = deflection(&system, first).expect("a contact");
    states[layout.deflection(kept)].copy_from_slice(&[1e-7, 2e-7, 0.0]);
    states[layout.deflection(lost)].copy_from_slice(&[3e-7, 0.0, 0.0]);
    // The force does not depend on where the states lie.
    let with_slots = rates(&mut system, 0.0, &states);
    // Ball 0 leaves far up, ball 1 lands, and the free slot is watched by others in between.
    states[2] = 0.9;
    system.update_event(0.0, &mut states).expect("an event");
    assert_eq!(states[layout.deflection(kept)], [1e-7, 2e-7, 0.0]);
    states[13 + 2] = 0.1 - 1e-5;
    system.completed_step(0.0, &states).expect("a step");
    system.update_event(0.0, &mut states).expect("an event");
    assert_eq!(deflection(&system, third), Some(kept));
    assert_eq!(states[layout.deflection(kept)], [1e-7, 2e-7, 0.0]);
    let new = deflection(&system, second).expect("a contact");
    assert_eq!(states[layout.deflection(new)], [0.0; 3]);
    let after = rates(&mut system, 0.0, &states);
    let found = &after[2 * 13 + 7..2 * 13 + 10];
    assert_eq!(found, &with_slots[2 * 13 + 7..2 * 13 + 10]);
}

#[test]
fn a_run_with_slots_is_that_with_a_state_for_each_pair() {
    let run = |nz_max| {
        let mut description = balls_over_plates(&[0.01, 0.02, 0.03], nz_max);
        for body in &mut description.bodies {
            if body.motion == Motion::Free {
                body.velocity = [0.05, 0.02, 0.0];
            }
        }
        let mut run = Run::new(description, 1e-8);
        run.to(0.3);
        run.states[..39].to_vec()
    };
    // The error norm counts the states, so steps and with them the last digits differ.
    for (a, b) in run(None).iter().zip(run(Some(4))) {
        assert!((a - b).abs() < 1e-5, "{a} and {b}");
    }
}

/// The spring of the contact before it left does not move on in flight, however often the same
/// state is asked for.
#[test]
fn a_body_that_has_left_has_no_rate_of_deflection_however_often_it_is_asked_for() {
    let (mut system, mut states) = at_event(balls_over_plates(&[-1e-5], None));
    states[7] = 0.5;
    let sliding = rates(&mut system, 0.0, &states);
    assert!(sliding[13] != 0.0, "the spring of a contact is stretched");
    states[2] = 0.3;
    system.update_event(0.0, &mut states).expect("an event");
    assert!(system.ledger().contacts().is_empty());
    states[0] += 1e-3;
    for _ in 0..2 {
        assert_eq!(rates(&mut system, 0.0, &states)[13..16], [0.0; 3]);
    }
}
