//! Reads the tree: from the database, or from published tiles where the database has dropped its
//! part.

use std::ops::Range;

use crate::error::LedgerError;
use crate::publish::memory::{File, Memory};
use crate::store::{Fault, Read, Segment, StoreError, Tiles};
use fairdeal::log::{
    EntryBundle, Frontier, Hash, HashTile, Level, Node, ProofPlan, TILE_WIDTH, TilePath, leaf_hash,
};

/// log2 of a tile's width.
const HEIGHT: u32 = 8;

/// A log's tree at one size.
pub(crate) struct Tree<'a> {
    pub(crate) read: &'a mut dyn Read,
    /// The published files, where there are any.
    pub(crate) tiles: Option<&'a dyn Tiles>,
    /// The tree's size. No node beyond it is read.
    pub(crate) size: u64,
    /// Entries before this index are in published tiles only.
    pub(crate) kept: u64,
    /// Remembered files. A check has none: it must read what is there.
    pub(crate) memory: Option<&'a Memory>,
}

/// The range of entries in a bundle, or of nodes in a tile.
pub(crate) fn places(path: TilePath) -> Range<u64> {
    let start = path.index() * u64::from(TILE_WIDTH);
    start..start + u64::from(path.width())
}

pub(crate) fn damaged(path: TilePath, says: &impl ToString) -> LedgerError {
    StoreError::new(Fault::Damaged, path.to_text(), says.to_string()).into()
}

/// A published file and its width. The full file may stand in for a partial one.
pub(crate) async fn published(
    tiles: &dyn Tiles,
    path: TilePath,
) -> Result<Option<(Vec<u8>, u16)>, LedgerError> {
    if let Some(bytes) = tiles.get(&path.to_text()).await? {
        return Ok(Some((bytes, path.width())));
    }
    if path.width() == TILE_WIDTH {
        return Ok(None);
    }
    Ok(tiles.get(&path.full().to_text()).await?.map(|bytes| (bytes, TILE_WIDTH)))
}

/// Segments that follow each other, as the bytes of a bundle.
/// `None` where some are missing.
fn joined(segments: &[Segment], bundle: TilePath) -> Option<Vec<u8>> {
    let mut next = places(bundle).start;
    for segment in segments {
        if segment.first != next || EntryBundle::split(&segment.bytes, segment.count).is_err() {
            return None;
        }
        next += u64::from(segment.count);
    }
    let mut bytes = segments.iter().map(|one| one.bytes.as_slice()).collect::<Vec<_>>().concat();
    let end = beginning_of(bundle, &bytes)?.len();
    bytes.truncate(end);
    Some(bytes)
}

/// The part of a whole file that a narrower one in its place has.
pub(crate) fn beginning_of(path: TilePath, whole: &[u8]) -> Option<&[u8]> {
    let mut end = 0_usize;
    for _ in 0..path.width() {
        end = match path.level() {
            Level::Hashes(_) => end + 32,
            Level::Entries => {
                let length = whole.get(end..)?.first_chunk::<2>()?;
                end + 2 + usize::from(u16::from_be_bytes(*length))
            }
        };
    }
    whole.get(..end)
}

impl Tree<'_> {
    /// The bytes of the bundle in a tile's place and of its width, if the database has its entries.
    async fn stored(&mut self, path: TilePath) -> Result<Option<Vec<u8>>, LedgerError> {
        let wanted = places(path);
        if wanted.start < self.kept {
            return Ok(None);
        }
        let segments = self.read.segments(wanted).await?;
        let bundle = TilePath::new(Level::Entries, path.index(), path.width())?;
        Ok(joined(&segments, bundle))
    }

    /// The entries of a bundle that the database has, as many as its width. The leaves' tile is
    /// made of them too.
    pub(crate) async fn stored_bundle(
        &mut self,
        path: TilePath,
    ) -> Result<Option<Vec<Vec<u8>>>, LedgerError> {
        let Some(bytes) = self.stored(path).await? else { return Ok(None) };
        let bundle = EntryBundle::parse(&bytes, path.width()).map_err(|e| damaged(path, &e))?;
        Ok(Some(bundle.into_entries()))
    }

    /// A published file and its width, for reading.
    async fn published(&mut self, path: TilePath) -> Result<(Vec<u8>, u16), LedgerError> {
        let missing = || damaged(path, &"the file is missing");
        published(self.tiles.ok_or_else(missing)?, path).await?.ok_or_else(missing)
    }

    /// The entries of a bundle, as many as its width.
    pub(crate) async fn bundle(&mut self, path: TilePath) -> Result<Vec<Vec<u8>>, LedgerError> {
        match self.stored_bundle(path).await? {
            Some(entries) => Ok(entries),
            None => self.published_bundle(path).await,
        }
    }

    /// The same, from the published file only.
    pub(crate) async fn published_bundle(
        &mut self,
        path: TilePath,
    ) -> Result<Vec<Vec<u8>>, LedgerError> {
        let (bytes, width) = self.published(path).await?;
        let mut entries =
            EntryBundle::parse(&bytes, width).map_err(|e| damaged(path, &e))?.into_entries();
        entries.truncate(usize::from(path.width()));
        Ok(entries)
    }

    /// A tile's hashes.
    pub(crate) async fn hashes(&mut self, path: TilePath) -> Result<Vec<Hash>, LedgerError> {
        let Level::Hashes(level @ 1..) = path.level() else {
            return self.leaves(path).await;
        };
        let wanted = places(path);
        let nodes = self.read.nodes(u32::from(level) * HEIGHT, wanted.clone()).await?;
        if nodes.iter().map(|(place, _)| *place).eq(wanted) {
            return Ok(nodes.into_iter().map(|(_, hash)| hash).collect());
        }
        Err(LedgerError::Damaged(format!("hashes of {} are missing", path.to_text())))
    }

    /// The hashes of a tile of level 0.
    async fn leaves(&mut self, path: TilePath) -> Result<Vec<Hash>, LedgerError> {
        if let Some(entries) = self.stored_bundle(path).await? {
            return Ok(entries.iter().map(|entry| leaf_hash(entry)).collect());
        }
        let (bytes, width) = self.published(path).await?;
        let tile = HashTile::parse(&bytes, width).map_err(|e| damaged(path, &e))?;
        Ok(tile.hashes().iter().copied().take(usize::from(path.width())).collect())
    }

    /// The right bytes of a file.
    pub(crate) async fn bytes(&mut self, path: TilePath) -> Result<Vec<u8>, LedgerError> {
        match path.level() {
            Level::Entries => {
                if let Some(bytes) = self.stored(path).await? {
                    return Ok(bytes);
                }
                let entries = self.published_bundle(path).await?;
                Ok(EntryBundle::new(entries).map_err(|e| damaged(path, &e))?.to_bytes())
            }
            Level::Hashes(_) => {
                let tile =
                    HashTile::new(self.hashes(path).await?).map_err(|e| damaged(path, &e))?;
                Ok(tile.to_bytes())
            }
        }
    }

    /// A file, read once and then from memory.
    pub(crate) async fn file(&mut self, path: TilePath) -> Result<File, LedgerError> {
        if let Some(known) = self.memory.and_then(|memory| memory.get(path)) {
            return Ok(known);
        }
        let file = File::new(path, self.bytes(path).await?.into());
        if let Some(memory) = self.memory {
            memory.keep(&file);
        }
        Ok(file)
    }

    /// One entry's bytes.
    pub(crate) async fn entry(&mut self, index: u64) -> Result<Vec<u8>, LedgerError> {
        let path = TilePath::at_size(Level::Entries, index / u64::from(TILE_WIDTH), self.size)?;
        let place = usize::try_from(index % u64::from(TILE_WIDTH)).expect("under 256");
        let file = self.file(path).await?;
        let entry = file.entries()?.get(place).map(|entry| entry.to_vec());
        entry.ok_or_else(|| damaged(path, &format!("it lacks entry {index}")))
    }

    /// The hashes of complete nodes, in this order. Each tile is read once.
    async fn nodes(
        &mut self,
        nodes: impl IntoIterator<Item = Node>,
    ) -> Result<Vec<Hash>, LedgerError> {
        let (mut files, mut found): (Vec<File>, Vec<Hash>) = (Vec::new(), Vec::new());
        for node in nodes {
            let path = TilePath::holding(node, self.size)?;
            let known = files.iter().position(|file| file.path == path);
            if known.is_none() {
                files.push(self.file(path).await?);
            }
            let file = known.map_or(files.last(), |at| files.get(at)).expect("it was read");
            found.push(file.nodes()?.node(node).map_err(|e| damaged(path, &e))?);
        }
        Ok(found)
    }

    /// The root that the tree had at a smaller size.
    pub(crate) async fn root_at(&mut self, size: u64) -> Result<Hash, LedgerError> {
        let hashes = self.nodes(Frontier::nodes(size)?).await?;
        Ok(Frontier::from_parts(size, hashes)?.root())
    }

    /// The root of the tree of `self.size`, where these are its last leaves: those that are in no
    /// full tile of level 0.
    pub(crate) async fn root_with(&mut self, last: &Frontier) -> Result<Hash, LedgerError> {
        let nodes = Frontier::nodes(self.size)?;
        let before = nodes.into_iter().filter(|node| node.level() >= HEIGHT);
        let mut hashes = self.nodes(before).await?;
        hashes.extend_from_slice(last.parts().1);
        Ok(Frontier::from_parts(self.size, hashes)?.root())
    }

    /// The proof that the tree of `self.size` continues the one of `old_size`.
    pub(crate) async fn consistency(&mut self, old_size: u64) -> Result<Vec<Hash>, LedgerError> {
        let plan = ProofPlan::consistency(old_size, self.size)?;
        self.proof(&plan).await
    }

    /// The proof that an entry is in the tree of `self.size`.
    pub(crate) async fn inclusion(&mut self, index: u64) -> Result<Vec<Hash>, LedgerError> {
        let plan = ProofPlan::inclusion(index, self.size)?;
        self.proof(&plan).await
    }

    async fn proof(&mut self, plan: &ProofPlan) -> Result<Vec<Hash>, LedgerError> {
        // The proof takes them in the order of the plan.
        let mut hashes = self.nodes(plan.nodes()).await?.into_iter();
        plan.prove(|node| {
            hashes.next().ok_or_else(|| {
                LedgerError::Damaged(format!("the proof lacks the hash of {node:?}"))
            })
        })
    }
}
