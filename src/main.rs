//! The `fairdeal` command: parse, run, exit code. Everything else is in [`fairdeal::cli`].

use std::process::ExitCode;

/// A request and its receipt are many small texts, on many threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    fairdeal::cli::end_on_panic();
    fairdeal::cli::run(std::env::args_os())
}
