//! Checking rounds of other operators' schemes, beside a verifier with `node:crypto` (dialects.mjs)
//! and the bare HMACs.
//!
//! Rows are in memory on both sides, a hundred under one server seed if the scheme allows it. The
//! floor is every HMAC of a row by the crate's plain API, with the key set up once for each row; no
//! words, no cards, no commitment. For `bustabit` the rows have no commitment, because following
//! its chain takes both the same time.

#![expect(clippy::print_stdout, reason = "the table is what a bench is for")]

#[path = "support.rs"]
#[allow(dead_code, reason = "this table has other columns")]
mod support;

use std::borrow::Cow;
use std::hint::black_box;
use std::process::Command;

use fairdeal::deal::Card;
use fairdeal_schemes::dialect::{
    self, Cents, Checker, Column, Dialect, DialectOutcome, Foreign, Round, RowVerdict,
};
use fairdeal_schemes::rows::Value;
use hmac::{Hmac, KeyInit, Mac};
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use support::{Asked, minimum, time};

type Outcomes<T> = Result<T, Box<dyn std::error::Error>>;

/// Rounds of measuring; the fastest counts.
const ROUNDS: u32 = 15;

struct Case {
    name: &'static str,
    rows: usize,
    /// Rounds under one server seed.
    under: usize,
    /// The HMACs of a row, and the bytes of their messages.
    hmacs: usize,
    bytes: usize,
    /// How many cards a row shows.
    cards: usize,
}

const CASES: [Case; 8] = [
    Case { name: "stake-crash", rows: 20_000, under: 1, hmacs: 1, bytes: 32, cards: 0 },
    Case { name: "bustabit", rows: 20_000, under: 1, hmacs: 1, bytes: 32, cards: 0 },
    Case { name: "duel-crash", rows: 20_000, under: 1, hmacs: 1, bytes: 100, cards: 0 },
    Case { name: "stake-video-poker", rows: 10_000, under: 100, hmacs: 2, bytes: 37, cards: 10 },
    Case { name: "stake-replace", rows: 10_000, under: 100, hmacs: 1, bytes: 37, cards: 8 },
    Case { name: "duel-video-poker", rows: 1_000, under: 100, hmacs: 51, bytes: 22, cards: 10 },
    Case { name: "fairdeal/v1", rows: 10_000, under: 100, hmacs: 1, bytes: 66, cards: 52 },
    Case { name: "liqd-blackjack", rows: 200, under: 100, hmacs: 415, bytes: 24, cards: 8 },
];

fn main() -> Outcomes<()> {
    let asked = Asked::new();
    let rounds = asked.rounds(ROUNDS);
    println!("a row, ns; ratios are node's rows to ours and ours to the floor");
    println!(
        "{:<20}{:>8}{:>10}{:>10}{:>10}{:>10}{:>12}{:>12}{:>12}",
        "", "HMACs", "node", "one core", "two", "floor", "one/node", "two/node", "one/floor"
    );
    let two = rayon::ThreadPoolBuilder::new().num_threads(2).build()?;
    for case in &CASES {
        if !asked.is_for(case.name) {
            continue;
        }
        let dialect = dialect::find(case.name).ok_or("a known dialect")?;
        let rows = made(case, dialect)?;
        let node = node(case, &rows, rounds)?;
        let one = least(case, rounds, || {
            let mut checker = Checker::new(dialect);
            rows.iter().all(|row| checker.check(row).verdict == RowVerdict::Valid)
        });
        let both = least(case, rounds, || {
            two.install(|| {
                rows.par_chunks(rows.len().div_ceil(16)).all(|chunk| {
                    let mut checker = Checker::new(dialect);
                    chunk.iter().all(|row| checker.check(row).verdict == RowVerdict::Valid)
                })
            })
        });
        let floor = least(case, rounds, || bare(case, &rows));
        println!(
            "{:<20}{:>8}{:>10.0}{:>10.0}{:>10.0}{:>10.0}{:>12.1}{:>12.1}{:>12.2}",
            case.name,
            case.hmacs,
            node,
            one,
            both,
            floor,
            node / one,
            node / both,
            one / floor
        );
    }
    Ok(())
}

/// The least time of several rounds over all rows, in nanoseconds for one row.
fn least(case: &Case, rounds: u32, mut all: impl FnMut() -> bool) -> f64 {
    let mut checked = || assert!(all(), "{}: a row that does not verify", case.name);
    let times: Vec<f64> = (0..rounds).map(|_| time(1, &mut checked)).collect();
    minimum(&times) / u32::try_from(case.rows).map_or(f64::NAN, f64::from)
}

fn bare(case: &Case, rows: &[Round<'_>]) -> bool {
    let message = vec![0x61; case.bytes];
    for row in rows {
        let key = row.server_seed.as_deref().unwrap_or_default();
        let Ok(mac) = Hmac::<Sha256>::new_from_slice(key.as_bytes()) else { return false };
        for _ in 0..case.hmacs {
            black_box(mac.clone().chain_update(&message).finalize());
        }
    }
    true
}

fn hash_of(what: &str, number: usize) -> [u8; 32] {
    Sha256::digest(format!("{what} {number}")).into()
}

/// Rows of counted seeds, with their results.
fn made(case: &Case, dialect: &'static Dialect) -> Outcomes<Vec<Round<'static>>> {
    let mut checker = Checker::new(dialect);
    (0..case.rows).map(|number| row(case, &mut checker, number)).collect()
}

fn row(case: &Case, checker: &mut Checker, number: usize) -> Outcomes<Round<'static>> {
    let (set, nonce) = (number.div_euclid(case.under), number.rem_euclid(case.under));
    let seed = hash_of("server", set);
    let decoded = case.name.starts_with("duel") || case.name.starts_with("fairdeal");
    let digits =
        if case.name.ends_with("crash") || case.name == "bustabit" || decoded { 64 } else { 32 };
    let server: String = hex::encode(seed).chars().take(digits).collect();
    let commitment = match (case.name, decoded) {
        ("stake-crash" | "bustabit", _) => None,
        (_, true) => Some(Sha256::digest(hex::decode(&server)?)),
        (_, false) => Some(Sha256::digest(&server)),
    };
    let client: String = match case.name {
        "bustabit" => "00000000000000000001e08b7fd44f95e3e950ac65650a8031a6d5e1750e34be".to_owned(),
        "duel-crash" => hex::encode([hash_of("drand", number), hash_of("more", number)].concat())
            .chars()
            .take(96)
            .collect(),
        "fairdeal/v1" => format!("player={}", hex::encode(hash_of("client", set))),
        _ => hex::encode(hash_of("client", set)).chars().take(32).collect(),
    };
    let mut round = Round::default();
    let mut put = |column, text: String| Value::Text(Cow::Owned(text)).put(column, &mut round);
    put(Column::ServerSeed, server)?;
    put(Column::ClientSeed, client)?;
    put(Column::Nonce, nonce.to_string())?;
    if let Some(hash) = commitment {
        put(Column::Commitment, hex::encode(hash))?;
    }
    match checker.outcome(&round, case.cards)? {
        DialectOutcome::Cards(cards) => {
            round.cards = Some(cards.into_iter().take(case.cards).collect());
        }
        DialectOutcome::Multiplier(cents) => round.result = Some(cents),
    }
    Ok(round)
}

/// Node's least time for the same rows as JSON, in nanoseconds for one row.
fn node(case: &Case, rows: &[Round<'_>], rounds: u32) -> Outcomes<f64> {
    let rows: Vec<serde_json::Value> = rows.iter().map(|row| json(case, row)).collect();
    let file = tempfile::NamedTempFile::new()?;
    std::fs::write(file.path(), serde_json::to_vec(&rows)?)?;
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../benches/dialects.mjs");
    let ran = Command::new("node")
        .arg(script)
        .arg(case.name)
        .arg(file.path())
        .arg(rounds.to_string())
        .output()
        .map_err(|error| {
            format!("the bench is held against node, which does not start: {error}")
        })?;
    if !ran.status.success() {
        return Err(String::from_utf8_lossy(&ran.stderr).into());
    }
    Ok(String::from_utf8(ran.stdout)?.trim().parse()?)
}

/// Cards in the scheme's own notation.
fn listed(case: &Case, cards: &[Card]) -> Vec<String> {
    let own = case.name == "fairdeal/v1";
    cards
        .iter()
        .map(|card| if own { card.to_string() } else { Foreign(*card).to_string() })
        .collect()
}

fn json(case: &Case, round: &Round<'_>) -> serde_json::Value {
    serde_json::json!({
        "server_seed": round.server_seed,
        "commitment": round.commitment.map(hex::encode),
        "client_seed": round.client_seed,
        "nonce": round.nonce,
        "cards": round.cards.as_deref().map(|cards| listed(case, cards)),
        "result": round.result.map(|result: Cents| result.to_string()),
    })
}
