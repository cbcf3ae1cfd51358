//! `fairdeal/v1`: our own, as rows (spec/dialects.md; the scheme itself is spec/shuffle.md).

use super::about::{About, Rotation};
use super::card::{Ace, DeckOrder, Inner, SuitOrder};
use super::digests::Digests;
use super::law::{Law, Ranges};
use super::play::{Outcome, PlayError};
use super::round::{Column, Round};
use super::scheme::{Committed, Counts, Cursor, Form, Mapping, Role, Scheme, Walk};
use super::{Dialect, asks_for_cards};
use crate::deal::{Contribution, Contributions, DeckName, Method, Nonce, Plan, ServerSeed};

/// Our own scheme.
#[derive(Debug)]
pub(super) struct FairdealV1;

impl Dialect for FairdealV1 {
    fn name(&self) -> &'static str {
        "fairdeal/v1"
    }

    fn about(&self) -> &'static About {
        &About {
            title: "fairdeal, version 1",
            covers: "deals of a named deck under mixing `seeds`; a row is one round without its log: `verify` and `audit` \
                     show what a row cannot",
            seed: "exactly 32 bytes",
            rotation: Rotation::Logged,
            last: "the last player to contribute; who that was is in the log, and `lock` takes the choice away",
            also: &[
                "the draws listed are those of standard-52; other decks are drawn from in the same way, without bias",
                "when each player contributed, and having seen what, stands in the log and not in a row",
            ],
            source: "spec/shuffle.md",
        }
    }

    fn scheme(&self) -> Scheme {
        Scheme {
            committed: Committed::Hash(Form::Decoded),
            seed: Form::Decoded,
            role: Role::Key,
            cursor: Cursor { counts: Counts::Digests, from: 0 },
            mapping: Mapping::Exact,
            walk: Walk::Backward,
            deck: DeckOrder { suits: SuitOrder(*b"cdhs"), inner: Inner::Rank, ace: Ace::High },
        }
    }

    fn law(&self) -> Law {
        Law::Draws(Ranges::Down { from: 52, to: 2 })
    }

    fn seed_digits(&self) -> Option<usize> {
        Some(64)
    }

    fn reads(&self, column: Column) -> bool {
        let ours = matches!(column, Column::Contributions | Column::Deck | Column::Method);
        ours || super::stake_video_poker::StakeVideoPoker.reads(column)
    }

    fn deck_items(&self, round: &Round<'_>) -> Option<u32> {
        let name = round.deck.as_deref().unwrap_or(DeckName::Standard52.as_str());
        DeckName::parse(name).ok().map(DeckName::items)
    }

    /// Some of our decks have jokers.
    fn asks(&self, round: &Round<'_>) -> Result<(), PlayError> {
        asks_for_cards(round)
    }

    /// Several bring something: what one of them did is not to be told from the row's `client_seed` alone.
    fn client_seed<'r>(&self, round: &'r Round<'_>) -> Result<&'r str, PlayError> {
        match (&round.contributions, &round.client_seed) {
            (Some(_), None) => Ok(""),
            _ => round.client_seed(),
        }
    }

    fn play(
        &self,
        _scheme: &Scheme,
        _digests: &mut dyn Digests,
        round: &Round<'_>,
        want: usize,
    ) -> Result<Outcome, PlayError> {
        let wrong = |column: Column, expected: &str, found: String| PlayError::Wrong {
            column,
            expected: expected.to_owned(),
            found,
        };
        let seed = round.server_seed()?;
        let seed = ServerSeed::parse(&seed.to_ascii_lowercase())
            .map_err(|_| PlayError::wrong_hex(Column::ServerSeed, 64, seed))?;
        let nonce =
            Nonce::new(round.nonce()?).map_err(|error| wrong(Column::Nonce, "a nonce", error.to_string()))?;
        let players = contributions(round)?;
        let deck = match round.deck.as_deref() {
            None => DeckName::Standard52,
            Some(name) => DeckName::parse(name)
                .map_err(|error| wrong(Column::Deck, "a named deck", error.to_string()))?,
        };
        let method = match round.method.as_deref() {
            None | Some("shuffle") => Method::Shuffle,
            Some("cycle") => Method::Cycle,
            Some(other) => return Err(wrong(Column::Method, "shuffle or cycle", format!("{other:?}"))),
        };
        let items = deck.items();
        let draw = u32::try_from(want).unwrap_or(items).clamp(1, items);
        let plan = match method {
            Method::Shuffle => Plan::shuffle(items, draw),
            Method::Cycle => Plan::cycle(items),
        };
        let plan = plan.map_err(|error| wrong(Column::Deck, "a deck to deal from", error.to_string()))?;
        let dealt = plan.deal(&seed.mac(), nonce, &players);
        Ok(Outcome::Cards(dealt.items.iter().filter_map(|item| deck.card(*item)).collect()))
    }
}

/// The row's `contributions`, or those that its `client_seed` says: one `FROM=SEED` a line.
fn contributions(round: &Round<'_>) -> Result<Contributions, PlayError> {
    let wrong = |expected: &str, found: String| PlayError::Wrong {
        column: Column::ClientSeed,
        expected: expected.to_owned(),
        found,
    };
    let clients = match (&round.contributions, &round.client_seed) {
        (Some(clients), None) => clients.clone(),
        (Some(_), Some(_)) => {
            return Err(wrong("nothing where contributions are given", "both".to_owned()));
        }
        (None, _) => round.client_seed()?.split('\n').map(contribution).collect::<Result<_, _>>()?,
    };
    Contributions::of_clients(clients)
        .map_err(|error| wrong("contributions of spec/shuffle.md", error.to_string()))
}

fn contribution(line: &str) -> Result<Contribution, PlayError> {
    let wrong = |found: String| PlayError::Wrong {
        column: Column::ClientSeed,
        expected: "FROM=SEED, one contribution a line".to_owned(),
        found,
    };
    let (from, seed) = line.split_once('=').ok_or_else(|| wrong(format!("{line:?}")))?;
    Contribution::new(from, seed).map_err(|error| wrong(error.to_string()))
}
