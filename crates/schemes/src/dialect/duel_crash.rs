//! `duel-crash`: a multiplier from a server seed for each round and a drand value
//! (spec/dialects.md).

use super::{
    Column, Committed, Deals, Dialect, HexForm, Law, Multiplier, PlayError, Role, Rotation, Scheme,
    read_hex32, words,
};
use fairdeal::deal::decode_hex;

/// A drand signature.
const DRAND_BYTES: usize = 48;

/// Duel's crash.
pub(super) static DUEL_CRASH: Dialect = Dialect {
    name: "duel-crash",
    title: "Duel, crash",
    covers: "the multiplier at which a round ends; that the drand value is the beacon's of that round is not checked",
    seed: "64 hex digits, decoded to a key of 32 bytes",
    rotation: Rotation::EachRound,
    last: "the drand network, if the value's round was still to come when the commitment was \
     made; no row shows when that was",
    also: &["the drand value's bytes are read as text, and bytes that are not UTF-8 are lost: \
         different drand values can give the same message"],
    source: "ProvablyFair-org/duel-crash, data/crash-master-1100rounds.json",
    seed_digits: Some(64),
    scheme: Scheme::of_multiplier(Committed::Hash(HexForm::Decoded), HexForm::Decoded, Role::Key),
    law: Law::Multiplier(Multiplier { numerator: 999, denominator: 10, bits: 32 }),
    always_dealt: 0,
    published: None,
    // The nonce is 0 in every round; a row may say otherwise.
    also_reads: &[Column::Nonce],
    deals: Deals::Number(|dialect, _, digests, round| {
        let drand = dialect.client_seed(round)?;
        let mut bytes = [0; DRAND_BYTES];
        decode_hex(drand.as_bytes(), &mut bytes).ok_or_else(|| match read_hex32(drand) {
            Some(_) => PlayError::wrong(Column::ClientSeed, "96 hex digits", RANDOMNESS),
            None => PlayError::wrong_hex(Column::ClientSeed, 2 * DRAND_BYTES, drand),
        })?;
        let [word, ..] = words(&digests.digest(&message(&bytes)));
        Ok(u64::from(word) + 1)
    }),
    agrees: |round, _| match round.nonce {
        None | Some(0) => Ok(()),
        Some(nonce) => {
            Err(format!("the nonce of this scheme is 0 in every round, the row says {nonce}"))
        }
    },
};

/// What drand publishes beside its signature.
const RANDOMNESS: &str = "64, which may be drand's randomness; this scheme takes drand's signature";

/// The bytes read as UTF-8, each maximal invalid part replaced by U+FFFD; then `:0`.
fn message(bytes: &[u8]) -> Vec<u8> {
    let replacement = "\u{fffd}".as_bytes();
    let (mut message, mut rest) = (Vec::with_capacity(192), bytes);
    while let [first, after @ ..] = rest {
        match rest {
            [0..=0x7f, ..] => message.push(*first),
            // This byte may begin a character: the standard library says how much of it is valid.
            [0xc2..=0xf4, 0x80..=0xbf, ..] => {
                let Some(chunk) = rest.utf8_chunks().next() else { break };
                let invalid = if chunk.invalid().is_empty() { &[] } else { replacement };
                message.extend_from_slice(chunk.valid().as_bytes());
                message.extend_from_slice(invalid);
                rest = &rest[chunk.valid().len() + chunk.invalid().len()..];
                continue;
            }
            // This byte cannot begin a character: the common case among bytes that are not ASCII.
            _ => message.extend_from_slice(replacement),
        }
        rest = after;
    }
    message.extend_from_slice(b":0");
    message
}
