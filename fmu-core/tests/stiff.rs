//! Stiff contact by the implicit formula: rest costs nothing, and all formulas give one motion.

use crate::fixtures::{ball, body, chain, plate, steel_scene};
use crate::running::Run;
use fmu_core::integrator::Solver;
use fmu_core::response::options::FrictionKind;
use fmu_core::response::{LawChanges, Number};
use fmu_core::scene::SceneDescription;
use fmu_core::scene::description::{BodyDescription, Form, Motion, PairResponse};

fn cube(name: &str, position: [f64; 3]) -> BodyDescription {
    let lengths = [0.1; 3];
    body(name, Motion::Free, Form::Box { lengths }, position)
}

fn ground() -> BodyDescription {
    body("ground", Motion::Fixed, Form::HalfSpace, [0.0; 3])
}

fn with_friction(bodies: Vec<BodyDescription>, kind: FrictionKind) -> SceneDescription {
    let mut description = steel_scene(bodies);
    let mut numbers = vec![(Number::Restitution, 0.4), (Number::SlidingFriction, 0.5)];
    if kind == FrictionKind::Stick {
        numbers.push((Number::StaticFriction, 0.5));
    }
    description.material_pairs[0].response = PairResponse::Law(LawChanges {
        friction: Some(kind),
        numbers,
        ..LawChanges::default()
    });
    description
}

/// Things that come to rest within 3 s.
fn resting() -> Vec<(&'static str, SceneDescription)> {
    let kinds = [FrictionKind::Regularized, FrictionKind::Stick];
    let things = [
        ("ball", vec![plate(), ball("ball", [0.0, 0.0, 0.101])]),
        (
            "cube on a plane",
            vec![ground(), cube("a", [0.0, 0.0, 0.051])],
        ),
        (
            "cube on a plate",
            vec![plate(), cube("a", [0.0, 0.0, 0.051])],
        ),
        (
            "three cubes",
            (0..3)
                .map(|i| cube(&format!("c{i}"), [0.0, 0.0, 0.05 + 0.1003 * f64::from(i)]))
                .chain([plate()])
                .collect(),
        ),
        (
            "two balls and a cube apart",
            vec![
                plate(),
                ball("a", [0.5, 0.0, 0.101]),
                ball("b", [0.5, 0.5, 0.102]),
                cube("c", [-0.5, 0.0, 0.051]),
            ],
        ),
    ];
    things
        .into_iter()
        .flat_map(|(name, bodies)| kinds.map(|kind| (name, with_friction(bodies.clone(), kind))))
        .collect()
}

/// With Dormand and Prince a ball takes 650 steps a second, a cube 15,000.
#[test]
fn a_hundred_seconds_of_rest_take_a_few_steps_and_move_nothing() {
    for (name, description) in resting() {
        let mut run = Run::new(description, 1e-6);
        run.to(3.0);
        let (before, states) = (*run.memory.statistics(), run.states.clone());
        assert!(run.memory.is_implicit(), "{name}");
        run.to(103.0);
        let now = run.memory.statistics();
        assert!(now.steps - before.steps < 20, "{name}: {now:?} {before:?}");
        assert_eq!(now.events, before.events, "{name}");
        // Depths are 1e-8 m and more: forces stay to 1e-6.
        for (i, (old, new)) in states.iter().zip(&run.states).enumerate() {
            assert!((old - new).abs() < 1e-14, "{name} {i}: {old} {new}");
        }
    }
}

#[test]
fn both_formulas_and_their_change_give_one_motion() {
    let mut thrown = cube("a", [0.0, 0.0, 0.2]);
    thrown.velocity = [1.0, 0.3, 0.0];
    thrown.angular_velocity = [1.0, 2.0, 3.0];
    let mut rolling = ball("b", [0.5, 0.5, 0.1]);
    rolling.velocity = [0.3, 0.0, -0.1];
    let bodies = vec![ground(), thrown, rolling];
    for kind in [FrictionKind::Regularized, FrictionKind::Stick] {
        let [auto, explicit, implicit] =
            [Solver::Auto, Solver::Explicit, Solver::Implicit].map(|solver| {
                let description = with_friction(bodies.clone(), kind);
                let mut run = Run::new(description, 1e-9).with_solver(solver);
                // Before the second impact: later ones enlarge any difference.
                run.to(0.25);
                run
            });
        assert!(implicit.memory.statistics().events > 1);
        let columns = [&explicit, &auto].map(|run| run.memory.statistics().direction_calls);
        assert!(columns[0] == 0 && columns[1] > 0, "{columns:?}");
        for other in [&auto, &implicit] {
            for (i, (a, b)) in explicit.states.iter().zip(&other.states).enumerate() {
                assert!((a - b).abs() < 1e-5, "{kind:?} {i}: {a} {b}");
            }
        }
    }
}

/// Of a tree the Jacobian is one block.
#[test]
fn a_chain_that_swings_has_one_motion_by_both_formulas() {
    let [explicit, implicit] = [Solver::Explicit, Solver::Implicit].map(|solver| {
        let mut run = Run::new(chain(5), 1e-9).with_solver(solver);
        run.to(1.0);
        run.states
    });
    for (i, (a, b)) in explicit.iter().zip(&implicit).enumerate() {
        assert!((a - b).abs() < 1e-5, "{i}: {a} {b}");
    }
}
