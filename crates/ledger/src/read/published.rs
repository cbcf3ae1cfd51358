//! The published log, as anyone reads it.

use crate::error::LedgerError;
use crate::operate::tile_check::is_right;
use crate::publish::publisher::read_checkpoint;
use crate::publish::tree::Tree;
use crate::read::reader::Reader;
use fairdeal::log::{EMPTY_ROOT, Hash, Level, TILE_WIDTH, TilePath, leaf_hash};

impl Reader {
    /// The number of entries that the published checkpoint covers.
    pub async fn published_size(&self) -> Result<u64, LedgerError> {
        self.core.is_open()?;
        read_checkpoint(&self.core).await.map(|(_, checkpoint)| checkpoint.size())
    }

    /// The same, as far as this process knows: nothing is read.
    #[must_use]
    pub fn known_size(&self) -> u64 {
        self.core.backlog.published_size()
    }

    /// A published file's bytes; `None` if there is none of that path.
    pub async fn published_file(&self, path: TilePath) -> Result<Option<Vec<u8>>, LedgerError> {
        self.core.is_open()?;
        Ok(self.core.tiles.get(&path.to_text()).await?)
    }

    /// The bytes of published entries from an index on, up to the end of their bundle, at most
    /// `most`. Empty if the log ends before.
    pub async fn entries(&self, from: u64, most: u32) -> Result<Vec<(u64, Vec<u8>)>, LedgerError> {
        self.core.is_open()?;
        let mut size = self.known_size();
        if from >= size {
            size = self.published_size().await?;
        }
        if from >= size {
            return Ok(Vec::new());
        }
        let bundle = from / u64::from(TILE_WIDTH);
        let path = TilePath::at_size(Level::Entries, bundle, size)?;
        let mut read = self.core.state.read().await?;
        let (tiles, kept) = (Some(&*self.core.tiles), self.core.kept(0));
        // From memory or the state if possible: a file may be a request to a remote store.
        let memory = Some(&self.core.memory);
        let before = usize::try_from(from % u64::from(TILE_WIDTH)).unwrap_or_default();
        let mut tree = Tree { read: &mut *read, tiles, size, kept, memory };
        let file = tree.file(path).await?;
        let entries = file.entries()?;
        if path.width() == TILE_WIDTH {
            // The state has the hash of a full bundle: a damaged file gives an error, and no wrong
            // entries.
            let leaves: Vec<Hash> = entries.iter().map(|entry| leaf_hash(entry)).collect();
            if !is_right(&mut tree, EMPTY_ROOT, path, &leaves).await? {
                self.core.memory.forget();
                let says = format!("{}: its bytes are not those of the log", path.to_text());
                return Err(LedgerError::Damaged(says));
            }
        }
        let numbered = (from..).zip(entries.into_iter().skip(before).map(<[u8]>::to_vec));
        Ok(numbered.take(usize::try_from(most).unwrap_or(usize::MAX)).collect())
    }
}
