//! An instance of FMI 3.0 or FMI 2.0 with all its unknowns and knowns.

use super::scenes::Example;
use crate::fmi2::importer as fmi2;
use crate::fmi3::importer as fmi3;
use crate::fmi3::importer::Fmu;
use fmu_core::fmi2::*;
use fmu_core::fmi3::*;
use fmu_core::instance::Standard;
use fmu_core::instance::variables::{
    Causality, DataType, Family, Quantity, Variability, VariableTable,
};

/// An instance in Continuous-Time Mode or Step Mode.
pub enum Instance {
    Three(fmi3::Importer),
    Two(fmi2::Importer),
}

/// Interface type and FMI version.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kind {
    pub standard: Standard,
    pub exchange: bool,
}

/// All of them.
pub const KINDS: [Kind; 4] = [
    Kind::new(Standard::Fmi3, true),
    Kind::new(Standard::Fmi3, false),
    Kind::new(Standard::Fmi2, true),
    Kind::new(Standard::Fmi2, false),
];

impl Kind {
    const fn new(standard: Standard, exchange: bool) -> Self {
        Kind { standard, exchange }
    }
}

/// References of an FMU, and what its elements mean.
#[derive(Clone, Debug)]
pub struct Sets {
    /// State derivatives, continuous outputs and event indicators.
    pub unknowns: Vec<u32>,
    /// Meaning of each element of the unknowns.
    pub unknown_elements: Vec<Quantity>,
    /// Continuous outputs.
    pub outputs: Vec<u32>,
    pub output_elements: Vec<Quantity>,
    /// States, inputs and, in FMI 3.0, time.
    pub knowns: Vec<u32>,
    pub known_elements: Vec<Quantity>,
    pub states: Vec<u32>,
    pub inputs: Vec<u32>,
}

impl Sets {
    pub fn of(fmu: &Fmu, standard: Standard) -> Self {
        let table = VariableTable::new(&fmu.scene, standard);
        let with = |wanted: &dyn Fn(Quantity) -> bool| -> Vec<u32> {
            let found = table.quantities().filter(|(_, quantity)| wanted(*quantity));
            found.map(|(reference, _)| reference).collect()
        };
        let is_output = |quantity: Quantity| {
            quantity.data_type(&fmu.scene) == DataType::Float64
                && table.causality(&fmu.scene, quantity) == Causality::Output
                && quantity.variability(&fmu.scene) == Variability::Continuous
        };
        let unknowns = with(&|quantity| match quantity.family {
            Family::Derivative | Family::Indicator => true,
            _ => is_output(quantity),
        });
        let states = with(&|quantity| quantity.family == Family::State);
        let outputs = with(&is_output);
        let inputs = with(&|quantity| quantity.family == Family::Input);
        let time = with(&|quantity| quantity == Family::Time.of(0));
        let knowns = [&states[..], &inputs, &time].concat();
        let elements = |references: &[u32]| -> Vec<Quantity> {
            let elements = references.iter().flat_map(|r| table.elements(*r));
            elements
                .filter_map(|element| table.meaning(element))
                .collect()
        };
        Sets {
            unknown_elements: elements(&unknowns),
            known_elements: elements(&knowns),
            output_elements: elements(&outputs),
            outputs,
            unknowns,
            knowns,
            states,
            inputs,
        }
    }
}

/// The same of an importer of either version.
macro_rules! either {
    ($instance:expr, $importer:ident => $answer:expr) => {
        match $instance {
            Instance::Three($importer) => $answer,
            Instance::Two($importer) => $answer,
        }
    };
}

impl Instance {
    /// An instance that was not initialised.
    pub fn new(fmu: &Fmu, kind: Kind) -> Self {
        match (kind.standard, kind.exchange) {
            (Standard::Fmi3, true) => Instance::Three(fmu.model_exchange()),
            (Standard::Fmi3, false) => Instance::Three(fmu.co_simulation()),
            (Standard::Fmi2, true) => Instance::Two(fmi2::model_exchange(fmu)),
            (Standard::Fmi2, false) => Instance::Two(fmi2::co_simulation(fmu)),
        }
    }

    /// One that runs, at the states of an example in Model Exchange; with these.
    pub fn running(fmu: &Fmu, kind: Kind, example: &Example) -> (Self, Vec<f64>) {
        let made = Instance::new(fmu, kind);
        if !kind.exchange {
            either!(&made, i => i.initialize());
            let sets = Sets::of(fmu, kind.standard);
            let states = made.values(&sets.states, fmu.scene.layout().count());
            return (made, states);
        }
        either!(&made, i => i.start_integration());
        let mut states = either!(&made, i => i.continuous_states());
        (example.place)(&fmu.scene, &mut states);
        made.set_states(&states);
        (made, states)
    }

    pub fn set_states(&self, states: &[f64]) {
        either!(self, i => i.fine(i.set_states(states)));
    }

    pub fn set_time(&self, time: f64) {
        either!(self, i => i.fine(i.set_time(time)));
    }

    pub fn set(&self, references: &[u32], values: &[f64]) {
        either!(self, i => i.fine(i.set(references, values)));
    }

    /// Values of variables with so many elements.
    pub fn values(&self, references: &[u32], count: usize) -> Vec<f64> {
        let mut values = vec![f64::NAN; count];
        either!(self, i => i.fine(i.get(references, &mut values)));
        values
    }

    pub fn step(&self, point: f64, length: f64) {
        either!(self, i => i.whole_step(point, length));
    }

    /// The state as bytes.
    pub fn bytes(&self) -> Vec<u8> {
        either!(self, i => i.bytes())
    }

    /// Status, 0 for OK, of a directional derivative.
    pub fn try_directional(
        &self,
        unknowns: &[u32],
        knowns: &[u32],
        seed: &[f64],
        sensitivity: &mut [f64],
    ) -> i32 {
        // SAFETY: pointers and lengths are those of slices; FMI 2.0 has scalars only.
        unsafe {
            match self {
                Instance::Three(importer) => {
                    importer.directional(unknowns, knowns, seed, sensitivity) as i32
                }
                Instance::Two(importer) => {
                    let expected = (seed.len(), sensitivity.len());
                    assert_eq!((knowns.len(), unknowns.len()), expected);
                    fmi2GetDirectionalDerivative(
                        importer.instance,
                        unknowns.as_ptr(),
                        unknowns.len(),
                        knowns.as_ptr(),
                        knowns.len(),
                        seed.as_ptr(),
                        sensitivity.as_mut_ptr(),
                    ) as i32
                }
            }
        }
    }

    /// All unknowns along a seed of all knowns.
    pub fn directional(&self, sets: &Sets, seed: &[f64]) -> Vec<f64> {
        let mut sensitivity = vec![f64::NAN; sets.unknown_elements.len()];
        let status = self.try_directional(&sets.unknowns, &sets.knowns, seed, &mut sensitivity);
        assert_eq!(status, 0, "{:?}", self.failures());
        sensitivity
    }

    /// The Jacobian, a column for each element of the knowns.
    pub fn columns(&self, sets: &Sets) -> Vec<Vec<f64>> {
        let mut seed = vec![0.0; sets.known_elements.len()];
        let mut column = |known: usize| {
            seed[known] = 1.0;
            let found = self.directional(sets, &seed);
            seed[known] = 0.0;
            found
        };
        let all = 0..sets.known_elements.len();
        all.map(&mut column).collect()
    }

    /// Status, 0 for OK, of an adjoint derivative, which FMI 3.0 has.
    pub fn try_adjoint(
        &self,
        unknowns: &[u32],
        knowns: &[u32],
        seed: &[f64],
        sensitivity: &mut [f64],
    ) -> i32 {
        let Instance::Three(importer) = self else {
            panic!("FMI 2.0 has no adjoint derivatives");
        };
        // SAFETY: pointers and lengths are those of slices.
        unsafe {
            fmi3GetAdjointDerivative(
                importer.instance,
                unknowns.as_ptr(),
                unknowns.len(),
                knowns.as_ptr(),
                knowns.len(),
                seed.as_ptr(),
                seed.len(),
                sensitivity.as_mut_ptr(),
                sensitivity.len(),
            ) as i32
        }
    }

    /// Status, 0 for OK, of derivatives of outputs by time.
    pub fn try_by_time(&self, references: &[u32], orders: &[i32], values: &mut [f64]) -> i32 {
        assert_eq!(references.len(), orders.len());
        // SAFETY: pointers and lengths are those of slices; FMI 2.0 has scalars only.
        unsafe {
            match self {
                Instance::Three(importer) => fmi3GetOutputDerivatives(
                    importer.instance,
                    references.as_ptr(),
                    references.len(),
                    orders.as_ptr(),
                    values.as_mut_ptr(),
                    values.len(),
                ) as i32,
                Instance::Two(importer) => fmi2GetRealOutputDerivatives(
                    importer.instance,
                    references.as_ptr(),
                    references.len(),
                    orders.as_ptr(),
                    values.as_mut_ptr(),
                ) as i32,
            }
        }
    }

    /// Derivatives by time of outputs with so many elements.
    pub fn by_time(&self, references: &[u32], count: usize) -> Vec<f64> {
        let mut values = vec![f64::NAN; count];
        let orders = vec![1; references.len()];
        let status = self.try_by_time(references, &orders, &mut values);
        assert_eq!(status, 0, "{:?}", self.failures());
        values
    }

    /// Texts of the failures that were logged since they were last taken.
    pub fn failures(&self) -> Vec<String> {
        either!(self, i => i.logged("errors"))
    }
}
