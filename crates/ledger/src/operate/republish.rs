//! Publishes a log again whose `public/checkpoint` is gone.
//!
//! The state alone cannot show that it is the newest: a restored backup would sign a fork. So the
//! operator brings the newest checkpoint that anybody has, and the state must continue it.

use crate::core::Core;
use crate::error::LedgerError;
use crate::operate::tile_check;
use crate::publish::publisher::{lease, read_checkpoint};
use crate::setup::folder;
use crate::setup::location::Location;
use crate::setup::place;
use crate::store::{Head, Read};
use crate::{Ledger, LedgerOptions};
use fairdeal::log::{Checkpoint, SignedCheckpoint, tiles, verify_checkpoint};

impl Ledger {
    /// Publishes the log again if `public/checkpoint` is gone, or if the folder is a copy or was
    /// moved ([`LedgerError::Copied`]). The state must continue `against`,
    /// the newest checkpoint that anybody has: a signed note. Returns the number of published
    /// entries.
    ///
    /// # Errors
    /// [`LedgerError::OlderState`], [`LedgerError::OtherTree`]; [`LedgerError::LostTiles`] if a
    /// full tile is gone and the database no longer has its entries.
    pub async fn republish(
        at: impl Into<Location>,
        options: LedgerOptions,
        against: &str,
    ) -> Result<u64, LedgerError> {
        let dir: &Location = &at.into();
        let core = Core::new(folder::open_moved(dir, options).await?)?;
        let _lease = lease(&core, None).await?;
        let mut transaction = core.state.begin().await?;
        transaction.take_long().await?;
        let head = transaction.head().await?;
        core.check_head(&head)?;
        Core::check_open(&head)?;
        let size = head.frontier.size();
        hold(&core, &mut *transaction, &head, against).await?;
        // A checkpoint that is there may be newer than `against`.
        match read_checkpoint(&core).await {
            Ok((public, _)) => hold(&core, &mut *transaction, &head, &public).await?,
            Err(LedgerError::NoCheckpoint) => {}
            // A damaged one says nothing. Another log's checkpoint is not replaced.
            Err(LedgerError::ForeignCheckpoint { .. }) if !is_checkpoint(&core).await? => {}
            Err(error) => return Err(error),
        }
        transaction.roll_back().await?;
        let signed = (size, head.frontier.root());
        let faults =
            tile_check::files(&core, signed, tiles(size), tile_check::Mend::Rewrite).await?;
        if faults.iter().any(|fault| !fault.rebuilt) {
            return Err(LedgerError::LostTiles(faults));
        }
        core.tiles.sync().await?;
        core.tiles.replace("checkpoint", head.note.into_bytes()).await?;
        core.tiles.tidy().await?;
        core.state.close().await?;
        if dir.state.is_none() {
            // From here on this copy is the ledger.
            place::keep(&folder::Layout::of(&dir.dir).private)?;
        }
        Ok(size)
    }
}

async fn is_checkpoint(core: &Core) -> Result<bool, LedgerError> {
    let bytes = core.tiles.get("checkpoint").await?.unwrap_or_default();
    Ok(String::from_utf8(bytes).is_ok_and(|note| SignedCheckpoint::parse(&note).is_ok()))
}

/// Checks that the state continues a checkpoint from outside. Its tree is read from the database,
/// or from tiles that are there or that the operator has put back.
pub(crate) async fn hold(
    core: &Core,
    read: &mut dyn Read,
    head: &Head,
    against: &str,
) -> Result<(), LedgerError> {
    let foreign = |says: String| LedgerError::ForeignNote { key: core.key().to_text(), says };
    let seen: Checkpoint =
        verify_checkpoint(against, core.key()).map_err(|e| foreign(e.to_string()))?;
    let size = head.frontier.size();
    if seen.size() > size {
        return Err(LedgerError::OlderState { state: size, public: seen.size() });
    }
    let state = core.tree(read, head).root_at(seen.size()).await?;
    if state != *seen.root() {
        return Err(LedgerError::OtherTree { size: seen.size(), state, public: *seen.root() });
    }
    Ok(())
}
