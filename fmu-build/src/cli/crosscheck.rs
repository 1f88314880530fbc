//! `crosscheck` and its commands.

use super::{Binaries, FmiVersion, InterfaceName, LimitFlags, scene_path, stop_time, tell};
use crate::command::answer::{self, Answer, Failure, Format};
use crate::command::crosscheck::{check, export, process, run, validate};
use crate::command::simulate::Interface;
use clap::{Args, Subcommand};
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// Examples of the help.
pub const EXAMPLES: &str = "\
Examples:
  fmu-build crosscheck export examples/bouncing_ball/scene.toml -o exchange
  fmu-build crosscheck check exchange/fmus
  fmu-build crosscheck validate exchange/fmus -o exchange";

pub(super) const EXPORT_EXAMPLES: &str = "\
Examples:
  fmu-build crosscheck export examples/bouncing_ball/scene.toml -o exchange
  fmu-build crosscheck export gripper.toml -o exchange --input forces.csv --fmi 2 --interface me
  fmu-build crosscheck export scene.toml -o exchange --output ball.position[3] --stop 2

Written are NAME.fmu, NAME_ref.csv, NAME_ref.opt, NAME_in.csv where there are inputs, NAME_cc.csv \
and README.md, in exchange/fmus/{2.0|3.0}/{me|cs}/PLATFORM/fmu-build/VERSION/NAME. The FMU has \
its reference inside, too. Without --output the reference has up to ten outputs that move: lengths \
and angles first, then forces that the rows resolve, then speeds.";

pub(super) const VALIDATE_EXAMPLES: &str = "\
Examples:
  fmu-build crosscheck validate fmi-cross-check/fmus -o fmi-cross-check
  fmu-build crosscheck validate fmus/2.0/me/linux64/Tool/1.2/Ball/Ball.fmu -o .

Written is one of the files passed, failed and rejected (this tool cannot run it) in \
results/.../fmu-build/VERSION/TOOL/VERSION/NAME, and a README.md with the reason unless it passed. \
An FMU passes if each signal of its reference is met within 0.2 % of the duration and 0.2 % of its \
range. FMUs for other platforms and of FMI 1.0 are skipped; results of them stay as they are.";

pub(super) const CHECK_EXAMPLES: &str = "\
Example:
  fmu-build crosscheck check exchange/fmus";

/// Commands of `crosscheck`.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Write the FMUs of a scene with reference results, by the rules of the FMI cross-check
    #[command(after_help = EXPORT_EXAMPLES)]
    Export(ExportArguments),
    /// Run FMUs of any tool and compare them with the reference results beside them
    #[command(after_help = VALIDATE_EXAMPLES)]
    Validate(ValidateArguments),
    /// Check exported FMUs and the files beside them against the rules of the FMI cross-check
    #[command(after_help = CHECK_EXAMPLES)]
    Check {
        /// FMUs, or folders of them
        #[arg(value_name = "FMU|DIR", required = true)]
        paths: Vec<PathBuf>,
        #[command(flatten)]
        limits: LimitFlags,
    },
    /// Judge one FMU: `validate` runs this in a process of its own
    #[command(name = process::ONE, hide = true)]
    JudgeOne {
        /// The FMU
        #[arg(value_name = "FMU")]
        fmu: PathBuf,
        /// File for the verdict
        #[arg(value_name = "FILE")]
        verdict: PathBuf,
        #[command(flatten)]
        limits: LimitFlags,
    },
}

/// Arguments of `crosscheck export`.
#[derive(Debug, Args)]
pub struct ExportArguments {
    /// Scene file, or a folder with scene.toml
    #[arg(value_name = "SCENE.toml", value_parser = scene_path())]
    scene: PathBuf,
    /// Folder that fmus/ is made in
    #[arg(short = 'o', long = "out", value_name = "DIR")]
    folder: PathBuf,
    /// FMI version; both unless given
    #[arg(long, value_enum, value_name = "VERSION")]
    fmi: Option<FmiVersion>,
    /// Interface type; both unless given
    #[arg(long, value_enum)]
    interface: Option<InterfaceName>,
    /// CSV file with values of inputs, as of simulate; start values unless given
    #[arg(long = "input", value_name = "FILE.csv")]
    inputs: Option<PathBuf>,
    /// Variable of the reference; may be given up to ten times
    #[arg(long = "output", value_name = "NAME")]
    outputs: Vec<String>,
    /// Stop time [s]; that of the scene unless given
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = stop_time)]
    stop: Option<f64>,
    #[command(flatten)]
    binaries: Binaries,
}

/// Arguments of `crosscheck validate`.
#[derive(Debug, Args)]
pub struct ValidateArguments {
    /// FMUs, or folders of them
    #[arg(value_name = "FMU|DIR", required = true)]
    paths: Vec<PathBuf>,
    /// Folder that results/ is made in
    #[arg(short = 'o', long = "out", value_name = "DIR")]
    folder: PathBuf,
    /// Time that an FMU may take [s]
    #[arg(long, value_name = "S", default_value_t = 300)]
    time_limit: u64,
    #[command(flatten)]
    limits: LimitFlags,
}

impl Command {
    /// Does it.
    ///
    /// # Errors
    /// See each command.
    pub fn run(self, format: Format) -> Result<Answer, Failure> {
        match self {
            Command::Export(arguments) => export::run(&arguments.request()),
            Command::Validate(arguments) => Ok(validate::run(&arguments.request(format))?),
            Command::Check { paths, limits } => Ok(check::run(&paths, &limits.limits())?),
            Command::JudgeOne {
                fmu,
                verdict,
                limits,
            } => {
                run::run(&fmu, &verdict, &limits.limits())?;
                Ok(Answer::default())
            }
        }
    }
}

impl ExportArguments {
    fn request(self) -> export::Request {
        let both = [FmiVersion::Two, FmiVersion::Three];
        let standards = self.fmi.map_or(both.to_vec(), |version| vec![version]);
        let interface = self.interface.map(InterfaceName::interface);
        export::Request {
            scene: self.scene,
            folder: self.folder,
            standards: standards.into_iter().map(FmiVersion::standard).collect(),
            interfaces: interface.map_or(Interface::ALL.to_vec(), |one| vec![one]),
            inputs: self.inputs,
            outputs: self.outputs,
            stop: self.stop,
            binaries: self.binaries.choice(),
        }
    }
}

impl ValidateArguments {
    fn request(self, format: Format) -> validate::Request {
        validate::Request {
            paths: self.paths,
            folder: self.folder,
            time_limit: Duration::from_secs(self.time_limit),
            limits: self.limits.limits(),
            progress: match format {
                Format::Text => |judged| report(Format::Text, judged),
                Format::Json => |judged| report(Format::Json, judged),
            },
        }
    }
}

fn report(format: Format, judged: &validate::Judged) {
    tell(&mut io::stderr(), &answer::judged(format, judged));
}
