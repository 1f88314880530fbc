//! A pair with two contacts: a rod that touches a half-space with both ends, as only tests have it.
//! Each end carries half of the law's force.

use crate::dynamics::System;
use crate::fixtures::{body, steel_scene};
use crate::hybrid::{Along, Direction, HybridSystem};
use crate::index::{BodyId, each};
use crate::integrator::{Integrator, LegEnd, Memory, Settings};
use crate::math::Vec3;
use crate::narrow_phase::patch::tests::with_ends;
use crate::response::Number;
use crate::response::options::FrictionKind;
use crate::scene::description::{Axis, Form, Motion, PairResponse, Report};
use crate::scene::{ContactKey, Parameters, Scene};
use std::sync::Arc;

/// Distance of the ends from the middle [m].
const HALF: f64 = 0.3;
const RADIUS: f64 = 0.1;

/// A rod along x over a half-space, its ends at these depths [m]; a second one beside it, far
/// above.
fn system(depths: [f64; 2], friction: FrictionKind) -> (System, Vec<f64>) {
    let [low, high] = depths;
    let rod = |name: &str, height: f64| {
        let form = Form::Capsule {
            diameter: 2.0 * RADIUS,
            length: 2.0 * HALF,
            axis: Axis::X,
        };
        body(name, Motion::Free, form, [0.0, 0.0, height])
    };
    let ground = body("ground", Motion::Fixed, Form::HalfSpace, [0.0; 3]);
    let mut resting = rod("rod", RADIUS - 0.5 * (low + high));
    let half_angle = 0.5 * ((low - high) / (2.0 * HALF)).asin();
    // The end at -x is the deeper one where `low` is larger: a turn about -y lifts the end at +x.
    resting.orientation = [half_angle.cos(), 0.0, -half_angle.sin(), 0.0];
    let mut far = rod("far", 5.0);
    far.position[1] = 3.0;
    let mut description = steel_scene(vec![ground, resting, far]);
    description.energy_balance = true;
    description.report = Report::All;
    if let PairResponse::Law(changes) = &mut description.material_pairs[0].response {
        changes.friction = Some(friction);
        if friction == FrictionKind::Stick {
            changes.numbers.extend([
                (Number::StaticFriction, 0.6),
                (Number::StaticSpeed, 1e-3),
                (Number::DynamicSpeed, 1e-2),
            ]);
            changes
                .numbers
                .retain(|(number, _)| *number != Number::VSmall);
            changes.numbers.push((Number::VSmall, 0.01));
        }
    }
    let scene = Arc::new(Scene::new(description).expect("a valid scene"));
    let mut system = System::new(Arc::clone(&scene), &Parameters::start(&scene)).expect("a system");
    let mut states = scene.start_states();
    system.update_event(0.0, &mut states).expect("an event");
    (system, states)
}

fn rates(system: &mut System, states: &[f64]) -> Vec<f64> {
    let mut rates = vec![0.0; states.len()];
    system.derivatives(0.0, states, &mut rates).expect("rates");
    rates
}

#[test]
fn a_pair_has_two_contacts_with_slots_names_deflections_and_reports_of_their_own() {
    with_ends(|| {
        let (mut system, states) = system([2e-6, 2e-6], FrictionKind::Stick);
        let scene = Arc::clone(system.scene());
        assert_eq!(system.ledger().contacts().len(), 1);
        let slot = system.ledger().contacts()[0].slot;
        assert_eq!(each(scene.contact_slots().behind(slot)).count(), 2);
        let keys: Vec<ContactKey> = scene
            .contacts_of(system.ledger().contacts()[0].pair)
            .collect();
        assert_eq!(keys.len(), 2);
        let first = scene.layout().contacts().start;
        let names: Vec<String> = (0..6).map(|i| scene.state_name(first + i)).collect();
        assert_eq!(names[0], "contact.ground.rod[1].deflection[1]");
        assert_eq!(names[5], "contact.ground.rod[2].deflection[3]");
        system
            .derivatives(0.0, &states, &mut vec![0.0; states.len()])
            .expect("rates");
        let reported = scene.reported().to_vec();
        let reports = system.reports_here().expect("reports").to_vec();
        let of = |key: &ContactKey| reports[reported.binary_search(key).expect("reported")];
        let [one, two] = [of(&keys[0]), of(&keys[1])];
        assert!(one.in_contact && two.in_contact);
        assert!((one.point_w.x + HALF).abs() < 1e-9 && (two.point_w.x - HALF).abs() < 1e-9);
        assert_eq!(one.normal_force, two.normal_force);
        // Together they are the one contact that the pair has elsewhere.
        let sum = system.outputs_here().expect("outputs").contact_forces[BodyId::from(1)][2];
        assert!((sum - 2.0 * one.normal_force).abs() <= 1e-12 * sum);
    });
    let alone = system([2e-6, 2e-6], FrictionKind::Stick);
    let (mut alone, states) = alone;
    assert_eq!(
        alone.scene().contact_slots().count(),
        alone.scene().slot_count()
    );
    let one = rates(&mut alone, &states);
    with_ends(|| {
        let (mut both, states) = system([2e-6, 2e-6], FrictionKind::Stick);
        let two = rates(&mut both, &states);
        assert!(
            (one[9] - two[9]).abs() <= 1e-12 * one[9].abs(),
            "{} {}",
            one[9],
            two[9]
        );
    });
}

#[test]
fn ends_at_different_depths_turn_the_rod_back() {
    with_ends(|| {
        for depths in [[3e-6, 1e-6], [1e-6, 3e-6]] {
            let (mut system, states) = system(depths, FrictionKind::Regularized);
            let rates = rates(&mut system, &states);
            let numbers = system.model().bodies[BodyId::from(1)].clone();
            let reports = system.reports_here().expect("reports").to_vec();
            let acting: Vec<_> = reports.iter().filter(|report| report.in_contact).collect();
            assert_eq!(acting.len(), 2);
            let center = Vec3::new(states[0], states[1], states[2]);
            let torque = acting.iter().fold(Vec3::zeros(), |sum, report| {
                sum + (report.point_w - center).cross(&report.force_w)
            });
            let expected = numbers.inverse_inertia_b * torque;
            assert!((rates[11] - expected.y).abs() <= 1e-6 * expected.y.abs());
            // The deeper end is lifted: a turn about y lowers the end at +x.
            assert_eq!(rates[11] > 0.0, depths[0] > depths[1]);
        }
    });
}

#[test]
fn derivatives_along_a_direction_are_those_of_both_contacts() {
    with_ends(|| {
        let (mut system, mut states) = system([3e-6, 1e-6], FrictionKind::Stick);
        let n = states.len();
        let deflections = system.scene().layout().contacts();
        for (i, state) in deflections.clone().take(6).enumerate() {
            states[state] = 1e-8 * (i as f64 - 2.0);
        }
        states[7] = 1e-4;
        let inputs = [];
        let indices: Vec<usize> = (0..13).chain(deflections.take(6)).collect();
        let exact: Vec<Vec<f64>> = indices
            .iter()
            .map(|index| {
                let mut unit = vec![0.0; n];
                unit[*index] = 1.0;
                let direction = Direction {
                    states: &unit,
                    inputs: &inputs,
                };
                let mut rates = vec![0.0; n];
                let mut along = Along {
                    rates: &mut rates,
                    indicators: &mut [],
                    outputs: &mut [],
                };
                system
                    .derivatives_along(0.0, &states, &direction, &mut along)
                    .expect("derivatives");
                rates
            })
            .collect();
        for (index, column) in indices.iter().zip(&exact) {
            // So that the ends move by some thousandths of their depths.
            let h = if *index < 7 { 1e-9 } else { 1e-8 };
            let mut at = |shift: f64| {
                let mut moved = states.clone();
                moved[*index] += shift;
                rates(&mut system, &moved)
            };
            let (up, down) = (at(h), at(-h));
            for i in 0..n {
                let difference = (up[i] - down[i]) / (2.0 * h);
                let error = (column[i] - difference).abs();
                let largest = exact
                    .iter()
                    .fold(0.0_f64, |most, rates| most.max(rates[i].abs()));
                assert!(
                    error <= 1e-5 * largest,
                    "{index} {i}: {error:e} of {largest:e}"
                );
            }
        }
    });
}

#[test]
fn energy_is_kept_from_the_drop_to_the_end_of_both_contacts() {
    with_ends(|| {
        for friction in [FrictionKind::Regularized, FrictionKind::Stick] {
            let (mut system, mut states) = system([-1e-3, -1e-3], friction);
            states[7] = 0.2;
            let settings = Settings::new(1e-10).expect("a tolerance");
            let indicators = system.indicator_count();
            let mut integrator = Integrator::new(states.len(), indicators, settings);
            let (mut memory, mut time) = (Memory::default(), 0.0);
            let balance = system.scene().layout().work().expect("a balance");
            let total = |system: &mut System, time: f64, states: &[f64]| {
                let outputs = system.outputs(time, states).expect("outputs");
                let stored = outputs.potential_energy + outputs.elastic_energy;
                outputs.kinetic_energy + stored + states[balance]
            };
            let start = total(&mut system, time, &states);
            let mut contacts = 0;
            for end in (1..=40).map(|k| 1e-3 * f64::from(k)) {
                loop {
                    let stop = integrator
                        .advance(&mut system, &mut memory, &mut time, &mut states, end, None)
                        .expect("a step");
                    if stop == LegEnd::End {
                        break;
                    }
                    system.update_event(time, &mut states).expect("an event");
                    contacts += system.contact_changes().len();
                    memory.restart();
                }
                let now = total(&mut system, time, &states);
                assert!(
                    (now - start).abs() < 1e-7 * start.abs(),
                    "{end}: {now} {start}"
                );
            }
            assert!(contacts >= 2, "the rod touches and parts");
            assert!(states[balance] > 1e-4, "an impact dissipates");
        }
    });
}
