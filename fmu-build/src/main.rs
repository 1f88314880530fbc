//! Entry of the command line tool.

use std::process::ExitCode;

fn main() -> ExitCode {
    fmu_build::cli::main()
}
