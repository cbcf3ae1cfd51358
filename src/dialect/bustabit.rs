//! `bustabit`: multipliers from the links of one hash chain, with a public salt (spec/dialects.md).

use super::about::{About, Rotation};
use super::chain::Published;
use super::digests::{Digests, words};
use super::law::{Law, Multiplier};
use super::play::{Outcome, PlayError};
use super::round::{Column, Round, read_hex32};
use super::scheme::{Committed, Form, Role, Scheme};
use super::{Dialect, asks_for_its_result};

/// The salt that was published for these games.
const SALT: &str = "00000000000000000001e08b7fd44f95e3e950ac65650a8031a6d5e1750e34be";

/// 567a98370fb7545137ddb53687723cf0b8a1f5e93b1f76f4a1da29416930fa59.
const END: [u8; 32] = [
    0x56, 0x7a, 0x98, 0x37, 0x0f, 0xb7, 0x54, 0x51, 0x37, 0xdd, 0xb5, 0x36, 0x87, 0x72, 0x3c, 0xf0, 0xb8,
    0xa1, 0xf5, 0xe9, 0x3b, 0x1f, 0x76, 0xf4, 0xa1, 0xda, 0x29, 0x41, 0x69, 0x30, 0xfa, 0x59,
];

/// The game whose hash the end would be.
const END_GAME: u64 = 10_000_000;

/// The first game with this salt and without a third party's signature.
const FIRST_GAME: u64 = 12_279_451;

/// More games than the chain was said to have.
const LONGEST: u64 = 20_000_000;

const PUBLISHED: Published =
    Published { end: END, end_game: END_GAME, first_game: FIRST_GAME, longest: LONGEST };

const LAW: Multiplier = Multiplier { numerator: 99, denominator: 1, bits: 52 };

/// bustabit, games after 12,279,450.
#[derive(Debug)]
pub(super) struct Bustabit;

impl Dialect for Bustabit {
    fn name(&self) -> &'static str {
        "bustabit"
    }

    fn about(&self) -> &'static About {
        &About {
            title: "bustabit, games after 12,279,450",
            covers: "the multiplier at which a game ends; games up to 12,279,450 had another salt and are not covered",
            seed: "the game's hash, 32 bytes, from which the hashes of all earlier games follow, so that who made the chain knows them all",
            rotation: Rotation::Chain,
            last: "nobody, if chain and salt stood before the first game; the operator then knew every result from the start",
            also: &[
                "the operator computes in doubles, and this in whole numbers: of results up to 1000.00 those of 225 in 2^52 numbers differ by 0.01",
                "the chain gives an order to the games; that each of them was played, and when, it does not show",
            ],
            source: "deduzzo/bustabit-scripts, bustabit-real-data, bustabit-script-simulator",
        }
    }

    fn scheme(&self) -> Scheme {
        Scheme::of_multiplier(Committed::Chain(Form::Decoded), Form::Decoded, Role::Message)
    }

    fn law(&self) -> Law {
        Law::Multiplier(LAW)
    }

    fn seed_digits(&self) -> Option<usize> {
        Some(64)
    }

    fn published(&self) -> Option<Published> {
        Some(PUBLISHED)
    }

    fn asks(&self, round: &Round<'_>) -> Result<(), PlayError> {
        let games = [round.game_id, round.chain_steps.map(|steps| steps.saturating_add(END_GAME))];
        games.into_iter().flatten().try_for_each(|game| PUBLISHED.covers(game))?;
        asks_for_its_result(&self.law(), round)
    }

    fn client_seed<'r>(&self, round: &'r Round<'_>) -> Result<&'r str, PlayError> {
        Ok(round.client_seed.as_deref().unwrap_or(SALT))
    }

    fn play(
        &self,
        scheme: &Scheme,
        digests: &mut dyn Digests,
        round: &Round<'_>,
        _want: usize,
    ) -> Result<Outcome, PlayError> {
        let hash = round.server_seed()?;
        let decoded = read_hex32(hash).ok_or_else(|| PlayError::wrong_hex(Column::ServerSeed, 64, hash))?;
        let digest = match (scheme.role, scheme.seed) {
            (Role::Key, _) => digests.digest(self.client_seed(round)?.as_bytes()),
            (Role::Message, Form::Decoded) => digests.digest(&decoded),
            (Role::Message, Form::Text) => digests.digest(hash.as_bytes()),
        };
        // The first 13 hex digits: 52 bits.
        let [high, low, ..] = words(&digest);
        let number = (u64::from(high) << 32 | u64::from(low)) >> 12;
        Ok(Outcome::Multiplier(LAW.of((1_u64 << 52).saturating_sub(number))))
    }

    fn agrees(
        &self,
        round: &Round<'_>,
        _outcome: &mut dyn FnMut(usize) -> Result<Outcome, PlayError>,
    ) -> Result<(), String> {
        match round.client_seed.as_deref() {
            None | Some(SALT) => Ok(()),
            Some(other) => {
                Err(format!("the result follows from the salt {other:?}; the published one is {SALT}"))
            }
        }
    }
}
