//! A hundred balls that fall into a box, beside the solver with error control: the first ten impacts,
//! the energy, the deepest overlap.

use super::Dem;
use crate::fixtures::*;
use crate::running::DividedRun;
use contact_model::granular::Start;

const RADIUS: f64 = 0.05;
/// Half of the inner side of the box [m].
const HALF: f64 = 0.31;
/// The lowest balls meet the floor after a quarter of a second, the highest of five layers those
/// below before this end [s].
const END: f64 = 0.4;

/// Layers of 25 balls of r = 50 mm, E = 2.1 GPa, 0.12 m apart with a jitter of 5 mm, 0.3 m over the
/// floor.
fn falling() -> SceneDescription {
    let mut ground = body("ground", Motion::Fixed, Form::HalfSpace, [0.0; 3]);
    let (floor, s) = (ground.shapes[0].clone(), 0.5_f64.sqrt());
    // Normals along +x, -x, +y and -y.
    let turns = [
        [s, 0.0, s, 0.0],
        [s, 0.0, -s, 0.0],
        [s, -s, 0.0, 0.0],
        [s, s, 0.0, 0.0],
    ];
    let places = [
        [-HALF, 0.0, 0.0],
        [HALF, 0.0, 0.0],
        [0.0, -HALF, 0.0],
        [0.0, HALF, 0.0],
    ];
    for (i, (orientation, position)) in turns.into_iter().zip(places).enumerate() {
        let mut wall = floor.clone();
        wall.name = format!("wall{i}");
        (wall.orientation, wall.position) = (orientation, position);
        ground.shapes.push(wall);
    }
    let mut seed = 7;
    let balls = (0..100).map(|i| {
        let place = [i % 5 - 2, i / 5 % 5 - 2, i / 25].map(|k| 0.12 * f64::from(k));
        let at = place.map(|x| x + 5e-3 * signed_fraction(&mut seed));
        let mut own = ball(&format!("b{i}"), [at[0], at[1], at[2] + 0.35]);
        own.shapes[0].form = sphere(2.0 * RADIUS);
        own
    });
    let material = material("Soft", 7850.0, 2.1e9, 0.3);
    scene_of(material, 0.7, [ground].into_iter().chain(balls).collect())
}

/// Deepest overlap of balls with each other and with the box [m].
fn overlap(states: &[f64]) -> f64 {
    let places: Vec<[f64; 3]> = (0..100)
        .map(|i| std::array::from_fn(|k| states[13 * i + k]))
        .collect();
    let mut deepest: f64 = 0.0;
    for (i, p) in places.iter().enumerate() {
        let side = p[0].abs().max(p[1].abs()) + RADIUS - HALF;
        deepest = deepest.max(RADIUS - p[2]).max(side);
        for q in &places[..i] {
            let square: f64 = p.iter().zip(q).map(|(a, b)| (a - b).powi(2)).sum();
            deepest = deepest.max(2.0 * RADIUS - square.sqrt());
        }
    }
    deepest
}

#[test]
#[ignore = "long: a hundred balls with error control"]
fn a_hundred_balls_meet_as_with_error_control_with_its_energy_and_penetration() {
    let mut exact = DividedRun::new(falling(), 1e-6);
    let mut run = Dem::new(falling(), f64::INFINITY);
    let (mut deepest, steps) = (0.0_f64, (END / 1e-4).round() as u32);
    for k in 1..=steps {
        let end = f64::from(k) * 1e-4;
        exact.to(end, 1e-4);
        deepest = deepest.max(overlap(&exact.states));
        if k % 100 == 0 {
            run.to(end);
        }
    }
    let starts = |(time, change): &(f64, Change)| match change {
        Change::Contact(change) => change.impact_speed.map(|speed| (change.pair, *time, speed)),
        _ => None,
    };
    let expected: Vec<(PairId, f64, f64)> = exact.changes.iter().filter_map(starts).collect();
    assert!(expected.len() > 100, "{}", expected.len());
    let length = run.granular.longest_step();
    let first = &expected[..10];
    for (pair, time, speed) in first {
        let found = run.events.starts.iter().find(|start| start.pair == *pair);
        let found = found.expect("the same impact");
        // A contact starts in the first step in which the balls touch; gravity changes speeds since.
        assert!((found.time - time).abs() < 1.5 * length, "{found:?} {time}");
        near!(found.speed, *speed, 1e-3 * speed, "{found:?}");
    }
    // And no other one before them, save within a step.
    let before = |start: &&Start| start.time < first[9].1 - 1.5 * length;
    for start in run.events.starts.iter().filter(before) {
        assert!(
            first.iter().any(|(pair, ..)| *pair == start.pair),
            "{start:?}"
        );
    }
    let outputs = run.system.outputs(run.time, &run.states);
    let outputs = outputs.expect("outputs");
    let energy = outputs.kinetic_energy + outputs.potential_energy + outputs.elastic_energy;
    let wanted = exact.energy();
    println!(
        "energy {energy} J of {wanted} J, deepest {} m of {deepest} m",
        run.overlap
    );
    assert!((energy / wanted - 1.0).abs() < 1e-2, "{energy} {wanted}");
    let found = run.overlap;
    assert!((found / deepest - 1.0).abs() < 5e-2, "{found} {deepest}");
}

/// A heap in a tube whose walls go up: what floor and walls bear is the weight and the inertia of the
/// heap, step by step, as its forces are those that move it. The bar is on the mean, as forces are
/// evaluated once more at the start of a communication step.
#[test]
fn floor_and_moving_walls_bear_the_weight_of_a_heap() {
    the_weight_is_borne(&[FrictionKind::Stick]);
}

#[test]
#[ignore = "long: three laws of friction more"]
fn floor_and_moving_walls_bear_the_weight_of_a_heap_whatever_the_friction() {
    the_weight_is_borne(&[
        FrictionKind::Regularized,
        FrictionKind::Coulomb,
        FrictionKind::CoulombDynamic,
    ]);
}

fn the_weight_is_borne(frictions: &[FrictionKind]) {
    const GRAIN: f64 = 1e-3;
    for &friction in frictions {
        let wall = cuboid([0.02, 0.02, 0.1]);
        let mut tube = body("tube", Motion::Prescribed, wall, [0.0; 3]);
        let wall = tube.shapes.remove(0);
        tube.shapes.extend((0..4).map(|i| {
            let mut wall = wall.clone();
            wall.name = format!("wall{i}");
            wall.position[i / 2] = 0.0131 * if i % 2 == 0 { 1.0 } else { -1.0 };
            wall
        }));
        let floor = body("floor", Motion::Fixed, Form::HalfSpace, [0.0; 3]);
        let mut seed = 3;
        let grains = (0..63).map(|i| {
            let place = [i % 3 - 1, i / 3 % 3 - 1, i / 9].map(|k| 2.05 * GRAIN * f64::from(k));
            let at = place.map(|x| x + 2e-5 * signed_fraction(&mut seed));
            let mut own = ball(&format!("g{i}"), [at[0], at[1], at[2] + 1.1 * GRAIN]);
            own.shapes[0].form = sphere(2.0 * GRAIN);
            own
        });
        let material = material("Soft", 2500.0, 5e5, 0.3);
        let bodies = [floor, tube].into_iter().chain(grains).collect();
        let mut description = scene_of(material, 0.3, bodies);
        description.contact.law.friction = friction;
        description.motions = vec![motion_of("tube", uniform([0.0, 0.0, 0.01], [0.0; 3]))];
        let mut run = Dem::new(description, f64::INFINITY);
        run.to(0.3);
        let length = run.granular.longest_step();
        let weight = 63.0 * 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * GRAIN.powi(3) * 9.81;
        let momentum = |run: &Dem| (0..63).map(|i| run.vector(13 * i + 7).z).sum::<f64>() / 63.0;
        let borne = |run: &mut Dem| {
            let outputs = run.system.outputs(run.time, &run.states).expect("outputs");
            let of = |body: usize| Vec3::from(outputs.contact_forces[BodyId::from(body)]).z;
            [0, 1].map(|body| -of(body) / weight)
        };
        let (mut sum, mut on_walls, steps) = (0.0, 0.0, 400);
        let before = momentum(&run);
        for _ in 0..steps {
            run.to(run.time + length);
            let [floor, walls] = borne(&mut run);
            sum += floor + walls;
            on_walls += walls;
        }
        let inertia = (momentum(&run) - before) / (f64::from(steps) * length * 9.81);
        let [mean, on_walls] = [sum, on_walls].map(|sum| sum / f64::from(steps));
        println!("{friction:?}: {mean} {inertia} walls {on_walls}");
        let off = (mean - 1.0 - inertia).abs();
        assert!(off < 1e-4, "{friction:?}: {mean} {inertia}");
        assert!((0.03..0.8).contains(&on_walls), "{on_walls}");
    }
}
