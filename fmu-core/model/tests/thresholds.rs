//! Shells and thresholds: with a threshold T contact begins at a distance
//! of T, [Engelson 2000] 6.6. Depth 0 where d >= T; T - d along the connecting direction
//! where 0 < d < T; T + |c| along the shortest separation vector c where the shapes overlap.

use crate::fixtures::*;

/// Half-width of the contact hysteresis [m].
const Z_EPS: f64 = 1e-8;

fn with_shell(mut body: BodyDescription, shell: f64) -> BodyDescription {
    for shape in &mut body.shapes {
        shape.shell = shell;
    }
    body
}

fn named(a: &str, b: &str, threshold: f64) -> PairDescription {
    PairDescription {
        threshold: Some(threshold),
        ..pair_of(a, b)
    }
}

fn system(description: &SceneDescription) -> (System, Vec<f64>) {
    let scene = valid(description.clone());
    let mut system = start_of(&scene);
    let mut states = scene.start_states();
    system.update_event(0.0, &mut states).unwrap();
    (system, states)
}

/// Gap of the only pair as the event indicator has it, whether it is in contact, and the
/// acceleration that the contact gives the last body [m/s2].
fn answer(description: &SceneDescription) -> (f64, bool, [f64; 3]) {
    let (mut system, states) = system(description);
    let (mut z, mut rates) = ([0.0], vec![0.0; states.len()]);
    system.indicators(0.0, &states, &mut z).unwrap();
    system.derivatives(0.0, &states, &mut rates).unwrap();
    let touches = !system.ledger().contacts().is_empty();
    let gap = if touches { z[0] } else { z[0] - 2.0 * Z_EPS };
    let [.., x, y, z, _, _, _] = rates[..] else {
        panic!("a body has states")
    };
    (gap, touches, [x, y, z + 9.81])
}

/// A ball of 0.1 m radius with its centre at `position` and the plate below z = 0, 2 m wide, with
/// sharp edges, under the threshold T = 0.012 m: as shells and as the threshold of a named pair.
fn ways_to_say(position: [f64; 3]) -> Vec<SceneDescription> {
    let mut plate = plate();
    plate.shapes[0].smoothing_radius = Some(0.0);
    let shells = |plate_shell, ball_shell| {
        let ball = with_shell(ball("ball", position), ball_shell);
        steel_scene(vec![with_shell(plate.clone(), plate_shell), ball])
    };
    let mut ways = vec![shells(0.012, 0.0), shells(0.0, 0.012), shells(0.004, 0.008)];
    // The shells do not count where the pair has a threshold, and the order of the names neither.
    for (names, shell) in [
        (["plate", "ball"], 0.0),
        (["ball", "plate"], 0.5),
        (["ball.ball", "plate.plate"], 0.001),
    ] {
        let mut way = shells(shell, shell);
        way.pairs = vec![named(names[0], names[1], 0.012)];
        ways.push(way);
    }
    ways
}

#[track_caller]
fn assert_rule(position: [f64; 3], gap: f64, direction: [f64; 3]) {
    for description in ways_to_say(position) {
        let (found, touches, acceleration) = answer(&description);
        assert!((found - gap).abs() < 1e-15, "{found} instead of {gap}");
        assert_eq!(touches, gap < -Z_EPS);
        let size = f64::sqrt(acceleration.iter().map(|a| a * a).sum());
        if !touches {
            assert!(size < 1e-12, "{acceleration:?}");
            continue;
        }
        for (a, n) in acceleration.iter().zip(direction) {
            assert!((a / size - n).abs() < 1e-12, "{acceleration:?}");
        }
    }
}

#[test]
fn beyond_the_threshold_nothing_touches() {
    let up = [0.0, 0.0, 1.0];
    for d in [0.5, 0.02, 0.0121, 0.012] {
        assert_rule([0.0, 0.0, 0.1 + d], d - 0.012, up);
    }
}

#[test]
fn within_the_threshold_the_depth_is_what_the_distance_lacks_along_the_connecting_direction() {
    let up = [0.0, 0.0, 1.0];
    for d in [0.0119, 0.005, 1e-9] {
        assert_rule([0.0, 0.0, 0.1 + d], d - 0.012, up);
    }
    // Off the edge at x = 1, z = 0, in the direction (3, 0, 4)/5.
    let d = 0.005;
    let position = [1.0 + 0.6 * (0.1 + d), 0.0, 0.8 * (0.1 + d)];
    assert_rule(position, d - 0.012, [0.6, 0.0, 0.8]);
}

#[test]
fn where_shapes_overlap_the_threshold_adds_to_the_shortest_separation() {
    let up = [0.0, 0.0, 1.0];
    for c in [1e-9, 0.003, 0.05] {
        assert_rule([0.0, 0.0, 0.1 - c], -(0.012 + c), up);
    }
    // The centre in the plate, 0.01 m below its top: the shortest way out is up, 0.11 m.
    assert_rule([0.0, 0.0, -0.01], -(0.012 + 0.11), up);
}

/// Height of a ball at rest on the plate [m], by integration until it rests.
fn resting_height(shell: f64) -> f64 {
    let start = 0.1 + shell + 1e-3;
    let ball = with_shell(ball("ball", [0.0, 0.0, start]), shell);
    let (mut system, mut states) = system(&steel_scene(vec![plate(), ball]));
    let settings = Settings::new(1e-10).unwrap();
    let mut integrator = Integrator::new(states.len(), 1, settings);
    let (mut memory, mut time) = (Memory::default(), 0.0);
    while time < 1.0 {
        let stop = integrator
            .advance(&mut system, &mut memory, &mut time, &mut states, 1.0, None)
            .unwrap();
        if stop != LegEnd::End {
            system.update_event(time, &mut states).unwrap();
            memory.restart();
        }
    }
    assert!(states[9].abs() < 1e-9, "still at {} m/s", states[9]);
    states[2]
}

/// Penetration of rest: m g = k delta^1.5 with k = 4/3 sqrt(R) E/(2 (1 - nu^2)) and a depth that
/// counts from 2 z_eps; R = r1 r2/(r1 + r2) is the ball's for the flat plate.
#[test]
fn a_ball_with_a_shell_rests_higher_by_the_shell() {
    let radius: f64 = 0.1;
    let mass = 8000.0 * 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
    let stiffness = 4.0 / 3.0 * radius.sqrt() * 2e11 / (2.0 * (1.0 - 0.09));
    let penetration = (mass * 9.81 / stiffness).powf(2.0 / 3.0) + 2.0 * Z_EPS;
    for shell in [0.0, 0.03] {
        let expected = radius + shell - penetration;
        let found = resting_height(shell);
        near!(found, expected, 1e-3 * penetration);
    }
}

#[test]
fn a_pair_of_shapes_has_its_threshold_before_that_of_their_bodies() {
    let mut two = ball("two", [0.0, 0.0, 1.0]);
    let mut second = two.shapes[0].clone();
    second.name = "second".into();
    second.position = [0.3, 0.0, 0.0];
    two.shapes.push(second);
    let mut description = steel_scene(vec![plate(), two]);
    description.pairs = vec![
        named("two", "plate", 0.01),
        named("two.second", "plate", 0.02),
    ];
    let (mut system, states) = system(&description);
    let z = indicators(&mut system, 0.0, &states);
    for (z, threshold) in z.into_iter().zip([0.01, 0.02]) {
        assert!((z - 2.0 * Z_EPS - (0.9 - threshold)).abs() < 1e-15);
    }
}

#[test]
fn a_threshold_holds_for_every_part_of_a_compound() {
    let part = |x: f64| CompoundPart {
        form: sphere(0.2),
        position: [x, 0.0, 0.0],
        orientation: [1.0, 0.0, 0.0, 0.0],
    };
    let parts = vec![part(0.0), part(0.3)];
    let at = [0.0, 0.0, 1.0];
    let mut dumbbell = body("dumbbell", Motion::Free, Form::Compound { parts }, at);
    dumbbell.mass.mass = Some(1.0);
    dumbbell.mass.inertia = Some([0.1, 0.1, 0.1, 0.0, 0.0, 0.0]);
    let mut description = steel_scene(vec![plate(), dumbbell]);
    description.pairs = vec![named("plate", "dumbbell", 0.25)];
    let (mut system, states) = system(&description);
    let z = indicators(&mut system, 0.0, &states);
    for z in z {
        assert!((z - 2.0 * Z_EPS - (0.9 - 0.25)).abs() < 1e-15, "{z}");
    }
}

/// Balls in a row over the plate, the farthest with a threshold that makes it the nearest: it is
/// found behind its bounding box although only two pairs are monitored.
#[test]
fn bounds_hold_the_threshold() {
    let balls = (0..5).map(|i| {
        let x = f64::from(i);
        ball(&format!("ball_{i}"), [0.3 * x - 0.8, 0.0, 0.2 + 0.1 * x])
    });
    let mut bodies = vec![plate()];
    bodies.extend(balls);
    let mut description = steel_scene(bodies);
    description.contact.nz_max = Some(2);
    description.pairs = vec![named("ball_4", "plate", 0.5001)];
    let (system, _) = system(&description);
    let contacts = system.ledger().contacts();
    let names: Vec<String> = contacts
        .iter()
        .map(|c| system.scene().pair_name(c.pair))
        .collect();
    assert_eq!(names, ["plate:ball_4"]);
}

#[track_caller]
fn assert_refused(pairs: Vec<PairDescription>, item: SceneItem, field: &str, text: &str) {
    let mut silent = ball("silent", [0.0, 0.0, 3.0]);
    silent.shapes[0].collision = false;
    let mut wall = plate();
    wall.name = "wall".into();
    let mut description = steel_scene(vec![plate(), wall, ball("ball", [0.0, 0.0, 1.0]), silent]);
    description.pairs = pairs;
    let errors = Scene::new(description).unwrap_err();
    let found: Vec<_> = errors
        .iter()
        .map(|e| (e.item, e.field, e.to_string()))
        .collect();
    assert_eq!(found, [(item, field, text.to_owned())]);
}

/// What is said of shapes that never touch.
const NEVER: &str = "never touch: both are fixed, one takes no part in contact, or their collision_group, exclude \
                     or law = \"none\" keeps them apart";

#[test]
fn what_a_named_pair_cannot_mean_is_refused() {
    let item = SceneItem::Pair(0);
    #[rustfmt::skip]
    let cases = [
        (
            named("bal", "plate", 0.0),
            "between",
            "pair bal:plate: body \"bal\" is not known; known: plate, wall, ball, silent",
        ),
        (
            named("plate.top", "ball", 0.0),
            "between",
            "pair plate.top:ball: body \"plate\" has no shape \"top\"; its shapes: plate",
        ),
        (
            named("silent.silent", "plate", 0.0),
            "between",
            &format!("pair silent.silent:plate: silent.silent and plate {NEVER}")[..],
        ),
        (
            named("wall", "plate", 0.0),
            "between",
            &format!("pair wall:plate: wall and plate {NEVER}")[..],
        ),
        (
            named("ball", "ball.ball", 0.0),
            "between",
            "pair ball:ball.ball: ball and ball.ball are of one body; its shapes never collide",
        ),
        (
            named("ball", "plate", -0.5),
            "threshold",
            "pair ball:plate: threshold is -0.5 m; must be >= 0",
        ),
    ];
    for (pair, field, text) in cases {
        assert_refused(vec![pair], item, field, text);
    }
    assert_refused(
        vec![named("ball", "plate", 0.1), named("plate", "ball", 0.2)],
        SceneItem::Pair(1),
        "threshold",
        "pair plate:ball: pair number 1 gives a threshold to plate.plate and ball.ball too",
    );
    let mut description = steel_scene(vec![plate(), with_shell(ball("ball", [0.0; 3]), -1e-3)]);
    description.bodies[1].position[2] = 1.0;
    let errors = Scene::new(description).unwrap_err();
    let expected = "body \"ball\", shape \"ball\": shell is -0.001 m; must be >= 0";
    assert_eq!(errors[0].to_string(), expected);
}

/// Without smoothing in the whole scene an edge is sharp: a ball beside it is as far as its centre
/// is from the edge, less its radius.
#[test]
fn a_smoothing_radius_of_zero_leaves_the_edges_sharp() {
    let mut description = steel_scene(vec![plate(), ball("ball", [1.12, 0.0, 0.16])]);
    description.contact.smoothing_radius = 0.0;
    let (gap, touches, _) = answer(&description);
    assert!(!touches);
    assert!((gap - (0.2 - 0.1)).abs() < 1e-14, "{gap:e}");
}
