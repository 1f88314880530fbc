//! Asking for derivatives changes nothing, and makes no allocation after the first time.

use super::scenes::{self, Example};
use super::side::{Instance, KINDS, Kind, Sets};
use crate::counting::count;
use crate::fmi3::importer::Fmu;
use contact_model::scene::description::Guard;
use fmu_core::instance::Standard;

/// Asks for everything there is.
struct Asker<'a> {
    sets: &'a Sets,
    kind: Kind,
    seeds: [Vec<f64>; 2],
    answers: [Vec<f64>; 2],
    outputs: Vec<f64>,
    orders: Vec<i32>,
}

impl<'a> Asker<'a> {
    fn new(sets: &'a Sets, kind: Kind) -> Self {
        let (unknowns, knowns) = (sets.unknown_elements.len(), sets.known_elements.len());
        Asker {
            sets,
            kind,
            seeds: [vec![1.0; knowns], vec![1.0; unknowns]],
            answers: [vec![f64::NAN; unknowns], vec![f64::NAN; knowns]],
            outputs: vec![f64::NAN; sets.output_elements.len()],
            orders: vec![1; sets.outputs.len()],
        }
    }

    fn ask(&mut self, instance: &Instance) {
        let (unknowns, knowns) = (&self.sets.unknowns[..], &self.sets.knowns[..]);
        let [ahead, back] = &mut self.answers;
        let found = instance.try_directional(unknowns, knowns, &self.seeds[0], ahead);
        assert_eq!(found, 0);
        if self.kind.standard == Standard::Fmi3 {
            assert_eq!(
                instance.try_adjoint(unknowns, knowns, &self.seeds[1], back),
                0
            );
        }
        if !self.kind.exchange {
            let (references, orders) = (&self.sets.outputs[..], &self.orders[..]);
            assert_eq!(
                instance.try_by_time(references, orders, &mut self.outputs),
                0
            );
        }
    }
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

/// With the guard of importers, whose indicators hold the minimum since the last step.
fn guarded(mut example: Example) -> Fmu {
    example.description.interface.guard = Guard::Importer;
    Fmu::new(example.description)
}

/// A run of steps with and without: the states after each and the bytes at its end.
#[test]
fn a_run_of_co_simulation_in_which_derivatives_are_asked_for_has_the_same_bits() {
    for example in scenes::all() {
        for kind in KINDS.into_iter().filter(|kind| !kind.exchange) {
            let fmu = guarded(example.clone());
            let sets = Sets::of(&fmu, kind.standard);
            let mut asker = Asker::new(&sets, kind);
            let runs = [false, true].map(|asks| {
                let (instance, states) = Instance::running(&fmu, kind, &example);
                let mut rows = Vec::new();
                for step in 0..20 {
                    if asks {
                        let before = instance.bytes();
                        asker.ask(&instance);
                        assert_eq!(before, instance.bytes(), "{} {kind:?}", example.name);
                    }
                    instance.step(1e-4 * f64::from(step), 1e-4);
                    rows.push(bits(&instance.values(&sets.states, states.len())));
                }
                (rows, instance.bytes())
            });
            assert!(runs[0] == runs[1], "{} {kind:?}", example.name);
        }
    }
}

/// The numbers of Model Exchange over times and states.
#[test]
fn evaluations_between_which_derivatives_are_asked_for_have_the_same_bits() {
    for example in scenes::all() {
        for kind in KINDS.into_iter().filter(|kind| kind.exchange) {
            let fmu = guarded(example.clone());
            let sets = Sets::of(&fmu, kind.standard);
            let mut asker = Asker::new(&sets, kind);
            let runs = [false, true].map(|asks| {
                let (instance, mut states) = Instance::running(&fmu, kind, &example);
                let mut rows = Vec::new();
                for step in 1..10 {
                    if asks {
                        let before = instance.bytes();
                        asker.ask(&instance);
                        assert_eq!(before, instance.bytes(), "{} {kind:?}", example.name);
                    }
                    let values = instance.values(&sets.unknowns, sets.unknown_elements.len());
                    rows.push(bits(&values));
                    instance.set_time(1e-6 * f64::from(step));
                    states.iter_mut().for_each(|state| *state += 1e-9);
                    instance.set_states(&states);
                }
                (rows, instance.bytes())
            });
            assert!(runs[0] == runs[1], "{} {kind:?}", example.name);
        }
    }
}

#[test]
fn derivatives_allocate_nothing_after_the_first_call() {
    let all = scenes::all().into_iter();
    for example in all.filter(|example| example.name != scenes::RESTITUTION) {
        for kind in KINDS {
            let fmu = Fmu::new(example.description.clone());
            let sets = Sets::of(&fmu, kind.standard);
            let mut asker = Asker::new(&sets, kind);
            let (instance, mut states) = Instance::running(&fmu, kind, &example);
            asker.ask(&instance);
            for step in 0..3 {
                match kind.exchange {
                    true => {
                        states.iter_mut().for_each(|state| *state += 1e-9);
                        instance.set_states(&states);
                    }
                    false => instance.step(1e-6 * f64::from(step), 1e-6),
                }
                let before = count();
                asker.ask(&instance);
                assert_eq!(count() - before, 0, "{} {kind:?}", example.name);
            }
        }
    }
}
