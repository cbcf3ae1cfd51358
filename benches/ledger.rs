//! Appending deals, in batches of 1, 32 and 1,000, beside a bare insert of the same bytes.
//!
//! The floor is one transaction with one multi-row insert into a table of a number and the bytes, by the same driver
//! into a file beside ours, equally durable: WAL and synchronous=FULL, so that each batch waits once for the disk. The
//! store adds the indexes, the life of the commitment and the tree's head. The ledger also judges,
//! deals, signs, and durably publishes tiles and checkpoint before it answers.

#[path = "support.rs"]
mod support;

use std::path::Path;
use std::time::Duration;

use fairdeal::deal::{ClientSeed, Commitment, Deck, Label, Method, Nonce};
use fairdeal::ledger::{Ledger, LedgerOptions, NewCommit, NewDeal};
use fairdeal::log::{Checkpoint, Frontier, KeyName, SignerKey, leaf_hash};
use fairdeal::record::entry::{Entry, LoggedContribution, Mixing, Origin, Table as TableName};
use fairdeal::record::life::Life;
use fairdeal::store::{EntryKey, Growth, Head, NewEntry, Sqlite, State, StoredLife};
use serde_json::json;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions as _, QueryBuilder};
use support::{Outcome, Table};

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

const BATCHES: [u32; 3] = [1, 32, 1000];
const ROUNDS: u32 = 60;
const ORIGIN: &str = "bench.example/log";

fn main() -> Outcome {
    let table = Table::new("ledger", ROUNDS);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    // On the project's own disk: a temporary folder may be in memory, where durability costs nothing.
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let mut bare = runtime.block_on(Bare::create(&dir.path().join("bare")))?;
    let mut store = runtime.block_on(Store::create(&dir.path().join("store")))?;
    let ledger = runtime.block_on(OneTable::open(&dir.path().join("ledger")))?;
    for count in BATCHES {
        table.row(
            &format!("append {count} to the store"),
            || runtime.block_on(store.append(count)).expect("appended"),
            || runtime.block_on(bare.append(count)).expect("inserted"),
        );
    }
    for count in BATCHES {
        table.row(
            &format!("deal {count} at once, published"),
            || runtime.block_on(ledger.deal(count)).expect("dealt"),
            || runtime.block_on(bare.append(count)).expect("inserted"),
        );
    }
    runtime.block_on(ledger.ledger.close())?;
    Ok(())
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

    async fn append(&mut self, count: u32) -> Fallible<()> {
        sqlx::query("BEGIN IMMEDIATE").execute(&mut self.connection).await?;
        let mut insert = QueryBuilder::<sqlx::Sqlite>::new("INSERT INTO entry (place, bytes) ");
        insert.push_values(self.next..self.next + i64::from(count), |mut row, place| {
            row.push_bind(place).push_bind(self.bytes.as_slice());
        });
        insert.build().execute(&mut self.connection).await?;
        sqlx::query("COMMIT").execute(&mut self.connection).await?;
        self.next += i64::from(count);
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
            published: 0,
            kept: 0,
        };
        let growth = Growth {
            entries: Vec::new(),
            lives: vec![StoredLife { life: life()?, seed: vec![0; 72] }],
            tables: Vec::new(),
            nodes: Vec::new(),
            answers: Vec::new(),
            forget_before: 0,
            frontier: Frontier::new(),
            note: note.to_text(),
            time: 0,
        };
        Ok(Self {
            state: Sqlite::create(path, Duration::from_secs(5), &head).await?,
            growth,
            bytes: deal_bytes()?,
        })
    }

    async fn append(&mut self, count: u32) -> Fallible<()> {
        let size = self.growth.frontier.size();
        self.growth.entries.clear();
        for index in size..size + u64::from(count) {
            let commitment = Commitment::from_bytes([0x66; 32]);
            let key = EntryKey { index, commitment, nonce: Some(Nonce::new(index)?), kind: "deal".into() };
            self.growth.entries.push(NewEntry { key, bytes: self.bytes.clone() });
            self.growth.frontier.push(leaf_hash(&self.bytes))?;
        }
        let mut transaction = self.state.begin().await?;
        transaction.write(&self.growth).await?;
        transaction.commit().await?;
        Ok(())
    }
}

/// A ledger with one commitment, under which everything is dealt.
struct OneTable {
    ledger: Ledger,
    commitment: Commitment,
}

impl OneTable {
    async fn open(path: &Path) -> Fallible<Self> {
        Ledger::init(path, &Origin::new(ORIGIN)?).await?;
        let ledger = Ledger::open(path, LedgerOptions::default()).await?;
        let terms = NewCommit {
            table: TableName::new("table 1")?,
            method: Method::Shuffle,
            deck: Deck::standard(),
            draw: None,
            sealed: false,
            mixing: Mixing::Seeds,
            rounds: 1_000_000,
            reveal_in: Duration::from_hours(1),
            signed: false,
            layout: None,
            rules: None,
            ext: None,
        };
        let commitment = ledger.commit(terms, None).await?.commitment;
        Ok(Self { ledger, commitment })
    }

    async fn deal(&self, count: u32) -> Fallible<()> {
        let alice = LoggedContribution::clear(Label::new("alice")?, ClientSeed::new("lucky")?, None);
        let round = || NewDeal { contributions: vec![alice.clone()], ..NewDeal::default() };
        let deals = (0..count).map(|_| self.ledger.deal(self.commitment, round(), None));
        futures::future::try_join_all(deals).await?;
        Ok(())
    }
}
