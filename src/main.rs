//! The `delassus` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    delassus::cli::main()
}
