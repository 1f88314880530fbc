//! Each example against the reference.csv beside it, which its reference.py computed without any
//! code of this project; in both interface types, with the example's own settings but the output
//! times of the reference. FMI 2.0 and FMI 3.0 give the same numbers to the bit.
//!
//! The bars are those of the error that the example's tolerance, mostly 1e-8, leaves over its run,
//! with a margin of three: an impact at an error of 1e-8 relative in time and speed, carried
//! through the bounces that follow.

use fmu_build::command::build::{Target, build_fmu};
use fmu_build::scene_file;
use fmu_core::instance::Standard;
use fmu_host::{Fmu, InputTable, Options, Run, simulate_cs, simulate_me};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

pub fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../examples")
        .join(name)
}

/// Largest deviation from the reference over all its columns whose name holds `word`.
pub fn deviation(run: &Run, reference: &[(String, Vec<f64>)], word: &str) -> f64 {
    let mut largest = 0.0_f64;
    let mut columns = 0;
    for (name, values) in reference.iter().filter(|(name, _)| name.contains(word)) {
        let index = run
            .trajectory
            .index_of(name)
            .expect("a column of the reference is an output");
        assert_eq!(run.trajectory.times().len(), values.len());
        for (found, expected) in run.trajectory.column(index).zip(values) {
            largest = largest.max((found - expected).abs());
        }
        columns += 1;
    }
    assert!(columns > 0, "no column of the reference holds {word}");
    largest
}

/// Names and values of the columns of reference.csv, the time first.
pub fn read_reference(folder: &Path) -> Vec<(String, Vec<f64>)> {
    let mut reader = csv::Reader::from_path(folder.join("reference.csv")).expect("a reference");
    let names: Vec<String> = reader
        .headers()
        .expect("a header")
        .iter()
        .map(str::to_owned)
        .collect();
    let mut columns: Vec<(String, Vec<f64>)> =
        names.into_iter().map(|name| (name, Vec::new())).collect();
    for row in reader.records() {
        for (column, text) in columns.iter_mut().zip(&row.expect("a row")) {
            column.1.push(text.parse().expect("a number"));
        }
    }
    columns
}

/// Both interface types of the example as an FMU of this version.
pub fn runs_of(name: &str, standard: Standard, options: &Options) -> [Run; 2] {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("example.fmu");
    let target = Target {
        standard,
        ..Target::default()
    };
    build_fmu(&example(name).join("scene.toml"), &file, &target).expect("an FMU");
    let fmu = Fmu::open(&file).expect("an FMU that opens");
    assert_eq!(fmu.description().standard, standard);
    [simulate_cs(&fmu, options), simulate_me(&fmu, options)].map(|run| run.expect("a run"))
}

/// All numbers of a trajectory as bits: a comparison of numbers does not tell -0 from 0.
fn bits(run: &Run) -> Vec<u64> {
    let trajectory = &run.trajectory;
    let rows = (0..trajectory.times().len()).flat_map(|i| trajectory.row(i));
    rows.map(|value| value.to_bits()).collect()
}

/// Both interface types in FMI 3.0 with rows this far apart [s], or as far as the example has them. Several tests
/// look at one such pair of runs, and the first to ask makes it.
pub fn shared_runs(name: &str, step: Option<f64>) -> &'static [Run; 2] {
    type Cells = BTreeMap<(String, Option<u64>), &'static OnceLock<[Run; 2]>>;
    static CELLS: Mutex<Cells> = Mutex::new(BTreeMap::new());
    let scene = scene_file::read(&example(name).join("scene.toml")).expect("a scene");
    let step = step.or(scene.description.experiment.step_size);
    let key = (name.to_owned(), step.map(f64::to_bits));
    let cell = *CELLS
        .lock()
        .expect("no panic")
        .entry(key)
        .or_insert_with(|| Box::leak(Box::default()));
    cell.get_or_init(|| {
        let options = Options {
            step,
            ..Options::default()
        };
        runs_of(name, Standard::Fmi3, &options)
    })
}

/// Both interface types in FMI 3.0, at the times of the reference.
pub fn runs_of_fmi3(name: &str) -> (Vec<(String, Vec<f64>)>, &'static [Run; 2]) {
    let reference = read_reference(&example(name));
    let times = &reference[0].1;
    let runs = shared_runs(name, Some(times[1] - times[0]));
    (reference, runs)
}

/// Both interface types, the same in both versions, with the times of the reference checked.
pub fn runs(name: &str) -> (Vec<(String, Vec<f64>)>, &'static [Run; 2]) {
    let (reference, runs) = runs_of_fmi3(name);
    let times = &reference[0].1;
    let options = Options {
        step: Some(times[1] - times[0]),
        ..Options::default()
    };
    for (two, three) in runs_of(name, Standard::Fmi2, &options).iter().zip(runs) {
        assert!(two == three && bits(two) == bits(three), "FMI 2.0 differs");
    }
    for run in runs {
        for (found, expected) in run.trajectory.times().iter().zip(times) {
            assert!((found - expected).abs() < 1e-12);
        }
    }
    (reference, runs)
}

/// Times of the contact starts.
fn starts(run: &Run) -> Vec<f64> {
    run.contacts
        .iter()
        .filter(|event| event.impact_speed.is_some())
        .map(|event| event.time)
        .collect()
}

#[test]
fn bouncing_ball_follows_its_reference_through_sixteen_impacts() {
    let (reference, runs) = runs("bouncing_ball");
    for run in runs {
        assert_eq!(starts(run).len(), 16);
        assert!(deviation(run, &reference, "position") < 1e-6);
        assert!(deviation(run, &reference, "velocity") < 2e-5);
    }
}

#[test]
fn two_balls_follow_their_reference_through_sliding_impact_and_rolling() {
    let (reference, runs) = runs("two_balls");
    for run in runs {
        // Both balls touch the table from the start; the impact as the reference prints it.
        let starts = starts(run);
        assert_eq!(starts.len(), 3);
        assert!(
            (starts[2] - 0.561790950).abs() < 1e-8,
            "impact at {} s",
            starts[2]
        );
        // An error of 3e-8 m/s of the impact, of which rolling keeps 5/7 for 0.94 s.
        assert!(deviation(run, &reference, "position") < 2e-8);
        assert!(deviation(run, &reference, ".velocity") < 3e-8);
        assert!(deviation(run, &reference, "angular_velocity") < 2e-6);
    }
}

/// Exact Coulomb friction has no springs. Those of the contacts start without load, so the brick
/// gathers at most the speed at which their dampers alone carry
/// mu m g, 7.848 N/(4 sqrt(k_t m)) = 1.39e-4 m/s, and keeps it for 0.34 s; afterwards they give
/// by 8 N/(4 k_t) = 1e-8 m.
#[test]
#[ignore = "long: an example to its end"]
fn a_brick_under_8_cos_t_follows_the_exact_coulomb_law() {
    let (reference, runs) = runs("block_friction");
    let gathered = 0.8 * 9.81 / (4.0 * 2e8_f64.sqrt());
    let (_, positions) = &reference[1];
    for run in runs {
        assert!(deviation(run, &reference, "position") < 0.34 * gathered);
        assert!(deviation(run, &reference, "velocity") < gathered);
        // Where the reference stays, the brick stays.
        let index = run.trajectory.index_of("brick.position[1]");
        let found: Vec<f64> = run.trajectory.column(index.expect("an output")).collect();
        let mut stays = 0;
        for (found, expected) in found.windows(2).zip(positions.windows(2)) {
            if expected[0] == expected[1] {
                stays += 1;
                assert!((found[1] - found[0]).abs() < 3e-8, "{found:?}");
            }
        }
        assert!(stays > 100);
    }
}

/// Times [s] and speeds along the normal [m/s] of the contact starts.
pub fn impacts(run: &Run) -> Vec<(f64, f64)> {
    run.contacts
        .iter()
        .filter_map(|event| Some((event.time, event.impact_speed?)))
        .collect()
}

/// Impacts as a reference prints them: times within 1e-7 s, speeds within 3e-7 of them.
fn assert_impacts(run: &Run, expected: &[(f64, f64)]) {
    let found = impacts(run);
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(
            (found.0 - expected.0).abs() < 1e-7,
            "{found:?}, {expected:?}"
        );
        assert!(
            (found.1 / expected.1 - 1.0).abs() < 3e-7,
            "{found:?}, {expected:?}"
        );
    }
}

#[test]
fn a_pendulum_hits_the_wall_four_times_as_its_reference() {
    let (reference, runs) = runs("pendulum_wall");
    for run in runs {
        assert_impacts(
            run,
            &[
                (0.563756922, 6.433367940),
                (1.618430341, 4.008529009),
                (2.724918625, 2.523846943),
                (3.916648795, 1.622918621),
            ],
        );
        assert!(deviation(run, &reference, "hinge.angle") < 1e-7);
        assert!(deviation(run, &reference, "angular_velocity") < 5e-6);
    }
}

#[test]
fn a_pendulum_bounces_and_rests_as_its_reference() {
    let (reference, runs) = runs("pendulum_rest");
    for run in runs {
        assert_impacts(
            run,
            &[
                (0.333730965, 5.567213715),
                (0.747813830, 3.103214886),
                (0.999559190, 1.603031187),
                (1.147258042, 0.668145228),
            ],
        );
        assert!(deviation(run, &reference, "hinge.angle") < 1e-7);
        assert!(deviation(run, &reference, "angular_velocity") < 5e-6);
    }
}

#[test]
fn a_double_pendulum_hits_the_wall_twice_as_its_reference() {
    let (reference, runs) = runs("double_pendulum");
    for run in runs {
        assert_impacts(
            run,
            &[(0.800703623, 5.459536000), (2.526551642, 3.920064016)],
        );
        assert!(deviation(run, &reference, "angle") < 2e-7);
        assert!(deviation(run, &reference, "angular_velocity") < 4e-5);
    }
}

/// The table of a thrust has kinks at its corners alone, so the integrator follows polynomials.
#[test]
fn a_rocket_of_two_stages_follows_its_closed_forms() {
    let (reference, runs) = runs("two_stage_rocket");
    for run in runs {
        let position = deviation(run, &reference, ".position");
        assert!(position < 3e-11, "{position:e}");
        let velocity = deviation(run, &reference, ".velocity");
        assert!(velocity < 3e-12, "{velocity:e}");
        let orientation = deviation(run, &reference, "orientation");
        assert!(orientation < 3e-9, "{orientation:e}");
    }
}

#[test]
#[ignore = "long: an example to its end"]
fn newtons_cradle_makes_the_48_contacts_of_its_reference() {
    let (reference, runs) = runs("newtons_cradle");
    for run in runs {
        let found = impacts(run);
        assert_eq!(found.len(), 48);
        assert!((found[0].0 - 0.208801421).abs() < 1e-8, "{:?}", found[0]);
        assert!(deviation(run, &reference, "angle") < 3e-5);
        assert!(deviation(run, &reference, "angular_velocity") < 3e-4);
    }
}

#[test]
fn a_ball_by_impulse_bounces_beside_one_by_force_as_their_reference() {
    let (reference, runs) = runs("impulse_ball");
    for run in runs {
        assert_eq!(starts(run).len(), 16 + 19);
        assert!(deviation(run, &reference, "by_force.position") < 1e-6);
        assert!(deviation(run, &reference, "by_force.velocity") < 2e-5);
        assert!(deviation(run, &reference, "by_impulse.position") < 1e-10);
        assert!(deviation(run, &reference, "by_impulse.velocity") < 1e-7);
    }
}

/// A ball that arrives stops 5 nm past its rest.
#[test]
fn a_cradle_passes_twelve_impulses_on_as_the_schoolbook_says() {
    let (reference, runs) = runs("cradle_impulse");
    for run in runs {
        // Three pairs touch from the start.
        assert_eq!(starts(run).len(), 3 + 12);
        let angle = deviation(run, &reference, "angle");
        assert!(angle < 5e-9 / 0.15 + 3e-8, "{angle:e}");
        assert!(deviation(run, &reference, "angular_velocity") < 1e-6);
    }
}

/// Momentum per mass [m/s] and twice the energy per mass [m2/s2] of equal balls in a row of a run.
fn kept_by_balls(run: &Run, row: usize) -> [f64; 3] {
    let names = (1..=15).map(|i| format!("ball{i}"));
    let names = names.chain(["cue_ball".to_owned()]);
    let values = run.trajectory.row(row);
    names.fold([0.0; 3], |[x, y, energy], name| {
        let value = |axis: u32| {
            let index = run.trajectory.index_of(&format!("{name}.velocity[{axis}]"));
            values[index.expect("an output")]
        };
        let (u, v, w) = (value(1), value(2), value(3));
        [x + u, y + v, energy + u * u + v * v + w * w]
    })
}

#[test]
fn a_break_at_billiards_is_the_mirror_image_of_its_reference_and_keeps_momentum_and_energy() {
    let (reference, runs) = runs("billiard_break");
    // In units of 1 m/s, from README.md.
    let s = 3.0_f64.sqrt() / 7.0;
    let worked_out = [
        ("cue_ball", -27.0 / 7.0, 0.0),
        ("ball1", 8.0 / 7.0, 0.0),
        ("ball2", 5.0 / 7.0, -3.0 * s),
        ("ball10", 5.0 / 7.0, 3.0 * s),
        ("ball11", 6.0 / 7.0, -2.0 * s),
        ("ball15", 6.0 / 7.0, 2.0 * s),
        ("ball5", 2.0 / 7.0, 0.0),
        ("ball13", 2.0 / 7.0, 0.0),
    ];
    for run in runs {
        // 30 pairs touch from the start.
        assert_eq!(starts(run).len(), 30 + 3);
        assert!(deviation(run, &reference, "position") < 1e-13);
        assert!(deviation(run, &reference, "velocity") < 1e-13);
        for row in 0..run.trajectory.times().len() {
            let [x, y, energy] = kept_by_balls(run, row);
            assert!((x - 5.0).abs() < 5e-12 && y.abs() < 5e-12 && (energy - 25.0).abs() < 25e-12);
        }
        // At 0.1 s.
        for (name, x, y) in worked_out {
            for (axis, expected) in [(1, x), (2, y)] {
                let index = run.trajectory.index_of(&format!("{name}.velocity[{axis}]"));
                let found = run.trajectory.row(50)[index.expect("an output")];
                assert!((found - expected).abs() < 1e-7, "{name} {found} {expected}");
            }
        }
    }
}

/// Flights are straight or a parabola: what is left is rounding, grown by ten impacts.
#[test]
fn a_rod_slides_sticks_and_turns_back_as_its_reference() {
    let (reference, runs) = runs("bouncing_rod");
    for run in runs {
        let found = impacts(run);
        assert_eq!(found.len(), 10, "{found:?}");
        assert!((found[0].0 - 0.357373654).abs() < 1e-9, "{:?}", found[0]);
        assert!((found[0].1 - 3.505835545).abs() < 1e-9, "{:?}", found[0]);
        assert!(deviation(run, &reference, "position") < 2e-12);
        assert!(deviation(run, &reference, ".velocity") < 2e-12);
        assert!(deviation(run, &reference, "angular_velocity") < 2e-12);
    }
}

#[test]
fn four_cubes_hit_each_other_with_corners_and_edges_as_their_reference() {
    let (reference, runs) = runs("four_cubes");
    for run in runs {
        let found = starts(run);
        let expected = [0.956968970, 0.986309420, 1.467950190, 1.746120738];
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-8, "{found} s, {expected} s");
        }
        assert!(deviation(run, &reference, "position") < 2e-9);
        let velocity = deviation(run, &reference, ".velocity");
        assert!(velocity < 4e-9, "{velocity:e}");
        let angular_velocity = deviation(run, &reference, "angular_velocity");
        assert!(angular_velocity < 1.5e-8, "{angular_velocity:e}");
    }
}

/// Friction is whole from a slip of 0.1 mm/s on, so the last of it takes v_small/(mu g) = 0.02 ms
/// times some ln. The contact point of the ball lies half its depth, 5e-6 of its radius, above the
/// lowest one.
#[test]
fn a_conveyor_takes_brick_and_ball_along_as_coulomb_friction_says() {
    let (reference, runs) = runs("conveyor");
    for run in runs {
        assert!(deviation(run, &reference, "position") < 3e-6);
        assert!(deviation(run, &reference, ".velocity") < 5e-6);
        assert!(deviation(run, &reference, "angular_velocity") < 5e-6 * 14.3 * 3.0);
    }
}

/// Straight lines between the rows of inputs.csv in Model Exchange; in Co-Simulation an input holds
/// for a step, so it lags by half of 10 ms: 1 N of 200 N/s on a spring of 2 N/mm, and 0.5 mm
/// of a finger at 0.1 m/s.
#[test]
fn a_gripper_lifts_a_ball_by_the_forces_of_its_inputs() {
    let folder = example("gripper");
    let reference = read_reference(&folder);
    let table = std::fs::read(folder.join("inputs.csv")).expect("a file");
    let options = Options {
        step: Some(0.01),
        inputs: Some(InputTable::from_csv(&table).expect("a table of inputs")),
        ..Options::default()
    };
    let [cs, me] = runs_of("gripper", Standard::Fmi3, &options);
    for (run, bar) in [(cs, 6e-4), (me, 1e-6)] {
        assert!(deviation(&run, &reference, "displacement") < bar);
        assert!(deviation(&run, &reference, "position") < bar);
    }
}

/// Values of rests.csv by body: heights of the origins at rest [m].
fn read_rests(folder: &Path) -> Vec<(String, f64)> {
    let mut reader = csv::Reader::from_path(folder.join("rests.csv")).expect("heights at rest");
    let rows = reader.records().map(|row| row.expect("a row"));
    rows.map(|row| (row[0].to_owned(), row[1].parse().expect("a number")))
        .collect()
}

#[test]
#[ignore = "long: an example to its end"]
fn eleven_shapes_land_together_and_come_to_rest_on_the_faces_of_the_reference() {
    let folder = example("shapes");
    let (reference, runs) = runs("shapes");
    let rests = read_rests(&folder);
    // sqrt(2 (0.2 m + 2 z_eps)/g), and g times that.
    let impact = (2.0 * (0.2 + 2e-8) / 9.81_f64).sqrt();
    for run in runs {
        let columns = |name: &str| {
            let index = run.trajectory.index_of(name).expect("an output");
            run.trajectory.column(index).collect::<Vec<f64>>()
        };
        for (name, expected) in &reference[1..] {
            for (found, expected) in columns(name).iter().zip(expected) {
                assert!(
                    (found - expected).abs() < 1e-9,
                    "{name}: {found}, {expected}"
                );
            }
        }
        for start in &run.contacts[..rests.len()] {
            let speed = start.impact_speed.expect("first all start");
            assert!((start.time - impact).abs() < 1e-8, "{start:?}");
            assert!((speed - 9.81 * impact).abs() < 1e-7, "{start:?}");
        }
        // A hundredth of the penetration: where faces lie flat, the contact point finds the centre
        // of mass by leaning some 1e-5 rad.
        for (body, height) in &rests {
            let found = *columns(&format!("{body}.position[3]"))
                .last()
                .expect("rows");
            assert!(
                (found - height).abs() < 2e-6,
                "{body}: {found} m, {height} m"
            );
        }
        let parts = ["kinetic", "potential", "contact_elastic"];
        let parts = parts.map(|part| columns(&format!("energy.{part}")));
        let energy: Vec<f64> = (0..parts[0].len())
            .map(|row| parts.iter().map(|part| part[row]).sum())
            .collect();
        assert!(
            energy
                .windows(2)
                .all(|two| two[1] < two[0] + 1e-12 * energy[0])
        );
        assert!(*parts[0].last().expect("rows") < 1e-6, "at rest");
    }
}
