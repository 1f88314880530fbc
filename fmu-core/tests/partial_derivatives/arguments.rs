//! What is refused: with a message that says what, and nothing changed.

use super::scenes;
use super::side::{Instance, KINDS, Kind, Sets};
use crate::fmi2::importer as two;
use crate::fmi3::importer::{Fmu, reference};
use fmu_core::fmi2::fmi2Status::fmi2Error;
use fmu_core::fmi2::{fmi2GetDirectionalDerivative, fmi2GetRealOutputDerivatives};
use fmu_core::fmi3::fmi3Status::fmi3Error;
use fmu_core::fmi3::*;
use std::ptr::{null, null_mut};

const ERROR: i32 = fmi3Error as i32;
/// What arrays of answers hold before.
const UNTOUCHED: f64 = 42.0;

/// FMI 3.0, Model Exchange and Co-Simulation.
const THREE: [Kind; 2] = [KINDS[0], KINDS[1]];

/// References by name.
fn references<const N: usize>(fmu: &Fmu, names: [&str; N]) -> [u32; N] {
    names.map(|name| reference(fmu, name))
}

/// The only failure that was logged, and that asking for it has changed neither state nor answer.
fn refused(instance: &Instance, ask: impl Fn(&mut [f64]) -> i32, answers: usize) -> String {
    let before = instance.bytes();
    instance.failures();
    let mut answer = vec![UNTOUCHED; answers];
    assert_eq!(ask(&mut answer), ERROR);
    let failures = instance.failures();
    assert_eq!(failures.len(), 1, "{failures:?}");
    assert!(answer.iter().all(|value| *value == UNTOUCHED));
    assert_eq!(before, instance.bytes());
    failures[0].clone()
}

#[test]
fn what_is_no_unknown_or_no_known_is_refused_by_name() {
    let example = scenes::pushed();
    let fmu = Fmu::new(example.description.clone());
    let [height, rate, mass, force, count, energy] = references(
        &fmu,
        [
            "one.position[3]",
            "der(one.position[3])",
            "one.mass",
            "force.given.force[1]",
            "contact.count",
            "energy.kinetic",
        ],
    );
    let time = 1;
    for kind in THREE {
        let (instance, _) = Instance::running(&fmu, kind, &example);
        for (unknown, known, words) in [
            (time, height, "variable time is no unknown"),
            (mass, height, "variable one.mass is no unknown"),
            (force, height, "variable force.given.force[1] is no unknown"),
            (count, height, "is of type Int32, not Float64"),
            (9999, height, "no variable has the value reference 9999"),
            (rate, rate, "variable der(one.position[3]) is computed"),
            (rate, energy, "variable energy.kinetic is computed"),
            (rate, mass, "variable one.mass is a parameter"),
            (rate, 0, "no variable has the value reference 0"),
        ] {
            let (unknown, known) = ([unknown], [known]);
            let ahead =
                |answer: &mut [f64]| instance.try_directional(&unknown, &known, &[1.0], answer);
            let text = refused(&instance, ahead, 1);
            assert!(text.starts_with("fmi3GetDirectionalDerivative: "), "{text}");
            assert!(text.contains(words), "{text}");
            let back = |answer: &mut [f64]| instance.try_adjoint(&unknown, &known, &[1.0], answer);
            let text = refused(&instance, back, 1);
            assert!(text.starts_with("fmi3GetAdjointDerivative: "), "{text}");
            assert!(text.contains(words), "{text}");
        }
    }
}

/// An importer that passes all variables of a function with a seed of zero for its parameters.
#[test]
fn a_parameter_whose_seed_is_zero_changes_no_directional_derivative() {
    let example = scenes::flight();
    let fmu = Fmu::new(example.description.clone());
    let [rate, speed, mass] = references(
        &fmu,
        ["der(one.position[3])", "one.velocity[3]", "one.mass"],
    );
    let (instance, _) = Instance::running(&fmu, KINDS[0], &example);
    let mut answer = [UNTOUCHED];
    let status = instance.try_directional(&[rate], &[mass, speed], &[0.0, 2.0], &mut answer);
    assert_eq!((status, answer), (0, [2.0]));
}

/// A state that the scene leaves out of its outputs is known, and no unknown.
#[test]
fn a_local_state_is_known_but_no_unknown() {
    let mut example = scenes::flight();
    example.description.expose = Some(vec!["energy.kinetic".into()]);
    let fmu = Fmu::new(example.description.clone());
    let [speed, energy] = references(&fmu, ["one.velocity[1]", "energy.kinetic"]);
    let (instance, _) = Instance::running(&fmu, KINDS[0], &example);
    let state = |answer: &mut [f64]| instance.try_directional(&[speed], &[speed], &[1.0], answer);
    let text = refused(&instance, state, 1);
    assert!(
        text.contains("variable one.velocity[1] is no unknown"),
        "{text}"
    );
    let mut answer = [UNTOUCHED];
    assert_eq!(
        instance.try_directional(&[energy], &[speed], &[1.0], &mut answer),
        0
    );
    assert!(answer[0] != UNTOUCHED && answer[0] != 0.0);
}

#[test]
fn lengths_that_do_not_fit_the_elements_are_refused() {
    for arrays in [false, true] {
        let mut example = scenes::pushed();
        example.description.interface.arrays = arrays;
        let fmu = Fmu::new(example.description.clone());
        for kind in THREE {
            let (instance, _) = Instance::running(&fmu, kind, &example);
            let sets = Sets::of(&fmu, kind.standard);
            let (rows, columns) = (sets.unknown_elements.len(), sets.known_elements.len());
            assert_eq!(arrays, columns != sets.knowns.len());
            for (seeds, answers, argument) in [
                (columns - 1, rows, "argument seed has"),
                (columns + 1, rows, "argument seed has"),
                (columns, rows - 1, "argument sensitivity has"),
                (columns, rows + 1, "argument sensitivity has"),
            ] {
                let seed = vec![0.0; seeds];
                let ask = |answer: &mut [f64]| {
                    instance.try_directional(&sets.unknowns, &sets.knowns, &seed, answer)
                };
                let text = refused(&instance, ask, answers);
                assert!(text.contains(argument), "{text}");
            }
            let back = |answer: &mut [f64]| {
                instance.try_adjoint(&sets.unknowns, &sets.knowns, &vec![0.0; columns], answer)
            };
            assert!(refused(&instance, back, columns).contains("argument seed has"));
        }
    }
}

#[test]
fn seeds_that_are_no_numbers_are_refused() {
    let example = scenes::flight();
    let fmu = Fmu::new(example.description.clone());
    let (instance, _) = Instance::running(&fmu, KINDS[0], &example);
    let [rate, speed] = references(&fmu, ["der(one.position[3])", "one.velocity[3]"]);
    for seed in [f64::NAN, f64::INFINITY] {
        let ask = |answer: &mut [f64]| {
            instance.try_directional(&[rate], &[speed, speed], &[0.0, seed], answer)
        };
        assert!(refused(&instance, ask, 1).contains("seed[1] is "));
        let ask = |answer: &mut [f64]| instance.try_adjoint(&[rate], &[speed], &[seed], answer);
        assert!(refused(&instance, ask, 1).contains("seed[0] is "));
    }
}

#[test]
fn output_derivatives_are_of_order_one_and_of_continuous_outputs() {
    let mut example = scenes::pushed();
    example.description.experiment.statistics = true;
    let fmu = Fmu::new(example.description.clone());
    let [height, rate, force, impulse, last_step] = references(
        &fmu,
        [
            "one.position[3]",
            "der(one.position[3])",
            "force.given.force[1]",
            "contact.plate.one.impulse[1]",
            "experiment.statistics.last_step",
        ],
    );
    let (instance, _) = Instance::running(&fmu, KINDS[1], &example);
    #[rustfmt::skip]
    let cases = [
        (height, 0, "order 0 of an output derivative; this FMU has order 1"),
        (height, 2, "order 2"),
        (height, -1, "order -1"),
        (rate, 1, "variable der(one.position[3]) is continuous local"),
        (force, 1, "variable force.given.force[1] is continuous input"),
        (impulse, 1, "variable contact.plate.one.impulse[1] is discrete output"),
        (last_step, 1, "variable experiment.statistics.last_step is discrete output"),
        (9999, 1, "no variable has the value reference 9999"),
    ];
    for (variable, order, words) in cases {
        let ask = |answer: &mut [f64]| instance.try_by_time(&[variable], &[order], answer);
        let text = refused(&instance, ask, 1);
        assert!(text.starts_with("fmi3GetOutputDerivatives: "), "{text}");
        assert!(text.contains(words), "{text}");
    }
    // Constant by all else too.
    let mut answer = [UNTOUCHED];
    let status = instance.try_directional(&[last_step], &[height], &[1.0], &mut answer);
    assert_eq!((status, answer), (0, [0.0]));
    let ask = |answer: &mut [f64]| instance.try_by_time(&[height], &[1], answer);
    assert!(refused(&instance, ask, 2).contains("argument values has 2 values"));
    let (exchange, _) = Instance::running(&fmu, KINDS[0], &example);
    let ask = |answer: &mut [f64]| exchange.try_by_time(&[height], &[1], answer);
    assert!(refused(&exchange, ask, 1).contains("does not belong to Model Exchange"));
}

#[test]
fn null_pointers_are_refused_by_name() {
    let importer = Fmu::falling_ball().stepping();
    let (one, seed) = ([2_u32], [1.0]);
    let (r, s) = (one.as_ptr(), seed.as_ptr());
    let i = importer.instance;
    let mut answer = [0.0];
    let a = answer.as_mut_ptr();
    // SAFETY: null is refused; other pointers are those of local arrays of one.
    unsafe {
        #[rustfmt::skip]
        let answers = [
            (fmi3GetDirectionalDerivative(i, null(), 1, r, 1, s, 1, a, 1), "unknowns"),
            (fmi3GetDirectionalDerivative(i, r, 1, null(), 1, s, 1, a, 1), "knowns"),
            (fmi3GetDirectionalDerivative(i, r, 1, r, 1, null(), 1, a, 1), "seed"),
            (fmi3GetDirectionalDerivative(i, r, 1, r, 1, s, 1, null_mut(), 1), "sensitivity"),
            (fmi3GetAdjointDerivative(i, null(), 1, r, 1, s, 1, a, 1), "unknowns"),
            (fmi3GetAdjointDerivative(i, r, 1, r, 1, s, 1, null_mut(), 1), "sensitivity"),
            (fmi3GetOutputDerivatives(i, null(), 1, null(), a, 1), "valueReferences"),
            (fmi3GetOutputDerivatives(i, r, 1, null(), a, 1), "orders"),
            (fmi3GetOutputDerivatives(i, r, 1, [1].as_ptr(), null_mut(), 1), "values"),
        ];
        let log = importer.logged("errors");
        assert_eq!(log.len(), answers.len());
        for ((status, argument), text) in answers.into_iter().zip(log) {
            assert_eq!(status, fmi3Error);
            let words = format!("argument {argument} is a null pointer");
            assert!(text.contains(&words), "{text}");
        }
        let none = null_mut();
        let status = fmi3GetDirectionalDerivative(none, r, 1, r, 1, s, 1, a, 1);
        assert_eq!(status, fmi3Error);
    }
    // Nothing at all is a fine question.
    let instance = Instance::Three(importer);
    assert_eq!(instance.try_directional(&[], &[], &[], &mut []), 0);
    assert_eq!(instance.try_adjoint(&[], &[], &[], &mut []), 0);
    assert_eq!(instance.try_by_time(&[], &[], &mut []), 0);
}

#[test]
fn fmi2_refuses_the_same() {
    let fmu = Fmu::falling_ball();
    let importer = two::co_simulation(&fmu);
    importer.initialize();
    let [height, mass] = ["ball.position[3]", "ball.mass"].map(|name| two::reference(&fmu, name));
    let c = importer.instance;
    let (mut answer, seed, orders) = ([UNTOUCHED], [1.0], [1, 2]);
    let (a, s) = (answer.as_mut_ptr(), seed.as_ptr());
    let (height, mass) = ([height], [mass]);
    let (r, m) = (height.as_ptr(), mass.as_ptr());
    let second = orders[1..].as_ptr();
    // SAFETY: null is refused; other pointers are those of local arrays.
    let answers = unsafe {
        [
            fmi2GetDirectionalDerivative(c, null(), 1, r, 1, s, a),
            fmi2GetDirectionalDerivative(c, r, 1, r, 1, null(), a),
            fmi2GetDirectionalDerivative(c, r, 1, r, 1, s, null_mut()),
            fmi2GetDirectionalDerivative(c, r, 1, m, 1, s, a),
            fmi2GetRealOutputDerivatives(c, r, 1, null(), a),
            fmi2GetRealOutputDerivatives(c, r, 1, second, a),
            fmi2GetRealOutputDerivatives(c, m, 1, orders.as_ptr(), a),
        ]
    };
    let words = [
        "fmi2GetDirectionalDerivative: argument vUnknown_ref is a null pointer",
        "fmi2GetDirectionalDerivative: argument dvKnown is a null pointer",
        "fmi2GetDirectionalDerivative: argument dvUnknown is a null pointer",
        "fmi2GetDirectionalDerivative: variable ball.mass is a parameter",
        "fmi2GetRealOutputDerivatives: argument order is a null pointer",
        "fmi2GetRealOutputDerivatives: order 2 of an output derivative",
        "fmi2GetRealOutputDerivatives: variable ball.mass is fixed parameter",
    ];
    let log = importer.logged("errors");
    assert_eq!(log.len(), words.len());
    for ((status, text), words) in answers.into_iter().zip(log).zip(words) {
        assert_eq!(status, fmi2Error);
        assert!(text.starts_with(words), "{text}");
    }
    assert_eq!(answer, [UNTOUCHED]);
}
