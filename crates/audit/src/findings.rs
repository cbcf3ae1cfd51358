//! Findings in bounded memory: the first of each code in full, the rest counted.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use fairdeal::record::{Code, Finding};

/// The number of findings of each code that are kept in full: the first ones in the log.
pub const KEPT_OF_EACH: usize = 1000;

/// The findings of an audit. Which ones are kept does not depend on the order in which they are
/// added.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FindingList {
    codes: BTreeMap<Code, OfOne>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Wire", into = "Wire")]
struct OfOne {
    count: u64,
    /// By entry (findings on the whole log come first), then by text, then by which was added
    /// first.
    kept: BTreeMap<(Option<u64>, String, u64), Finding>,
}

impl OfOne {
    fn add(&mut self, finding: Finding) {
        self.count = self.count.saturating_add(1);
        self.kept.insert((finding.index, finding.says.clone(), self.count), finding);
        if self.kept.len() > KEPT_OF_EACH {
            self.kept.pop_last();
        }
    }
}

/// The stored findings of one code.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    count: u64,
    kept: Vec<Finding>,
}

impl From<Wire> for OfOne {
    fn from(wire: Wire) -> Self {
        let mut of = Self::default();
        for finding in wire.kept {
            of.add(finding);
        }
        of.count = of.count.max(wire.count);
        of
    }
}

impl From<OfOne> for Wire {
    fn from(of: OfOne) -> Self {
        Self { count: of.count, kept: of.kept.into_values().collect() }
    }
}

impl FindingList {
    /// Adds one finding.
    pub fn add(&mut self, finding: Finding) {
        self.codes.entry(finding.code).or_default().add(finding);
    }

    /// Adds some findings.
    pub fn extend(&mut self, findings: impl IntoIterator<Item = Finding>) {
        findings.into_iter().for_each(|finding| self.add(finding));
    }

    /// Adds all of another list.
    pub fn append(&mut self, other: Self) {
        for (code, theirs) in other.codes {
            let of = self.codes.entry(code).or_default();
            let counted = of.count.saturating_add(theirs.count);
            for finding in theirs.kept.into_values() {
                of.add(finding);
            }
            of.count = counted;
        }
    }

    /// Whether there are no findings.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// The number of findings of each code.
    pub fn counts(&self) -> impl Iterator<Item = (Code, u64)> {
        self.codes.iter().map(|(code, of)| (*code, of.count))
    }

    /// The kept findings: those on the whole log first, then by entry, then by code.
    #[must_use]
    pub fn kept(&self) -> Vec<&Finding> {
        let mut all: Vec<&Finding> = self.codes.values().flat_map(|of| of.kept.values()).collect();
        all.sort_by_key(|finding| (finding.index, finding.code));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gap(index: u64) -> Finding {
        Finding {
            code: Code::NonceGap,
            index: Some(index),
            commitment: None,
            nonce: None,
            says: String::new(),
        }
    }

    #[test]
    fn the_first_thousand_are_kept_and_all_are_counted_in_whatever_order_they_come() {
        let mut list = FindingList::default();
        for index in (0..1500).rev() {
            list.add(gap(index));
        }
        assert_eq!(list.counts().collect::<Vec<_>>(), [(Code::NonceGap, 1500)]);
        let kept: Vec<u64> = list.kept().iter().filter_map(|f| f.index).collect();
        assert_eq!(kept, (0..1000).collect::<Vec<u64>>());
    }
}
