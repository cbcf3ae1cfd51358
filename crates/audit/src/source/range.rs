//! Judging a log in ranges: each is read, compared with its tiles and judged by itself; then the
//! results are combined.

use std::collections::BTreeMap;
use std::ops::Range;

use super::audit::{AuditOptions, LogSource, SourceError, head};
use super::nodes::Nodes;
use super::stretch::{Stretch, WithTiles, stretches};
use super::tiles::{TileReadError, Tiles, holds};
use crate::{AuditVerdict, CrossingEntry, Share, ShareSum, SharedSeeds, Signatures, SortedEntries};
use fairdeal::log::{
    Checkpoint, CompactRange, EntryBundle, Frontier, Hash, Level, TilePath, VerifierKey,
    leaf_hashes,
};

/// Entries under a tile of the second level: ranges begin at multiples of it.
pub const RANGE: u64 = 1 << 16;

/// The tree over a range, and the nodes for the tiles above.
#[derive(Clone, Debug)]
pub struct RangeTree {
    /// The tree.
    pub range: CompactRange,
    /// The nodes over [`RANGE`] entries each.
    pub upper: Vec<Hash>,
}

/// A log is not judged in ranges, and why: a file is missing or wrong, or it is not signed. The
/// audit in order says what is found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotInRanges(pub String);

/// The result of reading a range: outside an error of the source, inside a reason not to use
/// ranges.
pub type InRanges<T> = Result<Result<T, NotInRanges>, SourceError>;

/// The entries of a range and their tree.
#[derive(Debug)]
pub struct ReadRange {
    first: u64,
    bundles: Vec<(Vec<u8>, u16)>,
    /// The tree over them.
    pub tree: RangeTree,
}

impl ReadRange {
    /// Judges what begins and ends in it, and passes it and the others to `take`.
    ///
    /// # Errors
    /// [`NotInRanges`] if a bundle does not hold what its width says, which reading it has shown
    /// not to be.
    pub fn sorted<T>(
        &self,
        key: &VerifierKey,
        signatures: Signatures,
        take: impl FnOnce(SortedEntries<'_>) -> T,
    ) -> Result<T, NotInRanges> {
        let mut entries = Vec::new();
        for (bytes, width) in &self.bundles {
            entries.extend(
                EntryBundle::split(bytes, *width)
                    .map_err(|error| NotInRanges(error.to_string()))?,
            );
        }
        Ok(take(SortedEntries::of(key, signatures, self.first, &entries)))
    }
}

impl LogSource {
    /// The checkpoint, if the key signed it and the log has tiles, so that it can be judged in
    /// ranges.
    #[must_use]
    pub fn signed_checkpoint(&self, key: &VerifierKey) -> Option<Checkpoint> {
        let mut found = Vec::new();
        let checkpoint = head(self.note(), key, &mut found)?;
        (found.is_empty() && self.tiles().files().has_tiles()).then_some(checkpoint)
    }

    /// Reads the entries of a range of the log of `size` entries, and compares the tiles of the two
    /// lowest levels.
    ///
    /// # Errors
    /// [`SourceError::Unreadable`] if a file could not be read.
    pub fn read_range(&self, size: u64, entries: Range<u64>) -> InRanges<ReadRange> {
        self.in_ranges(read(self.tiles(), size, entries))
    }

    /// A fault of the log is no error here: the audit in order finds and names it.
    fn in_ranges<T>(&self, read: Result<T, TileReadError>) -> InRanges<T> {
        match read {
            Ok(read) => Ok(Ok(read)),
            Err(TileReadError::Fault(says)) => Ok(Err(NotInRanges(says))),
            Err(TileReadError::Unreadable(says)) => {
                Err(SourceError::Unreadable { name: self.name(), says })
            }
        }
    }

    /// Compares what players have seen with the log's roots, read from its tiles.
    ///
    /// # Errors
    /// [`SourceError::Unreadable`] if a file could not be read.
    pub fn settle(&self, share: &mut Share, nodes: &mut Nodes, size: u64) -> InRanges<()> {
        for claim in share.take_claims() {
            let read = claim.sizes().map(|at| Ok((at, nodes.root_at(at, size)?)));
            let roots: BTreeMap<_, _> = match self.in_ranges(read.collect())? {
                Ok(roots) => roots,
                Err(why) => return Ok(Err(why)),
            };
            if let Some(finding) = claim.contradicted_by(&roots) {
                share.find(finding);
            }
        }
        Ok(Ok(()))
    }

    /// Shows that the log of this checkpoint continues older ones, `since`: their names and notes.
    /// Each is shown by a proof, whose hashes are read from the log's tiles, so no tile is trusted.
    ///
    /// # Errors
    /// [`SourceError::Unreadable`] if a file could not be read.
    pub fn continues(
        &self,
        key: &VerifierKey,
        since: &[(String, String)],
        checkpoint: &Checkpoint,
        nodes: &mut Nodes,
    ) -> InRanges<()> {
        let mut older = since.iter();
        self.in_ranges(
            older.try_for_each(|(name, note)| continues(key, name, note, checkpoint, nodes)),
        )
    }

    /// The verdict, from the trees of all ranges in order and the sum of all shares: the tiles
    /// above and the checkpoint are compared here.
    ///
    /// # Errors
    /// [`SourceError::Unreadable`] if a file could not be read.
    pub fn verdict_in_ranges(
        &self,
        options: &AuditOptions<'_>,
        checkpoint: &Checkpoint,
        trees: &[RangeTree],
        (sum, seeds, more): (ShareSum, SharedSeeds, bool),
    ) -> InRanges<AuditVerdict> {
        if options.policy.is_some() {
            return Ok(Err(NotInRanges("a policy is judged in order".to_owned())));
        }
        if !sum.is_sound() {
            return Ok(Err(NotInRanges("an entry has no effect".to_owned())));
        }
        let compared = self.in_ranges(compare_above(self.tiles(), checkpoint, trees))?;
        Ok(compared.map(|tree| sum.verdict(options.key, &tree, options.times, (seeds, more))))
    }
}

fn read(tiles: &Tiles, size: u64, entries: Range<u64>) -> Result<ReadRange, TileReadError> {
    let Range { start, end } = entries;
    if !start.is_multiple_of(RANGE)
        || !(end.is_multiple_of(RANGE) || end == size)
        || start > end
        || end > size
    {
        return Err(TileReadError::log(format!(
            "expected a range of whole tiles, found {start} to {end}"
        )));
    }
    let mut range = CompactRange::empty(start).map_err(TileReadError::log)?;
    let (mut bundles, mut middle, mut upper) = (Vec::new(), Vec::new(), Vec::new());
    for some in stretches(start / 256, end) {
        for (path, read, over) in Stretch::read(tiles, some, size, WithTiles::Yes).into_read() {
            let (bytes, width) = read?;
            let mut of_bundle =
                EntryBundle::split(&bytes, width).map_err(|e| TileReadError::fault(path, e))?;
            of_bundle.truncate(usize::from(path.width()));
            let leaves = leaf_hashes(&of_bundle);
            let tile = TilePath::new(Level::Hashes(0), path.index(), path.width())
                .map_err(TileReadError::log)?;
            let (over, wide) =
                over.ok_or_else(|| TileReadError::log("a log in ranges has tiles"))??;
            holds(tile, &over, wide, &leaves)?;
            let first = path.index().saturating_mul(256);
            let mut completed = |node: fairdeal::log::Node, hash| match node.level() {
                8 => middle.push(hash),
                16 => upper.push(hash),
                _ => {}
            };
            let right = CompactRange::of_leaves(first, &leaves, &mut completed)
                .map_err(TileReadError::log)?;
            range.merge_with(&right, &mut completed).map_err(TileReadError::log)?;
            // A full bundle may be published in the place of the last one; its later entries are
            // not of this log.
            let bytes = if of_bundle.len() == usize::from(width) {
                bytes
            } else {
                let kept = of_bundle.iter().map(|entry| entry.to_vec()).collect();
                EntryBundle::new(kept).map_err(TileReadError::log)?.to_bytes()
            };
            bundles.push((bytes, path.width()));
        }
    }
    for (at, hashes) in (start / RANGE..).zip(middle.chunks(256)) {
        let path = TilePath::at_size(Level::Hashes(1), at, size).map_err(TileReadError::log)?;
        tiles.holds(path, hashes)?;
    }
    Ok(ReadRange { first: start, bundles, tree: RangeTree { range, upper } })
}

/// Shows that a log continues an older checkpoint.
fn continues(
    key: &VerifierKey,
    name: &str,
    note: &str,
    checkpoint: &Checkpoint,
    nodes: &mut Nodes,
) -> Result<(), TileReadError> {
    let mut found = Vec::new();
    let old = head(note, key, &mut found)
        .filter(|_| found.is_empty())
        .ok_or_else(|| TileReadError::log(format!("{name}: no checkpoint under this key")))?;
    nodes
        .continues((old.size(), old.root()), checkpoint)?
        .map_err(|says| TileReadError::log(format!("{name}: {says}")))
}

/// Compares the tiles from the third level on, and the root.
fn compare_above(
    tiles: &Tiles,
    checkpoint: &Checkpoint,
    trees: &[RangeTree],
) -> Result<Frontier, TileReadError> {
    let mut whole = CompactRange::empty(0).map_err(TileReadError::log)?;
    let mut nodes: Vec<Hash> = Vec::new();
    for tree in trees {
        whole
            .merge_with(&tree.range, |node, hash| {
                // Ranges are of whole nodes of this level, so none is completed by a merge.
                debug_assert!(node.level() > 16, "{hash:?}");
            })
            .map_err(TileReadError::log)?;
        nodes.extend_from_slice(&tree.upper);
    }
    let size = checkpoint.size();
    let mut level = 2_u8;
    while !nodes.is_empty() {
        for (at, hashes) in (0_u64..).zip(nodes.chunks(256)) {
            let path =
                TilePath::at_size(Level::Hashes(level), at, size).map_err(TileReadError::log)?;
            tiles.holds(path, hashes)?;
        }
        let root = |hashes: &[Hash]| {
            let range =
                CompactRange::of_leaves(0, hashes, |_, _| {}).map_err(TileReadError::log)?;
            Frontier::try_from(range).map(|tree| tree.root()).map_err(TileReadError::log)
        };
        nodes = nodes.chunks_exact(256).map(root).collect::<Result<_, _>>()?;
        level = level.saturating_add(1);
    }
    let tree = Frontier::try_from(whole).map_err(TileReadError::log)?;
    if tree.size() != size || size > 0 && tree.root() != *checkpoint.root() {
        return Err(TileReadError::log("the root is not that of the checkpoint"));
    }
    Ok(tree)
}

/// The bytes of crossing entries: for each its index, its length and itself.
#[must_use]
pub fn crossing_bytes<'a>(entries: impl IntoIterator<Item = &'a CrossingEntry<'a>>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for entry in entries {
        bytes.extend_from_slice(&entry.index.to_be_bytes());
        bytes.extend_from_slice(&super::count(entry.bytes.len()).to_be_bytes());
        bytes.extend_from_slice(entry.bytes);
    }
    bytes
}

/// The entries that [`crossing_bytes`] wrote, with their indices; `None` if these are other bytes.
#[must_use]
pub fn crossing_entries(mut bytes: &[u8]) -> Option<Vec<(u64, &[u8])>> {
    let mut entries = Vec::new();
    while !bytes.is_empty() {
        let (index, rest) = bytes.split_first_chunk()?;
        let (length, rest) = rest.split_first_chunk()?;
        let length = usize::try_from(u64::from_be_bytes(*length)).ok()?;
        let (entry, rest) = rest.split_at_checked(length)?;
        entries.push((u64::from_be_bytes(*index), entry));
        bytes = rest;
    }
    Some(entries)
}
