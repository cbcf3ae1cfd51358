//! Games that are links of a hash chain, with a public salt (spec/dialects.md, 21 and 22).

use super::stake::STAKE;
use super::{
    Column, Committed, Deals, Dialect, HexForm, Law, Multiplier, Published, Role, Rotation, Scheme,
    digest_of_hash, number52, words,
};

const STAKE_CRASH: Dialect = Dialect {
    name: "stake-crash",
    title: "Stake, crash",
    covers: "the multiplier at which a game ends; the chain that its hashes are said to be links of is not in the \
             sources, so no commitment is checked",
    seed: "the game's hash, whose 64 hex digits are used as text for the key",
    rotation: Rotation::Chain,
    last: "whoever chose the salt; if it is a block's hash, whoever found that block",
    also: &[
        "computed in doubles, with the factor last, 60 of the 2^32 numbers give 0.01 less: both results are accepted",
        RANDOM_SALTS,
    ],
    source: "provably-fair-betting/verifierform-stake, tests/lib/games/testcases/crash.json",
    seed_digits: Some(64),
    scheme: Scheme::of_multiplier(Committed::Unknown, HexForm::Text, Role::Key),
    law: Law::Multiplier(OF_WORD),
    always_dealt: 0,
    shows: &[Column::Result],
    asks: &[],
    also_reads: &[],
    deals: Deals::Number(|dialect, scheme, digests, round| {
        Ok(u64::from(words(&digest_of_hash(dialect, scheme, digests, round)?)[0]) + 1)
    }),
    ..STAKE
};

const OF_WORD: Multiplier = Multiplier { is_in_doubles: true, ..Multiplier::exact(99, 1, 32) };

const RANDOM_SALTS: &str = "each round of the sources has its own salt; live games are said to use the hash of a \
         Bitcoin block";

pub(super) static CRASH: Dialect = STAKE_CRASH;

pub(super) static SLIDE: Dialect = Dialect {
    name: "stake-slide",
    title: "Stake, slide",
    also: &[
        "it pays 98 %, where crash pays 99 %",
        "computed in doubles, with the factor last, 57 of the 2^32 numbers give 0.01 less: both results are accepted",
        RANDOM_SALTS,
    ],
    source: "provably-fair-betting/verifierform-stake, tests/lib/games/testcases/slide.json",
    law: Law::Multiplier(Multiplier { numerator: 98, ..OF_WORD }),
    ..STAKE_CRASH
};

const THE_BUSTABIT: Dialect = Dialect {
    name: "bustabit",
    title: "bustabit, games after 12,279,450",
    covers: "the multiplier at which a game ends; games up to 12,279,450 had another salt and are not covered",
    seed: "the game's hash, 32 bytes; the hashes of all earlier games follow from it, so whoever \
     made the chain knows them all",
    last: "nobody, if the chain and the salt were fixed before the first game; the operator then \
     knew every result from the start",
    also: &[
        "the operator computes in doubles, this check in whole numbers: of results up to 1000.00, \
         those of 225 in 2^52 numbers differ by 0.01",
        "the chain gives the games an order; it does not show that each of them was played, or \
         when",
    ],
    source: "deduzzo/bustabit-scripts, bustabit-real-data, bustabit-script-simulator",
    scheme: Scheme::of_multiplier(
        Committed::Chain(HexForm::Decoded),
        HexForm::Decoded,
        Role::Message,
    ),
    law: Law::Multiplier(Multiplier::exact(99, 1, 52)),
    published: Some(Published {
        end: hex32("567a98370fb7545137ddb53687723cf0b8a1f5e93b1f76f4a1da29416930fa59"),
        end_game: 10_000_000,
        // The first game with this salt and without a third party's signature.
        first_game: 12_279_451,
        last_game: u64::MAX,
        // More games than the chain was said to have.
        longest: 20_000_000,
        salt: "00000000000000000001e08b7fd44f95e3e950ac65650a8031a6d5e1750e34be",
    }),
    also_reads: &[Column::ChainSteps, Column::GameId],
    deals: Deals::Number(|dialect, scheme, digests, round| {
        round.game_hash()?;
        Ok((1 << 52) - number52(&digest_of_hash(dialect, scheme, digests, round)?))
    }),
    ..STAKE_CRASH
};

pub(super) static BUSTABIT: Dialect = THE_BUSTABIT;

pub(super) static BUSTABIT_V2: Dialect = Dialect {
    name: "bustabit-v2",
    title: "bustabit, games 1 to 10,000,000",
    covers: "the multiplier at which a game ends; later games are on another chain and are not covered",
    source: "vladignatyev/bustabit-rust, tests/lib.rs; deduzzo/bustabit-scripts, verifier-main",
    scheme: Scheme::of_multiplier(Committed::Chain(HexForm::Text), HexForm::Decoded, Role::Message),
    published: Some(Published {
        end: hex32("86728f5fc3bd99db94d3cdaf105d67788194e9701bf95d049ad0e1ee3d004277"),
        end_game: 0,
        first_game: 1,
        last_game: 10_000_000,
        longest: 10_000_000,
        salt: "0000000000000000004d6ec16dafe9d8370958664c1dc422f452892264c59526",
    }),
    ..THE_BUSTABIT
};

/// 64 lower-case hex digits.
const fn hex32(text: &str) -> [u8; 32] {
    let digits = text.as_bytes();
    let mut bytes = [0; 32];
    let mut at = 0;
    while at < 64 {
        let digit = match digits[at] {
            digit @ b'0'..=b'9' => digit - b'0',
            digit => digit - b'a' + 10,
        };
        bytes[at >> 1] = bytes[at >> 1] << 4 | digit;
        at += 1;
    }
    bytes
}
