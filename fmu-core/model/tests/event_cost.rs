//! What is made at an event: only the contacts that it starts.

use crate::fixtures::{self, *};

/// Balls along an edge of the cube.
const EDGE: usize = 10;
/// Distance of neighbours [m]; the balls have 0.2 m.
const PITCH: f64 = 0.2 - 1e-5;

/// A thousand balls in a cube, each of which touches its neighbours along the axes, and the states.
fn cube() -> (System, Vec<f64>, Parameters) {
    let place = |index: usize| {
        let steps = [index % EDGE, index / EDGE % EDGE, index / EDGE / EDGE];
        steps.map(|step| PITCH * step as f64)
    };
    let balls = (0..EDGE.pow(3)).map(|index| ball(&format!("ball_{index}"), place(index)));
    let mut description = steel_scene(balls.collect());
    description.contact.nz_max = Some(4000);
    let scene = valid(description);
    let parameters = Parameters::start(&scene);
    let mut system = System::new(Arc::clone(&scene), &parameters).expect("good parameters");
    let mut states = scene.start_states();
    fixtures::update(&mut system, 0.0, &mut states);
    (system, states, parameters)
}

/// Updates, and returns how many contacts there are and how many were made.
fn update(system: &mut System, states: &mut [f64]) -> (usize, u64) {
    let before = system.contacts_made();
    fixtures::update(system, 0.0, states);
    let count = system.ledger().contacts().len();
    (count, system.contacts_made() - before)
}

#[test]
fn an_event_among_a_thousand_touching_balls_makes_the_contacts_that_it_starts() {
    let (mut system, mut states, mut parameters) = cube();
    // Along each axis 9 contacts in 100 lines.
    let all = 3 * (EDGE - 1) * EDGE * EDGE;
    assert_eq!(system.ledger().contacts().len(), all);
    assert_eq!(system.contacts_made(), all as u64);
    assert_eq!(update(&mut system, &mut states), (all, 0));
    // The ball in a corner touches three others, one within the cube six.
    let inner = 5 * (1 + EDGE + EDGE * EDGE);
    for (ball, neighbours) in [(0, 3), (inner, 6)] {
        let x = states[13 * ball];
        states[13 * ball] = x - 100.0;
        assert_eq!(update(&mut system, &mut states), (all - neighbours, 0));
        states[13 * ball] = x;
        assert_eq!(update(&mut system, &mut states), (all, neighbours as u64));
    }
    // A changed parameter may be one of any law, or of a fixed body: all contacts are made.
    let scene = Arc::clone(system.scene());
    let mass = scene
        .parameter_index(Element::Body(inner.into()), "mass", 0)
        .expect("a mass");
    parameters.set(&scene, mass, 2.0 * parameters.get(mass));
    let before = system.contacts_made();
    system.rebind(&parameters).expect("good parameters");
    assert_eq!(system.contacts_made() - before, all as u64);
    assert_eq!(update(&mut system, &mut states), (all, 0));
}
