//! The page and the icons in an FMU; the texts of `schema`, `completions` and `man`, generated from the
//! tables of keys and the definition of the command line.
//!
//! The folder terminalsAndIcons of an FMU has the scene as icon; if the scene requests terminals, these and a
//! picture for each kind of them.

use super::check::shapes;
use super::elements;
use super::laws::Laws;
use super::settings::Setting;
use super::words::{USUAL_SPEEDS, consequences};
use crate::command::answer::Answer;
use crate::description::ModelFacts;
use crate::description::documentation::{BodyNote, Page};
use crate::description::facts::Element;
use crate::description::model_description::{TerminalKind, terminals, terminals_and_icons};
use crate::description::template::TemplateError;
use crate::package::Archive;
use crate::scene_file::schema;
use clap_complete::Shell;
use clap_mangen::Man;
use contact_model::scene::{Scene, SceneDescription};
use fmu_core::instance::Standard;
use fmu_view::picture::drawing::{COLORS, Drawing, Format, Piece, color_of};
use fmu_view::picture::svg::{Legend, hex, png, svg};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

const WIDTH: i32 = 1200;
/// Maximum number of bodies named in the text of the picture.
const NAMED: usize = 20;

/// Page of a scene with its laws, the text of its file if any, and the settings.
pub(super) fn page(
    scene: &Scene,
    description: &SceneDescription,
    laws: &Laws,
    text: Option<&str>,
    settings: &[Setting],
) -> Page {
    let setting = |setting: &Setting| format!("{}={}", setting.name, setting.value);
    let shapes = shapes::elements(scene, description, &laws.touching, &[]);
    let mut shapes = shapes.iter();
    let bodies = elements::bodies(scene).into_iter().zip(&description.bodies);
    let bodies = bodies.enumerate().map(|(index, (element, body))| BodyNote {
        element,
        is_group: false,
        color: (!body.shapes.is_empty()).then(|| hex(color_of(scene, index))),
        shapes: Vec::from_iter(shapes.by_ref().take(body.shapes.len()).map(shape_text)),
    });
    let groups = elements::grains(scene).into_iter();
    let groups = groups.zip(scene.grains()).zip(&description.grains);
    let groups = groups.map(|((element, group), given)| BodyNote {
        color: Some(hex(color_of(scene, group.bodies.start.into()))),
        shapes: vec![format!("{}, {}", element.line.sentence(), given.material)],
        is_group: true,
        element,
    });
    let laws = laws.list.iter();
    Page {
        picture: picture(scene, description),
        bodies: bodies.chain(groups).collect(),
        chapters: elements::chapters(scene, description),
        laws: laws.map(|law| consequences(law, &USUAL_SPEEDS)).collect(),
        plot: None,
        scene_text: text.map(str::to_owned),
        settings: settings.iter().map(setting).collect(),
    }
}

/// Facts of a shape; a shape without a name is named by its form.
fn shape_text(shape: &Element) -> String {
    let facts = shape.line.sentence();
    match shape.line.has("form", &shape.name) {
        true => facts,
        false => format!("{}: {facts}", shape.name),
    }
}

fn picture(scene: &Scene, description: &SceneDescription) -> String {
    let drawing = Drawing::of(scene, description, Format::Wide(WIDTH));
    let bodies = description.bodies.iter().map(|body| body.name.as_str());
    let groups = description.grains.iter().map(|group| group.name.as_str());
    let mut named: Vec<&str> = bodies.chain(groups).collect();
    if named.len() > NAMED {
        named.truncate(NAMED);
        named.push("and others");
    }
    let legend = Legend {
        title: &format!("The scene {} at its start", scene.name()),
        text: &format!("Bodies: {}", named.join(", ")),
    };
    svg(&drawing, Some(legend))
}

pub(crate) fn schema() -> String {
    schema::json().trim_end().to_owned()
}

pub(crate) fn completions(shell: Shell, mut tool: clap::Command) -> String {
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

/// Manual page of the tool in roff; with a folder, one file for it and each command there.
///
/// # Errors
/// Text: the folder or a file cannot be written.
pub(crate) fn man(tool: clap::Command, folder: Option<&Path>) -> Result<Answer, String> {
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

/// Writes the page of a command and its subcommands, and adds their paths to `files`.
fn write_pages(command: clap::Command, folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for inner in command.get_subcommands() {
        write_pages(inner.clone(), folder, files)?;
    }
    files.push(Man::new(command).generate_to(folder)?);
    Ok(())
}

/// Side of the icon [units], and as PNG [px].
const ICON: (i32, u32) = (512, 256);
/// Side of the picture of a terminal [units], and as PNG [px].
const TERMINAL: (i32, u32) = (64, 32);

/// Error of creating the folder.
#[derive(Debug, thiserror::Error)]
pub enum IconError {
    #[error(transparent)]
    Template(#[from] TemplateError),
    #[error("cannot draw the icon: {0}")]
    Picture(String),
}

/// Adds the folder; to an FMU of FMI 2.0 also `model.png`, the icon by that version.
pub(super) fn add(
    archive: &mut Archive,
    facts: &ModelFacts,
    scene: &Scene,
    description: &SceneDescription,
) -> Result<(), IconError> {
    let mut picture = |name: &str, drawing: &Drawing, width: u32| -> Result<_, IconError> {
        let pixels = png(drawing, width).map_err(IconError::Picture)?;
        archive.add(format!("terminalsAndIcons/{name}.png"), pixels.clone());
        archive.add(format!("terminalsAndIcons/{name}.svg"), svg(drawing, None));
        Ok(pixels)
    };
    let drawing = Drawing::of(scene, description, Format::Square(ICON.0));
    let icon = picture("icon", &drawing, ICON.1)?;
    if scene.interface().terminals {
        let terminals = terminals(facts);
        let kinds: BTreeSet<TerminalKind> = terminals.iter().map(|t| t.kind).collect();
        for kind in kinds {
            picture(kind.icon(), &terminal(kind), TERMINAL.1)?;
        }
        let text = terminals_and_icons(&terminals)?;
        archive.add("terminalsAndIcons/terminalsAndIcons.xml", text);
    }
    if facts.table.standard() == Standard::Fmi2 {
        archive.add("model.png", icon);
    }
    Ok(())
}

/// A driven body is a square, a free one a ball, a force an arrow, a joint two triangles tip to tip, a
/// contact a ball on a line, a measurement two bars with a line between.
fn terminal(kind: TerminalKind) -> Drawing {
    let color = COLORS[kind as usize % COLORS.len()];
    let polygon = |points: &[[i32; 2]]| Piece::Polygon {
        points: points.to_vec(),
        color,
    };
    let bar = |x: [i32; 2], y: [i32; 2]| {
        polygon(&[[x[0], y[0]], [x[1], y[0]], [x[1], y[1]], [x[0], y[1]]])
    };
    let ball = |center: [i32; 2], radius: i32| Piece::Ball {
        center,
        radius,
        color,
    };
    let pieces = match kind {
        TerminalKind::Driven => vec![bar([8, 56], [8, 56])],
        TerminalKind::Body => vec![ball([32, 32], 26)],
        TerminalKind::Grains => vec![ball([18, 44], 14), ball([46, 44], 14), ball([32, 20], 14)],
        TerminalKind::Force => vec![
            bar([4, 36], [24, 40]),
            polygon(&[[34, 10], [60, 32], [34, 54]]),
        ],
        TerminalKind::Joint => vec![
            polygon(&[[6, 12], [32, 32], [6, 52]]),
            polygon(&[[58, 12], [58, 52], [32, 32]]),
        ],
        TerminalKind::Contact => vec![ball([32, 26], 20), bar([4, 60], [48, 56])],
        TerminalKind::Measurement => vec![
            bar([6, 12], [8, 56]),
            bar([52, 58], [8, 56]),
            bar([12, 52], [29, 35]),
        ],
    };
    Drawing {
        size: [TERMINAL.0; 2],
        pieces,
        axes: [[0.0; 2]; 3],
        scale: 1.0,
    }
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
