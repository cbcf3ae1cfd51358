//! The five entries, field by field, and the rules between the fields of one entry (spec/ledger.md,
//! entries).
//!
//! Fields are declared in sorted order, so that plain serialisation gives the canonical form: of
//! all but `Commit`, whose terms are flattened.

#![expect(missing_docs, reason = "the fields have the names of spec/ledger.md, section 8.2")]

use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Serialize};

use super::bounded::{Origin, Reason};
use super::fields::{
    BeaconSignature, CommitWord, DealWord, LockWord, LoggedContribution, Opened, ProtocolV1,
    ResultForm, RevealWord, SeenCheckpoint, VoidWord, display,
};
use super::layout::check_seats;
use super::terms::{Terms, flattened};
use crate::deal::{
    Commitment, Contributions, Digest, HexError, Label, MAX_ITEMS, Nonce, ServerSeed, from_str,
};
use crate::record::as_json::{Int, as_text, object, present};
use crate::record::field_error::{FieldError, wrong};

/// The longest time from a commitment to its reveal, in milliseconds: 366 days.
pub const MAX_REVEAL_IN: u64 = 366 * 24 * 60 * 60 * 1000;

/// A commitment to a server seed, and the terms of every round under it, which can be read as
/// fields of the commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commit {
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub after: Option<Commitment>,
    pub commitment: Commitment,
    pub entry: CommitWord,
    pub origin: Origin,
    pub protocol: ProtocolV1,
    pub reveal_by: Int,
    #[serde(flatten, deserialize_with = "flattened")]
    pub terms: Terms,
    pub time: Int,
}

impl Deref for Commit {
    type Target = Terms;

    fn deref(&self) -> &Terms {
        &self.terms
    }
}

impl DerefMut for Commit {
    fn deref_mut(&mut self) -> &mut Terms {
        &mut self.terms
    }
}

/// A round's contributions, fixed before the deal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
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
pub struct Reveal {
    pub commitment: Commitment,
    pub entry: RevealWord,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub ext: Option<Digest>,
    pub server_seed: RevealedSeed,
    pub time: Int,
}

object!(Lock, Deal, Void, Reveal);

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

    /// Whether it is the seed of a commitment.
    #[must_use]
    pub fn opens(&self, commitment: &Commitment) -> bool {
        commitment.verify_opening(&self.seed()).is_ok()
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

impl Commit {
    pub(super) fn check(&self) -> Result<(), FieldError> {
        let (time, reveal_by) = (self.time.value(), self.reveal_by.value());
        let latest = time.saturating_add(MAX_REVEAL_IN);
        if reveal_by <= time || reveal_by > latest {
            return wrong(format!(
                "reveal_by: expected a time after {time} and at most 366 days later, {latest}; \
                 found {reveal_by}"
            ));
        }
        self.terms.check()
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

    /// Its contributions; empty if it has only a beacon's round.
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

    /// Its own clear contributions; empty if a lock has them.
    #[must_use]
    pub fn contributions(&self) -> &[LoggedContribution] {
        self.contributions.as_deref().unwrap_or_default()
    }

    /// The opened hashes; empty if nothing was hashed.
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
