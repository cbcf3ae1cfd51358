//! `bustabit`: multipliers from the links of one hash chain, with a public salt (spec/dialects.md).

use super::{
    Committed, Deals, Dialect, HexForm, Law, Multiplier, Published, Role, Rotation, Scheme,
    digest_of_hash, number52,
};

const SALT: &str = "00000000000000000001e08b7fd44f95e3e950ac65650a8031a6d5e1750e34be";

/// bustabit, games after 12,279,450.
pub(super) static BUSTABIT: Dialect = Dialect {
    name: "bustabit",
    title: "bustabit, games after 12,279,450",
    covers: "the multiplier at which a game ends; games up to 12,279,450 had another salt and are not covered",
    seed: "the game's hash, 32 bytes; the hashes of all earlier games follow from it, so whoever \
     made the chain knows them all",
    rotation: Rotation::Chain,
    last: "nobody, if the chain and the salt were fixed before the first game; the operator then \
     knew every result from the start",
    also: &[
        "the operator computes in doubles, this check in whole numbers: of results up to 1000.00, \
         those of 225 in 2^52 numbers differ by 0.01",
        "the chain gives the games an order; it does not show that each of them was played, or \
         when",
    ],
    source: "deduzzo/bustabit-scripts, bustabit-real-data, bustabit-script-simulator",
    seed_digits: Some(64),
    scheme: Scheme::of_multiplier(
        Committed::Chain(HexForm::Decoded),
        HexForm::Decoded,
        Role::Message,
    ),
    law: Law::Multiplier(Multiplier { numerator: 99, denominator: 1, bits: 52 }),
    always_dealt: 0,
    published: Some(Published {
        // 567a98370fb7545137ddb53687723cf0b8a1f5e93b1f76f4a1da29416930fa59
        end: [
            0x56, 0x7a, 0x98, 0x37, 0x0f, 0xb7, 0x54, 0x51, 0x37, 0xdd, 0xb5, 0x36, 0x87, 0x72,
            0x3c, 0xf0, 0xb8, 0xa1, 0xf5, 0xe9, 0x3b, 0x1f, 0x76, 0xf4, 0xa1, 0xda, 0x29, 0x41,
            0x69, 0x30, 0xfa, 0x59,
        ],
        end_game: 10_000_000,
        // The first game with this salt and without a third party's signature.
        first_game: 12_279_451,
        // More games than the chain was said to have.
        longest: 20_000_000,
        salt: SALT,
    }),
    also_reads: &[],
    deals: Deals::Number(|dialect, scheme, digests, round| {
        round.game_hash()?;
        Ok((1 << 52) - number52(&digest_of_hash(dialect, scheme, digests, round)?))
    }),
    agrees: |round, _| match round.client_seed.as_deref() {
        None | Some(SALT) => Ok(()),
        Some(other) => {
            Err(format!("the result follows from the salt {other:?}; the published one is {SALT}"))
        }
    },
};
