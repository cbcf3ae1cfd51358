//! The service as a process of its own, for the benches that measure it.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Starts the service on a ledger. Returns once it listens, with its address.
pub(crate) fn serve(ledger: &Path) -> Result<(Child, String), Box<dyn std::error::Error>> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_fairdeal"))
        .arg("serve")
        .arg(ledger)
        .args(["--listen", "127.0.0.1:0"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut line = String::new();
    BufReader::new(child.stdout.take().ok_or("a pipe")?).read_line(&mut line)?;
    let address =
        line.trim().strip_prefix("listening on http://").ok_or("it does not listen")?.to_owned();
    Ok((child, address))
}
