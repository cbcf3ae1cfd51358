//! Some entries of a log as they are published, for a reader who wants the bytes behind a finding.
//!
//! Not for judging: nothing is compared with the tree here. The leaf hash is that of the bytes.

use std::collections::BTreeSet;

use super::audit::LogSource;
use super::count;
use super::export::ENTRIES_AFTER_NOTE;
use fairdeal::log::{EntryBundle, Hash, Level, TilePath, leaf_hash};

/// An entry and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishedEntry {
    /// Its index.
    pub index: u64,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The hash of these bytes in the tree.
    pub leaf: Hash,
    /// The file's path in the log; `None` in an exported log.
    pub file: Option<String>,
    /// The offset of the bytes in that file.
    pub offset: u64,
}

/// The most bundles that are read for it. Findings may name entries in every corner of a log.
const BUNDLES: usize = 150;

impl LogSource {
    /// The entries at these indices, as the log publishes them now. Entries that cannot be read are
    /// left out. An exported log is read from its start, so open it again for this.
    #[must_use]
    pub fn published(&self, wanted: &BTreeSet<u64>) -> Vec<PublishedEntry> {
        let size = self.size();
        let bundles: BTreeSet<u64> =
            wanted.iter().filter(|index| **index < size).map(|index| index / 256).collect();
        if self.tiles().files().has_tiles() {
            self.in_bundles(bundles.into_iter().take(BUNDLES), size, wanted)
        } else {
            self.in_export(bundles.last().copied(), size, wanted)
        }
    }

    fn in_bundles(
        &self,
        bundles: impl Iterator<Item = u64>,
        size: u64,
        wanted: &BTreeSet<u64>,
    ) -> Vec<PublishedEntry> {
        let paths: Vec<TilePath> = bundles
            .filter_map(|bundle| TilePath::at_size(Level::Entries, bundle, size).ok())
            .collect();
        let mut found = Vec::new();
        for (path, read) in paths.iter().zip(self.tiles().read_all(&paths)) {
            let Ok((bytes, width)) = read else { continue };
            // A full bundle may have replaced the partial one.
            let file = if width == path.width() { *path } else { path.full() };
            add(&bytes, width, path.index(), wanted, (Some(&file.to_text()), 0), &mut found);
        }
        found
    }

    fn in_export(
        &self,
        last: Option<u64>,
        size: u64,
        wanted: &BTreeSet<u64>,
    ) -> Vec<PublishedEntry> {
        let (mut found, note) = (Vec::new(), count(self.note().len()));
        let mut offset = note.saturating_add(ENTRIES_AFTER_NOTE);
        for bundle in last.map_or(0..0, |last| 0..last.saturating_add(1)) {
            let path = TilePath::at_size(Level::Entries, bundle, size).ok();
            let read = path.and_then(|path| self.tiles().read_all(&[path]).pop()?.ok());
            let Some((bytes, width)) = read else { break };
            add(&bytes, width, bundle, wanted, (None, offset), &mut found);
            offset = offset.saturating_add(count(bytes.len()));
        }
        found
    }
}

/// Adds the wanted entries of one bundle.
fn add(
    bytes: &[u8],
    width: u16,
    bundle: u64,
    wanted: &BTreeSet<u64>,
    (file, start): (Option<&str>, u64),
    found: &mut Vec<PublishedEntry>,
) {
    let first = bundle.saturating_mul(256);
    if wanted.range(first..first.saturating_add(256)).next().is_none() {
        return;
    }
    let Ok(entries) = EntryBundle::split(bytes, width) else { return };
    let mut offset = start;
    for (index, entry) in (first..).zip(entries) {
        offset = offset.saturating_add(2); // after its length
        if wanted.contains(&index) {
            let (bytes, leaf, file) = (entry.to_vec(), leaf_hash(entry), file.map(str::to_owned));
            found.push(PublishedEntry { index, bytes, leaf, file, offset });
        }
        offset = offset.saturating_add(count(entry.len()));
    }
}
