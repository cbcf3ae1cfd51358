//! A row read under a change: changes are made to what is opened and to what is dealt, never to what the row shows.

use std::cell::OnceCell;

use super::change::{Apply, Change, touches};
use super::near::{self, Case, Place};
use super::shown::{self, Held};
use super::{MOST_HASHES, MOST_HASHES_A_ROW};
use crate::dialect::Dialect;
use crate::dialect::chain::Allowance;
use crate::dialect::check::{self, Checker, CommitmentOpening};
use crate::dialect::digests::Keyed;
use crate::dialect::play::RoundOutcome;
use crate::dialect::round::Round;
use crate::dialect::scheme::{Committed, Scheme};
use crate::stats::number::count;

/// Hashes to a place on a chain where another row came by.
const NEAR: u64 = 2_048;

/// A row as it is read under a change.
#[derive(Clone, Debug)]
pub(super) struct Trial {
    pub(super) dialect: &'static Dialect,
    pub(super) scheme: Scheme,
    /// Its seed, commitment and place on the chain are opened.
    pub(super) opened: Round<'static>,
    /// Its seeds, nonce, deck and method are dealt from.
    pub(super) played: Round<'static>,
}

impl Trial {
    fn of(dialect: &'static Dialect, round: &Round<'static>) -> Self {
        Self { dialect, scheme: dialect.scheme, opened: round.clone(), played: round.clone() }
    }

    /// Another rule by which the commitment opens.
    pub(super) fn committed(&mut self, rule: Committed) -> Option<()> {
        self.scheme.committed = rule;
        self.opened.commitment.map(drop)
    }

    /// Another server seed, opened and dealt from; `None` where it is the same.
    pub(super) fn server_seed(&mut self, seed: String) -> Option<()> {
        self.played.server_seed = Some(seed.clone().into());
        shown::change(&mut self.opened.server_seed, Some(seed.into()))
    }

    /// What another row's client brought; `None` where it is the same.
    pub(super) fn client_of(&mut self, place: Place, case: &Case) -> Option<()> {
        match case.beside(place).and_then(|beside| beside.contributions.as_ref()) {
            Some(theirs) => shown::change(&mut self.played.contributions, Some(theirs.clone())),
            None => {
                shown::change(&mut self.played.client_seed, Some(case.client_seed(place)?.to_owned().into()))
            }
        }
    }
}

/// What all rows share: keys, chains, and how much work is left.
#[derive(Debug)]
pub(super) struct Shared {
    dialect: &'static Dialect,
    /// One for each dialect and rule by which commitments open.
    openers: Vec<(&'static str, Committed, Checker)>,
    keyed: Keyed,
    /// What walks along chains may still take.
    hashes: u64,
    /// Digests that were made, each as many times as its message has blocks, and a few for each round.
    pub(super) work: u64,
}

impl Shared {
    pub(super) fn new(dialect: &'static Dialect, checker: &Checker) -> Self {
        let openers = vec![(dialect.name, dialect.scheme.committed, checker.clone())];
        Self { dialect, openers, keyed: Keyed::default(), hashes: MOST_HASHES, work: 0 }
    }

    fn opener(&mut self, dialect: &'static Dialect, committed: Committed) -> &mut Checker {
        let known =
            self.openers.iter().position(|(name, rule, _)| (*name, *rule) == (dialect.name, committed));
        let at = known.unwrap_or_else(|| {
            let scheme = Scheme { committed, ..dialect.scheme };
            self.openers.push((dialect.name, committed, Checker::reading(dialect, scheme)));
            self.openers.len() - 1
        });
        &mut self.openers[at].2
    }
}

/// One row, and what it comes to as it is: what a change does not touch is computed once.
#[derive(Debug)]
pub(super) struct Reading<'c> {
    case: &'c Case,
    as_it_is: Trial,
    opens: Option<bool>,
    outcome: OnceCell<Option<RoundOutcome>>,
    /// Most cards that it may be held against.
    want: usize,
    /// SHA-256 blocks of the texts that a digest is made of.
    blocks: u64,
    /// Chains on which its own hash was looked for.
    located: Vec<Committed>,
}

impl<'c> Reading<'c> {
    pub(super) fn new(dialect: &'static Dialect, case: &'c Case) -> Self {
        let rows = [Some(&case.round), case.before.as_deref(), case.after.as_deref()];
        let cards = rows.into_iter().flatten().filter_map(|round| round.cards.as_ref());
        Self {
            case,
            as_it_is: Trial::of(dialect, &case.round),
            opens: case.opens,
            outcome: OnceCell::new(),
            want: cards.map(Vec::len).max().unwrap_or(0).max(10),
            blocks: count(near::texts(&case.round) >> 6) + 1,
            located: Vec::new(),
        }
    }

    /// The row under a change of its seeds or its scheme; `None` where that changes nothing.
    fn trial(&self, change: &Change) -> Option<Trial> {
        let mut trial = self.as_it_is.clone();
        match &change.apply {
            Apply::Before(apply) => apply(&mut trial, self.case)?,
            Apply::Shown(_) => {}
        }
        Some(trial)
    }

    /// Whether the row verifies under a change.
    pub(super) fn verifies(&mut self, shared: &mut Shared, change: &Change) -> bool {
        let Some(trial) = self.trial(change) else { return false };
        if !self.opens(shared, change, &trial) {
            return false;
        }
        let Some(outcome) = self.outcome(shared, change, &trial) else { return false };
        let held = Held { case: self.case, trial: &trial, outcome: &outcome };
        let read = match &change.apply {
            Apply::Shown(apply) => apply(&held),
            Apply::Before(_) => held.as_it_is(),
        };
        read.is_some_and(|(outcome, row)| held.agrees(&outcome, row))
    }

    /// Whether a change of the scheme makes no difference to the row: it leads to no outcome or to the same, and to the
    /// same opening. One of the row's own columns always does: what the row says is other.
    pub(super) fn is_idle(&mut self, shared: &mut Shared, change: &Change) -> bool {
        let Some(trial) = self.trial(change) else { return true };
        let opens = change.touches(touches::OPENING) && trial.opened.commitment.is_some();
        if !change.touches(touches::SCHEME) || opens {
            return false;
        }
        let before = self.base(shared);
        let after = self.outcome(shared, change, &trial);
        after.is_none() || after == before
    }

    /// What the row's seeds give as it is.
    fn base(&self, shared: &mut Shared) -> Option<RoundOutcome> {
        self.outcome.get_or_init(|| self.play(shared, &self.as_it_is)).clone()
    }

    fn outcome(&self, shared: &mut Shared, change: &Change, trial: &Trial) -> Option<RoundOutcome> {
        if change.touches(touches::DEALING) { self.play(shared, trial) } else { self.base(shared) }
    }

    fn play(&self, shared: &mut Shared, trial: &Trial) -> Option<RoundOutcome> {
        let before = shared.keyed.made();
        let outcome =
            check::outcome(trial.dialect, &trial.scheme, &mut shared.keyed, &trial.played, self.want);
        let made = shared.keyed.made() - before + 8;
        shared.work = shared.work.saturating_add(made.saturating_mul(self.blocks));
        outcome.ok()
    }

    /// Whether what was promised opens, or nothing was.
    fn opens(&mut self, shared: &mut Shared, change: &Change, trial: &Trial) -> bool {
        if trial.opened.commitment.is_none() {
            return true;
        }
        if change.touches(touches::OPENING) {
            return self.walk(shared, trial);
        }
        let as_it_is = self.opens.unwrap_or_else(|| self.walk(shared, trial));
        self.opens = Some(as_it_is);
        as_it_is
    }

    /// Along a chain only where another row came by. Where none did, the row's own hash is looked for on the chain, once:
    /// its place tells that of its neighbours.
    fn walk(&mut self, shared: &mut Shared, trial: &Trial) -> bool {
        let (dialect, committed) = (trial.dialect, trial.scheme.committed);
        let (own, own_rule) = (shared.dialect, shared.dialect.scheme.committed);
        let mut allowed = Allowance::of(NEAR);
        let mut opening = shared.opener(dialect, committed).opens_within(&trial.opened, &mut allowed);
        // A chain from which a row opened needs no other reading of its links.
        let is_settled = committed != own_rule && shared.opener(own, own_rule).is_walked();
        if allowed.short && !is_settled && !self.located.contains(&committed) {
            self.located.push(committed);
            let row = &self.as_it_is.opened;
            // A little further than it is said to be from the end.
            let by_game = || row.game_id?.checked_sub(dialect.published?.end_game);
            let said = row.chain_steps.or_else(by_game);
            let share = said.map_or(MOST_HASHES_A_ROW, |steps| steps.saturating_add(NEAR)).min(shared.hashes);
            let mut most = Allowance::of(share);
            let anywhere = Round { chain_steps: None, game_id: None, ..row.clone() };
            drop(shared.opener(dialect, committed).opens_within(&anywhere, &mut most));
            shared.hashes -= share - most.hashes;
            opening = shared.opener(dialect, committed).opens_within(&trial.opened, &mut Allowance::of(NEAR));
        }
        !matches!(opening, Ok(CommitmentOpening::Mismatch(..)) | Err(_))
    }
}
