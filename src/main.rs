//! The program `hebra`.

use std::process::ExitCode;

fn main() -> ExitCode {
    hebra::cli::main()
}
