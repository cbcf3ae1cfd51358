//! Judging entries one after the other: whether each is legal at its place, and its effect.

mod anchors;
mod contributions;
mod effects;
mod excerpt;
mod remembered;
mod snapshot;
mod surroundings;

use std::collections::{BTreeMap, HashMap};

use super::round::is_possible;
use super::{Effect, End, Extent, Judged, Life, View};
use crate::deal::{Commitment, Method, Nonce};
use crate::record::entry::{
    Commit, Deal, Entry, EntryError, Mixing, PlainDeal, PlainForm, ResultKind, Table,
};
use crate::record::finding::{Code, Finding};
use crate::utc::{moment, span};

pub use anchors::{Anchors, Floor};
use effects::{deal_round, lock_round, reveal_seed, void_round};
use excerpt::Left;
pub use remembered::{Ended, Remembered};
pub use snapshot::Snapshot;

/// A commitment that was made: judged, or of another protocol and only counted.
#[derive(Clone, Debug)]
enum Known<N> {
    Judged(Box<(Life, N)>),
    /// Ended: enough is kept to refuse later entries for the right reason.
    Ended(Ended),
    NotJudged,
}

/// The state machine: takes a log's entries in order and says what does not hold.
///
/// Keeps a note `N` of the caller with each life, so that one lookup finds both.
#[derive(Clone, Debug)]
pub struct Judge<V, N = ()> {
    view: V,
    extent: Extent,
    lives: HashMap<Commitment, Known<N>>,
    /// Each table's last commitment.
    tables: BTreeMap<Table, Commitment>,
    last_time: Option<u64>,
    anchors: Anchors,
    /// The facts that an excerpt shows about the entries that it leaves out.
    left: Left,
    /// Whether a table's turns are judged: not if its commitments are judged apart.
    turns: bool,
}

/// The findings on one entry, as they are made.
pub(super) struct Findings {
    index: u64,
    commitment: Option<Commitment>,
    nonce: Option<Nonce>,
    list: Vec<Finding>,
}

impl Findings {
    /// Lists each code once for an entry, with the first thing found.
    pub(super) fn add(&mut self, code: Code, says: impl Into<String>) {
        if self.list.iter().any(|finding| finding.code == code) {
            return;
        }
        self.list.push(Finding {
            code,
            index: Some(self.index),
            commitment: self.commitment,
            nonce: self.nonce,
            says: says.into(),
        });
    }

    /// A finding that ends the judging of its entry and leaves it without effect.
    fn end(mut self, code: Code, says: impl Into<String>) -> Judged {
        self.add(code, says);
        Judged { findings: self.list, effect: None }
    }
}

/// The reason why an entry is not legal at its place.
type Refusal = (Code, String);

impl<V: View> Judge<V> {
    /// Nothing is known yet, and nothing is noted.
    pub fn new(view: V, extent: Extent) -> Self {
        Self::noting(view, extent)
    }
}

impl<V: View, N: Default> Judge<V, N> {
    /// Nothing is known yet.
    pub fn noting(view: V, extent: Extent) -> Self {
        let (lives, tables, left) = (HashMap::new(), BTreeMap::new(), Left::default());
        let (last_time, anchors) = (None, Anchors::default());
        Self { view, extent, lives, tables, last_time, anchors, left, turns: true }
    }

    /// A judge of some of a whole log's commitments, of each with all its entries. It does not find
    /// `out-of-turn`, for which it would need the others.
    pub fn of_some(view: V) -> Self {
        Self { turns: false, ..Self::noting(view, Extent::Whole) }
    }

    /// A judge of a log whose last entry has this time. It [learns](Self::learn) of each commitment
    /// before it judges an entry under it.
    pub fn resume(view: V, last_time: Option<u64>) -> Self {
        Self { last_time, ..Self::noting(view, Extent::Whole) }
    }

    /// The log's view.
    pub fn view(&self) -> &V {
        &self.view
    }

    /// The same, to replace it before the next entry.
    pub fn view_mut(&mut self) -> &mut V {
        &mut self.view
    }

    /// The life of a commitment, if it was made here and is judged.
    pub fn life(&self, commitment: &Commitment) -> Option<&Life> {
        match self.lives.get(commitment) {
            Some(Known::Judged(known)) => Some(&known.0),
            _ => None,
        }
    }

    /// The same, with its note.
    pub fn noted(&mut self, commitment: &Commitment) -> Option<(&Life, &mut N)> {
        match self.lives.get_mut(commitment) {
            Some(Known::Judged(known)) => {
                let (life, note) = known.as_mut();
                Some((life, note))
            }
            _ => None,
        }
    }

    /// Whether a commitment is of another protocol, and only counted.
    pub fn is_not_judged(&self, commitment: &Commitment) -> bool {
        matches!(self.lives.get(commitment), Some(Known::NotJudged))
    }

    /// Drops all of an ended commitment but the fact that it ended, and returns it: an audit's
    /// memory is for open ones. `None` if it is open or not known.
    pub fn forget_ended(&mut self, commitment: &Commitment) -> Option<(Life, N)> {
        let life = self.life(commitment)?;
        let ended = Ended {
            end: life.end?,
            has_beacon: life.commit.beacon.is_some(),
            most_seats: life.commit.most_seats(),
        };
        match self.lives.insert(*commitment, Known::Ended(ended)) {
            Some(Known::Judged(known)) => Some(*known),
            _ => None,
        }
    }

    /// The lives that have not ended, in the order of their commitments' bytes.
    pub fn open_lives(&mut self) -> Vec<(&Life, &mut N)> {
        let open = |known| match known {
            &mut Known::Judged(ref mut known) if known.0.end.is_none() => Some(known.as_mut()),
            _ => None,
        };
        let mut open: Vec<&mut (Life, N)> = self.lives.values_mut().filter_map(open).collect();
        open.sort_unstable_by(|a, b| {
            a.0.commit.commitment.as_bytes().cmp(b.0.commit.commitment.as_bytes())
        });
        open.into_iter().map(|(life, note)| (&*life, note)).collect()
    }

    /// Learns of a commitment that was judged before: what a ledger loads for the commands of a
    /// batch.
    pub fn learn(&mut self, life: Life, note: N) {
        self.lives.insert(life.commit.commitment, Known::Judged(Box::new((life, note))));
    }

    /// Learns of a table's last commitment.
    pub fn learn_table(&mut self, table: Table, last: Commitment) {
        self.tables.insert(table, last);
    }

    /// The number of commitments that it knows of.
    pub fn known(&self) -> usize {
        self.lives.len()
    }

    /// A table's last commitment, as far as it is known.
    pub fn last_of(&self, table: &Table) -> Option<&Commitment> {
        self.tables.get(table)
    }

    /// The time of the last entry that had an effect.
    pub fn last_time(&self) -> Option<u64> {
        self.last_time
    }

    /// Judges a plain deal, as most entries of a log are. Returns the life and its note where
    /// [`apply`](Self::apply) would find nothing; otherwise returns `None` and changes nothing, and
    /// the caller asks `apply`.
    ///
    /// This is a second copy of the rules, made for speed: it covers the one case in which a deal
    /// plainly keeps all of them. The test `a_plain_deal_is_judged_as_apply_judges_it` in
    /// `tests/rules/life.rs` holds it equal to `apply`.
    ///
    /// It leaves one rule out: whether the `count` cards are possible. A deal that its seed gives
    /// is possible, so the caller judges that if the replay fails, or if the log ends without
    /// a reveal.
    pub fn apply_plain(&mut self, deal: &PlainDeal, count: usize) -> Option<(&Life, &mut N)> {
        let Some(Known::Judged(known)) = self.lives.get_mut(&deal.commitment) else { return None };
        let (life, note) = known.as_mut();
        let commit = &life.commit;
        let form = match deal.form {
            PlainForm::Cards => ResultKind::Cards,
            PlainForm::Seal => ResultKind::Seal,
            PlainForm::Digest => ResultKind::Digest,
        };
        // The caller judges whether the cards are possible: see above.
        let is_drawn = form != ResultKind::Cards
            || (commit.method == Method::Shuffle
                && usize::try_from(commit.draw.value()) == Ok(count));
        let plain = life.end.is_none()
            && life.open.is_none()
            && life.next == deal.nonce.value()
            && life.next < commit.rounds.value()
            && self.last_time.is_some_and(|last| last <= deal.time)
            && self.anchors.allow(deal.time)
            && commit.mixing == Mixing::Seeds
            && !commit.signed
            && commit.layout.is_none()
            && commit.form() == form
            && is_drawn;
        if !plain {
            return None;
        }
        life.next = life.next.saturating_add(1);
        self.last_time = Some(deal.time);
        Some((life, note))
    }

    /// Judges an entry's bytes at its index.
    pub fn apply_bytes(&mut self, index: u64, bytes: &[u8]) -> Judged {
        match Entry::parse(bytes) {
            Ok(entry) => self.apply(index, &entry),
            Err(error) => self.refuse_unreadable(index, &error),
        }
    }

    /// The finding on bytes that are no entry.
    pub fn refuse_unreadable(&self, index: u64, error: &EntryError) -> Judged {
        let commitment = error.commitment();
        if commitment.is_some_and(|c| self.is_not_judged(&c)) {
            return Judged { findings: Vec::new(), effect: None };
        }
        let code = match error {
            EntryError::NotCanonical(_) => Code::NotCanonical,
            _ => Code::InvalidEntry,
        };
        Findings { index, commitment, nonce: None, list: Vec::new() }.end(code, error.to_string())
    }

    /// Judges an entry at its index: down the table of spec/ledger.md, life.
    pub fn apply(&mut self, index: u64, entry: &Entry) -> Judged {
        self.apply_with(index, entry, true)
    }

    /// The same for a deal that has no result yet: what says which seeds are mixed also says that
    /// the deal may stand, and judging it twice would cost as much again. Its
    /// [`Waiting`](crate::record::replay::Waiting) has no result. Once the caller has dealt,
    /// [`judge_result`](Self::judge_result) does the rest.
    pub fn apply_undealt(&mut self, index: u64, entry: &Entry) -> Judged {
        self.apply_with(index, entry, false)
    }

    /// The findings of [`apply`](Self::apply) on the result of a deal, which is all that it leaves
    /// to find after [`apply_undealt`](Self::apply_undealt).
    pub fn judge_result(&self, index: u64, deal: &Deal) -> Vec<Finding> {
        let (commitment, nonce) = (Some(deal.commitment), Some(deal.nonce));
        let mut findings = Findings { index, commitment, nonce, list: Vec::new() };
        if let Some(life) = self.life(&deal.commitment) {
            is_possible(&life.commit, &deal.result, &mut findings);
        }
        findings.list
    }

    fn apply_with(&mut self, index: u64, entry: &Entry, is_dealt: bool) -> Judged {
        let commitment = match entry {
            Entry::Anchor(anchor) => return self.apply_anchor(index, anchor),
            _ => entry.commitment(),
        };
        let mut findings = Findings { index, commitment, nonce: entry.nonce(), list: Vec::new() };
        let known = commitment.and_then(|commitment| self.lives.get(&commitment));
        let not_judged = matches!(known, Some(Known::NotJudged));
        if not_judged && !matches!(entry, Entry::Commit(_) | Entry::Other(_)) {
            return Judged { findings: Vec::new(), effect: None };
        }
        let illegal = if not_judged { None } else { self.illegal_here(entry, known) };
        let refusal = illegal.or_else(|| self.refusal(entry, known));
        if let Some((code, says)) = refusal {
            return findings.end(code, says);
        }
        if let Entry::Other(other) = entry {
            self.lives.insert(other.commitment, Known::NotJudged);
            return Judged { findings: Vec::new(), effect: None };
        }
        if let Some(says) = self.out_of_turn(entry) {
            findings.add(Code::OutOfTurn, says);
        }
        self.time_runs_back(entry.time(), &mut findings);
        self.anchors.judge(entry.time(), &mut findings);
        self.split_view(index, entry, &mut findings);
        self.contribution_signatures(entry, &mut findings);
        let effect = self.take_effect(index, entry, is_dealt, &mut findings);
        Judged { findings: findings.list, effect }
    }

    /// `time-runs-back`. The last time is now this one.
    fn time_runs_back(&mut self, time: u64, findings: &mut Findings) {
        if let Some(last) = self.last_time.filter(|&last| time < last) {
            let back = span(last.saturating_sub(time));
            let says = format!(
                "at {}, {back} earlier than the entry before it ({})",
                moment(time),
                moment(last)
            );
            findings.add(Code::TimeRunsBack, says);
        }
        self.last_time = Some(time);
    }

    /// The rows from `no-commitment` to `seed-mismatch`: an entry refused by one has no effect.
    fn refusal(&self, entry: &Entry, known: Option<&Known<N>>) -> Option<Refusal> {
        let commitment = entry.commitment()?;
        if let Entry::Commit(_) | Entry::Other(_) = entry {
            return known.map(|_| {
                (Code::DuplicateCommitment, format!("{commitment} was committed to before"))
            });
        }
        let (life, end) = match known {
            Some(Known::Judged(known)) => (Some(&known.0), known.0.end),
            Some(Known::Ended(ended)) => (None, Some(ended.end)),
            Some(Known::NotJudged) | None => (None, None),
        };
        match end {
            Some(End::Revealed) => {
                return Some((
                    Code::AfterReveal,
                    format!("the seed is out; found a {}", entry.kind()),
                ));
            }
            Some(End::Voided) => {
                return Some((
                    Code::AfterVoid,
                    format!("the commitment was voided; found a {}", entry.kind()),
                ));
            }
            None => {}
        }
        let Some(life) = life else {
            return Some((
                Code::NoCommitment,
                format!("no commit of {commitment} stands before this {}", entry.kind()),
            ));
        };
        if let Entry::Void(void) = entry
            && void.nonce.is_none()
            && life.used()
        {
            let says = "a commitment that was used ends by its reveal, not by a void";
            return Some((Code::VoidAfterUse, says.to_owned()));
        }
        if let Some(open) = &life.open {
            let answers = matches!(entry, Entry::Deal(_) | Entry::Void(_))
                && entry.nonce() == Some(open.lock.nonce);
            // An entry that an excerpt leaves out may have answered it.
            let after = match entry {
                Entry::Reveal(_) => true,
                _ => entry.nonce().is_some_and(|nonce| nonce > open.lock.nonce),
            };
            let is_answered = answers || (self.extent == Extent::Excerpt && after);
            if !is_answered {
                return Some((
                    Code::OpenRound,
                    format!(
                        "round {} is locked: expected its deal or its void, found {}",
                        open.lock.nonce,
                        named(entry)
                    ),
                ));
            }
        }
        if let Some(nonce) = entry.nonce() {
            let found = nonce.value();
            // An excerpt may leave out the rounds before.
            let is_judged = self.extent == Extent::Whole || found < life.next;
            if is_judged && let Some(gap) = life.nonce_gap(nonce) {
                return Some((gap.code, gap.says));
            }
            let rounds = life.commit.rounds.value();
            if found >= rounds {
                return Some((
                    Code::TooManyRounds,
                    format!("its last round is {}, found {found}", rounds.saturating_sub(1)),
                ));
            }
        }
        if let Entry::Reveal(reveal) = entry
            && let Err(error) = commitment.verify_opening(&reveal.server_seed.seed())
        {
            return Some((Code::SeedMismatch, error.to_string()));
        }
        None
    }

    fn out_of_turn(&self, entry: &Entry) -> Option<String> {
        if self.extent == Extent::Excerpt {
            let last = self
                .life(&entry.commitment()?)
                .and_then(|life| self.tables.get(&life.commit.table));
            return self.left.out_of_turn(entry, last);
        }
        let Entry::Commit(commit) = entry else { return None };
        if !self.turns {
            return None;
        }
        let last = self.tables.get(&commit.table);
        if last != commit.after.as_ref() {
            let named = |one: Option<&Commitment>| {
                one.map_or_else(|| "none".to_owned(), Commitment::to_text)
            };
            let (last, after) = (named(last), named(commit.after.as_ref()));
            return Some(format!("after: the table's last commitment is {last}, found {after}"));
        }
        let last = last.and_then(|last| self.life(last)).filter(|life| !life.closed())?;
        Some(format!(
            "the table's last commitment, {}, is neither used up nor revealed nor voided",
            last.commit.commitment
        ))
    }

    fn take_effect(
        &mut self,
        index: u64,
        entry: &Entry,
        is_dealt: bool,
        findings: &mut Findings,
    ) -> Option<Effect> {
        match entry {
            Entry::Commit(commit) => Some(self.commit(index, commit)),
            Entry::Lock(lock) => {
                let Some(Known::Judged(known)) = self.lives.get_mut(&lock.commitment) else {
                    return None;
                };
                Some(lock_round(index, lock, self.view.chains(), &mut known.0, findings))
            }
            Entry::Deal(deal) => {
                let Some(Known::Judged(known)) = self.lives.get_mut(&deal.commitment) else {
                    return None;
                };
                Some(deal_round((index, deal), is_dealt, &self.view, &mut known.0, findings))
            }
            Entry::Void(void) => Some(void_round(void, self.life_mut(void.commitment)?)),
            Entry::Reveal(reveal) => {
                Some(reveal_seed(reveal, self.life_mut(reveal.commitment)?, findings))
            }
            Entry::Anchor(_) | Entry::Other(_) => None,
        }
    }

    fn commit(&mut self, index: u64, commit: &Commit) -> Effect {
        let before = self.tables.insert(commit.table.clone(), commit.commitment);
        if self.extent == Extent::Excerpt {
            self.left.commit(commit, before);
        }
        let life = Life::new(Box::new(commit.clone()), index);
        self.lives.insert(commit.commitment, Known::Judged(Box::new((life, N::default()))));
        Effect::Committed
    }

    fn life_mut(&mut self, commitment: Commitment) -> Option<&mut Life> {
        match self.lives.get_mut(&commitment) {
            Some(Known::Judged(known)) => Some(&mut known.0),
            _ => None,
        }
    }
}

fn named(entry: &Entry) -> String {
    entry.nonce().map_or_else(
        || format!("a {}", entry.kind()),
        |nonce| format!("a {} of round {nonce}", entry.kind()),
    )
}
