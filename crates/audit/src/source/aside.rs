//! A saved audit as text: two lines of JSON, one for the tree and one for the entries.

use serde::{Deserialize, Serialize};

use super::nodes::root_at;
use super::roots::Roots;
use super::tiles::{TileCache, TileReadError, Tiles};
use crate::{Missed, Partial, SavedError, Under};
use fairdeal::log::{Hash, TileBuilder, verify_checkpoint};
use fairdeal::record::json_in_words;

/// The first line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tree {
    /// The nodes over whole bundles, in base64, by level.
    above: Vec<Vec<String>>,
    /// The log's checkpoint, a signed note: with another one it is evidence of a fork. An older
    /// version saved states without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    /// The reader's own observations: they are used even if the rest is not.
    #[serde(default, skip_serializing_if = "Missed::is_empty")]
    missed: Missed,
}

/// The tree that an audit was saved at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Before {
    pub(super) size: u64,
    pub(super) root: Hash,
}

/// An audit to resume.
pub(super) struct Aside {
    pub(super) audit: Partial,
    pub(super) builder: TileBuilder,
    above: Vec<Vec<Hash>>,
    before: Before,
}

fn hashes(texts: &[String]) -> Result<Vec<Hash>, SavedError> {
    texts
        .iter()
        .map(|text| Hash::parse_base64(text))
        .collect::<Result<_, _>>()
        .map_err(SavedError::damaged)
}

/// The text of an audit of the log with this checkpoint.
pub(super) fn put(
    audit: &Partial,
    roots: &Roots<'_>,
    note: &str,
    missed: Missed,
) -> Result<String, SavedError> {
    let above =
        roots.above().iter().map(|level| level.iter().map(Hash::to_base64).collect()).collect();
    let tree = serde_json::to_string(&Tree { above, note: Some(note.to_owned()), missed })
        .map_err(SavedError::damaged)?;
    Ok(format!("{tree}\n{}\n", audit.save()?))
}

/// The text of the saved state with these commitments missed, if they are others than in it. Without
/// a saved state it has nothing else, and the next audit begins with the first entry.
pub(super) fn put_missed(before: &str, missed: Missed) -> Result<Option<String>, SavedError> {
    let (tree, audit) = before.split_once('\n').unwrap_or_default();
    let before = if tree.is_empty() {
        Tree { above: Vec::new(), note: None, missed: Missed::new() }
    } else {
        read_tree(tree)?
    };
    if before.missed == missed {
        return Ok(None);
    }
    let tree = serde_json::to_string(&Tree { missed, ..before }).map_err(SavedError::damaged)?;
    Ok(Some(format!("{tree}\n{audit}")))
}

fn read_tree(line: &str) -> Result<Tree, SavedError> {
    serde_json::from_str(line)
        .map_err(|error| SavedError::damaged(json_in_words(&error.to_string())))
}

/// The commitments that the saved audit, or one before it, found overdue.
pub(super) fn missed_in(text: &str) -> Result<Missed, SavedError> {
    Ok(text.lines().next().map(read_tree).transpose()?.map(|tree| tree.missed).unwrap_or_default())
}

impl Aside {
    /// The saved audit, or only its tree if it was under another policy; `None` if the key did not
    /// sign its checkpoint, so that it says nothing about the key's log.
    pub(super) fn take(
        text: &str,
        under: Under<'_>,
    ) -> Result<Option<Result<Self, Before>>, SavedError> {
        let (tree, audit) = text
            .split_once('\n')
            .ok_or_else(|| SavedError::damaged("expected two lines, found one"))?;
        let Tree { above, note, .. } = read_tree(tree)?;
        let Some(note) = &note else { return Ok(None) };
        let above = above.iter().map(|level| hashes(level)).collect::<Result<Vec<_>, _>>()?;
        let (audit, size, root) = match Partial::restore(under, audit) {
            Ok(audit) => {
                let tree = audit.tree();
                let tree = tree
                    .ok_or_else(|| SavedError::damaged("it does not begin at the first entry"))?;
                (Some(audit), tree.size(), tree.root())
            }
            Err(SavedError::Policy { size, root }) => (None, size, root),
            Err(error) => return Err(error),
        };
        let signed = verify_checkpoint(note, under.key).map_err(SavedError::damaged)?;
        if (signed.size(), *signed.root()) != (size, root) {
            let says =
                format!("its checkpoint is of {} entries, and not of its {size}", signed.size());
            return Err(SavedError::damaged(says));
        }
        let before = Before { size, root };
        let Some(audit) = audit else { return Ok(Some(Err(before))) };
        let mut builder = TileBuilder::default();
        let mut bundles = size / 256;
        for (height, level) in (0_u32..).zip(&above) {
            if u64::try_from(level.len()) != Ok(bundles) {
                let found = level.len();
                return Err(SavedError::damaged(format_args!(
                    "expected {bundles} nodes at height {height} over {size} entries, found {found}"
                )));
            }
            // A tile has eight levels.
            if height.is_multiple_of(8) {
                let (full, open) = level.as_chunks::<256>();
                let index = u64::try_from(full.len()).map_err(SavedError::damaged)?;
                let height = u8::try_from(height / 8 + 1).map_err(SavedError::damaged)?;
                builder = builder.resume(height, index, open);
            }
            bundles /= 2;
        }
        if bundles > 0 {
            return Err(SavedError::damaged(format_args!(
                "{bundles} nodes of the tree are missing"
            )));
        }
        Ok(Some(Ok(Self { audit, builder, above, before })))
    }

    /// The audit, if the log of this size continues its tree by the log's own tiles; otherwise the
    /// tree.
    ///
    /// # Errors
    /// [`TileReadError::Unreadable`]
    pub(super) fn continued(
        self,
        tiles: &Tiles,
        size: u64,
    ) -> Result<Result<Self, Before>, TileReadError> {
        let before = self.before;
        if before.size > size {
            return Ok(Err(before));
        }
        match root_at(tiles, &mut TileCache::default(), before.size, size) {
            Ok(root) if root == before.root => Ok(Ok(self)),
            // A tile that is missing or wrong is found when all entries are read.
            Ok(_) | Err(TileReadError::Fault(_)) => Ok(Err(before)),
            Err(error) => Err(error),
        }
    }

    /// Passes the nodes to `roots`.
    pub(super) fn into_parts(self, roots: &mut Roots<'_>) -> (Partial, TileBuilder) {
        roots.resume(self.above);
        (self.audit, self.builder)
    }
}
