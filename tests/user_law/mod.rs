//! Contact laws of the user, compiled by the C compiler of this computer: the worked example
//! against its closed form, the same law built in, and everything that can be wrong with a library.
//!
//! Expected numbers are those of the equations in examples/user_law/README.md.

use contact_geometry::math::{Dual, Vec3};
use contact_laws::response::PairLaw;
use contact_laws::response::law::ContactMotion;
use contact_model::dynamics::System;
use contact_model::hybrid::HybridSystem;
use contact_model::scene::user::own_platform;
use contact_model::scene::{Parameters, UserFunctions};
use fmu_build::command::build::{Target, build_fmu};
use fmu_build::command::check;
use fmu_build::package::Archive;
use fmu_build::scene_file;
use fmu_core::instance::{self, Instance, Log, Standard, lifecycle};
use fmu_host::{Fmu, Options, Run, simulate_cs, simulate_me};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use tempfile::TempDir;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Compiles a C file to a shared library.
fn compile(source: &Path, library: &Path, options: &[&str]) {
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let done = Command::new(&compiler)
        .args([
            "-std=c99", "-Wall", "-Wextra", "-Werror", "-O2", "-shared", "-fPIC",
        ])
        .args(options)
        .arg("-I")
        .arg(root().join("fmu-core/include"))
        .arg("-o")
        .args([library, source])
        .arg("-lm")
        .output()
        .unwrap_or_else(|error| panic!("a C compiler, {compiler}: {error}"));
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
}

/// The example in a folder of its own, its library compiled.
pub fn example() -> TempDir {
    let folder = TempDir::new().expect("a folder");
    let source = root().join("examples/user_law");
    let scene = source.join("scene.toml");
    fs::copy(scene, folder.path().join("scene.toml")).expect("the scene");
    let library = folder.path().join("librubber.so");
    compile(&source.join("rubber.c"), &library, &[]);
    folder
}

/// A variant of the example's scene whose library is `faulty.c` compiled with options.
fn faulty(options: &[&str]) -> TempDir {
    let folder = example();
    let source = root().join("tests/user_law/faulty.c");
    compile(&source, &folder.path().join("librubber.so"), options);
    change(
        &folder,
        &[
            ("friction = \"user\"\n", "friction = \"off\"\n"),
            (
                "library = \"rubber\"\n",
                "library = \"rubber\"\nnormal_function = \"push\"\n",
            ),
        ],
    );
    folder
}

/// Replaces texts of the scene, each of which must be there.
fn change(folder: &TempDir, changes: &[(&str, &str)]) {
    let path = folder.path().join("scene.toml");
    let mut text = fs::read_to_string(&path).expect("the scene");
    for (old, new) in changes {
        assert!(text.contains(old), "{old} in {text}");
        text = text.replace(old, new);
    }
    fs::write(&path, text).expect("the scene");
}

fn build(folder: &TempDir, standard: Standard) -> Result<PathBuf, String> {
    let file = folder.path().join("model.fmu");
    let target = Target {
        standard,
        ..Target::default()
    };
    build_fmu(&folder.path().join("scene.toml"), &file, &target)
        .map(|_| file)
        .map_err(|error| error.to_string())
}

fn open(folder: &TempDir, standard: Standard) -> Fmu {
    Fmu::open(&build(folder, standard).expect("an FMU")).expect("an FMU that opens")
}

/// Co-Simulation and Model Exchange.
pub fn runs(folder: &TempDir, standard: Standard) -> [Run; 2] {
    let fmu = open(folder, standard);
    let options = Options::default();
    [simulate_cs(&fmu, &options), simulate_me(&fmu, &options)].map(|run| run.expect("a run"))
}

fn last(run: &Run, name: &str) -> f64 {
    let index = run.trajectory.index_of(name).expect(name);
    run.trajectory.column(index).last().expect("rows")
}

/// Why the FMU in a folder cannot be run, as Co-Simulation and as Model Exchange, in both versions.
fn refusals(folder: &TempDir) -> Vec<String> {
    let of = |standard| {
        let fmu = open(folder, standard);
        let options = Options::default();
        [simulate_cs(&fmu, &options), simulate_me(&fmu, &options)]
            .map(|run| run.expect_err("a refusal").to_string())
    };
    [Standard::Fmi3, Standard::Fmi2]
        .into_iter()
        .flat_map(of)
        .collect()
}

fn assert_all_hold(texts: &[String], parts: &[&str]) {
    for text in texts {
        for part in parts {
            assert!(text.contains(part), "{part} in {text}");
        }
    }
}

/// Restitution of a spring with hysteresis whose d v0 is 1: (1 + e) u = ln((1 + u)/(1 - e u)) at u
/// = 1.
const E: f64 = 0.593_624_260_040_04;

/// Radius [m], mass [kg] and moment of inertia [kg.m2] of the example's ball.
const RADIUS: f64 = 0.05;
const MASS: f64 = 1100.0 * 4.0 / 3.0 * std::f64::consts::PI * RADIUS * RADIUS * RADIUS;
const INERTIA: f64 = 0.4 * MASS * RADIUS * RADIUS;

/// Integral of f (r - (delta + 2 z_eps)/2) over the example's impact [N.m.s]: the normal force
/// times its distance from the centre, for the contact point is in the middle of the overlap. By
/// the classical Runge-Kutta method in steps of 1e-7 s.
fn angular_impulse() -> f64 {
    let rates = |[delta, rate, _]: [f64; 3]| {
        let force = 20e3 * delta * (1.0 + rate);
        [rate, -force / MASS, force * (RADIUS - 0.5 * (delta + 2e-8))]
    };
    let step = |x: [f64; 3], k: [f64; 3], h: f64| std::array::from_fn(|i| x[i] + h * k[i]);
    let (h, mut x) = (1e-7, [0.0, 1.0, 0.0]);
    while x[0] >= 0.0 {
        let a = rates(x);
        let b = rates(step(x, a, 0.5 * h));
        let c = rates(step(x, b, 0.5 * h));
        let d = rates(step(x, c, h));
        let mean = std::array::from_fn(|i| (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]) / 6.0);
        x = step(x, mean, h);
    }
    x[2]
}

#[test]
fn the_example_bounces_off_as_its_closed_form_says() {
    let folder = example();
    for standard in [Standard::Fmi3, Standard::Fmi2] {
        for run in runs(&folder, standard) {
            // Two contact changes: an impact and its end.
            assert_eq!(run.contacts.len(), 2);
            let impact = run.contacts[0].impact_speed.expect("an impact");
            assert!((impact - 1.0).abs() < 1e-9);
            // The ball slides all the time: the tangential impulse is mu times the normal one.
            let mu = 0.2;
            let found = ["velocity[3]", "velocity[1]", "angular_velocity[2]"];
            let found = found.map(|name| last(&run, &format!("ball.{name}")));
            let expected = [E, 2.0 - mu * (1.0 + E), mu * angular_impulse() / INERTIA];
            for (found, expected) in found.iter().zip(expected) {
                assert!((found / expected - 1.0).abs() < 1e-7, "{found}, {expected}");
            }
        }
    }
}

#[test]
fn both_versions_of_fmi_give_the_same_bits() {
    let folder = example();
    let [two, three] = [Standard::Fmi2, Standard::Fmi3].map(|standard| runs(&folder, standard));
    for (two, three) in two.iter().zip(&three) {
        let bits = |run: &Run| -> Vec<u64> {
            let rows = 0..run.trajectory.times().len();
            let values = rows.flat_map(|row| run.trajectory.row(row).to_vec());
            values.map(f64::to_bits).collect()
        };
        assert_eq!(bits(two), bits(three));
    }
}

/// What makes the example's laws the built-in ones with the same numbers.
const BUILT_IN: [(&str, &str); 3] = [
    (
        "law = \"user\"\nfriction = \"user\"\n",
        "law = \"spring\"\n",
    ),
    (
        "library = \"rubber\"\n",
        "damping = \"constant\"\nsliding_friction = 0.2\nrolling_resistance = 0\n",
    ),
    (
        "user = [20e3, 1.0, 0.2, 0.01]",
        "stiffness = 20e3\ndamping_coefficient = 1.0\nv_small = 0.01",
    ),
];

#[test]
fn the_same_law_built_in_moves_the_ball_alike() {
    let (user, built_in) = (example(), example());
    let fine = [("tolerance = 1e-9", "tolerance = 1e-12")];
    change(&user, &fine);
    change(&built_in, &fine);
    change(&built_in, &BUILT_IN);
    let [of_user, of_built_in] = [&user, &built_in].map(|folder| runs(folder, Standard::Fmi3));
    for (a, b) in of_user.iter().zip(&of_built_in) {
        for name in [
            "position[1]",
            "position[3]",
            "velocity[3]",
            "angular_velocity[2]",
        ] {
            let name = format!("ball.{name}");
            let [i, j] = [a, b].map(|run| run.trajectory.index_of(&name).expect("an output"));
            for (a, b) in a.trajectory.column(i).zip(b.trajectory.column(j)) {
                assert!((a - b).abs() < 1e-9, "{name}: {a}, {b}");
            }
        }
    }
}

/// The system of a scene, with its functions loaded, in contact 2 mm deep, sliding and spinning.
fn in_contact(folder: &TempDir) -> (System, Vec<f64>) {
    let loaded = scene_file::read(&folder.path().join("scene.toml")).expect("a scene");
    let scene = Arc::new(loaded.scene);
    let path = folder.path().join("librubber.so");
    let functions = UserFunctions::load(&scene, |_| Ok(path.clone())).expect("functions");
    let mut system =
        System::with_functions(Arc::clone(&scene), &Parameters::start(&scene), &functions)
            .expect("a system");
    let mut states = scene.start_states();
    states[2] = 0.048;
    states[7..13].copy_from_slice(&[0.7, -0.3, -0.4, 2.0, -1.0, 3.0]);
    system.update_event(0.0, &mut states).expect("an event");
    (system, states)
}

#[test]
fn derivatives_of_a_users_law_are_those_of_the_same_law_built_in() {
    let (user, built_in) = (example(), example());
    change(&built_in, &BUILT_IN);
    let jacobians = [&user, &built_in].map(|folder| {
        let (mut system, states) = in_contact(folder);
        let mut jacobian = vec![0.0; states.len() * states.len()];
        system
            .jacobian(0.0, &states, &mut jacobian)
            .expect("a Jacobian");
        jacobian
    });
    let largest = jacobians[1].iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    assert!(largest > 1e3, "the contact is felt: {largest}");
    for (a, b) in jacobians[0].iter().zip(&jacobians[1]) {
        assert!(
            (a - b).abs() < 1e-7 * (largest.sqrt() + b.abs()),
            "{a}, {b}"
        );
    }
}

#[test]
fn nominals_and_tolerance_are_those_of_the_same_law_built_in() {
    let (user, built_in) = (example(), example());
    change(&built_in, &BUILT_IN);
    let scales = [&user, &built_in].map(|folder| {
        let (system, states) = in_contact(folder);
        let mut nominals = vec![0.0; states.len()];
        system.nominals(&mut nominals);
        (nominals, system.suggested_tolerance())
    });
    for (a, b) in scales[0].0.iter().zip(&scales[1].0) {
        assert!((a / b - 1.0).abs() < 1e-2, "{a}, {b}");
    }
    assert_eq!(scales[0].1, scales[1].1);
}

/// f = K delta with K = 20 kN/m: delta = F/K under a force, v sqrt(m/K) in an impact.
#[test]
fn depths_of_a_users_law_are_those_of_its_closed_form() {
    let (system, _) = in_contact(&example());
    let law = system.model().law(0.into());
    for decade in -3..=3 {
        for part in [1.0, 1.7, 2.9, 5.3] {
            let force = part * 10f64.powi(decade);
            let depth = law.depth_under_force(force).expect("a depth");
            let error = depth / (force / 20e3) - 1.0;
            // Bisection ends at one part in a million.
            assert!(error.abs() < 1e-6, "{force} N: off by {error}");
            let depth = law.depth_after_impact(force, 0.1).expect("a depth");
            let error = depth / (0.1 * (force / 20e3).sqrt()) - 1.0;
            // Between depths that grow by a quarter the work counts as linear in the depth.
            assert!(error.abs() < 1e-2, "{force} kg: off by {error}");
        }
    }
    // The weight of the ball beyond which no depth is tried.
    assert_eq!(law.depth_under_force(20e3 * 11.0), None);
}

/// The law of `curved.c` in contact: its results are curved in each of their inputs.
fn curved_law() -> PairLaw {
    let folder = example();
    let source = root().join("tests/user_law/curved.c");
    compile(&source, &folder.path().join("librubber.so"), &[]);
    let (system, _) = in_contact(&folder);
    system.model().law(0.into())
}

/// A number whose derivative is 1 where it is the `seed`-th.
fn seeded(value: f64, own: usize, seed: usize) -> Dual {
    Dual::new(value, f64::from(u8::from(own == seed)))
}

/// Near rest and fast, shallow and deep: the step of the differences has to follow each argument.
#[test]
fn derivatives_of_a_users_law_that_bends_are_those_of_its_closed_form() {
    let law = curved_law();
    // The example's ball touches where the gap is -2 z_eps.
    let z_eps = 1e-8;
    for depth in [1e-6, 1e-3] {
        for rate in [0.0, 1e-2, -1e-2, 10.0] {
            for (slip, spin) in [(0.0, 0.0), (1e-2, 10.0), (10.0, 1e-2)] {
                // Normal force f = d^2 + r^3 + sin(5 x) + sin(3 t), friction -f^2 s^3, torque -w^3
                // about x.
                let (x, t) = (0.3, 0.4);
                let f = depth * depth + f64::powi(rate, 3) + f64::sin(5.0 * x) + f64::sin(3.0 * t);
                let of_f = [
                    2.0 * depth,
                    3.0 * rate * rate,
                    0.0,
                    0.0,
                    5.0 * f64::cos(5.0 * x),
                    3.0 * f64::cos(3.0 * t),
                ];
                let of_slip = [0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
                for seed in 0..6 {
                    let zero = Dual::from(0.0);
                    let motion = ContactMotion {
                        gap: -seeded(depth + 2.0 * z_eps, 0, seed),
                        normal: Vec3::new(zero, zero, Dual::from(1.0)),
                        velocity: Vec3::new(seeded(slip, 2, seed), zero, -seeded(rate, 1, seed)),
                        angular_velocity: Vec3::new(seeded(spin, 3, seed), zero, zero),
                        point: Vec3::new(seeded(x, 4, seed), zero, zero),
                        time: seeded(t, 5, seed),
                    };
                    let force = law.force(&motion, 0.0);
                    let friction = -2.0 * f * of_f[seed] * f64::powi(slip, 3)
                        - 3.0 * f * f * slip * slip * of_slip[seed];
                    let torque = if seed == 3 { -3.0 * spin * spin } else { 0.0 };
                    for (what, found, exact, size) in [
                        ("normal", force.normal_force, of_f[seed], f),
                        (
                            "friction",
                            force.friction.x,
                            friction,
                            f * f * f64::powi(slip, 3),
                        ),
                        ("torque", force.torque.x, torque, f64::powi(spin, 3)),
                    ] {
                        let scale = [
                            depth,
                            rate.abs().max(1e-3),
                            slip.max(1e-3),
                            spin.max(1e-3),
                            1.0,
                            1.0,
                        ];
                        let scale = scale[seed];
                        // With h = 6e-6 of the scale of what is shifted: rounding over h, and h^2
                        // times a sixth of the third derivative, which is 1 or f^2 where the first
                        // one vanishes.
                        let noise = 1e-10 * size.abs() / scale;
                        let bend = 1e-10 * scale * scale * f64::max(1.0, f * f);
                        let error = (found.eps[0] - exact).abs();
                        assert!(
                            error <= noise + bend + 1e-9 * exact.abs(),
                            "{what} by {seed} at {depth} m, {rate} m/s, {slip} m/s, {spin} rad/s: \
                             {}, not {exact}",
                            found.eps[0]
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn check_follows_an_impact_of_a_users_law_as_of_the_same_law_built_in() {
    let (user, built_in) = (example(), example());
    change(&built_in, &BUILT_IN);
    let request = check::CheckRequest {
        speeds: vec![1.0],
        ..check::CheckRequest::default()
    };
    let reports = [&user, &built_in].map(|folder| {
        check::run(&folder.path().join("scene.toml"), &request, &mut |_| {})
            .expect("a report")
            .text
    });
    for label in [
        "restitution obtained",
        "contact time",
        "largest penetration",
        "largest force",
        "tolerance  ",
    ] {
        let lines = reports.each_ref().map(|report| {
            let line = report.lines().find(|line| line.trim().starts_with(label));
            line.unwrap_or_else(|| panic!("{label} in {report}"))
        });
        // The depth that asks for the tolerance comes from a table here.
        let same = match label {
            "tolerance  " => lines.map(|line| line.split(',').next()),
            _ => lines.map(Some),
        };
        assert_eq!(same[0], same[1]);
    }
    let obtained = format!("{E:.4}");
    let found = reports[0].lines().find(|line| line.contains("obtained"));
    assert!(
        found.is_some_and(|line| line.ends_with(&obtained)),
        "{}",
        reports[0]
    );
}

#[test]
fn a_number_of_the_law_is_a_parameter_of_the_fmu() {
    let folder = example();
    let fmu = open(&folder, Standard::Fmi3);
    let variables = &fmu.description().variables;
    for i in 1..=4 {
        let name = format!("material_pair.Steel.Rubber.user_{i}");
        assert!(variables.iter().any(|v| v.name == name), "{name}");
    }
    assert!(variables.iter().all(|v| !v.name.ends_with("user_5")));
}

#[test]
fn the_fmu_carries_the_library_and_is_the_same_when_built_again() {
    let folder = example();
    let [first, second] =
        [0; 2].map(|_| fs::read(build(&folder, Standard::Fmi3).expect("an FMU")).expect("bytes"));
    assert_eq!(first, second);
    let fmu = Fmu::open(&folder.path().join("model.fmu")).expect("an FMU");
    let expected = [(own_platform(), "librubber.so".to_owned())];
    assert_eq!(fmu.platform_resources(), expected);
    let told = fmu_build::command::inspect::run(
        &folder.path().join("model.fmu"),
        &fmu_host::Limits::USUAL,
    );
    assert!(told.expect("told").text.contains("librubber.so"));
}

#[test]
fn a_library_that_is_of_no_use_is_refused_when_the_fmu_is_built() {
    let folder = faulty(&["-DVERSION=7"]);
    let refused = build(&folder, Standard::Fmi3).expect_err("a refusal");
    assert_all_hold(
        &[refused],
        &[
            "librubber.so",
            "contact_law_version",
            "returns 7",
            "expected is 1",
        ],
    );
    let folder = faulty(&[]);
    change(&folder, &[("\"push\"", "\"pull\"")]);
    let refused = build(&folder, Standard::Fmi3).expect_err("a refusal");
    assert_all_hold(&[refused], &["librubber.so", "pull", "version 1"]);
    fs::write(folder.path().join("librubber.so"), "no library").expect("a file");
    let refused = build(&folder, Standard::Fmi3).expect_err("a refusal");
    assert_all_hold(&[refused], &["librubber.so", "cannot be loaded"]);
    let whole = fs::read(example().path().join("librubber.so")).expect("bytes");
    let half = &whole[..whole.len() / 2];
    fs::write(folder.path().join("librubber.so"), half).expect("a file");
    let refused = build(&folder, Standard::Fmi3).expect_err("a refusal");
    assert_all_hold(&[refused], &["librubber.so", "cut off"]);
    fs::remove_file(folder.path().join("librubber.so")).expect("a file");
    let refused = build(&folder, Standard::Fmi3).expect_err("a refusal");
    assert_all_hold(&[refused], &["scene.toml:", "librubber.so", "no file"]);
    assert!(!folder.path().join("model.fmu").exists());
}

/// The FMU of the example with its library replaced, or left away.
fn with_library(folder: &TempDir, standard: Standard, library: Option<&[u8]>) -> Fmu {
    let file = build(folder, standard).expect("an FMU");
    let mut zip = zip::ZipArchive::new(fs::File::open(&file).expect("a file")).expect("an archive");
    let mut archive = Archive::new();
    for index in 0..zip.len() {
        let mut entry = zip.by_index(index).expect("an entry");
        let name = entry.name().expect("a name").into_owned();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).expect("bytes");
        if name.ends_with("librubber.so") {
            match library {
                Some(other) => bytes = other.to_vec(),
                None => continue,
            }
        }
        archive.add(name, bytes);
    }
    fs::write(&file, archive.to_bytes().expect("bytes")).expect("a file");
    Fmu::open(&file).expect("an FMU")
}

#[test]
fn an_fmu_without_its_library_or_with_another_one_makes_no_instance_and_says_why() {
    no_instance_is_made(Standard::Fmi3);
}

#[test]
#[ignore = "long: four FMUs more"]
fn nor_does_one_of_fmi_2() {
    no_instance_is_made(Standard::Fmi2);
}

fn no_instance_is_made(standard: Standard) {
    let folder = example();
    let other = faulty(&["-DVERSION=2"]);
    let other = fs::read(other.path().join("librubber.so")).expect("bytes");
    let same_version = faulty(&[]);
    let same_version = fs::read(same_version.path().join("librubber.so")).expect("bytes");
    for (library, parts) in [
        (None, ["librubber.so", "no such file", "version 1"]),
        (
            Some(&same_version[..same_version.len() / 2]),
            ["librubber.so", "cut off", "bytes"],
        ),
        (
            Some(&other[..]),
            ["contact_law_version", "returns 2", "expected is 1"],
        ),
        (
            Some(&same_version[..]),
            ["librubber.so", "contact_normal_force", "version 1"],
        ),
    ] {
        let fmu = with_library(&folder, standard, library);
        let refused = simulate_cs(&fmu, &Options::default()).expect_err("a refusal");
        assert_all_hold(&[refused.to_string()], &parts);
    }
}

#[test]
fn a_library_for_another_platform_only_can_be_built_and_is_refused_here() {
    let folder = example();
    let other = match own_platform().as_str() {
        "aarch64-linux" => ("x86_64-linux", 62),
        _ => ("aarch64-linux", 183),
    };
    // The head of an ELF file: 64-bit, little-endian, machine at byte 18.
    let mut elf = b"\x7fELF\x02\x01\x01".to_vec();
    elf.resize(64, 0);
    elf[18] = other.1;
    fs::write(folder.path().join("librubber.so"), elf).expect("a file");
    let refused = build(&folder, Standard::Fmi3).expect_err("a refusal");
    assert!(refused.contains("librubber.so"), "{refused}");
    let files = format!("files = {{ {} = \"librubber.so\" }}", other.0);
    change(&folder, &[("file = \"librubber.so\"", &files)]);
    let own = own_platform();
    assert_all_hold(&refusals(&folder), &["rubber", &own, other.0]);
}

#[test]
#[ignore = "long: another FMU for each answer"]
fn an_answer_that_is_not_a_number_ends_the_run_with_file_function_and_value() {
    let nan = "-DANSWER=input->penetration > 1.0e-3 ? (double)NAN : 1.0e4 * input->penetration";
    let parts = [
        "librubber.so",
        "push",
        "normal_force = NaN",
        "material_pair.Steel.Rubber",
    ];
    assert_all_hold(&refusals(&faulty(&[nan])), &parts);
    let infinite = "-DANSWER=input->penetration > 1.0e-3 ? (double)INFINITY : 0.0";
    let parts = ["librubber.so", "push", "normal_force = inf"];
    assert_all_hold(&refusals(&faulty(&[infinite])), &parts);
}

#[test]
fn a_refusing_function_ends_the_run_with_its_number_and_message() {
    let parts = ["librubber.so", "push", "returned 3", "0.001 m is too deep"];
    assert_all_hold(&refusals(&faulty(&["-DREFUSE=3"])), &parts);
}

#[test]
#[cfg(unix)]
#[ignore = "long: each interface"]
fn without_user_code_no_library_is_loaded() {
    let folder = example();
    let mark = folder.path().join("loaded");
    let define = format!("-DMARK=\"{}\"", mark.display());
    let scene = faulty(&[&define]);
    let run = |arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_fmu-build"))
            .args(arguments)
            .current_dir(scene.path())
            .output()
            .expect("the tool")
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    for (arguments, told) in [
        (&["check", "scene.toml"][..], "not loaded (--no-user-code)"),
        (&["build", "scene.toml", "-o", "a.fmu"], "a.fmu"),
        (&["ssp", "scene.toml", "-o", "a.ssp"], "a.ssp"),
        (&["inspect", "a.fmu"], "librubber.so"),
    ] {
        let output = run(&[arguments, &["--no-user-code"]].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert!(
            text(&output.stdout).contains(told),
            "{}",
            text(&output.stdout)
        );
    }
    for input in ["scene.toml", "a.fmu"] {
        let output = run(&["simulate", input, "--no-user-code"]);
        assert_eq!(output.status.code(), Some(1));
        let told = text(&output.stderr);
        assert!(
            told.contains("librubber.so") && told.contains("--no-user-code"),
            "{told}"
        );
    }
    assert!(!mark.exists());
    assert!(run(&["check", "scene.toml"]).status.success());
    assert!(mark.exists());
}

#[test]
#[cfg(target_os = "linux")]
fn a_law_that_ends_the_program_is_told_with_its_library_and_leaves_nothing() {
    for (call, told) in [("abort()", "SIGABRT"), ("exit(0)", "exit status: 0")] {
        let deep = "input->penetration > 1.0e-3";
        let define = format!("-DANSWER={deep} ? ({call}, 0.0) : 1.0e4 * input->penetration");
        let scene = faulty(&[&define]);
        let temporary = TempDir::new().expect("a folder");
        let run = |arguments: &[&str]| {
            Command::new(env!("CARGO_BIN_EXE_fmu-build"))
                .args(arguments)
                .current_dir(scene.path())
                .env("TMPDIR", temporary.path())
                .output()
                .expect("the tool")
        };
        let built = run(&["build", "scene.toml", "-o", "a.fmu", "--no-user-code"]);
        assert!(built.status.success(), "{built:?}");
        for input in ["scene.toml", "a.fmu"] {
            let output = run(&["simulate", input]);
            assert_eq!(output.status.code(), Some(1), "{output:?}");
            let reason = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_all_hold(&[reason], &[input, told, "librubber.so"]);
            let left = fs::read_dir(temporary.path()).expect("a folder").count();
            assert_eq!(left, 0);
        }
    }
}

/// Whether a file is mapped into this process.
#[cfg(target_os = "linux")]
fn is_mapped(path: &Path) -> bool {
    let maps = fs::read_to_string("/proc/self/maps").expect("maps");
    maps.contains(path.to_str().expect("a path"))
}

#[test]
#[cfg(target_os = "linux")]
fn the_library_goes_with_the_last_instance_and_comes_back_fifty_times() {
    let folder = example();
    let file = build(&folder, Standard::Fmi3).expect("an FMU");
    let mut zip = zip::ZipArchive::new(fs::File::open(&file).expect("a file")).expect("an archive");
    let unpacked = folder.path().join("unpacked");
    zip.extract(&unpacked).expect("files");
    let resources_folder = unpacked.join("resources");
    let library = resources_folder.join(own_platform()).join("librubber.so");
    let scene = fs::read(resources_folder.join("scene.bin")).expect("a scene");
    let token = contact_model::scene::checked::token(&scene);
    let instance = || {
        let found = lifecycle::load(Some(&resources_folder), Some(&token)).expect("resources");
        Instance::new(
            instance::Options::MODEL_EXCHANGE,
            found,
            Log::new(None, false),
        )
        .unwrap_or_else(|failure| panic!("{failure}"))
    };
    for _ in 0..50 {
        assert!(!is_mapped(&library));
        let (first, second) = (instance(), instance());
        assert!(is_mapped(&library));
        drop(first);
        assert!(is_mapped(&library));
        drop(second);
    }
    assert!(!is_mapped(&library));
}
