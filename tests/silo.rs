//! The example `silo` in granular mode: what flows out, beside Beverloo's law with the constants of
//! its authors, `reference.csv`.

use crate::examples::example;
use fmu_build::command::build::{Target, build_fmu};
use fmu_host::{Fmu, Options, Run, simulate_cs};

/// Mass of a ball of glass of 6 mm [kg].
const BALL: f64 = 2500.0 * std::f64::consts::PI / 6.0 * 216e-9;
/// Region `core` of the scene [m3]: 7 x 7 x 4.508876 diameters.
const CORE: f64 = 49.0 * 4.508876 * 216e-9;
/// The gate opens, and the flow is steady from a tenth of a second later on [s].
const OPENED: f64 = 0.25;

fn column(run: &Run, name: &str) -> Vec<f64> {
    let index = run.trajectory.index_of(name).expect("an output");
    run.trajectory.column(index).collect()
}

fn run() -> Run {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("silo.fmu");
    build_fmu(
        &example("silo").join("scene.toml"),
        &file,
        &Target::default(),
    )
    .expect("an FMU");
    let fmu = Fmu::open(&file).expect("an FMU that opens");
    assert!(fmu.model_exchange().is_err());
    simulate_cs(&fmu, &Options::default()).expect("a run")
}

#[test]
#[ignore = "long: an example to its end"]
fn a_silo_empties_at_the_rate_of_beverloos_law() {
    let run = run();
    let file = example("silo").join("reference.csv");
    let mut reader = csv::Reader::from_path(file).expect("a reference");
    let rows: Vec<_> = reader.records().map(|row| row.expect("a row")).collect();
    let row = rows.iter().find(|row| &row[0] == "volume_rate");
    let volume_rate: f64 = row.expect("the rate")[1].parse().expect("a number");
    let (times, out) = (run.trajectory.times(), column(&run, "balls.out.mass"));
    let place = |time: f64| times.iter().position(|t| *t > time - 1e-9).expect("a row");
    assert_eq!(out[place(OPENED)], 0.0);
    let (first, last) = (place(OPENED + 0.1), times.len() - 1);
    let core = &column(&run, "balls.core.count")[first..];
    let bulk_density = core.iter().sum::<f64>() / core.len() as f64 * BALL / CORE;
    // Random packings of balls have 0.55 to 0.64 of the volume.
    assert!(
        (0.55..0.64).contains(&(bulk_density / 2500.0)),
        "{bulk_density}"
    );
    let rate = (out[last] - out[first]) / (times[last] - times[first]);
    let ratio = rate / (bulk_density * volume_rate);
    assert!(
        (ratio - 1.0).abs() < 0.1,
        "{ratio} of Beverloo's rate, {bulk_density} kg/m3"
    );
    // Contacts are soft, but balls stay balls: 3 % of 6 mm, where they fall on the gate.
    let overlap = column(&run, "experiment.statistics.largest_overlap")[last];
    assert!(overlap < 0.03 * 6e-3, "{overlap} m");
}
