//! Cost of one evaluation of the derivatives of a chain of links on hinges: 50 and 100 of them, which
//! must cost in proportion.

#[path = "../tests/fixtures/mod.rs"]
mod fixtures;

use contact_model::dynamics::System;
use contact_model::hybrid::HybridSystem;
use contact_model::scene::{Parameters, Scene};
use criterion::{Criterion, criterion_group, criterion_main};
use fixtures::chain;
use std::hint::black_box;
use std::sync::Arc;

fn chains(criterion: &mut Criterion) {
    for links in [50, 100] {
        let scene = Arc::new(Scene::new(chain(links)).expect("a valid scene"));
        let mut system =
            System::new(Arc::clone(&scene), &Parameters::start(&scene)).expect("valid parameters");
        let mut x = scene.start_states();
        let mut rates = vec![0.0; x.len()];
        criterion.bench_function(&format!("derivatives, chain of {links} links"), |b| {
            b.iter(|| {
                // Never the same state twice, so that nothing is answered from memory.
                x[0] += 1e-15;
                system
                    .derivatives(0.0, black_box(&x), &mut rates)
                    .expect("derivatives");
                black_box(&rates);
            });
        });
    }
}

criterion_group!(benches, chains);
criterion_main!(benches);
