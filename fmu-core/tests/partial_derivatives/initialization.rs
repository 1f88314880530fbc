//! Derivatives by start values, in Initialization Mode.

use super::scenes;
use super::side::{Instance, KINDS, Sets};
use crate::fmi3::importer::Fmu;
use fmu_core::instance::variables::{Family, Initial, Quantity};

/// Scale of start values, and of inputs, over which derivatives vary.
const SCALE: f64 = 0.01;

/// Quaternions that are not of unit norm too: the model sees q/|q|.
#[test]
fn derivatives_by_start_values_and_inputs_equal_central_differences() {
    let mut driven = scenes::driven();
    // What an impact freezes is constant here, so nothing may touch.
    driven.description.bodies[0].position[0] += 1.0;
    for example in [scenes::flight(), scenes::pushed(), scenes::tree(), driven] {
        for kind in KINDS {
            let fmu = Fmu::new(example.description.clone());
            let mut sets = Sets::of(&fmu, kind.standard);
            let is_unknown = |q: &Quantity| {
                q.initial(&fmu.scene) == Some(Initial::Calculated) && q.family != Family::Indicator
            };
            let keep: Vec<bool> = sets.unknown_elements.iter().map(is_unknown).collect();
            let mut kept = keep.iter();
            sets.unknowns.retain(|_| kept.next() == Some(&true));
            sets.unknown_elements.retain(is_unknown);
            // Before initialisation ends the start time is given, not set.
            sets.knowns
                .retain(|known| sets.states.contains(known) || sets.inputs.contains(known));
            sets.known_elements
                .retain(|known| *known != Family::Time.of(0));
            let instance = Instance::new(&fmu, kind);
            match &instance {
                Instance::Three(importer) => importer.enter_initialization(),
                Instance::Two(importer) => importer.enter_initialization(),
            }
            let mut start = instance.values(&sets.knowns, sets.known_elements.len());
            let (layout, bodies) = (fmu.scene.layout(), fmu.scene.bodies().len());
            if let Some(body) = (0..bodies).find_map(|body| layout.body(body.into())) {
                start[body + 3..body + 7].iter_mut().for_each(|q| *q *= 1.3);
            }
            instance.set(&sets.knowns, &start);
            let columns = instance.columns(&sets);
            let rows = sets.unknown_elements.len();
            let at = |known: usize, change: f64| {
                let mut values = start.clone();
                values[known] += change;
                instance.set(&sets.knowns, &values);
                instance.values(&sets.unknowns, rows)
            };
            for known in 0..start.len() {
                let [d1, d2, d4] = [1e-2, 2e-2, 4e-2].map(|part| -> Vec<f64> {
                    let h = part * SCALE;
                    let (up, down) = (at(known, h), at(known, -h));
                    up.iter()
                        .zip(down)
                        .map(|(up, down)| (up - down) / (2.0 * h))
                        .collect()
                });
                for row in 0..rows {
                    let (a, b) = (
                        (4.0 * d1[row] - d2[row]) / 3.0,
                        (4.0 * d2[row] - d4[row]) / 3.0,
                    );
                    let expected = (16.0 * a - b) / 15.0;
                    let found = columns[known][row];
                    let size = columns
                        .iter()
                        .fold(0.0, |most: f64, c| most.max(c[row].abs()));
                    assert!(
                        (found - expected).abs() <= 1e-7 * size + 1e-9,
                        "{} {kind:?}: {:?} by {:?} is {found:e}, not {expected:e}",
                        example.name,
                        sets.unknown_elements[row],
                        sets.known_elements[known]
                    );
                }
            }
        }
    }
}
