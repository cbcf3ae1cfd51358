//! Anchors: entries that belong to no commitment (spec/ledger.md, 9.3).

use serde::{Deserialize, Serialize};

use super::{Findings, Judge};
use crate::record::as_json::object;
use crate::record::entry::Anchor;
use crate::record::finding::Code;
use crate::record::life::{Cosigned, Effect, Extent, Judged, TOLERANCE, View};
use crate::utc::{moment, span};

/// What the anchors so far mean for later entries.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct Anchors {
    /// The size of the last one; 0 before the first.
    pub size: u64,
    /// The floor, if there is one.
    pub floor: Option<Floor>,
}

/// The greatest time before which nothing later was written (spec/ledger.md, 9.2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct Floor {
    /// The second.
    pub since: u64,
    /// The witnesses whose cosignatures give it, in words.
    pub witnesses: String,
}

object!(Anchors, Floor);

impl Anchors {
    /// Whether an entry of this time is not backdated.
    pub(super) fn allow(&self, time: u64) -> bool {
        let is_after =
            |floor: &Floor| time.saturating_add(TOLERANCE) >= floor.since.saturating_mul(1000);
        self.floor.as_ref().is_none_or(is_after)
    }

    fn raise(&mut self, size: u64, cosigned: Option<Cosigned>) {
        self.size = size;
        let Some((since, witnesses)) =
            cosigned.and_then(|one| Some((one.quorum.since?, one.witnesses)))
        else {
            return;
        };
        if self.floor.as_ref().is_none_or(|floor| floor.since < since) {
            self.floor = Some(Floor { since, witnesses });
        }
    }

    /// `backdated`.
    pub(super) fn judge(&self, time: u64, findings: &mut Findings) {
        let Some(floor) = self.floor.as_ref().filter(|_| !self.allow(time)) else { return };
        let since = floor.since.saturating_mul(1000);
        let says = format!(
            "at {}, {} before the signatures of your witnesses that stand before it ({}, {}), under your policy",
            moment(time),
            span(since.saturating_sub(time)),
            floor.witnesses,
            moment(since)
        );
        findings.add(Code::Backdated, says);
    }
}

impl<V: View, N: Default> Judge<V, N> {
    /// What the anchors so far mean for later entries.
    pub fn anchors(&self) -> &Anchors {
        &self.anchors
    }

    pub(super) fn apply_anchor(&mut self, index: u64, anchor: &Anchor) -> Judged {
        let mut findings = Findings { index, commitment: None, nonce: None, list: Vec::new() };
        let (size, time, root) = (anchor.size.value(), anchor.time.value(), anchor.root());
        if size <= self.anchors.size {
            let says = format!(
                "size: expected more than that of the anchor before, {}, found {size}",
                self.anchors.size
            );
            return findings.end(Code::InvalidEntry, says);
        }
        self.time_runs_back(time, &mut findings);
        self.anchors.raise(size, self.view.cosigned(anchor));
        self.anchors.judge(time, &mut findings);
        if size > index {
            let says =
                format!("an anchor of a log of {size} entries, before this one there are {index}");
            findings.add(Code::SplitView, says);
        } else if self.view.has_another_root(size, &root)
            || (self.extent == Extent::Excerpt && self.left.had_another(size, anchor.root))
        {
            let says = format!(
                "an anchor of another log of {size} entries under this key, its root {}",
                anchor.root
            );
            findings.add(Code::SplitView, says);
        }
        Judged { findings: findings.list, effect: Some(Effect::Anchored) }
    }
}
