//! The rules about single contributions: the checkpoint that a player has seen, and a player's
//! signature (spec/ledger.md, 9.3).

use super::{Findings, Judge};
use crate::record::entry::Entry;
use crate::record::finding::Code;
use crate::record::life::{Extent, View};

impl<V: View, N: Default> Judge<V, N> {
    /// `split-view`. The log has signed what the contributors saw: otherwise the entry is refused.
    pub(super) fn split_view(&mut self, index: u64, entry: &Entry, findings: &mut Findings) {
        for one in entry.contributions() {
            let Some(seen) = &one.seen else { continue };
            let from = one.from.as_str();
            if seen.size.value() > index {
                findings.add(
                    Code::SplitView,
                    format!(
                        "{from:?} has seen a log of {} entries, before this one there are {index}",
                        seen.size
                    ),
                );
            } else if self.view.has_another_root(seen.size.value(), &seen.root())
                || (self.extent == Extent::Excerpt
                    && self.left.had_another(seen.size.value(), seen.root))
            {
                findings.add(
                    Code::SplitView,
                    format!(
                        "{from:?} has seen another log of {} entries under this key, its root {}",
                        seen.size, seen.root
                    ),
                );
            }
        }
    }

    pub(super) fn contribution_signatures(&self, entry: &Entry, findings: &mut Findings) {
        let Some((commitment, nonce)) = entry.commitment().zip(entry.nonce()) else { return };
        for one in entry.contributions() {
            if one.signature.is_some() && !self.view.check_signature(commitment, nonce, one) {
                let says = format!(
                    "the signature of {:?} is not by its key over this round",
                    one.from.as_str()
                );
                findings.add(Code::ContributionSignature, says);
            }
        }
    }
}
