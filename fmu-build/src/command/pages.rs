//! `schema`, `completions` and `man`: what editors, shells and readers know of scene files and of the
//! command line, from the tables of keys and the definition of the command line.

use crate::command::answer::Answer;
use crate::scene_file::schema;
use clap_complete::Shell;
use clap_mangen::Man;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The JSON Schema of scene files.
pub fn schema() -> String {
    schema::json().trim_end().to_owned()
}

/// The script that completes command lines in a shell.
pub fn completions(shell: Shell, mut tool: clap::Command) -> String {
    let name = tool.get_name().to_owned();
    let [found, wanted] = ["__subcmd__", "__"].map(|joint| name.replace('-', joint));
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut tool, &name, &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    match shell {
        // Labels of the generator take the tool `fmu-build` for a command `build` of a tool `fmu`.
        Shell::Bash => script.replace(&found, &wanted),
        _ => script,
    }
}

/// The manual page of the tool in roff; with a folder, one file for it and each command there.
///
/// # Errors
/// In words: the folder or a file cannot be written.
pub fn man(tool: clap::Command, folder: Option<&Path>) -> Result<Answer, String> {
    let Some(folder) = folder else {
        let mut page = Vec::new();
        Man::new(tool)
            .render(&mut page)
            .map_err(|error| error.to_string())?;
        return Ok(Answer::of_text(String::from_utf8_lossy(&page).into_owned()));
    };
    let in_folder = |error| {
        format!(
            "cannot write manual pages into {}: {error}",
            folder.display()
        )
    };
    fs::create_dir_all(folder).map_err(in_folder)?;
    let name = tool.get_name().to_owned();
    // Without `help` as a command, as the crate's own function for all pages has it.
    let mut tool = tool.disable_help_subcommand(true);
    tool.build();
    let mut files = Vec::new();
    write_pages(tool, folder, &mut files).map_err(in_folder)?;
    Ok(Answer {
        text: format!(
            "{} and a page for each command\n",
            folder.join(format!("{name}.1")).display()
        ),
        files,
        ..Answer::default()
    })
}

/// Writes the page of a command and those of its commands, and adds their paths to `files`.
fn write_pages(command: clap::Command, folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for inner in command.get_subcommands() {
        write_pages(inner.clone(), folder, files)?;
    }
    files.push(Man::new(command).generate_to(folder)?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Arg, Command, ValueEnum};
    use tempfile::TempDir;

    fn tool() -> Command {
        let build = Command::new("build").arg(Arg::new("set").long("set"));
        Command::new("rig-build").subcommands([build, Command::new("inspect")])
    }

    #[test]
    fn the_script_of_each_shell_knows_commands_and_options() {
        for shell in Shell::value_variants() {
            let script = completions(*shell, tool());
            for word in ["rig-build", "build", "inspect", "set"] {
                assert!(script.contains(word), "{word} is not in that of {shell}");
            }
        }
    }

    /// What the script calls a command on the way is what it looks its options up by.
    #[test]
    fn the_script_of_bash_finds_the_options_of_a_command() {
        let script = completions(Shell::Bash, tool());
        let named = script
            .split("cmd=\"")
            .skip(1)
            .filter_map(|rest| rest.split_once('"'));
        let names: Vec<&str> = named
            .map(|(name, _)| name)
            .filter(|name| !name.is_empty())
            .collect();
        assert!(names.len() > 2);
        for name in names {
            assert!(script.contains(&format!("{name})\n")), "{name}");
        }
    }

    #[test]
    fn a_folder_gets_a_page_for_each_command() {
        let folder = TempDir::new().unwrap();
        let pages = folder.path().join("share/man1");
        let mut files = man(tool(), Some(&pages)).unwrap().files;
        files.sort();
        let names = ["rig-build-build.1", "rig-build-inspect.1", "rig-build.1"];
        assert_eq!(files, names.map(|name| pages.join(name)));
        assert_eq!(fs::read_dir(&pages).unwrap().count(), files.len());
        for (page, word) in [
            ("rig-build.1", "inspect"),
            ("rig-build-build.1", "set"),
            ("rig-build-inspect.1", "inspect"),
        ] {
            let text = fs::read_to_string(pages.join(page)).unwrap();
            assert!(
                text.contains(".SH SYNOPSIS") && text.contains(word),
                "{page}"
            );
        }
        let Answer { text, files, .. } = man(tool(), None).unwrap();
        assert!(files.is_empty());
        assert!(text.contains(".SH NAME"), "{text}");
    }
}
