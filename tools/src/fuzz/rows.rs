//! Rows of other operators' rounds, in every form, read in pieces of any length.

use fairdeal::deal::Contribution;
use fairdeal_schemes::dialect::{Round, cards_text, find};
use fairdeal_schemes::rows::{Names, Rows};
use serde_json::{Map, Value, json};

/// A row's line, and its round or the reason why it has none.
type Read = (u64, Result<Round<'static>, String>);

/// A file of rows: pieces of any length give the same rows, and every form gives the same rounds.
pub fn rows(bytes: &[u8]) -> bool {
    // Together they read every column.
    let dialect = match bytes.last().map_or(0, |last| last & 3) {
        0 => "bustabit",
        1 => "fairdeal/v1",
        _ => "duel-video-poker",
    };
    let (found, ended) = read(bytes, dialect, 1 << 20);
    for chunk in [1, 13] {
        assert_eq!(
            read(bytes, dialect, chunk),
            (found.clone(), ended.clone()),
            "in pieces of {chunk}"
        );
    }
    let rounds: Vec<Round<'_>> = found.into_iter().filter_map(|(_, round)| round.ok()).collect();
    let objects: Vec<Map<String, Value>> = rounds.iter().map(object).collect();
    let lines: String = objects
        .iter()
        .flat_map(|row| [Value::from(row.clone()).to_string(), "\n".to_owned()])
        .collect();
    let array = Value::from(objects.clone()).to_string();
    for form in [&lines, &array, &format!("{{\"x\":[{{}}],\"rows\":{array},\"dialect\":\"x\"}}")] {
        again(form, dialect, &rounds);
    }
    // In a table an empty cell is not given. Beside a final hand it says that no card was held.
    let whole = |object: &&Map<String, Value>| {
        object.values().all(|value| value != "")
            && (object["final"].is_null() || !object["held"].is_null())
    };
    let kept: Vec<_> = objects.iter().zip(&rounds).filter(|(object, _)| whole(object)).collect();
    let rounds: Vec<_> = kept.iter().map(|(_, round)| (*round).clone()).collect();
    for delimiter in [",", ";", "\t"] {
        let names = COLUMNS.join(delimiter);
        let rows = kept
            .iter()
            .map(|(object, _)| COLUMNS.map(|name| field(object.get(name))).join(delimiter));
        let table: Vec<String> = [names].into_iter().chain(rows).collect();
        again(&(table.join("\r\n") + "\r\n"), dialect, &rounds);
    }
    ended.is_none() && !rounds.is_empty()
}

const COLUMNS: [&str; 14] = [
    "server_seed",
    "commitment",
    "client_seed",
    "nonce",
    "cards",
    "result",
    "chain_steps",
    "game_id",
    "held",
    "final",
    "full",
    "contributions",
    "deck",
    "method",
];

fn read(bytes: &[u8], dialect: &str, chunk: usize) -> (Vec<Read>, Option<String>) {
    let names = Names::of(find(dialect).expect("known"));
    let mut rows = Rows::in_chunks(bytes, names, chunk);
    let mut found = Vec::new();
    loop {
        match rows.next_batch() {
            Ok(Some(batch)) => {
                let read = batch.rows(0..batch.len());
                found.extend(read.map(|row| (row.line, row.round.map(Round::into_owned))));
            }
            Ok(None) => return (found, None),
            Err(error) => return (found, Some(error.to_string())),
        }
    }
}

fn again(form: &str, dialect: &str, rounds: &[Round<'_>]) {
    let (found, ended) = read(form.as_bytes(), dialect, 1 << 20);
    // JSON lines need at least one row.
    assert!(ended.is_none() || form.is_empty(), "{ended:?}: {form}");
    let found: Vec<_> =
        found.into_iter().map(|(_, round)| round.expect("it was written")).collect();
    assert_eq!(found, rounds, "{form}");
}

fn object(round: &Round<'_>) -> Map<String, Value> {
    let one = |one: &Contribution| {
        let seen = one
            .seen
            .as_ref()
            .map(|seen| json!({"root": hex::encode(seen.root), "size": seen.size}));
        match seen {
            None => json!({"from": one.from.as_str(), "seed": one.seed.as_str()}),
            Some(seen) => {
                json!({"from": one.from.as_str(), "seed": one.seed.as_str(), "seen": seen})
            }
        }
    };
    let clients =
        round.contributions.as_ref().map(|clients| clients.iter().map(one).collect::<Vec<_>>());
    let result = round.result.map(|cents| cents.to_string());
    let result = result.or_else(|| round.finer.as_deref().map(str::to_owned));
    let all = [
        ("server_seed", json!(round.server_seed)),
        ("commitment", json!(round.commitment.map(hex::encode))),
        ("client_seed", json!(round.client_seed)),
        ("nonce", json!(round.nonce)),
        ("cards", json!(round.cards.as_deref().map(cards_text))),
        ("result", json!(result)),
        ("chain_steps", json!(round.chain_steps)),
        ("game_id", json!(round.game_id)),
        ("held", json!(round.held.as_deref().map(cards_text))),
        ("final", json!(round.last.as_deref().map(cards_text))),
        ("full", json!(round.full)),
        ("contributions", json!(clients)),
        ("deck", json!(round.deck)),
        ("method", json!(round.method)),
    ];
    all.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// A field of a CSV file, in quotes.
fn field(value: Option<&Value>) -> String {
    let text = match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    };
    format!("\"{}\"", text.replace('"', "\"\""))
}
