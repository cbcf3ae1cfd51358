//! An audit put aside in a file: two lines of JSON, what is known of the tree and what is known of the entries.

use serde::{Deserialize, Serialize};

use super::roots::Roots;
use crate::audit::{Partial, SavedError, TileBuilder};
use crate::log::{Hash, VerifierKey};

/// The first line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tree {
    /// The nodes over whole bundles in base64, by level.
    above: Vec<Vec<String>>,
}

/// What was read back.
pub(super) struct Aside {
    pub(super) audit: Partial,
    pub(super) builder: TileBuilder,
    above: Vec<Vec<Hash>>,
}

fn damaged(error: impl std::fmt::Display) -> SavedError {
    SavedError::Damaged(error.to_string())
}

fn hashes(texts: &[String]) -> Result<Vec<Hash>, SavedError> {
    texts.iter().map(|text| Hash::parse_base64(text)).collect::<Result<_, _>>().map_err(damaged)
}

/// What to write.
pub(super) fn put(audit: &Partial, roots: &Roots<'_>) -> Result<String, SavedError> {
    let above = roots.above().iter().map(|level| level.iter().map(Hash::to_base64).collect()).collect();
    let tree = serde_json::to_string(&Tree { above }).map_err(damaged)?;
    Ok(format!("{tree}\n{}\n", audit.save()?))
}

impl Aside {
    pub(super) fn take(text: &str, key: &VerifierKey) -> Result<Self, SavedError> {
        let (tree, audit) = text.split_once('\n').ok_or_else(|| damaged("it has one line"))?;
        let Tree { above } = serde_json::from_str(tree).map_err(damaged)?;
        let above = above.iter().map(|level| hashes(level)).collect::<Result<Vec<_>, _>>()?;
        let audit = Partial::restore(key, audit)?;
        let (_, size) = audit.ends();
        let mut builder = TileBuilder::default();
        let mut bundles = size >> 8;
        for (height, level) in (0_u32..).zip(&above) {
            if u64::try_from(level.len()) != Ok(bundles) {
                let found = level.len();
                return Err(damaged(format_args!(
                    "{size} entries have {bundles} nodes at that height, not {found}"
                )));
            }
            if height.trailing_zeros() >= 3 {
                let (full, open) = level.as_chunks::<256>();
                let index = u64::try_from(full.len()).map_err(damaged)?;
                let height = u8::try_from(height >> 3).map_err(damaged)?.saturating_add(1);
                builder = builder.go_on(height, index, open);
            }
            bundles >>= 1;
        }
        if bundles > 0 {
            return Err(damaged(format_args!("{bundles} nodes of the tree are missing")));
        }
        Ok(Self { audit, builder, above })
    }

    /// Hands the nodes over.
    pub(super) fn into_parts(self, roots: &mut Roots<'_>) -> (Partial, TileBuilder) {
        roots.go_on(self.above);
        (self.audit, self.builder)
    }
}
