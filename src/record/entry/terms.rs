//! The terms of a commitment: what an operator chooses, and every round under it keeps.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::bounded::Table;
use super::fields::{BeaconTerms, Mixing};
use super::layout::Layout;
use crate::deal::{Deck, Digest, Method, Plan, PlanError};
use crate::record::as_json::{Int, object, present};
use crate::record::field_error::{FieldError, wrong};
use crate::record::json_words::json_located;

/// The most rounds under one commitment.
pub const MAX_ROUNDS: u64 = 1_000_000;
/// The most cards that a sealed deal draws: a verifier hashes each.
pub const MAX_SEALED: u64 = 4096;
/// The most indices that a deal of a list writes out; a longer result is a digest.
pub const MAX_INDICES: u32 = 1000;

/// The terms of a commitment, under the names that a commit entry has for them (spec/ledger.md,
/// 8.2).
///
/// In JSON they are members of the commit itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct Terms {
    /// The drand chain of the rounds; with [`Mixing::Beacon`] only.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub beacon: Option<BeaconTerms>,
    /// The items that are shuffled.
    pub deck: Deck,
    /// The number of items that each round deals.
    pub draw: Int,
    /// SHA-256 of anything else that the operator binds.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub ext: Option<Digest>,
    /// The layout: the card that each seat gets.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub layout: Option<Layout>,
    /// The way in which the items are ordered.
    pub method: Method,
    /// The least that every round must mix.
    pub mixing: Mixing,
    /// The maximum number of rounds: 1 to [`MAX_ROUNDS`].
    pub rounds: Int,
    /// SHA-256 of the game's published rules.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub rules: Option<Digest>,
    /// Whether a round logs the seal of its cards and not the cards.
    pub sealed: bool,
    /// Whether every contribution must be signed by its player. In JSON it is `true` or absent.
    #[serde(default, deserialize_with = "only_true", skip_serializing_if = "std::ops::Not::not")]
    pub signed: bool,
    /// The table: its commitments form one chain.
    pub table: Table,
}

object!(Terms);

/// The member of [`ResultForm`](super::ResultForm) that a commitment's results have.
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

impl Terms {
    /// One round that shuffles this deck, deals all of it in the clear, and mixes clear seeds.
    /// Other terms are set by struct update.
    #[must_use]
    pub fn new(table: Table, deck: Deck) -> Self {
        Self {
            beacon: None,
            deck,
            draw: Int::from(deck.items()),
            ext: None,
            layout: None,
            method: Method::Shuffle,
            mixing: Mixing::Seeds,
            rounds: Int::ONE,
            rules: None,
            sealed: false,
            signed: false,
            table,
        }
    }

    /// Whether the terms go together.
    pub(super) fn check(&self) -> Result<(), FieldError> {
        if !(1..=MAX_ROUNDS).contains(&self.rounds.value()) {
            return wrong(format!("rounds: expected 1 to {MAX_ROUNDS}, found {}", self.rounds));
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

    /// The number of seats that a round has room for; `None` without a layout.
    #[must_use]
    pub fn most_seats(&self) -> Option<u64> {
        self.layout.as_ref().map(|layout| layout.most_seats(self.draw.value()))
    }

    /// The plan of each round.
    ///
    /// # Errors
    /// [`PlanError`], if method, deck and draw do not go together; never for an entry that was
    /// parsed.
    pub fn plan(&self) -> Result<Plan, PlanError> {
        let draw = u32::try_from(self.draw.value()).unwrap_or(u32::MAX);
        Plan::new(self.method, self.deck.items(), draw)
    }

    /// The form of the results.
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

/// Reads a member that is `true` or absent, never `false`.
pub(in crate::record) fn only_true<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<bool, D::Error> {
    if bool::deserialize(deserializer)? {
        return Ok(true);
    }
    let found = serde::de::Unexpected::Bool(false);
    Err(D::Error::invalid_value(found, &"true, or no such member"))
}

/// Reads the terms among a commit's members. An error begins with the member that is wrong, which
/// the reader of the whole entry does not see in a flattened part.
pub(super) fn flattened<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Terms, D::Error> {
    serde_path_to_error::deserialize(deserializer).map_err(|error| {
        D::Error::custom(json_located(&error.path().to_string(), &error.inner().to_string()))
    })
}
