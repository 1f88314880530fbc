//! States that are saved and set while islands merge, meet and split, in FMI 3.0 and 2.0.

use crate::fixtures::*;
use crate::fmi::importer::{Fmu, Importer, Version};
use crate::fmi2::importer::Two;
use crate::fmi3::importer::Three;
use crate::islands::comparing::*;
use crate::islands::forms::{octahedron, tumbling};
use crate::islands::mechanisms::net;

/// Communication steps per second: an impact takes about five of them.
const STEPS: f64 = 1024.0;

fn step<V: Version>(importer: &Importer<V>, index: u32) {
    importer.whole_step(f64::from(index) / STEPS, 1.0 / STEPS);
}

/// Two balls that roll into each other on a plate that sticks, one that falls beside them and one
/// that is far away.
fn meeting() -> Fmu {
    let bodies = vec![
        plate_of(4.0),
        moving("one", [-0.15, 0.0, 0.0999], [2.0, 0.1, 0.0]),
        moving("two", [0.15, 0.03, 0.0999], [-1.0, 0.0, 0.0]),
        ball("falls", [0.7, 0.4, 0.12]),
        moving("far", [-1.2, 0.7, 0.5], [0.2, 0.0, 0.0]),
    ];
    let mut description: SceneDescription = scene(bodies, Some(FrictionKind::Stick));
    description.report = Report::All;
    Fmu::new(description)
}

/// All that later steps tell: states, and what pairs report.
fn run<V: Version>(fmu: &Fmu, importer: &Importer<V>, from: u32, count: u32) -> Vec<Vec<u64>> {
    #[rustfmt::skip]
    let told = [
        "contact.one.two.impulse[1]", "contact.one.two.peak_force",
        "contact.one.two.last_impact_time", "contact.one.two.last_impact_speed",
        "contact.plate.falls.impulse[3]", "contact.plate.falls.last_impact_time", "energy.kinetic",
    ];
    let row = |index| {
        step(importer, index);
        let states = importer.state_variables().into_iter();
        let told = told
            .iter()
            .map(|name| importer.value(V::reference(fmu, name)));
        states.chain(told).map(f64::to_bits).collect()
    };
    (from..from + count).map(row).collect()
}

fn depth<V: Version>(fmu: &Fmu, importer: &Importer<V>) -> f64 {
    importer.value(V::reference(fmu, "contact.one.two.penetration"))
}

/// Saves before the two balls meet, while they touch and after they have parted.
fn runs_on_to_the_bit<V: Version>() {
    let fmu = meeting();
    let importer = V::stepping(&fmu);
    // The step in which they meet, and that in which they part.
    let mut touching = Vec::new();
    for index in 0..100 {
        step(&importer, index);
        if depth(&fmu, &importer) > 0.0 {
            touching.push(index + 1);
        }
    }
    assert!(touching.len() >= 3, "{touching:?}");
    let (met, parted) = (touching[0], touching[touching.len() - 1]);
    let middle = touching[touching.len() / 2];
    for point in [met - 1, met, middle, parted, parted + 1] {
        let importer = V::stepping(&fmu);
        for index in 0..point {
            step(&importer, index);
        }
        assert_eq!(depth(&fmu, &importer) > 0.0, touching.contains(&point));
        let saved = importer.state();
        let bytes = importer.serialize(saved);
        let expected = run(&fmu, &importer, point, 60);
        importer.fine(importer.set_state(saved));
        assert!(run(&fmu, &importer, point, 60) == expected, "at {point}");
        let read = importer.deserialize(&bytes).unwrap();
        assert!(importer.serialize(read) == bytes);
        importer.fine(importer.set_state(read));
        assert!(run(&fmu, &importer, point, 60) == expected, "at {point}");
        // One that has no history of its own, and one that is somewhere else.
        let (fresh, elsewhere) = (V::co_simulation(&fmu), V::stepping(&fmu));
        for index in 0..90 {
            step(&elsewhere, index);
        }
        for other in [fresh, elsewhere] {
            other.restore(&bytes);
            assert!(run(&fmu, &other, point, 60) == expected, "at {point}");
        }
        importer.free_state(saved);
        importer.free_state(read);
    }
}

#[test]
#[ignore = "long: resumed from each tenth step"]
fn a_run_of_fmi_3_goes_on_to_the_bit_from_the_middle_of_a_merge() {
    runs_on_to_the_bit::<Three>();
}

#[test]
#[ignore = "long: the same as in FMI 3.0"]
fn a_run_of_fmi_2_goes_on_to_the_bit_from_the_middle_of_a_merge() {
    runs_on_to_the_bit::<Two>();
}

/// Hulls whose features are searched for from hints, deflections that belong to slots, trees that a
/// ball hits, and steps of one formula only.
#[test]
#[ignore = "long: resumed from each tenth step"]
fn runs_of_other_scenes_go_on_to_the_bit_from_every_tenth_step() {
    let mut few = tumbling(&octahedron(0.15), FrictionKind::Stick);
    few.contact.nz_max = Some(4);
    let mut implicit = tumbling(&octahedron(0.15), FrictionKind::Stick);
    implicit.experiment.solver = Solver::Implicit;
    let hulls = tumbling(&octahedron(0.15), FrictionKind::Stick);
    let scenes = [
        ("hulls", hulls, 80),
        ("few", few, 80),
        ("implicit", implicit, 40),
        ("net", net(JointKind::Universal, 2), 40),
    ];
    for (name, description, end) in scenes {
        let fmu = Fmu::new(description);
        let importer = Three::stepping(&fmu);
        let rows = |importer: &Importer<Three>, from: u32| -> Vec<Vec<u64>> {
            let row = |index| {
                step(importer, index);
                let states = importer.state_variables().into_iter();
                states.map(f64::to_bits).collect()
            };
            (from..end + 20).map(row).collect()
        };
        let mut saved = Vec::new();
        for index in 0..end {
            if index % 10 == 9 {
                saved.push((index, importer.bytes()));
            }
            step(&importer, index);
        }
        let through = rows(&importer, end);
        for (index, bytes) in saved {
            let other = fmu.co_simulation();
            other.restore(&bytes);
            let found = rows(&other, index);
            assert!(found.ends_with(&through), "{name} from step {index}");
        }
    }
}

/// Both versions of FMI step the same islands.
#[test]
fn both_versions_of_fmi_do_the_same_to_the_bit() {
    let fmu = meeting();
    let three = run(&fmu, &Three::stepping(&fmu), 0, 100);
    let two = run(&fmu, &Two::stepping(&fmu), 0, 100);
    assert!(three == two);
}
