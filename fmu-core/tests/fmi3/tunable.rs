//! Tunable parameters: set at events, between communication steps, and where the standard has no
//! place for them.

use crate::fixtures::*;
use crate::fmi3::importer::*;

/// The falling ball with tunable parameters.
fn tunable_ball(strict: bool) -> SceneDescription {
    let mut description = falling_ball();
    description.interface.tunable = true;
    description.interface.strict = strict;
    description
}

fn fmu() -> Fmu {
    Fmu::new(tunable_ball(false))
}

/// Acceleration of the ball along z: in free flight that of gravity, to the bit.
fn acceleration(importer: &Importer) -> f64 {
    importer.derivatives()[VELOCITY + 2]
}

/// In Continuous-Time Mode, a contact that began with the ball `depth` [m] deep and at a speed
/// [m/s] downwards.
fn touching(fmu: &Fmu, depth: f64, speed: f64) -> Importer {
    let importer = fmu.integrating();
    move_to(&importer, depth, speed);
    importer.event(fmi3EnterContinuousTimeMode);
    importer
}

fn move_to(importer: &Importer, depth: f64, speed: f64) {
    let mut states = importer.continuous_states();
    states[POSITION + 2] = 0.1 - depth;
    states[VELOCITY + 2] = -speed;
    importer.fine(importer.set_states(&states));
}

/// Sets parameters in an Event Mode of their own.
fn set_at_event(importer: &Importer, references: &[u32], values: &[f64]) {
    importer.ok(fmi3EnterEventMode);
    importer.fine(importer.set(references, values));
    importer.leave_event_mode();
}

#[test]
fn set_in_event_mode_it_holds_at_once() {
    let fmu = fmu();
    let importer = fmu.integrating();
    assert_eq!(acceleration(&importer), -GRAVITY);
    importer.ok(fmi3EnterEventMode);
    importer.fine(importer.set(&[reference(&fmu, "world.gravity[3]")], &[-5.0]));
    assert_eq!(acceleration(&importer), -5.0);
    importer.leave_event_mode();
    assert_eq!(acceleration(&importer), -5.0);
    assert!(!importer.completed_step());
}

#[test]
fn set_in_continuous_time_it_is_kept_and_holds_from_the_next_event_on() {
    let fmu = fmu();
    let importer = fmu.integrating();
    let gravity = reference(&fmu, "world.gravity[3]");
    assert!(!importer.completed_step());
    importer.fine(importer.set(&[gravity], &[-5.0]));
    assert_eq!(importer.value(gravity), -5.0);
    assert_eq!(acceleration(&importer), -GRAVITY);
    assert_eq!(
        importer.logged("events").last().map(String::as_str),
        Some("parameter waits for an event: t=0.0 name=world.gravity[3] value=-5.0")
    );
    assert!(importer.completed_step());
    assert_eq!(acceleration(&importer), -GRAVITY);
    importer.event(fmi3EnterContinuousTimeMode);
    assert_eq!(acceleration(&importer), -5.0);
    assert!(!importer.completed_step());
}

#[test]
fn the_last_of_several_values_that_wait_holds() {
    let fmu = fmu();
    let importer = fmu.integrating();
    let gravity = reference(&fmu, "world.gravity[3]");
    for value in [-5.0, -GRAVITY, -6.0] {
        importer.fine(importer.set(&[gravity], &[value]));
        assert_eq!(importer.value(gravity), value);
    }
    importer.event(fmi3EnterContinuousTimeMode);
    assert_eq!(acceleration(&importer), -6.0);
    // Back to the value that holds, before the event: nothing has changed after it.
    for value in [-7.0, -6.0] {
        importer.fine(importer.set(&[gravity], &[value]));
    }
    importer.event(fmi3EnterContinuousTimeMode);
    assert_eq!(acceleration(&importer), -6.0);
}

/// Setting a mass scales the inertia of the body with it.
#[test]
fn a_mass_that_waits_takes_the_inertia_with_it() {
    let fmu = fmu();
    let importer = fmu.integrating();
    let [mass, inertia] = ["ball.mass", "ball.inertia[1,1]"].map(|name| reference(&fmu, name));
    let before = importer.value(inertia);
    let doubled = 2.0 * importer.value(mass);
    importer.fine(importer.set(&[mass], &[doubled]));
    importer.event(fmi3EnterContinuousTimeMode);
    assert_eq!(importer.value(mass), doubled);
    assert_eq!(importer.value(inertia), 2.0 * before);
}

/// References and start values of all parameters, as the description has them.
fn stated(fmu: &Fmu) -> (Vec<u32>, Vec<Vec<f64>>) {
    use fmu_core::instance::Standard;
    use fmu_core::instance::variables::DataType;
    use fmu_core::instance::variables::describe::Describer;
    use fmu_core::instance::variables::{Family, VariableTable};
    let table = VariableTable::new(&fmu.scene, Standard::Fmi3);
    let describer = Describer::new(&fmu.scene, &table);
    let variables = describer.variables(&vec![1.0; fmu.scene.layout().count()]);
    let parameters = variables
        .into_iter()
        .filter(|v| v.quantity.family == Family::Parameter)
        .filter(|v| v.data_type == DataType::Float64);
    parameters.map(|v| (v.reference, v.start)).unzip()
}

/// Some importers set each parameter that the user has not changed to the value of the description.
/// Arrays and scalars, in Co-Simulation and in Model Exchange.
#[test]
fn an_importer_that_sets_all_parameters_obtains_the_motion_of_one_that_sets_the_mass() {
    for arrays in [false, true] {
        let mut description = three_balls_with_three_indicators();
        description.interface.tunable = true;
        description.interface.arrays = arrays;
        let fmu = Fmu::new(description);
        let (references, starts) = stated(&fmu);
        let [mass, inertia] = match arrays {
            true => ["left.mass", "left.inertia"],
            false => ["left.mass", "left.inertia[2,2]"],
        }
        .map(|name| reference(&fmu, name));
        let place = |wanted| references.iter().position(|r| *r == wanted).unwrap();
        let stated_entries = starts[place(inertia)].clone();
        let doubled: Vec<f64> = stated_entries.iter().map(|entry| 2.0 * entry).collect();
        let mut changed = starts.clone();
        changed[place(mass)][0] *= 2.0;
        let changed_mass = changed[place(mass)].clone();
        let changed = changed.concat();
        let entries_of = |importer: &Importer| {
            let mut values = vec![0.0; doubled.len()];
            importer.fine(importer.get(&[inertia], &mut values));
            values
        };
        let vector = |name: &str| match arrays {
            true => vec![reference(&fmu, name)],
            false => (1..=3)
                .map(|i| reference(&fmu, &format!("{name}[{i}]")))
                .collect(),
        };
        let [velocity, spin] = ["left.velocity", "left.angular_velocity"].map(vector);
        let alone = |importer: &Importer| {
            importer.fine(importer.set(&[mass], &changed_mass));
        };
        let all = |importer: &Importer| {
            importer.fine(importer.set(&references, &changed));
            let solver = reference(&fmu, "experiment.solver");
            assert_eq!(importer.set_int32(solver, 1), fmi3OK);
        };
        let run = |importer: Importer, send: &dyn Fn(&Importer), again: bool| {
            send(&importer);
            assert_eq!(entries_of(&importer), doubled);
            // Friction makes it spin when it lands.
            importer.fine(importer.set(&velocity, &[1.0, 0.0, 0.0]));
            importer.initialize();
            let mut rows = Vec::new();
            for i in 0..40 {
                // With each step again, as importers do with tunable parameters.
                if again {
                    send(&importer);
                }
                importer.whole_step(f64::from(i) * 0.01, 0.01);
                let mut spins = [0.0; 3];
                importer.fine(importer.get(&spin, &mut spins));
                rows.push(spins);
                // Saved and taken up again: what counts as set is part of the state.
                let bytes = importer.bytes();
                importer.restore(&bytes);
            }
            assert_eq!(entries_of(&importer), doubled);
            rows
        };
        let expected = run(fmu.co_simulation(), &alone, false);
        assert!(expected.iter().any(|spins| spins[1] > 1.0));
        assert_eq!(run(fmu.co_simulation(), &all, false), expected);
        assert_eq!(run(fmu.co_simulation(), &all, true), expected);
        // In Continuous-Time Mode it waits for the event, whatever is set after it.
        let importer = fmu.integrating();
        all(&importer);
        importer.event(fmi3EnterContinuousTimeMode);
        assert_eq!(entries_of(&importer), doubled);
        // A value of its own, and that of the description again.
        let mut own = stated_entries.clone();
        own[0] *= 1.5;
        set_at_event(&importer, &[inertia], &own);
        assert_eq!(entries_of(&importer), own);
        set_at_event(&importer, &[inertia], &stated_entries);
        assert_eq!(entries_of(&importer), doubled);
    }
}

#[test]
fn setting_the_value_that_holds_is_no_event_and_changes_no_bit() {
    let fmu = fmu();
    let importer = fmu.integrating();
    let names = ["world.gravity[3]", "ball.mass", "contact.k_red"];
    let references = names.map(|name| reference(&fmu, name));
    let values = references.map(|r| importer.value(r));
    importer.fine(importer.set(&references, &values));
    assert!(!importer.completed_step());
    // In Co-Simulation through an impact.
    let run = |again: bool| {
        let importer = fmu.stepping();
        let mut rows = Vec::new();
        for i in 0..20 {
            if again {
                importer.fine(importer.set(&references, &values));
            }
            importer.whole_step(f64::from(i) * 0.01, 0.01);
            rows.push(importer.state_variables());
        }
        rows
    };
    assert_eq!(run(true), run(false));
}

/// Without gravity the ball keeps its velocity: z = z1 + v1 (t - t1).
#[test]
fn set_between_communication_steps_it_holds_in_the_next_one() {
    let fmu = fmu();
    let gravity = reference(&fmu, "world.gravity[3]");
    for event_mode in [false, true] {
        let importer = if event_mode {
            fmu.with_event_mode(false)
        } else {
            fmu.co_simulation()
        };
        importer.initialize();
        if event_mode {
            importer.ok(fmi3EnterStepMode);
        }
        importer.whole_step(0.0, 0.05);
        let before = importer.state_variables();
        assert!((before[VELOCITY + 2] / (-GRAVITY * 0.05) - 1.0).abs() < 1e-12);
        importer.fine(importer.set(&[gravity], &[0.0]));
        assert_eq!(importer.value(gravity), 0.0);
        importer.whole_step(0.05, 0.05);
        let after = importer.state_variables();
        assert_eq!(after[VELOCITY + 2], before[VELOCITY + 2]);
        let expected = before[POSITION + 2] + 0.05 * before[VELOCITY + 2];
        assert!((after[POSITION + 2] - expected).abs() < 1e-15);
    }
}

/// Hertz: at rest the force is k depth^1.5, and k is proportional to Young's modulus where both
/// bodies are of one material.
#[test]
fn a_stiffness_set_during_a_contact_changes_its_force_at_once() {
    let fmu = fmu();
    let importer = touching(&fmu, 1e-3, 0.0);
    let [modulus, force] = ["material.Rubber.youngs_modulus", "ball.contact_force[3]"]
        .map(|name| reference(&fmu, name));
    let before = importer.value(force);
    assert!(before > 0.0);
    set_at_event(&importer, &[modulus], &[2e7]);
    assert!((importer.value(force) / before - 2.0).abs() < 1e-14);
}

/// Where damping is inferred nothing is remembered of it: another coefficient of restitution counts
/// at once, as if the contact had started with it.
#[test]
fn a_restitution_set_during_a_contact_counts_at_once_where_damping_is_inferred() {
    let fmu = fmu();
    let restitution = reference(&fmu, "material_pair.Rubber.Rubber.restitution");
    let importer = touching(&fmu, 1e-4, 1.0);
    let before = importer.derivatives();
    set_at_event(&importer, &[restitution], &[0.2]);
    let softer = importer.derivatives();
    assert!(softer[VELOCITY + 2] > before[VELOCITY + 2]);
    let fresh = fmu.model_exchange();
    fresh.fine(fresh.set(&[restitution], &[0.2]));
    fresh.start_integration();
    move_to(&fresh, 1e-4, 1.0);
    fresh.event(fmi3EnterContinuousTimeMode);
    assert_eq!(softer, fresh.derivatives());
}

/// A damping that is frozen is that of its impact. Another coefficient of restitution is one of the
/// next impact.
#[test]
fn a_restitution_set_during_a_contact_leaves_its_frozen_damping_until_it_ends() {
    let mut description = tunable_ball(false);
    description.contact.law.damping = Damping::Exact;
    let fmu = Fmu::new(description);
    let restitution = reference(&fmu, "material_pair.Rubber.Rubber.restitution");
    let importer = touching(&fmu, 1e-4, 1.0);
    let before = importer.derivatives();
    set_at_event(&importer, &[restitution], &[0.2]);
    assert_eq!(importer.derivatives(), before);
    // Set while the contact lasts, then kept for its end.
    importer.fine(importer.set(&[restitution], &[0.3]));
    assert_eq!(importer.derivatives(), before);
    move_to(&importer, -1e-3, -1.0);
    importer.event(fmi3EnterContinuousTimeMode);
    move_to(&importer, 1e-4, 1.0);
    importer.event(fmi3EnterContinuousTimeMode);
    let softer = importer.derivatives();
    // A lower restitution damps more, so the approach is slowed down more.
    assert!(softer[VELOCITY + 2] > before[VELOCITY + 2]);
    // As if it had been the start value.
    let fresh = fmu.model_exchange();
    fresh.fine(fresh.set(&[restitution], &[0.3]));
    fresh.start_integration();
    move_to(&fresh, 1e-4, 1.0);
    fresh.event(fmi3EnterContinuousTimeMode);
    assert_eq!(fresh.derivatives(), softer);
}

#[test]
fn a_value_that_waits_is_saved_and_restored() {
    let fmu = fmu();
    let gravity = reference(&fmu, "world.gravity[3]");
    let importer = fmu.integrating();
    importer.fine(importer.set(&[gravity], &[-5.0]));
    let state = importer.state();
    let bytes = importer.serialize(state);
    let check = |importer: &Importer| {
        assert_eq!(importer.value(gravity), -5.0);
        assert_eq!(acceleration(importer), -GRAVITY);
        assert!(importer.completed_step());
        importer.event(fmi3EnterContinuousTimeMode);
        assert_eq!(acceleration(importer), -5.0);
    };
    check(&importer);
    importer.fine(importer.set_state(state));
    check(&importer);
    importer.free_state(state);
    let other = fmu.model_exchange();
    other.restore(&bytes);
    check(&other);
}

#[test]
fn reset_forgets_what_waits() {
    let fmu = fmu();
    let gravity = reference(&fmu, "world.gravity[3]");
    let importer = fmu.integrating();
    importer.fine(importer.set(&[gravity], &[-5.0]));
    importer.ok(fmi3Reset);
    assert_eq!(importer.value(gravity), -GRAVITY);
    importer.start_integration();
    assert!(!importer.completed_step());
    assert_eq!(acceleration(&importer), -GRAVITY);
}

#[test]
fn a_strict_instance_takes_it_only_where_the_standard_has_a_place() {
    let fmu = Fmu::new(tunable_ball(true));
    let gravity = reference(&fmu, "world.gravity[3]");
    let importer = fmu.integrating();
    importer.log();
    assert_eq!(importer.set(&[gravity], &[-5.0]), fmi3Error);
    importer.says(&["world.gravity[3]", "set it in Event Mode"]);
    assert_eq!(importer.value(gravity), -GRAVITY);
    assert!(!importer.completed_step());
    set_at_event(&importer, &[gravity], &[-5.0]);
    assert_eq!(acceleration(&importer), -5.0);

    let importer = fmu.event_stepping(false);
    assert_eq!(importer.set(&[gravity], &[-5.0]), fmi3Error);
    let importer = fmu.stepping();
    importer.fine(importer.set(&[gravity], &[-5.0]));
}

#[test]
fn a_fixed_parameter_is_refused_in_a_running_simulation() {
    let fmu = Fmu::falling_ball();
    let gravity = reference(&fmu, "world.gravity[3]");
    let importer = fmu.integrating();
    assert_eq!(importer.set(&[gravity], &[-5.0]), fmi3Error);
    importer.ok(fmi3EnterEventMode);
    assert_eq!(importer.set(&[gravity], &[-5.0]), fmi3Error);
    let importer = fmu.stepping();
    assert_eq!(importer.set(&[gravity], &[-5.0]), fmi3Error);
}

#[test]
fn a_value_out_of_range_is_named_at_the_event_and_can_be_put_right_there() {
    let fmu = fmu();
    let mass = reference(&fmu, "ball.mass");
    let importer = fmu.integrating();
    let good = importer.value(mass);
    assert_eq!(importer.set(&[mass], &[f64::NAN]), fmi3Error);
    importer.fine(importer.set(&[mass], &[-1.0]));
    importer.ok(fmi3EnterEventMode);
    importer.log();
    importer.refused(importer.update().0, &["ball.mass", "-1"]);
    importer.fine(importer.set(&[mass], &[good]));
    importer.leave_event_mode();
    assert_eq!(acceleration(&importer), -GRAVITY);
}

#[test]
fn a_value_out_of_range_between_steps_fails_the_step_and_can_be_replaced() {
    let fmu = fmu();
    let mass = reference(&fmu, "ball.mass");
    let importers = [fmu.co_simulation(), fmu.with_event_mode(false)];
    importers.iter().for_each(Importer::initialize);
    importers[1].ok(fmi3EnterStepMode);
    for importer in importers {
        importer.fine(importer.set(&[mass], &[-1.0]));
        importer.log();
        importer.refused(importer.step(0.0, 0.1).0, &["ball.mass"]);
        importer.fine(importer.set(&[mass], &[1.0]));
        importer.whole_step(0.0, 0.1);
    }
}

/// Free fall with 2 m/s2 from a state in which that value waits; then with 3 m/s2, set after it.
#[test]
fn a_value_that_waits_in_a_state_holds_without_event_mode_too_and_never_replaces_a_later_one() {
    let fmu = fmu();
    let names = ["world.gravity[3]", "ball.position[3]"];
    let [gravity, height] = names.map(|name| reference(&fmu, name));
    let (with, without) = (fmu.with_event_mode(false), fmu.co_simulation());
    with.initialize();
    with.ok(fmi3EnterStepMode);
    without.initialize();
    with.fine(with.set(&[gravity], &[-2.0]));
    let saved = with.state();
    for importer in [&with, &without] {
        for (later, expected) in [(None, 2.0), (Some(3.0), 3.0)] {
            importer.fine(importer.set_state(saved));
            if let Some(value) = later {
                importer.fine(importer.set(&[gravity], &[-value]));
            }
            assert_eq!(importer.value(gravity), -expected);
            importer.whole_step(0.0, 0.125);
            let fallen = 0.1 + HEIGHT - importer.value(height);
            assert!((fallen - 0.5 * expected * 0.125 * 0.125).abs() < 1e-12);
        }
    }
    with.free_state(saved);
}

#[test]
fn set_again_and_again_to_one_value_it_waits_once() {
    let fmu = fmu();
    let importer = fmu.integrating();
    let gravity = reference(&fmu, "world.gravity[3]");
    importer.log();
    for _ in 0..5 {
        importer.fine(importer.set(&[gravity], &[-5.0]));
    }
    let waits = importer.logged("events").into_iter();
    assert_eq!(waits.filter(|text| text.contains("waits")).count(), 1);
}

#[test]
fn what_a_left_out_update_changed_is_told_by_the_next_one() {
    let fmu = fmu();
    let importer = fmu.integrating();
    importer.ok(fmi3EnterEventMode);
    importer.fine(importer.set(&[reference(&fmu, "ball.mass")], &[7.0]));
    importer.ok(fmi3EnterContinuousTimeMode);
    importer.ok(fmi3EnterEventMode);
    let nominals_changed = [false, false, true, false, false];
    let (status, flags, _) = importer.update();
    assert_eq!((status, flags), (fmi3OK, nominals_changed));
    assert_eq!(importer.update().1, [false; 5]);
}

/// A ball on a slide on a shaken plate: the velocity of the plate would jump with its amplitude,
/// and drag the ball along. Without the joint it may jump.
#[test]
fn numbers_of_a_motion_that_carries_joints_stay_fixed() {
    for carries in [true, false] {
        let mut description = tunable_ball(false);
        description.bodies[0].motion = Motion::Prescribed;
        description.bodies[0].shapes[0].form = sphere(0.2);
        description.motions = vec![motion_of(
            "ground",
            sine([0.1, 0.0, 0.0], [0.0; 3], 3.0, 0.0),
        )];
        if carries {
            description.bodies[1].motion = Motion::Joint;
            description.bodies[1].position = [0.0; 3];
            description.bodies[1].shapes[0].collision = false;
            description.joints = vec![joint(JointKind::Prismatic, Some("ground"), "ball")];
        }
        let fmu = Fmu::new(description);
        let importer = fmu.model_exchange();
        let amplitude = reference(&fmu, "motion.ground.displacement[1]");
        importer.fine(importer.set(&[amplitude], &[0.2]));
        importer.start_integration();
        importer.log();
        importer.ok(fmi3EnterEventMode);
        importer.fine(importer.set(&[reference(&fmu, "world.gravity[3]")], &[-5.0]));
        let expected = if carries { fmi3Error } else { fmi3OK };
        assert_eq!(importer.set(&[amplitude], &[0.3]), expected);
        assert_eq!(importer.value(amplitude), if carries { 0.2 } else { 0.3 });
        if carries {
            importer.says(&["a fixed parameter"]);
        }
    }
}

/// Granular mode leaves the force of its last step at a communication point, which must not go on acting.
#[test]
fn an_impact_that_begins_in_granular_mode_may_end_with_error_control() {
    let height = |solver: Solver| {
        let mut description = tunable_ball(false);
        description.experiment.solver = solver;
        let fmu = Fmu::new(description);
        let importer = fmu.stepping();
        let force = reference(&fmu, "ball.contact_force[3]");
        let mut pressed = 0;
        for i in 0..6000 {
            importer.whole_step(f64::from(i) * 1e-4, 1e-4);
            pressed += u32::from(importer.value(force) > 0.0);
            if pressed == 3 && solver == Solver::Dem {
                let solver = reference(&fmu, "experiment.solver");
                assert_eq!(importer.set_int32(solver, 1), fmi3OK);
            }
        }
        importer.value(reference(&fmu, "ball.position[3]"))
    };
    let [expected, found] = [Solver::Auto, Solver::Dem].map(height);
    assert!((found - expected).abs() < 1e-3, "{found} {expected}");
}
