//! Cost of one evaluation as a solver asks for it: state derivatives, then event indicators of the
//! same new state, and of the look into a step for contacts. One and a hundred spheres on a box, in
//! flight and in contact.

#[path = "../tests/fixtures/mod.rs"]
mod fixtures;

use contact_geometry::math::dense::DenseStep;
use contact_model::dynamics::System;
use contact_model::hybrid::HybridSystem;
use contact_model::scene::{Parameters, Scene, SceneDescription};
use criterion::{Criterion, criterion_group, criterion_main};
use fixtures::{ball, plate_of, steel_scene};
use std::hint::black_box;
use std::sync::Arc;

/// Spheres of 0.2 m on a square grid with 0.3 m pitch, `gap` over a steel box.
fn spheres_on_a_box(count: usize, gap: f64) -> SceneDescription {
    let side = (count as f64).sqrt().ceil() as usize;
    let mut bodies = vec![plate_of(10.0)];
    for i in 0..count {
        let position = [0.3 * (i % side) as f64, 0.3 * (i / side) as f64, 0.1 + gap];
        let mut sphere = ball(&format!("ball_{i}"), position);
        sphere.velocity = [0.3, 0.2, -0.1];
        sphere.angular_velocity = [1.0, 2.0, 3.0];
        bodies.push(sphere);
    }
    steel_scene(bodies)
}

fn evaluations(criterion: &mut Criterion) {
    for count in [1, 100] {
        for (state, gap) in [("flight", 0.05), ("contact", -1e-5)] {
            let scene = Arc::new(Scene::new(spheres_on_a_box(count, gap)).expect("a valid scene"));
            let mut system = System::new(Arc::clone(&scene), &Parameters::start(&scene))
                .expect("valid parameters");
            let mut x = scene.start_states();
            system.update_event(0.0, &mut x).expect("an event update");
            assert_eq!(
                system.ledger().contacts().len(),
                if gap < 0.0 { count } else { 0 }
            );
            let mut rates = vec![0.0; x.len()];
            let mut z = vec![0.0; system.indicator_count()];
            criterion.bench_function(
                &format!("derivatives and indicators, {count} spheres in {state}"),
                |b| {
                    b.iter(|| {
                        // Never the same state twice, so that nothing is answered from memory.
                        x[0] += 1e-15;
                        system
                            .derivatives(0.0, black_box(&x), &mut rates)
                            .expect("derivatives");
                        system
                            .indicators(0.0, black_box(&x), &mut z)
                            .expect("indicators");
                        black_box((&rates, &z));
                    });
                },
            );
        }
    }
}

/// The look into a step that a master's integrator takes, and the indicators that hold the minimum
/// since the last one, both 1 ms after the start.
fn looks_into_steps(criterion: &mut Criterion) {
    for count in [1, 100] {
        for (state, gap) in [("far", 0.05), ("near", 1e-5)] {
            let scene = Arc::new(Scene::new(spheres_on_a_box(count, gap)).expect("a valid scene"));
            let mut system = System::new(Arc::clone(&scene), &Parameters::start(&scene))
                .expect("valid parameters");
            let mut x = scene.start_states();
            system.set_guarded(true);
            system.update_event(0.0, &mut x).expect("an event update");
            let mut z = vec![0.0; system.indicator_count()];
            criterion.bench_function(
                &format!("guarded indicators, {count} spheres {state}"),
                |b| {
                    b.iter(|| {
                        x[0] += 1e-15;
                        system
                            .indicators(1e-3, black_box(&x), &mut z)
                            .expect("indicators");
                        black_box(&z);
                    });
                },
            );
            system.set_guarded(false);
            system.indicators(0.0, &x, &mut z).expect("indicators");
            let (end, n) = (x.clone(), x.len());
            // Nothing moves but along the velocities, for a step of 1 ms.
            let mut rows = vec![0.0; 5 * n];
            rows[..n].copy_from_slice(&x);
            for body in 0..count {
                for i in 13 * body..13 * body + 3 {
                    rows[n + i] = 1e-3 * x[i + 7];
                }
            }
            let step = DenseStep::new(0.0, 1e-3, &x, &end, &rows);
            criterion.bench_function(&format!("first entry, {count} spheres {state}"), |b| {
                b.iter(|| black_box(system.first_entry(black_box(&step), &z)));
            });
        }
    }
}

/// Binding makes the table of the damping; binding again with other numbers keeps it.
fn binding(criterion: &mut Criterion) {
    for count in [1, 1000] {
        let scene = Arc::new(Scene::new(spheres_on_a_box(count, 0.05)).expect("a valid scene"));
        let parameters = Parameters::start(&scene);
        let new = || System::new(Arc::clone(&scene), &parameters).expect("valid parameters");
        criterion.bench_function(&format!("binding, {count} spheres"), |b| b.iter(new));
        let mut system = new();
        criterion.bench_function(&format!("binding again, {count} spheres"), |b| {
            b.iter(|| system.rebind(black_box(&parameters)));
        });
    }
}

criterion_group!(benches, evaluations, looks_into_steps, binding);
criterion_main!(benches);
