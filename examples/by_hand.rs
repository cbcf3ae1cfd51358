//! Replays a deal without the fairdeal library: `cargo run --example by_hand`
//!
//! It uses only an HMAC, a ChaCha20 and hex, and follows spec/shuffle.md, sections 2 to 6.

#![allow(clippy::print_stdout, clippy::cast_possible_truncation, reason = "an example")]

use hmac::{Hmac, KeyInit as _, Mac as _};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};
use sha2::{Digest as _, Sha256};

fn main() {
    // The operator's seed, and the commitment that it published before the deal.
    let seed = hex::decode("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")
        .expect("hex");
    let commitment = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd";
    assert_eq!(hex::encode(Sha256::digest(&seed)), commitment);

    // Section 2: kind 1, the length, the seed of each player; in ascending order.
    let mut players =
        ["lucky", "seven"].map(|seed| [&[1, 0, seed.len() as u8], seed.as_bytes()].concat());
    players.sort();
    // Section 3: a tag, the nonce, the number of contributions, and these. Round 0, two players.
    let message = [b"fairdeal/v1/deal\0".as_slice(), &[0; 8], &[0, 2], &players.concat()].concat();
    let key =
        Hmac::<Sha256>::new_from_slice(&seed).expect("any length").chain_update(message).finalize();
    let mut words = ChaCha20Rng::from_seed(key.into_bytes().into());

    // Section 4: a number under s; all are equally likely.
    let mut below = |s: u64| loop {
        let product = u64::from(words.next_u32()) * s;
        if product % (1 << 32) >= (1 << 32) % s {
            return (product >> 32) as usize;
        }
    };
    // Section 5.1: the backward Fisher–Yates shuffle. Section 6.1: the names of the cards.
    let mut deck: Vec<usize> = (0..52).collect();
    for i in (1..52).rev() {
        deck.swap(i, below(i as u64 + 1));
    }
    let name = |card: usize| [b"23456789TJQKA"[card % 13], b"cdhs"[card / 13]].map(char::from);
    let dealt: String = deck.iter().rev().take(5).flat_map(|&card| name(card)).collect();
    println!("{dealt}");
    assert_eq!(dealt, "3c5dAc3s2d");
}
