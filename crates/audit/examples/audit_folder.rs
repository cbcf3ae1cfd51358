//! Audits a whole log: `cargo run --example audit_folder -- FOLDER log.key`
//!
//! Without arguments it audits a log of the project's fixtures.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example")]

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use fairdeal::log::VerifierKey;
use fairdeal_audit::source::{AuditOptions, LogSource};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder =
        arguments.next().map_or_else(|| "fixtures/logs/honest-example".into(), PathBuf::from);
    let key = arguments.next().map_or_else(|| folder.join("key"), PathBuf::from);
    let key: VerifierKey = std::fs::read_to_string(key)?.trim().parse()?;

    // Every tile is compared, every entry judged, every deal with a revealed seed replayed, on all
    // cores.
    let audited = LogSource::folder(&folder)?.audit(&AuditOptions::under(&key), |done, of| {
        eprint!("\r{done} of {of} entries");
    })?;

    let verdict = audited.verdict;
    eprintln!();
    println!("{} deals under {} commitments", verdict.deals, verdict.commitments);
    for finding in &verdict.findings {
        println!("entry {:?}: {}: {}", finding.index, finding.code, finding.says);
    }
    println!("{}", if verdict.holds { "holds" } else { "does not hold" });
    Ok(ExitCode::from(u8::from(!verdict.holds)))
}
