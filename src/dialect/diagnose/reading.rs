//! Rows read under changes: opened, played and held against what they show, each only once.

use std::collections::HashMap;

use super::change::{Change, touches};
use super::near::{self, Case};
use super::shown::shows;
use super::trial::Trial;
use super::{MOST_HASHES, MOST_HASHES_A_ROW};
use crate::dialect::Dialect;
use crate::dialect::chain::Allowance;
use crate::dialect::check::{self, Checker, Opening};
use crate::dialect::digests::Keyed;
use crate::dialect::play::Outcome;
use crate::dialect::round::Round;
use crate::dialect::scheme::{Committed, Form, Scheme};
use crate::stats::number::count;

/// Hashes to a place on a chain where another row came by.
const NEAR: u64 = 2_048;

/// What all rows share: keys, chains, and how much work is left.
#[derive(Debug)]
pub(super) struct Shared {
    dialect: &'static dyn Dialect,
    /// By dialect and by what is committed.
    openers: Vec<(&'static str, Committed, Checker)>,
    keyed: Keyed,
    /// What walks along chains may still take.
    hashes: u64,
    /// Digests that were made, each as many times as its message has blocks, and a few for each round.
    work: u64,
}

/// What a round that is opened depends on.
type OpenedAs = (&'static str, Committed, Option<String>, Option<[u8; 32]>, Option<u64>, Option<u64>);

/// What a round that is played depends on.
type PlayedAs =
    (&'static str, Scheme, Option<String>, Option<String>, Option<u64>, Option<String>, Option<String>);

/// One row, and how it came out so far.
#[derive(Debug)]
pub(super) struct Reading<'c> {
    case: &'c Case,
    as_it_is: Trial<'c>,
    opened: HashMap<OpenedAs, bool>,
    played: HashMap<PlayedAs, Option<Outcome>>,
    /// Most cards that it may be held against.
    want: usize,
    /// Chains on which its own hash was looked for.
    located: Vec<Committed>,
}

impl Shared {
    pub(super) fn new(dialect: &'static dyn Dialect, checker: &Checker) -> Self {
        let own = (dialect.name(), dialect.scheme().committed, checker.clone());
        let openers = vec![own];
        Self { dialect, openers, keyed: Keyed::default(), hashes: MOST_HASHES, work: 0 }
    }

    /// Digests that were made, those of long messages several times.
    pub(super) const fn work(&self) -> u64 {
        self.work
    }

    fn play(&mut self, trial: &Trial<'_>, want: usize) -> Option<Outcome> {
        let before = self.keyed.made();
        let outcome = check::outcome(trial.dialect, &trial.scheme, &mut self.keyed, &trial.played, want);
        let blocks = count(near::size(&trial.played) >> 6).saturating_add(1);
        let made = self.keyed.made().saturating_sub(before).saturating_add(8);
        self.work = self.work.saturating_add(made.saturating_mul(blocks));
        outcome.ok()
    }

    fn opener(&mut self, dialect: &'static dyn Dialect, committed: Committed) -> Option<&mut Checker> {
        let key = (dialect.name(), committed);
        let found = self.openers.iter().position(|(name, committed, _)| (*name, *committed) == key);
        let at = found.unwrap_or_else(|| {
            let scheme = Scheme { committed, ..dialect.scheme() };
            self.openers.push((dialect.name(), committed, Checker::reading(dialect, scheme)));
            self.openers.len().saturating_sub(1)
        });
        self.openers.get_mut(at).map(|(_, _, checker)| checker)
    }
}

impl<'c> Reading<'c> {
    pub(super) fn new(shared: &Shared, case: &'c Case) -> Self {
        let as_it_is = Trial::of(shared.dialect, case);
        let rows = [Some(&case.round), case.before.as_deref(), case.after.as_deref()];
        let cards = rows.into_iter().flatten().filter_map(|round| round.cards.as_ref());
        let want = cards.map(Vec::len).max().unwrap_or_default().max(10);
        let mut opened = HashMap::new();
        if let Some(opens) = case.opens {
            opened.insert(opened_as(&as_it_is), opens);
        }
        Self { case, as_it_is, opened, played: HashMap::new(), want, located: Vec::new() }
    }

    /// The row under these changes, those of what is shown left out; none where one does not apply to it.
    pub(super) fn trial(&self, changes: &[Change]) -> Option<Trial<'c>> {
        let mut order: Vec<Change> = changes.to_vec();
        order.retain(|change| change.touches() & touches::SHOWN == 0);
        // Another dialect's choices come first, then where a value is from, then how it is written and used.
        order.sort_by_key(|change| match change {
            Change::Dialect(_) | Change::Columns => 0_u8,
            Change::ServerSeed(_) | Change::ClientSeed(_) | Change::Record(_) | Change::NonceOf(_) => 1,
            Change::ServerWritten(_) | Change::ClientWritten(_) => 2,
            _ => 3,
        });
        order.into_iter().try_fold(self.as_it_is.clone(), |trial, change| trial.apply(change, self.case))
    }

    /// Whether the row verifies under these changes, at most one of them of what is shown.
    pub(super) fn verifies(&mut self, shared: &mut Shared, changes: &[Change]) -> bool {
        let shown = changes.iter().copied().find(|change| change.touches() & touches::SHOWN != 0);
        let Some(trial) = self.trial(changes) else { return false };
        self.opens(shared, &trial) && self.shows(shared, &trial, shown)
    }

    /// Whether what was promised opens, or nothing was.
    pub(super) fn opens(&mut self, shared: &mut Shared, trial: &Trial<'_>) -> bool {
        if trial.opened.commitment.is_none() {
            return true;
        }
        let key = opened_as(trial);
        if let Some(opens) = self.opened.get(&key) {
            return *opens;
        }
        let opens = self.walk(shared, trial).unwrap_or_default();
        self.opened.insert(key, opens);
        opens
    }

    /// Along a chain only where another row came by. Where none did, the row's own hash is looked for on the chain, once:
    /// its place tells that of its neighbours.
    fn walk(&mut self, shared: &mut Shared, trial: &Trial<'_>) -> Option<bool> {
        let (dialect, committed) = (trial.dialect, trial.scheme.committed);
        let mut allowed = Allowance { hashes: NEAR, short: false };
        let mut opening = shared.opener(dialect, committed)?.opens_within(&trial.opened, &mut allowed);
        let is_own = committed == shared.dialect.scheme().committed;
        // A chain from which a row opened needs no other reading of its links.
        let is_settled =
            !is_own && shared.opener(shared.dialect, shared.dialect.scheme().committed)?.is_walked();
        if allowed.short && !is_settled && !self.located.contains(&committed) {
            self.located.push(committed);
            // A little further than it is said to be from the end.
            let game = trial.dialect.published().zip(self.as_it_is.opened.game_id);
            let said =
                self.as_it_is.opened.chain_steps.or(game.and_then(|(p, game)| game.checked_sub(p.end_game)));
            let share = said.map_or(MOST_HASHES_A_ROW, |steps| steps.saturating_add(NEAR)).min(shared.hashes);
            let mut most = Allowance { hashes: share, short: false };
            let anywhere = Round { chain_steps: None, game_id: None, ..self.as_it_is.opened.clone() };
            drop(shared.opener(dialect, committed)?.opens_within(&anywhere, &mut most));
            shared.hashes = shared.hashes.saturating_sub(share.saturating_sub(most.hashes));
            allowed = Allowance { hashes: NEAR, short: false };
            opening = shared.opener(dialect, committed)?.opens_within(&trial.opened, &mut allowed);
        }
        Some(matches!(opening, Ok(Opening::Opens | Opening::NotShown | Opening::NoRule)))
    }

    /// Whether the row shows what its seeds give.
    pub(super) fn shows(&mut self, shared: &mut Shared, trial: &Trial<'_>, shown: Option<Change>) -> bool {
        let case = self.case;
        self.outcome(shared, trial).is_some_and(|outcome| shows(case, trial, outcome, shown))
    }

    /// What the seeds give, where they give something.
    pub(super) fn outcome(&mut self, shared: &mut Shared, trial: &Trial<'_>) -> Option<&Outcome> {
        let want = self.want;
        self.played.entry(played_as(trial)).or_insert_with(|| shared.play(trial, want)).as_ref()
    }

    /// Whether a change of the scheme makes no difference to the row: it leads to no outcome or to the same, and to the
    /// same opening. One of the row's own columns always does: what the row says is other.
    pub(super) fn is_idle(&mut self, shared: &mut Shared, change: Change) -> bool {
        let Some(trial) = self.trial(&[change]) else { return true };
        let is_of_scheme = change.touches() & !touches::SCHEME == 0;
        if !is_of_scheme || (change.touches() & touches::OPENING != 0 && trial.opened.commitment.is_some()) {
            return false;
        }
        let as_it_is = self.as_it_is.clone();
        let before = self.outcome(shared, &as_it_is).cloned();
        let after = self.outcome(shared, &trial);
        after.is_none() || after == before.as_ref()
    }
}

fn opened_as(trial: &Trial<'_>) -> OpenedAs {
    let round = &trial.opened;
    let seed = round.server_seed.as_deref().map(str::to_owned);
    let committed = trial.scheme.committed;
    (trial.dialect.name(), committed, seed, round.commitment, round.chain_steps, round.game_id)
}

fn played_as(trial: &Trial<'_>) -> PlayedAs {
    let round = &trial.played;
    // Neither of these has a say in what is played.
    let scheme = Scheme { committed: Committed::Hash(Form::Text), ..trial.scheme };
    let text = |text: &Option<std::borrow::Cow<'_, str>>| text.as_deref().map(str::to_owned);
    (
        trial.dialect.name(),
        scheme,
        text(&round.server_seed),
        text(&round.client_seed),
        round.nonce,
        text(&round.method),
        round.contributions.as_ref().map(|contributions| format!("{contributions:?}")),
    )
}
