//! The floors of the operator's benches: the disk's sync, a bare insert, and
//! the library's own ledger.

#![allow(dead_code, reason = "each bench takes what it needs")]

use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fairdeal::deal::{ClientSeed, Commitment, Deck, Label};
use fairdeal::record::entry::{Entry, Origin, Table as TableName, Terms};
use fairdeal_ledger::{Given, Ledger, LedgerOptions, NewCommit, NewDeal};
use serde_json::json;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions as _, QueryBuilder};

pub(crate) type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

/// Rows of one bare transaction.
pub(crate) const BARE: u32 = 1000;
pub(crate) const TABLES: usize = 64;
/// Callers, and how many deals they make together in a round.
pub(crate) const LOADS: [(u32, u32); 3] = [(1024, 20_480), (64, 10_240), (1, 200)];
pub(crate) const ORIGIN: &str = "bench.example/log";

/// How long the disk takes to sync 4 KiB that were appended to a file: the median of 50.
pub(crate) fn sync_time(dir: &Path) -> Fallible<Duration> {
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
pub(crate) fn quantile(sorted: &[Duration], part: f64) -> Duration {
    let place = (part * sorted.len() as f64) as usize;
    sorted.get(place).copied().unwrap_or_default()
}

/// The bytes of a deal of 52 cards with one player: 303 of them.
pub(crate) fn deal_bytes() -> Fallible<Vec<u8>> {
    let cards = Deck::standard().text_of(&(0..52).collect::<Vec<_>>())?;
    let deal = json!({
        "commitment": "6".repeat(64), "contributions": [{"from": "alice", "seed": "lucky"}], "entry": "deal",
        "nonce": 0, "result": {"cards": cards}, "time": 1_760_000_002_000_u64,
    });
    Ok(Entry::parse(deal.to_string().as_bytes())?.to_text()?.into_bytes())
}

/// A table of numbers and bytes.
pub(crate) struct Bare {
    connection: SqliteConnection,
    next: i64,
    bytes: Vec<u8>,
}

impl Bare {
    pub(crate) async fn create(path: &Path) -> Fallible<Self> {
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
    pub(crate) async fn append(&mut self, count: u32, at_once: u32) -> Fallible<()> {
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

/// A ledger with some tables, at which everything is dealt.
pub(crate) struct Tables {
    pub(crate) ledger: Arc<Ledger>,
    pub(crate) commitments: Vec<Commitment>,
}

impl Tables {
    pub(crate) async fn open(path: &Path) -> Fallible<Self> {
        Ledger::init(path, &Origin::new(ORIGIN)?).await?;
        Self::of(Ledger::open(path, LedgerOptions::default()).await?).await
    }

    /// The tables of a new ledger.
    pub(crate) async fn of(ledger: Ledger) -> Fallible<Self> {
        let mut commitments = Vec::new();
        for table in 0..TABLES {
            let table = TableName::new(format!("table {table}"))?;
            let terms =
                Terms { rounds: 1_000_000_u32.into(), ..Terms::new(table, Deck::standard()) };
            commitments.push(ledger.commit(NewCommit::new(terms), None).await?.commitment);
        }
        Ok(Self { ledger: Arc::new(ledger), commitments })
    }

    /// So many callers make so many deals together. Each waits for its answer, and then until its
    /// next `gap` begins. Returns the waits, sorted.
    pub(crate) async fn load(
        &self,
        callers: u32,
        deals: u32,
        gap: Option<Duration>,
    ) -> Fallible<Vec<Duration>> {
        let alice = Given::with_seed(Label::new("alice")?, ClientSeed::new("lucky")?);
        let round = NewDeal { contributions: vec![alice], ..NewDeal::default() };
        let start = tokio::time::Instant::now();
        let tasks =
            (0..callers).zip(self.commitments.iter().cycle()).map(|(caller, &commitment)| {
                let (ledger, round) = (Arc::clone(&self.ledger), round.clone());
                tokio::spawn(async move {
                    let mut times = Vec::new();
                    for nth in 0..deals / callers {
                        if let Some(gap) = gap {
                            tokio::time::sleep_until(start + gap * nth + gap * caller / callers)
                                .await;
                        }
                        let asked = Instant::now();
                        ledger.deal(commitment, round.clone(), None).await?;
                        times.push(asked.elapsed());
                    }
                    Ok::<_, fairdeal_ledger::LedgerError>(times)
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
