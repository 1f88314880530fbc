//! A steel crate dropped askew on a half-space tumbles, rocks and comes to rest on a face; the
//! solver gets there in a bounded number of steps.

use fmu_build::command::build::{Target, build_fmu};
use fmu_host::{Fmu, Options, Run, simulate_cs, simulate_me};

const SCENE: &str = r#"
format = 1
name = "crate_at_rest"
[world]
gravity = [0, 0, -9.81]
[experiment]
stop_time = 5
[[body]]
name = "ground"
motion = "fixed"
[[body.shape]]
half_space = {}
material = "Steel"
[[body]]
name = "crate_1"
motion = "free"
position = [0, 0, 0.5]
orientation = [0.8, 0.36, 0.48, 0]
[[body.shape]]
box = { lengths = [0.3, 0.2, 0.1] }
material = "Steel"
"#;

/// Attempts at steps of the built-in integrator at most: at rest on its largest face, k A/m =
/// (5e4/s)^2, they are some 60 us long, 50 thousand in 3 s; a contact point that jumps between
/// corners takes millions.
const MOST_STEPS: u64 = 200_000;

fn last(run: &Run, name: &str) -> f64 {
    let column = run.trajectory.index_of(name).expect("an output");
    run.trajectory.column(column).last().expect("a row")
}

#[test]
#[ignore = "long: until it rests"]
fn crate_dropped_askew_comes_to_rest_flat_at_the_depth_of_statics() {
    let folder = tempfile::tempdir().expect("a folder");
    let (scene, file) = (
        folder.path().join("scene.toml"),
        folder.path().join("crate.fmu"),
    );
    std::fs::write(&scene, SCENE).expect("a scene");
    build_fmu(&scene, &file, &Target::default()).expect("an FMU");
    let fmu = Fmu::open(&file).expect("an FMU that opens");
    for run in [
        simulate_cs(&fmu, &Options::default()),
        simulate_me(&fmu, &Options::default()),
    ] {
        let run = run.expect("a run");
        assert!(run.contacts.len() > 10, "it must tumble first");
        let last_event = run.contacts.last().map_or(0.0, |event| event.time);
        assert!(last_event < 3.0, "an event at {last_event} s");
        let work = run.work.expect("counters");
        assert!(work.steps + work.rejected_steps < MOST_STEPS, "{work:?}");
        for axis in 1..=3 {
            assert!(last(&run, &format!("crate_1.velocity[{axis}]")).abs() < 1e-6);
        }
        // Flat on one of its faces: both layers are half of the smallest edge deep, so k = E/h/2 per
        // area, and the depth m g/(k A) + 2 z_eps.
        let height = last(&run, "crate_1.position[3]");
        let weight = 8000.0 * 0.3 * 0.2 * 0.1 * 9.81;
        let heights = [(0.05, 0.3 * 0.2), (0.1, 0.3 * 0.1), (0.15, 0.2 * 0.1)];
        let at_rest = heights.map(|(half, area)| half - weight / (0.5 * 2e11 / 0.05 * area) - 2e-8);
        let nearest = at_rest.map(|rest| (height - rest).abs());
        assert!(nearest.iter().any(|off| *off < 1e-10), "height {height}");
    }
}
