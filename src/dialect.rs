//! Other operators' schemes, as they are (spec/dialects.md): do a round's seeds open its commitment, and does its result
//! follow from them.
//!
//! A dialect is a value in a file of its own: the choices of its scheme, and how they are put together. What several
//! share, walks and mappings and chains, stands beside. Pure: rows are read by [`crate::source`].
//!
//! Not for saying that a round was fair: what no check of this kind shows is in each dialect's [`Limits`].
//!
//! ```
//! use fairdeal::dialect::{self, Checker, Column, Round, RowVerdict, Value};
//!
//! let mut round = Round::default();
//! for (column, text) in [
//!     (Column::ServerSeed, "51b5258b38fef00c9887b7ad6c728035"),
//!     (Column::ClientSeed, "6ec29c0c4180fd3f802534e6c98810ff"),
//!     (Column::Nonce, "0"),
//!     (Column::Cards, "5S AS JS QS JH"),
//! ] {
//!     round.put(column, Value::Text(text.into()))?;
//! }
//! let mut checker = Checker::new(dialect::find("stake-video-poker").ok_or("known")?);
//! assert_eq!(checker.check(&round).verdict, RowVerdict::Valid);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// A remainder biases what is dealt with it: each use says why it does not.
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

use crate::deal::{Card, DeckName};

pub use card::{
    Ace, DeckOrder, Foreign, ForeignCardError, Inner, SuitOrder, cards_text, read_card, read_cards,
};
pub use cents::{Cents, CentsError};
pub use chain::{Chain, ChainError, Published};
pub use check::{Checked, Checker, CommitmentOpening, RowVerdict};
pub use diagnose::{Diagnoses, Diagnosis, Failures, Named};
pub use digests::{Digests, Keyed};
pub use habits::{Habits, HabitsReport};
pub use law::{Law, Multiplier, Ranges};
pub use limits::{Bias, Limits, Standing, Statement};
pub use play::{PlayError, RoundOutcome};
pub use round::{Column, Round, Value};
pub use scheme::{Committed, Cursor, CursorCounts, HexForm, Mapping, Role, Rotation, Scheme, Walk};

use play::{Agrees, Deals};

/// A scheme by which an operator deals.
#[non_exhaustive]
pub struct Dialect {
    /// Its name, as on the command line and in spec/dialects.md.
    pub name: &'static str,
    /// Whose it is and which game.
    pub title: &'static str,
    /// Which rounds it covers and which it does not.
    pub covers: &'static str,
    /// What a server seed is, and how much of it can be chance.
    pub seed: &'static str,
    /// Hex digits of a server seed, where it is decoded and the scheme fixes them.
    pub seed_digits: Option<usize>,
    /// When a new server seed begins.
    pub rotation: Rotation,
    /// Who speaks last before the result is fixed, and what that one can choose.
    pub last: &'static str,
    /// What else its description gives away.
    pub also: &'static [&'static str],
    /// Where the description comes from.
    pub source: &'static str,
    /// Its choices: what is committed, the key's form, the message's cursor, the mapping, the walk, the deck's order.
    pub scheme: Scheme,
    /// How its values come about.
    pub law: Law,
    /// Cards that every round deals, whatever is played after: what statistics may look at, since how many more come can
    /// depend on the cards.
    pub always_dealt: u32,
    /// The chain that its commitments are.
    pub published: Option<Published>,
    /// Columns that it reads beside those of its kind.
    also_reads: &'static [Column],
    deals: Deals,
    agrees: Agrees,
}

impl Dialect {
    /// Cards in the deck that a round is dealt from, where it is dealt down.
    #[must_use]
    pub fn deck_items(&self, round: &Round<'_>) -> Option<u32> {
        match (&round.deck, self.law) {
            (Some(deck), _) if self.reads(Column::Deck) => DeckName::parse(deck).ok().map(DeckName::items),
            (_, Law::Draws(Ranges::Down { from, .. })) => Some(from),
            _ => None,
        }
    }

    /// Whether a column means something to it. What another operator's rows call by the same name is passed over: a
    /// `result` of "win" makes a row of cards no worse.
    #[must_use]
    pub fn reads(&self, column: Column) -> bool {
        let draws = matches!(self.law, Law::Draws(_));
        let is_of_its_kind = match column {
            Column::ServerSeed | Column::Commitment | Column::ClientSeed => true,
            Column::Nonce | Column::Cards | Column::Full => draws,
            Column::Result => !draws,
            Column::ChainSteps | Column::GameId => self.published.is_some(),
            Column::Held | Column::Final | Column::Contributions | Column::Deck | Column::Method => false,
        };
        is_of_its_kind || self.also_reads.contains(&column)
    }

    /// What the client brings: a chain's own salt where the row says none, nothing where several bring something.
    ///
    /// # Errors
    /// [`PlayError::Missing`].
    pub fn client_seed<'r>(&self, round: &'r Round<'_>) -> Result<&'r str, PlayError> {
        match (&round.client_seed, self.published) {
            (None, Some(published)) => Ok(published.salt),
            (None, _) if round.contributions.is_some() && self.reads(Column::Contributions) => Ok(""),
            _ => round.client_seed(),
        }
    }

    /// Whether a round's row shows a result of the kind that the scheme has, of a game that it dealt.
    ///
    /// # Errors
    /// [`PlayError::Missing`], or [`PlayError::Wrong`] for a game of before or a joker.
    pub fn asks(&self, round: &Round<'_>) -> Result<(), PlayError> {
        if let Some(published) = self.published {
            let by_steps = round.chain_steps.map(|steps| steps.saturating_add(published.end_game));
            [round.game_id, by_steps].into_iter().flatten().try_for_each(|game| published.covers(game))?;
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
        let has_joker =
            |cards: &Option<Vec<Card>>| cards.iter().flatten().any(|card| card.as_bytes()[0] == b'X');
        let shown =
            [(Column::Cards, &round.cards), (Column::Held, &round.held), (Column::Final, &round.last)];
        match shown.into_iter().find(|(_, cards)| has_joker(cards)) {
            // Some of our own decks have jokers.
            Some((column, _)) if !self.reads(Column::Deck) => {
                Err(PlayError::wrong(column, "cards of a deck without jokers", "a joker"))
            }
            _ => Ok(()),
        }
    }

    /// What the seeds give, under these choices, with HMACs from `digests`: of cards the first `want` at least, or as many
    /// as there are.
    ///
    /// # Errors
    /// [`PlayError`].
    pub fn play(
        &self,
        scheme: &Scheme,
        digests: &mut dyn Digests,
        round: &Round<'_>,
        want: usize,
    ) -> Result<RoundOutcome, PlayError> {
        match self.deals {
            Deals::Walk { items, refused } => walks::cards(scheme, items, refused, digests, round, want),
            Deals::Number(number) => match self.law {
                Law::Multiplier(law) => number(self, scheme, digests, round)
                    .map(|number| RoundOutcome::Multiplier(law.of(number))),
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

/// All of them, in the order of their names; our own last.
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
