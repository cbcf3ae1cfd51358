//! `stake-crash`: multipliers from the links of a hash chain, with a public salt (spec/dialects.md).

use super::Dialect;
use super::about::{About, Rotation};
use super::digests::{Digests, words};
use super::law::{Law, Multiplier};
use super::play::{Outcome, PlayError};
use super::round::{Column, Round, read_hex32};
use super::scheme::{Committed, Form, Role, Scheme};

const LAW: Multiplier = Multiplier { numerator: 99, denominator: 1, bits: 32 };

/// Stake's crash.
#[derive(Debug)]
pub(super) struct StakeCrash;

impl Dialect for StakeCrash {
    fn name(&self) -> &'static str {
        "stake-crash"
    }

    fn about(&self) -> &'static About {
        &About {
            title: "Stake, crash",
            covers: "the multiplier at which a game ends; the chain that its hashes are said to be links of is not in the \
                     sources, so no commitment is checked",
            seed: "the game's hash, whose 64 hex digits are the key as they stand",
            rotation: Rotation::Chain,
            last: "who chose the salt; where it is a block's hash, whoever found that block",
            also: &[
                "computed in doubles, with the factor last, 60 of the 2^32 numbers give 0.01 less; which the operator does is not \
                 in the sources",
                "the sources give each of their rounds a salt of its own; live games are said to use the hash of a Bitcoin block",
            ],
            source: "provably-fair-betting/verifierform-stake, tests/lib/games/testcases/crash.json",
        }
    }

    fn scheme(&self) -> Scheme {
        Scheme::of_multiplier(Committed::Unknown, Form::Text, Role::Key)
    }

    fn law(&self) -> Law {
        Law::Multiplier(LAW)
    }

    fn seed_digits(&self) -> Option<usize> {
        Some(64)
    }

    fn play(
        &self,
        scheme: &Scheme,
        digests: &mut dyn Digests,
        round: &Round<'_>,
        _want: usize,
    ) -> Result<Outcome, PlayError> {
        let (hash, salt) = (round.server_seed()?, self.client_seed(round)?);
        let digest = match (scheme.role, scheme.seed) {
            (Role::Key, _) => digests.digest(salt.as_bytes()),
            (Role::Message, Form::Text) => digests.digest(hash.as_bytes()),
            (Role::Message, Form::Decoded) => {
                let decoded =
                    read_hex32(hash).ok_or_else(|| PlayError::wrong_hex(Column::ServerSeed, 64, hash))?;
                digests.digest(&decoded)
            }
        };
        let [word, ..] = words(&digest);
        Ok(Outcome::Multiplier(LAW.of(u64::from(word).saturating_add(1))))
    }
}
