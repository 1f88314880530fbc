//! Inputs through the C functions: when they are set, what they move, saved states, refusals.

use crate::fixtures::*;
use crate::fmi3::importer::*;
use fmu_core::instance::Standard;
use fmu_core::instance::variables::VariableTable;

/// A body of 2 kg in empty space with force and torque inputs.
pub fn pushed() -> SceneDescription {
    let mut one = ball("body", [0.0; 3]);
    one.mass.mass = Some(2.0);
    one.mass.inertia = Some([0.5, 0.5, 0.4, 0.0, 0.0, 0.0]);
    let mut description = steel_scene(vec![one]);
    description.gravity = Gravity::None;
    description.experiment.tolerance = Some(1e-10);
    description.forces = vec![force("push", "body", input_of(true, true))];
    description
}

/// The ball of the falling ball as a driven body.
pub fn hammer() -> SceneDescription {
    let mut description = falling_ball();
    let material = description.bodies[1].shapes[0].material.clone();
    let at = [0.0, 0.0, 0.1 + HEIGHT];
    let mut driven = body("hammer", Motion::Driven, sphere(0.2), at);
    driven.shapes[0].material = material;
    description.bodies[1] = driven;
    description
}

/// References of the elements of a vector.
pub fn references(fmu: &Fmu, name: &str) -> Vec<u32> {
    let table = VariableTable::new(&fmu.scene, Standard::Fmi3);
    let start = format!("{name}[");
    let found = table
        .quantities()
        .filter(|(_, quantity)| table.name(&fmu.scene, *quantity).starts_with(&start));
    found.map(|(reference, _)| reference).collect()
}

fn values(importer: &Importer, references: &[u32]) -> Vec<f64> {
    references.iter().map(|r| importer.value(*r)).collect()
}

#[test]
fn a_force_input_accelerates_its_body_in_every_mode_of_model_exchange() {
    let fmu = Fmu::new(pushed());
    let push = references(&fmu, "force.push.force");
    let importer = fmu.model_exchange();
    let value = std::cell::Cell::new(1.0);
    let check = || {
        // F/m and the value that was set, at once.
        value.set(value.get() + 1.0);
        importer.fine(importer.set(&push, &[value.get(), 0.0, -3.0]));
        let found = importer.value(reference(&fmu, "der(body.velocity[1])"));
        assert_eq!(found, value.get() / 2.0);
        assert_eq!(values(&importer, &push), [value.get(), 0.0, -3.0]);
    };
    check();
    importer.enter_initialization();
    check();
    importer.ok(fmi3ExitInitializationMode);
    check();
    importer.update();
    check();
    importer.ok(fmi3EnterContinuousTimeMode);
    importer.log();
    check();
    check();
    assert!(importer.log().is_empty(), "nothing is told of an input");
    assert!(!importer.completed_step(), "an input is no event");
    importer.ok(fmi3Terminate);
    importer.log();
    assert_eq!(importer.set(&push, &[0.0; 3]), fmi3Error);
    importer.says(&["in Terminated"]);
    importer.ok(fmi3Reset);
    assert_eq!(values(&importer, &push), [0.0; 3]);
}

/// x = a t^2/2 for 0.5 s, then 0.5 s more at the speed reached, in 10 steps.
#[test]
fn a_force_of_co_simulation_holds_between_communication_points() {
    for event_mode in [false, true] {
        let fmu = Fmu::new(pushed());
        let push = references(&fmu, "force.push.force");
        let interface = Interface::CoSimulation {
            event_mode,
            early_return: false,
        };
        let importer = Importer::new(&fmu, interface).unwrap();
        importer.initialize();
        if event_mode {
            importer.update();
            importer.ok(fmi3EnterStepMode);
        }
        for (step, force) in [(0, 6.0), (5, 0.0)] {
            importer.fine(importer.set(&push, &[force, 0.0, 0.0]));
            for i in step..step + 5 {
                importer.whole_step(f64::from(i) * 0.1, 0.1);
            }
        }
        let position = importer.value(reference(&fmu, "body.position[1]"));
        let expected = 0.5 * 3.0 * 0.25 + 3.0 * 0.5 * 0.5;
        assert!((position - expected).abs() < 1e-9, "{position}");
    }
}

#[test]
fn a_driven_body_moves_on_by_its_velocity_until_it_is_set_again() {
    let fmu = Fmu::new(hammer());
    let importer = fmu.co_simulation();
    let [position, velocity] =
        ["hammer.position", "hammer.velocity"].map(|name| references(&fmu, name));
    importer.enter_initialization();
    importer.fine(importer.set(&position, &[0.0, 0.0, 0.6]));
    importer.fine(importer.set(&velocity, &[0.0, 0.0, -0.5]));
    importer.ok(fmi3ExitInitializationMode);
    let close = |expected: f64| {
        let found = importer.value(reference(&fmu, "contact.indicator[1]"));
        // The indicator has a hysteresis of 2e-8 m.
        assert!((found - expected).abs() < 3e-8, "{found}, not {expected}");
    };
    // The radius is 0.1 m; the plane is z = 0.
    close(0.5);
    importer.whole_step(0.0, 0.2);
    close(0.4);
    // Only the velocity: the position is that of now, not that of the last set.
    importer.fine(importer.set(&velocity, &[0.0, 0.0, 1.0]));
    close(0.4);
    importer.whole_step(0.2, 0.1);
    close(0.5);
    importer.fine(importer.set(&position, &[0.0, 0.0, 0.25]));
    close(0.15);
    importer.whole_step(0.3, 0.1);
    close(0.25);
}

/// A driven ball that moves, over a fixed one in the origin, both of 0.1 m radius: the gap depends
/// on all of the position.
pub fn hammer_over_ball() -> SceneDescription {
    let mut description = hammer();
    let form = sphere(0.2);
    description.bodies[0].shapes[0].form = form;
    description.bodies[1].velocity = [0.1, 0.2, -0.3];
    description
}

/// The same of vectors that are one variable each, position first and position last.
#[test]
fn one_call_sets_all_of_a_driven_body_by_arrays_in_whatever_order() {
    let mut description = hammer_over_ball();
    description.interface.arrays = true;
    let fmu = Fmu::new(description);
    let [position, velocity] =
        ["position", "velocity"].map(|name| reference(&fmu, &format!("hammer.{name}")));
    let gap = reference(&fmu, "contact.indicator");
    for position_first in [false, true] {
        let importer = fmu.stepping();
        importer.whole_step(0.0, 0.2);
        let mut sets = [(velocity, [-0.3, 0.4, -1.2]), (position, [0.3, -0.4, 1.2])];
        if position_first {
            sets.reverse();
        }
        let values: Vec<f64> = sets.iter().flat_map(|set| set.1).collect();
        importer.fine(importer.set(&sets.map(|set| set.0), &values));
        let mut found = [f64::NAN];
        importer.fine(importer.get(&[gap], &mut found));
        assert!((found[0] - 1.1).abs() < 3e-8, "{position_first}: {found:?}");
        importer.whole_step(0.2, 0.1);
        importer.fine(importer.get(&[gap], &mut found));
        near!(found[0], 0.97, 3e-8, "{position_first} {found:?}");
    }
}

/// The force of a ball pressed into a plane is that of a free one at the same place and velocity.
#[test]
fn a_driven_body_feels_what_a_free_one_feels_at_its_place() {
    let place = [0.0, 0.0, 0.0999];
    let at_rest = |mut description: SceneDescription, name: &str| {
        description.bodies[1].position = place;
        description.contact.initial_overlap = InitialOverlap::Accept;
        let fmu = Fmu::new(description);
        let importer = fmu.integrating();
        values(
            &importer,
            &references(&fmu, &format!("{name}.contact_force")),
        )
    };
    let free = at_rest(falling_ball(), "ball");
    assert!(free[2] > 1.0, "{free:?}");
    assert_eq!(at_rest(hammer(), "hammer"), free);

    // Set at a communication point: the contact is there before the next step.
    let fmu = Fmu::new(hammer());
    let importer = fmu.stepping();
    let wrench = references(&fmu, "hammer.contact_force");
    importer.whole_step(0.0, 0.01);
    assert_eq!(values(&importer, &wrench), [0.0; 3]);
    let position = references(&fmu, "hammer.position");
    // Component by component, reading between: what was begun is taken back.
    for (reference, value) in position.iter().zip(place) {
        importer.fine(importer.set(&[*reference], &[value]));
        importer.value(wrench[2]);
    }
    assert_eq!(values(&importer, &wrench), free);
    importer.whole_step(0.01, 0.01);
    assert_eq!(values(&importer, &wrench), free);
    importer.fine(importer.set(&position, &[0.0, 0.0, 0.3]));
    assert_eq!(values(&importer, &wrench), [0.0; 3]);
}

#[test]
fn values_that_cannot_be_used_are_refused_and_change_nothing() {
    let fmu = Fmu::new(hammer());
    let importer = fmu.model_exchange();
    let position = references(&fmu, "hammer.position");
    let orientation = references(&fmu, "hammer.orientation");
    assert_eq!(importer.set(&position, &[0.0, f64::NAN, 1.0]), fmi3Error);
    let expected = "fmi3SetFloat64: value of input hammer.position[2] is NaN; it must be finite";
    assert_eq!(importer.reason(), expected);
    importer.start_integration();
    importer.log();
    let both = [position.clone(), orientation.clone()].concat();
    let mut bad = [0.0, 0.0, 1.0, 1.0, 0.0, f64::INFINITY, 0.0];
    assert_eq!(importer.set(&both, &bad), fmi3Discard);
    importer.says(&["hammer.orientation[3] is inf"]);
    assert_eq!(importer.value(position[2]), 0.1 + HEIGHT);
    // Half a turn, one number at a time: on the way there is no orientation at all.
    bad = [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    let gap = reference(&fmu, "contact.indicator[1]");
    for (reference, value) in both.iter().zip(&bad[..6]) {
        importer.fine(importer.set(&[*reference], &[*value]));
    }
    importer.log();
    let mut value = [0.0];
    assert_eq!(importer.get(&[gap], &mut value), fmi3Discard);
    importer.says(&["hammer.orientation", "0.5"]);
    importer.fine(importer.set(&[both[6]], &[1.0]));
    importer.fine(importer.get(&[gap], &mut value));
    // The indicator has a hysteresis of 2e-8 m.
    assert!((value[0] - 0.9).abs() < 3e-8);
}

#[test]
fn an_orientation_that_is_none_ends_initialisation_with_an_error() {
    let fmu = Fmu::new(hammer());
    let importer = fmu.model_exchange();
    let orientation = references(&fmu, "hammer.orientation");
    importer.fine(importer.set(&orientation, &[0.3, 0.0, 0.0, 0.0]));
    importer.enter_initialization();
    importer.log();
    assert_eq!(importer.call(fmi3ExitInitializationMode), fmi3Error);
    importer.says(&["hammer.orientation"]);
    importer.fine(importer.set(&orientation, &[1.0, 0.0, 0.0, 0.0]));
    importer.ok(fmi3ExitInitializationMode);
}

#[test]
fn a_saved_state_has_the_inputs_and_runs_on_to_the_bit() {
    let mut description = hammer();
    let mut other = falling_ball().bodies[1].clone();
    other.position = [0.15, 0.0, 0.4];
    description.bodies.push(other);
    description.forces = vec![force("push", "ball", input_of(true, false))];
    let fmu = Fmu::new(description);
    let velocity = references(&fmu, "hammer.velocity");
    let push = references(&fmu, "force.push.force");
    let importer = fmu.stepping();
    let run = |first: u32, count: u32| -> Vec<Vec<f64>> {
        let row = |i: u32| {
            if i % 7 == 3 {
                let x = f64::from(i % 5) - 2.0;
                importer.fine(importer.set(&velocity, &[0.1 * x, 0.0, 0.3]));
                importer.fine(importer.set(&push, &[x, -x, 0.5]));
            }
            importer.whole_step(f64::from(i) * 1e-3, 1e-3);
            importer.state_variables()
        };
        (first..first + count).map(row).collect()
    };
    run(0, 150);
    // Set and not taken yet.
    importer.fine(importer.set(&velocity, &[0.0, 0.1, 0.4]));
    importer.runs_on_alike(|| {
        assert_eq!(values(&importer, &velocity), [0.0, 0.1, 0.4]);
        run(150, 150)
    });
}

#[test]
fn inputs_are_not_set_inside_a_communication_step() {
    let fmu = Fmu::new(pushed());
    let push = references(&fmu, "force.push.force");
    let interface = Interface::SIMPLE;
    let importer = Importer::watched(&fmu, interface, Some(&[])).unwrap();
    importer.initialize();
    importer.log();
    let mut told = 0;
    importer.step_with(0.0, 0.1, &mut |point| {
        told += 1;
        assert!(!point.set_requested);
        assert_eq!(importer.set(&push, &[1.0, 0.0, 0.0]), fmi3Error);
        Wish::GoOn
    });
    assert!(told > 0);
    let refusals = importer.logged("errors");
    let all = refusals.iter();
    assert!(
        all.clone().all(|t| t.contains("Intermediate Update Mode")),
        "{refusals:?}"
    );
    assert_eq!(values(&importer, &push), [0.0; 3]);
}
