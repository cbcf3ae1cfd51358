//! A saved audit: today's audit resumes where yesterday's ended.
//!
//! Not evidence for others: an audit that resumes from such a file trusts it.

use serde::{Deserialize, Serialize};

use super::findings::FindingList;
use super::kept::{Kept, SavedKept};
use super::read::{Signatures, Under};
use super::reported::Reported;
use super::state::{Counted, Latest, State};
use super::tallies::Tallies;
use super::witnesses::Witnesses;
use fairdeal::deal::{Commitment, Digest};
use fairdeal::log::{CompactRange, Frontier, Hash, VerifierKey};
use fairdeal::record::as_json::object;
use fairdeal::record::entry::{Commit, Entry, Table};
use fairdeal::record::json_in_words;
use fairdeal::record::life::{Anchors, Ended, Life, Open, Remembered};

/// The value of a saved audit's `format`.
const FORMAT: &str = "fairdeal/audit/v2";
/// The format before, in which only the statistics were written otherwise. Without statistics it is
/// read.
const OLDER: &str = "fairdeal/audit/v1";

/// An audit cannot be saved, or not resumed from a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages name the fields")]
pub enum SavedError {
    /// Not a saved audit, or a damaged one.
    #[error("expected an audit's state ({FORMAT}): {0}")]
    Damaged(String),
    /// Saved by an older version of this software, with statistics.
    #[error(
        "the state was saved by an older fairdeal, whose statistics had another form ({OLDER}, expected {FORMAT}): audit from the first entry, with a new file"
    )]
    Older,
    /// The saved checkpoint is of another log.
    #[error("expected the state of the log {key}, found that of {saved}")]
    Key { saved: String, key: String },
    /// The saved audit skipped signatures, and this one verifies them.
    #[error(
        "the state's audit skipped {0} signatures of contributions, and this one verifies them: skip them again, or audit without the state, from the first entry"
    )]
    SkippedSignatures(u64),
    /// The saved audit was under another policy, or under none, or knew other chains of beacons.
    #[error("the state's audit was under another policy, or knew other chains of beacons")]
    Policy {
        /// The number of its entries.
        size: u64,
        /// Their root.
        root: Hash,
    },
    /// Some entries are read and not judged or replayed yet.
    #[error("an audit can be saved only once all that was read is judged and replayed")]
    UnderWay,
}

impl SavedError {
    pub(crate) fn damaged(says: impl std::fmt::Display) -> Self {
        Self::Damaged(says.to_string())
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub(super) struct Saved {
    format: String,
    key: String,
    size: u64,
    hashes: Vec<String>,
    lives: Vec<SavedLife>,
    ended: Vec<(Commitment, Ended)>,
    not_judged: Vec<Commitment>,
    tables: Vec<(Table, Commitment)>,
    last_time: Option<u64>,
    latest: Option<Latest>,
    findings: FindingList,
    reported: Reported,
    seeds: Vec<(String, Vec<String>)>,
    counted: Counted,
    tallies: Option<Tallies>,
    #[serde(default, skip_serializing_if = "is_default")]
    anchors: Anchors,
    #[serde(default, skip_serializing_if = "FindingList::is_empty")]
    rooted: FindingList,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    witnesses: Option<Witnesses>,
    /// The hashes of the known chains of beacons.
    #[serde(default)]
    chains: Vec<Digest>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
struct SavedLife {
    commit: String,
    index: u64,
    next: u64,
    open: Option<(u64, String)>,
    kept: SavedKept,
}

object!(Saved, SavedLife);

impl SavedLife {
    fn of((life, kept): (&Life, &Kept)) -> Result<Self, SavedError> {
        let open = life.open.as_ref().map(|open| {
            Ok((open.index, Entry::Lock(open.lock.clone()).to_text().map_err(SavedError::damaged)?))
        });
        Ok(Self {
            commit: Entry::from(Commit::clone(&life.commit))
                .to_text()
                .map_err(SavedError::damaged)?,
            index: life.index,
            next: life.next,
            open: open.transpose()?,
            kept: kept.saved(),
        })
    }

    fn restored(self) -> Result<(Life, Kept), SavedError> {
        let Entry::Commit(commit) =
            Entry::parse(self.commit.as_bytes()).map_err(SavedError::damaged)?
        else {
            return Err(SavedError::damaged("a life begins with a commit"));
        };
        let open = self.open.map(|(index, lock)| match Entry::parse(lock.as_bytes()) {
            Ok(Entry::Lock(lock)) => Ok(Open { index, lock }),
            Ok(other) => {
                Err(SavedError::damaged(format_args!("expected a lock, found a {}", other.kind())))
            }
            Err(error) => Err(SavedError::damaged(error)),
        });
        let Self { index, next, .. } = self;
        let life = Life { next, open: open.transpose()?, ..Life::new(commit, index) };
        Ok((life, self.kept.restored()?))
    }
}

/// Only the format of a saved audit.
#[derive(Deserialize)]
struct Format {
    format: String,
}

impl Saved {
    pub(super) fn read(text: &str) -> Result<Self, SavedError> {
        serde_json::from_str(text).map_err(|error| match serde_json::from_str::<Format>(text) {
            Ok(Format { format }) if format == OLDER => SavedError::Older,
            _ => SavedError::damaged(json_in_words(&error.to_string())),
        })
    }

    pub(super) fn of(
        key: &VerifierKey,
        range: &CompactRange,
        state: &State,
    ) -> Result<Self, SavedError> {
        let is_counting = state.tallies.as_ref().is_some_and(Tallies::is_under_way);
        if !state.claims.is_empty() || !state.replays.is_empty() || is_counting {
            return Err(SavedError::UnderWay);
        }
        let known = state.known();
        let mut seeds: Vec<(String, Vec<String>)> = state
            .reported
            .seeds
            .iter()
            .map(|(seed, from)| (seed.clone(), from.iter().cloned().collect()))
            .collect();
        seeds.sort_unstable();
        Ok(Self {
            format: FORMAT.to_owned(),
            key: key.to_text(),
            size: range.end(),
            hashes: range.hashes().iter().map(Hash::to_base64).collect(),
            ended: known.ended,
            lives: known.lives.into_iter().map(SavedLife::of).collect::<Result<_, _>>()?,
            not_judged: known.not_judged,
            tables: known.tables,
            last_time: known.last_time,
            latest: state.latest,
            findings: state.findings.clone(),
            reported: state.reported.clone(),
            seeds,
            counted: state.counted,
            tallies: state.tallies.clone(),
            anchors: known.anchors,
            rooted: state.rooted.clone(),
            witnesses: state.witnesses.clone(),
            chains: state.chains(),
        })
    }

    pub(super) fn restored(self, under: Under<'_>) -> Result<(CompactRange, State), SavedError> {
        let Under { key, policy, chains, signatures } = under;
        if self.format != FORMAT && self.format != OLDER {
            return Err(SavedError::damaged(format_args!("its format is {:?}", self.format)));
        }
        if self.key != key.to_text() {
            return Err(SavedError::Key { saved: self.key, key: key.to_text() });
        }
        // The verdict must not depend on the day: those signatures would never be verified
        // (spec/audit.md, 13.5).
        if signatures == Signatures::Verified && self.counted.signatures > 0 {
            return Err(SavedError::SkippedSignatures(self.counted.signatures));
        }
        let hashes =
            self.hashes.iter().map(|text| Hash::parse_base64(text)).collect::<Result<_, _>>();
        let range = CompactRange::from_parts(0, self.size, hashes.map_err(SavedError::damaged)?)
            .map_err(SavedError::damaged)?;
        let hash = policy.map(|policy| Digest::from_bytes(*policy.hash()));
        let is_other_policy = self.witnesses.as_ref().map(|witnesses| witnesses.policy) != hash;
        if is_other_policy || !chains.hashes().eq(self.chains) {
            let tree = Frontier::try_from(range).map_err(SavedError::damaged)?;
            return Err(SavedError::Policy { size: tree.size(), root: tree.root() });
        }
        let known = Remembered {
            lives: self.lives.into_iter().map(SavedLife::restored).collect::<Result<_, _>>()?,
            ended: self.ended,
            not_judged: self.not_judged,
            tables: self.tables,
            last_time: self.last_time,
            anchors: self.anchors,
        };
        let mut state = State::knowing(under, known);
        state.latest = self.latest;
        state.findings = self.findings;
        (state.rooted, state.witnesses) = (self.rooted, self.witnesses);
        state.reported = self.reported;
        state.reported.seeds =
            self.seeds.into_iter().map(|(seed, from)| (seed, from.into_iter().collect())).collect();
        state.counted = self.counted;
        state.tallies = self.tallies;
        Ok((range, state))
    }
}
