//! Parameters that are inputs: when a value acts, derivatives by it, refusals, saved states.
#![allow(non_upper_case_globals)]

use crate::fixtures::*;
use crate::fmi3::importer::*;
use crate::partial_derivatives::scenes::{self, Example};
use crate::partial_derivatives::side::{Instance, KINDS, Sets};
use fmu_core::instance::Standard;
use fmu_core::instance::variables::structure::{ModelStructure, Unknown};
use fmu_core::instance::variables::{Causality, Family, Quantity, Variability, VariableTable};

/// The inputs of a scene that are parameters: references and names.
fn inputs(fmu: &Fmu, standard: Standard) -> Vec<(u32, String)> {
    let table = VariableTable::new(&fmu.scene, standard);
    let all = table.quantities();
    let is_own = |quantity: Quantity| {
        let input = || fmu.scene.inputs()[InputId::from(quantity.of)];
        quantity.family == Family::Input && matches!(input(), Input::Parameter(_))
    };
    let own = all.filter(|(_, quantity)| is_own(*quantity));
    own.map(|(reference, quantity)| (reference, table.name(&fmu.scene, quantity)))
        .collect()
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

/// Another allowed value of a number.
fn other(value: f64) -> f64 {
    match value == 0.0 {
        true => 0.125,
        false => 1.25 * value,
    }
}

/// A contact freezes the mass at its start, so that of a ball in contact is left out.
fn without_memory(example: &Example, name: &str) -> bool {
    let touches = ["tuned sliding", scenes::RESTITUTION, "tuned sticking"].contains(&example.name);
    !(touches && name == "one.mass")
}

#[test]
fn a_value_acts_at_once_with_the_bits_of_a_model_that_starts_with_it() {
    for example in scenes::tuned() {
        let fmu = Fmu::new(example.description.clone());
        let sets = Sets::of(&fmu, Standard::Fmi3);
        let read = |importer: &Importer, states: &[f64]| {
            let mut values = vec![f64::NAN; sets.unknown_elements.len()];
            // Where a frequency has an effect.
            importer.fine(importer.set_time(0.1));
            importer.fine(importer.set_states(states));
            importer.fine(importer.get(&sets.unknowns, &mut values));
            bits(&values)
        };
        let (first, states) = Instance::running(&fmu, KINDS[0], &example);
        let Instance::Three(first) = first else {
            unreachable!("FMI 3.0");
        };
        let before = read(&first, &states);
        let own = inputs(&fmu, Standard::Fmi3).into_iter();
        for (reference, name) in own.filter(|(_, name)| without_memory(&example, name)) {
            let value = first.value(reference);
            let second = fmu.model_exchange();
            second.fine(second.set(&[reference], &[other(value)]));
            second.start_integration();
            first.fine(first.set(&[reference], &[other(value)]));
            let found = read(&first, &states);
            assert_eq!(found, read(&second, &states), "{} {name}", example.name);
            assert_ne!(found, before, "{} {name}", example.name);
            assert!(!first.completed_step(), "an input is no event");
            first.fine(first.set(&[reference], &[value]));
            assert_eq!(read(&first, &states), before, "{} {name}", example.name);
        }
    }
}

#[test]
fn co_simulation_goes_on_with_the_bits_of_a_model_that_starts_with_the_value() {
    for mut example in scenes::tuned() {
        example.description.experiment.tolerance = Some(1e-8);
        let fmu = Fmu::new(example.description.clone());
        let own = inputs(&fmu, Standard::Fmi3).into_iter();
        for (reference, name) in own.filter(|(_, name)| without_memory(&example, name)) {
            let run = |early: bool, late: bool| {
                let importer = fmu.co_simulation();
                let value = other(importer.value(reference));
                if early {
                    importer.fine(importer.set(&[reference], &[value]));
                }
                importer.initialize();
                if late {
                    importer.fine(importer.set(&[reference], &[value]));
                }
                let rows = importer.steps(1e-3, 0, 5);
                rows.iter().map(|row| bits(row)).collect::<Vec<_>>()
            };
            let expected = run(true, false);
            assert_eq!(run(false, true), expected, "{} {name}", example.name);
            // What acts on no state here has no effect: a contact that does not slip, say.
            if example.name == "tuned flight" {
                assert_ne!(run(false, false), expected, "{} {name}", example.name);
            }
        }
    }
}

/// A sled of 2 kg on a rail along x, with a force input, a spring of 300 N/m and a damper.
fn sled() -> SceneDescription {
    let mass = given_mass(2.0, [0.0; 3], [0.1, 0.1, 0.1, 0.0, 0.0, 0.0]);
    let mut description = steel_scene(vec![plain_body("sled", Motion::Joint, mass)]);
    let mut rail = joint(JointKind::Prismatic, None, "sled");
    rail.name = "rail".into();
    (rail.axis, rail.second_axis) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    (rail.positions, rail.rates) = (vec![0.3], vec![0.4]);
    rail.forces[0].spring = Some(joint_spring(300.0, 0.1));
    rail.forces[0].damping = 5.0;
    rail.forces[0].input = true;
    rail.forces[0].stops = Some(JointStops {
        lower: Some(-1.0),
        upper: Some(0.9),
        stiffness: 1e5,
        restitution: 0.5,
    });
    description.joints = vec![rail];
    let own = [
        "spring_stiffness",
        "spring_rest",
        "damping",
        "stop_lower",
        "stop_upper",
    ];
    let names = own.map(|name| format!("rail.displacement_{name}"));
    description.parameter_inputs = [vec!["sled.mass".into()], names.to_vec()].concat();
    description
}

/// a = (F - k (x - r) - c v)/m.
#[test]
fn derivatives_of_a_sled_are_those_of_its_equation() {
    let (force, k, rest, c, m, x, v) = (7.0, 300.0, 0.1, 5.0, 2.0, 0.3, 0.4);
    let a = (force - k * (x - rest) - c * v) / m;
    let expected = [
        ("sled.mass", -a / m),
        ("rail.displacement_spring_stiffness", -(x - rest) / m),
        ("rail.displacement_spring_rest", k / m),
        ("rail.displacement_damping", -v / m),
        ("rail.displacement_stop_lower", 0.0),
    ];
    let fmu = Fmu::new(sled());
    let example = Example {
        name: "sled",
        description: sled(),
        position: 1.0,
        speed: 1.0,
        place: |_, _| {},
    };
    for kind in KINDS {
        let table = VariableTable::new(&fmu.scene, kind.standard);
        let reference = |name: &str| fmu.reference(kind.standard, name);
        let rate = table.reference(Family::Derivative.of(1)).unwrap();
        let (instance, _) = Instance::running(&fmu, kind, &example);
        instance.set(&[reference("rail.force")], &[force]);
        for (name, slope) in expected {
            let (unknown, known) = ([rate], [reference(name)]);
            let mut found = [f64::NAN];
            let status = instance.try_directional(&unknown, &known, &[3.0], &mut found);
            assert_eq!(status, 0, "{:?}", instance.failures());
            let error = (found[0] / 3.0 - slope).abs();
            assert!(error <= 1e-9 * slope.abs(), "{kind:?} {name}: {error:e}");
            if kind.standard == Standard::Fmi3 {
                let status = instance.try_adjoint(&unknown, &known, &[-3.0], &mut found);
                assert_eq!(status, 0);
                assert!((found[0] / -3.0 - slope).abs() <= 1e-9 * slope.abs());
            }
        }
        if !kind.exchange {
            continue;
        }
        // The gap of a stop is the distance of the coordinate from it.
        let stops = [
            ("rail.displacement_stop_lower", -1.0),
            ("rail.displacement_stop_upper", 1.0),
        ];
        for (indicator, (name, slope)) in stops.into_iter().enumerate() {
            let indicator = table.reference(Family::Indicator.of(indicator)).unwrap();
            let mut found = [f64::NAN];
            let known = [reference(name)];
            assert_eq!(
                instance.try_directional(&[indicator], &known, &[1.0], &mut found),
                0
            );
            assert_eq!(found, [slope], "{name}");
        }
    }
}

/// A stop that the coordinate is 20 um beyond: a = (... - K (x - u))/m, with the depth over twice the hysteresis.
#[test]
fn the_place_of_a_stop_in_contact_has_the_derivative_of_its_spring() {
    let mut description = sled();
    description.joints[0].positions = vec![0.9 + 2e-5];
    description.joints[0].rates = vec![0.0];
    description.contact.initial_overlap = InitialOverlap::Accept;
    let fmu = Fmu::new(description);
    let importer = fmu.integrating();
    let table = VariableTable::new(&fmu.scene, Standard::Fmi3);
    let rate = table.reference(Family::Derivative.of(1)).unwrap();
    let mut found = [f64::NAN];
    let known = [reference(&fmu, "rail.displacement_stop_upper")];
    importer.fine(importer.directional(&[rate], &known, &[1.0], &mut found));
    let expected = 1e5 / 2.0;
    assert!((found[0] / expected - 1.0).abs() < 1e-7, "{}", found[0]);
}

/// The force of a contact at rest is proportional to the modulus: da/dE = (a + g)/E.
#[test]
fn the_derivative_of_a_contact_force_by_the_modulus_is_its_quotient() {
    let mut example = scenes::sliding();
    let one = &mut example.description.bodies[1];
    (one.velocity, one.angular_velocity) = ([0.0; 3], [0.0; 3]);
    example.description.parameter_inputs = vec!["material.Steel.youngs_modulus".into()];
    let fmu = Fmu::new(example.description.clone());
    for kind in KINDS {
        let reference = |name: &str| fmu.reference(kind.standard, name);
        let (instance, _) = Instance::running(&fmu, kind, &example);
        let (rate, known) = (
            [reference("der(one.velocity[3])")],
            [reference("material.Steel.youngs_modulus")],
        );
        let (a, modulus) = (instance.values(&rate, 1)[0], instance.values(&known, 1)[0]);
        let mut found = [f64::NAN];
        assert_eq!(
            instance.try_directional(&rate, &known, &[1.0], &mut found),
            0
        );
        let expected = (a + 9.81) / modulus;
        assert!(
            a > 1.0 && (found[0] / expected - 1.0).abs() < 1e-9,
            "{kind:?}"
        );
    }
}

#[test]
fn unknowns_depend_on_the_inputs_that_change_them() {
    for example in scenes::tuned() {
        let fmu = Fmu::new(example.description.clone());
        for kind in KINDS.into_iter().filter(|kind| kind.exchange) {
            let table = VariableTable::new(&fmu.scene, kind.standard);
            let structure = ModelStructure::new(&fmu.scene, &table);
            let lists = [
                structure.outputs,
                structure.state_derivatives,
                structure.event_indicators,
            ];
            let lists: Vec<Unknown> = lists.concat();
            let sets = Sets::of(&fmu, kind.standard);
            let (instance, _) = Instance::running(&fmu, kind, &example);
            let columns = instance.columns(&sets);
            let mut met = 0;
            for (place, known) in sets.knowns.iter().enumerate() {
                let quantity = sets.known_elements[place];
                if quantity.family != Family::Input {
                    continue;
                }
                assert_eq!(table.causality(&fmu.scene, quantity), Causality::Input);
                assert_eq!(quantity.variability(&fmu.scene), Variability::Continuous);
                for (row, unknown) in sets.unknowns.iter().enumerate() {
                    let listed = lists
                        .iter()
                        .find(|listed| listed.reference == *unknown)
                        .unwrap();
                    let depends = listed.dependencies.as_ref().unwrap().contains(known);
                    assert!(
                        depends || columns[place][row] == 0.0,
                        "{} {known} {unknown}",
                        example.name
                    );
                    met += usize::from(depends);
                }
            }
            assert!(met > 0);
        }
    }
}

#[test]
fn values_out_of_range_are_refused_as_those_of_other_inputs() {
    let fmu = Fmu::new(sled());
    let mass = reference(&fmu, "sled.mass");
    let importer = fmu.model_exchange();
    importer.log();
    assert_eq!(importer.set(&[mass], &[-1.0]), fmi3Error);
    importer.says(&["value of input sled.mass is -1", "must be >= 1e-40"]);
    importer.start_integration();
    importer.log();
    assert_eq!(importer.set(&[mass], &[0.0]), fmi3Discard);
    importer.says(&["value of input sled.mass is 0", "must be >= 1e-40"]);
    assert_eq!(importer.set(&[mass], &[f64::NAN]), fmi3Discard);
    assert_eq!(importer.value(mass), 2.0);
    importer.derivatives();
    importer.log();
    // Each in range, but not together: evaluations are discarded until a better value comes.
    let lower = reference(&fmu, "rail.displacement_stop_lower");
    importer.fine(importer.set(&[lower], &[1.5]));
    let (status, _) = importer.try_vector(fmi3GetContinuousStateDerivatives, 2);
    assert_eq!(status, fmi3Discard);
    importer.says(&[
        "rail.displacement_stop_lower is 1.5",
        "the upper stop must be above",
    ]);
    importer.fine(importer.set(&[lower], &[-1.0]));
    importer.derivatives();
    let stepping = fmu.stepping();
    stepping.log();
    assert_eq!(stepping.set(&[mass], &[-1.0]), fmi3Discard);
    stepping.whole_step(0.0, 1e-3);
}

/// What a contact froze when it started stays: here the damping, which follows from the restitution.
#[test]
fn a_contact_keeps_what_it_froze() {
    let mut example = scenes::sliding();
    let law = &mut example.description.contact.law;
    law.damping = Damping::HuntCrossley;
    example.description.parameter_inputs = vec!["material_pair.Steel.Steel.restitution".into()];
    let fmu = Fmu::new(example.description.clone());
    let restitution = reference(&fmu, "material_pair.Steel.Steel.restitution");
    let (instance, _) = Instance::running(&fmu, KINDS[0], &example);
    let Instance::Three(importer) = instance else {
        unreachable!("FMI 3.0");
    };
    let (rates, bytes) = (importer.derivatives(), importer.bytes());
    importer.fine(importer.set(&[restitution], &[0.2]));
    assert_eq!(bits(&importer.derivatives()), bits(&rates));
    importer.fine(importer.set(&[restitution], &[0.7]));
    assert_eq!(importer.bytes(), bytes);
}

#[test]
fn saved_states_have_the_values_and_a_reset_those_of_the_scene() {
    let fmu = Fmu::new(sled());
    let mass = reference(&fmu, "sled.mass");
    for importer in [fmu.integrating(), fmu.stepping()] {
        importer.fine(importer.set(&[mass], &[3.0]));
        let acceleration = || {
            let table = VariableTable::new(&fmu.scene, Standard::Fmi3);
            importer.value(table.reference(Family::Derivative.of(1)).unwrap())
        };
        let (at_three, bytes) = (acceleration(), importer.bytes());
        importer.fine(importer.set(&[mass], &[4.0]));
        assert!((acceleration() / at_three - 0.75).abs() < 1e-15);
        importer.restore(&bytes);
        assert_eq!(importer.value(mass), 3.0);
        assert_eq!(acceleration(), at_three);
        importer.ok(fmi3Reset);
        assert_eq!(importer.value(mass), 2.0);
    }
}

/// An inertia that is an input does not follow the mass.
#[test]
fn an_array_is_named_as_a_whole() {
    let mut example = scenes::flight();
    example.description.parameter_inputs = vec!["one.inertia".into(), "one.mass".into()];
    for arrays in [false, true] {
        example.description.interface.arrays = arrays;
        let fmu = Fmu::new(example.description.clone());
        let names: Vec<String> = inputs(&fmu, Standard::Fmi3)
            .into_iter()
            .map(|own| own.1)
            .collect();
        match arrays {
            true => assert_eq!(names, ["one.inertia", "one.mass"]),
            false => assert_eq!(names.len(), 7),
        }
        let table = VariableTable::new(&fmu.scene, Standard::Fmi3);
        let parameters = table
            .quantities()
            .filter(|(_, q)| q.family == Family::Parameter);
        let left: Vec<String> = parameters.map(|(_, q)| table.name(&fmu.scene, q)).collect();
        let has = |start: &str| left.iter().any(|name| name.starts_with(start));
        assert!(has("one.center_of_mass") && has("material.Steel"));
        assert!(!has("one.inertia") && !has("one.mass"));
        let importer = fmu.integrating();
        let mass = reference(&fmu, "one.mass");
        let spin = reference(
            &fmu,
            if arrays {
                "der(one.angular_velocity)"
            } else {
                "der(one.angular_velocity[1])"
            },
        );
        let mut before = vec![0.0; if arrays { 3 } else { 1 }];
        importer.fine(importer.get(&[spin], &mut before));
        importer.fine(importer.set(&[mass], &[4.0]));
        let mut after = before.clone();
        importer.fine(importer.get(&[spin], &mut after));
        assert_eq!(bits(&before), bits(&after));
    }
}

#[test]
fn names_that_cannot_be_inputs_are_refused_with_the_reason() {
    let mut description = scenes::tree().description;
    let pair = "material_pair.Steel.Steel";
    let mut ball = ball("one", [0.0, 0.0, 5.0]);
    ball.shapes[0].material = "Steel".into();
    description.bodies.push(ball);
    let law = law_of(&mut description);
    law.friction = Some(FrictionKind::Stick);
    let names = [
        (
            "arm.mas",
            "which must be the name of a parameter",
            "did you mean \"arm.mass\"?",
        ),
        (
            "world.gravity[3]",
            "of an array as a whole",
            "\"world.gravity\"",
        ),
        ("one.position", "which must be the name of a parameter", ""),
        ("plate.position", "poses would jump", ""),
        ("experiment.max_step", "it is of the integrator", ""),
        (
            "joint_slider.force",
            "is an input already",
            "remove the name",
        ),
        ("", "which must be the name of a parameter", ""),
    ];
    for (name, message, help) in names {
        let mut description = description.clone();
        description.parameter_inputs = vec![name.into()];
        let errors = Scene::new(description).unwrap_err();
        assert_eq!(errors.len(), 1, "{name}");
        let error = &errors[0];
        assert_eq!(
            (error.item, error.field),
            (SceneItem::Scene, "parameter_inputs")
        );
        let text = error.finding.in_one_line();
        assert!(
            text.starts_with(&format!(
                "interface: parameter_inputs names {name:?}, which "
            )),
            "{text}"
        );
        assert!(text.contains(message) && text.contains(help), "{text}");
    }
    description.parameter_inputs = vec!["arm.mass".into(), "arm.mass".into()];
    let errors = Scene::new(description.clone()).unwrap_err();
    assert!(errors[0].finding.message.contains("is an input already"));
    description.parameter_inputs = vec![format!("{pair}.tangential_stiffness")];
    let errors = Scene::new(description).unwrap_err();
    assert!(
        errors[0]
            .finding
            .message
            .contains("0 stands for a derived value")
    );
}
