//! The `fairdeal` command: parse, run, exit code. Everything else is in [`crate`].

use std::process::ExitCode;

use mimalloc::MiMalloc;
use zeroizing_alloc::ZeroAlloc;

/// Made for many small texts on many threads, such as a request and its receipt. Freed memory is
/// erased: the libraries that read a request do not know which of its bytes are secret.
#[global_allocator]
static ALLOCATOR: ZeroAlloc<MiMalloc> = ZeroAlloc(MiMalloc);

fn main() -> ExitCode {
    fairdeal_cli::end_in_order();
    fairdeal_cli::run(std::env::args_os())
}
