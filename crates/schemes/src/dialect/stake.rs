//! Stake's games of words from `client:nonce:t` (spec/dialects.md, 18).

use super::board::{Board, Drawn, PINS, Shows, Size, named};
use super::{
    Accepted, Ace, Cents, Column, Committed, CursorCounts, Deals, DeckOrder, Dialect, HexForm,
    Inner, Law, Mapping, Message, Multiplier, PlayError, Ranges, Refused, Role, Rotation, Round,
    Scheme, SuitOrder, Walk, words,
};
use fairdeal_audit::stats::number::index;

/// 2D 2H 2S 2C 3D … AC.
pub(super) const DECK: DeckOrder =
    DeckOrder { suits: SuitOrder(*b"dhsc"), inner: Inner::Suit, ace: Ace::High };

/// The scheme of Stake's games.
pub(super) const SCHEME: Scheme = Scheme {
    committed: Committed::Hash(HexForm::Text),
    seed: HexForm::Text,
    role: Role::Key,
    cursor: CursorCounts::Digests,
    mapping: Mapping::Multiply,
    walk: Walk::Remove,
    deck: DECK,
};

/// A remark on commitments: no row of the sources shows one.
const UNSEEN: &str = "the sources show no commitments: that a commitment is the hash of the seed's \
 text is the operator's statement, and no row tests it";

/// A remark on the rows of the sources.
const CALCULATED: &str = "the rows of the sources come from the operator's own calculator, and are \
 not bets";

/// The fields that all of Stake's games share.
pub(super) const STAKE: Dialect = Dialect {
    name: "stake-video-poker",
    title: "Stake, video poker",
    covers: "the ten cards of a round: five of the hand, five replacements",
    seed: "a text, which is the key; the scheme fixes no length; the seeds of the sources have 32 \
     hex digits, which is 128 bits at most",
    rotation: Rotation::AtWill,
    last: "the player, who may change the client seed after seeing the commitment; but the \
     operator knows the server seed from the start, and knows each result as soon as it knows the \
     client seed",
    also: &[UNSEEN],
    source: "provably-fair-betting/verifierform-stake, tests/lib/games/testcases/videopoker.json",
    seed_digits: None,
    scheme: SCHEME,
    // Ten cards: five of the hand, five replacements.
    law: Law::Draws(Ranges::Down { from: 52, to: 43 }),
    always_dealt: 5,
    published: None,
    shows: &[Column::Cards],
    asks: &[Column::Nonce],
    also_reads: &[Column::Full],
    also_named: &[],
    deals: Deals::Walk { items: 52, refused: Refused::Ends },
    agrees: |_, _| Ok(()),
};

pub(super) static VIDEO_POKER: Dialect = STAKE;

pub(super) static REPLACE: Dialect = Dialect {
    name: "stake-replace",
    title: "Stake, blackjack, hi-lo and baccarat",
    covers: "the stream of cards: blackjack deals it to player, player, dealer, dealer and on, baccarat to player, \
             player, banker, banker and up to two more",
    also: &[
        UNSEEN,
        "every card comes from a full deck, so one card may come twice in a row: no shoe is dealt down",
    ],
    source: "provably-fair-betting/verifierform-stake, tests/lib/games/testcases/{blackjack,hilo,baccarat}.json",
    scheme: Scheme { walk: Walk::Replace, ..SCHEME },
    law: Law::Draws(Ranges::Same(52)),
    // Two of the player's, two of the dealer's.
    always_dealt: 4,
    ..STAKE
};

/// The fields that the games without cards share.
const GAME: Dialect =
    Dialect { also: &[UNSEEN, CALCULATED], always_dealt: 0, also_reads: &[], ..STAKE };

/// The rule of a game without cards.
const fn deals(drawn: Drawn, shows: Shows) -> Deals {
    Board::deals(drawn, shows, Refused::Ends)
}

const ONE: Size = Size::Is(1);

pub(super) static DICE: Dialect = Dialect {
    name: "stake-dice",
    title: "Stake, dice (also Primedice)",
    covers: "the number of a roll, 0.00 to 100.00; over or under, and which of them a tie is, is not checked",
    source: "provably-fair-betting/verifierform-stake, tests/lib/games/testcases/{dice,primedice}.json",
    law: Law::Draws(Ranges::Each(&[10_001])),
    shows: &[Column::Result],
    deals: deals(Drawn::Under(Size::Is(10_001), ONE), Shows::Result(1)),
    ..GAME
};

pub(super) static ROULETTE: Dialect = Dialect {
    name: "stake-roulette",
    title: "Stake, roulette",
    covers: "the pocket, 0 to 36",
    source: "provably-fair-betting/verifierform-stake, tests/lib/games/testcases/roulette.json",
    law: Law::Draws(Ranges::Each(&[37])),
    shows: &[Column::Result],
    deals: deals(Drawn::Under(Size::Is(37), ONE), Shows::Result(100)),
    ..GAME
};

pub(super) static LIMBO: Dialect = Dialect {
    name: "stake-limbo",
    title: "Stake, limbo",
    covers: "the multiplier of a round; which targets the operator takes is not checked",
    also: &[
        UNSEEN,
        CALCULATED,
        "a result has 24 bits only: a target of 1,000,000.00 returns 95.37 %, and 977,026.11, the worst up to there, \
         93.18 %",
        "one number in a hundred gives 0.99; whether the operator shows 1.00 there is not in the sources, so both \
         are accepted",
        "of 44 in 2^24 numbers the formula in doubles gives 0.01 less: both are accepted",
    ],
    source: "provably-fair-betting/verifierform-stake, tests/lib/games/testcases/limbo.json",
    law: Law::Multiplier(Multiplier {
        least: 99,
        is_in_doubles: true,
        ..Multiplier::exact(99, 1, 24)
    }),
    shows: &[Column::Result],
    deals: Deals::Number(|_, _, digests, round| {
        let mut message = Message::of(round.client_seed()?, round.nonce()?);
        let [word, ..] = words(&digests.digest(message.at(0)));
        Ok(u64::from(word >> 8) + 1)
    }),
    ..GAME
};

pub(super) static WHEEL: Dialect = Dialect {
    name: "stake-wheel",
    title: "Stake, wheel",
    covers: "the multiplier of a spin, by the wheel of its segments and risk; most places of the wheels are in no row",
    source: "provably-fair-betting/verifierform-stake, tests/lib/games/testcases/wheel.json",
    law: Law::Draws(Ranges::Each(&[50])),
    shows: &[Column::Result],
    asks: &[Column::Nonce, Column::Segments, Column::Risk],
    deals: deals(
        Drawn::Under(Size::In(Column::Segments, &[10, 20, 30, 40, 50]), ONE),
        Shows::Table(wheel),
    ),
    ..GAME
};

pub(super) static PLINKO: Dialect = Dialect {
    name: "stake-plinko",
    title: "Stake, plinko",
    covers: "the multiplier of a ball, by the table of its rows and risk; most places of the tables are in no row, \
             and the risk \"expert\" is not covered",
    also: &[
        UNSEEN,
        CALCULATED,
        "whether a 1 is right or left does not matter: the tables are symmetric",
        "with 16 rows and high risk, two from the edge, one source has 27 and another one 26: both are accepted",
    ],
    source: "provably-fair-betting/verifierform-stake, tests/lib/games/testcases/plinko.json",
    law: Law::Draws(Ranges::Each(&[2; 16])),
    shows: &[Column::Result],
    asks: &[Column::Nonce, Column::Rows, Column::Risk],
    deals: deals(Drawn::Under(Size::Is(2), PINS), Shows::Table(pins)),
    ..GAME
};

pub(super) static MINES: Dialect = Dialect {
    name: "stake-mines",
    title: "Stake, mines",
    covers: "the mines, 0 to 24, as a set; the tiles that a player opened are not checked",
    source: "provably-fair-betting/verifierform-stake, tests/lib/games/testcases/mines.json",
    law: Law::Draws(Ranges::Down { from: 25, to: 2 }),
    shows: &[Column::Numbers],
    also_reads: &[Column::MineCount],
    deals: deals(Drawn::Of(25, Size::Mines), Shows::Set(0)),
    ..GAME
};

pub(super) static KENO: Dialect = Dialect {
    name: "stake-keno",
    title: "Stake, keno",
    covers: "the ten numbers that were drawn, 1 to 40, as a set",
    source: "provably-fair-betting/verifierform-stake, tests/lib/games/testcases/keno.json",
    law: Law::Draws(Ranges::Down { from: 40, to: 31 }),
    shows: &[Column::Numbers],
    deals: deals(Drawn::Of(40, Size::Is(10)), Shows::Set(1)),
    ..GAME
};

pub(super) static DIAMONDS: Dialect = Dialect {
    name: "stake-diamonds",
    title: "Stake, diamonds",
    covers: "the five gems of a round, in their order",
    source: "provably-fair-betting/verifierform-stake, tests/lib/games/testcases/diamonds.json",
    law: Law::Draws(Ranges::Each(&[7; 5])),
    shows: &[Column::Symbols],
    deals: deals(
        Drawn::Under(Size::Is(7), Size::Is(5)),
        Shows::Symbols(&["green", "purple", "yellow", "red", "cyan", "pink", "blue"]),
    ),
    ..GAME
};

pub(super) static FLIP: Dialect = Dialect {
    name: "stake-flip",
    title: "Stake, flip",
    covers: "up to twenty flips, in their order",
    also: &[
        UNSEEN,
        CALCULATED,
        "for one word in 2^32 one source says heads and another one tails: both are accepted",
    ],
    source: "provably-fair-betting/verifierform-stake, tests/lib/games/testcases/flip.json",
    law: Law::Draws(Ranges::Each(&[2; 20])),
    shows: &[Column::Symbols],
    deals: deals(Drawn::Words(20), Shows::Flips),
    ..GAME
};

pub(super) static ROCK_PAPER_SCISSORS: Dialect = Dialect {
    name: "stake-rock-paper-scissors",
    title: "Stake, rock paper scissors",
    covers: "up to twenty of the house's moves, in their order",
    source: "provably-fair-betting/verifierform-stake, tests/lib/games/testcases/rockpaperscissors.json",
    law: Law::Draws(Ranges::Each(&[3; 20])),
    shows: &[Column::Symbols],
    deals: deals(
        Drawn::Under(Size::Is(3), Size::Is(20)),
        Shows::Symbols(&["rock", "paper", "scissors"]),
    ),
    ..GAME
};

pub(super) static SNAKES: Dialect = Dialect {
    name: "stake-snakes",
    title: "Stake, snakes",
    covers: "the sums of up to five rolls of two dice; the board, which the difficulty chooses, is not checked",
    source: "provably-fair-betting/verifierform-stake, tests/lib/games/testcases/snakes.json",
    law: Law::Draws(Ranges::Each(&[6; 10])),
    shows: &[Column::Rolls],
    deals: deals(Drawn::Under(Size::Is(6), Size::Is(10)), Shows::Rolls),
    ..GAME
};

pub(super) static DRAGON_TOWER: Dialect = Dialect {
    name: "stake-dragon-tower",
    title: "Stake, dragon tower",
    covers: "the eggs of up to nine floors, the lowest first, in the order in which they are drawn, counted from 0",
    source: "provably-fair-betting/verifierform-stake, tests/lib/games/testcases/dragontower.json",
    // Easy: three of four places. The other difficulties draw from 3, 2 or 4.
    law: Law::Draws(Ranges::Each(&[
        4, 3, 2, 4, 3, 2, 4, 3, 2, 4, 3, 2, 4, 3, 2, 4, 3, 2, 4, 3, 2, 4, 3, 2, 4, 3, 2,
    ])),
    shows: &[Column::Floors],
    asks: &[Column::Nonce, Column::Difficulty],
    deals: deals(Drawn::Floors, Shows::Floors),
    ..GAME
};

/// The places of the risks in a table.
const RISKS: [(&str, usize); 3] = [("low", 0), ("medium", 1), ("high", 2)];

/// In tenths: the wheel of low risk, repeated.
const LOW: [u64; 10] = [15, 12, 12, 12, 0, 12, 12, 12, 12, 0];

/// In tenths: the wheels of medium risk.
#[rustfmt::skip]
const MEDIUM: [&[u64]; 5] = [
    &[0, 19, 0, 15, 0, 20, 0, 15, 0, 30],
    &[15, 0, 20, 0, 20, 0, 20, 0, 15, 0, 30, 0, 18, 0, 20, 0, 20, 0, 20, 0],
    &[15, 0, 15, 0, 20, 0, 15, 0, 20, 0, 20, 0, 15, 0, 30, 0, 15, 0, 20, 0, 20, 0, 17, 0, 40, 0, 15, 0, 20, 0],
    &[20, 0, 30, 0, 20, 0, 15, 0, 30, 0, 15, 0, 15, 0, 20, 0, 15, 0, 30, 0, 15, 0, 20, 0, 20, 0, 16, 0, 20, 0, 15,
        0, 30, 0, 15, 0, 20, 0, 15, 0],
    &[20, 0, 15, 0, 20, 0, 15, 0, 30, 0, 15, 0, 15, 0, 20, 0, 15, 0, 30, 0, 15, 0, 20, 0, 15, 0, 20, 0, 20, 0, 15,
        0, 30, 0, 15, 0, 20, 0, 15, 0, 15, 0, 50, 0, 15, 0, 20, 0, 15, 0],
];

/// The multiplier of a place on a wheel.
fn wheel(round: &Round<'_>, place: u32) -> Result<Accepted, PlayError> {
    let segments = Size::In(Column::Segments, &[10, 20, 30, 40, 50]).of(round)?;
    let at = index(place);
    let cents = match named(round, Column::Risk, &RISKS)? {
        0 => LOW.iter().cycle().nth(at).map(|tenths| tenths * 10),
        1 => MEDIUM
            .iter()
            .find(|wheel| wheel.len() == index(segments))
            .and_then(|wheel| wheel.get(at))
            .map(|tenths| tenths * 10),
        _ => Some(if place + 1 == segments { u64::from(segments) * 99 } else { 0 }),
    };
    Ok(Accepted::only(Cents(cents.unwrap_or_default())))
}

/// In tenths, for 8 rows to 16: the slots from the middle outward, with low, medium and high risk.
#[rustfmt::skip]
const SLOTS: [[&[u64]; 3]; 9] = [
    [&[5, 10, 11, 21, 56], &[4, 7, 13, 30, 130], &[2, 3, 15, 40, 290]],
    [&[7, 10, 16, 20, 56], &[5, 9, 17, 40, 180], &[2, 6, 20, 70, 430]],
    [&[5, 10, 11, 14, 30, 89], &[4, 6, 14, 20, 50, 220], &[2, 3, 9, 30, 100, 760]],
    [&[7, 10, 13, 19, 30, 84], &[5, 7, 18, 30, 60, 240], &[2, 4, 14, 52, 140, 1200]],
    [&[5, 10, 11, 14, 16, 30, 100], &[3, 6, 11, 20, 40, 110, 330], &[2, 2, 7, 20, 81, 240, 1700]],
    [&[7, 9, 12, 19, 30, 40, 81], &[4, 7, 13, 30, 60, 130, 430], &[2, 2, 10, 40, 110, 370, 2600]],
    [&[5, 10, 11, 13, 14, 19, 40, 71], &[2, 5, 10, 19, 40, 70, 150, 580],
        &[2, 2, 3, 19, 50, 180, 560, 4200]],
    [&[7, 10, 11, 15, 20, 30, 80, 150], &[3, 5, 13, 30, 50, 110, 180, 880],
        &[2, 2, 5, 30, 80, 270, 830, 6200]],
    [&[5, 10, 11, 12, 14, 14, 20, 90, 160], &[3, 5, 10, 15, 30, 50, 100, 410, 1100],
        &[2, 2, 2, 20, 40, 90, 270, 1300, 10_000]],
];

/// The multiplier of the slot with so many ones.
#[expect(clippy::integer_division_remainder_used, reason = "a distance in a table")]
fn pins(round: &Round<'_>, ones: u32) -> Result<Accepted, PlayError> {
    let rows = PINS.of(round)?;
    let risk = *named(round, Column::Risk, &RISKS)?;
    let from_middle = (2 * ones).abs_diff(rows) / 2;
    let of_rows = SLOTS.get(index(rows - 8));
    let tenths = of_rows.and_then(|of_risk| of_risk[risk].get(index(from_middle)));
    let cents = Cents(tenths.copied().unwrap_or_default() * 10);
    Ok(if cents == Cents(2_700) && rows == 16 {
        Accepted::or(
            cents,
            Cents(2_600),
            "the row has 27, as the source of the table; another source has 26 there",
            "the row has 26, where the source of the table has 27",
        )
    } else {
        Accepted::only(cents)
    })
}
