//! `fairdeal/v1`: our own rounds, as rows (spec/dialects.md; spec/shuffle.md has the scheme).

use std::fmt;

use super::{
    Ace, Column, Committed, CursorCounts, Deals, DeckOrder, Dialect, DialectOutcome, HexForm,
    Inner, Law, Mapping, PlayError, Ranges, Role, Rotation, Round, Scheme, SuitOrder, Walk,
};
use fairdeal::deal::{Contribution, Contributions, DeckName, Nonce, Plan, ServerSeed};

/// Our own scheme.
pub(super) static FAIRDEAL_V1: Dialect = Dialect {
    name: "fairdeal/v1",
    title: "fairdeal, version 1",
    covers: "deals of a named deck under mixing `seeds`; a row is one round without its log: `verify` and `audit` \
             show what a row cannot",
    seed: "exactly 32 bytes",
    rotation: Rotation::Logged,
    last: "the last player to contribute; the log says who that was, and `lock` takes the choice \
     away",
    also: &[
        "the draws listed are those of standard-52; other decks are drawn from in the same way, without bias",
        "when each player contributed, and what the player had seen, is in the log and not in a \
         row",
    ],
    source: "spec/shuffle.md",
    seed_digits: Some(64),
    scheme: Scheme {
        committed: Committed::Hash(HexForm::Decoded),
        seed: HexForm::Decoded,
        role: Role::Key,
        cursor: CursorCounts::Digests,
        mapping: Mapping::Exact,
        walk: Walk::Backward,
        deck: DeckOrder { suits: SuitOrder(*b"cdhs"), inner: Inner::Rank, ace: Ace::High },
    },
    law: Law::Draws(Ranges::Down { from: 52, to: 2 }),
    always_dealt: 5,
    published: None,
    shows: &[Column::Cards],
    asks: &[Column::Nonce],
    also_reads: &[Column::Full, Column::Contributions, Column::Deck, Column::Method],
    also_named: &[],
    deals: Deals::Cards(play),
    agrees: |_, _| Ok(()),
};

/// The cards of a round, `want` of them at least.
fn play(round: &Round<'_>, want: usize) -> Result<DialectOutcome, PlayError> {
    let seed = round.server_seed()?;
    let seed = ServerSeed::parse(&seed.to_ascii_lowercase())
        .map_err(|_| PlayError::wrong_hex(Column::ServerSeed, 64, seed))?;
    let nonce = Nonce::new(round.nonce()?)
        .map_err(|error| PlayError::wrong(Column::Nonce, "a nonce", error))?;
    let players = contributions(round)?;
    let deck = DeckName::parse(round.deck.as_deref().unwrap_or(DeckName::Standard52.as_str()))
        .map_err(|error| PlayError::wrong(Column::Deck, "a named deck", error))?;
    let items = deck.items();
    let draw = u32::try_from(want).unwrap_or(items).clamp(1, items);
    let plan = match round.method.as_deref() {
        None | Some("shuffle") => Plan::shuffle(items, draw),
        Some("cycle") => Plan::cycle(items),
        Some(other) => {
            return Err(PlayError::wrong(
                Column::Method,
                "shuffle or cycle",
                format_args!("{other:?}"),
            ));
        }
    };
    let plan =
        plan.map_err(|error| PlayError::wrong(Column::Deck, "a deck to deal from", error))?;
    let dealt = plan.deal(&seed.mac(), nonce, &players);
    Ok(DialectOutcome::Cards(dealt.items.iter().filter_map(|item| deck.card(*item)).collect()))
}

/// The row's `contributions`, or those in its `client_seed`: one `FROM=SEED` a line.
pub(super) fn contributions(round: &Round<'_>) -> Result<Contributions, PlayError> {
    let wrong =
        |expected, found: &dyn fmt::Display| PlayError::wrong(Column::ClientSeed, expected, found);
    let contribution = |line: &str| {
        let a_line = "FROM=SEED, one contribution a line";
        let (from, seed) =
            line.split_once('=').ok_or_else(|| wrong(a_line, &format_args!("{line:?}")))?;
        Contribution::new(from, seed).map_err(|error| wrong(a_line, &error))
    };
    let clients = match (&round.contributions, &round.client_seed) {
        (Some(clients), None) => clients.clone(),
        (Some(_), Some(_)) => return Err(wrong("nothing where contributions are given", &"both")),
        (None, _) => {
            round.client_seed()?.split('\n').map(contribution).collect::<Result<_, _>>()?
        }
    };
    Contributions::of_clients(clients)
        .map_err(|error| wrong("contributions of spec/shuffle.md", &error))
}
