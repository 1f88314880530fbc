//! The hybrid system against closed forms, symmetries and its own derivatives.

use super::*;
use crate::fixtures::*;
use crate::hybrid::{EvaluationError, Severity};

/// A ball in a sliding, spinning, compressing contact with the plate.
fn ball_in_contact(depth: f64) -> (System, Vec<f64>) {
    let mut moving = ball("ball", [0.1, -0.2, 0.1 - depth]);
    moving.velocity = [0.3, -0.2, -0.5];
    moving.angular_velocity = [1.0, -2.0, 0.7];
    let q = [0.8, 0.1, -0.5, 0.3];
    let n = f64::sqrt(q.iter().map(|c| c * c).sum());
    moving.orientation = q.map(|c| c / n);
    let (system, states) = at_event(steel_scene(vec![plate(), moving]));
    assert_eq!(system.ledger().contacts().len(), 1);
    (system, states)
}

fn indicators(system: &mut System, states: &[f64]) -> Vec<f64> {
    crate::fixtures::indicators(system, 0.0, states)
}

/// A message with all these words.
#[track_caller]
fn says(error: &EvaluationError, words: &[&str]) {
    for word in words {
        assert!(error.message.contains(word), "{word} in {}", error.message);
    }
}

#[test]
fn a_body_in_flight_falls_with_g_and_turns_by_eulers_equations() {
    let mut moving = ball("ball", [0.0, 0.0, 5.0]);
    moving.velocity = [1.0, 2.0, 3.0];
    moving.angular_velocity = [1.0, 2.0, 3.0];
    moving.mass.mass = Some(2.0);
    moving.mass.inertia = Some([0.3, 0.4, 0.5, 0.0, 0.0, 0.0]);
    let (mut system, states) = system(steel_scene(vec![plate(), moving]));
    let rates = rates(&mut system, 0.0, &states);
    assert_eq!(rates[..3], [1.0, 2.0, 3.0]);
    assert_eq!(rates[7..10], [0.0, 0.0, -9.81]);
    // I1 w1' = (I2 - I3) w2 w3 and cyclic.
    for (i, expected) in [-0.1 * 6.0 / 0.3, 0.2 * 3.0 / 0.4, -0.1 * 2.0 / 0.5]
        .iter()
        .enumerate()
    {
        assert!((rates[10 + i] - expected).abs() < 1e-14);
    }
}

#[test]
fn origin_off_the_centre_of_mass_moves_as_the_rigid_body_says() {
    // The same motion seen from two body frames: the centre of mass accelerates with g only, so
    // the origin at -c from it has a = g - w' x r - w x (w x r) with r = R c.
    let mut moving = ball("ball", [0.0, 0.0, 5.0]);
    moving.angular_velocity = [1.0, -2.0, 0.5];
    moving.orientation = [0.6, 0.0, 0.8, 0.0];
    moving.mass.mass = Some(2.0);
    moving.mass.center_of_mass = Some([0.1, 0.2, -0.3]);
    moving.mass.inertia = Some([0.3, 0.4, 0.5, 0.02, -0.03, 0.01]);
    let (mut system, states) = system(steel_scene(vec![plate(), moving]));
    let rates = rates(&mut system, 0.0, &states);
    let r = rotation_matrix(&[0.6, 0.0, 0.8, 0.0]);
    let center = r * Vec3::new(0.1, 0.2, -0.3);
    let omega = r * Vec3::new(1.0, -2.0, 0.5);
    let alpha = r * Vec3::new(rates[10], rates[11], rates[12]);
    let acceleration_of_center = Vec3::new(rates[7], rates[8], rates[9])
        + alpha.cross(&center)
        + omega.cross(&omega.cross(&center));
    assert!((acceleration_of_center - Vec3::new(0.0, 0.0, -9.81)).amax() < 1e-14);
}

#[test]
fn point_gravity_pulls_by_the_inverse_square() {
    let mut description = steel_scene(vec![ball("ball", [3.0, 0.0, 4.0])]);
    description.gravity = Gravity::Point {
        mu: 50.0,
        center: [0.0; 3],
    };
    let (mut system, states) = system(description);
    let rates = rates(&mut system, 0.0, &states);
    // 50/25 m/s2 towards the origin.
    for (i, expected) in [-2.0 * 0.6, 0.0, -2.0 * 0.8].iter().enumerate() {
        assert!((rates[7 + i] - expected).abs() < 1e-15);
    }
    let energy = system.outputs(0.0, &states).unwrap().potential_energy;
    let mass = system.model().bodies[BodyId::from(0)].mass;
    assert!((energy + mass * 50.0 / 5.0).abs() < 1e-12 * mass);
}

#[test]
fn force_on_a_resting_ball_is_the_hertz_force_of_its_depth() {
    let resting = ball("ball", [0.0, 0.0, 0.1 - 1e-5]);
    let (mut system, states) = at_event(steel_scene(vec![plate(), resting]));
    // k = 4/3 sqrt(r) E/(2 (1 - nu^2)), depth less twice z_eps = 1e-8 m.
    let k = 4.0 / 3.0 * f64::sqrt(0.1) * 2e11 / (2.0 * 0.91);
    let expected = k * (1e-5 - 2e-8_f64).powf(1.5);
    let outputs = system.outputs(0.0, &states).expect("outputs");
    let [on_plate, on_ball] = [0, 1].map(|b| outputs.contact_forces[BodyId::from(b)][2]);
    close!(on_ball, expected, 1e-10);
    assert_eq!(on_plate, -on_ball);
    assert!((outputs.elastic_energy / (0.4 * expected * (1e-5 - 2e-8)) - 1.0).abs() < 1e-10);
    assert_eq!(outputs.contact_count, 1);
}

#[test]
fn exact_jacobian_equals_central_differences_in_contact() {
    for depth in [1e-5, 1e-4] {
        let (mut system, states) = ball_in_contact(depth);
        let n = states.len();
        let exact = jacobian(&mut system, 0.0, &states);
        for column in 0..n {
            // The force varies over the depth, everything else over 1: a step of 1e-4 of either,
            // extrapolated twice, leaves an error far below 1e-7.
            let scale = if column < 3 { 0.1 * depth } else { 0.1 };
            let mut difference = |h: f64| -> Vec<f64> {
                let (mut up, mut down) = (states.clone(), states.clone());
                up[column] += h;
                down[column] -= h;
                let width = up[column] - down[column];
                let (f, g) = (rates(&mut system, 0.0, &up), rates(&mut system, 0.0, &down));
                f.iter().zip(&g).map(|(f, g)| (f - g) / width).collect()
            };
            let h = scale * 1e-2;
            let (d1, d2, d4) = (difference(h), difference(2.0 * h), difference(4.0 * h));
            let entries = &exact[column * n..(column + 1) * n];
            let size = entries.iter().fold(0.0, |m: f64, e| m.max(e.abs()));
            for row in 0..n {
                let [d1, d2, d4] = [&d1, &d2, &d4].map(|d| d[row]);
                let (a, b) = ((4.0 * d1 - d2) / 3.0, (4.0 * d2 - d4) / 3.0);
                let extrapolated = (16.0 * a - b) / 15.0;
                let error = (entries[row] - extrapolated).abs();
                assert!(
                    error <= 1e-7 * size,
                    "d f{row}/d x{column}: {} against {extrapolated}",
                    entries[row]
                );
            }
        }
    }
}

#[test]
fn forces_of_a_pair_cancel_and_torques_balance_about_the_world_origin() {
    let mut one = ball("one", [0.0, 0.0, 1.0]);
    let mut two = ball("two", [0.1, 0.12, 1.12]);
    one.velocity = [1.0, 0.5, 0.2];
    two.angular_velocity = [3.0, -9.0, 2.0];
    let mut description = steel_scene(vec![one, two]);
    description.gravity = Gravity::None;
    let (mut system, states) = at_event(description);
    let outputs = system.outputs(0.0, &states).expect("outputs");
    let [f1, f2] = [0, 1].map(|b| Vec3::from(outputs.contact_forces[BodyId::from(b)]));
    let [t1, t2] = [0, 1].map(|b| Vec3::from(outputs.contact_torques[BodyId::from(b)]));
    assert_eq!(f1, -f2);
    assert!(f1.norm() > 1.0);
    let (o1, o2) = (Vec3::new(0.0, 0.0, 1.0), Vec3::new(0.1, 0.12, 1.12));
    let sum = t1 + o1.cross(&f1) + t2 + o2.cross(&f2);
    let off = sum.amax();
    assert!(off < 1e-14 * (t1.amax() + o2.cross(&f2).amax()), "{sum}");
}

#[test]
fn swapping_the_order_of_the_bodies_changes_nothing_beyond_rounding() {
    let mut moving = ball("ball", [0.1, -0.2, 0.1 - 1e-5]);
    moving.velocity = [0.3, -0.2, -0.5];
    moving.angular_velocity = [1.0, -2.0, 0.7];
    let result = |bodies| {
        let (mut system, states) = at_event(steel_scene(bodies));
        rates(&mut system, 0.0, &states)
    };
    let (a, b) = (
        result(vec![plate(), moving.clone()]),
        result(vec![moving, plate()]),
    );
    for (x, y) in a.iter().zip(&b) {
        assert!((x - y).abs() <= 1e-12 * x.abs().max(1.0), "{x} {y}");
    }
}

#[test]
fn numbers_are_the_same_to_the_bit_whatever_is_evaluated_first() {
    let bits = |numbers: &[f64]| -> Vec<u64> { numbers.iter().map(|v| v.to_bits()).collect() };
    let mut moving = ball("ball", [0.1, -0.2, 0.0]);
    moving.velocity = [0.3, -0.2, -0.5];
    moving.angular_velocity = [1.0, -2.0, 0.7];
    // The ball as shape 2 and as shape 1; in flight and in contact.
    for bodies in [
        vec![plate(), moving.clone()],
        vec![moving.clone(), plate()],
        vec![plate(), moving.clone(), ball("other", [0.0, 1.0, 0.5])],
    ] {
        for gap in [0.01, -1e-5] {
            let (mut system, mut states) = system(steel_scene(bodies.clone()));
            states[2] = 0.1 + gap;
            update(&mut system, 0.0, &mut states);
            assert_eq!(system.ledger().contacts().len(), usize::from(gap < 0.0));
            for i in 1..200 {
                let x: Vec<f64> = (0..states.len())
                    .map(|k| states[k] + 1e-6 * f64::sin((i * (k + 3)) as f64))
                    .collect();
                // Derivatives and indicators in one pass, and where outputs have placed the bodies
                // and computed the forces, and where indicators have placed the bodies.
                let together = (rates(&mut system, 0.0, &x), indicators(&mut system, &x));
                rates(&mut system, 0.0, &states);
                system.outputs(0.0, &x).expect("outputs");
                let after_outputs = (rates(&mut system, 0.0, &x), indicators(&mut system, &x));
                rates(&mut system, 0.0, &states);
                let z = indicators(&mut system, &x);
                for (derivatives, z) in [after_outputs, (rates(&mut system, 0.0, &x), z)] {
                    assert_eq!(bits(&derivatives), bits(&together.0));
                    assert_eq!(bits(&z), bits(&together.1));
                }
            }
        }
    }
}

#[test]
fn concentric_balls_part_in_one_direction_whatever_is_evaluated_first() {
    let mut fixed = ball("fixed", [0.0; 3]);
    fixed.motion = Motion::Fixed;
    let moving = ball("moving", [0.0; 3]);
    for (bodies, direction) in [
        (vec![fixed.clone(), moving.clone()], 1.0),
        (vec![moving, fixed], -1.0),
    ] {
        let (mut system, mut states) = at_event(steel_scene(bodies));
        let alone = rates(&mut system, 0.0, &states);
        states[7] = 1e-9;
        let _ = indicators(&mut system, &states);
        let after_indicators = rates(&mut system, 0.0, &states);
        for rates in [alone, after_indicators] {
            assert!(rates[7] * direction > 0.0, "{rates:?}");
        }
    }
}

#[test]
fn indicator_and_force_agree_whatever_is_evaluated_first() {
    let (mut system, states) = ball_in_contact(1e-5);
    let alone = indicators(&mut system, &states);
    let force_first = {
        let _ = rates(&mut system, 0.0, &states);
        indicators(&mut system, &states)
    };
    assert_eq!(alone, force_first);
    assert!((alone[0] + 1e-5).abs() < 1e-16);
}

/// A change of the first pair alone.
fn changed(impact_speed: Option<f64>) -> [ContactChange; 1] {
    let pair = 0.into();
    [ContactChange { pair, impact_speed }]
}

#[test]
fn contacts_are_frozen_between_events_even_when_the_gap_opens() {
    let (mut system, mut states) = ball_in_contact(1e-5);
    let ledger = system.ledger().clone();
    states[2] += 1.0;
    assert!(indicators(&mut system, &states)[0] > 0.0);
    let rates = rates(&mut system, 0.0, &states);
    // Out of reach the law gives nothing: free fall.
    assert_eq!(rates[9], -9.81);
    assert_eq!(*system.ledger(), ledger);
    update(&mut system, 0.0, &mut states);
    assert!(system.ledger().contacts().is_empty());
    assert_eq!(contact_changes(&system), changed(None));
}

#[test]
fn impact_speed_is_the_normal_speed_at_the_contact_point_and_is_kept() {
    let (mut system, mut states) = ball_in_contact(1e-5);
    // v_z only: spin does not move the lowest point along the normal.
    assert_eq!(contact_changes(&system), changed(Some(0.5)));
    states[9] = -0.1;
    update(&mut system, 0.0, &mut states);
    assert_eq!(system.ledger().contacts()[0].impact_speed, 0.5);
    assert!(contact_changes(&system).is_empty());
}

/// Fifteen pairs: three balls over four plates side by side, and the balls among themselves.
fn three_balls_four_plates(nz_max: u32, heights: [f64; 3]) -> SceneDescription {
    let mut bodies = Vec::new();
    for i in 0..4 {
        let mut tile = plate();
        tile.name = format!("plate_{i}");
        tile.position[0] = 3.0 * f64::from(i);
        bodies.push(tile);
    }
    for (i, height) in heights.iter().enumerate() {
        bodies.push(ball(&format!("ball_{i}"), [3.0 * i as f64, 0.0, *height]));
    }
    let mut description = steel_scene(bodies);
    description.contact.nz_max = Some(nz_max);
    description
}

#[test]
fn a_completed_step_watches_the_nearest_pairs() {
    let (mut system, mut states) = system(three_balls_four_plates(2, [0.4, 0.5, 0.6]));
    assert_eq!(system.indicator_count(), 2);
    update(&mut system, 0.0, &mut states);
    let watched = |system: &System| -> Vec<String> {
        let pairs = system.ledger().slots().iter().flatten();
        pairs.map(|p| system.scene().pair_name(*p)).collect()
    };
    assert_eq!(watched(&system), ["plate_0:ball_0", "plate_1:ball_1"]);
    // Ball 2 falls below ball 1: after a completed step it is watched, and ball 0 keeps its slot.
    states[2 * 13 + 2] = 0.3;
    assert!(!system.completed_step(0.0, &states).unwrap());
    assert_eq!(watched(&system), ["plate_0:ball_0", "plate_2:ball_2"]);
    assert!(indicators(&mut system, &states).iter().all(|z| *z > 0.0));
}

#[test]
fn an_unwatched_pair_that_overlaps_asks_for_event_mode() {
    let (mut system, mut states) = at_event(three_balls_four_plates(2, [0.3, 0.4, 0.6]));
    states[2 * 13 + 2] = 0.1 - 1e-4;
    let slots = system.ledger().clone();
    assert!(system.completed_step(0.0, &states).unwrap());
    assert_eq!(*system.ledger(), slots);
    update(&mut system, 0.0, &mut states);
    assert_eq!(system.ledger().contacts().len(), 1);
    assert!(indicators(&mut system, &states).iter().any(|z| *z < 0.0));
}

#[test]
fn slot_assignment_never_enters_the_derivative() {
    let run = |nz: u32| {
        let (mut system, mut states) =
            system(three_balls_four_plates(nz, [0.1 - 1e-5, 0.1 - 2e-5, 0.6]));
        update(&mut system, 0.0, &mut states);
        states[3 * 13 - 11] = 0.5;
        system.completed_step(0.0, &states).unwrap();
        rates(&mut system, 0.0, &states)
    };
    assert_eq!(run(2), run(15));
    assert_eq!(run(3), run(15));
}

#[test]
fn too_many_contacts_are_an_error_with_the_numbers_and_the_pairs() {
    let heights = [0.1 - 1e-5, 0.1 - 2e-5, 0.1 - 3e-5];
    let (mut system, mut states) = system(three_balls_four_plates(2, heights));
    let error = system.update_event(0.0, &mut states).unwrap_err();
    assert_eq!(error.severity, Severity::Error);
    let balls = [0, 1, 2].map(|i| format!("plate_{i}:ball_{i}"));
    says(
        &error,
        &["nz_max = 2", "3 pairs", &balls[0], &balls[1], &balls[2]],
    );
}

#[test]
fn a_state_that_is_not_a_number_is_discarded_by_name() {
    let (mut system, mut states) = ball_in_contact(1e-5);
    states[8] = f64::NAN;
    let mut rates = vec![0.0; states.len()];
    let error = system.derivatives(0.0, &states, &mut rates).unwrap_err();
    assert_eq!(error.severity, Severity::Discard);
    says(&error, &["ball.velocity[2]", "NaN"]);
}

#[test]
fn a_parameter_out_of_range_is_named_and_changes_nothing() {
    let (mut system, states) = ball_in_contact(1e-5);
    let before = rates(&mut system, 0.0, &states);
    let scene = Arc::clone(system.scene());
    let mut parameters = Parameters::start(&scene);
    let mass = scene.parameter_index(Element::Body(1.into()), "mass", 0);
    parameters.set(&scene, mass.expect("a mass"), -0.2);
    let error = system.rebind(&parameters).expect_err("a negative mass");
    says(&error, &["ball.mass is -0.2; must be >= 1e-40"]);
    assert_eq!(rates(&mut system, 0.0, &states), before);
}

#[test]
fn an_inertia_that_no_body_has_is_refused_as_a_parameter_too() {
    let (mut system, _) = ball_in_contact(1e-5);
    let scene = Arc::clone(system.scene());
    let set = |entries: [f64; 3]| {
        let mut values = Parameters::start(&scene);
        for (i, entry) in entries.into_iter().enumerate() {
            let index = scene.parameter_index(Element::Body(1.into()), "inertia", i);
            values.set(&scene, index.expect("an inertia"), entry);
        }
        values
    };
    // Flat plate: the largest moment is the sum of the others, the limit.
    assert!(system.rebind(&set([1.0, 2.0, 3.0])).is_ok());
    for (bad, rule) in [
        ([1.0, 2.0, 3.1], "sum of the other two"),
        ([1.0, 2.0, -0.5], "> 0"),
    ] {
        let error = system.rebind(&set(bad)).expect_err("not a rigid body");
        says(&error, &["ball.inertia", rule]);
    }
}

#[test]
fn setting_a_mass_scales_the_inertia_unless_the_inertia_is_set() {
    let scene = valid(steel_scene(vec![plate(), ball("ball", [0.0, 0.0, 1.0])]));
    let index = |name, component| {
        let found = scene.parameter_index(Element::Body(1.into()), name, component);
        found.expect("the parameter")
    };
    let mass = index("mass", 0);
    let [xx, yy] = [0, 1].map(|entry| index("inertia", entry));
    let mut parameters = Parameters::start(&scene);
    let (m, i) = (parameters.get(mass), parameters.get(xx));
    parameters.set(&scene, mass, 3.0 * m);
    assert!((parameters.get(xx) / (3.0 * i) - 1.0).abs() < 1e-15);
    parameters.set(&scene, xx, 0.7);
    parameters.set(&scene, mass, m);
    assert_eq!(parameters.get(xx), 0.7);
    // The entries that were not set are those of the scene, whatever the mass.
    assert_eq!(parameters.get(yy), i);
}

#[test]
fn nominal_position_is_the_penetration_of_an_impact_at_one_metre_per_second() {
    let mut light = ball("ball", [0.0, 0.0, 1.0]);
    light.mass.mass = Some(1.0);
    let (system, states) = system(steel_scene(vec![plate(), light]));
    let mut nominals = vec![0.0; states.len()];
    system.nominals(&mut nominals);
    let k = 4.0 / 3.0 * f64::sqrt(0.1) * 2e11 / (2.0 * 0.91);
    let expected = (1.25 / k).powf(0.4);
    assert!((nominals[2] / expected - 1.0).abs() < 1e-12);
    assert_eq!(nominals[9], 1.0);
    assert_eq!(nominals[10..13], [0.01; 3]);
    // Of importers: the radius is 0.1 m, at 3 rad/s its surface has 0.3 m/s.
    assert_eq!(system.importer_nominals()[7..10], [0.2; 3]);
    let spins = &system.importer_nominals()[10..13];
    assert!(spins.iter().all(|spin| (spin - 3.0).abs() < 1e-12));
    assert_eq!(system.importer_nominals()[..7], nominals[..7]);
    // A hundredth of the rest depth (m g/k)^(2/3) = 3.6e-7 m is finer than any tolerance suggested.
    assert_eq!(system.suggested_tolerance(), 1e-8);
}

#[test]
fn modia3d_preset_counts_touching_as_contact() {
    let mut description = steel_scene(vec![plate(), ball("ball", [0.0, 0.0, 0.1])]);
    description.contact.law = LawOptions::MODIA3D_0_12;
    let (mut system, states) = at_event(description);
    assert_eq!(system.ledger().contacts().len(), 1);
    assert_eq!(system.ledger().contacts()[0].frozen.number, 2000.0);
    assert!(indicators(&mut system, &states)[0] < 0.0);
}

/// Suggested tolerance for a ball that starts at x and sinks in by m g/K, for twenty stiffnesses K
/// [N/m] evenly spread over a decade: its mean logarithm to base 10.
fn mean_tolerance(x: f64) -> f64 {
    let of = |step: i32| {
        let mut description = steel_scene(vec![plate(), ball("ball", [x, 0.3, 0.5])]);
        description.contact.law.normal = NormalKind::Spring;
        let law = law_of(&mut description);
        // From 1e-4 m to 1e-5 m deep: a hundredth of that is a suggested tolerance, which stays in
        // 1e-8..1e-7.
        let weight = 9.81 * 8000.0 * std::f64::consts::PI / 6.0 * 0.008;
        let stiffness = weight / 1e-4 * 10f64.powf((f64::from(step) + 0.5) / 20.0);
        law.numbers.push((Number::Stiffness, stiffness));
        let (system, _) = system(description);
        system.suggested_tolerance().log10()
    };
    (0..20).map(of).sum::<f64>() / 20.0
}

/// Solvers take a tolerance relative to the coordinate or to 1 m, if that is larger. A power of ten
/// rounds it: one in twenty stiffnesses more or less may cross to the next.
#[test]
fn the_suggested_tolerance_shrinks_with_the_distance_from_1_m_on() {
    let near = mean_tolerance(0.1);
    assert_eq!(mean_tolerance(-0.9), near);
    assert_eq!(mean_tolerance(1.0), near);
    for x in [2.0, -5.0, 10.0] {
        let lost = near - mean_tolerance(x);
        let expected = f64::abs(x).log10();
        assert!((lost - expected).abs() < 0.051, "{x} m: {lost} decades");
    }
}
