//! Checks rounds of other operators' schemes: does the server seed open the commitment, and do the
//! seeds give the result? (spec/dialects.md)
//!
//! Each dialect is a value in its own file. Walks, mappings and chains, which several dialects
//! share, have files too. Pure: [`crate::rows`] reads the rows.
//!
//! A valid row is not a fair round: each dialect's [`Limits`] say what no row shows.
//!
//! ```
//! use fairdeal_schemes::dialect::{self, Checker, Round, RowVerdict};
//!
//! let mut round = Round::default();
//! round.server_seed = Some("51b5258b38fef00c9887b7ad6c728035".into());
//! round.client_seed = Some("6ec29c0c4180fd3f802534e6c98810ff".into());
//! round.nonce = Some(0);
//! round.cards = Some(dialect::read_cards("5S AS JS QS JH")?);
//! let mut checker = Checker::new(dialect::find("stake-video-poker").ok_or("known")?);
//! assert_eq!(checker.check(&round).verdict, RowVerdict::Valid);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// A remainder can bias a deal: each use says why it does not.
#![warn(clippy::integer_division_remainder_used)]

pub mod diagnose;
pub mod habits;
pub mod limits;

mod card;
mod cents;
mod chain;
mod check;
mod digests;
mod law;
mod play;
mod round;
mod scheme;
mod walks;

mod bustabit;
mod duel_crash;
mod duel_video_poker;
mod fairdeal_v1;
mod liqd_blackjack;
mod stake_crash;
mod stake_replace;
mod stake_video_poker;

use std::fmt;

use fairdeal::deal::{Card, DeckName};

pub use card::{
    Ace, DeckOrder, Foreign, ForeignCardError, Inner, SuitOrder, cards_text, read_card, read_cards,
};
pub use cents::{Cents, CentsError};
pub use chain::{Chain, ChainError, Published};
pub use check::{Checked, Checker, CommitmentOpening, RowVerdict};
pub use diagnose::{Diagnoses, Diagnosis, Failures};
pub use digests::{Digests, Keyed};
pub use habits::{Habits, HabitsReport};
pub use law::{Law, Multiplier, Ranges};
pub use limits::{Bias, Limits, Standing, Statement};
pub use play::{DialectOutcome, PlayError};
pub use round::{Column, Round};
pub(crate) use round::{INTEGER, read_hex32};
pub use scheme::{Committed, CursorCounts, HexForm, Mapping, Role, Rotation, Scheme, Walk};

use digests::{Message, number52, words};
use play::{Agrees, Deals, Play, digest_of_hash};
use walks::Refused;

/// A scheme by which an operator deals.
#[non_exhaustive]
pub struct Dialect {
    /// The name on the command line and in spec/dialects.md.
    pub name: &'static str,
    /// The operator and the game.
    pub title: &'static str,
    /// The rounds that the scheme covers, and those that it does not.
    pub covers: &'static str,
    /// The form of a server seed.
    pub seed: &'static str,
    /// Hex digits of a server seed, if the scheme fixes them.
    pub seed_digits: Option<usize>,
    /// When a new server seed begins.
    pub rotation: Rotation,
    /// The party that fixes the last input, and its choice.
    pub last: &'static str,
    /// Further remarks on the scheme.
    pub also: &'static [&'static str],
    /// The source of the description.
    pub source: &'static str,
    /// The choices of the scheme.
    pub scheme: Scheme,
    /// The probability of each value.
    pub law: Law,
    /// Cards that every round deals. Statistics use only these: how many more a round deals can
    /// depend on the cards.
    pub always_dealt: u32,
    /// The published chain of which its games are links.
    pub published: Option<Published>,
    /// Columns that it reads and other dialects of its kind do not.
    also_reads: &'static [Column],
    deals: Deals,
    agrees: Agrees,
}

impl Dialect {
    /// Cards in the deck that a round is dealt from; `None` for draws with replacement.
    pub(crate) fn deck_items(&self, round: &Round<'_>) -> Option<u32> {
        match (&round.deck, self.law) {
            (Some(deck), _) if self.reads(Column::Deck) => {
                DeckName::parse(deck).ok().map(DeckName::items)
            }
            (_, Law::Draws(Ranges::Down { from, .. })) => Some(from),
            _ => None,
        }
    }

    /// Whether it reads a column. Other columns are ignored: a row of cards may have a `result` of
    /// "win".
    #[must_use]
    pub fn reads(&self, column: Column) -> bool {
        let draws = matches!(self.law, Law::Draws(_));
        let is_of_its_kind = match column {
            Column::ServerSeed | Column::Commitment | Column::ClientSeed => true,
            Column::Nonce | Column::Cards | Column::Full => draws,
            Column::Result => !draws,
            Column::ChainSteps | Column::GameId => self.published.is_some(),
            Column::Held
            | Column::Final
            | Column::Contributions
            | Column::Deck
            | Column::Method => false,
        };
        is_of_its_kind || self.also_reads.contains(&column)
    }

    /// The client seed. Without one: a chain's salt, or nothing if the row has contributions.
    pub(crate) fn client_seed<'r>(&self, round: &'r Round<'_>) -> Result<&'r str, PlayError> {
        match (&round.client_seed, self.published) {
            (None, Some(published)) => Ok(published.salt),
            (None, _) if round.contributions.is_some() && self.reads(Column::Contributions) => {
                Ok("")
            }
            _ => round.client_seed(),
        }
    }

    /// Refuses a row without a result, with a joker that its deck lacks, or of a game that is not
    /// covered.
    pub(crate) fn asks(&self, round: &Round<'_>) -> Result<(), PlayError> {
        if let Some(published) = self.published {
            let by_steps = round.chain_steps.map(|steps| steps.saturating_add(published.end_game));
            [round.game_id, by_steps]
                .into_iter()
                .flatten()
                .try_for_each(|game| published.covers(game))?;
        }
        let missing = |column, expected| Err(PlayError::Missing { column, expected });
        match self.law {
            Law::Draws(_) if round.cards.as_ref().is_none_or(Vec::is_empty) => {
                return missing(Column::Cards, "at least one card");
            }
            Law::Multiplier(_) if round.result.is_none() && round.finer.is_none() => {
                return missing(Column::Result, "a multiplier such as 1.83");
            }
            _ => {}
        }
        let has_joker = |cards: &Option<Vec<Card>>| {
            cards.iter().flatten().any(|card| card.as_bytes()[0] == b'X')
        };
        let shown = [
            (Column::Cards, &round.cards),
            (Column::Held, &round.held),
            (Column::Final, &round.last),
        ];
        match shown.into_iter().find(|(_, cards)| has_joker(cards)) {
            // Our own decks may have jokers.
            Some((column, _)) if !self.reads(Column::Deck) => {
                Err(PlayError::wrong(column, "cards of a deck without jokers", "a joker"))
            }
            _ => Ok(()),
        }
    }

    /// The result of a round's seeds under `scheme`, with HMACs from `digests`: at least `want`
    /// cards, or all.
    ///
    /// # Errors
    /// [`PlayError`].
    pub fn play(
        &self,
        scheme: &Scheme,
        digests: &mut dyn Digests,
        round: &Round<'_>,
        want: usize,
    ) -> Result<DialectOutcome, PlayError> {
        match self.deals {
            Deals::Walk { items, refused } => {
                walks::cards(scheme, items, refused, digests, round, want)
            }
            Deals::Number(number) => match self.law {
                Law::Multiplier(law) => number(self, scheme, digests, round)
                    .map(|number| DialectOutcome::Multiplier(law.of(number))),
                Law::Draws(_) => unreachable!("a number is dealt by a law of multipliers"),
            },
            Deals::Cards(play) => play(round, want),
        }
    }
}

impl fmt::Debug for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// All dialects, in the order of their names; our own last.
pub static ALL: [&Dialect; 8] = [
    &bustabit::BUSTABIT,
    &duel_crash::DUEL_CRASH,
    &duel_video_poker::DUEL_VIDEO_POKER,
    &liqd_blackjack::LIQD_BLACKJACK,
    &stake_crash::STAKE_CRASH,
    &stake_replace::STAKE_REPLACE,
    &stake_video_poker::STAKE_VIDEO_POKER,
    &fairdeal_v1::FAIRDEAL_V1,
];

/// The dialect of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Dialect> {
    ALL.into_iter().find(|dialect| dialect.name == name)
}
