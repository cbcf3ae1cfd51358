//! The verdict on a contiguous range of entries, and how neighbours merge.
//!
//! A range that starts where the log starts is judged as it grows. Any other holds its entries, read and hashed, until
//! what lies before it has been judged: whose turn it is, which nonce comes next and what time it was depend on that.
//! So the heavy part, reading, hashing and checking signatures, can be done anywhere, and the rules are applied once, in
//! the log's order, by the one state machine that the operator runs too.

use std::collections::BTreeMap;

use super::findings::FindingList;
use super::reported::Reported;
use super::verdict::Verdict;
use crate::deal::{Commitment, Label, Nonce, ServerSeed};
use crate::log::{CompactRange, EMPTY_ROOT, Frontier, Hash, RangeError, VerifierKey, leaf_hash};
use crate::record::entry::{Commit, Entry, EntryError, SeenCheckpoint};
use crate::record::life::{Effect, Extent};
use crate::record::receipt::SignedBy;
use crate::record::replay::Waiting;
use crate::record::{Code, Finding, Judge, SeenVerdict, View};

/// What is known of a contiguous range of a log.
#[derive(Debug)]
pub struct Partial {
    key: VerifierKey,
    range: CompactRange,
    known: Known,
}

#[derive(Debug)]
enum Known {
    /// The range starts at the log's first entry.
    Judged(Box<State>),
    /// What lies before is not known yet.
    Read(Vec<Fact>),
}

/// An entry, read.
#[derive(Debug)]
struct Fact {
    entry: Result<Entry, EntryError>,
    /// Whether each `seen` in it, in order, is signed by the log.
    signed: Vec<bool>,
}

/// The checkpoints that the players of one entry say to have seen, to be held against the log's own tree.
#[derive(Clone, Debug)]
pub struct Claim {
    index: u64,
    commitment: Commitment,
    nonce: Option<Nonce>,
    seen: Vec<(Label, SeenCheckpoint)>,
}

impl Claim {
    /// The log's sizes then: the roots that it had at these are needed.
    pub fn sizes(&self) -> impl Iterator<Item = u64> {
        self.seen.iter().map(|(_, seen)| seen.size.value())
    }
}

/// Two ranges are not neighbours, or not of one log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// The right one does not start where the left one ends.
    #[error(transparent)]
    Range(#[from] RangeError),
    /// They are judged under different keys.
    #[error("two ranges of one log are judged under one key, found {left} and {right}")]
    Key {
        /// The left range's key.
        left: String,
        /// The right range's key.
        right: String,
    },
}

/// What the judge is told about checkpoints that players have seen: the signatures were checked when the entry was read.
#[derive(Clone, Debug)]
struct Origin {
    name: String,
    /// What is named in the entry that is being judged and is not signed by the log.
    unsigned: Vec<SeenCheckpoint>,
}

impl View for Origin {
    fn origin(&self) -> &str {
        &self.name
    }

    fn check_seen(&self, seen: &SeenCheckpoint) -> SeenVerdict {
        if self.unsigned.contains(seen) { SeenVerdict::NotSigned } else { SeenVerdict::Holds }
    }
}

#[derive(Debug)]
struct State {
    judge: Judge<Origin>,
    waiting: BTreeMap<Commitment, Vec<Waiting>>,
    claims: Vec<Claim>,
    findings: FindingList,
    reported: Reported,
    commitments: u64,
    deals: u64,
    voids: u64,
    reveals: u64,
    not_judged: u64,
}

fn more(count: &mut u64) {
    *count = count.saturating_add(1);
}

impl Partial {
    /// Nothing yet, from the log's first entry on.
    #[must_use]
    pub fn start(key: VerifierKey) -> Self {
        let known = Known::Judged(Box::new(State::new(key.name().as_str())));
        Self { key, range: CompactRange::default(), known }
    }

    /// A range of entries from `first` on. Time: one hash an entry, its reading, and a signature for each `seen`.
    ///
    /// # Errors
    /// [`RangeError`] past the largest log.
    pub fn of<B: AsRef<[u8]>>(
        key: &VerifierKey,
        first: u64,
        entries: impl IntoIterator<Item = B>,
    ) -> Result<Self, RangeError> {
        let mut range = CompactRange::empty(first)?;
        let mut facts = Vec::new();
        for bytes in entries {
            range.push(leaf_hash(bytes.as_ref()))?;
            facts.push(Fact::read(bytes.as_ref(), key));
        }
        Ok(Self { key: key.clone(), range, known: Known::Read(facts) })
    }

    /// Joins the range that comes right after. On an error nothing has changed.
    ///
    /// # Errors
    /// [`MergeError`] where it does not, or is judged under another key.
    pub fn merge(&mut self, right: Self) -> Result<(), MergeError> {
        if self.key != right.key {
            return Err(MergeError::Key { left: self.key.to_text(), right: right.key.to_text() });
        }
        let first = right.range.start();
        self.range.merge(&right.range)?;
        match (&mut self.known, right.known) {
            (Known::Judged(state), Known::Read(facts)) => state.judge_all(first, facts),
            (Known::Read(known), Known::Read(facts)) => known.extend(facts),
            // It starts at the log's first entry, so there is nothing to the left of it.
            (known, Known::Judged(state)) => *known = Known::Judged(state),
        }
        Ok(())
    }

    /// Where the range starts and ends.
    #[must_use]
    pub fn ends(&self) -> (u64, u64) {
        (self.range.start(), self.range.end())
    }

    /// The tree over the range, where it starts at the log's first entry.
    #[must_use]
    pub fn tree(&self) -> Option<Frontier> {
        Frontier::try_from(self.range.clone()).ok()
    }

    /// Takes what players say to have seen and is not compared yet: each is to be settled by [`Partial::settle`].
    pub fn take_claims(&mut self) -> Vec<Claim> {
        match &mut self.known {
            Known::Judged(state) => std::mem::take(&mut state.claims),
            Known::Read(_) => Vec::new(),
        }
    }

    /// Holds a claim against the roots that the log's own tree had at its sizes.
    pub fn settle(&mut self, claim: &Claim, roots: &BTreeMap<u64, Hash>) {
        let other = |(_, seen): &&(Label, SeenCheckpoint)| {
            roots.get(&seen.size.value()).is_some_and(|root| *root != seen.root())
        };
        let Some((from, seen)) = claim.seen.iter().find(other) else { return };
        let says = format!(
            "{:?} has seen another log of {} entries under this key, its root {}",
            from.as_str(),
            seen.size,
            seen.root
        );
        let Claim { index, commitment, nonce, .. } = *claim;
        let (code, index, commitment) = (Code::SplitView, Some(index), Some(commitment));
        self.find(Finding { code, index, commitment, nonce, says });
    }

    /// Adds what was found outside the entries: about tiles, signatures, older checkpoints.
    pub fn find(&mut self, finding: Finding) {
        if let Known::Judged(state) = &mut self.known {
            state.findings.add(finding);
        }
    }

    /// The verdict, as of a time (none: that of the last entry that had an effect). Nothing where the range does not
    /// start at the log's first entry.
    #[must_use]
    pub fn finish(self, as_of: Option<u64>) -> Option<Verdict> {
        if let Known::Read(_) = self.known {
            let mut whole = Self::start(self.key.clone());
            whole.merge(self).ok()?;
            return whole.finish(as_of);
        }
        let Known::Judged(mut state) = self.known else { return None };
        let tree = Frontier::try_from(self.range).ok()?;
        let as_of = as_of.or(state.judge.last_time());
        state.end(as_of);
        let root = if tree.size() == 0 { EMPTY_ROOT } else { tree.root() };
        Some(Verdict {
            holds: state.findings.is_empty(),
            size: tree.size(),
            root,
            commitments: state.commitments,
            deals: state.deals,
            voids: state.voids,
            reveals: state.reveals,
            not_judged: state.not_judged,
            as_of,
            findings: Verdict::list(&state.findings),
            counts: state.findings.counts().map(|(code, count)| (code.as_str(), count)).collect(),
            reported: state.reported,
            statistics: None,
        })
    }
}

impl Fact {
    fn read(bytes: &[u8], key: &VerifierKey) -> Self {
        let entry = Entry::parse(bytes);
        let view = SignedBy(key);
        let signed = entry
            .iter()
            .flat_map(Entry::contributions)
            .filter_map(|one| one.seen.as_ref())
            .map(|seen| view.check_seen(seen) != SeenVerdict::NotSigned)
            .collect();
        Self { entry, signed }
    }
}

impl State {
    fn new(origin: &str) -> Self {
        let view = Origin { name: origin.to_owned(), unsigned: Vec::new() };
        Self {
            judge: Judge::new(view, Extent::Whole),
            waiting: BTreeMap::new(),
            claims: Vec::new(),
            findings: FindingList::default(),
            reported: Reported::default(),
            commitments: 0,
            deals: 0,
            voids: 0,
            reveals: 0,
            not_judged: 0,
        }
    }

    fn judge_all(&mut self, first: u64, facts: Vec<Fact>) {
        for (index, fact) in (first..).zip(facts) {
            match &fact.entry {
                Ok(entry) => self.judge(index, entry, &fact.signed),
                Err(error) => {
                    let judged = self.judge.refuse_unreadable(index, error);
                    judged.findings.into_iter().for_each(|finding| self.findings.add(finding));
                }
            }
        }
    }

    fn judge(&mut self, index: u64, entry: &Entry, signed: &[bool]) {
        let commitment = entry.commitment();
        let seen = entry.contributions().iter().filter_map(|one| Some((one, one.seen.as_ref()?)));
        self.judge.view_mut().unsigned = seen
            .clone()
            .zip(signed)
            .filter(|(_, signed)| !**signed)
            .map(|((_, seen), _)| seen.clone())
            .collect();
        let before = self.judge.life(&commitment).cloned();
        let known = self.judge.is_not_judged(&commitment);
        let judged = self.judge.apply(index, entry);
        let split = judged.findings.iter().any(|finding| finding.code == Code::SplitView);
        judged.findings.into_iter().for_each(|finding| self.findings.add(finding));
        if !known && self.judge.is_not_judged(&commitment) {
            more(&mut self.not_judged);
        }
        let Some(effect) = judged.effect else { return };
        if !split && !signed.is_empty() {
            let seen = seen.map(|(one, seen)| (one.from.clone(), seen.clone())).collect();
            self.claims.push(Claim { index, commitment, nonce: entry.nonce(), seen });
        }
        if let Some(life) = &before {
            self.reported.note(entry, life);
        }
        match effect {
            Effect::Committed => more(&mut self.commitments),
            Effect::Locked(_) => {}
            Effect::Dealt(_, waiting) => {
                more(&mut self.deals);
                if let Some(waiting) = waiting.filter(|waiting| waiting.is_verified()) {
                    self.waiting.entry(commitment).or_default().push(*waiting);
                }
            }
            Effect::Voided(nonce) => {
                more(&mut self.voids);
                if nonce.is_none() {
                    self.ended(commitment);
                }
            }
            Effect::Revealed(revealed) => {
                more(&mut self.reveals);
                if let Some(life) = before {
                    self.replay(&life.commit, &revealed.seed());
                }
                self.ended(commitment);
            }
        }
    }

    fn replay(&mut self, commit: &Commit, seed: &ServerSeed) {
        let mac = seed.mac();
        for waiting in self.waiting.remove(&commit.commitment).unwrap_or_default() {
            if let Some(finding) = waiting.replay(commit, &mac) {
                self.findings.add(finding);
            }
        }
    }

    fn ended(&mut self, commitment: Commitment) {
        if let Some(life) = self.judge.life(&commitment) {
            self.reported.note_end(life);
        }
        self.judge.forget_ended(&commitment);
    }

    /// What only the end of the log shows.
    fn end(&mut self, as_of: Option<u64>) {
        for life in self.judge.open_lives() {
            self.reported.note_end(life);
            let by = life.commit.reveal_by.value();
            if let Some(as_of) = as_of.filter(|&as_of| as_of > by) {
                self.findings.add(Finding {
                    code: Code::Overdue,
                    index: Some(life.index),
                    commitment: Some(life.commit.commitment),
                    nonce: None,
                    says: format!(
                        "the reveal was due by {by}, and at {as_of} there is neither it nor a whole void"
                    ),
                });
            }
        }
        self.reported.finish();
    }
}
