//! `fairdeal generate`: makes an honest log of any length from a seed, for tests and measurements.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::exit::Failure;
use super::files;
use super::out::{Out, pasted};
use fairdeal::sample::{Sample, SampleError, SampleTerms};

/// Make an honest log of any length from a seed, for tests
///
/// The same arguments give the same bytes. Such a log proves nothing: its secrets and its signing
/// key follow from the seed.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The folder to write: the log's files, and its verifier key in log.key
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    /// Rounds dealt
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(..=1_000_000_000))]
    deals: u64,

    /// Tables, which take turns
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    tables: u64,

    /// Rounds under each commitment
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    rounds: u64,

    /// Players in each round
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=64))]
    players: u64,

    /// The seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// The log's name
    #[arg(long, value_name = "NAME", default_value = "sample.example/log")]
    origin: String,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal generate --deals 1000000 -o sample
  fairdeal audit sample --key sample/log.key";

#[derive(Serialize)]
struct Generated {
    origin: String,
    key: String,
    size: u64,
    root: String,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let terms = SampleTerms {
        origin: args.origin.clone(),
        deals: args.deals,
        tables: args.tables,
        rounds: args.rounds,
        players: args.players,
        ..SampleTerms::default()
    };
    let usage = |error: fairdeal::sample::SampleError| Failure::usage(error.to_string());
    let signer = Sample::signer(&terms, args.seed).map_err(usage)?;
    let entries = Sample::new(&terms, args.seed).map_err(usage)?;
    if fs::metadata(&args.output).is_ok_and(|found| !found.is_dir()) {
        return Err(unavailable!(
            "{}: expected a new or empty folder, found a file",
            args.output.display()
        ));
    }
    if fs::read_dir(&args.output).is_ok_and(|mut inside| inside.next().is_some()) {
        return Err(usage!(
            "{}: expected a new or empty folder, found files in it",
            args.output.display()
        ));
    }
    // A log without an entry has no folder of tiles, which would make this one.
    fs::create_dir_all(&args.output).map_err(|error| files::unwritable(&args.output, &error))?;
    let key = signer.verifier().to_text();
    let tree = entries.publish(&signer, |path, bytes| {
        if path == "checkpoint" {
            files::save(&args.output.join("log.key"), &format!("{key}\n")).map_err(Unwritten)?;
            return files::save_bytes(&args.output.join(path), bytes).map_err(Unwritten);
        }
        write(&args.output.join(path), bytes).map_err(Unwritten)
    });
    let tree = tree.map_err(|Unwritten(failure)| failure)?;
    let root = tree.root();
    let made = Generated { origin: terms.origin, key, size: tree.size(), root: root.to_hex() };
    out.show(&made, |out| {
        out.field("entries", made.size);
        out.field("root", root.to_hex());
        out.field("key", &made.key);
        field!(
            out,
            "next",
            "fairdeal audit {} --key {}",
            pasted(&args.output),
            pasted(&args.output.join("log.key"))
        );
    });
    Ok(())
}

/// Why the log was not written.
struct Unwritten(Failure);

impl From<SampleError> for Unwritten {
    fn from(error: SampleError) -> Self {
        Self(Failure::unavailable(error.to_string()))
    }
}

fn write(file: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let folder = file.parent().unwrap_or(Path::new("."));
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(file, bytes));
    written.map_err(|error| files::unwritable(file, &error))
}
