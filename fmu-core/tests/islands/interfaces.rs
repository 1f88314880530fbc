//! Islands behind the functions of FMI against the whole behind the same functions: a named pair
//! with a limit, which is never reached, has a scene stepped as a whole.

use crate::fixtures::*;
use crate::fmi3::importer::{Fmu, Importer, reference};
use crate::fmi3::inputs::references;
use crate::islands::comparing::*;
use fmu_core::fmi3::fmi3Reset;

/// Length of communication steps [s].
const STEP: f64 = 1.0 / 256.0;

/// The scene, and the same one with a limit between these bodies.
fn both(mut description: SceneDescription, pair: [&str; 2]) -> [Fmu; 2] {
    description.report = Report::All;
    description.experiment.statistics = true;
    let divided = Fmu::new(description.clone());
    description.pairs.push(PairDescription {
        warn_below: Some(-1.0),
        ..pair_of(pair[0], pair[1])
    });
    [divided, Fmu::new(description)]
}

/// What the log says of contacts: what, pair and time.
fn contacts(importer: &Importer) -> Vec<(String, f64)> {
    let lines = importer.logged("contacts").into_iter();
    let parse = |line: String| {
        let (what, rest) = line.split_once(": t=")?;
        let (time, rest) = rest.split_once(' ')?;
        let pair = rest.split(' ').next()?;
        Some((format!("{what} {pair}"), time.parse::<f64>().ok()?))
    };
    let mut found: Vec<_> = lines.filter_map(parse).collect();
    found.sort_by(|one, other| one.0.cmp(&other.0).then(one.1.total_cmp(&other.1)));
    found
}

/// Steps both to their end, `before` each step, and compares what they log, their states, and
/// these variables.
#[track_caller]
fn agree(
    name: &str,
    fmus: &[Fmu; 2],
    count: u32,
    told: &[&str],
    mut before: impl FnMut(&Fmu, &Importer, u32),
) {
    let runs = fmus.each_ref().map(|fmu| (fmu, fmu.stepping()));
    for index in 0..count {
        for (fmu, importer) in &runs {
            before(fmu, importer, index);
            importer.whole_step(f64::from(index) * STEP, STEP);
        }
    }
    let [(_, divided), (_, whole)] = &runs;
    let (found, expected) = (contacts(divided), contacts(whole));
    assert!(!expected.is_empty(), "{name}: nothing touches");
    assert_eq!(
        found.len(),
        expected.len(),
        "{name}: {found:?} {expected:?}"
    );
    for (one, other) in found.iter().zip(&expected) {
        assert_eq!(one.0, other.0, "{name}");
        assert!((one.1 - other.1).abs() < 1e-6, "{name}: {one:?} {other:?}");
    }
    let counts = |what: &str| {
        let name = format!("experiment.statistics.{what}");
        runs.each_ref()
            .map(|(fmu, run)| run.count(reference(fmu, &name)))
    };
    let [events, steps] = ["events", "steps"].map(counts);
    assert_eq!(events[0], events[1], "{name}: events");
    assert_ne!(steps[0], steps[1], "{name}: both are stepped as a whole");
    let states = runs.each_ref().map(|(_, run)| run.state_variables());
    for (index, (one, other)) in states[0].iter().zip(&states[1]).enumerate() {
        let close = (one - other).abs() < 1e-6 * (1.0 + other.abs());
        assert!(close, "{name}: state {index} is {one} and {other}");
    }
    for variable in told {
        let [one, other] = runs
            .each_ref()
            .map(|(fmu, run)| run.value(reference(fmu, variable)));
        let close = (one - other).abs() < 1e-5 * (1.0 + other.abs());
        assert!(close, "{name}: {variable} is {one} and {other}");
    }
}

/// A driven ball jumps into a free one at a communication point: a contact that begins with depth.
#[test]
fn a_driven_body_that_jumps_into_an_island_starts_a_contact_as_of_the_whole() {
    let bodies = vec![
        body("hammer", Motion::Driven, sphere(0.2), [0.0; 3]),
        ball("one", [0.3, 0.0, 0.0]),
        moving("two", [0.8, 0.01, 0.0], [-1.0, 0.0, 0.0]),
    ];
    let description = without_gravity(scene(bodies, Some(FrictionKind::Off)));
    let fmus = both(description, ["one", "two"]);
    let told = [
        "contact.hammer.one.last_impact_time",
        "contact.one.two.last_impact_speed",
    ];
    agree("jump", &fmus, 100, &told, |fmu, importer, index| {
        let x = if index < 10 { 0.0 } else { 0.1 + 1e-4 };
        if index == 0 || index == 10 {
            let position = references(fmu, "hammer.position");
            importer.fine(importer.set(&position, &[x, 0.0, 0.0]));
        }
    });
}

/// Gravity and the size of restitution change between two communication steps, while one ball is in
/// contact.
#[test]
fn parameters_that_change_at_a_communication_point_hold_for_all_islands() {
    let bodies = vec![
        plate_of(4.0),
        ball("one", [-0.3, 0.0, 0.12]),
        moving("two", [0.3, 0.0, 0.2], [-0.5, 0.0, 0.0]),
        ball("three", [1.0, 0.5, 0.15]),
    ];
    let mut description = scene(bodies, Some(FrictionKind::Regularized));
    description.interface.tunable = true;
    let fmus = both(description, ["one", "three"]);
    agree(
        "tuned",
        &fmus,
        60,
        &["energy.kinetic"],
        |fmu, importer, index| {
            if index == 18 || index == 40 {
                let value = -5.0 - f64::from(index);
                importer.fine(importer.set(&[reference(fmu, "world.gravity[3]")], &[value]));
            }
        },
    );
}

/// With fewer indicators than pairs islands watch the pairs that are near; the outputs of closest
/// distances are those of the whole.
#[test]
fn a_scene_of_few_indicators_does_what_the_whole_does() {
    for most in [5, 8] {
        let mut bodies = vec![plate_of(4.0)];
        for index in 0..5 {
            let i = f64::from(index);
            let at = [0.45 * i - 1.0, 0.02 * i, 0.11 + 0.02 * i];
            bodies.push(moving(&format!("b{index}"), at, [1.0 - i, 0.0, 0.0]));
        }
        let mut description = scene(bodies, Some(FrictionKind::Stick));
        description.contact.nz_max = Some(most);
        description.contact.closest_distances = 3;
        let fmus = both(description, ["b0", "b4"]);
        let told = [
            "contact.closest_distance[1]",
            "energy.kinetic",
            "energy.contact_elastic",
        ];
        agree(
            &format!("{most} indicators"),
            &fmus,
            40,
            &told,
            |_, _, _| {},
        );
    }
}

/// After a reset nothing is left of the islands of the run before.
#[test]
fn a_run_after_a_reset_is_equal_to_the_bit() {
    let bodies = vec![
        plate_of(4.0),
        moving("one", [-0.3, 0.0, 0.0999], [2.0, 0.0, 0.0]),
        ball("two", [0.0, 0.01, 0.0999]),
        ball("three", [1.0, 0.5, 0.15]),
    ];
    let importer = Fmu::new(scene(bodies, Some(FrictionKind::Stick))).stepping();
    let run = |count: u32| {
        for index in 0..count {
            importer.whole_step(f64::from(index) * STEP, STEP);
        }
        importer.state_variables()
    };
    let first = run(50);
    importer.ok(fmi3Reset);
    importer.initialize();
    // Ends in the middle of the impact.
    run(19);
    importer.ok(fmi3Reset);
    importer.initialize();
    assert!(run(50) == first);
}
