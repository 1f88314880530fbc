//! The examples of mechanisms, each against what its reference.py computed without any code of this
//! project, as in `examples`. That of the coupling needs the program beside it: it is in
//! `tests/importers/test_coupling.py`.

use crate::examples::{deviation, impacts, runs_of_fmi3};
use fmu_host::Run;

/// The value of an output in the row of this time [s].
fn value(run: &Run, name: &str, time: f64) -> f64 {
    let rows = run.trajectory.times().iter();
    let row = rows.enumerate().find(|(_, t)| (*t - time).abs() < 1e-9);
    let (row, _) = row.expect("a row of this time");
    run.trajectory.row(row)[run.trajectory.index_of(name).expect("an output")]
}

/// Where the edge has just landed on the chamfer it rattles: 0.2 nm of depth are 4 mN.
#[test]
#[ignore = "long: an example to its end"]
fn a_peg_crosses_the_chamfer_and_leans_on_two_points_as_its_reference() {
    let (reference, runs) = runs_of_fmi3("peg_in_hole");
    for run in runs {
        // The edges, round by 0.5 mm, meet where both have the slope of the chamfer; 2 z_eps deep.
        let edge = 0.5e-3 * (2.0_f64.sqrt() - 2.0);
        let (time, speed) = impacts(run)[0];
        let height = 1e-3 + 10e-3 + edge - 12.05e-3 - 2e-8 * 2.0_f64.sqrt();
        assert!((time + height / 5e-3).abs() < 1e-8, "{time} s");
        assert!((speed - 5e-3 / 2.0_f64.sqrt()).abs() < 1e-9, "{speed} m/s");
        assert!(deviation(run, &reference, "displacement") < 2e-10);
        assert!(deviation(run, &reference, "angle") < 3e-8);
        assert!(deviation(run, &reference, "contact_force") < 4e-3);
    }
}

/// Way [m], tilt [rad] and force of insertion [N] with the tip that far down [m], as reference.py
/// prints the formulas: those of rigid bodies at rest, of first order in angles of 0.01. On the chamfer the damper of
/// the wrist takes 10 N.s/m times 3 mm/s of some 2.7 N; on two points contact gives 0.5 um of the 100 um that fix the
/// tilt, and the force follows it.
#[test]
#[ignore = "long: an example to its end"]
fn a_peg_needs_the_force_of_the_formulas_of_whitney() {
    let (_, runs) = runs_of_fmi3("peg_in_hole");
    for run in runs {
        for (down, way, tilt, force) in [
            (1.8e-3, -0.26865e-3, 4.71130e-3, 4.02982),
            (8e-3, -0.49148e-3, 10.37203e-3, 1.03394),
            (15e-3, -0.64733e-3, 8.13478e-3, 3.51234),
            (20e-3, -0.76376e-3, 5.78272e-3, 4.27145),
            (30e-3, -0.86863e-3, 3.66396e-3, 3.28133),
        ] {
            for (name, expected) in [
                ("slide.displacement", way),
                ("tilt.angle", tilt),
                ("peg.contact_force[3]", force),
            ] {
                let found = value(run, name, down / 5e-3);
                assert!((found / expected - 1.0).abs() < 0.02, "{name} {found}");
            }
        }
    }
}

/// The play of the pin, 0.05 mm, and the depth of the impact in which it has crossed it, without losses
/// v sqrt(J/(s^2 K)) = 22.5 mm/s sqrt(2.64e-4 kg.m2/((23.4 mm)^2 1e6 N/m)) = 16 um, at the distance s of
/// the pin from the wheel's axis.
#[test]
#[ignore = "long: an example to its end"]
fn a_geneva_drive_follows_its_reference_and_within_its_play_the_closed_form() {
    let (reference, runs) = runs_of_fmi3("geneva_drive");
    let (centres, crank) = (0.08, 0.0565685);
    for run in runs {
        assert!(deviation(run, &reference, "bearing.angle") < 5e-7);
        for (row, time) in run.trajectory.times().iter().enumerate() {
            let a = std::f64::consts::TAU * time - std::f64::consts::FRAC_PI_2;
            if a.abs() < std::f64::consts::FRAC_PI_4 {
                let (y, x) = (crank * a.sin(), centres - crank * a.cos());
                let expected = -y.atan2(x) - std::f64::consts::FRAC_PI_4;
                let index = run.trajectory.index_of("bearing.angle");
                let found = run.trajectory.row(row)[index.expect("an output")];
                assert!((found - expected).abs() < 0.066e-3 / x.hypot(y), "{time} s");
            }
        }
        // Largest ratio of speeds, at the middle: 1 + sqrt(2).
        let speed = value(run, "bearing.angular_velocity", 0.25) / std::f64::consts::TAU;
        assert!((speed + 1.0 + 2.0_f64.sqrt()).abs() < 2e-3, "{speed}");
        // Locked: turned by the play of the disc, 0.03 mm, and the height of its corners, 7 um, at most.
        let dwell = value(run, "bearing.angle", 1.0) + std::f64::consts::FRAC_PI_2;
        assert!(dwell.abs() < 0.04e-3 / crank, "{dwell}");
    }
}
