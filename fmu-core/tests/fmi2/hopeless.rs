//! Runs that cannot go on end after a bounded number of steps with a reason, in both versions of
//! FMI, also with logging off; bodies that start in each other part at once.

use crate::fixtures::*;
use crate::fmi2::importer::{Importer, co_simulation, model_exchange, reference};
use crate::fmi3::importer as v3;
use crate::fmi3::importer::{Fmu, falling_ball};
use crate::fmi3::inputs::hammer;
use fmu_core::fmi2::fmi2Status::*;
use fmu_core::fmi2::*;
use fmu_core::fmi3::fmi3Status::*;
use fmu_core::fmi3::*;
use std::ptr::null;

/// Mass [kg] of a steel ball of 0.2 m diameter.
const MASS: f64 = 8000.0 * std::f64::consts::PI / 6.0 * 0.008;

/// A steel ball at this depth in a steel plate, with changes of the law.
fn ball_in_plate(depth: f64, change: impl FnOnce(&mut LawChanges)) -> SceneDescription {
    let mut scene = steel_scene(vec![plate(), ball("ball", [0.0, 0.0, 0.1 - depth])]);
    scene.contact.initial_overlap = InitialOverlap::Accept;
    let law = law_of(&mut scene);
    change(law);
    scene
}

fn damped_by(damping: Damping) -> impl FnOnce(&mut LawChanges) {
    move |law| law.damping = Some(damping)
}

/// Such a ball that creeps: the damping is so large that the overlap takes minutes to part.
fn creeping_ball() -> SceneDescription {
    ball_in_plate(1e-3, |law| {
        law.damping = Some(Damping::Constant);
        law.numbers
            .retain(|(number, _)| !matches!(number, Number::Restitution | Number::VSmall));
        law.numbers.push((Number::DampingCoefficient, 1e6));
        law.friction = Some(FrictionKind::Regularized);
        law.numbers.push((Number::VSmall, 0.01));
    })
}

/// Steps, rejected ones included, that an instance has counted.
fn attempts(importer: &v3::Importer) -> u64 {
    importer.log();
    importer.ok(fmi3Terminate);
    let told = importer.logged("integrator").remove(0);
    let number = |key: &str| -> u64 {
        let part = told.split(key).nth(1).unwrap();
        part.split(' ').next().unwrap().parse().unwrap()
    };
    number("steps=") + number("rejected=")
}

/// Speed at which a ball leaves that starts at rest where the energy m v0^2/2 is stored, of the
/// force f_el (1 + u delta_dot/v0): v dv/(1 + u v/v0) = -dE/m gives -y/u - ln(1 - u y)/u^2 = 1/2 for y = v/v0.
fn leaving(u: f64, v0: f64) -> f64 {
    let excess = |y: f64| -y / u - (-u * y).ln_1p() / (u * u) - 0.5;
    let (mut low, mut high) = (0.0, f64::min(1.0, 1.0 / u));
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        match excess(middle) < 0.0 {
            true => low = middle,
            false => high = middle,
        }
    }
    low * v0
}

/// u of the damping `exact`: (1 + e) u = ln((1 + u)/(1 - e u)).
fn exact(e: f64) -> f64 {
    let excess = |u: f64| ((1.0 + u) / (1.0 - e * u)).ln() - (1.0 + e) * u;
    let (mut low, mut high) = (1e-3, 1.0 / e * (1.0 - 1e-15));
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        match excess(middle) < 0.0 {
            true => low = middle,
            false => high = middle,
        }
    }
    low
}

#[test]
fn bodies_that_start_in_each_other_part_with_the_energy_of_their_overlap() {
    let e = 0.7;
    // Hertz: K = 4/3 c sqrt(R), 1/c = 2 (1 - nu^2)/E; E = 2/5 K depth^2.5, of the depth past the
    // hysteresis of 2e-8 m.
    let stiffness = 4.0 / 3.0 * 2e11 / (2.0 * (1.0 - 0.09)) * 0.1_f64.sqrt();
    let dampings = [
        (Damping::Exact, exact(e)),
        (Damping::Flores, 8.0 * (1.0 - e) / (5.0 * e)),
        (Damping::HuntCrossley, 1.5 * (1.0 - e)),
        (Damping::LankaraniNikravesh, 0.75 * (1.0 - e * e)),
    ];
    for depth in [1e-3, 0.02, 0.1] {
        let v0 = (0.8 * stiffness * (depth - 2e-8_f64).powf(2.5) / MASS).sqrt();
        for (damping, u) in dampings {
            for driven in [false, true] {
                // A pair of a driven body freezes its damping whatever is asked for.
                let damping = if driven { Damping::Inferred } else { damping };
                let u = if driven { exact(e) } else { u };
                let mut scene = ball_in_plate(depth, damped_by(damping));
                scene.gravity = Gravity::None;
                if driven {
                    scene.bodies[0].motion = Motion::Driven;
                }
                let fmu = Fmu::new(scene);
                let importer = fmu.stepping();
                importer.whole_step(0.0, 0.01);
                let speed = importer.value(v3::reference(&fmu, "ball.velocity[3]"));
                let expected = leaving(u, v0);
                let what = format!("{damping:?} {driven} {depth}: {speed} {expected}");
                assert!((speed / expected - 1.0).abs() < 1e-5, "{what}");
                assert!(attempts(&importer) < 1000, "{what}");
            }
        }
    }
}

#[test]
fn a_step_that_takes_too_many_steps_names_time_pair_depth_stiffness_and_what_to_do() {
    let fmu = Fmu::new(creeping_ball());
    let names = |reason: &str| {
        for part in [
            "2000 steps did not lead to 1 s",
            "plate:ball: depth ",
            "stiffness ",
            "N/m",
            "effective mass 3.351e1 kg",
            "the tolerance, now 1e-8",
            "experiment.max_steps, now 2000",
        ] {
            assert!(reason.contains(part), "no {part:?} in {reason:?}");
        }
        let depth = reason.split("depth ").nth(1).unwrap();
        let depth: f64 = depth.split(' ').next().unwrap().parse().unwrap();
        assert!((9e-4..=1e-3).contains(&depth), "{reason}");
    };

    let importer = fmu.co_simulation();
    importer.enter_initialization();
    let budget = v3::reference(&fmu, "experiment.max_steps");
    assert_eq!(importer.value(budget), 1e6);
    importer.fine(importer.set(&[budget], &[2000.0]));
    importer.ok(fmi3ExitInitializationMode);
    importer.log();
    let (status, _, time) = importer.step(0.0, 1.0);
    assert_eq!(status, fmi3Error);
    let reason = importer.reason();
    names(&reason);
    assert!(
        reason.starts_with("fmi3DoStep: the step from 0 s to 1 s failed at "),
        "{reason}"
    );
    assert!(time > 0.0 && time < 1.0);

    // Logging is off, and the part that was done makes it a discard.
    let importer = co_simulation(&fmu);
    // SAFETY: the instance lives; no categories means all.
    let status = unsafe { fmi2SetDebugLogging(importer.instance, fmi2False, 0, null()) };
    assert_eq!(status, fmi2OK);
    importer.enter_initialization();
    importer.fine(importer.set(&[reference(&fmu, "experiment.max_steps")], &[2000.0]));
    importer.ok(fmi2ExitInitializationMode);
    assert_eq!(importer.step(0.0, 1.0), fmi2Discard);
    names(&importer.reason());
    // An importer that goes on all the same reads the reason once more.
    assert_eq!(importer.step(1.0, 1.0), fmi2Error);
    let reason = importer.reason();
    assert!(
        reason.starts_with("fmi2DoStep: communication point is 1 s; this instance is at "),
        "{reason}"
    );
    names(&reason);
    // A new run knows nothing of it.
    importer.ok(fmi2Reset);
    importer.initialize();
    importer.log();
    assert_eq!(importer.step(1.0, 1.0), fmi2Error);
    let reason = importer.reason();
    assert!(reason.ends_with("this instance is at 0 s"), "{reason}");
}

/// A ball on a plate that is soft enough for long steps, with friction that turns round within 1e-9 m/s.
#[test]
fn a_step_of_too_many_steps_by_their_error_names_the_state_and_not_the_contact() {
    let bodies = vec![plate(), ball("ball", [0.0, 0.0, 0.083])];
    let mut scene = scene_of(material("Foam", 8000.0, 1e6, 0.3), 0.7, bodies);
    scene.contact.initial_overlap = InitialOverlap::Accept;
    scene.bodies[1].velocity = [0.02, 0.0, 0.0];
    let v_small = |(number, value): &mut (Number, f64)| {
        if *number == Number::VSmall {
            *value = 1e-9;
        }
    };
    law_of(&mut scene).numbers.iter_mut().for_each(v_small);
    scene.experiment.solver = Solver::Explicit;
    // Looked at after a thousand steps.
    scene.experiment.max_steps = 3000.0;
    let importer = Fmu::new(scene).stepping();
    importer.log();
    assert_eq!(importer.step(0.0, 1.0).0, fmi3Error);
    let log = importer.log().into_iter();
    let failures: Vec<String> = log
        .filter(|(_, category, _)| category == "errors")
        .map(|(.., text)| text)
        .collect();
    let [reason] = &failures[..] else {
        panic!("{failures:?}");
    };
    let end = ", not by the stiffness of the contacts, of which plate:ball is the stiffest: loosen the tolerance, now \
               1e-8, let friction change over larger speeds (v_small, w_small) or be regularized rather than stick, or \
               allow more internal steps, experiment.max_steps, now 3000";
    let parts = [
        "3000 steps did not lead to 1 s",
        " s are limited by the error of ball.",
        end,
    ];
    assert!(parts.iter().all(|part| reason.contains(part)), "{reason}");
}

#[test]
fn the_steps_between_events_share_one_budget() {
    // The ball bounces for some 2.5 s; a leg between two events takes some ten steps.
    let fmu = Fmu::new(falling_ball());
    let run = |budget: f64| {
        let importer = fmu.co_simulation();
        importer.enter_initialization();
        let reference = v3::reference(&fmu, "experiment.max_steps");
        importer.fine(importer.set(&[reference], &[budget]));
        importer.ok(fmi3ExitInitializationMode);
        importer.log();
        let status = importer.step(0.0, 1.0).0;
        (status, attempts(&importer))
    };
    let (status, needed) = run(1e6);
    assert_eq!(status, fmi3OK);
    let (status, done) = run(needed as f64);
    assert_eq!((status, done), (fmi3OK, needed));
    let (status, done) = run(needed as f64 - 1.0);
    assert_eq!(status, fmi3Error);
    assert!(done <= needed, "{done} {needed}");
}

#[test]
fn a_budget_is_a_number_of_steps() {
    let fmu = Fmu::falling_ball();
    let importer = fmu.co_simulation();
    importer.enter_initialization();
    let budget = v3::reference(&fmu, "experiment.max_steps");
    for wrong in [0.0, 0.5, -1.0, 1.5, 1e13] {
        importer.fine(importer.set(&[budget], &[wrong]));
        importer.log();
        assert_eq!(importer.call(fmi3ExitInitializationMode), fmi3Error);
        let reason = importer.says(&["parameter experiment.max_steps is "]);
        assert!(
            reason.ends_with("must be a whole number in 1..1e12"),
            "{reason}"
        );
    }
}

#[test]
fn a_step_without_end_is_given_up_early() {
    // The ball rests: steps grow, but rounding of what was large before keeps them from such ends.
    let mut scene = steel_scene(vec![plate(), ball("ball", [0.0, 0.0, 0.1])]);
    scene.bodies[1].velocity = [0.0, 0.0, -1e-3];
    let importer = Fmu::new(scene).stepping();
    importer.log();
    let (status, _, time) = importer.step(0.0, 1e300);
    assert_eq!(status, fmi3Error);
    let reason = importer.reason();
    assert!(time > 0.0 && time < 1e20, "{time}");
    // Either it would take too long, or the least step at so late a time is too long.
    let told = ["at this pace 1e300 s is ", "step size underflow"];
    assert!(told.iter().any(|told| reason.contains(told)), "{reason}");
    assert!(reason.contains("plate:ball: depth "), "{reason}");
    assert!(attempts(&importer) < 40_000);
}

#[test]
fn legs_between_events_share_one_pace() {
    // A ball that loses no energy bounces each second; a leg between two events takes some ten steps.
    let mut scene = falling_ball();
    let law = law_of(&mut scene);
    law.numbers[0] = (Number::Restitution, 1.0);
    scene.experiment.max_steps = 1e9;
    let importer = Fmu::new(scene).stepping();
    importer.log();
    assert_eq!(importer.step(0.0, 1e10).0, fmi3Error);
    importer.says(&["at this pace 10000000000 s is "]);
    assert!(attempts(&importer) < 40_000);
}

#[test]
fn a_driven_body_that_turns_too_often_is_refused_by_name_and_speed() {
    let fmu = Fmu::new(hammer());
    let importer = fmu.stepping();
    importer.log();
    let spin = v3::reference(&fmu, "hammer.angular_velocity[2]");
    for (speed, told) in [(1e9, "1.000e9 rad/s"), (6e11, "6.000e11 rad/s")] {
        importer.fine(importer.set(&[spin], &[speed]));
        assert_eq!(importer.step(0.0, 1e-3).0, fmi3Error);
        importer.says(&["\"hammer\" turns at ", told, "10000 turns", "steps of "]);
    }
    importer.fine(importer.set(&[spin], &[1e7]));
    assert_eq!(importer.step(0.0, 1e-3).0, fmi3OK);
    assert!(attempts(&importer) < 100);
}

#[test]
fn a_tangential_stiffness_of_no_solid_is_refused() {
    let of = |stiffness: f64| {
        Scene::new(ball_in_plate(1e-6, |law| {
            law.friction = Some(FrictionKind::Stick);
            law.numbers.push((Number::TangentialStiffness, stiffness));
        }))
    };
    assert!(of(1e15).is_ok());
    let problems = of(1e18).unwrap_err();
    assert!(
        problems[0].to_string().contains("in 0..1e15 N/m"),
        "{}",
        problems[0]
    );
}

#[test]
#[ignore = "long: a run of stiff contacts"]
fn gravity_a_million_times_as_strong_has_an_answer() {
    let cube = cuboid([0.2; 3]);
    for top in [
        ball("top", [0.0, 0.0, 0.2]),
        body("top", Motion::Free, cube, [0.0, 0.0, 0.2]),
    ] {
        let mut scene = steel_scene(vec![plate(), top]);
        scene.gravity = Gravity::Uniform([0.0, 0.0, -9.81e6]);
        let importer = Fmu::new(scene).stepping();
        // Through the plate, or a reason after few steps.
        importer.step(0.0, 1.0);
        assert!(attempts(&importer) < 100_000);
    }
}

#[test]
fn start_values_that_make_bodies_overlap_are_refused_and_can_be_mended() {
    let names = |reason: &str| {
        for part in [
            "start values make bodies overlap",
            "plate:ball by 5.000e-2 m (at most ",
            "initial_overlap = \"accept\"",
        ] {
            assert!(reason.contains(part), "no {part:?} in {reason:?}");
        }
    };
    for choice in [InitialOverlap::Refuse, InitialOverlap::Separate] {
        let mut scene = steel_scene(vec![plate(), ball("ball", [0.0, 0.0, 1.0])]);
        scene.contact.initial_overlap = choice;
        let fmu = Fmu::new(scene);
        for importer in [
            fmu.co_simulation(),
            fmu.model_exchange(),
            fmu.with_event_mode(true),
        ] {
            importer.enter_initialization();
            let height = v3::reference(&fmu, "ball.position[3]");
            importer.fine(importer.set(&[height], &[0.05]));
            importer.log();
            assert_eq!(importer.call(fmi3ExitInitializationMode), fmi3Error);
            names(&importer.reason());
            importer.fine(importer.set(&[height], &[0.1]));
            importer.ok(fmi3ExitInitializationMode);
        }
        for importer in [co_simulation(&fmu), model_exchange(&fmu)] {
            // SAFETY: the instance lives; no categories means all.
            unsafe { fmi2SetDebugLogging(importer.instance, fmi2False, 0, null()) };
            importer.enter_initialization();
            let height = reference(&fmu, "ball.position[3]");
            importer.fine(importer.set(&[height], &[0.05]));
            assert_eq!(importer.call(fmi2ExitInitializationMode), fmi2Error);
            names(&importer.reason());
            importer.fine(importer.set(&[height], &[0.1]));
            importer.ok(fmi2ExitInitializationMode);
        }
    }
}

#[test]
fn an_energy_that_overflows_is_a_discard_by_name() {
    let fmu = Fmu::falling_ball();
    let importer = fmu.integrating();
    let energy = v3::reference(&fmu, "energy.kinetic");
    let mut states = importer.continuous_states();
    // The first component of the velocity.
    states[7] = 1e200;
    importer.fine(importer.set_states(&states));
    importer.log();
    let mut value = [0.0];
    assert_eq!(importer.get(&[energy], &mut value), fmi3Discard);
    importer.says(&["energy.kinetic is inf at 0 s"]);
}

#[test]
fn start_states_out_of_any_sense_are_refused_by_name_and_range() {
    let fmu = Fmu::falling_ball();
    for (value, allowed) in [(1e300, "of a size up to 1e40"), (f64::NAN, "finite")] {
        let importer = fmu.co_simulation();
        importer.enter_initialization();
        let speed = v3::reference(&fmu, "ball.velocity[1]");
        importer.fine(importer.set(&[speed], &[value]));
        importer.log();
        assert_eq!(importer.call(fmi3ExitInitializationMode), fmi3Error);
        let expected =
            format!("start value of ball.velocity[1] is {value:?}; it must be {allowed}");
        let reason = importer.reason();
        assert!(reason.contains(&expected), "{reason:?} {expected:?}");
    }
}

#[test]
fn parameters_out_of_any_sense_are_refused_by_name_and_range() {
    let fmu = Fmu::falling_ball();
    #[rustfmt::skip]
    let cases = [
        ("contact.k_red", 1e300, "in 1e-12..1e12"),
        ("contact.k_red", 1e-300, "in 1e-12..1e12"),
        ("ball.mass", 1e300, "of a size up to 1e40"),
        ("ball.mass", 1e-300, ">= 1e-40"),
        ("ball.center_of_mass[1]", -1e300, "of a size up to 1e40"),
        ("material.Rubber.youngs_modulus", 1e41, "of a size up to 1e40"),
        ("world.gravity[3]", 1e300, "of a size up to 1e40"),
        ("material_pair.Rubber.Rubber.v_small", 1e300, "of a size up to 1e40"),
    ];
    for (name, value, allowed) in cases {
        let importer = fmu.co_simulation();
        importer.enter_initialization();
        importer.fine(importer.set(&[v3::reference(&fmu, name)], &[value]));
        importer.log();
        assert_eq!(importer.call(fmi3ExitInitializationMode), fmi3Error);
        let expected = format!("parameter {name} is {value:?}; must be {allowed}");
        let reason = importer.reason();
        assert!(reason.contains(&expected), "{reason:?} {expected:?}");
    }
}

#[test]
fn numbers_in_messages_have_exponents() {
    let fmu = Fmu::falling_ball();
    let importer: Importer = co_simulation(&fmu);
    importer.initialize();
    importer.log();
    assert_eq!(importer.step(1e300, 0.1), fmi2Error);
    importer.says(&["communication point is 1e300 s; this instance is at 0 s"]);
    importer.refused(importer.step(0.0, -1e-300), &["step size is -1e-300 s"]);
}
