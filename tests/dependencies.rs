//! The model structure of each example against the exact derivatives of its model: whatever a state
//! derivative, an event indicator or an output has a derivative by, its list of dependencies names.
//!
//! In Initialization Mode each start value is changed, a latch closed, caught, let go and commanded: what
//! changes lists it.
//!
//! Derivatives along single states and inputs are taken at random states: bodies and joints moved
//! and turned from where they start, some of them until a pair is in contact. The examples have
//! every output that a scene may ask for. A derivative by what does not enter is 0 without rounding,
//! so no tolerance is needed.

use crate::random::{Random, soak};
use crate::user_law;
use contact_laws::index::NamedPairId;
use contact_laws::response::choice::FrictionKind;
use contact_model::dynamics::System;
use contact_model::hybrid::{Along, Direction, HybridSystem};
use contact_model::scene::description::{Report, SceneDescription};
use contact_model::scene::layout::Deflections;
use contact_model::scene::{Parameters, Scene, UserFunctions};
use fmu_build::scene_file;
use fmu_core::instance::lifecycle::Resources;
use fmu_core::instance::variables::structure::ModelStructure;
use fmu_core::instance::variables::{DataType, Family, Initial, Quantity, VariableTable};
use fmu_core::instance::{Instance, Log, Options, Standard};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Random states of each example.
const STATES: usize = 1000;
/// One of so many is in contact, or more.
const IN_CONTACT: usize = 20;
/// Newton steps towards a depth of a pair.
const NEWTON_STEPS: usize = 6;
/// Largest of them, as a part of the slope of the depth by positions.
const LARGEST_STEP: f64 = 2.0;
/// So many of the smallest distances are outputs; one of these pairs is moved into contact.
const CLOSEST: usize = 3;
/// Derivatives are taken by so many states and inputs at each random state, or by all.
const KNOWNS: usize = 24;
/// Examples with so many states or fewer report all pairs.
const SMALL: usize = 100;

/// Changes a scene.
type Change = fn(&mut SceneDescription);

/// Derivatives of rates, indicators and outputs.
type Derivatives = [Vec<f64>; 3];

/// A model with the lists of what its unknowns depend on.
struct Case {
    name: String,
    system: System,
    /// Rates, indicators and outputs as `derivatives_along` orders them.
    unknowns: [Vec<Quantity>; 3],
    /// Listed knowns of each unknown, by value reference; none where everything may enter.
    listed: BTreeMap<u32, Option<BTreeSet<u32>>>,
    table: VariableTable,
    time: f64,
    states: Vec<f64>,
    inputs: Vec<f64>,
    random: Random,
}

/// What was found in the states of an example.
#[derive(Default)]
struct Found {
    states: usize,
    in_contact: usize,
    /// Unknowns and knowns of derivatives that are not 0.
    pairs: BTreeSet<(u32, u32)>,
}

/// Outputs as [`HybridSystem::derivatives_along`] orders them.
fn outputs(scene: &Scene) -> Vec<Quantity> {
    let outputs = 0..scene.outputs().len();
    let mut list: Vec<Quantity> = outputs.map(|i| Family::Output.of(i)).collect();
    // The energies, behind the number of contacts.
    list.extend((1..4).map(|i| Family::Sum.at(0, i)));
    for body in 0..scene.bodies().len() {
        list.extend((0..6).map(|i| Family::Wrench.at(body, i)));
    }
    for report in 0..scene.reported().len() {
        // The gap, then, behind the penetration, all from its rate to the torque.
        let items = std::iter::once(1).chain(3..21);
        list.extend(items.map(|item| Family::Report.at(report, item)));
    }
    for sum in 0..scene.sums().len() {
        // Force, moment and power, behind the smallest gap.
        list.extend((3..10).map(|item| Family::ContactSum.at(sum, item)));
    }
    // The distance of the named pair of a sum is its smallest gap.
    let sum_of = |pair: NamedPairId| scene.sums().position(|sum| sum.named == pair);
    list.extend(scene.named_pairs().keys().map(|pair| match sum_of(pair) {
        Some(sum) => Family::ContactSum.at(sum.into(), 2),
        None => Family::PairDistance.of(pair.into()),
    }));
    let closest = scene.contact().closest_distances as usize;
    list.extend((0..closest).map(|i| Family::ClosestDistance.of(i)));
    list
}

/// An example with all outputs, and the functions that its laws call.
fn example(folder: &Path) -> (SceneDescription, Arc<UserFunctions>) {
    let compiled = folder.ends_with("user_law").then(user_law::example);
    let place = compiled.as_ref().map_or(folder, |own| own.path());
    let loaded = scene_file::read(&place.join("scene.toml")).expect("a scene");
    let library = place.join("librubber.so");
    let functions = UserFunctions::load(&loaded.scene, |_| Ok(library.clone()));
    let functions = functions.expect("the library of the only example that has one");
    let mut description = loaded.description;
    description.energy_balance = true;
    description.contact.closest_distances = CLOSEST as u32;
    if loaded.scene.layout().count() <= SMALL {
        description.report = Report::All;
    }
    for joint in &mut description.joints {
        joint.reaction = true;
        joint.power = !joint.kind.is_free();
    }
    (description, functions)
}

impl Case {
    fn new(folder: &Path, change: Change) -> Self {
        let (mut description, functions) = example(folder);
        change(&mut description);
        let scene = Arc::new(Scene::new(description).expect("a valid scene"));
        let start = Parameters::start(&scene);
        let system = System::with_functions(Arc::clone(&scene), &start, &functions);
        let system = system.expect("good parameters");
        let table = VariableTable::new(&scene, Standard::Fmi3);
        let structure = ModelStructure::new(&scene, &table);
        let lists = [
            structure.outputs,
            structure.state_derivatives,
            structure.event_indicators,
        ];
        let listed = lists.into_iter().flatten().map(|unknown| {
            let knowns = unknown.dependencies.map(BTreeSet::from_iter);
            (unknown.reference, knowns)
        });
        let unknowns = [
            (0..system.state_count())
                .map(|i| Family::Derivative.of(i))
                .collect(),
            (0..system.indicator_count())
                .map(|i| Family::Indicator.of(i))
                .collect(),
            outputs(&scene),
        ];
        assert_eq!(unknowns[2].len(), system.output_count());
        Case {
            name: folder.display().to_string(),
            unknowns,
            listed: listed.collect(),
            table,
            time: 0.0,
            states: scene.start_states(),
            inputs: scene.start_inputs().raw,
            random: Random::new(1),
            system,
        }
    }

    /// Changes numbers by a part of `scale`.
    fn shake(random: &mut Random, numbers: &mut [f64], scale: f64) {
        for number in numbers {
            *number += scale * random.between(-1.0, 1.0);
        }
    }

    /// Scales quaternions of links to length 1.
    fn normalize(scene: &Scene, states: &mut [f64]) {
        for (link, joint) in scene.links().iter_enumerated() {
            if let Some(first) = joint.kind.quaternion() {
                let place = scene.layout().positions(link).start + first;
                let quaternion = &mut states[place..place + 4];
                let length = quaternion.iter().map(|c| c * c).sum::<f64>().sqrt();
                quaternion.iter_mut().for_each(|c| *c /= length);
            }
        }
    }

    /// Draws time, states and inputs around those of the start, and in two of three cases moves
    /// them on until a pair is in contact. None if the model cannot be there.
    fn draw(&mut self) -> Option<()> {
        let scene = Arc::clone(self.system.scene());
        let layout = scene.layout();
        let random = &mut self.random;
        self.time = 1.0 + random.between(-1.0, 1.0);
        self.states = scene.start_states();
        self.inputs = scene.start_inputs().raw;
        // From 1 um to 1 m or 1 rad: resting contacts stay, pendulums turn over.
        let scale = 10f64.powf(3.0 * random.between(-1.0, 1.0) - 3.0);
        for link in scene.links().keys() {
            Self::shake(random, &mut self.states[layout.positions(link)], scale);
            Self::shake(random, &mut self.states[layout.rates(link)], 1.0);
        }
        Self::shake(random, &mut self.states[layout.contacts()], 1e-6);
        Self::shake(random, &mut self.inputs, scale.min(0.1));
        Self::normalize(&scene, &mut self.states);
        let since = (random.index(2) == 0).then_some(self.time - 1e-3);
        self.system.set_inputs(&self.inputs, since);
        match random.index(3) {
            0 => self.settle(),
            _ => self.touch(&scene),
        }
    }

    /// Finds contacts and stops at the present time, states and inputs.
    fn settle(&mut self) -> Option<()> {
        self.system.clear_ledger();
        let update = self.system.update_event(self.time, &mut self.states);
        update.ok().map(|_| ())
    }

    /// Derivative of an output by positions, or by [`KNOWNS`] of them drawn at random; 0 elsewhere.
    fn slopes(&mut self, scene: &Scene, output: usize) -> Option<Vec<f64>> {
        let links = scene.links().keys();
        let positions: Vec<usize> = links.flat_map(|l| scene.layout().positions(l)).collect();
        let first = self.random.index(positions.len());
        let mut slopes = vec![0.0; self.states.len()];
        let inputs = vec![0.0; self.inputs.len()];
        for k in 0..positions.len().min(KNOWNS) {
            let index = positions[(first + k) % positions.len()];
            let mut direction = vec![0.0; self.states.len()];
            direction[index] = 1.0;
            slopes[index] = self.along(&direction, &inputs)?[2][output];
        }
        Some(slopes)
    }

    /// Moves the states until one of the closest pairs has some depth, as far as Newton's method
    /// along the steepest direction finds that; none if the model cannot be where it goes.
    fn touch(&mut self, scene: &Scene) -> Option<()> {
        let chosen = self.random.index(CLOSEST.min(scene.slot_count().max(1)));
        let output = self.unknowns[2].len() - CLOSEST + chosen;
        let depth = 10f64.powf(1.5 * self.random.between(-1.0, 1.0) - 5.5);
        let inputs = vec![0.0; self.inputs.len()];
        self.settle()?;
        let direction = self.slopes(scene, output)?;
        for _ in 0..NEWTON_STEPS {
            let slope = self.along(&direction, &inputs)?[2][output];
            let outputs = self.system.outputs(self.time, &self.states).ok()?;
            let step = -(depth + outputs.closest_distances[chosen]) / slope;
            if !step.is_finite() {
                break;
            }
            let step = step.clamp(-LARGEST_STEP, LARGEST_STEP);
            for (state, part) in self.states.iter_mut().zip(&direction) {
                *state += step * part;
            }
            Self::normalize(scene, &mut self.states);
            self.settle()?;
        }
        Some(())
    }

    /// The exact derivatives along a direction; none if they are not finite.
    fn along(&mut self, states: &[f64], inputs: &[f64]) -> Option<Derivatives> {
        let mut found = [0, 1, 2].map(|i| vec![f64::NAN; self.unknowns[i].len()]);
        let [rates, indicators, outputs] = &mut found;
        let along = Along {
            rates,
            indicators,
            outputs,
        };
        let direction = Direction {
            time: 0.0,
            states,
            inputs,
        };
        let system = &mut self.system;
        let done = system.derivatives_along(self.time, &self.states, &[direction], &mut [along]);
        done.ok().map(|()| found)
    }

    /// Asks that each unknown whose derivative is not 0 lists `known`. Returns false if there are no
    /// derivatives.
    fn check_along(
        &mut self,
        known: Quantity,
        (states, inputs): (&[f64], &[f64]),
        found: &mut Found,
    ) -> bool {
        let Some(along) = self.along(states, inputs) else {
            return false;
        };
        let known = self.table.reference(known).expect("a known");
        for (quantities, derivatives) in self.unknowns.iter().zip(&along) {
            for (quantity, derivative) in quantities.iter().zip(derivatives) {
                let reference = self.table.reference(*quantity);
                let Some(reference) = reference.filter(|_| *derivative != 0.0) else {
                    continue;
                };
                if let Some(Some(list)) = self.listed.get(&reference) {
                    found.pairs.insert((reference, known));
                    assert!(
                        list.contains(&known),
                        "{}: {quantity:?} changes with {:?}, which it does not list",
                        self.name,
                        self.table.quantity(known)
                    );
                }
            }
        }
        true
    }

    /// Checks derivatives by states and inputs where the model is. Returns false if there are none.
    fn check_here(&mut self, found: &mut Found) -> bool {
        let (n, m) = (self.states.len(), self.inputs.len());
        let first = self.random.index(n + m);
        for index in (0..(n + m).min(KNOWNS)).map(|k| (first + k) % (n + m)) {
            let mut direction = vec![0.0; n + m];
            direction[index] = 1.0;
            let known = match index.checked_sub(n) {
                None => Family::State.of(index),
                Some(input) => Family::Input.of(input),
            };
            if !self.check_along(known, direction.split_at(n), found) {
                return false;
            }
        }
        true
    }

    /// Draws so many states, and some more: what overlaps too deeply has no finite forces.
    fn check(&mut self, states: usize) -> Found {
        let mut found = Found::default();
        for _ in 0..states + states / 10 {
            if found.states < states && self.draw().is_some() && self.check_here(&mut found) {
                found.states += 1;
                found.in_contact += usize::from(!self.system.ledger().contacts().is_empty());
            }
        }
        found
    }
}

fn examples() -> Vec<PathBuf> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let entries = fs::read_dir(examples).expect("a readable folder");
    let mut folders: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|folder| folder.join("scene.toml").exists() && !folder.ends_with("silo"))
        .collect();
    folders.sort();
    folders
}

#[test]
fn no_unknown_of_an_example_has_a_derivative_by_what_it_does_not_list() {
    check_examples(STATES / 100);
}

#[test]
#[ignore = "long: a soak of a thousand states of each example"]
fn no_unknown_of_an_example_has_a_derivative_anywhere_by_what_it_does_not_list() {
    check_examples(soak(STATES));
}

#[test]
fn no_unknown_has_a_derivative_by_what_it_does_not_list_where_slots_stick() {
    let examples = examples();
    let shapes = examples.iter().find(|folder| folder.ends_with("shapes"));
    let stick: Change = |scene| scene.contact.law.friction = FrictionKind::Stick;
    let mut case = Case::new(
        shapes.expect("an example with fewer slots than pairs"),
        stick,
    );
    let deflections = case.system.scene().layout().deflections();
    assert!(matches!(deflections, Deflections::OfSlots(24)));
    check_case(&mut case, STATES / 10);
}

fn check_examples(states: usize) {
    for folder in examples() {
        check_case(&mut Case::new(&folder, |_| {}), states);
    }
}

fn check_case(case: &mut Case, states: usize) {
    let found = case.check(states);
    assert_eq!(found.states, states, "{}", case.name);
    // Of stages of a rocket none can touch.
    let has_pairs = !case.system.scene().pairs().is_empty();
    assert!(
        found.in_contact >= states / IN_CONTACT || !has_pairs,
        "{}: {} states in contact",
        case.name,
        found.in_contact
    );
    assert!(
        found.pairs.len() > 2 * case.states.len(),
        "{}: {} unknowns and knowns",
        case.name,
        found.pairs.len()
    );
}

/// Changes of a start value, relative to it or to 1: contacts stay, contacts and impulses start.
const CHANGES: [f64; 3] = [1e-7, 1e-2, -1e-2];

/// An instance in Initialization Mode.
struct Start {
    scene: Arc<Scene>,
    instance: Instance,
    table: VariableTable,
    /// References and listed knowns of unknowns that list any.
    unknowns: Vec<(u32, BTreeSet<u32>)>,
}

impl Start {
    fn new(description: SceneDescription, functions: Arc<UserFunctions>) -> Self {
        let scene = Arc::new(Scene::new(description).expect("a valid scene"));
        let time = scene.experiment().start_time;
        let table = VariableTable::new(&scene, Standard::Fmi3);
        let structure = ModelStructure::new(&scene, &table).initial_unknowns;
        let is_number = |unknown: &u32| {
            let quantity = table.quantity(*unknown).expect("a variable");
            quantity.data_type(&scene) == DataType::Float64
        };
        let listed = structure.into_iter().filter_map(|unknown| {
            let knowns = unknown.dependencies?;
            Some((unknown.reference, BTreeSet::from_iter(knowns)))
        });
        let unknowns = listed.filter(|(unknown, _)| is_number(unknown)).collect();
        let resources = Resources {
            scene: Arc::clone(&scene),
            functions,
            token: "token".into(),
        };
        let instance = Instance::new(Options::MODEL_EXCHANGE, resources, Log::new(None, false));
        let mut instance = instance.expect("an instance");
        let entered = instance.enter_initialization(None, time, None);
        entered.expect("Initialization Mode");
        Start {
            scene,
            instance,
            table,
            unknowns,
        }
    }

    fn value(&mut self, reference: u32) -> Option<Vec<u64>> {
        let mut values = vec![0.0; self.table.elements(reference).len()];
        self.instance.get_float64(&[reference], &mut values).ok()?;
        Some(values.iter().map(|value| value.to_bits()).collect())
    }

    /// Values of all unknowns; none if the model cannot start there.
    fn values(&mut self) -> Option<Vec<Vec<u64>>> {
        let references: Vec<u32> = self.unknowns.iter().map(|unknown| unknown.0).collect();
        references
            .into_iter()
            .map(|unknown| self.value(unknown))
            .collect()
    }

    /// Changes each start value. Returns the changes found, and those that are not listed.
    fn check(&mut self) -> (usize, Vec<String>) {
        let before = self.values().expect("a start");
        let (mut found, mut missing) = (0, BTreeSet::new());
        let knowns: Vec<(u32, Quantity)> = self.table.quantities().collect();
        for (known, quantity) in knowns {
            let is_known = matches!(
                quantity.family,
                Family::State | Family::Parameter | Family::Input
            );
            let is_computed = quantity.initial(&self.scene) == Some(Initial::Calculated);
            if !is_known || is_computed || quantity.data_type(&self.scene) != DataType::Float64 {
                continue;
            }
            let mut start = vec![0.0; self.table.elements(known).len()];
            let read = self.instance.get_float64(&[known], &mut start);
            read.expect("a start value");
            for change in CHANGES {
                let other: Vec<f64> = start
                    .iter()
                    .map(|x| x + change * x.abs().max(1.0))
                    .collect();
                if self.instance.set_float64(&[known], &other).is_err() {
                    continue;
                }
                let after = self.values();
                let reset = self.instance.set_float64(&[known], &start);
                reset.expect("the value before");
                let changes = before
                    .iter()
                    .zip(after.iter().flatten())
                    .zip(&self.unknowns);
                for (_, (unknown, listed)) in changes.filter(|((one, other), _)| one != other) {
                    found += 1;
                    if !listed.contains(&known) {
                        let name = self.table.quantity(*unknown);
                        missing.insert(format!("{name:?} changes with {quantity:?}"));
                    }
                }
            }
        }
        (found, missing.into_iter().collect())
    }
}

#[test]
#[ignore = "long: each start value of each example"]
fn no_unknown_of_initialization_mode_changes_with_a_start_value_that_it_does_not_list() {
    let rocket = |folder: &&PathBuf| folder.ends_with("two_stage_rocket");
    let examples = examples();
    let rocket = examples
        .iter()
        .find(rocket)
        .expect("an example with a latch");
    let mut cases: Vec<(&PathBuf, Change)> =
        examples.iter().map(|e| (e, (|_| {}) as Change)).collect();
    cases.push((rocket, |scene| scene.latches[0].open_time = Some(0.0)));
    cases.push((rocket, |scene| {
        (scene.latches[0].open_time, scene.latches[0].close_time) = (None, Some(0.0));
        scene.joints[0].rates = vec![0.1; 6];
    }));
    cases.push((rocket, |scene| {
        (scene.latches[0].open_time, scene.latches[0].input) = (None, true);
    }));
    let mut all_missing = Vec::new();
    for (folder, change) in cases {
        let (mut description, functions) = example(folder);
        change(&mut description);
        let (found, missing) = Start::new(description, functions).check();
        println!(
            "{}: {found} changes, {} missing",
            folder.display(),
            missing.len()
        );
        assert!(found > 0, "{}", folder.display());
        all_missing.extend(
            missing
                .into_iter()
                .map(|text| format!("{}: {text}", folder.display())),
        );
    }
    assert!(all_missing.is_empty(), "{}", all_missing.join("\n"));
}
