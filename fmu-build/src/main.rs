//! Entry of the command line tool.

use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args_os().collect();
    let program = env::current_exe().map_or_else(|_| arguments[0].clone(), Into::into);
    fmu_build::cli::main(&arguments, &[program], None).into()
}
