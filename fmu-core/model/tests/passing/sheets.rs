//! Drops and throws of small parts at thin bent walls that are meshes: none gets to the other side.

use super::scenes::Random;
use super::{Master, Outcome, SLACK, run};
use crate::fixtures::*;

/// Squares along each edge of a wall, and the length of the edge [m].
const SIDE: u32 = 4;
const WIDTH: f64 = 0.3;

/// Wall across x, as thick everywhere along x, its middle up to 3 mm off the plane x = 0.
fn sheet(thickness: f64, random: &mut Random) -> Form {
    let count = (SIDE + 1) * (SIDE + 1);
    let bends: Vec<f64> = (0..count).map(|_| random.within(-3e-3, 3e-3)).collect();
    let mut vertices = Vec::new();
    for side in [0.5, -0.5] {
        for (k, bend) in (0..count).zip(&bends) {
            let [y, z] = [k % (SIDE + 1), k / (SIDE + 1)]
                .map(|k| WIDTH * (f64::from(k) / f64::from(SIDE) - 0.5));
            vertices.push([bend + side * thickness, y, z]);
        }
    }
    let (mut front, mut rim) = (Vec::new(), Vec::new());
    let at = |i: u32, j: u32| j * (SIDE + 1) + i;
    for k in 0..SIDE {
        for j in 0..SIDE {
            let [a, b, c, d] = [at(k, j), at(k + 1, j), at(k + 1, j + 1), at(k, j + 1)];
            front.extend([[a, b, c], [a, c, d]]);
        }
        rim.extend([[at(k, 0), at(k + 1, 0)], [at(SIDE, k), at(SIDE, k + 1)]]);
        rim.extend([[at(k + 1, SIDE), at(k, SIDE)], [at(0, k + 1), at(0, k)]]);
    }
    let back = front
        .iter()
        .map(|[a, b, c]| [c + count, b + count, a + count]);
    let mut triangles: Vec<[u32; 3]> = front.iter().copied().chain(back).collect();
    for [a, b] in rim {
        triangles.extend([[b, a, a + count], [b, a + count, b + count]]);
    }
    mesh(vertices, triangles)
}

/// Two legs with an inner corner between them, about the middle of its bounding box.
fn angle(size: f64) -> Form {
    let outline = [[-2, -2], [2, -2], [2, -1], [-1, -1], [-1, 2], [-2, 2]];
    let mut vertices = Vec::new();
    for z in [-0.25, 0.25] {
        vertices.extend(outline.map(|p| {
            [
                0.25 * size * f64::from(p[0]),
                0.25 * size * f64::from(p[1]),
                size * z,
            ]
        }));
    }
    let face = [[0, 1, 2], [0, 2, 3], [0, 3, 5], [3, 4, 5]];
    let mut triangles: Vec<[u32; 3]> = face.map(|[a, b, c]| [c, b, a]).to_vec();
    triangles.extend(face.map(|[a, b, c]| [a + 6, b + 6, c + 6]));
    for i in 0..6 {
        let j = (i + 1) % 6;
        triangles.extend([[i, j, j + 6], [i, j + 6, i + 6]]);
    }
    mesh(vertices, triangles)
}

/// A part before a wall, thrown at it or dropped on it; gravity along x, so that it comes back again.
fn thrown(random: &mut Random) -> SceneDescription {
    let thickness = 2e-4 * 10f64.powf(random.within(0.0, 1.0));
    let wall = body("wall", Motion::Fixed, sheet(thickness, random), [0.0; 3]);
    let size = random.within(4e-3, 2e-2);
    let form = match random.within(0.0, 3.0) {
        kind if kind < 1.0 => sphere(size),
        kind if kind < 2.0 => cuboid([size, 0.8 * size, 0.6 * size]),
        _ => angle(size),
    };
    let mut place = || random.within(-0.25 * WIDTH, 0.25 * WIDTH);
    let position = [-0.03, place(), place()];
    let mut part = body("part", Motion::Free, form, position);
    let is_drop = random.within(0.0, 1.0) < 0.5;
    let speed = if is_drop {
        0.0
    } else {
        random.within(0.2, 1.0)
    };
    part.velocity = [speed, random.within(-0.1, 0.1), random.within(-0.1, 0.1)];
    part.angular_velocity = [0; 3].map(|_| random.within(-20.0, 20.0));
    let mut description = steel_scene(vec![wall, part]);
    description.gravity = Gravity::Uniform([9.81, 0.0, 0.0]);
    description.experiment.stop_time = 0.2;
    description
}

fn none_gets_through(seeds: std::ops::Range<u64>) {
    let mut found = Vec::new();
    let (mut runs, mut events) = (0, 0);
    for seed in seeds {
        let mut random = Random::new(seed);
        let scene = valid(thrown(&mut random));
        for master in [Master::Inside(0.05), Master::StepEnds(0.05)] {
            let Outcome {
                margin,
                place,
                events: count,
                last,
                ..
            } = run(&scene, master, 1e-6, 1e-3);
            (runs, events) = (runs + 1, events + count);
            let [x, y, z] = last[1].into();
            let is_beside = f64::max(y.abs(), z.abs()) > 0.5 * WIDTH;
            if margin < -SLACK || x > 0.0 && !is_beside {
                found.push(format!(
                    "seed {seed}, {master:?}: {margin:.3e} m of {place}, ends at {x} m"
                ));
            }
        }
    }
    println!("{runs} runs, {events} events, {} through", found.len());
    assert!(events > runs, "parts hit the wall");
    assert!(
        found.is_empty(),
        "{} of {runs}:\n{}",
        found.len(),
        found.join("\n")
    );
}

#[test]
fn none_of_a_few_parts_gets_through_a_mesh() {
    none_gets_through(0..4);
}

#[test]
#[ignore = "long: a thousand throws"]
fn none_of_a_thousand_parts_gets_through_a_mesh() {
    none_gets_through(100..600);
}
