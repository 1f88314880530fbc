//! `new`: a folder with a scene that simulates at once, and the next steps.

use crate::command::answer::Answer;
use crate::scene_file::schema;
use std::path::{Path, PathBuf};
use std::{fs, io};

const SCENE: &str = include_str!("scene.toml");
const README: &str = include_str!("README.md");
const GITIGNORE: &str = include_str!("gitignore");

/// Placeholder for the name of the project in the texts.
const PLACEHOLDER: &str = "NAME";

/// Name and text of each file of a project.
fn files(name: &str) -> Vec<(String, String)> {
    let named = |text: &str| text.replace(PLACEHOLDER, name);
    vec![
        (format!("{name}.toml"), named(SCENE)),
        ("scene.schema.json".to_owned(), schema::json()),
        ("README.md".to_owned(), named(README)),
        (".gitignore".to_owned(), GITIGNORE.to_owned()),
    ]
}

/// Writes the folder `path`, whose last part is the name of the scene, completely or not at all. Answers with
/// the files and the next command.
///
/// # Errors
/// Text: an invalid model name, an existing path, or a failed write.
pub(crate) fn run(path: &Path) -> Result<Answer, String> {
    let name = path
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default();
    if !is_identifier(name) {
        return Err(format!(
            "the name is {name:?}; must be an ASCII letter, then letters, digits or underscores: the FMU has \
             it too"
        ));
    }
    if path.symlink_metadata().is_ok() {
        return Err(format!(
            "{}: is there already; choose another name",
            path.display()
        ));
    }
    let files = files(name);
    write(path, &files).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    let written: Vec<PathBuf> = files.iter().map(|(file, _)| path.join(file)).collect();
    let list = written.iter().map(|file| format!("{}\n", file.display()));
    let scene = path.join(format!("{name}.toml"));
    Ok(Answer {
        text: format!(
            "{}next: fmu-build simulate {}\n",
            list.collect::<String>(),
            scene.display()
        ),
        files: written,
        ..Answer::default()
    })
}

fn is_identifier(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|c| c.is_ascii_alphabetic())
        && letters.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Writes the folder under another name beside its target, then renames it.
fn write(path: &Path, files: &[(String, String)]) -> io::Result<()> {
    let beside = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".fmu-build-");
    // Without this the folder would be open to its owner only.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
    let folder = builder.tempdir_in(beside)?;
    for (name, text) in files {
        fs::write(folder.path().join(name), text)?;
    }
    fs::rename(folder.path(), path)?;
    // It has moved: there is nothing to remove.
    let _ = folder.keep();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene_file;
    use tempfile::TempDir;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_project_is_a_folder_with_a_scene_that_is_good() {
        let folder = TempDir::new().unwrap();
        let project = folder.path().join("rig_2");
        let said = run(&project).unwrap().text;
        assert_eq!(names(folder.path()), ["rig_2"]);
        let files_there = [".gitignore", "README.md", "rig_2.toml", "scene.schema.json"];
        assert_eq!(names(&project), files_there);
        let scene = project.join("rig_2.toml");
        assert!(said.ends_with(&format!("next: fmu-build simulate {}\n", scene.display())));
        let loaded = scene_file::read(&scene).unwrap_or_else(|problems| panic!("{problems}"));
        assert!(loaded.warnings.is_empty(), "{}", loaded.warnings);
        assert_eq!(loaded.description.name, "rig_2");
        for (name, text) in files("rig_2") {
            assert!(!text.contains(PLACEHOLDER), "{name}");
        }
    }

    #[test]
    fn what_is_there_is_not_touched() {
        let folder = TempDir::new().unwrap();
        let [empty, file] = ["empty", "file"].map(|name| folder.path().join(name));
        fs::create_dir(&empty).unwrap();
        fs::write(&file, "text").unwrap();
        for path in [&empty, &file] {
            let error = run(path).unwrap_err();
            assert!(
                error.ends_with(": is there already; choose another name"),
                "{error}"
            );
        }
        assert_eq!(names(folder.path()), ["empty", "file"]);
        assert!(names(&empty).is_empty());
        assert_eq!(fs::read_to_string(&file).unwrap(), "text");
    }

    #[test]
    fn a_name_that_is_no_identifier_or_a_folder_that_is_not_there_leaves_nothing() {
        let folder = TempDir::new().unwrap();
        for name in ["", "2rig", "my rig", "rig-2", "..", "b\u{e4}r"] {
            let error = run(&folder.path().join(name).join("")).unwrap_err();
            let expected = "must be an ASCII letter, then letters, digits or underscores";
            assert!(
                name.is_empty() || error.contains(expected),
                "{name:?}: {error}"
            );
        }
        let error = run(&folder.path().join("none").join("rig")).unwrap_err();
        assert!(error.starts_with("cannot write "), "{error}");
        assert!(names(folder.path()).is_empty());
    }
}
