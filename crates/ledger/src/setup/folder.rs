//! A ledger's folder: its files, their modes, and how a new one is made.
//!
//! ```text
//! LEDGER/public/    checkpoint  tile/…                             for the world
//! LEDGER/private/   signing.key  vault.key  state.sqlite…  place   mode 0700, every file 0600
//! ```
//!
//! Parts in another [`Location`] are not in the folder.

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use zeroize::Zeroizing;

use crate::LedgerOptions;
use crate::clock::SystemClock;
use crate::core::Parts;
use crate::entropy::random;
use crate::error::LedgerError;
use crate::setup::keys::{Keys, Vault};
use crate::setup::location::{Location, Use, create_state, open_state, open_tiles};
use crate::setup::place;
use crate::setup::vault_command::VaultKeyCommand;
use crate::setup::vault_file;
use crate::store::{Fault, Head, State, StoreError, reason, sync_folder};
use fairdeal::log::{EMPTY_ROOT, Frontier, SignerKey, VerifierKey, sign_checkpoint};
use fairdeal::record::entry::Origin;

const STATE: &str = "state.sqlite";

/// The mode of a folder for its owner alone.
pub(crate) const PRIVATE: u32 = 0o700;

/// The mode of a folder that everybody reads and nobody else puts files into.
pub(crate) const PUBLIC: u32 = 0o755;

/// The paths of a ledger.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) public: PathBuf,
    pub(crate) private: PathBuf,
}

impl Layout {
    pub(crate) fn of(dir: &Path) -> Self {
        Self { public: dir.join("public"), private: dir.join("private") }
    }
    pub(crate) fn signing_key(&self) -> PathBuf {
        self.private.join("signing.key")
    }
    pub(crate) fn vault_key(&self) -> PathBuf {
        self.private.join("vault.key")
    }
    pub(crate) fn state(&self) -> PathBuf {
        self.private.join(STATE)
    }
}

pub(crate) fn said(path: &Path, error: &std::io::Error) -> LedgerError {
    let fault = match error.kind() {
        ErrorKind::NotFound => Fault::Missing,
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Fault::NoSpace,
        _ => Fault::Denied,
    };
    StoreError::new(fault, path.display().to_string(), reason(error)).into()
}

/// The start of the name under which a new ledger or a backup is built.
const UNDER_WAY: [&str; 2] = [".init-", ".backup-"];

/// Makes a new ledger. It is built aside, and gets its names last: who comes first wins, and nobody
/// removes what another has made.
pub(crate) async fn init(
    at: &Location,
    origin: &Origin,
    options: &LedgerOptions,
) -> Result<VerifierKey, LedgerError> {
    let dir = at.dir.as_path();
    if let Some((scheme, name)) = origin.as_str().split_once("://") {
        let says = format!(
            "origin: expected a name such as {name:?}, without {:?}",
            format!("{scheme}://")
        );
        return Err(LedgerError::Invalid(says));
    }
    let vault = options.vault_key.as_ref().map_or_else(Vault::generate, VaultKeyCommand::key)?;
    let keys = Keys::with_vault(origin.as_str(), vault)?;
    let first = first_head(&keys)?;
    if dir.symlink_metadata().is_ok() && !dir.is_dir() {
        let says = "expected a folder for the new ledger, found something else".to_owned();
        return Err(LedgerError::NotALedger { path: dir.to_owned(), says });
    }
    outside_of_others(dir)?;
    empty_folder(dir, PUBLIC)?;
    let make = async |aside: PathBuf| fill(&Layout::of(&aside), at, &keys, &first, options).await;
    let parts = if at.tiles.is_none() { &LEDGER_PARTS[..] } else { &LEDGER_PARTS[1..] };
    built_aside(dir, parts, make).await?;
    Ok(keys.verifier().clone())
}

/// The parts of a new ledger. The private one comes last: without it there is no ledger.
pub(crate) const LEDGER_PARTS: [&str; 2] = ["public", "private"];

/// The parts of a backup. Without the last one it is not whole.
pub(crate) const BACKUP_PARTS: [&str; 3] = ["public", "private", "checkpoint"];

/// Fills a new folder inside another one, then gives its parts their names there, in this order. It
/// removes only what it has made itself.
pub(crate) async fn built_aside<T>(
    dir: &Path,
    parts: &[&str],
    make: impl AsyncFnOnce(PathBuf) -> Result<T, LedgerError>,
) -> Result<T, LedgerError> {
    let [of_ledger, of_backup] = UNDER_WAY;
    let start = if parts == BACKUP_PARTS { of_backup } else { of_ledger };
    let aside = dir.join(format!("{start}{}", hex::encode(*random::<8>()?)));
    folder(PUBLIC).create(&aside).map_err(|e| said(&aside, &e))?;
    let built = match make(aside.clone()).await {
        Ok(built) => name(&aside, dir, parts).map(|()| built),
        Err(error) => Err(error),
    };
    let removed = fs::remove_dir_all(&aside).map_err(|e| said(&aside, &e));
    let built = built?;
    removed?;
    sync_folder(dir)?;
    if let Some(above) = fs::canonicalize(dir).ok().as_deref().and_then(Path::parent) {
        sync_folder(above)?;
    }
    Ok(built)
}

fn name(aside: &Path, dir: &Path, parts: &[&str]) -> Result<(), LedgerError> {
    for part in parts {
        let to = dir.join(part);
        fs::rename(aside.join(part), &to).map_err(|error| match error.kind() {
            ErrorKind::DirectoryNotEmpty | ErrorKind::AlreadyExists => {
                LedgerError::NotEmpty { path: dir.to_owned(), holds: (*part).to_owned() }
            }
            _ => said(&to, &error),
        })?;
    }
    Ok(())
}

/// The name of something that an init, a restore or a backup builds in this folder, or left there
/// when it was interrupted. `None` once the private part has its name: then the folder may hold
/// secrets that no other place has.
fn under_way(dir: &Path) -> Option<String> {
    if Layout::of(dir).private.symlink_metadata().is_ok() {
        return None;
    }
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .find(|name| is_under_way(name))
}

/// Whether this is the name of such a thing.
pub(crate) fn is_under_way(name: &str) -> bool {
    UNDER_WAY.iter().any(|start| name.starts_with(start))
}

/// A folder, without the links that lead to it; also one that is not there yet.
fn without_links(dir: &Path) -> Result<PathBuf, LedgerError> {
    let whole = std::path::absolute(dir).map_err(|e| said(dir, &e))?;
    let there = whole.ancestors().find_map(|above| Some((above, fs::canonicalize(above).ok()?)));
    Ok(match there {
        Some((above, found)) => {
            whole.strip_prefix(above).map_or(found.clone(), |rest| found.join(rest))
        }
        None => whole,
    })
}

/// Refuses a folder inside a ledger or a published log. Inside a ledger, it would be published or
/// deleted with it, or keep it from opening. Inside a published log, it would be published.
pub(crate) fn outside_of_others(dir: &Path) -> Result<(), LedgerError> {
    let whole = without_links(dir)?;
    let ledger = whole.ancestors().skip(1).find(|above| Layout::of(above).signing_key().exists());
    let is_log = |above: &&Path| above.join("checkpoint").is_file() && above.join("tile").is_dir();
    let log = || whole.ancestors().find(is_log).map(|log| ("published log", log));
    match ledger.map(|ledger| ("ledger", ledger)).or_else(log) {
        None => Ok(()),
        Some((what, other)) => Err(LedgerError::Invalid(format!(
            "{}: expected a folder of its own, this one is inside the {what} {}",
            dir.display(),
            other.display()
        ))),
    }
}

async fn fill(
    layout: &Layout,
    at: &Location,
    keys: &Keys,
    first: &Head,
    options: &LedgerOptions,
) -> Result<(), LedgerError> {
    folder(PRIVATE).create(&layout.private).map_err(|e| said(&layout.private, &e))?;
    if at.tiles.is_none() {
        folder(PUBLIC).create(&layout.public).map_err(|e| said(&layout.public, &e))?;
    }
    let tiles = open_tiles(at.tiles.as_deref(), &layout.public)?;
    // Looked at before anything is made elsewhere, which could not be undone here.
    let taken = || LedgerError::Taken {
        what: at.tiles.clone().unwrap_or_default(),
        says: "a log is published there already; a new one needs a place of its own".to_owned(),
    };
    if tiles.get("checkpoint").await?.is_some() {
        return Err(taken());
    }
    private_file(&layout.signing_key(), &keys.signer.to_secret_text())?;
    if options.vault_key.is_none() {
        private_file(&layout.vault_key(), &keys.vault.to_secret_text())?;
    }
    sync_folder(&layout.private)?;
    let state = create_state(at.state.as_ref(), &layout.state(), options, first).await?;
    state.close().await?;
    let checkpoint = ("checkpoint".to_owned(), first.note.clone().into());
    if tiles.create(vec![checkpoint]).await?.is_some() {
        return Err(taken());
    }
    tiles.tidy().await?;
    tiles.sync().await?;
    Ok(sync_folder(&layout.private)?)
}

fn first_head(keys: &Keys) -> Result<Head, LedgerError> {
    let damaged = |e: &dyn std::fmt::Display| LedgerError::Damaged(e.to_string());
    let note = sign_checkpoint(&keys.signer, 0, EMPTY_ROOT).map_err(|e| damaged(&e))?;
    Ok(Head {
        key: keys.verifier().to_text(),
        vault: keys.vault.fingerprint(),
        frontier: Frontier::new(),
        note: note.to_text(),
        time: None,
        key_time: 0,
        kept: 0,
        clock: None,
        closed: None,
    })
}

/// Opens a ledger's parts, after checking the modes of its files.
pub(crate) async fn open(at: &Location, options: LedgerOptions) -> Result<Parts, LedgerError> {
    parts(at, options, Use::Write).await
}

/// Opens a folder that was copied or moved, to write. The caller compares its state with a
/// checkpoint from outside.
pub(crate) async fn open_moved(
    at: &Location,
    options: LedgerOptions,
) -> Result<Parts, LedgerError> {
    parts(at, options, Use::WriteMoved).await
}

/// The same, where nothing need be written.
pub(crate) async fn open_to_read(
    at: &Location,
    options: LedgerOptions,
) -> Result<Parts, LedgerError> {
    parts(at, options, Use::Read).await
}

async fn parts(at: &Location, options: LedgerOptions, as_what: Use) -> Result<Parts, LedgerError> {
    let layout = Layout::of(&at.dir);
    check_modes(at, &layout, &options)?;
    // A database has no copies of its own accord, and each node has a copy of the folder.
    if as_what == Use::Write && at.state.is_none() {
        place::check(&layout.private)?;
    }
    let state = open_state(at.state.as_ref(), &layout.state(), &options, as_what).await?;
    let keys = keys_of(&layout, &*state, &options).await?;
    let tiles = open_tiles(at.tiles.as_deref(), &layout.public)?;
    Ok(Parts { state, tiles, keys, clock: Arc::new(SystemClock::start()), options })
}

async fn keys_of(
    layout: &Layout,
    state: &dyn State,
    options: &LedgerOptions,
) -> Result<Keys, LedgerError> {
    let path = layout.signing_key();
    let signer = SignerKey::parse(read_secret(&path)?.trim_end())
        .map_err(|error| LedgerError::NotALedger { path, says: error.to_string() })?;
    let vault = match &options.vault_key {
        Some(command) => {
            let vault = command.key()?;
            if vault_file::is_needed(&layout.private, state, &vault).await? {
                let says = "the seeds are sealed under the key in this file, which is the only copy, and not under that of \
                            --vault-key-command: a rekey was interrupted. Run the same `fairdeal rekey` again, which ends \
                            it; from then on leave --vault-key-command out";
                let path = vault_file::new_key(&layout.private);
                return Err(LedgerError::NotALedger { path, says: says.to_owned() });
            }
            vault
        }
        None => vault_file::read(&layout.private, state).await?,
    };
    Ok(Keys { signer, vault })
}

pub(crate) fn read_secret(path: &Path) -> Result<Zeroizing<String>, LedgerError> {
    fs::read_to_string(path).map(Zeroizing::new).map_err(|e| said(path, &e))
}

/// The private folder must have mode 0700, every file in it 0600. Links are refused: they could
/// lead anywhere.
fn check_modes(at: &Location, layout: &Layout, options: &LedgerOptions) -> Result<(), LedgerError> {
    let dir = at.dir.as_path();
    let missing = |missing: PathBuf| {
        let path = dir.to_owned();
        if under_way(dir).is_some() {
            let says = "its init or restore was interrupted, or a backup into it, and nothing was \
                        dealt from it: remove the folder, and make it again";
            return LedgerError::NotALedger { path, says: says.to_owned() };
        }
        let is_key = missing == layout.vault_key();
        let elsewhere = if is_key { "; if the key is elsewhere: --vault-key-command" } else { "" };
        LedgerError::NoLedger { path, missing, elsewhere }
    };
    let public = at.tiles.is_none().then(|| layout.public.clone());
    let state = at.state.is_none().then(|| layout.state());
    let vault_key = (options.vault_key.is_none() && !vault_file::is_under_way(&layout.private))
        .then(|| layout.vault_key());
    for path in public.into_iter().chain([layout.signing_key()]).chain(vault_key).chain(state) {
        match fs::symlink_metadata(&path) {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => return Err(missing(path)),
            Err(error) => return Err(said(&path, &error)),
        }
    }
    check_mode(&layout.private, "a folder", PRIVATE)?;
    for entry in fs::read_dir(&layout.private).map_err(|e| said(&layout.private, &e))? {
        let path = entry.map_err(|e| said(&layout.private, &e))?.path();
        match check_mode(&path, "a file", 0o600) {
            // SQLite removes its own files when the last process closes.
            Err(LedgerError::Store(StoreError { fault: Fault::Missing, .. })) => {}
            checked => checked?,
        }
    }
    Ok(())
}

#[cfg(unix)]
fn check_mode(path: &Path, what: &'static str, expected: u32) -> Result<(), LedgerError> {
    use std::os::unix::fs::PermissionsExt as _;
    let found = fs::symlink_metadata(path).map_err(|e| said(path, &e))?;
    let mode = found.permissions().mode() & 0o7777;
    let right_kind = if expected == PRIVATE { found.is_dir() } else { found.is_file() };
    if right_kind && mode == expected {
        return Ok(());
    }
    let kind = match found.file_type() {
        kind if kind.is_symlink() => "a symbolic link",
        kind if kind.is_dir() => "a folder",
        kind if kind.is_file() => "a file",
        _ => "something else",
    };
    let found = format!("{kind} with mode {mode:o}");
    Err(LedgerError::Exposed { path: path.to_owned(), what, expected, found })
}

#[cfg(not(unix))]
fn check_mode(_path: &Path, _what: &'static str, _expected: u32) -> Result<(), LedgerError> {
    Ok(())
}

/// Makes folders that have no more than this mode from the start, whatever the umask.
pub(crate) fn folder(mode: u32) -> fs::DirBuilder {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, mode);
    builder
}

/// Makes a folder with no more than this mode, if there is none. It must be empty.
pub(crate) fn empty_folder(dir: &Path, mode: u32) -> Result<(), LedgerError> {
    if fs::metadata(dir).is_ok_and(|found| !found.is_dir()) {
        let says = "expected a new or empty folder, found a file";
        return Err(StoreError::new(Fault::Denied, dir.display().to_string(), says).into());
    }
    folder(mode).recursive(true).create(dir).map_err(|e| said(dir, &e))?;
    match fs::read_dir(dir).map_err(|e| said(dir, &e))?.next() {
        None => Ok(()),
        Some(holds) => {
            let first =
                holds.map_err(|e| said(dir, &e))?.file_name().to_string_lossy().into_owned();
            let holds = under_way(dir).unwrap_or(first);
            Err(LedgerError::NotEmpty { path: dir.to_owned(), holds })
        }
    }
}

/// Makes a folder for its owner alone, if there is none.
pub(crate) fn private_folder(path: &Path) -> Result<(), LedgerError> {
    folder(PRIVATE).recursive(true).create(path).map_err(|e| said(path, &e))
}

/// Options for a new file that its owner alone can read, from the start.
pub(crate) fn new_private() -> fs::OpenOptions {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Writes and syncs a file with mode 0600.
pub(crate) fn private_file(path: &Path, text: &str) -> Result<(), LedgerError> {
    let mut file = new_private().open(path).map_err(|e| said(path, &e))?;
    let line = Zeroizing::new(format!("{text}\n"));
    file.write_all(line.as_bytes()).and_then(|()| file.sync_all()).map_err(|e| said(path, &e))
}
