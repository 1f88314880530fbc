//! The examples of mechanisms, each against what its reference.py computed without any code of this
//! project, as in `examples`. That of the coupling needs the program beside it: it is in
//! `tests/importers/test_coupling.py`.

use crate::examples::{deviation, impacts, runs_of_fmi3, shared_runs};
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

/// After the load has come on: the wheel lags as the elastic polygons of the reference do, which have no inertia, to
/// 0.1 um of 3.3 to 5.4 um along the line of action.
#[test]
#[ignore = "long: an example to its end"]
fn gears_drive_each_other_by_their_facets_as_polygons_without_inertia() {
    let (reference, runs) = runs_of_fmi3("gears_mesh");
    let base = 0.04 * 20_f64.to_radians().cos();
    for run in runs {
        let index = run.trajectory.index_of("bearing.angle");
        let angles = run.trajectory.column(index.expect("an output"));
        let rows = run.trajectory.times().iter().zip(angles);
        let (mut lags, mut end) = (Vec::new(), 0.0);
        for ((time, angle), expected) in rows.zip(&reference[1].1) {
            if *time > 0.0145 {
                let off = (angle - expected) * base;
                assert!(off.abs() < 1e-7, "{time} s: {off} m");
                lags.push((angle + std::f64::consts::PI * time) * base);
            }
            end = angle;
        }
        let ratio = end / -std::f64::consts::TAU;
        assert!((ratio - 0.5).abs() < 1e-4 * 0.5, "{ratio}");
        // A tooth passes in 50 ms: from two pairs of flanks, which lag less than the mean, to one pair.
        let mean = lags.iter().sum::<f64>() / lags.len() as f64;
        assert!((mean - 4.20e-6).abs() < 3e-8, "{mean} m");
        let passes = lags
            .windows(2)
            .filter(|two| two[0] < 4.8e-6 && two[1] >= 4.8e-6);
        assert_eq!(passes.count(), 20);
    }
}

/// All values of a column.
fn values<'a>(run: &'a Run, name: &str) -> impl Iterator<Item = f64> + 'a {
    let index = run.trajectory.index_of(name).expect("an output");
    run.trajectory.column(index)
}

/// Times [s] at which a column changes its sign, by lines between rows.
fn crossings(run: &Run, name: &str) -> Vec<f64> {
    let rows: Vec<(f64, f64)> = run
        .trajectory
        .times()
        .iter()
        .copied()
        .zip(values(run, name))
        .collect();
    let change = |pair: &[(f64, f64)]| {
        let [(t, a), (end, b)] = [pair[0], pair[1]];
        (a * b < 0.0).then(|| t + (end - t) * a / (a - b))
    };
    rows.windows(2).filter_map(change).collect()
}

/// Largest relative change of the sum of all energies.
fn imbalance(run: &Run) -> f64 {
    let names = ["kinetic", "potential", "contact_elastic", "dissipated"];
    let mut sums = vec![0.0; run.trajectory.times().len()];
    for name in names {
        let column = values(run, &format!("energy.{name}"));
        sums.iter_mut()
            .zip(column)
            .for_each(|(sum, value)| *sum += value);
    }
    let off = sums.iter().map(|sum| (sum / sums[0] - 1.0).abs());
    off.fold(0.0, f64::max)
}

/// A ball of the radius r that rolls in a sphere is a pendulum of the length 7 (R - r)/5; its first quarter of a period
/// from 20 deg is K(sin 10 deg)/sqrt(5 g/(7 (R - r))) = 0.169127 s. In a mesh of 2,400 triangles it loses some speed at their edges.
#[test]
#[ignore = "long: an example to its end"]
fn a_ball_rolls_in_a_bowl_of_triangles_as_in_a_sphere() {
    for run in shared_runs("ball_in_bowl", None) {
        let times = crossings(run, "ball.position[1]");
        assert_eq!(times.len(), 4);
        assert!((times[0] / 0.169127 - 1.0).abs() < 0.01, "{times:?}");
        // Half periods shorten from 0.33825 s at 20 deg to 0.33568 s for small angles.
        for half in times.windows(2).map(|ends| ends[1] - ends[0]) {
            assert!((0.3357..0.3425).contains(&half), "{times:?}");
        }
        // All corners are on the sphere: the ball, 0.1 mm deep, is nowhere farther off.
        for row in 0..run.trajectory.times().len() {
            let row = run.trajectory.row(row);
            let [x, y, z] = [1, 2, 3].map(|k| {
                row[run
                    .trajectory
                    .index_of(&format!("ball.position[{k}]"))
                    .expect("an output")]
            });
            let distance = (x * x + y * y + z * z).sqrt();
            assert!((distance - 0.08).abs() < 2e-4, "{distance}");
            assert!(y.abs() < 1e-4, "{y}");
        }
        assert!(imbalance(run) < 1e-5, "{}", imbalance(run));
    }
}

/// Where reference.py finds the elastic ball at rest. What it loses is the work of its weight, m g (1.6 m - 0.408 m), but
/// for the elastic energy.
#[test]
#[ignore = "long: an example to its end"]
fn a_ball_on_terrain_rests_where_the_reference_does() {
    let rest = [8.494348, 5.504160, 0.408179];
    for run in shared_runs("terrain", None) {
        for (k, expected) in rest.iter().enumerate() {
            let found = value(run, &format!("ball.position[{}]", k + 1), 20.0);
            let bound = if k == 2 { 2e-5 } else { 1e-4 };
            assert!((found - expected).abs() < bound, "{k}: {found}");
        }
        let weight = 1100.0 * 0.6_f64.powi(3) * std::f64::consts::PI / 6.0 * 9.81;
        let force = value(run, "ball.contact_force[3]", 20.0);
        assert!((force / weight - 1.0).abs() < 1e-5, "{force}");
        let lost = value(run, "energy.dissipated", 20.0);
        let work = weight * (1.6 - rest[2]);
        assert!((0.999..1.0).contains(&(lost / work)), "{lost} of {work}");
        assert!(imbalance(run) < 1e-7, "{}", imbalance(run));
    }
}

/// W = 3 kg g on A = 8 mm x 10 mm of k = 2e11 N/m3, its centre of mass e = 1 mm beside the middle and h = 40 mm below:
/// W/(k A) + 2e-8 m deep, turned by W e/(k I + W h). At the rim of the faces the walls are nearer, by as little as they are
/// deep.
#[test]
#[ignore = "long: an example to its end"]
fn a_hook_hangs_in_a_ring_as_deep_and_tilted_as_the_closed_form_and_holds() {
    for run in shared_runs("hook", None) {
        let tilt = |time| 2.0 * value(run, "hook.orientation[2]", time);
        // The arch, 20 mm below the origin of the hook.
        let arch = |time| value(run, "hook.position[2]", time) + 0.02 * tilt(time);
        for time in [0.05, 0.1, 0.15, 0.2] {
            assert!(
                (tilt(time) / 0.218793e-3 - 1.0).abs() < 2e-3,
                "{}",
                tilt(time)
            );
            let depth = -value(run, "hook.position[3]", time);
            assert!((depth / 1.859854e-6 - 1.0).abs() < 1e-3, "{depth}");
            let force = value(run, "hook.contact_force[3]", time);
            assert!((force / 29.43 - 1.0).abs() < 1e-4, "{force}");
        }
        // Friction holds 0.2 W = 5.886 N, which the push has at 0.4616 s.
        assert!(arch(0.46) < 1e-6 && arch(0.5) > 5e-5, "{}", arch(0.5));
        // The tip is 2 mm from the ring, rebounds a little and stays there.
        for time in [0.65, 0.7, 0.8, 0.9, 1.0] {
            assert!((arch(time) - 2e-3).abs() < 3e-5, "{}", arch(time));
        }
        let forces = values(run, "hook.contact_force[3]").skip(160);
        let (sum, count) =
            forces.fold((0.0, 0.0), |(sum, count), force| (sum + force, count + 1.0));
        assert!((sum / count / 29.43 - 1.0).abs() < 1e-3, "{}", sum / count);
    }
}
