//! Raffles (spec/raffle.md): the commitment and the lock of a draw, and its document. The list and
//! the rules are kept beside the published files, each under its digest.

use std::time::Duration;

use sha2::{Digest as _, Sha256};

use crate::core::Core;
use crate::deal::judging::int;
use crate::entropy::random;
use crate::error::LedgerError;
use crate::read::queries::life;
use crate::store::{Fault, StoreError};
use crate::{BeaconOptions, Done, IdempotencyKey, Ledger, NewCommit, Reader};
use fairdeal::deal::{Commitment, Deck, Digest, Nonce, ServerSeed};
use fairdeal::raffle::{RaffleDocument, RaffleRules, Tickets};
use fairdeal::record::entry::{Commit, Int, Mixing, RevealedSeed, Table, Terms};
use fairdeal::utc::utc;

/// How long after the draw a raffle's reveal may come. Its seed is public before: an organiser who
/// logs the draw late has gained nothing by it.
const REVEAL_IN: Duration = Duration::from_hours(30 * 24);

/// How long before its draw a raffle may be promised, in milliseconds: a reveal comes at most 366 days
/// after the commitment.
const MOST_AHEAD: u64 = 335 * 24 * 3_600_000;

/// A raffle to promise.
#[derive(Clone, Debug)]
pub struct NewRaffle {
    /// Its own table.
    pub table: Table,
    /// The list's file (35.1).
    pub list: Vec<u8>,
    /// The number of winners, and what the raffle is called.
    pub rules: RaffleRules,
    /// The chain of the beacon that decides. `None`: `quicknet`.
    pub chain: Option<Digest>,
    /// When it is drawn.
    pub draw: DrawTime,
    /// As [`NewCommit::policy`].
    pub policy: Option<String>,
}

/// The digest of a raffle's rules; `None` if these are not the terms of a raffle (spec/raffle.md, 35.2).
#[must_use]
pub fn raffle_rules(terms: &Commit) -> Option<Digest> {
    let is_raffle = terms.mixing == Mixing::Beacon
        && terms.rounds == Int::ONE
        && matches!(terms.deck, Deck::List { .. });
    terms.rules.filter(|_| is_raffle)
}

/// When a raffle is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawTime {
    /// At this second since 1970: it is locked at once, and takes no seeds of others.
    At(u64),
    /// So many milliseconds after its lock, which follows with the seeds of others.
    AfterLock(u64),
}

impl NewRaffle {
    /// A table that nobody has. It follows from an idempotency key, since a request that is repeated
    /// must be the same one.
    ///
    /// # Errors
    /// [`LedgerError::System`] if the system gives no randomness.
    pub fn own_table(key: Option<&IdempotencyKey>) -> Result<Table, LedgerError> {
        let number: [u8; 32] = match key {
            Some(key) => Sha256::digest(key.as_str()).into(),
            None => *random::<32>()?,
        };
        let name: String = hex::encode(number).chars().take(16).collect();
        let table = Table::new(format!("raffle-{name}"));
        table.map_err(|error| LedgerError::Invalid(error.to_string()))
    }
}

impl Ledger {
    /// Promises a raffle: keeps its list and rules, commits, and locks unless others bring seeds.
    ///
    /// # Errors
    /// [`LedgerError::Invalid`] for a list that is none, or has fewer different lines than winners.
    pub async fn raffle(
        &self,
        new: NewRaffle,
        key: Option<IdempotencyKey>,
    ) -> Result<Done, LedgerError> {
        let NewRaffle { table, list, rules, chain, draw, policy } = new;
        let invalid = |says: String| LedgerError::Invalid(says);
        let rules = rules.checked().map_err(|error| invalid(error.says().to_owned()))?;
        let (tickets, list) = tokio::task::spawn_blocking(move || (Tickets::parse(&list), list))
            .await
            .map_err(|error| LedgerError::System(error.to_string()))?;
        let tickets = tickets.map_err(|error| invalid(error.to_string()))?;
        let drawn = tickets.draw(rules.count()).ok_or_else(|| {
            invalid(format!(
                "winners: expected at most {}, the number of different lines of the list, found {}",
                tickets.different(),
                rules.count()
            ))
        })?;
        let (draw_at, margin) = match draw {
            DrawTime::At(second) => (Some(second), 0),
            DrawTime::AfterLock(margin) => (None, margin),
        };
        let margin = int("margin", margin)?;
        let after = match draw {
            DrawTime::At(second) => second.saturating_mul(1000),
            DrawTime::AfterLock(margin) => self.core.watch.unix().saturating_add(margin),
        };
        let latest = self.core.watch.unix().saturating_add(MOST_AHEAD);
        if after > latest {
            let says = format!(
                "the time of the draw: expected at most 335 days from now, {}, found {}",
                utc(latest),
                utc(after)
            );
            return Err(invalid(says));
        }
        let digest = rules.digest();
        let terms = Terms {
            beacon: Some(BeaconOptions::terms(chain, Some(margin))),
            draw: drawn.into(),
            mixing: Mixing::Beacon,
            rounds: Int::ONE,
            rules: Some(digest),
            ..Terms::new(table, tickets.deck())
        };
        let core = &self.core;
        core.accepts()?;
        // Before the commitment: what it names can be read from then on.
        core.keep_file(list).await?;
        core.keep_file(rules.to_canonical().into_bytes()).await?;
        let reveal_in = REVEAL_IN.saturating_add(Duration::from_millis(margin.value()));
        self.commit(NewCommit { reveal_in, policy, draw_at, ..NewCommit::new(terms) }, key).await
    }
}

impl Reader {
    /// The document of a raffle that was promised here (section 37). It has the server seed once the
    /// lock is published, and signed by a quorum if the ledger has a policy of witnesses.
    ///
    /// # Errors
    /// [`LedgerError::NoRaffle`] for a commitment that is none, or has no lock yet.
    pub async fn raffle_document(
        &self,
        commitment: Commitment,
    ) -> Result<RaffleDocument, LedgerError> {
        let core = &self.core;
        core.is_open()?;
        let none = |says: &str| LedgerError::NoRaffle { commitment, says: says.to_owned() };
        let summary = self.show(commitment).await?;
        let rules =
            raffle_rules(&summary.terms).ok_or_else(|| none("its terms are no raffle's"))?;
        let bytes = core.kept_file(&rules).await?.ok_or_else(|| none("its rules are not here"))?;
        let rules = RaffleRules::parse(&bytes).map_err(|error| none(&error.to_string()))?;
        let first = Nonce::new(0).map_err(|error| LedgerError::Invalid(error.to_string()))?;
        let receipt = match self.receipt(commitment, Some(first)).await {
            Err(LedgerError::UnknownRound { .. }) => return Err(none("it is not locked yet")),
            receipt => receipt?,
        };
        // The receipt's checkpoint is over the lock.
        let seed = match receipt.entries.get(1).map(|one| one.index.value()) {
            Some(index) if core.is_witnessed(index, u64::MAX).await? => {
                Some(RevealedSeed::of(&core.opened_seed(commitment).await?))
            }
            _ => None,
        };
        RaffleDocument::new(rules, receipt, seed).map_err(|error| none(&error.to_string()))
    }

    /// A raffle's list or rules, by their digest.
    pub async fn kept_file(&self, digest: &Digest) -> Result<Option<Vec<u8>>, LedgerError> {
        self.core.is_open()?;
        self.core.kept_file(digest).await
    }
}

impl Core {
    async fn opened_seed(&self, commitment: Commitment) -> Result<ServerSeed, LedgerError> {
        let mut read = self.state.read().await?;
        let stored = life(&mut *read, commitment).await?;
        self.keys.vault.open(&stored.seed, &commitment)
    }

    /// Keeps a file under its digest. It is durable when the call returns.
    async fn keep_file(&self, bytes: Vec<u8>) -> Result<(), LedgerError> {
        let path = path(&Digest::from_bytes(Sha256::digest(&bytes).into()));
        Ok(self.tiles.replace(&path, bytes).await?)
    }

    async fn kept_file(&self, digest: &Digest) -> Result<Option<Vec<u8>>, LedgerError> {
        let path = path(digest);
        let Some(bytes) = self.tiles.get(&path).await? else { return Ok(None) };
        if Sha256::digest(&bytes).as_slice() == digest.as_bytes() {
            return Ok(Some(bytes));
        }
        let says = "its bytes are not those of its name";
        Err(StoreError::new(Fault::Damaged, path, says).into())
    }
}

/// The place of a kept file among the published ones.
fn path(digest: &Digest) -> String {
    format!("raffle/{digest}")
}
