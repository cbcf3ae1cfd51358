//! `fairdeal generate`: makes an honest log of any length from a seed, for tests and measurements.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::exit::Failure;
use super::files;
use super::out::{Out, shown};
use crate::log::{EntryBundle, Frontier, HashTile, Level, TileBuilder, TilePath, leaf_hash, sign_checkpoint};
use crate::sample::{Sample, SampleTerms};

/// Make an honest log of any length from a seed, for tests and measurements
///
/// The same arguments give the same bytes. Such a log proves nothing: its secrets and its signing key follow from the seed.
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
    let usage = |error: crate::sample::SampleError| Failure::usage(error.to_string());
    let signer = Sample::signer(&terms, args.seed).map_err(usage)?;
    let entries = Sample::new(&terms, args.seed).map_err(usage)?;
    if fs::read_dir(&args.output).is_ok_and(|mut inside| inside.next().is_some()) {
        return Err(Failure::usage(format!(
            "{}: expected a new or empty folder, found files in it",
            args.output.display()
        )));
    }
    let mut folder = Folder::new(&args.output);
    for entry in entries {
        folder.push(entry.map_err(|error| Failure::unavailable(error.to_string()))?.into_bytes())?;
    }
    let tree = folder.end()?;
    let root = tree.root();
    let note = sign_checkpoint(&signer, tree.size(), root)
        .map_err(|error| Failure::unavailable(error.to_string()))?;
    let key = signer.verifier().to_text();
    files::save(&args.output.join("log.key"), &format!("{key}\n"))?;
    files::save(&args.output.join("checkpoint"), &note.to_text())?;
    let made = Generated { origin: terms.origin, key, size: tree.size(), root: root.to_hex() };
    out.show(&made, |out| {
        out.field("entries", made.size);
        out.field("root", root.to_hex());
        out.field("key", &made.key);
        out.field("next", format_args!("fairdeal audit {0} --key {0}/log.key", shown(&args.output)));
    });
    Ok(())
}

/// A log's files, written while it grows.
struct Folder<'a> {
    path: &'a Path,
    tree: Frontier,
    tiles: TileBuilder,
    /// Entries of the last bundle, which is not full yet.
    open: Vec<Vec<u8>>,
    bundles: u64,
}

impl<'a> Folder<'a> {
    fn new(path: &'a Path) -> Self {
        let (tree, tiles) = (Frontier::new(), TileBuilder::default());
        Self { path, tree, tiles, open: Vec::new(), bundles: 0 }
    }

    fn push(&mut self, entry: Vec<u8>) -> Result<(), Failure> {
        let mut full = Vec::new();
        let tiles = &mut self.tiles;
        let pushed = self.tree.push_with(leaf_hash(&entry), |node, hash| full.extend(tiles.add(node, hash)));
        pushed.map_err(|error| Failure::unavailable(error.to_string()))?;
        self.open.push(entry);
        if self.open.len() == 256 {
            self.bundle()?;
        }
        full.iter().try_for_each(|(path, tile)| self.tile(*path, tile))
    }

    fn end(mut self) -> Result<Frontier, Failure> {
        if !self.open.is_empty() {
            self.bundle()?;
        }
        self.tiles.partial().iter().try_for_each(|(path, tile)| self.tile(*path, tile))?;
        Ok(self.tree)
    }

    fn bundle(&mut self) -> Result<(), Failure> {
        let impossible = |error: String| Failure::unavailable(error);
        let entries = std::mem::take(&mut self.open);
        let width = u16::try_from(entries.len()).expect("at most 256");
        let path =
            TilePath::new(Level::Entries, self.bundles, width).map_err(|e| impossible(e.to_string()))?;
        let bundle = EntryBundle::new(entries).map_err(|e| impossible(e.to_string()))?;
        self.bundles += 1;
        self.write(path, &bundle.to_bytes())
    }

    fn tile(&self, path: TilePath, tile: &HashTile) -> Result<(), Failure> {
        self.write(path, &tile.to_bytes())
    }

    fn write(&self, path: TilePath, bytes: &[u8]) -> Result<(), Failure> {
        let file = self.path.join(path.to_text());
        let folder = file.parent().unwrap_or(self.path);
        let written = fs::create_dir_all(folder).and_then(|()| fs::write(&file, bytes));
        written.map_err(|error| {
            Failure::unavailable(format!("{}: can't be written: {}", file.display(), files::reason(&error)))
        })
    }
}
