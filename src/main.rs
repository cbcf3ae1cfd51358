//! The `fairdeal` command: parse, run, exit code. Everything else is in [`fairdeal::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    fairdeal::cli::end_on_panic();
    fairdeal::cli::run(std::env::args_os())
}
