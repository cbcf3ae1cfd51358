//! Checking rounds of other operators' schemes, beside a verifier with `node:crypto` (dialects.mjs)
//! and the bare HMACs.
//!
//! Rows are in memory on both sides, a hundred under one server seed if the scheme allows it. The
//! floor is every HMAC of a row by the crate's plain API, with the key set up once for each row; no
//! words, no cards, no commitment. Links of a chain have no commitment: following a
//! chain takes both the same time.

#![expect(clippy::print_stdout, reason = "the table is what a bench is for")]

#[path = "support.rs"]
#[allow(dead_code, reason = "this table has other columns")]
mod support;

use std::borrow::Cow;
use std::hint::black_box;
use std::process::Command;

use fairdeal::deal::Card;
use fairdeal_schemes::dialect::{
    self, Cents, Checker, Column, Dialect, DialectOutcome, Foreign, Rotation, Round, RowVerdict,
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
    /// The other columns that the row's game asks for.
    more: &'static [(Column, &'static str)],
}

/// A row with one HMAC of a message of `bytes`.
const fn one(name: &'static str, under: usize, bytes: usize) -> Case {
    Case { name, rows: 20_000, under, hmacs: 1, bytes, cards: 0, more: &[] }
}

/// Rows of a player, a hundred under one server seed.
const fn bets(name: &'static str, hmacs: usize, bytes: usize) -> Case {
    Case { rows: 10_000, hmacs, ..one(name, 100, bytes) }
}

const RISK: (Column, &str) = (Column::Risk, "high");

const CASES: [Case; 30] = [
    one("stake-crash", 1, 32),
    one("stake-slide", 1, 32),
    one("bustabit", 1, 32),
    one("bustabit-v2", 1, 32),
    one("duel-crash", 1, 100),
    one("duel-castle-roulette", 1, 100),
    Case { cards: 10, ..bets("stake-video-poker", 2, 37) },
    Case { cards: 8, ..bets("stake-replace", 1, 37) },
    bets("stake-dice", 1, 37),
    bets("stake-roulette", 1, 37),
    bets("stake-limbo", 1, 37),
    Case { more: &[(Column::Segments, "50"), RISK], ..bets("stake-wheel", 1, 37) },
    Case { more: &[(Column::Rows, "16"), RISK], ..bets("stake-plinko", 2, 37) },
    Case { more: &[(Column::MineCount, "24")], ..bets("stake-mines", 3, 37) },
    bets("stake-keno", 2, 37),
    bets("stake-diamonds", 1, 37),
    bets("stake-flip", 3, 37),
    bets("stake-rock-paper-scissors", 3, 37),
    bets("stake-snakes", 2, 37),
    Case { more: &[(Column::Difficulty, "easy")], ..bets("stake-dragon-tower", 4, 37) },
    Case { rows: 1_000, cards: 10, ..bets("duel-video-poker", 51, 22) },
    Case { rows: 1_000, more: &[(Column::MineCount, "12")], ..bets("duel-mines", 24, 36) },
    Case { rows: 1_000, more: &[(Column::Difficulty, "4")], ..bets("duel-beef", 19, 36) },
    bets("duel-dice", 1, 34),
    Case { more: &[(Column::Rows, "16")], ..bets("duel-plinko", 16, 36) },
    Case { cards: 52, ..bets("fairdeal/v1", 1, 66) },
    Case { rows: 200, cards: 8, ..bets("liqd-blackjack", 415, 24) },
    bets("liqd-dice", 1, 36),
    Case { more: &[(Column::Rows, "16")], ..bets("liqd-plinko", 16, 36) },
    Case { rows: 1_000, more: &[(Column::MineCount, "12")], ..bets("liqd-mines", 25, 36) },
];

fn main() -> Outcomes<()> {
    let asked = Asked::new();
    let rounds = asked.rounds(ROUNDS);
    println!("a row, ns; ratios are node's rows to ours and ours to the floor");
    println!(
        "{:<28}{:>8}{:>10}{:>10}{:>10}{:>10}{:>12}{:>12}{:>12}",
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
            "{:<28}{:>8}{:>10.0}{:>10.0}{:>10.0}{:>10.0}{:>12.1}{:>12.1}{:>12.2}",
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
    (0..case.rows).map(|number| row(case, dialect, &mut checker, number)).collect()
}

fn row(
    case: &Case,
    dialect: &Dialect,
    checker: &mut Checker,
    number: usize,
) -> Outcomes<Round<'static>> {
    let (set, nonce) = (number.div_euclid(case.under), number.rem_euclid(case.under));
    let seed = hash_of("server", set);
    let decoded = case.name.starts_with("duel") || case.name.starts_with("fairdeal");
    let digits = if dialect.rotation == Rotation::Chain || decoded { 64 } else { 32 };
    let server: String = hex::encode(seed).chars().take(digits).collect();
    let commitment = match (dialect.rotation, decoded) {
        (Rotation::Chain, _) => None,
        (_, true) => Some(Sha256::digest(hex::decode(&server)?)),
        (_, false) => Some(Sha256::digest(&server)),
    };
    let client: String = match (case.name, dialect.published) {
        (_, Some(published)) => published.salt.to_owned(),
        ("duel-crash" | "duel-castle-roulette", _) => {
            hex::encode([hash_of("drand", number), hash_of("more", number)].concat())
                .chars()
                .take(96)
                .collect()
        }
        ("fairdeal/v1", _) => format!("player={}", hex::encode(hash_of("client", set))),
        _ => hex::encode(hash_of("client", set)).chars().take(32).collect(),
    };
    let mut round = Round::default();
    let mut put = |column, text: String| Value::Text(Cow::Owned(text)).put(column, &mut round);
    put(Column::ServerSeed, server)?;
    put(Column::ClientSeed, client)?;
    if dialect.rotation != Rotation::Chain {
        put(Column::Nonce, if case.under == 1 { 0 } else { nonce }.to_string())?;
    }
    for (column, text) in case.more {
        put(*column, (*text).to_owned())?;
    }
    if let Some(hash) = commitment {
        put(Column::Commitment, hex::encode(hash))?;
    }
    match checker.outcome(&round, case.cards)? {
        DialectOutcome::Cards(cards) => {
            round.cards = Some(cards.into_iter().take(case.cards).collect());
        }
        DialectOutcome::Result(accepted) => round.result = Some(accepted.first),
        DialectOutcome::Cells(cells) => round.cells.extend(cells),
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
    let mut row = serde_json::json!({
        "server_seed": round.server_seed,
        "commitment": round.commitment.map(hex::encode),
        "client_seed": round.client_seed,
        "nonce": round.nonce,
        "cards": round.cards.as_deref().map(|cards| listed(case, cards)),
        "result": round.result.map(|result: Cents| result.to_string()),
    });
    for (column, cell) in &round.cells {
        row[column.to_string()] = serde_json::json!(cell);
    }
    row
}
