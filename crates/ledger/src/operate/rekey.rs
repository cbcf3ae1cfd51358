//! Encrypts every server seed under another vault key.
//!
//! One transaction changes all seeds and the key's fingerprint. The old key opens the ledger until
//! it is committed, and the new key afterwards. Both are kept until then; the old one is erased
//! last.

use std::sync::Arc;

use crate::core::Core;
use crate::error::LedgerError;
use crate::fault;
use crate::operate::dump::Commitments;
use crate::publish::publisher::lease;
use crate::setup::folder;
use crate::setup::folder::Layout;
use crate::setup::keys::Vault;
use crate::setup::location::Location;
use crate::setup::vault_command::VaultKeyCommand;
use crate::setup::vault_file;
use crate::store::{Growth, StoredLife, Transaction};
use crate::{Ledger, LedgerOptions};

/// The result of a change of vault keys.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rekeyed {
    /// The fingerprint of the new key.
    pub vault: String,
    /// The number of seeds that were encrypted again.
    pub seeds: u64,
    /// Whether an earlier change was interrupted after that, and is finished now.
    pub resumed: bool,
    /// Whether the database's files are free of seeds under the old key.
    pub scrubbed: bool,
}

impl Ledger {
    /// Encrypts every server seed under another vault key: the one that `new` prints, or a new one
    /// in `private/vault.key`. `progress` gets the number of entries done, and of all.
    ///
    /// After a crash the ledger opens, under the old key or the new one, and the same call
    /// continues. Nothing can be dealt meanwhile. A ledger that is open under the old key stops at
    /// its next command.
    ///
    /// # Errors
    /// [`LedgerError`]. After [`LedgerError::Unsettled`] too the same call continues.
    pub async fn rekey(
        at: impl Into<Location>,
        options: LedgerOptions,
        new: Option<&VaultKeyCommand>,
        progress: &mut (dyn FnMut(u64, u64) + Send),
    ) -> Result<Rekeyed, LedgerError> {
        let dir: &Location = &at.into();
        let Change { core, new, is_elsewhere, resumed } = Box::pin(plan(dir, options, new)).await?;
        let private = Layout::of(&dir.dir).private;
        // Two changes at once would mix up their keys.
        let _lease = lease(&core, None).await?;
        let mut transaction = core.state.begin().await?;
        transaction.take_long().await?;
        let mut head = transaction.head().await?;
        core.check_head(&head)?;
        core.check_signed(&head)?;
        // A state that was copied elsewhere keeps the old key.
        Core::check_open(&head)?;
        let mut seeds = 0;
        if resumed {
            transaction.roll_back().await?;
        } else {
            let new = match new {
                Some(new) => new,
                None => vault_file::stage(&private)?,
            };
            fault::point("rekey-staged");
            seeds =
                seal_again(&core, &mut *transaction, &new, head.frontier.size(), progress).await?;
            head.vault = new.fingerprint();
            transaction.write(&Growth::of_head(head.clone())).await?;
            fault::point("rekey-written");
            transaction
                .commit()
                .await
                .map_err(|error| LedgerError::Unsettled(error.to_string()))?;
        }
        fault::point("rekey-committed");
        let scrubbed = core.state.scrub().await?;
        fault::point("rekey-scrubbed");
        vault_file::settle(&private, &head, is_elsewhere)?;
        core.state.close().await?;
        Ok(Rekeyed { vault: head.vault, seeds, resumed, scrubbed })
    }
}

/// The work to do.
struct Change {
    /// The ledger, under the key that its seeds are sealed under now.
    core: Core,
    /// The next key, if it is there already.
    new: Option<Vault>,
    /// Whether the next key is in no file.
    is_elsewhere: bool,
    /// Whether the seeds are under the next key already.
    resumed: bool,
}

async fn plan(
    dir: &Location,
    options: LedgerOptions,
    new: Option<&VaultKeyCommand>,
) -> Result<Change, LedgerError> {
    let Some(command) = new else {
        let options = without_command(dir, options).await?;
        let is_file = options.vault_key.is_none();
        let core = Core::new(folder::open(dir, options).await?)?;
        let head = core.state.read().await?.head().await?;
        let resumed = is_file && vault_file::is_unfinished(&Layout::of(&dir.dir).private, &head);
        return Ok(Change { core, new: None, is_elsewhere: false, resumed });
    };
    // Try the new key first: the old one may be erased already.
    let under_new = LedgerOptions { vault_key: Some(command.clone()), ..options.clone() };
    let core = Core::new(folder::open(dir, under_new).await?)?;
    let head = core.state.read().await?.head().await?;
    if core.keys.vault.fingerprint() == head.vault {
        return Ok(Change { core, new: None, is_elsewhere: true, resumed: true });
    }
    core.state.close().await?;
    let new = Some(core.keys.vault);
    let core = Core::new(folder::open(dir, options).await?)?;
    Ok(Change { core, new, is_elsewhere: true, resumed: false })
}

/// The options without the command of the old key, if the next key's file opens the ledger already.
async fn without_command(
    dir: &Location,
    options: LedgerOptions,
) -> Result<LedgerOptions, LedgerError> {
    let private = Layout::of(&dir.dir).private;
    let Some(command) = options.vault_key.as_ref().filter(|_| vault_file::is_under_way(&private))
    else {
        return Ok(options);
    };
    let vault = command.key()?;
    let by_file = LedgerOptions { vault_key: None, ..options.clone() };
    // If no key file can be read, the command's key may be the right one.
    let Ok(parts) = folder::open(dir, by_file.clone()).await else { return Ok(options) };
    let is_needed = vault_file::is_needed(&private, &*parts.state, &vault).await;
    parts.state.close().await?;
    Ok(if is_needed? { by_file } else { options })
}

/// Encrypts all seeds under the new key. Those of ended commitments too, so that one key opens all.
async fn seal_again(
    core: &Core,
    transaction: &mut dyn Transaction,
    new: &Vault,
    size: u64,
    progress: &mut (dyn FnMut(u64, u64) + Send),
) -> Result<u64, LedgerError> {
    let (mut pages, mut sealed) = (Commitments::default(), 0);
    while let Some(page) = pages.next(&mut *transaction).await? {
        let seal = |stored: StoredLife| -> Result<StoredLife, LedgerError> {
            let seed = core.keys.vault.open(&stored.seed, &stored.life.commit.commitment)?;
            Ok(StoredLife { seed: Arc::from(new.seal(&seed)?), ..stored })
        };
        let page = page.into_iter().map(seal).collect::<Result<Vec<_>, _>>()?;
        transaction.reseal(&page).await?;
        sealed += u64::try_from(page.len()).unwrap_or(u64::MAX);
        progress(pages.done(), size);
    }
    Ok(sealed)
}
