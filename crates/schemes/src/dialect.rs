//! Checks rounds of other operators' schemes: does the server seed open the commitment, and do the
//! seeds give the result? (spec/dialects.md)
//!
//! Each dialect is a value, in the file of its operator; those of a family differ in a few fields.
//! Walks, mappings and chains, which several dialects share, have files too. Pure:
//! [`crate::rows`] reads the rows.
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

mod board;
mod card;
mod cents;
mod chain;
mod check;
mod digests;
mod game_value;
mod law;
mod play;
mod round;
mod scheme;
mod walks;

mod duel;
mod fairdeal_v1;
mod links;
mod liqd;
mod stake;

use std::fmt;

use fairdeal::deal::{Card, DeckName};

pub use card::{
    Ace, DeckOrder, Foreign, ForeignCardError, Inner, SuitOrder, cards_text, read_card, read_cards,
};
pub use cents::{Cents, CentsError};
pub use chain::{HashChain, HashChainError, Published};
pub use check::{Checked, Checker, CommitmentOpening, RowVerdict};
pub use diagnose::{Diagnoses, Diagnosis, Failures};
pub use digests::{Digests, Keyed};
pub use game_value::GameValue;
pub use habits::{Habits, HabitsReport};
pub use law::{Accepted, Law, Multiplier, Ranges};
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
    /// Columns of the result: a row needs one of them.
    pub shows: &'static [Column],
    /// Columns that a row needs besides the seeds.
    asks: &'static [Column],
    /// Columns that a row may have.
    also_reads: &'static [Column],
    /// Names that operators use for its columns and that mean something else elsewhere.
    pub(crate) also_named: &'static [(&'static str, Column)],
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
        matches!(column, Column::ServerSeed | Column::Commitment | Column::ClientSeed)
            || [self.shows, self.asks, self.also_reads].iter().any(|all| all.contains(&column))
    }

    /// The row's value, with the whole names of symbols.
    fn in_words(&self, shown: &GameValue) -> GameValue {
        match (&self.deals, shown) {
            (Deals::Board { board, .. }, GameValue::Names(names)) => {
                let whole = |name: &String| match game_value::symbol(board.symbols(), name) {
                    Some(whole) => whole.to_owned(),
                    None => name.clone(),
                };
                GameValue::Names(names.iter().map(whole).collect())
            }
            _ => shown.clone(),
        }
    }

    /// Whether a row's column shows what was dealt.
    fn agrees_in(&self, column: Column, dealt: &GameValue, shown: &GameValue) -> bool {
        matches!(&self.deals, Deals::Board { board, .. } if game_value::agrees(board, column, dealt, shown))
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

    /// Whether the sources give no rule by which a commitment opens.
    pub(crate) fn has_no_rule(&self) -> bool {
        self.scheme.committed == Committed::Unknown
    }

    /// Whether a row says how many mines there are, if the dialect reads that.
    fn counts_mines(&self, round: &Round<'_>) -> bool {
        !self.also_reads.contains(&Column::MineCount) || round.cell(Column::MineCount).is_some()
    }

    /// Whether a result is a multiplier.
    #[must_use]
    pub fn is_multiplier(&self) -> bool {
        match (self.law, &self.deals) {
            (Law::Multiplier(_), _) => true,
            (_, Deals::Board { board, .. }) => board.has_table(),
            _ => false,
        }
    }

    /// The client's part of the hashed bytes. Two different texts can give the same part.
    fn client_part(&self, round: &Round<'_>) -> Vec<u8> {
        let part = match self.rotation {
            Rotation::EachRound => duel::message(round).ok(),
            Rotation::Logged => {
                fairdeal_v1::contributions(round).ok().map(|all| format!("{all:?}").into_bytes())
            }
            Rotation::AtWill | Rotation::Chain => None,
        };
        part.unwrap_or_else(|| self.client_seed(round).unwrap_or_default().as_bytes().to_vec())
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
        if !self.shows.iter().any(|column| round.has_result(*column)) {
            let column = self.shows[0];
            return Err(PlayError::Missing { column, expected: column.example() });
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
        match &self.deals {
            Deals::Walk { items, refused } => {
                walks::cards(scheme, *items, *refused, digests, round, want)
            }
            Deals::Board { board, refused } => board.play(scheme, *refused, digests, round),
            Deals::Number(number) => match self.law {
                Law::Multiplier(law) => number(self, scheme, digests, round)
                    .map(|number| DialectOutcome::Result(law.accepted(number))),
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
pub static ALL: [&Dialect; 30] = [
    &links::BUSTABIT,
    &links::BUSTABIT_V2,
    &duel::BEEF,
    &duel::CASTLE_ROULETTE,
    &duel::CRASH,
    &duel::DICE,
    &duel::MINES,
    &duel::PLINKO,
    &duel::VIDEO_POKER,
    &liqd::BLACKJACK,
    &liqd::DICE,
    &liqd::MINES,
    &liqd::PLINKO,
    &links::CRASH,
    &stake::DIAMONDS,
    &stake::DICE,
    &stake::DRAGON_TOWER,
    &stake::FLIP,
    &stake::KENO,
    &stake::LIMBO,
    &stake::MINES,
    &stake::PLINKO,
    &stake::REPLACE,
    &stake::ROCK_PAPER_SCISSORS,
    &stake::ROULETTE,
    &links::SLIDE,
    &stake::SNAKES,
    &stake::VIDEO_POKER,
    &stake::WHEEL,
    &fairdeal_v1::FAIRDEAL_V1,
];

/// The dialect of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Dialect> {
    ALL.into_iter().find(|dialect| dialect.name == name)
}
