//! What an operator asks of a ledger, and what comes of it.
//!
//! A command leaves out what only the ledger knows: the time, the table's chain, the next nonce, the open lock.

use std::time::Duration;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::error::LedgerError;
use super::judging::Dealt;
use crate::deal::{Commitment, Deck, Digest, Label, Method, Nonce};
use crate::record::entry::{Commit, Entry, Layout, LoggedContribution, Mixing, Opened, Reason, Table};
use crate::record::life::{End, Life, Open};
use crate::record::{Finding, finding::Code};

/// The terms of every round under a new commitment.
#[derive(Clone, Debug)]
pub struct NewCommit {
    /// Whose chain of commitments this one continues.
    pub table: Table,
    /// How the items are brought into order.
    pub method: Method,
    /// What is shuffled.
    pub deck: Deck,
    /// How many items a round deals; all of them where it is none.
    pub draw: Option<u32>,
    /// Whether each card is sealed, to be opened alone.
    pub sealed: bool,
    /// What every round must have, at least. Beacons are refused for now.
    pub mixing: Mixing,
    /// The most rounds, 1 to 1,000,000.
    pub rounds: u64,
    /// How long after the commitment its seed is revealed at the latest: at most 366 days.
    pub reveal_in: Duration,
    /// Whether every contribution is signed by its player.
    pub signed: bool,
    /// Who gets which card.
    pub layout: Option<Layout>,
    /// SHA-256 of the game's published rules.
    pub rules: Option<Digest>,
    /// SHA-256 of whatever the operator wants bound.
    pub ext: Option<Digest>,
}

impl NewCommit {
    /// One round of the standard deck, shuffled, all cards dealt in clear from seeds in clear, revealed within a day.
    #[must_use]
    pub const fn of_table(table: Table) -> Self {
        Self {
            table,
            method: Method::Shuffle,
            deck: Deck::standard(),
            draw: None,
            sealed: false,
            mixing: Mixing::Seeds,
            rounds: 1,
            reveal_in: Duration::from_hours(24),
            signed: false,
            layout: None,
            rules: None,
            ext: None,
        }
    }

    /// Those of a commitment once more, for the next one of its table.
    pub(super) fn again(commit: &Commit) -> Self {
        let reveal_in = commit.reveal_by.value().saturating_sub(commit.time.value());
        Self {
            table: commit.table.clone(),
            method: commit.method,
            deck: commit.deck,
            draw: u32::try_from(commit.draw.value()).ok(),
            sealed: commit.sealed,
            mixing: commit.mixing,
            rounds: commit.rounds.value(),
            reveal_in: Duration::from_millis(reveal_in),
            signed: commit.signed.is_some(),
            layout: commit.layout.clone(),
            rules: commit.rules,
            ext: commit.ext,
        }
    }
}

/// A round's contributions, to be fixed before the deal.
#[derive(Clone, Debug, Default)]
pub struct NewLock {
    /// The round, which must be the next; where it is none, the next is taken.
    pub nonce: Option<Nonce>,
    /// Seeds or hashes, in any order.
    pub contributions: Vec<LoggedContribution>,
    /// What opens the hashes, where the caller has it: a hash that its own seed and blind refute is refused. Not logged.
    pub openings: Vec<Opened>,
    /// Who is dealt to, in the order of the seats; every `from` among them.
    pub seats: Option<Vec<Label>>,
    /// Whether to lock after `reveal_by` too. The commitment is overdue then, and its reveal is late.
    pub late: bool,
    /// SHA-256 of whatever the operator wants bound.
    pub ext: Option<Digest>,
}

/// A round to be dealt.
#[derive(Clone, Debug, Default)]
pub struct NewDeal {
    /// The round, which must be the next; where it is none, the next is taken.
    pub nonce: Option<Nonce>,
    /// Where nothing was locked: clear seeds, in any order.
    pub contributions: Vec<LoggedContribution>,
    /// After a lock: its hashes opened, in any order.
    pub opened: Vec<Opened>,
    /// Where nothing was locked: who is dealt to, in the order of the seats.
    pub seats: Option<Vec<Label>>,
    /// Whether to deal after `reveal_by` too. The commitment is overdue then, and its reveal is late.
    pub late: bool,
    /// Whether the table's next commitment is made in the same batch, on the same terms, where this ends this one's turn.
    pub next: bool,
    /// SHA-256 of whatever the operator wants bound.
    pub ext: Option<Digest>,
}

/// A round, or a commitment that was never used, that will not be dealt.
#[derive(Clone, Debug)]
pub struct NewVoid {
    /// The round; where it is none, the whole commitment.
    pub nonce: Option<Nonce>,
    /// Why, for the log.
    pub reason: Reason,
    /// Who is blamed, of the round's lock: the operator's word, no proof.
    pub blame: Option<Label>,
    /// Whether the table's next commitment is made in the same batch, on the same terms, where this ends this one's turn.
    pub next: bool,
    /// SHA-256 of whatever the operator wants bound.
    pub ext: Option<Digest>,
}

/// A server seed, to be made public.
#[derive(Clone, Debug, Default)]
pub struct NewReveal {
    /// Whether the table's next commitment is made in the same batch, on the same terms, unless there is one already.
    pub next: bool,
    /// SHA-256 of whatever the operator wants bound.
    pub ext: Option<Digest>,
}

/// A caller's name for one request: the same key and request get the same answer for 24 hours.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IdempotencyKey(String);

impl IdempotencyKey {
    /// # Errors
    /// What was expected and what came: 1 to 255 bytes without control characters.
    pub fn new(text: impl Into<String>) -> Result<Self, String> {
        let text = text.into();
        if !(1..=255).contains(&text.len()) {
            return Err(format!("an idempotency key has 1 to 255 bytes, not {}", text.len()));
        }
        match text.chars().find(|c| c.is_control()) {
            Some(found) => Err(format!("an idempotency key holds no control characters, found {found:?}")),
            None => Ok(Self(text)),
        }
    }

    /// The key, exactly as given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What a command came to: its entry is in the log, and the checkpoint that covers it is published.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Done {
    /// The commitment that the entry stands under.
    pub commitment: Commitment,
    /// The round, where it is about one.
    pub nonce: Option<Nonce>,
    /// The entry's index in the log.
    pub index: u64,
    /// The entry.
    pub entry: Entry,
    /// A sealed deal's card seals in deal order: for the players, before the first card is shown.
    pub card_seals: Option<Vec<Digest>>,
    /// The item numbers dealt, in deal order; none where the deal is sealed.
    pub items: Option<Vec<u32>>,
    /// What the log now shows against its operator: a reveal that came too late is better than none.
    pub findings: Vec<Finding>,
    /// The table's next commitment, where that was asked for and this one's turn is over: its index and its commit.
    pub next: Option<(u64, Box<Commit>)>,
    /// Whether this was done before, and is answered again for its idempotency key.
    pub repeated: bool,
}

impl Done {
    pub(super) fn new(index: u64, entry: Entry, findings: Vec<Finding>, dealt: Option<Dealt>) -> Self {
        let (card_seals, items) = dealt.map_or((None, None), |dealt| (dealt.card_seals, dealt.items));
        let (commitment, nonce) = (entry.commitment(), entry.nonce());
        let (next, repeated) = (None, false);
        Self { commitment, nonce, index, entry, card_seals, items, findings, next, repeated }
    }
}

/// One commitment, as far as it has come.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Summary {
    /// The commitment.
    pub commitment: Commitment,
    /// The commit's index in the log.
    pub index: u64,
    /// Its terms, as they are logged.
    pub terms: Commit,
    /// The nonce of the next round; while one is open, of that one.
    pub next: u64,
    /// The round that is locked, if one is.
    pub open: Option<Open>,
    /// Whether a round was ever locked, dealt or voided.
    pub used: bool,
    /// Whether every round is dealt or voided.
    pub used_up: bool,
    /// How it ended.
    pub ended: Option<End>,
}

impl From<Life> for Summary {
    fn from(life: Life) -> Self {
        Self {
            commitment: life.commit.commitment,
            index: life.index,
            next: life.next,
            used: life.used(),
            used_up: life.used_up(),
            ended: life.end,
            open: life.open,
            terms: *life.commit,
        }
    }
}

/// A command, as it waits for its batch.
#[derive(Clone, Debug)]
pub(super) enum Command {
    Commit(Box<NewCommit>),
    Lock(Commitment, NewLock),
    Deal(Commitment, NewDeal),
    Void(Commitment, NewVoid),
    Reveal(Commitment, NewReveal),
}

impl Command {
    /// The commitment that it is about; a new one has none yet.
    pub(super) fn commitment(&self) -> Option<Commitment> {
        match self {
            Self::Commit(_) => None,
            Self::Lock(c, _) | Self::Deal(c, _) | Self::Void(c, _) | Self::Reveal(c, _) => Some(*c),
        }
    }

    /// Whether the table's next commitment is to come right after it.
    pub(super) fn wants_next(&self) -> bool {
        match self {
            Self::Deal(_, deal) => deal.next,
            Self::Void(_, void) => void.next,
            Self::Reveal(_, reveal) => reveal.next,
            Self::Commit(_) | Self::Lock(..) => false,
        }
    }

    /// The contributions that it brings.
    pub(super) fn contributions(&self) -> &[LoggedContribution] {
        match self {
            Self::Lock(_, lock) => &lock.contributions,
            Self::Deal(_, deal) => &deal.contributions,
            Self::Commit(_) | Self::Void(..) | Self::Reveal(..) => &[],
        }
    }

    /// Brings what may come in any order into the log's.
    pub(super) fn sort(&mut self) {
        match self {
            Self::Lock(_, lock) => lock.contributions.sort_by(|a, b| a.from.cmp(&b.from)),
            Self::Deal(_, deal) => {
                deal.contributions.sort_by(|a, b| a.from.cmp(&b.from));
                deal.opened.sort_by(|a, b| a.from.cmp(&b.from));
            }
            Self::Commit(_) | Self::Void(..) | Self::Reveal(..) => {}
        }
    }

    /// What no entry could say, known before the ledger is asked.
    pub(super) fn check(&self) -> Result<(), LedgerError> {
        if let Self::Commit(terms) = self
            && terms.mixing == Mixing::Beacon
        {
            return Err(LedgerError::Invalid(
                "mixing: expected \"seeds\" or \"hashes\"; this version deals no beacon rounds".to_owned(),
            ));
        }
        Ok(())
    }

    /// SHA-256 of the request: what an idempotency key is held to. It says what is to be logged; `late` and `openings` only
    /// say when that is refused.
    pub(super) fn digest(&self) -> [u8; 32] {
        let about = self.commitment();
        let request: Value = match self {
            Self::Commit(t) => json!({
                "entry": "commit", "table": t.table, "method": t.method, "deck": t.deck, "draw": t.draw,
                "sealed": t.sealed, "mixing": t.mixing, "rounds": t.rounds,
                "reveal_in": t.reveal_in.as_millis().to_string(), "rules": t.rules, "ext": t.ext,
                "signed": t.signed, "layout": t.layout,
            }),
            Self::Lock(_, lock) => json!({
                "entry": "lock", "commitment": about, "nonce": lock.nonce,
                "contributions": lock.contributions, "seats": lock.seats, "ext": lock.ext,
            }),
            Self::Deal(_, deal) => json!({
                "entry": "deal", "commitment": about, "nonce": deal.nonce,
                "contributions": deal.contributions, "opened": deal.opened, "ext": deal.ext,
                "seats": deal.seats, "next": deal.next,
            }),
            Self::Void(_, void) => json!({
                "entry": "void", "commitment": about, "nonce": void.nonce,
                "reason": void.reason, "blame": void.blame, "ext": void.ext, "next": void.next,
            }),
            Self::Reveal(_, reveal) => json!({
                "entry": "reveal", "commitment": about, "ext": reveal.ext, "next": reveal.next,
            }),
        };
        // A JSON value prints its members sorted, so one request has one text.
        Sha256::digest(request.to_string()).into()
    }
}

/// Whether a finding is no reason to refuse: a reveal that comes late is accused, one that never comes blocks its table.
pub(super) fn is_borne(finding: &Finding) -> bool {
    finding.code == Code::LateReveal
}
