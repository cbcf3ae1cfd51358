//! `duel-crash`: a multiplier from a seed of its own for each round and a drand value (spec/dialects.md).

use super::Dialect;
use super::about::{About, Rotation};
use super::digests::{Digests, words};
use super::law::{Law, Multiplier};
use super::play::{Outcome, PlayError};
use super::round::{Column, Round};
use super::scheme::{Committed, Counts, Cursor, Form, Mapping, Role, Scheme, Walk};
use super::stake_video_poker as stake;

/// Hex digits of a drand signature of 48 bytes.
const DRAND_DIGITS: usize = 96;

const LAW: Multiplier = Multiplier { numerator: 999, denominator: 10, bits: 32 };

/// Duel's crash.
#[derive(Debug)]
pub(super) struct DuelCrash;

impl Dialect for DuelCrash {
    fn name(&self) -> &'static str {
        "duel-crash"
    }

    fn about(&self) -> &'static About {
        &About {
            title: "Duel, crash",
            covers: "the multiplier at which a round ends; that the drand value is the beacon's of that round is not checked",
            rotation: Rotation::EachRound,
            last: "the drand network, where the value is of a round that lay ahead when the commitment was made; nothing in a \
                   row shows when that was",
            also: &[
                "the drand value's bytes are read as if they were text, and what is no UTF-8 is lost: different drand values \
                 can give one message",
            ],
            source: "ProvablyFair-org/duel-crash, data/crash-master-1100rounds.json",
        }
    }

    fn scheme(&self) -> Scheme {
        Scheme {
            committed: Committed::Hash(Form::Decoded),
            seed: Form::Decoded,
            role: Role::Key,
            cursor: Cursor { counts: Counts::Digests, from: 0 },
            mapping: Mapping::Multiply,
            walk: Walk::Replace,
            deck: stake::DECK,
        }
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
        let drand = self.client_seed(round)?;
        let bytes = hex::decode(drand).ok().filter(|_| drand.len() == DRAND_DIGITS);
        let bytes = bytes.ok_or_else(|| PlayError::wrong_hex(Column::ClientSeed, DRAND_DIGITS, drand))?;
        let text = String::from_utf8_lossy(&bytes);
        let digest = digests.digest(format!("{text}:{}", scheme.cursor.from).as_bytes());
        let [word, ..] = words(&digest);
        Ok(Outcome::Multiplier(LAW.of(u64::from(word).saturating_add(1))))
    }

    fn agrees(
        &self,
        round: &Round<'_>,
        _outcome: &mut dyn FnMut(usize) -> Result<Outcome, PlayError>,
    ) -> Result<(), String> {
        match round.nonce {
            None | Some(0) => Ok(()),
            Some(nonce) => Err(format!("the nonce of this scheme is 0 in every round, the row says {nonce}")),
        }
    }
}
