//! Time to make an FMU from a scene, in memory, with the library already read.
//!
//! `ball`: one ball above a plate; the goal is below 50 ms. `balls_100`: a hundred balls that can
//! all touch each other, where the dependencies make the model description long.

use contact_model::scene::SceneDescription;
use criterion::{Criterion, criterion_group, criterion_main};
use fmu_build::command::build::build_from_description;
use fmu_build::package::binaries::{self, Choice};
use fmu_build::scene_file;
use fmu_core::instance::Standard;

fn ball() -> SceneDescription {
    let text = include_str!("../../examples/bouncing_ball/scene.toml");
    match scene_file::parse(text, "scene.toml") {
        Ok(loaded) => loaded.description,
        Err(problems) => panic!("{problems}"),
    }
}

fn balls(count: usize) -> SceneDescription {
    let mut description = ball();
    if let Some(template) = description.bodies.pop() {
        for index in 0..count {
            let mut body = template.clone();
            body.name = format!("ball_{index}");
            body.position[2] += 0.3 * index as f64;
            description.bodies.push(body);
        }
    }
    description
}

fn build(criterion: &mut Criterion) {
    let binaries = match binaries::find(&Choice::default()) {
        Ok(found) => found.binaries,
        Err(error) => panic!("{error}"),
    };
    let mut group = criterion.benchmark_group("build");
    group.sample_size(10);
    for (name, description) in [("ball", ball()), ("balls_100", balls(100))] {
        group.bench_function(name, |bencher| {
            bencher.iter(|| build_from_description(&description, Standard::Fmi3, &binaries));
        });
    }
    group.finish();
}

criterion_group!(benches, build);
criterion_main!(benches);
