//! FMUs for the tests: one of this project, and a mock that misbehaves.

use fmu_build::command::build::{Target, build_fmu};
use fmu_build::package::platform::Platform;
use fmu_core::instance::Standard::{self, Fmi2, Fmi3};
use std::env::consts;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A steel ball of radius 0.1 m with its centre at 1.1 m above a plate, at rest.
pub const BALL: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../examples/bouncing_ball/scene.toml"
);

/// Both versions.
pub const BOTH: [Standard; 2] = [Fmi2, Fmi3];

/// The ball as an FMU.
pub fn ball(folder: &TempDir, standard: Standard) -> PathBuf {
    let path = folder.path().join("ball.fmu");
    let target = Target {
        standard,
        ..Target::default()
    };
    build_fmu(Path::new(BALL), &path, &target).unwrap();
    path
}

/// Writes an archive.
pub fn archive(path: &Path, entries: &[(String, Vec<u8>)]) {
    let mut writer = ZipWriter::new(File::create(path).unwrap());
    for (name, content) in entries {
        writer
            .start_file(name.as_str(), SimpleFileOptions::default())
            .unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap();
}

/// Model description of the mock; `TOKEN` is the misbehaviour.
const MOCK3: &str = r#"<fmiModelDescription fmiVersion="3.0" modelName="mock" instantiationToken="TOKEN">
  <ModelExchange modelIdentifier="mock" needsCompletedIntegratorStep="true"/>
  <CoSimulation modelIdentifier="mock" hasEventMode="true"/>
  <DefaultExperiment stopTime="1" tolerance="1e-9" stepSize="0.125"/>
  <ModelVariables>
    <Float64 name="time" valueReference="1" causality="independent"/>
    <Float64 name="x" valueReference="2" causality="output" initial="exact" start="1"/>
    <Float64 name="der(x)" valueReference="3" derivative="2"/>
    <Float64 name="z" valueReference="4"/>
  </ModelVariables>
  <ModelStructure>
    <Output valueReference="2"/>
    <ContinuousStateDerivative valueReference="3"/>
    <EventIndicator valueReference="4"/>
  </ModelStructure>
</fmiModelDescription>"#;

/// The same for FMI 2.0.
const MOCK2: &str = r#"<fmiModelDescription fmiVersion="2.0" modelName="mock" guid="TOKEN" numberOfEventIndicators="1">
  <ModelExchange modelIdentifier="mock"/>
  <CoSimulation modelIdentifier="mock" hasEventMode="true"/>
  <DefaultExperiment stopTime="1" tolerance="1e-9" stepSize="0.125"/>
  <ModelVariables>
    <ScalarVariable name="x" valueReference="2" causality="output" initial="exact"><Real start="1"/></ScalarVariable>
    <ScalarVariable name="der(x)" valueReference="3"><Real derivative="1"/></ScalarVariable>
  </ModelVariables>
  <ModelStructure>
    <Outputs><Unknown index="1"/></Outputs>
    <Derivatives><Unknown index="2"/></Derivatives>
  </ModelStructure>
</fmiModelDescription>"#;

/// The mock with this misbehaviour; `change` replaces a text of its model description.
pub fn mock_with(
    folder: &TempDir,
    standard: Standard,
    token: &str,
    change: (&str, &str),
) -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let name = format!("{}mock_fmu{}", consts::DLL_PREFIX, consts::DLL_SUFFIX);
    let library = fs::read(tests.with_file_name(name)).unwrap();
    let platform = Platform::host().unwrap().folder(standard);
    let inside = format!("binaries/{platform}/mock{}", consts::DLL_SUFFIX);
    let text = match standard {
        Fmi2 => MOCK2,
        Fmi3 => MOCK3,
    };
    assert!(text.contains(change.0));
    let text = text.replace("TOKEN", token).replace(change.0, change.1);
    let path = folder.path().join("mock.fmu");
    let entries = [
        ("modelDescription.xml".to_owned(), text.into_bytes()),
        (inside, library),
    ];
    archive(&path, &entries);
    path
}
