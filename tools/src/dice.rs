//! Random faults: choices from a fixed seed, and JSON changed in one place.

#![allow(
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    reason = "in a test, a panic is a failure with a place, and these choices need no evenness"
)]

use fairdeal::deal::ServerSeed;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde_json::{Value, json};

/// Choices from a fixed seed, so that a failure can be repeated.
pub struct Dice(ChaCha20Rng);

impl Dice {
    pub fn new(seed: u8) -> Self {
        Self(ChaCha20Rng::from_seed([seed; 32]))
    }

    pub fn below(&mut self, ways: usize) -> usize {
        usize::try_from(self.0.next_u64()).expect("64 bits") % ways
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    pub fn seed(&mut self) -> ServerSeed {
        let mut bytes = [0; 32];
        self.0.fill_bytes(&mut bytes);
        ServerSeed::from_bytes(&mut bytes)
    }
}

/// Values that a field may be changed to.
pub fn odd_values() -> Vec<Value> {
    let mut values = vec![
        json!(null),
        json!(0),
        json!(1),
        json!(-1),
        json!(1.5),
        json!(true),
        json!(""),
        json!("x"),
        json!([]),
        json!({}),
    ];
    values.extend([
        json!("ab".repeat(32)),
        json!(1_u64 << 53),
        json!("seeds"),
        json!("hashes"),
        json!("\u{7f}"),
        json!("standard-52"),
    ]);
    values
}

/// Changes one thing somewhere in a JSON value.
pub fn change(value: &mut Value, dice: &mut Dice) {
    match value {
        Value::Object(members) if !members.is_empty() && !dice.one_in(6) => {
            let names: Vec<String> = members.keys().cloned().collect();
            let name = dice.of(&names).clone();
            match dice.below(8) {
                0 => drop(members.remove(&name)),
                1 => drop(members.insert("extra".to_owned(), dice.of(&odd_values()).clone())),
                _ => change(members.get_mut(&name).expect("its own name"), dice),
            }
        }
        Value::Array(items) if !items.is_empty() && !dice.one_in(6) => {
            let at = dice.below(items.len());
            match dice.below(6) {
                0 => drop(items.remove(at)),
                1 => items.push(items[at].clone()),
                2 => items.swap(0, at),
                _ => change(&mut items[at], dice),
            }
        }
        Value::Number(number) if !dice.one_in(4) => {
            let number = number.as_u64().unwrap_or(1);
            *value = json!(*dice.of(&[
                number.wrapping_add(1),
                number.saturating_sub(1),
                0,
                number / 2,
                number.saturating_mul(1000)
            ]));
        }
        Value::String(text) if !text.is_empty() && !dice.one_in(3) => {
            let mut characters: Vec<char> = text.chars().collect();
            let at = dice.below(characters.len());
            characters[at] = *dice.of(&['0', '1', 'a', 'f', 'A', '=', '\n', '\u{e9}', 'T', 's']);
            *text = characters.into_iter().collect();
        }
        _ => *value = dice.of(&odd_values()).clone(),
    }
}
