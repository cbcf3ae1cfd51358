//! A deal, beside the bare primitives that it is made of.
//!
//! The floor of a deal is what the specification asks any implementation to compute: one
//! HMAC-SHA256 from cached pads, and as much ChaCha20 keystream as the words take, rounded up to
//! 256 bytes, by the same crates.

#[path = "support.rs"]
mod support;

use std::hint::black_box;

use chacha20::ChaCha20;
use chacha20::cipher::{KeyIvInit, StreamCipher};
use fairdeal::deal::{
    Choices, Commitment, Contribution, Contributions, Deck, Nonce, Plan, SealKey, ServerSeed,
    below, message,
};
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use support::{Outcome, Table};

fn main() -> Outcome {
    let table = Table::new("deal", 400);
    deals(&table)?;
    draws(&table)?;
    seals(&table)
}

/// The seed of every case.
const SEED: [u8; 32] = [7; 32];

/// This many players, each with 64 bits in hex.
fn players(count: u8) -> Result<Contributions, Box<dyn std::error::Error>> {
    let one = |player| {
        Contribution::new(
            format!("player {player}"),
            format!("{:016x}", u64::from(player) * 0x9e37),
        )
    };
    Ok(Contributions::of_clients((0..count).map(one).collect::<Result<_, _>>()?)?)
}

/// HMAC from cached pads, then `N` bytes of keystream.
fn primitives<const N: usize>(pads: &Hmac<Sha256>, message: &[u8]) -> [u8; N] {
    let key = pads.clone().chain_update(message).finalize().into_bytes();
    let mut stream = [0; N];
    ChaCha20::new(&key, &[0; 12].into()).apply_keystream(&mut stream);
    stream
}

fn deals(table: &Table) -> Outcome {
    let mac = ServerSeed::from_bytes(&mut SEED.clone()).mac();
    let pads = Hmac::<Sha256>::new_from_slice(&SEED)?;
    let (one, six) = (players(1)?, players(6)?);
    let nonce = Nonce::new(5)?;
    let standard = Plan::shuffle(52, 52)?;
    let shoe = Plan::shuffle(416, 416)?;
    let hand = Plan::shuffle(52, 5)?;
    let (of_one, of_six) = (message(nonce, &one), message(nonce, &six));
    let deck = Deck::standard();
    table.row(
        "shuffle 52, 1 player",
        || standard.deal(&mac, black_box(nonce), &one),
        || primitives::<256>(&pads, black_box(&of_one)),
    );
    table.row(
        "shuffle 52, 1 player, to text",
        || deck.text_of(&standard.deal(&mac, black_box(nonce), &one).items),
        || primitives::<256>(&pads, black_box(&of_one)),
    );
    table.row(
        "shuffle 52, 6 players",
        || standard.deal(&mac, black_box(nonce), &six),
        || primitives::<256>(&pads, black_box(&of_six)),
    );
    table.row(
        "draw 5 of 52, 1 player",
        || hand.deal(&mac, black_box(nonce), &one),
        || primitives::<256>(&pads, black_box(&of_one)),
    );
    table.row(
        "shuffle 416, 1 player",
        || shoe.deal(&mac, black_box(nonce), &one),
        || primitives::<1792>(&pads, black_box(&of_one)),
    );
    table.row(
        "derive the key alone",
        || mac.deal_key(black_box(nonce), &one),
        || pads.clone().chain_update(black_box(&of_one)).finalize(),
    );
    let key = mac.deal_key(nonce, &one);
    let keystream = ServerSeed::from_bytes(&mut SEED.clone());
    table.row(
        "shuffle 52 from a key",
        || standard.deal_with(black_box(&key)),
        || {
            let mut stream = [0; 256];
            ChaCha20::new(black_box(keystream.expose()).into(), &[0; 12].into())
                .apply_keystream(&mut stream);
            stream
        },
    );
    Ok(())
}

/// The 51 draws of a deal, from given words.
fn draws(table: &Table) -> Outcome {
    let key =
        ServerSeed::from_bytes(&mut SEED.clone()).mac().deal_key(Nonce::new(5)?, &players(1)?);
    let mut stream = key.words();
    let words: Vec<u32> = (0..64).map(|_| stream.next_word()).collect();
    let ways: Vec<Choices> = (2..=52).rev().map(Choices::new).collect::<Result<_, _>>()?;
    let ours = || {
        let mut words = black_box(words.as_slice()).iter().copied();
        ways.iter().fold(0_u32, |sum, &ways| sum ^ below(ways, || words.next().unwrap_or(u32::MAX)))
    };
    table.row("51 × below, by multiply-high alone (biased)", ours, || {
        ways.iter()
            .zip(black_box(words.as_slice()))
            .fold(0, |sum, (ways, word)| sum ^ word.carrying_mul(ways.ways(), 0).1)
    });
    table.row("51 × below, by remainder alone (biased)", ours, || {
        #[expect(
            clippy::integer_division_remainder_used,
            reason = "the biased way, to show what exactness costs"
        )]
        ways.iter()
            .zip(black_box(words.as_slice()))
            .fold(0, |sum, (ways, word)| sum ^ (word % ways.ways()))
    });
    Ok(())
}

/// Salts, 52 card seals of two blocks each, and the seal over them.
fn seals(table: &Table) -> Outcome {
    let seed = ServerSeed::from_bytes(&mut SEED.clone());
    let (commitment, mac, pads) =
        (seed.commitment(), seed.mac(), Hmac::<Sha256>::new_from_slice(&SEED)?);
    let (nonce, one) = (Nonce::new(5)?, players(1)?);
    let items = Plan::shuffle(52, 52)?.deal(&mac, nonce, &one).items;
    let message = message(nonce, &one);
    table.row(
        "seal 52 cards",
        || SealKey::derive(&mac, black_box(nonce), &one).seal(&commitment, nonce, &items).seal(),
        || bare_seals(&pads, black_box(&message), &commitment),
    );
    Ok(())
}

fn bare_seals(pads: &Hmac<Sha256>, message: &[u8], commitment: &Commitment) -> [u8; 32] {
    let salts = primitives::<832>(pads, message);
    let mut list = [0; 18 + 52 * 32];
    let (_, rest) = list.split_at_mut(18);
    for (salt, seal) in salts.as_chunks::<16>().0.iter().zip(rest.as_chunks_mut::<32>().0) {
        // As long as the hashed bytes of a card, in one piece.
        let mut card = [0; 81];
        if let Some(place) = card.last_chunk_mut() {
            *place = *salt;
        }
        if let Some(place) = card.first_chunk_mut() {
            *place = *commitment.as_bytes();
        }
        *seal = Sha256::digest(card).into();
    }
    Sha256::digest(list).into()
}
