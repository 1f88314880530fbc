//! `merge`: FMUs of one scene from several platforms become one with the binaries of all.
//!
//! They must be equal except for files in platform folders, `binaries/<platform>/` and
//! `resources/<platform>/`; a binary stays compressed as it is. So the result is, to the byte, the output of
//! `build` with all these binaries in the same form.

use crate::package;
use crate::package::platform::PLATFORMS;
use crate::package::{
    Archive, BINARIES, Content, MODEL_DESCRIPTION, Packed, Shared, write_archive,
};
use fmu_core::instance::Standard;
use fmu_host::model_description::ModelDescription;
use fmu_host::{Fmu, Limits};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

const PAGE: &str = "documentation/index.html";

struct Part {
    file: PathBuf,
    description: ModelDescription,
    files: BTreeMap<String, Content>,
}

/// Merges FMUs into the file `output`. Returns a summary.
///
/// # Errors
/// Text: a file is no FMU, the scenes differ, a binary occurs twice and differs, the result cannot be
/// written. Nothing is written then.
pub(crate) fn run(inputs: &[PathBuf], output: &Path, limits: &Limits) -> Result<String, String> {
    let parts: Vec<Part> = inputs
        .iter()
        .map(|file| read(file, limits).map_err(|reason| format!("{}: {reason}", file.display())))
        .collect::<Result<_, _>>()?;
    let Some((first, others)) = parts.split_first() else {
        return Err("no FMU to merge".into());
    };
    let mut files: BTreeMap<&str, (&Content, &Path)> = BTreeMap::new();
    for (path, content) in &first.files {
        files.insert(path, (content, &first.file));
    }
    for part in others {
        same_model(first, part)?;
        add(&mut files, first, part)?;
    }
    same_sources(&files)?;
    let mut archive = Archive::new();
    for (path, (content, _)) in &files {
        archive.add(*path, (*content).clone());
    }
    let bytes = archive.to_bytes().map_err(|error| error.to_string())?;
    write_archive(output, &bytes)?;
    Ok(report(output, bytes.len(), &files))
}

fn read(file: &Path, limits: &Limits) -> Result<Part, String> {
    let fmu = Fmu::open_within(file, limits).map_err(|error| error.to_string())?;
    let bytes = fs::read(file).map_err(|error| error.to_string())?;
    let archive = Packed::new(Cursor::new(Shared::new(bytes))).map_err(|e| e.to_string())?;
    let mut files = BTreeMap::new();
    for name in archive.file_names() {
        let name = name.map_err(|error| error.to_string())?.into_owned();
        if !name.ends_with('/') {
            files.insert(name.clone(), Content::Packed(archive.clone(), name));
        }
    }
    Ok(Part {
        file: file.to_owned(),
        description: fmu.description().clone(),
        files,
    })
}

/// Rejects FMUs of other scenes, and of the same scene with another interface.
fn same_model(first: &Part, other: &Part) -> Result<(), String> {
    let (one, two) = (&first.description, &other.description);
    let pair = format!("{} and {}", first.file.display(), other.file.display());
    if one.fmi_version != two.fmi_version {
        return Err(format!(
            "{pair}: one is of FMI version {}, the other of {}; build both with the same --fmi",
            one.fmi_version, two.fmi_version
        ));
    }
    if one.instantiation_token != two.instantiation_token {
        return Err(format!(
            "{pair}: are not of the same scene, tokens are {} and {}; build both from the same files",
            one.instantiation_token, two.instantiation_token
        ));
    }
    if one.generation_tool != two.generation_tool {
        let tool = |d: &ModelDescription| d.generation_tool.clone().unwrap_or("unknown".into());
        return Err(format!(
            "{pair}: were made by {} and {}; make both with the same version",
            tool(one),
            tool(two)
        ));
    }
    Ok(())
}

fn add<'a>(
    files: &mut BTreeMap<&'a str, (&'a Content, &'a Path)>,
    first: &Part,
    other: &'a Part,
) -> Result<(), String> {
    if let Some(path) = first
        .files
        .keys()
        .find(|path| !is_of_platform(path) && !other.files.contains_key(*path))
    {
        return Err(format!(
            "{}: has no {path}, which {} has; build both with the same options",
            other.file.display(),
            first.file.display()
        ));
    }
    for (path, content) in &other.files {
        match files.get(path.as_str()) {
            Some((known, file)) => {
                let equal = unpacked(path, known)? == unpacked(path, content)?;
                if !equal {
                    return Err(differs(path, file, &other.file));
                }
            }
            None if is_of_platform(path) => {
                files.insert(path, (content, &other.file));
            }
            None => {
                return Err(format!(
                    "{}: has no {path}, which {} has; build both with the same options",
                    first.file.display(),
                    other.file.display()
                ));
            }
        }
    }
    Ok(())
}

fn differs(path: &str, one: &Path, other: &Path) -> String {
    let advice = if path == MODEL_DESCRIPTION {
        "build both with the same options"
    } else if path.starts_with(BINARIES) {
        "leave one of them away with --platform when you build"
    } else if path == PAGE {
        "it shows the scene file and what it says of itself: build both from the same file"
    } else {
        "build both from the same files with the same tool"
    };
    format!(
        "{} and {}: {path} differs; {advice}",
        one.display(),
        other.display()
    )
}

fn unpacked<'a>(path: &str, content: &'a Content) -> Result<std::borrow::Cow<'a, [u8]>, String> {
    content.bytes().map_err(|error| format!("{path}: {error}"))
}

fn platform_of(path: &str) -> Option<&'static str> {
    let mut parts = path.split('/');
    let (top, folder) = (parts.next()?, parts.next()?);
    parts.next()?;
    let platform = PLATFORMS
        .into_iter()
        .find(|platform| folder == platform.name || folder == platform.folder(Standard::Fmi2))?;
    matches!(top, "binaries" | "resources").then_some(platform.name)
}

fn is_of_platform(path: &str) -> bool {
    platform_of(path).is_some()
}

/// Rejects binaries compiled from different sources.
fn same_sources(files: &BTreeMap<&str, (&Content, &Path)>) -> Result<(), String> {
    let mut known: Option<(Option<String>, &Path)> = None;
    for (path, (content, file)) in files {
        if !path.starts_with(BINARIES) || !is_of_platform(path) {
            continue;
        }
        let bytes = unpacked(path, content)?;
        let stamp = package::stamp(&bytes).map(str::to_owned);
        match &known {
            None => known = Some((stamp, file)),
            Some((first, _)) if *first == stamp => {}
            Some((first, one)) => {
                let word = |stamp: &Option<String>| stamp.clone().unwrap_or("no stamp".into());
                return Err(format!(
                    "{} and {}: their binaries were compiled from different sources ({} and {}) and might not \
                     give the same numbers; make both with the same version of the tool",
                    one.display(),
                    file.display(),
                    word(first),
                    word(&stamp)
                ));
            }
        }
    }
    Ok(())
}

fn report(output: &Path, size: usize, files: &BTreeMap<&str, (&Content, &Path)>) -> String {
    let mut text = format!("{} ({size} bytes)", output.display());
    for (path, (_, file)) in files {
        if let (true, Some(platform)) = (path.starts_with(BINARIES), platform_of(path)) {
            // Writing to a String never fails.
            let _ = write!(text, "\n  binary      {platform} from {}", file.display());
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::build::{Extras, build_ready};
    use crate::command::scene;
    use crate::package::binaries::Binary;
    use crate::package::platform::Platform;
    use crate::scene_file::InterfaceOverrides;
    use std::fs;
    use tempfile::TempDir;

    const SCENE: &str = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../examples/bouncing_ball/scene.toml"
    );
    const STAMP: &str = "contact-fmu source 01234567";

    /// A library that nobody loads.
    fn binary(platform: &str, text: &str) -> Binary {
        Binary {
            platform: Platform::named(platform).unwrap(),
            content: format!("{platform} {text}").into(),
            source: "here".into(),
        }
    }

    fn fmu(standard: Standard, change: impl Fn(&str) -> String, binaries: &[Binary]) -> Vec<u8> {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("scene.toml");
        fs::write(&file, change(&fs::read_to_string(SCENE).unwrap())).unwrap();
        let ready = scene::read(&file, None, InterfaceOverrides::default()).unwrap();
        let built = build_ready(&ready, standard, binaries, Extras::default());
        built.unwrap().archive
    }

    /// The merged archive of these ones, or why there is none.
    fn merged(archives: &[Vec<u8>]) -> Result<Vec<u8>, String> {
        let folder = TempDir::new().unwrap();
        let files: Vec<PathBuf> = (1..=archives.len())
            .map(|number| folder.path().join(format!("{number}.fmu")))
            .collect();
        for (file, archive) in files.iter().zip(archives) {
            fs::write(file, archive).unwrap();
        }
        let output = folder.path().join("all.fmu");
        let answer = run(&files, &output, &Limits::USUAL);
        assert_eq!(output.exists(), answer.is_ok());
        answer.map(|_| fs::read(output).unwrap())
    }

    fn same(text: &str) -> String {
        text.to_owned()
    }

    #[test]
    fn merged_fmus_are_that_of_all_platforms_to_the_byte() {
        let names = ["aarch64-linux", "x86_64-linux", "x86_64-windows"];
        let all = names.map(|name| binary(name, STAMP));
        for standard in [Standard::Fmi2, Standard::Fmi3] {
            let part = |range| fmu(standard, same, &all[range]);
            let whole = fmu(standard, same, &all);
            assert_eq!(
                merged(&[part(0..1), part(1..2), part(2..3)]).unwrap(),
                whole
            );
            assert_eq!(merged(&[part(1..3), part(0..2)]).unwrap(), whole);
        }
    }

    #[test]
    fn fmus_that_do_not_belong_together_are_refused_with_the_reason() {
        let linux = [binary("x86_64-linux", STAMP)];
        let windows = [binary("x86_64-windows", STAMP)];
        let first = fmu(Standard::Fmi3, same, &linux);
        let heavier = |text: &str| text.replace("200 mm", "210 mm");
        let cases = [
            (fmu(Standard::Fmi2, same, &windows), "FMI version 3.0"),
            (
                fmu(Standard::Fmi3, heavier, &windows),
                "not of the same scene",
            ),
            (
                fmu(
                    Standard::Fmi3,
                    same,
                    &[binary("x86_64-linux", "contact-fmu source 01234567 2")],
                ),
                "binaries/x86_64-linux/bouncing_ball.so differs",
            ),
            (
                fmu(
                    Standard::Fmi3,
                    same,
                    &[binary("x86_64-windows", "contact-fmu source 76543210")],
                ),
                "different sources (01234567 and 76543210)",
            ),
            (b"no FMU".to_vec(), "2.fmu: "),
        ];
        for (other, words) in cases {
            let message = merged(&[first.clone(), other]).unwrap_err();
            assert!(message.contains(words), "{words:?} in {message}");
        }
    }
}
