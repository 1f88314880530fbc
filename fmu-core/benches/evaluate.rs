//! Cost of one evaluation as a solver asks for it: state derivatives, then event indicators of the
//! same new state. One and a hundred spheres on a box, in flight and in contact.

use criterion::{Criterion, criterion_group, criterion_main};
use fmu_core::dynamics::System;
use fmu_core::hybrid::HybridSystem;
use fmu_core::response::material::PairData;
use fmu_core::response::options::LawOptions;
use fmu_core::scene::description::{
    BodyDescription, ContactOptions, Experiment, Form, GivenMass, Gravity, Material, MaterialPair,
    Motion, PairResponse, SceneDescription, ShapeDescription,
};
use fmu_core::scene::{Parameters, Scene};
use std::hint::black_box;
use std::sync::Arc;

/// Spheres of 0.2 m on a square grid with 0.3 m pitch, `gap` over a steel box.
fn spheres_on_a_box(count: usize, gap: f64) -> SceneDescription {
    let side = (count as f64).sqrt().ceil() as usize;
    let body = |name: String, motion, form, position| BodyDescription {
        name,
        motion,
        position,
        orientation: [1.0, 0.0, 0.0, 0.0],
        velocity: [0.0; 3],
        angular_velocity: [0.0; 3],
        mass: GivenMass::default(),
        shapes: vec![ShapeDescription {
            name: "shape".into(),
            form,
            position: [0.0; 3],
            orientation: [1.0, 0.0, 0.0, 0.0],
            material: "Steel".into(),
            contact_material: None,
            collision: true,
            smoothing_radius: None,
            contact_sphere_radius: None,
            flat: None,
        }],
    };
    let mut bodies = vec![body(
        "ground".into(),
        Motion::Fixed,
        Form::Box {
            lengths: [10.0, 10.0, 0.1],
        },
        [0.0, 0.0, -0.05],
    )];
    for i in 0..count {
        let position = [0.3 * (i % side) as f64, 0.3 * (i / side) as f64, 0.1 + gap];
        bodies.push(body(
            format!("ball_{i}"),
            Motion::Free,
            Form::Sphere { diameter: 0.2 },
            position,
        ));
        let last = bodies.len() - 1;
        bodies[last].velocity = [0.3, 0.2, -0.1];
        bodies[last].angular_velocity = [1.0, 2.0, 3.0];
    }
    SceneDescription {
        name: "spheres".into(),
        gravity: Gravity::Uniform([0.0, 0.0, -9.81]),
        bodies,
        materials: vec![Material {
            name: "Steel".into(),
            density: 8000.0,
            youngs_modulus: 2e11,
            poissons_ratio: 0.3,
        }],
        material_pairs: vec![MaterialPair {
            materials: ["Steel".into(), "Steel".into()],
            response: PairResponse::Elastic(PairData {
                restitution: 0.7,
                sliding_friction: 0.5,
                rolling_resistance: 0.001,
                v_small: 0.01,
                w_small: 0.01,
            }),
        }],
        contact: ContactOptions {
            law: LawOptions::DEFAULT,
            k_red: 1.0,
            nz_max: None,
            smoothing_radius: 1e-3,
        },
        experiment: Experiment {
            start_time: 0.0,
            stop_time: 1.0,
            tolerance: None,
            step_size: None,
        },
        energy_balance: false,
    }
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

criterion_group!(benches, evaluations);
criterion_main!(benches);
