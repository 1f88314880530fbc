//! FMUs of unknown origin that ask for too much or are damaged: `inspect` and `simulate` refuse
//! each with a message, in 1 GiB of address space, and leave nothing in the temporary folder.
#![cfg(target_os = "linux")]

use super::files::{BALL, BOTH, archive, mock_with};
use fmu_core::instance::Standard::{Fmi2, Fmi3};
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Address space of the tool [KiB].
const MEMORY: &str = "1048576";

/// Exit code and standard error of the tool; fails if it leaves a temporary file.
fn tool(folder: &TempDir, arguments: &[&str]) -> (Option<i32>, String) {
    let temporary = folder.path().join("temporary");
    fs::create_dir_all(&temporary).unwrap();
    let output = Command::new("sh")
        .args(["-c", "ulimit -v $0; exec \"$@\"", MEMORY])
        .arg(env!("CARGO_BIN_EXE_fmu-build"))
        .args(arguments)
        .current_dir(folder.path())
        .env("TMPDIR", &temporary)
        .output()
        .unwrap();
    let left = fs::read_dir(&temporary).unwrap().count();
    assert_eq!(left, 0, "{arguments:?} leaves {left} files");
    let said = String::from_utf8(output.stderr).unwrap();
    (output.status.code(), said)
}

/// Both commands refuse the FMU with these parts in one message.
fn refused(folder: &TempDir, file: &Path, parts: &[&str]) {
    for command in ["inspect", "simulate"] {
        refused_by(command, folder, file, parts);
    }
}

fn refused_by(command: &str, folder: &TempDir, file: &Path, parts: &[&str]) {
    let (code, said) = tool(folder, &[command, file.to_str().unwrap()]);
    let head: String = said.chars().take(600).collect();
    assert_eq!(code, Some(1), "{command}: {head}");
    for part in parts {
        assert!(said.contains(part), "{command}: {part:?} is not in {head}");
    }
}

/// An FMU of this modelDescription.xml alone.
fn described(folder: &TempDir, text: &[u8]) -> std::path::PathBuf {
    let path = folder.path().join("a.fmu");
    archive(&path, &[("modelDescription.xml".into(), text.to_vec())]);
    path
}

#[test]
fn numbers_of_values_beyond_the_limit_are_refused() {
    let array = |dimensions: &str| {
        format!(
            "<Float64 name=\"a\" valueReference=\"9\" causality=\"output\">{dimensions}</Float64></ModelVariables>"
        )
    };
    let end = "</ModelVariables>";
    for (dimensions, found) in [
        ("<Dimension start=\"1000000000000\"/>", "1000000000004"),
        ("<Dimension start=\"4000001\"/>", "4000005"),
        (
            "<Dimension start=\"2000\"/><Dimension start=\"2001\"/>",
            "4002004",
        ),
        (
            "<Dimension start=\"99999999999\"/><Dimension start=\"99999999999\"/>",
            "too large",
        ),
        ("<Dimension start=\"1e12\"/>", "1e12"),
        ("<Dimension start=\"-1\"/>", "-1"),
    ] {
        let folder = TempDir::new().unwrap();
        let path = mock_with(&folder, Fmi3, "plain", (end, &array(dimensions)));
        refused(&folder, &path, &["mock.fmu", "modelDescription.xml", found]);
    }
    let folder = TempDir::new().unwrap();
    let change = (
        "numberOfEventIndicators=\"1\"",
        "numberOfEventIndicators=\"1000000000000\"",
    );
    let path = mock_with(&folder, Fmi2, "plain", change);
    refused(
        &folder,
        &path,
        &["event indicators are 1000000000000", "--max-values"],
    );
    // One array of a million listed many times.
    let folder = TempDir::new().unwrap();
    let indicator = "<EventIndicator valueReference=\"9\"/>";
    let path = mock_with(
        &folder,
        Fmi3,
        "plain",
        (end, &array("<Dimension start=\"1000000\"/>")),
    );
    let mut zip = zip::ZipArchive::new(File::open(path).unwrap()).unwrap();
    let text = std::io::read_to_string(zip.by_name("modelDescription.xml").unwrap()).unwrap();
    let text = text.replace(
        "</ModelStructure>",
        &(indicator.repeat(5) + "</ModelStructure>"),
    );
    let path = described(&folder, text.as_bytes());
    refused(&folder, &path, &["event indicators are 5000001"]);
}

#[test]
fn a_limit_of_values_can_be_raised_and_lowered() {
    for standard in BOTH {
        let folder = TempDir::new().unwrap();
        let path = mock_with(&folder, standard, "plain", ("", ""));
        let path = path.to_str().unwrap();
        for (option, found) in [
            ("--max-values=1", "1 are allowed"),
            ("--max-description=0", "0 MiB are allowed"),
            ("--max-unpacked=0", "more than 0 MiB"),
        ] {
            for command in ["inspect", "simulate"] {
                let (code, said) = tool(&folder, &[command, path, option]);
                assert_eq!(code, Some(1));
                let (option, _) = option.split_once('=').unwrap();
                assert!(said.contains(found) && said.contains(option), "{said}");
            }
        }
    }
    let folder = TempDir::new().unwrap();
    let array = "<Float64 name=\"a\" valueReference=\"9\"><Dimension start=\"5000000\"/></Float64></ModelVariables>";
    let path = mock_with(&folder, Fmi3, "plain", ("</ModelVariables>", array));
    let line = ["inspect", path.to_str().unwrap(), "--max-values", "6000000"];
    assert_eq!(tool(&folder, &line), (Some(0), String::new()));
}

#[test]
fn documents_made_to_exhaust_a_reader_are_refused() {
    let head = "<fmiModelDescription fmiVersion=\"3.0\"";
    let deep = format!("{head}>{}", "<a>".repeat(1_000_000));
    let attributes: String = (0..200_000).map(|i| format!(" a{i}=\"\"")).collect();
    let wide = format!("{head}{attributes}/>");
    let entities = "<!DOCTYPE l [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]>\n\
        <fmiModelDescription fmiVersion=\"3.0\" modelName=\"&b;\"/>";
    let external = "<!DOCTYPE l [<!ENTITY a SYSTEM \"file:///etc/passwd\">]>\n\
        <fmiModelDescription fmiVersion=\"&a;\"/>";
    for (text, part) in [
        (deep.as_bytes(), "nested deeper than 100"),
        (wide.as_bytes(), "more than 256 attributes"),
        (entities.as_bytes(), "line 2"),
        (external.as_bytes(), "line 2"),
        (b"<fmiModelDescription modelName=\"\xfc\"/>", "not UTF-8"),
        (b"\xff\xfe<\0f\0", "not UTF-8"),
        (b"", "no element"),
        (&[0; 1000], "U+0000"),
    ] {
        let folder = TempDir::new().unwrap();
        let path = described(&folder, text);
        refused(&folder, &path, &["modelDescription.xml", part]);
    }
}

#[test]
fn value_references_out_of_range_are_refused() {
    for (standard, old) in [
        (Fmi3, "<Output valueReference=\"2\"/>"),
        (Fmi3, "derivative=\"2\""),
        (Fmi2, "derivative=\"1\""),
        (Fmi2, "<Unknown index=\"1\"/>"),
    ] {
        for number in ["4294967296", "-1", "77", "1e3"] {
            let folder = TempDir::new().unwrap();
            let (key, _) = old.split_once("=\"").unwrap();
            let end = if old.ends_with("/>") { "/>" } else { "" };
            let new = format!("{key}=\"{number}\"{end}");
            let path = mock_with(&folder, standard, "plain", (old, &new));
            refused(&folder, &path, &["modelDescription.xml", number]);
        }
    }
}

#[test]
fn archives_that_unpack_without_end_are_refused() {
    let mebibyte = vec![0; 1 << 20];
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.fmu");
    let mut writer = ZipWriter::new(File::create(&path).unwrap());
    writer
        .start_file("resources/big", SimpleFileOptions::default())
        .unwrap();
    for _ in 0..20 {
        writer.write_all(&mebibyte).unwrap();
    }
    writer.finish().unwrap();
    let (_, said) = tool(&folder, &["inspect", "a.fmu", "--max-unpacked", "10"]);
    assert!(
        said.contains("more than 10 MiB") && said.contains("resources/big"),
        "{said}"
    );
    // Within the limit it is the next thing that is missing.
    let (_, said) = tool(&folder, &["inspect", "a.fmu", "--max-unpacked", "21"]);
    assert!(said.contains("no modelDescription.xml"), "{said}");
    // Empty files take a block each: 3000 of them more than 10 MiB.
    let empty: Vec<(String, Vec<u8>)> = (0..3000)
        .map(|i| (format!("resources/{i}"), Vec::new()))
        .collect();
    archive(&path, &empty);
    let (_, said) = tool(&folder, &["inspect", "a.fmu", "--max-unpacked", "10"]);
    assert!(said.contains("more than 10 MiB"), "{said}");
    for (name, part) in [
        ("a/".repeat(300) + "b", "levels"),
        ("a".repeat(900), "longer"),
    ] {
        archive(&path, &[(name, Vec::new())]);
        refused(&folder, &path, &["refused", part]);
    }
}

/// Each length is refused before the system loads the file, which would end the process by a
/// signal.
#[test]
fn a_binary_that_is_cut_off_is_refused_before_it_is_loaded() {
    for standard in BOTH {
        let folder = TempDir::new().unwrap();
        let path = mock_with(&folder, standard, "plain", ("", ""));
        let mut zip = zip::ZipArchive::new(File::open(&path).unwrap()).unwrap();
        let mut entries = Vec::new();
        for i in 0..zip.len() {
            let mut entry = zip.by_index(i).unwrap();
            let name = entry.name().unwrap().into_owned();
            let mut content = Vec::new();
            std::io::Read::read_to_end(&mut entry, &mut content).unwrap();
            entries.push((name, content));
        }
        let whole = entries[1].1.clone();
        let n = whole.len();
        for kept in [0, 10, 64, 1000, n / 4, n / 2, n - 5000, n - 1] {
            entries[1].1 = whole[..kept].to_vec();
            let cut = folder.path().join("cut.fmu");
            archive(&cut, &entries);
            let size = format!("{kept} bytes");
            refused_by("simulate", &folder, &cut, &["cannot load binaries/", &size]);
            // `inspect` loads nothing.
            assert_eq!(tool(&folder, &["inspect", "cut.fmu"]).0, Some(0));
        }
    }
}

#[test]
#[ignore = "long: each interface"]
fn the_temporary_folder_is_removed_whatever_happens() {
    for standard in BOTH {
        for token in [
            "plain",
            "error",
            "discard",
            "fatal",
            "refused",
            "nan",
            "terminate",
            "standstill",
        ] {
            let folder = TempDir::new().unwrap();
            let path = mock_with(&folder, standard, token, ("", ""));
            for interface in ["cs", "me"] {
                tool(
                    &folder,
                    &["simulate", path.to_str().unwrap(), "--interface", interface],
                );
            }
        }
    }
    let folder = TempDir::new().unwrap();
    assert_eq!(tool(&folder, &["simulate", BALL]).0, Some(0));
    assert_eq!(
        tool(
            &folder,
            &[
                "simulate",
                "out/bouncing_ball/bouncing_ball.fmu",
                "--stop",
                "-1"
            ]
        )
        .0,
        Some(1)
    );
    assert_eq!(tool(&folder, &["inspect", "none.fmu"]).0, Some(1));
}
