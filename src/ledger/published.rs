//! The published log, as anyone reads it.

use super::core::Core;
use super::error::LedgerError;
use super::publisher::read_checkpoint;
use crate::log::{EntryBundle, Level, TILE_WIDTH, TilePath};
use crate::store::{Fault, StoreError};

/// How many entries the published checkpoint covers.
pub(super) async fn size(core: &Core) -> Result<u64, LedgerError> {
    core.is_open()?;
    read_checkpoint(core).await.map(|(_, checkpoint)| checkpoint.size())
}

/// A file's bytes.
pub(super) async fn file(core: &Core, path: TilePath) -> Result<Option<Vec<u8>>, LedgerError> {
    core.is_open()?;
    Ok(core.tiles.get(&path.to_text()).await?)
}

/// Entries of one bundle.
pub(super) async fn entries(core: &Core, from: u64, most: u32) -> Result<Vec<(u64, Vec<u8>)>, LedgerError> {
    let size = size(core).await?;
    if from >= size {
        return Ok(Vec::new());
    }
    let bundle = from / u64::from(TILE_WIDTH);
    let path = TilePath::at_size(Level::Entries, bundle, size);
    let path = path.map_err(|e| LedgerError::Damaged(e.to_string()))?;
    let damaged = |says: &dyn ToString| {
        LedgerError::from(StoreError::new(Fault::Damaged, path.to_text(), says.to_string()))
    };
    let published = core.published();
    let found = match published.as_ref().and_then(|published| published.file(path)) {
        Some(bytes) => Some((bytes.to_vec(), path.width())),
        None => super::tree::recalled(&*core.tiles, path).await?,
    };
    let (bytes, width) = found.ok_or_else(|| damaged(&"the file is missing"))?;
    let all = EntryBundle::parse(&bytes, width).map_err(|e| damaged(&e))?.into_entries();
    let first = bundle * u64::from(TILE_WIDTH);
    let numbered = (first..).zip(all).take(usize::from(path.width()));
    let wanted = numbered.skip_while(|(index, _)| *index < from);
    Ok(wanted.take(usize::try_from(most).unwrap_or(usize::MAX)).collect())
}
