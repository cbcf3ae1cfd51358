//! A saved audit as text: two lines of JSON, one for the tree and one for the entries.

use serde::{Deserialize, Serialize};

use super::roots::Roots;
use crate::audit::{Partial, SavedError, Signatures};
use crate::log::{Hash, TileBuilder, VerifierKey};

/// The first line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tree {
    /// The nodes over whole bundles, in base64, by level.
    above: Vec<Vec<String>>,
}

/// An audit to resume.
pub(super) struct Aside {
    pub(super) audit: Partial,
    pub(super) builder: TileBuilder,
    above: Vec<Vec<Hash>>,
}

fn hashes(texts: &[String]) -> Result<Vec<Hash>, SavedError> {
    texts.iter().map(|text| Hash::parse_base64(text)).collect::<Result<_, _>>().map_err(SavedError::damaged)
}

/// The text of an audit.
pub(super) fn put(audit: &Partial, roots: &Roots<'_>) -> Result<String, SavedError> {
    let above = roots.above().iter().map(|level| level.iter().map(Hash::to_base64).collect()).collect();
    let tree = serde_json::to_string(&Tree { above }).map_err(SavedError::damaged)?;
    Ok(format!("{tree}\n{}\n", audit.save()?))
}

impl Aside {
    pub(super) fn take(text: &str, key: &VerifierKey, signatures: Signatures) -> Result<Self, SavedError> {
        let (tree, audit) =
            text.split_once('\n').ok_or_else(|| SavedError::damaged("expected two lines, found one"))?;
        let Tree { above } = serde_json::from_str(tree).map_err(SavedError::damaged)?;
        let above = above.iter().map(|level| hashes(level)).collect::<Result<Vec<_>, _>>()?;
        let audit = Partial::restore(key, audit, signatures)?;
        let (_, size) = audit.ends();
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
            return Err(SavedError::damaged(format_args!("{bundles} nodes of the tree are missing")));
        }
        Ok(Self { audit, builder, above })
    }

    /// Passes the nodes to `roots`.
    pub(super) fn into_parts(self, roots: &mut Roots<'_>) -> (Partial, TileBuilder) {
        roots.resume(self.above);
        (self.audit, self.builder)
    }
}
