//! The service gets requests that nobody wrote down: its own calls, changed in any byte and in the
//! structure of their JSON.

mod request;

use serde_json::Value;
use tools::dice::Dice;
use tools::mutation::Json;

use crate::ledger_support::quick_folder;
use request::{Target, seeds};

/// How many requests.
const CASES: usize = 6_000;

/// Bytes that readers of requests often get wrong.
const TOKENS: [&[u8]; 16] = [
    b"%00",
    b"%ff",
    b"%2f",
    b"//",
    b"..",
    b"?",
    b"&",
    b"=",
    b"#",
    b" ",
    b"-1",
    b"9007199254740992",
    b"\x7f",
    b"\xff",
    b"\n",
    b"{",
];

/// Changes a few places of the head, or of the body's bytes.
fn change_bytes(input: &mut Vec<u8>, dice: &mut Dice) {
    for _ in 0..=dice.below(3) {
        let at = dice.below(input.len().max(1));
        match dice.below(4) {
            0 => {
                if let Some(byte) = input.get_mut(at) {
                    *byte ^= 1 << dice.below(8);
                }
            }
            1 => {
                let end = at.saturating_add(dice.below(8)).min(input.len());
                drop(input.drain(at.min(end)..end));
            }
            2 => {
                let end = at.saturating_add(dice.below(40)).min(input.len());
                let copy = input.get(at..end).unwrap_or_default().to_vec();
                input.splice(at..at, copy);
            }
            _ => {
                let token = dice.of(&TOKENS).to_vec();
                input.splice(at..at, token);
            }
        }
    }
}

/// Changes the structure of the body's JSON.
fn change_body(input: &[u8], dice: &mut Dice) -> Option<Vec<u8>> {
    let end = input.windows(2).position(|two| two == b"\n\n")? + 2;
    let body: Value = serde_json::from_slice(input.get(end..)?).ok()?;
    let mut body = Json::of(&body);
    body.mutate(dice);
    Some([input.get(..end)?, body.text().as_bytes()].concat())
}

#[test]
fn whatever_it_is_asked_the_service_answers_and_a_refusal_is_a_problem_with_a_code() {
    let folder = quick_folder();
    let target = Target::of(folder.path().to_owned());
    let seeds = seeds();
    let granted = seeds.iter().filter(|seed| target.ask(seed) == Some(true)).count();
    // The others wait for a round that is not there.
    assert!(granted > seeds.len() / 2, "{granted} of {} requests were granted", seeds.len());
    let mut dice = Dice::new(13);
    let (mut asked, mut granted) = (0, 0);
    for _ in 0..CASES {
        let seed = dice.of(&seeds).clone();
        let mut input = match dice.below(2) {
            0 => change_body(&seed, &mut dice).unwrap_or(seed),
            _ => seed,
        };
        if dice.below(3) > 0 {
            change_bytes(&mut input, &mut dice);
        }
        if let Some(was_granted) = target.ask(&input) {
            asked += 1;
            granted += usize::from(was_granted);
        }
    }
    assert!(
        asked > CASES / 2 && (100..asked).contains(&granted),
        "{granted} of {asked} requests were granted"
    );
}
