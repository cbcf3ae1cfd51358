//! `fairdeal play`: a table to play at, with a dealer who cheats when the player asks for it.

use std::net::SocketAddr;

use serde::Serialize;
use tokio::runtime::Builder;

use super::exit::Failure;
use super::out::Out;
use super::serve::{LogFormat, address, log, stopped};
use fairdeal_play::{PlayTable, PlayTableError};

/// Play a hand in your browser: the dealer cheats if you ask for it
///
/// The dealer makes a new log in a temporary folder, and listens on this machine alone. Ctrl+C ends
/// it and deletes the log.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The address to listen on: of this machine alone, with a port; port 0 is any free one
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8080", value_parser = address)]
    listen: SocketAddr,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal play    then open http://127.0.0.1:8080/play.html
  fairdeal play --listen 127.0.0.1:0     on any free port";

/// The first line of `--json`; the table runs on.
#[derive(Serialize)]
struct Started {
    play: String,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    log(LogFormat::Text);
    let runtime = Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| unavailable!("the system: {error}"))?;
    runtime.block_on(async {
        let stopped = stopped()?;
        let table = PlayTable::open(args.listen).await.map_err(failure)?;
        let started = Started { play: table.url() };
        out.show(&started, |out| say!(out, "play at {}", started.play));
        out.flush()?;
        stopped.await;
        table.close().await.map_err(failure)
    })
}

fn failure(error: PlayTableError) -> Failure {
    match error {
        PlayTableError::NotLoopback(_) => Failure::usage(error.to_string()),
        error => Failure::unavailable(error.to_string()),
    }
}
