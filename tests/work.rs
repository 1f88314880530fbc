//! The work of the integrator in each example, against work.csv: Co-Simulation, and Model Exchange
//! by the tool, with the settings of the example and the inputs of its inputs.csv.
//!
//! The counters show a change of the code that the trajectories hide within their tolerance, and
//! what a change that is meant costs or saves. To keep what they are now, set the variable below:
//!
//! ```text
//! CONTACT_FMU_REWRITE_WORK=1 cargo test -p fmu-build --test workspace work -- --ignored
//! ```

use crate::examples::{runs_of, shared_runs};
use crate::user_law;
use contact_model::integrator::Statistics;
use fmu_build::command::build::{Target, build_fmu};
use fmu_core::instance::Standard;
use fmu_core::instance::record::EventKind;
use fmu_host::{ContactEvent, Fmu, InputTable, Options, Run, simulate_cs};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

const REWRITE: &str = "CONTACT_FMU_REWRITE_WORK";
/// Examples that are counted in the fast tier too.
const SHORT: [&str; 6] = [
    "bouncing_rod",
    "cradle_impulse",
    "four_cubes",
    "impulse_ball",
    "pendulum_rest",
    "user_law",
];
/// Examples that have no other test in the fast tier.
const LONG: [&str; 17] = [
    "ball_in_bowl",
    "block_friction",
    "box_stack",
    "coin",
    "coupling",
    "dominoes",
    "driven_hammer",
    "gears_mesh",
    "geneva_drive",
    "hook",
    "masonry_arch",
    "newtons_cradle",
    "peg_in_hole",
    "shapes",
    "silo",
    "terrain",
    "tipping_box",
];
const HEADER: &str = "example,interface,steps,rejected_steps,derivative_calls,direction_calls,\
                      indicator_calls,events,contact_changes\n";

/// The folders of all examples, or of the short ones.
fn folders(with_long: bool) -> Vec<PathBuf> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let entries = fs::read_dir(examples).expect("a readable folder");
    let mut folders: Vec<_> = entries.map(|x| x.expect("an entry").path()).collect();
    folders.retain(|folder| folder.join("scene.toml").exists());
    folders.retain(|folder| with_long || SHORT.iter().any(|name| folder.ends_with(name)));
    // One in granular mode has fixed steps and no Model Exchange worth its time.
    folders.retain(|folder| !folder.ends_with("silo"));
    folders.sort();
    folders
}

fn fmu(folder: &Path) -> Fmu {
    let place = tempfile::tempdir().expect("a folder");
    let file = place.path().join("example.fmu");
    build_fmu(&folder.join("scene.toml"), &file, &Target::default()).expect("an FMU");
    Fmu::open(&file).expect("an FMU that opens")
}

/// Changes of contacts and end stops.
fn changes(run: &Run) -> usize {
    let kinds = [
        EventKind::ContactStart,
        EventKind::ContactEnd,
        EventKind::StopStart,
        EventKind::StopEnd,
    ];
    let is_change = |event: &&ContactEvent| kinds.contains(&event.kind);
    run.contacts.iter().filter(is_change).count()
}

/// Work and number of changes of contacts in Co-Simulation and Model Exchange of an example.
fn work(folder: &Path) -> [(Statistics, usize); 2] {
    let work = |run: &Run| (run.work.expect("counters"), changes(run));
    if folder.ends_with("user_law") {
        return user_law::runs(&user_law::example(), Standard::Fmi3)
            .each_ref()
            .map(work);
    }
    let name = folder.file_name().expect("a name").to_string_lossy();
    let Ok(table) = fs::read(folder.join("inputs.csv")) else {
        return shared_runs(&name, None).each_ref().map(work);
    };
    let options = Options {
        inputs: Some(InputTable::from_csv(&table).expect("a table of inputs")),
        ..Options::default()
    };
    runs_of(&name, Standard::Fmi3, &options)
        .each_ref()
        .map(work)
}

fn counters(with_long: bool) -> String {
    let mut text = HEADER.to_owned();
    for folder in folders(with_long) {
        let name = folder.file_name().expect("a name").to_string_lossy();
        for (interface, (work, changes)) in ["cs", "me"].iter().zip(work(&folder)) {
            writeln!(
                text,
                "{name},{interface},{},{},{},{},{},{},{}",
                work.steps,
                work.rejected_steps,
                work.derivative_calls,
                work.direction_calls,
                work.indicator_calls,
                work.events,
                changes
            )
            .expect("memory");
        }
    }
    text
}

/// Lines of one text that the other does not have, each behind a sign.
fn difference(old: &str, new: &str) -> String {
    let only = |sign: &str, a: &str, b: &str| {
        let b: Vec<&str> = b.lines().collect();
        let lines = a.lines().filter(|line| !b.contains(line));
        let lines: Vec<_> = lines.map(|line| format!("{sign} {line}")).collect();
        lines
    };
    let mut lines = only("-", old, new);
    lines.extend(only("+", new, old));
    // Stable: what was stays in front of what is.
    lines.sort_by_key(|line| line[2..].split(',').take(2).collect::<String>());
    lines.join("\n")
}

#[test]
fn the_integrator_does_the_work_of_before_in_short_examples() {
    assert_work(false);
}

#[test]
fn long_examples_are_built_and_take_a_step() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    for name in LONG {
        let fmu = fmu(&examples.join(name));
        let options = Options {
            stop: Some(1e-4),
            ..Options::default()
        };
        let run = simulate_cs(&fmu, &options).expect("a run");
        assert!(run.trajectory.times().len() > 1, "{name}");
    }
}

#[test]
#[ignore = "long: each example to its end"]
fn the_integrator_does_the_work_of_before_in_each_example() {
    assert_work(true);
}

fn assert_work(with_long: bool) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/work.csv");
    let found = counters(with_long);
    if with_long && std::env::var_os(REWRITE).is_some() {
        fs::write(&file, &found).expect("a file that can be written");
    }
    let mut kept = fs::read_to_string(&file).expect("tests/work.csv");
    if !with_long {
        let is_short = |line: &str| {
            line.split(',')
                .next()
                .is_some_and(|name| name == "example" || SHORT.contains(&name))
        };
        let lines = kept.lines().filter(|line| is_short(line));
        kept = lines.map(|line| format!("{line}\n")).collect();
    }
    let difference = difference(&kept, &found);
    assert!(
        difference.is_empty(),
        "work has changed, - before, + now; {REWRITE}=1 keeps it:\n{HEADER}{difference}"
    );
}
