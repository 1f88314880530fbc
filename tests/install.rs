//! The tool installed alone, with the FMU binary inside it, builds FMUs. Compiles the tool as it is
//! shipped, so it runs with `tests/run --full` only, which has compiled it already.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

fn run(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{command:?}\n{}\n{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
#[ignore = "compiles the tool with feature embed"]
fn a_tool_installed_with_the_binary_inside_builds_an_fmu_in_an_empty_folder() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("installed");
    // The target folder is that of the workspace, where tests/run --full has compiled the same. A variable
    // that unlocks what is unstable in the compiler would make it compile all once more.
    run(Command::new(env!("CARGO"))
        .env_remove("RUSTC_BOOTSTRAP")
        .args(["install", "--features", "embed", "--no-track", "--locked"])
        .arg("--path")
        .arg(package)
        .arg("--root")
        .arg(&root));
    let tool = root
        .join("bin")
        .join(format!("fmu-build{}", env::consts::EXE_SUFFIX));
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).unwrap();
    fs::copy(
        package.join("../examples/bouncing_ball/scene.toml"),
        empty.join("scene.toml"),
    )
    .unwrap();
    run(Command::new(&tool)
        .args(["build", "scene.toml", "-o", "ball.fmu"])
        .current_dir(&empty));
    let file = fs::File::open(empty.join("ball.fmu")).unwrap();
    let mut archive = zip::ZipArchive::new(file).unwrap();
    let sizes: Vec<u64> = (0..archive.len())
        .filter_map(|index| {
            let entry = archive.by_index(index).unwrap();
            let is_binary = entry.name().unwrap().starts_with("binaries/");
            is_binary.then(|| entry.size())
        })
        .collect();
    // One for each platform, if `build-binaries` made those of others before.
    assert!(!sizes.is_empty(), "no binary");
    assert!(sizes.iter().all(|size| *size > 100_000), "{sizes:?}");
}
