//! The published log, as anyone reads it.

use crate::core::Core;
use crate::error::LedgerError;
use crate::publish::publisher::read_checkpoint;
use crate::publish::tree::{Recent, Tree};
use fairdeal::log::{Level, TILE_WIDTH, TilePath};

/// How many entries the published checkpoint covers.
pub(crate) async fn size(core: &Core) -> Result<u64, LedgerError> {
    core.is_open()?;
    read_checkpoint(core).await.map(|(_, checkpoint)| checkpoint.size())
}

/// The same, as far as this process has seen it: nothing is read.
pub(crate) fn known_size(core: &Core) -> u64 {
    core.backlog.published_size()
}

/// A file's bytes.
pub(crate) async fn file(core: &Core, path: TilePath) -> Result<Option<Vec<u8>>, LedgerError> {
    core.is_open()?;
    Ok(core.tiles.get(&path.to_text()).await?)
}

/// Entries of one bundle.
pub(crate) async fn entries(
    core: &Core,
    from: u64,
    most: u32,
) -> Result<Vec<(u64, Vec<u8>)>, LedgerError> {
    core.is_open()?;
    let mut size = known_size(core);
    if from >= size {
        size = self::size(core).await?;
    }
    if from >= size {
        return Ok(Vec::new());
    }
    let bundle = from / u64::from(TILE_WIDTH);
    let path = TilePath::at_size(Level::Entries, bundle, size);
    let path = path.map_err(|e| LedgerError::Damaged(e.to_string()))?;
    let mut read = core.state.read().await?;
    let (read, published) = (&mut *read, core.published());
    let (tiles, kept, recent) = (Some(&*core.tiles), core.kept(0), Recent::default());
    // From memory or from the state where they have it: a file may be a request to a store far away.
    let before = usize::try_from(from % u64::from(TILE_WIDTH)).expect("under 256");
    let wanted =
        Tree { read, tiles, size, kept, published, recent }.bundle_after(path, before).await?;
    let numbered = (from..).zip(wanted).take(usize::from(path.width()) - before);
    Ok(numbered.take(usize::try_from(most).unwrap_or(usize::MAX)).collect())
}
