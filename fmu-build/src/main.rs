//! Entry of the command line tool.

use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args_os().collect();
    fmu_build::cli::main(&arguments).into()
}
