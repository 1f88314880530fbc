//! The command line: one definition gives parser, help and usage errors. Requests of commands contain their
//! options, see [`options`](crate::command::options).
//!
//! Exit codes: 0 success, 1 bad input or a failed simulation, 2 a wrong command line, 130 ended by Ctrl-C or
//! a signal. Results go to standard output, errors, warnings and progress to standard error, as text or, with
//! `--format json`, as the JSON lines of [`answer`]. A closed pipe (`| head`) is no error.

use crate::command::answer::{self, Answer, Cause, Failure, Format, Look, visible};
use crate::command::build::Choice;
use crate::command::crosscheck::CrosscheckRequest;
use crate::command::options::{
    InterfaceFlags, LimitFlags, STANDARDS, StartValues, scene_path, speed, word,
};
use crate::command::simulate::SimulateRequest;
use crate::command::validate::{self, Importer};
use crate::command::view::ReplayRequest;
use crate::command::watch::{Reached, Show, Watcher, When};
use crate::command::{
    apart, build, check, crosscheck, inspect, merge, modelica, new, page, simulate, ssp, view,
    watch,
};
use crate::scene_file::{GivenScene, STANDARD_INPUT};

use anstream::AutoStream;
use clap::error::ErrorKind as UsageError;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use fmu_core::instance::Standard;
use fmu_host::Run;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::ffi::OsString;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Exit code for bad input and failed simulations.
const FAILURE: u8 = 1;
/// Why the option is refused inside another program.
const HELD: &str = "--no-user-code holds for a whole process: use the program fmu-build";
/// Why standard input is refused inside another program.
const NO_INPUT: &str = "standard input is the program's own: give a file, or a scene as data";
/// Exit code for a wrong command line, as in clap.
const USAGE: u8 = 2;

const EXAMPLES: &str = "\
Examples:
  fmu-build new my_scene
  fmu-build check examples/bouncing_ball/scene.toml
  fmu-build build examples/bouncing_ball/scene.toml -o bouncing_ball.fmu
  fmu-build build examples/bouncing_ball/scene.toml -o bouncing_ball.fmu --fmi 2
  fmu-build simulate examples/bouncing_ball/scene.toml
  fmu-build simulate bouncing_ball.fmu --interface me --tolerance 1e-10 --stop 2
  fmu-build inspect bouncing_ball.fmu
  fmu-build modelica scene.toml -o modelica
  fmu-build crosscheck export scene.toml -o exchange

Exit codes: 0 good, 1 bad input or a failed simulation, 2 a wrong command line, 130 ended by Ctrl-C.";

const BUILD_EXAMPLES: &str = "\
Examples:
  fmu-build build examples/bouncing_ball/scene.toml -o bouncing_ball.fmu
  fmu-build build examples/bouncing_ball/scene.toml -o bouncing_ball.fmu --fmi 2
  fmu-build build examples/bouncing_ball/scene.toml -o bouncing_ball.fmu --arrays --naming flat
  fmu-build build examples/bouncing_ball/scene.toml -o few.fmu --profile openmodelica
  fmu-build build examples/bouncing_ball/scene.toml -o heavy.fmu --set ball.mass=2t";

const SIMULATE_EXAMPLES: &str = "\
Examples:
  fmu-build simulate examples/bouncing_ball/scene.toml
  fmu-build simulate examples/box_stack/scene.toml --replay --picture 0.3
  fmu-build simulate examples/two_balls/scene.toml --fmi 2 --interface me --tolerance 1e-10
  fmu-build simulate bouncing_ball.fmu --stop 2 --step 1e-3 --out results
  fmu-build simulate hammer.fmu --input motion.csv --step 1e-4
  fmu-build simulate bouncing_ball.fmu --set ball.mass=2 --set world.gravity[3]=-1.62
  fmu-build simulate bouncing_ball.fmu --plot \"ball.position[3];ball.velocity\" --progress=never

The first column of motion.csv is time, the others are inputs; a name with a comma is put in quotes, \
as in \"hammer.rotation[1,1]\".

Written are NAME.csv, the outputs over time, with --input the inputs too; NAME.svg, a plot; and events.csv, a line for each start \
and end of a contact (start, end) and of an end stop of a joint (stop start, stop end; pair is then \
joint:lower or joint:upper), with the impact speed [m/s], or [rad/s] of an angle, where one starts; for \
each impulse on the second of a pair, each latch (latch closes, latch opens, latch stops) and each jump \
of a prescribed motion (jump), with its impulse [N.s] in world axes; and for each trigger (trigger on, trigger off).

Rows are in NAME.csv.partial as they come. Ctrl-C ends the run at the next row; a run that is ended or \
fails leaves all files up to the time it has reached. Ctrl-C again ends it at once, without results.";

const REPLAY_EXAMPLES: &str = "\
Examples:
  fmu-build replay out/bouncing_ball/bouncing_ball.csv
  fmu-build replay result_of_fmpy.csv --fmu bouncing_ball.fmu --gltf --picture 0.5

RESULT.html is one file that any browser shows without a network. Contacts have arrows where the FMU \
reports them as outputs; fmu-build simulate --replay shows all contacts. Events are those of \
events.csv beside the table.";

const CHECK_EXAMPLES: &str = "\
Examples:
  fmu-build check examples/bouncing_ball/scene.toml
  fmu-build check examples/bouncing_ball/scene.toml --speed 0.5 --speed 2 --plot out/laws

Bodies, shapes and pairs that are alike are one entry from six on; --all lists each.

The pictures are reg.svg, friction.svg, restitution.svg, damping.svg and impact.svg, the last at the \
first speed; one without a curve is not written.";

const INSPECT_EXAMPLES: &str = "\
Example:
  fmu-build inspect bouncing_ball.fmu";

const VALIDATE_EXAMPLES: &str = "\
Examples:
  fmu-build validate ball.fmu
  fmu-build validate ball.fmu --for openmodelica --for simulink

An FMU that passes may still fail there: the rules are those that were met so far.";

const MERGE_EXAMPLES: &str = "\
Example:
  fmu-build merge linux/ball.fmu windows/ball.fmu -o ball.fmu

All must be made of the same scene with the same options by the same version of this tool.";

const SCHEMA_EXAMPLES: &str = "\
Examples:
  fmu-build schema > scene.schema.json
  fmu-build schema --messages > messages.schema.json

With #:schema ./scene.schema.json in the first line of a scene file, editors that know Taplo \
complete its keys and explain them.";

const MODELICA_EXAMPLES: &str = "\
Example:
  fmu-build modelica scene.toml -o modelica

For a scene named driven_hammer this makes modelica/DrivenHammer; open package.mo in it. Connect the \
frames of Contact or FmuContact to the bodies of a MultiBody model; README.md there says how.";

const SSP_EXAMPLES: &str = "\
Examples:
  fmu-build ssp examples/gripper/scene.toml -o gripper.ssp
  fmu-build ssp scene.toml -o scene.ssp --set ball.mass=2

In it are SystemStructure.ssd, resources/NAME.fmu and the parameter set resources/NAME.ssv. With \
--fmi 2 the format is that of SSP 1.0, with --fmi 3 that of SSP 2.0. Vectors are scalars in both.";

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  fmu-build completions bash
  fmu-build completions powershell

bash reads it from ~/.local/share/bash-completion/completions/fmu-build, fish from \
~/.config/fish/completions/fmu-build.fish, zsh from a file _fmu-build in a folder of $fpath.";

const MAN_EXAMPLES: &str = "\
Example:
  fmu-build man /usr/local/share/man/man1";

const CROSSCHECK_EXAMPLES: &str = "\
Example:
  fmu-build crosscheck export examples/bouncing_ball/scene.toml -o exchange

The Python package judges FMUs in such folders, of any tool, with FMPy:
  python -m contact_fmu crosscheck check exchange/fmus";

const EXPORT_EXAMPLES: &str = "\
Examples:
  fmu-build crosscheck export examples/bouncing_ball/scene.toml -o exchange
  fmu-build crosscheck export gripper.toml -o exchange --input forces.csv --fmi 2 --interface me
  fmu-build crosscheck export scene.toml -o exchange --output ball.position[3] --stop 2

Written are NAME.fmu, NAME_ref.csv, NAME_ref.opt, NAME_in.csv where there are inputs, NAME_cc.csv \
and README.md, in exchange/fmus/{2.0|3.0}/{me|cs}/PLATFORM/fmu-build/VERSION/NAME. The FMU has \
its reference inside, too. Without --output the reference has up to ten outputs that move: lengths \
and angles first, then forces that the rows resolve, then speeds.";

/// Turns a scene file into an FMU with rigid-body contact, and runs FMUs.
#[derive(Debug, Parser)]
#[command(name = "fmu-build", version, after_help = EXAMPLES, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// Errors, warnings, written files and progress on standard error: as text, or a JSON object a line,
    /// with one for what check and inspect show
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "FORMAT",
        default_value = "text"
    )]
    format: Format,
    /// Colours on standard error; auto: on a terminal, unless NO_COLOR is set
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "WHEN",
        default_value = "auto"
    )]
    color: Color,
    /// Load no shared library with contact laws of a scene, and run no FMU that has one
    #[arg(long, global = true)]
    no_user_code: bool,
}

/// When there are colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Also in files and pipes
    Always,
    /// Nowhere
    Never,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write a folder with a first scene, which simulates at once
    New {
        /// Folder to make; its name is that of the scene and of the FMU
        #[arg(value_name = "NAME")]
        folder: PathBuf,
    },
    /// Build an FMU from a scene file
    #[command(after_help = BUILD_EXAMPLES)]
    Build(BuildArguments),
    /// Simulate a scene or an FMU; write CSV and plot
    #[command(after_help = SIMULATE_EXAMPLES)]
    Simulate(Box<SimulateRequest>),
    /// Make a page with the scene in motion from a table of results, of whatever program
    #[command(after_help = REPLAY_EXAMPLES)]
    Replay(ReplayRequest),
    /// Check a scene file and show what a model made of it would have, and what its contact laws
    /// mean
    #[command(after_help = CHECK_EXAMPLES)]
    Check {
        /// Scene file, or a folder with scene.toml; - reads it from standard input
        #[arg(value_name = "SCENE.toml", value_parser = scene_path())]
        scene: PathBuf,
        /// Impact speed [m/s] that contact laws are shown and judged at; may be given several times
        #[arg(long = "speed", value_name = "V", allow_negative_numbers = true, value_parser = speed)]
        speeds: Vec<f64>,
        /// Folder for pictures of the contact laws (SVG)
        #[arg(long, value_name = "DIR")]
        plot: Option<PathBuf>,
        /// Each body, shape and pair on a line of its own, also where many are alike
        #[arg(long)]
        all: bool,
        #[command(flatten)]
        interface: InterfaceFlags,
        /// Scene in place of the file.
        #[arg(skip)]
        given: Option<GivenScene>,
    },
    /// Show what an FMU says of itself
    #[command(after_help = INSPECT_EXAMPLES)]
    Inspect {
        /// FMU (FMI 2.0 or FMI 3.0)
        #[arg(value_name = "FILE.fmu")]
        fmu: PathBuf,
        #[command(flatten)]
        limits: LimitFlags,
    },
    /// Check whether importers take an FMU, by the rules that are known of them
    #[command(after_help = VALIDATE_EXAMPLES)]
    Validate {
        /// FMU (FMI 2.0 or FMI 3.0)
        #[arg(value_name = "FILE.fmu")]
        fmu: PathBuf,
        /// Importer that shall take it; may be given several times; all unless given
        #[arg(long = "for", value_name = "IMPORTER", value_enum)]
        importers: Vec<Importer>,
        #[command(flatten)]
        limits: LimitFlags,
    },
    /// Merge FMUs of one scene that were made on several platforms into one for all of them
    #[command(after_help = MERGE_EXAMPLES)]
    Merge {
        /// FMUs, equal but for their binaries
        #[arg(value_name = "FILE.fmu", required = true, num_args = 2..)]
        fmus: Vec<PathBuf>,
        /// FMU to write
        #[arg(short, long, value_name = "FILE.fmu")]
        output: PathBuf,
        #[command(flatten)]
        limits: LimitFlags,
    },
    /// Print the JSON Schema of scene files, by which editors complete and explain keys
    #[command(after_help = SCHEMA_EXAMPLES)]
    Schema {
        /// That of the lines of --format json instead
        #[arg(long)]
        messages: bool,
    },
    /// Write a Modelica package that puts the driven bodies of a scene behind MultiBody frames
    #[command(after_help = MODELICA_EXAMPLES)]
    Modelica {
        /// Scene file, a folder with scene.toml, or - for standard input; needs a body with motion = "driven"
        #[arg(value_name = "SCENE.toml", value_parser = scene_path())]
        scene: PathBuf,
        /// Folder for the package, which has the name of the scene
        #[arg(short, long, value_name = "DIR")]
        output: PathBuf,
        #[command(flatten)]
        binaries: Choice,
    },
    /// Write an SSP, a system with the FMU of a scene as its component
    #[command(after_help = SSP_EXAMPLES)]
    Ssp {
        /// Scene file, or a folder with scene.toml
        #[arg(value_name = "SCENE.toml", value_parser = scene_path())]
        scene: PathBuf,
        /// SSP to write
        #[arg(short, long, value_name = "FILE.ssp")]
        output: PathBuf,
        /// FMI version of the FMU
        #[arg(long, value_name = "VERSION", default_value = "2", value_parser = word(STANDARDS))]
        fmi: Standard,
        #[command(flatten)]
        start_values: StartValues,
        #[command(flatten)]
        binaries: Choice,
    },
    /// Write FMUs with reference results for other tools, by the rules of the FMI cross-check
    #[command(after_help = CROSSCHECK_EXAMPLES)]
    Crosscheck {
        #[command(subcommand)]
        command: CrosscheckCommand,
    },
    /// Print the script that completes command lines in a shell
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Print the manual page, or write one for each command
    #[command(after_help = MAN_EXAMPLES)]
    Man {
        /// Folder for the pages
        #[arg(value_name = "DIR")]
        folder: Option<PathBuf>,
    },
}

impl Command {
    fn scene(&self) -> Option<&Path> {
        match self {
            Command::Build(BuildArguments { scene, .. })
            | Command::Check { scene, .. }
            | Command::Modelica { scene, .. }
            | Command::Ssp { scene, .. } => Some(scene),
            Command::Simulate(request) => Some(&request.input),
            _ => None,
        }
    }

    /// Takes over surroundings inside another program.
    fn place(&mut self, inside: Inside) {
        let Inside {
            scene,
            beside,
            scratch,
        } = inside;
        match self {
            Command::Check { given, .. } => *given = scene,
            Command::Build(arguments) => {
                (arguments.given, arguments.binaries.beside) = (scene, beside);
            }
            Command::Simulate(request) => {
                (request.given, request.scratch) = (scene, scratch);
                request.binaries.beside = beside;
            }
            Command::Modelica { binaries, .. } | Command::Ssp { binaries, .. } => {
                binaries.beside = beside;
            }
            Command::Crosscheck {
                command: CrosscheckCommand::Export(request),
            } => request.binaries.beside = beside,
            _ => {}
        }
    }

    /// Checks that the definition of single arguments cannot express.
    fn check(&self) -> Result<(), clap::Error> {
        match self {
            Command::Build(BuildArguments {
                fmi: Standard::Fmi2,
                interface:
                    InterfaceFlags {
                        arrays: Some(true), ..
                    },
                ..
            }) => {
                Err(Arguments::command().error(UsageError::ArgumentConflict, build::ARRAYS_IN_FMI2))
            }
            _ => Ok(()),
        }
    }
}

#[derive(Debug, Args)]
struct BuildArguments {
    /// Scene file, or a folder with scene.toml; - reads it from standard input
    #[arg(value_name = "SCENE.toml", value_parser = scene_path())]
    scene: PathBuf,
    /// FMU to write, or the folder for it, where it has the name of the scene
    #[arg(short, long, value_name = "FILE.fmu|DIR", default_value = ".")]
    output: PathBuf,
    /// FMI version
    #[arg(long, value_name = "VERSION", default_value = "3", value_parser = word(STANDARDS))]
    fmi: Standard,
    /// Run the default experiment and show its plot in the documentation inside the FMU
    #[arg(long)]
    plot: bool,
    #[command(flatten)]
    interface: InterfaceFlags,
    #[command(flatten)]
    start_values: StartValues,
    #[command(flatten)]
    binaries: Choice,
    /// Scene in place of the file.
    #[arg(skip)]
    given: Option<GivenScene>,
}

/// Commands of `crosscheck`.
#[derive(Debug, Subcommand)]
enum CrosscheckCommand {
    /// Write the FMUs of a scene with reference results, by the rules of the FMI cross-check
    #[command(after_help = EXPORT_EXAMPLES)]
    Export(CrosscheckRequest),
}

/// Program that runs a command line: what that says goes to it.
pub trait Caller {
    /// Takes a part of the result, for standard output.
    ///
    /// # Errors
    /// It cannot be written.
    fn result(&self, text: &str) -> io::Result<()>;

    /// Takes errors, warnings, written files and progress, for standard error.
    fn remark(&self, text: &str, color: Color);

    /// Number of requests to end a run so far.
    fn ends(&self) -> u32;

    /// Replacements for standard input and file locations; none where the tool is a program of its own.
    fn inside(&self) -> Option<Inside> {
        None
    }

    /// Words that run this program in another process, for what may crash; none where it has no process of its own.
    fn program(&self) -> &[OsString] {
        &[]
    }
}

/// Replacements for standard input and file locations when the tool runs inside another program.
#[derive(Clone, Debug, Default)]
pub struct Inside {
    /// Scene in place of standard input.
    pub scene: Option<GivenScene>,
    /// File beside which FMU binaries lie.
    pub beside: Option<PathBuf>,
    /// Folder for the FMU of a scene where results are not written.
    pub scratch: Option<PathBuf>,
}

/// This process with its standard streams and signals.
struct Process<'a> {
    program: &'a [OsString],
    beside: Option<PathBuf>,
}

impl Caller for Process<'_> {
    fn result(&self, text: &str) -> io::Result<()> {
        put(&mut io::stdout(), text)
    }

    fn remark(&self, text: &str, color: Color) {
        let _ = put(&mut AutoStream::new(io::stderr(), color.stream()), text);
    }

    fn ends(&self) -> u32 {
        watch::listen();
        watch::interruptions()
    }

    fn inside(&self) -> Option<Inside> {
        self.beside.clone().map(|file| Inside {
            beside: Some(file),
            ..Inside::default()
        })
    }

    fn program(&self) -> &[OsString] {
        self.program
    }
}

/// Runs the tool as a program with these arguments, the first of which is its name; the exit code. `program`
/// are the words that run it in another process, `beside` the file beside which FMU binaries lie, the
/// executable by default.
pub fn main(arguments: &[OsString], program: &[OsString], beside: Option<PathBuf>) -> u8 {
    apart::listen();
    let (code, _) = call(arguments, &Process { program, beside });
    apart::done();
    code
}

/// Runs a command line. Returns its exit code, and the run of `simulate`.
pub fn call(arguments: &[OsString], caller: &dyn Caller) -> (u8, Option<Run>) {
    let color = asked_color(arguments);
    let parsed = Arguments::command()
        .color(color.clap())
        .try_get_matches_from(arguments)
        .and_then(|matches| Arguments::from_arg_matches(&matches));
    let parsed = parsed.and_then(|x| x.command.check().map(|()| x));
    let Arguments {
        mut command,
        format,
        color,
        no_user_code,
    } = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return (refuse(&error, arguments, color, caller), None),
    };
    let program = caller.program();
    let remark = |text: &str| caller.remark(text, color);
    let fail = |failure: Failure| {
        remark(&failure.remarks(format, color.look()));
        (FAILURE, None)
    };
    if no_user_code && program.is_empty() {
        return fail(HELD.to_owned().into());
    }
    if no_user_code {
        apart::forbid_user_code();
    }
    let apart = command
        .scene()
        .filter(|_| !(no_user_code || program.is_empty()));
    if let Some(input) = apart.filter(|input| apart::is_wanted(input)) {
        return match apart::run(input, program, &arguments[1..]) {
            Ok(code) => (code, None),
            Err(reason) => fail(Cause::Simulation(reason).into()),
        };
    }
    if program.is_empty()
        && command.scene() == Some(Path::new(STANDARD_INPUT))
        && caller.inside().is_none_or(|inside| inside.scene.is_none())
    {
        return fail(NO_INPUT.to_owned().into());
    }
    command.place(caller.inside().unwrap_or_default());
    let answer = match run(command, format, color, caller) {
        Ok(answer) => answer,
        Err(failure) => return fail(failure),
    };
    remark(&answer.remarks(format, color.look()));
    let code = match caller.result(&visible(&answer.text)) {
        Err(error) => return fail(format!("cannot write to standard output: {error}").into()),
        Ok(()) if answer.interrupted.is_some() => watch::INTERRUPTED,
        Ok(()) => 0,
    };
    (code, answer.run.map(|run| *run))
}

/// Reports a wrong command line, or shows the help it asks for; the exit code.
fn refuse(error: &clap::Error, arguments: &[OsString], color: Color, caller: &dyn Caller) -> u8 {
    let text = error.render();
    if !error.use_stderr() {
        // Who closes the pipe has read enough.
        let _ = caller.result(&text.to_string());
        return 0;
    }
    let text = match asks_for_json(arguments) {
        true => visible(&answer::usage_error(&text.to_string())),
        false => text.ansi().to_string(),
    };
    caller.remark(&text, color);
    USAGE
}

/// Returns true if an unreadable command line requests JSON.
fn asks_for_json(arguments: &[OsString]) -> bool {
    let pairs = arguments.windows(2);
    let as_two = |pair: &[OsString]| pair[0] == "--format" && pair[1] == "json";
    arguments.iter().any(|x| x == "--format=json") || pairs.into_iter().any(as_two)
}

/// Colours requested by a command line, which may be unreadable.
fn asked_color(arguments: &[OsString]) -> Color {
    let names = [
        ("always", Color::Always),
        ("never", Color::Never),
        ("auto", Color::Auto),
    ];
    let asked = names.into_iter().find(|(name, _)| {
        let as_two = |pair: &[OsString]| pair[0] == "--color" && pair[1] == *name;
        let as_one = format!("--color={name}");
        arguments.windows(2).any(as_two) || arguments.iter().any(|x| *x == *as_one)
    });
    asked.map_or(Color::Auto, |(_, color)| color)
}

impl Color {
    fn clap(self) -> clap::ColorChoice {
        match self {
            Color::Auto => clap::ColorChoice::Auto,
            Color::Always => clap::ColorChoice::Always,
            Color::Never => clap::ColorChoice::Never,
        }
    }

    fn stream(self) -> anstream::ColorChoice {
        match self {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        }
    }

    /// Style with colours, which the stream removes if unwanted, at the width of the terminal.
    fn look(self) -> Look {
        let width = terminal_size::terminal_size_of(io::stderr());
        Look {
            has_colours: self != Color::Never,
            width: width.map_or(Look::PLAIN.width, |(width, _)| width.0.into()),
        }
    }
}

fn run(
    command: Command,
    format: Format,
    color: Color,
    caller: &dyn Caller,
) -> Result<Answer, Failure> {
    let text = |text: String| Ok(Answer::of_text(text));
    match command {
        Command::New { folder } => Ok(new::run(&folder)?),
        Command::Completions { shell } => text(page::completions(shell, Arguments::command())),
        Command::Man { folder } => Ok(page::man(Arguments::command(), folder.as_deref())?),
        Command::Build(arguments) => {
            let report =
                build::build_fmu(&arguments.scene, &arguments.output, &arguments.target())?;
            Ok(Answer {
                text: report.to_string(),
                warnings: Some(report.warnings),
                files: vec![report.file],
                ..Answer::default()
            })
        }
        Command::Simulate(request) => {
            let mut watcher = watcher(request.progress, format, color, caller);
            simulate::run(&request, &mut watcher)
        }
        Command::Replay(request) => view::run(&request),
        Command::Check {
            scene,
            speeds,
            plot,
            all,
            interface,
            given,
        } => {
            let request = check::CheckRequest {
                interface: interface.overrides(),
                speeds,
                plots: plot,
                all,
                given,
            };
            // A part of a long answer; the whole fails later if it cannot be written.
            let mut flow = |text: &str| drop(caller.result(&visible(text)));
            Ok(check::run(&scene, &request, &mut flow)?)
        }
        Command::Inspect { fmu, limits } => Ok(inspect::run(&fmu, &limits.limits())?),
        Command::Validate {
            fmu,
            importers,
            limits,
        } => text(validate::run(&fmu, &importers, &limits.limits())?),
        Command::Merge {
            fmus,
            output,
            limits,
        } => Ok(Answer {
            text: merge::run(&fmus, &output, &limits.limits())?,
            files: vec![output],
            ..Answer::default()
        }),
        Command::Crosscheck {
            command: CrosscheckCommand::Export(request),
        } => crosscheck::export(&request),
        Command::Ssp {
            scene,
            output,
            fmi,
            start_values,
            binaries,
        } => ssp::run(&scene, &output, fmi, &start_values.settings, &binaries),
        Command::Schema { messages: false } => text(page::schema()),
        Command::Schema { messages: true } => text(answer::SCHEMA.to_owned()),
        Command::Modelica {
            scene,
            output,
            binaries,
        } => {
            let report = modelica::run(&scene, &output, &binaries)?;
            Ok(Answer {
                text: report.to_string(),
                warnings: Some(report.warnings),
                files: report.files,
                ..Answer::default()
            })
        }
    }
}

impl BuildArguments {
    fn target(&self) -> build::Target<'_> {
        build::Target {
            standard: self.fmi,
            interface: self.interface.overrides(),
            settings: &self.start_values.settings,
            binaries: self.binaries.clone(),
            plot: self.plot,
            given: self.given.as_ref(),
        }
    }
}

const LINE: &str = "{wide_msg}";
/// Refresh rate [1/s]: each update of the run is shown.
const FRAMES: u8 = 20;

/// Writes a text with a final newline and colours; nothing if empty. A closed pipe is no error.
fn put(stream: &mut dyn Write, text: &str) -> io::Result<()> {
    if text.is_empty() {
        return Ok(());
    }
    let end = if text.ends_with('\n') { "" } else { "\n" };
    // At once: an FMU may write between two calls.
    let text = format!("{text}{end}");
    let written = stream.write_all(text.as_bytes());
    let written = written.and_then(|()| stream.flush());
    written.or_else(|error| match error.kind() {
        ErrorKind::BrokenPipe => Ok(()),
        _ => Err(error),
    })
}

/// Observer of a run, with a progress display if requested.
fn watcher<'a>(when: When, format: Format, color: Color, caller: &'a dyn Caller) -> Watcher<'a> {
    let show: Option<Box<dyn Show + 'a>> = match (when, format, io::stderr().is_terminal()) {
        (When::Never, ..) | (When::Auto, Format::Json, _) | (When::Auto, _, false) => None,
        (_, Format::Text, true) => Some(Box::new(OneLine::new())),
        (When::Always, ..) => Some(Box::new(LineByLine {
            caller,
            format,
            color,
        })),
    };
    Watcher {
        show,
        ends: Box::new(|| caller.ends()),
        is_alone: !caller.program().is_empty(),
    }
}

/// Progress on standard error as one changing line on a terminal.
struct OneLine(ProgressBar);

impl OneLine {
    fn new() -> OneLine {
        let target = ProgressDrawTarget::stderr_with_hz(FRAMES);
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template(LINE) {
            bar.set_style(style);
        }
        OneLine(bar)
    }
}

impl Show for OneLine {
    fn reached(&mut self, reached: &Reached) {
        let said = answer::progress(Format::Text, reached);
        self.0.set_message(visible(said.trim_end()));
        self.0.tick();
    }

    fn slow(&mut self, reason: &str) {
        let line = visible(&answer::slow(Format::Text, reason));
        let _ = self.0.suspend(|| put(&mut io::stderr(), &line));
    }

    fn end(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Progress on standard error as one line per report.
struct LineByLine<'a> {
    caller: &'a dyn Caller,
    format: Format,
    color: Color,
}

impl LineByLine<'_> {
    fn tell(&self, line: &str) {
        self.caller.remark(&visible(line), self.color);
    }
}

impl Show for LineByLine<'_> {
    fn reached(&mut self, reached: &Reached) {
        self.tell(&answer::progress(self.format, reached));
    }

    fn slow(&mut self, reason: &str) {
        self.tell(&answer::slow(self.format, reason));
    }

    fn end(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::build::InterfaceOverrides;
    use crate::scene_file::world::PROFILES;
    use contact_model::scene::description::{Guard, Naming};

    #[test]
    fn the_definition_of_the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn every_example_of_the_help_is_a_good_command_line() {
        let mut count = 0;
        for text in [
            EXAMPLES,
            BUILD_EXAMPLES,
            SIMULATE_EXAMPLES,
            REPLAY_EXAMPLES,
            CHECK_EXAMPLES,
            INSPECT_EXAMPLES,
            MODELICA_EXAMPLES,
            COMPLETIONS_EXAMPLES,
            MAN_EXAMPLES,
            SSP_EXAMPLES,
            CROSSCHECK_EXAMPLES,
            EXPORT_EXAMPLES,
        ] {
            let lines = text.lines().map(str::trim);
            for line in lines.filter(|line| line.starts_with("fmu-build ")) {
                Arguments::try_parse_from(line.split(' ')).unwrap();
                count += 1;
            }
        }
        assert_eq!(count, 36);
    }

    #[test]
    fn wrong_command_lines_are_usage_errors() {
        let wrong: [&[&str]; 19] = [
            &[],
            &["fly"],
            &["modelica", "scene.toml"],
            &["build", "scene.toml", "-o", "a.fmu", "--fmi", "1"],
            &[
                "build",
                "scene.toml",
                "-o",
                "a.fmu",
                "--fmi",
                "2",
                "--arrays",
            ],
            &["build", "scene.toml", "-o", "a.fmu", "--naming", "short"],
            &["build", "scene.toml", "-o", "a.fmu", "--profile", "dymola"],
            &["check", "scene.toml", "--strict=perhaps"],
            &["check", "scene.toml", "--speed", "-1"],
            &["simulate", "scene.toml", "--interface", "both"],
            &["simulate", "scene.toml", "--stop", "soon"],
            &["build", "scene.toml", "-o", "a.fmu", "--binary", "a.so"],
            &["simulate", "scene.toml", "--tolerance", "0"],
            &["simulate", "scene.toml", "--tolerance", "0.5"],
            &["simulate", "scene.toml", "--step", "-1e-3"],
            &["simulate", "scene.toml", "--step", "nan"],
            &["crosscheck"],
            &["crosscheck", "export", "a.toml"],
            &["crosscheck", "export", "a.toml", "-o", "b", "--stop", "inf"],
        ];
        for arguments in wrong {
            let all = ["fmu-build"].iter().chain(arguments);
            let parsed = Arguments::try_parse_from(all);
            let error = parsed.and_then(|a| a.command.check()).unwrap_err();
            assert_eq!(error.exit_code(), 2, "{arguments:?}");
        }
    }

    #[test]
    fn a_flag_of_the_interface_may_say_true_or_false_or_nothing() {
        let read = |flags: &[&str]| {
            let line = ["fmu-build", "build", "scene.toml", "-o", "a.fmu"];
            let all = line.iter().chain(flags);
            match Arguments::try_parse_from(all).unwrap().command {
                Command::Build(arguments) => arguments.interface.overrides(),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(read(&[]), InterfaceOverrides::default());
        let given = read(&[
            "--arrays",
            "--tunable=false",
            "--strict=true",
            "--terminals",
            "--naming",
            "flat",
            "--guard",
            "off",
            "--expose-parameters",
        ]);
        let expected = InterfaceOverrides {
            arrays: Some(true),
            naming: Some(Naming::Flat),
            tunable: Some(false),
            strict: Some(true),
            terminals: Some(true),
            guard: Some(Guard::Off),
            expose_parameters: Some(true),
            expose_motion: false,
        };
        assert_eq!(given, expected);
        let of_profile = read(&["--profile", "openmodelica"]);
        assert_eq!(of_profile, PROFILES[0].1);
        let with_names = read(&["--naming", "structured", "--profile", "openmodelica"]);
        let naming = Some(Naming::Structured);
        assert_eq!(
            with_names,
            InterfaceOverrides {
                naming,
                ..of_profile
            }
        );
    }

    #[test]
    fn a_folder_means_the_scene_in_it() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/silo");
        let scene = PathBuf::from(folder).join("scene.toml");
        for command in ["build", "check", "simulate"] {
            let parsed = Arguments::try_parse_from(["fmu-build", command, folder]);
            let read = match parsed.unwrap().command {
                Command::Build(arguments) => arguments.scene,
                Command::Check { scene, .. } => scene,
                Command::Simulate(arguments) => arguments.input,
                other => panic!("{other:?}"),
            };
            assert_eq!(read, scene);
        }
        // As `new` writes it.
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("drop.v2");
        let made = folder.join("drop.v2.toml");
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(&made, "").unwrap();
        let line = ["fmu-build".as_ref(), "check".as_ref(), folder.as_os_str()];
        match Arguments::try_parse_from(line).unwrap().command {
            Command::Check { scene, .. } => assert_eq!(scene, made),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn paragraphs_of_the_help_have_no_line_ends_so_that_they_wrap() {
        for text in [EXAMPLES, SIMULATE_EXAMPLES, CHECK_EXAMPLES, EXPORT_EXAMPLES] {
            let lines: Vec<&str> = text.lines().collect();
            let is_prose = |line: &str| !line.is_empty() && !line.starts_with([' ', 'E']);
            assert!(
                !lines
                    .windows(2)
                    .any(|two| two.iter().all(|line| is_prose(line)))
            );
        }
    }

    #[test]
    fn a_negative_stop_time_reaches_the_simulation_which_refuses_it() {
        let line = ["fmu-build", "simulate", "a.fmu", "--stop", "-1"];
        match Arguments::try_parse_from(line).unwrap().command {
            Command::Simulate(arguments) => assert_eq!(arguments.stop, Some(-1.0)),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_closed_pipe_is_no_error_and_a_full_disk_is() {
        struct Failing(ErrorKind);
        impl Write for Failing {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(self.0.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        assert!(put(&mut Failing(ErrorKind::BrokenPipe), "text").is_ok());
        assert!(put(&mut Failing(ErrorKind::StorageFull), "text").is_err());
    }
}
