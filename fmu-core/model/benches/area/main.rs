//! Cost of contact over an area: a query of two shapes, alone and with a derivative, the force law on
//! its nodes, the derivatives of a box on a box, and a second of a box that lands, rests or slides.
//! `compare.py` beside it runs the same scenes in Drake and MuJoCo.

#[path = "../../tests/fixtures/mod.rs"]
mod fixtures;
#[path = "../../tests/running.rs"]
mod running;

use contact_geometry::math::spatial::{exponential, quaternion};
use contact_geometry::math::{Dual, Pose, Real, Vec3};
use contact_geometry::narrow_phase::area::{Patch, Placed};
use contact_geometry::shapes::{Hull, RoundedShape};
use contact_laws::response::choice::{FrictionKind, NormalKind};
use contact_laws::response::{LawChanges, Number};
use contact_model::dynamics::System;
use contact_model::hybrid::HybridSystem;
use contact_model::scene::description::{Form, Motion, PairResponse, SceneDescription};
use contact_model::scene::{Parameters, Scene};
use criterion::{Criterion, criterion_group, criterion_main};
use fixtures::{ball, body, plate, steel_scene};
use running::Run;
use std::hint::black_box;
use std::sync::Arc;

/// Pressure over depth of each layer [N/m3].
const STIFFNESS: f64 = 2e12;
/// Overlap [m].
const DEPTH: f64 = 1e-6;
/// More faces than two hulls of 30 points have.
const FACES: usize = 64;

fn at(position: [f64; 3], turn: [f64; 3]) -> Pose {
    Pose {
        position: Vec3::from(position),
        rotation: exponential(&Vec3::from(turn)),
    }
}

/// 30 points of a sphere of 0.1 m that a golden angle takes from pole to pole.
fn stone() -> RoundedShape {
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let points: Vec<[f64; 3]> = (0..30)
        .map(|i| {
            let z = 1.0 - (2 * i + 1) as f64 / 30.0;
            let (sin, cos) = Real::sin_cos(golden * i as f64);
            let r = (1.0 - z * z).sqrt();
            [0.05 * r * cos, 0.05 * r * sin, 0.05 * z]
        })
        .collect();
    let point = |i: usize| Vec3::from(points[i]);
    let mut triangles = Vec::new();
    for a in 0..30 {
        for (b, c) in (a + 1..30).flat_map(|b| (a + 1..30).map(move |c| (b, c))) {
            let normal = (point(b) - point(a)).cross(&(point(c) - point(a)));
            if b != c && (0..30).all(|i| normal.dot(&(point(i) - point(a))) < 1e-14) {
                triangles.push([a as u32, b as u32, c as u32]);
            }
        }
    }
    RoundedShape::hull(Hull::new(points, triangles).expect("a hull"), 0.0)
}

/// Cases of two shapes and their poses; the second overlaps the first from above.
fn cases() -> Vec<(&'static str, [(RoundedShape, Pose); 2])> {
    let cube = RoundedShape::cuboid(&[0.1; 3], 0.0);
    let table = || {
        let shape = RoundedShape::cuboid(&[1.0, 1.0, 0.2], 0.0);
        (shape, at([0.0, 0.0, -0.1], [0.0; 3]))
    };
    let high = |turn: [f64; 3]| {
        let rotation = exponential(&Vec3::from(turn));
        0.05 * rotation.row(2).abs().sum() - DEPTH
    };
    let on_table = |turn: [f64; 3]| {
        let pose = at([0.01, 0.02, high(turn)], turn);
        [table(), (cube.clone(), pose)]
    };
    let quarter = std::f64::consts::FRAC_PI_4;
    let below = (stone(), at([0.0; 3], [std::f64::consts::PI, 0.0, 0.0]));
    let mut above = (stone(), at([0.0, 0.0, 0.1], [0.0, 0.0, 0.3]));
    let mut patch = Patch::with_room(FACES);
    while force(
        &mut patch,
        [&below, &above].map(|(shape, pose)| (shape, pose)),
    ) == 0.0
    {
        above.1.position.z -= 1e-5;
    }
    let cylinder = RoundedShape::cylinder(0.1, 0.1, 0.0);
    vec![
        ("box on its face", on_table([0.0, 0.0, 0.3])),
        ("box almost on its face", on_table([1e-6, 2e-6, 0.3])),
        ("box on an edge", on_table([quarter, 0.0, 0.0])),
        ("box on a corner", on_table([0.6, 0.5, 0.0])),
        (
            "box turned on an equal one",
            [
                (cube.clone(), at([0.0, 0.0, -0.05], [0.0; 3])),
                (cube.clone(), at([0.0, 0.0, 0.05 - DEPTH], [0.0, 0.0, 0.4])),
            ],
        ),
        ("hulls of 30 points", [below, above]),
        (
            "standing cylinder",
            [
                table(),
                (cylinder, at([0.01, 0.02, 0.05 - DEPTH], [0.0; 3])),
            ],
        ),
    ]
}

fn with_derivative(pose: &Pose) -> Pose<Dual> {
    Pose {
        position: pose.position.map(|x| Dual::new(x, 0.3)),
        rotation: pose.rotation.map(|x| Dual::new(x, 0.1)),
    }
}

fn force<T: Real>(patch: &mut Patch<T>, shapes: [Placed<'_, T>; 2]) -> T {
    patch.find(shapes, [STIFFNESS; 2], 0.0);
    let force = |nodes: &contact_geometry::narrow_phase::area::Nodes<T>| {
        nodes.sum(Vec3::zeros(), |node| node.normal * node.force)
    };
    force(&patch.nodes).z
}

fn queries(criterion: &mut Criterion) {
    for (name, [one, two]) in cases() {
        let (mut patch, mut dual) = (Patch::with_room(FACES), Patch::with_room(FACES));
        assert!(force(&mut patch, [(&one.0, &one.1), (&two.0, &two.1)]) > 0.0);
        criterion.bench_function(&format!("query, {name}"), |b| {
            b.iter(|| force(&mut patch, black_box([(&one.0, &one.1), (&two.0, &two.1)])));
        });
        let poses = [&one.1, &two.1].map(with_derivative);
        criterion.bench_function(&format!("query with a derivative, {name}"), |b| {
            b.iter(|| {
                force(
                    &mut dual,
                    black_box([(&one.0, &poses[0]), (&two.0, &poses[1])]),
                )
            });
        });
    }
}

/// A cube of 0.1 m, tilted by so much, this high over a plate.
fn landing(tilt: f64, height: f64) -> SceneDescription {
    let form = Form::Box { lengths: [0.1; 3] };
    let turn = exponential(&Vec3::new(tilt, 0.7 * tilt, 0.3));
    let high = 0.05 * turn.row(2).abs().sum();
    let mut cube = body("cube", Motion::Free, form, [0.1, 0.2, high + height]);
    cube.orientation = quaternion(&turn);
    steel_scene(vec![plate(), cube])
}

/// A ball of the mass of the cube with a linear spring as stiff as the face of the cube, or the
/// cube, at rest.
fn resting(is_ball: bool) -> SceneDescription {
    let mut description = match is_ball {
        false => landing(0.0, 0.0),
        true => {
            let mut scene = steel_scene(vec![plate(), ball("ball", [0.0, 0.0, 0.1])]);
            scene.bodies[1].mass.mass = Some(8.0);
            scene
        }
    };
    let spring = match is_ball {
        true => vec![(Number::Stiffness, 1e8), (Number::Exponent, 1.0)],
        false => vec![(Number::StiffnessPerArea, 1e10)],
    };
    let others = [(Number::Restitution, 0.7), (Number::SlidingFriction, 0.5)];
    description.material_pairs[0].response = PairResponse::Law(LawChanges {
        normal: is_ball.then_some(NormalKind::Spring),
        friction: Some(FrictionKind::Regularized),
        numbers: [spring.as_slice(), &others].concat(),
        ..LawChanges::default()
    });
    description
}

fn evaluations(criterion: &mut Criterion) {
    let scenes = [
        ("cube", landing(0.0, -1e-6)),
        ("ball", {
            steel_scene(vec![plate(), ball("ball", [0.0, 0.0, 0.1 - 1e-6])])
        }),
    ];
    for (name, description) in scenes {
        let scene = Arc::new(Scene::new(description).expect("a valid scene"));
        let parameters = Parameters::start(&scene);
        let mut system = System::new(Arc::clone(&scene), &parameters).expect("valid parameters");
        let mut x = scene.start_states();
        system.update_event(0.0, &mut x).expect("an event update");
        assert_eq!(system.ledger().contacts().len(), 1);
        let mut rates = vec![0.0; x.len()];
        criterion.bench_function(&format!("derivatives, {name} in contact"), |b| {
            b.iter(|| {
                // Never the same state twice, so that nothing is answered from memory.
                x[0] += 1e-15;
                let result = system.derivatives(0.0, black_box(&x), &mut rates);
                result.expect("derivatives");
                black_box(&rates);
            });
        });
    }
}

fn seconds(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("1 s at a tolerance of 1e-6");
    group.sample_size(10);
    for (name, description) in [
        ("cube dropped on its face", landing(0.0, 0.05)),
        ("cube dropped on a corner", landing(0.5, 0.05)),
        ("cube at rest", resting(false)),
        ("ball at rest", resting(true)),
    ] {
        group.bench_function(name, |b| {
            b.iter_batched(
                || Run::new(description.clone(), 1e-6),
                |mut run| {
                    run.to(1.0);
                    black_box(run.energy())
                },
                criterion::BatchSize::PerIteration,
            );
        });
    }
}

criterion_group!(benches, queries, evaluations, seconds);
criterion_main!(benches);
