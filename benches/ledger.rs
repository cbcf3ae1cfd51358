//! Published deals under load, beside a bare insert of as many bytes.
//!
//! The floor is a transaction with one multi-row insert of 1,000 rows, a number and the bytes, by
//! the same driver into a file beside ours, equally durable: WAL and synchronous=FULL, so that each
//! transaction waits once for the disk. The store adds what entries and commitments are found by.
//! The ledger also judges, deals, signs, and publishes tiles and checkpoint before it answers; its
//! callers wait for their answer before they ask again.
//!
//! Below stand the times that a caller waits, in syncs of the same disk: under full load, and under
//! half of it. Then the processor's time of a deal and of the floor's row, and the syncs of a deal,
//! which strace counts in a process of their own.

#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "a bench prints times, and a place in a list is small"
)]

#[path = "disk.rs"]
mod disk;
#[path = "floors.rs"]
mod floors;
#[path = "processor.rs"]
mod processor;
#[path = "support.rs"]
mod support;

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fairdeal::deal::Nonce;
use fairdeal::log::{Checkpoint, Frontier, KeyName, SignerKey, leaf_hash};
use fairdeal::record::entry::Entry;
use fairdeal::record::life::Life;
use fairdeal_ledger::store::{Growth, Head, RoundEntry, Segment, Sqlite, State, StoredLife};
use floors::{BARE, Bare, Fallible, LOADS, ORIGIN, Tables, deal_bytes, quantile, sync_time};
use mimalloc::MiMalloc;
use processor::processor_time;
use serde_json::json;
use support::{Asked, Outcome, Table};

/// The allocator of the command.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

const ROUNDS: u32 = 12;

fn main() -> Outcome {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let words: Vec<String> = std::env::args().collect();
    if let [_, counted, dir, callers, deals] = words.as_slice()
        && counted == COUNTED
    {
        return runtime.block_on(deal(Path::new(dir), callers.parse()?, deals.parse()?));
    }
    let table = Table::new("ledger", ROUNDS);
    let dir = disk::folder()?;
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
    println!("a deal's cost                          processor, us     the floor's    syncs");
    for (callers, deals) in LOADS {
        let deals = if measured { deals } else { callers };
        let before = processor_time();
        runtime.block_on(ledger.load(callers, deals, None))?;
        let between = processor_time();
        runtime.block_on(bare.append(deals, BARE))?;
        let after = processor_time();
        let each = |micros: f64| micros / f64::from(deals);
        let syncs = if measured { syncs(dir.path(), callers, deals)? } else { f64::NAN };
        println!(
            "{:<40}{:>12.1}{:>16.1}{:>9.3}",
            format!("{callers} callers"),
            each(between - before),
            each(after - between),
            syncs
        );
    }
    runtime.block_on(closed(ledger))
}

async fn closed(tables: Tables) -> Outcome {
    let ledger = Arc::into_inner(tables.ledger).ok_or("a caller still has the ledger")?;
    Ok(ledger.close().await?)
}

/// The word that makes this program only deal, so that another one can count its calls.
const COUNTED: &str = "--counted";

async fn deal(dir: &Path, callers: u32, deals: u32) -> Outcome {
    let tables = Tables::open(dir).await?;
    tables.load(callers, deals, None).await?;
    closed(tables).await
}

/// The syncs of a deal: what twice as many deals sync more.
fn syncs(dir: &Path, callers: u32, deals: u32) -> Fallible<f64> {
    let mut counted = Vec::new();
    for deals in [deals, 2 * deals] {
        let (ledger, trace) = (tempfile::tempdir_in(dir)?, tempfile::NamedTempFile::new()?);
        let ended = Command::new("strace")
            .args(["-f", "-qq", "--seccomp-bpf", "-e", "trace=fsync,fdatasync,syncfs"])
            .args(["-e", "signal=none", "-o"])
            .arg(trace.path())
            .arg(std::env::current_exe()?)
            .arg(COUNTED)
            .arg(ledger.path())
            .args([callers.to_string(), deals.to_string()])
            .status()?;
        if !ended.success() {
            return Err(format!("strace: {ended}").into());
        }
        let calls = std::fs::read_to_string(trace.path())?;
        counted.push(calls.lines().filter(|line| !line.contains("resumed>")).count());
    }
    let [once, twice] = counted.as_slice() else { return Err("two counts".into()) };
    Ok((*twice as f64 - *once as f64) / f64::from(deals))
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
