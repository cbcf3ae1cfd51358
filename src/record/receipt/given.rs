//! What a reader may give beside a file (spec/receipt.md, 11.8): own contributions, players' keys, a seat.
//!
//! What it shows convinces only the reader who gave it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::form::{Document, ReceiptError};
use crate::deal::{Blind, ClientSeed, Commitment, Digest, Label, Nonce};
use crate::record::as_json::{object, present, read};
use crate::record::entry::{PlayerKey, PlayerSignature, SeenCheckpoint};

/// What a player keeps of a contribution: `fairdeal contribution` writes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct Own {
    /// The 32 bytes that hide the seed behind the hash.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub blind: Option<Blind>,
    /// Its commitment; with the nonce.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub commitment: Option<Commitment>,
    /// Whose it is.
    pub from: Label,
    /// The hash that was given first; with the blind.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub hash: Option<Digest>,
    /// The player's public key; with the signature.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub key: Option<PlayerKey>,
    /// Its round.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub nonce: Option<Nonce>,
    /// The seed.
    pub seed: ClientSeed,
    /// The checkpoint that the player had verified.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub seen: Option<SeenCheckpoint>,
    /// The key's signature over the contribution and its round.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub signature: Option<PlayerSignature>,
}

object!(Own);

impl Own {
    /// A seed that a player remembers, without a checkpoint.
    #[must_use]
    pub fn remembered(from: Label, seed: ClientSeed) -> Self {
        let (blind, commitment, hash, key) = (None, None, None, None);
        Self { blind, commitment, from, hash, key, nonce: None, seed, seen: None, signature: None }
    }

    /// Reads what a player kept.
    ///
    /// # Errors
    /// [`ReceiptError`], which says which member was expected to be what.
    pub fn parse(bytes: &[u8]) -> Result<Self, ReceiptError> {
        Document::readable(bytes)?;
        let own: Self = read(bytes)?;
        let together = [
            (own.blind.is_some(), own.hash.is_some(), "blind and hash"),
            (own.key.is_some(), own.signature.is_some(), "key and signature"),
            (own.commitment.is_some(), own.nonce.is_some(), "commitment and nonce"),
        ];
        match together.into_iter().find(|(one, other, _)| one != other) {
            Some((.., both)) => {
                Err(ReceiptError::Invalid(format!("expected {both} together, or neither")))
            }
            None if own.seen.as_ref().is_some_and(|seen| seen.size.value() == 0) => {
                Err(ReceiptError::Invalid("seen.size: expected at least 1, found 0".to_owned()))
            }
            None => Ok(own),
        }
    }

    /// The round that it names; `None` where it names none.
    #[must_use]
    pub fn round(&self) -> Option<(Commitment, Nonce)> {
        self.commitment.zip(self.nonce)
    }
}

/// All that a reader gives.
#[derive(Clone, Debug, Default)]
pub struct ReaderGiven {
    /// What the reader brought to the round.
    pub mine: Vec<Own>,
    /// The same from evidence: each is compared with the files of its round alone (11.10).
    pub kept: Vec<Own>,
    /// Checkpoints that a player saw, as signed notes, by their names (11.10). Those that the log did not sign are passed over.
    pub heads: Vec<(String, String)>,
    /// The keys that players gave the reader.
    pub players: BTreeMap<Label, PlayerKey>,
    /// The seat of the reader, who holds an opening for it.
    pub seat: Option<Label>,
}

impl ReaderGiven {
    /// The part that is compared with one round's file among several: without contributions to other rounds.
    pub(super) fn for_round(
        &self,
        round: Option<(Commitment, Nonce)>,
        all: &[Option<(Commitment, Nonce)>],
    ) -> Self {
        let elsewhere =
            |named: (Commitment, Nonce)| round != Some(named) && all.contains(&Some(named));
        let mine = self.mine.iter().filter(|own| !own.round().is_some_and(elsewhere));
        let kept = self.kept.iter().filter(|own| own.round().is_some() && own.round() == round);
        Self {
            mine: mine.chain(kept).cloned().collect(),
            players: self.players.clone(),
            seat: self.seat.clone(),
            ..Self::default()
        }
    }
}
