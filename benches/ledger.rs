//! Published deals under load, beside a bare insert of as many bytes.
//!
//! The floor is a transaction with one multi-row insert of 1,000 rows, a number and the bytes, by the same driver into a
//! file beside ours, equally durable: WAL and synchronous=FULL, so that each transaction waits once for the disk. The
//! store adds what entries and commitments are found by. The ledger also judges, deals, signs, and durably publishes tiles
//! and checkpoint before it answers; its callers wait for their answer before they ask again.
//!
//! Below stand the times that a caller waits, in syncs of the same disk: under full load, and under half of it.

#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "a bench prints times, and a place in a list is small"
)]

#[path = "support.rs"]
mod support;

use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fairdeal::deal::{ClientSeed, Commitment, Deck, Label, Nonce};
use fairdeal::ledger::{Given, Ledger, LedgerOptions, NewCommit, NewDeal};
use fairdeal::log::{Checkpoint, Frontier, KeyName, SignerKey, leaf_hash};
use fairdeal::record::entry::{Entry, Origin, Table as TableName};
use fairdeal::record::life::Life;
use fairdeal::store::{Growth, Head, RoundEntry, Segment, Sqlite, State, StoredLife};
use serde_json::json;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions as _, QueryBuilder};
use support::{Asked, Outcome, Table};

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

const ROUNDS: u32 = 12;
/// Rows of one bare transaction.
const BARE: u32 = 1000;
/// Callers, and how many deals they make together in a round.
const LOADS: [(u32, u32); 3] = [(1024, 20_480), (64, 10_240), (1, 200)];
const TABLES: usize = 64;
const ORIGIN: &str = "bench.example/log";

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
        let each = |times: &[Duration], part: f64| quantile(times, part).as_secs_f64() / sync.as_secs_f64();
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

/// How long the disk takes to sync 4 KiB that were appended to a file: the median of 50.
fn sync_time(dir: &Path) -> Fallible<Duration> {
    let mut file = std::fs::File::create(dir.join("synced"))?;
    let mut times = Vec::new();
    for _ in 0..50 {
        file.write_all(&[7; 4096])?;
        let start = Instant::now();
        file.sync_data()?;
        times.push(start.elapsed());
    }
    times.sort();
    Ok(quantile(&times, 0.5))
}

/// A part of the way into a sorted list.
fn quantile(sorted: &[Duration], part: f64) -> Duration {
    let place = (part * sorted.len() as f64) as usize;
    sorted.get(place).copied().unwrap_or_default()
}

/// The bytes of a deal of 52 cards with one player: 303 of them.
fn deal_bytes() -> Fallible<Vec<u8>> {
    let cards = Deck::standard().text_of(&(0..52).collect::<Vec<_>>())?;
    let deal = json!({
        "commitment": "6".repeat(64), "contributions": [{"from": "alice", "seed": "lucky"}], "entry": "deal",
        "nonce": 0, "result": {"cards": cards}, "time": 1_760_000_002_000_u64,
    });
    Ok(Entry::parse(deal.to_string().as_bytes())?.to_text()?.into_bytes())
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

/// A table of numbers and bytes.
struct Bare {
    connection: SqliteConnection,
    next: i64,
    bytes: Vec<u8>,
}

impl Bare {
    async fn create(path: &Path) -> Fallible<Self> {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .disable_statement_logging();
        let mut connection = options.connect().await?;
        let table = "CREATE TABLE entry (place INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT";
        sqlx::query(table).execute(&mut connection).await?;
        Ok(Self { connection, next: 0, bytes: deal_bytes()? })
    }

    /// Inserts rows, so many in each transaction.
    async fn append(&mut self, count: u32, at_once: u32) -> Fallible<()> {
        let mut left = count;
        while left > 0 {
            let rows = left.min(at_once);
            sqlx::query("BEGIN IMMEDIATE").execute(&mut self.connection).await?;
            let mut insert = QueryBuilder::<sqlx::Sqlite>::new("INSERT INTO entry (place, bytes) ");
            insert.push_values(self.next..self.next + i64::from(rows), |mut row, place| {
                row.push_bind(place).push_bind(self.bytes.as_slice());
            });
            insert.build().execute(&mut self.connection).await?;
            sqlx::query("COMMIT").execute(&mut self.connection).await?;
            self.next += i64::from(rows);
            left -= rows;
        }
        Ok(())
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

/// A ledger with some tables, at which everything is dealt.
struct Tables {
    ledger: Arc<Ledger>,
    commitments: Vec<Commitment>,
}

impl Tables {
    async fn open(path: &Path) -> Fallible<Self> {
        Ledger::init(path, &Origin::new(ORIGIN)?).await?;
        let ledger = Ledger::open(path, LedgerOptions::default()).await?;
        let mut commitments = Vec::new();
        for table in 0..TABLES {
            let table = TableName::new(format!("table {table}"))?;
            let terms = NewCommit { rounds: 1_000_000, ..NewCommit::of_table(table) };
            commitments.push(ledger.commit(terms, None).await?.commitment);
        }
        Ok(Self { ledger: Arc::new(ledger), commitments })
    }

    /// So many callers make so many deals together. Each waits for its answer, and then until its next `gap` begins.
    /// Returns the waits, sorted.
    async fn load(&self, callers: u32, deals: u32, gap: Option<Duration>) -> Fallible<Vec<Duration>> {
        let alice = Given::with_seed(Label::new("alice")?, ClientSeed::new("lucky")?);
        let round = NewDeal { contributions: vec![alice], ..NewDeal::default() };
        let start = tokio::time::Instant::now();
        let tasks = (0..callers).zip(self.commitments.iter().cycle()).map(|(caller, &commitment)| {
            let (ledger, round) = (Arc::clone(&self.ledger), round.clone());
            tokio::spawn(async move {
                let mut times = Vec::new();
                for nth in 0..deals / callers {
                    if let Some(gap) = gap {
                        tokio::time::sleep_until(start + gap * nth + gap * caller / callers).await;
                    }
                    let asked = Instant::now();
                    ledger.deal(commitment, round.clone(), None).await?;
                    times.push(asked.elapsed());
                }
                Ok::<_, fairdeal::ledger::LedgerError>(times)
            })
        });
        let mut times = Vec::new();
        for task in tasks.collect::<Vec<_>>() {
            times.extend(task.await??);
        }
        times.sort();
        Ok(times)
    }
}
