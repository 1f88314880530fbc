//! Distances as outputs, and the warning when named bodies come too close.

use crate::fixtures::*;
use crate::fmi3::importer::*;

/// Balls of 0.1 m radius at (0, 0, 0.2), (-0.3, 0, 0.15) and (0.25, 0, 0.4) m over a plane; three
/// of six pairs are monitored, four distances asked for.
fn three_balls() -> SceneDescription {
    let mut description = three_balls_with_three_indicators();
    description.contact.closest_distances = 4;
    description.pairs = ["left", "ground"]
        .map(|other| PairDescription {
            distance: true,
            ..pair_of("right", other)
        })
        .to_vec();
    description
}

/// The nearest pairs are left-ground, ball-ground and left-ball; left and right are no monitored
/// pair.
fn expected() -> ([f64; 4], [f64; 2]) {
    let apart = |x: f64, z: f64| x.hypot(z) - 0.2;
    let closest = [0.05, 0.1, apart(0.3, 0.05), 1e9];
    (closest, [apart(0.55, 0.25), 0.3])
}

#[track_caller]
fn assert_near(found: f64, expected: f64) {
    near!(found, expected, 1e-15);
}

#[test]
fn closest_distances_ascend_over_the_monitored_pairs_and_the_rest_is_far_away() {
    let fmu = Fmu::new(three_balls());
    let (closest, named) = expected();
    for importer in [fmu.model_exchange(), fmu.co_simulation()] {
        importer.enter_initialization();
        for (index, distance) in closest.into_iter().enumerate() {
            let name = format!("contact.closest_distance[{}]", index + 1);
            assert_near(importer.value(reference(&fmu, &name)), distance);
        }
        for (name, distance) in ["left", "ground"].into_iter().zip(named) {
            let name = format!("contact.distance.right.{name}");
            assert_near(importer.value(reference(&fmu, &name)), distance);
        }
    }
}

#[test]
fn distances_are_an_array_and_have_flat_names_where_asked_for() {
    let mut description = three_balls();
    description.interface.arrays = true;
    description.interface.naming = Naming::Flat;
    let fmu = Fmu::new(description);
    let importer = fmu.model_exchange();
    importer.enter_initialization();
    let mut found = [f64::NAN; 4];
    importer.fine(importer.get(&[reference(&fmu, "contact_closest_distance")], &mut found));
    for (found, expected) in found.into_iter().zip(expected().0) {
        assert_near(found, expected);
    }
    assert_near(
        importer.value(reference(&fmu, "contact_distance_right_left")),
        expected().1[0],
    );
}

/// The ball falls 0.1 m on the plane and bounces to 0.064 m, then to 0.041 m: with a limit
/// of 0.05 m it comes too close twice.
fn watched_ball() -> Fmu {
    let mut description = falling_ball();
    description.pairs = vec![PairDescription {
        warn_below: Some(0.05),
        ..pair_of("ball", "ground")
    }];
    Fmu::new(description)
}

/// Time [s] and distance [m] of each warning.
fn warnings(importer: &Importer) -> Vec<(f64, f64)> {
    let log = importer.log().into_iter();
    let warnings = log.filter(|(status, ..)| *status == fmi3Warning);
    let numbers = warnings.map(|(_, category, text)| {
        assert_eq!(category, "contacts");
        assert!(text.starts_with("too close: t="), "{text}");
        assert!(text.contains(" pair=ball:ground ") && text.ends_with(" limit=0.05"));
        let number = |key: &str| -> f64 {
            let (_, rest) = text.split_once(key).unwrap();
            rest.split(' ').next().unwrap().parse().unwrap()
        };
        (number("t="), number("distance="))
    });
    numbers.collect()
}

#[test]
fn a_pair_that_comes_too_close_is_told_once_until_it_has_parted() {
    let fmu = watched_ball();
    let importer = fmu.stepping();
    for step in 0..2000 {
        importer.whole_step(f64::from(step) * 1e-3, 1e-3);
    }
    let found = warnings(&importer);
    assert_eq!(found.len(), 2, "{found:?}");
    // Falls: sqrt(2 0.05/g) after the start, and after an impact and an apex of 0.064 m with 0.8 of
    // the speed each time. Looked at after each step, of at most 1 ms at 1 m/s.
    let first = (2.0 * 0.05 / GRAVITY).sqrt();
    let apex = impact_time() * 1.8;
    let second = apex + (2.0 * (0.064 - 0.05) / GRAVITY).sqrt();
    for ((time, distance), expected) in found.into_iter().zip([first, second]) {
        // A contact lasts some 10 ms, which the second time has in it.
        assert!((-1e-9..0.012).contains(&(time - expected)), "{time}");
        assert!((0.048..0.05).contains(&distance), "{distance}");
    }
}

#[test]
fn a_restored_run_tells_what_the_first_one_told() {
    let fmu = watched_ball();
    let importer = fmu.integrating();
    // Too close since 0.101 s, the impact at 0.143 s.
    Runge::new(&importer, 1e-3, 0).run(130);
    assert_eq!(warnings(&importer).len(), 1);
    let saved = importer.state();
    let run = || {
        Runge::new(&importer, 1e-3, 130).run(400);
        warnings(&importer)
    };
    let first = run();
    assert_eq!(first.len(), 1);
    importer.fine(importer.set_state(saved));
    assert_eq!(run(), first);
    importer.free_state(saved);
}

#[test]
fn a_pair_too_close_at_the_start_is_told_at_the_start() {
    let mut description = falling_ball();
    description.pairs = vec![PairDescription {
        warn_below: Some(0.5),
        ..pair_of("ground", "ball")
    }];
    let importer = Fmu::new(description).stepping();
    let told = importer.log();
    let warned: Vec<_> = told.iter().filter(|m| m.0 == fmi3Warning).collect();
    assert_eq!(warned.len(), 1, "{told:?}");
    assert!(
        warned[0]
            .2
            .starts_with("too close: t=0.0 pair=ground:ball distance=0.1")
    );
}

/// Warnings of a ball of rubber that hits a fixed form without losses and with the energy that its pressure
/// p = c u^(1/2) stores at a depth of `part` of its radius R, E* = E/(2 (1 - nu^2)):
/// U = 8/15 E* R^(1/2) d^(5/2) (1 - 3/7 d/R).
fn deep(ground: Form, part: f64) -> Vec<String> {
    let (radius, modulus, density) = (0.05, 1e6, 1000.0);
    let (d, e_star) = (part * radius, modulus / (2.0 * (1.0 - 0.3 * 0.3)));
    let energy = 8.0 / 15.0 * e_star * f64::sqrt(radius) * d.powf(2.5) * (1.0 - 3.0 / 7.0 * part);
    let mass = density * 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
    let ground = body("ground", Motion::Fixed, ground, [0.0; 3]);
    let mut ball = body("ball", Motion::Free, sphere(2.0 * radius), [0.0, 0.0, 0.06]);
    ball.velocity = [0.0, 0.0, -(2.0 * energy / mass).sqrt()];
    let mut description = scene_of(
        material("Rubber", density, modulus, 0.3),
        1.0,
        vec![ground, ball],
    );
    description.gravity = Gravity::None;
    let importer = Fmu::new(description).stepping();
    for step in 0..50 {
        importer.whole_step(f64::from(step) * 1e-3, 1e-3);
    }
    let log = importer.log().into_iter();
    let warnings = log.filter(|(status, ..)| *status == fmi3Warning);
    warnings.map(|(.., text)| text).collect()
}

#[test]
fn a_ball_deep_in_a_mesh_is_told_once_a_contact() {
    let found = deep(floor(4, 1.0, 0.3), 0.7);
    let [text] = &found[..] else {
        panic!("one warning: {found:?}");
    };
    let (_, rest) = text.split_once("pair=ground:ball depth=").expect(text);
    let (depth, rest) = rest.split_once(" limit=").expect(text);
    let depth: f64 = depth.parse().expect(text);
    assert!((0.5..0.701).contains(&(depth / 0.05)), "{text}");
    assert!(rest.starts_with("0.05; "), "{text}");
    assert_eq!(deep(floor(4, 1.0, 0.3), 0.45), [""; 0]);
    assert_eq!(deep(Form::HalfSpace, 0.7), [""; 0]);
}
