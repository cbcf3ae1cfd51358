//! The five entries, field by field, and the rules between the fields of one entry (spec/ledger.md, entries).
//!
//! Fields are declared in sorted order, so that plain serialisation gives the canonical form.

use serde::{Deserialize, Serialize};

use super::bounded::{Origin, Reason, Table};
use super::fields::{
    BeaconSignature, BeaconTerms, CommitWord, DealWord, LockWord, LoggedContribution, Mixing,
    Opened, ProtocolV1, ResultForm, RevealWord, SeenCheckpoint, True, VoidWord, display,
};
use super::layout::{Layout, check_seats};
use crate::deal::{
    Commitment, Contributions, Deck, Digest, HexError, Label, MAX_ITEMS, Method, Nonce, Plan,
    PlanError, ServerSeed, from_str,
};
use crate::record::as_json::{Int, as_text, object, present};
use crate::record::field_error::{FieldError, wrong};

/// The most rounds under one commitment.
pub const MAX_ROUNDS: u64 = 1_000_000;
/// The longest time from a commitment to its reveal, in milliseconds: 366 days.
pub const MAX_REVEAL_IN: u64 = 366 * 24 * 60 * 60 * 1000;
/// The most cards that a sealed deal draws: a verifier hashes each.
pub const MAX_SEALED: u64 = 4096;
/// The most indices that a deal of a list writes out; a longer result is a digest.
pub const MAX_INDICES: u32 = 1000;

/// A commitment to a server seed, and the terms of every round under it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
#[expect(
    missing_docs,
    reason = "the fields are those of spec/ledger.md, entries, under the same names"
)]
pub struct Commit {
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub after: Option<Commitment>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub beacon: Option<BeaconTerms>,
    pub commitment: Commitment,
    pub deck: Deck,
    pub draw: Int,
    pub entry: CommitWord,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub ext: Option<Digest>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub layout: Option<Layout>,
    pub method: Method,
    pub mixing: Mixing,
    pub origin: Origin,
    pub protocol: ProtocolV1,
    pub reveal_by: Int,
    pub rounds: Int,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub rules: Option<Digest>,
    pub sealed: bool,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub signed: Option<True>,
    pub table: Table,
    pub time: Int,
}

/// A round's contributions, fixed before the deal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
#[expect(
    missing_docs,
    reason = "the fields are those of spec/ledger.md, entries, under the same names"
)]
pub struct Lock {
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub beacon: Option<Int>,
    pub commitment: Commitment,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub contributions: Option<Vec<LoggedContribution>>,
    pub entry: LockWord,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub ext: Option<Digest>,
    pub nonce: Nonce,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub seats: Option<Vec<Label>>,
    pub time: Int,
}

/// A round's result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
#[expect(
    missing_docs,
    reason = "the fields are those of spec/ledger.md, entries, under the same names"
)]
pub struct Deal {
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub beacon: Option<BeaconSignature>,
    pub commitment: Commitment,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub contributions: Option<Vec<LoggedContribution>>,
    pub entry: DealWord,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub ext: Option<Digest>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub lock: Option<Int>,
    pub nonce: Nonce,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub opened: Option<Vec<Opened>>,
    pub result: ResultForm,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub seats: Option<Vec<Label>>,
    pub time: Int,
}

/// A round, or a whole commitment, that will not be dealt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
#[expect(
    missing_docs,
    reason = "the fields are those of spec/ledger.md, entries, under the same names"
)]
pub struct Void {
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub blame: Option<Label>,
    pub commitment: Commitment,
    pub entry: VoidWord,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub ext: Option<Digest>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub nonce: Option<Nonce>,
    pub reason: Reason,
    pub time: Int,
}

/// The server seed, made public.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
#[expect(
    missing_docs,
    reason = "the fields are those of spec/ledger.md, entries, under the same names"
)]
pub struct Reveal {
    pub commitment: Commitment,
    pub entry: RevealWord,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub ext: Option<Digest>,
    pub server_seed: RevealedSeed,
    pub time: Int,
}

object!(Commit, Lock, Deal, Void, Reveal);

/// A server seed in the log: no secret any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevealedSeed(Digest);

impl RevealedSeed {
    /// Makes a seed public.
    #[must_use]
    pub fn of(seed: &ServerSeed) -> Self {
        Self(Digest::from_bytes(*seed.expose()))
    }

    /// The seed, which opens the commitment and replays its rounds.
    #[must_use]
    pub fn seed(&self) -> ServerSeed {
        let mut bytes = *self.0.as_bytes();
        ServerSeed::from_bytes(&mut bytes)
    }

    /// 64 lowercase hex digits.
    #[must_use]
    pub fn to_text(&self) -> String {
        self.0.to_text()
    }
}

from_str! { RevealedSeed, HexError, |text| Digest::parse(text).map(RevealedSeed); }
display! { RevealedSeed, RevealedSeed::to_text; }
as_text!(RevealedSeed, "64 lowercase hex digits");

/// Which member of [`ResultForm`] a commitment's results have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultKind {
    /// `seal`: a sealed deal.
    Seal,
    /// `cards`: a named deck.
    Cards,
    /// `indices`: a list, at most 1,000 drawn.
    Indices,
    /// `digest`: a list, more drawn.
    Digest,
}

impl Commit {
    pub(super) fn check(&self) -> Result<(), FieldError> {
        let (time, reveal_by) = (self.time.value(), self.reveal_by.value());
        if !(1..=MAX_ROUNDS).contains(&self.rounds.value()) {
            return wrong(format!("rounds: expected 1 to {MAX_ROUNDS}, found {}", self.rounds));
        }
        let latest = time.saturating_add(MAX_REVEAL_IN);
        if reveal_by <= time || reveal_by > latest {
            return wrong(format!(
                "reveal_by: expected a time after {time} and at most 366 days later, {latest}; found {reveal_by}"
            ));
        }
        match (self.mixing, &self.beacon) {
            (Mixing::Beacon, None) => return wrong("beacon: missing, though mixing is \"beacon\""),
            (Mixing::Seeds | Mixing::Hashes, Some(_)) => {
                return wrong(format!(
                    "beacon: expected mixing \"beacon\", found {:?}",
                    self.mixing.as_str()
                ));
            }
            _ => {}
        }
        let draw = self.draw.value();
        if self.sealed && draw > MAX_SEALED {
            return wrong(format!("draw: a sealed deal draws at most {MAX_SEALED}, found {draw}"));
        }
        match (&self.layout, self.method) {
            (Some(_), Method::Cycle) => return wrong("layout: not with method \"cycle\""),
            (Some(layout), Method::Shuffle) => layout.check(draw)?,
            (None, _) => {}
        }
        self.plan().map(|_| ()).or_else(|e| wrong(format!("draw: {e}")))
    }

    /// How many seats a round has room for; `None` without a layout.
    #[must_use]
    pub fn most_seats(&self) -> Option<u64> {
        self.layout.as_ref().map(|layout| layout.most_seats(self.draw.value()))
    }

    /// What each round deals.
    ///
    /// # Errors
    /// [`PlanError`], where method, deck and draw do not go together; never for an entry that was parsed.
    pub fn plan(&self) -> Result<Plan, PlanError> {
        let draw = u32::try_from(self.draw.value()).unwrap_or(u32::MAX);
        Plan::new(self.method, self.deck.items(), draw)
    }

    /// The form of its results.
    #[must_use]
    pub fn form(&self) -> ResultKind {
        match self.deck {
            _ if self.sealed => ResultKind::Seal,
            Deck::Named(_) => ResultKind::Cards,
            Deck::List { .. } if self.draw.value() <= u64::from(MAX_INDICES) => ResultKind::Indices,
            Deck::List { .. } => ResultKind::Digest,
        }
    }
}

impl Lock {
    pub(super) fn check(&self) -> Result<(), FieldError> {
        if self.beacon.is_some_and(|round| round.value() == 0) {
            return wrong("beacon: a chain's rounds are counted from 1, found 0");
        }
        if let Some(seats) = &self.seats {
            check_seats(seats, self.contributions().iter().map(|one| &one.from))?;
        }
        let Some(contributions) = &self.contributions else {
            return if self.beacon.is_some() {
                Ok(())
            } else {
                wrong("contributions: missing, and no beacon's round is named either")
            };
        };
        check_contributions(contributions)?;
        for (at, one) in contributions.iter().enumerate() {
            if one.hash.is_some() == one.seed.is_some() {
                return wrong(format!("contributions[{at}]: expected either a seed or a hash"));
            }
        }
        Ok(())
    }

    /// Its contributions; empty where a beacon's round stands alone.
    #[must_use]
    pub fn contributions(&self) -> &[LoggedContribution] {
        self.contributions.as_deref().unwrap_or_default()
    }
}

impl Deal {
    pub(super) fn check(&self) -> Result<(), FieldError> {
        match (&self.contributions, &self.lock) {
            (Some(_), Some(_)) => {
                return wrong("expected either contributions or lock, found both");
            }
            (None, None) => return wrong("expected either contributions or lock, found neither"),
            (Some(contributions), None) => {
                if self.opened.is_some() || self.beacon.is_some() {
                    return wrong("opened and beacon stand only beside lock");
                }
                check_contributions(contributions)?;
                for (at, one) in contributions.iter().enumerate() {
                    if one.seed.is_none() || one.hash.is_some() {
                        return wrong(format!(
                            "contributions[{at}]: expected a clear seed; a hash belongs in a lock"
                        ));
                    }
                }
                if let Some(seats) = &self.seats {
                    check_seats(seats, contributions.iter().map(|one| &one.from))?;
                }
            }
            (None, Some(_)) => {
                if self.seats.is_some() {
                    return wrong(
                        "seats: only beside contributions; a locked round has them in its lock",
                    );
                }
            }
        }
        if let Some(opened) = &self.opened
            && !(1..=Contributions::MAX).contains(&opened.len())
        {
            return wrong(format!("opened: expected 1 to 64, found {}", opened.len()));
        }
        let result = &self.result;
        let forms = [
            result.cards.is_some(),
            result.digest.is_some(),
            result.indices.is_some(),
            result.seal.is_some(),
        ];
        let found = forms.into_iter().filter(|&is| is).count();
        if found != 1 {
            return wrong(format!(
                "result: expected one of cards, digest, indices, seal; found {found} of them"
            ));
        }
        match &result.indices {
            Some(indices) if indices.is_empty() => wrong("result.indices: expected at least one"),
            Some(indices) if indices.iter().any(|i| i.value() >= u64::from(MAX_ITEMS)) => {
                wrong(format!("result.indices: expected numbers under {MAX_ITEMS}"))
            }
            _ => Ok(()),
        }
    }

    /// Its own clear contributions; empty where a lock has them.
    #[must_use]
    pub fn contributions(&self) -> &[LoggedContribution] {
        self.contributions.as_deref().unwrap_or_default()
    }

    /// What it opens; empty where nothing was hashed.
    #[must_use]
    pub fn opened(&self) -> &[Opened] {
        self.opened.as_deref().unwrap_or_default()
    }
}

impl Void {
    pub(super) fn check(&self) -> Result<(), FieldError> {
        if self.blame.is_some() && self.nonce.is_none() {
            return wrong("blame: only with the nonce of a round");
        }
        Ok(())
    }
}

/// 1 to 64, ascending by the bytes of `from`, each once; a `seen` covers at least one entry.
fn check_contributions(contributions: &[LoggedContribution]) -> Result<(), FieldError> {
    if !(1..=Contributions::MAX).contains(&contributions.len()) {
        return wrong(format!("contributions: expected 1 to 64, found {}", contributions.len()));
    }
    for pair in contributions.windows(2) {
        if let [before, after] = pair
            && before.from >= after.from
        {
            return wrong(format!(
                "contributions: expected each \"from\" once, in ascending byte order; {:?} stands before {:?}",
                before.from.as_str(),
                after.from.as_str()
            ));
        }
    }
    if let Some(at) =
        contributions.iter().position(|one| one.key.is_some() != one.signature.is_some())
    {
        return wrong(format!(
            "contributions[{at}]: expected key and signature together, or neither"
        ));
    }
    let empty = |seen: &SeenCheckpoint| seen.size.value() == 0;
    match contributions.iter().position(|one| one.seen.as_ref().is_some_and(empty)) {
        Some(at) => wrong(format!("contributions[{at}].seen.size: expected at least 1, found 0")),
        None => Ok(()),
    }
}
