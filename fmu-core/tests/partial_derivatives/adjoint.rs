//! Adjoint derivatives against the transpose of the Jacobian.

use super::scenes;
use super::side::{Instance, KINDS, Sets};
use crate::fmi3::importer::Fmu;
use crate::random::Random;
use fmu_core::instance::Standard;

/// Sums of products in another order differ by roundings of their largest term.
const TOLERANCE: f64 = 1e-13;

#[test]
fn an_adjoint_derivative_is_the_transpose_times_the_seed() {
    let mut random = Random::new(11);
    for example in scenes::all() {
        for (kind, arrays) in KINDS
            .into_iter()
            .flat_map(|kind| [(kind, false), (kind, true)])
        {
            if kind.standard == Standard::Fmi2 {
                continue;
            }
            let mut description = example.description.clone();
            description.interface.arrays = arrays;
            let fmu = Fmu::new(description);
            let sets = Sets::of(&fmu, kind.standard);
            let (instance, _) = Instance::running(&fmu, kind, &example);
            let columns = instance.columns(&sets);
            let draw = |_: &_| random.between(-1.0, 1.0);
            let seed: Vec<f64> = sets.unknown_elements.iter().map(draw).collect();
            let mut found = vec![f64::NAN; columns.len()];
            let status = instance.try_adjoint(&sets.unknowns, &sets.knowns, &seed, &mut found);
            assert_eq!(status, 0, "{:?}", instance.failures());
            for (k, column) in columns.iter().enumerate() {
                let terms = || {
                    column
                        .iter()
                        .zip(&seed)
                        .map(|(entry, weight)| entry * weight)
                };
                let (sum, size) = (terms().sum::<f64>(), terms().map(f64::abs).sum::<f64>());
                assert!(
                    (found[k] - sum).abs() <= TOLERANCE * size,
                    "{} {kind:?}: known {k} is {}, not {sum}",
                    example.name,
                    found[k]
                );
            }
        }
    }
}

/// One unknown and one known out of the middle, not all of them.
#[test]
fn single_entries_are_those_of_the_whole_jacobian() {
    for example in scenes::all() {
        let fmu = Fmu::new(example.description.clone());
        let sets = Sets::of(&fmu, Standard::Fmi3);
        let (instance, _) = Instance::running(&fmu, KINDS[0], &example);
        let columns = instance.columns(&sets);
        for (k, known) in sets.knowns.iter().enumerate().step_by(3) {
            for (row, unknown) in sets.unknowns.iter().enumerate().step_by(5) {
                let mut entry = [f64::NAN; 2];
                let [ahead, back] = &mut entry;
                let (unknown, known, one) = ([*unknown], [*known], [1.0]);
                let ahead = std::slice::from_mut(ahead);
                assert_eq!(instance.try_directional(&unknown, &known, &one, ahead), 0);
                let back = std::slice::from_mut(back);
                assert_eq!(instance.try_adjoint(&unknown, &known, &one, back), 0);
                assert_eq!(entry, [columns[k][row]; 2], "{} {k} {row}", example.name);
            }
        }
    }
}
