//! The log that a command reads: a folder, a URL, an exported file, or `-` for stdin; with or
//! without a cache.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anstyle::{AnsiColor, Style};

use super::exit::Failure;
use super::files;
use super::operator::named_ledger;
use super::out::{plain, shown};
use super::waiting::Waiting;
use fairdeal::log::{Checkpoint, VerifierKey};
use fairdeal_audit::source::{
    Cache, CacheState, Export, Files, Http, HttpLimits, LogFolder, Nodes, ReadError, Wanted,
};

/// The style of warnings.
const WARNING: Style = AnsiColor::Yellow.on_default().bold();

/// `LOG`, or an operator's `--ledger` for its public part.
#[derive(Debug, clap::Args)]
pub(super) struct LogArgs {
    #[arg(value_name = "LOG", help = LOG)]
    log: Option<String>,

    /// In place of LOG: a ledger's folder, for its public part
    #[arg(long, value_name = "DIR", conflicts_with = "log")]
    ledger: Option<PathBuf>,
}

const LOG: &str = "\
The log: a ledger's folder or its public part, a URL, an exported file, or \"-\" for stdin [default: the public part of the \
ledger that FAIRDEAL_LEDGER names]";

impl LogArgs {
    /// The log's name.
    /// Exit 2 if none was typed and the variable names no ledger.
    pub(super) fn name(&self) -> Result<String, Failure> {
        if let Some(name) = &self.log {
            return Ok(name.clone());
        }
        let ledger = self.ledger.clone().or_else(named_ledger).ok_or_else(|| {
            Failure::usage(
                "expected LOG, --ledger DIR, or a ledger's folder in FAIRDEAL_LEDGER; found none",
            )
        })?;
        ledger.join("public").into_os_string().into_string().map_err(|path| {
            usage!("--ledger: expected a path in UTF-8, found {}", shown(Path::new(&path)))
        })
    }
}

/// A log named on a command line.
#[derive(Debug)]
pub(super) struct Log {
    /// As it was typed.
    name: String,
    cache: Option<Kept>,
}

/// Its cache.
#[derive(Debug)]
struct Kept {
    dir: PathBuf,
    /// The verifier key: under another key it is another log.
    key: String,
    state: CacheState,
}

impl Log {
    /// A log, and the folder of its cache.
    /// Exit 2 for an empty name, or a cache for a local log.
    pub(super) fn new(
        name: &str,
        cache: Option<&Path>,
        key: Option<&VerifierKey>,
    ) -> Result<Self, Failure> {
        if name.is_empty() {
            return Err(Failure::usage("expected a log, found an empty name"));
        }
        if cache.is_some() && !is_url(name) {
            return Err(usage!("--cache: expected a log behind a URL, found {name}"));
        }
        let cache = cache.map(|dir| Kept {
            dir: dir.to_owned(),
            key: key.map(VerifierKey::to_text).unwrap_or_default(),
            state: CacheState::default(),
        });
        Ok(Self { name: name.to_owned(), cache })
    }

    /// Whether it is read from stdin, once.
    pub(super) fn is_stdin(&self) -> bool {
        self.name == "-"
    }

    /// Its name, as typed.
    pub(super) fn typed(&self) -> &str {
        &self.name
    }

    /// Whether it is behind a URL.
    pub(super) fn is_live(&self) -> bool {
        is_url(&self.name)
    }

    /// Its name, as typed; "stdin" for `-`.
    pub(super) fn name(&self) -> &str {
        if self.name == "-" { "stdin" } else { &self.name }
    }

    /// The log's files.
    /// Exit 2 for an illegal URL, 3 if there is nothing to read.
    pub(super) fn open(&self) -> Result<Box<dyn Files>, Failure> {
        let files = self.files()?;
        let Some(kept) = &self.cache else { return Ok(files) };
        let log = format!("{}\n{}", files.name(), kept.key);
        Ok(Box::new(Cache::new(files, &kept.dir, &log).with_state(&kept.state)))
    }

    /// The log's files, and its checkpoint as it was read. Nothing of it is verified.
    /// As for [`open`](Self::open); exit 3 if the checkpoint cannot be read.
    pub(super) fn with_checkpoint(&self) -> Result<(Nodes, String), Failure> {
        let tree = Nodes::new(self.open()?);
        let checkpoint = tree.checkpoint().map_err(|error| {
            let says = match error {
                ReadError::Missing => "no such file or folder".to_owned(),
                error => error.to_string(),
            };
            unavailable!("{}: expected a log with a checkpoint: {says}", self.name())
        })?;
        Ok((tree, checkpoint))
    }

    fn files(&self) -> Result<Box<dyn Files>, Failure> {
        if is_url(&self.name) {
            // People give the address of the file that they looked at.
            let url = self.name.strip_suffix("/checkpoint").unwrap_or(&self.name);
            let http = Http::new(url, HttpLimits::default());
            return Ok(Box::new(Told(http.map_err(|error| Failure::usage(error.to_string()))?)));
        }
        let no_export = |error| unavailable!("{}: {error}", self.name());
        if self.name == "-" {
            return Ok(Box::new(Export::open(self.name(), io::stdin()).map_err(no_export)?));
        }
        let path = Path::new(&self.name);
        let unreadable =
            |error: io::Error| unavailable!("{}: {}", self.name, files::reason(&error));
        if fs::metadata(path).map_err(unreadable)?.is_dir() {
            refuse_backup(path)?;
            return Ok(Box::new(LogFolder::open(path)));
        }
        let file = File::open(path).map_err(unreadable)?;
        Ok(Box::new(Export::open(self.name(), file).map_err(no_export)?))
    }

    /// If any file came from the cache, turns the cache off and returns true: read the log again.
    /// So no finding rests on a cached file.
    pub(super) fn distrust(&self) -> bool {
        let Some(kept) = self.cache.as_ref().filter(|_| self.served_from_cache() > 0) else {
            return false;
        };
        kept.state.distrust()
    }

    /// How many files came from the cache, and not from the log.
    pub(super) fn served_from_cache(&self) -> u64 {
        self.cache.as_ref().map_or(0, |kept| kept.state.served())
    }

    /// The folder of the cache, if there is one.
    pub(super) fn cache(&self) -> Option<&Path> {
        self.cache.as_ref().map(|kept| kept.dir.as_path())
    }

    /// Compares some cached files with the published ones: of each kind the last, and one chosen by
    /// the root, so that over time each is compared.
    pub(super) fn compare_again(&self, checkpoint: &Checkpoint) {
        if let Some(kept) = &self.cache {
            let pick =
                checkpoint.root().as_bytes().first_chunk().copied().map_or(0, u64::from_be_bytes);
            kept.state.compare_again(checkpoint.size(), pick);
        }
    }

    /// Ends what [`distrust`](Self::distrust) began. If the log's own files fit its tree, they
    /// replace the cached ones that differ; if not, the cache stays. Warns in both cases.
    pub(super) fn settle(&self, fits: bool) {
        let Some(kept) = &self.cache else { return };
        let files = kept.state.settle(fits);
        if let Some(first) = files.first() {
            let more = files.len() - 1;
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            warn(&if fits {
                format!(
                    "{first}{more}: the cached bytes do not fit the log's tree; the published ones do, and are cached now"
                )
            } else {
                format!(
                    "{first}{more}: the published bytes differ from the cached ones; the cache is unchanged"
                )
            });
        }
    }

    /// Prints the cache's warning, if any, to stderr.
    pub(super) fn warn(&self) {
        if let Some(says) = self.cache.as_ref().and_then(|kept| kept.state.warning()) {
            warn(&says);
        }
    }
}

/// A log behind a URL. A wait is reported on stderr.
#[derive(Debug)]
struct Told(Http);

impl Told {
    fn waiting(&self) -> Waiting {
        let most = HttpLimits::FILE.as_secs();
        Waiting::new(format!(
            "{}: a file that does not come is given up after {most} s",
            self.0.name()
        ))
    }
}

impl Files for Told {
    fn name(&self) -> String {
        self.0.name()
    }

    fn read(&self, path: &str, at_most: u64) -> Result<Vec<u8>, ReadError> {
        let _waiting = self.waiting();
        self.0.read(path, at_most)
    }

    fn read_all(&self, wanted: &[Wanted]) -> Vec<Result<Vec<u8>, ReadError>> {
        let _waiting = self.waiting();
        self.0.read_all(wanted)
    }
}

/// Refuses a folder that `fairdeal backup` made: its checkpoint is at the top, as in a log, but its
/// files are not. An audit of it as a log would accuse the operator.
fn refuse_backup(dir: &Path) -> Result<(), Failure> {
    let is_log = dir.join("tile").exists() || dir.join("public").join("checkpoint").exists();
    if is_log || !dir.join("checkpoint").is_file() || !dir.join("private").is_dir() {
        return Ok(());
    }
    Err(unavailable!("{}: this is a backup, not a published log", dir.display())
        .hint(HINT_OF_A_BACKUP))
}

const HINT_OF_A_BACKUP: &str = "\
`fairdeal restore` makes a ledger of it, whose `public` folder can be judged. So can what the log publishes now.";

/// A warning on stderr. If it cannot be written, it is not missed.
pub(super) fn warn(says: &str) {
    let line = format!("{WARNING}warning:{WARNING:#} {}\n", plain(says));
    let _ = anstream::stderr().lock().write_all(line.as_bytes());
}

/// Whether a name is meant as a URL, legal or not.
fn is_url(name: &str) -> bool {
    name.contains("://")
}
