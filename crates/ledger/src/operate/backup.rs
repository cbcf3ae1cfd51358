//! Saves a ledger in a folder, also while a service runs, and makes a ledger from it again.
//!
//! ```text
//! BACKUP/private/state.sqlite            of one moment
//! BACKUP/private/signing.key  vault.key  only if asked for: with the state they open every seed
//! BACKUP/public/tile/entries/…           entries that the state does not have; the rest follows
//! BACKUP/checkpoint                      of that moment; written last: without it, not complete
//! ```
//!
//! A backup is no ledger: a ledger without `public/checkpoint` never signs. Only
//! [`Ledger::restore`] writes it, after a comparison with a checkpoint from outside.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::clock::SystemClock;
use crate::core::{Core, Parts};
use crate::error::LedgerError;
use crate::fault;
use crate::operate::dump::{Commitments, load_file};
use crate::operate::fsck::Fsck;
use crate::setup::folder::{
    BACKUP_PARTS, LEDGER_PARTS, Layout, PRIVATE, PUBLIC, built_aside, empty_folder, folder,
    new_private, outside_of_others, private_file, read_secret, said,
};
use crate::setup::location::Location;
use crate::store::{
    Fault, Head, Read, Sqlite, State as _, StoreError, TileFolder, Tiles, sync_folder,
};
use crate::{Ledger, LedgerOptions};
use fairdeal::log::{
    Frontier, Level, SignerKey, TILE_WIDTH, TilePath, leaf_hash, verify_checkpoint,
};

/// Files that are written at once.
const AT_ONCE: u64 = 64;

/// The parts of a backup besides the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackupParts {
    /// The keys that are in files.
    pub keys: bool,
    /// The published entries that the state does not have.
    pub entries: bool,
}

/// The content of a backup.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Backup {
    /// The number of entries in its state.
    pub entries: u64,
    /// The number of commitments, each with a seed that opens.
    pub commitments: u64,
    /// The number of files with entries.
    pub files: u64,
    /// The names of the keys that were copied.
    pub keys: Vec<&'static str>,
    /// The fingerprint of the vault key that opens its seeds.
    pub vault: String,
}

/// The arguments of [`Ledger::restore`](crate::Ledger::restore).
#[derive(Clone, Debug)]
pub struct Restore {
    /// The backup.
    pub backup: PathBuf,
    /// A folder with `signing.key` and `vault.key`, if they are not in the backup.
    pub keys: Option<PathBuf>,
    /// A folder with `tile/entries/…`, if they are not in the backup: a mirror of the log.
    pub public: Option<PathBuf>,
}

impl Ledger {
    /// Saves a ledger in a new or empty folder, also while another process deals from it, and
    /// verifies the copy. `progress` gets the number of entries verified, and of all.
    ///
    /// # Errors
    /// [`LedgerError::NotEmpty`]; if the copy is not what the log has signed, as for
    /// [`open`](Self::open).
    pub async fn backup(
        at: impl Into<Location>,
        options: LedgerOptions,
        to: &Path,
        parts: BackupParts,
        progress: &mut (dyn FnMut(u64, u64) + Send),
    ) -> Result<Backup, LedgerError> {
        let dir: &Location = &at.into();
        if dir.state.is_some() {
            let says =
                "a state in a database is saved by that database, with pg_dump say: docs/operators.md"
                    .to_owned();
            return Err(LedgerError::Invalid(says));
        }
        let core = Core::new(crate::setup::folder::open_to_read(dir, options).await?)?;
        let (read, head) = core.read().await?;
        // The log continues in another state.
        Core::check_open(&head)?;
        drop(read);
        outside_of_others(to)?;
        empty_folder(to, PRIVATE)?;
        built_aside(to, &BACKUP_PARTS, async |aside: PathBuf| {
            save(core, &aside, parts, progress).await
        })
        .await
    }
}

/// Fills a folder with a backup, its checkpoint last.
async fn save(
    core: Core,
    to: &Path,
    parts: BackupParts,
    progress: &mut (dyn FnMut(u64, u64) + Send),
) -> Result<Backup, LedgerError> {
    let layout = Layout::of(to);
    for new in [&layout.private, &layout.public] {
        folder(PRIVATE).create(new).map_err(|e| said(new, &e))?;
    }
    // The state was opened to read, so this is of one moment.
    let mut reading = core.state.begin().await?;
    let head = reading.head().await?;
    let state = load_file(&mut *reading, &layout.state(), core.options.wait).await?;
    reading.roll_back().await?;
    let keys = if parts.keys { write_keys(&core, &layout)? } else { Vec::new() };
    let tiles = TileFolder::open(&layout.public)?;
    let files = if parts.entries { head.kept.div_ceil(u64::from(TILE_WIDTH)) } else { 0 };
    copy_entries(&*core.tiles, &tiles, files).await?;
    core.state.close().await?;
    fault::point("backup-copied");
    let Core { keys: own, options, .. } = core;
    let copied = Core::new(Parts {
        state: Arc::new(state),
        tiles: Arc::new(tiles),
        keys: own,
        clock: Arc::new(SystemClock::start()),
        options,
    })?;
    let commitments = verify(&copied, parts.entries, progress).await?;
    copied.state.close().await?;
    // A line's end is added.
    private_file(&to.join("checkpoint"), head.note.strip_suffix('\n').unwrap_or(&head.note))?;
    for made in [&layout.private, &layout.public, &to.to_owned()] {
        sync_folder(made)?;
    }
    Ok(Backup { entries: head.frontier.size(), commitments, files, keys, vault: head.vault })
}

impl Ledger {
    /// Makes a ledger from a backup in a new or empty folder, and publishes it there as
    /// [`republish`](Self::republish) does, with the same `against`. Returns the number of
    /// published entries.
    ///
    /// # Errors
    /// [`LedgerError::OlderState`] if `against` has more entries than the backup: it would sign a
    /// fork. Then nothing is made.
    pub async fn restore(
        from: &Restore,
        dir: &Path,
        options: LedgerOptions,
        against: &str,
    ) -> Result<u64, LedgerError> {
        restored(from, dir, options, Some(against), &LEDGER_PARTS, async |_, size| Ok(size)).await
    }

    /// Restores a backup in a new or empty folder as an exercise: publishes it against its own
    /// checkpoint, compares all of it as [`fsck`](Self::fsck) does, and removes it again, so that it
    /// never signs. `progress` is that of the comparison.
    ///
    /// # Errors
    /// As for [`restore`](Self::restore) and [`fsck`](Self::fsck).
    pub async fn drill(
        from: &Restore,
        dir: &Path,
        options: LedgerOptions,
        progress: &mut (dyn FnMut(u64, u64) + Send),
    ) -> Result<Fsck, LedgerError> {
        let is_new = dir.symlink_metadata().is_err();
        let compared = restored(from, dir, options.clone(), None, &[], async |at, _| {
            Self::fsck(at, options, false, progress).await
        })
        .await;
        if is_new && dir.exists() {
            fs::remove_dir(dir).map_err(|e| said(dir, &e))?;
        }
        compared
    }
}

/// Makes a ledger of a backup aside, publishes it against a checkpoint (the backup's own if none is
/// given), and gives these parts of it their names. `then` gets the ledger before that, and the
/// number of published entries.
async fn restored<T>(
    from: &Restore,
    dir: &Path,
    options: LedgerOptions,
    against: Option<&str>,
    parts: &[&str],
    then: impl AsyncFnOnce(Location, u64) -> Result<T, LedgerError>,
) -> Result<T, LedgerError> {
    let saved = Layout::of(&from.backup);
    if !fs::metadata(&from.backup).map_err(|e| said(&from.backup, &e))?.is_dir() {
        let says = "expected a folder that `fairdeal backup` made, found a file".to_owned();
        return Err(LedgerError::NotALedger { path: from.backup.clone(), says });
    }
    let own = from.backup.join("checkpoint");
    if own.symlink_metadata().is_err() {
        let says = if saved.public.join("checkpoint").exists() {
            "expected a backup, found a ledger: `fairdeal backup` makes a backup of it"
        } else {
            "this is no backup, or one that was not finished: its checkpoint is missing"
        }
        .to_owned();
        return Err(LedgerError::NotALedger { path: from.backup.clone(), says });
    }
    let keys = Layout {
        private: from.keys.clone().unwrap_or_else(|| saved.private.clone()),
        ..Layout::of(dir)
    };
    let path = keys.signing_key();
    let secret = read_secret(&path).map_err(|error| match error {
        LedgerError::Store(StoreError { fault: Fault::Missing, .. }) => {
            LedgerError::NoSigningKey { path: path.clone() }
        }
        other => other,
    })?;
    let signer = SignerKey::parse(secret.trim_end())
        .map_err(|error| LedgerError::NotALedger { path, says: error.to_string() })?;
    let state = Sqlite::open_to_read(&saved.state(), options.wait).await?;
    let mut reading = state.begin().await?;
    let head = reading.head().await?;
    // Checked before anything is made. Republishing checks with all entries that it is the same
    // tree.
    let against = match against {
        Some(note) => Cow::from(note),
        None => fs::read_to_string(&own).map_err(|e| said(&own, &e))?.into(),
    };
    let foreign =
        |says: String| LedgerError::ForeignNote { key: signer.verifier().to_text(), says };
    let seen =
        verify_checkpoint(&against, signer.verifier()).map_err(|e| foreign(e.to_string()))?;
    let size = head.frontier.size();
    if seen.size() > size {
        return Err(LedgerError::OlderState { state: size, public: seen.size() });
    }
    outside_of_others(dir)?;
    empty_folder(dir, PUBLIC)?;
    let public = from.public.clone().unwrap_or(saved.public.clone());
    // Nobody removes what another process has made.
    built_aside(dir, parts, async |aside: PathBuf| {
        let to = Layout::of(&aside);
        folder(PRIVATE).create(&to.private).map_err(|e| said(&to.private, &e))?;
        folder(PUBLIC).create(&to.public).map_err(|e| said(&to.public, &e))?;
        load_file(&mut *reading, &to.state(), options.wait).await?.close().await?;
        reading.roll_back().await?;
        state.close().await?;
        copy_keys(&keys, &to)?;
        let tiles = TileFolder::open(&to.public)?;
        copy_entries(
            &TileFolder::open(&public)?,
            &tiles,
            head.kept.div_ceil(u64::from(TILE_WIDTH)),
        )
        .await?;
        sync_folder(&to.private)?;
        let at = Location::folder(&aside);
        let size = Ledger::republish(&at, options, &against).await?;
        then(at, size).await
    })
    .await
}

fn copy_private(from: &Path, to: &Path) -> Result<(), LedgerError> {
    let mut source = File::open(from).map_err(|e| said(from, &e))?;
    let mut target = new_private().open(to).map_err(|e| said(to, &e))?;
    io::copy(&mut source, &mut target).and_then(|_| target.sync_all()).map_err(|e| said(to, &e))
}

/// Writes the keys in use: while the vault key changes, its file may have another one. A key from a
/// command is not written.
fn write_keys(core: &Core, to: &Layout) -> Result<Vec<&'static str>, LedgerError> {
    private_file(&to.signing_key(), &core.keys.signer.to_secret_text())?;
    if core.options.vault_key.is_some() {
        return Ok(vec!["signing.key"]);
    }
    private_file(&to.vault_key(), &core.keys.vault.to_secret_text())?;
    Ok(vec!["signing.key", "vault.key"])
}

/// Copies the keys. The vault key may come from a command.
fn copy_keys(from: &Layout, to: &Layout) -> Result<(), LedgerError> {
    copy_private(&from.signing_key(), &to.signing_key())?;
    match from.vault_key().symlink_metadata() {
        Ok(_) => copy_private(&from.vault_key(), &to.vault_key()),
        Err(_) => Ok(()),
    }
}

/// Copies the first full bundles of entries.
async fn copy_entries(from: &dyn Tiles, to: &dyn Tiles, count: u64) -> Result<(), LedgerError> {
    let mut files = Vec::new();
    for index in 0..count {
        let path = TilePath::new(Level::Entries, index, TILE_WIDTH)?.to_text();
        let missing = || StoreError::new(Fault::Missing, path.clone(), "the file is missing");
        let bytes = from.get(&path).await?.ok_or_else(missing)?;
        files.push((path, bytes.into()));
        if index + 1 == count || (index + 1).is_multiple_of(AT_ONCE) {
            to.create(std::mem::take(&mut files)).await?;
        }
    }
    Ok(to.sync().await?)
}

/// Verifies a copy with the log's signature and the ledger's keys. Returns the number of seeds.
async fn verify(
    core: &Core,
    has_entries: bool,
    progress: &mut (dyn FnMut(u64, u64) + Send),
) -> Result<u64, LedgerError> {
    let mut read = core.state.read().await?;
    let head = read.head().await?;
    core.check_keys(&head)?;
    core.check_signed(&head)?;
    if has_entries {
        verify_entries(core, &mut *read, &head, progress).await?;
    }
    let (mut pages, mut opened) = (Commitments::default(), 0);
    while let Some(page) = pages.next(&mut *read).await? {
        for stored in &page {
            core.keys.vault.open(&stored.seed, &stored.life.commit.commitment)?;
            opened += 1;
        }
    }
    Ok(opened)
}

/// All entries must lead to the root that the log has signed.
async fn verify_entries(
    core: &Core,
    read: &mut dyn Read,
    head: &Head,
    progress: &mut (dyn FnMut(u64, u64) + Send),
) -> Result<(), LedgerError> {
    let size = head.frontier.size();
    let mut tree = core.tree(read, head);
    let mut frontier = Frontier::new();
    for bundle in 0..size.div_ceil(u64::from(TILE_WIDTH)) {
        let path = TilePath::at_size(Level::Entries, bundle, size)?;
        for bytes in tree.bundle(path).await? {
            frontier.push(leaf_hash(&bytes))?;
        }
        progress(frontier.size(), size);
    }
    let (found, signed) = (frontier.root(), head.frontier.root());
    if found == signed {
        return Ok(());
    }
    Err(LedgerError::OtherTree { size, state: found, public: signed })
}
