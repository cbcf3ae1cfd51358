//! Other operators' schemes, as they are (spec/dialects.md): do a round's seeds open its commitment, and does its result
//! follow from them.
//!
//! A dialect is a file of its own: the choices of its scheme as values, and how they are put together. What is common to
//! several, walks and mappings and chains, stands beside. Pure: rows are read by [`crate::source`].
//!
//! Not for saying that a round was fair: what no check of this kind shows is named in each dialect's [`About`].
//!
//! ```
//! use fairdeal::dialect::{self, Checker, Column, Round, Value, Verdict};
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
//! assert_eq!(checker.check(&round).verdict, Verdict::Valid);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod diagnose;
pub mod habits;
pub mod limits;

mod about;
mod card;
mod cents;
mod chain;
mod check;
mod digests;
mod law;
mod line;
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

use crate::deal::Card;

pub use about::{About, Rotation};
pub use card::{Ace, CardError, DeckOrder, Foreign, Inner, SuitOrder, cards_text, read_card, read_cards};
pub use cents::{Cents, CentsError};
pub use chain::{Chain, ChainError, Published};
pub use check::{Checked, Checker, Opening, Verdict};
pub use diagnose::{Diagnoses, Diagnosis, Failures, Named};
pub use digests::{Digests, Keyed};
pub use habits::{Habits, HabitsReport};
pub use law::{Law, Multiplier, Ranges};
pub use limits::{Bias, Limits, Standing, Statement};
pub use line::Line;
pub use play::{Outcome, PlayError};
pub use round::{Column, Round, Value};
pub use scheme::{Committed, Counts, Cursor, Form, Mapping, Role, Scheme, Walk};

/// A scheme by which an operator deals.
pub trait Dialect: fmt::Debug + Sync {
    /// Its name, as on the command line and in spec/dialects.md.
    fn name(&self) -> &'static str;

    /// What it is, and what it cannot show.
    fn about(&self) -> &'static About;

    /// Its choices: what is committed, the key's form, the message's cursor, the mapping, the walk, the deck's order.
    fn scheme(&self) -> Scheme;

    /// How its values come about.
    fn law(&self) -> Law;

    /// Hex digits of a server seed, where it is decoded and the scheme fixes them.
    fn seed_digits(&self) -> Option<usize>;

    /// Cards in the deck that a round is dealt from, where it is dealt down.
    fn deck_items(&self, _round: &Round<'_>) -> Option<u32> {
        match self.law() {
            Law::Draws(Ranges::Down { from, .. }) => Some(from),
            _ => None,
        }
    }

    /// Cards that every round deals, whatever is played after: what statistics may look at, since how many more come can
    /// depend on the cards.
    fn always_dealt(&self) -> u32 {
        5
    }

    /// The chain that its commitments are.
    fn published(&self) -> Option<Published> {
        None
    }

    /// Whether a column means something to it. What another operator's rows call by the same name is passed over: a
    /// `result` of "win" makes a row of cards no worse.
    fn reads(&self, column: Column) -> bool {
        let draws = matches!(self.law(), Law::Draws(_));
        match column {
            Column::ServerSeed | Column::Commitment | Column::ClientSeed => true,
            Column::Nonce | Column::Cards | Column::Full => draws,
            Column::Result => !draws,
            Column::ChainSteps | Column::GameId => self.published().is_some(),
            Column::Held | Column::Final | Column::Contributions | Column::Deck | Column::Method => false,
        }
    }

    /// What the client brings.
    ///
    /// # Errors
    /// [`PlayError::Missing`].
    fn client_seed<'r>(&self, round: &'r Round<'_>) -> Result<&'r str, PlayError> {
        round.client_seed()
    }

    /// Whether a round's row shows a result of the kind that the scheme has.
    ///
    /// # Errors
    /// [`PlayError::Missing`].
    fn asks(&self, round: &Round<'_>) -> Result<(), PlayError> {
        asks_for_its_result(&self.law(), round)
    }

    /// What the seeds give, under these choices, with HMACs from `digests`: of cards the first `want` at least, or as many
    /// as there are.
    ///
    /// # Errors
    /// [`PlayError`].
    fn play(
        &self,
        scheme: &Scheme,
        digests: &mut dyn Digests,
        round: &Round<'_>,
        want: usize,
    ) -> Result<Outcome, PlayError>;

    /// Whether what else the row says goes with its result; `outcome` plays the round for so many cards.
    ///
    /// # Errors
    /// What was expected and what came.
    fn agrees(
        &self,
        _round: &Round<'_>,
        _outcome: &mut dyn FnMut(usize) -> Result<Outcome, PlayError>,
    ) -> Result<(), String> {
        Ok(())
    }
}

fn asks_for_its_result(law: &Law, round: &Round<'_>) -> Result<(), PlayError> {
    match law {
        Law::Draws(_) => asks_for_cards(round)?,
        Law::Multiplier(_) if round.result.is_some() || round.finer.is_some() => {}
        Law::Multiplier(_) => {
            let expected = "a multiplier such as 1.83";
            return Err(PlayError::Missing { column: Column::Result, expected });
        }
    }
    let jokers =
        |cards: &Option<Vec<Card>>| cards.iter().flatten().any(|card| card.as_bytes().first() == Some(&b'X'));
    let shown = [(Column::Cards, &round.cards), (Column::Held, &round.held), (Column::Final, &round.last)];
    match shown.into_iter().find(|(_, cards)| jokers(cards)) {
        None => Ok(()),
        Some((column, _)) => Err(PlayError::Wrong {
            column,
            expected: "cards of a deck without jokers".to_owned(),
            found: "a joker".to_owned(),
        }),
    }
}

fn asks_for_cards(round: &Round<'_>) -> Result<(), PlayError> {
    match &round.cards {
        Some(cards) if !cards.is_empty() => Ok(()),
        _ => Err(PlayError::Missing { column: Column::Cards, expected: "at least one card" }),
    }
}

/// All of them, in the order of their names; our own last.
pub static ALL: [&dyn Dialect; 8] = [
    &bustabit::Bustabit,
    &duel_crash::DuelCrash,
    &duel_video_poker::DuelVideoPoker,
    &liqd_blackjack::LiqdBlackjack,
    &stake_crash::StakeCrash,
    &stake_replace::StakeReplace,
    &stake_video_poker::StakeVideoPoker,
    &fairdeal_v1::FairdealV1,
];

/// The dialect of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static dyn Dialect> {
    ALL.into_iter().find(|dialect| dialect.name() == name)
}
