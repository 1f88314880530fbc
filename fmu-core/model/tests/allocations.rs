//! Evaluations, steps and their ends allocate nothing once they have met what they meet.

use crate::counting::count;
use crate::fixtures::*;
use crate::running::Run;
use crate::{derivatives, fixtures};
use contact_model::hybrid::{Along, Direction};
use std::f64::consts::FRAC_PI_4;

/// A box, a hull and a cylinder 0.1 mm deep in the ground, on a face, an edge and a corner and
/// turned about the vertical, from the first evaluation in contact on.
#[test]
fn contact_over_an_area_allocates_nothing_whatever_touches() {
    let (side, deep) = (0.1, 1e-4);
    let cylinder = cylinder(side, side, Axis::Z);
    let corners = [[0.0; 2], [side, 0.0], [0.0, side]].map(|[x, y]| [x - 0.03, y - 0.03, 0.05]);
    let part = fixtures::prism(corners, side);
    let solid = Solid {
        volume: 0.5 * side.powi(3),
        centroid: [0.1 / 3.0 - 0.03, 0.1 / 3.0 - 0.03, 0.0],
        inertia: [1e-6, 1e-6, 1e-6, 0.0, 0.0, 0.0],
        lower: [-0.03, -0.03, -0.05],
        upper: [0.07, 0.07, 0.05],
    };
    let forms = [cuboid([side; 3]), Form::Hull { solid, part }, cylinder];
    let grounds = [
        (Form::HalfSpace, [0.0; 3]),
        (cuboid([2.0, 2.0, 0.1]), [0.0, 0.0, -0.05]),
    ];
    for (form, (ground, at)) in forms
        .iter()
        .flat_map(|form| grounds.iter().map(move |ground| (form, ground)))
    {
        let description = fixtures::steel_scene(vec![
            fixtures::body("ground", Motion::Fixed, ground.clone(), *at),
            fixtures::body("part", Motion::Free, form.clone(), [0.0, 0.0, 1.0]),
        ]);
        let scene = valid(description);
        let start = Parameters::start(&scene);
        let mut model = System::new(Arc::clone(&scene), &start).expect("good parameters");
        let mut x = scene.start_states();
        let mut rates = rates(&mut model, 0.0, &x);
        let mut gaps = vec![0.0; model.indicator_count()];
        for tilt in [0.0, 1e-9, 1e-4, 0.3, FRAC_PI_4, 0.9553] {
            for turn in [0.0, 0.1, FRAC_PI_4, 1.0] {
                let tilted = exponential(&Vec3::new(0.0, tilt, 0.0));
                let turned = exponential(&Vec3::new(0.0, 0.0, turn));
                let q = quaternion(&(tilted * turned));
                x[3..7].copy_from_slice(&q);
                x[2] = 1.0;
                model.indicators(0.0, &x, &mut gaps).expect("indicators");
                // Deep enough for the hysteresis not to matter.
                x[2] -= gaps[0] + deep;
                model.update_event(0.0, &mut x).expect("an event update");
                let before = count();
                model.derivatives(0.0, &x, &mut rates).expect("derivatives");
                model.outputs(0.0, &x).expect("outputs");
                let allocations = count() - before;
                let what = format!("{} on {} at {tilt}, {turn}", form.key(), ground.key());
                assert_eq!(allocations, 0, "{what}");
                // It touches: a corner as little as that.
                assert!(rates[9] > -9.8, "{what}: {}", rates[9]);
            }
        }
    }
}

/// A ball and a cube at rest, by the implicit formula, leg by leg.
#[test]
fn implicit_steps_at_rest_allocate_nothing() {
    let cube = cuboid([0.1; 3]);
    let mut run = Run::new(
        fixtures::steel_scene(vec![
            fixtures::plate(),
            fixtures::ball("ball", [0.0, 0.0, 0.101]),
            fixtures::body("cube", Motion::Free, cube, [0.5, 0.0, 0.051]),
        ]),
        1e-6,
    );
    run.to(3.0);
    run.to(3.1);
    assert!(run.memory.is_implicit());
    let before = count();
    // With the Jacobian of an earlier start, and each time after a new one.
    for (first, restarts) in [(3.1, false), (3.6, true)] {
        let columns = run.memory.statistics().direction_calls;
        for leg in 1..=50 {
            if restarts {
                run.memory.restart();
            }
            run.to(first + 0.01 * f64::from(leg));
        }
        assert_eq!(run.memory.statistics().direction_calls > columns, restarts);
    }
    assert_eq!(count() - before, 0);
}

/// Balls that drift to and fro over a hilly ground, far more pairs than indicators.
#[test]
fn completed_steps_that_choose_among_many_pairs_allocate_nothing() {
    use fixtures::{ball, steel_scene, terrain};
    let mut bodies = vec![terrain("terrain", 12, 0.5)];
    for index in 0..36 {
        let place = [0.9 * (index % 6) as f64, 0.9 * (index / 6) as f64, 0.6];
        bodies.push(ball(&format!("ball_{index}"), place));
    }
    let mut description = steel_scene(bodies);
    description.contact.nz_max = Some(150);
    let scene = valid(description);
    let start = Parameters::start(&scene);
    let mut model = System::new(Arc::clone(&scene), &start).expect("good parameters");
    let mut x = scene.start_states();
    model.update_event(0.0, &mut x).expect("an event update");
    let mut round = |model: &mut System| {
        let before = count();
        for step in 0..400 {
            let phase = std::f64::consts::TAU * f64::from(step) / 400.0;
            for (index, ball) in x.chunks_exact_mut(13).enumerate() {
                ball[0] = 0.9 * (index % 6) as f64 + 0.8 * (phase + index as f64).sin();
            }
            model.completed_step(0.0, &x).expect("a completed step");
        }
        count() - before
    };
    // The first round meets all that the second does.
    round(&mut model);
    assert_eq!(round(&mut model), 0);
}

/// A chain of links with something along each coordinate, and reactions.
#[test]
fn evaluations_of_a_tree_allocate_nothing() {
    let mut description = fixtures::chain(5);
    for joint in &mut description.joints {
        joint.forces[0].damping = 0.1;
        joint.forces[0].input = true;
        joint.reaction = true;
    }
    let scene = valid(description);
    let start = Parameters::start(&scene);
    let mut model = System::new(Arc::clone(&scene), &start).expect("good parameters");
    let mut x = scene.start_states();
    let mut rates = vec![0.0; x.len()];
    let before = count();
    for step in 0..10 {
        x[0] += 0.1;
        model.set_inputs(&[0.1 * f64::from(step); 5], None);
        model.derivatives(0.0, &x, &mut rates).expect("derivatives");
        model.outputs(0.0, &x).expect("outputs");
        for index in 0..scene.outputs().len() {
            model.output_here(index.into()).expect("an output");
        }
    }
    assert_eq!(count() - before, 0);
}

/// Scenes of all kinds, at states that change: the first call makes the work arrays.
#[test]
fn derivatives_along_a_direction_allocate_nothing_after_the_first_call() {
    for mut case in derivatives::cases(true) {
        let system = &mut case.system;
        let counts = [
            case.states.len(),
            system.indicator_count(),
            system.output_count(),
        ];
        let [mut rates, mut indicators, mut outputs] = counts.map(|count| vec![0.0; count]);
        let directions = [case.states.len(), case.inputs.len()].map(|count| vec![1.0; count]);
        let mut call = |system: &mut System, states: &[f64]| {
            let before = count();
            let direction = Direction {
                time: 0.0,
                states: &directions[0],
                inputs: &directions[1],
            };
            let along = Along {
                rates: &mut rates,
                indicators: &mut indicators,
                outputs: &mut outputs,
            };
            system.set_inputs(&case.inputs, case.since);
            let result = system.derivatives_along(case.time, states, &[direction], &mut [along]);
            result.expect("derivatives along a direction");
            count() - before
        };
        call(system, &case.states);
        for _ in 0..3 {
            case.states.iter_mut().for_each(|state| *state += 1e-8);
            assert_eq!(call(system, &case.states), 0, "{}", case.name);
        }
    }
}
