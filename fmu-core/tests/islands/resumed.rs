//! States that are saved and set while islands merge, meet and split, in FMI 3.0 and 2.0.

use crate::fixtures::{ball, plate_of};
use crate::fmi2;
use crate::fmi3::importer::{Fmu, Importer, reference};
use crate::islands::comparing::{moving, scene};
use crate::islands::forms::{octahedron, tumbling};
use crate::islands::mechanisms::net;
use contact_laws::response::choice::FrictionKind;
use contact_model::scene::SceneDescription;
use contact_model::scene::description::{JointKind, Report, Solver};
use fmu_core::fmi2::fmi2Status::fmi2OK;
use fmu_core::fmi3::fmi3Status::fmi3OK;
use std::ffi::c_void;

/// Communication steps per second: an impact takes about five of them.
const STEPS: f64 = 1024.0;

/// What a run needs of an instance.
trait Steps: Sized {
    fn start(fmu: &Fmu) -> Self;
    /// An instance that was never initialised.
    fn fresh(fmu: &Fmu) -> Self;
    fn step(&self, index: u32);
    fn number(&self, fmu: &Fmu, name: &str) -> f64;
    fn states(&self) -> Vec<f64>;
    fn save(&self) -> *mut c_void;
    fn set(&self, state: *mut c_void);
    fn free(&self, state: *mut c_void);
    fn bytes(&self, state: *mut c_void) -> Vec<u8>;
    fn read(&self, bytes: &[u8]) -> *mut c_void;
}

impl Steps for Importer {
    fn start(fmu: &Fmu) -> Self {
        let importer = fmu.co_simulation();
        importer.initialize();
        importer
    }

    fn fresh(fmu: &Fmu) -> Self {
        fmu.co_simulation()
    }

    fn step(&self, index: u32) {
        self.whole_step(f64::from(index) / STEPS, 1.0 / STEPS);
    }

    fn number(&self, fmu: &Fmu, name: &str) -> f64 {
        self.value(reference(fmu, name))
    }

    fn states(&self) -> Vec<f64> {
        self.state_variables()
    }

    fn save(&self) -> *mut c_void {
        self.state()
    }

    fn set(&self, state: *mut c_void) {
        assert_eq!(self.set_state(state), fmi3OK, "{:?}", self.log());
    }

    fn free(&self, state: *mut c_void) {
        self.free_state(state);
    }

    fn bytes(&self, state: *mut c_void) -> Vec<u8> {
        self.serialize(state)
    }

    fn read(&self, bytes: &[u8]) -> *mut c_void {
        self.deserialize(bytes).expect("what was written")
    }
}

impl Steps for fmi2::importer::Importer {
    fn start(fmu: &Fmu) -> Self {
        let importer = fmi2::importer::co_simulation(fmu);
        importer.initialize();
        importer
    }

    fn fresh(fmu: &Fmu) -> Self {
        fmi2::importer::co_simulation(fmu)
    }

    fn step(&self, index: u32) {
        self.whole_step(f64::from(index) / STEPS, 1.0 / STEPS);
    }

    fn number(&self, fmu: &Fmu, name: &str) -> f64 {
        self.value(fmi2::importer::reference(fmu, name))
    }

    fn states(&self) -> Vec<f64> {
        self.state_variables()
    }

    fn save(&self) -> *mut c_void {
        self.state()
    }

    fn set(&self, state: *mut c_void) {
        assert_eq!(self.set_state(state), fmi2OK, "{:?}", self.log());
    }

    fn free(&self, state: *mut c_void) {
        self.free_state(state);
    }

    fn bytes(&self, state: *mut c_void) -> Vec<u8> {
        self.serialize(state)
    }

    fn read(&self, bytes: &[u8]) -> *mut c_void {
        self.deserialize(bytes).expect("what was written")
    }
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
fn run<I: Steps>(fmu: &Fmu, importer: &I, from: u32, count: u32) -> Vec<Vec<u64>> {
    let told = [
        "contact.one.two.impulse[1]",
        "contact.one.two.peak_force",
        "contact.one.two.last_impact_time",
        "contact.one.two.last_impact_speed",
        "contact.plate.falls.impulse[3]",
        "contact.plate.falls.last_impact_time",
        "energy.kinetic",
    ];
    let row = |index| {
        importer.step(index);
        let states = importer.states().into_iter();
        let told = told.iter().map(|name| importer.number(fmu, name));
        states.chain(told).map(f64::to_bits).collect()
    };
    (from..from + count).map(row).collect()
}

fn depth<I: Steps>(fmu: &Fmu, importer: &I) -> f64 {
    importer.number(fmu, "contact.one.two.penetration")
}

/// Saves before the two balls meet, while they touch and after they have parted.
fn runs_on_to_the_bit<I: Steps>() {
    let fmu = meeting();
    let importer = I::start(&fmu);
    // The step in which they meet, and that in which they part.
    let mut touching = Vec::new();
    for index in 0..100 {
        importer.step(index);
        if depth(&fmu, &importer) > 0.0 {
            touching.push(index + 1);
        }
    }
    assert!(touching.len() >= 3, "{touching:?}");
    let (met, parted) = (touching[0], touching[touching.len() - 1]);
    let middle = touching[touching.len() / 2];
    for point in [met - 1, met, middle, parted, parted + 1] {
        let importer = I::start(&fmu);
        for index in 0..point {
            importer.step(index);
        }
        assert_eq!(depth(&fmu, &importer) > 0.0, touching.contains(&point));
        let saved = importer.save();
        let bytes = importer.bytes(saved);
        let expected = run(&fmu, &importer, point, 60);
        importer.set(saved);
        assert!(run(&fmu, &importer, point, 60) == expected, "at {point}");
        let read = importer.read(&bytes);
        assert!(importer.bytes(read) == bytes);
        importer.set(read);
        assert!(run(&fmu, &importer, point, 60) == expected, "at {point}");
        // One that has no history of its own, and one that is somewhere else.
        let (fresh, elsewhere) = (I::fresh(&fmu), I::start(&fmu));
        for index in 0..90 {
            elsewhere.step(index);
        }
        for other in [fresh, elsewhere] {
            let read = other.read(&bytes);
            other.set(read);
            other.free(read);
            assert!(run(&fmu, &other, point, 60) == expected, "at {point}");
        }
        importer.free(saved);
        importer.free(read);
    }
}

#[test]
fn a_run_of_fmi_3_goes_on_to_the_bit_from_the_middle_of_a_merge() {
    runs_on_to_the_bit::<Importer>();
}

#[test]
fn a_run_of_fmi_2_goes_on_to_the_bit_from_the_middle_of_a_merge() {
    runs_on_to_the_bit::<fmi2::importer::Importer>();
}

/// Hulls whose features are searched for from hints, deflections that belong to slots, trees that a
/// ball hits, and steps of one formula only.
#[test]
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
        let importer = <Importer as Steps>::start(&fmu);
        let rows = |importer: &Importer, from: u32| -> Vec<Vec<u64>> {
            let row = |index| {
                Steps::step(importer, index);
                let states = importer.states().into_iter();
                states.map(f64::to_bits).collect()
            };
            (from..end + 20).map(row).collect()
        };
        let mut saved = Vec::new();
        for index in 0..end {
            if index % 10 == 9 {
                let state = importer.save();
                saved.push((index, importer.bytes(state)));
                importer.free(state);
            }
            Steps::step(&importer, index);
        }
        let through = rows(&importer, end);
        for (index, bytes) in saved {
            let other = <Importer as Steps>::fresh(&fmu);
            let read = other.read(&bytes);
            Steps::set(&other, read);
            other.free(read);
            let found = rows(&other, index);
            assert!(found.ends_with(&through), "{name} from step {index}");
        }
    }
}

/// Both versions of FMI step the same islands.
#[test]
fn both_versions_of_fmi_do_the_same_to_the_bit() {
    let fmu = meeting();
    let three = run(&fmu, &<Importer as Steps>::start(&fmu), 0, 100);
    let two = run(
        &fmu,
        &<fmi2::importer::Importer as Steps>::start(&fmu),
        0,
        100,
    );
    assert!(three == two);
}
