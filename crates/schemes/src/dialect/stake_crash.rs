//! `stake-crash`: multipliers from the links of a hash chain, with a public salt
//! (spec/dialects.md).

use super::{
    Committed, Deals, Dialect, HexForm, Law, Multiplier, Role, Rotation, Scheme, digest_of_hash,
    words,
};

/// Stake's crash.
pub(super) static STAKE_CRASH: Dialect = Dialect {
    name: "stake-crash",
    title: "Stake, crash",
    covers: "the multiplier at which a game ends; the chain that its hashes are said to be links of is not in the \
             sources, so no commitment is checked",
    seed: "the game's hash, whose 64 hex digits are used as text for the key",
    rotation: Rotation::Chain,
    last: "whoever chose the salt; if it is a block's hash, whoever found that block",
    also: &[
        "computed in doubles, with the factor last, 60 of the 2^32 numbers give 0.01 less; the \
         sources do not say how the operator computes",
        "each round of the sources has its own salt; live games are said to use the hash of a \
         Bitcoin block",
    ],
    source: "provably-fair-betting/verifierform-stake, tests/lib/games/testcases/crash.json",
    seed_digits: Some(64),
    scheme: Scheme::of_multiplier(Committed::Unknown, HexForm::Text, Role::Key),
    law: Law::Multiplier(Multiplier { numerator: 99, denominator: 1, bits: 32 }),
    always_dealt: 0,
    published: None,
    also_reads: &[],
    deals: Deals::Number(|dialect, scheme, digests, round| {
        Ok(u64::from(words(&digest_of_hash(dialect, scheme, digests, round)?)[0]) + 1)
    }),
    agrees: |_, _| Ok(()),
};
