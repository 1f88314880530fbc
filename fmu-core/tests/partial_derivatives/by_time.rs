//! Derivatives of outputs by time.

use super::scenes::{self, Example};
use super::side::{Instance, KINDS, Kind, Sets};
use crate::fmi3::importer::{Fmu, GRAVITY, Interface, falling_ball, reference};
use fmu_core::fmi3::fmi3Status::fmi3OK;
use fmu_core::instance::variables::{Family, Quantity};

/// Sums of products in another order differ by roundings of their largest term; forces across a
/// normal are what is left of forces along it, a thousand times as large.
const ROUNDING: f64 = 1e-11;
/// Size of what results are computed from [SI]: contact forces of some 10 kN.
const INTERMEDIATE: f64 = 1e5;

fn simulations() -> impl Iterator<Item = (Kind, bool)> {
    let kinds = KINDS.into_iter().filter(|kind| !kind.exchange);
    kinds.flat_map(|kind| [(kind, false), (kind, true)])
}

fn with_arrays(example: &Example, arrays: bool) -> Fmu {
    let mut description = example.description.clone();
    description.interface.arrays = arrays;
    Fmu::new(description)
}

/// y' = dy/dx x' + dy/dt, where time is a known, which it is in FMI 3.0; there without, where
/// nothing depends on time.
#[test]
fn derivatives_by_time_follow_from_those_by_states_and_time() {
    for example in scenes::all() {
        for (kind, arrays) in simulations() {
            let fmu = with_arrays(&example, arrays);
            let sets = Sets::of(&fmu, kind.standard);
            let has_time = sets.known_elements.contains(&Family::Time.of(0));
            if !has_time && ["pushed", "driven"].contains(&example.name) {
                continue;
            }
            let (instance, _) = Instance::running(&fmu, kind, &example);
            instance.step(0.0, 1e-6);
            let count = sets.unknown_elements.len();
            let now = instance.values(&sets.unknowns, count);
            let rates: Vec<(Quantity, f64)> = sets
                .unknown_elements
                .iter()
                .copied()
                .zip(now.clone())
                .collect();
            let speed = |known: &Quantity| match known.family {
                Family::State => {
                    let rate = Family::Derivative.of(known.of);
                    let rate = rates.iter().find(|(q, _)| *q == rate);
                    rate.expect("a rate").1
                }
                Family::Time => 1.0,
                _ => 0.0,
            };
            let speeds: Vec<f64> = sets.known_elements.iter().map(speed).collect();
            let columns = instance.columns(&sets);
            let outputs = instance.by_time(&sets.outputs, sets.output_elements.len());
            for (quantity, found) in sets.output_elements.iter().zip(outputs) {
                let row = sets.unknown_elements.iter().position(|q| q == quantity);
                let row = row.expect("an unknown");
                let terms = || {
                    columns
                        .iter()
                        .zip(&speeds)
                        .map(|(column, v)| column[row] * v)
                };
                let (sum, size) = (terms().sum::<f64>(), terms().map(f64::abs).sum::<f64>());
                // Each entry has the rounding of what cancels in it.
                let steepest = columns
                    .iter()
                    .fold(0.0, |most: f64, c| most.max(c[row].abs()));
                let rounding = 16.0 * f64::EPSILON * (1.0 + steepest + now[row].abs());
                assert!(
                    (found - sum).abs() <= ROUNDING * size + rounding,
                    "{} {kind:?}: {quantity:?} is {found}, not {sum}",
                    example.name
                );
            }
        }
    }
}

/// Forward differences over steps of the FMU, extrapolated three times.
#[test]
fn derivatives_by_time_equal_differences_over_steps() {
    for example in scenes::plain() {
        // Contacts 0.1 mm deep part within some 100 us, what friction holds trembles faster.
        let h = match example.name {
            "sliding" | "driven" => 1e-6,
            "sticking" => 1e-7,
            _ => 1e-4,
        };
        for (kind, arrays) in simulations() {
            let fmu = with_arrays(&example, arrays);
            let sets = Sets::of(&fmu, kind.standard);
            let count = sets.output_elements.len();
            let (start, _) = Instance::running(&fmu, kind, &example);
            start.step(0.0, h);
            let exact = start.by_time(&sets.outputs, count);
            let before = start.values(&sets.outputs, count);
            let differences = [1.0, 2.0, 4.0, 8.0].map(|factor| -> Vec<f64> {
                let (run, _) = Instance::running(&fmu, kind, &example);
                run.step(0.0, h);
                run.step(h, factor * h);
                let after = run.values(&sets.outputs, count);
                let both = after.iter().zip(&before);
                both.map(|(b, a)| (b - a) / (factor * h)).collect()
            });
            for row in 0..count {
                let [a, b, c, d] = differences.each_ref().map(|d| d[row]);
                let [a, b, c] = [2.0 * a - b, 2.0 * b - c, 2.0 * c - d];
                let [a, b] = [(4.0 * a - b) / 3.0, (4.0 * b - c) / 3.0];
                let expected = (8.0 * a - b) / 7.0;
                let rounding = f64::EPSILON * (16.0 * before[row].abs() + INTERMEDIATE) / h;
                let allowed = 1e-6 * expected.abs() + rounding;
                assert!(
                    (exact[row] - expected).abs() <= allowed,
                    "{} {kind:?}: {:?} is {:e}, not {expected:e}",
                    example.name,
                    sets.output_elements[row],
                    exact[row]
                );
            }
        }
    }
}

/// z' = v, v' = -g, and the energies exchange m g v.
#[test]
fn a_ball_in_flight_falls_as_the_formula_says() {
    let fmu = Fmu::falling_ball();
    let names = [
        "ball.position[3]",
        "ball.velocity[3]",
        "energy.kinetic",
        "energy.potential",
    ];
    let references = names.map(|name| reference(&fmu, name));
    let importer = fmu.stepping();
    importer.whole_step(0.0, 0.05);
    let instance = Instance::Three(importer);
    let mass = instance.values(&[reference(&fmu, "ball.mass")], 1)[0];
    let speed = -GRAVITY * 0.05;
    let power = mass * GRAVITY * speed;
    let expected = [speed, -GRAVITY, -power, power];
    for (found, expected) in instance.by_time(&references, 4).iter().zip(expected) {
        let off = (found - expected).abs();
        assert!(off <= 1e-12 * expected.abs(), "{found} {expected}");
    }
}

/// At an inner point of a step and after the end, where the state is that of the last point.
#[test]
fn there_are_derivatives_inside_a_step_and_after_the_end() {
    let fmu = Fmu::new(falling_ball());
    let height = reference(&fmu, "ball.position[3]");
    let interface = Interface::SIMPLE;
    let importer = crate::fmi3::importer::Importer::watched(&fmu, interface, Some(&[height]));
    let importer = importer.expect("an instance");
    importer.initialize();
    let instance = Instance::Three(importer);
    let mut inside = Vec::new();
    if let Instance::Three(importer) = &instance {
        let (status, ..) = importer.step_with(0.0, 0.05, &mut |told| {
            inside.push((told.time, instance.by_time(&[height], 1)[0]));
            crate::fmi3::importer::Wish::GoOn
        });
        assert_eq!(status, fmi3OK);
        importer.ok(fmu_core::fmi3::fmi3Terminate);
    }
    inside.push((0.05, instance.by_time(&[height], 1)[0]));
    assert!(inside.len() > 1, "{inside:?}");
    for (time, found) in inside {
        assert!((found + GRAVITY * time).abs() <= 1e-12, "{time} {found}");
    }
}
