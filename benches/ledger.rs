//! Published deals under load, beside a bare insert of as many bytes.
//!
//! The floor is a transaction with one multi-row insert of 1,000 rows, a number and the bytes, by
//! the same driver into a file beside ours, equally durable: WAL and synchronous=FULL, so that each
//! transaction waits once for the disk. The store adds what entries and commitments are found by.
//! The ledger also judges, deals, signs, and durably publishes tiles and checkpoint before it
//! answers; its callers wait for their answer before they ask again.
//!
//! Below stand the times that a caller waits, in syncs of the same disk: under full load, and under
//! half of it.

#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "a bench prints times, and a place in a list is small"
)]

#[path = "floors.rs"]
mod floors;
#[path = "support.rs"]
mod support;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fairdeal::deal::Nonce;
use fairdeal::log::{Checkpoint, Frontier, KeyName, SignerKey, leaf_hash};
use fairdeal::record::entry::Entry;
use fairdeal::record::life::Life;
use fairdeal_ledger::store::{Growth, Head, RoundEntry, Segment, Sqlite, State, StoredLife};
use floors::{BARE, Bare, Fallible, ORIGIN, Tables, deal_bytes, quantile, sync_time};
use serde_json::json;
use support::{Asked, Outcome, Table};

const ROUNDS: u32 = 12;
/// Callers, and how many deals they make together in a round.
const LOADS: [(u32, u32); 3] = [(1024, 20_480), (64, 10_240), (1, 200)];

fn main() -> Outcome {
    let table = Table::new("ledger", ROUNDS);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    // /tmp may be in memory, where durability costs nothing; FAIRDEAL_BENCH_DIR names another disk.
    let disk = std::env::var_os("FAIRDEAL_BENCH_DIR").unwrap_or_else(|| "/var/tmp".into());
    let dir = tempfile::tempdir_in(disk)?;
    let mut bare = runtime.block_on(Bare::create(&dir.path().join("bare")))?;
    let mut store = runtime.block_on(Store::create(&dir.path().join("store")))?;
    for count in [32, BARE] {
        table.row_of(
            &format!("store: {count} entries in a transaction"),
            count,
            || runtime.block_on(store.append(count)).expect("appended"),
            || runtime.block_on(bare.append(count, count)).expect("inserted"),
        );
    }
    let ledger = runtime.block_on(Tables::open(&dir.path().join("ledger")))?;
    let measured = Asked::new().rounds(2) > 1;
    for (callers, deals) in LOADS {
        let deals = if measured { deals } else { callers };
        table.row_of(
            &format!("ledger: deals of {callers} callers"),
            deals,
            || runtime.block_on(ledger.load(callers, deals, None)).expect("dealt"),
            || runtime.block_on(bare.append(deals, BARE)).expect("inserted"),
        );
    }
    println!(
        "a caller waits, in syncs of this disk          one sync, us     p50     p99  half load: p50     p99"
    );
    for (callers, deals) in LOADS {
        let deals = if measured { 3 * deals } else { callers };
        let sync = sync_time(dir.path())?;
        let started = Instant::now();
        let full = runtime.block_on(ledger.load(callers, deals, None))?;
        let gap = started.elapsed() * 2 * callers / deals;
        let half = runtime.block_on(ledger.load(callers, deals, Some(gap)))?;
        let each = |times: &[Duration], part: f64| {
            quantile(times, part).as_secs_f64() / sync.as_secs_f64()
        };
        println!(
            "{:<47}{:>12}{:>8.1}{:>8.1}{:>16.1}{:>8.1}",
            format!("{callers} callers"),
            sync.as_micros(),
            each(&full, 0.5),
            each(&full, 0.99),
            each(&half, 0.5),
            each(&half, 0.99)
        );
    }
    let ledger = Arc::into_inner(ledger.ledger).ok_or("a caller still has the ledger")?;
    runtime.block_on(ledger.close())?;
    Ok(())
}

/// A commitment with all its rounds still to come.
fn life() -> Fallible<Life> {
    let commit = json!({
        "commitment": "6".repeat(64), "deck": "standard-52", "draw": 52, "entry": "commit", "method": "shuffle",
        "mixing": "seeds", "origin": ORIGIN, "protocol": "fairdeal/v1", "reveal_by": 1_760_086_401_000_u64,
        "rounds": 1_000_000, "sealed": false, "table": "table 1", "time": 1_760_000_001_000_u64,
    });
    match Entry::parse(commit.to_string().as_bytes())? {
        Entry::Commit(commit) => Ok(Life::new(commit, 0)),
        other => Err(format!("a {}", other.kind()).into()),
    }
}

/// The store alone, with entries that are already judged, hashed and signed.
struct Store {
    state: Sqlite,
    growth: Growth,
    bytes: Vec<u8>,
}

impl Store {
    async fn create(path: &Path) -> Fallible<Self> {
        let signer = SignerKey::from_seed(KeyName::parse(ORIGIN)?, &[7; 32]);
        let note = Checkpoint::new(ORIGIN, 0, Frontier::new().root())?.sign(&signer)?;
        let head = Head {
            key: signer.verifier().to_text(),
            vault: "none".to_owned(),
            frontier: Frontier::new(),
            note: note.to_text(),
            time: None,
            key_time: 0,
            kept: 0,
            clock: None,
            closed: None,
        };
        let growth = Growth {
            segments: Vec::new(),
            rounds: Vec::new(),
            commitments: Vec::new(),
            lives: vec![StoredLife { life: life()?, ended_at: None, seed: [0; 72].into() }],
            tables: Vec::new(),
            nodes: Vec::new(),
            answers: Vec::new(),
            forget_before: 0,
            memos: Vec::new(),
            head: head.clone(),
        };
        let state = Sqlite::create(path, Duration::from_secs(5), &head).await?;
        Ok(Self { state, growth, bytes: deal_bytes()? })
    }

    async fn append(&mut self, count: u32) -> Fallible<()> {
        let Growth { segments, rounds, head, .. } = &mut self.growth;
        segments.clear();
        rounds.clear();
        let length = u16::try_from(self.bytes.len())?.to_be_bytes();
        for index in head.frontier.size()..head.frontier.size() + u64::from(count) {
            if segments.is_empty() || index.is_multiple_of(256) {
                segments.push(Segment { first: index, count: 0, bytes: Vec::new() });
            }
            let segment = segments.last_mut().ok_or("a segment was pushed")?;
            segment.count += 1;
            segment.bytes.extend_from_slice(&length);
            segment.bytes.extend_from_slice(&self.bytes);
            rounds.push(RoundEntry { under: 0, nonce: Nonce::new(index)?, index });
            head.frontier.push(leaf_hash(&self.bytes))?;
        }
        let mut transaction = self.state.begin().await?;
        transaction.write(&self.growth).await?;
        transaction.commit().await?;
        Ok(())
    }
}
