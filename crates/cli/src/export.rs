//! `fairdeal export`: writes a whole log to one file (spec/ledger.md, section 10.5).

use std::io::{self, BufWriter, ErrorKind, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::args;
use super::bar::Bar;
use super::exit::Failure;
use super::files::{self, NewFile};
use super::logs::{Log, LogArgs};
use super::out::{FAINT, GOOD, Out, plain, shown};
use fairdeal::log::VerifierKey;
use fairdeal_audit::source::{Export, ExportError, Exported, export};

/// Write a whole log to one file, which `audit` reads
///
/// Checks the entries against the checkpoint's root. A faulty log is not exported.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    log: LogArgs,

    /// The file to write; "-" is stdout
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// The log's verifier key, or a file with it, to check the checkpoint's signature too
    #[arg(long, value_name = "VKEY")]
    key: Option<String>,

    /// For a log behind a URL: keep its full bundles of entries in this folder, and read them from
    /// there next time
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal export fairdeal-ledger -o cards.export --key log.key
  fairdeal export https://cards.example/log -o - | zstd > cards.export.zst
  zstd -dc cards.export.zst | fairdeal audit - --key log.key

The file has no hash tiles: they follow from the entries.";

#[derive(Serialize)]
struct Answer<'a> {
    holds: bool,
    origin: &'a str,
    size: u64,
    root: String,
    bytes: u64,
    signed: bool,
    file: &'a Path,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let key = args.key.as_deref().map(args::verifier_key).transpose()?;
    let log = Log::new(&args.log.name()?, args.cache.as_deref(), key.as_ref())?;
    if args.output == Path::new("-") {
        return to_stdout(&log, key.as_ref(), out);
    }
    files::check_output("-o", &args.output, out)?;
    files::check_replaces("-o", &args.output, "an exported log", Export::begins)?;
    let exported = loop {
        let mut file = NewFile::create(&args.output)?;
        match write(&log, key.as_ref(), &mut file)? {
            Ok(exported) => {
                file.keep()?;
                log.settle(true);
                break exported;
            }
            // Drop the file before the next try creates it again.
            Err(ExportError::Fault(_)) if log.distrust() => drop(file),
            Err(error) => {
                log.settle(false);
                return Err(failure(error, &log, &args.output));
            }
        }
    };
    log.warn();
    let answer = Answer {
        holds: true,
        origin: &exported.origin,
        size: exported.size,
        root: exported.root.to_hex(),
        bytes: exported.bytes,
        signed: key.is_some(),
        file: &args.output,
    };
    out.show(&answer, |out| {
        out.field("origin", plain(answer.origin));
        out.field("size", answer.size);
        out.field("root", &answer.root);
        if answer.signed {
            field!(out, "signed", "{GOOD}by the key given{GOOD:#}");
        } else {
            field!(out, "signed", "{FAINT}not checked, no --key was given{FAINT:#}");
        }
        field!(out, "saved", "{}, {} bytes", shown(&args.output), answer.bytes);
    });
    Ok(())
}

/// Writes the log to stdout, and nothing else. Written output cannot be taken back: the exit code
/// tells.
fn to_stdout(log: &Log, key: Option<&VerifierKey>, out: &mut Out) -> Result<(), Failure> {
    if out.json() {
        return Err(Failure::usage(
            "--json: expected -o FILE: with -o - the log itself is on stdout",
        ));
    }
    let stdout = io::stdout();
    if stdout.is_terminal() {
        return Err(Failure::usage("-o -: expected a pipe or a file, stdout is a terminal"));
    }
    let written = write(log, key, &mut BufWriter::new(stdout.lock()))?;
    log.warn();
    match written {
        // The reader closed the pipe: it has what it wanted.
        Err(ExportError::Write(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Ok(_) => Ok(()),
        // Stdout has the log, so the finding goes to stderr.
        Err(ExportError::Fault(finding)) => Err(Failure::findings(log.name(), &[finding])),
        Err(error) => Err(failure(error, log, Path::new("stdout"))),
    }
}

fn write(
    log: &Log,
    key: Option<&VerifierKey>,
    to: &mut dyn Write,
) -> Result<Result<Exported, ExportError>, Failure> {
    let files = log.open()?;
    let bar = Bar::new("export");
    let written = export(files, key, to, |done, size| bar.at(done, size));
    bar.finish();
    Ok(written)
}

fn failure(error: ExportError, log: &Log, output: &Path) -> Failure {
    match error {
        ExportError::Fault(finding) => Failure::findings(log.name(), &[finding]),
        ExportError::Write(error) => files::unwritable(output, &error),
        ExportError::Unreadable { .. } => Failure::unavailable(error.to_string()),
    }
}
