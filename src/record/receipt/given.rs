//! Contributions that somebody has, and what a reader of a file may give with it (spec/receipt.md,
//! 11.8): contributions, players' keys, a seat. What that shows convinces only this reader.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::evidence::SeenHead;
use super::form::{Document, ReceiptError, without_mark};
use super::verify::SignedBy;
use crate::beacon::Chains;
use crate::deal::{Blind, ClientSeed, Commitment, Digest, Label, Nonce};
use crate::log::{Policy, VerifierKey};
use crate::record::as_json::{object, present, read};
use crate::record::entry::{
    Lock, LoggedContribution, Opened, PlayerKey, PlayerSignature, RevealedSeed, RoundOf,
    SeenCheckpoint, only_true, verify_contribution,
};
use crate::record::life::{View as _, opened_with};

/// The known members of a player's contribution. `fairdeal contribution` writes it; a player keeps
/// it, and gives the dealer a part of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct Given {
    /// The 32 bytes that hide the seed behind the hash. They are not logged before the deal.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub blind: Option<Blind>,
    /// The commitment that it was made for.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub commitment: Option<Commitment>,
    /// The contributor.
    pub from: Label,
    /// Whether the seed was given to the program that made it, for example by the operator's page.
    /// In JSON it is `true` or absent.
    #[serde(default, deserialize_with = "only_true", skip_serializing_if = "std::ops::Not::not")]
    pub given: bool,
    /// The hash of seed and blind, for a lock.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub hash: Option<Digest>,
    /// The player's Ed25519 public key; with `signature`.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub key: Option<PlayerKey>,
    /// The log that it was made for; with `commitment` and `nonce`.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub log: Option<VerifierKey>,
    /// The round that it was made for.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub nonce: Option<Nonce>,
    /// The seed.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub seed: Option<ClientSeed>,
    /// The checkpoint that the player had verified.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub seen: Option<SeenCheckpoint>,
    /// The signature of `key` over the contribution and its round.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub signature: Option<PlayerSignature>,
}

object!(Given);

impl Given {
    /// A contribution of which only the contributor is known.
    #[must_use]
    pub const fn of(from: Label) -> Self {
        Self {
            blind: None,
            commitment: None,
            from,
            given: false,
            hash: None,
            key: None,
            log: None,
            nonce: None,
            seed: None,
            seen: None,
            signature: None,
        }
    }

    /// A contribution of which the contributor and the seed are known.
    #[must_use]
    pub fn with_seed(from: Label, seed: ClientSeed) -> Self {
        Self { seed: Some(seed), ..Self::of(from) }
    }

    /// Reads the file that a player kept, which has the seed.
    ///
    /// # Errors
    /// [`ReceiptError`], which says which member was expected to be what.
    pub fn parse_kept(bytes: &[u8]) -> Result<Self, ReceiptError> {
        let bytes = without_mark(bytes);
        Document::readable(bytes)?;
        let kept: Self = read(bytes)?;
        let together = [
            (kept.blind.is_some(), kept.hash.is_some(), "blind and hash"),
            (kept.key.is_some(), kept.signature.is_some(), "key and signature"),
            (kept.commitment.is_some(), kept.nonce.is_some(), "log, commitment and nonce"),
            (kept.commitment.is_some(), kept.log.is_some(), "log, commitment and nonce"),
        ];
        let says = match together.into_iter().find(|(one, other, _)| one != other) {
            Some((.., both)) => format!("expected {both} together, or none of them"),
            None if kept.seed.is_none() => "expected a member \"seed\", found none".to_owned(),
            None if kept.seen.as_ref().is_some_and(|seen| seen.size.value() == 0) => {
                "seen.size: expected at least 1, found 0".to_owned()
            }
            None => match kept.changed() {
                Some(says) => says.to_owned(),
                None => return Ok(kept),
            },
        };
        Err(ReceiptError::Invalid(says))
    }

    /// How a contribution that names its round was changed; `None` if its hash and its signature
    /// are those of its members.
    fn changed(&self) -> Option<&'static str> {
        let (log, commitment, nonce) = self.round()?;
        let round = RoundOf { log, commitment, nonce };
        if let (Some(hash), Some(blind), Some(seed)) = (self.hash, &self.blind, &self.seed)
            && round.hash(&self.logged().with_seed(seed.clone()), blind) != hash
        {
            return Some(
                "hash: expected the hash of its own members, found another: the file was changed",
            );
        }
        if self.seen.as_ref().is_some_and(|seen| !SignedBy(log).is_signed(seen)) {
            return Some("seen: expected a checkpoint that its log signed: the file was changed");
        }
        verify_contribution(&round, &self.logged()).is_err().then_some(
            "signature: expected one by its key over its own members, found another: the file was changed",
        )
    }

    /// The log and the round that it names; `None` if it names none.
    #[must_use]
    pub fn round(&self) -> Option<(&VerifierKey, Commitment, Nonce)> {
        Some((self.log.as_ref()?, self.commitment?, self.nonce?))
    }

    /// The contribution in the log before it is opened: the hash if there is one, or else the seed.
    #[must_use]
    pub fn logged(&self) -> LoggedContribution {
        LoggedContribution {
            from: self.from.clone(),
            hash: self.hash,
            key: self.key,
            seed: self.seed.clone().filter(|_| self.hash.is_none()),
            seen: self.seen.clone(),
            signature: self.signature,
        }
    }

    /// Whether it opens this contribution of a lock.
    #[must_use]
    pub fn opens(&self, log: &VerifierKey, lock: &Lock, one: &LoggedContribution) -> bool {
        let (Some(seed), Some(blind)) = (&self.seed, &self.blind) else { return false };
        opened_with(Some(log), lock, one, seed, blind).is_some()
    }
}

impl From<LoggedContribution> for Given {
    fn from(logged: LoggedContribution) -> Self {
        let LoggedContribution { from, hash, key, seed, seen, signature } = logged;
        Self { hash, key, seed, seen, signature, ..Self::of(from) }
    }
}

impl From<Opened> for Given {
    fn from(opened: Opened) -> Self {
        let Opened { blind, from, seed } = opened;
        Self { blind: Some(blind), ..Self::with_seed(from, seed) }
    }
}

/// A contribution in evidence.
#[derive(Clone, Debug)]
pub struct InEvidence {
    /// The contribution.
    pub contribution: Given,
    /// Whether the reader kept the evidence: only then is the contribution the reader's.
    pub is_kept: bool,
}

/// A file, and what the reader says of it.
#[derive(Clone, Copy, Debug)]
pub struct GivenFile<'a> {
    /// Its name.
    pub name: &'a str,
    /// The file.
    pub document: &'a Document,
    /// Whether the reader kept it (11.8).
    pub is_kept: bool,
}

impl<'a> GivenFile<'a> {
    /// A file that somebody gave the reader.
    #[must_use]
    pub const fn new(name: &'a str, document: &'a Document) -> Self {
        Self { name, document, is_kept: false }
    }
}

/// All that a reader gives.
#[derive(Clone, Debug, Default)]
pub struct ReaderGiven {
    /// The reader's contributions to the round.
    pub mine: Vec<Given>,
    /// The contributions in evidence. One that names no round is ignored (11.10).
    pub in_evidence: Vec<InEvidence>,
    /// The views of the log that a player saw, by their names (11.10). Those that the log did not
    /// sign are ignored.
    pub heads: Vec<(String, SeenHead)>,
    /// The keys that players gave the reader.
    pub players: BTreeMap<Label, PlayerKey>,
    /// The seat of the reader, who holds an opening for it.
    pub seat: Option<Label>,
    /// The witnesses that the reader has chosen, for this log.
    pub policy: Option<Policy>,
    /// The chains of beacons that the reader knows.
    pub chains: Chains,
    /// Server seeds that operators published outside of the log (spec/raffle.md, section 38): a deal
    /// without a reveal is replayed with the one that opens its commitment.
    pub seeds: Vec<RevealedSeed>,
}
