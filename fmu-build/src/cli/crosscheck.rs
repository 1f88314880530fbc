//! `crosscheck` and its command.

use super::{Binaries, FmiVersion, InterfaceName, scene_path, stop_time};
use crate::command::answer::{Answer, Failure};
use crate::command::crosscheck::{Request, export};
use crate::command::simulate::Interface;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Examples of the help.
pub const EXAMPLES: &str = "\
Example:
  fmu-build crosscheck export examples/bouncing_ball/scene.toml -o exchange

The Python package judges FMUs in such folders, of any tool, with FMPy:
  python -m contact_fmu crosscheck check exchange/fmus";

pub(super) const EXPORT_EXAMPLES: &str = "\
Examples:
  fmu-build crosscheck export examples/bouncing_ball/scene.toml -o exchange
  fmu-build crosscheck export gripper.toml -o exchange --input forces.csv --fmi 2 --interface me
  fmu-build crosscheck export scene.toml -o exchange --output ball.position[3] --stop 2

Written are NAME.fmu, NAME_ref.csv, NAME_ref.opt, NAME_in.csv where there are inputs, NAME_cc.csv \
and README.md, in exchange/fmus/{2.0|3.0}/{me|cs}/PLATFORM/fmu-build/VERSION/NAME. The FMU has \
its reference inside, too. Without --output the reference has up to ten outputs that move: lengths \
and angles first, then forces that the rows resolve, then speeds.";

/// Commands of `crosscheck`.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Write the FMUs of a scene with reference results, by the rules of the FMI cross-check
    #[command(after_help = EXPORT_EXAMPLES)]
    Export(ExportArguments),
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

impl Command {
    /// Does it.
    ///
    /// # Errors
    /// See [`export`].
    pub fn run(self) -> Result<Answer, Failure> {
        let Command::Export(arguments) = self;
        export(&arguments.request())
    }
}

impl ExportArguments {
    fn request(self) -> Request {
        let both = [FmiVersion::Two, FmiVersion::Three];
        let standards = self.fmi.map_or(both.to_vec(), |version| vec![version]);
        let interface = self.interface.map(InterfaceName::interface);
        Request {
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
