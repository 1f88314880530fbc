//! Directional derivatives against central differences of what the FMU itself returns.

use super::scenes::{self, Example};
use super::side::{Instance, KINDS, Kind, Sets};
use crate::fmi3::importer::{Fmu, Importer};
use contact_laws::index::InputId;
use contact_model::scene::Input;
use fmu_core::instance::Standard;
use fmu_core::instance::variables::{Family, Quantity};

/// Step of differences, as a part of the scale of a known.
const STEP: f64 = 1e-2;
/// Largest error of a derivative, as a part of the largest one of the same unknown, each taken over
/// the scale of its known.
const TOLERANCE: f64 = 1e-7;
/// Size of what a result of 0 is computed from [SI]: lengths and speeds of some 1 m and 1 m/s.
const INTERMEDIATE: f64 = 1.0;
/// Scale of the time [s]: the sine of the forces turns by 0.07 rad.
const TIME: f64 = 0.01;

/// Scale of each element of the knowns.
fn scales(fmu: &Fmu, example: &Example, sets: &Sets) -> Vec<f64> {
    let layout = fmu.scene.layout();
    let mut states = vec![1.0; layout.count()];
    for link in 0..fmu.scene.links().len() {
        states[layout.positions(link.into())].fill(example.position);
        states[layout.rates(link.into())].fill(example.speed);
    }
    states[layout.contacts()].fill(example.position);
    let of_input = |input: &Input| match input {
        Input::Position(..) => example.position,
        // Turns move the surfaces that touch by a small part of this.
        Input::Orientation(..) => 100.0 * example.position,
        Input::Velocity(..) | Input::AngularVelocity(..) => example.speed,
        Input::Parameter(_) => match fmu.scene.input_start(*input).abs() {
            0.0 => 0.1,
            value => 0.1 * value,
        },
        _ => 1.0,
    };
    let of = |known: &Quantity| match known.family {
        Family::State => states[known.of],
        Family::Input => of_input(&fmu.scene.inputs()[InputId::from(known.of)]),
        _ => TIME,
    };
    sets.known_elements.iter().map(of).collect()
}

/// Compares a Jacobian with differences; `at` returns the unknowns where the known of an index has
/// changed by so much.
fn compare(
    label: &str,
    (columns, scales): (&[Vec<f64>], &[f64]),
    known: impl Iterator<Item = usize>,
    mut at: impl FnMut(usize, f64) -> Vec<f64>,
) {
    let unknowns = columns[0].len();
    let size = |row: usize| {
        let scaled = columns.iter().zip(scales);
        scaled.fold(0.0, |most: f64, (column, s)| {
            most.max(s * column[row].abs())
        })
    };
    let sizes: Vec<f64> = (0..unknowns).map(size).collect();
    for k in known {
        let h = STEP * scales[k];
        let values = at(k, 0.0);
        let [d1, d2, d4] = [h, 2.0 * h, 4.0 * h].map(|h| -> Vec<f64> {
            let (up, down) = (at(k, h), at(k, -h));
            up.iter()
                .zip(down)
                .map(|(up, down)| (up - down) / (2.0 * h))
                .collect()
        });
        for row in 0..unknowns {
            let (a, b) = (
                (4.0 * d1[row] - d2[row]) / 3.0,
                (4.0 * d2[row] - d4[row]) / 3.0,
            );
            let expected = (16.0 * a - b) / 15.0;
            let steepest = columns
                .iter()
                .fold(0.0, |most: f64, c| most.max(c[row].abs()));
            let rounding = 4.0 * values[row].abs() + steepest + INTERMEDIATE;
            let allowed = TOLERANCE * sizes[row] / scales[k] + f64::EPSILON * rounding / h;
            let found = columns[k][row];
            assert!(
                (found - expected).abs() <= allowed,
                "{label}: unknown {row} by known {k} is {found:e}, not {expected:e}"
            );
        }
    }
}

fn check_exchange(example: &Example, kind: Kind, arrays: bool) {
    let mut description = example.description.clone();
    description.interface.arrays = arrays;
    let fmu = Fmu::new(description);
    let sets = Sets::of(&fmu, kind.standard);
    let (instance, states) = Instance::running(&fmu, kind, example);
    let inputs = instance.values(&sets.inputs, fmu.scene.inputs().len());
    let count = sets.unknown_elements.len();
    let columns = instance.columns(&sets);
    let scales = scales(&fmu, example, &sets);
    let label = format!("{} {kind:?} arrays={arrays}", example.name);
    compare(
        &label,
        (&columns, &scales),
        0..columns.len(),
        |known, change| {
            let (mut x, mut u, mut time) = (states.clone(), inputs.clone(), 0.0);
            let Quantity { family, of, .. } = sets.known_elements[known];
            match family {
                Family::State => x[of] += change,
                Family::Input => u[of] += change,
                _ => time += change,
            }
            instance.set_time(time);
            instance.set_states(&x);
            instance.set(&sets.inputs, &u);
            instance.values(&sets.unknowns, count)
        },
    );
}

#[test]
fn derivatives_in_model_exchange_equal_central_differences() {
    for example in scenes::all() {
        for kind in KINDS.into_iter().filter(|kind| kind.exchange) {
            check_exchange(&example, kind, false);
        }
        let three = KINDS[0];
        check_exchange(&example, three, true);
    }
}

/// In Co-Simulation an importer may move the inputs only: at the start and after a step, while the
/// driven body has moved on with the velocity that was set before.
#[test]
fn derivatives_by_inputs_in_co_simulation_equal_central_differences() {
    let mut driven = scenes::driven();
    // Then an input of the pose is, later on, what was set and the velocity times the time.
    driven.description.bodies[1].angular_velocity = [0.0; 3];
    for example in [driven, scenes::pushed(), scenes::tree()] {
        for arrays in [false, true] {
            for steps in [0, 1] {
                let mut description = example.description.clone();
                description.interface.arrays = arrays;
                let fmu = Fmu::new(description);
                check_simulation(&fmu, &example, steps);
            }
        }
    }
}

fn check_simulation(fmu: &Fmu, example: &Example, steps: usize) {
    let kind = Kind {
        standard: Standard::Fmi3,
        exchange: false,
    };
    let sets = Sets::of(fmu, kind.standard);
    let (instance, _) = Instance::running(fmu, kind, example);
    let Instance::Three(importer) = &instance else {
        unreachable!("FMI 3.0");
    };
    let length = 1e-4;
    for step in 0..steps {
        importer.whole_step(length * step as f64, length);
    }
    let elapsed = length * steps as f64;
    let columns = instance.columns(&sets);
    let given = instance.values(&sets.inputs, fmu.scene.inputs().len());
    let moved: Vec<f64> = fmu
        .scene
        .inputs()
        .iter()
        .zip(&given)
        .map(|(input, value)| {
            let rate = match *input {
                Input::Position(body, i) => {
                    let velocity = Input::Velocity(body, i);
                    let index = fmu.scene.inputs().position(|known| *known == velocity);
                    given[usize::from(index.expect("a velocity"))]
                }
                _ => 0.0,
            };
            value + rate * elapsed
        })
        .collect();
    let state = importer.state();
    let at = |known: usize, change: f64| changed(importer, &sets, (state, &moved), known, change);
    let label = format!("{} after {steps} steps", example.name);
    let known = sets.known_elements.iter().enumerate();
    let inputs = known.filter(|(_, quantity)| quantity.family == Family::Input);
    let scales = scales(fmu, example, &sets);
    compare(&label, (&columns, &scales), inputs.map(|(k, _)| k), at);
    importer.free_state(state);
}

/// The unknowns of an instance that is set back to a state, gets these inputs and one of them
/// changed.
fn changed(
    importer: &Importer,
    sets: &Sets,
    (state, inputs): (fmu_core::fmi3::fmi3FMUState, &[f64]),
    known: usize,
    change: f64,
) -> Vec<f64> {
    let mut inputs = inputs.to_vec();
    let known = sets.known_elements[known];
    if known.family == Family::Input {
        inputs[known.of] += change;
    }
    let ok = fmu_core::fmi3::fmi3Status::fmi3OK;
    assert_eq!(importer.set_state(state), ok);
    assert_eq!(importer.set(&sets.inputs, &inputs), ok);
    let mut values = vec![f64::NAN; sets.unknown_elements.len()];
    assert_eq!(importer.get(&sets.unknowns, &mut values), ok);
    values
}

/// Model Exchange and Co-Simulation, FMI 3.0 and 2.0, scalars and arrays see the same model, so a
/// derivative by the same element is the same to the bit.
#[test]
fn all_interfaces_give_the_same_bits() {
    for example in scenes::all() {
        let plain = Example {
            place: |_, _| {},
            ..example
        };
        let mut expected: Option<Vec<(Quantity, Quantity, u64)>> = None;
        for (kind, arrays) in KINDS.into_iter().zip([false; 4]).chain([(KINDS[0], true)]) {
            let mut description = plain.description.clone();
            description.interface.arrays = arrays;
            let fmu = Fmu::new(description);
            let sets = Sets::of(&fmu, kind.standard);
            let (instance, _) = Instance::running(&fmu, kind, &plain);
            let columns = instance.columns(&sets);
            let mut found = Vec::new();
            for (known, column) in sets.known_elements.iter().zip(&columns) {
                for (unknown, entry) in sets.unknown_elements.iter().zip(column) {
                    if *known != Family::Time.of(0) {
                        found.push((*known, *unknown, entry.to_bits()));
                    }
                }
            }
            assert!(!found.is_empty());
            let expected = expected.get_or_insert_with(|| found.clone());
            assert_eq!(expected.len(), found.len(), "{} {kind:?}", plain.name);
            for (a, b) in expected.iter().zip(&found) {
                assert_eq!(a, b, "{} {kind:?} arrays={arrays}", plain.name);
            }
        }
    }
}
